//! Candidates that code finds alone: cited sources that answer one question and seldom meet, and one pattern of words in
//! passages of many sources.

use super::{Candidate, Support, WordedBy};
use crate::answer::Answer;
use crate::evidence::{ReadPassage, Span};
use crate::inquiry::count;
use crate::prompt::{InsightKind, PlannedQuestion};
use crate::text::{content_set, squeeze};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of cited sources that are looked at.
const PAIRS: usize = 12;
/// Words that two quotes share beyond those of the question.
const SHARED: usize = 2;
/// Sources that a pattern has at least.
const RECURS: usize = 6;
/// Patterns that are given.
const PATTERNS: usize = 2;
/// Words of one sentence that are combined; longer sentences are lists.
const WORDS: usize = 24;

/// What a run has to look at.
pub(crate) struct Material<'a> {
    pub(crate) answer: &'a Answer,
    pub(crate) questions: &'a [PlannedQuestion],
    /// In reading order.
    pub(crate) passages: Vec<&'a ReadPassage>,
    /// Whether issues of one series, as the minutes of two meetings of a board, belong together anyway; since the fourth revision.
    pub(crate) knows_series: bool,
}

/// Candidates in a fixed order; whether they are insights is decided by the rules.
pub(crate) fn candidates(material: &Material<'_>) -> Vec<Candidate> {
    let mut found = meetings(material);
    found.extend(patterns(material));
    found
}

/// Cited quotes of two voices that serve one question and share words which the question does not have.
fn meetings(material: &Material<'_>) -> Vec<Candidate> {
    let mut cited: Vec<(u32, Support, BTreeSet<String>, &str)> = Vec::new();
    for claim in &material.answer.claims {
        for evidence in claim.evidence.iter().filter_map(|at| material.answer.evidence.get(*at)) {
            let mut passages = material.passages.iter();
            let Some(read) = passages.find(|read| read.passage.id == evidence.passage_id) else {
                continue;
            };
            let fact = Some(evidence.fact_id.clone());
            if let Some(support) = Support::of(read, evidence.span, fact) {
                let words = content_set(&support.quote);
                cited.push((claim.question_id, support, words, read.source.family.as_str()));
            }
        }
    }
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    let mut found = Vec::new();
    for (n, (question, one, words, series)) in cited.iter().enumerate() {
        for (other_question, other, other_words, other_series) in &cited[n + 1..] {
            if question != other_question || one.voice() == other.voice() || found.len() == PAIRS {
                continue;
            }
            if material.knows_series && !series.is_empty() && series == other_series {
                continue;
            }
            let Some(asked) = material.questions.iter().find(|asked| asked.id == *question) else {
                continue;
            };
            let asked_words = content_set(&asked.text);
            let shared = words.intersection(other_words).filter(|w| !asked_words.contains(*w));
            if shared.count() < SHARED {
                continue;
            }
            let mut key = [one.voice(), other.voice()];
            key.sort();
            let [a, b] = key;
            if !pairs.insert((a, b)) {
                continue;
            }
            let name =
                |support: &Support| squeeze(support.author.as_deref().unwrap_or(&support.path));
            found.push(Candidate {
                kind: InsightKind::CrossRef,
                text: format!(
                    "{} and {} say related things about \u{201C}{}\u{201D}, and are seldom brought together.",
                    name(one),
                    name(other),
                    squeeze(&asked.text)
                ),
                worded_by: WordedBy::Program,
                supporting: vec![one.clone(), other.clone()],
            });
        }
    }
    found
}

/// Sentences by their ends; good enough to tell which words stand together.
fn sentences(text: &str) -> Vec<Span> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut last = 0;
    let mut ended = false;
    for (at, c) in text.chars().enumerate() {
        last = at + 1;
        if ended && c.is_whitespace() || c == '\n' {
            all.push(Span { start, end: at });
            start = at + 1;
        }
        ended = matches!(c, '.' | '!' | '?' | '\u{201D}' | '"')
            && (ended || matches!(c, '.' | '!' | '?'));
    }
    all.push(Span { start, end: last });
    all.retain(|span| span.end > span.start);
    all
}

/// Three words that stand together in one sentence in passages of more than five independent sources, and are not
/// those that were searched for.
fn patterns(material: &Material<'_>) -> Vec<Candidate> {
    let mut asked: BTreeSet<String> = content_set(&material.answer.question);
    for question in material.questions {
        asked.extend(content_set(&question.text));
        asked.extend(question.queries.iter().flat_map(|query| content_set(query)));
    }
    let mut where_from: Vec<Support> = Vec::new();
    let mut sets: Vec<Vec<String>> = Vec::new();
    let mut spread: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for read in &material.passages {
        for span in sentences(&read.passage.text) {
            let Some(support) = Support::of(read, span, None) else { continue };
            let words: Vec<String> = content_set(&support.quote)
                .into_iter()
                .filter(|word| word.chars().count() > 2 && !word.chars().all(char::is_numeric))
                .collect();
            let bears = words.iter().any(|word| asked.contains(word));
            // What recurs in passages that came up by accident is no news about the question.
            if !bears || words.len() < 3 || words.len() > WORDS || support.quote.contains('|') {
                continue;
            }
            for word in &words {
                spread.entry(word.clone()).or_default().insert(read.source.cluster.as_str());
            }
            sets.push(words);
            where_from.push(support);
        }
    }
    // Only words that recur can make a pattern, which keeps the number of threes small.
    let common: BTreeSet<&str> = spread
        .iter()
        .filter(|(_, clusters)| clusters.len() >= RECURS)
        .map(|(word, _)| word.as_str())
        .collect();
    let mut threes: BTreeMap<[&str; 3], Vec<usize>> = BTreeMap::new();
    for (at, words) in sets.iter().enumerate() {
        let words: Vec<&str> =
            words.iter().map(String::as_str).filter(|word| common.contains(word)).collect();
        for (i, a) in words.iter().enumerate() {
            for (j, b) in words.iter().enumerate().skip(i + 1) {
                for c in &words[j + 1..] {
                    let new = [a, b, c].iter().filter(|word| !asked.contains(***word)).count();
                    if new >= 2 {
                        threes.entry([a, b, c]).or_default().push(at);
                    }
                }
            }
        }
    }
    let mut ranked: Vec<([&str; 3], Vec<usize>)> = threes
        .into_iter()
        .map(|(words, mut places)| {
            // One sentence a source.
            let mut seen = BTreeSet::new();
            places.retain(|at| seen.insert(where_from[*at].cluster.clone()));
            (words, places)
        })
        .filter(|(_, places)| places.len() >= RECURS)
        .collect();
    ranked.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for (words, places) in &ranked {
        if found.len() == PATTERNS || words.iter().filter(|word| taken.contains(**word)).count() > 1
        {
            continue;
        }
        taken.extend(words);
        // As the first sentence has them, not as stems.
        let said: Vec<String> = words
            .iter()
            .map(|stem| {
                let first = &where_from[places[0]].quote;
                crate::text::words(first)
                    .into_iter()
                    .find(|word| content_set(word).contains(*stem))
                    .unwrap_or_else(|| (*stem).to_owned())
            })
            .collect();
        found.push(Candidate {
            kind: InsightKind::Pattern,
            text: format!(
                "{} that were read put the words \u{201C}{}\u{201D} into one sentence.",
                count(places.len(), "independent source"),
                said.join("\u{201D}, \u{201C}")
            ),
            worded_by: WordedBy::Program,
            supporting: places.iter().map(|at| where_from[*at].clone()).collect(),
        });
    }
    found
}
