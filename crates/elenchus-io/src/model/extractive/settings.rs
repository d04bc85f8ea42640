//! Settings: a figure that is told of one place where the question asks for that of another. "The depth limit in the basin" is none in
//! the lock.

use super::matching::Matcher;
use super::question::{Class, Question, Term};
use super::unit::EvidenceUnit;
use crate::wordnet::WordNet;
use elenchus_core::text::{is_stop_word, stem, words};

/// What leads to a place. "Of" and "for" lead to anything.
const LEADS: [&str; 14] = [
    "on", "in", "at", "along", "under", "inside", "within", "through", "aboard", "onto", "beside",
    "above", "below", "over",
];
/// Words between these and the noun.
const ARTICLES: [&str; 7] = ["the", "our", "your", "its", "their", "this", "that"];
/// Stems of nouns that say when or how, or where one pays, and no place that has figures of its own.
const NO_PLACES: [&str; 40] = [
    "end",
    "begin",
    "start",
    "time",
    "day",
    "week",
    "month",
    "quarter",
    "year",
    "season",
    "morn",
    "afternoon",
    "even",
    "night",
    "summer",
    "winter",
    "spring",
    "autumn",
    "past",
    "futur",
    "first",
    "second",
    "half",
    "case",
    "event",
    "averag",
    "total",
    "moment",
    "date",
    "hour",
    "weekend",
    "holiday",
    "door",
    "gate",
    "meantim",
    "period",
    "referendum",
    "elect",
    "vote",
    "contract",
];
/// Words by which a statement holds anywhere.
const ANYWHERE: [&str; 7] =
    ["all", "any", "every", "everywhere", "anywhere", "whole", "throughout"];
/// Likeness by the dictionary from which one place may be called by the other's name.
const MAY_BE: f32 = 0.35;
/// Likeness from which a word of the unit is another word for the place.
const SAID: f64 = 0.7;
/// Most words of a place.
const MOST: usize = 3;

/// Whether a unit tells the asked figure of one place, and the question asks for that of another which is named nowhere about it.
pub(super) fn is_of_other_place(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
) -> bool {
    if !question.expects.is_figure() {
        return false;
    }
    let asked = words(&question.text.to_lowercase());
    let said = words(&unit.text.to_lowercase());
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    if has(&ANYWHERE) {
        return false;
    }
    let nouns = || question.terms.iter().filter(|term| is_noun(term));
    // A tagger may take "limit" behind "depth" for a verb.
    let mut figures = question.terms.iter().filter(|term| !term.light && !term.hard);
    figures.any(|figure| {
        // "The limit on the towpath": the place ends the question, so that nothing else is asked of it.
        let place = place_behind(&asked, &figure.stem).filter(|place| place.last() == asked.last());
        let Some(place) = place else { return false };
        let Some(other) = place_behind(&said, &figure.stem) else { return false };
        let Some(term) = nouns().find(|term| Some(&term.word) == place.last()) else {
            return false;
        };
        let Some(noun) = other.last() else { return false };
        let named = unit.words.iter().any(|word| matcher.likeness(term, word) >= SAID);
        let may_be = stem(noun) == term.stem
            || WordNet::builtin().strength(&term.word, noun) >= MAY_BE
            || WordNet::builtin().strength(noun, &term.word) >= MAY_BE;
        !named && !may_be && !place.iter().any(|word| other.contains(word))
    })
}

fn is_noun(term: &Term) -> bool {
    term.class == Class::Noun && !term.light && !term.hard
}

/// The words of the place that a noun is set in, right behind it: "limit on the old canal" has "old" and "canal". `None` without one,
/// or where it is a time.
fn place_behind(all: &[String], noun: &str) -> Option<Vec<String>> {
    let at = all.iter().position(|word| stem(word) == noun)?;
    let [lead, article, rest @ ..] = all.get(at + 1..)? else { return None };
    if !LEADS.contains(&lead.as_str()) || !ARTICLES.contains(&article.as_str()) {
        return None;
    }
    let place: Vec<String> =
        rest.iter().take_while(|word| !is_stop_word(word)).take(MOST).cloned().collect();
    let is_place = !place.is_empty()
        && place.iter().all(|word| {
            !NO_PLACES.contains(&stem(word).as_str()) && word.chars().all(char::is_alphabetic)
        });
    is_place.then_some(place)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn other(question: &str, heading: &str, text: &str) -> bool {
        let passages = [document("rules", heading, text)];
        let units = evidence_units(&passages);
        is_of_other_place(&Question::parse(question, &[]), &units[0], &Matcher::new())
    }

    #[test]
    fn the_figure_of_one_place_is_not_that_of_another() {
        let depth = "The depth limit in the basin is 3 metres.";
        assert!(other("What is the depth limit in the tunnel?", "Rules", depth));
        let fee = "The fee on the ferry is 4 pounds.";
        assert!(other("What is the fee on the bridge?", "Rules", fee));
        let warm = "The temperature in the kiln is 900 degrees.";
        assert!(other("What is the temperature in the cellar?", "Rules", warm));
    }

    #[test]
    fn the_same_place_a_wider_one_and_a_time_are_let_be() {
        let depth = "The depth limit in the basin is 3 metres.";
        assert!(!other("What is the depth limit in the basin?", "Rules", depth));
        assert!(!other("What is the depth limit?", "Rules", depth));
        assert!(!other("What is the depth limit in the tunnel?", "The tunnel", depth));
        let all = "The depth limit in the basin is 3 metres, as it is everywhere.";
        assert!(!other("What is the depth limit in the tunnel?", "Rules", all));
        let summer = "The fee in the summer is 4 pounds.";
        assert!(!other("What is the fee on the bridge?", "Rules", summer));
        assert!(!other(
            "What is the fee in the winter?",
            "Rules",
            "The fee on the ferry is 4 pounds."
        ));
        assert!(!other(
            "What is the depth limit in the tunnel?",
            "Rules",
            "The limit is 3 metres."
        ));
        let fee = "The fee on the ferry is 4 pounds.";
        assert!(!other("What is the fee on the bridge for a van?", "Rules", fee));
        for lead in ["at the weekend", "at the gate", "at the door", "under the contract"] {
            let text = format!("The fee {lead} is 4 pounds.");
            assert!(!other("What is the fee on the bridge?", "Rules", &text), "{lead}");
            assert!(!other(&format!("What is the fee {lead}?"), "Rules", fee), "{lead}");
        }
        let vote = "The turnout in the referendum was 61 percent.";
        assert!(!other("What was the turnout in the town?", "Votes", vote));
    }
}
