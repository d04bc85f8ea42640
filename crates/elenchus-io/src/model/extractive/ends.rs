//! Ends: of a span of time or a change, the first and the last, which of them a question asks for and a value is, and the
//! difference between them.

use super::bind::Candidate;
use super::part_of_year::with_part;
use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind, is_dotted_clock};
use super::whole_numbers::whole;
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// "up from 168", "from 22 weeks to 14", "previously 5": the value before the change.
pub(super) fn is_old_lead(lead: &str, text: &str, range: &Range<usize>) -> bool {
    let trimmed = lead.trim_end_matches(['$', '€', '£', ' ']);
    if [
        "up from",
        "down from",
        "previously",
        "formerly",
        "compared with",
        "compared to",
        "versus",
        "rather than",
        "instead of",
        "was",
    ]
    .iter()
    .any(|cue| trimmed.ends_with(cue))
    {
        return true;
    }
    let tail: String = text[range.end..].chars().take(12).collect::<String>().to_lowercase();
    // "From 15:00 to 16:30" is a span, and no change.
    !text[range.clone()].contains(':')
        && trimmed.ends_with("from")
        && words(&tail).first().is_some_and(|w| w == "to")
}

/// Stems of words that tell of a change.
const CHANGES: [&str; 16] = [
    "rais", "increas", "lift", "extend", "lengthen", "doubl", "reduc", "cut", "lower", "shorten",
    "drop", "halv", "chang", "rise", "fall", "grow",
];
/// Most words between that word and "from".
const CHANGED: usize = 8;

/// "Raise the retention from 24 to 72 hours": of two figures that tell a change, the new one. A span ("open from 9 to 5") is no
/// change.
pub(super) fn after_change(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    let (old, new) = text.get(at.clone())?.split_once(" to ")?;
    let before = words(&text[..at.start]);
    let (last, before) = before.split_last()?;
    let told =
        before.iter().rev().take(CHANGED + 1).any(|word| CHANGES.contains(&stem(word).as_str()));
    let is_change = last == "from" && told && !old.contains(':') && !new.contains(':');
    is_change.then(|| at.end - new.len()..at.end)
}

/// The ends of a span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// Words for a time: "until what hour".
const TIMES: [&str; 8] = ["time", "hour", "date", "day", "month", "year", "week", "age"];
/// Words of what may not be: it lasts until the first end of that, and begins with the last one.
const FORBIDS: [&str; 10] = [
    "not",
    "no",
    "never",
    "nobody",
    "nor",
    "neither",
    "cannot",
    "forbidden",
    "prohibited",
    "banned",
];
/// Words behind "between" among which its "and" stands.
const REACH: usize = 6;

/// What is called open, and opens nothing by that.
const OPEN_EVENTS: [&str; 8] =
    ["day", "days", "evening", "evenings", "house", "weekend", "meeting", "mic"];
/// Words by which one end is asked for.
const ONE_END: [&str; 8] =
    ["until", "till", "from", "since", "earliest", "latest", "beginning", "end"];

/// Whether a value is a time of day.
pub(super) fn is_clock(text: &str) -> bool {
    text.contains(':') || is_dotted_clock(text)
}

