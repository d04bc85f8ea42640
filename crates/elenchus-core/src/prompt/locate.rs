//! From the words of a reply back to places in passages.

use super::defect::{DefectKind, Defects};
use super::fragment::{PassageFragment, Shown};
use super::safe::folded;
use crate::evidence::{Span, char_slice};

/// A unit that a reply names.
pub(super) struct Named<'s> {
    pub(super) fragment: &'s PassageFragment,
    /// Characters of the passage.
    pub(super) span: Span,
}

/// "P3.2", "p3.2", "[P3.2]", "P3" -> the passage's number and the unit's.
pub(super) fn numbers(name: &str) -> Option<(usize, Option<usize>)> {
    let inner = name.trim().trim_matches(['[', ']', '(', ')', '"', '\'', ' ', '.', '`']);
    let inner = inner.strip_prefix(['P', 'p']).unwrap_or(inner);
    let (passage, unit) = match inner.split_once('.') {
        Some((passage, unit)) => (passage, Some(unit)),
        None => (inner, None),
    };
    let number = |digits: &str| {
        let plain =
            !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| digits.parse::<usize>().ok()).flatten()
    };
    let unit = match unit {
        Some(unit) => Some(number(unit)?),
        None => None,
    };
    Some((number(passage)?, unit))
}

/// The passage that a reply names by `P3` or by one of its units.
pub(super) fn passage<'s>(
    name: &str,
    shown: &'s Shown,
    at: &str,
    defects: &mut Defects,
) -> Option<&'s PassageFragment> {
    let found = numbers(name).and_then(|(passage, _)| shown.fragment(passage));
    if found.is_none() {
        defects.add(DefectKind::UnknownUnit, at, format!("{name:?} names no passage shown above"));
    }
    found
}

/// The unit that a reply names.
pub(super) fn unit<'s>(
    name: &str,
    shown: &'s Shown,
    at: &str,
    defects: &mut Defects,
) -> Option<Named<'s>> {
    let found = numbers(name).and_then(|(passage, unit)| {
        let fragment = shown.fragment(passage)?;
        // A passage of one unit needs no number behind the point.
        let number = unit.or((fragment.units() == 1).then_some(1))?;
        let unit = fragment.unit(number).filter(|unit| unit.shown)?;
        Some(Named { fragment, span: unit.span })
    });
    if found.is_none() {
        defects.add(DefectKind::UnknownUnit, at, format!("{name:?} names no unit shown above"));
    }
    found
}

/// A sentence of a model with the titles of documents in the place of `P3` and `P3.2`, which mean something inside a
/// prompt only.
pub(super) fn with_titles(text: &str, shown: &Shown) -> String {
    let words: Vec<String> = text
        .split(' ')
        .map(|word| {
            let start = word.len() - word.trim_start_matches(['(', '[', '"', '\'']).len();
            let inner = word[start..].trim_end_matches(|c: char| !c.is_alphanumeric());
            let end = start + inner.len();
            let title = inner
                .starts_with('P')
                .then(|| numbers(inner))
                .flatten()
                .and_then(|(passage, _)| shown.fragment(passage))
                .map(|fragment| fragment.title().to_owned())
                .filter(|title| !title.is_empty());
            match title {
                Some(title) => format!("{}\"{title}\"{}", &word[..start], &word[end..]),
                None => word.to_owned(),
            }
        })
        .collect();
    words.join(" ")
}

/// Where `words` stand in the characters `within` of `text`: exactly, else but for case, spaces, quotation marks and
/// hidden characters. The words must be whole: "5" does not stand in "56" or in "4.5".
pub(super) fn find(text: &str, within: Span, words: &str) -> Option<Span> {
    let hay: Vec<char> = char_slice(text, within)?.chars().collect();
    let needle: Vec<char> = words.trim().chars().collect();
    if needle.is_empty() || needle.len() > hay.len() * 2 + 16 {
        return None;
    }
    let exact = (0..=hay.len().saturating_sub(needle.len()))
        .filter(|start| hay.get(*start..start + needle.len()) == Some(needle.as_slice()))
        .find(|start| is_whole(&hay, *start, start + needle.len()));
    let (start, end) = match exact {
        Some(start) => (start, start + needle.len()),
        None => tolerant(&hay, &needle)?,
    };
    Some(Span { start: within.start + start, end: within.start + end })
}

