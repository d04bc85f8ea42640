//! The bank beside a run: what was learned is recalled before it begins, and what came of it is told when it is over.

use crate::memos;
use elenchus_core::bank::{Caller, Lesson, SessionFacts, SignalKind, scrub};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Recollection, Run};
use elenchus_core::port::{Bank, BankFailure, Memos, Queued, Recall, Retriever, SignalGiven};
use elenchus_core::trace::Credit;
use std::sync::Arc;
use std::time::Duration;

/// How long a run waits for what was learned before it begins without.
pub(crate) const PATIENCE: Duration = Duration::from_secs(3);

/// The bank and the memos, and on whose behalf runs use them.
#[derive(Clone)]
pub struct Remembering {
    /// Keeps strategies.
    pub bank: Arc<dyn Bank>,
    /// Keeps what runs found, of which later runs are told; without them nothing of the kind is kept or told.
    pub memos: Option<Arc<dyn Memos>>,
    /// On whose behalf.
    pub caller: Caller,
    /// The least confidence that a strategy needs to be put before a run, in `[0, 1]`.
    pub min_confidence: f64,
    /// The most strategies that a run is told, to follow and to avoid each, and the most memos: of runs, and of what people said
    /// of such.
    pub limit: usize,
}

/// What earlier runs learned and found that bears on a question. `retriever` says how the documents stand now.
pub(crate) async fn recall(
    memory: &Remembering,
    run_id: &RunId,
    question: &str,
    now: Timestamp,
    retriever: &dyn Retriever,
) -> Recollection {
    let (learned, memos) = tokio::join!(
        strategies(memory, run_id, question, now),
        memos::recall(memory, question, retriever)
    );
    Recollection { memos, ..learned }
}

/// What earlier runs learned. A bank that fails or dawdles holds no run up: then there is nothing.
async fn strategies(
    memory: &Remembering,
    run_id: &RunId,
    question: &str,
    now: Timestamp,
) -> Recollection {
    let recall = Recall {
        query: question.to_owned(),
        scope: None,
        outcome: None,
        limit: memory.limit,
        min_confidence: memory.min_confidence,
        session_id: run_id.0.clone(),
        for_prompt: true,
    };
    let search = memory.bank.search(&memory.caller, &recall, now);
    let Ok(Ok(recalled)) = tokio::time::timeout(PATIENCE, search).await else {
        return Recollection::default();
    };
    let lessons: Vec<Lesson> = recalled
        .memories
        .iter()
        .chain(&recalled.avoid)
        .map(|held| Lesson::of(&held.strategy, held.confidence))
        .collect();
    let search_id = (!lessons.is_empty()).then_some(recalled.search_id);
    Recollection { search_id, lessons, memos: Vec::new() }
}

/// Tells the bank all that a finished run has to say: what it made of what it was told, and, in the queue, what it may teach.
///
/// # Errors
/// When the bank cannot be written.
pub(crate) async fn keep(
    memory: &Remembering,
    run: &Run,
    now: Timestamp,
) -> Result<(), BankFailure> {
    report(memory, run, now).await?;
    let Some(facts) = SessionFacts::of(run.view()) else { return Ok(()) };
    let unkept = |error: serde_json::Error| BankFailure::Io {
        attempted: format!("queue run {} for distilling", run.id()),
        cause: error.to_string(),
    };
    let mut trace = serde_json::to_value(&facts).map_err(unkept)?;
    without_secrets(&mut trace);
    let session = Queued {
        id: 0,
        caller: memory.caller.clone(),
        session_id: facts.session_id.clone(),
        outcome: facts.outcome,
        trace: trace.to_string(),
        from_web: facts.from_web,
        shown: facts.recalled.iter().map(|recalled| recalled.id.clone()).collect(),
        attempts: 0,
    };
    memory.bank.queue(&memory.caller, &session, now).await.map(drop)
}

/// Takes secrets out of every text, wherever it stands.
pub(crate) fn without_secrets(value: &mut serde_json::Value) {
    use serde_json::Value::{Array, Object, String};
    match value {
        String(text) => *text = scrub(text).text,
        Array(items) => items.iter_mut().for_each(without_secrets),
        Object(fields) => fields.values_mut().for_each(without_secrets),
        _ => {}
    }
}

