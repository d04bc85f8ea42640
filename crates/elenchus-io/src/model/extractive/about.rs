//! What the head of a document says that all of it is about: "Site: 07, Sundby Clinic" over a report, "leading to version 3.0" over
//! an amendment, the owner's name over a manual. Titles often do not say it.

use super::unit::{EvidenceUnit, HEAD, Word};
use crate::ingest::dates::dates;
use elenchus_core::evidence::ReadPassage;
use elenchus_core::text::{is_stop_word, words};
use std::collections::BTreeMap;

/// Most lines that are read as a head.
const LINES: usize = 6;
/// A longer line is prose, and so is a sentence of so many words.
const LINE: usize = 120;
const SENTENCE: usize = 4;
/// What a letter begins with: what stands below it is said, and by whom is another matter.
const GREETINGS: [&str; 4] = ["dear", "hello", "hi", "ladies"];
/// What fields of a head are called that say what the document is about. Who wrote it, got it or was there is another matter.
const ABOUT: [&str; 40] = [
    "about",
    "address",
    "building",
    "case",
    "client",
    "company",
    "concerning",
    "contract",
    "course",
    "customer",
    "file",
    "firm",
    "for",
    "house",
    "item",
    "line",
    "location",
    "machine",
    "model",
    "object",
    "order",
    "organisation",
    "organization",
    "patent",
    "place",
    "plant",
    "premises",
    "product",
    "project",
    "property",
    "protocol",
    "re",
    "school",
    "ship",
    "site",
    "station",
    "study",
    "subject",
    "version",
    "vessel",
];
/// Most words of the name of a field.
const FIELD: usize = 2;

/// Adds to every unit the names that the head of its document says, where the head was read.
pub(super) fn name_heads(passages: &[ReadPassage], units: &mut [EvidenceUnit<'_>]) {
    let mut named: BTreeMap<&str, Vec<Word>> = BTreeMap::new();
    for read in passages.iter().filter(|read| read.passage.span.start < HEAD) {
        let found = head(&read.passage.text).into_iter().flat_map(names);
        let found = found.chain(codes(&read.passage.text));
        named.entry(read.source.id.0.as_str()).or_default().extend(found.map(Word::of_title));
    }
    for unit in units {
        let Some(words) = named.get(unit.read.source.id.0.as_str()) else { continue };
        unit.words.extend(words.iter().cloned());
    }
}

/// The codes by which the lines at the head of a text may call the document, whatever else they say: "Report FL-25-061, 28 July".
fn codes(text: &str) -> Vec<String> {
    /// Fewest characters of one.
    const SHORTEST: usize = 5;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(3);
    let is_code = |token: &&str| {
        token.len() >= SHORTEST
            && token.contains(['-', '/'])
            && token.starts_with(|c: char| c.is_ascii_uppercase())
            && token.contains(|c: char| c.is_ascii_digit())
            && token.chars().all(|c| c.is_ascii_alphanumeric() || "-/.".contains(c))
    };
    let tokens = lines.flat_map(str::split_whitespace);
    tokens
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(is_code)
        .flat_map(|code| words(&code.to_lowercase()))
        .collect()
}

/// The pieces of the lines at the head of a text that say what it is about.
fn head(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES);
    let is_prose = |line: &&str| {
        let all = words(line);
        let greets = all.first().is_some_and(|first| GREETINGS.contains(&first.as_str()));
        let sentence = all.len() >= SENTENCE && line.ends_with(['.', '!', '?', ';', ',']);
        line.len() > LINE || greets || sentence
    };
    let head = lines.take_while(|line| !is_prose(line) && !line.starts_with(['-', '|', '>']));
    head.flat_map(|line| line.split("  ")).filter_map(told).collect()
}

/// What a piece of a line says of the document: all of a line, the content of a field that tells what it is about.
fn told(piece: &str) -> Option<&str> {
    let piece = piece.trim();
    let Some((field, content)) = piece.split_once(':') else { return Some(piece) };
    let named = words(field);
    let is_about = named.len() <= FIELD && named.iter().any(|word| ABOUT.contains(&word.as_str()));
    is_about.then_some(content.trim())
}

/// The words of a piece that are names, or numbers of versions and files; days are no names.
fn names(piece: &str) -> Vec<String> {
    let mut text = piece.to_owned();
    for (range, _) in dates(piece).into_iter().rev() {
        text.replace_range(range, " ");
    }
    let is_name = |token: &&str| {
        let number = token.chars().any(|c| c.is_ascii_digit());
        let version = token.contains(['.', '-', '/']) || token.chars().any(char::is_alphabetic);
        if number { version } else { token.starts_with(char::is_uppercase) }
    };
    let tokens = text
        .split_whitespace()
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|token| token.chars().count() > 1);
    let named = tokens.filter(is_name).flat_map(|token| words(&token.to_lowercase()));
    named.filter(|word| !is_stop_word(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::{Place, evidence_units};

    /// What the last unit of a text is about.
    fn about(text: &str) -> Vec<String> {
        let passages = [document("paper", "Report", text)];
        let units = evidence_units(&passages);
        let last = units.last().expect("there is a sentence");
        let far = last.words.iter().filter(|word| word.place == Place::Far);
        far.map(|word| word.word.clone()).collect()
    }

    #[test]
    fn the_code_of_a_report_is_what_it_is_called() {
        let found = about(
            "**Fenner Acoustics** \u{2013} Report FL-25-061, 28 July 2025, for the association and for the officer of the town.\n\n\
             Author: Dr Petra Lyle.",
        );
        assert!(found.iter().any(|word| word == "fl-25-061"), "{found:?}");
        assert!(!found.iter().any(|word| word == "2025"), "a day is no code: {found:?}");
    }

    #[test]
    fn the_head_of_a_report_says_what_all_of_it_is_about() {
        let found = about(
            "VISIT REPORT\nStudy: WREN-2      Site: 07, Elmbank Clinic\nMet at site: Ada Lund\n\
             Date: 6 May 2023\n\nIt is well. The drugs are kept in room 12.",
        );
        for word in ["elmbank", "clinic", "wren", "visit"] {
            assert!(found.iter().any(|own| own.contains(word)), "{word}: {found:?}");
        }
        for word in ["ada", "lund", "2023", "may"] {
            assert!(!found.contains(&word.to_owned()), "{word}: {found:?}");
        }
    }

    #[test]
    fn a_version_is_named_and_prose_is_no_head() {
        let found = about("Protocol MB-4, leading to version 3.0\n\nThe dose is 60 grams.");
        assert!(found.iter().any(|word| word == "3.0"), "{found:?}");
        let prose = about(
            "Ada Lund came to see the mill at Leith and stayed for a week.\nThe dose is 60 grams.",
        );
        assert!(!prose.contains(&"leith".to_owned()), "{prose:?}");
    }
}
