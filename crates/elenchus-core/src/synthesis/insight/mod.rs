//! Insights: connections that a run makes and that are rare, each held to a rule and measured.
//!
//! A candidate is worded by a model (a mark in its draft) or found by code alone. It becomes an insight only when its
//! facts exist and the rule of its kind holds for the passages behind them. Its novelty is counted, not
//! asserted: how seldom the corpus and past runs bring its sources together ([`novelty`]).

mod found;
mod novelty;
mod rules;
#[cfg(test)]
mod tests;

pub(crate) use found::{Material, candidates};
pub use novelty::{Meeting, Meetings, Seen, Subject, novelty, past_meetings};
pub(crate) use rules::{Around, Candidate, Ruling, Tension, judge, subjects};

use crate::evidence::{ReadPassage, Span, char_slice};
use crate::id::{FactId, InsightId, PassageId, SourceId};
use crate::measure::Explained;
use crate::prompt::InsightKind;
use serde::{Deserialize, Serialize};

/// Whose words an insight is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WordedBy {
    /// The model's; a program checked what it rests on, not what it says.
    Model,
    /// The program's: it says no more than was counted.
    Program,
}

/// What a user thinks of an insight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum InsightFeedback {
    /// It helped.
    Useful,
    /// It did not.
    NotUseful,
    /// It is to be kept as a note.
    Saved,
}

impl InsightFeedback {
    /// The word for people and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Useful => "useful",
            Self::NotUseful => "not-useful",
            Self::Saved => "saved",
        }
    }

    /// The feedback of this word.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Useful, Self::NotUseful, Self::Saved].into_iter().find(|one| one.name() == word)
    }
}

/// A place that an insight rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Support {
    /// The fact, where it is one of the run's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact_id: Option<FactId>,
    /// The passage.
    pub passage_id: PassageId,
    /// The document.
    pub source_id: SourceId,
    /// Its copies count as one source.
    pub cluster: SourceId,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The record that it is, for texts that have them ("John.1.1").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The document's path.
    pub path: String,
    /// The document's title.
    pub title: String,
    /// Path, page and headings, for people.
    pub location: String,
    /// The exact words.
    pub quote: String,
    /// Characters of the passage.
    pub span: Span,
}

impl Support {
    /// The words at `span` of a passage; `None` when nothing stands there.
    pub(crate) fn of(read: &ReadPassage, span: Span, fact_id: Option<FactId>) -> Option<Self> {
        let quote = char_slice(&read.passage.text, span)?.to_owned();
        Some(Self {
            fact_id,
            passage_id: read.passage.id.clone(),
            source_id: read.source.id.clone(),
            cluster: read.source.cluster.clone(),
            author: read.source.author.clone(),
            record: read.passage.record.clone(),
            path: read.source.path.clone(),
            title: read.source.title.clone(),
            location: read.location(),
            quote,
            span,
        })
    }

    /// Who speaks: the author where one is known, otherwise the document with its copies.
    pub(crate) fn voice(&self) -> String {
        match &self.author {
            Some(author) => format!("author:{}", author.to_lowercase()),
            None => format!("document:{}", self.cluster),
        }
    }
}

/// A connection worth telling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Insight {
    /// `i1`, `i2`, ... the most novel first.
    pub id: InsightId,
    /// What kind of connection.
    #[serde(rename = "type")]
    pub kind: InsightKind,
    /// What it says.
    pub description: String,
    /// Whose words that is.
    pub worded_by: WordedBy,
    /// Why the rule of its kind holds, in words and counts.
    pub rule: String,
    /// What it rests on.
    pub supporting: Vec<Support>,
    /// How rarely its sources meet, 0 (always) to 1 (once in a thousand or less). See [`novelty()`].
    pub novelty: f64,
    /// How that came about.
    pub explained: Explained,
    /// What the user said of it; never part of a run, put in where it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<InsightFeedback>,
}
