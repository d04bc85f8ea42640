//! Periods in running text: "Q1 2026", "May 2026", "14 April 2026", "H2 2025", "2026", with their place.

use super::ordinals::ordinal;
use elenchus_core::evidence::{DatePrecision, PartialDate, month_number};
use elenchus_core::text::words;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A period and the bytes that state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Period {
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    /// What is stated.
    pub(crate) value: PartialDate,
}

/// The number of a month, by its name or a short form of it.
pub(crate) fn month(word: &str) -> Option<u8> {
    month_number(&word.to_lowercase())
}

/// Verbs of what holds from a time on: rules and prices.
const RULES: [&str; 11] =
    ["must", "may", "can", "will", "shall", "should", "applies", "apply", "pay", "cost", "costs"];
/// Verbs of what is so.
const STATES: [&str; 4] = ["is", "are", "has", "have"];
/// Verbs of what was so.
const PAST: [&str; 4] = ["had", "was", "were", "stood"];

/// The time for which a sentence holds by its first words: "As of 2019, ...", "As at the end of March 2019 ...". By the first verb
/// behind them these words may tell since when a rule or a price holds, and so may a day: "As of 1 January 2020, the fee is £12".
pub(super) fn as_of(text: &str, periods: &[Period]) -> Option<PartialDate> {
    /// Words before the period, at most: "as of the end of".
    const LEAD: usize = 5;
    let first = periods.iter().min_by_key(|period| period.range.start)?;
    let before = words(text.get(..first.range.start)?);
    let says = matches!(before.as_slice(), [one, two, ..]
        if one == "as" && matches!(two.as_str(), "of" | "at"));
    let told = words(text.get(first.range.end..)?);
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    let verb = told.iter().find(|word| is(&RULES, word) || is(&STATES, word) || is(&PAST, word));
    let since = verb.is_some_and(|verb| {
        is(&RULES, verb) || is(&STATES, verb) && first.value.precision == DatePrecision::Day
    });
    (says && !since && before.len() <= LEAD).then_some(first.value)
}

/// A token of letters or digits.
struct Token<'a> {
    text: &'a str,
    range: Range<usize>,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out: Vec<Token<'_>> = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            out.push(Token { text: &text[from..at], range: from..at });
        }
    }
    out
}

fn year(token: &str) -> Option<i32> {
    (token.len() == 4)
        .then(|| token.parse().ok())
        .flatten()
        .filter(|year| (1000..=2199).contains(year))
}

fn small(token: &str, most: u8) -> Option<u8> {
    let digits = token.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let tail = &token[digits.len()..];
    if !(tail.is_empty() || matches!(tail, "st" | "nd" | "rd" | "th")) {
        return None;
    }
    digits.parse().ok().filter(|n| (1..=most).contains(n))
}

/// A number that money, measures or ids surround is not a year.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    let next = text[range.end..].chars().nth(1);
    let money_or_part = matches!(before, Some('$' | '€' | '£' | '.' | ',' | '#' | '+'));
    let share_or_degree = matches!(after, Some('%' | '°'));
    let goes_on = matches!(after, Some('.' | ',')) && next.is_some_and(|c| c.is_ascii_digit());
    !(money_or_part || share_or_degree || goes_on)
}

/// Days of the week that are told together: "Wednesday to Sunday", "Tuesdays, Fridays and Sundays".
static DAYS: LazyLock<Regex> = LazyLock::new(|| {
    let day = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?";
    let joint = r"(?:\s*,\s*(?:and\s+)?|\s+(?:to|and|or|through|until)\s+|\s?[-\u{2013}]\s?)";
    Regex::new(&format!(r"(?i)\b{day}(?:{joint}{day})+\b"))
        .expect("the pattern is a constant that a test uses")
});

/// All of the days of the week that a text tells together with the one at `day`; that one where it stands alone.
pub(super) fn days_together(text: &str, day: &Range<usize>) -> Range<usize> {
    let whole = DAYS.find_iter(text).find_map(|found| {
        let at = found.range();
        (at.start <= day.start && day.end <= at.end).then_some(at)
    });
    whole.unwrap_or_else(|| day.clone())
}

