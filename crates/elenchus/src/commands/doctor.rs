//! `elenchus doctor`.

mod servers;

use super::{place, set_corpus, store_path};
use crate::api_keys;
use crate::cli::DoctorArgs;
use crate::config::{Config, Value};
use crate::error::{CliError, Kind, Result};
use crate::paths;
use crate::store_place::StorePlace;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::port::Retriever;
use elenchus_core::text::squeeze;
use elenchus_io::retrieve::Corpus;
use elenchus_io::store::SCHEMA_VERSION;
use elenchus_io::web::provider::{PROVIDERS, provider};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ok,
    /// Worth knowing; nothing is broken.
    Note,
    Bad,
}

/// One check.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    name: &'static str,
    state: State,
    found: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

fn ok(name: &'static str, found: impl Into<String>) -> Check {
    Check { name, state: State::Ok, found: found.into(), fix: None }
}

fn note(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Check {
    Check { name, state: State::Note, found: found.into(), fix: Some(fix.into()) }
}

fn bad(name: &'static str, error: &CliError) -> Check {
    Check { name, state: State::Bad, found: error.message(), fix: Some(error.hint.clone()) }
}

/// Everything that is looked at, in the order in which it is told.
pub(super) fn findings(
    args: &DoctorArgs,
    config: Result<Config>,
    terminal: &Terminal,
) -> Vec<Check> {
    let mut checks = vec![ok("version", env!("CARGO_PKG_VERSION"))];
    let mut config = match config {
        Ok(config) => {
            checks.push(settings(&config));
            config
        }
        Err(error) => {
            checks.push(bad("settings", &error));
            Config::default()
        }
    };
    config.flag("model", "--model", args.model.clone().map(Value::Text));
    config.flag("embedder", "--embedder", args.corpus.index.embedder.clone().map(Value::Text));
    let taken = api_keys::take(&mut config, args.key_file.clone());
    checks.push(folder("data folder", paths::default_store()));
    checks.push(folder("cache folder", paths::default_index(Path::new("x"), "builtin")));
    checks.push(store(args, &config));
    #[cfg(feature = "postgres")]
    checks.extend(vectors(args, &config));
    checks.extend(taken.err().map(|error| bad("keys", &error)));
    checks.extend(keys(&config));
    let minds = servers::models(&config);
    let helpers = servers::helpers(&config);
    let web = searching(&config);
    checks.push(index(args, config));
    checks.extend(minds);
    checks.extend(helpers);
    checks.push(if cfg!(feature = "onnx") {
        ok("embedders", "built in; onnx:DIR can be used")
    } else {
        note(
            "embedders",
            "built in; this build has no ONNX runtime (optional)",
            "`cargo build --release -p elenchus --features onnx` has one",
        )
    });
    checks.extend(web);
    checks.push(screen(terminal));
    checks
}

pub(super) fn run(args: &DoctorArgs, config: Result<Config>, terminal: &Terminal) -> Result<()> {
    let checks = findings(args, config, terminal);
    if args.json {
        terminal.print_json(&checks)?;
    } else {
        terminal.print(&told(&checks))?;
    }
    let failed = checks.iter().filter(|check| check.state == State::Bad).count();
    if failed == 0 {
        return Ok(());
    }
    Err(CliError::new(
        Kind::Failure,
        "not everything is in order",
        format!("{} failed", counted(failed, "check")),
        "do what stands behind \"fix\" and run `elenchus doctor` again",
    ))
}

/// Where the keys of services come from; files that cannot be used.
fn keys(config: &Config) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut told = Vec::new();
    for origin in api_keys::origins(config) {
        match origin {
            Ok(line) => told.push(line),
            Err(error) => checks.push(bad("keys", &error)),
        }
    }
    if !told.is_empty() {
        checks.push(ok("keys", told.join(", ")));
    }
    checks
}

