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

/// What there is only of something: whose it is, the sentence before says.
const DEPENDENT: [&str; 14] = [
    "bill",
    "cost",
    "costs",
    "estimate",
    "invoice",
    "job",
    "order",
    "quotation",
    "quote",
    "repair",
    "repairs",
    "sum",
    "total",
    "work",
];

/// Whether a text begins with such a thing and names nothing itself: "The bill was 310 pounds", but not "The work at Leith".
pub(super) fn begins_with_dependent(text: &str) -> bool {
    let mut tokens = text.split_whitespace();
    let article = tokens.next().is_some_and(|word| matches!(word, "The" | "This"));
    let noun = tokens.next().unwrap_or_default().to_lowercase();
    let noun = noun.trim_matches(|c: char| !c.is_alphanumeric());
    let rest: Vec<&str> = tokens.collect();
    article
        && DEPENDENT.contains(&noun)
        && !rest.first().is_some_and(|word| matches!(*word, "of" | "for"))
        && !rest.iter().any(|word| word.starts_with(char::is_uppercase))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_is_of_what_the_sentence_before_speaks_of() {
        assert!(begins_with_dependent("The bill was 310 pounds."));
        assert!(begins_with_dependent("The work took nine days, and two men did it."));
        assert!(!begins_with_dependent("The bill of the mason was 310 pounds."));
        assert!(!begins_with_dependent("The work was done by Hollis and Sons."));
        assert!(!begins_with_dependent("The engine was mended."));
        assert!(!begins_with_dependent("A bill came."));
    }
}
