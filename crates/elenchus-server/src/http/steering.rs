//! Steering a run: controls, answers to what it asked back, challenges, tests, forks, resuming.

use super::Api;
use super::problem::Problem;
use super::reply::Reply;
use super::research::{Started, run_of};
use super::table::{Call, Route};
use crate::runs::RunLine;
use axum::http::{Method, StatusCode};
use elenchus_core::bank::Caller;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{ClarifyingAnswer, Control, NewLimits};
use elenchus_core::port::{LOCAL, speaker};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// The longest control as JSON: it is journaled and may be put into prompts.
const LONGEST: usize = 64 << 10;

/// Answers to what a run asked back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Clarifying {
    /// In any order; questions without an answer are skipped. None to go on without answering.
    #[serde(default)]
    #[schemars(length(max = 20))]
    answers: Vec<ClarifyingAnswer>,
}

/// A doubt.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Challenge {
    /// The number of the event that is doubted.
    #[schemars(range(min = 1))]
    event_id: u64,
    /// What is doubted, best as a question that the documents could answer.
    #[schemars(length(min = 1, max = 1_000))]
    text: String,
}

/// Where a run is forked, and what for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForkAsk {
    /// The number of the event up to which the new run is like this one; what came together with it is in both.
    #[schemars(range(min = 1))]
    at: u64,
    /// What the new run is to look for too.
    #[serde(default)]
    #[schemars(length(min = 1, max = 8_000))]
    focus: Option<String>,
}

/// Which run has the hypothesis.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TestAsk {
    /// The run; not needed where the address says `RUN:HYPOTHESIS`.
    #[serde(default)]
    run_id: Option<RunId>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/v1/research/{id}/control", "controlResearch", "Steer a run")
            .body::<Control>()
            .gives::<RunLine>(200, "The control is durable; how the run stands.")
            .fails(&[404, 409])
            .by(control),
        Route::new(
            Method::POST,
            "/v1/research/{id}/clarify",
            "clarifyResearch",
            "Answer what a run asked back",
        )
        .body::<Clarifying>()
        .gives::<RunLine>(200, "The answers are durable; how the run stands.")
        .fails(&[404, 409])
        .by(clarify),
        Route::new(
            Method::POST,
            "/v1/research/{id}/challenge",
            "challengeResearch",
            "Doubt a step of a run",
        )
        .body::<Challenge>()
        .gives::<RunLine>(200, "The run is under way and will answer.")
        .gives::<Started>(202, "The run is over: another one looks into it.")
        .fails(&[404, 409])
        .by(challenge),
        Route::new(
            Method::POST,
            "/v1/research/{id}/resume",
            "resumeResearch",
            "Go on with a run that stopped",
        )
        .gives::<Started>(202, "It goes on.")
        .fails(&[404, 409])
        .by(resume),
        Route::new(
            Method::POST,
            "/v1/research/{id}/more",
            "moreResearch",
            "Set the limits of a run, however it stands",
        )
        .body::<NewLimits>()
        .gives::<RunLine>(200, "The run is not over: it goes by them; how it stands.")
        .gives::<Started>(202, "A limit had ended it: another run goes on from there.")
        .fails(&[404, 409])
        .by(more),
        Route::new(
            Method::POST,
            "/v1/research/{id}/fork",
            "forkResearch",
            "Go back to a step of a run, and on from there in another one",
        )
        .body::<ForkAsk>()
        .gives::<Started>(201, "The run that goes on from there.")
        .fails(&[404, 409])
        .by(fork),
        Route::new(
            Method::POST,
            "/v1/hypotheses/{id}/test",
            "testHypothesis",
            "Have another run hold an explanation against the evidence",
        )
        .body::<TestAsk>()
        .gives::<Started>(202, "The run that tests it.")
        .fails(&[404, 409])
        .by(test),
    ]
}

async fn control(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let control: Control = call.body()?;
    if call.raw().len() > LONGEST {
        return Err(Problem::malformed(
            format!("the control has {} bytes", call.raw().len()),
            format!("shorten it to at most {LONGEST}"),
        ));
    }
    let run = run_of(&call);
    match control {
        Control::SetBudget(limits) => {
            api.runs.control(&run, Control::SetBudget(signed(limits, &call.caller))).await?;
        }
        Control::Challenge { event_id, text } => {
            if let Some(child) = api.runs.challenge(&run, event_id, &text).await? {
                return Started::new(child.run, Some(child.of)).reply();
            }
        }
        control => api.runs.control(&run, control).await?,
    }
    Reply::ok(&api.runs.line(&run).await?)
}

async fn clarify(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Clarifying { answers } = call.body()?;
    let run = run_of(&call);
    let record = api.runs.record(&run).await?;
    if record.shown(|shown| shown.asked_back.is_empty() && !shown.is_over()) {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "nothing_asked",
            format!("could not answer run {run}"),
            "it has asked nothing back",
            "look at `asked_back` of the run; it may have gone on already",
        ));
    }
    let control = if answers.is_empty() {
        Control::SkipClarification
    } else {
        Control::Clarified { answers }
    };
    api.runs.control(&run, control).await?;
    Reply::ok(&api.runs.line(&run).await?)
}

async fn challenge(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Challenge { event_id, text } = call.body()?;
    let run = run_of(&call);
    match api.runs.challenge(&run, event_id, &text).await? {
        Some(child) => Started::new(child.run, Some(child.of)).reply(),
        None => Reply::ok(&api.runs.line(&run).await?),
    }
}

async fn resume(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let run = run_of(&call);
    api.runs.resume(&run).await?;
    Started::new(run, None).reply()
}

async fn more(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let limits = signed(call.body()?, &call.caller);
    let run = run_of(&call);
    match api.runs.more(&run, limits).await? {
        Some(child) => Started::new(child.run, Some(child.of)).reply(),
        None => Reply::ok(&api.runs.line(&run).await?),
    }
}

/// Limits with the name of whoever sets them, whatever they say themselves. The one user of a machine needs none.
pub(crate) fn signed(limits: NewLimits, caller: &Caller) -> NewLimits {
    let by = Some(speaker(caller)).filter(|who| *who != LOCAL).unwrap_or_default();
    NewLimits { by: by.to_owned(), ..limits }
}

async fn fork(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let ForkAsk { at, focus } = call.body()?;
    let child = api.runs.fork(&run_of(&call), at, focus.as_deref()).await?;
    Started::new(child.run, Some(child.of)).under(StatusCode::CREATED)
}

async fn test(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let TestAsk { run_id } = call.body()?;
    let named = call.place("id");
    let (run, hypothesis) = match (named.split_once(':'), run_id) {
        (Some((run, hypothesis)), None) => (RunId::from(run), hypothesis),
        (Some((run, hypothesis)), Some(also)) if also.as_str() == run => (also, hypothesis),
        (None, Some(run)) => (run, named),
        _ => {
            return Err(Problem::malformed(
                "it is not said which run has the hypothesis",
                "write RUN:HYPOTHESIS into the address, or `run_id` into the body",
            ));
        }
    };
    let child = api.runs.test(&run, hypothesis).await?;
    Started::new(child.run, Some(child.of)).reply()
}
