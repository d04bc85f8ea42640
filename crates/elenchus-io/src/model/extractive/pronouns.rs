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
