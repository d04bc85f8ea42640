//! `elenchus index`: whether the index of vectors is what the store says, and making it so.

use super::store_path;
use crate::bank::{bank, vectors};
use crate::cli::{IndexCheckArgs, IndexCommand, IndexRebuildArgs};
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::store_place::StorePlace;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::port::BankFailure;
use elenchus_io::vector_index::VectorIndex;
use elenchus_io::vector_index::drift::Drift;
#[cfg(feature = "postgres")]
use elenchus_io::vector_index::{IndexFailure, PgIndex};
use serde_json::{Value, json};
use std::sync::Arc;

/// Ids of each kind that are named on a terminal.
const NAMED: usize = 5;

pub(super) async fn run(command: IndexCommand, config: &Config, terminal: &Terminal) -> Result<()> {
    match command {
        IndexCommand::Check(args) => check(args, config, terminal).await,
        IndexCommand::Rebuild(args) => rebuild(args, config, terminal).await,
    }
}

async fn check(args: IndexCheckArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let place = store_path(args.store.store, config)?;
    let index = index(&place, config, terminal)?.index;
    let bank = bank(&place, config, terminal)?;
    let found = bank.index_drift(index.as_ref()).await?;
    let mut done = (0, 0);
    if args.repair {
        for (tenant, drift) in found.iter().filter(|(_, drift)| !drift.is_none()) {
            let (written, taken) = bank.mend_index(index.as_ref(), tenant, drift).await?;
            done = (done.0 + written, done.1 + taken);
        }
    }
    if args.json {
        let tenants: Vec<Value> =
            found.iter().map(|(tenant, drift)| document(tenant, drift)).collect();
        let mut whole = json!({ "index": index.name(), "tenants": tenants });
        if args.repair {
            whole["written"] = done.0.into();
            whole["taken_out"] = done.1.into();
        }
        terminal.print_json(&whole)?;
    } else {
        let lines: Vec<String> = found.iter().map(|(tenant, drift)| line(tenant, drift)).collect();
        terminal.print(&format!("{}\n{}", index.name(), lines.concat()))?;
        if args.repair {
            terminal.say(&format!(
                "{} written, {} taken out",
                counted(done.0, "point"),
                counted(done.1, "point")
            ));
        }
    }
    if args.repair || found.iter().all(|(_, drift)| drift.is_none()) {
        return Ok(());
    }
    Err(CliError::new(
        Kind::Failure,
        "checked the index of vectors",
        "it differs from the memory",
        "`elenchus index check --repair` mends it",
    ))
}

async fn rebuild(args: IndexRebuildArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let place = store_path(args.store.store, config)?;
    let chosen = index(&place, config, terminal)?;
    let bank = bank(&place, config, terminal)?;
    let written = chosen.filled(bank.rebuild_index(chosen.index.as_ref())).await?;
    let index = chosen.index;
    if args.json {
        return terminal.print_json(&json!({ "index": index.name(), "written": written }));
    }
    terminal.say(&format!("wrote {} to {}", counted(written, "point"), index.name()));
    Ok(())
}

/// An index, and what of it depends on where it stands.
struct Chosen {
    index: Arc<dyn VectorIndex>,
    #[cfg(feature = "postgres")]
    own: Option<Arc<PgIndex>>,
}

impl Chosen {
    /// Writes very many points: a graph is made of all of them at the end, much faster than of one after the other.
    async fn filled(
        &self,
        work: impl Future<Output = std::result::Result<usize, BankFailure>>,
    ) -> Result<usize> {
        #[cfg(feature = "postgres")]
        if let Some(own) = &self.own {
            own.without_graph().await.map_err(failed)?;
            let written = work.await;
            own.with_graph().await.map_err(failed)?;
            return Ok(written?);
        }
        Ok(work.await?)
    }
}

#[cfg(feature = "postgres")]
fn failed(failure: IndexFailure) -> CliError {
    CliError::storage(format!("could not {}", failure.attempted), failure.cause, failure.way_out)
}

/// The index of the settings, else that of the store's own server; without one there is nothing to do.
fn index(place: &StorePlace, config: &Config, terminal: &Terminal) -> Result<Chosen> {
    let attempted = "could not look at the index of vectors";
    let vectors = vectors(config)?;
    if let Some(index) = crate::vectors::index(config, vectors.as_ref())? {
        return Ok(Chosen {
            index,
            #[cfg(feature = "postgres")]
            own: None,
        });
    }
    #[cfg(feature = "postgres")]
    if let Some(own) = crate::vectors::own(place, vectors.as_ref(), terminal)? {
        let own = Arc::new(own);
        return Ok(Chosen { index: Arc::clone(&own) as Arc<dyn VectorIndex>, own: Some(own) });
    }
    #[cfg(not(feature = "postgres"))]
    let _ = (place, terminal);
    if cfg!(not(feature = "qdrant")) {
        return Err(CliError::usage(
            attempted,
            "this build of elenchus cannot speak to a Qdrant server",
            "build it with `cargo build --release -p elenchus --features qdrant`",
        ));
    }
    Err(CliError::usage(
        attempted,
        "there is none: the memory keeps its vectors in its own file",
        "set QDRANT_URL to the address of a Qdrant server to have one, or keep the memory on a PostgreSQL server",
    ))
}

fn document(tenant: &str, drift: &Drift) -> Value {
    let Drift { sound, missing, extra, stale } = drift;
    json!({ "tenant": tenant, "sound": sound, "missing": missing, "extra": extra, "stale": stale })
}

fn line(tenant: &str, drift: &Drift) -> String {
    let mut line = format!("tenant {tenant}: {} as they should be", drift.sound);
    for (what, ids) in
        [("missing", &drift.missing), ("too much", &drift.extra), ("stale", &drift.stale)]
    {
        if !ids.is_empty() {
            let named: Vec<&str> = ids.iter().take(NAMED).map(String::as_str).collect();
            let more = if ids.len() > NAMED { ", ..." } else { "" };
            line = format!("{line}; {} {what} ({}{more})", ids.len(), named.join(", "));
        }
    }
    line.push('\n');
    line
}
