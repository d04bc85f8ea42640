//! An index on a disk that is full after any number of pages: it is said, and with room again the next sync ends where one on an
//! empty disk does.

use super::{Corpus, CorpusError};
use elenchus_core::port::{CorpusOverview, Retriever, SearchReply, SearchRequest};
use elenchus_core::testkit::block_on;
use std::path::Path;

/// Pages by which the room grows from one try to the next; more would meet the end before it has met much.
const GROWS: usize = 2;

/// A few documents of a few pages each.
fn documents(folder: &Path) {
    for n in 0..4 {
        let lines: Vec<String> = (0..40)
            .map(|line| format!("Berth {line} of pier {n} takes boats of {} metres.", line + n))
            .collect();
        let text = format!("# Pier {n}\n\n{}\n", lines.join("\n\n"));
        std::fs::write(folder.join(format!("pier{n}.md")), text).expect("a file is written");
    }
}

/// What is in it, and what a search finds.
fn seen(corpus: &Corpus) -> (CorpusOverview, SearchReply) {
    let query = "boats of pier 3".to_owned();
    let request = SearchRequest { query, limit: 5, ..SearchRequest::default() };
    let found = block_on(corpus.search(&request)).expect("it can be searched");
    (corpus.overview(), found)
}

#[test]
fn a_disk_that_fills_up_at_any_point_is_said_and_costs_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    documents(folder.path());
    let open = |index: &Path| Corpus::open(index, folder.path(), None).expect("it opens");
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let mut corpus = open(&elsewhere.path().join("whole.db"));
    corpus.sync(&mut |_| {}).expect("there is room");
    let whole = seen(&corpus);
    for (full, pages) in (0_i64..400).step_by(GROWS).enumerate() {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let index = scratch.path().join("index.db");
        let mut corpus = open(&index);
        {
            let db = corpus.db();
            let has: i64 =
                db.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("it has pages");
            let limit = format!("PRAGMA max_page_count = {}", has + pages);
            let set: i64 = db.query_row(&limit, [], |row| row.get(0)).expect("it is set");
            assert_eq!(set, has + pages);
        }
        let ended = corpus.sync(&mut |_| {});
        if ended.is_ok() {
            assert_eq!(seen(&corpus), whole);
            assert!(full > 2, "the disk was hardly ever full");
            return;
        }
        assert!(matches!(ended, Err(CorpusError::Full { .. })), "{pages} pages: {ended:?}");
        drop(corpus);
        let mut again = open(&index);
        again.sync(&mut |_| {}).expect("there is room again");
        assert_eq!(seen(&again), whole, "after {pages} pages");
    }
    unreachable!("it never fits");
}
