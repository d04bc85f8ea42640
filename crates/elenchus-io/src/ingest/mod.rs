//! Files to documents and passages.

mod authors;
pub mod blocks;
mod charmap;
pub mod dates;
pub mod format;
mod heads;
pub(crate) mod mails;
pub(crate) mod marks;
pub mod metadata;
pub mod passages;
pub mod sentence;
pub mod walk;

pub use blocks::{Unit, UnitKind, units};
pub use format::{ExtractError, ExtractedDoc, Format};
pub use walk::{FILE_BYTES, Found, FoundFile, walk};

use elenchus_core::evidence::{Passage, Source};
use elenchus_core::id::{SourceId, hex};
use sha2::{Digest, Sha256};

/// Changes when the same bytes would give other text, passages or metadata; an index made by another
/// version is built again.
pub const EXTRACTION_VERSION: u32 = 10;

/// A document ready for the index.
#[derive(Clone, Debug, PartialEq)]
pub struct Ingested {
    /// What it is; its cluster is its own id until the corpus is known.
    pub source: Source,
    /// The text that passages point into.
    pub text: String,
    /// In reading order.
    pub passages: Vec<Passage>,
    /// What was not read as it stands.
    pub notes: Vec<String>,
}

/// SHA-256 of a file's bytes, hexadecimal.
pub fn content_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Reads the bytes of one file.
///
/// `path` is relative to the corpus with forward slashes; `siblings` are the stems of the folder's files,
/// from which names at their beginning are told.
///
/// # Errors
/// When the file gives no text.
pub fn ingest(
    format: Format,
    path: &str,
    bytes: Vec<u8>,
    siblings: &[String],
) -> Result<Ingested, ExtractError> {
    let content_hash = content_hash(&bytes);
    let mut doc = format::extract(format, path, bytes)?;
    let about = metadata::metadata(&doc, format, path, siblings);
    let id = SourceId::from_path(path);
    doc.title = Some(about.title.clone());
    let passages = passages::passages(&id, &doc);
    if passages.is_empty() {
        return Err(ExtractError::Empty);
    }
    let source = Source {
        cluster: id.clone(),
        id,
        path: path.to_owned(),
        title: about.title,
        author: about.author,
        date: about.date,
        vintage: about.vintage,
        content_hash,
        family: about.family,
        web: None,
    };
    Ok(Ingested { source, text: doc.text, passages, notes: doc.notes })
}
