//! Working memory: a bounded fold of the journal that prompts and people see. What falls out is summed up, not lost: the trace has it.

use crate::belief::{Hypothesis, HypothesisStatus};
use crate::id::{GapId, HypothesisId, RunId, Timestamp};
use crate::prompt::Severity;
use crate::text::squeeze;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

/// Most gathered items kept.
pub(super) const GATHERED_CAP: usize = 64;
/// Most documents of which it is told how much of them fell out.
const SUMMED_CAP: usize = 32;
/// Most of those named in a prompt.
const SUMMED_SHOWN: usize = 4;
/// Most thoughts kept.
pub(super) const THOUGHTS_CAP: usize = 64;
/// Most bytes of scratchpad kept.
pub(super) const SCRATCHPAD_CAP: usize = 8 * 1024;

/// Where a sub-goal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SubGoalStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Reached.
    Completed,
    /// Given up, or waiting for one that was.
    Blocked,
}

/// A planned question as a goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubGoal {
    /// The planned question's id.
    pub id: u32,
    /// What is to be known.
    pub description: String,
    /// 0 to 1, from its severity and its place in the plan.
    pub priority: f64,
    /// Where it stands.
    pub status: SubGoalStatus,
    /// Sub-goals that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<u32>,
}

/// Something found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GatheredInfo {
    /// The fact's id.
    pub id: String,
    /// The quote.
    pub content: String,
    /// Path and place.
    pub source: String,
    /// 0 to 1: 1 for an answer, less for what only bears on it.
    pub relevance: f64,
    /// When.
    pub added_at: Timestamp,
}

/// A gap that is not minor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenGap {
    /// The ledger's id.
    pub id: GapId,
    /// What is missing.
    pub description: String,
    /// How much it matters.
    pub severity: Severity,
    /// Rounds spent.
    pub attempts: u8,
}

/// An explanation under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldHypothesis {
    /// Its id.
    pub id: HypothesisId,
    /// What it says.
    pub claim: String,
    /// Its credence, 0 to 1.
    pub confidence: f64,
    /// Where it stands.
    pub status: HypothesisStatus,
}

impl HeldHypothesis {
    pub(crate) fn of(hypothesis: &Hypothesis) -> Self {
        Self {
            id: hypothesis.id.clone(),
            claim: hypothesis.claim.clone(),
            confidence: hypothesis.confidence,
            status: hypothesis.status,
        }
    }
}

/// What the run has in mind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkingMemory {
    /// The run, which is also the task.
    pub run_id: Option<RunId>,
    /// The question.
    pub query: String,
    /// When it began.
    pub start_time: Timestamp,
    /// The phase.
    pub current_phase: String,
    /// The round.
    pub current_step: u8,
    /// The question as a goal.
    pub primary_goal: String,
    /// The plan.
    pub sub_goals: Vec<SubGoal>,
    /// The most relevant finds, in the order in which they were made.
    pub gathered: VecDeque<GatheredInfo>,
    /// Open gaps.
    pub gaps: Vec<OpenGap>,
    /// Explanations under test, the likeliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<HeldHypothesis>,
    /// Notes, oldest first.
    pub scratchpad: String,
    /// The latest thoughts.
    pub thought_chain: VecDeque<String>,
    /// Gathered items that fell out.
    pub gathered_dropped: u32,
    /// How many of those came from which document, for the first few documents.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dropped_from: BTreeMap<String, u32>,
    /// Thoughts that fell out.
    pub thoughts_dropped: u32,
}

