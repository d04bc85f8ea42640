//! Scope: whether a unit speaks of the place or the thing that a question sets its answer in, or only its document does.
//!
//! "How many gliders may be in the hangar?" is not answered by how many may be launched, though the title of the lease names the
//! airfield and the hangar. What a title of one thing names, all of the document is about; of a title that names several things each
//! unit is about the one that it says itself. Units that fall short of this may answer all the same, but never firmly.

use super::bind::{BOUND, Bound};
use super::clause::{is_fields, is_prose};
use super::expects::AUXILIARIES;
use super::house::is_house;
use super::matching::{Commonness, Matcher};
use super::question::{Class, Expects, Question, Term, classes};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::BTreeSet;

/// Likeness from which a word of the unit says what the question calls otherwise.
const SAYS_IT: f64 = 0.7;
/// Fewest names that are a list.
const LISTED: usize = 3;
/// Words that may stand between a noun and what leads to it.
const DETERMINERS: [&str; 14] = [
    "the", "a", "an", "this", "that", "these", "those", "our", "your", "their", "its", "each",
    "every", "any",
];
/// Words that set what is asked in a place, or in relation to a thing.
const SETTINGS: [&str; 21] = [
    "in", "on", "at", "near", "under", "inside", "outside", "within", "into", "onto", "beside",
    "behind", "above", "below", "beneath", "around", "aboard", "over", "through", "for", "with",
];
/// Auxiliaries that lead to whoever does what is asked about: "does the hangar hold".
const BEFORE_DOERS: [&str; 10] =
    ["do", "does", "did", "can", "could", "may", "might", "must", "will", "should"];
/// Stems of nouns that say when or how a figure is taken, and set it in no place.
const MANNERS: [&str; 24] = [
    "end", "begin", "start", "moment", "present", "date", "time", "day", "week", "month",
    "quarter", "year", "season", "past", "futur", "total", "averag", "case", "fact", "number",
    "amount", "size", "kind", "rate",
];
/// Stems of what papers are called: a title names them first, and two of them are one paper.
const PAPERS: [&str; 16] = [
    "term",
    "condit",
    "rule",
    "regul",
    "minut",
    "note",
    "report",
    "polici",
    "handbook",
    "guid",
    "procedur",
    "instruct",
    "paper",
    "document",
    "list",
    "agreement",
];
/// Stems of verbs that only say that something is there or somebody has it.
const HOLDS: [&str; 22] = [
    "hold", "contain", "house", "sleep", "seat", "stand", "store", "keep", "kept", "accommod",
    "includ", "provid", "offer", "employ", "work", "consist", "compris", "number", "total", "own",
    "remain", "exist",
];

/// Whether what the question sets its answer in, or asks to be done, is said by no more than the title, or not at all.
pub(super) fn is_out_of_scope(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    common: &Commonness,
) -> bool {
    if question.kind != QuestionKind::Lookup
        || question.verse.is_some()
        || question.expects == Expects::List
    {
        return false;
    }
    let counted = question.expects == Expects::Count && !is_fields(unit);
    // "How many boats were sold?" over how many were painted.
    if counted && asks_a_deed(question) && does_otherwise(question, unit, matcher) {
        return true;
    }
    if question.expects.is_figure() && is_of_all_listed(question, unit) {
        return true;
    }
    if is_titled_otherwise(question, unit, common) {
        return true;
    }
    let all = words(&question.text);
    let mut nouns = question.terms.iter().filter(|term| {
        term.class == Class::Noun
            && !term.light
            && !term.hard
            && !term.narrows
            && !MANNERS.contains(&term.stem.as_str())
            && question.counted.as_ref() != Some(&term.stem)
            && !is_house(question, term, common)
    });
    nouns.any(|term| {
        let Some(lead) = lead(question, &all, term) else { return false };
        match said(term, unit, matcher) {
            Said::Here => false,
            Said::InTitle { among_others } => {
                sets(question, lead)
                    && (among_others || counted && does_otherwise(question, unit, matcher))
            }
            Said::Nowhere => {
                question.expects.is_figure()
                    && (lead == "of" || SETTINGS.contains(&lead) || is_subject(question, lead))
                    && !is_narrowed(question, term)
                    && common.count(&term.word).unwrap_or(0) > 0
            }
        }
    })
}

