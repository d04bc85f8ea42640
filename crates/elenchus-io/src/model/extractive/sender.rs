//! Senders: who "I" and "we" are in a mail or a letter, and who sent it.

use super::bind::{BOUND, Bound};
use super::matching::Matcher;
use super::pronouns::{begins_with_dependent, begins_with_pronoun};
use super::question::{Question, Term};
use super::roles::asks_who;
use super::unit::{EvidenceUnit, HEAD, Place, Word};
use crate::ingest::mails::said_by;
use elenchus_core::evidence::{ReadPassage, Span, char_slice};
use elenchus_core::id::SourceId;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Most words of a line of a signature.
const SIGNATURE_WORDS: usize = 6;
/// Most lines of it: who, and for whom.
const SIGNATURE_LINES: usize = 2;
/// How a letter ends, before the name.
const CLOSINGS: [&str; 12] = [
    "yours sincerely",
    "yours faithfully",
    "yours truly",
    "yours",
    "sincerely",
    "kind regards",
    "best regards",
    "warm regards",
    "with kind regards",
    "regards",
    "best wishes",
    "with best wishes",
];
/// What a mail is called, as stems.
const MAILS: [&str; 6] = ["mail", "email", "e-mail", "letter", "messag", "memo"];
/// What is done with it, as stems.
const SENDING: [&str; 3] = ["send", "write", "sign"];

/// Adds to every sentence in the first person the words of the name of whoever sent the mail or signed the letter: "I live at
/// the lock" is said of them.
pub(super) fn name_senders(passages: &[ReadPassage], units: &mut [EvidenceUnit<'_>]) {
    let senders = senders(passages);
    for unit in units.iter_mut().filter(|unit| is_first_person(unit)) {
        let of_file = || senders.get(&unit.read.source.id).map(String::as_str);
        let Some(sender) = sender_of(unit).or_else(of_file) else { continue };
        let named = words(sender).into_iter().filter(|word| !is_stop_word(word));
        unit.words.extend(named.map(Word::of_title));
        if unit.goes_on_from.is_empty() {
            unit.goes_on_from = format!("{sender}:");
        }
    }
}

/// Who sent the mail that a unit is part of, in a file of several.
fn sender_of<'a>(unit: &EvidenceUnit<'a>) -> Option<&'a str> {
    let read: &'a ReadPassage = unit.read;
    said_by(&read.passage.heading_path).map(|(sender, _)| sender)
}

/// What a mail is about, and whether it says that it is a reply, for its head.
fn subject(text: &str) -> Option<(bool, String)> {
    if !is_mail_head(text) {
        return None;
    }
    let stated = text.get(head_field(text, "subject")?)?.to_lowercase();
    let mut bare = stated.trim();
    while let Some(rest) = bare.strip_prefix("re:") {
        bare = rest.trim_start();
    }
    Some((bare.len() < stated.trim().len(), bare.to_owned()))
}

