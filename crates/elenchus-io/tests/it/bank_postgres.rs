//! The bank on real PostgreSQL servers: the contract, the same answers as the file whatever is done, tenants apart, and many
//! who write at once.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::bank_apart::{Draws, block_on, sequences, settings};
use elenchus_core::bank::{
    BankSettings, Caller, Draft, Origin, Outcome, Scope, SignalKind, Standing,
};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{Bank, BankFailure, Edit, Failed, Listing, Queued, Recall, SignalGiven};
use elenchus_core::testkit::bank_suite;
use elenchus_io::bank::{PgBank, SqliteBank};
use elenchus_io::pg::testkit::{run, schema, servers};
use elenchus_io::retrieve::builtin_vectors;
use elenchus_io::vector_index::PgIndex;
use std::fmt::Debug;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

const DAY: i64 = 86_400_000;

pub(crate) fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn on(runtime: &Runtime, url: &str, settings: BankSettings) -> PgBank {
    runtime.block_on(PgBank::open(url, settings, Some(builtin_vectors()), None)).unwrap()
}

fn own(runtime: &Runtime, server: &str) -> String {
    runtime.block_on(schema(server)).unwrap()
}

fn plain() -> BankSettings {
    BankSettings { exploration: 0.0, ..BankSettings::default() }
}

#[test]
fn the_bank_on_postgres_keeps_the_contract() {
    let runtime = runtime();
    for server in servers("the_bank_on_postgres_keeps_the_contract") {
        block_on(bank_suite("postgres", || on(&runtime, &own(&runtime, &server), plain())));
    }
}

/// A bank whose vectors the server compares, and none of which are held in memory.
fn lean(runtime: &Runtime, url: &str, settings: BankSettings) -> PgBank {
    let vectors = builtin_vectors();
    let index = PgIndex::new(url, vectors.id(), vectors.dimensions()).unwrap();
    let told = Arc::new(|_: &str| {});
    on(runtime, url, settings).with_own_index(Arc::new(index), told)
}

#[test]
fn the_bank_with_the_vectors_on_postgres_keeps_the_contract() {
    let runtime = runtime();
    // The index is asked on the thread that asks the bank.
    let _entered = runtime.enter();
    let test = "the_bank_with_the_vectors_on_postgres_keeps_the_contract";
    for server in servers(test) {
        block_on(bank_suite("postgres, own index", || {
            lean(&runtime, &own(&runtime, &server), plain())
        }));
    }
}

/// The same order, whether the vectors are compared in memory or by the server; also of what was recorded before there was
/// an index.
#[test]
fn vectors_on_postgres_give_the_order_of_those_in_memory() {
    let runtime = runtime();
    // The index is asked on the thread that asks the bank.
    let _entered = runtime.enter();
    for server in servers("vectors_on_postgres_give_the_order_of_those_in_memory") {
        // What is shown is noted, so that each has a store of its own.
        let (url, other) = (own(&runtime, &server), own(&runtime, &server));
        let mut draws = Draws(77);
        let ann = Caller { tenant: "t".to_owned(), ..who("p0", "ann") };
        let (before, filled) = (on(&runtime, &other, plain()), on(&runtime, &url, plain()));
        for _ in 0..150 {
            let draft = Draft { lineage: Vec::new(), ..draft(&mut draws, Vec::new()) };
            for bank in [&before, &filled] {
                block_on(bank.record(&ann, &draft, Timestamp(DAY))).unwrap();
            }
        }
        let after = lean(&runtime, &url, plain());
        for n in 0..40 {
            let recall = Recall {
                query: draws.words(3),
                scope: None,
                outcome: None,
                limit: 8,
                min_confidence: 0.0,
                session_id: String::new(),
                for_prompt: n % 2 == 0,
            };
            let at = Timestamp(2 * DAY);
            let found = |bank: &PgBank| {
                let recalled = block_on(bank.search(&ann, &recall, at)).unwrap();
                let all = recalled.memories.into_iter().chain(recalled.avoid);
                all.map(|held| (held.strategy.id, held.relevance)).collect::<Vec<_>>()
            };
            let (memory, server) = (found(&before), found(&after));
            assert_eq!(memory.len(), server.len(), "{}", recall.query);
            // Bytes in memory and numbers on the server differ in the fourth place, so that close ones may change places.
            let mut common = 0;
            for (id, one) in &memory {
                let Some((_, other)) = server.iter().find(|(other, _)| other == id) else {
                    continue;
                };
                assert!((one - other).abs() < 0.02, "{}: {memory:?} {server:?}", recall.query);
                common += 1;
            }
            assert!(common + 1 >= memory.len(), "{memory:?} {server:?}");
        }
        let vectors = builtin_vectors();
        let index = PgIndex::new(&url, vectors.id(), vectors.dimensions()).unwrap();
        let drift = block_on(after.index_drift(&index)).unwrap();
        assert!(drift.iter().all(|(_, drift)| drift.is_none()), "{drift:?}");
        assert!(drift.iter().map(|(_, drift)| drift.sound).sum::<usize>() > 50, "{drift:?}");
    }
}

