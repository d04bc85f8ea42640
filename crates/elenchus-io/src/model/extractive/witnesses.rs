//! Publishers that contradict each other: on the web the newest page is not the truest.
//!
//! In a folder the documents belong together, and a newer one replaces an older one. Pages of the web are statements of
//! strangers: a value counts by how many independent publishers give it. Each cluster of sources is one witness, heard
//! with the newest that it says; a document of the user's own is heard twice, a page that hides text from its readers
//! half. The value with most witnesses answers, and every other value is shown as a conflict. Only values of another time,
//! stated beside the value itself, are older values and no conflict.

use super::bind::Candidate;
use super::question::{Expects, Question};
use super::select::{Selection, currency, differs, same_kind, unit_words};
use super::unit::EvidenceUnit;
use super::values::ValueKind;
use elenchus_core::evidence::PartialDate;
use elenchus_core::text::words;

/// How far below the best candidate a witness may score.
const BAND: f64 = 0.28;
/// Probability of answering from which a candidate is heard, be it accepted or not.
const HEARD: f64 = 0.5;
/// Months between the times of two values from which they are vintages of one figure.
const APART: i64 = 6 * 32;
/// Most values shown beside the answer, of either kind.
const MOST: usize = 3;

/// A value with those who give it.
struct Side<'a> {
    /// The best that answers first.
    said: Vec<&'a Candidate>,
    /// How many witnesses it has; those who count half or twice included.
    weight: f64,
}

/// Lets the witnesses decide where a page of the web answers, or contradicts the answer.
pub(super) fn decide(
    question: &Question,
    selection: Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Selection {
    let [chosen] = selection.answers.as_slice() else { return selection };
    let from_web = |candidate: &Candidate| units[candidate.unit].read.source.web.is_some();
    if chosen.value.is_none() || !is_value(question) {
        return selection;
    }
    let heard: Vec<&Candidate> = all
        .iter()
        .filter(|candidate| {
            candidate.eligible
                && candidate.names_bound
                && candidate.value.is_some()
                && (candidate.accepted || candidate.features.probability() >= HEARD)
                && same_kind(candidate, chosen)
                && candidate.planned == chosen.planned
                && candidate.qualifier == chosen.qualifier
                && candidate.score >= chosen.score - BAND
                && !units[candidate.unit].is_superseded()
                && (candidate.number.is_none()
                    || unit_words(candidate, units) == unit_words(chosen, units))
        })
        .collect();
    if !heard.iter().any(|candidate| from_web(candidate)) {
        return selection;
    }
    let (newest, replaced) = newest_of_each(heard, units);
    let mut sides = sides(&newest, units);
    // Of values with equally many witnesses the one leads that a page about the very subject gives, then the one that
    // was chosen by its words, then the best bound.
    let standing = |side: &Side<'_>| {
        let is_subject = side.said.iter().any(|candidate| is_about(question, candidate, units));
        let is_chosen = side.said.iter().any(|candidate| candidate.unit == chosen.unit);
        (is_subject, is_chosen)
    };
    sides.sort_by(|a, b| {
        b.weight
            .total_cmp(&a.weight)
            .then_with(|| standing(b).cmp(&standing(a)))
            .then_with(|| rank(b).total_cmp(&rank(a)))
    });
    let Some(at) = sides.iter().position(|side| side.said[0].accepted) else { return selection };
    let lead = sides.remove(at);
    let Some(answer) = lead.said.iter().find(|candidate| candidate.accepted) else {
        return selection;
    };
    let mut decided = Selection { answers: vec![(*answer).clone()], ..Selection::default() };
    for side in &sides {
        let other = side.said[0];
        if vintages(question, other, answer, units) {
            if is_before(other, answer, units) {
                older(&mut decided, other);
            }
        } else if decided.conflicts.len() < MOST {
            decided.conflicts.push(other.clone());
        }
    }
    for other in replaced {
        if same_value(other, answer, units)
            || decided.superseded.iter().any(|known| same_value(known, other, units))
        {
            continue;
        }
        older(&mut decided, other);
    }
    decided
}

fn older(decided: &mut Selection, other: &Candidate) {
    if decided.superseded.len() < MOST && other.accepted {
        decided.superseded.push(other.clone());
    }
}

/// Whether the question asks for one value that sources can differ about.
fn is_value(question: &Question) -> bool {
    let is_named = matches!(
        question.expects,
        Expects::Date | Expects::Person | Expects::Agent | Expects::Place
    );
    (question.expects.is_figure() || is_named) && question.verse.is_none()
}

