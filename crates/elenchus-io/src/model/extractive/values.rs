//! Values in a unit of text: money, shares, measures, durations, counts, dates and names, with their place.

use super::lexicon::is_organisation_word;
use super::periods::{days, periods};
use super::spans::put_together;
use elenchus_core::text::{is_stop_word, words};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValueKind {
    Money,
    Percent,
    Duration,
    Measure,
    Date,
    Count,
    Person,
    Name,
}

/// A value and the bytes that state it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) range: Range<usize>,
    pub(crate) kind: ValueKind,
    /// The number, for numeric kinds (money in units, percent as written).
    pub(crate) number: Option<f64>,
}

const UNITS: &str = "kilomet(?:re|er)s?|centimet(?:re|er)s?|millimet(?:re|er)s?|kilograms?|grams?|megawatt-hours?|megawatts?|kilowatt-hours?|kilowatts?|gigawatts?|watts?|volts?|amps?|nautical miles?|square (?:met(?:re|er)s|feet|kilomet(?:re|er)s|miles)|cubic met(?:re|er)s|decibels?|acres?|gallons?|barrels?|kg|g|t|tonnes?|tons?|lbs?|km|m/s|km/h|mph|knots?|kn|metres?|meters?|cm|mm|m|miles?|feet|ft|inch(?:es)?|sqm|hectares?|ha|litres?|liters?|l|GB|TB|MB|kB|GWh|MWh|kWh|GW|MW|kW|W|kV|V|kA|A|GHz|MHz|Hz|dB|°C|°F|degrees|bar|psi|rpm|px|nodes?-hours?";
/// Units of a flow or a share of one thing in another ("m³/h", "mg/l"), and areas and volumes.
const COMPOUND: &str = "(?:m[l³3²2]?|k?l|[kmµ]?g|t|k?m|[kM]?B|kWh|J|litres?|tonnes?)/(?:h|s|min|hour|minute|second|day|d|year|m[²2³3]|l|ml|kg|g|km|ha)|[ckmd]?m[²³]|ml|cl|dl|mg|µg|kVA|MVA|VA|dB\\(A\\)|lux|lm|ppm|ppb";
const DURATIONS: &str = "milliseconds?|microseconds?|nanoseconds?|ms|fortnights?|decades?|centuries|century|hours?|hrs?|h|minutes?|mins?|min|seconds?|secs?|days?|nights?|weeks?|months?|quarters?|years?|working days?|business days?|node-hours?";
/// Numbers in words up to the thousands: "forty", "sixty-five", "nine hundred and sixty-nine".
const SPELLED: &str = r"(?:(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?)[\s-](?:hundred|thousand)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety))(?:(?:[\s-]|\sand\s)(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)\b)*|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)";
const NUMBER_WORDS: [&str; 21] = [
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
    "twenty",
];

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant that a test compiles")
}

