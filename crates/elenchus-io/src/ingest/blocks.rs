//! One light block parser for everything that reads as Markdown or plain text.
//!
//! PDFs and word files often hold Markdown source, and plain text is Markdown without marks, so all
//! formats share it. It keeps exact positions and never rewrites: a passage must be a slice of the text.

use super::charmap::CharMap;
use super::heads::heads;
use super::mails;
use super::marks::{
    ItemMark, LONG_HEADING, atx_level, chapter_level, is_contents_line, is_pipe_row, is_table_rule,
    is_thematic_break, item_mark, numbered_heading,
};
use super::sentence::sentences;
use elenchus_core::evidence::Span;
use std::ops::Range;

/// Items longer than this many bytes are paragraphs that happen to carry a number: they are cut into sentences.
const LONG_ITEM: usize = 400;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// A heading line.
    Heading,
    /// One sentence of running text.
    Sentence,
    /// One list item with its wrapped lines.
    Item,
    /// One row of a table.
    Row,
    /// The row that names a table's columns.
    TableHeader,
    /// One line of fenced code.
    Code,
}

/// The smallest piece that is quoted as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What it is.
    pub kind: UnitKind,
    /// Characters of the text given, marks included, surrounding white space not.
    pub span: Span,
    /// For rows and table headers: the cells, trimmed.
    pub cells: Vec<Span>,
    /// For items: nesting from 0.
    pub list_depth: u8,
    /// For numbered items: the number as written.
    pub number: Option<u32>,
}

/// Cuts any text (a passage, a document) into units, in order. Text between units is white space or
/// layout (table rules, fences).
pub fn units(text: &str) -> Vec<Unit> {
    let map = CharMap::new(text);
    let span =
        |range: &Range<usize>| Span { start: map.chars(range.start), end: map.chars(range.end) };
    let mut found = Vec::new();
    for block in parse(text, Style::Marked) {
        for unit in block_units(text, &block) {
            found.push(Unit {
                kind: unit.kind,
                span: span(&unit.range),
                cells: unit.cells.iter().map(span).collect(),
                list_depth: unit.depth,
                number: unit.number,
            });
        }
    }
    found
}

/// Lines in capitals at the head of paragraphs from which they are the headings of a plain document.
const CAPITAL_HEADS: usize = 3;

/// How much a lone line may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Only marks make headings.
    Marked,
    /// "Chapter IV.-Of the Word" and lone lines in capitals are headings too: whole plain documents.
    Plain,
    /// So are short lines right over what they head: documents whose lines are as somebody typed them.
    Typed,
}

impl Style {
    /// Whether lines without marks may be headings.
    pub(crate) fn is_plain(self) -> bool {
        self != Self::Marked
    }
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// With its level from 1.
    Heading(u8),
    Paragraph,
    Item {
        depth: u8,
        number: Option<u32>,
    },
    TableHeader,
    Row,
    /// One line of code.
    Code,
    /// Table rules, fences, thematic breaks: nothing to read.
    Layout,
}

/// Lines that belong together. Bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    pub(crate) range: Range<usize>,
}

/// A unit in bytes.
#[derive(Clone, Debug)]
pub(crate) struct ByteUnit {
    pub(crate) kind: UnitKind,
    pub(crate) range: Range<usize>,
    pub(crate) cells: Vec<Range<usize>>,
    pub(crate) depth: u8,
    pub(crate) number: Option<u32>,
}

/// The units of one block.
pub(crate) fn block_units(text: &str, block: &Block) -> Vec<ByteUnit> {
    let slice = &text[block.range.clone()];
    let one = |kind, depth, number| {
        vec![ByteUnit { kind, range: block.range.clone(), cells: Vec::new(), depth, number }]
    };
    let cut = || {
        // Quote marks at line starts would stand in the middle of sentences; blanks keep the positions.
        let plain =
            if slice.starts_with('>') { blank_quote_marks(slice) } else { slice.to_owned() };
        // The head of a mail is no part of its first sentence.
        let head = mails::end_of_head(&plain).unwrap_or(0);
        let above = (head > 0).then(|| 0..plain[..head].trim_end().len());
        let below = sentences(&plain[head..]).into_iter().map(|at| at.start + head..at.end + head);
        above
            .into_iter()
            .chain(below)
            .map(|range| ByteUnit {
                kind: UnitKind::Sentence,
                range: block.range.start + range.start..block.range.start + range.end,
                cells: Vec::new(),
                depth: 0,
                number: None,
            })
            .collect()
    };
    match block.kind {
        BlockKind::Layout => Vec::new(),
        BlockKind::Heading(_) => one(UnitKind::Heading, 0, None),
        BlockKind::Code => one(UnitKind::Code, 0, None),
        BlockKind::Item { .. } if slice.len() > LONG_ITEM => cut(),
        BlockKind::Item { depth, number } => one(UnitKind::Item, depth, number),
        BlockKind::Paragraph => cut(),
        BlockKind::TableHeader | BlockKind::Row => {
            let header = block.kind == BlockKind::TableHeader;
            let mut units =
                one(if header { UnitKind::TableHeader } else { UnitKind::Row }, 0, None);
            units[0].cells = cells(text, &block.range);
            units
        }
    }
}

