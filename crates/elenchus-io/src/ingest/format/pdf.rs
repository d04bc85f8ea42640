//! PDF, page by page, within the bounds of `limits`: the reader itself has none.

mod cmap;
mod limits;
mod load;
mod pages;
mod raw;
mod unpack;
mod walk;

use super::encoding::tidy;
use super::isolate::{Isolated, isolated};
use super::text::looks_marked;
use super::{ExtractError, ExtractedDoc};
use crate::ingest::blocks::Style;
use limits::{Clock, Room};
use std::time::Duration;

/// Longest time for one PDF, in seconds.
const LIMIT_S: u64 = 20;

pub(super) fn extract(bytes: Vec<u8>) -> Result<ExtractedDoc, ExtractError> {
    let limit = Duration::from_secs(LIMIT_S);
    let pages =
        isolated(limit, move || pages(bytes, Clock::of(limit))).map_err(
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
    let mut sheets: Vec<String> = pages
        .iter()
        .map(|(_, text)| unwrap_layout(&tidy(text.as_deref().unwrap_or_default())))
        .collect();
    drop_running_lines(&mut sheets);
    for ((number, _), page) in pages.iter().zip(&sheets) {
        doc.pages.push((doc.text.len(), *number));
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
fn pages(bytes: Vec<u8>, clock: Clock) -> Result<Vec<(u32, Option<String>)>, ExtractError> {
    // The reader drops what it cannot decrypt, so a locked file may look like an empty or broken one.
    let locked = bytes.windows(8).any(|window| window == b"/Encrypt");
    let refuse = |cause: &str| if locked { ExtractError::Encrypted } else { damaged(cause) };
    let mut room = Room::of(bytes.len());
    let bytes = raw::checked(bytes, &mut room)?;
    let mut document = load::load(&bytes, &room, clock).map_err(|error| match error {
        ExtractError::Damaged { cause, .. } => refuse(&cause),
        error => error,
    })?;
    drop(bytes);
    // Many PDFs are encrypted with the empty password, which any reader may use.
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(ExtractError::Encrypted);
    }
    let pages = pages::texts(&document, clock)?;
    if pages.is_empty() {
        return Err(refuse("it has no pages; it may be cut off"));
    }
    Ok(pages)
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

/// Drops page numbers, and header and footer lines that more than half of the pages share: they would
/// stand in the middle of what runs on over the page.
fn drop_running_lines(pages: &mut [String]) {
    for _ in 0..2 {
        for top in [true, false] {
            let edges: Vec<Option<String>> = pages.iter().map(|page| edge(page, top)).collect();
            for (place, line) in edges.iter().enumerate() {
                let Some(line) = line else { continue };
                let shared = edges.iter().flatten().filter(|other| *other == line).count();
                // The first page keeps its line: it may be the title.
                let running = pages.len() > 2 && shared * 2 > pages.len() && place > 0;
                if line.is_empty() || running {
                    cut_edge(&mut pages[place], top);
                }
            }
        }
    }
}

/// The first or last line without its digits; empty for a page number.
fn edge(page: &str, top: bool) -> Option<String> {
    let mut lines = page.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = if top { lines.next() } else { lines.next_back() }?;
    Some(line.chars().filter(|c| !c.is_ascii_digit()).collect::<String>().trim().to_owned())
}

fn cut_edge(page: &mut String, top: bool) {
    let trimmed = page.trim();
    *page = if top {
        trimmed.split_once('\n').map_or("", |parts| parts.1).to_owned()
    } else {
        trimmed.rsplit_once('\n').map_or("", |parts| parts.0).to_owned()
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_lines_and_page_numbers_go() {
        let mut pages: Vec<String> = ["Seals.", "Valves.", "Rotors.", "Spares."]
            .iter()
            .zip(1..)
            .map(|(text, page)| format!("Pump manual {page}\n\n{text}\nMore of {text}\n\n {page}"))
            .collect();
        drop_running_lines(&mut pages);
        assert_eq!(pages[0].trim(), "Pump manual 1\n\nSeals.\nMore of Seals.");
        assert_eq!(pages[2].trim(), "Rotors.\nMore of Rotors.");
    }

    #[test]
    fn single_spacing_is_restored() {
        let spaced =
            "One line\n\nand the next\n\nand more\n\n\nNew paragraph\n\ngoes on\n\nto its end";
        assert_eq!(
            unwrap_layout(spaced),
            "One line\nand the next\nand more\n\nNew paragraph\ngoes on\nto its end"
        );
        let normal = "One\ntwo\nthree\n\nfour\nfive\nsix";
        assert_eq!(unwrap_layout(normal), normal);
    }
}
