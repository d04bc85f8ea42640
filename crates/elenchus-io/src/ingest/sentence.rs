//! Running text to sentences.
//!
//! UAX #29 (and SRX rule sets) break after "Dr.", "Prof.", "St." and "No."; documents are full of those,
//! and a quote cut at "Dr." is useless as evidence. The rules here start from the same idea (terminator,
//! closing marks, white space) and then look at the words on both sides. In doubt they join, because a
//! sentence too long still quotes truthfully and one cut short may not.

use elenchus_core::evidence::Span;
use std::ops::Range;

/// Never end a sentence: a name or a number follows.
const BEFORE_A_NAME: &[&str] = &[
    "dr", "prof", "st", "ste", "mr", "mrs", "ms", "messrs", "mme", "mlle", "rev", "fr", "hon",
    "gen", "col", "capt", "cmdr", "lt", "sgt", "gov", "sen", "rep", "pres", "supt", "msgr", "ca",
    "cf", "e.g", "i.e", "viz", "vs", "v", "eg", "ie", "approx", "al", "seq", "incl", "excl",
    "resp", "esp",
];

/// Never end a sentence when a number (digits or Roman) follows; otherwise judged like any word.
const BEFORE_A_NUMBER: &[&str] = &[
    "no", "nos", "nr", "fig", "figs", "vol", "vols", "p", "pp", "ch", "chap", "sec", "sect", "art",
    "eq", "ed", "bk", "ps", "cap", "lib", "tab", "ref", "refs", "n", "c", "jan", "feb", "mar",
    "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "gen", "ex", "lev", "num",
    "deut", "josh", "judg", "sam", "kgs", "chron", "neh", "prov", "eccl", "cant", "isa", "jer",
    "ezek", "dan", "hos", "zech", "mal", "matt", "mk", "lk", "jn", "rom", "cor", "gal", "eph",
    "phil", "col", "thess", "tim", "tit", "heb", "jas", "pet", "rev", "act", "wisd", "ecclus",
];

/// May end a sentence: they do when the next word is one that likes to begin one.
const MAYBE_LAST: &[&str] = &[
    "inc", "ltd", "corp", "co", "b.v", "n.v", "s.a", "gmbh", "llc", "plc", "u.s", "u.k", "u.n",
    "e.u", "a.d", "b.c", "ad", "bc", "a.m", "p.m", "etc", "jr", "sr", "bros", "ph.d", "m.d", "d.c",
    "dept", "est", "min", "max", "avg", "hr", "hrs",
];

/// Words that begin sentences far more often than they follow an abbreviation as a name does.
const STARTERS: &[&str] = &[
    "a",
    "accordingly",
    "after",
    "again",
    "all",
    "also",
    "although",
    "an",
    "and",
    "another",
    "any",
    "as",
    "at",
    "because",
    "before",
    "both",
    "but",
    "by",
    "each",
    "either",
    "even",
    "every",
    "finally",
    "first",
    "for",
    "from",
    "further",
    "furthermore",
    "had",
    "has",
    "have",
    "he",
    "hence",
    "her",
    "here",
    "his",
    "how",
    "however",
    "i",
    "if",
    "in",
    "indeed",
    "it",
    "its",
    "let",
    "many",
    "moreover",
    "most",
    "my",
    "neither",
    "next",
    "no",
    "none",
    "nor",
    "not",
    "now",
    "o",
    "of",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "our",
    "several",
    "she",
    "since",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "thou",
    "though",
    "through",
    "thus",
    "thy",
    "to",
    "two",
    "under",
    "until",
    "upon",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "wherefore",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "with",
    "yet",
    "you",
    "your",
];

/// How far ahead a closing quotation mark or bracket is looked for, in characters.
const CLOSING_REACH: usize = 160;

/// How far back an opening one counts, in characters.
const OPENING_REACH: usize = 1_000;

/// The sentences of `text` with their places, in characters.
pub fn placed(text: &str) -> Vec<(Span, &str)> {
    let (mut bytes, mut chars) = (0, 0);
    sentences(text)
        .into_iter()
        .map(|range| {
            let start = chars + text[bytes..range.start].chars().count();
            let end = start + text[range.clone()].chars().count();
            (bytes, chars) = (range.end, end);
            (Span { start, end }, &text[range])
        })
        .collect()
}

