//! Vintages: what two documents of one report say of the same. The later one is current, and the other is its older value.
//!
//! A question that names a period is no exception where both fit it: a plan for a year that was written in January and again in
//! April tells of that year twice.

use super::asked_past::asks_for_the_old;
use super::bind::Candidate;
use super::cells::are_other_rows;
use super::periods::periods;
use super::question::{Expects, Question};
use super::select::{currency, differs, same_kind, same_words, unit_words};
use super::unit::EvidenceUnit;
use crate::ingest::mails::said_by;
use elenchus_core::evidence::PartialDate;
use elenchus_core::text::words;
use std::collections::BTreeSet;

/// Most older values that are told beside an answer.
pub(super) const MOST_OLDER: usize = 3;

/// Whether two statements are of one report in two documents and hold for the same time, as far as they say: what each names of
/// times is the same, or one of the documents replaces the other. That each was written at another time is what makes them two.
pub(super) fn is_vintage(a: &Candidate, b: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let (one, other) = (&units[a.unit], &units[b.unit]);
    are_two(one, other)
        && one.read.source.family == other.read.source.family
        && (one.is_replaced != other.is_replaced || times(a, one) == times(b, other))
}

/// Whether two units are of two documents, or of two mails of one sender in a file of several.
fn are_two(one: &EvidenceUnit<'_>, other: &EvidenceUnit<'_>) -> bool {
    let mail = |unit: &EvidenceUnit<'_>| {
        said_by(&unit.read.passage.heading_path).map(|(from, date)| (from.to_owned(), date))
    };
    one.read.source.id != other.read.source.id
        || mail(one).zip(mail(other)).is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1)
}

/// The times that a statement names, itself or by what stands over it, apart from its value and the date of its document.
fn times(candidate: &Candidate, unit: &EvidenceUnit<'_>) -> BTreeSet<(i32, u8, i64)> {
    let written = unit.read.source.date.as_ref().map(|date| date.value);
    let own = unit.periods.iter().filter(|period| candidate.value.as_ref() != Some(&period.range));
    let all = own.map(|period| period.value).chain(times_over(unit));
    // A quarter and its year end on one day, and begin on two.
    let span = |time: PartialDate| (time.year, time.month, time.order_key());
    all.filter(|time| Some(*time) != written).map(span).collect()
}

/// The times that stand over a statement: in its headings, its title and what introduces it.
fn times_over(unit: &EvidenceUnit<'_>) -> impl Iterator<Item = PartialDate> {
    let over = unit.read.passage.heading_path.iter().chain([&unit.read.source.title]);
    let over: Vec<_> = over.chain([&unit.near_text]).flat_map(|text| periods(text)).collect();
    over.into_iter().map(|period| period.value)
}

/// The time that an answer is said to be of: that of the value, or else the period that is asked about where a title or a heading
/// names it, or else the date of the document. A plan for a year is of that year, whenever it was written.
pub(super) fn time_of(
    question: &Question,
    candidate: &Candidate,
    unit: &EvidenceUnit<'_>,
) -> Option<PartialDate> {
    let written = unit.read.source.date.as_ref().map(|date| date.value);
    let asked = question.period.filter(|asked| {
        candidate.period == written
            && times_over(unit).any(|time| time == *asked || asked.contains(time))
    });
    asked.or(candidate.period)
}

/// Of what fits the period that is asked about as well as the best does, the newest vintage of it.
pub(super) fn newest<'a>(
    question: &Question,
    best: &'a Candidate,
    peers: &[&'a Candidate],
    units: &[EvidenceUnit<'_>],
) -> &'a Candidate {
    if question.past || asks_for_the_old(question) {
        return best;
    }
    let is_of_it = |other: &&Candidate| {
        is_vintage(other, best, units)
            && same_words(other, best)
            && !are_other_rows(&units[other.unit], &units[best.unit])
    };
    // Of several of one date the last one is taken: the best itself, and else the better bound.
    let vintages = peers.iter().copied().rev().filter(is_of_it).chain([best]);
    vintages.max_by_key(|candidate| currency(candidate, units)).unwrap_or(best)
}

