//! Selection: which candidates answer, which are older, which disagree, and what comes near without answering.

use super::amended::changed_since;
use super::asked_past::asks_for_the_old;
use super::bind::{Candidate, bind};
use super::cells::{is_one_counted, shut, unstated};
use super::changes;
use super::digest::{BEARS_LOOSELY, digest, is_firm};
use super::earlier;
use super::ends::is_hour_of_deed;
use super::expects::asked_unit;
use super::extremes::{extreme, is_comparison_unsaid};
use super::in_force::in_force;
use super::later_told;
use super::matching::{Commonness, Matcher};
use super::meaning;
use super::measures::measures;
use super::moved::moved_since;
use super::no_longer::said_since;
use super::once;
use super::overview::several;
use super::periods::as_of;
use super::question::{Expects, Question};
use super::rows::{rows, rows_with_cell, steps};
use super::slipped::{lapsed, slipped};
use super::spans::first_part;
use super::split::capitalise;
use super::succession::succeed;
use super::survey::survey;
use super::unit::EvidenceUnit;
use super::values::ValueKind;
use super::verses::Cited;
use super::vintages::{self, MOST_OLDER};
use super::witnesses;
use crate::ingest::UnitKind;
use elenchus_core::evidence::PartialDate;
use elenchus_core::prompt::{Polarity, QuestionKind};
use elenchus_core::scrutiny::fallacy::{Language, question_language};
use elenchus_core::text::{content_set, jaccard, words};
use std::collections::BTreeSet;

/// How far below the best candidate another may score and still speak of the same thing.
pub(super) const BAND: f64 = 0.08;
/// The same for another vintage of the same report.
pub(super) const FAMILY_BAND: f64 = 0.22;
/// How far a unit without a fitting value may outscore the best one that has one.
const PLAINER: f64 = 0.16;
/// How near in score two statements of the same must be to be set against each other by their words alone.
pub(super) const AS_CLOSE: f64 = 0.06;
/// Most statements that are set against an answer.
pub(super) const MOST_CONFLICTS: usize = 3;
/// Words of a denial that the question does not have: more of them may narrow what is denied.
const MORE_SAID: usize = 1;
/// Most items of a list.
const LIST_CAP: usize = 10;

/// What was selected for one question. Numbers are positions in the list of candidates.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) answers: Vec<Candidate>,
    pub(crate) conflicts: Vec<Candidate>,
    pub(crate) superseded: Vec<Candidate>,
    /// What came nearest, best first, when nothing answers.
    pub(crate) nearest: Vec<Candidate>,
    /// Candidates worth keeping in mind as relevant.
    pub(crate) relevant: Vec<usize>,
}

