//! Why a run did not start, or stopped before its end.

use elenchus_core::id::RunId;
use elenchus_core::inquiry::{ForkFailure, NotARun};
use elenchus_core::port::StoreFailure;

/// What was attempted, why it failed, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// Nothing was asked.
    #[error("could not start a run: the question is empty; ask something in words")]
    EmptyQuestion,
    /// Too much was asked.
    #[error(
        "could not start a run: the question has {chars} characters and {limit} are the most; put background into a document of the corpus"
    )]
    QuestionTooLong {
        /// How long it is.
        chars: usize,
        /// How long it may be.
        limit: usize,
    },
    /// The store refused before the run was under way. Nothing was changed.
    #[error(transparent)]
    Store(#[from] StoreFailure),
    /// The store failed while the run was under way.
    #[error(
        "stopped run {run_id} before record {seq}: {cause}; nothing written before is lost: `elenchus runs resume {run_id}` goes on"
    )]
    Storage {
        /// The run.
        run_id: RunId,
        /// The record that could not be written.
        seq: u64,
        /// What the store says.
        cause: StoreFailure,
    },
    /// Another process has taken over.
    #[error(
        "stopped driving run {0}: another process has taken it over, and nothing more is written here; follow it with `elenchus runs trace {0}`"
    )]
    LeaseLost(RunId),
    /// The journal cannot be replayed.
    #[error("could not go on with run {run_id}: {cause}")]
    NotARun {
        /// The run.
        run_id: RunId,
        /// Why.
        cause: NotARun,
    },
    /// This version derives another trace from the journal than the one that is kept.
    #[error(
        "could not go on with run {run_id}: from event {seq} on its trace is not what this version of elenchus derives from its journal; finish it with the version that started it, or ask again"
    )]
    TraceDiffers {
        /// The run.
        run_id: RunId,
        /// The first event that differs.
        seq: u64,
    },
    /// A run cannot be forked there.
    #[error("could not fork run {run_id} at event {event_id}: {cause}")]
    Unforkable {
        /// The run.
        run_id: RunId,
        /// The event that was named.
        event_id: u64,
        /// Why.
        cause: ForkFailure,
    },
    /// A run that was forked lacks a part of what it was to take over.
    #[error(
        "could not go on with run {run_id}: the process that forked it from run {parent} ended before all was taken over; remove it with `elenchus runs delete {run_id}` and fork again"
    )]
    HalfForked {
        /// The run.
        run_id: RunId,
        /// The run that it was forked from.
        parent: RunId,
    },
    /// It was asked to stop driving.
    #[error("suspended run {0}: `elenchus runs resume {0}` goes on")]
    Suspended(RunId),
    /// It was asked to stop following a run that is driven elsewhere.
    #[error("left run {0}, which goes on by itself: `elenchus runs attach {0}` follows it again")]
    Detached(RunId),
    /// A run that was followed here is driven by nobody any more.
    #[error(
        "stopped following run {0}: nobody drives it any more; `elenchus runs resume {0}` goes on with it"
    )]
    Undriven(RunId),
    /// What drives the run elsewhere was not told of a control.
    #[error("could not control run {run_id}: {cause}")]
    Unheard {
        /// The run.
        run_id: RunId,
        /// Why, and the way out.
        cause: String,
    },
    /// A run on a Restate server.
    #[cfg(feature = "restate")]
    #[error(transparent)]
    Remote(#[from] crate::restate::RemoteError),
    /// A control came after the end.
    #[error("could not control run {0}: it is not being driven any more")]
    Over(RunId),
    /// The driver itself fell over.
    #[error(
        "stopped run {run_id}: the driver failed ({cause}), which is a defect of elenchus, report it; `elenchus runs resume {run_id}` goes on"
    )]
    Driver {
        /// The run.
        run_id: RunId,
        /// What it said.
        cause: String,
    },
    /// A crash test ended the driver here.
    #[cfg(feature = "crash-points")]
    #[error("crashed run {run_id} at {site}, as the crash test asked")]
    Crashed {
        /// The run.
        run_id: RunId,
        /// Where.
        site: &'static str,
    },
}
