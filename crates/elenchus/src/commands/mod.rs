//! One file a command.

mod ask;
mod attach;
mod audit;
mod challenge;
mod config;
mod contradictions;
mod db;
mod demo;
mod distill;
mod doctor;
mod documents;
mod fallacies;
mod feedback;
mod figures;
mod fork;
mod index;
pub(crate) mod insights;
mod lenses;
mod man;
mod mcp;
mod memory;
mod memos;
pub(crate) mod models;
mod more;
mod output;
mod passage;
mod patterns;
mod purge;
mod reopen;
pub(crate) mod resume;
mod runs;
pub(crate) mod serve;
mod source;
mod support;
mod tui;
mod verify;
mod version;
mod why;
mod worker;
mod worth;

use crate::api_keys;
use crate::cli::{
    ClarifyArg, Cli, Command, ConfigCommand, CorpusArgs, DbCommand, DialogueArgs, EgressArg,
    EngineArgs, IndexArgs, IndexCommand, InsightsCommand, McpArgs, McpCommand, MemoCommand,
    MemoryCommand, ModelArgs, ModelsCommand, RunsCommand, WebArgs,
};
use crate::config::{Config, Value};
use crate::durable;
use crate::error::{CliError, Kind, Result};
use crate::paths;
use crate::store_place::StorePlace;
use crate::telemetry::{self, Lives};
use crate::ui::terminal::Terminal;
use crate::wire::{self, CorpusPlace};
use clap::CommandFactory;
use std::path::{Path, PathBuf};

/// Whether a command gives JSON to a program, which then gets errors as JSON too.
pub(crate) fn speaks_json(command: &Command) -> bool {
    match command {
        Command::Ask(args) => args.output.json || args.output.jsonl,
        Command::Demo(args) => args.output.json || args.output.jsonl,
        Command::Challenge(args) => args.output.json || args.output.jsonl,
        Command::Ingest(args) => args.json,
        Command::Search(args) => args.json,
        Command::Passage(args) => args.json,
        Command::Audit(args) => args.json,
        Command::Verify(args) => args.json,
        Command::Contradictions(args) => args.json,
        Command::Patterns(args) => args.json,
        Command::Insights(InsightsCommand::List { json, .. }) => *json,
        Command::Models(ModelsCommand::List { json }) => *json,
        Command::Why(args) => args.json,
        Command::Source(args) => args.json,
        Command::Score(args) => args.json,
        Command::Memo(command) => match command {
            MemoCommand::Save(args) => args.json,
            MemoCommand::Search { listing, .. } | MemoCommand::List { listing } => listing.json,
            MemoCommand::Show { json, .. }
            | MemoCommand::Relate { json, .. }
            | MemoCommand::Graph { json, .. }
            | MemoCommand::Conflicts { json, .. }
            | MemoCommand::Keep { json, .. } => *json,
            MemoCommand::Delete { .. } | MemoCommand::Unrelate { .. } => false,
        },
        Command::Feedback(args) => args.json,
        Command::Fallacies(args) => args.json,
        Command::Doctor(args) => args.json,
        Command::Version(args) => args.json,
        Command::Purge(args) => args.json,
        Command::Distill(args) => args.json,
        Command::Config(ConfigCommand::Show { json, .. }) => *json,
        Command::Memory(command) => memory_speaks_json(command),
        Command::Db(DbCommand::Copy(args)) => args.json,
        Command::Db(DbCommand::Migrate(_)) => false,
        Command::Index(IndexCommand::Check(args)) => args.json,
        Command::Index(IndexCommand::Rebuild(args)) => args.json,
        Command::Runs(command) => match command {
            RunsCommand::List { json, .. }
            | RunsCommand::Show { json, .. }
            | RunsCommand::Replay { json, .. } => *json,
            RunsCommand::Trace { jsonl, .. } => *jsonl,
            RunsCommand::Resume(args) => args.output.json || args.output.jsonl,
            RunsCommand::Fork(args) => args.output.json || args.output.jsonl,
            RunsCommand::Attach(args) => args.output.json || args.output.jsonl,
            RunsCommand::Export { .. } | RunsCommand::Delete { .. } => false,
        },
        Command::Config(ConfigCommand::Path)
        | Command::Completions { .. }
        | Command::SupportBundle(_)
        | Command::Man(_)
        | Command::Mcp(_)
        | Command::Serve(_)
        | Command::Worker(_)
        | Command::Tui(_)
        | Command::Models(_) => false,
    }
}

