//! The tools that judge: claims, arguments, evidence.

use super::super::args::Args;
use super::super::ports::{Checking, Nature, Refusal, Scoring, SourceText, Told, Verification};
use super::Call;
use super::cut::{shortened, size};
use elenchus_core::belief::{Assessment, FIGURES, SourceEvidence};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::sync::watch;

/// The longest text that is checked, in characters.
const LONGEST_TEXT: usize = 200_000;
/// The longest source that is given along, in characters.
const LONGEST_SOURCE: usize = 1_000_000;
/// The most sources that are given along.
const MOST_SOURCES: usize = 50;
/// Quotes shown for and against a claim.
const QUOTES: usize = 3;
/// The most claims that a call checks: each is searched for and judged.
const MOST_CLAIMS: usize = 100;
/// The longest result, in characters of JSON: 8,000 tokens, as of a research run.
const LONGEST_RESULT: usize = 32_000;
/// What contradictions may take of it, and what advice.
const LONGEST_BESIDE: usize = 6_000;
/// How many quotes for and against a claim are left where room is short, and how long each may be.
const CUTS: [(usize, usize); 4] = [(QUOTES, 480), (QUOTES, 240), (1, 240), (1, 120)];

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
        let from = args.whole("offset", 0, LONGEST_TEXT as u64)?.unwrap_or(0);
        args.finish()?;
        if named && sources.is_empty() {
            let refusal = Refusal::new(
                "could not check the text",
                "`sources` is an empty list",
                "give sources, or leave `sources` out to check against the documents of the server",
            );
            return Err(refusal.being(Nature::Malformed));
        }
        let (far, news) = watch::channel((0, 0));
        let heard = move |done: usize, all: usize| {
            far.send_replace((done, all));
        };
        let checking = Checking {
            text: &text,
            sources: &sources,
            from: from as usize,
            most: MOST_CLAIMS,
            heard: &heard,
        };
        let work = self.parts.checker.verify(&self.caller, &checking);
        Ok(verified(&self.attended(work, news).await?))
    }

    /// Waits for a check: tells how far it is, and gives it up with whoever asked for it.
    async fn attended<T>(
        &self,
        mut work: Told<'_, T>,
        mut news: watch::Receiver<(usize, usize)>,
    ) -> Result<T, Refusal> {
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = self.given_up() => {
                    return Err(Refusal::new(
                        "could not check the text",
                        "the call was cancelled",
                        "call verify_claims again, with a shorter text",
                    ));
                }
                Ok(()) = news.changed() => {
                    let (done, all) = *news.borrow_and_update();
                    let message = format!("{done} of {all} claims are checked");
                    self.note(done as f64, all as f64, message).await;
                }
            }
        }
    }

    pub(super) async fn find_fallacies(&self, given: Option<JsonObject>) -> Result<Value, Refusal> {
        let mut args = Args::new("find_fallacies", given);
        let text = args.text("text", LONGEST_TEXT, "an English text")?;
        let sensitive = args.flag("sensitive")?.unwrap_or(false);
        args.finish()?;
        let findings = self.parts.checker.fallacies(&text, sensitive).await?;
        let (findings, gone) = first_of(values(&findings), LONGEST_RESULT);
        let mut out = json!({
            "findings": findings,
            "note": "warnings, not verdicts: each names words that may commit a fallacy and a question that would tell",
        });
        if gone > 0 {
            out["findings_left_out"] = json!(gone);
            out["message"] =
                json!("Not all warnings are shown: give the text in parts to see the others");
        }
        Ok(out)
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

/// What came of checking, claim by claim, within the length of a result.
fn verified(verification: &Verification) -> Value {
    let Verification { verifier, checked, not_taken, left_out, next } = verification;
    let assessed = &checked.assessed;
    let confidence = &assessed.confidence;
    let mut claims: Vec<Value> = assessed
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
    let clashes = checked.clashes.as_deref().unwrap_or_default();
    let (clashes, clashes_left_out) = first_of(values(clashes), LONGEST_BESIDE);
    let (advice, _) = first_of(values(&confidence.recommendations), LONGEST_BESIDE);
    let mut out = json!({
        "overall_confidence": is_given.then_some(confidence.overall_confidence),
        "level": is_given.then_some(confidence.level.word()),
        "assessment": confidence.assessment,
        "claims": [],
        "contradictions": clashes,
        "coverage": coverage,
        "figures": figures,
        "not_taken": not_taken,
        "recommendations": advice,
        "calibration": confidence.calibration,
        "verifier": verifier,
    });
    if let Err(reason) = &checked.clashes {
        out["contradictions_unchecked"] = json!(reason);
    }
    let room = LONGEST_RESULT.saturating_sub(size(&out));
    let are_cut = cut_quotes(&mut claims, room);
    let starts: Vec<usize> = assessed.claims.iter().map(|claim| claim.source_span.start).collect();
    let kept = boundary(&starts, fitting(&claims, room));
    let gone = claims.len().saturating_sub(kept) + left_out;
    let next = starts.get(kept).copied().or(*next);
    claims.truncate(kept);
    out["claims"] = json!(claims);
    let mut told = Vec::new();
    if gone > 0 {
        out["claims_left_out"] = json!(gone);
        out["next_offset"] = json!(next);
        told.push(format!(
            "{gone} claims are left out: call again with `offset` {} for them; the figures for all are of this call's claims",
            next.unwrap_or_default()
        ));
    }
    if clashes_left_out > 0 {
        told.push(format!("{clashes_left_out} contradictions are left out, the strongest stand"));
    }
    if are_cut {
        told.push("quotes are cut".to_owned());
    }
    if !told.is_empty() {
        out["message"] = json!(told.join("; "));
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

fn values<T: Serialize>(items: &[T]) -> Vec<Value> {
    items.iter().map(|item| json!(item)).collect()
}

/// How many of the first items are no longer than `room` characters together; one at least, where there is any.
fn fitting(items: &[Value], room: usize) -> usize {
    let mut used = 0;
    let fits = items.iter().take_while(|item| {
        used += size(item) + 1;
        used <= room
    });
    fits.count().max(1).min(items.len())
}

/// Those first items, and how many are left out.
fn first_of(mut items: Vec<Value>, room: usize) -> (Vec<Value>, usize) {
    let kept = fitting(&items, room);
    let gone = items.len() - kept;
    items.truncate(kept);
    (items, gone)
}

/// Cuts quotes and reasons, step by step, until the claims are no longer than `room`; tells whether it had to.
fn cut_quotes(claims: &mut [Value], room: usize) -> bool {
    let is_long = |claims: &[Value]| claims.iter().map(size).sum::<usize>() > room;
    let mut are_cut = false;
    for (quotes, longest) in CUTS {
        if !is_long(claims) {
            break;
        }
        are_cut = true;
        for claim in &mut *claims {
            for list in ["supporting", "contradicting"] {
                let Some(items) = claim[list].as_array_mut() else { continue };
                items.truncate(quotes);
                for item in items {
                    cut_text(&mut item["quote"], longest);
                }
            }
            for name in ["claim", "reasoning"] {
                cut_text(&mut claim[name], 2 * longest);
            }
        }
    }
    are_cut
}

fn cut_text(text: &mut Value, longest: usize) {
    if let Some(whole) = text.as_str() {
        *text = json!(shortened(whole, longest));
    }
}

/// The place nearest to `wanted` at which the next claim begins further on than the one before: those that begin at one place
/// stay together, because that is where another call goes on.
fn boundary(starts: &[usize], wanted: usize) -> usize {
    if wanted >= starts.len() {
        return starts.len();
    }
    let moves = |at: &usize| starts.get(at - 1) < starts.get(*at);
    let before = (1..=wanted).rev().find(moves);
    before.or_else(|| (wanted + 1..starts.len()).find(moves)).unwrap_or(starts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_that_begin_at_one_place_stay_together() {
        let starts = [0, 0, 0, 9, 9, 20];
        for (wanted, at) in [(1, 3), (2, 3), (3, 3), (4, 3), (5, 5), (6, 6), (90, 6)] {
            assert_eq!(boundary(&starts, wanted), at, "{wanted}");
        }
        assert_eq!(boundary(&[7, 7], 1), 2);
        assert_eq!(boundary(&[], 0), 0);
    }

    #[test]
    fn quotes_are_cut_before_claims_are_left_out() {
        let claim = |quote: usize| {
            json!({
                "claim": "The lock opens at six.", "reasoning": "it says so",
                "supporting": vec![json!({"source": "a", "quote": "x".repeat(quote)}); 3], "contradicting": [],
            })
        };
        let mut short = vec![claim(50); 3];
        assert!(!cut_quotes(&mut short, 2_000) && short == vec![claim(50); 3]);
        let mut long = vec![claim(900); 10];
        assert!(cut_quotes(&mut long, 4_000));
        assert!(long.iter().map(size).sum::<usize>() <= 4_000, "{long:?}");
        assert_eq!(long[0]["claim"], "The lock opens at six.");
        assert!(long[0]["supporting"][0]["quote"].as_str().unwrap().ends_with("[...]"));
        assert_eq!(fitting(&long, 4_000), 10);
        assert_eq!((fitting(&long, 10), fitting(&[], 10)), (1, 0));
    }
}
