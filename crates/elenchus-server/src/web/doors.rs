//! The addresses of the pages, and what each looks up.

use super::about::{self, Left};
use super::ask::{self, Expected, Offers};
use super::once::{Once, Sure};
use super::run::{self, Asked, Sight, head_is_local};
use super::source::{self, Marked};
use super::usual::Taken;
use super::{again, assets, deeds, library, lists, removal, settings, wrong};
use crate::http::Api;
use crate::http::own_runs::refused_run;
use crate::http::problem::Problem;
use crate::http::query::pairs;
use crate::mcp::ports::Refusal;
use crate::runs::{Linked, Runs};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{Path, RawPathParams, RawQuery, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use elenchus_core::bank::Caller;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Effort;
use elenchus_core::port::{Matter, exported};
use elenchus_core::synthesis::insight::InsightFeedback;
use elenchus_core::text::visible_json;
use elenchus_core::trace::Projection;
use maud::Markup;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What stands behind the pages.
#[derive(Clone)]
pub(super) struct Pages {
    pub(super) api: Arc<Api>,
    taken: Taken,
    /// How sure answers are; nothing of runs without one.
    pub(super) sure: Once<Option<Sure>>,
    /// What left, by run.
    pub(super) left: Once<Left>,
}

/// The pages, to be merged with the API's routes.
pub fn router(api: &Arc<Api>) -> Router {
    let pages = Pages {
        api: Arc::clone(api),
        taken: Taken::default(),
        sure: Once::default(),
        left: Once::default(),
    };
    let of_runs = Router::new()
        .route("/", get(question))
        .route("/research", get(lists::runs).post(deeds::start))
        .route("/research/{id}", get(one))
        .route("/research/{id}/delete", get(removal::ask).post(removal::delete))
        .route("/research/{id}/part/{name}", get(part))
        .route("/research/{id}/source/{number}", get(source))
        .route("/research/{id}/export", get(export))
        .route("/research/{id}/control", post(deeds::control))
        .route("/research/{id}/plan", post(deeds::plan))
        .route("/research/{id}/clarify", post(deeds::clarify))
        .route("/research/{id}/challenge", post(deeds::challenge))
        .route("/research/{id}/fork", post(deeds::fork))
        .route("/research/{id}/hypotheses", post(deeds::test_own))
        .route("/research/{id}/hypotheses/{hypothesis}/test", post(deeds::test))
        .route("/research/{id}/insights/{insight}/feedback", post(deeds::feedback))
        .route("/research/{id}/claims/{claim}/feedback", post(deeds::judge))
        .route("/sources", get(library::sources))
        .route("/notes", get(library::notes))
        .route("/notes/export", get(library::notes_file))
        .route("/compare", get(lists::compare))
        .route("/settings", get(settings::settings_page))
        .route("/about", get(about::about_page))
        .route_layer(from_fn_with_state(pages.clone(), own_runs));
    Router::new()
        .route("/memory", get(library::memory))
        .route("/memory/{id}", get(library::learned).post(deeds::remember))
        .route("/assets/{name}", get(asset))
        .merge(of_runs)
        .with_state(pages)
}

/// Pages of runs, of what is set and of what left are for members of the server's own project. To others there is no such run,
/// and whoever signs in comes to the memory.
async fn own_runs(
    State(pages): State<Pages>,
    places: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Response {
    let caller = caller(&pages, request.extensions().get());
    let id = places.iter().flat_map(RawPathParams::iter).find(|(name, _)| *name == "id");
    let Some(problem) = refused_run(&caller, &pages.api.caller, id.map(|(_, id)| id)) else {
        return next.run(request).await;
    };
    if request.uri().path() == "/" {
        return to("/memory");
    }
    shown(Err(problem))
}

/// What a browser is told of an address that nobody has.
pub fn missing(request: &Request) -> Response {
    page(StatusCode::NOT_FOUND, &wrong::missing(request.uri().path()))
}

pub(super) fn page(status: StatusCode, markup: &Markup) -> Response {
    let mut response = Response::new(Body::from(markup.0.clone()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// To another page, to be asked for anew.
pub(super) fn to(address: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, address);
    }
    response
}

pub(super) type Shown = Result<Response, Problem>;

/// What did not work, as a page.
pub(super) fn shown(told: Shown) -> Response {
    told.unwrap_or_else(|problem| {
        let status =
            StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let refusal = Refusal::new(problem.title, problem.cause, problem.way_out);
        page(status, &wrong::refused(status.as_u16(), &refusal))
    })
}

pub(super) fn query(raw: Option<&str>) -> Vec<(String, String)> {
    pairs(raw.unwrap_or_default()).unwrap_or_default()
}

pub(super) fn value<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
}

fn asked(pairs: &[(String, String)]) -> Asked {
    Asked::of(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())))
}

