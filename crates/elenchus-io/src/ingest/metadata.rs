//! Title, author, date, vintage and family of a document, from its own words.
//!
//! The file system's dates are never used: they say when a copy was made.

use super::authors::{NamedAuthor, author_of, period_of, same_words};
use super::blocks::{BlockKind, Style, parse};
use super::dates::dates;
use super::format::{ExtractedDoc, Format};
use super::marks::strip_markup;
use elenchus_core::evidence::{DatePrecision, DocDate, PartialDate, Vintage, WEEKDAYS};
use std::ops::Range;

/// Lines at the top in which a document speaks about itself.
const OPENING_LINES: usize = 12;
/// A longer line is prose, in characters.
const LINE_CHARS: usize = 200;

/// Longest title, in characters: it is shown with every hit.
const TITLE_CHARS: usize = 300;

/// What a document says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Never empty.
    pub title: String,
    /// As named.
    pub author: Option<String>,
    /// When it was current.
    pub date: Option<DocDate>,
    /// By its own word or its folder.
    pub vintage: Vintage,
    /// Equal for the same report of another period.
    pub family: String,
}

/// Words before a date that say when a document was current, the strongest first.
const CURRENT: &[&str] = &[
    "last updated",
    "last revised",
    "last modified",
    "last changed",
    "last edited",
    "last amended",
    "updated",
    "revised",
    "effective",
    "as of",
    "as at",
    "valid from",
    "in force from",
    "status as of",
];
/// Words before a date that say when it was made.
const MADE: &[&str] = &[
    "prepared",
    "published",
    "issued",
    "approved",
    "released",
    "date",
    "dated",
    "written",
    "created",
    "version",
    "author",
    "meeting date",
    "meeting of",
    "session of",
    "sitting of",
    "edition of",
    "issue of",
    "submitted",
    "posted",
    "adopted",
    "drawn up",
    "compiled",
    "signed",
    "date of report",
    "report date",
];
/// Groups of people that sign documents.
const GROUPS: &[&str] = &[
    "team",
    "office",
    "department",
    "dept",
    "group",
    "committee",
    "division",
    "board",
    "staff",
    "council",
];
/// Words that mark an old vintage.
const OLD: &[&str] = &["superseded", "obsolete", "deprecated", "withdrawn", "outdated", "archived"];
/// Folders for old vintages.
const OLD_FOLDERS: &[&str] =
    &["archive", "archives", "archived", "old", "superseded", "obsolete", "deprecated"];
/// What a number of an edition stands behind.
const EDITIONS: [&str; 4] = ["edition", "rev", "revision", "version"];
/// Words of a title that tell versions of a report apart, not reports.
const VERSION_WORDS: &[&str] = &[
    "approved",
    "edition",
    "revision",
    "archived",
    "copy",
    "draft",
    "excerpt",
    "final",
    "obsolete",
    "old",
    "outdated",
    "preliminary",
    "rev",
    "revised",
    "superseded",
    "update",
    "updated",
    "version",
];

/// Reads the metadata of `doc`. `path` is relative to the corpus; `siblings` are the stems of all files in
/// the same folder.
pub fn metadata(doc: &ExtractedDoc, format: Format, path: &str, siblings: &[String]) -> Metadata {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |parts| parts.0);
    let lines = opening(doc);
    let plain: Vec<&str> = lines.iter().map(String::as_str).collect();
    let named = author_of(stem, siblings, &plain);
    let title: String =
        title(doc, format, stem, &plain, named.as_ref()).chars().take(TITLE_CHARS).collect();
    let author = doc
        .author
        .as_deref()
        .and_then(clean_name)
        .or_else(|| lines.iter().find_map(|line| stated_author(line)))
        .or_else(|| named.map(|author| author.name));
    let date = date(doc, name, &title, &lines, author.as_deref());
    let vintage = vintage(path, stem, &title, &lines);
    let family = family(&title);
    Metadata { title, author, date, vintage, family }
}

/// The first lines without markup. Records and table rows do not speak about the document.
fn opening(doc: &ExtractedDoc) -> Vec<String> {
    if !doc.records.is_empty() {
        return Vec::new();
    }
    doc.text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(OPENING_LINES)
        .filter(|line| !line.starts_with('|') && line.chars().count() <= LINE_CHARS)
        .map(strip_markup)
        .collect()
}