fn blank_quote_marks(slice: &str) -> String {
    slice
        .split_inclusive('\n')
        .map(|line| {
            let marks = line.len() - line.trim_start_matches(['>', ' ']).len();
            " ".repeat(marks) + &line[marks..]
        })
        .collect()
}

/// The cells of a pipe row, trimmed; an escaped pipe does not end a cell.
pub(crate) fn cells(text: &str, row: &Range<usize>) -> Vec<Range<usize>> {
    let line = &text[row.clone()];
    let mut bounds: Vec<usize> = Vec::new();
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        if c == '|' && !escaped {
            bounds.push(at);
        }
        escaped = c == '\\' && !escaped;
    }
    let mut edges = Vec::with_capacity(bounds.len() + 2);
    if !line.starts_with('|') {
        edges.push(0);
    }
    edges.extend(bounds.iter().map(|at| at + 1));
    let mut found = Vec::new();
    for (index, &start) in edges.iter().enumerate() {
        let end = edges.get(index + 1).map_or(line.len(), |next| next - 1);
        let cell = &line[start..end];
        if index + 1 == edges.len() && line.ends_with('|') {
            break; // what follows the closing pipe
        }
        let lead = cell.len() - cell.trim_start().len();
        let kept = cell.trim().len();
        found.push(row.start + start + lead..row.start + start + lead + kept);
    }
    found
}

/// The blocks of `text`, in order. Bytes between them are white space.
pub(crate) fn parse(text: &str, style: Style) -> Vec<Block> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        let lead = body.len() - body.trim_start().len();
        lines.push(Line { start: at + lead, end: at + body.len(), indent: indent(&body[..lead]) });
        at += line.len();
    }
    let mut parser = Parser {
        text,
        style,
        lines,
        capital_heads: false,
        typed_heads: Vec::new(),
        blocks: Vec::new(),
        open: None,
        list: Vec::new(),
    };
    if style == Style::Typed {
        let lines: Vec<&str> = (0..parser.lines.len()).map(|at| parser.slice(at)).collect();
        parser.typed_heads = heads(&lines);
    }
    parser.capital_heads = style.is_plain()
        && (0..parser.lines.len()).filter(|at| parser.is_capital_head(*at)).count()
            >= CAPITAL_HEADS;
    parser.run()
}

fn indent(lead: &str) -> usize {
    lead.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

#[derive(Clone, Copy)]
struct Line {
    start: usize,
    end: usize,
    indent: usize,
}

struct Parser<'a> {
    text: &'a str,
    style: Style,
    lines: Vec<Line>,
    /// Its sections have lines in capitals at their head, with nothing between those and the text.
    capital_heads: bool,
    /// The level of each line that heads what stands right below it; empty where lines may have been wrapped anyhow.
    typed_heads: Vec<Option<u8>>,
    blocks: Vec<Block>,
    /// The paragraph or item that the next line may continue.
    open: Option<Block>,
    /// Indents of the items that enclose the next line.
    list: Vec<usize>,
}

