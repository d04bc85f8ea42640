//! Short forms: "the Data and Safety Monitoring Board (DSMB)" says once what stands for what, and everywhere else one of the two stands.

use super::unit::{EvidenceUnit, Word};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::BTreeMap;

/// Letters of a short form.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=7;
/// Most words of what it stands for, small ones included.
const WORDS: usize = 10;

/// Gives every unit that says a short form the words that it stands for, and the other way round. A short form that stands for two
/// things stands for neither.
pub(super) fn spell_out(passages: &[ReadPassage], units: &mut [EvidenceUnit<'_>]) {
    let mut known: BTreeMap<String, Option<Vec<String>>> = BTreeMap::new();
    for (short, long) in passages.iter().flat_map(|read| introduced(&read.passage.text)) {
        let same = known.get(&short).is_none_or(|other| other.as_ref() == Some(&long));
        known.insert(short, Some(long).filter(|_| same));
    }
    let known: Vec<(String, Vec<String>)> =
        known.into_iter().filter_map(|(short, long)| Some((short, long?))).collect();
    for unit in units {
        let mut told = Vec::new();
        for (short, long) in &known {
            let lower = short.to_lowercase();
            for word in unit.words.iter().filter(|word| word.word == lower) {
                // "Who" is no WHO.
                let said = word.at.is_empty() || unit.text.get(word.at.clone()) == Some(short);
                if said {
                    told.extend(long.iter().map(|part| stands_for(word, part)));
                }
            }
            let parts = unit.words.windows(long.len());
            let whole = parts.filter(|some| some.iter().map(|word| &word.word).eq(long));
            told.extend(whole.map(|some| {
                let at = some[0].at.start..some[long.len() - 1].at.end.max(some[0].at.start);
                Word { at, ..stands_for(&some[0], &lower) }
            }));
        }
        unit.words.extend(told);
    }
}

/// Another word in the place of one.
fn stands_for(word: &Word, other: &str) -> Word {
    Word { word: other.to_owned(), stem: stem(other), ..word.clone() }
}

/// Short forms that a text introduces in brackets, each with the words before them that it stands for.
fn introduced(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('(') {
        let Some(short) = text[open + 1..].split(')').next() else { continue };
        let is_short = LETTERS.contains(&short.len())
            && short.bytes().all(|b| b.is_ascii_uppercase())
            && text[..open].ends_with([' ', '*']);
        if is_short && let Some(long) = spelled(&text[..open], short) {
            found.push((short.to_owned(), long));
        }
    }
    found
}

/// The last words of a text, as many as spell a short form by their first letters; small words may be passed over.
fn spelled(before: &str, short: &str) -> Option<Vec<String>> {
    let sentence = before.rsplit(['.', ';', '\n', '(', ')', ':', '|']).next()?;
    let all = words(sentence);
    let mut letters = short.chars().rev().map(|c| c.to_ascii_lowercase()).peekable();
    let mut from = all.len();
    while let Some(letter) = letters.peek() {
        from = from.checked_sub(1)?;
        if all.len() - from > WORDS {
            return None;
        }
        let word = &all[from];
        if word.starts_with(*letter) {
            letters.next();
        } else if !is_stop_word(word) || from + 1 == all.len() {
            return None;
        }
    }
    Some(all[from..].to_vec())
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn a_short_form_is_told_by_the_words_before_it() {
        let told = |text: &str| {
            introduced(text).into_iter().map(|(_, long)| long.join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(
            told("On 5 June the Data and Safety Monitoring Board (DSMB) met."),
            ["data and safety monitoring board"]
        );
        assert_eq!(told("Leith Mountain Cableways (LMC), Leith"), ["leith mountain cableways"]);
        assert_eq!(told("The technical manager (TM) is Tom."), ["technical manager"]);
        for none in ["It was wet (WET).", "Tom Poe (chair)", "the mill (ABC)", "Ann Lund (AL"] {
            let found = told(none);
            assert!(found.is_empty() || none.contains("AL"), "{none} {found:?}");
        }
    }

    #[test]
    fn units_say_what_short_forms_stand_for_and_the_other_way_round() {
        let passages = [
            document("a", "Rules", "The Data and Safety Monitoring Board (DSMB) has five members."),
            document("b", "Report", "The DSMB, chaired by Ada Lund, met in May."),
            document("c", "Letter", "The data and safety monitoring board was heard. Who came?"),
        ];
        let units = evidence_units(&passages);
        let says = |text: &str, word: &str| {
            let unit = units.iter().find(|unit| unit.text.contains(text)).expect("it is there");
            unit.words.iter().any(|own| own.word == word)
        };
        assert!(says("chaired by", "monitoring"));
        assert!(says("was heard", "dsmb"));
        // What stands for two things stands for neither.
        let two = [
            document("a", "Rules", "The Rope Testing Institute (RTI) tests."),
            document("b", "Letter", "A Risk Transfer Index (RTI) was named."),
            document("c", "Report", "The RTI is right."),
        ];
        let units = evidence_units(&two);
        let right = units.iter().find(|unit| unit.text.contains("right")).expect("it is there");
        assert!(!right.words.iter().any(|own| own.word == "rope"));
    }
}
