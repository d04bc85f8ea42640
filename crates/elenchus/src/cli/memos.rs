//! Arguments of the commands about the evidence graph.

use super::{RunArgs, StoreArgs};
use clap::{Args, Subcommand, ValueEnum};
use elenchus_core::graph::Direction;
use std::path::PathBuf;

const MEMO_HELP: &str = "\
Examples:
  elenchus memo save \"The array delivers 5.6 MW.\" --title \"Capacity\" --tag harbor --meta source=report.md
  elenchus memo relate memo_1f0c supports memo_9ab3 --weight 0.7 --reason \"Measured there\"
  elenchus memo keep run_0bd9e2
  elenchus score --pivot memo_9ab3

Memos are kept in the store of runs. With MEMORY_HTTP_URL set they are those of another Elenchus there,
asked with MEMORY_HTTP_BEARER_TOKEN within MEMORY_HTTP_TIMEOUT_MS; --store names a file instead.
MEMORY_NAMESPACE_DEFAULT is the namespace where none is named.";

const SCORE_HELP: &str = "\
Examples:
  elenchus score --pivot memo_9ab3
  elenchus score --pivot memo_9ab3 --namespace team/harbor --k 6 --depth 2 --limit 80 \\
      --similarity-weight 0.6 --relation-weight 0.4 --min-combined 0.2 --json

combined = (similarity weight x similarity + relation weight x strength of the best path) / (sum of both
weights). It says what to read first. How sure the memo is, is the confidence, which conflicts lower.";

/// Where memos are.
#[derive(Debug, Args)]
pub(crate) struct MemoPlace {
    /// The namespace: names with slashes between them [default: MEMORY_NAMESPACE_DEFAULT, or `default`; all when
    /// listing]
    #[arg(long, short, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Subcommand)]
#[command(after_help = MEMO_HELP)]
pub(crate) enum MemoCommand {
    /// Save a memo, over one with the same id
    Save(MemoSaveArgs),
    /// Search memos by words and meaning, the best first
    Search {
        /// What to look for
        query: String,
        #[command(flatten)]
        listing: MemoListing,
    },
    /// List memos, the newest first
    List {
        #[command(flatten)]
        listing: MemoListing,
    },
    /// Show a memo with its relations
    Show {
        #[command(flatten)]
        memo: MemoArgs,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete a memo with its relations
    Delete {
        #[command(flatten)]
        memo: MemoArgs,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Say that one memo bears on another
    Relate {
        #[command(flatten)]
        ends: RelationArgs,
        /// How much, from 0 (hardly) to 1 (fully)
        #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
        weight: f64,
        /// Why
        #[arg(long)]
        reason: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a relation back
    Unrelate {
        #[command(flatten)]
        ends: RelationArgs,
    },
    /// Show the relations around a memo, nearest first
    Graph {
        #[command(flatten)]
        memo: MemoArgs,
        /// Steps, 1 to 10
        #[arg(long, default_value_t = 2)]
        depth: u32,
        /// Which way relations are followed
        #[arg(long, value_enum, default_value_t = DirectionArg::Both)]
        direction: DirectionArg,
        /// Only relations with this tag
        #[arg(long)]
        tag: Option<String>,
        /// The most relations, 1 to 1000
        #[arg(long, default_value_t = 80)]
        limit: usize,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show conflicts between memos, those that come again and again first
    Conflicts {
        #[command(flatten)]
        place: MemoPlace,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Save a finished run's answer, its quotes and its conflicts into the graph
    Keep {
        #[command(flatten)]
        run: RunArgs,
        /// The namespace [default: MEMORY_NAMESPACE_DEFAULT, or `default`]
        #[arg(long, short, value_name = "NAMESPACE")]
        namespace: Option<String>,
        /// The memo that the question was about
        #[arg(long, value_name = "ID")]
        pivot: Option<String>,
        /// As JSON: the answer in its short form, with the memos of its quotes
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct MemoSaveArgs {
    /// The text
    #[arg(required_unless_present = "file")]
    pub(crate) content: Option<String>,

    /// Take the text from a file; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "content")]
    pub(crate) file: Option<PathBuf>,

    /// Its id [default: one that derives from what it says]
    #[arg(long)]
    pub(crate) id: Option<String>,

    /// A title
    #[arg(long, default_value = "")]
    pub(crate) title: String,

    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,

    /// Anything else; memos of one `origin` or `source` count once. May be given several times
    #[arg(long = "meta", value_name = "NAME=VALUE")]
    pub(crate) metadata: Vec<String>,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) place: MemoPlace,
}

/// Which memos are shown.
#[derive(Debug, Args)]
pub(crate) struct MemoListing {
    /// Only those with this tag
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// The most to show; 0 for all
    #[arg(long, short, default_value_t = 20)]
    pub(crate) limit: usize,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) place: MemoPlace,
}

/// One memo.
#[derive(Debug, Args)]
pub(crate) struct MemoArgs {
    /// The memo's id, or a beginning of it that only one has
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) place: MemoPlace,
}

/// The ends of a relation and what it says.
#[derive(Debug, Args)]
pub(crate) struct RelationArgs {
    /// The memo that bears
    pub(crate) source: String,
    /// How: `supports`, `conflicts`, `explains`, or any word
    pub(crate) tag: String,
    /// The memo that it bears on
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) place: MemoPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirectionArg {
    /// From source to target
    Forward,
    /// From target to source
    Backward,
    /// Both
    Both,
}

impl DirectionArg {
    pub(crate) fn direction(self) -> Direction {
        match self {
            Self::Forward => Direction::Forward,
            Self::Backward => Direction::Backward,
            Self::Both => Direction::Both,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = SCORE_HELP)]
pub(crate) struct ScoreArgs {
    /// The memo that the evidence is about
    #[arg(long, value_name = "ID")]
    pub(crate) pivot: String,

    #[command(flatten)]
    pub(crate) place: MemoPlace,

    /// Memos taken for being like the pivot
    #[arg(long, short, default_value_t = 6)]
    pub(crate) k: usize,

    /// Steps, 1 to 10
    #[arg(long, default_value_t = 2)]
    pub(crate) depth: u32,

    /// The most relations, 1 to 1000
    #[arg(long, default_value_t = 80)]
    pub(crate) limit: usize,

    /// Which way relations are followed
    #[arg(long, value_enum, default_value_t = DirectionArg::Both)]
    pub(crate) direction: DirectionArg,

    /// Only relations with this tag
    #[arg(long)]
    pub(crate) tag: Option<String>,

    /// What similarity counts
    #[arg(long, value_name = "A", default_value_t = 0.6, allow_negative_numbers = true)]
    pub(crate) similarity_weight: f64,

    /// What relations count
    #[arg(long, value_name = "B", default_value_t = 0.4, allow_negative_numbers = true)]
    pub(crate) relation_weight: f64,

    /// Take the weights from what you said was useful and useless
    #[arg(long, conflicts_with_all = ["similarity_weight", "relation_weight"])]
    pub(crate) learned: bool,

    /// Say that a memo shown here was worth reading; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) useful: Vec<String>,

    /// Say that a memo shown here was not; may be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) useless: Vec<String>,

    /// What each step of a path after the first is worth, above 0 and up to 1
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) delta: f64,

    /// Leave out memos below this combined score
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) min_combined: f64,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// How the confidence came about; with --json also what was left out and which conflicts recur
    #[arg(long)]
    pub(crate) explain: bool,

    /// Names of fields as in `minCombined`
    #[arg(long, requires = "json")]
    pub(crate) camel_case: bool,
}