/// Whether a statement is older than the chosen one and says something else. Where a period is asked about, what holds for
/// another time is no older value.
pub(super) fn is_outdated(
    question: &Question,
    other: &Candidate,
    chosen: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> bool {
    (question.period.is_none() || is_vintage(other, chosen, units))
        && !question.past
        && currency(other, units) < currency(chosen, units)
        && differs(other, chosen, units)
}

/// Whether an outdated statement has a value that the chosen one takes the place of.
pub(super) fn is_older_value(
    question: &Question,
    other: &Candidate,
    chosen: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> bool {
    let (own, its) = (&units[other.unit], &units[chosen.unit]);
    // What a document says that another one replaces is older, whatever it is.
    let dated_kind = other.number.is_some()
        || matches!(question.expects, Expects::Date | Expects::Person)
        || own.is_replaced && !its.is_replaced;
    are_two(own, its)
        && dated_kind
        && same_words(other, chosen)
        && other.value.is_some()
        && (other.number.is_none() || unit_words(other, units) == unit_words(chosen, units))
        && other.qualifier == chosen.qualifier
        && !are_other_rows(own, its)
}

/// Words by which a sentence is the denial of another.
const DENIALS: [&str; 3] = ["not", "no", "never"];

/// What a statement says apart from its value, or from being a denial where it has none, and the heading it stands under.
fn frame(candidate: &Candidate, unit: &EvidenceUnit<'_>) -> (Option<String>, Vec<String>) {
    let title = &unit.read.source.title;
    let heading = unit.read.passage.heading_path.last().filter(|heading| *heading != title);
    let mut said = match &candidate.value {
        Some(at) => {
            let (before, after) = (unit.text.get(..at.start), unit.text.get(at.end..));
            let mut said = words(before.unwrap_or_default());
            // Where the value stands is of account: "3 of 5" is not "5 of 3".
            said.push(String::new());
            said.extend(words(after.unwrap_or_default()));
            said
        }
        None => words(unit.text),
    };
    if candidate.value.is_none() {
        said.retain(|word| !DENIALS.contains(&word.as_str()));
    }
    (heading.map(|heading| heading.to_lowercase()), said)
}

/// Whether two documents of one report, or two that are nearly copies, say the same sentence with another value, and neither is
/// the later one. They are one witness of all else that they share, and two of this. Pages of one publisher on the web are not
/// meant: there the newest counts.
pub(super) fn says_otherwise(a: &Candidate, b: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let (one, other) = (&units[a.unit], &units[b.unit]);
    let holds = |home: &EvidenceUnit<'_>, said: &EvidenceUnit<'_>| {
        let same = |unit: &EvidenceUnit<'_>| {
            unit.read.source.id == home.read.source.id && unit.text == said.text
        };
        units.iter().any(same)
    };
    one.read.source.id != other.read.source.id
        && one.read.source.web.is_none()
        && other.read.source.web.is_none()
        && currency(a, units) == currency(b, units)
        && frame(a, one) == frame(b, other)
        && times(a, one) == times(b, other)
        && !holds(one, other)
        && !holds(other, one)
}

/// The older values of an answer that was found by its meaning: the same of earlier vintages of its report.
pub(super) fn older_values<'a>(
    question: &Question,
    chosen: &Candidate,
    all: &'a [Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<&'a Candidate> {
    let older = all.iter().filter(|other| {
        other.open
            && other.planned == chosen.planned
            && same_kind(other, chosen)
            && is_vintage(other, chosen, units)
            && is_outdated(question, other, chosen, units)
            && is_older_value(question, other, chosen, units)
    });
    older.take(MOST_OLDER).collect()
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::{by_words, select};
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, ReadPassage};

    /// A document of a report with this title, written on a day of 2025.
    fn written(name: &str, title: &str, month: u8, text: &str) -> ReadPassage {
        let mut read = document(name, title, text);
        read.source.title = title.to_owned();
        read.source.family = "works".to_owned();
        let value = PartialDate::day(2025, month, 9);
        read.source.date = Some(DocDate { value, stated: value.to_string() });
        read
    }

    /// The figures that are given, and those that are told as older.
    fn told(question: &str, passages: &[ReadPassage]) -> (Vec<String>, Vec<String>) {
        let units = evidence_units(passages);
        let question = Question::parse(question, &[]);
        let found = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let shown = |list: &[Candidate]| -> Vec<String> {
            let values = list.iter().filter_map(|one| {
                one.value.as_ref().map(|at| units[one.unit].text[at.clone()].to_owned())
            });
            values.collect()
        };
        (shown(&found.answers), shown(&found.superseded))
    }

    #[test]
    fn of_two_vintages_that_fit_the_period_the_newer_is_current() {
        let title = "Works plan 2025";
        let early = written("a", title, 2, "The number of moorings is 140.");
        let late = written("b", title, 6, "The number of moorings is 118.");
        let wanted = (vec!["118".to_owned()], vec!["140".to_owned()]);
        for question in [
            "What is the number of moorings?",
            "What is the number of moorings in 2025?",
            "What is the number of moorings for 2025?",
        ] {
            assert_eq!(told(question, &[early.clone(), late.clone()]), wanted, "{question}");
            assert_eq!(told(question, &[late.clone(), early.clone()]), wanted, "{question}");
        }
    }

    #[test]
    fn what_holds_for_another_time_is_no_older_value() {
        let early = written("a", "Works plan 2024", 2, "The number of moorings is 140.");
        let late = written("b", "Works plan 2025", 6, "The number of moorings is 118.");
        let both = [early, late];
        let (given, older) = told("What is the number of moorings in 2024?", &both);
        assert_eq!((given, older.len()), (vec!["140".to_owned()], 0));
        let (given, older) = told("What is the number of moorings in 2025?", &both);
        assert_eq!((given, older.len()), (vec!["118".to_owned()], 0));
        // The month in which the earlier one was written is asked about, and the later one was not.
        let title = "Works plan 2025";
        let both = [
            written("a", title, 2, "The number of moorings is 140."),
            written("b", title, 6, "The number of moorings is 118."),
        ];
        let (given, _) = told("What was the number of moorings in February 2025?", &both);
        assert_eq!(given, ["140"]);
    }

    #[test]
    fn a_plan_for_a_year_is_of_that_year_whenever_it_was_written() {
        let of = |question: &str, title: &str| {
            let passages = [written("a", title, 2, "The number of moorings is 140.")];
            let units = evidence_units(&passages);
            let question = Question::parse(question, &[]);
            let common = Commonness::new(&[], 1);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            all.first().and_then(|one| time_of(&question, one, &units[0]))
        };
        let (year, day) = (Some(PartialDate::year(2025)), Some(PartialDate::day(2025, 2, 9)));
        assert_eq!(of("What is the number of moorings in 2025?", "Works plan 2025"), year);
        assert_eq!(of("What is the number of moorings in 2025?", "Works plan"), day);
        assert_eq!(of("What is the number of moorings?", "Works plan 2025"), day);
    }

    #[test]
    fn two_events_of_a_year_are_no_vintages() {
        let passages = [
            written("a", "Works diary", 2, "On 3 February 2025 the crew laid 14 moorings."),
            written("b", "Works diary", 6, "On 5 June 2025 the crew laid 22 moorings."),
        ];
        let (_, older) = told("How many moorings did the crew lay in 2025?", &passages);
        assert!(older.is_empty(), "{older:?}");
    }

    #[test]
    fn copies_that_differ_in_a_figure_disagree_in_it() {
        let lock = |name: &str, text: &str| {
            let mut read = document(name, "The lock", text);
            read.source.title = "The lock".to_owned();
            read.source.family = "the lock".to_owned();
            read.source.cluster = "a".into();
            read
        };
        let conflicts = |one: &str, other: &str| {
            let passages = [lock("a", one), lock("b", other)];
            let units = evidence_units(&passages);
            let question = Question::parse("How many boats does the lock hold?", &[]);
            let common = Commonness::new(&[], 2);
            let (_, found) = by_words(&question, &units, &Matcher::new(), &common);
            (found.answers.len(), found.conflicts.len())
        };
        assert_eq!(conflicts("The lock holds 24 boats.", "The lock holds 26 boats."), (1, 1));
        // The same, another time, another thing, and both figures in both.
        let same = "The lock holds 24 boats.";
        assert_eq!(conflicts(same, same), (1, 0));
        let then = conflicts("In 2023 the lock held 24 boats.", "In 2024 the lock held 26 boats.");
        assert_eq!(then.1, 0);
        let named = conflicts("Lock 3 holds 24 boats.", "Lock 5 holds 26 boats.");
        assert_eq!(named.1, 0);
        let both = "The lock holds 24 boats.\n\nThe lock holds 26 boats.";
        assert_eq!(conflicts(both, both).1, 0);
    }

    #[test]
    fn a_document_that_is_replaced_is_not_current_for_the_period_either() {
        let opens = |day: u8, harbour: &str| {
            format!("The regatta of 2025 starts on {day} August 2025 from {harbour}.")
        };
        let title = "Works plan 2025";
        let early = written("a-v1", title, 2, &opens(2, "Leith"));
        let text =
            format!("This plan replaces version 1 of 9 February 2025.\n\n{}", opens(9, "Oban"));
        let late = written("a-v2", title, 6, &text);
        let (given, _) = told("When does the regatta of 2025 start?", &[early, late]);
        assert_eq!(given, ["9 August 2025"]);
    }
}
