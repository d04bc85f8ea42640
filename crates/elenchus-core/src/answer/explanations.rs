//! The section of a report about explanations that compete.

use super::display::display_quote;
use crate::belief::{Hypothesis, HypothesisEvidence};
use std::fmt::Write;

/// Cells of a bar.
const CELLS: usize = 20;
/// Quotes shown a side.
const SHOWN: usize = 3;
/// Moves of the history shown, the last ones.
const MOVES: usize = 6;

/// The section, from its heading on; empty without explanations.
pub(super) fn section(hypotheses: &[Hypothesis]) -> String {
    let mut out = String::new();
    if hypotheses.is_empty() {
        return out;
    }
    out.push_str(
        "## Competing explanations\n\nThe explanations are worded by a model, or by you. Each figure is a credence of its own, \
         computed from the passages below it; they need not sum to 1.\n",
    );
    for hypothesis in hypotheses {
        write(&mut out, hypothesis).expect("writing to a String cannot fail");
    }
    out
}

/// Filled cells for the share, empty ones for the rest.
fn bar(share: f64) -> String {
    let filled = ((share.clamp(0.0, 1.0) * CELLS as f64).round() as usize).min(CELLS);
    format!("{}{}", "\u{2588}".repeat(filled), "\u{2591}".repeat(CELLS - filled))
}

fn sources(n: usize) -> String {
    crate::inquiry::count(n, "independent source")
}

fn write(out: &mut String, hypothesis: &Hypothesis) -> std::fmt::Result {
    if hypothesis.supporting.is_empty() && hypothesis.contradicting.is_empty() {
        return untested(out, hypothesis);
    }
    writeln!(
        out,
        "\n- **{}** {}\n    - `{}` {:.2}, {}; {} for it, {} against it; {} before any evidence",
        hypothesis.id,
        display_quote(&hypothesis.claim, &[]),
        bar(hypothesis.confidence),
        hypothesis.confidence,
        hypothesis.status.name(),
        sources(hypothesis.independent_supporting),
        hypothesis.independent_contradicting,
        hypothesis.prior.name(),
    )?;
    side(out, "For", &hypothesis.supporting)?;
    side(out, "Against", &hypothesis.contradicting)?;
    unchecked(out, hypothesis)?;
    if hypothesis.history.len() > 1 {
        let left_out = hypothesis.history.len().saturating_sub(MOVES);
        let moves: Vec<String> = hypothesis.history[left_out..]
            .iter()
            .map(|moved| {
                format!(
                    "{:.2} to {:.2} by {}",
                    moved.before,
                    moved.after,
                    display_quote(&moved.location, &[])
                )
            })
            .collect();
        let earlier =
            if left_out == 0 { String::new() } else { format!("after {left_out} earlier moves, ") };
        writeln!(out, "    - How it moved: {earlier}{}", moves.join("; "))?;
    }
    warnings(out, hypothesis)?;
    set_aside(out, hypothesis)?;
    if hypothesis.outlook.is_empty() {
        return Ok(());
    }
    let outlook: Vec<&str> =
        hypothesis.outlook.iter().map(|outlook| outlook.words.as_str()).collect();
    writeln!(out, "    - What would change this: {}.", outlook.join("; "))
}

/// A figure would only repeat what the model guessed before any evidence, so there is none.
fn untested(out: &mut String, hypothesis: &Hypothesis) -> std::fmt::Result {
    writeln!(
        out,
        "\n- **{}** {}\n    - No figure: no passage that was read speaks for it or against it (the model called it {} before \
         any evidence).",
        hypothesis.id,
        display_quote(&hypothesis.claim, &[]),
        hypothesis.prior.name(),
    )?;
    unchecked(out, hypothesis)?;
    warnings(out, hypothesis)?;
    set_aside(out, hypothesis)
}

/// That the user took it out, and why.
fn set_aside(out: &mut String, hypothesis: &Hypothesis) -> std::fmt::Result {
    match hypothesis.dropped.as_deref() {
        None => Ok(()),
        Some("") => writeln!(out, "    - You dropped it: nothing more was searched for it."),
        Some(reason) => writeln!(
            out,
            "    - You dropped it, and nothing more was searched for it: {}",
            display_quote(reason, &[])
        ),
    }
}

fn unchecked(out: &mut String, hypothesis: &Hypothesis) -> std::fmt::Result {
    if hypothesis.unchecked == 0 {
        return Ok(());
    }
    let passages = crate::inquiry::count(hypothesis.unchecked, "passage");
    writeln!(out, "    - {passages} could not be judged.")
}

fn warnings(out: &mut String, hypothesis: &Hypothesis) -> std::fmt::Result {
    for warning in &hypothesis.fallacy_warnings {
        writeln!(out, "    - Its wording may commit a fallacy: {}", display_quote(warning, &[]))?;
    }
    Ok(())
}

fn side(out: &mut String, name: &str, evidence: &[HypothesisEvidence]) -> std::fmt::Result {
    for one in evidence.iter().take(SHOWN) {
        writeln!(
            out,
            "    - {name} ({:+.2}): {}: \u{201C}{}\u{201D}",
            one.log_odds,
            display_quote(&one.evidence.location, &[]),
            display_quote(&one.evidence.relevant_text, &[])
        )?;
    }
    if evidence.len() > SHOWN {
        writeln!(out, "    - {name}: {} more in the JSON form", evidence.len() - SHOWN)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::HypothesisId;
    use crate::prompt::Prior;
    use proptest::prelude::*;

    #[test]
    fn an_explanation_without_evidence_says_so() {
        let alone =
            Hypothesis::new(HypothesisId::from("h1"), "It *rained*.".to_owned(), Prior::Likely);
        let text = section(&[alone]);
        assert!(text.starts_with("## Competing explanations\n"));
        assert!(!text.contains("0.50") && !text.contains('█'), "a guess is no figure: {text}");
        assert!(text.contains("no passage that was read speaks for it or against it"), "{text}");
        assert!(text.contains("called it likely before any evidence"), "{text}");
        assert_eq!(section(&[]), "");
    }

    proptest! {
        #[test]
        fn a_bar_has_its_cells(share in any::<f64>()) {
            prop_assert_eq!(bar(share).chars().count(), CELLS);
        }
    }
}
