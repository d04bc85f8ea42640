//! Earlier: of the figures that a sentence, or several, tell of one thing, the one of the time that is asked about.
//!
//! "52 singers, up from 38 a year ago" tells two figures, and words alone bind the first of them whatever time is asked for. Where a
//! question asks for what was so before, only a figure that is told as earlier answers, and what is so now never does.

use super::asked_past::{Then, months_in, months_of};
use super::bind::Candidate;
use super::ends::after_change;
use super::periods::{as_of, is_compared};
use super::question::Question;
use super::select::{FAMILY_BAND, Selection, same_words};
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// Share of the nouns that a unit has to bind for its form to tell the rest.
const NOUNS: f64 = 0.6;
/// Most words behind a figure that tell of which time it is.
const REACH: usize = 6;
/// Most words behind a figure up to its "until".
const UNTIL: usize = 3;
/// Words between what leads to a figure and the figure.
const HEDGES: [&str; 27] = [
    "about", "around", "just", "only", "some", "roughly", "nearly", "almost", "the", "a", "an",
    "its", "at", "it", "they", "there", "was", "were", "is", "stood", "be", "hold", "have", "cost",
    "total", "figure", "as",
];
/// Stems of words that tell of a change.
const CHANGES: [&str; 32] = [
    "rais", "increas", "lift", "extend", "lengthen", "doubl", "reduc", "cut", "lower", "shorten",
    "drop", "halv", "chang", "rise", "rose", "risen", "fall", "fell", "fallen", "grow", "grew",
    "grown", "went", "goe", "go", "mov", "move", "up", "down", "climb", "shrank", "shrunk",
];
/// Words of what is so now.
const NOW: [&str; 12] = [
    "is",
    "are",
    "has",
    "have",
    "now",
    "currently",
    "today",
    "costs",
    "holds",
    "takes",
    "employs",
    "stands",
];
/// Words of what was so.
const WAS: [&str; 8] = ["was", "were", "had", "did", "stood", "cost", "kept", "held"];
/// Words by which a unit calls a value one that was so before, or at first.
const CALLED: [&str; 8] = [
    "original",
    "originally",
    "initial",
    "initially",
    "previous",
    "previously",
    "former",
    "formerly",
];

/// How a figure is told as earlier than another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Earlier {
    /// So many months before what is told beside it.
    Ago(i32),
    /// It is not said when.
    Once,
}

/// A figure with its time.
struct Figure {
    /// Position among the candidates.
    at: usize,
    range: Range<usize>,
    number: f64,
    earlier: Option<Earlier>,
    time: Option<PartialDate>,
    /// Grows with time: that of the figure, and, where it is not known, that of the statement, less for an earlier figure.
    order: (i64, bool),
}

/// The clause before a place: from the last bracket, semicolon or end of a sentence.
fn clause_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let from = before.rfind(['(', ')', '[', ';', '\n']).map_or(0, |cut| cut + 1);
    let from = before[from..].rfind(". ").map_or(from, |cut| from + cut + 2);
    &before[from..]
}

/// The clause behind a place.
fn clause_behind(text: &str, at: usize) -> &str {
    let behind = text.get(at..).unwrap_or_default();
    let cuts = [behind.find([',', ';', '(', ')', '\n']), behind.find(". ")];
    let stop = cuts.into_iter().flatten().min().unwrap_or(behind.len());
    &behind[..stop]
}

/// Other figures of the kind of a value, before it and behind it, the nearest each.
fn neighbours<'u>(
    unit: &'u EvidenceUnit<'_>,
    value: &Value,
) -> (Option<&'u Value>, Option<&'u Value>) {
    let alike = |other: &&Value| other.kind == value.kind && other.number.is_some();
    let before = unit.values.iter().filter(alike).rfind(|one| one.range.end <= value.range.start);
    let behind = unit.values.iter().filter(alike).find(|one| value.range.end <= one.range.start);
    (before, behind)
}

