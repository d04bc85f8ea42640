//! The projection: the one fold of a run's events that every surface shows.
//!
//! The terminal, the pages of the server, its HTTP API and the exports ask nothing else of a run. It needs no journal and no
//! engine: who has the events, live or kept, has all of it, and folding an event twice changes nothing, so that a reader that
//! lost its connection may begin again anywhere before the break.

mod apply;
mod gaps;
mod parts;
mod plan;
mod steps;
mod words;

pub use parts::{
    ContradictionShown, ControlShown, GapRound, GapShown, GapStanding, HypothesisMove,
    HypothesisShown, LensShown, Moment, QuestionShown, RevisionShown, RoundShown, RunStatus,
    Scoring, SourceShown, WebSearch,
};
pub use steps::{Step, StepKind};
pub use words::said;

use super::{Credit, Envelope, RecalledMemory};
use crate::answer::{Answer, AuditNote};
use crate::graph::RecalledMemo;
use crate::id::{RunId, Timestamp};
use crate::inquiry::{Elsewhere, Forked, Options, RuleOfTwo, Spent, StopReason, WithheldQuery};
use crate::port::CorpusOverview;
use crate::prompt::{ClarifyingQuestion, Complexity};
use crate::scrutiny::challenge::Contest;
use crate::scrutiny::critique::Critique;
use crate::synthesis::insight::Insight;
use serde::Serialize;

/// Everything that is shown of a run, as far as its events go.
///
/// Lists are in the order of the events. The answer and its parts are there once the run has composed it; what stands beside it
/// (gaps, hypotheses, sources) is there from the first event that tells of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Projection {
    /// The run.
    pub run_id: RunId,
    /// The question, as it is researched.
    pub question: String,
    /// Whether it runs, waits or has ended, and how.
    pub status: RunStatus,
    /// What it is doing, by the name of the phase: `plan`, `search`, `read`, ... `done`.
    pub stage: &'static str,
    /// When it began.
    pub started_at: Timestamp,
    /// When the last event was caused.
    pub updated_at: Timestamp,
    /// The number of the last event that was folded; 0 before the first.
    pub seq: u64,
    /// The model's name.
    pub model: String,
    /// What it may search.
    pub corpus: CorpusOverview,
    /// What it may use.
    pub options: Box<Options>,
    /// Servers elsewhere that whoever went on with it sent something to, where it had not noted at its start what it sends; they
    /// stand in `options.elsewhere` otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent_also: Vec<Elsewhere>,
    /// The challenge to an earlier run that it looks into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<Box<Contest>>,
    /// The run whose beginning it has, when it was forked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked: Option<Box<Forked>>,
    /// What it may read and which words may leave, when it reaches the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_of_two: Option<RuleOfTwo>,
    /// Searches that were kept here.
    pub withheld: Vec<WithheldQuery>,
    /// Searches of the web.
    pub web: Vec<WebSearch>,
    /// Strategies that it was told.
    pub recalled: Vec<RecalledMemory>,
    /// What became of them.
    pub credits: Vec<Credit>,
    /// Memos of earlier runs that it was told, and how their documents stood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memos: Vec<RecalledMemo>,
    /// What it has asked back and waits to hear; empty when it does not.
    pub asked_back: Vec<ClarifyingQuestion>,
    /// The planned questions, each with whether it is answered; those that a person asked for on the way are among them.
    pub questions: Vec<QuestionShown>,
    /// How big the task looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Rounds allowed; 0 before the plan.
    pub max_rounds: u8,
    /// The rounds.
    pub rounds: Vec<RoundShown>,
    /// The gap ledger.
    pub gaps: Vec<GapShown>,
    /// Explanations that compete.
    pub hypotheses: Vec<HypothesisShown>,
    /// Documents read.
    pub sources: Vec<SourceShown>,
    /// Where sources disagree.
    pub contradictions: Vec<ContradictionShown>,
    /// Connections that stand out.
    pub insights: Vec<Insight>,
    /// Lenses that were looked through.
    pub lenses: Vec<LensShown>,
    /// What speaks against the answer; the last critique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critique: Option<Box<Critique>>,
    /// What was done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<RevisionShown>,
    /// Quotes that held, and those that did not.
    pub facts: (u32, u32),
    /// How the checking of the answer stands.
    pub scoring: Scoring,
    /// What was spent.
    pub spent: Spent,
    /// What people told it.
    pub controls: Vec<ControlShown>,
    /// The steps of the reasoning. Kept out of the JSON of the whole: they have pages of their own.
    #[serde(skip)]
    pub steps: Vec<Step>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<Answer>>,
    /// What its audit found.
    pub audit: Vec<AuditNote>,
    /// Why it stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// What made it impossible to go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the steps need to know of each other.
    #[serde(skip)]
    open: steps::Open,
}

