//! One file a step: what it asks for, and what it makes of the outcomes.

mod aftermath;
pub(crate) mod analyze;
pub(crate) mod clarify;
pub(crate) mod contrast;
mod counter;
pub(crate) mod critique;
mod disagree;
pub(crate) mod draft;
pub(crate) mod edit_plan;
mod fallacies;
mod field;
pub(crate) mod follow_up;
pub(crate) mod hypothesize;
pub(crate) mod insight;
mod leads;
pub(crate) mod lenses;
pub(crate) mod limit;
pub(crate) mod named;
pub(crate) mod plan;
mod pursue;
pub(crate) mod read;
mod recall;
pub(crate) mod reflect;
pub(crate) mod revise;
pub(crate) mod search;
mod single_step;
mod tie;
mod trial;
pub(crate) mod verify;
mod witnesses;

use super::state::{Phase, Settled, State};
use super::{FailureKind, Outcome};
use crate::id::EffectId;
use crate::prompt::ModelReply;

/// The reply of a settled model call, or the error to report.
pub(crate) fn reply(settled: Settled) -> Result<ModelReply, String> {
    match settled.outcome {
        Outcome::Replied { reply, .. } => Ok(*reply),
        Outcome::Failed { kind, error, .. } => Err(match kind {
            FailureKind::Deadline => format!("{error} (deadline passed)"),
            FailureKind::Exhausted | FailureKind::Permanent => error,
        }),
        Outcome::Embedded { .. }
        | Outcome::Found(_)
        | Outcome::Passages { .. }
        | Outcome::Verified { .. }
        | Outcome::Contradicting { .. }
        | Outcome::Met { .. } => {
            Err("the driver answered a model call with something else".to_owned())
        }
    }
}

/// Whether the search has ended, so that an answer is being made or looked at.
pub(crate) fn is_drafted(phase: Phase) -> bool {
    matches!(
        phase,
        Phase::Draft
            | Phase::Verify
            | Phase::Critique
            | Phase::Revise
            | Phase::Lenses
            | Phase::Contrast
            | Phase::Insights
    )
}

/// Tells the trace that an action failed and what is done instead.
pub(crate) fn observe_failure(state: &mut State, id: EffectId, error: String, instead: &str) {
    state.observe(id, format!("failed: {error}"), instead.to_owned(), vec![instead.to_owned()]);
}

/// "1 passage", "2 passages".
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
