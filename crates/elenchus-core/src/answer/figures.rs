//! The charts of an answer: what stands in it as plain data for [`crate::chart`].

mod graph;

use super::types::{Answer, Claim, Evidence};
use crate::belief::{Calibration, CalibrationMap, Hypothesis, Verdict};
use crate::chart::{
    AgreementRow, ClaimBar, Credence, Figure, Interval, Labelled, LabelledSet, Mark, Meter, Scale,
    Stance, agreement, budget, confidence, credences, evidence_graph, reliability, venn,
};
use crate::inquiry::Options;
use crate::port::Tier;
use crate::prompt::PointStance;
use crate::text::squeeze;
use std::collections::BTreeMap;

/// What an answer does not hold but its charts need: what the run was allowed, and what its figures were measured on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ground<'a> {
    /// What the run was allowed; without it meters have no ceiling.
    pub options: Option<&'a Options>,
    /// The calibration of its figures; without it there is no reliability diagram.
    pub calibration: Option<&'a Calibration>,
}

/// Every chart that an answer has something for, in the order in which a reader would ask: how sure, what it rests on, what the
/// figures are worth, what was believed when, what the lenses say, what it cost. `prefix` begins the ids.
pub fn figures(answer: &Answer, ground: Ground<'_>, prefix: &str) -> Vec<Figure> {
    let id = |name: &str| format!("{prefix}-{name}");
    let mut all: Vec<Figure> = Vec::new();
    all.extend(confidence_figure(answer, &id("confidence")));
    all.extend(evidence_figure(answer, &id("evidence"), &IN_REPORT));
    let map = ground.calibration.and_then(|calibration| {
        let left_out = calibration.maps.iter().find(|map| !map.bins_left_out.is_empty());
        left_out.or(calibration.map(Tier::Features)).or(calibration.maps.first())
    });
    all.extend(map.into_iter().flat_map(|map| reliability_figures(map, &id("reliability"))));
    all.extend(credence_figure(answer, &id("credences"), Scale::Probability));
    all.extend(agreement_figure(answer, &id("agreement")));
    all.extend(shared_evidence_figure(answer, &id("shared")));
    all.push(budget_figure(answer, ground.options, &id("budget")));
    all
}

/// Where the nodes of a chart lead: empty for nowhere.
pub struct Links<'a> {
    /// From a statement.
    pub claim: &'a dyn Fn(&Claim) -> String,
    /// From a quote.
    pub quote: &'a dyn Fn(&Evidence) -> String,
    /// From a document, by its number.
    pub source: &'a dyn Fn(usize) -> String,
    /// From an explanation.
    pub explanation: &'a dyn Fn(&Hypothesis) -> String,
}

/// Within a report of one page, everything leads to its list of sources.
const IN_REPORT: Links<'static> = Links {
    claim: &|_| String::new(),
    quote: &|one| format!("#source-{}", one.citation),
    source: &|number| format!("#source-{number}"),
    explanation: &|_| String::new(),
};

/// How sure each statement is; `None` when nothing was verified. What only came nearest to an open question has no bar.
pub fn confidence_figure(answer: &Answer, id: &str) -> Option<Figure> {
    let verdicts: BTreeMap<_, _> =
        answer.entailments.iter().map(|one| (&one.claim_id, &one.verdict)).collect();
    let bars: Vec<ClaimBar> = answer
        .claims
        .iter()
        .filter_map(|claim| answer.shown_figures(claim))
        .map(|one| ClaimBar {
            label: format!("{}: {}", one.claim_id, squeeze(&one.claim_text)),
            confidence: one.confidence,
            // What is calibrated is given with its 95 % interval.
            interval: one.interval.map(|(low, high)| Interval { low, high, percent: 95 }),
            word: one.level.map_or_else(String::new, |level| level.word().to_owned()),
            sources: one.supporting_sources,
            mark: match verdicts.get(&one.claim_id) {
                Some(Verdict::Entailed) => Mark::Supported,
                Some(Verdict::Contradicted) => Mark::Contradicted,
                Some(Verdict::Neutral { .. }) => Mark::NotSupported,
                Some(Verdict::Unchecked { .. }) | None => Mark::Unchecked,
            },
        })
        .collect();
    (!bars.is_empty()).then(|| confidence(id, &bars))
}

