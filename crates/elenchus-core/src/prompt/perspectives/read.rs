//! Reading the three replies. What names no fact or point that was listed is dropped, and so is a sentence with a
//! figure that its evidence does not hold.

use super::{
    MOST_POINTS, MOST_SENTENCES, MetaAnalysis, MetaInput, MetaSentence, Perspective,
    PerspectiveInput, PerspectiveSynthesis, PointBrief, PointStance, ProposedPoint,
    ProposedTension, SynthesizeInput,
};
use crate::id::{FactId, PointId};
use crate::prompt::defect::{DefectKind, Defects};
use crate::prompt::foreign::{all_of, foreign};
use crate::prompt::read::{SENTENCE, items, sentence, text};
use crate::prompt::shape::{Field, Shape};
use crate::text::words;
use serde_json::Value;
use std::collections::BTreeSet;

/// Most groups, and most pairs, that are read.
const MOST_GROUPS: usize = 24;

fn ids_shape(most: usize) -> Shape {
    Shape::list(Shape::Text(20), most)
}

/// A name as a reply may write it: `[F2]`, `"f2"`, `f2.`
fn bare(name: &str) -> String {
    name.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

// ---------------------------------------------------------------- one lens

pub(in crate::prompt) fn perspective_shape(input: &PerspectiveInput) -> Shape {
    let point = Shape::Object(vec![
        Field::essential("statement", Shape::Text(SENTENCE), "one sentence of your own"),
        Field::essential(
            "stance",
            Shape::Word(&["supports", "opposes", "qualifies"]),
            "how it stands to the answer",
        ),
        Field::essential(
            "facts",
            ids_shape(input.facts.len().clamp(1, 200) + 8),
            "ids of the facts it rests on",
        ),
    ]);
    Shape::Object(vec![
        // More are read than kept, as some may rest on nothing.
        Field::essential("points", Shape::list(point, MOST_POINTS + 6), "what this lens sees"),
        Field::optional(
            "would_change",
            Shape::Text(SENTENCE),
            "what would change the mind of this lens",
        ),
    ])
}

/// `None` when the reply gave points and none of them could be used.
pub(in crate::prompt) fn perspective(
    input: &PerspectiveInput,
    value: &Value,
    defects: &mut Defects,
) -> Option<Perspective> {
    let given = items(value, "points");
    let mut points: Vec<ProposedPoint> = Vec::new();
    for (at, item) in &given {
        let facts = facts(input, item, at, defects);
        let statement = without_ids(&sentence(&item["statement"], at, defects), input);
        let Some(stance) = stance(&item["stance"]) else { continue };
        let said = words(&statement);
        if said.is_empty() {
            defects.add(DefectKind::Empty, at, "a point without words");
        } else if facts.is_empty() {
            let what = "a point that rests on no fact listed above; it is dropped";
            defects.add(DefectKind::Ungrounded, at, what);
        } else if let Some(figure) = foreign(&statement, &known(input, &facts)) {
            let what = format!("{figure:?} stands in none of the facts it names; it is dropped");
            defects.add(DefectKind::ForeignFigure, at, what);
        } else if points.iter().any(|known| words(&known.statement) == said) {
            defects.add(DefectKind::DuplicateId, at, "a point that stands already");
        } else if points.len() == MOST_POINTS {
            defects.add(DefectKind::TooLong, at, format!("more than {MOST_POINTS} points"));
        } else {
            points.push(ProposedPoint { statement, stance, facts });
        }
    }
    if !given.is_empty() && points.is_empty() {
        return None;
    }
    let mut would_change =
        without_ids(&sentence(&value["would_change"], "would_change", defects), input);
    let all: Vec<FactId> = input.facts.iter().map(|fact| fact.id.clone()).collect();
    if let Some(figure) = foreign(&would_change, &known(input, &all)) {
        let what = format!("{figure:?} stands in no fact; the sentence is dropped");
        defects.add(DefectKind::ForeignFigure, "would_change", what);
        would_change.clear();
    }
    Some(Perspective { points, would_change })
}

fn stance(value: &Value) -> Option<PointStance> {
    match value.as_str() {
        Some("supports") => Some(PointStance::Supports),
        Some("opposes") => Some(PointStance::Opposes),
        Some("qualifies") => Some(PointStance::Qualifies),
        _ => None,
    }
}

fn facts(input: &PerspectiveInput, item: &Value, at: &str, defects: &mut Defects) -> Vec<FactId> {
    let mut kept: Vec<FactId> = Vec::new();
    for (place, name) in items(item, "facts") {
        let name = bare(&text(name));
        match input.facts.iter().find(|fact| fact.id.as_str() == name) {
            Some(fact) if kept.contains(&fact.id) => {}
            Some(fact) => kept.push(fact.id.clone()),
            None => {
                let what = format!("{name:?} is no fact listed above");
                defects.add(DefectKind::UnknownId, &format!("{at}.{place}"), what);
            }
        }
    }
    kept
}

/// Everything in which a figure or a name of a point may stand: the question, and what its facts were shown with.
fn known(input: &PerspectiveInput, facts: &[FactId]) -> String {
    let mut known = input.question.clone();
    for fact in input.facts.iter().filter(|fact| facts.contains(&fact.id)) {
        known.push(' ');
        known.push_str(&fact.quote);
        let read = input.passages.iter().find(|r| r.passage.id == fact.proposed.passage_id);
        if let Some(read) = read {
            known.push(' ');
            known.push_str(&all_of(read));
        }
    }
    for claim in &input.claims {
        known.push(' ');
        known.push_str(&claim.text);
    }
    known
}

/// A sentence with the titles of documents in the place of fact ids, and "the answer" in the place of claim ids: both
/// mean something inside a prompt only.
fn without_ids(sentence: &str, input: &PerspectiveInput) -> String {
    let words: Vec<String> = sentence
        .split(' ')
        .map(|word| {
            let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
            let name = inner.to_lowercase();
            let put = if let Some(fact) = input.facts.iter().find(|f| f.id.as_str() == name) {
                let read = input.passages.iter().find(|r| r.passage.id == fact.proposed.passage_id);
                let title = read.map_or("", |read| read.source.title.as_str());
                if title.is_empty() { "the quote".to_owned() } else { format!("\"{title}\"") }
            } else if input.claims.iter().any(|claim| claim.id.as_str() == name) {
                "the answer".to_owned()
            } else {
                return word.to_owned();
            };
            word.replacen(inner, &put, 1)
        })
        .collect();
    words.join(" ")
}

// ---------------------------------------------------------------- what they have in common

pub(in crate::prompt) fn synthesize_shape(input: &SynthesizeInput) -> Shape {
    let ids = || ids_shape(input.points.len().clamp(2, 60) + 4);
    let group = Shape::Object(vec![Field::essential("points", ids(), "ids of two lenses or more")]);
    let tension = Shape::Object(vec![
        Field::essential("points", ids(), "two ids of two lenses"),
        Field::optional("why", Shape::Text(SENTENCE), "what they pull apart about"),
    ]);
    Shape::Object(vec![
        Field::essential("groups", Shape::list(group, MOST_GROUPS), "points that say the same"),
        Field::optional("tensions", Shape::list(tension, MOST_GROUPS), "pairs that pull apart"),
        Field::optional("unique", ids(), "points that stand alone"),
    ])
}

fn points(list: &[PointBrief], item: &Value, at: &str, defects: &mut Defects) -> Vec<PointId> {
    let mut kept: Vec<PointId> = Vec::new();
    for (place, name) in items(item, "points") {
        let name = bare(&text(name));
        match list.iter().find(|point| point.id.as_str() == name) {
            Some(point) if kept.contains(&point.id) => {}
            Some(point) => kept.push(point.id.clone()),
            None => {
                let what = format!("{name:?} is no point listed above");
                defects.add(DefectKind::UnknownId, &format!("{at}.{place}"), what);
            }
        }
    }
    kept
}

fn lenses_of(list: &[PointBrief], ids: &[PointId]) -> usize {
    let lenses: BTreeSet<&str> = list
        .iter()
        .filter(|point| ids.contains(&point.id))
        .map(|point| point.lens.as_str())
        .collect();
    lenses.len()
}

/// `None` when the reply named groups or pairs and none of them could be used.
pub(in crate::prompt) fn synthesize(
    input: &SynthesizeInput,
    value: &Value,
    defects: &mut Defects,
) -> Option<PerspectiveSynthesis> {
    let mut found = PerspectiveSynthesis::default();
    let (groups, tensions) = (items(value, "groups"), items(value, "tensions"));
    for (at, item) in &groups {
        let ids = points(&input.points, item, at, defects);
        if lenses_of(&input.points, &ids) < 2 {
            defects.add(
                DefectKind::Ungrounded,
                at,
                "points of fewer than two lenses agree on nothing",
            );
        } else if found.groups.contains(&ids) {
            defects.add(DefectKind::DuplicateId, at, "a group that stands already");
        } else {
            found.groups.push(ids);
        }
    }
    for (at, item) in &tensions {
        let ids = points(&input.points, item, at, defects);
        if ids.len() != 2 || lenses_of(&input.points, &ids) != 2 {
            let what = "a tension is one of two points of two lenses; it is dropped";
            defects.add(DefectKind::Ungrounded, at, what);
            continue;
        }
        let mut why = sentence(&item["why"], at, defects);
        if let Some(figure) = foreign(&why, &said(&input.question, &input.points, &ids)) {
            let what = format!("{figure:?} stands in neither point; the words are dropped");
            defects.add(DefectKind::ForeignFigure, at, what);
            why.clear();
        }
        found.tensions.push(ProposedTension { points: ids, why });
    }
    for (at, name) in items(value, "unique") {
        let name = bare(&text(name));
        match input.points.iter().find(|point| point.id.as_str() == name) {
            Some(point) => found.unique.push(point.id.clone()),
            None => {
                defects.add(
                    DefectKind::UnknownId,
                    &at,
                    format!("{name:?} is no point listed above"),
                );
            }
        }
    }
    let nothing_named = groups.is_empty() && tensions.is_empty();
    (nothing_named || !found.groups.is_empty() || !found.tensions.is_empty()).then_some(found)
}

/// Everything in which a figure about these points may stand.
fn said(question: &str, list: &[PointBrief], ids: &[PointId]) -> String {
    let mut said = question.to_owned();
    for point in list {
        said.push(' ');
        // The ids of points are shown, so they may be named.
        said.push_str(point.id.as_str());
        if ids.contains(&point.id) {
            said.push(' ');
            said.push_str(&point.statement);
        }
    }
    said
}

// ---------------------------------------------------------------- what to take from it

pub(in crate::prompt) fn meta_shape(input: &MetaInput) -> Shape {
    let sentence = Shape::Object(vec![
        Field::essential("text", Shape::Text(SENTENCE), "one sentence about the whole"),
        Field::essential(
            "points",
            ids_shape(input.points.len().clamp(2, 60) + 4),
            "ids of the points it rests on",
        ),
    ]);
    Shape::Object(vec![Field::essential(
        "sentences",
        Shape::list(sentence, MOST_SENTENCES + 4),
        "two to four sentences",
    )])
}

/// `None` when the reply gave sentences and none of them could be used.
pub(in crate::prompt) fn meta(
    input: &MetaInput,
    value: &Value,
    defects: &mut Defects,
) -> Option<MetaAnalysis> {
    let given = items(value, "sentences");
    let mut sentences: Vec<MetaSentence> = Vec::new();
    for (at, item) in &given {
        let text = sentence(&item["text"], at, defects);
        let ids = points(&input.points, item, at, defects);
        if words(&text).is_empty() {
            defects.add(DefectKind::Empty, at, "a sentence without words");
        } else if ids.is_empty() {
            let what = "a sentence that rests on no point listed above; it is dropped";
            defects.add(DefectKind::Ungrounded, at, what);
        } else if let Some(figure) = foreign(&text, &said(&input.question, &input.points, &ids)) {
            let what = format!("{figure:?} stands in none of the points it names; it is dropped");
            defects.add(DefectKind::ForeignFigure, at, what);
        } else if sentences.iter().any(|known| known.text == text) {
            defects.add(DefectKind::DuplicateId, at, "a sentence that stands already");
        } else if sentences.len() == MOST_SENTENCES {
            defects.add(DefectKind::TooLong, at, format!("more than {MOST_SENTENCES} sentences"));
        } else {
            sentences.push(MetaSentence { text, points: ids });
        }
    }
    (given.is_empty() || !sentences.is_empty()).then_some(MetaAnalysis { sentences })
}
