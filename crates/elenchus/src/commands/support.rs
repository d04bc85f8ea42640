//! `elenchus support-bundle`: one file for a bug report, of which is said what is in it before it is written.

use super::doctor;
use super::runs::{existing, pick};
use super::store_path;
use super::version::Build;
use crate::cli::{BundleArgs, CorpusArgs, DoctorArgs, IndexArgs, StoreArgs};
use crate::config::{Config, KEYS};
use crate::error::{CliError, Result};
use crate::kept::write_whole;
use crate::paths;
use crate::store_place::shown;
use crate::ui::progress::counted;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_core::bank::scrub;
use elenchus_core::id::RunId;
use elenchus_core::port::{Clock, RunQuery, RunSummary, Store};
use elenchus_core::text::visible_json;
use elenchus_io::clock::SystemClock;
use elenchus_io::web::provider::PROVIDERS;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The form of the file, so that whoever reads many of them can tell.
const FORMAT: u32 = 1;

/// Variables of others that change what the program does; those of search providers stand in their table.
const VARIABLES: &[&str] = &[
    "ALL_PROXY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DATABASE_URL",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "NO_COLOR",
    "NO_PROXY",
    "OLLAMA_HOST",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "QDRANT_API_KEY",
    "QDRANT_URL",
    "RESTATE_URL",
    "SSL_CERT_FILE",
    "TERM",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

/// What is known of a run without a word of it.
#[derive(Serialize)]
struct Counted<'a> {
    run_id: &'a RunId,
    status: &'a str,
    stop_reason: Option<&'a str>,
    started_at: i64,
    updated_at: i64,
    records: u64,
    events: u64,
    question_characters: usize,
    was_put_back: bool,
}

impl<'a> Counted<'a> {
    fn of(run: &'a RunSummary) -> Self {
        Self {
            run_id: &run.run_id,
            status: &run.status,
            stop_reason: run.stop_reason.as_deref(),
            started_at: run.started_at.0,
            updated_at: run.updated_at.0,
            records: run.records,
            events: run.events,
            question_characters: run.question.chars().count(),
            was_put_back: run.put_back.is_some(),
        }
    }
}

/// Takes out of texts what nobody else needs to see: secrets, passwords and queries of addresses, the name of the home folder.
struct Redactor {
    home: Option<String>,
}

impl Redactor {
    fn new() -> Self {
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
        let home = home.and_then(|home| home.into_string().ok());
        Self { home: home.filter(|home| home.len() > 1) }
    }

    fn text(&self, text: &str) -> String {
        let bare: String = text.split_inclusive(char::is_whitespace).map(address).collect();
        let clean = scrub(&bare).text;
        match &self.home {
            Some(home) => clean.replace(home.as_str(), "~"),
            None => clean,
        }
    }

    /// The same of every text in a value. The names of members are ours.
    fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.value(item)).collect())
            }
            Value::Object(members) => Value::Object(
                members.into_iter().map(|(name, item)| (name, self.value(item))).collect(),
            ),
            other => other,
        }
    }
}

/// A word; an address without its password and its query, in which keys may stand.
fn address(word: &str) -> String {
    if !word.contains("://") {
        return word.to_owned();
    }
    let bare = word.trim_end();
    let end = &word[bare.len()..];
    let open = shown(bare);
    match open.split_once('?') {
        Some((before, _)) => format!("{before}?...{end}"),
        None => format!("{open}{end}"),
    }
}

