//! Reading the order of an answer: fact ids, and headings without figures.

use super::defect::{DefectKind, Defects};
use super::foreign::{all_of, foreign, foreign_word};
use super::marks::{Marks, without_tags};
use super::read::{SENTENCE, fact_ids, items, sentence, text};
use super::safe;
use super::shape::{Field, Shape};
use super::{
    Draft, DraftInput, DraftSection, InsightKind, ProposedInsight, ThoughtStage, ThoughtStep,
};
use crate::id::FactId;
use serde_json::Value;
use serde_json::json;
use std::collections::BTreeSet;

/// Steps of thinking that are kept.
const STEPS: usize = 16;
/// Insights that are looked at.
const INSIGHTS: usize = 8;

pub(super) fn shape(input: &DraftInput) -> Shape {
    let most = input.facts.len().clamp(1, 200) + 8;
    let ids = || Shape::list(Shape::Text(20), most);
    let section = Shape::Object(vec![
        Field::optional("heading", Shape::Text(120), "two to six words without figures"),
        Field::essential("facts", ids(), "fact ids in the order of reading"),
    ]);
    let step = Shape::Object(vec![
        Field::optional("facts", ids(), "fact ids that the thought is about"),
        Field::optional("step", Shape::Word(ThoughtStage::WORDS), "which of the eight steps"),
        Field::essential("text", Shape::Text(SENTENCE), "the thought in one or two sentences"),
    ]);
    let insight = Shape::Object(vec![
        Field::optional("facts", ids(), "fact ids that it rests on"),
        Field::essential("text", Shape::Text(SENTENCE), "the insight in one or two sentences"),
        Field::optional("type", Shape::Word(InsightKind::WORDS), "what kind of connection it is"),
    ]);
    // In a schema the keys stand in alphabetical order, and a server that holds a model to it asks for them so: the
    // chain of thought must come before the conclusion.
    Shape::Object(vec![
        Field::spare(
            "chain",
            "thinking",
            Shape::list(step, STEPS),
            "the eight steps, before anything else",
        ),
        Field::essential("conclusion", ids(), "ids of the facts that answer most directly"),
        Field::spare(
            "insights",
            "insight",
            Shape::list(insight, INSIGHTS),
            "connections worth telling, or none",
        ),
        Field::optional("sections", Shape::list(section, 24), "what follows"),
    ])
}

pub(super) fn read(
    input: &DraftInput,
    value: &Value,
    marks: &Marks,
    defects: &mut Defects,
) -> Option<Draft> {
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
        let heading = heading(item, &at, input, &facts, defects);
        sections.push(DraftSection { heading, facts });
    }
    if named > 0 && used.is_empty() {
        return None;
    }
    let thinking = thinking(input, value, marks, defects);
    let insights = insights(input, value, marks, defects);
    Some(Draft { conclusion, sections, thinking, insights })
}

/// The steps of the JSON, then those between marks.
fn thinking(
    input: &DraftInput,
    value: &Value,
    marks: &Marks,
    defects: &mut Defects,
) -> Vec<ThoughtStep> {
    let mut steps: Vec<ThoughtStep> = Vec::new();
    for (at, item) in items(value, "chain") {
        let said = text(&item["text"]);
        let text = words_of(&said, &at, defects);
        let facts = named_facts(input, item, &said, &at, defects);
        if !text.is_empty() {
            steps.push(ThoughtStep {
                step: ThoughtStage::of(&self::text(&item["step"])),
                text,
                facts,
            });
        }
    }
    for (n, block) in marks.thoughts.iter().enumerate() {
        let at = format!("thinking[{n}]");
        for said in numbered(block) {
            let text = words_of(&said, &at, defects);
            let facts = named_facts(input, &Value::Null, &said, &at, defects);
            if !text.is_empty() {
                steps.push(ThoughtStep { step: ThoughtStage::opening(&text), text, facts });
            }
        }
    }
    if marks.unclosed > 0 {
        defects.add(DefectKind::Syntax, "thinking", "a mark without its end");
    }
    if steps.len() > STEPS {
        defects.add(
            DefectKind::TooLong,
            "thinking",
            format!("{} steps, {STEPS} are kept", steps.len()),
        );
        steps.truncate(STEPS);
    }
    steps
}

/// Free thinking, cut where a line begins with a number or a bullet.
fn numbered(block: &str) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    for line in block.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("```") || line.starts_with("~~~") {
            continue;
        }
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let bullet = line.strip_prefix(['-', '*', '\u{2022}']).filter(|rest| rest.starts_with(' '));
        let numbered =
            line[digits..].strip_prefix(['.', ')']).filter(|_| (1..=2).contains(&digits));
        match (bullet.or(numbered), steps.last_mut()) {
            (Some(rest), _) => steps.push(rest.trim().to_owned()),
            (None, Some(last)) => {
                last.push(' ');
                last.push_str(line);
            }
            (None, None) => steps.push(line.to_owned()),
        }
    }
    steps
}