impl Parser<'_> {
    fn run(mut self) -> Vec<Block> {
        let mut at = 0;
        while at < self.lines.len() {
            at += self.line(at);
        }
        self.close();
        self.blocks
    }

    fn slice(&self, at: usize) -> &str {
        self.lines.get(at).map_or("", |line| &self.text[line.start..line.end])
    }

    fn close(&mut self) {
        self.blocks.extend(self.open.take());
    }

    fn emit(&mut self, kind: BlockKind, at: usize) {
        self.close();
        let line = self.lines[at];
        self.blocks.push(Block { kind, range: line.start..line.end });
    }

    /// Consumes one or more lines from `at`; gives how many.
    fn line(&mut self, at: usize) -> usize {
        let line = self.lines[at];
        let text = &self.text[line.start..line.end];
        if text.is_empty() {
            self.close();
            return 1;
        }
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence)) {
            return self.fenced(at, fence);
        }
        if is_contents_line(text) {
            self.emit(BlockKind::Layout, at);
            return 1;
        }
        if let Some(level) = atx_level(text) {
            self.list.clear();
            self.emit(BlockKind::Heading(level), at);
            return 1;
        }
        if is_pipe_row(text) || text.contains('|') && is_table_rule(self.slice(at + 1)) {
            return self.table(at);
        }
        if let Some(level) = self.underlined(at) {
            self.list.clear();
            self.emit(BlockKind::Heading(level), at);
            self.emit(BlockKind::Layout, at + 1);
            return 2;
        }
        if is_thematic_break(text) {
            self.list.clear();
            self.emit(BlockKind::Layout, at);
            return 1;
        }
        if let Some(level) = self.typed_heads.get(at).copied().flatten() {
            self.list.clear();
            self.emit(BlockKind::Heading(level), at);
            return 1;
        }
        if let Some(mark) = self.item_mark(text) {
            let number = match mark {
                ItemMark::Bullet => None,
                ItemMark::Number(number) => Some(number),
            };
            self.close();
            while self.list.last().is_some_and(|outer| *outer >= line.indent.max(1)) {
                self.list.pop();
            }
            let depth = self.list.len().min(8) as u8;
            if line.indent == 0 {
                self.list.clear();
            }
            let depth = if line.indent == 0 { 0 } else { depth };
            self.list.push(line.indent.max(1));
            self.open = Some(Block {
                kind: BlockKind::Item { depth, number },
                range: line.start..line.end,
            });
            return 1;
        }
        if self.style.is_plain()
            && let Some(level) = self.lone_heading(at)
        {
            self.list.clear();
            self.emit(BlockKind::Heading(level), at);
            return 1;
        }
        match &mut self.open {
            Some(block) => block.range.end = line.end,
            None => {
                if line.indent == 0 {
                    self.list.clear();
                }
                self.open = Some(Block { kind: BlockKind::Paragraph, range: line.start..line.end });
            }
        }
        1
    }

    fn fenced(&mut self, at: usize, fence: &str) -> usize {
        self.emit(BlockKind::Layout, at);
        let mut next = at + 1;
        while next < self.lines.len() {
            if self.slice(next).starts_with(fence) {
                self.emit(BlockKind::Layout, next);
                return next + 1 - at;
            }
            if !self.slice(next).is_empty() {
                self.emit(BlockKind::Code, next);
            }
            next += 1;
        }
        next - at
    }

    fn table(&mut self, at: usize) -> usize {
        let mut next = at;
        let ruled = is_table_rule(self.slice(at + 1));
        if ruled {
            self.emit(BlockKind::TableHeader, at);
            self.emit(BlockKind::Layout, at + 1);
            next = at + 2;
        }
        while next < self.lines.len() {
            let text = self.slice(next);
            if is_table_rule(text) {
                self.emit(BlockKind::Layout, next);
            } else if is_pipe_row(text) || ruled && text.contains('|') {
                self.emit(BlockKind::Row, next);
            } else {
                break;
            }
            next += 1;
        }
        next - at
    }

    /// A one-line paragraph with a line of = or - under it.
    fn underlined(&self, at: usize) -> Option<u8> {
        if self.open.is_some() {
            return None;
        }
        let under = self.slice(at + 1);
        let text = self.slice(at);
        if under.len() < 3 || is_thematic_break(text) || self.item_mark(text).is_some() {
            return None;
        }
        if under.bytes().all(|b| b == b'=') {
            return Some(1);
        }
        // Rules of dashes also separate paragraphs: take one only that is about as long as its line.
        (under.bytes().all(|b| b == b'-') && under.len() * 2 >= text.len() && text.len() < 100)
            .then_some(2)
    }

    fn item_mark(&self, text: &str) -> Option<ItemMark> {
        let in_prose = matches!(&self.open, Some(open) if open.kind == BlockKind::Paragraph);
        // In the middle of a paragraph a line may begin with a number by accident of wrapping.
        item_mark(text)
            .filter(|mark| !in_prose || matches!(mark, ItemMark::Bullet | ItemMark::Number(1)))
    }

    /// A paragraph of one line that reads as a heading of a plain document.
    fn lone_heading(&self, at: usize) -> Option<u8> {
        if self.capital_heads && self.open.is_none() && self.is_capital_head(at) {
            return Some(3);
        }
        let alone = self.open.is_none() && (at == 0 || self.slice(at - 1).is_empty());
        let text = self.slice(at);
        if !alone || text.len() > LONG_HEADING || !self.slice(at + 1).is_empty() {
            return None;
        }
        if let Some(level) = chapter_level(text).or_else(|| numbered_heading(text)) {
            return Some(level);
        }
        is_shout(text).then_some(3)
    }

    /// "24/3  THE SLIPWAY" right over what was said of it: the first line of a paragraph, in capitals, before one that is not.
    fn is_capital_head(&self, at: usize) -> bool {
        let text = self.slice(at);
        (at == 0 || self.slice(at - 1).is_empty())
            && is_shout(text)
            && !text.contains('|')
            && item_mark(text).is_none()
            && self.slice(at + 1).chars().any(char::is_lowercase)
    }
}

/// Whether a line is in capitals and reads as a heading.
fn is_shout(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 4
        && text.len() <= 80
        && !text.ends_with(['.', '!', '?', ',', ';', ':', '"', '”'])
        && !text.chars().any(char::is_lowercase)
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;