static MONEY: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?x)
        (?: (?:US|CA|A|NZ)?[$€£¥] \s? | \b(?:USD|EUR|GBP|JPY|CHF|NOK|SEK|DKK|CAD|AUD|INR|CNY)\s? )
        (?P<n>\d[\d,]*(?:\.\d+)?) (?: \s?[-–]\s?[$€£]?\d[\d,]*(?:\.\d+)? )?
        (?: \s?(?P<s>million|billion|thousand|trillion|bn|[MBkKm])\b )?
        | \b(?P<n2>\d[\d,]*(?:\.\d+)?) \s? (?P<s2>million\s|billion\s|thousand\s)? (?:(?:US|Canadian|Australian|Swiss)\s)?(?:dollars|euros?|pounds|yen|kroner|kronor|crowns|francs|rupees|ro?ubles|yuan|renminbi|won|pesos|rand|zloty|forints?|dirhams|dinars|liras?|lire|marks|guilders|florins|shekels|reais|denarii)\b",
    )
});
static PERCENT: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"[+\-−]?(?P<n>\d[\d,]*(?:\.\d+)?)(?:\s?[-–]\s?\d+(?:\.\d+)?)?\s?(?:%|percent\b|per cent\b|percentage points\b)",
    )
});
static DURATION: LazyLock<Regex> = LazyLock::new(|| {
    compile(&format!(
        r"(?i)\b(?:(?P<n>\d[\d,]*(?:\.\d+)?)(?:\s?(?:[-–]|to)\s?\d+)?[\s-]?|(?P<w>{SPELLED})(?P<part>\sand\sa\s(?:half|quarter))?[\s-])(?:more\s|consecutive\s|working\s|business\s|full\s|calendar\s|statutory\s|additional\s)*(?:{DURATIONS})\b"
    ))
});
/// "Kept for a week", "within an hour", "takes half a day": what lasts once. "Twice a week" and "an hour a day" are rates, so a word that
/// leads to a span of time has to stand before.
static ONE_SPAN: LazyLock<Regex> = LazyLock::new(|| {
    compile(&format!(
        r"(?i)\b(?:for|within|after|lasts?|lasted|takes?|took|least|most|about|around|nearly|almost|than|of|until)\s(?P<span>(?:half\s)?an?\s(?:whole\s|full\s|single\s|working\s|business\s|calendar\s)?(?:{DURATIONS}))\b"
    ))
});
static MEASURE: LazyLock<Regex> = LazyLock::new(|| {
    compile(&format!(
        r#"[-−]?\b(?P<n>\d[\d,]*(?:\.\d+)?)\s?(?:(?:{COMPOUND}|{UNITS})(?:\b|$|\s|[).,;|])|["″]|°)"#
    ))
});
/// "01632 960 455", "+44 1632 960455".
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"(?:\+\d{1,3}[ \u{a0}-]?(?:\(0\))?|\b0)\d{1,4}(?:[ \u{a0}/-]?\d{2,4}){2,4}\b")
});
static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b\d{1,2}:\d{2}(?:\s?[-–]\s?\d{1,2}:\d{2})?(?:\s?(?:am|pm|AM|PM|CET|CEST|EST|EDT|GMT|UTC|BST|JST|PST))?\b",
    )
});
/// "Until noon on the following day".
static NOON: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:noon|midday|midnight)\b(?:\son\sthe\s(?:following|next|same|previous|last)\s(?:working\s|business\s)?(?:day|\w+day))?",
    )
});
/// "At 8.00", "from 9.00 to 17.30", "between 11.00 and 15.00": a figure with a full stop that stands where a time of day does.
static DOTTED_CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?ix)\b (?: (?:at|until|till|between) \s (?P<a>\d{1,2}\.[0-5][05](?:\s?[ap]m)?)
        | (?:from|by|before|after) \s (?P<b>\d{1,2}\.(?:00|15|30|45)(?:\s?[ap]m)?) )
        (?: \s?(?:-|–|\band\b|\bto\b|\bor\b|\buntil\b|\btill\b)\s?
            (?P<c>\d{1,2}\.[0-5][05](?:\s?[ap]m)?) )? \b",
    )
});
static DOTTED: LazyLock<Regex> = LazyLock::new(|| compile(r"\d+(?:\.\d+)+"));
static COUNT: LazyLock<Regex> = LazyLock::new(|| {
    compile(&format!(
        r"(?i)\b(?P<n>\d[\d,]*(?:\.\d+)?(?:\s?(?:million|billion|thousand))?|{SPELLED})\b"
    ))
});
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b\p{Lu}[\p{L}\p{N}+'’\-]*(?:(?:\s(?:of|de|van|von|der|den|la|le|du|al|bin|the|and|&)){0,2}\s?\s(?:\p{Lu}|\d)[\p{L}\p{N}+'’\-]*\+?|\s?[&+]\s?\p{Lu}[\p{L}\p{N}]*)*\+?",
    )
});

fn number(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    if lower.chars().next().is_some_and(char::is_alphabetic) {
        return spelled(&lower);
    }
    let mut parts = lower.split_whitespace();
    let base: f64 = parts.next()?.replace(',', "").parse().ok()?;
    Some(base * scale(parts.next().unwrap_or("")))
}

