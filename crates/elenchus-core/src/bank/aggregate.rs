//! What old signals come to, without the signals.

use super::signal::{Signal, SignalKind};
use super::{Decay, counted};
use crate::id::{StrategyId, Timestamp, short_hash};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Days in which a signal may still be taken back by another of the same occasion. After that it is settled, and
/// what comes later from the same occasion no longer counts; so a rollup can forget how the occasion went.
pub const SETTLES_AFTER_DAYS: f64 = 30.0;
pub(super) const DAY_MS: f64 = 86_400_000.0;

/// One actor's last explicit vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vote {
    /// For or against.
    pub positive: bool,
    /// When.
    pub at: Timestamp,
}

/// What one actor reported of a strategy in use, in decayed signals, each by its share of the credit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reported {
    /// Tasks that succeeded.
    pub outcome_pos: f64,
    /// Tasks that failed.
    pub outcome_neg: f64,
    /// Times that it was put to use.
    pub used_pos: f64,
    /// Times that it was shown and left unused.
    pub used_neg: f64,
}

impl Reported {
    /// Adds one signal's mass. Explicit votes and exposure are kept elsewhere.
    pub(super) fn add(&mut self, kind: SignalKind, positive: bool, mass: f64) {
        let sum = match (kind, positive) {
            (SignalKind::Outcome, true) => &mut self.outcome_pos,
            (SignalKind::Outcome, false) => &mut self.outcome_neg,
            (SignalKind::Used, true) => &mut self.used_pos,
            (SignalKind::Used, false) => &mut self.used_neg,
            (SignalKind::Explicit | SignalKind::Usage, _) => return,
        };
        *sum += mass;
    }

    /// The same, decayed by a factor.
    #[must_use]
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            outcome_pos: self.outcome_pos * factor,
            outcome_neg: self.outcome_neg * factor,
            used_pos: self.used_pos * factor,
            used_neg: self.used_neg * factor,
        }
    }

    /// Both together.
    #[must_use]
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            outcome_pos: self.outcome_pos + other.outcome_pos,
            outcome_neg: self.outcome_neg + other.outcome_neg,
            used_pos: self.used_pos + other.used_pos,
            used_neg: self.used_neg + other.used_neg,
        }
    }
}

/// Signals of one strategy in one project that were rolled up: their decayed sums at [`Aggregate::last_rollup`].
///
/// Exponential decay is the one kernel under which this loses nothing: the sums of later are the sums of now times a
/// factor. Votes are kept an actor each, because a later vote of the same actor replaces the earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Aggregate {
    /// The strategy.
    pub memory_id: StrategyId,
    /// The project in which the signals happened.
    pub project_id: String,
    /// Every actor's last explicit vote.
    pub votes: BTreeMap<String, Vote>,
    /// What every actor reported, decayed to `last_rollup`.
    pub reported: BTreeMap<String, Reported>,
    /// Sessions that were shown it, decayed to `last_rollup`.
    pub exposures: f64,
    /// Occasions that are settled, 12 hex digits each: nothing more counts from them.
    pub settled: BTreeSet<String>,
    /// When it was rolled up last.
    pub last_rollup: Timestamp,
}

/// The counts of the relation `signal_aggregates`, decayed to the time of the rollup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignalCounts {
    /// The strategy.
    pub memory_id: StrategyId,
    /// The project.
    pub project_id: String,
    /// Votes for it.
    pub explicit_pos: f64,
    /// Votes against it.
    pub explicit_neg: f64,
    /// Sessions that were shown it, and times that it was put to use.
    pub usage_pos: f64,
    /// Times that it was shown and left unused.
    pub usage_neg: f64,
    /// Tasks that succeeded.
    pub outcome_pos: f64,
    /// Tasks that failed.
    pub outcome_neg: f64,
    /// When it was rolled up last.
    pub last_rollup: Timestamp,
}

impl Aggregate {
    /// Nothing rolled up yet.
    pub fn empty(memory_id: StrategyId, project_id: impl Into<String>) -> Self {
        Self {
            memory_id,
            project_id: project_id.into(),
            votes: BTreeMap::new(),
            reported: BTreeMap::new(),
            exposures: 0.0,
            settled: BTreeSet::new(),
            last_rollup: Timestamp(0),
        }
    }

    /// Whether nothing more counts from an occasion.
    pub(super) fn has_settled(&self, key: &Key<'_>) -> bool {
        !self.settled.is_empty() && self.settled.contains(&key.digest())
    }

    /// The counts as they are shown and queried.
    pub fn counts(&self, decay: Decay) -> SignalCounts {
        let mut counts = SignalCounts {
            memory_id: self.memory_id.clone(),
            project_id: self.project_id.clone(),
            explicit_pos: 0.0,
            explicit_neg: 0.0,
            usage_pos: self.exposures,
            usage_neg: 0.0,
            outcome_pos: 0.0,
            outcome_neg: 0.0,
            last_rollup: self.last_rollup,
        };
        for vote in self.votes.values() {
            let mass = decay.factor(vote.at, self.last_rollup);
            if vote.positive {
                counts.explicit_pos += mass;
            } else {
                counts.explicit_neg += mass;
            }
        }
        for reported in self.reported.values() {
            counts.usage_pos += reported.used_pos;
            counts.usage_neg += reported.used_neg;
            counts.outcome_pos += reported.outcome_pos;
            counts.outcome_neg += reported.outcome_neg;
        }
        counts
    }
}

