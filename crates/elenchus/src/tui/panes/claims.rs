//! The statements of the answer, each with how sure it is, why, and what it rests on.

use super::super::app::App;
use super::super::paint::{Page, Tone, bar, span};
use crate::ui::progress::counted;
use elenchus_core::answer::{Answer, Claim};
use elenchus_core::belief::{ClaimConfidence, EntailmentResult, Verdict};
use elenchus_core::measure::Explained;
use elenchus_core::port::Matter;
use elenchus_core::trace::Projection;
use ratatui::text::Line;

/// How deep the reasons of a figure are told.
const DEEPEST: usize = 3;

fn entailment<'a>(answer: &'a Answer, claim: &Claim) -> Option<&'a EntailmentResult> {
    answer.entailments.iter().find(|one| one.claim_id == claim.id)
}

/// Said where the answer has no figure.
pub(super) const NO_FIGURE: &str = "no figure, nothing answers";

/// A sign, a word and a tone for what the sources make of a statement.
fn badge(found: Option<&EntailmentResult>) -> (char, &'static str, Tone) {
    let word = found.map_or("unchecked", |found| found.verdict.word());
    match found.map(|found| &found.verdict) {
        Some(Verdict::Entailed) => ('\u{2713}', word, Tone::Good),
        Some(Verdict::Contradicted) => ('\u{2717}', word, Tone::Bad),
        Some(Verdict::Neutral { .. }) => ('~', word, Tone::Warn),
        Some(Verdict::Unchecked { .. }) | None => ('?', word, Tone::Dim),
    }
}

/// Whether it has the badge of a statement that no source bears out.
fn unsupported(answer: &Answer, claim: &Claim) -> bool {
    answer.shown_figures(claim).is_some_and(ClaimConfidence::is_unsupported)
}

pub(super) fn top(run: &Projection, page: &mut Page) {
    let Some(answer) = run.answer.as_ref().filter(|answer| answer.confidence.is_some()) else {
        return;
    };
    let mut line = vec![span(Tone::Dim, "the answer: ")];
    match answer.overall() {
        Some((p, level)) => {
            line.push(span(Tone::of(p), format!("{} ", bar(p, 10))));
            line.push(span(Tone::Strong, format!("{p:.2} {}", level.word())));
            if page.width() >= 60 {
                let all = answer.counted_claims().len();
                let verb = if all == 1 { "answers" } else { "answer" };
                let of = format!(", of {} that {verb}", counted(all, "statement"));
                line.push(span(Tone::Dim, of));
            }
        }
        None => line.push(span(Tone::Strong, NO_FIGURE)),
    }
    page.line(line);
    for text in answer.advice().iter().take(2) {
        page.item(text);
    }
}

pub(super) fn row(app: &App, answer: &Answer, at: usize, width: usize) -> Option<Line<'static>> {
    let claim = answer.claims.get(at)?;
    let (mark, word, tone) = badge(entailment(answer, claim));
    let mut left =
        vec![span(tone, format!("{mark} ")), span(Tone::Strong, format!("{:<3} ", claim.id))];
    if let Some((figure, level)) =
        answer.shown_figures(claim).and_then(|one| Some((one.confidence?, one.level?)))
    {
        left.push(span(Tone::of(figure), bar(figure, if width < 60 { 4 } else { 8 })));
        left.push(span(Tone::Plain, format!(" {figure:.2} ")));
        if width >= 60 {
            left.push(span(Tone::of(figure), format!("{:<8} ", level.word())));
        }
        if unsupported(answer, claim) {
            left.push(span(Tone::Bad, if width < 60 { "! " } else { "unsupported " }));
        }
    } else if let Some(instead) = answer.kept_back(claim) {
        // As wide as a figure with its bar, so that the words of all rows begin in one column.
        let short = if answer.only_came_nearest(claim) { "no answer" } else { "older" };
        let shown = if width < 60 { format!("{short:<10}") } else { format!("{instead:<23}") };
        left.push(span(Tone::Dim, shown));
    } else {
        left.push(span(tone, format!("{word} ")));
    }
    let said = super::word(app, Matter::Claim, claim.id.as_str());
    Some(super::between(left, (Tone::Plain, &claim.text), &said, width))
}

pub(super) fn details(app: &App, answer: &Answer, at: usize, page: &mut Page) {
    let Some(claim) = answer.claims.get(at) else { return };
    let found = entailment(answer, claim);
    let (mark, word, tone) = badge(found);
    page.hung(tone, &format!("{mark} "), Tone::Title, &format!("{}: {}", claim.id, claim.text));
    let sure = answer.shown_figures(claim);
    if let Some((one, figure)) = sure.and_then(|one| Some((one, one.confidence?))) {
        let level = one.level.map_or("", |level| level.word());
        page.line(vec![
            span(Tone::of(figure), bar(figure, 20)),
            span(Tone::Strong, format!(" {figure:.2} {level}")),
        ]);
        if unsupported(answer, claim) {
            page.text(Tone::Bad, "Unsupported: no source bears it out.");
        }
        if let Some((low, high)) = one.interval {
            page.field("between", &format!("{low:.2} and {high:.2} in 95 of 100 cases"));
        }
    }
    if let Some(sure) = answer.sureness(at) {
        if answer.kept_back(claim).is_some() {
            page.text(Tone::Strong, sure.instead);
        }
        page.field("behind it", &sure.because());
    }
    page.field(
        "it is",
        &found.map_or_else(|| word.to_owned(), |found| format!("{word}: {}", found.reasoning)),
    );
    super::said(app, Matter::Claim, claim.id.as_str(), page);
    page.field("warrant", &claim.warrant);
    for item in claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)) {
        page.head(&format!("[{}] {}", item.citation, item.location));
        page.text(Tone::Plain, &format!("\u{201C}{}\u{201D}", item.quote));
        page.field("columns", &item.table_header.join(", "));
    }
    for warning in answer.warnings_of(&claim.id) {
        page.head(&format!("a warning about the reasoning: {}", warning.name));
        page.text(Tone::Warn, &format!("\u{201C}{}\u{201D}", warning.words));
        page.field("ask", &warning.question);
    }
    for finding in answer.findings_about(&claim.id) {
        page.head(&format!(
            "found against it: {}, {}",
            finding.kind.name(),
            finding.severity.name()
        ));
        page.text(Tone::Warn, &finding.text);
    }
    for other in found.iter().flat_map(|found| &found.contradicting_sources) {
        page.head(&format!("against it: {}", other.location));
        page.text(Tone::Plain, &format!("\u{201C}{}\u{201D}", other.relevant_text));
    }
    if let Some(one) = sure {
        page.head("why this figure");
        if !answer.counted_claims().contains(&at) {
            page.text(Tone::Dim, "It does not count towards the figure of the answer.");
        }
        why(&one.explained, 0, page);
    }
}

/// A figure with what it came from, indented.
pub(super) fn why(explained: &Explained, depth: usize, page: &mut Page) {
    let mark = format!("{}{:.2} ", "  ".repeat(depth), explained.value);
    page.hung(Tone::Strong, &mark, Tone::Plain, &format!("{}: {}", explained.what, explained.rule));
    if depth < DEEPEST {
        for child in &explained.children {
            why(child, depth + 1, page);
        }
    }
}
