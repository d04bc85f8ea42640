//! One Qdrant server over HTTP: requests, tries, deadlines, and what its statuses mean.

use super::settings::QdrantSettings;
use crate::vector_index::failure::{IndexFailure, Trouble};
use crate::web::{ApiClient, ApiReply, Chosen, FetchFailure, FetchSettings, Nature};
use reqwest::Url;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::{Duration, Instant, SystemTime};

/// The most characters of what a server says that are shown.
const SAID: usize = 200;
/// The longest wait between two tries that a server can ask for within a deadline.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How a request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Put,
    Post,
}

/// A request, and what it is for in words.
pub(super) struct Request<'a> {
    pub(super) attempted: &'a str,
    pub(super) verb: Verb,
    /// Behind `collections/NAME`, such as `points/query`; empty for the collection itself.
    pub(super) path: &'a str,
    /// Whether the answer waits until what was written is seen.
    pub(super) wait: bool,
    pub(super) body: Value,
    /// How long it may take, tries included.
    pub(super) within: Duration,
}

/// What came of a request that was not refused.
pub(super) enum Outcome {
    /// The body of an answer with a status of success.
    Done(Vec<u8>),
    /// There is no such collection (404).
    Absent,
    /// It is there already (409).
    There,
}

/// The way to one collection of one server.
#[derive(Debug)]
pub(super) struct Server {
    client: ApiClient,
    key: Option<crate::model::language::Secret>,
    base: Url,
    collection: String,
    tries: u32,
    backoff: Duration,
}

