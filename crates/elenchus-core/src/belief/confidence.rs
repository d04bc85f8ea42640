//! Confidence: what many sources together make of a claim, as a probability and as the methodology's weighted sum.

use super::clusters::{clusters, counted};
use super::entailment::JudgedPassage;
use super::{
    Calibrated, Calibration, CalibrationMap, Claim, ClaimSuScore, EntailmentResult, Verdict,
};
use crate::id::{ClaimId, SourceId};
use crate::measure::{Explained, logit};
use crate::port::Tier;
use serde::{Deserialize, Serialize};

/// Weight of P(supported) in the methodology figure.
pub const ENTAILMENT_WEIGHT: f64 = 0.5;
/// Weight of the SUScore.
pub const SU_SCORE_WEIGHT: f64 = 0.3;
/// Weight of the number of independent supporting sources.
pub const SOURCE_COUNT_WEIGHT: f64 = 0.2;
/// Independent supporting sources from which more add nothing to the methodology figure.
const ENOUGH_SOURCES: f64 = 3.0;
/// The overall figure of an answer without claims.
const NO_CLAIMS: f64 = 0.5;

/// Each further independent source counts this share of the one before it: sources that agree are seldom as
/// independent as their clusters make them look, and several that hardly speak of a claim must not add up to support.
const DISCOUNT: f64 = 0.2;
/// No cluster moves a claim by more than this, in natural log-odds.
const BOUND: f64 = 6.0;

/// How sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Below 0.5.
    VeryLow,
    /// From 0.5.
    Low,
    /// From 0.7.
    Medium,
    /// From 0.85.
    High,
}

impl Level {
    /// The level of a probability.
    pub fn of(p: f64) -> Self {
        if p >= 0.85 {
            Self::High
        } else if p >= 0.7 {
            Self::Medium
        } else if p >= 0.5 {
            Self::Low
        } else {
            Self::VeryLow
        }
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::VeryLow => "very low",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// One claim's figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimConfidence {
    /// The claim.
    pub claim_id: ClaimId,
    /// Its text.
    pub claim_text: String,
    /// The shown figure: calibrated where a map is there, else the methodology figure. Absent when unchecked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The calibrated probability that the sources bear the claim out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<f64>,
    /// The same before users said anything about such figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitted: Option<f64>,
    /// Its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// The level of `confidence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// 0.5 x entailment + 0.3 x SUScore + 0.2 x min(independent supporting sources / 3, 1).
    pub methodology_score: f64,
    /// P(supported) of the best passage, 0.3 without one.
    pub entailment_score: f64,
    /// The SUScore.
    pub su_score: f64,
    /// Independent sources (clusters) that bear it out.
    pub supporting_sources: usize,
    /// Independent sources that say otherwise.
    pub contradicting_sources: usize,
    /// How the shown figure came about.
    pub explained: Explained,
}

impl ClaimConfidence {
    /// Whether it was checked and no source bears it out, which is shown as a badge.
    pub fn is_unsupported(&self) -> bool {
        self.confidence.is_some() && self.supporting_sources == 0
    }
}

/// The weights of the methodology figure, and the figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Methodology {
    /// See [`ENTAILMENT_WEIGHT`].
    pub entailment_weight: f64,
    /// See [`SU_SCORE_WEIGHT`].
    pub su_score_weight: f64,
    /// See [`SOURCE_COUNT_WEIGHT`].
    pub source_count_weight: f64,
    /// The mean methodology figure over claims; 0.5 without claims.
    pub score: f64,
}

/// How much of an answer was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Claims.
    pub claims: usize,
    /// Claims that were checked.
    pub checked: usize,
    /// Claims that could not be.
    pub unchecked: usize,
    /// Checked claims that the sources bear out.
    pub supported: usize,
    /// Checked claims that they contradict.
    pub contradicted: usize,
}

/// What the figures of an answer amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Assessment {
    /// Every claim was checked.
    Assessed,
    /// Some were not; the level is capped at medium.
    Partial,
    /// It has no claim, or none could be checked.
    NotAssessable,
}

