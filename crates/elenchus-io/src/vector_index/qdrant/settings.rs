//! How a Qdrant server is reached.

use crate::model::language::Secret;
use crate::web::FetchSettings;
use std::time::Duration;

/// How a Qdrant server is reached, and which of its collections is ours.
#[derive(Clone, Debug)]
pub struct QdrantSettings {
    /// The address of its REST interface, such as `http://127.0.0.1:6333`; a path before the interface's own is kept.
    pub url: String,
    /// Its key, sent as the header `api-key` and shown nowhere.
    pub key: Option<Secret>,
    /// Begins the name of the collection; letters, digits, `-` and `_`, 1 to 64 of them.
    pub prefix: String,
    /// The embedder that makes the vectors: vectors of two embedders cannot be compared, so each has a collection of its own.
    pub embedder: String,
    /// Numbers per vector.
    pub dimensions: usize,
    /// How long a search or a count may take in all, tries included.
    pub reading: Duration,
    /// How long one request that writes or lists may take, tries included.
    pub writing: Duration,
    /// Requests for one thing, 1 to 8: the first, and again while the server is busy or in trouble.
    pub tries: u32,
    /// The wait before the second request; each further one is twice as long.
    pub backoff: Duration,
    /// Points in one request that writes, at most; 1 to 1,000.
    pub batch: usize,
    /// Whether every vector is compared, instead of following the server's graph of neighbours.
    pub exact: bool,
    /// What may be reached at all: the address was chosen by the user, and may be private.
    pub fetch: FetchSettings,
}

impl QdrantSettings {
    /// Usual settings for a server and an embedder.
    pub fn new(url: impl Into<String>, embedder: impl Into<String>, dimensions: usize) -> Self {
        Self {
            url: url.into(),
            key: None,
            prefix: "elenchus".to_owned(),
            embedder: embedder.into(),
            dimensions,
            reading: Duration::from_secs(3),
            writing: Duration::from_secs(30),
            tries: 4,
            backoff: Duration::from_millis(100),
            batch: 256,
            exact: false,
            fetch: FetchSettings::default(),
        }
    }
}
