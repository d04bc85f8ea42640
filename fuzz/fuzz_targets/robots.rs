//! Any bytes as a robots.txt. The first line is the path that is asked for.
#![no_main]

use elenchus_io::web::fuzzing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (path, file) = bytes.split_at(end);
    fuzzing::robots(file, &String::from_utf8_lossy(path));
});
