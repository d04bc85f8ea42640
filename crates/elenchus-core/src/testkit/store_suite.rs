//! The contract of the [`Store`] port, as checks that every adapter passes.

use crate::answer::Citation;
use crate::id::{RunId, Timestamp};
use crate::inquiry::{Control, Input, Opened, Options, Recollection};
use crate::journal::{Entry, FORMAT, GENESIS, Intent, JournalRecord, SealedRecord};
use crate::port::{
    Claim, CorpusOverview, DURABLE, JournalTip, KEYS_KEPT_MS, Lease, LeftControl, Matter, Remark,
    RunPage, RunQuery, Store, StoreFailure, holding, word,
};
use crate::testkit::{World, drive};
use crate::trace::{Envelope, SCHEMA, TraceEvent};

/// How long the leases of the suite last.
const LEASE_MS: i64 = 1_000;

/// Checks everything that [`Store`] promises. `make` gives an empty store each time.
///
/// ```ignore
/// #[test]
/// fn my_store_keeps_the_contract() {
///     let folder = tempfile::tempdir().unwrap();
///     let next = std::cell::Cell::new(0);
///     block_on(store_suite("mine", || {
///         next.set(next.get() + 1);
///         MyStore::open(&folder.path().join(next.get().to_string())).unwrap()
///     }));
/// }
/// ```
#[expect(clippy::print_stdout, reason = "a conformance suite says what it checked")]
pub async fn store_suite<S: Store>(name: &str, make: impl Fn() -> S) {
    let mut checks = Checks { name: name.to_owned(), done: 0 };
    journal_grows(&mut checks, &make()).await;
    refuses_what_does_not_continue(&mut checks, &make()).await;
    leases(&mut checks, &make()).await;
    stale_leases_cannot_write(&mut checks, &make()).await;
    unknown_and_existing(&mut checks, &make()).await;
    deletes(&mut checks, &make()).await;
    lists(&mut checks, &make()).await;
    pages(&mut checks, &make()).await;
    keys_begin_one_run(&mut checks, &make()).await;
    controls_are_left(&mut checks, &make()).await;
    keeps_remarks(&mut checks, &make()).await;
    tells_what_is_cited(&mut checks, &make()).await;
    holds_anything(&mut checks, &make()).await;
    println!("store_suite[{name}]: ok ({} checks)", checks.done);
}

struct Checks {
    name: String,
    done: u32,
}

impl Checks {
    fn that(&mut self, holds: bool, what: &str) {
        assert!(holds, "store_suite[{}]: broken promise: {what}", self.name);
        self.done += 1;
    }

    fn ok<T>(&mut self, result: Result<T, StoreFailure>, what: &str) -> T {
        match result {
            Ok(value) => {
                self.done += 1;
                value
            }
            Err(error) => {
                unreachable!("store_suite[{}]: broken promise: {what}: {error}", self.name)
            }
        }
    }

    fn refused<T>(
        &mut self,
        result: Result<T, StoreFailure>,
        how: impl Fn(&StoreFailure) -> bool,
        what: &str,
    ) {
        match result {
            Ok(_) => {
                unreachable!("store_suite[{}]: broken promise: {what}: it was allowed", self.name)
            }
            Err(error) => self.that(how(&error), &format!("{what}, not: {error}")),
        }
    }
}

fn run(id: &str) -> RunId {
    RunId::from(id)
}

fn opened(run_id: &RunId, question: &str) -> Entry {
    Entry::Input(Box::new(Input::Opened(Opened {
        run_id: run_id.clone(),
        question: question.to_owned(),
        options: Options::default(),
        corpus: CorpusOverview::default(),
        model: "suite".to_owned(),
        judging: None,
        contest: None,
        forked: None,
        recalled: Recollection::default(),
    })))
}

fn control(text: &str) -> Entry {
    let control = Control::Redirect { focus: Some(text.to_owned()), exclude: vec![], only: vec![] };
    Entry::Input(Box::new(Input::Control(control)))
}

fn record(seq: u64, at: i64, entry: Entry) -> JournalRecord {
    JournalRecord { v: FORMAT, seq, at: Timestamp(at), entry }
}

fn event(run_id: &RunId, seq: u64, at: i64, text: &str) -> Envelope {
    Envelope {
        schema: SCHEMA,
        run_id: run_id.clone(),
        seq,
        at: Timestamp(at),
        event: TraceEvent::PlanningStarted { question: text.to_owned() },
    }
}

/// A run with one record and one event, held by `a` from 100 on.
async fn begun<S: Store>(checks: &mut Checks, store: &S, id: &str) -> (Lease, SealedRecord) {
    let run_id = run(id);
    let first = record(1, 100, opened(&run_id, "why?")).seal(GENESIS);
    let events = [event(&run_id, 1, 100, "one")];
    let made = store.create(&run_id, "why?", &first, &events, "a", LEASE_MS).await;
    (checks.ok(made, "a run can be created"), first)
}

