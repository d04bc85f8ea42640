//! Extracted text to passages.
//!
//! A passage is what is searched, read and quoted, so it is always a slice of the text, ends where a
//! sentence, item or row ends, and carries what a reader of the slice alone would miss: the headings
//! above it, the names of a table's columns, the sentence that introduced a list.

use super::blocks::{Block, BlockKind, ByteUnit, UnitKind, block_units, parse};
use super::charmap::CharMap;
use super::format::{ExtractedDoc, RecordSpan};
use super::mails;
use super::marks::strip_markup;
use super::sentence::sentences;
use elenchus_core::evidence::{Passage, Span};
use elenchus_core::id::{PassageId, SourceId};
use std::ops::Range;
use std::rc::Rc;

/// Longest passage made of several units, in characters.
pub const PASSAGE_CHARS: usize = 500;
/// Longest unit kept whole, in characters; a longer one is cut at white space.
pub const UNIT_CHARS: usize = 2_000;
/// A passage shorter than this goes on into a list or table that does not fit as a whole.
const LONELY_CHARS: usize = 150;
/// Level of the headings over a part: above all that stand in it.
const OF_PART: u8 = 0;
/// Levels of the headings over a mail: below all that a document has of its own.
const OF_SUBJECT: u8 = 254;
const OF_MAIL: u8 = 255;
/// Heads of mails from which a file holds several.
const SEVERAL: usize = 2;
/// Heading given to the footnotes that printed books collect behind a chapter.
pub const NOTES_HEADING: &str = "Printed notes";

/// Cuts a document into passages.
pub fn passages(source: &SourceId, doc: &ExtractedDoc) -> Vec<Passage> {
    let mut packer = Packer::new(doc);
    if doc.records.is_empty() {
        let mut starts: Vec<usize> = doc.pages.iter().map(|page| page.0).collect();
        starts.extend(doc.parts.iter().map(|part| part.0));
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        starts.push(doc.text.len());
        for page in starts.windows(2) {
            packer.page(page[0]..page[1]);
        }
    } else {
        packer.records(&doc.records);
    }
    packer.flush();
    let map = CharMap::new(&doc.text);
    packer
        .done
        .into_iter()
        .enumerate()
        .map(|(ordinal, draft)| Passage {
            id: PassageId::new(source, ordinal as u32),
            source_id: source.clone(),
            text: doc.text[draft.range.clone()].to_owned(),
            span: Span { start: map.chars(draft.range.start), end: map.chars(draft.range.end) },
            heading_path: draft.heading_path,
            page: page_of(&doc.pages, draft.range.start),
            table_header: draft.table_header.as_ref().clone(),
            lead_in: draft.lead_in.map(|lead| clean_lead(&doc.text[lead])),
            record: draft.record,
        })
        .collect()
}

fn page_of(pages: &[(usize, u32)], at: usize) -> Option<u32> {
    let after = pages.partition_point(|page| page.0 <= at);
    after.checked_sub(1).map(|index| pages[index].1)
}

fn clean_lead(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Draft {
    range: Range<usize>,
    heading_path: Vec<String>,
    table_header: Rc<Vec<String>>,
    lead_in: Option<Range<usize>>,
    record: Option<String>,
}

/// A unit with the context it would lose when a passage began with it.
#[derive(Clone)]
struct Piece {
    kind: UnitKind,
    range: Range<usize>,
    header: Rc<Vec<String>>,
    lead_in: Option<Range<usize>>,
}

struct Packer<'a> {
    doc: &'a ExtractedDoc,
    headings: Vec<(u8, String)>,
    notes: bool,
    /// Whether the file holds several mails.
    mails: bool,
    record: Option<String>,
    /// Pieces of the passage that is being filled.
    open: Vec<Piece>,
    done: Vec<Draft>,
    /// The last sentence read, when nothing but a list or table has come since.
    lead_in: Option<Range<usize>>,
    /// Columns of the table that the last row belongs to.
    header: Rc<Vec<String>>,
}

impl<'a> Packer<'a> {
    fn new(doc: &'a ExtractedDoc) -> Self {
        Self {
            doc,
            headings: Vec::new(),
            notes: false,
            mails: doc.parts.is_empty() && holds_mails(&doc.text),
            record: None,
            open: Vec::new(),
            done: Vec::new(),
            lead_in: None,
            header: Rc::default(),
        }
    }

