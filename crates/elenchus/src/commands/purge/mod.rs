//! `elenchus purge`: taking out what is kept, after saying what that is.

mod found;
mod said;

use super::memory::time;
use super::store_path;
use crate::cli::PurgeArgs;
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::kept::RunSettings;
use crate::paths;
use crate::store_place::StorePlace;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::id::Timestamp;
use elenchus_core::port::{BankFailure, Clock, MemoFailure, StoreFailure};
use elenchus_io::clock::SystemClock;
use found::{Found, Scope};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(super) async fn run(args: PurgeArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let now = SystemClock.now();
    let before = args.older_than.as_deref().map(|text| time(text, now)).transpose()?;
    let scope = Scope {
        runs: args.runs || args.all,
        memory: args.memory || args.all,
        index: args.index || args.all,
        machine: args.store.store.is_none(),
        before,
        now,
    };
    let place = store_path(args.store.store, config)?;
    let found = found::look(&place, &scope, config, terminal).await?;
    if !args.json {
        terminal.print(&told(&found, &place, before))?;
    }
    let mut left = found.under_way;
    let goes = !args.dry_run && !found.is_nothing();
    if goes {
        if !args.yes && !terminal.agreed("remove all of this for good?")? {
            terminal.say("nothing was removed");
            return Ok(());
        }
        left += take(&found, &place, &scope, config, terminal).await?;
    }
    if left > 0 {
        let stay = many(left, "run is under way and stays", "runs are under way and stay");
        terminal.warn(&format!("{stay}; purge again once that is over"));
    }
    if args.json {
        let mut document = found.document();
        document["store"] = place.to_string().into();
        document["older_than"] = json!(before);
        document["removed"] = goes.into();
        document["runs_under_way"] = left.into();
        return terminal.print_json(&document);
    }
    if goes {
        terminal.say("removed; settings, pulled models and the tokens of servers stay");
    }
    Ok(())
}

/// What would go, a line each.
fn told(found: &Found, place: &StorePlace, before: Option<Timestamp>) -> String {
    let lines = found.lines();
    let since = before.map_or_else(String::new, |at| {
        format!(" that was last touched before {}", crate::time::shown(at.0))
    });
    if lines.is_empty() {
        return format!("there is nothing of that kind in {place}{since}\n");
    }
    format!("in {place} and on this machine{since}:\n  {}\n", lines.join("\n  "))
}

/// Takes it out, and gives how many runs had to stay because somebody has begun to drive them meanwhile.
async fn take(
    found: &Found,
    place: &StorePlace,
    scope: &Scope,
    config: &Config,
    terminal: &Terminal,
) -> Result<usize> {
    let mut left = 0;
    if !found.runs.is_empty() {
        let store = wire::store(place)?;
        for id in &found.runs {
            match store.delete(id, scope.now).await {
                Ok(()) => RunSettings::remove(place, id),
                Err(StoreFailure::UnknownRun(_)) => {}
                Err(StoreFailure::Leased { .. }) => left += 1,
                Err(failure) => return Err(failure.into()),
            }
        }
    }
    if let Some(pages) = &found.pages {
        let gone = crate::web::pages(place).and_then(|kept| match kept {
            Some(kept) => kept.forget_before(pages.before),
            None => Ok(0),
        });
        gone.map_err(|error| CliError::parsed(Kind::Storage, &error.to_string(), AGAIN))?;
    }
    for file in &found.judgements {
        said::forget(file, scope.before)?;
    }
    if found.replies {
        discard(&paths::replies()?)?;
    }
    memory(found, place, scope, config, terminal).await?;
    for file in &found.indexes {
        discard(file)?;
    }
    // The other ways to the file are closed by now.
    if place.database().is_none() && place.is_made() && (scope.runs || scope.memory) {
        let compacted = wire::store_file(place).and_then(|store| Ok(store.compact()?));
        if let Err(error) = compacted {
            terminal.warn(&format!(
                "what was removed is gone from {place}, but its bytes were not overwritten ({}): purge again when no other \
                 process uses it",
                error.cause
            ));
        }
    }
    Ok(left)
}

const AGAIN: &str = "purge again when no other process uses it";

/// Strategies, sessions and memos.
async fn memory(
    found: &Found,
    place: &StorePlace,
    scope: &Scope,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    if !found.projects.is_empty() {
        let bank = crate::bank::bank(place, config, terminal)?;
        for (caller, id) in &found.strategies {
            match bank.delete(caller, id).await {
                Ok(()) | Err(BankFailure::Unknown(_)) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        for caller in &found.projects {
            bank.forget_sessions(caller, scope.before).await?;
        }
    }
    if !found.memos.is_empty() {
        let memos = wire::memos(place, config)?;
        for (tenant, memo) in &found.memos {
            match memos.delete(tenant, &memo.namespace, &memo.id).await {
                Ok(()) | Err(MemoFailure::Unknown(_)) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
    }
    Ok(())
}

/// Removes a file of SQLite with those beside it.
fn discard(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let file = PathBuf::from(name);
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(CliError::storage(
                    format!("could not remove {}", file.display()),
                    error.to_string(),
                    "check its permissions and purge again",
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// "1 memory", "3 memories".
fn many(count: usize, one: &str, several: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {several}") }
}

/// "3 runs"; nothing where there is none.
fn some(count: usize, thing: &str, rest: &str) -> Option<String> {
    (count > 0).then(|| format!("{}{rest}", counted(count, thing)))
}
