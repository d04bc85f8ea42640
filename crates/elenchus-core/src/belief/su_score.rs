//! SUScore: how much of what a claim hangs on is borne out, word by word.

use super::{Claim, SubstantiveWord};
use crate::id::ClaimId;
use crate::measure::Explained;
use serde::{Deserialize, Serialize};

/// The score of a claim without a substantive word.
pub const NO_WORDS: f64 = 0.5;

/// One word's part in the score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WordScore {
    /// As the claim has it.
    pub word: String,
    /// How much the claim hangs on it, 0 to 1.
    pub importance: f64,
    /// How far the evidence fails to bear out this very word, 0 (borne out) to 1 (not found).
    pub uncertainty: f64,
    /// `importance * uncertainty / sum of importances`: what the word takes off the score.
    pub contribution: f64,
}

/// The score of one claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimSuScore {
    /// The claim.
    pub claim_id: ClaimId,
    /// `1 - sum(importance * uncertainty) / sum(importance)`, 0 to 1; [`NO_WORDS`] without substantive words.
    pub score: f64,
    /// Its words, in the order of the claim.
    pub word_breakdown: Vec<WordScore>,
}

impl ClaimSuScore {
    /// Scores a claim. `uncertainty` is asked for each substantive word and is kept within 0 to 1.
    pub fn of(claim: &Claim, mut uncertainty: impl FnMut(&SubstantiveWord) -> f64) -> Self {
        let total: f64 = claim.substantive_words.iter().map(|word| word.importance).sum();
        let mut score = 1.0;
        let mut word_breakdown = Vec::with_capacity(claim.substantive_words.len());
        for word in &claim.substantive_words {
            let found = uncertainty(word);
            let uncertainty = if found.is_nan() { 1.0 } else { found.clamp(0.0, 1.0) };
            let contribution =
                if total > 0.0 { word.importance * uncertainty / total } else { 0.0 };
            score -= contribution;
            word_breakdown.push(WordScore {
                word: word.word.clone(),
                importance: word.importance,
                uncertainty,
                contribution,
            });
        }
        if total <= 0.0 {
            score = NO_WORDS;
        }
        Self { claim_id: claim.id.clone(), score: score.clamp(0.0, 1.0), word_breakdown }
    }

    /// The score with every word's part in it.
    pub fn explained(&self) -> Explained {
        let rule = if self.word_breakdown.is_empty() {
            "the claim has no noun, name, number or main verb"
        } else {
            "1 - sum(importance x uncertainty) / sum(importance)"
        };
        self.word_breakdown.iter().fold(
            Explained::new("SUScore", self.score, rule),
            |tree, word| {
                tree.with(
                    format!(
                        "\u{201C}{}\u{201D} (importance {}, uncertainty {:.2}) takes off",
                        word.word, word.importance, word.uncertainty
                    ),
                    word.contribution,
                )
            },
        )
    }
}

/// The scores of all claims of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuScore {
    /// The mean over claims; [`NO_WORDS`] without claims.
    pub overall_score: f64,
    /// One a claim.
    pub claim_scores: Vec<ClaimSuScore>,
    /// The rule in words.
    pub methodology: String,
}

impl SuScore {
    /// Puts claim scores together.
    pub fn new(claim_scores: Vec<ClaimSuScore>) -> Self {
        let overall_score = if claim_scores.is_empty() {
            NO_WORDS
        } else {
            claim_scores.iter().map(|claim| claim.score).sum::<f64>() / claim_scores.len() as f64
        };
        Self {
            overall_score,
            claim_scores,
            methodology:
                "mean over claims of 1 - sum(importance x uncertainty) / sum(importance); \
                          uncertainty is each word's own"
                    .to_owned(),
        }
    }
}
