//! Arguments of `ask`, and those that runs share.

use super::judging::share;
use super::{CorpusArgs, EngineArgs, ModelArgs, OutputArgs, StoreArgs, WebArgs};
use clap::{Args, ValueEnum};

const ASK_EXAMPLES: &str = "\
Examples:
  elenchus ask \"What is the installed capacity?\" --corpus docs
  elenchus ask \"What is the installed capacity?\" --corpus docs --json | jq .conclusion
  elenchus ask - --corpus docs --out answer.md < question.txt
  elenchus ask \"Who owns it?\" --corpus docs --effort deep --budget-seconds 60
  elenchus ask \"Who owns it?\" --corpus docs --model ollama:llama3.2 --fallback extractive
  elenchus ask \"When was the bridge opened?\" --web wikipedia
  elenchus ask \"Who owns it now?\" --corpus docs --web searxng --since 2025
  elenchus ask \"Was it worth it?\" --corpus docs --model ollama:llama3.2 --lenses skeptical,neutral";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClarifyArg {
    /// When the question looks vague and somebody can answer
    Auto,
    /// Whenever the model finds something to ask and somebody can answer
    Always,
    /// Never
    Never,
}

impl ClarifyArg {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DialogueArgs {
    /// When a language model may ask back what a vague question means [default: auto]
    #[arg(long, value_name = "WHEN", value_enum, help_heading = "Dialogue")]
    pub(crate) clarify: Option<ClarifyArg>,

    /// Ask me nothing
    #[arg(long, conflicts_with = "clarify", help_heading = "Dialogue")]
    pub(crate) no_input: bool,

    /// Read answers from standard input although it is no terminal (for tests and for programs that play the user)
    #[arg(long, hide = true, conflicts_with = "no_input")]
    pub(crate) piped_answers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortArg {
    /// One round, few passages
    Quick,
    /// Five rounds, fifty passages
    Standard,
    /// More rounds and passages
    Deep,
}

#[derive(Debug, Args)]
#[command(after_help = ASK_EXAMPLES)]
pub(crate) struct AskArgs {
    /// The question; `-` reads it from standard input
    pub(crate) question: String,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) web: WebArgs,

    /// Recall nothing that earlier runs learned, and learn nothing from this one
    #[arg(long, help_heading = "Memory")]
    pub(crate) no_memory: bool,

    /// Look at the evidence through several lenses once the answer was checked; needs a language
    /// model [LIST: skeptical, charitable, neutral, ...; without one those of the pack]
    #[arg(long, value_name = "LIST", num_args = 0..=1, value_delimiter = ',', help_heading = "Model")]
    pub(crate) lenses: Option<Vec<String>>,

    #[command(flatten)]
    pub(crate) dialogue: DialogueArgs,

    /// How hard to try
    #[arg(long, value_enum, help_heading = "Effort")]
    pub(crate) effort: Option<EffortArg>,

    /// Search rounds, 1 to 10
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10), help_heading = "Effort")]
    pub(crate) max_rounds: Option<u64>,

    /// How a round is judged: `multi-step`, or `single-step`, the older loop kept for comparison
    #[arg(long, alias = "strategy", value_name = "WAY", value_parser = ["multi-step", "single-step"], help_heading = "Effort")]
    pub(crate) reflection: Option<String>,

    /// Stop after one round
    #[arg(long, help_heading = "Effort")]
    pub(crate) no_autonomous: bool,

    /// Have nobody look for what speaks against the answer, neither a model nor the program
    #[arg(long, help_heading = "Effort")]
    pub(crate) no_critique: bool,

    /// Most passages read
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000), help_heading = "Effort")]
    pub(crate) budget_passages: Option<u64>,

    /// Most model calls
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000), help_heading = "Effort")]
    pub(crate) budget_model_calls: Option<u64>,

    /// Most tokens, in and out together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000), help_heading = "Effort")]
    pub(crate) budget_tokens: Option<u64>,

    /// Most US dollars
    #[arg(long, value_name = "USD", value_parser = above_zero, help_heading = "Effort")]
    pub(crate) budget_usd: Option<f64>,

    /// Most seconds
    #[arg(long, value_name = "S", value_parser = above_zero, help_heading = "Effort")]
    pub(crate) budget_seconds: Option<f64>,

    /// The domain pack: `general`, `theology`, or `auto` to let the documents decide [default: auto]
    #[arg(long, value_enum, hide_possible_values = true, help_heading = "Thinking")]
    pub(crate) pack: Option<AskPackArg>,

    /// The stance of a language model: `detective`, `critic`, `apologist` or `synthesizer` [default: detective]
    #[arg(long, value_enum, hide_possible_values = true, help_heading = "Thinking")]
    pub(crate) mode: Option<ModeArg>,

    /// A statement to test as a hypothesis, with searches of its own; may be given several times
    #[arg(long, value_name = "STATEMENT", help_heading = "Thinking")]
    pub(crate) hypothesis: Vec<String>,

    /// A question to answer in place of a plan that would be made; may be given several times
    #[arg(long, value_name = "QUESTION", help_heading = "Thinking")]
    pub(crate) plan: Vec<String>,

    /// Leave out documents whose path holds this; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) exclude: Vec<String>,

    /// Also tell what stands out: sources that seldom meet, patterns over many
    #[arg(long)]
    pub(crate) insights: bool,

    /// Show what is below this confidence in a part of its own and not as the answer; exit with code 3
    /// where nothing that answers reaches it
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) min_confidence: Option<f64>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Keep nothing on disk: neither the run nor the index
    #[arg(long, conflicts_with = "store")]
    pub(crate) ephemeral: bool,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AskPackArg {
    /// No field in particular
    General,
    /// The Bible and its readers
    Theology,
    /// The documents decide
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Gathers evidence and builds a case
    Detective,
    /// Looks for what does not hold
    Critic,
    /// Looks for coherence
    Apologist,
    /// Surveys the field without taking sides
    Synthesizer,
}

pub(super) fn above_zero(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "it must be a number above 0".to_owned())
}
