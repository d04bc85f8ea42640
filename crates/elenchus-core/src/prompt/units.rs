//! Units: the numbered pieces of a passage that a model may name. A sentence, a list item or a table row.

use crate::evidence::Span;
use unicode_segmentation::UnicodeSegmentation;

/// Characters of a passage that are looked at. Passages are far shorter; a hostile one is not read further.
pub(super) const READ: usize = 6_000;

/// What a piece of a passage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A sentence, item or row: it can be quoted.
    Unit,
    /// A heading or the names of a table's columns: it tells what the next units are about.
    Context,
}

/// A piece of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    /// Characters of the passage, white space around it left out. Never empty.
    pub(super) span: Span,
}

/// The pieces of the first [`READ`] characters of a passage, in order, without overlap.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let end = text.char_indices().nth(READ).map_or(text.len(), |(at, _)| at);
    let text = &text[..end];
    let mut found: Vec<(Kind, std::ops::Range<usize>)> = Vec::new();
    let lines = lines(text);
    let mut at = 0;
    while at < lines.len() {
        let line = text[lines[at].clone()].trim();
        if line.is_empty() || is_rule(line) {
            at += 1;
        } else if line.starts_with('|') {
            let names = lines
                .get(at + 1)
                .map(|next| text[next.clone()].trim())
                .is_some_and(|next| next.starts_with('|') && is_rule(next));
            found.push((if names { Kind::Context } else { Kind::Unit }, lines[at].clone()));
            at += 1;
        } else if is_heading(line) {
            found.push((Kind::Context, lines[at].clone()));
            at += 1;
        } else if is_item(line) {
            let last = last_line(text, &lines, at);
            found.push((Kind::Unit, lines[at].start..lines[last].end));
            at = last + 1;
        } else {
            let last = last_line(text, &lines, at);
            let range = lines[at].start..lines[last].end;
            for sentence in sentences(&text[range.clone()]) {
                let whole = range.start + sentence.start..range.start + sentence.end;
                found.push((Kind::Unit, whole));
            }
            at = last + 1;
        }
    }
    in_characters(text, &found)
}

/// Byte ranges to character spans, in one walk, white space at both ends left out.
fn in_characters(text: &str, found: &[(Kind, std::ops::Range<usize>)]) -> Vec<Piece> {
    let (mut byte, mut character) = (0, 0);
    let mut out = Vec::with_capacity(found.len());
    for (kind, range) in found {
        let whole = &text[range.clone()];
        let inner = whole.trim();
        if inner.is_empty() {
            continue;
        }
        let start = range.start + (whole.len() - whole.trim_start().len());
        character += text[byte..start].chars().count();
        let length = inner.chars().count();
        out.push(Piece { kind: *kind, span: Span { start: character, end: character + length } });
        character += length;
        byte = start + inner.len();
    }
    out
}

fn lines(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let range = at..at + line.len();
            at = range.end;
            range
        })
        .collect()
}

/// The last line of the paragraph or item that begins at line `first`.
fn last_line(text: &str, lines: &[std::ops::Range<usize>], first: usize) -> usize {
    let goes_on = |line: &str| {
        let line = line.trim();
        !(line.is_empty()
            || line.starts_with('|')
            || is_heading(line)
            || is_item(line)
            || is_rule(line))
    };
    let mut last = first;
    while lines.get(last + 1).is_some_and(|next| goes_on(&text[next.clone()])) {
        last += 1;
    }
    last
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with(' '))
}

/// "|---|:--:|", "---", "***", "```": nothing to read.
fn is_rule(line: &str) -> bool {
    line.starts_with("```")
        || (line.len() >= 3
            && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '=' | '*' | '_' | '~')))
}

fn is_item(line: &str) -> bool {
    let marked = ["- ", "* ", "+ ", "• ", "– "].iter().any(|mark| line.starts_with(mark));
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    marked
        || ((1..=3).contains(&digits)
            && (line[digits..].starts_with(". ") || line[digits..].starts_with(") ")))
}

/// Words whose full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "st", "prof", "rev", "gen", "sen", "vs", "etc", "fig", "no", "vol",
    "e.g", "i.e", "cf", "al", "inc", "ltd", "co", "corp", "jr", "sr", "approx", "ca", "c", "p",
    "pp", "v", "vv", "ch", "u.s", "u.k", "dept", "est",
];

/// Byte ranges of the sentences of one paragraph, by the Unicode rules, those parted after an abbreviation joined.
fn sentences(paragraph: &str) -> Vec<std::ops::Range<usize>> {
    // A line break inside a paragraph is a space; both are one byte, so that places stay.
    let flat: String =
        paragraph.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect();
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for (start, sentence) in flat.split_sentence_bound_indices() {
        let range = start..start + sentence.len();
        match out.last_mut() {
            Some(last) if goes_on(&flat[last.clone()], sentence) => last.end = range.end,
            _ => out.push(range),
        }
    }
    out
}

/// Whether a sentence goes on in the piece after it.
fn goes_on(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    if before.is_empty() || !after.chars().any(char::is_alphanumeric) {
        return true;
    }
    let Some(stem) = before.strip_suffix('.') else { return false };
    let word = stem.rsplit([' ', '(', '"', '“']).next().unwrap_or_default().to_lowercase();
    // An initial ("J. Smith"), but not the pronoun at a sentence's end.
    let initial = word.chars().count() == 1 && word != "i" && word.chars().all(char::is_alphabetic);
    initial || ABBREVIATIONS.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::char_slice;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<(Kind, &str)> {
        pieces(text).iter().map(|p| (p.kind, char_slice(text, p.span).unwrap())).collect()
    }

    #[test]
    fn sentences_items_rows() {
        use Kind::{Context, Unit};
        let text = "## Founding\n\nDr. Ida Brandt founded it in 2011 at\nthe old quay. It grew; J. Lind joined.\n- first point,\n  wrapped\n2) second\n\n| Round | Sum |\n|---|---:|\n| Seed | 2 m |\n```\nx = 1\n```";
        assert_eq!(
            texts(text),
            [
                (Context, "## Founding"),
                (Unit, "Dr. Ida Brandt founded it in 2011 at\nthe old quay."),
                (Unit, "It grew; J. Lind joined."),
                (Unit, "- first point,\n  wrapped"),
                (Unit, "2) second"),
                (Context, "| Round | Sum |"),
                (Unit, "| Seed | 2 m |"),
                (Unit, "x = 1"),
            ]
        );
    }

    #[test]
    fn a_long_passage_is_read_in_part() {
        let all = pieces(&"Word. ".repeat(200_000));
        assert!(all.len() > 500 && all.iter().all(|piece| piece.span.end <= READ));
    }

    proptest! {
        #[test]
        fn pieces_stand_in_order_inside_the_text(text in "[a-zA-Z0-9 .!?\n\r|#*°é“”\u{1F600}\u{2028}-]{0,300}") {
            let mut end = 0;
            for piece in pieces(&text) {
                prop_assert!(piece.span.start >= end && piece.span.start < piece.span.end);
                end = piece.span.end;
                let slice = char_slice(&text, piece.span).unwrap();
                prop_assert_eq!(slice.trim(), slice);
            }
        }
    }
}
