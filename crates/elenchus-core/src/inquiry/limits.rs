//! Limits that a person puts in the place of those that a run began with.

use super::Budget;
use serde::{Deserialize, Serialize};

/// One limit of a [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Search rounds.
    Rounds,
    /// Passages read.
    Passages,
    /// Model calls.
    ModelCalls,
    /// Input and output tokens together.
    Tokens,
    /// Millionths of a US dollar.
    CostMicroUsd,
    /// Milliseconds from the first input.
    WallMs,
}

impl Limit {
    /// Every limit.
    pub const ALL: [Self; 6] = [
        Self::Rounds,
        Self::Passages,
        Self::ModelCalls,
        Self::Tokens,
        Self::CostMicroUsd,
        Self::WallMs,
    ];

    /// The word used in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Passages => "passages",
            Self::ModelCalls => "model_calls",
            Self::Tokens => "tokens",
            Self::CostMicroUsd => "cost_micro_usd",
            Self::WallMs => "wall_ms",
        }
    }

    /// What it limits, for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Passages => "passages",
            Self::ModelCalls => "model calls",
            Self::Tokens => "tokens",
            Self::CostMicroUsd => "US dollars",
            Self::WallMs => "seconds",
        }
    }

    /// A value of it in the unit that people are told: dollars and seconds in the place of their fractions.
    pub fn shown(self, value: u64) -> String {
        match self {
            Self::Rounds | Self::Passages | Self::ModelCalls | Self::Tokens => value.to_string(),
            Self::CostMicroUsd => (value as f64 / 1e6).to_string(),
            Self::WallMs => (value as f64 / 1e3).to_string(),
        }
    }

    /// The highest that it may be set to while a run is under way.
    pub fn most(self) -> u64 {
        match self {
            Self::Rounds => u64::from(Budget::HARD_ROUNDS),
            Self::Passages => 100_000,
            Self::ModelCalls => 1_000_000,
            Self::Tokens => 1_000_000_000_000,
            // A hundred thousand dollars.
            Self::CostMicroUsd => 100_000_000_000,
            // A week.
            Self::WallMs => 604_800_000,
        }
    }

    /// What a budget has of it; `None` where it sets no such limit.
    pub fn of(self, budget: &Budget) -> Option<u64> {
        match self {
            Self::Rounds => Some(budget.rounds.into()),
            Self::Passages => Some(budget.passages.into()),
            Self::ModelCalls => budget.model_calls.map(u64::from),
            Self::Tokens => budget.tokens,
            Self::CostMicroUsd => budget.cost_micro_usd,
            Self::WallMs => budget.wall_ms,
        }
    }

    /// Sets it, within what may be set.
    fn put(self, budget: &mut Budget, value: u64) {
        let value = value.clamp(1, self.most());
        match self {
            Self::Rounds => budget.rounds = u8::try_from(value).unwrap_or(Budget::HARD_ROUNDS),
            Self::Passages => budget.passages = u32::try_from(value).unwrap_or(u32::MAX),
            Self::ModelCalls => budget.model_calls = u32::try_from(value).ok(),
            Self::Tokens => budget.tokens = Some(value),
            Self::CostMicroUsd => budget.cost_micro_usd = Some(value),
            Self::WallMs => budget.wall_ms = Some(value),
        }
    }
}

/// Limits in the place of those that hold. What is absent stays as it is. Whole numbers from 1; a limit that is set is not taken
/// away again, and may be set to its highest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewLimits {
    /// Search rounds of the whole run, at most 10. Whoever sets them lets a run go on by itself that was to have one round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub rounds: Option<u64>,
    /// Passages read in the whole run, at most 100,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100_000)))]
    pub passages: Option<u64>,
    /// Model calls of the whole run, at most 1,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_000_000)))]
    pub model_calls: Option<u64>,
    /// Input and output tokens together, at most 1,000,000,000,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_000_000_000_000_u64)))]
    pub tokens: Option<u64>,
    /// Millionths of a US dollar, at most those of 100,000 dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100_000_000_000_u64)))]
    pub cost_micro_usd: Option<u64>,
    /// Milliseconds from the first input, pauses included, at most those of a week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 604_800_000)))]
    pub wall_ms: Option<u64>,
    /// Who sets them, for the trace; empty for the one user of a machine. A server puts down its caller.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
}

/// Why limits are not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsRefused {
    /// None is named.
    #[error("no limit is named")]
    Nothing,
    /// One is nothing, with which no run can do anything.
    #[error("the limit of {} would be 0", .0.title())]
    Zero(Limit),
    /// One is higher than it may be.
    #[error("{} {} are more than the {} that may be set", .limit.shown(*.asked), .limit.title(), .limit.shown(.limit.most()))]
    TooHigh {
        /// Which.
        limit: Limit,
        /// What was asked for.
        asked: u64,
    },
}

impl LimitsRefused {
    /// What to do instead.
    pub fn way_out(&self) -> String {
        match self {
            Self::Nothing => {
                let names: Vec<&str> = Limit::ALL.into_iter().map(Limit::name).collect();
                format!("give at least one of {}", names.join(", "))
            }
            Self::Zero(limit) => {
                format!("give at least 1, or leave {} as they are", limit.title())
            }
            Self::TooHigh { limit, .. } => {
                format!(
                    "give at most {}, counted from the beginning of the run",
                    limit.shown(limit.most())
                )
            }
        }
    }
}

/// A limit that was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitChanged {
    /// Which.
    pub limit: Limit,
    /// What it was; absent where there was no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// What it is now.
    pub to: u64,
}