async fn journal_grows<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, first) = begun(checks, store, "run_grows").await;
    let run_id = lease.run_id.clone();
    checks.that(lease.holder == "a", "the creator holds the lease");
    checks.that(lease.token >= 1, "tokens begin above 0");
    checks.that(
        lease.expires_at == Timestamp(100 + LEASE_MS),
        "the lease lasts from the first record on",
    );
    let tip = checks.ok(store.tip(&run_id).await, "the tip can be read");
    checks.that(
        tip == JournalTip { seq: 1, hash: first.hash.clone() },
        "the tip is the first record",
    );
    let records = [
        record(2, 110, Entry::Intent(vec![Intent::new(&run_id, crate::id::EffectId(1))])),
        record(3, 120, control("three")),
        record(4, 115, control("four, when the clock went back")),
    ];
    let mut previous = first.hash.clone();
    let mut next_event = 2;
    for (at, record) in records.iter().enumerate() {
        let sealed = record.seal(&previous);
        let events: Vec<Envelope> =
            (0..at as u64).map(|n| event(&run_id, next_event + n, record.at.0, "more")).collect();
        next_event += events.len() as u64;
        checks.ok(store.append(&lease, &sealed, &events).await, "the next record can be appended");
        previous = sealed.hash;
    }
    let journal = checks.ok(store.journal(&run_id).await, "the journal can be read");
    checks.that(
        journal.len() == 4 && journal[1..] == records[..],
        "the journal is what was appended, in order",
    );
    let tip = checks.ok(store.tip(&run_id).await, "the tip can be read");
    checks.that(tip == JournalTip { seq: 4, hash: previous }, "the tip is the last record");
    let all = checks.ok(store.events(&run_id, 0).await, "the trace can be read");
    checks.that(all.iter().map(|e| e.seq).eq(1..=4), "the trace is whole and in order");
    checks.that(all[0] == event(&run_id, 1, 100, "one"), "an event comes back as it was");
    let later = checks.ok(store.events(&run_id, 2).await, "the trace can be read from a number on");
    checks.that(later.iter().map(|e| e.seq).eq(3..=4), "events after a number are those above it");
    let none = checks.ok(store.events(&run_id, 4).await, "the end of the trace can be read");
    checks.that(none.is_empty(), "there is nothing after the last event");
    let none = checks.ok(store.events(&run_id, u64::MAX).await, "any number can be asked for");
    checks.that(none.is_empty(), "there is nothing after the greatest number");
}

async fn refuses_what_does_not_continue<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, first) = begun(checks, store, "run_order").await;
    let run_id = &lease.run_id;
    let not_next = |error: &StoreFailure| matches!(error, StoreFailure::NotNext { tip: 1, .. });
    let gap = record(3, 110, control("gap")).seal(&first.hash);
    let extra = [event(run_id, 2, 110, "must not stay")];
    checks.refused(
        store.append(&lease, &gap, &extra).await,
        not_next,
        "a record after a hole is NotNext",
    );
    let again = record(1, 110, control("again")).seal(GENESIS);
    checks.refused(
        store.append(&lease, &again, &extra).await,
        not_next,
        "a record once more is NotNext",
    );
    let unchained = record(2, 110, control("elsewhere")).seal(GENESIS);
    checks.refused(
        store.append(&lease, &unchained, &extra).await,
        not_next,
        "a record of another chain is NotNext",
    );
    let journal = checks.ok(store.journal(run_id).await, "the journal is readable after refusals");
    checks.that(journal.len() == 1, "a refused record leaves nothing");
    let events = checks.ok(store.events(run_id, 0).await, "the trace is readable after refusals");
    checks.that(events.len() == 1, "the events of a refused record leave nothing");
    let second = record(2, 110, control("two")).seal(&first.hash);
    checks.ok(
        store.append(&lease, &second, &extra).await,
        "the right record is taken after refusals",
    );
    let doubled = store.append(&lease, &second, &extra).await;
    checks.refused(
        doubled,
        |error| matches!(error, StoreFailure::NotNext { seq: 2, tip: 2, .. }),
        "a write that is tried again does not double",
    );
    let other = run("run_wrong_first");
    let wrong = record(2, 100, opened(&other, "?")).seal(GENESIS);
    checks.refused(
        store.create(&other, "?", &wrong, &[], "a", LEASE_MS).await,
        |error| matches!(error, StoreFailure::NotNext { tip: 0, .. }),
        "a run begins with record 1",
    );
    checks.refused(
        store.tip(&other).await,
        |error| matches!(error, StoreFailure::UnknownRun(_)),
        "a refused run leaves nothing",
    );
}

