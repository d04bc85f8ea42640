//! Everything a run knows between two inputs, and the few moves that all steps share.

use super::board::Board;
use super::clarity::Clarity;
use super::critic::Critic;
use super::field::Field;
use super::gap::{GapChange, GapLedger, GapStatus};
use super::memory::{HeldHypothesis, OpenGap, SubGoal, SubGoalStatus, WorkingMemory};
use super::named::Named;
use super::recall::Recall;
use super::step::lenses::Viewing;
use super::{Derivations, Effect, Elsewhere, Opened, Options, Outcome, Spent, StopReason, WebUse};
use crate::answer::{Answer, AuditNote, Grounds};
use crate::evidence::ReadPassage;
use crate::id::{EffectId, GapId, PassageId, SourceId, Timestamp};
use crate::port::{TermCount, Usage};
use crate::prompt::{Fact, Plan, PlannedQuestion, Reflection};
use crate::scrutiny::challenge::TracedStep;
use crate::trace::{
    Action, Conclusion, Envelope, Observation, SCHEMA, SourceAdded, Thought, ThoughtContext,
    TraceEvent,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Tokens of working memory that a prompt is told: enough for a plan, its gaps and a dozen finds.
const MEMORY_TOKENS: usize = 400;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Asking back what is meant.
    Clarify,
    /// Splitting the question.
    Plan,
    /// Naming explanations that compete.
    Hypothesize,
    /// Searching.
    Search,
    /// Reading what was found.
    Read,
    /// Judging what was read.
    Reflect,
    /// Extracting facts and settling gaps.
    Analyze,
    /// Writing new queries.
    FollowUp,
    /// Ordering the answer.
    Draft,
    /// Checking the statements of the answer.
    Verify,
    /// Having the answer criticised.
    Critique,
    /// Mending it.
    Revise,
    /// Looking at the evidence through lenses.
    Lenses,
    /// Looking up the other side of known tensions.
    Contrast,
    /// Looking for what stands out.
    Insights,
    /// Over.
    Done,
}

impl Phase {
    /// Every phase, in the order in which a run comes through them.
    pub const ALL: [Self; 16] = [
        Self::Clarify,
        Self::Plan,
        Self::Hypothesize,
        Self::Search,
        Self::Read,
        Self::Reflect,
        Self::Analyze,
        Self::FollowUp,
        Self::Draft,
        Self::Verify,
        Self::Critique,
        Self::Revise,
        Self::Lenses,
        Self::Contrast,
        Self::Insights,
        Self::Done,
    ];

    /// The name shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clarify => "clarify",
            Self::Plan => "plan",
            Self::Hypothesize => "hypothesize",
            Self::Search => "search",
            Self::Read => "read",
            Self::Reflect => "reflect",
            Self::Analyze => "analyze",
            Self::FollowUp => "follow_up",
            Self::Draft => "draft",
            Self::Verify => "verify",
            Self::Critique => "critique",
            Self::Revise => "revise",
            Self::Lenses => "lenses",
            Self::Contrast => "contrast",
            Self::Insights => "insights",
            Self::Done => "done",
        }
    }
}

/// An effect of the current batch, with its outcome once there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Slot {
    pub(crate) effect: Effect,
    pub(crate) outcome: Option<Outcome>,
}

