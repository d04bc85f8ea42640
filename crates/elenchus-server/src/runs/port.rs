//! What the register of runs needs of the program that it is part of.

use super::{Ask, Service, Setting};
use crate::mcp::ports::{Refusal, Told};
use elenchus_core::belief::Calibration;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Budget, Control, Effort, NewLimits, Tested};
use elenchus_core::port::{PortFuture, RunSummary};
use elenchus_core::scrutiny::challenge::Contest;
use elenchus_engine::{Finished, RunHandle};

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Task {
    /// A question is to be researched.
    Ask(Box<Ask>),
    /// A run that stopped goes on.
    Resume {
        /// The limits under which it does, where they are others than it had.
        limits: Option<NewLimits>,
    },
    /// A run that is over was challenged: another one looks into it.
    Challenge {
        /// The run that was challenged.
        of: RunSummary,
        /// The step and the doubt.
        contest: Box<Contest>,
    },
    /// An explanation of a run is to be held against the evidence by another one.
    Test {
        /// The run that had it.
        of: RunSummary,
        /// What it says.
        claim: String,
        /// Which it is, for the new run to tell.
        tested: Tested,
    },
    /// Another run begins with what a run was told up to an event of its trace, and goes on from there.
    Fork {
        /// The run.
        of: RunSummary,
        /// The number of the event, from 1.
        at: u64,
        /// What the new run is to look for too.
        focus: Option<String>,
        /// The limits under which it goes on, where they are others than the run had.
        limits: Option<NewLimits>,
    },
}

/// A run to be begun.
#[derive(Clone, Debug)]
pub struct Work {
    /// Its id, derived from `question`, `at` and `seed`; what the engine starts must have it.
    pub run: RunId,
    /// What is asked, free of secrets.
    pub question: String,
    /// When it starts: the first instant that the engine's clock tells.
    pub at: Timestamp,
    /// Tells apart runs of one question at one time.
    pub seed: u64,
    /// What is to be done.
    pub task: Task,
}

/// What is done once a run is over.
pub type Learn = Box<dyn FnOnce(Finished) -> PortFuture<'static, ()> + Send>;

/// A run that has begun.
pub struct Begun {
    /// To follow and to steer it.
    pub handle: RunHandle,
    /// What is learned of it in the end.
    pub learn: Learn,
}

/// A run that was handed over: ready once it has begun elsewhere, to be followed from here.
pub type Coming = PortFuture<'static, Result<Begun, Refusal>>;

/// Why what drives runs elsewhere did not take something over. Nothing is left of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unheard {
    /// It cannot be done as it was asked.
    Refused(Refusal),
    /// Nobody is there to take it at the moment.
    Away(Refusal),
}

/// What a port method gives that speaks to what drives runs elsewhere.
pub type Heard<'a, T> = PortFuture<'a, Result<T, Unheard>>;

/// Makes the ground of runs: documents, the web, models.
pub trait Grounds: Send + Sync {
    /// Refuses at once what cannot work.
    ///
    /// # Errors
    /// When a folder is not allowed or not there, a model is unknown, and the like.
    fn check(&self, task: &Task) -> Result<(), Refusal>;

    /// Prepares what a run needs and starts it. May take long: documents are read.
    fn begin<'a>(&'a self, work: &'a Work) -> Told<'a, Begun>;

    /// Hands a run over, where runs are driven elsewhere: it is durable there when something comes back. Nothing comes back when
    /// this process is to begin it. A run that is to go on is handed over when it is there already.
    ///
    /// # Errors
    /// When the run cannot be made as it was asked, or nobody takes it.
    fn hand_over<'a>(&'a self, _work: &'a Work) -> Heard<'a, Option<Coming>> {
        Box::pin(async { Ok(None) })
    }

    /// Whether a run was handed over and has not ended. The store need not know it yet.
    ///
    /// # Errors
    /// When runs are handed over and it cannot be asked who has this one.
    fn is_elsewhere<'a>(&'a self, _run: &'a RunId) -> Heard<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    /// Gives a control to a run that is driven elsewhere, where that can be reached from here. `false` when it cannot; durable
    /// when it is `true`.
    ///
    /// # Errors
    /// When the control cannot be given to whoever has the run.
    fn steer<'a>(&'a self, _run: &'a RunId, _control: &'a Control) -> Heard<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    /// Removes what is kept of a run beside the store.
    fn forget(&self, run: &RunId);

    /// Folders of documents that may be asked, the usual one first.
    fn corpora(&self) -> Vec<String>;

    /// The model that thinks, by name.
    fn model(&self) -> String;

    /// What a run of an effort may spend where whoever asks says nothing of it.
    fn limits(&self, effort: Effort) -> Budget {
        Budget::of(effort)
    }

    /// What so many tokens, sent and received, cost of the model that thinks, in millionths of a US dollar; `None` where its price
    /// is not known. Of several models the dearest counts.
    fn cost(&self, _input_tokens: u64, _output_tokens: u64) -> Option<u64> {
        None
    }

    /// Every setting, without what is secret, for people to see.
    fn set_up(&self) -> Vec<Setting> {
        Vec::new()
    }

    /// The services that search the web, for people to see.
    fn services(&self) -> Vec<Service> {
        Vec::new()
    }

    /// Whether the web is used where whoever asks says nothing of it.
    fn uses_web(&self) -> bool {
        false
    }

    /// What figures of new runs are made with, before anybody's judgements correct it; `None` where that is not known.
    fn calibration(&self) -> Option<Calibration> {
        None
    }
}
