//! Strangers' words as plain text or Markdown, and their dates.

use crate::ingest::dates::dates;
use dom_query::Document;
use elenchus_core::evidence::PartialDate;
use serde_json::Value;

/// Bytes of a text that are looked at for markup: far beyond any title or snippet.
const LOOKED_AT: usize = 16 << 10;
/// Tags that open in a snippet that is still parsed as a tree.
const DEEPEST: usize = 200;

/// Plain text on one line, at most `longest` characters: tags, entities, control characters and those that hide or
/// reorder text are gone.
pub(super) fn plain(text: &str, longest: usize) -> String {
    let text = head(text, LOOKED_AT);
    let words = if text.contains(['<', '&']) { without_markup(text) } else { text.to_owned() };
    crate::model::language::tidy(&words, longest)
}

fn without_markup(text: &str) -> String {
    if text.matches('<').count() > DEEPEST {
        return text.split(['<', '>']).collect::<Vec<_>>().join(" ");
    }
    // A space for each tag that ends a line of its own, so that words do not grow together.
    let apart = ["<br", "</p", "</div", "</li", "</td", "</h"]
        .iter()
        .fold(text.to_owned(), |text, tag| text.replace(tag, &format!(" {tag}")));
    let page = Document::fragment(apart);
    page.select("script, style, template, noscript, head, title").remove();
    page.text().to_string()
}

/// At most that many bytes, cut between characters.
pub(super) fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

/// The date in a text: an ISO date of any year first ("1887-05-01T00:00:00Z", "2024-06"), else as people write it.
pub(super) fn date(text: &str) -> Option<PartialDate> {
    let text = head(text.trim(), 200);
    iso(text).or_else(|| dates(text).first().map(|(_, date)| *date))
}

fn iso(text: &str) -> Option<PartialDate> {
    let day = text.split(['T', ' ']).next()?;
    let mut parts = day.split('-');
    let number = |part: &str, digits: usize| {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse::<u16>().ok())
            .flatten()
    };
    let year = i32::from(number(parts.next()?, 4)?);
    let rest: Option<Vec<u16>> = parts.map(|part| number(part, 2)).collect();
    from_parts(year, &rest?)
}

/// A date of numbers: year, then month and day where they are known and can be.
pub(super) fn from_parts(year: i32, rest: &[u16]) -> Option<PartialDate> {
    let month = |value: u16| u8::try_from(value).ok().filter(|month| (1..=12).contains(month));
    let day = |value: u16| u8::try_from(value).ok().filter(|day| (1..=31).contains(day));
    if !(1..=9999).contains(&year) {
        return None;
    }
    match *rest {
        [] => Some(PartialDate::year(year)),
        [m] => Some(PartialDate::month(year, month(m)?)),
        [m, d] => Some(PartialDate::day(year, month(m)?, day(d)?)),
        _ => None,
    }
}

/// The day of a moment in seconds since 1970 (the civil calendar from days, after Hinnant's `civil_from_days`).
pub(super) fn day_of(seconds: i64) -> Option<PartialDate> {
    let days = seconds.div_euclid(86_400).checked_add(719_468)?;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = i32::try_from(year_of_era + era * 400 + i64::from(month <= 2)).ok()?;
    from_parts(year, &[u16::try_from(month).ok()?, u16::try_from(day).ok()?])
}

/// A date for an interface: "2024-06-01", the first day of the period.
pub(super) fn first_day(date: PartialDate) -> String {
    format!("{:04}-{:02}-{:02}", date.year.clamp(0, 9999), date.month, date.day)
}

/// The text of the first of these members that is a text and not blank.
pub(super) fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names
        .iter()
        .filter_map(|name| value.get(name)?.as_str())
        .map(str::trim)
        .find(|text| !text.is_empty())
}

/// The members of a list; nothing when it is none.
pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Words to search for: white space made one, at most that many characters, cut between words.
pub(super) fn words(text: &str, longest: usize) -> String {
    let mut kept = String::new();
    for word in text.split_whitespace() {
        if kept.chars().count() + word.chars().count() + 1 > longest {
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.extend(word.chars().filter(|c| !c.is_control()));
    }
    if kept.is_empty() {
        kept = text.trim().chars().take(longest).collect();
    }
    kept
}

/// Words that say nothing about a subject: many services want every word of a query in what they find.
const EMPTY: &[&str] = &[
    "a", "about", "an", "and", "andnot", "are", "as", "at", "be", "by", "can", "could", "did",
    "do", "does", "for", "from", "had", "has", "have", "how", "in", "is", "it", "its", "many",
    "much", "not", "of", "on", "or", "should", "than", "that", "the", "their", "there", "these",
    "they", "this", "to", "was", "were", "what", "when", "where", "which", "who", "whom", "whose",
    "why", "will", "with", "would",
];

/// The words of a question that tell its subject, each once, at most that many.
pub(super) fn terms(text: &str, most: usize) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let word = word.to_lowercase();
        if !word.is_empty() && !EMPTY.contains(&word.as_str()) && !terms.contains(&word) {
            terms.push(word);
        }
    }
    terms.truncate(most);
    terms
}

