//! Memos, one by one and in lists, and the conflicts between them.

use super::place::Place;
use crate::cli::{MemoArgs, MemoPlace};
use crate::config::Config;
use crate::error::Result;
use crate::time;
use crate::ui::progress::counted;
use crate::ui::terminal::{Terminal, fit};
use elenchus_core::graph::{Direction, Memo, Polarity, Recurring, Relation, reading, recurring};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFilter, Reach};
use elenchus_core::text::squeeze;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most relations that are shown with a memo.
const MANY: usize = 1_000;

/// A memo on one line.
pub(super) fn line(memo: &Memo, width: usize) -> String {
    let answer = if memo.is_inference() { "[answer] " } else { "" };
    let text = format!("{} ({}): {answer}{}", memo.id, memo.namespace, memo.heading());
    format!("{}\n", fit(&text, width.max(40)))
}

/// A relation as it is seen from one of its ends: "supported by M2 (weight 0.7): reason".
pub(super) fn seen_from(
    memo: &MemoId,
    relation: &Relation,
    title: &dyn Fn(&MemoId) -> String,
) -> String {
    let (direction, other) = if relation.source == *memo {
        (Direction::Forward, &relation.target)
    } else {
        (Direction::Backward, &relation.source)
    };
    let reason =
        relation.reason.as_deref().map(|r| format!(": {}", squeeze(r))).unwrap_or_default();
    let times =
        if relation.times > 1 { format!(", said {} times", relation.times) } else { String::new() };
    format!(
        "{} {} ({other}, weight {:.2}{times}){reason}",
        squeeze(&reading(&relation.tag, direction)),
        title(other),
        relation.weight
    )
}

pub(super) async fn run(
    args: MemoArgs,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let place = Place::there(&args.place, config)?;
    let memo = place.memo(&args.id).await?;
    let reach = Reach {
        namespace: memo.namespace.clone(),
        start: memo.id.clone(),
        depth: 1,
        direction: Direction::Both,
        tag: None,
        limit: MANY,
    };
    let relations = place.memos.around(&place.tenant, &reach).await?;
    if as_json {
        return terminal.print_json(&json!({ "memo": memo, "relations": relations }));
    }
    let titles = titles(&place, &memo.namespace, &relations).await?;
    let title = |id: &MemoId| titles.get(id).cloned().unwrap_or_else(|| id.to_string());
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}\n{} in {}, saved {}",
        memo.heading(),
        memo.id,
        memo.namespace,
        time::shown(memo.updated_at.0)
    );
    if !memo.tags.is_empty() {
        let tags: Vec<String> = memo.tags.iter().map(|tag| squeeze(tag)).collect();
        let _ = writeln!(out, "tags: {}", tags.join(", "));
    }
    for (name, value) in &memo.metadata {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(out, "{}: {}", squeeze(name), squeeze(&shown));
    }
    let _ = writeln!(out);
    for line in memo.content.lines() {
        let _ = writeln!(out, "{}", squeeze(line));
    }
    if !relations.is_empty() {
        let _ = writeln!(out, "\n{}:", counted(relations.len(), "relation"));
        for relation in &relations {
            let _ = writeln!(out, "  {}", seen_from(&memo.id, relation, &title));
        }
    }
    terminal.print(&out)
}

/// Titles of the ends of relations.
pub(super) async fn titles(
    place: &Place,
    namespace: &str,
    relations: &[Relation],
) -> Result<BTreeMap<MemoId, String>> {
    let mut ids: Vec<MemoId> =
        relations.iter().flat_map(|r| [r.source.clone(), r.target.clone()]).collect();
    ids.sort();
    ids.dedup();
    let memos = place.memos.get(&place.tenant, namespace, &ids).await?;
    Ok(memos.into_iter().map(|memo| (memo.id.clone(), memo.heading())).collect())
}

pub(super) async fn conflicts(
    args: &MemoPlace,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let (mut relations, memos) = match Place::looked(args, config)? {
        Some(place) => {
            let all = MemoFilter { namespace: place.listed.clone(), ..MemoFilter::default() };
            let relations = place.memos.relations(&place.tenant, &all).await?;
            (relations, place.memos.list(&place.tenant, &all).await?)
        }
        None => (Vec::new(), Vec::new()),
    };
    relations.retain(|relation| Polarity::of(&relation.tag) == Polarity::Conflicts);
    relations.sort_by(|a, b| {
        b.weight
            .total_cmp(&a.weight)
            .then_with(|| a.namespace.cmp(&b.namespace))
            .then_with(|| a.key().cmp(&b.key()))
    });
    let again = recurring(&relations, &memos);
    if as_json {
        return terminal.print_json(&json!({ "recurring": again, "conflicts": relations }));
    }
    if relations.is_empty() {
        terminal.say("no memos conflict");
        return Ok(());
    }
    let names: BTreeMap<(&str, &MemoId), String> =
        memos.iter().map(|memo| ((memo.namespace.as_str(), &memo.id), memo.heading())).collect();
    let mut out = String::new();
    for one in &again {
        let _ = writeln!(out, "{}", recurring_line(one));
    }
    if !again.is_empty() {
        let _ = writeln!(out);
    }
    let _ = writeln!(out, "{}, the heaviest first:", counted(relations.len(), "conflict"));
    for relation in &relations {
        let title = |id: &MemoId| {
            names.get(&(relation.namespace.as_str(), id)).cloned().unwrap_or_else(|| id.to_string())
        };
        let _ = writeln!(
            out,
            "  {} ({}) {}",
            title(&relation.source),
            relation.source,
            seen_from(&relation.source, relation, &title)
        );
    }
    terminal.print(&out)
}

/// A conflict that comes again and again, on one line.
pub(super) fn recurring_line(one: &Recurring) -> String {
    let why: Vec<String> = one.reasons.iter().map(|reason| squeeze(reason)).collect();
    let why = if why.is_empty() { String::new() } else { format!(": {}", why.join(" / ")) };
    format!(
        "said {} times: {} ({}) against {} ({}){why}",
        one.times, one.titles[0], one.memos[0], one.titles[1], one.memos[1]
    )
}
