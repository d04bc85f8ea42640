//! Arguments of the commands about a folder of documents.

use super::{CorpusArgs, IndexArgs, StoreArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

const INGEST_EXAMPLES: &str = "\
Examples:
  elenchus ingest docs
  elenchus ingest docs --rebuild --json";

const SEARCH_EXAMPLES: &str = "\
Examples:
  elenchus search \"installed capacity\" --corpus docs
  elenchus search \"installed capacity\" --corpus docs -n 3 --json";

const PASSAGE_EXAMPLES: &str = "\
Examples:
  elenchus passage \"1 Cor. 13:4-7\" --corpus bible
  elenchus passage \"Mt 5,17; Rom 10:4\" --corpus bible --json | jq .references";

const PATTERNS_EXAMPLES: &str = "\
Examples:
  elenchus patterns --corpus docs
  elenchus patterns --corpus docs --least 5 --json";

#[derive(Debug, Args)]
#[command(after_help = INGEST_EXAMPLES)]
pub(crate) struct IngestArgs {
    /// The folder of documents
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) index: IndexArgs,

    /// Forget the index and build it anew
    #[arg(long)]
    pub(crate) rebuild: bool,

    /// Embed all passages again where the vectors of the index are another embedder's
    #[arg(long)]
    pub(crate) re_embed: bool,

    /// The report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = SEARCH_EXAMPLES)]
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
#[command(after_help = PASSAGE_EXAMPLES)]
pub(crate) struct PassageArgs {
    /// One reference or several: "1 Cor. 13:4-7", "Mt 5,17; Rom 10:4", "Psalm 23"
    pub(crate) reference: String,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    /// Most verses shown that cross-references join with each reference
    #[arg(long, short = 'n', value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=500))]
    pub(crate) neighbours: u16,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep no index on disk
    #[arg(long)]
    pub(crate) ephemeral: bool,
}

#[derive(Debug, Args)]
#[command(after_help = PATTERNS_EXAMPLES)]
pub(crate) struct PatternsArgs {
    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    /// Authors (or documents without one) that cite an anchor, at least
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=1000))]
    pub(crate) least: u16,

    /// As JSON, with every place
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep no index on disk
    #[arg(long)]
    pub(crate) ephemeral: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum InsightsCommand {
    /// List the insights of all runs, newest first, and how they came over time
    List {
        /// Only of this type: cross_ref, pattern, synthesis or tension_resolution
        #[arg(long = "type", value_name = "TYPE")]
        kind: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
}