impl Pages {
    pub(super) fn runs(&self) -> &Runs {
        &self.api.runs
    }

    /// Looks at a run with everything that its page needs but what came of it.
    pub(super) async fn see<T>(
        &self,
        run: &RunId,
        look: impl FnOnce(&Sight<'_>) -> T,
    ) -> Result<T, Problem> {
        self.seen(run, &[], look).await
    }

    /// Looks at a run with what came of it, once it is over: until then it changes too often for the store to be asked.
    async fn see_whole<T>(
        &self,
        run: &RunId,
        look: impl FnOnce(&Sight<'_>) -> T,
    ) -> Result<T, Problem> {
        let is_over = self.runs().record(run).await?.shown(Projection::is_over);
        // A page without them is still worth reading.
        let linked =
            if is_over { self.runs().linked(run).await.unwrap_or_default() } else { vec![] };
        self.seen(run, &linked, look).await
    }

    async fn seen<T>(
        &self,
        run: &RunId,
        linked: &[Linked],
        look: impl FnOnce(&Sight<'_>) -> T,
    ) -> Result<T, Problem> {
        let line = self.runs().line(run).await?;
        let record = self.runs().record(run).await?;
        // A page without what was said is still worth reading.
        let held = self.api.held(run).await.unwrap_or_default();
        let mut feedback: BTreeMap<String, InsightFeedback> = BTreeMap::new();
        let mut judged: BTreeMap<String, String> = BTreeMap::new();
        for remark in &held {
            let word = remark.said.clone().unwrap_or_default();
            match (remark.about, InsightFeedback::of(&word)) {
                (Matter::Insight, Some(said)) => {
                    feedback.insert(remark.target.clone(), said);
                }
                (Matter::Claim, _) => {
                    judged.insert(remark.target.clone(), word);
                }
                _ => {}
            }
        }
        let exports = exported(&held, run);
        let waits = record.waits();
        Ok(record.shown(|shown| {
            look(&Sight {
                shown,
                driven: line.is_under_way(),
                waits: if shown.is_over() { "" } else { &waits },
                feedback: &feedback,
                judged: &judged,
                exports: &exports,
                linked,
            })
        }))
    }
}

pub(super) async fn offers(pages: &Pages) -> Offers {
    let grounds = pages.runs().grounds();
    let model = grounds.model();
    let usual = pages.taken.usual(pages.runs(), &model).await;
    Offers {
        corpora: grounds.corpora(),
        uses_web: grounds.uses_web(),
        is_remote: !head_is_local(&model),
        model,
        usual,
        expected: Effort::ALL.map(|effort| Expected::of(effort, &**grounds)).to_vec(),
    }
}

async fn question(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let offers = offers(&pages).await;
    let pairs = query(raw.as_deref());
    let again = value(&pairs, "again");
    if again.is_empty() {
        return page(StatusCode::OK, &ask::show(&offers, &ask::blank(), None));
    }
    shown(
        pages
            .see(&RunId::from(again), |sight| {
                let filled = again::again(sight.shown, &offers);
                page(StatusCode::OK, &ask::show(&offers, &filled, None))
            })
            .await,
    )
}

async fn one(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
) -> Response {
    let asked = asked(&query(raw.as_deref()));
    shown(
        pages
            .see_whole(&RunId::from(id.as_str()), |sight| {
                page(StatusCode::OK, &run::show(sight, &asked))
            })
            .await,
    )
}

async fn part(
    State(pages): State<Pages>,
    Path((id, name)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
) -> Response {
    let pairs = query(raw.as_deref());
    let asked = asked(&pairs);
    let have: BTreeMap<String, String> = value(&pairs, "have")
        .split(',')
        .filter_map(|one| one.split_once(':'))
        .map(|(name, mark)| (name.to_owned(), mark.to_owned()))
        .collect();
    let told = pages
        .see_whole(&RunId::from(id.as_str()), |sight| {
            if name == "changed" {
                let pieces = run::changed(sight, &asked, &have);
                let pieces: Vec<_> = pieces
                    .iter()
                    .map(|piece| serde_json::json!({ "name": piece.name, "mark": piece.mark, "html": piece.html }))
                    .collect();
                let news = serde_json::json!({
                    "seq": sight.shown.seq, "over": sight.shown.is_over(), "status": sight.said(), "pieces": pieces,
                });
                return Ok(("application/json", visible_json(&news.to_string())));
            }
            run::piece(sight, &asked, &name).map(|piece| ("text/html; charset=utf-8", piece.html)).ok_or(())
        })
        .await;
    shown(told.and_then(|found| {
        let (kind, body) = found.map_err(|()| {
            Problem::unknown(
                "unknown_part",
                "part of a run",
                &name,
                "the page of the run names its parts",
            )
        })?;
        let mut response = Response::new(Body::from(body));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }))
}

async fn source(
    State(pages): State<Pages>,
    Path((id, named)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
) -> Response {
    let run = RunId::from(id.as_str());
    let pairs = query(raw.as_deref());
    let number_of = |name: &str| value(&pairs, name).parse::<usize>().ok();
    let marked = number_of("from")
        .zip(number_of("to"))
        .filter(|(from, to)| from < to)
        .map(|(from, to)| Marked { from, to });
    let unknown = || {
        Problem::unknown(
            "unknown_source",
            "source",
            &named,
            "the answer of the run lists its sources",
        )
    };
    let told = async {
        let number: usize = named.parse().map_err(|_| unknown())?;
        let source = pages.see(&run, |sight| {
            let answer = sight.shown.answer.as_ref()?;
            answer.sources.iter().find(|one| one.number == number).map(|one| one.source_id.clone())
        });
        let source = source.await?.ok_or_else(unknown)?;
        let journal = pages.runs().store().journal(&run).await?;
        let read = source::read(&journal, &source).ok_or_else(unknown)?;
        pages
            .see(&run, |sight| page(StatusCode::OK, &source::show(sight, number, &read, marked)))
            .await
    };
    shown(told.await)
}

async fn export(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
) -> Response {
    let pairs = query(raw.as_deref());
    let format: String = value(&pairs, "format")
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(20)
        .collect();
    let run = RunId::from(id.as_str());
    let there = pages.see(&run, |_| ()).await;
    // Whoever gives the report notes that it was taken out.
    shown(there.map(|()| {
        to(&format!("/v1/research/{}/export?format={format}", super::words::encoded(run.as_str())))
    }))
}

/// On whose behalf a request acts.
pub(super) fn caller(pages: &Pages, request: Option<&Caller>) -> Caller {
    request.cloned().unwrap_or_else(|| pages.api.caller.clone())
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(asset) = assets::of(&name) else {
        return page(StatusCode::NOT_FOUND, &wrong::missing(&format!("/assets/{name}")));
    };
    let tag = format!("\"{}\"", asset.version);
    let known =
        headers.get(IF_NONE_MATCH).and_then(|line| line.to_str().ok()) == Some(tag.as_str());
    let mut response =
        Response::new(if known { Body::empty() } else { Body::from(asset.body.as_str()) });
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}