/// Three tenants and four projects of different scopes on one server answer as each does alone in a file.
#[test]
fn tenants_on_postgres_share_nothing() {
    let runtime = runtime();
    let named = std::env::var("ELENCHUS_TEST_SEQUENCES").ok().and_then(|n| n.parse().ok());
    for server in servers("tenants_on_postgres_share_nothing") {
        let bank = on(&runtime, &own(&runtime, &server), settings());
        sequences(&bank, named.unwrap_or(170), 12);
    }
}

fn who(project: &str, actor: &str) -> Caller {
    Caller {
        tenant: "t\0'".to_owned(),
        project: project.to_owned(),
        team: Some("team".to_owned()),
        org: None,
        actor: actor.to_owned(),
    }
}

const ODD: [&str; 10] = [
    "it's",
    "\"quoted\"",
    "back\\slash",
    "\\u0000",
    "a\0b",
    "%_?1 $1",
    "🙂 é ß",
    "'; DROP TABLE strategies; --",
    "{\"a\": [1]}",
    "\u{FDD0}0",
];

fn draft(draws: &mut Draws, lineage: Vec<StrategyId>) -> Draft {
    let odd = ODD[draws.below(ODD.len())];
    Draft {
        title: draws.words(2),
        description: format!("{} {odd}", draws.words(2)),
        content: format!("{} {odd}", draws.words(5)),
        outcome: [Outcome::Success, Outcome::Failure][draws.below(2)],
        tags: vec![draws.words(1), odd.to_owned()],
        scope: [Scope::Project, Scope::Team][draws.below(2)],
        origin: [Origin::Explicit, Origin::Distilled][draws.below(2)],
        source_session: Some(format!("run_{}", draws.below(3))),
        lineage,
        from_web: draws.below(6) == 0,
    }
}

/// Whose numbers have no meaning is compared without them: a server counts on where a file does not.
fn unnumbered(mut taken: Vec<Queued>) -> Vec<Queued> {
    for one in &mut taken {
        one.id = 0;
    }
    taken
}

