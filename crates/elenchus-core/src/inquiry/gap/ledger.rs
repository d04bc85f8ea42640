//! Counting, abandoning, choosing and reopening gaps.

use super::identity::{GapMatch, GapText, asks_otherwise, planned_apart, same_gap};
use super::{Gap, GapHistory, GapReason, GapStatus, TriedQuery};
use crate::id::{GapId, PassageId};
use crate::inquiry::Derivations;
use crate::inquiry::query::is_repeat;
use crate::prompt::{GapBrief, ProposedGap, QueryStrategy, Severity};
use crate::text::{content_set, overlap};
use serde::{Deserialize, Serialize};

/// When to give a gap up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapPolicy {
    /// Rounds that may leave a gap open before it is abandoned.
    pub max_attempts: u8,
    /// Rounds in a row without an unseen passage that bears on it after which a gap counts as thoroughly searched, if no
    /// angle is left.
    pub dry_rounds: u8,
    /// Whether a gap's rounds are counted by what its own searches brought, and its searches that repeat earlier ones
    /// are replaced before it is given up. In journals of earlier versions every unseen passage of a round counted for
    /// every gap, and repeats were only dropped: they replay as they were.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub thorough: bool,
    /// Whether planned questions that have nothing but names in common are gaps of their own, and an answer names every
    /// question that a gap leaves open. In journals of earlier versions they could be one gap, and only the first was named.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
}

impl Default for GapPolicy {
    fn default() -> Self {
        Self { max_attempts: 3, dry_rounds: 2, thorough: true, apart: true }
    }
}

/// All gaps of a run, in the order in which they were opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapLedger {
    gaps: Vec<Gap>,
    /// Gaps that were taken out; their ids are not given again.
    #[serde(default, skip_serializing_if = "is_zero")]
    forgotten: usize,
    /// See [`GapPolicy::apart`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    apart: bool,
    /// Whether what is asked for tells gaps about one name apart, and later wordings keep their vectors: since
    /// [`Derivations::FIFTH`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    finely: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// What became of a proposal.
#[derive(Clone, Debug, PartialEq)]
pub enum Opening {
    /// A gap that was not known.
    New(GapId),
    /// A known gap in other words.
    Known(GapId, GapMatch),
}

/// A change of the ledger that the trace tells.
#[derive(Clone, Debug, PartialEq)]
pub struct GapChange {
    /// Which gap.
    pub gap_id: GapId,
    /// What it is now.
    pub status: GapStatus,
    /// Why, in words that name the datum.
    pub because: String,
}

/// Which gap to work on next, and why that one.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The gap.
    pub gap_id: GapId,
    /// The considerations, most important first.
    pub because: String,
}

impl GapLedger {
    /// All gaps.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// One gap.
    pub fn get(&self, id: &GapId) -> Option<&Gap> {
        self.gaps.iter().find(|gap| gap.id == *id)
    }

    /// Gaps that are still looked for.
    pub fn active(&self) -> impl Iterator<Item = &Gap> {
        self.gaps.iter().filter(|gap| gap.status == GapStatus::Active)
    }

    /// Gaps that were given up.
    pub fn abandoned(&self) -> impl Iterator<Item = &Gap> {
        self.gaps.iter().filter(|gap| gap.status == GapStatus::Abandoned)
    }

    /// All gaps as they are given out. Of the gaps that a round works on the first that is open is the current one;
    /// between rounds it is the one that comes next.
    pub fn history(&self, working: &[GapId]) -> GapHistory {
        let worked = working.iter().find(|id| self.active().any(|gap| gap.id == **id)).cloned();
        let current =
            worked.or_else(|| self.ranked().into_iter().next().map(|decision| decision.gap_id));
        GapHistory {
            gaps: self.gaps.iter().map(Gap::without_vector).collect(),
            current_gap_index: current.and_then(|id| self.gaps.iter().position(|gap| gap.id == id)),
        }
    }

    /// The gap behind a planned question that was opened first.
    pub fn for_question(&self, question_id: u32) -> Option<&Gap> {
        self.gaps.iter().find(|gap| gap.related_question_ids.contains(&question_id))
    }

    /// An empty ledger that tells gaps apart as runs of these rules do.
    pub fn under(policy: GapPolicy, rules: Derivations) -> Self {
        Self { apart: policy.apart, finely: rules >= Derivations::FIFTH, ..Self::default() }
    }

