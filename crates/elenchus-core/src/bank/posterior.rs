//! What is believed of a strategy: a Beta posterior over its prior, its votes, its exposure and what came of it.
//!
//! `confidence = (m s0 + sum w_s S+_s + U) / (s0 + sum w_s (S+_s + S-_s) + U)` with `s` over explicit votes, outcome
//! signals and use, `U = min(w_u (1 - rho^n) / (1 - rho), sum w_s S+_s)` over `n` sessions that were shown it, and every
//! count decayed by `2^(-age / half-life)`: without news, belief goes back to the prior and its interval widens
//! (memory.md 4b). Being shown only strengthens what something else spoke for: by itself it moves nothing.

use super::aggregate::{Aggregate, Key, Reported, mass, settles_at};
use super::beta::Posterior;
use super::settings::BankSettings;
use super::signal::{Signal, SignalKind};
use super::strategy::{Draft, Origin, Outcome};
use super::weights::Weights;
use crate::id::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Observations that a prior is worth.
pub const PRIOR_STRENGTH: f64 = 4.0;
/// What every further session that was shown a strategy counts, of the one before.
pub const EXPOSURE_RATIO: f64 = 0.5;

/// How fast evidence fades.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decay {
    /// Days after which it counts half. 0, a negative number and what is no finite number mean never.
    pub half_life_days: f64,
}

impl Decay {
    /// Nothing fades.
    pub const NEVER: Self = Self { half_life_days: 0.0 };

    /// The decay of strategies to follow or to avoid: an anti-pattern is remembered longer.
    pub fn of(outcome: Outcome, settings: &BankSettings) -> Self {
        let half_life_days = match outcome {
            Outcome::Success => settings.half_life_days,
            Outcome::Failure => settings.half_life_failure_days,
        };
        Self { half_life_days }
    }

    /// What evidence of `then` counts at `now`, in `(0, 1]`; 1 where `then` is not earlier.
    pub fn factor(&self, then: Timestamp, now: Timestamp) -> f64 {
        if !self.half_life_days.is_finite() || self.half_life_days <= 0.0 {
            return 1.0;
        }
        let age_days = now.0.saturating_sub(then.0).max(0) as f64 / super::aggregate::DAY_MS;
        (-age_days / self.half_life_days).exp2()
    }
}

/// What is believed before any signal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prior {
    /// The first confidence, in `[0, 1]`.
    pub mean: f64,
    /// How many observations it is worth.
    pub strength: f64,
}

impl Prior {
    /// The prior of a strategy by how it came about: 0.8 recorded on purpose, 0.7 and 0.6 distilled of a success and
    /// a failure, 0.5 of unknown origin, unless set otherwise.
    pub fn of(draft: &Draft, settings: &BankSettings) -> Self {
        let mean = match (draft.origin, draft.outcome) {
            (Origin::Explicit, _) => settings.initial_explicit,
            (Origin::Distilled, Outcome::Success) => settings.initial_success,
            (Origin::Distilled, Outcome::Failure) => settings.initial_failure,
            (Origin::Imported, _) => settings.initial_unknown,
        };
        Self { mean, strength: PRIOR_STRENGTH }
    }

    /// The prior of a project that shares a strategy with others: what the others believe, at the strength of any
    /// prior, so that a project's own evidence soon outweighs it (partial pooling).
    pub fn pooled(elsewhere: &Posterior) -> Self {
        Self { mean: elsewhere.mean(), strength: PRIOR_STRENGTH }
    }

    /// As a distribution.
    pub fn posterior(&self) -> Posterior {
        let mean = if self.mean.is_finite() { self.mean.clamp(0.0, 1.0) } else { 0.5 };
        Posterior::new(mean * self.strength, (1.0 - mean) * self.strength)
    }
}

/// What speaks for and against a strategy at one time: decayed sums. Weights come later, so that one gathering serves
/// every weighting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// Votes for it.
    pub explicit_pos: f64,
    /// Votes against it.
    pub explicit_neg: f64,
    /// Sessions that were shown it.
    pub exposures: f64,
    /// What each actor reported.
    pub reported: BTreeMap<String, Reported>,
}

/// The signals that count, in the order of time: the last of each occasion within the days in which it can be taken
/// back, the last vote of each actor, and nothing of what an aggregate settled.
pub fn counted<'s>(aggregate: Option<&Aggregate>, signals: &'s [Signal]) -> Vec<&'s Signal> {
    let mut ordered: Vec<&Signal> = signals.iter().collect();
    ordered.sort_by(|a, b| (a.timestamp, &a.id).cmp(&(b.timestamp, &b.id)));
    let mut last: BTreeMap<Key<'_>, (Timestamp, &Signal)> = BTreeMap::new();
    for signal in ordered {
        let key = Key::of(signal);
        if aggregate.is_some_and(|rolled| rolled.has_settled(&key)) {
            continue;
        }
        let (first, latest) = last.entry(key).or_insert((signal.timestamp, signal));
        if signal.kind == SignalKind::Explicit || signal.timestamp < settles_at(*first) {
            *latest = signal;
        }
    }
    let replaced = |signal: &Signal| {
        let vote = aggregate.and_then(|rolled| rolled.votes.get(&signal.actor));
        signal.kind == SignalKind::Explicit && vote.is_some_and(|vote| vote.at > signal.timestamp)
    };
    let mut kept: Vec<&Signal> = last.into_values().map(|(_, signal)| signal).collect();
    kept.retain(|signal| !replaced(signal));
    kept.sort_by(|a, b| (a.timestamp, &a.id).cmp(&(b.timestamp, &b.id)));
    kept
}