/// All periods, in order, without overlap.
pub(crate) fn periods(text: &str) -> Vec<Period> {
    let tokens = tokens(text);
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let get = |offset: usize| tokens.get(at + offset).map(|token| token.text);
        let word = tokens[at].text;
        let lower = word.to_lowercase();
        let mut found: Option<(usize, PartialDate)> = None;
        let quarter = lower
            .strip_prefix('q')
            .and_then(|n| n.parse::<u8>().ok())
            .filter(|n| (1..=4).contains(n));
        let half = lower
            .strip_prefix('h')
            .and_then(|n| n.parse::<u8>().ok())
            .filter(|n| (1..=2).contains(n));
        if let (Some(n), Some(y)) = (quarter, get(1).and_then(year)) {
            found = Some((2, PartialDate::quarter(y, n)));
        } else if let (Some(n), Some(y)) = (half, get(1).and_then(year)) {
            found = Some((2, PartialDate::half(y, n)));
        } else if let (Some(y), Some(n)) = (
            year(word),
            get(1).and_then(|next| {
                next.to_lowercase().strip_prefix('q').and_then(|n| n.parse::<u8>().ok())
            }),
        ) {
            if (1..=4).contains(&n) {
                found = Some((2, PartialDate::quarter(y, n)));
            }
        } else if let Some(n) = quarter_word(&lower).filter(|_| get(1) == Some("quarter")) {
            // "first quarter of 2026", "first quarter 2026"
            let skip = if get(2) == Some("of") { 3 } else { 2 };
            if let Some(y) = get(skip).and_then(year) {
                found = Some((skip + 1, PartialDate::quarter(y, n)));
            }
        } else if let Some(m) = month(word).filter(|_| {
            word.chars().next().is_some_and(char::is_uppercase)
                || lower != "may" && lower != "march"
        }) {
            let day = get(1).and_then(|t| small(t, 31));
            let skip = if get(1) == Some("of") { 2 } else { 1 };
            if let (Some(d), Some(y)) = (day, get(2).and_then(year)) {
                found = Some((3, PartialDate::day(y, m, d)));
            } else if let Some(y) = get(skip).and_then(year) {
                found = Some((skip + 1, PartialDate::month(y, m)));
            }
        } else if let (Some(d), Some(m)) = (small(word, 31), get(1).and_then(month))
            && let Some(y) = get(2).and_then(year)
        {
            found = Some((3, PartialDate::day(y, m, d)));
        }
        // 2026-03-01 and 2026-03
        if found.is_none()
            && let Some(y) = year(word)
        {
            let joined = |a: usize| {
                let (Some(x), Some(z)) = (tokens.get(at + a), tokens.get(at + a + 1)) else {
                    return false;
                };
                matches!(&text[x.range.end..z.range.start], "-" | "/" | "_")
            };
            let two =
                |a: usize, most: u8| get(a).filter(|t| t.len() == 2).and_then(|t| small(t, most));
            if joined(0)
                && let Some(m) = two(1, 12)
            {
                found = Some(match two(2, 31).filter(|_| joined(1)) {
                    Some(d) => (3, PartialDate::day(y, m, d)),
                    None => (2, PartialDate::month(y, m)),
                });
            } else if stands_alone(text, &tokens[at].range) {
                found = Some((1, PartialDate::year(y)));
            }
        }
        match found {
            Some((used, value)) => {
                out.push(Period {
                    range: tokens[at].range.start..tokens[at + used - 1].range.end,
                    value,
                });
                at += used;
            }
            None => at += 1,
        }
    }
    out
}

/// Month names that stand without a year ("in February"), as bytes and number. "May" and "March" count only
/// after a preposition, since they are other words too.
pub(crate) fn bare_months(text: &str) -> Vec<(Range<usize>, u8)> {
    let tokens = tokens(text);
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(number) =
            month(token.text).filter(|_| token.text.chars().next().is_some_and(char::is_uppercase))
        else {
            continue;
        };
        if token.text.len() < 4 && token.text != "May" {
            continue;
        }
        let before = at.checked_sub(1).map_or("", |at| tokens[at].text).to_lowercase();
        let preposition = matches!(
            before.as_str(),
            "in" | "since"
                | "by"
                | "until"
                | "of"
                | "during"
                | "from"
                | "for"
                | "to"
                | "last"
                | "early"
                | "late"
                | "mid"
        );
        if matches!(number, 3 | 5) && !preposition {
            continue;
        }
        out.push((token.range.clone(), number));
    }
    out
}

/// Quarters that stand without a year ("the first quarter"), as bytes and number.
pub(crate) fn bare_quarters(text: &str) -> Vec<(Range<usize>, u8)> {
    let tokens = tokens(text);
    let pairs = tokens.windows(2).filter(|pair| pair[1].text == "quarter");
    let named = pairs.filter_map(|pair| {
        let number = quarter_word(&pair[0].text.to_lowercase())?;
        Some((pair[0].range.start..pair[1].range.end, number))
    });
    named.collect()
}

