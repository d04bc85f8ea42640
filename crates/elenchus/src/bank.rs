//! The bank of the settings, and on whose behalf it is used.

use crate::config::Config;
use crate::error::{CliError, Result};
use crate::paths;
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use elenchus_core::bank::{BankSettings, Caller};
use elenchus_core::id::{Timestamp, short_hash};
use elenchus_core::port::{Bank, BankFailure};
#[cfg(feature = "postgres")]
use elenchus_io::bank::PgBank;
use elenchus_io::bank::{SqliteBank, Told};
use elenchus_io::retrieve::{TextVectors, builtin_vectors, sentence_vectors};
use elenchus_io::store::SqliteOptions;
use elenchus_io::vector_index::VectorIndex;
use elenchus_io::vector_index::drift::Drift;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// The bank of the settings, in whichever store.
pub(crate) enum OpenBank {
    File(SqliteBank),
    #[cfg(feature = "postgres")]
    Server(PgBank),
}

impl OpenBank {
    pub(crate) fn shared(self) -> Arc<dyn Bank> {
        match self {
            Self::File(bank) => Arc::new(bank),
            #[cfg(feature = "postgres")]
            Self::Server(bank) => Arc::new(bank),
        }
    }

    fn with_index(self, index: Arc<dyn VectorIndex>, told: Told) -> Self {
        match self {
            Self::File(bank) => Self::File(bank.with_index(index, told)),
            #[cfg(feature = "postgres")]
            Self::Server(bank) => Self::Server(bank.with_index(index, told)),
        }
    }

    /// How an index of vectors differs from it, tenant by tenant.
    pub(crate) async fn index_drift(
        &self,
        index: &dyn VectorIndex,
    ) -> std::result::Result<Vec<(String, Drift)>, BankFailure> {
        match self {
            Self::File(bank) => bank.index_drift(index).await,
            #[cfg(feature = "postgres")]
            Self::Server(bank) => bank.index_drift(index).await,
        }
    }

    /// Makes a tenant's part of an index what the bank says.
    pub(crate) async fn mend_index(
        &self,
        index: &dyn VectorIndex,
        tenant: &str,
        drift: &Drift,
    ) -> std::result::Result<(usize, usize), BankFailure> {
        match self {
            Self::File(bank) => bank.mend_index(index, tenant, drift).await,
            #[cfg(feature = "postgres")]
            Self::Server(bank) => bank.mend_index(index, tenant, drift).await,
        }
    }

    /// Tenants and projects of which anything is kept.
    pub(crate) async fn projects(&self) -> std::result::Result<Vec<(String, String)>, BankFailure> {
        match self {
            Self::File(bank) => bank.projects().await,
            #[cfg(feature = "postgres")]
            Self::Server(bank) => bank.projects().await,
        }
    }

    /// How many sessions of a project were queued to be distilled before a time, or at all.
    pub(crate) async fn count_sessions(
        &self,
        caller: &Caller,
        before: Option<Timestamp>,
    ) -> std::result::Result<usize, BankFailure> {
        match self {
            Self::File(bank) => bank.count_sessions(caller, before).await,
            #[cfg(feature = "postgres")]
            Self::Server(bank) => bank.count_sessions(caller, before).await,
        }
    }

    /// Takes those sessions out; with all of them goes what the project learned of its signals.
    pub(crate) async fn forget_sessions(
        &self,
        caller: &Caller,
        before: Option<Timestamp>,
    ) -> std::result::Result<usize, BankFailure> {
        match self {
            Self::File(bank) => bank.forget_sessions(caller, before).await,
            #[cfg(feature = "postgres")]
            Self::Server(bank) => bank.forget_sessions(caller, before).await,
        }
    }

    /// Writes an index anew.
    pub(crate) async fn rebuild_index(
        &self,
        index: &dyn VectorIndex,
    ) -> std::result::Result<usize, BankFailure> {
        match self {
            Self::File(bank) => bank.rebuild_index(index).await,
            #[cfg(feature = "postgres")]
            Self::Server(bank) => bank.rebuild_index(index).await,
        }
    }
}

impl Deref for OpenBank {
    type Target = dyn Bank;

    fn deref(&self) -> &(dyn Bank + 'static) {
        match self {
            Self::File(bank) => bank,
            #[cfg(feature = "postgres")]
            Self::Server(bank) => bank,
        }
    }
}