/// Judges all units against a question and selects.
pub(crate) fn select(
    question: &Question,
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
    common: &Commonness,
) -> Selection {
    // Its words are read as English ones: what they happen to fit is no answer.
    if question_language(&question.text) == Language::Other {
        return Selection::default();
    }
    let of_now = as_of_now(question, units);
    let question = of_now.as_ref().unwrap_or(question);
    let (all, mut selection) = by_words(question, units, matcher, common);
    let counted = question.counted.is_some() || asked_unit(&question.text).is_some();
    let listed = || {
        rows(question, &all, units, matcher)
            .or_else(|| steps(question, &all, units, matcher))
            .or_else(|| measures(question, &all, units, matcher))
    };
    if !counted && let Some(answers) = listed() {
        selection = Selection { answers, ..Selection::default() };
    }
    // The most and the least are told by all rows together, where no statement says which one it is.
    let told = selection.answers.first();
    let unsaid = told.is_none_or(|one| is_comparison_unsaid(question, &units[one.unit]));
    let mut compared = Vec::new();
    if let Some(most) = extreme(question, &all, units).filter(|_| unsaid) {
        selection = Selection { answers: vec![most.answer], ..Selection::default() };
        compared = most.compared;
    }
    if let Some((new, old)) = slipped(question, &all, units) {
        selection = Selection { answers: vec![new], superseded: vec![old], ..Selection::default() };
    } else if let Some(old) = lapsed(question, &selection, &all, units) {
        selection = Selection { superseded: vec![old], ..Selection::default() };
    }
    earlier::assure(question, &mut selection, &all, units);
    // Words have spoken; where they gave nothing, or little, the meaning of whole sentences is asked.
    let rivals = meaning::reconsider(question, &mut selection, &all, units, common);
    let (overruled, judged_by) = later_told::overrule(question, &mut selection, &all, units);
    compared.extend(judged_by);
    if let Some(rests) = overruled {
        compared.extend(rests);
    } else if let [chosen] = selection.answers.as_slice()
        && let Some(changed) = changed_since(question, chosen, &all, units)
            .or_else(|| said_since(question, chosen, &all, units))
            .or_else(|| moved_since(question, chosen, &all, units))
    {
        // The older statement was judged; what became of its value is told by one that need not bind the question as well.
        let older = std::mem::replace(&mut selection.answers[0], changed);
        selection.conflicts.retain(|other| other.unit != selection.answers[0].unit);
        selection.superseded.push(older);
    } else if let [chosen] = selection.answers.as_slice() {
        let beside = changes::told_beside(question, chosen, &all, units).filter(|other| {
            let told = selection.conflicts.iter().chain(&selection.superseded);
            told.map(|one| one.unit).all(|unit| unit != other.unit)
        });
        selection.answers.extend(beside);
    }
    let nothing = selection.answers.is_empty() && selection.superseded.is_empty();
    if nothing && let Some(found) = in_force(question, &all, units) {
        selection = Selection { answers: vec![found], ..Selection::default() };
    }
    let answer = selection.answers.first();
    if counted
        && answer.is_none_or(|one| is_one_counted(question, &units[one.unit]))
        && let Some(answers) = rows(question, &all, units, matcher)
    {
        // No statement counts them: the rows themselves are shown.
        selection = Selection { answers, ..Selection::default() };
    }
    let with_cell = rows_with_cell(question, &all, units);
    if selection.answers.is_empty() && selection.superseded.is_empty() && with_cell.len() == 1 {
        selection = Selection { answers: with_cell.clone(), ..Selection::default() };
    }
    if selection.answers.is_empty() && selection.superseded.is_empty() {
        selection.answers = spoken_of(question, units, matcher, common);
    }
    compared.extend(succeed(question, &mut selection, &all, units));
    compared.extend(earlier::hold_to_then(question, &mut selection, &all, units));
    selection.relevant = all
        .iter()
        .filter(|candidate| candidate.names_bound && candidate.coverage >= 0.45)
        .take(12)
        .map(|candidate| candidate.unit)
        .collect();
    for chosen in selection.answers.iter().chain(&selection.conflicts).chain(&selection.superseded)
    {
        if !selection.relevant.contains(&chosen.unit) {
            selection.relevant.push(chosen.unit);
        }
    }
    // What the meaning was judged against goes along, so that a later look at the relevant passages alone judges alike: a second
    // row with the same cell, a row that states what another leaves open, and all rows that were compared, too.
    let alike = with_cell.iter().take(2).map(|one| one.unit);
    let stated = unstated(question, units).into_iter().map(|(_, stated)| stated).take(1);
    for rival in rivals.into_iter().chain(alike).chain(stated).chain(compared) {
        if !selection.relevant.contains(&rival) {
            selection.relevant.push(rival);
        }
    }
    if selection.answers.is_empty() && selection.nearest.is_empty() {
        let bound = |candidate: &&Candidate| {
            candidate.names_bound && candidate.coverage >= 0.5 && !candidate.matched.is_empty()
        };
        selection.nearest = all.iter().find(bound).cloned().into_iter().collect();
    }
    selection
}

/// All candidates, best first, and what the words alone select.
pub(super) fn by_words(
    question: &Question,
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
    common: &Commonness,
) -> (Vec<Candidate>, Selection) {
    let mut all: Vec<Candidate> = units
        .iter()
        .enumerate()
        .map(|(at, unit)| bind(question, at, unit, matcher, common))
        .collect();
    for (row, why) in shut(question, units, matcher) {
        all[row].eligible = false;
        all[row].open = false;
        all[row].blocked = Some(why);
    }
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
    judge(&mut all, units);
    let voices = match &question.overview {
        Some(kind) => Some(digest(question, kind, &all, units, matcher, common)),
        None => {
            (question.kind == QuestionKind::Survey).then(|| survey(question, &all, units, matcher))
        }
    };
    let voices = voices.map(|voices| match &question.holder {
        Some(holder) if voices.answers.is_empty() => {
            told_of(question, holder, units, matcher, common)
        }
        _ => voices,
    });
    // What nobody speaks of is no lookup either: the nearest statement is about something else.
    let voices = voices.filter(|voices| {
        !voices.answers.is_empty() || question.holder.is_some() || question.overview.is_some()
    });
    let selection = voices.unwrap_or_else(|| {
        // No voice speaks closely enough: one statement may still answer.
        witnesses::decide(question, lookup(question, &all, units), &all, units)
    });
    (all, selection)
}

