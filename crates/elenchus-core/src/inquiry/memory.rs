//! Working memory: a bounded fold of the journal that prompts and people see. What falls out is counted, not lost: the trace has it.

use crate::belief::{Hypothesis, HypothesisStatus};
use crate::id::{GapId, HypothesisId, RunId, Timestamp};
use crate::prompt::Severity;
use crate::text::squeeze;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt::Write;

/// Most gathered items kept.
pub(super) const GATHERED_CAP: usize = 64;
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
    /// The latest finds.
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
    /// Thoughts that fell out.
    pub thoughts_dropped: u32,
}

impl WorkingMemory {
    pub(crate) fn gather(&mut self, info: GatheredInfo) {
        self.gathered.push_back(info);
        if self.gathered.len() > GATHERED_CAP {
            self.gathered.pop_front();
            self.gathered_dropped += 1;
        }
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
        if self.gathered_dropped > 0 {
            push(format!("({} earlier finds are in the trace)", self.gathered_dropped));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
