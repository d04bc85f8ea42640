//! `elenchus index`, and the memory beside an index that is not there.

use crate::world::World;

#[test]
fn without_a_server_there_is_no_index_to_look_at() {
    let world = World::new();
    let ran = world.run(&["index", "check"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let way_out = if cfg!(feature = "qdrant") { "set QDRANT_URL" } else { "--features qdrant" };
    assert!(ran.err.contains(way_out), "{ran:?}");
}

/// A server that nobody started: the memory works all the same, and says what it does without.
#[test]
fn a_server_that_is_not_there_is_told_and_costs_nothing() {
    let world = World::new();
    let run = |words: &[&str]| world.run_with(words, &[("QDRANT_URL", "http://127.0.0.1:9")]);
    let record = [
        "memory",
        "record",
        "--title",
        "Read the winter table",
        "--description",
        "When a ferry is late",
    ];
    let words =
        [&record[..], &["--content", "Ferries leave later.", "--outcome", "success"]].concat();
    let recorded = run(&words);
    assert_eq!(recorded.code, Some(0), "{recorded:?}");
    let lacks = if cfg!(feature = "qdrant") { "lacks the change" } else { "cannot speak to it" };
    assert!(recorded.err.contains("warning:") && recorded.err.contains(lacks), "{recorded:?}");
    let found = run(&["memory", "search", "winter ferries"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.out.contains("Read the winter table"), "{found:?}");
    assert!(found.err.contains("vectors in its own file"), "{found:?}");
    let checked = run(&["index", "check"]);
    let wanted = if cfg!(feature = "qdrant") { Some(5) } else { Some(2) };
    assert_eq!(checked.code, wanted, "{checked:?}");
}
