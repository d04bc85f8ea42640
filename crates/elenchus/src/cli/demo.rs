//! The arguments of `demo`.

use super::{OutputArgs, StoreArgs};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elenchus demo
  elenchus demo \"What caused the outage of 11 February 2026?\"
  elenchus demo --into sample \"Who is the managing director?\" --json

The documents are in the program: fourteen small files about an invented group of turbines, 15 KB. It is
asked with the built-in model and nothing leaves this machine, whatever the settings say.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DemoArgs {
    /// The question [default: one that has a current and an older answer, and a part that nothing answers]
    pub(crate) question: Option<String>,

    /// The folder to write the documents into [default: one of its own below the data folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
