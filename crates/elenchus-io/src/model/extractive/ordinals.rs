//! Ordinals: "the first day" is "Day 1" of a plan, and "the second phase" its "Phase 2".

use super::bind::Bound;
use super::question::Question;
use super::unit::{EvidenceUnit, Place, Word};

const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// The number that a word tells: 2 for "second", up to the sixth.
pub(super) fn ordinal(word: &str) -> Option<u8> {
    ORDINALS.iter().zip(1..).find_map(|(own, number)| (*own == word).then_some(number))
}

/// What plans number, by its stem.
const NUMBERED: [&str; 10] =
    ["day", "week", "month", "year", "phase", "stage", "step", "round", "term", "session"];

/// Binds an ordinal and the noun behind it by a number behind the noun.
pub(super) fn bind(question: &Question, unit: &EvidenceUnit<'_>, bounds: &mut [Bound]) {
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    for at in 1..question.terms.len() {
        let (first, noun) = (&question.terms[at - 1], &question.terms[at]);
        let Some(number) = ordinal(&first.word).filter(|_| first.beside_next) else { continue };
        if !NUMBERED.contains(&noun.stem.as_str()) {
            continue;
        }
        let told = own.windows(2).find(|pair| {
            pair[0].stem == noun.stem && pair[1].word.parse::<u8>().ok() == Some(number)
        });
        if let Some([name, count]) = told {
            let (name, count) = (name.at.clone(), count.at.clone());
            bounds[at - 1] = Bound { strength: 1.0, at: count, column: None };
            bounds[at] = Bound { strength: 1.0, at: name, column: None };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn the_first_week_is_week_one() {
        let plan =
            "- Week 1: security training, tour of the yard\n- Week 2: crane training, radio\n";
        let passages = [document("plan", "New hands", plan)];
        let units = evidence_units(&passages);
        let told = |asked: &str| {
            let question = Question::parse(asked, &[]);
            let best = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
            best.first().map(|best| units[best.unit].text.to_owned())
        };
        let first = told("Which training is in the first week?");
        assert!(first.as_deref().is_some_and(|text| text.contains("security")), "{first:?}");
        let second = told("Which training is in the second week?");
        assert!(second.as_deref().is_some_and(|text| text.contains("crane")), "{second:?}");
    }
}
