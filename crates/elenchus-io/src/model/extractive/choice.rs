//! Choice: of the values in a unit, the one that a question asks for.

use super::asked_column::asked_column;
use super::asked_kind::{are_people, asks_for_share, beside_the_counted, is_short_for};
use super::bind::{BOUND, Bound};
use super::cells::{named_sibling, who_cell};
use super::clause::{
    asks_for_doer, belongs_to_other, beside_head, is_doer, is_fields, is_labelled_deed, is_prose,
    is_told, stands_as_place,
};
use super::columns::{column_time, timed_fields};
use super::contrast::{has_left, is_age};
use super::coordination::{named_part, shares_noun};
use super::counted::is_number_of;
use super::dimension::fits;
use super::earlier::time_beside;
use super::ends::{
    after_change, asked_end, asks_by_how_much, asks_for_date, asks_for_the_day, end_of_range,
    is_clock, is_day, is_difference, is_old_lead,
};
use super::expects::{asked_unit, is_kin};
use super::followed::is_followed;
use super::lexicon::is_role;
use super::located::is_region;
use super::matching::Matcher;
use super::money_columns::{is_sum, latest_column};
use super::none::none_at_all;
use super::numbering::names_a_thing;
use super::periods::is_compared;
use super::places::with_common_noun;
use super::question::{Class, Expects, Question};
use super::row_of::only_names;
use super::sums::{
    asks_a_price, asks_cost, asks_for_gift, asks_for_worth, is_gift, is_price, is_worth,
};
use super::unit::{EvidenceUnit, Place};
use super::values::{Value, ValueKind};
use elenchus_core::evidence::{MONTHS, PartialDate, WEEKDAYS};
use elenchus_core::text::words;
use std::cell::LazyCell;
use std::ops::Range;

/// Columns of a row that the question's names point at, through the column names.
pub(super) fn asked_columns(
    question: &Question,
    bounds: &[Bound],
    unit: &EvidenceUnit<'_>,
) -> Vec<usize> {
    if unit.cells.is_empty() {
        return Vec::new();
    }
    question
        .terms
        .iter()
        .zip(bounds)
        .filter(|(term, bound)| term.hard && bound.at.is_empty() && bound.strength >= 0.8)
        .filter_map(|(_, bound)| bound.column)
        .collect()
}

