//! A build without the Restate engine says which feature is missing.

use super::{Following, HandOver};
use crate::cli::WorkerArgs;
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Control;
use elenchus_core::port::Store;
use elenchus_engine::RunHandle;
use std::sync::Arc;

fn missing(attempted: &str) -> CliError {
    CliError::usage(
        attempted,
        "this build of elenchus cannot speak to a Restate server",
        "build it with `cargo build --release -p elenchus --features restate`; without such a server leave `--engine \
         restate` out, and give `elenchus worker` a store on a PostgreSQL server",
    )
}

pub(crate) async fn submit(_run: HandOver, _config: &Config) -> Result<()> {
    Err(missing("could not hand the run over"))
}

pub(crate) async fn attach(
    _run: Following,
    _tell: Option<Control>,
    _config: &Config,
) -> Result<RunHandle> {
    Err(missing("could not attach to the run"))
}

pub(crate) async fn steer(
    _run: &RunId,
    _control: &Control,
    _store: &Arc<dyn Store>,
    _config: &Config,
) -> Result<bool> {
    Ok(false)
}

pub(crate) async fn work(_args: WorkerArgs, _config: Config, _terminal: &Terminal) -> Result<()> {
    Err(missing("could not start a worker"))
}
