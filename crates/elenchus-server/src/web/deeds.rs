//! What the forms of the pages do. Each ends at a page again, so that everything works without a script.

use super::ask;
use super::doors::{Pages, Shown, caller, offers, page, query, shown, to, value};
use super::form::{Pairs, asked, limits, lines};
use super::memory::narrowed;
use super::strategy::scope_of;
use super::words::encoded;
use super::wrong::sentence;
use crate::http::problem::Problem;
use crate::http::{ClaimWord, signed};
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use elenchus_core::bank::{Caller, SignalKind, Standing};
use elenchus_core::id::{ClaimId, RunId, StrategyId};
use elenchus_core::inquiry::{ClarifyingAnswer, Control, NewSources};
use elenchus_core::port::{Edit, SignalGiven};
use elenchus_core::synthesis::insight::InsightFeedback;

fn form(body: &Bytes) -> Pairs {
    std::str::from_utf8(body).map(|text| query(Some(text))).unwrap_or_default()
}

/// Back to the part of a run that the form stood on.
fn back(run: &str, pairs: &Pairs) -> Response {
    let query = value(pairs, "back");
    let plain =
        query.starts_with('?') && query.len() < 600 && query.bytes().all(|b| b.is_ascii_graphic());
    to(&format!("/research/{}{}", encoded(run), if plain { query } else { "" }))
}

pub(super) async fn start(State(pages): State<Pages>, body: Bytes) -> Response {
    let pairs = form(&body);
    let has_folder = !pages.runs().grounds().corpora().is_empty();
    let (asked, wrong) = asked(&pairs, has_folder);
    let started = match wrong {
        Some(problem) => Err(problem),
        None => pages.runs().start(&asked).await,
    };
    match started {
        Ok(run) => to(&format!("/research/{}", encoded(run.as_str()))),
        Err(problem) => {
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::BAD_REQUEST);
            let (attempted, way_out) = (sentence(&problem.title), sentence(&problem.way_out));
            let trouble = format!("{attempted}: {}. {way_out}.", problem.cause);
            let limits = ask::LIMITS.map(|limit| value(&pairs, limit.name));
            let refused = ask::Refused { trouble: &trouble, limits };
            page(status, &ask::show(&offers(&pages).await, &asked, Some(refused)))
        }
    }
}

pub(super) async fn control(
    State(pages): State<Pages>,
    who: Option<Extension<Caller>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let run = RunId::from(id.as_str());
    if value(&pairs, "control") == "set_budget" {
        let caller = caller(&pages, who.as_ref().map(|Extension(caller)| caller));
        let told: Shown = async {
            let limits = signed(limits(&pairs)?, &caller);
            Ok(match pages.runs().more(&run, limits).await? {
                Some(child) => to(&format!("/research/{}", encoded(child.run.as_str()))),
                None => back(&id, &pairs),
            })
        }
        .await;
        return shown(told);
    }
    let told: Result<(), Problem> = async {
        let control = match value(&pairs, "control") {
            "pause" => Control::Pause,
            "finish_now" => Control::FinishNow,
            "interrupt" => Control::Interrupt,
            "resume" => {
                // One that nobody drives has to be taken up again first.
                let line = pages.runs().line(&run).await?;
                if !line.is_under_way() && !line.is_over() {
                    return pages.runs().resume(&run).await;
                }
                Control::Resume
            }
            "drop_hypothesis" => Control::DropHypothesis {
                id: value(&pairs, "id").into(),
                reason: value(&pairs, "reason").to_owned(),
            },
            "redirect" => Control::Redirect {
                focus: Some(value(&pairs, "focus").to_owned()).filter(|focus| !focus.is_empty()),
                exclude: lines(value(&pairs, "exclude")),
                only: lines(value(&pairs, "only")),
            },
            "add_sources" => Control::AddSources(NewSources {
                documents: lines(value(&pairs, "documents")),
                pages: lines(value(&pairs, "pages")),
            }),
            _ => {
                return Err(Problem::malformed(
                    "the form names no control",
                    "use the buttons of the page",
                ));
            }
        };
        pages.runs().control(&run, control).await
    }
    .await;
    shown(told.map(|()| back(&id, &pairs)))
}

