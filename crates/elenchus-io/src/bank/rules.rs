//! The rules of core that decide what may be recalled.

use elenchus_core::bank::{Draft, Standing, Strategy, standing_at_first};

/// A text without secrets, and the kinds of those that were taken out.
pub(super) fn scrub(text: &str) -> (String, Vec<String>) {
    let scrubbed = elenchus_core::bank::scrub(text);
    (scrubbed.text, scrubbed.kinds)
}

/// How a new strategy stands. `ancestors` are those that it was made from and the bank knows.
pub(super) fn standing(draft: &Draft, ancestors: &[Strategy]) -> Standing {
    let known: Vec<&Strategy> = ancestors.iter().collect();
    standing_at_first(draft, &known, draft.lineage.len().saturating_sub(known.len()))
}
