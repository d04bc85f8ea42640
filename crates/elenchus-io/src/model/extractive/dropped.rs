//! Dropped: a plan that a document says is given up. "The plan of a second slipway is dropped" makes the slipway that another one plans
//! no plan of now.

use super::in_place::{is_prose, sentence_at};
use super::unit::EvidenceUnit;
use elenchus_core::text::{content_set, is_stop_word, stem, words};

/// What is done to a plan that is given up.
const DROPPED: [&str; 12] = [
    "dropped",
    "abandoned",
    "cancelled",
    "canceled",
    "scrapped",
    "shelved",
    "withdrawn",
    "discarded",
    "ditched",
    "axed",
    "discontinued",
    "buried",
];
/// What is done to other things as well, and gives up only what is called a plan.
const OF_PLANS: [&str; 3] = ["withdrawn", "discarded", "buried"];
/// The same as the first ones in the active voice, before what is given up.
const DROPS: [&str; 9] = [
    "dropped",
    "drops",
    "drop",
    "abandoned",
    "abandons",
    "cancelled",
    "scrapped",
    "shelved",
    "discarded",
];
const BE: [&str; 7] = ["is", "are", "was", "were", "been", "be", "being"];
/// What may stand between those and the deed.
const BETWEEN: [&str; 9] =
    ["now", "therefore", "thus", "finally", "hereby", "also", "both", "thereby", "formally"];
/// What is called so is a plan.
const PLANS: [&str; 14] = [
    "plan",
    "plans",
    "idea",
    "project",
    "proposal",
    "scheme",
    "intention",
    "planned",
    "proposed",
    "planning",
    "design",
    "application",
    "programme",
    "study",
];
/// Words of a plan itself.
const PLANNED: [&str; 18] = [
    "plan",
    "plans",
    "planned",
    "planning",
    "will",
    "shall",
    "intend",
    "intends",
    "intended",
    "hope",
    "hopes",
    "propose",
    "proposes",
    "proposed",
    "envisaged",
    "aim",
    "aims",
    "scheduled",
];
/// Words under which nothing is given up.
const OPEN: [&str; 14] = [
    "not", "never", "if", "unless", "might", "could", "would", "whether", "nearly", "almost",
    "nor", "neither", "should", "until",
];
/// Words with which a refusal is for a time or a case alone: "will not be built before 2027".
const UNDER: [&str; 5] = ["before", "if", "unless", "until", "without"];
/// Words behind "will not" with which a plan is given up as well.
const GOES_ON: [&str; 9] =
    ["go", "be", "built", "realised", "realized", "pursued", "carried", "continued", "implemented"];
/// What leads to a part, a time or an occasion that something is given up for.
const PARTLY: [&str; 21] = [
    "on", "during", "for", "until", "when", "at", "in", "from", "while", "there", "before", "if",
    "unless", "without", "because", "due", "owing", "last", "to", "by", "as",
];
/// Words of "will not go ahead".
const REFUSED: usize = 4;
/// Most words of a subject of which one may be missing in the plan: it may be told shorter there.
const LONG: usize = 4;

/// Something that a text says is given up.
struct GivenUp {
    /// The stems of the words that tell what it is.
    what: Vec<String>,
    /// Whether it is called a plan there.
    named: bool,
    /// Whether it may be given up in part alone: "on Sundays".
    partly: bool,
}

/// What each sentence of a text says is given up.
fn given_up(text: &str) -> Vec<GivenUp> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let sentence = sentence_at(text, at);
        let end = sentence.end.max(at + 1);
        if let Some(told) = text.get(at..sentence.end.max(at)).and_then(of_sentence) {
            found.push(told);
        }
        // Behind the stop and the space.
        let next = text.get(end..).and_then(|rest| rest.find(char::is_alphanumeric));
        at = next.map_or(text.len(), |skip| end + skip);
    }
    found
}

fn of_sentence(sentence: &str) -> Option<GivenUp> {
    let all = words(sentence);
    let is =
        |at: usize, list: &[&str]| all.get(at).is_some_and(|word| list.contains(&word.as_str()));
    // Where what is given up ends, and where the deed does.
    let passive = (0..all.len()).find_map(|at| {
        let deed = (at + 1..all.len()).find(|next| !is(*next, &BETWEEN)).unwrap_or(all.len());
        let end = if is(deed, &DROPPED) {
            deed + 1
        } else if is(deed, &["given"]) && is(deed + 1, &["up"])
            || is(deed, &["called"]) && is(deed + 1, &["off"])
        {
            deed + 2
        } else if is(deed, &["no"])
            && is(deed + 1, &["longer"])
            && is(deed + 2, &["planned", "pursued", "intended", "foreseen"])
        {
            deed + 3
        } else {
            return None;
        };
        is(at, &BE).then_some((at, end))
    });
    let refused = (0..all.len()).find(|at| {
        is(*at, &["will", "shall"])
            && is(at + 1, &["not", "never"])
            && is(at + 2, &GOES_ON)
            && (is(at + 3, &["ahead", "built", "realised", "realized", "pursued", "carried"])
                || is(at + 2, &["go"]) && is(at + 3, &["forward"]))
    });
    let active = || {
        (0..all.len()).find_map(|at| {
            let off = is(at, &["gave", "given", "give", "gives"]) && is(at + 1, &["up"])
                || is(at, &["called", "call"]) && is(at + 1, &["off"]);
            let start = if off { at + 2 } else { at + 1 };
            let is_plan = all.iter().skip(start).take(3).any(|word| PLANS.contains(&word.as_str()));
            ((off || is(at, &DROPS)) && is_plan).then_some(start)
        })
    };
    let (what, end, is_deed) = match (passive, refused) {
        (Some((at, end)), _) => (&all[..at], end, true),
        (None, Some(at)) => (&all[..at], at + REFUSED, false),
        (None, None) => (&all[active()?..], all.len(), true),
    };
    let open = if is_deed { &OPEN[..] } else { &UNDER[..] };
    if all.iter().any(|word| open.contains(&word.as_str())) || sentence.contains(" may ") {
        return None;
    }
    let named = what.iter().any(|word| PLANS.contains(&word.as_str()));
    let what: Vec<String> = what
        .iter()
        .filter(|word| !is_stop_word(word) && !PLANS.contains(&word.as_str()))
        .map(|word| stem(word))
        .collect();
    let partly = is(end, &PARTLY) || is(end - 1, &OF_PLANS);
    (!what.is_empty()).then_some(GivenUp { what, named, partly })
}