fn title(
    doc: &ExtractedDoc,
    format: Format,
    stem: &str,
    lines: &[&str],
    named: Option<&NamedAuthor>,
) -> String {
    let own = doc.title.as_deref().map(strip_markup).filter(|title| !title.is_empty());
    if let Some(title) = &own
        && format != Format::Docx
    {
        return title.clone();
    }
    if doc.records.is_empty() && doc.style == Style::Marked {
        let top: String = doc.text.lines().take(60).flat_map(|line| [line, "\n"]).collect();
        let heading = parse(&top, Style::Marked)
            .into_iter()
            .find(|block| matches!(block.kind, BlockKind::Heading(1 | 2)))
            .map(|block| strip_markup(&top[block.range]))
            .filter(|title| !title.is_empty());
        if let Some(title) = heading.or_else(|| own.clone()) {
            return title;
        }
    }
    if let Some(title) = own {
        return title;
    }
    if let Some(author) = named {
        let printed = lines.iter().find(|line| same_words(line, &author.rest));
        // "Shepherd_of_Hermas_Translation_X": the file begins with the work, not with who wrote it.
        let work = || {
            lines.iter().find(|line| author.work.as_ref().is_some_and(|work| line.ends_with(work)))
        };
        let title = match printed.or_else(work) {
            Some(line) => line,
            None if author.rest.is_empty() => author.name.as_str(),
            None => author.rest.as_str(),
        };
        // Printed titles carry footnote marks and full stops.
        return title
            .trim_end_matches(|c: char| c.is_ascii_digit() && printed.is_some() || c == ' ')
            .trim_end_matches(['.', ',', ':'])
            .to_owned();
    }
    // A plain text whose first line stands alone like a title.
    let mut top = doc.text.lines().map(str::trim).skip_while(|line| line.is_empty());
    if doc.records.is_empty()
        && let (Some(first), Some("")) = (top.next(), top.next())
        && (3..=100).contains(&first.chars().count())
        && !first.ends_with(['.', ',', ';', ':'])
    {
        return strip_markup(first);
    }
    readable(stem)
}

/// A file name as words.
fn readable(stem: &str) -> String {
    let words = stem.replace(['_', '-'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut chars = words.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => stem.to_owned(),
    }
}

/// A name as a byline gives it, without "By" and dates; `None` when nothing is left.
fn clean_name(text: &str) -> Option<String> {
    let text = strip_markup(text);
    let text = ["by ", "By ", "BY "].iter().find_map(|by| text.strip_prefix(by)).unwrap_or(&text);
    let date = dates(text).first().map_or(text.len(), |(range, _)| range.start);
    let label = next_label(text).filter(|at| *at <= date);
    let text = match label {
        // The full stop before it ends what was said of the author.
        Some(at) => text[..at].trim_end().trim_end_matches('.'),
        None => &text[..date],
    };
    let name = text.trim_matches(|c: char| c.is_whitespace() || ",;-–—|(".contains(c));
    let plausible = name.chars().any(char::is_alphabetic) && name.chars().count() <= 80;
    plausible.then(|| name.to_owned())
}

/// Where a line goes on with what else it says of the document: "Jane Doe, clerk. Date: 4 July 2025".
fn next_label(text: &str) -> Option<usize> {
    let label_before = |colon: usize| {
        let before = text[..colon].trim_end();
        let begins = |label: &&str| {
            let at = before.len().checked_sub(label.len())?;
            let is_whole = !before.get(..at)?.ends_with(char::is_alphanumeric);
            (is_whole && before.get(at..)?.eq_ignore_ascii_case(label)).then_some(at)
        };
        // The earliest belongs to the longest: "last updated" and not "updated".
        CURRENT.iter().chain(MADE).filter_map(begins).min()
    };
    text.match_indices(':').find_map(|(colon, _)| label_before(colon)).filter(|at| *at > 0)
}

/// The parts of a metadata line: "HR - effective January 2026 | Internal".
fn segments(line: &str) -> impl Iterator<Item = &str> {
    line.split('|')
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split(" · "))
        .map(str::trim)
}

fn after_words<'a>(segment: &'a str, words: &str) -> Option<&'a str> {
    let head = segment.get(..words.len())?;
    let rest = &segment[words.len()..];
    (head.eq_ignore_ascii_case(words) && !rest.starts_with(char::is_alphanumeric))
        .then(|| rest.trim_start())
}

