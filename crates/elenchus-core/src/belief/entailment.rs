//! What the sources say about a claim.

use super::nearest::not_enough;
use super::vintage::Note;
use crate::evidence::{PartialDate, ReadPassage, Span, Vintage, char_slice, replaced};
use crate::id::{ClaimId, SourceId};
use crate::inquiry::Derivations;
use crate::pack::theology::verse_of;
use crate::port::{Judgement, Mismatch, Tier};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// What the evidence makes of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It bears it out.
    Entailed,
    /// It says otherwise.
    Contradicted,
    /// It does neither.
    Neutral {
        /// Why, when there is more to say than that ("no_passage").
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// It was not checked, which says nothing about the claim.
    Unchecked {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    /// The word for people.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Entailed => "supported",
            Self::Contradicted => "contradicted",
            Self::Neutral { .. } => "not supported",
            Self::Unchecked { .. } => "unchecked",
        }
    }
}

/// A piece of a source that was held against a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceEvidence {
    /// The document.
    pub source_id: SourceId,
    /// Where it is: a path or an address.
    pub source_url: String,
    /// Where in it, for people.
    pub location: String,
    /// The exact words.
    pub relevant_text: String,
    /// Characters of the document's extracted text: `document[span] == relevant_text`.
    pub span: Span,
    /// How near the passage is to the claim, 0 to 1: selection's figure, not a confidence.
    pub similarity: f64,
    /// Documents of one cluster count as one source; so do all translations of the Bible.
    pub cluster: SourceId,
    /// P(this passage bears the claim out).
    pub supports: f64,
    /// P(this passage says otherwise).
    pub refutes: f64,
}

/// The cluster of every verse.
pub(crate) static BIBLE: LazyLock<SourceId> = LazyLock::new(|| SourceId::from("bible"));

/// The independent source behind a passage. A verse is one source in however many translations a folder holds it: what
/// they say alike they have from the same text, and a second translation is no second witness. In runs of the first revision
/// each translation was one.
fn witness(read: &ReadPassage, rules: Derivations) -> &SourceId {
    let is_verse = || read.source.web.is_none() && verse_of(read).is_some();
    if rules >= Derivations::SECOND && is_verse() { &BIBLE } else { &read.source.cluster }
}

/// What all sources together say about a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntailmentResult {
    /// The claim.
    pub claim_id: ClaimId,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The greatest P(supported) among the passages.
    pub supports: f64,
    /// The greatest P(refuted) among the passages.
    pub refutes: f64,
    /// P(supported) for the methodology figure: that of the best passage that says otherwise in no part, 0.3 without a passage,
    /// and no more than 0.3 where every passage does.
    pub score: f64,
    /// Passages that bear it out, best first.
    pub supporting_sources: Vec<SourceEvidence>,
    /// Passages that say otherwise, strongest first.
    pub contradicting_sources: Vec<SourceEvidence>,
    /// In words: which sentence decided, or which word does not fit.
    pub reasoning: String,
    /// Which step decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// Parts of the claim that its best passage does not bear out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mismatches: Vec<Mismatch>,
}

/// P(supported) in the methodology figure when no passage bears on a claim.
pub const NO_PASSAGE: f64 = 0.3;

/// A judged passage.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedPassage {
    /// What was held against the claim.
    pub evidence: SourceEvidence,
    /// What came of it.
    pub judgement: Judgement,
    /// The time of its document, so that what it tells can be ordered beside the other passages.
    pub date: Option<PartialDate>,
    /// How much its source weighs ([`crate::evidence::Source::reliability`]).
    pub reliability: f64,
    /// The document that replaces its own, where one does ([`crate::evidence::replaced`]).
    pub replaced_by: Option<SourceId>,
    /// Whether it says otherwise in some part of the claim ([`Judgement::says_otherwise`]). However much of the rest it has, it
    /// bears nothing out then: a document that conflicts raises no figure. Never so in runs before the fifth revision.
    pub says_otherwise: bool,
}

impl JudgedPassage {
    /// What a judgement of a passage amounts to; `None` when the passage does not bear on the claim. `reads` are all
    /// passages held against it: of an old vintage (by its own word, or because a newer document of its kind, or one that
    /// replaces it, is among them) no contradiction counts, as it says what was so and not what is. By `rules` a run that
    /// was begun before one document replaced another judges as it did.
    pub fn of<'a>(
        read: &ReadPassage,
        mut judgement: Judgement,
        thresholds: Thresholds,
        reads: impl Iterator<Item = &'a ReadPassage>,
        rules: Derivations,
    ) -> Option<Self> {
        if judgement.similarity < thresholds.relevant {
            return None;
        }
        let when =
            |read: &ReadPassage| read.source.date.as_ref().map(|date| date.value.order_key());
        let newer = |other: &ReadPassage| {
            other.source.family == read.source.family
                && matches!((when(other), when(read)), (Some(newer), Some(older)) if newer > older)
        };
        let reads: Vec<&ReadPassage> = reads.collect();
        let replaced_by = (rules >= Derivations::SECOND)
            .then(|| replaced(reads.iter().copied()).remove(&read.source.id))
            .flatten();
        let is_old = read.source.vintage == Vintage::Superseded || replaced_by.is_some();
        if is_old || reads.iter().copied().any(newer) {
            judgement.refutes = 0.0;
        }
        let whole = Span { start: 0, end: read.passage.text.chars().count() };
        let decided = judgement.sentences.first().map_or(whole, |sentence| sentence.span);
        let (span, text) = match char_slice(&read.passage.text, decided) {
            Some(text) => (decided, text),
            None => (whole, read.passage.text.as_str()),
        };
        let evidence = SourceEvidence {
            source_id: read.source.id.clone(),
            source_url: read.source.path.clone(),
            location: read.location(),
            relevant_text: text.to_owned(),
            span: read.passage.in_document(span),
            similarity: judgement.similarity,
            cluster: witness(read, rules).clone(),
            supports: judgement.supports,
            refutes: judgement.refutes,
        };
        let date = read.source.date.as_ref().map(|date| date.value);
        let reliability = read.source.reliability();
        let says_otherwise = rules >= Derivations::FIFTH && judgement.says_otherwise();
        Some(Self { evidence, judgement, date, reliability, replaced_by, says_otherwise })
    }
}

