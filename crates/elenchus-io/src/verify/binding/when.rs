//! Dates, years, decades and centuries of a text as spans of days, so that one can lie within another.

use crate::verify::tokens::{Pos, Token};
use elenchus_core::evidence::month_number;
use std::ops::Range;

/// A span of time that a text states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct When {
    /// Tokens that state it.
    pub(super) tokens: Range<usize>,
    /// First and last year, BC negative; absent in "5 May" or "Q3".
    pub(super) years: Option<(i32, i32)>,
    /// First and last day in the year as month * 32 + day; absent in "2019".
    pub(super) days: Option<(u16, u16)>,
}

fn month(token: &Token) -> Option<u16> {
    let lower = token.lower.trim_end_matches('.');
    if !token.is_capital() {
        return None;
    }
    month_number(lower).map(u16::from)
}

fn day(token: &Token) -> Option<u16> {
    let digits = token.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let tail = &token.lower[digits.len()..];
    let fits = matches!(tail, "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|n| fits && (1..=31).contains(n))
}

fn four_digits(token: &Token) -> Option<i32> {
    (token.text.len() == 4 && token.text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| token.text.parse().ok())
        .flatten()
        .filter(|year| (1000..=2199).contains(year))
}

/// A year that money, units or counted things do not surround.
fn year(tokens: &[Token], at: usize) -> Option<i32> {
    let value = four_digits(tokens.get(at)?)?;
    let word = |i: Option<usize>| i.and_then(|i| tokens.get(i)).map_or("", |t| t.lower.as_str());
    let (before, after) = (word(at.checked_sub(1)), word(Some(at + 1)));
    if matches!(before, "$" | "€" | "£" | "¥" | "#") || matches!(after, "%" | "°" | "percent")
    {
        return None;
    }
    if matches!(
        before,
        "in" | "since"
            | "by"
            | "from"
            | "until"
            | "till"
            | "during"
            | "before"
            | "after"
            | "year"
            | "early"
            | "late"
            | "mid"
            | "circa"
            | "c"
            | "("
    ) || tokens.get(at.wrapping_sub(1)).is_some_and(|t| month(t).is_some())
    {
        return Some(value);
    }
    // "1500 people", "1200 km"
    let counted = tokens.get(at + 1).is_some_and(|t| {
        t.pos == Pos::Noun && (t.lower.ends_with('s') || t.lower == "people" || t.lower == "men")
            || super::units::unit(&t.lower, true).is_some()
    });
    (!counted && value >= 1400).then_some(value)
}

fn era(tokens: &[Token], at: usize) -> Option<(bool, usize)> {
    let one = tokens.get(at)?.lower.as_str();
    match one {
        "bc" | "b.c" | "bce" | "b.c.e" => Some((true, 1)),
        "ad" | "a.d" | "ce" | "c.e" => Some((false, 1)),
        _ => None,
    }
}

fn ordinal(token: &Token) -> Option<i32> {
    const WORDS: [&str; 21] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
        "twenty-first",
    ];
    if let Some(n) = (1..).zip(WORDS).find(|(_, w)| *w == token.lower).map(|(n, _)| n) {
        return Some(n);
    }
    let digits = token.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let tail = &token.lower[digits.len()..];
    digits.parse().ok().filter(|_| matches!(tail, "st" | "nd" | "rd" | "th"))
}

/// One date at a token: years, days of the year, tokens used.
type Found = (Option<(i32, i32)>, Option<(u16, u16)>, usize);

