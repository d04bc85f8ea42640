//! The arguments.

mod asking;
mod corpora;
mod db;
mod demo;
mod distilling;
mod index;
mod judging;
mod limits;
mod mcp;
mod memory;
mod memos;
mod runs;
mod serve;
mod sources;
mod tui;
mod upkeep;
mod web;
mod worker;

pub(crate) use asking::*;
pub(crate) use corpora::*;
pub(crate) use db::*;
pub(crate) use demo::*;
pub(crate) use distilling::*;
pub(crate) use index::*;
pub(crate) use judging::*;
pub(crate) use limits::*;
pub(crate) use mcp::*;
pub(crate) use memory::*;
pub(crate) use memos::*;
pub(crate) use runs::*;
pub(crate) use serve::*;
pub(crate) use sources::*;
pub(crate) use tui::*;
pub(crate) use upkeep::*;
pub(crate) use web::*;
pub(crate) use worker::*;

use crate::api_keys::{KeyFile, key_file};
use crate::ui::terminal::{Color, Links};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0    finished, also when gaps were given up or a budget ended it: the answer says so
  1    a failure, or an audit that found an error
  2    usage: an empty question, a missing folder, an unknown run, a bad flag or setting
  3    below the confidence that --min-confidence asks for
  4    a model or another component failed; what was found before is in the answer
  5    storage: a store, an index or a file could not be read or written
  130  interrupted; the run is kept and `elenchus runs resume` goes on

Settings come from, in rising precedence: defaults, the user's config.toml, the nearest
elenchus.toml upward from the working folder, ELENCHUS_* variables, flags.
`elenchus config show --origin` tells where each value comes from.";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  elenchus doctor
  elenchus doctor --model ollama:llama3.2
  elenchus doctor --corpus docs --json";

const CONFIG_EXAMPLES: &str = "\
Examples:
  elenchus config show --origin
  elenchus config path";

const RUNS_EXAMPLES: &str = "\
Examples:
  elenchus runs list --status interrupted
  elenchus runs resume run_0bd9e2
  elenchus runs export run_0bd9e2 --out report.html";

const MEMORY_EXAMPLES: &str = "\
Examples:
  elenchus memory list
  elenchus memory search \"late ferries\" --limit 5
  elenchus memory feedback mem_50bbf8b1244b unhelpful";

const ROOT_EXAMPLES: &str = "\
Examples:
  elenchus ask \"What caused the outage of 11 February 2026?\" --corpus examples/harbor
  elenchus runs list
  elenchus search \"installed capacity\" --corpus examples/harbor";

