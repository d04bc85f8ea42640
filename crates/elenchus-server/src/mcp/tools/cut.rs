//! The result of a run within a length: what is left out, in which order, and what is said about it.
//!
//! The order is fixed. First the answer goes to its short form, without the trace, the figures behind it and what stands
//! beside it. Then long quotes are cut; then the report, by lines from its end; then next steps, open questions and conflicts,
//! from their ends and down to one of each; then claims from the end, each with all of its quotes, so that no statement is
//! left without what it rests on.

use super::super::ports::{Progress, Refusal};
use crate::wire::{answer_json, response};
use elenchus_core::answer::{Answer, to_markdown};
use elenchus_core::text::visible_json;
use serde_json::{Value, json};

/// A quote that is longer is cut when room is short, in characters.
const LONG_QUOTE: usize = 240;
/// A longer question is cut: whoever reads the result has asked it.
const LONG_QUESTION: usize = 300;
/// A shorter beginning of the report says nothing that the answer does not.
const LEAST_REPORT: usize = 1_000;
/// Stands where something was cut.
const MARK: &str = "[...]";
/// The lists beside the claims, in the order in which they are cut, each with what it holds.
const BESIDE: [(&str, &str); 3] = [
    ("next_steps", "next steps"),
    ("could_not_establish", "open questions"),
    ("conflicts", "conflicts"),
];

/// Report and answer of a run in at most `most` characters of JSON.
pub(super) fn fitted(progress: &Progress, answer: &Answer, most: usize) -> Result<Value, Refusal> {
    let report = to_markdown(answer);
    let unsayable = |error: serde_json::Error| {
        Refusal::new(
            format!("could not write the answer of run {}", progress.run_id),
            error.to_string(),
            "this is a defect of elenchus; `elenchus runs export` may still give the report",
        )
    };
    let whole = json!({
        "run_id": progress.run_id,
        "status": progress.status,
        "report": report,
        "answer": answer_json(answer).map_err(unsayable)?,
        "truncated": false,
    });
    if size(&whole) <= most {
        return Ok(whole);
    }
    Ok(Cut::new(progress, answer).map_err(unsayable)?.fitted(&report, most))
}

/// How long a value is as clients get it, in characters.
pub(super) fn size(value: &Value) -> usize {
    visible_json(&value.to_string()).chars().count()
}

/// The same of a text, without the signs around it.
fn written(text: &str) -> usize {
    size(&Value::from(text)) - 2
}

/// The beginning of a text that is longer than `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most).collect();
    format!("{} {MARK}", kept.trim_end()).trim_start().to_owned()
}

/// A result that is cut.
struct Cut<'a> {
    progress: &'a Progress,
    /// The short form, as far as it is left.
    answer: Value,
    /// Items of evidence of each claim that is left, in the order of the claims.
    claims: Vec<usize>,
    /// Claims, and items of the lists of [`BESIDE`], before anything was cut.
    before: (usize, [usize; 3]),
}

impl<'a> Cut<'a> {
    fn new(progress: &'a Progress, answer: &Answer) -> Result<Self, serde_json::Error> {
        let mut short = serde_json::to_value(response(answer))?;
        short["question"] = json!(shortened(&answer.question, LONG_QUESTION));
        short["stop_reason"] = json!(answer.stop_reason);
        let open = answer.could_not_establish.iter();
        short["could_not_establish"] = open
            .map(|open| json!({ "description": open.description, "reason": open.reason }))
            .collect();
        if let Some(confidence) = &answer.confidence {
            let (overall, level) = answer.overall().unzip();
            short["confidence"] = json!({
                "overall_confidence": overall,
                "level": level,
                "assessment": confidence.assessment,
            });
        }
        let items = answer
            .claims
            .iter()
            .map(|claim| claim.evidence.iter().filter(|at| **at < answer.evidence.len()).count());
        let claims: Vec<usize> = items.filter(|items| *items > 0).collect();
        let lists = BESIDE.map(|(name, _)| short[name].as_array().map_or(0, Vec::len));
        Ok(Self { progress, before: (claims.len(), lists), answer: short, claims })
    }

    fn fitted(mut self, report: &str, most: usize) -> Value {
        if self.size() + written(report) > most {
            self.cut_quotes();
        }
        for (name, _) in BESIDE {
            while self.size() > most && self.count(name) > 1 && self.drop_last(name) {}
        }
        while self.size() > most && self.drop_claim() {}
        for (name, _) in BESIDE {
            while self.size() > most && self.drop_last(name) {}
        }
        for name in ["question", "conclusion"] {
            self.cut_text(name, most);
        }
        let shown = head(report, most.saturating_sub(self.size()));
        self.result(&shown, shown != report)
    }

    /// How long the result is without the report.
    fn size(&self) -> usize {
        size(&self.result("", true))
    }

