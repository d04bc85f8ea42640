//! Numbering: figures that name a thing and count nothing, and what a code or a telephone number looks like.
//!
//! "1.3 The gate code is changed monthly" holds no code, and "the runway, 09/27, is of grass" no width.

use super::followed::is_followed;
use super::question::Question;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::text::{stem, words};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What is told apart by a number behind it.
const NUMBERED: [&str; 32] = [
    "room",
    "clause",
    "section",
    "paragraph",
    "article",
    "chapter",
    "appendix",
    "annex",
    "schedule",
    "page",
    "figure",
    "table",
    "form",
    "runway",
    "flight",
    "platform",
    "berth",
    "gate",
    "suite",
    "flat",
    "apartment",
    "bus",
    "route",
    "channel",
    "locker",
    "rule",
    "version",
    "edition",
    "issue",
    "volume",
    "junction",
    "motion",
];
/// What opens with a code.
const LOCKED: [&str; 16] = [
    "gate", "door", "alarm", "access", "entry", "key", "safe", "lock", "security", "pin",
    "voucher", "discount", "promo", "sort", "dialling", "booking",
];
/// What has a number to be called or known by.
const CALLED: [&str; 4] = ["telephone", "phone", "mobile", "fax"];
const KNOWN_BY: [&str; 14] = [
    "account",
    "policy",
    "invoice",
    "order",
    "registration",
    "reference",
    "serial",
    "licence",
    "license",
    "passport",
    "charity",
    "vat",
    "chip",
    "contract",
];

/// "1.3 The gate", "4. Rent", "2.1) Each": the number of a section or of an item, before what it says.
static SECTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"^\s*(?:[-*#>]+\s+)?[*_]*§?\s?(?:\d{1,3}(?:\.\d{1,3})+[.)]?|\d{1,3}[.)])[*_]*\s+[*_"“(]*\p{Lu}"#,
    )
    .expect("the pattern is a constant that a test uses")
});
/// A word with a digit in it, or one in capitals.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[\p{L}\p{N}][\p{L}\p{N}#*/-]*")
        .expect("the pattern is a constant that a test uses")
});
/// "The alarm code is heron."
static CODE_WORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bcode\s*(?:is|was|:|=)\s*\w+\s*(?:[.,;)]|$)")
        .expect("the pattern is a constant that a test uses")
});
static TELEPHONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\+?\d[\d\s()/.-]*\d").expect("the pattern is a constant that a test uses")
});

/// Bytes at the start of a text that number it; 0 where none do.
pub(super) fn section_number(text: &str) -> usize {
    SECTION.find(text).map_or(0, |found| {
        let last = found.as_str().chars().next_back().map_or(0, char::len_utf8);
        found.end() - last
    })
}

/// Whether a number tells one thing of its kind from others, where that kind is not asked about: "runway 27", "clause 4".
pub(super) fn names_a_thing(question: &Question, text: &str, value: &Value) -> bool {
    value.kind == ValueKind::Count
        && (value.range.end <= section_number(text)
            || (!counts_what_is_asked(question, text, value)
                && numbered(text, &value.range)
                    .is_some_and(|noun| !words(&question.text).contains(&noun))))
}

/// Whether things that are called so are told apart by a number: a flat, a room, a house.
pub(super) fn is_numbered_thing(noun: &str) -> bool {
    const ALSO: [&str; 11] =
        ["house", "home", "plot", "desk", "bay", "ward", "seat", "lot", "pitch", "floor", "unit"];
    NUMBERED.contains(&noun) || ALSO.contains(&noun)
}

/// "At the gate 340 people paid": what is asked for stands right behind the figure, which counts it.
fn counts_what_is_asked(question: &Question, text: &str, value: &Value) -> bool {
    let behind = text.get(value.range.end..).unwrap_or_default();
    let next = behind.split_whitespace().next().and_then(|word| words(word).into_iter().next());
    question.counted.as_ref().zip(next).is_some_and(|(noun, next)| stem(&next) == *noun)
}

