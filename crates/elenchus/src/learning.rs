//! The bank and the memos beside the commands that run: what is recalled before, and what is learned and kept after.

use crate::bank::{bank, caller, settings};
use crate::config::{Config, Value};
use crate::error::Result;
use crate::mind::Mind;
use crate::store_place::StorePlace;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::upkeep;
use crate::wire;
use elenchus_core::bank::BankSettings;
use elenchus_core::port::Clock;
use elenchus_engine::{DistilledSession, Distiller, Finished, Remembering};
use elenchus_io::clock::SystemClock;
use std::path::PathBuf;
use std::sync::Arc;

/// The most strategies to follow, and to avoid, that a run is told, and the most memos.
pub(crate) const TOLD: usize = 3;

/// What runs of this command remember.
pub(crate) struct Learning {
    memory: Option<Remembering>,
    settings: BankSettings,
    /// Whether a language model is there to distil: then it is left to `elenchus distill`, for it takes its time and its price.
    waits: bool,
    /// Notes when the bank was last tended; beside the store, so that it moves with it.
    tended: Option<PathBuf>,
}

impl Learning {
    /// The bank in the store file; none without a store, or when it is not wanted. One that cannot be used is told, and no
    /// reason not to answer.
    pub(crate) fn open(
        store: Option<&StorePlace>,
        unwanted: bool,
        config: &Config,
        mind: &Mind,
        terminal: &Terminal,
    ) -> Self {
        let off = unwanted || matches!(config.get("memory"), Some((Value::Flag(false), _)));
        let waits = mind.speaks() || config.text(DISTILLS).is_some();
        let nothing = |settings| Self { memory: None, settings, waits, tended: None };
        let Some(store) = store.filter(|_| !off) else { return nothing(BankSettings::default()) };
        match opened(store, config, terminal) {
            Ok((memory, settings)) => {
                Self { memory: Some(memory), settings, waits, tended: Some(upkeep::stamp(store)) }
            }
            Err(error) => {
                terminal.warn(&format!("this run recalls and learns nothing: {}", error.cause));
                nothing(BankSettings::default())
            }
        }
    }

    /// For the engine.
    pub(crate) fn beside(&self) -> Option<Remembering> {
        self.memory.clone()
    }

    /// What a finished run teaches, by rule where no language model is there to read it.
    pub(crate) async fn learn(&self, finished: &Finished, terminal: &Terminal) {
        let Some(memory) = &self.memory else { return };
        if let Some(cause) = &finished.unremembered {
            terminal.warn(&format!("the memory was not told of this run: {cause}"));
            return;
        }
        self.tend(memory, terminal).await;
        if self.waits {
            return;
        }
        let distiller = Distiller::new(
            Arc::clone(&memory.bank),
            None,
            Arc::new(SystemClock),
            self.settings.clone(),
        );
        match distiller.work().await {
            Ok(sessions) => told(&sessions, memory, terminal).await,
            Err(failure) => terminal.warn(&format!("nothing was learned from this run: {failure}")),
        }
    }
}

impl Learning {
    /// Does the daily work of the bank, when the last time is long enough ago.
    async fn tend(&self, memory: &Remembering, terminal: &Terminal) {
        let Some(stamp) = &self.tended else { return };
        match upkeep::tend(&*memory.bank, stamp, &self.settings).await {
            Ok(lines) => lines.iter().for_each(|line| terminal.say(line)),
            Err(failure) => terminal.warn(&failure.to_string()),
        }
    }
}

/// The setting that names the model that distils.
pub(crate) const DISTILLS: &str = "reasoning_bank.distillation.extraction_model";

fn opened(
    store: &StorePlace,
    config: &Config,
    terminal: &Terminal,
) -> Result<(Remembering, BankSettings)> {
    let settings = settings(config)?;
    let memos = match wire::memos_of_runs(store, config) {
        Ok(memos) => Some(memos),
        Err(error) => {
            terminal
                .warn(&format!("this run is told of no memos and leaves none: {}", error.cause));
            None
        }
    };
    let memory = Remembering {
        bank: bank(store, config, terminal)?.shared(),
        memos,
        caller: caller(config)?,
        min_confidence: settings.min_for_injection,
        limit: TOLD,
    };
    Ok((memory, settings))
}

/// Says what was learned, a line a strategy.
async fn told(sessions: &[DistilledSession], memory: &Remembering, terminal: &Terminal) {
    for id in sessions.iter().flat_map(|session| &session.strategies) {
        if let Ok(held) = memory.bank.get(&memory.caller, id, SystemClock.now()).await {
            let what = &held.strategy.draft;
            terminal
                .say(&format!("learned {id}: {} (confidence {:.2})", what.title, held.confidence));
        }
    }
    let failed = sessions.iter().filter(|session| session.failed.is_some()).count();
    if failed > 0 {
        terminal.warn(&format!(
            "{} could not be distilled and will be tried again; `elenchus distill` says why",
            counted(failed, "session")
        ));
    }
}