pub(super) fn run(args: BundleArgs, config: Result<Config>, terminal: &Terminal) -> Result<()> {
    let to_screen = args.out == Path::new("-");
    if !to_screen {
        writable(&args.out, args.force)?;
    }
    let redactor = Redactor::new();
    let wanted = DoctorArgs {
        corpus: CorpusArgs {
            corpus: None,
            index: IndexArgs {
                index: None,
                embedder: None,
                max_file_mb: None,
                keep_secrets: false,
            },
        },
        store: StoreArgs { store: args.store.store.clone() },
        model: None,
        key_file: Vec::new(),
        json: true,
    };
    let doctor = as_value(&doctor::findings(&wanted, config.clone(), terminal))?;
    let config = config.unwrap_or_default();
    let kept = super::runtime()?.block_on(kept(&args, &config))?;
    let mut bundle = Map::new();
    bundle.insert("format".to_owned(), FORMAT.into());
    bundle.insert("written_at".to_owned(), SystemClock.now().0.into());
    bundle.insert("build".to_owned(), as_value(&Build::this())?);
    bundle.insert("machine".to_owned(), machine());
    bundle.insert("doctor".to_owned(), doctor);
    bundle.insert("settings".to_owned(), settings(&config));
    bundle.insert("variables_set".to_owned(), variables(&config));
    bundle.insert("files".to_owned(), files(&args, &config));
    bundle.insert("runs".to_owned(), kept.runs);
    if let Some(run) = kept.run {
        bundle.insert("run".to_owned(), run);
    }
    let whole = redactor.value(Value::Object(bundle));
    let text = serde_json::to_string_pretty(&whole).map_err(|error| unsayable(&error))?;
    let text = format!("{}\n", visible_json(&text));
    tell(&args, kept.named.as_ref(), kept.count, terminal);
    if to_screen {
        return terminal.print(&text);
    }
    write_whole(&args.out, text.as_bytes()).map_err(|error| {
        CliError::storage(
            format!("could not write to {}", args.out.display()),
            error.to_string(),
            "make room, or choose another place with --out",
        )
    })?;
    terminal.say(&format!("wrote {}: look at it before you send it", args.out.display()));
    Ok(())
}

/// Says what is in the file. That a run is in it whole is said even when little is to be said.
fn tell(args: &BundleArgs, named: Option<&RunId>, runs: usize, terminal: &Terminal) {
    let place = if args.out == Path::new("-") {
        "standard output".to_owned()
    } else {
        args.out.display().to_string()
    };
    terminal.say(&format!("this goes to {place}, without secrets that were recognised:"));
    for line in [
        "  version, features and target of this build".to_owned(),
        "  system, processors and memory of this machine".to_owned(),
        "  what `elenchus doctor` finds, with paths and addresses".to_owned(),
        "  every setting with where it comes from".to_owned(),
        "  which variables are set, without their values".to_owned(),
        "  where the store and the indexes lie, and how big they are".to_owned(),
        format!("  {} by id, state, times and counts", counted(runs, "run")),
    ] {
        terminal.say(&line);
    }
    match named {
        None => terminal.say("  no question, no document, no answer"),
        Some(id) => terminal.warn(&format!(
            "run {id} is in it whole: its question, what it read of the documents, and its answer"
        )),
    }
}

/// What the store has for the file.
struct Kept {
    runs: Value,
    count: usize,
    named: Option<RunId>,
    run: Option<Value>,
}

/// A store that cannot be read is what may be reported, so only a run that was named has to be there.
async fn kept(args: &BundleArgs, config: &Config) -> Result<Kept> {
    let looked = listed(args, config).await;
    let Some(wanted) = &args.with_run else {
        return Ok(match looked {
            Ok((runs, _)) => Kept {
                count: runs.len(),
                runs: as_value(&runs.iter().map(Counted::of).collect::<Vec<_>>())?,
                named: None,
                run: None,
            },
            Err(error) => {
                Kept { runs: json!({ "error": error.message() }), count: 0, named: None, run: None }
            }
        });
    };
    let (runs, store) = looked?;
    let id = pick(wanted, &runs)?.run_id;
    let run = match store {
        Some(store) => Some(whole(&*store, &id).await?),
        None => None,
    };
    let counted = as_value(&runs.iter().map(Counted::of).collect::<Vec<_>>())?;
    Ok(Kept { count: runs.len(), runs: counted, named: Some(id), run })
}

async fn listed(
    args: &BundleArgs,
    config: &Config,
) -> Result<(Vec<RunSummary>, Option<Arc<dyn Store>>)> {
    let place = store_path(args.store.store.clone(), config)?;
    let Some(store) = existing(&place)? else { return Ok((Vec::new(), None)) };
    let runs = store.page(&RunQuery::all(SystemClock.now())).await?.runs;
    Ok((runs, Some(store)))
}

