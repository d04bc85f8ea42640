//! Particles: what stands right behind a verb and makes another verb of it. What was put off was not put out, and who reported on a
//! theft did not report it.

use super::question::{Class, Question, Term};
use super::unit::EvidenceUnit;
use elenchus_core::text::{stem, words};

/// Words behind a verb that are a part of it.
pub(super) const PARTICLES: [&str; 7] = ["out", "off", "up", "down", "away", "back", "over"];
/// Those that are as often the beginning of a time or a place: they are a part of the verb only at the end of a question.
const AT_END: [&str; 2] = ["on", "in"];
/// Words between a verb and its object that make another deed of it: "reported on the theft".
const TURNS: [&str; 5] = ["on", "about", "against", "after", "off"];
/// What may stand between these and the object.
const ARTICLES: [&str; 8] = ["the", "a", "an", "this", "that", "its", "their", "our"];
/// Words of a clause among which the particle of its verb stands: "put the fire out".
const REACH: usize = 4;

/// Whether a unit has a verb of the question with another particle, or with a preposition before the object that the question gives it,
/// and nowhere as the question has it.
pub(super) fn is_other_verb(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let asked = words(&question.text.to_lowercase());
    let said = words(&unit.text.to_lowercase());
    question
        .terms
        .iter()
        .filter(|term| !term.hard && is_deed(term))
        .any(|term| has_other_particle(term, &asked, &said) || turns_to_object(term, &asked, &said))
}

/// Whether a term is a verb; "turned" may be taken for something else.
fn is_deed(term: &Term) -> bool {
    term.class == Class::Verb || term.word.ends_with("ed")
}

/// The places of a verb in a text.
fn places<'t>(term: &Term, text: &'t [String]) -> impl Iterator<Item = usize> + use<'t> {
    let wanted = term.stem.clone();
    text.iter().enumerate().filter(move |(_, word)| stem(word) == wanted).map(|(at, _)| at)
}

fn has_other_particle(term: &Term, asked: &[String], said: &[String]) -> bool {
    let Some(at) = places(term, asked).next() else { return false };
    let is_particle = |word: &String| PARTICLES.contains(&word.as_str());
    let last = asked.last().filter(|last| {
        (is_particle(last) || AT_END.contains(&last.as_str()))
            && at + REACH >= asked.len().saturating_sub(1)
    });
    // "Went up to" leads on.
    let next = asked.get(at + 1).filter(|next| {
        is_particle(next) && asked.get(at + 2).is_none_or(|word| word != "to" && word != "of")
    });
    let Some(wanted) = next.or(last) else { return false };
    let behind = |at: usize| said.iter().skip(at + 1).take(REACH);
    let mut found = places(term, said).peekable();
    found.peek().is_some()
        && !places(term, said).any(|at| behind(at).any(|word| word == wanted))
        && found.any(|at| behind(at).next().is_some_and(is_particle))
}

fn turns_to_object(term: &Term, asked: &[String], said: &[String]) -> bool {
    let object_behind = |text: &[String], from: usize| {
        let mut rest = text.iter().skip(from);
        rest.find(|word| !ARTICLES.contains(&word.as_str())).map(|word| stem(word))
    };
    // Only an article tells that what follows the verb is its object.
    let Some(at) = places(term, asked)
        .find(|at| asked.get(at + 1).is_some_and(|next| ARTICLES.contains(&next.as_str())))
    else {
        return false;
    };
    let Some(object) = object_behind(asked, at + 1) else { return false };
    let turned = |at: usize| {
        said.get(at + 1).is_some_and(|next| TURNS.contains(&next.as_str()))
            && object_behind(said, at + 2).as_ref() == Some(&object)
    };
    let mut found = places(term, said).peekable();
    found.peek().is_some() && found.all(turned)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn other(question: &str, text: &str) -> bool {
        let passages = [document("a", "Facts", text)];
        let units = evidence_units(&passages);
        is_other_verb(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn another_particle_is_another_verb() {
        assert!(other("When was the alarm turned off?", "The alarm was turned up at noon."));
        assert!(other("When was the stove put out?", "The sale was put off until 12 May."));
        assert!(!other("When was the stove put out?", "They put the stove out at noon."));
        assert!(!other("When was the stove put out?", "The stove was extinguished at noon."));
        assert!(!other("When was the stove put out?", "The damage was put at 300 euros."));
        assert!(!other("When did it go up to 40?", "It went down after that."));
    }

    #[test]
    fn who_spoke_on_it_did_not_do_it() {
        assert!(other("Who reported the theft?", "Ms Hale reported on the theft of March."));
        assert!(!other("Who reported the theft?", "Ms Hale reported the theft."));
        assert!(!other("Who reported the theft?", "The theft was reported on 4 May by Ms Hale."));
        assert!(!other("Who opened the show?", "Ms Hale opened on 4 May what the show is."));
        assert!(!other("Who reported on the theft?", "Ms Hale reported on the theft."));
    }
}
