//! A run as text for a model, a line a step, without secrets.

use super::SessionFacts;
use crate::bank::Outcome;
use crate::bank::scrub::scrub;
use crate::inquiry::gap::GapStatus;
use crate::text::squeeze;
use std::fmt::Write;

/// What lines begin with that tell of advice given: a distiller must not learn it again.
pub const RECALLED: &str = "recalled:";
/// Longest text of one step, in characters.
const STEP: usize = 400;

/// The run as text. Everything foreign is one clean line each, and secrets are out: the text may go into a prompt and into
/// the queue as it is.
pub fn render_session(facts: &SessionFacts) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        writeln!(out, "{text}").expect("writing to a String cannot fail");
    };
    line(format!("question: {}", step(&facts.question)));
    for recalled in &facts.recalled {
        let used = if recalled.used { "used in the plan" } else { "not used" };
        let (title, content) = (step(&recalled.title), step(&recalled.content));
        line(format!("{RECALLED} {title} ({used}): {content}"));
    }
    for gap in &facts.gaps {
        line(format!("missing ({}): {}", gap.severity.name(), step(&gap.description)));
        for query in &gap.queries {
            let how = query.strategy.map_or("first", |strategy| strategy.name());
            let found = match (query.closed, query.new_passages) {
                (true, _) => "closed it".to_owned(),
                (false, 0) => "nothing new".to_owned(),
                (false, n) => format!("{n} new passages, still open"),
            };
            line(format!("  searched ({how}): {} -> {found}", step(&query.query)));
        }
        match (gap.status, gap.reason) {
            (GapStatus::Resolved, _) => line("  closed".to_owned()),
            (GapStatus::Abandoned, Some(reason)) => {
                line(format!("  given up: {}", reason.because()));
            }
            (GapStatus::Abandoned, None) => line("  given up".to_owned()),
            (GapStatus::Active, _) => line("  still open at the end".to_owned()),
        }
        if gap.near {
            line("  quotes came near and were not taken for an answer".to_owned());
        }
        if gap.foreign {
            line("  none of its words stands in what was searched".to_owned());
        }
    }
    for tested in &facts.hypotheses {
        let end = match (tested.confirmed, tested.refuted) {
            (true, _) => "confirmed",
            (_, true) => "refuted",
            _ => "undecided",
        };
        let held = tested.prior.name();
        line(format!("explanation (held {held} at first, {end}): {}", step(&tested.claim)));
        if tested.refuted {
            for query in &tested.queries_against {
                line(format!("  refuted by searching: {}", step(query)));
            }
        }
    }
    for fallacy in &facts.fallacies {
        let place = if fallacy.own { "own draft" } else { "sources" };
        line(format!("fallacy in the {place}: {} ({} times)", step(&fallacy.name), fallacy.count));
    }
    let outcome = match facts.outcome {
        Some(Outcome::Success) => "success",
        Some(Outcome::Failure) => "failure",
        None => "not known",
    };
    line(format!("end: {} (outcome: {outcome})", step(&facts.stop_reason)));
    scrub(&out).text
}

fn step(text: &str) -> String {
    let clean = squeeze(text);
    match clean.char_indices().nth(STEP) {
        None => clean,
        Some((at, _)) => format!("{}…", &clean[..at]),
    }
}
