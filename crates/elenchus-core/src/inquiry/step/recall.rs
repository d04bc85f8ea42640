//! The turn of what was learned: lessons are told, go into searches, keep fruitless ones from being repeated, and get their
//! credit at the end.

use super::search::RoundQuery;
use crate::answer::Answer;
use crate::bank::{Lesson, Outcome};
use crate::id::{GapId, PassageId};
use crate::inquiry::Derivations;
use crate::inquiry::gap::GapStatus;
use crate::inquiry::query::is_repeat;
use crate::inquiry::recall::Use;
use crate::inquiry::state::State;
use crate::prompt::{PlannedQuestion, QuestionKind};
use crate::text::squeeze;
use crate::trace::{Credit, RecalledMemory, TraceEvent};

/// Most searches of a run that lessons add.
const MOST_SEARCHES: usize = 3;

/// The run begins: what earlier runs learned that bears on the question.
pub(super) fn open(state: &mut State) {
    let recalled = state.opened.recalled.clone();
    if recalled.lessons.is_empty() {
        return;
    }
    state.emit(TraceEvent::MemoryRecalled {
        search_id: recalled.search_id,
        memories: recalled
            .lessons
            .iter()
            .map(|lesson| RecalledMemory {
                id: lesson.id.clone(),
                title: lesson.title.clone(),
                outcome: lesson.outcome,
                confidence: lesson.confidence,
            })
            .collect(),
    });
    for lesson in &recalled.lessons {
        let what = match lesson.outcome {
            Outcome::Success => "worked before",
            // Its title is the advice that came of a failure, and did not fail itself.
            Outcome::Failure if state.follows(Derivations::THIRD) => "was learned from a failure",
            Outcome::Failure => "failed before",
        };
        state.think(
            format!(
                "\"{}\" {what} (confidence {:.2}): {}",
                squeeze(&lesson.title),
                lesson.confidence,
                squeeze(&lesson.description)
            ),
            vec![lesson.id.0.clone()],
        );
    }
}

/// Searches that lessons add to the first round: the first query of the planned question that each bears on, with the
/// lesson's words.
pub(super) fn round_queries(state: &State) -> Vec<RoundQuery> {
    if state.round != 1 {
        return Vec::new();
    }
    let mut queries: Vec<RoundQuery> = Vec::new();
    for lesson in followed(state) {
        if queries.len() == MOST_SEARCHES {
            break;
        }
        let words = lesson.search_words();
        let bearing = state.plan.questions.iter().find(|question| lesson.bears_on(&question.text));
        let Some(question) = bearing.filter(|_| !words.is_empty()) else { continue };
        let new = |base: &str| lesson.taken_into(&words.join(" "), base);
        let Some(query) = with_words(state, question, new) else { continue };
        add(&mut queries, RoundQuery { lesson: Some(lesson.id.clone()), ..query });
    }
    queries
}

/// The first query of a planned question with words that it has not yet; `None` where there are none, or where nothing
/// stands open for the question.
pub(super) fn with_words(
    state: &State,
    question: &PlannedQuestion,
    new: impl FnOnce(&str) -> Vec<String>,
) -> Option<RoundQuery> {
    let gap = state.ledger.for_question(question.id)?;
    let base = question.queries.first().unwrap_or(&question.text);
    let new = new(base);
    (!new.is_empty()).then(|| RoundQuery {
        gap_id: gap.id.clone(),
        query: format!("{} {}", squeeze(base), new.join(" ")),
        strategy: None,
        kind: QuestionKind::Lookup,
        lesson: None,
        lead: None,
    })
}

/// Adds a query unless one before it is nearly the same.
pub(super) fn add(queries: &mut Vec<RoundQuery>, query: RoundQuery) {
    if !queries.iter().any(|earlier| is_repeat(&earlier.query, &query.query)) {
        queries.push(query);
    }
}

fn followed(state: &State) -> impl Iterator<Item = &Lesson> {
    state.opened.recalled.lessons.iter().filter(|lesson| lesson.outcome == Outcome::Success)
}

