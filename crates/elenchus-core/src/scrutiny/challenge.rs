//! Challenges: a user doubts one step of the reasoning, and is told what the step was based on and what came of it.

use crate::id::RunId;
use crate::text::squeeze;
use crate::trace::{Envelope, TraceEvent};
use serde::{Deserialize, Serialize};

/// Longest text of a step that is kept, in characters.
const SAID: usize = 400;
/// Most things that a step is said to be based on.
const BASES: usize = 6;
/// Longest challenge, in characters.
pub(crate) const LONGEST: usize = 1_000;

/// A step of the trace, as far as it can be challenged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TracedStep {
    /// The event's number.
    pub seq: u64,
    /// What kind of step it is, for people.
    pub kind: String,
    /// Its id (`t3`, `e5`, `k1`, `g2`, `h1`), where it has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What it says.
    pub said: String,
    /// Reasons that it states itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
    /// Ids of other steps that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

fn clip(text: &str) -> String {
    let text = squeeze(text);
    match text.char_indices().nth(SAID) {
        None => text,
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
    }
}

impl TracedStep {
    /// The step of an event; `None` for events that only count or announce.
    pub fn of(event: &Envelope) -> Option<Self> {
        let step = |kind: &str, id: &str, said: String| Self {
            seq: event.seq,
            kind: kind.to_owned(),
            id: id.to_owned(),
            said: clip(&said),
            because: vec![],
            names: vec![],
        };
        let mut made = match &event.event {
            TraceEvent::ReasoningThought(thought) => {
                let mut made = step("thought", &thought.id, thought.content.clone());
                made.names.clone_from(&thought.related_to);
                made
            }
            TraceEvent::ReasoningAction(action) => {
                let mut made = step("action", &action.id.to_string(), action.action.clone());
                made.because = vec![action.reasoning.clone()];
                made
            }
            TraceEvent::ReasoningObservation(seen) => {
                let said = format!("{}; {}", seen.result, seen.analysis);
                let mut made = step("observation", "", said);
                made.names = vec![seen.action_id.to_string()];
                made
            }
            TraceEvent::ReasoningConclusion(end) => {
                let mut made = step("conclusion", &end.id, end.conclusion.clone());
                made.names.clone_from(&end.supporting_thoughts);
                made
            }
            TraceEvent::HypothesisUpdated { test, status } => {
                let said = format!(
                    "explanation {} went from {:.2} to {:.2}, {}",
                    test.hypothesis_id,
                    test.before,
                    test.after,
                    status.name()
                );
                let mut made = step("update", test.hypothesis_id.as_str(), said);
                made.because = vec![format!(
                    "{} passages held against it: {} for it, {} against it",
                    test.passages,
                    test.evidence_for.len(),
                    test.evidence_against.len()
                )];
                made
            }
            TraceEvent::GapOpened { gap_id, description, .. } => {
                step("gap", gap_id.as_str(), description.clone())
            }
            TraceEvent::GapResolved { gap_id, because } => {
                let mut made = step("gap closed", "", format!("{gap_id} was closed"));
                (made.because, made.names) = (vec![because.clone()], vec![gap_id.to_string()]);
                made
            }
            TraceEvent::GapAbandoned { gap_id, because, queries, .. } => {
                let mut made = step("gap given up", "", format!("{gap_id} was given up"));
                let searched = format!("searched for: {}", queries.join("; "));
                made.because = vec![because.clone(), searched];
                made.names = vec![gap_id.to_string()];
                made
            }
            TraceEvent::KnowledgeGapAnalysis(analysis) => {
                step("gap analysis", "", analysis.reasoning.clone())
            }
            TraceEvent::ContradictionFound { summary, .. } => {
                step("contradiction", "", summary.clone())
            }
            TraceEvent::FallacyDetected { warning } => {
                let said = format!("{} in {}: {}", warning.name, warning.about(), warning.words);
                let mut made = step("warning", &warning.id, said);
                made.because = vec![warning.because.clone()];
                made
            }
            TraceEvent::AnswerCompleted { answer, .. } => {
                let mut made = step("answer", "", answer.conclusion.clone());
                made.because = answer
                    .evidence
                    .iter()
                    .take(BASES)
                    .map(|one| format!("{}: \u{201C}{}\u{201D}", one.location, one.quote))
                    .collect();
                made
            }
            _ => return None,
        };
        for reason in &mut made.because {
            *reason = clip(reason);
        }
        made.because.retain(|reason| !reason.is_empty());
        Some(made)
    }

