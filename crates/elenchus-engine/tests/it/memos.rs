//! What runs keep of themselves in a real store, and what later ones are told of it.

use crate::support::settings;
use elenchus_core::bank::{BankSettings, Caller};
use elenchus_core::evidence::Span;
use elenchus_core::graph::{
    ANSWER, Freshness, Memo, RecalledMemo, Relation, keep_run, project_namespace,
};
use elenchus_core::id::{MemoId, Timestamp};
use elenchus_core::inquiry::Options;
use elenchus_core::port::{
    Matter, MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach, Remark,
};
use elenchus_core::prompt::{
    Bearing, FactRole, Facts, FollowUp, ModelCall, ModelReply, ProposedFact, ProposedQuery,
    QueryStrategy, Reflection,
};
use elenchus_core::testkit::{ManualClock, World};
use elenchus_core::trace::TraceEvent;
use elenchus_engine::{Engine, Finished, KeptCount, Ports, Remembering, keep_note, save_kept};
use elenchus_io::bank::SqliteBank;
use elenchus_io::memos::SqliteMemos;
use elenchus_io::store::{SqliteOptions, SqliteStore};
use std::path::Path;
use std::sync::Arc;

const WAGE: &str = "What does the lighthouse keeper earn?";

/// The answer stands where no word of the question does; the second search finds it.
fn coast(wages: &str) -> World {
    let knows = |text: &str| text.contains("crowns a year");
    (0..6)
        .fold(World::new("coast"), |world, n| {
            world.document(
                &format!("gossip{n}.md"),
                &format!("# Gossip\n\nThe lighthouse keeper may earn respect, says villager {n}."),
            )
        })
        .document("wages.md", wages)
        .script(move |call| match call {
            ModelCall::Reflect(input) => {
                let found = input.passages.iter().find(|read| knows(&read.passage.text));
                let relevant = found.map(|read| read.passage.id.clone());
                Some(Ok(ModelReply::Reflect(Reflection {
                    is_sufficient: found.is_some(),
                    answered_questions: found.map(|_| 1).into_iter().collect(),
                    unanswered_questions: if found.is_some() { vec![] } else { vec![1] },
                    relevant_passage_ids: relevant.into_iter().collect(),
                    notes: vec![],
                    new_gaps_identified: vec![],
                })))
            }
            ModelCall::ExtractFacts(input) => {
                let known = input.passages.iter().filter(|read| knows(&read.passage.text));
                let facts = known.map(|read| ProposedFact {
                    question_id: 1,
                    passage_id: read.passage.id.clone(),
                    span: Span { start: 0, end: read.passage.text.chars().count() },
                    value: None,
                    role: FactRole::Answer,
                    polarity: None,
                    bearing: Some(Bearing::Strong),
                    likeness: None,
                    unbound: vec![],
                    warrant: "the attendant is the keeper".to_owned(),
                });
                Some(Ok(ModelReply::ExtractFacts(Facts { facts: facts.collect() })))
            }
            ModelCall::FollowUp(_) => Some(Ok(ModelReply::FollowUp(FollowUp {
                queries: vec![ProposedQuery {
                    query: "lamp attendant draws crowns".to_owned(),
                    strategy: QueryStrategy::Keywords,
                }],
                rationale: "a keeper attends to a lamp".to_owned(),
            }))),
            _ => None,
        })
}

const AS_READ: &str = "# Wages\n\nThe lamp attendant draws 900 crowns a year.";

fn memos(folder: &Path) -> SqliteMemos {
    SqliteMemos::open(&folder.join("elenchus.db"), &SqliteOptions::default()).unwrap()
}

fn options() -> Options {
    Options { autonomous: true, ..Options::default() }
}

fn ports(folder: &Path, wages: &str, memos: Arc<dyn Memos>, caller: &Caller) -> Ports {
    let file = folder.join("elenchus.db");
    let world = Arc::new(coast(wages));
    Ports {
        elsewhere: Vec::new(),
        memory: Some(Remembering {
            bank: Arc::new(SqliteBank::in_memory(BankSettings::default()).unwrap()),
            memos: Some(memos),
            caller: caller.clone(),
            min_confidence: 0.5,
            limit: 3,
        }),
        model: world.clone(),
        retriever: world.clone(),
        embedder: world,
        judge: None,
        store: Arc::new(SqliteStore::open(&file, &SqliteOptions::default()).unwrap()),
        clock: Arc::new(ManualClock::new(Timestamp(1_700_000_000_000))),
    }
}

