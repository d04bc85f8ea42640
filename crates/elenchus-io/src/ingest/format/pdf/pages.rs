//! The text of each page of a loaded PDF. A page is looked through before it is drawn, since drawing follows whatever it names.

use super::cmap;
use super::limits::Clock;
use super::load::MOST_PARTS;
use super::walk;
use crate::ingest::format::ExtractError;
use pdf_extract::content::Content;
use pdf_extract::{
    Dictionary, Document, MediaBox, Object, ObjectId, OutputDev, OutputError, PlainTextOutput,
    Stream, Transform, output_doc_page,
};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Most bytes of text of one file.
const MOST_TEXT: usize = 64 << 20;
/// Most bytes of operators of one page.
const MOST_CONTENT: usize = 32 << 20;
/// Most nodes between a page and the root of the pages.
const DEEPEST_TREE: usize = 256;
/// Most forms drawn within one another, and on one page.
const DEEPEST_FORMS: usize = 24;
const MOST_FORMS: usize = 10_000;
/// Most states saved at once; the standard allows 28.
const MOST_SAVED: usize = 256;
/// Most numbers of one colour.
const MOST_COLOURS: usize = 64;
/// Most fonts of one page, and codes and widths in all of them.
const MOST_FONTS: usize = 500;
const MOST_CODES: usize = 1_000_000;

/// Number and text of each page; no text where the page could not be decoded.
pub(super) fn texts(
    document: &Document,
    clock: Clock,
) -> Result<Vec<(u32, Option<String>)>, ExtractError> {
    let mut left = MOST_TEXT;
    let mut texts = Vec::new();
    for (number, page) in document.get_pages() {
        let text =
            is_drawable(document, page).then(|| text(document, number, &mut left, clock)).flatten();
        if left == 0 {
            let megabytes = (MOST_TEXT >> 20) as u64;
            return Err(ExtractError::TooLarge { format: "PDF", megabytes });
        }
        if clock.has_run_out() {
            return Err(clock.too_slow());
        }
        texts.push((number, text));
    }
    Ok(texts)
}

fn text(document: &Document, number: u32, left: &mut usize, clock: Clock) -> Option<String> {
    let mut text = String::new();
    let mut output = Metered { inner: PlainTextOutput::new(&mut text), left, clock };
    // One odd font must not cost the other pages.
    let read = catch_unwind(AssertUnwindSafe(|| output_doc_page(document, &mut output, number)));
    matches!(read, Ok(Ok(()))).then_some(text)
}

/// Takes text while there is room and time for it.
struct Metered<'a> {
    inner: PlainTextOutput<&'a mut String>,
    left: &'a mut usize,
    clock: Clock,
}

impl Metered<'_> {
    fn take(&mut self, bytes: usize) -> Result<(), OutputError> {
        *self.left = self.left.saturating_sub(bytes);
        if *self.left == 0 || self.clock.has_run_out() {
            return Err(OutputError::FormatError(std::fmt::Error));
        }
        Ok(())
    }
}

impl OutputDev for Metered<'_> {
    fn begin_page(
        &mut self,
        page_num: u32,
        media_box: &MediaBox,
        art_box: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.inner.begin_page(page_num, media_box, art_box)
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.inner.end_page()
    }

    fn output_character(
        &mut self,
        trm: &Transform,
        width: f64,
        spacing: f64,
        font_size: f64,
        char: &str,
    ) -> Result<(), OutputError> {
        // Up to two line ends and a space may go before it.
        self.take(char.len() + 3)?;
        self.inner.output_character(trm, width, spacing, font_size, char)
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.take(0)?;
        self.inner.begin_word()
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        self.inner.end_word()
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        self.take(0)?;
        self.inner.end_line()
    }
}

/// Whether a page can be drawn within bounds: its parents end, no form draws itself, and what it draws is not too much.
fn is_drawable(document: &Document, page: ObjectId) -> bool {
    let Some(resources) = resources(document, page) else { return false };
    let contents = document.get_page_contents(page);
    let streams = contents.iter().filter_map(|id| document.get_object(*id).ok()?.as_stream().ok());
    if streams.map(|stream| stream.content.len()).sum::<usize>() > MOST_CONTENT {
        return false;
    }
    let content = document.get_page_content(page).unwrap_or_default();
    let mut left =
        Left { parts: MOST_PARTS, forms: MOST_FORMS, codes: MOST_CODES, fonts: BTreeSet::new() };
    left.can_draw(document, &content, &resources, DEEPEST_FORMS)
}

