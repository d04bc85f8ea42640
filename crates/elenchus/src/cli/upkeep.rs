//! Arguments of the commands for those who install, run and clean up.

use super::StoreArgs;
use clap::{ArgGroup, Args};
use std::path::PathBuf;

const BUNDLE_EXAMPLES: &str = "\
Examples:
  elenchus support-bundle
  elenchus support-bundle --out - | jq .doctor
  elenchus support-bundle --with-run run_0bd9e2 --out report.json

It has no question, no answer and no word of a document unless you name a run with --with-run. Look at
the file before you send it.";

const PURGE_EXAMPLES: &str = "\
Examples:
  elenchus purge --all --dry-run
  elenchus purge --runs --older-than 30d --yes
  elenchus purge --memory --index

Settings, pulled models and the tokens of servers stay.";

const MAN_EXAMPLES: &str = "\
Examples:
  elenchus man | man -l -
  elenchus man runs fork
  elenchus man --out share/man/man1";

#[derive(Debug, Args)]
pub(crate) struct VersionArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = BUNDLE_EXAMPLES)]
pub(crate) struct BundleArgs {
    /// The file; `-` writes to standard output
    #[arg(long, short, value_name = "FILE", default_value = "elenchus-support.json")]
    pub(crate) out: PathBuf,

    /// Overwrite the file
    #[arg(long)]
    pub(crate) force: bool,

    /// Put this run in whole: its question, what it read, and its answer
    #[arg(long, value_name = "RUN")]
    pub(crate) with_run: Option<String>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
#[command(after_help = PURGE_EXAMPLES)]
#[command(group(
    ArgGroup::new("what").required(true).multiple(true).args(["runs", "memory", "index", "all"])
))]
pub(crate) struct PurgeArgs {
    /// Runs with their journals, answers and feedback, saved pages, and replies of models that were kept
    #[arg(long)]
    pub(crate) runs: bool,

    /// Memories with their signals, sessions that wait to be distilled, and memos, of every project
    #[arg(long)]
    pub(crate) memory: bool,

    /// Indexes of folders; the documents stay, and the next question reads them again
    #[arg(long)]
    pub(crate) index: bool,

    /// All of these
    #[arg(long)]
    pub(crate) all: bool,

    /// Only what was last touched before: `30d`, `12h`, or a date such as `2026-05-04`
    #[arg(long, value_name = "TIME")]
    pub(crate) older_than: Option<String>,

    /// Show what would go, and leave it
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// The command that the page is about, such as `runs fork` [default: the program itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub(crate) command: Vec<String>,

    /// Write the pages of all commands into this folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
