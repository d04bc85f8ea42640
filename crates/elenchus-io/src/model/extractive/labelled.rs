//! Labelled paragraphs: "3. Price. Pale malt: 742 a tonne. Prices are fixed for a year." is an item of minutes or of a contract, and a
//! whole section of it. Its sentences are quoted one by one, each under the label.

use super::lexicon::is_role;
use super::pronouns::refers_out;
use super::roles::attendance;
use crate::ingest::sentence::sentences;
use elenchus_core::text::{is_stop_word, words};
use std::ops::Range;

/// Most words of a label.
const LABEL_WORDS: usize = 6;
/// Sentences after the label from which an item is a section.
const SENTENCES: usize = 2;
/// Bytes up to which an item is quoted whole: "Stop the pump. Stir from the top. Wait ten minutes." is one step.
const SHORT: usize = 120;

/// An item that is a section: its label, and bytes of the sentences after it.
pub(super) struct Labelled<'a> {
    pub(super) label: &'a str,
    pub(super) sentences: Vec<Range<usize>>,
}

/// Most words of the label of a field.
const FIELD_WORDS: usize = 4;

/// The lines of a paragraph that are a field each ("Date: 3 May", "Present: ..."), with the lines that each wraps to. Empty
/// where there are fewer than two, and for the head of a mail, whose fields tell one thing together.
pub(super) fn fields(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        let end = at + line.trim_end().len();
        at += line.len();
        if let Some(label) = field_label(line) {
            labels.push(label.to_lowercase());
            found.push(start..end);
        } else if let Some(field) = found.last_mut() {
            field.end = end.max(field.end);
        } else {
            return Vec::new();
        }
    }
    let has = |label: &str| labels.iter().any(|own| own == label);
    let mail = has("from") && (has("to") || has("subject"));
    if found.len() < 2 || mail { Vec::new() } else { found }
}

/// What stands before the colon of a line, without marks: "**Present:** ..." is labelled "Present".
pub(super) fn field_label(line: &str) -> Option<&str> {
    let (label, rest) = line.split_once(':')?;
    let label = label.trim().trim_matches(['*', '_']).trim();
    let rest = rest.trim_start_matches(['*', '_']);
    let plain = label.chars().next().is_some_and(char::is_uppercase)
        && label
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '\u{2019}' | '/' | '&'))
        && label.split_whitespace().count() <= FIELD_WORDS;
    (plain && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then_some(label)
}

/// What the other fields of a paragraph are about, by its first one: "Boat: Tern". Nothing where that names people: who is the
/// chair does not make the next line the chair's.
pub(super) fn field_subject(first: &str) -> Option<&str> {
    let (_, value) = first.split_once(':')?;
    let value = value.trim_start_matches(['*', '_']).trim();
    let of_people = attendance(first).is_some() || words(first).iter().any(|word| is_role(word));
    let count = value.split_whitespace().count();
    (!of_people && (1..=LABEL_WORDS).contains(&count)).then_some(value)
}

/// The label and the sentences of an item; `None` for one that is quoted as a whole.
pub(super) fn labelled(text: &str) -> Option<Labelled<'_>> {
    let rest = after_number(text)?;
    let body = text.len() - rest.len();
    let long = text.len() > SHORT;
    let own_line = first_line(rest);
    let in_line = || bold(rest).or_else(|| first_words(rest)).filter(|_| long);
    let (label, after) = own_line.or_else(in_line)?;
    let label = label.trim().trim_matches(['*', '_']).trim_end_matches(['.', ':']).trim();
    let start = body + after;
    let count = label.split_whitespace().count();
    if count == 0 || count > LABEL_WORDS {
        return None;
    }
    let mut found: Vec<Range<usize>> = sentences(&text[start..])
        .into_iter()
        .map(|range| start + range.start..start + range.end)
        .filter(|range| text[range.clone()].chars().any(char::is_alphanumeric))
        .collect();
    if found.len() < SENTENCES {
        return None;
    }
    // "Ann Reed was elected in his place": who goes before is said in the sentence before. Told for each sentence by itself:
    // one that takes in what follows does not go on from what precedes for that.
    let goes_on: Vec<bool> = found.iter().map(|at| refers_out(&text[at.clone()])).collect();
    for at in (1..found.len()).rev() {
        if goes_on[at] {
            found[at - 1].end = found[at].end;
            found.remove(at);
        }
    }
    // A label that stands in the line may be half of its sentence: "**Hardware** - 48,500 a robot."
    if own_line.is_none() {
        found[0].start = 0;
    }
    Some(Labelled { label, sentences: found })
}

