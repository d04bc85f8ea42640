//! Trends: words whose share among the documents has risen in the newest period.

use super::names::is_common;
use super::{Place, voice};
use crate::evidence::{PartialDate, ReadPassage};
use crate::text::{is_stop_word, stem, words};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Fewer dated documents are too few to tell a trend from an accident.
const LEAST_DATED: usize = 20;
/// Documents of the newest period, at least.
const LEAST_NEW: usize = 5;
/// The newest period holds about this share of the dated documents.
const NEW_SHARE: f64 = 0.25;
/// Documents of the newest period that hold the word, at least.
const LEAST_WITH: usize = 4;
/// Voices of the newest period that use it, at least.
const LEAST_VOICES: usize = 3;
/// The probability that any of the words tested would look so risen by chance.
const CHANCE: f64 = 0.01;
/// Places shown a trend.
const PLACES: usize = 8;

/// A word that has come up.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trend {
    /// As it is written most.
    pub term: String,
    /// Documents of the newest period that hold it.
    pub new_with: usize,
    /// Earlier documents that hold it.
    pub old_with: usize,
    /// Voices of the newest period that use it.
    pub voices: usize,
    /// Log-likelihood ratio (G squared, one degree of freedom).
    pub g2: f64,
    /// An upper bound of the probability of this by chance, times the words tested.
    pub chance: f64,
    /// One place a document of the newest period, at most eight.
    pub places: Vec<Place>,
}

/// What came of the test.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trends {
    /// Independent documents with a date.
    pub dated: usize,
    /// Documents of the newest period, and the first date of it.
    pub new: usize,
    /// The first date of the newest period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Words that were tested.
    pub tested: usize,
    /// Why nothing could be tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untested: Option<String>,
    /// The most risen first.
    pub trends: Vec<Trend>,
}

/// Dunning's log-likelihood ratio of a two-by-two table: `a` of `n` against `b` of `m`. At least 0.
pub(super) fn g2(a: usize, n: usize, b: usize, m: usize) -> f64 {
    let total = (n + m) as f64;
    let with = (a + b) as f64;
    let cell = |observed: f64, row: f64, column: f64| {
        let expected = row * column / total;
        if observed > 0.0 && expected > 0.0 { observed * (observed / expected).ln() } else { 0.0 }
    };
    let (a, b, n, m) = (a as f64, b as f64, n as f64, m as f64);
    let sum = cell(a, n, with)
        + cell(b, m, with)
        + cell(n - a, n, total - with)
        + cell(m - b, m, total - with);
    (2.0 * sum).max(0.0)
}

/// An upper bound of the probability that chi-squared with one degree of freedom exceeds `g2`: Mills' inequality,
/// sqrt(2 / (pi g2)) exp(-g2 / 2).
pub(super) fn chance(g2: f64) -> f64 {
    if g2 <= 0.0 {
        return 1.0;
    }
    ((2.0 / (std::f64::consts::PI * g2)).sqrt() * (-g2 / 2.0).exp()).min(1.0)
}

struct Document {
    date: PartialDate,
    voice: String,
    /// Stem, and where it stands first.
    stems: BTreeMap<String, usize>,
}

