//! Slipped dates: a day that was planned, which a later note says is not kept, and the day that takes its place.
//!
//! The note need not say again what was to be done on that day: it names the thing, the day that does not hold and the new one.

use super::bind::Candidate;
use super::ends::is_day;
use super::items::around;
use super::lexicon::is_denial;
use super::periods::{day_without_year, days};
use super::question::{Class, Expects, Question};
use super::select::currency;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// The probability that the new day is the answer: it is said of the thing, and not of what is done.
const LIKELY: f64 = 0.7;
/// How far below the best statement of a day another one may score and still be of the same.
const NEARLY: f64 = 0.1;
/// What stands right before the new day.
const LEADS: [&str; 18] = [
    "new date",
    "new date is",
    "new deadline",
    "new deadline is",
    "now",
    "now due",
    "postponed to",
    "postponed until",
    "put off to",
    "put off until",
    "moved to",
    "moved back to",
    "delayed to",
    "delayed until",
    "deferred to",
    "deferred until",
    "extended to",
    "extended until",
];
/// Words of a sentence about a day that does not hold, besides those that deny.
const GIVEN_UP: [&str; 11] = [
    "instead",
    "miss",
    "misses",
    "missed",
    "slips",
    "slipped",
    "late",
    "delayed",
    "postponed",
    "original",
    "originally",
];

