//! The formulas of the first design, to the letter: Beta(1, 1), every showing a success, silence a wrong prediction.

/// Signals of one strategy so far.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    first: f64,
    /// Positive and negative of explicit, usage, outcome.
    counts: [(f64, f64); 3],
}

pub(super) const EXPLICIT: usize = 0;
pub(super) const USAGE: usize = 1;
pub(super) const OUTCOME: usize = 2;

impl Literal {
    pub(super) fn new(first: f64) -> Self {
        Self { first, counts: [(0.0, 0.0); 3] }
    }

    pub(super) fn add(&mut self, kind: usize, positive: bool) {
        if positive {
            self.counts[kind].0 += 1.0;
        } else {
            self.counts[kind].1 += 1.0;
        }
    }

    /// The stated first confidence until a signal comes, and then the ratio over Beta(1, 1).
    pub(super) fn confidence(&self, weights: &LiteralWeights) -> f64 {
        if self.counts.iter().all(|(pos, neg)| pos + neg == 0.0) {
            return self.first;
        }
        let shares = weights.shares();
        let (mut alpha, mut beta) = (1.0, 1.0);
        for ((pos, neg), share) in self.counts.iter().zip(shares) {
            alpha += share * pos;
            beta += share * neg;
        }
        alpha / (alpha + beta)
    }

    /// Whether any signal of a kind was positive.
    fn any_positive(&self, kind: usize) -> bool {
        self.counts[kind].0 > 0.0
    }
}

/// Shapes by kind.
pub(super) struct LiteralWeights {
    shapes: [(f64, f64); 3],
}

impl Default for LiteralWeights {
    fn default() -> Self {
        Self { shapes: [(7.0, 3.0), (5.0, 5.0), (5.0, 5.0)] }
    }
}

impl LiteralWeights {
    fn shares(&self) -> [f64; 3] {
        let raw = self.shapes.map(|(alpha, beta)| alpha / (alpha + beta));
        let total: f64 = raw.iter().sum();
        raw.map(|one| one / total)
    }

    /// A vote came: a kind without a positive signal counts as having said no.
    pub(super) fn learn(&mut self, memory: &Literal, helpful: bool) {
        for kind in [USAGE, OUTCOME] {
            if memory.any_positive(kind) == helpful {
                self.shapes[kind].0 += 1.0;
            } else {
                self.shapes[kind].1 += 1.0;
            }
        }
    }
}
