//! The contract of the [`Store`] port, as checks that every adapter passes.

mod controls;
mod listings;
mod remarks;

use crate::id::{RunId, Timestamp};
use crate::inquiry::{Control, Input, Opened, Options, Recollection};
use crate::journal::{Entry, FORMAT, GENESIS, Intent, JournalRecord, SealedRecord};
use crate::port::{Claim, CorpusOverview, JournalTip, KEYS_KEPT_MS, Lease, Store, StoreFailure};
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
    listings::lists(&mut checks, &make()).await;
    listings::pages(&mut checks, &make()).await;
    keys_begin_one_run(&mut checks, &make()).await;
    controls::controls_are_left(&mut checks, &make()).await;
    remarks::keeps_remarks(&mut checks, &make()).await;
    listings::tells_what_is_cited(&mut checks, &make()).await;
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
        .ok(store.renew(&lease, Timestamp(400), LEASE_MS).await, "a lease that is held is renewed");
    checks.that(
        renewed == Lease { expires_at: Timestamp(1_400), ..lease.clone() },
        "renewing moves the end alone",
    );
    let overtaken = checks.ok(
        store.renew(&lease, Timestamp(100), LEASE_MS).await,
        "a renewal that comes after a later one is none the less one",
    );
    checks.that(overtaken == renewed, "it takes nothing from the lease");
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
    checks.refused(
        store.renew(&late, Timestamp(10_002), LEASE_MS).await,
        |error| matches!(error, StoreFailure::LeaseLost(_)),
        "a lease that another took is not renewed",
    );
    checks.ok(store.release(&taken).await, "a lease can be given back");
    checks.refused(
        store.renew(&taken, Timestamp(10_002), LEASE_MS).await,
        |error| matches!(error, StoreFailure::LeaseLost(_)),
        "a lease that was given back is not renewed",
    );
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
