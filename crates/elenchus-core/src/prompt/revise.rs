//! Revise: patches to the order of an answer, each tied to a finding.

use super::critique::{ClaimBrief, claims};
use super::defect::{DefectKind, Defects};
use super::fill;
use super::foreign::foreign_word;
use super::fragment::fact_fragments;
use super::read::{items, sentence, text};
use super::safe::{Safe, line};
use super::shape::{Field, Shape};
use super::{Fact, Framing, Severity};
use crate::evidence::ReadPassage;
use crate::id::{ClaimId, FactId};
use crate::scrutiny::critique::Finding;
use crate::scrutiny::revision::{Patch, PatchOp, Place};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most patches of a reply.
const PATCHES: usize = 12;

/// Asks for patches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviseInput {
    /// The user's question.
    pub question: String,
    /// The claims of the answer.
    pub claims: Vec<ClaimBrief>,
    /// The headings of its sections; the first is `s1`.
    pub sections: Vec<String>,
    /// What was found against it.
    pub findings: Vec<Finding>,
    /// Facts that answer and that it does not show.
    pub facts: Vec<Fact>,
    /// The passages they come from.
    pub passages: Vec<ReadPassage>,
    /// The run's mode, and tensions that bear on what was found.
    #[serde(default, skip_serializing_if = "Framing::is_empty")]
    pub framing: Framing,
}

/// Patches, as a model proposes them. Core applies those that may be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Patches {
    /// In the order of the reply.
    pub patches: Vec<Patch>,
}

pub(super) fn slots(input: &ReviseInput, room: usize) -> Vec<(&'static str, Safe)> {
    let sections: Vec<String> = input
        .sections
        .iter()
        .zip(1..)
        .map(|(heading, number): (&String, usize)| format!("- s{number}: {}", line(heading, 200)))
        .collect();
    let findings: Vec<String> = input
        .findings
        .iter()
        .map(|finding| {
            let severity = match finding.severity {
                Severity::Critical => "critical",
                Severity::Important => "important",
                Severity::Minor => "minor",
            };
            let about = finding.claim_id.as_ref().map_or("the whole", ClaimId::as_str);
            let words = finding.words.as_deref().map(|words| format!(" “{}”", line(words, 120)));
            format!(
                "- {}: {severity}, {}, about {}{}: {}",
                line(&finding.id, 12),
                finding.kind.name(),
                line(about, 20),
                words.unwrap_or_default(),
                line(&finding.text, 300)
            )
        })
        .collect();
    let facts = fact_fragments(&input.facts, &input.passages);
    let mut slots = vec![
        ("question", fill::question(&input.question, room)),
        ("claims", claims(&input.claims, room / 3)),
        ("sections", Safe::lines(&sections, room / 10, "sections", "(none)")),
        ("findings", Safe::lines(&findings, room / 5, "findings", "(none)")),
    ];
    let room = fill::left(room, &slots);
    slots.push(("facts", Safe::lines(&facts, room, "facts", "(none)")));
    slots
}

pub(super) fn shape(_: &ReviseInput) -> Shape {
    let id = |about| (Shape::nullable(Shape::Text(20)), about);
    let (claim, about_claim) = id("the claim, or null");
    let (fact, about_fact) = id("the unused fact, or null");
    let (to, about_to) = id("\"conclusion\" or a section such as \"s1\", or null");
    let patch = Shape::Object(vec![
        Field::essential("finding", Shape::Text(12), "the finding that it answers"),
        Field::essential("op", Shape::Word(PatchOp::WORDS), "what it does"),
        Field::optional("claim_id", claim, about_claim),
        Field::optional("fact_id", fact, about_fact),
        Field::optional("to", to, about_to),
        Field::optional("heading", Shape::nullable(Shape::Text(120)), "a new heading, or null"),
    ]);
    Shape::Object(vec![Field::essential(
        "patches",
        Shape::list(patch, PATCHES),
        "empty when nothing can be mended",
    )])
}

pub(super) fn read(input: &ReviseInput, value: &Value, defects: &mut Defects) -> Option<Patches> {
    let given = items(value, "patches");
    let mut patches: Vec<Patch> = Vec::new();
    for (at, item) in &given {
        let name = |key: &str| text(&item[key]).trim_matches(['[', ']', ' ']).to_lowercase();
        let finding = name("finding");
        if !input.findings.iter().any(|known| known.id == finding) {
            defects.add(
                DefectKind::UnknownId,
                at,
                format!("{finding:?} is no finding listed above"),
            );
            continue;
        }
        let Some(op) = op(input, item, at, &name, defects) else { continue };
        let patch = Patch { finding, op };
        if patches.iter().any(|known| known.op == patch.op) {
            defects.add(DefectKind::DuplicateId, at, "the same patch again");
        } else {
            patches.push(patch);
        }
    }
    (given.is_empty() || !patches.is_empty()).then_some(Patches { patches })
}

fn op(
    input: &ReviseInput,
    item: &Value,
    at: &str,
    name: &dyn Fn(&str) -> String,
    defects: &mut Defects,
) -> Option<PatchOp> {
    let claim = |defects: &mut Defects| {
        let id = name("claim_id");
        let known = input.claims.iter().find(|claim| claim.id.as_str() == id);
        if known.is_none() {
            defects.add(DefectKind::UnknownId, at, format!("{id:?} is no claim listed above"));
        }
        known.map(|claim| claim.id.clone())
    };
    let to = |defects: &mut Defects| {
        let place = Place::parse(&name("to")).filter(|place| match place {
            Place::Conclusion => true,
            Place::Section(number) => *number <= input.sections.len(),
        });
        if place.is_none() {
            let what = format!("{:?} is neither the conclusion nor a section", name("to"));
            defects.add(DefectKind::UnknownId, at, what);
        }
        place
    };
    Some(match item["op"].as_str()? {
        "drop_claim" => PatchOp::DropClaim { claim_id: claim(defects)? },
        "demote_from_conclusion" => PatchOp::DemoteFromConclusion { claim_id: claim(defects)? },
        "move_claim" => PatchOp::MoveClaim { claim_id: claim(defects)?, to: to(defects)? },
        "add_fact" => {
            let id = name("fact_id");
            if !input.facts.iter().any(|fact| fact.id.as_str() == id) {
                let what = format!("{id:?} is no unused fact listed above");
                defects.add(DefectKind::UnknownId, at, what);
                return None;
            }
            PatchOp::AddFact { fact_id: FactId(id), to: to(defects)? }
        }
        "replace_heading" => {
            let section = to(defects)?;
            let heading = sentence(&item["heading"], at, defects);
            let claims: Vec<&str> = input.claims.iter().map(|claim| claim.text.as_str()).collect();
            let known =
                format!("{} {} {}", input.question, input.sections.join(" "), claims.join(" "));
            if let Some(word) = foreign_word(&heading, &known) {
                let what =
                    format!("{word:?} stands in no question and no claim; the heading stays");
                defects.add(DefectKind::ForeignFigure, at, what);
                return None;
            }
            if crate::text::words(&heading).is_empty() {
                defects.add(DefectKind::Empty, at, "a heading without words");
                return None;
            }
            PatchOp::ReplaceHeading { section, heading }
        }
        _ => return None,
    })
}
