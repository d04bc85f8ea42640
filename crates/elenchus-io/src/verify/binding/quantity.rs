//! Numbers as a text states them: figures and words, scales, ranges, bounds, units, and what is counted.

use super::units::{Dimension, Unit, unit};
use crate::verify::tokens::{Pos, Token};
use std::ops::Range;

/// How exactly a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// "50"
    Exact,
    /// "about 50"
    About,
    /// "over 50", "at least 50"
    AtLeast,
    /// "under 50", "up to 50", "nearly 50"
    AtMost,
}

/// A number in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    /// Tokens that state it, unit included.
    pub(super) tokens: Range<usize>,
    /// The token of the number itself.
    pub(super) at: usize,
    /// Lower end, scaled ("million"), in its unit.
    pub(super) low: f64,
    /// Upper end; the same as `low` but for ranges.
    pub(super) high: f64,
    /// How exactly it is meant.
    pub(super) bound: Bound,
    /// Half of the last digit that is written: "21.4 million" says no more than that.
    pub(super) grain: f64,
    /// The unit, if it has one.
    pub(super) unit: Option<Unit>,
    /// "third", "3rd".
    pub(super) ordinal: bool,
    /// Whether it is written in figures.
    pub(super) figure: bool,
    /// The noun that is counted ("40 new robots"): a token.
    pub(super) head: Option<usize>,
}

fn small_word(word: &str) -> Option<f64> {
    const WORDS: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    WORDS.iter().position(|w| *w == word).map(|n| n as f64)
}

fn tens_word(word: &str) -> Option<f64> {
    const WORDS: [&str; 8] =
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    WORDS.iter().position(|w| *w == word).map(|n| (n as f64 + 2.0) * 10.0)
}

fn ordinal_word(word: &str) -> Option<f64> {
    const WORDS: [&str; 13] = [
        "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
        "ninth", "tenth", "eleventh", "twelfth",
    ];
    if let Some(n) = WORDS.iter().position(|w| *w == word) {
        return Some(n as f64);
    }
    let base = word.strip_suffix("th")?;
    base.strip_suffix("ie").map_or_else(|| small_word(base), |tens| tens_word(&format!("{tens}y")))
}

fn fraction_word(word: &str) -> Option<f64> {
    Some(match word.trim_end_matches('s') {
        "half" | "halve" => 2.0,
        "third" => 3.0,
        "quarter" | "fourth" => 4.0,
        "fifth" => 5.0,
        "sixth" => 6.0,
        "eighth" => 8.0,
        "tenth" => 10.0,
        _ => return None,
    })
}

/// "thousand", "million", "bn".
fn scale_word(word: &str, figure: bool) -> Option<f64> {
    Some(match word {
        "hundred" | "hundreds" => 1e2,
        "thousand" | "thousands" => 1e3,
        "million" | "millions" | "mn" | "mio" => 1e6,
        "billion" | "billions" | "bn" => 1e9,
        "trillion" | "trillions" | "tn" => 1e12,
        "dozen" | "dozens" => 12.0,
        "k" if figure => 1e3,
        _ => return None,
    })
}

/// One number in words without scales: "twelve", "twenty-five".
fn plain_word(word: &str) -> Option<f64> {
    if let Some(value) = small_word(word).or_else(|| tens_word(word)) {
        return Some(value);
    }
    let (tens, ones) = word.split_once('-')?;
    Some(tens_word(tens)? + small_word(ones).filter(|n| (1.0..10.0).contains(n))?)
}

/// Figures with what sticks to them: "1,200", "21.4m", "3rd", "50mg", "3-year".
struct Figures<'a> {
    value: f64,
    grain: f64,
    tail: &'a str,
}

