//! How a question is put: whether it leads to an answer or asks for one side alone, and which time it is about. Told by its words
//! (English), and only where these leave little doubt: what is not noticed here is no finding.

use crate::prompt::Severity;
use crate::text::{is_stop_word, words};

/// A question that leans to one side.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Slant {
    /// The words that show it.
    pub(super) by: &'static str,
    /// Whether it expects to be told yes, so that a no answers it without leaning.
    pub(super) expects_yes: bool,
    /// What of the other side can be asked for, in words.
    pub(super) other: &'static str,
    /// Words that a search for the other side has.
    marks: &'static [&'static str],
    /// How much it matters where nobody looked for the other side.
    pub(super) severity: Severity,
}

/// A question that begins so has its answer in it: "Isn't the gate open?"
const NEGATED: &[&str] = &[
    "ain't",
    "aren't",
    "can't",
    "couldn't",
    "didn't",
    "doesn't",
    "don't",
    "hadn't",
    "hasn't",
    "haven't",
    "isn't",
    "shouldn't",
    "wasn't",
    "weren't",
    "won't",
    "wouldn't",
];
/// Words after such a form in a tag: "The gate is open, isn't it?"
const TAGGED: &[&str] = &["he", "it", "she", "that", "there", "they", "this", "we", "you"];
/// Words by which whoever asks says that there is no doubt.
const CERTAIN: &[&str] = &["obviously", "surely", "undoubtedly"];
/// Words of a search for what would speak against a statement.
const AGAINST: &[&str] = &[
    "against", "contrary", "denied", "denies", "deny", "disputed", "false", "never", "no", "not",
    "refuted", "wrong",
];

/// A side that can be asked for alone.
struct Side {
    /// Words that ask for it.
    asked: &'static [&'static str],
    /// Words that ask for the other.
    others: &'static [&'static str],
    /// What the other is called.
    called: &'static str,
    /// Words of a search that goes to the other.
    marks: &'static [&'static str],
    /// How much it matters that nobody looked for the other.
    severity: Severity,
}

const GOOD: &[&str] = &["advantage", "advantages", "pros", "upside", "upsides"];
const BAD: &[&str] =
    &["cons", "disadvantage", "disadvantages", "downside", "downsides", "drawback", "drawbacks"];
const FOR: &[&str] = &["argument for", "arguments for", "evidence for", "what speaks for"];
const CONTRA: &[&str] =
    &["argument against", "arguments against", "evidence against", "what speaks against"];

const SIDES: &[Side] = &[
    Side {
        asked: GOOD,
        others: BAD,
        called: "its disadvantages",
        marks: BAD,
        severity: Severity::Minor,
    },
    Side {
        asked: BAD,
        others: GOOD,
        called: "its advantages",
        marks: GOOD,
        severity: Severity::Minor,
    },
    Side {
        asked: FOR,
        others: CONTRA,
        called: "what speaks against it",
        marks: &["against", "contradicts", "contrary", "disputed", "objections"],
        severity: Severity::Important,
    },
    Side {
        asked: CONTRA,
        others: FOR,
        called: "what speaks for it",
        marks: &["confirms", "favor", "favour", "support", "supporting", "supports"],
        severity: Severity::Important,
    },
];
/// Who says so asks for both sides: "the arguments for and against it".
const BOTH: &[&str] = &["and against", "and for", "or against", "or for"];

/// Words of a text, with one kind of apostrophe.
fn split(text: &str) -> Vec<String> {
    words(&text.replace('\u{2019}', "'"))
}

/// Whether these words stand one after the other among those.
fn holds(all: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    all.windows(phrase.len()).any(|part| part.iter().zip(&phrase).all(|(one, other)| one == other))
}

/// Whether the last words after a comma ask to be agreed with: "..., isn't it?", "..., right?".
fn is_tagged(question: &str) -> bool {
    let Some((before, tail)) = question.rsplit_once(',') else { return false };
    let tail = split(tail);
    let tail: Vec<&str> = tail.iter().map(String::as_str).collect();
    let agrees = match tail.as_slice() {
        ["right" | "correct"] | ["is", "it", "not"] => true,
        [form, whom] => NEGATED.contains(form) && TAGGED.contains(whom),
        _ => false,
    };
    agrees && split(before).len() > 2
}

/// Which way a question leans; `None` for one that leaves its answer open.
pub(super) fn slant(question: &str) -> Option<Slant> {
    let all = split(question);
    let leads = |by: &'static str| Slant {
        by,
        expects_yes: true,
        other: "what would speak against it",
        marks: AGAINST,
        severity: Severity::Important,
    };
    let first = all.first()?.as_str();
    if let Some(by) = NEGATED.iter().find(|form| **form == first) {
        return Some(leads(by));
    }
    if let Some(by) = CERTAIN.iter().find(|word| all.iter().any(|one| one == *word)) {
        return Some(leads(by));
    }
    if is_tagged(question) {
        return Some(leads("the words after the last comma"));
    }
    let named = |side: &[&'static str]| side.iter().copied().find(|phrase| holds(&all, phrase));
    // Who asks for both sides leans to none.
    if BOTH.iter().any(|phrase| holds(&all, phrase)) {
        return None;
    }
    SIDES.iter().find_map(|&Side { asked, others, called, marks, severity }| {
        let by = named(asked).filter(|_| named(others).is_none())?;
        Some(Slant { by, expects_yes: false, other: called, marks, severity })
    })
}

