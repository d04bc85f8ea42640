//! The trace: stages with their steps, and all that is known of one.

use super::super::app::App;
use super::super::paint::{Page, Tone, bar, columns, fit, span, wrap};
use super::super::tree::{self, Row};
use super::between;
use crate::time;
use crate::ui::progress::counted;
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Projection, RoundShown, Step, StepKind};
use ratatui::text::{Line, Span};

/// From this width on, a step stands with its label.
const LABELLED: usize = 60;
/// The widest that parameters are shown, in characters.
const PARAMETERS: usize = 600;

fn tone(kind: StepKind) -> Tone {
    match kind {
        StepKind::Gap | StepKind::Contradiction | StepKind::Repair | StepKind::Critique => {
            Tone::Warn
        }
        StepKind::Conclusion | StepKind::Answer | StepKind::Insight => Tone::Good,
        StepKind::Control | StepKind::Session => Tone::Title,
        StepKind::Budget | StepKind::Source => Tone::Dim,
        _ => Tone::Plain,
    }
}

fn stage(round: u8, stage: &str) -> String {
    let stage = stage.replace('_', " ");
    if round == 0 { stage } else { format!("round {round} \u{00B7} {stage}") }
}

pub(super) fn row(app: &App, run: &Projection, row: &Row, width: usize) -> Line<'static> {
    match row {
        Row::Stage { round, stage: name, steps, open, folded, .. } => {
            let sign = if *folded { "+ " } else { "- " };
            let mut left = vec![span(Tone::Dim, sign), span(Tone::Strong, stage(*round, name))];
            let under_way = if *open > 0 && !run.is_over() {
                format!(", {open} under way")
            } else {
                String::new()
            };
            let more = format!("  {}{under_way}", counted(*steps, "step"));
            let room = width.saturating_sub(left.iter().map(Span::width).sum());
            if columns(&more) <= room {
                left.push(span(Tone::Dim, more));
            }
            between(left, (Tone::Plain, ""), "", width)
        }
        Row::Step { at, depth, folded, .. } => {
            let Some(step) = run.steps.get(*at) else { return Line::default() };
            let found = !app.search.is_empty() && step.says(&app.search);
            let mut left = vec![span(Tone::Warn, if found { "\u{00BB}" } else { " " })];
            left.push(span(Tone::Plain, " ".repeat(usize::from(*depth) * 2 - 1)));
            // Those that were under way together stand in lanes beside each other.
            let lane = usize::from(step.lane.min(6));
            if step.kind == StepKind::Action && lane > 0 {
                left.push(span(Tone::Dim, "\u{2502}".repeat(lane)));
            }
            let sign = if *folded { '+' } else { step.kind.sign() };
            left.push(span(tone(step.kind), format!("{sign} ")));
            if width >= LABELLED && !says_its_kind(step) {
                left.push(span(Tone::Dim, format!("{} ", step.kind.label())));
            }
            between(left, (tone(step.kind), &step.text), &right(run, step), width)
        }
    }
}

/// Whether a step's words begin with its label, or name who speaks themselves.
fn says_its_kind(step: &Step) -> bool {
    let (text, label) = (step.text.to_lowercase(), step.kind.label().to_lowercase());
    text.starts_with(&label) || (step.kind == StepKind::Control && text.starts_with("asked back"))
}

fn right(run: &Projection, step: &Step) -> String {
    if tree::is_under_way(step) {
        return if run.is_over() { String::new() } else { "under way".to_owned() };
    }
    match (step.lasted_ms(), step.confidence) {
        (Some(ms), _) if ms > 0 => time::lasted(ms),
        (_, Some(confidence)) => format!("{confidence:.2}"),
        _ => String::new(),
    }
}

pub(super) fn details(app: &App, run: &Projection, row: &Row, page: &mut Page) {
    match row {
        Row::Stage { seq, round, stage: name, .. } => {
            page.text(Tone::Title, &stage(*round, name));
            let shown = run.rounds.iter().find(|shown| shown.round == *round);
            if let Some(shown) = shown {
                of_round(run, shown, page);
            }
            if *round == 0 {
                for question in &run.questions {
                    let mark = if question.answered { "\u{2713} " } else { "\u{25CB} " };
                    let text = format!("{}. {}", question.question.id, question.question.text);
                    page.hung(Tone::Good, mark, Tone::Plain, &text);
                }
                if !run.questions.is_empty() && app.may_edit() {
                    page.text(Tone::Dim, "E changes the plan");
                }
            }
            page.field("begins with event", &seq.to_string());
        }
        Row::Step { at, .. } => {
            if let Some(step) = run.steps.get(*at) {
                of_step(app, run, step, page);
            }
        }
    }
}

/// What a round achieved, what comes next and why.
pub(super) fn of_round(run: &Projection, round: &RoundShown, page: &mut Page) {
    if round.ended.is_none() {
        page.text(Tone::Plain, "It is under way.");
    } else {
        let closed = match (round.gaps.is_empty(), round.current_gap_closed) {
            (true, _) => "it worked on the explanations",
            (_, true) => "the gap that it worked on was closed",
            (_, false) => "the gap that it worked on was not closed",
        };
        let enough = if round.is_sufficient { "; nothing is missing" } else { "" };
        page.field(
            &format!("round {}", round.round),
            &format!(
                "{closed}{enough}; {} read for the first time, {} left",
                counted(round.new_passages as usize, "passage"),
                counted(round.open_gaps as usize, "open gap")
            ),
        );
    }
    page.field("noticed", &round.new_gaps.join("; "));
    if let Some(analysis) = &round.analysis {
        let next = match &analysis.next_gap_to_research {
            Some(id) if analysis.should_continue_research => {
                let what = run.gap(id.as_str()).map_or("", |gap| gap.description.as_str());
                format!("{id} \u{201C}{}\u{201D} ({})", squeeze(what), state(analysis.gap_status))
            }
            None if analysis.should_continue_research => "the explanations".to_owned(),
            _ => "nothing more is searched for".to_owned(),
        };
        page.field("next", &next);
        page.field("because", &analysis.reasoning);
    }
    page.field("gaps", &list(round.gaps.iter().map(ToString::to_string)));
    page.field("searched for", &round.queries.join(" | "));
}