/// Whether a text is a telephone number.
pub(super) fn is_phone(text: &str) -> bool {
    PHONE.find(text).is_some_and(|found| found.range() == (0..text.len()))
}

/// What "and a half" and "and a quarter" add.
fn fraction(text: &str) -> f64 {
    if text.to_lowercase().ends_with("half") { 0.5 } else { 0.25 }
}

/// The number that words state; `None` for other words.
fn spelled(lower: &str) -> Option<f64> {
    const TENS: [&str; 8] =
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let (mut total, mut part) = (0.0, 0.0);
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if let Some(at) = NUMBER_WORDS.iter().position(|known| *known == word) {
            part += at as f64;
        } else if let Some(at) = TENS.iter().position(|known| *known == word) {
            part += 20.0 + 10.0 * at as f64;
        } else {
            match word {
                "a" | "an" => part += 1.0,
                "hundred" => part *= 100.0,
                "thousand" => {
                    total += part * 1000.0;
                    part = 0.0;
                }
                "and" => {}
                _ => return None,
            }
        }
    }
    Some(total + part)
}

fn scale(suffix: &str) -> f64 {
    match suffix.trim() {
        "k" | "K" | "thousand" => 1e3,
        "M" | "m" | "million" => 1e6,
        "B" | "bn" | "billion" => 1e9,
        "trillion" => 1e12,
        _ => 1.0,
    }
}

/// Short forms of titles, which a full stop follows: the name goes on behind it.
const TITLES: [&str; 14] = [
    "Prof", "Dr", "Mr", "Mrs", "Ms", "Rev", "Fr", "Hon", "Capt", "Col", "Gen", "Lt", "Sgt", "Cllr",
];

/// "Prof. Ada Lund" is one name.
fn join_titles(text: &str, values: &mut Vec<Value>) {
    for at in (1..values.len()).rev() {
        let (title, name) = (&values[at - 1], &values[at]);
        let is_title = text.get(title.range.clone()).is_some_and(|own| TITLES.contains(&own));
        let follows = text.get(title.range.end..name.range.start).is_some_and(|gap| gap == ". ");
        let named = matches!(name.kind, ValueKind::Name | ValueKind::Person);
        if is_title && follows && named {
            let range = title.range.start..name.range.end;
            values[at] = Value { range, kind: ValueKind::Person, number: None };
            values.remove(at - 1);
        }
    }
}

