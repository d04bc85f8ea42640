//! What finished runs over a corpus have cited.

use elenchus_core::answer::{Answer, Citation};
use elenchus_core::port::{RunSummary, Store, StoreFailure};
use elenchus_core::trace::TraceEvent;

/// Past runs that are looked at, the newest ones.
const MOST: usize = 200;
/// Events at the end of a trace among which its answer is.
const TAIL: u64 = 6;

/// The answer of a run that has ended, from the end of its trace; `None` when it has none.
///
/// # Errors
/// When the store cannot be read.
pub async fn answer_of(
    store: &dyn Store,
    run: &RunSummary,
) -> Result<Option<Answer>, StoreFailure> {
    let tail = store.events(&run.run_id, run.events.saturating_sub(TAIL)).await?;
    Ok(tail.into_iter().rev().find_map(|event| match event.event {
        TraceEvent::AnswerCompleted { answer, .. } => Some(*answer),
        _ => None,
    }))
}

/// The documents that each finished run over this corpus cites.
pub(crate) async fn cited(
    store: &dyn Store,
    corpus: &str,
) -> Result<Vec<Vec<Citation>>, StoreFailure> {
    let mut all = Vec::new();
    let runs = store.runs().await?;
    for run in runs.iter().filter(|run| run.status == "finished").take(MOST) {
        match answer_of(store, run).await {
            Ok(Some(answer)) if answer.corpus == corpus => all.push(answer.sources),
            // One that was deleted meanwhile is no past run any more.
            Ok(_) | Err(StoreFailure::UnknownRun(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(all)
}
