//! What people say of what runs found, and what they took out: kept beside the runs in the store, so that every server of a
//! store tells the same.

use super::Api;
use super::problem::Problem;
use super::reply::Reply;
use super::research::run_of;
use super::table::{Call, Route};
use crate::mcp::ports::Refusal;
use axum::http::Method;
use elenchus_core::answer::Answer;
use elenchus_core::bank::Caller;
use elenchus_core::id::{ClaimId, RunId};
use elenchus_core::port::{Matter, RIGHT, Remark, WRONG, holding, speaker, word};
use elenchus_engine::{keep_note, keep_remark, unled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What was said before there was a place for it in the store.
pub trait Opinions: Send + Sync {
    /// All of it, of any run.
    ///
    /// # Errors
    /// When what is kept cannot be read.
    fn before(&self) -> Result<Vec<Remark>, Refusal>;
}

/// What a statement turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClaimWord {
    /// It holds. Later figures learn from it.
    Right,
    /// It does not.
    Wrong,
    /// What the caller said of it is taken back.
    Forget,
}

impl ClaimWord {
    /// The word of a form.
    pub(crate) fn of(text: &str) -> Option<Self> {
        match text {
            RIGHT => Some(Self::Right),
            WRONG => Some(Self::Wrong),
            "forget" => Some(Self::Forget),
            _ => None,
        }
    }

    fn kept(self) -> Option<&'static str> {
        match self {
            Self::Right => Some(RIGHT),
            Self::Wrong => Some(WRONG),
            Self::Forget => None,
        }
    }
}

/// A word on a statement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaidOfClaim {
    /// `right`, `wrong` or `forget`.
    feedback: ClaimWord,
    /// Why.
    #[serde(default)]
    #[schemars(length(max = 2_000))]
    note: Option<String>,
}

/// What holds of a statement now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ClaimNoted {
    /// The run.
    run_id: RunId,
    /// The statement.
    claim_id: ClaimId,
    /// The last word on it, by whomever; absent where nobody says anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<String>,
    /// What could not be done along with keeping it: later runs are not told, or are still told what was said before.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Method::POST,
            "/v1/research/{id}/claims/{claim}/feedback",
            "judgeClaim",
            "Say whether a statement of the answer turned out right",
        )
        .body::<SaidOfClaim>()
        .gives::<ClaimNoted>(200, "It is kept.")
        .fails(&[404])
        .by(judge),
    ]
}

async fn judge(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let SaidOfClaim { feedback, note } = call.body()?;
    let run = run_of(&call);
    let claim = ClaimId::from(call.place("claim"));
    let note = note.unwrap_or_default();
    let warning = api.judge_claim(&call.caller, &run, &claim, feedback, &note).await?;
    let held = api.held(&run).await?;
    let feedback = word(&held, &run, Matter::Claim, claim.as_str()).map(str::to_owned);
    Reply::ok(&ClaimNoted { run_id: run, claim_id: claim, feedback, warning })
}

impl Api {
    /// What holds of all that was said of a run.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) async fn held(&self, run: &RunId) -> Result<Vec<Remark>, Problem> {
        let kept = self.runs.store().remarks(Some(run)).await?;
        let mut said = self.opinions.before()?;
        said.retain(|one| one.run_id == *run);
        Ok(holding(said.into_iter().chain(kept)))
    }

    /// What holds of all that was said of any run, in the order of time.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) async fn said(&self) -> Result<Vec<Remark>, Problem> {
        let kept = self.runs.store().remarks(None).await?;
        Ok(holding(self.opinions.before()?.into_iter().chain(kept)))
    }

    /// A remark of a caller, now.
    pub(crate) fn remark(
        &self,
        caller: &Caller,
        run: &RunId,
        about: Matter,
        target: &str,
        said: Option<&str>,
    ) -> Remark {
        Remark::new(run, about, target, speaker(caller), said, self.parts.clock.now())
    }

    /// Keeps a remark that leads nobody.
    ///
    /// # Errors
    /// When there is no such run, or it cannot be kept.
    pub(crate) async fn say(&self, remark: &Remark) -> Result<(), Problem> {
        Ok(self.runs.store().remark(remark).await?)
    }

    /// Keeps what a caller says of a statement, with the figure that later ones learn from. What is to be told about the lead
    /// that it leaves, where that failed.
    ///
    /// # Errors
    /// When there is no such statement, or it cannot be kept.
    pub(crate) async fn judge_claim(
        &self,
        caller: &Caller,
        run: &RunId,
        claim: &ClaimId,
        said: ClaimWord,
        note: &str,
    ) -> Result<Option<String>, Problem> {
        let record = self.runs.record(run).await?;
        let answer = record.shown(|shown| shown.answer.clone());
        let has = |answer: &Answer| answer.claims.iter().any(|one| one.id == *claim);
        let Some(answer) = answer.filter(|answer| has(answer)) else {
            let way_out = "the answer of the run names its statements";
            return Err(Problem::unknown("unknown_claim", "claim", claim.as_str(), way_out));
        };
        let remark = self.remark(caller, run, Matter::Claim, claim.as_str(), said.kept());
        self.keep(caller, remark.noting(note), Some(answer.as_ref())).await
    }

    /// Keeps what a caller says of an insight. What is to be told about the lead that it leaves, where that failed.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub(crate) async fn judge_insight(
        &self,
        caller: &Caller,
        run: &RunId,
        insight: &str,
        said: Option<&str>,
        note: &str,
    ) -> Result<Option<String>, Problem> {
        let remark = self.remark(caller, run, Matter::Insight, insight, said).noting(note);
        let answer = self.runs.record(run).await?.shown(|shown| shown.answer.clone());
        self.keep(caller, remark, answer.as_deref()).await
    }

    /// Keeps a remark, and what was said as a lead for later runs, or takes that out. The word itself is in the store, and
    /// holds whether or not the lead succeeds: that it did not is told.
    async fn keep(
        &self,
        caller: &Caller,
        remark: Remark,
        answer: Option<&Answer>,
    ) -> Result<Option<String>, Problem> {
        let remark = keep_remark(&**self.runs.store(), remark, answer).await?;
        let Some(notes) = &self.notes else { return Ok(None) };
        let led = keep_note(&**notes, caller, &remark, answer).await;
        Ok(led.err().map(|failure| format!("{}: {failure}", unled(&remark))))
    }
}
