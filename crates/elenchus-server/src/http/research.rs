//! Runs: starting, listing, looking at one, deleting.

use super::Api;
use super::paging::{Page, bad_cursor, limit};
use super::problem::Problem;
use super::reply::Reply;
use super::table::{Call, Route};
use crate::runs::{Ask, Linked, RunLine};
use axum::http::header::LOCATION;
use axum::http::{Method, StatusCode};
use elenchus_core::bank::Caller;
use elenchus_core::id::{RunId, Timestamp, short_hash};
use elenchus_core::inquiry::{Forked, Options, Spent};
use elenchus_core::port::{CorpusOverview, RunQuery};
use elenchus_core::prompt::{ClarifyingQuestion, Complexity};
use elenchus_core::scrutiny::challenge::Contest;
use elenchus_core::trace::{ControlShown, Projection, QuestionShown, RoundShown, Scoring};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The longest key of a request.
const LONGEST_KEY: usize = 200;

/// Where the parts of a run are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Links {
    /// The run itself.
    #[serde(rename = "self")]
    pub own: String,
    /// Its events as a stream.
    pub events: String,
    /// Where it is steered.
    pub control: String,
    /// Its answer, once there is one.
    pub answer: String,
    /// Its report to keep.
    pub export: String,
}

impl Links {
    /// Of a run.
    pub fn of(run: &RunId) -> Self {
        let own = format!("/v1/research/{run}");
        Self {
            events: format!("{own}/events"),
            control: format!("{own}/control"),
            answer: format!("{own}/answer"),
            export: format!("{own}/export"),
            own,
        }
    }
}

/// A run that has begun, or begins.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Started {
    /// The run.
    pub run_id: RunId,
    /// The run that it looks into or was forked from, if it does or was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<RunId>,
    /// How it stands.
    pub status: String,
    /// Where its parts are.
    pub links: Links,
}

impl Started {
    /// Of a run.
    pub fn new(run: RunId, of: Option<RunId>) -> Self {
        Self { links: Links::of(&run), run_id: run, of, status: "running".to_owned() }
    }

    /// The reply under 202.
    pub(crate) fn reply(&self) -> Result<Reply, Problem> {
        self.under(StatusCode::ACCEPTED)
    }

    /// The reply under a status.
    pub(crate) fn under(&self, status: StatusCode) -> Result<Reply, Problem> {
        Ok(Reply::json(status, self)?.with(LOCATION, &self.links.own))
    }
}

/// How long the lists of a run are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Statements of the answer.
    pub claims: usize,
    /// Gaps, open or settled.
    pub gaps: usize,
    /// Gaps that are open.
    pub open_gaps: usize,
    /// Explanations.
    pub hypotheses: usize,
    /// Connections that stand out.
    pub insights: usize,
    /// Documents read.
    pub sources: usize,
    /// Disagreements of sources.
    pub contradictions: usize,
    /// Lenses looked through.
    pub lenses: usize,
    /// Steps of the reasoning.
    pub steps: usize,
    /// Quotes that held.
    pub facts: u32,
    /// Quotes that did not.
    pub facts_rejected: u32,
}

/// A run without its long lists, which have addresses of their own.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Overview {
    /// How it stands.
    #[serde(flatten)]
    pub line: RunLine,
    /// What thinks.
    pub model: String,
    /// What it may use.
    pub options: Box<Options>,
    /// What it may search.
    pub corpus: CorpusOverview,
    /// The challenge to an earlier run that it looks into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<Box<Contest>>,
    /// The run whose beginning it has, when it was forked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked: Option<Box<Forked>>,
    /// Runs that came of it, the newest first: what looks into a challenge, tests an explanation, or was forked from a step.
    pub linked: Vec<Linked>,
    /// What it has asked back and waits to hear.
    pub asked_back: Vec<ClarifyingQuestion>,
    /// The planned questions.
    pub questions: Vec<QuestionShown>,
    /// How big the task looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Rounds allowed; 0 before the plan.
    pub max_rounds: u8,
    /// The rounds.
    pub rounds: Vec<RoundShown>,
    /// What people told it.
    pub controls: Vec<ControlShown>,
    /// How the checking of the answer stands.
    pub scoring: Scoring,
    /// What was spent.
    pub spent: Spent,
    /// How long its lists are.
    pub counts: Counts,
    /// The short answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conclusion: Option<String>,
    /// Where its parts are.
    pub links: Links,
}

impl Overview {
    /// Of a run as it is shown, with the runs that came of it.
    pub fn new(line: RunLine, shown: &Projection, linked: Vec<Linked>) -> Self {
        let answer = shown.answer.as_deref();
        Self {
            links: Links::of(&line.run_id),
            line,
            model: shown.model.clone(),
            options: shown.options.clone(),
            corpus: shown.corpus.clone(),
            contest: shown.contest.clone(),
            forked: shown.forked.clone(),
            linked,
            asked_back: shown.asked_back.clone(),
            questions: shown.questions.clone(),
            complexity: shown.complexity,
            max_rounds: shown.max_rounds,
            rounds: shown.rounds.clone(),
            controls: shown.controls.clone(),
            scoring: shown.scoring.clone(),
            spent: shown.spent,
            counts: Counts {
                claims: answer.map_or(0, |answer| answer.claims.len()),
                gaps: shown.gaps.len(),
                open_gaps: shown.open_gaps(),
                hypotheses: shown.hypotheses.len(),
                insights: shown.insights.len(),
                sources: shown.sources.len(),
                contradictions: shown.contradictions.len(),
                lenses: shown.lenses.len(),
                steps: shown.steps.len(),
                facts: shown.facts.0,
                facts_rejected: shown.facts.1,
            },
            conclusion: answer.map(|answer| answer.conclusion.clone()),
        }
    }
}