/// Of each publisher the newest that it says; and what it replaced thereby.
fn newest_of_each<'a>(
    heard: Vec<&'a Candidate>,
    units: &[EvidenceUnit<'_>],
) -> (Vec<&'a Candidate>, Vec<&'a Candidate>) {
    let cluster = |candidate: &Candidate| &units[candidate.unit].read.source.cluster;
    let (mut newest, mut replaced): (Vec<&Candidate>, Vec<&Candidate>) = (Vec::new(), Vec::new());
    for candidate in &heard {
        let later = heard.iter().any(|other| {
            cluster(other) == cluster(candidate)
                && units[other.unit].read.source.id != units[candidate.unit].read.source.id
                && !same_value(other, candidate, units)
                && written(other, units) > written(candidate, units)
        });
        if later { replaced.push(candidate) } else { newest.push(candidate) }
    }
    (newest, replaced)
}

/// When the page of a candidate was written. Of one publisher the newest page counts, whatever times it speaks of.
fn written(candidate: &Candidate, units: &[EvidenceUnit<'_>]) -> (bool, i64) {
    let unit = &units[candidate.unit];
    let date = unit.read.source.date.as_ref().map_or(i64::MIN, |date| date.value.order_key());
    (!unit.is_superseded(), date)
}

fn sides<'a>(newest: &[&'a Candidate], units: &[EvidenceUnit<'_>]) -> Vec<Side<'a>> {
    let mut sides: Vec<Side<'a>> = Vec::new();
    for candidate in newest {
        match sides.iter_mut().find(|side| same_value(side.said[0], candidate, units)) {
            Some(side) => side.said.push(candidate),
            None => sides.push(Side { said: vec![candidate], weight: 0.0 }),
        }
    }
    for side in &mut sides {
        // Candidates come best first; one that answers stands for its side.
        side.said.sort_by_key(|candidate| !candidate.accepted);
        let mut witnesses: Vec<(&elenchus_core::id::SourceId, f64)> = Vec::new();
        for candidate in &side.said {
            let source = &units[candidate.unit].read.source;
            let weight = match &source.web {
                None => 2.0,
                Some(page) if page.hidden > 0 || page.self_published => 0.5,
                Some(_) => 1.0,
            };
            match witnesses.iter_mut().find(|(cluster, _)| **cluster == source.cluster) {
                Some((_, known)) => *known = f64::max(*known, weight),
                None => witnesses.push((&source.cluster, weight)),
            }
        }
        side.weight = witnesses.iter().map(|(_, weight)| weight).sum();
    }
    sides
}

/// Whether the title of a candidate's page holds every name that the question asks about.
fn is_about(question: &Question, candidate: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let title = words(&units[candidate.unit].read.source.title);
    let mut names = question.terms.iter().filter(|term| term.hard).peekable();
    names.peek().is_some() && names.all(|term| title.contains(&term.word))
}

fn rank(side: &Side<'_>) -> f64 {
    side.said[0].score
}

/// The date that a value is, when it is one.
fn date(candidate: &Candidate, units: &[EvidenceUnit<'_>]) -> Option<PartialDate> {
    let value = candidate.value.as_ref()?;
    let periods = &units[candidate.unit].periods;
    periods.iter().find(|period| period.range == *value).map(|period| period.value)
}

/// The same value, or one that is only less exact: "1931" and "14 May 1931", "Lund" and "Petra Lund".
fn same_value(a: &Candidate, b: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    if let (Some(x), Some(y)) = (date(a, units), date(b, units)) {
        return x == y || x.contains(y) || y.contains(x);
    }
    if !differs(a, b, units) {
        return true;
    }
    let name = |candidate: &Candidate| {
        let text = candidate.value.as_ref().map(|range| &units[candidate.unit].text[range.clone()]);
        text.filter(|_| candidate.kind == Some(ValueKind::Name)).map(str::to_lowercase)
    };
    match (name(a), name(b)) {
        (Some(x), Some(y)) => {
            let holds = |long: &str, short: &str| {
                long.split_whitespace().any(|word| word == short)
                    || long.ends_with(&format!(" {short}"))
            };
            holds(&x, &y) || holds(&y, &x)
        }
        _ => false,
    }
}

/// Whether two values are of different times by their own words. A date is no vintage of another date.
fn vintages(question: &Question, a: &Candidate, b: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let stated = |candidate: &Candidate| {
        let written = units[candidate.unit].read.source.date.as_ref().map(|date| date.value);
        candidate.period.filter(|period| Some(*period) != written)
    };
    if question.expects == Expects::Date || question.period.is_some() {
        return false;
    }
    match (stated(a), stated(b)) {
        (Some(x), Some(y)) => (x.order_key() - y.order_key()).abs() > APART,
        _ => false,
    }
}

fn is_before(a: &Candidate, b: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    currency(a, units) < currency(b, units)
}