/// The store that a flag of a command about runs names.
pub(crate) fn store_flag(command: &Command) -> Option<&Path> {
    let args = match command {
        Command::Ask(args) => &args.store,
        Command::Demo(args) => &args.store,
        Command::Challenge(args) => &args.run.store,
        Command::Audit(args) => &args.store,
        Command::Doctor(args) => &args.store,
        Command::Runs(RunsCommand::List { store, .. }) => store,
        Command::Runs(
            RunsCommand::Show { run, .. }
            | RunsCommand::Trace { run, .. }
            | RunsCommand::Replay { run, .. }
            | RunsCommand::Export { run, .. }
            | RunsCommand::Delete { run, .. },
        ) => &run.store,
        Command::Runs(RunsCommand::Resume(args)) => &args.run.store,
        Command::Runs(RunsCommand::Fork(args)) => &args.run.store,
        Command::Runs(RunsCommand::Attach(args)) => &args.run.store,
        _ => return None,
    };
    args.store.as_deref()
}

fn memory_speaks_json(command: &MemoryCommand) -> bool {
    match command {
        MemoryCommand::Search(args) => args.place.json,
        MemoryCommand::Record(args) => args.place.json,
        MemoryCommand::Feedback(args) => args.place.json,
        MemoryCommand::Outcome(args) => args.place.json,
        MemoryCommand::Show(args) | MemoryCommand::Why(args) | MemoryCommand::Restore(args) => {
            args.place.json
        }
        MemoryCommand::List(args) => args.place.json,
        MemoryCommand::Archive(args) => args.place.json,
        MemoryCommand::Edit(args) => args.place.json,
        MemoryCommand::Delete(args) => args.place.json,
        MemoryCommand::Import(args) => args.place.json,
        MemoryCommand::Rollback(args) => args.place.json,
        MemoryCommand::Stats(args) | MemoryCommand::Tend(args) => args.json,
        MemoryCommand::Export(_) => false,
    }
}

/// Does what was asked.
pub(crate) fn run(command: Command, config: Result<Config>, terminal: &Terminal) -> Result<()> {
    match command {
        // These work without settings, and tell what is wrong with them.
        Command::Completions { shell } => {
            let mut out = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "elenchus", &mut out);
            terminal.print(&String::from_utf8_lossy(&out))
        }
        Command::Doctor(args) => doctor::run(&args, config, terminal),
        Command::Version(args) => version::run(&args, terminal),
        Command::Man(args) => man::run(&args, terminal),
        Command::SupportBundle(args) => support::run(args, config, terminal),
        Command::Config(ConfigCommand::Path) => config::path(terminal),
        Command::Config(ConfigCommand::Show { origin, json }) => {
            let config = config?;
            warn_of_variables(&config, terminal);
            config::show(&config, origin, json, terminal)
        }
        Command::Fallacies(args) => fallacies::run(&args, config, terminal),
        Command::Models(command) => {
            let config = config?;
            warn_of_variables(&config, terminal);
            models::run(command, &config, terminal)
        }
        Command::Mcp(McpArgs { command: Some(McpCommand::Install(args)), .. }) => {
            mcp::install(&args, terminal)
        }
        other => {
            let config = config?;
            warn_of_variables(&config, terminal);
            waiting(other, config, terminal)
        }
    }
}

/// A setting that was misspelt in the environment changes nothing: whoever set it is told.
fn warn_of_variables(config: &Config, terminal: &Terminal) {
    config.without_effect().iter().for_each(|line| terminal.warn(line));
}

/// What waits for servers, files and timers.
fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        CliError::new(
            Kind::Failure,
            "could not start",
            error.to_string(),
            "close other programs: the system gives no more threads or files",
        )
    })
}

