//! A run of ten thousand events, from the store to its page and to a search in it.

use super::Served;
use crate::web::run::fixture::keep_long;
use elenchus_io::store::{SqliteOptions, SqliteStore};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EVENTS: usize = 10_000;

/// The figures of issue 7, with the store, the fold and the connection in them: the page within a second, a search within 100 ms.
/// `cargo test --release -p elenchus-server --lib ten_thousand -- --nocapture` tells what it took.
#[tokio::test]
async fn a_page_of_ten_thousand_events_comes_from_the_store_in_time() {
    // People run the release build; a change is held to the way, and to a part of the length.
    let (events, slower) = if cfg!(debug_assertions) { (EVENTS / 5, 10) } else { (EVENTS, 1) };
    let served = Served::new().await;
    let run = keep_long(served.api.runs.store().as_ref(), events).await;
    let asked = async |query: &str| {
        let began = Instant::now();
        let page = served.get(&format!("/research/{run}?view=trace{query}")).await;
        assert_eq!(page.status, 200, "{page:?}");
        (began.elapsed(), page.body)
    };
    // Nobody has looked at it yet: its events are read and folded first.
    let (opened, page) = asked("").await;
    assert!(page.contains("page 1 of "), "{page}");
    let (searched, found) = asked("&q=harbour+tide").await;
    assert!(found.contains(" fit. ") && !found.contains("No step says that."), "{found}");
    let (in_vain, none) = asked("&q=nowhere+at+all").await;
    assert!(none.contains("No step says that."), "{none}");
    println!("{events} events: opened in {opened:?}, searched in {searched:?} and {in_vain:?}");
    assert!(opened < Duration::from_millis(1_000 * slower), "{opened:?}");
    assert!(
        searched.max(in_vain) < Duration::from_millis(100 * slower),
        "{searched:?} {in_vain:?}"
    );
}

/// `cargo xtask nightly` looks at the run in a browser.
#[tokio::test]
#[ignore = "writes into the store that a variable names"]
async fn a_long_run_is_kept() {
    let path = std::env::var_os("ELENCHUS_TEST_LONG_RUN").map(PathBuf::from);
    let path = path.expect("ELENCHUS_TEST_LONG_RUN names the file of a store");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let store = SqliteStore::open(&path, &SqliteOptions::default()).unwrap();
    keep_long(&store, EVENTS).await;
}