/// The figures of an answer. Written out, `overall_confidence` and `level` are null when nothing could be assessed: 0.5 would
/// pass for a figure. What earlier versions wrote is read as well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "Written", into = "Written")]
pub struct ConfidenceResult {
    /// Whether the figures mean anything.
    pub assessment: Assessment,
    /// The mean of the claims' shown figures; 0.5 when nothing could be assessed.
    pub overall_confidence: f64,
    /// Its level; very low when nothing could be assessed.
    pub level: Level,
    /// One a claim.
    pub claim_confidences: Vec<ClaimConfidence>,
    /// The weighted sum of seed 000, always beside the calibrated figure.
    pub methodology: Methodology,
    /// What to do about it.
    pub recommendations: Vec<String>,
    /// How much was checked.
    pub coverage: Coverage,
    /// Which calibration was used and what it is good for, in words.
    pub calibration: String,
}

/// The figures of an answer.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Written {
    /// Whether the figures mean anything.
    assessment: Assessment,
    /// The mean of the claims' shown figures; null when nothing could be assessed.
    #[serde(default)]
    overall_confidence: Option<f64>,
    /// Its level; null when nothing could be assessed.
    #[serde(default)]
    level: Option<Level>,
    /// One a claim; without a figure where it was not checked, and in an answer where it only came nearest to an open question.
    claim_confidences: Vec<ClaimConfidence>,
    /// The weighted sum of seed 000, always beside the calibrated figure.
    methodology: Methodology,
    /// What to do about it.
    recommendations: Vec<String>,
    /// How much was checked.
    coverage: Coverage,
    /// Which calibration was used and what it is good for, in words.
    calibration: String,
}

impl From<ConfidenceResult> for Written {
    fn from(result: ConfidenceResult) -> Self {
        let is_given = result.assessment != Assessment::NotAssessable;
        Self {
            assessment: result.assessment,
            overall_confidence: is_given.then_some(result.overall_confidence),
            level: is_given.then_some(result.level),
            claim_confidences: result.claim_confidences,
            methodology: result.methodology,
            recommendations: result.recommendations,
            coverage: result.coverage,
            calibration: result.calibration,
        }
    }
}

impl From<Written> for ConfidenceResult {
    fn from(written: Written) -> Self {
        Self {
            assessment: written.assessment,
            overall_confidence: written.overall_confidence.unwrap_or(NO_CLAIMS),
            level: written.level.unwrap_or(Level::VeryLow),
            claim_confidences: written.claim_confidences,
            methodology: written.methodology,
            recommendations: written.recommendations,
            coverage: written.coverage,
            calibration: written.calibration,
        }
    }
}

/// Evidence of one claim, ready to be added up.
#[derive(Clone, Debug)]
pub struct Weighed<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// Its judged passages.
    pub passages: &'a [JudgedPassage],
    /// What they amount to.
    pub entailment: &'a EntailmentResult,
    /// Its words, as far as passages that say otherwise in no part bear them out.
    pub su_score: &'a ClaimSuScore,
}

/// How far one passage moves a claim, in natural log-odds: up by `logit(supports) - logit(0.05)` where that is above
/// 0 (fading out as P(refutes) goes from 0.3 to 0.5), down by `logit(refutes) - logit(0.5)` where that is above 0, each
/// at most `BOUND`. A passage that is not even likely at
/// 1 in 20 to bear a claim out, and more likely than not no refutation, moves nothing: it is about something else.
/// (Measured: with P(refutes) in the denominator from 0 on, its noise on pairs that refute nothing halves the ranking
/// power of P(supports) on WiCE.)
pub fn log_odds(supports: f64, refutes: f64) -> f64 {
    let s = supports.clamp(0.0, 1.0);
    let r = refutes.clamp(0.0, 1.0 - s);
    let clear = ((0.5 - r) / 0.2).clamp(0.0, 1.0);
    let up = clear * (logit(s) - logit(0.05)).clamp(0.0, BOUND);
    let down = logit(r).clamp(0.0, BOUND);
    up - down
}

