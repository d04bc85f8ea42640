//! Clauses: who does what. A name answers "who" only as the doer of the verb that the question asks about.

use super::expects::AUXILIARIES;
use super::matching::Matcher;
use super::question::{Class, Expects, Question, Term};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use crate::ingest::UnitKind;
use elenchus_core::text::{is_stop_word, words};

/// From this likeness on a word of the unit is the verb of the question.
const SAME_VERB: f64 = 0.6;

/// Running text: no table row, no list item, no "Label: value".
pub(super) fn is_prose(unit: &EvidenceUnit<'_>) -> bool {
    unit.kind == UnitKind::Sentence && unit.cells.is_empty() && !has_label(unit.text)
}

/// Fields of a record: "name: Tern; depth: 34; model: K7".
pub(super) fn is_fields(unit: &EvidenceUnit<'_>) -> bool {
    !unit.cells.is_empty()
        || unit.text.split("; ").filter(|field| field.contains(": ")).count() >= 3
}

/// Whether a line is running text to a question: prose, or led by a label that the question does not name.
pub(super) fn is_told(question: &Question, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> bool {
    if is_prose(unit) {
        return true;
    }
    if unit.kind != UnitKind::Sentence && unit.kind != UnitKind::Item || is_fields(unit) {
        return false;
    }
    let Some((label, _)) = unit.text.split_once(':') else { return false };
    // "Above 20%: the director" is a field of its own.
    if words(label).len() <= 2 {
        return false;
    }
    !unit.words.iter().any(|word| {
        word.place == Place::Unit
            && !word.at.is_empty()
            && word.at.end <= label.len()
            && question
                .terms
                .iter()
                .any(|term| !term.light && matcher.likeness(term, word) >= SAME_VERB)
    })
}

fn has_label(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(label, _)| {
        label.split_whitespace().count() <= 6 && !label.contains(['"', '“', '.'])
    })
}

/// Verbs that say something, in order.
fn verbs(question: &Question) -> impl Iterator<Item = &Term> {
    question.terms.iter().filter(|term| term.class == Class::Verb && !term.hard && !term.light)
}

fn own_words<'a>(unit: &'a EvidenceUnit<'_>) -> Vec<&'a Word> {
    unit.words.iter().filter(|word| word.place == Place::Unit && !word.at.is_empty()).collect()
}

/// Words that may stand between a doer and the verb.
fn is_between(word: &str) -> bool {
    !matches!(
        word,
        "of" | "to"
            | "by"
            | "with"
            | "from"
            | "for"
            | "in"
            | "and"
            | "or"
            | "on"
            | "at"
            | "was"
            | "were"
            | "is"
            | "are"
            | "been"
            | "be"
            | "not"
            | "after"
            | "before"
            | "than"
            | "as"
            | "he"
            | "she"
            | "they"
            | "it"
            | "i"
            | "we"
            | "you"
            | "his"
            | "her"
            | "their"
            | "him"
            | "them"
    ) && (is_stop_word(word)
        || AUXILIARIES.contains(&word)
        || word.ends_with("ly")
        || matches!(word, "himself" | "herself" | "also" | "then" | "first" | "later" | "once"))
}

