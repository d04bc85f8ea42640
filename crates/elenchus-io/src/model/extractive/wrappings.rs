//! Wrappings: what is said around a question, and words that are said short in it. "Hey, could you tell me what's the fee?" asks what the
//! fee is.

use super::overview::overview;
use super::split::capitalise;
use elenchus_core::text::words;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Polite wrappings, longest first. What follows them is the question.
const WRAPPINGS: [&str; 23] = [
    "i would like to know",
    "i'd like to know",
    "i’d like to know",
    "could you please tell me",
    "can you please tell me",
    "could you tell me",
    "can you tell me",
    "would you tell me",
    "do you happen to know",
    "does anyone know",
    "do you know",
    "i want to know",
    "i need to know",
    "i am wondering",
    "i'm wondering",
    "i wonder",
    "please tell me",
    "please explain",
    "tell me",
    "remind me",
    "let me know",
    "any idea",
    "quick question:",
];

/// What is said before a question to whoever is asked: "Hey,", "Hi all -", "Good morning, Ann:".
static GREETING: LazyLock<Regex> = LazyLock::new(|| {
    let whom = r"(?: (?:there|all|team|everyone|everybody|folks|guys|again))?";
    let words = r"hey|hi|hello|dear|good (?:morning|afternoon|evening|day)|greetings|sorry|excuse me|ok|okay|so|well|thanks|right|please|quick one|quick question|one question|question|just (?:wondering|curious|checking)|out of (?:curiosity|interest)";
    Regex::new(&format!(r"(?i)^(?:{words}){whom}(?: ?[,!:;.]|,? [-\u{{2013}}\u{{2014}}]) *"))
        .expect("the pattern is a constant that a test uses")
});

/// "What's", "who’s" and, as people type, "whats": question words with the verb drawn to them.
static DRAWN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(what|where|when|how|why|who)(?:['\u{2019}]?(s)|['\u{2019}](re))\b")
        .expect("the pattern is a constant that a test uses")
});

/// A question with such words in full. "Whose" and "shows" are none.
pub(super) fn in_full(text: &str) -> String {
    let full = |found: &Captures<'_>| {
        let verb = if found.get(3).is_some() { "are" } else { "is" };
        format!("{} {verb}", &found[1])
    };
    DRAWN.replace_all(text, full).into_owned()
}

/// "Isn't the array harmful?" asks whether it is: the denial only says what is expected.
pub(super) fn positively(text: &str) -> String {
    static LEADING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^(is|are|was|were|does|do|did|has|have|had|could|would|should|wo|ca)n['\u{2019}]?t ")
            .expect("the pattern is a constant that a test uses")
    });
    let positive = |found: &Captures<'_>| match found[1].to_lowercase().as_str() {
        "wo" => "Will ".to_owned(),
        "ca" => "Can ".to_owned(),
        _ => format!("{} ", &found[1]),
    };
    LEADING.replace(text, positive).into_owned()
}

/// The question without its wrapping: "Can you tell me how many ..." asks how many.
pub(super) fn bare(text: &str) -> String {
    let mut rest = text.trim();
    while let Some(greeting) = GREETING.find(rest) {
        if words(&rest[greeting.end()..]).len() < 2 {
            break;
        }
        rest = &rest[greeting.end()..];
    }
    loop {
        // "Tell me about the crane" is no wrapping of another question.
        if overview(rest).is_some() {
            break;
        }
        let lower = rest.to_lowercase();
        let stripped = WRAPPINGS.iter().find_map(|wrapping| {
            let after = lower.strip_prefix(wrapping)?;
            // A wrapping ends at a word's end and leaves a question behind.
            let leaves = after.starts_with([' ', ',', ':']) && words(after).len() >= 2;
            leaves.then(|| rest.len() - after.len())
        });
        match stripped {
            Some(at) if rest.is_char_boundary(at) => {
                rest = rest[at..].trim_start_matches([' ', ',', ':']);
            }
            _ => break,
        }
    }
    // "According to the board memo, what is ...": the question is what follows the comma.
    let lower = rest.to_lowercase();
    if lower.starts_with("according to")
        && let Some(at) = rest.find(", ")
        && words(&rest[at..]).len() >= 3
    {
        rest = rest[at + 1..].trim_start();
    }
    if rest.len() == text.trim().len() { text.to_owned() } else { capitalise(rest) }
}

#[cfg(test)]
mod tests {
    use super::super::split::split;
    use super::*;

    #[test]
    fn a_greeting_asks_nothing() {
        for (text, asked) in [
            ("Hey, which shed is the launch kept in?", "Which shed is the launch kept in?"),
            ("Good morning all - how much is a berth?", "How much is a berth?"),
            ("Quick question: who keeps the keys?", "Who keeps the keys?"),
            ("Sorry, hi! Could you tell me who keeps the keys?", "Who keeps the keys?"),
        ] {
            assert_eq!(split(text), [asked], "{text}");
        }
        // A word that leads into the question is a part of it.
        assert_eq!(split("So how long does it take?"), ["So how long does it take?"]);
        assert_eq!(split("Hello World's price?"), ["Hello World's price?"]);
    }

    #[test]
    fn a_denial_that_leads_a_question_denies_nothing() {
        assert_eq!(positively("Isn't the array harmful?"), "Is the array harmful?");
        assert_eq!(positively("Won\u{2019}t it rust?"), "Will it rust?");
        assert_eq!(positively("Doesnt it rust?"), "Does it rust?");
        assert_eq!(positively("Why isn't it rusty?"), "Why isn't it rusty?");
    }

    #[test]
    fn a_verb_drawn_to_its_question_word_is_said_in_full() {
        for (text, asked) in [
            ("What's the berth fee?", "What is the berth fee?"),
            ("Who\u{2019}s the harbour master?", "Who is the harbour master?"),
            ("whats the fee and who's the clerk?", "what is the fee?"),
            ("What're the fees?", "What are the fees?"),
            ("Whose boat shows up?", "Whose boat shows up?"),
        ] {
            assert_eq!(split(text)[0], asked, "{text}");
        }
    }
}