/// The sentences of `text` as byte ranges without surrounding white space. Line ends count as spaces,
/// and every character that is not white space lies in exactly one range.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut start = skip_space(&chars, 0);
    let mut at = start;
    while at < chars.len() {
        if !is_terminator(chars[at].1) {
            at += 1;
            continue;
        }
        let (after_marks, end) = marks_after(&chars, at);
        match break_at(&chars, start, at, after_marks, end) {
            Some(end) => {
                push(&mut found, &chars, start, end, text.len());
                start = skip_space(&chars, end);
                at = start;
            }
            None => at = end.max(at + 1),
        }
    }
    push(&mut found, &chars, start, chars.len(), text.len());
    found
}

fn push(
    found: &mut Vec<Range<usize>>,
    chars: &[(usize, char)],
    start: usize,
    end: usize,
    len: usize,
) {
    let mut end = end;
    while end > start && chars[end - 1].1.is_whitespace() {
        end -= 1;
    }
    if start < end {
        found.push(chars[start].0..chars.get(end).map_or(len, |next| next.0));
    }
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‽' | '。' | '！' | '？')
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '}' | '*' | '_' | '`')
}

fn is_opener(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '‘' | '«' | '(' | '[' | '{' | '*' | '_' | '`')
}

fn skip_space(chars: &[(usize, char)], mut at: usize) -> usize {
    while chars.get(at).is_some_and(|(_, c)| c.is_whitespace()) {
        at += 1;
    }
    at
}

/// Past the terminators, and past the closing marks and bracketed notes (`[1]`) that belong to them.
fn marks_after(chars: &[(usize, char)], at: usize) -> (usize, usize) {
    let mut marks = at + 1;
    while chars.get(marks).is_some_and(|(_, c)| is_terminator(*c)) {
        marks += 1;
    }
    let mut end = marks;
    while let Some(&(_, c)) = chars.get(end) {
        if is_closer(c) {
            end += 1;
        } else if c == '[' {
            let digits = chars[end + 1..].iter().take_while(|(_, c)| c.is_ascii_digit()).count();
            if digits == 0 || chars.get(end + 1 + digits).is_none_or(|(_, c)| *c != ']') {
                break;
            }
            end += digits + 2;
        } else {
            break;
        }
    }
    (marks, end)
}

/// Where the sentence that `start` began ends, if it ends at the terminator `at`.
fn break_at(
    chars: &[(usize, char)],
    start: usize,
    at: usize,
    marks: usize,
    end: usize,
) -> Option<usize> {
    let next = skip_space(chars, end);
    if next >= chars.len() {
        return Some(end);
    }
    if matches!(chars[at].1, '。' | '！' | '？') {
        return Some(end);
    }
    if next == end {
        return None; // "3.5", "v4.7.2", "example.org"
    }
    let mut first = next;
    while chars.get(first).is_some_and(|(_, c)| is_opener(*c)) {
        first += 1;
    }
    let first_char = chars.get(first).map_or(' ', |(_, c)| *c);
    // ". . ." goes on.
    if first_char.is_lowercase() || is_terminator(first_char) || inside_marks(chars, start, at, end)
    {
        return None;
    }
    let following = word_from(chars, first);
    let starter = STARTERS.binary_search(&following.to_lowercase().as_str()).is_ok();
    if chars[at].1 == '.'
        && marks == at + 1
        && joins(chars, start, at, first_char, &following, starter)
    {
        return None;
    }
    if first_char.is_ascii_digit() && first == next {
        return Some(footnote_end(chars, first).unwrap_or(end));
    }
    Some(end)
}

