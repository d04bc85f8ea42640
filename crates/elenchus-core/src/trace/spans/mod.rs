//! A run as a tree of spans, for the tools that operators watch programs with.
//!
//! The spans are a fold of the journal, as the trace is: the same journal gives the same spans, ids included, whether they are
//! taken while the run goes on or years later. Names and attributes follow the conventions of OpenTelemetry for generative AI;
//! what those have no word for begins with `elenchus.`. No text of a question, a prompt or a document stands in a span unless
//! [`Content::Scrubbed`] asks for it.

mod content;
mod fold;
mod naming;
mod record;

pub use fold::{SpanFold, spans_of};
pub use record::{Span, SpanEvent, SpanId, SpanKind, TraceId, Value};

/// The version of the semantic conventions that names and attributes are of.
pub const CONVENTIONS: &str = "1.41.0";

/// Whether texts of a run stand in its spans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Numbers, ids and names only.
    #[default]
    LeftOut,
    /// Texts too: what was asked and answered, without the secrets that are recognised, and cut to a length.
    Scrubbed,
}