impl Server {
    pub(super) fn new(settings: &QdrantSettings, collection: &str) -> Result<Self, IndexFailure> {
        let fetch = FetchSettings {
            // A redirect could carry the key elsewhere.
            most_redirects: 0,
            deadline: settings.writing.max(settings.reading),
            connect: settings.fetch.connect.min(settings.reading),
            most_bytes: 32 << 20,
            most_at_a_host: 8,
            ..settings.fetch.clone()
        };
        let attempted = "use the index of vectors at QDRANT_URL";
        let client = ApiClient::new(&settings.url, Chosen::ByUser, &fetch).map_err(|error| {
            IndexFailure::refused(
                attempted,
                error.cause,
                "set QDRANT_URL to the REST address of the server, such as http://127.0.0.1:6333",
            )
        })?;
        let mut base = client.base().clone();
        if base.query().is_some() || base.fragment().is_some() {
            return Err(IndexFailure::refused(
                attempted,
                "the address has a query or a fragment",
                "leave out what begins with `?` or `#`",
            ));
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        Ok(Self {
            client,
            key: settings.key.clone(),
            base,
            collection: collection.to_owned(),
            tries: settings.tries.clamp(1, 8),
            backoff: settings.backoff,
        })
    }

    /// The server's address, which holds no key.
    pub(super) fn address(&self) -> String {
        self.base.as_str().trim_end_matches('/').to_owned()
    }

    pub(super) fn collection(&self) -> &str {
        &self.collection
    }

    /// Sends a request, again while the server is busy, in trouble or not there and there is time left. All that is asked here
    /// may be asked twice.
    pub(super) async fn ask(&self, request: &Request<'_>) -> Result<Outcome, IndexFailure> {
        let begun = Instant::now();
        let mut tried = 0;
        loop {
            let left = request.within.saturating_sub(begun.elapsed());
            tried += 1;
            let sent = tokio::time::timeout(left, self.send(request)).await;
            let (failure, asked) = match sent {
                Err(_) => {
                    let cause =
                        format!("there was no answer within {} s", request.within.as_secs_f64());
                    return Err(self.gone(request, cause));
                }
                Ok(Ok(reply)) if !is_passing(reply.status) => return self.read(request, reply),
                Ok(Ok(reply)) => {
                    let cause = format!("it answered {}{}", reply.status, said(&reply.body));
                    (self.gone(request, cause), reply.retry_after)
                }
                Ok(Err(failure)) if failure.nature() == Nature::Passing => {
                    (self.gone(request, plain(&failure)), None)
                }
                Ok(Err(failure)) => return Err(self.unreached(request, &failure)),
            };
            let wait = asked.map_or_else(
                || jittered(self.backoff.saturating_mul(1 << (tried - 1).min(16))),
                |asked| asked.min(LONGEST_WAIT + Duration::from_secs(1)),
            );
            let left = request.within.saturating_sub(begun.elapsed());
            if tried >= self.tries || wait >= left || wait > LONGEST_WAIT {
                return Err(failure);
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// Sends a request whose answer is to be a document of this kind.
    pub(super) async fn document<T: DeserializeOwned>(
        &self,
        request: &Request<'_>,
    ) -> Result<T, IndexFailure> {
        match self.ask(request).await? {
            Outcome::Done(body) => self.parsed(request, &body),
            Outcome::Absent => Err(self.failure(
                Trouble::Unfit,
                request,
                format!("it has no collection {}", self.collection),
                "make it again with `elenchus index rebuild`",
            )),
            Outcome::There => {
                Err(self.garbled(request, "it answered 409 to a question".to_owned()))
            }
        }
    }

    pub(super) fn parsed<T: DeserializeOwned>(
        &self,
        request: &Request<'_>,
        body: &[u8],
    ) -> Result<T, IndexFailure> {
        let parsed: Result<super::wire::Answer<T>, _> = serde_json::from_slice(body);
        parsed.map(|answer| answer.result).map_err(|error| {
            self.garbled(request, format!("its answer is not what Qdrant answers ({error})"))
        })
    }

    pub(super) fn garbled(&self, request: &Request<'_>, cause: String) -> IndexFailure {
        let way_out = "check that QDRANT_URL names the REST interface of a Qdrant server, version 1.11 or newer";
        self.failure(Trouble::Garbled, request, cause, way_out)
    }

    pub(super) fn failure(
        &self,
        trouble: Trouble,
        request: &Request<'_>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> IndexFailure {
        let attempted = format!("{} of the Qdrant server {}", request.attempted, self.address());
        IndexFailure::new(trouble, attempted, cause, way_out)
    }

    async fn send(&self, request: &Request<'_>) -> Result<ApiReply, FetchFailure> {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("collections").push(&self.collection);
            segments.extend(request.path.split('/').filter(|part| !part.is_empty()));
        }
        if request.wait {
            url.set_query(Some("wait=true"));
        }
        let key = self.key.as_ref().map(|key| ("api-key", key.expose()));
        let headers: Vec<(&str, &str)> = key.into_iter().collect();
        match request.verb {
            Verb::Get => self.client.get(&url, &headers).await,
            Verb::Put => self.client.put_json(&url, &headers, bytes(&request.body)).await,
            Verb::Post => self.client.post_json(&url, &headers, bytes(&request.body)).await,
        }
    }

    fn read(&self, request: &Request<'_>, reply: ApiReply) -> Result<Outcome, IndexFailure> {
        let status = reply.status;
        let answered = || format!("it answered {status}{}", said(&reply.body));
        let fail =
            |trouble, way_out: &str| Err(self.failure(trouble, request, answered(), way_out));
        match status {
            200..=299 => Ok(Outcome::Done(reply.body)),
            401 => {
                let way_out = if self.key.is_some() {
                    "check QDRANT_API_KEY: the server does not know this key"
                } else {
                    "set QDRANT_API_KEY: the server wants a key"
                };
                fail(Trouble::Denied, way_out)
            }
            403 => fail(
                Trouble::Denied,
                "give a key that may read and write this collection, and make it if it is not there",
            ),
            // Qdrant says in JSON that a collection is not there; a path that is not there at all is another server's.
            404 if is_qdrants(&reply.body) => Ok(Outcome::Absent),
            409 if is_qdrants(&reply.body) => Ok(Outcome::There),
            413 => fail(Trouble::Unfit, "allow larger requests in the server's settings"),
            400 | 422 if said(&reply.body).contains("dimension") => fail(
                Trouble::Unfit,
                "the collection has vectors of another length: delete it on the server, or set another \
                 `qdrant.prefix`, and run `elenchus index rebuild`",
            ),
            400 | 422 if is_qdrants(&reply.body) => fail(
                Trouble::Unfit,
                "the server does not take this: use Qdrant 1.11 or newer, and report this if it is",
            ),
            _ => fail(
                Trouble::Garbled,
                "check that QDRANT_URL names the REST interface of a Qdrant server (usually port 6333)",
            ),
        }
    }

    fn gone(&self, request: &Request<'_>, cause: String) -> IndexFailure {
        let way_out =
            "check that the server runs and QDRANT_URL is its REST address (usually port 6333)";
        self.failure(Trouble::Gone, request, cause, way_out)
    }

    fn unreached(&self, request: &Request<'_>, failure: &FetchFailure) -> IndexFailure {
        match failure {
            FetchFailure::Offline { .. } => self.failure(
                Trouble::Refused,
                request,
                "nothing leaves this machine in offline mode",
                "choose another egress mode, or unset QDRANT_URL",
            ),
            FetchFailure::Redirect { .. } | FetchFailure::Redirects { .. } => self.failure(
                Trouble::Unfit,
                request,
                "it answers with a redirect, and the key is sent to no other address",
                "set QDRANT_URL to the address that it redirects to",
            ),
            FetchFailure::Refused { cause, .. } => self.failure(
                Trouble::Refused,
                request,
                cause.clone(),
                "check QDRANT_URL, QDRANT_API_KEY and the egress mode",
            ),
            FetchFailure::Untrusted { cause, .. } => self.failure(
                Trouble::Unfit,
                request,
                format!("its certificate is not trusted ({cause})"),
                "add its authority to the certificates of this machine",
            ),
            other => self.garbled(request, plain(other)),
        }
    }
}

/// The cause of a failure, without advice that is meant for pages.
fn plain(failure: &FetchFailure) -> String {
    match failure {
        FetchFailure::Unreachable { cause, .. } => cause.clone(),
        FetchFailure::TimedOut { cause, after, .. } => {
            format!("{cause} within {} s", after.as_secs_f64())
        }
        FetchFailure::Cut { received, .. } => {
            format!("it broke off after {received} bytes of its answer")
        }
        FetchFailure::TooLarge { cause, .. } | FetchFailure::Encoding { cause, .. } => {
            cause.clone()
        }
        other => other.to_string(),
    }
}

fn bytes(body: &Value) -> Vec<u8> {
    body.to_string().into_bytes()
}

fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..)
}

/// Whether a body is Qdrant's envelope of an error.
fn is_qdrants(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|value| value["status"]["error"].is_string())
}

/// What a server says, as far as it can be shown: of an error in JSON its message, else the text.
fn said(body: &[u8]) -> String {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = match value["status"]["error"].as_str() {
        Some(text) => text.to_owned(),
        None => String::from_utf8_lossy(&body[..body.len().min(4 * SAID)]).into_owned(),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let short: String = words.join(" ").chars().filter(|c| !c.is_control()).take(SAID).collect();
    if short.is_empty() { String::new() } else { format!(": {short}") }
}

/// A wait drawn from half of `most` to all of it, so that callers who failed together do not come back together.
fn jittered(most: Duration) -> Duration {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    most.mul_f64(0.5 + f64::from(since.subsec_nanos() % 1_000) / 2_000.0)
}
