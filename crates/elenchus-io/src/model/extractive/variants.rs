//! Variants: units that tell of what is asked, but of another number of it, another edition, another span of time that it
//! is paid for, or of a thing that only begins with the same word.

use super::dimension::is_no_width;
use super::editions::{VERSIONS, asked};
use super::extremes::is_comparison_unsaid;
use super::matching::{Commonness, Matcher};
use super::periods::periods;
use super::question::{Class, Expects, Question, classes};
use super::scope::is_out_of_scope;
use super::unit::{EvidenceUnit, Place, Word, called};
use super::values::{Value, ValueKind};
use elenchus_core::evidence::DatePrecision;
use elenchus_core::text::{is_stop_word, stem, words};

/// Numbers in words, from nought.
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];
/// Words before a number of a question that make it a condition: "for three adults".
const FOR: [&str; 5] = ["for", "of", "with", "by", "to"];
/// Words before a number that make it a bound, which other numbers fulfil.
const BOUNDS: [&str; 9] = ["least", "most", "than", "to", "up", "over", "under", "within", "every"];
/// Stems of spans of time: a number of them is a figure of its own.
const SPANS: [&str; 11] = [
    "second", "minut", "hour", "day", "night", "week", "month", "quarter", "year", "time", "decad",
];
/// Stems of what a sum of a span of time is called.
const TOTALS: [&str; 12] = [
    "take",
    "revenu",
    "incom",
    "turnov",
    "sale",
    "total",
    "receipt",
    "expenditur",
    "spend",
    "spent",
    "earn",
    "profit",
];
/// Stems of nouns behind a thing that are still about its price, or about all of it.
const OF_MONEY: [&str; 26] = [
    "cost",
    "price",
    "fee",
    "charg",
    "rate",
    "bill",
    "invoic",
    "budget",
    "total",
    "expens",
    "purchas",
    "project",
    "work",
    "repair",
    "renew",
    "replac",
    "ticket",
    "subscript",
    "payment",
    "sum",
    "amount",
    "rent",
    "valu",
    "contract",
    "order",
    "pay",
];

/// Whether a unit, or the value chosen in it, is of another variant than the one asked about.
pub(super) fn is_other_variant(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
) -> bool {
    let (asked, said) = (words(&question.text), words(unit.text));
    is_for_another_number(&asked, &said)
        || is_other_edition(&question.text, unit)
        || other_rate(question, &asked, unit, value)
        || is_that_day_itself(question, unit)
        || is_no_such_day(&asked, unit)
}

/// Whether what binds stands loosely enough that the unit is no firm answer, though it may be one.
pub(super) fn is_doubtful(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
    common: &Commonness,
) -> bool {
    begins_another(question, unit)
        || is_out_of_scope(question, unit, matcher, common)
        || is_comparison_unsaid(question, unit)
        || misses_a_compound(question, unit, common)
        || is_no_width(question, unit)
}

/// A number in digits or in words.
pub(super) fn number(word: &str) -> Option<usize> {
    word.parse().ok().or_else(|| NUMBERS.iter().position(|known| *known == word))
}

/// "For three adults", where the unit tells of two. A number that makes up a word with its noun stands in `contrast`.
fn is_for_another_number(asked: &[String], said: &[String]) -> bool {
    asked.windows(3).any(|three| {
        let [before, wanted, noun] = three else { return false };
        let noun = stem(noun);
        let Some(wanted) = number(wanted).filter(|wanted| *wanted > 1) else { return false };
        if !FOR.contains(&before.as_str())
            || is_stop_word(&three[2])
            || SPANS.contains(&noun.as_str())
        {
            return false;
        }
        let found: Vec<(usize, usize)> = said
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| stem(&pair[1]) == noun)
            .filter_map(|(at, pair)| Some((at, number(&pair[0])?)))
            .collect();
        let bound = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| said.get(before));
            before.is_some_and(|word| BOUNDS.contains(&word.as_str()))
        };
        !found.is_empty() && found.iter().all(|(at, own)| *own != wanted && !bound(*at))
    })
}

/// Numbers of editions that words name: "version 2", "v2".
fn editions(all: &[String]) -> Vec<String> {
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let named = all
        .windows(2)
        .filter(|pair| VERSIONS.contains(&pair[0].as_str()) && is_number(&pair[1]))
        .map(|pair| pair[1].clone());
    let short = all.iter().filter_map(|word| word.strip_prefix('v'));
    named.chain(short.filter(|word| is_number(word)).map(str::to_owned)).collect()
}

