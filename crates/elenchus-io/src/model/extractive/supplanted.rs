//! Supplanted: what a document says of itself that it replaces in another one. "This note replaces the dates in the plan of 12 February"
//! leaves the rest of that plan as it is.

use super::parts::{Part, part_of};
use super::periods::{day_without_year, days, periods};
use super::unit::{EvidenceUnit, HEAD, called};
use super::values::ValueKind;
use elenchus_core::evidence::{DatePrecision, PartialDate, ReadPassage, month_number};
use elenchus_core::id::SourceId;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::BTreeSet;

/// What a document calls itself.
const OWN: [&str; 12] = [
    "note", "memo", "letter", "paper", "document", "update", "report", "notice", "plan", "list",
    "table", "page",
];
/// Further words of titles that do not say of what a document is.
const KINDS: [&str; 2] = ["project", "version"];

/// What a document says that it replaces.
struct Said {
    /// The other document's kind, as a stem: "plan".
    kind: String,
    /// Its month and day.
    day: (u8, u8),
    /// The whole date, where the year is said.
    date: Option<PartialDate>,
    /// Nothing but its dates, or its sums, or both.
    dates: bool,
    sums: bool,
}

impl Said {
    /// Whether a unit of that document tells what is replaced.
    fn takes(&self, unit: &EvidenceUnit<'_>) -> bool {
        let tells = |kinds: &[ValueKind]| unit.values.iter().any(|one| kinds.contains(&one.kind));
        (!self.dates && !self.sums)
            || (self.dates && tells(&[ValueKind::Date]))
            || (self.sums && tells(&[ValueKind::Money, ValueKind::Count]))
    }

    /// Whether a passage shows that its document is meant: of that kind and, by its date or its head, of that day, and on what the
    /// other one is on.
    fn is_of(&self, by: &ReadPassage, other: &ReadPassage) -> bool {
        let at_head = other.passage.span.start < HEAD;
        let head: String =
            other.passage.text.chars().take(if at_head { HEAD } else { 0 }).collect();
        let date = other.source.date.as_ref().map(|date| date.value);
        let is_dated = date.is_some_and(|date| {
            date.precision == DatePrecision::Day && (date.month, date.day) == self.day
        }) || days(&head).into_iter().any(|at| {
            head.get(at).and_then(|day| day_without_year(&day.to_lowercase())) == Some(self.day)
        });
        let name = called(&by.source);
        // "Notice of 3 March 2023" is called by nothing but its kind and its day.
        let by_day_alone = self.date.is_some()
            && self.date == date
            && words(&other.source.title).iter().all(|word| {
                stem(word) == self.kind
                    || is_stop_word(word)
                    || word.contains(|c: char| c.is_ascii_digit())
                    || month_number(word).is_some()
            });
        let on_it = words(&other.source.title).iter().any(|word| {
            let is_kind = OWN.iter().chain(&KINDS).any(|kind| kind == word);
            let says = !is_stop_word(word) && !is_kind;
            says && word.contains(char::is_alphabetic) && name.contains(word)
        });
        other.source.id != by.source.id
            && is_dated
            && (on_it || by_day_alone)
            && called(&other.source).iter().any(|word| stem(word) == self.kind)
    }

    /// Whether a part of a document is meant: of that kind and of that day.
    fn is_of_part(&self, by: Option<&Part>, other: &Part) -> bool {
        by != Some(other)
            && (other.day.month, other.day.day) == self.day
            && self.date.is_none_or(|date| date == other.day)
            && other.title.iter().any(|word| stem(word) == self.kind)
    }
}

