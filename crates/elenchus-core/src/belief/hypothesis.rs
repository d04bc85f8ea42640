//! Hypotheses: competing explanations, each with a credence of its own that evidence moves.
//!
//! Credences are independent of each other and need not sum to 1: two explanations may hold together, or none. A
//! credence is `sigmoid(logit(prior) + sum of what the independent sources add or take)`, so it is a function of the
//! set of judged passages alone: their order, and copies of a source, change nothing.

mod outlook;

pub use outlook::Outlook;

use super::clusters::{clusters, counted};
use super::{Calibration, JudgedPassage, SourceEvidence, Thresholds, log_odds};
use crate::id::{HypothesisId, PassageId, SourceId};
use crate::inquiry::Derivations;
use crate::measure::{Explained, logit, sigmoid};
use crate::prompt::Prior;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// From this credence on an explanation is confirmed, if enough independent sources bear it out.
pub const CONFIRMED: f64 = 0.85;
/// At this credence or below it is refuted.
pub const REFUTED: f64 = 0.15;
/// Independent sources without which nothing is confirmed or refuted, however sure one of them is.
pub const INDEPENDENT: usize = 2;

/// Up to this P(refutes) a passage may only name another cause of the same, and two causes may both hold: it denies nothing.
const ANOTHER_CAUSE: f64 = 0.6;

/// No independent source moves a credence by more than this, in natural log-odds: 20 to 1.
const BOUND: f64 = 3.0;
/// Each further independent source counts this share of the one before it. A choice, not a measurement: sources that
/// agree about an explanation have often read each other.
const DISCOUNT: f64 = 0.5;

/// Credences closer than this are one: below what summing floating-point numbers leaves behind.
const SAME: f64 = 1e-9;

/// The credence before any evidence. A model gives the word, and the number is ours: never so high or low that the
/// word alone confirms or refutes.
pub fn prior(word: Prior) -> f64 {
    match word {
        Prior::Likely => 0.5,
        Prior::Possible => 0.35,
        Prior::Unlikely => 0.2,
    }
}

/// Where an explanation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HypothesisStatus {
    /// Neither confirmed nor refuted.
    #[default]
    Active,
    /// At least [`CONFIRMED`], on at least [`INDEPENDENT`] independent sources and more than say otherwise.
    Confirmed,
    /// At most [`REFUTED`], counted from even odds as well, by at least [`INDEPENDENT`] independent sources and more than bear it
    /// out.
    Refuted,
    /// The user took it out; nothing that is found changes that.
    Dropped,
}

impl HypothesisStatus {
    /// The word used in data and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Confirmed => "confirmed",
            Self::Refuted => "refuted",
            Self::Dropped => "dropped",
        }
    }

    fn of(credence: f64, standing: &Standing) -> Self {
        if credence <= REFUTED && standing.may_refute() {
            Self::Refuted
        } else if credence >= CONFIRMED && standing.may_confirm() {
            Self::Confirmed
        } else {
            Self::Active
        }
    }
}

/// What stands behind a credence, beside its figure.
struct Standing {
    /// What the evidence alone comes to, in natural log-odds: the credence counted from even odds.
    evidence: f64,
    /// Independent sources that bear the explanation out.
    supporting: usize,
    /// Independent sources that say otherwise.
    contradicting: usize,
    rules: Derivations,
}

impl Standing {
    /// Whether enough sources bear it out. One that is denied as often as it is borne out is disputed.
    fn may_confirm(&self) -> bool {
        let undisputed = self.supporting > self.contradicting || self.rules < Derivations::FIFTH;
        self.supporting >= INDEPENDENT && undisputed
    }

    /// Whether evidence refutes it: what a model held likely before any does not, nor does one source that may be misread. (Of the
    /// labelled claims that the built-in verifier calls contradicted more than a quarter are not refuted.)
    fn may_refute(&self) -> bool {
        self.rules < Derivations::FIFTH
            || self.contradicting >= INDEPENDENT
                && self.contradicting > self.supporting
                && sigmoid(self.evidence) <= REFUTED
    }
}

/// A passage that was held against an explanation, with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The passage.
    pub passage_id: PassageId,
    /// Its judgement and place.
    pub judged: JudgedPassage,
}

