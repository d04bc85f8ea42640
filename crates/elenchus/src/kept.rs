//! What a run needs to be resumed beside its journal: where its documents are. One small file a run, written
//! before the run starts; beside a store on a server also a row there, so that another machine can go on with it.

use crate::config::{Config, Origin, Value};
use crate::error::{CliError, Result};
use crate::paths;
use crate::store_place::StorePlace;
use crate::wire::CorpusPlace;
use elenchus_core::id::RunId;
use elenchus_io::ingest::Secrets;
#[cfg(feature = "postgres")]
use elenchus_io::store::PgStore;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

const FORMAT: u32 = 1;

/// Where a run's documents are and how they were read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunSettings {
    pub(crate) v: u32,
    pub(crate) run_id: RunId,
    /// The folder, canonical; absent for a run over the web alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) corpus: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<PathBuf>,
    /// As `--embedder` takes it.
    pub(crate) embedder: String,
    pub(crate) max_file_mb: u64,
    /// Whether secrets in the documents were kept; absent in files of earlier versions, which knew no other way: then the settings say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) keep_secrets: Option<bool>,
    /// As `--model`, `--fast-model` and `--fallback` take them; absent in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fast_model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fallback: Option<String>,
    /// As `--strong-fallback` and `--fast-fallback` take them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) strong_fallback: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fast_fallback: Vec<String>,
    /// As `--verifier` takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) verifier: Option<String>,
    /// On whose behalf it recalls and learns; absent in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) org: Option<String>,
    /// How the web is used, by the names of the settings; empty for a run over documents alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) web: BTreeMap<String, Value>,
}

impl RunSettings {
    pub(crate) fn new(run_id: &RunId, place: Option<&CorpusPlace>, config: &Config) -> Self {
        let text = |key: &str| config.text(key).map(str::to_owned);
        let embedder = || text("embedder").unwrap_or_else(|| "builtin".to_owned());
        let web = crate::web::NOTED.iter().filter_map(|key| {
            let (value, origin) = config.get(key)?;
            (*origin != Origin::Default).then(|| ((*key).to_owned(), value.clone()))
        });
        // Where nobody can be named, the run recalls nothing either, and that is said there.
        let (project, team, org) = match crate::bank::caller(config) {
            Ok(caller) => (Some(caller.project), caller.team, caller.org),
            Err(_) => (None, None, None),
        };
        Self {
            project,
            team,
            org,
            v: FORMAT,
            run_id: run_id.clone(),
            corpus: place.map(|place| place.root.clone()),
            index: place.and_then(|place| place.index.clone()),
            embedder: place.map_or_else(embedder, |place| place.embedder.clone()),
            max_file_mb: place.map_or(64, |place| place.max_file_mb),
            keep_secrets: place.map(|place| place.secrets == Secrets::Kept),
            web: web.collect(),
            model: text("model"),
            fast_model: text("fast_model"),
            strong_fallback: config.list("strong_fallback").to_vec(),
            fast_fallback: config.list("fast_fallback").to_vec(),
            fallback: text("fallback"),
            verifier: text("verifier"),
        }
    }

    fn file(store: &Path, run_id: &RunId) -> PathBuf {
        paths::run_settings(store).join(format!("{run_id}.json"))
    }

    /// Writes the file as a whole or not at all, and the row of a server.
    pub(crate) fn save(&self, store: &StorePlace) -> Result<()> {
        self.keep(store, &Beside::of(store)?)
    }

    fn keep(&self, store: &Path, beside: &Beside) -> Result<()> {
        let file = Self::file(store, &self.run_id);
        let attempted = format!("could not note where the documents of run {} are", self.run_id);
        let json = serde_json::to_string_pretty(self).map_err(|error| {
            CliError::storage(&attempted, error.to_string(), "give the folder a name in UTF-8")
        })?;
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| unwritable(&attempted, folder, &error))?;
        }
        write_whole(&file, json.as_bytes())
            .map_err(|error| unwritable(&attempted, &file, &error))?;
        beside.note(&self.run_id, &json)
    }

    /// What was noted for a run, here or on its server; `None` when nothing was.
    pub(crate) fn load(store: &StorePlace, run_id: &RunId) -> Result<Option<Self>> {
        Self::read(store, &Beside::of(store)?, run_id)
    }

    fn read(store: &StorePlace, beside: &Beside, run_id: &RunId) -> Result<Option<Self>> {
        if let Some(json) = beside.noted(run_id)? {
            return serde_json::from_str(&json).map(Some).map_err(|error| {
                CliError::storage(
                    format!("could not read where the documents of run {run_id} are"),
                    format!("what {store} has noted is damaged ({error})"),
                    "name them with --corpus",
                )
            });
        }
        let file = Self::file(store, run_id);
        let attempted = || format!("could not read where the documents of run {run_id} are");
        let hint = "name them with --corpus";
        let text = match fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(CliError::storage(
                    attempted(),
                    format!("{}: {error}", file.display()),
                    hint,
                ));
            }
        };
        let settings: Self = serde_json::from_slice(&text).map_err(|error| {
            CliError::storage(attempted(), format!("{} is damaged ({error})", file.display()), hint)
        })?;
        Ok(Some(settings))
    }

    /// Forgets what was noted for a run.
    pub(crate) fn remove(store: &Path, run_id: &RunId) {
        // A note without a run does no harm.
        let _ = fs::remove_file(Self::file(store, run_id));
    }
}