/// Adds passages up, in natural log-odds, each scaled by the slope of its tier. Within a cluster only the strongest passage for and the strongest against
/// count, so that a copy changes nothing; clusters are discounted by rank. The order of the passages does not matter,
/// a passage against never raises the sum and one in favour never lowers it. One that says otherwise in some part of the claim adds
/// nothing, whatever else is said of it. What a source weighs scales what it says, for and against.
pub fn pooled(
    passages: &[JudgedPassage],
    slope: impl Fn(Tier) -> f64,
) -> (f64, Vec<(SourceId, f64)>) {
    let weights = passages.iter().map(|passage| {
        let moved = slope(passage.judgement.tier) * moves(passage);
        (&passage.evidence.cluster, weight(passage) * moved)
    });
    let parts: Vec<(SourceId, f64)> = counted(&clusters(weights), DISCOUNT)
        .into_iter()
        .map(|(cluster, part, _)| (cluster.clone(), part))
        .collect();
    let sum = parts.iter().fold(0.0, |sum, (_, part)| sum + part);
    (sum, parts)
}

/// How far one passage moves a claim by what was judged of it, in natural log-odds.
fn moves(passage: &JudgedPassage) -> f64 {
    let moved = log_odds(passage.judgement.supports, passage.judgement.refutes);
    if passage.says_otherwise { moved.min(0.0) } else { moved }
}

/// What the source of a passage weighs, 0 to 1; what is no number weighs nothing.
fn weight(passage: &JudgedPassage) -> f64 {
    if passage.reliability.is_finite() { passage.reliability.clamp(0.0, 1.0) } else { 0.0 }
}

impl ClaimConfidence {
    /// The figures of one claim.
    pub fn of(weighed: &Weighed<'_>, calibration: Option<&Calibration>) -> Self {
        let Weighed { claim, passages, entailment, su_score } = weighed;
        let clusters = |evidence: &[super::SourceEvidence]| {
            let mut ids: Vec<&SourceId> = evidence.iter().map(|e| &e.cluster).collect();
            ids.sort();
            ids.dedup();
            ids.len()
        };
        let supporting = clusters(&entailment.supporting_sources);
        let contradicting = clusters(&entailment.contradicting_sources);
        let sources = (supporting as f64 / ENOUGH_SOURCES).min(1.0);
        let methodology_score = ENTAILMENT_WEIGHT * entailment.score
            + SU_SCORE_WEIGHT * su_score.score
            + SOURCE_COUNT_WEIGHT * sources;
        let methodology = Explained::new(
            "methodology score",
            methodology_score,
            "0.5 x entailment + 0.3 x SUScore + 0.2 x min(independent supporting sources / 3, 1)",
        )
        .with("entailment", entailment.score)
        .with("independent supporting sources", supporting as f64)
        .and(su_score.explained());
        if let Verdict::Unchecked { reason } = &entailment.verdict {
            return Self {
                claim_id: claim.id.clone(),
                claim_text: claim.text.clone(),
                confidence: None,
                calibrated: None,
                fitted: None,
                interval: None,
                level: None,
                methodology_score,
                entailment_score: entailment.score,
                su_score: su_score.score,
                supporting_sources: 0,
                contradicting_sources: 0,
                explained: Explained::new("confidence", 0.0, format!("not checked: {reason}")),
            };
        }
        let slope = |tier| calibration.map_or(1.0, |c| c.slope(tier));
        let (sum, parts) = pooled(passages, slope);
        let tier = entailment.tier.unwrap_or(Tier::Features);
        // A figure that nothing was fitted for is no calibrated one, whatever other figures are.
        let calibration = calibration.filter(|c| c.map(tier).is_some());
        let calibrated: Option<Calibrated> = calibration.map(|c| c.apply(tier, sum));
        let mut evidence = Explained::new(
            "log-odds of the evidence",
            sum,
            "for and against, the strongest passage of each independent source, each further source at a fifth",
        );
        for (cluster, moved) in &parts {
            let best = passages.iter().filter(|p| p.evidence.cluster == *cluster).max_by(|a, b| {
                let strength = |p: &JudgedPassage| weight(p) * moves(p) * moved.signum();
                strength(a).total_cmp(&strength(b))
            });
            let Some(best) = best else { continue };
            let mut part = Explained::new(
                best.evidence.location.clone(),
                *moved,
                "slope x (what P(supports) adds above 0.05 less what P(refutes) takes off above 0.5), discounted by rank",
            )
            .with("slope", slope(best.judgement.tier))
            .with("supports", best.judgement.supports)
            .with("refutes", best.judgement.refutes);
            if weight(best) < 1.0 {
                part = part.with("what a self-published page weighs", weight(best));
            }
            evidence = evidence.and(part.and(best.judgement.explained.clone()));
        }
        let explained = match (calibrated, calibration) {
            (Some(figure), Some(calibration)) => {
                let is_by_hand = calibration.map(tier).is_some_and(CalibrationMap::is_by_hand);
                let rule = if is_by_hand {
                    "sigmoid(bias + log-odds of the evidence): the bias is fitted on labelled pairs, the slope was set by hand"
                } else {
                    "sigmoid(bias + log-odds of the evidence), fitted on labelled pairs"
                };
                let mut tree =
                    Explained::new("confidence", figure.p, rule).with("bias", calibration.bias);
                if !calibration.feedback.is_empty() {
                    tree = tree.with("before your own judgements", figure.fitted);
                }
                for (name, error) in calibration.errors(tier) {
                    tree = tree.with(name, error);
                }
                tree.and(evidence).and(methodology)
            }
            _ => Explained::new(
                "confidence",
                methodology_score,
                "no calibration: the methodology score",
            )
            .and(evidence)
            .and(methodology),
        };
        let shown = calibrated.map_or(methodology_score, |figure| figure.p);
        Self {
            claim_id: claim.id.clone(),
            claim_text: claim.text.clone(),
            confidence: Some(shown),
            calibrated: calibrated.map(|figure| figure.p),
            fitted: calibrated.map(|figure| figure.fitted),
            interval: calibrated.map(|figure| (figure.low, figure.high)),
            level: Some(Level::of(shown)),
            methodology_score,
            entailment_score: entailment.score,
            su_score: su_score.score,
            supporting_sources: supporting,
            contradicting_sources: contradicting,
            explained,
        }
    }
}

