//! Survey: the voices that speak of what is asked, no author before the others.

use super::bind::Candidate;
use super::lexicon::is_view_verb;
use super::matching::Matcher;
use super::meaning::FAIR;
use super::question::Question;
use super::reported::{is_editors, is_reported, says_nothing};
use super::select::Selection;
use super::thesis::{says, thesis};
use super::unit::{EvidenceUnit, Place};
use crate::ingest::passages::NOTES_HEADING;
use std::collections::{BTreeMap, BTreeSet};

/// Most voices of a survey, and most of one author.
const SURVEY_CAP: usize = 14;
const VOICES_AN_AUTHOR: usize = 2;
/// Coverage from which a passage bears on a survey.
const SURVEY_COVERAGE: f64 = 0.6;
/// How closely the words of a survey question must stand together (1 side by side).
const SURVEY_PROXIMITY: f64 = 0.4;
/// Words of the shortest voice.
const SHORTEST: usize = 6;
/// So many words more make a voice as much less plain as a grade of saying it does.
const LENGTH: f64 = 60.0;
/// As many authors have to say it outright for that to count, and as many for nobody else to be asked.
const FEWEST_AUTHORS: usize = 2;
const ENOUGH_AUTHORS: usize = 5;

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

/// Whether a unit is somebody's own word.
fn is_voice(question: &Question, unit: &EvidenceUnit<'_>, units: &[EvidenceUnit<'_>]) -> bool {
    // Printed notes are the editor's words, not the author's.
    let notes =
        unit.read.passage.heading_path.last().is_some_and(|heading| heading == NOTES_HEADING);
    let own = !is_reported(unit.text) && !is_editors(unit.text) && !says_nothing(unit.text);
    own && !notes
        && !unit.is_note
        && speaks_for(question, unit, units)
        && unit.text.split_whitespace().count() >= SHORTEST
}

/// Who speaks in a unit.
fn author<'a>(unit: &EvidenceUnit<'a>) -> &'a str {
    let source = &unit.read.source;
    source.author.as_deref().unwrap_or(source.cluster.as_str())
}

/// Units that say outright what the question asks whether people held it, the plainest and then the shortest first; none where
/// too few authors do.
fn outright<'c>(
    question: &Question,
    all: &'c [Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Option<Vec<&'c Candidate>> {
    let thesis = thesis(question)?;
    let mut said: Vec<(f64, &Candidate)> = all
        .iter()
        .filter(|candidate| is_voice(question, &units[candidate.unit], units))
        .filter_map(|candidate| {
            let unit = &units[candidate.unit];
            let length = unit.text.split_whitespace().count() as f64;
            Some((says(&thesis, unit, matcher)? - length / LENGTH, candidate))
        })
        .collect();
    said.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.unit.cmp(&b.1.unit)));
    let authors: BTreeSet<&str> = said.iter().map(|(_, one)| author(&units[one.unit])).collect();
    let enough = authors.len() >= FEWEST_AUTHORS;
    enough.then(|| said.into_iter().map(|(_, candidate)| candidate).collect())
}

/// Voices: the best of each author first, then second ones, so that no author crowds out another.
pub(super) fn survey(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Selection {
    let outright = outright(question, all, units, matcher).unwrap_or_default();
    let plain: BTreeSet<usize> = outright.iter().map(|one| one.unit).collect();
    let authors: BTreeSet<&str> = outright.iter().map(|one| author(&units[one.unit])).collect();
    let mut found = outright;
    if authors.len() < ENOUGH_AUTHORS {
        let bears = |c: &&Candidate| {
            c.coverage >= SURVEY_COVERAGE
                && c.features.proximity >= SURVEY_PROXIMITY
                && c.names_bound
                && c.missing.is_empty()
                && c.features.exact >= 1.0
                && will_is_meant(question, &units[c.unit])
                && is_voice(question, &units[c.unit], units)
                && !authors.contains(author(&units[c.unit]))
        };
        let others: Vec<&Candidate> = all.iter().filter(bears).collect();
        if plain.is_empty() {
            found = others;
        } else {
            // Beside those who say it outright only as many others as make up enough, and such as sign what they say.
            let mut heard = authors;
            for one in others {
                let unit = &units[one.unit];
                let signs = unit.read.source.author.is_some();
                if signs && heard.len() < ENOUGH_AUTHORS && heard.insert(author(unit)) {
                    found.push(one);
                }
            }
        }
    }
    let mut by_author: BTreeMap<&str, Vec<&Candidate>> = BTreeMap::new();
    let mut rank: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, candidate) in found.into_iter().enumerate() {
        rank.insert(candidate.unit, at);
        by_author.entry(author(&units[candidate.unit])).or_default().push(candidate);
    }
    let mut answers: Vec<Candidate> = Vec::new();
    for turn in 0..VOICES_AN_AUTHOR {
        let mut round: Vec<&Candidate> =
            by_author.values().filter_map(|list| list.get(turn).copied()).collect();
        // As they were found: by score, or the plainest first.
        round.sort_by_key(|candidate| rank.get(&candidate.unit).copied());
        answers.extend(round.into_iter().cloned().map(|candidate| Candidate {
            weighed: if plain.contains(&candidate.unit) { Some(FAIR) } else { candidate.weighed },
            ..candidate
        }));
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
