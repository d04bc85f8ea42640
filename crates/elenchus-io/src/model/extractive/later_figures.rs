//! Later figures: a figure that a later statement in other words has taken the place of: "the fleet shrank to five", "we counted 511 members",
//! "the fee will be 36 euros from 1 January on".
//!
//! The later statement has to name what the figure is of, and nothing narrower. Where the order of the two cannot be told, both are.

use super::asked_past::asks_for_the_old;
use super::bind::Candidate;
use super::changes::instead;
use super::in_place::is_same_number;
use super::later_parts::{UNSURE, said_beside, said_later};
use super::lexicon::is_denial;
use super::parts::{part_of, written};
use super::periods::{Period, month};
use super::question::{Class, Expects, Question};
use super::select::{MOST_CONFLICTS, Selection, currency};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use crate::ingest::UnitKind;
use elenchus_core::evidence::{DatePrecision, PartialDate, WEEKDAYS};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Share of the nouns of a question that a statement has to bind.
const NOUNS: f64 = 0.6;
/// Words behind a figure among which the noun that it counts stands.
const NEXT: usize = 3;
/// Words between what leads to a figure and the figure.
const HEDGES: [&str; 16] = [
    "about",
    "around",
    "just",
    "only",
    "some",
    "roughly",
    "nearly",
    "almost",
    "the",
    "a",
    "an",
    "exactly",
    "over",
    "now",
    "currently",
    "still",
];
/// Words of a change that leads to a figure by "to" or "at".
const MOVES: [&str; 46] = [
    "rose",
    "risen",
    "rises",
    "grew",
    "grown",
    "grows",
    "fell",
    "fallen",
    "falls",
    "dropped",
    "drops",
    "shrank",
    "shrunk",
    "shrinks",
    "sank",
    "sunk",
    "climbed",
    "climbs",
    "went",
    "gone",
    "increased",
    "increases",
    "decreased",
    "declined",
    "reduced",
    "raised",
    "lowered",
    "lifted",
    "cut",
    "halved",
    "doubled",
    "up",
    "down",
    "back",
    "expanded",
    "extended",
    "brought",
    "changed",
    "adjusted",
    "stands",
    "stand",
    "remains",
    "set",
    "fixed",
    "lies",
    "shortened",
];
/// Words right before a figure that was found by counting, or come to.
const COUNTED: [&str; 9] =
    ["counted", "count", "reached", "reaches", "numbered", "totalled", "totaled", "hit", "numbers"];
/// Words right before a figure of what is so.
const STANDS: [&str; 14] = [
    "is", "are", "be", "been", "has", "have", "costs", "cost", "charge", "charges", "pay", "pays",
    "employs", "holds",
];
/// Further words of what is only looked ahead to, or of another figure.
const AHEAD: [&str; 22] = [
    "forecast",
    "forecasts",
    "target",
    "targets",
    "goal",
    "estimate",
    "estimated",
    "estimates",
    "expect",
    "expected",
    "expects",
    "plan",
    "plans",
    "planned",
    "budget",
    "budgeted",
    "hope",
    "hopes",
    "aim",
    "offer",
    "originally",
    "wrong",
];
/// Words behind a noun that narrow it: "members under 18".
const NARROWS: [&str; 14] = [
    "of", "in", "at", "for", "under", "over", "with", "without", "who", "which", "aged", "on",
    "below", "above",
];
/// Words between a narrower kind and its whole: "the fleet of", "the number of" name no kind.
const WHOLES: [&str; 6] = ["fleet", "number", "total", "stock", "count", "tally"];
/// Words of times and of what happens once more.
const TIMES: [&str; 21] = [
    "again",
    "today",
    "last",
    "year",
    "month",
    "week",
    "quarter",
    "spring",
    "summer",
    "autumn",
    "winter",
    "end",
    "start",
    "beginning",
    "recently",
    "meanwhile",
    "since",
    "effect",
    "late",
    "early",
    "per",
];

/// How a statement gives a figure that may be the newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// It tells of a change or a count.
    Moved,
    /// It says what is so.
    Stands,
}

/// A later figure.
struct Found {
    told: Candidate,
    form: Form,
    /// Since when it holds, and whether that time is past as far as the documents tell.
    since: Option<PartialDate>,
    in_force: bool,
    /// A unit whose document shows that.
    witness: Option<usize>,
    /// When it was so at the latest that is known.
    when: Option<i64>,
}

