//! A finished answer as memos and relations, so that the graph goes on growing.
//!
//! The answer is kept as `inference-output`, which never counts as evidence; the quotes that it stands on are kept as memos
//! of their own, each with the origin of its document, and those do.

use super::check::{CONTENT_BYTES, REASON_CHARS, TITLE_CHARS};
use super::lead::ANSWER;
use super::memo::key;
use super::respond::{is_contradicted, sure};
use super::{Memo, Relation};
use crate::answer::{Answer, Claim, Evidence, display_quote};
use crate::id::{MemoId, RunId, SourceId, Timestamp, short_hash};
use crate::prompt::FactRole;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The weight of what nobody checked.
const UNCHECKED: f64 = 0.5;

/// What is to be saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// The memos: the answer first.
    pub memos: Vec<Memo>,
    /// The relations between them.
    pub relations: Vec<Relation>,
}

/// The id of the memo that holds a quote: the same words of the same document are one memo, whichever run read them.
pub fn memo_of_quote(namespace: &str, source: &SourceId, quote: &str) -> MemoId {
    let bytes = format!("{namespace}\u{0}{source}\u{0}{quote}");
    MemoId(format!("memo_{}", short_hash(bytes.as_bytes(), 12)))
}

/// The id of the memo that holds the answer of a run.
pub fn answer_memo(namespace: &str, run: &RunId) -> MemoId {
    derived(namespace, &format!("answer {run}"))
}

fn derived(namespace: &str, what: &str) -> MemoId {
    let bytes = format!("{namespace}\u{0}{what}");
    MemoId(format!("memo_{}", short_hash(bytes.as_bytes(), 12)))
}

/// What an answer leaves in the graph of `namespace`, saved at `now`. Keeping the same answer twice gives the same ids.
///
/// Evidence `supports` the answer with the confidence of its statement; statements that disagree, contradicting
/// passages and what speaks against an explanation become `conflicts`; explanations become memos that `explains` leads
/// from; newer values `supersedes` older ones; with a pivot, the answer `answers` it.
pub fn keep(answer: &Answer, pivot: Option<&MemoId>, namespace: &str, now: Timestamp) -> Kept {
    let mut keeper =
        Keeper { answer, namespace, now, memos: BTreeMap::new(), relations: BTreeMap::new() };
    let id = answer_memo(namespace, &answer.run_id);
    keeper.claims(&id);
    keeper.superseded();
    keeper.conflicts();
    keeper.contradictions(&id);
    keeper.explanations(&id);
    let overall = answer.overall().map(|(figure, _)| figure);
    if let Some(pivot) = pivot {
        let weight = overall.unwrap_or(UNCHECKED);
        keeper.relate(&id, pivot, "answers", weight, &answer.question);
    }
    let mut answered = keeper.inference(id, &answer.question, said(answer), ANSWER);
    if let Some(overall) = overall {
        answered.metadata.insert("confidence".to_owned(), json!(overall));
    }
    if let Some(pivot) = pivot {
        answered.metadata.insert(key::PIVOT_MEMO_ID.to_owned(), json!(pivot));
    }
    let made_from: Vec<&MemoId> = keeper.memos.keys().collect();
    answered.metadata.insert(key::DERIVED_FROM.to_owned(), json!(made_from));
    let mut memos = vec![answered];
    memos.extend(keeper.memos.into_values());
    Kept { memos, relations: keeper.relations.into_values().collect() }
}

fn said(answer: &Answer) -> &str {
    [&answer.conclusion, &answer.text]
        .into_iter()
        .find(|text| !text.trim().is_empty())
        .unwrap_or(&answer.question)
}

struct Keeper<'a> {
    answer: &'a Answer,
    namespace: &'a str,
    now: Timestamp,
    memos: BTreeMap<MemoId, Memo>,
    relations: BTreeMap<(MemoId, MemoId, &'static str), Relation>,
}

