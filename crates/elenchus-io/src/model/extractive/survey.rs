//! Survey: the voices that speak of what is asked, no author before the others.

use super::bind::Candidate;
use super::lexicon::is_view_verb;
use super::matching::Matcher;
use super::meaning::FAIR;
use super::question::Question;
use super::reported::{is_editors, is_reported, says_nothing};
use super::select::Selection;
use super::thesis::{denies, says, thesis};
use super::unit::{EvidenceUnit, Place};
use crate::ingest::passages::NOTES_HEADING;
use std::collections::{BTreeMap, BTreeSet};

/// Most voices of a survey, and most of one author.
const SURVEY_CAP: usize = 14;
const VOICES_AN_AUTHOR: usize = 2;
/// Most voices that deny what is asked, of one author each.
const DENIERS_CAP: usize = SURVEY_CAP / 2;
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
/// `signed`: they wrote some of what was found.
fn speaks_for(question: &Question, unit: &EvidenceUnit<'_>, signed: bool) -> bool {
    let Some(holder) = &question.holder else { return true };
    if signed {
        return is_by(holder, unit);
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

/// Whether a unit is of what somebody wrote.
fn is_by(holder: &str, unit: &EvidenceUnit<'_>) -> bool {
    let author = unit.read.source.author.as_ref();
    author.is_some_and(|author| author.to_lowercase().contains(holder))
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
fn is_voice(question: &Question, unit: &EvidenceUnit<'_>, signed: bool) -> bool {
    // Printed notes are the editor's words, not the author's.
    let notes =
        unit.read.passage.heading_path.last().is_some_and(|heading| heading == NOTES_HEADING);
    let own = !is_reported(unit.text) && !is_editors(unit.text) && !says_nothing(unit.text);
    own && !notes
        && !unit.is_note
        && speaks_for(question, unit, signed)
        && unit.text.split_whitespace().count() >= SHORTEST
}

/// Who speaks in a unit.
fn author<'a>(unit: &EvidenceUnit<'a>) -> &'a str {
    let source = &unit.read.source;
    source.author.as_deref().unwrap_or(source.cluster.as_str())
}

/// Units that say something as plainly as `how` tells, the plainest and then the shortest first.
fn plainest<'c>(
    all: &'c [Candidate],
    units: &[EvidenceUnit<'_>],
    how: impl Fn(&EvidenceUnit<'_>) -> Option<f64>,
) -> Vec<&'c Candidate> {
    let mut said: Vec<(f64, &Candidate)> = all
        .iter()
        .filter_map(|candidate| {
            let unit = &units[candidate.unit];
            let plain = how(unit)?;
            let length = unit.text.split_whitespace().count() as f64;
            Some((plain - length / LENGTH, candidate))
        })
        .collect();
    said.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.unit.cmp(&b.1.unit)));
    said.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Units that say outright what the question asks whether people held it, none where too few authors do, and the plainest unit of
/// each author that denies it.
fn outright<'c>(
    question: &Question,
    all: &'c [Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
    signed: bool,
) -> (Vec<&'c Candidate>, Vec<&'c Candidate>) {
    let Some(thesis) = thesis(question) else { return (Vec::new(), Vec::new()) };
    let voice = |unit: &EvidenceUnit<'_>| is_voice(question, unit, signed);
    let mut said =
        plainest(all, units, |unit| says(&thesis, unit, matcher).filter(|_| voice(unit)));
    let authors: BTreeSet<&str> = said.iter().map(|one| author(&units[one.unit])).collect();
    if authors.len() < FEWEST_AUTHORS {
        said.clear();
    }
    let mut denied =
        plainest(all, units, |unit| denies(&thesis, unit, matcher).filter(|_| voice(unit)));
    let mut heard: BTreeSet<&str> = BTreeSet::new();
    denied.retain(|one| heard.insert(author(&units[one.unit])));
    (said, denied)
}

/// Voices: the best of each author first, then second ones, so that no author crowds out another.
pub(super) fn survey(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Selection {
    let holder = question.holder.as_ref();
    let signed = holder.is_some_and(|holder| units.iter().any(|unit| is_by(holder, unit)));
    let (outright, mut denied) = outright(question, all, units, matcher, signed);
    denied.truncate(DENIERS_CAP);
    let denying: BTreeSet<usize> = denied.iter().map(|one| one.unit).collect();
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
                && is_voice(question, &units[c.unit], signed)
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
        if !denying.contains(&candidate.unit) {
            by_author.entry(author(&units[candidate.unit])).or_default().push(candidate);
        }
    }
    // Who denies it is heard however many others say it.
    let weigh = |candidate: &Candidate| {
        let outright = plain.contains(&candidate.unit)
            || !plain.is_empty() && denying.contains(&candidate.unit);
        let weighed = if outright { Some(FAIR) } else { candidate.weighed };
        Candidate { weighed, ..candidate.clone() }
    };
    let mut answers: Vec<Candidate> = denied.into_iter().map(weigh).collect();
    for turn in 0..VOICES_AN_AUTHOR {
        let mut round: Vec<&Candidate> =
            by_author.values().filter_map(|list| list.get(turn).copied()).collect();
        // As they were found: by score, or the plainest first.
        round.sort_by_key(|candidate| rank.get(&candidate.unit).copied());
        answers.extend(round.into_iter().map(weigh));
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

#[cfg(test)]
mod tests {
    use super::super::bind::bind;
    use super::super::matching::Commonness;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::ReadPassage;

    const DENIES: &str = "To us of the mill Orlanda was not holy, and we keep away.";
    const NEITHER: &str = "Orlanda sold bread beside the holy well for nine years.";

    /// What is shown of letters, each by somebody else.
    fn shown(letters: &[&str]) -> Vec<String> {
        let letter = |(at, text): (usize, &&str)| {
            let mut letter = document(&format!("letter{at}"), "Letter", text);
            letter.source.author = Some(format!("Writer {at}"));
            letter
        };
        let passages: Vec<ReadPassage> = letters.iter().enumerate().map(letter).collect();
        let units = evidence_units(&passages);
        let question = Question::parse("Did the early church believe that Orlanda was holy?", &[]);
        let (matcher, common) = (Matcher::new(), Commonness::new(&[], 20));
        let all: Vec<Candidate> = units
            .iter()
            .enumerate()
            .map(|(at, unit)| bind(&question, at, unit, &matcher, &common))
            .collect();
        let found = survey(&question, &all, &units, &matcher);
        found.answers.iter().map(|one| units[one.unit].text.to_owned()).collect()
    }

    #[test]
    fn who_denies_it_is_heard_beside_those_who_say_it() {
        let affirm = [
            "We hold that Orlanda is holy and good to us all.",
            "We in the valley know that Orlanda is holy.",
            "Nobody here forgets that Orlanda is holy.",
            "We sing each spring that Orlanda is holy.",
            "It is plain to me that Orlanda is holy.",
        ];
        let has = |all: &[String], text: &str| all.iter().any(|one| one == text);
        let five = shown(&[&affirm[..], &[DENIES, NEITHER]].concat());
        assert!(affirm.iter().all(|text| has(&five, text)), "{five:?}");
        assert!(has(&five, DENIES) && !has(&five, NEITHER), "{five:?}");
        let two = shown(&[affirm[0], affirm[1], DENIES]);
        assert!(has(&two, affirm[0]) && has(&two, DENIES), "{two:?}");
    }
}
