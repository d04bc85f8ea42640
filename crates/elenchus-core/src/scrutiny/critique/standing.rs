//! How much a finding that a model words matters: no more than what was verified, searched and cited says of the same matter.

use super::{Finding, FindingKind};
use crate::answer::{Answer, Claim};
use crate::belief::{Hypothesis, HypothesisStatus, Verdict};
use crate::id::PassageId;
use crate::prompt::{Bearing, Severity};
use crate::scrutiny::fallacy::{self, Point};
use std::collections::{BTreeMap, BTreeSet};

/// A side that has this share of the cited evidence, or more, is told alone.
const ONE_SIDED: f64 = 0.8;

/// What code knows of an answer that is criticised.
pub(crate) struct Grounds<'a> {
    pub(crate) answer: &'a Answer,
    /// What code itself finds against it.
    pub(crate) own: &'a [Finding],
    /// The highest credence first.
    pub(crate) hypotheses: &'a [Hypothesis],
    /// The share of the cited evidence that speaks for each side, 0 to 1.
    pub(crate) sides: &'a BTreeMap<String, f64>,
    /// Whether what would speak against the answer was searched for.
    pub(crate) was_doubted: bool,
    /// Whether the fallacies of the pack are looked for as well.
    pub(crate) theology: bool,
}

