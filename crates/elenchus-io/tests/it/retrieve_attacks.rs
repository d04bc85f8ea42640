//! Query languages and other hostile texts in what is searched for: no error, no row that does not belong, no long wait.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![expect(clippy::print_stdout, reason = "says what was skipped and what was measured")]

use crate::ingest::{corpus, now, put, request};
use elenchus_core::port::{RetrieveFailure, Retriever};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn data(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = root.join("attacks").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skip: no data: attacks/{name}; set ELENCHUS_DATA to the folder that holds it");
    None
}

fn payloads() -> Option<Vec<String>> {
    let mut all = Vec::new();
    for file in [
        "sql/own_fts5_queries.jsonl",
        "sql/patt_sqlite_postgres.jsonl",
        "sql/payloadbox_sqli.jsonl",
    ] {
        for line in std::fs::read_to_string(data(file)?).unwrap().lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            all.push(value["query"].as_str().or(value["payload"].as_str()).unwrap().to_owned());
        }
    }
    let plain = std::fs::read_to_string(data("sql/patt_sqli_polyglots.txt")?).unwrap();
    all.extend(plain.lines().map(str::to_owned));
    let naughty = std::fs::read_to_string(data("naughty/blns.json")?).unwrap();
    all.extend(serde_json::from_str::<Vec<String>>(&naughty).unwrap());
    Some(all)
}

#[test]
fn a_search_is_words_and_nothing_else() {
    let Some(all) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.md", "# Lamp\n\nThe lamp was lit in 1931.\n");
    put(folder.path(), "b.md", "# Weir\n\nThe weir was built in 1954.\n");
    put(folder.path(), "private/c.md", "# Vault\n\nNobody may see the vault.\n");
    let (corpus, _) = corpus(folder.path());
    let mut slowest = Duration::ZERO;
    for text in &all {
        let mut asked = request(text);
        asked.filter.exclude = vec!["private/".to_owned()];
        let begun = Instant::now();
        match now(corpus.search(&asked)) {
            Ok(reply) => {
                assert!(reply.hits.len() <= 2, "{text:?}: {:?}", reply.hits);
                assert!(reply.hits.iter().all(|hit| !hit.path.contains("private")), "{text:?}");
            }
            Err(RetrieveFailure::EmptyQuery { .. }) => {}
            Err(other) => unreachable!("{text:?}: {other}"),
        }
        slowest = slowest.max(begun.elapsed());
        // As what is left out it is a piece of a path and nothing else.
        asked.query = "lamp".to_owned();
        asked.filter.exclude = vec![text.clone()];
        let found = now(corpus.search(&asked)).unwrap().hits;
        // Nothing is no piece of a path.
        let names_it =
            |path: &str| !text.is_empty() && path.to_lowercase().contains(&text.to_lowercase());
        assert_eq!(found.iter().any(|hit| hit.path == "a.md"), !names_it("a.md"), "{text:?}");
    }
    println!("{} texts searched for, the slowest in {} ms", all.len(), slowest.as_millis());
    // Against texts that hang a search; how fast one is, is for the benchmarks to say.
    assert!(slowest < Duration::from_secs(30), "{slowest:?}");
}
