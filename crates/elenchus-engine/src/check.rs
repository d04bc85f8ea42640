//! Checking the claims of a text against a corpus: search, read, verify. The one way in which claims are checked.

use elenchus_core::belief::{
    Assessed, Calibration, CheckedClaim, Claim, JudgedPassage, Thresholds,
};
use elenchus_core::evidence::{ReadPassage, Span, Vintage, char_slice, replaced};
use elenchus_core::id::{ClaimId, PassageId, SourceId};
use elenchus_core::inquiry::Derivations;
use elenchus_core::port::{
    Checked, Contradiction, Mismatch, Pair, RetrieveFailure, Retriever, Said, SearchFilter,
    SearchRequest, Spot, Usage, Verified, Verifier, VerifyFailure,
};
use elenchus_core::text::content_set;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Why the verifier cannot read the claim, where it cannot: it stands unchecked then, and nothing is searched for it.
    pub unreadable: Option<String>,
}

/// A statement that cannot hold together with another one: one of the text's, or a sentence of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The claim, when it is one of the text's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_id: Option<ClaimId>,
    /// Where the sentence stands, when it is a source's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Its words.
    pub text: String,
}

/// Two statements that cannot both hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clash {
    /// Whether the text contradicts itself (`text`) or the sources contradict each other about a claim (`sources`).
    pub between: Between,
    /// The two.
    pub sides: Vec<Party>,
    /// The words at odds.
    pub why: Vec<Mismatch>,
    /// How sure it is, 0 to 1; an order, not a probability.
    pub strength: f64,
    /// In words.
    pub summary: String,
}

/// Whose statements contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Between {
    /// Two claims of the text.
    Text,
    /// Two documents, at least one of which decided about a claim.
    Sources,
}

/// What came of checking a text.
#[derive(Clone, Debug)]
pub struct CheckedText {
    /// Claim by claim.
    pub assessed: Assessed,
    /// Contradictions within the text and between its sources, strongest first; or why they were not looked for.
    pub clashes: Result<Vec<Clash>, String>,
    /// What asking a language model for the verdicts cost.
    pub usage: Usage,
}

/// Passages that are judged in one go, and a claim's worth more: many, because a verifier that asks a language model puts
/// the claims of several into one prompt, and not all, because a go that fails leaves its claims unchecked.
const AT_ONCE: usize = 480;
/// The same of a verifier that asks nobody: few, so that it can be told how far it is, and stopped.
const AT_ONCE_ALONE: usize = 24;

/// Hears how many of the claims are done, and of how many.
pub type HowFar<'a> = &'a (dyn Fn(usize, usize) + Send + Sync);

/// A claim with what it is to be held against, or why it is held against nothing.
struct Held {
    claim: Claim,
    reads: Vec<ReadPassage>,
    unchecked: Vec<String>,
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
) -> CheckedText {
    check_heard(claims, retriever, verifier, thresholds, calibration, limits, &|_, _| ()).await
}

