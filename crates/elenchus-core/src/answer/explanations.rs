//! The section of a report about explanations that compete.

use super::display::display_quote;
use super::types::{Answer, Claim, Evidence};
use crate::belief::{Hypothesis, HypothesisEvidence};
use crate::evidence::Span;
use crate::id::PassageId;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Cells of a bar.
const CELLS: usize = 20;
/// Quotes shown a side.
const SHOWN: usize = 3;
/// Moves of the history shown, the last ones.
const MOVES: usize = 6;

/// The section, from its heading on; empty without explanations.
pub(super) fn section(answer: &Answer) -> String {
    let mut out = String::new();
    if answer.hypotheses.is_empty() {
        return out;
    }
    out.push_str(
        "## Competing explanations\n\nThe explanations are worded by a model, or by you. Each figure is a credence of its own, \
         computed from the passages below it; they need not sum to 1.\n",
    );
    for hypothesis in &answer.hypotheses {
        write(&mut out, hypothesis, &disputes(answer, hypothesis))
            .expect("writing to a String cannot fail");
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

/// What stands against the passages that speak for an explanation, where the answer tells of a conflict: another cause or another
/// value is no denial, so that it has no figure, and yet both cannot hold. Each with its place.
fn disputes(answer: &Answer, hypothesis: &Hypothesis) -> Vec<String> {
    let holds = |side: &[HypothesisEvidence], passage: &PassageId, span: Span| {
        side.iter().any(|one| one.passage_id == *passage && one.evidence.span.overlaps(span))
    };
    let supports = |passage: &PassageId, span: Span| holds(&hypothesis.supporting, passage, span);
    // What was weighed against it stands there already.
    let weighed = |passage: &PassageId, span: Span| holds(&hypothesis.contradicting, passage, span);
    let told = |location: &str, quote: &str| {
        format!("{}: \u{201C}{}\u{201D}", display_quote(location, &[]), display_quote(quote, &[]))
    };
    let mut found: Vec<String> = Vec::new();
    for note in &answer.conflicts {
        let quotes = |claim: &Claim| -> Vec<&Evidence> {
            claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)).collect()
        };
        let is_own = |one: &Evidence| supports(&one.passage_id, one.document_span);
        let (own, rest): (Vec<&Claim>, Vec<&Claim>) = answer
            .claims
            .iter()
            .filter(|claim| note.claims.contains(&claim.id))
            .partition(|claim| quotes(claim).into_iter().any(is_own));
        // What stands on the same side of the conflict agrees.
        let others = rest.into_iter().filter(|claim| own.iter().any(|one| one.role != claim.role));
        let others = others.flat_map(quotes);
        let others = others.filter(|one| !weighed(&one.passage_id, one.document_span));
        found.extend(others.map(|one| told(&one.location, &one.quote)));
    }
    for sides in answer.disagreements.iter().map(|one| &one.sides) {
        if sides.iter().any(|side| supports(&side.passage_id, side.document_span)) {
            let others =
                sides.iter().filter(|side| !supports(&side.passage_id, side.document_span));
            let others = others.filter(|side| !weighed(&side.passage_id, side.document_span));
            found.extend(others.map(|side| told(&side.location, &side.quote)));
        }
    }
    let mut known = BTreeSet::new();
    found.retain(|one| known.insert(one.clone()));
    found
}

fn write(out: &mut String, hypothesis: &Hypothesis, disputes: &[String]) -> std::fmt::Result {
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
    for other in disputes.iter().take(SHOWN) {
        writeln!(out, "    - Disputed, as another source says: {other}")?;
    }
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
    let prior = hypothesis.prior.name();
    let held = if hypothesis.by_user {
        format!("you put it up to be tested, and it was held {prior} until then")
    } else {
        format!("the model called it {prior} before any evidence")
    };
    writeln!(
        out,
        "\n- **{}** {}\n    - No figure: no passage that was read speaks for it or against it ({held}).",
        hypothesis.id,
        display_quote(&hypothesis.claim, &[]),
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
    use super::super::export::fixture::{answer, with_claims};
    use super::super::types::ConflictNote;
    use super::*;
    use crate::belief::SourceEvidence;
    use crate::id::HypothesisId;
    use crate::prompt::FactRole;
    use crate::prompt::Prior;
    use proptest::prelude::*;

    #[test]
    fn an_explanation_without_evidence_says_so() {
        let alone =
            Hypothesis::new(HypothesisId::from("h1"), "It *rained*.".to_owned(), Prior::Likely);
        let mut answer = answer();
        assert_eq!(section(&answer), "");
        answer.hypotheses = vec![alone];
        let text = section(&answer);
        assert!(text.starts_with("## Competing explanations\n"));
        assert!(!text.contains("0.50") && !text.contains('█'), "a guess is no figure: {text}");
        assert!(text.contains("no passage that was read speaks for it or against it"), "{text}");
        assert!(text.contains("called it likely before any evidence"), "{text}");
    }

    #[test]
    fn an_explanation_that_another_source_disputes_says_so() {
        let mut answer = with_claims(answer());
        let own = answer.evidence[0].clone();
        let mut hypothesis =
            Hypothesis::new(HypothesisId::from("h1"), "It rained.".to_owned(), Prior::Possible);
        hypothesis.supporting = vec![HypothesisEvidence {
            passage_id: own.passage_id.clone(),
            evidence: SourceEvidence {
                source_id: own.source_id.clone(),
                source_url: own.path.clone(),
                location: own.location.clone(),
                relevant_text: own.quote.clone(),
                span: own.document_span,
                similarity: 0.9,
                cluster: own.source_id.clone(),
                supports: 0.9,
                refutes: 0.0,
            },
            log_odds: 1.0,
        }];
        answer.hypotheses = vec![hypothesis];
        // Both sides of the fixture's own disagreement are the passage that speaks for it.
        assert!(!section(&answer).contains("Disputed"), "{}", section(&answer));
        let claims = answer.claims.iter().map(|claim| claim.id.clone()).collect();
        answer.conflicts = vec![ConflictNote { question_id: 1, claims }];
        assert!(!section(&answer).contains("Disputed"), "what answers alike agrees");
        answer.claims[1].role = FactRole::Conflict;
        let text = section(&answer);
        let other = format!("another source says: {}", answer.evidence[1].path);
        assert_eq!(text.matches("Disputed").count(), 1, "{text}");
        assert!(text.contains(&other), "{text}");
        // A conflict about something else.
        answer.hypotheses[0].supporting[0].passage_id = PassageId::from("src_9#0");
        assert!(!section(&answer).contains("Disputed"));
    }

    proptest! {
        #[test]
        fn a_bar_has_its_cells(share in any::<f64>()) {
            prop_assert_eq!(bar(share).chars().count(), CELLS);
        }
    }
}
