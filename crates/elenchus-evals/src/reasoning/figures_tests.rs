//! Each figure on inputs small enough to count by hand.

use super::chains::Chain;
use super::figures::{Figure, balance, figures};
use super::guards::{Guards, Tally};
use super::observed::{ClaimSeen, Explanation, FindingSeen, Observed};
use super::planted::{Known, PlantSeen, StatementSeen};
use elenchus_core::belief::HypothesisStatus;
use elenchus_core::inquiry::StopReason;
use std::slice::from_ref;

fn chain(by_model: bool, fallacies: &[&'static str]) -> Chain {
    Chain {
        kind: "thought",
        by_model,
        text: String::new(),
        fallacies: fallacies.to_vec(),
        planted: false,
    }
}

fn explanation(credence: f64, prior: f64) -> Explanation {
    let status =
        if credence > 0.5 { HypothesisStatus::Confirmed } else { HypothesisStatus::Active };
    Explanation { claim: String::new(), credence, prior, status, independent: 0, warned: false }
}

fn of(runs: &[Observed], id: &str) -> Figure {
    figures(runs).into_iter().find(|one| one.id == id).expect("there is such a figure")
}

/// Hits and number of a share.
fn counts(runs: &[Observed], id: &str) -> (f64, usize) {
    let figure = of(runs, id);
    (figure.hits.expect("it is a share"), figure.of)
}

fn tally(passed: usize, all: usize) -> Tally {
    Tally { passed, all }
}

#[track_caller]
fn same(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-9, "{one} is not {other}");
}

#[test]
fn coherence_counts_texts_free_of_fallacies() {
    let run = Observed {
        chains: vec![
            chain(false, &[]),
            chain(true, &[]),
            chain(true, &["straw_man", "ad_hominem"]),
        ],
        ..Observed::default()
    };
    assert_eq!(counts(from_ref(&run), "coherence"), (2.0, 3));
    assert_eq!(counts(from_ref(&run), "coherence_model"), (1.0, 2));
    assert_eq!(counts(&[run.clone(), Observed::default()], "coherence_runs"), (1.0, 2));
    let mut planted = run;
    planted.chains[1].planted = true;
    assert_eq!(counts(from_ref(&planted), "coherence_model"), (1.0, 2));
    assert_eq!(counts(from_ref(&planted), "coherence_true"), (0.0, 2));
}

#[test]
fn grounding_counts_claims_that_are_borne_out() {
    let claims = vec![
        ClaimSeen { cited: true, borne_out: true },
        ClaimSeen { cited: true, borne_out: false },
        ClaimSeen { cited: false, borne_out: true },
    ];
    let run = Observed { claims, ..Observed::default() };
    assert_eq!(counts(from_ref(&run), "grounding"), (1.0, 3));
    assert_eq!(counts(&[run], "grounding_any"), (2.0, 3));
}

#[test]
fn lens_balance_is_a_normalised_entropy() {
    same(balance(&[0.3, 0.3, 0.3]).expect("three lenses"), 1.0);
    same(balance(&[0.5, 0.0]).expect("two lenses"), 0.0);
    let uneven = balance(&[0.9, 0.1]).expect("two lenses");
    assert!(0.4 < uneven && uneven < 0.5, "{uneven}");
    assert!(balance(&[0.5]).is_none() && balance(&[0.0, 0.0]).is_none());
    let run = Observed { lenses: vec![0.5, 0.0], ..Observed::default() };
    let both =
        [run, Observed { lenses: vec![0.2, 0.2], ..Observed::default() }, Observed::default()];
    same(of(&both, "lens_balance").value.expect("two runs have lenses"), 0.5);
    assert_eq!(of(&both, "lens_balance").of, 2);
}

#[test]
fn novelty_is_a_mean_over_insights() {
    let runs = [
        Observed { novelties: vec![0.2, 0.4], ..Observed::default() },
        Observed { novelties: vec![0.9], ..Observed::default() },
    ];
    same(of(&runs, "insight_novelty").value.expect("there are insights"), 0.5);
    assert!(of(&[Observed::default()], "insight_novelty").value.is_none());
}

#[test]
fn hypotheses_are_held_against_the_planted_one_and_the_priors() {
    let run = |right| Observed {
        explanations: vec![explanation(0.9, 0.35), explanation(0.1, 0.35)],
        known: Known { right, ..Known::default() },
        ..Observed::default()
    };
    let runs = [run(Some(0)), run(Some(1)), run(None)];
    assert_eq!(counts(&runs, "hypothesis_accuracy"), (1.0, 2));
    assert_eq!(counts(&runs, "hypothesis_floor"), (1.0, 2));
    assert_eq!(counts(&runs, "sure_rightly"), (2.0, 4));
    assert_eq!(counts(&runs, "settled_rightly"), (1.0, 2));
    assert_eq!(counts(&runs, "settled"), (2.0, 4));
    same(of(&runs, "brier").value.expect("two worlds"), (2.0 * 0.01 + 2.0 * 0.81) / 4.0);
    let floor = of(&runs, "brier_floor").value.expect("two worlds");
    same(floor, f64::midpoint(0.65 * 0.65, 0.35 * 0.35));
}

