//! What every store makes sure of, whatever it keeps runs in: a run begins at its beginning, and what is read is whole.

use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::journal::{GENESIS, JournalRecord, SealedRecord, verify_chain};
use elenchus_core::port::{CitedSource, StoreFailure};
use elenchus_core::trace::Envelope;

/// A run is created with the first record of a journal.
pub(super) fn begins(run_id: &RunId, first: &SealedRecord) -> Result<(), StoreFailure> {
    if first.seq == 1 && first.previous == GENESIS {
        return Ok(());
    }
    Err(StoreFailure::NotNext { run_id: run_id.clone(), seq: first.seq, tip: 0 })
}

/// The records of a journal of which `counted` were written: number, text and hash of each, in order.
pub(super) fn journal(
    run_id: &RunId,
    counted: u64,
    rows: &[(u64, String, String)],
) -> Result<Vec<JournalRecord>, StoreFailure> {
    let corrupt = |seq, cause| StoreFailure::Corrupt { run_id: run_id.clone(), seq, cause };
    let sealed = rows.iter().map(|(seq, json, hash)| (*seq, json.as_str(), hash.as_str()));
    let records = verify_chain(sealed).map_err(|broken| corrupt(broken.seq, broken.cause))?;
    // The chain cannot tell that its end is missing; the count can.
    if records.len() as u64 != counted {
        return Err(corrupt(
            records.len() as u64 + 1,
            format!("{counted} records were written and {} are there", records.len()),
        ));
    }
    Ok(records)
}

/// The events of a trace after number `after`, which has `counted` in all: number and text of each, in order.
///
/// # Errors
/// Which one is missing or damaged, with the way out.
pub(super) fn events(
    run_id: &RunId,
    after: u64,
    counted: u64,
    rows: &[(u64, String)],
) -> Result<Vec<Envelope>, String> {
    let damaged = |seq: u64, what: String| {
        format!(
            "event {seq} {what}; the store was changed or damaged, but the trace can be derived again from the journal: `elenchus runs replay {run_id}`"
        )
    };
    let mut events: Vec<Envelope> = Vec::with_capacity(rows.len());
    for ((seq, json), expected) in rows.iter().zip(after.saturating_add(1)..) {
        if *seq != expected {
            return Err(damaged(expected, "is missing".to_owned()));
        }
        let event = serde_json::from_str(json)
            .map_err(|error| damaged(expected, format!("cannot be read ({error})")))?;
        events.push(event);
    }
    let last = after.saturating_add(events.len() as u64);
    if last < counted {
        return Err(damaged(last + 1, "is missing".to_owned()));
    }
    Ok(events)
}

/// A citation as a row: the run, its question, its start, and the citation as JSON.
pub(super) type Cited = (RunId, String, Timestamp, String);

/// The citations of rows.
pub(super) fn cited(attempted: &str, rows: Vec<Cited>) -> Result<Vec<CitedSource>, StoreFailure> {
    rows.into_iter()
        .map(|(run_id, question, started_at, json)| {
            let citation = serde_json::from_str(&json).map_err(|error| StoreFailure::Io {
                attempted: attempted.to_owned(),
                cause: format!(
                    "a source of run {run_id} cannot be read ({error}); the store was changed or damaged, `elenchus doctor` checks it"
                ),
            })?;
            Ok(CitedSource { run_id, question, started_at, citation })
        })
        .collect()
}

/// An event that no text can be made of.
pub(super) fn unsayable(
    run_id: &RunId,
    event: &Envelope,
    error: &serde_json::Error,
) -> StoreFailure {
    StoreFailure::Io {
        attempted: format!("write event {} of run {run_id}", event.seq),
        cause: format!(
            "it cannot be put into words ({error}); this is a defect of elenchus, report it"
        ),
    }
}
