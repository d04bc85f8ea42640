//! The answer as text: the report that `elenchus ask` gives, without its front matter.

use super::super::paint::{Page, Tone};
use super::claims::NO_FIGURE;
use elenchus_core::answer::to_markdown;
use elenchus_core::trace::Projection;

pub(super) fn text(run: &Projection, page: &mut Page) {
    let Some(answer) = &run.answer else { return };
    if answer.confidence.is_some() {
        let (tone, said) = match answer.overall() {
            Some((p, level)) => (Tone::of(p), format!("{p:.2}, {}", level.word())),
            None => (Tone::Plain, NO_FIGURE.to_owned()),
        };
        page.hung(Tone::Dim, "confidence: ", tone, &said);
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