impl Keeper<'_> {
    fn derived(&self, what: &str) -> MemoId {
        derived(self.namespace, what)
    }

    fn memo(&self, id: MemoId, title: &str, content: &str, metadata: Value, tags: &[&str]) -> Memo {
        let metadata = match metadata {
            Value::Object(fields) => fields.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        Memo {
            id,
            namespace: self.namespace.to_owned(),
            title: display_quote(title, &[]).chars().take(TITLE_CHARS).collect(),
            content: bounded(content),
            metadata,
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            created_at: self.now,
            updated_at: self.now,
        }
    }

    /// A memo of what was concluded and not read. The values are those of seed 002.
    fn inference(&self, id: MemoId, title: &str, content: &str, tag: &str) -> Memo {
        let metadata = json!({
            key::CATEGORY: key::INFERENCE_OUTPUT,
            key::PHASE: "2",
            key::SOURCE: "phase2-scoring",
            "run_id": self.answer.run_id,
        });
        self.memo(id, title, content, metadata, &[tag, "phase2"])
    }

    /// Keeps a quote of a document.
    fn quote(&mut self, source: &SourceId, path: &str, location: &str, quote: &str) -> MemoId {
        let id = memo_of_quote(self.namespace, source, quote);
        if !self.memos.contains_key(&id) && !quote.trim().is_empty() {
            let cited = self.answer.sources.iter().find(|citation| citation.source_id == *source);
            let metadata = json!({
                key::CATEGORY: "evidence",
                key::ORIGIN: cited.map_or(source, |citation| &citation.cluster),
                key::SOURCE: path,
                "run_id": self.answer.run_id,
            });
            let memo = self.memo(id.clone(), location, quote, metadata, &["evidence"]);
            self.memos.insert(id.clone(), memo);
        }
        id
    }

    fn evidence(&mut self, evidence: &Evidence) -> MemoId {
        self.quote(&evidence.source_id, &evidence.path, &evidence.location, &evidence.quote)
    }

    /// Relates two memos; said again, the heavier weight stays.
    fn relate(
        &mut self,
        source: &MemoId,
        target: &MemoId,
        tag: &'static str,
        weight: f64,
        reason: &str,
    ) {
        if source == target {
            return;
        }
        let weight = if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) };
        let relation = Relation {
            namespace: self.namespace.to_owned(),
            source: source.clone(),
            target: target.clone(),
            tag: tag.to_owned(),
            weight,
            reason: Some(display_quote(reason, &[]).chars().take(REASON_CHARS).collect())
                .filter(|reason: &String| !reason.is_empty()),
            created_at: self.now,
            times: 1,
        };
        let slot = self.relations.entry((source.clone(), target.clone(), tag)).or_insert(relation);
        slot.weight = slot.weight.max(weight);
    }

    /// The quotes of a claim, kept.
    fn quotes(&mut self, claim: &Claim) -> Vec<MemoId> {
        let answer = self.answer;
        let quotes = claim.evidence.iter().filter_map(|at| answer.evidence.get(*at));
        quotes.map(|evidence| self.evidence(evidence)).collect()
    }

    fn claim(&self, id: &crate::id::ClaimId) -> Option<&Claim> {
        self.answer.claims.iter().find(|claim| claim.id == *id)
    }

    fn claims(&mut self, id: &MemoId) {
        let answer = self.answer;
        for claim in &answer.claims {
            let quotes = self.quotes(claim);
            let tag = match claim.role {
                // The answer tells both sides and prefers none.
                FactRole::Conflict => "explains",
                _ if answer.superseded.iter().any(|older| older.claim == claim.id) => continue,
                _ if is_contradicted(answer, claim) => continue,
                _ => "supports",
            };
            for quote in quotes {
                self.relate(&quote, id, tag, sure(answer, claim).unwrap_or(UNCHECKED), &claim.text);
            }
        }
    }

    fn superseded(&mut self) {
        let answer = self.answer;
        for older in &answer.superseded {
            let Some(old) = answer.claims.iter().find(|claim| claim.id == older.claim) else {
                continue;
            };
            let by = older.by.as_ref().and_then(|by| answer.claims.iter().find(|c| c.id == *by));
            let Some(new) = by else { continue };
            let (old_quotes, new_quotes) = (self.quotes(old), self.quotes(new));
            if let (Some(old_quote), Some(new_quote)) = (old_quotes.first(), new_quotes.first()) {
                let weight = sure(answer, new).unwrap_or(UNCHECKED);
                self.relate(new_quote, old_quote, "supersedes", weight, &new.text);
            }
        }
    }

    /// What the answer itself says to disagree.
    fn conflicts(&mut self) {
        let answer = self.answer;
        for conflict in &answer.conflicts {
            let claims: Vec<Claim> =
                conflict.claims.iter().filter_map(|id| self.claim(id)).cloned().collect();
            for (place, a) in claims.iter().enumerate() {
                for b in &claims[place + 1..] {
                    if a.value.is_some() && a.value == b.value {
                        continue;
                    }
                    let weight = sure(answer, a)
                        .unwrap_or(UNCHECKED)
                        .min(sure(answer, b).unwrap_or(UNCHECKED));
                    let (from, to) = (self.quotes(a), self.quotes(b));
                    if let (Some(from), Some(to)) = (from.first(), to.first()) {
                        let reason = format!("{} / {}", a.text, b.text);
                        self.relate(from, to, "conflicts", weight, &reason);
                    }
                }
            }
        }
        for disagreement in &answer.disagreements {
            let sides: Vec<MemoId> = disagreement
                .sides
                .iter()
                .map(|side| self.quote(&side.source_id, &side.path, &side.location, &side.quote))
                .collect();
            if let Some((quoted, others)) = sides.split_first() {
                for other in others {
                    let strength = disagreement.strength;
                    self.relate(other, quoted, "conflicts", strength, &disagreement.summary);
                }
            }
        }
    }

    /// Passages that say otherwise than a statement of the answer.
    fn contradictions(&mut self, id: &MemoId) {
        let answer = self.answer;
        for checked in &answer.entailments {
            let disputed = self.claim(&checked.claim_id).is_none_or(|claim| {
                claim.role == FactRole::Conflict
                    || answer.superseded.iter().any(|older| older.claim == claim.id)
            });
            if disputed {
                continue;
            }
            for source in &checked.contradicting_sources {
                let quote = self.quote(
                    &source.source_id,
                    &source.source_url,
                    &source.location,
                    &source.relevant_text,
                );
                self.relate(&quote, id, "conflicts", source.refutes, &checked.reasoning);
            }
        }
    }

    /// Explanations that compete, with what speaks for and against each.
    fn explanations(&mut self, id: &MemoId) {
        let answer = self.answer;
        for hypothesis in &answer.hypotheses {
            if hypothesis.claim.trim().is_empty() {
                continue;
            }
            let own = self.derived(&format!("explanation {} {}", answer.run_id, hypothesis.id));
            let title = format!("Explanation {}: {}", hypothesis.id, hypothesis.status.name());
            let memo = self.inference(own.clone(), &title, &hypothesis.claim, "explanation");
            self.memos.insert(own.clone(), memo);
            self.relate(&own, id, "explains", hypothesis.confidence, &hypothesis.claim);
            let sides =
                [("supports", &hypothesis.supporting), ("conflicts", &hypothesis.contradicting)];
            for (tag, passages) in sides {
                for passage in passages {
                    let source = &passage.evidence;
                    let quote = self.quote(
                        &source.source_id,
                        &source.source_url,
                        &source.location,
                        &source.relevant_text,
                    );
                    // The strength that moves the confidence of a memo by as much.
                    let weight = (passage.log_odds.abs() / 2.0).tanh();
                    self.relate(&quote, &own, tag, weight, &hypothesis.claim);
                }
            }
        }
    }
}

/// A text of at most [`CONTENT_BYTES`] bytes.
fn bounded(text: &str) -> String {
    let mut end = text.len().min(CONTENT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}
