//! The steps of the reasoning: what stands in a tree, on a timeline and in a log that can be searched.

use super::gaps::Written;
use super::{Moment, Projection, Scoring, words};
use crate::id::{EffectId, Timestamp};
use crate::scrutiny::challenge::TracedStep;
use crate::trace::{Envelope, TraceEvent};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What kind of step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// The run began, ended or failed.
    Session,
    /// A plan.
    Plan,
    /// A thought.
    Thinking,
    /// Something about to be done.
    Action,
    /// What came of it.
    Observation,
    /// Where a line of reasoning ended.
    Conclusion,
    /// A round began or ended.
    Round,
    /// A document was read for the first time.
    Source,
    /// What a round achieved, and what follows.
    Reflection,
    /// A gap was opened, closed, given up or taken up again, or queries were written for one.
    Gap,
    /// Explanations were named or tested.
    Hypothesis,
    /// Sources disagree.
    Contradiction,
    /// Something on the web, or kept from it.
    Web,
    /// Something that earlier runs learned.
    Memory,
    /// The answer is checked.
    Checking,
    /// The answer was criticised or revised.
    Critique,
    /// A lens was looked through.
    Lens,
    /// A connection that stands out.
    Insight,
    /// What was spent.
    Budget,
    /// What a person said, or is asked.
    Control,
    /// A model's reply was mended.
    Repair,
    /// The answer.
    Answer,
}

impl StepKind {
    /// Every kind, in the order of a legend.
    pub const ALL: [Self; 22] = [
        Self::Session,
        Self::Plan,
        Self::Thinking,
        Self::Action,
        Self::Observation,
        Self::Conclusion,
        Self::Round,
        Self::Source,
        Self::Reflection,
        Self::Gap,
        Self::Hypothesis,
        Self::Contradiction,
        Self::Web,
        Self::Memory,
        Self::Checking,
        Self::Critique,
        Self::Lens,
        Self::Insight,
        Self::Budget,
        Self::Control,
        Self::Repair,
        Self::Answer,
    ];

    /// The word used in data and in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Plan => "plan",
            Self::Thinking => "thinking",
            Self::Action => "action",
            Self::Observation => "observation",
            Self::Conclusion => "conclusion",
            Self::Round => "round",
            Self::Source => "source",
            Self::Reflection => "reflection",
            Self::Gap => "gap",
            Self::Hypothesis => "hypothesis",
            Self::Contradiction => "contradiction",
            Self::Web => "web",
            Self::Memory => "memory",
            Self::Checking => "checking",
            Self::Critique => "critique",
            Self::Lens => "lens",
            Self::Insight => "insight",
            Self::Budget => "budget",
            Self::Control => "control",
            Self::Repair => "repair",
            Self::Answer => "answer",
        }
    }

    /// The kind of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What people read beside the step.
    pub fn label(self) -> &'static str {
        match self {
            Self::Session => "Run",
            Self::Plan => "Plan",
            Self::Thinking => "Thinking",
            Self::Action => "Planning action",
            Self::Observation => "Observing",
            Self::Conclusion => "Concluding",
            Self::Round => "Round",
            Self::Source => "Reading",
            Self::Reflection => "Reflecting",
            Self::Gap => "Gap",
            Self::Hypothesis => "Hypothesis",
            Self::Contradiction => "Disagreement",
            Self::Web => "Web",
            Self::Memory => "Memory",
            Self::Checking => "Checking",
            Self::Critique => "Critique",
            Self::Lens => "Lens",
            Self::Insight => "Insight",
            Self::Budget => "Budget",
            Self::Control => "You",
            Self::Repair => "Mended reply",
            Self::Answer => "Answer",
        }
    }

    /// A sign of one column that tells it from the others without colour.
    pub fn sign(self) -> char {
        match self {
            Self::Session => '\u{25CF}',
            Self::Plan => '\u{2261}',
            Self::Thinking => '\u{2026}',
            Self::Action => '\u{25B8}',
            Self::Observation => '\u{25C2}',
            Self::Conclusion => '\u{2234}',
            Self::Round => '\u{21BB}',
            Self::Source => '\u{00B6}',
            Self::Reflection => '\u{2194}',
            Self::Gap => '\u{25CB}',
            Self::Hypothesis => '?',
            Self::Contradiction => '\u{2260}',
            Self::Web => '@',
            Self::Memory => '\u{2042}',
            Self::Checking => '\u{2248}',
            Self::Critique => '!',
            Self::Lens => '\u{25D0}',
            Self::Insight => '*',
            Self::Budget => '$',
            Self::Control => '>',
            Self::Repair => '~',
            Self::Answer => '=',
        }
    }

    /// The kind of an event.
    pub fn of(event: &TraceEvent) -> Self {
        match event {
            TraceEvent::SessionStarted { .. }
            | TraceEvent::SessionCompleted { .. }
            | TraceEvent::SessionFailed { .. } => Self::Session,
            TraceEvent::PlanningStarted { .. } | TraceEvent::PlanningCompleted { .. } => Self::Plan,
            TraceEvent::ReasoningThought(_) => Self::Thinking,
            TraceEvent::ReasoningAction(_) => Self::Action,
            TraceEvent::ReasoningObservation(_) => Self::Observation,
            TraceEvent::ReasoningConclusion(_) => Self::Conclusion,
            TraceEvent::RoundStarted { .. } | TraceEvent::RoundCompleted { .. } => Self::Round,
            TraceEvent::SourceAdded(_) => Self::Source,
            TraceEvent::Reflection { .. }
            | TraceEvent::FactsExtracted { .. }
            | TraceEvent::KnowledgeGapAnalysis(_) => Self::Reflection,
            TraceEvent::FollowupQueryGeneration { .. }
            | TraceEvent::GapOpened { .. }
            | TraceEvent::GapResolved { .. }
            | TraceEvent::GapAbandoned { .. }
            | TraceEvent::GapReopened { .. } => Self::Gap,
            TraceEvent::HypothesesGenerated { .. } | TraceEvent::HypothesisUpdated { .. } => {
                Self::Hypothesis
            }
            TraceEvent::ContradictionFound { .. } => Self::Contradiction,
            TraceEvent::RuleOfTwo(_)
            | TraceEvent::QueryWithheld(_)
            | TraceEvent::WebSearched { .. } => Self::Web,
            TraceEvent::MemoryRecalled { .. }
            | TraceEvent::MemoryCredited(_)
            | TraceEvent::MemosRecalled { .. } => Self::Memory,
            TraceEvent::ConfidenceScoringStarted { .. }
            | TraceEvent::ClaimsExtracted { .. }
            | TraceEvent::EntailmentChecked { .. }
            | TraceEvent::SuscoreCalculated { .. }
            | TraceEvent::ConfidenceCalculated { .. }
            | TraceEvent::FallacyDetected { .. } => Self::Checking,
            TraceEvent::CritiqueCompleted { .. } | TraceEvent::RevisionCompleted { .. } => {
                Self::Critique
            }
            TraceEvent::PerspectiveCompleted { .. } | TraceEvent::PerspectivesCompared { .. } => {
                Self::Lens
            }
            TraceEvent::InsightDetected { .. } => Self::Insight,
            TraceEvent::BudgetUpdated { .. } | TraceEvent::BudgetChanged { .. } => Self::Budget,
            TraceEvent::ControlReceived(_) | TraceEvent::ClarificationRequested { .. } => {
                Self::Control
            }
            TraceEvent::ReplyRepaired { .. } => Self::Repair,
            TraceEvent::AnswerCompleted { .. } => Self::Answer,
        }
    }
}

