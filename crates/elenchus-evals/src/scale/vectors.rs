//! Searches of very many vectors of 128 numbers, and how much of the exact answer a graph finds.

use super::{Draws, Server, load, quantile};
use elenchus_core::bank::{Caller, Scope};
use elenchus_io::vector_index::{
    EmbeddedIndex, Found, IndexFailure, Kind, Lot, Nearest, PgIndex, Point, QdrantIndex,
    QdrantSettings, Shared, Standing, VectorIndex,
};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// As the built-in table has.
const DIMENSIONS: usize = 128;
/// Heaps that the points lie in, as texts on one matter do.
const HEAPS: usize = 2_000;
/// Points that are written at once.
const AT_ONCE: usize = 5_000;
/// What a search asks for.
const MOST: usize = 10;

/// Searches for somebody who sees this project.
struct Asking {
    name: &'static str,
    project: &'static str,
}

const ASKING: [Asking; 3] = [
    Asking { name: "99 %", project: "most" },
    Asking { name: "1 %", project: "hundredth" },
    Asking { name: "0.01 %", project: "few" },
];

pub(super) async fn measure(
    points: usize,
    searches: usize,
    servers: &[Server],
) -> Result<(), String> {
    println!(
        "\n{points} vectors of {DIMENSIONS} numbers, {searches} searches for the {MOST} nearest; load {}",
        load()
    );
    println!("{:<52} {:>8} {:>9} {:>9} {:>10}", "", "sees", "p50 ms", "p99 ms", "recall@10");
    let world = World::new();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let embedded =
        EmbeddedIndex::open(&folder.path().join("vectors.db"), DIMENSIONS).map_err(said)?;
    filled("embedded, SQLite file", &embedded, &world, points).await?;
    let exact = searched("embedded, exact", &embedded, &world, searches, None).await?;
    drop(embedded);
    for server in servers {
        let url = server.empty().await?;
        let short = server.name.split(" (").next().unwrap_or_default();
        let index = PgIndex::new(&url, "bench", DIMENSIONS).map_err(said)?;
        let (standing, _) = index.prepare().await.map_err(said)?;
        if !matches!(standing, Standing::Extension { .. }) {
            let name = format!("{short}, exact, without pgvector");
            filled(&name, &index, &world, points).await?;
            searched(&name, &index, &world, searches, Some(&exact)).await?;
            continue;
        }
        let name = format!("{short}, {standing}");
        index.without_graph().await.map_err(said)?;
        filled(&name, &index, &world, points).await?;
        let begun = Instant::now();
        index.with_graph().await.map_err(said)?;
        println!("{name:<52} the graph is made in {:.0} s", begun.elapsed().as_secs_f64());
        let index = PgIndex::new(&url, "bench", DIMENSIONS).map_err(said)?;
        let all = index.exact_up_to(u32::MAX);
        searched(&format!("{short}, pgvector, exact"), &all, &world, searches, Some(&exact))
            .await?;
        let index = PgIndex::new(&url, "bench", DIMENSIONS).map_err(said)?.exact_up_to(0);
        searched(&name, &index, &world, searches, Some(&exact)).await?;
    }
    let Ok(url) = std::env::var("QDRANT_URL") else {
        println!("skip: Qdrant: QDRANT_URL is not set");
        return Ok(());
    };
    let mut settings = QdrantSettings::new(url, "bench", DIMENSIONS);
    "elenchus-bench".clone_into(&mut settings.prefix);
    settings.reading = Duration::from_secs(30);
    let index = QdrantIndex::new(&settings).map_err(said)?;
    filled("Qdrant", &index, &world, points).await?;
    searched("Qdrant", &index, &world, searches, Some(&exact)).await?;
    index.clear(&lot()?).await.map_err(said)
}

fn said(failure: IndexFailure) -> String {
    failure.to_string()
}

fn lot() -> Result<Lot, String> {
    Lot::new("bench", Kind::Bank).map_err(said)
}

/// Where the heaps are.
struct World {
    centres: Vec<Vec<f32>>,
}

impl World {
    fn new() -> Self {
        let mut draws = Draws(3);
        let centre = |_| (0..DIMENSIONS).map(|_| draws.number()).collect();
        Self { centres: (0..HEAPS).map(centre).collect() }
    }

    fn vector(&self, draws: &mut Draws) -> Vec<f32> {
        let centre = &self.centres[draws.below(HEAPS)];
        centre.iter().map(|x| x + 0.8 * draws.number()).collect()
    }

    fn point(&self, at: usize, draws: &mut Draws) -> Point {
        let project = match at % 10_000 {
            0 => "few",
            n if n % 100 == 1 => "hundredth",
            _ => "most",
        };
        let shared =
            Shared { project: project.to_owned(), team: None, org: None, scope: Scope::Project };
        let vectors = vec![self.vector(draws)];
        Point { id: format!("p{at:08}"), shared, facet: "success".to_owned(), vectors }
    }
}

async fn filled(
    name: &str,
    index: &dyn VectorIndex,
    world: &World,
    points: usize,
) -> Result<(), String> {
    let (lot, mut draws, begun) = (lot()?, Draws(1), Instant::now());
    let mut at = 0;
    while at < points {
        let until = (at + AT_ONCE).min(points);
        let some: Vec<Point> = (at..until).map(|at| world.point(at, &mut draws)).collect();
        index.upsert(&lot, &some).await.map_err(said)?;
        at = until;
    }
    let rate = points as f64 / begun.elapsed().as_secs_f64();
    println!("{name:<52} {rate:.0} points a second are written");
    Ok(())
}

/// What each search of each caller found.
type Answers = Vec<Vec<Found>>;

/// The ids are compared, and where ties make two answers equally right, the cosines.
async fn searched(
    name: &str,
    index: &dyn VectorIndex,
    world: &World,
    searches: usize,
    exact: Option<&Answers>,
) -> Result<Answers, String> {
    let mut answers = Answers::new();
    for asking in ASKING {
        let caller = Caller::local(asking.project);
        let caller = Caller { tenant: "bench".to_owned(), ..caller };
        let (mut draws, mut times) = (Draws(2), Vec::new());
        let (mut hit, mut wanted) = (0_usize, 0_usize);
        for n in 0..=searches {
            let vector = world.vector(&mut draws);
            let asked = Nearest { vector, most: MOST, scope: None, facet: None };
            let begun = Instant::now();
            let found = index.nearest(&caller, &Kind::Bank, &asked).await.map_err(said)?;
            // The first one finds nothing prepared.
            if n > 0 {
                times.push(begun.elapsed());
            }
            if let Some(right) = exact.and_then(|exact| exact.get(answers.len())) {
                let ids: BTreeSet<&str> = found.iter().map(|one| one.id.as_str()).collect();
                hit += right.iter().filter(|one| ids.contains(one.id.as_str())).count();
                wanted += right.len();
            }
            answers.push(found);
        }
        let recall = match exact {
            Some(_) if wanted > 0 => format!("{:.4}", hit as f64 / wanted as f64),
            _ => "-".to_owned(),
        };
        println!(
            "{name:<52} {:>8} {:>9.2} {:>9.2} {recall:>10}",
            asking.name,
            quantile(&mut times, 0.5),
            quantile(&mut times, 0.99),
        );
    }
    Ok(answers)
}