/// A passage that speaks for or against an explanation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HypothesisEvidence {
    /// The passage.
    pub passage_id: PassageId,
    /// Its words and their place.
    #[serde(flatten)]
    pub evidence: SourceEvidence,
    /// What it would move the credence by if it stood alone, in natural log-odds, -3 to 3: above 0 for, below 0
    /// against.
    pub log_odds: f64,
}

/// A move of the credence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moved {
    /// The round in which it happened.
    pub round: u8,
    /// The passage that moved it.
    pub passage_id: PassageId,
    /// Where that stands, for people.
    pub location: String,
    /// By how much, in natural log-odds.
    pub log_odds: f64,
    /// The credence before, 0 to 1.
    pub before: f64,
    /// The credence after, 0 to 1.
    pub after: f64,
}

/// One test: what was searched for it, and what it came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HypothesisTest {
    /// The explanation.
    pub hypothesis_id: HypothesisId,
    /// The round.
    pub round: u8,
    /// Searches made for it in that round, for and against.
    pub queries: Vec<String>,
    /// Passages held against it for the first time.
    pub passages: u32,
    /// Of those, the ones that speak for it.
    pub evidence_for: Vec<PassageId>,
    /// And those that speak against it.
    pub evidence_against: Vec<PassageId>,
    /// The credence before, 0 to 1.
    pub before: f64,
    /// The credence after, 0 to 1.
    pub after: f64,
}

/// An explanation that competes with others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hypothesis {
    /// `h1`, `h2`, ... in the order of the model's reply.
    pub id: HypothesisId,
    /// What it says, in a model's words, or in the user's.
    pub claim: String,
    /// Whether the user put it up to be tested.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_user: bool,
    /// How likely the model held it before any evidence; of the user's own nothing is known, and it is possible.
    pub prior: Prior,
    /// The credence, 0 to 1; a credence of its own, not a share among the competitors.
    pub confidence: f64,
    /// What the credence amounts to.
    pub status: HypothesisStatus,
    /// Passages that speak for it, strongest first.
    pub supporting: Vec<HypothesisEvidence>,
    /// Passages that speak against it, strongest first.
    pub contradicting: Vec<HypothesisEvidence>,
    /// Independent sources that bear it out.
    pub independent_supporting: usize,
    /// Independent sources that say otherwise.
    pub independent_contradicting: usize,
    /// Passages held against it that moved nothing: they speak neither for nor against it.
    #[serde(default)]
    pub silent: usize,
    /// Passages that could not be judged.
    #[serde(default)]
    pub unchecked: usize,
    /// What moved the credence, in order.
    pub history: Vec<Moved>,
    /// Its tests, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<HypothesisTest>,
    /// Why the user took it out, in their words; empty where they gave no reason. Absent while it is under test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
    /// Names of fallacies that its wording commits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallacy_warnings: Vec<String>,
    /// By lens: the share of its points about passages held against this explanation that rest on one that speaks
    /// for it and on none that speaks against it, 0 to 1. A lens of which nothing is known is not there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub perspective_scores: BTreeMap<String, f64>,
    /// What would change where it stands.
    pub outlook: Vec<Outlook>,
    /// How the credence came about.
    pub explained: Explained,
}

/// What one passage would move a credence by, alone: up by the log-odds of the calibrated probability that it bears
/// the explanation out, down by the scaled log-odds of P(refutes); 0 where neither is more likely than not. It is the
/// measure that claims are judged by ([`log_odds`]), counted from even odds, because a passage that is not even likely
/// to bear an explanation out is no evidence for it. One that says otherwise in some part is none for it either, and one that may
/// only name another cause is none against it.
fn weight(judged: &JudgedPassage, calibration: &Calibration, rules: Derivations) -> f64 {
    let judgement = &judged.judgement;
    if !judgement.supports.is_finite() || !judgement.refutes.is_finite() {
        return 0.0;
    }
    let scaled =
        calibration.slope(judgement.tier) * log_odds(judgement.supports, judgement.refutes);
    if scaled > 0.0 && judged.says_otherwise {
        0.0
    } else if scaled > 0.0 {
        logit(calibration.apply(judgement.tier, scaled).p).clamp(0.0, BOUND)
    } else if judgement.refutes <= ANOTHER_CAUSE && rules >= Derivations::FIFTH {
        0.0
    } else {
        scaled.clamp(-BOUND, 0.0)
    }
}

