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

/// Words after "one" with which it stands for no thing: "the last one hundred", "the tall one who".
const OF_NUMBERS: [&str; 9] =
    ["hundred", "thousand", "million", "of", "who", "which", "that", "day", "hour"];
/// What leads to a clause before the main one: "when she is away, ...".
const SUBORDINATING: [&str; 14] = [
    "when", "whenever", "if", "while", "until", "since", "because", "after", "before", "though",
    "although", "once", "as", "unless",
];
/// What leads to a circumstance before the main clause: "in her absence, ...".
const LEADING: [&str; 10] =
    ["in", "on", "at", "for", "with", "by", "after", "before", "under", "during"];

/// Whether what a text speaks of is named in the sentence before, though no pronoun begins it: "The bill was 310 pounds", "The
/// old one was sold", "When she is away, Ben Poe does it for her".
pub(super) fn begins_with_dependent(text: &str) -> bool {
    is_of_a_thing(text) || one_of_those(text).is_some() || is_led_by_pronoun(text)
}

/// How "the old one" and "each one" call what they stand for: "old"; empty for "two of them". `None` for a text that begins with
/// nothing of the kind.
pub(super) fn one_of_those(text: &str) -> Option<String> {
    let all = words(text);
    let word = |at: usize| all.get(at).map_or("", String::as_str);
    if word(1) == "of" && matches!(word(2), "them" | "these" | "those") {
        return Some(String::new());
    }
    let picks = matches!(word(0), "each" | "another" | "this" | "that");
    let article = picks || matches!(word(0), "the" | "a" | "an" | "these" | "those");
    if picks && matches!(word(1), "one" | "ones") {
        return Some(String::new());
    }
    let is_one = word(2) == "ones" || (word(2) == "one" && !OF_NUMBERS.contains(&word(3)));
    (article && is_one).then(|| word(1).to_owned())
}

/// Whether a clause or a circumstance that comes before the main clause speaks of somebody who is named before: "When she is away,
/// ...". Of "In her report, Ann Reed asks for oil" the main clause names her itself.
fn is_led_by_pronoun(text: &str) -> bool {
    let all = words(text);
    let [first, second, ..] = all.as_slice() else { return false };
    let person = matches!(second.as_str(), "he" | "she" | "they");
    let owner = matches!(second.as_str(), "his" | "her" | "their");
    let led = (SUBORDINATING.contains(&first.as_str()) && person)
        || (LEADING.contains(&first.as_str()) && owner);
    let names_it = |main: &str| begins_with_name(main) && !has_pronoun(main);
    led && !text.split_once(',').is_some_and(|(_, main)| names_it(main))
}

/// Whether a text begins with a thing that there is only of something and names nothing itself: "The bill was 310 pounds", but not
/// "The work at Leith".
fn is_of_a_thing(text: &str) -> bool {
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

    #[test]
    fn one_of_those_is_of_the_kind_that_the_sentence_before_names() {
        assert_eq!(one_of_those("The bigger one weighs 24 kilos.").as_deref(), Some("bigger"));
        assert_eq!(one_of_those("The old ones were sold.").as_deref(), Some("old"));
        assert_eq!(one_of_those("Each one has a lock.").as_deref(), Some(""));
        assert_eq!(one_of_those("Two of them are blind.").as_deref(), Some(""));
        assert_eq!(one_of_those("The one who comes first has the key."), None);
        assert_eq!(one_of_those("The yard has one crane."), None);
        assert_eq!(one_of_those("The last one hundred visitors got in free."), None);
        assert_eq!(one_of_those("One of the boats leaks."), None);
        assert!(begins_with_dependent("The old one went to Leith."));
    }

    #[test]
    fn somebody_is_named_before_a_clause_that_says_she() {
        assert!(begins_with_dependent("When she is away, Ben Poe takes her place."));
        assert!(begins_with_dependent("In his absence the mate steers."));
        assert!(begins_with_dependent("After his death, the yard was sold."));
        // The main clause names whom the first clause is about.
        assert!(!begins_with_dependent("When he was young, Ben Poe sailed to Leith."));
        assert!(!begins_with_dependent("In her report, Ann Reed asks for oil."));
        // "It" rains, and stands for nothing.
        assert!(!begins_with_dependent("If it rains, the regatta is put off."));
    }
}
