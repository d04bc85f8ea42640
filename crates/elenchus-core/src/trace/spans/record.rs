//! What a span is.

use crate::id::{EffectId, RunId, Timestamp};
use sha2::{Digest, Sha256};

/// The id of a trace: that of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TraceId(pub [u8; 16]);

/// The id of a span within its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpanId(pub [u8; 8]);

/// The beginning of a hash, none of which is all zero: that would be no id.
fn beginning<const N: usize>(text: &str) -> [u8; N] {
    let digest = Sha256::digest(text.as_bytes());
    let mut bytes = [0; N];
    bytes.copy_from_slice(&digest[..N]);
    if bytes == [0; N] {
        bytes[N - 1] = 1;
    }
    bytes
}

impl TraceId {
    /// The trace of a run.
    pub fn of(run: &RunId) -> Self {
        Self(beginning(&format!("{run}\u{0}trace")))
    }
}

impl SpanId {
    /// The span of the run itself.
    pub fn of_run(run: &RunId) -> Self {
        Self(beginning(&format!("{run}\u{0}run")))
    }

    /// The span of a round, from 1.
    pub fn of_round(run: &RunId, round: u8) -> Self {
        Self(beginning(&format!("{run}\u{0}round\u{0}{round}")))
    }

    /// The span of an effect.
    pub fn of_effect(run: &RunId, effect: EffectId) -> Self {
        Self(beginning(&format!("{run}\u{0}effect\u{0}{effect}")))
    }
}

/// Who does what a span is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// This process.
    Internal,
    /// A server that is asked.
    Client,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A fraction; finite.
    Real(f64),
    /// Yes or no.
    Truth(bool),
    /// Texts in order.
    Texts(Vec<String>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::from(number as u64)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

/// Attributes by name, in the order in which they were given; no name twice.
pub(super) type Attributes = Vec<(&'static str, Value)>;

/// Something that happened at one moment of a span.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanEvent {
    /// When.
    pub at: Timestamp,
    /// What.
    pub name: &'static str,
    /// More about it.
    pub attributes: Attributes,
}

/// Something that took time, within something that took longer.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The run's.
    pub trace_id: TraceId,
    /// Its own.
    pub span_id: SpanId,
    /// The span that it is part of; none for the run.
    pub parent: Option<SpanId>,
    /// A run's root that this run looks into a step of.
    pub link: Option<(TraceId, SpanId)>,
    /// One of few names.
    pub name: String,
    /// Who does it.
    pub kind: SpanKind,
    /// When it began: the time of a journal record.
    pub start: Timestamp,
    /// When it ended, not before `start`.
    pub end: Timestamp,
    /// What is known of it.
    pub attributes: Attributes,
    /// What happened in it.
    pub events: Vec<SpanEvent>,
    /// What kind of error ended it, if one did: one of few words.
    pub error: Option<&'static str>,
    /// The error in words, where texts are wanted.
    pub message: Option<String>,
}
