//! The arguments of `worker`, and how a run is driven.

use super::{AddedArgs, DialogueArgs, LimitArgs, OutputArgs, RunArgs, StoreArgs};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use elenchus_core::id::HypothesisId;
use elenchus_core::inquiry::Control;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elenchus worker --store postgres://elenchus@db/elenchus
  elenchus worker --register http://127.0.0.1:9070
  elenchus worker --corpus docs --listen 127.0.0.1:9081 --register http://127.0.0.1:9070
  elenchus ask \"Who owns it?\" --corpus docs --engine restate

With a store on a PostgreSQL server and neither --listen nor --register, the worker takes up runs whose process
is gone, with the documents and the settings that each run noted, and goes on with them to their ends.

With them, a Restate server sends work to the worker; anybody who reaches its port can do so as well. It listens to this
machine alone, unless --listen says otherwise; then give it the server's key with --identity-key.";

/// What drives a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
    /// This process
    Local,
    /// The workers of a Restate server, whose ingress RESTATE_URL names [default: http://127.0.0.1:8080]
    Restate,
}

impl EngineArg {
    /// As the setting `engine` has it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Restate => "restate",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// What drives runs: this process, or the workers of a Restate server (RESTATE_URL) [default: local]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(crate) engine: Option<EngineArg>,
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// Work for a Restate server: listen at this address and port [default: 127.0.0.1:9080]
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<String>,

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

    /// How many abandoned runs to go on with at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) runs: u16,

    /// End when no abandoned run is left that can be gone on with
    #[arg(long, conflicts_with_all = ["listen", "register", "identity_key"])]
    pub(crate) once: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[cfg(feature = "postgres")]
impl WorkerArgs {
    /// Whether a Restate server is to send the work.
    pub(crate) fn is_for_restate(&self) -> bool {
        self.listen.is_some() || self.register.is_some() || self.identity_key.is_some()
    }
}

const ATTACH_EXAMPLES: &str = "\
Examples:
  elenchus runs attach run_1a2b
  elenchus runs attach run_1a2b --redirect \"what it cost\" --exclude drafts/
  elenchus runs attach run_1a2b --drop-hypothesis h2 --tell resume
  elenchus runs attach run_1a2b --max-rounds 8 --budget-passages 200
  elenchus runs attach run_1a2b --add-document finance/costs.md --add-page https://example.org/costs

What a run is told reaches whoever drives it: another process over the same store, or the workers of a Restate server. Limits, sources,
a new direction and dropped explanations come first, then the word of --tell.";

#[derive(Debug, Args)]
#[command(after_help = ATTACH_EXAMPLES)]
pub(crate) struct AttachArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Tell the run something first
    #[arg(long, value_name = "WORD", value_enum)]
    pub(crate) tell: Option<TellArg>,

    /// Have it look for this too, from its next search on
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) redirect: Option<String>,

    /// Leave out documents whose path holds this from now on; may be given several times
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) exclude: Vec<String>,

    /// Take an explanation out, which is searched for and tested no more; may be given several times
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) drop_hypothesis: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) sources: AddedArgs,

    #[command(flatten)]
    pub(crate) dialogue: DialogueArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl AttachArgs {
    /// What the run is told, in this order.
    pub(crate) fn controls(&self) -> Vec<Control> {
        let mut controls = Vec::new();
        let limits = self.limits.named();
        if !limits.is_empty() {
            controls.push(Control::SetBudget(limits));
        }
        controls.extend(self.sources.named().map(Control::AddSources));
        if self.redirect.is_some() || !self.exclude.is_empty() {
            let (focus, exclude) = (self.redirect.clone(), self.exclude.clone());
            controls.push(Control::Redirect { focus, exclude, only: Vec::new() });
        }
        for id in &self.drop_hypothesis {
            controls.push(Control::DropHypothesis {
                id: HypothesisId::from(id.as_str()),
                reason: String::new(),
            });
        }
        controls.extend(self.tell.map(|word| match word {
            TellArg::Interrupt => Control::Interrupt,
            TellArg::FinishNow => Control::FinishNow,
            TellArg::Pause => Control::Pause,
            TellArg::Resume => Control::Resume,
        }));
        controls
    }
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
