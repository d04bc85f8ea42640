//! How fast an index is; run by hand: `cargo nextest run -p elenchus-io --features qdrant --run-ignored only timings`.

use super::world::{Dice, caller, nearest, shared};
use crate::vector_index::{EmbeddedIndex, Kind, Lot, Nearest, Point, VectorIndex};
use elenchus_core::bank::Scope;
use std::time::Instant;

/// Numbers per vector; those of embedders range from 128 to some thousands.
const WIDE: usize = 256;
/// How many searches are timed.
const SEARCHES: usize = 200;

fn wide(dice: &mut Dice) -> Vec<f32> {
    (0..WIDE / 8).flat_map(|_| dice.vector()).collect()
}

fn asked(dice: &mut Dice) -> Nearest {
    nearest(wide(dice), 50)
}

/// Writes `n` points of three tenants, searches, clears, and gives a line.
async fn timed(name: &str, index: &dyn VectorIndex, salt: &str, n: usize) -> String {
    let lots: Vec<Lot> = ["north", "south", "west"]
        .iter()
        .map(|tenant| Lot::new(format!("{tenant} {salt}"), Kind::Bank).unwrap())
        .collect();
    let mut dice = Dice(1);
    let begun = Instant::now();
    for (at, lot) in lots.iter().enumerate() {
        for first in (0..n / 3).step_by(1_000) {
            let points: Vec<Point> = (first..(first + 1_000).min(n / 3))
                .map(|n| Point {
                    id: format!("p{at}-{n}"),
                    shared: shared(dice.one(&["ferry", "tram"]), Scope::Project),
                    facet: "success".to_owned(),
                    vectors: vec![wide(&mut dice)],
                })
                .collect();
            index.upsert(lot, &points).await.unwrap();
        }
    }
    let written = begun.elapsed().as_secs_f64();
    let mut times = Vec::new();
    for at in 0..SEARCHES {
        let asking = caller(lots[at % 3].tenant(), "ferry", Some("red"), None);
        let asked = asked(&mut dice);
        let begun = Instant::now();
        let found = index.nearest(&asking, &Kind::Bank, &asked).await.unwrap();
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        assert_eq!(found.len(), 50);
    }
    times.sort_by(f64::total_cmp);
    for lot in &lots {
        index.clear(lot).await.unwrap();
    }
    format!(
        "{name}: {n} points of {WIDE} numbers written in {written:.1} s; a search among the {} that a caller sees: p50 \
         {:.1} ms, p99 {:.1} ms",
        n / 6,
        times[SEARCHES / 2],
        times[SEARCHES * 99 / 100]
    )
}

fn how_many() -> usize {
    std::env::var("ELENCHUS_TEST_VECTORS").ok().and_then(|text| text.parse().ok()).unwrap_or(12_000)
}

#[tokio::test]
#[ignore = "it measures"]
async fn timings_of_the_embedded_index() {
    let folder = tempfile::tempdir().unwrap();
    let index = EmbeddedIndex::open(&folder.path().join("vectors.db"), WIDE).unwrap();
    println!("{}", timed("embedded", &index, "a", how_many()).await);
}

#[cfg(feature = "qdrant")]
#[tokio::test]
#[ignore = "it measures, and wants a server"]
async fn timings_of_a_real_server() {
    let Ok(url) = std::env::var("QDRANT_URL") else {
        println!("skip: timings of a real Qdrant server: QDRANT_URL is not set");
        return;
    };
    let mut settings = crate::vector_index::QdrantSettings::new(url, "timings", WIDE);
    "elenchus-test".clone_into(&mut settings.prefix);
    settings.reading = std::time::Duration::from_mins(1);
    settings.writing = std::time::Duration::from_mins(5);
    settings.key = std::env::var("QDRANT_API_KEY")
        .ok()
        .and_then(|key| crate::model::language::Secret::new(&key));
    let salt = std::process::id().to_string();
    let index = crate::vector_index::QdrantIndex::new(&settings).unwrap();
    println!("{}", timed("qdrant", &index, &salt, how_many()).await);
}