impl Grounds<'_> {
    /// The severity that a model gives its finding, or the lesser one that code can stand by.
    pub(crate) fn severity(&self, finding: &Finding) -> Severity {
        let own = self
            .own
            .iter()
            .filter(|own| own.kind == finding.kind && own.claim_id == finding.claim_id)
            .map(|own| own.severity);
        let most = own.chain([self.by_kind(finding)]).max().unwrap_or(Severity::Minor);
        finding.severity.min(most)
    }

    fn by_kind(&self, finding: &Finding) -> Severity {
        let at = finding
            .claim_id
            .as_ref()
            .and_then(|id| self.answer.claims.iter().position(|claim| claim.id == *id));
        let about = |weigh: &dyn Fn(usize, &Claim) -> Severity| {
            at.and_then(|at| Some(weigh(at, self.answer.claims.get(at)?)))
                .unwrap_or(Severity::Minor)
        };
        let holds = |seen: bool| if seen { Severity::Important } else { Severity::Minor };
        match finding.kind {
            FindingKind::WeakCitation | FindingKind::Overstatement => {
                about(&|at, claim| self.borne(at, claim))
            }
            FindingKind::Fallacy => about(&|_, claim| {
                let (point, theology) = (Point::Sensitive, self.theology);
                let options = fallacy::Options { point, theology, ..fallacy::Options::default() };
                let is_noticed = !fallacy::detect(&claim.text, &options).is_empty();
                holds(is_noticed && self.answer.is_in_short_answer(claim))
            }),
            FindingKind::IgnoredAlternative => {
                holds(self.own.iter().any(|own| own.kind == FindingKind::IgnoredAlternative))
            }
            FindingKind::ConfirmationBias => holds(self.is_one_sided()),
            FindingKind::MissingCounterEvidence => {
                about(&|at, claim| self.borne(at, claim)).max(holds(!self.was_doubted))
            }
            // No model can name it.
            FindingKind::OpenPart => Severity::Minor,
        }
    }

    /// How badly a claim stands: by its verdict, by what disagrees with it, and by how it binds to its question.
    fn borne(&self, at: usize, claim: &Claim) -> Severity {
        let short = self.answer.is_in_short_answer(claim);
        let told = self.answer.conflicts.iter().any(|note| note.claims.contains(&claim.id));
        let verdict = self.answer.entailments.get(at).map(|entailment| &entailment.verdict);
        let quotes: Vec<&str> = claim
            .evidence
            .iter()
            .filter_map(|at| self.answer.evidence.get(*at))
            .map(|evidence| evidence.quote.as_str())
            .collect();
        let mut sides = self.answer.disagreements.iter().flat_map(|one| &one.sides);
        let is_disputed = sides.any(|side| {
            quotes.iter().any(|quote| quote.contains(&side.quote) || side.quote.contains(*quote))
        });
        match verdict {
            Some(Verdict::Contradicted) if short && !told => Severity::Critical,
            Some(Verdict::Contradicted) => Severity::Important,
            Some(Verdict::Neutral { .. }) if short => Severity::Important,
            _ if is_disputed || claim.bearing == Some(Bearing::Weak) => Severity::Important,
            _ => Severity::Minor,
        }
    }

    /// Whether nearly all of what is cited speaks for one of several sides, or the short answer quotes nothing of what speaks for
    /// the explanation that leads.
    fn is_one_sided(&self) -> bool {
        let alone = self.sides.len() > 1 && self.sides.values().any(|share| *share >= ONE_SIDED);
        let stands = |one: &&Hypothesis| {
            !matches!(one.status, HypothesisStatus::Refuted | HypothesisStatus::Dropped)
        };
        let quoted: BTreeSet<&PassageId> = self
            .answer
            .claims
            .iter()
            .filter(|claim| self.answer.is_in_short_answer(claim))
            .flat_map(|claim| &claim.evidence)
            .filter_map(|at| self.answer.evidence.get(*at))
            .map(|evidence| &evidence.passage_id)
            .collect();
        let is_passed_over = self.hypotheses.iter().find(stands).is_some_and(|leading| {
            leading.independent_supporting > 0
                && !leading.supporting.iter().any(|one| quoted.contains(&one.passage_id))
        });
        alone || (is_passed_over && !quoted.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ClaimId;
    use crate::inquiry::Options;
    use crate::scrutiny::critique::FoundBy;
    use crate::testkit::{World, drive};

    fn answered() -> Answer {
        let world = World::new("pier").judged().document("pier.md", "# Pier\n\nThe pier is old.");
        let driven = drive(&world, "Is the pier old?", Options::default());
        driven.run.view().answer().expect("a run ends with an answer").clone()
    }

    /// The severity of a critical finding of a model about the first claim.
    fn weight(answer: &Answer, kind: FindingKind, own: &[Finding], was_doubted: bool) -> Severity {
        let sides = BTreeMap::new();
        let hypotheses: &[Hypothesis] = &[];
        let grounds =
            Grounds { answer, own, hypotheses, sides: &sides, was_doubted, theology: false };
        grounds.severity(&finding(kind, FoundBy::Model))
    }

    fn finding(kind: FindingKind, by: FoundBy) -> Finding {
        Finding {
            id: String::new(),
            kind,
            severity: Severity::Critical,
            by,
            claim_id: Some(ClaimId::from("c1")),
            span: None,
            words: None,
            text: "It says too much.".to_owned(),
            queries: vec![],
            measured: None,
        }
    }

    #[test]
    fn a_finding_matters_as_much_as_code_sees() {
        let overstated = FindingKind::Overstatement;
        let mut answer = answered();
        assert_eq!(answer.claims.len(), 1, "{:?}", answer.claims);
        assert_eq!(weight(&answer, overstated, &[], true), Severity::Minor, "nothing bears it out");
        let own = [finding(overstated, FoundBy::Code)];
        assert_eq!(
            weight(&answer, overstated, &own, true),
            Severity::Critical,
            "code finds it too"
        );
        let other = [finding(FindingKind::Fallacy, FoundBy::Code)];
        assert_eq!(weight(&answer, overstated, &other, true), Severity::Minor);
        answer.claims[0].bearing = Some(Bearing::Weak);
        assert_eq!(weight(&answer, overstated, &[], true), Severity::Important);
        answer.entailments[0].verdict = Verdict::Contradicted;
        assert_eq!(weight(&answer, overstated, &[], true), Severity::Critical);
        assert_eq!(weight(&answer, FindingKind::Fallacy, &[], true), Severity::Minor);
    }

    #[test]
    fn that_nobody_looked_matters_until_somebody_has() {
        let (answer, missing) = (answered(), FindingKind::MissingCounterEvidence);
        assert_eq!(weight(&answer, missing, &[], false), Severity::Important);
        assert_eq!(weight(&answer, missing, &[], true), Severity::Minor);
    }
}
