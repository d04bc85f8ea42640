//! The catalog: what each fallacy is, how it sounds, and what to ask of whoever commits it.

mod causal;
mod formal;
mod presumption;
mod relevance;
mod theology;

use super::Point;
use serde::Serialize;

/// Whether the form alone is wrong, or what is said with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// The conclusion does not follow whatever the words mean.
    Formal,
    /// The form may be sound, but a premise is missing, beside the point or smuggled in.
    Informal,
}

/// Which set of fallacies one belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pack {
    /// Looked for in every text.
    General,
    /// Looked for when the reading of scripture is the subject.
    Theology,
}

/// A pattern over lower-case text with straight quotation marks and single spaces.
///
/// `~` stands for "a character that ends no sentence". A group `x` holds the words that the counter-question
/// repeats.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The pattern, in the syntax of the `regex` crate.
    pub pattern: &'static str,
    /// The lowest operating point at which it counts.
    pub point: Point,
    /// Whether it counts at [`Point::Strict`] as well where the linear model agrees. Not so where the model reads
    /// little more than the pattern's own words.
    pub raises: bool,
}

/// A check of an argument's form that no pattern can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// If P then Q; Q; so P.
    AffirmedConsequent,
    /// If P then Q; not P; so not Q.
    DeniedAntecedent,
    /// Every A is B; C is B; so C is A.
    UndistributedMiddle,
    /// P or Q; P; so not Q.
    AffirmedDisjunct,
    /// P because P.
    Circle,
}

/// One fallacy.
#[derive(Clone, Copy, Debug)]
pub struct Fallacy {
    /// A stable name for programs, in snake case.
    pub id: &'static str,
    /// The name that people use.
    pub name: &'static str,
    /// Formal or informal.
    pub family: Family,
    /// The set it belongs to.
    pub pack: Pack,
    /// What goes wrong.
    pub definition: &'static str,
    /// How it sounds.
    pub cue: &'static str,
    /// Texts that commit it and are noticed at [`Point::Strict`].
    pub examples: &'static [&'static str],
    /// Texts that commit it and are noticed at [`Point::Sensitive`] only: their words also serve sound arguments.
    pub subtle: &'static [&'static str],
    /// Texts that sound like it and do not commit it; no detector fires on them at [`Point::Strict`].
    pub counter_examples: &'static [&'static str],
    /// What to ask when no words of the text fit into [`Fallacy::asks`].
    pub question: &'static str,
    /// What to ask about the words that stand for `{x}`.
    pub asks: &'static str,
    /// The patterns.
    pub rules: &'static [Rule],
    /// The checks of form.
    pub forms: &'static [Form],
}

/// A pattern of the default operating point.
const fn strict(pattern: &'static str) -> Rule {
    Rule { pattern, point: Point::Strict, raises: true }
}

/// A pattern that asks for a reader who wants to miss little.
const fn sensitive(pattern: &'static str) -> Rule {
    Rule { pattern, point: Point::Sensitive, raises: true }
}

/// A pattern of common words that no agreement raises.
const fn hint(pattern: &'static str) -> Rule {
    Rule { pattern, point: Point::Sensitive, raises: false }
}

/// Every fallacy, in a fixed order: the formal ones, the informal ones, those of the packs.
pub const CATALOG: &[&Fallacy] = &[
    &formal::AFFIRMING_CONSEQUENT,
    &formal::DENYING_ANTECEDENT,
    &formal::UNDISTRIBUTED_MIDDLE,
    &formal::AFFIRMING_DISJUNCT,
    &relevance::AD_HOMINEM,
    &relevance::TU_QUOQUE,
    &relevance::STRAW_MAN,
    &relevance::RED_HERRING,
    &relevance::WORSE_PROBLEMS,
    &relevance::APPEAL_TO_AUTHORITY,
    &relevance::APPEAL_TO_POPULARITY,
    &relevance::APPEAL_TO_EMOTION,
    &relevance::APPEAL_TO_NATURE,
    &relevance::APPEAL_TO_TRADITION,
    &presumption::APPEAL_TO_IGNORANCE,
    &presumption::BURDEN_SHIFTING,
    &presumption::CIRCULAR_REASONING,
    &presumption::EQUIVOCATION,
    &presumption::FALSE_DILEMMA,
    &presumption::LOADED_QUESTION,
    &presumption::NO_TRUE_SCOTSMAN,
    &causal::SLIPPERY_SLOPE,
    &causal::HASTY_GENERALISATION,
    &causal::FALSE_CAUSE,
    &causal::CHERRY_PICKING,
    &causal::COMPOSITION,
    &causal::DIVISION,
    &theology::PROOF_TEXTING,
    &theology::VERSE_ISOLATION,
    &theology::EISEGESIS,
    &theology::CHRONOLOGICAL_SNOBBERY,
];

/// The fallacy of an id.
pub fn by_id(id: &str) -> Option<&'static Fallacy> {
    CATALOG.iter().copied().find(|fallacy| fallacy.id == id)
}