fn at_token(tokens: &[Token], at: usize) -> Option<Found> {
    let token = tokens.get(at)?;
    let get = |n: usize| tokens.get(at + n);
    let is = |n: usize, word: &str| get(n).is_some_and(|t| t.lower == word);
    let one = |y: i32| Some((y, y));
    // 2019-05-14
    if let (Some(y), true, Some(m)) = (four_digits(token), is(1, "-"), get(2).and_then(day))
        && m <= 12
        && get(2).is_some_and(|t| t.text.len() == 2)
        && get(3).is_none_or(|t| t.lower != "years")
    {
        if let (true, Some(d)) = (is(3, "-"), get(4).and_then(day)) {
            return Some((one(y), Some((m * 32 + d, m * 32 + d)), 5));
        }
        if y > 1900 && !is(3, "-") && get(2).is_some_and(|t| t.text.starts_with('0')) {
            return Some((one(y), Some((m * 32, m * 32 + 31)), 3));
        }
    }
    // "May 14, 2019", "May 2019", "May 14"
    if let Some(m) = month(token) {
        if let Some(d) = get(1).and_then(day) {
            let comma = usize::from(is(2, ","));
            let y = get(2 + comma).and_then(four_digits);
            let used = if y.is_some() { 3 + comma } else { 2 };
            return Some((y.and_then(one), Some((m * 32 + d, m * 32 + d)), used));
        }
        let skip = usize::from(is(1, "of") || is(1, ","));
        if let Some(y) = get(1 + skip).and_then(four_digits) {
            return Some((one(y), Some((m * 32, m * 32 + 31)), 2 + skip));
        }
        let before = at.checked_sub(1).map_or("", |i| tokens[i].lower.as_str());
        let name =
            matches!(token.lower.as_str(), "may" | "march" | "april" | "june" | "august" | "jan");
        let dated = matches!(
            before,
            "in" | "since" | "by" | "until" | "during" | "of" | "late" | "early" | "last" | "this"
        );
        return (!name || dated).then_some((None, Some((m * 32, m * 32 + 31)), 1));
    }
    // "14 May 2019", "14th of May"
    if let Some(d) = day(token) {
        let of = usize::from(is(1, "of"));
        if let Some(m) = get(1 + of).and_then(month) {
            let comma = usize::from(is(2 + of, ","));
            let y = get(2 + of + comma).and_then(four_digits);
            let used = if y.is_some() { 3 + of + comma } else { 2 + of };
            return Some((y.and_then(one), Some((m * 32 + d, m * 32 + d)), used));
        }
    }
    // "Q3 2019", "Q3", "third quarter of 2019"
    let quarter =
        token.lower.strip_prefix('q').and_then(|n| n.parse::<u16>().ok()).map(|n| (n, 1)).or_else(
            || {
                let n = u16::try_from(ordinal(token)?).ok()?;
                is(1, "quarter").then_some((n, 2))
            },
        );
    if let Some((n, used)) = quarter.filter(|(n, _)| (1..=4).contains(n)) {
        let skip = usize::from(is(used, "of") || is(used, ","));
        let y = get(used + skip).and_then(four_digits);
        let days = Some(((3 * n - 2) * 32, 3 * n * 32 + 31));
        return Some((y.and_then(one), days, if y.is_some() { used + skip + 1 } else { used }));
    }
    // "1990s"
    if let Some(y) = token.lower.strip_suffix('s').map(|d| d.trim_end_matches(['\'', '’']))
        && y.len() == 4
        && let Ok(y) = y.parse::<i32>()
        && y % 10 == 0
    {
        return Some((Some((y, y + if y % 100 == 0 { 99 } else { 9 })), None, 1));
    }
    // "19th century", "third century BC"
    if let Some(n) = ordinal(token)
        && get(1).is_some_and(|t| t.lower == "century" || t.lower == "centuries")
        && (1..=30).contains(&n)
    {
        return match era(tokens, at + 2) {
            Some((true, used)) => Some((Some((-100 * n, -100 * (n - 1) - 1)), None, 2 + used)),
            Some((false, used)) => Some((Some((100 * (n - 1), 100 * n)), None, 2 + used)),
            None => Some((Some((100 * (n - 1), 100 * n)), None, 2)),
        };
    }
    // "325 AD", "AD 70", "44 BC"
    if let Ok(y) = token.text.parse::<i32>()
        && (1..=9999).contains(&y)
    {
        if let Some((before, used)) = era(tokens, at + 1) {
            return Some((one(if before { -y } else { y }), None, 1 + used));
        }
    } else if let Some((before, used)) = era(tokens, at)
        && token.is_capital()
        && let Some(y) = get(used).and_then(|t| t.text.parse::<i32>().ok())
    {
        return Some((one(if before { -y } else { y }), None, used + 1));
    }
    let y = year(tokens, at)?;
    // "2019-2021", "1990/91"
    if get(1).is_some_and(|t| matches!(t.text.as_str(), "-" | "–" | "—" | "/"))
        && let Some(end) = get(2)
    {
        if let Some(z) = four_digits(end).filter(|z| *z > y && *z - y < 200) {
            return Some((Some((y, z)), None, 3));
        }
        if let (2, Ok(z)) = (end.text.len(), end.text.parse::<i32>())
            && z == (y + 1) % 100
        {
            return Some((Some((y, y + 1)), None, 3));
        }
    }
    Some((one(y), None, 1))
}

