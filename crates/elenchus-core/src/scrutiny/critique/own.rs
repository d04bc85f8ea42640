//! What code finds against an answer before a model is asked: by what was verified, searched and cited.

use super::{Finding, FindingKind, FoundBy};
use crate::answer::{Answer, Claim};
use crate::belief::{BIBLE, Hypothesis, HypothesisStatus, Verdict};
use crate::id::{ClaimId, HypothesisId, PassageId, SourceId};
use crate::inquiry::Derivations;
use crate::prompt::{FactRole, PlannedQuestion, Polarity, QuestionKind, Severity};
use crate::scrutiny::fallacy;
use std::collections::{BTreeMap, BTreeSet};

/// What is looked at.
pub(crate) struct Looked<'a> {
    pub(crate) answer: &'a Answer,
    pub(crate) questions: &'a [PlannedQuestion],
    /// The highest credence first.
    pub(crate) hypotheses: &'a [Hypothesis],
    /// Explanations for which a search for what would deny them was named and not made.
    pub(crate) unsearched: BTreeSet<HypothesisId>,
    /// Whether the fallacies of the pack are looked for as well.
    pub(crate) theology: bool,
    /// By which rules the run goes.
    pub(crate) rules: Derivations,
}

impl Looked<'_> {
    pub(super) fn asserts(claim: &Claim) -> bool {
        matches!(claim.role, FactRole::Answer | FactRole::Conflict)
    }

    /// Whether the sources' disagreement about its question is told.
    fn is_told_as_conflict(&self, claim: &Claim) -> bool {
        self.answer.conflicts.iter().any(|note| note.claims.contains(&claim.id))
    }
}

pub(super) fn found(
    kind: FindingKind,
    severity: Severity,
    claim: Option<&ClaimId>,
    text: String,
) -> Finding {
    Finding {
        id: String::new(),
        kind,
        severity,
        by: FoundBy::Code,
        claim_id: claim.cloned(),
        span: None,
        words: None,
        text,
        queries: vec![],
        measured: None,
    }
}

/// Everything that code finds, in the order of the claims.
pub(crate) fn findings(looked: &Looked<'_>) -> Vec<Finding> {
    let mut out = verdicts(looked);
    out.extend(fallacies(looked));
    out.extend(lone_sources(looked));
    out.extend(explanations(looked));
    out
}

/// Claims that the verifier found weak. What stands in the short answer matters a degree more.
pub(super) fn verdicts(looked: &Looked<'_>) -> Vec<Finding> {
    let mut out = Vec::new();
    for (claim, entailment) in looked.answer.claims.iter().zip(&looked.answer.entailments) {
        if !Looked::asserts(claim) {
            continue;
        }
        let short = looked.answer.is_in_short_answer(claim);
        let (severity, said) = match &entailment.verdict {
            Verdict::Entailed => continue,
            Verdict::Contradicted if looked.is_told_as_conflict(claim) => continue,
            Verdict::Contradicted => {
                (if short { Severity::Critical } else { Severity::Important }, "contradicted")
            }
            Verdict::Neutral { .. } => {
                (if short { Severity::Important } else { Severity::Minor }, "not borne out")
            }
            Verdict::Unchecked { .. } if short => (Severity::Minor, "not checked"),
            Verdict::Unchecked { .. } => continue,
        };
        let text = format!("{said}: {}", entailment.reasoning);
        out.push(found(FindingKind::WeakCitation, severity, Some(&claim.id), text));
    }
    out
}

/// Fallacies in the claims, whose sources commit them, and in the explanations, whose model does.
fn fallacies(looked: &Looked<'_>) -> Vec<Finding> {
    let options = fallacy::Options { theology: looked.theology, ..fallacy::Options::default() };
    let mut out = Vec::new();
    for claim in looked.answer.claims.iter().filter(|claim| Looked::asserts(claim)) {
        let short = looked.answer.is_in_short_answer(claim);
        for one in fallacy::detect(&claim.text, &options) {
            let severity = if short { Severity::Important } else { Severity::Minor };
            let text = format!("{} in the source's own words: {}", one.name, one.question);
            let mut finding = found(FindingKind::Fallacy, severity, Some(&claim.id), text);
            finding.span = Some(crate::evidence::Span { start: one.span.start, end: one.span.end });
            finding.words = Some(one.text);
            out.push(finding);
        }
    }
    for hypothesis in looked.hypotheses {
        for warning in &hypothesis.fallacy_warnings {
            let text = format!("in the wording of explanation {}: {warning}", hypothesis.id);
            out.push(found(FindingKind::Fallacy, Severity::Minor, None, text));
        }
    }
    out
}

