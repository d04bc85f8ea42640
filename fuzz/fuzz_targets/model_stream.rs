//! Any bytes as the stream of a model server. The first byte tells how the network cuts it.
#![no_main]

use elenchus_io::model::language::fuzzing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    fuzzing::stream(bytes, usize::from(bytes.first().copied().unwrap_or(1)));
});
