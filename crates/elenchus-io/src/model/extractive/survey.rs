//! Survey: the voices that speak of what is asked, no author before the others.

use super::bind::Candidate;
use super::lexicon::is_view_verb;
use super::question::Question;
use super::reported::{is_editors, is_reported, says_nothing};
use super::select::Selection;
use super::unit::{EvidenceUnit, Place};
use crate::ingest::passages::NOTES_HEADING;
use std::collections::BTreeMap;

/// Most voices of a survey, and most of one author.
const SURVEY_CAP: usize = 14;
const VOICES_AN_AUTHOR: usize = 2;
/// Coverage from which a passage bears on a survey.
const SURVEY_COVERAGE: f64 = 0.6;
/// How closely the words of a survey question must stand together (1 side by side).
const SURVEY_PROXIMITY: f64 = 0.4;

/// Whether a unit can stand for the person whose view is asked for: written by them, or telling what they say.
fn speaks_for(question: &Question, unit: &EvidenceUnit<'_>, units: &[EvidenceUnit<'_>]) -> bool {
    let Some(holder) = &question.holder else { return true };
    let by = |unit: &EvidenceUnit<'_>| {
        unit.read
            .source
            .author
            .as_ref()
            .is_some_and(|author| author.to_lowercase().contains(holder.as_str()))
    };
    if units.iter().any(by) {
        return by(unit);
    }
    let own: Vec<&str> = unit
        .words
        .iter()
        .filter(|word| word.place == Place::Unit)
        .map(|word| word.word.as_str())
        .collect();
    own.iter().position(|word| word == holder).is_some_and(|at| {
        at.checked_sub(1).is_none_or(|before| {
            !matches!(own[before], "after" | "before" | "against" | "of" | "to" | "with")
        }) && own.iter().skip(at + 1).take(6).any(|word| is_view_verb(word))
    })
}

/// Where the question asks about a will ("free will"), the unit has the noun and not the auxiliary.
fn will_is_meant(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    if question.terms.iter().all(|term| term.word != "will") {
        return true;
    }
    let own: Vec<&str> = unit
        .words
        .iter()
        .filter(|word| word.place == Place::Unit)
        .map(|word| word.word.as_str())
        .collect();
    let narrows = |word: &str| {
        question.terms.iter().any(|term| {
            term.word != "will" && !term.light && term.stem == elenchus_core::text::stem(word)
        }) || matches!(word, "freedom" | "liberty")
    };
    own.iter().enumerate().any(|(at, word)| {
        *word == "will"
            && at > 0
            && (narrows(own[at - 1])
                || (matches!(own[at - 1], "of" | "the" | "his" | "their" | "our" | "own")
                    && own[at.saturating_sub(3)..at - 1].iter().any(|word| narrows(word))))
    })
}

/// Voices: the best of each author first, then second ones, so that no author crowds out another.
pub(super) fn survey(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Selection {
    let voices = |unit: &EvidenceUnit<'_>| speaks_for(question, unit, units);
    let mut by_author: BTreeMap<&str, Vec<&Candidate>> = BTreeMap::new();
    for candidate in all.iter().filter(|c| {
        c.coverage >= SURVEY_COVERAGE
            && c.features.proximity >= SURVEY_PROXIMITY
            && c.names_bound
            && c.missing.is_empty()
            && c.features.exact >= 1.0
            && will_is_meant(question, &units[c.unit])
    }) {
        let unit = &units[candidate.unit];
        // Printed notes are the editor's words, not the author's.
        let notes =
            unit.read.passage.heading_path.last().is_some_and(|heading| heading == NOTES_HEADING);
        let voice = !is_reported(unit.text) && !is_editors(unit.text) && !says_nothing(unit.text);
        if notes
            || unit.is_note
            || !voice
            || !voices(unit)
            || unit.text.split_whitespace().count() < 6
        {
            continue;
        }
        let source = &unit.read.source;
        let author = source.author.as_deref().unwrap_or(source.cluster.as_str());
        by_author.entry(author).or_default().push(candidate);
    }
    let mut answers: Vec<Candidate> = Vec::new();
    for turn in 0..VOICES_AN_AUTHOR {
        let mut round: Vec<&Candidate> =
            by_author.values().filter_map(|list| list.get(turn).copied()).collect();
        round.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
        answers.extend(round.into_iter().cloned());
        if answers.len() >= 6 {
            break;
        }
    }
    answers.truncate(SURVEY_CAP);
    // Oldest first: a reader follows a view through time.
    answers.sort_by_key(|candidate| {
        let source = &units[candidate.unit].read.source;
        (source.date.as_ref().map_or(i64::MAX, |date| date.value.order_key()), candidate.unit)
    });
    Selection { answers, ..Selection::default() }
}