fn eligible(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let text = unit.text[value.range.clone()].to_lowercase();
    let in_question = |text: &str| {
        let own = words(text);
        !own.is_empty()
            && own.iter().all(|w| {
                elenchus_core::text::is_stop_word(w)
                    || question.terms.iter().any(|term| {
                        term.word == *w || (term.hard && term.stem == elenchus_core::text::stem(w))
                    })
            })
    };
    if names_a_thing(question, unit.text, value)
        || only_names(question, unit, value)
        || !fits(question, unit.text, value)
    {
        return false;
    }
    match question.expects {
        Expects::Money => {
            is_sum(question, unit, value)
                || (value.kind == ValueKind::Money
                    && (asks_for_worth(question) || !is_worth(unit, value))
                    && (asks_a_price(question) || !is_price(unit, value))
                    && (asks_for_gift(question) || !asks_cost(question) || !is_gift(unit, value)))
        }
        Expects::Percent => value.kind == ValueKind::Percent,
        Expects::Duration => value.kind == ValueKind::Duration && !is_age(unit.text, value),
        Expects::Extent => {
            matches!(value.kind, ValueKind::Measure | ValueKind::Duration)
                && !is_age(unit.text, value)
        }
        Expects::Count => {
            let unit_asked = || {
                question.counted.as_ref().is_some_and(|noun| {
                    words(&text).iter().any(|w| elenchus_core::text::stem(w) == *noun)
                })
            };
            // "3.3" is a version, not a count, unless it counts millions.
            let decimal =
                text.contains('.') && !text.contains("illion") && !text.contains("thousand");
            (value.kind == ValueKind::Count && !decimal && !in_question(&text))
                || (value.kind == ValueKind::Measure
                    && (unit_asked()
                        || question.counted.as_ref().is_some_and(|noun| is_short_for(&text, noun))))
        }
        Expects::Quantity if value.kind == ValueKind::Duration && !asks_about_time(question) => {
            false
        }
        // "The loan stood at 3.4 million pounds, fixed at 4.15 %": an interest rate is a share.
        Expects::Quantity
            if asks_for_share(question)
                && value.kind != ValueKind::Percent
                && unit.values.iter().any(|other| other.kind == ValueKind::Percent) =>
        {
            false
        }
        // "How fast", "how old": a bare number or a share is no speed and no age.
        Expects::Quantity
            if question.measured
                && !(value.kind == ValueKind::Count
                    && (is_fields(unit) || is_a_rate(unit, value)))
                && !matches!(value.kind, ValueKind::Measure | ValueKind::Duration) =>
        {
            false
        }
        Expects::Quantity => {
            matches!(
                value.kind,
                ValueKind::Measure
                    | ValueKind::Duration
                    | ValueKind::Percent
                    | ValueKind::Count
                    | ValueKind::Money
            ) && !in_question(&text)
                || (value.kind == ValueKind::Date && is_clock(&text))
        }
        Expects::Date => {
            (value.kind == ValueKind::Date
                && !(is_clock(&text) && asks_for_date(question))
                && question.period.is_none_or(|asked| {
                    !unit
                        .periods
                        .iter()
                        .any(|period| period.range == value.range && period.value == asked)
                }))
                || (value.kind == ValueKind::Duration
                    && (!question.happened || points_in_time(unit, value)))
                || (value.kind == ValueKind::Name && is_calendar_name(&text))
        }
        Expects::Person => {
            (value.kind == ValueKind::Person || is_in_apposition(question, unit, value))
                && !names_asked(question, &text)
                && !is_named(question, &text)
                && (question.past || !has_left(unit.text, &value.range))
                && !is_followed(question, unit.text, &value.range)
        }
        Expects::Agent => {
            let asked = is_prose(unit) && names_asked(question, &text);
            matches!(value.kind, ValueKind::Person | ValueKind::Name)
                && !in_question(&text)
                && !is_model(&text)
                && !is_its_own(question, &text)
                && !asked
                && (question.past || !has_left(unit.text, &value.range))
                && !is_followed(question, unit.text, &value.range)
                && !sentence_case(unit, value)
                && !words(&text).iter().all(|word| {
                    is_calendar_name(word) || word == "internal" || word == "confidential"
                })
        }
        Expects::Name | Expects::Place | Expects::Organisation => {
            matches!(value.kind, ValueKind::Name | ValueKind::Person)
                && (question.expects != Expects::Place || !are_people(unit.text, value))
                && !in_question(&text)
                && (question.expects != Expects::Organisation
                    || !is_its_own(question, &text) && !is_region(&text))
                && !sentence_case(unit, value)
                && !words(&text).iter().all(|word| is_role(word) || is_calendar_name(word))
        }
        Expects::YesNo | Expects::Reason | Expects::List | Expects::Any => false,
    }
}

/// "VLX-400": letters and a number name a model of a thing, which does nothing by itself.
fn is_model(name: &str) -> bool {
    name.split_once('-').is_some_and(|(letters, number)| {
        let is = |part: &str, of: fn(&u8) -> bool| !part.is_empty() && part.bytes().all(|b| of(&b));
        is(letters, u8::is_ascii_alphabetic) && is(number, u8::is_ascii_digit)
    })
}

/// "My husband Walter": a name of one word right behind what somebody is, where that is asked for. Of "Ruth's husband Walter" it is
/// Ruth that has to be asked about.
fn is_in_apposition(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let before = unit.text.get(..value.range.start).unwrap_or_default();
    let one_word = !unit.text[value.range.clone()].contains(' ');
    // A mark between the two parts them.
    let beside = before.strip_suffix(' ').filter(|lead| lead.ends_with(char::is_alphabetic));
    let Some(lead) = beside.filter(|_| value.kind == ValueKind::Name && one_word) else {
        return false;
    };
    let mut lead = lead.split_whitespace().rev();
    let noun = lead.next().unwrap_or_default();
    let owner = lead.next().unwrap_or_default();
    let asked = question.terms.iter().any(|term| term.word == noun);
    let owned = owner.strip_suffix("'s").or_else(|| owner.strip_suffix("\u{2019}s"));
    let of_another = owned.is_some_and(|owner| !question.names.contains(&owner.to_lowercase()));
    asked && (is_role(noun) || is_kin(noun)) && !of_another
}