/// What a rollup did.
#[derive(Clone, Debug, PartialEq)]
pub struct RolledUp {
    /// The new sums.
    pub aggregate: Aggregate,
    /// Ids of the signals that are in them now and can go from the log. All others must stay.
    pub absorbed: Vec<String>,
}

/// Rolls up what is older than `before` and settled: explicit votes at once, everything else when its occasion can no
/// longer be taken back, [`SETTLES_AFTER_DAYS`] after its first signal. `signals` are those of the aggregate's strategy and project.
///
/// A `before` that is not later than the last rollup changes nothing.
pub fn roll_up(
    aggregate: &Aggregate,
    signals: &[Signal],
    before: Timestamp,
    decay: Decay,
) -> RolledUp {
    if before <= aggregate.last_rollup {
        return RolledUp { aggregate: aggregate.clone(), absorbed: Vec::new() };
    }
    let faded = decay.factor(aggregate.last_rollup, before);
    let mut next = aggregate.clone();
    next.last_rollup = before;
    next.exposures *= faded;
    for reported in next.reported.values_mut() {
        *reported = reported.times(faded);
    }
    let mut first: BTreeMap<Key<'_>, Timestamp> = BTreeMap::new();
    for signal in signals {
        let at = first.entry(Key::of(signal)).or_insert(signal.timestamp);
        *at = (*at).min(signal.timestamp);
    }
    let is_settled = |signal: &Signal| {
        let key = Key::of(signal);
        first.get(&key).is_some_and(|at| settles_at(*at) <= before) || aggregate.has_settled(&key)
    };
    for signal in counted(Some(aggregate), signals) {
        if signal.kind == SignalKind::Explicit || !is_settled(signal) {
            continue;
        }
        let mass = mass(signal) * decay.factor(signal.timestamp, before);
        if signal.kind == SignalKind::Usage {
            next.exposures += mass;
        } else {
            let reported = next.reported.entry(signal.actor.clone()).or_default();
            reported.add(signal.kind, signal.positive, mass);
        }
    }
    let mut absorbed = Vec::new();
    let mut old: Vec<&Signal> = signals.iter().filter(|s| s.timestamp < before).collect();
    old.sort_by(|a, b| (a.timestamp, &a.id).cmp(&(b.timestamp, &b.id)));
    for signal in old {
        if signal.kind == SignalKind::Explicit {
            let vote = Vote { positive: signal.positive, at: signal.timestamp };
            let last = next.votes.entry(signal.actor.clone()).or_insert(vote);
            if last.at <= vote.at {
                *last = vote;
            }
        } else {
            if !is_settled(signal) {
                continue;
            }
            next.settled.insert(Key::of(signal).digest());
        }
        absorbed.push(signal.id.clone());
    }
    RolledUp { aggregate: next, absorbed }
}

/// When an occasion that began then can no longer be taken back.
pub(super) fn settles_at(first: Timestamp) -> Timestamp {
    Timestamp(first.0.saturating_add((SETTLES_AFTER_DAYS * DAY_MS) as i64))
}

/// The mass of one signal before weight and decay: its share of the credit; exposure and votes are whole.
pub(super) fn mass(signal: &Signal) -> f64 {
    match signal.kind {
        SignalKind::Explicit | SignalKind::Usage => 1.0,
        SignalKind::Used | SignalKind::Outcome if signal.share.is_nan() => 0.0,
        SignalKind::Used | SignalKind::Outcome => signal.share.clamp(0.0, 1.0),
    }
}

/// What a signal is part of, borrowed: see [`super::occasion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Occasion<'s> {
    Session(&'s str),
    Search(&'s str),
    Day(i64),
}

/// What a signal is one of: signals of the same key replace each other. An explicit vote is its actor's, exposure its
/// session's, and a report its actor's in its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'s> {
    kind: SignalKind,
    occasion: Occasion<'s>,
    actor: &'s str,
}

impl<'s> Key<'s> {
    pub(super) fn of(signal: &'s Signal) -> Self {
        let occasion = match (signal.session_id.as_str(), &signal.search_id) {
            ("", None) => Occasion::Day(super::signal::day(signal.timestamp)),
            ("", Some(search)) => Occasion::Search(search.as_str()),
            (session, _) => Occasion::Session(session),
        };
        match signal.kind {
            SignalKind::Explicit => {
                Self { kind: signal.kind, occasion: Occasion::Day(0), actor: &signal.actor }
            }
            SignalKind::Usage => Self { kind: signal.kind, occasion, actor: "" },
            SignalKind::Used | SignalKind::Outcome => {
                Self { kind: signal.kind, occasion, actor: &signal.actor }
            }
        }
    }

    /// The key as it is kept of a settled occasion: 12 hex digits.
    pub(super) fn digest(&self) -> String {
        short_hash(format!("{self:?}").as_bytes(), 12)
    }
}