async fn leases<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, _) = begun(checks, store, "run_lease").await;
    let run_id = lease.run_id.clone();
    let renewed = checks
        .ok(store.lease(&run_id, "a", Timestamp(500), LEASE_MS).await, "the holder can renew");
    checks.that(renewed.token == lease.token, "renewing keeps the token");
    checks.that(renewed.expires_at == Timestamp(1_500), "renewing moves the end");
    checks.refused(
        store.lease(&run_id, "b", Timestamp(1_499), LEASE_MS).await,
        |error| {
            matches!(error, StoreFailure::Leased { holder, expires_at_ms: 1_500, .. } if holder == "a")
        },
        "a lease that runs cannot be taken, and its holder is named",
    );
    let late = checks.ok(
        store.lease(&run_id, "a", Timestamp(9_000), LEASE_MS).await,
        "the holder can renew late",
    );
    checks.that(late.token == lease.token, "renewing late keeps the token when nobody took it");
    let taken = checks.ok(
        store.lease(&run_id, "b", Timestamp(10_000), LEASE_MS).await,
        "an expired lease is free",
    );
    checks.that(
        taken.token > lease.token && taken.holder == "b",
        "the token grows when the holder changes",
    );
    checks.refused(
        store.lease(&run_id, "a", Timestamp(10_001), LEASE_MS).await,
        |error| matches!(error, StoreFailure::Leased { .. }),
        "the old holder has to wait like anybody",
    );
    checks.ok(store.release(&late).await, "giving back a lost lease is no error");
    checks.refused(
        store.lease(&run_id, "a", Timestamp(10_002), LEASE_MS).await,
        |error| matches!(error, StoreFailure::Leased { .. }),
        "giving back a lost lease does not free the new one",
    );
    checks.ok(store.release(&taken).await, "a lease can be given back");
    let back = checks.ok(
        store.lease(&run_id, "a", Timestamp(10_003), LEASE_MS).await,
        "a lease given back is free",
    );
    checks.that(back.token > taken.token, "the token grows after a release");
    checks.ok(store.release(&back).await, "a lease can be given back");
    checks.ok(store.release(&back).await, "giving back twice is no error");
}

async fn stale_leases_cannot_write<S: Store>(checks: &mut Checks, store: &S) {
    let (old, first) = begun(checks, store, "run_fence").await;
    let run_id = old.run_id.clone();
    let lost = |error: &StoreFailure| matches!(error, StoreFailure::LeaseLost(_));
    let second = record(2, 9_000, control("late, but nobody came")).seal(&first.hash);
    checks.ok(
        store.append(&old, &second, &[]).await,
        "an expired lease that nobody took still writes",
    );
    let new = checks.ok(
        store.lease(&run_id, "b", Timestamp(9_500), LEASE_MS).await,
        "an expired lease is free",
    );
    let third = record(3, 9_600, control("three")).seal(&second.hash);
    checks.refused(store.append(&old, &third, &[]).await, lost, "an old token is fenced off");
    let forged = Lease { token: new.token, ..old.clone() };
    checks.refused(store.append(&forged, &third, &[]).await, lost, "another holder is fenced off");
    let early = Lease { token: new.token + 1, ..new.clone() };
    checks.refused(
        store.append(&early, &third, &[]).await,
        lost,
        "a token that was never given is fenced off",
    );
    checks.ok(
        store.append(&new, &third, &[event(&run_id, 2, 9_600, "two")]).await,
        "the new holder writes",
    );
    checks.ok(store.release(&new).await, "a lease can be given back");
    let fourth = record(4, 9_700, control("four")).seal(&third.hash);
    checks.refused(
        store.append(&new, &fourth, &[]).await,
        lost,
        "a lease given back writes nothing",
    );
    let journal = checks.ok(store.journal(&run_id).await, "the journal is readable");
    checks.that(journal.len() == 3, "fenced writes leave nothing");
}

async fn unknown_and_existing<S: Store>(checks: &mut Checks, store: &S) {
    let nobody = run("run_nobody");
    let unknown = |error: &StoreFailure| matches!(error, StoreFailure::UnknownRun(_));
    checks.refused(store.journal(&nobody).await, unknown, "no journal of an unknown run");
    checks.refused(store.tip(&nobody).await, unknown, "no tip of an unknown run");
    checks.refused(store.events(&nobody, 0).await, unknown, "no trace of an unknown run");
    checks.refused(
        store.lease(&nobody, "a", Timestamp(1), 1).await,
        unknown,
        "no lease of an unknown run",
    );
    checks.refused(
        store.delete(&nobody, Timestamp(1)).await,
        unknown,
        "no deleting of an unknown run",
    );
    let lease = Lease {
        run_id: nobody.clone(),
        holder: "a".to_owned(),
        token: 1,
        expires_at: Timestamp(9),
    };
    let second = record(2, 1, control("?")).seal(GENESIS);
    checks.refused(
        store.append(&lease, &second, &[]).await,
        unknown,
        "no append to an unknown run",
    );
    checks.ok(store.release(&lease).await, "giving back the lease of an unknown run is no error");
    let none = checks.ok(store.runs().await, "an empty store can be listed");
    checks.that(none.is_empty(), "an empty store holds no run");
    checks.refused(store.run(&nobody).await, unknown, "an unknown run cannot be looked at");
    let (held, first) = begun(checks, store, "run_once").await;
    checks.refused(
        store.create(&held.run_id, "other", &first, &[], "b", LEASE_MS).await,
        |error| matches!(error, StoreFailure::RunExists(_)),
        "a run is created once",
    );
    let runs = checks.ok(store.runs().await, "the store can be listed");
    checks.that(runs.len() == 1 && runs[0].question == "why?", "a refused run changes nothing");
}

