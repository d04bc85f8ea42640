//! `elenchus memo keep`: a finished run's answer, saved into the graph.

use super::super::runs::Named;
use super::place::Place;
use crate::bank;
use crate::cli::{MemoPlace, RunArgs, StoreArgs};
use crate::config::Config;
use crate::error::Result;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::answer::Answer;
use elenchus_core::graph::{Polarity, keep, project_namespace, respond};
use elenchus_core::id::MemoId;
use elenchus_core::port::Clock;
use elenchus_engine::save_kept;
use elenchus_io::clock::SystemClock;
use serde_json::json;

/// The namespace in which the run left its answer by itself, where that is another one.
async fn kept_by_itself(place: &Place, answer: &Answer, config: &Config) -> Result<Option<String>> {
    let own = project_namespace(&bank::caller(config)?.project);
    if own == place.namespace {
        return Ok(None);
    }
    let ids: Vec<MemoId> = keep(answer, None, &own, SystemClock.now())
        .memos
        .into_iter()
        .map(|memo| memo.id)
        .take(1)
        .collect();
    let there = place.memos.get(&place.tenant, &own, &ids).await?;
    Ok((!there.is_empty()).then_some(own))
}

pub(super) async fn run(
    run: RunArgs,
    namespace: Option<String>,
    pivot: Option<String>,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let place = MemoPlace { namespace, store: StoreArgs { store: run.store.store.clone() } };
    let named = Named::find(run, config).await?;
    let answer = named.answer().await?;
    let place = Place::make(&place, config)?;
    let pivot: Option<MemoId> = match pivot {
        Some(name) => Some(place.memo(&name).await?.id),
        None => None,
    };
    let kept = keep(&answer, pivot.as_ref(), &place.namespace, SystemClock.now());
    let count = save_kept(&*place.memos, &place.tenant, &kept).await?;
    let id = &kept.memos[0].id;
    if let Some(other) = kept_by_itself(&place, &answer, config).await? {
        terminal.say(&format!(
            "the run had left the same in the namespace {other} when it ended, and lists show both: with --namespace \
             {other} nothing is written twice"
        ));
    }
    if as_json {
        return terminal.print_json(&json!({
            "memo_id": id,
            "namespace": place.namespace,
            "pivot_memo_id": pivot,
            "new_memos": count.memos,
            "new_relations": count.relations,
            "answer": respond(&answer, Some(&place.namespace)),
        }));
    }
    let conflicts =
        kept.relations.iter().filter(|r| Polarity::of(&r.tag) == Polarity::Conflicts).count();
    let before = if count.again { " (it was kept before)" } else { "" };
    terminal.print(&format!(
        "{id}{before}\n{} and {} are new in {}, {} in all; `elenchus score --pivot {id} --namespace {}` weighs them\n",
        counted(count.memos, "memo"),
        counted(count.relations, "relation"),
        place.namespace,
        counted(conflicts, "conflict"),
        place.namespace,
    ))
}