fn stated_author(line: &str) -> Option<String> {
    for segment in segments(line) {
        for words in ["prepared by", "written by", "author", "authors", "authored by"] {
            if let Some(rest) = after_words(segment, words) {
                let colon = rest.strip_prefix(':');
                if let Some(name) = colon.or_else(|| words.ends_with("by").then_some(rest)) {
                    return clean_name(name);
                }
            }
        }
        // "Product team, March 2026"
        if let Some((date, _)) = dates(segment).first()
            && date.end == segment.len()
            && let Some(name) = clean_name(segment)
            && name.len() < 60
            && name
                .to_lowercase()
                .split_whitespace()
                .last()
                .is_some_and(|last| GROUPS.contains(&last))
            && line.contains('|')
        {
            return Some(name);
        }
    }
    // "By Jane Doe" alone on a line.
    let words: Vec<&str> = after_words(line, "by")?.split_whitespace().collect();
    let capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    ((2..=4).contains(&words.len()) && words.iter().all(capital)).then(|| words.join(" "))
}

fn date(
    doc: &ExtractedDoc,
    name: &str,
    title: &str,
    lines: &[String],
    author: Option<&str>,
) -> Option<DocDate> {
    let first = |text: &str| dates(text).first().map(|found| found.1);
    for (key, value) in &doc.dates {
        if let Some(value_date) = first(value) {
            return Some(DocDate { value: value_date, stated: format!("{key}: {value}") });
        }
    }
    if let Some(period) = author.and_then(period_of) {
        return Some(period);
    }
    let mut made: Option<DocDate> = None;
    for line in lines {
        for segment in segments(line).flat_map(sentences_of) {
            let Some((range, value)) = own_date(segment) else { continue };
            let says = |words: &&str| after_words(segment, words).is_some();
            let stated = || DocDate { value, stated: segment.to_owned() };
            if CURRENT.iter().any(&says) {
                return Some(stated());
            }
            let signed = line.contains('|') && range.end == segment.len();
            if made.is_none() && (MADE.iter().any(&says) || signed) && line != title {
                made = Some(stated());
            }
        }
    }
    made.or_else(|| head_date(lines, title))
        .or_else(|| best(title).map(|value| DocDate { value, stated: title.to_owned() }))
        .or_else(|| best(name).map(|value| DocDate { value, stated: format!("file name: {name}") }))
        .or_else(|| {
            let saved = doc.saved.as_deref()?;
            first(saved)
                .map(|value| DocDate { value, stated: format!("document properties: {saved}") })
        })
}

/// Most lines below the title that are its head, and most words around the day in one of them.
const HEAD_LINES: usize = 4;
const BEFORE_DAY: usize = 9;
const BEHIND_DAY: usize = 6;
/// Words of a line by which its day is that of something else.
const OF_OTHERS: [&str; 21] = [
    "period",
    "next",
    "until",
    "deadline",
    "expires",
    "due",
    "born",
    "since",
    "between",
    "replaces",
    "supersedes",
    "founded",
    "opened",
    "approved",
    "lock",
    "start",
    "begin",
    "closing",
    "through",
    "expiry",
    "arrival",
];

/// The parts of a line that stand for themselves: "Reed Research. 3 June 2024. Author: Ann Lund".
fn sentences_of(line: &str) -> impl Iterator<Item = &str> {
    line.split(". ")
        .flat_map(|part| {
            // "To: desk From: Ann Lund Date: 5 December 2024"
            let (before, behind) = part.split_at(part.find(" Date: ").map_or(0, |at| at + 1));
            [before, behind]
        })
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// "To the Fund, 10 February 2023", "Leith, 15 September 2025", "No. 6, September 2023": the day that stands behind a comma, or alone, in
/// the lines below the title.
fn head_date(lines: &[String], title: &str) -> Option<DocDate> {
    let below = lines.iter().skip_while(|line| *line == title).take(HEAD_LINES);
    for line in below {
        for part in sentences_of(line).flat_map(segments) {
            if let Some(value) = set_apart(part) {
                return Some(DocDate { value, stated: part.to_owned() });
            }
        }
    }
    None
}

/// The one day or month of a short text, where marks set it apart.
fn set_apart(text: &str) -> Option<PartialDate> {
    let (range, value) = own_date(text)?;
    let (before, behind) = (text.get(..range.start)?, text.get(range.end..)?);
    let is_few = |text: &str, most: usize| text.split_whitespace().count() <= most;
    let of_other = || {
        let lower = before.to_lowercase();
        let mut all = lower.split(|c: char| !c.is_alphanumeric());
        all.any(|word| OF_OTHERS.contains(&word))
    };
    // "22-24 May": the first day is read as no part of the date.
    let before_day = before
        .trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '\u{2013}' | ' '));
    let lead = before_day.trim_end_matches([',', ' ']);
    let last = lead.rsplit(' ').next().unwrap_or_default();
    let lead = if WEEKDAYS.contains(&last.to_lowercase().as_str()) {
        lead.strip_suffix(last).unwrap_or(lead).trim_end()
    } else {
        before_day
    };
    let apart = lead.is_empty() || lead.ends_with([',', '-', '\u{2013}', '\u{2014}', ':', '(']);
    let ends = behind.trim_start_matches(['.', '*', '_', ')']).is_empty()
        || behind.trim_start().starts_with([',', '-', '\u{2013}', '\u{2014}', '(', ';']);
    let one = dates(behind).is_empty();
    (value.precision >= DatePrecision::Month
        && apart
        && ends
        && one
        && is_few(before, BEFORE_DAY)
        && is_few(behind, BEHIND_DAY)
        && !of_other())
    .then_some(value)
}