/// A run with all that was written of it. A journal that cannot be read says why.
async fn whole(store: &dyn Store, id: &RunId) -> Result<Value> {
    let journal = match store.journal(id).await {
        Ok(records) => as_value(&records)?,
        Err(failure) => json!({ "error": failure.to_string() }),
    };
    let events = match store.events(id, 0).await {
        Ok(events) => as_value(&events)?,
        Err(failure) => json!({ "error": failure.to_string() }),
    };
    Ok(json!({ "run_id": id, "journal": journal, "events": events }))
}

fn as_value(value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| unsayable(&error))
}

fn settings(config: &Config) -> Value {
    let mut all = Map::new();
    for key in &KEYS {
        if let Some((value, origin)) = config.get(key.name) {
            let entry = json!({ "value": value, "origin": origin.to_string() });
            all.insert(key.name.to_owned(), entry);
        }
    }
    Value::Object(all)
}

/// Names of variables that are set and not empty, ours and those of others.
fn variables(config: &Config) -> Value {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut names = config.unknown_variables.clone();
    for key in &KEYS {
        let name = key.variable();
        if is_set(&name) {
            names.push(name);
        }
    }
    let providers = PROVIDERS.iter().flat_map(|info| info.variables.iter().copied());
    let others = VARIABLES.iter().copied().chain(providers);
    names.extend(others.filter(|name| is_set(name)).map(str::to_owned));
    names.sort();
    names.dedup();
    names.into()
}

/// Where things lie and how many bytes they have.
fn files(args: &BundleArgs, config: &Config) -> Value {
    let mut all = Map::new();
    if let Ok(place) = store_path(args.store.store.clone(), config) {
        let entry = match place.database() {
            Some(_) => json!({ "server": place.to_string() }),
            None => sized(&place),
        };
        let pages = match place.database() {
            Some(_) => entry.clone(),
            None => sized(&paths::snapshots(&place)),
        };
        all.insert("store".to_owned(), entry);
        all.insert("pages".to_owned(), pages);
    }
    if let Ok(replies) = paths::replies() {
        all.insert("replies".to_owned(), sized(&replies));
    }
    if let Ok(index) = paths::default_index(Path::new("x"), "builtin")
        && let Some(folder) = index.parent()
    {
        let found: Vec<PathBuf> = std::fs::read_dir(folder)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        let bytes: u64 = found.iter().filter_map(|path| size(path)).sum();
        let entry = json!({
            "path": folder.display().to_string(), "files": found.len(), "bytes": bytes,
        });
        all.insert("indexes".to_owned(), entry);
    }
    Value::Object(all)
}

fn size(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|found| found.len())
}

/// A file that may not be there.
fn sized(path: &Path) -> Value {
    json!({ "path": path.display().to_string(), "bytes": size(path) })
}

fn machine() -> Value {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    // Only Linux tells these in files.
    let memory = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    let kernel = read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned());
    json!({
        "os": std::env::consts::OS,
        "arch": std::env::consts::ARCH,
        "kernel": kernel,
        "processors": std::thread::available_parallelism().map(std::num::NonZeroUsize::get).ok(),
        "memory_kb": memory,
    })
}

/// Refuses what cannot be meant, before anything is looked at.
fn writable(file: &Path, force: bool) -> Result<()> {
    let attempted = || format!("could not write to {}", file.display());
    if file.is_dir() {
        return Err(CliError::usage(attempted(), "it is a folder", "name a file in it"));
    }
    if file.exists() && !force {
        return Err(CliError::usage(
            attempted(),
            "the file exists",
            "choose another name with --out, or overwrite it with --force",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_else_needs_is_taken_out() {
        let redactor = Redactor { home: Some("/home/ann".to_owned()) };
        let text = redactor.text("at http://ann:s3cret@db.example/x?token=abc and /home/ann/docs");
        assert_eq!(text, "at http://ann@db.example/x and ~/docs");
        let text = redactor.text("see https://a.example/p?key=abc now");
        assert_eq!(text, "see https://a.example/p?... now");
        let value = redactor.value(json!({ "a": ["/home/ann", 1], "b": { "c": "x" } }));
        assert_eq!(value, json!({ "a": ["~", 1], "b": { "c": "x" } }));
    }

    #[test]
    fn no_name_of_a_variable_stands_twice() {
        let mut names = VARIABLES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, VARIABLES);
    }
}