/// Gives a control, and goes back to the page.
async fn obeyed(pages: &Pages, id: &str, pairs: &Pairs, control: Control) -> Response {
    shown(pages.runs().control(&RunId::from(id), control).await.map(|()| back(id, pairs)))
}

pub(super) async fn plan(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let control = Control::EditPlan { questions: lines(value(&pairs, "questions")) };
    obeyed(&pages, &id, &pairs, control).await
}

pub(super) async fn clarify(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let answers: Vec<ClarifyingAnswer> = (1..=20)
        .filter_map(|question: u32| {
            let text = value(&pairs, &format!("text{question}"));
            let choice = value(&pairs, &format!("choice{question}")).parse().ok();
            let text = (!text.is_empty()).then(|| text.to_owned());
            (text.is_some() || choice.is_some()).then_some(ClarifyingAnswer {
                question,
                choice,
                text,
            })
        })
        .collect();
    let control = if answers.is_empty() || value(&pairs, "do") == "skip" {
        Control::SkipClarification
    } else {
        Control::Clarified { answers }
    };
    obeyed(&pages, &id, &pairs, control).await
}

pub(super) async fn challenge(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let run = RunId::from(id.as_str());
    let told: Shown = async {
        let event = value(&pairs, "event_id").parse().map_err(|_| {
            Problem::malformed("the form names no step", "use the button beside the step")
        })?;
        Ok(match pages.runs().challenge(&run, event, value(&pairs, "text")).await? {
            Some(child) => to(&format!("/research/{}", encoded(child.run.as_str()))),
            None => back(&id, &pairs),
        })
    }
    .await;
    shown(told)
}

pub(super) async fn fork(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let told: Shown = async {
        let at = value(&pairs, "at").parse().map_err(|_| {
            Problem::malformed("the form names no step", "use the button beside the step")
        })?;
        let focus = Some(value(&pairs, "focus")).filter(|focus| !focus.is_empty());
        let child = pages.runs().fork(&RunId::from(id.as_str()), at, focus).await?;
        Ok(to(&format!("/research/{}", encoded(child.run.as_str()))))
    }
    .await;
    shown(told)
}

pub(super) async fn test(
    State(pages): State<Pages>,
    Path((id, hypothesis)): Path<(String, String)>,
) -> Response {
    let child = pages.runs().test(&RunId::from(id.as_str()), &hypothesis).await;
    shown(
        child
            .map(|child| to(&format!("/research/{}?view=hypotheses", encoded(child.run.as_str())))),
    )
}

pub(super) async fn test_own(
    State(pages): State<Pages>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let child = pages.runs().test_own(&RunId::from(id.as_str()), value(&pairs, "claim")).await;
    shown(
        child
            .map(|child| to(&format!("/research/{}?view=hypotheses", encoded(child.run.as_str())))),
    )
}

pub(super) async fn feedback(
    State(pages): State<Pages>,
    who: Option<Extension<Caller>>,
    Path((id, insight)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let run = RunId::from(id.as_str());
    let told: Shown = async {
        let word = value(&pairs, "feedback");
        let said = InsightFeedback::of(word).map(InsightFeedback::name);
        if said.is_none() && word != "forget" {
            return Err(Problem::malformed(
                "the form says nothing of the insight",
                "use the buttons beside it",
            ));
        }
        let known = pages
            .see(&run, |sight| sight.shown.insights.iter().any(|one| one.id.as_str() == insight))
            .await?;
        if !known {
            return Err(Problem::unknown(
                "unknown_insight",
                "insight",
                &insight,
                "the feed of the run lists its insights",
            ));
        }
        let caller = caller(&pages, who.as_ref().map(|Extension(caller)| caller));
        let note = value(&pairs, "note");
        told_of(pages.api.judge_insight(&caller, &run, &insight, said, note).await?)?;
        Ok(back(&id, &pairs))
    }
    .await;
    shown(told)
}

/// A word that was kept while what later runs are told of it was not is told as what it is: half done.
fn told_of(warning: Option<String>) -> Result<(), Problem> {
    let Some(cause) = warning else { return Ok(()) };
    Err(Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "lead_not_kept",
        "could not do all of it",
        cause,
        "go back to the run; saying the same again tries it again",
    ))
}

