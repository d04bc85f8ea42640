//! Critique: an opponent's reading of a finished answer.

use super::defect::{DefectKind, Defects};
use super::fill::{self, Filled};
use super::foreign::{all_of, foreign};
use super::fragment::{Shown, attribute};
use super::locate;
use super::read::{SENTENCE, id, id_shape, items, sentence, text};
use super::safe::{Safe, line};
use super::shape::{Field, Shape};
use super::{FactRole, Framing, PlannedQuestion, Severity};
use crate::evidence::{ReadPassage, Span, char_slice};
use crate::id::ClaimId;
use crate::scrutiny::challenge::Ruling;
use crate::scrutiny::critique::FindingKind;
use crate::text::words;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// Most findings kept of a reply.
const FINDINGS: usize = 12;
/// Most alternatives kept.
const ALTERNATIVES: usize = 4;
/// Most searches kept of a finding.
const SEARCHES: usize = 2;

/// A claim, as a critic or reviser sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimBrief {
    /// Its id.
    pub id: ClaimId,
    /// Its words.
    pub text: String,
    /// The planned question that it serves.
    pub question_id: u32,
    /// What it is to that question.
    pub role: FactRole,
    /// Where it stands: "conclusion", "s1", ..., or "elsewhere".
    pub place: String,
    /// What the verifier said; absent when nothing was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The title of its document.
    pub title: String,
}

/// An explanation, as a critic sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplanationBrief {
    /// `h1`, ...
    pub id: String,
    /// What it says.
    pub claim: String,
    /// Where it stands.
    pub status: String,
    /// Independent sources for it.
    pub supporting: usize,
    /// And against it.
    pub contradicting: usize,
}

/// A challenge, as a critic sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeBrief {
    /// From 1.
    pub number: u32,
    /// The step that is challenged.
    pub step: String,
    /// What it was based on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub basis: Vec<String>,
    /// What the user says.
    pub text: String,
}

/// Asks what is wrong with an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CritiqueInput {
    /// The user's question.
    pub question: String,
    /// The plan.
    pub questions: Vec<PlannedQuestion>,
    /// The claims of the answer.
    pub claims: Vec<ClaimBrief>,
    /// The passages that they are quoted from.
    pub passages: Vec<ReadPassage>,
    /// Explanations under test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<ExplanationBrief>,
    /// Disagreements that the answer tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<String>,
    /// What could not be established.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What code has found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// What the user challenges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub challenges: Vec<ChallengeBrief>,
    /// The run's mode, and tensions that bear on what was found.
    #[serde(default, skip_serializing_if = "Framing::is_empty")]
    pub framing: Framing,
}

/// A finding, as a model proposes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedFinding {
    /// What it is about.
    pub kind: FindingKind,
    /// How much it matters.
    pub severity: Severity,
    /// A claim of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_id: Option<ClaimId>,
    /// Characters of the claim's text, where the words were found again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// What is wrong, without figures that nothing shown holds.
    pub text: String,
    /// Searches for what would speak against the claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
}

/// A reply to a challenge, as a model proposes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedRuling {
    /// The challenge's number.
    pub number: u32,
    /// Who is right.
    pub ruling: Ruling,
    /// Why.
    pub text: String,
}

/// What a critic says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Criticism {
    /// In the order of the reply.
    pub findings: Vec<ProposedFinding>,
    /// Other answers that are left open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// Which way the answer leans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leans: Option<String>,
    /// One a challenge at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<ProposedRuling>,
}

/// A claim for a prompt: its words between marks that no quote can write, on one line.
fn claim_fragment(claim: &ClaimBrief) -> String {
    let mut out = String::from("<claim");
    attribute(&mut out, "id", claim.id.as_str(), 20);
    attribute(&mut out, "question", &claim.question_id.to_string(), 12);
    let role = match claim.role {
        FactRole::Answer => "answer",
        FactRole::Conflict => "conflict",
        FactRole::Superseded => "superseded",
        FactRole::Context => "context",
    };
    attribute(&mut out, "role", role, 12);
    attribute(&mut out, "place", &claim.place, 20);
    attribute(&mut out, "verdict", claim.verdict.as_deref().unwrap_or("not verified"), 40);
    attribute(&mut out, "title", &claim.title, 80);
    write!(out, ">{}</claim>", line(&claim.text, 400)).expect("writing to a String cannot fail");
    out
}

pub(super) fn claims(claims: &[ClaimBrief], room: usize) -> Safe {
    let lines: Vec<String> = claims.iter().map(claim_fragment).collect();
    Safe::lines(&lines, room, "claims", "(none)")
}

fn list(texts: &[String], most: usize, room: usize, noun: &str) -> Safe {
    fill::list(texts.iter().map(String::as_str), most, room, noun, "(none)")
}

