//! Any text as claims: each is an exact slice of it, in order, and no claim carries more than a reader could follow.
#![no_main]

use elenchus_core::evidence::char_slice;
use elenchus_io::verify::extract::{extract, references};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = extract(text);
    let mut last = 0;
    for (at, claim) in found.claims.iter().enumerate() {
        assert!(claim.holds_in(text), "{claim:?}");
        assert_eq!(claim.id.as_str(), format!("c{}", at + 1));
        assert!(!claim.text.trim().is_empty(), "{claim:?} says nothing");
        assert!(last <= claim.source_span.start, "{claim:?} begins before {last}");
        assert!(claim.citations.len() <= 64, "{} citations", claim.citations.len());
        for word in &claim.substantive_words {
            let stands = char_slice(&claim.text, word.position);
            assert_eq!(stands, Some(word.word.as_str()), "{claim:?}");
        }
        last = claim.source_span.start;
    }
    for defect in &found.defects {
        assert!(char_slice(text, defect.span).is_some_and(|words| !words.is_empty()), "{defect:?}");
        assert!(!defect.reason.is_empty());
    }
    for reference in references(text) {
        assert!(!reference.marker.is_empty(), "{reference:?} cannot be cited");
    }
});