    /// Matches a proposal to the ledger, or opens a gap for it. `vector` embeds the description; empty when there is none.
    ///
    /// An abandoned or resolved gap that is proposed again stays as it is: only new documents reopen one.
    pub fn propose(&mut self, proposed: &ProposedGap, vector: Vec<f32>) -> Opening {
        let candidate = GapText {
            description: &proposed.description,
            question_ids: &proposed.question_ids,
            vector: &vector,
        };
        let (apart, finely) = (self.apart, self.finely);
        let known = self.gaps.iter().enumerate().find_map(|(at, gap)| {
            let wordings = std::iter::once(&gap.description).chain(&gap.also_worded);
            wordings
                .enumerate()
                .find_map(|(wording, description)| {
                    let later = wording.checked_sub(1);
                    let text = GapText {
                        description,
                        question_ids: &gap.related_question_ids,
                        vector: later.map_or(gap.vector.as_slice(), |at| {
                            gap.later_vectors.get(at).map(Vec::as_slice).unwrap_or_default()
                        }),
                    };
                    if (apart && planned_apart(&text, &candidate))
                        || (finely && asks_otherwise(&text, &candidate))
                    {
                        return None;
                    }
                    // A shared question proves nothing for a later wording: it was compared with the first.
                    match same_gap(&text, &candidate) {
                        Some(GapMatch::Question(_)) if wording > 0 => None,
                        found => found,
                    }
                })
                .map(|found| (at, found))
        });
        if let Some((at, found)) = known {
            let gap = &mut self.gaps[at];
            if gap.description != proposed.description
                && !gap.also_worded.contains(&proposed.description)
            {
                gap.also_worded.push(proposed.description.clone());
                if finely {
                    gap.later_vectors.push(vector);
                }
            }
            for id in &proposed.question_ids {
                if !gap.related_question_ids.contains(id) {
                    gap.related_question_ids.push(*id);
                }
            }
            gap.severity = gap.severity.max(proposed.severity);
            return Opening::Known(gap.id.clone(), found);
        }
        Opening::New(self.open(proposed, vector))
    }

    /// Opens a gap without looking whether it is known.
    pub(crate) fn open(&mut self, proposed: &ProposedGap, vector: Vec<f32>) -> GapId {
        let id = GapId(format!("g{}", self.forgotten + self.gaps.len() + 1));
        self.gaps.push(Gap {
            id: id.clone(),
            description: proposed.description.clone(),
            also_worded: Vec::new(),
            attempt_count: 0,
            status: GapStatus::Active,
            previous_queries: Vec::new(),
            related_question_ids: proposed.question_ids.clone(),
            first_attempted_round: 0,
            last_attempted_round: 0,
            severity: proposed.severity,
            reason: None,
            reason_passage: None,
            cause: None,
            dry_rounds: 0,
            suggested_action: proposed.suggested_action.clone(),
            vector,
            later_vectors: Vec::new(),
        });
        id
    }

    /// Takes out what is still open, with everything that was tried for it. An open gap that stood for an answered
    /// question as well stays, closed, for that one alone.
    pub(crate) fn forget_open(&mut self, is_answered: impl Fn(u32) -> bool) -> Vec<GapChange> {
        let before = self.gaps.len();
        self.gaps.retain_mut(|gap| {
            if gap.status != GapStatus::Active {
                return true;
            }
            gap.related_question_ids.retain(|id| is_answered(*id));
            !gap.related_question_ids.is_empty()
        });
        self.forgotten += before - self.gaps.len();
        let open: Vec<GapId> = self.active().map(|gap| gap.id.clone()).collect();
        open.iter().filter_map(|id| self.resolve(id)).collect()
    }

    /// Gives gaps that were opened before their vectors were known their vectors.
    pub(crate) fn set_vector(&mut self, id: &GapId, vector: Vec<f32>) {
        if let Some(gap) = self.find_mut(id) {
            gap.vector = vector;
        }
    }

    /// Notes that a query is being tried for a gap in a round.
    pub fn tried(&mut self, id: &GapId, query: &str, strategy: Option<QueryStrategy>, round: u8) {
        if let Some(gap) = self.find_mut(id) {
            gap.previous_queries.push(TriedQuery { query: query.to_owned(), strategy, round });
            if gap.first_attempted_round == 0 {
                gap.first_attempted_round = round;
            }
            gap.last_attempted_round = round;
        }
    }

    /// Closes a gap by evidence.
    pub fn resolve(&mut self, id: &GapId) -> Option<GapChange> {
        let gap = self.find_mut(id)?;
        if gap.status != GapStatus::Active {
            return None;
        }
        gap.status = GapStatus::Resolved;
        let because = format!(
            "evidence found in round {} after {} quer{}",
            gap.last_attempted_round,
            gap.previous_queries.len(),
            if gap.previous_queries.len() == 1 { "y" } else { "ies" }
        );
        Some(GapChange { gap_id: gap.id.clone(), status: GapStatus::Resolved, because })
    }

