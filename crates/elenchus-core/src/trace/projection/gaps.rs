//! The gap ledger as rounds write it.

use super::{GapRound, GapShown, GapStanding, Moment, Projection};
use crate::id::GapId;
use crate::inquiry::gap::GapReason;
use crate::prompt::QueryStrategy;

/// Queries that were written for a gap and not searched yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Written {
    gap: Option<GapId>,
    queries: Vec<String>,
    strategies: Vec<QueryStrategy>,
    rationale: String,
    dropped: u32,
}

impl Written {
    pub(super) fn new(
        gap: &GapId,
        queries: &[String],
        strategies: &[QueryStrategy],
        rationale: &str,
        dropped: u32,
    ) -> Self {
        Self {
            gap: Some(gap.clone()),
            queries: queries.to_vec(),
            strategies: strategies.to_vec(),
            rationale: rationale.to_owned(),
            dropped,
        }
    }
}

impl Projection {
    pub(super) fn gap_opened(
        &mut self,
        opened: Moment,
        id: &GapId,
        description: &str,
        questions: &[u32],
    ) {
        self.goes_without_plan();
        self.gaps.push(GapShown {
            gap_id: id.clone(),
            description: description.to_owned(),
            question_ids: questions.to_vec(),
            opened,
            standing: GapStanding::Open,
            settled: None,
            because: String::new(),
            reason: None,
            attempts: 0,
            reopened: 0,
            rounds: vec![],
            queries: vec![],
        });
    }

    /// A round begins: what was written for its gaps is searched now.
    pub(super) fn gap_round(&mut self, round: u8, gaps: &[GapId], queries: &[String]) {
        let written = std::mem::take(&mut self.open.written);
        for gap in self.gaps.iter_mut().filter(|gap| gaps.contains(&gap.gap_id)) {
            let own = written.iter().rev().find(|own| own.gap.as_ref() == Some(&gap.gap_id));
            let made = match own {
                Some(own) => GapRound {
                    round,
                    queries: own.queries.clone(),
                    strategies: own.strategies.clone(),
                    rationale: own.rationale.clone(),
                    dropped: own.dropped,
                    after: GapStanding::Open,
                },
                None => {
                    // Before anything was written for it, the plan's own searches stand for its questions.
                    let planned: Vec<String> = self
                        .questions
                        .iter()
                        .filter(|one| gap.question_ids.contains(&one.question.id))
                        .flat_map(|one| one.question.queries.clone())
                        .filter(|query| queries.contains(query))
                        .collect();
                    GapRound {
                        round,
                        queries: planned,
                        strategies: vec![],
                        rationale: String::new(),
                        dropped: 0,
                        after: GapStanding::Open,
                    }
                }
            };
            gap.attempts = gap.attempts.saturating_add(1);
            for query in &made.queries {
                if !gap.queries.contains(query) {
                    gap.queries.push(query.clone());
                }
            }
            gap.rounds.push(made);
        }
    }

    pub(super) fn gap_resolved(&mut self, moment: Moment, id: &GapId, because: &str) {
        self.settle(moment, id, GapStanding::Resolved, because);
    }

    pub(super) fn gap_abandoned(
        &mut self,
        moment: Moment,
        id: &GapId,
        reason: GapReason,
        because: &str,
        attempts: u8,
        queries: &[String],
    ) {
        self.settle(moment, id, GapStanding::Abandoned, because);
        if let Some(gap) = self.gaps.iter_mut().find(|gap| gap.gap_id == *id) {
            gap.reason = Some(reason);
            gap.attempts = attempts;
            queries.clone_into(&mut gap.queries);
        }
    }

    pub(super) fn gap_reopened(&mut self, moment: Moment, id: &GapId, because: &str) {
        self.settle(moment, id, GapStanding::Open, because);
        if let Some(gap) = self.gaps.iter_mut().find(|gap| gap.gap_id == *id) {
            gap.reason = None;
            gap.reopened = gap.reopened.saturating_add(1);
        }
    }

    fn settle(&mut self, moment: Moment, id: &GapId, standing: GapStanding, because: &str) {
        if let Some(gap) = self.gaps.iter_mut().find(|gap| gap.gap_id == *id) {
            gap.standing = standing;
            gap.settled = Some(moment);
            because.clone_into(&mut gap.because);
            if let Some(last) = gap.rounds.last_mut() {
                last.after = standing;
            }
        }
    }
}