/// One step: one event, in words, with its place among the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// The number of the event.
    pub seq: u64,
    /// When what caused it came.
    pub at: Timestamp,
    /// What kind of step it is.
    pub kind: StepKind,
    /// Its own id (`t3`, `e5`, `k1`, `g2`), where it has one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The stage of the run.
    pub stage: &'static str,
    /// The round; 0 before the first.
    pub round: u8,
    /// What it says.
    pub text: String,
    /// Why, where the step says so.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// `model`, `search`, `read` or `embed`, for an action.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tool: String,
    /// An action's exact parameters.
    #[serde(skip_serializing_if = "serde_json::Value::is_null")]
    pub parameters: serde_json::Value,
    /// What follows from it: implications of an observation, next steps of a conclusion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implications: Vec<String>,
    /// Ids of what it is about or rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_to: Vec<String>,
    /// The action that an observation belongs to, by the number of its event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<u64>,
    /// When an action was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Moment>,
    /// Actions under way at one time stand in different lanes, from 0.
    pub lane: u16,
    /// How sure, 0 to 1, where the step gives a figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Whether it says something that can be doubted: see `challenge`.
    pub can_be_challenged: bool,
}

impl Step {
    /// Whether all words of a search (small letters) stand somewhere in the step.
    pub fn says(&self, words: &[String]) -> bool {
        let places = [&self.text, &self.reasoning, &self.tool, &self.id];
        let implied = self.implications.iter().chain(&self.related_to);
        let texts: Vec<String> =
            places.into_iter().chain(implied).map(|text| text.to_lowercase()).collect();
        let label = self.kind.label().to_lowercase();
        words
            .iter()
            .all(|word| label.contains(word) || texts.iter().any(|text| text.contains(word)))
    }

    /// Milliseconds from an action to its observation.
    pub fn lasted_ms(&self) -> Option<u64> {
        u64::try_from(self.ended?.at.0 - self.at.0).ok()
    }
}

/// What the steps need to know of each other while events come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Open {
    /// Actions under way: where the step is, and its lane.
    actions: BTreeMap<EffectId, (usize, u16)>,
    /// Lanes that are taken.
    lanes: BTreeSet<u16>,
    /// Queries written and not searched yet.
    pub(super) written: Vec<Written>,
    /// Whether the run waits for somebody to look at its plan.
    pub(super) in_review: bool,
    /// Whether the plan was seen or edited, so that the run does not wait for that again.
    pub(super) reviewed: bool,
}