    /// Takes questions that are not among `asked` off every gap, and closes those that stood for nothing else.
    pub(crate) fn no_longer_asked(&mut self, asked: &[u32]) -> Vec<GapChange> {
        let mut changes = Vec::new();
        for gap in &mut self.gaps {
            let had = gap.related_question_ids.len();
            gap.related_question_ids.retain(|id| asked.contains(id));
            let orphaned = had > 0 && gap.related_question_ids.is_empty();
            if orphaned && gap.status == GapStatus::Active {
                gap.status = GapStatus::Resolved;
                changes.push(GapChange {
                    gap_id: gap.id.clone(),
                    status: GapStatus::Resolved,
                    because: "you took its question off the plan".to_owned(),
                });
            }
        }
        changes
    }

    /// Opens the gap again that stands for a question which is asked once more, if it was closed or given up.
    pub(crate) fn asked_again(&mut self, question_id: u32) -> Option<GapChange> {
        let gap =
            self.gaps.iter_mut().find(|gap| gap.related_question_ids.contains(&question_id))?;
        if gap.status == GapStatus::Active {
            return None;
        }
        gap.status = GapStatus::Active;
        gap.attempt_count = 0;
        gap.dry_rounds = 0;
        gap.reason = None;
        gap.reason_passage = None;
        gap.cause = None;
        Some(GapChange {
            gap_id: gap.id.clone(),
            status: GapStatus::Active,
            because: "you put its question into the plan".to_owned(),
        })
    }

    /// Counts a round that worked on a gap and left it open; gives it up where the policy says so.
    ///
    /// `new_passages` is how many unseen passages that bear on it the round's searches for this gap brought,
    /// `angles_left` whether any query strategy is unused, `finding` what a model made of the passages.
    pub fn attempt(
        &mut self,
        id: &GapId,
        new_passages: usize,
        angles_left: bool,
        finding: Option<(GapReason, Option<PassageId>)>,
        policy: GapPolicy,
    ) -> Option<GapChange> {
        let gap = self.find_mut(id)?;
        if gap.status != GapStatus::Active {
            return None;
        }
        gap.attempt_count = gap.attempt_count.saturating_add(1);
        gap.dry_rounds = if new_passages == 0 { gap.dry_rounds.saturating_add(1) } else { 0 };
        let attempts = gap.attempt_count;
        let reason = match finding {
            Some((reason @ (GapReason::Unavailable | GapReason::Contradictory), passage)) => {
                gap.reason_passage = passage;
                Some(reason)
            }
            _ if attempts >= policy.max_attempts => Some(GapReason::Attempts),
            _ if gap.dry_rounds >= policy.dry_rounds && !angles_left => {
                Some(GapReason::NoNewEvidence)
            }
            _ => None,
        }?;
        Some(self.abandon_one(id, reason))
    }

    /// Gives a gap up whose sources contradict each other, of which a passage is named. A round that worked on it counts.
    pub(crate) fn contradicted(
        &mut self,
        id: &GapId,
        passage: PassageId,
        is_worked_on: bool,
    ) -> Option<GapChange> {
        let gap = self.find_mut(id).filter(|gap| gap.status == GapStatus::Active)?;
        gap.attempt_count = gap.attempt_count.saturating_add(u8::from(is_worked_on));
        gap.reason_passage = Some(passage);
        Some(self.abandon_one(id, GapReason::Contradictory))
    }

    /// Gives up everything that is still open.
    pub fn abandon_all(&mut self, reason: GapReason) -> Vec<GapChange> {
        let open: Vec<GapId> = self.active().map(|gap| gap.id.clone()).collect();
        open.iter().map(|id| self.abandon_one(id, reason)).collect()
    }

    /// Gives one gap up.
    pub fn abandon(&mut self, id: &GapId, reason: GapReason) -> Option<GapChange> {
        self.get(id).filter(|gap| gap.status == GapStatus::Active)?;
        Some(self.abandon_one(id, reason))
    }

    fn abandon_one(&mut self, id: &GapId, reason: GapReason) -> GapChange {
        let because = match self.find_mut(id) {
            Some(gap) => {
                gap.status = GapStatus::Abandoned;
                gap.reason = Some(reason);
                gap.given_up(reason)
            }
            None => reason.because().to_owned(),
        };
        GapChange { gap_id: id.clone(), status: GapStatus::Abandoned, because }
    }

    /// Notes what is known of why a gap was given up beyond its reason, and says both.
    pub(crate) fn set_cause(&mut self, id: &GapId, cause: String) -> Option<String> {
        let gap = self.find_mut(id)?;
        gap.cause = Some(cause);
        gap.reason.map(|reason| gap.given_up(reason))
    }