/// What leads to a figure and what follows it, in its clause and without the other figures of its kind.
fn around(unit: &EvidenceUnit<'_>, value: &Value) -> (Vec<String>, Vec<String>) {
    let (before, behind) = neighbours(unit, value);
    let lead = clause_before(unit.text, value.range.start);
    let from = before.map_or(0, |other| other.range.end);
    let lead = if value.range.start - lead.len() < from {
        unit.text.get(from..value.range.start).unwrap_or_default()
    } else {
        lead
    };
    let tail = clause_behind(unit.text, value.range.end);
    let room = behind.map_or(tail.len(), |other| other.range.start - value.range.end);
    (words(lead), words(tail.get(..room.min(tail.len())).unwrap_or_default()))
}

/// How a figure is told as earlier, if it is: by what leads to it ("up from", "previously"), or what follows it ("a year ago",
/// "until May").
fn told_earlier(unit: &EvidenceUnit<'_>, value: &Value) -> Option<Earlier> {
    let (lead, tail) = around(unit, value);
    let lead: Vec<&str> = lead.iter().map(String::as_str).collect();
    let tail: Vec<&str> = tail.iter().map(String::as_str).collect();
    let (before, behind) = neighbours(unit, value);
    let since = |other: Option<&Value>| {
        other.is_some_and(|other| {
            let (lead, tail) = around(unit, other);
            lead.iter()
                .rev()
                .take(REACH)
                .chain(tail.iter().take(REACH))
                .any(|word| matches!(word.as_str(), "since" | "now" | "thereafter" | "then"))
        })
    };
    let until = |told: &[&str]| told.iter().any(|word| matches!(*word, "until" | "till"));
    let ends = until(&tail[..tail.len().min(UNTIL + 1)]) && (since(behind) || since(before))
        || before.is_none() && until(&lead) && since(behind);
    let changed = words(clause_before(unit.text, value.range.start))
        .iter()
        .any(|word| CHANGES.contains(&stem(word).as_str()));
    let gave_way = || {
        behind.is_some_and(|new| {
            let between = words(unit.text.get(value.range.end..new.range.start).unwrap_or(""));
            between.len() <= REACH && between.last().is_some_and(|word| word == "to")
        })
    };
    follows(&tail)
        .or_else(|| opens(&lead))
        .or_else(|| leads(&lead, before.is_some() || gave_way(), changed).then_some(Earlier::Once))
        .or_else(|| ends.then_some(Earlier::Once))
}

/// Whether these words lead to an earlier figure; `beside` tells that a later one stands before it, or behind "to", and `changed`
/// that its clause tells of a change.
fn leads(lead: &[&str], beside: bool, changed: bool) -> bool {
    let Some(last) = lead.iter().rposition(|word| !HEDGES.contains(word)) else { return false };
    let said = &lead[..=last];
    let changes = |word: &&str| CHANGES.contains(&stem(word).as_str());
    match said {
        [.., "previously" | "formerly" | "originally" | "initially"]
        | [.., "used", "to"]
        | [.., "before" | "until", "that" | "then"] => true,
        [.., "instead", "of"] => beside,
        [.., way, "from"] if changes(way) => true,
        [.., "from"] => beside && changed,
        _ => false,
    }
}

/// A distance in time with which the clause of a figure begins: "a year ago membership stood at 71", "last year it sold 412 tickets".
fn opens(lead: &[&str]) -> Option<Earlier> {
    let (months, rest) = match lead {
        [count, unit, "ago" | "earlier", rest @ ..] => (months_in(count, unit), rest),
        ["last", unit, rest @ ..] => (months_of(unit), rest),
        _ => return None,
    };
    // "A year ago it grew and now has 96", "last year it rose to 96".
    let of_later = |word: &&str| NOW.contains(word) || CHANGES.contains(&stem(word).as_str());
    months.filter(|_| !rest.iter().any(of_later)).map(Earlier::Ago)
}

