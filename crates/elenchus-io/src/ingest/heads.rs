//! Heads of plain texts: lines right over what they head, as people type them who have no marks for headings.
//!
//! "4. STORES" over the paragraph about stores, "Your tasks" over a list, the first line below a rule of dashes. One such line may be
//! anything; where a text has several, they are how it is divided.

use super::dates::dates;
use super::marks::{ItemMark, is_thematic_break, item_mark};

/// Level of a line below a rule, and of one over a paragraph.
const BELOW_RULE: u8 = 2;
const OVER_TEXT: u8 = 3;
/// Lines of a kind from which they divide a text.
const RULED: usize = 2;
const HEADS: usize = 3;
/// Fewest marks of a rule that parts of a text are divided by.
const RULE: usize = 8;
/// Longest head in characters and in words, and the same below a rule.
const CHARS: usize = 60;
const WORDS: usize = 8;
const RULED_CHARS: usize = 100;
const RULED_WORDS: usize = 14;
/// Characters from which a line without a full stop reads as wrapped prose.
const WRAPPED: usize = 40;
/// What lines begin with that open or close a letter.
const OF_LETTERS: [&str; 16] = [
    "dear",
    "hello",
    "hi",
    "yours",
    "sincerely",
    "regards",
    "kind",
    "best",
    "warm",
    "with",
    "many",
    "cheers",
    "thanks",
    "thank",
    "cc",
    "ps",
];

/// The level of each line of a plain text that heads what follows it.
pub(super) fn heads(lines: &[&str]) -> Vec<Option<u8>> {
    let mut found: Vec<Option<u8>> = (0..lines.len()).map(|at| level(lines, at)).collect();
    for (level, fewest) in [(BELOW_RULE, RULED), (OVER_TEXT, HEADS)] {
        if found.iter().filter(|one| **one == Some(level)).count() < fewest {
            found.iter_mut().filter(|one| **one == Some(level)).for_each(|one| *one = None);
        }
    }
    found
}

fn level(lines: &[&str], at: usize) -> Option<u8> {
    let before = at.checked_sub(1).map_or("", |before| lines[before]);
    let below_rule = is_rule(before);
    if !(before.is_empty() || below_rule) {
        return None;
    }
    let next = lines.get(at + 1).copied().unwrap_or_default();
    let (chars, words) = if below_rule { (RULED_CHARS, RULED_WORDS) } else { (CHARS, WORDS) };
    if next.is_empty() || is_thematic_break(next) || !reads_as_head(lines[at], chars, words) {
        return None;
    }
    if below_rule {
        return Some(BELOW_RULE);
    }
    (is_dated_place(lines[at]) || is_told(next)).then_some(OVER_TEXT)
}

/// A line of dashes or the like from margin to margin.
fn is_rule(line: &str) -> bool {
    is_thematic_break(line) && line.len() >= RULE
}

fn reads_as_head(line: &str, chars: usize, words: usize) -> bool {
    let text = match item_mark(line) {
        Some(ItemMark::Bullet) => return false,
        Some(ItemMark::Number(_)) => line.split_once(' ').map_or("", |(_, rest)| rest.trim()),
        None => line,
    };
    let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    let greets = first.is_some_and(|first| OF_LETTERS.contains(&first.to_lowercase().as_str()));
    let stands = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && text.chars().any(char::is_alphabetic)
        && text.chars().count() <= chars
        && text.split_whitespace().count() <= words
        && !text.ends_with(['.', ',', ';', ':', '!', '?', '"', '\u{201d}'])
        && !text.contains(['|', '\t']);
    // "Date: 3 May", and columns set apart by blanks.
    let is_field = text.contains(": ") || text.contains("  ");
    stands && !is_field && !greets && !is_thematic_break(line)
}

/// "9 June 2022, Stone Reef": the head of an entry, whatever stands below it.
fn is_dated_place(line: &str) -> bool {
    let found = dates(line);
    let [(range, _)] = found.as_slice() else { return false };
    range.start == 0 && range.end < line.len()
}

/// Whether a line reads as the beginning of what a head stands over: an item, a sentence, or prose that was wrapped.
fn is_told(line: &str) -> bool {
    let prose = line.chars().any(char::is_lowercase)
        && (line.ends_with(['.', '!', '?', ':']) || line.chars().count() >= WRAPPED);
    prose || item_mark(line) == Some(ItemMark::Bullet)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heads of a text, with their levels.
    fn found(text: &str) -> Vec<(u8, &str)> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let all = heads(&lines).into_iter().zip(lines);
        all.filter_map(|(level, line)| Some((level?, line))).collect()
    }

    #[test]
    fn numbered_capitals_and_short_lines_head_what_stands_below_them() {
        let report = "VISIT\nHouse: 7\n\n1. SUMMARY\nThe house is in good order, and its people\nare at work.\n\n\
                      2. STORES\nThey are kept in room 12.\n\nWhat is left\n- A lamp is to be bought.\n";
        assert_eq!(found(report), [(3, "1. SUMMARY"), (3, "2. STORES"), (3, "What is left")]);
        // Two may be anything.
        let two = "1. SUMMARY\nIt is well.\n\n2. STORES\nThey are in room 12.\n";
        assert!(found(two).is_empty());
    }

    #[test]
    fn what_stands_below_a_rule_heads_a_part() {
        let rule = "-".repeat(30);
        let text = format!(
            "PAPERS\n\n{rule}\nRECORD 2022\nDate: 4 May\n\n{rule}\nRECORD 2023\nDate: 9 June\n"
        );
        assert_eq!(found(&text), [(2, "RECORD 2022"), (2, "RECORD 2023")]);
    }

    #[test]
    fn letters_and_verses_are_not_cut_up() {
        let letter = "Dear Ann\nI write to you about the mill.\n\nKind regards\nIt is I, Tom.\n\n\
                      Yours\nTom of the mill.\n\nMill Lane 3\n8000 Leith\n\nReed and Sons\nBoats\n";
        assert!(found(letter).is_empty(), "{:?}", found(letter));
        let verse = "The sea was grey,\nthe land was green.\n\nWe went away,\nand were not seen.\n\nO day,\nO queen.\n";
        assert!(found(verse).is_empty());
        let fields = "From: Tom\nSee you.\n\nTo: Ann\nIt is so.\n\nDate: May\nIt was so.\n";
        assert!(found(fields).is_empty());
    }

    #[test]
    fn entries_of_a_day_and_a_place_are_headed_by_them() {
        let notes = "9 June 2022, Stone Reef\nCalm.\n\n3 May 2022, the weir\nRain\n\n4 July 2022, the weir\nSun\n";
        assert_eq!(found(notes).len(), 3);
    }
}
