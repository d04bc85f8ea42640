//! Dates as people write them.

use elenchus_core::evidence::{PartialDate, month_number};
use std::ops::Range;

/// The dates that `text` states, in order, with their bytes. Years from 1900 to 2099 only: older ones are
/// as a rule what a text is about, not when it was written.
pub fn dates(text: &str) -> Vec<(Range<usize>, PartialDate)> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match date_at(text, &words, at) {
            Some((date, length)) => {
                found.push((words[at].range.start..words[at + length - 1].range.end, date));
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

struct Word {
    text: String,
    range: Range<usize>,
}

/// Runs of letters and runs of digits: "q1_2026" and "march2026" fall apart into their parts.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut digits = false;
    let mut open = false;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        if !open || digits != c.is_ascii_digit() {
            words.push(Word { text: String::new(), range: at..at });
        }
        (open, digits) = (true, c.is_ascii_digit());
        if let Some(word) = words.last_mut() {
            word.text.extend(c.to_lowercase());
            word.range.end = at + c.len_utf8();
        }
    }
    words
}

fn date_at(text: &str, words: &[Word], at: usize) -> Option<(PartialDate, usize)> {
    let word = |offset: usize| words.get(at + offset).map_or("", |word| word.text.as_str());
    // Words of one date stand close together.
    let near = |last: usize| {
        (1..=last).all(|offset| {
            words.get(at + offset).is_some_and(|next| {
                let gap = &text[words[at + offset - 1].range.end..next.range.start];
                gap.len() <= 3 && gap.chars().all(|c| " ,.-/_'\u{2019}\n\t".contains(c))
            })
        })
    };
    let glued = |offset: usize| words[at + offset].range.start == words[at + offset - 1].range.end;
    let gap =
        |offset: usize| &text[words[at + offset - 1].range.end..words[at + offset].range.start];
    let year_at = |offset: usize| year(text, words.get(at + offset)?);

    // 2026-05-01, 2026/05, 2024_06, 2026 Q1
    if let Some(y) = year_at(0) {
        let joined = |offset: usize| near(offset) && matches!(gap(offset), "-" | "/" | "_" | ".");
        if joined(1)
            && let Some(m) = number(word(1), 2, 12)
        {
            if joined(2)
                && let Some(d) = number(word(2), 2, 31)
            {
                return Some((PartialDate::day(y, m, d), 3));
            }
            if word(1).len() == 2 {
                return Some((PartialDate::month(y, m), 2));
            }
        }
        if near(2)
            && glued(2)
            && let Some(period) = period(word(1), word(2), y)
        {
            return Some((period, 3));
        }
        return Some((PartialDate::year(y), 1));
    }
    // Q1 2026, H2 2025, FY2026, FY26
    if near(2)
        && glued(1)
        && let Some(y) = year_at(2)
        && let Some(period) = period(word(0), word(1), y)
    {
        return Some((period, 3));
    }
    if word(0) == "fy"
        && near(1)
        && let Some(y) = year_at(1)
    {
        return Some((PartialDate::year(y), 2));
    }
    if let Some(nth) = ["first", "second", "third", "fourth"].iter().position(|nth| *nth == word(0))
        && near(1)
    {
        let of = usize::from(word(2) == "of");
        if near(2 + of)
            && let Some(y) = year_at(2 + of)
        {
            let nth = nth as u8 + 1;
            match word(1) {
                "quarter" => return Some((PartialDate::quarter(y, nth), 3 + of)),
                "half" if nth < 3 => return Some((PartialDate::half(y, nth), 3 + of)),
                _ => {}
            }
        }
    }
    // April 14, 2026; April 14th, 2026; April 2026; April of 2026
    if let Some(m) = month_number(word(0)) {
        let ordinal = usize::from(matches!(word(2), "st" | "nd" | "rd" | "th"));
        if near(2 + ordinal)
            && let (Some(d), Some(y)) = (number(word(1), 2, 31), year_at(2 + ordinal))
        {
            return Some((PartialDate::day(y, m, d), 3 + ordinal));
        }
        let of = usize::from(word(1) == "of");
        if near(1 + of)
            && let Some(y) = year_at(1 + of)
        {
            return Some((PartialDate::month(y, m), 2 + of));
        }
        return None;
    }
    // 14 April 2026, 14th of April 2026, 14.04.2026
    let d = number(word(0), 2, 31)?;
    let ordinal = usize::from(matches!(word(1), "st" | "nd" | "rd" | "th"));
    let of = usize::from(word(1 + ordinal) == "of");
    let last = 2 + ordinal + of;
    // "No. 6, September 2023" is no day.
    let apart = ordinal + of == 0 && near(1) && gap(1).contains(',');
    if near(last)
        && !apart
        && let (Some(m), Some(y)) = (month_number(word(1 + ordinal + of)), year_at(last))
    {
        return Some((PartialDate::day(y, m, d), last + 1));
    }
    if near(2)
        && gap(1) == "."
        && gap(2) == "."
        && let (Some(m), Some(y)) = (number(word(1), 2, 12), year_at(2))
    {
        return Some((PartialDate::day(y, m, d), 3));
    }
    None
}