/// All values of a text in order of place; of two that overlap the more specific kind is kept.
pub(crate) fn values(text: &str) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    let mut add = |range: Range<usize>, kind: ValueKind, number: Option<f64>| {
        let range = trimmed(text, range);
        if !range.is_empty()
            && !out.iter().any(|v| v.range.start < range.end && range.start < v.range.end)
        {
            out.push(Value { range, kind, number });
        }
    };
    for found in PHONE.find_iter(text) {
        add(found.range(), ValueKind::Count, None);
    }
    for found in MONEY.captures_iter(text) {
        let whole = found.get(0).expect("group 0 always matches");
        let n = found.name("n").or_else(|| found.name("n2"));
        let s = found.name("s").or_else(|| found.name("s2"));
        let value =
            n.and_then(|n| number(n.as_str())).map(|n| n * scale(s.map_or("", |s| s.as_str())));
        add(whole.range(), ValueKind::Money, value);
    }
    for found in PERCENT.captures_iter(text) {
        let whole = found.get(0).expect("group 0 always matches");
        add(whole.range(), ValueKind::Percent, found.name("n").and_then(|n| number(n.as_str())));
    }
    for found in CLOCK.find_iter(text) {
        add(found.range(), ValueKind::Date, None);
    }
    for found in NOON.find_iter(text) {
        add(found.range(), ValueKind::Date, None);
    }
    for period in periods(text) {
        add(period.range, ValueKind::Date, None);
    }
    for day in days(text) {
        add(day, ValueKind::Date, None);
    }
    let spans = DURATION.captures_iter(text).map(|found| {
        let whole = found.get(0).expect("group 0 always matches");
        let n = found.name("n").or_else(|| found.name("w"));
        let part = found.name("part").map_or(0.0, |part| fraction(part.as_str()));
        (whole.range(), n.and_then(|n| number(n.as_str())).map(|n| n + part))
    });
    for (whole, number) in put_together(text, spans.collect()) {
        add(whole, ValueKind::Duration, number);
    }
    for found in ONE_SPAN.captures_iter(text) {
        let span = found.name("span").expect("the pattern has it");
        let first = span.as_str().split_whitespace().next().unwrap_or_default().to_lowercase();
        add(span.range(), ValueKind::Duration, Some(if first == "half" { 0.5 } else { 1.0 }));
    }
    for found in MEASURE.captures_iter(text) {
        let whole = found.get(0).expect("group 0 always matches");
        add(whole.range(), ValueKind::Measure, found.name("n").and_then(|n| number(n.as_str())));
    }
    for at in dotted_clocks(text) {
        add(at, ValueKind::Date, None);
    }
    for found in NAME.find_iter(text) {
        // "Two" at the start of a sentence is a number.
        if spelled(&found.as_str().to_lowercase()).is_some() {
            continue;
        }
        let range = name_itself(text, found.range());
        let kind =
            if is_person(&text[range.clone()]) { ValueKind::Person } else { ValueKind::Name };
        add(range, kind, None);
    }
    for found in COUNT.captures_iter(text) {
        let whole = found.get(0).expect("group 0 always matches");
        // Part of a name, a version or a setting ("VLX-500", "v4.7.2", "#1B4FD8", "BLESS=1") is no count.
        let before = text[..whole.start()].chars().next_back();
        let after = text[whole.end()..].chars().next();
        let second = text[whole.end()..].chars().nth(1);
        let glued = matches!(before, Some('-' | '.' | '#' | '/' | '_' | '='))
            && !text[..whole.start()].ends_with(" -")
            && whole.as_str().chars().next().is_some_and(|c| c.is_ascii_digit());
        // "one-third" and "three-fold" count nothing.
        let fraction = after == Some('-')
            && second.is_some_and(char::is_alphabetic)
            && whole.as_str().chars().all(|c| !c.is_ascii_digit());
        let continued = fraction
            || matches!(after, Some('.' | '/' | '_' | ':'))
                && second.is_some_and(char::is_alphanumeric);
        if !glued && !continued {
            add(whole.range(), ValueKind::Count, found.name("n").and_then(|n| number(n.as_str())));
        }
    }
    out.sort_by_key(|value| value.range.start);
    join_titles(text, &mut out);
    share_currency(text, &mut out);
    begin_with_the_lower(text, &mut out);
    out
}

/// "880 to 910 million euros" and "between 4 and 6 tonnes" are one value from the lower figure on; "from 640 to 715 euros" are two, of
/// before and after.
fn begin_with_the_lower(text: &str, values: &mut Vec<Value>) {
    static LOWER: LazyLock<Regex> = LazyLock::new(|| {
        compile(
            r"(?x)(?: \b[Bb]etween\s (?P<a>\d[\d,]*(?:\.\d+)?) (?:\s(?:thousand|million|billion))? \sand\s
            | (?P<b>\d[\d,]*(?:\.\d+)?) (?:\s?[-\u{2013}]\s?|\sto\s) ) $",
        )
    });
    let counts = |kind| {
        matches!(
            kind,
            ValueKind::Money | ValueKind::Percent | ValueKind::Measure | ValueKind::Count
        )
    };
    let mut longer = Vec::new();
    for (at, value) in values.iter().enumerate().filter(|(_, value)| counts(value.kind)) {
        let before = &text[..value.range.start];
        let Some(found) = LOWER.captures(before) else { continue };
        let Some(lower) = found.name("a").or_else(|| found.name("b")) else { continue };
        let led = before[..lower.start()].trim_end().to_lowercase();
        let changes = ["from", "up", "down"].iter().any(|lead| led.ends_with(lead));
        let part = before[..lower.start()]
            .ends_with(|c: char| c.is_alphanumeric() || "-./,$\u{20ac}\u{a3}\u{a5}".contains(c));
        let less = |of: &str| number(of).zip(value.number).is_none_or(|(low, high)| low < high);
        if !(changes || part) && less(lower.as_str()) {
            longer.push((at, lower.start()));
        }
    }
    for (at, start) in longer.into_iter().rev() {
        values[at].range.start = start;
        let whole = values[at].range.clone();
        values.retain(|other| {
            let inside = whole.start <= other.range.start && other.range.end <= whole.end;
            other.range == whole || !inside
        });
    }
}

