//! Reading extracted facts: unit ids become spans, copied words become places, and nothing else counts.

use super::defect::{DefectKind, Defects};
use super::foreign::foreign_figure;
use super::fragment::Shown;
use super::locate;
use super::read::{SENTENCE, id, id_shape, items, sentence, text};
use super::shape::{Field, Shape};
use super::{Bearing, FactRole, Facts, FactsInput, PlannedQuestion, Polarity, ProposedFact};
use crate::evidence::ReadPassage;
use serde_json::Value;

pub(super) fn shape(input: &FactsInput) -> Shape {
    let fact = Shape::Object(vec![
        Field::essential("question_id", id_shape(), "the question's number"),
        Field::essential("unit", Shape::Text(24), "the id of one unit, such as P3.2"),
        Field::optional(
            "value",
            Shape::nullable(Shape::Text(600)),
            "the words of that unit that answer, copied, or null",
        ),
        Field::essential(
            "role",
            Shape::Word(&["answer", "conflict", "superseded", "context"]),
            "what it is to its question",
        ),
        Field::optional(
            "polarity",
            Shape::nullable(Shape::Word(&["yes", "no", "conditional"])),
            "for a yes-or-no question, otherwise null",
        ),
        Field::optional(
            "bearing",
            Shape::nullable(Shape::Word(&["weak", "fair", "strong"])),
            "how firmly it answers, null unless the role is answer",
        ),
        Field::optional("warrant", Shape::Text(SENTENCE), "why this unit bears on the question"),
    ]);
    let most = (input.questions.len() * 12).clamp(12, 120);
    Shape::Object(vec![Field::essential(
        "facts",
        Shape::list(fact, most),
        "best first within each question",
    )])
}

pub(super) fn read(
    input: &FactsInput,
    shown: &Shown,
    value: &Value,
    defects: &mut Defects,
) -> Option<Facts> {
    let given = items(value, "facts");
    let mut facts: Vec<ProposedFact> = Vec::new();
    for (at, item) in &given {
        let Some(fact) = fact(input, shown, at, item, defects) else { continue };
        let known = facts.iter().any(|known| {
            known.question_id == fact.question_id
                && known.passage_id == fact.passage_id
                && known.span == fact.span
        });
        if known {
            let what = "the same unit for the same question; the first counts";
            defects.add(DefectKind::DuplicateId, at, what);
        } else {
            facts.push(fact);
        }
    }
    (given.is_empty() || !facts.is_empty()).then_some(Facts { facts })
}

fn fact(
    input: &FactsInput,
    shown: &Shown,
    at: &str,
    item: &Value,
    defects: &mut Defects,
) -> Option<ProposedFact> {
    let question_id = id(&item["question_id"]);
    let Some(question) = input.questions.iter().find(|question| question.id == question_id) else {
        let what = format!("{question_id} is no question listed above");
        defects.add(DefectKind::UnknownId, &format!("{at}.question_id"), what);
        return None;
    };
    let unit = locate::unit(&text(&item["unit"]), shown, &format!("{at}.unit"), defects)?;
    let fragment = unit.fragment;
    let value = item["value"].as_str().filter(|words| !words.is_empty()).and_then(|words| {
        let found = locate::find(fragment.text(), unit.span, words);
        if found.is_none() {
            let what = format!("{words:?} does not stand in the unit; the unit is kept without it");
            defects.add(DefectKind::ValueNotThere, &format!("{at}.value"), what);
        }
        found
    });
    let role = match item["role"].as_str()? {
        "answer" => FactRole::Answer,
        "conflict" => FactRole::Conflict,
        "superseded" => FactRole::Superseded,
        _ => FactRole::Context,
    };
    let read = input.passages.iter().find(|read| read.passage.id == *fragment.passage_id())?;
    Some(ProposedFact {
        question_id,
        passage_id: fragment.passage_id().clone(),
        span: unit.span,
        value,
        role,
        polarity: match item["polarity"].as_str() {
            Some("yes") => Some(Polarity::Yes),
            Some("no") => Some(Polarity::No),
            Some("conditional") => Some(Polarity::Conditional),
            _ => None,
        },
        bearing: match item["bearing"].as_str() {
            Some("strong") => Some(Bearing::Strong),
            Some("fair") => Some(Bearing::Fair),
            Some("weak") => Some(Bearing::Weak),
            _ => None,
        }
        .filter(|_| role == FactRole::Answer),
        likeness: None,
        unbound: vec![],
        warrant: warrant(&item["warrant"], at, read, question, defects),
    })
}

/// The model's reason, unless it holds a figure that neither the passage nor the question has: a warrant is shown.
fn warrant(
    value: &Value,
    at: &str,
    read: &ReadPassage,
    question: &PlannedQuestion,
    defects: &mut Defects,
) -> String {
    let at = format!("{at}.warrant");
    let said = without_ids(&sentence(value, &at, defects));
    let date = read.source.date.as_ref().map(|date| date.value.to_string()).unwrap_or_default();
    let known = format!(
        "{} {} {date} {} {} {}",
        read.passage.text,
        read.source.title,
        read.passage.heading_path.join(" "),
        read.passage.record.as_deref().unwrap_or_default(),
        question.text,
    );
    match foreign_figure(&said, &known) {
        None => said,
        Some(figure) => {
            let what = format!("{figure:?} is no figure of the passage; the reason is dropped");
            defects.add(DefectKind::ForeignFigure, &at, what);
            String::new()
        }
    }
}

/// The names of units and passages are known inside a prompt only.
fn without_ids(text: &str) -> String {
    let is_id = |word: &str| {
        word.trim_start_matches(['[', '(']).starts_with('P')
            && locate::numbers(word.trim_end_matches([',', ';', ':', '.'])).is_some()
    };
    let words: Vec<&str> =
        text.split(' ').map(|word| if is_id(word) { "the passage" } else { word }).collect();
    words.join(" ")
}
