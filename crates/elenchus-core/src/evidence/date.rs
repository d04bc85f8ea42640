//! Dates as documents state them: a year, a quarter, a month or a day.

use crate::id::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How exact a stated date is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DatePrecision {
    /// "2026"
    Year,
    /// "H2 2025"
    Half,
    /// "Q1 2026"
    Quarter,
    /// "May 2026"
    Month,
    /// "14 April 2026"
    Day,
}

/// A date that may be known only to the year, half, quarter or month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartialDate {
    /// Proleptic Gregorian; negative before year 1.
    pub year: i32,
    /// The first month covered, 1 to 12.
    pub month: u8,
    /// The first day covered, 1 to 31.
    pub day: u8,
    /// What of it was stated.
    pub precision: DatePrecision,
}

impl PartialDate {
    /// A whole year.
    pub fn year(year: i32) -> Self {
        Self { year, month: 1, day: 1, precision: DatePrecision::Year }
    }

    /// A half-year, `half` 1 or 2.
    pub fn half(year: i32, half: u8) -> Self {
        Self { year, month: half.clamp(1, 2) * 6 - 5, day: 1, precision: DatePrecision::Half }
    }

    /// A quarter, `quarter` 1 to 4.
    pub fn quarter(year: i32, quarter: u8) -> Self {
        Self { year, month: quarter.clamp(1, 4) * 3 - 2, day: 1, precision: DatePrecision::Quarter }
    }

    /// A month, 1 to 12.
    pub fn month(year: i32, month: u8) -> Self {
        Self { year, month: month.clamp(1, 12), day: 1, precision: DatePrecision::Month }
    }

    /// A day.
    pub fn day(year: i32, month: u8, day: u8) -> Self {
        Self {
            year,
            month: month.clamp(1, 12),
            day: day.clamp(1, 31),
            precision: DatePrecision::Day,
        }
    }

    /// The day of a moment, in UTC. Days become years by Howard Hinnant's `civil_from_days`, which counts eras of 400
    /// years from 1 March.
    pub fn of_timestamp(at: Timestamp) -> Self {
        let days = at.0.div_euclid(86_400_000) + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        Self::day(year as i32, month as u8, day as u8)
    }

    /// The last month covered, 1 to 12.
    pub fn last_month(self) -> u8 {
        match self.precision {
            DatePrecision::Year => 12,
            DatePrecision::Half => self.month + 5,
            DatePrecision::Quarter => self.month + 2,
            DatePrecision::Month | DatePrecision::Day => self.month,
        }
    }

    /// A number that grows with the END of the period, so that "Q1 2026" is newer than "January 2026" and "2025".
    pub fn order_key(self) -> i64 {
        let day = if self.precision == DatePrecision::Day { i64::from(self.day) } else { 31 };
        (i64::from(self.year) * 12 + i64::from(self.last_month())) * 32 + day
    }

    /// Whether everything in this period lies after all of the other.
    pub fn is_after(self, other: Self) -> bool {
        // A period that is not known to the day begins before its first day.
        let day = if self.precision == DatePrecision::Day { i64::from(self.day) } else { 0 };
        (i64::from(self.year) * 12 + i64::from(self.month)) * 32 + day > other.order_key()
    }

    /// Whether every day of `other` lies in this period.
    pub fn contains(self, other: Self) -> bool {
        if self.year != other.year || self.precision > other.precision {
            return false;
        }
        let months = self.month..=self.last_month();
        months.contains(&other.month)
            && months.contains(&other.last_month())
            && (self.precision < DatePrecision::Day || self.day == other.day)
    }

    /// The fourth-century council of 325 lies in century 4. Years before 1 count downward from -1.
    pub fn century(self) -> i32 {
        if self.year > 0 { (self.year - 1) / 100 + 1 } else { self.year / 100 - 1 }
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = MONTHS[usize::from(self.month.clamp(1, 12)) - 1].split_at(1);
        let month = format!("{}{rest}", first.to_ascii_uppercase());
        match self.precision {
            DatePrecision::Year => write!(f, "{}", self.year),
            DatePrecision::Half => write!(f, "H{} {}", self.month / 6 + 1, self.year),
            DatePrecision::Quarter => write!(f, "Q{} {}", self.month / 3 + 1, self.year),
            DatePrecision::Month => write!(f, "{month} {}", self.year),
            DatePrecision::Day => write!(f, "{} {month} {}", self.day, self.year),
        }
    }
}

