//! What the figures need of a run, taken from its journal alone.

use super::chains::{Chain, chains};
use super::guards::Guards;
use super::planted::Known;
use elenchus_core::answer::Answer;
use elenchus_core::belief::{HypothesisStatus, Verdict, hypothesis};
use elenchus_core::id::EffectId;
use elenchus_core::inquiry::gap::GapStatus;
use elenchus_core::inquiry::{Budget, Input, Options, Outcome, Run, StopReason};
use elenchus_core::journal::{Entry, JournalRecord};
use elenchus_core::scrutiny::fallacy;
use elenchus_core::trace::{Envelope, TraceEvent};
use std::collections::BTreeSet;

/// A statement of the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClaimSeen {
    /// It points at a quote.
    pub(crate) cited: bool,
    /// The verifier bears it out.
    pub(crate) borne_out: bool,
}

/// An explanation that was tested.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Explanation {
    /// What it says.
    pub(crate) claim: String,
    /// Its credence at the end, 0 to 1.
    pub(crate) credence: f64,
    /// The credence that its model's word alone gives, 0 to 1.
    pub(crate) prior: f64,
    /// What the run says of it.
    pub(crate) status: HypothesisStatus,
    /// Independent sources that the run counts for it.
    pub(crate) independent: usize,
    /// The run warns of a fallacy in its wording.
    pub(crate) warned: bool,
}

/// A run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// Where it comes from: "world", "tight budget", "golden", "store".
    pub(crate) kind: &'static str,
    /// Its name there.
    pub(crate) name: String,
    /// Everything that was reasoned, text by text.
    pub(crate) chains: Vec<Chain>,
    /// The statements of the answer.
    pub(crate) claims: Vec<ClaimSeen>,
    /// Shares of the evidence that each lens rests on; empty without lenses.
    pub(crate) lenses: Vec<f64>,
    /// Novelty of each insight, 0 to 1.
    pub(crate) novelties: Vec<f64>,
    /// The board, in the order of its numbers.
    pub(crate) explanations: Vec<Explanation>,
    /// Of each finding of a model: whether code confirms it.
    pub(crate) findings: Vec<FindingSeen>,
    /// Rounds begun.
    pub(crate) rounds: u8,
    /// Why it stopped.
    pub(crate) stop: Option<StopReason>,
    /// Limits that it went beyond, in words.
    pub(crate) overshot: Vec<String>,
    /// Of each gap: whether it was closed, or given up with a reason.
    pub(crate) gaps: Vec<bool>,
    /// Changed evidence, judged again.
    pub(crate) guards: Guards,
    /// What only a planted world can tell.
    pub(crate) known: Known,
}

/// A finding of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FindingSeen {
    /// Its kind, by the word of a reply.
    pub(crate) kind: String,
    /// Its words.
    pub(crate) text: String,
    /// Code comes to the same.
    pub(crate) by_code: bool,
    /// The planted truth says so; nothing where nothing is planted.
    pub(crate) by_truth: Option<bool>,
}

impl Observed {
    /// Reads a journal. Fails when it opens no run or has not come to its answer.
    pub(crate) fn of(
        kind: &'static str,
        name: &str,
        journal: &[JournalRecord],
    ) -> Result<(Self, Run), String> {
        let failed = |cause: String| format!("could not read the run {name}: {cause}");
        let (run, trace) = Run::replay(journal).map_err(|error| failed(error.to_string()))?;
        let options = options(journal).ok_or_else(|| failed("its journal is empty".to_owned()))?;
        let view = run.view();
        let answer = view.answer().ok_or_else(|| failed("it has no answer yet".to_owned()))?;
        let observed = Self {
            kind,
            name: name.to_owned(),
            chains: chains(&trace, answer, options.pack == "theology"),
            claims: claims(answer),
            lenses: answer
                .perspectives
                .iter()
                .flat_map(|all| &all.views)
                .map(|view| view.evidence_share)
                .collect(),
            novelties: answer.insights.iter().map(|one| one.novelty).collect(),
            explanations: explanations(answer),
            findings: super::findings::seen(answer),
            rounds: answer.receipt.rounds,
            stop: view.stop_reason(),
            overshot: overshot(&options.budget, answer, journal, &trace),
            gaps: view
                .gaps()
                .gaps()
                .iter()
                .map(|gap| match gap.status {
                    GapStatus::Active => false,
                    GapStatus::Resolved => true,
                    GapStatus::Abandoned => gap.reason.is_some(),
                })
                .collect(),
            guards: Guards::default(),
            known: Known::default(),
        };
        Ok((observed, run))
    }
}

