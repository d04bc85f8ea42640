//! Overtaken: a plan of which a document tells at once what has become of it. "The works were to begin in March. They will now begin in
//! May": March is no answer to when they begin.

use super::in_place::{
    Instead, about, behind, is_alike, is_doubted, is_prose, is_same, phrase, predicate, same_frame,
    sentence_at, without_opener,
};
use super::reading::refers_back;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// What was meant to be, behind "was".
const MEANT: [&str; 10] = [
    "planned",
    "due",
    "scheduled",
    "meant",
    "supposed",
    "intended",
    "expected",
    "going",
    "to",
    "proposed",
];
/// The same behind "had".
const HAD: [&str; 6] = ["planned", "hoped", "intended", "wanted", "meant", "proposed"];
/// Words that may stand before these.
const ADVERBS: [&str; 8] =
    ["first", "originally", "initially", "once", "still", "all", "long", "been"];
/// What was so at first.
const AT_FIRST: [&str; 3] = ["originally", "initially", "formerly"];
/// What is called so and is a plan that no longer holds.
const PLANS: [&str; 8] =
    ["plan", "plans", "idea", "date", "intention", "design", "proposal", "schedule"];
/// Words of what is so or will be so now.
const NOW: [&str; 16] = [
    "now",
    "instead",
    "will",
    "shall",
    "is",
    "are",
    "has",
    "have",
    "postponed",
    "moved",
    "delayed",
    "changed",
    "finally",
    "new",
    "today",
    "deferred",
];
/// Those that set a day in the place of another one whatever else is said.
const ANEW: [&str; 8] =
    ["now", "instead", "postponed", "moved", "delayed", "changed", "new", "deferred"];
/// Most words of a sentence that goes over to what is so now.
const MOST: usize = 24;
/// Most words before a value that stands at the head of its clause.
const FIRST: usize = 3;

/// Whether these words tell of something that was once meant to be so.
fn tells_of_a_plan_of_then(lead: &[String]) -> bool {
    let meant = |at: usize, list: &[&str]| {
        let next = lead[at + 1..].iter().find(|word| !ADVERBS.contains(&word.as_str()));
        next.is_some_and(|word| list.contains(&word.as_str()))
    };
    lead.iter().enumerate().any(|(at, word)| match word.as_str() {
        "was" | "were" => meant(at, &MEANT),
        "had" => meant(at, &HAD) || meant(at, &MEANT),
        "original" | "initial" => {
            lead.get(at + 1).is_some_and(|next| PLANS.contains(&next.as_str()))
        }
        other => AT_FIRST.contains(&other),
    })
}

