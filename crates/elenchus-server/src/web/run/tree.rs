//! The trace as a tree: the run, its stages and rounds, what each did, and what came of it; then each statement with evidence and
//! warrant.

use super::super::words::{counted, figure, lasted, visible};
use super::cards::{Support, quote, unsupported, warned};
use super::{Sight, steps};
use elenchus_core::answer::Answer;
use elenchus_core::id::ClaimId;
use elenchus_core::scrutiny::critique::FindingKind;
use elenchus_core::trace::{Step, StepKind};
use maud::{Markup, html};

/// Steps of a branch that are shown; the rest is in the log.
const MOST: usize = 400;

/// Steps that belong together: a round, or what stands before the first, or after the last.
struct Branch<'a> {
    title: String,
    steps: Vec<&'a Step>,
}

fn branches<'a>(sight: &Sight<'a>) -> Vec<Branch<'a>> {
    let mut out: Vec<Branch<'a>> = vec![];
    let rounds = sight.shown.rounds.len();
    let last = sight.shown.rounds.last().and_then(|round| round.ended).map(|end| end.seq);
    for step in &sight.shown.steps {
        let title = match step.round {
            0 => "Before the first search".to_owned(),
            _ if rounds > 0
                && last.is_some_and(|last| step.seq > last)
                && sight.shown.scoring.answer_length.is_some() =>
            {
                "Writing and checking the answer".to_owned()
            }
            round => format!("Round {round}"),
        };
        match out.last_mut() {
            Some(branch) if branch.title == title => branch.steps.push(step),
            _ => out.push(Branch { title, steps: vec![step] }),
        }
    }
    out
}

pub(super) fn tree(sight: &Sight<'_>) -> Markup {
    let branches = branches(sight);
    let count = branches.len();
    html! {
        div.tree {
            @for (at, branch) in branches.iter().enumerate() {
                details.branch data-key={ "branch-" (at) } open[at + 1 == count || count < 4] {
                    summary { strong { (branch.title) } " " span.count { (counted(branch.steps.len(), "step")) } }
                    ul {
                        @for step in branch.steps.iter().filter(|step| step.kind != StepKind::Observation || step.action.is_none()).take(MOST) {
                            li.jk tabindex="-1" {
                                (steps::line(sight, step))
                                @if let Some(ms) = step.lasted_ms() { " " span.lane { (lasted(ms)) } }
                                (steps::fork(sight, step, &html! {}))
                                @if step.kind == StepKind::Action {
                                    @if !step.reasoning.is_empty() { p.reasoning { (visible(&step.reasoning)) } }
                                    @if let Some(seen) = step.ended.and_then(|end| sight.shown.step(end.seq)) {
                                        ul { li { (steps::line(sight, seen)) @if !seen.reasoning.is_empty() { p.reasoning { (visible(&seen.reasoning)) } } } }
                                    }
                                }
                            }
                        }
                        @if branch.steps.len() > MOST { li.hint { "and more; the log has every step" } }
                    }
                }
            }
            @if let Some(answer) = sight.shown.answer.as_deref() { (statements(sight, answer)) }
        }
    }
}

/// Claim, evidence, warrant.
fn statements(sight: &Sight<'_>, answer: &Answer) -> Markup {
    html! {
        details.branch data-key="statements" open {
            summary { strong { "What it concluded" } " " span.count { (counted(answer.claims.len(), "statement")) } }
            ul {
                @for (at, claim) in answer.claims.iter().enumerate() {
                    @let figure_of = answer.shown_figures(claim);
                    @let word = figure_of.and_then(|one| one.level).map_or("unchecked", |level| level.word());
                    li.jk tabindex="-1" {
                        details data-key={ "claim-" (claim.id) } class={ "node is-" (word.replace(' ', "-")) } {
                            summary {
                                span.label { "Claim " (claim.id) } " " q dir="auto" { (claim.text) } " "
                                span class={ "mark " (Support::of(answer, at).class()) } { (Support::of(answer, at).glyph()) " " (Support::of(answer, at).word()) }
                                @if let Some(p) = figure_of.and_then(|one| one.confidence) { " " span class={ "level is-" (word.replace(' ', "-")) } { (word) " " (figure(p)) } }
                                @if let Some(sure) = answer.sureness(at).filter(|_| answer.kept_back(claim).is_some()) { " " span.level.is-unchecked { (sure.instead) } }
                                " " (unsupported(figure_of))
                            }
                            ul {
                                @for evidence in claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)) {
                                    li { span.label { "Evidence" } (quote(sight, evidence)) }
                                }
                                li { span.label { "Warrant" } " " (visible(&claim.warrant)) }
                                @for finding in fallacies(answer, &claim.id) {
                                    li.fallacy { span.sign aria-hidden="true" { "\u{26A0}" } " " span.label { "Fallacy " } (finding) }
                                }
                                @for warning in answer.warnings_of(&claim.id) { li { (warned(warning)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a critique found to be a fallacy in a claim.
fn fallacies(answer: &Answer, claim: &ClaimId) -> Vec<String> {
    let findings = answer.findings_about(claim);
    let fallacies = findings.filter(|finding| finding.kind == FindingKind::Fallacy);
    fallacies.map(|finding| finding.text.clone()).collect()
}