async fn deletes<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, first) = begun(checks, store, "run_gone").await;
    let (_, _) = begun(checks, store, "run_stays").await;
    let run_id = lease.run_id.clone();
    checks.refused(
        store.delete(&run_id, Timestamp(1_099)).await,
        |error| matches!(error, StoreFailure::Leased { .. }),
        "a run that is driven is not deleted",
    );
    checks
        .ok(store.delete(&run_id, Timestamp(1_100)).await, "a run whose lease ran out is deleted");
    let unknown = |error: &StoreFailure| matches!(error, StoreFailure::UnknownRun(_));
    checks.refused(store.journal(&run_id).await, unknown, "its journal is gone");
    checks.refused(store.events(&run_id, 0).await, unknown, "its trace is gone");
    let second = record(2, 1_200, control("late")).seal(&first.hash);
    checks.refused(
        store.append(&lease, &second, &[]).await,
        |error| matches!(error, StoreFailure::UnknownRun(_) | StoreFailure::LeaseLost(_)),
        "nothing is written to a deleted run",
    );
    let runs = checks.ok(store.runs().await, "the store can be listed");
    checks.that(runs.len() == 1 && runs[0].run_id == run("run_stays"), "other runs stay");
    let (again, _) = begun(checks, store, "run_gone").await;
    checks.ok(store.release(&again).await, "a lease can be given back");
    checks.ok(
        store.delete(&run_id, Timestamp(101)).await,
        "a run whose lease was given back is deleted",
    );
}

async fn lists<S: Store>(checks: &mut Checks, store: &S) {
    for (id, at) in [("run_b", 200), ("run_c", 300), ("run_a", 200)] {
        let run_id = run(id);
        let first = record(1, at, opened(&run_id, id)).seal(GENESIS);
        let made =
            store.create(&run_id, id, &first, &[event(&run_id, 1, at, "x")], "h", LEASE_MS).await;
        let lease = checks.ok(made, "a run can be created");
        let ended = match id {
            "run_b" => "interrupted",
            "run_c" => "failed",
            _ => "answered",
        };
        let mut second = record(2, at + 50, control("end")).seal(&first.hash);
        second.ended = Some(ended.to_owned());
        let events = [event(&run_id, 2, at + 50, "y"), event(&run_id, 3, at + 50, "z")];
        checks.ok(store.append(&lease, &second, &events).await, "the next record can be appended");
    }
    let (lease, _) = begun(checks, store, "run_d").await;
    let runs = checks.ok(store.runs().await, "the store can be listed");
    for listed in &runs {
        let one = checks.ok(store.run(&listed.run_id).await, "one run can be looked at");
        checks.that(one == *listed, "a run that is looked at is as it is listed");
    }
    let ids: Vec<&str> = runs.iter().map(|run| run.run_id.as_str()).collect();
    checks.that(ids == ["run_c", "run_a", "run_b", "run_d"], "newest start first, ties by id");
    let statuses: Vec<&str> = runs.iter().map(|run| run.status.as_str()).collect();
    checks.that(
        statuses == ["failed", "finished", "interrupted", "running"],
        "the status follows the end",
    );
    checks.that(runs[1].stop_reason.as_deref() == Some("answered"), "the reason is listed");
    checks.that(runs[3].stop_reason.is_none(), "a run under way has no reason");
    checks.ok(store.release(&lease).await, "a lease can be given back");
    let runs = checks.ok(store.runs().await, "the store can be listed");
    checks.that(runs[3].status == "stopped", "a run that nobody drives is stopped");
    checks.that(runs[1].started_at == Timestamp(200), "the start is that of the first record");
    checks.that(runs[1].updated_at == Timestamp(250), "the last change is that of the last record");
    checks.that(runs[1].records == 2 && runs[1].events == 3, "records and events are counted");
}

