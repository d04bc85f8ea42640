//! The charts of a run: what core draws, filled from the projection.

use super::super::figures::chart as drawn;
use super::super::words::figure;
use super::Sight;
use elenchus_core::answer::Answer;
use elenchus_core::answer::figures::{
    Links, agreement_figure, confidence_figure, evidence_figure, shared_evidence_figure,
};
use elenchus_core::chart::{self, Credence, CredenceStep, Figure, Meter, Scale, TimeSpan};
use elenchus_core::measure::logit;
use elenchus_core::trace::StepKind;
use maud::{Markup, PreEscaped};

fn perhaps(figure: Option<Figure>) -> Markup {
    figure.as_ref().map_or_else(|| PreEscaped(String::new()), drawn)
}

/// A bar for each statement.
pub(super) fn confidence(answer: &Answer) -> Markup {
    perhaps(confidence_figure(answer, "confidence"))
}

/// Actions over time.
pub(super) fn timeline(sight: &Sight<'_>) -> Markup {
    let shown = sight.shown;
    let from = shown.started_at.0;
    let since = |at: i64| u64::try_from(at - from).unwrap_or(0);
    let spans: Vec<TimeSpan> = shown
        .steps
        .iter()
        .filter(|step| step.kind == StepKind::Action)
        .map(|step| TimeSpan {
            label: step.text.clone(),
            kind: step.tool.clone(),
            start: since(step.at.0),
            end: since(step.ended.map_or(shown.updated_at.0, |end| end.at.0)),
            link: sight.step(step.seq),
        })
        .collect();
    drawn(&chart::timeline("timeline", &spans))
}

/// What was believed of each explanation, test by test; passage by passage once the answer is there.
pub(super) fn credences(sight: &Sight<'_>, log_odds: bool) -> Markup {
    let scale = if log_odds { Scale::LogOdds } else { Scale::default() };
    let told =
        sight.shown.answer.as_ref().map(|answer| &answer.hypotheses).filter(|all| !all.is_empty());
    let lines = match told {
        Some(all) => Credence::all(all, |_| String::new()),
        None => sight
            .shown
            .hypotheses
            .iter()
            .map(|one| Credence {
                id: one.id.to_string(),
                label: one.claim.clone(),
                before: one.begun_at,
                steps: one
                    .moves
                    .iter()
                    .map(|moved| CredenceStep {
                        at: usize::from(moved.round),
                        after: moved.after,
                        log_odds: logit(moved.after) - logit(moved.before),
                        item: format!("round {}", moved.round),
                        link: sight.step(moved.moment.seq),
                    })
                    .collect(),
            })
            .collect(),
    };
    drawn(&chart::credences("credences", &lines, scale))
}

/// What was spent of what is allowed.
pub(super) fn budget(sight: &Sight<'_>) -> Markup {
    let (spent, budget) = (sight.shown.spent, sight.shown.options.budget);
    let meter = |label: &str, spent: f64, ceiling: Option<f64>, unit: &str| Meter {
        label: label.to_owned(),
        spent,
        ceiling,
        projected: None,
        unit: unit.to_owned(),
    };
    let rounds = if sight.shown.max_rounds > 0 { sight.shown.max_rounds } else { budget.rounds };
    let seconds = (sight.shown.updated_at.0 - sight.shown.started_at.0).max(0) as f64 / 1_000.0;
    let tokens = spent.usage.input_tokens + spent.usage.output_tokens;
    let meters = [
        meter("Rounds", f64::from(spent.rounds), Some(f64::from(rounds)), ""),
        meter("Passages read", f64::from(spent.passages), Some(f64::from(budget.passages)), ""),
        meter("Searches", f64::from(spent.searches), None, ""),
        meter("Model calls", f64::from(spent.model_calls), budget.model_calls.map(f64::from), ""),
        meter("Tokens", tokens as f64, budget.tokens.map(|n| n as f64), ""),
        meter("Time", seconds, budget.wall_ms.map(|ms| ms as f64 / 1_000.0), "s"),
        meter(
            "Cost",
            spent.usage.cost_micro_usd as f64 / 1e6,
            budget.cost_micro_usd.map(|n| n as f64 / 1e6),
            "US dollars",
        ),
    ];
    drawn(&chart::budget("budget", &meters))
}

/// Statements, quotes and documents.
pub(super) fn graph(sight: &Sight<'_>, answer: &Answer) -> Markup {
    let links = Links {
        claim: &|claim| sight.under(&format!("?view=answer#card-{}", claim.id)),
        quote: &|one| super::cards::place(sight, one),
        source: &|number| sight.under(&format!("/source/{number}")),
        explanation: &|one| sight.under(&format!("?view=hypotheses#{}", one.id)),
    };
    perhaps(evidence_figure(answer, "graph", &links))
}

/// What the evidence of lenses has in common: circles for up to three, columns for more.
pub(super) fn overlap(answer: &Answer) -> Markup {
    perhaps(shared_evidence_figure(answer, "overlap"))
}

/// How each lens stands to each statement of the answer, by the stances of its points about the statement's quotes.
pub(super) fn agreement(answer: &Answer) -> Markup {
    perhaps(agreement_figure(answer, "agreement"))
}

/// A line of how a credence went, beside its figure.
pub(super) fn sparkline(label: &str, values: &[f64]) -> Markup {
    let told = values.last().map_or_else(String::new, |last| figure(*last));
    PreEscaped(
        chart::sparkline(&format!("spark-{label}"), &format!("{label}, now {told}"), values).svg,
    )
}
