//! The JSON forms of an answer and of an event.

use elenchus_core::answer::{Answer, CrateFile, to_html_on, to_ro_crate};
use elenchus_core::graph::respond;
use elenchus_core::inquiry::Run;
use elenchus_core::text::visible_json;
use elenchus_core::trace::Envelope;
use serde::Serialize;
use serde_json::Value;

pub use elenchus_core::graph::{ConflictItem, EvidenceItem, Response};

/// The whole answer, with its short form.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct WithResponse {
    #[serde(flatten)]
    pub(crate) answer: Answer,
    /// The short form.
    pub(crate) response: Response,
}

impl WithResponse {
    /// The answer as programs are given it: without figures that people are not shown.
    pub(crate) fn of(answer: &Answer) -> Self {
        Self { answer: answer.as_shown(), response: response(answer) }
    }
}

/// The short form of an answer.
pub fn response(answer: &Answer) -> Response {
    respond(answer, None)
}

/// The whole answer, with the short form under `response`.
pub fn answer_json(answer: &Answer) -> Result<Value, serde_json::Error> {
    serde_json::to_value(WithResponse::of(answer))
}

/// One event on one line, without the line's end.
pub fn event_line(event: &Envelope) -> Result<String, serde_json::Error> {
    serde_json::to_string(event).map(|line| visible_json(&line))
}

/// The files of a run's package (RO-Crate), the metadata first: the report, its evidence, and the trace.
pub fn package(
    answer: &Answer,
    run: &Run,
    events: &[Envelope],
) -> Result<Vec<CrateFile>, serde_json::Error> {
    let mut trace = String::new();
    for event in events {
        trace.push_str(&event_line(event)?);
        trace.push('\n');
    }
    let written = serde_json::to_string_pretty(&answer_json(answer)?)?;
    let view = run.view();
    let adds = vec![
        CrateFile::new(
            "report.html",
            "text/html",
            "The report as one page, with charts",
            to_html_on(answer, view.ground()),
        ),
        CrateFile::new(
            "answer.json",
            "application/json",
            "The answer with every figure",
            format!("{}\n", visible_json(&written)),
        ),
        CrateFile::new(
            "trace.jsonl",
            "application/jsonl",
            "What the run thought and did, an event a line",
            trace,
        ),
    ];
    Ok(to_ro_crate(answer, events, &view.passages(), adds))
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
