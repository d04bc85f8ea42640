//! The view: the fold of a run that every surface shows.

use crate::answer::figures::Ground;
use crate::answer::{Answer, AuditNote, Grounds};
use crate::belief::Hypothesis;
use crate::evidence::ReadPassage;
use crate::id::{MemoId, PassageId, RunId};
use crate::inquiry::RunStateRef;
use crate::inquiry::gap::{GapHistory, GapLedger};
use crate::inquiry::{
    Elsewhere, Forked, NewSources, Phase, Recollection, SourcesRefused, Spent, StopReason,
    WorkingMemory,
};
use crate::port::{CorpusOverview, TermCount};
use crate::prompt::{Fact, Plan};
use crate::trace::Credit;

/// A look at a run. Borrowed; making one costs nothing.
#[derive(Clone, Copy)]
pub struct RunView<'a> {
    state: RunStateRef<'a>,
}

/// How far a run is, in one line's worth of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Where it stands.
    pub phase: Phase,
    /// The round, from 1; 0 before the first.
    pub round: u8,
    /// Planned questions.
    pub questions: usize,
    /// Those answered.
    pub answered: usize,
    /// Gaps still open.
    pub open_gaps: usize,
    /// Passages read.
    pub passages: usize,
    /// Documents read.
    pub sources: usize,
}

impl<'a> RunView<'a> {
    pub(crate) fn new(state: RunStateRef<'a>) -> Self {
        Self { state }
    }

    /// The run's id.
    pub fn run_id(&self) -> &'a RunId {
        &self.state.opened.run_id
    }

    /// What the charts of its answer need to know of the run.
    pub fn ground(&self) -> Ground<'a> {
        Ground {
            options: Some(&self.state.opened.options),
            calibration: self.state.opened.judging.as_ref().map(|judging| &judging.calibration),
        }
    }

    /// Why sources are not to be given to it; `None` where they may be.
    pub fn refuses_sources(&self, sources: &NewSources) -> Option<SourcesRefused> {
        sources.refusal(&self.state.opened.options, self.state.opened.corpus.documents)
    }

    /// The model that it began with.
    pub fn model(&self) -> &'a str {
        &self.state.opened.model
    }

    /// Of these servers elsewhere those that the run has not noted that something is sent to.
    pub fn unnoted(&self, elsewhere: &[Elsewhere]) -> Vec<Elsewhere> {
        self.state.unnoted(elsewhere)
    }

    /// The question.
    pub fn question(&self) -> &'a str {
        &self.state.opened.question
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let state = self.state;
        Progress {
            phase: state.phase,
            round: state.round,
            questions: state.plan.questions.len(),
            answered: state.answered.len(),
            open_gaps: state.ledger.active().count(),
            passages: state.passages.len(),
            sources: state.sources.len(),
        }
    }

    /// The plan; empty before there is one.
    pub fn plan(&self) -> &'a Plan {
        &self.state.plan
    }

    /// The gap ledger.
    pub fn gaps(&self) -> &'a GapLedger {
        &self.state.ledger
    }

    /// What was read, in the order of reading.
    pub fn passages(&self) -> Vec<ReadPassage> {
        self.state.read_passages()
    }

    /// All gaps, and which is worked on.
    pub fn gap_history(&self) -> GapHistory {
        self.state.ledger.history(&self.state.working)
    }

    /// How common the words of the queries are in the corpus.
    pub fn terms(&self) -> Vec<TermCount> {
        self.state.term_counts()
    }

    /// What could be searched.
    pub fn corpus(&self) -> &'a CorpusOverview {
        &self.state.opened.corpus
    }

    /// Where it was forked, if it was.
    pub fn forked(&self) -> Option<&'a Forked> {
        self.state.opened.forked.as_ref()
    }

    /// Facts that held.
    pub fn facts(&self) -> &'a [Fact] {
        &self.state.facts
    }

    /// Explanations under test, the highest credence first.
    pub fn hypotheses(&self) -> Vec<Hypothesis> {
        self.state.board.ranked()
    }

    /// Working memory; empty once the run is over.
    pub fn memory(&self) -> &'a WorkingMemory {
        &self.state.memory
    }

    /// What was spent.
    pub fn spent(&self) -> Spent {
        self.state.spent
    }

    /// Why it stopped, once it has.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.state.stop
    }

    /// The answer, once there is one.
    pub fn answer(&self) -> Option<&'a Answer> {
        self.state.answer.as_ref()
    }

    /// The query for which a passage was read.
    pub fn found_by(&self, passage: &PassageId) -> Option<&'a str> {
        self.state.found_by.get(passage).map(String::as_str)
    }

    /// How many passages were read for a query.
    pub fn found_with(&self, query: &str) -> u32 {
        self.state.found_by.values().filter(|by| *by == query).count() as u32
    }

    /// What the run was told that earlier runs learned.
    pub fn recalled(&self) -> &'a Recollection {
        &self.state.opened.recalled
    }

    /// The searches that memos of earlier runs led to, each with its memo.
    pub fn led(&self) -> impl Iterator<Item = (&'a MemoId, &'a str)> + use<'a> {
        self.state.recall.led.iter().map(|led| (&led.memo, led.query.as_str()))
    }

    /// What it made of that, once it is over.
    pub fn credits(&self) -> &'a [Credit] {
        &self.state.recall.credits
    }

    /// What its answer is linted against.
    pub fn grounds(&self) -> Grounds<'a> {
        self.state.grounds()
    }

    /// What the audit of the answer found.
    pub fn audit(&self) -> &'a [AuditNote] {
        &self.state.audit
    }

    /// The error that ended the run, if one did.
    pub fn error(&self) -> Option<&'a str> {
        self.state.error.as_deref()
    }
}