/// Opens the bank of a store, with the index of vectors that is set. What is wrong with that one is told.
pub(crate) fn bank(place: &StorePlace, config: &Config, terminal: &Terminal) -> Result<OpenBank> {
    let vectors = vectors(config)?;
    let settings = settings(config)?;
    if cfg!(not(feature = "qdrant")) && crate::vectors::address(config).is_some() {
        terminal.warn(
            "a Qdrant server is set, and this build of elenchus cannot speak to it: the memory is searched with the \
             vectors in its own file; build with `--features qdrant`, or unset QDRANT_URL",
        );
    }
    let index = crate::vectors::index(config, vectors.as_ref())?;
    let bank = opened(place, settings, Arc::clone(&vectors))
        .map_err(|failure| CliError::from(failure).or_hint("--store names another file"))?;
    let told = crate::vectors::told(terminal);
    Ok(match (index, bank) {
        (Some(index), bank) => bank.with_index(index, told),
        // The server that keeps the memory compares its vectors too.
        #[cfg(feature = "postgres")]
        (None, OpenBank::Server(bank)) => match crate::vectors::own(place, &*vectors, terminal)? {
            Some(own) => OpenBank::Server(bank.with_own_index(Arc::new(own), told)),
            None => OpenBank::Server(bank),
        },
        (None, bank) => bank,
    })
}

fn opened(
    place: &StorePlace,
    settings: BankSettings,
    vectors: Arc<dyn TextVectors>,
) -> std::result::Result<OpenBank, BankFailure> {
    #[cfg(feature = "postgres")]
    if let Some(url) = place.database() {
        let opening = PgBank::open(url, settings, Some(vectors), None);
        return crate::wire::waited(opening).map(OpenBank::Server);
    }
    SqliteBank::open(place, &SqliteOptions::default(), settings, Some(vectors)).map(OpenBank::File)
}

/// Who asks: the project, team and organisation of the settings. No text of a call has a part in it.
pub(crate) fn caller(config: &Config) -> Result<Caller> {
    let project = match config.text("project") {
        Some(named) => named.trim().to_owned(),
        None => project_of_folder()?,
    };
    let named = |key: &str| config.text(key).map(|name| name.trim().to_owned());
    Ok(Caller { team: named("team"), org: named("org"), ..Caller::local(project) })
}

/// A name for the folder of the project's settings, else for the working folder: its own, and a hash of its path, so
/// that two folders of one name are two projects.
fn project_of_folder() -> Result<String> {
    let folder = match paths::project_config().and_then(|file| file.parent().map(Path::to_owned)) {
        Some(folder) => folder,
        None => std::env::current_dir().map_err(|error| {
            CliError::usage(
                "could not tell which project this is",
                format!("the working folder cannot be read ({error})"),
                "set `project` in elenchus.toml, or ELENCHUS_PROJECT",
            )
        })?,
    };
    let folder = folder.canonicalize().unwrap_or(folder);
    let name: String = folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .take(40)
        .collect();
    Ok(format!("{name}-{}", short_hash(folder.as_os_str().as_encoded_bytes(), 8)))
}

/// What the settings name for the vectors of the memory. OpenAI's own models may be named bare, as in
/// `text-embedding-3-small`.
pub(crate) fn embedding(config: &Config) -> String {
    let name = config.text("reasoning_bank.embedding.model").unwrap_or("builtin");
    if name.starts_with("text-embedding-") {
        return format!("openai:{name}");
    }
    name.to_owned()
}

/// What turns strategies into vectors.
pub(crate) fn vectors(config: &Config) -> Result<Arc<dyn TextVectors>> {
    let unusable =
        |cause: String, way_out: &str| CliError::usage("could not open the memory", cause, way_out);
    let wanted = config.whole("reasoning_bank.embedding.dimensions");
    let vectors = match embedding(config).as_str() {
        "sentence" => sentence_vectors().map_err(|cause| {
            unusable(cause.to_owned(), "set `reasoning_bank.embedding.model` to `builtin`")
        })?,
        "builtin" => builtin_vectors(),
        name if crate::wire::is_remote(name) => {
            let (model, behind) = crate::wire::parted(name);
            let asked = wanted.and_then(|n| usize::try_from(n).ok()).and_then(NonZeroUsize::new);
            let hint = "set `reasoning_bank.embedding.model` to `builtin`, which needs no server";
            crate::wire::remote_vectors(model, asked.or(behind), hint, config)?
        }
        other => {
            return Err(unusable(
                format!("`reasoning_bank.embedding.model` cannot be {other:?}"),
                "write `builtin`, `sentence`, or `openai:NAME` or `ollama:NAME` for a model behind a server",
            ));
        }
    };
    if let Some(wanted) = wanted
        && wanted != vectors.dimensions() as u64
    {
        return Err(unusable(
            format!(
                "`reasoning_bank.embedding.dimensions` is {wanted} and the vectors of {} have {} numbers",
                vectors.id(),
                vectors.dimensions()
            ),
            "take the key out, or choose another `reasoning_bank.embedding.model`",
        ));
    }
    Ok(vectors)
}

