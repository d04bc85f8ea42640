//! Reasons: a sentence that says why, and what for, in so many words: "As the roof leaked, the puppies were moved".
//!
//! Where everything that a question asks the reason of stands in the part that the reason is given for, the sentence answers
//! whatever else is weighed. "Since" at the beginning of a sentence tells a time as often, and tells nothing here.

use super::clause::is_prose;
use super::lexicon::is_reason;
use super::matching::Matcher;
use super::pronouns::{begins_with_dependent, begins_with_pronoun};
use super::question::{Class, Expects, Question, Term};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::ValueKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Likeness from which a word says what the question says.
const SAYS: f64 = 0.8;
/// What stands first where the reason comes first.
const LEADING: [&str; 5] = ["because of ", "because ", "as ", "owing to ", "on account of "];
/// What stands between what is so and why.
const BETWEEN: [&str; 7] =
    [", because ", " because ", ", as ", ", since ", " owing to ", " on account of ", " so that "];
/// Verbs that say nothing of what is done, as stems.
const BARE: [&str; 9] = ["come", "go", "get", "happen", "occur", "take", "becom", "make", "put"];

/// Whether a unit gives the reason that a question asks for.
pub(super) fn gives(question: &Question, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> bool {
    let why = question.text.get(..4).is_some_and(|first| first.eq_ignore_ascii_case("why "));
    if !why || question.expects != Expects::Reason || !unit.cells.is_empty() {
        return false;
    }
    let Some(said) = explained(unit.text) else { return false };
    let Some(part) = unit.text.get(said.clone()) else { return false };
    if denies(&question.text) != denies(part) {
        return false;
    }
    let back = begins_with_pronoun(unit.text) || begins_with_dependent(unit.text);
    let place = |term: &Term| -> Option<Place> {
        let found = unit.words.iter().filter(|word| match word.place {
            Place::Unit => said.start <= word.at.start && word.at.end <= said.end,
            Place::Near => true,
            Place::Before => back,
            // What a document is called names it, and says nothing of what was done.
            Place::Far => term.hard,
        });
        found.filter(|word| matcher.likeness(term, word) >= SAYS).map(|word| word.place).min()
    };
    let mut here = 0;
    for term in question.terms.iter().filter(|term| !term.light) {
        let bare = term.class == Class::Verb && BARE.contains(&term.stem.as_str());
        match place(term) {
            Some(Place::Unit) => here += 1,
            Some(_) if term.hard || (back && term.class != Class::Verb) => {}
            // A heading over all of a section does not say that this is what it is about.
            Some(_) => return false,
            None if bare || term.class == Class::Adverb => {}
            None => return false,
        }
    }
    here > 0
}

/// Whether a sentence says of what a question asks the reason of no more than that it is so, and when: "The premiere was moved from 3
/// May to 9 May" holds no reason of its being moved.
pub(super) fn says_no_more(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let why = question.text.get(..4).is_some_and(|first| first.eq_ignore_ascii_case("why "));
    if !why || question.expects != Expects::Reason || !is_prose(unit) {
        return false;
    }
    let asked: Vec<String> = words(&question.text).iter().map(|word| stem(word)).collect();
    let is_when = |word: &Word| {
        unit.values.iter().any(|value| {
            matches!(value.kind, ValueKind::Date | ValueKind::Count)
                && value.range.start <= word.at.start
                && word.at.end <= value.range.end
        })
    };
    let mut own = unit
        .words
        .iter()
        .filter(|word| word.place == Place::Unit && !is_stop_word(&word.word))
        .peekable();
    own.peek().is_some()
        && !begins_with_pronoun(unit.text)
        && own.all(|word| asked.contains(&word.stem) || is_when(word))
        // "The roof fell, hence it was moved": stop words may join a reason.
        && explained(unit.text).is_none()
}

/// Whether all that a sentence says of a reason is that there is none: "there is no reason to expect trouble" tells no cause of any.
pub(super) fn says_there_is_none(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    if question.expects != Expects::Reason || !is_prose(unit) {
        return false;
    }
    let all = words(unit.text);
    let mut of_reasons = all.iter().enumerate().filter(|(_, word)| is_reason(word)).peekable();
    let word = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", String::as_str);
    of_reasons.peek().is_some()
        && of_reasons.all(|(at, own)| {
            let (before, second) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
            matches!(own.as_str(), "reason" | "reasons" | "cause")
                && (matches!(before, "no" | "without") || (before == "a" && second == "without"))
        })
        && explained(unit.text).is_none()
}

/// The part of a sentence that it gives a reason for: bytes of the text. `None` where it gives none in one of these forms.
fn explained(text: &str) -> Option<Range<usize>> {
    let lower = text.to_lowercase();
    // Lower-casing may move letters; then nothing can be told.
    if lower.len() != text.len() {
        return None;
    }
    let start = lower.len() - lower.trim_start_matches(|c: char| !c.is_alphabetic()).len();
    for lead in LEADING {
        let Some(rest) = lower[start..].strip_prefix(lead) else { continue };
        let comma = start + lead.len() + rest.find(", ")?;
        let reason = &lower[start + lead.len()..comma];
        if lead == "as " && !is_clause(reason) {
            return None;
        }
        return Some(comma + 2..sentence_end(&lower, comma + 2));
    }
    BETWEEN.iter().find_map(|joint| {
        let at = lower.find(*joint)?;
        let reason = &lower[at + joint.len()..sentence_end(&lower, at + joint.len())];
        let clause = matches!(*joint, ", as " | ", since ");
        let from = lower[..at].rfind(". ").map_or(start, |end| end + 2);
        (from < at && (!clause || is_clause(reason))).then_some(from..at)
    })
}

fn sentence_end(text: &str, from: usize) -> usize {
    text[from..].find(". ").map_or(text.len(), |end| from + end)
}

/// Whether words behind "as" or "since" say that something is so: "as the roof leaked", but not "as agreed", "as of May" or
/// "since 2019".
fn is_clause(lower: &str) -> bool {
    const NO_CLAUSE: [&str; 28] = [
        "of", "for", "to", "from", "in", "at", "on", "well", "usual", "if", "soon", "long", "far",
        "much", "many", "agreed", "a", "an", "before", "ever", "then", "when", "is", "are", "was",
        "were", "has", "had",
    ];
    // "As the board decided" says who said so, and not why.
    const SAID: [&str; 14] = [
        "agreed",
        "announced",
        "asked",
        "decided",
        "described",
        "expected",
        "explained",
        "mentioned",
        "noted",
        "planned",
        "promised",
        "reported",
        "required",
        "stated",
    ];
    let all = words(lower);
    let Some(first) = all.first() else { return false };
    let figure = first.chars().all(|c| c.is_ascii_digit());
    let does = |word: &String| {
        matches!(
            word.as_str(),
            "is" | "are"
                | "was"
                | "were"
                | "has"
                | "have"
                | "had"
                | "will"
                | "would"
                | "can"
                | "cannot"
                | "could"
                | "does"
                | "do"
                | "did"
                | "must"
                | "may"
                | "might"
        ) || word.ends_with("n't")
            || word.ends_with("n\u{2019}t")
            || (word.len() > 4 && word.ends_with("ed"))
    };
    let said = all.iter().any(|word| SAID.contains(&word.as_str()));
    !figure && !said && !NO_CLAUSE.contains(&first.as_str()) && all.iter().skip(1).any(does)
}

fn denies(text: &str) -> bool {
    words(text).iter().any(|word| {
        matches!(word.as_str(), "not" | "no" | "never" | "nobody" | "none" | "cannot")
            || word.ends_with("n't")
            || word.ends_with("n\u{2019}t")
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn told(question: &str, heading: &str, text: &str) -> bool {
        let passages = [document("minutes", heading, text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let matcher = Matcher::new();
        units.iter().any(|unit| gives(&question, unit, &matcher))
    }

    #[test]
    fn a_reason_stands_before_or_after_what_it_explains() {
        let moved = "As the hall was wanted for the election on 4 May, the concert is moved to \
                     11 May.";
        assert!(told("Why was the concert moved?", "3. Concert moved", moved));
        let bill = "The mason came in May. The bill came to \u{a3}310, because two stones had \
                    split.";
        assert!(told("Why did the bill come to \u{a3}310?", "Wall", bill));
        assert!(told(
            "Why is the gate locked?",
            "Gate",
            "The gate is locked so that the sheep stay in the field."
        ));
        assert!(told(
            "Why was the pond closed?",
            "Pond",
            "Owing to the frost, the pond was closed for two weeks."
        ));
    }

    #[test]
    fn what_is_explained_has_to_be_what_is_asked() {
        let moved = "As the concert was moved, the hall is free on 4 May.";
        assert!(!told("Why was the concert moved?", "Concert", moved));
        assert!(!told(
            "Why was the boat sold?",
            "Boats",
            "The boat was not sold, because nobody bid."
        ));
        assert!(!told("Why was the boat sold?", "Boats", "The van was sold, because it rusted."));
    }

    #[test]
    fn that_it_is_so_is_no_reason_of_it() {
        let bare = |question: &str, text: &str| {
            let passages = [document("minutes", "Notes", text)];
            let units = evidence_units(&passages);
            says_no_more(&Question::parse(question, &[]), &units[0])
        };
        let ask = "Why was the regatta moved?";
        assert!(bare(ask, "The regatta was moved from 3 May to 9 May."));
        assert!(!bare(ask, "The regatta was moved after the storm of 3 May."));
        assert!(!bare(ask, "Storm: the regatta was moved."));
        assert!(!bare("When was the regatta moved?", "The regatta was moved to 9 May."));
    }

    #[test]
    fn no_reason_is_no_reason() {
        let none = |text: &str| {
            let passages = [document("minutes", "Notes", text)];
            let units = evidence_units(&passages);
            says_there_is_none(&Question::parse("Why did the well fail?", &[]), &units[0])
        };
        assert!(none("There is no reason to think that the well will fail."));
        assert!(none("The well is never shut without a reason."));
        assert!(!none("The well failed for no reason but the cold, because it had no lid."));
        assert!(!none("The reason was the frost."));
        assert!(!none("The well failed in May."));
    }

    #[test]
    fn as_and_since_without_a_clause_give_no_reason() {
        assert!(!told("Why is the pool open?", "Pool", "As of 1 May, the pool is open again."));
        assert!(!told("Why is the pool open?", "Pool", "As agreed, the pool is open again."));
        assert!(!told("Why is the pool open?", "Pool", "As the board decided, the pool is open."));
        assert!(!told("Why is the pool open?", "Pool", "The pool is open, as was agreed in May."));
        assert!(!told("Why is the pool open?", "Pool", "- so that the pool is open."));
        assert!(!told("Why is the pool open?", "Pool", "The pool is open, since 2019, all year."));
        assert!(!told("When was the pool closed?", "Pool", "As it leaked, the pool was closed."));
    }
}
