//! Acceptance: is the best unit good enough to answer, or does the question stay open?
//!
//! A small logistic model over what binding found. Its weights are fitted on the questions marked `dev`
//! (`scripts/fit_acceptance.py` over `elenchus-evals answers --features`), never on those marked `test`.

use elenchus_core::prompt::Bearing;

/// What acceptance is judged on. Shares are 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Features {
    /// Share of the nouns that are bound, weighted by rarity.
    pub(crate) noun: f64,
    /// Share of the verbs.
    pub(crate) verb: f64,
    /// Share of the words that say little.
    pub(crate) light: f64,
    /// Share of everything, names included.
    pub(crate) coverage: f64,
    /// Nouns in the question.
    pub(crate) nouns: f64,
    /// Words bound as they stand.
    pub(crate) exact: f64,
    /// Unbound nouns that the corpus uses elsewhere: a document that answered would use them.
    pub(crate) missing_known: f64,
    /// Unbound nouns that the corpus never uses.
    pub(crate) missing_unknown: f64,
    /// Unbound words that narrow a bound noun ("parental" of "parental leave").
    pub(crate) missing_narrower: f64,
    /// Cosine of question and unit.
    pub(crate) cosine: f64,
    /// Score ahead of the next unit of another passage.
    pub(crate) margin: f64,
    /// A value of a demanded kind stands in it.
    pub(crate) typed: f64,
    /// The question asks for a yes or no.
    pub(crate) yes_no: f64,
    /// Share of the bound words that stand in the unit itself, not around it.
    pub(crate) own: f64,
    /// How closely the words stand together; for surveys, not fitted.
    pub(crate) proximity: f64,
    /// How far the share of nouns is below 0.6.
    pub(crate) few_nouns: f64,
    /// Unbound words that narrow a bound noun, where a number is asked for.
    pub(crate) narrower_typed: f64,
    /// Speaks of a plan where none was asked for.
    pub(crate) planned: f64,
}

impl Features {
    /// What a passage that the question cites by its reference is judged on: everything is bound.
    pub(crate) fn of_citation() -> Self {
        Self {
            noun: 1.0,
            verb: 1.0,
            light: 1.0,
            coverage: 1.0,
            exact: 3.0,
            cosine: 1.0,
            own: 1.0,
            margin: 0.5,
            ..Self::default()
        }
    }

    /// Names and values in one fixed order, for fitting.
    pub(crate) fn named(&self) -> [(&'static str, f64); 17] {
        [
            ("noun", self.noun),
            ("verb", self.verb),
            ("light", self.light),
            ("coverage", self.coverage),
            ("nouns", self.nouns),
            ("exact", self.exact),
            ("missing_known", self.missing_known),
            ("missing_unknown", self.missing_unknown),
            ("missing_narrower", self.missing_narrower),
            ("cosine", self.cosine),
            ("margin", self.margin),
            ("typed", self.typed),
            ("yes_no", self.yes_no),
            ("few_nouns", self.few_nouns),
            ("narrower_typed", self.narrower_typed),
            ("own", self.own),
            ("planned", self.planned),
        ]
    }

    /// The probability that a unit with these features answers.
    pub(crate) fn probability(&self) -> f64 {
        let sum: f64 =
            self.named().iter().zip(WEIGHTS).map(|((_, value), weight)| value * weight).sum();
        1.0 / (1.0 + (-(sum + BIAS)).exp())
    }

    /// How firmly it answers, in three steps of about as many answers each on the tuning keys.
    pub(crate) fn bearing(&self) -> Bearing {
        match self.probability() {
            p if p >= 0.9 => Bearing::Strong,
            p if p >= 0.75 => Bearing::Fair,
            _ => Bearing::Weak,
        }
    }

    /// Whether it is good enough.
    pub(crate) fn accepts(&self) -> bool {
        self.probability() >= THRESHOLD
    }
}

/// Probability from which a unit answers. Set by hand on the tuning keys: the fit, which lets a wrong answer cost
/// twice a missed one, asks for 0.68 and gives up many more right answers.
const THRESHOLD: f64 = 0.58;
const BIAS: f64 = -2.446;
const WEIGHTS: [f64; 17] = [
    0.823, 0.772, 0.571, 0.852, 0.131, 0.193, -0.717, -0.646, 0.955, 0.206, 1.373, 0.571, 0.671,
    -0.464, 0.159, 0.495, 0.014,
];
