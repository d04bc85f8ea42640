//! The journal: the ordered, hash-chained list of everything that a run was told.
//!
//! An intent is written before an effect is performed and the outcome after it. Intents change no state:
//! they say, after a crash, which effects may have been in flight, and carry the idempotency key under which
//! they are performed again. Inputs are fed to [`crate::inquiry::Run::feed`] in order; nothing else is state.

use crate::id::{EffectId, RunId, Timestamp, hex};
use crate::inquiry::Input;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The hash before the first record.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The journal format that this version writes. Every version reads all earlier ones.
pub const FORMAT: u32 = 1;

/// What a record says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum Entry {
    /// Something the run was told.
    Input(Box<Input>),
    /// Effects about to be performed, each with its idempotency key.
    Intent(Vec<Intent>),
}

/// An effect about to be performed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    /// Which effect of the run.
    pub effect_id: EffectId,
    /// The same for every attempt at this effect of this run.
    pub key: String,
}

impl Intent {
    /// The intent for an effect of a run.
    pub fn new(run_id: &RunId, effect_id: EffectId) -> Self {
        Self { effect_id, key: format!("{run_id}/{effect_id}") }
    }
}

/// One record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalRecord {
    /// Journal format, see [`FORMAT`].
    pub v: u32,
    /// Dense from 1.
    pub seq: u64,
    /// When it was written.
    pub at: Timestamp,
    /// What it says.
    pub entry: Entry,
}

/// A record as it is stored: its exact bytes and its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRecord {
    /// The record's number.
    pub seq: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The record as JSON.
    pub json: String,
    /// SHA-256 over the previous hash and `json`, hexadecimal.
    pub hash: String,
    /// The hash before this record.
    pub previous: String,
    /// Whether the run is over after this record, and why: stores keep it for listings.
    pub ended: Option<String>,
    /// The number of the control, left in the store by another process, that this record obeys: it is taken with the record or not
    /// at all. No part of the record itself.
    pub takes: Option<u64>,
}

/// SHA-256 of the previous hash and the record's bytes.
pub fn chain_hash(previous: &str, json: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(previous.as_bytes());
    digest.update([b'\n']);
    digest.update(json.as_bytes());
    hex(&digest.finalize())
}

impl JournalRecord {
    /// Serialises the record and chains it to what stands before it.
    pub fn seal(&self, previous: &str) -> SealedRecord {
        let json = serde_json::to_string(self)
            .expect("journal records hold only maps with string keys and finite numbers");
        let hash = chain_hash(previous, &json);
        SealedRecord {
            seq: self.seq,
            at: self.at,
            json,
            hash,
            previous: previous.to_owned(),
            ended: None,
            takes: None,
        }
    }
}

/// Why a stored record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainBreak {
    /// The record's number.
    pub seq: u64,
    /// What does not fit.
    pub cause: String,
}

/// Checks stored records (number, JSON, hash) and reads them. The rows are in order of their number.
pub fn verify_chain<'a>(
    rows: impl Iterator<Item = (u64, &'a str, &'a str)>,
) -> Result<Vec<JournalRecord>, ChainBreak> {
    let mut previous = GENESIS.to_owned();
    let mut records = Vec::new();
    for (seq, json, hash) in rows {
        let expected = records.len() as u64 + 1;
        let broken = |cause: String| ChainBreak { seq, cause };
        if seq != expected {
            return Err(broken(format!("record {expected} is missing")));
        }
        if chain_hash(&previous, json) != hash {
            return Err(broken("its hash does not match its content".to_owned()));
        }
        let record: JournalRecord = serde_json::from_str(json)
            .map_err(|error| broken(format!("it cannot be read: {error}")))?;
        if record.v > FORMAT {
            return Err(broken(format!(
                "it was written in journal format {} and this version reads up to {FORMAT}; update elenchus",
                record.v
            )));
        }
        if record.seq != seq {
            return Err(broken(format!("it says it is record {}", record.seq)));
        }
        hash.clone_into(&mut previous);
        records.push(record);
    }
    Ok(records)
}
