//! A statement of the answer and what it rests on.

use super::super::page::drawer;
use super::super::words::visible;
use super::super::words::{counted, encoded, figure, in_ten};
use super::Sight;
use elenchus_core::answer::{Answer, Claim, Evidence};
use elenchus_core::belief::{ClaimConfidence, EntailmentResult, Verdict};
use elenchus_core::measure::Explained;
use elenchus_core::port::{RIGHT, WRONG};
use elenchus_core::scrutiny::warning::FallacyWarning;
use maud::{Markup, html};

/// How a statement is borne out. Each has a word, a sign and a line of its own, so that none needs its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// Passages bear it out.
    Supported,
    /// They say otherwise.
    Contradicted,
    /// They do neither.
    Unsupported,
    /// Nobody checked; the quote was found.
    Unchecked,
}

impl Support {
    /// Of the claim at a place.
    pub(super) fn of(answer: &Answer, at: usize) -> Self {
        match entailment(answer, at).map(|found| &found.verdict) {
            Some(Verdict::Entailed) => Self::Supported,
            Some(Verdict::Contradicted) => Self::Contradicted,
            Some(Verdict::Neutral { .. }) => Self::Unsupported,
            Some(Verdict::Unchecked { .. }) | None => Self::Unchecked,
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Supported => "is-supported",
            Self::Contradicted => "is-contradicted",
            Self::Unsupported => "is-unsupported",
            Self::Unchecked => "is-unchecked",
        }
    }

    pub(super) fn glyph(self) -> &'static str {
        match self {
            Self::Supported => "\u{2713}",
            Self::Contradicted => "\u{2717}",
            Self::Unsupported => "~",
            Self::Unchecked => "?",
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Contradicted => "contradicted",
            Self::Unsupported => "not supported",
            Self::Unchecked => "unchecked, only the quote was found",
        }
    }
}

/// What the sources say of the claim at a place.
pub(super) fn entailment(answer: &Answer, at: usize) -> Option<&EntailmentResult> {
    let claim = answer.claims.get(at)?;
    answer.entailments.iter().find(|found| found.claim_id == claim.id)
}

/// How sure the claim at a place is, as a word, a rounded number and an interval, and what stands behind that, in the words of
/// every surface. Nothing where the answer was not verified.
pub(super) fn sureness(answer: &Answer, at: usize) -> Markup {
    let sure = answer.sureness(at).filter(|_| answer.confidence.is_some());
    let Some(sure) = sure else { return html! {} };
    let figures = answer.claims.get(at).and_then(|claim| answer.shown_figures(claim));
    html! {
        p.sure {
            @match (sure.figure, sure.level) {
                (Some(p), Some(level)) => {
                    span class={ "level is-" (level.word().replace(' ', "-")) } { (level.word()) }
                    " " span.number { (figure(p)) }
                    @if let Some((low, high)) = sure.interval {
                        " " span.hint { "(95 % interval " (figure(low)) " to " (figure(high)) ")" }
                    }
                }
                _ => { span.level.is-unchecked { (sure.instead) } }
            }
            " " (unsupported(figures))
        }
        p.hint { "Behind it: " (visible(&sure.because())) "." }
    }
}

/// A warning of a fallacy, with the question that would tell.
pub(super) fn warned(warning: &FallacyWarning) -> Markup {
    html! {
        p.fallacy {
            span.sign aria-hidden="true" { "\u{26A0}" } " A warning about " (visible(&warning.about())) ": " strong { (warning.name) }
            " in " q dir="auto" { (visible(&warning.words)) } ". Ask: " (visible(&warning.question))
        }
    }
}

/// Whether no source bears the statement out.
pub(super) fn unsupported(figures: Option<&ClaimConfidence>) -> Markup {
    html! {
        @if figures.is_some_and(ClaimConfidence::is_unsupported) {
            span.badge.bad { span.sign aria-hidden="true" { "\u{26A0}" } "Unsupported" }
        } @else if figures.is_some_and(|one| one.supporting_sources == 1) {
            span.badge { "one source" }
        }
    }
}

/// A figure with the rule and the values behind it.
pub(in super::super) fn explained(tree: &Explained) -> Markup {
    html! {
        div.why {
            p { strong { (tree.what) } " = " span.number { (number(tree.value)) } }
            p.rule { (tree.rule) }
            @if !tree.inputs.is_empty() {
                dl.inputs { @for input in &tree.inputs { div { dt { (input.name) } dd { (number(input.value)) } } } }
            }
            @if !tree.children.is_empty() {
                ul { @for child in &tree.children { li { (explained(child)) } } }
            }
        }
    }
}

