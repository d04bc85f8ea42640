//! References in running text: "1 Cor. 13:4-7", "Mt 5,17", "Matt. v. 17", "Rom 3:23; 6:23".
//!
//! A reference that is not certain is not read: a person ("John 3 years ago"), an act of a play, a time of day
//! and a count of things look like one and are none.

use super::book::{Certainty, Name, names};
use super::list::{continued, followed, range};
use super::scan::Scan;
use super::{Book, OsisRef, Place};
use crate::evidence::Span;
use crate::inquiry::Derivations;

/// A reference and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is named.
    pub reference: OsisRef,
    /// Characters of the text. In a list ("Rom 3:23; 6:23") each reference has its own.
    pub span: Span,
}

/// The references of a text, in the order of the text; none overlap.
pub fn references(text: &str) -> Vec<Found> {
    references_by(text, Derivations::LATEST)
}

/// The same as a run reads them that goes by these rules.
pub(crate) fn references_by(text: &str, rules: Derivations) -> Vec<Found> {
    let scan = Scan::new(text, rules);
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < scan.len() {
        let begins = scan.get(at).is_some_and(char::is_alphanumeric) && scan.is_boundary(at);
        let after = found.last().map(|last: &Found| last.span.end);
        let read = if begins { read(&scan, at, after) } else { None };
        match read {
            Some((here, end)) => {
                found.extend(here);
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

/// Words that may follow a lone chapter without being what it counts.
pub(super) const FOLLOW: &[&str] = &[
    "about",
    "also",
    "and",
    "are",
    "as",
    "by",
    "compare",
    "compared",
    "describe",
    "describes",
    "do",
    "does",
    "for",
    "from",
    "has",
    "have",
    "how",
    "in",
    "is",
    "mean",
    "means",
    "on",
    "or",
    "quote",
    "quoted",
    "quotes",
    "read",
    "reads",
    "said",
    "say",
    "says",
    "speak",
    "speaks",
    "teach",
    "teaches",
    "tell",
    "tells",
    "that",
    "through",
    "to",
    "versus",
    "vs",
    "was",
    "what",
    "when",
    "where",
    "which",
    "who",
    "why",
    "with",
];

/// Words before a book's name that make a person's or a common word its name.
const CUES: &[&str] = &[
    "book",
    "cf",
    "chapter",
    "chapters",
    "compare",
    "confer",
    "does",
    "explain",
    "from",
    "gospel",
    "in",
    "of",
    "read",
    "see",
    "summarise",
    "summarize",
    "to",
    "with",
];

/// Characters of the longest OSIS id, "1Thess.4.13-1Thess.5.11" with room to spare. In a row of names joined by dots and
/// hyphens an id could begin at each, and none is read to the end of the row.
const LONGEST_ID: usize = 40;

/// Units and marks after a decimal number.
pub(super) const UNITS: &[&str] = &[
    "years", "times", "million", "billion", "percent", "hours", "km", "kg", "mm", "cm", "m", "s",
    "x",
];

/// What stands in the middle of a reference.
pub(super) struct Head {
    pub(super) book: Book,
    certainty: Certainty,
    /// Where the number of the chapter may begin.
    at: usize,
    /// Whether it begins with a capital.
    capital: bool,
    /// Whether its letters are all capitals.
    shouted: bool,
    pub(super) from: usize,
}

fn read(scan: &Scan, at: usize, after: Option<usize>) -> Option<(Vec<Found>, usize)> {
    if let Some(found) = identifier(scan, at) {
        return Some((vec![found], found.span.end));
    }
    let head = head(scan, at)?;
    let (chapter, called, end) = chapter(scan, &head)?;
    let first = verse_after(scan, &head, chapter, called, end)
        .or_else(|| lone_chapter(scan, &head, chapter, called, end, after))?;
    Some(continued(scan, &head, first))
}

/// An OSIS id in its exact spelling.
fn identifier(scan: &Scan, at: usize) -> Option<Found> {
    let within = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let mut end = at;
    while end - at < LONGEST_ID && scan.get(end).is_some_and(within) {
        end += 1;
    }
    // Dots that lead to a number of a page are no part of an id; letters behind so many characters make it none.
    let mut after = end;
    while scan.get(after).is_some_and(|c| c == '.' || c == '-') {
        after += 1;
    }
    if scan.get(after).is_some_and(within) {
        return None;
    }
    while end > at && scan.get(end - 1).is_some_and(|c| c == '.' || c == '-') {
        end -= 1;
    }
    let reference = scan.text(at, end).parse().ok()?;
    Some(Found { reference, span: Span { start: at, end } })
}

/// The book's name at a place, with the number of its part.
pub(super) fn head(scan: &Scan, at: usize) -> Option<Head> {
    let part = part(scan, at);
    let name_at = part.map_or(at, |(_, name_at)| name_at);
    let first = scan.get(name_at)?;
    let name = names(first.to_lowercase().next()?)
        .iter()
        .filter(|name| scan.reads(name.since))
        .find(|name| match_end(scan, name_at, name).is_some() && fits(name, part.map(|p| p.0)))?;
    let end = match_end(scan, name_at, name)?;
    let capital = first.is_uppercase();
    let shouted = (name_at..end).filter_map(|at| scan.get(at)).all(|c| !c.is_lowercase());
    Some(Head {
        book: part.map_or(name.book, |(number, _)| name.book.part(number)),
        certainty: name.certainty,
        at: end,
        capital,
        shouted,
        from: at,
    })
}

fn fits(name: &Name, part: Option<u8>) -> bool {
    match part {
        Some(part) => part <= name.parts,
        None => name.parts == 0,
    }
}

/// "1 ", "1", "II ", "First ", "2nd ": the number of a part, and where the name begins.
fn part(scan: &Scan, at: usize) -> Option<(u8, usize)> {
    let word_end = scan.word_end(at);
    let word = scan.text(at, word_end).to_lowercase();
    let number = match word.as_str() {
        "1" | "i" | "1st" | "first" => 1,
        "2" | "ii" | "2nd" | "second" => 2,
        "3" | "iii" | "3rd" | "third" => 3,
        _ => {
            // "1Cor" in one piece.
            let digit = scan.get(at)?.to_digit(10).filter(|digit| (1..=3).contains(digit))?;
            return scan.get(at + 1)?.is_alphabetic().then_some((digit as u8, at + 1));
        }
    };
    let mut next = word_end;
    if scan.get(next) == Some('.') {
        next += 1;
    }
    let after = scan.skip_space(next);
    (after > word_end && after - next <= 2).then_some((number, after))
}

/// Where a name that stands at a place ends.
fn match_end(scan: &Scan, at: usize, name: &Name) -> Option<usize> {
    let mut here = at;
    for letter in &name.letters {
        if *letter == ' ' {
            let next = scan.skip_space(here);
            if next == here {
                return None;
            }
            here = next;
        } else {
            let c = scan.get(here)?;
            if !c.to_lowercase().eq([*letter]) {
                return None;
            }
            here += 1;
        }
    }
    (!scan.get(here).is_some_and(char::is_alphabetic)).then_some(here)
}

/// The chapter's number, whether the word "chapter" calls it one, and where it ends.
pub(super) fn chapter(scan: &Scan, head: &Head) -> Option<(u8, bool, usize)> {
    let mut at = head.at;
    if scan.get(at) == Some('.') {
        at += 1;
    }
    let mut next = scan.skip_space(at);
    let comma = scan.get(next) == Some(',');
    let word_at = if comma { scan.skip_space(next + 1) } else { next };
    let called = ["chapters", "chapter", "chaps", "chap", "ch"]
        .iter()
        .find(|word| scan.word_end(word_at) == word_at + word.len() && scan.says(word_at, word));
    if let Some(word) = called {
        next = word_at + word.len();
        if scan.get(next) == Some('.') {
            next += 1;
        }
        next = scan.skip_space(next);
    } else if comma {
        return None;
    }
    if let Some((chapter, end)) = scan.number(next) {
        return Some((chapter, called.is_some(), end));
    }
    // "Matt. v. 17", "Psalm xxiii": a name in small letters is none before them.
    if !head.capital || next == head.at {
        return None;
    }
    let (chapter, end) = scan.roman(next)?;
    Some((chapter, called.is_some(), end))
}

/// The verse behind a chapter.
fn verse_after(scan: &Scan, head: &Head, chapter: u8, called: bool, end: usize) -> Option<Found> {
    let roman = scan.get(end - 1).is_some_and(char::is_alphabetic);
    let mark = match scan.get(end) {
        Some(':') => Some((scan.skip_space(end + 1), true)),
        Some('.') if roman => Some((scan.skip_space(end + 1), true)),
        Some('.') => Some((end + 1, false)),
        // "Mt 5,17"; a space makes it a list of chapters. Old prints have "Ps. lxxxix, 6".
        Some(',') if roman => Some((scan.skip_space(end + 1), true)),
        Some(',') => Some((end + 1, true)),
        _ => None,
    };
    let digit = |at: usize| scan.get(at).is_some_and(|c| c.is_ascii_digit());
    // "Genesis 1, v. 3" has a word behind its mark.
    let (at, certain) = match mark? {
        (at, certain) if digit(at) => (at, certain),
        _ => (verse_word(scan, end)?, true),
    };
    let (verse, stop) = scan.number(at)?;
    let follows = scan.get(stop);
    let decimal = !certain
        && (follows == Some('%') || UNITS.contains(&scan.word(scan.skip_space(stop)).as_str()));
    if decimal || scan.is_time(stop) {
        return None;
    }
    let allowed = match head.certainty {
        // "Is 10:30 too late?"
        Certainty::Weak => {
            scan.get(head.at) == Some('.') && !scan.get(head.at + 1).is_some_and(char::is_numeric)
                || (head.capital && !scan.begins_sentence(head.from))
        }
        Certainty::Plain => head.capital || is_first_name(head.book),
        Certainty::Sure | Certainty::Likely => true,
    };
    if !(allowed && (head.capital || certain || called)) {
        return None;
    }
    let first = Place { chapter, verse: Some(verse) };
    let single = OsisRef::new(head.book, first, first)?;
    let by_comma = scan.reads(Derivations::SECOND) && scan.get(end) == Some(',');
    let (marked, stop) = followed(scan, single, stop);
    let (reference, stop) = range(scan, marked, stop, by_comma).unwrap_or((marked, stop));
    Some(Found { reference, span: Span { start: head.from, end: stop } })
}

/// Past "verse" in the place of a colon: "Psalm 23 verse 4", "Genesis 1, v. 3".
fn verse_word(scan: &Scan, end: usize) -> Option<usize> {
    let mut at = end;
    if scan.get(at) == Some(',') {
        at += 1;
    }
    at = scan.skip_space(at);
    let word = ["verses", "verse", "vv", "vs", "v"]
        .iter()
        .find(|word| scan.word_end(at) == at + word.len() && scan.says(at, word))?;
    at += word.len();
    if scan.get(at) == Some('.') {
        at += 1;
    }
    Some(scan.skip_space(at))
}

/// Books whose plain name is a person's: in small letters still a book where a verse follows.
fn is_first_name(book: Book) -> bool {
    matches!(
        book.osis(),
        "Matt"
            | "Luke"
            | "John"
            | "Jas"
            | "Dan"
            | "Ezra"
            | "Esth"
            | "Ruth"
            | "Josh"
            | "Rom"
            | "Heb"
            | "Hos"
            | "Joel"
            | "Jonah"
            | "Mic"
            | "Mal"
            | "Titus"
            | "Prov"
            | "Lam"
            | "Rev"
    )
}

/// A chapter alone, or in a book of one chapter a verse alone.
fn lone_chapter(
    scan: &Scan,
    head: &Head,
    chapter: u8,
    called: bool,
    end: usize,
    after: Option<usize>,
) -> Option<Found> {
    if let Some(at) = verse_word(scan, end)
        && let Some((verse, stop)) = scan.number(at)
        && (head.capital || head.certainty == Certainty::Sure)
    {
        let place = Place { chapter, verse: Some(verse) };
        let single = OsisRef::new(head.book, place, place)?;
        let (marked, stop) = followed(scan, single, stop);
        let (reference, stop) = range(scan, marked, stop, false).unwrap_or((marked, stop));
        return Some(Found { reference, span: Span { start: head.from, end: stop } });
    }
    if head.at == end || scan.is_counting(end) {
        return None;
    }
    // In one piece only with a verse: "Rev2" is a version.
    let glued = scan.get(head.at).is_some_and(|c| c.is_ascii_digit());
    let lists = after.is_some_and(|last| head.from >= last && head.from - last <= 5);
    let cue = || {
        let before = scan.word_before(head.from);
        CUES.contains(&before.as_str()) || scan.before(head.from) == Some('(') || lists
    };
    let ends = || scan.ends_reference(end, FOLLOW);
    let certain = match head.certainty {
        _ if called => head.capital || head.certainty == Certainty::Sure,
        Certainty::Sure => head.capital || ends(),
        Certainty::Likely => head.capital && !head.shouted && ends(),
        Certainty::Plain => head.capital && cue() && ends(),
        Certainty::Weak => false,
    };
    if !certain || glued {
        return None;
    }
    let place = if head.book.chapters() == 1 && !called {
        Place { chapter: 1, verse: Some(chapter) }
    } else {
        Place { chapter, verse: None }
    };
    let single = OsisRef::new(head.book, place, place)?;
    let (reference, stop) = range(scan, single, end, false).unwrap_or((single, end));
    Some(Found { reference, span: Span { start: head.from, end: stop } })
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
