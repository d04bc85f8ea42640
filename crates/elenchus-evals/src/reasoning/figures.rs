//! The figures, each with its definition.

use super::guards::Tally;
use super::observed::{FindingSeen, Observed};
use super::ranks::{brier, first, settled, sure};
use crate::stats::{wilson, wilson_of};
use elenchus_core::belief::HypothesisStatus;
use elenchus_core::inquiry::StopReason;
use serde::{Deserialize, Serialize};

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Better {
    /// More.
    Higher,
    /// Less.
    Lower,
    /// It says how things are, not how good they are.
    Neither,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// The name in JSON.
    pub(crate) id: String,
    /// The name for people.
    pub(crate) name: String,
    /// What it is.
    pub(crate) definition: String,
    /// Which way is better.
    pub(crate) better: Better,
    /// The figure; absent where nothing was there to measure.
    pub(crate) value: Option<f64>,
    /// The 95 % Wilson interval of a share.
    pub(crate) interval: Option<(f64, f64)>,
    /// Hits, for a share.
    pub(crate) hits: Option<f64>,
    /// Of how many.
    pub(crate) of: usize,
}

/// What a figure is made of.
enum Measure {
    Share(usize, usize),
    /// Hits that may be shared.
    Parts(f64, usize),
    Mean(Vec<f64>),
    Most(Vec<f64>),
}

fn figure(id: &str, name: &str, better: Better, measure: Measure, definition: &str) -> Figure {
    let (value, interval, hits, of) = match measure {
        Measure::Share(hits, of) => {
            let value = (of > 0).then(|| hits as f64 / of as f64);
            (value, value.map(|_| wilson(hits, of)), Some(hits as f64), of)
        }
        Measure::Parts(hits, of) => {
            let value = (of > 0).then(|| hits / of as f64);
            (value, value.map(|_| wilson_of(hits, of)), Some(hits), of)
        }
        Measure::Mean(all) => {
            let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
            ((!all.is_empty()).then_some(mean), None, None, all.len())
        }
        Measure::Most(all) => (all.iter().copied().reduce(f64::max), None, None, all.len()),
    };
    Figure {
        id: id.to_owned(),
        name: name.to_owned(),
        definition: definition.to_owned(),
        better,
        value,
        interval,
        hits,
        of,
    }
}

fn tally(tally: Tally) -> Measure {
    Measure::Share(tally.passed, tally.all)
}

/// The share of these for which it holds.
fn share<T>(all: impl IntoIterator<Item = T>, holds: impl Fn(&T) -> bool) -> Measure {
    let mut sum = Tally::default();
    for one in all {
        sum.note(holds(&one));
    }
    tally(sum)
}

fn sum(runs: &[Observed], of: impl Fn(&Observed) -> Tally) -> Measure {
    let mut sum = Tally::default();
    for run in runs {
        sum.add(of(run));
    }
    tally(sum)
}

/// Normalised entropy of the evidence over the lenses, 0 (one lens has it all) to 1 (all the same); `None` without two
/// lenses or without any evidence.
pub(crate) fn balance(shares: &[f64]) -> Option<f64> {
    let total: f64 = shares.iter().sum();
    if shares.len() < 2 || total <= 0.0 {
        return None;
    }
    let entropy: f64 =
        shares.iter().map(|share| share / total).filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum();
    Some(entropy / (shares.len() as f64).ln())
}

/// Whether a run ended because it was done, and not because something was spent, failed or stopped it.
fn converged(stop: Option<StopReason>) -> bool {
    matches!(
        stop,
        Some(
            StopReason::Answered
                | StopReason::HypothesisConfirmed
                | StopReason::ContradictionsStable
                | StopReason::GapsAbandoned
                | StopReason::NoNewPassages
        )
    )
}

/// Every figure over these runs. Runs under a tight budget count only for budgets and gaps: what they cut short would
/// be held against the rest.
pub(crate) fn figures(all: &[Observed]) -> Vec<Figure> {
    let runs: Vec<Observed> =
        all.iter().filter(|run| run.kind != "tight budget").cloned().collect();
    let mut out = reasoning(&runs);
    out.extend(ending(all, &runs));
    out.extend(planted(&runs));
    out.extend(guarded(&runs));
    out
}