    /// Reopens abandoned gaps that a new document matches: it holds most of the words of the description.
    pub fn reopen_matching(&mut self, document: &str) -> Vec<GapChange> {
        let words = content_set(document);
        let mut changes = Vec::new();
        for gap in &mut self.gaps {
            let wanted = content_set(&gap.description);
            if gap.status == GapStatus::Abandoned
                && wanted.len() >= 2
                && overlap(&wanted, &words) >= 0.75
                && wanted.len() <= words.len()
            {
                let because = format!("a new document matches \"{}\"", gap.description);
                changes.push(anew(gap, because));
            }
        }
        changes
    }

    /// Reopens all that was given up: the user named a source that was not looked into.
    pub(crate) fn reopen_for_source(&mut self) -> Vec<GapChange> {
        let given_up = self.gaps.iter_mut().filter(|gap| gap.status == GapStatus::Abandoned);
        given_up.map(|gap| anew(gap, "you named a source to look into".to_owned())).collect()
    }

    /// Reopens what was given up because a limit was reached, with what was counted of it: the limit is another one now.
    pub(crate) fn reopen_for_budget(&mut self) -> Vec<GapChange> {
        let given_up = self.gaps.iter_mut().filter(|gap| {
            gap.status == GapStatus::Abandoned && gap.reason == Some(GapReason::Budget)
        });
        given_up
            .map(|gap| {
                open_again(gap, "you changed the limit for which it was given up".to_owned())
            })
            .collect()
    }

    /// Open gaps in the order in which they should be worked on: severity, planned questions behind them,
    /// feasibility (few attempts), novelty (few queries tried), then age.
    pub fn ranked(&self) -> Vec<Decision> {
        let mut open: Vec<(usize, &Gap)> = self
            .gaps
            .iter()
            .enumerate()
            .filter(|(_, gap)| gap.status == GapStatus::Active)
            .collect();
        open.sort_by_key(|(at, gap)| {
            (
                std::cmp::Reverse(gap.severity),
                std::cmp::Reverse(gap.related_question_ids.len()),
                gap.attempt_count,
                gap.previous_queries.len(),
                *at,
            )
        });
        open.into_iter()
            .map(|(_, gap)| Decision {
                gap_id: gap.id.clone(),
                because: format!(
                    "{} severity, behind {} planned question{}, {} attempt{} so far, {} quer{} tried",
                    match gap.severity {
                        Severity::Critical => "critical",
                        Severity::Important => "important",
                        Severity::Minor => "minor",
                    },
                    gap.related_question_ids.len(),
                    if gap.related_question_ids.len() == 1 { "" } else { "s" },
                    gap.attempt_count,
                    if gap.attempt_count == 1 { "" } else { "s" },
                    gap.previous_queries.len(),
                    if gap.previous_queries.len() == 1 { "y" } else { "ies" },
                ),
            })
            .collect()
    }

    /// The gap for which a query was tried in a round.
    pub(crate) fn behind(&self, query: &str, round: u8) -> Option<&GapId> {
        let made = |tried: &TriedQuery| tried.round == round && tried.query == query;
        self.gaps.iter().find(|gap| gap.previous_queries.iter().any(made)).map(|gap| &gap.id)
    }

    /// The strategies not yet used on a gap.
    pub fn unused_strategies(&self, id: &GapId) -> Vec<QueryStrategy> {
        let Some(gap) = self.get(id) else { return Vec::new() };
        QueryStrategy::ALL
            .into_iter()
            .filter(|strategy| {
                !gap.previous_queries.iter().any(|tried| tried.strategy == Some(*strategy))
            })
            .collect()
    }

    /// Whether a query says the same as one tried before, for any gap of the run.
    pub fn was_tried(&self, query: &str) -> bool {
        self.gaps
            .iter()
            .flat_map(|gap| &gap.previous_queries)
            .any(|tried| is_repeat(&tried.query, query))
    }

    /// A gap as prompts see it.
    pub fn brief(&self, id: &GapId) -> Option<GapBrief> {
        self.get(id).map(|gap| GapBrief {
            id: gap.id.clone(),
            description: gap.description.clone(),
            question_ids: gap.related_question_ids.clone(),
            attempts: gap.attempt_count,
            previous_queries: gap
                .previous_queries
                .iter()
                .map(|tried| tried.query.clone())
                .collect(),
        })
    }

    fn find_mut(&mut self, id: &GapId) -> Option<&mut Gap> {
        self.gaps.iter_mut().find(|gap| gap.id == *id)
    }
}

/// Opens a gap again that was given up, with what was counted of it.
fn open_again(gap: &mut Gap, because: String) -> GapChange {
    gap.status = GapStatus::Active;
    gap.reason = None;
    gap.reason_passage = None;
    gap.cause = None;
    GapChange { gap_id: gap.id.clone(), status: GapStatus::Active, because }
}

/// The same as if nothing had been tried for it.
fn anew(gap: &mut Gap, because: String) -> GapChange {
    gap.attempt_count = 0;
    gap.dry_rounds = 0;
    open_again(gap, because)
}
