//! Context: the sentences that a sentence goes on from, what is said of all of its section, and the day of what it speaks of.

use super::bind::Candidate;
use super::clause::is_prose;
use super::periods::periods;
use super::pronouns::{begins_with_dependent, begins_with_pronoun};
use super::question::{Class, Question, classes};
use super::select::{contradicts, same_words};
use super::unit::{EvidenceUnit, Word};
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::text::{is_stop_word, stem, words};

/// Whether a sentence speaks of what the one before names.
pub(super) fn goes_on(text: &str) -> bool {
    begins_with_pronoun(text) || begins_with_dependent(text)
}

/// What follows the noun that a sentence is about.
const AFTER_SUBJECTS: [&str; 26] = [
    "is", "are", "was", "were", "has", "have", "had", "will", "would", "shall", "should", "can",
    "could", "may", "might", "must", "amounts", "amounted", "came", "costs", "lasts", "lasted",
    "runs", "ran", "takes", "took",
];

/// Whether the subject of a sentence is a thing that the one before has brought up: "It closed a Series B round. The round was led by
/// Reed", "Entries are made in a book. Missed entries can be made up for".
pub(super) fn takes_up(text: &str, before: &str) -> bool {
    if !text.starts_with(char::is_uppercase) {
        return false;
    }
    if is_note_of_something(text) {
        return true;
    }
    let all = words(text);
    let named =
        usize::from(matches!(all.first().map(String::as_str), Some("the" | "these" | "those")));
    // The noun, or one word that tells more of it and the noun.
    let subject =
        all.iter().skip(named).take(3).position(|word| AFTER_SUBJECTS.contains(&word.as_str()));
    let Some(noun) = subject.and_then(|at| at.checked_sub(1)).map(|at| &all[named + at]) else {
        return false;
    };
    let plural = noun.ends_with('s');
    // "A new surface was laid. The cost is 11,800": what it costs was spoken of just before.
    if all.first().is_some_and(|first| first == "the") && OF_SOMETHING.contains(&noun.as_str()) {
        return true;
    }
    let told = noun.len() >= 4 && !is_stop_word(noun) && (named == 1 || plural);
    let noun = stem(noun);
    told && words(before).iter().any(|word| stem(word) == noun)
}

/// Nouns for what something has, of which a sentence that begins with them does not say what has it.
const OF_SOMETHING: [&str; 26] = [
    "cost",
    "costs",
    "price",
    "fee",
    "invoice",
    "bill",
    "builder",
    "supplier",
    "maker",
    "author",
    "winner",
    "reason",
    "cause",
    "deadline",
    "venue",
    "penalty",
    "total",
    "aim",
    "purpose",
    "owner",
    "deposit",
    "prize",
    "contractor",
    "architect",
    "operator",
    "sponsor",
];

/// A note of a few words that begins with such a noun: "Invoice £1,935."
fn is_note_of_something(text: &str) -> bool {
    /// Most words of one.
    const MOST: usize = 6;
    let all = words(text);
    text.starts_with(char::is_uppercase)
        && all.len() <= MOST
        && all.first().is_some_and(|first| OF_SOMETHING.contains(&first.as_str()))
}

/// Whether a sentence goes on from another one.
pub(super) fn goes_on_from(text: &str, before: &str) -> bool {
    goes_on(text) || takes_up(text, before)
}

/// Most words of a sentence with those that it goes on from.
const TRAIL_WORDS: usize = 48;

/// A sentence with those before it that it goes on from, as they stand in a text: "Two greyhounds came in. Both were thin." tells
/// which one "the bigger one" is.
pub(super) fn trail<'t>(
    text: &'t str,
    before: Option<(&'t str, &'t str)>,
    sentence: &'t str,
) -> &'t str {
    let place = |piece: &str| piece.as_ptr() as usize - text.as_ptr() as usize;
    let whole = before
        .filter(|(last, _)| goes_on_from(sentence, last))
        .and_then(|(_, all)| text.get(place(all)..place(sentence) + sentence.len()));
    whole.filter(|all| all.split_whitespace().count() <= TRAIL_WORDS).unwrap_or(sentence)
}

