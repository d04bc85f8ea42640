//! Own subjects: a sentence that speaks of another thing than its title names.
//!
//! Under "Arlen", a page about a town, "the town was chartered in 1310" is about Arlen and "the college was chartered in 1822" is not.
//! A title is taken for the subject of every sentence under it, so that both bind "When was Arlen chartered?". They are told apart only
//! where the document says what its title is, and its own words leave no doubt.

use super::bind::BOUND;
use super::clause::is_prose;
use super::expects::AUXILIARIES;
use super::matching::Matcher;
use super::question::{Class, Expects, Question, classes};
use super::unit::{EvidenceUnit, Place};
use crate::ingest::UnitKind;
use crate::wordnet::WordNet;
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::{BTreeMap, BTreeSet};

/// What a place where people live is said to be: nothing that such a place only holds is called so.
const SETTLEMENTS: [&str; 26] = [
    "city",
    "town",
    "village",
    "capital",
    "hamlet",
    "borough",
    "suburb",
    "settlement",
    "metropolis",
    "municipality",
    "community",
    "commune",
    "parish",
    "resort",
    "district",
    "county",
    "province",
    "region",
    "country",
    "state",
    "republic",
    "kingdom",
    "nation",
    "territory",
    "island",
    "colony",
];
/// Nouns that stand for anything that was named: what is meant is not told by them.
const GENERIC: [&str; 38] = [
    "thing",
    "place",
    "site",
    "area",
    "land",
    "location",
    "centre",
    "center",
    "realm",
    "name",
    "building",
    "project",
    "work",
    "company",
    "firm",
    "business",
    "organisation",
    "organization",
    "institution",
    "body",
    "group",
    "enterprise",
    "family",
    "society",
    "part",
    "member",
    "series",
    "kind",
    "type",
    "complex",
    "system",
    "product",
    "model",
    "version",
    "edition",
    "event",
    "whole",
    "unit",
];
/// Of these, nouns that are said of a town or a country as well as of a piece of it.
const SOMEWHERE: [&str; 10] =
    ["thing", "place", "site", "area", "land", "location", "centre", "center", "realm", "name"];
/// Likeness by the dictionary from which a noun is said of what another one names.
const SAYS_SO: f32 = 0.4;

/// What a sentence is about.
struct Subject {
    noun: String,
    /// All words of it.
    words: Vec<String>,
    /// The stem of what is done to it, or of what it does without an object.
    verb: String,
}

