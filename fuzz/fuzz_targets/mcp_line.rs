//! Any bytes as a line of the Model Context Protocol.
#![no_main]

use elenchus_server::mcp::fuzzing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| fuzzing::line(bytes));
