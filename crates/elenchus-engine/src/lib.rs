//! Elenchus drives here: effects are performed, outcomes journaled, trace events dispatched once they are durable.
//!
//! A run under way is a [`RunHandle`]: its events, its controls, its end. The driver writes an intent before
//! an effect and the outcome after it, under a lease that only one process can hold, so that a run can be
//! stopped anywhere, by anything, and [`Engine::resume`] goes on where the journal ends.

#![warn(missing_docs)]

mod check;
mod crash;
mod distil;
mod driver;
mod engine;
mod error;
mod evidence;
mod follow;
mod follower;
mod fork;
mod handle;
mod holder;
mod left;
mod log;
mod memory;
mod memos;
mod past;
mod perform;
mod ports;
mod remarks;
#[cfg(feature = "restate")]
pub mod restate;
mod writer;

pub use check::{
    Between, CheckLimits, CheckedText, Cited, Clash, HowFar, Party, check, check_heard,
};
#[cfg(feature = "crash-points")]
pub use crash::CrashPlan;
pub use crash::FailPoint;
pub use distil::{DistilledSession, Distiller};
pub use engine::{Engine, MAX_QUESTION_CHARS};
pub use error::EngineError;
pub use evidence::{KeptCount, known, save_kept, score_evidence};
pub use follow::follow;
pub use handle::{Away, Controller, Finished, InFlight, Live, RunHandle};
pub use holder::{name as holder_name, space_name};
pub use left::leave_control;
pub use log::Events;
pub use memory::Remembering;
pub use memos::keep_note;
pub use past::answer_of;
pub use ports::{Deadlines, Judge, Ports, Settings};
pub use remarks::{keep_remark, unled};
