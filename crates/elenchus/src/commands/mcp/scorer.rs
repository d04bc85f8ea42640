//! Scoring of memos for clients of the protocol: the same code as `elenchus score`.

use crate::commands::serve::refused;
use crate::error::CliError;
use crate::ui::terminal::unsayable;
use elenchus_core::bank::Caller;
use elenchus_core::graph::{ScoreSettings, Weights};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, Memos};
use elenchus_engine::score_evidence;
use elenchus_server::mcp::ports::{Refusal, Scorer, Scoring, Told};
use elenchus_server::memory::Walled;
use serde_json::Value;
use std::sync::Arc;

/// What to do about a pivot that is not there. Not every server offers tools that name memos.
const KNOWN: &str = "give as `pivot` the id of a memo, and as `namespace` the one that it was saved in; on the command line, \
                     `elenchus memo list` shows both";

/// Why nothing was scored. The library speaks to people at a command line.
fn failed(failure: MemoFailure) -> Refusal {
    let is_unknown = matches!(failure, MemoFailure::Unknown(_));
    let error = CliError::from(failure);
    refused(if is_unknown { error.with_hint(KNOWN) } else { error })
}

/// Scores the memos of a store.
pub(crate) struct Scores {
    pub(crate) memos: Arc<dyn Memos>,
    /// The server's own caller, where others are let in.
    pub(crate) home: Option<Caller>,
}

impl Scorer for Scores {
    fn score<'a>(&'a self, caller: &'a Caller, scoring: &'a Scoring) -> Told<'a, Value> {
        Box::pin(async move {
            let settings = ScoreSettings {
                k: scoring.k,
                depth: scoring.depth,
                limit: scoring.limit,
                weights: Weights {
                    similarity: scoring.similarity_weight,
                    relation: scoring.relation_weight,
                },
                min_combined: scoring.min_combined,
                ..ScoreSettings::default()
            };
            let pivot = MemoId(scoring.pivot.clone());
            let memos = Walled::of(&*self.memos, caller, self.home.as_ref());
            let report =
                score_evidence(&memos, &caller.tenant, &scoring.namespace, &pivot, &settings)
                    .await
                    .map_err(failed)?;
            serde_json::to_value(&report.scored).map_err(|error| refused(unsayable(&error)))
        })
    }
}
