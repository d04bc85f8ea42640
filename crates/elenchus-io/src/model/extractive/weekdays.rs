//! Weekdays: a rule for some days of the week tells nothing of the others. "Tuesday to Saturday from 11:00" is no hour of a Sunday.

use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use elenchus_core::evidence::WEEKDAYS;
use elenchus_core::text::words;

/// Days, a bit each, from Monday.
const ALL: u8 = 0b111_1111;
const WORKING: u8 = 0b001_1111;
const WEEKEND: u8 = 0b110_0000;
/// Words that join the first and the last of several days.
const SPAN: [&str; 4] = ["to", "through", "until", "till"];
/// Words by which a text takes days out again: what it says of the others is not read off it.
const TURNED: [&str; 16] = [
    "except",
    "excluding",
    "apart",
    "besides",
    "other",
    "but",
    "unless",
    "not",
    "no",
    "never",
    "closed",
    "shut",
    "moved",
    "instead",
    "holiday",
    "holidays",
];

/// Whether a rule is asked for by days of the week, and a unit, with what stands over it, names days and none of these.
pub(super) fn is_of_other_days(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let rule = question.expects.is_figure()
        || matches!(question.expects, Expects::Date | Expects::YesNo | Expects::Any);
    // What was done on one day may be told by another: "the Monday deadline was moved to Friday".
    if !rule || question.happened {
        return false;
    }
    let asked_words = words(&question.text);
    let turned = |all: &[String]| all.iter().any(|word| TURNED.contains(&word.as_str()));
    let asked = days(&question.text);
    if asked == 0 || turned(&asked_words) {
        return false;
    }
    let mut said = format!("{}\n{}", unit.near_text, unit.text);
    for heading in &unit.read.passage.heading_path {
        said.push('\n');
        said.push_str(heading);
    }
    let own = days(&said);
    days(unit.text) != 0 && own & asked == 0 && !turned(&words(&said.to_lowercase()))
}

/// Whether a text speaks of some days of the week only.
pub(super) fn is_of_some_days(text: &str) -> bool {
    !matches!(days(text), 0 | ALL)
}

/// Whether a text names days of the week, all of them among others.
pub(super) fn names_days(text: &str) -> bool {
    days(text) != 0
}

/// The days that a text names.
fn days(text: &str) -> u8 {
    let spread = text.to_lowercase().replace(['-', '\u{2013}', '\u{2014}'], " to ");
    let all = words(&spread);
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    let mut found = 0;
    for place in 0..all.len() {
        let (word, next) = (at(place), at(place + 1));
        found |= match word {
            "weekday" | "weekdays" => WORKING,
            "weekend" | "weekends" => WEEKEND,
            "daily" => ALL,
            "every" | "any" | "each" if next == "day" => ALL,
            "all" if matches!(next, "week" | "days") => ALL,
            "days" if next == "a" && at(place + 2) == "week" => ALL,
            _ => 0,
        };
        if let Some(day) = full(word) {
            found |= 1 << day;
        }
        let Some(first) = short(word).filter(|_| SPAN.contains(&next)) else { continue };
        let Some(last) = short(at(place + 2)) else { continue };
        let mut day = first;
        found |= 1 << day;
        while day != last {
            day = (day + 1) % WEEKDAYS.len();
            found |= 1 << day;
        }
    }
    found
}

fn full(word: &str) -> Option<usize> {
    WEEKDAYS.iter().position(|day| word == *day || word.strip_suffix('s') == Some(*day))
}

/// A day in full or cut short. "Sun" and "sat" are words, too: cut short they count only in a span.
fn short(word: &str) -> Option<usize> {
    full(word).or_else(|| {
        let cut = (3..=5).contains(&word.len());
        WEEKDAYS.iter().position(|day| cut && day.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn other(question: &str, text: &str) -> bool {
        let passages = [document("a", "Facts", text)];
        let units = evidence_units(&passages);
        is_of_other_days(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn spans_of_days_are_read() {
        assert_eq!(days("Tuesday to Saturday from 9:00"), 0b011_1110);
        assert_eq!(days("Mon\u{2013}Thu and Sundays"), 0b100_1111);
        assert_eq!(days("from Friday through Monday"), 0b111_0001);
        assert_eq!(days("every day, weekends included"), ALL);
        assert_eq!(days("she sat in the sun"), 0);
    }

    #[test]
    fn a_rule_for_other_days_tells_nothing() {
        let pool = "Wednesday to Friday from 9:00 to 17:30.";
        assert!(other("When does the pool open on Sundays?", pool));
        assert!(other("Does the pool open on Monday?", pool));
        assert!(!other("When does the pool open on Thursday?", pool));
        assert!(!other("When does the pool open?", pool));
    }

    #[test]
    fn what_is_said_of_all_days_or_of_none_stays() {
        let ask = "When does the pool open on Sundays?";
        assert!(!other(ask, "The pool opens daily at 9:00, on Fridays at 10:00."));
        assert!(!other(ask, "The pool opens at 9:00."));
        assert!(!other(ask, "It opens at 9:00 except on Mondays."));
        assert!(!other(ask, "The pool opens at 9:00 at weekends."));
        assert!(!other("When was the Monday deadline moved to?", "It was moved to Friday."));
    }
}