/// What a page draws with: its own, or that of the nearest node above it; `None` where the nodes above it have no end.
fn resources(document: &Document, page: ObjectId) -> Option<Dictionary> {
    let mut node = document.get_dictionary(page).ok()?;
    let mut found: Option<&Dictionary> = None;
    for _ in 0..DEEPEST_TREE {
        found = found.or_else(|| dictionary(document, node, b"Resources"));
        let parent = node.get(b"Parent").and_then(Object::as_reference);
        match parent.and_then(|parent| document.get_dictionary(parent)) {
            Ok(parent) => node = parent,
            Err(_) => return Some(found.cloned().unwrap_or_default()),
        }
    }
    None
}

/// What one page may still draw.
struct Left {
    parts: usize,
    forms: usize,
    codes: usize,
    /// Names of the fonts that were met.
    fonts: BTreeSet<Vec<u8>>,
}

impl Left {
    /// Whether these operators and the forms that they name can be drawn; takes what they need.
    fn can_draw(
        &mut self,
        document: &Document,
        content: &[u8],
        resources: &Dictionary,
        depth: usize,
    ) -> bool {
        let Some(parts) = self.parts.checked_sub(walk::parts(content)) else { return false };
        self.parts = parts;
        // What cannot be decoded is not drawn either.
        let Ok(content) = Content::decode(content) else { return true };
        let mut saved = 0_usize;
        for operation in &content.operations {
            let named = || operation.operands.first().and_then(|operand| operand.as_name().ok());
            let fits = match operation.operator.as_str() {
                "q" => {
                    saved += 1;
                    saved <= MOST_SAVED
                }
                "Q" => {
                    saved = saved.saturating_sub(1);
                    true
                }
                "sc" | "scn" | "SC" | "SCN" => operation.operands.len() <= MOST_COLOURS,
                "Tf" => named().is_none_or(|name| self.takes_font(document, resources, name)),
                "Do" => match named().and_then(|name| form(document, resources, name)) {
                    Some(_) if depth == 0 || self.forms == 0 => false,
                    Some(form) => {
                        self.forms -= 1;
                        let own = dictionary(document, &form.dict, b"Resources");
                        let own = own.unwrap_or(resources);
                        self.can_draw(document, &form.content, own, depth - 1)
                    }
                    None => true,
                },
                _ => true,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Whether there is room for the tables of a font; each is read once for a page.
    fn takes_font(&mut self, document: &Document, resources: &Dictionary, name: &[u8]) -> bool {
        if !self.fonts.insert(name.to_vec()) {
            return true;
        }
        let Some(font) = dictionary(document, resources, b"Font")
            .and_then(|fonts| dictionary(document, fonts, name))
        else {
            return self.fonts.len() <= MOST_FONTS;
        };
        let codes = value(document, font, b"ToUnicode")
            .and_then(|table| table.as_stream().ok())
            .map_or(0, |table| cmap::codes(&table.content));
        let below = value(document, font, b"DescendantFonts")
            .and_then(|fonts| fonts.as_array().ok()?.first())
            .and_then(|font| document.dereference(font).ok()?.1.as_dict().ok())
            .and_then(|font| value(document, font, b"W"));
        let widths = value(document, font, b"Widths").map_or(0, numbers) + below.map_or(0, numbers);
        match self.codes.checked_sub(codes.saturating_add(widths)) {
            Some(codes) => {
                self.codes = codes;
                self.fonts.len() <= MOST_FONTS
            }
            None => false,
        }
    }
}

/// How many items an array has, those of arrays in it included.
fn numbers(object: &Object) -> usize {
    match object {
        Object::Array(items) => items.iter().map(numbers).sum(),
        _ => 1,
    }
}

/// What a dictionary has for a key, followed where it stands elsewhere.
fn value<'a>(document: &'a Document, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    document.dereference(dict.get(key).ok()?).ok().map(|(_, object)| object)
}

fn dictionary<'a>(
    document: &'a Document,
    dict: &'a Dictionary,
    key: &[u8],
) -> Option<&'a Dictionary> {
    value(document, dict, key)?.as_dict().ok()
}

fn form<'a>(document: &'a Document, resources: &'a Dictionary, name: &[u8]) -> Option<&'a Stream> {
    let forms = dictionary(document, resources, b"XObject")?;
    value(document, forms, name)?.as_stream().ok()
}
