//! The trace: what a person sees of a run. A pure function of the journal.

mod earlier;
mod event;
mod projection;
pub mod spans;
mod view;

pub use event::{
    Action, Conclusion, Credit, Envelope, Explanation, GapAnalysis, GapState, GapUpdate,
    Observation, RecalledMemory, SCHEMA, SourceAdded, Thought, ThoughtContext, TraceEvent,
};
pub use projection::{
    ContradictionShown, ControlShown, GapRound, GapShown, GapStanding, HypothesisMove,
    HypothesisShown, LensShown, Moment, Projection, QuestionShown, RevisionShown, RoundShown,
    RunStatus, Scoring, SourceShown, Step, StepKind, WebSearch, said,
};
pub use view::{Progress, RunView};
