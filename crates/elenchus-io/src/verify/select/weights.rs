//! What the signals weigh. Fitted on the gold sentences of WiCE dev and SciFact dev, both counting the same:
//! `elenchus-evals spans --data ../shared/data/claims --fit` prints this table.

use super::signals::COUNT;

/// One a signal: the score of a sentence is the sum.
pub(super) const WEIGHTS: [f64; COUNT] = [
    0.687,  // claim words, by meaning
    2.713,  // claim words by meaning, against the best
    0.576,  // claim words letter for letter, against the best
    1.349,  // direction, against the best
    0.160,  // names
    0.688,  // numbers
    2.019,  // sentence said by the claim
    1.199,  // length
    -0.337, // very short
    1.804,  // added by the sentence before
    3.115,  // short forms
    -0.404, // first
    1.976,  // how far down a short text
    -1.690, // how far down a long text
    -0.407, // no end mark
    -1.299, // near the middle of the text
    -0.615, // purpose
    0.297,  // outcome
    -0.358, // open matter
    1.363,  // figures
];

/// How the score, what the text as a whole has to do with the claim (two figures), and a constant make a similarity.
pub(super) const LEVEL: [f64; 4] = [0.525, 0.464, 5.107, -4.743];