/// What tells behind a figure that it is an earlier one.
fn follows(tail: &[&str]) -> Option<Earlier> {
    (0..tail.len().min(REACH)).find_map(|at| {
        let ago = |months: Option<i32>| months.map(Earlier::Ago);
        match &tail[at..] {
            ["the", unit, "before", ..] => ago(months_of(unit)),
            [count, unit, "ago" | "earlier" | "before" | "previously", ..] => {
                ago(months_in(count, unit))
            }
            ["last" | "previous" | "preceding", unit, ..] => ago(months_of(unit)),
            ["previously" | "originally" | "initially" | "formerly", ..]
            | ["at", "first", ..]
            | ["in", "the", "beginning", ..]
            | ["before"]
            | ["before" | "until", "that" | "then", ..] => Some(Earlier::Once),
            _ => None,
        }
    })
}

/// The time that stands beside a figure in its own clause: behind it, or before it where the clause names times first. Periods
/// with which the figure is only compared are not its own.
pub(super) fn time_beside(unit: &EvidenceUnit<'_>, value: &Value) -> Option<PartialDate> {
    let segment = unit.segment_of(value.range.start);
    let here = |at: usize| unit.segment_of(at) == segment;
    let (before, behind) = neighbours(unit, value);
    let before = before.filter(|other| here(other.range.start));
    let behind = behind.filter(|other| here(other.range.start));
    let own = |from: usize, to: usize| {
        unit.periods.iter().filter(move |period| {
            from <= period.range.start
                && period.range.end <= to
                && unit.segment_of(period.range.start) == segment
                && !is_compared(unit.text, &value.range, &period.range)
        })
    };
    let first = unit
        .values
        .iter()
        .find(|one| one.kind == value.kind && one.number.is_some() && here(one.range.start));
    let times_first = first.is_some_and(|first| own(0, first.range.start).next().is_some());
    let from = before.map_or(0, |other| other.range.end);
    let to = behind.map_or(unit.text.len(), |other| other.range.start);
    let found = if times_first {
        own(from, value.range.start).next_back()
    } else {
        own(value.range.end, to).next()
    };
    found.map(|period| period.value)
}

/// Whether a time lies so many months before another one, as near as both are told.
fn lies_before(now: PartialDate, then: PartialDate, ago: i32) -> bool {
    let years = now.precision == DatePrecision::Year || then.precision == DatePrecision::Year;
    if years && ago % 12 == 0 {
        return now.year - then.year == ago / 12;
    }
    let month = |date: PartialDate| date.year * 12 + i32::from(date.last_month());
    (month(now) - month(then) - ago).abs() <= ago / 4
}

/// The figures of a candidate's unit that are of the kind of its value, each with its time: the value itself, and those that are
/// told as earlier ones of it.
fn figures(at: usize, candidate: &Candidate, unit: &EvidenceUnit<'_>) -> Vec<Figure> {
    let Some(chosen) = chosen_value(candidate, unit) else { return Vec::new() };
    let written = unit.read.source.date.as_ref().map(|date| date.value);
    let said = as_of(unit.text, &unit.periods).or(written);
    let alike = unit.values.iter().filter(|one| one.kind == chosen.kind && one.number.is_some());
    let told: Vec<(&Value, Option<Earlier>)> =
        alike.map(|value| (value, told_earlier(unit, value))).collect();
    // What is so now is told by one figure: which one the others are earlier than.
    let is_earlier =
        told.iter().any(|(one, earlier)| one.range == chosen.range && earlier.is_some());
    let now = if is_earlier {
        let mut others = told.iter().filter(|(_, earlier)| earlier.is_none());
        others.next().filter(|_| others.next().is_none()).map(|(value, _)| *value)
    } else {
        Some(chosen)
    };
    let now_time = now.and_then(|now| time_beside(unit, now)).or(said);
    let base = now_time.map_or(i64::MIN, PartialDate::order_key);
    let mut out = Vec::new();
    for (value, earlier) in told {
        let is_now = now.is_some_and(|now| now.range == value.range);
        let Some(number) = value.number.filter(|_| is_now || earlier.is_some()) else { continue };
        let own = time_beside(unit, value);
        let time = match earlier {
            None => now_time,
            Some(Earlier::Ago(months)) => own.or_else(|| now_time.map(|now| back(now, months))),
            Some(Earlier::Once) => own,
        };
        let order = (time.map_or(base, PartialDate::order_key), earlier.is_none());
        // "Raised from 24 to 72 hours" is one value of two figures.
        if let Some(new) = after_change(unit.text, &value.range) {
            let old = value.range.start..new.start.saturating_sub(" to ".len());
            let figure = |range: &Range<usize>| {
                let own = unit.text.get(range.clone()).unwrap_or_default();
                own.split_whitespace().next().and_then(|word| word.replace(',', "").parse().ok())
            };
            if let (Some(before), Some(after)) = (figure(&old), figure(&new)) {
                let earlier = Some(Earlier::Once);
                out.push(Figure {
                    at,
                    range: old,
                    number: before,
                    earlier,
                    time: None,
                    order: (base, false),
                });
                out.push(Figure { at, range: new, number: after, earlier: None, time, order });
                continue;
            }
        }
        out.push(Figure { at, range: value.range.clone(), number, earlier, time, order });
    }
    out
}