/// Puts what later statements say in the place of the chosen one, or beside it where the order is not known. Gives the units that
/// it was judged by.
pub(super) fn hold(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<usize> {
    let [chosen] = selection.answers.as_slice() else { return Vec::new() };
    if let Some(later) = said_later(question, chosen, all, units) {
        replace(selection, later);
        return Vec::new();
    }
    if let Some(beside) = said_beside(question, chosen, all, units) {
        let is_told = selection.conflicts.iter().any(|known| known.unit == beside.unit);
        if !is_told && selection.conflicts.len() < MOST_CONFLICTS {
            selection.conflicts.push(beside);
        }
        return Vec::new();
    }
    let Some(figure) = chosen.number.filter(|_| is_plain(question, chosen, units)) else {
        return Vec::new();
    };
    let asked = asked(question, chosen);
    if asked.is_empty() {
        return Vec::new();
    }
    let found: Vec<Found> = all
        .iter()
        .filter(|other| other.unit != chosen.unit && other.names_bound)
        .filter(|other| other.features.noun >= NOUNS && other.qualifier == chosen.qualifier)
        .filter_map(|other| figure_of(question, chosen, &asked, other, units))
        .collect();
    let of_now = when(chosen, units);
    let newest = found
        .iter()
        .filter(|one| one.in_force && one.when.zip(of_now).is_some_and(|(its, now)| its > now))
        .max_by_key(|one| one.when);
    if let Some(newest) = newest {
        let (told, witness) = (newest.told.clone(), newest.witness);
        let number = told.number.unwrap_or(figure);
        // Of one day, and another figure: which one is the later cannot be told.
        let rival = found.iter().find(|one| {
            let its = one.told.number;
            one.when == newest.when
                && one.in_force
                && its
                    .is_some_and(|its| !is_same_number(its, number) && !is_same_number(its, figure))
        });
        let rival = rival.map(|one| one.told.clone());
        if !is_same_number(number, figure) {
            replace(selection, told);
            selection.conflicts.truncate(MOST_CONFLICTS - 1);
            selection.conflicts.extend(rival);
        }
        return witness.into_iter().collect();
    }
    let home = &units[chosen.unit].read.source.id;
    let stated = |one: &Found| one.form == Form::Moved || one.since.is_some();
    let unclear = found.iter().find(|one| {
        let other = &units[one.told.unit];
        let dated = other.periods.is_empty() || one.since.is_some() || one.when.is_none();
        (one.when.is_none() || of_now.is_none())
            && one.in_force
            && stated(one)
            && dated
            && other.read.source.id != *home
            && one.told.number.is_some_and(|number| !is_same_number(number, figure))
    });
    if let Some(unclear) = unclear {
        let known = selection.conflicts.iter().chain(&selection.superseded);
        let is_told = known.map(|one| one.unit).any(|unit| unit == unclear.told.unit);
        if !is_told && selection.conflicts.len() < MOST_CONFLICTS {
            selection.conflicts.push(unclear.told.clone());
        }
        return unclear.witness.into_iter().collect();
    }
    // What is decided for a day to come is told beside what is so until then.
    let ahead = found.iter().find(|one| {
        !one.in_force
            && one.since.is_some()
            && one.told.number.is_some_and(|number| !is_same_number(number, figure))
    });
    if let Some(ahead) = ahead {
        selection.answers.push(ahead.told.clone());
    }
    Vec::new()
}

/// The new statement answers, and the one that was chosen is the older one.
pub(super) fn replace(selection: &mut Selection, later: Candidate) {
    let (unit, number) = (later.unit, later.number);
    let Some(chosen) = selection.answers.first_mut() else { return };
    let older = std::mem::replace(chosen, later);
    let agrees = |one: &Candidate| {
        one.unit == unit
            || one.number.zip(number).is_some_and(|(its, new)| is_same_number(its, new))
    };
    selection.conflicts.retain(|one| !agrees(one));
    selection.superseded.retain(|one| !agrees(one));
    selection.superseded.push(older);
}

/// Whether the figure of today is asked for, and a sentence gave one.
fn is_plain(question: &Question, chosen: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let unit = &units[chosen.unit];
    question.kind == QuestionKind::Lookup
        && question.period.is_none()
        && question.day.is_none()
        && question.then.is_none()
        && !question.past
        && !question.happened
        && question.verse.is_none()
        && !matches!(question.expects, Expects::List | Expects::Date | Expects::YesNo)
        && !asks_for_the_old(question)
        && chosen.compared.is_none()
        && chosen.value.is_some()
        && unit.read.source.web.is_none()
        && matches!(unit.kind, UnitKind::Sentence | UnitKind::Item)
}

/// Stems of the nouns that the question and the chosen statement have in common.
fn asked(question: &Question, chosen: &Candidate) -> Vec<String> {
    let nouns = question.terms.iter().filter(|term| term.class == Class::Noun && !term.light);
    let bound = nouns.filter(|term| chosen.matched.contains(&term.word));
    bound.map(|term| term.stem.clone()).collect()
}

/// Until when a statement is known to hold: a number that grows with time.
pub(super) fn when(one: &Candidate, units: &[EvidenceUnit<'_>]) -> Option<i64> {
    let unit = &units[one.unit];
    let written_then = written(unit).map(PartialDate::order_key);
    if let Some(from) = effective(unit) {
        // A rule from a day on holds from then, whenever it was made.
        return Some(written_then.map_or(begin(from), |then| then.max(begin(from))));
    }
    let date = unit.read.source.date.as_ref().map(|date| date.value);
    if part_of(unit).is_some() {
        let own = one.period.filter(|own| Some(*own) != date).map(PartialDate::order_key);
        return own.into_iter().chain(written_then).min();
    }
    Some(currency(one, units).1).filter(|key| *key > i64::MIN)
}

/// The first day of a time, as a number that compares with the order of dates.
fn begin(date: PartialDate) -> i64 {
    let day = if date.precision == DatePrecision::Day { i64::from(date.day) } else { 1 };
    (i64::from(date.year) * 12 + i64::from(date.month)) * 32 + day
}

/// The day from which a statement holds: "from 1 May on", "with effect from June 2024", "effective 3 March 2025".
pub(super) fn effective(unit: &EvidenceUnit<'_>) -> Option<PartialDate> {
    let leads = |period: &&Period| {
        let before = words(unit.text.get(..period.range.start).unwrap_or_default());
        before.last().is_some_and(|last| matches!(last.as_str(), "from" | "effective" | "starting"))
    };
    let from = unit.periods.iter().find(leads)?;
    // "From 2019 to 2021" is over.
    let behind = words(unit.text.get(from.range.end..)?);
    let ends = behind
        .first()
        .is_some_and(|next| matches!(next.as_str(), "to" | "until" | "till" | "through"));
    (!ends).then_some(from.value)
}

/// A unit of a document that was written on a day or later, by the begin of its date.
pub(super) fn written_since(day: PartialDate, units: &[EvidenceUnit<'_>]) -> Option<usize> {
    units.iter().position(|unit| {
        let date = unit.read.source.date.as_ref().map(|date| date.value);
        date.is_some_and(|date| begin(date) >= begin(day))
            || part_of(unit).is_some_and(|part| begin(part.day) >= begin(day))
    })
}

/// The figure of another statement, where it is of the same thing and of the same kind.
fn figure_of(
    question: &Question,
    chosen: &Candidate,
    asked: &[String],
    other: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> Option<Found> {
    let (home, unit) = (&units[chosen.unit], &units[other.unit]);
    let holds = !unit.is_superseded()
        && !unit.is_replaced
        && !unit.is_note
        && unit.read.source.web.is_none()
        && matches!(unit.kind, UnitKind::Sentence | UnitKind::Item);
    if !holds {
        return None;
    }
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    let noun = noun(question, asked, &own, unit)?;
    let known = known(question, home, unit);
    if is_narrower(&own, &noun, &known, unit) {
        return None;
    }
    let at = own[noun.start].at.start..own[noun.end - 1].at.end;
    let (value, form) = unit.values.iter().find_map(|value| {
        let kind = Some(value.kind) == chosen.kind && value.number.is_some();
        let unit_fits = unit_of(home, chosen.value.as_ref()?) == unit_of(unit, &value.range)
            || value.kind == ValueKind::Count;
        let form = lead(unit, value, &at).filter(|_| kind && unit_fits)?;
        Some((value, form))
    })?;
    let clause = clause(unit, &value.range);
    let told = unit.text.get(clause.clone())?;
    let mut said = words(told).into_iter();
    let unsure = said.any(|word| {
        UNSURE.contains(&word.as_str()) || AHEAD.contains(&word.as_str()) || is_denial(&word)
    });
    let before = unit.text.get(clause.start..value.range.start)?;
    if unsure || has_other_subject(before, &known) || names_another(told, clause.start == 0, &known)
    {
        return None;
    }
    let since = effective(unit);
    // "17,640 visitors in 2024" are those of that year.
    let of_span = form == Form::Stands
        && unit.periods.iter().any(|period| {
            period.value.precision < DatePrecision::Month && Some(period.value) != since
        });
    if of_span {
        return None;
    }
    let later = words(unit.text).iter().any(|word| matches!(word.as_str(), "will" | "shall"));
    let witness = since.filter(|_| later).and_then(|day| written_since(day, units));
    Some(Found {
        told: Candidate { planned: false, ..instead(chosen, other, Some(value)) },
        form,
        since,
        in_force: !later || witness.is_some(),
        witness,
        when: when(other, units),
    })
}

/// The word for the unit of a figure: "euros", "kilometres"; nothing where it has only a sign.
fn unit_of(unit: &EvidenceUnit<'_>, value: &Range<usize>) -> Option<String> {
    let last = words(unit.text.get(value.clone())?).pop()?;
    last.chars().all(char::is_alphabetic).then(|| stem(&last))
}

/// Where the nouns of the question stand together in a statement, as places among its words. Those that do not stand in it have to
/// stand around it.
fn noun(
    question: &Question,
    asked: &[String],
    own: &[&Word],
    unit: &EvidenceUnit<'_>,
) -> Option<Range<usize>> {
    let is_asked = |word: &Word| asked.contains(&word.stem);
    let around = asked.iter().all(|stem| unit.words.iter().any(|word| word.stem == *stem));
    let counted = question.counted.as_ref();
    let head = |word: &Word| counted.map_or_else(|| is_asked(word), |noun| word.stem == *noun);
    let main = own.iter().position(|word| head(word) && !word.at.is_empty())?;
    let before = own[..main].iter().rev().take_while(|word| is_asked(word)).count();
    let behind = own[main + 1..].iter().take_while(|word| is_asked(word)).count();
    around.then_some(main - before..main + 1 + behind)
}

/// Words of the question, of the chosen statement and of what the other one is called.
fn known(question: &Question, home: &EvidenceUnit<'_>, unit: &EvidenceUnit<'_>) -> Vec<String> {
    let mut all = words(&question.text);
    all.extend(words(home.text));
    all.extend(words(&unit.read.source.title));
    all
}

/// Whether what stands beside the noun makes it another, or a part of it: "junior members", "members under 18".
fn is_narrower(
    own: &[&Word],
    noun: &Range<usize>,
    known: &[String],
    unit: &EvidenceUnit<'_>,
) -> bool {
    let is_known = |word: &str| is_stop_word(word) || known.iter().any(|one| one == word);
    let before = noun.start.checked_sub(1).and_then(|at| own.get(at)).is_some_and(|word| {
        let is_figure = unit
            .values
            .iter()
            .any(|value| value.range.start <= word.at.start && word.at.end <= value.range.end);
        !is_figure && !is_known(&word.word) && !WHOLES.contains(&word.word.as_str())
    });
    let mut behind = own[noun.end.min(own.len())..].iter().map(|word| word.word.as_str());
    let narrows = behind.next().is_some_and(|next| NARROWS.contains(&next));
    let by = behind.find(|word| !is_stop_word(word));
    let is_day = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.len() == 4 || month(word).is_some()
    };
    before || narrows && by.is_some_and(|word| !is_known(word) && !is_day(word))
}

/// How what stands before a figure gives it.
fn lead(unit: &EvidenceUnit<'_>, value: &Value, noun: &Range<usize>) -> Option<Form> {
    let clause = clause(unit, &value.range);
    let before = unit.text.get(clause.start..value.range.start)?;
    let mut said = words(before);
    while said.last().is_some_and(|last| HEDGES.contains(&last.as_str())) {
        said.pop();
    }
    let last = said.last()?.as_str();
    let behind = unit.text.get(value.range.end..noun.start.max(value.range.end))?;
    let counts = value.range.end <= noun.start && words(behind).len() < NEXT;
    let is_of = noun.end <= value.range.start || counts;
    // "From 18 to 22": the new figure is behind the "to", and the old one behind the "from".
    let moved = matches!(last, "to" | "at")
        && said.iter().any(|word| MOVES.contains(&word.as_str()))
        && noun.end <= value.range.start;
    if moved || COUNTED.contains(&last) && is_of {
        Some(Form::Moved)
    } else if STANDS.contains(&last) && is_of {
        Some(Form::Stands)
    } else {
        None
    }
}

/// The part of a sentence around a figure up to what tells when or why.
fn clause(unit: &EvidenceUnit<'_>, value: &Range<usize>) -> Range<usize> {
    const STOPS: [&str; 9] =
        [", ", "; ", ". ", " (", " when ", " after ", " since ", " because ", " as "];
    let before = unit.text.get(..value.start).unwrap_or_default();
    let start = ["; ", ". ", ": "].iter().filter_map(|stop| before.rfind(*stop)).max();
    let start = start.map_or(0, |at| at + 2);
    let rest = unit.text.get(value.end..).unwrap_or_default();
    let end = STOPS.iter().filter_map(|stop| rest.find(*stop)).min().unwrap_or(rest.len());
    start..value.end + end
}

/// Whether what stands before a figure speaks of another thing than the question and the chosen statement do: "the café has 3 staff".
fn has_other_subject(before: &str, known: &[String]) -> bool {
    let lists: [&[&str]; 6] = [&MOVES, &COUNTED, &STANDS, &HEDGES, &WHOLES, &TIMES];
    words(before).iter().any(|word| {
        let word = word.as_str();
        let is_told = is_stop_word(word)
            || lists.iter().any(|list| list.contains(&word))
            || word.starts_with(|c: char| c.is_ascii_digit())
            || month(word).is_some()
            || WEEKDAYS.contains(&word);
        !is_told && !known.iter().any(|one| one == word || stem(one) == stem(word))
    })
}

/// Whether a clause names somebody or a place that neither the question nor the chosen statement names.
fn names_another(clause: &str, opens: bool, known: &[String]) -> bool {
    let tokens = clause.split_whitespace().filter(|token| token.contains(char::is_alphabetic));
    tokens.skip(usize::from(opens)).any(|token| {
        let is_name = token.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
        let told = words(token);
        let is_known = told.iter().all(|word| {
            let plain = word.trim_end_matches("'s").trim_end_matches("\u{2019}s");
            known.iter().any(|one| one == plain)
                || is_stop_word(plain)
                || month(plain).is_some()
                || WEEKDAYS.contains(&plain)
        });
        is_name && !is_known
    })
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, ReadPassage};

    fn written_in(name: &str, year: i32, text: &str) -> ReadPassage {
        let mut read = document(name, "The Alder Choir", text);
        let value = PartialDate::month(year, 4);
        read.source.date = Some(DocDate { value, stated: value.to_string() });
        read
    }

    /// The form and figure that a later statement gives of the singers of a choir.
    fn given(text: &str) -> Option<(f64, bool)> {
        let passages =
            [written_in("old", 2023, "The choir has 20 singers."), written_in("new", 2025, text)];
        let units = evidence_units(&passages);
        let question = Question::parse("How many singers does the choir have?", &[]);
        let common = Commonness::new(&[], 2);
        let bind = |at: usize| {
            super::super::bind::bind(&question, at, &units[at], &Matcher::new(), &common)
        };
        let (mut old, new) = (bind(0), bind(1));
        let first = units[0].values.iter().find(|value| value.number.is_some())?;
        old.value = Some(first.range.clone());
        (old.kind, old.number) = (Some(first.kind), first.number);
        let asked = asked(&question, &old);
        let found = figure_of(&question, &old, &asked, &new, &units)?;
        Some((found.told.number?, found.in_force))
    }

    #[test]
    fn a_newer_figure_is_known_in_many_wordings() {
        for text in [
            "The number of singers of the choir rose to 24.",
            "On 3 March 2025 we counted 24 singers in the choir, after 20 a year ago.",
            "The number of singers fell to 24 again when two left in May.",
            "The singers of the choir are down to 24.",
            "The choir now has 24 singers.",
            "The number of singers was raised to 24.",
            "The number of singers stands at 24.",
            "The choir has reached 24 singers.",
            "There are 24 singers in the choir.",
        ] {
            assert_eq!(given(text), Some((24.0, true)), "{text}");
        }
    }

    #[test]
    fn what_is_narrower_unsure_or_of_another_is_no_newer_figure() {
        for text in [
            "The choir has 24 junior singers.",
            "The number of singers under 18 rose to 24.",
            "The number of singers of the Malmoor choir rose to 24.",
            "The number of singers might rise to 24.",
            "The choir expects the singers to be up to 24.",
            "The number of singers did not rise to 24.",
            "The choir had 24 singers.",
            "In 2019 there are 24 singers.",
            "The number of songs rose to 24.",
            "The orchestra has 24 singers.",
        ] {
            assert_eq!(given(text), None, "{text}");
        }
    }

    #[test]
    fn of_two_figures_without_an_order_both_are_told() {
        let numbers = |year: Option<i32>| {
            let mut old = document("old", "The Alder Choir", "The choir has 20 singers.");
            let text = "The number of singers of the choir shrank to 14.";
            let mut new = document("new", "The Alder Choir", text);
            if let Some(year) = year {
                old = written_in("old", year, &old.passage.text);
                new = written_in("new", 2024, text);
            }
            let passages = [old, new];
            let units = evidence_units(&passages);
            let question = Question::parse("How many singers does the choir have?", &[]);
            let common = Commonness::new(&[], 2);
            let mut all: Vec<Candidate> = (0..2)
                .map(|at| {
                    let matcher = Matcher::new();
                    super::super::bind::bind(&question, at, &units[at], &matcher, &common)
                })
                .collect();
            let first = units[0].values.iter().find(|value| value.number.is_some()).cloned();
            let first = first.expect("a figure");
            (all[0].value, all[0].kind) = (Some(first.range), Some(first.kind));
            all[0].number = first.number;
            let mut told = Selection { answers: vec![all[0].clone()], ..Selection::default() };
            hold(&question, &mut told, &all, &units);
            let numbers = |list: &[Candidate]| -> Vec<Option<f64>> {
                list.iter().map(|one| one.number).collect()
            };
            (numbers(&told.answers), numbers(&told.conflicts), numbers(&told.superseded))
        };
        assert_eq!(numbers(None), (vec![Some(20.0)], vec![Some(14.0)], Vec::new()));
        assert_eq!(numbers(Some(2023)), (vec![Some(14.0)], Vec::new(), vec![Some(20.0)]));
        // The younger one stays.
        assert_eq!(numbers(Some(2025)), (vec![Some(20.0)], Vec::new(), Vec::new()));
    }

    #[test]
    fn what_holds_from_a_day_on_is_in_force_when_a_document_is_younger() {
        let fee = |day: &str| {
            let decided = format!("The fee will be 30 euros from {day}.");
            let passages = [
                written_in("rules", 2023, "The fee is 20 euros."),
                written_in("minutes", 2024, &decided),
                written_in("letter", 2025, "The bell rings."),
            ];
            let units = evidence_units(&passages);
            let day = effective(&units[1])?;
            Some(written_since(day, &units).is_some())
        };
        assert_eq!(fee("1 January 2025"), Some(true));
        assert_eq!(fee("1 January 2030"), Some(false));
        let passages = [document("a", "Fees", "From 2019 to 2021 the fee was 30 euros.")];
        assert_eq!(effective(&evidence_units(&passages)[0]), None);
    }

    #[test]
    fn the_newer_figure_answers_and_the_older_one_is_told_as_older() {
        let passages = [
            written_in("old", 2023, "The choir now has 20 singers."),
            written_in("new", 2025, "The number of singers of the choir shrank to 14."),
        ];
        let units = evidence_units(&passages);
        let question = Question::parse("How many singers does the choir have?", &[]);
        let found = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 2));
        let numbers: Vec<Option<f64>> = found.answers.iter().map(|one| one.number).collect();
        assert_eq!(numbers, [Some(14.0)]);
        let older: Vec<Option<f64>> = found.superseded.iter().map(|one| one.number).collect();
        assert_eq!(older, [Some(20.0)]);
    }
}
