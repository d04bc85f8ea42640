//! What the overall figure of an answer is a figure of, and what came of checking just that.

use super::types::{Answer, Claim};
use crate::belief::{Assessment, ClaimConfidence, Coverage, Level, Verdict, recommendations};
use crate::prompt::FactRole;

impl Answer {
    /// Positions of the claims that the overall figure is the mean of: those that answer, and those that give another value.
    /// Older values, and quotes that only came nearest, are checked as well and count for nothing. Where publishers of the web
    /// were weighed, what speaks against a leading answer is in the figure of that answer already.
    pub fn counted_claims(&self) -> Vec<usize> {
        let leads = |question: u32| {
            let mut claims = self.claims.iter();
            claims.any(|claim| claim.question_id == question && claim.role == FactRole::Answer)
        };
        let counts = |claim: &Claim| match claim.role {
            FactRole::Answer => true,
            FactRole::Conflict => !(self.stands_on_the_web(claim) && leads(claim.question_id)),
            FactRole::Superseded | FactRole::Context => false,
        };
        let claims = self.claims.iter().enumerate();
        claims.filter(|&(_, claim)| counts(claim)).map(|(at, _)| at).collect()
    }

    fn stands_on_the_web(&self, claim: &Claim) -> bool {
        claim.evidence.iter().all(|n| {
            let read = self.evidence.get(*n).map(|evidence| &evidence.source_id);
            let mut sources = self.sources.iter();
            sources.any(|source| Some(&source.source_id) == read && source.web.is_some())
        })
    }

    /// The overall figure; `None` where nothing was verified, or nothing that answers could be.
    pub fn overall(&self) -> Option<(f64, Level)> {
        let result = self.confidence.as_ref()?;
        let is_given = result.assessment != Assessment::NotAssessable;
        is_given.then_some((result.overall_confidence, result.level))
    }

    /// The figures of the claims that the overall figure is about.
    fn counted_figures(&self) -> Vec<&ClaimConfidence> {
        let all = self.confidence.as_ref().map_or(&[][..], |result| &result.claim_confidences);
        let figures_of = |claim: &Claim| all.iter().find(|one| one.claim_id == claim.id);
        let counted = self.counted_claims();
        counted.iter().filter_map(|at| figures_of(self.claims.get(*at)?)).collect()
    }

    /// How much was checked of what the overall figure is about, and what came of it.
    pub fn coverage(&self) -> Coverage {
        let figures = self.counted_figures();
        let mut coverage = Coverage { claims: figures.len(), ..Coverage::default() };
        for one in figures {
            if one.confidence.is_none() {
                coverage.unchecked += 1;
                continue;
            }
            coverage.checked += 1;
            let found = self.entailments.iter().find(|found| found.claim_id == one.claim_id);
            match found.map(|found| &found.verdict) {
                Some(Verdict::Entailed) => coverage.supported += 1,
                Some(Verdict::Contradicted) => coverage.contradicted += 1,
                Some(Verdict::Neutral { .. } | Verdict::Unchecked { .. }) | None => {}
            }
        }
        coverage
    }

    /// What to do about what the overall figure is about.
    pub fn advice(&self) -> Vec<String> {
        let figures = self.counted_figures();
        if figures.is_empty() {
            return Vec::new();
        }
        recommendations(&figures, &self.coverage())
    }
}
