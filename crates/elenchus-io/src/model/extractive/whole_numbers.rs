//! Whole numbers: a telephone number, an account or a post code is written in groups, and is nothing without all of them.

use elenchus_core::text::words;
use std::ops::Range;

/// Words before a number that is known by its figures and counts nothing.
const LEADS: [&str; 29] = [
    "call",
    "calls",
    "phone",
    "telephone",
    "tel",
    "ring",
    "dial",
    "mobile",
    "fax",
    "hotline",
    "helpline",
    "extension",
    "number",
    "account",
    "iban",
    "bic",
    "sort",
    "code",
    "postcode",
    "zip",
    "reference",
    "ref",
    "card",
    "registration",
    "licence",
    "policy",
    "invoice",
    "vat",
    "charity",
];
/// Words before it among which one of those stands.
const REACH: usize = 5;
/// Words behind a number of its own, which has few figures: "24 hours a day".
const TIMES: [&str; 10] =
    ["hour", "hours", "hrs", "minutes", "mins", "seconds", "days", "weeks", "months", "times"];
const FEW: usize = 3;
/// Fewest figures of a number that is known by its first zero.
const FIGURES: usize = 5;
/// Most letters of a group of letters: "GB29 NWBK".
const LETTERS: usize = 4;

/// The whole of the number that a range is a group of; the range itself where it is none. Bytes of the text.
pub(super) fn whole(text: &str, at: Range<usize>) -> Range<usize> {
    let Some(own) = text.get(at.clone()) else { return at };
    let is_number = is_group(own) && own.contains(|c: char| c.is_ascii_digit());
    if !is_number || is_of_time(text, &at) {
        return at;
    }
    let mut whole = at.clone();
    while let Some(start) = group_before(text, whole.start) {
        whole.start = start;
    }
    while let Some(end) = group_behind(text, whole.end) {
        whole.end = end;
    }
    if text[..whole.start].ends_with('+') {
        whole.start -= 1;
    }
    let is_longer = whole.end - whole.start > own.len();
    if is_longer && is_known_by(text, &whole) { whole } else { at }
}

/// Figures, or a few capitals and figures.
fn is_group(text: &str) -> bool {
    let figures = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    // "A" and "I" are words.
    let capitals = (2..=LETTERS).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    figures || capitals
}

/// Where the group before a place begins, if one stands there behind a single space or mark.
fn group_before(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?.strip_suffix([' ', '-', '/', '\u{a0}'])?;
    let own = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    is_group(own).then_some(before.len() - own.len())
}

/// Where the group behind a place ends.
fn group_behind(text: &str, at: usize) -> Option<usize> {
    let behind = text.get(at..)?.strip_prefix([' ', '-', '/', '\u{a0}'])?;
    let length = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
    let end = text.len() - behind.len() + length;
    (is_group(&behind[..length]) && !is_of_time(text, &(end - length..end))).then_some(end)
}

/// Whether a range of the text counts a unit of time right behind it.
fn is_of_time(text: &str, at: &Range<usize>) -> bool {
    let behind = text.get(at.end..).unwrap_or_default();
    let Some(behind) = behind.strip_prefix([' ', '-', '\u{a0}']) else { return false };
    let length = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
    at.len() <= FEW && TIMES.contains(&&behind[..length])
}

/// Whether groups are one number: by the words that lead to it, by a plus, or by a first zero, which no count has.
fn is_known_by(text: &str, whole: &Range<usize>) -> bool {
    let own = &text[whole.clone()];
    let figures = own.chars().filter(char::is_ascii_digit).count();
    let begins = own.starts_with('+') || own.starts_with('0') && figures >= FIGURES;
    let before = words(&text[..whole.start].to_lowercase());
    let led = before.iter().rev().take(REACH).any(|word| LEADS.contains(&word.as_str()));
    begins || led && figures >= FIGURES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_whole(text: &str, part: &str) -> String {
        let at = text.find(part).expect("it stands there");
        text[whole(text, at..at + part.len())].to_owned()
    }

    #[test]
    fn a_number_in_groups_is_whole() {
        for (text, part, number) in [
            ("In case of fire, ring 0161 4402.", "0161", "0161 4402"),
            ("In case of fire, ring 0161 4402.", "4402", "0161 4402"),
            ("The warden can be reached on 0161 44 02 at night.", "44", "0161 44 02"),
            ("Write to us or dial +44 161 4402.", "44", "+44 161 4402"),
            ("Our account is 2044 1198 07 at the bank.", "2044", "2044 1198 07"),
            ("The IBAN is GB29 NWBK 6016 1331.", "GB29", "GB29 NWBK 6016 1331"),
            ("The sort code is 20-44-11.", "20", "20-44-11"),
            ("Telephone: 555-0142", "555", "555-0142"),
        ] {
            assert_eq!(made_whole(text, part), number, "{text}");
        }
    }

    #[test]
    fn two_figures_that_stand_together_stay_two() {
        for (text, part) in [
            ("In 2019 12 boats were sold.", "2019"),
            ("It has 40 moorings.", "40"),
            ("The call took 12 minutes.", "12"),
            ("From 2019-2021 it was shut.", "2019"),
            ("It was shut on 0 days.", "0"),
            ("Number 14, 15 of them", "14"),
        ] {
            assert_eq!(made_whole(text, part), part, "{text}");
        }
        let always = "Ring 0161 4402 24 hours a day.";
        for (part, number) in [("24", "24"), ("4402", "0161 4402")] {
            assert_eq!(made_whole(always, part), number);
        }
    }
}
