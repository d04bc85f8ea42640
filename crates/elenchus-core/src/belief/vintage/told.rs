//! What a text tells of figures: which it states, which were changed into which, and of what time it speaks.
//!
//! A change is taken for told only where the words leave no doubt: one that is proposed, denied or only possible is none, and
//! neither are two figures that count two things.

use super::when::{currency, dates, is_figure};
use crate::evidence::PartialDate;
use crate::text::{is_stop_word, squeeze, stem};
use std::collections::BTreeSet;
use std::ops::Range;

/// Words between the two figures of a change, or between a word of change and its figure, at most.
const REACH: usize = 8;

/// Words between a figure and the word that says that it was, or is now, at most.
const NEAR: usize = 4;

/// Words behind an earlier figure in which its time is told: "190 a year before".
const BEHIND: usize = 5;

/// Greater numbers are no labels: "flat 7", "phase 2".
const LABELS: f64 = 1_000.0;

/// What a figure is measured in, as far as two figures can be told apart by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Money(char),
    Share,
}

/// A figure of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figure {
    value: f64,
    unit: Option<Unit>,
}

impl Figure {
    /// Whether both are one figure. One without a unit may be in any: tables and second mentions leave it out.
    pub(super) fn is(self, other: Self) -> bool {
        let differs = self.unit.zip(other.unit).is_some_and(|(one, two)| one != two);
        let size = self.value.abs().max(other.value.abs());
        !differs && (self.value - other.value).abs() <= 1e-9 * size
    }

    /// Whether these digits are this figure.
    fn reads(self, digits: &str) -> bool {
        digits
            .replace(',', "")
            .parse::<f64>()
            .is_ok_and(|value| self.is(Self { value, unit: None }))
    }
}

/// A change that a sentence tells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    pub(super) before: Figure,
    /// What it became; absent where the sentence only says that it is so no longer.
    pub(super) after: Option<Figure>,
    /// When, as far as the sentence says it.
    pub(super) when: Option<PartialDate>,
    /// The words that tell it.
    pub(super) words: String,
    /// The first word that belongs to it.
    pub(super) start: usize,
}

/// The words of a text that tell what it speaks of, as stems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) all: BTreeSet<String>,
    /// Those of them that are names by their capital.
    pub(super) names: BTreeSet<String>,
    /// Numbers that name: the 7 of "flat 7".
    pub(super) labels: BTreeSet<String>,
}

impl Words {
    pub(super) fn extend(&mut self, other: Self) {
        self.all.extend(other.all);
        self.names.extend(other.names);
        self.labels.extend(other.labels);
    }

    /// Whether a number of the other text that names something is named here, or is one of these figures.
    pub(super) fn is_named(&self, label: &str, figures: &[Figure]) -> bool {
        self.labels.contains(label) || figures.iter().any(|figure| figure.reads(label))
    }
}

/// A word, a figure or a mark.
struct Piece {
    /// Bytes of the sentence.
    at: Range<usize>,
    figure: Option<Figure>,
    /// Whether it belongs to a date.
    dated: bool,
}

/// One sentence, or one row of a table.
pub(super) struct Sentence {
    text: String,
    /// The same with its letters made small; bytes stand where they stood.
    lower: String,
    pieces: Vec<Piece>,
    /// The dates that it names, each with its first piece.
    dates: Vec<(usize, PartialDate)>,
}

impl Sentence {
    pub(super) fn new(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        let ranges = pieces(text);
        let words: Vec<&str> = ranges.iter().map(|at| &lower[at.clone()]).collect();
        let (dates, dated) = dates(&words);
        let figures: Vec<Option<Figure>> = (0..words.len())
            .zip(&dated)
            .map(|(at, dated)| if *dated { None } else { figure(&words, at) })
            .collect();
        let pieces = ranges
            .into_iter()
            .zip(figures)
            .zip(dated)
            .map(|((at, figure), dated)| Piece { at, figure, dated })
            .collect();
        Self { text: text.to_owned(), lower, pieces, dates }
    }

    fn word(&self, at: usize) -> &str {
        self.pieces.get(at).map_or("", |piece| &self.lower[piece.at.clone()])
    }

    /// The figures that count or measure, in order, each with its piece.
    fn places(&self) -> Vec<(usize, Figure)> {
        let figures = self.pieces.iter().enumerate();
        let figures = figures.filter_map(|(at, piece)| Some((at, piece.figure?)));
        figures.filter(|(at, figure)| !self.is_label(*at, *figure)).collect()
    }

    /// The figures that count or measure, in order.
    pub(super) fn figures(&self) -> Vec<Figure> {
        self.places().into_iter().map(|(_, figure)| figure).collect()
    }

