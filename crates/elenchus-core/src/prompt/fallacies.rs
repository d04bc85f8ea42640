//! Fallacies by a language model: a batch of sentences, and for each finding an id of the catalog and the words.

use super::defect::{Defect, DefectKind};
use super::json;
use super::locate;
use super::read::{id, id_shape, items, text};
use super::safe::{Safe, line};
use super::shape::{Field, Shape};
use crate::evidence::{Span, char_slice};
use crate::scrutiny::fallacy::{CATALOG, Fallacy, Pack, by_id};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A batch of sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FallacyInput {
    /// Numbered from 1 in the prompt. What there is no room for is not read.
    pub sentences: Vec<String>,
    /// Whether the theology pack is looked for as well.
    #[serde(default)]
    pub theology: bool,
}

/// A warning of a model: these words may commit this fallacy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FallacyFinding {
    /// Position in [`FallacyInput::sentences`], from 0.
    pub sentence: usize,
    /// An id of the catalog.
    pub fallacy: String,
    /// Characters of the sentence. Never empty.
    pub span: Span,
    /// The sentence's text at `span`.
    pub words: String,
}

/// What a model names in a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FallacyFindings {
    /// In the order of the reply; empty when it finds none.
    pub findings: Vec<FallacyFinding>,
}

/// What a batch gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FallacyParsed {
    /// In the order of the reply; `None` when nothing could be read, which is not the same as no finding.
    pub findings: Option<Vec<FallacyFinding>>,
    /// What was wrong.
    pub defects: Vec<Defect>,
}

/// Longest sentence, in characters.
const SENTENCE: usize = 900;
/// Most sentences in one prompt.
const MOST: usize = 60;

fn ids(wanted: impl Fn(&Fallacy) -> bool) -> Vec<&'static str> {
    CATALOG.iter().filter(|fallacy| wanted(fallacy)).map(|fallacy| fallacy.id).collect()
}

static GENERAL: LazyLock<Vec<&'static str>> = LazyLock::new(|| ids(|f| f.pack == Pack::General));
static ALL: LazyLock<Vec<&'static str>> = LazyLock::new(|| ids(|_| true));

fn words(input: &FallacyInput) -> &'static [&'static str] {
    if input.theology { ALL.as_slice() } else { GENERAL.as_slice() }
}

fn marked(number: usize, sentence: &str) -> String {
    format!("<sentence number=\"{number}\">{}</sentence>", line(sentence, SENTENCE))
}

/// How many sentences there is room for.
fn shown(input: &FallacyInput, room: usize) -> usize {
    let mut left = room.saturating_sub(60);
    input
        .sentences
        .iter()
        .take(MOST)
        .enumerate()
        .take_while(|(at, sentence)| {
            let length = marked(at + 1, sentence).chars().count() + 1;
            let fits = length <= left;
            left = left.saturating_sub(length);
            fits
        })
        .count()
}

pub(super) fn slots(input: &FallacyInput, room: usize) -> Vec<(&'static str, Safe)> {
    let shown = shown(input, room);
    let lines: Vec<String> = input
        .sentences
        .iter()
        .take(shown)
        .enumerate()
        .map(|(at, text)| marked(at + 1, text))
        .collect();
    let catalog: Vec<String> = words(input)
        .iter()
        .filter_map(|id| by_id(id))
        .map(|fallacy| format!("- {}: {}", fallacy.id, fallacy.definition))
        .collect();
    vec![
        ("sentences", Safe::assembled(lines.join("\n"))),
        ("count", Safe::number(shown)),
        ("catalog", Safe::assembled(catalog.join("\n"))),
    ]
}

pub(super) fn shape(input: &FallacyInput) -> Shape {
    let finding = Shape::Object(vec![
        Field::essential("fallacy", Shape::Word(words(input)), "an id of the list"),
        Field::essential("number", id_shape(), "the sentence's number"),
        Field::essential("words", Shape::Text(SENTENCE), "words of that sentence, copied"),
    ]);
    let most = input.sentences.len().clamp(1, MOST) * 3;
    Shape::Object(vec![Field::essential(
        "findings",
        Shape::list(finding, most),
        "empty when there is none",
    )])
}

pub(super) fn read(input: &FallacyInput, room: usize, reply: &str) -> FallacyParsed {
    let shown = shown(input, room);
    let reading = json::read(reply, &shape(input));
    let mut defects = reading.defects;
    let Some(value) = reading.value else {
        return FallacyParsed { findings: None, defects: defects.into_list() };
    };
    let given = items(&value, "findings");
    let mut findings: Vec<FallacyFinding> = Vec::new();
    for (at, item) in &given {
        let number = id(&item["number"]) as usize;
        let Some(place) = number.checked_sub(1).filter(|place| *place < shown) else {
            defects.add(DefectKind::UnknownId, at, format!("{number} is no sentence shown above"));
            continue;
        };
        let sentence = &input.sentences[place];
        let said = text(&item["words"]);
        // As much of a sentence as a prompt can show; a longer one is not searched.
        let whole = Span { start: 0, end: sentence.chars().take(SENTENCE * 4).count() };
        let Some(span) = locate::find(sentence, whole, &said) else {
            let what = format!("{said:?} does not stand in sentence {number}");
            defects.add(DefectKind::ValueNotThere, at, what);
            continue;
        };
        let finding = FallacyFinding {
            sentence: place,
            fallacy: text(&item["fallacy"]),
            span,
            words: char_slice(sentence, span).unwrap_or_default().to_owned(),
        };
        if findings.iter().any(|known| known.sentence == place && known.fallacy == finding.fallacy)
        {
            defects.add(DefectKind::DuplicateId, at, "the same fallacy in the same sentence");
        } else {
            findings.push(finding);
        }
    }
    let usable = given.is_empty() || !findings.is_empty();
    FallacyParsed { findings: usable.then_some(findings), defects: defects.into_list() }
}
