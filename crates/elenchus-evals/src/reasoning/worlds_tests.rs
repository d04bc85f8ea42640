//! Every planted world can be read and run, and what a run shows can be read again from a store.

use super::runs::{Sitting, in_memory};
use super::scripted::Scripted;
use super::world::World;
use crate::golden::transcript::Transcript;
use elenchus_io::store::{SqliteOptions, SqliteStore};
use std::path::Path;
use std::sync::Arc;

fn worlds() -> Vec<(String, World)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/worlds");
    World::all(&folder).expect("every world can be read")
}

#[test]
fn there_are_worlds_of_every_kind() {
    let all: Vec<World> = worlds().into_iter().map(|(_, world)| world).collect();
    assert!(all.len() >= 8);
    assert!(all.iter().all(|world| world.origin == "written"));
    let some = |is: fn(&World) -> bool| all.iter().any(is);
    assert!(some(|world| world.truth.right.is_some()));
    assert!(some(|world| !world.truth.gaps.is_empty()));
    assert!(some(|world| !world.truth.contradictions.is_empty()));
    assert!(some(|world| !world.truth.witnesses.is_empty()));
    assert!(some(|world| world.truth.fallacies.iter().any(|one| one.place == "hypothesize")));
    assert!(some(|world| world.truth.fallacies.iter().any(|one| one.place.contains('.'))));
    assert!(some(|world| world.truth.statements.iter().any(|one| !one.supported)));
}

#[tokio::test]
async fn every_world_runs_within_its_budget() {
    let sitting = Sitting::new(None, false);
    // All of them run where the figures of reasoning are compared.
    for (name, world) in worlds().into_iter().step_by(4) {
        let runs = sitting.world(&name, &world).await.expect("it runs");
        assert_eq!(runs.len(), 5, "{name}: once freely and four times under a tight budget");
        for run in &runs {
            assert!(run.overshot.is_empty(), "{name}: {:?}", run.overshot);
            assert!(run.stop.is_some(), "{name}: it stopped for a reason");
        }
        let competing = world.truth.right.is_some() || !world.truth.witnesses.is_empty();
        assert_eq!(!runs[0].explanations.is_empty(), competing, "{name}");
        let planted = world.truth.right.is_some();
        assert_eq!(runs[0].known.right.is_some(), planted, "{name}: the right one is on the board");
    }
}

#[tokio::test]
async fn a_world_that_is_no_folder_is_a_clear_message() {
    let sitting = Sitting::new(None, false);
    let error = sitting.worlds(Path::new("no-such-folder")).await.expect_err("it is not there");
    assert!(error.contains("no-such-folder"), "{error}");
    let error = sitting.store(Path::new("no-such-store.db")).await.expect_err("it is not there");
    assert!(error.contains("no-such-store.db"), "{error}");
    let none = sitting.golden(Path::new("no-such-folder"), Path::new(".")).await;
    assert!(none.expect("an empty folder is no failure").is_empty());
}

