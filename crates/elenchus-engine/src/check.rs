//! Checking the claims of a text against a corpus: search, read, verify. The one way in which claims are checked.

use elenchus_core::belief::{
    Assessed, Calibration, CheckedClaim, Claim, JudgedPassage, Thresholds,
};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::port::{
    Checked, Pair, RetrieveFailure, Retriever, SearchFilter, SearchRequest, Verifier,
};

/// How much work a claim may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckLimits {
    /// Passages that are judged a claim at most.
    pub passages: usize,
    /// Passages that are kept of them: the nearest, and any that says otherwise.
    pub kept: usize,
    /// Passages that are judged for all claims together; they are shared out evenly, and what then remains without
    /// any is unchecked.
    pub pairs: usize,
}

impl Default for CheckLimits {
    fn default() -> Self {
        Self { passages: 12, kept: 5, pairs: 20_000 }
    }
}

/// A claim with the documents that its text cites for it.
#[derive(Clone, Debug)]
pub struct Cited {
    /// The claim.
    pub claim: Claim,
    /// Paths of cited documents, relative to the corpus.
    pub paths: Vec<String>,
}

/// Checks every claim. A failing search or verifier leaves its claims unchecked, with the reason; nothing fails as
/// a whole.
pub async fn check(
    claims: Vec<Cited>,
    retriever: &dyn Retriever,
    verifier: &dyn Verifier,
    thresholds: Thresholds,
    calibration: Option<&Calibration>,
    limits: CheckLimits,
) -> Assessed {
    let each = (limits.pairs / claims.len().max(1)).clamp(1, limits.passages.max(1));
    let mut left = limits.pairs;
    let mut checked = Vec::with_capacity(claims.len());
    for Cited { claim, paths } in claims {
        if left == 0 {
            checked.push(CheckedClaim {
                claim,
                passages: vec![],
                unchecked: vec![
                    "the budget for checks was spent on the claims before it".to_owned(),
                ],
            });
            continue;
        }
        let (passages, unchecked) = match read(&claim, &paths, retriever, each.min(left)).await {
            Ok(reads) => {
                left -= reads.len().min(left);
                judge(&claim, reads, verifier, limits.kept, thresholds).await
            }
            Err(error) => (vec![], vec![error.to_string()]),
        };
        checked.push(CheckedClaim { claim, passages, unchecked });
    }
    Assessed::new(checked, thresholds, calibration)
}

/// The passages to hold against a claim: of the cited documents first, then of all.
async fn read(
    claim: &Claim,
    paths: &[String],
    retriever: &dyn Retriever,
    limit: usize,
) -> Result<Vec<ReadPassage>, RetrieveFailure> {
    let search = |only: Vec<String>, limit: usize| SearchRequest {
        query: claim.text.clone(),
        limit: u16::try_from(limit).unwrap_or(u16::MAX),
        per_source: 0,
        per_author: 0,
        expand: false,
        filter: SearchFilter { exclude: vec![], only },
    };
    let mut ids = Vec::new();
    if !paths.is_empty() {
        let request = search(paths.to_vec(), limit.div_ceil(2));
        ids.extend(retriever.search(&request).await?.hits.into_iter().map(|hit| hit.passage_id));
    }
    let request = search(vec![], limit);
    for hit in retriever.search(&request).await?.hits {
        if ids.len() < limit && !ids.contains(&hit.passage_id) {
            ids.push(hit.passage_id);
        }
    }
    retriever.read(&ids).await
}

async fn judge(
    claim: &Claim,
    reads: Vec<ReadPassage>,
    verifier: &dyn Verifier,
    kept: usize,
    thresholds: Thresholds,
) -> (Vec<JudgedPassage>, Vec<String>) {
    if reads.is_empty() {
        return (vec![], vec![]);
    }
    let pairs: Vec<Pair> = reads
        .iter()
        .map(|read| Pair { claim: claim.text.clone(), evidence: vec![read.passage.text.clone()] })
        .collect();
    let results = match verifier.verify(&pairs).await {
        Ok(results) => results,
        Err(failure) => return (vec![], vec![failure.to_string()]),
    };
    let mut judged = Vec::new();
    let mut unchecked = Vec::new();
    for (read, result) in reads.iter().zip(results) {
        match result {
            Checked::Unchecked { reason } => unchecked.push(reason),
            Checked::Judged(judgement) => {
                judged.extend(JudgedPassage::of(read, *judgement, thresholds, reads.iter()));
            }
        }
    }
    judged.sort_by(|a, b| {
        b.judgement
            .supports
            .max(b.judgement.similarity)
            .total_cmp(&a.judgement.supports.max(a.judgement.similarity))
    });
    let mut at = 0;
    judged.retain(|passage| {
        at += 1;
        at <= kept || passage.judgement.refutes >= thresholds.refutes
    });
    (judged, unchecked)
}
