//! What the documents call the thing they are all about.

use elenchus_core::evidence::MONTHS;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Most names kept.
const MOST: usize = 5;
/// A name must occur in this share of documents (and in two).
const SHARE: f64 = 0.1;

/// In so many documents a name must stand before it is given in full beside what is short for it.
const IN_FULL: usize = 3;

/// Names by falling spread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Names(pub(super) Vec<String>);

/// Counts capitalised names over documents.
#[derive(Default)]
pub(super) struct NameCount {
    documents: usize,
    /// Documents that hold the name, by the name.
    spread: BTreeMap<String, usize>,
    /// Documents that hold two such words one behind the other, whatever stands around them: a title runs on into what follows.
    pairs: BTreeMap<String, usize>,
    /// Documents that hold the word in lower case: then it is no name.
    common: BTreeMap<String, usize>,
}

impl NameCount {
    /// Of one document.
    pub(super) fn of(text: &str) -> Self {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut pairs: BTreeSet<String> = BTreeSet::new();
        let mut lower: BTreeSet<String> = BTreeSet::new();
        let mut run: Vec<&str> = Vec::new();
        for token in text.split(|c: char| c.is_whitespace() || "|/*_#`".contains(c)) {
            if token.is_empty() {
                continue;
            }
            let word = token.trim_matches(|c: char| !c.is_alphanumeric());
            let word =
                ["'s", "’s"].iter().find_map(|suffix| word.strip_suffix(suffix)).unwrap_or(word);
            let capital = word.chars().next().is_some_and(char::is_uppercase);
            let name_like = capital
                && word.chars().count() > 2
                && word.chars().all(|c| c.is_alphabetic() || c == '-')
                && word.chars().any(char::is_lowercase);
            if !name_like {
                if word.chars().next().is_some_and(char::is_lowercase) {
                    lower.insert(word.to_owned());
                }
                Self::end_run(&mut run, &mut names, &mut pairs);
            } else {
                // Words that have a capital only because they begin a sentence occur in lower case elsewhere.
                run.push(word);
            }
            if token.ends_with(['.', ',', ';', ':', '!', '?', ')']) {
                Self::end_run(&mut run, &mut names, &mut pairs);
            }
        }
        Self::end_run(&mut run, &mut names, &mut pairs);
        let once = |words: BTreeSet<String>| words.into_iter().map(|word| (word, 1)).collect();
        Self { documents: 1, spread: once(names), pairs: once(pairs), common: once(lower) }
    }

    /// Of the documents of both.
    pub(super) fn plus(self, other: Self) -> Self {
        if self.common.len() < other.common.len() {
            return other.plus(self);
        }
        let mut sum = self;
        sum.documents += other.documents;
        for (name, count) in other.spread {
            *sum.spread.entry(name).or_default() += count;
        }
        for (pair, count) in other.pairs {
            *sum.pairs.entry(pair).or_default() += count;
        }
        for (word, count) in other.common {
            *sum.common.entry(word).or_default() += count;
        }
        sum
    }

    fn end_run(run: &mut Vec<&str>, names: &mut BTreeSet<String>, pairs: &mut BTreeSet<String>) {
        pairs.extend(run.windows(2).map(|pair| pair.join(" ")));
        for word in run.iter() {
            names.insert((*word).to_owned());
        }
        if (2..=3).contains(&run.len()) {
            names.insert(run.join(" "));
        }
        run.clear();
    }

    /// The names most spread over the documents, behind them what they are in full ("Orlo", "Orlo Freight").
    pub(super) fn most_spread(&self) -> Names {
        let least = (self.documents as f64 * SHARE).ceil().max(2.0) as usize;
        let mut ranked: Vec<(&String, usize)> = self
            .spread
            .iter()
            .filter(|(name, count)| {
                let lower = name.to_lowercase();
                **count >= least
                    && self.common.get(&lower).copied().unwrap_or(0) * 4 < **count
                    && !is_common(&lower)
                    && name.split(' ').all(|part| !is_common(&part.to_lowercase()))
            })
            .map(|(name, count)| (name, *count))
            .collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut kept: Vec<(String, usize)> = Vec::new();
        let mut full: Vec<String> = Vec::new();
        for (name, count) in ranked {
            // "Dynamics" that stands nearly always behind a kept name is a part of it.
            let part = kept.iter().find_map(|(other, _)| {
                let longer = format!("{other} {name}");
                let spread = self.pairs.get(&longer).copied().unwrap_or(0);
                (spread * 10 >= count * 7).then_some(longer)
            });
            if let Some(longer) = part {
                // Of two documents about somebody neither need be about them.
                if count >= IN_FULL {
                    full.push(longer);
                }
                continue;
            }
            if kept.iter().any(|(other, _)| {
                other.split(' ').any(|part| part == name)
                    || name.split(' ').any(|part| part == other)
            }) {
                continue;
            }
            kept.push((name.clone(), count));
            if kept.len() == MOST {
                break;
            }
        }
        Names(kept.into_iter().map(|(name, _)| name).chain(full).collect())
    }
}

fn is_common(lower: &str) -> bool {
    COMMON.contains(&lower) || MONTHS.contains(&lower)
}

/// Capitalised in many documents without naming a subject, beside the months.
const COMMON: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "chapter",
    "section",
    "figure",
    "table",
    "page",
    "note",
    "internal",
    "confidential",
    "draft",
    "version",
    "week",
    "day",
    "month",
    "quarter",
    "the",
    "and",
    "for",
    "this",
    "that",
    "all",
    "but",
    "not",
    "with",
    "from",
    "prof",
    "mrs",
    "sir",
    "dear",
    "please",
    "date",
    "subject",
    "ltd",
    "limited",
    "gmbh",
    "inc",
    "llc",
    "plc",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_company_is_found_and_months_are_not() {
        let texts = [
            "# Orlo Freight - Overview\n\nOrlo ships in March. Teams meet.",
            "Teams of Orlo meet in March. Lower words: teams.",
            "The teams met. Orlo's plan is from March.",
            "Nothing here but teams.",
        ];
        let count =
            texts.map(NameCount::of).into_iter().fold(NameCount::default(), NameCount::plus);
        assert_eq!(count.most_spread(), Names(vec!["Orlo".to_owned()]));
    }

    #[test]
    fn the_company_has_its_name_in_full() {
        let texts = [
            "# Orlo Freight\n\nOrlo ships.",
            "Orlo Freight was founded by Ann Lee.",
            "The teams met at Orlo.",
            "Whoever drives for Orlo Freight has a licence.",
        ];
        let count =
            texts.map(NameCount::of).into_iter().fold(NameCount::default(), NameCount::plus);
        let names = ["Orlo", "Orlo Freight"].map(str::to_owned);
        assert_eq!(count.most_spread(), Names(names.to_vec()));
    }
}
