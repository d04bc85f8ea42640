//! Reading competing explanations: statements, an ordinal each, and searches on both sides.

use super::defect::{DefectKind, Defects};
use super::fragment::Shown;
use super::locate;
use super::read::{SENTENCE, items, sentence};
use super::shape::{Field, Shape};
use super::{Hypotheses, HypothesizeInput, Prior, ProposedHypothesis};
use crate::text::words;
use serde_json::Value;

/// Fewer explanations than this compete with nothing.
const FEWEST: usize = 2;
/// Most searches kept a side. A round makes one of them, and after three rounds little is left to be found.
const SEARCHES: usize = 3;

pub(super) fn shape(input: &HypothesizeInput) -> Shape {
    let searches = || Shape::list(Shape::Text(200), 6);
    let hypothesis = Shape::Object(vec![
        Field::essential("claim", Shape::Text(SENTENCE), "one statement, true or false"),
        Field::optional(
            "prior",
            Shape::Word(&["likely", "possible", "unlikely"]),
            "how likely it is before any evidence",
        ),
        Field::optional("queries_for", searches(), "searches for what would bear it out"),
        Field::optional("queries_against", searches(), "searches for what would deny it"),
    ]);
    // More are read than kept, as some may say the same.
    let most = usize::from(input.most.max(1)) + 4;
    Shape::Object(vec![Field::essential(
        "hypotheses",
        Shape::list(hypothesis, most),
        "explanations that compete, or none",
    )])
}

/// At most `input.most` explanations that differ; none where fewer than two are left. `None` when the reply named
/// some and nothing of it could be used.
pub(super) fn read(
    input: &HypothesizeInput,
    shown: &Shown,
    value: &Value,
    defects: &mut Defects,
) -> Option<Hypotheses> {
    let given = items(value, "hypotheses");
    let mut kept: Vec<ProposedHypothesis> = Vec::new();
    for (at, item) in &given {
        let claim = locate::with_titles(&sentence(&item["claim"], at, defects), shown);
        let said = words(&claim);
        if said.is_empty() {
            defects.add(DefectKind::Empty, at, "an explanation without words");
        } else if kept.iter().any(|known| words(&known.claim) == said) {
            // By all its words: one that differs by "not" is another.
            defects.add(DefectKind::DuplicateId, at, "an explanation that stands already");
        } else if kept.len() == usize::from(input.most) {
            defects.add(DefectKind::TooLong, at, format!("more than {} explanations", input.most));
        } else {
            let prior = prior(&item["prior"], at, defects);
            let queries_for = searches(item, "queries_for", at, defects);
            let queries_against = searches(item, "queries_against", at, defects);
            kept.push(ProposedHypothesis { claim, prior, queries_for, queries_against });
        }
    }
    if !given.is_empty() && kept.is_empty() {
        return None;
    }
    if !kept.is_empty() && kept.len() < FEWEST {
        let what = "one explanation competes with nothing; none is tested";
        defects.add(DefectKind::Empty, "hypotheses", what);
        kept.clear();
    }
    Some(Hypotheses { hypotheses: kept })
}

fn prior(value: &Value, at: &str, defects: &mut Defects) -> Prior {
    match value.as_str() {
        Some("likely") => Prior::Likely,
        Some("possible") => Prior::Possible,
        Some("unlikely") => Prior::Unlikely,
        _ => {
            defects.add(DefectKind::MissingKey, at, "no prior; it counts as possible");
            Prior::Possible
        }
    }
}

fn searches(item: &Value, key: &str, at: &str, defects: &mut Defects) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for (_, query) in items(item, key) {
        let query = sentence(query, at, defects);
        if !words(&query).is_empty() && !kept.contains(&query) && kept.len() < SEARCHES {
            kept.push(query);
        }
    }
    if kept.is_empty() {
        defects.add(DefectKind::MissingKey, &format!("{at}.{key}"), "no search on this side");
    }
    kept
}