/// Does what the draws say to a bank and tells what came of it. The same draws do the same to every bank that answers the
/// same.
fn deed<B: Bank>(
    bank: &B,
    known: &mut Vec<StrategyId>,
    taken: &mut Vec<Queued>,
    now: Timestamp,
    draws: &mut Draws,
) -> String {
    fn told<T: Debug>(of: &str, result: Result<T, BankFailure>) -> String {
        format!("{of}: {result:?}")
    }
    let caller = who(&format!("p{}", draws.below(2)), ["ann", "agent:x"][draws.below(2)]);
    let id = match known.len() {
        0 => StrategyId("mem_000000000000".to_owned()),
        n => known[draws.below(n)].clone(),
    };
    match draws.below(13) {
        0..=2 => {
            let lineage = if draws.below(3) == 0 { vec![id] } else { Vec::new() };
            let draft = draft(draws, lineage);
            let done = block_on(bank.record(&caller, &draft, now));
            if let Ok(done) = &done {
                known.push(done.held.strategy.id.clone());
            }
            told("record", done)
        }
        3 | 4 => {
            let recall = Recall {
                query: draws.words(2),
                scope: None,
                outcome: None,
                limit: 1 + draws.below(6),
                min_confidence: [0.0, 0.6][draws.below(2)],
                session_id: format!("run_{} {}", draws.below(4), ODD[draws.below(ODD.len())]),
                for_prompt: draws.below(2) == 0,
            };
            told("search", block_on(bank.search(&caller, &recall, now)))
        }
        5 | 6 => {
            let given = SignalGiven {
                memory_id: id,
                kind: [SignalKind::Explicit, SignalKind::Outcome, SignalKind::Used][draws.below(3)],
                positive: draws.below(3) > 0,
                session_id: format!("run_{}", draws.below(9)),
                search_id: None,
                comment: Some(ODD[draws.below(ODD.len())].to_owned()),
                share: 1.0 / (1 + draws.below(3)) as f64,
            };
            told("signal", block_on(bank.signal(&caller, &given, now)))
        }
        7 => {
            let listing = Listing {
                scope: [None, Some(Scope::Team)][draws.below(2)],
                outcome: [None, Some(Outcome::Failure)][draws.below(2)],
                tag: [None, Some(ODD[draws.below(ODD.len())].to_owned())][draws.below(2)].clone(),
                archived: draws.below(2) == 0,
                limit: draws.below(5),
                offset: draws.below(3),
            };
            told("list", block_on(bank.list(&caller, &listing, now)))
                + &told("stats", block_on(bank.stats(&caller, now)))
        }
        8 => {
            let reason = ODD[draws.below(ODD.len())].to_owned();
            let edit = Edit {
                content: [None, Some(draws.words(4))][draws.below(2)].clone(),
                standing: [None, Some(Standing::Quarantined { reason })][draws.below(2)].clone(),
                ..Edit::default()
            };
            told("edit", block_on(bank.edit(&caller, &id, &edit, now)))
                + &told("why", block_on(bank.why(&caller, &id, now)))
        }
        9 => told("tend", block_on(bank.tend(now))),
        10 => {
            let session = Queued {
                id: 0,
                caller: caller.clone(),
                session_id: format!("run_{}", draws.below(6)),
                outcome: [None, Some(Outcome::Success)][draws.below(2)],
                trace: format!("{} {}", draws.words(3), ODD[draws.below(ODD.len())]),
                from_web: draws.below(2) == 0,
                shown: vec![id],
                attempts: 0,
            };
            let queued = told("queue", block_on(bank.queue(&caller, &session, now)));
            let got = block_on(bank.take(None, 1 + draws.below(2), "me", DAY, now)).unwrap();
            taken.extend(got.iter().cloned());
            format!("{queued} {:?}", unnumbered(got))
        }
        11 => {
            let Some(session) = taken.pop() else { return String::new() };
            let drafts = [draft(draws, vec![id])];
            let failed = Failed { cause: "it \0 broke".to_owned(), reply: Some("no".to_owned()) };
            let result = if draws.below(2) == 0 { Ok(&drafts[..]) } else { Err(failed) };
            let settled = told("settle", block_on(bank.settle(&session, result, &[], now)));
            let mut given_up = block_on(bank.given_up(&caller)).unwrap();
            for one in &mut given_up {
                one.session.id = 0;
            }
            format!("{settled} {given_up:?}")
        }
        _ => match draws.below(4) {
            0 => told("delete", block_on(bank.delete(&caller, &id))),
            1 => {
                let to = Timestamp(now.0 - 1 - draws.ms(90 * DAY as usize));
                told("roll back", block_on(bank.roll_back(&caller, to, now)))
            }
            2 => {
                let exported = block_on(bank.export(&caller)).unwrap();
                let other = who(&format!("q{}", draws.below(2)), "ann");
                told("import", block_on(bank.import(&other, &exported, now)))
                    + &told("export", block_on(bank.export(&other)))
            }
            _ => told("get", block_on(bank.get(&caller, &id, now))),
        },
    }
}

/// Operations in all on each server, in sequences; more with `ELENCHUS_TEST_SEQUENCES`.
#[test]
fn whatever_is_done_both_banks_say_the_same() {
    let runtime = runtime();
    let named = std::env::var("ELENCHUS_TEST_SEQUENCES").ok().and_then(|n| n.parse().ok());
    for server in servers("whatever_is_done_both_banks_say_the_same") {
        let url = own(&runtime, &server);
        for sequence in 0..named.unwrap_or(4_u64) {
            let bank = on(&runtime, &url, plain());
            let file = SqliteBank::in_memory(plain()).unwrap();
            runtime
                .block_on(run(
                    &url,
                    "TRUNCATE strategies, bank_changes, project_weights, weights_before, class_priors, \
                     distillation_queue CASCADE",
                ))
                .unwrap();
            let seed = 0x51_7C_C1_B7 ^ (sequence + 1).wrapping_mul(0x2545_F491_4F6C_DD1D);
            let (mut one, mut two) = (Draws(seed), Draws(seed));
            let (mut known, mut known_too) = (Vec::new(), Vec::new());
            let (mut taken, mut taken_too) = (Vec::new(), Vec::new());
            let mut now = 1_700_000_000_000_i64;
            for at in 0..120 {
                now += 1 + one.ms(3 * DAY as usize);
                two.ms(3 * DAY as usize);
                let time = Timestamp(now);
                let in_file = deed(&file, &mut known, &mut taken, time, &mut one);
                let on_server = deed(&bank, &mut known_too, &mut taken_too, time, &mut two);
                assert_eq!(in_file, on_server, "sequence {sequence}, operation {at}");
            }
        }
    }
}