/// Takes out what these same documents are known not to answer, where something else is left to search for the gap.
pub(super) fn heed(state: &mut State, queries: &mut Vec<RoundQuery>) {
    let fingerprint = state.opened.corpus.fingerprint.clone();
    let warnings: Vec<Lesson> = state
        .opened
        .recalled
        .lessons
        .iter()
        .filter(|lesson| lesson.outcome == Outcome::Failure && lesson.is_of(&fingerprint))
        .cloned()
        .collect();
    for lesson in warnings {
        let gaps: Vec<GapId> = queries.iter().map(|query| query.gap_id.clone()).collect();
        for gap in gaps {
            let of_gap = |query: &RoundQuery| query.gap_id == gap;
            let (warned, other): (Vec<&RoundQuery>, Vec<&RoundQuery>) = queries
                .iter()
                .filter(|query| of_gap(query))
                .partition(|q| lesson.warns_of(&q.query));
            if warned.is_empty() || other.is_empty() {
                continue;
            }
            let texts: Vec<String> = warned.iter().map(|query| query.query.clone()).collect();
            queries.retain(|query| !(of_gap(query) && texts.contains(&query.query)));
            for text in texts {
                state.think(
                    format!(
                        "\"{}\" is not searched again: these documents did not answer it before",
                        squeeze(&text)
                    ),
                    vec![lesson.id.0.clone(), gap.0.clone()],
                );
                state.recall.heeded.push((lesson.id.clone(), text));
            }
        }
    }
}

/// A search goes out: it may be a lesson's own, or hold words that a model took from one.
pub(super) fn searching(state: &mut State, query: &RoundQuery) {
    let question = state.opened.question.clone();
    let by = query.lesson.clone().or_else(|| {
        followed(state)
            .find(|lesson| !lesson.taken_into(&query.query, &question).is_empty())
            .map(|lesson| lesson.id.clone())
    });
    if let Some(id) = by {
        state.recall.uses.push(Use {
            id,
            gap_id: query.gap_id.clone(),
            query: query.query.clone(),
        });
    }
}

/// The run ends: what became of each lesson. Told in the trace, from which the bank is told.
pub(super) fn credit(state: &mut State, answer: &Answer) {
    for lesson in state.opened.recalled.lessons.clone() {
        let uses: Vec<Use> =
            state.recall.uses.iter().filter(|used| used.id == lesson.id).cloned().collect();
        let heeded = state.recall.heeded.iter().any(|(id, _)| *id == lesson.id);
        let (succeeded, because) = judged(state, answer, &uses);
        let credit = Credit {
            memory_id: lesson.id,
            used: !uses.is_empty() || heeded,
            succeeded,
            because: if heeded { "its warning was heeded".to_owned() } else { because },
        };
        state.emit(TraceEvent::MemoryCredited(credit.clone()));
        state.recall.credits.push(credit);
    }
}

/// Whether a lesson's searches led to what the answer quotes. Without a clear sign there is no verdict.
fn judged(state: &State, answer: &Answer, uses: &[Use]) -> (Option<bool>, String) {
    let Some(first) = uses.first() else {
        return (None, "no search took it up".to_owned());
    };
    for used in uses {
        let quoted: Vec<&PassageId> = answer
            .evidence
            .iter()
            .map(|evidence| &evidence.passage_id)
            .filter(|passage| state.found_by.get(*passage) == Some(&used.query))
            .collect();
        if let Some(passage) = quoted.first() {
            return (
                Some(true),
                format!("\"{}\" found {passage}, which the answer quotes", used.query),
            );
        }
    }
    let given_up = uses.iter().all(|used| {
        state.ledger.get(&used.gap_id).is_some_and(|gap| gap.status == GapStatus::Abandoned)
    });
    if given_up {
        return (
            Some(false),
            format!("\"{}\" found nothing that answers {}", first.query, first.gap_id),
        );
    }
    (None, format!("{} was closed by other searches", first.gap_id))
}
