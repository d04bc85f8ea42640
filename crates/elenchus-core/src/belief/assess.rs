//! All claims of a text with what was found for each, put together: verdicts, word scores, confidence.

use super::entailment::JudgedPassage;
use super::vintage::settle;
use super::{
    Calibration, Claim, ClaimConfidence, ClaimSuScore, ConfidenceResult, EntailmentResult, SuScore,
    SubstantiveWord, Thresholds, Weighed,
};
use crate::port::Tier;
use serde::{Deserialize, Serialize};

/// A claim and what came of checking it.
#[derive(Clone, Debug)]
pub struct CheckedClaim {
    /// The claim.
    pub claim: Claim,
    /// Passages that bear on it, judged.
    pub passages: Vec<JudgedPassage>,
    /// Why passages, or the claim itself, could not be judged.
    pub unchecked: Vec<String>,
}

/// Every figure of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Assessed {
    /// The claims, in the order of the text.
    pub claims: Vec<Claim>,
    /// What the sources say about each.
    pub entailments: Vec<EntailmentResult>,
    /// Word by word.
    pub su_score: SuScore,
    /// How sure.
    pub confidence: ConfidenceResult,
}

impl Assessed {
    /// Puts checked claims together. A passage with a figure of which another one tells that it has changed since counts neither
    /// for nor against.
    pub fn new(
        checked: Vec<CheckedClaim>,
        thresholds: Thresholds,
        calibration: Option<&Calibration>,
    ) -> Self {
        let mut claims = Vec::with_capacity(checked.len());
        let mut entailments = Vec::with_capacity(checked.len());
        let mut words = Vec::with_capacity(checked.len());
        let mut figures = Vec::with_capacity(checked.len());
        for CheckedClaim { claim, mut passages, unchecked } in checked {
            let notes = settle(&mut passages, thresholds);
            let mut entailment =
                EntailmentResult::of(claim.id.clone(), passages.clone(), &unchecked, thresholds);
            let su_score = ClaimSuScore::of(&claim, |word| uncertainty(word, passages.iter()));
            // Which words a document has that conflicts is shown, and raises nothing.
            let agreeing = || passages.iter().filter(|passage| !passage.says_otherwise);
            let borne_out = ClaimSuScore::of(&claim, |word| uncertainty(word, agreeing()));
            let mut figure = ClaimConfidence::of(
                &Weighed {
                    claim: &claim,
                    passages: &passages,
                    entailment: &entailment,
                    su_score: &borne_out,
                },
                calibration,
            );
            entailment.note(&notes);
            figure.explained.children.extend(notes.into_iter().map(|note| note.explained));
            figures.push(figure);
            words.push(su_score);
            entailments.push(entailment);
            claims.push(claim);
        }
        let tiers: Vec<Tier> = entailments.iter().filter_map(|result| result.tier).collect();
        let said = calibration.map_or_else(
            || "no calibration: the figures are the methodology score".to_owned(),
            |calibration| calibration.said(&tiers),
        );
        let confidence = ConfidenceResult::new(figures, &entailments, said);
        Self { claims, entailments, su_score: SuScore::new(words), confidence }
    }
}

/// How far no passage bears out a word: 1 less the best grounding that any passage gives it.
fn uncertainty<'a>(
    word: &SubstantiveWord,
    passages: impl Iterator<Item = &'a JudgedPassage>,
) -> f64 {
    let best = passages
        .flat_map(|passage| &passage.judgement.grounding)
        .filter(|grounded| grounded.span.overlaps(word.position))
        .map(|grounded| grounded.score)
        .fold(0.0, f64::max);
    1.0 - best
}
