//! The arguments of `worker`, and how a run is driven.

use super::{DialogueArgs, OutputArgs, RunArgs, StoreArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elenchus worker --register http://127.0.0.1:9070
  elenchus worker --corpus docs --listen 127.0.0.1:9081 --register http://127.0.0.1:9070
  elenchus ask \"Who owns it?\" --corpus docs --engine restate

A Restate server sends work to the worker; anybody who reaches its port can do so as well. It listens to this
machine alone, unless --listen says otherwise; then give it the server's key with --identity-key.";

/// What drives a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
    /// This process
    #[default]
    Local,
    /// The workers of a Restate server, whose ingress RESTATE_URL names [default: http://127.0.0.1:8080]
    Restate,
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// Listen at this address and port
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9080")]
    pub(crate) listen: String,

    /// Tell this Restate server, by its admin address, where the worker is
    #[arg(long, value_name = "ADMIN_URL")]
    pub(crate) register: Option<String>,

    /// The address under which the server reaches the worker [default: that of --listen]
    #[arg(long, value_name = "URL", requires = "register")]
    pub(crate) advertise: Option<String>,

    /// Take work only from the Restate server with this key (`publickeyv1_...`)
    #[arg(long, value_name = "KEY")]
    pub(crate) identity_key: Option<String>,

    /// A folder of documents that runs may stand on; may be given several times [default: whatever a run names]
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Vec<PathBuf>,

    /// How many distillers may work at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) distillers: u32,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Tell the run something first
    #[arg(long, value_name = "WORD", value_enum)]
    pub(crate) tell: Option<TellArg>,

    #[command(flatten)]
    pub(crate) dialogue: DialogueArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What may be said to a run in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TellArg {
    /// Stop now and answer with what there is
    Interrupt,
    /// Stop searching and write the answer
    FinishNow,
    /// Do nothing until `resume`; the command ends
    Pause,
    /// Go on
    Resume,
}
