//! Any text as sentences: nothing is lost and nothing is read twice.
#![no_main]

use elenchus_io::ingest::sentence::sentences;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut last = 0;
    for range in sentences(text) {
        assert!(last <= range.start && range.start < range.end, "{range:?} after {last}");
        let between = text.get(last..range.start).expect("sentences begin at characters");
        assert!(between.trim().is_empty(), "lost: {between:?}");
        let sentence = text.get(range.clone()).expect("sentences end at characters");
        assert_eq!(sentence.trim(), sentence, "white space around a sentence");
        last = range.end;
    }
    assert!(text[last..].trim().is_empty(), "lost: {:?}", &text[last..]);
});