/// Folded characters with their places; a run of white space is one space.
fn fold(chars: &[char]) -> Vec<(char, usize)> {
    let mut out: Vec<(char, usize)> = Vec::with_capacity(chars.len());
    for (at, c) in chars.iter().enumerate() {
        match folded(*c) {
            None => {}
            Some(' ') if out.last().is_none_or(|(last, _)| *last == ' ') => {}
            Some(c) => out.push((c, at)),
        }
    }
    while out.last().is_some_and(|(c, _)| *c == ' ') {
        out.pop();
    }
    out
}

fn tolerant(hay: &[char], needle: &[char]) -> Option<(usize, usize)> {
    let hay_folded = fold(hay);
    let mut wanted: Vec<char> = fold(needle).into_iter().map(|(c, _)| c).collect();
    loop {
        let place = (0..(hay_folded.len() + 1).saturating_sub(wanted.len()))
            .filter(|_| !wanted.is_empty())
            .filter(|start| {
                wanted.iter().zip(&hay_folded[*start..]).all(|(want, (have, _))| want == have)
            })
            .map(|start| (hay_folded[start].1, hay_folded[start + wanted.len() - 1].1 + 1))
            .find(|(start, end)| is_whole(hay, *start, *end));
        if place.is_some() {
            return place;
        }
        // Marks that the model put around the words, or a cut that the prompt made.
        let marks = |c: &char| matches!(c, '"' | '\'' | '`' | '*' | '…' | '.' | ',' | ';' | ' ');
        let before = wanted.len();
        while wanted.last().is_some_and(marks) {
            wanted.pop();
        }
        let lead = wanted.iter().take_while(|c| marks(c)).count();
        wanted.drain(..lead);
        if wanted.len() == before {
            return None;
        }
    }
}

/// Whether the characters from `start` to `end` begin and end where a word or number does.
fn is_whole(hay: &[char], start: usize, end: usize) -> bool {
    let (Some(first), Some(last)) = (hay.get(start), end.checked_sub(1).and_then(|at| hay.get(at)))
    else {
        return false;
    };
    let before = start.checked_sub(1).and_then(|at| hay.get(at));
    let after = hay.get(end);
    let joins = |inner: &char, outer: Option<&char>, beyond: Option<&char>| match outer {
        Some(c) if c.is_alphanumeric() => inner.is_alphanumeric(),
        // "4.5", "56,000": a digit on both sides of a mark is one number.
        Some('.' | ',' | ':') => inner.is_numeric() && beyond.is_some_and(|c| c.is_numeric()),
        _ => false,
    };
    let before_that = start.checked_sub(2).and_then(|at| hay.get(at));
    !joins(first, before, before_that) && !joins(last, after, hay.get(end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, words: &str) -> Option<String> {
        let whole = Span { start: 0, end: text.chars().count() };
        find(text, whole, words).and_then(|span| char_slice(text, span).map(str::to_owned))
    }

    #[test]
    fn words_are_found_as_they_stand() {
        let text = "The “Polar  Fox” cost €4.5 million (56,000 hours) in May\u{200B} 2024.";
        assert_eq!(at(text, "€4.5 million").as_deref(), Some("€4.5 million"));
        assert_eq!(at(text, "\"polar fox\"").as_deref(), Some("“Polar  Fox”"));
        assert_eq!(at(text, "may 2024.").as_deref(), Some("May\u{200B} 2024."));
        assert_eq!(at(text, "'May 2024'").as_deref(), Some("May\u{200B} 2024"));
        for not_there in
            ["5 million", "56", "000", "fo", "4", "June", "", "  ", "\"\"", "4.5 billion"]
        {
            assert_eq!(at(text, not_there), None, "{not_there}");
        }
    }

    #[test]
    fn names_of_units() {
        assert_eq!(numbers("P3.2"), Some((3, Some(2))));
        assert_eq!(numbers(" [p12.1]"), Some((12, Some(1))));
        assert_eq!(numbers("P4"), Some((4, None)));
        for not_one in
            ["", "P", "P1.2-P1.3", "P1.2, P1.3", "first", "P1.-2", "P99999999999999999999.1"]
        {
            assert_eq!(numbers(not_one), None, "{not_one}");
        }
    }
}
