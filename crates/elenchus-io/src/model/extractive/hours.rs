//! Hours: what is to be done, or may be done, at a time of day that the question names.
//!
//! A list of times with deeds ("18:30 - doors still shut: call the steward") answers what happens where something is not done by one
//! of them, and "not between 17:00 and 20:00" answers whether it may be done at 18:30. Neither repeats the time as the
//! question has it.

use super::bind::{BOUND, Bound};
use super::lexicon::{is_denial, is_negation};
use super::matching::Matcher;
use super::particles::PARTICLES;
use super::question::{Class, Expects, Question, Term};
use super::unit::{EvidenceUnit, Place};
use super::weekdays::is_of_some_days;
use elenchus_core::prompt::Polarity;
use elenchus_core::text::{is_stop_word, stem, words};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A time of day: minutes since midnight, 0 to 1440.
type Minutes = u16;

const DAY: Minutes = 1440;

/// What begins a question for what is done where something is, or is not, so.
const IF: [&str; 6] = [
    "what happens if ",
    "what happens when ",
    "what will happen if ",
    "what should happen if ",
    "what must happen if ",
    "what is done if ",
];
/// Words of such a question that say nothing of what is so, as stems.
const ASKING: [&str; 2] = ["happen", "done"];
/// Words that say a time of day beside its figures.
const TIMES: [&str; 27] = [
    "half",
    "quarter",
    "past",
    "o'clock",
    "morning",
    "afternoon",
    "evening",
    "night",
    "noon",
    "midnight",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "am",
    "pm",
    "time",
    "hour",
    "i.e",
];
/// Verbs of moving, as stems: with a word for the way ("back", "out") each stands for the others.
const MOVES: [&str; 11] =
    ["move", "go", "switch", "bring", "put", "send", "return", "take", "get", "shift", "come"];
/// Words of a question that ask for what may not be.
const DENIED: [&str; 6] = ["forbidden", "prohibited", "banned", "closed", "shut", "free"];
/// Words between a denial and the hours by which less, or something else, is denied.
const LIMITS: [&str; 8] =
    ["only", "just", "later", "earlier", "before", "after", "longer", "necessarily"];

/// Words right before "only" with which it tells for whom, or by what; and most words from "for" to "only".
const WHOM: [&str; 14] = [
    "members",
    "staff",
    "residents",
    "adults",
    "women",
    "men",
    "children",
    "families",
    "guests",
    "tenants",
    "ladies",
    "swimmers",
    "cash",
    "card",
];
const REACH: usize = 4;

const CLOCK: &str = r"\d{1,2}(?::\d{2}(?:\s?[ap]m)?|\s?[ap]m)\b";

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant that a test uses")
}

static CLOCKS: LazyLock<Regex> = LazyLock::new(|| compiled(&format!(r"(?i)\b{CLOCK}")));

/// "Not between 17:00 and 20:00", "only between 9 am and 5 pm".
static HOURS: LazyLock<Regex> = LazyLock::new(|| {
    compiled(&format!(
        r"(?i)(?P<lead>\b(?:not|never|no|nobody|cannot|only)|n['\u{{2019}}]t)\s+(?P<words>(?:[a-z]+\s+){{0,3}}?)(?:between|from)\s+(?P<from>{CLOCK})\s+(?:and|to|until|till)\s+(?P<to>{CLOCK})"
    ))
});

/// Whether a unit answers by its form what is, or may be, done at the time that a question names. The words for that time count
/// as bound then.
pub(super) fn told(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    bounds: &mut [Bound],
) -> bool {
    if !CLOCKS.is_match(&question.text) {
        return false;
    }
    let rule = allowed(question, unit).is_some() && is_of_that(question, unit, bounds);
    if !rule && !is_deed_of_hour(question, unit, matcher, bounds) {
        return false;
    }
    for (term, bound) in question.terms.iter().zip(bounds) {
        if says_time(term, question) {
            bound.strength = 1.0;
        }
    }
    true
}

