//! Guards: the evidence of a claim is changed, and the claim is judged again.

use crate::swaps::data::Pair as Supported;
use crate::swaps::make::{Swap, attacks};
use elenchus_core::answer::{Answer, Claim};
use elenchus_core::belief::{self, Assessed, CheckedClaim, JudgedPassage, Judging, Verdict};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::{PassageId, SourceId};
use elenchus_core::inquiry::Derivations;
use elenchus_core::port::{Checked, Judgement, Pair};
use elenchus_core::prompt::FactRole;
use elenchus_core::text::content_set;
use elenchus_io::verify::BuiltinVerifier;

/// Differences below this are what summing floating-point numbers leaves behind.
const SAME: f64 = 1e-9;
/// Other passages that a claim is held against, and the share of its words that they must have: as in a run.
const OTHERS: usize = 4;
const IN_COMMON: f64 = 0.4;
/// Swaps that make a statement which cannot hold together with the claim.
const CONTRADICT: [Swap; 4] = [Swap::Number, Swap::Year, Swap::Negation, Swap::Comparative];

/// Checks that passed, and all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) all: usize,
}

impl Tally {
    pub(crate) fn note(&mut self, passed: bool) {
        self.passed += usize::from(passed);
        self.all += 1;
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.all += other.all;
    }
}

/// What changed evidence did to the claims of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Guards {
    /// The order of the passages is turned round: the figure stays.
    pub(crate) permuted: Tally,
    /// All passages of a claim that they bear out are taken away: the figure falls.
    pub(crate) removed: Tally,
    /// A source that says otherwise comes in: the figure does not rise.
    pub(crate) contradicted: Tally,
    /// Of those: the figure falls.
    pub(crate) contradiction_felt: Tally,
    /// Every passage comes in again as a copy: the figure does not rise.
    pub(crate) duplicated: Tally,
    /// What failed, for people.
    pub(crate) failures: Vec<String>,
}

impl Guards {
    /// The four guards together.
    pub(crate) fn together(&self) -> Tally {
        let mut sum = Tally::default();
        for one in [self.permuted, self.removed, self.contradicted, self.duplicated] {
            sum.add(one);
        }
        sum
    }
}

/// Figures of one claim with one set of evidence.
struct Figures {
    verdict: Verdict,
    confidence: Option<f64>,
}

/// Judges with changed evidence.
pub(crate) struct Rejudge<'a> {
    pub(crate) verifier: &'a BuiltinVerifier,
    pub(crate) judging: &'a Judging,
}

impl Rejudge<'_> {
    /// Every claim of an answer under every guard.
    pub(crate) fn run(&self, answer: &Answer, read: &[ReadPassage]) -> Guards {
        let mut guards = Guards::default();
        for claim in &answer.claims {
            let passages = held_against(claim, answer, read);
            if !passages.is_empty() {
                self.claim(&statement(answer, claim), claim, &passages, &mut guards);
            }
        }
        guards
    }

    fn claim(&self, text: &str, claim: &Claim, passages: &[ReadPassage], guards: &mut Guards) {
        let judged = self.judge(text, passages);
        let before = self.figures(text, claim, &judged);
        let Some(confidence) = before.confidence else { return };
        let mut turned = judged.clone();
        turned.reverse();
        let after = self.figures(text, claim, &turned);
        let same = after.confidence.is_some_and(|now| (now - confidence).abs() < SAME)
            && after.verdict == before.verdict;
        guards.permuted.note(same);
        told(same, "turned round", text, confidence, &after, guards);

        if before.verdict == Verdict::Entailed {
            let after = self.figures(text, claim, &[]);
            let falls = after.confidence.is_some_and(|now| now < confidence - SAME);
            guards.removed.note(falls);
            told(falls, "taken away", text, confidence, &after, guards);
        }

        let not_above =
            |figures: &Figures| figures.confidence.is_some_and(|now| now <= confidence + SAME);
        for denial in denials(text, passages) {
            let mut more = passages.to_vec();
            let mut other = passages[0].clone();
            other.passage.text.clone_from(&denial);
            more.push(renamed(other, "denial.md", None));
            let after = self.figures(text, claim, &self.judge(text, &more));
            guards.contradicted.note(not_above(&after));
            guards
                .contradiction_felt
                .note(after.confidence.is_some_and(|now| now < confidence - SAME));
            told(
                not_above(&after),
                &format!("denied by \"{denial}\""),
                text,
                confidence,
                &after,
                guards,
            );
        }

        let copies: Vec<ReadPassage> = judged
            .iter()
            .map(|(read, _)| {
                let cluster = read.source.cluster.clone();
                renamed(read.clone(), &format!("copy-{}", read.source.path), Some(cluster))
            })
            .collect();
        let doubled: Vec<ReadPassage> = passages.iter().cloned().chain(copies).collect();
        let after = self.figures(text, claim, &self.judge(text, &doubled));
        guards.duplicated.note(not_above(&after));
        told(not_above(&after), "doubled", text, confidence, &after, guards);
    }

    fn judge(&self, claim: &str, passages: &[ReadPassage]) -> Vec<(ReadPassage, Judgement)> {
        let pairs: Vec<Pair> = passages.iter().map(|read| read.held_against(claim)).collect();
        let results = self.verifier.judge(&pairs);
        passages
            .iter()
            .zip(results)
            .filter_map(|(read, result)| match result {
                Checked::Judged(judgement) => Some((read.clone(), *judgement)),
                Checked::Unchecked { .. } => None,
            })
            .collect()
    }

    /// That the sources bear the statement out; how firmly it answers its question is no matter of evidence.
    fn figures(&self, text: &str, claim: &Claim, judged: &[(ReadPassage, Judgement)]) -> Figures {
        let passages = judged
            .iter()
            .filter_map(|(read, judgement)| {
                let others = judged.iter().map(|(read, _)| read);
                let (thresholds, rules) = (self.judging.thresholds, Derivations::LATEST);
                JudgedPassage::of(read, judgement.clone(), thresholds, others, rules)
            })
            .collect();
        let claim = belief::Claim::stated(claim.id.clone(), text);
        let checked = CheckedClaim { claim, passages, unchecked: vec![] };
        let mut assessed =
            Assessed::new(vec![checked], self.judging.thresholds, Some(&self.judging.calibration));
        Figures {
            verdict: assessed.entailments.remove(0).verdict,
            confidence: assessed.confidence.claim_confidences[0].confidence,
        }
    }
}

