//! Memos beside a run: what earlier runs found is looked up before it begins, and what it found is kept when it is over.

use crate::evidence::save_kept;
use crate::memory::{PATIENCE, Remembering, without_secrets};
use elenchus_core::answer::Answer;
use elenchus_core::bank::{Caller, scrub};
use elenchus_core::graph::{
    ANSWER, Freshness, Kept, Lead, Memo, NOTE, RecalledMemo, answer_memo, keep_run, note_id,
    note_memo, project_namespace,
};
use elenchus_core::id::{PassageId, Timestamp};
use elenchus_core::inquiry::Run;
use elenchus_core::port::{MemoFailure, MemoFilter, Memos, Remark, RetrieveFailure, Retriever};

/// How well an earlier question must fit: most of the words, each by its rarity, and the sense.
const FIT: f64 = 0.5;
/// Answers that are looked at for each that may be told, since some lead nowhere.
const LOOKED_AT: usize = 4;
/// Characters of the question that are searched for.
const QUERY: usize = 2_000;

/// What earlier runs of the project found that asked alike, and what people said of such runs, which is told first; and how
/// their documents stand now. Memos that fail or dawdle
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
    let mut found: Vec<RecalledMemo> = Vec::new();
    for tag in [NOTE, ANSWER] {
        let filter = MemoFilter {
            namespace: project_namespace(&caller.project),
            tag: Some(tag.to_owned()),
            limit: limit.saturating_mul(LOOKED_AT),
            walls: None,
        };
        let hits = memos.search(&caller.tenant, &query, &filter).await?;
        let fit = hits
            .iter()
            .filter(|hit| hit.score >= FIT)
            .filter_map(|hit| RecalledMemo::of(&hit.memo, hit.score))
            // One with both tags is what a person said.
            .filter(|memo| memo.noted.is_some() == (tag == NOTE));
        found.extend(fit.take(limit));
    }
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

/// Keeps what a person said of a statement or an insight of a run as a lead for later runs of the project, without secrets,
/// and takes out what was said before where the new word leads nowhere or took it back. Only where the run itself is kept
/// among the caller's memos: what another tenant's or project's run found is none of theirs. Whether something is kept now.
///
/// # Errors
/// When the memos cannot be read or written.
pub async fn keep_note(
    memos: &dyn Memos,
    caller: &Caller,
    remark: &Remark,
    answer: Option<&Answer>,
) -> Result<bool, MemoFailure> {
    let namespace = project_namespace(&caller.project);
    let ids = [answer_memo(&namespace, &remark.run_id), note_id(&namespace, remark)];
    let there = memos.get(&caller.tenant, &namespace, &ids).await?;
    let [run, note] = &ids;
    let kept = there.iter().find(|memo| memo.id == *run);
    let made = kept.zip(answer).and_then(|(kept, answer)| note_memo(kept, answer, remark));
    if let Some(mut memo) = made {
        scrubbed(&mut memo);
        memos.save(&caller.tenant, &memo).await?;
        return Ok(true);
    }
    if there.iter().any(|memo| memo.id == *note) {
        memos.delete(&caller.tenant, &namespace, note).await?;
    }
    Ok(false)
}

/// Takes secrets out of every text. Ids stay, so that keeping again finds them.
fn scrubbed(memo: &mut Memo) {
    memo.title = scrub(&memo.title).text;
    memo.content = scrub(&memo.content).text;
    memo.metadata.values_mut().for_each(without_secrets);
}

fn clean(kept: &mut Kept) {
    kept.memos.iter_mut().for_each(scrubbed);
    for relation in &mut kept.relations {
        relation.reason = relation.reason.take().map(|reason| scrub(&reason).text);
    }
}
