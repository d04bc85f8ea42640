//! The page of a run: a head that stays, and one part of the run at a time. Each piece that can change while the run goes on has
//! a name and a mark of what it holds, so that a browser fetches only what has become different.

mod answer;
mod beside;
mod cards;
mod charts;
mod confidence;
mod controls;
mod cost;
mod critique;
#[cfg(test)]
pub(crate) mod fixture;
mod gaps;
mod head;
mod hypotheses;
mod insights;
mod lenses;
mod log;
mod now;
mod sources;
mod steps;
mod text;
mod tree;

pub(super) use cards::explained as cards_explained;
pub(super) use head::{is_local as head_is_local, sent_to};

use super::page::{Here, Shell, page};
use super::words::encoded;
use crate::runs::Linked;
use elenchus_core::id::short_hash;
use elenchus_core::synthesis::insight::InsightFeedback;
use elenchus_core::trace::{Projection, RunStatus, StepKind};
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A part of a run that is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The answer with what it rests on.
    #[default]
    Answer,
    /// How sure it is, and why.
    Confidence,
    /// The steps of the reasoning.
    Trace,
    /// What was missing, round by round.
    Gaps,
    /// Explanations that compete.
    Hypotheses,
    /// The evidence through several lenses.
    Perspectives,
    /// What stands out.
    Insights,
    /// What speaks against the answer.
    Critique,
    /// What was read, and what it cost.
    Cost,
}

impl View {
    /// Every view, in the order in which they are offered.
    pub const ALL: [Self; 9] = [
        Self::Answer,
        Self::Confidence,
        Self::Trace,
        Self::Gaps,
        Self::Hypotheses,
        Self::Perspectives,
        Self::Insights,
        Self::Critique,
        Self::Cost,
    ];

    /// The word used in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Confidence => "confidence",
            Self::Trace => "trace",
            Self::Gaps => "gaps",
            Self::Hypotheses => "hypotheses",
            Self::Perspectives => "perspectives",
            Self::Insights => "insights",
            Self::Critique => "critique",
            Self::Cost => "cost",
        }
    }

    /// The view of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name)
    }

    /// The words for people.
    fn label(self) -> &'static str {
        match self {
            Self::Answer => "Answer",
            Self::Confidence => "Confidence",
            Self::Trace => "Trace",
            Self::Gaps => "Gaps",
            Self::Hypotheses => "Hypotheses",
            Self::Perspectives => "Perspectives",
            Self::Insights => "Insights",
            Self::Critique => "Critique",
            Self::Cost => "Sources and cost",
        }
    }

    /// How many things are there to see, where that can be counted.
    fn count(self, shown: &Projection) -> Option<usize> {
        match self {
            Self::Answer | Self::Cost => None,
            Self::Confidence => shown.scoring.claims.map(|n| n as usize),
            Self::Trace => Some(shown.steps.len()),
            Self::Gaps => Some(shown.gaps.len()),
            Self::Hypotheses => Some(shown.hypotheses.len()),
            Self::Perspectives => Some(shown.lenses.len()),
            Self::Insights => Some(shown.insights.len()),
            Self::Critique => Some(shown.critique.as_ref().map_or(0, |one| one.findings.len())),
        }
    }

    /// The pieces of it that can change.
    fn pieces(self) -> &'static [&'static str] {
        match self {
            Self::Answer => &["head", "controls", "now", "answer", "beside"],
            Self::Confidence => &["head", "controls", "confidence"],
            Self::Trace => &["head", "controls", "trace"],
            Self::Gaps => &["head", "controls", "gaps"],
            Self::Hypotheses => &["head", "controls", "hypotheses"],
            Self::Perspectives => &["head", "controls", "perspectives"],
            Self::Insights => &["head", "controls", "insights"],
            Self::Critique => &["head", "controls", "critique"],
            Self::Cost => &["head", "controls", "cost"],
        }
    }
}

/// How the trace is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// In order, to be searched.
    #[default]
    Log,
    /// By round and action.
    Tree,
    /// Over time, in lanes.
    Timeline,
}

impl Layout {
    const ALL: [Self; 3] = [Self::Log, Self::Tree, Self::Timeline];

    fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Tree => "tree",
            Self::Timeline => "timeline",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Log => "Log",
            Self::Tree => "Tree",
            Self::Timeline => "Timeline",
        }
    }
}

/// What is asked of the page of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The part.
    pub view: View,
    /// How the trace is laid out.
    pub layout: Layout,
    /// Words that steps must say.
    pub q: String,
    /// The kind that steps must have.
    pub kind: Option<StepKind>,
    /// The page of the log, from 1; the last without one, or that of `at`.
    pub page: Option<usize>,
    /// A step that must be on the page.
    pub at: Option<u64>,
    /// The type of insights.
    pub insight: Option<String>,
    /// Whether credences are drawn as log-odds.
    pub log_odds: bool,
}

