//! How a confidence came about, down to the single votes.

use super::aggregate::{Aggregate, Reported, mass};
use super::posterior::{Decay, Evidence, Prior, counted};
use super::settings::BankSettings;
use super::signal::{Signal, SignalKind};
use super::weights::Weights;
use crate::id::Timestamp;
use crate::measure::Explained;
use std::collections::BTreeSet;

/// The rule of every confidence, as it is shown.
const RULE: &str = "(prior x its strength + what speaks for it + exposure) / (strength + what speaks for and against it + exposure)";

/// Voices within an hour from which an explanation says that they are many at once: somebody may go by several names.
const MANY_AT_ONCE: usize = 8;
const HOUR_MS: i64 = 3_600_000;
/// Sessions that were shown a strategy that are told one by one, the latest; those before them are added up.
const SHOWN_SINGLY: usize = 100;

/// What was believed before the evidence of a project, and why.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'e> {
    /// The belief.
    pub prior: Prior,
    /// Where other projects share the strategy and have judged it: what was believed at first, and their evidence, added up.
    pub elsewhere: Option<(Prior, &'e Evidence)>,
}

impl Grounds<'_> {
    /// What others said is told in sums: a project learns of another that shares a strategy what it believes, not who it is.
    fn explained(&self, weights: &Weights, settings: &BankSettings) -> Explained {
        let tree = |rule: &str| {
            Explained::new("prior", self.prior.mean, rule)
                .with("strength, in observations", self.prior.strength)
        };
        let Some((first, evidence)) = self.elsewhere else {
            return tree("first confidence by how the strategy came about, before any signal");
        };
        let said = evidence.reported.values().fold(Reported::default(), |sum, one| sum.plus(*one));
        let belief = evidence.posterior(first, weights, settings).mean();
        tree("what the other projects that share the strategy believe, as strongly as any first confidence").and(
            Explained::new("belief of the other projects", belief, RULE)
                .with("first confidence", first.mean)
                .with("strength of that, in observations", first.strength)
                .with("votes for it, by age", evidence.explicit_pos)
                .with("votes against it, by age", evidence.explicit_neg)
                .with("tasks that succeeded, by age", said.outcome_pos)
                .with("tasks that failed, by age", said.outcome_neg)
                .with("times put to use, by age", said.used_pos)
                .with("times left unused, by age", said.used_neg)
                .with("sessions that were shown it, by age", evidence.exposures),
        )
    }
}

/// The tree under the confidence of a strategy in one project: prior, votes, reports by actor, exposure, and what was
/// rolled up. The root's value is the mean of [`Evidence::posterior`] for the same arguments, and each of its parts is a sum over its children.
/// A whole log without an aggregate gives the same tree down to every signal.
pub fn why(
    grounds: Grounds<'_>,
    aggregate: Option<&Aggregate>,
    signals: &[Signal],
    decay: Decay,
    now: Timestamp,
    weights: &Weights,
    settings: &BankSettings,
) -> Explained {
    let evidence = Evidence::gather(aggregate, signals, decay, now);
    let posterior = evidence.posterior(grounds.prior, weights, settings);
    let view = View { aggregate, counted: counted(aggregate, signals), decay, now, weights };
    let (low, high) = posterior.interval();
    let mut root = Explained::new("confidence", posterior.mean(), RULE)
        .with("speaks for it, in observations", posterior.alpha)
        .with("speaks against it, in observations", posterior.beta)
        .with("lower end of the middle 90 %", low)
        .with("upper end of the middle 90 %", high)
        .and(grounds.explained(weights, settings));
    if let Some(votes) = view.votes(&evidence) {
        root = root.and(votes);
    }
    let actors: BTreeSet<&String> = evidence.reported.keys().collect();
    for actor in actors {
        root = root.and(view.reports(actor, &evidence.reported[actor], settings));
    }
    if evidence.exposures > 0.0 {
        root = root.and(view.exposure(&evidence, settings));
    }
    root
}

struct View<'a> {
    aggregate: Option<&'a Aggregate>,
    counted: Vec<&'a Signal>,
    decay: Decay,
    now: Timestamp,
    weights: &'a Weights,
}

