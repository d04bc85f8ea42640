//! What would change where an explanation stands, computed by supposing sources that are not there.

use super::{CONFIRMED, DISCOUNT, Hypothesis, HypothesisStatus, REFUTED, Standing};
use crate::inquiry::Derivations;
use crate::measure::{logit, sigmoid};
use serde::{Deserialize, Serialize};

/// What a supposed source weighs, in natural log-odds: one whose calibrated P(supports), or P(refutes), is 0.88.
const CLEAR: f64 = 2.0;
/// So many sources are supposed at most.
const SUPPOSED: u8 = 4;

/// What it takes to change the status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outlook {
    /// The status that it would have then.
    pub to: HypothesisStatus,
    /// How far the credence is from it, in natural log-odds; 0 when the figure is there and only further sources are
    /// missing.
    pub log_odds: f64,
    /// How many more clear, independent sources it takes; `None` when four would not do.
    pub sources: Option<u8>,
    /// The same in words.
    pub words: String,
}

pub(super) fn of(hypothesis: &Hypothesis, rules: Derivations) -> Vec<Outlook> {
    match hypothesis.status {
        HypothesisStatus::Active => vec![rise(hypothesis, rules), fall(hypothesis, rules)],
        HypothesisStatus::Confirmed => vec![fall(hypothesis, rules)],
        HypothesisStatus::Refuted => vec![rise(hypothesis, rules)],
        HypothesisStatus::Dropped => vec![],
    }
}

/// The credence in log-odds with so many more clear sources on one side.
fn supposing(hypothesis: &Hypothesis, more: u8, for_it: bool) -> f64 {
    let weights = hypothesis.weights();
    let clusters = super::clusters(weights.values().map(|(cluster, weight)| (cluster, *weight)));
    let mut sum = logit(super::prior(hypothesis.prior));
    for side in [true, false] {
        let mut moves: Vec<f64> = clusters
            .values()
            .map(|(up, down)| if side { *up } else { -*down })
            .chain((side == for_it).then_some(CLEAR).into_iter().cycle().take(usize::from(more)))
            .collect();
        moves.sort_by(|a, b| b.total_cmp(a));
        let mut share = 1.0;
        for weight in moves {
            let signed = if side { weight } else { -weight };
            sum += signed * share;
            share *= DISCOUNT;
        }
    }
    sum
}

/// What would stand behind the credence then.
fn standing_with(hypothesis: &Hypothesis, more: u8, for_it: bool, rules: Derivations) -> Standing {
    let more_on = |side: bool| if side == for_it { usize::from(more) } else { 0 };
    Standing {
        evidence: supposing(hypothesis, more, for_it) - logit(super::prior(hypothesis.prior)),
        supporting: hypothesis.independent_supporting + more_on(true),
        contradicting: hypothesis.independent_contradicting + more_on(false),
        rules,
    }
}

/// The credence that a number of sources would leave behind, for the words.
fn figure(log_odds: f64) -> String {
    format!("{:.2}", sigmoid(log_odds))
}

fn rise(hypothesis: &Hypothesis, rules: Derivations) -> Outlook {
    let standing = supposing(hypothesis, 0, true);
    let refuted = hypothesis.status == HypothesisStatus::Refuted;
    let (to, line) = if refuted {
        (HypothesisStatus::Active, logit(REFUTED))
    } else {
        (HypothesisStatus::Confirmed, logit(CONFIRMED))
    };
    let enough = |more: u8| {
        let reached = supposing(hypothesis, more, true);
        let then = standing_with(hypothesis, more, true, rules);
        if refuted {
            reached > line || !then.may_refute()
        } else {
            reached >= line && then.may_confirm()
        }
    };
    let sources = (1..=SUPPOSED).find(|more| enough(*more));
    let log_odds = (line - standing).max(0.0);
    let words = match sources {
        Some(more) => {
            let first = hypothesis.independent_supporting == 0;
            let which = match (more, first) {
                (1, true) => "an independent source that clearly supports it".to_owned(),
                (1, false) => "one more independent source that clearly supports it".to_owned(),
                (_, true) => format!("{more} independent sources that clearly support it"),
                (_, false) => format!("{more} more independent sources that clearly support it"),
            };
            let would = if refuted { "reopen" } else { "confirm" };
            format!(
                "{which} would {would} it, at {} ({log_odds:.2} log-odds away)",
                figure(supposing(hypothesis, more, true))
            )
        }
        None => format!(
            "even {SUPPOSED} more independent sources that clearly support it would leave it at {}: what speaks against \
             it would have to fall ({log_odds:.2} log-odds away)",
            figure(supposing(hypothesis, SUPPOSED, true))
        ),
    };
    Outlook { to, log_odds, sources, words }
}

fn fall(hypothesis: &Hypothesis, rules: Derivations) -> Outlook {
    let standing = supposing(hypothesis, 0, false);
    let confirmed = hypothesis.status == HypothesisStatus::Confirmed;
    let (to, line) = if confirmed {
        (HypothesisStatus::Active, logit(CONFIRMED))
    } else {
        (HypothesisStatus::Refuted, logit(REFUTED))
    };
    let enough = |more: u8| {
        let reached = supposing(hypothesis, more, false);
        let then = standing_with(hypothesis, more, false, rules);
        if confirmed {
            reached < line || !then.may_confirm()
        } else {
            reached <= line && then.may_refute()
        }
    };
    let sources = (1..=SUPPOSED).find(|more| enough(*more));
    let log_odds = (standing - line).max(0.0);
    // In earlier revisions it was told alike however many there were.
    let first = hypothesis.independent_contradicting == 0 || rules < Derivations::FIFTH;
    let further = if first { "" } else { "more " };
    let words = match sources {
        Some(more) => {
            let which = match (more, first) {
                (1, true) => "an independent source that clearly contradicts it".to_owned(),
                (1, false) => "one more independent source that clearly contradicts it".to_owned(),
                _ => format!("{more} {further}independent sources that clearly contradict it"),
            };
            let would =
                if confirmed { "would take the confirmation back" } else { "would refute it" };
            format!(
                "{which} {would}, at {} ({log_odds:.2} log-odds away)",
                figure(supposing(hypothesis, more, false))
            )
        }
        None => format!(
            "even {SUPPOSED} {further}independent sources that clearly contradict it would leave it at {} ({log_odds:.2} \
             log-odds away)",
            figure(supposing(hypothesis, SUPPOSED, false))
        ),
    };
    Outlook { to, log_odds, sources, words }
}
