//! Any lines as a journal: read back as sealed, or refused with the number of the record.
#![no_main]

use elenchus_core::id::{EffectId, Timestamp};
use elenchus_core::journal::{
    Entry, FORMAT, GENESIS, Intent, JournalRecord, SealedRecord, chain_hash, verify_chain,
};
use libfuzzer_sys::fuzz_target;

/// Number, JSON and hash of each line, chained whatever the lines say.
fn chained<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(u64, String, String)> {
    let mut previous = GENESIS.to_owned();
    let mut rows = Vec::new();
    for (at, line) in lines.enumerate() {
        previous = chain_hash(&previous, line);
        rows.push((at as u64 + 1, line.to_owned(), previous.clone()));
    }
    rows
}

fn borrowed(rows: &[(u64, String, String)]) -> impl Iterator<Item = (u64, &str, &str)> {
    rows.iter().map(|(seq, json, hash)| (*seq, json.as_str(), hash.as_str()))
}

fn sealed(records: &[JournalRecord]) -> Vec<SealedRecord> {
    let mut rows: Vec<SealedRecord> = Vec::new();
    for record in records {
        let previous = rows.last().map_or(GENESIS, |row| row.hash.as_str());
        let row = record.seal(previous);
        rows.push(row);
    }
    rows
}

fn check(records: &[JournalRecord]) {
    let rows = sealed(records);
    let read = verify_chain(rows.iter().map(|row| (row.seq, row.json.as_str(), row.hash.as_str())));
    assert_eq!(read.as_deref(), Ok(records), "what was sealed is read back");
    // A record that is gone, or changed by one character, is seen.
    if rows.len() > 1 {
        let gone = rows.iter().skip(1).map(|row| (row.seq, row.json.as_str(), row.hash.as_str()));
        assert!(verify_chain(gone).is_err());
    }
    if let Some(first) = rows.first() {
        let changed = format!("{} ", first.json);
        assert!(verify_chain([(1, changed.as_str(), first.hash.as_str())].into_iter()).is_err());
    }
}

fuzz_target!(|text: &str| {
    let mut rows = chained(text.lines());
    match verify_chain(borrowed(&rows)) {
        Ok(records) => {
            assert_eq!(records.len(), rows.len());
            check(&records);
        }
        Err(fault) => {
            assert!((1..=rows.len() as u64).contains(&fault.seq) && !fault.cause.is_empty());
            // What stands before the fault is whole.
            rows.truncate(fault.seq as usize - 1);
            let before = verify_chain(borrowed(&rows)).expect("the records before the fault");
            check(&before);
        }
    }

    let entries = text.lines().enumerate().map(|(at, key)| JournalRecord {
        v: FORMAT,
        seq: at as u64 + 1,
        at: Timestamp(at as i64),
        entry: Entry::Intent(vec![Intent { effect_id: EffectId(at as u32), key: key.to_owned() }]),
    });
    check(&entries.collect::<Vec<_>>());
});
