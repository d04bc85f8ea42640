//! What travels through Restate: submissions, effects, observations, controls. All of it is JSON.

use crate::EngineError;
use crate::engine::admissible;
use elenchus_core::id::{EffectId, RunId, Timestamp};
use elenchus_core::inquiry::{Control, Derivations, Effect, Elsewhere, Opened, Options, Outcome};
use elenchus_core::scrutiny::challenge::Contest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A run to be done: the question, and what a worker needs to open the ground it stands on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// The run, which is the workflow's key as well.
    pub run_id: RunId,
    /// The question, without secrets.
    pub question: String,
    /// Limits and modes.
    pub options: Options,
    /// When it was asked; the run's id derives from it.
    pub at: Timestamp,
    /// The challenge that the run looks into, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
    /// What [`super::Grounds`] opens; the engine does not look into it.
    pub ground: Value,
}

impl Submission {
    /// A submission. `seed` tells apart runs of one question at one time.
    ///
    /// # Errors
    /// When the question is empty or too long.
    pub fn new(
        question: &str,
        options: Options,
        seed: u64,
        at: Timestamp,
        ground: Value,
    ) -> Result<Self, EngineError> {
        let question = admissible(question)?;
        let run_id = RunId::derive(&question, at, seed);
        Ok(Self { run_id, question, options, at, contest: None, ground })
    }
}

/// The beginning of a run, as its first step records it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Opening {
    pub(super) opened: Opened,
    /// When a worker took it up; what it may take in time counts from here.
    pub(super) at: Timestamp,
    /// Whether a bank listens to the run's end.
    pub(super) remembers: bool,
}

/// An effect to be performed, on its way to whichever worker takes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) run_id: RunId,
    pub(super) id: EffectId,
    pub(super) effect: Effect,
    pub(super) ground: Value,
    /// The model that the run began with; empty for runs of earlier versions, whose tasks must stay as they were: Restate
    /// compares what a replay sends with what was sent before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) began_with: String,
}

impl Task {
    /// An effect of a run that began with a model.
    pub(super) fn of(submission: &Submission, model: &str, id: EffectId, effect: Effect) -> Self {
        // By the revision that the run notes, not by the rules that it goes by: versions that noted none yet went by the second and
        // sent no model.
        let is_old = submission.options.derivations < Derivations::SECOND;
        let began_with = if is_old { String::new() } else { model.to_owned() };
        let (run_id, ground) = (submission.run_id.clone(), submission.ground.clone());
        Self { run_id, id, effect, ground, began_with }
    }
}

/// What came of an effect, and when that was seen. Both are recorded together: a replay knows no other clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Observed {
    pub(super) outcome: Outcome,
    pub(super) at: Timestamp,
    /// Servers elsewhere that the worker sends something to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) elsewhere: Vec<Elsewhere>,
}

/// A control, numbered from 1 in the order in which the run hears them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Given {
    pub(super) n: u64,
    pub(super) control: Control,
    pub(super) at: Timestamp,
}

/// How a workflow ended. The answer itself is in the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnd {
    /// The run.
    pub run_id: RunId,
    /// Why it stopped, as the store shows it.
    pub stop_reason: Option<String>,
    /// Why the bank was not told of it, when it should have been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unremembered: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is sent of the model that a run began with.
    fn sent(options: Options) -> Option<Value> {
        let submission = Submission::new("Why?", options, 7, Timestamp(1), Value::Null).unwrap();
        let effect = Effect::Embed { texts: Vec::new() };
        let task = Task::of(&submission, "builtin:extractive", EffectId::default(), effect);
        serde_json::to_value(&task).unwrap().get("began_with").cloned()
    }

    #[test]
    fn a_task_of_a_run_of_an_earlier_version_is_sent_as_it_was() {
        let mut old = Options { derivations: Derivations::FIRST, ..Options::default() };
        for apart in [false, true] {
            old.gaps.apart = apart;
            assert_eq!(sent(old.clone()), None, "apart: {apart}");
        }
        // Such a run goes by the second rules, and was sent without a model all the same.
        assert_eq!(old.rules(), Derivations::SECOND);
        let new = sent(Options::default().for_a_new_run());
        assert_eq!(new, Some(Value::from("builtin:extractive")));
    }
}
