//! The rule of each kind of insight, decided from the passages and counts alone.

use super::novelty::{Meetings, Seen, Subject, explained};
use super::{Support, WordedBy};
use crate::id::PassageId;
use crate::inquiry::count;
use crate::measure::Explained;
use crate::prompt::InsightKind;
use crate::text::content_set;
use std::collections::{BTreeMap, BTreeSet};

/// In a corpus with fewer documents and runs nothing can be said to be rare.
const LEAST_POOL: u32 = 8;
/// A pair that is brought together by one in so many documents and runs, or by fewer, does not usually meet.
const RARE: u32 = 20;
/// A pattern stands in more than five passages of different sources.
const RECURS: usize = 6;
/// A synthesis takes so many perspectives together.
const PERSPECTIVES: usize = 3;
/// Words that passages of a pattern share at least.
const SHARED: usize = 2;

/// Something that may be an insight.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) kind: InsightKind,
    pub(crate) text: String,
    pub(crate) worded_by: WordedBy,
    pub(crate) supporting: Vec<Support>,
}

/// A contradiction that the answer knows: the passages of each side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tension {
    pub(crate) about: String,
    pub(crate) sides: Vec<BTreeSet<PassageId>>,
}

/// What candidates are held against.
pub(crate) struct Around<'a> {
    pub(crate) subjects: &'a [Subject],
    pub(crate) corpus: &'a Meetings,
    pub(crate) runs: &'a Meetings,
    pub(crate) tensions: &'a [Tension],
}

impl Around<'_> {
    fn pool(&self) -> u32 {
        self.corpus.pool.saturating_add(self.runs.pool)
    }

    fn seen(&self, a: usize, b: usize) -> Seen {
        let together = self.corpus.together(a, b).saturating_add(self.runs.together(a, b));
        Seen { together, pool: self.pool() }
    }
}

/// A candidate that its rule lets pass, or why it does not.
pub(crate) struct Ruling {
    pub(crate) why: String,
    pub(crate) explained: Explained,
}

/// The canonical record of a support: a letter, and at least two numbers or names divided by full stops or colons
/// ("John.1.1"). A row of a table is none.
fn record(support: &Support) -> Option<&str> {
    let record = support.record.as_deref()?;
    let parts: Vec<&str> = record.split(['.', ':']).collect();
    let named =
        record.chars().any(char::is_alphabetic) && record.chars().any(|c| c.is_ascii_digit());
    (parts.len() >= 2 && named && !record.contains(' ')).then_some(record)
}

/// "John" of "John.1.1".
fn book(record: &str) -> &str {
    record.split(['.', ':']).next().unwrap_or(record)
}

fn key(support: &Support) -> String {
    record(support).map_or_else(|| support.voice(), |record| format!("record:{record}"))
}

/// The subjects behind candidates, each once, at most `most`, in the order of the candidates.
pub(crate) fn subjects(candidates: &[Candidate], most: usize) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = Vec::new();
    for support in candidates.iter().flat_map(|candidate| &candidate.supporting) {
        let key = key(support);
        if let Some(known) = subjects.iter_mut().find(|subject| subject.key == key) {
            if known.author.is_none() && record(support).is_none() {
                named(known, support);
            }
            continue;
        }
        if subjects.len() == most {
            continue;
        }
        let mut subject = Subject { key, ..Subject::default() };
        match (record(support), &support.author) {
            (Some(record), _) => {
                record.clone_into(&mut subject.name);
                subject.names.push(record.to_owned());
            }
            (None, Some(author)) => {
                subject.name.clone_from(author);
                subject.names.push(author.clone());
                // "Ignatius" for "Ignatius of Antioch": so others call him.
                if let Some((given, _)) = author.split_once(" of ")
                    && given.chars().count() >= 4
                {
                    subject.names.push(given.to_owned());
                }
                subject.author = Some(author.clone());
            }
            (None, None) => named(&mut subject, support),
        }
        subjects.push(subject);
    }
    subjects
}

/// A document is called by its title, where that is more than a word, and by its file's name.
fn named(subject: &mut Subject, support: &Support) {
    if subject.name.is_empty() {
        subject.name.clone_from(&support.path);
    }
    if !subject.clusters.contains(&support.cluster) {
        subject.clusters.push(support.cluster.clone());
    }
    let file = support.path.rsplit('/').next().unwrap_or(&support.path).to_owned();
    let mut names = vec![file];
    if support.title.split_whitespace().count() > 1 {
        names.push(support.title.clone());
    }
    for name in names {
        if !subject.names.contains(&name) && subject.names.len() < 6 {
            subject.names.push(name);
        }
    }
}

