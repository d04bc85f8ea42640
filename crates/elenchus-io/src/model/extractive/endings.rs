//! Endings: what goes on was not put an end to.

use super::lexicon::is_negation;
use super::question::Question;
use super::unit::{EvidenceUnit, Place};
use elenchus_core::text::words;

/// What a question says of something that was ended.
const ENDED: [&str; 10] = [
    "put an end to",
    "puts an end to",
    "put a stop to",
    "puts a stop to",
    "did away with",
    "does away with",
    "do away with",
    "abolished",
    "discontinued",
    "scrapped",
];
/// Stems of what a statement says of something that goes on or begins.
const GOES_ON: [&str; 7] = ["keep", "retain", "continu", "introduc", "begin", "start", "still"];
/// Stems of words of an end, and of what takes a thing's place.
const ENDS: [&str; 24] = [
    "end",
    "stop",
    "abolish",
    "scrap",
    "remov",
    "drop",
    "ceas",
    "discontinu",
    "withdraw",
    "cancel",
    "fix",
    "mend",
    "cure",
    "replac",
    "gone",
    "longer",
    "away",
    "retir",
    "close",
    "over",
    "elimin",
    "prevent",
    "ban",
    "anymor",
];

/// "Which release put an end to the queue?", over a sentence by which a release keeps it: whether a unit says that something goes on
/// or begins, and of no end, where a question asks what ended it.
pub(super) fn goes_on(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let asked = format!(" {} ", words(&question.text).join(" "));
    if !ENDED.iter().any(|phrase| asked.contains(&format!(" {phrase} "))) {
        return false;
    }
    let says = |stems: &[&str]| {
        let mut own = unit.words.iter().filter(|word| word.place == Place::Unit);
        own.any(|word| stems.contains(&word.stem.as_str()))
    };
    // "It starts without the queue" tells of an end as well.
    let denies = words(unit.text).iter().any(|word| is_negation(word) || word == "without");
    says(&GOES_ON) && !says(&ENDS) && !denies
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn said(question: &str, text: &str) -> bool {
        let passages = [document("notes", "Releases", text)];
        let units = evidence_units(&passages);
        goes_on(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn what_is_kept_was_not_ended() {
        let asked = "Which release put an end to the paper queue?";
        assert!(said(asked, "Release 4 keeps the paper queue until the printer is restarted."));
        assert!(!said(asked, "Release 5 keeps no paper queue any longer."));
        assert!(!said(asked, "Release 5 removed the paper queue and introduced slips."));
        assert!(!said(asked, "Release 5 came in May."));
        assert!(!said(asked, "Release 5 starts without the paper queue."));
        let kept = "Release 4 keeps the paper queue.";
        assert!(!said("Which release keeps the paper queue?", kept));
    }
}