impl Projection {
    /// A run of which nothing is known yet.
    pub fn new(run_id: RunId) -> Self {
        Self {
            run_id,
            question: String::new(),
            status: RunStatus::Running,
            stage: "starting",
            started_at: Timestamp(0),
            updated_at: Timestamp(0),
            seq: 0,
            model: String::new(),
            corpus: CorpusOverview::default(),
            options: Box::default(),
            sent_also: Vec::new(),
            contest: None,
            forked: None,
            rule_of_two: None,
            withheld: vec![],
            web: vec![],
            recalled: vec![],
            credits: vec![],
            memos: vec![],
            asked_back: vec![],
            questions: vec![],
            complexity: None,
            max_rounds: 0,
            rounds: vec![],
            gaps: vec![],
            hypotheses: vec![],
            sources: vec![],
            contradictions: vec![],
            insights: vec![],
            lenses: vec![],
            critique: None,
            revision: None,
            facts: (0, 0),
            scoring: Scoring::default(),
            spent: Spent::default(),
            controls: vec![],
            steps: vec![],
            answer: None,
            audit: vec![],
            stop_reason: None,
            error: None,
            open: steps::Open::default(),
        }
    }

    /// Folds the events of one run; `None` without any.
    pub fn of(events: &[Envelope]) -> Option<Self> {
        let mut shown = Self::new(events.first()?.run_id.clone());
        for event in events {
            shown.apply(event);
        }
        Some(shown)
    }

    /// Whether nothing more will come.
    pub fn is_over(&self) -> bool {
        self.status.is_over()
    }

    /// The gap of an id.
    pub fn gap(&self, id: &str) -> Option<&GapShown> {
        self.gaps.iter().find(|gap| gap.gap_id.as_str() == id)
    }

    /// The step that an event made, by the number of the event.
    pub fn step(&self, seq: u64) -> Option<&Step> {
        let at = self.steps.binary_search_by_key(&seq, |step| step.seq).ok()?;
        self.steps.get(at)
    }

    /// Gaps that are still worked on.
    pub fn open_gaps(&self) -> usize {
        self.gaps.iter().filter(|gap| gap.standing == GapStanding::Open).count()
    }

    /// Whether it waits until somebody edits its plan or lets it go on.
    pub fn awaits_review(&self) -> bool {
        self.open.in_review && self.status == RunStatus::Paused
    }

    /// Planned questions that are answered.
    pub fn answered(&self) -> usize {
        self.questions.iter().filter(|question| question.answered).count()
    }

    /// The gap that the last analysis chose to work on next, while the run searches.
    pub fn current_gap(&self) -> Option<&GapShown> {
        let next = self.rounds.iter().rev().find_map(|round| round.analysis.as_ref())?;
        self.gap(next.next_gap_to_research.as_ref()?.as_str())
    }

    /// Hosts of the web that pages were asked of or that were searched, each once, in alphabetical order. Empty when nothing
    /// left this machine for the web.
    pub fn hosts(&self) -> Vec<String> {
        let mut hosts: Vec<String> = self
            .web
            .iter()
            .flat_map(|search| {
                let asked = search.report.asked.iter().map(|asked| asked.provider.clone());
                let pages = search.report.pages.iter().filter_map(|page| host(&page.url));
                asked.chain(pages)
            })
            .collect();
        hosts.sort();
        hosts.dedup();
        hosts
    }
}

/// The host of an address.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    Some(host.rsplit('@').next()?.to_owned())
}