    /// Whether it has this figure.
    pub(super) fn has(&self, figure: Figure) -> bool {
        self.pieces.iter().any(|piece| piece.figure.is_some_and(|own| own.is(figure)))
    }

    /// Where the first of its figures stands.
    pub(super) fn first_figure(&self) -> usize {
        self.pieces.iter().position(|piece| piece.figure.is_some()).unwrap_or(self.pieces.len())
    }

    /// The latest time that it names.
    pub(super) fn latest(&self) -> Option<PartialDate> {
        self.latest_before(self.pieces.len())
    }

    fn latest_before(&self, end: usize) -> Option<PartialDate> {
        let named = self.dates.iter().filter(|(at, _)| *at < end);
        named.map(|(_, date)| *date).max_by_key(|date| date.order_key())
    }

    /// The words from piece to piece, white space as it stands.
    fn slice(&self, first: usize, last: usize) -> String {
        let bytes = self.pieces.get(first).zip(self.pieces.get(last));
        let text = bytes.and_then(|(first, last)| self.text.get(first.at.start..last.at.end));
        squeeze(text.unwrap_or_default())
    }

    /// Whether it speaks of what is so now: a present verb, no time, and nothing that looks back.
    pub(super) fn speaks_of_now(&self) -> bool {
        let has = |words: &[&str]| (0..self.pieces.len()).any(|at| words.contains(&self.word(at)));
        self.dates.is_empty()
            && has(&PRESENT)
            && !has(&PAST)
            && !(0..self.pieces.len()).any(|at| self.is_change(at))
    }

    /// Whether its subject is named in the sentence before.
    pub(super) fn points_back(&self) -> bool {
        matches!(self.word(0), "it" | "this" | "that" | "they" | "these" | "those" | "both")
    }

    /// The changes that it tells.
    pub(super) fn changes(&self) -> Vec<Change> {
        let figures = self.places();
        if figures.is_empty() || self.is_unsure() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for pair in figures.windows(2) {
            let [(one, first), (two, second)] = pair else { continue };
            let Some(is_forward) = self.order(*one, *two) else { continue };
            if first.is(*second) || !self.is_alike((*one, *first), (*two, *second)) {
                continue;
            }
            let (before, after) = if is_forward { (*first, *second) } else { (*second, *first) };
            // A date behind the earlier figure is the time of that one: "up from 190 in 2023".
            let when = if is_forward { self.latest() } else { self.latest_before(*two) };
            let words = self.slice(self.lead(*one).unwrap_or(*one), *two);
            found.push(Change { before, after: Some(after), when, words, start: *one });
        }
        found.extend(figures.iter().enumerate().filter_map(|(n, place)| {
            let from = n.checked_sub(1).map_or(0, |before| figures[before].0 + 1);
            let (cue, after) = self.gone(from, *place, figures.get(n + 1))?;
            let words = self.slice(cue, place.0);
            Some(Change { before: place.1, after, when: self.latest(), words, start: cue })
        }));
        found
    }

    /// "No longer 1,250": where that stands, and what is told to be so instead.
    fn gone(
        &self,
        from: usize,
        (at, figure): (usize, Figure),
        next: Option<&(usize, Figure)>,
    ) -> Option<(usize, Option<Figure>)> {
        let cue = (at.saturating_sub(REACH).max(from)..at).find(|cue| {
            self.word(*cue) == "no"
                && self.word(cue + 1) == "longer"
                && self.word(cue + 2) != "than"
        })?;
        let after = next.filter(|(next, other)| {
            let is_set_against =
                (at + 1..*next).any(|word| matches!(self.word(word), "but" | "now"));
            is_set_against && !other.is(figure)
        });
        Some((cue, after.map(|(_, other)| *other)))
    }

