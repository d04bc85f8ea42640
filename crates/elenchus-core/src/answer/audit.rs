//! The linter of a finished answer: invariants that no surface may break.

mod lines;
#[cfg(test)]
mod tests;

use super::display::display_quote;
use super::types::{Answer, Verdict};
use crate::evidence::{Quote, ReadPassage, Span, char_slice};
use crate::id::PassageId;
use crate::inquiry::Derivations;
use crate::inquiry::gap::GapLedger;
use crate::prompt::PlannedQuestion;
use crate::scrutiny::warning::Place;
use crate::synthesis::perspectives::Perspectives;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The answer must not be relied on.
    Error,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AuditNoteKind {
    /// A claim has no evidence.
    ClaimWithoutEvidence,
    /// A quote is not what its passage says at its span.
    QuoteNotInPassage,
    /// A claim says something else than the quote it stands on.
    ClaimDiffersFromQuote,
    /// A claim's span is not where the claim stands in the text.
    SpanMismatch,
    /// An abandoned gap is not in "What could not be established".
    AbandonedGapNotDisclosed,
    /// A cited document was not read in this run.
    CitationToUnreadSource,
    /// A citation number in the text has no entry or is another than its claim's, or an entry has no use.
    CitationNumber,
    /// A line of the text says what neither a claim nor any other part of the answer does.
    StatementWithoutClaim,
    /// The value before a quote does not stand in it.
    ValueNotInQuote,
    /// A conflict was found and is not shown.
    ConflictNotMentioned,
    /// A claim was not checked.
    Unchecked,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditNote {
    /// How bad.
    pub severity: Severity,
    /// What.
    pub kind: AuditNoteKind,
    /// Where: a claim, gap or citation.
    pub at: String,
    /// In words.
    pub text: String,
}

/// What an answer is linted against: what its run read, missed and planned.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    /// Every passage that was read.
    pub passages: &'a BTreeMap<PassageId, ReadPassage>,
    /// What was missing, and what became of it.
    pub ledger: &'a GapLedger,
    /// The questions of the plan.
    pub questions: &'a [PlannedQuestion],
    /// The rules that the run goes by: the text is read line by line since [`Derivations::FIFTH`].
    pub rules: Derivations,
}