/// Notes what failed.
fn told(passed: bool, what: &str, text: &str, before: f64, after: &Figures, guards: &mut Guards) {
    if !passed {
        let now = after.confidence.unwrap_or_default();
        guards.failures.push(format!("{what}: {before:.4} to {now:.4}: {text}"));
    }
}

/// The words of a claim as its passage has them.
fn statement(answer: &Answer, claim: &Claim) -> String {
    let quote = claim.evidence.first().and_then(|at| answer.evidence.get(*at));
    quote.map_or_else(|| claim.text.clone(), |one| one.quote.clone())
}

/// The passages that a run holds a claim against: its own, and others that speak of the same.
fn held_against(claim: &Claim, answer: &Answer, read: &[ReadPassage]) -> Vec<ReadPassage> {
    let own: Vec<&PassageId> = claim
        .evidence
        .iter()
        .filter_map(|at| answer.evidence.get(*at))
        .map(|one| &one.passage_id)
        .collect();
    let mut out: Vec<ReadPassage> =
        read.iter().filter(|one| own.contains(&&one.passage.id)).cloned().collect();
    if matches!(claim.role, FactRole::Answer | FactRole::Conflict) {
        let words = content_set(&claim.text);
        let mut others: Vec<(f64, &ReadPassage)> = read
            .iter()
            .filter(|one| !own.contains(&&one.passage.id))
            .map(|one| {
                let all = content_set(&one.passage.text);
                (words.intersection(&all).count() as f64 / words.len().max(1) as f64, one)
            })
            .filter(|(common, _)| words.len() > 1 && *common >= IN_COMMON)
            .collect();
        others
            .sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.passage.id.cmp(&b.1.passage.id)));
        out.extend(others.into_iter().take(OTHERS).map(|(_, one)| one.clone()));
    }
    out
}

/// Statements that cannot hold together with the claim: one number, year, direction or negation is another.
fn denials(claim: &str, passages: &[ReadPassage]) -> Vec<String> {
    let pair = Supported {
        set: "runs",
        claim: claim.to_owned(),
        evidence: passages.iter().map(|one| one.passage.text.clone()).collect(),
        generated: true,
    };
    let made = attacks(&[pair], 1, 1).into_iter();
    made.filter(|one| CONTRADICT.contains(&one.kind)).map(|one| one.claim).collect()
}

/// The same words from another document, of a cluster of its own unless it is a copy.
fn renamed(mut read: ReadPassage, path: &str, cluster: Option<SourceId>) -> ReadPassage {
    let id = SourceId::from_path(path);
    read.passage.id = PassageId::new(&id, 0);
    read.passage.source_id = id.clone();
    path.clone_into(&mut read.source.path);
    read.source.cluster = cluster.unwrap_or_else(|| id.clone());
    // Another report, not a newer one of the same kind.
    path.clone_into(&mut read.source.family);
    read.source.date = None;
    read.source.id = id;
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_differs_from_the_claim() {
        let made = denials("The ferry was sold in 1962 for 40 crowns.", &[]);
        assert!(!made.is_empty());
        assert!(made.iter().all(|one| one != "The ferry was sold in 1962 for 40 crowns."));
    }

    #[test]
    fn tallies_add_up() {
        let mut guards = Guards::default();
        guards.permuted.note(true);
        guards.duplicated.note(false);
        // That a contradiction is felt is no guard.
        guards.contradiction_felt.note(false);
        assert_eq!(guards.together(), Tally { passed: 1, all: 2 });
    }
}
