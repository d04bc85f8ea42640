//! Routine: an hour at which something is done whenever it is done. "At 18:00 the pumps are switched off" tells of no day on which they
//! will be switched off for good.

use super::ends::is_clock;
use super::periods::{Period, days, periods};
use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use super::values::ValueKind;
use super::weekdays::names_days;
use crate::ingest::UnitKind;
use elenchus_core::evidence::DatePrecision;
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::words;

/// What is done to a thing once: "will be switched off", and no breakfast that "will be served".
const ONE_OFF: [&str; 30] = [
    "switched",
    "turned",
    "taken",
    "torn",
    "retired",
    "removed",
    "replaced",
    "abolished",
    "demolished",
    "sold",
    "withdrawn",
    "decommissioned",
    "scrapped",
    "dismantled",
    "discontinued",
    "disconnected",
    "ended",
    "finished",
    "completed",
    "renewed",
    "built",
    "rebuilt",
    "migrated",
    "merged",
    "terminated",
    "dissolved",
    "phased",
    "repealed",
    "cancelled",
    "over",
];
/// Verbs of an end.
const ENDS: [&str; 7] = ["end", "close", "stop", "cease", "expire", "finish", "retire"];
/// Words of a sentence that tells of one day to come, or of this one.
const ONCE: [&str; 8] =
    ["will", "shall", "today", "tonight", "tomorrow", "tomorrow's", "today's", "once"];
/// Words of a question that asks for an hour, or of one day.
const HOURS: [&str; 14] = [
    "today",
    "tonight",
    "tomorrow",
    "morning",
    "afternoon",
    "evening",
    "night",
    "day",
    "days",
    "each",
    "every",
    "hour",
    "time",
    "meeting",
];

/// Whether a unit gives times of day alone, as a rule or a step gives them, where a question asks on which day something will be done
/// or come to its end. A sentence that tells itself of what will be, and one under a day, may tell it of that day.
pub(super) fn is_hour_of_routine(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let asked = asks_for_one_day(question);
    if asked == Asked::Otherwise {
        return false;
    }
    let mut dates = unit.values.iter().filter(|value| value.kind == ValueKind::Date).peekable();
    let hours_alone = dates.peek().is_some()
        && dates.all(|value| unit.text.get(value.range.clone()).is_some_and(is_clock));
    let is_once = words(unit.text).iter().any(|word| ONCE.contains(&word.as_str()));
    hours_alone
        && !is_once
        && !stands_under_a_day(unit)
        && (asked == Asked::Done || is_numbered_step(unit))
}

/// What a question asks of the time to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// When something will be done to a thing: "When will the old gate be taken down?".
    Done,
    /// When it will end by itself: that may be an hour of every day.
    Ends,
    Otherwise,
}

fn asks_for_one_day(question: &Question) -> Asked {
    if question.expects != Expects::Date || !question.future {
        return Asked::Otherwise;
    }
    let all = words(&question.text);
    let [when, will, rest @ ..] = all.as_slice() else { return Asked::Otherwise };
    let plain = question.kind == QuestionKind::Lookup
        && question.period.is_none()
        && question.day.is_none()
        && when == "when"
        && will == "will"
        && !all.iter().any(|word| HOURS.contains(&word.as_str()))
        && !names_days(&question.text);
    if !plain {
        return Asked::Otherwise;
    }
    let mut done = rest.iter().skip_while(|word| *word != "be").skip(1);
    let passive = done.next().is_some_and(|word| {
        ONE_OFF.contains(&word.as_str()) || done.next().is_some_and(|next| next == "down")
    });
    let last = rest.last().map_or("", String::as_str);
    match (passive, ENDS.contains(&last)) {
        (true, _) => Asked::Done,
        (false, true) => Asked::Ends,
        (false, false) => Asked::Otherwise,
    }
}

/// Whether a heading, or what introduces the unit, names a day.
fn stands_under_a_day(unit: &EvidenceUnit<'_>) -> bool {
    let is_day = |period: &Period| period.value.precision == DatePrecision::Day;
    let told = |text: &str| !days(text).is_empty() || periods(text).iter().any(is_day);
    unit.read.passage.heading_path.iter().any(|heading| told(heading))
        || told(&unit.read.source.title)
        || told(&unit.near_text)
}

/// "3. At 05:00: stop payments": an item with a number.
fn is_numbered_step(unit: &EvidenceUnit<'_>) -> bool {
    let text = unit.text.trim_start();
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.kind == UnitKind::Item && behind.len() < text.len() && behind.starts_with(['.', ')'])
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn of(question: &str, heading: &str, text: &str) -> bool {
        let passages = [document("works", heading, text)];
        let units = evidence_units(&passages);
        is_hour_of_routine(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn an_hour_of_every_day_is_no_day() {
        let asked = "When will the old pumps be switched off?";
        assert!(of(asked, "Pumps", "At 18:00 the old pumps are switched off."));
        assert!(!of(asked, "Pumps", "The old pumps are switched off on 4 May 2025 at 18:00."));
        assert!(!of(asked, "Pumps", "The old pumps will be switched off at 18:00."));
        assert!(!of(asked, "4 May 2025", "At 18:00 the old pumps are switched off."));
        let tonight = "When will the old pumps be switched off tonight?";
        assert!(!of(tonight, "Pumps", "At 18:00 the old pumps are switched off."));
        let hour = "At what time are the old pumps switched off?";
        assert!(!of(hour, "Pumps", "At 18:00 the old pumps are switched off."));
    }

    #[test]
    fn a_closing_time_is_one_and_a_step_is_not() {
        let asked = "When will the mill close?";
        assert!(!of(asked, "Mill", "The mill closes at 18:00."));
        assert!(of(asked, "Moving", "1. At 05:00: close the mill and copy the books."));
        assert!(!of(asked, "Moving", "- 18:00: the mill closes."));
    }
}