/// What is said between a thing and what is in it or for whom it is there.
const HOLDING: [&str; 10] = [
    "holds", "hold", "houses", "house", "contains", "contain", "keeps", "stores", "takes", "serves",
];

/// What the first sentence under a heading says to be in what the heading names, where it begins with that name: all of the section
/// is about it. "The north block holds dogs that are nervous" makes "Feeding is at 7.30" tell when nervous dogs are fed.
pub(super) fn held_by(heading: &str, sentence: &str) -> Option<Vec<Word>> {
    // The number of a section is no part of its name.
    let of_name = |word: &String| !is_stop_word(word) && word.contains(char::is_alphabetic);
    let name: Vec<String> = words(heading).into_iter().filter(of_name).collect();
    let all = words(sentence);
    let mut rest = all.as_slice();
    for part in &name {
        let at = rest.iter().position(|word| !is_stop_word(word))?;
        let (word, after) = rest[at..].split_first()?;
        if word != part {
            return None;
        }
        rest = after;
    }
    let (verb, held) = rest.split_first()?;
    if name.is_empty() || !HOLDING.contains(&verb.as_str()) {
        return None;
    }
    let is_name = |word: &str| {
        sentence
            .split(|c: char| !c.is_alphanumeric())
            .any(|own| own.starts_with(char::is_uppercase) && own.eq_ignore_ascii_case(word))
    };
    let nouns = classes(&sentence.to_lowercase()).into_iter().filter(|(word, class)| {
        *class == Class::Noun
            && held.contains(word)
            && !is_stop_word(word)
            && word.chars().all(char::is_alphabetic)
            && !is_name(word)
    });
    Some(nouns.map(|(word, _)| Word::of_title(word)).collect())
}

/// "The outage lasted 5 hours", where the outage of a day is asked about and the passage has named it so, and no other one.
fn is_of_that_day(question: &Question, unit: &EvidenceUnit<'_>, asked: PartialDate) -> bool {
    // What is dated, with its date: "the outage of 18 February 2026".
    let dated = |text: &str| -> Vec<(String, PartialDate)> {
        let found = periods(text).into_iter().filter_map(|period| {
            let before = words(text.get(..period.range.start)?);
            let [.., noun, leads] = before.as_slice() else { return None };
            let led = matches!(leads.as_str(), "of" | "on");
            (led && !is_stop_word(noun)).then(|| (stem(noun), period.value))
        });
        found.collect()
    };
    let of_day = asked.precision == DatePrecision::Day && is_prose(unit) && unit.periods.is_empty();
    let own = words(unit.text);
    let says = |noun: &str| {
        own.windows(2).any(|pair| pair[0] == "the" && stem(&pair[1]) == noun)
            // "The outage of the pumps" is another one.
            && !own.windows(2).any(|pair| stem(&pair[0]) == noun && pair[1] == "of")
    };
    of_day
        && dated(&question.text).iter().any(|(noun, day)| {
            let mut named = dated(&unit.read.passage.text);
            named.retain(|(other, _)| other == noun);
            *day == asked
                && says(noun)
                && !named.is_empty()
                && named.iter().all(|(_, day)| *day == asked)
        })
}