/// A value with up to three digits behind the point.
fn number(value: f64) -> String {
    if !value.is_finite() {
        return "unknown".to_owned();
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The page of a source, at a quote.
pub(super) fn place(sight: &Sight<'_>, evidence: &Evidence) -> String {
    let span = evidence.document_span;
    sight.under(&format!("/source/{}?from={}&to={}#quote", evidence.citation, span.start, span.end))
}

/// A quote with where it stands.
pub(super) fn quote(sight: &Sight<'_>, evidence: &Evidence) -> Markup {
    html! {
        figure.quote {
            blockquote dir="auto" { (visible(&evidence.quote)) }
            figcaption {
                a.place href=(place(sight, evidence)) { "[" (evidence.citation) "] " (visible(&evidence.location)) }
                @if let Some(link) = &evidence.link {
                    " " a href=(link) rel="noreferrer noopener nofollow" { "at its publisher" span.sr { ", leaves this machine" } " \u{2197}" }
                }
            }
        }
    }
}

/// The card of the claim at a place.
pub(super) fn card(sight: &Sight<'_>, answer: &Answer, at: usize) -> Markup {
    let Some(claim) = answer.claims.get(at) else { return html! {} };
    let support = Support::of(answer, at);
    let found = entailment(answer, at);
    let figures = answer.shown_figures(claim);
    let evidence = claim.evidence.iter().filter_map(|at| answer.evidence.get(*at));
    html! {
        article class={ "card " (support.class()) } id={ "card-" (claim.id) } data-claim=(claim.id) tabindex="-1" {
            h3 {
                a.back href={ "#" (claim.id) } aria-label={ "Statement " (claim.id) " in the answer" } { (claim.id) }
                " " span.state { span aria-hidden="true" { (support.glyph()) } " " (support.word()) }
            }
            (sureness(answer, at))
            @for evidence in evidence { (quote(sight, evidence)) }
            @for warning in answer.warnings_of(&claim.id) { (warned(warning)) }
            @for found in answer.findings_about(&claim.id) {
                p.fallacy {
                    span.sign aria-hidden="true" { "\u{26A0}" } " " strong { (found.kind.name()) } ", " (found.severity.name()) ": " (visible(&found.text))
                    " " a href=(sight.under(&format!("?view=critique#finding-{}", found.id))) { "the critique" span.sr { ", finding " (found.id) } }
                }
            }
            p.warrant { span.label { "Why it bears on the question: " } (claim.warrant) }
            @if let Some(found) = found {
                @if !found.reasoning.is_empty() { p.hint { (found.reasoning) } }
                @for mismatch in &found.mismatches {
                    p.hint { span.sign aria-hidden="true" { "\u{2260}" } " " (mismatch.reason) }
                }
                @for against in found.contradicting_sources.iter().take(3) {
                    figure.quote.against {
                        p.label { "Says otherwise:" }
                        blockquote dir="auto" { (visible(&against.relevant_text)) }
                        figcaption { (visible(&against.location)) }
                    }
                }
            }
            @if let Some(figures) = figures {
                (drawer(&format!("why-{}", claim.id), &html! { "Why this number?" }, &html! {
                    @if let Some(p) = figures.confidence {
                        p {
                            @if figures.calibrated.is_some() {
                                "Of statements with such figures, " (in_ten(p)) " held up where this was measured. "
                            } @else {
                                "No calibration for this verifier: nobody has measured what such a figure means. "
                            }
                            (counted(figures.supporting_sources, "independent source")) " for it, "
                            (figures.contradicting_sources) " against it." }
                    }
                    (explained(&figures.explained))
                }))
            }
            (judging(sight, claim))
            p.ways {
                a href={ "/v1/research/" (sight.id()) "/claims?claim=" (encoded(claim.id.as_str())) } { "as data" }
                @if let Some(step) = step_of(sight, claim) {
                    " \u{00B7} " a href=(sight.step(step)) { "the step that found it" }
                }
            }
        }
    }
}

/// Whether a person says that it holds, and the way to say so.
fn judging(sight: &Sight<'_>, claim: &Claim) -> Markup {
    let id = claim.id.as_str();
    let said = sight.judged.get(id).map(String::as_str);
    let choice = |word: &str, label: &str| {
        html! { button.quiet.small name="feedback" value=(word) aria-pressed=(said == Some(word)) { (label) span.sr { ": " (id) } } }
    };
    html! {
        form.bar method="post" action=(sight.under(&format!("/claims/{}/feedback", encoded(id)))) {
            input type="hidden" name="back" value={ "?view=answer#card-" (id) };
            (choice(RIGHT, "It is right"))
            (choice(WRONG, "It is wrong"))
            @if said.is_some() { button.quiet.small name="feedback" value="forget" { "Undo" span.sr { ": what was said of " (id) } } }
            (noting(id))
        }
    }
}

/// Words to be kept with a word on something. Enter in them sends nothing.
pub(super) fn noting(id: &str) -> Markup {
    html! {
        details.drawer.noting data-key={ "note-" (id) } {
            summary { "With a note" span.sr { " on " (id) } }
            label { span.sr { "Note on " (id) } textarea name="note" rows="2" maxlength="2000" placeholder="Kept with what you say, on the page of notes" {} }
        }
    }
}

/// The last reading of facts: where the quotes of the answer were taken out.
fn step_of(sight: &Sight<'_>, claim: &Claim) -> Option<u64> {
    let answer = sight.shown.answer.as_ref()?;
    let evidence = answer.evidence.get(*claim.evidence.first()?)?;
    let source =
        sight.shown.sources.iter().find(|source| source.source_id == evidence.source_id)?;
    Some(source.read.seq)
}
