//! What a run asks of the world, and what the world answers.

use super::{Control, Elsewhere, Forked, Options, Recollection};
use crate::belief::Judging;
use crate::evidence::ReadPassage;
use crate::id::{EffectId, PassageId, RunId};
use crate::port::{
    Checked, Contradiction, CorpusOverview, ModelRole, Pair, Said, SearchReply, SearchRequest,
    Usage,
};
use crate::prompt::{ClarifyingQuestion, ModelCall, ModelReply};
use crate::scrutiny::challenge::Contest;
use crate::synthesis::insight::{Meetings, Subject};
use serde::{Deserialize, Serialize};

/// Something to be done, fully specified. The driver decides only concurrency, retries and deadlines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Effect {
    /// Ask a model.
    Model {
        /// Which one.
        role: ModelRole,
        /// What.
        call: Box<ModelCall>,
    },
    /// Turn texts into vectors.
    Embed {
        /// The texts.
        texts: Vec<String>,
    },
    /// Search the corpus.
    Search(SearchRequest),
    /// Read passages.
    Read {
        /// Which.
        passages: Vec<PassageId>,
    },
    /// Judge claims by evidence.
    Verify {
        /// Claim and evidence, each.
        pairs: Vec<Pair>,
    },
    /// Find statements that contradict each other.
    Contradict {
        /// Where they stand.
        texts: Vec<Said>,
    },
    /// Count how often sources meet in the corpus and in finished runs over it.
    Meetings {
        /// The sources.
        subjects: Vec<Subject>,
        /// The corpus's name, by which past runs are chosen.
        corpus: String,
    },
}

impl Effect {
    /// The tool's name in the trace.
    pub fn tool(&self) -> &'static str {
        match self {
            Self::Model { .. } => "model",
            Self::Embed { .. } => "embed",
            Self::Search(_) => "search",
            Self::Read { .. } => "read",
            Self::Verify { .. } => "verify",
            Self::Contradict { .. } => "contradict",
            Self::Meetings { .. } => "count",
        }
    }
}

/// Whether a failure may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The driver retried and gave up.
    Exhausted,
    /// Trying again cannot help.
    Permanent,
    /// It took longer than its deadline.
    Deadline,
}

/// What came of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// A model replied.
    Replied {
        /// What.
        reply: Box<ModelReply>,
        /// At what cost.
        usage: Usage,
        /// What had to be repaired in it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<String>,
        /// Who replied, where there is more than one who could have.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// Vectors, in the order of the texts.
    Embedded {
        /// One a text.
        vectors: Vec<Vec<f32>>,
    },
    /// A search's hits.
    Found(SearchReply),
    /// Passages, in the order asked for.
    Passages {
        /// The passages.
        passages: Vec<ReadPassage>,
    },
    /// Judgements, in the order of the pairs.
    Verified {
        /// One a pair.
        results: Vec<Checked>,
        /// What asking a language model for them cost.
        #[serde(default, skip_serializing_if = "Usage::is_nothing")]
        usage: Usage,
    },
    /// Contradictions, strongest first.
    Contradicting {
        /// Positions count in the texts of the effect.
        found: Vec<Contradiction>,
    },
    /// How often sources meet.
    Met {
        /// In documents.
        corpus: Meetings,
        /// In past runs.
        runs: Meetings,
    },
    /// It did not happen.
    Failed {
        /// Whether it may pass.
        kind: FailureKind,
        /// What was attempted, the cause and the way out.
        error: String,
        /// What it has used all the same. Journals of earlier versions tell nothing of it.
        #[serde(default, skip_serializing_if = "Usage::is_nothing")]
        usage: Usage,
    },
}

impl Outcome {
    /// What it took to come to this, whether anything came of it or not.
    pub fn usage(&self) -> Usage {
        match self {
            Self::Replied { usage, .. }
            | Self::Verified { usage, .. }
            | Self::Failed { usage, .. } => *usage,
            Self::Embedded { .. }
            | Self::Found(_)
            | Self::Passages { .. }
            | Self::Contradicting { .. }
            | Self::Met { .. } => Usage::default(),
        }
    }
}

/// How a run begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opened {
    /// The run.
    pub run_id: RunId,
    /// The question, not empty.
    pub question: String,
    /// Limits and modes.
    pub options: Options,
    /// What can be searched.
    pub corpus: CorpusOverview,
    /// The model's name, for the record.
    pub model: String,
    /// What figures are made with. Without it (journals of earlier versions) nothing is verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judging: Option<Judging>,
    /// The challenge to a step of an earlier run that this one looks into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
    /// The run whose beginning this one has, when it was forked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<Forked>,
    /// What earlier runs learned that bears on the question.
    #[serde(default, skip_serializing_if = "Recollection::is_empty")]
    pub recalled: Recollection,
}

/// A call that does not count any more, in flight or back before the rest of its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unsettled {
    /// Which.
    pub id: EffectId,
    /// What it has used.
    pub usage: Usage,
}

/// What a run is told. The journal is the ordered list of these.
#[expect(clippy::large_enum_variant, reason = "the big variant occurs once a run")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Input {
    /// The beginning; the first input of every journal and only the first.
    Opened(Opened),
    /// An effect came to an end.
    Outcome {
        /// Which.
        id: EffectId,
        /// How.
        result: Outcome,
    },
    /// A person said something.
    Control(Control),
    /// What whoever drives has to put down beside outcomes. It changes sums and what is said of where things were sent, and
    /// nothing else: an effect that is still wanted is performed again.
    GivenUp {
        /// Calls that are given up before they have counted, and have used something.
        calls: Vec<Unsettled>,
        /// Servers elsewhere that whoever goes on with the run sends something to, beside those that it has noted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        elsewhere: Vec<Elsewhere>,
    },
}

/// What to do now. Deliberately exhaustive: a driver must handle every step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Perform these; they are independent of each other.
    Perform(Vec<(EffectId, Effect)>),
    /// Wait for answers to these questions ([`Control::Clarified`] or [`Control::SkipClarification`]), or for another
    /// control.
    Clarify(Vec<ClarifyingQuestion>),
    /// Wait for a control.
    Paused,
    /// The run is over; its answer is in the view.
    Done,
}

impl Step {
    /// Whether nothing happens until a person says something.
    pub fn waits(&self) -> bool {
        matches!(self, Self::Paused | Self::Clarify(_))
    }
}
