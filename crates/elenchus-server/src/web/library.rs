//! What is looked up over all runs: the sources that answers cite, what people said, on pages and to take along, and what was
//! learned.

use super::doors::{Pages, caller, page, query, shown, value};
use super::memory::{self, Learned};
use super::notes::{self, Found, Note, Told, Wanted};
use super::{notes_file, sources, strategy};
use crate::http::problem::Problem;
use axum::body::Body;
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use elenchus_core::bank::Caller;
use elenchus_core::id::{RunId, StrategyId};
use elenchus_core::port::{Held, Listing, Remark};
use std::collections::{BTreeMap, BTreeSet};

pub(super) async fn sources(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let pairs = query(raw.as_deref());
    let q = value(&pairs, "q");
    let at = value(&pairs, "page").parse::<u32>().map_or(1, |page| page as usize);
    let told = async {
        let cited = pages.runs().store().cited(sources::LOOKED_AT).await?;
        let found = sources::matching(sources::listed(cited), q);
        Ok(page(StatusCode::OK, &sources::show(&found, q, at)))
    };
    shown(told.await)
}

pub(super) async fn notes(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let pairs = query(raw.as_deref());
    let wanted = Wanted { only: value(&pairs, "only"), q: value(&pairs, "q") };
    let at = value(&pairs, "page").parse::<u32>().map_or(1, |page| page as usize);
    let told = async {
        let noted = notes::noted(pages.api.said().await?);
        let counts = notes::counts(&noted);
        let noted = saying(noted, wanted.only);
        let place = |of: usize| at.clamp(1, of.div_ceil(notes::A_PAGE).max(1));
        let behind = |at: usize| (at - 1) * notes::A_PAGE;
        // Without words to look for only the runs of this page are looked at.
        let (found, at, of, beyond) = if wanted.q.is_empty() {
            let of = noted.len();
            let at = place(of);
            let here = noted.into_iter().skip(behind(at)).take(notes::A_PAGE).collect();
            (worded(&pages, here).await, at, of, 0)
        } else {
            let (found, beyond) = searched(&pages, noted, wanted.q).await;
            let of = found.len();
            let at = place(of);
            (found.into_iter().skip(behind(at)).take(notes::A_PAGE).collect(), at, of, beyond)
        };
        let found = Found { notes: &found, at, of, beyond };
        Ok(page(StatusCode::OK, &notes::show(wanted, found, &counts)))
    };
    shown(told.await)
}

/// The notes that fit, as a file.
pub(super) async fn notes_file(State(pages): State<Pages>, RawQuery(raw): RawQuery) -> Response {
    let pairs = query(raw.as_deref());
    let (only, q) = (value(&pairs, "only"), value(&pairs, "q"));
    let told = async {
        let format = match value(&pairs, "format") {
            "" | "md" => Form::Markdown,
            "json" => Form::Json,
            other => {
                return Err(Problem::malformed(
                    format!("notes have no form {:?}", other.chars().take(20).collect::<String>()),
                    "ask for `md` or `json`",
                ));
            }
        };
        let noted = saying(notes::noted(pages.api.said().await?), only);
        let (found, beyond) = searched(&pages, noted, q).await;
        let text = match format {
            Form::Markdown => notes_file::markdown(&found, beyond),
            Form::Json => notes_file::json(&found, beyond).map_err(|error| {
                Problem::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "unsayable",
                    "could not write the notes",
                    error.to_string(),
                    "this is a defect of elenchus, report it",
                )
            })?,
        };
        Ok(format.file(text))
    };
    shown(told.await)
}

/// A form of the notes.
#[derive(Clone, Copy)]
enum Form {
    Markdown,
    Json,
}

