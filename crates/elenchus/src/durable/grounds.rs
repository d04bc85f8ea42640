//! What runs stand on, as a worker opens it.

use super::Note;
use crate::bank;
use crate::commands::place_of;
use crate::commands::resume::{pages_read, take_noted};
use crate::config::{Config, Value};
use crate::error::{CliError, Result};
use crate::ground::Ground;
use crate::learning::{DISTILLS, TOLD};
use crate::mind::Mind;
use crate::signals::Interrupts;
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use crate::web::WebPlan;
use crate::wire;
use elenchus_core::port::{Clock, PortFuture, Store, StoreFailure};
use elenchus_engine::restate::Grounds;
use elenchus_engine::{Distiller, Ports, Remembering};
use elenchus_io::clock::SystemClock;
use elenchus_io::web::WebRetriever;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Mutex as Turn;

/// Grounds that stay open.
const MOST_OPEN: usize = 32;

/// A ground that is open.
#[derive(Clone)]
struct Open {
    ports: Ports,
    web: Option<Arc<WebRetriever>>,
}

/// One ground, opened by one at a time.
type Slot = Arc<Turn<Option<Open>>>;

/// The grounds of a worker.
pub(super) struct Premises {
    config: Config,
    path: StorePlace,
    store: Arc<dyn Store>,
    /// The folders that runs may stand on, canonical; any folder when there are none.
    allowed: Vec<PathBuf>,
    interrupts: Interrupts,
    terminal: Terminal,
    open: Mutex<BTreeMap<String, Slot>>,
}

impl Premises {
    pub(super) fn new(
        config: Config,
        path: StorePlace,
        store: Arc<dyn Store>,
        allowed: Vec<PathBuf>,
        interrupts: Interrupts,
        terminal: Terminal,
    ) -> Self {
        Self { config, path, store, allowed, interrupts, terminal, open: Mutex::default() }
    }

    fn slot(&self, ground: &Json) -> Slot {
        // Only whole entries are ever put in.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let key = ground.to_string();
        if open.len() >= MOST_OPEN && !open.contains_key(&key) {
            // Whoever uses one holds it; the others are opened again when they are asked for.
            open.clear();
        }
        Arc::clone(open.entry(key).or_default())
    }

    /// The settings of a run: the worker's, and over them what was noted.
    fn settings(&self, note: &Note) -> Config {
        let mut config = self.config.clone();
        take_noted(&mut config, &note.settings, false);
        config
    }

    async fn opened(&self, note: &Note, begins: bool) -> Result<Open> {
        let config = self.settings(note);
        let silent = Terminal::silent();
        let mind = Mind::remembering(&config, true, &silent)?;
        if begins {
            mind.reach(&silent).await?;
        }
        let plan = WebPlan::of(&config, &note.question)?;
        let web = match &plan {
            Some(plan) => Some(plan.open(&config, Some(&self.path))?),
            None => None,
        };
        let ground = match &note.settings.corpus {
            Some(folder) => {
                self.may_open(folder)?;
                let corpus = place_of(&config, folder, false)?.open(&silent)?;
                // A run goes on with the documents it began with; only a missing index is built.
                let corpus = if begins || corpus.overview().documents == 0 {
                    corpus.sync(&silent, &mut self.interrupts.clone()).await?.0
                } else {
                    corpus
                };
                Ground::documents(corpus, web.clone())
            }
            None => Ground::of_web(web.clone(), &config)?,
        };
        let said = wire::remarks_in(&*self.store, &silent).await;
        let judge = wire::judge(&config, &said, &silent)?;
        let (mut ports, _) =
            ground.ports(Arc::clone(&self.store), Arc::new(SystemClock), judge, &mind);
        ports.memory = self.memory(note, &config)?;
        Ok(Open { ports, web })
    }

    fn may_open(&self, folder: &PathBuf) -> Result<()> {
        if self.allowed.is_empty() || self.allowed.contains(folder) {
            return Ok(());
        }
        Err(CliError::usage(
            format!("could not open the corpus {}", folder.display()),
            "the worker was not started with this folder",
            "start a worker with --corpus and this folder",
        ))
    }

    fn memory(&self, note: &Note, config: &Config) -> Result<Option<Remembering>> {
        let Some(caller) = &note.caller else { return Ok(None) };
        let memos = wire::memos_of_runs(&self.path, config).inspect_err(|error| {
            let cause = &error.cause;
            self.terminal.warn(&format!("this run is told of no memos and leaves none: {cause}"));
        });
        Ok(Some(Remembering {
            bank: bank::bank(&self.path, config, &self.terminal)?.shared(),
            memos: memos.ok(),
            caller: caller.clone(),
            min_confidence: bank::settings(config)?.min_for_injection,
            limit: TOLD,
        }))
    }

    async fn world(&self, ground: &Json, begins: bool) -> Result<Ports> {
        let note = read(ground)?;
        let slot = self.slot(ground);
        let mut slot = slot.lock().await;
        let open = match slot.as_ref().filter(|_| !begins) {
            Some(open) => open.clone(),
            None => slot.insert(self.opened(&note, begins).await?).clone(),
        };
        if let Some(web) = open.web.as_ref().filter(|_| !begins) {
            // Another worker may have read pages since.
            let pages = match pages_read(&*self.store, &note.settings.run_id, u64::MAX).await {
                Ok(pages) => pages,
                Err(StoreFailure::UnknownRun(_)) => Vec::new(),
                Err(failure) => return Err(failure.into()),
            };
            web.restore(&pages)?;
        }
        Ok(open.ports)
    }

    /// By rule where no language model was named to read what runs leave; as for runs of one process, one that answers
    /// questions is not made to distil unasked.
    async fn reader(&self, ground: &Json) -> Result<Option<Distiller>> {
        let note = read(ground)?;
        let mut config = self.settings(&note);
        let named = config.text(DISTILLS).map(str::to_owned);
        let silent = Terminal::silent();
        let mind = match named {
            Some(model) => {
                config.flag("model", DISTILLS, Some(Value::Text(model)));
                Mind::remembering(&config, true, &silent)?
            }
            None if Mind::new(&config)?.speaks() => return Ok(None),
            None => Mind::new(&config)?,
        };
        mind.reach(&silent).await?;
        let Some(memory) = self.memory(&note, &config)? else { return Ok(None) };
        let reader = mind.speaks().then(|| Arc::clone(&mind.model));
        let settings = bank::settings(&config)?;
        Ok(Some(Distiller::new(memory.bank, reader, Arc::new(SystemClock), settings)))
    }
}

fn read(ground: &Json) -> Result<Note> {
    serde_json::from_value(ground.clone()).map_err(|error| {
        CliError::usage(
            "could not open the ground of the run",
            format!("what was submitted with it cannot be read ({error})"),
            "submit it with the same version of elenchus",
        )
    })
}

fn said(error: CliError) -> String {
    format!("{}; {}", error.message(), error.hint)
}

impl Grounds for Premises {
    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store)
    }

    fn clock(&self) -> Arc<dyn Clock> {
        Arc::new(SystemClock)
    }

    fn open<'a>(
        &'a self,
        ground: &'a Json,
        begins: bool,
    ) -> PortFuture<'a, std::result::Result<Ports, String>> {
        Box::pin(async move { self.world(ground, begins).await.map_err(said) })
    }

    fn distiller<'a>(
        &'a self,
        ground: &'a Json,
    ) -> PortFuture<'a, std::result::Result<Option<Distiller>, String>> {
        Box::pin(async move { self.reader(ground).await.map_err(said) })
    }

    fn warn(&self, text: &str) {
        self.terminal.warn(text);
    }
}
