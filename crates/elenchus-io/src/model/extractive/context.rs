//! Context: the sentences that a sentence goes on from, and what is said of all of its section.

use super::pronouns::{begins_with_dependent, begins_with_pronoun};
use super::question::{Class, classes};
use super::unit::Word;
use elenchus_core::text::{is_stop_word, words};

/// Whether a sentence speaks of what the one before names.
pub(super) fn goes_on(text: &str) -> bool {
    begins_with_pronoun(text) || begins_with_dependent(text)
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
        .filter(|_| goes_on(sentence))
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

#[cfg(test)]
mod tests {
    use super::*;

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