/// A run as if in a process of its own: what is remembered of others lies in the file.
async fn ask(folder: &Path, wages: &str, caller: &Caller, seed: u64) -> Finished {
    let ports = ports(folder, wages, Arc::new(memos(folder)), caller);
    let engine = Engine::new(ports.clone(), settings(4));
    let handle = engine.start(WAGE, options(), seed).await.unwrap();
    let run_id = handle.run_id().clone();
    let finished = handle.join().await.unwrap();
    assert_eq!(finished.unremembered, None);
    // A replay needs no memos.
    let alone = Engine::new(Ports { memory: None, ..ports.clone() }, settings(4));
    let (_, trace) = alone.replay(&run_id).await.unwrap();
    assert_eq!(trace, ports.store.events(&run_id, 0).await.unwrap());
    let told_of = trace.iter().any(|e| matches!(e.event, TraceEvent::MemosRecalled { .. }));
    assert_eq!(told_of, !told(&finished).is_empty());
    finished
}

fn told(finished: &Finished) -> Vec<RecalledMemo> {
    finished.run.view().recalled().memos.clone()
}

fn harbour() -> Caller {
    Caller::local("harbour")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_run_looks_first_where_the_first_one_found_it() {
    let scratch = tempfile::tempdir().unwrap();
    let first = ask(scratch.path(), AS_READ, &harbour(), 1).await;
    assert!(told(&first).is_empty());
    assert_eq!(first.answer.receipt.rounds, 2);
    let second = ask(scratch.path(), AS_READ, &harbour(), 2).await;
    let memo = &told(&second)[0];
    assert_eq!(memo.run_id, first.answer.run_id);
    assert_eq!(memo.sources[0].freshness, Freshness::Unchanged);
    assert_eq!(second.answer.receipt.rounds, 1);
    assert_eq!(second.answer.claims[0].text, first.answer.claims[0].text);
    assert_eq!(second.run.view().led().count(), 1);

    let (memos, namespace) = (memos(scratch.path()), project_namespace("harbour"));
    let count = async |tag: &str| {
        let tag = Some(tag.to_owned());
        let filter = MemoFilter { namespace: namespace.clone(), tag, ..MemoFilter::default() };
        memos.list("local", &filter).await.unwrap().len()
    };
    // Two answers, and one quote that both rest on.
    assert_eq!((count(ANSWER).await, count("evidence").await), (2, 1));
    let kept = keep_run(first.run.view(), &namespace, Timestamp(9)).unwrap();
    let again = save_kept(&memos, "local", &kept).await.unwrap();
    assert_eq!(again, KeptCount { memos: 0, relations: 0, again: true });
    assert_eq!(count(ANSWER).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_changed_or_went_is_told_and_not_looked_into() {
    let scratch = tempfile::tempdir().unwrap();
    ask(scratch.path(), AS_READ, &harbour(), 1).await;
    let newer = "# Wages\n\nThe lamp attendant draws 950 crowns a year.";
    let changed = ask(scratch.path(), newer, &harbour(), 2).await;
    assert_eq!(told(&changed)[0].sources[0].freshness, Freshness::Changed);
    assert_eq!(changed.run.view().led().count(), 0);
    // It is found as if nothing had been told, and says what is true now.
    assert_eq!(changed.answer.receipt.rounds, 2);
    assert!(changed.answer.claims[0].text.contains("950"));
    let emptied = ask(scratch.path(), "", &harbour(), 3).await;
    let standing: Vec<Freshness> =
        told(&emptied).iter().map(|memo| memo.sources[0].freshness).collect();
    assert_eq!(standing, [Freshness::Gone, Freshness::Gone]);
    assert!(emptied.answer.claims.is_empty());
    let given_up = ask(scratch.path(), "", &harbour(), 4).await;
    assert!(told(&given_up).iter().any(|memo| !memo.given_up.is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_of_the_runs_of_another_tenant_or_project() {
    let scratch = tempfile::tempdir().unwrap();
    ask(scratch.path(), AS_READ, &harbour(), 1).await;
    let theirs = Caller { tenant: "theirs".to_owned(), ..harbour() };
    for (caller, seed) in [(theirs, 2), (Caller::local("harbour2"), 3)] {
        let finished = ask(scratch.path(), AS_READ, &caller, seed).await;
        assert!(told(&finished).is_empty(), "{caller:?}");
        assert_eq!(finished.answer.receipt.rounds, 2);
    }
    assert_eq!(told(&ask(scratch.path(), AS_READ, &harbour(), 4).await).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_people_said_of_a_run_is_told_to_later_runs_of_its_tenant_and_project() {
    let scratch = tempfile::tempdir().unwrap();
    let first = ask(scratch.path(), AS_READ, &harbour(), 1).await;
    let memos = memos(scratch.path());
    let (run, claim) = (first.answer.run_id.clone(), first.answer.claims[0].id.clone());
    let said = |word: Option<&str>, note: &str| {
        Remark::new(&run, Matter::Claim, claim.as_str(), "ann", word, Timestamp(5)).noting(note)
    };
    let remark = said(Some("right"), "the wage of the attendant");
    let theirs = Caller { tenant: "theirs".to_owned(), ..harbour() };
    // Of a run that is not among their memos nothing is kept for them.
    for caller in [&theirs, &Caller::local("harbour2")] {
        let kept = keep_note(&memos, caller, &remark, Some(&first.answer)).await;
        assert_eq!(kept, Ok(false), "{caller:?}");
    }
    assert_eq!(keep_note(&memos, &harbour(), &remark, Some(&first.answer)).await, Ok(true));

    let second = ask(scratch.path(), AS_READ, &harbour(), 2).await;
    let told_of = told(&second);
    assert_eq!(told_of.len(), 2, "what was said, then the run: {told_of:?}");
    let noted = told_of[0].noted.as_ref().expect("it is told first");
    assert_eq!((noted.said.as_str(), noted.note.as_str()), ("right", "the wage of the attendant"));
    assert_eq!((&told_of[0].run_id, told_of[0].sources[0].freshness), (&run, Freshness::Unchanged));
    assert!(told_of[1].noted.is_none());
    assert_eq!(second.answer.receipt.rounds, 1);
    // It is a lead: what is said comes from what was read.
    assert_eq!(second.answer.claims[0].text, first.answer.claims[0].text);
    assert!(told(&ask(scratch.path(), AS_READ, &theirs, 3).await).is_empty());

    // What is taken back is told no more.
    let back = keep_note(&memos, &harbour(), &said(None, ""), Some(&first.answer)).await;
    assert_eq!(back, Ok(false));
    let third = told(&ask(scratch.path(), AS_READ, &harbour(), 4).await);
    assert!(!third.is_empty() && third.iter().all(|memo| memo.noted.is_none()), "{third:?}");
}

/// Memos on a disk that is full.
struct Broken;

fn broken<'a, T: Send + 'a>() -> PortFuture<'a, Result<T, MemoFailure>> {
    let (attempted, cause) = ("keep or find memos".to_owned(), "the disk is full".to_owned());
    Box::pin(async { Err(MemoFailure::Io { attempted, cause }) })
}

impl Memos for Broken {
    fn save<'a>(&'a self, _: &'a str, _: &'a Memo) -> PortFuture<'a, Result<(), MemoFailure>> {
        broken()
    }
    fn get<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
        _: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        broken()
    }
    fn search<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
        _: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>> {
        broken()
    }
    fn list<'a>(
        &'a self,
        _: &'a str,
        _: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        broken()
    }
    fn delete<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
        _: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        broken()
    }
    fn relate<'a>(
        &'a self,
        _: &'a str,
        _: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        broken()
    }
    fn unrelate<'a>(
        &'a self,
        _: &'a str,
        _: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        broken()
    }
    fn relations<'a>(
        &'a self,
        _: &'a str,
        _: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        broken()
    }
    fn around<'a>(
        &'a self,
        _: &'a str,
        _: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        broken()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn memos_that_cannot_be_used_hold_no_run_up_and_are_told() {
    let scratch = tempfile::tempdir().unwrap();
    let ports = ports(scratch.path(), AS_READ, Arc::new(Broken), &harbour());
    let handle = Engine::new(ports, settings(4)).start(WAGE, options(), 9).await.unwrap();
    let finished = handle.join().await.unwrap();
    assert!(finished.answer.claims[0].text.contains("900 crowns"));
    assert!(told(&finished).is_empty());
    let unremembered = finished.unremembered.expect("it is said that nothing was kept");
    assert!(unremembered.contains("the disk is full"), "{unremembered}");
}
