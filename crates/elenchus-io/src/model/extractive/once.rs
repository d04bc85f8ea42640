//! Once: a statement that says itself that it tells of what was. "A year ago we still saw 5.9 million" and "the claim had extended to 60
//! litres" stand beside what is so now, and are no less about it.

use super::asked_past::asks_for_the_old;
use super::bind::Candidate;
use super::question::Question;
use super::select::{BAND, FAMILY_BAND, same_kind};
use super::unit::EvidenceUnit;
use elenchus_core::text::words;

/// Words of what was so.
const ONCE: [&str; 7] =
    ["originally", "initially", "formerly", "previously", "ago", "hitherto", "erstwhile"];
/// The same in two or three.
const ONCE_SAID: [&str; 9] = [
    "used to",
    "at that time",
    "at the time",
    "in those days",
    "until then",
    "up to then",
    "at first",
    "to begin with",
    "in earlier versions",
];
/// Words of what is so, or came of it.
const NOW: [&str; 9] = [
    "now",
    "today",
    "currently",
    "since",
    "meanwhile",
    "nowadays",
    "still",
    "present",
    "presently",
];
/// Participles that do not end in "ed" or "en".
const PARTICIPLES: [&str; 14] = [
    "had", "held", "stood", "cost", "put", "set", "made", "paid", "found", "kept", "led", "run",
    "sold", "become",
];

/// What is so now in the place of an answer that tells of what was, where another one answers about as well.
pub(super) fn current<'a>(
    question: &Question,
    chosen: &Candidate,
    accepted: &[&'a Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<&'a Candidate> {
    let of_then = question.past
        || question.then.is_some()
        || question.happened
        || question.day.is_some()
        || asks_for_the_old(question);
    if of_then || !tells_of_once(units[chosen.unit].text) {
        return None;
    }
    let home = &units[chosen.unit].read.source;
    accepted.iter().copied().find(|other| {
        let unit = &units[other.unit];
        let band = if unit.read.source.id == home.id { FAMILY_BAND + BAND } else { FAMILY_BAND };
        other.unit != chosen.unit
            && other.score >= chosen.score - band
            && same_kind(other, chosen)
            && !unit.is_superseded()
            && !tells_of_once(unit.text)
    })
}

/// Whether a text says that it tells of what was: by its words, or by a verb of what was over before something else was.
fn tells_of_once(text: &str) -> bool {
    let all = words(text);
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let participle = |word: &String| {
        word.len() > 4 && (word.ends_with("ed") || word.ends_with("en")) || is(word, &PARTICIPLES)
    };
    let perfect = all.windows(2).any(|pair| pair[0] == "had" && participle(&pair[1]))
        || all
            .windows(3)
            .any(|three| three[0] == "had" && three[1].ends_with("ly") && participle(&three[2]));
    let joined = format!(" {} ", all.join(" "));
    let said = all.iter().any(|word| is(word, &ONCE))
        || ONCE_SAID.iter().any(|said| joined.contains(&format!(" {said} ")));
    // "A year ago we still saw": still then.
    let still_then = said && joined.contains(" still ");
    let now = all.iter().any(|word| is(word, &NOW)) && !still_then;
    (perfect || said) && !now
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn what_was_is_told_by_words_and_by_verbs() {
        for once in [
            "A year ago we still saw the base case at 5.9 million units.",
            "As granted, the claim had extended to buffers of up to 60 litres.",
            "The choir originally met on Mondays.",
            "The fee used to be 12 euros.",
        ] {
            assert!(tells_of_once(once), "{once}");
        }
        for now in [
            "The choir originally met on Mondays and now meets on Fridays.",
            "The fee is 12 euros.",
            "The house had 12 rooms.",
            "They had to pay 12 euros.",
            "The fee has been raised to 12 euros.",
        ] {
            assert!(!tells_of_once(now), "{now}");
        }
    }

    #[test]
    fn what_is_so_now_answers() {
        let text = "As granted, the claim of the patent had covered buffers of up to 60 litres.\n\nSince the \
                    opposition the claim of the patent covers buffers of 20 litres.";
        let passages = [document("patent", "Patent note", text)];
        let units = evidence_units(&passages);
        let told = |question: &str| {
            let question = Question::parse(question, &[]);
            let common = Commonness::new(&[], 2);
            let (_, selection) = by_words(&question, &units, &Matcher::new(), &common);
            let value = |one: &Candidate| Some(units[one.unit].text[one.value.clone()?].to_owned());
            selection.answers.iter().filter_map(value).collect::<Vec<_>>()
        };
        assert_eq!(told("What size of buffers does the claim of the patent cover?"), ["20 litres"]);
    }
}