#[rustfmt::skip]
fn reasoning(runs: &[Observed]) -> Vec<Figure> {
    use Better::{Higher, Neither};
    let chains = || runs.iter().flat_map(|run| &run.chains);
    let claims = || runs.iter().flat_map(|run| &run.claims);
    let findings = || runs.iter().flat_map(|run| &run.findings);
    let confirmed = |one: &&FindingSeen| one.by_code || one.by_truth == Some(true);
    vec![
        figure("coherence", "coherence", Higher, share(chains(), |one| one.fallacies.is_empty()),
            "share of the reasoning texts (thoughts, conclusions, warrants, explanations, criticism, points of lenses, insights) in which no fallacy is noticed at the strict operating point; what is missed counts as free of fallacies, see the recall, and planted worlds commit some on purpose"),
        figure("coherence_model", "coherence, a model's words", Higher,
            share(chains().filter(|one| one.by_model), |one| one.fallacies.is_empty()),
            "the same for texts that a language model worded: the program's own sentences are patterns and commit none"),
        figure("coherence_true", "... planted fallacies counted", Neither,
            share(chains().filter(|one| one.by_model), |one| one.fallacies.is_empty() && !one.planted),
            "the same with the planted fallacies counted that nobody noticed: what the figure above would be at a recall of 1"),
        figure("coherence_runs", "runs without a fallacy", Higher,
            share(runs, |run| run.chains.iter().all(|one| one.fallacies.is_empty())),
            "share of the runs in which every reasoning text is free of fallacies so noticed"),
        figure("grounding", "grounding", Higher, share(claims(), |one| one.cited && one.borne_out),
            "share of the answers' claims with a quote that the verifier bears out (verdict entailed); unchecked claims count as not borne out"),
        figure("grounding_any", "claims with any evidence", Higher, share(claims(), |one| one.cited),
            "share of the answers' claims that point at a quote at all"),
        figure("lens_balance", "lens balance", Neither,
            Measure::Mean(runs.iter().filter_map(|run| balance(&run.lenses)).collect()),
            "entropy of the lenses' shares of the evidence divided by its maximum, mean over the runs with two lenses or more"),
        figure("insight_novelty", "insight novelty", Neither,
            Measure::Mean(runs.iter().flat_map(|run| run.novelties.iter().copied()).collect()),
            "mean measured novelty of the insights: 0 for sources that always meet, 1 for sources that meet once in a thousand or less"),
        figure("findings_confirmed", "critique findings confirmed", Higher, share(findings(), confirmed),
            "share of the language model's findings that code comes to as well (verdicts, contradictions, board, fallacy patterns) or that the planted truth calls right"),
        figure("findings_by_code", "findings confirmed by code alone", Neither, share(findings(), |one| one.by_code),
            "the same without the planted truth"),
        figure("findings_wrongly_confirmed", "planted wrong findings that code confirms", Better::Lower,
            share(findings().filter(|one| one.by_truth == Some(false)), |one| one.by_code),
            "of the findings that the planted truth calls wrong, the share that code comes to as well"),
    ]
}

#[rustfmt::skip]
fn ending(all: &[Observed], runs: &[Observed]) -> Vec<Figure> {
    use Better::{Higher, Neither};
    let rounds = |runs: &[Observed]| -> Vec<f64> {
        runs.iter().filter(|run| converged(run.stop)).map(|run| f64::from(run.rounds)).collect()
    };
    vec![
        figure("converged", "runs that converge", Neither, share(runs, |run| converged(run.stop)),
            "share of the runs that end because the question is answered, an explanation is confirmed, every gap is given up for its own reason, nothing unread turns up, or contradictions stay as many"),
        figure("iterations", "iterations before convergence", Neither, Measure::Mean(rounds(runs)),
            "mean rounds of the runs that converge"),
        figure("iterations_most", "most iterations", Neither,
            Measure::Most(all.iter().map(|run| f64::from(run.rounds)).collect()),
            "the greatest number of rounds of any run; the hard limit is 10"),
        figure("budget_adherence", "budget adherence", Higher, share(all, |run| run.overshot.is_empty()),
            "share of the runs, those under tight budgets included, that go beyond no limit: rounds, passages and model calls never, and no model call begins once the tokens or the money are spent"),
        figure("gaps_settled", "gaps closed or given up with a reason", Higher,
            share(all.iter().flat_map(|run| &run.gaps), |settled| **settled),
            "share of all gaps of all runs that end closed, or given up with a typed reason"),
    ]
}

