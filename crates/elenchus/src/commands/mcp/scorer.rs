//! Scoring of memos for clients of the protocol: the same code as `elenchus score`.

use crate::commands::serve::refused;
use crate::ui::terminal::unsayable;
use elenchus_core::bank::Caller;
use elenchus_core::graph::{ScoreSettings, Weights};
use elenchus_core::id::MemoId;
use elenchus_core::port::Memos;
use elenchus_engine::score_evidence;
use elenchus_server::mcp::ports::{Scorer, Scoring, Told};
use serde_json::Value;
use std::sync::Arc;

/// Scores the memos of a store.
pub(crate) struct Scores(pub(crate) Arc<dyn Memos>);

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
            let report =
                score_evidence(&*self.0, &caller.tenant, &scoring.namespace, &pivot, &settings)
                    .await
                    .map_err(|failure| refused(failure.into()))?;
            serde_json::to_value(&report.scored).map_err(|error| refused(unsayable(&error)))
        })
    }
}
