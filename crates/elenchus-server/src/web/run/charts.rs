//! The charts of a run: what core draws, filled from the projection.

use super::super::figures::chart as drawn;
use super::super::words::figure;
use super::Sight;
use super::insights::noticed_in;
use elenchus_core::answer::Answer;
use elenchus_core::answer::figures::{
    Links, agreement_figure, confidence_figure, evidence_figure, shared_evidence_figure,
};
use elenchus_core::chart::{self, Credence, CredenceStep, Figure, Meter, Noticed, Scale, TimeSpan};
use elenchus_core::id::Timestamp;
use elenchus_core::inquiry::Spent;
use elenchus_core::measure::logit;
use elenchus_core::port::Usage;
use elenchus_core::synthesis::insight::{Insight, Support};
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Projection, StepKind};
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

/// When each of these was noticed, and since when all that it rests on had been read.
pub(super) fn insights(sight: &Sight<'_>, found: &[&Insight]) -> Markup {
    let shown = sight.shown;
    let since = |at: Timestamp| u64::try_from(at.0 - shown.started_at.0).unwrap_or(0);
    // Of a document that the run did not note as read nothing is known.
    let read = |support: &Support| {
        let source = shown.sources.iter().find(|one| one.source_id == support.source_id)?;
        Some(since(source.read.at))
    };
    let noticed: Vec<Noticed> = found
        .iter()
        .filter_map(|one| {
            let all: Option<Vec<u64>> = one.supporting.iter().map(read).collect();
            Some(Noticed {
                label: format!("{}: {}", one.id, squeeze(&one.description)),
                kind: one.kind.title().to_owned(),
                ready: all.and_then(|all| all.into_iter().max()),
                at: since(noticed_in(sight, one)?.at),
                link: sight.under(&format!("?view=insights#{}", one.id)),
            })
        })
        .collect();
    if noticed.is_empty() {
        return PreEscaped(String::new());
    }
    drawn(&chart::noticed("noticed", since(shown.updated_at), &noticed))
}

/// What was spent of what is allowed.
pub(super) fn budget(sight: &Sight<'_>) -> Markup {
    let budget = sight.shown.options.budget;
    let rounds = if sight.shown.max_rounds > 0 { sight.shown.max_rounds } else { budget.rounds };
    let pace = pace(sight.shown, rounds);
    let now = (sight.shown.spent, sight.shown.updated_at);
    let meter = |label: &str, unit: &str, ceiling: Option<f64>, of: &dyn Fn(At) -> f64| Meter {
        label: label.to_owned(),
        spent: of(now),
        ceiling,
        // What was spent since the last round ended may be more already.
        projected: pace.map(|(at, factor)| (of(at) * factor).max(of(now))),
        unit: unit.to_owned(),
    };
    let from = sight.shown.started_at;
    let seconds = |at: Timestamp| (at.0 - from.0).max(0) as f64 / 1_000.0;
    let tokens = |usage: Usage| (usage.input_tokens + usage.output_tokens) as f64;
    let limit = |limit: Option<u64>, part: f64| limit.map(|limit| limit as f64 / part);
    let calls = budget.model_calls.map(f64::from);
    let meters = [
        Meter {
            // How many there will be is not known: a run ends when nothing is open.
            projected: None,
            ..meter("Rounds", "", Some(f64::from(rounds)), &|(spent, _): At| {
                f64::from(spent.rounds)
            })
        },
        meter("Passages read", "", Some(f64::from(budget.passages)), &|(spent, _): At| {
            f64::from(spent.passages)
        }),
        meter("Searches", "", None, &|(spent, _): At| f64::from(spent.searches)),
        meter("Model calls", "", calls, &|(spent, _): At| f64::from(spent.model_calls)),
        meter("Tokens", "", limit(budget.tokens, 1.0), &|(spent, _): At| tokens(spent.usage)),
        meter("Time", "s", limit(budget.wall_ms, 1e3), &|(_, at): At| seconds(at)),
        meter("Cost", "US dollars", limit(budget.cost_micro_usd, 1e6), &|(spent, _): At| {
            spent.usage.cost_micro_usd as f64 / 1e6
        }),
    ];
    drawn(&chart::budget("budget", &meters))
}

/// What was spent, and when.
type At = (Spent, Timestamp);

/// What was spent when the last round ended, and by how much to multiply it for what `rounds` come to at that pace. Nothing
/// before a round has ended, and of a run that is over.
fn pace(shown: &Projection, rounds: u8) -> Option<(At, f64)> {
    let last = shown.rounds.iter().rev().find(|round| round.ended.is_some())?;
    let at = (last.spent?, last.ended?.at);
    let done = last.round.max(1);
    (!shown.is_over()).then(|| (at, f64::from(rounds.max(done)) / f64::from(done)))
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
