//! Changes: what one version of a document says otherwise than the one before it.
//!
//! "What changed between version 3 and version 4?": statements of both that stand under the same heading, share their words and
//! are not the same, the older before the newer.

use super::bind::{self, Candidate};
use super::matching::Matcher;
use super::question::{Question, Term};
use super::scales;
use super::unit::{EvidenceUnit, called};
use super::values::Value;
use elenchus_core::text::{content_set, jaccard, squeeze, stem};
use std::collections::{BTreeMap, BTreeSet};

/// Share of common words from which two statements are two versions of one.
const VERSIONS: f64 = 0.3;
/// Most pairs that are quoted.
const MOST: usize = 5;
/// Strength from which a word of the matter binds.
const BINDS: f64 = 0.6;
/// Fewest words of a statement.
const SHORTEST: usize = 4;
/// Share of the nouns of a question from which a statement is about the same.
const OF_IT: f64 = 0.8;
/// Words that say which version, and not of what.
const EDITIONS: [&str; 12] = [
    "version", "edit", "issu", "revis", "new", "old", "current", "previou", "latest", "last",
    "earlier", "chang",
];

/// The statements that differ between two versions of the document that the topic names; nothing where there are no two.
pub(super) fn changes<'a>(
    terms: &[&Term],
    all: &'a [Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Vec<&'a Candidate> {
    let mut families: BTreeMap<&str, BTreeMap<&str, Vec<&'a Candidate>>> = BTreeMap::new();
    for candidate in all {
        let unit = &units[candidate.unit];
        if unit.is_note || unit.text.split_whitespace().count() < SHORTEST {
            continue;
        }
        let source = &unit.read.source;
        let family = families.entry(source.family.as_str()).or_default();
        family.entry(source.id.0.as_str()).or_default().push(candidate);
    }
    let wanted: Vec<&Term> = terms
        .iter()
        .copied()
        .filter(|term| {
            !EDITIONS.contains(&term.stem.as_str())
                && !term.word.chars().all(|c| c.is_ascii_digit() || c == '.')
        })
        .collect();
    let mut best: Option<(usize, Vec<&'a Candidate>)> = None;
    for documents in families.into_values().filter(|documents| documents.len() >= 2) {
        let mut documents: Vec<Vec<&'a Candidate>> = documents.into_values().collect();
        let age = |document: &Vec<&'a Candidate>| {
            let unit = &units[document[0].unit];
            let date = unit.read.source.date.as_ref().map(|date| date.value.order_key());
            (!unit.is_superseded(), date)
        };
        documents.sort_by_key(age);
        let [.., older, newer] = documents.as_slice() else { continue };
        let titled: BTreeSet<String> =
            called(&units[newer[0].unit].read.source).iter().map(|word| stem(word)).collect();
        let in_title = |term: &&Term| titled.contains(&term.stem);
        let named = wanted.iter().filter(|term| in_title(term)).count();
        if named == 0 {
            continue;
        }
        let matter: Vec<&Term> = wanted.iter().copied().filter(|term| !in_title(term)).collect();
        let pairs = pairs(older, newer, &matter, units, matcher);
        if !pairs.is_empty() && best.as_ref().is_none_or(|(most, _)| named > *most) {
            best = Some((named, pairs));
        }
    }
    best.map(|(_, pairs)| pairs).unwrap_or_default()
}

/// What another statement says of the chosen figure: how it came about or what becomes of it ("from 40 to 45 pounds from 1 April"), or
/// in what it is. It is told beside the figure, and in its place only where it is known to be later (`select`).
pub(super) fn told_beside(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    change_of(question, chosen, all, units).or_else(|| scales::note(question, chosen, all, units))
}