pub(super) fn fill(input: &CritiqueInput, room: usize) -> Filled {
    let explanations: Vec<String> = input
        .explanations
        .iter()
        .map(|one| {
            format!(
                "- {} ({}; {} for it, {} against it): {}",
                line(&one.id, 20),
                line(&one.status, 20),
                crate::inquiry::count(one.supporting, "independent source"),
                one.contradicting,
                line(&one.claim, SENTENCE)
            )
        })
        .collect();
    let challenges: Vec<String> = input
        .challenges
        .iter()
        .map(|one| {
            let basis: Vec<String> = one.basis.iter().map(|basis| line(basis, 240)).collect();
            let basis = if basis.is_empty() { "nothing told".to_owned() } else { basis.join("; ") };
            format!(
                "{}. <challenge>{}</challenge> to the step <step>{}</step> based on <basis>{basis}</basis>",
                one.number,
                line(&one.text, 600),
                line(&one.step, 300),
            )
        })
        .collect();
    let mut slots = vec![
        ("question", fill::question(&input.question, room)),
        ("questions", fill::planned(&input.questions, room / 10)),
        ("claims", claims(&input.claims, room / 4)),
        ("explanations", Safe::lines(&explanations, room / 12, "explanations", "(none)")),
        ("disagreements", list(&input.disagreements, 300, room / 12, "disagreements")),
        ("missing", list(&input.missing, 240, room / 12, "gaps")),
        ("known", list(&input.known, 300, room / 12, "findings")),
        ("challenges", Safe::lines(&challenges, room / 10, "challenges", "(none)")),
    ];
    let wanted: Vec<&str> = input.claims.iter().map(|claim| claim.text.as_str()).collect();
    let shown = fill::shown(&input.passages, &wanted, &[], 0, 0, fill::left(room, &slots));
    let passages = if input.passages.is_empty() { Safe::fixed("(none)") } else { shown.safe() };
    slots.push(("passages", passages));
    Filled { slots, shown }
}

pub(super) fn shape(input: &CritiqueInput) -> Shape {
    let finding = Shape::Object(vec![
        Field::essential("kind", Shape::Word(FindingKind::WORDS), "what it is about"),
        Field::optional(
            "severity",
            Shape::Word(&["critical", "important", "minor"]),
            "how much it matters",
        ),
        Field::optional(
            "claim_id",
            Shape::nullable(Shape::Text(20)),
            "the claim that it points at, or null",
        ),
        Field::optional(
            "words",
            Shape::nullable(Shape::Text(SENTENCE)),
            "words of that claim, copied, or null",
        ),
        Field::essential("text", Shape::Text(SENTENCE), "what is wrong, in one sentence"),
        Field::optional(
            "queries",
            Shape::list(Shape::Text(200), 6),
            "searches for what would speak against the claim",
        ),
    ]);
    let reply = Shape::Object(vec![
        Field::essential("number", id_shape(), "the challenge's number"),
        Field::optional("verdict", Shape::Word(&["upheld", "rejected", "open"]), "who is right"),
        Field::optional("text", Shape::Text(SENTENCE), "why, in one sentence"),
    ]);
    Shape::Object(vec![
        Field::essential(
            "findings",
            Shape::list(finding, FINDINGS * 2),
            "what is wrong, the worst first; empty when nothing is",
        ),
        Field::optional(
            "alternatives",
            Shape::list(Shape::Text(SENTENCE), ALTERNATIVES * 2),
            "other answers that are left open",
        ),
        Field::optional(
            "leans",
            Shape::nullable(Shape::Text(200)),
            "which side the answer favours, or null",
        ),
        Field::optional(
            "replies",
            Shape::list(reply, input.challenges.len() + 2),
            "one for each challenge",
        ),
    ])
}

/// Everything that a critic was shown, for telling figures that it made up.
fn known(input: &CritiqueInput) -> String {
    let mut all = input.question.clone();
    let mut add = |text: &str| {
        all.push(' ');
        all.push_str(text);
    };
    for question in &input.questions {
        add(&question.id.to_string());
        add(&question.text);
    }
    for claim in &input.claims {
        add(claim.id.as_str());
        add(&claim.text);
        add(&claim.title);
    }
    for read in &input.passages {
        add(&all_of(read));
    }
    for one in &input.explanations {
        add(&one.id);
        add(&one.claim);
    }
    input.disagreements.iter().chain(&input.missing).chain(&input.known).for_each(|t| add(t));
    for one in &input.challenges {
        add(&one.number.to_string());
        add(&one.step);
        add(&one.text);
        add(&one.basis.join(" "));
    }
    all
}

/// A sentence that may be shown; `None` when it is empty or holds a figure or a name that nothing shown holds.
fn said(
    value: &Value,
    at: &str,
    shown: &Shown,
    known: &str,
    defects: &mut Defects,
) -> Option<String> {
    let said = locate::with_titles(&sentence(value, at, defects), shown);
    if words(&said).is_empty() {
        return None;
    }
    if let Some(figure) = foreign(&said, known) {
        let what = format!("{figure:?} stands in nothing that was shown; the sentence is dropped");
        defects.add(DefectKind::ForeignFigure, at, what);
        return None;
    }
    Some(said)
}

