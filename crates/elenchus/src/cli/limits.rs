//! Limits that are set of a run that has begun.

use super::asking::above_zero;
use clap::Args;
use elenchus_core::inquiry::NewLimits;

/// Limits of the whole run, what it has used included. Those that are not named stay.
#[derive(Debug, Default, Args)]
pub(crate) struct LimitArgs {
    /// Search rounds of the whole run, 1 to 10
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10), help_heading = "Limits")]
    pub(crate) max_rounds: Option<u64>,

    /// Most passages read in the whole run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000), help_heading = "Limits")]
    pub(crate) budget_passages: Option<u64>,

    /// Most model calls
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000), help_heading = "Limits")]
    pub(crate) budget_model_calls: Option<u64>,

    /// Most tokens, in and out together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000), help_heading = "Limits")]
    pub(crate) budget_tokens: Option<u64>,

    /// Most US dollars
    #[arg(long, value_name = "USD", value_parser = above_zero, help_heading = "Limits")]
    pub(crate) budget_usd: Option<f64>,

    /// Most seconds, pauses included
    #[arg(long, value_name = "S", value_parser = above_zero, help_heading = "Limits")]
    pub(crate) budget_seconds: Option<f64>,
}

impl LimitArgs {
    /// The limits that were named.
    pub(crate) fn named(&self) -> NewLimits {
        NewLimits {
            rounds: self.max_rounds,
            passages: self.budget_passages,
            model_calls: self.budget_model_calls,
            tokens: self.budget_tokens,
            cost_micro_usd: self.budget_usd.map(|usd| (usd * 1e6).ceil() as u64),
            wall_ms: self.budget_seconds.map(|seconds| (seconds * 1e3).ceil() as u64),
            by: String::new(),
        }
    }
}
