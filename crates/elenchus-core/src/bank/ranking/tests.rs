//! Places, lanes, repetition, and trying out.

use super::*;
use crate::bank::strategy::{Draft, Origin, Strategy};
use crate::id::{StrategyId, Timestamp};
use proptest::prelude::*;

fn strategy(id: usize, title: &str, content: &str, outcome: Outcome) -> Strategy {
    Strategy {
        id: StrategyId(format!("mem_{id:012}")),
        draft: Draft {
            title: title.to_owned(),
            description: String::new(),
            content: content.to_owned(),
            outcome,
            tags: vec![],
            scope: Scope::Project,
            origin: Origin::Distilled,
            source_session: None,
            lineage: vec![],
            from_web: false,
        },
        standing: Standing::Active,
        actor: "ann".to_owned(),
        created_at: Timestamp(0),
        edited_at: Timestamp(0),
    }
}

const WORDS: [&str; 12] = [
    "anchor", "bottle", "candle", "desert", "engine", "forest", "garden", "harbour", "island",
    "jacket", "kettle", "lantern",
];

/// Strategies that share no word.
fn different(count: usize) -> Vec<Strategy> {
    (0..count)
        .map(|n| strategy(n, WORDS[n % WORDS.len()], &format!("topic{n}"), Outcome::Success))
        .collect()
}

fn candidate(strategy: &Strategy, lexical: f64, confidence: f64) -> Candidate<'_> {
    Candidate {
        strategy,
        posterior: Posterior::new(confidence * 20.0, (1.0 - confidence) * 20.0),
        calibrated: None,
        usage_count: 0,
        lexical,
        dense: None,
        vector: None,
        fit: None,
    }
}

fn recall(limit: usize) -> Recall {
    Recall {
        query: "anything".to_owned(),
        scope: None,
        outcome: None,
        limit,
        min_confidence: 0.5,
        session_id: String::new(),
        for_prompt: true,
    }
}