/// The first date of a part of a line that is not that of another version: "replaces version 1 of 20 January 2026".
fn own_date(segment: &str) -> Option<(Range<usize>, PartialDate)> {
    let of_other = |at: usize| {
        let clause = segment.get(..at).unwrap_or_default().rsplit(['.', ';']).next();
        let mut words = clause.unwrap_or_default().split_whitespace().map(str::to_lowercase);
        words.any(|word| word.starts_with("replac") || word.starts_with("supersed"))
    };
    dates(segment).into_iter().find(|(range, _)| !of_other(range.start))
}

/// The most exact date of a title or name, the latest of those: "2026 plan, revised March 2026", "Report on 2021 and 2022".
fn best(text: &str) -> Option<PartialDate> {
    let mut best: Option<PartialDate> = None;
    for (_, date) in dates(text) {
        let better = |found: PartialDate| {
            date.precision > found.precision
                || date.precision == found.precision && date.order_key() > found.order_key()
        };
        if best.is_none_or(better) {
            best = Some(date);
        }
    }
    best
}

fn vintage(path: &str, stem: &str, title: &str, lines: &[String]) -> Vintage {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect()
    };
    let folders = path.rsplit_once('/').map_or("", |parts| parts.0);
    let in_archive =
        folders.split('/').any(|part| OLD_FOLDERS.contains(&part.to_lowercase().as_str()));
    let named_old = |text: &str| words(text).iter().any(|word| OLD.contains(&word.as_str()));
    let lower_title = title.to_lowercase();
    let says_so = lines.iter().any(|line| {
        let line = line.to_lowercase();
        let about_itself =
            ["note", "status", "warning", "superseded", "obsolete", "deprecated", "this "]
                .iter()
                .any(|start| line.trim_start_matches(['[', '(', '*', '!']).starts_with(start));
        about_itself
            && (line.contains("superseded")
                || line.contains("replaced by")
                || line.contains("obsolete")
                || OLD.iter().any(|old| {
                    line.starts_with(&format!("status: {old}"))
                        || [
                            "document", "page", "policy", "version", "file", "report", "memo",
                            "guide",
                        ]
                        .iter()
                        .any(|noun| line.contains(&format!("this {noun} is {old}")))
                }))
    });
    if in_archive
        || named_old(title)
        || named_old(stem)
        || lower_title.contains("replaced by")
        || says_so
    {
        Vintage::Superseded
    } else {
        Vintage::Current
    }
}

/// The title without dates, periods, versions and words such as "draft", in lower case.
fn family(title: &str) -> String {
    let mut bare = String::with_capacity(title.len());
    let mut at = 0;
    for (range, _) in dates(title) {
        bare.push_str(&title[at..range.start]);
        bare.push(' ');
        at = range.end;
    }
    bare.push_str(&title[at..]);
    let lower = bare.to_lowercase();
    let version = |word: &str| {
        let digits = word.strip_prefix(['v', 'r']).unwrap_or("");
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    // "Version 3", "third edition": which one it is, and not what.
    let mut edition = false;
    let kept: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || "()[]{},:;|–—/_\"".contains(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .filter(|word| {
            let number = word.chars().all(|c| c.is_ascii_digit() || c == '.');
            let of_edition = std::mem::replace(&mut edition, EDITIONS.contains(word)) && number;
            !of_edition && !version(word) && !VERSION_WORDS.contains(word)
        })
        .collect();
    if kept.is_empty() { title.to_lowercase() } else { kept.join(" ") }
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
