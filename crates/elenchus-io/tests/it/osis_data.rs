//! References to the Bible over real texts: the verse tables and the church fathers' editions with their notes.

#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use elenchus_core::pack::theology::{OsisRef, references};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The folder of texts, or a visible skip.
fn theology() -> Option<PathBuf> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = root.join("theology");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skip: no data: theology; set ELENCHUS_DATA to the folder that holds it");
    None
}

#[test]
fn every_verse_of_the_tables_has_a_name_that_is_read() {
    let Some(folder) = theology() else { return };
    let kjv = std::fs::read_to_string(folder.join("kjv.tsv")).unwrap();
    let mut count = 0;
    for line in kjv.lines() {
        let id = line.split('\t').next().unwrap();
        let verse: OsisRef = id.parse().unwrap();
        assert!(verse.is_verse() && verse.to_string() == id);
        let spoken = references(&format!("as in {}.", verse.spoken()));
        assert_eq!(spoken.iter().map(|found| found.reference).collect::<Vec<_>>(), [verse], "{id}");
        count += 1;
    }
    assert_eq!(count, 31_102);
}

#[test]
fn the_fathers_cite() {
    let Some(folder) = theology() else { return };
    let (mut verses, mut chapters, mut by_book) = (0_u32, 0_u32, BTreeMap::<&str, u32>::new());
    let mut texts: Vec<PathBuf> = std::fs::read_dir(folder.join("fathers"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    texts.sort();
    for path in texts.iter().filter(|path| path.extension().is_some_and(|ext| ext == "txt")) {
        let text = std::fs::read_to_string(path).unwrap();
        for found in references(&text) {
            if found.reference.first().verse.is_some() {
                verses += 1;
            } else {
                chapters += 1;
            }
            *by_book.entry(found.reference.book().osis()).or_default() += 1;
        }
    }
    println!("{verses} references to verses and {chapters} to chapters, {by_book:?}");
    // Counted on 2026-11-22; editions cite the gospels, Paul and the psalms most.
    assert!(verses > 1_000, "{verses}");
    assert!(chapters * 10 < verses, "{chapters} of {verses}");
    assert!(by_book["John"] > by_book.get("Ruth").copied().unwrap_or(0));
}