impl ClaimConfidence {
    /// Multiplies the shown figure and its interval by a probability, and explains the product.
    pub(crate) fn scale(&mut self, by: f64, explain: impl FnOnce(f64) -> Explained) {
        let Some(before) = self.confidence else { return };
        let p = before * by;
        self.confidence = Some(p);
        self.calibrated = self.calibrated.map(|c| c * by);
        self.interval = self.interval.map(|(low, high)| (low * by, high * by));
        self.level = Some(Level::of(p));
        self.explained = explain(p);
    }
}

impl ConfidenceResult {
    /// Lets no figure be above the one `before` it, so that what is done about a critique cannot make anything surer.
    /// `same` tells which position there is the claim at a position here.
    pub(crate) fn cap(&mut self, before: &Self, same: impl Fn(usize) -> Option<usize>) {
        for (at, claim) in self.claim_confidences.iter_mut().enumerate() {
            let known = same(at).and_then(|there| before.claim_confidences.get(there)?.confidence);
            if let (Some(p), Some(most)) = (claim.confidence, known)
                && p > most
            {
                claim.scale(most / p, |p| {
                    Explained::new("confidence", p, "no more than before the critique")
                });
            }
        }
        if before.assessment != Assessment::NotAssessable
            && self.overall_confidence > before.overall_confidence
        {
            self.overall_confidence = before.overall_confidence;
            self.level = self.level.min(before.level);
        }
    }

    /// Makes the overall figure that of the chosen claims (positions). Coverage stays that of all.
    pub(crate) fn focus(&mut self, chosen: &[usize]) {
        let shown: Vec<f64> = chosen
            .iter()
            .filter_map(|at| self.claim_confidences.get(*at))
            .filter_map(|claim| claim.confidence)
            .collect();
        if shown.is_empty() {
            self.assessment = Assessment::NotAssessable;
            self.overall_confidence = NO_CLAIMS;
            self.level = Level::VeryLow;
            return;
        }
        self.overall_confidence = shown.iter().sum::<f64>() / shown.len() as f64;
        let level = Level::of(self.overall_confidence);
        self.level =
            if self.assessment == Assessment::Partial { level.min(Level::Medium) } else { level };
    }

    /// What a least confidence is held against, 0 to 1: the mean over all claims, where one that could not be checked counts
    /// as 0, so that a text does not pass by the little of it that was looked at. `None` when nothing could be assessed.
    pub fn reached(&self) -> Option<f64> {
        let sum: f64 = self.claim_confidences.iter().filter_map(|claim| claim.confidence).sum();
        let is_assessed = self.assessment != Assessment::NotAssessable;
        is_assessed.then(|| sum / self.claim_confidences.len().max(1) as f64)
    }