/// Banks with connections of their own, as processes have, write one tenant at once.
#[test]
fn many_who_write_one_tenant_lose_nothing() {
    let runtime = runtime();
    for server in servers("many_who_write_one_tenant_lose_nothing") {
        let url = own(&runtime, &server);
        let banks: Vec<PgBank> = (0..4).map(|_| on(&runtime, &url, plain())).collect();
        let shared = Draft { title: "The same".to_owned(), ..draft(&mut Draws(7), Vec::new()) };
        let first = block_on(banks[0].record(&who("p", "ann"), &shared, Timestamp(1))).unwrap();
        let id = first.held.strategy.id;
        std::thread::scope(|scope| {
            for (at, bank) in banks.iter().enumerate() {
                let id = &id;
                scope.spawn(move || {
                    let caller = who("p", &format!("actor {at}"));
                    let twin =
                        Draft { title: "Twins".to_owned(), ..draft(&mut Draws(9), Vec::new()) };
                    for n in 0..12 {
                        let now = Timestamp(10 + n);
                        let mut draft = draft(&mut Draws(3), Vec::new());
                        draft.content = format!("number {n} of {at}");
                        block_on(bank.record(&caller, &draft, now)).unwrap();
                        let twin = Draft { content: format!("of all {n}"), ..twin.clone() };
                        block_on(bank.record(&caller, &twin, now)).unwrap();
                        let given = SignalGiven {
                            memory_id: id.clone(),
                            kind: SignalKind::Outcome,
                            positive: true,
                            session_id: format!("session {at} {n}"),
                            search_id: None,
                            comment: None,
                            share: 1.0,
                        };
                        assert!(block_on(bank.signal(&caller, &given, now)).unwrap().recorded);
                        let session = Queued {
                            id: 0,
                            caller: caller.clone(),
                            session_id: format!("queued {at} {n}"),
                            outcome: None,
                            trace: "what was done".to_owned(),
                            from_web: false,
                            shown: Vec::new(),
                            attempts: 0,
                        };
                        assert!(block_on(bank.queue(&caller, &session, now)).unwrap());
                    }
                });
            }
        });
        // Of what all recorded at once there is one each; of the rest nothing is lost, and every view sees it.
        for bank in &banks {
            let listed = block_on(bank.list(&who("p", "ann"), &Listing::default(), Timestamp(99)));
            assert_eq!(listed.unwrap().len(), 1 + 4 * 12 + 12);
            let stats = block_on(bank.stats(&who("p", "ann"), Timestamp(99))).unwrap();
            assert_eq!(stats.signals[3], 4 * 12);
            assert_eq!(stats.queue[0], 4 * 12);
        }
        let taken = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for (at, bank) in banks.iter().enumerate() {
                let taken = &taken;
                scope.spawn(move || {
                    loop {
                        let holder = format!("holder {at}");
                        let got =
                            block_on(bank.take(None, 3, &holder, DAY, Timestamp(100))).unwrap();
                        if got.is_empty() {
                            return;
                        }
                        taken.lock().unwrap().extend(got.into_iter().map(|one| one.id));
                    }
                });
            }
        });
        let mut taken = taken.into_inner().unwrap();
        assert_eq!(taken.len(), 4 * 12);
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), 4 * 12, "each once");
    }
}

#[test]
fn a_connection_that_was_cut_is_made_again() {
    let runtime = runtime();
    for server in servers("a_connection_that_was_cut_is_made_again") {
        let name = format!("cut{}", std::process::id());
        let url = format!("{}&application_name={name}", own(&runtime, &server));
        let bank = on(&runtime, &url, plain());
        let caller = who("p", "ann");
        for n in 0..5 {
            let cut = format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'"
            );
            runtime.block_on(run(&server, &cut)).unwrap();
            let mut draft = draft(&mut Draws(3), Vec::new());
            draft.content = format!("number {n}");
            block_on(bank.record(&caller, &draft, Timestamp(n))).unwrap();
        }
        let listed = block_on(bank.list(&caller, &Listing::default(), Timestamp(9))).unwrap();
        assert_eq!(listed.len(), 5);
        // Where it is cut while a change is being committed, nobody knows whether it was made, and that is said.
        let ends = "CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON distillation_queue DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION ends()";
        runtime.block_on(run(&url, ends)).unwrap();
        let session = Queued {
            id: 0,
            caller: caller.clone(),
            session_id: "cut".to_owned(),
            outcome: None,
            trace: "what was done".to_owned(),
            from_web: false,
            shown: Vec::new(),
            attempts: 0,
        };
        let unsure = block_on(bank.queue(&caller, &session, Timestamp(9))).unwrap_err().to_string();
        assert!(unsure.contains("may have been made or not"), "{unsure}");
        runtime.block_on(run(&url, "DROP TRIGGER ends ON distillation_queue")).unwrap();
        assert!(block_on(bank.queue(&caller, &session, Timestamp(9))).unwrap());
        let closed = "postgres://nobody:secret@127.0.0.1:1/none?sslmode=disable";
        let refused = runtime.block_on(PgBank::open(closed, plain(), None, None)).err().unwrap();
        let said = refused.to_string();
        assert!(said.contains("check that the server runs") && !said.contains("secret"), "{said}");
    }
}

