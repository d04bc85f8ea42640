//! Reported speech: what an author quotes or holds against others is not the author's own voice.

use elenchus_core::text::words;

/// Cues of opinions that are someone else's. Lower case.
const CUES: [&str; 29] = [
    "who say that",
    "who affirm",
    "who deny",
    "who argue",
    "argue as follows",
    "others say",
    "some say",
    "they say",
    "they said",
    "it is said",
    "they maintain",
    "they assert",
    "they affirm",
    "they allege",
    "they teach",
    "others maintain",
    "others assert",
    "some assert",
    "some maintain",
    "those who say",
    "those who assert",
    "who assert",
    "who maintain",
    "some of them",
    "you say",
    "according to them",
    "it is written",
    "it is spoken",
    "heretics say",
];

/// Who speaks in scripture, in the order of words that reports use.
const SPEAKERS: [&str; 10] = [
    "says he",
    "saith the lord",
    "says the lord",
    "he saith",
    "he says to",
    "he says in",
    "spoken by the lord",
    "the scripture says",
    "scripture saith",
    "the prophet says",
];

/// Whether a sentence reports what others say: a cue, or most of it between quotation marks.
pub(super) fn is_reported(text: &str) -> bool {
    let lower = text.to_lowercase();
    if CUES.iter().any(|cue| holds_phrase(&lower, cue)) {
        return true;
    }
    let quoted = quoted_share(text);
    quoted >= 0.6 || (quoted > 0.0 && SPEAKERS.iter().any(|cue| holds_phrase(&lower, cue)))
}

fn holds_phrase(lower: &str, phrase: &str) -> bool {
    lower.find(phrase).is_some_and(|at| {
        let before = lower[..at].chars().next_back();
        let after = lower[at + phrase.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Share of the letters that stand between double quotation marks. An unclosed mark runs to the end.
fn quoted_share(text: &str) -> f64 {
    let (mut inside, mut quoted, mut all) = (false, 0usize, 0usize);
    for c in text.chars() {
        match c {
            '"' => inside = !inside,
            '“' => inside = true,
            '”' => inside = false,
            c if c.is_alphanumeric() => {
                all += 1;
                quoted += usize::from(inside);
            }
            _ => {}
        }
    }
    if all == 0 { 0.0 } else { quoted as f64 / all as f64 }
}

/// Whether square brackets do not close, or hold much of the text: an editor speaks.
pub(super) fn is_editors(text: &str) -> bool {
    let (mut depth, mut crossed, mut inside, mut all) = (0i32, false, 0usize, 0usize);
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            c if c.is_alphanumeric() => {
                all += 1;
                inside += usize::from(depth > 0);
            }
            _ => {}
        }
        crossed |= depth < 0;
    }
    crossed || depth != 0 || (all > 0 && inside * 2 > all)
}

/// A greeting or a line of contents says nothing of a matter.
pub(super) fn says_nothing(text: &str) -> bool {
    words(text).first().is_some_and(|first| matches!(first.as_str(), "salute" | "greet"))
        || text.trim_start().to_lowercase().starts_with("i salute")
}

/// Most words of a line in which a document tells of its own making.
const COLOPHON_WORDS: usize = 9;

/// A short sentence in which a document tells of its own making and says nothing of its matter: "Edition of May 2025.", "Kept by
/// the clerk."
pub(super) fn is_colophon(text: &str) -> bool {
    let all = words(text);
    let [first, second, ..] = all.as_slice() else { return false };
    let numbered = second.chars().all(|c| c.is_ascii_digit() || c == '.');
    let made = match first.as_str() {
        "edition" | "version" | "issue" | "revision" => numbered || second == "of",
        "kept" | "maintained" | "compiled" | "edited" | "printed" | "published" | "issued"
        | "approved" | "adopted" | "revised" | "amended" | "updated" | "reviewed" => {
            matches!(second.as_str(), "by" | "on" | "in" | "at")
        }
        _ => false,
    };
    made && all.len() <= COLOPHON_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authors_voice_is_told_from_others() {
        assert!(is_reported("And others say that the tide rose first."));
        assert!(is_reported("\"The tide is high and will not fall before noon,\" he said."));
        assert!(is_reported(
            "He says to them, \"Go home, all of you, and rest until the morning comes.\""
        ));
        assert!(!is_reported("We hold that the tide rose first."));
        assert!(!is_reported(
            "The so-called \"spring tide\" comes twice a month in every harbour."
        ));
        assert!(is_editors("what he has written: \\]"));
        assert!(!is_editors("the sign \\[of rain\\] was seen by all who were there"));
        assert!(!is_editors("") && !is_reported("") && !is_reported("\"") && !is_editors("🦀"));
    }

    #[test]
    fn a_document_tells_of_its_own_making() {
        for told in [
            "Edition of May 2025.",
            "Kept by the clerk.",
            "Version 2, in force from 1 June 2025.",
            "Approved by the board on 3 May 2025.",
        ] {
            assert!(is_colophon(told), "{told}");
        }
        for told in [
            "Printed circuits are made in the shed.",
            "The keys are kept by the clerk.",
            "Kept in the cellar, the wine of the abbey lasts for twenty years or more.",
            "Issue no more than two keys.",
        ] {
            assert!(!is_colophon(told), "{told}");
        }
    }
}