/// Days of a month, with or without a year behind them: "1 September", "the 3rd of May", "May 14th".
pub(crate) fn days(text: &str) -> Vec<Range<usize>> {
    let tokens = tokens(text);
    let is_month = |token: &Token<'_>| {
        month(token.text).is_some() && token.text.chars().next().is_some_and(char::is_uppercase)
    };
    let mut out: Vec<Range<usize>> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| is_month(token)) {
        let back = |by: usize| at.checked_sub(by).and_then(|at| tokens.get(at));
        let gap = |from: &Token<'_>| text.get(from.range.end..token.range.start);
        let day_at = |by: usize, joined: &str| {
            back(by).filter(|day| gap(day) == Some(joined) && small(day.text, 31).is_some())
        };
        if let Some(day) = day_at(1, " ").or_else(|| day_at(2, " of "))
            && stands_alone(text, &day.range)
        {
            out.push(day.range.start..token.range.end);
            continue;
        }
        // "March 5 people came" counts people.
        let after = tokens.get(at + 1).filter(|day| {
            text.get(token.range.end..day.range.start) == Some(" ")
                && small(day.text, 31).is_some()
                && stands_alone(text, &day.range)
                && !text[day.range.end..].trim_start().starts_with(char::is_alphanumeric)
        });
        if let Some(day) = after {
            out.push(token.range.start..day.range.end);
        }
    }
    out
}

/// The first "24 April" or "April 24" of a text in lower case.
pub(crate) fn day_without_year(lower: &str) -> Option<(u8, u8)> {
    let all = words(lower);
    let day = |word: &String| {
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
        digits.parse::<u8>().ok().filter(|day| (1..=31).contains(day) && is_day(word))
    };
    all.iter().enumerate().find_map(|(at, word)| {
        let month = month(word)?;
        let before = at.checked_sub(1).and_then(|before| day(&all[before]));
        Some((month, before.or_else(|| all.get(at + 1).and_then(day))?))
    })
}

/// "24", "24th".
pub(crate) fn is_day(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    (1..=2).contains(&digits.len())
        && digits.chars().all(|c| c.is_ascii_digit())
        && matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th")
}

/// Whether a period is that of another figure with which `value` is compared: "268 otters, 44 fewer than in 2021", "46 million,
/// up from 30 million in 2019". The value then stands before the word that compares, and the period after it.
pub(crate) fn is_compared(text: &str, value: &Range<usize>, period: &Range<usize>) -> bool {
    /// Words between the one that compares and the period.
    const REACH: usize = 6;
    const MOVES: [&str; 16] = [
        "up",
        "down",
        "rise",
        "rose",
        "risen",
        "fall",
        "fell",
        "fallen",
        "grew",
        "grown",
        "increase",
        "increased",
        "decrease",
        "decreased",
        "dropped",
        "drop",
    ];
    let before = tokens(&text[..period.start]);
    let clause = text[..period.start].rfind([';', ':']).map_or(0, |at| at + 1);
    for (back, token) in before.iter().enumerate().rev().take(REACH) {
        if token.range.start < clause {
            return false;
        }
        let word = token.text.to_lowercase();
        let earlier = back.checked_sub(1).map_or("", |at| before[at].text).to_lowercase();
        let number_follows = before[back + 1..]
            .iter()
            .any(|later| later.text.starts_with(|c: char| c.is_ascii_digit()));
        let compares = match word.as_str() {
            "than" | "versus" | "vs" | "compared" => true,
            "from" => {
                MOVES.contains(&earlier.as_str())
                    || number_follows && value.end <= token.range.start
            }
            "against" => number_follows,
            _ => false,
        };
        if compares {
            return value.end <= token.range.start;
        }
    }
    false
}