/// A finished effect of a batch.
pub(crate) struct Settled {
    pub(crate) id: EffectId,
    pub(crate) effect: Effect,
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) opened: Opened,
    pub(crate) started_at: Timestamp,
    pub(crate) now: Timestamp,
    pub(crate) phase: Phase,
    pub(crate) paused: bool,
    /// Whether it waits for somebody to look at its plan.
    #[serde(default)]
    pub(crate) in_review: bool,
    /// Questions that were put in place of a plan that is still being made.
    #[serde(default)]
    pub(crate) edited_plan: Vec<String>,
    /// What was asked back, and what the user said.
    #[serde(default)]
    pub(crate) clarity: Clarity,
    pub(crate) round: u8,
    pub(crate) plan: Plan,
    pub(crate) answered: BTreeSet<u32>,
    pub(crate) ledger: GapLedger,
    /// Gaps that this round works on.
    pub(crate) working: Vec<GapId>,
    pub(crate) passages: BTreeMap<PassageId, ReadPassage>,
    pub(crate) reading_order: Vec<PassageId>,
    pub(crate) new_this_round: usize,
    /// What this round's searches brought, read or not, by the gap that they were made for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) brought: BTreeMap<GapId, BTreeSet<PassageId>>,
    pub(crate) sources: BTreeSet<SourceId>,
    pub(crate) terms: BTreeMap<String, u32>,
    pub(crate) titles: Vec<String>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) reflection: Reflection,
    pub(crate) spent: Spent,
    /// Replies by the name of whoever gave them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) replies: BTreeMap<String, u32>,
    /// Servers elsewhere that were noted after the start: whoever went on with the run sends something there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) also_sent: Vec<Elsewhere>,
    pub(crate) stop: Option<StopReason>,
    pub(crate) error: Option<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) only: Vec<String>,
    pub(crate) memory: WorkingMemory,
    /// Explanations under test.
    #[serde(default)]
    pub(crate) board: Board,
    /// Challenges, and a revision under way.
    #[serde(default)]
    pub(crate) critic: Critic,
    /// What the domain pack brings to the run.
    #[serde(default, skip_serializing_if = "Field::is_empty")]
    pub(crate) field: Field,
    /// What became of what earlier runs learned.
    #[serde(default, skip_serializing_if = "Recall::is_empty")]
    pub(crate) recall: Recall,
    /// Sources that the user named since it began.
    #[serde(default, skip_serializing_if = "Named::is_empty")]
    pub(crate) named: Named,
    /// Which query brought a passage to be read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) found_by: BTreeMap<PassageId, String>,
    /// What was done on the web; absent in a run that does not reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) web_use: Option<WebUse>,
    /// Passages that can be searched, where a search has told it: on the web they grow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) searchable: Option<u32>,
    /// The answer while it is being checked.
    #[serde(default)]
    pub(crate) composed: Option<Answer>,
    /// How far the looking through lenses is.
    #[serde(default)]
    pub(crate) viewing: Viewing,
    /// What the draft holds for insights, and whether they were looked at.
    #[serde(default)]
    pub(crate) insights: super::step::insight::Turn,
    /// Whether the model gave no order of the answer, asked for one or not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) own_order: bool,
    /// Whether documents came while the run was under way.
    pub(crate) documents_added: bool,
    pub(crate) answer: Option<Answer>,
    pub(crate) audit: Vec<AuditNote>,
    pub(crate) pending: BTreeMap<EffectId, Slot>,
    pub(crate) next_effect: u32,
    pub(crate) next_thought: u32,
    pub(crate) next_conclusion: u32,
    pub(crate) seq: u64,
    /// Numbers of the events that make up the reasoning trace.
    pub(crate) reasoning: Vec<u64>,
    /// What effects cost that are being settled, until an observation tells it.
    #[serde(skip)]
    pub(crate) costs: BTreeMap<EffectId, Usage>,
    #[serde(skip)]
    pub(crate) out: Vec<Envelope>,
}