/// What a model says in words of its own, made safe: no tags, no addresses, one line, cut to a length.
fn words_of(said: &str, at: &str, defects: &mut Defects) -> String {
    let plain = crate::text::squeeze(&without_tags(said));
    let plain = sentence(&json!(plain), at, defects);
    safe::line(&plain, SENTENCE).replace("**", "")
}

/// Facts that are named in a list or, without one, in the words.
fn named_facts(
    input: &DraftInput,
    item: &Value,
    said: &str,
    at: &str,
    defects: &mut Defects,
) -> Vec<FactId> {
    let known = fact_ids(input);
    let mut found: Vec<FactId> = Vec::new();
    let listed = items(item, "facts");
    for (place, one) in &listed {
        let name = text(one).trim_matches(['[', ']', ' ']).to_lowercase();
        if known.contains(name.as_str()) {
            found.push(FactId(name));
        } else {
            let what = format!("{name:?} is no fact listed above");
            defects.add(DefectKind::UnknownId, &format!("{at}.{place}"), what);
        }
    }
    if listed.is_empty() {
        let words = said.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        found.extend(words.filter(|word| known.contains(word.as_str())).map(FactId));
    }
    let mut seen = BTreeSet::new();
    found.retain(|id| seen.insert(id.clone()));
    found
}

/// Insights of the JSON and between marks that name a type and facts, and no figure or name that none of those facts
/// is shown with.
fn insights(
    input: &DraftInput,
    value: &Value,
    marks: &Marks,
    defects: &mut Defects,
) -> Vec<ProposedInsight> {
    let mut given: Vec<(String, String, String, Vec<FactId>)> = Vec::new();
    for (at, item) in items(value, "insights") {
        let said = text(&item["text"]);
        let facts = named_facts(input, item, &said, &at, defects);
        given.push((at, text(&item["type"]), said, facts));
    }
    for (n, (kind, said)) in marks.insights.iter().enumerate() {
        let at = format!("insight[{n}]");
        let facts = named_facts(input, &Value::Null, said, &at, defects);
        given.push((at, kind.clone(), said.clone(), facts));
    }
    let mut kept: Vec<ProposedInsight> = Vec::new();
    for (at, kind, said, facts) in given {
        let text = words_of(&said, &at, defects);
        let Some(kind) = InsightKind::of(&kind) else {
            defects.add(DefectKind::UnknownWord, &at, format!("{kind:?} is no type of insight"));
            continue;
        };
        let rests_on = input.facts.iter().filter(|fact| facts.contains(&fact.id));
        let quotes: Vec<String> = rests_on
            .map(|fact| {
                let read = input.passages.iter().find(|r| r.passage.id == fact.proposed.passage_id);
                format!("{} {}", fact.quote, read.map(all_of).unwrap_or_default())
            })
            .collect();
        let ids: Vec<&str> = facts.iter().map(FactId::as_str).collect();
        let known = format!("{} {} {}", input.question, quotes.join(" "), ids.join(" "));
        if text.is_empty() {
            defects.add(DefectKind::Empty, &at, "an insight without words");
        } else if facts.is_empty() {
            defects.add(DefectKind::Ungrounded, &at, "an insight that names no fact is none");
        } else if let Some(figure) = foreign(&text, &known) {
            let what = format!("{figure:?} stands in none of its facts");
            defects.add(DefectKind::ForeignFigure, &at, what);
        } else if kept.iter().any(|other| other.text == text) {
            defects.add(DefectKind::DuplicateId, &at, "an insight that stands already");
        } else if kept.len() < INSIGHTS {
            kept.push(ProposedInsight { kind, text, facts });
        }
    }
    kept
}

/// A heading stands above quotes as if they said it, so all its words must stand in a question or be shown with its
/// facts. Empty means the planned question.
fn heading(
    item: &Value,
    at: &str,
    input: &DraftInput,
    facts: &[FactId],
    defects: &mut Defects,
) -> String {
    let at = format!("{at}.heading");
    let said = sentence(&item["heading"], &at, defects);
    let planned = input.questions.iter().map(|question| question.text.clone());
    let shown = input.facts.iter().filter(|fact| facts.contains(&fact.id)).map(|fact| {
        let read = input.passages.iter().find(|r| r.passage.id == fact.proposed.passage_id);
        format!("{} {}", fact.quote, read.map(all_of).unwrap_or_default())
    });
    let known: Vec<String> =
        std::iter::once(input.question.clone()).chain(planned).chain(shown).collect();
    if let Some(word) = foreign_word(&said, &known.join(" ")) {
        let what = format!(
            "{word:?} stands in no question and in no fact of its section; the planned question stands instead"
        );
        defects.add(DefectKind::ForeignFigure, &at, what);
        return String::new();
    }
    said
}
