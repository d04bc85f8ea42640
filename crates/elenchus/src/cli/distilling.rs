//! Arguments of `distill`.

use super::{ModelArgs, StoreArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EndedArg {
    /// What it set out to do was done
    Success,
    /// It was not
    Failure,
}

const DISTILL_EXAMPLES: &str = "\
Examples:
  elenchus distill
  elenchus distill --session notes.txt --outcome failure
  elenchus distill --model ollama:llama3.2
  elenchus distill --failed";

#[derive(Debug, Args)]
#[command(after_help = DISTILL_EXAMPLES)]
pub(crate) struct DistillArgs {
    /// Queue this text first: what another agent tried, a line a step
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,

    /// How that session ended
    #[arg(long, value_name = "HOW", value_enum, requires = "session")]
    pub(crate) outcome: Option<EndedArg>,

    /// It holds text of pages that nobody vouches for: what it teaches waits until a person or a
    /// task that succeeded confirms it
    #[arg(long, requires = "session")]
    pub(crate) from_web: bool,

    /// Show sessions that gave trouble, with the causes and the model's last reply
    #[arg(long, conflicts_with_all = ["session", "outcome", "from_web"])]
    pub(crate) failed: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}