/// Holds a candidate to the rule of its kind; the error says what is wanting.
pub(crate) fn judge(candidate: &Candidate, around: &Around<'_>) -> Result<Ruling, String> {
    let mut keys: Vec<usize> = candidate
        .supporting
        .iter()
        .filter_map(|support| {
            let key = key(support);
            around.subjects.iter().position(|subject| subject.key == key)
        })
        .collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.len() < 2 {
        return Err("it rests on one source, which cannot meet another".to_owned());
    }
    let mut pairs: Vec<(usize, usize, Seen)> = Vec::new();
    for (n, a) in keys.iter().enumerate() {
        pairs.extend(keys[n + 1..].iter().map(|b| (*a, *b, around.seen(*a, *b))));
    }
    let why = match candidate.kind {
        InsightKind::CrossRef => cross_ref(candidate, &pairs, around),
        InsightKind::Pattern => pattern(candidate),
        InsightKind::Synthesis => synthesis(candidate),
        InsightKind::TensionResolution => resolution(candidate, around),
    }?;
    let name = |at: usize| around.subjects[at].name.as_str();
    let told: Vec<(String, Seen)> = pairs
        .iter()
        .map(|(a, b, seen)| (format!("{} and {}", name(*a), name(*b)), *seen))
        .collect();
    Ok(Ruling { why, explained: explained(&told, around.corpus.pool, around.runs.pool) })
}

/// Distant ranges of a text with records, or authors or documents that do not usually meet.
fn cross_ref(
    candidate: &Candidate,
    pairs: &[(usize, usize, Seen)],
    around: &Around<'_>,
) -> Result<String, String> {
    let pool = around.pool();
    if pool < LEAST_POOL {
        return Err(format!(
            "among {} nothing can be called rare",
            count(pool as usize, "document")
        ));
    }
    let of = |at: usize| {
        let key = &around.subjects[at].key;
        candidate.supporting.iter().find(|support| self::key(support) == *key)
    };
    let far = |(a, b, seen): &&(usize, usize, Seen)| {
        let apart = match (of(*a), of(*b)) {
            (Some(one), Some(other)) => match (record(one), record(other)) {
                (Some(one), Some(other)) => book(one) != book(other),
                _ => one.voice() != other.voice(),
            },
            _ => false,
        };
        apart && seen.together.saturating_mul(RARE) <= pool
    };
    let rarest = pairs.iter().filter(far).min_by_key(|(a, b, seen)| (seen.together, *a, *b));
    let Some((a, b, seen)) = rarest else {
        return Err(
            "its sources are brought together elsewhere, or stand close together".to_owned()
        );
    };
    Ok(format!(
        "{} and {} are brought together by {} of {} and {}",
        around.subjects[*a].name,
        around.subjects[*b].name,
        seen.together,
        count(around.corpus.pool as usize, "document"),
        count(around.runs.pool as usize, "past run"),
    ))
}

/// Words in common in more than five passages of different sources.
fn pattern(candidate: &Candidate) -> Result<String, String> {
    let mut spread: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for support in &candidate.supporting {
        for stem in content_set(&support.quote) {
            spread.entry(stem).or_default().insert(support.cluster.as_str());
        }
    }
    let shared: Vec<&String> = spread
        .iter()
        .filter(|(_, clusters)| clusters.len() >= RECURS)
        .map(|(stem, _)| stem)
        .collect();
    let passages: BTreeSet<&PassageId> =
        candidate.supporting.iter().map(|support| &support.passage_id).collect();
    let clusters: BTreeSet<&str> =
        candidate.supporting.iter().map(|support| support.cluster.as_str()).collect();
    if passages.len() < RECURS || clusters.len() < RECURS || shared.len() < SHARED {
        return Err(format!(
            "a pattern stands in more than five passages of different sources; this one has {} of {} with {} in common",
            count(passages.len(), "passage"),
            count(clusters.len(), "source"),
            count(shared.len(), "word")
        ));
    }
    Ok(format!(
        "it stands in {} of {}",
        count(passages.len(), "passage"),
        count(clusters.len(), "independent source")
    ))
}

/// Three or more perspectives: authors, or documents where no author is known.
fn synthesis(candidate: &Candidate) -> Result<String, String> {
    let voices: BTreeSet<String> = candidate.supporting.iter().map(Support::voice).collect();
    if voices.len() < PERSPECTIVES {
        return Err(format!(
            "it takes {} together; a synthesis takes three or more perspectives",
            count(voices.len(), "perspective")
        ));
    }
    Ok(format!("it takes {} together", count(voices.len(), "perspective")))
}

/// Both sides of a contradiction that the answer shows, and something besides that may reconcile them.
fn resolution(candidate: &Candidate, around: &Around<'_>) -> Result<String, String> {
    let named: BTreeSet<&PassageId> =
        candidate.supporting.iter().map(|support| &support.passage_id).collect();
    for tension in around.tensions {
        let sides =
            tension.sides.iter().filter(|side| side.iter().any(|id| named.contains(id))).count();
        let besides =
            named.iter().filter(|id| !tension.sides.iter().any(|side| side.contains(**id))).count();
        if sides >= 2 && besides >= 1 {
            return Ok(format!(
                "it names {} of the contradiction about {}, and {} besides",
                count(sides, "side"),
                tension.about,
                count(besides, "passage")
            ));
        }
    }
    Err("it does not name both sides of a contradiction that the answer shows and a passage besides"
        .to_owned())
}