    fn result(&self, report: &str, is_cut: bool) -> Value {
        json!({
            "run_id": self.progress.run_id,
            "status": self.progress.status,
            "report": report,
            "answer": self.answer,
            "truncated": true,
            "claims_left_out": self.before.0 - self.claims.len(),
            "message": self.message(is_cut),
        })
    }

    /// What is left out, and where it is.
    fn message(&self, report_is_cut: bool) -> String {
        let (claims, lists) = self.before;
        let mut left_out = vec![(claims - self.claims.len(), claims, "claims")];
        for ((name, what), before) in BESIDE.into_iter().zip(lists) {
            left_out.push((before - self.count(name), before, what));
        }
        let mut left_out: Vec<String> = left_out
            .into_iter()
            .filter(|(gone, ..)| *gone > 0)
            .map(|(gone, before, what)| format!("{gone} of {before} {what}"))
            .collect();
        if report_is_cut {
            left_out.push("the rest of the report".to_owned());
        }
        let left_out = if left_out.is_empty() {
            "the figures and the trace behind it".to_owned()
        } else {
            left_out.join(", ")
        };
        let run = &self.progress.run_id;
        format!(
            "Cut to fit max_tokens; left out: {left_out}. The whole: resources run://{run}/report and run://{run}/evidence, or \
             a higher max_tokens"
        )
    }

    /// Cuts long quotes, and what is said of a place twice.
    fn cut_quotes(&mut self) {
        for item in self.answer["evidence"].as_array_mut().into_iter().flatten() {
            let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
            let (quote, location, path) = (text("quote"), text("location"), text("path"));
            item["quote"] = json!(shortened(&quote, LONG_QUOTE));
            if location.starts_with(&path)
                && let Some(item) = item.as_object_mut()
            {
                item.remove("path");
            }
        }
    }

    /// How many items a list has.
    fn count(&self, list: &str) -> usize {
        self.answer[list].as_array().map_or(0, Vec::len)
    }

    /// Drops the last claim that is left, with its quotes; `false` when there is none.
    fn drop_claim(&mut self) -> bool {
        let Some(items) = self.claims.pop() else { return false };
        if let Some(evidence) = self.answer["evidence"].as_array_mut() {
            evidence.truncate(evidence.len().saturating_sub(items));
        }
        true
    }

    /// Drops the last item of a list; `false` when there is none.
    fn drop_last(&mut self, list: &str) -> bool {
        self.answer[list].as_array_mut().is_some_and(|items| items.pop().is_some())
    }

    /// Cuts a text from its end until the whole is no longer than `most`, as far as the text reaches.
    fn cut_text(&mut self, name: &str, most: usize) {
        let over = self.size().saturating_sub(most);
        if over == 0 {
            return;
        }
        let text = self.answer[name].as_str().unwrap_or_default();
        let chars = text.chars().count();
        if chars <= MARK.len() {
            return;
        }
        // A character takes one place at least.
        let kept = shortened(text, chars.saturating_sub(over + MARK.len() + 1));
        self.answer[name] = json!(kept);
    }
}