/// A world whose every figure is known: what is planted is of the kind that is noticed.
#[tokio::test]
async fn what_is_planted_is_found_in_a_world_that_is_easy() {
    let world = World::parse(
        r##"{"origin": "written", "about": "", "question": "Why did the Oster mill close in 1950?",
          "documents": [
            {"path": "a.md", "text": "# Ledger\n\nThe Oster mill closed in 1950 because the river ran dry.\n"},
            {"path": "b.md", "text": "# Diary\n\nMother wrote that the Oster mill closed because the river ran dry.\n"},
            {"path": "c.md", "text": "# Leaflet on the Oster mill\n\nIf we allow one extra day of leave at the Oster mill, soon everybody will stop working altogether.\n"}],
          "replies": {"hypothesize": [{"hypotheses": [
            {"claim": "The Oster mill closed because its owner died.", "prior": "likely", "queries_for": ["Oster mill owner died"], "queries_against": []},
            {"claim": "The Oster mill closed because the river ran dry.", "prior": "unlikely", "queries_for": ["Oster mill river dry"], "queries_against": ["Oster mill leave working"]}]}],
            "critique": [{"findings": [{"kind": "weak_citation", "severity": "minor", "claim_id": "{claim:river ran dry}", "words": null, "text": "The page is torn.", "queries": []}], "alternatives": [], "leans": null, "replies": []}]},
          "truth": {"right": "river ran dry",
            "witnesses": [{"explanation": "river ran dry", "independent": 2}],
            "fallacies": [{"place": "c.md", "words": "one extra day of leave at the Oster mill, soon everybody will stop working altogether", "fallacy": "slippery_slope"}],
            "findings": [{"kind": "weak_citation", "words": "page is torn"}],
            "statements": [{"text": "The Oster mill closed in 1950.", "supported": true}]}}"##,
    )
    .expect("it is a world");
    let runs = Sitting::new(None, false).world("oster", &world).await.expect("it runs");
    let (run, known) = (&runs[0], &runs[0].known);
    assert_eq!(known.right, Some(1));
    assert!(run.explanations[1].credence > run.explanations[0].credence);
    assert_eq!((known.witnesses.passed, known.witnesses.all), (1, 1));
    assert_eq!(known.plants.len(), 1);
    assert!(known.plants[0].noticed && known.plants[0].suspected && known.plants[0].named);
    assert_eq!(known.alarms.passed, 0);
    assert_eq!(run.findings.len(), 1);
    assert_eq!(run.findings[0].by_truth, Some(true));
    assert!(known.statements[0].said);
    assert!(run.claims.iter().all(|one| one.cited && one.borne_out) && !run.claims.is_empty());
    assert!(
        run.guards.together().all >= 3 && run.guards.permuted.passed == run.guards.permuted.all
    );
}

fn ferry() -> World {
    worlds().into_iter().find(|(name, _)| name == "ferry").expect("there is such a world").1
}

#[tokio::test]
async fn a_run_that_a_store_keeps_is_replayed() {
    let scratch = tempfile::tempdir().expect("a scratch folder can be made");
    let world = ferry();
    let folder = scratch.path().join("ferry");
    world.lay_down(&folder).expect("the documents can be written");
    let corpus = Arc::new(in_memory(&folder).expect("it can be read"));
    let file = scratch.path().join("runs.db");
    let store = Arc::new(SqliteStore::open(&file, &SqliteOptions::default()).expect("it opens"));
    let sitting = Sitting::new(None, false);
    let options = world.run_options().expect("they are options");
    let model = Arc::new(Scripted::of(&world));
    let run_id =
        sitting.ask_into(store, &corpus, model, &world.question, options).await.expect("it runs");
    let runs = sitting.store(&file).await.expect("the store can be read");
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].kind, runs[0].name.as_str()), ("store", run_id.as_str()));
    assert!(!runs[0].claims.is_empty() && runs[0].guards.permuted.all > 0);
}

#[tokio::test]
async fn a_golden_transcript_is_run() {
    let scratch = tempfile::tempdir().expect("a scratch folder can be made");
    let world = ferry();
    world.lay_down(&scratch.path().join("ferry")).expect("the documents can be written");
    let transcript = |corpus: &str| Transcript {
        origin: "written".to_owned(),
        question: world.question.clone(),
        corpus: corpus.to_owned(),
        options: world.run_options().expect("they are options"),
        replies: vec![],
        faults: vec![],
    };
    let golden = scratch.path().join("golden");
    std::fs::create_dir(&golden).expect("a folder can be made");
    transcript("ferry").write(&golden.join("here.json")).expect("it can be written");
    transcript("elsewhere").write(&golden.join("skipped.json")).expect("it can be written");
    let runs = Sitting::new(None, false).golden(&golden, scratch.path()).await.expect("it runs");
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    assert_eq!(names, ["here"], "a corpus that is not there is no failure");
}
