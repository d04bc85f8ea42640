//! Amended: a later statement says of the very figure or person that was chosen that it has changed, was wrong, or was replaced: "from 18 to
//! 22 pounds a night", "it says £5.30 and should be £4.65", "41 customers, not 37", "Ann Lee is replaced as contact by Ben Poe".

use super::bind::Candidate;
use super::changes;
use super::followed::takes_over;
use super::question::Question;
use super::select::{currency, said_of_thing};
use super::unit::{EvidenceUnit, Place};
use super::values::{Value, ValueKind};
use elenchus_core::text::{content_set, words};
use std::collections::BTreeSet;
use std::ops::Range;

/// Words that two statements share which speak of the same thing.
const SHARED: usize = 2;
/// Share of the nouns of a question with which a statement speaks of what it asks.
const OF_IT: f64 = 0.6;
/// Most words between a wrong figure and the right one, and between somebody and who came after.
const BETWEEN: usize = 10;

/// How a statement takes a figure back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It was so, and is no more.
    Changed,
    /// It never was.
    Corrected,
}

/// The statement of another source, or of another part of the same, that what was chosen has changed since, or was wrong. It says so itself,
/// so that it holds however much better the older one fits.
pub(super) fn changed_since(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    if question.past {
        return None;
    }
    let home = said_of_thing(&units[chosen.unit]);
    let own = content_set(&format!("{} {}", units[chosen.unit].near_text, units[chosen.unit].text));
    let others = all.iter().filter(|other| other.unit != chosen.unit);
    others.filter(|other| !units[other.unit].is_superseded()).find_map(|other| {
        let unit = &units[other.unit];
        let is_later = currency(other, units) >= currency(chosen, units);
        if let Some(after) =
            replaced_by(chosen, unit, units).filter(|_| is_later && question.period.is_none())
        {
            return Some(changes::instead(chosen, other, Some(after)));
        }
        let (value, way) = new_figure(chosen, unit)?;
        // What a time is asked for was so then, unless it was told wrongly.
        let holds = match way {
            Way::Changed => is_later && question.period.is_none() && other.names_bound,
            // A sheet that holds from April on may be put right in February.
            Way::Corrected => true,
        };
        let same_thing = match way {
            Way::Changed => {
                other.features.noun >= OF_IT
                    || said_of_thing(unit).intersection(&home).count() >= SHARED
            }
            // Who names the figure that is wrong speaks of the same with fewer words.
            Way::Corrected => {
                other.features.noun >= OF_IT || speaks_of(unit).intersection(&own).next().is_some()
            }
        };
        (holds && same_thing).then(|| changes::instead(chosen, other, Some(value)))
    })
}

/// The figure that a statement puts in the place of the chosen one.
fn new_figure<'u>(chosen: &Candidate, unit: &'u EvidenceUnit<'_>) -> Option<(&'u Value, Way)> {
    let old = chosen.number?;
    let kind = chosen.kind?;
    let is_old = |value: &Value| {
        value.number == Some(old) && (is_of(kind, value.kind) || value.kind == ValueKind::Count)
    };
    unit.values.iter().enumerate().find_map(|(at, first)| {
        unit.values[at + 1..].iter().enumerate().find_map(|(skipped, second)| {
            let between = unit.text.get(first.range.end..second.range.start)?;
            let way = if is_old(first) && is_of(kind, second.kind) {
                let rises = skipped == 0
                    && between.trim() == "to"
                    && unit.text[..first.range.start].trim_end().ends_with("from");
                if rises {
                    return Some((second, Way::Changed));
                }
                leads_to_the_right_one(between).then_some((second, Way::Corrected))
            } else {
                (is_of(kind, first.kind) && is_old(second) && leads_to_the_wrong_one(between))
                    .then_some((first, Way::Corrected))
            };
            way.filter(|(value, _)| value.number != Some(old))
        })
    })
}

/// Whether a value may stand in the place of one of a kind; a bare figure of a table says nothing of its own.
fn is_of(kind: ValueKind, other: ValueKind) -> bool {
    kind == other
        || kind == ValueKind::Count
            && matches!(
                other,
                ValueKind::Money | ValueKind::Percent | ValueKind::Measure | ValueKind::Duration
            )
}

/// "It says £5.30 a week and it should be £4.65".
fn leads_to_the_right_one(between: &str) -> bool {
    let all = words(&between.to_lowercase());
    let said: Vec<&str> = all.iter().map(String::as_str).collect();
    said.len() <= BETWEEN
        && !between.contains(". ")
        && matches!(
            said.as_slice(),
            [.., "should" | "must", "be" | "read" | "say"]
                | [.., "should", "have", "been" | "read" | "said"]
                | [.., "ought", "to", "be"]
        )
}