/// The names of the months, in small letters.
pub const MONTHS: [&str; 12] = [
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

/// The days of the week from Monday, in small letters.
pub const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The number of a month, 1 to 12, by its name in small letters or the usual short form of it: "sep", "sept".
pub fn month_number(lower: &str) -> Option<u8> {
    let short = lower.len() == 3 || lower == "sept";
    (1_u8..)
        .zip(MONTHS)
        .find(|(_, name)| *name == lower || short && name.starts_with(lower))
        .map(|(number, _)| number)
}

/// A document's own date, with the words that state it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocDate {
    /// What was stated.
    pub value: PartialDate,
    /// The words, e.g. "Last updated: May 2026"; for an author's period, "author: c. 110".
    pub stated: String,
}

impl DocDate {
    /// Whether it is when the author lived, and not a day of the document.
    pub fn is_of_author(&self) -> bool {
        self.stated.starts_with("author")
    }

    /// When the document was written, as it says itself. That of its author's life or of a server's file says nothing of its words.
    pub fn of_document(&self) -> Option<PartialDate> {
        let of_file = self.stated.starts_with("Last-Modified");
        (!self.is_of_author() && !of_file).then_some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authors_life_and_a_servers_file_are_no_day_of_a_document() {
        let value = PartialDate::year(2024);
        let day = |stated: &str| DocDate { value, stated: stated.to_owned() }.of_document();
        assert_eq!(day("Last updated: 2024"), Some(value));
        assert_eq!(day("author: c. 110"), None);
        assert_eq!(day("Last-Modified: Mon, 1 Jan 2024"), None);
    }

    #[test]
    fn months_by_their_names_and_short_forms() {
        for (at, name) in MONTHS.iter().enumerate() {
            let number = u8::try_from(at).ok().map(|at| at + 1);
            assert_eq!((month_number(name), month_number(&name[..3])), (number, number));
        }
        assert_eq!(month_number("sept"), Some(9));
        for none in ["", "ma", "octo", "sep.", "smarch", "June"] {
            assert_eq!(month_number(none), None, "{none}");
        }
    }

    #[test]
    fn newer_periods_order_later() {
        let key = PartialDate::order_key;
        assert!(key(PartialDate::quarter(2026, 1)) > key(PartialDate::month(2026, 1)));
        assert!(key(PartialDate::month(2026, 5)) > key(PartialDate::quarter(2026, 1)));
        assert!(key(PartialDate::year(2025)) < key(PartialDate::month(2026, 1)));
        assert!(key(PartialDate::day(2026, 4, 14)) < key(PartialDate::month(2026, 4)));
    }

    #[test]
    fn a_period_contains_what_lies_in_it() {
        assert!(PartialDate::quarter(2026, 1).contains(PartialDate::month(2026, 2)));
        assert!(!PartialDate::quarter(2026, 1).contains(PartialDate::month(2026, 4)));
        assert!(PartialDate::year(2026).contains(PartialDate::quarter(2026, 3)));
        assert!(!PartialDate::month(2026, 1).contains(PartialDate::year(2026)));
        assert!(PartialDate::half(2025, 2).contains(PartialDate::quarter(2025, 4)));
    }

    #[test]
    fn displays_and_centuries() {
        assert_eq!(PartialDate::quarter(2026, 4).to_string(), "Q4 2026");
        assert_eq!(PartialDate::half(2025, 2).to_string(), "H2 2025");
        assert_eq!(PartialDate::day(2026, 4, 14).to_string(), "14 April 2026");
        assert_eq!(PartialDate::year(325).century(), 4);
        assert_eq!(PartialDate::year(100).century(), 1);
    }

    #[test]
    fn moments_have_days() {
        let day = |ms: i64| PartialDate::of_timestamp(Timestamp(ms)).to_string();
        assert_eq!(day(0), PartialDate::day(1970, 1, 1).to_string());
        assert_eq!(day(-1), PartialDate::day(1969, 12, 31).to_string());
        assert_eq!(day(951_782_400_000), PartialDate::day(2000, 2, 29).to_string());
        assert_eq!(day(1_795_305_600_000), PartialDate::day(2026, 11, 22).to_string());
    }
}