/// Which runs.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
struct Listing {
    /// Where the last page ended: its `next_cursor`.
    #[serde(default)]
    cursor: Option<String>,
    /// Items of a page, 50 without a word.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// Words that the question must have, in any order.
    #[serde(default)]
    q: Option<String>,
    /// Only runs that stand so.
    #[serde(default)]
    status: Option<Status>,
}

/// How a run stands, as a filter.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// Under way.
    Running,
    /// It asked something back.
    Waiting,
    /// Somebody paused it.
    Paused,
    /// Nobody drives it.
    Stopped,
    /// It came to its end.
    Finished,
    /// Somebody ended it.
    Interrupted,
    /// It could not go on.
    Failed,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/v1/research", "startResearch", "Start a run")
            .body::<Ask>()
            .reads("Idempotency-Key", "The same key with the same request starts one run.")
            .gives::<Started>(202, "The run has an id and begins.")
            .fails(&[409])
            .by(start),
        Route::new(Method::GET, "/v1/research", "listResearch", "List runs, the newest first")
            .query::<Listing>()
            .gives::<Page<RunLine>>(200, "A page of runs.")
            .by(list),
        Route::new(Method::GET, "/v1/research/{id}", "getResearch", "Look at a run")
            .gives::<Overview>(200, "The run without its long lists.")
            .fails(&[404])
            .by(look),
        Route::new(Method::DELETE, "/v1/research/{id}", "deleteResearch", "Delete a run")
            .gives::<Deleted>(200, "It is gone.")
            .fails(&[404, 409])
            .by(delete),
    ]
}

/// The id of a run from the path.
pub(super) fn run_of(call: &Call) -> RunId {
    RunId(call.place("id").to_owned())
}

async fn start(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let mut ask: Ask = call.body()?;
    ask.autonomous.get_or_insert(false);
    let Some(key) = call.headers.get("idempotency-key") else {
        return Started::new(api.runs.start(&ask).await?, None).reply();
    };
    let key = key.to_str().ok().filter(|key| !key.is_empty() && key.len() <= LONGEST_KEY);
    let Some(key) = key else {
        return Err(Problem::malformed(
            format!("Idempotency-Key is empty, longer than {LONGEST_KEY} characters or not ASCII"),
            "send a short one, such as a UUID",
        ));
    };
    // Nobody's key is another's. Of the server's own caller it is as it was when there was no other, for a request that is sent
    // again to a later version.
    let Caller { tenant, project, actor, .. } = &call.caller;
    let key = if *actor == api.caller.actor {
        format!("{tenant}\0{project}\0{key}")
    } else {
        format!("{tenant}\0{project}\0{actor}\0{key}")
    };
    let key = short_hash(key.as_bytes(), 64);
    let body = short_hash(&serde_json::to_vec(&ask).unwrap_or_default(), 64);
    let (run, is_new) = api.runs.start_once(&ask, &key, &body).await?;
    let mut started = Started::new(run, None);
    if !is_new && let Ok(line) = api.runs.line(&started.run_id).await {
        started.status = line.status;
    }
    started.reply()
}

async fn list(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let listing: Listing = call.query()?;
    let limit = limit(listing.limit)?;
    let after = listing.cursor.as_deref().map(|cursor| place(cursor).ok_or_else(bad_cursor));
    let words = listing.q.iter().flat_map(|q| q.split_whitespace()).map(str::to_owned).collect();
    let query = RunQuery {
        status: listing.status.map(|status| status.name().to_owned()),
        words,
        after: after.transpose()?,
        // One more than the page has tells that there is another.
        limit: limit + 1,
        ..api.runs.asked_now()
    };
    let (mut lines, total) = api.runs.page(query).await?;
    let more = lines.len() > limit;
    lines.truncate(limit);
    let next_cursor =
        lines.last().filter(|_| more).map(|last| format!("r{}.{}", last.started_at.0, last.run_id));
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    Reply::ok(&Page { items: lines, total, next_cursor })
}

/// The place that a cursor names.
fn place(cursor: &str) -> Option<(Timestamp, RunId)> {
    let (at, run) = cursor.strip_prefix('r')?.split_once('.')?;
    Some((Timestamp(at.parse().ok()?), RunId::from(run)))
}

async fn look(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let run = run_of(&call);
    let line = api.runs.line(&run).await?;
    let record = api.runs.record(&run).await?;
    // What came of a run is looked for among all of the same question: not at every poll.
    let is_over = record.shown(Projection::is_over);
    let linked = if is_over { api.runs.linked(&run).await? } else { Vec::new() };
    Reply::ok(&record.shown(|shown| Overview::new(line, shown, linked)))
}

/// A run that is gone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Deleted {
    /// Which.
    deleted: RunId,
}

async fn delete(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let run = run_of(&call);
    api.runs.delete(&run).await?;
    Reply::ok(&Deleted { deleted: run })
}
