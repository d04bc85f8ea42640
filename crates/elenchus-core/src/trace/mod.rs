//! The trace: what a person sees of a run. A pure function of the journal.

mod event;
mod view;

pub use event::{
    Action, Conclusion, Envelope, Explanation, GapAnalysis, GapState, Observation, SCHEMA,
    SourceAdded, Thought, TraceEvent,
};
pub use view::{Progress, RunView};
