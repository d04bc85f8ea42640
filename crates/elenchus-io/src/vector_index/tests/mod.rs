//! One suite and one storm for every implementation; faults of the server; drift.

#[cfg(feature = "qdrant")]
mod faults;
mod mending;
#[cfg(feature = "postgres")]
mod server;
mod storm;
mod suite;
mod timings;
mod world;

use super::EmbeddedIndex;
use elenchus_core::testkit::block_on;
use world::DIMENSIONS;

#[test]
fn embedded_in_memory_keeps_the_contract() {
    let index = EmbeddedIndex::in_memory(DIMENSIONS).unwrap();
    block_on(suite::suite("embedded, in memory", &index, "a"));
}

#[test]
fn embedded_in_a_file_keeps_the_contract_and_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors.db");
    let index = EmbeddedIndex::open(&path, DIMENSIONS).unwrap();
    block_on(suite::suite("embedded, in a file", &index, "a"));
    let (lot, points) = (world::lot("kept"), world::points(20));
    block_on(super::VectorIndex::upsert(&index, &lot, &points)).unwrap();
    let again = EmbeddedIndex::open(&path, DIMENSIONS).unwrap();
    assert_eq!(block_on(super::VectorIndex::size(&again, &lot)), Ok(20));
    let Err(failure) = EmbeddedIndex::open(&path, DIMENSIONS + 1) else { unreachable!() };
    assert_eq!(failure.trouble, super::Trouble::Unfit, "{failure}");
    let Err(failure) = EmbeddedIndex::open(folder.path(), DIMENSIONS) else { unreachable!() };
    assert_eq!(failure.trouble, super::Trouble::Storage, "{failure}");
}

#[test]
fn a_storm_over_the_embedded_index_lets_nothing_foreign_through() {
    let index = EmbeddedIndex::in_memory(DIMENSIONS).unwrap();
    let said = block_on(storm::storm(&index, "a", 7, 10_000));
    println!("storm over the embedded index: {said}");
}

#[cfg(feature = "qdrant")]
mod qdrant {
    use super::{storm, suite, world};
    use crate::vector_index::testkit::LoopbackQdrant;
    use std::time::{SystemTime, UNIX_EPOCH};

    #[tokio::test]
    async fn qdrant_on_the_loopback_peer_keeps_the_contract() {
        let peer = LoopbackQdrant::start().unwrap();
        let index = world::index(&peer);
        suite::suite("qdrant, loopback peer", &index, "a").await;
        let asked = peer.asked();
        let kinds = |end: &str| asked.iter().filter(|line| line.ends_with(end)).count();
        assert_eq!(kinds("index?wait=true"), 7, "each field of a filter has an index, once");
        assert!(kinds("points?wait=true") > 5 && kinds("points/query") > 5, "{asked:?}");
    }

    #[tokio::test]
    async fn a_storm_over_the_loopback_peer_lets_nothing_foreign_through() {
        let peer = LoopbackQdrant::start().unwrap();
        let index = world::index(&peer);
        let said = storm::storm(&index, "a", 8, 10_000).await;
        println!("storm over the loopback peer: {said}");
    }

    /// Two processes with one collection.
    #[tokio::test]
    async fn whoever_comes_second_finds_the_collection_there() {
        let peer = LoopbackQdrant::start().unwrap();
        let (one, other) = (world::index(&peer), world::index(&peer));
        let (first, second) = tokio::join!(one.prepare(), other.prepare());
        assert_eq!((first, second), (Ok(()), Ok(())));
    }

    /// A server that the environment names: `QDRANT_URL`, and `QDRANT_API_KEY` where it wants one.
    fn real() -> Option<(crate::vector_index::QdrantIndex, String)> {
        let Ok(url) = std::env::var("QDRANT_URL") else {
            println!("skip: the suite on a real Qdrant server: QDRANT_URL is not set");
            return None;
        };
        let mut settings = world::settings(&url);
        "elenchus-test".clone_into(&mut settings.prefix);
        settings.key = std::env::var("QDRANT_API_KEY")
            .ok()
            .and_then(|key| crate::model::language::Secret::new(&key));
        settings.reading = std::time::Duration::from_secs(30);
        // Runs of the suite share the collection, and nothing in it.
        let salt = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        Some((crate::vector_index::QdrantIndex::new(&settings).unwrap(), format!("{salt}")))
    }

    #[tokio::test]
    async fn a_real_server_keeps_the_contract() {
        let Some((index, salt)) = real() else { return };
        suite::suite("qdrant, real server", &index, &salt).await;
    }

    #[tokio::test]
    async fn a_storm_over_a_real_server_lets_nothing_foreign_through() {
        let Some((index, salt)) = real() else { return };
        let operations = std::env::var("ELENCHUS_TEST_QDRANT_OPERATIONS")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(3_000);
        let begun = std::time::Instant::now();
        let said = storm::storm(&index, &salt, 7, operations).await;
        println!("storm over the real server: {said}, {:.1} s", begun.elapsed().as_secs_f64());
    }
}