    /// Whether of two neighbouring figures the first is the earlier one, or the second; `None` where nothing sets one against
    /// the other.
    fn order(&self, one: usize, two: usize) -> Option<bool> {
        if two - one > REACH {
            return None;
        }
        let (first, second) = (self.lead(one), self.lead(two).filter(|lead| *lead > one));
        let word = |lead: Option<usize>, back: usize| {
            lead.and_then(|lead| lead.checked_sub(back)).map_or("", |at| self.word(at))
        };
        let is_changed = first
            .is_some_and(|lead| (lead.saturating_sub(REACH)..lead).any(|at| self.is_change(at)));
        match (word(first, 0), word(second, 0), word(second, 1)) {
            ("from", "to", _) if is_changed => return Some(true),
            ("to", "from", _) if is_changed => return Some(false),
            (_, "from", "up" | "down" | "rising" | "falling")
            | (_, "previously" | "formerly" | "originally", _) => return Some(false),
            (_, "against", _) | (_, "to" | "with" | "from", "compared" | "opposed")
                if self.is_of_before(two) =>
            {
                return Some(false);
            }
            _ => {}
        }
        let mut between = one + 1..two;
        if let Some(at) = between.clone().find(|at| self.word(*at) == "replaced")
            && matches!(self.word(at + 1), "by" | "with")
        {
            return Some(true);
        }
        let replaces = |at: usize| matches!(self.word(at), "replaces" | "replaced" | "replacing");
        let instead = |at: usize| {
            let is_instead = self.word(at) == "instead" && self.word(at + 1) == "of";
            is_instead || self.word(at) == "in" && self.word(at + 1) == "place"
        };
        let first_is_now = self.is_now(one, 0, two);
        if between.clone().any(replaces) || first_is_now && between.any(instead) {
            return Some(false);
        }
        if !self.is_one_subject(one, two) {
            return None;
        }
        let end = self.pieces.len();
        if self.was(one, 0) && self.is_now(two, one + 1, end) {
            return Some(true);
        }
        (first_is_now && self.was(two, one + 1)).then_some(false)
    }

    /// The word that leads a figure: "from" in "from about £1,250".
    fn lead(&self, at: usize) -> Option<usize> {
        (0..at).rev().take(NEAR).find(|before| {
            let word = self.word(*before);
            currency(word).is_none()
                && !matches!(
                    word,
                    "about"
                        | "around"
                        | "just"
                        | "only"
                        | "nearly"
                        | "over"
                        | "the"
                        | "its"
                        | "a"
                        | "an"
                        | "some"
                        | "us"
                )
        })
    }

    /// Whether a word says that something becomes more, less or another.
    fn is_change(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_turned =
            matches!(word, "go" | "goes" | "going") && matches!(self.word(at + 1), "up" | "down");
        is_turned
            || matches!(word, "went" | "gone")
            || word.starts_with(char::is_alphabetic) && CHANGES.contains(&stem(word).as_str())
    }

    /// Whether the words behind a figure place it before another one: "190 a year before".
    fn is_of_before(&self, at: usize) -> bool {
        (at + 1..=at + BEHIND).any(|behind| {
            matches!(
                self.word(behind),
                "before" | "earlier" | "previously" | "previous" | "last" | "prior"
            )
        })
    }

    /// Whether a figure is told of the past: "was 1,250", "used to be 1,250".
    fn was(&self, at: usize, from: usize) -> bool {
        let near = at.saturating_sub(NEAR).max(from)..at;
        let is_past = |word: usize| {
            let lower = self.word(word);
            matches!(lower, "was" | "were" | "had" | "previously" | "formerly" | "originally")
                || lower == "used" && self.word(word + 1) == "to"
        };
        let is_present = |word: usize| match self.word(word) {
            "now" | "has" | "is" | "are" => true,
            // "Used to have".
            "have" => word.checked_sub(1).is_none_or(|before| self.word(before) != "to"),
            _ => false,
        };
        near.clone().any(is_past) && !near.clone().any(is_present)
    }

    /// Whether a figure is told of now, by a word between two places.
    fn is_now(&self, at: usize, from: usize, to: usize) -> bool {
        let now = |word: usize| matches!(self.word(word), "now" | "currently" | "today");
        (at.saturating_sub(NEAR).max(from)..at).any(now) || (at + 1..(at + NEAR).min(to)).any(now)
    }

    /// Whether nothing comes up between two figures that the first one was not told of: "was 190 and the deposit is now 212".
    fn is_one_subject(&self, one: usize, two: usize) -> bool {
        let mut known = self.words(0..one).all;
        known.extend(self.counted(one));
        self.words(one + 1..two).all.is_subset(&known)
    }

    /// Whether two figures count the same: no other unit, and no other noun behind them.
    fn is_alike(&self, (one, first): (usize, Figure), (two, second): (usize, Figure)) -> bool {
        let units = first.unit.zip(second.unit).is_none_or(|(a, b)| a == b);
        let nouns = self.counted(one).zip(self.counted(two)).is_none_or(|(a, b)| a == b);
        units && nouns
    }

    /// The word right behind a figure, if it is one with content.
    fn counted(&self, at: usize) -> Option<String> {
        let behind = (at + 1..self.pieces.len()).find(|behind| {
            let word = self.word(*behind);
            let is_unit = matches!(word, "%" | "percent" | "thousand" | "million" | "billion");
            !is_unit && currency(word).is_none()
        })?;
        let word = self.word(behind);
        let has_content = word.starts_with(char::is_alphabetic)
            && !is_stop_word(word)
            && !self.pieces[behind].dated;
        has_content.then(|| stem(word))
    }

