//! Arguments of `index`.

use super::StoreArgs;
use clap::{Args, Subcommand};

const INDEX_EXAMPLES: &str = "\
Examples:
  QDRANT_URL=http://127.0.0.1:6333 elenchus index check
  elenchus index check --repair
  elenchus index rebuild";

#[derive(Debug, Subcommand)]
#[command(after_help = INDEX_EXAMPLES)]
pub(crate) enum IndexCommand {
    /// Compare the index of vectors with the memory, tenant by tenant
    Check(IndexCheckArgs),
    /// Take the memory's vectors out of the index and write them anew
    Rebuild(IndexRebuildArgs),
}

#[derive(Debug, Args)]
pub(crate) struct IndexCheckArgs {
    /// Write what is missing or stale, and take out what is too much
    #[arg(long)]
    pub(crate) repair: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
pub(crate) struct IndexRebuildArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