    /// Keeps the level at or below one, whatever the figure: what is answered in part, or by sources that contradict each
    /// other, is not to be relied on as a whole.
    pub(crate) fn level_at_most(&mut self, most: Level) {
        self.level = self.level.min(most);
    }

    /// The figures of an answer from those of its claims and their verdicts, in the same order.
    pub fn new(
        claims: Vec<ClaimConfidence>,
        verdicts: &[EntailmentResult],
        calibration: String,
    ) -> Self {
        let count =
            |test: fn(&Verdict) -> bool| verdicts.iter().filter(|v| test(&v.verdict)).count();
        let coverage = Coverage {
            claims: claims.len(),
            checked: claims.iter().filter(|claim| claim.confidence.is_some()).count(),
            unchecked: claims.iter().filter(|claim| claim.confidence.is_none()).count(),
            supported: count(|v| *v == Verdict::Entailed),
            contradicted: count(|v| *v == Verdict::Contradicted),
        };
        let shown: Vec<f64> = claims.iter().filter_map(|claim| claim.confidence).collect();
        let assessment = if shown.is_empty() {
            Assessment::NotAssessable
        } else if coverage.unchecked > 0 {
            Assessment::Partial
        } else {
            Assessment::Assessed
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let overall_confidence = if shown.is_empty() { NO_CLAIMS } else { mean(&shown) };
        let level = match assessment {
            Assessment::NotAssessable => Level::VeryLow,
            Assessment::Partial => Level::of(overall_confidence).min(Level::Medium),
            Assessment::Assessed => Level::of(overall_confidence),
        };
        let methodology: Vec<f64> = claims
            .iter()
            .filter(|claim| claim.confidence.is_some())
            .map(|claim| claim.methodology_score)
            .collect();
        let methodology = Methodology {
            entailment_weight: ENTAILMENT_WEIGHT,
            su_score_weight: SU_SCORE_WEIGHT,
            source_count_weight: SOURCE_COUNT_WEIGHT,
            score: if methodology.is_empty() { NO_CLAIMS } else { mean(&methodology) },
        };
        let recommendations = recommendations(&claims.iter().collect::<Vec<_>>(), &coverage);
        Self {
            assessment,
            overall_confidence,
            level,
            claim_confidences: claims,
            methodology,
            recommendations,
            coverage,
            calibration,
        }
    }
}

/// What to do about claims of which so much was checked.
pub(crate) fn recommendations(claims: &[&ClaimConfidence], coverage: &Coverage) -> Vec<String> {
    let mut out = Vec::new();
    let mut say = |n: usize, one: &str, many: &str| {
        if n == 1 {
            out.push(format!("1 {one}"));
        } else if n > 1 {
            out.push(format!("{n} {many}"));
        }
    };
    if coverage.claims == 0 {
        out.push("The text makes no statement that could be checked.".to_owned());
        return out;
    }
    say(
        coverage.contradicted,
        "claim is contradicted by the sources: correct it or say that sources disagree.",
        "claims are contradicted by the sources: correct them or say that sources disagree.",
    );
    say(
        coverage.checked - coverage.supported - coverage.contradicted,
        "claim is not borne out by the sources: find a source for it or take it out.",
        "claims are not borne out by the sources: find sources for them or take them out.",
    );
    let low = claims
        .iter()
        .filter(|claim| {
            claim.supporting_sources > 0 && claim.level.is_some_and(|l| l <= Level::Low)
        })
        .count();
    say(
        low,
        "supported claim has a low confidence: read its passage before you rely on it.",
        "supported claims have a low confidence: read their passages before you rely on them.",
    );
    let single = claims.iter().filter(|claim| claim.supporting_sources == 1).count();
    say(
        single,
        "claim rests on a single independent source.",
        "claims rest on a single independent source each.",
    );
    say(
        coverage.unchecked,
        "claim could not be checked and is left out of the mean.",
        "claims could not be checked and are left out of the mean.",
    );
    out
}

#[cfg(test)]
mod tests;
