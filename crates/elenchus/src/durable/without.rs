//! A build without the Restate engine says which feature is missing.

use super::{Following, HandOver, engine};
use crate::cli::{EngineArg, WorkerArgs};
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
        "build it with `cargo build --release -p elenchus --features restate`; without such a server leave out `--engine \
         restate` (or `engine` in the settings), and give `elenchus worker` a store on a PostgreSQL server",
    )
}

pub(crate) fn ready(config: &Config) -> Result<()> {
    match engine(config) {
        EngineArg::Local => Ok(()),
        EngineArg::Restate => Err(missing("could not hand runs over")),
    }
}

pub(super) async fn submit(_run: HandOver, _config: &Config) -> Result<()> {
    Err(missing("could not hand the run over"))
}

pub(super) async fn come(_run: Following, _config: &Config) -> Result<RunHandle> {
    Err(missing("could not follow the run"))
}

pub(crate) async fn is_there(
    _run: &RunId,
    _store: &Arc<dyn Store>,
    _config: &Config,
) -> Result<bool> {
    Ok(false)
}

pub(crate) async fn attach(
    _run: Following,
    _tell: &[Control],
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
