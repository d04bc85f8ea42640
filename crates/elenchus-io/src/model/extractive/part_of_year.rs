//! Parts of a year: "in early 2024", "in spring 2025", "at the beginning of 2023".
//!
//! What papers say of a quarter, a month or a day of that part answers, though it is no figure of the whole year.

use super::periods::Period;
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::text::words;
use std::ops::Range;

/// Names of parts with their first and last month, as loosely as people use them. The end of a year is the whole year's, and a
/// winter is of two.
const PARTS: [(&str, (u8, u8)); 9] = [
    ("early", (1, 4)),
    ("start", (1, 4)),
    ("beginning", (1, 4)),
    ("mid", (4, 9)),
    ("middle", (4, 9)),
    ("late", (8, 12)),
    ("spring", (2, 6)),
    ("summer", (5, 9)),
    ("autumn", (8, 12)),
];

/// A part of the year that is asked about.
pub(super) struct Part {
    /// Lower-case words of the question that name it.
    pub(super) words: Vec<String>,
    /// The first and the last month.
    pub(super) months: (u8, u8),
}

/// The part that a question names right before a year: "early 2024", "mid-2024", "the spring of 2025".
pub(super) fn part_of_year(text: &str, period: &Period) -> Option<Part> {
    if period.value.precision != DatePrecision::Year {
        return None;
    }
    let before = words(&text.get(..period.range.start)?.to_lowercase());
    let mut back = before.iter().rev();
    let mut last = back.next()?;
    if matches!(last.as_str(), "of" | "in") {
        last = back.next()?;
    }
    // "mid-2024" is one word, of which the year is a part.
    let name = last.trim_end_matches('-');
    let (_, months) = PARTS.iter().find(|(part, _)| *part == name)?;
    Some(Part { words: vec![last.clone()], months: *months })
}

/// A year with the part of it that is named right before: "mid-2025", "early 2025".
pub(super) fn with_part(text: &str, at: Range<usize>) -> Range<usize> {
    let is_year = text
        .get(at.clone())
        .is_some_and(|own| own.len() == 4 && own.bytes().all(|byte| byte.is_ascii_digit()));
    let before = text.get(..at.start).filter(|_| is_year).unwrap_or_default();
    let lower = before.to_lowercase();
    let part = ["mid-", "mid ", "early ", "late ", "spring ", "summer ", "autumn "]
        .iter()
        .find(|part| lower.ends_with(**part) && lower.len() == before.len());
    let stands_alone = |start: usize| !before[..start].ends_with(char::is_alphanumeric);
    let start = part.map(|part| at.start - part.len()).filter(|start| stands_alone(*start));
    start.unwrap_or(at.start)..at.end
}

/// Whether a time lies in the months that are meant, or holds them; any where none are.
pub(super) fn falls_within(months: Option<(u8, u8)>, time: PartialDate) -> bool {
    months.is_none_or(|(first, last)| time.month <= last && first <= time.last_month())
}

#[cfg(test)]
mod tests {
    use super::super::question::Question;
    use super::*;

    #[test]
    fn a_part_of_a_year_is_no_word_that_has_to_be_said() {
        for (text, months) in [
            ("How many berths were let in early 2024?", Some((1, 4))),
            ("How many berths were let in the spring of 2024?", Some((2, 6))),
            ("How many berths were let in mid-2024?", Some((4, 9))),
            ("How many berths were let at the beginning of 2024?", Some((1, 4))),
            ("How many early berths were let in 2024?", None),
            ("How many berths were let early in May 2024?", None),
        ] {
            let question = Question::parse(text, &[]);
            assert_eq!(question.months, months, "{text}");
            let said = |word: &str| question.terms.iter().any(|term| term.word == word);
            assert!(months.is_none() || !(said("early") || said("spring") || said("beginning")));
        }
    }

    #[test]
    fn a_year_is_told_with_its_part() {
        let told = |text: &str| {
            let at = text.find("2025").expect("the year is there");
            text[with_part(text, at..at + 4)].to_owned()
        };
        assert_eq!(told("Look at it again in mid-2025."), "mid-2025");
        assert_eq!(told("Look at it again in Early 2025."), "Early 2025");
        assert_eq!(told("Look at the plate 2025."), "2025");
        assert_eq!(told("They are amid 2025."), "2025");
    }

    #[test]
    fn a_quarter_is_early_or_late() {
        assert!(falls_within(Some((1, 4)), PartialDate::quarter(2024, 1)));
        assert!(!falls_within(Some((1, 4)), PartialDate::quarter(2024, 3)));
        assert!(falls_within(Some((8, 12)), PartialDate::month(2024, 12)));
        assert!(falls_within(Some((8, 12)), PartialDate::year(2024)));
    }
}