/// What these passages come to, in natural log-odds.
fn evidence_of(weights: &BTreeMap<PassageId, (SourceId, f64)>) -> f64 {
    let clusters = clusters(weights.values().map(|(cluster, weight)| (cluster, *weight)));
    counted(&clusters, DISCOUNT).iter().map(|(_, part, _)| part).sum::<f64>()
}

/// The credence in log-odds when these passages are all there is.
fn total(prior: Prior, weights: &BTreeMap<PassageId, (SourceId, f64)>) -> f64 {
    logit(self::prior(prior)) + evidence_of(weights)
}

impl Hypothesis {
    /// An explanation before any evidence, by the rules of now.
    pub fn new(id: HypothesisId, claim: String, prior: Prior) -> Self {
        Self::under(id, claim, prior, Derivations::LATEST)
    }

    /// The same by the rules of a run.
    pub(crate) fn under(id: HypothesisId, claim: String, prior: Prior, rules: Derivations) -> Self {
        let mut new = Self {
            id,
            claim,
            by_user: false,
            prior,
            confidence: self::prior(prior),
            status: HypothesisStatus::Active,
            supporting: Vec::new(),
            contradicting: Vec::new(),
            independent_supporting: 0,
            independent_contradicting: 0,
            silent: 0,
            unchecked: 0,
            history: Vec::new(),
            tests: Vec::new(),
            dropped: None,
            fallacy_warnings: Vec::new(),
            perspective_scores: BTreeMap::new(),
            outlook: Vec::new(),
            explained: explained(prior, &[], &BTreeMap::new()),
        };
        new.outlook = outlook::of(&new, rules);
        new
    }

    /// Sets the credence to what `judged` amounts to: every passage that was held against the explanation so far,
    /// in any order, not only the new ones. Each move is written into the history under `round`. `rules` are those of the run.
    pub fn weigh(
        &mut self,
        judged: &[Judged],
        round: u8,
        thresholds: Thresholds,
        calibration: &Calibration,
        rules: Derivations,
    ) {
        let all: BTreeMap<&PassageId, &JudgedPassage> =
            judged.iter().map(|one| (&one.passage_id, &one.judged)).collect();
        let mut evidence: Vec<HypothesisEvidence> = all
            .iter()
            .map(|(passage_id, judged)| HypothesisEvidence {
                passage_id: (*passage_id).clone(),
                evidence: judged.evidence.clone(),
                log_odds: judged.reliability * weight(judged, calibration, rules),
            })
            .collect();
        evidence.retain(|one| one.log_odds.abs() > 0.0);
        // Stable, so that equals stay in the order of their passages.
        evidence.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()));
        self.note(&evidence, round);
        self.silent = all.len() - evidence.len();
        let (supporting, contradicting): (Vec<_>, Vec<_>) =
            evidence.into_iter().partition(|one| one.log_odds > 0.0);
        // A verdict is asked for here, as a source just above even odds is no second witness.
        let sources = |side: &[HypothesisEvidence], says: &dyn Fn(&SourceEvidence) -> bool| {
            let clusters: BTreeSet<&SourceId> = side
                .iter()
                .map(|one| &one.evidence)
                .filter(|e| says(e))
                .map(|e| &e.cluster)
                .collect();
            clusters.len()
        };
        self.independent_supporting =
            sources(&supporting, &|evidence| evidence.supports >= thresholds.supports);
        self.independent_contradicting =
            sources(&contradicting, &|evidence| evidence.refutes >= thresholds.refutes);
        (self.supporting, self.contradicting) = (supporting, contradicting);
        let weights = self.weights();
        self.confidence = sigmoid(total(self.prior, &weights));
        let standing = Standing {
            evidence: evidence_of(&weights),
            supporting: self.independent_supporting,
            contradicting: self.independent_contradicting,
            rules,
        };
        self.status = match self.dropped {
            Some(_) => HypothesisStatus::Dropped,
            None => HypothesisStatus::of(self.confidence, &standing),
        };
        let parts: Vec<&HypothesisEvidence> =
            self.supporting.iter().chain(&self.contradicting).collect();
        self.explained = explained(self.prior, &parts, &all);
        self.outlook = outlook::of(self, rules);
    }

    /// The user takes it out. Its figures stay as they are.
    pub(crate) fn set_aside(&mut self, reason: &str) {
        self.dropped = Some(reason.to_owned());
        self.status = HypothesisStatus::Dropped;
        // Nothing that could be found brings it back.
        self.outlook.clear();
    }

    /// The passages that count and what each weighs.
    fn weights(&self) -> BTreeMap<PassageId, (SourceId, f64)> {
        self.supporting
            .iter()
            .chain(&self.contradicting)
            .map(|one| (one.passage_id.clone(), (one.evidence.cluster.clone(), one.log_odds)))
            .collect()
    }

    /// Writes down what moves the credence on the way from the evidence so far to `evidence`, strongest first.
    fn note(&mut self, evidence: &[HypothesisEvidence], round: u8) {
        let mut weights = self.weights();
        let mut standing = total(self.prior, &weights);
        let mut step = |weights: &BTreeMap<PassageId, (SourceId, f64)>,
                        passage_id: &PassageId,
                        location: &str,
                        history: &mut Vec<Moved>| {
            let after = total(self.prior, weights);
            if (after - standing).abs() > SAME {
                history.push(Moved {
                    round,
                    passage_id: passage_id.clone(),
                    location: location.to_owned(),
                    log_odds: after - standing,
                    before: sigmoid(standing),
                    after: sigmoid(after),
                });
            }
            standing = after;
        };
        let mut history = Vec::new();
        // A passage may lose its weight: a newer document of its kind makes an old denial say what was.
        for lost in self.supporting.iter().chain(&self.contradicting) {
            if !evidence.iter().any(|one| one.passage_id == lost.passage_id) {
                weights.remove(&lost.passage_id);
                step(&weights, &lost.passage_id, &lost.evidence.location, &mut history);
            }
        }
        for one in evidence {
            let now = (one.evidence.cluster.clone(), one.log_odds);
            if weights.get(&one.passage_id) != Some(&now) {
                weights.insert(one.passage_id.clone(), now);
                step(&weights, &one.passage_id, &one.evidence.location, &mut history);
            }
        }
        self.history.append(&mut history);
    }
}