/// The beginning of a report in whole lines, without its front matter, and with a mark where it is cut. Nothing where there is
/// room for too little.
fn head(report: &str, room: usize) -> String {
    if written(report) <= room {
        return report.to_owned();
    }
    if room < LEAST_REPORT {
        return String::new();
    }
    let matter = report.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let body = matter.map_or(report, |(_, body)| body.trim_start());
    let mut kept = String::new();
    let mut used = written(MARK);
    for line in body.lines() {
        // The end of a line takes two characters of JSON.
        used += written(line) + 2;
        if used > room {
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    if kept.is_empty() { kept } else { kept + MARK }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn progress() -> Progress {
        Progress {
            run_id: "run_0123456789ab".into(),
            question: "Why?".to_owned(),
            status: "interrupted".to_owned(),
            phase: "done".to_owned(),
            message: "over".to_owned(),
            progress: 1.0,
            rounds: 1,
            sources: 1,
            elapsed_ms: 1,
            started_at: 0,
            updated_at: 1,
        }
    }

    /// Claims of which every other one has two quotes, with much beside them.
    fn answer(claims: usize) -> Answer {
        let (mut said, mut evidence) = (Vec::new(), Vec::new());
        for at in 1..=claims {
            let from = evidence.len();
            for quote in 0..=at % 2 {
                let quote = format!("Quote {quote} of {at}: \"{}\"", "it was so ".repeat(60));
                evidence.push(json!({
                    "fact_id": format!("f{at}"), "citation": at, "source_id": format!("src_{at}"),
                    "path": format!("{at}.md"), "location": format!("{at}.md, page 3"),
                    "passage_id": format!("src_{at}#0"), "span": {"start": 0, "end": quote.len()},
                    "document_span": {"start": 0, "end": quote.len()}, "quote": quote,
                }));
            }
            said.push(json!({
                "id": format!("c{at}"), "text": format!("Statement {at} says that it was so."), "question_id": 1,
                "source_span": {"start": 0, "end": 9}, "role": "answer", "verdict": "quoted", "warrant": "it says so",
                "evidence": (from..evidence.len()).collect::<Vec<_>>(),
            }));
        }
        let many = |text: &str| vec![text.repeat(20); 8];
        let open: Vec<Value> = many("What is missing? ")
            .into_iter()
            .map(|text| {
                json!({"gap_id": "g1", "description": text, "reason": "attempts", "attempts": 1, "queries": ["x"]})
            })
            .collect();
        serde_json::from_value(json!({
            "run_id": "run_0123456789ab", "question": "Why \"so\"?", "started_at": 0, "model": "m",
            "corpus": "c", "conclusion": "It was so [1].\n".repeat(200), "text": "It was so [1].\n\n".repeat(900),
            "sections": [], "claims": said, "evidence": evidence,
            "conflicts": vec![json!({"question_id": 1, "claims": ["c1", "c2"]}); 5],
            "superseded": [], "could_not_establish": open, "sources": [], "reasoning_trace": [1, 2, 3],
            "exploration_steps": 3, "next_steps": many("Look there. "), "stop_reason": "answered",
            "receipt": {"rounds": 1, "searches": 1, "passages": 1, "sources": 1, "model_calls": 0,
                "usage": {"input_tokens": 0, "output_tokens": 0}, "wall_ms": 1},
        }))
        .unwrap()
    }

    #[test]
    fn a_result_fits_whatever_the_room_and_says_what_is_left_out() {
        let answer = Answer { question: "Why \"so\"? ".repeat(500), ..answer(30) };
        let whole = fitted(&progress(), &answer, 10_000_000).unwrap();
        assert_eq!(whole["truncated"], false);
        assert_eq!(whole["answer"]["reasoning_trace"], json!([1, 2, 3]));
        let all = serde_json::to_value(response(&answer)).unwrap()["evidence"].clone();
        let mut before = 0;
        for most in [800, 1_200, 2_000, 4_000, 8_000, 12_000, 16_000] {
            let cut = fitted(&progress(), &answer, most).unwrap();
            let long = size(&cut);
            assert!(long <= most, "{long} characters in {most}: {cut}");
            assert_eq!(cut["truncated"], true, "{most}");
            assert!(cut["answer"].get("reasoning_trace").is_none(), "the trace goes first");
            let kept = cut["answer"]["evidence"].as_array().unwrap();
            for (item, whole) in kept.iter().zip(all.as_array().unwrap()) {
                assert_eq!(item["statement"], whole["statement"]);
                assert_eq!(item["citation"], whole["citation"]);
                assert_eq!(item["location"], whole["location"]);
                let quote = item["quote"].as_str().unwrap().trim_end_matches(MARK).trim_end();
                assert!(whole["quote"].as_str().unwrap().starts_with(quote) && !quote.is_empty());
            }
            // A claim is there with all of its quotes, or not at all.
            let said: BTreeSet<&str> =
                kept.iter().map(|item| item["statement"].as_str().unwrap()).collect();
            let quotes: usize = (1..=said.len()).map(|at| 1 + at % 2).sum();
            assert_eq!(kept.len(), quotes, "{most}");
            assert_eq!(cut["claims_left_out"], 30 - said.len(), "{most}");
            let message = cut["message"].as_str().unwrap();
            for part in ["max_tokens", "run://run_0123456789ab/report", " of 30 claims"] {
                assert!(message.contains(part), "{part}: {message}");
            }
            assert!(kept.len() >= before, "{most}: more room shows more");
            before = kept.len();
        }
        assert!(before > 10, "{before}");
    }

    #[test]
    fn the_report_ends_with_a_whole_line_where_it_is_cut() {
        let cut = fitted(&progress(), &answer(2), 16_000).unwrap();
        let report = cut["report"].as_str().unwrap();
        assert!(report.starts_with("# Why") && report.ends_with("\n[...]"), "{report}");
        assert!(written(report) > 2_000, "{report}");
        assert!(cut["message"].as_str().unwrap().contains("the rest of the report"), "{cut}");
        let none = fitted(&progress(), &answer(30), 1_000).unwrap();
        assert_eq!(none["report"], "", "a few words of it say nothing");
        assert!(none["answer"]["conclusion"].as_str().unwrap().ends_with(MARK), "{none}");
    }

    #[test]
    fn where_only_the_figures_are_too_long_nothing_else_is_cut() {
        let answer = answer(2);
        let whole = fitted(&progress(), &answer, 10_000_000).unwrap();
        let cut = fitted(&progress(), &answer, size(&whole) - 1).unwrap();
        assert_eq!(cut["report"], whole["report"]);
        assert_eq!(cut["claims_left_out"], 0);
        assert!(cut["message"].as_str().unwrap().contains("the figures and the trace"), "{cut}");
        assert!(!cut.to_string().contains(MARK), "{cut}");
    }
}