/// "46 flats in four blocks: Ash, Birch and Cedar", where those in Birch are asked for: a figure of one of a list of names is that
/// of all of them, unless the sentence gives each its own.
fn is_of_all_listed(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let own_each = |word: &Word| {
        word.place == Place::Unit && matches!(word.word.as_str(), "each" | "every" | "apiece")
    };
    if is_fields(unit) || unit.words.iter().any(own_each) {
        return false;
    }
    let asked = words(&question.text);
    let is_name = |value: &&Value| matches!(value.kind, ValueKind::Name | ValueKind::Person);
    let names: Vec<&Value> = unit.values.iter().filter(is_name).collect();
    let is_joined = |one: &Value, next: &Value| {
        let between = unit.text.get(one.range.end..next.range.start).unwrap_or_default();
        matches!(between, ", " | " and " | ", and " | " or " | ", or ")
    };
    let is_asked = |value: &Value| {
        let own = words(unit.text.get(value.range.clone()).unwrap_or_default());
        own.iter().any(|word| asked.contains(word) && !is_stop_word(word))
    };
    names.chunk_by(|one, next| is_joined(one, next)).any(|list| {
        list.len() >= LISTED && list.iter().filter(|value| is_asked(value)).count() == 1
    })
}

/// "The rent of the upper hall", where the paper is a "Lease of the lower hall": all of it is about another hall, unless it says
/// otherwise. Other documents have to know the one that is asked about.
fn is_titled_otherwise(question: &Question, unit: &EvidenceUnit<'_>, common: &Commonness) -> bool {
    let asked = words(&question.text);
    let title = words(&unit.read.source.title);
    // What stands before "of", "for" or "on" is the paper, and what follows the thing that it is about.
    let about = |word: &String| matches!(word.as_str(), "of" | "for" | "on");
    let Some(from) = title.iter().position(about) else { return false };
    let thing = &title[from + 1..];
    asked.windows(3).any(|three| {
        let [lead, kind, noun] = three else { return false };
        if !DETERMINERS.contains(&lead.as_str())
            || is_stop_word(kind)
            || is_stop_word(noun)
            || common.count(kind).unwrap_or(0) == 0
        {
            return false;
        }
        let (kind, noun) = (stem(kind), stem(noun));
        let other = thing.windows(2).any(|pair| {
            stem(&pair[1]) == noun
                && stem(&pair[0]) != kind
                && !is_stop_word(&pair[0])
                && !asked.contains(&pair[0])
        });
        let here =
            |word: &Word| word.stem == kind || (word.place <= Place::Near && word.stem == noun);
        other && !unit.words.iter().any(here)
    })
}

/// Where a document says what a word of the question names.
enum Said {
    /// In the unit, right over it, or in what it goes on from.
    Here,
    /// In the title alone, which may name other things beside it.
    InTitle {
        among_others: bool,
    },
    Nowhere,
}