/// Lints an answer against what its run knows. An empty list is a clean answer.
pub fn audit(answer: &Answer, grounds: &Grounds<'_>) -> Vec<AuditNote> {
    let Grounds { passages, ledger, .. } = *grounds;
    let mut notes =
        if grounds.rules >= Derivations::FIFTH { lines::read(answer, grounds) } else { Vec::new() };
    let mut error = |kind, at: &str, text: String| {
        notes.push(AuditNote { severity: Severity::Error, kind, at: at.to_owned(), text });
    };
    for claim in &answer.claims {
        let at = claim.id.as_str();
        if char_slice(&answer.text, claim.source_span) != Some(claim.text.as_str()) {
            error(
                AuditNoteKind::SpanMismatch,
                at,
                "the text at the claim's span is not the claim".to_owned(),
            );
        }
        let evidence: Vec<_> =
            claim.evidence.iter().filter_map(|n| answer.evidence.get(*n)).collect();
        if evidence.is_empty() {
            error(AuditNoteKind::ClaimWithoutEvidence, at, "it cites no evidence".to_owned());
        }
        if claim.verdict == Verdict::Quoted
            && !evidence.iter().any(|e| display_quote(&e.quote, &e.table_header) == claim.text)
        {
            error(
                AuditNoteKind::ClaimDiffersFromQuote,
                at,
                "no quote reads as the claim does".to_owned(),
            );
        }
    }
    for evidence in &answer.evidence {
        let at = evidence.passage_id.as_str();
        let quote = Quote {
            passage_id: evidence.passage_id.clone(),
            span: evidence.span,
            text: evidence.quote.clone(),
        };
        match passages.get(&evidence.passage_id) {
            None => error(
                AuditNoteKind::CitationToUnreadSource,
                at,
                format!("{} was cited and not read", evidence.path),
            ),
            Some(read) if !quote.holds_in(&read.passage) => error(
                AuditNoteKind::QuoteNotInPassage,
                at,
                format!("{} does not say {:?} there", evidence.path, evidence.quote),
            ),
            Some(_) => {}
        }
        if !answer
            .sources
            .iter()
            .any(|s| s.number == evidence.citation && s.source_id == evidence.source_id)
        {
            error(
                AuditNoteKind::CitationNumber,
                at,
                format!("[{}] has no entry", evidence.citation),
            );
        }
    }
    for one in answer.hypotheses.iter().flat_map(|h| h.supporting.iter().chain(&h.contradicting)) {
        let at = one.passage_id.as_str();
        let stands = passages.get(&one.passage_id).is_some_and(|read| {
            let start = read.passage.span.start;
            one.evidence.span.start >= start
                && char_slice(
                    &read.passage.text,
                    Span {
                        start: one.evidence.span.start - start,
                        end: one.evidence.span.end.saturating_sub(start),
                    },
                ) == Some(one.evidence.relevant_text.as_str())
        });
        if !stands {
            error(
                AuditNoteKind::QuoteNotInPassage,
                at,
                format!(
                    "{} does not say {:?} there",
                    one.evidence.location, one.evidence.relevant_text
                ),
            );
        }
    }
    for (_, point) in answer.perspectives.iter().flat_map(Perspectives::points) {
        let at = point.id.as_str();
        if point.quotes.is_empty() {
            error(AuditNoteKind::ClaimWithoutEvidence, at, "it rests on no quote".to_owned());
        }
        for one in &point.quotes {
            let quote = Quote {
                passage_id: one.passage_id.clone(),
                span: one.span,
                text: one.quote.clone(),
            };
            match passages.get(&one.passage_id) {
                None => error(
                    AuditNoteKind::CitationToUnreadSource,
                    at,
                    format!("{} is quoted and was not read", one.path),
                ),
                Some(read) if !quote.holds_in(&read.passage) => error(
                    AuditNoteKind::QuoteNotInPassage,
                    at,
                    format!("{} does not say {:?} there", one.path, one.quote),
                ),
                Some(_) => {}
            }
        }
    }
    for side in answer.tensions.iter().flat_map(|note| &note.sides) {
        let stands = passages.get(&side.passage_id).is_some_and(|read| {
            char_slice(&read.passage.text, side.span) == Some(side.quote.as_str())
        });
        if !stands {
            error(
                AuditNoteKind::QuoteNotInPassage,
                side.passage_id.as_str(),
                format!("{} does not say {:?} there", side.location, side.quote),
            );
        }
    }
    for support in answer.insights.iter().flat_map(|insight| &insight.supporting) {
        let quote = Quote {
            passage_id: support.passage_id.clone(),
            span: support.span,
            text: support.quote.clone(),
        };
        if !passages.get(&support.passage_id).is_some_and(|read| quote.holds_in(&read.passage)) {
            error(
                AuditNoteKind::QuoteNotInPassage,
                support.passage_id.as_str(),
                format!("{} does not say {:?} there", support.location, support.quote),
            );
        }
    }
    for warning in &answer.fallacy_warnings {
        let Place::Quote { evidence, passage_id, passage_span, .. } = &warning.place else {
            continue;
        };
        let stands = answer.evidence.get(*evidence).is_some_and(|one| {
            char_slice(&one.quote, warning.span) == Some(warning.words.as_str())
        }) && passages.get(passage_id).is_some_and(|read| {
            char_slice(&read.passage.text, *passage_span) == Some(warning.words.as_str())
        });
        if !stands {
            error(
                AuditNoteKind::QuoteNotInPassage,
                passage_id.as_str(),
                format!("{} is about words that do not stand there", warning.id),
            );
        }
    }
    for source in &answer.sources {
        if !answer.evidence.iter().any(|evidence| evidence.citation == source.number) {
            error(
                AuditNoteKind::CitationNumber,
                &source.path,
                format!("[{}] is never used", source.number),
            );
        }
    }
    for gap in ledger.abandoned() {
        if !answer.could_not_establish.iter().any(|missing| missing.gap_id == gap.id) {
            error(
                AuditNoteKind::AbandonedGapNotDisclosed,
                gap.id.as_str(),
                format!("\"{}\" was given up and the answer does not say so", gap.description),
            );
        }
    }
    for claim in &answer.claims {
        if claim.role == crate::prompt::FactRole::Conflict
            && !answer.conflicts.iter().any(|conflict| conflict.claims.contains(&claim.id))
        {
            error(
                AuditNoteKind::ConflictNotMentioned,
                claim.id.as_str(),
                "its conflict is not listed".to_owned(),
            );
        }
    }
    for claim in &answer.claims {
        if let Verdict::Unchecked { reason } = &claim.verdict {
            notes.push(AuditNote {
                severity: Severity::Note,
                kind: AuditNoteKind::Unchecked,
                at: claim.id.0.clone(),
                text: reason.clone(),
            });
        }
    }
    notes
}