fn settings(config: &Config) -> Check {
    if config.unknown_variables.is_empty() {
        let files = paths::project_config().into_iter().chain(paths::user_config().ok());
        let read: Vec<String> =
            files.filter(|file| file.is_file()).map(|file| file.display().to_string()).collect();
        return ok(
            "settings",
            if read.is_empty() { "no file; defaults".to_owned() } else { read.join(", ") },
        );
    }
    note(
        "settings",
        format!("variables without effect: {}", config.unknown_variables.join(", ")),
        "`elenchus config show` lists the keys; budget.usd is ELENCHUS_BUDGET_USD",
    )
}

/// Search providers: which are set up, and what the others need.
fn searching(config: &Config) -> Vec<Check> {
    let settings = crate::web::variables(config);
    let egress = crate::web::egress(config);
    let mut checks = vec![ok(
        "web",
        format!(
            "egress mode `{}`; searched only with --web, --url or the setting web.providers",
            egress.name()
        ),
    )];
    let (mut ready, mut waiting) = (Vec::new(), Vec::new());
    for info in PROVIDERS {
        // Forms that need an argument are made as they are used.
        if info.name == "mediawiki" {
            continue;
        }
        match provider(info.name, &settings) {
            Ok(_) => ready.push(info.name),
            Err(error) => waiting.push((info.name, error.to_string())),
        }
    }
    checks.push(ok("searches", format!("ready: {}", ready.join(", "))));
    if !waiting.is_empty() {
        let names: Vec<&str> = waiting.iter().map(|(name, _)| *name).collect();
        let variables: Vec<&str> = PROVIDERS
            .iter()
            .filter(|info| names.contains(&info.name))
            .filter_map(|info| info.variables.first().copied())
            .collect();
        checks.push(note(
            "searches",
            format!("not set up (optional): {}", names.join(", ")),
            format!("set {}", variables.join(", ")),
        ));
    }
    checks
}

/// Whether the folder of a file can be written, or made.
fn folder(name: &'static str, file: Result<std::path::PathBuf>) -> Check {
    let file = match file {
        Ok(file) => file,
        Err(error) => return bad(name, &error),
    };
    let folder = file.parent().unwrap_or(Path::new("."));
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&probe, b"probe"));
    let _ = std::fs::remove_file(&probe);
    match written {
        Ok(()) => ok(name, format!("{} can be written", folder.display())),
        Err(error) => bad(
            name,
            &CliError::storage(
                format!("could not write to {}", folder.display()),
                error.to_string(),
                "mend its permissions, or set XDG_DATA_HOME and XDG_CACHE_HOME to other folders; `elenchus ask` keeps \
                 nothing with --ephemeral",
            ),
        ),
    }
}

/// Reads every run on a server.
#[cfg(feature = "postgres")]
fn check_server(place: &StorePlace) -> Result<Vec<String>> {
    super::runtime()?.block_on(async { Ok(every_run(&*wire::store(place)?).await?) })
}

/// Opening it tells that this program was built without servers.
#[cfg(not(feature = "postgres"))]
fn check_server(place: &StorePlace) -> Result<Vec<String>> {
    wire::store(place).map(|_| Vec::new())
}

fn store(args: &DoctorArgs, config: &Config) -> Check {
    let path = match store_path(args.store.store.clone(), config) {
        Ok(path) => path,
        Err(error) => return bad("store", &error),
    };
    if !path.is_made() {
        return ok("store", format!("{path} is not there yet; the first run makes it"));
    }
    let checked = if path.database().is_some() {
        check_server(&path)
    } else {
        wire::store_file(&path).and_then(|store| Ok(store.check()?))
    };
    match checked {
        Ok(findings) if findings.is_empty() => ok(
            "store",
            match path.database() {
                None => {
                    format!(
                        "{path} is sound (schema {SCHEMA_VERSION}, every journal's chain holds)"
                    )
                }
                Some(_) => format!("{path} answers, and every journal's chain holds"),
            },
        ),
        Ok(findings) => bad(
            "store",
            &CliError::storage(
                format!("the store {path} has {}", counted(findings.len(), "fault")),
                findings.join(" / "),
                "restore a backup, or delete the runs that are named; `elenchus runs export` saves those that are whole",
            ),
        ),
        Err(error) => bad("store", &error),
    }
}