/// Marks the units that another document, or another part of their own, replaces by its own word.
pub(super) fn tell(units: &mut [EvidenceUnit<'_>]) {
    let all: Vec<(Said, &ReadPassage, Option<Part>)> = units
        .iter()
        .filter_map(|unit| Some((said(unit.text)?, unit.read, part_of(unit))))
        .collect();
    if all.is_empty() {
        return;
    }
    let parts: Vec<Option<Part>> = units.iter().map(part_of).collect();
    for (said, by, own) in all {
        let old: BTreeSet<&SourceId> = units
            .iter()
            .map(|unit| unit.read)
            .filter(|other| said.is_of(by, other))
            .map(|other| &other.source.id)
            .collect();
        for (unit, part) in units.iter_mut().zip(&parts) {
            // Another file has to be of the same title, and the whole date be said.
            let is_alike = said.date.is_some() && unit.read.source.family == by.source.family;
            let in_part = (unit.read.source.id == by.source.id || is_alike)
                && part.as_ref().is_some_and(|part| said.is_of_part(own.as_ref(), part));
            if (in_part || old.contains(&unit.read.source.id)) && said.takes(unit) {
                unit.is_replaced = true;
            }
        }
    }
}

/// Whether a text says of its own document that it replaces another one.
pub(super) fn says_it_replaces(text: &str) -> bool {
    said(text).is_some()
}

/// "This note replaces the dates and sums in the plan of 12 February".
fn said(text: &str) -> Option<Said> {
    if !text.contains("replaces") && !text.contains("supersedes") {
        return None;
    }
    days(text).into_iter().find_map(|at| {
        let before = &text[..at.start];
        let start = before.rfind(". ").map_or(0, |end| end + 2);
        // The line over a part is no part of its first sentence.
        let start = start.max(before.rfind('\n').map_or(0, |end| end + 1));
        let before = words(&text[start..at.start]);
        let [this, own, verb, between @ .., kind, of] = before.as_slice() else { return None };
        let says_so = this == "this"
            && OWN.contains(&own.as_str())
            && matches!(verb.as_str(), "replaces" | "supersedes")
            && matches!(of.as_str(), "of" | "dated");
        let has = |list: &[&str]| between.iter().any(|word| list.contains(&word.as_str()));
        let date = periods(text).into_iter().find(|period| period.range.start == at.start);
        let date = date.map(|period| period.value);
        let day = day_without_year(&text.get(at)?.to_lowercase())?;
        says_so.then(|| Said {
            kind: stem(kind),
            day,
            date: date.filter(|date| date.precision == DatePrecision::Day),
            dates: has(&["date", "dates", "days", "timetable", "deadlines"]),
            sums: has(&["sums", "figures", "prices", "costs", "amounts", "numbers"]),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;

    const PLAN: &str = "Version 1, 12 February 2024.\n\nThe roof is finished on 28 March 2025. \
                        The slates come from Wales.";

    fn replaced(note: &str) -> Vec<String> {
        let passages = [
            document("Mill Lane: news", "News", note),
            document("Mill Lane: the plan", "Plan", PLAN),
            document("Barn: the plan", "Plan", PLAN),
        ];
        let units = evidence_units(&passages);
        let gone = units.iter().filter(|unit| unit.is_replaced);
        gone.map(|unit| format!("{}: {}", unit.read.source.title, unit.text)).collect()
    }

    #[test]
    fn what_a_later_document_says_it_replaces_is_replaced() {
        let dates = replaced("This note replaces the dates in the plan of 12 February.");
        assert!(dates.iter().any(|text| text.contains("28 March 2025")), "{dates:?}");
        assert!(dates.iter().all(|text| text.starts_with("Mill Lane")), "{dates:?}");
        assert!(!dates.iter().any(|text| text.contains("Wales")), "{dates:?}");
        let whole = replaced("This note supersedes the plan of 12 February.");
        assert!(whole.iter().any(|text| text.contains("Wales")), "{whole:?}");
    }

    #[test]
    fn a_notice_replaces_an_earlier_one_of_its_file() {
        let gone = |said: &str| -> Vec<String> {
            let text = format!(
                "Notice of 3 May 2023\nThe bath opens at 8.\n\nNotice of 2 June 2023\nBring a \
                 towel.\n\nNotice of 4 July 2024\n{said}\nThe bath opens at 9."
            );
            let passages = [document("bath", "Notices", &text)];
            let units = evidence_units(&passages);
            let gone = units.iter().filter(|unit| unit.is_replaced);
            gone.map(|unit| unit.text.to_owned()).collect()
        };
        let old = gone("This notice replaces the notice of 3 May 2023.");
        assert!(old.iter().any(|text| text.contains("at 8")), "{old:?}");
        assert!(!old.iter().any(|text| text.contains("towel") || text.contains("at 9")), "{old:?}");
        assert!(gone("This notice replaces the notice of 3 May 2022.").is_empty());
        assert!(gone("This notice replaces the letter of 3 May 2023.").is_empty());
        let pool = "Notice of 3 May 2023\nThe pool opens at 7.";
        let bath = "Notice of 4 July 2024\nThis notice replaces the notice of 3 May 2023.";
        let passages =
            [document("pool", "All that is new", pool), document("bath", "Notices", bath)];
        assert!(!evidence_units(&passages).iter().any(|unit| unit.is_replaced));
        assert!(super::says_it_replaces(bath) && !super::says_it_replaces(pool));
        assert!(!super::says_it_replaces("The new pump replaces the old one of 3 May 2023."));
    }

    #[test]
    fn another_day_another_kind_and_another_sentence_replace_nothing() {
        assert!(replaced("This note replaces the dates in the plan of 13 February.").is_empty());
        assert!(replaced("This note replaces the letter of 12 February.").is_empty());
        assert!(replaced("Oak replaces the pine in the plan of 12 February.").is_empty());
    }
}
