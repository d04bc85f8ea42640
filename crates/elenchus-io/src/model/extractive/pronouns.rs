//! Words that stand for somebody or something that is named before.

use elenchus_core::text::words;

/// Whether a lower-case word stands for what was named before, alone or as its owner.
fn stands_for(word: &str) -> bool {
    matches!(
        word,
        "he" | "she" | "it" | "they" | "his" | "her" | "its" | "their" | "this" | "these" | "those"
    )
}

/// Whether a text begins with such a word.
pub(super) fn begins_with_pronoun(text: &str) -> bool {
    words(text).first().is_some_and(|word| {
        stands_for(word) || matches!(word.as_str(), "that" | "both" | "neither")
    })
}

/// Whether such a word stands anywhere in a text. "That" joins more often than it stands for anything.
pub(super) fn has_pronoun(text: &str) -> bool {
    words(text).iter().any(|word| stands_for(word) || matches!(word.as_str(), "him" | "them"))
}

/// Whether such a word stands for what another sentence names: "it was sold", but not "Ann wants a kitchen; she will bring
/// costs", where the part before the semicolon names her.
pub(super) fn refers_out(text: &str) -> bool {
    let mut named = false;
    text.split(';').any(|part| {
        let resolved = named && begins_with_pronoun(part);
        named = named || begins_with_name(part);
        !resolved && has_pronoun(part)
    })
}

/// Whether a text begins with a capital that is no pronoun's or article's.
fn begins_with_name(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.starts_with(char::is_uppercase)
        && !begins_with_pronoun(text)
        && !elenchus_core::text::is_stop_word(&first.to_lowercase())
}