/// Tells the bank what a finished run made of what it was told. Safe to repeat: a signal of the same run counts once.
///
/// # Errors
/// When the bank cannot be written. A strategy that was deleted meanwhile is passed over.
async fn report(memory: &Remembering, run: &Run, now: Timestamp) -> Result<usize, BankFailure> {
    let view = run.view();
    // What a fork was told was recalled for its parent: the two are one occasion, and one search earns no credit twice.
    let session = view.forked().map_or(view.run_id(), |forked| &forked.parent);
    let mut given = 0;
    for signal in signals(session, view.question(), view.recalled(), view.credits()) {
        match memory.bank.signal(&memory.caller, &signal, now).await {
            Ok(_) => given += 1,
            Err(BankFailure::Unknown(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(given)
}

/// Signals of a run: what was taken up, what was shown in vain, and what led to the answer. Those that led there together share
/// the credit.
fn signals(
    run_id: &RunId,
    question: &str,
    recalled: &Recollection,
    credits: &[Credit],
) -> Vec<SignalGiven> {
    let judged = credits.iter().filter(|credit| credit.succeeded.is_some()).count().max(1);
    let mut all = Vec::new();
    for credit in credits {
        let mut give = |kind, positive, share| {
            all.push(SignalGiven {
                memory_id: credit.memory_id.clone(),
                kind,
                positive,
                session_id: run_id.0.clone(),
                search_id: recalled.search_id.clone(),
                comment: Some(credit.because.clone()),
                share,
            });
        };
        // Only what a search could have taken up was shown in vain. That the question was about something else, or that a
        // strategy has no words for a search, says nothing against it; nor does a warning that nothing called for.
        let mut lessons = recalled.lessons.iter();
        let in_vain =
            lessons.any(|lesson| lesson.id == credit.memory_id && lesson.could_serve(question));
        if credit.used || in_vain {
            give(SignalKind::Used, credit.used, 1.0);
        }
        if let Some(succeeded) = credit.succeeded {
            give(SignalKind::Outcome, succeeded, 1.0 / judged as f64);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::bank::Outcome;
    use elenchus_core::id::{SearchId, StrategyId};

    fn lesson(id: &str, title: &str, outcome: Outcome) -> Lesson {
        Lesson {
            id: StrategyId::from(id),
            title: title.to_owned(),
            description: String::new(),
            content: "Search words: tariff".to_owned(),
            outcome,
            confidence: 0.7,
        }
    }

    fn credit(id: &str, used: bool, succeeded: Option<bool>) -> Credit {
        Credit { memory_id: StrategyId::from(id), used, succeeded, because: "so".to_owned() }
    }

    #[test]
    fn credit_is_shared_and_only_what_bore_on_the_question_is_blamed() {
        let plain = Lesson {
            content: "Read the table.".to_owned(),
            ..lesson("mem_f", "Prices", Outcome::Success)
        };
        let recalled = Recollection {
            search_id: Some(SearchId::from("sea_1")),
            lessons: vec![
                lesson("mem_a", "Prices of seats", Outcome::Success),
                lesson("mem_b", "Flaky tests", Outcome::Success),
                lesson("mem_c", "Prices of plans", Outcome::Success),
                lesson("mem_d", "Prices of plans", Outcome::Failure),
                lesson("mem_e", "Flaky tests", Outcome::Success),
                plain,
            ],
            memos: vec![],
        };
        let credits = [
            credit("mem_a", true, Some(true)),
            credit("mem_b", true, Some(true)),
            credit("mem_c", false, None),
            credit("mem_d", false, None),
            credit("mem_e", false, None),
            credit("mem_f", false, None),
        ];
        let question = "What is the price of a plan?";
        let given = signals(&RunId::from("run_1"), question, &recalled, &credits);
        let shown: Vec<(&str, SignalKind, bool, f64)> = given
            .iter()
            .map(|signal| (signal.memory_id.as_str(), signal.kind, signal.positive, signal.share))
            .collect();
        assert_eq!(
            shown,
            [
                ("mem_a", SignalKind::Used, true, 1.0),
                ("mem_a", SignalKind::Outcome, true, 0.5),
                ("mem_b", SignalKind::Used, true, 1.0),
                ("mem_b", SignalKind::Outcome, true, 0.5),
                ("mem_c", SignalKind::Used, false, 1.0),
            ]
        );
        assert!(
            given.iter().all(|signal| signal.session_id == "run_1" && signal.search_id.is_some())
        );
    }
}
