//! The JSON forms of an answer and of an event.

use elenchus_core::answer::{Answer, Claim, display_quote};
use elenchus_core::prompt::FactRole;
use elenchus_core::trace::Envelope;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

/// A statement with the words that stand behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvidenceItem {
    /// The memo that holds the passage, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memo_id: Option<String>,
    /// The claim, as the answer words it.
    pub statement: String,
    /// What the evidence does for the answer: `supports`, `conflicts` or `superseded`.
    pub support: &'static str,
    /// The exact words.
    pub quote: String,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConflictItem {
    /// The memo, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memo_id: Option<String>,
    /// The statements that disagree, with their citations.
    pub risk: String,
    /// What a reader can do about it.
    pub mitigation: String,
}

/// The answer in the short form: what follows, from what, against what, and what to do next.
///
/// It has no confidence because none is measured yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// The short answer.
    pub conclusion: String,
    /// One item a claim and quote.
    pub evidence: Vec<EvidenceItem>,
    /// Where the sources disagree.
    pub conflicts: Vec<ConflictItem>,
    /// What a reader could do about what is missing.
    pub next_steps: Vec<String>,
}

#[derive(Serialize)]
struct WithResponse<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    response: Response,
}

/// The short form of an answer.
pub fn response(answer: &Answer) -> Response {
    Response {
        conclusion: answer.conclusion.clone(),
        evidence: answer.claims.iter().flat_map(|claim| items(answer, claim)).collect(),
        conflicts: answer
            .conflicts
            .iter()
            .map(|conflict| ConflictItem {
                memo_id: None,
                risk: answer
                    .claims
                    .iter()
                    .filter(|claim| conflict.claims.contains(&claim.id))
                    .map(|claim| format!("{}{}", claim.text, citations(answer, claim)))
                    .collect::<Vec<_>>()
                    .join(" / "),
                mitigation:
                    "Read the cited passages side by side; the answer prefers none of them."
                        .to_owned(),
            })
            .collect(),
        next_steps: answer.next_steps.clone(),
    }
}

fn items(answer: &Answer, claim: &Claim) -> Vec<EvidenceItem> {
    let superseded = answer.superseded.iter().any(|older| older.claim == claim.id);
    let support = match claim.role {
        FactRole::Conflict => "conflicts",
        _ if superseded => "superseded",
        _ => "supports",
    };
    claim
        .evidence
        .iter()
        .filter_map(|at| answer.evidence.get(*at))
        .map(|evidence| EvidenceItem {
            memo_id: None,
            statement: claim.text.clone(),
            support,
            quote: evidence.quote.clone(),
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
        // Writing to a String cannot fail.
        let _ = write!(text, " [{number}]");
        text
    })
}

/// The whole answer, with the short form under `response`.
pub fn answer_json(answer: &Answer) -> Result<Value, serde_json::Error> {
    serde_json::to_value(WithResponse { answer, response: response(answer) })
}

/// One event on one line, without the line's end.
pub fn event_line(event: &Envelope) -> Result<String, serde_json::Error> {
    serde_json::to_string(event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Two statements that cannot both hold, each from one document.
    fn answer() -> Answer {
        let claim = |id: &str, text: &str, start: usize, evidence: usize| {
            json!({
                "id": id, "text": text, "source_span": {"start": start, "end": start + text.len()},
                "question_id": 1, "role": "conflict", "verdict": "quoted", "evidence": [evidence],
                "warrant": "it names the cause",
            })
        };
        let evidence = |citation: usize, path: &str, quote: &str| {
            json!({
                "fact_id": format!("f{citation}"), "citation": citation, "source_id": format!("src_{citation}"),
                "path": path, "location": path, "passage_id": format!("src_{citation}#0"), "quote": quote,
                "span": {"start": 0, "end": quote.len()}, "document_span": {"start": 0, "end": quote.len()},
            })
        };
        serde_json::from_value(json!({
            "run_id": "run_1", "question": "Why?", "started_at": 0, "model": "m", "corpus": "c",
            "conclusion": "a / b", "text": "a / b", "sections": [],
            "claims": [claim("c1", "a", 0, 0), claim("c2", "b", 4, 1)],
            "evidence": [evidence(1, "x.md", "a"), evidence(2, "y.md", "b")],
            "conflicts": [{"question_id": 1, "claims": ["c1", "c2"]}],
            "superseded": [], "could_not_establish": [], "sources": [], "reasoning_trace": [],
            "exploration_steps": 0, "next_steps": ["look"], "stop_reason": "answered",
            "receipt": {"rounds": 1, "searches": 1, "passages": 2, "sources": 2, "model_calls": 1,
                "usage": {"input_tokens": 0, "output_tokens": 0}, "wall_ms": 1},
        }))
        .unwrap()
    }

    #[test]
    fn the_short_form_says_what_disagrees() {
        let short = response(&answer());
        assert_eq!(short.conflicts[0].risk, "a [1] / b [2]");
        assert!(short.evidence.iter().all(|item| item.support == "conflicts"));
        assert_eq!(short.next_steps, ["look"]);
    }

    #[test]
    fn the_json_is_the_answer_and_more() {
        let answer = answer();
        let json = answer_json(&answer).unwrap();
        assert_eq!(json["response"]["evidence"][1]["path"], "y.md");
        // A reader that knows only the answer reads it back.
        assert_eq!(serde_json::from_value::<Answer>(json).unwrap(), answer);
    }
}
