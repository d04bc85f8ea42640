//! A bank with an index beside it is the same bank, also when the index fails, lags or lies.

use super::Told;
use crate::bank::SqliteBank;
use crate::retrieve::builtin_vectors;
use crate::vector_index::{
    EmbeddedIndex, Found, IndexFailure, Kind, Lot, Nearest, Page, Point, Trouble, VectorIndex,
};
use elenchus_core::bank::{BankSettings, Caller, Draft, Origin, Outcome, Scope, Standing};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{Bank, Edit, PortFuture, Recall, Recalled};
use elenchus_core::testkit::{bank_suite, block_on};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn settings() -> BankSettings {
    BankSettings { exploration: 0.0, ..BankSettings::default() }
}

fn dimensions() -> usize {
    builtin_vectors().dimensions()
}

/// An index that can be made to fail and to lie, and that counts what it is asked.
struct Watched {
    inner: EmbeddedIndex,
    broken: AtomicBool,
    /// What is found whatever is asked.
    lies: Mutex<Vec<Found>>,
    searches: AtomicUsize,
}

impl Watched {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            inner: EmbeddedIndex::in_memory(dimensions()).unwrap(),
            broken: AtomicBool::new(false),
            lies: Mutex::default(),
            searches: AtomicUsize::new(0),
        })
    }

    fn well(&self) -> Result<(), IndexFailure> {
        if self.broken.load(Ordering::SeqCst) {
            let failure = IndexFailure::new(Trouble::Gone, "ask", "it is broken", "mend it");
            return Err(failure);
        }
        Ok(())
    }

    fn searches(&self) -> usize {
        self.searches.load(Ordering::SeqCst)
    }
}

impl VectorIndex for Watched {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn upsert<'a>(
        &'a self,
        lot: &'a Lot,
        points: &'a [Point],
    ) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            self.well()?;
            self.inner.upsert(lot, points).await
        })
    }

    fn remove<'a>(
        &'a self,
        lot: &'a Lot,
        ids: &'a [String],
    ) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            self.well()?;
            self.inner.remove(lot, ids).await
        })
    }

    fn clear<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<(), IndexFailure>> {
        self.inner.clear(lot)
    }

    fn nearest<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
        asked: &'a Nearest,
    ) -> PortFuture<'a, Result<Vec<Found>, IndexFailure>> {
        Box::pin(async move {
            self.searches.fetch_add(1, Ordering::SeqCst);
            self.well()?;
            let lies = self.lies.lock().unwrap().clone();
            let found = self.inner.nearest(caller, kind, asked).await?;
            Ok(lies.into_iter().chain(found).collect())
        })
    }

    fn count<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
    ) -> PortFuture<'a, Result<u64, IndexFailure>> {
        self.inner.count(caller, kind)
    }

    fn size<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<u64, IndexFailure>> {
        Box::pin(async move {
            self.well()?;
            self.inner.size(lot).await
        })
    }

    fn page<'a>(
        &'a self,
        lot: &'a Lot,
        from: Option<&'a str>,
        most: usize,
    ) -> PortFuture<'a, Result<Page, IndexFailure>> {
        self.inner.page(lot, from, most)
    }
}

/// What was told.
type Heard = Arc<Mutex<Vec<String>>>;

/// Somebody who listens, and what was heard.
fn listener() -> (Told, Heard) {
    let heard = Heard::default();
    let hears = Arc::clone(&heard);
    (Arc::new(move |line: &str| hears.lock().unwrap().push(line.to_owned())), heard)
}

fn with_index() -> (SqliteBank, Arc<Watched>, Heard) {
    let (index, (told, heard)) = (Watched::new(), listener());
    let bank = SqliteBank::in_memory(settings()).unwrap();
    (bank.with_index(Arc::clone(&index) as _, told), index, heard)
}

fn ann() -> Caller {
    caller("north", "ferry")
}

fn caller(tenant: &str, project: &str) -> Caller {
    Caller { tenant: tenant.to_owned(), team: Some("red".to_owned()), ..Caller::local(project) }
}