/// Questions with a short answer that all in all rest on one independent source. Half a finding for a plain fact, a whole one where
/// several voices were asked for.
fn lone_sources(looked: &Looked<'_>) -> Vec<Finding> {
    let answer = looked.answer;
    let mut out = Vec::new();
    for question in looked.questions {
        let (first, clusters) = behind(looked, question);
        let Some(claim) = first.filter(|_| clusters.len() == 1) else { continue };
        let severity = match question.kind {
            QuestionKind::Lookup => Severity::Minor,
            QuestionKind::Survey | QuestionKind::Overview => Severity::Important,
        };
        let path = claim
            .evidence
            .first()
            .and_then(|at| answer.evidence.get(*at))
            .map_or("", |evidence| evidence.path.as_str());
        let text = format!(
            "what answers question {} rests on one independent source, {path}",
            question.id
        );
        out.push(found(FindingKind::WeakCitation, severity, Some(&claim.id), text));
    }
    out
}

/// The first claim of the short answer to a question, and the independent sources that all of its claims rest on.
pub(super) fn behind<'a>(
    looked: &Looked<'a>,
    question: &PlannedQuestion,
) -> (Option<&'a Claim>, BTreeSet<&'a SourceId>) {
    let answer = looked.answer;
    let mut clusters = BTreeSet::new();
    let mut first = None;
    for (at, claim) in answer.claims.iter().enumerate() {
        if claim.question_id != question.id || !Looked::asserts(claim) {
            continue;
        }
        if answer.is_in_short_answer(claim) {
            first = first.or(Some(claim));
        }
        clusters.extend(own_clusters(answer, claim, looked.rules));
        if let Some(entailment) = answer.entailments.get(at) {
            clusters.extend(entailment.supporting_sources.iter().map(|one| &one.cluster));
        }
    }
    (first, clusters)
}

/// Explanations with evidence that the answer does not cite, and a leading one that nobody tried to refute.
pub(super) fn explanations(looked: &Looked<'_>) -> Vec<Finding> {
    let cited: BTreeSet<&PassageId> =
        looked.answer.evidence.iter().map(|evidence| &evidence.passage_id).collect();
    let mut out = Vec::new();
    for (place, hypothesis) in looked.hypotheses.iter().enumerate() {
        let id = &hypothesis.id;
        let stands =
            !matches!(hypothesis.status, HypothesisStatus::Refuted | HypothesisStatus::Dropped);
        let ignored = stands
            && hypothesis.independent_supporting > 0
            && !hypothesis.supporting.iter().any(|one| cited.contains(&one.passage_id));
        if ignored && !looked.answer.claims.is_empty() {
            let text = format!(
                "explanation {id} has {} for it, and the answer cites none of them",
                crate::inquiry::count(hypothesis.independent_supporting, "independent source")
            );
            out.push(found(FindingKind::IgnoredAlternative, Severity::Important, None, text));
        }
        if place == 0 && looked.unsearched.contains(id) {
            let text =
                format!("explanation {id} leads, and a search for what would deny it was not made");
            out.push(found(FindingKind::ConfirmationBias, Severity::Minor, None, text));
        }
    }
    out
}

pub(super) fn own_clusters<'a>(
    answer: &'a Answer,
    claim: &Claim,
    rules: Derivations,
) -> Vec<&'a SourceId> {
    claim
        .evidence
        .iter()
        .filter_map(|at| answer.evidence.get(*at))
        .filter_map(|evidence| {
            let source = answer.sources.iter().find(|s| s.number == evidence.citation)?;
            // Translations are one source here as they are in the figures.
            let verse = evidence.osis.is_some() && source.web.is_none();
            Some(if verse && rules >= Derivations::SECOND { &*BIBLE } else { &source.cluster })
        })
        .collect()
}

/// The share of the cited evidence that speaks for each side, by independent source: of the explanations under test, or
/// else of the readings of a yes/no question. Empty where neither is known; the shares sum to 1 otherwise.
pub(crate) fn lean(
    answer: &Answer,
    hypotheses: &[Hypothesis],
    rules: Derivations,
) -> BTreeMap<String, f64> {
    let cited: BTreeSet<&PassageId> =
        answer.evidence.iter().map(|evidence| &evidence.passage_id).collect();
    let mut sides: BTreeMap<String, BTreeSet<&SourceId>> = BTreeMap::new();
    for hypothesis in hypotheses {
        let side = sides.entry(hypothesis.id.to_string()).or_default();
        side.extend(
            hypothesis
                .supporting
                .iter()
                .filter(|one| cited.contains(&one.passage_id))
                .map(|one| &one.evidence.cluster),
        );
    }
    if sides.values().all(BTreeSet::is_empty) {
        sides.clear();
        for claim in answer.claims.iter().filter(|claim| Looked::asserts(claim)) {
            let side = match claim.polarity {
                Some(Polarity::Yes) => "yes",
                Some(Polarity::No) => "no",
                Some(Polarity::Conditional) => "conditional",
                None => continue,
            };
            sides.entry(side.to_owned()).or_default().extend(own_clusters(answer, claim, rules));
        }
    }
    let all: usize = sides.values().map(BTreeSet::len).sum();
    if all == 0 {
        return BTreeMap::new();
    }
    sides.into_iter().map(|(side, sources)| (side, sources.len() as f64 / all as f64)).collect()
}
