//! The section of a report about how sure each statement is.

use super::display::display_quote;
use super::sureness::{RELY, Sureness};
use super::types::{Answer, Claim};
use std::fmt::Write;

/// Characters of a statement by which a line names it.
const NAMED: usize = 60;

/// The section, from its heading on. Empty where nothing was verified, which the closing line says, and where that line gives
/// the only figure there is. What only came nearest to an open question has no line: that its passage holds the words is
/// nearly sure and says nothing of the question, so that a high figure there would mislead.
pub(super) fn section(answer: &Answer) -> String {
    let mut out = String::new();
    if answer.confidence.is_none() || answer.claims.is_empty() || lone(answer).is_some() {
        return out;
    }
    let shown =
        answer.claims.iter().enumerate().filter(|(_, claim)| !answer.only_came_nearest(claim));
    let mut lines: Vec<(&Claim, Sureness)> =
        shown.filter_map(|(at, claim)| Some((claim, answer.sureness(at)?))).collect();
    let is_low = |sure: &Sureness| sure.reasons.last().is_some_and(|reason| reason == RELY);
    let low = lines.iter().filter(|(_, sure)| is_low(sure)).count();
    if low > 1 {
        for (_, sure) in &mut lines {
            sure.reasons.retain(|reason| reason != RELY);
        }
    }
    for (claim, sure) in &lines {
        if out.is_empty() {
            out.push_str(
                "## How sure\n\nStatement by statement, each figure with its 95 % interval.\n\n",
            );
        }
        // A reason may be the error of a component, in whatever words it came.
        writeln!(out, "- {}: {}", name(answer, claim), display_quote(&sure.to_string(), &[]))
            .expect("writing to a String cannot fail");
    }
    if low > 1 {
        writeln!(
            out,
            "\n{low} of these figures are low: read their passages before you rely on them."
        )
        .expect("writing to a String cannot fail");
    }
    out
}

/// What stands behind the overall figure where it is the figure of the only statement, so that it is given once.
pub(super) fn lone(answer: &Answer) -> Option<String> {
    let (overall, _) = answer.overall()?;
    let sure = answer.sureness(0).filter(|_| answer.claims.len() == 1)?;
    let same = sure.figure.is_some_and(|figure| (figure - overall).abs() < 0.005);
    same.then(|| display_quote(&sure.because(), &[]))
}

/// A statement by its value, or by its first words, with the number of its source.
fn name(answer: &Answer, claim: &Claim) -> String {
    let quote = claim.evidence.first().and_then(|at| answer.evidence.get(*at));
    let words = match (&claim.value, quote) {
        (Some(value), _) if !value.trim().is_empty() => {
            format!("**{}**", shortened(&display_quote(value, &[])))
        }
        (_, Some(quote)) => {
            let shown = display_quote(&quote.quote, &quote.table_header);
            format!("\u{201C}{}\u{201D}", shortened(&shown))
        }
        (_, None) => claim.id.to_string(),
    };
    let number = quote.map(|quote| format!(" [{}]", quote.citation)).unwrap_or_default();
    format!("{words}{number}")
}

/// The beginning of a text that is ready to be shown. No backslash is left without the sign that it is for.
fn shortened(shown: &str) -> String {
    match shown.char_indices().nth(NAMED) {
        None => shown.to_owned(),
        Some((end, _)) => {
            format!("{}\u{2026}", shown[..end].trim_end_matches('\\').trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::to_markdown;
    use super::super::types::Unestablished;
    use super::*;
    use crate::belief::Level;
    use crate::id::GapId;
    use crate::inquiry::Options;
    use crate::inquiry::gap::GapReason;
    use crate::prompt::FactRole;
    use crate::testkit::{World, drive};

    fn answer(text: &str) -> Answer {
        let world = World::new("harbor").judged().document("tides.md", text);
        let driven = drive(&world, "When was the lamp lit?", Options::default());
        driven.run.view().answer().expect("a run ends with an answer").clone()
    }

    #[test]
    fn every_statement_has_a_line() {
        let answer = answer("# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was lit in 1950.");
        assert!(answer.claims.len() > 1, "{:?}", answer.claims);
        let report = to_markdown(&answer);
        let (_, section) = report.split_once("\n## How sure\n").expect("it has the section");
        let section = section.split("\n## ").next().unwrap_or_default();
        let lines = section.lines().filter(|line| line.starts_with("- "));
        assert_eq!(lines.count(), answer.claims.len(), "{section}");
        assert!(
            section.contains("[1]: 0.") && section.contains("the sources disagree"),
            "{section}"
        );
        assert!(super::super::to_html(&answer).contains("<h2>How sure</h2>"));
    }

    #[test]
    fn the_figure_of_a_lone_statement_is_given_once() {
        let mut answer = answer("# Tides\n\nThe lamp was lit in 1931.");
        assert_eq!(answer.claims.len(), 1, "{:?}", answer.claims);
        let (_, body) = to_markdown(&answer)
            .split_once("\n---\n")
            .map(|(head, body)| (head.to_owned(), body.to_owned()))
            .expect("it has front matter");
        let (overall, _) = answer.overall().expect("it has a figure");
        assert_eq!(body.matches(&format!(" {overall:.2} ")).count(), 1, "{body}");
        assert!(body.contains("Behind it: one independent source, exact quote"), "{body}");
        assert!(!body.contains("## How sure"), "{body}");
        // What answers nothing has a figure that is none of the answer's.
        answer.claims[0].role = FactRole::Context;
        let result = answer.confidence.as_mut().expect("it was checked");
        result.assessment = crate::belief::Assessment::NotAssessable;
        let report = to_markdown(&answer);
        assert!(
            report.contains("## How sure") && report.contains("it answers nothing"),
            "{report}"
        );
    }

    #[test]
    fn what_to_do_with_low_figures_is_said_once() {
        let mut answer =
            answer("# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was lit in 1950.");
        assert!(answer.claims.len() > 1, "{:?}", answer.claims);
        let result = answer.confidence.as_mut().expect("it was checked");
        for one in &mut result.claim_confidences {
            one.level = Some(Level::Low);
            one.supporting_sources = 1;
        }
        let told = section(&answer);
        assert_eq!(told.matches("before you rely").count(), 1, "{told}");
        assert!(told.contains("of these figures are low: read their passages"), "{told}");
    }

    #[test]
    fn what_only_came_nearest_has_no_line() {
        let mut answer =
            answer("# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was lit in 1950.");
        for claim in &mut answer.claims {
            claim.role = FactRole::Context;
        }
        assert!(section(&answer).contains("## How sure"));
        answer.could_not_establish.push(Unestablished {
            gap_id: GapId::from("g1"),
            description: "When was the lamp lit?".to_owned(),
            reason: GapReason::Attempts,
            cause: None,
            attempts: 3,
            queries: Vec::new(),
            nearest: answer.claims.iter().map(|claim| claim.id.clone()).collect(),
        });
        assert_eq!(section(&answer), "");
    }

    #[test]
    fn a_name_ends_behind_no_backslash() {
        let long = format!("{}\\[2\\] and more", "x".repeat(NAMED - 1));
        assert_eq!(shortened(&long), format!("{}\u{2026}", "x".repeat(NAMED - 1)));
        assert_eq!(shortened("short \\[1\\]"), "short \\[1\\]");
    }
}