async fn keeps_remarks<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, _) = begun(checks, store, "run_a").await;
    begun(checks, store, "run_b").await;
    let (a, b) = (run("run_a"), run("run_b"));
    let said = |run: &RunId, about, target: &str, actor: &str, word, at| {
        Remark::new(run, about, target, actor, word, Timestamp(at))
    };
    let first = said(&a, Matter::Insight, "i1", "ann", Some("useful"), 200).noting("it's \u{e4} %");
    let other = said(&a, Matter::Insight, "i1", "ben", Some("saved"), 150);
    let basis = Remark {
        basis: Some("{\"claim\":\"x\"}".to_owned()),
        ..said(&b, Matter::Claim, "c1", "ann", Some("wrong"), 250)
    };
    let out = Remark::export(&a, "md", "ann", Timestamp(300));
    for remark in [&first, &other, &basis, &out] {
        checks.ok(store.remark(remark).await, "a remark is kept");
    }
    let all = checks.ok(store.remarks(None).await, "all remarks can be read");
    let expected = [other.clone(), first.clone(), basis.clone(), out.clone()];
    checks.that(all == expected, "remarks come back as they were, in the order of time");
    let of_b = checks.ok(store.remarks(Some(&b)).await, "remarks of a run can be read");
    checks.that(of_b == [basis], "remarks of a run are its own");
    let last = said(&a, Matter::Insight, "i1", "ann", Some("not-useful"), 400);
    checks.ok(store.remark(&last).await, "an actor may say something else");
    let held = holding(checks.ok(store.remarks(Some(&a)).await, "remarks can be read again"));
    checks.that(
        word(&held, &a, Matter::Insight, "i1") == Some("not-useful") && held.len() == 3,
        "the last word of an actor stands in the place of the one before",
    );
    let back = said(&a, Matter::Insight, "i1", "ann", None, 500);
    checks.ok(store.remark(&back).await, "a word can be taken back");
    let kept = checks.ok(store.remarks(Some(&a)).await, "remarks can be read then");
    checks.that(kept.contains(&back) && !kept.contains(&last), "that it was taken back is kept");
    checks.that(
        word(&holding(kept), &a, Matter::Insight, "i1") == Some("saved"),
        "the word of another stands",
    );
    let nobody = run("run_nobody");
    checks.refused(
        store.remark(&said(&nobody, Matter::Answer, "", "ann", Some("useful"), 1)).await,
        |error| *error == StoreFailure::UnknownRun(nobody.clone()),
        "nothing is kept of a run that is not there",
    );
    let none = checks.ok(store.remarks(Some(&nobody)).await, "an unknown run can be asked for");
    checks.that(none.is_empty(), "a run that is not there has no remarks");
    checks.ok(store.release(&lease).await, "a lease can be given back");
    checks.ok(store.delete(&a, Timestamp(600)).await, "a run with remarks can be deleted");
    let left = checks.ok(store.remarks(None).await, "remarks can be read after that");
    checks.that(left.iter().all(|one| one.run_id == b), "remarks go with their run");
}

async fn tells_what_is_cited<S: Store>(checks: &mut Checks, store: &S) {
    let world = World::new("harbour")
        .document("tides.md", "# Tides\n\nThe harbour tide can rise 4 metres far into spring.");
    let question = "How far does the harbour tide rise in spring?";
    let driven = drive(&world, question, Options { autonomous: true, ..Options::default() });
    let answers = driven.trace.iter().rev().find_map(|one| match &one.event {
        TraceEvent::AnswerCompleted { answer, .. } => Some(answer.sources.clone()),
        _ => None,
    });
    let expected = answers.unwrap_or_default();
    checks.that(!expected.is_empty(), "the suite's run cites something");
    for (id, at) in [("run_old", 100), ("run_new", 200)] {
        let run_id = run(id);
        let first = record(1, at, opened(&run_id, question)).seal(GENESIS);
        let events: Vec<Envelope> = driven
            .trace
            .iter()
            .map(|one| Envelope { run_id: run_id.clone(), ..one.clone() })
            .collect();
        let made = store.create(&run_id, question, &first, &events, "h", LEASE_MS).await;
        checks.ok(made, "a run can be created");
    }
    begun(checks, store, "run_open").await;
    let all = checks.ok(store.cited(10).await, "what was cited can be listed");
    let of = |id: &str| -> Vec<Citation> {
        all.iter().filter(|one| one.run_id == run(id)).map(|one| one.citation.clone()).collect()
    };
    checks.that(
        of("run_new") == expected && of("run_old") == expected,
        "citations come as they were",
    );
    checks.that(
        all.len() == 2 * expected.len() && all[0].run_id == run("run_new"),
        "runs stand in the order of listings",
    );
    checks.that(all[0].question == question, "with what was asked");
    let newest = checks.ok(store.cited(1).await, "the newest can be asked for alone");
    checks
        .that(newest.iter().all(|one| one.run_id == run("run_new")), "no more runs are looked at");
}

