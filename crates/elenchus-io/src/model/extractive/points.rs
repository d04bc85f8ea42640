//! Points: the beginning and the end of a year. What was so at the end of June is not what was so at the end of the year.

use super::question::Question;
use super::unit::EvidenceUnit;
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::text::words;

/// Months of a year.
const MONTHS: u8 = 12;
/// Words for the end of a year, and for its beginning.
const ENDS: [&str; 2] = ["end", "close"];
const STARTS: [&str; 3] = ["start", "beginning", "outset"];

/// Phrases of a statement that is itself of the end of the year, and of one of its beginning.
const SAYS_LAST: &[&str] =
    &[" end of the year ", " year end ", " closing ", " 31 december ", " december 31 "];
const SAYS_FIRST: &[&str] = &[
    " start of the year ",
    " beginning of the year ",
    " opening ",
    " outset ",
    " 1 january ",
    " january 1 ",
];

/// An end of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    First,
    Last,
}

/// Whether a figure is of another part of the year than the end of it that a question asks about. `local` is the time that the
/// figure's own clause names; without any, and where the statement names none, the date of its document tells.
pub(super) fn is_other_point(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    local: Option<PartialDate>,
) -> bool {
    let Some(asked) = question.period.filter(|asked| asked.precision == DatePrecision::Year) else {
        return false;
    };
    let Some(point) = point(&question.text, asked.year).filter(|_| question.expects.is_figure())
    else {
        return false;
    };
    let written = || unit.read.source.date.as_ref().map(|date| date.value);
    let time = local.or_else(|| written().filter(|_| unit.periods.is_empty()));
    let Some(time) = time else { return false };
    let elsewhere = match point {
        Point::Last => time.last_month() != MONTHS,
        Point::First => time.month != 1 || time.last_month() != 1,
    };
    time.year == asked.year
        && time.precision != DatePrecision::Year
        && elsewhere
        && !says(unit.text, point, asked.year)
}

/// The end of a year that a text names: "at the end of 2023", "by the end of the year 2023", "at year end 2023".
fn point(text: &str, year: i32) -> Option<Point> {
    let all = words(&text.to_lowercase());
    let year = year.to_string();
    (0..all.len()).find_map(|at| {
        let word = all[at].as_str();
        let point = if ENDS.contains(&word) {
            Point::Last
        } else if STARTS.contains(&word) {
            Point::First
        } else {
            return None;
        };
        let rest: Vec<&str> = all[at + 1..].iter().take(4).map(String::as_str).collect();
        let named = match rest.as_slice() {
            ["of", "the", "year" | "season", own, ..] | ["of", own, ..] | [own, ..] => *own == year,
            [] => false,
        };
        named.then_some(point)
    })
}

/// Whether a statement tells of that end of the year itself, in whatever month it was made.
fn says(text: &str, wanted: Point, year: i32) -> bool {
    // Without hyphens and "'s", and each word between two spaces.
    let said = format!(" {} ", words(text).join(" "));
    let phrases = match wanted {
        Point::Last => SAYS_LAST,
        Point::First => SAYS_FIRST,
    };
    phrases.iter().any(|phrase| said.contains(phrase)) || point(text, year) == Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn other(question: &str, text: &str) -> bool {
        let passages = [document("report", "Report", text)];
        let units = evidence_units(&passages);
        let local = units[0].periods.first().map(|period| period.value);
        is_other_point(&Question::parse(question, &[]), &units[0], local)
    }

    #[test]
    fn a_month_within_the_year_is_not_its_end() {
        for asked in [
            "How many boats were moored at the end of 2022?",
            "How many boats were moored by the end of the year 2022?",
            "How many boats were moored at the close of 2022?",
        ] {
            assert!(other(asked, "At the end of April 2022 there were 31 boats."), "{asked}");
            assert!(other(asked, "On 30 September 2022 there were 31 boats."), "{asked}");
            assert!(!other(asked, "On 31 December 2022 there were 31 boats."), "{asked}");
            assert!(!other(asked, "In 2022 there were 31 boats."), "{asked}");
        }
        let began = "How large was the debt at the beginning of 2022?";
        assert!(other(began, "In June 2022 the debt was 900 pounds."));
        assert!(!other(began, "On 1 January 2022 the debt was 900 pounds."));
    }

    #[test]
    fn without_an_end_of_a_year_it_is_silent() {
        let june = "In June 2022 there were 31 boats.";
        assert!(!other("How many boats were moored in 2022?", june));
        assert!(!other("How many boats were moored at the end of June 2022?", june));
        assert!(!other("Who was the warden at the end of 2022?", "In June 2022 it was Ann Lee."));
        let told = "By June 2022 31 boats were booked for the end of 2022.";
        let ended = "How many boats were booked at the end of 2022?";
        assert!(!other(ended, told));
        for told in [
            "The June 2022 report puts the year-end figure at 31 boats.",
            "The June 2022 report puts the figure at the year\u{2019}s end at 31 boats.",
            "The June 2022 report has a closing figure of 31 boats.",
            "The June 2022 report puts the figure of 31 December at 31 boats.",
        ] {
            assert!(!other(ended, told), "{told}");
        }
        let began = "How large was the debt at the start of 2022?";
        for told in [
            "The June 2022 report has an opening debt of 900 pounds.",
            "The June 2022 report puts the debt at the outset at 900 pounds.",
            "The June 2022 report puts the debt of 1 January at 900 pounds.",
        ] {
            assert!(!other(began, told), "{told}");
        }
    }
}
