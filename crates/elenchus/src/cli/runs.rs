//! Arguments of the commands about runs that were.

use super::{
    AddedArgs, AttachArgs, DialogueArgs, IndexArgs, LimitArgs, ModelArgs, OutputArgs, StoreArgs,
};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

const CHALLENGE_EXAMPLES: &str = "\
Examples:
  elenchus runs trace run_0bd9e2
  elenchus challenge run_0bd9e2 41 \"Is there a later report?\"";

const FORK_EXAMPLES: &str = "\
Examples:
  elenchus runs trace run_0bd9e2
  elenchus runs fork run_0bd9e2 --at 41 --focus \"What did it cost in 2024?\"";

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the runs, newest first
    List {
        /// Only runs whose question has these words, or parts of words, in any order
        #[arg(value_name = "WORD")]
        words: Vec<String>,
        /// Only runs that stand so
        #[arg(long, value_enum)]
        status: Option<StatusArg>,
        /// So many at most
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        limit: Option<u32>,
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
        /// What it was told of earlier runs too, and what it has in mind, as its prompts are told it (nothing once it is over)
        #[arg(long)]
        memory: bool,
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
    /// Go on with a run that was interrupted, or past a limit that ended one
    Resume(ResumeArgs),
    /// Go back to a step of a run, and on from there in another; the run itself stays as it is
    Fork(ForkArgs),
    /// Follow a run that another process or a worker drives, and tell it what to do
    Attach(AttachArgs),
    /// Give a run's answer again, without a model and without the documents
    Replay {
        #[command(flatten)]
        run: RunArgs,
        /// The answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a run's answer, its sources, its evidence or its trace to a file or to standard output
    Export {
        #[command(flatten)]
        run: RunArgs,
        /// The format [default: what the name of the file says, else md]
        #[arg(long, value_enum)]
        format: Option<Format>,
        /// The file, or the folder of a package [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Overwrite the file, or write into a folder that has something in it
        #[arg(long, requires = "out")]
        force: bool,
    },
    /// Remove a run with its trace; what was learned from it stays in the memory
    Delete {
        #[command(flatten)]
        run: RunArgs,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusArg {
    /// A process drives it
    Running,
    /// Nobody drives it since Ctrl-C, a crash or a lost process stopped it: it can be resumed
    Stopped,
    /// It came to its end
    Finished,
    /// Somebody ended it early, or it was stopped: those of `stopped` are among them
    Interrupted,
    /// It could not go on
    Failed,
}

impl StatusArg {
    /// As the store names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// The run's id, or a beginning of it that only one run has
    #[arg(value_name = "RUN")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

const RESUME_EXAMPLES: &str = "\
Examples:
  elenchus runs resume run_0bd9e2
  elenchus runs resume run_0bd9e2 --max-rounds 8 --budget-passages 200
  elenchus runs resume run_0bd9e2 --add-document finance/costs.md

A run that is not over goes on under the limits that are named. One that a limit ended stays as it is, and another run goes on
from where it stopped searching: nothing that it did is done again.";

#[derive(Debug, Args)]
#[command(after_long_help = RESUME_EXAMPLES)]
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
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) sources: AddedArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) dialogue: DialogueArgs,

    #[command(flatten)]
    pub(crate) index: IndexArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = FORK_EXAMPLES)]
pub(crate) struct ForkArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// The number of the event to go back to, as `elenchus runs trace RUN` shows it. What came together with it is kept with it
    #[arg(long, value_name = "SEQ", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) at: u64,

    /// What to look for too from there on
    #[arg(long, value_name = "TEXT")]
    pub(crate) focus: Option<String>,

    /// The folder of documents, if it has moved
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,

    /// Go on although the documents have changed since the run started
    #[arg(long)]
    pub(crate) accept_changes: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) dialogue: DialogueArgs,

    #[command(flatten)]
    pub(crate) index: IndexArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = CHALLENGE_EXAMPLES)]
pub(crate) struct ChallengeArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// The number of the event, as `elenchus runs trace RUN` shows it
    #[arg(value_name = "SEQ")]
    pub(crate) event: u64,

    /// What you doubt about it; best a question that the documents could answer
    pub(crate) text: String,

    /// The folder of documents, if it has moved
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,

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
    /// The report as one page that loads nothing
    Html,
    /// The cited sources for BibTeX and biblatex
    Bibtex,
    /// The cited sources for RIS readers, such as EndNote
    Ris,
    /// The cited sources for Zotero, pandoc and other readers of CSL-JSON
    CslJson,
    /// The cited quotes as a table
    Csv,
    /// The evidence as W3C Web Annotations (JSON-LD)
    WebAnnotation,
    /// Where each statement comes from, as PROV-JSON
    ProvJson,
    /// The run as a trace of OpenTelemetry, one line of OTLP/JSON
    Otlp,
    /// The whole run as a package (RO-Crate): a folder, named with --out
    RoCrate,
}

impl Format {
    /// The word for stores, the same as over HTTP.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Html => "html",
            Self::Bibtex => "bibtex",
            Self::Ris => "ris",
            Self::CslJson => "csl-json",
            Self::Csv => "csv",
            Self::WebAnnotation => "web-annotation",
            Self::ProvJson => "prov",
            Self::Otlp => "otlp",
            Self::RoCrate => "ro-crate",
        }
    }
}