/// "In version 1", where the unit, or its document, is version 2.
pub(super) fn is_other_edition(question: &str, unit: &EvidenceUnit<'_>) -> bool {
    let said = words(unit.text);
    let mut wanted = editions(&words(question));
    // "The second edition" as well.
    wanted.extend(asked(question).map(|number| number.to_string()));
    // "5" is asked for and "5.0" is there.
    let same = |a: &str, b: &str| {
        a == b
            || a.strip_prefix(b).is_some_and(|rest| rest.starts_with('.'))
            || b.strip_prefix(a).is_some_and(|rest| rest.starts_with('.'))
    };
    let is_wanted = |word: &String| wanted.iter().any(|wanted| same(wanted, word));
    let dotted = |word: &String| word.contains('.') && is_wanted(word);
    if wanted.is_empty() || editions(&said).iter().any(is_wanted) || said.iter().any(dotted) {
        return false;
    }
    let mut over = called(&unit.read.source);
    for heading in &unit.read.passage.heading_path {
        over.extend(words(heading));
    }
    let mut document = editions(&over);
    document.extend(unit.edition.map(|number| number.to_string()));
    // A heading that is a number of two parts names an edition by itself: "3.3.0 (6 May)".
    let named_over = document.iter().any(is_wanted) || over.iter().any(dotted);
    let has_edition = !editions(&said).is_empty() || !document.is_empty();
    has_edition && !named_over
}

/// How long a span of time is that something is paid for, from the shortest.
fn span(word: &str) -> Option<u8> {
    Some(match word {
        "hour" | "hourly" => 0,
        "day" | "daily" | "night" | "nightly" => 1,
        "week" | "weekly" => 2,
        "fortnight" | "fortnightly" => 3,
        "month" | "monthly" => 4,
        "quarter" | "quarterly" => 5,
        "year" | "yearly" | "annual" | "annually" | "annum" => 6,
        _ => return None,
    })
}

fn is_adverb(word: &str) -> bool {
    word.ends_with("ly") || word == "annual"
}

/// The span that a sum is asked for by: "each quarter", "a month", "the weekly rent".
fn asked_span(asked: &[String]) -> Option<u8> {
    let beside = asked.windows(2).enumerate().find_map(|(at, pair)| {
        let before = at.checked_sub(1).and_then(|at| asked.get(at)).map_or("", String::as_str);
        let after = asked.get(at + 2).map_or("", String::as_str);
        let each = match pair[0].as_str() {
            "each" | "every" | "per" => true,
            // "A year ago", "in a week": a time, and no rate.
            "a" | "an" => {
                !matches!(before, "for" | "in" | "within" | "of" | "after" | "than" | "half")
                    && !matches!(after, "ago" | "later" | "before" | "after" | "old" | "long")
                    // "A night watchman" is paid for no night.
                    && (after.is_empty() || is_stop_word(after) || is_of_money(after))
            }
            _ => false,
        };
        span(&pair[1]).filter(|_| each && !is_adverb(&pair[1]))
    });
    // "The monthly rent", "paid monthly"; a monthly magazine may be paid by the year.
    let of_sum = |at: usize| asked.get(at + 1).is_none_or(|next| is_of_money(next));
    beside.or_else(|| {
        let adverbs = asked.iter().enumerate().filter(|(at, word)| is_adverb(word) && of_sum(*at));
        adverbs.into_iter().find_map(|(_, word)| span(word))
    })
}

fn is_of_money(word: &str) -> bool {
    let stem = stem(word);
    OF_MONEY.contains(&stem.as_str()) || TOTALS.contains(&stem.as_str())
}

/// The span that stands right behind a sum: "£210 a day", "8 pounds/month", "£30 annually".
fn span_of(text: &str, value: &Value) -> Option<u8> {
    let behind = text.get(value.range.end..)?;
    let next: Vec<String> = words(&behind.chars().take(24).collect::<String>());
    let first = next.first()?.as_str();
    let joined = behind.trim_start().starts_with('/');
    let each = matches!(first, "a" | "an" | "per" | "each" | "every");
    // What begins the next clause says nothing of the sum.
    if behind.starts_with(['.', ';', ',']) {
        return None;
    }
    if each {
        return next.get(1).and_then(|word| span(word));
    }
    span(first).filter(|_| joined || first.ends_with("ly"))
}