fn drafts() -> Vec<Draft> {
    let texts = [
        (
            "Read the winter timetable",
            "Ferries leave later from October on; look at the winter table.",
            Outcome::Success,
        ),
        (
            "Ask the harbour master",
            "The harbour office knows of closed piers before anybody else.",
            Outcome::Success,
        ),
        (
            "Do not trust the old map",
            "The map of 1931 shows a pier that burned down.",
            Outcome::Failure,
        ),
        (
            "Count boats by their numbers",
            "Names of vessels repeat, their hull numbers do not.",
            Outcome::Success,
        ),
        (
            "Never sum the monthly figures",
            "Months overlap in the report, so that sums count twice.",
            Outcome::Failure,
        ),
        (
            "Compare fares in one currency",
            "Prices before 1999 are in another currency.",
            Outcome::Success,
        ),
    ];
    texts
        .into_iter()
        .map(|(title, content, outcome)| Draft {
            title: title.to_owned(),
            description: "When the traffic of a port is looked into".to_owned(),
            content: content.to_owned(),
            outcome,
            tags: vec!["port".to_owned()],
            scope: Scope::Project,
            origin: Origin::Explicit,
            source_session: None,
            lineage: Vec::new(),
            from_web: false,
        })
        .collect()
}

async fn fill(bank: &SqliteBank) {
    for (at, draft) in (0..).zip(&drafts()) {
        bank.record(&ann(), draft, Timestamp(NOW.0 + at)).await.unwrap();
    }
}

async fn recalled(bank: &SqliteBank, caller: &Caller, query: &str) -> Recalled {
    let recall = Recall {
        query: query.to_owned(),
        scope: None,
        outcome: None,
        limit: 10,
        min_confidence: 0.0,
        session_id: "s".to_owned(),
        for_prompt: false,
    };
    bank.search(caller, &recall, Timestamp(NOW.0 + 1_000)).await.unwrap()
}

fn ids(recalled: &Recalled) -> Vec<&str> {
    let all = recalled.memories.iter().chain(&recalled.avoid);
    all.map(|held| held.strategy.id.as_str()).collect()
}

const QUERIES: [&str; 5] = [
    "when do ships depart in the cold season",
    "pier closed",
    "vessel counting",
    "money conversion of ticket prices",
    "double counting in totals",
];

async fn sound(bank: &SqliteBank, index: &Watched) -> usize {
    let drift = bank.index_drift(index).await.unwrap();
    assert!(drift.iter().all(|(_, drift)| drift.is_none()), "{drift:?}");
    drift.iter().map(|(_, drift)| drift.sound).sum()
}

#[test]
fn a_bank_with_an_index_keeps_the_contract() {
    let all: Mutex<Vec<(Arc<Watched>, Heard)>> = Mutex::default();
    block_on(bank_suite("sqlite with an index", || {
        let (bank, index, heard) = with_index();
        all.lock().unwrap().push((index, heard));
        bank
    }));
    let all = all.into_inner().unwrap();
    assert!(all.iter().map(|(index, _)| index.searches()).sum::<usize>() > 20);
    let heard: Vec<String> =
        all.iter().flat_map(|(_, heard)| heard.lock().unwrap().clone()).collect();
    assert!(heard.is_empty(), "nothing was wrong with the index: {heard:?}");
}

#[test]
fn the_index_finds_what_the_bank_finds() {
    block_on(async {
        let (bank, index, _) = with_index();
        let alone = SqliteBank::in_memory(settings()).unwrap();
        fill(&bank).await;
        fill(&alone).await;
        assert_eq!(sound(&bank, &index).await, 6);
        for query in QUERIES {
            let (with, without) =
                (recalled(&bank, &ann(), query).await, recalled(&alone, &ann(), query).await);
            assert!(!ids(&with).is_empty());
            assert_eq!(ids(&with), ids(&without), "{query}");
            for (a, b) in with.memories.iter().zip(&without.memories) {
                assert!((a.relevance - b.relevance).abs() < 0.02, "{query}: {a:?} {b:?}");
            }
        }
        assert_eq!(index.searches(), 2 * QUERIES.len(), "one search an outcome");
    });
}