/// What a letter names: after "the cabins of Line A." the sentence is over.
const LETTERED: [&str; 32] = [
    "annex",
    "appendix",
    "area",
    "block",
    "building",
    "category",
    "class",
    "clause",
    "exhibit",
    "figure",
    "gate",
    "grade",
    "group",
    "hall",
    "hepatitis",
    "level",
    "line",
    "option",
    "part",
    "phase",
    "plan",
    "platform",
    "product",
    "room",
    "schedule",
    "section",
    "series",
    "team",
    "type",
    "vitamin",
    "wing",
    "zone",
];

/// Whether the full stop at `at` belongs to an abbreviation, an initial or a number.
fn joins(
    chars: &[(usize, char)],
    start: usize,
    at: usize,
    first_char: char,
    following: &str,
    starter: bool,
) -> bool {
    let mut word_start = at;
    while word_start > start && !chars[word_start - 1].1.is_whitespace() {
        word_start -= 1;
    }
    while word_start < at && is_opener(chars[word_start].1) {
        word_start += 1;
    }
    let word: String = chars[word_start..at].iter().map(|(_, c)| *c).collect();
    let lower = word.to_lowercase();
    let number_next = first_char.is_ascii_digit() || is_roman(following) && following.len() > 1;
    if word.is_empty() {
        return false;
    }
    if BEFORE_A_NAME.contains(&lower.as_str()) {
        return true;
    }
    if number_next && BEFORE_A_NUMBER.contains(&lower.as_str()) {
        return true;
    }
    if MAYBE_LAST.contains(&lower.as_str()) {
        return !starter;
    }
    // A list or chapter number that opens the sentence: "1. Text", "IV. Of the Word".
    if word_start == start && (word.chars().all(|c| c.is_ascii_digit()) || is_roman(&word)) {
        return true;
    }
    if is_roman(&lower) && first_char.is_ascii_digit() {
        return true; // "Psalm xlv. 7"
    }
    let mut letters = word.chars();
    if let (Some(only), None) = (letters.next(), letters.next())
        && only.is_alphabetic()
    {
        // "J. B. Lightfoot", but not "... vitamin C. The ..." or "... so am I. Then ..."
        let before = skip_space_back(chars, start, word_start);
        let after_lower = before > start && chars[before - 1].1.is_lowercase();
        let mut from = before;
        while from > start && chars[from - 1].1.is_alphabetic() {
            from -= 1;
        }
        let named: String = chars[from..before].iter().map(|(_, c)| *c).collect();
        if LETTERED.contains(&named.to_lowercase().as_str()) {
            return false;
        }
        return only.is_uppercase() && !(starter && after_lower);
    }
    false
}

fn skip_space_back(chars: &[(usize, char)], start: usize, mut at: usize) -> usize {
    while at > start && chars[at - 1].1.is_whitespace() {
        at -= 1;
    }
    at
}

/// Printed books set footnote marks after the full stop ("the Son. 43 And he"): the mark belongs to the
/// sentence before. Only a word that begins sentences makes it certain: "by the desk. 23 VPs left".
fn footnote_end(chars: &[(usize, char)], digits: usize) -> Option<usize> {
    let mut end = digits;
    while chars.get(end).is_some_and(|(_, c)| c.is_ascii_digit()) {
        end += 1;
    }
    if end - digits > 4 {
        return None;
    }
    let mut next = skip_space(chars, end);
    if next >= chars.len() {
        return Some(end);
    }
    if next == end {
        return None;
    }
    while chars.get(next).is_some_and(|(_, c)| is_opener(*c)) {
        next += 1;
    }
    let word = word_from(chars, next);
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    (capital && STARTERS.binary_search(&word.to_lowercase().as_str()).is_ok()).then_some(end)
}

