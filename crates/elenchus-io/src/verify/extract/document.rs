//! A text as the places where claims may stand: paragraphs, items, table cells, quotations, with what stands above.

use super::clean::{Clean, clean};
use super::references::is_list_heading;
use crate::ingest::blocks::{Block, BlockKind, Style, cells, parse};
use std::ops::Range;

/// Level of a line in bold that stands for a heading.
const BOLD_LEVEL: u8 = 7;

/// A label before a colon ("**Payload:** 40 kg") is no longer than this many characters.
const LABEL: usize = 70;

/// Characters of a heading, of the name of a column and of the label of a row. They stand with every claim below, so that a
/// longer one would be written again and again.
const CONTEXT: usize = 300;

/// What a place is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Running text.
    Prose,
    /// A list item, with the words that lead to it.
    Item {
        /// "The robot has", without its colon.
        lead: Option<String>,
    },
    /// One cell: the label of its row and the name of its column.
    Cell {
        /// The first cell.
        label: String,
        /// The cell of the header row, if the table has one.
        column: Option<String>,
        /// Character at which the row's label begins.
        from: usize,
    },
    /// Somebody else's words, with the words that lead to them.
    Quotation {
        /// "As Pim wrote", without its colon.
        lead: Option<String>,
    },
}

/// A place where claims may stand.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) clean: Clean,
    pub(super) shape: Shape,
    /// Headings above, outermost first.
    pub(super) headings: Vec<String>,
    /// Whether a heading or another list began here: what was spoken of before may not be meant.
    pub(super) fresh: bool,
}

/// Byte to character positions, asked in rising order.
struct Counter<'a> {
    text: &'a str,
    byte: usize,
    chars: usize,
}

impl Counter<'_> {
    fn at(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            self.chars -= self.text[byte..self.byte].chars().count();
        } else {
            self.chars += self.text[self.byte..byte].chars().count();
        }
        self.byte = byte;
        self.chars
    }
}

/// The places of `text`, in order.
pub(super) fn places(text: &str) -> Vec<Place> {
    let start = front_matter(text);
    let mut reader = Reader {
        text,
        counter: Counter { text, byte: 0, chars: 0 },
        headings: Vec::new(),
        leads: Vec::new(),
        columns: Vec::new(),
        skipping: None,
        fresh: true,
        found: Vec::new(),
    };
    let blocks = parse(text, Style::Marked);
    // Found from the end: looking ahead from each block would read a long run of layout once for each of its lines.
    let mut nexts: Vec<Option<&Block>> = Vec::with_capacity(blocks.len());
    let mut next = None;
    for block in blocks.iter().rev() {
        nexts.push(next);
        if block.kind != BlockKind::Layout {
            next = Some(block);
        }
    }
    for (block, next) in blocks.iter().zip(nexts.into_iter().rev()) {
        if block.range.start >= start {
            reader.block(block, next);
        }
    }
    reader.found
}

/// What stands with every claim below it, at most [`CONTEXT`] characters of it.
fn context(words: &str) -> String {
    words.chars().take(CONTEXT).collect()
}

/// Bytes of the metadata between two lines of dashes at the very beginning.
fn front_matter(text: &str) -> usize {
    let Some(body) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return 0;
    };
    let offset = text.len() - body.len();
    let mut at = 0;
    let mut keys = 0;
    for line in body.split_inclusive('\n').take(200) {
        if matches!(line.trim_end(), "---" | "...") {
            return if keys > 0 { offset + at + line.len() } else { 0 };
        }
        keys += usize::from(line.contains(':'));
        at += line.len();
    }
    0
}

/// A line that is bold from end to end and no sentence.
pub(super) fn is_bold_line(slice: &str) -> bool {
    let line = slice.trim();
    let inner = line
        .strip_prefix("**")
        .and_then(|l| l.strip_suffix("**").or_else(|| l.strip_suffix("**:")));
    inner.is_some_and(|inner| {
        !inner.is_empty()
            && !inner.contains("**")
            && !inner.contains('\n')
            && inner.len() <= 120
            && !inner.ends_with(['.', '!', '?'])
    })
}

struct Reader<'a> {
    text: &'a str,
    counter: Counter<'a>,
    headings: Vec<(u8, String)>,
    /// Words that lead to the items of each depth.
    leads: Vec<(u8, String)>,
    columns: Vec<String>,
    /// Inside a list of sources under a heading of this level.
    skipping: Option<u8>,
    fresh: bool,
    found: Vec<Place>,
}