fn state(state: elenchus_core::trace::GapState) -> &'static str {
    use elenchus_core::trace::GapState;
    match state {
        GapState::New => "work on it begins",
        GapState::Continuing => "work on it goes on",
        GapState::Switching => "another gap is taken up",
        GapState::Complete => "nothing is open",
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn of_step(app: &App, run: &Projection, step: &Step, page: &mut Page) {
    let clock = time::shown(step.at.0);
    let clock = clock.get(11..19).unwrap_or_default();
    let id = if step.id.is_empty() { String::new() } else { format!(" {}", step.id) };
    page.text(
        Tone::Title,
        &format!(
            "{} {}{id} \u{00B7} event {} \u{00B7} {clock} \u{00B7} {}",
            step.kind.sign(),
            step.kind.label(),
            step.seq,
            stage(step.round, step.stage)
        ),
    );
    page.text(Tone::Plain, &step.text);
    if let Some(confidence) = step.confidence {
        page.line(vec![
            span(Tone::Dim, "confidence: "),
            span(Tone::of(confidence), bar(confidence, 10)),
            span(Tone::Plain, format!(" {confidence:.2}")),
        ]);
    }
    lanes(run, step, page);
    page.field("why", &step.reasoning);
    page.field("tool", &step.tool);
    if !step.parameters.is_null() {
        let text: String = step.parameters.to_string().chars().take(PARAMETERS).collect();
        page.field("with", &text);
    }
    if !step.implications.is_empty() {
        page.text(Tone::Dim, "what follows:");
        for implied in &step.implications {
            page.item(implied);
        }
    }
    page.field("about", &step.related_to.join(", "));
    if step.kind == StepKind::Action {
        match step.ended.and_then(|end| run.step(end.seq)) {
            Some(seen) => {
                let took = step.lasted_ms().map(time::lasted).unwrap_or_default();
                page.hung(
                    Tone::Dim,
                    "\u{25C2} ",
                    Tone::Plain,
                    &format!("{} (after {took})", seen.text),
                );
                page.field("made of it", &seen.reasoning);
            }
            None if run.is_over() => {
                page.text(Tone::Dim, "Nothing came of it: the run ended first.");
            }
            None => {
                let since = u64::try_from(app.now - step.at.0).unwrap_or(0);
                page.text(Tone::Dim, &format!("under way for {}", time::lasted(since)));
            }
        }
    }
    if step.kind == StepKind::Reflection
        && let Some(round) = run.rounds.iter().find(|round| round.round == step.round)
    {
        of_round(run, round, page);
    }
    if step.kind == StepKind::Plan && app.may_edit() {
        page.gap();
        page.text(Tone::Dim, "E changes the plan");
    }
    if step.can_be_challenged {
        page.gap();
        page.text(Tone::Dim, "c doubts this step");
    }
}

/// Actions that were under way at one time, a column each.
fn lanes(run: &Projection, step: &Step, page: &mut Page) {
    const LINES: usize = 4;
    let all = tree::beside(run, step);
    if all.len() < 2 {
        return;
    }
    let shown = all.len().min((page.width() / 16).max(1));
    let own = step.action.unwrap_or(step.seq);
    page.text(Tone::Dim, &format!("{} actions were under way together:", all.len()));
    // Those around the step itself, when not all fit.
    let at = all.iter().position(|other| other.seq == own).unwrap_or(0);
    let from = at.saturating_sub(shown / 2).min(all.len() - shown);
    let width = page.width() / shown;
    let columns_of: Vec<(Tone, Vec<String>)> = all
        .iter()
        .skip(from)
        .take(shown)
        .map(|other| {
            let mark = if other.seq == own { "\u{25B8}" } else { "" };
            let mut lines =
                vec![fit(&format!("{mark}lane {} {}", other.lane, other.tool), width - 2)];
            let mut text = wrap(&other.text, width.saturating_sub(2));
            if text.len() > LINES - 2 {
                text.truncate(LINES - 2);
                if let Some(last) = text.last_mut() {
                    *last = fit(&format!("{last} \u{2026}"), width - 2);
                }
            }
            lines.extend(text);
            lines.resize(LINES - 1, String::new());
            lines.push(other.lasted_ms().map_or_else(|| "under way".to_owned(), time::lasted));
            (if other.seq == own { Tone::Strong } else { Tone::Plain }, lines)
        })
        .collect();
    for line in 0..LINES {
        let mut spans = Vec::new();
        for (column, (tone, lines)) in columns_of.iter().enumerate() {
            let text = lines.get(line).cloned().unwrap_or_default();
            let blank = " ".repeat((width - 2).saturating_sub(columns(&text)));
            let rule = if column == 0 { "" } else { "\u{2502} " };
            let tone = if line == 0 { Tone::Dim } else { *tone };
            spans.push(span(Tone::Dim, rule));
            spans.push(span(tone, format!("{text}{blank}")));
        }
        page.line(spans);
    }
}