/// Whether the break would fall inside a quotation or bracket that closes soon and runs on after it.
fn inside_marks(chars: &[(usize, char)], start: usize, at: usize, end: usize) -> bool {
    let (mut round, mut curly, mut straight) = (0_i32, 0_i32, 0_u32);
    // Only marks opened not long ago: endless brackets must not make this quadratic.
    for &(_, c) in &chars[start.max(end.saturating_sub(OPENING_REACH))..end] {
        match c {
            '(' => round += 1,
            ')' => round -= 1,
            '“' | '«' => curly += 1,
            '”' | '»' => curly -= 1,
            '"' => straight += 1,
            _ => {}
        }
    }
    let quoted = curly > 0 || straight % 2 == 1;
    if round <= 0 && !quoted {
        return false;
    }
    let reach = &chars[end..chars.len().min(at + CLOSING_REACH)];
    if round > 0 && reach.iter().any(|(_, c)| *c == ')') {
        return true;
    }
    quoted
        && reach.iter().position(|(_, c)| matches!(c, '”' | '»' | '"')).is_some_and(|close| {
            reach[close + 1..]
                .iter()
                .find(|(_, c)| !c.is_whitespace())
                .is_some_and(|(_, c)| c.is_lowercase() || matches!(c, ',' | ';'))
        })
}

fn word_from(chars: &[(usize, char)], at: usize) -> String {
    chars[at.min(chars.len())..]
        .iter()
        .map(|(_, c)| *c)
        .take_while(|c| c.is_alphanumeric())
        .collect()
}

/// "iv", "XVII": any run of Roman numeral letters in one case.
pub(crate) fn is_roman(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= 8
        && (word.bytes().all(|b| b"ivxlcdm".contains(&b))
            || word.bytes().all(|b| b"IVXLCDM".contains(&b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn starters_are_sorted_for_binary_search() {
        assert!(STARTERS.is_sorted());
    }

    #[test]
    fn a_letter_that_names_a_thing_ends_a_sentence() {
        let text = "Dogs wear a muzzle in Line A. Fuel stays out. It was told by J. B. Reed.";
        assert_eq!(sentences(text).len(), 3);
    }

    #[test]
    fn abbreviations_initials_and_numbers_do_not_end_a_sentence() {
        for whole in [
            "Dr. Lind met Prof. Okafor at St. Anne's.",
            "See Fig. 3 and No. 12 for values of ca. 40 kg, e.g. Bolts.",
            "Translated by J. B. Lightfoot in 1891.",
            "Founded by Orlo Dynamics B.V. Rotterdam and Acme Inc. Boston.",
            "As in Psalm xlv. 7, 8 and John x. 30.",
            "Version v4.7.2 costs $3.5M.",
            "IV. Of the Word.",
            "He wrote \"Go. Come back.\" and left.",
            "It stopped (see p. 4. Also the annex.) and went on.",
            "Is Yahoo! a company?",
        ] {
            assert_eq!(split(whole), [whole]);
        }
    }

    #[test]
    fn real_ends_are_found() {
        assert_eq!(split("One. Two! Three? Four"), ["One.", "Two!", "Three?", "Four"]);
        assert_eq!(
            split("It is in the U.S. The rest is not."),
            ["It is in the U.S.", "The rest is not."]
        );
        assert_eq!(
            split("**Total raised: $142M.** The round"),
            ["**Total raised: $142M.**", "The round"]
        );
        assert_eq!(split("Take vitamin C. The dose"), ["Take vitamin C.", "The dose"]);
        assert_eq!(
            split("Completed February 2026. 412 accounts were\nreviewed. 23 were stale."),
            ["Completed February 2026.", "412 accounts were\nreviewed.", "23 were stale."]
        );
        assert_eq!(split("Done.[3] Next (fine). Last"), ["Done.[3]", "Next (fine).", "Last"]);
        assert_eq!(split("東京。大阪！"), ["東京。", "大阪！"]);
    }

    #[test]
    fn a_footnote_mark_stays_with_its_sentence() {
        assert_eq!(split("He is God. 43 And he came."), ["He is God. 43", "And he came."]);
        assert_eq!(split("By the desk. 23 VPs left."), ["By the desk.", "23 VPs left."]);
    }

    proptest! {
        #[test]
        fn every_character_lies_in_one_sentence(text in "[A-Za-z0-9 .!?()\"“”*\n°é]{0,200}") {
            let ranges = sentences(&text);
            let mut at = 0;
            for range in ranges {
                prop_assert!(text[at..range.start].trim().is_empty());
                prop_assert!(!text[range.clone()].trim().is_empty());
                at = range.end;
            }
            prop_assert!(text[at..].trim().is_empty());
        }
    }
}
