//! Any text as an export of memories: read or refused with a reason, and what was read is written so that it can be read again.
#![no_main]

use elenchus_core::id::Timestamp;
use elenchus_io::bank::{from_markdown, to_markdown};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let read = |text: &str| from_markdown(text, "fuzz", Timestamp(1_000));
    match read(text) {
        Ok(found) => {
            let again = read(&to_markdown(&found)).expect("what was written is read");
            assert_eq!(again.len(), found.len());
        }
        Err(reason) => assert!(!reason.trim().is_empty()),
    }
});