/// "From €40 to 45": the second figure is a sum of money as the first one is. "To 45 members" counts something.
fn share_currency(text: &str, values: &mut [Value]) {
    for at in 1..values.len() {
        let (first, second) = (&values[at - 1], &values[at]);
        let between = text.get(first.range.end..second.range.start).unwrap_or_default();
        let before = text.get(..first.range.start).unwrap_or_default().to_lowercase();
        let digits = text.get(second.range.clone()).unwrap_or_default();
        let behind = text.get(second.range.end..).unwrap_or_default();
        let noun = behind.trim_start_matches(' ').starts_with(char::is_alphabetic)
            && words(behind).first().is_some_and(|next| !is_stop_word(next));
        if (first.kind, second.kind) == (ValueKind::Money, ValueKind::Count)
            && between.trim() == "to"
            && before.trim_end().ends_with("from")
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && !noun
        {
            values[at].kind = ValueKind::Money;
        }
    }
}

/// Times of day that are written with a full stop. Nothing where another figure of the text has a fraction that no time has: then
/// they are figures, too ("between 7.20 and 7.65").
fn dotted_clocks(text: &str) -> Vec<Range<usize>> {
    let is_price = |at: usize| text[..at].trim_end().ends_with(['$', '€', '£', '¥']);
    let mut figures = DOTTED.find_iter(text).filter(|found| !is_price(found.start()));
    if !figures.all(|found| is_dotted_clock(found.as_str())) {
        return Vec::new();
    }
    let found = DOTTED_CLOCK.captures_iter(text);
    let times = found
        .flat_map(|found| ["a", "b", "c"].map(|name| found.name(name).map(|time| time.range())));
    times.flatten().collect()
}

/// Whether a text is a time of day that is written with a full stop: hours up to 24, minutes in fives.
pub(super) fn is_dotted_clock(text: &str) -> bool {
    let halves = ["am", "pm", "AM", "PM"];
    let half = halves.iter().find_map(|half| text.strip_suffix(half));
    let figure = |text: &str| text.parse::<u8>().ok().filter(|_| text.len() <= 2);
    half.unwrap_or(text).trim_end().split_once('.').is_some_and(|(hours, minutes)| {
        figure(hours).is_some_and(|hours| hours <= 24)
            && minutes.len() == 2
            && figure(minutes).is_some_and(|minutes| minutes < 60 && minutes % 5 == 0)
    })
}

/// Words before a figure that say how exact it is.
const ABOUT: [&str; 15] = [
    "about",
    "around",
    "some",
    "nearly",
    "almost",
    "over",
    "under",
    "only",
    "just",
    "exactly",
    "roughly",
    "approximately",
    "circa",
    "another",
    "fully",
];

