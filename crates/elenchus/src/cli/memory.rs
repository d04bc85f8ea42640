//! Arguments of `elenchus memory`.

use super::StoreArgs;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

const RECORD_EXAMPLES: &str = "\
Examples:
  elenchus memory record --title \"Ask for the vintage\" --description \"When figures of two years meet\" \\
      --content \"Name the year in the question; the older report repeats old figures.\" --outcome success
  elenchus memory record --title T --description D --outcome failure --content - < notes.txt";

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Search what was learned
    Search(MemorySearchArgs),
    /// Record what worked or failed
    Record(MemoryRecordArgs),
    /// Say whether a memory helped
    Feedback(MemoryFeedbackArgs),
    /// Say how a task went that used a memory
    Outcome(MemoryOutcomeArgs),
    /// Show a memory
    Show(MemoryOneArgs),
    /// Show how the confidence of a memory came about
    Why(MemoryOneArgs),
    /// List memories, newest first
    List(MemoryListArgs),
    /// Take a memory out of use and keep it
    Archive(MemoryArchiveArgs),
    /// Put a memory to use that was archived or is in quarantine: you vouch for it
    Restore(MemoryOneArgs),
    /// Change what a memory says
    Edit(MemoryEditArgs),
    /// Delete a memory for good, with its signals
    Delete(MemoryDeleteArgs),
    /// Write all memories of the project as JSON lines or Markdown
    Export(MemoryExportArgs),
    /// Read memories from JSON lines or Markdown
    Import(MemoryImportArgs),
    /// Show figures
    Stats(MemoryPlaceArgs),
    /// Put the project's memory back to how it stood at a time
    Rollback(MemoryRollbackArgs),
    /// Roll old signals up, archive what proved useless, promote what many confirmed
    Tend(MemoryPlaceArgs),
}

#[derive(Debug, Args)]
pub(crate) struct MemoryPlaceArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who sees a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArg {
    /// The project
    Project,
    /// The project's team
    Team,
    /// The project's organisation
    Org,
}

/// Whose memories are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnyScopeArg {
    /// The project's
    Project,
    /// Those of the project's team
    Team,
    /// Those of the project's organisation
    Org,
    /// Everything that the project sees
    All,
}

/// How what a memory tells of went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutcomeArg {
    /// It worked
    Success,
    /// It failed, and is to be avoided
    Failure,
}

/// Which memories are looked at, by how it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnyOutcomeArg {
    /// What worked
    Success,
    /// What failed, to be avoided
    Failure,
    /// Both
    All,
}

#[derive(Debug, Args)]
pub(crate) struct MemorySearchArgs {
    /// What you look for, in words
    pub(crate) query: String,

    /// Where to look
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) scope: AnyScopeArg,

    /// What to look for
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) outcome: AnyOutcomeArg,

    /// The most memories, up to reasoning_bank.search.max_limit [default:
    /// reasoning_bank.search.default_limit]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// The least confidence, from 0 to 1 [default: reasoning_bank.search.min_confidence]
    #[arg(long, value_name = "P")]
    pub(crate) min_confidence: Option<f64>,

    /// The session that asks: it counts as shown to it once
    #[arg(long, value_name = "ID", default_value = "")]
    pub(crate) session: String,

    /// Leave out what may not be put into a prompt
    #[arg(long)]
    pub(crate) for_prompt: bool,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
#[command(after_help = RECORD_EXAMPLES)]
pub(crate) struct MemoryRecordArgs {
    /// A short name, at most 50 characters
    #[arg(long)]
    pub(crate) title: String,

    /// When to use or to avoid it, at most 200 characters
    #[arg(long)]
    pub(crate) description: String,

    /// The steps or the explanation, at most 20,000 characters; `-` reads it from standard input
    #[arg(long)]
    pub(crate) content: String,

    /// Whether it worked or failed
    #[arg(long, value_enum)]
    pub(crate) outcome: OutcomeArg,

    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,

    /// Who sees it
    #[arg(long, value_enum, default_value = "project")]
    pub(crate) scope: ScopeArg,

    /// Its text goes back to a page that nobody vouches for
    #[arg(long)]
    pub(crate) from_web: bool,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HelpfulArg {
    /// It helped
    Helpful,
    /// It did not
    #[value(alias = "harmful")]
    Unhelpful,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryFeedbackArgs {
    /// The memory's id
    pub(crate) id: String,

    /// Whether it helped
    #[arg(value_enum)]
    pub(crate) said: HelpfulArg,

    /// Why
    #[arg(long)]
    pub(crate) comment: Option<String>,

    #[command(flatten)]
    pub(crate) of: SignalArgs,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SignalArgs {
    /// The session in which it happened
    #[arg(long, value_name = "ID", default_value = "")]
    pub(crate) session: String,

    /// The search that showed it
    #[arg(long, value_name = "SEARCH")]
    pub(crate) search: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WentArg {
    /// The task succeeded
    Succeeded,
    /// The task failed
    Failed,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryOutcomeArgs {
    /// The memory's id
    pub(crate) id: String,

    /// How the task went
    #[arg(value_enum)]
    pub(crate) went: WentArg,

    /// How many memories were used together: the credit is shared
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) used_together: u32,

    #[command(flatten)]
    pub(crate) of: SignalArgs,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryOneArgs {
    /// The memory's id
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryListArgs {
    /// Only this scope
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) scope: AnyScopeArg,

    /// Only what worked or only what failed
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) outcome: AnyOutcomeArg,

    /// Also archived ones
    #[arg(long)]
    pub(crate) archived: bool,

    /// Only those with this tag
    #[arg(long)]
    pub(crate) tag: Option<String>,

    /// The most to list; 0 for all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,

    /// How many to leave out first
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryArchiveArgs {
    /// The memory's id
    pub(crate) id: String,

    /// Why
    #[arg(long, default_value = "taken out of use by hand")]
    pub(crate) reason: String,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryEditArgs {
    /// The memory's id
    pub(crate) id: String,

    /// Another title
    #[arg(long)]
    pub(crate) title: Option<String>,

    /// Another description
    #[arg(long)]
    pub(crate) description: Option<String>,

    /// Another content; `-` reads it from standard input
    #[arg(long)]
    pub(crate) content: Option<String>,

    /// Other tags, which replace those there are; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Option<Vec<String>>,

    /// Who sees it
    #[arg(long, value_enum)]
    pub(crate) scope: Option<ScopeArg>,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryDeleteArgs {
    /// The memory's id
    pub(crate) id: String,

    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryFormat {
    /// A memory with its signals as a line of JSON
    Jsonl,
    /// A memory a section of Markdown
    Md,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryExportArgs {
    /// The format [default: by the name of the file, else JSON lines]
    #[arg(long, value_enum)]
    pub(crate) format: Option<MemoryFormat>,

    /// The file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Overwrite the file
    #[arg(long, requires = "out")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryImportArgs {
    /// The file; `-` reads standard input
    pub(crate) file: PathBuf,

    /// The format [default: by the name of the file, else JSON lines]
    #[arg(long, value_enum)]
    pub(crate) format: Option<MemoryFormat>,

    /// Its text goes back to somebody for whom nobody vouches: the memories wait until a person or a
    /// task that succeeded confirms them, and what others said of them is left out
    #[arg(long)]
    pub(crate) from_web: bool,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryRollbackArgs {
    /// The time: `2026-05-04`, `2026-05-04 13:09` (UTC), or how long ago: `90m`, `3h`, `2d`
    #[arg(long, value_name = "TIME")]
    pub(crate) to: String,

    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,

    #[command(flatten)]
    pub(crate) place: MemoryPlaceArgs,
}
