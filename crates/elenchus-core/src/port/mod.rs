//! Ports: what the run needs of the world. Each trait's contract is its documentation.

mod bank;
mod clock;
mod embedder;
mod memos;
mod model;
mod remark;
mod retriever;
mod store;
mod told;
mod verifier;
mod web;

pub use bank::{
    Bank, BankFailure, Edit, Exported, Failed, GivenUp, Held, LiftCounts, Listing, NamedStats,
    Queued, Recall, Recalled, Recorded, SessionCounts, SignalCounts, SignalGiven, SignalWeights,
    Signalled, Stats, TaskCounts, Troubled,
};
pub use clock::Clock;
pub use embedder::{EmbedFailure, Embedder};
pub use memos::{MemoFailure, MemoFilter, MemoHit, Memos, Reach};
pub use model::{Answered, Meter, Model, ModelFailure, ModelRole, Usage, Writing};
pub use remark::{
    Basis, JudgedFigure, LOCAL, LONGEST_NOTE, Matter, RIGHT, Remark, WRONG, calibration_of,
    exported, holding, judged, plain_note, speaker, word,
};
pub use retriever::{
    CorpusOverview, Hit, RetrieveFailure, Retriever, SearchFilter, SearchReply, SearchRequest,
    SkippedFile, TermCount,
};
pub use store::{
    CitedSource, Claim, DURABLE, JournalTip, KEYS_KEPT_MS, Lease, LeftControl, RunPage, RunQuery,
    RunSummary, Store, StoreFailure,
};
pub use told::{About, Dated, Figure, FiguresTold, Label, Stated, ToldChange};
pub use verifier::{
    Checked, Contradiction, EvidenceSpan, Judgement, Mismatch, MismatchKind, Pair, Said, Spot,
    Tier, Verified, Verifier, VerifyFailure, WordGrounding,
};

pub use web::{PageOutcome, PageReport, ProviderReport, WebReport};

use std::future::Future;
use std::pin::Pin;

/// What an object-safe asynchronous port method returns.
pub type PortFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
