//! What goes on behind a reference: the end of a range, and further places of the same book.

use super::find::{FOLLOW, Found, Head, UNITS, chapter, head};
use super::scan::{Scan, is_dash};
use super::{OsisRef, Place};
use crate::evidence::Span;
use crate::inquiry::Derivations;

/// Characters in which a reference has come to its verse: "1 Thessalonians chapter 5, verse 17" with room to spare.
const FIRST: usize = 48;

/// What a mark behind a verse adds to it: "28f" is that verse and the next, "28ff" those after it as well, which is at least
/// two and is read as two. The letters of a half verse ("17a") add nothing. None beyond the chapter. Runs of the first revision
/// passed the mark over.
pub(super) fn followed(scan: &Scan, single: OsisRef, at: usize) -> (OsisRef, usize) {
    let mut begins = at;
    let mut end = scan.skip_mark(at);
    if !scan.reads(Derivations::SECOND) {
        return (single, end);
    }
    if end == at {
        // "8:28 ff."
        begins = scan.skip_space(at);
        end = scan.word_end(begins);
        if begins == at || !matches!(scan.text(begins, end).as_str(), "f" | "ff") {
            return (single, at);
        }
    }
    let more: u8 = match scan.text(begins, end).as_str() {
        "f" => 1,
        "ff" => 2,
        _ => 0,
    };
    let first = single.first();
    let last = (1..=more).rev().find_map(|more| {
        let verse = Some(first.verse?.checked_add(more)?);
        OsisRef::new(single.book(), first, Place { verse, ..first })
    });
    (last.unwrap_or(single), end)
}

/// The end of a range behind a place: "-7", " to 18", "-6:2". `by_comma` says that a comma stands before the verse, and so
/// a full stop between verses.
pub(super) fn range(
    scan: &Scan,
    first: OsisRef,
    at: usize,
    by_comma: bool,
) -> Option<(OsisRef, usize)> {
    let spaced = scan.skip_space(at);
    let (next, loose) = match scan.get(spaced) {
        Some(c) if is_dash(c) => {
            let next = scan.skip_space(spaced + 1);
            (next, next > spaced + 1 || spaced > at)
        }
        _ => {
            let word =
                ["to", "through"].iter().find(|word| spaced > at && scan.word(spaced) == **word)?;
            (scan.skip_space(spaced + word.len()), true)
        }
    };
    let (number, end) = scan.number(next)?;
    let start = first.first();
    // "-6:2", "-6.2" behind a verse.
    let further = match scan.get(end) {
        Some(',') if by_comma => scan.number(end + 1),
        Some('.') if by_comma => None,
        Some(':' | '.') if start.verse.is_some() => scan.number(end + 1),
        _ => None,
    };
    let (last, end) = match (start.verse, further) {
        (Some(_), Some((verse, end))) => (Place { chapter: number, verse: Some(verse) }, end),
        (Some(_), None) => (Place { chapter: start.chapter, verse: Some(number) }, end),
        (None, _) => (Place { chapter: number, verse: None }, end),
    };
    if loose && !scan.ends_reference(end, FOLLOW) {
        return None;
    }
    if scan.is_time(end) {
        return None;
    }
    let reference = OsisRef::new(first.book(), start, last).filter(|_| last > start)?;
    Some((reference, scan.skip_mark(end)))
}

/// What goes on in the same book: "; 6:23", ",16-18", ", xvi. 15", " and 24".
pub(super) fn continued(scan: &Scan, of: &Head, first: Found) -> (Vec<Found>, usize) {
    let mut all = vec![first];
    while let Some(last) = all.last().copied()
        && let Some(next) = next_in_list(scan, of, last)
    {
        all.push(next);
    }
    let end = all.last().map_or(first.span.end, |last| last.span.end);
    (all, end)
}

fn next_in_list(scan: &Scan, of: &Head, last: Found) -> Option<Found> {
    let previous = last.reference.last();
    let here = scan.skip_space(last.span.end);
    // "Mt 5,17.20; 6,3": where a comma stands before the verse, a full stop stands between verses. The first reference shows
    // which way a list is written; a long one is not read again for each of its items.
    let written = scan.text(of.from, last.span.end.min(of.from + FIRST));
    let is_now = scan.reads(Derivations::SECOND);
    let commas = written.contains(',') && !written.contains(':');
    let by_comma = is_now && previous.verse.is_some() && commas;
    let dotted = by_comma && here == last.span.end && scan.get(here) == Some('.');
    let (at, tight) = match scan.get(here) {
        Some('.') if dotted => (here + 1, true),
        Some(mark @ (',' | ';')) if here == last.span.end => {
            let next = scan.skip_space(here + 1);
            let and = if scan.word(next) == "and" { scan.skip_space(next + 3) } else { next };
            (and, mark == ',' && and == here + 1)
        }
        Some('&') => (scan.skip_space(here + 1), false),
        _ if scan.word(here) == "and" => (scan.skip_space(here + 3), false),
        _ => return None,
    };
    // "Rom 3:23, 2 Cor 5:1": the number belongs to the next book.
    if head(scan, at).is_some_and(|next| chapter(scan, &next).is_some()) {
        return None;
    }
    let roman = scan.roman(at).filter(|(_, end)| scan.get(*end) == Some('.'));
    let (number, end) = roman.or_else(|| scan.number(at))?;
    let further = match scan.get(end) {
        _ if dotted => None,
        Some(',') if by_comma && scan.get(here) == Some(';') => scan.number(end + 1),
        Some(':') => scan.number(scan.skip_space(end + 1)),
        Some('.') if roman.is_some() => scan.number(scan.skip_space(end + 1)),
        Some('.') => scan.number(end + 1),
        _ => None,
    };
    let (place, end) = match (further, previous.verse) {
        (Some((verse, end)), _) => (Place { chapter: number, verse: Some(verse) }, end),
        _ if roman.is_some() => return None,
        // A verse of the same chapter: it comes later, and counts nothing.
        (None, Some(verse)) if number > verse && (tight || scan.ends_reference(end, FOLLOW)) => {
            (Place { chapter: previous.chapter, verse: Some(number) }, end)
        }
        (None, None) if number > previous.chapter && scan.ends_reference(end, FOLLOW) => {
            (Place { chapter: number, verse: None }, end)
        }
        _ => return None,
    };
    // "5,17.20.22" goes on; "5,3.5 million" counts.
    let after = scan.skip_mark(end);
    let goes_on = dotted && scan.get(after) == Some('.');
    let counts = dotted && UNITS.contains(&scan.word(scan.skip_space(end)).as_str());
    let counted = if is_now { after } else { end };
    if scan.is_time(end) || counts || (scan.is_counting(counted) && !goes_on) {
        return None;
    }
    let single = OsisRef::new(of.book, place, place)?;
    let (marked, end) = match place.verse {
        Some(_) => followed(scan, single, end),
        None => (single, after),
    };
    let (reference, end) = range(scan, marked, end, by_comma).unwrap_or((marked, end));
    Some(Found { reference, span: Span { start: at, end } })
}