async fn pages<S: Store>(checks: &mut Checks, store: &S) {
    for (id, at) in [("run_b", 200), ("run_c", 300), ("run_a", 200), ("run_e", 100)] {
        let run_id = run(id);
        let question = format!("\u{c4}pfel {id} 50%?");
        let first = record(1, at, opened(&run_id, &question)).seal(GENESIS);
        let events = [event(&run_id, 1, at, "x")];
        let made = store.create(&run_id, &question, &first, &events, "h", LEASE_MS).await;
        let lease = checks.ok(made, "a run can be created");
        if id == "run_a" || id == "run_c" {
            let mut second = record(2, at, control("end")).seal(&first.hash);
            second.ended = Some(if id == "run_a" { "answered" } else { "failed" }.to_owned());
            checks.ok(store.append(&lease, &second, &[]).await, "a run can end");
        }
    }
    let ids = |page: &RunPage| -> Vec<String> {
        page.runs.iter().map(|run| run.run_id.to_string()).collect()
    };
    let all = RunQuery::all(Timestamp(200 + LEASE_MS));
    let whole = checks.ok(store.page(&all).await, "all runs can be asked for");
    checks.that(ids(&whole) == ["run_c", "run_a", "run_b", "run_e"], "pages have one order");
    checks.that(whole.total == 4, "runs are counted");
    let statuses: Vec<&str> = whole.runs.iter().map(|run| run.status.as_str()).collect();
    checks.that(
        statuses == ["failed", "finished", "stopped", "stopped"],
        "a run whose lease ran out is stopped",
    );
    let early = RunQuery { now: Timestamp(199 + LEASE_MS), ..all.clone() };
    for (query, status, found) in [
        (&all, "stopped", &["run_b", "run_e"][..]),
        (&all, "running", &[]),
        (&early, "running", &["run_b"]),
        (&early, "stopped", &["run_e"]),
        (&all, "finished", &["run_a"]),
        (&all, "failed", &["run_c"]),
        (&all, "interrupted", &[]),
        (&all, "' OR 1=1 --", &[]),
    ] {
        let query = RunQuery { status: Some(status.to_owned()), ..query.clone() };
        let page = checks.ok(store.page(&query).await, "runs of a status can be asked for");
        checks.that(ids(&page) == found && page.total == found.len() as u64, "a status is kept to");
    }
    // Page by page everything comes once, whatever the length of a page.
    for words in [&[][..], &["\u{e4}PFEL", "50%"]] {
        for limit in 1..=5 {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            let mut query = RunQuery { words, limit, ..all.clone() };
            let mut seen = Vec::new();
            loop {
                let page = checks.ok(store.page(&query).await, "a page can be asked for");
                checks.that(page.runs.len() <= limit, "a page has its length at most");
                checks.that(page.total == 4, "a page tells of all");
                seen.extend(ids(&page));
                let Some(last) = page.runs.last() else { break };
                query.after = Some((last.started_at, last.run_id.clone()));
            }
            checks.that(seen == ids(&whole), "pages leave nothing out and give nothing twice");
        }
        // By its number a page is the same part of the whole, whatever place it begins behind.
        for after in [None, Some((Timestamp(0), run("run_0")))]
            .into_iter()
            .chain(whole.runs.iter().map(|one| Some((one.started_at, one.run_id.clone()))))
        {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            let from = RunQuery { words, after, ..all.clone() };
            let rest = ids(&checks.ok(store.page(&from).await, "a page can be asked for"));
            for skip in [0, 1, 2, 3, 4, 5, 1_000_000] {
                let query = RunQuery { skip, limit: 2, ..from.clone() };
                let page = checks.ok(store.page(&query).await, "runs can be passed over");
                let wanted: Vec<String> = rest.iter().skip(skip).take(2).cloned().collect();
                checks.that(ids(&page) == wanted, "as many are passed over as was asked");
                checks.that(page.total == 4, "what is passed over is counted");
            }
        }
    }
    let some = RunQuery { except: vec![run("run_a"), run("run_'")], ..all.clone() };
    let page = checks.ok(store.page(&some).await, "runs can be left out");
    checks.that(ids(&page) == ["run_c", "run_b", "run_e"] && page.total == 3, "they are left out");
    let none = RunQuery { words: vec!["pears".to_owned()], ..all };
    let page = checks.ok(store.page(&none).await, "words can be asked for");
    checks.that(page == RunPage::default(), "a question without the word is not meant");
}