/// `None` when the reply said something and nothing of it could be used.
pub(super) fn read(
    input: &CritiqueInput,
    shown: &Shown,
    value: &Value,
    defects: &mut Defects,
) -> Option<Criticism> {
    let known = known(input);
    let given = items(value, "findings");
    let mut criticism = Criticism::default();
    for (at, item) in &given {
        let Some(found) = finding(input, item, at, shown, &known, defects) else { continue };
        let same = |other: &ProposedFinding| {
            other.kind == found.kind
                && other.claim_id == found.claim_id
                && other.span == found.span
                && (found.claim_id.is_some() || other.text == found.text)
        };
        if criticism.findings.iter().any(same) {
            defects.add(DefectKind::DuplicateId, at, "the same finding again");
        } else if criticism.findings.len() == FINDINGS {
            defects.add(DefectKind::TooLong, at, format!("more than {FINDINGS} findings"));
        } else {
            criticism.findings.push(found);
        }
    }
    for (at, item) in items(value, "alternatives") {
        if let Some(text) = said(item, &at, shown, &known, defects)
            && criticism.alternatives.len() < ALTERNATIVES
            && !criticism.alternatives.contains(&text)
        {
            criticism.alternatives.push(text);
        }
    }
    if value["leans"].is_string() {
        criticism.leans = said(&value["leans"], "leans", shown, &known, defects);
    }
    for (at, item) in items(value, "replies") {
        let number = id(&item["number"]);
        if !input.challenges.iter().any(|one| one.number == number) {
            defects.add(
                DefectKind::UnknownId,
                &at,
                format!("{number} is no challenge listed above"),
            );
        } else if criticism.replies.iter().any(|one| one.number == number) {
            defects.add(DefectKind::DuplicateId, &at, format!("challenge {number} stands twice"));
        } else if let Some(text) = said(&item["text"], &at, shown, &known, defects) {
            let ruling = match item["verdict"].as_str() {
                Some("upheld") => Ruling::Upheld,
                Some("rejected") => Ruling::Rejected,
                _ => Ruling::Open,
            };
            criticism.replies.push(ProposedRuling { number, ruling, text });
        }
    }
    let nothing = criticism == Criticism::default();
    (given.is_empty() || !nothing).then_some(criticism)
}

fn finding(
    input: &CritiqueInput,
    item: &Value,
    at: &str,
    shown: &Shown,
    known: &str,
    defects: &mut Defects,
) -> Option<ProposedFinding> {
    let kind = FindingKind::of(item["kind"].as_str()?)?;
    let about_words = matches!(kind, FindingKind::Fallacy | FindingKind::Overstatement);
    let named = text(&item["claim_id"]).trim_matches(['[', ']', ' ']).to_lowercase();
    let claim = match input.claims.iter().find(|claim| claim.id.as_str() == named) {
        Some(claim) => Some(claim),
        None if !named.is_empty() => {
            defects.add(DefectKind::UnknownId, at, format!("{named:?} is no claim of the answer"));
            return None;
        }
        None if about_words || kind == FindingKind::WeakCitation => {
            defects.add(DefectKind::MissingKey, at, "it points at no claim");
            return None;
        }
        None => None,
    };
    let copied = text(&item["words"]);
    let span = claim.filter(|_| !copied.is_empty()).and_then(|claim| {
        let whole = Span { start: 0, end: claim.text.chars().count() };
        locate::find(&claim.text, whole, &copied)
            .filter(|span| char_slice(&claim.text, *span).is_some_and(|t| !t.trim().is_empty()))
    });
    if span.is_none() && claim.is_some() && !copied.is_empty() {
        defects.add(DefectKind::ValueNotThere, at, format!("{copied:?} does not stand in {named}"));
    }
    if span.is_none() && about_words {
        if copied.is_empty() {
            defects.add(DefectKind::MissingKey, at, "it names no words of the claim");
        }
        return None;
    }
    let severity = match item["severity"].as_str() {
        Some("critical") => Severity::Critical,
        Some("important") => Severity::Important,
        Some("minor") => Severity::Minor,
        _ => {
            defects.add(DefectKind::MissingKey, at, "no severity; it counts as minor");
            Severity::Minor
        }
    };
    let Some(text) = said(&item["text"], at, shown, known, defects) else {
        defects.add(DefectKind::Empty, at, "a finding without a reason that can be shown");
        return None;
    };
    let mut queries: Vec<String> = Vec::new();
    if kind == FindingKind::MissingCounterEvidence {
        for (_, query) in items(item, "queries") {
            let query = sentence(query, at, defects);
            if !words(&query).is_empty() && !queries.contains(&query) && queries.len() < SEARCHES {
                queries.push(query);
            }
        }
    }
    Some(ProposedFinding {
        kind,
        severity,
        claim_id: claim.map(|claim| claim.id.clone()),
        span,
        text,
        queries,
    })
}