impl LimitChanged {
    /// "passages from 50 to 200".
    pub fn told(&self) -> String {
        let Self { limit, from, to } = self;
        let from = from.map_or_else(|| "none".to_owned(), |from| limit.shown(from));
        format!("{} from {from} to {}", limit.title(), limit.shown(*to))
    }
}

impl NewLimits {
    /// The limits that are named, each with its value.
    pub fn named(&self) -> impl Iterator<Item = (Limit, u64)> + '_ {
        let value = |limit| match limit {
            Limit::Rounds => self.rounds,
            Limit::Passages => self.passages,
            Limit::ModelCalls => self.model_calls,
            Limit::Tokens => self.tokens,
            Limit::CostMicroUsd => self.cost_micro_usd,
            Limit::WallMs => self.wall_ms,
        };
        Limit::ALL.into_iter().filter_map(move |limit| Some((limit, value(limit)?)))
    }

    /// Names one.
    pub fn set(&mut self, limit: Limit, value: u64) {
        let place = match limit {
            Limit::Rounds => &mut self.rounds,
            Limit::Passages => &mut self.passages,
            Limit::ModelCalls => &mut self.model_calls,
            Limit::Tokens => &mut self.tokens,
            Limit::CostMicroUsd => &mut self.cost_micro_usd,
            Limit::WallMs => &mut self.wall_ms,
        };
        *place = Some(value);
    }

    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        self.named().next().is_none()
    }

    /// Why they are not to be set; `None` where they may be. Whoever sets limits asks this first: the run itself keeps them within
    /// what may be set and obeys.
    pub fn refusal(&self) -> Option<LimitsRefused> {
        if self.is_empty() {
            return Some(LimitsRefused::Nothing);
        }
        self.named().find_map(|(limit, asked)| match asked {
            0 => Some(LimitsRefused::Zero(limit)),
            asked if asked > limit.most() => Some(LimitsRefused::TooHigh { limit, asked }),
            _ => None,
        })
    }

    /// Puts them into a budget, and tells what changes by it.
    pub(crate) fn put_into(&self, budget: &mut Budget) -> Vec<LimitChanged> {
        let mut changes = Vec::new();
        for (limit, value) in self.named() {
            let from = limit.of(budget);
            limit.put(budget, value);
            if let Some(to) = limit.of(budget).filter(|to| Some(*to) != from) {
                changes.push(LimitChanged { limit, from, to });
            }
        }
        changes
    }

    /// "8 rounds, 200 passages".
    pub fn told(&self) -> String {
        let named: Vec<String> = self
            .named()
            .map(|(limit, value)| format!("{} {}", limit.shown(value), limit.title()))
            .collect();
        named.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_put_in_place_and_what_changes_is_told() {
        let mut budget = Budget { tokens: Some(9_000), ..Budget::default() };
        let new = NewLimits {
            rounds: Some(8),
            passages: Some(50),
            tokens: Some(12_000),
            cost_micro_usd: Some(250_000),
            wall_ms: Some(90_500),
            ..NewLimits::default()
        };
        let told: Vec<String> = new.put_into(&mut budget).iter().map(LimitChanged::told).collect();
        assert_eq!(
            told,
            [
                "rounds from 5 to 8",
                "tokens from 9000 to 12000",
                "US dollars from none to 0.25",
                "seconds from none to 90.5"
            ]
        );
        let expected = Budget {
            rounds: 8,
            tokens: Some(12_000),
            cost_micro_usd: Some(250_000),
            wall_ms: Some(90_500),
            ..Budget::default()
        };
        assert_eq!(budget, expected, "the passages are as they were");
        assert!(new.put_into(&mut budget).is_empty(), "nothing is left to be changed");
    }

    #[test]
    fn what_may_not_be_set_is_refused_with_its_bounds() {
        let refused = |json: serde_json::Value| {
            let new: NewLimits = serde_json::from_value(json).unwrap();
            new.refusal()
        };
        assert_eq!(refused(serde_json::json!({})), Some(LimitsRefused::Nothing));
        assert_eq!(
            refused(serde_json::json!({ "by": "ann" })),
            Some(LimitsRefused::Nothing),
            "a name is no limit"
        );
        let zero = serde_json::json!({ "rounds": 3, "passages": 0 });
        assert_eq!(refused(zero), Some(LimitsRefused::Zero(Limit::Passages)));
        for limit in Limit::ALL {
            let most = limit.most();
            assert_eq!(refused(serde_json::json!({ limit.name(): most })), None);
            let why = refused(serde_json::json!({ limit.name(): most + 1 })).unwrap();
            assert_eq!(why, LimitsRefused::TooHigh { limit, asked: most + 1 });
            assert!(why.way_out().contains(&limit.shown(most)), "{}", why.way_out());
        }
        let why = refused(serde_json::json!({ "rounds": 11 })).unwrap();
        assert_eq!(why.to_string(), "11 rounds are more than the 10 that may be set");
    }

    #[test]
    fn a_journal_that_asks_for_more_is_obeyed_within_bounds() {
        for (limit, value) in
            Limit::ALL.into_iter().flat_map(|limit| [(limit, 0), (limit, u64::MAX)])
        {
            let new: NewLimits =
                serde_json::from_value(serde_json::json!({ limit.name(): value })).unwrap();
            let mut budget = Budget::default();
            new.put_into(&mut budget);
            assert_eq!(limit.of(&budget), Some(value.clamp(1, limit.most())), "{limit:?}");
        }
    }
}
