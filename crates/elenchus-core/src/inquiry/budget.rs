//! What a run may spend, what it has spent, and why it stopped.

use super::clarity::Asking;
use super::derivations::Derivations;
use super::egress::WebOptions;
use super::gap::GapPolicy;
use crate::bank::scrub;
use crate::id::{GapId, HypothesisId, RunId, Timestamp};
use crate::port::Usage;
use serde::{Deserialize, Serialize};

/// How hard to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// One round, few passages.
    Quick,
    /// The defaults.
    #[default]
    Standard,
    /// More passages a search and more rounds.
    Deep,
}

impl Effort {
    /// Every effort, the least first.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Standard, Self::Deep];

    /// The word used in data and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }
}

/// Limits. Counts never overshoot; tokens and money overshoot by at most the call in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Budget {
    /// Search rounds, 1 to [`Budget::HARD_ROUNDS`].
    pub rounds: u8,
    /// Passages read.
    pub passages: u32,
    /// Model calls; `None` is no limit. The last one is kept for the draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_calls: Option<u32>,
    /// Input and output tokens together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
    /// Milliseconds from the first input, pauses included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
}

impl Budget {
    /// No run has more rounds.
    pub const HARD_ROUNDS: u8 = 10;

    /// The limits of an effort.
    pub fn of(effort: Effort) -> Self {
        let (rounds, passages) = match effort {
            Effort::Quick => (1, 20),
            Effort::Standard => (5, 50),
            Effort::Deep => (8, 150),
        };
        Self {
            rounds,
            passages,
            model_calls: None,
            tokens: None,
            cost_micro_usd: None,
            wall_ms: None,
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::of(Effort::Standard)
    }
}

/// What has been spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spent {
    /// Rounds begun.
    pub rounds: u8,
    /// Passages read.
    pub passages: u32,
    /// Searches made.
    pub searches: u32,
    /// Model calls made.
    pub model_calls: u32,
    /// What they cost.
    pub usage: Usage,
}

impl Spent {
    /// The first limit that leaves no room for another round, if any. Two more model calls must fit (one to
    /// go on, one to draft).
    pub fn exhausted(
        &self,
        budget: &Budget,
        started: Timestamp,
        now: Timestamp,
    ) -> Option<StopReason> {
        let tokens = self.usage.input_tokens + self.usage.output_tokens;
        let elapsed = u64::try_from(now.0.saturating_sub(started.0)).unwrap_or(0);
        if budget.wall_ms.is_some_and(|limit| elapsed >= limit) {
            Some(StopReason::BudgetTime)
        } else if budget.cost_micro_usd.is_some_and(|limit| self.usage.cost_micro_usd >= limit) {
            Some(StopReason::BudgetCost)
        } else if budget.tokens.is_some_and(|limit| tokens >= limit) {
            Some(StopReason::BudgetTokens)
        } else if budget.model_calls.is_some_and(|limit| self.model_calls + 2 > limit) {
            Some(StopReason::BudgetModelCalls)
        } else if self.passages >= budget.passages {
            Some(StopReason::BudgetPassages)
        } else {
            None
        }
    }

    /// The first limit that forbids to begin `calls` more model calls now, if any.
    pub fn forbids(&self, budget: &Budget, calls: u32) -> Option<StopReason> {
        let tokens = self.usage.input_tokens + self.usage.output_tokens;
        if budget.cost_micro_usd.is_some_and(|limit| self.usage.cost_micro_usd >= limit) {
            Some(StopReason::BudgetCost)
        } else if budget.tokens.is_some_and(|limit| tokens >= limit) {
            Some(StopReason::BudgetTokens)
        } else if budget.model_calls.is_some_and(|limit| self.model_calls + calls > limit) {
            Some(StopReason::BudgetModelCalls)
        } else {
            None
        }
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Every planned question is answered.
    Answered,
    /// The leading explanation is confirmed by independent sources.
    HypothesisConfirmed,
    /// No gap is open, and two rounds for the explanations left as many contradictions as there were.
    ContradictionsStable,
    /// Every open gap was given up for its own reason.
    GapsAbandoned,
    /// A round brought no passage that had not been read.
    NoNewPassages,
    /// The allowed rounds were used.
    BudgetRounds,
    /// The allowed passages were read.
    BudgetPassages,
    /// The allowed model calls were made.
    BudgetModelCalls,
    /// The allowed tokens were used.
    BudgetTokens,
    /// The allowed money was spent.
    BudgetCost,
    /// The allowed time passed.
    BudgetTime,
    /// The user said "finish now".
    FinishNow,
    /// The user interrupted.
    Interrupted,
    /// The corpus holds nothing.
    EmptyCorpus,
    /// A model or an index failed for good; the answer holds what was found before.
    Failed,
}

impl StopReason {
    /// Every reason.
    pub const ALL: [Self; 15] = [
        Self::Answered,
        Self::HypothesisConfirmed,
        Self::ContradictionsStable,
        Self::GapsAbandoned,
        Self::NoNewPassages,
        Self::BudgetRounds,
        Self::BudgetPassages,
        Self::BudgetModelCalls,
        Self::BudgetTokens,
        Self::BudgetCost,
        Self::BudgetTime,
        Self::FinishNow,
        Self::Interrupted,
        Self::EmptyCorpus,
        Self::Failed,
    ];