/// Answers questions of a folder of documents, with quoted evidence for every statement and a list of what could
/// not be established.
#[derive(Debug, Parser)]
#[command(name = "elenchus", version, after_help = ROOT_EXAMPLES, after_long_help = format!("{ROOT_EXAMPLES}\n\n{EXIT_CODES}"), max_term_width = 100)]
#[command(arg_required_else_help = true, disable_help_subcommand = false)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to colour what is said on standard error
    #[arg(long, global = true, value_enum, help_heading = "Global options")]
    pub(crate) color: Option<Color>,

    /// When paths and addresses in a report are links: `auto`, `always`, `never` [default: auto]
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        value_enum,
        hide_possible_values = true,
        help_heading = "Global options"
    )]
    pub(crate) hyperlinks: Option<Links>,

    /// Print long reports at once, not through PAGER (or ELENCHUS_PAGER)
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) no_pager: bool,

    /// Say nothing but errors and warnings on standard error
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a question of a folder of documents
    Ask(AskArgs),
    /// Try it: write a small folder of sample documents and ask it a question
    Demo(DemoArgs),
    /// Ask, watch and steer runs in a terminal, and look at earlier ones
    Tui(TuiArgs),
    /// Challenge a step of a run that is over: another run looks into it
    Challenge(ChallengeArgs),
    /// Look at, resume, replay, export and delete runs
    #[command(subcommand, after_help = RUNS_EXAMPLES)]
    Runs(RunsCommand),
    /// Read a folder of documents into its index
    Ingest(IngestArgs),
    /// Search a folder of documents
    Search(SearchArgs),
    /// Look verses of the Bible up by reference, in every translation of the documents
    Passage(PassageArgs),
    /// Check the statements of any text against a folder of sources
    Verify(VerifyArgs),
    /// Find statements of a folder of documents that contradict each other
    Contradictions(ContradictionsArgs),
    /// Find what many documents of a folder cite, dispute and have come to speak of
    Patterns(PatternsArgs),
    /// Look at what stood out in runs
    #[command(subcommand)]
    Insights(InsightsCommand),
    /// Show how the confidence of a claim came about
    Why(WhyArgs),
    /// Open a citation of a run again, without a network, with its quote marked
    Source(SourceArgs),
    /// Say whether a claim was right: later figures learn from it
    Feedback(FeedbackArgs),
    /// Make memories of what finished runs and sessions teach
    Distill(DistillArgs),
    /// Search, record and judge what was learned: the memory of strategies
    #[command(subcommand, after_help = MEMORY_EXAMPLES)]
    Memory(MemoryCommand),
    /// Check the index of vectors on a Qdrant server against the memory, and mend it
    #[command(subcommand)]
    Index(IndexCommand),
    /// Copy a store to another place, or bring one to this version's schema
    #[command(subcommand)]
    Db(DbCommand),
    /// Keep memos, and say what supports and what contradicts what
    #[command(subcommand)]
    Memo(MemoCommand),
    /// Score what speaks for and against a memo
    Score(ScoreArgs),
    /// Warn of fallacies in a text
    Fallacies(FallaciesArgs),
    /// List, find and keep entailment models for `--verifier onnx:NAME`
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Check an answer against what its run has read
    Audit(AuditArgs),
    /// Serve agents over the Model Context Protocol, and tell their programs about it
    Mcp(McpArgs),
    /// Serve the HTTP API and the pages, to this machine
    Serve(ServeArgs),
    /// Go on with runs whose process is gone, or work on those that a Restate server keeps
    Worker(WorkerArgs),
    /// Check what this program needs, and say how to mend what is missing
    Doctor(DoctorArgs),
    /// Show the settings
    #[command(subcommand, after_help = CONFIG_EXAMPLES)]
    Config(ConfigCommand),
    /// Show the version, and what this build can do
    Version(VersionArgs),
    /// Write a file for a bug report, without questions, documents or answers
    SupportBundle(BundleArgs),
    /// Remove what is kept: runs, memory, indexes
    Purge(PurgeArgs),
    /// Write the manual pages
    Man(ManArgs),
    /// Write the completions of a shell to standard output
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    /// The folder of documents
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) index: IndexArgs,
}