/// The settings of the bank.
pub(crate) fn settings(config: &Config) -> Result<BankSettings> {
    let usual = BankSettings::default();
    let key = |name: &str| format!("reasoning_bank.{name}");
    let count = |name: &str, usual: usize| {
        config.whole(&key(name)).and_then(|n| usize::try_from(n).ok()).unwrap_or(usual)
    };
    let amount = |name: &str, usual: f64| config.amount(&key(name)).unwrap_or(usual);
    let [project, team, org] = usual.scope_weights;
    Ok(BankSettings {
        default_limit: count("search.default_limit", usual.default_limit),
        max_limit: count("search.max_limit", usual.max_limit),
        min_confidence: amount("search.min_confidence", usual.min_confidence),
        scope_weights: [
            amount("search.scope_weights.project", project),
            amount("search.scope_weights.team", team),
            amount("search.scope_weights.org", org),
        ],
        exploration: amount("search.exploration", usual.exploration),
        queue_batch_size: count("distillation.queue_batch_size", usual.queue_batch_size),
        worker_count: count("distillation.worker_count", usual.worker_count),
        max_extractions_per_session: count(
            "distillation.max_extractions_per_session",
            usual.max_extractions_per_session,
        ),
        initial_success: amount("confidence.initial_success", usual.initial_success),
        initial_failure: amount("confidence.initial_failure", usual.initial_failure),
        initial_explicit: amount("confidence.initial_explicit", usual.initial_explicit),
        min_for_injection: amount("confidence.min_for_injection", usual.min_for_injection),
        consensus_threshold: u32::try_from(count(
            "confidence.consensus_threshold",
            usual.consensus_threshold as usize,
        ))
        .unwrap_or(usual.consensus_threshold),
        prune_threshold: amount("confidence.prune_threshold", usual.prune_threshold),
        decay_interval_h: match config.text("reasoning_bank.confidence.decay_interval") {
            None => usual.decay_interval_h,
            Some(text) => hours(text).ok_or_else(|| {
                CliError::usage(
                    "could not use the settings of the memory",
                    format!("`reasoning_bank.confidence.decay_interval` cannot be {text:?}"),
                    "write a number of hours or days, such as \"24h\" or \"1d\"",
                )
            })?,
        },
        half_life_days: amount("confidence.half_life_days", usual.half_life_days),
        actor_mass: amount("confidence.actor_mass", usual.actor_mass),
        ..usual
    })
}

fn hours(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, factor) = match text.strip_suffix('d') {
        Some(days) => (days, 24.0),
        None => (text.strip_suffix('h').unwrap_or(text), 1.0),
    };
    number.trim().parse::<f64>().ok().map(|n| n * factor).filter(|h| h.is_finite() && *h > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Value;

    #[test]
    fn intervals_are_hours_or_days() {
        assert_eq!(hours("24h"), Some(24.0));
        assert_eq!(hours("2 d"), Some(48.0));
        assert_eq!(hours("12"), Some(12.0));
        assert!(hours("soon").is_none() && hours("0h").is_none() && hours("-1d").is_none());
    }

    fn embedding_by(model: &str, dimensions: Option<u64>) -> Config {
        let mut config = Config::default();
        let text = |text: &str| Some(Value::Text(text.to_owned()));
        config.flag("reasoning_bank.embedding.model", "the test", text(model));
        let length = dimensions.map(Value::Whole);
        config.flag("reasoning_bank.embedding.dimensions", "the test", length);
        config.flag("openai.url", "the test", text("http://127.0.0.1:9/v1"));
        config
    }

    #[test]
    fn a_model_behind_a_server_may_make_the_vectors() {
        // With the length named nothing has to be asked for it.
        for (name, id) in [
            ("text-embedding-3-small", "openai:text-embedding-3-small@512"),
            ("openai:some", "openai:some@512"),
        ] {
            let made = vectors(&embedding_by(name, Some(512))).unwrap();
            assert_eq!((made.id(), made.dimensions()), (id, 512));
        }
        let made = vectors(&embedding_by("openai:some@256", None)).unwrap();
        assert_eq!(made.id(), "openai:some@256");
        let error = vectors(&embedding_by("word2vec", None)).err().unwrap();
        assert!(error.hint.contains("openai:NAME"), "{error:?}");
        let error = vectors(&embedding_by("builtin", Some(7))).err().unwrap();
        assert!(error.cause.contains("is 7"), "{error:?}");
    }

    #[test]
    fn without_settings_the_defaults_hold() {
        assert_eq!(settings(&Config::default()).unwrap(), BankSettings::default());
    }
}
