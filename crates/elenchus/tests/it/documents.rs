//! Reading and searching.

use crate::world::{World, harbor};

#[test]
fn what_changed_is_told() {
    let world = World::new();
    world.write("docs/a.md", "# A\n\nThe pump is red.\n");
    world.write("docs/b.md", "# B\n\nThe valve is blue.\n");
    let first = world.run(&["ingest", "docs", "--json"]).succeeds().json();
    assert_eq!((&first["added"], &first["documents"]), (&2.into(), &2.into()));

    world.write("docs/a.md", "# A\n\nThe pump is green now, and new.\n");
    world.write("docs/c.bin", [0, 1, 2]);
    std::fs::remove_file(world.folder().join("docs/b.md")).unwrap();
    let second = world.run(&["ingest", "docs", "--json"]).succeeds().json();
    for (name, count) in [("added", 0), ("changed", 1), ("removed", 1), ("unchanged", 0)] {
        assert_eq!(second[name], count, "{name}: {second:#}");
    }
    assert_eq!(second["skipped"][0]["path"], "c.bin");

    let rebuilt = world.run(&["ingest", "docs", "--rebuild"]);
    assert!(rebuilt.succeeds().out.contains("1 added"), "{}", rebuilt.out);
    assert!(rebuilt.out.contains("c.bin: unknown format"), "{}", rebuilt.out);
}

#[test]
fn a_search_finds_passages() {
    let world = World::new();
    let folder = harbor();
    let folder = folder.to_str().unwrap();
    let ran = world.run(&["search", "installed capacity", "--corpus", folder, "-n", "3", "--json"]);
    let hits = ran.succeeds().json();
    let hits = hits["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 3);
    assert!(hits[0]["text"].as_str().unwrap().contains("Installed capacity"));
    assert!(hits.windows(2).all(|pair| pair[0]["score"].as_f64() >= pair[1]["score"].as_f64()));
    let shown = world.run(&["search", "installed capacity", "--corpus", folder, "-n", "2"]);
    insta::assert_snapshot!("search", shown.succeeds().out);
    let nothing = world.run(&["search", "zxqv", "--corpus", folder, "--ephemeral"]);
    nothing.succeeds();
}

#[test]
fn a_search_without_a_word_is_a_usage_error() {
    let world = World::new();
    let folder = harbor();
    world.run(&["search", "...", "--corpus", folder.to_str().unwrap()]).fails(
        2,
        "it holds no word",
        "search for a word",
    );
}

#[test]
fn an_index_that_is_none_is_never_removed() {
    let world = World::new();
    world.write("docs/a.md", "# A\n\nThe pump is red.\n");
    world.write("mine.txt", "dear diary");
    world.run(&["ingest", "docs", "--index", "mine.txt"]).fails(5, "not a database", "--index");
    world.run(&["ingest", "docs", "--index", "mine.txt", "--rebuild"]).fails(
        2,
        "probably not an index",
        "name another file",
    );
    assert_eq!(std::fs::read_to_string(world.folder().join("mine.txt")).unwrap(), "dear diary");
}