/// The noun that a number stands right behind, if it is told apart so.
fn numbered(text: &str, at: &Range<usize>) -> Option<String> {
    let digits = text.get(at.clone())?.chars().all(|c| c.is_ascii_digit());
    if !digits {
        return None;
    }
    let before = text.get(..at.start)?.strip_suffix(' ')?;
    let noun = words(before.rsplit(' ').next()?).pop()?;
    // "The gate: 4" and "the gate, 4 men" are cut off before the number.
    let beside = before.to_lowercase().ends_with(&noun);
    (beside && NUMBERED.contains(&noun.as_str())).then_some(noun)
}

/// Whether words that were marked as the answer are a number that the text names something with: that of its section, or
/// digits which are part of a name or of no value at all. Somebody who is told as the one before is no answer either.
pub(super) fn is_no_value(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    marked: &Range<usize>,
) -> bool {
    let Some(text) = unit.text.get(marked.clone()) else { return true };
    if marked.end <= section_number(unit.text) || is_followed(question, unit.text, marked) {
        return true;
    }
    // "120/80" is whole; "27" of "09/27" is a part of a name.
    let bare = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let held = |value: &Value| value.range.start < marked.end && marked.start < value.range.end;
    let counted = unit.values.iter().find(|value| held(value));
    bare && counted.is_none_or(|value| names_a_thing(question, unit.text, value))
}

/// Whether a code, a telephone number, an address of mail or the like is asked for, and the unit holds nothing that looks like
/// one: it tells where it hangs, or when it is changed.
pub(super) fn lacks_what_is_asked(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let all = words(&question.text);
    if !asks_what(&all) {
        return false;
    }
    let asked = |before: &[&str], noun: &str| is_pair(&all, before, noun);
    if asked(&["email"], "address")
        || all.windows(3).any(|three| three[..] == ["e", "mail", "address"])
    {
        return !unit.text.contains('@');
    }
    let inside = |at: &Range<usize>| is_of_a_value(unit, at);
    if asked(&CALLED, "number") {
        return !TELEPHONE
            .find_iter(unit.text)
            .any(|found| digits(found.as_str()) >= 3 && !inside(&found.range()));
    }
    (asked(&LOCKED, "code") && lacks_a_code(unit))
        || (asked(&KNOWN_BY, "number") && !has_token(unit, 2, false))
}

/// Whether nothing in a unit looks like a code: neither digits nor capitals nor a quote, nor a single word that is said to be it.
fn lacks_a_code(unit: &EvidenceUnit<'_>) -> bool {
    !has_token(unit, 2, true)
        && !unit.text.contains(['"', '`', '\u{201c}'])
        && !CODE_WORD.is_match(unit.text)
}

fn asks_what(all: &[String]) -> bool {
    all.first().is_some_and(|first| matches!(first.as_str(), "what" | "which"))
}

fn is_pair(all: &[String], before: &[&str], noun: &str) -> bool {
    all.windows(2).any(|pair| pair[1] == noun && before.contains(&pair[0].as_str()))
}

fn digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

/// Whether bytes of a unit are the number of its section, or of a value: a year may be a code; a day, a time of day and a sum are none.
fn is_of_a_value(unit: &EvidenceUnit<'_>, at: &Range<usize>) -> bool {
    at.start < section_number(unit.text)
        || unit.values.iter().any(|value| {
            let other = match value.kind {
                ValueKind::Money
                | ValueKind::Measure
                | ValueKind::Duration
                | ValueKind::Percent => true,
                ValueKind::Date => unit.text[value.range.clone()]
                    .contains(|c: char| c.is_alphabetic() || matches!(c, ':' | '-')),
                _ => false,
            };
            other && value.range.start <= at.start && at.end <= value.range.end
        })
}

