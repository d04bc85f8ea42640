//! The charts of a run: what core draws, filled from the projection.

use super::super::words::figure;
use super::Sight;
use super::cards::{Support, figures};
use elenchus_core::answer::Answer;
use elenchus_core::chart::{
    self, AgreementRow, ClaimBar, Credence, CredenceStep, EvidenceGraph, Figure, GraphEdge,
    GraphNode, Interval, LabelledSet, Mark, Meter, Relation, Scale, Stance, TimeSpan,
};
use elenchus_core::measure::logit;
use elenchus_core::prompt::PointStance;
use elenchus_core::synthesis::perspectives::Perspectives;
use elenchus_core::trace::StepKind;
use maud::{Markup, PreEscaped};

fn drawn(figure: &Figure) -> Markup {
    PreEscaped(figure.to_html())
}

/// A bar for each statement.
pub(super) fn confidence(answer: &Answer) -> Markup {
    let bars: Vec<ClaimBar> = answer
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| {
            let figures = figures(answer, claim);
            let interval = figures.and_then(|one| one.interval);
            ClaimBar {
                label: format!("{}: {}", claim.id, claim.text),
                confidence: figures.and_then(|one| one.confidence),
                interval: interval.map(|(low, high)| Interval { low, high, percent: 95 }),
                word: figures
                    .and_then(|one| one.level)
                    .map_or("unchecked", |level| level.word())
                    .to_owned(),
                sources: figures.map_or(0, |one| one.supporting_sources),
                mark: match Support::of(answer, at) {
                    Support::Supported => Mark::Supported,
                    Support::Contradicted => Mark::Contradicted,
                    Support::Unsupported => Mark::NotSupported,
                    Support::Unchecked => Mark::Unchecked,
                },
            }
        })
        .collect();
    drawn(&chart::confidence("confidence", &bars))
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
    let node = |label: String, group: String, weight: f64, link: String| GraphNode {
        label,
        group,
        weight,
        link,
    };
    let mut graph = EvidenceGraph::default();
    for claim in &answer.claims {
        let weight = figures(answer, claim).and_then(|one| one.confidence).unwrap_or(0.5);
        graph.claims.push(node(
            format!("{}: {}", claim.id, claim.text),
            String::new(),
            weight,
            sight.under(&format!("?view=answer#card-{}", claim.id)),
        ));
    }
    for source in &answer.sources {
        graph.sources.push(node(
            source.title.clone(),
            source.cluster.to_string(),
            0.5,
            sight.under(&format!("/source/{}", source.number)),
        ));
    }
    for evidence in &answer.evidence {
        graph.quotes.push(node(
            evidence.quote.clone(),
            String::new(),
            0.5,
            super::cards::place(sight, evidence),
        ));
        let from = answer.sources.iter().position(|source| source.number == evidence.citation);
        graph.quoted_from.push(from.unwrap_or(usize::MAX));
    }
    for (claim, one) in answer.claims.iter().enumerate() {
        graph.edges.extend(one.evidence.iter().map(|quote| GraphEdge {
            claim,
            quote: *quote,
            relation: Relation::Supports,
        }));
        let against = super::cards::entailment(answer, claim)
            .map_or(&[][..], |found| &found.contradicting_sources);
        for refuting in against.iter().take(4) {
            let source =
                answer.sources.iter().position(|source| source.source_id == refuting.source_id);
            let quote = graph.quotes.len();
            graph.quotes.push(node(
                refuting.relevant_text.clone(),
                String::new(),
                refuting.refutes,
                String::new(),
            ));
            graph.quoted_from.push(source.unwrap_or(usize::MAX));
            graph.edges.push(GraphEdge { claim, quote, relation: Relation::Conflicts });
        }
    }
    drawn(&chart::evidence_graph("graph", &graph))
}

/// What the evidence of lenses has in common: circles for up to three, columns for more.
pub(super) fn overlap(seen: &Perspectives) -> Markup {
    let sets: Vec<LabelledSet> = seen
        .views
        .iter()
        .filter(|view| view.failed.is_none())
        .map(|view| LabelledSet {
            label: view.name.clone(),
            members: view.facts.iter().map(ToString::to_string).collect(),
        })
        .collect();
    drawn(&if sets.len() <= 3 {
        chart::venn("overlap", &sets)
    } else {
        chart::upset("overlap", &sets)
    })
}

/// How each lens stands to each statement of the answer, by the stances of its points about the statement's quotes.
pub(super) fn agreement(answer: &Answer, seen: &Perspectives) -> Markup {
    let lenses: Vec<String> = seen.views.iter().map(|view| view.name.clone()).collect();
    let rows: Vec<AgreementRow> = answer
        .claims
        .iter()
        .map(|claim| {
            let facts: Vec<_> = claim
                .evidence
                .iter()
                .filter_map(|at| answer.evidence.get(*at))
                .map(|one| &one.fact_id)
                .collect();
            let stance = |view: &elenchus_core::synthesis::perspectives::View| {
                let mut stances = view
                    .points
                    .iter()
                    .filter(|point| point.facts().any(|fact| facts.contains(&fact)))
                    .map(|point| point.stance);
                let Some(first) = stances.next() else { return Stance::Silent };
                // A lens that takes one quote in two ways qualifies.
                match if stances.all(|other| other == first) {
                    first
                } else {
                    PointStance::Qualifies
                } {
                    PointStance::Supports => Stance::Agrees,
                    PointStance::Opposes => Stance::Disagrees,
                    PointStance::Qualifies => Stance::Qualifies,
                }
            };
            AgreementRow {
                label: format!("{}: {}", claim.id, claim.text),
                stances: seen.views.iter().map(stance).collect(),
            }
        })
        .collect();
    drawn(&chart::agreement("agreement", &lenses, &rows))
}

/// A line of how a credence went, beside its figure.
pub(super) fn sparkline(label: &str, values: &[f64]) -> Markup {
    let told = values.last().map_or_else(String::new, |last| figure(*last));
    PreEscaped(
        chart::sparkline(&format!("spark-{label}"), &format!("{label}, now {told}"), values).svg,
    )
}
