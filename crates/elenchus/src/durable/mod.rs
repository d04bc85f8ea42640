//! Runs that a Restate server drives: handed over, followed, and worked on.

#[cfg(feature = "restate")]
mod door;
#[cfg(feature = "restate")]
mod grounds;
#[cfg(feature = "restate")]
mod with;
#[cfg(not(feature = "restate"))]
mod without;

#[cfg(feature = "restate")]
pub(crate) use with::{attach, is_there, ready, steer, work};
#[cfg(feature = "restate")]
use with::{come, submit};
#[cfg(not(feature = "restate"))]
pub(crate) use without::{attach, is_there, ready, steer, work};
#[cfg(not(feature = "restate"))]
use without::{come, submit};

use crate::cli::EngineArg;
use crate::config::{Config, Value};
use crate::error::Result;
use crate::kept::RunSettings;
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use crate::wire::CorpusPlace;
use elenchus_core::bank::{Caller, scrub};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::Options;
use elenchus_core::port::{Clock, Store};
use elenchus_core::scrutiny::challenge::Contest;
use elenchus_engine::RunHandle;
use elenchus_io::clock::SystemClock;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

/// After this long it is said that a worker is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a worker needs to open the ground of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// Where its documents are, and what thinks.
    pub(crate) settings: RunSettings,
    /// In which addresses of pages may be named; empty where nobody may name any.
    pub(crate) question: String,
    /// On whose behalf it recalls and learns; nobody's when it does neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) caller: Option<Caller>,
}

/// What drives the runs that are started.
pub(crate) fn engine(config: &Config) -> EngineArg {
    match config.text("engine") {
        Some("restate") => EngineArg::Restate,
        _ => EngineArg::Local,
    }
}

/// A run in the making, for the workers.
pub(crate) struct Handing<'a> {
    pub(crate) question: &'a str,
    pub(crate) options: Options,
    /// The challenge that it looks into.
    pub(crate) contest: Option<Contest>,
    /// The time and the seed that make its id, see [`begins`].
    pub(crate) begins: (Timestamp, u64),
    /// Whether addresses in the question are the user's word.
    pub(crate) names_pages: bool,
    /// Where its documents are; nothing for the web alone.
    pub(crate) place: Option<&'a CorpusPlace>,
    /// Whether it recalls and learns nothing, whatever the settings say.
    pub(crate) forgets: bool,
    pub(crate) path: &'a StorePlace,
    pub(crate) config: &'a Config,
}

/// Where the id of a run comes from that begins now.
pub(crate) fn begins() -> (Timestamp, u64) {
    // Drawn, so that two processes that ask the same at once do not meet.
    (SystemClock.now(), RandomState::new().hash_one(std::process::id()))
}

/// Hands a run to the workers of a Restate server, with a note here of where its documents are. It is durable when this returns,
/// and nothing is left of it after an error.
pub(crate) async fn hand_over(run: Handing<'_>) -> Result<RunId> {
    let Handing { question, options, contest, begins: (at, seed), place, path, config, .. } = run;
    let forgets = run.forgets || matches!(config.get("memory"), Some((Value::Flag(false), _)));
    let caller = if forgets { None } else { Some(crate::bank::caller(config)?) };
    // As the engine names it: by the question without secrets.
    let asked = scrub(question.trim()).text;
    let id = RunId::derive(&asked, at, seed);
    let settings = RunSettings::new(&id, place, config);
    settings.save(path)?;
    let pages = if run.names_pages { asked.clone() } else { String::new() };
    let note = Note { settings, question: pages, caller };
    // A server that keeps what is handed over keeps no secret of it either.
    let contest = contest.map(|one| Contest { text: scrub(&one.text).text, ..one });
    let options = options.without_secrets();
    let run = HandOver { question: asked, options, contest, seed, at, note };
    submit(run, config).await.inspect_err(|_| RunSettings::remove(path, &id))?;
    Ok(id)
}

/// Follows a run that was handed over, from when a worker has begun it; says after a while what is waited for.
pub(crate) async fn begun(
    run: Following,
    config: &Config,
    terminal: &Terminal,
) -> Result<RunHandle> {
    let id = run.id.clone();
    tokio::select! {
        handle = come(run, config) => handle,
        never = patience(&id, terminal) => match never {},
    }
}

/// Says after a while what is waited for. Never ends.
async fn patience(id: &RunId, terminal: &Terminal) -> Infallible {
    tokio::time::sleep(PATIENCE).await;
    terminal.say(&format!(
        "run {id} waits for a worker to take it up; leaving leaves it waiting, and `elenchus worker` starts one"
    ));
    std::future::pending().await
}

/// A run to be handed over.
#[cfg_attr(
    not(feature = "restate"),
    expect(dead_code, reason = "a build without the engine hands nothing over")
)]
pub(crate) struct HandOver {
    pub(crate) question: String,
    pub(crate) options: Options,
    pub(crate) contest: Option<Contest>,
    pub(crate) seed: u64,
    pub(crate) at: Timestamp,
    pub(crate) note: Note,
}

/// A run that is followed.
#[cfg_attr(
    not(feature = "restate"),
    expect(dead_code, reason = "a build without the engine hands nothing over")
)]
pub(crate) struct Following {
    pub(crate) id: RunId,
    pub(crate) store: Arc<dyn Store>,
    /// Whether what it has done so far counts as told.
    pub(crate) seen: bool,
}