/// Whether a text tells of something that is still to come, as a plan.
pub(super) fn is_plan(text: &str) -> bool {
    let all = words(text);
    all.iter().any(|word| PLANNED.contains(&word.as_str()))
        || all.windows(2).any(|pair| matches!(pair[0].as_str(), "is" | "are") && pair[1] == "to")
}

/// Whether a unit says that the plan is given up that another one tells, which is a plan by its words.
pub(super) fn drops(unit: &EvidenceUnit<'_>, plan: &EvidenceUnit<'_>) -> bool {
    let all = if is_prose(unit) { given_up(unit.text) } else { Vec::new() };
    if all.is_empty() {
        return false;
    }
    let heading = plan.read.passage.heading_path.last().map(String::as_str).unwrap_or_default();
    let told = content_set(&format!("{heading} {} {}", plan.near_text, plan.text));
    all.iter().any(|gone| {
        let missing: Vec<&String> = gone.what.iter().filter(|word| !told.contains(*word)).collect();
        let is_name = |word: &String| {
            unit.text.split(|c: char| !c.is_alphanumeric()).any(|own| {
                own.starts_with(char::is_uppercase) && stem(&own.to_lowercase()) == *word
            })
        };
        let room = usize::from(gone.what.len() >= LONG);
        (gone.named || gone.what.len() > 1 && !gone.partly)
            && missing.len() <= room
            && !missing.iter().any(|word| is_name(word))
    })
}

/// Whether a text says of the very thing that a question asks about that its plan is given up, and the question does not ask for that.
pub(super) fn says_dropped(text: &str, question: &str) -> bool {
    let asked = content_set(question);
    let asks_for_it = words(question).iter().any(|word| {
        DROPPED.contains(&word.as_str()) || matches!(word.as_str(), "up" | "off" | "not" | "why")
    });
    !asks_for_it
        && given_up(text).iter().any(|gone| {
            gone.named
                && gone.what.iter().filter(|word| asked.contains(*word)).count() * 2
                    >= gone.what.len()
        })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn gone(note: &str, plan: &str) -> bool {
        let passages = [document("minutes", "May", note), document("report", "Works", plan)];
        let units = evidence_units(&passages);
        let at = units.iter().position(|unit| unit.text == plan).expect("it is a unit");
        is_plan(plan) && drops(&units[0], &units[at])
    }

    const PLAN: &str = "We plan a timber slipway at Oban, to open in 2027.";

    #[test]
    fn a_plan_that_is_given_up_is_none() {
        for note in [
            "The plan of a timber slipway at Oban is dropped.",
            "The timber slipway at Oban has been given up.",
            "The project of the slipway at Oban was finally abandoned. No permit came.",
            "The board dropped the plan of a timber slipway at Oban.",
            "The timber slipway at Oban will not be built.",
            "A timber slipway at Oban is no longer planned.",
            "The slipway at Oban is called off.",
        ] {
            assert!(gone(note, PLAN), "{note}");
        }
    }

    #[test]
    fn another_plan_and_one_that_may_be_given_up_stand() {
        for note in [
            "The plan of a timber slipway at Leith is dropped.",
            "The plan of a timber slipway at Oban is not dropped.",
            "If no permit comes, the timber slipway at Oban is dropped.",
            "The plan of a timber slipway at Oban may be dropped.",
            "The slipway at Oban is planned anew.",
            "The anchor is dropped at Oban.",
            "The slipway at Oban is abandoned in winter.",
            "The timber slipway at Oban will not be built before 2027.",
            "The timber slipway at Oban will not be built if no permit comes.",
            "The timber slipway at Oban was cancelled because of fog.",
            "The timber slipway at Oban is buried.",
            "The timber slipway at Oban was dropped to 3 euros.",
            "The timber slipway at Oban is withdrawn.",
            "The timber slipway at Oban is discarded.",
        ] {
            assert!(!gone(note, PLAN), "{note}");
        }
        // What is there is no plan.
        assert!(!gone(
            "The timber slipway at Oban is given up.",
            "A timber slipway stands at Oban."
        ));
    }

    #[test]
    fn a_plan_that_is_dropped_is_planned_no_more() {
        let note = "The plan of a timber slipway at Oban is dropped.";
        assert!(says_dropped(note, "Is the slipway at Oban still planned?"));
        assert!(!says_dropped(note, "Is the slipway at Oban dropped?"));
        assert!(!says_dropped(note, "Is a crane at Leith planned?"));
    }
}
