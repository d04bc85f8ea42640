//! Tenants, projects, teams and organisations share nothing but what they are meant to: no row, id, count or score.
//!
//! Random operations are done by three tenants on one bank, and by each tenant alone on a bank of its own. If anything of
//! one tenant reached another, in a row or in a figure, the two would answer differently.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::bank::{BankSettings, Caller, Draft, Origin, Outcome, Scope, SignalKind};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{Bank, Edit, Held, Listing, Recall, SignalGiven};
use elenchus_io::bank::SqliteBank;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

/// Waits for what threads beside this one do too, such as those that ask a server.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

const TENANTS: [&str; 3] = ["north", "south", "west"];
const WORDS: [&str; 12] = [
    "ferry", "tide", "winter", "table", "harbour", "rope", "engine", "chart", "fog", "crew",
    "quay", "lamp",
];

/// Draws that look random and are the same for the same seed (xorshift).
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn ms(&mut self, n: usize) -> i64 {
        i64::try_from(self.below(n)).unwrap()
    }

    pub(crate) fn words(&mut self, n: usize) -> String {
        (0..n).map(|_| WORDS[self.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
    }
}

/// Project, team and organisation by number: projects 0 and 1 are of one team, 0 to 2 of one organisation.
fn caller(tenant: &str, sequence: usize, project: usize, actor: usize) -> Caller {
    Caller {
        tenant: format!("{tenant} {sequence}"),
        project: format!("p{project}"),
        team: Some(if project < 2 { "t0" } else { "t1" }.to_owned()),
        org: (project < 3).then(|| "o".to_owned()),
        actor: format!("a{actor}"),
    }
}

/// Every word of a tenant's text ends like this, so that a foreign one is known at sight.
fn mark(tenant: &str) -> String {
    format!("of{tenant}")
}

fn sees(by: usize, of: usize, scope: Scope) -> bool {
    by == of
        || match scope {
            Scope::Project => false,
            Scope::Team => (by < 2) == (of < 2),
            Scope::Org => by < 3 && of < 3,
        }
}

struct Tenant {
    alone: SqliteBank,
    /// Ids with the project that recorded them.
    known: Vec<(StrategyId, usize)>,
}

pub(crate) fn settings() -> BankSettings {
    BankSettings::default()
}

/// Ids differ between tenants, and between the shared bank and the own one they do not.
fn same(tenant: &str, by: usize, all: &[Tenant], at: usize, shared: &[Held], own: &[Held]) {
    assert_eq!(shared, own, "{tenant} is answered as if it were alone");
    for held in shared {
        let draft = &held.strategy.draft;
        assert!(draft.content.contains(&mark(tenant)), "{tenant} sees {}", draft.content);
        let of = all[at].known.iter().find(|(id, _)| *id == held.strategy.id).unwrap().1;
        assert!(
            sees(by, of, draft.scope),
            "project {by} sees what {of} keeps to {:?}",
            draft.scope
        );
    }
}

/// Sequences of steps on one bank, and by each tenant alone in a file of its own.
pub(crate) fn sequences<B: Bank>(bank: &B, count: usize, steps: usize) {
    let mut tenants: Vec<Tenant> = TENANTS
        .iter()
        .map(|_| Tenant { alone: SqliteBank::in_memory(settings()).unwrap(), known: Vec::new() })
        .collect();
    let mut now = 1_700_000_000_000_i64;
    for sequence in 0..count {
        let mut draws =
            Draws(0x9E37_79B9_7F4A_7C15 ^ (sequence as u64 + 1).wrapping_mul(0x2545_F491));
        for tenant in &mut tenants {
            tenant.known.clear();
        }
        for _ in 0..steps {
            now += 1 + draws.ms(80_000_000);
            let at = draws.below(TENANTS.len());
            step(bank, &mut tenants, at, sequence, Timestamp(now), &mut draws);
        }
    }
}

fn step<B: Bank>(
    bank: &B,
    tenants: &mut [Tenant],
    at: usize,
    sequence: usize,
    now: Timestamp,
    draws: &mut Draws,
) {
    let tenant = TENANTS[at];
    let by = draws.below(4);
    let who = caller(tenant, sequence, by, draws.below(3));
    // Mostly an id of one's own, sometimes another tenant's.
    let from = if draws.below(4) == 0 { draws.below(TENANTS.len()) } else { at };
    let id = match tenants[from].known.len() {
        0 => StrategyId("mem_000000000000".to_owned()),
        n => tenants[from].known[draws.below(n)].0.clone(),
    };
    match draws.below(8) {
        0 | 1 => {
            let draft = Draft {
                title: draws.words(2),
                description: draws.words(3),
                content: format!("{} {}", draws.words(6), mark(tenant)),
                outcome: [Outcome::Success, Outcome::Failure][draws.below(2)],
                tags: vec![draws.words(1)],
                scope: [Scope::Project, Scope::Team, Scope::Org][draws.below(3)],
                origin: [Origin::Explicit, Origin::Distilled][draws.below(2)],
                source_session: Some(format!("run_{}", draws.below(3))),
                lineage: if draws.below(4) == 0 { vec![id] } else { Vec::new() },
                from_web: draws.below(8) == 0,
            };
            let shared = block_on(bank.record(&who, &draft, now));
            let own = block_on(tenants[at].alone.record(&who, &draft, now));
            assert_eq!(shared, own);
            if let Ok(recorded) = shared
                && !recorded.already_there
            {
                tenants[at].known.push((recorded.held.strategy.id, by));
            }
        }
        2 | 3 => {
            let recall = Recall {
                query: draws.words(2),
                scope: [None, Some(Scope::Project), Some(Scope::Team)][draws.below(3)],
                outcome: [None, Some(Outcome::Success)][draws.below(2)],
                limit: 1 + draws.below(6),
                min_confidence: [0.0, 0.5, 0.75][draws.below(3)],
                session_id: format!("run_{}", draws.below(4)),
                for_prompt: draws.below(2) == 0,
            };
            let shared = block_on(bank.search(&who, &recall, now)).unwrap();
            let own = block_on(tenants[at].alone.search(&who, &recall, now)).unwrap();
            assert_eq!(shared.total_found, own.total_found);
            assert_eq!(shared.hidden_below_min_confidence, own.hidden_below_min_confidence);
            same(tenant, by, tenants, at, &shared.memories, &own.memories);
            same(tenant, by, tenants, at, &shared.avoid, &own.avoid);
        }
        4 => {
            let given = SignalGiven {
                memory_id: id,
                kind: [SignalKind::Explicit, SignalKind::Outcome, SignalKind::Used][draws.below(3)],
                positive: draws.below(3) > 0,
                session_id: format!("run_{}", draws.below(5)),
                search_id: None,
                comment: None,
                share: 1.0 / (1 + draws.below(3)) as f64,
            };
            let shared = block_on(bank.signal(&who, &given, now));
            assert_eq!(shared, block_on(tenants[at].alone.signal(&who, &given, now)));
            assert!(from == at || shared.is_err(), "a foreign id is unknown");
        }
        5 => {
            let listing = Listing { archived: draws.below(2) == 0, ..Listing::default() };
            let shared = block_on(bank.list(&who, &listing, now)).unwrap();
            let own = block_on(tenants[at].alone.list(&who, &listing, now)).unwrap();
            same(tenant, by, tenants, at, &shared, &own);
            let stats = block_on(bank.stats(&who, now)).unwrap();
            assert_eq!(stats, block_on(tenants[at].alone.stats(&who, now)).unwrap());
        }
        6 => {
            let edit = Edit {
                content: Some(format!("{} {}", draws.words(5), mark(tenant))),
                scope: [None, Some(Scope::Team)][draws.below(2)],
                ..Edit::default()
            };
            let shared = block_on(bank.edit(&who, &id, &edit, now));
            assert_eq!(shared, block_on(tenants[at].alone.edit(&who, &id, &edit, now)));
            assert!(from == at || shared.is_err(), "a foreign id is unknown");
        }
        _ => match draws.below(4) {
            0 => {
                let shared = block_on(bank.delete(&who, &id));
                assert_eq!(shared, block_on(tenants[at].alone.delete(&who, &id)));
                assert!(from == at || shared.is_err(), "a foreign id is unknown");
            }
            1 => {
                let to = Timestamp(now.0 - 1 - draws.ms(100_000_000));
                let shared = block_on(bank.roll_back(&who, to, now)).unwrap();
                assert_eq!(shared, block_on(tenants[at].alone.roll_back(&who, to, now)).unwrap());
            }
            2 => {
                let shared = block_on(bank.export(&who)).unwrap();
                let own = block_on(tenants[at].alone.export(&who)).unwrap();
                assert_eq!(shared, own);
                assert!(
                    shared.iter().all(|one| one.strategy.draft.content.contains(&mark(tenant)))
                );
            }
            _ => {
                let shared = block_on(bank.get(&who, &id, now));
                assert_eq!(shared, block_on(tenants[at].alone.get(&who, &id, now)));
                let why = block_on(bank.why(&who, &id, now));
                assert_eq!(why, block_on(tenants[at].alone.why(&who, &id, now)));
                assert!(from == at || shared.is_err(), "a foreign id is unknown");
            }
        },
    }
}

#[test]
fn a_thousand_sequences_leak_nothing() {
    let count = std::env::var("ELENCHUS_TEST_SEQUENCES").ok().and_then(|n| n.parse().ok());
    sequences(&SqliteBank::in_memory(settings()).unwrap(), count.unwrap_or(1_000), 12);
}