/// Thresholds of verdicts on P(supports) and P(refutes).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thresholds {
    /// From here a passage supports.
    pub supports: f64,
    /// From here a passage contradicts, unless it supports more.
    pub refutes: f64,
    /// From this similarity on a passage is read as bearing on a claim at all.
    pub relevant: f64,
}

/// What the figures of a checked claim are of, by their names: the verdict is made on two of them, and a third is beside it.
pub const FIGURES: [(&str, &str); 3] = [
    (
        "supports",
        "P(supported) by the passage that bears the claim out best; `supported` is decided on it",
    ),
    (
        "refutes",
        "P(refuted) by the passage that most says otherwise; `contradicted` is decided on it",
    ),
    (
        "confidence",
        "calibrated P(the sources bear it out) over all its passages and independent sources; no verdict is decided on it",
    ),
];

impl EntailmentResult {
    /// Whether one source bears the claim out and another says otherwise.
    pub fn is_disputed(&self) -> bool {
        self.verdict == Verdict::Entailed && !self.contradicting_sources.is_empty()
    }

    /// The word for people: that of the verdict, or that it is disputed.
    pub fn word(&self) -> &'static str {
        if self.is_disputed() { "disputed" } else { self.verdict.word() }
    }

    /// Puts the judged passages of a claim together. `unchecked` holds reasons of passages that could not be
    /// judged; with no judged passage they make the claim unchecked.
    pub fn of(
        claim_id: ClaimId,
        mut passages: Vec<JudgedPassage>,
        unchecked: &[String],
        thresholds: Thresholds,
    ) -> Self {
        let mut result = Self {
            claim_id,
            verdict: Verdict::Neutral { reason: Some("no_passage".to_owned()) },
            supports: 0.0,
            refutes: 0.0,
            score: NO_PASSAGE,
            supporting_sources: Vec::new(),
            contradicting_sources: Vec::new(),
            reasoning: "no passage of the sources bears on this claim".to_owned(),
            tier: None,
            mismatches: Vec::new(),
        };
        if passages.is_empty() {
            if let Some(reason) = unchecked.first() {
                result.verdict = Verdict::Unchecked { reason: reason.clone() };
                result.reasoning = format!("not checked: {reason}");
            }
            return result;
        }
        // The order of the passages must not show, so ties are broken by place.
        passages.sort_by(|a, b| {
            b.judgement
                .supports
                .total_cmp(&a.judgement.supports)
                .then_with(|| a.evidence.source_id.cmp(&b.evidence.source_id))
                .then_with(|| a.evidence.span.cmp(&b.evidence.span))
        });
        result.supports = passages[0].judgement.supports;
        result.refutes = passages.iter().map(|p| p.judgement.refutes).fold(0.0, f64::max);
        result.score = match passages.iter().find(|passage| !passage.says_otherwise) {
            Some(best) => best.judgement.supports,
            None => passages.iter().map(|p| p.judgement.supports).fold(NO_PASSAGE, f64::min),
        };
        let supporting =
            |p: &&JudgedPassage| p.judgement.supports >= thresholds.supports && !p.says_otherwise;
        let contradicting = |p: &&JudgedPassage| {
            p.judgement.refutes >= thresholds.refutes && p.judgement.refutes > p.judgement.supports
        };
        result.supporting_sources =
            passages.iter().filter(supporting).map(|p| p.evidence.clone()).collect();
        let mut against: Vec<&JudgedPassage> = passages.iter().filter(contradicting).collect();
        against.sort_by(|a, b| b.judgement.refutes.total_cmp(&a.judgement.refutes));
        result.contradicting_sources = against.iter().map(|p| p.evidence.clone()).collect();
        let (verdict, decided) = if let Some(best) = passages.iter().find(supporting) {
            (Verdict::Entailed, best)
        } else if let Some(first) = against.first() {
            (Verdict::Contradicted, *first)
        } else {
            (Verdict::Neutral { reason: None }, &passages[0])
        };
        result.verdict = verdict;
        result.tier = Some(decided.judgement.tier);
        result.mismatches.clone_from(&decided.judgement.mismatches);
        result.reasoning = match (&result.verdict, result.mismatches.first()) {
            (Verdict::Entailed, _) if !result.contradicting_sources.is_empty() => format!(
                "{} bears it out, {} says otherwise",
                decided.evidence.location, result.contradicting_sources[0].location
            ),
            (Verdict::Entailed, _) => {
                let said = format!("{} bears it out", decided.evidence.location);
                match &decided.judgement.told.computed {
                    Some(sum) => format!("{said}: {sum}"),
                    None => said,
                }
            }
            (_, Some(mismatch)) => format!("{}: {}", decided.evidence.location, mismatch.reason),
            (Verdict::Contradicted, None) => {
                format!("{} says otherwise", decided.evidence.location)
            }
            _ => not_enough(&decided.evidence.location),
        };
        result
    }

    /// Adds what is said about the times of the passages.
    pub(crate) fn note(&mut self, notes: &[Note]) {
        for note in notes {
            self.reasoning.push_str("; ");
            self.reasoning.push_str(&note.said);
        }
    }
}
