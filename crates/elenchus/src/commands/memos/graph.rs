//! `elenchus memo graph`: the relations around a memo.

use super::place::Place;
use super::show::{seen_from, titles};
use crate::error::Result;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::graph::Memo;
use elenchus_core::id::MemoId;
use elenchus_core::port::Reach;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) async fn run(
    place: &Place,
    start: &Memo,
    reach: &Reach,
    as_json: bool,
    terminal: &Terminal,
) -> Result<()> {
    let relations = place.memos.around(&place.tenant, reach).await?;
    let titles = titles(place, &reach.namespace, &relations).await?;
    if as_json {
        let mut nodes = vec![json!({ "id": start.id, "title": start.heading() })];
        let others = titles.iter().filter(|(id, _)| **id != start.id);
        nodes.extend(others.map(|(id, title)| json!({ "id": id, "title": title })));
        return terminal.print_json(&json!({ "nodes": nodes, "edges": relations }));
    }
    if relations.is_empty() {
        terminal.say(&format!(
            "nothing is related to {}; `elenchus memo relate {} supports ID` says that it bears on a memo",
            start.id, start.id
        ));
        return Ok(());
    }
    let title = |id: &MemoId| titles.get(id).cloned().unwrap_or_else(|| id.to_string());
    let mut out = String::new();
    let mut told: BTreeSet<usize> = BTreeSet::new();
    let mut seen: BTreeSet<&MemoId> = BTreeSet::from([&start.id]);
    let mut level: Vec<&MemoId> = vec![&start.id];
    // Each relation is told once, under the nearer of its ends.
    while !level.is_empty() {
        let mut next = Vec::new();
        for from in level {
            let here: Vec<usize> = (0..relations.len())
                .filter(|at| {
                    let ends = [&relations[*at].source, &relations[*at].target];
                    ends.contains(&from) && !told.contains(at)
                })
                .collect();
            if here.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{} ({from})", title(from));
            for at in here {
                let relation = &relations[at];
                told.insert(at);
                let _ = writeln!(out, "  {}", seen_from(from, relation, &title));
                for end in [&relation.source, &relation.target] {
                    if seen.insert(end) {
                        next.push(end);
                    }
                }
            }
        }
        level = next;
    }
    if relations.len() >= reach.limit {
        terminal.warn(&format!(
            "only the nearest {} are shown; --limit shows more",
            counted(reach.limit, "relation")
        ));
    }
    terminal.print(&out)
}
