//! Retracted: a value that a document says was told wrongly, and the one that it says is right.
//!
//! "In the last issue we wrote that the mast is 31 metres high. It is 27 metres high": whoever wrote that takes it back, and says what
//! holds, in the same sentence or in the next ones.

use super::in_place::{
    Instead, after, behind, goes_on_about, is_alike, is_doubted, is_prose, is_same, same_frame,
    says_no_more, sentence_at, unhedged,
};
use super::reading::refers_back;
use super::unit::EvidenceUnit;
use super::values::Value;
use elenchus_core::text::{is_stop_word, words};
use std::ops::Range;

/// What became of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fate {
    Replaced(Instead),
    /// It is wrong, and nothing tells what is right.
    Withdrawn,
}

/// Most sentences from a wrong value to the right one.
const REACH: usize = 2;
/// Most words from what says that a value is right to the value.
const NEAR: usize = 8;
/// The same for what stands right before it: "should be", "in fact".
const LAST: usize = 4;
/// What stands right before a value that is called the right one.
const LEADS: [&str; 13] =
    ["is", "are", "was", "were", "be", "been", "reads", "of", "at", "to", "in", "on", "until"];
/// Verbs that tell what somebody told.
const REPORTS: [&str; 17] = [
    "wrote",
    "written",
    "said",
    "told",
    "gave",
    "stated",
    "reported",
    "printed",
    "published",
    "announced",
    "claimed",
    "listed",
    "quoted",
    "mentioned",
    "misstated",
    "misprinted",
    "misreported",
];
/// Verbs that tell so with "as" or "at" behind them.
const GIVEN: [&str; 8] =
    ["given", "put", "recorded", "entered", "shown", "noted", "stated", "reported"];
/// What is said of a figure that is wrong, behind a form of "to be".
const WRONG: [&str; 9] = [
    "wrong",
    "incorrect",
    "mistaken",
    "erroneous",
    "inaccurate",
    "misprinted",
    "misstated",
    "false",
    "untrue",
];
/// The same with an article.
const SLIPS: [&str; 7] = ["error", "mistake", "misprint", "typo", "slip", "erratum", "miscount"];
/// Words that say so by themselves.
const MISTOLD: [&str; 5] = ["misstated", "misprinted", "misreported", "erratum", "corrigendum"];
/// Words that say so of the telling that stands next to them.
const WRONGLY: [&str; 4] = ["wrongly", "incorrectly", "erroneously", "mistakenly"];
/// Most words from "in error" to the telling, and from "that" to what says that it was wrong.
const BESIDE: usize = 2;
const FIRST: usize = 6;
/// What is told as a figure.
const FIGURES: [&str; 14] = [
    "figure",
    "figures",
    "number",
    "numbers",
    "sum",
    "amount",
    "total",
    "date",
    "year",
    "price",
    "value",
    "length",
    "count",
    "statement",
];
const BE: [&str; 5] = ["is", "are", "was", "were", "been"];
/// What is said of the value that holds, behind an article.
const RIGHT: [&str; 8] =
    ["right", "correct", "true", "actual", "proper", "real", "exact", "corrected"];
/// What "right" stands before where it is a side or a claim.
const SIDES: [&str; 13] = [
    "to", "of", "hand", "side", "bank", "wing", "wall", "door", "angle", "edge", "foot", "arm",
    "lane",
];
/// Verbs that put something right.
const CORRECTS: [&str; 7] =
    ["correct", "corrected", "correcting", "amend", "amended", "rectify", "rectified"];

/// Whether the words before a value tell what somebody told.
fn is_report(lead: &[String]) -> bool {
    lead.iter().any(|word| REPORTS.contains(&word.as_str()))
        || lead.windows(2).any(|pair| {
            GIVEN.contains(&pair[0].as_str()) && matches!(pair[1].as_str(), "as" | "at" | "to")
        })
}