fn said(term: &Term, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> Said {
    let source = &unit.read.source;
    let mut near = unit.words.iter().filter(|word| word.place != Place::Far);
    if near.any(|word| matcher.likeness(term, word) >= SAYS_IT) {
        return Said::Here;
    }
    let names = |text: &String| words(text).iter().any(|word| stem(word) == term.stem);
    let mut outer = unit.read.passage.heading_path.iter().filter(|text| **text != source.title);
    if outer.any(names) {
        return Said::Here;
    }
    let title = words(&source.title.replace('&', " and "));
    if let Some(at) = title.iter().position(|word| stem(word) == term.stem) {
        return Said::InTitle { among_others: is_one_of_several(&title, at) };
    }
    // A folder, a name in the path, a word that is like it.
    if unit.words.iter().any(|word| matcher.likeness(term, word) >= BOUND) {
        Said::Here
    } else {
        Said::Nowhere
    }
}

/// Whether a word of a title is joined to another thing: "the airfield and hangar". "Terms and conditions" are one paper.
fn is_one_of_several(title: &[String], at: usize) -> bool {
    let joins = |word: &String| matches!(word.as_str(), "and" | "or");
    if PAPERS.contains(&stem(&title[at]).as_str()) {
        return false;
    }
    let lead = title[..at]
        .iter()
        .rev()
        .take(3)
        .find(|word| is_stop_word(word) && !DETERMINERS.contains(&word.as_str()));
    lead.is_some_and(joins) || title.get(at + 1).is_some_and(joins)
}

/// The word of the question that leads to a noun, before its article and the nouns that narrow it.
fn lead<'q>(question: &Question, all: &'q [String], term: &Term) -> Option<&'q str> {
    let at = all.iter().position(|word| *word == term.word)?;
    let narrows =
        |word: &str| question.terms.iter().any(|other| other.narrows && other.word == word);
    all[..at]
        .iter()
        .rev()
        .map(String::as_str)
        .find(|&word| !DETERMINERS.contains(&word) && !narrows(word))
}

/// Whether a word leads to what a figure is of: "how heavy may a glider be", "how old is the boat".
fn is_subject(question: &Question, lead: &str) -> bool {
    let is_measured = question.measured && matches!(lead, "is" | "are" | "was" | "were");
    is_measured || BEFORE_DOERS.contains(&lead)
}

/// Whether another noun narrows a word: of a compound both words have to be known (`variants`).
fn is_narrowed(question: &Question, term: &Term) -> bool {
    question.terms.windows(2).any(|pair| pair[0].narrows && pair[1].word == term.word)
}

/// Whether a word sets what follows it beside what is asked: a preposition, the verb that it is the object of, or the auxiliary
/// before whoever does something. "The rent of the hangar" asks for the rent, and so does "the hangar rent".
fn sets(question: &Question, lead: &str) -> bool {
    let mut verbs = question.terms.iter().filter(|term| term.class == Class::Verb && !term.light);
    if BEFORE_DOERS.contains(&lead) {
        verbs.next().is_some()
    } else {
        SETTINGS.contains(&lead) || verbs.any(|verb| verb.word == lead)
    }
}

/// Verbs of the question that tell what is done.
fn deeds(question: &Question) -> impl Iterator<Item = &Term> {
    question.terms.iter().filter(|term| {
        term.class == Class::Verb
            && !term.light
            && !term.hard
            && !HOLDS.contains(&term.stem.as_str())
    })
}

fn asks_a_deed(question: &Question) -> bool {
    deeds(question).next().is_some()
}

/// Words over a unit that stand right before a noun which is not counted, and nowhere else over it: "Lost luggage claims" tells
/// of no claims that were lost. "Claims lost" and "Lost claims" do.
fn narrowing(question: &Question, unit: &EvidenceUnit<'_>) -> BTreeSet<String> {
    let over = unit.read.passage.heading_path.iter().chain([&unit.read.source.title]);
    let (mut narrow, mut tell) = (BTreeSet::new(), BTreeSet::new());
    for text in over {
        let all = words(text);
        for (at, word) in all.iter().enumerate() {
            let before_another = all.get(at + 1).is_some_and(|next| {
                next.chars().all(char::is_alphabetic)
                    && !is_stop_word(next)
                    && question.counted.as_ref() != Some(&stem(next))
            });
            let set = if before_another { &mut narrow } else { &mut tell };
            set.insert(word.clone());
        }
    }
    tell.extend(words(&unit.near_text));
    narrow.difference(&tell).cloned().collect()
}

