//! How far the index is behind the folder, without bringing it up.

use super::CorpusError;
use super::corpus::Corpus;
use super::index::Stamp;
use super::sync::{files, known, unreadable};
use crate::ingest::content_hash;
use rusqlite::Connection;

/// Files that are new or changed since the index was brought up to the folder, and documents whose files are gone.
pub(super) fn behind(corpus: &Corpus, db: &Connection) -> Result<usize, CorpusError> {
    let fault = |error: rusqlite::Error| corpus.fault("compare the index with the folder", &error);
    let files = files(corpus).files;
    let mut known = known(db).map_err(fault)?;
    let unreadable = unreadable(db).map_err(fault)?;
    let mut behind = 0;
    for file in &files {
        let stamp = Stamp { size: file.size.cast_signed(), changed: file.changed };
        let is_as_before = match (known.remove(&file.path), unreadable.get(&file.path)) {
            (Some(old), _) if old.stamp == stamp && stamp.changed != 0 => true,
            // Touched, which is no change of what it says.
            (Some(old), _) => {
                std::fs::read(&file.location).is_ok_and(|bytes| old.hash == content_hash(&bytes))
            }
            (None, Some((old, _))) => *old == stamp,
            (None, None) => false,
        };
        behind += usize::from(!is_as_before);
    }
    Ok(behind + known.len())
}