    fn told(&self) -> String {
        let id = if self.id.is_empty() { String::new() } else { format!(" {}", self.id) };
        format!("{}{id}: {}", self.kind, self.said)
    }
}

/// What a step was based on: the reasons that it states, the steps that it names, the observation of an action, and the
/// last thing that had been observed. At most six, in that order.
pub fn basis(steps: &[TracedStep], step: &TracedStep) -> Vec<String> {
    let mut based = step.because.clone();
    let before = |other: &&TracedStep| other.seq < step.seq;
    let mut told: Vec<u64> = Vec::new();
    for name in &step.names {
        if let Some(named) = steps.iter().rev().filter(before).find(|other| other.id == *name) {
            told.push(named.seq);
            based.push(named.told());
            based.extend(named.because.iter().take(1).cloned());
        }
    }
    let observed = if step.kind == "action" {
        steps
            .iter()
            .find(|o| o.seq > step.seq && o.kind == "observation" && o.names == [step.id.clone()])
    } else {
        steps.iter().rev().filter(before).find(|other| other.kind == "observation")
    };
    based.extend(observed.filter(|seen| !told.contains(&seen.seq)).map(TracedStep::told));
    based.truncate(BASES);
    based
}

/// A challenge to a step of an earlier run, by which a new run is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contest {
    /// The run whose step is challenged.
    pub parent: RunId,
    /// The number of the challenged event in that run's trace.
    pub event_id: u64,
    /// What the step says.
    pub step: String,
    /// What it was based on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub basis: Vec<String>,
    /// The challenge, in the user's words.
    pub text: String,
}

impl Contest {
    /// The challenge of the event `event_id` of a trace; `None` when that event is no step that can be challenged.
    pub fn new(parent: RunId, trace: &[Envelope], event_id: u64, text: &str) -> Option<Self> {
        let steps: Vec<TracedStep> = trace.iter().filter_map(TracedStep::of).collect();
        let step = steps.iter().find(|step| step.seq == event_id)?;
        let (basis, step) = (basis(&steps, step), step.told());
        Some(Self { parent, event_id, step, basis, text: clipped(text) })
    }
}

/// A challenge with a bounded length.
pub(crate) fn clipped(text: &str) -> String {
    squeeze(text).chars().take(LONGEST).collect()
}

/// A challenge that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Challenge {
    /// The run whose step is challenged, when it is not this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<RunId>,
    /// The number of the challenged event.
    pub event_id: u64,
    /// What the step says; absent when the trace has no such step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What it was based on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub basis: Vec<String>,
    /// The challenge, in the user's words.
    pub text: String,
}

impl Challenge {
    /// A challenge to a step of the run under way.
    pub(crate) fn here(steps: &[TracedStep], event_id: u64, text: &str) -> Self {
        let step = steps.iter().find(|step| step.seq == event_id);
        Self {
            parent: None,
            event_id,
            basis: step.map(|step| basis(steps, step)).unwrap_or_default(),
            step: step.map(TracedStep::told),
            text: clipped(text),
        }
    }

    /// The challenge by which this run was opened.
    pub(crate) fn from_contest(contest: &Contest) -> Self {
        Self {
            parent: Some(contest.parent.clone()),
            event_id: contest.event_id,
            step: Some(contest.step.clone()),
            basis: contest.basis.clone(),
            text: contest.text.clone(),
        }
    }
}

/// What a critic makes of a challenge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// The user is right.
    Upheld,
    /// The step stands.
    Rejected,
    /// What was read does not decide it, or nobody judged it.
    #[default]
    Open,
}

impl Ruling {
    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Rejected => "rejected",
            Self::Open => "left open",
        }
    }
}

/// A challenge with what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answered {
    /// What was challenged.
    #[serde(flatten)]
    pub challenge: Challenge,
    /// What the critic makes of it; [`Ruling::Open`] when code alone answered.
    pub ruling: Ruling,
    /// Why, in a model's words; absent when code alone answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
}

impl Answered {
    /// The answer of code alone: what the step was based on, and no judgement.
    pub(crate) fn by_code(challenge: Challenge) -> Self {
        Self { challenge, ruling: Ruling::Open, reply: None }
    }
}