    /// Whether a sentence leaves open, or denies, what it speaks of.
    fn is_unsure(&self) -> bool {
        let (mut proposed, mut agreed) = (false, false);
        for (at, piece) in self.pieces.iter().enumerate() {
            let word = self.word(at);
            match word {
                "not" | "never" | "cannot" | "if" | "unless" | "whether" | "would" | "could"
                | "might" | "should" => return true,
                // The month has a capital.
                "may" if self.text[piece.at.clone()].starts_with('m') => return true,
                "carried" | "passed" | "agreed" | "approved" | "adopted" | "accepted"
                | "resolved" => agreed = true,
                _ if word.ends_with("n't") || word.ends_with("n\u{2019}t") => return true,
                _ if !word.starts_with(char::is_alphabetic) => {}
                _ => match stem(word).as_str() {
                    "reject" | "refus" | "defeat" | "withdraw" | "withdrawn" | "deni" | "fals"
                    | "rumour" => return true,
                    "propos" | "motion" | "consid" | "suggest" | "recommend" | "request"
                    | "plan" | "expect" | "intend" | "forecast" | "hope" => proposed = true,
                    _ => {}
                },
            }
        }
        proposed && !agreed
    }

    /// The words of some pieces that tell what they speak of.
    pub(super) fn words(&self, range: Range<usize>) -> Words {
        let mut found = Words::default();
        for at in range {
            let Some(piece) = self.pieces.get(at) else { break };
            let word = self.word(at);
            let word = word.strip_suffix("'s").or(word.strip_suffix("\u{2019}s")).unwrap_or(word);
            if piece.dated {
                continue;
            }
            if let Some(figure) = piece.figure {
                if self.is_label(at, figure) {
                    found.labels.insert(word.to_owned());
                }
                continue;
            }
            let is_short = word.chars().nth(1).is_none();
            if is_short
                || !word.starts_with(char::is_alphabetic)
                || is_stop_word(word)
                || currency(word).is_some()
                || self.is_change(at)
            {
                continue;
            }
            let stem = stem(word);
            if EMPTY.contains(&stem.as_str()) {
                continue;
            }
            if at > 0 && self.text[piece.at.start..].starts_with(char::is_uppercase) {
                found.names.insert(stem.clone());
            }
            found.all.insert(stem);
        }
        found
    }

    /// The words of the whole sentence.
    pub(super) fn every_word(&self) -> Words {
        self.words(0..self.pieces.len())
    }

    /// The words of a title or heading, in which every number may be a label.
    pub(super) fn as_title(&self) -> Words {
        let mut found = self.every_word();
        let numbers = (0..self.pieces.len()).filter(|at| self.pieces[*at].figure.is_some());
        found.labels.extend(numbers.map(|at| self.word(at).to_owned()));
        found
    }

    /// What stands before a place and after the last "that": the subject, and not who says it.
    pub(super) fn subject(&self, end: usize) -> BTreeSet<String> {
        let from = (0..end).rev().find(|at| self.word(*at) == "that").map_or(0, |at| at + 1);
        self.words(from..end).all
    }

    /// "Flat 7", "phase 2": a number that names rather than counts.
    fn is_label(&self, at: usize, figure: Figure) -> bool {
        let content = |at: usize| {
            let word = self.word(at);
            let is_verb = PRESENT.contains(&word) || self.is_change(at);
            word.starts_with(char::is_alphabetic) && !is_stop_word(word) && !is_verb
        };
        // "Nearly 190", "against 190": what stands before it is no name.
        let names = |at: usize| {
            let word = self.word(at);
            let is_measure = word.ends_with("ly")
                || matches!(word, "around" | "almost" | "least" | "circa" | "approx");
            content(at) && !is_measure && !EMPTY.contains(&stem(word).as_str())
        };
        let is_led = at.checked_sub(1).is_some_and(names);
        is_led && figure.unit.is_none() && figure.value < LABELS && !content(at + 1)
    }
}

/// Stems of verbs and nouns of change.
const CHANGES: [&str; 29] = [
    "rise", "rais", "increas", "grow", "growth", "climb", "jump", "surg", "soar", "gain", "fall",
    "drop", "declin", "decreas", "cut", "reduc", "reduct", "lower", "shrink", "slip", "plung",
    "chang", "move", "revis", "adjust", "amend", "doubl", "expand", "halv",
];