/// "Re: The geese" is about the geese as well, and answers who sent the mail about them only where that mail was not read.
pub(super) fn mark_replies(units: &mut [EvidenceUnit<'_>]) {
    let begun: BTreeSet<String> = units
        .iter()
        .filter_map(|unit| subject(unit.text))
        .filter(|(is_reply, _)| !is_reply)
        .map(|(_, about)| about)
        .collect();
    for unit in units {
        unit.answers_mail =
            subject(unit.text).is_some_and(|(is_reply, about)| is_reply && begun.contains(&about));
    }
}

/// In an interview it is the one who is asked that says "I": such a sentence below a question, which is not the first one of the
/// answer, is read as theirs. The first one goes on from the question.
pub(super) fn name_answerers(units: &mut [EvidenceUnit<'_>]) {
    for unit in units.iter_mut().filter(|unit| is_first_person(unit)) {
        let Some(name) = interviewed(&unit.read.source.title) else { continue };
        let before = char_slice(&unit.read.passage.text, Span { start: 0, end: unit.span.start });
        let is_first = before.is_none_or(|before| {
            let end = before.trim_end_matches(|c: char| c.is_whitespace() || "*_\"".contains(c));
            end.ends_with('?')
        });
        let goes_on = begins_with_pronoun(unit.text) || begins_with_dependent(unit.text);
        // What stands below no question is said by whoever asks.
        if !unit.near_text.is_empty() && !is_first && !goes_on {
            unit.goes_on_from = format!("{name}:");
        }
    }
}

/// Whom a title says that it is an interview with: the words that are written as a name.
fn interviewed(title: &str) -> Option<String> {
    const WITH: [&str; 5] =
        ["interview with ", "interview of ", "conversation with ", "talk with ", "talking to "];
    let lower = title.to_lowercase();
    // Lower-casing may move letters; then nothing can be told.
    let at = WITH
        .iter()
        .find_map(|with| Some(lower.find(with)? + with.len()))
        .filter(|_| lower.len() == title.len())?;
    let mut name: Vec<&str> = Vec::new();
    for word in title.get(at..)?.split_whitespace() {
        if !word.starts_with(char::is_uppercase) {
            break;
        }
        name.push(word.trim_end_matches(|c: char| !c.is_alphanumeric()));
        if word.ends_with([',', ':', ';']) {
            break;
        }
    }
    (!name.is_empty()).then(|| name.join(" "))
}

/// Whether a sentence speaks of its writer, and not in somebody else's words.
fn is_first_person(unit: &EvidenceUnit<'_>) -> bool {
    let quoted = unit.text.contains(['"', '\u{201c}', '\u{201d}']) || unit.text.starts_with('>');
    !quoted
        && unit.words.iter().any(|word| {
            let first = word.word.split(['\'', '\u{2019}']).next().unwrap_or_default();
            word.place == Place::Unit
                && matches!(first, "i" | "we" | "my" | "our" | "me" | "us" | "mine" | "ours")
        })
}

/// Who sent each document, where it is one mail or one letter.
fn senders(passages: &[ReadPassage]) -> BTreeMap<SourceId, String> {
    let mut from: BTreeMap<SourceId, Vec<String>> = BTreeMap::new();
    let mut signed: BTreeMap<SourceId, Vec<String>> = BTreeMap::new();
    for read in passages {
        let (text, id) = (read.passage.text.as_str(), &read.source.id);
        let head = read.passage.span.start < HEAD && is_mail_head(text);
        if let Some(sender) = head_field(text, "from").filter(|_| head) {
            from.entry(id.clone()).or_default().push(text[sender].to_owned());
        }
        if let Some(sender) = signature(text) {
            signed.entry(id.clone()).or_default().push(sender);
        }
    }
    // Of a thread nobody can tell here who says what.
    let threads =
        |text: &str| text.lines().filter(|line| line.to_lowercase().starts_with("from:")).count();
    let mut heads: BTreeMap<&SourceId, usize> = BTreeMap::new();
    for read in passages {
        *heads.entry(&read.source.id).or_default() += threads(&read.passage.text);
    }
    signed.retain(|_, names| names.len() == 1);
    from.retain(|_, names| names.len() == 1);
    let mut found = signed;
    found.append(&mut from);
    found.retain(|id, _| heads.get(id).is_none_or(|count| *count <= 1));
    found.into_iter().filter_map(|(id, names)| Some((id, names.into_iter().next()?))).collect()
}

/// Whether a text begins with the head of a mail.
fn is_mail_head(text: &str) -> bool {
    head_field(text, "from").is_some()
        && ["to", "subject", "date", "sent"].iter().any(|name| head_field(text, name).is_some())
}

/// What stands behind a field of the head of a mail, an address left out: bytes of the text.
fn head_field(text: &str, name: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(12) {
        let start = at;
        at += line.len();
        let bare = line.trim_start_matches(['*', '_', ' ']);
        let Some((label, value)) = bare.split_once(':') else { continue };
        if !label.trim_matches(['*', '_', ' ']).eq_ignore_ascii_case(name) {
            continue;
        }
        let value_at = start + line.len() - value.len();
        let lead = value.len() - value.trim_start_matches(['*', '_', ' ', '\t']).len();
        let told = value[lead..].split(['<', '\n']).next().unwrap_or_default().trim_end();
        let range = value_at + lead..value_at + lead + told.len();
        return (!range.is_empty()).then_some(range);
    }
    None
}

/// The name under the closing words of a letter, with the line after it.
fn signature(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.find(|line| {
        let bare = line.trim_end_matches([',', '.', '!']).to_lowercase();
        CLOSINGS.contains(&bare.as_str())
    })?;
    let signed: Vec<&str> = lines
        .take(SIGNATURE_LINES)
        .take_while(|line| {
            line.split_whitespace().count() <= SIGNATURE_WORDS
                && line.starts_with(char::is_uppercase)
                && !line.ends_with(['.', ':'])
        })
        .collect();
    (!signed.is_empty()).then(|| signed.join(", "))
}

/// Who sent a mail, for its head: "Who wrote the mail of 4 May?". Bytes of the unit's text.
pub(super) fn sent(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    if !asks_who(question) || unit.answers_mail || !is_mail_head(unit.text) {
        return None;
    }
    let all = words(&question.text);
    let [who, verb, ..] = all.as_slice() else { return None };
    let asked = who == "who"
        && SENDING.contains(&stem(verb).as_str())
        && question.terms.iter().any(|term| MAILS.contains(&term.stem.as_str()))
        && !question.recipient;
    // "Who sent the letter to Ines Falk?" asks for nobody whom it names.
    let is_new = |at: &Range<usize>| {
        unit.text.get(at.clone()).is_some_and(|name| {
            !words(name).iter().any(|word| question.terms.iter().any(|term| term.word == *word))
        })
    };
    if asked { head_field(unit.text, "from").filter(is_new) } else { None }
}

/// Words that may stand between "I" and what the sender does: "I have just hired".
const BETWEEN: [&str; 13] = [
    "am",
    "are",
    "was",
    "were",
    "have",
    "had",
    "do",
    "did",
    "just",
    "now",
    "also",
    "already",
    "therefore",
];
/// Words that begin another clause, of which somebody else may be the doer.
const JOINS: [&str; 6] = ["and", "but", "or", "that", "because", "while"];

/// Whether a mail tells of its sender what is asked of somebody: "Who hired the boat?" over "I have hired a boat for May". What was
/// done, and to what, stands behind "I" or "we" in one clause.
pub(super) fn tells_of_sender(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    bounds: &[Bound],
) -> bool {
    if !asks_who(question) || sender_of(unit).is_none() || !is_first_person(unit) {
        return false;
    }
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    let is_sender =
        |word: &Word| matches!(word.word.split(['\'', '\u{2019}']).next(), Some("i" | "we"));
    let Some(at) = own.iter().position(|word| is_sender(word)) else { return false };
    let mut behind = own.iter().skip(at + 1);
    let Some(deed) = behind.find(|word| !BETWEEN.contains(&word.word.as_str())) else {
        return false;
    };
    // What is asked about stands first: "Who hired", "Who is mending".
    let Some(asked) = question.terms.iter().position(|term| !term.light && !term.hard) else {
        return false;
    };
    if matcher.likeness(&question.terms[asked], deed) < SAME_DEED {
        return false;
    }
    let pairs = question.terms.iter().zip(bounds).enumerate();
    let mut others = pairs
        .filter(|(at, (term, _))| !term.light && *at != asked)
        .map(|(_, (_, bound))| bound)
        .peekable();
    let in_clause = |bound: &Bound| {
        let between = unit.text.get(deed.at.end..bound.at.start);
        bound.strength >= BOUND
            && !bound.at.is_empty()
            && between.is_some_and(|text| {
                !text.contains([',', ';', ':', '('])
                    && !words(text).iter().any(|word| JOINS.contains(&word.as_str()))
            })
    };
    others.peek().is_some() && others.all(in_clause)
}

/// Likeness from which a word tells the deed that is asked about.
const SAME_DEED: f64 = 0.85;

/// Whether a word of such a question is said by there being a head of a mail.
pub(super) fn says_mail(term: &Term) -> bool {
    let stem = term.stem.as_str();
    MAILS.contains(&stem) || SENDING.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::super::bind::strength;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const MAIL: &str = "From: Ines Falk, Lock Cottage <ines@falk.example>\nTo: Ben Poe\n\
                        Date: 4 May 2025\nSubject: The geese\n\nDear Ben,\n\nI live beside the \
                        lock. The geese wake me at four. \"I saw it\", says Cy.\n\nKind \
                        regards\nInes Falk\n";

    fn named(text: &str, name: &str) -> Vec<String> {
        let passages = [document("letter", "", text)];
        let units = evidence_units(&passages);
        let said = units.iter().filter(|unit| {
            unit.words.iter().any(|word| word.word == name && word.place == Place::Far)
        });
        said.map(|unit| unit.text.to_owned()).collect()
    }

    #[test]
    fn the_first_person_of_a_mail_is_who_sent_it() {
        let said = named(MAIL, "falk");
        assert!(said.iter().any(|text| text == "I live beside the lock."), "{said:?}");
        assert!(said.iter().any(|text| text == "The geese wake me at four."), "{said:?}");
        // What somebody else is quoted with is not the sender's.
        assert!(!said.iter().any(|text| text.contains("says Cy")), "{said:?}");
        let letter = "Dear all,\n\nWe ask for two keys.\n\nYours sincerely,\nAda Brook\n";
        assert_eq!(named(letter, "brook"), ["We ask for two keys."]);
    }

    #[test]
    fn a_thread_and_a_plain_text_have_no_sender() {
        let thread = format!("{MAIL}\nFrom: Ben Poe\nTo: Ines Falk\n\nI will shut the gate.\n");
        assert!(named(&thread, "falk").is_empty());
        assert!(named("I live beside the lock. Ines Falk wrote it.", "falk").is_empty());
    }

    #[test]
    fn who_sent_a_mail_stands_in_its_head() {
        let passages = [document("letter", "", MAIL)];
        let units = evidence_units(&passages);
        let said = |question: &str| {
            let question = Question::parse(question, &[]);
            units.iter().find_map(|unit| Some(&unit.text[sent(&question, unit)?]))
        };
        assert_eq!(said("Who sent the mail of 4 May 2025?"), Some("Ines Falk, Lock Cottage"));
        assert_eq!(said("Who wrote the letter about the geese?"), Some("Ines Falk, Lock Cottage"));
        assert_eq!(said("Who was the mail sent to?"), None);
        assert_eq!(said("Who sent the parcel?"), None);
    }

    /// A thread as it is read: each mail below its heading.
    fn thread() -> Vec<ReadPassage> {
        let mail = |name: &str, from: &str, subject: &str, text: &str| {
            let text = format!("From: {from}\nTo: all\nSubject: {subject}\n\n{text}");
            document(name, &format!("Mail from {from}, 4 May 2025"), &text)
        };
        let geese = "I have hired a dog for the geese. I hear that Cy bought a whistle.";
        vec![
            mail("a", "Ines Falk", "The geese", geese),
            mail("b", "Ben Poe", "Re: The geese", "We are mending the fence and Cy the lamp."),
        ]
    }

    #[test]
    fn the_first_person_of_a_thread_is_who_sent_that_mail() {
        let passages = thread();
        let units = evidence_units(&passages);
        let who = |question: &str| -> Vec<&str> {
            let question = Question::parse(question, &[]);
            let matcher = Matcher::new();
            let tells = units.iter().filter(|unit| {
                let bound = |term: &Term| Bound {
                    strength: strength(term, unit, &matcher),
                    at: unit.text.find(&term.word).map_or(0..0, |at| at..at + term.word.len()),
                    column: None,
                };
                let bounds: Vec<Bound> = question.terms.iter().map(bound).collect();
                tells_of_sender(&question, unit, &matcher, &bounds)
            });
            tells.filter_map(sender_of).collect()
        };
        assert_eq!(who("Who hired a dog?"), ["Ines Falk"]);
        assert_eq!(who("Who is mending the fence?"), ["Ben Poe"]);
        // What is told of somebody else, or of something else, is not the sender's.
        assert!(who("Who bought a whistle?").is_empty());
        assert!(who("Who hired a whistle?").is_empty());
        assert!(who("Who is mending a dog?").is_empty());
        assert!(who("Who is mending the lamp?").is_empty(), "Cy is");
    }

    #[test]
    fn a_reply_is_not_the_mail_that_it_answers() {
        let passages = thread();
        let asked = Question::parse("Who sent the mail about the geese?", &[]);
        let said = |passages: &[ReadPassage]| -> Vec<String> {
            let units = evidence_units(passages);
            let told =
                units.iter().filter_map(|unit| Some(unit.text[sent(&asked, unit)?].to_owned()));
            told.collect()
        };
        assert_eq!(said(&passages), ["Ines Falk"]);
        assert_eq!(said(&passages[1..]), ["Ben Poe"], "the mail that it answers was not read");
    }

    #[test]
    fn the_first_person_of_an_interview_is_who_is_asked() {
        let text = "I met her at the yard.\n\n**How did it begin?**\n\nI had a boat. My husband \
                    Ben mended it. The sails were red.\n";
        let mut passages = [document("talk", "", text)];
        passages[0].source.title = "Forty years afloat: an interview with Ada Brook".to_owned();
        let units = evidence_units(&passages);
        let read: Vec<(&str, &str)> =
            units.iter().map(|unit| (unit.text, unit.goes_on_from.as_str())).collect();
        let of = |begin: &str| read.iter().find(|(text, _)| text.starts_with(begin)).copied();
        assert_eq!(of("My husband").map(|(_, from)| from), Some("Ada Brook:"), "{read:?}");
        assert!(of("I had").is_some_and(|(_, from)| from.contains("begin")), "{read:?}");
        // Whoever asks is somebody else, and so is what nobody says of themselves.
        assert!(of("I met").is_some_and(|(_, from)| from.is_empty()), "{read:?}");
        assert!(of("The sails").is_some_and(|(_, from)| !from.contains("Ada")), "{read:?}");
        assert_eq!(interviewed("An interview with nobody"), None);
        assert_eq!(interviewed("Interview with Dr Lisle, vet").as_deref(), Some("Dr Lisle"));
    }
}