/// The new day with its statement, and the statement of the day that no longer holds.
pub(super) fn slipped(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<(Candidate, Candidate)> {
    let asks = question.future
        && question.expects == Expects::Date
        && question.kind == QuestionKind::Lookup
        && question.period.is_none()
        && question.day.is_none()
        && !question.past;
    if !asks {
        return None;
    }
    let of_a_day = |one: &&Candidate| {
        let unit = &units[one.unit];
        one.accepted && one.value.as_ref().is_some_and(|at| is_day(unit.text, &unit.value_at(at)))
    };
    let best = all.iter().find(of_a_day)?.score;
    let mut planned = all.iter().filter(of_a_day).take_while(|one| one.score >= best - NEARLY);
    let (mut new, old) = planned.find_map(|old| in_its_place(question, old, all, units))?;
    // What was put off may be put off again.
    let mut told = vec![old.unit, new.unit];
    while let Some((later, _)) = in_its_place(question, &new, all, units)
        && !told.contains(&later.unit)
    {
        told.push(later.unit);
        new = later;
    }
    Some((new, old))
}

/// What takes the place of one statement of a day, where a note says so.
fn in_its_place(
    question: &Question,
    old: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<(Candidate, Candidate)> {
    let planned = month_and_day(units[old.unit].text.get(old.value.clone()?)?)?;
    all.iter().filter(|one| one.unit != old.unit).find_map(|one| {
        let unit = &units[one.unit];
        if unit.is_superseded()
            || unit.is_replaced
            || unit.is_note
            || currency(one, units) < currency(old, units)
        {
            return None;
        }
        let new = new_day(unit, planned)?;
        let note = around(unit);
        (gives_up(note, planned) && is_of_the_same(question, note)).then(|| {
            let told = Candidate {
                value: Some(new.range.clone()),
                kind: Some(new.kind),
                number: None,
                accepted: true,
                weighed: Some(LIKELY),
                by_meaning: None,
                polarity: None,
                ..one.clone()
            };
            (told, old.clone())
        })
    })
}

/// The day of a unit that is said to be the new one.
fn new_day<'u>(unit: &'u EvidenceUnit<'_>, planned: (u8, u8)) -> Option<&'u Value> {
    unit.values.iter().find(|value| {
        let before = unit.text.get(..value.range.start).unwrap_or_default();
        let before = words(before).join(" ");
        let own = unit.text.get(value.range.clone()).unwrap_or_default();
        let led = LEADS.iter().any(|lead| {
            before.strip_suffix(*lead).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
        });
        value.kind == ValueKind::Date
            && is_day(unit.text, value)
            && led
            && month_and_day(own).is_some_and(|day| day != planned)
    })
}

/// Whether a sentence of a note names the day as one that does not hold.
fn gives_up(note: &str, planned: (u8, u8)) -> bool {
    days(note).into_iter().any(|at: Range<usize>| {
        let own = note.get(at.clone()).and_then(month_and_day) == Some(planned);
        let start = note[..at.start].rfind(". ").map_or(0, |end| end + 2);
        let end = note[at.end..].find(". ").map_or(note.len(), |end| at.end + end);
        let said = words(&note[start..end]);
        let denied = |word: &String| is_denial(word) || GIVEN_UP.contains(&word.as_str());
        let behind = note[at.end..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let moved = note[..at.start].trim_end().ends_with("from") && behind.starts_with("to ");
        own && (moved || said.iter().any(denied))
    })
}

/// Whether a note names what the question names: all of its names, or all of its nouns where it has no names.
fn is_of_the_same(question: &Question, note: &str) -> bool {
    let said: Vec<String> = words(note).iter().map(|word| stem(word)).collect();
    let named = |hard: bool| {
        question
            .terms
            .iter()
            .filter(move |term| !term.light && term.class == Class::Noun && term.hard == hard)
    };
    let hard = question.terms.iter().any(|term| term.hard && term.class == Class::Noun);
    let mut wanted = named(hard).peekable();
    wanted.peek().is_some() && wanted.all(|term| said.contains(&term.stem))
}

fn month_and_day(text: &str) -> Option<(u8, u8)> {
    day_without_year(&text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const ASKED: &str = "When will the ferry Tern be taken out of service?";
    const PLAN: &str = "On 31 March 2025 the ferry Tern is taken out of service.";

    fn told(question: &str, note: &str) -> Option<String> {
        let passages = [document("plan", "Goal", PLAN), document("minutes", "March", note)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let best = selection.answers.first()?;
        best.value.clone().map(|at| units[best.unit].text[at].to_owned())
    }

    #[test]
    fn the_new_day_takes_the_place_of_one_that_is_not_kept() {
        let note = "Tern will not be ready by 31 March. The yard is shut. New date: 30 June 2025.";
        assert_eq!(told(ASKED, note).as_deref(), Some("30 June 2025"));
    }

    #[test]
    fn a_day_that_is_put_off_twice_is_the_last_one() {
        let first = "Tern will not be ready by 31 March. New date: 30 June 2025.";
        let second = "Tern will not be ready by 30 June. New date: 15 September 2025.";
        let passages = [
            document("plan", "Goal", PLAN),
            document("minutes", "March", first),
            document("later", "June", second),
        ];
        let units = evidence_units(&passages);
        let question = Question::parse(ASKED, &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let best = selection.answers.first().expect("a day is told");
        let told = best.value.clone().map(|at| &units[best.unit].text[at]);
        assert_eq!(told, Some("15 September 2025"));
    }

    #[test]
    fn another_thing_and_another_day_change_nothing() {
        let heron = "Heron will not be ready by 31 March. New date: 30 June 2025.";
        assert_ne!(told(ASKED, heron).as_deref(), Some("30 June 2025"));
        let other = "Tern will not sail on 2 May. New date: 30 June 2025.";
        assert_ne!(told(ASKED, other).as_deref(), Some("30 June 2025"));
        let kept = "Tern ends on 31 March as planned. New date: 30 June 2025.";
        assert_ne!(told(ASKED, kept).as_deref(), Some("30 June 2025"));
    }

    #[test]
    fn a_day_that_is_not_kept_is_told_by_its_sentence() {
        let planned = (3, 31);
        assert!(gives_up("It WILL NOT MAKE 31 MARCH. Sorry.", planned));
        assert!(gives_up("It is moved from 31 March to 30 June.", planned));
        assert!(!gives_up("It ends on 31 March. It is not late.", planned));
        assert!(!gives_up("It will not end on 30 April.", planned));
    }
}
