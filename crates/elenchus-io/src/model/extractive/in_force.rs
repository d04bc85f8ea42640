//! In force: what holds from a day on holds in the year of that day. "The fee is 4 pounds with effect from 1 January 2022" tells the fee of
//! 2022, in other words than "in 2022".

use super::bind::Candidate;
use super::later_parts::UNSURE;
use super::meaning::FAIR;
use super::question::{Expects, Question};
use super::select::differs;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::evidence::PartialDate;
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::words;

/// Share of the nouns that a statement has to bind.
const NOUNS: f64 = 0.9;
/// Words of what is not so, or no more; what is not decided is told by `UNSURE`.
const DENIED: [&str; 5] = ["not", "no", "never", "hopes", "cancelled"];

/// The statement of a value that came into force within the period asked about, where nothing else was selected. Of several the last one to
/// come in; nothing where two of one day differ.
pub(super) fn in_force(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let asked = question.period?;
    let fits = question.expects.is_figure()
        || matches!(question.expects, Expects::Person | Expects::Place | Expects::Organisation);
    if !fits || question.kind != QuestionKind::Lookup || question.past {
        return None;
    }
    let mut found: Vec<(PartialDate, &Candidate)> = all
        .iter()
        .filter(|one| one.eligible && !one.planned && one.features.noun >= NOUNS)
        .filter_map(|one| Some((start(one, &units[one.unit])?, one)))
        .filter(|(start, _)| asked.contains(*start))
        .collect();
    found.sort_by_key(|(start, _)| std::cmp::Reverse(start.order_key()));
    let (start, first) = *found.first()?;
    let differ = |other: &&(PartialDate, &Candidate)| differs(other.1, first, units);
    let mut others = found.iter().filter(differ);
    if others.clone().any(|(other, _)| other.order_key() == start.order_key()) {
        return None;
    }
    // What came in later than the period began was not so in all of it.
    let in_part = others.next().is_some() || start.month != asked.month;
    Some(Candidate {
        accepted: true,
        sure: true,
        by_meaning: None,
        weighed: Some(FAIR),
        doubtful: first.doubtful || in_part,
        period: Some(start),
        ..first.clone()
    })
}

/// Since when the value of a candidate holds, if its unit says so: "from 1 May 2022", "since March 2022", "with effect from".
fn start(candidate: &Candidate, unit: &EvidenceUnit<'_>) -> Option<PartialDate> {
    let value = candidate.value.as_ref()?;
    let said = words(&unit.text.to_lowercase());
    let is_open =
        said.iter().any(|word| DENIED.contains(&word.as_str()) || UNSURE.contains(&word.as_str()))
            || unit.text.split_whitespace().any(|word| word == "may");
    // The value before a change came to its end then.
    let lead = words(&unit.text.get(..value.start)?.to_lowercase());
    let was = lead.last().is_some_and(|word| matches!(word.as_str(), "from" | "was" | "until"));
    if is_open || was || !unit.cells.is_empty() {
        return None;
    }
    let mut starts = unit.periods.iter().filter(|period| {
        begins(unit.text, period.range.start)
            && !is_span(unit.text, period.range.end)
            && (unit.segment_of(period.range.start) == unit.segment_of(value.start)
                || alone(unit, candidate))
    });
    let first = starts.next()?;
    starts.next().is_none().then_some(first.value)
}

/// Whether no other value of the kind stands in the unit but the one that it came from.
fn alone(unit: &EvidenceUnit<'_>, candidate: &Candidate) -> bool {
    let alike =
        |value: &&Value| Some(value.kind) == candidate.kind && value.kind != ValueKind::Date;
    unit.values.iter().filter(alike).count() == 1
}

/// Whether what stands before a time makes it the first of it.
fn begins(text: &str, at: usize) -> bool {
    let before = words(&text.get(..at).unwrap_or_default().to_lowercase());
    let lead: Vec<&str> = before.iter().map(String::as_str).collect();
    matches!(
        lead.as_slice(),
        [.., "from" | "since" | "starting" | "beginning" | "effective"]
            | [.., "as", "of"]
            | [.., "effect" | "force", "on" | "in"]
            | [.., "from" | "since", "the" | "early" | "late" | "mid"]
    ) && !matches!(lead.as_slice(), [.., "up" | "down" | "moved" | "raised", "from"])
}

/// Whether a time is the first of two: "from 1 May to 3 June 2022".
fn is_span(text: &str, from: usize) -> bool {
    let behind = text.get(from..).unwrap_or_default().trim_start();
    let next = words(behind).into_iter().next().unwrap_or_default();
    matches!(next.as_str(), "to" | "until" | "till" | "through")
        || behind.starts_with(['-', '\u{2013}'])
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn told(question: &str, texts: &[&str]) -> Option<(String, bool)> {
        let named = texts.iter().enumerate();
        let passages: Vec<_> =
            named.map(|(at, text)| document(&format!("n{at}"), "Fees", text)).collect();
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 2));
        let found = in_force(&question, &all, &units)?;
        Some((units[found.unit].text[found.value?].to_owned(), found.doubtful))
    }

    #[test]
    fn what_holds_from_a_day_on_holds_in_its_year() {
        let asked = "What was the mooring fee in 2022?";
        for text in [
            "The mooring fee is raised from 3 pounds to 4 pounds with effect from 1 January 2022.",
            "The mooring fee is 4 pounds from 1 January 2022.",
            "The mooring fee has been 4 pounds since January 2022.",
            "From 1 January 2022 the mooring fee is 4 pounds.",
            "Effective 1 January 2022, the mooring fee is 4 pounds.",
        ] {
            assert_eq!(
                told(asked, &[text]).map(|found| found.0).as_deref(),
                Some("4 pounds"),
                "{text}"
            );
        }
        let late = "The mooring fee has been 4 pounds since October 2022.";
        assert_eq!(told(asked, &[late]), Some(("4 pounds".to_owned(), true)));
    }

    #[test]
    fn another_year_a_plan_and_two_of_a_day_tell_nothing() {
        let asked = "What was the mooring fee in 2022?";
        for text in [
            "The mooring fee will be 5 pounds from 1 January 2023.",
            "The mooring fee would be 5 pounds from 1 January 2022.",
            "The mooring fee is 5 pounds from 1 May 2022 to 3 June 2022.",
            "The mooring fee is 5 pounds.",
        ] {
            assert_eq!(told(asked, &[text]), None, "{text}");
        }
        let two = [
            "The mooring fee is 4 pounds from 1 January 2022.",
            "The mooring fee is 6 pounds from 1 January 2022.",
        ];
        assert_eq!(told(asked, &two), None);
    }
}
