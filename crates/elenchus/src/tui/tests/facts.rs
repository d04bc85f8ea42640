//! The panes say of a run what its fold says: the terminal's part of the comparison in `tests/it/surfaces.rs`.

use super::{over, screen};
use crate::tui::app::{App, Tab};
use crate::tui::panes;
use elenchus_core::belief::{Hypothesis, HypothesisEvidence};
use elenchus_core::text::squeeze;

/// Wide enough that nothing is broken into lines.
const WIDE: u16 = 4_000;

/// What is told of a row of the page.
fn told(app: &App, at: usize) -> String {
    let page = panes::details(app, &[], at, WIDE);
    let line = |line: &ratatui::text::Line<'_>| {
        line.spans.iter().map(|span| span.content.as_ref()).collect::<String>()
    };
    squeeze(&page.lines.iter().map(line).collect::<Vec<_>>().join(" "))
}

fn holds(told: &str, facts: &[String]) {
    for fact in facts {
        assert!(told.contains(&squeeze(fact)), "no {fact:?} in {told}");
    }
}

#[test]
fn the_panes_say_what_the_fold_says() {
    let mut app = over((120, 40));
    let run = app.run.clone().expect("a run is open");
    let answer = run.answer.clone().expect("it has an answer");

    app.tab = Tab::Claims;
    let mut nearest = 0;
    for (at, claim) in answer.claims.iter().enumerate() {
        let sure = answer.sureness(at).expect("it is a claim");
        let mut facts = vec![claim.text.clone(), claim.warrant.clone(), sure.because()];
        if let (Some(figure), Some(level)) = (sure.figure, sure.level) {
            facts.push(format!("{figure:.2} {}", level.word()));
        } else {
            facts.push(sure.instead.to_owned());
        }
        if let Some((low, high)) = sure.interval {
            facts.push(format!("{low:.2} and {high:.2} in 95 of 100 cases"));
        }
        let found = answer.entailments.iter().find(|found| found.claim_id == claim.id);
        facts.push(found.map_or("unchecked", |found| found.verdict.word()).to_owned());
        for quote in claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)) {
            facts.extend([quote.quote.clone(), format!("[{}]", quote.citation)]);
        }
        for warning in answer.warnings_of(&claim.id) {
            facts.extend([warning.name.clone(), warning.question.clone()]);
        }
        let told = told(&app, at);
        holds(&told, &facts);
        if answer.only_came_nearest(claim) {
            nearest += 1;
            // Neither a figure nor how one came about.
            assert!(!told.contains("why this figure") && !told.contains("in 95 of 100"), "{told}");
        }
    }
    assert_eq!(nearest, 2, "two parts of the question stay open");

    app.tab = Tab::Gaps;
    assert!(!run.gaps.is_empty());
    for (at, gap) in run.gaps.iter().enumerate() {
        let mut facts = vec![gap.description.clone(), gap.standing.name().to_owned()];
        facts.extend(gap.reason.map(|reason| reason.because().to_owned()));
        facts.extend(gap.rounds.iter().flat_map(|round| round.queries.clone()));
        holds(&told(&app, at), &facts);
    }
    for missing in &answer.could_not_establish {
        let at = run.gaps.iter().position(|gap| gap.gap_id == missing.gap_id);
        let at = at.expect("what stays open is in the ledger");
        let reason = missing.reason.because().to_owned();
        holds(&told(&app, at), &[missing.description.clone(), reason]);
    }

    app.tab = Tab::Beliefs;
    assert_eq!(run.hypotheses.len(), 2);
    for (at, one) in run.hypotheses.iter().enumerate() {
        let figure = format!("{:.2}, {}", one.confidence, one.status);
        let counts =
            format!("{} passages for it, {} against it", one.supporting, one.contradicting);
        holds(&told(&app, at), &[one.claim.clone(), figure, counts]);
    }

    // Once the answer has them: the words on both sides, and what would change where it stands.
    let quote: HypothesisEvidence = serde_json::from_value(serde_json::json!({
        "passage_id": "src_a#1", "source_id": "src_a", "source_url": "grid.md", "location": "grid.md, Limits",
        "relevant_text": "The cable carries 5.6 MW and no more.", "span": {"start": 0, "end": 37}, "similarity": 0.9,
        "cluster": "src_a", "supports": 0.9, "refutes": 0.05, "log_odds": 2.1,
    }))
    .expect("it is evidence");
    let shown = &run.hypotheses[0];
    let mut full = Hypothesis::new(shown.id.clone(), shown.claim.clone(), shown.prior);
    full.supporting.push(quote);
    let outlook = full.outlook.first().map(|one| one.words.clone()).expect("it has an outlook");
    if let Some(answer) = app.run.as_mut().and_then(|run| run.answer.as_mut()) {
        answer.hypotheses.push(full);
    }
    let words =
        "for it (+2.10 log-odds): grid.md, Limits \u{201C}The cable carries 5.6 MW".to_owned();
    holds(&told(&app, 0), &[words, outlook]);

    let head = screen(&app);
    let read = format!("{} passages of {} documents", run.spent.passages, run.sources.len());
    holds(&squeeze(&head), &[read, format!("{} model calls", run.spent.model_calls)]);
}
