//! Questions to passages.

use super::{PortFuture, WebReport};
use crate::evidence::{PartialDate, ReadPassage};
use crate::id::{PassageId, SourceId};
use crate::synthesis::insight::{Meetings, Subject};
use serde::{Deserialize, Serialize};

/// Which passages a search may return.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchFilter {
    /// Path prefixes or glob-free path parts that must not occur (case-insensitive).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// When not empty, the path must contain one of these (case-insensitive).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
}

/// One search, fully specified.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchRequest {
    /// Free text; operators have no meaning. A reference to the Bible in it ("Mt 5,17") is a look-up where the corpus has
    /// verses: they come first, in the order of the references, and no cap counts for them but `limit`.
    pub query: String,
    /// At most this many hits.
    pub limit: u16,
    /// At most this many hits of one document; 0 means no cap.
    #[serde(default)]
    pub per_source: u16,
    /// At most this many hits of one author (documents without one count by document); 0 means no cap.
    #[serde(default)]
    pub per_author: u16,
    /// Add neighbours in meaning of the query's words as weaker terms.
    #[serde(default)]
    pub expand: bool,
    /// What to leave out.
    #[serde(default)]
    pub filter: SearchFilter,
    /// Whether its words may be sent to search providers on the web. Decided by the run, see `inquiry::egress`; a
    /// retriever that searches only here does not look at it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outward: bool,
    /// Addresses of pages that are to be read for it, and within which alone is searched: the user typed them while the run was under
    /// way. No model fills them. A retriever that searches only here does not look at them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<String>,
}

/// A passage that a search found, not yet read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hit {
    /// The passage.
    pub passage_id: PassageId,
    /// Its document.
    pub source_id: SourceId,
    /// The document's path.
    pub path: String,
    /// The document's title.
    pub title: String,
    /// Fused relevance, 0 to 1 within this search.
    pub score: f32,
    /// BM25 divided by the best of this search, 0 to 1.
    pub lexical: f32,
    /// Cosine of query and passage, -1 to 1.
    pub dense: f32,
}

/// In how many passages a word of the query occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TermCount {
    /// The word as the query has it, lower case.
    pub term: String,
    /// Passages that hold it or another inflection of it.
    pub passages: u32,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchReply {
    /// Best first.
    pub hits: Vec<Hit>,
    /// For each content word of the query, how common it is in the corpus.
    pub terms: Vec<TermCount>,
    /// What was done on the web for it.
    #[serde(default, skip_serializing_if = "WebReport::is_empty")]
    pub web: WebReport,
    /// Passages that could be searched, where that is not what the overview says: on the web they grow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searchable: Option<u32>,
}

/// A file that could not be ingested, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkippedFile {
    /// Relative to the corpus.
    pub path: String,
    /// What was attempted, the cause, and the way out.
    pub reason: String,
}

/// What a corpus holds, as a run sees it at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorpusOverview {
    /// A name a person knows it by, usually the folder.
    pub name: String,
    /// Documents ingested.
    pub documents: u32,
    /// Passages searchable.
    pub passages: u32,
    /// Changes whenever a document changes.
    pub fingerprint: String,
    /// The latest date that a document states for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<PartialDate>,
    /// Names by which the documents most often call the organisation or subject they are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
    /// Passages that are verses of the Bible by their record's name ("John.3.16").
    #[serde(default, skip_serializing_if = "is_zero")]
    pub verses: u32,
    /// Files that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedFile>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Why a search or a read did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RetrieveFailure {
    /// The query holds nothing to search for.
    #[error("could not search for {query:?}: it holds no word")]
    EmptyQuery {
        /// As given.
        query: String,
    },
    /// A passage was asked for that the index does not hold (any longer).
    #[error(
        "could not read passage {0}: the index does not hold it; the corpus may have changed, ingest it again"
    )]
    UnknownPassage(PassageId),
    /// The index failed.
    #[error("could not {attempted}: {cause}")]
    Index {
        /// What was attempted.
        attempted: String,
        /// The cause and the way out.
        cause: String,
    },
    /// Whoever was asked refused, and would refuse again, or could not be had although whoever asked has tried again already.
    #[error("could not {attempted}: {cause}")]
    Refused {
        /// What was attempted.
        attempted: String,
        /// The cause and the way out.
        cause: String,
    },
}

/// Finds and reads passages.
///
/// Both methods are idempotent and may be retried. No hit is an empty reply, not an error. Hits come
/// best first, ties by passage id, so that the same index gives the same reply.
pub trait Retriever: Send + Sync {
    /// Searches.
    fn search<'a>(
        &'a self,
        request: &'a SearchRequest,
    ) -> PortFuture<'a, Result<SearchReply, RetrieveFailure>>;
    /// The passages in the order asked for. Fails as a whole when one is unknown.
    fn read<'a>(
        &'a self,
        ids: &'a [PassageId],
    ) -> PortFuture<'a, Result<Vec<ReadPassage>, RetrieveFailure>>;
    /// What there is to search.
    fn overview(&self) -> CorpusOverview;
    /// How many independent documents touch each subject, and each two of them. Fails where the retriever has no
    /// whole corpus to count in; then nothing is called rare.
    fn meetings<'a>(
        &'a self,
        subjects: &'a [Subject],
    ) -> PortFuture<'a, Result<Meetings, RetrieveFailure>> {
        let attempted = format!("count where {} sources meet", subjects.len());
        Box::pin(async move {
            let cause = "this retriever cannot count over its whole corpus".to_owned();
            Err(RetrieveFailure::Index { attempted, cause })
        })
    }
}