/// A name without the word that only begins the sentence ("Then Judas") and without an "I" that begins the next clause.
fn name_itself(text: &str, range: Range<usize>) -> Range<usize> {
    const OPENERS: [&str; 24] = [
        "then",
        "though",
        "and",
        "but",
        "for",
        "when",
        "now",
        "so",
        "thus",
        "yet",
        "as",
        "in",
        "on",
        "if",
        "because",
        "after",
        "before",
        "while",
        "since",
        "also",
        "therefore",
        "again",
        "at",
        "by",
    ];
    let piece = &text[range.clone()];
    // "About 400 Tern boats": the figure is no part of a name.
    if let Some((first, rest)) = piece.split_once(' ')
        && ABOUT.contains(&first.to_lowercase().as_str())
        && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        let name = rest.split_once(' ').map_or("", |(_, name)| name);
        let capital = name.starts_with(char::is_uppercase);
        return if capital { range.end - name.len()..range.end } else { range.end..range.end };
    }
    let mut start = range.start;
    if let Some((first, rest)) = piece.split_once(' ')
        && OPENERS.contains(&first.to_lowercase().as_str())
        && rest.chars().next().is_some_and(char::is_uppercase)
    {
        start += first.len() + 1;
    } else if let Some((first, rest)) = piece.split_once(" the ")
        && OPENERS.contains(&first.to_lowercase().as_str())
    {
        start += piece.len() - rest.len();
    }
    let mut end = range.end;
    if text[start..end].ends_with(" I")
        && text[end..]
            .strip_prefix(' ')
            .is_some_and(|next| next.chars().next().is_some_and(char::is_lowercase))
    {
        end -= 2;
    }
    end -= counting(text, &(start..end)).unwrap_or(0);
    start..end
}

/// What is told apart by a number behind it, and in places by nothing else: "in East Block 4 pipes leak".
const BY_NUMBER: [&str; 35] = [
    "block", "building", "phase", "unit", "floor", "level", "stage", "terminal", "zone", "area",
    "part", "type", "class", "grade", "model", "version", "number", "no", "line", "route", "bus",
    "gate", "pier", "room", "flat", "platform", "ward", "chapter", "section", "article", "rule",
    "table", "figure", "bay", "berth",
];

/// Bytes of a figure at the end of a name that counts what follows: "In Heron Court 23 hall doors". Only a name of two words at
/// least, led in by a preposition and followed by a plural.
fn counting(text: &str, name: &Range<usize>) -> Option<usize> {
    let (words, figure) = text.get(name.clone())?.rsplit_once(' ')?;
    let last = words.rsplit(' ').next()?.to_lowercase();
    let lead = text.get(..name.start)?.trim_end().rsplit(' ').next()?.to_lowercase();
    let led_in = matches!(lead.as_str(), "in" | "at" | "on" | "for" | "from");
    // "In Summer Term 2024 pupils", "for Office Suite 2019 users".
    let is_year = figure.len() == 4 && (figure.starts_with("19") || figure.starts_with("20"));
    let counts = figure.chars().all(|c| c.is_ascii_digit())
        && !is_year
        && words.contains(' ')
        && words.chars().all(|c| !c.is_ascii_digit())
        && !BY_NUMBER.contains(&last.as_str());
    let behind = text.get(name.end..)?.strip_prefix(' ')?;
    let mut nouns = behind
        .split(' ')
        .take(MOST_COUNTED)
        .take_while(|word| word.chars().all(|c| c.is_lowercase() || c == '-'));
    let is_plural = |word: &str| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    (led_in && counts && nouns.any(is_plural)).then_some(figure.len() + 1)
}

/// Most words behind a figure among which stands what it counts.
const MOST_COUNTED: usize = 3;

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    let end = range.start
        + piece
            .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ')' | ',' | ';' | '|'))
            .len();
    start..end.max(start)
}

