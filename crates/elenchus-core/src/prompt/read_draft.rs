//! Reading the order of an answer: fact ids, and headings without figures.

use super::defect::{DefectKind, Defects};
use super::read::{fact_ids, items, sentence, text};
use super::read_facts::foreign_figure;
use super::shape::{Field, Shape};
use super::{Draft, DraftInput, DraftSection};
use crate::id::FactId;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn shape(input: &DraftInput) -> Shape {
    let most = input.facts.len().clamp(1, 200) + 8;
    let ids = || Shape::list(Shape::Text(20), most);
    let section = Shape::Object(vec![
        Field::optional("heading", Shape::Text(120), "two to six words without figures"),
        Field::essential("facts", ids(), "fact ids in the order of reading"),
    ]);
    Shape::Object(vec![
        Field::essential("conclusion", ids(), "ids of the facts that answer most directly"),
        Field::optional("sections", Shape::list(section, 24), "what follows"),
    ])
}

pub(super) fn read(input: &DraftInput, value: &Value, defects: &mut Defects) -> Option<Draft> {
    let known = fact_ids(input);
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut named = 0;
    let mut take =
        |list: Vec<(String, &Value)>, prefix: &str, defects: &mut Defects| -> Vec<FactId> {
            let mut out = Vec::new();
            for (at, item) in list {
                named += 1;
                let name = text(item).trim_matches(['[', ']', ' ']).to_lowercase();
                let path = format!("{prefix}{at}");
                if !known.contains(name.as_str()) {
                    defects.add(
                        DefectKind::UnknownId,
                        &path,
                        format!("{name:?} is no fact listed above"),
                    );
                } else if !used.insert(name.clone()) {
                    defects.add(
                        DefectKind::DuplicateId,
                        &path,
                        format!("{name} has its place already"),
                    );
                } else {
                    out.push(FactId(name));
                }
            }
            out
        };
    let conclusion = take(items(value, "conclusion"), "", defects);
    let mut sections = Vec::new();
    for (at, item) in items(value, "sections") {
        let facts = take(items(item, "facts"), &format!("{at}."), defects);
        if facts.is_empty() {
            continue;
        }
        sections.push(DraftSection { heading: heading(item, &at, input, defects), facts });
    }
    (named == 0 || !used.is_empty()).then_some(Draft { conclusion, sections })
}

/// A heading is shown: a figure in it must be one of the user's or the plan's. Empty means the planned question.
fn heading(item: &Value, at: &str, input: &DraftInput, defects: &mut Defects) -> String {
    let at = format!("{at}.heading");
    let said = sentence(&item["heading"], &at, defects);
    let planned: Vec<&str> =
        input.questions.iter().map(|question| question.text.as_str()).collect();
    let known = format!("{} {}", input.question, planned.join(" "));
    if let Some(figure) = foreign_figure(&said, &known) {
        let what =
            format!("{figure:?} is no figure of a question; the planned question stands instead");
        defects.add(DefectKind::ForeignFigure, &at, what);
        return String::new();
    }
    said
}