fn figures(text: &str) -> Option<Figures<'_>> {
    let end = text
        .char_indices()
        .find(|(_, c)| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .map_or(text.len(), |(at, _)| at);
    let digits: String = text[..end].chars().filter(|c| *c != ',').collect();
    if digits.len() > 18 {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    let grain = match digits.split_once('.') {
        Some((_, decimals)) => 0.5 * 10_f64.powi(-i32::try_from(decimals.len()).unwrap_or(18)),
        None => 0.0,
    };
    Some(Figures { value, grain, tail: text[end..].trim_start_matches('-') })
}

/// A number at a token, without its surroundings.
struct Core {
    value: f64,
    grain: f64,
    next: usize,
    unit: Option<Unit>,
    ordinal: bool,
    figure: bool,
    head_inside: bool,
}

fn core(tokens: &[Token], at: usize) -> Option<Core> {
    let token = tokens.get(at)?;
    let lower = token.lower.as_str();
    let word_at = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let mut found = if lower.starts_with(|c: char| c.is_ascii_digit()) {
        let figures = figures(lower)?;
        let mut core = Core {
            value: figures.value,
            grain: figures.grain,
            next: at + 1,
            unit: None,
            ordinal: false,
            figure: true,
            head_inside: false,
        };
        let tail = figures.tail;
        match tail {
            "" => {}
            "st" | "nd" | "rd" | "th" => core.ordinal = true,
            "m" => core.value *= 1e6,
            "b" => core.value *= 1e9,
            _ if scale_word(tail, true).is_some() => {
                let scale = scale_word(tail, true).unwrap_or(1.0);
                core.value *= scale;
                core.grain *= scale;
            }
            _ => {
                // "50mg", "3-year", "10-year-old"; anything else is a name of a thing ("3D", "4x4")
                let first = tail.split('-').next().unwrap_or(tail);
                core.unit = unit(first, true);
                core.head_inside = core.unit.is_none();
                if core.unit.is_none() && !token.lower.contains('-') {
                    return None;
                }
            }
        }
        core
    } else {
        words(tokens, at)?
    };
    // A written figure may be followed by a scale: "21.4 million", "5 hundred thousand".
    while !found.ordinal
        && found.unit.is_none()
        && let Some(scale) = scale_word(word_at(found.next), found.figure)
    {
        found.grain = if found.grain > 0.0 { found.grain * scale } else { 0.0 };
        if found.figure && found.grain == 0.0 && scale > 12.0 {
            found.grain = 0.5 * scale;
        }
        found.value *= scale;
        found.next += 1;
    }
    Some(found)
}

/// Numbers in words: "twelve", "a dozen", "half", "two thirds", "twenty five", "one hundred and two".
fn words(tokens: &[Token], at: usize) -> Option<Core> {
    let word_at = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let lower = word_at(at);
    let mut core = Core {
        value: 0.0,
        grain: 0.0,
        next: at + 1,
        unit: None,
        ordinal: false,
        figure: false,
        head_inside: false,
    };
    if let Some((numerator, part)) = lower.split_once('-')
        && let (Some(n), Some(d)) = (plain_word(numerator), fraction_word(part))
    {
        core.value = 100.0 * n / d;
        core.unit = unit("%", true);
        core.grain = 1.0;
        return Some(core);
    }
    if matches!(lower, "twice" | "thrice") {
        core.value = if lower == "twice" { 2.0 } else { 3.0 };
        core.unit = unit("times", true);
        return Some(core);
    }
    let article = matches!(lower, "a" | "an")
        && matches!(word_at(at + 1), "hundred" | "thousand" | "million" | "billion" | "dozen");
    if article || plain_word(lower).is_some() {
        let (value, next) = spelled(tokens, if article { at + 1 } else { at });
        core.value = value;
        core.next = next;
        if let Some(d) = fraction_word(word_at(next)).filter(|_| value < HIGHEST_NUMERATOR) {
            let plural = word_at(next).ends_with('s');
            if plural == (value > 1.0) {
                core.value = 100.0 * value / d;
                core.unit = unit("%", true);
                core.grain = 1.0;
                core.next += 1;
            }
        }
        return Some(core);
    }
    if lower == "half" && matches!(word_at(at + 1), "of" | "the" | "its" | "their" | "all" | "a") {
        core.value = 50.0;
        core.unit = unit("%", true);
        core.grain = 1.0;
        return Some(core);
    }
    if matches!(lower, "a" | "an") {
        let next = word_at(at + 1);
        if matches!(next, "third" | "quarter") && word_at(at + 2) == "of" {
            core.value = 100.0 / fraction_word(next)?;
            core.unit = unit("%", true);
            core.grain = 1.0;
            core.next = at + 2;
            return Some(core);
        }
        return None;
    }
    if let Some((first, second)) = lower.split_once('-')
        && let Some(value) = plain_word(first)
    {
        // "three-year", "two-storey"
        core.value = value;
        core.unit = unit(second.split('-').next().unwrap_or(second), false);
        core.head_inside = core.unit.is_none();
        return Some(core);
    }
    let value = ordinal_word(lower)?;
    core.value = value;
    core.ordinal = true;
    Some(core)
}

/// From here on, "twenty quarters" is no fraction.
const HIGHEST_NUMERATOR: f64 = 20.0;

/// A number in words from a token on, older forms included ("sixty and five", "an hundred and thirty"): its value
/// and the token after it.
fn spelled(tokens: &[Token], at: usize) -> (f64, usize) {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let (mut total, mut part, mut i) = (0.0_f64, 0.0_f64, at);
    // Only smaller parts may follow: "twenty five", not "five twenty".
    let mut room = f64::INFINITY;
    loop {
        let joined = i > at && word(i) == "and";
        let here = if joined { i + 1 } else { i };
        let lower = word(here);
        let score = match lower {
            "threescore" => Some((60.0, 20.0)),
            "fourscore" => Some((80.0, 20.0)),
            _ => {
                plain_word(lower).map(|n| (n, if tens_word(lower).is_some() { 10.0 } else { 1.0 }))
            }
        };
        if let Some((value, left)) = score {
            if value >= room {
                break;
            }
            part += value;
            room = left;
        } else if joined {
            break;
        } else if lower == "hundred" {
            part = part.max(1.0) * 100.0;
            room = 100.0;
        } else if let Some(scale) =
            scale_word(lower, false).filter(|s| *s >= 1e3 && !lower.ends_with('s'))
        {
            total += part.max(1.0) * scale;
            part = 0.0;
            room = scale;
        } else if matches!(lower, "dozen" | "hundreds") {
            part = part.max(1.0) * if lower == "dozen" { 12.0 } else { 100.0 };
            room = 1.0;
        } else {
            break;
        }
        i = here + 1;
    }
    (total + part, i)
}

fn currency(token: &Token) -> Option<Unit> {
    unit(&token.lower, true).filter(|u| matches!(u.dimension, Dimension::Money(_)))
}

/// The bound that the words before a number set, and where they begin.
fn bound(tokens: &[Token], at: usize) -> (Bound, usize) {
    let before = |n: usize| at.checked_sub(n).map_or("", |i| tokens[i].lower.as_str());
    let (one, two) = (before(1), before(2));
    let here = |bound, n: usize| (bound, at - n);
    match one {
        "about" | "around" | "approximately" | "roughly" | "circa" | "some" | "approx" | "~"
        | "≈" | "estimated" | "ca" => here(Bound::About, 1),
        "over" | "above" | "exceeding" | "exceeded" | "exceeds" | ">" | "≥" | "beyond"
        | "minimum" => here(Bound::AtLeast, 1),
        "under" | "below" | "nearly" | "almost" | "<" | "≤" | "maximum" => here(Bound::AtMost, 1),
        "than" => match two {
            "more" | "greater" | "higher" | "larger" | "longer" | "older" => {
                here(Bound::AtLeast, 2)
            }
            "less" | "fewer" | "lower" | "smaller" | "shorter" | "younger" => {
                here(Bound::AtMost, 2)
            }
            _ => (Bound::Exact, at),
        },
        "least" if two == "at" => here(Bound::AtLeast, 2),
        "most" if two == "at" => here(Bound::AtMost, 2),
        "to" if matches!(two, "up" | "close") => here(Bound::AtMost, 2),
        _ => (Bound::Exact, at),
    }
}

/// All numbers of a text but those in `taken` (dates), in order. Linear in the tokens.
pub(super) fn quantities(tokens: &[Token], taken: &dyn Fn(usize) -> bool) -> Vec<Quantity> {
    let mut out: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if taken(at) {
            at += 1;
            continue;
        }
        let Some(found) = core(tokens, at).filter(|c| c.value.is_finite()) else {
            at += 1;
            continue;
        };
        let word_at = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
        let mut unit_found = found.unit;
        let mut next = found.next;
        let mut start = at;
        // "USD 5", "$5"
        if let Some(money) = at.checked_sub(1).and_then(|i| currency(&tokens[i])) {
            unit_found = unit_found.or(Some(money));
            start = at - 1;
        }
        let (mut bound, start) = bound(tokens, start);
        // "5-10 %", "5 to 10 km", "between 5 and 10"
        let joins = match word_at(next) {
            "-" | "–" | "—" | "to" => true,
            "and" => matches!(at.checked_sub(1).map(word_at), Some("between")),
            _ => false,
        };
        let mut high = found.value;
        let mut low = found.value;
        let mut grain = found.grain;
        if joins
            && !found.ordinal
            && unit_found.is_none_or(|u| matches!(u.dimension, Dimension::Money(_)))
        {
            let skip = usize::from(tokens.get(next + 1).is_some_and(|t| currency(t).is_some()));
            if !taken(next + 1 + skip)
                && let Some(end) = core(tokens, next + 1 + skip)
                && !end.ordinal
                && end.figure == found.figure
                && end.value > found.value
            {
                // "5 to 10 million": the scale belongs to both.
                let scaled = end.next > next + 2 + skip && end.value > 1e3 * found.value;
                if scaled {
                    let scale =
                        tokens.get(next + 2 + skip).and_then(|t| scale_word(&t.lower, true));
                    low *= scale.unwrap_or(1.0);
                }
                high = end.value;
                grain = grain.max(end.grain);
                unit_found = unit_found.or(end.unit);
                next = end.next;
            }
        }
        if unit_found.is_none() && !found.ordinal {
            if let Some((u, after)) = unit_after(tokens, next, found.figure) {
                unit_found = Some(u);
                next = after;
            }
        } else if unit_found.is_some_and(|u| matches!(u.dimension, Dimension::Money(_)))
            && tokens.get(next).is_some_and(|t| currency(t).is_some())
        {
            next += 1;
        }
        if matches!(word_at(next), "or")
            && matches!(word_at(next + 1), "more" | "less" | "fewer" | "older" | "younger")
        {
            bound = if matches!(word_at(next + 1), "more" | "older") {
                Bound::AtLeast
            } else {
                Bound::AtMost
            };
        }
        let head =
            if unit_found.is_some() || found.head_inside { None } else { head(tokens, next) };
        out.push(Quantity {
            tokens: start..next,
            at,
            low,
            high,
            bound,
            grain,
            unit: unit_found,
            ordinal: found.ordinal,
            figure: found.figure,
            head,
        });
        at = next.max(at + 1);
    }
    out
}