/// The commands that wait for something.
fn waiting(command: Command, config: Config, terminal: &Terminal) -> Result<()> {
    let runtime = runtime()?;
    if let Some((lives, egress)) = drives_runs(&command) {
        let mut config = config.clone();
        set_egress(&mut config, egress);
        telemetry::begin(lives, &config, terminal);
    }
    let done = runtime.block_on(async {
        match command {
            Command::Ask(args) => ask::run(args, config, terminal).await,
            Command::Demo(args) => Box::pin(demo::run(args, &config, terminal)).await,
            Command::Tui(args) => Box::pin(tui::run(args, config, terminal)).await,
            Command::Challenge(args) => challenge::run(args, config, terminal).await,
            Command::Runs(RunsCommand::Resume(args)) => {
                Box::pin(resume::run(args, config, terminal)).await
            }
            Command::Runs(RunsCommand::Fork(args)) => {
                Box::pin(fork::run(args, config, terminal)).await
            }
            Command::Runs(RunsCommand::Attach(args)) => {
                Box::pin(attach::run(args, config, terminal)).await
            }
            Command::Runs(command) => runs::run(command, &config, terminal).await,
            Command::Ingest(args) => documents::ingest(args, config, terminal).await,
            Command::Search(args) => documents::search(args, config, terminal).await,
            Command::Passage(args) => passage::run(args, config, terminal).await,
            Command::Audit(args) => audit::run(args, &config, terminal).await,
            Command::Verify(args) => verify::run(args, config, terminal).await,
            Command::Contradictions(args) => contradictions::run(args, config, terminal).await,
            Command::Patterns(args) => patterns::run(args, config, terminal).await,
            Command::Insights(command) => insights::run(command, &config, terminal).await,
            Command::Why(args) => why::run(args, &config, terminal).await,
            Command::Source(args) => source::run(args, &config, terminal).await,
            Command::Memo(command) => memos::run(command, &config, terminal).await,
            Command::Score(args) => memos::score(args, &config, terminal).await,
            Command::Feedback(args) => feedback::run(args, &config, terminal).await,
            Command::Distill(args) => distill::run(args, config, terminal).await,
            Command::Mcp(args) => mcp::run(args, config, terminal).await,
            Command::Serve(args) => Box::pin(serve::run(args, config, terminal)).await,
            Command::Worker(args) => Box::pin(worker::run(args, config, terminal)).await,
            Command::Memory(command) => memory::run(command, &config, terminal).await,
            Command::Index(command) => index::run(command, &config, terminal).await,
            Command::Db(command) => db::run(command, &config, terminal).await,
            Command::Purge(args) => Box::pin(purge::run(args, &config, terminal)).await,
            Command::Doctor(_)
            | Command::Version(_)
            | Command::Man(_)
            | Command::SupportBundle(_)
            | Command::Config(_)
            | Command::Completions { .. }
            | Command::Models(_)
            | Command::Fallacies(_) => Ok(()),
        }
    });
    telemetry::finish(terminal);
    // A call that hangs, or a document half read, holds nobody up.
    runtime.shutdown_background();
    done
}

/// Whether a command drives runs, for how long it lives then, and which words it says may leave.
fn drives_runs(command: &Command) -> Option<(Lives, Option<EgressArg>)> {
    match command {
        Command::Ask(args) => Some((Lives::ForOneRun, args.web.egress)),
        Command::Demo(_)
        | Command::Challenge(_)
        | Command::Runs(RunsCommand::Resume(_) | RunsCommand::Fork(_)) => {
            Some((Lives::ForOneRun, None))
        }
        Command::Tui(args) => Some((Lives::Long, args.web.egress)),
        Command::Serve(args) => Some((Lives::Long, args.web.egress)),
        Command::Mcp(args) => Some((Lives::Long, args.web.egress)),
        Command::Worker(_) => Some((Lives::Long, None)),
        _ => None,
    }
}

/// The flags that say where documents are.
fn set_index(config: &mut Config, args: IndexArgs) -> Result<()> {
    config.flag("index", "--index", text(args.index)?);
    config.flag("embedder", "--embedder", args.embedder.map(Value::Text));
    config.flag("ingest.max_file_mb", "--max-file-mb", args.max_file_mb.map(Value::Whole));
    let kept = args.keep_secrets.then_some(Value::Flag(true));
    config.flag("ingest.keep_secrets", "--keep-secrets", kept);
    Ok(())
}

/// The flags that say what thinks.
fn set_model(config: &mut Config, args: ModelArgs) -> Result<()> {
    config.flag("model", "--model", args.model.map(Value::Text));
    config.flag("fast_model", "--fast-model", args.fast_model.map(Value::Text));
    let some = |items: Vec<String>| Some(items).filter(|items| !items.is_empty()).map(Value::List);
    config.flag("strong_fallback", "--strong-fallback", some(args.strong_fallback));
    config.flag("fast_fallback", "--fast-fallback", some(args.fast_fallback));
    config.flag("fallback", "--fallback", args.fallback.map(Value::Text));
    config.flag("cache", "--no-cache", args.no_cache.then_some(Value::Flag(false)));
    api_keys::take(config, args.key_file)
}

