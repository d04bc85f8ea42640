//! The tools that judge: claims, arguments, evidence.

use super::super::args::Args;
use super::super::ports::{Refusal, Scoring, SourceText, Verification};
use super::Call;
use elenchus_core::belief::{Assessment, FIGURES, SourceEvidence};
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The longest text that is checked, in characters.
const LONGEST_TEXT: usize = 200_000;
/// The longest source that is given along, in characters.
const LONGEST_SOURCE: usize = 1_000_000;
/// The most sources that are given along.
const MOST_SOURCES: usize = 50;
/// Quotes shown for and against a claim.
const QUOTES: usize = 3;

impl Call<'_> {
    pub(super) async fn verify_claims(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("verify_claims", given);
        let text = args.text("text", LONGEST_TEXT, "the text whose statements are checked")?;
        let mut sources = Vec::new();
        let named = args.has("sources");
        for (at, mut source) in args.objects("sources", MOST_SOURCES)?.into_iter().enumerate() {
            let title = source.maybe_text("title", 200)?;
            sources.push(SourceText {
                title: title.unwrap_or_else(|| format!("source {}", at + 1)),
                text: source.text("text", LONGEST_SOURCE, "what the source says")?,
            });
            source.finish()?;
        }
        args.finish()?;
        if named && sources.is_empty() {
            return Err(Refusal {
                attempted: "could not check the text".to_owned(),
                cause: "`sources` is an empty list".to_owned(),
                way_out: "give sources, or leave `sources` out to check against the documents of the server"
                    .to_owned(),
            });
        }
        Ok(verified(&self.parts.checker.verify(&self.caller, &text, &sources).await?))
    }

    pub(super) async fn find_fallacies(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("find_fallacies", given);
        let text = args.text("text", LONGEST_TEXT, "an English text")?;
        let sensitive = args.flag("sensitive")?.unwrap_or(false);
        args.finish()?;
        let findings = self.parts.checker.fallacies(&text, sensitive).await?;
        Ok(json!({
            "findings": findings,
            "note": "warnings, not verdicts: each names words that may commit a fallacy and a question that would tell",
        }))
    }

    pub(super) async fn score_evidence(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("score_evidence", given);
        let pivot = args.text("pivot", 200, "the id of a memo")?;
        let namespace = args.maybe_text("namespace", 200)?;
        let count = |value: Option<u64>, default: usize| {
            value.and_then(|value| usize::try_from(value).ok()).unwrap_or(default)
        };
        let k = count(args.whole("k", 1, 100)?, 6);
        let depth = args.whole("depth", 1, 10)?.and_then(|depth| u32::try_from(depth).ok());
        let limit = count(args.whole("limit", 1, 1_000)?, 80);
        let similarity_weight = args.number("similarity_weight", 0.0, 1e6)?.unwrap_or(0.6);
        let relation_weight = args.number("relation_weight", 0.0, 1e6)?.unwrap_or(0.4);
        let min_combined = args.number("min_combined", 0.0, 1.0)?.unwrap_or(0.0);
        args.finish()?;
        let scoring = Scoring {
            pivot,
            namespace: namespace.unwrap_or_else(|| self.parts.namespace.clone()),
            k,
            depth: depth.unwrap_or(2),
            limit,
            similarity_weight,
            relation_weight,
            min_combined,
        };
        self.parts.scorer.score(&self.caller, &scoring).await
    }
}

/// What came of checking, claim by claim.
fn verified(verification: &Verification) -> Value {
    let Verification { verifier, checked } = verification;
    let assessed = &checked.assessed;
    let confidence = &assessed.confidence;
    let claims: Vec<Value> = assessed
        .claims
        .iter()
        .zip(&assessed.entailments)
        .zip(&confidence.claim_confidences)
        .map(|((claim, entailment), figures)| {
            json!({
                "claim_id": claim.id,
                "claim": claim.text,
                "verdict": entailment.word(),
                "supports": entailment.supports,
                "refutes": entailment.refutes,
                "confidence": figures.confidence,
                "interval": figures.interval,
                "reasoning": entailment.reasoning,
                "supporting": quotes(&entailment.supporting_sources),
                "contradicting": quotes(&entailment.contradicting_sources),
            })
        })
        .collect();
    let mut coverage = json!(confidence.coverage);
    let disputed = assessed.entailments.iter().filter(|found| found.is_disputed()).count();
    coverage["supported"] = json!(confidence.coverage.supported.saturating_sub(disputed));
    coverage["disputed"] = json!(disputed);
    let figures: BTreeMap<&str, &str> = FIGURES.into_iter().collect();
    // Where nothing could be assessed there is no figure, and none is given.
    let is_given = confidence.assessment != Assessment::NotAssessable;
    let mut out = json!({
        "overall_confidence": is_given.then_some(confidence.overall_confidence),
        "level": is_given.then_some(confidence.level.word()),
        "assessment": confidence.assessment,
        "claims": claims,
        "contradictions": checked.clashes.as_deref().unwrap_or_default(),
        "coverage": coverage,
        "figures": figures,
        "recommendations": confidence.recommendations,
        "calibration": confidence.calibration,
        "verifier": verifier,
    });
    if let Err(reason) = &checked.clashes {
        out["contradictions_unchecked"] = json!(reason);
    }
    out
}

fn quotes(evidence: &[SourceEvidence]) -> Vec<Value> {
    evidence
        .iter()
        .take(QUOTES)
        .map(|item| json!({ "source": item.location, "quote": item.relevant_text }))
        .collect()
}
