//! The index on real PostgreSQL servers, with pgvector and without.

use super::world::{Dice, caller, cosine, lot, nearest, point, points, shared};
use super::{DIMENSIONS, storm, suite};
use crate::pg::testkit::{run, schema, servers};
use crate::vector_index::{Kind, PgIndex, Point, Standing, VectorIndex};
use elenchus_core::bank::Scope;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

fn index(url: &str) -> PgIndex {
    PgIndex::new(url, "a test", DIMENSIONS).unwrap()
}

/// Does `work` with a schema of its own on every server.
async fn on_servers(test: &str, work: impl AsyncFn(String)) {
    for server in servers(test) {
        work(schema(&server).await.unwrap()).await;
    }
}

/// Both ways of a server to compare: with pgvector where it has it, and without.
async fn both(url: &str) -> Vec<(String, PgIndex)> {
    let usual = index(url);
    let (standing, is_new) = usual.prepare().await.unwrap();
    assert!(is_new);
    let mut all = vec![(standing.to_string(), usual)];
    if matches!(standing, Standing::Extension { .. }) {
        let without = index(url).without_extension();
        let name = without.prepare().await.unwrap().0.to_string();
        all.push((name, without));
    }
    all
}

#[tokio::test]
async fn a_server_keeps_the_contract() {
    on_servers("a_server_keeps_the_contract", async |url| {
        for (name, index) in both(&url).await {
            suite::suite(&format!("postgres, {name}"), &index, "a").await;
            assert!(index.name().contains(&name), "{}", index.name());
        }
    })
    .await;
}

#[tokio::test]
async fn a_storm_over_a_server_lets_nothing_foreign_through() {
    let operations = if std::env::var_os("ELENCHUS_NIGHTLY").is_some() { 10_000 } else { 3_000 };
    on_servers("a_storm_over_a_server_lets_nothing_foreign_through", async |url| {
        for (name, index) in both(&url).await {
            let said = storm::storm(&index, "a", 7, operations).await;
            println!("storm over postgres, {name}: {said}");
        }
        // Every search through the graph, as in a large table.
        let graph = index(&url).exact_up_to(0);
        let said = storm::storm(&graph, "graph", 9, operations / 3).await;
        println!("storm over postgres, always the graph where there is one: {said}");
    })
    .await;
}

/// Points in heaps, as texts lie: `n` of one piece in three projects, of which `rare` has every hundredth.
fn heaps(n: usize) -> Vec<Point> {
    let mut dice = Dice(11);
    let centres: Vec<Vec<f32>> = (0..40).map(|_| dice.vector()).collect();
    (0..n)
        .map(|at| {
            let centre = &centres[dice.below(centres.len())];
            let beside = dice.vector();
            let vector = centre.iter().zip(&beside).map(|(a, b)| a + b * 0.3).collect();
            let mut one = point(&format!("p{at:06}"), vec![vector]);
            let project = match at % 100 {
                0 => "rare",
                odd if odd % 2 == 1 => "ferry",
                _ => "tram",
            };
            one.shared = shared(project, Scope::Project);
            one
        })
        .collect()
}

#[tokio::test]
async fn a_graph_finds_nearly_all_and_nothing_that_may_not_be_seen() {
    on_servers("a_graph_finds_nearly_all_and_nothing_that_may_not_be_seen", async |url| {
        let index = index(&url).exact_up_to(0);
        let (standing, _) = index.prepare().await.unwrap();
        if !matches!(standing, Standing::Extension { .. }) {
            println!("the server has no graphs: {standing}");
            return;
        }
        let (all, lot) = (heaps(12_000), lot("heaps"));
        index.without_graph().await.unwrap();
        index.upsert(&lot, &all).await.unwrap();
        index.with_graph().await.unwrap();
        assert_eq!(index.size(&lot).await, Ok(12_000));
        let mut dice = Dice(12);
        for project in ["ferry", "tram", "rare"] {
            let asking = caller("heaps", project, None, None);
            let seen: Vec<&Point> =
                all.iter().filter(|point| point.shared.seen_by(&asking)).collect();
            let (mut hit, mut wanted) = (0, 0);
            for _ in 0..60 {
                let asked = nearest(dice.vector(), 10);
                let found = index.nearest(&asking, &Kind::Bank, &asked).await.unwrap();
                let mut exact: Vec<(f64, &str)> = seen
                    .iter()
                    .map(|point| (cosine(point, &asked.vector), point.id.as_str()))
                    .collect();
                exact.sort_by(|a, b| b.0.total_cmp(&a.0));
                let ids: BTreeSet<&str> = seen.iter().map(|point| point.id.as_str()).collect();
                assert!(found.len() == 10 && found.iter().all(|one| ids.contains(one.id.as_str())));
                let best: BTreeSet<&str> = exact[..10].iter().map(|(_, id)| *id).collect();
                hit += found.iter().filter(|one| best.contains(one.id.as_str())).count();
                wanted += best.len();
            }
            let recall = f64::from(hit as u32) / f64::from(wanted as u32);
            println!("recall@10 within {project} ({} points): {recall:.4}", seen.len());
            assert!(recall >= 0.95, "{project}: {recall}");
        }
    })
    .await;
}