/// The test over documents that state a date. Copies count once; so do all documents of one author of one date, and
/// the issues of one report for one period: what is counted must be independent.
pub fn trends(reads: &[ReadPassage]) -> Trends {
    let mut forms: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let documents = documents(reads, &mut forms);
    let mut found = Trends { dated: documents.len(), ..Trends::default() };
    if documents.len() < LEAST_DATED {
        found.untested = Some(format!(
            "{} independent documents state a date; fewer than {LEAST_DATED} are too few to tell a trend from an accident",
            documents.len()
        ));
        return found;
    }
    // Documents of one date stay together, so the newest period begins where a date does.
    let wanted = ((documents.len() as f64 * NEW_SHARE) as usize).max(LEAST_NEW);
    let cut = documents[documents.len() - wanted].date.order_key();
    let (old, new): (Vec<&Document>, Vec<&Document>) =
        documents.iter().partition(|document| document.date.order_key() < cut);
    found.new = new.len();
    found.since = new
        .iter()
        .map(|document| document.date)
        .min_by_key(|d| d.order_key())
        .map(|d| d.to_string());
    if old.len() < new.len() {
        found.untested = Some(format!(
            "{} of {} dated documents are of the newest date, which leaves too few earlier ones",
            new.len(),
            documents.len()
        ));
        return found;
    }
    let with = |documents: &[&Document], term: &str| {
        documents.iter().filter(|document| document.stems.contains_key(term)).count()
    };
    let terms: BTreeSet<&String> = new.iter().flat_map(|document| document.stems.keys()).collect();
    let tested: Vec<(&String, usize)> = terms
        .into_iter()
        .map(|term| (term, with(&new, term)))
        .filter(|(_, count)| *count >= LEAST_WITH)
        .collect();
    found.tested = tested.len();
    for (term, new_with) in tested {
        let old_with = with(&old, term);
        // Only what has risen.
        if new_with * old.len() <= old_with * new.len() {
            continue;
        }
        let g2 = g2(new_with, new.len(), old_with, old.len());
        let chance = (chance(g2) * found.tested as f64).min(1.0);
        let holders: Vec<&&Document> =
            new.iter().filter(|document| document.stems.contains_key(term)).collect();
        let voices: BTreeSet<&str> =
            holders.iter().map(|document| document.voice.as_str()).collect();
        // What one author alone brings up is his word, not a trend.
        if chance > CHANCE || voices.len() < LEAST_VOICES {
            continue;
        }
        let shown = forms.get(term).and_then(|forms| forms.iter().max_by_key(|(_, n)| **n));
        found.trends.push(Trend {
            term: shown.map_or_else(|| term.clone(), |(form, _)| form.clone()),
            new_with,
            old_with,
            voices: voices.len(),
            g2,
            chance,
            places: holders
                .iter()
                .take(PLACES)
                .filter_map(|document| document.stems.get(term))
                .map(|at| Place::of(&reads[*at], &reads[*at].passage.text))
                .collect(),
        });
    }
    found.trends.sort_by(|a, b| b.g2.total_cmp(&a.g2).then_with(|| a.term.cmp(&b.term)));
    found
}

/// Independent dated documents, the oldest first.
fn documents(
    reads: &[ReadPassage],
    forms: &mut BTreeMap<String, BTreeMap<String, usize>>,
) -> Vec<Document> {
    let mut by_copy: BTreeMap<(String, i64), Document> = BTreeMap::new();
    let mut clusters: BTreeMap<&str, (String, i64)> = BTreeMap::new();
    let mut stems: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (at, read) in reads.iter().enumerate() {
        let Some(date) = &read.source.date else { continue };
        let name = match (&read.source.author, read.source.family.as_str()) {
            (Some(_), _) | (None, "") => voice(&read.source),
            (None, family) => format!("family:{family}"),
        };
        let own = (name, date.value.order_key());
        let key = clusters.entry(read.source.cluster.as_str()).or_insert(own).clone();
        let document = by_copy.entry(key).or_insert_with(|| Document {
            date: date.value,
            voice: voice(&read.source),
            stems: BTreeMap::new(),
        });
        for word in words(&read.passage.text) {
            let stemmed = stems.entry(word.clone()).or_insert_with(|| {
                let plain = word.chars().count() > 3
                    && word.chars().all(char::is_alphabetic)
                    && !is_stop_word(&word)
                    && !is_common(&word);
                plain.then(|| stem(&word))
            });
            if let Some(stemmed) = stemmed {
                document.stems.entry(stemmed.clone()).or_insert(at);
                let form = forms.entry(stemmed.clone()).or_default();
                *form.entry(word).or_default() += 1;
            }
        }
    }
    let mut all: Vec<Document> = by_copy.into_values().collect();
    all.sort_by_key(|document| document.date.order_key());
    all
}