fn ranked(candidates: &[Candidate<'_>], recall: &Recall) -> Recalled {
    let settings = BankSettings::default();
    rank(candidates, recall, &SearchId::from("sea_1"), &settings, &Fusion::default())
}

fn titles(held: &[Held]) -> Vec<&str> {
    held.iter().map(|held| held.strategy.draft.title.as_str()).collect()
}

#[test]
fn what_fits_comes_first_and_confidence_tells_equals_apart() {
    let all = different(3);
    let found = ranked(
        &[
            candidate(&all[0], 5.0, 0.9),
            candidate(&all[1], 10.0, 0.55),
            candidate(&all[2], 10.0, 0.8),
        ],
        &recall(5),
    );
    assert_eq!(titles(&found.memories), ["candle", "bottle", "anchor"]);
    assert_eq!((found.total_found, found.hidden_below_min_confidence), (3, 0));
    let why = found.memories[0].ranked.as_ref().unwrap();
    assert!((why.value - 1.06).abs() < 1e-9, "{}", why.render());
    assert!((found.memories[0].relevance - 1.0).abs() < 1e-9);
}

/// From certain failure to certain success a place moves by a fifth at most: confidence is no substitute for fitting.
#[test]
fn the_factor_of_confidence_is_bounded() {
    let all = different(2);
    let open = Recall { min_confidence: 0.0, for_prompt: false, ..recall(5) };
    let settings = BankSettings { exploration: 0.0, ..BankSettings::default() };
    let found = rank(
        &[candidate(&all[0], 10.0, 0.01), candidate(&all[1], 8.0, 0.99)],
        &open,
        &SearchId::from("sea_1"),
        &settings,
        &Fusion::default(),
    );
    assert_eq!(titles(&found.memories), ["anchor", "bottle"]);
}

#[test]
fn the_floor_hides_and_says_how_many() {
    let all = different(3);
    let candidates = [
        candidate(&all[0], 1.0, 0.49),
        candidate(&all[1], 1.0, 0.51),
        candidate(&all[2], 1.0, 0.2),
    ];
    let found = ranked(&candidates, &recall(5));
    assert_eq!(titles(&found.memories), ["bottle"]);
    assert_eq!((found.total_found, found.hidden_below_min_confidence), (3, 2));
    // For a prompt the floor of injection holds, whatever was asked for.
    let low = Recall { min_confidence: 0.0, ..recall(5) };
    assert_eq!(ranked(&candidates, &low).memories.len(), 1);
}

#[test]
fn what_is_to_be_avoided_has_its_own_lane() {
    let mut all = different(12);
    for one in &mut all[..6] {
        one.draft.outcome = Outcome::Failure;
    }
    let candidates: Vec<Candidate<'_>> =
        all.iter().enumerate().map(|(n, one)| candidate(one, 20.0 - n as f64, 0.8)).collect();
    let both = ranked(&candidates, &recall(5));
    assert_eq!((both.memories.len(), both.avoid.len()), (5, 3));
    assert!(both.avoid.iter().all(|held| held.strategy.draft.outcome == Outcome::Failure));
    assert!(both.memories.iter().all(|held| held.strategy.draft.outcome == Outcome::Success));
    let only = |outcome| ranked(&candidates, &Recall { outcome: Some(outcome), ..recall(5) });
    assert!(only(Outcome::Success).avoid.is_empty());
    let avoid = only(Outcome::Failure);
    assert_eq!((avoid.memories.len(), avoid.avoid.len(), avoid.total_found), (0, 5, 6));
}

#[test]
fn scopes_weigh() {
    let mut all = different(3);
    all[0].draft.scope = Scope::Org;
    all[1].draft.scope = Scope::Team;
    let candidates: Vec<Candidate<'_>> = all.iter().map(|one| candidate(one, 3.0, 0.7)).collect();
    let found = ranked(&candidates, &recall(5));
    assert_eq!(titles(&found.memories), ["candle", "bottle", "anchor"]);
    let relevance: Vec<f64> = found.memories.iter().map(|held| held.relevance).collect();
    assert_eq!(relevance, [1.0, 0.9, 0.8]);
    let own = Recall { scope: Some(Scope::Project), ..recall(5) };
    assert_eq!(ranked(&candidates, &own).total_found, 1);
}

#[test]
fn sense_counts_beside_words_and_alone_from_a_likeness_on() {
    let all = different(3);
    let dense = |at: usize, lexical, cosine| Candidate {
        dense: Some(cosine),
        ..candidate(&all[at], lexical, 0.7)
    };
    let found = ranked(&[dense(0, 1.0, 0.9), dense(1, 1.0, 0.3), dense(2, 0.0, 0.1)], &recall(5));
    assert_eq!(titles(&found.memories), ["anchor", "bottle"]);
    assert!((found.memories[0].relevance - 0.97).abs() < 1e-9);
    let by_sense = ranked(&[dense(2, 0.0, 0.6)], &recall(5));
    assert_eq!(by_sense.memories.len(), 1);
}

/// A word of many by chance is no reason to tell a run of a strategy; a person may see it, and is told what it is.
#[test]
fn what_bears_on_something_else_is_not_put_into_a_prompt() {
    let all = different(6);
    let fitting = |at: usize, shared, asked, cosine| Candidate {
        dense: cosine,
        fit: Some(Fit { shared, asked, cosine }),
        ..candidate(&all[at], if shared > 0 { 4.0 } else { 0.0 }, 0.8)
    };
    let candidates = [
        fitting(0, 1, 4, Some(0.3)),
        fitting(1, 0, 4, Some(0.4)),
        fitting(2, 1, 4, Some(0.5)),
        fitting(3, 0, 4, Some(0.6)),
        fitting(4, 2, 4, Some(0.1)),
        fitting(5, 1, 1, Some(0.1)),
    ];
    let found = ranked(&candidates, &recall(6));
    let mut told = titles(&found.memories);
    told.sort_unstable();
    assert_eq!(told, ["candle", "desert", "engine", "forest"]);
    assert_eq!((found.total_found, found.hidden_as_far), (4, 2));
    let settings = BankSettings { exploration: 0.0, ..BankSettings::default() };
    let person = Recall { for_prompt: false, ..recall(6) };
    let found = rank(&candidates, &person, &SearchId::from("sea_1"), &settings, &Fusion::default());
    let mut far: Vec<&Held> = found.memories.iter().filter(|held| held.far).collect();
    far.sort_unstable_by(|a, b| a.strategy.draft.title.cmp(&b.strategy.draft.title));
    let named: Vec<&str> = far.iter().map(|held| held.strategy.draft.title.as_str()).collect();
    assert_eq!((found.memories.len(), named), (6, vec!["anchor", "bottle"]));
    assert!(far[0].ranked.as_ref().unwrap().rule.contains("little in common"));
    // Without vectors a word is all there is to go by.
    let worded = [fitting(0, 1, 4, None)];
    assert_eq!(ranked(&worded, &recall(6)).memories.len(), 1);
}

#[test]
fn the_same_is_not_said_twice() {
    let same = "Add a condition to the search when the list of results is long and mixed";
    let mut all = vec![
        strategy(0, "Narrow the search", same, Outcome::Success),
        strategy(1, "Narrow the search", &format!("{same}."), Outcome::Success),
        strategy(2, "Narrow the\u{200B} searches", same, Outcome::Success),
    ];
    all.extend(different(1));
    let candidates: Vec<Candidate<'_>> =
        all.iter().enumerate().map(|(n, one)| candidate(one, 9.0 - n as f64, 0.8)).collect();
    let found = ranked(&candidates, &recall(5));
    assert_eq!(titles(&found.memories), ["Narrow the search", "anchor"]);
    assert_eq!(found.total_found, 4);
    // By vectors too, where there are some.
    let (a, b) = ([1.0f32, 0.0], [0.0f32, 1.0]);
    let two = different(3);
    let with = |at: usize, lexical, vector| Candidate {
        vector: Some(vector),
        ..candidate(&two[at], lexical, 0.8)
    };
    let found = ranked(&[with(0, 3.0, &a), with(1, 2.9, &a), with(2, 2.0, &b)], &recall(5));
    assert_eq!(titles(&found.memories), ["anchor", "candle"]);
}

#[test]
fn quarantine_and_archive() {
    let mut all = different(3);
    all[0].standing = Standing::Quarantined { reason: "web".to_owned() };
    all[1].standing = Standing::Archived { at: Timestamp(0), reason: "old".to_owned() };
    let candidates: Vec<Candidate<'_>> =
        all.iter().enumerate().map(|(n, one)| candidate(one, 9.0 - n as f64, 0.8)).collect();
    assert_eq!(titles(&ranked(&candidates, &recall(5)).memories), ["candle"]);
    let shown = Recall { for_prompt: false, ..recall(5) };
    let found = ranked(&candidates, &shown);
    assert_eq!(titles(&found.memories), ["candle", "anchor"]);
    assert!(found.memories[1].ranked.as_ref().unwrap().rule.contains("nobody vouches"));
}

/// One in ten searches tries one out, and who asks with the same id gets the same.
#[test]
fn a_tenth_of_searches_tries_something_out() {
    let all = different(12);
    let mut candidates: Vec<Candidate<'_>> =
        all.iter().map(|one| candidate(one, 5.0, 0.8)).collect();
    // Little is known of the last two, and one is surely bad.
    for one in &mut candidates[9..] {
        one.posterior = Posterior::new(1.2, 1.4);
    }
    candidates[11].posterior = Posterior::new(1.0, 80.0);
    let settings = BankSettings::default();
    let open = Recall { for_prompt: false, ..recall(5) };
    let mut tried: Vec<String> = Vec::new();
    let mut searches = 0;
    for n in 0..2000 {
        let id = SearchId(format!("sea_{n}"));
        let found = rank(&candidates, &open, &id, &settings, &Fusion::default());
        assert_eq!(found, rank(&candidates, &open, &id, &settings, &Fusion::default()));
        assert_eq!(found.memories.len(), 5);
        assert!(found.memories[..4].iter().all(|held| !held.exploration));
        if found.memories[4].exploration {
            searches += 1;
            tried.push(found.memories[4].strategy.draft.title.clone());
        }
        let prompt = Recall { for_prompt: true, ..open.clone() };
        let found = rank(&candidates, &prompt, &id, &settings, &Fusion::default());
        assert!(found.memories.iter().all(|held| !held.exploration));
    }
    assert!((150..250).contains(&searches), "{searches}");
    for title in ["jacket", "kettle"] {
        assert!(tried.iter().any(|had| had == title), "{title} was never tried");
    }
    assert!(!tried.iter().any(|had| had == "lantern"), "what surely fails was tried");
    let never = BankSettings { exploration: 0.0, ..settings };
    let found = rank(&candidates, &open, &SearchId::from("sea_1"), &never, &Fusion::default());
    assert!(found.memories.iter().all(|held| !held.exploration));
}

#[test]
fn calibrated_confidence_is_shown_and_decides_no_place() {
    let all = different(2);
    let mut candidates = [candidate(&all[0], 5.0, 0.8), candidate(&all[1], 5.0, 0.7)];
    candidates[0].calibrated = Some(0.3);
    let found = ranked(&candidates, &recall(5));
    assert_eq!(titles(&found.memories), ["anchor", "bottle"]);
    assert_eq!(found.memories[0].calibrated, Some(0.3));
}

proptest! {
    /// Whatever the figures are, nothing stops it, limits hold, and counts are right.
    #[test]
    fn limits_hold_for_any_figures(
        figures in prop::collection::vec((prop::num::f64::ANY, prop::option::of(prop::num::f64::ANY), any::<bool>(), 0.0f64..1.0), 0..30),
        limit in 0usize..40, for_prompt: bool, floor in prop::num::f64::ANY,
    ) {
        let all: Vec<Strategy> = figures
            .iter()
            .enumerate()
            .map(|(n, (_, _, good, _))| {
                let outcome = if *good { Outcome::Success } else { Outcome::Failure };
                strategy(n, WORDS[n % WORDS.len()], &format!("topic{n}"), outcome)
            })
            .collect();
        let candidates: Vec<Candidate<'_>> = all
            .iter()
            .zip(&figures)
            .map(|(one, (lexical, dense, _, mean))| Candidate { dense: *dense, ..candidate(one, *lexical, *mean) })
            .collect();
        let asked = Recall { min_confidence: floor, for_prompt, ..recall(limit) };
        let found = ranked(&candidates, &asked);
        prop_assert!(found.memories.len() <= limit.clamp(1, 20));
        prop_assert!(found.avoid.len() <= limit.clamp(1, 20).div_ceil(2));
        prop_assert!(found.hidden_below_min_confidence <= found.total_found);
        for held in found.memories.iter().chain(&found.avoid) {
            prop_assert!((0.0..=1.0).contains(&held.relevance));
            prop_assert!(held.exploration || floor.is_nan() || held.confidence >= floor);
        }
    }
}
