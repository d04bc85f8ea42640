//! The times that a sentence names, as far as they order what is told.

use crate::evidence::{DatePrecision, PartialDate};
use std::ops::Range;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Whether everything in the one period lies after all of the other.
pub(super) fn is_later(one: PartialDate, other: PartialDate) -> bool {
    // A period that is not known to the day begins before its first day.
    let first_day = if one.precision == DatePrecision::Day { i64::from(one.day) } else { 0 };
    (i64::from(one.year) * 12 + i64::from(one.month)) * 32 + first_day > other.order_key()
}

/// Whether a word begins with a digit.
pub(super) fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The sign of a currency that a word stands for.
pub(super) fn currency(word: &str) -> Option<char> {
    match word {
        "£" | "gbp" | "sterling" => Some('£'),
        "$" | "usd" | "dollar" | "dollars" => Some('$'),
        "€" | "eur" | "euro" | "euros" => Some('€'),
        "¥" | "jpy" | "yen" => Some('¥'),
        _ => None,
    }
}

/// The dates among the words of a sentence, each with its first word, and which words belong to any date. Of a day without
/// a year it is only known that it is no figure.
pub(super) fn dates(words: &[&str]) -> (Vec<(usize, PartialDate)>, Vec<bool>) {
    let mut dated = vec![false; words.len()];
    let mut found = Vec::new();
    for at in 0..words.len() {
        if let Some((range, date)) = date_at(words, at) {
            found.push((range.start, date));
            dated[range].fill(true);
        } else if let Some(range) = day_at(words, at) {
            dated[range].fill(true);
        }
    }
    (found, dated)
}

/// The date whose year stands at a word.
fn date_at(words: &[&str], at: usize) -> Option<(Range<usize>, PartialDate)> {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
    let back = |n: usize| word(at.checked_sub(n));
    let on = |n: usize| word(Some(at + n));
    let year = year(on(0))?;
    if currency(back(1)).is_some() || matches!(on(1), "%" | "percent") {
        return None;
    }
    let end = at + 1;
    // "2026-05-01"
    if on(1) == "-"
        && on(3) == "-"
        && let (Some(month), Some(day)) = (number(on(2), 12), number(on(4), 31))
    {
        return Some((at..at + 5, PartialDate::day(year, month, day)));
    }
    // "2024/25"
    if matches!(on(1), "/" | "-" | "–") && on(2).len() == 2 && number(on(2), 99).is_some() {
        return Some((at..at + 3, PartialDate::year(year)));
    }
    // "May 2026", "1 May 2026", "1st of May 2026"
    if let Some(month) = month(back(1)) {
        let (day, length) = match back(2) {
            "of" => (day(back(3)), 3),
            word => (day(word), 2),
        };
        return Some(match day {
            Some(day) => (at - length..end, PartialDate::day(year, month, day)),
            None => (at - 1..end, PartialDate::month(year, month)),
        });
    }
    // "May 1, 2026"
    if back(1) == ","
        && let (Some(day), Some(month)) = (day(back(2)), month(back(3)))
    {
        return Some((at - 3..end, PartialDate::day(year, month, day)));
    }
    if let Some(quarter) = back(1).strip_prefix('q').and_then(|n| number(n, 4)) {
        return Some((at - 1..end, PartialDate::quarter(year, quarter)));
    }
    Some((at..end, PartialDate::year(year)))
}

/// "1 April", "the 1st of April", "April 1".
fn day_at(words: &[&str], at: usize) -> Option<Range<usize>> {
    let on = |n: usize| words.get(at + n).copied().unwrap_or_default();
    if day(on(0)).is_some() && month(on(1)).is_some() {
        return Some(at..at + 2);
    }
    if day(on(0)).is_some() && on(1) == "of" && month(on(2)).is_some() {
        return Some(at..at + 3);
    }
    let is_share = matches!(on(2), "%" | "percent");
    (month(on(0)).is_some() && day(on(1)).is_some() && !is_share).then_some(at..at + 2)
}

fn number(text: &str, most: u8) -> Option<u8> {
    text.parse().ok().filter(|n| (1..=most).contains(n))
}

fn year(word: &str) -> Option<i32> {
    let is_plain = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    word.parse().ok().filter(|year| is_plain && (1900..=2099).contains(year))
}

fn day(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_day = matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th");
    number(digits, 31).filter(|_| is_day)
}

fn month(word: &str) -> Option<u8> {
    let is_short = word.len() == 3 || word == "sept";
    (1_u8..)
        .zip(MONTHS)
        .find(|(_, name)| *name == word || is_short && name.starts_with(word))
        .map(|(n, _)| n)
}
