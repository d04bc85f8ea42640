//! `elenchus db`: moving a store to another place, and bringing one to this version.

use super::store_path;
use crate::cli::{DbCommand, DbCopyArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::kept::taken_along;
use crate::paths;
use crate::store_place::StorePlace;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::id::RunId;
use elenchus_core::port::Clock;
use elenchus_io::clock::SystemClock;
use elenchus_io::store::{Copied, House, copy};
use serde_json::json;

pub(super) async fn run(command: DbCommand, config: &Config, terminal: &Terminal) -> Result<()> {
    match command {
        DbCommand::Copy(args) => copied(args, config, terminal).await,
        DbCommand::Migrate(args) => {
            let place = store_path(args.store.store, config)?;
            let runs = wire::store(&place)?.runs().await?;
            terminal.say(&format!(
                "{place} is of this version and holds {}",
                counted(runs.len(), "run")
            ));
            Ok(())
        }
    }
}

async fn copied(args: DbCopyArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let from = store_path(Some(args.from), config)?;
    let to = store_path(Some(args.to), config)?;
    if from == to {
        return Err(CliError::usage(
            "could not copy the store",
            "both names are the same store",
            "name an empty one to copy to",
        ));
    }
    if from.database().is_none() && !from.exists() {
        return Err(CliError::usage(
            "could not copy the store",
            format!("{from} is not there"),
            "name the file of a store; `elenchus doctor` tells where the usual one is",
        ));
    }
    let all = copy(house(&from), house(&to), SystemClock.now()).await?;
    let runs: Vec<RunId> =
        wire::store(&to)?.runs().await?.into_iter().map(|run| run.run_id).collect();
    let stays = stays(taken_along(&from, &to, &runs)?);
    if args.json {
        let relations: Vec<_> = all
            .iter()
            .map(|Copied { relation, rows, digest }| {
                json!({ "relation": relation, "rows": rows, "sha256": digest })
            })
            .collect();
        return terminal.print_json(&json!({
            "from": from.to_string(), "to": to.to_string(), "relations": relations, "stays": stays,
        }));
    }
    let width = all.iter().map(|one| one.relation.len()).max().unwrap_or(0);
    let lines: Vec<String> = all
        .iter()
        .map(|one| format!("{:width$}  {:>8}  {}", one.relation, one.rows, &one.digest[..16]))
        .collect();
    terminal.print(&format!("{}\n", lines.join("\n")))?;
    let rows: usize = all.iter().map(|one| one.rows).sum();
    terminal.say(&format!(
        "{} went from {from} to {to}, and each has the same hash on both sides",
        counted(rows, "row")
    ));
    for one in stays {
        terminal.say(&format!("not copied: {one}"));
    }
    Ok(())
}

/// What belongs to the runs of a store and did not go along: of `lacking` of them nobody knows where the documents are.
fn stays(lacking: usize) -> Vec<String> {
    if lacking == 0 {
        return Vec::new();
    }
    vec![format!(
        "where the documents of {} are, of which no note can be read; `elenchus runs resume RUN --corpus DIR` names them anew",
        counted(lacking, "run")
    )]
}

fn house(place: &StorePlace) -> House {
    #[cfg(feature = "postgres")]
    if let Some(url) = place.database() {
        return House::Server(url.to_owned());
    }
    House::File { store: place.to_path_buf(), pages: paths::snapshots(place) }
}