/// What other documents tell otherwise of the very event whose day is asked about, where they have named the day before.
pub(super) fn told_of_that_day<'a>(
    question: &'a Question,
    chosen: &'a Candidate,
    all: &'a [Candidate],
    units: &'a [EvidenceUnit<'a>],
) -> impl Iterator<Item = &'a Candidate> {
    all.iter().filter(move |other| {
        question.period.is_some_and(|asked| {
            other.unit != chosen.unit
                && !other.names_bound
                && same_words(other, chosen)
                && is_of_that_day(question, &units[other.unit], asked)
                && contradicts(question, other, chosen, units)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn what_a_passage_has_dated_once_is_of_that_day() {
        let of_that_day = |question: &str, text: &str| {
            let passages = [document("letter", "Letter", text)];
            let units = evidence_units(&passages);
            let question = Question::parse(question, &[]);
            let asked = question.period.expect("a day is asked about");
            units.last().is_some_and(|unit| is_of_that_day(&question, unit, asked))
        };
        let ask = "How long did the strike of 4 May 2021 last?";
        let named = "We write about the strike of 4 May 2021 at the docks.";
        assert!(of_that_day(ask, &format!("{named} The strike lasted 6 days.")));
        // Another one is told of, or it is not said which, or the sentence has a day of its own.
        let two = "Neither the strike of 4 May 2021 nor the strike of 9 June 2021 was short.";
        assert!(!of_that_day(ask, &format!("{two} The strike lasted 6 days.")));
        assert!(!of_that_day(ask, &format!("{named} The storm lasted 6 days.")));
        assert!(!of_that_day(ask, &format!("{named} The strike of the pilots lasted 6 days.")));
        assert!(!of_that_day(ask, &format!("{named} A strike lasts 6 days.")));
        assert!(!of_that_day(ask, "We write about the docks. The strike lasted 6 days."));
        assert!(!of_that_day(
            "How many died on 4 May 2021?",
            &format!("{named} The strike lasted.")
        ));
    }

    #[test]
    fn another_document_that_dates_the_event_tells_of_it_too() {
        let told = |letter: &str| {
            let passages = [
                document("report", "Strike of 4 May 2021", "The strike lasted 6 days and 3 hours."),
                document("letter", "Letter", letter),
            ];
            let units = evidence_units(&passages);
            let question = Question::parse("How long did the strike of 4 May 2021 last?", &[]);
            let common = Commonness::new(&[], 2);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            let of_report = all.iter().find(|one| one.unit == 0).expect("a unit is a candidate");
            let found = told_of_that_day(&question, of_report, &all, &units);
            found.map(|one| units[one.unit].text.to_owned()).collect::<Vec<_>>()
        };
        let named = "We write about the strike of 4 May 2021 at the docks.";
        assert_eq!(
            told(&format!("{named} The strike lasted 8 days.")),
            ["The strike lasted 8 days."]
        );
        assert!(told(&format!("{named} The strike lasted 6 days and 3 hours.")).is_empty());
        assert!(told("We write about the docks. The strike lasted 8 days.").is_empty());
    }

    #[test]
    fn a_subject_that_was_brought_up_before_is_taken_up() {
        let before = "The firm closed a Series B round of 64 million euros.";
        assert!(takes_up("The round was led by Reed.", before));
        assert!(!takes_up("The round table was sold.", before));
        assert!(!takes_up("The library was led by Reed.", before));
        // Another thing that is called after it, and what everybody knows.
        assert!(!takes_up("The round library is closed.", before));
        assert!(!takes_up("It was led by Reed.", "It is so."));
        let entries = "Families make their entries in a book.";
        assert!(takes_up("Entries can be made up for until noon.", entries));
        assert!(takes_up("Missed entries can be made up for until noon.", entries));
        assert!(!takes_up("Entry is free.", entries));
    }

    #[test]
    fn a_sentence_is_told_with_all_that_it_goes_on_from() {
        let text = "Two greyhounds came in. Both were thin. The van is white.";
        let (first, both) = (&text[..23], &text[24..39]);
        let told = trail(text, Some((first, first)), both);
        assert_eq!(told, "Two greyhounds came in. Both were thin.");
        let van = &text[40..];
        assert_eq!(trail(text, Some((both, told)), van), van, "it stands for itself");
        assert_eq!(trail(text, None, both), both);
    }

    #[test]
    fn what_a_block_holds_is_what_its_section_is_about() {
        let said = |heading: &str, sentence: &str| {
            let found = held_by(heading, sentence).unwrap_or_default();
            found.into_iter().map(|word| word.word).collect::<Vec<_>>()
        };
        let held = said("2. North block", "The north block holds dogs that are nervous.");
        assert!(held.contains(&"dogs".to_owned()), "{held:?}");
        // What is done there is not said of it, and what is named stands for itself.
        assert!(!held.contains(&"holds".to_owned()), "{held:?}");
        let named = said("Shed", "The shed houses the tools of Ben.");
        assert_eq!(named, ["tools"]);
        assert!(said("South block", "The north block holds dogs that are nervous.").is_empty());
        assert!(said("North block", "The north block was painted by nervous men.").is_empty());
        assert!(said("", "It holds dogs.").is_empty());
    }
}
