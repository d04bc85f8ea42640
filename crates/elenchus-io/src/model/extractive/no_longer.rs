//! No longer: a document says what a value used to be, and in the next sentence what it is since.
//!
//! "The hall used to hold sixty. Since the inspection it may hold no more than forty" takes the sixty back wherever else it stands.

use super::bind::Candidate;
use super::changes::instead;
use super::in_place::is_same_number;
use super::question::Question;
use super::select::{currency, said_of_thing};
use super::unit::EvidenceUnit;
use elenchus_core::text::words;

/// Words that the two must share with the older statement to speak of the same thing.
const SHARED: usize = 2;
/// First words of a sentence that says what is so since.
const SINCE: [&str; 5] = ["since", "now", "today", "nowadays", "currently"];
/// Words before "used to" which make it a purpose or a habit: "is used to lift", "got used to it".
const OTHER_USE: [&str; 10] =
    ["is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"];

/// What has come in the place of the chosen value, by a document that is not known to be older than its own.
pub(super) fn said_since(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let (old, kind) = (chosen.number?, chosen.kind?);
    if question.period.is_some() || question.past {
        return None;
    }
    let home = said_of_thing(&units[chosen.unit]);
    all.iter().find_map(|other| {
        let before = &units[other.unit];
        let after = units.get(other.unit + 1)?;
        if other.unit == chosen.unit
            || !other.names_bound
            || before.is_superseded()
            || before.is_replaced
            || after.read.passage.id != before.read.passage.id
            || (before.read.source.date.is_some()
                && currency(other, units) < currency(chosen, units))
        {
            return None;
        }
        let from = used_to(before.text)?;
        let is_old = before.values.iter().any(|value| {
            value.kind == kind && value.number == Some(old) && from <= value.range.start
        });
        if !is_old || !begins_since(after.text) {
            return None;
        }
        let new = after.values.iter().find(|value| {
            value.kind == kind && value.number.is_some_and(|number| !is_same_number(number, old))
        })?;
        let is_same_thing = other.features.noun >= 0.6
            || said_of_thing(before).intersection(&home).count() >= SHARED;
        let next = all.iter().find(|one| one.unit == other.unit + 1)?;
        is_same_thing.then(|| instead(chosen, next, Some(new)))
    })
}

/// Where "used to" ends that tells of what is so no more.
fn used_to(text: &str) -> Option<usize> {
    text.match_indices(" used to ").find_map(|(at, form)| {
        let before = words(text.get(..at)?).pop()?;
        (!OTHER_USE.contains(&before.as_str())).then_some(at + form.len())
    })
}

fn begins_since(text: &str) -> bool {
    let all = words(text);
    all.first().is_some_and(|first| SINCE.contains(&first.as_str()))
        || all.iter().any(|word| word == "now")
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, PartialDate, ReadPassage};

    fn dated(name: &str, year: i32, text: &str) -> ReadPassage {
        let mut read = document(name, "The Oak Hall", text);
        read.source.date =
            Some(DocDate { value: PartialDate::year(year), stated: year.to_string() });
        read
    }

    fn answer(passages: &[ReadPassage]) -> Option<String> {
        let units = evidence_units(passages);
        let question = Question::parse("How many people does the Oak Hall hold?", &[]);
        let told = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        let best = told.first()?;
        Some(units[best.unit].text[best.value.clone()?].to_owned())
    }

    const OLD: &str = "The Oak Hall holds 60 people.";

    #[test]
    fn what_used_to_be_gives_way_to_what_is_since() {
        let since = "The Oak Hall used to hold sixty. Since May it may hold no more than forty.";
        let told = answer(&[dated("letter", 2023, OLD), dated("page", 2024, since)]);
        assert_eq!(told.as_deref(), Some("forty"));
    }

    #[test]
    fn a_purpose_is_no_past() {
        assert!(used_to("The hall used to hold sixty.").is_some());
        assert!(used_to("The hoist is used to lift sixty kilos.").is_none());
        assert!(used_to("They got used to sixty of them.").is_none());
        assert!(begins_since("Since May it is forty.") && !begins_since("It has a stage."));
    }
}