#[test]
fn the_index_follows_every_kind_of_write() {
    block_on(async {
        let (bank, index, heard) = with_index();
        fill(&bank).await;
        let kept = bank.list(&ann(), &elenchus_core::port::Listing::default(), NOW).await.unwrap();
        let id = |at: usize| kept[at].strategy.id.clone();
        let edit = Edit { content: Some("Quays, not piers.".to_owned()), ..Edit::default() };
        bank.edit(&ann(), &id(0), &edit, NOW).await.unwrap();
        let edit = Edit { scope: Some(Scope::Team), ..Edit::default() };
        bank.edit(&ann(), &id(1), &edit, NOW).await.unwrap();
        assert_eq!(sound(&bank, &index).await, 6);
        let tram = caller("north", "tram");
        assert_eq!(index.inner.count(&tram, &Kind::Bank).await, Ok(1), "what is shared is seen");
        let archived = Standing::Archived { at: NOW, reason: "old".to_owned() };
        let edit = Edit { standing: Some(archived), ..Edit::default() };
        bank.edit(&ann(), &id(2), &edit, NOW).await.unwrap();
        bank.delete(&ann(), &id(3)).await.unwrap();
        assert_eq!(sound(&bank, &index).await, 4);
        let exported = bank.export(&ann()).await.unwrap();
        let (other, copied, _) = with_index();
        other.import(&ann(), &exported, NOW).await.unwrap();
        assert_eq!(sound(&other, &copied).await, 4);
        // All were recorded later than that, so that all are archived.
        bank.roll_back(&ann(), Timestamp(NOW.0 - 5), Timestamp(NOW.0 + 50)).await.unwrap();
        assert_eq!(sound(&bank, &index).await, 0);
        assert!(heard.lock().unwrap().is_empty());
    });
}

#[test]
fn an_index_that_fails_is_told_and_costs_nothing() {
    block_on(async {
        let (bank, index, heard) = with_index();
        fill(&bank).await;
        let alone = SqliteBank::in_memory(settings()).unwrap();
        fill(&alone).await;
        let whole = recalled(&bank, &ann(), QUERIES[0]).await;
        index.broken.store(true, Ordering::SeqCst);
        for query in QUERIES {
            let (with, without) =
                (recalled(&bank, &ann(), query).await, recalled(&alone, &ann(), query).await);
            assert_eq!(ids(&with), ids(&without), "{query}");
        }
        {
            let heard = heard.lock().unwrap();
            assert_eq!(heard.len(), 1, "it is told once, and left alone for a while: {heard:?}");
            assert!(
                heard[0].contains("own file") && heard[0].contains("it is broken"),
                "{heard:?}"
            );
        }
        let draft = Draft { title: "Look at the tide".to_owned(), ..drafts()[0].clone() };
        let recorded = bank.record(&ann(), &draft, NOW).await.unwrap();
        assert!(heard.lock().unwrap()[1].contains("elenchus index check --repair"));
        index.broken.store(false, Ordering::SeqCst);
        let drift = bank.index_drift(index.as_ref()).await.unwrap();
        let [(tenant, drift)] = drift.as_slice() else { unreachable!("{drift:?}") };
        assert_eq!(drift.missing, [recorded.held.strategy.id.as_str().to_owned()]);
        let done = bank.mend_index(index.as_ref(), tenant, drift).await.unwrap();
        assert_eq!((done, sound(&bank, &index).await), ((1, 0), 7));
        assert!(!ids(&whole).is_empty(), "the index found something before it failed");
    });
}

#[test]
fn an_index_that_lacks_strategies_is_not_asked_until_it_is_whole() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let open = || {
            let options = crate::store::SqliteOptions::default();
            SqliteBank::open(&path, &options, settings(), Some(builtin_vectors())).unwrap()
        };
        fill(&open()).await;
        let (index, (told, heard)) = (Watched::new(), listener());
        let bank = open().with_index(Arc::clone(&index) as _, Arc::clone(&told));
        let found = recalled(&bank, &ann(), QUERIES[0]).await;
        assert_eq!((index.searches(), ids(&found).is_empty()), (0, false));
        assert!(heard.lock().unwrap()[0].contains("holds 0 of 6"), "{heard:?}");
        assert_eq!(bank.rebuild_index(index.as_ref()).await, Ok(6));
        let bank = open().with_index(Arc::clone(&index) as _, told);
        assert_eq!(ids(&recalled(&bank, &ann(), QUERIES[0]).await), ids(&found));
        assert_eq!((index.searches(), heard.lock().unwrap().len()), (2, 1));
    });
}