/// The unit after a number: "km", "per cent", "percentage points", "° C", "km/h".
fn unit_after(tokens: &[Token], at: usize, figure: bool) -> Option<(Unit, usize)> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    match word(at) {
        "per" if word(at + 1) == "cent" => return Some((unit("%", true)?, at + 2)),
        "%" | "percent" | "percentage" if matches!(word(at + 1), "point" | "points") => {
            return Some((unit("pp", true)?, at + 2));
        }
        "°" | "º" | "degree" | "degrees" => {
            return match unit(word(at + 1), true) {
                Some(u) if matches!(u.dimension, Dimension::Temperature(_)) => Some((u, at + 2)),
                _ => None,
            };
        }
        "us" | "u.s" | "american" if matches!(word(at + 1), "dollar" | "dollars" | "$") => {
            return Some((unit("$", true)?, at + 2));
        }
        "square" | "sq" | "cubic" => return None,
        "-" if matches!(
            word(at + 1),
            "fold" | "year" | "month" | "day" | "week" | "hour" | "minute"
        ) =>
        {
            return Some((unit(word(at + 1), true)?, at + 2));
        }
        _ => {}
    }
    // Capital letters alone are names of things ("5 F"), but for temperatures behind a sign.
    let token = tokens.get(at)?;
    let single = token.text.chars().count() == 1;
    if single
        && token.is_capital()
        && !matches!(token.text.as_str(), "W" | "V" | "J" | "C" | "F" | "K")
    {
        return None;
    }
    let found = unit(token.lower.trim_end_matches('.'), figure)?;
    if word(at + 1) == "/" && word(at + 2) == "h" && found.dimension == Dimension::Length {
        return Some((Unit { dimension: Dimension::Speed, factor: found.factor / 1e3 }, at + 3));
    }
    Some((found, at + 1))
}