/// Whether a text says that something was told wrongly: "was wrong", "is a misprint", "printed by mistake", "wrongly given".
fn says_wrong(text: &str) -> bool {
    let all = words(text);
    let is_telling =
        |word: &String| REPORTS.contains(&word.as_str()) || GIVEN.contains(&word.as_str());
    let is_told = |from: usize, to: usize| {
        from.checked_sub(1).is_some_and(|before| is_telling(&all[before]))
            || all.iter().skip(to).take(BESIDE).any(is_telling)
    };
    is_called_wrong(&all)
        || all.iter().enumerate().any(|(at, word)| {
            MISTOLD.contains(&word.as_str())
                || WRONGLY.contains(&word.as_str()) && is_told(at, at + 1)
        })
        || all.windows(2).enumerate().any(|(at, pair)| {
            let is_slip = matches!(
                (pair[0].as_str(), pair[1].as_str()),
                ("by", "mistake" | "error") | ("in", "error")
            );
            is_slip && is_told(at, at + 2)
        })
}

/// "Was wrong", "is a misprint", and not "was a mistake to build it".
fn is_called_wrong(all: &[String]) -> bool {
    let is =
        |at: usize, list: &[&str]| all.get(at).is_some_and(|word| list.contains(&word.as_str()));
    (0..all.len()).any(|at| {
        let end = if is(at + 1, &["a", "an", "our", "my"]) && is(at + 2, &SLIPS) {
            at + 3
        } else {
            at + 2
        };
        is(at, &BE) && (end == at + 3 || is(at + 1, &WRONG)) && !is(end, &["to"])
    })
}

/// Whether a text says of what the one before told that it was wrong: "That was a mistake."
fn takes_back(text: &str) -> bool {
    let all = words(text);
    all.first().is_some_and(|first| matches!(first.as_str(), "it" | "that" | "this"))
        // The article and what follows the error are past these.
        && is_called_wrong(&all[..all.len().min(FIRST + 1)])
}

/// Whether a text speaks of a figure, and not of a wrong road.
fn speaks_of_a_figure(text: &str) -> bool {
    let all = words(text);
    all.iter().any(|word| FIGURES.contains(&word.as_str())) || is_report(&all)
}

/// Whether the words around a value call it right whatever was said before: "the right figure is", "should read".
fn is_called_right(lead: &[String], next: &[String]) -> bool {
    let near = &lead[lead.len().saturating_sub(NEAR)..];
    let is_right = |word: &String| matches!(word.as_str(), "right" | "correct" | "true");
    let bare = unhedged(near.to_vec());
    let figure = bare.last().is_some_and(|word| LEADS.contains(&word.as_str()))
        && near.windows(3).any(|three| {
            matches!(three[0].as_str(), "the" | "its" | "their" | "our")
                && is_right(&three[1])
                && (FIGURES.contains(&three[2].as_str()) || BE.contains(&three[2].as_str()))
        });
    let last = &near[near.len().saturating_sub(LAST)..];
    let read = last.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "should" | "must") && matches!(pair[1].as_str(), "read" | "say")
    });
    let behind = match next {
        [be, article, word, ..] if article == "the" => BE.contains(&be.as_str()) && is_right(word),
        [be, word, ..] => BE.contains(&be.as_str()) && is_right(word),
        _ => false,
    };
    figure || read || behind || last.iter().any(|word| word == "correctly")
}

/// Whether the words around a value say that it is the right one, where something was told wrongly.
fn is_led_as_right(lead: &[String], next: &[String]) -> bool {
    let near = &lead[lead.len().saturating_sub(NEAR)..];
    let lead = unhedged(near.to_vec());
    let leads = lead.last().is_some_and(|word| LEADS.contains(&word.as_str()));
    let called = leads
        && near.windows(2).enumerate().any(|(at, pair)| {
            matches!(pair[0].as_str(), "the" | "its" | "their" | "our")
                && RIGHT.contains(&pair[1].as_str())
                && near.get(at + 2).is_none_or(|word| !SIDES.contains(&word.as_str()))
        });
    let last = &near[near.len().saturating_sub(LAST)..];
    let should = last.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "should" | "must" | "ought")
            && matches!(pair[1].as_str(), "be" | "read" | "have" | "say" | "to")
    });
    let really = last.iter().any(|word| matches!(word.as_str(), "actually" | "really" | "rather"))
        || last.windows(2).any(|pair| {
            pair[0] == "in" && matches!(pair[1].as_str(), "fact" | "truth" | "reality")
        });
    let reads = near.last().is_some_and(|word| word == "read" || word == "reads");
    let behind = match next {
        [be, article, word, ..] if article == "the" => {
            BE.contains(&be.as_str()) && RIGHT.contains(&word.as_str())
        }
        [be, word, ..] => BE.contains(&be.as_str()) && matches!(word.as_str(), "right" | "correct"),
        _ => false,
    };
    called || should || really || reads || behind || is_order(near) || is_called_right(near, next)
}

