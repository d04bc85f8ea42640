//! The trace: what a person sees of a run. A pure function of the journal.

mod event;
mod view;

pub use event::{
    Action, Conclusion, Credit, Envelope, Explanation, GapAnalysis, GapState, Observation,
    RecalledMemory, SCHEMA, SourceAdded, Thought, TraceEvent,
};
pub use view::{Progress, RunView};
