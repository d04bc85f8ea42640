//! What a run searches: documents, the web, or both.

use crate::config::Config;
use crate::error::{CliError, Result};
use crate::mind::Mind;
use crate::wire::{self, OpenCorpus};
use elenchus_core::port::{Clock, CorpusOverview, Embedder, Retriever, Store};
#[cfg(feature = "restate")]
use elenchus_engine::Deadlines;
use elenchus_engine::{Engine, Judge, Ports, Settings};
use elenchus_io::web::{HybridRetriever, WebRetriever};
use std::sync::Arc;
use std::time::Duration;

/// How long a language model may take for one prompt with everything that is tried again.
const SLOWEST_REPLY: Duration = Duration::from_mins(40);
/// How long a search may take that asks providers and fetches pages.
const SLOWEST_SEARCH: Duration = Duration::from_mins(4);

/// Said where the share of right answers of a bearing is shown for answers of a language model.
const NOT_THIS_MODEL: &str =
    "; these were answers of the built-in model, and the model of this run was never measured";

/// What can be searched, with what turns texts into vectors.
pub(crate) struct Ground {
    retriever: Arc<dyn Retriever>,
    embedder: Arc<dyn Embedder>,
    reaches_web: bool,
}

impl Ground {
    /// Documents, and the web beside them where a run is to have it.
    pub(crate) fn documents(corpus: OpenCorpus, web: Option<Arc<WebRetriever>>) -> Self {
        let (local, embedder) = corpus.parts();
        match web {
            None => Self { retriever: local, embedder, reaches_web: false },
            Some(web) => Self {
                retriever: Arc::new(HybridRetriever::new(local, web)),
                embedder,
                reaches_web: true,
            },
        }
    }

    /// The web alone.
    ///
    /// # Errors
    /// When there is none, or when the embedder of the settings cannot be used.
    pub(crate) fn of_web(web: Option<Arc<WebRetriever>>, config: &Config) -> Result<Self> {
        let Some(web) = web else {
            return Err(CliError::usage(
                "could not start a run",
                "there is nothing to search",
                "name a folder with --corpus, or search the web with --web",
            ));
        };
        Ok(Self { retriever: web, embedder: wire::embedder(config)?, reaches_web: true })
    }

    pub(crate) fn overview(&self) -> CorpusOverview {
        self.retriever.overview()
    }

    /// An engine over it.
    pub(crate) fn engine(
        self,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        judge: Judge,
        mind: &Mind,
    ) -> Engine {
        let (ports, settings) = self.ports(store, clock, judge, mind);
        Engine::new(ports, settings)
    }

    /// The world of a run over it, and how patient to be with it.
    pub(crate) fn ports(
        self,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        mut judge: Judge,
        mind: &Mind,
    ) -> (Ports, Settings) {
        let mut settings = Settings::default();
        if mind.speaks() {
            // The client has deadlines of its own; a local model may take minutes for a long prompt.
            settings.deadlines.model = SLOWEST_REPLY;
            judge.judging.bearing.measured_on.push_str(NOT_THIS_MODEL);
        }
        if judge.judging.asks_model {
            // Given up halfway, what was paid for would be lost and not counted.
            settings.deadlines.verify = SLOWEST_REPLY;
        }
        if self.reaches_web {
            settings.deadlines.search = SLOWEST_SEARCH;
        }
        let ports = Ports {
            memory: None,
            elsewhere: mind.elsewhere(),
            model: Arc::clone(&mind.model),
            retriever: self.retriever,
            embedder: self.embedder,
            judge: Some(judge),
            store,
            clock,
        };
        (ports, settings)
    }
}

/// How patient to be where the models and the web of the runs are not known beforehand.
#[cfg(feature = "restate")]
pub(crate) fn slowest() -> Deadlines {
    Deadlines {
        model: SLOWEST_REPLY,
        search: SLOWEST_SEARCH,
        verify: SLOWEST_REPLY,
        ..Deadlines::default()
    }
}
