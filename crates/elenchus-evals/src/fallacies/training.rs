//! Our own labelled examples, and the sentences that templates make of them.

use elenchus_core::scrutiny::fallacy::{CATALOG, model::NONE};
use std::collections::BTreeMap;

/// A labelled text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) label: String,
    pub(crate) text: String,
    /// Made from a template: never used to measure.
    pub(crate) made: bool,
}

const WRITTEN: &[&str] = &[
    include_str!("../../data/fallacies/formal_and_causal.txt"),
    include_str!("../../data/fallacies/relevance.txt"),
    include_str!("../../data/fallacies/presumption.txt"),
    include_str!("../../data/fallacies/theology.txt"),
    include_str!("../../data/fallacies/none.txt"),
    include_str!("../../data/fallacies/comments.txt"),
    include_str!("../../data/fallacies/exercises.txt"),
    include_str!("../../data/fallacies/readers.txt"),
];
const TEMPLATES: &str = include_str!("../../data/fallacies/templates.txt");

/// Sentences that a template gives.
const EACH: usize = 10;

/// Every example: written, of the catalog, and made. The order never changes.
pub(crate) fn examples() -> Vec<Example> {
    let mut all = written();
    for fallacy in CATALOG {
        let own = fallacy.examples.iter().chain(fallacy.subtle).map(|text| (fallacy.id, *text));
        let none = fallacy.counter_examples.iter().map(|text| (NONE, *text));
        all.extend(own.chain(none).map(|(label, text)| example(label, text, false)));
    }
    all.extend(made());
    all
}

fn example(label: &str, text: &str, made: bool) -> Example {
    Example { label: label.to_owned(), text: text.to_owned(), made }
}

fn written() -> Vec<Example> {
    let mut all = Vec::new();
    for file in WRITTEN {
        let mut label = NONE;
        for line in file.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.strip_prefix("# ") {
                Some(name) => label = name,
                None => all.push(example(label, line, false)),
            }
        }
    }
    all
}

fn made() -> Vec<Example> {
    let mut slots: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut all = Vec::new();
    let mut dice = 0x9e37_79b9_u32;
    for line in TEMPLATES.lines() {
        if let Some((name, values)) = line.strip_prefix('@').and_then(|rest| rest.split_once(": "))
        {
            slots.insert(name, values.split(" | ").collect());
        } else if let Some((label, template)) = line.split_once('\t') {
            let before = all.len();
            for _ in 0..EACH {
                let text = filled(template, &slots, &mut dice);
                if !all[before..].iter().any(|other: &Example| other.text == text) {
                    all.push(example(label, &text, true));
                }
            }
        }
    }
    all
}

/// A template with its slots filled; the same slot gets the same words throughout.
fn filled(template: &str, slots: &BTreeMap<&str, Vec<&str>>, dice: &mut u32) -> String {
    let mut text = template.to_owned();
    for (name, values) in slots {
        // A linear congruence: the same sentences on every machine.
        *dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let value = values[(*dice >> 8) as usize % values.len()];
        text = text.replace(&format!("{{{name}}}"), value);
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::scrutiny::fallacy::by_id;

    #[test]
    fn every_class_has_enough_examples() {
        let all = examples();
        for class in CATALOG.iter().map(|fallacy| fallacy.id) {
            let n = all.iter().filter(|example| example.label == class).count();
            assert!(n >= 30, "{class}: {n}");
        }
        assert!(all.iter().filter(|example| example.label == NONE).count() >= 600);
        for example in &all {
            assert!(example.label == NONE || by_id(&example.label).is_some(), "{}", example.label);
            assert!(!example.text.contains(['{', '}', '\t']), "{}", example.text);
        }
    }

    #[test]
    fn no_text_has_two_labels() {
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for example in examples() {
            let before = seen.insert(example.text.to_lowercase(), example.label.clone());
            assert!(before.is_none_or(|label| label == example.label), "{}", example.text);
        }
    }

    #[test]
    fn templates_give_the_same_sentences_again() {
        assert_eq!(made(), made());
    }
}