#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// The index file [default: one a folder, in the cache]
    #[arg(long, value_name = "FILE")]
    pub(crate) index: Option<PathBuf>,

    /// What turns texts into vectors: `builtin`, `onnx:DIR`, or `ollama:NAME` or `openai:NAME` for
    /// an embedding model behind a server
    #[arg(long, value_name = "EMBEDDER")]
    pub(crate) embedder: Option<String>,

    /// The largest file that is read, in megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) max_file_mb: Option<u64>,

    /// Keep passwords and keys that stand in documents
    #[arg(long)]
    pub(crate) keep_secrets: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// What thinks: `extractive` (built in), or `ollama:NAME`, `openai:NAME`, `anthropic:NAME`
    #[arg(long, value_name = "MODEL", help_heading = "Model")]
    pub(crate) model: Option<String>,

    /// A file with the key of the model, or as PROVIDER=FILE that of `openai`, `anthropic`, `tavily`,
    /// `brave`, `openalex` or `opensearch`; may be given several times
    #[arg(long, value_name = "FILE", value_parser = key_file, help_heading = "Model")]
    pub(crate) key_file: Vec<KeyFile>,

    /// A cheaper model for the lesser prompts [default: the model itself]
    #[arg(long, value_name = "MODEL", help_heading = "Model")]
    pub(crate) fast_model: Option<String>,

    /// Ask a language model anew also where its reply to the same was kept, and keep none
    #[arg(long, help_heading = "Model")]
    pub(crate) no_cache: bool,

    /// Models to ask in this order where the model fails for good
    #[arg(long, value_name = "MODELS", value_delimiter = ',', help_heading = "Model")]
    pub(crate) strong_fallback: Vec<String>,

    /// The same for the cheaper model [default: those of the model, where there is no cheaper one]
    #[arg(long, value_name = "MODELS", value_delimiter = ',', help_heading = "Model")]
    pub(crate) fast_fallback: Vec<String>,

    /// What answers when no model does
    #[arg(long, value_name = "FALLBACK", value_parser = ["none", "extractive"], help_heading = "Model")]
    pub(crate) fallback: Option<String>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct StoreArgs {
    /// The file that keeps runs, or a server as postgres://... [default: elenchus.db in the data folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// The answer as JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) json: bool,

    /// Each event of the trace as a line of JSON, as it happens
    #[arg(long)]
    pub(crate) jsonl: bool,

    /// Write the answer to this file: .md, .html, .json, .bib, .ris or .csv
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Overwrite the file of --out
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = DOCTOR_EXAMPLES)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Look at this model, and not at that of the settings
    #[arg(long)]
    pub(crate) model: Option<String>,

    /// A file with a key, as `elenchus ask` takes it
    #[arg(long, value_name = "FILE", value_parser = key_file)]
    pub(crate) key_file: Vec<KeyFile>,

    /// The findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List pulled models with the state of their files, and those that are known by name
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the models folder, or the folder of one model
    Path {
        /// The model's name
        name: Option<String>,
    },
    /// Keep a model under a name, with the hashes of its files
    Pull {
        /// The model's name
        name: String,
        /// Where its files are: a folder or a file:// address
        #[arg(long, value_name = "DIR|URL")]
        from: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show every setting with its value
    Show {
        /// Where each value comes from
        #[arg(long)]
        origin: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show which files are read
    Path,
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};
    use std::path::{Path, PathBuf};

    #[test]
    fn the_arguments_fit_together() {
        super::Cli::command().debug_assert();
    }

    /// The files of a folder and of those in it.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(files(&path));
            } else {
                found.push(path);
            }
        }
        found
    }

    /// The commands that a source file names between backticks, without the name of the program.
    fn commands(source: &str) -> Vec<String> {
        // A text goes on behind a backslash at the end of a line.
        let mut lines = source.split("\\\n");
        let mut whole = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            whole.push_str(line.trim_start());
        }
        // Put together, so that this file does not name one here.
        let mark = format!("{}elenchus ", '`');
        let told = whole.split(&mark).skip(1).filter_map(|rest| rest.split('`').next());
        told.filter(|told| !told.contains('\n')).map(str::to_owned).collect()
    }

    /// What of a command there is not.
    fn missing(root: &Command, told: &str) -> Option<String> {
        let mut command = root;
        for word in told.split_whitespace() {
            if let Some(flag) = word.strip_prefix("--") {
                if !command.get_arguments().any(|one| one.get_long() == Some(flag)) {
                    return Some(word.to_owned());
                }
            } else if let Some(below) = command.find_subcommand(word) {
                command = below;
            } else if command.get_subcommands().any(|below| below.get_name() != "help") {
                return Some(word.to_owned());
            }
        }
        None
    }

    #[test]
    fn commands_in_texts_exist_with_their_flags() {
        let mut root = super::Cli::command();
        root.build();
        let mut seen = 0;
        for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
            for told in commands(&std::fs::read_to_string(&file).unwrap()) {
                seen += 1;
                let missing = missing(&root, &told);
                assert_eq!(missing, None, "{}: elenchus {told}", file.display());
            }
        }
        assert!(seen > 50, "{seen}");
        assert_eq!(missing(&root, "ingest DIR --ephemeral"), Some("--ephemeral".to_owned()));
        assert_eq!(missing(&root, "runs forget"), Some("forget".to_owned()));
    }
}
