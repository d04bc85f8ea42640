//! Slips of the keyboard: "how mcuh is the resrve fund" is read as what it was meant to be.
//!
//! A word counts as a slip where no dictionary and no document has it, and one slip away lies a common word. What was read is
//! said in the plan.

use crate::embed::StaticEmbedder;
use crate::wordnet::WordNet;
use elenchus_core::text::is_stop_word;

/// Fewest letters of a word that is mended: shorter ones are abbreviations as often as slips.
const SHORTEST: usize = 4;
/// Letters of a word from which one too many or too few is mended, and from which another letter is: of short words too many lie
/// one letter apart.
const FOR_LENGTH: usize = 5;
const FOR_LETTER: usize = 7;
/// What a letter too many or too few, and another letter, cost beside two letters in the wrong order, on the scale of how rare
/// a word is (0 for function words to about 10).
const LENGTH: f32 = 0.3;
const LETTER: f32 = 1.5;
/// Rarity above which a word is too seldom to be meant.
const TOO_RARE: f32 = 9.5;

/// A question as it was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mended {
    pub(super) text: String,
    /// What stood there, and what is read.
    pub(super) read: Vec<(String, String)>,
}

impl Mended {
    /// What was read as what, in words.
    pub(super) fn said(&self) -> String {
        let pairs: Vec<String> =
            self.read.iter().map(|(from, to)| format!("\"{from}\" as \"{to}\"")).collect();
        format!("reads {}", pairs.join(", "))
    }
}

/// The question with its slips mended; `None` without any. `occurs` tells whether a document has a word.
pub(super) fn mended(text: &str, occurs: impl Fn(&str) -> bool) -> Option<Mended> {
    let mut read = Vec::new();
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let plain =
            word.chars().count() >= SHORTEST && word.chars().all(|c| c.is_ascii_lowercase());
        let meant = if plain && !is_word(word) && !occurs(word) { meant(word) } else { None };
        match meant {
            Some(meant) => {
                out.push_str(&piece.replacen(word, &meant, 1));
                read.push((word.to_owned(), meant));
            }
            None => out.push_str(piece),
        }
    }
    (!read.is_empty()).then_some(Mended { text: out, read })
}

/// Whether a dictionary, or the vocabulary of the word vectors, has a word or its stem.
fn is_word(word: &str) -> bool {
    is_stop_word(word) || in_vocabulary(word) || WordNet::builtin().lookup(word).is_known()
}

fn in_vocabulary(word: &str) -> bool {
    StaticEmbedder::builtin().pieces(word) == [word]
}

/// The commonest word that lies one slip away.
fn meant(word: &str) -> Option<String> {
    let table = StaticEmbedder::builtin();
    let mut best: Option<(f32, String)> = None;
    let mut offer = |candidate: String, cost: f32| {
        let known = candidate.chars().count() >= 3 && in_vocabulary(&candidate);
        let price = if known { table.rarity(&candidate) + cost } else { f32::MAX };
        if price < TOO_RARE && best.as_ref().is_none_or(|(least, _)| price < *least) {
            best = Some((price, candidate));
        }
    };
    let letters: Vec<char> = word.chars().collect();
    let joined = |parts: &[&[char]]| parts.concat().into_iter().collect::<String>();
    for at in 0..=letters.len() {
        let (before, after) = letters.split_at(at);
        if let [a, b, rest @ ..] = after {
            offer(joined(&[before, &[*b, *a], rest]), 0.0);
        }
        // Nobody mistakes the first letter.
        if at == 0 || letters.len() < FOR_LENGTH {
            continue;
        }
        if let [_, rest @ ..] = after {
            offer(joined(&[before, rest]), LENGTH);
        }
        for letter in 'a'..='z' {
            offer(joined(&[before, &[letter], after]), LENGTH);
            if let [_, rest @ ..] = after
                && letters.len() >= FOR_LETTER
            {
                offer(joined(&[before, &[letter], rest]), LETTER);
            }
        }
    }
    best.map(|(_, meant)| meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        mended(text, |word| word == "quillstor").map(|mended| mended.text)
    }

    #[test]
    fn slips_are_read_as_meant() {
        assert_eq!(
            read("how mcuh is the resrve fund?").as_deref(),
            Some("how much is the reserve fund?")
        );
        assert_eq!(
            read("What is the anual budget?").as_deref(),
            Some("What is the annual budget?")
        );
        assert_eq!(read("who is the tresurer").as_deref(), Some("who is the treasurer"));
        let told = mended("how mcuh", |_| false).expect("it is mended").said();
        assert_eq!(told, "reads \"mcuh\" as \"much\"");
    }

    #[test]
    fn words_names_and_what_the_documents_have_stay() {
        for text in [
            "How much is the reserve fund?",
            "Who is Ottoline Mrash?",
            "what does quillstor cost",
            "Which kelp beds are surveyed twice?",
            "Was the OEE of line 4 above the SLA?",
            "Is colour or color printed?",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
