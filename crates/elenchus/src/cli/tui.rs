//! Arguments of `tui`.

use super::{CorpusArgs, DialogueArgs, EffortArg, EngineArgs, ModelArgs, StoreArgs, WebArgs};
use clap::Args;

const TUI_EXAMPLES: &str = "\
Examples:
  elenchus tui --corpus docs
  elenchus tui \"Who owns it?\" --corpus docs --effort deep
  elenchus tui --corpus docs --review-plan
  elenchus tui --run run_0bd9e2
  elenchus tui --plain --corpus docs < questions.txt";

#[derive(Debug, Args)]
#[command(after_help = TUI_EXAMPLES)]
pub(crate) struct TuiArgs {
    /// A question to begin with [default: one that is typed]
    pub(crate) question: Option<String>,

    #[command(flatten)]
    pub(crate) corpus: CorpusArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) web: WebArgs,

    #[command(flatten)]
    pub(crate) dialogue: DialogueArgs,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// How hard to try
    #[arg(long, value_enum, help_heading = "Effort")]
    pub(crate) effort: Option<EffortArg>,

    /// Show me each plan before anything is searched, so that I can change it
    #[arg(long, conflicts_with = "no_input", help_heading = "Dialogue")]
    pub(crate) review_plan: bool,

    /// Open a kept run: its id, or a beginning of it that only one run has
    #[arg(long, value_name = "RUN", conflicts_with = "question")]
    pub(crate) run: Option<String>,

    /// Draw nothing: a line an event, questions and controls as lines (for screen readers and logs)
    #[arg(long)]
    pub(crate) plain: bool,

    /// Leave the mouse to the terminal, so that it selects text there as ever
    #[arg(long)]
    pub(crate) no_mouse: bool,
}
