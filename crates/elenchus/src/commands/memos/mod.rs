//! `elenchus memo` and `elenchus score`: the evidence graph.

mod graph;
mod judged;
mod keep;
mod place;
mod score;
mod show;

pub(crate) use judged::forget;
pub(crate) use score::run as score;

use crate::cli::{MemoCommand, MemoListing, MemoSaveArgs, RelationArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::graph::{Memo, Relation};
use elenchus_core::id::MemoId;
use elenchus_core::port::{Clock, MemoFilter};
use elenchus_io::clock::SystemClock;
use place::Place;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

pub(super) async fn run(command: MemoCommand, config: &Config, terminal: &Terminal) -> Result<()> {
    match command {
        MemoCommand::Save(args) => save(args, config, terminal).await,
        MemoCommand::Search { query, listing } => search(query, listing, config, terminal).await,
        MemoCommand::List { listing } => list(listing, config, terminal).await,
        MemoCommand::Show { memo, json } => show::run(memo, json, config, terminal).await,
        MemoCommand::Delete { memo, yes } => {
            let place = Place::there(&memo.place, config)?;
            let found = place.memo(&memo.id).await?;
            let asked =
                format!("delete memo {} ({:?}) with its relations?", found.id, found.heading());
            if !yes && !terminal.agreed(&asked)? {
                terminal.say("nothing was deleted");
                return Ok(());
            }
            place.memos.delete(&place.tenant, &found.namespace, &found.id).await?;
            terminal.say(&format!("deleted memo {}", found.id));
            Ok(())
        }
        MemoCommand::Relate { ends, weight, reason, json } => {
            let (place, mut relation) = related(ends, config).await?;
            relation.weight = weight;
            relation.reason = reason;
            place.memos.relate(&place.tenant, &relation).await?;
            if json {
                return terminal.print_json(&relation);
            }
            terminal.print(&format!(
                "{} {} {} (weight {weight})\n",
                relation.source, relation.tag, relation.target
            ))
        }
        MemoCommand::Unrelate { ends } => {
            let (place, relation) = related(ends, config).await?;
            place.memos.unrelate(&place.tenant, &relation).await?;
            let Relation { source, tag, target, .. } = &relation;
            terminal.say(&format!("{source} {tag} {target}: taken back"));
            Ok(())
        }
        MemoCommand::Graph { memo, depth, direction, tag, limit, json } => {
            let place = Place::there(&memo.place, config)?;
            let start = place.memo(&memo.id).await?;
            let reach = elenchus_core::port::Reach {
                namespace: place.namespace.clone(),
                start: start.id.clone(),
                depth,
                direction: direction.direction(),
                tag,
                limit,
            };
            graph::run(&place, &start, &reach, json, terminal).await
        }
        MemoCommand::Conflicts { place, json } => {
            show::conflicts(&place, json, config, terminal).await
        }
        MemoCommand::Keep { run, namespace, pivot, json } => {
            keep::run(run, namespace, pivot, json, config, terminal).await
        }
    }
}

/// Both ends, found, with a relation between them that weighs half.
async fn related(ends: RelationArgs, config: &Config) -> Result<(Place, Relation)> {
    let place = Place::there(&ends.place, config)?;
    let source = place.memo(&ends.source).await?.id;
    let target = place.memo(&ends.target).await?.id;
    let relation = Relation {
        namespace: place.namespace.clone(),
        source,
        target,
        tag: ends.tag,
        weight: 0.5,
        reason: None,
        created_at: SystemClock.now(),
        times: 1,
    };
    Ok((place, relation))
}

async fn save(args: MemoSaveArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let content = match (args.content, args.file.as_deref()) {
        (_, Some(file)) => read(file)?,
        (content, None) => content.unwrap_or_default(),
    };
    let metadata = metadata(&args.metadata)?;
    let place = Place::make(&args.place, config)?;
    let now = SystemClock.now();
    let id =
        args.id.map_or_else(|| Memo::derive_id(&place.namespace, &args.title, &content), MemoId);
    let memo = Memo {
        id,
        namespace: place.namespace.clone(),
        title: args.title,
        content,
        metadata,
        tags: args.tags,
        created_at: now,
        updated_at: now,
    };
    place.memos.save(&place.tenant, &memo).await?;
    if args.json {
        return terminal.print_json(&memo);
    }
    terminal.print(&format!("{}\n", memo.id))
}

fn read(file: &Path) -> Result<String> {
    let mut text = String::new();
    let done = if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text))
    };
    done.map(|_| text).map_err(|error| {
        CliError::usage(
            format!("could not read the memo's text from {}", file.display()),
            error.to_string(),
            "name a text file in UTF-8",
        )
    })
}

/// `name=value` pairs; a name that is given several times has a list.
fn metadata(pairs: &[String]) -> Result<BTreeMap<String, Value>> {
    let mut all: BTreeMap<String, Value> = BTreeMap::new();
    for pair in pairs {
        let Some((name, value)) = pair.split_once('=').filter(|(name, _)| !name.trim().is_empty())
        else {
            return Err(CliError::usage(
                format!("could not use --meta {pair:?}"),
                "it is no name with a value",
                "write --meta source=report.md",
            ));
        };
        let (name, value) = (name.trim().to_owned(), json!(value));
        match all.get_mut(&name) {
            None => {
                all.insert(name, value);
            }
            Some(Value::Array(values)) => values.push(value),
            Some(one) => *one = json!([one.take(), value]),
        }
    }
    Ok(all)
}

fn filter(place: &Place, listing: &MemoListing) -> MemoFilter {
    MemoFilter {
        namespace: place.listed.clone(),
        tag: listing.tag.clone(),
        limit: listing.limit,
        walls: None,
    }
}

async fn search(
    query: String,
    listing: MemoListing,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    elenchus_core::graph::check::check_query(&query)?;
    let hits = match Place::looked(&listing.place, config)? {
        Some(place) => place.memos.search(&place.tenant, &query, &filter(&place, &listing)).await?,
        None => Vec::new(),
    };
    if listing.json {
        return terminal.print_json(&hits);
    }
    if hits.is_empty() {
        terminal.say("no memo has these words or anything like them");
        return Ok(());
    }
    let lines: Vec<String> = hits
        .iter()
        .map(|hit| {
            format!("{:.3}  {}", hit.score, show::line(&hit.memo, terminal.width.saturating_sub(7)))
        })
        .collect();
    terminal.print(&lines.concat())
}

async fn list(listing: MemoListing, config: &Config, terminal: &Terminal) -> Result<()> {
    let memos = match Place::looked(&listing.place, config)? {
        Some(place) => place.memos.list(&place.tenant, &filter(&place, &listing)).await?,
        None => Vec::new(),
    };
    if listing.json {
        return terminal.print_json(&memos);
    }
    if memos.is_empty() {
        terminal.say("there are no memos; `elenchus memo save TEXT` makes one, `elenchus memo keep RUN` many");
        return Ok(());
    }
    let lines: Vec<String> = memos.iter().map(|memo| show::line(memo, terminal.width)).collect();
    terminal.print(&lines.concat())
}
