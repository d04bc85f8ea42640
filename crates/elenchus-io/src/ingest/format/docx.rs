//! Word files: `word/document.xml` as Markdown, `docProps/core.xml` for what the file says of itself.

use super::encoding::tidy;
use super::text::looks_marked;
use super::{ExtractError, ExtractedDoc};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Most decompressed bytes of one part.
const MOST: usize = 96 << 20;
/// Most times the length of the whole file that a part may unpack to, above what any may.
const MOST_RATIO: usize = 100;
const ANY: usize = 8 << 20;
/// Creators that are programs or defaults, not people.
const NO_AUTHOR: &[&str] = &[
    "python-docx",
    "microsoft office user",
    "user",
    "admin",
    "administrator",
    "author",
    "unknown",
    "windows user",
];

pub(super) fn extract(bytes: &[u8]) -> Result<ExtractedDoc, ExtractError> {
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        return Err(damaged("it is encrypted or in the older .doc format"));
    }
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error.to_string()))?;
    let most = bytes.len().saturating_mul(MOST_RATIO).clamp(ANY, MOST);
    let body = part(&mut archive, "word/document.xml", most)?
        .ok_or_else(|| damaged("it holds no word/document.xml"))?;
    let styles = part(&mut archive, "word/styles.xml", most).ok().flatten();
    let levels = styles.map(|xml| heading_styles(&xml)).unwrap_or_default();
    let paragraphs = Body::read(&body, &levels).map_err(|cause| damaged(&cause))?;

    let lines: Vec<&str> = paragraphs.iter().map(|p| p.text.as_str()).collect();
    let source = lines.join("\n");
    let mut doc = if looks_marked(&source) && paragraphs.iter().all(|p| p.kind == Kind::Plain) {
        // Markdown source pasted line by line: a paragraph is a line, an empty one ends a block.
        super::markdown::extract(tidy(&source))
    } else {
        ExtractedDoc::of_text(tidy(&markdown(&paragraphs)))
    };
    if let Some(core) = part(&mut archive, "docProps/core.xml", most).ok().flatten() {
        properties(&core, &mut doc);
    }
    Ok(doc)
}

fn damaged(cause: &str) -> ExtractError {
    ExtractError::Damaged { format: "DOCX", cause: cause.to_owned() }
}

fn part(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    most: usize,
) -> Result<Option<String>, ExtractError> {
    let Ok(file) = archive.by_name(name) else { return Ok(None) };
    let mut bytes = Vec::new();
    // The size in the directory may lie, so what counts is what comes out.
    file.take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| damaged(&error.to_string()))?;
    if bytes.len() > most {
        return Err(ExtractError::TooLarge { format: "DOCX", megabytes: (most >> 20) as u64 });
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Heading(u8),
    Item(u8),
    Row,
}

struct Paragraph {
    kind: Kind,
    text: String,
}

fn markdown(paragraphs: &[Paragraph]) -> String {
    let mut text = String::new();
    let mut previous = None;
    for paragraph in paragraphs.iter().filter(|p| !p.text.trim().is_empty()) {
        let tight = matches!(
            (previous, paragraph.kind),
            (Some(Kind::Item(_)), Kind::Item(_)) | (Some(Kind::Row), Kind::Row)
        );
        if previous.is_some() {
            text.push_str(if tight { "\n" } else { "\n\n" });
        }
        match paragraph.kind {
            Kind::Heading(level) => {
                text.push_str(&"#".repeat(usize::from(level)));
                text.push(' ');
            }
            Kind::Item(depth) => {
                text.push_str(&"  ".repeat(usize::from(depth)));
                text.push_str("- ");
            }
            Kind::Plain | Kind::Row => {}
        }
        text.push_str(paragraph.text.trim());
        previous = Some(paragraph.kind);
    }
    text
}

/// Style ids of headings with their levels: ids are translated in localised files, names are not.
fn heading_styles(xml: &str) -> BTreeMap<String, u8> {
    let mut levels = BTreeMap::new();
    let mut reader = Reader::from_str(xml);
    let mut id = None;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                b"style" => id = attribute(&tag, b"styleId"),
                b"name" => {
                    let name = attribute(&tag, b"val").unwrap_or_default().to_lowercase();
                    if let (Some(id), Some(level)) = (&id, heading_level(&name)) {
                        levels.insert(id.clone(), level);
                    }
                }
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    levels
}

/// "heading 2", "Heading2", "title".
fn heading_level(style: &str) -> Option<u8> {
    let style = style.to_lowercase();
    if style == "title" {
        return Some(1);
    }
    style.strip_prefix("heading")?.trim().parse::<u8>().ok().map(|level| level.clamp(1, 6))
}

fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    tag.attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)
        .map(|attribute| String::from_utf8_lossy(&attribute.value).into_owned())
}

struct Table {
    /// Finished rows with their cells.
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: String,
}

struct Body<'a> {
    levels: &'a BTreeMap<String, u8>,
    done: Vec<Paragraph>,
    tables: Vec<Table>,
    text: String,
    kind: Kind,
    /// Inside `w:t`.
    visible: bool,
    /// Inside `mc:Fallback`, which repeats what was read already.
    repeated: u32,
}