/// A question whose words need not all be found, for a second try; `None` when it would ask the same again.
pub(super) fn any_of(text: &str) -> Option<String> {
    let terms = terms(text, 10);
    (terms.len() > 2).then(|| terms.join(" OR "))
}

/// A JATS abstract as Markdown: paragraphs apart, titles of sections in bold, formulas as their text.
pub(super) fn jats(text: &str) -> String {
    let mut out = String::new();
    let mut rest = head(text, 64 << 10);
    // Depth of formulas that are written a second time, in TeX.
    let mut skipped = 0_usize;
    while let Some(at) = rest.find('<') {
        push(&mut out, &rest[..at], skipped);
        let Some(end) = rest[at..].find('>') else {
            // A sign and no tag: "p < 0.05" in an abstract that was escaped once.
            push(&mut out, &rest[at..], skipped);
            rest = "";
            break;
        };
        let tag = &rest[at + 1..at + end];
        if !is_tag(tag) {
            push(&mut out, "<", skipped);
            rest = &rest[at + 1..];
            continue;
        }
        let closing = tag.starts_with('/');
        let name = tag.trim_start_matches('/').split([' ', '/', '\n', '\t']).next().unwrap_or("");
        let local = name.rsplit(':').next().unwrap_or("").to_ascii_lowercase();
        match (local.as_str(), closing) {
            ("tex-math" | "annotation" | "script" | "style", false) if !tag.ends_with('/') => {
                skipped += 1;
            }
            ("tex-math" | "annotation" | "script" | "style", true) => {
                skipped = skipped.saturating_sub(1);
            }
            ("title", false) => out.push_str("\n\n**"),
            ("title", true) => out.push_str("**\n\n"),
            ("p" | "sec" | "list" | "disp-formula" | "abstract", _) => out.push_str("\n\n"),
            ("list-item", false) => out.push_str("\n- "),
            ("break" | "br", _) => out.push(' '),
            _ => {}
        }
        rest = &rest[at + end + 1..];
    }
    push(&mut out, rest, skipped);
    paragraphs(&out)
}

fn push(out: &mut String, text: &str, skipped: usize) {
    if skipped == 0 {
        out.push_str(&entities(text));
    }
}

fn is_tag(inside: &str) -> bool {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('<') && name.len() < 400
}

/// Entities as the characters they stand for.
fn entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    // Whatever looks like a tag is not one here: those were taken out before.
    Document::fragment(text.replace('<', "&lt;")).text().to_string()
}

/// Lines trimmed, paragraphs one empty line apart, characters that hide or reorder text gone. "Abstract" alone is no
/// heading of an abstract.
pub(super) fn paragraphs(text: &str) -> String {
    let lines = text.lines().map(|line| crate::model::language::tidy(line, usize::MAX));
    let mut out = String::new();
    let mut apart = false;
    for line in lines {
        if line.is_empty() || line == "****" || line.eq_ignore_ascii_case("**abstract**") {
            apart = true;
            continue;
        }
        if !out.is_empty() {
            let item = line.starts_with("- ");
            out.push_str(if apart && !item { "\n\n" } else { "\n" });
        }
        out.push_str(&line);
        apart = false;
    }
    out
}

/// A document that a provider gives of a published work, as Markdown.
#[derive(Debug, Default)]
pub(super) struct Work<'a> {
    pub(super) title: &'a str,
    pub(super) authors: &'a [String],
    /// The journal, book or archive.
    pub(super) venue: Option<&'a str>,
    pub(super) published: Option<PartialDate>,
    pub(super) doi: Option<&'a str>,
    /// Markdown.
    pub(super) text: &'a str,
}

impl Work<'_> {
    pub(super) fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n", self.title);
        let by = by_line(self.authors);
        let mut facts: Vec<String> = by.iter().map(|names| format!("By {names}")).collect();
        facts.extend(self.venue.map(|venue| format!("In {}", plain(venue, 300))));
        facts.extend(self.published.map(|date| format!("Published {date}")));
        facts.extend(self.doi.map(|doi| format!("DOI {}", plain(doi, 200))));
        for fact in facts {
            out.push_str(&fact);
            out.push_str(".  \n");
        }
        out.push('\n');
        out.push_str(self.text);
        out.push('\n');
        out
    }
}

/// "A. One", "A. One and B. Two", "A. One and 5 others".
pub(super) fn by_line(authors: &[String]) -> Option<String> {
    match authors {
        [] => None,
        [one] => Some(one.clone()),
        [most @ .., last] if most.len() < 8 => Some(format!("{} and {last}", most.join(", "))),
        [first, ..] => Some(format!("{first} and {} others", authors.len() - 1)),
    }
}