/// Takes along what is noted of runs when their store is copied, and gives of how many nothing can be read.
pub(crate) fn taken_along(from: &StorePlace, to: &StorePlace, runs: &[RunId]) -> Result<usize> {
    let (source, target) = (Beside::of(from)?, Beside::of(to)?);
    let mut lacking = 0;
    for run_id in runs {
        match RunSettings::read(from, &source, run_id) {
            Ok(Some(noted)) => noted.keep(to, &target)?,
            // The documents of one whose note is damaged have to be named as well.
            Ok(None) | Err(_) => lacking += 1,
        }
    }
    Ok(lacking)
}

/// Where notes stand beside their files: on the server that a store lies on.
#[cfg(feature = "postgres")]
struct Beside(Option<PgStore>);

#[cfg(feature = "postgres")]
impl Beside {
    fn of(store: &StorePlace) -> Result<Self> {
        let opened = store.database().map(|url| crate::wire::waited(PgStore::open(url)));
        Ok(Self(opened.transpose()?))
    }

    fn note(&self, run_id: &RunId, json: &str) -> Result<()> {
        match &self.0 {
            Some(server) => Ok(crate::wire::waited(server.note(run_id, json))?),
            None => Ok(()),
        }
    }

    fn noted(&self, run_id: &RunId) -> Result<Option<String>> {
        match &self.0 {
            Some(server) => Ok(crate::wire::waited(server.noted(run_id))?),
            None => Ok(None),
        }
    }
}

/// A build without servers has files alone.
#[cfg(not(feature = "postgres"))]
struct Beside;

#[cfg(not(feature = "postgres"))]
#[expect(
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the shape that a build with servers needs"
)]
impl Beside {
    fn of(_store: &StorePlace) -> Result<Self> {
        Ok(Self)
    }

    fn note(&self, _run_id: &RunId, _json: &str) -> Result<()> {
        Ok(())
    }

    fn noted(&self, _run_id: &RunId) -> Result<Option<String>> {
        Ok(None)
    }
}

fn unwritable(attempted: &str, path: &Path, error: &std::io::Error) -> CliError {
    CliError::storage(
        attempted,
        format!("{}: {error}", path.display()),
        "check its permissions, or choose another place with --store; `elenchus ask` keeps nothing with --ephemeral",
    )
}

/// Writes a file so that a reader, or a crash, sees the old one or the new one and nothing between.
pub(crate) fn write_whole(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = file.with_file_name(name);
    let write = || {
        let mut out = File::create(&part)?;
        out.write_all(bytes)?;
        out.sync_all()?;
        // Who could not read the old one cannot read the new one.
        if let Ok(old) = fs::metadata(file) {
            out.set_permissions(old.permissions())?;
        }
        fs::rename(&part, file)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let store = StorePlace::at(folder.path().join("x.db"));
        let id = RunId::from("run_1");
        assert_eq!(RunSettings::load(&store, &id).unwrap(), None);
        let place = CorpusPlace {
            root: PathBuf::from("docs"),
            index: None,
            index_named: false,
            embedder: "builtin".to_owned(),
            max_file_mb: 64,
            secrets: Secrets::Kept,
            settings: Config::default(),
        };
        let mut config = Config::default();
        let model = Some(Value::Text("ollama:some".to_owned()));
        config.flag("model", "--model", model);
        let settings = RunSettings::new(&id, Some(&place), &config);
        assert_eq!(settings.model.as_deref(), Some("ollama:some"));
        assert_eq!(settings.keep_secrets, Some(true));
        settings.save(&store).unwrap();
        assert_eq!(RunSettings::load(&store, &id).unwrap(), Some(settings));
        RunSettings::remove(&store, &id);
        assert_eq!(RunSettings::load(&store, &id).unwrap(), None);
    }

    #[test]
    fn notes_of_runs_go_along_with_their_store() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["a.db", "b.db"].map(|name| StorePlace::at(folder.path().join(name)));
        let runs = ["run_noted", "run_unknown", "run_damaged"].map(RunId::from);
        let noted = RunSettings::new(&runs[0], None, &Config::default());
        noted.save(&from).unwrap();
        fs::write(RunSettings::file(&from, &runs[2]), "{").unwrap();
        assert_eq!(taken_along(&from, &to, &runs).unwrap(), 2);
        assert_eq!(RunSettings::load(&to, &runs[0]).unwrap(), Some(noted));
        assert_eq!(RunSettings::load(&to, &runs[1]).unwrap(), None);
        assert_eq!(RunSettings::load(&to, &runs[2]).unwrap(), None);
    }

    #[test]
    fn a_damaged_note_says_how_to_go_on_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = StorePlace::at(folder.path().join("x.db"));
        let id = RunId::from("run_1");
        fs::create_dir_all(paths::run_settings(&store)).unwrap();
        fs::write(RunSettings::file(&store, &id), "{").unwrap();
        let error = RunSettings::load(&store, &id).unwrap_err();
        assert!(error.hint.contains("--corpus"));
        assert_eq!(error.exit_code, 5);
    }
}