/// The flag that says what drives runs. What cannot be done in this build, or with the address of the server, is told at once.
fn set_engine(config: &mut Config, args: &EngineArgs) -> Result<()> {
    let word = args.engine.map(|engine| Value::Text(engine.word().to_owned()));
    config.flag("engine", "--engine", word);
    durable::ready(config)
}

/// The flags that say whether the user may be asked; gives whether answers come through a pipe.
fn set_dialogue(config: &mut Config, args: &DialogueArgs) -> bool {
    let never = args.no_input.then_some("never");
    let flag = if args.no_input { "--no-input" } else { "--clarify" };
    let word = never.or(args.clarify.map(ClarifyArg::word));
    config.flag("clarify", flag, word.map(|word| Value::Text(word.to_owned())));
    args.piped_answers
}

fn set_corpus(config: &mut Config, args: CorpusArgs) -> Result<()> {
    config.flag("corpus", "--corpus", text(args.corpus)?);
    set_index(config, args.index)
}

/// The flags about the web.
fn set_web(config: &mut Config, args: WebArgs) {
    let some = |items: Vec<String>| Some(items).filter(|items| !items.is_empty()).map(Value::List);
    // `--web` alone means the providers that are set up.
    let providers = args.web.map(|names| {
        if names.is_empty() { vec![crate::web::CONFIGURED.to_owned()] } else { names }
    });
    let word = |word: &str| Value::Text(word.to_owned());
    config.flag("web.providers", "--web", providers.map(Value::List));
    config.flag("web.urls", "--url", some(args.url));
    config.flag("web.sources", "--sources", args.sources.map(|one| word(one.word())));
    config.flag("web.domains", "--domains", some(args.domains));
    config.flag("web.since", "--since", args.since.map(Value::Text));
    set_egress(config, args.egress);
    config.flag("web.private_hosts", "--private-host", some(args.private_host));
    let allow = args.allow_private_queries.then_some(Value::Flag(true));
    config.flag("web.allow_private_queries", "--allow-private-queries", allow);
}

fn set_egress(config: &mut Config, named: Option<EgressArg>) {
    config.flag("egress", "--egress", named.map(|one| Value::Text(one.word().to_owned())));
}

/// A path as a setting.
pub(crate) fn text(path: Option<PathBuf>) -> Result<Option<Value>> {
    let Some(path) = path else { return Ok(None) };
    if path.as_os_str().is_empty() {
        return Err(CliError::usage(
            "could not use a path",
            "it is empty",
            "name a file or a folder",
        ));
    }
    path.into_os_string().into_string().map(|text| Some(Value::Text(text))).map_err(|path| {
        CliError::usage(
            format!("could not use the path {}", Path::new(&path).display()),
            "its name is not UTF-8",
            "rename it, or reach it through a link with a plain name",
        )
    })
}

/// Where the documents are, from the settings.
fn place(config: &Config, ephemeral: bool) -> Result<CorpusPlace> {
    let Some(named) = config.path("corpus") else {
        return Err(CliError::usage(
            "could not tell which documents to use",
            "no corpus was named",
            "name a folder with --corpus, or set `corpus` in elenchus.toml",
        ));
    };
    place_of(config, &named, ephemeral)
}

pub(crate) fn place_of(config: &Config, named: &Path, ephemeral: bool) -> Result<CorpusPlace> {
    let root = wire::folder(named)?;
    let embedder = match config.text("embedder").unwrap_or("builtin") {
        // Noted with the run, which may be resumed from another folder.
        name if name.len() > 5 && name.starts_with("onnx:") => {
            format!("onnx:{}", absolute(Path::new(&name[5..])).display())
        }
        name => name.to_owned(),
    };
    let index = match config.path("index") {
        Some(index) => Some(absolute(&index)),
        None if ephemeral => None,
        None => Some(paths::default_index(&root, &embedder)?),
    };
    Ok(CorpusPlace {
        root,
        index,
        index_named: config.path("index").is_some(),
        embedder,
        max_file_mb: config.whole("ingest.max_file_mb").unwrap_or(64),
        secrets: wire::secrets(config),
        settings: config.clone(),
    })
}

/// A path that means the same from every working folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The store, from a flag, the settings or the environment.
pub(crate) fn store_path(flag: Option<PathBuf>, config: &Config) -> Result<StorePlace> {
    StorePlace::find(flag, config)
}
