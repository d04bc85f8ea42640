//! Arguments of `db`.

use super::StoreArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

const COPY_EXAMPLES: &str = "\
Examples:
  elenchus db copy sqlite:///home/ann/.local/share/elenchus/elenchus.db postgres://ann@db/elenchus
  elenchus db copy postgres://ann@db/elenchus backup.db

The notes of where documents are and the pages of the web that runs have read go along; other files beside a
store (what was judged there, the token) stay where they are.";

#[derive(Debug, Subcommand)]
pub(crate) enum DbCommand {
    /// Copy everything from one store into an empty one, and compare every row by its hash
    Copy(DbCopyArgs),
    /// Bring a store to the schema of this version; other commands do so when they open it
    Migrate(DbMigrateArgs),
}

#[derive(Debug, Args)]
#[command(after_help = COPY_EXAMPLES)]
pub(crate) struct DbCopyArgs {
    /// A file, as a path or `sqlite://PATH`, or a server as `postgres://...`
    pub(crate) from: PathBuf,

    /// The same; must hold nothing
    pub(crate) to: PathBuf,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DbMigrateArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