impl State {
    pub(crate) fn new(opened: Opened, at: Timestamp) -> Self {
        let memory = WorkingMemory {
            run_id: Some(opened.run_id.clone()),
            query: opened.question.clone(),
            primary_goal: opened.question.clone(),
            start_time: at,
            ..WorkingMemory::default()
        };
        let exclude = opened.options.exclude.clone();
        let critic = Critic::new(opened.contest.as_ref());
        let ledger = GapLedger::under(opened.options.gaps, opened.options.rules());
        Self {
            opened,
            started_at: at,
            now: at,
            phase: Phase::Plan,
            paused: false,
            in_review: false,
            edited_plan: vec![],
            clarity: Clarity::default(),
            round: 0,
            plan: Plan::default(),
            answered: BTreeSet::new(),
            ledger,
            working: Vec::new(),
            passages: BTreeMap::new(),
            reading_order: Vec::new(),
            new_this_round: 0,
            brought: BTreeMap::new(),
            sources: BTreeSet::new(),
            terms: BTreeMap::new(),
            titles: Vec::new(),
            facts: Vec::new(),
            reflection: Reflection::default(),
            spent: Spent::default(),
            replies: BTreeMap::new(),
            also_sent: Vec::new(),
            stop: None,
            error: None,
            exclude,
            only: Vec::new(),
            memory,
            board: Board::default(),
            critic,
            field: Field::default(),
            recall: Recall::default(),
            named: Named::default(),
            found_by: BTreeMap::new(),
            web_use: None,
            searchable: None,
            composed: None,
            viewing: Viewing::default(),
            insights: super::step::insight::Turn::default(),
            own_order: false,
            documents_added: false,
            answer: None,
            audit: Vec::new(),
            pending: BTreeMap::new(),
            next_effect: 1,
            next_thought: 1,
            next_conclusion: 1,
            seq: 0,
            reasoning: Vec::new(),
            costs: BTreeMap::new(),
            out: Vec::new(),
        }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.opened.options
    }

    /// Whether the run began with the rules of this revision, or later ones.
    pub(crate) fn follows(&self, rules: Derivations) -> bool {
        self.opened.options.rules() >= rules
    }

    pub(crate) fn emit(&mut self, event: TraceEvent) {
        let is_whole = self.options().gaps.thorough || self.follows(Derivations::SECOND);
        let event = if is_whole { event } else { event.into_first_told() };
        self.seq += 1;
        let envelope = Envelope {
            schema: SCHEMA,
            run_id: self.opened.run_id.clone(),
            seq: self.seq,
            at: self.now,
            event,
        };
        self.critic.steps.extend(TracedStep::of(&envelope));
        self.out.push(envelope);
    }

    /// A thought. `content` must name a datum of this very run: a word of the question, a number, a path.
    pub(crate) fn think(&mut self, content: String, related_to: Vec<String>) -> String {
        let id = format!("t{}", self.next_thought);
        self.next_thought += 1;
        self.memory.think(&content);
        let stage = self.phase.name().to_owned();
        self.emit(TraceEvent::ReasoningThought(Thought {
            id: id.clone(),
            content,
            stage: stage.clone(),
            step: self.round,
            related_to: related_to.clone(),
            context: Some(ThoughtContext { stage, step: self.round, related_to }),
        }));
        self.reasoning.push(self.seq);
        id
    }

    /// A conclusion; `borne_out` is how many of how many bear it out, and what is counted.
    pub(crate) fn conclude(
        &mut self,
        conclusion: String,
        thoughts: Vec<String>,
        next_steps: Vec<String>,
        (of, all, what): (usize, usize, &str),
    ) {
        let id = format!("k{}", self.next_conclusion);
        self.next_conclusion += 1;
        self.memory.note(&conclusion);
        self.emit(TraceEvent::ReasoningConclusion(Conclusion {
            id,
            conclusion,
            supporting_thoughts: thoughts,
            confidence: (all > 0).then(|| of as f64 / all as f64),
            confidence_because: format!("{of} of {all} {what}"),
            next_steps,
        }));
        self.reasoning.push(self.seq);
    }

    /// Puts an effect into the current batch and tells the trace about it.
    pub(crate) fn request(
        &mut self,
        effect: Effect,
        action: String,
        parameters: serde_json::Value,
        reasoning: String,
    ) -> EffectId {
        let id = EffectId(self.next_effect);
        self.next_effect += 1;
        self.emit(TraceEvent::ReasoningAction(Action {
            id,
            action,
            tool: effect.tool().to_owned(),
            parameters,
            reasoning,
        }));
        self.reasoning.push(self.seq);
        match &effect {
            Effect::Model { .. } => self.spent.model_calls += 1,
            Effect::Search(_) => self.spent.searches += 1,
            Effect::Read { passages } => self.spent.passages += passages.len() as u32,
            Effect::Embed { .. }
            | Effect::Verify { .. }
            | Effect::Contradict { .. }
            | Effect::Meetings { .. } => {}
        }
        self.pending.insert(id, Slot { effect, outcome: None });
        id
    }

