//! Distilling: what a finished run or session teaches, in the form that the bank keeps.
//!
//! The reply is Markdown rather than JSON: up to three blocks of title, description, content, tags and outcome, or the word
//! `NO_EXTRACTIONS`. [`read_strategies`] takes what is there and guesses nothing.

mod read;
#[cfg(test)]
mod tests;

pub(super) use read::read;
pub use read::{left_out, read_strategies};

use super::safe::{Safe, line};
use crate::bank::{Draft, Origin, Outcome, Scope};
use crate::id::StrategyId;
use serde::{Deserialize, Serialize};

/// Longest title, in characters.
pub const TITLE: usize = 50;
/// Longest description, in characters.
pub const DESCRIPTION: usize = 200;
/// Longest content, in characters.
pub const CONTENT: usize = 20_000;
/// Longest line of a session that is shown.
const LINE: usize = 600;

/// Asks what a session teaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistillInput {
    /// How the session ended; `None` when nobody knows.
    pub outcome: Option<Outcome>,
    /// What happened, a line a step, free of secrets. Lines that begin with `recalled:` are advice that it was given.
    pub trace: String,
    /// At most so many strategies.
    pub most: u8,
    /// Titles of strategies that the session was shown: known already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
}

/// A strategy, as a model or the heuristic distiller proposes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedStrategy {
    /// A short name, 1 to 50 characters.
    pub title: String,
    /// When to use or avoid it, at most 200 characters.
    pub description: String,
    /// The steps or the explanation, 1 to 20,000 characters.
    pub content: String,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// To follow or to avoid.
    pub outcome: Outcome,
}

impl ProposedStrategy {
    /// As a draft for the bank. `from_web` says whether the session read anything that nobody vouches for; `lineage` are
    /// strategies that it was shown.
    pub fn into_draft(
        self,
        session: impl Into<String>,
        lineage: Vec<StrategyId>,
        from_web: bool,
    ) -> Draft {
        Draft {
            title: self.title,
            description: self.description,
            content: self.content,
            outcome: self.outcome,
            tags: self.tags,
            scope: Scope::Project,
            origin: Origin::Distilled,
            source_session: Some(session.into()),
            lineage,
            from_web,
        }
    }
}

/// What a session teaches; often nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Distilled {
    /// In the order of the reply.
    pub strategies: Vec<ProposedStrategy>,
}

/// The fillings: the trace gets what room the others leave.
pub(super) fn slots(input: &DistillInput, room: usize) -> Vec<(&'static str, Safe)> {
    let outcome = match input.outcome {
        Some(Outcome::Success) => "it succeeded",
        Some(Outcome::Failure) => "it failed",
        None => "nobody said whether it succeeded",
    };
    let known = super::fill::list(
        input.shown.iter().map(String::as_str),
        TITLE,
        room / 8,
        "titles",
        "(none)",
    );
    let mut slots = vec![
        ("outcome", Safe::fixed(outcome)),
        ("most", Safe::number(usize::from(input.most.clamp(1, 3)))),
        ("known", known),
    ];
    let lines: Vec<String> =
        input.trace.lines().map(|text| line(text, LINE)).filter(|text| !text.is_empty()).collect();
    let room = super::fill::left(room, &slots).saturating_sub(24);
    let trace = Safe::lines(&lines, room, "lines", "(nothing)");
    let trace = Safe::assembled(format!("<session>\n{}\n</session>", trace.as_str()));
    slots.push(("trace", trace));
    slots
}
