//! The panes say of a run what its fold says: the terminal's part of the comparison in `tests/it/surfaces.rs`.

use super::{discussed, driven, driven_events, over, press, screen};
use crate::tui::app::{App, Message, Tab};
use crate::tui::panes;
use elenchus_core::belief::{Hypothesis, HypothesisEvidence};
use elenchus_core::text::squeeze;
use elenchus_core::trace::TraceEvent;
use ratatui::crossterm::event::KeyCode;
use serde_json::json;

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
    let quote: HypothesisEvidence = serde_json::from_value(json!({
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

#[test]
fn a_statement_that_no_source_bears_out_has_a_badge() {
    for size in [(120, 40), (40, 12)] {
        let mut app = over(size);
        app.tab = Tab::Claims;
        let badge = if size.0 < 60 { "0.69 ! " } else { "low unsupported" };
        assert!(!told(&app, 0).contains("Unsupported") && !squeeze(&screen(&app)).contains(badge));
        let answer = app.run.as_mut().and_then(|run| run.answer.as_mut());
        let found = answer.and_then(|answer| answer.confidence.as_mut()).expect("it was checked");
        found.claim_confidences[0].supporting_sources = 0;
        assert!(told(&app, 0).contains("Unsupported: no source bears it out."));
        assert!(squeeze(&screen(&app)).contains(badge), "{}", screen(&app));
    }
}

fn facts(all: &[&str]) -> Vec<String> {
    all.iter().map(|fact| (*fact).to_owned()).collect()
}

#[test]
fn lenses_and_critique_have_pages() {
    for size in [(80, 24), (120, 40), (40, 12)] {
        let mut app = discussed(size);
        press(&mut app, KeyCode::Char('L'));
        assert_eq!(
            (app.tab, app.count()),
            (Tab::Lenses, 5),
            "what they share, two lenses, a point each"
        );
        let shown = screen(&app);
        assert!(shown.contains("L Lenses") && shown.contains("Synthesis"), "{shown}");
        holds(
            &told(&app, 0),
            &facts(&["Ask who measured it. (v1, v2)", "Whether it was measured."]),
        );
        holds(
            &told(&app, 0),
            &facts(&["v1 Skeptical: The figure is a plan.", "one lens did not answer"]),
        );
        holds(
            &told(&app, 1),
            &facts(&["Looks so.", "50 in 100", "v1 (opposes)", "A newer survey."]),
        );
        let point = told(&app, 4);
        holds(&point, &facts(&["v2: The figure is measured.", "Neutral, supports the answer"]));
        holds(
            &point,
            &facts(&["borne out by what it cites", "\u{201C}The cable carries 5.6 MW.\u{201D}"]),
        );
        holds(&point, &facts(&["pulls apart from", "v1 Skeptical: The figure is a plan."]));
        press(&mut app, KeyCode::Enter);
        assert!(
            app.place().full && screen(&app).contains("What to take from it"),
            "{}",
            screen(&app)
        );

        press(&mut app, KeyCode::Right);
        assert_eq!((app.tab, app.count()), (Tab::Critique, 5), "beside the lenses");
        let shown = screen(&app);
        assert!(shown.contains("C Critique") && shown.contains("82 of 100"), "{shown}");
        let whole = told(&app, 0);
        holds(&whole, &facts(&["B, 82 of 100", "a model, and the program itself", "h1: 0.75"]));
        holds(&whole, &facts(&["towards the newest report", "It may be peak output."]));
        // Warnings of fallacies stand first.
        holds(&told(&app, 1), &facts(&["x2: fallacy", "everyone knows", "a model, in its words"]));
        let answer = app.run.as_ref().and_then(|run| run.answer.clone()).expect("it is over");
        let words = answer.claims[0].text.clone();
        holds(&told(&app, 2), &[facts(&["x1: weak citation", "about: c1"]), vec![words]].concat());
        holds(
            &told(&app, 3),
            &facts(&["step 12: Why not the older one?", "rejected", "It was superseded."]),
        );
        holds(&told(&app, 4), &facts(&["the original answer stands", "1 applied, 2 not"]));
    }
}

#[test]
fn what_was_measured_without_a_model_is_shown_with_its_score() {
    let mut app = over((120, 40));
    let critique = json!({"quality": 85, "findings": [
        {"id": "x1", "kind": "open_part", "severity": "important", "by": "code", "text": "A part stays open.",
         "measured": {"datum": "parts: 1 of 2", "claims": ["c2"], "next_step": "Ask for it alone."}}]});
    let run = app.run.as_mut().expect("a run is shown");
    run.critique = Some(serde_json::from_value(critique).expect("it is a critique"));
    press(&mut app, KeyCode::Char('C'));
    assert!(screen(&app).contains("85 of 100"), "{}", screen(&app));
    holds(&told(&app, 0), &facts(&["85 of 100", "no model; the program itself looked"]));
    let finding = told(&app, 1);
    holds(&finding, &facts(&["x1: open part", "and about: c2", "measured: parts: 1 of 2"]));
    holds(&finding, &facts(&["you can: Ask for it alone."]));
}

#[test]
fn a_run_under_way_shows_its_lenses_and_its_critique_as_they_come() {
    let all = driven_events();
    let mut app = driven(&all, (80, 24));
    press(&mut app, KeyCode::Char('L'));
    assert!(screen(&app).contains("No lenses were asked for"), "{}", screen(&app));
    press(&mut app, KeyCode::Char('C'));
    assert!(screen(&app).contains("criticised once it was checked"), "{}", screen(&app));
    press(&mut app, KeyCode::Char('1'));
    assert_eq!(app.pages().len(), 9, "pages with nothing on them are not named");
    let lens = json!({"lens": "skeptical", "points": 3, "dropped": 1, "facts": ["f1"],
                      "evidence_share": 0.25});
    let critique = json!({"critique": {"quality": 90, "grade": "A-", "findings": []}});
    let mut event = all.last().expect("it has begun").clone();
    for (kind, data) in [("perspective_completed", lens), ("critique_completed", critique)] {
        event.seq += 1;
        let made = serde_json::from_value::<TraceEvent>(json!({"type": kind, "data": data}));
        event.event = made.expect("the event is written as it should be");
        app.update(Message::Event(Box::new(event.clone())));
    }
    assert_eq!(app.pages().len(), 11);
    press(&mut app, KeyCode::Char('L'));
    holds(
        &told(&app, 0),
        &facts(&["skeptical", "3 kept, 1 dropped", "once the lenses are compared"]),
    );
    assert!(screen(&app).contains("3 points, 25 in 100 of the quotes"), "{}", screen(&app));
    press(&mut app, KeyCode::Char('C'));
    holds(&told(&app, 0), &facts(&["A-, 90 of 100", "Nothing was found against it."]));
}