    fn page(&mut self, range: Range<usize>) {
        self.flush();
        self.part(range.start);
        let slice = &self.doc.text[range.clone()];
        let mut group: Vec<Piece> = Vec::new();
        let mut previous = None;
        for mut block in parse(slice, self.doc.style) {
            block.range = range.start + block.range.start..range.start + block.range.end;
            let kind = match block.kind {
                BlockKind::Paragraph if self.is_title(&block) => BlockKind::Heading(1),
                kind => kind,
            };
            if !same_group(previous, kind) {
                self.group(std::mem::take(&mut group));
            }
            previous = Some(kind);
            if let BlockKind::Heading(level) = kind {
                self.flush();
                self.heading(level, &block);
                continue;
            }
            if self.doc.style.is_plain() && !self.notes && self.is_note(&block) {
                self.group(std::mem::take(&mut group));
                self.flush();
                self.notes = true;
            }
            if self.mails
                && kind == BlockKind::Paragraph
                && let Some(head) = mails::head(&self.doc.text[block.range.clone()])
            {
                self.group(std::mem::take(&mut group));
                self.mail(&head);
            }
            self.pieces(&block, kind, &mut group);
        }
        self.group(group);
    }

    /// Where a part of the document begins, what follows stands under its headings alone.
    fn part(&mut self, start: usize) {
        let Ok(at) = self.doc.parts.binary_search_by_key(&start, |part| part.0) else { return };
        self.headings = self.doc.parts[at].1.iter().map(|title| (OF_PART, title.clone())).collect();
        self.notes = false;
        self.lead_in = None;
        self.header = Rc::default();
    }

    /// What follows is part of another mail.
    fn mail(&mut self, head: &mails::Head) {
        self.flush();
        self.headings.retain(|heading| heading.0 < OF_SUBJECT);
        let subject = head.subject.clone().map(|subject| (OF_SUBJECT, subject));
        self.headings.extend(subject);
        self.headings.push((OF_MAIL, head.heading()));
        self.notes = false;
        self.lead_in = None;
        self.header = Rc::default();
    }

    /// A lone line of a plain document that repeats its title.
    fn is_title(&self, block: &Block) -> bool {
        let Some(title) = &self.doc.title else { return false };
        let text = &self.doc.text[block.range.clone()];
        self.doc.style.is_plain()
            && text.len() < 300
            && text.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '.')
                == title.trim_end_matches('.')
    }

    fn is_note(&self, block: &Block) -> bool {
        let text = &self.doc.text[block.range.clone()];
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        (1..=4).contains(&digits) && text[digits..].starts_with(" : ")
    }

    fn heading(&mut self, level: u8, block: &Block) {
        while self.headings.last().is_some_and(|last| last.0 >= level) {
            self.headings.pop();
        }
        let title = match &self.doc.title {
            // Without the footnote mark that a printed title may carry.
            Some(title) if self.is_title(block) => title.clone(),
            _ => strip_markup(&self.doc.text[block.range.clone()]),
        };
        if !title.is_empty() {
            self.headings.push((level, title));
        }
        self.notes = false;
        self.lead_in = None;
        self.header = Rc::default();
    }

    fn pieces(&mut self, block: &Block, kind: BlockKind, group: &mut Vec<Piece>) {
        let text = &self.doc.text;
        for unit in block_units(text, block) {
            let ByteUnit { kind: unit_kind, range, cells, .. } = unit;
            match unit_kind {
                UnitKind::TableHeader => {
                    self.header = Rc::new(column_names(text, &cells));
                }
                UnitKind::Row => {}
                _ => self.header = Rc::default(),
            }
            let introduced = match unit_kind {
                UnitKind::Item => self.lead_in.clone(),
                UnitKind::Row | UnitKind::TableHeader => {
                    self.lead_in.clone().filter(|lead| ends_with_colon(&text[lead.clone()]))
                }
                _ => None,
            };
            if matches!(unit_kind, UnitKind::Sentence | UnitKind::Code) {
                let opens = kind == BlockKind::Paragraph && unit_kind == UnitKind::Sentence;
                self.lead_in = (opens && range.len() <= UNIT_CHARS).then(|| range.clone());
            }
            group.push(Piece {
                kind: unit_kind,
                range,
                header: Rc::clone(&self.header),
                lead_in: introduced,
            });
        }
    }

    fn records(&mut self, records: &[RecordSpan]) {
        for record in records {
            let mergeable = record.links
                && self.open.first().is_some_and(|first| {
                    self.length(first.range.start..record.range.end) <= PASSAGE_CHARS
                });
            if mergeable {
                self.record = Some(match self.record.take() {
                    Some(first) => {
                        format!(
                            "{} to {}",
                            first.split(" to ").next().unwrap_or(&first),
                            record.name
                        )
                    }
                    None => record.name.clone(),
                });
            } else {
                self.flush();
                self.record = Some(record.name.clone());
                self.headings = record.title.iter().map(|title| (1, title.clone())).collect();
            }
            let text = &self.doc.text[record.range.clone()];
            let whole = record.links || self.length(record.range.clone()) <= PASSAGE_CHARS;
            let lead = text.len() - text.trim_start().len();
            let cuts = if whole {
                std::iter::once(lead..lead + text.trim().len()).collect()
            } else {
                sentences(text)
            };
            let pieces = cuts.into_iter().filter(|cut| !cut.is_empty()).map(|cut| Piece {
                kind: UnitKind::Sentence,
                range: record.range.start + cut.start..record.range.start + cut.end,
                header: Rc::default(),
                lead_in: None,
            });
            self.fill(pieces.collect());
        }
    }

    fn length(&self, range: Range<usize>) -> usize {
        self.doc.text[range].chars().count()
    }

    fn open_length(&self, end: usize) -> usize {
        self.open.first().map_or(0, |first| self.length(first.range.start..end))
    }

    /// Adds pieces that belong together, in one passage where they fit.
    fn group(&mut self, pieces: Vec<Piece>) {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
        let alone = self.length(first.range.start..last.range.end);
        if self.open_length(last.range.end) > PASSAGE_CHARS
            && alone <= PASSAGE_CHARS
            && self.open.last().is_some_and(|open| self.open_length(open.range.end) >= LONELY_CHARS)
        {
            self.flush();
        }
        self.fill(pieces);
    }

    fn fill(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            if self.open_length(piece.range.end) > PASSAGE_CHARS {
                self.flush();
            }
            if self.length(piece.range.clone()) > UNIT_CHARS {
                self.flush();
                for range in hard_cut(&self.doc.text, piece.range.clone()) {
                    self.open.push(Piece { range, ..piece.clone() });
                    self.flush();
                }
                continue;
            }
            self.open.push(piece);
        }
    }

    fn flush(&mut self) {
        let (Some(first), Some(last)) = (self.open.first(), self.open.last()) else { return };
        let mut heading_path: Vec<String> =
            self.headings.iter().map(|(_, title)| title.clone()).collect();
        if self.notes {
            heading_path.push(NOTES_HEADING.to_owned());
        }
        let table = |piece: &&Piece| matches!(piece.kind, UnitKind::Row | UnitKind::TableHeader);
        let draft = Draft {
            range: first.range.start..last.range.end,
            heading_path,
            table_header: self
                .open
                .iter()
                .find(table)
                .map_or_else(Rc::default, |row| Rc::clone(&row.header)),
            lead_in: first.lead_in.clone(),
            record: self.record.clone(),
        };
        self.done.push(draft);
        self.open.clear();
    }
}