    pub(crate) fn observe(
        &mut self,
        id: EffectId,
        result: String,
        analysis: String,
        implications: Vec<String>,
    ) {
        let usage = self.costs.remove(&id);
        self.emit(TraceEvent::ReasoningObservation(Observation {
            action_id: id,
            result,
            analysis,
            implications,
            usage,
        }));
        self.reasoning.push(self.seq);
    }

    /// Takes in a passage that was read, and its source. Whether the passage is new.
    pub(crate) fn take_in(&mut self, read: ReadPassage) -> bool {
        let source = &read.source;
        if self.sources.insert(source.id.clone()) {
            let event = TraceEvent::SourceAdded(SourceAdded {
                source_id: source.id.clone(),
                path: source.path.clone(),
                title: source.title.clone(),
                date: source.date.clone(),
                author: source.author.clone(),
            });
            self.emit(event);
        }
        let passage = read.passage.id.clone();
        let is_new = self.passages.insert(passage.clone(), read).is_none();
        if is_new {
            self.reading_order.push(passage);
        }
        is_new
    }

    /// Counts a reply; without a name it is that of the only model there is. Runs of the first revision asked nobody's name.
    pub(crate) fn heard(&mut self, model: Option<&str>) {
        if !self.follows(Derivations::SECOND) {
            return;
        }
        let name = model.unwrap_or(&self.opened.model).to_owned();
        *self.replies.entry(name).or_default() += 1;
    }

    /// Of these servers elsewhere those that the run has not noted yet, each once.
    pub(crate) fn unnoted(&self, elsewhere: &[Elsewhere]) -> Vec<Elsewhere> {
        let noted = || self.opened.options.elsewhere.iter().flatten().chain(&self.also_sent);
        let mut new: Vec<Elsewhere> = Vec::new();
        for one in elsewhere {
            if !noted().any(|known| known == one) && !new.contains(one) {
                new.push(one.clone());
            }
        }
        new
    }

    pub(crate) fn budget_updated(&mut self) {
        self.spent_and_sent(Vec::new());
    }

    /// Tells what was spent, and where things are sent from here on beside what was told.
    pub(crate) fn spent_and_sent(&mut self, elsewhere: Vec<Elsewhere>) {
        let spent = self.spent;
        self.emit(TraceEvent::BudgetUpdated {
            rounds: spent.rounds,
            passages: spent.passages,
            model_calls: spent.model_calls,
            usage: spent.usage,
            elsewhere,
        });
    }

    /// Tells the trace about changes of the ledger.
    pub(crate) fn gap_changes(&mut self, changes: Vec<GapChange>) {
        for GapChange { gap_id, status, mut because } in changes {
            if status == GapStatus::Abandoned
                && self.follows(Derivations::THIRD)
                && let Some(cause) =
                    self.ledger.get(&gap_id).and_then(|gap| super::cause::of(self, gap))
                && let Some(said) = self.ledger.set_cause(&gap_id, cause)
            {
                because = said;
            }
            let event = match status {
                GapStatus::Resolved => TraceEvent::GapResolved { gap_id, because },
                GapStatus::Active => TraceEvent::GapReopened { gap_id, because },
                GapStatus::Abandoned => {
                    let Some(gap) = self.ledger.get(&gap_id) else { continue };
                    TraceEvent::GapAbandoned {
                        reason: gap.reason.unwrap_or(super::gap::GapReason::Budget),
                        attempts: gap.attempt_count,
                        queries: gap
                            .previous_queries
                            .iter()
                            .map(|tried| tried.query.clone())
                            .collect(),
                        gap_id,
                        because,
                    }
                }
            };
            self.emit(event);
            self.reasoning.push(self.seq);
        }
        self.refresh_memory();
    }