fn options(journal: &[JournalRecord]) -> Option<&Options> {
    journal.iter().find_map(|record| match &record.entry {
        Entry::Input(input) => match input.as_ref() {
            Input::Opened(opened) => Some(&opened.options),
            _ => None,
        },
        Entry::Intent(_) => None,
    })
}

fn claims(answer: &Answer) -> Vec<ClaimSeen> {
    answer
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| ClaimSeen {
            cited: claim.evidence.iter().any(|at| answer.evidence.get(*at).is_some()),
            borne_out: answer
                .entailments
                .get(at)
                .is_some_and(|entailment| entailment.verdict == Verdict::Entailed),
        })
        .collect()
}

fn explanations(answer: &Answer) -> Vec<Explanation> {
    let mut board: Vec<_> = answer.hypotheses.iter().collect();
    board.sort_by_key(|one| one.id.to_string());
    board
        .into_iter()
        .map(|one| Explanation {
            claim: one.claim.clone(),
            credence: one.confidence,
            prior: hypothesis::prior(one.prior),
            status: one.status,
            independent: one.independent_supporting,
            warned: !one.fallacy_warnings.is_empty(),
        })
        .collect()
}

/// Limits that a run went beyond. Counts may not; tokens and money may by what was in flight, so no model call may begin
/// once they are spent.
fn overshot(
    budget: &Budget,
    answer: &Answer,
    journal: &[JournalRecord],
    trace: &[Envelope],
) -> Vec<String> {
    let mut out = Vec::new();
    let receipt = &answer.receipt;
    let mut say = |what: &str, spent: u64, limit: u64| {
        if spent > limit {
            out.push(format!("{spent} {what} of {limit}"));
        }
    };
    say("rounds", u64::from(receipt.rounds), u64::from(budget.rounds.min(Budget::HARD_ROUNDS)));
    say("passages", u64::from(receipt.passages), u64::from(budget.passages));
    if let Some(limit) = budget.model_calls {
        say("model calls", u64::from(receipt.model_calls), u64::from(limit));
    }
    let asked: BTreeSet<EffectId> = trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::ReasoningAction(action) if action.tool == "model" => Some(action.id),
            _ => None,
        })
        .collect();
    let (mut tokens, mut cost) = (0, 0);
    for record in journal {
        match &record.entry {
            Entry::Input(input) => {
                if let Input::Outcome {
                    result: Outcome::Replied { usage, .. } | Outcome::Failed { usage, .. },
                    ..
                } = input.as_ref()
                {
                    tokens += usage.input_tokens + usage.output_tokens;
                    cost += usage.cost_micro_usd;
                }
            }
            Entry::Intent(intents) => {
                if !intents.iter().any(|intent| asked.contains(&intent.effect_id)) {
                    continue;
                }
                if budget.tokens.is_some_and(|limit| tokens >= limit) {
                    out.push(format!("a model was asked after {tokens} tokens"));
                }
                if budget.cost_micro_usd.is_some_and(|limit| cost >= limit) {
                    out.push(format!("a model was asked after {cost} millionths of a dollar"));
                }
            }
        }
    }
    out
}

/// Fallacies that are noticed in a text at the strict operating point.
pub(crate) fn noticed(text: &str, theology: bool) -> Vec<fallacy::Finding> {
    fallacy::detect(text, &fallacy::Options { theology, ..fallacy::Options::default() })
}