    /// The word used in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::HypothesisConfirmed => "hypothesis_confirmed",
            Self::ContradictionsStable => "contradictions_stable",
            Self::GapsAbandoned => "gaps_abandoned",
            Self::NoNewPassages => "no_new_passages",
            Self::BudgetRounds => "budget_rounds",
            Self::BudgetPassages => "budget_passages",
            Self::BudgetModelCalls => "budget_model_calls",
            Self::BudgetTokens => "budget_tokens",
            Self::BudgetCost => "budget_cost",
            Self::BudgetTime => "budget_time",
            Self::FinishNow => "finish_now",
            Self::Interrupted => "interrupted",
            Self::EmptyCorpus => "empty_corpus",
            Self::Failed => "failed",
        }
    }

    /// Whether a limit was reached, so that a higher one would have let the run go on.
    pub fn is_of_a_limit(self) -> bool {
        matches!(
            self,
            Self::BudgetRounds
                | Self::BudgetPassages
                | Self::BudgetModelCalls
                | Self::BudgetTokens
                | Self::BudgetCost
                | Self::BudgetTime
        )
    }

    /// The reason as a sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Answered => "Every planned question was answered.",
            Self::HypothesisConfirmed => {
                "The leading explanation was confirmed by independent sources."
            }
            Self::ContradictionsStable => {
                "No part of the question was open, and two more rounds changed nothing in what contradicts what."
            }
            Self::GapsAbandoned => {
                "What was still open was given up, each part for its stated reason."
            }
            Self::NoNewPassages => "The last round found no passage that had not been read.",
            Self::BudgetRounds => "The allowed search rounds were used up.",
            Self::BudgetPassages => "The allowed number of passages was read.",
            Self::BudgetModelCalls => "The allowed number of model calls was made.",
            Self::BudgetTokens => "The token budget was spent.",
            Self::BudgetCost => "The money budget was spent.",
            Self::BudgetTime => "The time budget was spent.",
            Self::FinishNow => "You asked it to finish.",
            Self::Interrupted => "You interrupted it; this is what was found until then.",
            Self::EmptyCorpus => "The corpus holds no readable document.",
            Self::Failed => "A component failed; this is what was found until then.",
        }
    }
}

/// How a round is judged and followed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reflecting {
    /// A reflection, then an analysis of the gaps of a ledger that remembers what was tried, then queries that differ.
    #[default]
    Ledger,
    /// The older loop, kept for comparison: one reflection judges and words the next query; nothing is remembered of
    /// earlier rounds, and nothing is given up before the rounds are spent.
    SingleStep,
}

impl Reflecting {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
    pub(crate) fn is_ledger(&self) -> bool {
        *self == Self::Ledger
    }
}

/// What a run was begun to test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tested {
    /// The run that it came of.
    pub parent: RunId,
    /// The explanation of that run that is held against the evidence once more; absent where a person worded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hypothesis: Option<HypothesisId>,
}

/// What a run is begun for that looks once more for what another one gave up, in documents that have come or changed since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reopened {
    /// The run that it came of.
    pub parent: RunId,
    /// The gaps of that run that are open again.
    pub gaps: Vec<GapId>,
}

