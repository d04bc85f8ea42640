//! The run: phases, rounds, budgets, stopping rules and controls.

mod angles;
mod board;
mod budget;
mod cause;
mod clarity;
mod control;
mod critic;
mod derivations;
mod effect;
mod egress;
mod field;
mod forecast;
mod fork;
mod forms;
pub mod gap;
mod limits;
mod memory;
mod named;
pub mod query;
mod recall;
mod run;
mod state;
mod step;

pub use budget::{
    Budget, Effort, Elsewhere, Options, Reflecting, Reopened, Spent, StopReason, Tested,
};
pub use clarity::Asking;
pub use control::{ClarifyingAnswer, Control};
pub use derivations::Derivations;
pub use effect::{Effect, FailureKind, Input, Opened, Outcome, Step, Unsettled};
pub use egress::{
    EgressMode, Outward, ProviderUse, RuleOfTwo, Sources, WebOptions, WebUse, WithheldQuery,
};
pub use forecast::{Forecast, REPLY_MS};
pub use fork::{Cut, ForkFailure, Forked, NoMore};
pub use limits::{Limit, LimitChanged, LimitsRefused, NewLimits};
pub use memory::{GatheredInfo, HeldHypothesis, SubGoal, SubGoalStatus, WorkingMemory};
pub use named::{NewSources, SourcesRefused};
pub use recall::Recollection;
pub use run::{NotARun, Run};
pub use state::Phase;
pub(crate) use state::State;
pub(crate) use step::count;
pub use step::edit_plan::PlanRefused;
pub(crate) use step::edit_plan::refusal as plan_refusal;
pub use step::plan::MAX_QUESTIONS;
pub(crate) use step::plan::one_more as planned_besides;

/// How the view sees a run.
pub(crate) type RunStateRef<'a> = &'a State;
