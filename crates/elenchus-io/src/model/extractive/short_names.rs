//! Short names: "the trust" is the Dunmore Trust where that is named before.
//!
//! What is named in full is taken up by the noun of its name. Where a passage names one thing so, and not two that are called
//! alike, a sentence about "the trust" is about that one.

use super::question::{Class, classes};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::ValueKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::{BTreeMap, BTreeSet};

/// Fewest letters of a noun that stands for a name.
const LETTERS: usize = 4;

/// Nouns that stand before the name: "Lake Skarven" is "the lake" wherever only one lake is named.
const BEFORE_NAMES: [&str; 12] = [
    "lake",
    "mount",
    "river",
    "castle",
    "port",
    "cape",
    "fort",
    "loch",
    "project",
    "operation",
    "villa",
    "hotel",
];

/// Adds to every sentence that speaks of "the lake" the words of the only lake that is named in all that was read.
fn name_places(units: &mut [EvidenceUnit<'_>]) {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for unit in units.iter() {
        for value in unit.values.iter().filter(|value| value.kind == ValueKind::Name) {
            let full = unit.text.get(value.range.clone()).unwrap_or_default();
            let Some((noun, name)) = full.split_once(' ') else { continue };
            let noun = noun.to_lowercase();
            if BEFORE_NAMES.contains(&noun.as_str()) && !name.is_empty() {
                known.entry(noun).or_default().insert(full.to_owned());
            }
        }
    }
    known.retain(|_, names| names.len() == 1);
    for unit in units {
        let nouns = taken_up(unit.text, |noun| known.contains_key(noun));
        for full in nouns.iter().filter_map(|noun| known.get(noun)?.first()) {
            if !says(unit, full) {
                let own = words(full).into_iter().filter(|word| !is_stop_word(word));
                unit.words.extend(own.map(near));
            }
        }
    }
}

