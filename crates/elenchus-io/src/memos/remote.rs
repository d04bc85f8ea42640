//! The evidence graph of another Elenchus, over HTTP.

use elenchus_core::graph::call::{
    Call, DeleteParams, GetParams, GraphParams, ListParams, RelationParams, Reply, SaveParams,
    SearchParams,
};
use elenchus_core::graph::{Memo, Relation};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach};
use reqwest::Url;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The address of the other Elenchus: `http://HOST:PORT`, or with a path where it is reached under another than `/memory`.
const URL: &str = "MEMORY_HTTP_URL";
/// Where it answers, unless the address says otherwise.
const PATH: &str = "/memory";
/// The token that it asks for.
const TOKEN: &str = "MEMORY_HTTP_BEARER_TOKEN";
/// The namespace where none is named.
const NAMESPACE: &str = "MEMORY_NAMESPACE_DEFAULT";
/// Milliseconds that a call may take.
const TIMEOUT: &str = "MEMORY_HTTP_TIMEOUT_MS";
/// The same, where nothing is said.
const USUAL_TIMEOUT: Duration = Duration::from_secs(15);
/// The most bytes of a reply.
const MOST: usize = 256 << 20;

/// Where the other Elenchus is. The variables are those of seed 002.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteSettings {
    /// Its address, with the path.
    pub url: Url,
    /// The bearer token; whose memos are seen is decided by it alone.
    pub token: Option<String>,
    /// The longest that a call may take.
    pub timeout: Duration,
}

impl std::fmt::Debug for RemoteSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let token = if self.token.is_some() { "set" } else { "not set" };
        write!(f, "RemoteSettings {{ url: {}, token: {token} }}", bare(&self.url))
    }
}

/// An address without what may be secret in it.
fn bare(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path())
}

fn refused(cause: String, way_out: &str) -> MemoFailure {
    MemoFailure::Refused {
        attempted: "reach the memos of another Elenchus".to_owned(),
        cause,
        way_out: way_out.to_owned(),
    }
}

impl RemoteSettings {
    /// The settings that `variable` gives; `None` when no address is set. Empty values count as not set.
    ///
    /// # Errors
    /// [`MemoFailure::Refused`] when a value cannot be used.
    pub fn from_variables(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, MemoFailure> {
        let set = |name| variable(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        let Some(address) = set(URL) else { return Ok(None) };
        let mut url = Url::parse(&address)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some())
            .ok_or_else(|| {
                refused(
                    format!("the value of {URL} is no address"),
                    "set it to something like http://127.0.0.1:8437/memory, or unset it",
                )
            })?;
        // Host and port are what people know of a server.
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(if path.is_empty() { PATH } else { &path });
        let timeout = match set(TIMEOUT) {
            None => USUAL_TIMEOUT,
            Some(text) => match text.parse::<u64>() {
                Ok(ms) if (1..=3_600_000).contains(&ms) => Duration::from_millis(ms),
                _ => {
                    return Err(refused(
                        format!(
                            "the value {text:?} of {TIMEOUT} is no whole number from 1 to 3600000"
                        ),
                        "set it to milliseconds, such as 15000, or unset it",
                    ));
                }
            },
        };
        let token = set(TOKEN);
        if token.as_ref().is_some_and(|token| !token.chars().all(|c| c.is_ascii_graphic())) {
            return Err(refused(
                format!("the value of {TOKEN} holds what no token can"),
                "set it to the token that the other Elenchus wrote, without blanks",
            ));
        }
        Ok(Some(Self { url, token, timeout }))
    }

    /// The namespace that `variable` gives where a command names none.
    pub fn default_namespace(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
        variable(NAMESPACE).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
    }
}

/// A client. The `tenant` of the port's methods is not sent: the other side takes it from the token.
#[derive(Clone, Debug)]
pub struct RemoteMemos {
    http: reqwest::Client,
    settings: RemoteSettings,
}

#[derive(Deserialize)]
struct Hits {
    results: Vec<MemoHit>,
}

#[derive(Deserialize)]
struct Listed {
    memos: Vec<Memo>,
}

#[derive(Deserialize)]
struct Edges {
    #[serde(alias = "relations")]
    edges: Vec<Relation>,
}

impl RemoteMemos {
    /// A client; nothing is sent yet.
    ///
    /// # Errors
    /// [`MemoFailure::Io`] when no client can be made on this machine.
    pub fn new(settings: RemoteSettings) -> Result<Self, MemoFailure> {
        // Someone else may have installed a provider before; any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("elenchus/", env!("CARGO_PKG_VERSION")))
            .timeout(settings.timeout)
            // A redirect could carry the token to another host.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy();
        if settings.url.scheme() != "https" {
            // Without TLS no certificates are needed, and a machine without any can still use a local server.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|error| MemoFailure::Io {
            attempted: format!("make a client for {}", bare(&settings.url)),
            cause: error.without_url().to_string(),
        })?;
        Ok(Self { http, settings })
    }

    fn failure(&self, tool: &str, cause: String) -> MemoFailure {
        MemoFailure::Io { attempted: format!("call {tool} at {}", bare(&self.settings.url)), cause }
    }