/// The noun that a number counts: the last of the first run of nouns within a few tokens.
fn head(tokens: &[Token], from: usize) -> Option<usize> {
    let mut found = None;
    for (i, token) in tokens.iter().enumerate().skip(from).take(5) {
        match token.pos {
            Pos::Noun | Pos::ProperNoun => found = Some(i),
            Pos::Adjective | Pos::Numeral if found.is_none() => {}
            Pos::Preposition if token.lower == "of" && found.is_none() => {}
            Pos::Determiner if found.is_none() => {}
            Pos::Verb if found.is_none() && token.lower.ends_with("ing") => {}
            _ => break,
        }
    }
    found
}

/// How two numbers of comparable units stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The evidence bears the claim's number out.
    Holds,
    /// Another number.
    Differs,
}

/// Whether the evidence's number bears the claim's out. Both have comparable units or none.
pub(super) fn fits(claim: &Quantity, evidence: &Quantity) -> Fit {
    let factor = |q: &Quantity| q.unit.map_or(1.0, |u| u.factor);
    let money = |q: &Quantity| q.unit.is_some_and(|u| matches!(u.dimension, Dimension::Money(_)));
    let (cf, ef) = if money(claim) != money(evidence) {
        (1.0, 1.0)
    } else {
        (factor(claim), factor(evidence))
    };
    let (cl, ch) = (claim.low * cf, claim.high * cf);
    let (el, eh) = (evidence.low * ef, evidence.high * ef);
    let size = ch.abs().max(eh.abs()).max(1e-12);
    // Conversions round; and so do figures that are written shorter in the claim.
    let conversion = if (cf - ef).abs() > 1e-12 * cf { 0.02 * size } else { 0.0 };
    let grain = claim.grain * cf + conversion + 1e-9 * size;
    let near = |a: f64, b: f64, slack: f64| (a - b).abs() <= slack;
    let range = claim.low < claim.high;
    let holds = match claim.bound {
        Bound::Exact if range => {
            if evidence.low < evidence.high {
                near(cl, el, grain) && near(ch, eh, grain)
            } else {
                cl - grain <= el && el <= ch + grain
            }
        }
        Bound::Exact => match evidence.bound {
            Bound::Exact | Bound::About => {
                near(cl, el, grain) && near(ch, eh, grain)
                    || evidence.bound == Bound::About && near(cl, el, 0.02 * size)
                    || evidence.low < evidence.high && near(cl, el, grain)
                    || evidence.low < evidence.high && near(ch, eh, grain)
            }
            Bound::AtLeast | Bound::AtMost => near(cl, el, grain) && near(ch, eh, grain),
        },
        Bound::About => near(cl, el, 0.1 * size) && near(ch, eh, 0.1 * size),
        Bound::AtLeast => {
            el >= cl - grain && evidence.bound != Bound::AtMost && el <= cl * 1.5 + grain
                || near(cl, el, grain)
        }
        Bound::AtMost => {
            eh <= ch + grain && evidence.bound != Bound::AtLeast && eh >= ch * 0.5 - grain
                || near(ch, eh, grain)
        }
    };
    if holds { Fit::Holds } else { Fit::Differs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::tokens::tokens;

    fn all(text: &str) -> Vec<Quantity> {
        quantities(&tokens(text), &|_| false)
    }

    fn holds(claim: &str, evidence: &str) -> bool {
        let (c, e) = (all(claim), all(evidence));
        assert!(!c.is_empty() && !e.is_empty(), "{claim:?} {c:?} | {evidence:?} {e:?}");
        let (c, e) = (&c[0], &e[0]);
        let units = match (c.unit, e.unit) {
            (Some(a), Some(b)) => a.comparable(b),
            (None, None) => true,
            _ => false,
        };
        units && fits(c, e) == Fit::Holds
    }

    #[test]
    fn one_amount_in_many_spellings() {
        for other in ["21.4 million dollars", "USD 21,400,000", "$ 21.4 million", "US $21.4m"] {
            assert!(holds("$21.4M", other), "{other}");
        }
        assert!(!holds("$21.4M", "$21.4 billion"));
        assert!(!holds("$21.4M", "€21.4M"));
        assert!(holds("5 km", "5,000 metres"));
        assert!(!holds("5 km", "5 miles"));
        assert!(holds("10 miles", "16.1 km"));
    }

    #[test]
    fn bounds_and_ranges() {
        assert!(holds("about 50 people", "49.6 people"));
        assert!(holds("over 100 people", "120 people"));
        assert!(!holds("over 100 people", "90 people"));
        assert!(holds("up to 100 people", "90 people"));
        assert!(holds("between 5 and 10 people", "7 people"));
        assert!(!holds("5 to 10 people", "12 people"));
        assert!(!holds("50 people", "51 people"));
    }

    #[test]
    fn words_are_numbers() {
        assert!(holds("twelve robots", "12 robots"));
        assert!(holds("a dozen robots", "12 robots"));
        assert!(holds("twenty-five robots", "25 robots"));
        assert!(holds("half of the robots", "50 % of the robots"));
        assert!(holds("two-thirds of robots", "66.7 percent of robots"));
        assert!(holds("two thirds of robots", "67 percent of robots"));
        assert!(holds("one hundred and two robots", "102 robots"));
        assert!(holds("the third robot", "the 3rd robot"));
        assert!(!holds("5 percentage points", "5 percent"));
        assert!(holds("3-year contract", "contract of three years"));
    }

    #[test]
    fn nothing_in_letters_is_a_number() {
        assert!(all("VLX-500 and COVID-19 are names, B12 too").is_empty());
    }
}