impl Asked {
    /// From the pairs of a query; what is not understood is left out.
    pub fn of<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut asked = Self::default();
        for (key, value) in pairs {
            match key {
                "view" => asked.view = View::named(value).unwrap_or_default(),
                "as" => {
                    asked.layout = Layout::ALL
                        .into_iter()
                        .find(|layout| layout.name() == value)
                        .unwrap_or_default();
                }
                "q" => asked.q = value.chars().take(200).collect(),
                "kind" => asked.kind = StepKind::named(value),
                "page" => asked.page = value.parse().ok().filter(|page| *page > 0),
                "at" => asked.at = value.parse().ok(),
                "insight" if !value.is_empty() => {
                    asked.insight = Some(value.chars().take(40).collect());
                }
                "scale" => asked.log_odds = value == "log-odds",
                _ => {}
            }
        }
        asked
    }

    /// The same as a query, beginning with `?`.
    pub fn query(&self) -> String {
        let mut out = format!("?view={}", self.view.name());
        if self.layout != Layout::Log {
            write!(out, "&as={}", self.layout.name()).expect("writing to a String cannot fail");
        }
        if !self.q.is_empty() {
            write!(out, "&q={}", encoded(&self.q)).expect("writing to a String cannot fail");
        }
        if let Some(kind) = self.kind {
            write!(out, "&kind={}", kind.name()).expect("writing to a String cannot fail");
        }
        if let Some(page) = self.page {
            write!(out, "&page={page}").expect("writing to a String cannot fail");
        }
        if let Some(at) = self.at {
            write!(out, "&at={at}").expect("writing to a String cannot fail");
        }
        if let Some(insight) = &self.insight {
            write!(out, "&insight={}", encoded(insight)).expect("writing to a String cannot fail");
        }
        if self.log_odds {
            out.push_str("&scale=log-odds");
        }
        out
    }
}

/// Everything that the page of a run is made of.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The run as far as its events go.
    pub shown: &'a Projection,
    /// Whether it is driven at this moment.
    pub driven: bool,
    /// What it waits for, in words; empty when it is over.
    pub waits: &'a str,
    /// What the user said of its insights, by their ids.
    pub feedback: &'a BTreeMap<String, InsightFeedback>,
    /// What people said of its statements, `right` or `wrong`, by their ids.
    pub judged: &'a BTreeMap<String, String>,
    /// Formats in which its answer was taken out.
    pub exports: &'a [String],
    /// Runs that came of it, once it is over.
    pub linked: &'a [Linked],
}

impl Sight<'_> {
    fn id(&self) -> &str {
        self.shown.run_id.as_str()
    }

    /// An address below the run's.
    fn under(&self, rest: &str) -> String {
        format!("/research/{}{rest}", encoded(self.id()))
    }

    /// How it stands, in a sentence for those who do not look.
    pub fn said(&self) -> String {
        let shown = self.shown;
        if shown.is_over() {
            let (_, words) = head::status(shown.status, self.driven);
            return format!("The run is over: {words}.");
        }
        if shown.status == RunStatus::Waiting {
            return "The run asks you something.".to_owned();
        }
        format!(
            "{}: {} sources read, {} of {} questions answered.",
            head::doing(shown.stage),
            shown.sources.len(),
            shown.answered(),
            shown.questions.len()
        )
    }

    /// The address of a step, on whichever page of the log it stands.
    fn step(&self, seq: u64) -> String {
        self.under(&format!("?view=trace&at={seq}#e{seq}"))
    }
}

/// A piece of the page, with the mark of what it holds.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name.
    pub name: &'static str,
    /// Changes with what it holds.
    pub mark: String,
    /// The element, with name and mark.
    pub html: String,
}

/// A piece by its name; `None` when there is none of that name.
pub fn piece(sight: &Sight<'_>, asked: &Asked, name: &str) -> Option<Piece> {
    let (name, inner) = match name {
        "head" => ("head", head::head(sight, asked)),
        "controls" => ("controls", controls::controls(sight, asked)),
        "now" => ("now", now::now(sight)),
        "answer" => ("answer", answer::answer(sight)),
        "beside" => ("beside", beside::beside(sight)),
        "confidence" => ("confidence", confidence::confidence(sight)),
        "trace" => ("trace", log::trace(sight, asked)),
        "gaps" => ("gaps", gaps::gaps(sight)),
        "hypotheses" => ("hypotheses", hypotheses::hypotheses(sight, asked)),
        "perspectives" => ("perspectives", lenses::perspectives(sight)),
        "insights" => ("insights", insights::insights(sight, asked)),
        "critique" => ("critique", critique::critique(sight)),
        "cost" => ("cost", cost::cost(sight)),
        _ => return None,
    };
    let mark = short_hash(inner.0.as_bytes(), 12);
    let html =
        html! { div id={ "piece-" (name) } .piece data-piece=(name) data-mark=(mark) { (inner) } };
    Some(Piece { name, mark, html: html.0 })
}

/// The pieces of a view that a browser does not have as they are now. `have` holds the marks that it has.
pub fn changed(sight: &Sight<'_>, asked: &Asked, have: &BTreeMap<String, String>) -> Vec<Piece> {
    let names = asked.view.pieces().iter();
    names
        .filter_map(|name| piece(sight, asked, name))
        .filter(|piece| have.get(piece.name) != Some(&piece.mark))
        .collect()
}

/// The page.
pub fn show(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let main = html! {
        article.run data-run=(sight.id()) data-seq=(sight.shown.seq) data-query=(asked.query())
            data-over=[sight.shown.is_over().then_some("")] {
            @for name in asked.view.pieces() {
                @if let Some(piece) = piece(sight, asked, name) { (maud::PreEscaped(piece.html)) }
            }
        }
    };
    let title = if sight.shown.question.is_empty() { "A run" } else { &sight.shown.question };
    page(Shell { title, here: Here::Runs, wide: true }, &main)
}

#[cfg(test)]
mod tests;