/// The same as [`check`]; `heard` is told how far it is. It may be given up at any time.
pub async fn check_heard(
    claims: Vec<Cited>,
    retriever: &dyn Retriever,
    verifier: &dyn Verifier,
    thresholds: Thresholds,
    calibration: Option<&Calibration>,
    limits: CheckLimits,
    heard: HowFar<'_>,
) -> CheckedText {
    let all = claims.len();
    let at_once = if verifier.asks_model() { AT_ONCE } else { AT_ONCE_ALONE };
    let mut seen: BTreeMap<PassageId, ReadPassage> = BTreeMap::new();
    let each = (limits.pairs / claims.len().max(1)).clamp(1, limits.passages.max(1));
    let mut left = limits.pairs;
    let mut held = Vec::with_capacity(claims.len());
    let mut unreadable: Vec<bool> = Vec::with_capacity(claims.len());
    for Cited { claim, paths, unreadable: why } in claims {
        unreadable.push(why.is_some());
        let not = |claim, why| Held { claim, reads: vec![], unchecked: vec![why] };
        if let Some(why) = why {
            held.push(not(claim, why));
            continue;
        }
        if left == 0 {
            let spent = "the budget for checks was spent on the claims before it".to_owned();
            held.push(not(claim, spent));
            continue;
        }
        held.push(match read(&claim, &paths, retriever, each.min(left)).await {
            Ok(reads) => {
                left -= reads.len().min(left);
                seen.extend(reads.iter().map(|read| (read.passage.id.clone(), read.clone())));
                Held { claim, reads, unchecked: vec![] }
            }
            Err(error) => not(claim, error.to_string()),
        });
        tokio::task::yield_now().await;
    }
    let mut checked = Vec::with_capacity(held.len());
    let mut usage = Usage::default();
    let mut waiting = held.into_iter().peekable();
    while waiting.peek().is_some() {
        let (mut lot, mut pairs) = (Vec::new(), 0);
        while pairs < at_once
            && let Some(one) = waiting.next()
        {
            pairs += one.reads.len();
            lot.push(one);
        }
        checked.extend(judge(lot, verifier, limits.kept, thresholds, &mut usage).await);
        heard(checked.len(), all);
        // What judges without waiting for anybody would keep the thread to itself.
        tokio::task::yield_now().await;
    }
    let nearest: Vec<_> = checked.iter().map(CheckedClaim::nearest).collect();
    let mut assessed = Assessed::new(checked, thresholds, calibration);
    for (entailment, nearest) in assessed.entailments.iter_mut().zip(&nearest) {
        entailment.say_nearest(nearest);
    }
    let clashes = clashes(&assessed, &unreadable, seen.into_values().collect(), verifier)
        .await
        .map_err(|failure| failure.to_string());
    CheckedText { assessed, clashes, usage }
}

/// Contradictions among the claims, and among the passages where they touch what decided about one.
async fn clashes(
    assessed: &Assessed,
    unreadable: &[bool],
    mut reads: Vec<ReadPassage>,
    verifier: &dyn Verifier,
) -> Result<Vec<Clash>, VerifyFailure> {
    let groups = groups(&assessed.claims);
    let claims: Vec<Said> = assessed
        .claims
        .iter()
        .zip(&groups)
        .zip(unreadable)
        .map(|((claim, group), unreadable)| Said {
            // Positions are those of the claims; what cannot be read says nothing.
            text: if *unreadable { String::new() } else { claim.text.clone() },
            context: claim.heading_path.join(". "),
            group: group.to_string(),
        })
        .collect();
    let mut out: Vec<Clash> = Vec::new();
    let mut told: BTreeSet<(usize, usize)> = BTreeSet::new();
    for found in verifier.contradictions(&claims).await? {
        let (Some(one), Some(other)) = (groups.get(found.a.item), groups.get(found.b.item)) else {
            continue;
        };
        // A sentence that says the same in another part denies nothing, and what it denies is told once, at its strongest.
        let against = [(found.a.item, *other), (found.b.item, *one)];
        let is_said = |(item, group): &(usize, usize)| {
            let mut parts = claims.iter().zip(&groups).filter(|(_, of)| *of == group);
            claims.get(*item).is_some_and(|own| parts.any(|(part, _)| part.text == own.text))
        };
        if against.iter().any(|pair| told.contains(pair) || is_said(pair)) {
            continue;
        }
        told.extend(against);
        let party = |spot: Spot| {
            let claim = assessed.claims.get(spot.item)?;
            Some(Party {
                claim_id: Some(claim.id.clone()),
                location: None,
                text: claim.text.clone(),
            })
        };
        out.extend(clash(Between::Text, &found, party));
    }
    // What is old says what was so.
    let old = replaced(&reads);
    reads.retain(|read| {
        read.source.vintage == Vintage::Current && !old.contains_key(&read.source.id)
    });
    let decided: Vec<(&SourceId, Span)> = assessed
        .entailments
        .iter()
        .flat_map(|e| e.supporting_sources.iter().chain(&e.contradicting_sources))
        .map(|evidence| (&evidence.source_id, evidence.span))
        .collect();
    let texts: Vec<Said> = reads.iter().map(ReadPassage::said).collect();
    for found in verifier.contradictions(&texts).await? {
        let touches = |spot: Spot| {
            reads.get(spot.item).is_some_and(|read| {
                let span = read.passage.in_document(spot.span);
                decided.iter().any(|(source, at)| **source == read.source.id && at.overlaps(span))
            })
        };
        if !touches(found.a) && !touches(found.b) {
            continue;
        }
        let party = |spot: Spot| {
            let read = reads.get(spot.item)?;
            Some(Party {
                claim_id: None,
                location: Some(read.location()),
                text: char_slice(&read.passage.text, spot.span)?.to_owned(),
            })
        };
        out.extend(clash(Between::Sources, &found, party));
    }
    out.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    Ok(out)
}