/// What follows the number of an item; `None` for a bullet: minutes and contracts number their sections.
fn after_number(text: &str) -> Option<&str> {
    let open = text.trim_start_matches('(');
    let digits = open.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = digits.strip_prefix(['.', ')']).filter(|_| digits.len() < open.len())?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// "**Guest room.** The price ...": the bold words, and where the rest begins.
fn bold(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix("**")?;
    let end = inner.find("**")?;
    Some((&inner[..end], end + 4))
}

/// A first line of its own that is no sentence.
fn first_line(text: &str) -> Option<(&str, usize)> {
    let end = text.find('\n')?;
    let line = text[..end].trim_end();
    let last = line.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    // A line that only wraps goes on in the next one.
    let wraps = is_stop_word(&last)
        || line.contains(" - ")
        || text[end..].trim_start().starts_with(char::is_lowercase);
    let open = wraps
        || line.ends_with(['.', ',', ';', '-'])
        || line.split_whitespace().count() > LABEL_WORDS;
    (!open).then_some((line, end + 1))
}

/// "Price. Pale malt: ...": a few words without a figure that end with a full stop.
fn first_words(text: &str) -> Option<(&str, usize)> {
    let end = text.find(". ")?;
    let words = &text[..end];
    let plain = words.split_whitespace().count() <= 3
        && words.chars().next().is_some_and(char::is_uppercase)
        && !words.contains(|c: char| c.is_ascii_digit() || matches!(c, ',' | ':' | ';'));
    plain.then_some((words, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Option<(&str, Vec<&str>)> {
        let found = labelled(text)?;
        Some((found.label, found.sentences.iter().map(|at| text[at.clone()].trim()).collect()))
    }

    #[test]
    fn a_section_of_a_contract_or_of_minutes_is_cut() {
        assert_eq!(
            cut(
                "3. Price. Malt costs \u{a3}742 a tonne, delivered to the yard. Prices are fixed for a year. After that the mill may ask 4% more once a year."
            ),
            Some((
                "Price",
                vec![
                    "3. Price. Malt costs \u{a3}742 a tonne, delivered to the yard.",
                    "Prices are fixed for a year.",
                    "After that the mill may ask 4% more once a year."
                ]
            ))
        );
        let bold = "2. **Elections.** Tom Wren resigned as treasurer since he moves to Leeds. Ann Reed was elected in his place. All other officers stay. Carried.";
        assert_eq!(cut(bold).map(|(label, all)| (label, all.len())), Some(("Elections", 3)));
        assert_eq!(
            cut("2. Van\nThe grant was turned down. The board has bought a van."),
            Some(("Van", vec!["The grant was turned down.", "The board has bought a van."]))
        );
    }

    #[test]
    fn sentences_that_name_whom_they_speak_of_stand_alone() {
        let item = "4. Bar\nSunday opening has been dropped because takings averaged only \u{a3}210 a day. From June the bar opens at noon. Takings for April were \u{a3}10,340. Nerys would like to put in a kitchen; she will bring costs to the next meeting.";
        let parts = cut(item).map(|(_, parts)| parts).unwrap_or_default();
        assert_eq!(parts.len(), 4, "{parts:?}");
        let two = "2. Van\nThe grant was turned down. The board has bought a van. It came on 6 May. Tom sold the old one.";
        let parts = cut(two).map(|(_, parts)| parts).unwrap_or_default();
        assert_eq!(
            parts,
            [
                "The grant was turned down.",
                "The board has bought a van. It came on 6 May.",
                "Tom sold the old one."
            ]
        );
    }

    #[test]
    fn every_line_with_a_label_is_a_field() {
        let cut = |text: &'static str| -> Vec<&str> {
            fields(text).into_iter().map(|at| &text[at]).collect()
        };
        assert_eq!(
            cut(
                "**Date:** 3 May 2025\n**Present:** Ann Lee (chair),\n  Ben Poe\n**Apologies:** Cy Roe"
            ),
            [
                "**Date:** 3 May 2025",
                "**Present:** Ann Lee (chair),\n  Ben Poe",
                "**Apologies:** Cy Roe"
            ]
        );
        // The head of a mail is one thing, and a colon within running text is no label.
        assert!(cut("From: Ann Lee\nTo: Ben Poe\nSubject: The roof").is_empty());
        assert!(cut("Date: 3 May 2025").is_empty());
        assert!(cut("We need three things:\nrope, tar and time").is_empty());
        assert!(cut("The train leaves at 9:30\nand comes back at 11:00").is_empty());
    }

    #[test]
    fn the_first_field_says_what_the_others_are_about_unless_it_names_people() {
        assert_eq!(field_subject("Boat: Tern"), Some("Tern"));
        assert_eq!(field_subject("**Date:** 3 May 2025"), Some("3 May 2025"));
        assert_eq!(field_subject("Chair: Ann Lee"), None);
        assert_eq!(field_subject("Present: Ann Lee, Ben Poe"), None);
    }

    #[test]
    fn a_plain_item_stays_whole() {
        for item in [
            "- **February 11:** a regression caused drift in narrow aisles; 14 sites were affected for 36 hours. Root cause: a cache. It was mended.",
            "2. **Robots as a service** - a subscription at\n   48,500 a robot, software included. It grows. Most choose it.",
            "4. Stop the pump. Stir from the top. Wait ten minutes.",
            "6. **Guest room.** The price goes up from 18 to 22 a night.",
            "1. Count again, with a second person.",
            "- v2.1, released in May. It reads old files. It writes new ones.",
            "4. Hand both sets of keys to the caretaker before noon. Ring first.",
        ] {
            assert!(labelled(item).is_none(), "{item}");
        }
    }
}