impl<'a> Body<'a> {
    fn read(xml: &str, levels: &'a BTreeMap<String, u8>) -> Result<Vec<Paragraph>, String> {
        let mut body = Self {
            levels,
            done: Vec::new(),
            tables: Vec::new(),
            text: String::new(),
            kind: Kind::Plain,
            visible: false,
            repeated: 0,
        };
        let mut reader = Reader::from_str(xml);
        loop {
            match reader.read_event().map_err(|error| error.to_string())? {
                Event::Start(tag) => body.start(&tag, false),
                Event::Empty(tag) => body.start(&tag, true),
                Event::End(tag) => body.end(tag.local_name().as_ref()),
                Event::Text(text) if body.reading() => {
                    body.text.push_str(&text.decode().map_err(|error| error.to_string())?);
                }
                Event::GeneralRef(reference) if body.reading() => {
                    if let Ok(Some(c)) = reference.resolve_char_ref() {
                        body.text.push(c);
                    } else {
                        body.text.push_str(match &reference[..] {
                            b"amp" => "&",
                            b"lt" => "<",
                            b"gt" => ">",
                            b"quot" => "\"",
                            b"apos" => "'",
                            _ => " ",
                        });
                    }
                }
                Event::Eof => return Ok(body.done),
                _ => {}
            }
        }
    }

    fn reading(&self) -> bool {
        self.visible && self.repeated == 0
    }

    fn start(&mut self, tag: &BytesStart<'_>, empty: bool) {
        match tag.local_name().as_ref() {
            b"Fallback" if !empty => self.repeated += 1,
            _ if self.repeated > 0 => {}
            b"p" if empty => {
                self.kind = Kind::Plain;
                self.paragraph();
            }
            b"p" => {
                self.kind = Kind::Plain;
            }
            b"pStyle" => {
                let id = attribute(tag, b"val").unwrap_or_default();
                if let Some(level) = self.levels.get(&id).copied().or_else(|| heading_level(&id)) {
                    self.kind = Kind::Heading(level);
                } else if id.starts_with("List") && self.kind == Kind::Plain {
                    self.kind = Kind::Item(0);
                }
            }
            b"numPr" if self.kind == Kind::Plain => self.kind = Kind::Item(0),
            b"ilvl" => {
                if let Kind::Item(_) = self.kind {
                    let depth = attribute(tag, b"val").and_then(|v| v.parse().ok()).unwrap_or(0_u8);
                    self.kind = Kind::Item(depth.min(8));
                }
            }
            b"t" => self.visible = !empty,
            b"tab" => self.text.push(' '),
            b"br" | b"cr" => self.text.push('\n'),
            b"tbl" if !empty => {
                self.tables.push(Table { rows: Vec::new(), row: Vec::new(), cell: String::new() });
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        if name == b"Fallback" {
            self.repeated = self.repeated.saturating_sub(1);
        }
        if self.repeated > 0 {
            return;
        }
        match name {
            b"t" => self.visible = false,
            b"p" => self.paragraph(),
            b"tc" => {
                if let Some(table) = self.tables.last_mut() {
                    table.row.push(std::mem::take(&mut table.cell));
                }
            }
            b"tr" => {
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(std::mem::take(&mut table.row));
                }
            }
            b"tbl" => self.table(),
            _ => {}
        }
    }

    fn paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        if let Some(table) = self.tables.last_mut() {
            if !table.cell.is_empty() {
                table.cell.push(' ');
            }
            table.cell.push_str(text.trim());
            return;
        }
        // A heading is one line.
        let text =
            if matches!(self.kind, Kind::Heading(_)) { text.replace('\n', " ") } else { text };
        self.done.push(Paragraph { kind: self.kind, text });
    }

    fn table(&mut self) {
        let Some(table) = self.tables.pop() else { return };
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells
                .iter()
                .map(|cell| {
                    cell.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
                })
                .collect();
            format!("| {} |", cells.join(" | "))
        };
        if let Some(outer) = self.tables.last_mut() {
            let flat: Vec<String> = table.rows.iter().map(|row| row.join(" ")).collect();
            outer.cell.push_str(&flat.join("; "));
            return;
        }
        for (index, row) in table.rows.iter().filter(|row| !row.is_empty()).enumerate() {
            self.done.push(Paragraph { kind: Kind::Row, text: line(row) });
            if index == 0 {
                let rule = format!("|{}", "---|".repeat(row.len()));
                self.done.push(Paragraph { kind: Kind::Row, text: rule });
            }
        }
    }
}

fn properties(xml: &str, doc: &mut ExtractedDoc) {
    let mut reader = Reader::from_str(xml);
    let mut element = Vec::new();
    let mut values: BTreeMap<Vec<u8>, String> = BTreeMap::new();
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) => element = tag.local_name().as_ref().to_vec(),
            Event::Text(text) => {
                values
                    .entry(element.clone())
                    .or_default()
                    .push_str(&text.decode().unwrap_or_default());
            }
            Event::End(_) => element.clear(),
            Event::Eof => break,
            _ => {}
        }
    }
    let value =
        |name: &[u8]| values.get(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
    let creator = value(b"creator");
    let generated = creator.as_ref().is_some_and(|name| name == "python-docx");
    doc.title = doc.title.take().or_else(|| value(b"title"));
    let person = creator.filter(|name| !NO_AUTHOR.contains(&name.to_lowercase().as_str()));
    doc.author = doc.author.take().or(person);
    // A generator's template carries the date of the template.
    if !generated && let Some(date) = value(b"modified").or_else(|| value(b"created")) {
        doc.saved = Some(date);
    }
}