/// Adds to every sentence that speaks of "the trust" the words of the one trust that its passage has named in full before, and
/// says it before the sentence where that goes on from nothing else.
pub(super) fn name_in_full(units: &mut [EvidenceUnit<'_>]) {
    name_places(units);
    let mut home: Option<String> = None;
    // The full name by its noun; nothing where several end so.
    let mut known: BTreeMap<String, Option<String>> = BTreeMap::new();
    for unit in units {
        let passage = unit.read.passage.id.0.as_str();
        if home.as_deref() != Some(passage) {
            home = Some(passage.to_owned());
            known.clear();
        }
        let nouns = taken_up(unit.text, |noun| known.contains_key(noun));
        let named: Vec<&String> = nouns
            .iter()
            .filter_map(|noun| known.get(noun)?.as_ref())
            .filter(|full| !says(unit, full))
            .collect();
        if let [full] = named.as_slice() {
            let own = words(full).into_iter().filter(|word| !is_stop_word(word));
            unit.words.extend(own.map(near));
            if unit.goes_on_from.is_empty() {
                unit.goes_on_from = format!("{full}:");
            }
        }
        for (noun, full) in full_names(unit) {
            let same = known.get(&noun).is_none_or(|other| other.as_ref() == Some(&full));
            known.insert(noun, Some(full).filter(|_| same));
        }
    }
}

fn near(word: String) -> Word {
    Word { stem: stem(&word), word, place: Place::Near, at: 0..0, column: None }
}

/// Whether a unit says all of a name itself.
fn says(unit: &EvidenceUnit<'_>, full: &str) -> bool {
    let has =
        |word: &String| unit.words.iter().any(|own| own.place == Place::Unit && own.word == *word);
    words(full).iter().all(|word| is_stop_word(word) || has(word))
}

/// Names of several words in a unit, each with its last word in lower case: ("trust", "Dunmore Trust").
fn full_names(unit: &EvidenceUnit<'_>) -> Vec<(String, String)> {
    let names = unit.values.iter().filter(|value| value.kind == ValueKind::Name);
    let told = names.filter_map(|value| {
        let full = unit.text.get(value.range.clone())?;
        let full = full.strip_prefix("The ").unwrap_or(full);
        let (first, noun) = full.rsplit_once(' ')?;
        let plain = noun.chars().all(char::is_alphabetic) && noun.chars().count() >= LETTERS;
        // "The Trust" is no name in full.
        let is_full = words(first).iter().any(|word| !is_stop_word(word));
        (plain && is_full).then(|| (noun.to_lowercase(), full.to_owned()))
    });
    told.collect()
}

/// Nouns in lower case that a text speaks of with "the", of those that end a name, where no other noun follows: of "the trust deed" the
/// deed is spoken of.
fn taken_up(text: &str, ends_a_name: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let found = tokens.windows(2).enumerate().filter_map(|(at, pair)| {
        let noun = bare(pair[1]);
        let is_noun = bare(pair[0]).eq_ignore_ascii_case("the")
            && noun.chars().count() >= LETTERS
            && noun.chars().all(char::is_lowercase)
            && ends_a_name(noun);
        // What a mark ends, or an owner's "'s", is the whole of it.
        let ends = pair[1].ends_with(|c: char| !c.is_alphanumeric()) || noun.len() < pair[1].len();
        let next = tokens.get(at + 2).filter(|_| !ends);
        // Tagging is slow beside the rest, and few nouns come so far.
        let alone = || next.is_none_or(|next| !is_noun_in(text, bare(next)));
        (is_noun && alone()).then(|| noun.to_owned())
    });
    found.collect()
}

/// A word without the marks around it and without its "'s".
fn bare(token: &str) -> &str {
    let inner = token.trim_matches(|c: char| !c.is_alphanumeric());
    inner.trim_end_matches("'s").trim_end_matches("\u{2019}s")
}

/// Whether a word of a text is a noun or an adjective there.
fn is_noun_in(text: &str, word: &str) -> bool {
    let lower = word.to_lowercase();
    !is_stop_word(&lower)
        && classes(&text.to_lowercase())
            .iter()
            .any(|(own, class)| *own == lower && *class == Class::Noun)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn the_only_lake_is_the_lake_everywhere() {
        let lake = |texts: &[&str]| {
            let passages: Vec<_> = texts.iter().map(|text| document("note", "", text)).collect();
            let units = evidence_units(&passages);
            let told = units.iter().find(|unit| unit.text.contains("holds"));
            told.is_some_and(|unit| unit.words.iter().any(|word| word.word == "skarven"))
        };
        let told = "After correction the lake holds 11,600 char.";
        assert!(lake(&["We fish in Lake Skarven.", told]));
        assert!(!lake(&["We fish in Lake Skarven and in Lake Vann.", told]));
        assert!(!lake(&["We fish in Lake Skarven.", "After correction a lake holds 11,600 char."]));
    }

    /// The sentences of a text that are about somebody or something of this name, without those that say it.
    fn about(text: &str, name: &str) -> Vec<String> {
        let passages = [document("mail", "", text)];
        let units = evidence_units(&passages);
        let named = units.iter().filter(|unit| {
            unit.words.iter().any(|word| word.word == name && word.place == Place::Near)
        });
        named.map(|unit| unit.text.to_owned()).collect()
    }

    #[test]
    fn what_was_named_in_full_is_taken_up_by_its_noun() {
        let text = "We asked the Dunmore Trust for help. Good news: the trust has given us 5,000 \
                    pounds. My aunt has given us 200 pounds as well. The trust deed is with Ann.";
        let said = about(text, "dunmore");
        assert_eq!(said, ["Good news: the trust has given us 5,000 pounds."]);
        let passages = [document("mail", "", text)];
        let units = evidence_units(&passages);
        let read = units.iter().find(|unit| unit.text.starts_with("Good news"));
        assert_eq!(read.map(|unit| unit.goes_on_from.as_str()), Some("Dunmore Trust:"));
    }

    #[test]
    fn of_two_that_are_called_alike_neither_is_meant() {
        let two = "The Dunmore Trust wrote. The Rowan Trust wrote too. Now the trust has paid.";
        assert!(about(two, "dunmore").is_empty() && about(two, "rowan").is_empty());
        // What is named afterwards is not what was spoken of.
        assert!(
            about("Now the trust has paid. The Dunmore Trust is another.", "dunmore").is_empty()
        );
    }
}
