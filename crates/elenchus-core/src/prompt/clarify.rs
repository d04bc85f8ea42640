//! Clarify: a vague question is answered with questions, which the user may answer or skip.

use super::defect::{DefectKind, Defects};
use super::read::{items, sentence};
use super::shape::{Field, Shape};
use crate::port::CorpusOverview;
use crate::text::{squeeze, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most questions asked back.
pub const MOST_QUESTIONS: usize = 4;
/// Most choices of one.
pub const MOST_CHOICES: usize = 4;
/// Longest question asked back, and longest reason, in characters.
const QUESTION: usize = 240;
/// Longest choice, in characters.
const CHOICE: usize = 100;

/// Asks whether a question is vague, and what to ask back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClarifyInput {
    /// The user's question.
    pub question: String,
    /// What can be searched.
    pub corpus: CorpusOverview,
    /// Whether a prompt says nothing of it but its size: what is asked back becomes a part of searches that leave this machine, and
    /// it is private.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guarded: bool,
}

/// A question asked back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClarifyingQuestion {
    /// The question, in a model's words.
    pub text: String,
    /// What its answer changes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Two to four answers to choose from, or none: then it is answered in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

/// Whether a question is vague, and what to ask back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clarification {
    /// Whether it is.
    pub vague: bool,
    /// At most [`MOST_QUESTIONS`]; none when it is not vague.
    pub questions: Vec<ClarifyingQuestion>,
}

/// What the user said when asked back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clarified {
    /// What was asked, in a model's words.
    pub question: String,
    /// What the user chose or wrote.
    pub answer: String,
}

pub(super) fn shape() -> Shape {
    let question = Shape::Object(vec![
        Field::essential("text", Shape::Text(QUESTION), "a short question to the user"),
        Field::optional("why", Shape::Text(QUESTION), "what the answer changes"),
        Field::optional("choices", Shape::list(Shape::Text(CHOICE), 8), "answers to choose from"),
    ]);
    Shape::Object(vec![
        Field::optional("vague", Shape::Flag, "whether the question must be made clear first"),
        Field::essential("questions", Shape::list(question, 8), "questions to the user, or none"),
    ])
}

/// What can be asked of the user. `None` when there were questions and nothing of them could be used.
pub(super) fn read(value: &Value, defects: &mut Defects) -> Option<Clarification> {
    let given = items(value, "questions");
    let mut kept: Vec<ClarifyingQuestion> = Vec::new();
    for (at, item) in &given {
        let asked = sentence(&item["text"], at, defects);
        let said = words(&asked);
        if said.is_empty() {
            defects.add(DefectKind::Empty, at, "a question without words");
        } else if kept.iter().any(|known| words(&known.text) == said) {
            defects.add(DefectKind::DuplicateId, at, "a question that stands already");
        } else if kept.len() == MOST_QUESTIONS {
            defects.add(DefectKind::TooLong, at, format!("more than {MOST_QUESTIONS} questions"));
        } else {
            let why = sentence(&item["why"], at, defects);
            let choices = choices(item, at, defects);
            kept.push(ClarifyingQuestion { text: asked, why, choices });
        }
    }
    if !given.is_empty() && kept.is_empty() {
        return None;
    }
    let vague = match value["vague"].as_bool() {
        Some(false) if !kept.is_empty() => {
            // Asking costs the user time, so the word that asks for nothing counts.
            let what = "questions about a question that it calls clear; none is asked";
            defects.add(DefectKind::Contradiction, "vague", what);
            kept.clear();
            false
        }
        Some(true) if kept.is_empty() => {
            defects.add(DefectKind::Contradiction, "vague", "vague, and nothing to ask");
            false
        }
        _ => !kept.is_empty(),
    };
    Some(Clarification { vague, questions: kept })
}

fn choices(item: &Value, at: &str, defects: &mut Defects) -> Vec<String> {
    let path = format!("{at}.choices");
    let mut kept: Vec<String> = Vec::new();
    for (_, choice) in items(item, "choices") {
        let choice = squeeze(&sentence(choice, &path, defects));
        let repeats = kept.iter().any(|known| words(known) == words(&choice));
        if !words(&choice).is_empty() && !repeats && kept.len() < MOST_CHOICES {
            kept.push(choice);
        }
    }
    if kept.len() == 1 {
        defects.add(DefectKind::Empty, &path, "one choice is none; it is asked in words");
        kept.clear();
    }
    kept
}