/// "Please correct that to", "the figure was corrected to": the value is put in the place of what was told, and of nothing else.
fn is_order(lead: &[String]) -> bool {
    let [rest @ .., to] = lead else { return false };
    let verb = rest.iter().rposition(|word| CORRECTS.contains(&word.as_str()));
    let Some(at) = verb.filter(|_| to == "to" || to == "into") else { return false };
    let points = |word: &String| {
        matches!(word.as_str(), "it" | "that" | "this" | "them" | "the")
            || FIGURES.contains(&word.as_str())
    };
    let (before, between) = (&rest[..at], &rest[at + 1..]);
    between.iter().all(points)
        && (!between.is_empty() || before.iter().all(|word| points(word) || is_stop_word(word)))
}

/// Whether a text sets one of its values in the place of another one as the right one.
fn is_corrected_within(text: &str, wrong: &Range<usize>, right: &Range<usize>) -> bool {
    let text_before = text.get(..wrong.start.min(right.start)).unwrap_or_default();
    let sentence = sentence_at(text, wrong.start.min(right.start)).start;
    let lead = words(text_before.get(sentence..).unwrap_or_default());
    if right.end <= wrong.start {
        let mid = unhedged(words(text.get(right.end..wrong.start).unwrap_or_default()));
        let mid: Vec<&str> = mid.iter().map(String::as_str).collect();
        return matches!(
            mid.as_slice(),
            ["and", "not"] | ["not"] | ["instead", "of"] | ["rather", "than"]
        );
    }
    let between = text.get(wrong.end..right.start).unwrap_or_default();
    let mid = words(between);
    let bare = unhedged(lead.clone());
    let ends = |list: &[&str]| {
        bare.len() >= list.len()
            && bare[bare.len() - list.len()..].iter().zip(list).all(|(own, word)| own == word)
    };
    let not = || {
        let mut own = bare.clone();
        if own.last().is_some_and(|word| matches!(word.as_str(), "in" | "on" | "at" | "until")) {
            own.pop();
        }
        let only = lead.last().is_some_and(|word| word == "only");
        !only && own.last().is_some_and(|word| word == "not")
    };
    let first = mid.first().map_or("", String::as_str);
    let last = mid.last().map_or("", String::as_str);
    let told = is_report(&lead);
    let mistaken = says_wrong(&format!("{} {between}", text_before.get(sentence..).unwrap_or("")));
    let should = mid.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "should" | "must")
            && matches!(pair[1].as_str(), "read" | "say" | "have")
    });
    let breaks = between.contains([';', ':', '\u{2014}', '\u{2013}'])
        || between.contains(". ")
        || matches!(first, "but" | "yet");
    (first == "but" && mid.len() <= NEAR / 2 && not())
        || (should && matches!(last, "read" | "say" | "been"))
        || (ends(&["for"]) && mid.len() <= 2 && last == "read")
        || (mid.len() == 1
            && matches!(first, "to" | "into")
            && lead.iter().any(|word| CORRECTS.contains(&word.as_str())))
        || ((ends(&["instead", "of"]) || ends(&["rather", "than"])) && mid.len() <= NEAR / 2)
        || told && is_called_right(&mid, &after(text, right))
        || mistaken && is_led_as_right(&mid, &after(text, right))
        || told
            && breaks
            && goes_on_about(text_before, between)
            && same_frame((text, wrong), (text, right))
            && says_no_more(
                &format!("{text_before} {}", after(text, wrong).join(" ")),
                between,
                &after(text, right),
            )
}

