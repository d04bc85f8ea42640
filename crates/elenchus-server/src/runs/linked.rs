//! Runs that came of a run: what looks into a challenge, tests an explanation, looks again for what was given up, or was forked from
//! a step.

use super::Runs;
use crate::http::problem::Problem;
use elenchus_core::id::{HypothesisId, RunId};
use elenchus_core::port::RunQuery;
use elenchus_core::trace::Projection;
use schemars::JsonSchema;
use serde::Serialize;

/// Runs of the same question that are looked at.
const LOOKED_AT: usize = 20;
/// Words of the question by which the store finds them; the whole question is compared afterwards.
const WORDS: usize = 6;

/// How a run came of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// A step was challenged.
    Challenge,
    /// An explanation is held against the evidence.
    Test,
    /// What the other one gave up is looked for in documents that came since.
    Reopen,
    /// It has its beginning from the other one.
    Fork,
}

/// A run that came of another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Linked {
    /// The run.
    pub run_id: RunId,
    /// How it came of the other one.
    pub because: Because,
    /// The step of the other run, where it came of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<u64>,
    /// The explanation of the other run that it tests, where it is one of those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypothesis: Option<HypothesisId>,
    /// How it stands.
    pub status: String,
}

impl Linked {
    /// How a run that is shown came of `parent`, if it did.
    fn of(parent: &RunId, shown: &Projection, status: &str) -> Option<Self> {
        let contest = shown.contest.as_ref().filter(|contest| contest.parent == *parent);
        let forked = shown.forked.as_ref().filter(|forked| forked.parent == *parent);
        let tested = shown.options.tested.as_ref().filter(|tested| tested.parent == *parent);
        let (because, event_id, hypothesis) = match (forked, contest, tested) {
            (Some(forked), _, _) => (Because::Fork, Some(forked.event_id), None),
            (None, Some(contest), _) => (Because::Challenge, Some(contest.event_id), None),
            (None, None, Some(tested)) => (Because::Test, None, tested.hypothesis.clone()),
            (None, None, None) => {
                shown.options.reopened.as_ref().filter(|reopened| reopened.parent == *parent)?;
                (Because::Reopen, None, None)
            }
        };
        let status = status.to_owned();
        Some(Self { run_id: shown.run_id.clone(), because, event_id, hypothesis, status })
    }

    /// What it does, in words.
    pub(crate) fn words(&self) -> String {
        let step = self.event_id.unwrap_or_default();
        match (self.because, &self.hypothesis) {
            (Because::Challenge, _) => format!("looks into a challenge to step {step}"),
            (Because::Fork, _) => format!("was forked from step {step}"),
            (Because::Reopen, _) => "looks again for what this one gave up".to_owned(),
            (Because::Test, Some(id)) => format!("tests {id} again"),
            (Because::Test, None) => "tests an explanation that a person worded".to_owned(),
        }
    }
}

impl Runs {
    /// The runs that came of a run, the newest first. They ask what it asked, by which they are found.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn linked(&self, run: &RunId) -> Result<Vec<Linked>, Problem> {
        let question = self.record(run).await?.shown(|shown| shown.question.clone());
        // Before its first event it has no question, and nothing can have come of it.
        if question.is_empty() {
            return Ok(Vec::new());
        }
        let words = question
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .take(WORDS)
            .map(str::to_owned)
            .collect();
        let query = RunQuery { words, limit: LOOKED_AT, ..self.asked_now() };
        let (lines, _) = self.page(query).await?;
        let mut found = Vec::new();
        for line in lines.iter().filter(|line| line.question == question && line.run_id != *run) {
            // One that was deleted meanwhile is not missed.
            let Ok(record) = self.record(&line.run_id).await else { continue };
            found.extend(record.shown(|shown| Linked::of(run, shown, &line.status)));
        }
        Ok(found)
    }
}
