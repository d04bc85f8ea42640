//! Which time a statement speaks of: figures of two quarters do not contradict each other.

use crate::ingest::dates::dates;
use elenchus_core::evidence::{DatePrecision, PartialDate};

/// Days on which two texts were written may lie this far apart, in months, before they count as two vintages.
const SAME_VINTAGE: i32 = 2;

/// A span of months, both ends included, counted from year 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Months {
    first: i32,
    last: i32,
    /// Whether it is a day: the day on which something was written or happened, not a reporting period.
    day: bool,
}

fn months(date: PartialDate) -> Months {
    let first = date.year.saturating_mul(12).saturating_add(i32::from(date.month) - 1);
    let length = match date.precision {
        DatePrecision::Year => 12,
        DatePrecision::Half => 6,
        DatePrecision::Quarter => 3,
        DatePrecision::Month | DatePrecision::Day => 1,
    };
    let last = first.saturating_add(length - 1);
    Months { first, last, day: date.precision == DatePrecision::Day }
}

/// All times that a text names, as spans of months, in order and each once.
pub(super) fn periods(text: &str) -> Vec<Months> {
    let mut found: Vec<Months> = dates(text).iter().map(|(_, date)| months(*date)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether two sets of times have nothing in common; never if one of them is empty.
pub(super) fn apart(a: &[Months], b: &[Months]) -> bool {
    !a.is_empty() && !b.is_empty() && !a.iter().any(|a| b.iter().any(|b| meet(*a, *b)))
}

fn meet(a: Months, b: Months) -> bool {
    let slack = if a.day && b.day { SAME_VINTAGE } else { 0 };
    a.first <= b.last.saturating_add(slack) && b.first <= a.last.saturating_add(slack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_apart_and_a_year_holds_its_months() {
        let of = |a: &str, b: &str| apart(&periods(a), &periods(b));
        assert!(of("Report, Q3 2025", "Report, Q1 2026"));
        assert!(of("in 2019", "in May 2021"));
        assert!(!of("in 2019", "on 14 May 2019"));
        assert!(!of("Report", "Report, Q1 2026"));
        assert!(!of("written 2026-02-24", "written 2026-03-27"), "weeks are no vintage");
        assert!(of("written 2025-02-24", "written 2026-02-27"));
    }
}
