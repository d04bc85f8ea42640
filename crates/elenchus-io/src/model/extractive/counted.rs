//! Counted: what a figure counts by the noun right behind it, where that is another thing than the question counts.
//!
//! "The studio is let with 99 seats for rehearsals" tells no number of rehearsal rooms, however near the rest of it comes. Where
//! the noun may be another word for what is counted, nothing is said.

use super::choice::matches_noun;
use super::clause::is_fields;
use super::lexicon::is_role;
use super::matching::Matcher;
use super::question::{Expects, Question};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use crate::embed::{StaticEmbedder, dot};
use elenchus_core::text::{is_stop_word, stem, words};

/// Likeness from which a noun may be another word for what is counted.
const MAY_BE: f64 = 0.3;
/// Likeness from which a word beside the figure says what it counts.
const SAYS: f64 = 0.7;
/// Cosine of two word vectors from which they are used alike.
const ALIKE: f32 = 0.35;
/// Most words between a figure and the noun that it counts: "12 small wooden boats".
const REACH: usize = 3;
/// Stems of words for people of any kind.
const ANYBODY: [&str; 7] = ["peopl", "people", "person", "staff", "employe", "worker", "member"];

/// Whether the noun behind a figure is another thing than what the question counts.
pub(super) fn counts_another(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> bool {
    if question.expects != Expects::Count || value.kind != ValueKind::Count || is_fields(unit) {
        return false;
    }
    let Some(noun) = &question.counted else { return false };
    let Some(asked) = question.terms.iter().find(|term| term.stem == *noun) else { return false };
    let behind = unit.text.get(value.range.end..).unwrap_or_default();
    let stop = behind.find(['.', ',', ';', ':', '(', ')', '\n']).unwrap_or(behind.len());
    let all = words(&behind[..stop]);
    let phrase: Vec<&String> = all.iter().take_while(|word| !is_stop_word(word)).collect();
    // "12 sets of keys" may count keys.
    let of = all.get(phrase.len()).is_some_and(|next| next == "of");
    let Some(head) = phrase.iter().take(REACH).find(|word| is_plural(word)) else { return false };
    // "How many trees stand in the park": what is counted may be taken for another word of the question.
    let is_asked = question.terms.iter().any(|term| term.stem == stem(head));
    if of
        || is_asked
        || (ANYBODY.contains(&noun.as_str()) && is_somebody(head))
        || are_used_alike(&asked.word, head)
    {
        return false;
    }
    let segment = &unit.segments[unit.segment_of(value.range.start)].range;
    let clause = value.range.end + stop;
    let may_be_meant = |word: &Word| match word.place {
        Place::Unit if value.range.end <= word.at.start && word.at.end <= clause => {
            matcher.likeness(asked, word) >= MAY_BE
        }
        // "Boats: 12 cruisers" counts boats, and so does "12 cruisers" below "Boats".
        Place::Unit if segment.start <= word.at.start && word.at.end <= segment.end => {
            matcher.likeness(asked, word) >= SAYS
        }
        Place::Near => matcher.likeness(asked, word) >= SAYS,
        _ => false,
    };
    !unit.words.iter().any(may_be_meant)
}

/// Whether two words are used so much alike that one may stand for the other, or that cannot be told.
fn are_used_alike(first: &str, second: &str) -> bool {
    let table = StaticEmbedder::builtin();
    match (table.word_vector(first), table.word_vector(second)) {
        (Some(first), Some(second)) => dot(&first, &second) >= ALIKE,
        _ => true,
    }
}

fn is_plural(word: &str) -> bool {
    word.chars().count() > 3 && word.ends_with('s') && !word.ends_with("ss")
}

/// Whether a plural may name people by what they do or are.
fn is_somebody(word: &str) -> bool {
    let one = word.trim_end_matches('s');
    is_role(one)
        || ["er", "or", "ee", "ist", "ant", "ent", "an", "se"].iter().any(|end| one.ends_with(end))
}

/// "The number of children to be admitted is raised to 384": whether the words before a figure, back to the one before, call it the number of
/// a noun, and lead to it.
pub(super) fn is_number_of(before: &str, noun: &str, matcher: &Matcher) -> bool {
    let clause = before.rsplit(['.', ';', ':']).next().unwrap_or_default();
    let clause = clause.rsplit(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
    let all = words(clause);
    let leads = all.last().is_some_and(|last| {
        matches!(
            last.as_str(),
            "to" | "at" | "is" | "was" | "of" | "reached" | "about" | "by" | "exactly"
        )
    });
    let number = all
        .windows(2)
        .position(|pair| matches!(pair[0].as_str(), "number" | "count") && pair[1] == "of");
    leads
        && number.is_some_and(|at| {
            all.iter().skip(at + 2).take(3).any(|word| matches_noun(noun, word, matcher))
        })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn another(question: &str, text: &str) -> bool {
        let passages = [document("a", "Facts", text)];
        let units = evidence_units(&passages);
        let value = units[0].values.iter().find(|value| value.kind == ValueKind::Count);
        let value = value.expect("a figure stands there");
        counts_another(&Question::parse(question, &[]), &units[0], value, &Matcher::new())
    }

    #[test]
    fn the_number_of_a_noun_is_what_a_later_figure_is() {
        let of = |before: &str| is_number_of(before, "child", &Matcher::new());
        assert!(of(
            "In order to keep the power, the number of children to be admitted is raised to "
        ));
        assert!(of("The number of children was "));
        assert!(!of("The number of beds was "));
        assert!(!of("The number of children grew from 20 beds to "));
        assert!(!of("The number of children is unknown; the fee is "));
        assert!(!of("The number of children matters, and so do "));
    }

    #[test]
    fn the_noun_behind_a_figure_is_what_it_counts() {
        let barn = "The barn is let with 40 chairs, to the choir for concerts.";
        assert!(another("How many horses does the barn have?", barn));
        assert!(!another("How many chairs does the barn have?", barn));
        assert!(another("How many horses does the barn have?", "It has 12 small windows."));
    }

    #[test]
    fn another_word_for_it_or_none_stays() {
        assert!(!another("How many people work there?", "The mill employs 30 weavers."));
        assert!(!another("How many keys are there?", "There are 12 sets of keys."));
        assert!(!another("How many boats are there?", "Boats: 12 cruisers"));
        assert!(!another("How many seats are there?", "The upper deck has 45."));
        assert!(!another("How many keys are there?", "Keys: 12; Locks: 9; Doors: 4"));
    }
}