/// What the figures of a map were worth on labelled sets: first each set judged without having been fitted on, which is what to
/// expect elsewhere, then the sets of the fit. What the map does not hold is left out.
pub fn reliability_figures(map: &CalibrationMap, id: &str) -> Vec<Figure> {
    let mut figures = Vec::new();
    if let Some(error) = map.ece_left_out.filter(|_| !map.bins_left_out.is_empty()) {
        figures.push(reliability(id, Labelled::LeftOut, &map.bins_left_out, error));
    }
    if let Some(error) = map.ece.filter(|_| !map.bins.is_empty()) {
        let labelled = Labelled::Fitted { left_out: map.ece_left_out };
        figures.push(reliability(&format!("{id}-fitted"), labelled, &map.bins, error));
    }
    figures
}

/// What was believed of each explanation; `None` when none was tested.
pub fn credence_figure(answer: &Answer, id: &str, scale: Scale) -> Option<Figure> {
    let cited: BTreeMap<&str, usize> =
        answer.evidence.iter().map(|one| (one.passage_id.as_str(), one.citation)).collect();
    let link = |passage: &str| {
        cited.get(passage).map_or_else(String::new, |number| format!("#source-{number}"))
    };
    let believed = Credence::all(&answer.hypotheses, link);
    (!believed.is_empty()).then(|| credences(id, &believed, scale))
}

/// What rests on what; `None` without a statement.
pub fn evidence_figure(answer: &Answer, id: &str, links: &Links<'_>) -> Option<Figure> {
    (!answer.claims.is_empty()).then(|| evidence_graph(id, &graph::graph(answer, links)))
}

/// Which lens agrees with which statement, by the quotes that its points rest on; `None` without lenses.
pub fn agreement_figure(answer: &Answer, id: &str) -> Option<Figure> {
    let views = &answer.perspectives.as_ref()?.views;
    let rows: Vec<AgreementRow> = answer
        .claims
        .iter()
        .map(|claim| {
            let facts: Vec<_> = claim
                .evidence
                .iter()
                .filter_map(|&at| answer.evidence.get(at))
                .map(|one| &one.fact_id)
                .collect();
            let stances = views.iter().map(|view| {
                let about = view
                    .points
                    .iter()
                    .filter(|point| point.facts().any(|fact| facts.contains(&fact)));
                let mut stances = about.map(|point| point.stance);
                let Some(first) = stances.next() else { return Stance::Silent };
                match first {
                    // A lens that takes one quote in two ways qualifies.
                    _ if stances.any(|other| other != first) => Stance::Qualifies,
                    PointStance::Supports => Stance::Agrees,
                    PointStance::Opposes => Stance::Disagrees,
                    PointStance::Qualifies => Stance::Qualifies,
                }
            });
            AgreementRow {
                label: format!("{}: {}", claim.id, squeeze(&claim.text)),
                stances: stances.collect(),
            }
        })
        .collect();
    let names: Vec<String> = views.iter().map(|view| view.name.clone()).collect();
    (!rows.is_empty() && !names.is_empty()).then(|| agreement(id, &names, &rows))
}

/// What evidence the lenses share; `None` without at least two of them.
pub fn shared_evidence_figure(answer: &Answer, id: &str) -> Option<Figure> {
    let sets: Vec<LabelledSet> = answer
        .perspectives
        .as_ref()?
        .views
        .iter()
        .filter(|view| view.failed.is_none())
        .map(|view| LabelledSet {
            label: view.name.clone(),
            members: view.facts.iter().map(ToString::to_string).collect(),
        })
        .collect();
    (sets.len() > 1).then(|| venn(id, &sets))
}