fn change_of(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let figure = chosen.number.filter(|_| chosen.value.is_some())?;
    if question.period.is_some() || question.past {
        return None;
    }
    let changes = |unit: &EvidenceUnit<'_>| {
        unit.values.windows(2).any(|pair| {
            let (old, new) = (&pair[0], &pair[1]);
            let kinds = (Some(old.kind), Some(new.kind)) == (chosen.kind, chosen.kind);
            kinds
                && old.number != new.number
                && (old.number == Some(figure) || new.number == Some(figure))
                && unit.text[old.range.end..new.range.start].trim() == "to"
                && unit.text[..old.range.start].trim_end().ends_with("from")
        })
    };
    let found = all.iter().find(|other| {
        let unit = &units[other.unit];
        other.unit != chosen.unit
            && other.names_bound
            && !unit.is_superseded()
            && !unit.is_note
            && changes(unit)
            && other.features.noun >= OF_IT
    })?;
    Some(beside(chosen, found))
}

/// A statement that is told beside a chosen figure: the figure is told already, and here the statement is what matters.
pub(super) fn beside(chosen: &Candidate, found: &Candidate) -> Candidate {
    instead(chosen, found, None)
}

/// A statement with a value of its own in the place of the chosen one, as surely as that one answers.
pub(super) fn instead(chosen: &Candidate, found: &Candidate, value: Option<&Value>) -> Candidate {
    Candidate {
        value: value.map(|value| value.range.clone()),
        kind: value.map(|value| value.kind),
        number: value.and_then(|value| value.number),
        accepted: true,
        by_meaning: chosen.by_meaning,
        weighed: chosen.weighed,
        polarity: None,
        ..found.clone()
    }
}

/// Statements of the older version with what the newer one says in their place.
fn pairs<'a>(
    older: &[&'a Candidate],
    newer: &[&'a Candidate],
    matter: &[&Term],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Vec<&'a Candidate> {
    let heading = |unit: &EvidenceUnit<'_>| {
        unit.read.passage.heading_path.last().map(|heading| heading.to_lowercase())
    };
    let about = |unit: &EvidenceUnit<'_>| {
        matter.iter().all(|term| bind::strength(term, unit, matcher) >= BINDS)
    };
    let kept: BTreeSet<String> =
        newer.iter().map(|one| squeeze(units[one.unit].text).to_lowercase()).collect();
    let mut found: Vec<(f64, &'a Candidate, &'a Candidate)> = Vec::new();
    for old in older {
        let was = &units[old.unit];
        if kept.contains(&squeeze(was.text).to_lowercase()) {
            continue;
        }
        let words = content_set(was.text);
        let replaced = newer
            .iter()
            .filter(|new| heading(&units[new.unit]) == heading(was) || heading(was).is_none())
            .map(|new| (jaccard(&words, &content_set(units[new.unit].text)), *new))
            .filter(|(alike, _)| *alike >= VERSIONS)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((alike, new)) = replaced
            && (about(was) || about(&units[new.unit]))
        {
            found.push((alike, old, new));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.unit.cmp(&b.1.unit)));
    found.truncate(MOST);
    found.sort_by_key(|(_, old, _)| {
        (units[old.unit].read.passage.span.start, units[old.unit].ordinal)
    });
    let mut told: Vec<&'a Candidate> = Vec::new();
    for one in found.into_iter().flat_map(|(_, old, new)| [old, new]) {
        if told.iter().all(|other| other.unit != one.unit) {
            told.push(one);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn told(question: &str, texts: &[(&str, &str)]) -> Vec<String> {
        let passages: Vec<_> =
            texts.iter().map(|(name, text)| document(name, "Notes", text)).collect();
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        chosen.iter().map(|one| units[one.unit].text.to_owned()).collect()
    }

    #[test]
    fn a_change_of_the_figure_is_told_beside_it() {
        let fee = ("prices", "The mooring fee is \u{a3}45 a week.");
        let rise = ("minutes", "The mooring fee rises from \u{a3}40 to \u{a3}45 in April.");
        let asked = "What is the mooring fee?";
        let both = told(asked, &[fee, rise]);
        assert!(both.iter().any(|text| text == rise.1), "{both:?}");
        // The rise of another fee is none of this one.
        let other = ("minutes", "The key deposit rises from \u{a3}40 to \u{a3}45 in April.");
        let alone = told(asked, &[fee, other]);
        assert!(!alone.iter().any(|text| text == other.1), "{alone:?}");
    }
}