impl Reader<'_> {
    fn block(&mut self, block: &Block, next: Option<&Block>) {
        let slice = &self.text[block.range.clone()];
        match block.kind {
            BlockKind::Layout | BlockKind::Code => return,
            BlockKind::Heading(level) => return self.heading(level, slice.trim_start_matches('#')),
            BlockKind::Paragraph if is_bold_line(slice) => return self.heading(BOLD_LEVEL, slice),
            BlockKind::Paragraph
                if slice.len() < 40
                    && slice.trim_end().ends_with(':')
                    && is_list_heading(slice) =>
            {
                return self.heading(BOLD_LEVEL, slice);
            }
            _ => {}
        }
        if self.skipping.is_some() || is_definition(slice) {
            return;
        }
        match block.kind {
            BlockKind::TableHeader => {
                let cells = cells(self.text, &block.range);
                self.columns = cells
                    .into_iter()
                    .map(|cell| context(&clean(&self.text[cell], 0).text))
                    .collect();
            }
            BlockKind::Row => self.row(&block.range),
            BlockKind::Item { depth, .. } => self.item(slice, &block.range, depth, next),
            BlockKind::Paragraph => self.paragraph(slice, &block.range, next),
            _ => {}
        }
        if !matches!(block.kind, BlockKind::TableHeader | BlockKind::Row) {
            self.columns.clear();
        }
    }

    fn heading(&mut self, level: u8, slice: &str) {
        let words = clean(slice.trim(), 0).text;
        let words = words.trim_matches(['#', ' ', ':']).to_owned();
        self.leads.clear();
        self.columns.clear();
        self.fresh = true;
        if is_list_heading(&words) {
            self.skipping = Some(level);
            return;
        }
        if self.skipping.is_some_and(|skipped| level <= skipped) {
            self.skipping = None;
        }
        while self.headings.last().is_some_and(|(above, _)| *above >= level) {
            self.headings.pop();
        }
        if !words.is_empty() {
            self.headings.push((level, context(&words)));
        }
    }

    fn put(&mut self, clean: Clean, shape: Shape) {
        if clean.text.is_empty() {
            return;
        }
        let headings = self.headings.iter().map(|(_, words)| words.clone()).collect();
        self.found.push(Place { clean, shape, headings, fresh: self.fresh });
        self.fresh = false;
    }

    fn paragraph(&mut self, slice: &str, range: &Range<usize>, next: Option<&Block>) {
        let clean = clean(slice, self.counter.at(range.start));
        let quote_lead = self.leads.last().map(|(_, lead)| lead.clone());
        if slice.starts_with('>') {
            return self.put(clean, Shape::Quotation { lead: quote_lead });
        }
        self.leads.clear();
        let items = next.is_some_and(|next| {
            matches!(next.kind, BlockKind::Item { .. })
                || self.text[next.range.clone()].starts_with('>')
        });
        if items && let Some(lead) = lead_of(&clean.text) {
            self.leads.push((0, lead));
        }
        self.put(clean, Shape::Prose);
    }

    fn item(&mut self, slice: &str, range: &Range<usize>, depth: u8, next: Option<&Block>) {
        let body = after_mark(slice);
        let start = range.start + (slice.len() - body.len());
        let clean = clean(body, self.counter.at(start));
        // Words that led to a deeper list do not lead here.
        while self.leads.last().is_some_and(|(of, _)| *of > depth) {
            self.leads.pop();
        }
        let lead = self.leads.last().map(|(_, lead)| lead.clone());
        if matches!(next, Some(Block { kind: BlockKind::Item { depth: deeper, .. }, .. }) if *deeper > depth)
            && let Some(words) = lead_of(&clean.text)
        {
            self.leads.push((depth + 1, words));
        }
        self.put(clean, Shape::Item { lead });
    }

    fn row(&mut self, range: &Range<usize>) {
        let cells = cells(self.text, range);
        let Some(first) = cells.first() else { return };
        let from = self.counter.at(first.start);
        let label = context(&clean(&self.text[first.clone()], from).text);
        for (nth, cell) in cells.iter().enumerate().skip(1) {
            let value = clean(&self.text[cell.clone()], self.counter.at(cell.start));
            if !value.text.chars().any(char::is_alphanumeric)
                || matches!(value.text.to_lowercase().as_str(), "n/a" | "na" | "none")
            {
                continue;
            }
            let column = self.columns.get(nth).filter(|column| !column.is_empty()).cloned();
            self.put(value, Shape::Cell { label: label.clone(), column, from });
        }
    }
}

/// The words of a sentence that ends in a colon, without it: what leads to a list or quotation.
fn lead_of(text: &str) -> Option<String> {
    let words = text.trim_end().strip_suffix([':', '：'])?;
    let last = crate::ingest::sentence::sentences(words).pop()?;
    let lead = words[last].trim();
    (lead.len() <= 300).then(|| lead.to_owned())
}

/// "[1]: https://...", "[^1]: words", "[1] Title https://...": a source, not a statement.
fn is_definition(slice: &str) -> bool {
    let Some(inner) = slice.trim_start().strip_prefix('[') else { return false };
    let Some(end) = inner.find(']').filter(|end| *end <= 40) else { return false };
    let after = &inner[end + 1..];
    let mark = inner[..end].starts_with('^') || inner[..end].bytes().all(|b| b.is_ascii_digit());
    after.starts_with(':') && !after.starts_with("://")
        || mark && !after.starts_with('(') && after.contains("http")
}

/// An item without its bullet, number or checkbox.
fn after_mark(slice: &str) -> &str {
    let mut rest = slice.trim_start();
    let bare = rest.trim_start_matches(['-', '*', '+', '•', '‣', '◦', '▪', '–', '●']);
    if rest.chars().count() - bare.chars().count() == 1 && bare.starts_with(char::is_whitespace) {
        rest = bare.trim_start();
    } else {
        let open = rest.strip_prefix('(').unwrap_or(rest);
        let digits = open.len() - open.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let set_off = &open[digits..];
        if (1..=3).contains(&digits)
            && set_off.starts_with(['.', ')'])
            && set_off[1..].starts_with([' ', '\t'])
        {
            rest = set_off[1..].trim_start();
        }
    }
    for mark in ["[ ] ", "[x] ", "[X] "] {
        rest = rest.strip_prefix(mark).unwrap_or(rest);
    }
    rest
}

/// "Payload: 40 kg": bytes of the label, if a short one stands before a colon.
pub(super) fn label_of(text: &str) -> Option<usize> {
    let colon = text.find(": ")?;
    let label = &text[..colon];
    let fits = label.chars().count() <= LABEL
        && !label.contains(['.', '?', '!', ';', '"', '“'])
        && label.chars().any(char::is_alphabetic);
    (fits && label.split_whitespace().count() <= 9).then_some(colon)
}
