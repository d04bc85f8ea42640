//! An answer in the short form of seed 002: what follows, from what, against what, and what to do next.

use super::keep::memo_of_quote;
use crate::answer::{Answer, Claim, display_quote};
use crate::belief::Verdict;
use crate::id::MemoId;
use crate::prompt::FactRole;
use serde::Serialize;
use std::fmt::Write;

/// A statement with the words that stand behind it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvidenceItem {
    /// The memo that holds the quote, where the answer is kept in a graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memo_id: Option<MemoId>,
    /// The claim, as the answer words it.
    pub statement: String,
    /// What the evidence does for the answer: `supports`, `conflicts`, `superseded`, or `contradicted` where what was read says
    /// otherwise than the statement.
    pub support: &'static str,
    /// The exact words.
    pub quote: String,
    /// How sure the statement is, in `[0, 1]`; absent when it was not checked, or only came nearest to an open question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The document.
    pub path: String,
    /// Path, page and headings.
    pub location: String,
    /// The passage.
    pub passage_id: String,
    /// `[n]` in the text.
    pub citation: usize,
}

/// Statements that cannot all hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConflictItem {
    /// The memo that holds the words against the answer, where the answer is kept in a graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memo_id: Option<MemoId>,
    /// The statements that disagree, with their citations.
    pub risk: String,
    /// What a reader can do about it.
    pub mitigation: String,
}

/// The answer in the short form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Response {
    /// The short answer.
    pub conclusion: String,
    /// One item a claim and quote.
    pub evidence: Vec<EvidenceItem>,
    /// Where the sources disagree.
    pub conflicts: Vec<ConflictItem>,
    /// How sure the answer is, in `[0, 1]`; absent when nothing was verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// What a reader could do about what is missing.
    pub next_steps: Vec<String>,
}

/// The short form of an answer. With a namespace, items name the memos that [`super::keep`] makes of their quotes.
pub fn respond(answer: &Answer, namespace: Option<&str>) -> Response {
    let told = answer.conflicts.iter().map(|conflict| {
        let claims: Vec<&Claim> =
            answer.claims.iter().filter(|claim| conflict.claims.contains(&claim.id)).collect();
        let last = claims.iter().rev().find_map(|claim| claim.evidence.first());
        ConflictItem {
            memo_id: last
                .and_then(|at| answer.evidence.get(*at))
                .and_then(|e| namespace.map(|n| memo_of_quote(n, &e.source_id, &e.quote))),
            risk: claims
                .iter()
                .map(|claim| format!("{}{}", claim.text, citations(answer, claim)))
                .collect::<Vec<_>>()
                .join(" / "),
            mitigation: "Read the cited passages side by side; the answer prefers none of them."
                .to_owned(),
        }
    });
    let found = answer.disagreements.iter().map(|disagreement| ConflictItem {
        memo_id: disagreement
            .sides
            .last()
            .and_then(|side| namespace.map(|n| memo_of_quote(n, &side.source_id, &side.quote))),
        risk: disagreement.summary.clone(),
        mitigation: format!(
            "Read {} side by side, and find out which is later or nearer to the source.",
            disagreement
                .sides
                .iter()
                .map(|side| display_quote(&side.location, &[]))
                .collect::<Vec<_>>()
                .join(" and ")
        ),
    });
    Response {
        conclusion: answer.conclusion.clone(),
        evidence: answer.claims.iter().flat_map(|claim| items(answer, claim, namespace)).collect(),
        conflicts: told.chain(found).collect(),
        confidence: answer.overall().map(|(figure, _)| figure),
        next_steps: answer.next_steps.clone(),
    }
}

/// How sure a claim is, where that is shown.
pub(super) fn sure(answer: &Answer, claim: &Claim) -> Option<f64> {
    answer.shown_figures(claim)?.confidence
}

/// Whether the check found that what was read says otherwise than a claim: its own quote supports nothing then.
pub(super) fn is_contradicted(answer: &Answer, claim: &Claim) -> bool {
    let mut checked = answer.entailments.iter().filter(|one| one.claim_id == claim.id);
    checked.any(|one| one.verdict == Verdict::Contradicted)
}

fn items(answer: &Answer, claim: &Claim, namespace: Option<&str>) -> Vec<EvidenceItem> {
    let superseded = answer.superseded.iter().any(|older| older.claim == claim.id);
    let support = match claim.role {
        FactRole::Conflict => "conflicts",
        _ if superseded => "superseded",
        _ if is_contradicted(answer, claim) => "contradicted",
        _ => "supports",
    };
    claim
        .evidence
        .iter()
        .filter_map(|at| answer.evidence.get(*at))
        .map(|evidence| EvidenceItem {
            memo_id: namespace.map(|n| memo_of_quote(n, &evidence.source_id, &evidence.quote)),
            statement: claim.text.clone(),
            support,
            quote: evidence.quote.clone(),
            confidence: sure(answer, claim),
            path: evidence.path.clone(),
            location: display_quote(&evidence.location, &[]),
            passage_id: evidence.passage_id.to_string(),
            citation: evidence.citation,
        })
        .collect()
}

fn citations(answer: &Answer, claim: &Claim) -> String {
    let mut numbers: Vec<usize> = claim
        .evidence
        .iter()
        .filter_map(|at| answer.evidence.get(*at))
        .map(|e| e.citation)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.iter().fold(String::new(), |mut text, number| {
        write!(text, " [{number}]").expect("writing to a String cannot fail");
        text
    })
}