impl Evidence {
    /// The evidence of one strategy in one project at `now`: what was rolled up, and the signals of the log.
    pub fn gather(
        aggregate: Option<&Aggregate>,
        signals: &[Signal],
        decay: Decay,
        now: Timestamp,
    ) -> Self {
        let mut sums = Self::default();
        let counted = counted(aggregate, signals);
        if let Some(rolled) = aggregate {
            let faded = decay.factor(rolled.last_rollup, now);
            sums.exposures = rolled.exposures * faded;
            for (actor, reported) in &rolled.reported {
                sums.reported.insert(actor.clone(), reported.times(faded));
            }
            let voted_since = |actor: &str| {
                counted.iter().any(|s| s.kind == SignalKind::Explicit && s.actor == actor)
            };
            for (actor, vote) in &rolled.votes {
                if !voted_since(actor) {
                    sums.vote(vote.positive, decay.factor(vote.at, now));
                }
            }
        }
        for signal in counted {
            sums.take(signal, decay.factor(signal.timestamp, now));
        }
        sums
    }

    /// Adds one signal that counts, decayed by `factor`.
    pub(super) fn take(&mut self, signal: &Signal, factor: f64) {
        let mass = mass(signal) * factor;
        match signal.kind {
            SignalKind::Explicit => self.vote(signal.positive, mass),
            SignalKind::Usage => self.exposures += mass,
            SignalKind::Used | SignalKind::Outcome => {
                let reported = self.reported.entry(signal.actor.clone()).or_default();
                reported.add(signal.kind, signal.positive, mass);
            }
        }
    }

    fn vote(&mut self, positive: bool, mass: f64) {
        if positive {
            self.explicit_pos += mass;
        } else {
            self.explicit_neg += mass;
        }
    }

    /// The same evidence at a later time, without a look at the signals: every sum fades alike. What was gathered at `then`
    /// can so be kept and read at any `now` until the next signal comes.
    #[must_use]
    pub fn faded(&self, decay: Decay, then: Timestamp, now: Timestamp) -> Self {
        let factor = decay.factor(then, now);
        let reported = self.reported.iter();
        Self {
            explicit_pos: self.explicit_pos * factor,
            explicit_neg: self.explicit_neg * factor,
            exposures: self.exposures * factor,
            reported: reported.map(|(actor, sums)| (actor.clone(), sums.times(factor))).collect(),
        }
    }

    /// Evidence of several projects together. Votes of one actor in two projects are two votes.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.explicit_pos += other.explicit_pos;
        self.explicit_neg += other.explicit_neg;
        self.exposures += other.exposures;
        for (actor, reported) in &other.reported {
            let sum = self.reported.entry(actor.clone()).or_default();
            *sum = sum.plus(*reported);
        }
        self
    }

    /// The share in which one actor's reports count: 1 for few, and less the more there are, so that all of them
    /// together never weigh as much as `most` explicit votes. `most` of 0 or less bounds nothing.
    pub(super) fn heard(reported: &Reported, weights: &Weights, most: f64) -> f64 {
        if !most.is_finite() || most <= 0.0 {
            return 1.0;
        }
        let said = weights.outcome * (reported.outcome_pos + reported.outcome_neg)
            + weights.used * (reported.used_pos + reported.used_neg);
        most / (most + said)
    }

    /// What the sessions that were shown it add to both sides of the fraction: at most twice the weight of usage, and never
    /// more than what votes, use and outcomes said for it. Who is shown a mistake again and again learns nothing of it.
    pub(super) fn exposure(&self, weights: &Weights, settings: &BankSettings) -> f64 {
        let shown =
            weights.usage * (1.0 - EXPOSURE_RATIO.powf(self.exposures)) / (1.0 - EXPOSURE_RATIO);
        shown.min(self.spoken_for(weights, settings))
    }

    /// What votes, use and outcomes said for it, in observations.
    fn spoken_for(&self, weights: &Weights, settings: &BankSettings) -> f64 {
        let heard = |reported: &Reported| {
            Self::heard(reported, weights, settings.actor_mass)
                * (weights.outcome * reported.outcome_pos + weights.used * reported.used_pos)
        };
        weights.explicit * self.explicit_pos + self.reported.values().map(heard).sum::<f64>()
    }

    /// Observations beside the prior's, exposure left out: what pruning and lift go by.
    pub fn observations(&self, weights: &Weights, settings: &BankSettings) -> f64 {
        let votes = weights.explicit * (self.explicit_pos + self.explicit_neg);
        let heard = |reported: &Reported| {
            Self::heard(reported, weights, settings.actor_mass)
                * (weights.outcome * (reported.outcome_pos + reported.outcome_neg)
                    + weights.used * (reported.used_pos + reported.used_neg))
        };
        votes + self.reported.values().map(heard).sum::<f64>()
    }

    /// The posterior over a prior. Its mean is the confidence.
    pub fn posterior(&self, prior: Prior, weights: &Weights, settings: &BankSettings) -> Posterior {
        let before = prior.posterior();
        let (mut alpha, mut beta) = (before.alpha, before.beta);
        alpha += self.spoken_for(weights, settings) + self.exposure(weights, settings);
        beta += weights.explicit * self.explicit_neg;
        for reported in self.reported.values() {
            let heard = Self::heard(reported, weights, settings.actor_mass);
            beta +=
                heard * (weights.outcome * reported.outcome_neg + weights.used * reported.used_neg);
        }
        Posterior::new(alpha, beta)
    }
}