/// Whether a name is the doer of a verb of the question: its subject, or named with "by" after it.
pub(super) fn is_doer(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> bool {
    let own = own_words(unit);
    own.iter().any(|word| {
        if !verbs(question).any(|verb| matcher.likeness(verb, word) >= SAME_VERB)
            || !(has_object(question, &own, word, matcher)
                || stands_for_object(question, unit, word))
        {
            return false;
        }
        if question.recipient {
            // "To whom": named after the verb, not before it.
            return word.at.end <= value.range.start
                && words(&unit.text[word.at.end..value.range.start]).len() <= 5
                && words(&unit.text[..value.range.start]).last().is_some_and(|word| {
                    matches!(word.as_str(), "to" | "unto" | "for" | "upon" | "with" | "on")
                });
        }
        if value.range.end <= word.at.start {
            let between = unit.text[value.range.end..word.at.start].trim();
            // "Ann Lee, the harbour master, opened it".
            let named = words(between).first().is_some_and(|word| {
                matches!(word.as_str(), "the" | "a" | "an" | "his" | "her" | "its" | "our" | "then")
            });
            let aside = named
                && (between.starts_with(',') && between.ends_with(',')
                    || between.starts_with('(') && between.ends_with(')'));
            // "The son of Ben opened it": the son did.
            let governed = words(&unit.text[..value.range.start]).last().is_some_and(|word| {
                matches!(
                    word.as_str(),
                    "of" | "in" | "at" | "to" | "from" | "with" | "on" | "for" | "unto"
                )
            });
            !governed && (aside || words(between).iter().all(|word| is_between(word)))
        } else if word.at.end <= value.range.start {
            let between = words(&unit.text[word.at.end..value.range.start]);
            let by = between.iter().rposition(|word| matches!(word.as_str(), "by" | "from"));
            by.is_some_and(|by| by <= 8 && between.len() - by <= 3)
        } else {
            false
        }
    })
}

/// Whether a pronoun that begins the sentence stands for what the question names, and the verb is the sentence's own: "It was
/// designed by Ann Lee", under the title that names it.
fn stands_for_object(question: &Question, unit: &EvidenceUnit<'_>, verb: &Word) -> bool {
    /// Words between the pronoun and its verb: "It has since been widely".
    const REACH: usize = 5;
    let before = words(&unit.text[..verb.at.start]);
    let Some((first, between)) = before.split_first() else { return false };
    if first != "it" || between.len() > REACH || !between.iter().all(|word| is_passive_lead(word)) {
        return false;
    }
    let source = &unit.read.source;
    let heading = unit.read.passage.heading_path.last().map_or("", String::as_str);
    let named: Vec<String> = words(&source.title).into_iter().chain(words(heading)).collect();
    let mut names = question.terms.iter().filter(|term| term.hard).peekable();
    names.peek().is_some() && names.all(|term| named.contains(&term.word))
}

/// What stands between a subject and its verb in the passive.
fn is_passive_lead(word: &str) -> bool {
    matches!(word, "was" | "were" | "is" | "are" | "been" | "be" | "has" | "had" | "have")
        || is_between(word)
}

/// Whether something of what is done stands near the verb, when the question names it.
fn has_object(question: &Question, own: &[&Word], verb: &Word, matcher: &Matcher) -> bool {
    const REACH: usize = 9;
    let mut objects = question
        .terms
        .iter()
        .filter(|term| term.hard || (term.class == Class::Noun && !term.light))
        .peekable();
    if objects.peek().is_none() {
        return true;
    }
    let objects: Vec<&Term> = objects.collect();
    let Some(at) = own.iter().position(|word| word.at == verb.at) else { return true };
    own[at.saturating_sub(REACH)..(at + REACH + 1).min(own.len())]
        .iter()
        .any(|word| objects.iter().any(|term| matcher.likeness(term, word) >= SAME_VERB))
}

/// Whether the question asks who does something, in the active voice: "Who wrote the letter?".
pub(super) fn asks_for_doer(question: &Question) -> bool {
    question.expects == Expects::Agent
        && (question.doer || question.recipient)
        && verbs(question).next().is_some()
}

/// Whether a line is led by what was done and nothing else, the verb of the question: "Founded:", but not "Founded by:".
pub(super) fn is_labelled_deed(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
) -> bool {
    let Some((label, _)) = unit.text.split_once(':') else { return false };
    let mut own = unit.words.iter().filter(|word| {
        word.place == Place::Unit && !word.at.is_empty() && word.at.end <= label.len()
    });
    let (Some(deed), None) = (own.next(), own.next()) else { return false };
    asks_for_doer(question) && verbs(question).any(|verb| matcher.likeness(verb, deed) >= SAME_VERB)
}

/// Most words from "than" to the verb of what is compared with.
const COMPARED: usize = 3;

/// Whether the verb of the question stands in the unit only with another subject: "Ann lived here nine years" does
/// not tell how long Ben did.
pub(super) fn has_other_subject(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
) -> bool {
    if question.subject.is_empty() || !is_prose(unit) {
        return false;
    }
    let own = own_words(unit);
    let mut foreign = 0;
    for (at, word) in own.iter().enumerate() {
        if !verbs(question).any(|verb| matcher.likeness(verb, word) >= SAME_VERB) {
            continue;
        }
        // "Wendlow takes 22, which is more than Norvane takes": what is compared with has a figure of its own.
        if own[..at].iter().rev().take(COMPARED).any(|word| word.word == "than") {
            continue;
        }
        let before = own[..at].iter().rev().find(|word| !is_between(&word.word));
        let name = before.and_then(|before| {
            unit.values.iter().find(|value| {
                matches!(value.kind, ValueKind::Name | ValueKind::Person)
                    && value.range.start <= before.at.start
                    && before.at.end <= value.range.end
            })
        });
        let other = name.is_some_and(|name| {
            !words(&unit.text[name.range.clone()])
                .iter()
                .any(|word| question.subject.contains(word))
        });
        if !other {
            return false;
        }
        foreign += 1;
    }
    foreign > 0
}

/// Whether the last name before a value is someone else's than the question's subject.
pub(super) fn belongs_to_other(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
) -> bool {
    if question.subject.is_empty() || !is_prose(unit) {
        return false;
    }
    unit.values
        .iter()
        .rfind(|other| {
            matches!(other.kind, ValueKind::Name | ValueKind::Person)
                && other.range.end <= value.range.start
        })
        .is_some_and(|name| {
            !words(&unit.text[name.range.clone()]).iter().any(|w| question.subject.contains(w))
        })
}

/// Whether a value stands beside the noun that names its kind: "the Hebrew language", "language: Hebrew".
pub(super) fn beside_head(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> Option<bool> {
    let head = &question.terms[question.head?];
    let places: Vec<&Word> =
        own_words(unit).into_iter().filter(|word| matcher.likeness(head, word) >= 0.7).collect();
    if places.is_empty() {
        return None;
    }
    Some(places.iter().any(|word| {
        let between = if word.at.end <= value.range.start {
            &unit.text[word.at.end..value.range.start]
        } else if value.range.end <= word.at.start {
            &unit.text[value.range.end..word.at.start]
        } else {
            return true;
        };
        words(between).len() <= 2
    }))
}

/// Whether a name stands where places stand: after a preposition of place, without "a" or "an".
pub(super) fn stands_as_place(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    if !is_prose(unit) {
        return true;
    }
    let before = words(&unit.text[..value.range.start]);
    let mut last = before.iter().rev();
    let first = last.next().map_or("", String::as_str);
    let preposition = |word: &str| {
        matches!(
            word,
            "in" | "at"
                | "to"
                | "from"
                | "near"
                | "into"
                | "on"
                | "unto"
                | "towards"
                | "toward"
                | "inside"
                | "outside"
                | "between"
                | "through"
                | "for"
                | "of"
                | "and"
                | "is"
                | "was"
        )
    };
    preposition(first)
        || (matches!(first, "the" | "our" | "its")
            && last.next().is_some_and(|word| preposition(word)))
        || before.is_empty()
        || !first.is_empty()
            && !matches!(first, "a" | "an")
            && unit.text[..value.range.start].trim_end().ends_with(',')
}

/// Names that stand after "of" in the question must stand in the sentence itself, not only in its title.
pub(super) fn owner_is_here(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    question.owner.iter().all(|owner| {
        unit.words
            .iter()
            .any(|word| matches!(word.place, Place::Unit | Place::Near) && word.word == *owner)
    })
}