/// Whether a date lies before the document was written, or, where it bears none, before another date of the unit.
fn lies_behind(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let of = |range: &Range<usize>| {
        unit.periods.iter().find(|period| period.range == *range).map(|p| p.value.order_key())
    };
    let Some(own) = of(&value.range) else { return false };
    match unit.read.source.date.as_ref() {
        Some(written) => own < written.value.order_key(),
        None => unit.periods.iter().any(|period| period.value.order_key() > own),
    }
}

/// Whether every word of a name is a name of the question: "before Ann Lee" does not ask for Ann Lee.
fn is_named(question: &Question, lower: &str) -> bool {
    words(lower).iter().all(|word| question.names.contains(word))
}

/// Whether a name is made from a name of the question: "AcmeOS" is no competitor of Acme.
fn is_its_own(question: &Question, lower: &str) -> bool {
    words(lower).first().is_some_and(|first| {
        question.names.iter().any(|name| {
            name.chars().count() >= 4
                && first.len() > name.len()
                && first.starts_with(name.as_str())
        })
    })
}

/// Whether a name holds a name of the question: "Ben's brother" does not tell who Ben is.
fn names_asked(question: &Question, lower: &str) -> bool {
    words(lower).iter().any(|word| {
        question.terms.iter().any(|term| {
            term.hard
                && term.name.is_some()
                && (term.word == *word || *word == format!("{}'s", term.word))
        })
    })
}

/// "three days later": a span that tells when something happened.
fn points_in_time(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let after = words(&unit.text[value.range.end..].chars().take(20).collect::<String>());
    after
        .first()
        .is_some_and(|w| matches!(w.as_str(), "ago" | "later" | "after" | "before" | "earlier"))
}

