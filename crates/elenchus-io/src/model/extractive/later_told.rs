//! Later told: where one statement answers and the reader says that a later one answers as well, the later one is what is so now, in
//! whatever words it says it; and what a rule puts in the place of an answer has to be one by the reader's word, too.

use super::bind::Candidate;
use super::later_figures::{hold, replace, when};
use super::later_parts::is_of_now;
use super::meaning::{FAIR, value};
use super::overruled;
use super::question::{Expects, Question};
use super::reader::AnswerReader;
use super::scene::{Scene, read_as};
use super::select::{Selection, differs};
use super::unit::EvidenceUnit;
use crate::ingest::UnitKind;
use elenchus_core::text::words;

/// Share of the nouns of a question that the later statement has to bind; nearly all where it names somebody or a place, since a board has
/// more offices than one.
const OF_THE_THING: f64 = 0.5;
const OF_ALL_OF_IT: f64 = 0.95;
/// Log-odds, read alone under its headings, from which a statement may take the place of an answer.
const MAY_ANSWER: f64 = -2.0;

/// Words by which a statement says that it puts another one right.
const SAYS_RIGHT: [&str; 7] =
    ["right", "correct", "corrected", "correction", "wrong", "erratum", "instead"];

/// The latest of the statements that answer as well as the chosen one and say otherwise; nothing where the order is not known.
pub(super) fn latest(
    question: &Question,
    scene: &Scene<'_>,
    chosen: usize,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<usize> {
    let tells = matches!(question.expects, Expects::YesNo | Expects::Reason | Expects::Any);
    let old = &all[chosen];
    if tells || !is_of_now(question) || old.kind.is_none() || old.compared.is_some() {
        return None;
    }
    let is_told = |one: &Candidate| {
        let unit = &units[one.unit];
        matches!(unit.kind, UnitKind::Sentence | UnitKind::Item) && unit.read.source.web.is_none()
    };
    let counts = question.expects.is_figure() || question.expects == Expects::Date;
    let share = if counts { OF_THE_THING } else { OF_ALL_OF_IT };
    let said = when(old, units).filter(|_| is_told(old))?;
    let later = scene.answering_too(chosen).into_iter().filter_map(|at| {
        let other = &all[at];
        let its = when(other, units)?;
        let fits = is_told(other)
            && other.kind == old.kind
            && other.names_bound
            && !other.planned
            && other.qualifier == old.qualifier
            && other.features.noun >= share
            && its > said
            && differs(other, old, units);
        fits.then_some((its, at))
    });
    later.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, at)| at)
}

/// Puts that latest one in the place of the answer, which is of fair bearing at most. Gives its position.
pub(super) fn take(
    question: &Question,
    scene: &Scene<'_>,
    chosen: usize,
    weighed: f64,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<usize> {
    let [_] = selection.answers.as_slice() else { return None };
    let later = latest(question, scene, chosen, all, units)?;
    let value = value(question, &all[later], scene.marked(later), units);
    let told = Candidate { value, accepted: true, ..all[later].clone() };
    replace(selection, Candidate { weighed: Some(weighed.min(FAIR)), ..told });
    Some(later)
}

/// What rules put in the place of an answer, as `overruled::overrule` and `later_figures::hold` find it, where the reader lets it
/// answer; otherwise all stays as it was. Gives the units that rest on the first, if it found any, and those that the second was judged by.
pub(super) fn overrule(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> (Option<Vec<usize>>, Vec<usize>) {
    let Some(old) = selection.answers.first().map(|one| one.unit) else {
        return (overruled::overrule(question, selection, all, units), Vec::new());
    };
    let (answers, conflicts) = (selection.answers.clone(), selection.conflicts.clone());
    let superseded = selection.superseded.clone();
    let rests = overruled::overrule(question, selection, all, units);
    let judged_by =
        if rests.is_none() { hold(question, selection, all, units) } else { Vec::new() };
    // A yes that becomes a no is no statement of its own.
    let turns = question.expects == Expects::YesNo;
    let stands = match selection.answers.first() {
        Some(new) => new.unit == old || turns || may_answer(question, new, units),
        None => turns,
    };
    if stands {
        return (rests, judged_by);
    }
    (selection.answers, selection.conflicts) = (answers, conflicts);
    selection.superseded = superseded;
    (None, Vec::new())
}

/// Whether the reader lets a statement answer, shown alone under its headings, or behind what it goes on from if it then marks the value
/// that is told. Where the reader cannot be used, rules decide.
pub(super) fn may_answer(
    question: &Question,
    told: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> bool {
    let unit = &units[told.unit];
    // "The right number is 1,240" says of itself what it stands for; read alone it answers nothing.
    if words(unit.text).iter().any(|word| SAYS_RIGHT.contains(&word.as_str())) {
        return true;
    }
    let [title, heading, whole] = read_as(unit);
    let under = AnswerReader::under(&title, &heading);
    let Ok(reader) = AnswerReader::builtin() else { return true };
    let alone = reader.read(&question.text, &under, unit.text);
    if alone.is_ok_and(|read| read.answers >= MAY_ANSWER) {
        return true;
    }
    // "It will be built of larch" answers only behind the sentence that says what "it" is.
    let value = told.value.as_ref().and_then(|at| unit.text.get(at.clone()));
    reader.read(&question.text, &under, &whole).is_ok_and(|read| {
        let marked = read.words.and_then(|at| whole.get(at)).zip(value);
        let tells = marked.is_some_and(|(own, value)| own.contains(value) || value.contains(own));
        read.answers >= MAY_ANSWER && tells
    })
}