/// The group of each claim, in the order of the claims: the position of its first one. Claims that were cut out of one sentence,
/// or out of the same words of it, are parts of it and never held against each other.
fn groups(claims: &[Claim]) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::with_capacity(claims.len());
    let mut begun = 0;
    for (nth, claim) in claims.iter().enumerate() {
        let is_part = |before: &Claim| {
            claim.sentence.is_some() && claim.sentence == before.sentence
                || share_words(before, claim)
        };
        if !claims[begun..nth].iter().any(is_part) {
            begun = nth;
        }
        out.push(begun);
    }
    out
}

/// Whether two claims were cut out of the same words of the text.
fn share_words(one: &Claim, other: &Claim) -> bool {
    let (a, b) = (one.source_span, other.source_span);
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    if start >= end {
        return false;
    }
    let within = |span: Span| Span { start: start - span.start, end: end - span.start };
    let shared = char_slice(&one.source_text, within(a));
    shared.is_some() && shared == char_slice(&other.source_text, within(b))
}

fn clash(
    between: Between,
    found: &Contradiction,
    party: impl Fn(Spot) -> Option<Party>,
) -> Option<Clash> {
    Some(Clash {
        between,
        sides: vec![party(found.a)?, party(found.b)?],
        why: found.why.clone(),
        strength: found.strength,
        summary: found.summary.clone(),
    })
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
        outward: false,
        named: Vec::new(),
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

/// Holds claims against their passages, all in one go.
async fn judge(
    lot: Vec<Held>,
    verifier: &dyn Verifier,
    kept: usize,
    thresholds: Thresholds,
    usage: &mut Usage,
) -> Vec<CheckedClaim> {
    let pairs: Vec<Pair> = lot
        .iter()
        .flat_map(|one| one.reads.iter().map(|read| read.held_against(&one.claim.text)))
        .collect();
    let verified = if pairs.is_empty() {
        Ok(Verified::default())
    } else {
        verifier.verify_counted(&pairs).await
    };
    let mut results = match verified {
        Ok(verified) => {
            usage.count(verified.usage);
            let (got, wanted) = (verified.results.len(), pairs.len());
            if got == wanted {
                Ok(verified.results.into_iter())
            } else {
                Err(format!("{got} results came back for {wanted} pairs"))
            }
        }
        Err(failure) => Err(failure.to_string()),
    };
    lot.into_iter()
        .map(|Held { claim, reads, mut unchecked }| {
            let mut passages = match &mut results {
                Ok(results) => {
                    let mut own: Vec<Checked> = results.by_ref().take(reads.len()).collect();
                    compute(&claim.text, &reads, verifier, &mut own);
                    judged(&reads, own, thresholds, &mut unchecked)
                }
                Err(_) if reads.is_empty() => vec![],
                Err(failure) => {
                    unchecked.push(failure.clone());
                    vec![]
                }
            };
            keep(&mut passages, kept, thresholds);
            CheckedClaim { claim, passages, unchecked }
        })
        .collect()
}

/// Lets the passages of one document say together what none of them says alone: "Hut A has 8 beds" and "Hut B has 9" for 17 in
/// both. The first of them says it; that the others have other figures is no contradiction then.
fn compute(claim: &str, reads: &[ReadPassage], verifier: &dyn Verifier, results: &mut [Checked]) {
    let old = replaced(reads);
    let words = content_set(claim);
    let mut documents: BTreeMap<&SourceId, Vec<usize>> = BTreeMap::new();
    for (at, read) in reads.iter().enumerate() {
        if read.source.vintage == Vintage::Current && !old.contains_key(&read.source.id) {
            documents.entry(&read.source.id).or_default().push(at);
        }
    }
    for own in documents.values().filter(|own| own.len() > 1) {
        let texts = |at: &usize| reads[*at].passage.text.clone();
        let evidence = own.iter().map(texts).collect();
        let pair = Pair { claim: claim.to_owned(), evidence, above: vec![] };
        let Some(mut judgement) = verifier.computed(&pair) else { continue };
        let of: Vec<usize> =
            judgement.sentences.iter().filter_map(|place| own.get(place.item).copied()).collect();
        // What stands under a heading of its own is of the same matter where the claim names it.
        let is_of_it = |at: &usize| {
            reads[*at].passage.heading_path.iter().all(|heading| {
                content_set(heading).is_subset(&words)
                    || of.iter().all(|other| reads[*other].passage.heading_path.contains(heading))
            })
        };
        let Some(first) = of.first().copied().filter(|_| of.iter().all(is_of_it)) else {
            continue;
        };
        // What one passage says alone it has said.
        if of.iter().all(|at| *at == first) {
            continue;
        }
        for at in of.iter().filter(|at| **at != first) {
            if let Some(Checked::Judged(other)) = results.get_mut(*at) {
                other.refutes = 0.0;
            }
        }
        judgement.sentences.retain(|place| own.get(place.item) == Some(&first));
        for place in &mut judgement.sentences {
            place.item = 0;
        }
        if let Some(result) = results.get_mut(first) {
            *result = Checked::Judged(judgement);
        }
    }
}

/// What came of a claim's own passages.
fn judged(
    reads: &[ReadPassage],
    results: Vec<Checked>,
    thresholds: Thresholds,
    unchecked: &mut Vec<String>,
) -> Vec<JudgedPassage> {
    let mut judged = Vec::new();
    for (read, result) in reads.iter().zip(results) {
        match result {
            Checked::Unchecked { reason } => unchecked.push(reason),
            Checked::Judged(judgement) => {
                let rules = Derivations::LATEST;
                judged.extend(JudgedPassage::of(read, *judgement, thresholds, reads.iter(), rules));
            }
        }
    }
    judged
}

/// The nearest passages, and any that says otherwise.
fn keep(judged: &mut Vec<JudgedPassage>, kept: usize, thresholds: Thresholds) {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::belief::Verdict;
    use elenchus_core::testkit::{World, block_on};

    #[test]
    fn claims_are_judged_together_and_what_cannot_be_read_is_not() {
        let world = World::new("harbour")
            .document("crane.md", "The crane of the harbour lifts 40 tonnes.")
            .document("quay.md", "The quay of the harbour is 212 metres long.");
        let cited = |id: &str, text: &str, unreadable: Option<&str>| Cited {
            claim: Claim::stated(ClaimId(id.to_owned()), text),
            paths: vec![],
            unreadable: unreadable.map(str::to_owned),
        };
        let claims = vec![
            cited("c1", "The crane of the harbour lifts 40 tonnes.", None),
            cited("c2", "Der Kran hebt 40 Tonnen.", Some("it is German")),
            cited("c3", "The quay of the harbour is 212 metres long.", None),
        ];
        let thresholds = Thresholds { supports: 0.6, refutes: 0.5, relevant: 0.3 };
        let limits = CheckLimits::default();
        let checked = block_on(check(claims, &world, &world, thresholds, None, limits));
        let verdicts: Vec<&Verdict> =
            checked.assessed.entailments.iter().map(|found| &found.verdict).collect();
        assert_eq!(verdicts[0], &Verdict::Entailed);
        assert_eq!(verdicts[1], &Verdict::Unchecked { reason: "it is German".to_owned() });
        assert_eq!(verdicts[2], &Verdict::Entailed);
        let performed = world.performed();
        let of = |what: &str| performed.iter().filter(|(key, _)| key.starts_with(what)).count();
        assert_eq!((of("verify"), of("search Der")), (1, 0), "{performed:?}");
        assert!(checked.usage.is_nothing());
    }

    #[test]
    fn who_waits_hears_how_far_it_is() {
        let world = World::new("harbour").document("crane.md", "The crane lifts 40 tonnes.");
        let claims: Vec<Cited> = (0..30)
            .map(|at| Cited {
                claim: Claim::stated(ClaimId(format!("c{at}")), "The crane lifts 40 tonnes."),
                paths: vec![],
                unreadable: None,
            })
            .collect();
        let told = std::sync::Mutex::new(Vec::new());
        let hear = |done: usize, all: usize| told.lock().unwrap().push((done, all));
        let thresholds = Thresholds { supports: 0.6, refutes: 0.5, relevant: 0.3 };
        let limits = CheckLimits::default();
        let checked =
            block_on(check_heard(claims, &world, &world, thresholds, None, limits, &hear));
        assert_eq!(checked.assessed.claims.len(), 30);
        let told = told.lock().unwrap();
        assert!(told.len() > 1 && told.is_sorted(), "{told:?}");
        assert_eq!(told.last(), Some(&(30, 30)));
    }

    #[test]
    fn claims_out_of_one_sentence_are_one_group() {
        let text = "Turnover grew from 3 in 2024 to 4 in 2025. Turnover grew from 5 in 2024.";
        let cut = |start: usize, end: usize| Claim {
            source_span: Span { start, end },
            source_text: text[start..end].to_owned(),
            ..Claim::stated(ClaimId("c".to_owned()), &text[start..end])
        };
        let claims = [cut(0, 20), cut(0, 28), cut(0, 41), cut(43, 62)];
        assert!(claims.iter().all(|claim| claim.holds_in(text)));
        assert_eq!(groups(&claims), [0, 0, 0, 3]);
        // Statements that each stand alone begin at the same place, and are of other words.
        let alone = ["The crane lifts 40 tonnes.", "The crane lifts 50 tonnes."]
            .map(|text| Claim::stated(ClaimId("c".to_owned()), text));
        assert_eq!(groups(&alone), [0, 1]);
        // Two clauses of one sentence share no words.
        let sentence = Some(Span { start: 0, end: 41 });
        let clauses = [cut(0, 14), cut(22, 41)].map(|claim| Claim { sentence, ..claim });
        assert_eq!(groups(&clauses), [0, 0]);
    }

    #[test]
    fn without_a_budget_for_it_a_claim_is_unchecked() {
        let world = World::new("harbour").document("crane.md", "The crane lifts 40 tonnes.");
        let claims = ["c1", "c2"].map(|id| Cited {
            claim: Claim::stated(ClaimId(id.to_owned()), "The crane lifts 40 tonnes."),
            paths: vec![],
            unreadable: None,
        });
        let thresholds = Thresholds { supports: 0.6, refutes: 0.5, relevant: 0.3 };
        let limits = CheckLimits { pairs: 1, ..CheckLimits::default() };
        let checked = block_on(check(claims.to_vec(), &world, &world, thresholds, None, limits));
        let found = &checked.assessed.entailments;
        assert_eq!(found[0].verdict, Verdict::Entailed);
        assert!(
            matches!(&found[1].verdict, Verdict::Unchecked { reason } if reason.contains("budget"))
        );
    }
}