/// What became of a value that a unit tells, by that unit itself or the ones right behind it.
pub(super) fn fate(at: usize, wrong: &Value, units: &[EvidenceUnit<'_>]) -> Option<Fate> {
    let unit = &units[at];
    let old = unit.text.get(wrong.range.clone())?;
    if !is_prose(unit) || is_doubted(unit.text) {
        return None;
    }
    let is_other = |other: &EvidenceUnit<'_>, right: &Value| {
        let told = other.text.get(right.range.clone()).unwrap_or_default();
        is_alike((wrong, unit.text), (right, other.text)) && !is_same((wrong, old), (right, told))
    };
    let within = unit.values.iter().find(|right| {
        let apart = right.range.end <= wrong.range.start || wrong.range.end <= right.range.start;
        apart && is_other(unit, right) && is_corrected_within(unit.text, &wrong.range, &right.range)
    });
    if let Some(value) = within {
        return Some(Fate::Replaced(Instead { unit: at, value: value.clone() }));
    }
    let sentence = sentence_at(unit.text, wrong.range.start);
    let lead = words(unit.text.get(sentence.start..wrong.range.start)?);
    let told = is_report(&lead);
    let own = unit.text.get(sentence.clone())?;
    // "The figure was wrong: it is 141 euros" says what is right.
    let lead_in = unit.text.get(sentence.start..wrong.range.start)?;
    if lead_in.rsplit_once([':', ';']).is_some_and(|(before, _)| says_wrong(before)) {
        return None;
    }
    let mut mistaken = says_wrong(own) && speaks_of_a_figure(own);
    let is_last = unit.text.get(sentence.end..).is_none_or(|rest| words(rest).is_empty());
    for next in behind(units, at, REACH) {
        let other = &units[next];
        if is_doubted(other.text) {
            break;
        }
        let says_so = next == at + 1 && takes_back(other.text);
        mistaken |= says_so;
        let right = other.values.iter().find(|right| {
            let lead = other.text.get(..right.range.start).unwrap_or_default();
            let (before, rest) = (words(lead), after(other.text, &right.range));
            let framed = || {
                told && is_last
                    && next == at + 1
                    && goes_on_about(unit.text, other.text)
                    && same_frame((unit.text, &wrong.range), (other.text, &right.range))
                    && says_no_more(unit.text, lead, &rest)
            };
            is_other(other, right)
                && (told && is_called_right(&before, &rest)
                    || mistaken && is_led_as_right(&before, &rest)
                    // "That was a mistake of one of our clerks."
                    || mistaken && !says_so && refers_back(other.text)
                    || is_order(&before)
                    || framed())
        });
        if let Some(value) = right {
            return Some(Fate::Replaced(Instead { unit: next, value: value.clone() }));
        }
    }
    mistaken.then_some(Fate::Withdrawn)
}

