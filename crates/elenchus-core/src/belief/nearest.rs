//! What the passage nearest to a claim says, where no passage is enough for a verdict.
//!
//! Only checks tell it, not runs: the trace of a run stays what its journal gave when it was made.

use super::{CheckedClaim, EntailmentResult, JudgedPassage, Verdict};
use crate::evidence::char_slice;
use crate::text::squeeze;

/// A word of the claim with less than this in the passage is one that it lacks.
const LACKING: f64 = 0.3;

/// Words that are named as lacking.
const NAMED: usize = 4;

/// Characters of the nearest sentence that are quoted.
const QUOTED: usize = 240;

/// What is said of a claim without a verdict whose nearest passage stands at `location`.
pub(super) fn not_enough(location: &str) -> String {
    format!("the nearest passage, {location}, is not enough for a verdict")
}

impl CheckedClaim {
    /// What to add to [`EntailmentResult::reasoning`] where the nearest passage is not enough: for each passage, nearest first, what
    /// stands in its place and the words of it and of what it lacks.
    pub fn nearest(&self) -> Vec<(String, String)> {
        let mut passages: Vec<&JudgedPassage> = self.passages.iter().collect();
        passages.sort_by(|a, b| b.judgement.supports.total_cmp(&a.judgement.supports));
        passages
            .into_iter()
            .map(|passage| {
                let said = not_enough(&passage.evidence.location);
                let told = format!("{said}: {}", told(&self.claim.text, passage));
                (said, told)
            })
            .collect()
    }
}

/// "it says “...” and has nothing for “north”, “harbour”".
fn told(claim: &str, passage: &JudgedPassage) -> String {
    let words = squeeze(&passage.evidence.relevant_text);
    let mut told = if words.chars().count() > QUOTED {
        let cut: String = words.chars().take(QUOTED).collect();
        format!("it says “{}…”", cut.trim_end())
    } else {
        format!("it says “{words}”")
    };
    let mut lacking: Vec<String> = Vec::new();
    for grounded in &passage.judgement.grounding {
        let word = char_slice(claim, grounded.span).map(squeeze).unwrap_or_default();
        if grounded.score < LACKING && !word.is_empty() && !lacking.contains(&word) {
            lacking.push(word);
        }
    }
    if !lacking.is_empty() {
        let more = if lacking.len() > NAMED { " and more" } else { "" };
        let named: Vec<String> =
            lacking.iter().take(NAMED).map(|word| format!("“{word}”")).collect();
        told = format!("{told}, and has nothing for {}{more}", named.join(", "));
    }
    told
}

impl EntailmentResult {
    /// Says what the nearest passage says, as told by [`CheckedClaim::nearest`], where that is all there is to say.
    pub fn say_nearest(&mut self, nearest: &[(String, String)]) {
        if self.verdict != (Verdict::Neutral { reason: None }) {
            return;
        }
        for (said, told) in nearest {
            if let Some(rest) = self.reasoning.strip_prefix(said.as_str()) {
                self.reasoning = format!("{told}{rest}");
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Assessed, Claim, SourceEvidence, Thresholds};
    use super::*;
    use crate::evidence::Span;
    use crate::id::{ClaimId, SourceId};
    use crate::measure::Explained;
    use crate::port::{FiguresTold, Judgement, Tier, WordGrounding};

    const CLAIM: &str = "The northern ferry carries bicycles.";

    fn passage(name: &str, text: &str, supports: f64, lacking: &[&str]) -> JudgedPassage {
        let span = |word: &str| {
            let start = CLAIM.find(word).unwrap();
            Span { start, end: start + word.len() }
        };
        let grounded = |word: &&str| WordGrounding {
            span: span(word),
            score: if lacking.contains(word) { 0.0 } else { 1.0 },
            kind: None,
        };
        JudgedPassage {
            evidence: SourceEvidence {
                source_id: SourceId::from(name),
                source_url: name.to_owned(),
                location: name.to_owned(),
                relevant_text: text.to_owned(),
                span: Span { start: 0, end: text.chars().count() },
                similarity: 0.8,
                cluster: SourceId::from(name),
                supports,
                refutes: 0.1,
            },
            judgement: Judgement {
                supports,
                refutes: 0.1,
                tier: Tier::Features,
                similarity: 0.8,
                sentences: vec![],
                mismatches: vec![],
                grounding: ["northern", "ferry", "carries", "bicycles"]
                    .iter()
                    .map(grounded)
                    .collect(),
                told: FiguresTold::default(),
                explained: Explained::new("P(supports)", supports, "given"),
            },
            date: None,
            reliability: 1.0,
            replaced_by: None,
            says_otherwise: false,
        }
    }

    fn said(passages: Vec<JudgedPassage>) -> String {
        let claim = Claim::stated(ClaimId("c1".to_owned()), CLAIM);
        let checked = CheckedClaim { claim, passages, unchecked: vec![] };
        let nearest = checked.nearest();
        let thresholds = Thresholds { supports: 0.6, refutes: 0.5, relevant: 0.3 };
        let mut assessed = Assessed::new(vec![checked], thresholds, None);
        assessed.entailments[0].say_nearest(&nearest);
        assessed.entailments[0].reasoning.clone()
    }

    #[test]
    fn what_is_not_enough_is_quoted_with_what_it_lacks() {
        let far = passage("quay.md", "The quay is long.", 0.1, &["northern", "carries"]);
        let near = passage(
            "ferry.md",
            "The ferry\nis allowed to take bicycles.",
            0.4,
            &["northern", "carries"],
        );
        assert_eq!(
            said(vec![far, near]),
            "the nearest passage, ferry.md, is not enough for a verdict: it says “The ferry is allowed to take \
             bicycles.”, and has nothing for “northern”, “carries”"
        );
        let whole = passage("ferry.md", "Bicycles, northern, ferry, carries.", 0.4, &[]);
        assert!(said(vec![whole]).ends_with("it says “Bicycles, northern, ferry, carries.”"));
        let long = passage("log.md", &"waves ".repeat(90), 0.4, &[]);
        let told = said(vec![long]);
        assert!(told.ends_with("waves…”") && told.chars().count() < 400, "{told}");
        let enough = passage("ferry.md", "The northern ferry carries bicycles.", 0.9, &[]);
        assert_eq!(said(vec![enough]), "ferry.md bears it out");
    }
}