/// A sum for each quarter is asked for, and the unit has one a year; a sum of a month, and the unit has one a day.
fn other_rate(
    question: &Question,
    asked: &[String],
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
) -> bool {
    let money = || unit.values.iter().filter(|value| value.kind == ValueKind::Money);
    let own = match (question.expects, value) {
        (Expects::Money | Expects::Quantity | Expects::Count, Some(value)) => {
            span_of(unit.text, value)
        }
        // No kind of value is asked for by name: then all sums have to be of a rate.
        (Expects::Any, None) if money().all(|sum| span_of(unit.text, sum).is_some()) => {
            money().find_map(|sum| span_of(unit.text, sum))
        }
        _ => None,
    };
    let Some(own) = own else { return false };
    if let Some(wanted) = asked_span(asked) {
        let said_too = unit.values.iter().any(|other| span_of(unit.text, other) == Some(wanted));
        return own != wanted && !said_too;
    }
    let whole = match question.period.map(|period| period.precision) {
        Some(DatePrecision::Year | DatePrecision::Half) => 6,
        Some(DatePrecision::Quarter) => 5,
        Some(DatePrecision::Month) => 4,
        Some(DatePrecision::Day) | None => return false,
    };
    let is_total = asked.iter().any(|word| TOTALS.contains(&stem(word).as_str()));
    own < whole && is_total && !asked.iter().any(|word| word == "average" || word == "averaged")
}

/// "The next meeting after 11 March", where the unit tells of 11 March.
fn is_that_day_itself(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let Some(asked) = question.period.filter(|_| question.expects == Expects::Date) else {
        return false;
    };
    let found = periods(&question.text);
    let before = found
        .first()
        .and_then(|period| question.text.get(..period.range.start))
        .and_then(|before| words(before).pop());
    before.is_some_and(|word| matches!(word.as_str(), "after" | "since" | "following" | "before"))
        && !unit.periods.is_empty()
        && unit.periods.iter().all(|period| period.value == asked)
}

/// "When is the open day?", where neither the unit nor what stands over it speaks of a day that is called so, and where it tells of no
/// day either: "the market is held every Thursday" answers when market day is.
fn is_no_such_day(asked: &[String], unit: &EvidenceUnit<'_>) -> bool {
    let [when, verb, rest @ ..] = asked else { return false };
    if when != "when" || !matches!(verb.as_str(), "is" | "was" | "will") {
        return false;
    }
    let name: Vec<&String> = rest
        .iter()
        .skip_while(|word| is_stop_word(word))
        .take_while(|word| *word != "day")
        .collect();
    let ends = rest.iter().any(|word| word == "day");
    let is_name = matches!(name.len(), 1 | 2) && name.iter().all(|word| !is_stop_word(word));
    let ordinal = name.iter().any(|word| matches!(word.as_str(), "first" | "last" | "next"));
    // "Pay day" is "payday" too.
    let whole: Option<String> = name.last().map(|last| format!("{last}day"));
    let has_day =
        unit.words.iter().any(|word| word.stem == "day" || whole.as_ref() == Some(&word.word));
    let tells_a_day = !unit.periods.is_empty()
        || unit.words.iter().any(|word| {
            word.place == Place::Unit && word.word.trim_end_matches('s').ends_with("day")
        })
        || unit.text.split_whitespace().any(|word| {
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            ["st", "nd", "rd", "th"].iter().any(|end| {
                bare.strip_suffix(end)
                    .is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
            })
        });
    ends && is_name && !ordinal && !has_day && !tells_a_day
}

/// "What did the winch cost?", where the unit has a winch launch: the word stands before another noun wherever it stands.
fn begins_another(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    if question.expects != Expects::Money {
        return false;
    }
    let mut things = question.terms.iter().filter(|term| {
        term.class == Class::Noun
            && !term.light
            && !term.hard
            && !OF_MONEY.contains(&term.stem.as_str())
    });
    let (Some(thing), None) = (things.next(), things.next()) else { return false };
    let own: Vec<&Word> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    let places: Vec<usize> = (0..own.len())
        .filter(|at| own[*at].stem == thing.stem && !own[*at].at.is_empty())
        .collect();
    if places.is_empty() {
        return false;
    }
    let tagged = classes(unit.text);
    let before_another = |at: usize| {
        let (Some(next), Some((word, class))) = (own.get(at + 1), tagged.get(at + 1)) else {
            return false;
        };
        let joined = unit.text.get(own[at].at.end..next.at.start);
        *word == next.word
            && matches!(joined, Some(" " | "-"))
            && *class == Class::Noun
            && !is_stop_word(word)
            && !word.starts_with(|c: char| c.is_ascii_digit())
            && !OF_MONEY.contains(&next.stem.as_str())
            && question.terms.iter().all(|term| term.stem != next.stem)
    };
    places.iter().all(|at| before_another(*at))
}

/// "The speed limit on the access road", where the documents speak of access and of roads, and this one of neither: what stands
/// for both is another thing.
fn misses_a_compound(question: &Question, unit: &EvidenceUnit<'_>, common: &Commonness) -> bool {
    let figure = question.expects.is_figure() || question.expects == Expects::Date;
    figure
        && question.terms.windows(2).any(|pair| {
            pair[0].narrows
                && pair.iter().all(|term| {
                    term.class == Class::Noun
                        && !term.light
                        && !term.hard
                        && common.count(&term.word).unwrap_or(0) > 0
                        && !unit.words.iter().any(|word| word.stem == term.stem)
                })
        })
}

