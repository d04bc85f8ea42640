//! Editions: which version of it a document says that it is, and which one a question asks for.

use super::bind::Bound;
use super::ordinals::ordinal;
use super::question::Question;
use super::unit::{EvidenceUnit, HEAD};
use elenchus_core::evidence::{ReadPassage, replaced};
use elenchus_core::id::SourceId;
use elenchus_core::text::words;
use std::collections::BTreeMap;

/// The highest number of a version; more is a year.
const MOST: u32 = 999;
/// What a number of a version stands behind.
pub(super) const VERSIONS: [&str; 4] = ["version", "edition", "issue", "revision"];

/// How firmly the words for a version bind in a document that is this version.
const BOUND: f64 = 0.85;

/// Sets of each unit which version its document is, and whether another document replaces that.
pub(super) fn name(passages: &[ReadPassage], units: &mut [EvidenceUnit<'_>]) {
    let mut known: BTreeMap<SourceId, u32> = BTreeMap::new();
    for read in passages {
        let source = &read.source;
        let path = source.path.replace(['/', '\\', '_', '.', '-'], " ");
        let head = (read.passage.span.start < HEAD).then(|| own_number(&read.passage.text));
        let number = numbered(&source.title).or_else(|| numbered(&path)).or(head.flatten());
        if let Some(number) = number {
            known.entry(source.id.clone()).or_insert(number);
        }
    }
    let replaced = replaced(passages);
    for unit in units {
        unit.is_replaced = replaced.contains_key(&unit.read.source.id);
        let Some(number) = known.get(&unit.read.source.id) else { continue };
        unit.edition = Some(*number);
    }
}

/// "The limit in version 2" is asked of a document whose sentences do not repeat the number: its words for the version bind
/// wherever they stand, and no other number does for that.
pub(super) fn bind(question: &Question, unit: &EvidenceUnit<'_>, bounds: &mut [Bound]) {
    let Some(number) = unit.edition.filter(|own| asked(&question.text) == Some(*own)) else {
        return;
    };
    let (number, short) = (number.to_string(), format!("v{number}"));
    for (term, bound) in question.terms.iter().zip(bounds) {
        // An issue may be a trouble as well.
        let of_version = VERSIONS.iter().any(|word| *word != "issue" && *word == term.word);
        if of_version || term.word == number || term.word == short {
            bound.strength = bound.strength.max(BOUND);
        }
    }
}

/// The version that a question asks for: "in version 1", "of the second edition". `None` where it names none, or several.
pub(super) fn asked(question: &str) -> Option<u32> {
    let found = all_numbered(question);
    if let [only] = found.as_slice() { Some(*only) } else { None }
}

/// "Version 1, in force from 1 May": a line of the head that begins with the version and nothing else up to a stop. "Version 3
/// uses another format" speaks of a version.
fn own_number(text: &str) -> Option<u32> {
    let head: String = text.chars().take(HEAD).collect();
    head.lines().find_map(|line| {
        let part = line.split([',', ';']).next()?.split(". ").next()?;
        let all = words(part);
        let [version, number] = all.as_slice() else { return None };
        let number = number.parse::<u32>().ok()?;
        (VERSIONS.contains(&version.as_str()) && number <= MOST).then_some(number)
    })
}

fn numbered(text: &str) -> Option<u32> {
    all_numbered(text).first().copied()
}

/// The versions that a text names: "version 2", "v2", "the second edition".
fn all_numbered(text: &str) -> Vec<u32> {
    let all = words(text);
    let mut found: Vec<u32> = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let next = all.get(at + 1).map_or("", String::as_str);
        let number = if VERSIONS.contains(&word.as_str()) {
            next.parse::<u32>().ok()
        // "The first issue" is a trouble as often.
        } else if VERSIONS.contains(&next) && next != "issue" {
            ordinal(word).map(u32::from)
        } else {
            word.strip_prefix('v').and_then(|number| number.parse::<u32>().ok())
        };
        found.extend(number.filter(|number| *number <= MOST && !found.contains(number)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::variants::is_other_edition;
    use super::*;

    #[test]
    fn a_question_names_one_version_or_none() {
        assert_eq!(asked("What was the depth in version 1 of the rules?"), Some(1));
        assert_eq!(asked("What does the second edition say of moorings?"), Some(2));
        assert_eq!(asked("What changed between version 1 and version 2?"), None);
        assert_eq!(asked("What is the depth?"), None);
        assert_eq!(asked("What was the first issue with the crane?"), None);
        assert_eq!(asked("Which version 2024 is meant?"), None);
    }

    #[test]
    fn a_document_is_the_version_that_its_head_or_its_name_says() {
        let edition = |name: &str, text: &str| {
            let passages = [document(name, "Moorings", text)];
            evidence_units(&passages)[0].edition
        };
        let head = "Version 2, in force from 1 June 2025. It replaces version 1 of 2023.";
        assert_eq!(edition("moorings", head), Some(2));
        assert_eq!(edition("moorings-v1-2023", "Boats lie two abreast."), Some(1));
        assert_eq!(edition("moorings", "It replaces version 1 of 2023."), None);
        assert_eq!(edition("moorings", "Version 3 uses other buoys than version 2."), None);
        assert_eq!(edition("moorings", "Version 2.4 was withdrawn."), None);
    }

    #[test]
    fn the_number_of_a_version_binds_no_other_number() {
        let passages = [document("moorings-v2", "Moorings", "Bay 3 holds the Tern.")];
        let units = evidence_units(&passages);
        let bound = |question: &str| {
            let question = Question::parse(question, &[]);
            let none = Bound { strength: 0.0, at: 0..0, column: None };
            let mut bounds = vec![none; question.terms.len()];
            bind(&question, &units[0], &mut bounds);
            bounds.iter().filter(|bound| bound.strength > 0.0).count()
        };
        assert_eq!(bound("Which boat lies in bay 2?"), 0);
        assert_eq!(bound("Which boat lies in bay 3 in version 1?"), 0);
        assert!(bound("Which boat lies in bay 3 in version 2?") > 0);
    }

    #[test]
    fn a_page_of_many_versions_has_a_heading_for_each() {
        let passages = [document("widget-v3", "Version 2", "It knows a dark mode.")];
        let units = evidence_units(&passages);
        assert!(!is_other_edition("What did version 2 add?", &units[0]));
        assert!(is_other_edition("What did version 1 add?", &units[0]));
        assert!(is_other_edition("What did the first edition add?", &units[0]));
    }

    #[test]
    fn another_version_does_not_answer_unless_it_speaks_of_the_asked_one() {
        let text = "Version 2, in force from 1 June 2025.\n\nBoats lie two abreast. In version 1 \
                    they lay three abreast.";
        let passages = [document("moorings", "Moorings", text)];
        let units = evidence_units(&passages);
        let other = |question: &str| -> Vec<bool> {
            units.iter().map(|unit| is_other_edition(question, unit)).collect()
        };
        assert_eq!(other("How do boats lie in version 1?"), [true, true, false]);
        assert_eq!(other("How do boats lie in version 2?"), [false, false, false]);
        assert_eq!(other("How do boats lie?"), [false, false, false]);
    }
}
