//! A planted world: a handful of documents of our own, a question, replies that stand for a language model, and the
//! truth about all of it, which no part of the product is told.

use super::words::holds;
use elenchus_core::inquiry::Options;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// One world, as a file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct World {
    /// `written`: no model said this.
    pub(crate) origin: String,
    /// What is planted, for people.
    pub(crate) about: String,
    /// What is asked.
    pub(crate) question: String,
    /// What differs from the usual options of a run with a language model.
    #[serde(default)]
    pub(crate) options: Map<String, Value>,
    /// The corpus.
    pub(crate) documents: Vec<Document>,
    /// By prompt, for lenses `perspective:LENS`: replies in the order of the calls, as JSON or, letter for letter, as a
    /// text. `{claim:WORDS}`, `{fact:WORDS}` and `{unit:WORDS}` become the id of what holds these words. What is not scripted is
    /// answered by the built-in model.
    #[serde(default)]
    pub(crate) replies: BTreeMap<String, Vec<Value>>,
    /// What is so.
    pub(crate) truth: Truth,
}

/// A file of the corpus.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    /// Relative, with forward slashes.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// The truth of a world. Texts are named by words that they hold.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Truth {
    /// The explanation that is right.
    pub(crate) right: Option<String>,
    /// How many independent sources truly bear an explanation out.
    pub(crate) witnesses: Vec<Witnesses>,
    /// Parts of the question that no document answers. Every other part is answered by one.
    pub(crate) gaps: Vec<String>,
    /// What a right short answer holds.
    pub(crate) answered: Vec<String>,
    /// Statements of two documents that cannot both hold.
    pub(crate) contradictions: Vec<[String; 2]>,
    /// Fallacies that somebody commits.
    pub(crate) fallacies: Vec<PlantedFallacy>,
    /// What a critic is right to say; whatever else the scripted critic says is wrong.
    pub(crate) findings: Vec<PlantedFinding>,
    /// Statements about the world, to be judged by its documents.
    pub(crate) statements: Vec<Statement>,
}

/// Independent sources behind an explanation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Witnesses {
    /// Words of the explanation.
    pub(crate) explanation: String,
    /// How many; copies of one count as one.
    pub(crate) independent: usize,
}

/// A fallacy that is in the world on purpose.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlantedFallacy {
    /// The path of a document, or the prompt whose reply commits it.
    pub(crate) place: String,
    /// The words that commit it, letter for letter.
    pub(crate) words: String,
    /// Its id in the catalog.
    pub(crate) fallacy: String,
}

/// Something that a critic is right about.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlantedFinding {
    /// "overstatement", "weak_citation", ...
    pub(crate) kind: String,
    /// Words of the finding's text.
    pub(crate) words: String,
}

/// A statement and whether the documents bear it out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Statement {
    /// In words of its own.
    pub(crate) text: String,
    /// Whether they do.
    pub(crate) supported: bool,
}

impl World {
    /// Every world of a folder, with its name, in the order of the names.
    pub(crate) fn all(folder: &Path) -> Result<Vec<(String, Self)>, String> {
        crate::folder::items(folder, Self::parse)
    }

    /// Reads a world, and refuses one whose truth speaks of what is not in it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let world: Self = serde_json::from_str(text).map_err(|cause| cause.to_string())?;
        let said = |prompt: &str| -> String {
            let texts = world.replies.iter().filter(|(key, _)| key.starts_with(prompt));
            texts.flat_map(|(_, replies)| replies).map(letters).collect::<Vec<_>>().join("\n")
        };
        let truth = &world.truth;
        let explanations = said("hypothesize");
        for words in truth.right.iter().chain(truth.witnesses.iter().map(|one| &one.explanation)) {
            if !holds(&explanations, words) {
                return Err(format!("no scripted explanation holds {words:?}"));
            }
        }
        for planted in &truth.fallacies {
            let document = world.documents.iter().find(|one| one.path == planted.place);
            let text = document.map_or_else(|| said(&planted.place), |one| one.text.clone());
            if !holds(&text, &planted.words) {
                return Err(format!("{} does not hold {:?}", planted.place, planted.words));
            }
            if elenchus_core::scrutiny::fallacy::by_id(&planted.fallacy).is_none() {
                return Err(format!("the catalog holds no fallacy {:?}", planted.fallacy));
            }
        }
        for planted in &truth.findings {
            if !holds(&said("critique"), &planted.words) {
                return Err(format!("no scripted criticism holds {:?}", planted.words));
            }
        }
        for words in truth.contradictions.iter().flatten() {
            if !world.documents.iter().any(|one| holds(&one.text, words)) {
                return Err(format!("no document holds {words:?}"));
            }
        }
        world.run_options()?;
        Ok(world)
    }

    /// The options of its run.
    pub(crate) fn run_options(&self) -> Result<Options, String> {
        let usual = Options {
            autonomous: true,
            hypotheses: true,
            critique: true,
            insights: true,
            ..Options::default()
        };
        let failed = |cause: serde_json::Error| format!("its options cannot be read: {cause}");
        let mut merged = serde_json::to_value(usual).map_err(failed)?;
        for (key, value) in &self.options {
            merged[key.as_str()] = value.clone();
        }
        serde_json::from_value(merged).map_err(failed)
    }

    /// Lays the documents down in a folder.
    pub(crate) fn lay_down(&self, folder: &Path) -> Result<(), String> {
        for document in &self.documents {
            let file = folder.join(&document.path);
            let failed =
                |cause: std::io::Error| format!("could not write {}: {cause}", file.display());
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent).map_err(failed)?;
            }
            std::fs::write(&file, &document.text).map_err(failed)?;
        }
        Ok(())
    }
}

/// A reply as a model would send it.
pub(crate) fn letters(reply: &Value) -> String {
    match reply {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimal(truth: &str) -> Result<World, String> {
        World::parse(&format!(
            r#"{{"origin": "written", "about": "", "question": "Why?",
                "documents": [{{"path": "a.md", "text": "The mill burned."}}],
                "replies": {{"hypothesize": [{{"hypotheses": [{{"claim": "Fire took the mill."}}]}}]}},
                "truth": {truth}}}"#
        ))
    }

    #[test]
    fn the_truth_must_be_about_the_world() {
        assert!(minimal(r#"{"right": "Fire took"}"#).is_ok());
        assert!(minimal(r#"{"right": "A flood took"}"#).unwrap_err().contains("A flood took"));
        let planted = |words: &str, fallacy: &str| {
            minimal(&format!(
                r#"{{"fallacies": [{{"place": "a.md", "words": "{words}", "fallacy": "{fallacy}"}}]}}"#
            ))
        };
        assert!(planted("mill burned", "false_cause").is_ok());
        assert!(planted("mill drowned", "false_cause").is_err());
        assert!(planted("mill burned", "no_such").unwrap_err().contains("no_such"));
        assert!(minimal(r#"{"contradictions": [["mill burned", "mill stands"]]}"#).is_err());
        assert!(minimal(r#"{"unknown": 1}"#).is_err());
    }

    #[test]
    fn options_are_laid_over_the_usual_ones() {
        let mut world = minimal("{}").expect("it is a world");
        world.options.insert("critique".to_owned(), Value::Bool(false));
        let options = world.run_options().expect("they are options");
        assert!(options.hypotheses && !options.critique);
        world.options.insert("critique".to_owned(), Value::from(3));
        assert!(world.run_options().is_err());
    }
}
