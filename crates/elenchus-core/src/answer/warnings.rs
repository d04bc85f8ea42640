//! The section of a report about fallacies in the words that it quotes, and in those of a model.

use super::display::display_quote;
use super::types::Answer;
use crate::scrutiny::warning::{FallacyWarning, ModelPart, Place};
use std::fmt::Write;

/// Warnings shown.
const SHOWN: usize = 8;
/// Characters of the words themselves that are shown.
const WORDS: usize = 200;

/// Warnings of the section: those about explanations stand beside the explanations.
fn told(answer: &Answer) -> impl Iterator<Item = &FallacyWarning> {
    answer.fallacy_warnings.iter().filter(|warning| {
        !matches!(warning.place, Place::Model { part: ModelPart::Explanation, .. })
    })
}

/// Whether there is such a section.
pub(super) fn are_told(answer: &Answer) -> bool {
    told(answer).next().is_some()
}

/// The section, from its heading on; empty without warnings.
pub(super) fn section(answer: &Answer) -> String {
    let mut out = String::new();
    if !are_told(answer) {
        return out;
    }
    out.push_str(
        "## Warnings about the reasoning\n\nNo verdicts: each names words that may commit a fallacy, and a question that would \
         tell.\n\n",
    );
    let mut lines: Vec<String> = Vec::new();
    for warning in told(answer) {
        // One quote may stand under two questions; what is wrong with it is told once.
        let line = line(warning);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    for line in lines.iter().take(SHOWN) {
        writeln!(out, "- {line}").expect("writing to a String cannot fail");
    }
    if lines.len() > SHOWN {
        writeln!(out, "- {} more in the JSON form", lines.len() - SHOWN)
            .expect("writing to a String cannot fail");
    }
    out
}

/// "A warning about the reasoning of source [2]: slippery slope in “...”; ask: ...".
fn line(warning: &FallacyWarning) -> String {
    let short: String = warning.words.chars().take(WORDS).collect();
    let more = if short.len() < warning.words.len() { "\u{2026}" } else { "" };
    format!(
        "A warning about {}: {} (probability {:.2}) in \u{201C}{}{more}\u{201D}; ask: {}",
        about(warning),
        warning.name,
        warning.probability,
        display_quote(&short, &[]),
        display_quote(&warning.question, &[])
    )
}

/// The number of a source is a citation here; an id of a model's part is text like any other.
fn about(warning: &FallacyWarning) -> String {
    match warning.place {
        Place::Quote { .. } => warning.about(),
        Place::Model { .. } => display_quote(&warning.about(), &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::export::fixture::answer;
    use super::super::{to_html, to_markdown};
    use super::*;
    use serde_json::json;

    fn warned(place: &serde_json::Value) -> FallacyWarning {
        let mut warning = json!({
            "id": "w1", "fallacy": "slippery_slope", "name": "slippery slope", "span": {"start": 0, "end": 5},
            "words": "If we let <b> them", "question": "Is \"[one](x)\" sure?", "probability": 0.85,
            "calibrated": false, "because": "the words follow the pattern",
        });
        let fields = place.as_object().expect("a place has fields").clone();
        warning.as_object_mut().expect("it has fields").extend(fields);
        serde_json::from_value(warning).expect("it is a warning")
    }

    #[test]
    fn a_warning_is_told_with_its_source_and_its_question() {
        let mut answer = answer();
        let quote = json!({
            "place": "quote", "claim_id": "c1", "evidence": 0, "citation": 2, "source_id": "src_2", "passage_id": "src_2#0",
            "passage_span": {"start": 0, "end": 5},
        });
        answer.fallacy_warnings = vec![warned(&quote), warned(&quote)];
        let report = to_markdown(&answer);
        let line = "- A warning about the reasoning of source [2]: slippery slope (probability 0.85) in \
                    \u{201C}If we let \\<b> them\u{201D}; ask: Is \"\\[one\\](x)\" sure?\n";
        assert_eq!(report.matches(line).count(), 1, "{report}");
        assert!(report.contains("the warnings aside"), "{report}");
        let html = to_html(&answer);
        assert!(html.contains("source <a href=\"#source-2\">[2]</a>: slippery slope"), "{html}");
        assert!(!html.contains("<b>"), "{html}");
    }

    #[test]
    fn an_explanation_is_warned_of_where_it_stands() {
        let mut answer = answer();
        let place = json!({ "place": "model", "part": "explanation", "about": "h1" });
        answer.fallacy_warnings = vec![warned(&place)];
        assert_eq!(section(&answer), "");
        let place = json!({ "place": "model", "part": "critique" });
        answer.fallacy_warnings = vec![warned(&place); SHOWN];
        assert!(section(&answer).contains("A warning about the critic's words: slippery slope"));
    }
}