/// Takes back what only the words over a sentence seem to say of the deed that is asked for, where the sentence counts what was done
/// otherwise: "300 claims were paid late" under "Lost luggage claims" counts none that were lost.
pub(super) fn unbind_other_deeds(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    bounds: &mut [Bound],
) {
    let counts = question.expects == Expects::Count
        && question.kind == QuestionKind::Lookup
        && is_prose(unit)
        && asks_a_deed(question);
    if !counts || !does_otherwise(question, unit, matcher) {
        return;
    }
    let asked: Vec<&String> = deeds(question).map(|deed| &deed.word).collect();
    for (term, bound) in question.terms.iter().zip(bounds) {
        if bound.at.is_empty() && asked.contains(&&term.word) {
            bound.strength = 0.0;
        }
    }
}

/// Whether something is done in a unit, and nothing that the question asks about: a count then counts what has been done so.
fn does_otherwise(question: &Question, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> bool {
    let only_narrows = if is_prose(unit) { narrowing(question, unit) } else { BTreeSet::new() };
    let is_asked = |deed: &Term| {
        unit.words.iter().any(|word| {
            let may_tell = matches!(word.place, Place::Unit | Place::Before)
                || !only_narrows.contains(&word.word);
            may_tell && matcher.likeness(deed, word) >= BOUND
        })
    };
    if deeds(question).any(is_asked) {
        return false;
    }
    let done: Vec<String> = classes(unit.text)
        .into_iter()
        .filter(|(word, class)| {
            *class == Class::Verb && !is_stop_word(word) && !AUXILIARIES.contains(&word.as_str())
        })
        .map(|(word, _)| stem(&word))
        .collect();
    !done.is_empty() && !done.iter().any(|deed| HOLDS.contains(&deed.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::port::TermCount;

    /// Whether the only unit of a document of this title is out of the scope of a question, in a corpus that has some words.
    fn out(question: &str, title: &str, text: &str, known: &[&str]) -> bool {
        let mut passages = [document("a", "Use", text)];
        passages[0].source.title = title.to_owned();
        let units = evidence_units(&passages);
        let counts: Vec<TermCount> =
            known.iter().map(|term| TermCount { term: (*term).to_owned(), passages: 2 }).collect();
        let common = Commonness::new(&counts, 40);
        is_out_of_scope(&Question::parse(question, &[]), &units[0], &Matcher::new(), &common)
    }

    #[test]
    fn a_title_of_several_things_does_not_set_a_unit_in_each() {
        let lease = "Lease of the quay and the barn";
        let launch = "The tenant may launch no more than 400 boats in a year.";
        assert!(out("How many boats may be in the barn?", lease, launch, &[]));
        assert!(!out("How many boats may the tenant launch?", lease, launch, &[]));
        assert!(!out("What is the rent of the barn?", lease, "The rent is £900.", &[]));
        assert!(!out("What is the rent?", lease, "The rent is £900.", &[]));
        let here = "The barn may hold no more than 40 boats.";
        assert!(!out("How many boats may be in the barn?", lease, here, &[]));
    }

    #[test]
    fn a_title_of_one_thing_is_what_all_of_it_is_about() {
        let sheet = "Kestrel pump: data sheet";
        let years = "The warranty is three years.";
        assert!(!out("How long is the warranty of the Kestrel pump?", sheet, years, &[]));
        assert!(!out("How long is the warranty on the pump?", sheet, years, &[]));
        assert!(!out("How many rooms are in the annexe?", "The annexe", "It has 14 rooms.", &[]));
        let book = "Handbook for volunteers";
        assert!(!out("How long is the trial for volunteers?", book, "A trial is a week.", &[]));
        let lease = "Lease of the barn";
        let launch = "The tenant may launch no more than 400 boats in a year.";
        assert!(out("How many boats may be in the barn?", lease, launch, &[]));
    }

    #[test]
    fn a_paper_on_another_of_the_kind_is_no_firm_answer() {
        let lease = "Lease of the lower hall";
        let rent = "The rent is £900 a month.";
        assert!(out("What is the rent of the upper hall?", lease, rent, &["upper"]));
        assert!(!out("What is the rent of the upper hall?", lease, rent, &[]));
        assert!(!out("What is the rent of the lower hall?", lease, rent, &["lower"]));
        assert!(!out("What is the rent of the hall?", lease, rent, &["hall"]));
        let both = "The rent of the upper hall is £900 a month.";
        assert!(!out("What is the rent of the upper hall?", lease, both, &["upper"]));
    }

    #[test]
    fn what_is_counted_was_done_as_is_asked() {
        let painted = "Twelve boats were painted in spring.";
        assert!(out("How many boats were stolen?", "Report", painted, &[]));
        assert!(!out("How many boats were painted?", "Report", painted, &[]));
        assert!(!out("How many boats are there?", "Report", painted, &[]));
        assert!(!out("How many boats were stolen?", "Report", "Boats stolen: 12", &[]));
    }

    #[test]
    fn a_title_that_only_narrows_tells_no_deed() {
        let paid = "300 claims were paid late.";
        assert!(out("How many claims were lost?", "Lost luggage claims", paid, &[]));
        assert!(!out("How many claims were lost?", "Claims lost", paid, &[]));
        assert!(!out("How many claims were lost?", "Lost claims", paid, &[]));
        let lost = "300 claims were lost.";
        assert!(!out("How many claims were lost?", "Lost luggage claims", lost, &[]));
    }

    #[test]
    fn what_has_the_verb_itself_comes_first() {
        let mut passages = [
            document("a", "Claims", "300 claims were paid late."),
            document("b", "Letter", "No claims were lost."),
            document("c", "Letter", "About 40 claims were lost."),
        ];
        passages[0].source.title = "Lost luggage claims".to_owned();
        passages[0].passage.heading_path = vec!["Lost luggage claims".to_owned()];
        let units = evidence_units(&passages);
        let question = Question::parse("How many claims were lost?", &[]);
        let common = Commonness::new(&[], 3);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
        assert_eq!(all.last().map(|one| one.unit), Some(0), "{all:?}");
        let number =
            |unit: usize| all.iter().find(|one| one.unit == unit).and_then(|one| one.number);
        assert_eq!((number(1), number(2)), (Some(0.0), Some(40.0)));
        let none = all.iter().find(|one| one.unit == 1).expect("each unit is a candidate");
        assert!(none.eligible, "{none:?}");
    }

    #[test]
    fn a_figure_of_all_that_are_listed_is_not_that_of_one() {
        let blocks = "The trust owns 46 flats in four blocks: Carder, Dyer, Fuller and Spinner.";
        assert!(out("How many flats are in Fuller?", "Welcome", blocks, &[]));
        assert!(!out("How many flats does the trust own?", "Welcome", blocks, &[]));
        let one = "The trust owns 12 flats in Fuller and Spinner has ten.";
        assert!(!out("How many flats are in Fuller?", "Welcome", one, &[]));
    }

    #[test]
    fn whose_figure_it_is_is_said_where_documents_speak_of_it() {
        let notice = "Either party may end it by giving twelve months of notice.";
        let ask = "How long is the lease of the caravan?";
        assert!(out(ask, "Lease of the quay", notice, &["caravan"]));
        assert!(!out(ask, "Lease of the quay", notice, &[]), "no document speaks of caravans");
        assert!(!out(ask, "Lease of the caravan", notice, &["caravan"]));
        let weight = "Passengers may weigh no more than 103 kg.";
        assert!(out("How heavy may a glider be?", "Handbook", weight, &["glider"]));
        assert!(!out("How heavy may a passenger be?", "Handbook", weight, &["passenger"]));
        let year = "What was the surplus at the end of the year?";
        assert!(!out(year, "Report", "The surplus was £900.", &["end", "year"]));
    }
}
