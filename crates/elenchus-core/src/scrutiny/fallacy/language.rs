//! Whether a text is English: said, not guessed.

use crate::text::{is_stop_word, words};
use serde::Serialize;

/// What a text seems to be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Enough English function words.
    English,
    /// Too few of them for English prose.
    Other,
    /// Too few words to tell.
    Short,
}

/// Fewest words that allow a judgement, and most that are looked at.
const FEWEST: usize = 12;
const MOST: usize = 2000;
/// Least share of function words in English prose, 0 to 1. English has about 0.4; related languages below 0.12.
const SHARE: f64 = 0.16;

/// Tells English from other languages by its share of function words.
pub fn language(text: &str) -> Language {
    let end = text.char_indices().nth(MOST * 8).map_or(text.len(), |(byte, _)| byte);
    let words: Vec<String> = words(&text[..end])
        .into_iter()
        .filter(|word| word.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '\u{2019}'))
        .take(MOST)
        .collect();
    if words.len() < FEWEST {
        let letters = text.chars().take(MOST).filter(|c| c.is_alphabetic());
        let (all, latin) =
            letters.fold((0, 0), |(n, l), c| (n + 1, l + usize::from(c < '\u{250}')));
        return if all >= 12 && latin * 2 < all { Language::Other } else { Language::Short };
    }
    let known = words.iter().filter(|word| is_stop_word(word)).count();
    if known as f64 / words.len() as f64 >= SHARE { Language::English } else { Language::Other }
}

/// Function words of other languages that are no words of English.
const ELSEWHERE: [&str; 59] = [
    "wer", "wie", "wann", "warum", "welche", "welcher", "welches", "wo", "ist", "sind", "und",
    "der", "das", "dem", "ein", "eine", "nicht", "viele", "kostet", "quién", "qué", "cuándo",
    "dónde", "cuál", "cuánto", "cuántos", "cuesta", "está", "el", "los", "las", "del", "por",
    "para", "qui", "quand", "où", "pourquoi", "quel", "quelle", "combien", "est", "les", "des",
    "une", "che", "quando", "dove", "perché", "quanto", "il", "è", "della", "quem", "qual", "onde",
    "wat", "waar", "het",
];

/// Words of English that are words of others too ("Quand a lieu …", "Was war …"): they tell nothing.
const SHARED: [&str; 13] =
    ["a", "am", "an", "as", "do", "i", "in", "me", "no", "on", "or", "so", "was"];

/// Tells whether a question is English. A question is short, so that words count which only another language has; what
/// is not written in Latin letters is not English. Within a name ("Der Spiegel", "El Niño") such a word has a capital.
pub fn question_language(text: &str) -> Language {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (all, latin) = letters.fold((0, 0), |(n, l), c| (n + 1, l + usize::from(c < '\u{250}')));
    if all >= 2 && latin * 2 < all {
        return Language::Other;
    }
    let pieces = text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
    let foreign = pieces
        .enumerate()
        .filter(|(at, piece)| *at == 0 || piece.starts_with(char::is_lowercase))
        .filter(|(_, piece)| ELSEWHERE.contains(&piece.to_lowercase().as_str()))
        .count();
    let tells = |word: &str| !ELSEWHERE.contains(&word) && !SHARED.contains(&word);
    let own = words(text).iter().filter(|word| is_stop_word(word) && tells(word)).count();
    match (foreign, own) {
        (2.., _) if foreign > own => Language::Other,
        (1.., 0) => Language::Other,
        (_, 1..) => Language::English,
        _ => language(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_by_few_words() {
        for other in [
            "Wer ist der Geschäftsführer?",
            "Wie viele Mitarbeiter hat die Firma?",
            "¿Quién es el director?",
            "Combien coûte une chambre?",
            "Quand a lieu la fête du village ?",
            "Was war der Grund dafür?",
            "Quando a assembleia decide?",
            "誰が社長ですか?",
            "Кто директор?",
        ] {
            assert_eq!(question_language(other), Language::Other, "{other}");
        }
        for english in [
            "Who is the director?",
            "What does El Niño cost the fishermen?",
            "Who wrote Das Kapital?",
            "When did Der Spiegel appear?",
            "capacity of T4",
            "Is El Niño a problem?",
            "Was Der Spiegel in print?",
            "Was a den found in Kent?",
        ] {
            assert_ne!(question_language(english), Language::Other, "{english}");
        }
    }

    #[test]
    fn other_languages_are_told() {
        let english = "The harbour was closed on Friday because the crane had to be taken down before the storm.";
        let german = "Der Hafen war am Freitag geschlossen, weil der Kran vor dem Sturm abgebaut werden musste.";
        let french = "Le port est reste ferme vendredi parce que la grue a du etre demontee avant la tempete.";
        assert_eq!(language(english), Language::English);
        assert_eq!(language(german), Language::Other);
        assert_eq!(language(french), Language::Other);
        assert_eq!(language("Привет, как дела у вас сегодня в городе"), Language::Other);
        assert_eq!(language("Yes."), Language::Short);
        assert_eq!(language(""), Language::Short);
    }
}