    /// Planned questions that are still open, i.e. whose gap is active or that have none.
    pub(crate) fn open_questions(&self) -> Vec<PlannedQuestion> {
        self.plan
            .questions
            .iter()
            .filter(|question| !self.answered.contains(&question.id))
            .filter(|question| {
                self.ledger
                    .for_question(question.id)
                    .is_none_or(|gap| gap.status == GapStatus::Active)
            })
            .cloned()
            .collect()
    }

    /// Passages that were first read in this round, were found by searches for this gap, and bear on what is asked as
    /// the reflection judged. What only a neighbour's search found, and noise, is none of its support.
    pub(crate) fn support_for(&self, gap: &GapId) -> usize {
        let Some(brought) = self.brought.get(gap) else { return 0 };
        let seen = self.reading_order.len().saturating_sub(self.new_this_round);
        self.reading_order
            .iter()
            .skip(seen)
            .filter(|id| brought.contains(*id))
            .filter(|id| self.reflection.relevant_passage_ids.contains(*id))
            .count()
    }

    /// Whether a search of this run was, in other order or nearly, this one.
    pub(crate) fn was_tried(&self, query: &str) -> bool {
        self.ledger.was_tried(query)
            || self.board.was_searched(query)
            || self.field.was_searched(query)
            || self.critic.was_searched(query)
    }

    /// Passages that can be searched.
    pub(crate) fn searchable(&self) -> u32 {
        self.searchable.unwrap_or(self.opened.corpus.passages)
    }

    pub(crate) fn term_counts(&self) -> Vec<TermCount> {
        self.terms
            .iter()
            .map(|(term, passages)| TermCount { term: term.clone(), passages: *passages })
            .collect()
    }

    /// What an answer is linted against.
    pub(crate) fn grounds(&self) -> Grounds<'_> {
        Grounds {
            passages: &self.passages,
            ledger: &self.ledger,
            questions: &self.plan.questions,
            rules: self.options().rules(),
        }
    }

    pub(crate) fn read_passages(&self) -> Vec<ReadPassage> {
        self.reading_order.iter().filter_map(|id| self.passages.get(id)).cloned().collect()
    }

    /// Where the run stands, as prompts are told it. The older loop remembers nothing of earlier rounds.
    pub(crate) fn context(&mut self) -> String {
        if !self.options().reflection.is_ledger() {
            return String::new();
        }
        self.refresh_memory();
        self.memory.render_context(MEMORY_TOKENS)
    }

    /// Brings the parts of working memory that mirror other state up to date.
    pub(crate) fn refresh_memory(&mut self) {
        if self.phase == Phase::Done {
            // What it had in mind is in the trace; the answer says the rest.
            self.memory = WorkingMemory::default();
            return;
        }
        self.phase.name().clone_into(&mut self.memory.current_phase);
        self.memory.current_step = self.round;
        self.memory.sub_goals = self
            .plan
            .questions
            .iter()
            .map(|question| {
                let gap = self.ledger.for_question(question.id);
                let status = if self.answered.contains(&question.id) {
                    SubGoalStatus::Completed
                } else {
                    match gap {
                        Some(gap) if gap.status == GapStatus::Abandoned => SubGoalStatus::Blocked,
                        Some(gap) if self.working.contains(&gap.id) => SubGoalStatus::InProgress,
                        _ => SubGoalStatus::Pending,
                    }
                };
                SubGoal {
                    id: question.id,
                    description: question.text.clone(),
                    priority: question.severity.weight(),
                    status,
                    dependencies: question.depends_on.clone(),
                }
            })
            .collect();
        self.memory.gaps = self
            .ledger
            .active()
            .map(|gap| OpenGap {
                id: gap.id.clone(),
                description: gap.description.clone(),
                severity: gap.severity,
                attempts: gap.attempt_count,
            })
            .collect();
        let ranked = self.board.ranked();
        let held = ranked.iter().filter(|one| one.dropped.is_none());
        self.memory.hypotheses = held.map(HeldHypothesis::of).collect();
    }
}
