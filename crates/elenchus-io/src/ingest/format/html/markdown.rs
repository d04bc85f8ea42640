//! A part of a page as Markdown: headings, paragraphs, lists, tables and code, without what nobody quotes, such as link
//! targets, pictures and emphasis.

use super::tree::{Kind, Name, Tag, Tree};
use std::fmt::Write;

/// Lists within lists beyond this are written at this depth.
const DEEPEST: usize = 6;
/// Lists within lists beyond this are read as blocks: each level copies what is below it.
const MOST_LISTS: usize = 16;
/// A table with a longer cell lays a page out, in characters.
const LONG_CELL: usize = 1_000;
/// Most empty cells for one that spans columns.
const MOST_SPAN: usize = 20;

/// Writes the parts and what is below them, but not what is left out.
pub(super) fn write(tree: &Tree, parts: &[usize], left_out: &[bool]) -> String {
    write_quoted(tree, parts, left_out, 0)
}

/// The same, and quotes within each other up to this depth with ">" before their lines.
pub(super) fn write_quoted(
    tree: &Tree,
    parts: &[usize],
    left_out: &[bool],
    quotes: usize,
) -> String {
    let (out, line) = (String::new(), String::new());
    let mut page = Writer { tree, left_out, out, line, lists: 0, quotes };
    for part in parts {
        page.element(*part);
        page.end_block();
    }
    without_empty_headings(&page.out)
}

