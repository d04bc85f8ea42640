//! PDF, page by page.

use super::encoding::tidy;
use super::isolate::{Isolated, isolated};
use super::text::looks_marked;
use super::{ExtractError, ExtractedDoc};
use crate::ingest::blocks::Style;
use pdf_extract::{Document, PlainTextOutput, output_doc_page};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Longest time for one PDF, in seconds.
const LIMIT_S: u64 = 20;

pub(super) fn extract(bytes: Vec<u8>) -> Result<ExtractedDoc, ExtractError> {
    let pages = isolated(Duration::from_secs(LIMIT_S), move || pages(&bytes)).map_err(
        |fault| match fault {
            Isolated::Panicked => damaged("its structure is not what a PDF may contain"),
            Isolated::TimedOut => ExtractError::TooSlow { seconds: LIMIT_S },
        },
    )??;
    let unread: Vec<String> =
        pages.iter().filter(|page| page.1.is_none()).map(|page| page.0.to_string()).collect();
    if pages.iter().all(|page| page.1.as_deref().is_none_or(|text| text.trim().is_empty())) {
        return Err(if unread.is_empty() {
            ExtractError::NoText
        } else {
            damaged("none of its pages could be decoded")
        });
    }
    let mut doc = ExtractedDoc::of_text(String::new());
    for (number, text) in &pages {
        doc.pages.push((doc.text.len(), *number));
        let page = unwrap_layout(&tidy(text.as_deref().unwrap_or_default()));
        doc.text.push_str(page.trim_end());
        doc.text.push_str("\n\n");
    }
    if !unread.is_empty() {
        doc.notes.push(format!(
            "page {} could not be decoded and is missing; export the PDF again to have it",
            unread.join(", ")
        ));
    }
    doc.style = if looks_marked(&doc.text) { Style::Marked } else { Style::Plain };
    Ok(doc)
}

fn damaged(cause: &str) -> ExtractError {
    ExtractError::Damaged { format: "PDF", cause: cause.to_owned() }
}

/// Number and text of each page; no text where the page could not be decoded.
fn pages(bytes: &[u8]) -> Result<Vec<(u32, Option<String>)>, ExtractError> {
    let mut document = Document::load_mem(bytes).map_err(|error| match error {
        pdf_extract::Error::Decryption(_) | pdf_extract::Error::InvalidPassword => {
            ExtractError::Encrypted
        }
        other => damaged(&other.to_string()),
    })?;
    // Many PDFs are encrypted with the empty password, which any reader may use.
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(ExtractError::Encrypted);
    }
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    if numbers.is_empty() {
        return Err(damaged("it has no pages; it may be cut off"));
    }
    Ok(numbers
        .into_iter()
        .map(|number| {
            let mut text = String::new();
            let mut output = PlainTextOutput::new(&mut text);
            // One odd font must not cost the other pages.
            let read =
                catch_unwind(AssertUnwindSafe(|| output_doc_page(&document, &mut output, number)));
            (number, matches!(read, Ok(Ok(()))).then_some(text))
        })
        .collect())
}

/// The extractor sets an empty line between lines that stand a little apart. When nearly every line is
/// alone like that, single empty lines mean nothing and only larger gaps end a paragraph.
fn unwrap_layout(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let filled = lines.iter().filter(|line| !line.is_empty()).count();
    let pairs = lines.windows(2).filter(|pair| pair.iter().all(|line| !line.is_empty())).count();
    if filled < 6 || pairs * 5 > filled {
        return lines.join("\n");
    }
    let mut joined = String::with_capacity(text.len());
    let mut empty = 0;
    for line in lines {
        if line.is_empty() {
            empty += 1;
            continue;
        }
        if !joined.is_empty() {
            joined.push_str(if empty > 1 { "\n\n" } else { "\n" });
        }
        joined.push_str(line);
        empty = 0;
    }
    joined
}