#[test]
fn findings_are_confirmed_by_code_or_by_the_truth() {
    let finding = |by_code, by_truth| FindingSeen { by_code, by_truth, ..FindingSeen::default() };
    let findings = vec![
        finding(true, None),
        finding(false, Some(true)),
        finding(true, Some(false)),
        finding(false, Some(false)),
    ];
    let run = Observed { findings, ..Observed::default() };
    assert_eq!(counts(from_ref(&run), "findings_confirmed"), (3.0, 4));
    assert_eq!(counts(from_ref(&run), "findings_by_code"), (2.0, 4));
    assert_eq!(counts(&[run], "findings_wrongly_confirmed"), (1.0, 2));
}

#[test]
fn iterations_are_those_of_runs_that_converge() {
    let run = |rounds, stop| Observed { rounds, stop: Some(stop), ..Observed::default() };
    let runs = [
        run(1, StopReason::Answered),
        run(3, StopReason::GapsAbandoned),
        run(5, StopReason::BudgetRounds),
    ];
    same(of(&runs, "iterations").value.expect("two converge"), 2.0);
    same(of(&runs, "iterations_most").value.expect("three ran"), 5.0);
    assert_eq!(counts(&runs, "converged"), (2.0, 3));
}

#[test]
fn tight_budgets_count_for_budgets_and_gaps_alone() {
    let tight = Observed {
        kind: "tight budget",
        overshot: vec!["2 rounds of 1".to_owned()],
        gaps: vec![false],
        chains: vec![chain(true, &["straw_man"])],
        ..Observed::default()
    };
    let runs = [Observed { gaps: vec![true, true], ..Observed::default() }, tight];
    assert_eq!(counts(&runs, "budget_adherence"), (1.0, 2));
    assert_eq!(counts(&runs, "gaps_settled"), (2.0, 3));
    assert_eq!(counts(&runs, "coherence"), (0.0, 0));
}

#[test]
fn planted_fallacies_are_noticed_named_and_told() {
    let plants = vec![
        PlantSeen { noticed: true, suspected: true, named: true, told: Some(true) },
        PlantSeen { noticed: true, suspected: true, named: false, told: Some(false) },
        PlantSeen { noticed: false, suspected: true, named: false, told: None },
    ];
    let known = Known { plants, unmet: 1, alarms: tally(1, 40), ..Known::default() };
    let runs = [Observed { known, ..Observed::default() }];
    assert_eq!(counts(&runs, "fallacy_recall"), (2.0, 3));
    assert_eq!(counts(&runs, "fallacy_suspected"), (3.0, 3));
    assert_eq!(counts(&runs, "fallacy_named"), (1.0, 3));
    assert_eq!(counts(&runs, "fallacy_told"), (1.0, 2));
    assert_eq!(counts(&runs, "fallacy_alarms"), (1.0, 40));
    same(of(&runs, "fallacy_unmet").value.expect("one is unmet"), 1.0);
}

#[test]
fn the_rest_of_the_truth_is_counted_as_it_is() {
    let statement = |supported, said| StatementSeen { supported, said };
    let known = Known {
        witnesses: tally(1, 2),
        gaps: tally(2, 3),
        missing: tally(2, 4),
        answered: tally(1, 1),
        contradictions: tally(0, 1),
        statements: vec![statement(true, true), statement(false, true), statement(false, false)],
        ..Known::default()
    };
    let runs = [Observed { known, ..Observed::default() }];
    assert_eq!(counts(&runs, "witnesses"), (1.0, 2));
    assert_eq!(counts(&runs, "gaps_told"), (2.0, 3));
    assert_eq!(counts(&runs, "gaps_real"), (2.0, 4));
    assert_eq!(counts(&runs, "answered"), (1.0, 1));
    assert_eq!(counts(&runs, "contradictions_told"), (0.0, 1));
    assert_eq!(counts(&runs, "statements_right"), (2.0, 3));
    assert_eq!(counts(&runs, "statements_false"), (1.0, 2));
}

#[test]
fn guards_are_added_over_runs() {
    let guards = Guards {
        permuted: tally(3, 3),
        removed: tally(1, 2),
        contradicted: tally(4, 5),
        contradiction_felt: tally(2, 5),
        duplicated: tally(3, 3),
        failures: vec![],
    };
    let run = Observed { guards, ..Observed::default() };
    let runs = [run.clone(), run];
    assert_eq!(counts(&runs, "guards"), (22.0, 26));
    assert_eq!(counts(&runs, "guard_remove"), (2.0, 4));
    assert_eq!(counts(&runs, "guard_felt"), (4.0, 10));
}

#[test]
fn every_figure_has_a_definition_and_a_name_of_its_own() {
    let all = figures(&[]);
    assert!(all.iter().all(|one| one.definition.len() > 20 && one.value.is_none() || one.of == 1));
    let mut ids: Vec<&str> = all.iter().map(|one| one.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all.len());
}
