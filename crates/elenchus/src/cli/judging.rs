//! Arguments of the commands that judge texts and answers.

use super::{CorpusArgs, IndexArgs, StoreArgs};
use clap::{ArgGroup, Args, ValueEnum};
use std::path::PathBuf;

const VERIFY_EXAMPLES: &str = "\
Examples:
  elenchus verify report.md --sources docs
  elenchus verify report.md --sources docs --json > checked.json; elenchus why c2 --in checked.json
  elenchus verify - --sources docs --min-confidence 0.7 < report.md || echo not good enough";

const WHY_EXAMPLES: &str = "\
Examples:
  elenchus why c1 --run run_0bd9e2
  elenchus why c1 --in answer.json";

const SOURCE_EXAMPLES: &str = "\
Examples:
  elenchus source run_0bd9e2
  elenchus source run_0bd9e2 1
  elenchus source run_0bd9e2 --html sources.html";

const FALLACIES_EXAMPLES: &str = "\
Examples:
  elenchus fallacies essay.md
  elenchus fallacies - --sensitive --json < essay.txt";

const AUDIT_EXAMPLES: &str = "\
Examples:
  elenchus audit run_0bd9e2
  elenchus audit answer.json --json";

const FEEDBACK_EXAMPLES: &str = "\
Examples:
  elenchus feedback c1 wrong --run run_0bd9e2
  elenchus feedback c2 right --in checked.json
  elenchus feedback c1 wrong --run run_0bd9e2 --note \"the gauge says 5\"
  elenchus feedback c1 forget --run run_0bd9e2
  elenchus feedback --insight i1 useful --run run_0bd9e2
  elenchus feedback --run run_0bd9e2";

const CONTRADICTIONS_EXAMPLES: &str = "\
Examples:
  elenchus contradictions --corpus docs
  elenchus contradictions \"installed capacity\" --corpus docs --json";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The text to check, Markdown or plain; `-` reads it from standard input
    #[arg(value_name = "ANSWER.md")]
    pub(crate) answer: PathBuf,

    /// The folder of sources
    #[arg(long, value_name = "DIR")]
    pub(crate) sources: PathBuf,

    /// Fail with exit code 3 when the overall confidence is below this (claims that could not be checked
    /// count as 0), or nothing can be assessed
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) min_confidence: Option<f64>,

    /// What judges: `builtin`, `quick` without the cross-encoder, `onnx:DIR` or `onnx:NAME`
    /// for an entailment model, or `llm:PROVIDER:NAME` for a language model [default: builtin]
    #[arg(long, value_name = "VERIFIER")]
    pub(crate) verifier: Option<String>,

    /// The figures as JSON; `elenchus why` reads them
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep no index on disk
    #[arg(long)]
    pub(crate) ephemeral: bool,

    #[command(flatten)]
    pub(crate) index: IndexArgs,
}

#[derive(Debug, Args)]
#[command(after_help = CONTRADICTIONS_EXAMPLES)]
pub(crate) struct ContradictionsArgs {
    /// Only what bears on this: the best passages of a search for it [default: all passages]
    pub(crate) about: Option<String>,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    /// Most contradictions, strongest first
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,

    /// Also documents that are superseded, by their own word or by a later version
    #[arg(long)]
    pub(crate) superseded: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Keep no index on disk
    #[arg(long)]
    pub(crate) ephemeral: bool,
}

#[derive(Debug, Args)]
#[command(after_help = WHY_EXAMPLES)]
#[command(group(ArgGroup::new("from").required(true).args(["file", "run"])))]
pub(crate) struct WhyArgs {
    /// The claim's id, `c1`, `c2`, ...
    pub(crate) claim: String,

    /// A file that `elenchus verify --json` or `elenchus ask --json` wrote
    #[arg(long = "in", value_name = "FILE.json")]
    pub(crate) file: Option<PathBuf>,

    /// A run that is kept, by its id or a beginning of it
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
#[command(after_help = SOURCE_EXAMPLES)]
pub(crate) struct SourceArgs {
    /// The run's id, or a beginning of it that only one run has
    #[arg(value_name = "RUN")]
    pub(crate) run: String,

    /// The citation's number; all of them when left out
    #[arg(value_name = "N")]
    pub(crate) number: Option<usize>,

    /// Write the documents as one page for a browser, the quotes marked; it loads nothing
    #[arg(long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,

    /// As JSON
    #[arg(long, conflicts_with = "html")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SaidArg {
    /// The claim is right; for a run: it answers the question, and rightly
    Right,
    /// It is wrong, or no answer
    Wrong,
    /// What you said of it is taken back, with its note
    Forget,
}

#[derive(Debug, Args)]
#[command(after_help = FEEDBACK_EXAMPLES)]
pub(crate) struct FeedbackArgs {
    /// The claim's id, `c1`, `c2`, ...; without one, what was said so far is shown, with --run only of that run
    #[arg(requires = "said")]
    pub(crate) claim: Option<String>,

    /// What it turned out to be
    #[arg(value_enum)]
    pub(crate) said: Option<SaidArg>,

    /// A file that `elenchus verify --json` or `elenchus ask --json` wrote
    #[arg(long = "in", value_name = "FILE.json")]
    pub(crate) file: Option<PathBuf>,

    /// A run that is kept, by its id or a beginning of it
    #[arg(long, value_name = "RUN", conflicts_with = "file")]
    pub(crate) run: Option<String>,

    /// What an insight of a run was to you: useful, not-useful or saved; forget takes it back
    #[arg(long, num_args = 2, value_names = ["ID", "WORD"], requires = "run", conflicts_with_all = ["claim", "file"])]
    pub(crate) insight: Option<Vec<String>>,

    /// Why, in a line; it leads later runs that ask alike. A word without one takes an earlier note out
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,

    /// Forget everything that was said
    #[arg(long, conflicts_with_all = ["claim", "file", "run", "insight", "note"])]
    pub(crate) forget: bool,

    /// Do not ask before forgetting
    #[arg(long, short, requires = "forget")]
    pub(crate) yes: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Debug, Args)]
#[command(after_help = FALLACIES_EXAMPLES)]
pub(crate) struct FallaciesArgs {
    /// The text, Markdown or plain; `-` reads it from standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Warn of more, with more false alarms
    #[arg(long)]
    pub(crate) sensitive: bool,

    /// A language model that reads the text as well, `PROVIDER:NAME`
    #[arg(long, value_name = "MODEL")]
    pub(crate) llm: Option<String>,

    /// Further fallacies of a domain
    #[arg(long, value_enum, value_name = "PACK")]
    pub(crate) pack: Option<PackArg>,

    /// A model file of your own (`elenchus-evals fallacies --fit-on` writes one)
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PackArg {
    /// Misuses of scripture
    Theology,
}

#[derive(Debug, Args)]
#[command(after_help = AUDIT_EXAMPLES)]
pub(crate) struct AuditArgs {
    /// A run's id, or a file that holds an answer as JSON
    #[arg(value_name = "RUN|FILE.json")]
    pub(crate) what: String,

    /// The findings as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| "it must be a number from 0 to 1".to_owned())
}
