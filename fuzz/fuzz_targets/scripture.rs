//! References in any text: inside it, apart from each other, of places that exist, and written as they are read.
#![no_main]

use elenchus_core::evidence::char_slice;
use elenchus_core::pack::theology::{OsisRef, is_links, linked, references};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut last = 0;
    for found in references(text) {
        assert!(last <= found.span.start && found.span.start < found.span.end, "{found:?}");
        assert!(char_slice(text, found.span).is_some(), "{found:?} leaves the text");
        let (id, reference) = (found.reference.to_string(), found.reference);
        assert_eq!(id.parse::<OsisRef>(), Ok(reference));
        let again = references(&id);
        assert_eq!(again.len(), 1, "{id} is found as itself");
        assert_eq!(again[0].reference, reference);
        let verses = reference.verses(200);
        assert!(!verses.is_empty() && verses.iter().all(|verse| reference.contains(*verse)));
        linked(text, reference);
        last = found.span.end;
    }
    if let Ok(reference) = text.parse::<OsisRef>() {
        assert_eq!(reference.to_string().parse::<OsisRef>(), Ok(reference));
    }
    assert!(!is_links(text) || !text.trim().is_empty());
});