/// Whether a candidate tells the hour at which something was done, where that is asked for: "At what time did the pipe burst?".
pub(super) fn is_hour_of_deed(
    question: &Question,
    candidate: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> bool {
    let did = words(&question.text).iter().any(|word| word == "did");
    let value = candidate.value.clone();
    let value = value.and_then(|at| units[candidate.unit].text.get(at));
    did && !question.past && value.is_some_and(is_clock)
}

/// "On what date", "the date of": which no time of day tells.
pub(super) fn asks_for_date(question: &Question) -> bool {
    let all = words(&question.text);
    let day = |word: &str| matches!(word, "date" | "dates" | "day" | "days");
    question.expects == Expects::Date
        && !all.iter().any(|word| matches!(word.as_str(), "time" | "hour"))
        && (all.iter().any(|word| word == "date")
            || all
                .windows(2)
                .any(|pair| matches!(pair[0].as_str(), "what" | "which") && day(&pair[1])))
}

/// Whether the day is asked for rather than the hour, where both stand side by side: by its name, or by "when" without a day and
/// without a beginning or an end.
pub(super) fn asks_for_the_day(question: &Question) -> bool {
    asks_for_date(question)
        || (question.expects == Expects::Date
            && question.period.is_none()
            && question.day.is_none()
            && asked_end(question).is_none()
            && words(&question.text).first().is_some_and(|word| word == "when"))
}

/// Whether a value is a day of the calendar: "4 May 1931", "14 June".
pub(super) fn is_day(text: &str, value: &Value) -> bool {
    let own = text.get(value.range.clone()).unwrap_or_default();
    value.kind == ValueKind::Date
        && !is_clock(own)
        && own.chars().any(char::is_alphabetic)
        && own.starts_with(|c: char| c.is_ascii_digit() || c.is_uppercase())
        && own.split_whitespace().count() >= 2
        && !own.starts_with(['Q', 'H'])
}

/// "From 15:00 to 16:30": of the hours between which something is, both, where neither end alone is asked for.
pub(super) fn whole_span(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    at: Range<usize>,
) -> Range<usize> {
    let at = with_part(unit.text, at);
    if !matches!(question.expects, Expects::Date | Expects::Quantity | Expects::Any) {
        return at;
    }
    let at = if question.expects == Expects::Date { at } else { whole(unit.text, at) };
    let all = words(&question.text);
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    // "When is the shop open?" asks for all of it, "when does it open?" for the beginning.
    let is_state = has(&["open"]) && has(&["is", "are", "was", "were"]);
    if has(&ONE_END) || (asked_end(question).is_some() && !is_state) {
        return at;
    }
    let text = unit.text;
    let is_hour = |value: &Value| {
        value.kind == ValueKind::Date && text.get(value.range.clone()).is_some_and(is_clock)
    };
    let whole = unit.values.windows(2).find_map(|pair| {
        let [first, last] = pair else { return None };
        let joined = text.get(first.range.end..last.range.start)?;
        let is_span = is_hour(first)
            && is_hour(last)
            && matches!(joined, " to " | " and " | " until " | " till ")
            && end_of_range(text, &first.range) == Some(End::First)
            && end_of_range(text, &last.range) == Some(End::Last);
        if !is_span || (first.range != at && last.range != at) {
            return None;
        }
        // "Between" belongs to the "and" of it.
        let lead = "between ";
        let start = first.range.start.checked_sub(lead.len()).filter(|start| {
            text.get(*start..first.range.start).is_some_and(|own| own.eq_ignore_ascii_case(lead))
        });
        Some(start.unwrap_or(first.range.start)..last.range.end)
    });
    whole.unwrap_or(at)
}

/// Which end of a span the question asks for, if it asks for one.
pub(super) fn asked_end(question: &Question) -> Option<End> {
    if !matches!(question.expects, Expects::Date | Expects::Quantity) {
        return None;
    }
    // "The open day" does not ask when something opens.
    let is_open_day = words(&question.text)
        .windows(2)
        .any(|pair| pair[0] == "open" && OPEN_EVENTS.contains(&pair[1].as_str()));
    by_preposition(question).or_else(|| {
        question.terms.iter().find_map(|term| match term.stem.as_str() {
            "open" if is_open_day => None,
            "start" | "begin" | "open" | "commenc" => Some(End::First),
            "end" | "finish" | "close" | "stop" => Some(End::Last),
            _ => None,
        })
    })
}

/// "Until when", "from what day": the question itself names the end.
pub(super) fn by_preposition(question: &Question) -> Option<End> {
    let all = words(&question.text);
    // "Until when is it forbidden": which end that is stands in no preposition.
    if all.iter().any(|word| FORBIDS.contains(&word.as_str())) {
        return None;
    }
    all.iter().enumerate().find_map(|(at, word)| {
        let end = match word.as_str() {
            // "To what date was it moved?"
            "until" | "till" | "to" => End::Last,
            "from" | "since" => End::First,
            _ => return None,
        };
        let asked = all.get(at + 1).map(String::as_str)?;
        let time = all.get(at + 2).is_some_and(|noun| TIMES.contains(&noun.as_str()));
        (asked == "when" || (matches!(asked, "what" | "which") && time)).then_some(end)
    })
}

/// The end that a value is by the word right before it: "from 22:30 to 07:00", "not before 9:00", "between 1 May and
/// 3 June".
pub(super) fn end_of_range(text: &str, at: &Range<usize>) -> Option<End> {
    let before = words(&text[..at.start]);
    let word = |back: usize| {
        before.len().checked_sub(back).and_then(|at| before.get(at)).map_or("", String::as_str)
    };
    let forbids = || before.iter().any(|word| FORBIDS.contains(&word.as_str()));
    match word(1) {
        "from" | "between" => Some(End::First),
        "to" | "until" | "till" => Some(End::Last),
        "and" => before.iter().rev().take(REACH).any(|word| word == "between").then_some(End::Last),
        // What may not be before nine begins at nine.
        "before" if forbids() => Some(End::First),
        "after" if forbids() => Some(End::Last),
        "than" if word(2) == "earlier" && forbids() => Some(End::First),
        "than" if word(2) == "later" && forbids() => Some(End::Last),
        _ => None,
    }
}

/// "How much higher than quoted": a difference that is stated, for none is reckoned here.
pub(super) fn asks_by_how_much(question: &Question) -> bool {
    let all = words(&question.text);
    all.windows(3).any(|three| {
        three[0] == "how" && three[1] == "much" && COMPARING.contains(&three[2].as_str())
            || three[0] == "by" && three[1] == "how" && three[2] == "much"
    })
}

const COMPARING: [&str; 10] =
    ["more", "higher", "less", "lower", "cheaper", "dearer", "longer", "shorter", "above", "below"];

/// "5,400 more than quoted", "raise them by no more than 4%".
pub(super) fn is_difference(text: &str, value: &Range<usize>) -> bool {
    let after: String = text[value.end..].chars().take(16).collect();
    let before = words(&text[..value.start]);
    let by = before
        .iter()
        .rev()
        .take(4)
        .take_while(|word| {
            matches!(
                word.as_str(),
                "by" | "no"
                    | "not"
                    | "more"
                    | "than"
                    | "up"
                    | "to"
                    | "at"
                    | "most"
                    | "about"
                    | "only"
            )
        })
        .any(|word| word == "by");
    by || words(&after).first().is_some_and(|word| COMPARING.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn a_question_asks_for_one_end() {
        let asked = |text: &str| asked_end(&Question::parse(text, &[]));
        assert_eq!(asked("Until when may the pool be used?"), Some(End::Last));
        assert_eq!(asked("Until what time of day is the slipway free?"), Some(End::Last));
        assert_eq!(asked("From when may the reeds be mown?"), Some(End::First));
        assert_eq!(asked("When does the market close?"), Some(End::Last));
        assert_eq!(asked("When was the pool painted?"), None);
        assert_eq!(asked("Until when is the slipway not free?"), None);
        assert_eq!(asked("When is the open evening?"), None);
        assert_eq!(asked("When does the open evening end?"), Some(End::Last));
    }

    #[test]
    fn a_date_is_asked_for_by_its_name() {
        let date = |text: &str| asks_for_date(&Question::parse(text, &[]));
        let day = |text: &str| asks_for_the_day(&Question::parse(text, &[]));
        assert!(date("On what date is the regatta?") && day("On what date is the regatta?"));
        assert!(!date("When is the regatta?") && day("When is the regatta?"));
        assert!(!day("When does the regatta begin?"));
        assert!(!day("When was the bell rung on 4 May 2025?"));
        assert!(!date("At what time of day is the regatta?"));
    }

    #[test]
    fn the_hour_of_a_deed_is_told_by_its_own_sentence() {
        let text = "At 6:40 on 9 May 2025 the pipe burst.";
        let passages = [document("log", "Log", text)];
        let units = evidence_units(&passages);
        let told = |question: &str, value: &str| {
            let question = Question::parse(question, &[]);
            let common = Commonness::new(&[], 1);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            let mut candidate = all[0].clone();
            let from = text.find(value).expect("it stands there");
            candidate.value = Some(from..from + value.len());
            is_hour_of_deed(&question, &candidate, &units)
        };
        assert!(told("At what time did the pipe burst?", "6:40"));
        assert!(!told("On what date did the pipe burst?", "9 May 2025"));
        assert!(!told("At what time is the pipe flushed?", "6:40"));
    }

    #[test]
    fn the_day_is_told_before_the_hour() {
        let told = |question: &str, text: &str| {
            let passages = [document("club", "Regatta", text)];
            let units = evidence_units(&passages);
            let (question, common) = (Question::parse(question, &[]), Commonness::new(&[], 1));
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            all[0].value.clone().map(|at| text[at].to_owned())
        };
        let both = "The regatta is held on Saturday 14 June 2025 from 10:00 to 16:00.";
        assert_eq!(told("When is the regatta?", both).as_deref(), Some("14 June 2025"));
        assert_eq!(told("On what date is the regatta?", both).as_deref(), Some("14 June 2025"));
        let hour = "The regatta begins at 10:00.";
        assert_eq!(told("On what date is the regatta?", hour), None);
        assert_eq!(told("When is the regatta?", hour).as_deref(), Some("10:00"));
    }

    #[test]
    fn a_span_is_given_whole() {
        let told = |question: &str, text: &str, value: &str| {
            let passages = [document("rules", "Rules", text)];
            let units = evidence_units(&passages);
            let from = text.find(value).expect("it stands there");
            let at = from..from + value.len();
            text[whole_span(&Question::parse(question, &[]), &units[0], at)].to_owned()
        };
        let tours = "Tours of the kiln are given daily between 11:00 and 12:30.";
        assert_eq!(told("When are tours of the kiln?", tours, "11:00"), "between 11:00 and 12:30");
        let shop = "The shop is open from 9:15 to 17:45 on weekdays.";
        assert_eq!(told("When is the shop open?", shop, "9:15"), "9:15 to 17:45");
        assert_eq!(told("When does the shop open?", shop, "9:15"), "9:15");
        assert_eq!(told("Until when is the shop open?", shop, "17:45"), "17:45");
        let two = "It shuts at 17:00 in May and 13:00 in June.";
        assert_eq!(told("When does it shut?", two, "17:00"), "17:00");
    }

    #[test]
    fn the_word_before_a_value_tells_its_end() {
        let end = |text: &str, value: &str| {
            let at = text.find(value).expect("it stands there");
            end_of_range(text, &(at..at + value.len()))
        };
        let forbidden = "Mowing is not allowed before 8:00 or after 19:30.";
        assert_eq!(end(forbidden, "8:00"), Some(End::First));
        assert_eq!(end(forbidden, "19:30"), Some(End::Last));
        let season = "Only between 2 August and 9 October.";
        assert_eq!(end(season, "2 August"), Some(End::First));
        assert_eq!(end(season, "9 October"), Some(End::Last));
        assert_eq!(end("Guests leave no later than 22:00.", "22:00"), Some(End::Last));
        // What came before it is told of, and nothing is forbidden.
        assert_eq!(end("It was painted before 1990.", "1990"), None);
        // Two times that stand side by side are no span.
        assert_eq!(end("It shuts at 17:00 in May and 13:00 in June.", "13:00"), None);
    }
}
