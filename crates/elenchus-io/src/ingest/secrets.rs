//! Secrets that stand in documents: taken out of what a file says before anything is made of it, so that passages, the index and
//! whatever quotes them know the text without them alone, and every later offset is one of that text.

use super::format::{ExtractedDoc, Format};
use elenchus_core::bank::{Scrubbed, scrub, scrub_if_any};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What becomes of the secrets that stand in documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Secrets {
    /// A word says in their place what kind they were.
    #[default]
    LeftOut,
    /// They stay, because somebody wants them found.
    Kept,
}

impl Secrets {
    /// The word under which an index notes how it was made.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::LeftOut => "left out",
            Self::Kept => "kept",
        }
    }
}

/// What was left out of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Places in which a secret stood.
    pub count: usize,
    /// What kinds they were, each once, in the order of the alphabet. Never the secrets themselves.
    pub kinds: Vec<String>,
}

impl LeftOut {
    fn add(&mut self, scrubbed: &Scrubbed) {
        self.add_all(Self { count: scrubbed.count, kinds: scrubbed.kinds.clone() });
    }

    pub(super) fn add_all(&mut self, other: Self) {
        self.count += other.count;
        self.kinds.extend(other.kinds);
        self.kinds.sort_unstable();
        self.kinds.dedup();
    }

    /// A text without its secrets.
    fn clean(&mut self, text: &mut String) {
        if let Some(scrubbed) = scrub_if_any(text, &mut []) {
            self.add(&scrubbed);
            *text = scrubbed.text;
        }
    }
}

/// What stands between texts that are looked at as one: no secret reaches over it.
const BETWEEN: &str = "\n;\n";

/// Whether one of many short texts holds a secret. One look at all of them, for most folders and tables hold none.
pub(crate) fn any_in<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let mut all = String::new();
    for text in texts {
        all.push_str(text);
        all.push_str(BETWEEN);
    }
    scrub_if_any(&all, &mut []).is_some()
}

/// The bytes of a file without the secrets that only its own form shows: in a record of JSON a secret stands in quotation marks behind
/// its name, which the text that is made of the record has no more. Bytes that are no UTF-8 stay as they are, to be looked at as text.
pub(super) fn of_bytes(format: Format, bytes: Vec<u8>, left_out: &mut LeftOut) -> Vec<u8> {
    if format != Format::JsonLines {
        return bytes;
    }
    let Ok(text) = std::str::from_utf8(&bytes) else { return bytes };
    if scrub_if_any(text, &mut []).is_none() {
        return bytes;
    }
    let clean: String = text.split_inclusive('\n').map(|line| of_record(line, left_out)).collect();
    clean.into_bytes()
}

/// A line with a record in it. One that would not be JSON any more stays: its text is looked at when it has been read.
fn of_record<'a>(line: &'a str, left_out: &mut LeftOut) -> Cow<'a, str> {
    match scrub_if_any(line, &mut []) {
        Some(scrubbed) if serde_json::from_str::<IgnoredAny>(&scrubbed.text).is_ok() => {
            left_out.add(&scrubbed);
            Cow::Owned(scrubbed.text)
        }
        _ => Cow::Borrowed(line),
    }
}

/// Takes the secrets out of all that a document says. Pages, parts and records begin where they began, or behind what stands in the
/// place of a secret that went on over their beginning.
pub(crate) fn of_document(doc: &mut ExtractedDoc) -> LeftOut {
    let mut left_out = LeftOut::default();
    of_text(doc, &mut left_out);
    let mut clean = |text: &mut String| left_out.clean(text);
    doc.title.iter_mut().for_each(&mut clean);
    doc.author.iter_mut().for_each(&mut clean);
    doc.saved.iter_mut().for_each(&mut clean);
    doc.dates.iter_mut().chain(&mut doc.front).for_each(|(_, value)| clean(value));
    doc.notes.iter_mut().for_each(&mut clean);
    doc.parts.iter_mut().flat_map(|(_, headings)| headings).for_each(&mut clean);
    let names = doc.records.iter().flat_map(|one| [Some(&one.name), one.title.as_ref()]);
    if any_in(names.flatten().map(String::as_str)) {
        for record in &mut doc.records {
            clean(&mut record.name);
            record.title.iter_mut().for_each(&mut clean);
        }
    }
    left_out
}

fn of_text(doc: &mut ExtractedDoc, left_out: &mut LeftOut) {
    let pages = doc.pages.iter().map(|page| page.0);
    let parts = doc.parts.iter().map(|part| part.0);
    let records = doc.records.iter().flat_map(|record| [record.range.start, record.range.end]);
    let mut places: Vec<usize> = pages.chain(parts).chain(records).collect();
    let Some(scrubbed) = scrub_if_any(&doc.text, &mut places) else { return };
    left_out.add(&scrubbed);
    doc.text = scrubbed.text;
    let mut places = places.into_iter();
    let pages = doc.pages.iter_mut().map(|page| &mut page.0);
    for (place, moved) in pages.chain(doc.parts.iter_mut().map(|part| &mut part.0)).zip(&mut places)
    {
        *place = moved;
    }
    for record in &mut doc.records {
        if let (Some(start), Some(end)) = (places.next(), places.next()) {
            record.range = start..end;
        }
    }
}

/// A text without secrets, for what is shown of a document that is not read.
pub(crate) fn shown(text: &str) -> String {
    scrub(text).text
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
