//! Connections that stand out, and what people say of them.

use super::Api;
use super::paging::{Page, Part};
use super::problem::Problem;
use super::reply::Reply;
use super::research::run_of;
use super::table::{Call, Route};
use axum::http::Method;
use elenchus_core::id::RunId;
use elenchus_core::port::{Matter, judged, word};
use elenchus_core::synthesis::insight::{Insight, InsightFeedback};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What an insight is worth to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum InsightWord {
    /// It helped.
    Useful,
    /// It did not.
    NotUseful,
    /// It is to be kept as a note.
    Saved,
    /// What the caller said of it is taken back.
    Forget,
}

impl InsightWord {
    fn kept(self) -> Option<&'static str> {
        let kept = match self {
            Self::Useful => InsightFeedback::Useful,
            Self::NotUseful => InsightFeedback::NotUseful,
            Self::Saved => InsightFeedback::Saved,
            Self::Forget => return None,
        };
        Some(kept.name())
    }
}

/// A word on an insight.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Said {
    /// `useful`, `not-useful`, `saved` or `forget`.
    feedback: InsightWord,
    /// Why.
    #[serde(default)]
    #[schemars(length(max = 2_000))]
    note: Option<String>,
    /// The run; not needed where the address says `RUN:INSIGHT`.
    #[serde(default)]
    run_id: Option<RunId>,
}

/// What was kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Noted {
    /// The run.
    run_id: RunId,
    /// The insight with what was said of it.
    insight: Insight,
    /// What could not be done along with keeping it: later runs are not told, or are still told what was said before.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Method::GET,
            "/v1/research/{id}/insights",
            "listInsights",
            "Connections that stand out",
        )
        .query::<Part>()
        .gives::<Page<Insight>>(200, "A page of insights with what was said of them.")
        .fails(&[404])
        .by(list),
        Route::new(
            Method::POST,
            "/v1/insights/{id}/feedback",
            "judgeInsight",
            "Say what an insight is worth",
        )
        .body::<Said>()
        .gives::<Noted>(200, "It is kept.")
        .fails(&[404])
        .by(judge),
    ]
}

async fn list(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let part: Part = call.query()?;
    let run = run_of(&call);
    let record = api.runs.record(&run).await?;
    let found = record.shown(insights);
    Reply::ok(&Page::of(&judged(&api.held(&run).await?, &run, &found), &part)?)
}

/// Those of the answer, once there is one: they are in their order then.
fn insights(shown: &elenchus_core::trace::Projection) -> Vec<Insight> {
    match &shown.answer {
        Some(answer) if !answer.insights.is_empty() => answer.insights.clone(),
        _ => shown.insights.clone(),
    }
}

async fn judge(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Said { feedback, note, run_id } = call.body()?;
    let named = call.place("id");
    let (run, insight) = match (named.split_once(':'), run_id) {
        (Some((run, insight)), None) => (RunId::from(run), insight),
        (None, Some(run)) => (run, named),
        _ => {
            return Err(Problem::malformed(
                "it is not said which run has the insight",
                "write RUN:INSIGHT into the address, or `run_id` into the body",
            ));
        }
    };
    let record = api.runs.record(&run).await?;
    let found = record.shown(insights);
    let Some(found) = found.iter().find(|one| one.id.as_str() == insight) else {
        let way_out = "the list of insights of the run names them";
        return Err(Problem::unknown("unknown_insight", "insight", insight, way_out));
    };
    let note = note.unwrap_or_default();
    let warning = api.judge_insight(&call.caller, &run, insight, feedback.kept(), &note).await?;
    let held = api.held(&run).await?;
    let feedback = word(&held, &run, Matter::Insight, insight).and_then(InsightFeedback::of);
    let insight = Insight { feedback, ..found.clone() };
    Reply::ok(&Noted { run_id: run, insight, warning })
}
