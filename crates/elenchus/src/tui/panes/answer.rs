//! The answer as text: the report that `elenchus ask` gives, without its front matter.

use super::super::paint::{Page, Tone};
use elenchus_core::answer::to_markdown;
use elenchus_core::trace::Projection;

pub(super) fn text(run: &Projection, page: &mut Page) {
    let Some(answer) = &run.answer else { return };
    if let Some(confidence) = &answer.confidence {
        page.hung(
            Tone::Dim,
            "confidence: ",
            Tone::of(confidence.overall_confidence),
            &format!("{:.2}, {}", confidence.overall_confidence, confidence.level.word()),
        );
    }
    let report = to_markdown(answer);
    let body = report.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    for line in body.map_or(report.as_str(), |(_, body)| body).lines() {
        let plain = line.replace("**", "");
        let indent = plain.len() - plain.trim_start().len();
        let plain = plain.trim();
        if plain.is_empty() {
            page.gap();
        } else if let Some(head) = plain.strip_prefix('#') {
            page.head(head.trim_start_matches('#').trim());
        } else if let Some(point) = plain.strip_prefix("- ") {
            let mark = format!("{}\u{2022} ", " ".repeat(indent.min(8)));
            page.hung(Tone::Dim, &mark, Tone::Plain, point);
        } else if indent > 0 {
            page.hung(Tone::Plain, &" ".repeat(indent.min(8)), Tone::Dim, plain);
        } else if plain.starts_with('*') && plain.ends_with('*') {
            page.text(Tone::Dim, plain.trim_matches('*'));
        } else {
            page.text(Tone::Plain, plain);
        }
    }
}
