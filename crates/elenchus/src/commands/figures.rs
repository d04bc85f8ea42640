//! The figures of a verification or of a run, by claim.

use super::runs::Named;
use crate::cli::{RunArgs, StoreArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::store_place::StorePlace;
use elenchus_core::answer::{Answer, Claim};
use elenchus_core::belief::{ClaimConfidence, ConfidenceResult, EntailmentResult};
use elenchus_core::id::{ClaimId, RunId};
use elenchus_core::port::Store;
use elenchus_core::prompt::{Bearing, FactRole};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

/// What a verification and an answer have in common.
pub(super) struct Figures {
    /// Where they come from, for people.
    pub(super) from: String,
    pub(super) entailments: Vec<EntailmentResult>,
    pub(super) confidence: Option<ConfidenceResult>,
    /// How firmly each claim answers, for claims of a run that do.
    bearings: Vec<Option<Bearing>>,
    /// Claims of a run that only came nearest to an open question.
    nearest: Vec<ClaimId>,
    /// Claims of a run that give an older value.
    older: Vec<ClaimId>,
    /// The run, where they are one's.
    pub(super) kept: Option<Kept>,
}

/// A run whose figures are looked at.
pub(super) struct Kept {
    pub(super) store: Arc<dyn Store>,
    /// Where that is.
    pub(super) place: StorePlace,
    pub(super) run: RunId,
    pub(super) answer: Option<Answer>,
}

/// The shape of the file; claims of a verification have no bearing.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    entailments: Vec<EntailmentResult>,
    confidence: Option<ConfidenceResult>,
    #[serde(default)]
    claims: Vec<Bears>,
}

#[derive(Deserialize)]
struct Bears {
    #[serde(default)]
    bearing: Option<Bearing>,
}

impl Figures {
    /// Of a file, or of a run.
    pub(super) async fn find(
        file: Option<&Path>,
        run: Option<String>,
        store: StoreArgs,
        config: &Config,
    ) -> Result<Self> {
        if let Some(file) = file {
            return Self::read(file);
        }
        let named = Named::find(RunArgs { id: run.unwrap_or_default(), store }, config).await?;
        let (run, _) = named.replay().await?;
        let answer = run.view().answer().cloned();
        let bearing = |claim: &Claim| claim.bearing;
        Ok(Self {
            from: format!("run {}", named.id),
            entailments: answer.as_ref().map(|a| a.entailments.clone()).unwrap_or_default(),
            bearings: answer
                .as_ref()
                .map(|a| a.claims.iter().map(bearing).collect())
                .unwrap_or_default(),
            nearest: answer.as_ref().map(only_nearest).unwrap_or_default(),
            older: answer.as_ref().map(older).unwrap_or_default(),
            confidence: answer.as_ref().and_then(|a| a.confidence.clone()),
            kept: Some(Kept { store: named.store, place: named.path, run: named.id, answer }),
        })
    }

    fn read(file: &Path) -> Result<Self> {
        let attempted = || format!("could not read the figures in {}", file.display());
        let way_out = "name a file that `elenchus verify --json` or `elenchus ask --json` wrote";
        let text = std::fs::read_to_string(file)
            .map_err(|error| CliError::usage(attempted(), error.to_string(), way_out))?;
        let read: File = serde_json::from_str(&text).map_err(|error| {
            CliError::usage(attempted(), format!("it holds none: {error}"), way_out)
        })?;
        // A verification is no answer.
        let answer = serde_json::from_str::<Answer>(&text).ok();
        Ok(Self {
            from: file.display().to_string(),
            nearest: answer.as_ref().map(only_nearest).unwrap_or_default(),
            older: answer.as_ref().map(older).unwrap_or_default(),
            entailments: read.entailments,
            confidence: read.confidence,
            bearings: read.claims.into_iter().map(|claim| claim.bearing).collect(),
            kept: None,
        })
    }

    /// The place of a claim, and all claims.
    pub(super) fn claim(&self, wanted: &str, what: &str) -> Result<(usize, &[ClaimConfidence])> {
        let wanted = wanted.trim();
        let attempted = || format!("could not {what} {wanted} of {}", self.from);
        let Some(confidence) = &self.confidence else {
            return Err(CliError::usage(
                attempted(),
                "it holds no figures: nothing of it was verified",
                "ask again, or check it with `elenchus verify`",
            ));
        };
        let all = &confidence.claim_confidences;
        let Some(at) = all.iter().position(|claim| claim.claim_id.as_str() == wanted) else {
            let ids: Vec<&str> = all.iter().map(|claim| claim.claim_id.as_str()).take(12).collect();
            let more = if all.len() > 12 { ", ..." } else { "" };
            return Err(CliError::usage(
                attempted(),
                format!("it has no claim {wanted:?}"),
                format!("its claims are {}{more}", ids.join(", ")),
            ));
        };
        Ok((at, all))
    }

    /// Whether a claim only came nearest to an open question.
    pub(super) fn only_came_nearest(&self, claim: &ClaimConfidence) -> bool {
        self.nearest.contains(&claim.claim_id)
    }

    /// Whether a claim gives an older value.
    pub(super) fn is_older(&self, claim: &ClaimConfidence) -> bool {
        self.older.contains(&claim.claim_id)
    }

    /// How firmly a claim answers its question, where it answers one.
    pub(super) fn bearing(&self, at: usize) -> Option<Bearing> {
        self.bearings.get(at).copied().flatten()
    }
}

fn older(answer: &Answer) -> Vec<ClaimId> {
    let claims = answer.claims.iter().filter(|claim| claim.role == FactRole::Superseded);
    claims.map(|claim| claim.id.clone()).collect()
}

fn only_nearest(answer: &Answer) -> Vec<ClaimId> {
    let claims = answer.claims.iter().filter(|claim| answer.only_came_nearest(claim));
    claims.map(|claim| claim.id.clone()).collect()
}
