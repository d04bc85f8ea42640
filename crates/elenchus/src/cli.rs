//! The arguments.

use crate::ui::terminal::Color;
use clap::{Args, Parser, Subcommand, ValueEnum};
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

const ROOT_EXAMPLES: &str = "\
Examples:
  elenchus ask \"What caused the outage of 11 February 2026?\" --corpus examples/harbor
  elenchus runs list
  elenchus search \"installed capacity\" --corpus examples/harbor";

const ASK_EXAMPLES: &str = "\
Examples:
  elenchus ask \"What is the installed capacity?\" --corpus docs
  elenchus ask \"What is the installed capacity?\" --corpus docs --json | jq .conclusion
  elenchus ask - --corpus docs --out answer.md < question.txt
  elenchus ask \"Who owns it?\" --corpus docs --effort deep --budget-seconds 60
  elenchus ask \"Who owns it?\" --corpus docs --model ollama:llama3.2 --fallback extractive";

const VERIFY_EXAMPLES: &str = "\
Examples:
  elenchus verify report.md --sources docs
  elenchus verify report.md --sources docs --json > checked.json; elenchus why c2 --in checked.json
  elenchus verify - --sources docs --min-confidence 0.7 < report.md || echo not good enough";

const FEEDBACK_EXAMPLES: &str = "\
Examples:
  elenchus feedback c1 wrong --run run_0bd9e2
  elenchus feedback c2 right --in checked.json
  elenchus feedback";

const CONTRADICTIONS_EXAMPLES: &str = "\
Examples:
  elenchus contradictions --corpus docs
  elenchus contradictions \"installed capacity\" --corpus docs --json";

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

    /// Say nothing but errors and warnings on standard error
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a question of a folder of documents
    Ask(AskArgs),
    /// Look at, resume, replay, export and delete runs
    #[command(subcommand)]
    Runs(RunsCommand),
    /// Read a folder of documents into its index
    Ingest(IngestArgs),
    /// Search a folder of documents
    Search(SearchArgs),
    /// Check the statements of any text against a folder of sources
    Verify(VerifyArgs),
    /// Find statements of a folder of documents that contradict each other
    Contradictions(ContradictionsArgs),
    /// Show how the confidence of a claim came about
    Why(WhyArgs),
    /// Say whether a claim was right: later figures learn from it
    Feedback(FeedbackArgs),
    /// Warn of fallacies in a text
    Fallacies(FallaciesArgs),
    /// List, find and keep entailment models for `--verifier onnx:NAME`
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Check an answer against what its run has read
    Audit(AuditArgs),
    /// Check what this program needs, and say how to mend what is missing
    Doctor(DoctorArgs),
    /// Show the settings
    #[command(subcommand)]
    Config(ConfigCommand),
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
}

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// What thinks: `extractive` (built in), or `ollama:NAME`, `openai:NAME`, `anthropic:NAME`
    #[arg(long, value_name = "MODEL", help_heading = "Model")]
    pub(crate) model: Option<String>,

    /// A cheaper model for the lesser prompts [default: the model itself]
    #[arg(long, value_name = "MODEL", help_heading = "Model")]
    pub(crate) fast_model: Option<String>,

    /// What answers when the model does not
    #[arg(long, value_name = "FALLBACK", value_parser = ["none", "extractive"], help_heading = "Model")]
    pub(crate) fallback: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The database that keeps runs [default: elenchus.db in the data folder]
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

    /// Write the answer to a file: Markdown (.md) or JSON (.json)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Overwrite the file of --out
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortArg {
    /// One round, few passages
    Quick,
    /// Five rounds, fifty passages
    Standard,
    /// More rounds and passages
    Deep,
}

#[derive(Debug, Args)]
#[command(after_help = ASK_EXAMPLES)]
pub(crate) struct AskArgs {
    /// The question; `-` reads it from standard input
    pub(crate) question: String,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// How hard to try
    #[arg(long, value_enum, help_heading = "Effort")]
    pub(crate) effort: Option<EffortArg>,

