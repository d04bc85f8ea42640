//! Endings: what goes on was not put an end to.

use super::lexicon::is_denial;
use super::question::Question;
use super::unit::EvidenceUnit;
use elenchus_core::text::{stem, words};

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
    let all = words(unit.text);
    let stems: Vec<String> = all.iter().map(|word| stem(word)).collect();
    let denial = |at: usize| is_denial(&all[at]) || all[at] == "without";
    let is_end = |at: usize| ENDS.contains(&stems[at].as_str());
    // "Does not give up", "never ends": what is not ended goes on.
    let keeps_on = |at: usize| {
        let behind = all.get(at + 1..).unwrap_or_default();
        denial(at)
            && all[at] != "without"
            && (matches!(behind, [give, up, ..] if stem(give) == "give" && up == "up")
                || behind.first().is_some_and(|next| ENDS.contains(&stem(next).as_str())))
    };
    let goes_on = stems.iter().any(|word| GOES_ON.contains(&word.as_str()));
    // "It starts without the queue" tells of an end as well.
    let ends = (0..all.len()).any(|at| {
        denial(at) && !keeps_on(at) || is_end(at) && !at.checked_sub(1).is_some_and(&keeps_on)
    });
    goes_on && !ends
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
        assert!(said(asked, "Release 4 keeps the paper queue and does not give up at night."));
        assert!(said(asked, "Release 4 keeps a paper queue that never ends."));
        assert!(!said(asked, "Release 5 keeps no paper queue any longer."));
        assert!(!said(asked, "Release 5 removed the paper queue and introduced slips."));
        assert!(!said(asked, "Release 5 came in May."));
        assert!(!said(asked, "Release 5 starts without the paper queue."));
        let kept = "Release 4 keeps the paper queue.";
        assert!(!said("Which release keeps the paper queue?", kept));
    }
}