fn period(letter: &str, digit: &str, year: i32) -> Option<PartialDate> {
    let n = number(digit, 1, 4)?;
    match letter {
        "q" => Some(PartialDate::quarter(year, n)),
        "h" if n < 3 => Some(PartialDate::half(year, n)),
        _ => None,
    }
}

fn number(word: &str, digits: usize, most: u8) -> Option<u8> {
    let value: u8 = (word.len() <= digits).then(|| word.parse().ok()).flatten()?;
    (1..=most).contains(&value).then_some(value)
}

/// A plausible year that is not an amount, a share or part of a longer number.
fn year(text: &str, word: &Word) -> Option<i32> {
    if word.text.len() != 4 {
        return None;
    }
    let value: i32 = word.text.parse().ok().filter(|year| (1900..2100).contains(year))?;
    let before = &text[..word.range.start];
    let amount_before = before.ends_with(['$', '€', '£', '¥', '+', '#'])
        || before.strip_suffix([',', '.']).is_some_and(|rest| {
            rest.ends_with(|c: char| c.is_ascii_digit())
                && !rest.ends_with(' ')
                && before.ends_with(',')
        });
    let amount_after = text[word.range.end..].starts_with(['%', '€'])
        || text[word.range.end..]
            .strip_prefix([',', '.'])
            .is_some_and(|rest| rest.chars().take_while(char::is_ascii_digit).count() == 3);
    (!amount_before && !amount_after).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Option<PartialDate> {
        dates(text).first().map(|found| found.1)
    }

    #[test]
    fn dates_in_many_spellings() {
        let day = Some(PartialDate::day(2026, 4, 14));
        for text in [
            "2026-04-14",
            "April 14, 2026",
            "Apr 14th, 2026",
            "14 April 2026",
            "14th of April, 2026",
            "14.04.2026",
            "notes_2026-04-14_final",
            "2026-04-14T10:00:00Z",
        ] {
            assert_eq!(one(text), day, "{text}");
        }
        for text in
            ["April 2026", "2026-04", "report_2026_04", "bulletin_april2026", "April of 2026"]
        {
            assert_eq!(one(text), Some(PartialDate::month(2026, 4)), "{text}");
        }
        for text in ["Q2 2026", "q2_2026_ops", "2026-Q2", "second quarter of 2026"] {
            assert_eq!(one(text), Some(PartialDate::quarter(2026, 2)), "{text}");
        }
        assert_eq!(one("H2 2025"), Some(PartialDate::half(2025, 2)));
        assert_eq!(one("FY2026"), Some(PartialDate::year(2026)));
        assert_eq!(one("Expense Policy (2026)"), Some(PartialDate::year(2026)));
    }

    #[test]
    fn amounts_and_old_years_are_not_dates() {
        for text in
            ["$2026", "2,019 robots", "1,2026", "325", "AD 96", "VLX-500", "2026%", "may 5 people"]
        {
            assert_eq!(one(text), None, "{text}");
        }
        assert_eq!(dates("Q1 2025: 12, Q1 2026: 21").len(), 2);
        assert_eq!(one("No. 6, September 2023"), Some(PartialDate::month(2023, 9)));
    }
}