/// A server elsewhere that thinks, judges or embeds for a run. What is asked of the web is no part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Elsewhere {
    /// What is sent there, in words: "passages and searches".
    pub sent: String,
    /// Its scheme, host and port.
    pub to: String,
}

/// Everything a run is told at its start beside the question. Of a run under way, what a person has set since stands in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Options {
    /// Limits.
    pub budget: Budget,
    /// How hard to try.
    pub effort: Effort,
    /// When gaps are given up.
    pub gaps: GapPolicy,
    /// Whether more than one round is allowed without asking.
    pub autonomous: bool,
    /// Path parts that no search may return.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Questions to answer in place of a plan that a model or code would make; empty when one is to be made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<String>,
    /// Whether the run waits when its plan is made, until somebody edits the plan or lets it go on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub review_plan: bool,
    /// Statements that the user wants tested, each a hypothesis beside those that a model names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_test: Vec<String>,
    /// The run that it came of, where it was begun to test an explanation of that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Tested>,
    /// The run that it came of, where it was begun to look once more for what that one gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reopened: Option<Reopened>,
    /// Whether explanations that compete are asked for and tested. Journals of earlier versions did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hypotheses: bool,
    /// Whether a model is asked to criticise the answer, and to revise it once. Journals of earlier versions did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub critique: bool,
    /// Whether code tells what speaks against the answer, by what the run measured, where no language model is asked. Absent where one
    /// is, and in journals of earlier versions, which knew nothing of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_critique: Option<bool>,
    /// Whether a language model is asked for fallacies in what the answer quotes and in explanations. Journals of earlier versions
    /// did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fallacy_check: bool,
    /// Ids of the lenses that the evidence is looked at through once the answer was checked; empty for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lenses: Vec<String>,
    /// The domain pack: an id, or `auto` where the corpus is to decide. Empty is `general`.
    #[serde(default, skip_serializing_if = "is_general")]
    pub pack: String,
    /// The mode in which prompts are put. Empty is `detective`.
    #[serde(default, skip_serializing_if = "is_detective")]
    pub mode: String,
    /// Whether a vague question is answered with questions first. Somebody must be there to answer.
    #[serde(default, skip_serializing_if = "Asking::is_never")]
    pub clarify: Asking,
    /// How what was read is judged and followed up.
    #[serde(default, skip_serializing_if = "Reflecting::is_ledger")]
    pub reflection: Reflecting,
    /// Whether what stands out is looked for by code too; what a model marks as an insight is looked at anyway.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub insights: bool,
    /// Whether both sides of a known tension answer a question that is about it. Journals of earlier versions did not know it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_sides: bool,
    /// Servers elsewhere that are sent something, none where everything but the web stays on the machine. Runs of earlier
    /// versions did not note it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Vec<Elsewhere>>,
    /// How the web is used; absent when it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web: Option<WebOptions>,
    /// By which rules its trace is derived, where it is noted; [`Self::rules`] tells it of runs that did not note it, too.
    #[serde(default = "Derivations::unnoted", skip_serializing_if = "Derivations::is_unnoted")]
    pub derivations: Derivations,
}

impl Options {
    /// The same without the secrets in what a person wants answered and tested, which is journaled, searched for and shown to models.
    #[must_use]
    pub fn without_secrets(mut self) -> Self {
        for text in self.plan.iter_mut().chain(&mut self.to_test) {
            *text = scrub(text).text;
        }
        self
    }

    /// The rules by which the run derives its trace. The versions that told parts of a question apart went by those of the second
    /// revision before runs noted one.
    #[must_use]
    pub fn rules(&self) -> Derivations {
        if self.gaps.apart { self.derivations.max(Derivations::SECOND) } else { self.derivations }
    }

    /// The same for a run that only begins: what an earlier version began keeps rules that are not those of now.
    #[must_use]
    pub fn for_a_new_run(self) -> Self {
        let GapPolicy { max_attempts, dry_rounds, .. } = self.gaps;
        let gaps = GapPolicy { max_attempts, dry_rounds, ..GapPolicy::default() };
        Self { gaps, derivations: Derivations::LATEST, ..self }
    }
}

fn is_general(pack: &str) -> bool {
    matches!(pack, "" | "general")
}

fn is_detective(mode: &str) -> bool {
    matches!(mode, "" | "detective")
}
