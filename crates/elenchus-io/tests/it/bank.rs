//! The bank keeps its contract, in memory and in a file; also between processes, over a migration, and under attack.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::bank::BankSettings;
use elenchus_core::testkit::{bank_suite, block_on};
use elenchus_io::bank::SqliteBank;
use elenchus_io::retrieve::builtin_vectors;
use elenchus_io::store::SqliteOptions;
use std::cell::Cell;
use std::path::Path;

fn settings() -> BankSettings {
    BankSettings { exploration: 0.0, ..BankSettings::default() }
}

fn open(path: &Path) -> SqliteBank {
    SqliteBank::open(path, &SqliteOptions::default(), settings(), Some(builtin_vectors())).unwrap()
}

#[test]
fn in_memory_it_keeps_the_contract() {
    block_on(bank_suite("memory", || SqliteBank::in_memory(settings()).unwrap()));
}

#[test]
fn in_a_file_it_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let next = Cell::new(0);
    block_on(bank_suite("sqlite", || {
        next.set(next.get() + 1);
        open(&folder.path().join(format!("{}.db", next.get())))
    }));
}