/// "Who are our competitors?", where no one statement tells: what is said of competitors, in that word, each a weak answer.
fn spoken_of(
    question: &Question,
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
    common: &Commonness,
) -> Vec<Candidate> {
    let topic = (question.kind == QuestionKind::Lookup).then(|| several(&question.text)).flatten();
    let Some(topic) = topic else { return Vec::new() };
    let mut said = said_of(&topic, units, matcher, common).answers;
    said.retain(is_firm);
    for one in &mut said {
        one.weighed = Some(BEARS_LOOSELY);
    }
    said
}

/// What the documents say of a topic.
fn said_of(
    topic: &str,
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
    common: &Commonness,
) -> Selection {
    let about = Question::parse(&format!("Tell me about {topic}"), &[]);
    let Some(kind) = &about.overview else { return Selection::default() };
    let all: Vec<Candidate> = units
        .iter()
        .enumerate()
        .map(|(at, unit)| bind(&about, at, unit, matcher, common))
        .collect();
    digest(&about, kind, &all, units, matcher, common)
}

/// What others tell of somebody's view, where nothing that they wrote themselves is at hand: statements that name them and the
/// matter.
fn told_of(
    question: &Question,
    holder: &str,
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
    common: &Commonness,
) -> Selection {
    let written = |unit: &EvidenceUnit<'_>| {
        let author = unit.read.source.author.as_ref();
        author.is_some_and(|author| author.to_lowercase().contains(holder))
    };
    if units.iter().any(written) {
        return Selection::default();
    }
    let matter: Vec<&str> = question
        .terms
        .iter()
        .filter(|term| !term.light && term.word != holder)
        .map(|term| term.word.as_str())
        .collect();
    if matter.is_empty() {
        return Selection::default();
    }
    let topic = format!("{} {}", capitalise(holder), matter.join(" "));
    said_of(&topic, units, matcher, common)
}