/// So many months before a time.
fn back(time: PartialDate, months: i32) -> PartialDate {
    let all = time.year * 12 + i32::from(time.month) - 1 - months;
    let (year, month) = (all.div_euclid(12), all.rem_euclid(12) + 1);
    let year_alone = time.precision == DatePrecision::Year && months % 12 == 0;
    if year_alone {
        PartialDate::year(year)
    } else {
        PartialDate::month(year, u8::try_from(month).unwrap_or(1))
    }
}

/// The figure of a unit that a candidate answers with, whatever of it is marked.
fn chosen_value<'u>(candidate: &Candidate, unit: &'u EvidenceUnit<'_>) -> Option<&'u Value> {
    let at = candidate.value.as_ref()?;
    let touches = |value: &&Value| value.range.start < at.end && at.start < value.range.end;
    let is_figure = |value: &&Value| {
        value.number.is_some()
            && !matches!(value.kind, ValueKind::Date | ValueKind::Person | ValueKind::Name)
    };
    unit.values.iter().filter(is_figure).find(touches)
}

/// Lets a figure stand whose own clause names the very time that is asked about, where its sentence has another figure of another
/// time: "52 singers as of May 2024 (38 in May 2023)". A reader that weighs the sentence as a whole does not tell them apart.
pub(super) fn assure(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) {
    let Some(asked) = question.period else { return };
    if question.kind != QuestionKind::Lookup {
        return;
    }
    let binds = |candidate: &Candidate| {
        let unit = &units[candidate.unit];
        let Some(value) = chosen_value(candidate, unit) else { return false };
        let is_asked = |time: PartialDate| time == asked || asked.contains(time);
        // What is so in a month is not what is so in the year.
        let is_own = |time: PartialDate| {
            time == asked || asked.precision != DatePrecision::Year && asked.contains(time)
        };
        let of_other_time = |other: &Value| {
            other.kind == value.kind
                && other.range != value.range
                && time_beside(unit, other).is_some_and(|time| !is_asked(time))
        };
        unit.cells.is_empty()
            && time_beside(unit, value).is_some_and(is_own)
            && unit.values.iter().any(of_other_time)
    };
    if let Some(answer) = selection.answers.first_mut() {
        answer.sure |= binds(answer);
    } else if selection.superseded.is_empty()
        && let Some(found) =
            all.iter().find(|one| one.eligible && one.features.noun >= NOUNS && binds(one))
    {
        selection.answers = vec![Candidate { accepted: true, sure: true, ..found.clone() }];
    }
}