/// Whether a text holds several mails, by their heads.
fn holds_mails(text: &str) -> bool {
    text.split("\n\n")
        .filter(|paragraph| mails::head(paragraph.trim_start_matches('\n')).is_some())
        .count()
        >= SEVERAL
}

/// Whether a block continues the list, table, code or paragraph before it.
fn same_group(previous: Option<BlockKind>, next: BlockKind) -> bool {
    use BlockKind::{Code, Item, Layout, Row, TableHeader};
    matches!(
        (previous, next),
        (Some(Item { .. }), Item { .. })
            | (Some(TableHeader | Row | Layout), Row | Layout)
            | (Some(Code | Layout), Code | Layout)
    )
}

/// Passages repeat the names of their columns, so names are few and short.
fn column_names(text: &str, cells: &[Range<usize>]) -> Vec<String> {
    let short = |cell: &Range<usize>| -> String { text[cell.clone()].chars().take(120).collect() };
    cells.iter().take(64).map(|cell| strip_markup(&short(cell))).collect()
}

fn ends_with_colon(text: &str) -> bool {
    text.trim_end_matches(['*', '_', ' ']).ends_with(':')
}

/// Pieces of at most [`UNIT_CHARS`] characters, cut at white space where there is some.
fn hard_cut(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let rest = &text[start..range.end];
        let Some((limit, _)) = rest.char_indices().nth(UNIT_CHARS) else {
            pieces.push(start..range.end);
            break;
        };
        let cut = rest[..limit].rfind(char::is_whitespace).filter(|cut| *cut > 0).unwrap_or(limit);
        let kept = rest[..cut].trim_end();
        if !kept.is_empty() {
            pieces.push(start..start + kept.len());
        }
        let tail = &rest[cut..];
        start += cut + (tail.len() - tail.trim_start().len());
    }
    pieces
}

#[cfg(test)]
#[path = "passages_tests.rs"]
mod tests;