#[test]
fn what_an_index_says_too_much_is_never_shown() {
    block_on(async {
        let (bank, index, _) = with_index();
        fill(&bank).await;
        let mine = bank.list(&ann(), &elenchus_core::port::Listing::default(), NOW).await.unwrap();
        let lie = |id: &str| Found { id: id.to_owned(), cosine: 1.0 };
        *index.lies.lock().unwrap() = mine
            .iter()
            .map(|held| lie(held.strategy.id.as_str()))
            .chain([lie("nothing")])
            .collect();
        // Another project of the tenant, and another tenant: both are told of ids that they may not see.
        for other in [caller("north", "tram"), caller("south", "ferry")] {
            let found = recalled(&bank, &other, QUERIES[1]).await;
            assert_eq!((ids(&found).len(), found.total_found), (0, 0));
        }
    });
}

#[cfg(feature = "qdrant")]
#[test]
fn a_bank_beside_a_qdrant_server_keeps_the_contract() {
    use crate::vector_index::testkit::LoopbackQdrant;
    use crate::vector_index::{QdrantIndex, QdrantSettings};
    use std::cell::Cell;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let peer = LoopbackQdrant::start().unwrap();
    let (next, (told, heard)) = (Cell::new(0), listener());
    runtime.block_on(bank_suite("sqlite with a loopback Qdrant", || {
        // Each bank of the suite is an empty one, and so is its index.
        next.set(next.get() + 1);
        let mut settings = QdrantSettings::new(peer.url(), "builtin", dimensions());
        settings.prefix = format!("bank-{}", next.get());
        let index = Arc::new(QdrantIndex::new(&settings).unwrap());
        SqliteBank::in_memory(self::settings()).unwrap().with_index(index, Arc::clone(&told))
    }));
    assert!(heard.lock().unwrap().is_empty(), "{heard:?}");
    let searches = peer.asked().iter().filter(|line| line.ends_with("points/query")).count();
    assert!(searches > 20, "{searches}");
}

/// As beside a store on a server: an index of its own, and no vectors in memory.
fn with_own_index() -> (SqliteBank, Arc<Watched>, Heard) {
    let (index, (told, heard)) = (Watched::new(), listener());
    let bank = SqliteBank::in_memory(settings()).unwrap();
    bank.vault.use_index(Arc::clone(&index) as _, told, true);
    (bank, index, heard)
}

#[test]
fn a_bank_that_holds_no_vectors_keeps_the_contract() {
    block_on(bank_suite("sqlite with an index of its own", || with_own_index().0));
}

#[test]
fn a_bank_that_holds_no_vectors_finds_the_same() {
    block_on(async {
        let (bank, index, heard) = with_own_index();
        let alone = SqliteBank::in_memory(settings()).unwrap();
        fill(&bank).await;
        fill(&alone).await;
        for query in QUERIES {
            let (with, without) =
                (recalled(&bank, &ann(), query).await, recalled(&alone, &ann(), query).await);
            assert!(!ids(&with).is_empty());
            assert_eq!(ids(&with), ids(&without), "{query}");
        }
        assert!(index.searches() > 0 && heard.lock().unwrap().is_empty());
        let view = bank.vault.view("north");
        let view = view.read().unwrap();
        assert!(!view.texts.holds_vectors() && view.texts.embedded() == 6);
    });
}

#[test]
fn an_index_of_the_store_s_own_server_is_filled_without_being_asked() {
    block_on(async {
        let (bank, index, heard) = with_own_index();
        fill(&bank).await;
        let lot = Lot::new("north", Kind::Bank).unwrap();
        index.inner.clear(&lot).await.unwrap();
        // As another process of this store, which has not looked yet.
        bank.vault.lane.get().unwrap().known(|known| known.whole.clear());
        assert!(!ids(&recalled(&bank, &ann(), QUERIES[1]).await).is_empty());
        assert_eq!(index.inner.size(&lot).await, Ok(6), "what was lacking was brought there");
        assert!(heard.lock().unwrap().is_empty());
        // Where the index is out of service, what shares words with the query is still compared by its sense.
        index.broken.store(true, Ordering::SeqCst);
        let found = recalled(&bank, &ann(), "pier that burned down").await;
        assert_eq!(found.avoid[0].strategy.draft.title, "Do not trust the old map");
        let heard = heard.lock().unwrap();
        assert!(heard.iter().any(|line| line.contains("by its words first")), "{heard:?}");
    });
}
