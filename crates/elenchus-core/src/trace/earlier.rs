//! Events in the shape that earlier versions gave them, for runs that such a version began.

use super::TraceEvent;
use crate::inquiry::gap::GapReason;

/// What [`GapReason::NoNewEvidence`] was called while every unread passage of a round counted for every gap.
const NOTHING_UNREAD: &str = "nothing that had not been read turned up";

impl TraceEvent {
    /// The event without the fields that came later, as runs kept it whose gaps were counted by all that a round read
    /// ([`crate::inquiry::gap::GapPolicy::thorough`]).
    pub(crate) fn into_first_told(mut self) -> Self {
        match &mut self {
            Self::PlanningCompleted { phases, total_steps, .. } => {
                phases.clear();
                *total_steps = 0;
            }
            Self::ReasoningThought(thought) => thought.context = None,
            Self::ReasoningObservation(observation) => observation.usage = None,
            Self::ReasoningConclusion(conclusion) => {
                conclusion.confidence = None;
                conclusion.confidence_because.clear();
            }
            Self::Reflection { relevant_summary_ids, .. } => relevant_summary_ids.clear(),
            Self::KnowledgeGapAnalysis(analysis) => analysis.updates.clear(),
            Self::FollowupQueryGeneration { query_strategy, replaced, .. } => {
                *query_strategy = None;
                replaced.clear();
            }
            Self::GapAbandoned { reason: reason @ GapReason::NoNewEvidence, because, .. } => {
                *because = because.replace(reason.because(), NOTHING_UNREAD);
            }
            Self::AnswerCompleted { answer, .. } => answer.methodology = None,
            _ => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::GapId;

    #[test]
    fn a_gap_is_given_up_in_the_words_of_then() {
        let given_up = |reason: GapReason| {
            let event = TraceEvent::GapAbandoned {
                gap_id: GapId::from("g1"),
                reason,
                because: format!("{} (2 attempts, 3 queries)", reason.because()),
                attempts: 2,
                queries: vec!["a query".to_owned()],
            };
            match event.into_first_told() {
                TraceEvent::GapAbandoned { because, .. } => because,
                other => unreachable!("it is another event: {other:?}"),
            }
        };
        let old = "nothing that had not been read turned up (2 attempts, 3 queries)";
        assert_eq!(given_up(GapReason::NoNewEvidence), old);
        assert!(given_up(GapReason::Attempts).starts_with(GapReason::Attempts.because()));
    }
}
