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
pub(crate) mod secrets;
pub mod sentence;
pub mod walk;

pub use blocks::{Unit, UnitKind, units};
pub use format::{ExtractError, ExtractedDoc, Format};
pub use secrets::{LeftOut, Secrets};
pub use walk::{FILE_BYTES, Found, FoundFile, walk};

use elenchus_core::evidence::{Passage, Source};
use elenchus_core::id::{SourceId, hex};
use sha2::{Digest, Sha256};

/// Changes when the same bytes would give other text, passages or metadata, also because secrets are known by more or by less; an
/// index made by another version is built again.
pub const EXTRACTION_VERSION: u32 = 11;

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
    /// Secrets that were left out of a file; of a page of the web that is told elsewhere.
    pub secrets: LeftOut,
}

/// SHA-256 of a file's bytes, hexadecimal.
pub fn content_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Reads the bytes of one file, without the secrets in it.
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
    ingest_with(format, path, bytes, siblings, Secrets::LeftOut)
}

/// The same, with the secrets in it or without.
///
/// # Errors
/// When the file gives no text.
pub fn ingest_with(
    format: Format,
    path: &str,
    bytes: Vec<u8>,
    siblings: &[String],
    secrets: Secrets,
) -> Result<Ingested, ExtractError> {
    // Of the file as it stands: whoever compares it again has the same file.
    let content_hash = content_hash(&bytes);
    let (mut doc, left_out) = match secrets {
        Secrets::LeftOut => without_secrets(format, path, bytes)?,
        Secrets::Kept => (format::extract(format, path, bytes)?, LeftOut::default()),
    };
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
    Ok(Ingested { source, text: doc.text, passages, notes: doc.notes, secrets: left_out })
}

/// What a file says, and what was left out of that.
fn without_secrets(
    format: Format,
    path: &str,
    bytes: Vec<u8>,
) -> Result<(ExtractedDoc, LeftOut), ExtractError> {
    let mut left_out = LeftOut::default();
    let bytes = secrets::of_bytes(format, bytes, &mut left_out);
    let mut doc = format::extract(format, path, bytes)?;
    left_out.add_all(secrets::of_document(&mut doc));
    Ok((doc, left_out))
}
