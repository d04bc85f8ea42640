//! Any text as units: inside the text, in order, and nothing readable lost between them but layout.
#![no_main]

use elenchus_core::evidence::{Span, char_slice};
use elenchus_io::ingest::units;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut last = 0;
    for unit in units(text) {
        assert!(last <= unit.span.start, "{unit:?} begins before {last}");
        let piece = char_slice(text, unit.span).expect("units lie in the text");
        assert!(!piece.trim().is_empty(), "{unit:?} is empty");
        assert_eq!(piece.trim(), piece, "white space around {unit:?}");
        let between = Span { start: last, end: unit.span.start };
        let between = char_slice(text, between).expect("units are in order");
        assert!(
            !between.chars().any(char::is_alphabetic) || is_layout(between),
            "lost: {between:?}"
        );
        let mut cell_end = unit.span.start;
        for cell in &unit.cells {
            assert!(cell_end <= cell.start && cell.start <= cell.end, "{unit:?}");
            assert!(cell.end <= unit.span.end, "a cell leaves its row: {unit:?}");
            cell_end = cell.end;
        }
        last = unit.span.end;
    }
});

/// Fences carry the name of a language; the dots of a table of contents lead to a page at most.
fn is_layout(between: &str) -> bool {
    between.lines().filter(|line| line.chars().any(char::is_alphabetic)).all(|line| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
        let page = [". . . .", "....."].iter().filter_map(|dots| line.rsplit_once(dots)).next();
        line.starts_with("```")
            || line.starts_with("~~~")
            || page.is_some_and(|(_, page)| page.split_whitespace().count() <= 2)
    })
}