/// Verbs that say that something is so now.
const PRESENT: [&str; 17] = [
    "is", "are", "has", "have", "remains", "stands", "costs", "amounts", "comes", "totals",
    "holds", "numbers", "pays", "charges", "employs", "counts", "includes",
];

/// Words that look back.
const PAST: [&str; 14] = [
    "was",
    "were",
    "had",
    "did",
    "used",
    "until",
    "before",
    "previously",
    "formerly",
    "originally",
    "earlier",
    "ago",
    "from",
    "then",
];

/// Stems of words that tell no matter apart: spans of time, and what marks a change.
const EMPTY: [&str; 30] = [
    "month", "year", "week", "day", "hour", "annum", "quarter", "annual", "current", "present",
    "today", "previous", "former", "origin", "earlier", "longer", "ago", "percent", "thousand",
    "million", "billion", "replac", "instead", "against", "compar", "oppos", "place", "last",
    "prior", "effect",
];

/// A figure at a word, if one stands there and it is neither an ordinal nor a time of day.
fn figure(words: &[&str], at: usize) -> Option<Figure> {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
    let (before, after) = (word(at.checked_sub(1)), word(Some(at + 1)));
    let then = word(Some(at + 2));
    let text = *words.get(at)?;
    let is_time = after == ":" && is_figure(then)
        || before == ":" && is_figure(word(at.checked_sub(2)))
        || matches!(after, "am" | "pm" | "o'clock" | "o\u{2019}clock");
    if !is_figure(text) || is_time {
        return None;
    }
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(text.len());
    let (digits, tail) = text.split_at(end);
    let scale = match (tail, after) {
        ("st" | "nd" | "rd" | "th" | "s" | "am" | "pm", _) => return None,
        ("k", _) | ("", "thousand") => 1e3,
        ("m", _) | ("", "million") => 1e6,
        ("bn", _) | ("", "billion") => 1e9,
        _ => 1.0,
    };
    let value: f64 = digits.replace(',', "").parse().ok()?;
    let money = currency(before).or_else(|| currency(after).filter(|_| !is_figure(then)));
    let is_share = matches!(after, "%" | "percent") || after == "per" && then == "cent";
    let unit = money.map(Unit::Money).or_else(|| is_share.then_some(Unit::Share));
    Some(Figure { value: value * scale, unit })
}

/// Bytes of the words, figures and marks of a text.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let is = |at: Option<usize>, test: fn(char) -> bool| {
        at.and_then(|at| chars.get(at)).is_some_and(|(_, c)| test(*c))
    };
    let digit = |c: char| c.is_ascii_digit();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, first)) = chars.get(at).copied() {
        let mut end = at + 1;
        if first.is_alphanumeric() {
            while let Some(&(_, c)) = chars.get(end) {
                let joins = match c {
                    '.' | ',' => is(end.checked_sub(1), digit) && is(Some(end + 1), digit),
                    '\'' | '\u{2019}' => is(Some(end + 1), char::is_alphabetic),
                    c => c.is_alphanumeric(),
                };
                if !joins {
                    break;
                }
                end += 1;
            }
        }
        if !first.is_whitespace() {
            found.push(start..chars.get(end).map_or(text.len(), |(byte, _)| *byte));
        }
        at = end;
    }
    found
}

/// Words after which a full stop ends no sentence.
const SHORTENED: [&str; 14] =
    ["approx", "ca", "c", "no", "nr", "st", "dr", "mr", "mrs", "ms", "e.g", "i.e", "p", "vs"];

/// The sentences of a text. Lines that were only wrapped go on; items, headings, rows and paragraphs begin anew.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let (so_far, rest) = (&text[start..at], &text[end..]);
        let is_end = match c {
            '!' | '?' => begins(rest),
            '.' => begins(rest) && !is_shortened(so_far),
            '\n' => {
                let next = rest.trim_start_matches([' ', '\t', '\r']).chars().next();
                so_far.trim_start().starts_with(['|', '#'])
                    || next.is_none_or(|c| matches!(c, '\n' | '|' | '#' | '-' | '*' | '>' | '•'))
            }
            _ => false,
        };
        if is_end {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Whether what follows a full stop can begin a sentence.
fn begins(rest: &str) -> bool {
    rest.is_empty()
        || rest.starts_with(char::is_whitespace)
            && rest.trim_start().chars().next().is_none_or(|c| !c.is_lowercase())
}

fn is_shortened(so_far: &str) -> bool {
    let last = so_far.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    SHORTENED.iter().any(|word| last.eq_ignore_ascii_case(word))
}
