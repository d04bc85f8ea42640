//! The corpus: a folder behind core's `Retriever` port.
//!
//! One SQLite file holds documents, passages, a full-text index and quantised vectors. What a search
//! touches for every passage (vectors, who owns it) is resident; what it touches for the few it returns is
//! read from the file. The file is derived from the folder and can always be built again.

mod behind;
pub(crate) mod cluster;
mod corpus;
mod embedding;
mod expand;
#[cfg(test)]
mod full_disk;
mod index;
mod kept_vectors;
mod meetings;
mod one_mail;
mod query;
mod remote;
mod resident;
mod search;
mod subjects;
mod sync;
mod vectors;
mod verses;

pub use corpus::Corpus;
pub(crate) use query::{Term, content_terms};
pub use remote::RemoteVectors;
pub use search::RankedRecord;
pub(crate) use search::{DENSE, LEXICAL};
pub use sync::{FileSecrets, Group, IngestReport, Progress};
pub use vectors::{TextVectors, builtin_vectors, sentence_vectors};
pub(crate) use vectors::{dot, quantise};
pub use verses::Joined;

use elenchus_core::port::RetrieveFailure;
use std::path::PathBuf;

/// Why a corpus could not be opened or brought up to date.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The corpus folder cannot be listed.
    #[error(
        "could not open the corpus {path}: {cause}; check the path, it must be a folder that may be read"
    )]
    Folder {
        /// As given.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// The index file cannot be created or opened.
    #[error(
        "could not open the index {path}: {cause}; check that its folder exists and may be written"
    )]
    Open {
        /// The index file.
        path: PathBuf,
        /// What SQLite or the system said.
        cause: String,
    },
    /// The index file is damaged.
    #[error(
        "could not use the index {path}: it is damaged ({cause}); nothing of the corpus is lost, build it again \
         with `elenchus ingest DIR --rebuild`"
    )]
    Damaged {
        /// The index file.
        path: PathBuf,
        /// What SQLite said.
        cause: String,
    },
    /// The index file was made by a newer version of this program.
    #[error(
        "could not use the index {path}: its format {found} is newer than {known}, which this version knows; \
         update elenchus, or build it again with `elenchus ingest DIR --rebuild`"
    )]
    Newer {
        /// The index file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest known.
        known: i64,
    },
    /// The embedder failed.
    #[error(
        "could not {attempted}: {cause}; use the built-in embedder, or mend the model's folder"
    )]
    Embedder {
        /// What was attempted.
        attempted: &'static str,
        /// What the embedder said.
        cause: String,
        /// Whether asking it again is of no use, as [`elenchus_core::port::EmbedFailure`] tells it.
        permanent: bool,
    },
    /// The vectors of the index are another embedder's, and embedding all passages again was not asked for.
    #[error(
        "could not use the index {path}: its vectors are those of {found} and the embedder is {wanted}, which would have to \
         embed all {passages} passages again; say so with `elenchus ingest DIR --re-embed`, or name the embedder of before"
    )]
    OtherVectors {
        /// The index file.
        path: PathBuf,
        /// How its vectors were made.
        found: String,
        /// How they would be made.
        wanted: String,
        /// Passages in the index.
        passages: u32,
    },
    /// Another process writes to the index.
    #[error(
        "could not {attempted}: another process is writing to the index; try again when it has finished"
    )]
    Busy {
        /// What was attempted.
        attempted: &'static str,
    },
    /// The disk is full.
    #[error(
        "could not {attempted}: the disk is full; free some space and run it again, what was written is kept"
    )]
    Full {
        /// What was attempted.
        attempted: &'static str,
    },
    /// Anything else that SQLite reports.
    #[error(
        "could not {attempted}: {cause}; if it happens again, build the index again with `elenchus ingest DIR --rebuild`"
    )]
    Index {
        /// What was attempted.
        attempted: &'static str,
        /// What SQLite said.
        cause: String,
    },
}

impl CorpusError {
    /// Sorts an SQLite error by what a person can do about it.
    fn sqlite(attempted: &'static str, path: &std::path::Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
        };
        // An embedder's failure inside a statement's loop travels as SQLite's error type.
        if let rusqlite::Error::ToSqlConversionFailure(cause) = error
            && let Some(failure) = cause.downcast_ref::<elenchus_core::port::EmbedFailure>()
        {
            let permanent = failure.permanent;
            return Self::Embedder { attempted, cause: failure.to_string(), permanent };
        }
        match error.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => {
                Self::Damaged { path: path.to_owned(), cause: error.to_string() }
            }
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy { attempted },
            Some(DiskFull) => Self::Full { attempted },
            _ => Self::Index { attempted, cause: error.to_string() },
        }
    }
}

impl From<CorpusError> for RetrieveFailure {
    fn from(error: CorpusError) -> Self {
        let text = error.to_string();
        let (attempted, cause) = text
            .strip_prefix("could not ")
            .and_then(|rest| rest.split_once(": "))
            .unwrap_or(("use the index", &text));
        let (attempted, cause) = (attempted.to_owned(), cause.to_owned());
        match error {
            CorpusError::Embedder { permanent: true, .. } => Self::Refused { attempted, cause },
            _ => Self::Index { attempted, cause },
        }
    }
}
