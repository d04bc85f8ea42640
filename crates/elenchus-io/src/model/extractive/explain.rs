//! Why the model answers as it does: for people, and for the fitting of acceptance.

use super::bind::{self, Candidate};
use super::matching::Commonness;
use super::question::Question;
use super::scene::{Scene, read_as};
use super::unit::evidence_units;
use super::{ExtractiveModel, select};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::port::{CorpusOverview, TermCount};
use std::ops::Range;

/// A unit and how near it comes to a question in meaning: what acceptance by meaning is fitted on.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestInMeaning {
    /// It fits best of those that may answer.
    pub picked: bool,
    /// Names, numbers and periods hold.
    pub may_answer: bool,
    /// The first condition by words that does not hold.
    pub blocked: Option<&'static str>,
    /// The words alone make it the first answer, and how probable it is by them.
    pub given: Option<f64>,
    /// Cosine of question and unit, late interaction, and the answer reader's log-odds.
    pub likeness: [f64; 3],
    /// The words alone give no answer.
    pub left_open: bool,
    /// By name.
    pub features: Vec<(&'static str, f64)>,
    /// The unit as it is read: title of the document, heading, text.
    pub read_as: [String; 3],
    /// The value that binding chose.
    pub value: Option<String>,
    /// The words that the reader marks as the answer.
    pub marked: Option<String>,
    /// The unit as an answer would show it.
    pub quote: String,
}

impl ExtractiveModel {
    /// How the best `most` units stand to a question, one a line: for people who want to know why.
    pub fn explain(
        &self,
        question: &str,
        passages: &[ReadPassage],
        terms: &[TermCount],
        corpus: &CorpusOverview,
        most: usize,
    ) -> Vec<String> {
        let units = evidence_units(passages);
        let common = Commonness::new(terms, corpus.passages);
        let parsed = Question::parse(question, &corpus.subjects);
        let mut lines = vec![format!(
            "expects {:?} ({:?}), counted {:?}, period {:?}, terms {}",
            parsed.expects,
            parsed.kind,
            parsed.counted,
            parsed.period.map(|p| p.to_string()),
            parsed
                .terms
                .iter()
                .map(|t| format!(
                    "{}{}{}",
                    t.word,
                    if t.hard { "!" } else { "" },
                    if t.light { "~" } else { "" }
                ))
                .collect::<Vec<_>>()
                .join(" ")
        )];
        let mut all: Vec<Candidate> = (0..units.len())
            .map(|at| bind::bind(&parsed, at, &units[at], &self.matcher, &common))
            .collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        select::judge(&mut all, &units);
        lines.extend(all.iter().take(most).map(|c| {
            format!(
                "{:.2} {} p {:.2} blocked {:?} names {} cover {:.2} value {:?} missing {:?} | {} | {}",
                c.score,
                if c.accepted {
                    "OK"
                } else if c.eligible {
                    "el"
                } else {
                    "--"
                },
                c.features.probability(),
                c.blocked,
                c.names_bound,
                c.coverage,
                c.value.as_ref().map(|r| &units[c.unit].text[r.clone()]),
                c.missing,
                units[c.unit].read.location(),
                elenchus_core::text::squeeze(units[c.unit].text)
            )
        }));
        lines
    }

    /// The features of the best eligible unit for a question, by name, with its quote: what acceptance is fitted on.
    pub fn features(
        &self,
        question: &str,
        passages: &[ReadPassage],
        terms: &[TermCount],
        corpus: &CorpusOverview,
    ) -> Option<(Vec<(&'static str, f64)>, String)> {
        let units = evidence_units(passages);
        let common = Commonness::new(terms, corpus.passages);
        let parsed = Question::parse(question, &corpus.subjects);
        let mut all: Vec<Candidate> = (0..units.len())
            .map(|at| bind::bind(&parsed, at, &units[at], &self.matcher, &common))
            .collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
        select::judge(&mut all, &units);
        let best = all.iter().find(|c| c.eligible)?;
        // Selection may still take another vintage of the same report.
        let quotes: Vec<String> = all
            .iter()
            .filter(|c| c.eligible && c.score >= best.score - 0.2)
            .filter(|c| units[c.unit].read.source.family == units[best.unit].read.source.family)
            .take(3)
            .map(|c| {
                let unit = &units[c.unit];
                elenchus_core::answer::display_quote(unit.text, &unit.read.passage.table_header)
            })
            .collect();
        let quote = quotes.join(" / ");
        Some((best.features.named().to_vec(), quote))
    }

    /// What acceptance by meaning is fitted on: the unit that would answer by its meaning first, then the others of the
    /// scene; empty where the encoder cannot be used.
    pub fn meaning(
        &self,
        question: &str,
        passages: &[ReadPassage],
        terms: &[TermCount],
        corpus: &CorpusOverview,
    ) -> Vec<NearestInMeaning> {
        let units = evidence_units(passages);
        let common = Commonness::new(terms, corpus.passages);
        let parsed = Question::parse(question, &corpus.subjects);
        let (all, words) = select::by_words(&parsed, &units, &self.matcher, &common);
        let given: Vec<usize> = words.answers.first().iter().map(|answer| answer.unit).collect();
        let Some(scene) = Scene::new(&parsed, &all, &units, &common, &given) else {
            return Vec::new();
        };
        let pick = scene.pick();
        let mut places: Vec<usize> = scene.positions().collect();
        places.sort_by_key(|at| Some(*at) != pick);
        let near = places.into_iter().filter_map(|at| {
            let meaning = scene.features(at)?;
            let unit = &units[all[at].unit];
            let words_at = |at: Range<usize>| unit.text[at].to_owned();
            Some(NearestInMeaning {
                picked: Some(at) == pick,
                may_answer: all[at].open,
                blocked: all[at].blocked,
                given: words
                    .answers
                    .first()
                    .filter(|answer| answer.unit == all[at].unit)
                    .map(|answer| answer.features.probability()),
                likeness: scene.likenesses(at).unwrap_or_default(),
                left_open: words.answers.is_empty(),
                features: meaning.named().to_vec(),
                read_as: read_as(unit),
                value: all[at].value.clone().map(words_at),
                marked: scene.marked(at).map(words_at),
                quote: elenchus_core::answer::display_quote(
                    unit.text,
                    &unit.read.passage.table_header,
                ),
            })
        });
        near.collect()
    }
}