/// "About 9,100 pounds and not 6,300", "took 19 minutes, not the 12 of the plan", "instead of".
fn leads_to_the_wrong_one(between: &str) -> bool {
    let all = words(&between.to_lowercase());
    let said: Vec<&str> = all.iter().map(String::as_str).collect();
    let ends = match said.as_slice() {
        [.., "not"] | [.., "not", "the"] => between.contains(',') || said.contains(&"and"),
        [.., "instead", "of"] | [.., "rather", "than"] => true,
        _ => false,
    };
    ends && said.len() <= BETWEEN && !between.contains(['.', ';'])
}

/// What a correction speaks of: its words, those of the sentence before and of all that stands over it, without figures.
fn speaks_of(unit: &EvidenceUnit<'_>) -> BTreeSet<String> {
    let mut all = said_of_thing(unit);
    for over in &unit.read.passage.heading_path {
        all.extend(content_set(over));
    }
    let around = unit.words.iter().filter(|word| word.place == Place::Before);
    all.extend(around.flat_map(|word| content_set(&word.word)));
    all.retain(|word| !word.contains(|c: char| c.is_ascii_digit()));
    all
}

/// Who a statement says has come in the place of the chosen person.
fn replaced_by<'u>(
    chosen: &Candidate,
    unit: &'u EvidenceUnit<'_>,
    units: &[EvidenceUnit<'_>],
) -> Option<&'u Value> {
    if chosen.kind != Some(ValueKind::Person) {
        return None;
    }
    let name = units[chosen.unit].text.get(chosen.value.clone()?)?.trim();
    let old = unit.text.find(name).map(|at| at..at + name.len())?;
    let people = || unit.values.iter().filter(|value| value.kind == ValueKind::Person);
    let said = |range: Range<usize>| -> Option<Vec<String>> {
        let text = unit.text.get(range)?;
        let all = words(&text.to_lowercase());
        (all.len() <= BETWEEN && !text.contains(['.', ';'])).then_some(all)
    };
    let mut behind = people().filter(|value| value.range.start >= old.end);
    if let Some(next) = behind.next()
        && let Some(all) = said(old.end..next.range.start)
    {
        let mut rest = all.iter().map(String::as_str).skip_while(|word| {
            matches!(*word, "is" | "was" | "has" | "had" | "been" | "will" | "be" | "to")
        });
        let replaced =
            rest.next().is_some_and(|word| matches!(word, "replaced" | "succeeded" | "followed"));
        if replaced && all.last().is_some_and(|word| word == "by") {
            return Some(next);
        }
    }
    let before = people().rfind(|value| value.range.end <= old.start)?;
    let all = said(before.range.end..old.start)?;
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let comes_after = match all.as_slice() {
        ["has" | "will", verb] | [verb] => {
            matches!(
                *verb,
                "replaces" | "replaced" | "replace" | "succeeds" | "succeeded" | "succeed"
            )
        }
        [.., "from"] => takes_over(&all),
        _ => false,
    };
    comes_after.then_some(before)
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn told(question: &str, texts: &[(&str, &str)]) -> Vec<String> {
        let passages: Vec<_> =
            texts.iter().map(|(name, text)| document(name, "Notes", text)).collect();
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        let value =
            |one: &Candidate| Some(units[one.unit].text.get(one.value.clone()?)?.to_owned());
        chosen.iter().filter_map(value).collect()
    }

    #[test]
    fn a_figure_that_is_put_right_gives_way() {
        let sheet = ("sheet", "The caretaking charge of Elm Court is \u{a3}5.30 a week.");
        let asked = "What is the caretaking charge of Elm Court?";
        for right in [
            "The caretaking charge of Elm Court says \u{a3}5.30 a week and it should be \u{a3}4.65.",
            "The caretaking charge of Elm Court is \u{a3}4.65, not \u{a3}5.30.",
            "Caretaking rises from \u{a3}5.30 to \u{a3}4.65 at Elm Court.",
        ] {
            assert_eq!(told(asked, &[sheet, ("mail", right)]), ["\u{a3}4.65"], "{right}");
        }
        // Of another figure, or another thing, it takes nothing back.
        for other in [
            "The caretaking charge of Elm Court says \u{a3}5.10 a week and it should be \u{a3}4.65.",
            "The garden sheet says \u{a3}5.30 and it should be \u{a3}4.65.",
        ] {
            assert_eq!(told(asked, &[sheet, ("mail", other)]), ["\u{a3}5.30"], "{other}");
        }
    }

    #[test]
    fn whoever_was_replaced_gives_way_to_who_came() {
        let paper = ("contract", "The contact of the contractor is Noreen Pickard.");
        let asked = "Who is the contact of the contractor?";
        for right in [
            "Noreen Pickard is replaced as contact by Dev Lakhani.",
            "Dev Lakhani has taken over as contact from Noreen Pickard.",
            "Dev Lakhani replaces Noreen Pickard as contact.",
        ] {
            assert_eq!(told(asked, &[paper, ("note", right)]), ["Dev Lakhani"], "{right}");
        }
        let met = "Noreen Pickard was met at the station by Dev Lakhani.";
        assert_eq!(told(asked, &[paper, ("note", met)]), ["Noreen Pickard"]);
    }
}
