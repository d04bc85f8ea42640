//! The evidence graph: memos, relations between them, and what speaks for or against a memo.
//!
//! `score` ranks the neighbourhood of a memo (what to read first), `confidence` says how sure the memo is; the two are
//! kept apart, because a conflict is relevant and lowers confidence.

pub mod call;
pub mod camel;
pub mod check;
mod confidence;
mod keep;
#[cfg(test)]
mod keep_tests;
mod lead;
mod learn;
mod memo;
mod noted;
mod paths;
mod polarity;
mod recurring;
mod respond;
mod score;
#[cfg(test)]
mod score_tests;
#[cfg(test)]
mod testing;
mod walk;
mod walls;

pub use confidence::{BOUND, FURTHER, PivotConfidence, SetAside, confidence, moved_by};
pub use keep::{Kept, answer_memo, keep, memo_of_quote};
pub use lead::{
    ANSWER, Freshness, GivenUp, Lead, RecalledMemo, RecalledSource, keep_run, project_namespace,
};
pub use learn::{JudgedMemo, LearnedWeights, learned};
pub use memo::{Direction, Memo, Relation, key};
pub use noted::{ACTOR, NOTE, SavedNote, leads, note_id, note_memo};
pub use paths::{Path, Paths, Search, Step};
pub use polarity::{Polarity, reading};
pub use recurring::{Recurring, recurring};
pub use respond::{ConflictItem, EvidenceItem, Response, respond};
pub use score::{
    BestEdge, Link, ScoreNotes, ScoreReport, ScoreSettings, ScoreThresholds, Scored, ScoredMemo,
    Weights, clamp_01, score,
};
pub use walk::{Walk, walk};
pub use walls::Walls;