impl Slant {
    /// How many of these searches go to the other side. Words of the question itself show no side.
    pub(super) fn looked_beyond(&self, question: &str, searches: &[&str]) -> usize {
        let asked = split(question);
        let goes = |search: &&&str| {
            split(search).iter().any(|word| {
                self.marks.contains(&word.as_str()) && !asked.iter().any(|own| own == word)
            })
        };
        searches.iter().filter(goes).count()
    }
}

/// Words that ask for what is so today.
const NOW: &[&str] = &["currently", "nowadays", "now", "presently", "today"];
/// The same in several words.
const NOW_SAID: &[&str] = &["as of now", "at present", "at the moment", "right now", "these days"];
/// What follows "current" where it flows.
const FLOWS: &[&str] = &[
    "consumption",
    "density",
    "draw",
    "limit",
    "measurement",
    "meter",
    "rating",
    "sensor",
    "speed",
    "transformer",
];

/// Whether a question asks for what is so now, in so many words.
pub(super) fn asks_now(question: &str) -> bool {
    let all = split(question);
    let of_today = |pair: &[String]| {
        matches!(pair, [word, next] if word == "current"
            && !is_stop_word(next)
            && !FLOWS.contains(&next.as_str()))
    };
    all.iter().any(|word| NOW.contains(&word.as_str()))
        || NOW_SAID.iter().any(|phrase| holds(&all, phrase))
        || all.windows(2).any(of_today)
}

/// Words that ask for what was so.
const PAST: &[&str] = &[
    "ago",
    "before",
    "did",
    "earlier",
    "first",
    "former",
    "formerly",
    "had",
    "initial",
    "initially",
    "last",
    "original",
    "originally",
    "previous",
    "previously",
    "was",
    "were",
];

/// Whether a question may ask for an earlier time: it names a year or is put in the past.
pub(super) fn asks_past(question: &str) -> bool {
    split(question).iter().any(|word| PAST.contains(&word.as_str()) || names_year(word))
}

/// Whether a text names a year, so that its reader knows which time it is about.
pub(super) fn tells_time(text: &str) -> bool {
    split(text).iter().any(|word| names_year(word))
}

/// A word of four digits between 1000 and 2199, alone or before or behind a stroke ("2024-25").
fn names_year(word: &str) -> bool {
    word.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4 && matches!(digits.parse(), Ok(1_000_u32..=2_199)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(question: &str) -> Option<&'static str> {
        slant(question).map(|slant| slant.by)
    }

    #[test]
    fn a_question_that_leads_is_told_by_its_words() {
        assert_eq!(by("Isn't the gate open at night?"), Some("isn't"));
        assert_eq!(by("Don\u{2019}t visitors need a ticket?"), Some("don't"));
        assert_eq!(by("Surely the pier is closed in winter?"), Some("surely"));
        let tag = Some("the words after the last comma");
        assert_eq!(by("The pier is closed in winter, isn't it?"), tag);
        assert_eq!(by("The pier is closed in winter, right?"), tag);
        assert_eq!(by("What is the evidence for a leak?"), Some("evidence for"));
        assert_eq!(by("What are the drawbacks of the new pump?"), Some("drawbacks"));
    }

    #[test]
    fn a_question_that_leaves_its_answer_open_leans_to_no_side() {
        for open in [
            "Is the gate open at night?",
            "Why isn't the gate open at night?",
            "What are the advantages and disadvantages of the new pump?",
            "What are the pros and cons of the new pump?",
            "What are the arguments for and against a new pump?",
            "Which evidence for and evidence against a leak is there?",
            "Who speaks for the union?",
            "Turn left or right?",
            "When is the gate open, and who has the key?",
            "",
        ] {
            assert_eq!(slant(open), None, "{open}");
        }
    }

    #[test]
    fn only_words_that_the_question_has_not_show_that_somebody_looked_beyond() {
        let question = "Isn't it wrong that the gate is open?";
        let slant = slant(question).expect("it leads");
        let beyond = |searches: &[&str]| slant.looked_beyond(question, searches);
        assert_eq!(beyond(&["gate open", "wrong gate open"]), 0);
        assert_eq!(beyond(&["gate open", "gate not open", "open gate denied"]), 2);
    }

    #[test]
    fn the_time_that_is_asked_about() {
        for now in [
            "What is the current toll?",
            "Who is in charge today?",
            "What does it cost at present?",
            "Is it open right now?",
        ] {
            assert!(asks_now(now), "{now}");
        }
        for other in [
            "What is the toll?",
            "What is the current of the pump?",
            "What is the current rating of the fuse?",
            "How strong is the current?",
        ] {
            assert!(!asks_now(other), "{other}");
        }
        assert!(asks_past("What was the toll?") && asks_past("What is the toll of 2019?"));
        assert!(!asks_past("What is the toll?") && !asks_past("What does part 12345 cost?"));
        assert!(tells_time("As of May 2024-25 it is 4.") && !tells_time("It is 4."));
    }
}
