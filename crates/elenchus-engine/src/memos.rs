//! Memos beside a run: what earlier runs found is looked up before it begins, and what it found is kept when it is over.

use crate::evidence::save_kept;
use crate::memory::{PATIENCE, Remembering, without_secrets};
use elenchus_core::bank::{Caller, scrub};
use elenchus_core::graph::{
    ANSWER, Freshness, Kept, Lead, RecalledMemo, keep_run, project_namespace,
};
use elenchus_core::id::{PassageId, Timestamp};
use elenchus_core::inquiry::Run;
use elenchus_core::port::{MemoFailure, MemoFilter, Memos, RetrieveFailure, Retriever};

/// How well an earlier question must fit: most of the words, each by its rarity, and the sense.
const FIT: f64 = 0.5;
/// Answers that are looked at for each that may be told, since some lead nowhere.
const LOOKED_AT: usize = 4;
/// Characters of the question that are searched for.
const QUERY: usize = 2_000;

/// What earlier runs of the project found that asked alike, and how their documents stand now. Memos that fail or dawdle
/// hold no run up: then there is nothing.
pub(crate) async fn recall(
    memory: &Remembering,
    question: &str,
    retriever: &dyn Retriever,
) -> Vec<RecalledMemo> {
    let Some(memos) = &memory.memos else { return Vec::new() };
    let looked = look(&**memos, &memory.caller, question, memory.limit, retriever);
    match tokio::time::timeout(PATIENCE, looked).await {
        Ok(Ok(found)) => found,
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

async fn look(
    memos: &dyn Memos,
    caller: &Caller,
    question: &str,
    limit: usize,
    retriever: &dyn Retriever,
) -> Result<Vec<RecalledMemo>, MemoFailure> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let query: String = question.chars().take(QUERY).collect();
    let filter = MemoFilter {
        namespace: project_namespace(&caller.project),
        tag: Some(ANSWER.to_owned()),
        limit: limit.saturating_mul(LOOKED_AT),
    };
    let hits = memos.search(&caller.tenant, &query, &filter).await?;
    let mut found: Vec<RecalledMemo> = hits
        .iter()
        .filter(|hit| hit.score >= FIT)
        .filter_map(|hit| RecalledMemo::of(&hit.memo, hit.score))
        .take(limit)
        .collect();
    for memo in &mut found {
        for source in &mut memo.sources {
            source.freshness = freshness(retriever, &source.lead).await;
        }
    }
    Ok(found)
}

/// Whether a document is the one that was read. A page of the web is fetched anew and not compared beforehand.
async fn freshness(retriever: &dyn Retriever, lead: &Lead) -> Freshness {
    if lead.web || lead.content_hash.is_empty() {
        return Freshness::Unchecked;
    }
    let first = PassageId::new(&lead.source_id, 0);
    match retriever.read(std::slice::from_ref(&first)).await {
        Ok(read) => match read.first().map(|read| &read.source) {
            Some(source) if source.path != lead.path => Freshness::Gone,
            Some(source) if source.content_hash == lead.content_hash => Freshness::Unchanged,
            Some(_) => Freshness::Changed,
            None => Freshness::Gone,
        },
        Err(RetrieveFailure::UnknownPassage(_)) => Freshness::Gone,
        Err(_) => Freshness::Unchecked,
    }
}

/// Keeps a finished run, without secrets, in the namespace of its project. Safe to repeat: the run's own ids are written
/// over, and what was there already is not counted again.
///
/// # Errors
/// When the memos cannot be written; what was saved before stays.
pub(crate) async fn keep(
    memory: &Remembering,
    run: &Run,
    now: Timestamp,
) -> Result<(), MemoFailure> {
    let Some(memos) = &memory.memos else { return Ok(()) };
    let namespace = project_namespace(&memory.caller.project);
    let Some(mut kept) = keep_run(run.view(), &namespace, now) else { return Ok(()) };
    clean(&mut kept);
    save_kept(&**memos, &memory.caller.tenant, &kept).await.map(drop)
}

/// Takes secrets out of every text. Ids stay, so that keeping again finds them.
fn clean(kept: &mut Kept) {
    for memo in &mut kept.memos {
        memo.title = scrub(&memo.title).text;
        memo.content = scrub(&memo.content).text;
        memo.metadata.values_mut().for_each(without_secrets);
    }
    for relation in &mut kept.relations {
        relation.reason = relation.reason.take().map(|reason| scrub(&reason).text);
    }
}
