//! One reader a file format. Each turns bytes into text with what the format says about it.

mod csv;
mod docx;
mod encoding;
pub(crate) mod feed;
pub(crate) mod html;
mod isolate;
mod jsonl;
mod mail;
mod markdown;
mod pdf;
mod text;

pub use encoding::decode;
pub(crate) use encoding::{decode_as, tidy};

use super::blocks::Style;
use std::ops::Range;

/// The formats that are read, told by file extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.md`, `.markdown`
    Markdown,
    /// `.txt`, `.text`, `.rst`, `.org`, `.adoc`
    Text,
    /// `.html`, `.htm`, `.xhtml`
    Html,
    /// `.pdf`
    Pdf,
    /// `.docx`
    Docx,
    /// `.csv`, `.tsv`, `.tab`
    Table,
    /// `.jsonl`, `.ndjson`
    JsonLines,
    /// `.eml`, `.mbox`
    Mail,
}

impl Format {
    /// The format of a file name; `None` when the extension is missing or unknown.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, extension) = name.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdown" | "mkd" => Self::Markdown,
            "txt" | "text" | "rst" | "org" | "adoc" => Self::Text,
            "html" | "htm" | "xhtml" => Self::Html,
            "pdf" => Self::Pdf,
            "docx" => Self::Docx,
            "csv" | "tsv" | "tab" => Self::Table,
            "jsonl" | "ndjson" => Self::JsonLines,
            "eml" | "mbox" => Self::Mail,
            _ => return None,
        })
    }

    /// Whether a file of it is text, in one encoding.
    pub fn is_text(self) -> bool {
        !matches!(self, Self::Pdf | Self::Docx | Self::Mail)
    }
}

/// A named record of a table or line file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSpan {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// "John.1.1", "row 12".
    pub name: String,
    /// The record's own title.
    pub title: Option<String>,
    /// The record holds references only, so neighbours may share a passage.
    pub links: bool,
}

/// What a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractedDoc {
    /// All text, line ends as `\n`, without control characters.
    pub text: String,
    /// Where each page begins (byte of the text) and its number from 1.
    pub pages: Vec<(usize, u32)>,
    /// Records, for formats that have them; then nothing outside of them is a passage.
    pub records: Vec<RecordSpan>,
    /// Title by the format's own means (HTML title, document properties, front matter).
    pub title: Option<String>,
    /// Author by the format's own means.
    pub author: Option<String>,
    /// Date by the format's own means, with what states it: ("front matter date", "2026-05-01").
    pub dates: Vec<(String, String)>,
    /// When the program that wrote the file says it was saved: the weakest date.
    pub saved: Option<String>,
    /// Other front matter, lower-case keys.
    pub front: Vec<(String, String)>,
    /// What was not read as it stands: replaced bytes, bad lines.
    pub notes: Vec<String>,
    /// Where each part begins that somebody else may have written (byte of the text, in order), with the headings over it; a mail
    /// has such parts.
    pub(crate) parts: Vec<(usize, Vec<String>)>,
    /// Whether lone lines may be headings.
    pub(crate) style: Style,
}

impl ExtractedDoc {
    /// A document of marked-up text and nothing else.
    pub fn of_text(text: String) -> Self {
        Self {
            text,
            pages: Vec::new(),
            records: Vec::new(),
            title: None,
            author: None,
            dates: Vec::new(),
            saved: None,
            front: Vec::new(),
            notes: Vec::new(),
            parts: Vec::new(),
            style: Style::Marked,
        }
    }
}

/// Why a file gave no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// Not text, whatever the extension says.
    #[error("could not read it as text: it holds binary data; convert it to a text format first")]
    Binary,
    /// The PDF asks for a password.
    #[error("could not read the PDF: it is encrypted; save a copy without a password")]
    Encrypted,
    /// The PDF has pages but no characters.
    #[error(
        "could not find text in the PDF: its pages hold images only; run text recognition (OCR) on it first"
    )]
    NoText,
    /// The PDF took too long.
    #[error("could not read the PDF within {seconds} s; split it or convert it to text first")]
    TooSlow {
        /// The limit.
        seconds: u64,
    },
    /// The file is damaged.
    #[error(
        "could not read the {format} file: {cause}; open it in its own program and save it again"
    )]
    Damaged {
        /// "PDF", "DOCX", ...
        format: &'static str,
        /// What the parser met.
        cause: String,
    },
    /// Decompressed it would exceed the cap.
    #[error(
        "could not unpack the {format} file: it unpacks to more than {megabytes} MB; if that is genuine, split the document"
    )]
    TooLarge {
        /// "PDF", "DOCX".
        format: &'static str,
        /// The cap, in mebibytes.
        megabytes: u64,
    },
    /// Something that is not read.
    #[error(
        "could not read it: it is {what}; pages, PDF, plain text, Markdown, CSV, JSON Lines and feeds are read"
    )]
    Unsupported {
        /// The content type, or what it seems to be.
        what: String,
    },
    /// Nothing to search.
    #[error("found no text in it; remove the file or exclude it from the corpus")]
    Empty,
}

/// Reads `bytes` as `format`. `path` only serves for hints such as tab-separated tables.
pub fn extract(format: Format, path: &str, bytes: Vec<u8>) -> Result<ExtractedDoc, ExtractError> {
    let doc = match format {
        Format::Pdf => pdf::extract(bytes)?,
        Format::Docx => docx::extract(&bytes)?,
        Format::Mail => mail::extract(&bytes)?,
        _ => {
            let (text, note) = decode(&bytes)?;
            drop(bytes);
            let mut doc = extract_text(format, path, text);
            doc.notes.extend(note);
            doc
        }
    };
    if doc.text.trim().is_empty() {
        return Err(ExtractError::Empty);
    }
    Ok(doc)
}

/// Reads decoded text as `format`, which is one of text.
pub(crate) fn extract_text(format: Format, path: &str, text: String) -> ExtractedDoc {
    match format {
        Format::Markdown => markdown::extract(text),
        Format::Html => html::extract(&text),
        Format::Table => csv::extract(&text, path),
        Format::JsonLines => jsonl::extract(&text),
        _ => text::extract(text),
    }
}