pub(super) async fn judge(
    State(pages): State<Pages>,
    who: Option<Extension<Caller>>,
    Path((id, claim)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let caller = caller(&pages, who.as_ref().map(|Extension(caller)| caller));
    let told: Shown = async {
        let said = ClaimWord::of(value(&pairs, "feedback")).ok_or_else(|| {
            Problem::malformed(
                "the form says nothing of the statement",
                "use the buttons beside it",
            )
        })?;
        let (run, claim) = (RunId::from(id.as_str()), ClaimId::from(claim.as_str()));
        let note = value(&pairs, "note");
        told_of(pages.api.judge_claim(&caller, &run, &claim, said, note).await?)?;
        Ok(back(&id, &pairs))
    }
    .await;
    shown(told)
}

pub(super) async fn remember(
    State(pages): State<Pages>,
    who: Option<Extension<Caller>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let pairs = form(&body);
    let caller = caller(&pages, who.as_ref().map(|Extension(caller)| caller));
    let strategy = StrategyId::from(id.as_str());
    let told: Shown = async {
        let now = pages.api.parts.clock.now();
        let bank = &pages.api.parts.bank;
        // The list on which the buttons stood, and its page.
        let list = narrowed(value(&pairs, "q"), value(&pairs, "archived") == "yes");
        let on = value(&pairs, "page").parse::<u32>().unwrap_or(1);
        let standing = |standing| Edit { standing: Some(standing), ..Edit::default() };
        match value(&pairs, "do") {
            "archive" => {
                let reason = "taken out of use by a person".to_owned();
                bank.edit(
                    &caller,
                    &strategy,
                    &standing(Standing::Archived { at: now, reason }),
                    now,
                )
                .await?;
                return Ok(to(&format!("/memory?undo={}{list}&page={on}", encoded(&id))));
            }
            "restore" => {
                bank.edit(&caller, &strategy, &standing(Standing::Active), now).await?;
            }
            word @ ("helpful" | "unhelpful") => {
                let given = SignalGiven {
                    memory_id: strategy.clone(),
                    kind: SignalKind::Explicit,
                    positive: word == "helpful",
                    session_id: String::new(),
                    search_id: None,
                    comment: None,
                    share: 1.0,
                };
                bank.signal(&caller, &given, now).await?;
                if value(&pairs, "back") != "one" {
                    return Ok(to(&format!("/memory?voted={0}{list}&at={0}#{0}", encoded(&id))));
                }
            }
            "unvote" => {
                bank.unvote(&caller, &strategy, now).await?;
            }
            "edit" => {
                bank.edit(&caller, &strategy, &edited(&pairs)?, now).await?;
                return Ok(to(&format!("/memory/{}", encoded(&id))));
            }
            "delete" if value(&pairs, "sure") == "yes" => {
                bank.delete(&caller, &strategy).await?;
                return Ok(to("/memory"));
            }
            "delete" => {
                return Err(Problem::malformed(
                    "it was not confirmed that the strategy is to be deleted",
                    "mark the box beside the button",
                ));
            }
            _ => {
                return Err(Problem::malformed(
                    "the form says nothing of the strategy",
                    "use the buttons beside it",
                ));
            }
        }
        Ok(if value(&pairs, "back") == "one" {
            to(&format!("/memory/{}", encoded(&id)))
        } else {
            to(&format!("/memory?at={0}{list}#{0}", encoded(&id)))
        })
    }
    .await;
    shown(told)
}

/// What the form of a strategy says. Every part stands in it.
fn edited(pairs: &Pairs) -> Result<Edit, Problem> {
    let scope = scope_of(value(pairs, "scope")).ok_or_else(|| {
        Problem::malformed(
            "the form does not say who sees the strategy",
            "use the form of the page",
        )
    })?;
    let text = |name: &str| Some(value(pairs, name).replace("\r\n", "\n"));
    let tags = value(pairs, "tags").split(',').map(str::trim).filter(|tag| !tag.is_empty());
    Ok(Edit {
        title: text("title"),
        description: text("description"),
        content: text("content"),
        tags: Some(tags.map(str::to_owned).collect()),
        scope: Some(scope),
        standing: None,
    })
}
