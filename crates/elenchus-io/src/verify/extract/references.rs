//! The list of sources at the end of a report.

use super::clean::{clean, link, marks_of, url_length};
use crate::ingest::blocks::{BlockKind, Style, parse};

/// One source that a report names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// What the text cites it by: "1", "note".
    pub marker: String,
    /// Its title as the list has it; empty if there is none.
    pub title: String,
    /// Its address; empty if there is none.
    pub url: String,
}

/// Whether a heading (plain words) opens a list of sources.
pub(super) fn is_list_heading(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let plain = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let plain =
        plain.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace());
    matches!(
        plain,
        "references"
            | "reference"
            | "sources"
            | "source"
            | "bibliography"
            | "citations"
            | "works cited"
            | "further reading"
            | "source list"
            | "list of sources"
            | "sources cited"
            | "references cited"
            | "cited sources"
            | "footnotes"
            | "endnotes"
            | "external links"
            | "see also"
            | "reference list"
            | "literature cited"
            | "sources and references"
            | "references and sources"
            | "sources & references"
            | "references & sources"
            | "key sources"
            | "sources consulted"
            | "primary sources"
            | "cited references"
            | "notes and references"
    )
}

/// The sources a text lists: `[1] Title: url`, `[1]: url`, `[^1]: ...`, `1. Title - url`, `- [Title](url)` under a
/// heading such as "References", and definitions of markers anywhere. In the order of the text.
pub fn references(text: &str) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    let mut level: Option<u8> = None;
    for block in parse(text, Style::Marked) {
        let slice = &text[block.range.clone()];
        let heading = match block.kind {
            BlockKind::Heading(heading) => Some(heading),
            BlockKind::Paragraph
                if super::document::is_bold_line(slice)
                    || slice.len() < 40 && slice.ends_with(':') =>
            {
                Some(7)
            }
            _ => None,
        };
        if let Some(heading) = heading {
            let words = clean(slice.trim_start_matches('#'), 0).text;
            if is_list_heading(&words) {
                level = Some(heading);
            } else if level.is_some_and(|level| heading <= level) {
                level = None;
            }
            continue;
        }
        match block.kind {
            BlockKind::Paragraph | BlockKind::Item { .. } => {}
            _ => continue,
        }
        let mut count = 0;
        for line in slice.lines() {
            let line = line.trim().trim_start_matches(['>', ' ']);
            if let Some(reference) = entry(line, level.is_some()) {
                found.push(reference);
                count += 1;
            } else if level.is_some()
                && count > 0
                && let Some(last) = found.last_mut()
                && last.url.is_empty()
                && let Some(url) = address(line)
            {
                // The address on a line of its own.
                url.0.clone_into(&mut last.url);
            }
        }
    }
    // Lists without numbers are cited by their place.
    for (nth, reference) in found.iter_mut().enumerate() {
        if reference.marker.is_empty() {
            reference.marker = (nth + 1).to_string();
        }
    }
    found
}

/// One line of a list. Outside of a list only definitions ("[1]: url") count.
fn entry(line: &str, listed: bool) -> Option<Reference> {
    let line = line.trim_start_matches(['-', '*', '+', '•']).trim_start();
    let mut marker = String::new();
    let mut rest = line;
    let mut defined = false;
    if let Some(inner) = line.strip_prefix('[')
        && let Some(end) = inner.find(']')
        && !inner[end + 1..].starts_with('(')
        && let Some(marks) = marks_of(&inner[..end])
        && marks.len() == 1
    {
        rest = inner[end + 1..].trim_start();
        if let Some(after) = rest.strip_prefix(':') {
            defined = true;
            rest = after.trim_start();
        }
        marker = marks.into_iter().next()?;
    } else {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if (1..=3).contains(&digits) && line[digits..].starts_with(['.', ')', ':']) {
            line[..digits].clone_into(&mut marker);
            rest = line[digits + 1..].trim_start();
        }
    }
    if !(listed || defined) || rest.is_empty() {
        return None;
    }
    let (url, at) = match address(rest) {
        Some((url, at)) => (url.to_owned(), at),
        None => (String::new(), rest.len()),
    };
    if marker.is_empty() && url.is_empty() {
        return None;
    }
    let title = match rest.find('[').filter(|open| *open < at).and_then(|open| link(&rest[open..]))
    {
        Some(link) => link.words.to_owned(),
        None => clean(rest[..at].trim_end_matches(['(', '<', '[']), 0).text,
    };
    let title = title
        .trim_matches(|c: char| {
            c.is_whitespace()
                || matches!(c, ':' | '-' | '–' | '—' | '"' | '“' | '”' | '|' | ',' | '.')
        })
        .to_owned();
    Some(Reference { marker, title, url })
}

/// The first address of a line and where it begins.
fn address(line: &str) -> Option<(&str, usize)> {
    let at = line.find("http://").into_iter().chain(line.find("https://")).min()?;
    let length = url_length(&line[at..]);
    Some((&line[at..at + length], at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_every_style() {
        let text = "Body [1].\n\n## References\n\n[1] The Gull Report: https://a.example/1  \n[2]: https://a.example/2\n\n3. Tide tables - https://a.example/3\n4. [Buoys](https://a.example/4)\n\n[^n]: Note on moorings https://a.example/5\n- *Ropes*, 2nd edition. <https://a.example/6>\n\n## After\n\n1. Not a source https://a.example/7\n";
        let got: Vec<(String, String, String)> =
            references(text).into_iter().map(|r| (r.marker, r.title, r.url)).collect();
        let want = |m: &str, t: &str, n: u8| {
            (m.to_owned(), t.to_owned(), format!("https://a.example/{n}"))
        };
        assert_eq!(
            got,
            [
                want("1", "The Gull Report", 1),
                want("2", "", 2),
                want("3", "Tide tables", 3),
                want("4", "Buoys", 4),
                want("n", "Note on moorings", 5),
                want("6", "Ropes, 2nd edition", 6)
            ]
        );
    }

    #[test]
    fn a_text_without_a_list_has_none() {
        assert!(references("Only words [1] here. 2. And https://a.example there.").is_empty());
        assert_eq!(references("See.\n\n[^1]: https://a.example\n").len(), 1);
    }
}