fn quarter_word(word: &str) -> Option<u8> {
    ordinal(word).filter(|number| *number <= 4)
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::question::Question;
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::DocDate;

    #[test]
    fn what_held_as_of_an_earlier_time_is_the_older_figure() {
        let dated = |name: &str, year: i32, text: &str| {
            let mut read = document(name, "Lanterns", text);
            let value = PartialDate::year(year);
            read.source.date = Some(DocDate { value, stated: year.to_string() });
            read
        };
        let answers = |then: &str| {
            let passages = [
                dated("survey", 2025, then),
                dated("inventory", 2022, "The Varn Tunnel has 412 lanterns."),
            ];
            let units = evidence_units(&passages);
            let question = Question::parse("How many lanterns does the Varn Tunnel have?", &[]);
            let common = Commonness::new(&[], 2);
            let (_, selection) = by_words(&question, &units, &Matcher::new(), &common);
            selection.answers.iter().filter_map(|one| one.number).collect::<Vec<f64>>()
        };
        let of_then = answers("As of 2019, the Varn Tunnel had 300 lanterns.");
        assert!(of_then.iter().all(|number| (number - 412.0).abs() < 0.5), "{of_then:?}");
        assert_eq!(of_then.len(), 1);
        let of_now = answers("As of 2024, the Varn Tunnel had 300 lanterns.");
        assert!(of_now.iter().all(|number| (number - 300.0).abs() < 0.5), "{of_now:?}");
    }

    #[test]
    fn a_sentence_says_first_of_which_time_it_holds() {
        let shown = |text: &str| as_of(text, &periods(text)).map(|date| date.to_string());
        assert_eq!(shown("As of 2019, it had 300.").as_deref(), Some("2019"));
        assert_eq!(shown("As at the end of March 2019 it had 300.").as_deref(), Some("March 2019"));
        assert_eq!(shown("It has 412, and had 300 as of 2019."), None);
        let grown = "As of 2019, it had 300, up from 250 in May 2018, and may grow.";
        assert_eq!(shown(grown).as_deref(), Some("2019"));
        assert_eq!(shown("As of 2019 the club has 300 members.").as_deref(), Some("2019"));
        assert_eq!(shown("As of now it has 300."), None);
        for since in
            ["As of 1 January 2020, the fee is 12 pounds.", "As of 2020 all visitors must pay."]
        {
            assert_eq!(shown(since), None, "{since}");
        }
    }

    fn shown(text: &str) -> Vec<String> {
        periods(text).into_iter().map(|period| period.value.to_string()).collect()
    }

    #[test]
    fn reads_what_documents_state() {
        assert_eq!(shown("Q1 2026 revenue: $21.4M (Q1 2025: $12.8M)"), ["Q1 2026", "Q1 2025"]);
        assert_eq!(
            shown("April 14, 2026 and 14 April 2026, May 2026; H2 2025; in 2024"),
            ["14 April 2026", "14 April 2026", "May 2026", "H2 2025", "2024"]
        );
        assert_eq!(shown("2026-03-01 2026-03 2026"), ["1 March 2026", "March 2026", "2026"]);
        assert_eq!(
            shown("$2025 3,120 robots 2,340 hours 2.4 m/s EN 60068 v4.7.2"),
            Vec::<String>::new()
        );
        assert_eq!(shown("you may 2026"), ["2026"]);
        assert_eq!(shown("the first quarter of 2026"), ["Q1 2026"]);
    }

    #[test]
    fn the_time_of_what_is_compared_with_is_not_that_of_the_value() {
        let compared = |text: &str, value: &str| {
            let at = text.find(value).unwrap();
            let last = periods(text).pop().unwrap();
            is_compared(text, &(at..at + value.len()), &last.range)
        };
        assert!(compared("They counted 268 otters, 44 fewer than in 2021", "268"));
        assert!(compared("Revenue was $46M, up from $30M in 2019", "$46M"));
        assert!(!compared("Revenue was $46M, up from $30M in 2019", "$30M"));
        assert!(compared("It sold 12 robots, compared with 9 in Q1 2025", "12"));
        assert!(!compared("It sold 12 robots in Q1 2025", "12"));
        assert!(!compared("Revenue from January 2026 was 12", "12"));
        assert!(!compared("More than 40 animals were seen in 2021", "40"));
    }

    #[test]
    fn days_of_the_week_that_are_told_together_stay_together() {
        let whole = |text: &'static str, day: &str| {
            let at = text.find(day).map_or(0..0, |at| at..at + day.len());
            &text[days_together(text, &at)]
        };
        let open = "The pool is open from Wednesday to Sunday.";
        assert_eq!(whole(open, "Wednesday"), "Wednesday to Sunday");
        assert_eq!(whole(open, "Sunday"), "Wednesday to Sunday");
        let market = "It is held on Tuesdays, Fridays and Sundays, and never on a Monday.";
        assert_eq!(whole(market, "Fridays"), "Tuesdays, Fridays and Sundays");
        assert_eq!(whole(market, "Monday"), "Monday");
    }
}
