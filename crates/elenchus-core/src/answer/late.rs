//! What was asked for when the answer stood already and nothing more could be looked for.

use super::display::display_quote;
use super::types::{Answer, Unestablished};
use crate::inquiry::gap::{GapLedger, GapReason};
use std::fmt::Write;

/// Tells every gap that was given up after the answer was composed, behind the rest of the text.
pub(crate) fn tell(answer: &mut Answer, ledger: &GapLedger) {
    let mut told = String::new();
    for gap in ledger.abandoned() {
        if answer.could_not_establish.iter().any(|missing| missing.gap_id == gap.id) {
            continue;
        }
        let reason = gap.reason.unwrap_or(GapReason::Budget);
        writeln!(
            told,
            "- **{}** Given up because {}.",
            display_quote(&gap.description, &[]),
            display_quote(&reason.with(gap.cause.as_deref()), &[])
        )
        .expect("writing to a String cannot fail");
        let mut queries: Vec<String> =
            gap.previous_queries.iter().map(|tried| tried.query.clone()).collect();
        queries.dedup();
        answer.could_not_establish.push(Unestablished {
            gap_id: gap.id.clone(),
            description: gap.description.clone(),
            reason,
            cause: gap.cause.clone(),
            attempts: gap.attempt_count,
            queries,
            nearest: vec![],
        });
    }
    if !told.is_empty() {
        let ends = if answer.text.ends_with('\n') { "\n" } else { "\n\n" };
        write!(answer.text, "{ends}## What came too late to be looked for\n\n{told}")
            .expect("writing to a String cannot fail");
    }
}
