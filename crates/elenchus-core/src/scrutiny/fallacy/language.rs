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

#[cfg(test)]
mod tests {
    use super::*;

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