/// What takes the place of a planned value that a unit tells, by that unit itself or the one right behind it.
pub(super) fn now(at: usize, plan: &Value, units: &[EvidenceUnit<'_>]) -> Option<Instead> {
    let unit = &units[at];
    let own = clause_of(unit.text, &plan.range);
    let lead = words(unit.text.get(own.start..plan.range.start)?);
    // "In March the works were to begin."
    let is_first = lead.len() <= FIRST;
    let is_plan = tells_of_a_plan_of_then(&lead)
        || is_first && tells_of_a_plan_of_then(&words(unit.text.get(own.clone())?));
    if !is_prose(unit) || is_doubted(unit.text) || !is_plan {
        return None;
    }
    let rest = own.end..sentence_at(unit.text, next_word(unit.text, own.end)).end;
    if let Some(value) = value_in((unit, &own), plan, unit, &rest) {
        return Some(Instead { unit: at, value });
    }
    behind(units, at, 1).find_map(|next| {
        let other = &units[next];
        let value = value_in((unit, &own), plan, other, &(0..other.text.len()))?;
        Some(Instead { unit: next, value })
    })
}

/// Where the next word of a text begins.
fn next_word(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.find(char::is_alphanumeric).map_or(text.len(), |word| at + word)
}

/// The bytes of the clause of a value: up to a semicolon, a dash, an end of a sentence or "but".
fn clause_of(text: &str, value: &Range<usize>) -> Range<usize> {
    let behind = text.get(value.end..).unwrap_or_default();
    let ends = ["; ", ". ", ".\n", " \u{2014} ", " \u{2013} ", ", but ", " but ", ", yet "];
    let end = ends.iter().filter_map(|mark| behind.find(*mark)).min();
    sentence_at(text, value.start).start..end.map_or(text.len(), |cut| value.end + cut)
}

/// The value of a clause that is set in the place of a planned one, whose unit and clause are given.
fn value_in(
    (unit, own): (&EvidenceUnit<'_>, &Range<usize>),
    plan: &Value,
    other: &EvidenceUnit<'_>,
    clause: &Range<usize>,
) -> Option<Value> {
    let old = unit.text.get(plan.range.clone())?;
    let said = other.text.get(clause.clone())?;
    let told = unit.text.get(own.clone())?;
    let all = words(said);
    if all.is_empty() || all.len() > MOST || is_doubted(said) || tells_of_a_plan_of_then(&all) {
        return None;
    }
    let deed = predicate(told, said)?;
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    let deeds = about(told, &(plan.range.start - own.start..plan.range.end - own.start));
    let same_deed = deed.iter().any(|word| deeds.contains(&stem(word)));
    let is_figure = plan.number.is_some() || plan.kind == ValueKind::Date;
    if !is_figure {
        let at = phrase(unit.text, &plan.range, said)?;
        let range = clause.start + at.start..clause.start + at.end;
        return Some(Value { range, kind: plan.kind, number: None });
    }
    let of_pronoun = refers_back(without_opener(said));
    let fits = |value: &&Value| {
        let text = other.text.get(value.range.clone()).unwrap_or_default();
        let framed = same_frame((unit.text, &plan.range), (other.text, &value.range));
        let is_set = same_deed && (has(&NOW) || framed || of_pronoun)
            || framed && has(&NOW)
            || plan.kind == ValueKind::Date && has(&ANEW);
        clause.start <= value.range.start
            && value.range.end <= clause.end
            && is_alike((plan, unit.text), (value, other.text))
            && !is_same((plan, old), (value, text))
            && is_set
    };
    other.values.iter().find(fits).cloned()
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    /// What takes the place of a part of the first sentence of a text.
    fn instead(text: &str, part: &str) -> Option<String> {
        let passages = [document("news", "The pier", text)];
        let units = evidence_units(&passages);
        let start = units[0].text.find(part).expect("it stands there");
        let range = start..start + part.len();
        let known = units[0].values.iter().find(|value| value.range == range).cloned();
        let plan = known.unwrap_or(Value { range, kind: ValueKind::Name, number: None });
        let new = now(0, &plan, &units)?;
        Some(units[new.unit].text[new.value.range].to_owned())
    }

    #[test]
    fn a_plan_gives_way_to_what_is_said_of_it_next() {
        for (text, old, new) in [
            (
                "The works were to begin in March 2025. They will now begin in May 2025.",
                "March 2025",
                "May 2025",
            ),
            ("The fair was planned to open on 2 May; it opens on 9 May.", "2 May", "9 May"),
            ("The pier was to open on 2 May; the new date is 9 May.", "2 May", "9 May"),
            (
                "The pier was due in June 2025. It is now due in July 2025.",
                "June 2025",
                "July 2025",
            ),
            ("Originally the pier was to have 40 berths. It will have 60 berths.", "40", "60"),
            (
                "The pier was to cost 300 euros, but it will cost 400 euros.",
                "300 euros",
                "400 euros",
            ),
            (
                "The hut was to be painted in green. It will be painted in dark red.",
                "green",
                "dark red",
            ),
            ("The crew was to be led by Ann Poe. It will be led by Ben Roe.", "Ann Poe", "Ben Roe"),
        ] {
            assert_eq!(instead(text, old).as_deref(), Some(new), "{text}");
        }
    }

    #[test]
    fn a_plan_that_nothing_overtakes_stands() {
        for (text, old) in [
            (
                "The works were to begin in March 2025. The mole will begin in May 2025.",
                "March 2025",
            ),
            ("The works were to begin in March 2025. They may begin in May 2025.", "March 2025"),
            ("The works begin in March 2025. They will now begin in May 2025.", "March 2025"),
            ("The pier was to cost 300 euros. It will get a lamp of 400 euros.", "300 euros"),
            (
                "The works were to begin in March 2025. The second works will begin in May 2025.",
                "March 2025",
            ),
        ] {
            assert_eq!(instead(text, old), None, "{text}");
        }
    }
}