/// How the store's own server compares vectors.
#[cfg(feature = "postgres")]
fn vectors(args: &DoctorArgs, config: &Config) -> Option<Check> {
    use elenchus_io::vector_index::Standing;
    let place = store_path(args.store.store.clone(), config).ok()?;
    let looked = || -> Result<Option<Standing>> {
        let vectors = crate::bank::vectors(config)?;
        let own = crate::vectors::own(&place, vectors.as_ref(), &Terminal::silent())?;
        let Some(own) = own else { return Ok(None) };
        super::runtime()?.block_on(own.look()).map(Some).map_err(|failure| {
            CliError::storage(
                format!("could not {}", failure.attempted),
                failure.cause,
                failure.way_out,
            )
        })
    };
    match looked() {
        Ok(None) => None,
        Ok(Some(_)) if crate::vectors::address(config).is_some() => {
            Some(ok("vectors", "the memory's are compared by a Qdrant server"))
        }
        Ok(Some(Standing::Exact { cause, way_out })) => Some(note(
            "vectors",
            format!("each search of the memory reads all vectors that it may see: {cause}"),
            way_out,
        )),
        Ok(Some(standing)) => {
            Some(ok("vectors", format!("the memory's are compared by the server: {standing}")))
        }
        Err(error) => Some(bad("vectors", &error)),
    }
}

/// Reads every journal and every trace. One line a finding.
#[cfg(feature = "postgres")]
async fn every_run(
    store: &dyn elenchus_core::port::Store,
) -> std::result::Result<Vec<String>, elenchus_core::port::StoreFailure> {
    let mut findings = Vec::new();
    for run in store.runs().await? {
        findings.extend(store.journal(&run.run_id).await.err().map(|error| error.to_string()));
        findings.extend(store.events(&run.run_id, 0).await.err().map(|error| error.to_string()));
    }
    Ok(findings)
}

fn index(args: &DoctorArgs, mut config: Config) -> Check {
    let corpus = crate::cli::CorpusArgs {
        corpus: args.corpus.corpus.clone(),
        index: crate::cli::IndexArgs {
            index: args.corpus.index.index.clone(),
            embedder: args.corpus.index.embedder.clone(),
            max_file_mb: args.corpus.index.max_file_mb,
            keep_secrets: args.corpus.index.keep_secrets,
        },
    };
    if let Err(error) = set_corpus(&mut config, corpus) {
        return bad("index", &error);
    }
    if config.path("corpus").is_none() {
        return note(
            "index",
            "no corpus is set",
            "`elenchus doctor --corpus DIR` looks at the index of a folder",
        );
    }
    let looked = place(&config, false).and_then(|mut place| {
        // Looking mends nothing: a damaged index is told, not built again.
        place.index_named = true;
        match &place.index {
            Some(index) if index.exists() => {
                place.secrets = Corpus::made_with(index).unwrap_or(place.secrets);
                let overview = place.open(&Terminal::silent())?.corpus.overview();
                Ok(format!(
                    "{} opens: {}, {}, {} skipped",
                    index.display(),
                    counted(overview.documents as usize, "document"),
                    counted(overview.passages as usize, "passage"),
                    counted(overview.skipped.len(), "file")
                ))
            }
            _ => Ok(format!(
                "{} is not read in yet; the first question does it",
                place.root.display()
            )),
        }
    });
    match looked {
        Ok(found) => ok("index", found),
        Err(error) => bad("index", &error),
    }
}

fn screen(terminal: &Terminal) -> Check {
    let live = if terminal.lively {
        "status line"
    } else {
        "plain lines (no terminal, TERM=dumb or --quiet)"
    };
    let color = if terminal.color { "colours" } else { "no colours" };
    ok("terminal", format!("{live}, {color}, {} columns", terminal.width))
}

fn told(checks: &[Check]) -> String {
    let mut out = String::new();
    for check in checks {
        let mark = match check.state {
            State::Ok => "ok",
            State::Note => "note",
            State::Bad => "BAD",
        };
        let _ = writeln!(out, "{mark:<4}  {:<12}  {}", check.name, squeeze(&check.found));
        if let Some(fix) = &check.fix {
            let _ = writeln!(out, "                    fix: {}", squeeze(fix));
        }
    }
    out
}