/// Hypotheses in the order in which they are shown: the highest credence first, then as they were numbered. Those that
/// the user took out come last.
pub fn ranked(mut hypotheses: Vec<Hypothesis>) -> Vec<Hypothesis> {
    hypotheses.sort_by(|a, b| {
        let out = a.dropped.is_some().cmp(&b.dropped.is_some());
        out.then_with(|| b.confidence.total_cmp(&a.confidence))
    });
    hypotheses
}

/// The tree of a credence, down to the judgement of each passage that counts.
fn explained(
    prior: Prior,
    evidence: &[&HypothesisEvidence],
    all: &BTreeMap<&PassageId, &JudgedPassage>,
) -> Explained {
    let clusters = clusters(evidence.iter().map(|one| (&one.evidence.cluster, one.log_odds)));
    let parts = counted(&clusters, DISCOUNT);
    let start = logit(self::prior(prior));
    let sum = start + parts.iter().map(|(_, part, _)| part).sum::<f64>();
    let mut tree = Explained::new(
        "credence",
        sigmoid(sum),
        "sigmoid(log-odds of the prior + what each independent source adds or takes)",
    )
    .and(
        Explained::new(
            "log-odds of the prior",
            start,
            format!("it begins as {}; the number for that word is fixed in code", prior.name()),
        )
        .with("prior", self::prior(prior)),
    );
    for (cluster, part, share) in parts {
        let strongest = evidence
            .iter()
            .find(|one| one.evidence.cluster == *cluster && (one.log_odds > 0.0) == (part > 0.0));
        let Some(one) = strongest else { continue };
        let mut node = Explained::new(
            one.evidence.location.clone(),
            part,
            "the strongest passage of an independent source, at most 3, times its share: 1 for the strongest source \
             of its side, half as much for each further one",
        )
        .with("supports", one.evidence.supports)
        .with("refutes", one.evidence.refutes)
        .with("alone", one.log_odds)
        .with("share", share);
        if let Some(judged) = all.get(&one.passage_id) {
            node = node.and(judged.judgement.explained.clone());
        }
        tree = tree.and(node);
    }
    tree
}

#[cfg(test)]
mod tests;