#[cfg(test)]
mod tests {
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::port::TermCount;

    /// Whether the only unit of a document is told apart from what is asked, with the value that is chosen in it.
    fn other(question: &str, name: &str, text: &str) -> bool {
        let passages = [document(name, "Facts", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 1));
        let chosen = all[0].value.as_ref();
        let value = units[0].values.iter().find(|value| Some(&value.range) == chosen);
        is_other_variant(&question, &units[0], value)
    }

    #[test]
    fn another_number_edition_rate_or_day_is_another_thing() {
        for (question, name, text) in [
            ("What is the ticket for three adults?", "prices", "Family (two adults): £22"),
            ("What is the limit in version 1?", "cranes-v2", "The crane stops at 35 knots."),
            ("What is the limit in version 1?", "cranes", "Version 2 sets a limit of 35 knots."),
            ("How much is the rent each quarter?", "lease", "The rent is £6,000 a year."),
            ("What is the monthly rent?", "lease", "The rent is £90 per week."),
            ("What were the takings in May 2025?", "cafe", "Takings in May 2025: £310 a day."),
            (
                "When is the meeting after 4 May 2026?",
                "plan",
                "The meeting is on 4 May 2026, 18:30.",
            ),
            ("When is the open day?", "hours", "The bar is open from 18:00 to 23:00."),
        ] {
            assert!(other(question, name, text), "{question} / {text}");
        }
    }

    #[test]
    fn the_same_variant_stays() {
        for (question, name, text) in [
            ("What is the ticket for two adults?", "prices", "Family (two adults): £22"),
            ("What is the ticket for three adults?", "prices", "For at least two adults: £22"),
            ("What is the notice for three months?", "prices", "It is paid for two months: £22"),
            ("What is the limit in version 2?", "cranes-v2", "The crane stops at 35 knots."),
            ("What is the limit in version 5?", "cranes-v5.0", "The crane stops at 35 knots."),
            ("What is the limit?", "cranes-v2", "The crane stops at 35 knots."),
            ("How much is the rent a year?", "lease", "The rent is £6,000 a year."),
            ("How much is the rent?", "lease", "The rent is £6,000 a year."),
            ("What was the rent in May 2025?", "lease", "In May 2025 the rent is £90 a week."),
            ("What is the daily fee?", "fees", "The fee is £5 a day or £25 a week."),
            ("When is the meeting in May 2026?", "plan", "The meeting is on 4 May 2026, 18:30."),
            ("When is the open day?", "plan", "The open day begins at 10:00."),
            ("When is the bar open?", "hours", "The bar is open from 18:00 to 23:00."),
            ("When is market day?", "town", "The market is held every Thursday."),
            ("When is pay day?", "staff", "Wages are paid on the 28th of each month."),
            ("What does the monthly magazine cost?", "shop", "The monthly magazine: £30 a year."),
            ("What does a night watchman earn?", "staff", "A night watchman earns £14 an hour."),
        ] {
            assert!(!other(question, name, text), "{question} / {text}");
        }
    }

    fn doubtful(question: &str, text: &str, known: &[&str]) -> bool {
        let passages = [document("notes", "Notes", text)];
        let units = evidence_units(&passages);
        let counts: Vec<TermCount> =
            known.iter().map(|term| TermCount { term: (*term).to_owned(), passages: 2 }).collect();
        let (question, common) = (Question::parse(question, &[]), Commonness::new(&counts, 9));
        is_doubtful(&question, &units[0], &Matcher::new(), &common)
    }

    #[test]
    fn a_word_that_begins_another_noun_is_no_firm_match() {
        let ask = "What did the boiler cost?";
        assert!(doubtful(ask, "The boiler house was sold for £9,000.", &[]));
        assert!(!doubtful(ask, "The boiler cost £9,000.", &[]));
        assert!(!doubtful(ask, "Boiler price: £9,000.", &[]));
        assert!(!doubtful(ask, "The boiler house stands beside the boiler, £9,000.", &[]));
        assert!(!doubtful("What did the boiler house cost?", "The boiler house: £9,000.", &[]));
    }

    #[test]
    fn both_words_of_a_compound_may_not_be_said_otherwise() {
        let ask = "What is the weight limit on the garden bridge?";
        let van = "The van carries no more than 900 kg.";
        assert!(doubtful(ask, van, &["garden", "bridge"]));
        assert!(!doubtful(ask, van, &["bridge"]), "no document speaks of gardens");
        assert!(!doubtful(ask, "The bridge carries 900 kg.", &["garden", "bridge"]));
    }
}