/// Drops headings that head nothing: what stood below them was left out.
fn without_empty_headings(text: &str) -> String {
    let level = |line: &str| -> usize {
        let marks = line.bytes().take_while(|b| *b == b'#').count();
        if (1..=6).contains(&marks) && line[marks..].starts_with(' ') { marks } else { 0 }
    };
    let lines: Vec<&str> = text.lines().collect();
    // Comments in code look like headings.
    let mut code = vec![false; lines.len()];
    let mut fence = "";
    for (at, line) in lines.iter().enumerate() {
        if fence.is_empty() {
            fence = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark)).unwrap_or("");
            code[at] = !fence.is_empty();
        } else {
            code[at] = true;
            if *line == fence {
                fence = "";
            }
        }
    }
    let mut kept: Vec<&str> = Vec::with_capacity(lines.len());
    // From the end: the level of the heading that follows at once, if one does.
    let mut next: Option<usize> = Some(0);
    for (at, line) in lines.iter().enumerate().rev() {
        let own = if code[at] { 0 } else { level(line) };
        if own > 0 {
            if next.is_some_and(|below| below <= own) {
                continue;
            }
            next = Some(own);
        } else if !line.trim().is_empty() {
            next = None;
        }
        kept.push(line);
    }
    kept.reverse();
    let mut out = String::with_capacity(text.len());
    for line in kept {
        if line.is_empty() && (out.is_empty() || out.ends_with("\n\n")) {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

struct Writer<'a> {
    tree: &'a Tree,
    left_out: &'a [bool],
    out: String,
    /// The block that is being filled, with single spaces; line breaks as `\n`.
    line: String,
    /// Lists that are open around this part.
    lists: usize,
    /// Quotes within each other that are marked from here on: each level copies what is below it.
    quotes: usize,
}

impl Writer<'_> {
    /// What is below an element as blocks of their own.
    fn part(&self, at: usize, lists: usize) -> String {
        self.part_within(at, lists, self.quotes)
    }

    fn part_within(&self, at: usize, lists: usize, quotes: usize) -> String {
        let mut part = Writer {
            tree: self.tree,
            left_out: self.left_out,
            out: String::new(),
            line: String::new(),
            lists,
            quotes,
        };
        part.children(at);
        part.end_block();
        part.out
    }

    fn element(&mut self, at: usize) {
        let Some(tag) = self.tree.tag(at) else { return };
        if let Some(level) = tag.heading() {
            self.end_block();
            let words = self.one_line(at);
            if !words.is_empty() {
                self.block(&format!("{} {words}", "#".repeat(level)));
            }
            return;
        }
        match tag {
            Tag::Br => self.line.push('\n'),
            Tag::Pre => self.code(at),
            Tag::Ul | Tag::Ol | Tag::Menu if self.lists < MOST_LISTS => self.list(at, tag),
            Tag::Table => self.table(at),
            Tag::Blockquote if self.quotes > 0 => {
                self.end_block();
                let quote = self.part_within(at, self.lists, self.quotes - 1);
                let marked: Vec<String> = quote.lines().map(|line| format!("> {line}")).collect();
                if !marked.is_empty() {
                    self.block(&marked.join("\n"));
                }
            }
            _ if tag.is_inline() => self.children(at),
            _ => {
                self.end_block();
                self.children(at);
                self.end_block();
            }
        }
    }

    fn children(&mut self, at: usize) {
        let tree = self.tree;
        for child in tree.children(at).filter(|child| !self.left_out[*child]).collect::<Vec<_>>() {
            match &tree.nodes[child].kind {
                Kind::Text(words) => self.words(words),
                Kind::Element(_) => self.element(child),
            }
        }
    }

    /// Adds words with single spaces between.
    fn words(&mut self, words: &str) {
        for c in words.chars() {
            if c.is_whitespace() && c != '\u{a0}' {
                if !self.line.is_empty() && !self.line.ends_with([' ', '\n']) {
                    self.line.push(' ');
                }
            } else {
                self.line.push(if c == '\u{a0}' { ' ' } else { c });
            }
        }
    }

    /// Everything below on one line.
    fn one_line(&self, at: usize) -> String {
        let part = self.part(at, 0);
        part.split_whitespace()
            .filter(|word| !word.chars().all(|c| c == '#'))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Ends the block that is being filled. Two line breaks in a row part paragraphs on pages that know no others.
    fn end_block(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let filled = std::mem::take(&mut self.line);
        let mut paragraph = String::new();
        for line in filled.split('\n').map(str::trim) {
            if line.is_empty() {
                if !paragraph.is_empty() {
                    self.block(&paragraph);
                    paragraph.clear();
                }
                continue;
            }
            if !paragraph.is_empty() {
                paragraph.push('\n');
            }
            // A fence in running text would swallow what follows.
            paragraph.push_str(&if line.starts_with("```") {
                line.replacen("```", "'''", 1)
            } else {
                line.to_owned()
            });
        }
        if !paragraph.is_empty() {
            self.block(&paragraph);
        }
    }

    fn block(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn code(&mut self, at: usize) {
        self.end_block();
        let tree = self.tree;
        let mut code = String::new();
        for below in at..tree.nodes[at].end {
            if self.left_out[below] {
                continue;
            }
            match &tree.nodes[below].kind {
                Kind::Text(words) => code.push_str(words),
                Kind::Element(element) if element.tag == Tag::Br => code.push('\n'),
                Kind::Element(_) => {}
            }
        }
        let code = code.trim_matches('\n').trim_end();
        let lines = code.lines().count();
        let prose = lines <= 1 && code.chars().count() > 200
            || !tree.holds(at, Tag::Code) && reads_as_prose(code);
        if code.trim().is_empty() {
            return;
        }
        if prose {
            self.line.push_str(code);
            self.end_block();
            return;
        }
        let fence = if code.contains("```") { "~~~" } else { "```" };
        self.block(&format!("{fence}\n{code}\n{fence}"));
    }

    fn list(&mut self, at: usize, tag: Tag) {
        self.end_block();
        let tree = self.tree;
        let first = tree
            .element(at)
            .and_then(|element| element.get(Name::Start)?.trim().parse::<u32>().ok());
        let mut number = first.unwrap_or(1);
        let mut written = String::new();
        let depth = self.lists + 1;
        for child in tree.children(at) {
            if self.left_out[child] {
                continue;
            }
            let part = match &tree.nodes[child].kind {
                Kind::Text(words) => words.split_whitespace().collect::<Vec<_>>().join(" "),
                // A list right within a list, which HTML forbids and many pages have.
                Kind::Element(element)
                    if matches!(element.tag, Tag::Ul | Tag::Ol) && depth < MOST_LISTS =>
                {
                    let mut inner = Writer {
                        tree,
                        left_out: self.left_out,
                        out: String::new(),
                        line: String::new(),
                        lists: depth,
                        quotes: self.quotes,
                    };
                    inner.list(child, element.tag);
                    push_indented(&mut written, &inner.out, depth);
                    continue;
                }
                Kind::Element(_) => self.part(child, depth),
            };
            let mut lines = part.lines().filter(|line| !line.trim().is_empty());
            let Some(start) = lines.next() else { continue };
            // Headings within items are the items' words.
            let start = start.trim_start_matches('#').trim_start();
            if tag == Tag::Ol {
                let _ = writeln!(written, "{number}. {start}");
                number = number.saturating_add(1);
            } else {
                let _ = writeln!(written, "- {start}");
            }
            let rest: Vec<&str> = lines.collect();
            push_indented(&mut written, &rest.join("\n"), depth);
        }
        if !written.is_empty() {
            self.block(written.trim_end_matches('\n'));
        }
    }

    fn table(&mut self, at: usize) {
        self.end_block();
        let rows = self.rows(at);
        let Some(rows) = rows else {
            self.children(at);
            self.end_block();
            return;
        };
        let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        if columns == 0 {
            return;
        }
        let tree = self.tree;
        let captions: Vec<usize> = tree
            .children(at)
            .filter(|child| tree.tag(*child) == Some(Tag::Caption) && !self.left_out[*child])
            .collect();
        for caption in captions {
            let words = self.one_line(caption);
            if !words.is_empty() {
                self.block(&words);
            }
        }
        let mut text = String::new();
        for (place, row) in rows.iter().enumerate() {
            text.push('|');
            for column in 0..columns {
                text.push(' ');
                text.push_str(row.cells.get(column).map_or("", String::as_str));
                text.push_str(" |");
            }
            text.push('\n');
            if place == 0 && row.header && rows.len() > 1 {
                text.push_str(&"|---".repeat(columns));
                text.push_str("|\n");
            }
        }
        self.block(text.trim_end_matches('\n'));
    }

    /// The rows of a table of data; `None` for one that only lays the page out.
    fn rows(&self, at: usize) -> Option<Vec<Row>> {
        let tree = self.tree;
        let mut rows = Vec::new();
        let mut here = at + 1;
        let mut head_end = at;
        while here < tree.nodes[at].end {
            if self.left_out[here] {
                here = tree.nodes[here].end;
                continue;
            }
            match tree.tag(here) {
                Some(Tag::Table) => return None,
                Some(Tag::Thead) => head_end = tree.nodes[here].end,
                Some(Tag::Tr) => {
                    rows.push(self.row(here, here < head_end)?);
                    here = tree.nodes[here].end;
                    continue;
                }
                _ => {}
            }
            here += 1;
        }
        rows.retain(|row: &Row| row.cells.iter().any(|cell| !cell.is_empty()));
        let wide = rows.iter().any(|row| row.cells.len() > 1);
        (wide || rows.is_empty()).then_some(rows)
    }

    fn row(&self, at: usize, in_head: bool) -> Option<Row> {
        let tree = self.tree;
        let mut row = Row { cells: Vec::new(), header: in_head };
        let (mut heads, mut cells) = (0, 0);
        for cell in tree.children(at) {
            let Some(element) = tree.element(cell) else { continue };
            if self.left_out[cell] || !matches!(element.tag, Tag::Td | Tag::Th) {
                continue;
            }
            let holds_table =
                (cell + 1..tree.nodes[cell].end).any(|below| tree.tag(below) == Some(Tag::Table));
            if holds_table {
                return None;
            }
            let part = self.part(cell, 0);
            let words: String = part
                .lines()
                .map(|line| line.trim_start_matches('#').trim())
                .filter(|line| !line.is_empty() && *line != "```")
                .collect::<Vec<_>>()
                .join(" ");
            if words.chars().count() > LONG_CELL {
                return None;
            }
            cells += 1;
            heads += usize::from(element.tag == Tag::Th || words.is_empty());
            row.cells.push(words.replace('|', "\\|"));
            let span = element
                .get(Name::Colspan)
                .and_then(|n| n.trim().parse::<usize>().ok())
                .unwrap_or(1);
            row.cells
                .extend(std::iter::repeat_n(String::new(), span.min(MOST_SPAN).saturating_sub(1)));
        }
        let named = row.cells.iter().any(|cell| !cell.is_empty());
        row.header |= named && heads == cells;
        Some(row)
    }
}

struct Row {
    cells: Vec<String>,
    /// Names the columns.
    header: bool,
}

/// Lines below an item.
fn push_indented(written: &mut String, part: &str, depth: usize) {
    let lead = if depth <= DEEPEST { "  " } else { "" };
    for line in part.lines().filter(|line| !line.trim().is_empty()) {
        written.push_str(lead);
        written.push_str(line);
        written.push('\n');
    }
}

/// Text that was set as it is typed, such as poems and old notices, is not code.
fn reads_as_prose(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic() || c.is_whitespace()).count();
    let all = text.chars().count().max(1);
    letters * 100 / all >= 90 && !text.contains(['{', '}', ';', '=', '<'])
}