    async fn call<T: DeserializeOwned>(
        &self,
        tool: &str,
        params: &impl Serialize,
    ) -> Result<T, MemoFailure> {
        let params = serde_json::to_value(params)
            .map_err(|error| self.failure(tool, format!("{error}; report it: it is a defect")))?;
        let call = Call { tool: tool.to_owned(), params, camel_case: false };
        let mut request = self.http.post(self.settings.url.clone()).json(&call);
        if let Some(token) = &self.settings.token {
            request = request.bearer_auth(token);
        }
        let broken = |error: reqwest::Error| {
            let cause = if error.is_timeout() {
                format!(
                    "there was no answer within {} ms; set {TIMEOUT} higher, or see whether it is busy",
                    self.settings.timeout.as_millis()
                )
            } else if error.is_connect() {
                format!(
                    "nobody answers there; start `elenchus mcp --http` on that machine, or correct {URL}"
                )
            } else {
                format!("{}; try again", error.without_url())
            };
            self.failure(tool, cause)
        };
        let mut response = request.send().await.map_err(broken)?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(broken)? {
            if body.len() + piece.len() > MOST {
                return Err(self.failure(
                    tool,
                    format!("the reply is larger than {MOST} bytes; ask for fewer with a limit"),
                ));
            }
            body.extend_from_slice(&piece);
        }
        match serde_json::from_slice(&body) {
            Ok(Reply::Result(value)) => serde_json::from_value(value).map_err(|error| {
                self.failure(tool, format!("its result has another shape than expected ({error}); update the older of the two"))
            }),
            Ok(Reply::Error(error)) => Err(error.into()),
            Err(_) if matches!(status.as_u16(), 401 | 403) => Err(self.failure(
                tool,
                format!("it does not accept the token (status {status}); set {TOKEN} to the one that it wrote"),
            )),
            Err(_) => Err(self.failure(
                tool,
                format!("status {status} and no reply of an Elenchus; correct {URL}, which ends in /memory"),
            )),
        }
    }
}

impl Memos for RemoteMemos {
    fn save<'a>(&'a self, _: &'a str, memo: &'a Memo) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            // What cannot be kept is not sent.
            memo.check()?;
            self.call::<serde_json::Value>("memory.save", &SaveParams::from(memo)).await.map(drop)
        })
    }

    fn get<'a>(
        &'a self,
        _: &'a str,
        namespace: &'a str,
        ids: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move {
            let params = GetParams { namespace: namespace.to_owned(), ids: ids.to_vec() };
            Ok(self.call::<Listed>("memory.get", &params).await?.memos)
        })
    }

    fn search<'a>(
        &'a self,
        _: &'a str,
        query: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>> {
        Box::pin(async move {
            let ListParams { namespace, tag, limit } = listing(filter);
            let params = SearchParams { query: query.to_owned(), namespace, tag, limit };
            let mut found = self.call::<Hits>("memory.search", &params).await?.results;
            found.retain(|hit| filter.reaches(&hit.memo.namespace));
            Ok(bounded(found, filter))
        })
    }

    fn list<'a>(
        &'a self,
        _: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move {
            let mut listed = self.call::<Listed>("memory.list", &listing(filter)).await?.memos;
            listed.retain(|memo| filter.reaches(&memo.namespace));
            Ok(bounded(listed, filter))
        })
    }

    fn delete<'a>(
        &'a self,
        _: &'a str,
        namespace: &'a str,
        id: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            let params = DeleteParams { namespace: namespace.to_owned(), id: id.clone() };
            self.call::<serde_json::Value>("memory.delete", &params).await.map(drop)
        })
    }

    fn relate<'a>(
        &'a self,
        _: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            // JSON has no word for what is no number.
            relation.check()?;
            let params = RelationParams::from(relation);
            self.call::<serde_json::Value>("memory.relation.save", &params).await.map(drop)
        })
    }

    fn unrelate<'a>(
        &'a self,
        _: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            relation.check()?;
            let params = RelationParams::from(relation);
            self.call::<serde_json::Value>("memory.relation.delete", &params).await.map(drop)
        })
    }

    fn relations<'a>(
        &'a self,
        _: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move {
            let listed = self.call::<Edges>("memory.relation.list", &listing(filter)).await?;
            let mut edges = listed.edges;
            edges.retain(|edge| filter.reaches(&edge.namespace));
            Ok(bounded(edges, filter))
        })
    }

    fn around<'a>(
        &'a self,
        _: &'a str,
        reach: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move {
            let params = GraphParams {
                namespace: reach.namespace.clone(),
                start_memo_id: reach.start.clone(),
                max_depth: reach.depth,
                direction: reach.direction,
                tag: reach.tag.clone(),
                limit: reach.limit,
            };
            Ok(self.call::<Edges>("memory.relation.graph", &params).await?.edges)
        })
    }
}

/// What the other server is asked for. It knows no walls of ours: what is beyond them is left out here, and so is the bound set.
fn listing(filter: &MemoFilter) -> ListParams {
    let MemoFilter { namespace, tag, limit, walls } = filter.clone();
    ListParams { namespace, tag, limit: if walls.is_some() { 0 } else { limit } }
}

fn bounded<T>(mut found: Vec<T>, filter: &MemoFilter) -> Vec<T> {
    if filter.limit > 0 {
        found.truncate(filter.limit);
    }
    found
}