/// The right value, of the kind of one with its text, that a unit or one of those right behind it tells where the unit says that a figure was wrong and not which one:
/// "The figure for May was wrong. The right number is 12."
pub(super) fn right_one(
    at: usize,
    like: (&Value, &str),
    units: &[EvidenceUnit<'_>],
) -> Option<Instead> {
    let unit = &units[at];
    let says = is_prose(unit)
        && says_wrong(unit.text)
        && speaks_of_a_figure(unit.text)
        && !is_doubted(unit.text);
    if !says {
        return None;
    }
    std::iter::once(at).chain(behind(units, at, REACH)).find_map(|next| {
        let other = &units[next];
        let right = other.values.iter().find(|right| {
            let before = words(other.text.get(..right.range.start).unwrap_or_default());
            is_alike(like, (right, other.text))
                && !is_doubted(other.text)
                && is_led_as_right(&before, &after(other.text, &right.range))
        })?;
        Some(Instead { unit: next, value: right.clone() })
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::values::ValueKind;
    use super::*;

    fn figure<'u>(unit: &'u EvidenceUnit<'_>) -> Option<&'u Value> {
        let is_figure = |value: &&Value| value.number.is_some() || value.kind == ValueKind::Date;
        unit.values.iter().find(is_figure)
    }

    /// What takes the place of the first figure of a text; "withdrawn" where nothing does.
    fn right(text: &str) -> Option<String> {
        let passages = [document("letter", "To all", text)];
        let units = evidence_units(&passages);
        let (at, wrong) =
            units.iter().enumerate().find_map(|(at, unit)| Some((at, figure(unit)?)))?;
        Some(match fate(at, wrong, &units)? {
            Fate::Replaced(new) => units[new.unit].text[new.value.range].to_owned(),
            Fate::Withdrawn => "withdrawn".to_owned(),
        })
    }

    #[test]
    fn what_was_told_wrongly_gives_way_to_what_is_right() {
        for (text, wanted) in [
            ("We wrote that the mast is 31 metres high. It is 27 metres high.", "27 metres"),
            ("My last letter said that it costs 40 euros; it costs 45 euros.", "45 euros"),
            ("The weight was given as 12 litres. The correct figure is 14 litres.", "14 litres"),
            ("The depth was misstated as 4 metres; it is in fact 5 metres.", "5 metres"),
            ("The 40 euros in the list should read 45 euros.", "45 euros"),
            ("For 40 euros read 45 euros.", "45 euros"),
            ("The mast is not 31 metres but 27 metres high.", "27 metres"),
            ("I told you 53 hours for May. Please correct that to 35; I was tired.", "35"),
            ("We announced 40 seats. That was a mistake. It has 44 seats.", "44"),
        ] {
            let told = right(text);
            assert!(
                told.as_deref().is_some_and(|told| told.starts_with(wanted)),
                "{text} {told:?}"
            );
        }
        let told = "Owing to an error the figure was wrong: the debt amounted to 141 euros.";
        assert_eq!(right(told), None, "it says what is right");
        assert_eq!(right("The figure of 40 euros was wrong.").as_deref(), Some("withdrawn"));
    }

    #[test]
    fn what_is_told_of_another_thing_takes_nothing_back() {
        for text in [
            "We wrote that the mast is 31 metres high. The yard is 27 metres wide.",
            "We wrote that the mast is 31 metres high. It has 27 metres of rope.",
            "The report said that the fee is 40 euros. The fee for children is 20 euros.",
            "We wrote 40 euros. If that is wrong, the right sum is 45 euros.",
            "Boats of 12 metres should be 5 metres apart.",
            "The key to the wrong door was found after 3 days.",
            "It holds not only 40 metres but 60 metres of rope.",
            "The council announced that the pool opens on 3 May. It closes on 30 September.",
            "The company reported revenue of 40 million euros. It reported a profit of 5 million euros.",
            "The company reported revenue of 40 million euros; it reported a profit of 5 million euros.",
            "We announced that entry is 30 euros for adults. It is 20 euros for children.",
            "We announced that entry is 30 euros for adults; it is 20 euros for children.",
            "The fee is 40 euros. The board amended the budget to 500 euros.",
            "The fee is 40 euros. The budget was amended to 500 euros.",
            "The firm paid a fine of 40,000 euros. It had wrongly stored customer data.",
            "Parcels delivered in error are collected within 14 days of the date of notice.",
            "The amount wrongly charged is refunded within 14 days.",
            "The engineer said that the pipe is 40 metres long. The new one should be 55 metres long.",
            "The auditor reported a profit of 3 million euros. The dividend must be 2 million euros.",
            "The plant reported an output of 40 tonnes, which should be 60 tonnes next year.",
        ] {
            assert_eq!(right(text), None, "{text}");
        }
        // What says that a value is wrong tells no other one.
        let text = "We announced 40 seats. That was a mistake of one of our clerks.";
        assert_eq!(right(text).as_deref(), Some("withdrawn"));
    }

    #[test]
    fn a_figure_that_is_not_named_is_put_right_by_name() {
        let text = "The figure for the regatta was wrong. The right number is 12.";
        let passages = [document("letter", "To all", text)];
        let units = evidence_units(&passages);
        let kind = figure(&units[1]).expect("it tells one").clone();
        let like = (&kind, units[1].text);
        let told = right_one(0, like, &units).map(|new| new.unit);
        assert_eq!((told, right_one(1, like, &units)), (Some(1), None));
    }
}
