//! Handing runs over, following them, and serving as a worker.

use super::door::Door;
use super::grounds::Premises;
use super::{Following, HandOver, engine};
use crate::cli::{EngineArg, WorkerArgs};
use crate::commands::serve;
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Control;
use elenchus_core::port::Store;
use elenchus_engine::restate::{Remote, RemoteError, Submission, Worker};
use elenchus_engine::{EngineError, RunHandle, Settings};
use std::sync::Arc;

/// Where to listen, unless told otherwise.
const USUAL: &str = "127.0.0.1:9080";
/// The port where an address is given alone.
const USUAL_PORT: u16 = 9080;

fn remote(store: &Arc<dyn Store>, config: &Config) -> Result<Remote> {
    Ok(Remote::new(Arc::new(Door::ingress(config)?), Arc::clone(store)))
}

/// Refuses at once where runs are to be handed over and the address of the server cannot be used. Nobody is asked yet.
pub(crate) fn ready(config: &Config) -> Result<()> {
    match engine(config) {
        EngineArg::Local => Ok(()),
        EngineArg::Restate => Door::ingress(config).map(drop),
    }
}

/// Hands a run over. It is durable when this returns.
pub(super) async fn submit(run: HandOver, config: &Config) -> Result<()> {
    let HandOver { question, options, contest, seed, at, note } = run;
    let ground = serde_json::to_value(&note).map_err(|error| {
        CliError::usage(
            "could not hand the run over",
            format!("where its documents are cannot be written down ({error})"),
            "give the folder a name in UTF-8",
        )
    })?;
    let submission =
        Submission { contest, ..Submission::new(&question, options, seed, at, ground)? };
    let path = Door::ingress(config)?;
    let submit = || elenchus_engine::restate::submit(&path, &submission);
    let handed = match submit().await {
        // What was lost may have been the reply: a second time changes nothing, and tells.
        Err(RemoteError::Unreachable(_)) => submit().await,
        handed => handed,
    };
    Ok(handed.map_err(EngineError::Remote)?)
}

/// Follows a run that was handed over a moment ago or longer. Waits until a worker has begun it.
pub(super) async fn come(run: Following, config: &Config) -> Result<RunHandle> {
    Ok(remote(&run.store, config)?.attach(&run.id, run.seen).await?)
}

/// Whether the server has a run and it has not ended there.
pub(crate) async fn is_there(run: &RunId, store: &Arc<dyn Store>, config: &Config) -> Result<bool> {
    match remote(store, config)?.end(run).await {
        Ok(end) => Ok(end.is_none()),
        Err(RemoteError::UnknownRun(_) | RemoteError::Ended { .. }) => Ok(false),
        Err(error) => Err(EngineError::Remote(error).into()),
    }
}

/// Follows a run that was handed over, and tells it something first. Waits until a worker has begun it.
pub(crate) async fn attach(run: Following, tell: &[Control], config: &Config) -> Result<RunHandle> {
    let remote = remote(&run.store, config)?;
    // One that the server does not know would be waited for in vain.
    remote.end(&run.id).await.map_err(EngineError::Remote)?;
    for control in tell {
        remote.give(&run.id, control).await.map_err(EngineError::Remote)?;
    }
    Ok(remote.attach(&run.id, run.seen).await?)
}

/// Gives a control to a run, if the workers have it; it is heard as soon as one is there. A server that is not there has none,
/// unless runs are handed over to it.
pub(crate) async fn steer(
    run: &RunId,
    control: &Control,
    store: &Arc<dyn Store>,
    config: &Config,
) -> Result<bool> {
    let remote = remote(store, config)?;
    match remote.end(run).await {
        Ok(None) => {}
        Err(error @ RemoteError::Unreachable(_)) if engine(config) == EngineArg::Restate => {
            return Err(EngineError::Remote(error).into());
        }
        _ => return Ok(false),
    }
    remote.leave(run, control).await.map_err(EngineError::Remote)?;
    Ok(true)
}

/// Serves runs until it is told to stop.
pub(crate) async fn work(args: WorkerArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    config.flag("store", "--store", crate::commands::text(args.store.store)?);
    let path = crate::commands::store_path(None, &config)?;
    let store = wire::store(&path)?;
    let mut allowed = Vec::new();
    for folder in &args.corpus {
        allowed.push(wire::folder(folder)?);
    }
    let mut interrupts = Interrupts::listen(terminal.clone());
    let admin = match &args.register {
        Some(url) => Some(Door::new(url, "--register", &config)?),
        None => None,
    };
    let bound = serve::bind(args.listen.as_deref().unwrap_or(USUAL), USUAL_PORT, false).await?;
    if !bound.is_loopback && args.identity_key.is_none() {
        terminal.warn(
            "other machines reach this worker, and it does as anybody says who does: give it the key of the Restate \
             server with --identity-key",
        );
    }
    let settings = Settings { deadlines: crate::ground::slowest(), ..Settings::default() };
    let url = bound.url.clone();
    let awaited = args.register.is_none().then(|| awaited(path.database().is_some()));
    let grounds = Premises::new(config, path, store, allowed, interrupts.clone(), terminal.clone());
    let mut worker = Worker::new(Arc::new(grounds), settings, args.distillers);
    if let Some(key) = args.identity_key {
        worker = worker.trusting(key);
    }
    let serving = worker.serve(bound.listener, async move { interrupts.wait().await });
    let mut serving = std::pin::pin!(serving);
    let begun = async {
        if let Some(admin) = admin {
            admin.register(args.advertise.as_deref().unwrap_or(&url)).await?;
        }
        terminal.say(&format!("working at {url}"));
        if let Some(awaited) = awaited {
            terminal.say(&awaited);
        }
        // The one line that is data: a program that starts the worker reads it.
        terminal.print_line(&url)
    };
    let wrong_key = |cause: String| {
        CliError::usage(
            "could not start the worker",
            cause,
            "copy the key from the Restate server's log",
        )
    };
    tokio::select! {
        biased;
        served = serving.as_mut() => return served.map_err(wrong_key),
        begun = begun => begun?,
    }
    serving.await.map_err(wrong_key)
}

/// What a worker waits for that told no server of itself. One may know the address from earlier.
fn awaited(on_a_server: bool) -> String {
    let known = "no Restate server was told of this worker: one that knows its address sends work, and --register ADMIN_URL makes \
                 one know it";
    if on_a_server {
        return known.to_owned();
    }
    format!("{known}; a run in a file that nobody drives is gone on with by `elenchus runs resume`")
}