/// Notes of every sentence that is about a thing of its own which title or heading it is not about.
pub(super) fn tell(units: &mut [EvidenceUnit<'_>]) {
    let over = all_topics(units);
    // What each title or heading of a document is said to be.
    let mut said: BTreeMap<(String, Vec<String>), BTreeSet<String>> = BTreeMap::new();
    for (unit, topics) in units.iter().zip(&over).filter(|(unit, _)| is_plain(unit)) {
        for topic in topics {
            if let Some(kinds) = said_to_be(topic, unit.text) {
                let source = unit.read.source.id.0.clone();
                said.entry((source, topic.clone())).or_default().extend(kinds);
            }
        }
    }
    let mut noted: Vec<(usize, Vec<String>)> = Vec::new();
    for ((source, topic), kinds) in &said {
        if kinds.iter().any(|kind| may_be_person(kind)) {
            continue;
        }
        let is_place = kinds.iter().any(|kind| among(&SETTLEMENTS, kind));
        let is_vague = kinds.iter().any(|kind| among(&GENERIC, kind));
        let is_it = |one: &Subject| {
            is_named(topic, one) || kinds.iter().any(|kind| is_said_for(kind, &one.noun))
        };
        let subjects: Vec<(usize, Subject)> = units
            .iter()
            .zip(&over)
            .enumerate()
            .filter(|(_, (unit, topics))| {
                unit.read.source.id.0 == *source && topics.contains(topic) && is_plain(unit)
            })
            .filter_map(|(at, (unit, _))| Some((at, subject(unit.text)?)))
            .collect();
        // What the document tells of the title's own thing.
        let told: BTreeSet<&str> = subjects
            .iter()
            .filter(|(_, one)| is_it(one))
            .map(|(_, one)| one.verb.as_str())
            .collect();
        for (at, one) in subjects.iter().filter(|(_, one)| !is_it(one)) {
            let in_the_place = is_place && !among(&SOMEWHERE, &one.noun);
            let set_apart =
                !is_vague && !among(&GENERIC, &one.noun) && told.contains(one.verb.as_str());
            if in_the_place || set_apart {
                noted.push((*at, topic.clone()));
            }
        }
    }
    for (at, topic) in noted {
        units[at].not_about.push(topic);
    }
}

/// Whether a question names nothing but a title that the sentence is not about: it asks what became of the one, and the sentence
/// tells it of the other.
pub(super) fn is_of_its_own(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
) -> bool {
    let asks_a_deed = matches!(
        question.expects,
        Expects::Date | Expects::Person | Expects::Agent | Expects::Place
    );
    if unit.not_about.is_empty() || !asks_a_deed || question.kind != QuestionKind::Lookup {
        return false;
    }
    let mut others = question.terms.iter().filter(|term| {
        !term.hard && !term.light && term.class == Class::Noun && !is_participle(&term.word)
    });
    let named: Vec<&String> =
        question.terms.iter().filter(|term| term.hard).map(|term| &term.word).collect();
    if others.next().is_some() || named.is_empty() {
        return false;
    }
    let Some(one) = subject(unit.text) else { return false };
    let is_asked = unit.words.iter().filter(|word| word.place == Place::Unit).any(|word| {
        let mut terms = question.terms.iter().filter(|term| !term.light);
        named.contains(&&word.word)
            || one.words.contains(&word.word)
                && terms.any(|term| matcher.likeness(term, word) >= BOUND)
    });
    let is_topic = |topic: &Vec<String>| named.iter().all(|name| topic.contains(name));
    !is_asked && unit.not_about.iter().any(is_topic)
}

/// A sentence of running text.
fn is_plain(unit: &EvidenceUnit<'_>) -> bool {
    unit.kind == UnitKind::Sentence && is_prose(unit) && !unit.is_note
}

/// For each unit the words of its title and of each heading over it.
fn all_topics(units: &[EvidenceUnit<'_>]) -> Vec<Vec<Vec<String>>> {
    let mut all: Vec<Vec<Vec<String>>> = Vec::new();
    let mut home: Option<&str> = None;
    for unit in units {
        let passage = unit.read.passage.id.0.as_str();
        let known = all.last().filter(|_| home == Some(passage)).cloned();
        all.push(known.unwrap_or_else(|| topics(unit)));
        home = Some(passage);
    }
    all
}

fn topics(unit: &EvidenceUnit<'_>) -> Vec<Vec<String>> {
    let over = unit.read.passage.heading_path.iter().chain([&unit.read.source.title]);
    let mut topics: Vec<Vec<String>> = over.map(|text| words(text)).collect();
    topics.retain(|topic| topic.iter().any(|word| !is_stop_word(word)));
    topics.sort();
    topics.dedup();
    topics
}

/// What the first words of a sentence, the topic itself, are said to be: "Arlen is a town and a port on the Isk" has "town" and
/// "port".
fn said_to_be(topic: &[String], text: &str) -> Option<Vec<String>> {
    let begins = |word: &String| text.to_lowercase().contains(word.as_str());
    if !topic.first().is_some_and(begins) {
        return None;
    }
    let all = words(&without_brackets(text));
    let the = ["the".to_owned()];
    let rest = all.strip_prefix(&the).unwrap_or(&all);
    let topic = topic.strip_prefix(&the).unwrap_or(topic);
    let [verb, article, rest @ ..] = rest.strip_prefix(topic)? else { return None };
    let is_said = matches!(verb.as_str(), "is" | "was" | "are" | "were")
        && matches!(article.as_str(), "a" | "an" | "the" | "one");
    if !is_said {
        return None;
    }
    // "One of the oldest towns".
    let rest = match rest {
        [of, the, rest @ ..] if of == "of" && the == "the" => rest,
        other => other,
    };
    let mut kinds: Vec<String> = Vec::new();
    let mut last: Option<&String> = None;
    for (at, word) in rest.iter().enumerate() {
        if !is_stop_word(word) {
            last = Some(word);
            continue;
        }
        kinds.extend(last.take().cloned());
        // "A town and a port": the next one is said as well.
        let article = |word: &String| matches!(word.as_str(), "a" | "an");
        let goes_on = article(word) || word == "and" && rest.get(at + 1).is_some_and(article);
        if !goes_on {
            break;
        }
    }
    kinds.extend(last.cloned());
    (!kinds.is_empty()).then_some(kinds)
}

/// A text without what stands in brackets.
fn without_brackets(text: &str) -> String {
    let mut depth = 0usize;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// What a sentence begins with, if that is a definite thing in plain words to which something is done, or that does something without
/// an object: "The old college was moved", "The college opened in May". Of "The council governs the town" the town may be meant.
fn subject(text: &str) -> Option<Subject> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    if !matches!(*tokens.first()?, "The" | "Its") {
        return None;
    }
    let classes = classes(&text.to_lowercase());
    let own: Vec<String> = classes
        .iter()
        .skip(1)
        .take_while(|(word, class)| {
            *class == Class::Noun && !is_stop_word(word) && !AUXILIARIES.contains(&word.as_str())
        })
        .map(|(word, _)| word.clone())
        .collect();
    // As they are written: a capital makes a name of it, a mark ends the phrase.
    let written = tokens.get(1..=own.len())?;
    if own.iter().zip(written).any(|(word, written)| word.as_str() != *written) {
        return None;
    }
    let noun = own.last().filter(|noun| !noun.ends_with("ed"))?.clone();
    let rest: Vec<&str> =
        classes.iter().skip(1 + own.len()).map(|(word, _)| word.as_str()).collect();
    let is_verb = |word: &str| {
        let is_tagged = || classes.iter().any(|(own, tag)| own == word && *tag == Class::Verb);
        !is_stop_word(word) && (is_participle(word) || is_tagged())
    };
    let mut after =
        rest.iter().skip_while(|word| matches!(**word, "has" | "had" | "have" | "been"));
    let first = *after.next()?;
    let is_done = matches!(first, "was" | "were" | "is" | "are") || rest.get(1) == Some(&"been");
    let verb = if is_done {
        std::iter::once(first).chain(after.copied()).find(|word| is_verb(word))?
    } else {
        let alone = after.next().is_none_or(|next| matches!(*next, "in" | "on" | "at" | "by"));
        Some(first).filter(|first| alone && is_verb(first))?
    };
    Some(Subject { noun, words: own, verb: stem(verb) })
}

/// "Chartered" is a deed also where it is taken for an adjective.
fn is_participle(word: &str) -> bool {
    const SHORTEST: usize = 5;
    word.ends_with("ed") && word.chars().count() >= SHORTEST
}

/// Whether a subject has a word of the topic: under "Old Bridge", "the bridge" is it.
fn is_named(topic: &[String], one: &Subject) -> bool {
    let mut stems = topic.iter().filter(|word| !is_stop_word(word)).map(|word| stem(word));
    stems.any(|of_topic| one.words.iter().any(|word| stem(word) == of_topic))
}

/// Whether a noun is said for what is called a kind.
fn is_said_for(kind: &str, noun: &str) -> bool {
    stem(kind) == stem(noun)
        || among(&SETTLEMENTS, kind) && among(&SETTLEMENTS, noun)
        || WordNet::builtin().strength(kind, noun) >= SAYS_SO
}

/// Whether a noun, or what it is the plural of, is in a list.
fn among(list: &[&str], noun: &str) -> bool {
    let stem_of = stem(noun);
    list.iter().any(|known| *known == noun || stem(known) == stem_of)
}

/// Whether a noun may be that of a person: what is said of people has more names than a rule can know.
fn may_be_person(kind: &str) -> bool {
    const ENDINGS: [&str; 9] = ["er", "or", "ist", "ian", "man", "woman", "ess", "ant", "ent"];
    const PEOPLE: [&str; 16] = [
        "king", "queen", "prince", "duke", "poet", "monk", "nun", "saint", "general", "child",
        "son", "wife", "judge", "chef", "god", "spy",
    ];
    let is_of_people = PEOPLE.contains(&kind) || ENDINGS.iter().any(|end| kind.ends_with(end));
    is_of_people && !among(&SETTLEMENTS, kind)
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    /// Of the sentences of a page those that are of their own to a question.
    fn apart(question: &str, title: &str, text: &str) -> Vec<String> {
        let mut passages = [document("page", title, text)];
        passages[0].source.title = title.to_owned();
        let units = evidence_units(&passages);
        let (question, matcher) = (Question::parse(question, &[]), Matcher::new());
        let own = units.iter().filter(|unit| is_of_its_own(&question, unit, &matcher));
        own.map(|unit| unit.text.to_owned()).collect()
    }

    const ARLEN: &str = "Arlen (formerly Arl) is a market town on the Wend. \
         The town was chartered in 1310. The old college was chartered in 1822. \
         Its college was moved in 1830.";

    #[test]
    fn a_thing_in_a_town_is_not_the_town() {
        let when = "When was Arlen chartered?";
        assert_eq!(apart(when, "Arlen", ARLEN)[0], "The old college was chartered in 1822.");
        assert!(
            !apart(when, "Arlen", ARLEN).contains(&"The town was chartered in 1310.".to_owned())
        );
        // Who asks for the college means the college.
        assert!(apart("When was the college of Arlen chartered?", "Arlen", ARLEN).is_empty());
        assert!(apart("When was Wendham chartered?", "Arlen", ARLEN).is_empty(), "another name");
    }

    #[test]
    fn the_town_answers_for_its_title() {
        let mut passages = [document("page", "Arlen", ARLEN)];
        passages[0].source.title = "Arlen".to_owned();
        let units = evidence_units(&passages);
        let question = Question::parse("When was Arlen chartered?", &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 1));
        let may: Vec<&str> =
            all.iter().filter(|one| one.eligible).map(|one| units[one.unit].text).collect();
        assert_eq!(may, ["The town was chartered in 1310."]);
    }

    #[test]
    fn nothing_is_set_apart_where_words_leave_a_doubt() {
        for (question, title, text) in [
            // Nobody says what the title is.
            ("When was Arlen chartered?", "Arlen", "The college was chartered in 1822."),
            // Another word for it, a generic one, and what the title itself is called.
            (
                "When was Arlen founded?",
                "Arlen",
                "Arlen is a town. The settlement was founded in 900.",
            ),
            ("When was Arlen founded?", "Arlen", "Arlen is a town. The place was founded in 900."),
            (
                "When was Tarn founded?",
                "Tarn",
                "Tarn is a family company. The brewery was founded in 1850.",
            ),
            (
                "When was the Long Bridge built?",
                "Long Bridge",
                "Long Bridge is a bridge in Arlen. The bridge was built in 1850.",
            ),
            // Of people more is said than can be known.
            (
                "When was Ada Reed born?",
                "Ada Reed",
                "Ada Reed was a painter. The artist was born in 1850.",
            ),
            // The title may be what something is done to.
            ("Who governs Arlen?", "Arlen", "Arlen is a town. The council governs the town."),
        ] {
            assert_eq!(apart(question, title, text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_told_of_the_thing_itself_sets_its_parts_apart() {
        let both = "Petrel is a ferry. The ferry was built in 1960. The engine was built in 1955.";
        let found = apart("When was Petrel built?", "Petrel", both);
        assert_eq!(found, ["The engine was built in 1955."]);
        let one = "Petrel is a ferry. The vessel was built in 1955.";
        assert!(apart("When was Petrel built?", "Petrel", one).is_empty());
    }
}