/// What was spent, against what was allowed where that is known.
pub fn budget_figure(answer: &Answer, options: Option<&Options>, id: &str) -> Figure {
    let (receipt, limits) = (&answer.receipt, options.map(|options| options.budget));
    let tokens = receipt.usage.input_tokens.saturating_add(receipt.usage.output_tokens);
    let meter = |label: &str, spent: f64, ceiling: Option<f64>, unit: &str| Meter {
        label: label.to_owned(),
        spent,
        ceiling,
        projected: None,
        unit: unit.to_owned(),
    };
    let of = |limit: Option<u64>, part: f64| limit.map(|limit| limit as f64 / part);
    let mut meters = vec![
        meter("Rounds", f64::from(receipt.rounds), limits.map(|most| f64::from(most.rounds)), ""),
        meter(
            "Passages",
            f64::from(receipt.passages),
            limits.map(|most| f64::from(most.passages)),
            "",
        ),
        meter(
            "Model calls",
            f64::from(receipt.model_calls),
            limits.and_then(|most| most.model_calls).map(f64::from),
            "",
        ),
    ];
    let limit = limits.and_then(|most| most.tokens);
    if tokens > 0 || limit.is_some() {
        meters.push(meter("Tokens", tokens as f64, of(limit, 1.0), ""));
    }
    let limit = limits.and_then(|most| most.cost_micro_usd);
    if receipt.usage.cost_micro_usd > 0 || limit.is_some() {
        let spent = receipt.usage.cost_micro_usd as f64 / 1e6;
        meters.push(meter("Money", spent, of(limit, 1e6), "US dollars"));
    }
    let limit = limits.and_then(|most| most.wall_ms);
    meters.push(meter("Time", receipt.wall_ms as f64 / 1e3, of(limit, 1e3), "s"));
    budget(id, &meters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Bin;
    use crate::testkit::{World, drive, judging};

    #[test]
    fn an_answer_has_the_charts_that_it_has_data_for() {
        let world = World::new("harbor").document(
            "tides.md",
            "# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was put out in 1950.",
        );
        let options = Options { critique: false, ..Options::default() };
        let driven = drive(&world, "When was the lamp lit?", options.clone());
        let answer = driven.run.view().answer().unwrap().clone();
        let ground = Ground { options: Some(&options), calibration: None };
        let shown = figures(&answer, ground, "f");
        let titles: Vec<&str> = shown.iter().map(|figure| figure.title.as_str()).collect();
        assert!(titles.contains(&"What rests on what"), "{titles:?}");
        let meters = shown.last().unwrap();
        assert_eq!(meters.table.rows[0][..3], ["Rounds", &answer.receipt.rounds.to_string(), "5"]);
        let edges = graph::graph(&answer, &IN_REPORT).edges;
        assert_eq!(
            edges.len(),
            answer.claims.iter().map(|claim| claim.evidence.len()).sum::<usize>()
        );
    }

    #[test]
    fn without_anything_there_are_only_meters() {
        let mut answer = super::super::export::fixture::answer();
        answer.claims.clear();
        let shown = figures(&answer, Ground::default(), "f");
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].table.rows[0][2], "none");
    }

    #[test]
    fn sets_left_out_of_the_fit_are_drawn_first() {
        let mut calibration = judging().calibration;
        let bins = |n| vec![Bin { confidence: 0.5, accuracy: 0.5, n }];
        let map = &mut calibration.maps[0];
        (map.bins_left_out, map.bins) = (bins(7), bins(9));
        let ground = Ground { options: None, calibration: Some(&calibration) };
        let shown = figures(&super::super::export::fixture::answer(), ground, "f");
        let told: Vec<&str> = shown
            .iter()
            .map(|figure| figure.summary.as_str())
            .filter(|summary| summary.contains("the fit"))
            .collect();
        assert!(told[0].starts_with("On sets left out of the fit: 7 judged"), "{told:?}");
        assert!(told[1].starts_with("On the sets they were fitted on: 9 judged"), "{told:?}");
    }
}