#[rustfmt::skip]
fn planted(runs: &[Observed]) -> Vec<Figure> {
    use Better::{Higher, Lower, Neither};
    let known = || runs.iter().map(|run| &run.known);
    let ranked: Vec<(&[super::observed::Explanation], usize)> = runs.iter()
        .filter_map(|run| Some((run.explanations.as_slice(), run.known.right?))).collect();
    let parts = |by: fn(&super::observed::Explanation) -> f64| {
        Measure::Parts(ranked.iter().map(|(board, right)| first(board, *right, by)).sum(), ranked.len())
    };
    let briers = |by: fn(&super::observed::Explanation) -> f64| {
        Measure::Mean(ranked.iter().flat_map(|(board, right)| brier(board, *right, by)).collect())
    };
    let plants = || known().flat_map(|one| &one.plants);
    let statements = || known().flat_map(|one| &one.statements);
    vec![
        figure("hypothesis_accuracy", "hypothesis accuracy", Higher, parts(|one| one.credence),
            "share of the planted worlds with a right explanation in which its credence ranks first; of n that tie at the top each is 1/n right"),
        figure("hypothesis_floor", "... by the model's priors", Neither, parts(|one| one.prior),
            "the same by the credence that the model's word (likely, possible, unlikely) gives before any evidence: the floor"),
        figure("brier", "Brier score of credences", Lower, briers(|one| one.credence),
            "mean squared distance of each explanation's credence from 1 (the right one) or 0 (the others), over the same worlds"),
        figure("brier_floor", "... of the priors", Neither, briers(|one| one.prior),
            "the same of the priors: the floor"),
        figure("settled_rightly", "verdicts on explanations that are right", Higher,
            share(ranked.iter().flat_map(|(board, right)| settled(board, *right)), |right| *right),
            "of the explanations that a run calls confirmed or refuted, the share that it calls so rightly; the others stay open"),
        figure("settled", "explanations that get a verdict", Neither,
            share(ranked.iter().flat_map(|(board, _)| board.iter()), |one| matches!(one.status, HypothesisStatus::Confirmed | HypothesisStatus::Refuted)),
            "share of the explanations of these worlds that a run calls confirmed or refuted"),
        figure("sure_rightly", "nearly sure credences that are right", Neither,
            share(ranked.iter().flat_map(|(board, right)| sure(board, *right)), |right| *right),
            "of the credences at 0.85 or above and at 0.15 or below, with two independent sources behind them or without, the share on the right side"),
        figure("witnesses", "independent sources not overcounted", Higher, sum(runs, |run| run.known.witnesses),
            "share of the explanations with a planted number of independent sources for which the run counts no more than that"),
        figure("fallacy_recall", "planted fallacies noticed", Higher, share(plants(), |one| one.noticed),
            "of the planted fallacies in passages that a run read and in texts of its model, the share at whose words any fallacy is noticed at the strict operating point"),
        figure("fallacy_suspected", "... at the sensitive operating point", Neither, share(plants(), |one| one.suspected),
            "the same at the sensitive operating point, which no run uses: what more patience with false alarms would bring"),
        figure("fallacy_named", "... by the right name", Higher, share(plants(), |one| one.named),
            "the same where the fallacy that is noticed is the planted one"),
        figure("fallacy_told", "... and told in the answer", Higher,
            share(plants().filter_map(|one| one.told), |told| *told),
            "of those whose words the answer shows as a claim or an explanation, the share that the program warns of there; a scripted critic's words do not count"),
        figure("fallacy_unmet", "planted fallacies that no run met", Neither,
            Measure::Mean(vec![known().map(|one| one.unmet as f64).sum()]),
            "how many stand in passages that no run read"),
        figure("fallacy_alarms", "false alarms", Lower, sum(runs, |run| run.known.alarms),
            "share of the passages read and of the model's texts in planted worlds, none of which commits a planted fallacy, in which one is noticed"),
        figure("gaps_told", "planted gaps told", Higher, sum(runs, |run| run.known.gaps),
            "share of the planted parts that no document answers which the answer tells as not established"),
        figure("gaps_real", "told gaps that are real", Higher, sum(runs, |run| run.known.missing),
            "of what the answers tell as not established, in worlds without a planted explanation, the share that no document answers"),
        figure("answered", "planted answers given", Higher, sum(runs, |run| run.known.answered),
            "share of the planted worlds with an answer whose short answer holds it"),
        figure("contradictions_told", "planted contradictions told", Higher, sum(runs, |run| run.known.contradictions),
            "share of the planted pairs of statements that cannot both hold which the answer sets against each other"),
        figure("statements_right", "statements judged rightly", Higher,
            share(statements(), |one| one.said == one.supported),
            "share of the planted statements about a world that the verifier, searching the world's documents, calls borne out exactly if they are"),
        figure("statements_false", "unsupported statements passed", Lower,
            share(statements().filter(|one| !one.supported), |one| one.said),
            "of the planted statements that no document bears out, the share that the verifier calls borne out"),
    ]
}

#[rustfmt::skip]
fn guarded(runs: &[Observed]) -> Vec<Figure> {
    use Better::{Higher, Neither};
    vec![
        figure("guards", "guard pass rate", Higher, sum(runs, |run| run.guards.together()),
            "share of the four checks below that pass, over every claim of every run, judged again with changed evidence"),
        figure("guard_permute", "... evidence turned round: the same", Higher, sum(runs, |run| run.guards.permuted),
            "the passages of a claim in reverse give the same verdict and, to 1e-9, the same confidence"),
        figure("guard_remove", "... evidence taken away: falls", Higher, sum(runs, |run| run.guards.removed),
            "without its passages a claim that was borne out has a lower confidence"),
        figure("guard_contradict", "... contradicted: never rises", Higher, sum(runs, |run| run.guards.contradicted),
            "a new independent document with the claim's words, one number, year, negation or direction exchanged, does not raise its confidence"),
        figure("guard_felt", "contradictions that lower the confidence", Neither, sum(runs, |run| run.guards.contradiction_felt),
            "of these documents, the share that lowers it; no guard"),
        figure("guard_duplicate", "... evidence doubled: never rises", Higher, sum(runs, |run| run.guards.duplicated),
            "each passage once more from a document of the same cluster does not raise the confidence"),
    ]
}