impl Open {
    fn take_lane(&mut self) -> u16 {
        let free = (0..u16::MAX).find(|lane| !self.lanes.contains(lane)).unwrap_or(u16::MAX);
        self.lanes.insert(free);
        free
    }
}

impl Projection {
    /// Notes the step of an event. The stage and the round are those that the event has just set.
    pub(super) fn note(&mut self, envelope: &Envelope) {
        let moment = Moment { seq: envelope.seq, at: envelope.at };
        let mut step = Step {
            seq: envelope.seq,
            at: envelope.at,
            kind: StepKind::of(&envelope.event),
            id: String::new(),
            stage: self.stage,
            round: self.rounds.last().map_or(0, |round| round.round),
            text: words::said(&envelope.event, self),
            reasoning: String::new(),
            tool: String::new(),
            parameters: serde_json::Value::Null,
            implications: vec![],
            related_to: vec![],
            action: None,
            ended: None,
            lane: 0,
            confidence: None,
            can_be_challenged: TracedStep::of(envelope).is_some(),
        };
        match &envelope.event {
            TraceEvent::ReasoningThought(thought) => {
                step.id.clone_from(&thought.id);
                step.related_to.clone_from(&thought.related_to);
            }
            TraceEvent::ReasoningAction(action) => {
                step.id = action.id.to_string();
                step.tool.clone_from(&action.tool);
                step.parameters.clone_from(&action.parameters);
                step.reasoning.clone_from(&action.reasoning);
                step.lane = self.open.take_lane();
                self.open.actions.insert(action.id, (self.steps.len(), step.lane));
            }
            TraceEvent::ReasoningObservation(seen) => {
                step.reasoning.clone_from(&seen.analysis);
                step.implications.clone_from(&seen.implications);
                step.related_to = vec![seen.action_id.to_string()];
                if let Some((at, lane)) = self.open.actions.remove(&seen.action_id) {
                    self.open.lanes.remove(&lane);
                    step.lane = lane;
                    if let Some(action) = self.steps.get_mut(at) {
                        action.ended = Some(moment);
                        step.action = Some(action.seq);
                        step.tool.clone_from(&action.tool);
                    }
                }
            }
            TraceEvent::ReasoningConclusion(end) => {
                step.id.clone_from(&end.id);
                step.related_to.clone_from(&end.supporting_thoughts);
                step.implications.clone_from(&end.next_steps);
            }
            TraceEvent::KnowledgeGapAnalysis(analysis) => {
                step.reasoning.clone_from(&analysis.reasoning);
                step.related_to =
                    analysis.next_gap_to_research.iter().map(ToString::to_string).collect();
            }
            TraceEvent::FollowupQueryGeneration { gap_id, queries, rationale, .. } => {
                step.id = gap_id.to_string();
                step.reasoning.clone_from(rationale);
                step.implications.clone_from(queries);
            }
            TraceEvent::GapOpened { gap_id, .. }
            | TraceEvent::GapResolved { gap_id, .. }
            | TraceEvent::GapReopened { gap_id, .. } => step.id = gap_id.to_string(),
            TraceEvent::GapAbandoned { gap_id, queries, .. } => {
                step.id = gap_id.to_string();
                step.related_to.clone_from(queries);
            }
            TraceEvent::RoundStarted { queries, .. } => step.implications.clone_from(queries),
            TraceEvent::PlanningCompleted { questions, .. } => {
                step.implications = questions.iter().map(|one| one.text.clone()).collect();
            }
            TraceEvent::HypothesesGenerated { hypotheses } => {
                step.implications =
                    hypotheses.iter().map(|one| format!("{}: {}", one.id, one.claim)).collect();
            }
            TraceEvent::HypothesisUpdated { test, .. } => {
                step.id = test.hypothesis_id.to_string();
                step.confidence = Some(test.after);
            }
            TraceEvent::SuscoreCalculated { score } => step.confidence = Some(*score),
            TraceEvent::ConfidenceCalculated { overall, level } => {
                step.confidence = Scoring::figure(*overall, *level).map(|(overall, _)| overall);
            }
            TraceEvent::ReplyRepaired { repairs, .. } => step.implications.clone_from(repairs),
            TraceEvent::ClarificationRequested { questions } => {
                step.implications = questions.iter().map(|one| one.text.clone()).collect();
            }
            TraceEvent::InsightDetected { insight } => step.id = insight.id.to_string(),
            TraceEvent::FallacyDetected { warning } => {
                step.id.clone_from(&warning.id);
                step.reasoning.clone_from(&warning.because);
                step.related_to = warning.claim().map(ToString::to_string).into_iter().collect();
            }
            _ => {}
        }
        self.steps.push(step);
    }
}