/// Two to four capitalised words without a digit, none of which stands in names of organisations or things.
pub(super) fn is_person(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    (2..=4).contains(&words.len())
        && words.iter().all(|word| {
            let lower = word.to_lowercase();
            let capital = word.chars().next().is_some_and(char::is_uppercase);
            let small = matches!(
                lower.as_str(),
                "de" | "van" | "von" | "der" | "den" | "la" | "le" | "du" | "al" | "bin"
            );
            let shout = word.chars().count() > 1 && word.chars().all(|c| !c.is_lowercase());
            (capital || small)
                && !shout
                && !word.contains('+')
                && !is_organisation_word(&lower)
                && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(ValueKind, &str)> {
        values(text).into_iter().map(|value| (value.kind, &text[value.range])).collect()
    }

    #[test]
    fn titles_belong_to_names_and_noon_is_a_time() {
        let told =
            shown("The board, chaired by Prof. Ada Lund, met until noon on the following day.");
        assert!(told.contains(&(ValueKind::Person, "Prof. Ada Lund")), "{told:?}");
        assert!(told.contains(&(ValueKind::Date, "noon on the following day")), "{told:?}");
        let apart = shown("It was told by the Prof. Later on Ada Lund came.");
        assert!(apart.contains(&(ValueKind::Person, "Ada Lund")), "{apart:?}");
    }

    #[test]
    fn a_range_is_one_value_and_a_change_is_two() {
        let told = |text: &str| -> Vec<String> {
            values(text).into_iter().map(|value| text[value.range].to_owned()).collect()
        };
        assert_eq!(told("we expect 880 to 910 million euros"), ["880 to 910 million euros"]);
        assert_eq!(told("it weighs between 4 and 6 tonnes"), ["4 and 6 tonnes"]);
        assert_eq!(told("for 12 to 16 people"), ["12 to 16"]);
        assert_eq!(told("a loss of 3 to 4 %"), ["3 to 4 %"]);
        assert_eq!(told("it rose from 640 to 715 euros").len(), 2);
        assert_eq!(told("raised from 2,150 to 2,400 euros").len(), 2);
    }

    #[test]
    fn money_and_shares() {
        assert_eq!(
            shown("at $610M post-money, EUR 900 per"),
            [(ValueKind::Money, "$610M"), (ValueKind::Money, "EUR 900")]
        );
        assert_eq!(values("$34.5M")[0].number, Some(34.5e6));
        assert_eq!(shown("61% of ARR").first(), Some(&(ValueKind::Percent, "61%")));
        assert_eq!(shown("12-20%: VP").first(), Some(&(ValueKind::Percent, "12-20%")));
    }

    #[test]
    fn the_new_sum_of_a_change_is_money_without_its_sign() {
        let money = |text: &str| -> Vec<Option<f64>> {
            let sums = values(text).into_iter().filter(|value| value.kind == ValueKind::Money);
            sums.map(|value| value.number).collect()
        };
        let both = [Some(640.0), Some(715.0)];
        assert_eq!(money("The budget rises from EUR 640 to 715, because it rained."), both);
        assert_eq!(money("It rises from £640 to 715 a year."), both);
        assert_eq!(money("It went from £640 to 715 members."), [Some(640.0)]);
        assert_eq!(money("The £640 went to 715 members."), [Some(640.0)]);
    }

    #[test]
    fn a_figure_behind_a_name_may_count_what_follows() {
        let told = shown("In Heron Court 23 hall doors have to go.");
        assert_eq!(told[0].1, "Heron Court");
        assert_eq!(told[1], (ValueKind::Count, "23"));
        assert_eq!(shown("In East Block 4 pipes leak.")[0].1, "East Block 4");
        assert_eq!(shown("In Phase 2 costs rose.")[0].1, "Phase 2");
        let name = "For Office Suite 2019".len();
        assert_eq!(counting("For Office Suite 2019 users it is new.", &(4..name)), None);
        assert_eq!(counting("For Office Suite 23 users it is new.", &(4..name - 2)), Some(3));
        assert_eq!(shown("In Heron Court 23 each day.")[0].1, "Heron Court 23");
    }

    #[test]
    fn a_span_may_have_half_a_unit_more() {
        let told = values("Two and a half hours passed.");
        assert_eq!((told[0].kind, told[0].number), (ValueKind::Duration, Some(2.5)));
        assert_eq!(told[0].range, 0.."Two and a half hours".len());
        let told = values("after three and a quarter years");
        assert_eq!((told[0].kind, told[0].number), (ValueKind::Duration, Some(3.25)));
    }

    #[test]
    fn measures_durations_counts() {
        assert_eq!(shown("up to 2,340 hours")[0], (ValueKind::Duration, "2,340 hours"));
        assert_eq!(shown("is six weeks")[0], (ValueKind::Duration, "six weeks"));
        assert_eq!(shown("kept for a week, as hashes")[0], (ValueKind::Duration, "a week"));
        assert_eq!(values("takes half an hour")[0].number, Some(0.5));
        assert!(shown("comes twice a week, an hour a day").is_empty());
        assert_eq!(shown("| 950 kg |")[0], (ValueKind::Measure, "950 kg"));
        assert_eq!(shown("down to -25°C,")[0].1, "-25°C");
        assert_eq!(shown("2.4 m/s")[0], (ValueKind::Measure, "2.4 m/s"));
        assert!(shown("firmware v4.7.2").is_empty());
        assert!(
            shown("written with BLESS=1 by a test")
                .iter()
                .all(|(kind, _)| *kind != ValueKind::Count)
        );
        assert_eq!(shown("across 47 customer sites")[0], (ValueKind::Count, "47"));
    }

    #[test]
    fn a_time_of_day_may_have_a_full_stop() {
        let times = |text: &str| -> Vec<String> {
            let found = shown(text).into_iter().filter(|(kind, _)| *kind == ValueKind::Date);
            found.map(|(_, text)| text.to_owned()).collect()
        };
        assert_eq!(times("Feeding is at 8.00 and at 17.00."), ["8.00", "17.00"]);
        assert_eq!(times("The shop is open from 9.00 to 17.30."), ["9.00", "17.30"]);
        assert_eq!(times("It was closed at 4.50 pm."), ["4.50 pm"]);
        assert_eq!(times("Tea at 16.30 costs £2.50."), ["16.30"]);
        for text in [
            "It weighs 8.30 kg at 8.30 kg a bag.",
            "The acidity is between 7.20 and 7.65.",
            "It rose from 2.10 to 2.15.",
            "See version 4.10.3.7 at 8.00.",
            "Sold at £8.00.",
            "The rate is 3.30.",
        ] {
            assert!(times(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_day_without_a_year_is_a_date() {
        assert_eq!(
            shown("between 1 September and the 28th of February"),
            [(ValueKind::Date, "1 September"), (ValueKind::Date, "28th of February")]
        );
        assert_eq!(shown("on May 14th.")[0], (ValueKind::Date, "May 14th"));
        assert_eq!(shown("on 14 May 2026."), [(ValueKind::Date, "14 May 2026")]);
        for text in ["in March 5 people came", "they may 3 times", "\u{a3}5 May be paid"] {
            assert!(shown(text).iter().all(|(kind, _)| *kind != ValueKind::Date), "{text}");
        }
    }

    #[test]
    fn numbers_in_words_are_whole() {
        assert_eq!(
            shown("lived sixty-five years, then")[0],
            (ValueKind::Duration, "sixty-five years")
        );
        let long = values("were nine hundred and sixty-nine years");
        assert_eq!(long[0].number, Some(969.0));
        assert_eq!(values("forty days")[0].number, Some(40.0));
        assert!(shown("at the eighth hour").iter().all(|(kind, _)| *kind != ValueKind::Duration));
        assert!(shown("one-third of it").is_empty());
        assert_eq!(shown("so Then Judas went").last(), Some(&(ValueKind::Name, "Judas")));
        assert_eq!(shown("unto Rome I fight")[0].1, "Rome");
    }

    #[test]
    fn a_figure_at_the_head_of_a_sentence_is_no_name() {
        assert_eq!(shown("About 1,400 boats left.")[0], (ValueKind::Count, "1,400"));
        assert_eq!(
            shown("Nearly 400 Tern boats left."),
            [(ValueKind::Count, "400"), (ValueKind::Name, "Tern")]
        );
        assert_eq!(shown("Pier 14 was closed.")[0], (ValueKind::Name, "Pier 14"));
    }

    #[test]
    fn people_and_organisations() {
        assert!(
            shown("by Mara Lindqvist (co-founder)")
                .contains(&(ValueKind::Person, "Mara Lindqvist"))
        );
        assert!(shown("from Prime Ventures").contains(&(ValueKind::Name, "Prime Ventures")));
    }
}