/// Whether a word of a unit looks like a number to be known by: it has a digit, or is written in capitals where that counts.
fn has_token(unit: &EvidenceUnit<'_>, least: usize, capitals: bool) -> bool {
    TOKEN.find_iter(unit.text).any(|found| {
        let word = found.as_str();
        let shouted = capitals
            && word.chars().count() > 2
            && word.chars().all(|c| c.is_uppercase() || c == '-')
            && !LOCKED.contains(&word.to_lowercase().as_str());
        word.chars().count() >= least
            && (digits(word) > 0 || shouted)
            && !is_of_a_value(unit, &found.range())
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::values::values;
    use super::*;

    fn lacks(question: &str, text: &str) -> bool {
        let passages = [document("guide", "Guide", text)];
        let units = evidence_units(&passages);
        lacks_what_is_asked(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn a_code_or_a_telephone_number_looks_like_one() {
        assert!(lacks("What is the door code?", "2.4 The door code is known to the porter only."));
        assert!(!lacks("What is the door code?", "The door code is 4471."));
        assert!(!lacks("What is the alarm code?", "The alarm code is HERON."));
        assert!(!lacks("What is the alarm code?", "The alarm code is heron."));
        assert!(!lacks("What is the sort code?", "Sort code 20 45 67"));
        assert!(!lacks("What is the phone number of the vet?", "Vet: 01.23.45.67.89"));
        assert!(lacks(
            "What is the phone number of the vet?",
            "1.2 Her phone number hangs inside."
        ));
        assert!(lacks("What is the phone number of the vet?", "It was changed on 3 May 2024."));
        assert!(!lacks("What is the phone number of the vet?", "Vet: 0131 496 0022"));
        assert!(lacks("What is the policy number?", "The policy number is on the certificate."));
        assert!(!lacks("What is the policy number?", "The policy number is KB-20771."));
        assert!(lacks("What is the email address of the clerk?", "Write to the clerk by email."));
        assert!(!lacks("What is the email address of the clerk?", "clerk@example.org"));
        // Codes of conduct and numbers of people are something else.
        assert!(!lacks("What is the dress code?", "Dark trousers are worn."));
        assert!(!lacks("What is the number of volunteers?", "Volunteers are welcome."));
        assert!(!lacks("Who changes the door code?", "The porter changes the door code."));
    }

    #[test]
    fn a_number_that_names_is_no_count() {
        let named = |question: &str, text: &str| {
            let question = Question::parse(question, &[]);
            values(text).iter().filter(|value| names_a_thing(&question, text, value)).count()
        };
        assert_eq!(named("How many porters are there?", "2.4 Each ward has a porter."), 1);
        assert_eq!(named("How many porters are there?", "They wait in room 12."), 1);
        assert_eq!(named("Which room do porters wait in?", "They wait in room 12."), 0);
        assert_eq!(named("How many porters are there?", "There are 12 porters."), 0);
        assert_eq!(named("How many porters are there?", "In the room, 12 porters wait."), 0);
        assert_eq!(named("How many porters are there?", "At the gate 12 porters wait."), 0);
        assert_eq!(section_number("12 porters wait."), 0);
        assert_eq!(section_number("2.5 million people came."), 0);
        assert!(section_number("**3.** Rent is due.") > 0);
    }

    #[test]
    fn digits_of_a_name_are_no_value() {
        let none = |text: &str, marked: &str| {
            let passages = [document("port", "The port", text)];
            let units = evidence_units(&passages);
            let at = text.rfind(marked).expect("it stands there");
            let asked = Question::parse("How wide is the track?", &[]);
            is_no_value(&asked, &units[0], &(at..at + marked.len()))
        };
        assert!(none("The main track, 09/27, is 610 metres of sand.", "27"));
        assert!(none("2.4 Every boat is moored by a warden.", "2.4"));
        assert!(!none("The main track, 09/27, is 610 metres of sand.", "610 metres"));
        assert!(!none("The port has 27 berths.", "27"));
    }
}
