//! Long items: what an item of a list is about, for the sentences that it is cut into.
//!
//! "- Boat hoist (TW): ..." goes on for sentences that name the hoist no more. A long item is read sentence by sentence, and each
//! of them is of what its head names.

use super::unit::{EvidenceUnit, Word};
use crate::ingest::UnitKind;
use crate::ingest::marks::{ItemMark, item_mark};
use elenchus_core::text::{is_stop_word, words};
use std::ops::Range;

/// Most words of the head of an item.
const HEAD_WORDS: usize = 8;
/// Fewest marks of a rule across a page.
const RULE: usize = 3;

/// A stretch of a text that is one item of a list, or one paragraph.
struct Block {
    /// Bytes of the text, without the bullet.
    at: Range<usize>,
    is_item: bool,
}

/// Sets of each sentence of a long item what the head of the item names.
pub(super) fn tell(units: &mut [EvidenceUnit<'_>]) {
    for unit in units.iter_mut().filter(|unit| unit.kind == UnitKind::Sentence) {
        let read = unit.read;
        let text = read.passage.text.as_str();
        let Some(head) = head(text, offset(unit)) else { continue };
        let named = words(head)
            .into_iter()
            .filter(|word| !is_stop_word(word) && word.contains(char::is_alphabetic))
            .map(Word::of_title);
        unit.words.extend(named);
        if unit.goes_on_from.is_empty() {
            unit.goes_on_from = format!("{}:", head.trim());
        }
    }
}

/// The item of a list, or else the paragraph, in which a unit stands.
pub(super) fn around<'a>(unit: &EvidenceUnit<'a>) -> &'a str {
    let text = unit.read.passage.text.as_str();
    text.get(block(text, offset(unit)).at).unwrap_or(unit.text)
}

/// Where a unit begins: a byte of its passage's text.
fn offset(unit: &EvidenceUnit<'_>) -> usize {
    (unit.text.as_ptr() as usize).saturating_sub(unit.read.passage.text.as_ptr() as usize)
}

/// The words before the first stop or colon of the item that holds the byte `at`, where they are few and `at` lies behind them.
fn head(text: &str, at: usize) -> Option<&str> {
    let block = block(text, at);
    let item = text.get(block.at.clone()).filter(|_| block.is_item)?;
    let ends = [". ", ": ", ".\n", ":\n"].into_iter().filter_map(|mark| item.find(mark));
    let end = ends.min()?;
    let head = &item[..end];
    let is_short = (1..=HEAD_WORDS).contains(&head.split_whitespace().count());
    (is_short && at > block.at.start + end).then_some(head)
}

fn block(text: &str, at: usize) -> Block {
    let (mut start, mut end, mut is_item) = (0, text.len(), false);
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let next = from + line.len();
        let (body, parts) = (after_bullet(line), is_apart(line));
        if from > at && (body.is_some() || parts) {
            end = from;
            break;
        }
        if from <= at {
            if let Some(body) = body {
                (start, is_item) = (from + body, true);
            } else if parts {
                (start, is_item) = (next, false);
            }
        }
        from = next;
    }
    Block { at: start..end.max(start), is_item }
}

/// Whether a line is empty or a rule, and parts what stands over it from what stands under it.
fn is_apart(line: &str) -> bool {
    let line = line.trim();
    let is_rule = || line.len() >= RULE && line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_'));
    line.is_empty() || is_rule()
}

/// Bytes of a line up to what follows its bullet, if it has one.
fn after_bullet(line: &str) -> Option<usize> {
    let item = line.trim_start();
    let bullet = item.chars().next().filter(|_| item_mark(item) == Some(ItemMark::Bullet))?;
    Some(line.len() - item[bullet.len_utf8()..].trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const MINUTES: &str = "Present: Tom and Ann\n- Boat hoist (TW): the first quote was too high. It \
                           is put off.\n  The new limit is \u{a3}900. Ann asks again.\n\n- Fees. As \
                           before.\nLater the bar was open.";

    fn head_of(words: &str) -> Option<&'static str> {
        head(MINUTES, MINUTES.find(words).expect("it stands there"))
    }

    #[test]
    fn a_sentence_is_of_what_the_head_of_its_item_names() {
        assert_eq!(head_of("The new limit"), Some("Boat hoist (TW)"));
        assert_eq!(head_of("As before"), Some("Fees"));
        assert_eq!(head_of("Boat hoist"), None, "the head itself");
        assert_eq!(head_of("Present"), None, "no item");
    }

    #[test]
    fn a_blank_line_and_a_rule_end_an_item() {
        let text = "- Hoist: none.\n\nThe bar is open. It is warm.";
        assert_eq!(head(text, text.find("It is").expect("it stands there")), None);
        let text = "- Hoist: none.\n------\nThe bar is open. It is warm.";
        assert_eq!(head(text, text.find("It is").expect("it stands there")), None);
        let long = "- NO STAGE BEFORE MAY. The boards are late. They come by ship.";
        let at = long.find("They").expect("it stands there");
        assert_eq!(head(long, at), Some("NO STAGE BEFORE MAY"));
        let prose =
            "- The hoist that was ordered in May is late and nobody knows why. It is heavy.";
        let at = prose.find("It is").expect("it stands there");
        assert_eq!(head(prose, at), None, "a sentence is no head");
    }

    #[test]
    fn the_words_of_the_head_stand_far_from_each_sentence_of_a_long_item() {
        let filler = "The committee talked about it for an hour and looked at all of the papers. ";
        let text = format!("- Boat hoist (TW): {}The limit is now \u{a3}900.", filler.repeat(6));
        let passages = [document("minutes", "May", &text)];
        let units = evidence_units(&passages);
        let last = units.last().expect("there are units");
        assert!(last.text.starts_with("The limit"));
        assert!(last.words.iter().any(|word| word.word == "hoist"));
        assert_eq!(last.goes_on_from, "Boat hoist (TW):");
    }
}