impl WorkingMemory {
    pub(crate) fn gather(&mut self, info: GatheredInfo) {
        self.gathered.push_back(info);
        if self.gathered.len() <= GATHERED_CAP {
            return;
        }
        // Of those that are equally relevant the oldest goes.
        let least = self
            .gathered
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| a.relevance.total_cmp(&b.relevance))
            .map(|(at, _)| at);
        if let Some(gone) = least.and_then(|at| self.gathered.remove(at)) {
            self.gathered_dropped += 1;
            let path = gone.source.split(", ").next().unwrap_or_default();
            if self.dropped_from.len() < SUMMED_CAP || self.dropped_from.contains_key(path) {
                *self.dropped_from.entry(path.to_owned()).or_insert(0) += 1;
            }
        }
    }

    /// What fell out, in a line: "(12 less relevant finds are in the trace: 7 of fares.md, 4 of log.md, 1 of others)".
    fn dropped(&self) -> Option<String> {
        if self.gathered_dropped == 0 {
            return None;
        }
        let mut by_document: Vec<(&String, u32)> =
            self.dropped_from.iter().map(|(path, count)| (path, *count)).collect();
        by_document.sort_by_key(|(path, count)| (std::cmp::Reverse(*count), *path));
        by_document.truncate(SUMMED_SHOWN);
        let named: u32 = by_document.iter().map(|(_, count)| count).sum();
        let mut parts: Vec<String> = by_document
            .iter()
            .map(|(path, count)| format!("{count} of {}", squeeze(path)))
            .collect();
        if named < self.gathered_dropped {
            parts.push(format!("{} of others", self.gathered_dropped - named));
        }
        let finds = super::count(self.gathered_dropped as usize, "less relevant find");
        let are = if self.gathered_dropped == 1 { "is" } else { "are" };
        Some(format!("({finds} {are} in the trace: {})", parts.join(", ")))
    }

    pub(crate) fn think(&mut self, thought: &str) {
        self.thought_chain.push_back(thought.to_owned());
        if self.thought_chain.len() > THOUGHTS_CAP {
            self.thought_chain.pop_front();
            self.thoughts_dropped += 1;
        }
    }

    pub(crate) fn note(&mut self, text: &str) {
        writeln!(self.scratchpad, "{}", squeeze(text)).expect("writing to a String cannot fail");
        if self.scratchpad.len() > SCRATCHPAD_CAP {
            let mut cut = self.scratchpad.len() - SCRATCHPAD_CAP;
            while !self.scratchpad.is_char_boundary(cut) {
                cut += 1;
            }
            // Forget whole lines.
            let line =
                self.scratchpad[cut..].find('\n').map_or(self.scratchpad.len(), |at| cut + at + 1);
            self.scratchpad.drain(..line);
        }
    }

    /// The text that prompts see, at most `budget_tokens` (counted as four characters each): phase, goal,
    /// sub-goals, gaps that are not minor, then the most relevant and most recent finds.
    pub fn render_context(&self, budget_tokens: usize) -> String {
        let limit = budget_tokens.saturating_mul(4);
        let mut out = String::new();
        let mut push = |line: String| {
            if out.chars().count() + line.chars().count() < limit {
                out.push_str(&line);
                out.push('\n');
            }
        };
        push(format!("phase: {} (round {})", self.current_phase, self.current_step));
        push(format!("goal: {}", squeeze(&self.primary_goal)));
        for goal in &self.sub_goals {
            let status = match goal.status {
                SubGoalStatus::Pending => "pending",
                SubGoalStatus::InProgress => "in progress",
                SubGoalStatus::Completed => "completed",
                SubGoalStatus::Blocked => "blocked",
            };
            push(format!("- [{status}] {}", squeeze(&goal.description)));
        }
        for held in &self.hypotheses {
            push(format!(
                "explanation {} ({:.2}, {}): {}",
                held.id,
                held.confidence,
                held.status.name(),
                squeeze(&held.claim)
            ));
        }
        for gap in self.gaps.iter().filter(|gap| gap.severity > Severity::Minor) {
            push(format!("missing ({} attempts): {}", gap.attempts, squeeze(&gap.description)));
        }
        let mut finds: Vec<(usize, &GatheredInfo)> = self.gathered.iter().enumerate().collect();
        finds.sort_by(|(at_a, a), (at_b, b)| {
            b.relevance.total_cmp(&a.relevance).then(at_b.cmp(at_a))
        });
        for (_, find) in finds {
            push(format!("found: {} [{}]", squeeze(&find.content), find.source));
        }
        if let Some(dropped) = self.dropped() {
            push(dropped);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_relevant_falls_out_and_is_summed_up() {
        let mut memory = WorkingMemory::default();
        let mut gather = |at: usize, source: &str, relevance: f64| {
            memory.gather(GatheredInfo {
                id: format!("f{at}"),
                content: format!("quote {at}"),
                source: source.to_owned(),
                relevance,
                added_at: Timestamp(0),
            });
        };
        gather(0, "answer.md, p. 2", 1.0);
        for at in 1..=GATHERED_CAP {
            gather(at, "fares.md, Prices", 0.4);
        }
        gather(GATHERED_CAP + 1, "log.md", 0.3);
        gather(GATHERED_CAP + 2, "late.md", 1.0);
        let kept = |id: &str| memory.gathered.iter().any(|find| find.id == id);
        assert_eq!((memory.gathered.len(), memory.gathered_dropped), (GATHERED_CAP, 3));
        // The answer that was found first stays; of equals the oldest went.
        assert!(kept("f0") && !kept("f1") && !kept("f2") && kept("f3"), "{:?}", memory.gathered);
        let told = memory.render_context(10_000);
        let summed = "(3 less relevant finds are in the trace: 2 of fares.md, 1 of log.md)";
        assert!(told.ends_with(&format!("{summed}\n")), "{told}");
        for at in 0..=SUMMED_CAP {
            memory.gather(GatheredInfo {
                id: String::new(),
                content: String::new(),
                source: format!("d{at}.md"),
                relevance: 0.0,
                added_at: Timestamp(0),
            });
        }
        assert_eq!(memory.dropped_from.len(), SUMMED_CAP);
    }

    #[test]
    fn what_matters_most_is_told_within_the_budget() {
        let mut memory = WorkingMemory {
            primary_goal: "What does the ferry cost?".to_owned(),
            current_phase: "reflect".to_owned(),
            current_step: 2,
            ..WorkingMemory::default()
        };
        for (at, relevance) in [(1, 0.4), (2, 1.0), (3, 1.0)] {
            memory.gather(GatheredInfo {
                id: format!("f{at}"),
                content: format!("quote {at}\nof the price list"),
                source: "fares.md".to_owned(),
                relevance,
                added_at: Timestamp(0),
            });
        }
        let gap = |id: &str, severity| OpenGap {
            id: id.into(),
            description: format!("what {id} stands for"),
            severity,
            attempts: 1,
        };
        memory.gaps = vec![gap("g1", Severity::Minor), gap("g2", Severity::Critical)];
        let told = memory.render_context(400);
        assert!(told.starts_with("phase: reflect (round 2)\ngoal: What does"), "{told}");
        assert!(told.contains("g2 stands for") && !told.contains("g1 stands for"), "{told}");
        let at = |quote: &str| told.find(quote).unwrap();
        // The best, and of equals the latest; each on a line of its own.
        assert!(at("quote 3 of") < at("quote 2 of") && at("quote 2 of") < at("quote 1 of"));
        for budget in [0, 10, 20, 30, 400] {
            assert!(memory.render_context(budget).chars().count() <= budget * 4);
        }
    }
}