impl Form {
    fn file(self, text: String) -> Response {
        let (kind, name) = match self {
            Self::Markdown => {
                ("text/markdown; charset=utf-8", "attachment; filename=\"elenchus-notes.md\"")
            }
            Self::Json => ("application/json", "attachment; filename=\"elenchus-notes.json\""),
        };
        let mut response = Response::new(Body::from(text));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static(name));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

/// Those with this word, or all where it is empty.
fn saying(mut noted: Vec<Remark>, only: &str) -> Vec<Remark> {
    noted.retain(|one| only.is_empty() || one.said.as_deref() == Some(only));
    noted
}

/// Those in which the words stand, and how many older ones were not looked at.
async fn searched(pages: &Pages, mut noted: Vec<Remark>, q: &str) -> (Vec<Note>, usize) {
    let beyond = noted.len().saturating_sub(notes::LOOKED_AT);
    noted.truncate(notes::LOOKED_AT);
    (notes::matching(worded(pages, noted).await, q), beyond)
}

/// Remarks with what their runs tell, of which each is looked at once. A note is told although its run cannot be.
async fn worded(pages: &Pages, noted: Vec<Remark>) -> Vec<Note> {
    let mut runs: BTreeMap<RunId, Told> = BTreeMap::new();
    for run in noted.iter().map(|one| one.run_id.clone()).collect::<BTreeSet<RunId>>() {
        let record = pages.runs().record(&run).await.ok();
        let told = record.map(|record| record.shown(Told::of)).unwrap_or_default();
        runs.insert(run, told);
    }
    let made = noted.into_iter().filter_map(|remark| {
        let told = runs.get(&remark.run_id)?;
        Some(Note::of(remark, told))
    });
    made.collect()
}

/// The strategies that fit, and how many there are whether they fit or not.
async fn fitting(
    pages: &Pages,
    caller: &Caller,
    wanted: &memory::Wanted,
) -> Result<(Vec<Held>, usize), Problem> {
    let now = pages.api.parts.clock.now();
    let listing = Listing { archived: wanted.archived, ..Listing::default() };
    let mut found = pages.api.parts.bank.list(caller, &listing, now).await?;
    let all = found.len();
    let words: Vec<String> = wanted.q.split_whitespace().map(str::to_lowercase).collect();
    found.retain(|held| memory::fits(held, &words));
    Ok((found, all))
}

/// The strategies, a page at a time: figures are explained for those of the page alone.
pub(super) async fn memory(State(pages): State<Pages>, request: Request) -> Response {
    let pairs = query(request.uri().query());
    let caller = caller(&pages, request.extensions().get());
    let some = |name: &str| Some(value(&pairs, name).to_owned()).filter(|text| !text.is_empty());
    let mut wanted = memory::Wanted {
        q: value(&pairs, "q").to_owned(),
        archived: value(&pairs, "archived") == "yes",
        undo: some("undo"),
        voted: some("voted"),
    };
    let at = value(&pairs, "page").parse::<u32>().map_or(1, |page| page as usize);
    let told = async {
        let bank = &pages.api.parts.bank;
        let now = pages.api.parts.clock.now();
        // One that is asked for by its id is on whatever page it stands, in use or not.
        let named = value(&pairs, "at");
        let of_it = |held: &Held| held.strategy.id.as_str() == named;
        let (mut found, mut all) = fitting(&pages, &caller, &wanted).await?;
        let mut place = found.iter().position(of_it);
        if place.is_none() && !named.is_empty() && !wanted.archived {
            let wider = memory::Wanted { archived: true, ..wanted.clone() };
            let (more, of_all) = fitting(&pages, &caller, &wider).await?;
            if let Some(at) = more.iter().position(of_it) {
                (found, all, place, wanted) = (more, of_all, Some(at), wider);
            }
        }
        let of = found.len();
        let at = place.map_or(at, |place| place / memory::A_PAGE + 1);
        let at = at.clamp(1, of.div_ceil(memory::A_PAGE).max(1));
        let mut learned = vec![];
        for held in found.into_iter().skip((at - 1) * memory::A_PAGE).take(memory::A_PAGE) {
            let why = bank.why(&caller, &held.strategy.id, now).await.ok();
            learned.push(Learned { held, why });
        }
        let found = memory::Found { learned, at, of, all };
        Ok(page(StatusCode::OK, &memory::show(&found, &wanted)))
    };
    shown(told.await)
}

/// One strategy.
pub(super) async fn learned(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let caller = caller(&pages, request.extensions().get());
    let id = StrategyId::from(id.as_str());
    let told = async {
        let bank = &pages.api.parts.bank;
        let now = pages.api.parts.clock.now();
        let held = bank.get(&caller, &id, now).await?;
        let why = bank.why(&caller, &id, now).await.ok();
        // Signals come with an export alone. A strategy that another project shares is in none of ours.
        let all = bank.export(&caller).await?;
        let signals = all.into_iter().find(|one| one.strategy.id == id).map(|one| one.signals);
        let signals = signals.unwrap_or_default();
        Ok(page(StatusCode::OK, &strategy::show(&held, why.as_ref(), &signals)))
    };
    shown(told.await)
}