    /// Search rounds, 1 to 10
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10), help_heading = "Effort")]
    pub(crate) max_rounds: Option<u64>,

    /// Stop after one round
    #[arg(long, help_heading = "Effort")]
    pub(crate) no_autonomous: bool,

    /// Most passages read
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000), help_heading = "Effort")]
    pub(crate) budget_passages: Option<u64>,

    /// Most model calls
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000), help_heading = "Effort")]
    pub(crate) budget_model_calls: Option<u64>,

    /// Most tokens, in and out together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000), help_heading = "Effort")]
    pub(crate) budget_tokens: Option<u64>,

    /// Most US dollars
    #[arg(long, value_name = "USD", value_parser = above_zero, help_heading = "Effort")]
    pub(crate) budget_usd: Option<f64>,

    /// Most seconds
    #[arg(long, value_name = "S", value_parser = above_zero, help_heading = "Effort")]
    pub(crate) budget_seconds: Option<f64>,

    /// Leave out documents whose path holds this; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Keep nothing on disk: neither the run nor the index
    #[arg(long, conflicts_with = "store")]
    pub(crate) ephemeral: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the runs, newest first
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Show how a run stands: its questions, gaps, sources and end
    Show {
        #[command(flatten)]
        run: RunArgs,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what a run thought and did, event by event
    Trace {
        #[command(flatten)]
        run: RunArgs,
        /// Each event as a line of JSON
        #[arg(long)]
        jsonl: bool,
    },
    /// Go on with a run that was interrupted
    Resume(ResumeArgs),
    /// Give a run's answer again, without a model and without the documents
    Replay {
        #[command(flatten)]
        run: RunArgs,
        /// The answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a run's answer or trace to a file or to standard output
    Export {
        #[command(flatten)]
        run: RunArgs,
        /// The format
        #[arg(long, value_enum, default_value = "md")]
        format: Format,
        /// The file [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Overwrite the file
        #[arg(long, requires = "out")]
        force: bool,
    },
    /// Remove a run and everything kept of it
    Delete {
        #[command(flatten)]
        run: RunArgs,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The run's id, or a beginning of it that only one run has
    #[arg(value_name = "RUN")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// The folder of documents, if it has moved
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,

    /// Go on although the documents have changed since the run started
    #[arg(long)]
    pub(crate) accept_changes: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) index: IndexArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The report as Markdown
    Md,
    /// The answer as JSON
    Json,
    /// The trace, a line of JSON an event
    Jsonl,
}

#[derive(Debug, Args)]
pub(crate) struct IngestArgs {
    /// The folder of documents
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) index: IndexArgs,

    /// Forget the index and build it anew
    #[arg(long)]
    pub(crate) rebuild: bool,

    /// The report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// What to search for
    pub(crate) query: String,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    /// Most hits
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) limit: Option<u64>,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep no index on disk
    #[arg(long)]
    pub(crate) ephemeral: bool,
}

#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The text to check, Markdown or plain; `-` reads it from standard input
    #[arg(value_name = "ANSWER.md")]
    pub(crate) answer: PathBuf,

    /// The folder of sources
    #[arg(long, value_name = "DIR")]
    pub(crate) sources: PathBuf,

    /// Fail with exit code 3 when the overall confidence is below this, or nothing can be assessed
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) min_confidence: Option<f64>,

    /// What judges: `builtin`, `quick` without the cross-encoder, `onnx:DIR` or `onnx:NAME`
    /// for an entailment model, or `llm:PROVIDER:NAME` for a language model [default: builtin]
    #[arg(long, value_name = "VERIFIER")]
    pub(crate) verifier: Option<String>,

    /// The figures as JSON; `elenchus why` reads them
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep no index on disk
    #[arg(long)]
    pub(crate) ephemeral: bool,

    #[command(flatten)]
    pub(crate) index: IndexArgs,
}

#[derive(Debug, Args)]
#[command(after_help = CONTRADICTIONS_EXAMPLES)]
pub(crate) struct ContradictionsArgs {
    /// Only what bears on this: the best passages of a search for it [default: all passages]
    pub(crate) about: Option<String>,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    /// Most contradictions, strongest first
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,

    /// Also documents that are superseded by their own word
    #[arg(long)]
    pub(crate) superseded: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep no index on disk
    #[arg(long)]
    pub(crate) ephemeral: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The claim's id, `c1`, `c2`, ...
    pub(crate) claim: String,

    /// A file that `elenchus verify --json` or `elenchus ask --json` wrote
    #[arg(long = "in", value_name = "FILE.json", required_unless_present = "run")]
    pub(crate) file: Option<PathBuf>,

    /// A run that is kept, by its id or a beginning of it
    #[arg(long, value_name = "RUN", conflicts_with = "file")]
    pub(crate) run: Option<String>,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SaidArg {
    /// The claim is right; for a run: it answers the question, and rightly
    Right,
    /// It is wrong, or no answer
    Wrong,
}

#[derive(Debug, Args)]
#[command(after_help = FEEDBACK_EXAMPLES)]
pub(crate) struct FeedbackArgs {
    /// The claim's id, `c1`, `c2`, ...; without one, what was said so far is shown
    #[arg(requires = "said")]
    pub(crate) claim: Option<String>,

    /// What it turned out to be
    #[arg(value_enum)]
    pub(crate) said: Option<SaidArg>,

    /// A file that `elenchus verify --json` or `elenchus ask --json` wrote
    #[arg(long = "in", value_name = "FILE.json")]
    pub(crate) file: Option<PathBuf>,

    /// A run that is kept, by its id or a beginning of it
    #[arg(long, value_name = "RUN", conflicts_with = "file")]
    pub(crate) run: Option<String>,

    /// Forget everything that was said
    #[arg(long, conflicts_with_all = ["claim", "file", "run"])]
    pub(crate) forget: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FallaciesArgs {
    /// The text, Markdown or plain; `-` reads it from standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Warn of more, with more false alarms
    #[arg(long)]
    pub(crate) sensitive: bool,

    /// A language model that reads the text as well, `PROVIDER:NAME`
    #[arg(long, value_name = "MODEL")]
    pub(crate) llm: Option<String>,

    /// Further fallacies of a domain
    #[arg(long, value_enum, value_name = "PACK")]
    pub(crate) pack: Option<PackArg>,

    /// A model file of your own (`elenchus-evals fallacies --fit-on` writes one)
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PackArg {
    /// Misuses of scripture
    Theology,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// A run's id, or a file that holds an answer as JSON
    #[arg(value_name = "RUN|FILE.json")]
    pub(crate) what: String,

    /// The findings as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

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

fn share(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| "it must be a number from 0 to 1".to_owned())
}

fn above_zero(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "it must be a number above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_fit_together() {
        super::Cli::command().debug_assert();
    }
}
