//! Any text as the reply of each search service.
#![no_main]

use elenchus_io::web::fuzzing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| fuzzing::provider_reply(text));
