//! Slipped dates: a day that was planned, which a later note says is not kept, and the day that takes its place.
//!
//! The note need not say again what was to be done on that day: it names the thing, the day that does not hold and the new one.

use super::bind::Candidate;
use super::ends::is_day;
use super::expects::AUXILIARIES;
use super::items::around;
use super::lexicon::is_denial;
use super::periods::{day_without_year, days};
use super::question::{Class, Expects, Question};
use super::select::{Selection, currency};
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// The probability that the new day is the answer: it is said of the thing, and not of what is done.
const LIKELY: f64 = 0.7;
/// How far below the best statement of a day another one may score and still be of the same.
const NEARLY: f64 = 0.1;
/// Fewest words by which a note calls a whole plan.
const CALLED: usize = 2;
/// What stands right before the new day.
const LEADS: [&str; 32] = [
    "new date",
    "new date is",
    "new deadline",
    "new deadline is",
    "now",
    "now due",
    "now due on",
    "now planned for",
    "now expected on",
    "now expected by",
    "now set for",
    "slips to",
    "slipped to",
    "pushed to",
    "pushed back to",
    "put back to",
    "put back until",
    "rescheduled to",
    "rescheduled for",
    "brought forward to",
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
const GIVEN_UP: [&str; 17] = [
    "instead",
    "miss",
    "misses",
    "missed",
    "slips",
    "slipped",
    "late",
    "delayed",
    "postponed",
    "deferred",
    "rescheduled",
    "pushed",
    "moved",
    "overdue",
    "forward",
    "original",
    "originally",
];
/// Words by which a day does not hold, whatever comes in its place.
const MISSED: [&str; 7] =
    ["misses", "missed", "slips", "slipped", "postponed", "delayed", "deferred"];
/// What a day that is denied would have been: "will not make 31 March", "cannot be met".
const KEPT: [&str; 14] = [
    "make",
    "meet",
    "met",
    "keep",
    "kept",
    "hold",
    "holds",
    "held",
    "ready",
    "realistic",
    "achievable",
    "finished",
    "done",
    "completed",
];
/// The month whose name is such a word as well.
const MAY: u8 = 5;
/// Words by which it is only feared.
const PERHAPS: [&str; 12] = [
    "if", "unless", "risk", "may", "might", "could", "case", "when", "whether", "should", "would",
    "until",
];

/// The new day with its statement, and the statement of the day that no longer holds.
pub(super) fn slipped(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<(Candidate, Candidate)> {
    if !asks_for_a_plan(question) {
        return None;
    }
    let best = all.iter().find(|one| tells_a_day(one, units))?.score;
    let mut planned = all
        .iter()
        .filter(|one| tells_a_day(one, units))
        .take_while(|one| one.score >= best - NEARLY);
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

/// The statement of a day that was selected, where a note says that it does not hold and nothing says which day does: better none
/// than that.
pub(super) fn lapsed(
    question: &Question,
    selection: &Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    if !asks_for_a_plan(question) {
        return None;
    }
    let old = selection.answers.first().filter(|one| tells_a_day(one, units))?;
    let planned = month_and_day(units[old.unit].text.get(old.value.clone()?)?)?;
    let is_denied = all.iter().filter(|one| one.unit != old.unit).any(|one| {
        let unit = &units[one.unit];
        is_current(one, old, units)
            && says_missed(unit.text, planned)
            && (is_of_the_same(question, unit)
                || is_of_its_plan(&units[old.unit], unit.text, planned))
    });
    is_denied.then(|| old.clone())
}

/// Whether a day to come is asked for, of what was planned once.
fn asks_for_a_plan(question: &Question) -> bool {
    let all = words(&question.text);
    let is_to_be = all.windows(2).any(|pair| pair[0] == "to" && pair[1] == "be")
        || all.iter().any(|word| matches!(word.as_str(), "should" | "due"));
    (question.future || is_to_be && !question.happened)
        && question.expects == Expects::Date
        && question.kind == QuestionKind::Lookup
        && question.period.is_none()
        && question.day.is_none()
        && !question.past
}

/// Whether a candidate may answer with a day of the calendar.
fn tells_a_day(one: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let unit = &units[one.unit];
    one.accepted && one.value.as_ref().is_some_and(|at| is_day(unit.text, &unit.value_at(at)))
}

/// Whether a note holds and is no older than the statement of a day.
fn is_current(note: &Candidate, old: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let unit = &units[note.unit];
    !unit.is_superseded()
        && !unit.is_replaced
        && !unit.is_note
        && currency(note, units) >= currency(old, units)
}

/// "It will not make 31 March", "31 March was missed": whether a sentence says, and not only fears, that a day is not kept.
fn says_missed(text: &str, planned: (u8, u8)) -> bool {
    days(text).into_iter().any(|at: Range<usize>| {
        let said = sentence(text, &at);
        let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
        // "Missed" is a denial by itself, and "not missed" is none.
        let denied = said.iter().any(|word| is_denial(word) && !MISSED.contains(&word.as_str()));
        // "31 May" is no doubt.
        let is_doubt = |word: &String| {
            PERHAPS.contains(&word.as_str()) && !(planned.0 == MAY && word == "may")
        };
        text.get(at.clone()).and_then(month_and_day) == Some(planned)
            && !said.iter().any(is_doubt)
            && if denied { has(&KEPT) && !has(&MISSED) } else { has(&MISSED) }
    })
}

/// The words of the sentence that holds a day.
fn sentence(text: &str, at: &Range<usize>) -> Vec<String> {
    let start = text[..at.start].rfind(". ").map_or(0, |end| end + 2);
    let end = text[at.end..].find(". ").map_or(text.len(), |end| at.end + end);
    words(&text[start..end])
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
        if !is_current(one, old, units) {
            return None;
        }
        let new = new_day(unit, planned)?;
        let note = around(unit);
        let same =
            is_of_the_same(question, unit) || is_of_its_plan(&units[old.unit], note, planned);
        (gives_up(note, planned) && same).then(|| {
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
        let said = sentence(note, &at);
        let denied = |word: &String| is_denial(word) || GIVEN_UP.contains(&word.as_str());
        let behind = note[at.end..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let moved = note[..at.start].trim_end().ends_with("from") && behind.starts_with("to ");
        own && (moved || said.iter().any(denied))
    })
}

/// Whether a note, with the heading over it, names what the question names: all of its names, or all of its nouns where it has no
/// names.
fn is_of_the_same(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let heading = unit.read.passage.heading_path.last().map_or("", String::as_str);
    let said: Vec<String> =
        [around(unit), heading].into_iter().flat_map(words).map(|word| stem(&word)).collect();
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

/// "The harbour works will not make 31 March", of a statement in a document called "Harbour works: the plan": whether what does not keep
/// the day is the whole of what the document of the statement is about.
fn is_of_its_plan(old: &EvidenceUnit<'_>, note: &str, planned: (u8, u8)) -> bool {
    let title: Vec<String> = words(&old.read.source.title).iter().map(|word| stem(word)).collect();
    days(note).into_iter().any(|at: Range<usize>| {
        let ends = |word: &String| {
            AUXILIARIES.contains(&word.as_str())
                || is_denial(word)
                || GIVEN_UP.contains(&word.as_str())
        };
        let subject: Vec<String> = sentence(note, &at)
            .into_iter()
            .take_while(|word| !ends(word))
            .filter(|word| !is_stop_word(word))
            .map(|word| stem(&word))
            .collect();
        note.get(at.clone()).and_then(month_and_day) == Some(planned)
            && subject.len() >= CALLED
            && subject.iter().all(|word| title.contains(word))
    })
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
        assert!(says_missed("Tern will not be ready by 31 March.", planned));
        assert!(says_missed("The day of 31 March was missed.", planned));
        assert!(!says_missed("If 31 March is missed, the yard pays.", planned));
        assert!(!says_missed("Tern is not delayed and sails on 31 March.", planned));
        assert!(!says_missed("No tickets are sold on 31 March.", planned));
    }

    #[test]
    fn a_day_that_is_missed_is_no_answer_though_no_other_is_told() {
        let first = |note: &str| {
            let passages = [document("plan", "Goal", PLAN), document("minutes", "March", note)];
            let units = evidence_units(&passages);
            let question = Question::parse(ASKED, &[]);
            let common = Commonness::new(&[], 3);
            let chosen = select(&question, &units, &Matcher::new(), &common);
            (chosen.answers.is_empty(), chosen.superseded.first().map(|one| one.unit))
        };
        assert_eq!(first("Tern will not be ready by 31 March."), (true, Some(0)));
        assert_eq!(first("Heron will not be ready by 31 March.").1, None);
    }

    #[test]
    fn what_the_whole_of_a_plan_does_not_keep_no_part_of_it_keeps() {
        let plan = "On 31 March 2025 the ferry Tern goes, together with the pontoon.";
        let passages = [document("Tern refit", "Goal", plan)];
        let units = evidence_units(&passages);
        let of_it = |note: &str| is_of_its_plan(&units[0], note, (3, 31));
        assert!(of_it("- TERN REFIT WILL NOT MAKE 31 MARCH. The yard is shut."));
        assert!(of_it("The Tern refit slipped from 31 March to 30 June."));
        assert!(!of_it("The Tern refit will not make 30 April."));
        assert!(!of_it("The sails of the Tern refit will not make 31 March."));
        assert!(!of_it("It will not make 31 March."));
    }
}
