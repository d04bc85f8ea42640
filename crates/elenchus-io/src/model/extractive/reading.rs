//! Reading: what kind of statement a unit is, and whether it holds for the period and the kind of value asked for.

use super::cells::reason_cell;
use super::lexicon::{is_condition, is_negation, is_reason, is_role};
use super::matching::Matcher;
use super::part_of_year::falls_within;
use super::parts::is_of_its_entry;
use super::periods::{day_without_year, is_compared, periods};
use super::points::is_other_point;
use super::pronouns::{begins_with_dependent, begins_with_pronoun};
use super::question::{Class, Expects, Question, Term};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::Value;
use crate::ingest::sentence::sentences;
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::prompt::Polarity;
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// How closely the meaning-bearing words of the question stand together in the unit: 1 side by side, towards 0
/// far apart, 0 when one is missing from the unit itself.
pub(super) fn proximity(question: &Question, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> f64 {
    let wanted: Vec<&Term> =
        question.terms.iter().filter(|term| !term.light && term.class == Class::Noun).collect();
    if wanted.len() < 2 {
        return 1.0;
    }
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    // Positions of each wanted word.
    let mut marks: Vec<(usize, usize)> = Vec::new();
    for (which, term) in wanted.iter().enumerate() {
        marks.extend(
            own.iter()
                .enumerate()
                .filter(|(_, word)| matcher.likeness(term, word) >= 0.7)
                .map(|(at, _)| (at, which)),
        );
    }
    marks.sort_unstable();
    let mut last = vec![None; wanted.len()];
    let mut best: Option<usize> = None;
    for (at, which) in marks {
        last[which] = Some(at);
        if let Some(oldest) = last
            .iter()
            .copied()
            .collect::<Option<Vec<usize>>>()
            .and_then(|all| all.into_iter().min())
        {
            let window = at - oldest + 1;
            best = Some(best.map_or(window, |known| known.min(window)));
        }
    }
    best.map_or(0.0, |window| 1.0 / (1.0 + window.saturating_sub(wanted.len()) as f64 / 4.0))
}

/// Lines in which a document speaks of itself: who wrote it, when, for whom.
pub(super) fn is_about_document(unit: &EvidenceUnit<'_>) -> bool {
    let text = unit.text;
    // A record's fields may be called so too.
    if unit.read.passage.record.is_some() || text.contains(';') {
        return false;
    }
    let lower = text.trim_start_matches(['*', '_', '#', '>', '-', ' ']).to_lowercase();
    // "Event: Harvest supper" with "Date: 3 May" under it tells of the event.
    let of_a_subject = !unit.goes_on_from.is_empty();
    [
        "author:",
        "sources:",
        "contents:",
        "document owner",
        "authors:",
        "last updated",
        "updated:",
        "date:",
        "prepared by",
        "written by",
        "internal - confidential",
        "confidential",
        "status:",
        "version:",
    ]
    .iter()
    .any(|label| {
        lower.starts_with(label) && !(of_a_subject && matches!(*label, "date:" | "status:"))
    })
}

pub(super) fn asks_about_document(question: &Question) -> bool {
    question.terms.iter().any(|term| {
        matches!(
            term.stem.as_str(),
            "author"
                | "write"
                | "prepar"
                | "updat"
                | "publish"
                | "confidenti"
                | "document"
                | "report"
                | "version"
                | "statu"
                | "date"
                | "memo"
                | "note"
                | "concept"
        )
    })
}

/// Says what must, may or may not be.
pub(super) fn is_deontic(unit: &EvidenceUnit<'_>) -> bool {
    unit.words.iter().any(|word| {
        word.place == Place::Unit
            && matches!(
                word.word.as_str(),
                "mandatory"
                    | "must"
                    | "required"
                    | "requires"
                    | "require"
                    | "may"
                    | "allowed"
                    | "prohibited"
                    | "needs"
                    | "need"
                    | "approval"
                    | "approved"
                    | "compulsory"
                    | "optional"
                    | "forbidden"
                    | "permitted"
                    | "can"
                    | "cannot"
                    | "never"
                    | "always"
                    | "no"
            )
    })
}

/// Whether what a text speaks of is said in the sentence before: by a pronoun, "the bill", "in exchange", "in his place".
pub(super) fn refers_back(text: &str) -> bool {
    let words = words(text);
    let first = words.first().map_or("", String::as_str);
    begins_with_pronoun(text)
        || begins_with_dependent(text)
        || first == "exchange"
        || first == "in" && words.get(1).is_some_and(|word| word == "exchange")
        || takes_a_place(text)
}

/// "Ann Reed was elected in his place": whose place, and which, is said in the sentence before.
fn takes_a_place(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["his", "her", "their", "its"].iter().any(|whose| {
        lower.contains(&format!("in {whose} place")) || lower.contains(&format!("in {whose} stead"))
    })
}

pub(super) fn document_period(unit: &EvidenceUnit<'_>) -> Option<PartialDate> {
    unit.read.source.date.as_ref().map(|date| date.value)
}

/// Whether what the unit says holds for the period asked about.
pub(super) fn period_fits(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    asked: PartialDate,
    local: Option<PartialDate>,
    value: Option<&Value>,
) -> bool {
    if is_other_point(question, unit, local) {
        return false;
    }
    // A quarter's figure is not the year's.
    let flow = matches!(
        question.expects,
        Expects::Money | Expects::Count | Expects::Quantity | Expects::Percent
    ) && asked.precision == DatePrecision::Year
        && question.months.is_none();
    let same = |own: PartialDate| {
        own == asked
            || (asked.contains(own)
                && falls_within(question.months, own)
                && !(flow && matches!(own.precision, DatePrecision::Quarter | DatePrecision::Half)))
            || (own.contains(asked) && own.precision >= DatePrecision::Month)
    };
    if let Some(local) = local {
        // "planned for H2 2025" in a report of April 2025 was said in April 2025.
        let said_then = !flow
            && unit.read.source.date.as_ref().is_some_and(|date| same(date.value))
            && local.order_key() > asked.order_key();
        return same(local) || said_then;
    }
    if is_of_the_day(unit, asked) {
        return true;
    }
    // The period may be stated elsewhere in the unit, in its headings, or be the document's own.
    let stated = unit.periods.iter().any(|period| {
        (period.value == asked || asked.contains(period.value))
            && !value.is_some_and(|value| is_compared(unit.text, &value.range, &period.range))
            && value.is_none_or(|value| {
                value.range != period.range || question.expects != Expects::Date
            })
    });
    if stated {
        return true;
    }
    // "Takings for April" says nothing of May, whenever it was written.
    let months =
        |own: PartialDate| matches!(own.precision, DatePrecision::Month | DatePrecision::Quarter);
    if let [only] = unit.periods.as_slice()
        && months(asked)
        && months(only.value)
        && only.value.order_key() < asked.order_key()
        && !asked.contains(only.value)
        && !only.value.contains(asked)
    {
        return false;
    }
    // What introduces a table or a list ("Grants paid in 2025:") says it more closely than a heading or a title.
    let near = || periods(&unit.near_text).into_iter().map(|period| period.value);
    let introduced = unit.near_text.trim_end().ends_with(':');
    let mut around: Vec<PartialDate> = if introduced { near().collect() } else { Vec::new() };
    if around.is_empty() {
        let over = unit.read.passage.heading_path.iter().chain([&unit.read.source.title]);
        around = over.flat_map(|text| periods(text)).map(|period| period.value).collect();
    }
    if around.is_empty() {
        around = near().collect();
    }
    // A title that names a period says more than the day on which the document was prepared.
    if !around.is_empty() {
        // Unless the very month or day is asked for in which it was prepared.
        let prepared = asked.precision >= DatePrecision::Month
            && unit.read.source.date.as_ref().is_some_and(|date| asked.contains(date.value));
        return prepared || around.iter().any(|own| same(*own));
    }
    unit.read
        .source
        .date
        .as_ref()
        .is_some_and(|date| date.value == asked || asked.contains(date.value))
}

/// Whether a paper of the weeks after a day tells what was so on it, in a statement that names no time of its own.
pub(super) fn told_afterwards(unit: &EvidenceUnit<'_>, asked: PartialDate) -> bool {
    /// Three months, in the units of `order_key`.
    const AFTER: i64 = 3 * 32;
    let written = unit.read.source.date.as_ref().map(|date| date.value.order_key());
    asked.precision == DatePrecision::Day
        && unit.periods.is_empty()
        && written.is_some_and(|day| (0..=AFTER).contains(&(day - asked.order_key())))
}

/// Whether a unit, what introduces it or a heading over it names the day that is asked about without its year, as the entries of a log
/// do ("Tue 15 July"), in a document that is of that year as far as it says.
fn is_of_the_day(unit: &EvidenceUnit<'_>, asked: PartialDate) -> bool {
    if asked.precision != DatePrecision::Day {
        return false;
    }
    let source = &unit.read.source;
    let over = unit.read.passage.heading_path.iter().map(String::as_str);
    let entry = over.chain([unit.text, unit.near_text.as_str()]);
    let that_day =
        |text: &str| day_without_year(&text.to_lowercase()) == Some((asked.month, asked.day));
    let years =
        |text: &str| periods(text).into_iter().map(|period| period.value.year).collect::<Vec<_>>();
    // A day that bears another year is another day.
    let said = entry.filter(|text| that_day(text)).any(|text| {
        let own = years(text);
        own.is_empty() || own.contains(&asked.year)
    });
    let mut of_document = years(&source.title);
    of_document.extend(years(&source.path.replace('_', " ")));
    of_document.extend(source.date.as_ref().map(|date| date.value.year));
    said && (of_document.is_empty() || of_document.contains(&asked.year))
}

/// Whether a unit may tell why something happened on the day, or in the month, that is asked about without naming it: an undated
/// note, or a letter or a report of the year after, which names no other day.
pub(super) fn looks_back(question: &Question, unit: &EvidenceUnit<'_>, asked: PartialDate) -> bool {
    const A_YEAR: i64 = 12 * 32;
    let names_a_day =
        unit.periods.iter().any(|period| period.value.precision == DatePrecision::Day);
    let since = |date: PartialDate| date.order_key() - asked.order_key();
    question.expects == Expects::Reason
        && asked.precision >= DatePrecision::Month
        && !names_a_day
        && unit
            .read
            .source
            .date
            .as_ref()
            .is_none_or(|date| (0..=A_YEAR).contains(&since(date.value)))
}

pub(super) fn type_ok(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
    strong: bool,
) -> bool {
    match question.expects {
        Expects::Any | Expects::List | Expects::YesNo | Expects::Name => true,
        Expects::Place => {
            value.is_some()
                || unit.words.iter().any(|word| {
                    word.place == Place::Unit
                        && matches!(
                            word.word.as_str(),
                            "in" | "at"
                                | "on"
                                | "near"
                                | "into"
                                | "from"
                                | "inside"
                                | "behind"
                                | "beside"
                        )
                })
        }
        Expects::Reason => {
            let own = |test: fn(&str) -> bool| {
                unit.words.iter().any(|word| word.place == Place::Unit && test(&word.word))
            };
            own(is_reason)
                || (strong && reason_cell(unit).is_some())
                || (strong
                    && own(|word| {
                        matches!(
                            word,
                            "to" | "for"
                                | "as"
                                | "so"
                                | "when"
                                | "with"
                                | "would"
                                | "would've"
                                | "waiting"
                        )
                    }))
        }
        Expects::Agent => {
            let asked = |word: &str| question.terms.iter().any(|term| term.word == word);
            value.is_some()
                || unit.words.iter().any(|word| {
                    word.place == Place::Unit && is_role(&word.word) && !asked(&word.word)
                })
        }
        Expects::Money
        | Expects::Percent
        | Expects::Duration
        | Expects::Extent
        | Expects::Count
        | Expects::Quantity
        | Expects::Person
        | Expects::Organisation => value.is_some(),
        Expects::Date => value.is_some() || is_of_its_entry(question, unit),
    }
}

pub(super) const PLANS: [&str; 16] = [
    "grow",
    "target",
    "targets",
    "targeted",
    "goal",
    "planned",
    "plan",
    "plans",
    "expected",
    "forecast",
    "aims",
    "reach",
    "projected",
    "intends",
    "double",
    "propose",
];

/// Whether the clause of the value (or the unit, without a value) speaks of a plan or a goal.
pub(super) fn is_planned(unit: &EvidenceUnit<'_>, value: Option<&Value>) -> bool {
    let clause = value.map(|value| unit.segments[unit.segment_of(value.range.start)].range.clone());
    unit.words.iter().any(|word| {
        word.place == Place::Unit
            && PLANS.contains(&word.word.as_str())
            && clause
                .as_ref()
                .is_none_or(|clause| clause.start <= word.at.start && word.at.end <= clause.end)
    })
}

pub(super) fn asks_for_plan(question: &Question) -> bool {
    question.terms.iter().any(|term| {
        PLANS.contains(&term.word.as_str())
            || matches!(
                term.word.as_str(),
                "launch"
                    | "next"
                    | "future"
                    | "expect"
                    | "due"
                    | "aim"
                    | "hope"
                    | "want"
                    | "intend"
                    | "release"
                    | "profitable"
                    | "breakeven"
            )
    }) || matches!(
        question.expects,
        Expects::Date | Expects::YesNo | Expects::List | Expects::Reason | Expects::Any
    )
}

/// Yes, no, or only under a condition; `None` when the words do not make it certain. `bound` tells that every
/// meaning-bearing word of the question is bound as it stands.
pub(super) fn polarity(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    bound: bool,
) -> Option<Polarity> {
    let text = &unit.text[turning_on(question, unit.text)];
    let lower = text.to_lowercase();
    let all = words(text);
    let own: Vec<&str> = all.iter().map(String::as_str).collect();
    let asked =
        |word: &str| question.terms.iter().any(|term| term.word == word || term.stem == stem(word));
    // "A: No. The writer holds ...": the document answers the question above it itself.
    let first = own.iter().find(|word| **word != "a").copied().unwrap_or("");
    match first {
        "yes" if unit.follows_question || unit.ordinal == 0 => return Some(Polarity::Yes),
        "no" | "none" => return Some(Polarity::No),
        _ => {}
    }
    // Plans, refusals and things put off are neither a yes nor a no.
    let unsettled = own.iter().any(|word| UNSETTLED.contains(word) && !asked(word))
        || ["put off", "no decision", "not yet", "under discussion", "more likely"]
            .iter()
            .any(|cue| lower.contains(cue));
    let headings = unit.read.passage.heading_path.iter().chain([&unit.read.source.title]);
    let planned = headings.flat_map(|heading| words(heading)).any(|word| {
        matches!(
            word.as_str(),
            "roadmap" | "planned" | "proposal" | "proposed" | "draft" | "dropped" | "ideas"
        )
    });
    // An editor's brackets are not the document's own yes or no.
    if super::reported::is_editors(unit.text) {
        return None;
    }
    if !bound || unsettled || planned || unit.is_superseded() {
        return None;
    }
    let denied = own.iter().any(|word| is_negation(word) && *word != "without")
        || ["n't", "n’t", "rather than", "instead of", "as opposed to"]
            .iter()
            .any(|cue| lower.contains(cue));
    let asked_denial = question.terms.iter().any(|term| is_negation(&term.word));
    let conditional =
        own.iter().any(|word| is_condition(word) && !asked(word)) || own.contains(&"without");
    match (denied, asked_denial, conditional) {
        (_, true, _) => None,
        (true, false, _) => Some(Polarity::No),
        (false, false, true) => Some(Polarity::Conditional),
        (false, false, false) => Some(Polarity::Yes),
    }
}

/// The sentence of a text that says more of what is asked than each of the others; all of it where there is none. In "Dogs wear a muzzle.
/// Fuel is not carried" nothing is denied of dogs.
fn turning_on(question: &Question, text: &str) -> Range<usize> {
    let said = |sentence: &Range<usize>| {
        let own: Vec<String> =
            words(&text[sentence.clone()]).iter().map(|word| stem(word)).collect();
        let meant = question.terms.iter().filter(|term| !term.light);
        meant.filter(|term| own.contains(&term.stem)).count()
    };
    let mut found: Vec<(usize, Range<usize>)> =
        sentences(text).into_iter().map(|at| (said(&at), at)).collect();
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    match found.as_slice() {
        [(most, first), (next, _), ..] if most > next && *most > 1 => first.clone(),
        _ => 0..text.len(),
    }
}

/// Words of things that are not settled, or that went the other way.
const UNSETTLED: [&str; 24] = [
    "lost",
    "rejected",
    "refused",
    "declined",
    "postponed",
    "deferred",
    "target",
    "targets",
    "targeted",
    "goal",
    "proposed",
    "considered",
    "considering",
    "optional",
    "would",
    "could",
    "might",
    "may",
    "hope",
    "hopes",
    "roadmap",
    "superseded",
    "draft",
    "planned",
];

/// "restart needed: yes": a field whose label the question names and whose value is the answer.
pub(super) fn labelled_answer(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Polarity> {
    unit.text.split([';', '|']).find_map(|field| {
        let (label, value) = field.split_once(':')?;
        let named = words(label).iter().any(|word| {
            let stem = stem(word);
            question.terms.iter().any(|term| !term.light && !term.hard && term.stem == stem)
        });
        match (named, value.trim().trim_end_matches('.').to_lowercase().as_str()) {
            (true, "yes" | "true" | "enabled" | "supported") => Some(Polarity::Yes),
            (true, "no" | "false" | "disabled" | "unsupported") => Some(Polarity::No),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, ReadPassage};

    fn fits(read: ReadPassage, question: &str) -> bool {
        let passages = [read];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let asked = question.period.expect("a time is asked about");
        period_fits(&question, &units[0], asked, None, None)
    }

    fn log(title: &str, day: &str) -> ReadPassage {
        let mut read = document("log", day, "Diesel: 1,400 litres in the tank.");
        read.source.title = title.to_owned();
        read
    }

    #[test]
    fn an_entry_of_a_log_is_of_its_day_in_the_year_of_the_log() {
        let asked = "How much diesel was in the tank on 15 July 2025?";
        assert!(fits(log("Site log 2025", "Tue 15 July"), asked));
        assert!(!fits(log("Site log 2025", "Wed 16 July"), asked));
        assert!(!fits(log("Site log 2024", "Tue 15 July"), asked));
    }

    #[test]
    fn a_quarter_without_its_year_is_of_the_year_of_the_paper() {
        let minutes = |text: &str| {
            let mut read = document("minutes", "Pay", text);
            let value = PartialDate::day(2024, 5, 14);
            read.source.date = Some(DocDate { value, stated: value.to_string() });
            read
        };
        let told = "The bonus for the first quarter is 210 pounds a head.";
        assert!(fits(minutes(told), "How large was the bonus for the first quarter of 2024?"));
        assert!(!fits(minutes(told), "How large was the bonus for the first quarter of 2023?"));
    }
}