/// Where a question asks for an earlier time by its distance from now: puts the figure of that time in the place of the chosen one,
/// or takes the answer back where only a figure of another time is told. Gives the units that were compared.
pub(super) fn hold_to_then(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<usize> {
    let (Some(then), [chosen]) = (question.then, selection.answers.as_slice()) else {
        return Vec::new();
    };
    let chosen = chosen.clone();
    let unit = &units[chosen.unit];
    if question.kind != QuestionKind::Lookup
        || chosen.compared.is_some()
        || !unit.cells.is_empty()
        || chosen_value(&chosen, unit).is_none()
    {
        return Vec::new();
    }
    // The chosen statement and others that bind the same words.
    let same = all.iter().filter(|other| {
        other.unit != chosen.unit
            && other.eligible
            && other.kind == chosen.kind
            && !other.planned
            && units[other.unit].cells.is_empty()
            && same_words(other, &chosen)
            && other.qualifier == chosen.qualifier
            && other.score >= chosen.score - FAMILY_BAND
    });
    let told: Vec<&Candidate> = std::iter::once(&chosen).chain(same).collect();
    let mut found: Vec<Figure> =
        told.iter().enumerate().flat_map(|(at, one)| figures(at, one, &units[one.unit])).collect();
    // The newest first.
    found.sort_by(|a, b| b.order.cmp(&a.order).then(a.at.cmp(&b.at)));
    let compared = told.iter().map(|one| one.unit).collect();
    // The newest document of them tells from when "last year" is reckoned, where no figure does.
    let dates = told.iter().filter_map(|one| units[one.unit].read.source.date.as_ref());
    let written = dates.map(|date| date.value).max_by_key(|date| date.order_key());
    match of_then(then, &found, written) {
        Some(figure) => {
            let home = told[figure.at];
            let moved = home.unit != chosen.unit;
            let answer = Candidate {
                value: Some(figure.range.clone()),
                number: Some(figure.number),
                period: figure.time,
                accepted: true,
                by_meaning: chosen.by_meaning,
                weighed: chosen.weighed,
                // That "up from" tells of a year ago is likely, and is not said.
                doubtful: home.doubtful
                    || matches!(then, Then::Ago(_)) && figure.time.is_none() && !is_ago(figure),
                ..home.clone()
            };
            if moved {
                selection.superseded.clear();
            }
            selection.conflicts.retain(|other| told.iter().all(|one| one.unit != other.unit));
            selection.answers = vec![answer];
        }
        None if is_of_now(then, &chosen, unit, &found) => {
            let near = Candidate { missing: vec!["that time".to_owned()], ..chosen.clone() };
            *selection = Selection { nearest: vec![near], ..Selection::default() };
        }
        None => {}
    }
    compared
}

fn is_ago(figure: &Figure) -> bool {
    matches!(figure.earlier, Some(Earlier::Ago(_)))
}

/// Of figures, the newest first, the one of the time that is asked about; `written` is the date of the newest document of theirs.
fn of_then(then: Then, figures: &[Figure], written: Option<PartialDate>) -> Option<&Figure> {
    let newest = figures.first()?;
    let differs = |one: &Figure| (one.number - newest.number).abs() > f64::EPSILON;
    match then {
        Then::Ago(ago) => {
            let now = figures.iter().filter(|one| one.earlier.is_none()).find_map(|one| one.time);
            let dated = figures.iter().find(|one| {
                now.zip(one.time).is_some_and(|(now, time)| lies_before(now, time, ago))
            });
            let by_word = || figures.iter().find(|one| one.earlier == Some(Earlier::Ago(ago)));
            let by_document = || {
                figures.iter().find(|one| {
                    written.zip(one.time).is_some_and(|(now, time)| lies_before(now, time, ago))
                })
            };
            let of_last_year = || {
                let mut once = figures.iter().filter(|one| one.at == newest.at);
                once.find(|one| {
                    ago == 12 && one.earlier == Some(Earlier::Once) && one.time.is_none()
                })
            };
            // Where a date is known it decides.
            dated
                .or_else(|| by_word().filter(|one| one.time.is_none()))
                .or_else(by_document)
                .or_else(of_last_year)
        }
        // A lone figure that is told as earlier is one.
        Then::Before => figures
            .iter()
            .find(|one| differs(one))
            .or(Some(newest).filter(|one| one.earlier.is_some())),
        Then::First => figures
            .iter()
            .rev()
            .find(|one| differs(one))
            .or(Some(newest).filter(|one| one.earlier.is_some())),
    }
}

/// Whether the chosen figure is of another time than the one asked about: it is told as so now, or, where it is asked what was so
/// long ago, its time is known.
fn is_of_now(then: Then, chosen: &Candidate, unit: &EvidenceUnit<'_>, figures: &[Figure]) -> bool {
    let said = words(unit.text);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let of_now = (has(&NOW) || as_of(unit.text, &unit.periods).is_some()) && !has(&WAS);
    let paired = figures.iter().any(|one| one.at == 0 && one.earlier.is_some());
    match then {
        Then::Ago(_) => {
            of_now
                || paired
                || chosen_value(chosen, unit)
                    .is_some_and(|value| time_beside(unit, value).is_some())
        }
        Then::Before | Then::First => of_now && !has(&CALLED),
    }
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, ReadPassage};

    fn earlier(text: &str, figure: &str) -> Option<Earlier> {
        let passages = [document("yard", "The yard", text)];
        let units = evidence_units(&passages);
        let from = text.find(figure).expect("it stands there");
        let value = units[0].values.iter().find(|value| value.range.start == from);
        told_earlier(&units[0], value.expect("it is a value"))
    }

    #[test]
    fn a_figure_is_told_as_earlier_by_the_words_at_its_side() {
        for (text, old, new) in [
            ("The yard has 96 moorings, up from 71.", "71", "96"),
            ("The yard has 96 moorings (previously about 71).", "71", "96"),
            ("The number of moorings was raised from 71 to 96.", "71", "96"),
            ("The number of moorings rose to 96 from 71.", "71", "96"),
            ("The yard had 71 moorings until May, and 96 since.", "71", "96"),
            ("The yard has 96 moorings instead of 71.", "71", "96"),
        ] {
            assert_eq!(earlier(text, old), Some(Earlier::Once), "{text}");
            assert_eq!(earlier(text, new), None, "{text}");
        }
        let ago = "The yard has 96 moorings, against 71 two years ago.";
        assert_eq!(earlier(ago, "71"), Some(Earlier::Ago(24)));
        assert_eq!(earlier(ago, "96"), None);
        // A span, another place and a condition.
        assert_eq!(earlier("Crews of from 4 to 6 sailors are welcome.", "4"), None);
        assert_eq!(earlier("The yard has 96 moorings, more than 71 in Leith.", "71"), None);
        assert_eq!(earlier("Boats may use 96 moorings until May.", "96"), None);
    }

    #[test]
    fn the_time_beside_a_figure_is_its_own() {
        let time = |text: &str, figure: &str| {
            let passages = [document("yard", "The yard", text)];
            let units = evidence_units(&passages);
            let from = text.find(figure).expect("it stands there");
            let value = units[0].values.iter().find(|value| value.range.start == from);
            time_beside(&units[0], value.expect("it is a value")).map(|time| time.to_string())
        };
        let pair = "96 moorings as of June 2024 (up from 71 in June 2023)";
        assert_eq!(time(pair, "96").as_deref(), Some("June 2024"));
        assert_eq!(time(pair, "71").as_deref(), Some("June 2023"));
        let rose = "Moorings rose from 71 in 2023 to 96 in 2024.";
        assert_eq!(time(rose, "71").as_deref(), Some("2023"));
        assert_eq!(time(rose, "96").as_deref(), Some("2024"));
        let first = "In 2023 there were 71 and in 2024 there were 96 moorings.";
        assert_eq!(time(first, "71").as_deref(), Some("2023"));
        assert_eq!(time(first, "96").as_deref(), Some("2024"));
    }

    #[test]
    fn a_distance_is_as_exact_as_the_dates() {
        let (june, year) = (PartialDate::month(2024, 6), PartialDate::year(2023));
        assert!(lies_before(june, PartialDate::month(2023, 6), 12));
        assert!(lies_before(june, PartialDate::month(2023, 5), 12));
        assert!(lies_before(june, year, 12));
        assert!(!lies_before(june, year, 24));
        assert!(!lies_before(june, PartialDate::month(2022, 6), 12));
        assert_eq!(back(PartialDate::month(2024, 1), 1), PartialDate::month(2023, 12));
    }

    fn written(name: &str, year: i32, text: &str) -> ReadPassage {
        let mut read = document(name, "Moorings", text);
        let value = PartialDate::month(year, 6);
        read.source.date = Some(DocDate { value, stated: value.to_string() });
        read.source.family = "yard".to_owned();
        read
    }

    fn told(question: &str, passages: &[ReadPassage]) -> Option<String> {
        let units = evidence_units(passages);
        let question = Question::parse(question, &[]);
        let found = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let best = found.answers.first()?;
        Some(units[best.unit].text[best.value.clone()?].to_owned())
    }

    #[test]
    fn the_figure_of_the_time_that_is_asked_for_answers() {
        let pair = "The yard had 96 moorings in June 2024 (up from 71 in June 2023).";
        let pair = [written("report", 2024, pair)];
        let ask = |question: &str| told(question, &pair);
        assert_eq!(ask("How many moorings did the yard have a year ago?").as_deref(), Some("71"));
        assert_eq!(ask("How many moorings did the yard have before?").as_deref(), Some("71"));
        let then = "How many moorings did the yard have in June 2023?";
        assert_eq!(ask(then).as_deref(), Some("71"));
        let now = "How many moorings did the yard have in June 2024?";
        assert_eq!(ask(now).as_deref(), Some("96"));
        assert_eq!(ask("How many moorings did the yard have five years ago?"), None);
    }

    #[test]
    fn a_time_before_the_document_and_one_that_opens_a_clause_are_told() {
        for (asked, text, wanted) in [
            (
                "How many moorings did the yard have last year?",
                "In 2023 the yard had 71 moorings.",
                "71",
            ),
            (
                "How many moorings did the yard have a year ago?",
                "A year ago the yard kept 71 moorings; it now has 96 moorings.",
                "71",
            ),
            (
                "How many moorings did the yard have last year?",
                "Last year the yard had 71 moorings.",
                "71",
            ),
        ] {
            let pages = [written("report", 2024, text)];
            assert_eq!(told(asked, &pages).as_deref(), Some(wanted), "{text}");
        }
        let text = "A year ago membership stood at 71 boats; it is now 96 boats.";
        assert_eq!(earlier(text, "71"), Some(Earlier::Ago(12)));
        assert_eq!(earlier(text, "96"), None);
        assert_eq!(earlier("Last year moorings rose to 96.", "96"), None);
        assert_eq!(earlier("A year ago the yard grew and now has 96 moorings.", "96"), None);
    }

    #[test]
    fn what_is_so_now_is_no_earlier_value() {
        let now = [written("report", 2024, "The yard has 96 moorings.")];
        assert_eq!(told("How many moorings does the yard have?", &now).as_deref(), Some("96"));
        assert_eq!(told("How many moorings did the yard have a year ago?", &now), None);
        assert_eq!(told("How many moorings did the yard have originally?", &now), None);
        // What calls itself the first is that, in whatever tense.
        let first = [written("report", 2024, "The initial mooring fee is 500 pounds.")];
        assert!(told("What was the initial mooring fee?", &first).is_some());
        // An earlier report tells it.
        let both = [
            written("report-2024", 2024, "The yard has 96 moorings."),
            written("report-2023", 2023, "The yard has 71 moorings."),
        ];
        let ago = "How many moorings did the yard have a year ago?";
        assert_eq!(told(ago, &both).as_deref(), Some("71"));
    }
}