/// A role of a tenant reads that tenant's rows and no others, whatever it sets; a role that nobody named one sees what it is
/// set to.
#[test]
fn a_role_of_a_tenant_sees_its_rows_alone() {
    let runtime = runtime();
    for server in servers("a_role_of_a_tenant_sees_its_rows_alone") {
        let url = own(&runtime, &server);
        let bank = on(&runtime, &url, plain());
        for tenant in ["north", "south", "west"] {
            let caller = Caller { tenant: tenant.to_owned(), ..who("p", "ann") };
            let mut draft = draft(&mut Draws(3), Vec::new());
            draft.content = format!("of the {tenant}");
            let id = block_on(bank.record(&caller, &draft, Timestamp(1))).unwrap().held.strategy.id;
            let given = SignalGiven {
                memory_id: id,
                kind: SignalKind::Explicit,
                positive: true,
                session_id: String::new(),
                search_id: None,
                comment: None,
                share: 1.0,
            };
            block_on(bank.signal(&caller, &given, Timestamp(2))).unwrap();
        }
        let now = |url: &str, sql: &str| runtime.block_on(run(url, sql));
        let (bound, free) =
            (format!("bound{}", std::process::id()), format!("free{}", std::process::id()));
        let place = url.split("search_path%3D").nth(1).unwrap().split(',').next().unwrap();
        for role in [&bound, &free] {
            now(
                &url,
                &format!(
                    "CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {place} TO {role};
                     GRANT SELECT ON strategies, strategy_index, signals, memos, relations TO {role}"
                ),
            )
            .unwrap();
        }
        now(&url, &format!("INSERT INTO tenant_roles VALUES ('{bound}', 'north')")).unwrap();
        let sees = |role: &str, before: &str, tenants: &str, count: u32| {
            let as_role = url.replacen("postgres@", &format!("{role}@"), 1);
            for (relation, tenant) in
                [("strategies", "tenant"), ("signals", "tenant"), ("strategy_index", "'?'")]
            {
                let all = if tenant == "tenant" { tenants } else { "?" };
                let all = if count == 0 { "" } else { all };
                let sql = format!(
                    "{before}; DO $$ BEGIN
                         IF (SELECT count(*) FROM {relation}) <> {count} OR
                            (SELECT coalesce(max({tenant}), '') FROM {relation}) <> '{all}' THEN
                             RAISE EXCEPTION '{relation}: {role} sees % of %', (SELECT count(*) FROM {relation}),
                                 (SELECT max({tenant}) FROM {relation});
                         END IF;
                     END $$"
                );
                now(&as_role, &sql).unwrap();
            }
        };
        sees(&bound, "SELECT 1", "north", 1);
        sees(&bound, "SET elenchus.tenant = 'south'", "north", 1);
        sees(
            &bound,
            &format!(
                "CREATE TEMP TABLE tenant_roles (role NAME, tenant TEXT);
                 INSERT INTO tenant_roles VALUES (session_user, 'south'); SET search_path = pg_temp, {place}"
            ),
            "north",
            1,
        );
        sees(&free, "SELECT 1", "", 0);
        sees(&free, "SET elenchus.tenant = 'south'", "south", 1);
        let as_role = url.replacen("postgres@", &format!("{bound}@"), 1);
        let refused = now(&as_role, "SELECT * FROM tenant_roles").unwrap_err();
        assert!(refused.contains("permission denied"), "{refused}");
        let refused = now(&as_role, "DELETE FROM strategies").unwrap_err();
        assert!(refused.contains("permission denied"), "{refused}");
        for role in [&bound, &free] {
            now(&url, &format!("DROP OWNED BY {role}; DROP ROLE {role}")).unwrap();
        }
    }
}