/// Whether the place of a value in its clause fits what is asked for: the doer of the verb, beside the noun of its
/// kind, after a preposition of place.
fn is_attached(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> bool {
    match question.expects {
        // "Founded: 2019, Rotterdam" tells when and where, and names nobody.
        Expects::Agent
            if value.kind == ValueKind::Name && is_labelled_deed(question, unit, matcher) =>
        {
            false
        }
        Expects::Agent if asks_for_doer(question) && is_told(question, unit, matcher) => {
            is_doer(question, unit, value, matcher)
        }
        Expects::Place => {
            let text = unit.text[value.range.clone()].to_lowercase();
            stands_as_place(unit, value) && !(is_prose(unit) && names_asked(question, &text))
        }
        Expects::Name if unit.cells.is_empty() => {
            beside_head(question, unit, value, matcher).unwrap_or(true)
        }
        Expects::Quantity if question.measured => !belongs_to_other(question, unit, value),
        _ => true,
    }
}

pub(super) fn is_calendar_name(lower: &str) -> bool {
    let first = lower.split_whitespace().next().unwrap_or("");
    matches!(first, "week" | "weeks" | "month" | "day")
        || WEEKDAYS.contains(&first)
        || MONTHS.contains(&first)
}

/// One capitalised word at the start of the unit is capitalised for its place, not as a name.
pub(super) fn sentence_case(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let text = &unit.text[value.range.clone()];
    // Emphasis may end with the sentence before: "**A bet.** Commit to ...".
    let before = unit.text[..value.range.start]
        .trim_end_matches(|c: char| c.is_whitespace() || c == '*' || c == '_');
    let spoken = before.trim_end_matches(['"', '“', '‘', '\'']);
    let starts = before.chars().all(|c| !c.is_alphanumeric())
        || before.ends_with(['.', '!', '?'])
        || (spoken.len() < before.len()
            && spoken.trim_end().ends_with([',', '.', ':', ';', '!', '?']));
    starts
        && unit.cells.is_empty()
        && !text.contains(' ')
        && text.chars().skip(1).all(char::is_lowercase)
}

/// What a value gains whose own qualifier the question names: more than all that nearness can give.
const NAMED: f64 = 4.0;

/// Of values that stand side by side and that may each be what is asked for, those whose qualifier the question names: bytes of the
/// unit's text. Whoever chooses among the values of a sentence asks here, so that all choose among the same.
pub(super) fn asked_part(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let may_be: Vec<&Value> =
        unit.values.iter().filter(|value| eligible(question, unit, value)).collect();
    named_part(question, unit, &may_be)
        .or_else(|| named_sibling(question, unit, &may_be))
        .or_else(|| asked_column(question, unit, &may_be))
        .or_else(|| latest_column(question, unit, &may_be))
}

/// The value of the unit that fits best, with the period that its own clause states.
pub(super) fn choose_value(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    bounds: &[Bound],
    columns: &[usize],
    matcher: &Matcher,
) -> (Option<Value>, Option<PartialDate>) {
    let mut best: Option<(f64, &Value)> = None;
    let people = LazyCell::new(|| who_cell(question, unit));
    let asked_part = asked_part(question, unit);
    let timed = timed_fields(question, unit);
    // "40 in 2024 and 45 in 2025": of two times of a clause each figure has its own.
    let beside = |value: &Value| question.period.and_then(|_| time_beside(unit, value));
    let lasts = || (question.expects == Expects::Duration).then(|| asked_unit(&question.text));
    let counted = question.counted.clone().or_else(|| lasts().flatten());
    for (order, value) in unit.values.iter().enumerate() {
        if !eligible(question, unit, value)
            || !is_attached(question, unit, value, matcher)
            || beside_the_counted(question, unit, value, matcher)
        {
            continue;
        }
        let segment = unit.segment_of(value.range.start);
        let mut fit = -0.03 * order as f64;
        // "At 8:00 on weekdays and at 9:30 on Sundays": the qualifier that is asked for decides.
        if asked_part
            .as_ref()
            .is_some_and(|part| part.start <= value.range.start && value.range.end <= part.end)
        {
            fit += NAMED;
        }
        if !unit.cells.is_empty() {
            let column = unit
                .cells
                .iter()
                .position(|cell| cell.start <= value.range.start && value.range.end <= cell.end);
            if !columns.is_empty() {
                if column.is_some_and(|column| columns.contains(&column)) {
                    fit += 3.0;
                } else {
                    continue;
                }
            }
            // The column's name binds its cell.
            for (term, bound) in question.terms.iter().zip(bounds) {
                if bound.column.is_some() && bound.column == column && bound.at.is_empty() {
                    fit += if term.light { 0.3 } else { 1.0 } * bound.strength;
                }
            }
        }
        let mut own_period = None;
        for period in &unit.periods {
            if unit.segment_of(period.range.start) == segment
                && period.range != value.range
                && !is_compared(unit.text, &value.range, &period.range)
            {
                own_period = Some(period.value);
            }
        }
        let own_period =
            beside(value).or(own_period).or_else(|| column_time(unit, &timed, &value.range));
        if let (Some(asked), Some(own)) = (question.period, own_period) {
            fit += if own == asked { 2.0 } else { -2.0 };
        }
        let range = &unit.segments[segment].range;
        for (term, bound) in question.terms.iter().zip(bounds) {
            if bound.strength < BOUND || bound.at.is_empty() {
                // A word may occur again beside the value.
                continue;
            }
            let near = unit
                .words
                .iter()
                .filter(|w| {
                    w.place == Place::Unit && range.start <= w.at.start && w.at.end <= range.end
                })
                .map(|w| matcher.likeness(term, w))
                .fold(0.0, f64::max);
            let weight = if term.hard {
                1.2
            } else if term.light {
                0.3
            } else {
                1.0
            };
            fit += 0.5 * weight * near;
            // Words right before the value name it ("Japan: 4"), words right after it say what it counts ("47 sites").
            let distance = if bound.at.end <= value.range.start {
                value.range.start - bound.at.end
            } else {
                bound.at.start.saturating_sub(value.range.end)
            };
            fit += 0.4 * weight / (1.0 + distance as f64 / 12.0);
        }
        if let Some(noun) = &counted {
            let after = unit.text[value.range.start..].chars().take(60).collect::<String>();
            // "Trips by bus: 14; Trips by rail: 9": the next field says nothing of this one.
            let own = if is_fields(unit) { after.split(';').next() } else { Some(after.as_str()) };
            let own = words(own.unwrap_or_default());
            if own.iter().skip(1).take(4).any(|w| matches_noun(noun, w, matcher)) {
                fit += 0.8;
            }
        }
        let lead: String = unit.text[..value.range.start]
            .chars()
            .rev()
            .take(24)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let lead = lead.to_lowercase();
        match asked_end(question) {
            // "From 22:30 to 07:00" begins with the first and ends with the second.
            Some(end) => {
                fit += if end_of_range(unit.text, &value.range) == Some(end) { 1.5 } else { 0.0 };
            }
            None if !question.past && is_old_lead(&lead, unit.text, &value.range) => fit -= 1.5,
            None => {}
        }
        if asks_by_how_much(question) && is_difference(unit.text, &value.range) {
            fit += 2.0;
        }
        // "Taken out in 2014, and the last instalment falls due in March 2034": what is to come is not what was.
        if question.future && question.expects == Expects::Date && lies_behind(unit, value) {
            fit -= 2.0;
        }
        // A clause that holds a name of the question speaks of it: "RaaS 63%", "North America: 14".
        let named = question.terms.iter().any(|term| {
            term.hard
                && unit.words.iter().any(|w| {
                    w.place == Place::Unit
                        && range.start <= w.at.start
                        && w.at.end <= range.end
                        && w.word == term.word
                })
        });
        if named {
            fit += 1.5;
        }
        if question.expects == Expects::Agent && value.kind == ValueKind::Person {
            fit += 0.4;
        }
        // "Name: Ann Lee; Role: Bar manager": who it is stands in the column of names, whatever else is written in capitals.
        if let Some(people) = &*people {
            fit += if people.start <= value.range.start && value.range.end <= people.end {
                2.5
            } else {
                0.0
            };
        }
        // "the top 3 customers" counts no customers.
        if matches!(
            lead.split_whitespace().last(),
            Some("top" | "first" | "last" | "next" | "largest" | "biggest" | "past")
        ) && question.expects == Expects::Count
        {
            continue;
        }
        // A bracketed clause with a label of its own speaks of something else unless the label was asked for.
        if unit.segments[segment].bracketed {
            let label_asked = words(&unit.text[range.clone()])
                .iter()
                .any(|w| question.terms.iter().any(|t| !t.light && t.word == *w));
            if !label_asked && question.period.is_none() {
                fit -= 0.6;
            }
        }
        if question.expects == Expects::Date && value.kind == ValueKind::Duration {
            fit -= 1.0;
        }
        // "On 4 May 1931 at 18:30": when it was is the day before it is the hour.
        if is_clock(&unit.text[value.range.clone()])
            && asks_for_the_day(question)
            && unit.values.iter().any(|other| is_day(unit.text, other))
        {
            fit -= 2.5;
        }
        // "rained for forty days" lasts, "in seven days" is yet to come.
        if question.expects == Expects::Duration && lead.trim_end().ends_with(" for") {
            fit += 1.0;
        }
        // The noun that the question asks for stands with its figure.
        if let Some(head) = question.head {
            let mut named = unit
                .words
                .iter()
                .filter(|w| {
                    w.place == Place::Unit
                        && range.start <= w.at.start
                        && w.at.end <= range.end
                        && matcher.likeness(&question.terms[head], w) >= 0.7
                })
                .peekable();
            if named.peek().is_some() {
                fit += 1.5;
            }
            // "Renewed by one year unless notice is given six months before": of two figures the one right beside it is its own.
            if named.any(|w| is_right_beside(unit.text, &w.at, &value.range)) {
                fit += 1.0;
            }
        }
        if question.expects == Expects::Quantity && value.kind == ValueKind::Count {
            fit -= 0.2;
        }
        if best.is_none_or(|(score, _)| fit > score) {
            best = Some((fit, value));
        }
    }
    let Some((_, value)) = best else { return (none_at_all(question, unit, matcher), None) };
    let segment = unit.segment_of(value.range.start);
    let in_clause = unit.periods.iter().find(|period| {
        unit.segment_of(period.range.start) == segment
            && period.range != value.range
            && !is_compared(unit.text, &value.range, &period.range)
    });
    let mut local = beside(value)
        .or(in_clause.map(|period| period.value))
        .or_else(|| column_time(unit, &timed, &value.range));
    if question.expects == Expects::Date {
        local = None;
    }
    let mut value = value.clone();
    if !question.past
        && !words(&question.text).iter().any(|word| word == "from")
        && value.kind != ValueKind::Date
        && let Some(new) = after_change(unit.text, &value.range)
    {
        let figure = unit.text[new.clone()].split_whitespace().next().unwrap_or_default();
        value.number = figure.replace(',', "").parse().ok().or(value.number);
        value.range = new;
    }
    if question.expects == Expects::Place {
        value.range = with_common_noun(unit.text, &value.range);
        if let Some(whole) = said_to_be(question, unit, &value, matcher) {
            value.range = whole;
        }
    }
    (Some(value), local)
}

/// Most bytes between a noun and its figure: "notice of six months", "notice is given six months before".
const BESIDE: usize = 10;

/// Whether a noun stands beside a figure, with no more than a short word between them.
fn is_right_beside(text: &str, noun: &Range<usize>, value: &Range<usize>) -> bool {
    let between = if noun.end <= value.start {
        text.get(noun.end..value.start)
    } else {
        text.get(value.end..noun.start)
    };
    between
        .is_some_and(|between| between.len() <= BESIDE && !between.contains([',', ';', '.', '(']))
}

/// Most words of a place that is told in words of its own.
const PLACE_WORDS: usize = 9;

/// "The assembly point is the car park gate on Sluice Lane": the whole of what the thing asked about is said to be, where a name
/// is the end of it.
fn said_to_be(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> Option<Range<usize>> {
    if !is_prose(unit) {
        return None;
    }
    let from = unit.segments[unit.segment_of(value.range.start)].range.start;
    let before = unit.text.get(from..value.range.start)?;
    let verb = [" is the ", " is a ", " is an ", " are the "];
    let (at, length) = verb.iter().find_map(|verb| before.find(verb).map(|at| (at, verb.len())))?;
    let article = before[at..at + length].trim_end().rfind(' ')?;
    let start = from + at + article + 1;
    // Whoever is said to be something has to be what is asked about.
    let asked = unit.words.iter().any(|word| {
        word.place == Place::Unit
            && from <= word.at.start
            && word.at.end <= from + at
            && question.terms.iter().any(|term| !term.light && matcher.likeness(term, word) >= 0.9)
    });
    let whole = unit.text.get(start..value.range.end)?;
    (asked && whole.split_whitespace().count() <= PLACE_WORDS && !whole.contains([',', ';', '.']))
        .then_some(start..value.range.end)
}

/// Whether a value counts `noun`: the noun follows it, names its clause or column, or is counted by a value before it.
pub(super) fn counts(
    unit: &EvidenceUnit<'_>,
    value: &Value,
    noun: &str,
    matcher: &Matcher,
) -> bool {
    let follows = |value: &Value| {
        let after: String = unit.text[value.range.end..].chars().take(60).collect();
        let clause = after.split([';', '.', '(', ':']).next().unwrap_or("");
        let clause = words(clause);
        clause.iter().take(5).enumerate().any(|(at, word)| {
            // "two porpoise studies" counts studies.
            let modifies = !word.ends_with('s')
                && clause.get(at + 1).is_some_and(|next| {
                    next.ends_with('s') && !elenchus_core::text::is_stop_word(next)
                });
            !modifies && matches_noun(noun, word, matcher)
        })
    };
    let own = &unit.text[value.range.clone()];
    if !unit.cells.is_empty()
        || follows(value)
        || words(own).iter().any(|word| matches_noun(noun, word, matcher))
    {
        return true;
    }
    // "EU employees: 28 days and 3 company days": what follows says what is counted, whatever the label is.
    let after: String = unit.text[value.range.end..].chars().take(40).collect();
    let mut after = words(after.split([';', '.', '(', ':', ',']).next().unwrap_or("")).into_iter();
    let others = after
        .by_ref()
        .take_while(|word| !elenchus_core::text::is_stop_word(word))
        .any(|word| word.len() > 3 && word.ends_with('s') && !matches_noun(noun, &word, matcher));
    if others {
        return false;
    }
    if is_number_of(&unit.text[..value.range.start], noun, matcher) {
        return true;
    }
    let segment = &unit.segments[unit.segment_of(value.range.start)].range;
    let before = &unit.text[segment.start.min(value.range.start)..value.range.start];
    // What a colon introduces is named before it: "Near misses: 3", not "animals: one porpoise and three seals".
    let label = before.rsplit_once(':').map(|(label, _)| label);
    let label = label.or_else(|| (unit.kind == crate::ingest::UnitKind::Item).then_some(before));
    if words(label.unwrap_or("")).iter().any(|word| matches_noun(noun, word, matcher)) {
        return true;
    }
    // "684 seats and the studio stage 99": so does a figure whose noun is left out.
    let counted_before =
        |other: &&Value| other.kind == ValueKind::Count && other.range.end <= value.range.start;
    if unit
        .values
        .iter()
        .filter(counted_before)
        .any(|other| follows(other) && shares_noun(unit.text, &other.range, &value.range))
    {
        return true;
    }
    // "EU: 29 sites, North America: 14": the second value counts what the first does.
    (before.trim_end().ends_with(':')
        || unit.segments[unit.segment_of(value.range.start)].bracketed)
        && unit.values.iter().any(|other| {
            other.kind == ValueKind::Count && other.range.end <= value.range.start && follows(other)
        })
}

pub(super) fn matches_noun(noun: &str, word: &str, matcher: &Matcher) -> bool {
    let stem = elenchus_core::text::stem(word);
    stem == *noun || matcher.synonyms().related(noun, &stem)
}

/// Whether the question is about how long something takes or lasts.
fn asks_about_time(question: &Question) -> bool {
    question.terms.iter().any(|term| {
        matches!(
            term.word.as_str(),
            "time"
                | "duration"
                | "period"
                | "age"
                | "mtbf"
                | "battery"
                | "life"
                | "lifetime"
                | "lead"
                | "interval"
                | "retention"
                | "notice"
                | "timeout"
                | "latency"
                | "delay"
                | "long"
                | "vacation"
                | "leave"
                | "holiday"
                | "length"
                | "term"
                | "breakdowns"
                | "runtime"
                | "allowance"
                | "limit"
                | "carry"
                | "probation"
                | "warranty"
        )
    })
}

/// "3 points/s", "40 per second": a number with a rate.
fn is_a_rate(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let after: String = unit.text[value.range.end..].chars().take(24).collect();
    after.contains("/s")
        || after.contains("/h")
        || after.contains("/min")
        || after.contains(" per ")
        || after.contains(" a second")
        || after.contains(" a minute")
        || after.contains(" an hour")
}

/// Whether every noun of the question is bound in the clause of a value, right beside it, or around the unit.
pub(super) fn in_one_clause(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> bool {
    let home = unit.segment_of(value.range.start);
    // Fields of a record have nothing to do with each other; clauses of a sentence do.
    let reach = usize::from(!unit.text.contains(';'));
    let from = unit.segments[home.saturating_sub(reach)].range.start;
    let to = unit.segments[(home + reach).min(unit.segments.len() - 1)].range.end;
    question.terms.iter().filter(|term| !term.light && !term.hard && term.class == Class::Noun).all(
        |term| {
            unit.words.iter().any(|word| {
                let here = match word.place {
                    Place::Unit => from <= word.at.start && word.at.end <= to,
                    Place::Near => true,
                    Place::Before | Place::Far => false,
                };
                here && matcher.likeness(term, word) >= 0.6
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn a_model_of_a_thing_is_nobody() {
        assert!(is_model("vlx-400") && is_model("MT-7"));
        for name in ["Anna-Lena", "U-21 team", "Harrow", "3M", "-7", "A-"] {
            assert!(!is_model(name), "{name}");
        }
    }

    #[test]
    fn who_somebody_is_to_another_stands_before_the_name() {
        let told = |question: &str, text: &str| -> Option<String> {
            let passages = [document("talk", "Ada Brook", text)];
            let units = evidence_units(&passages);
            let question = Question::parse(question, &[]);
            let common = Commonness::new(&[], 1);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            all[0].value.clone().map(|at| text[at].to_owned())
        };
        let ask = "Who was Ada Brook's husband?";
        assert_eq!(told(ask, "My husband Walter built the shed.").as_deref(), Some("Walter"));
        assert_eq!(told(ask, "Ruth's husband Walter built the shed."), None);
        assert_eq!(told(ask, "My brother Walter built the shed."), None);
        assert_eq!(told(ask, "My husband built the Tern."), None);
    }
}
