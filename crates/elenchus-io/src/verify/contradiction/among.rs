//! Contradictions among whole texts: their sentences, with their places.

use super::{Limits, Statement, contradictions};
use crate::ingest::dates::dates;
use crate::ingest::sentence::placed;
use elenchus_core::port::{Contradiction, Said, Spot};
use std::collections::BTreeMap;

/// Shorter sentences (in characters) are headings and fragments.
const SHORTEST: usize = 20;

/// Words of the name of a field.
const FIELD_WORDS: usize = 3;

/// Fields that stand over a meeting or a letter.
const HEADS: [&str; 14] = [
    "date",
    "place",
    "venue",
    "location",
    "present",
    "attendance",
    "apologies",
    "absent",
    "from",
    "to",
    "subject",
    "minutes",
    "chair",
    "time",
];

/// What a line says that is a field: "Date: 12 May 2024", "**Present:** the board".
fn field(line: &str) -> Option<&str> {
    let (name, rest) = line.trim().trim_matches('*').split_once(':')?;
    let name = name.trim();
    let is_name = name.starts_with(char::is_uppercase)
        && name.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '-')
        && name.split_whitespace().count() <= FIELD_WORDS
        && rest.starts_with(['*', ' ']);
    is_name.then(|| rest.trim_matches(['*', ' ']))
}

/// Whether a sentence is several fields, as at the head of minutes and letters, or one with a day: it tells of its own document,
/// and the days of two meetings deny nothing.
fn is_head(sentence: &str) -> bool {
    let mut fields = sentence.lines().filter_map(field);
    let Some(first) = fields.next() else { return false };
    let is_day = || dates(first).first().is_some_and(|(range, _)| range.start == 0);
    if fields.next().is_none() {
        return sentence.lines().count() == 1 && is_day();
    }
    // Two data sheets may contradict each other; what stands over a meeting or a letter may not.
    let label = |line: &str| {
        let name =
            line.trim().trim_matches('*').split_once(':').map(|(name, _)| name.to_lowercase());
        name.is_some_and(|name| HEADS.contains(&name.trim()))
    };
    sentence.lines().any(label)
}

/// Finds contradictions between sentences of texts of different groups, strongest first. Rows of tables are left out:
/// without their header they say nothing that another could deny. So are the heads of documents.
pub fn among(texts: &[Said], limits: &Limits) -> Vec<Contradiction> {
    let mut groups: BTreeMap<&str, u32> = BTreeMap::new();
    let mut statements = Vec::new();
    let mut spots = Vec::new();
    for (item, said) in texts.iter().enumerate() {
        let next = u32::try_from(groups.len()).unwrap_or(u32::MAX);
        let group = *groups.entry(&said.group).or_insert(next);
        for (span, sentence) in placed(&said.text) {
            if span.end - span.start < SHORTEST || sentence.contains('|') || is_head(sentence) {
                continue;
            }
            spots.push(Spot { item, span });
            statements.push(
                Statement::new(format!("{item}.{}", span.start), sentence)
                    .under(&said.context)
                    .in_cluster(group),
            );
        }
    }
    contradictions(&statements, limits)
        .into_iter()
        .map(|found| Contradiction {
            a: spots[found.a],
            b: spots[found.b],
            why: found.why,
            strength: found.strength,
            summary: found.summary,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::evidence::char_slice;

    fn said(text: &str, group: &str) -> Said {
        Said { text: text.to_owned(), context: String::new(), group: group.to_owned() }
    }

    #[test]
    fn sentences_of_two_documents_are_found_with_their_places() {
        let texts = [
            said(
                "Über die Brücke. The harbour bridge was opened in 1931 by the mayor. It is red.",
                "a",
            ),
            said(
                "Nobody disputes it: the weather was fine. The harbour bridge was opened in 1938 by the mayor.",
                "b",
            ),
        ];
        let found = among(&texts, &Limits::default());
        assert_eq!(found.len(), 1, "{found:?}");
        let (a, b) = (found[0].a, found[0].b);
        assert_eq!(
            char_slice(&texts[a.item].text, a.span),
            Some("The harbour bridge was opened in 1931 by the mayor.")
        );
        assert_eq!(
            char_slice(&texts[b.item].text, b.span),
            Some("The harbour bridge was opened in 1938 by the mayor.")
        );
        assert!(found[0].summary.contains("1931") && found[0].summary.contains("1938"));
    }

    #[test]
    fn heads_tell_of_their_own_documents() {
        let head = |day: &str| {
            format!(
                "**Date:** {day}\n**Place:** Village hall, Oldhaven\n**Present:** Petra Lund, Jonas Weir"
            )
        };
        let texts = [said(&head("12 May 2024"), "a"), said(&head("9 June 2024"), "b")];
        assert!(among(&texts, &Limits::default()).is_empty());
        let next = [
            said("**Next hearing:** 14 January 2025.", "a"),
            said("Next hearing: 15 July 2025.", "b"),
        ];
        assert!(among(&next, &Limits::default()).is_empty());
        // One field with anything else is a statement.
        assert!(!is_head("Length: the quay of Oldhaven is 340 metres long."));
        assert!(!is_head("The mayor said:\nthe quay is closed at 9:30."));
    }

    #[test]
    fn texts_of_one_group_are_not_held_against_each_other() {
        let texts = [
            said("The harbour bridge was opened in 1931 by the mayor.", "a"),
            said("The harbour bridge was opened in 1938 by the mayor.", "a"),
        ];
        assert!(among(&texts, &Limits::default()).is_empty());
    }
}