async fn keys_begin_one_run<S: Store>(checks: &mut Checks, store: &S) {
    let claim = |request: &str, id: &str| Claim { request: request.to_owned(), run_id: run(id) };
    let (first, second) = (claim("a", "run_1"), claim("b", "run_2"));
    let now = Timestamp(1_000);
    let noted = checks.ok(store.claim_key("k", &first, None, now).await, "a key can be claimed");
    checks.that(noted == first, "the first claim counts");
    let noted = checks.ok(store.claim_key("k", &second, None, now).await, "a key can be asked for");
    checks.that(noted == first, "a second claim gives the first");
    let noted = checks.ok(store.claim_key("l", &second, None, now).await, "a key can be claimed");
    checks.that(noted == second, "another key is another claim");
    let instead = store.claim_key("k", &second, Some(&run("run_9")), now).await;
    let noted = checks.ok(instead, "a claim may replace another");
    checks.that(noted == first, "a claim for another run is not replaced");
    let instead = store.claim_key("k", &second, Some(&run("run_1")), now).await;
    let noted = checks.ok(instead, "a claim may replace another");
    checks.that(noted == second, "a claim that is named is replaced");
    checks.ok(store.free_key("k", &run("run_1")).await, "a key can be given back");
    let noted = checks.ok(store.claim_key("k", &first, None, now).await, "a key can be asked for");
    checks.that(noted == second, "a key is given back only by the run that it is for");
    checks.ok(store.free_key("k", &run("run_2")).await, "a key can be given back");
    let noted = checks.ok(store.claim_key("k", &first, None, now).await, "a key can be claimed");
    checks.that(noted == first, "a key that was given back is free");
    let late = Timestamp(now.0 + KEYS_KEPT_MS);
    let noted = checks.ok(store.claim_key("k", &second, None, late).await, "a key can be claimed");
    checks.that(noted == second, "a key is forgotten after its time");
    let (lease, _) = begun(checks, store, "run_2").await;
    checks.ok(store.release(&lease).await, "a lease can be given back");
    checks.ok(store.delete(&lease.run_id, late).await, "a run can be deleted");
    let noted = checks.ok(store.claim_key("k", &first, None, late).await, "a key can be claimed");
    checks.that(noted == first, "the keys of a run go with it");
}

/// What was left for a run and is not taken.
async fn left<S: Store>(checks: &mut Checks, store: &S, run_id: &RunId) -> Vec<LeftControl> {
    checks.ok(store.left_controls(run_id).await, "what was left can be read")
}

async fn controls_are_left<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, first) = begun(checks, store, "run_told").await;
    let (other, _) = begun(checks, store, "run_beside").await;
    let run_id = lease.run_id.clone();
    let found = left(checks, store, &run_id).await;
    checks.that(found.is_empty(), "nothing is left at first");
    let nobody = run("run_nobody");
    checks.refused(
        store.leave_control(&nobody, "{}", "b", Timestamp(150)).await,
        |error| matches!(error, StoreFailure::UnknownRun(_)),
        "nothing is left for an unknown run",
    );
    let found = left(checks, store, &nobody).await;
    checks.that(found.is_empty(), "nor anything to be read of it");
    let odd = "{\"a\":\"\u{e4} ' \u{1F600} \u{FDD0}0\u{FDD0}1 \\\\ \\n\"}";
    let mut numbers = Vec::new();
    for (json, by, at) in [("1", "b", 150), (odd, "c ' \u{1F600}", 149), ("3", "b", 151)] {
        let number = store.leave_control(&run_id, json, by, Timestamp(at)).await;
        numbers.push(checks.ok(number, "a control can be left"));
    }
    checks.ok(
        store.leave_control(&other.run_id, "9", "b", Timestamp(150)).await,
        "a control can be left for another run",
    );
    checks.that(numbers[0] < numbers[1] && numbers[1] < numbers[2], "the numbers grow");
    let all = left(checks, store, &run_id).await;
    let wanted = [("1", "b", 150), (odd, "c ' \u{1F600}", 149), ("3", "b", 151)];
    checks.that(
        all.iter().zip(&numbers).all(|(one, number)| one.number == *number)
            && all.iter().map(|one| (one.json.as_str(), one.by.as_str(), one.at.0)).eq(wanted),
        "what is left comes back as it was, in its order, and of the run alone",
    );
    // A record takes one, and another process sees the same.
    let mut second = record(2, 160, control("one")).seal(&first.hash);
    second.takes = Some(numbers[0]);
    checks.ok(store.append(&lease, &second, &[]).await, "a record may take a control");
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[1..], "it is taken with the record");
    checks.refused(
        store.append(&lease, &second, &[]).await,
        |error| matches!(error, StoreFailure::NotNext { .. }),
        "a record that took a control is written once",
    );
    let mut wrong = record(3, 161, control("two")).seal(&first.hash);
    wrong.takes = Some(numbers[1]);
    checks.refused(
        store.append(&lease, &wrong, &[]).await,
        |error| matches!(error, StoreFailure::NotNext { .. }),
        "a record that does not continue is refused",
    );
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[1..], "what is refused takes nothing");
    // Whoever drives the run next hears the rest.
    let expired = Timestamp(100 + LEASE_MS);
    let not_driven = |error: &StoreFailure| matches!(error, StoreFailure::NotDriven(_));
    checks.refused(
        store.leave_control(&run_id, "4", "b", expired).await,
        not_driven,
        "nothing is left where the lease has run out",
    );
    let next = store.lease(&run_id, "d", expired, LEASE_MS).await;
    let next = checks.ok(next, "an expired lease is free");
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[1..], "a new holder finds what was left");
    let mut third = record(3, 1_200, control("two")).seal(&second.hash);
    third.takes = Some(numbers[1]);
    checks.refused(
        store.append(&lease, &third, &[]).await,
        |error| matches!(error, StoreFailure::LeaseLost(_)),
        "who lost the lease takes nothing",
    );
    checks.ok(store.append(&next, &third, &[]).await, "the new holder takes it");
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[2..], "each is taken once");
    checks.ok(store.release(&next).await, "a lease can be given back");
    checks.refused(
        store.leave_control(&run_id, "4", "b", Timestamp(1_201)).await,
        not_driven,
        "nothing is left where the lease was given back",
    );
    let durable = format!("{DURABLE}{run_id}");
    let theirs = store.lease(&run_id, &durable, Timestamp(1_202), LEASE_MS).await;
    let theirs = checks.ok(theirs, "a lease that was given back is free");
    checks.refused(
        store.leave_control(&run_id, "4", "b", Timestamp(1_203)).await,
        not_driven,
        "nothing is left for what a durable engine drives",
    );
    checks.ok(store.release(&theirs).await, "a lease can be given back");
    // The end of a run, and its deletion, leave nothing.
    let last = store.lease(&run_id, "e", Timestamp(1_204), LEASE_MS).await;
    let last = checks.ok(last, "a lease that was given back is free");
    let later = store.leave_control(&run_id, "5", "b", Timestamp(1_205)).await;
    let later = checks.ok(later, "a control can be left again");
    checks.that(later > numbers[2], "the numbers go on growing");
    let mut end = record(4, 1_206, control("end")).seal(&third.hash);
    end.takes = Some(numbers[2]);
    end.ended = Some("interrupted".to_owned());
    checks.ok(store.append(&last, &end, &[]).await, "a control may end a run");
    let found = left(checks, store, &run_id).await;
    checks.that(found.is_empty(), "the end leaves nothing");
    checks.refused(
        store.leave_control(&run_id, "6", "b", Timestamp(1_207)).await,
        not_driven,
        "nothing is left for a run that is over",
    );
    let found = left(checks, store, &other.run_id).await;
    checks.that(found.len() == 1, "other runs keep theirs");
    checks.ok(store.release(&other).await, "a lease can be given back");
    checks.ok(store.delete(&other.run_id, Timestamp(1_208)).await, "a run can be deleted");
    let (again, _) = begun(checks, store, "run_beside").await;
    let found = left(checks, store, &again.run_id).await;
    checks.that(found.is_empty(), "a deletion leaves nothing");
}