#[tokio::test]
async fn without_the_right_to_make_the_extension_vectors_are_compared_exactly_and_that_is_said_once()
 {
    let test = "without_the_right_to_make_the_extension_vectors_are_compared_exactly_and_that_is_said_once";
    for server in servers(test) {
        let name = format!("refused{}", std::process::id());
        for sql in [
            format!("CREATE DATABASE {name}"),
            format!("CREATE ROLE {name} LOGIN"),
            format!("REVOKE CREATE ON DATABASE {name} FROM PUBLIC"),
        ] {
            run(&server, &sql).await.unwrap();
        }
        let own = server.replace("/postgres?", &format!("/{name}?"));
        run(&own, &format!("CREATE SCHEMA elenchus AUTHORIZATION {name}")).await.unwrap();
        let weak = own.replace("postgres@", &format!("{name}@"));
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let opened = || {
            let heard = Arc::clone(&heard);
            index(&weak).saying(Arc::new(move |line| heard.lock().unwrap().push(line.to_owned())))
        };
        let (lot, some) = (lot("weak"), points(20));
        for _ in 0..2 {
            let index = opened();
            index.upsert(&lot, &some).await.unwrap();
            let (standing, _) = index.prepare().await.unwrap();
            let Standing::Exact { cause, way_out } = standing else {
                unreachable!("a role without the right has made the extension")
            };
            let told = heard.lock().unwrap().clone();
            assert!(told.len() == 1 && told[0].contains(&cause), "said once: {told:?}");
            let absent = cause.contains("not installed");
            let refused = cause.contains("permission denied");
            assert!(absent || refused, "{cause}");
            assert!(way_out.contains(if absent {
                "install it"
            } else {
                "CREATE EXTENSION vector"
            }));
        }
        // An owner makes it: the next process uses it, and what it has to compare comes from the store again.
        if run(&own, "CREATE EXTENSION vector").await.is_ok() {
            let index = opened();
            let (standing, is_new) = index.prepare().await.unwrap();
            assert!(matches!(standing, Standing::Extension { .. }) && is_new, "{standing}");
            assert_eq!(index.size(&lot).await, Ok(0));
            index.upsert(&lot, &some).await.unwrap();
            assert_eq!(index.size(&lot).await, Ok(20));
            assert_eq!(heard.lock().unwrap().len(), 1);
        }
        run(&server, &format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
        run(&server, &format!("DROP ROLE {name}")).await.unwrap();
    }
}

#[tokio::test]
async fn a_table_that_somebody_dropped_is_made_again() {
    on_servers("a_table_that_somebody_dropped_is_made_again", async |url| {
        let index = index(&url);
        let (lot, some) = (lot("dropped"), points(5));
        index.upsert(&lot, &some).await.unwrap();
        let drop = "DO $$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables
                    WHERE schemaname = current_schema() AND tablename LIKE 'vector%' LOOP
                    EXECUTE format('DROP TABLE %I', name); END LOOP; END $$";
        run(&url, drop).await.unwrap();
        let failure = index.size(&lot).await.unwrap_err();
        assert_eq!(failure.trouble, crate::vector_index::Trouble::Unfit, "{failure}");
        assert_eq!(index.size(&lot).await, Ok(0), "it is there again, and empty");
        index.upsert(&lot, &some).await.unwrap();
        assert_eq!(index.size(&lot).await, Ok(5));
    })
    .await;
}

/// Two processes that write the same points with different numbers of pieces leave those of one of them.
#[tokio::test]
async fn pieces_of_two_writers_never_mix() {
    on_servers("pieces_of_two_writers_never_mix", async |url| {
        let (one, other) = (index(&url), index(&url));
        let lot = lot("mixed");
        let mut dice = Dice(5);
        let mut of = |pieces: usize| -> Vec<Point> {
            (0..8)
                .map(|at| point(&format!("p{at}"), (0..pieces).map(|_| dice.vector()).collect()))
                .collect()
        };
        for _ in 0..20 {
            let (a, b) = (of(3), of(1));
            let (first, second) = tokio::join!(one.upsert(&lot, &a), other.upsert(&lot, &b));
            first.and(second).unwrap();
            let page = one.page(&lot, None, 100).await.unwrap();
            let prints: Vec<&str> = page.listed.iter().map(|one| one.print.as_str()).collect();
            let left = [&a, &b].into_iter().find(|points| {
                points.iter().map(Point::print).zip(&prints).all(|(one, other)| one == *other)
            });
            let left = left.expect("all points are of one writer");
            // The cosine with a piece that is no more would be found.
            for gone in a.iter().chain(&b).flat_map(|point| &point.vectors) {
                let asking = caller("mixed", "ferry", None, None);
                let found = one.nearest(&asking, &Kind::Bank, &nearest(gone.clone(), 8)).await;
                for found in found.unwrap() {
                    let kept = left.iter().find(|point| point.id == found.id).unwrap();
                    let is = cosine(kept, gone);
                    assert!((f64::from(found.cosine) - is).abs() < 2e-5, "{} {is}", found.cosine);
                }
            }
        }
    })
    .await;
}
