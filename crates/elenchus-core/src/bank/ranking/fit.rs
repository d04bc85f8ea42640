//! Whether a strategy bears on what was asked at all.

/// Cosine from which a strategy without a word of the query bears on it.
const BY_SENSE: f64 = 0.48;
/// Cosine from which one does that shares a word. The three limits were set on 34 strategies about debugging, cooking, prices and
/// offices and 50 questions, half of them about none of these: 35 of the 40 pairs that belong together pass, and 10 of 89
/// that searches found beside them; of 33 found for 24 other questions without need, 3.
const WITH_A_WORD: f64 = 0.375;
/// Share of the query's words that is enough whatever the vectors say, where two or more are shared.
const BY_WORDS: f64 = 0.5;

/// What a strategy and a query have in common, by itself and not measured by the best of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Words of the query that it holds.
    pub shared: usize,
    /// Words of the query.
    pub asked: usize,
    /// Cosine of its nearest piece and the query; `None` without vectors.
    pub cosine: Option<f64>,
}

impl Fit {
    /// Whether it bears on something else. A single word of many is often one of another matter ("lost", "run"), and what the
    /// vectors find a little alike seldom is. Without vectors nothing is held to be far.
    pub fn is_far(self) -> bool {
        let Some(cosine) = self.cosine else { return false };
        let share = self.shared as f64 / self.asked.max(1) as f64;
        let by_words = (self.shared > 0 && share >= 1.0) || (self.shared > 1 && share >= BY_WORDS);
        let least = if self.shared > 0 { WITH_A_WORD } else { BY_SENSE };
        !by_words && cosine < least
    }
}