async fn holds_anything<S: Store>(checks: &mut Checks, store: &S) {
    let question = "Ἔλεγχος? 反駁 \u{1F600} \u{202E}\u{0}' OR 1=1; --\n\t\"quoted\" \\ back";
    let run_id = run("run_Ünïcode 'x' %");
    let first = record(1, 1, opened(&run_id, question)).seal(GENESIS);
    let events = [event(&run_id, 1, 1, question)];
    let made = store.create(&run_id, question, &first, &events, "h ' \u{1F600}", LEASE_MS).await;
    let lease = checks.ok(made, "any text can be kept");
    checks.that(lease.holder == "h ' \u{1F600}", "any holder can be named");
    let big = "ä€\u{1F600}\"\\\n".repeat(100_000);
    checks.that(big.len() > 1_000_000, "the big record is big");
    let second = record(2, 2, control(&big)).seal(&first.hash);
    let long = [event(&run_id, 2, 2, &big)];
    checks.ok(
        store.append(&lease, &second, &long).await,
        "a record of more than 1 MB can be appended",
    );
    let journal = checks.ok(store.journal(&run_id).await, "a big journal can be read");
    checks.that(
        journal == [record(1, 1, opened(&run_id, question)), record(2, 2, control(&big))],
        "big and odd records come back as they were",
    );
    let trace = checks.ok(store.events(&run_id, 0).await, "a big trace can be read");
    checks.that(
        trace == [events[0].clone(), long[0].clone()],
        "big and odd events come back as they were",
    );
    let runs = checks.ok(store.runs().await, "the store can be listed");
    checks.that(
        runs[0].question == question && runs[0].run_id == run_id,
        "any question is listed as it was",
    );
    let mut previous = second.hash;
    for seq in 3..=302 {
        let sealed = record(seq, 3, control("many")).seal(&previous);
        checks.ok(store.append(&lease, &sealed, &[]).await, "many records can be appended");
        previous = sealed.hash;
    }
    let journal = checks.ok(store.journal(&run_id).await, "a long journal can be read");
    checks.that(journal.len() == 302, "a long journal is whole");
}