/// Whether something may be at the time that a question names, by the hours that a unit forbids or allows. `None` where its hours
/// do not tell: at the very minute at which they end, and outside of forbidden ones, since something else may forbid it.
pub(super) fn allowed(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Polarity> {
    let of_denial = words(&question.text)
        .iter()
        .any(|word| is_negation(word) || DENIED.contains(&word.as_str()));
    if question.expects != Expects::YesNo || of_denial || unit.is_superseded() {
        return None;
    }
    // "On Sundays not between 17:00 and 20:00" is no rule of every day.
    if is_of_some_days(unit.text) && !is_of_some_days(&question.text) {
        return None;
    }
    let asked = only_clock(&question.text)?;
    HOURS.captures_iter(unit.text).find_map(|found| {
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        if words(part("words")).iter().any(|word| LIMITS.contains(&word.as_str())) {
            return None;
        }
        let (from, to) = (minutes(part("from"))?, minutes(part("to"))?);
        let inside =
            if from <= to { (from..to).contains(&asked) } else { asked >= from || asked < to };
        let only = part("lead").eq_ignore_ascii_case("only");
        let lead = found.name("lead").map_or(0, |lead| lead.start());
        let before = &unit.text[..lead];
        if (only && is_for_some(before)) || !is_of_asked(question, before, part("words")) {
            return None;
        }
        (asked != to && inside != only).then_some(Polarity::No)
    })
}

/// Whether the clause of the hours names anything that is asked, before "not" or else behind it: "dogs are not let in between 12:00 and
/// 14:00" tells nothing of visitors, though the sentence may name them as well.
fn is_of_asked(question: &Question, before: &str, behind: &str) -> bool {
    let said = |text: &str| -> Vec<String> {
        let all = words(text).into_iter();
        let own = all.filter(|word| !is_stop_word(word) && word.contains(char::is_alphabetic));
        own.map(|word| stem(&word)).collect()
    };
    let clause = before.rfind(['.', ';', ':', ',']).map_or(before, |at| &before[at + 1..]);
    let mut own = said(clause);
    if own.is_empty() {
        own = said(behind);
    }
    let asked: Vec<String> = words(&question.text).iter().map(|word| stem(word)).collect();
    own.is_empty() || own.iter().any(|word| asked.contains(word))
}

/// Whether "only" belongs to those whom the hours are for, by what stands before it: "open to members only between 17:00 and 20:00"
/// tells nothing of the rest of the day.
fn is_for_some(before: &str) -> bool {
    let all = words(before);
    let near =
        all.iter().rev().take(REACH).any(|word| matches!(word.as_str(), "to" | "for" | "by"));
    near || all.last().is_some_and(|last| WHOM.contains(&last.as_str()))
}

/// Whether a unit is about what is asked besides the time: its names, its nouns, and what is done.
fn is_of_that(question: &Question, unit: &EvidenceUnit<'_>, bounds: &[Bound]) -> bool {
    let own: Vec<&str> = unit
        .words
        .iter()
        .filter(|word| word.place == Place::Unit)
        .map(|word| word.word.as_str())
        .collect();
    let same_way = words(&question.text)
        .iter()
        .any(|word| PARTICLES.contains(&word.as_str()) && own.contains(&word.as_str()));
    let mut here = 0;
    for (term, bound) in question.terms.iter().zip(bounds) {
        if (term.light && !term.hard) || says_time(term, question) {
            continue;
        }
        let moves = same_way && !term.hard && MOVES.contains(&term.stem.as_str());
        if bound.strength < BOUND && !moves && term.class != Class::Adverb {
            return false;
        }
        here += usize::from(bound.strength >= BOUND && !bound.at.is_empty());
    }
    here > 0
}

/// "What happens if the doors are not open by 18:30?", over "18:30 - doors not open: call the steward".
fn is_deed_of_hour(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    bounds: &[Bound],
) -> bool {
    let lower = question.text.to_lowercase();
    let Some(asked) = IF.iter().find_map(|first| lower.strip_prefix(*first)) else { return false };
    let Some(case) = case_at(unit.text, &lower) else { return false };
    if denies(asked) != denies(&unit.text[case.clone()]) {
        return false;
    }
    let mut inside = false;
    for (term, bound) in question.terms.iter().zip(bounds) {
        let asks = ASKING.contains(&term.stem.as_str());
        if (term.light && !term.hard) || asks || says_time(term, question) {
            continue;
        }
        if bound.strength < BOUND {
            return false;
        }
        inside |= unit.words.iter().any(|word| {
            word.place == Place::Unit
                && case.start <= word.at.start
                && word.at.end <= case.end
                && matcher.likeness(term, word) >= BOUND
        });
    }
    inside
}

/// Whether a line tells what is done at the time of the question where the contrary is so: "doors not open", where they are.
pub(super) fn is_other_case(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let lower = question.text.to_lowercase();
    let asked = IF.iter().find_map(|first| lower.strip_prefix(*first));
    let Some(asked) = asked else { return false };
    let Some(case) = case_at(unit.text, asked).map(|at| &unit.text[at]) else { return false };
    if denies(asked) == denies(case) {
        return false;
    }
    // "Shut" is "not open": only of the same words the one denies the other.
    let own: Vec<String> = words(case).iter().map(|word| stem(word)).collect();
    let mut terms = question
        .terms
        .iter()
        .filter(|term| {
            !term.hard
                && !term.light
                && !ASKING.contains(&term.stem.as_str())
                && !says_time(term, question)
        })
        .peekable();
    terms.peek().is_some() && terms.all(|term| own.contains(&term.stem))
}

fn denies(text: &str) -> bool {
    words(text).iter().any(|word| is_denial(word))
}

/// Bytes of what a line says to be so at the time that it begins with, where that is the only time of the question and what is
/// to be done follows: "doors not open" of "18:30 - doors not open: call the steward".
fn case_at(text: &str, question: &str) -> Option<Range<usize>> {
    let time = CLOCKS.find(text)?;
    let leads = !text[..time.start()].contains(char::is_alphanumeric);
    if !leads || minutes(time.as_str()) != only_clock(question) {
        return None;
    }
    let marks = |c: char| c == ' ' || c == '*' || c == '_';
    let behind = text[time.end()..].trim_start_matches(marks);
    let rest = behind.strip_prefix(['-', '\u{2013}', '\u{2014}', ':', '|'])?;
    let start = text.len() - rest.len();
    let end = start + rest.find(": ")?;
    let deed = text.get(end + 1..)?;
    let is_said = |part: &str| part.contains(char::is_alphabetic);
    (is_said(&text[start..end]) && is_said(deed)).then_some(start..end)
}

/// Whether a word of a question belongs to the time of day that it names.
fn says_time(term: &Term, question: &Question) -> bool {
    TIMES.contains(&term.word.as_str())
        || CLOCKS.find_iter(&question.text).any(|time| words(time.as_str()).contains(&term.word))
}

/// The time of day that a text names, where it names no other.
fn only_clock(text: &str) -> Option<Minutes> {
    let mut found = CLOCKS.find_iter(text).map(|time| minutes(time.as_str()));
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

/// "18:30", "6:30 pm", "6pm".
fn minutes(clock: &str) -> Option<Minutes> {
    let lower = clock.to_lowercase();
    let figures = lower.trim_end_matches(['a', 'p', 'm', ' ']);
    let (hours, minutes) = figures.split_once(':').unwrap_or((figures, "0"));
    let (hours, minutes) = (hours.parse::<u16>().ok()?, minutes.parse::<u16>().ok()?);
    let hours = match lower.trim_end_matches('m').chars().next_back() {
        Some('p') if hours < 12 => hours + 12,
        Some('a') if hours == 12 => 0,
        _ => hours,
    };
    (hours <= 24 && minutes < 60).then(|| hours * 60 + minutes).filter(|all| *all <= DAY)
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn answer(question: &str, text: &str) -> Option<(String, Option<Polarity>)> {
        let passages = [document("rules", "Hall", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let best = selection.answers.first()?;
        Some((units[best.unit].text.to_owned(), best.polarity))
    }

    #[test]
    fn hours_in_which_it_may_not_be_answer_for_a_time_among_them() {
        let rule = "The stage is not swept between 17:00 and 20:00.";
        let at = |time: &str| {
            let asked = format!("Is the stage swept at {time}?");
            answer(&asked, rule).and_then(|(_, polarity)| polarity)
        };
        assert_eq!(at("18:30"), Some(Polarity::No));
        assert_eq!(at("half past six in the evening, i.e. 18:30"), Some(Polarity::No));
        assert_eq!(at("6:30 pm"), Some(Polarity::No));
        assert_ne!(at("20:30"), Some(Polarity::No));
        let other = answer("Is the barge swept at 18:30?", rule).and_then(|(_, polarity)| polarity);
        assert_eq!(other, None);
    }

    #[test]
    fn a_time_is_inside_of_hours_or_not() {
        let told = |rule: &str, asked: &str| {
            let passages = [document("rules", "Hall", rule)];
            let units = evidence_units(&passages);
            allowed(&Question::parse(asked, &[]), &units[0])
        };
        let night = "No deliveries between 22:00 and 06:00.";
        assert_eq!(told(night, "May deliveries come at 23:15?"), Some(Polarity::No));
        assert_eq!(told(night, "May deliveries come at 05:59?"), Some(Polarity::No));
        assert_eq!(told(night, "May deliveries come at 06:00?"), None);
        assert_eq!(told(night, "Are deliveries forbidden at 23:15?"), None);
        let day = "Visitors come only between 9 am and 5 pm.";
        assert_eq!(told(day, "Can visitors come at 18:00?"), Some(Polarity::No));
        assert_eq!(told(day, "Can visitors come at 10:00?"), None);
        let more = "The bar is not only open between 17:00 and 20:00.";
        assert_eq!(told(more, "Is the bar open at 18:00?"), None);
        let members = "The pool is open to members only from 17:00 to 20:00.";
        assert_eq!(told(members, "Is the pool open at 21:00?"), None);
        let dogs = "Visitors may come on any day; no dogs between 12:00 and 14:00.";
        assert_eq!(told(dogs, "May visitors come at 13:00?"), None);
        assert_eq!(told(dogs, "May dogs come at 13:00?"), Some(Polarity::No));
        let sundays = "On Sundays the stage is not swept between 17:00 and 20:00.";
        assert_eq!(told(sundays, "Is the stage swept at 18:30?"), None);
    }

    #[test]
    fn a_list_of_times_tells_what_is_done_when_something_has_not_happened() {
        let list = "- 17:45 - cables missing: fetch the spare ones.\n- 18:30 - doors not opened: \
                    call the steward, who decides.\n- 19:00 - begin.";
        let said = |question: &str| answer(question, list).map(|(text, _)| text);
        let steward = said("What happens if the doors are not opened by 18:30?");
        assert!(steward.is_some_and(|text| text.contains("call the steward")));
        let opened = said("What happens if the doors are opened by 18:30?");
        assert!(opened.is_none_or(|text| !text.contains("call the steward")));
        let text = "18:30 - doors not opened: call the steward.";
        let passages = [document("rules", "Hall", text)];
        let units = evidence_units(&passages);
        let is_other = |question: &str| is_other_case(&Question::parse(question, &[]), &units[0]);
        assert!(is_other("What happens if the doors are opened by 18:30?"));
        assert!(!is_other("What happens if the doors are locked at 18:30?"), "not opened");
        let case = |question: &str| case_at(text, question).map(|at| text[at].trim());
        assert_eq!(case("what if they are shut at 18:30"), Some("doors not opened"));
        assert_eq!(case("what if they are shut at 19:00"), None);
        assert_eq!(case("what if they are shut"), None);
    }

    #[test]
    fn a_time_of_day_is_read_in_both_forms() {
        assert_eq!(minutes("18:30"), Some(1110));
        assert_eq!(minutes("6:30 pm"), Some(1110));
        assert_eq!(minutes("12am"), Some(0));
        assert_eq!(minutes("25:00"), None);
        assert_eq!(only_clock("at half past six, i.e. 18:30"), Some(1110));
        assert_eq!(only_clock("from 17:00 to 18:30"), None);
    }
}