/// Sets each candidate's margin over the best of another report, and judges whether it may answer.
pub(crate) fn judge(all: &mut [Candidate], units: &[EvidenceUnit<'_>]) {
    let eligible: Vec<(usize, f64, Vec<String>)> =
        all.iter().filter(|c| c.eligible).map(|c| (c.unit, c.score, c.matched.clone())).collect();
    for candidate in all.iter_mut().filter(|c| c.eligible) {
        let home = &units[candidate.unit].read.source.family;
        let other = eligible
            .iter()
            .filter(|(unit, score, matched)| {
                // Another witness of the same is no rival.
                let agrees =
                    *matched == candidate.matched && (score - candidate.score).abs() < BAND;
                *unit != candidate.unit && units[*unit].read.source.family != *home && !agrees
            })
            .map(|(_, score, _)| *score)
            .fold(0.0, f64::max);
        candidate.features.margin = (candidate.score - other).clamp(-0.5, 0.5);
        candidate.accepted = candidate.sure || candidate.features.accepts();
    }
}

fn lookup(question: &Question, all: &[Candidate], units: &[EvidenceUnit<'_>]) -> Selection {
    let newest = units
        .iter()
        .filter_map(|unit| unit.read.source.date.as_ref())
        .map(|date| date.value.order_key())
        .max();
    let accepted: Vec<&Candidate> = all
        .iter()
        .filter(|candidate| {
            candidate.accepted && !(question.future && is_past(candidate, units, newest))
        })
        .collect();
    let Some(best) = accepted.first().copied() else { return Selection::default() };
    // The unit that speaks of the thing lacks the value: a distant one that has a value is about something else.
    let plainer = all.iter().find(|candidate| candidate.names_bound && !candidate.eligible);
    if plainer.is_some_and(|plainer| plainer.score > best.score + PLAINER) {
        return Selection::default();
    }
    if question.expects == Expects::List {
        return Selection { answers: list(question, best, all, units), ..Selection::default() };
    }
    let family = |candidate: &Candidate| units[candidate.unit].read.source.family.as_str();
    // Candidates that speak of the same thing: close to the best, or another vintage of its report.
    let peers: Vec<&Candidate> = accepted
        .iter()
        .copied()
        .filter(|candidate| {
            let band = if family(candidate) == family(best) { FAMILY_BAND } else { BAND };
            candidate.score >= best.score - band
                && same_kind(candidate, best)
                && candidate.planned == best.planned
        })
        .collect();
    let chosen = if question.period.is_some() {
        vintages::newest(question, best, &peers, units)
    } else {
        let newest = |candidate: &&Candidate| currency(candidate, units);
        let pick = if question.past {
            peers.iter().copied().min_by_key(newest)
        } else {
            // The newest wins; of the same date the best score.
            peers.iter().copied().max_by(|a, b| {
                newest(a)
                    .cmp(&newest(b))
                    .then(a.score.total_cmp(&b.score))
                    .then(b.unit.cmp(&a.unit))
            })
        };
        pick.unwrap_or(best)
    };
    // A better binding beats a newer date unless the newer one is the same report or speaks of the same words.
    let chosen = if family(chosen) != family(best)
        && chosen.score < best.score - 0.02
        && !units[best.unit].is_superseded()
        && !same_words(chosen, best)
    {
        best
    } else {
        chosen
    };
    // What was done at an hour is not outdated by what its document tells of later.
    let one_document = units[chosen.unit].read.source.id == units[best.unit].read.source.id;
    let chosen = if one_document && is_hour_of_deed(question, best, units) { best } else { chosen };
    let chosen = once::current(question, chosen, &accepted, units).unwrap_or(chosen);
    // A document that is out of date by its own word never gives the current value.
    let stale = units[chosen.unit].is_superseded()
        && question.period.is_none()
        && !question.past
        && !asks_for_the_old(question);
    let current = all.iter().find(|candidate| {
        candidate.eligible
            && !units[candidate.unit].is_superseded()
            && same_kind(candidate, chosen)
            && candidate.score >= chosen.score - FAMILY_BAND - BAND
    });
    let (chosen, stale) = match (stale, current) {
        (true, Some(current)) => (current, false),
        (stale, _) => (chosen, stale),
    };
    if stale {
        return Selection { superseded: vec![chosen.clone()], ..Selection::default() };
    }
    if let Some(cited) = &question.verse {
        return Selection {
            answers: whole_records(cited, &accepted, units),
            ..Selection::default()
        };
    }
    if is_ambiguous(question, chosen, all, units) {
        return Selection::default();
    }
    let mut selection = Selection { answers: vec![chosen.clone()], ..Selection::default() };
    for other in accepted.iter().copied().filter(|other| other.unit != chosen.unit) {
        let band = if family(other) == family(chosen) { FAMILY_BAND } else { BAND };
        if other.score < chosen.score - band || !same_kind(other, chosen) {
            continue;
        }
        let older = vintages::is_outdated(question, other, chosen, units);
        let of_then = as_of(units[other.unit].text, &units[other.unit].periods).is_some();
        let same_report =
            family(other) == family(chosen) || units[other.unit].is_superseded() || of_then;
        if older && same_report {
            if selection.superseded.len() < MOST_OLDER
                && vintages::is_older_value(question, other, chosen, units)
            {
                selection.superseded.push(other.clone());
            }
        } else if disagrees(question, other, chosen, units)
            && selection.conflicts.len() < MOST_CONFLICTS
        {
            selection.conflicts.push(other.clone());
        }
    }
    selection
}

/// "As of December 2025", asked of papers of which none is later, asks for what is so now, whenever it was said. The question without
/// its time; `None` where it has none of that kind.
fn as_of_now(question: &Question, units: &[EvidenceUnit<'_>]) -> Option<Question> {
    let asked = question.period?;
    let all = words(&question.text.to_lowercase());
    let as_of =
        all.windows(2).any(|pair| pair[0] == "as" && matches!(pair[1].as_str(), "of" | "at"));
    let dates = units.iter().filter_map(|unit| unit.read.source.date.as_ref());
    let newest = dates.map(|date| date.value).max_by_key(|date| date.order_key())?;
    let is_now = asked.contains(newest) || newest.order_key() <= asked.order_key();
    (as_of && is_now).then(|| Question { period: None, ..question.clone() })
}

/// What a unit speaks of: its words, and those of what introduces it, without figures.
pub(super) fn said_of_thing(unit: &EvidenceUnit<'_>) -> BTreeSet<String> {
    let heading = unit.read.passage.heading_path.last().map(String::as_str).unwrap_or_default();
    content_set(&format!("{heading} {} {}", unit.near_text, unit.text))
        .into_iter()
        .filter(|word| !word.contains(|c: char| c.is_ascii_digit()))
        .collect()
}

/// All sentences of what is cited: in the order of the question, verse by verse, and of each verse every translation.
fn whole_records(
    cited: &Cited,
    accepted: &[&Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<Candidate> {
    let place = |candidate: &&Candidate| {
        let unit = &units[candidate.unit];
        let record = unit.read.passage.record.as_deref().unwrap_or_default();
        cited.place(record).map(|place| (place, unit.read.source.path.as_str(), unit.ordinal))
    };
    let mut parts: Vec<&Candidate> =
        accepted.iter().copied().filter(|candidate| place(candidate).is_some()).collect();
    parts.sort_by_key(place);
    parts.into_iter().take(cited.most()).cloned().collect()
}

/// Several figures for the same doer and deed in one document, none of them dated: which one is meant is not certain.
pub(super) fn is_ambiguous(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> bool {
    !question.subject.is_empty()
        && question.period.is_none()
        && matches!(question.expects, Expects::Duration | Expects::Count)
        && all.iter().any(|other| {
            other.unit != chosen.unit
                && other.names_bound
                && other.score >= chosen.score - FAMILY_BAND
                && other.number.is_some()
                && units[other.unit].read.source.id == units[chosen.unit].read.source.id
                && units[other.unit].kind == UnitKind::Sentence
                && same_kind(other, chosen)
                && same_words(other, chosen)
                && differs(other, chosen, units)
        })
}

/// The words of a value without its digits: "robots", "h", "$M".
pub(super) fn unit_words(candidate: &Candidate, units: &[EvidenceUnit<'_>]) -> Option<String> {
    value_text(candidate, units).map(first_part).map(|text| {
        text.chars()
            .filter(|c| !c.is_ascii_digit() && !matches!(c, ',' | '.' | ' '))
            .collect::<String>()
            .trim_end_matches(['k', 'M', 'B'])
            .to_lowercase()
    })
}

/// A date that lies before the newest document was written is not "next".
pub(super) fn is_past(
    candidate: &Candidate,
    units: &[EvidenceUnit<'_>],
    newest: Option<i64>,
) -> bool {
    let (Some(value), Some(newest)) = (&candidate.value, newest) else { return false };
    units[candidate.unit]
        .periods
        .iter()
        .find(|period| period.range == *value)
        .is_some_and(|period| period.value.order_key() < newest)
}

pub(super) fn same_kind(a: &Candidate, b: &Candidate) -> bool {
    a.kind == b.kind
}

/// Both bind the same words of the question.
pub(super) fn same_words(a: &Candidate, b: &Candidate) -> bool {
    let set = |candidate: &Candidate| candidate.matched.iter().cloned().collect::<BTreeSet<_>>();
    set(a) == set(b)
}

/// Orders by how current a candidate is: superseded and replaced documents last, undated ones before dated ones.
pub(super) fn currency(candidate: &Candidate, units: &[EvidenceUnit<'_>]) -> (bool, i64) {
    let unit = &units[candidate.unit];
    // A plan for later was made when the document was written: it is no newer than that.
    let said = unit.read.source.date.as_ref().map(|date| date.value.order_key());
    // "Since 1 April 2025 it is 1,400": who says so wrote it later than the document's first day.
    let since = unit.text.split_whitespace().any(|word| word.eq_ignore_ascii_case("since"));
    let said = said.filter(|_| !(since && candidate.period.is_some()));
    let key = candidate.period.map_or(i64::MIN, PartialDate::order_key);
    let holds = !unit.is_superseded() && !unit.is_replaced;
    // "As of 2019, it had 300" is of 2019, whenever it was written.
    let own = as_of(unit.text, &unit.periods).map(PartialDate::order_key);
    (holds, said.into_iter().chain(own).fold(key, i64::min))
}

fn value_text<'a>(candidate: &Candidate, units: &'a [EvidenceUnit<'_>]) -> Option<&'a str> {
    candidate.value.as_ref().map(|range| &units[candidate.unit].text[range.clone()])
}

pub(super) fn differs(a: &Candidate, b: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    match (a.number, b.number) {
        (Some(x), Some(y)) => (x - y).abs() > 0.005 * x.abs().max(y.abs()),
        _ => {
            let told = |one: &Candidate| value_text(one, units).map(str::to_lowercase);
            match (told(a), told(b)) {
                // A day with its year and the same without.
                (Some(x), Some(y)) if a.kind == Some(ValueKind::Date) && a.kind == b.kind => {
                    !x.starts_with(&y) && !y.starts_with(&x)
                }
                (x, y) => x != y,
            }
        }
    }
}

/// Two sources, neither out of date, that speak of the same in the same words and cannot both be right.
fn disagrees(
    question: &Question,
    a: &Candidate,
    b: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> bool {
    // A yes or no is read only where every word binds; which words of it the two have in common says nothing more.
    let alike = question.expects == Expects::YesNo
        || (a.score - b.score).abs() <= AS_CLOSE && same_words(a, b);
    alike && contradicts(question, a, b, units)
}

/// Two sources, neither out of date, whose answers to the question cannot both be right, if both are answers to it.
pub(super) fn contradicts(
    question: &Question,
    a: &Candidate,
    b: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> bool {
    let (left, right) = (&units[a.unit], &units[b.unit]);
    let one_report = left.read.source.cluster == right.read.source.cluster
        || left.read.source.family == right.read.source.family;
    if one_report && !vintages::says_otherwise(a, b, units)
        || left.is_superseded()
        || right.is_superseded()
        || left.is_replaced
        || right.is_replaced
        || a.planned
        || b.planned
    {
        return false;
    }
    // Dates far apart mean a change, not a disagreement.
    if let (Some(x), Some(y)) = (a.period, b.period)
        && question.expects != Expects::Date
        && (x.order_key() - y.order_key()).abs() > 6 * 32
    {
        return false;
    }
    let asked: BTreeSet<String> = question.terms.iter().map(|term| term.stem.clone()).collect();
    match question.expects {
        Expects::YesNo => {
            let denial = match (a.polarity, b.polarity) {
                (Some(Polarity::Yes), Some(Polarity::No)) => right,
                (Some(Polarity::No), Some(Polarity::Yes)) => left,
                _ => return false,
            };
            // "Dogs are not allowed in the cabin of the ferry" leaves room for a yes about the ferry.
            let said = content_set(denial.text);
            asked.intersection(&said).count() > 0 && said.difference(&asked).count() <= MORE_SAID
        }
        Expects::Reason => {
            let (x, y) = (content_set(left.text), content_set(right.text));
            let rest =
                |set: &BTreeSet<String>| set.difference(&asked).cloned().collect::<BTreeSet<_>>();
            jaccard(&rest(&x), &rest(&y)) < 0.35
        }
        Expects::Date => {
            let day = |candidate: &Candidate| {
                let value = candidate.value.as_ref()?;
                let periods = &units[candidate.unit].periods;
                periods.iter().find(|period| period.range == *value).map(|period| period.value)
            };
            let written = |candidate: &Candidate| {
                let date = units[candidate.unit].read.source.date.as_ref();
                date.map(|date| date.value.order_key())
            };
            // "By 31 March" was a plan when it was written; what happened then is told by others.
            let ahead = |candidate: &Candidate| {
                day(candidate)
                    .zip(written(candidate))
                    .is_some_and(|(day, written)| day.order_key() > written)
            };
            if question.happened && (ahead(a) || ahead(b)) {
                return false;
            }
            let near = match (written(a), written(b)) {
                (Some(x), Some(y)) => (x - y).abs() <= 6 * 32,
                _ => true,
            };
            near && day(a)
                .zip(day(b))
                .is_some_and(|(x, y)| x != y && !x.contains(y) && !y.contains(x))
        }
        Expects::Money
        | Expects::Percent
        | Expects::Duration
        | Expects::Extent
        | Expects::Count
        | Expects::Quantity => {
            // Of what there is none there is no unit.
            let none = a.kind == Some(ValueKind::Count)
                && [a, b].iter().any(|one| one.number == Some(0.0));
            // "One day" and "two days" are of one unit, and so are "4 hours and 26 minutes" and "5 hours".
            let unit_word = |candidate: &Candidate| {
                let last = words(first_part(value_text(candidate, units)?)).pop()?;
                let word = last.chars().all(char::is_alphabetic);
                Some(if word { last.trim_end_matches('s').to_owned() } else { String::new() })
            };
            a.number.is_some()
                && b.number.is_some()
                && same_kind(a, b)
                && differs(a, b, units)
                && (unit_word(a) == unit_word(b) || a.kind == Some(ValueKind::Money) || none)
                && a.deed == b.deed
                && a.kind != Some(ValueKind::Name)
        }
        _ => false,
    }
}

/// The items that belong together with the best one: same heading, same list.
pub(super) fn list(
    question: &Question,
    best: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<Candidate> {
    let home = &units[best.unit];
    if home.kind == UnitKind::Sentence {
        return vec![best.clone()];
    }
    let mut items: Vec<&Candidate> = all
        .iter()
        .filter(|candidate| {
            let unit = &units[candidate.unit];
            unit.read.source.id == home.read.source.id
                && unit.read.passage.heading_path == home.read.passage.heading_path
                && unit.kind == home.kind
        })
        .collect();
    // A list under a heading that the question names is wanted whole; otherwise only what binds.
    let heading_names_it = home.words.iter().any(|word| {
        word.place == super::unit::Place::Near
            && best
                .matched
                .iter()
                .any(|m| *m == word.word || elenchus_core::text::stem(m) == word.stem)
    });
    // Of what is to be done no step may be left out.
    if !heading_names_it && !question.steps {
        items.retain(|candidate| candidate.accepted && candidate.score >= best.score - BAND);
    }
    items.sort_by_key(|candidate| {
        (units[candidate.unit].read.passage.span.start, units[candidate.unit].ordinal)
    });
    items.into_iter().take(LIST_CAP).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{ReadPassage, Vintage};
    use elenchus_core::id::SourceId;

    #[test]
    fn a_yes_and_a_no_of_two_sources_disagree() {
        let found = |own: &str, other: &str, edit: &dyn Fn(&mut ReadPassage)| {
            let mut passages = vec![
                document("handbook", "Harbour handbook", own),
                document("rules", "House rules", other),
                document("times", "Timetable", "The ferry leaves at 8 in the morning."),
            ];
            edit(&mut passages[1]);
            let units = evidence_units(&passages);
            let question = Question::parse("Are dogs allowed on the ferry?", &[]);
            let common = Commonness::new(&[], 3);
            let (_, selection) = by_words(&question, &units, &Matcher::new(), &common);
            (selection.answers.len(), selection.conflicts.len())
        };
        let (yes, no) = ("Dogs are allowed on the ferry.", "Dogs are not allowed on the ferry.");
        let as_it_is = |_: &mut ReadPassage| {};
        assert_eq!(found(yes, no, &as_it_is), (1, 1));
        assert_eq!(found(no, yes, &as_it_is), (1, 1));
        assert_eq!(found(yes, yes, &as_it_is), (1, 0));
        // What is denied of a part of it, and what a copy or an old document says, is no disagreement.
        let narrow = "Dogs are not allowed in the dining saloon of the ferry.";
        assert_eq!(found(yes, narrow, &as_it_is).1, 0);
        let copy = |read: &mut ReadPassage| read.source.cluster = SourceId::from("handbook");
        assert_eq!(found(yes, no, &copy).1, 0);
        let old = |read: &mut ReadPassage| read.source.vintage = Vintage::Superseded;
        assert_eq!(found(yes, no, &old).1, 0);
    }

    #[test]
    fn of_two_versions_without_a_date_the_later_is_current() {
        let version = |name: &str, knots: u8| {
            let mut read = document(name, "Wind", &format!("The ferry stops at {knots} knots."));
            read.source.family = "ferry rules".to_owned();
            read
        };
        let passages = [version("ferry-v1", 30), version("ferry-v2", 35)];
        let units = evidence_units(&passages);
        let question = Question::parse("When does the ferry stop?", &[]);
        let common = Commonness::new(&[], 2);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
        let of = |unit: usize| {
            let one = all.iter().find(|one| one.unit == unit).expect("each unit is a candidate");
            currency(one, &units)
        };
        assert!(of(1) > of(0));
    }
}
