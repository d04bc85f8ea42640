//! What can be set about the bank: the keys of `reasoning_bank` in the configuration.

use serde::{Deserialize, Serialize};

/// Settings with their defaults (spec section 8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct BankSettings {
    /// Strategies returned by a search that names no number.
    pub default_limit: usize,
    /// The most that a search may return.
    pub max_limit: usize,
    /// Strategies below this confidence are not returned, in `[0, 1]`.
    pub min_confidence: f64,
    /// Factors of relevance for project, team and org, each in `[0, 1]`.
    pub scope_weights: [f64; 3],
    /// First confidence of what was distilled of a success.
    pub initial_success: f64,
    /// First confidence of what was distilled of a failure.
    pub initial_failure: f64,
    /// First confidence of what was recorded on purpose.
    pub initial_explicit: f64,
    /// First confidence of what is of unknown origin.
    pub initial_unknown: f64,
    /// Strategies below this confidence are not put into a prompt.
    pub min_for_injection: f64,
    /// Distinct sessions and actors that a promotion to a wider scope needs.
    pub consensus_threshold: u32,
    /// A strategy whose whole interval lies below this is archived.
    pub prune_threshold: f64,
    /// How often what is old is rolled up, in hours.
    pub decay_interval_h: f64,
    /// Days after which evidence counts half.
    pub half_life_days: f64,
    /// The same for strategies to avoid, which stay true longer.
    pub half_life_failure_days: f64,
    /// What all that one actor reports of use and outcomes can weigh together at most, in explicit votes; 0 for no bound.
    pub actor_mass: f64,
    /// Share of searches that give one place to a strategy of which little is known, in `[0, 1]`.
    pub exploration: f64,
    /// The most strategies that one finished session may leave.
    pub max_extractions_per_session: usize,
    /// Sessions that a distiller takes at once.
    pub queue_batch_size: usize,
    /// Distillers that work at once.
    pub worker_count: usize,
}

impl Default for BankSettings {
    fn default() -> Self {
        Self {
            default_limit: 5,
            max_limit: 20,
            min_confidence: 0.5,
            scope_weights: [1.0, 0.9, 0.8],
            initial_success: 0.7,
            initial_failure: 0.6,
            initial_explicit: 0.8,
            initial_unknown: 0.5,
            min_for_injection: 0.5,
            consensus_threshold: 2,
            prune_threshold: 0.3,
            decay_interval_h: 24.0,
            half_life_days: 90.0,
            half_life_failure_days: 180.0,
            actor_mass: 16.0,
            exploration: 0.1,
            max_extractions_per_session: 3,
            queue_batch_size: 10,
            worker_count: 2,
        }
    }
}