impl View<'_> {
    fn of_kind(&self, kinds: &[SignalKind]) -> impl Iterator<Item = &Signal> {
        self.counted.iter().copied().filter(move |signal| kinds.contains(&signal.kind))
    }

    fn days_ago(&self, then: Timestamp) -> f64 {
        self.now.0.saturating_sub(then.0).max(0) as f64 / super::aggregate::DAY_MS
    }

    /// One signal: its weight times its share times its decay, negative where it speaks against.
    fn leaf(&self, signal: &Signal, weight: f64, heard: f64) -> Explained {
        let what = match (signal.kind, signal.positive) {
            (SignalKind::Explicit, true) => "called helpful",
            (SignalKind::Explicit, false) => "called unhelpful",
            (SignalKind::Usage, _) => "shown",
            (SignalKind::Used, true) => "put to use",
            (SignalKind::Used, false) => "shown and left unused",
            (SignalKind::Outcome, true) => "the task succeeded",
            (SignalKind::Outcome, false) => "the task failed",
        };
        let mut what = format!("{what} ({} by {}", signal.id, signal.actor);
        if !signal.session_id.is_empty() {
            what.push_str(", ");
            what.push_str(&signal.session_id);
        }
        what.push(')');
        if let Some(comment) = signal.comment.as_deref().filter(|comment| !comment.is_empty()) {
            what.push_str(": ");
            what.extend(comment.chars().take(120));
        }
        let decayed = self.decay.factor(signal.timestamp, self.now);
        let sign = if signal.positive { 1.0 } else { -1.0 };
        let value = sign * heard * weight * mass(signal) * decayed;
        Explained::new(what, value, "weight x share of the credit x what its age leaves of it")
            .with("weight", weight)
            .with("share", mass(signal))
            .with("left by its age", decayed)
            .with("days ago", self.days_ago(signal.timestamp))
    }

    fn votes(&self, evidence: &Evidence) -> Option<Explained> {
        let net = self.weights.explicit * (evidence.explicit_pos - evidence.explicit_neg);
        let rule = "sum of the last vote of each actor, against it negative";
        let mut votes = Explained::new("votes", net, rule);
        for signal in self.of_kind(&[SignalKind::Explicit]) {
            votes = votes.and(self.leaf(signal, self.weights.explicit, 1.0));
        }
        let voted: BTreeSet<&str> =
            self.of_kind(&[SignalKind::Explicit]).map(|signal| signal.actor.as_str()).collect();
        let rolled = self.aggregate.into_iter().flat_map(|rolled| &rolled.votes);
        for (actor, vote) in rolled.filter(|(actor, _)| !voted.contains(actor.as_str())) {
            let decayed = self.decay.factor(vote.at, self.now);
            let word = if vote.positive { "helpful" } else { "unhelpful" };
            let sign = if vote.positive { 1.0 } else { -1.0 };
            let what = format!("called {word} (by {actor}, rolled up)");
            let value = sign * self.weights.explicit * decayed;
            let rule = "weight x what its age leaves of it";
            votes = votes.and(
                Explained::new(what, value, rule)
                    .with("weight", self.weights.explicit)
                    .with("left by its age", decayed)
                    .with("days ago", self.days_ago(vote.at)),
            );
        }
        let at_once = self.voices_at_once();
        if at_once >= MANY_AT_ONCE {
            votes = votes
                .with("voices within one hour, unusually many: look who they are", at_once as f64);
        }
        (!votes.children.is_empty()).then_some(votes)
    }

    /// The most voices that voted within an hour of each other.
    fn voices_at_once(&self) -> usize {
        let mut times: Vec<i64> =
            self.of_kind(&[SignalKind::Explicit]).map(|signal| signal.timestamp.0).collect();
        times.sort_unstable();
        let until = |from: i64| times.partition_point(|at| *at < from.saturating_add(HOUR_MS));
        times.iter().enumerate().map(|(order, from)| until(*from) - order).max().unwrap_or(0)
    }

    fn reports(&self, actor: &str, reported: &Reported, settings: &BankSettings) -> Explained {
        let heard = Evidence::heard(reported, self.weights, settings.actor_mass);
        let net = |sums: &Reported| {
            heard
                * (self.weights.outcome * (sums.outcome_pos - sums.outcome_neg)
                    + self.weights.used * (sums.used_pos - sums.used_neg))
        };
        let rule = "sum of what the actor reported, times the share in which one actor is heard";
        let mut tree = Explained::new(format!("reports of {actor}"), net(reported), rule)
            .with("share in which it is heard", heard);
        let own = self.of_kind(&[SignalKind::Outcome, SignalKind::Used]);
        for signal in own.filter(|signal| signal.actor == actor) {
            let weight = match signal.kind {
                SignalKind::Outcome => self.weights.outcome,
                _ => self.weights.used,
            };
            tree = tree.and(self.leaf(signal, weight, heard));
        }
        let rolled = self.aggregate.and_then(|rolled| {
            let faded = self.decay.factor(rolled.last_rollup, self.now);
            rolled.reported.get(actor).map(|sums| sums.times(faded))
        });
        if let Some(sums) = rolled {
            let rule = "decayed sums of signals that left the log";
            tree = tree.and(
                Explained::new("rolled up", net(&sums), rule)
                    .with("tasks that succeeded", sums.outcome_pos)
                    .with("tasks that failed", sums.outcome_neg)
                    .with("times put to use", sums.used_pos)
                    .with("times left unused", sums.used_neg),
            );
        }
        tree
    }

    fn exposure(&self, evidence: &Evidence, settings: &BankSettings) -> Explained {
        let rule = "weight of usage x (1 - 0.5^n) / (1 - 0.5), n the sessions that were shown it: bounded, as being shown is no success, and at most what else speaks for it";
        let exposure = evidence.exposure(self.weights, settings);
        let mut tree = Explained::new("exposure", exposure, rule)
            .with("weight of usage", self.weights.usage)
            .with("sessions, by age", evidence.exposures);
        let shown: Vec<&Signal> = self.of_kind(&[SignalKind::Usage]).collect();
        let (earlier, latest) = shown.split_at(shown.len().saturating_sub(SHOWN_SINGLY));
        if !earlier.is_empty() {
            let left = |signal: &&Signal| self.decay.factor(signal.timestamp, self.now);
            let rule = "the sessions before those below, each by what its age leaves of it";
            let what = format!("shown to {} earlier sessions", earlier.len());
            tree = tree.and(Explained::new(what, earlier.iter().map(left).sum(), rule));
        }
        for signal in latest {
            let left = self.decay.factor(signal.timestamp, self.now);
            let what = format!("shown ({})", signal.id);
            tree = tree.and(
                Explained::new(what, left, "one session, by what its age leaves of it")
                    .with("days ago", self.days_ago(signal.timestamp)),
            );
        }
        if let Some(rolled) = self.aggregate.filter(|rolled| rolled.exposures > 0.0) {
            let left = rolled.exposures * self.decay.factor(rolled.last_rollup, self.now);
            let rule = "decayed number of sessions that left the log";
            tree = tree.and(Explained::new("rolled up", left, rule));
        }
        tree
    }
}
