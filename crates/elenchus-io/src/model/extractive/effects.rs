//! Effects: "The payment rises to 2,400 euros. It takes effect on 1 February 2024" says in its second sentence from when the first one holds.

use super::periods::Period;
use super::unit::EvidenceUnit;
use crate::ingest::UnitKind;
use elenchus_core::text::words;

/// What a sentence begins with that speaks of what the one before tells.
const SUBJECTS: [&str; 12] = [
    "it",
    "this",
    "that",
    "both",
    "they",
    "these",
    "the change",
    "the changes",
    "the rule",
    "the new",
    "the decision",
    "the rise",
];
/// How it says from when that holds.
const EFFECTS: [&str; 13] = [
    "takes effect",
    "take effect",
    "took effect",
    "takes force",
    "comes into force",
    "came into force",
    "come into force",
    "is effective",
    "are effective",
    "applies",
    "apply",
    "is valid",
    "holds",
];
/// Most words up to that.
const LEAD: usize = 6;

/// Gives a sentence the time that the next one says it holds from.
pub(super) fn tell(units: &mut [EvidenceUnit<'_>]) {
    for at in 1..units.len() {
        let (before, from) = units.split_at_mut(at);
        let (Some(told), Some(next)) = (before.last_mut(), from.first()) else { continue };
        let follows = told.read.passage.id == next.read.passage.id
            && told.ordinal + 1 == next.ordinal
            && told.kind == UnitKind::Sentence
            && next.kind == UnitKind::Sentence
            && told.periods.is_empty();
        if follows
            && tells_an_effect(next.text)
            && let [only] = next.periods.as_slice()
        {
            let end = told.text.len();
            told.periods.push(Period { range: end..end, value: only.value });
        }
    }
}

fn tells_an_effect(text: &str) -> bool {
    let all = words(text);
    let lead = all[..all.len().min(LEAD)].join(" ");
    let begins =
        |subject: &&str| lead.strip_prefix(*subject).is_some_and(|rest| rest.starts_with(' '));
    SUBJECTS.iter().any(begins)
        && EFFECTS.iter().any(|effect| format!(" {lead} ").contains(&format!(" {effect} ")))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;

    #[test]
    fn the_next_sentence_says_from_when_a_thing_holds() {
        let times = |text: &str| {
            let passages = [document("minutes", "Minutes", text)];
            let units = evidence_units(&passages);
            units[0].periods.iter().map(|period| period.value.to_string()).collect::<Vec<_>>()
        };
        let rise = "The payment rises to 2,400 euros.";
        assert_eq!(
            times(&format!("{rise} It takes effect on 1 February 2024.")),
            ["1 February 2024"]
        );
        assert_eq!(times(&format!("{rise} The change applies from 1 May 2024.")), ["1 May 2024"]);
        assert!(times(&format!("{rise} The mill was built on 1 May 1924.")).is_empty());
        assert!(times(&format!("{rise} It was proposed on 1 May 2024.")).is_empty());
        let own = "The payment rises to 2,400 euros in June 2023. It applies from 1 May 2024.";
        assert_eq!(times(own), ["June 2023"]);
    }
}