/// All dates, in order, without overlap. Linear in the tokens.
pub(super) fn dates(tokens: &[Token]) -> Vec<When> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match at_token(tokens, at) {
            Some((years, days, used)) => {
                let end = (at + used).min(tokens.len());
                out.push(When { tokens: at..end, years, days });
                at = end;
            }
            None => at += 1,
        }
    }
    out
}

/// How a claim's date stands to one of the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stand {
    /// Apart from it.
    Apart,
    /// The claim says more than the evidence: a month in its year.
    Finer,
    /// The evidence's date lies in the claim's.
    Within,
}

pub(super) fn stand(claim: &When, evidence: &When) -> Stand {
    let years = match (claim.years, evidence.years) {
        (Some((a, b)), Some((c, d))) => {
            if a <= c && d <= b {
                Stand::Within
            } else if c <= a && b <= d {
                // A year out of a range that the evidence gives by its ends is stated there.
                if a == c || b == d { Stand::Within } else { Stand::Finer }
            } else if a <= d && c <= b {
                Stand::Finer
            } else {
                Stand::Apart
            }
        }
        (None, _) => Stand::Within,
        (Some(_), None) => Stand::Finer,
    };
    let days = match (claim.days, evidence.days) {
        (Some((a, b)), Some((c, d))) => {
            if a <= c && d <= b {
                Stand::Within
            } else if a <= d && c <= b {
                Stand::Finer
            } else {
                Stand::Apart
            }
        }
        (None, _) => Stand::Within,
        (Some(_), None) => Stand::Finer,
    };
    years.min(days)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::tokens::tokens;

    fn of(claim: &str, evidence: &str) -> Stand {
        let (c, e) = (dates(&tokens(claim)), dates(&tokens(evidence)));
        assert!(c.len() == 1 && e.len() == 1, "{c:?} {e:?}");
        stand(&c[0], &e[0])
    }

    #[test]
    fn dates_contain_each_other() {
        assert_eq!(of("in 2019", "on 14 May 2019"), Stand::Within);
        assert_eq!(of("in May 2019", "in 2019"), Stand::Finer);
        assert_eq!(of("on May 14, 2019", "2019-05-14"), Stand::Within);
        assert_eq!(of("in 2019", "in 2016"), Stand::Apart);
        assert_eq!(of("in the 1990s", "in 1994"), Stand::Within);
        assert_eq!(of("in the 20th century", "in 1994"), Stand::Within);
        assert_eq!(of("in the fourth century", "in 325 AD"), Stand::Within);
        assert_eq!(of("in the 4th century BC", "in AD 325"), Stand::Apart);
        assert_eq!(of("in Q3 2019", "in August 2019"), Stand::Within);
        assert_eq!(of("in Q3 2019", "in May 2019"), Stand::Apart);
        assert_eq!(of("in March", "on 3 March 2001"), Stand::Within);
    }

    #[test]
    fn counts_are_no_years() {
        assert!(dates(&tokens("They sold 1500 robots for $2019.")).is_empty());
        assert!(dates(&tokens("It may march on.")).is_empty());
    }
}
