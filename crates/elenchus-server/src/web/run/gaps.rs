//! The gap ledger: what was missing, what each round tried for it, and why it was closed, given up or taken up next.

use super::super::page::drawer;
use super::super::words::{counted, plain};
use super::Sight;
use elenchus_core::trace::{GapRound, GapShown, GapStanding, RoundShown};
use maud::{Markup, html};

fn sign(standing: GapStanding) -> (&'static str, &'static str) {
    match standing {
        GapStanding::Open => ("\u{25CB}", "open"),
        GapStanding::Resolved => ("\u{2713}", "closed"),
        GapStanding::Abandoned => ("\u{2717}", "given up"),
    }
}

pub(super) fn gaps(sight: &Sight<'_>) -> Markup {
    let shown = sight.shown;
    html! {
        section.panel aria-labelledby="gaps-title" {
            h2 #gaps-title { "Gap ledger" }
            @if shown.gaps.is_empty() {
                p.empty { @if shown.is_over() { "No gap was opened." } @else { "No gap has been opened yet: they follow from the plan." } }
            } @else {
                p.hint { "Each row is something that was missing, each column a round of searching. A gap is given up for a stated reason and stands in the answer then." }
                (ledger(sight))
            }
        }
        @for gap in &shown.gaps { (one(sight, gap)) }
        @if !shown.rounds.is_empty() {
            section.panel aria-labelledby="rounds-title" {
                h2 #rounds-title { "Round by round" }
                ol.rounds { @for round in &shown.rounds { li.jk tabindex="-1" { (settled(sight, round)) } } }
            }
        }
    }
}

fn ledger(sight: &Sight<'_>) -> Markup {
    let shown = sight.shown;
    let current = shown.current_gap().map(|gap| gap.gap_id.clone());
    html! {
        div.scroll tabindex="0" role="region" aria-label="The ledger as a table" {
            table.ledger {
                thead { tr {
                    th scope="col" { "What was missing" }
                    @for round in &shown.rounds { th scope="col" { "Round " (round.round) } }
                    th scope="col" { "Now" }
                } }
                tbody { @for gap in &shown.gaps {
                    @let (glyph, word) = sign(gap.standing);
                    tr {
                        th scope="row" { a href={ "#" (gap.gap_id) } { (gap.gap_id) } " " (gap.description)
                            @if !shown.is_over() && current.as_ref() == Some(&gap.gap_id) { " " span.badge { "worked on next" } } }
                        @for round in &shown.rounds {
                            td { @match gap.rounds.iter().find(|one| one.round == round.round) {
                                Some(one) => { (cell(one)) }
                                None => { span.hint { span aria-hidden="true" { "\u{00B7}" } span.sr { "not worked on" } } }
                            } }
                        }
                        td { span class={ "standing is-" (gap.standing.name()) } { span aria-hidden="true" { (glyph) } " " (word) }
                            @if let Some(reason) = gap.reason { br; span.hint { (plain(reason.name())) } } }
                    }
                } }
            }
        }
    }
}

fn cell(round: &GapRound) -> Markup {
    let (glyph, word) = match round.after {
        GapStanding::Open => ("\u{25D4}", "tried"),
        other => sign(other),
    };
    html! {
        span class={ "standing is-" (round.after.name()) } { span aria-hidden="true" { (glyph) } " " (word) }
        br; span.hint { (round.queries.len()) @if round.queries.len() == 1 { " query" } @else { " queries" } }
    }
}

fn one(sight: &Sight<'_>, gap: &GapShown) -> Markup {
    let (glyph, word) = sign(gap.standing);
    html! {
        section.panel.gap.jk id=(gap.gap_id) tabindex="-1" aria-labelledby={ "h-" (gap.gap_id) } {
            h3 id={ "h-" (gap.gap_id) } {
                code { (gap.gap_id) } " " (gap.description) " "
                span class={ "standing is-" (gap.standing.name()) } { span aria-hidden="true" { (glyph) } " " (word) }
            }
            p {
                (counted(usize::from(gap.attempts), "attempt"))
                @if gap.reopened > 0 { ", taken up again " (counted(usize::from(gap.reopened), "time")) }
                @if !gap.question_ids.is_empty() { ", for planned " @for (at, id) in gap.question_ids.iter().enumerate() { @if at > 0 { ", " } "question " (id) } }
                ". " a href=(sight.step(gap.opened.seq)) { "Opened at step " (gap.opened.seq) }
                @if let Some(settled) = gap.settled { ", " a href=(sight.step(settled.seq)) { (word) " at step " (settled.seq) } } "."
            }
            @if let Some(reason) = gap.reason { p { strong { "Given up: " } (reason.because()) "." } }
            @if !gap.because.is_empty() { p.reasoning { (gap.because) } }
            @if !gap.rounds.is_empty() {
                (drawer(&format!("tried-{}", gap.gap_id), &html! { "What was tried (" (gap.queries.len()) ")" }, &html! {
                    ol { @for round in &gap.rounds { li {
                        p { strong { "Round " (round.round) } ": " (cell(round)) }
                        @if !round.rationale.is_empty() { p.reasoning { (round.rationale) } }
                        ul { @for (at, query) in round.queries.iter().enumerate() { li {
                            q { (query) }
                            @if let Some(strategy) = round.strategies.get(at) { " " span.tool { (plain(strategy.name())) } }
                        } } }
                        @if round.dropped > 0 { p.hint { (counted(round.dropped as usize, "proposal")) " had been tried before and was dropped" } }
                    } } }
                }))
            }
        }
    }
}

/// How the ledger was settled after a round.
fn settled(sight: &Sight<'_>, round: &RoundShown) -> Markup {
    html! {
        h3 { "Round " (round.round) }
        p {
            "Worked on " @if round.gaps.is_empty() { "the explanations" }
            @for (at, gap) in round.gaps.iter().enumerate() { @if at > 0 { ", " } a href={ "#" (gap) } { (gap) } }
            ": " (counted(round.queries.len(), "search")) ", " (counted(round.new_passages as usize, "unseen passage")) ", "
            (counted(round.open_gaps as usize, "gap")) " open afterwards."
        }
        @if round.ended.is_some() {
            p { @if round.gaps.is_empty() { "No gap was open." }
                @else if round.current_gap_closed { span.tick { "\u{2713}" } " The gap it worked on was closed." }
                @else { span.tick.open { "\u{25CB}" } " The gap it worked on was not closed." }
                @if round.is_sufficient { " Nothing was missing after it." } }
        } @else { p.badge { "under way" } }
        @if let Some(analysis) = &round.analysis {
            p {
                strong { @match &analysis.next_gap_to_research {
                    Some(next) => { "Next: " a href={ "#" (next) } { (next) } }
                    None if analysis.should_continue_research => { "Next: the explanations" }
                    None => { "Nothing is worked on next" }
                } }
                " \u{00B7} " (analysis.reasoning)
            }
        }
        p.ways { a href=(sight.step(round.began.seq)) { "from step " (round.began.seq) } }
    }
}
