//! Splitting and stemming any text.
#![no_main]

use elenchus_core::text::{content_set, content_stems, is_invisible, squeeze, words};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = words(text);
    for word in &found {
        assert!(!word.chars().any(char::is_whitespace), "white space in {word:?}");
        assert!(!word.contains('_'), "joined by an underscore: {word:?}");
    }
    assert!(content_stems(text).len() <= found.len());
    assert!(content_set(text).len() <= found.len());

    let line = squeeze(text);
    assert_eq!(squeeze(&line), line, "squeezing twice is squeezing once");
    assert!(!line.chars().any(is_invisible), "invisible in {line:?}");
    assert!(!line.contains("  ") && line.trim() == line, "spaces in {line:?}");
    assert!(line.len() <= text.len() || text.is_empty());
});
