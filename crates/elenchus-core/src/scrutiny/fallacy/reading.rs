//! A text made ready for patterns: paragraphs of plain ASCII in lower case, and the way back to the characters.

use std::ops::Range;

/// Longest paragraph in characters; a longer one is cut, at the end of a sentence where there is one.
const LONGEST: usize = 4000;

/// One paragraph, list item or cell of prose.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraph {
    /// ASCII, lower case, straight quotation marks, single spaces.
    pub(super) plain: String,
    /// The character of the source that each byte of `plain` stands for.
    origin: Vec<usize>,
    /// Byte ranges of the sentences in `plain`.
    pub(super) sentences: Vec<Range<usize>>,
}

impl Paragraph {
    /// The characters of the source that a byte range of `plain` stands for; `None` for an empty range.
    pub(super) fn source(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let first = *self.origin.get(range.start)?;
        let last = *self.origin.get(range.end.checked_sub(1)?)?;
        (first <= last && range.start < range.end).then_some(first..last + 1)
    }

    /// The sentences that a byte range touches, as one range.
    pub(super) fn around(&self, range: &Range<usize>) -> Range<usize> {
        let touches = |s: &&Range<usize>| s.start < range.end && range.start < s.end;
        let first = self.sentences.iter().find(touches);
        let last = self.sentences.iter().rev().find(touches);
        match (first, last) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => range.clone(),
        }
    }

    fn push(&mut self, c: char, at: usize) {
        let plain = match c {
            c if c.is_ascii_graphic() => c.to_ascii_lowercase(),
            '\u{2018}' | '\u{2019}' | '\u{02BC}' | '\u{2032}' => '\'',
            '\u{201C}'..='\u{201F}' | '\u{AB}' | '\u{BB}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            c if c.is_whitespace() => ' ',
            c if crate::text::is_invisible(c) => return,
            // A sign of another script is part of a word, but of none that a pattern knows.
            c => folded(c),
        };
        if plain == ' ' && (self.plain.is_empty() || self.plain.ends_with(' ')) {
            return;
        }
        self.plain.push(plain);
        self.origin.push(at);
    }

    fn close(mut self) -> Option<Self> {
        while self.plain.ends_with(' ') {
            self.plain.pop();
            self.origin.pop();
        }
        if !self.plain.bytes().any(|b| b.is_ascii_alphabetic()) {
            return None;
        }
        self.sentences = sentences(&self.plain);
        Some(self)
    }
}

/// The plain letter under an accent, "x" for other letters, "~" for pictures and the like.
fn folded(c: char) -> char {
    match c {
        'à'..='å' | 'À'..='Å' | 'ā' | 'ă' | 'ą' => 'a',
        'è'..='ë' | 'È'..='Ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'Ì'..='Ï' | 'ī' => 'i',
        'ò'..='ö' | 'Ò'..='Ö' | 'ø' | 'Ø' | 'ō' => 'o',
        'ù'..='ü' | 'Ù'..='Ü' | 'ū' => 'u',
        'ç' | 'Ç' | 'č' | 'ć' => 'c',
        'ñ' | 'Ñ' | 'ń' => 'n',
        'š' | 'ś' | 'ß' => 's',
        c if c.is_alphanumeric() => 'x',
        _ => '~',
    }
}

/// Words whose full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "st", "prof", "rev", "gen", "sen", "rep", "vs", "etc", "fig", "no",
    "vol", "e.g", "i.e", "eg", "ie", "cf", "al", "inc", "ltd", "co", "jr", "sr", "approx", "ca",
    "p", "pp", "u.s", "u.k",
];

/// Byte ranges of the sentences of a plain text, without the spaces between them.
fn sentences(plain: &str) -> Vec<Range<usize>> {
    let bytes = plain.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut i) = (0, 0);
    while i < bytes.len() {
        if !matches!(bytes[i], b'.' | b'!' | b'?') {
            i += 1;
            continue;
        }
        let stop = i;
        while i < bytes.len() && matches!(bytes[i], b'.' | b'!' | b'?' | b'"' | b'\'' | b')' | b']')
        {
            i += 1;
        }
        let ends = i >= bytes.len() || bytes[i] == b' ';
        if ends && !(bytes[stop] == b'.' && i == stop + 1 && is_abbreviation(&plain[start..stop])) {
            found.push(start..i);
            i += 1;
            start = i.min(bytes.len());
        }
    }
    if start < bytes.len() {
        found.push(start..bytes.len());
    }
    found
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(', '"']).next().unwrap_or_default();
    let initial = word.len() == 1 && word.bytes().all(|b| b.is_ascii_alphabetic() && b != b'i');
    initial || ABBREVIATIONS.contains(&word)
}

/// The paragraphs of a text. Code blocks, tables and headings are left out: they argue nothing.
pub(super) fn read(text: &str) -> Vec<Paragraph> {
    let mut done = Vec::new();
    let mut open = Paragraph::default();
    let (mut at, mut in_code) = (0, false);
    for line in text.split_inclusive('\n') {
        let length = line.chars().count();
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            in_code = !in_code;
            done.extend(std::mem::take(&mut open).close());
        } else if in_code || trimmed.starts_with('|') || is_heading(trimmed) {
            done.extend(std::mem::take(&mut open).close());
        } else {
            let marker = marker(trimmed);
            if trimmed.trim_end().is_empty() || marker > 0 {
                done.extend(std::mem::take(&mut open).close());
            }
            let skipped = (line.len() - trimmed.len()) + marker;
            let before = line[..skipped].chars().count();
            for (offset, c) in line[skipped..].chars().enumerate() {
                if !matches!(c, '*' | '`') {
                    open.push(c, at + before + offset);
                }
                let ends = matches!(c, '.' | '!' | '?' | '\n');
                if open.plain.len() >= LONGEST && (ends || open.plain.len() >= 2 * LONGEST) {
                    done.extend(std::mem::take(&mut open).close());
                }
            }
        }
        at += length;
    }
    done.extend(open.close());
    done
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// Bytes of a list or quotation marker at the beginning of a line.
fn marker(line: &str) -> usize {
    let bytes = line.as_bytes();
    if matches!(bytes.first(), Some(b'-' | b'*' | b'+' | b'>')) && bytes.get(1) == Some(&b' ') {
        return 2;
    }
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let numbered = (1..=3).contains(&digits)
        && matches!(bytes.get(digits), Some(b'.' | b')'))
        && bytes.get(digits + 1) == Some(&b' ');
    if numbered { digits + 2 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lead_back_to_the_source() {
        let text =
            "# Head\n\n“Ça  va”, said Dr. Hale\u{AD}s. It’s 3.5!\n- item one\n```\ncode if\n```\n";
        let read = read(text);
        assert_eq!(read[0].plain, "\"ca va\", said dr. hales. it's 3.5!");
        assert_eq!(read[0].sentences.len(), 2);
        assert_eq!(read[1].plain, "item one");
        assert_eq!(read.len(), 2);
        let at = read[0].plain.find("it's").unwrap();
        let chars = read[0].source(&(at..at + 4)).unwrap();
        assert_eq!(text.chars().skip(chars.start).take(chars.len()).collect::<String>(), "It’s");
    }

    #[test]
    fn a_long_line_is_cut() {
        let read = read(&"word ".repeat(10_000));
        assert!(read.len() > 5 && read.iter().all(|p| p.plain.len() <= 2 * LONGEST));
    }
}
