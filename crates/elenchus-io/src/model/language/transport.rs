//! One endpoint over HTTP: sending, deadlines, retries. What the answers mean is in `status` and `wire`.

use base64::prelude::{BASE64_STANDARD, Engine};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use serde_json::Value;

use super::breaker::{Circuits, Permits};
use super::endpoint::{Endpoint, EndpointError};
use super::error::{Again, Attempt, ChatError, Phase};
use super::name::{ModelName, Provider};
use super::settings::Settings;
use super::{said, status};

/// The way to one model at an endpoint. Clones share connections and circuits.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    http: reqwest::Client,
    pub(crate) endpoint: Endpoint,
    pub(crate) settings: Settings,
    circuits: Circuits,
    dice: Arc<AtomicU64>,
}

impl Transport {
    pub(crate) fn new(
        name: &ModelName,
        endpoint: Endpoint,
        settings: Settings,
    ) -> Result<Self, ChatError> {
        // Someone else may have installed a provider before; any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let attempt = attempt("setting up the client", name, &endpoint);
        let setup = |error: reqwest::Error| ChatError::Setup {
            attempt: Arc::clone(&attempt),
            cause: cause(&error.without_url(), &endpoint),
        };
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("elenchus/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(settings.deadlines.connect)
            // A redirect could carry the key to another host.
            .redirect(reqwest::redirect::Policy::none())
            // Retries are counted here and nowhere else.
            .retry(reqwest::retry::never())
            .no_proxy();
        if !endpoint.base_url().starts_with("https") {
            // Without TLS no certificates are needed, and a machine without any can still use a local server.
            builder = builder.tls_certs_only([]);
        }
        if let Some((_, url)) = settings.proxies.applying(&endpoint) {
            builder = builder.proxy(reqwest::Proxy::all(url).map_err(setup)?);
        }
        let http = builder.build().map_err(setup)?;
        let circuits = Circuits::new(settings.breaker);
        let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let dice = Arc::new(AtomicU64::new(seed.as_nanos() as u64));
        Ok(Self { http, endpoint, settings, circuits, dice })
    }

    /// The way to another model at the same endpoint: over the same connections, and past the same circuit of the server.
    pub(crate) fn beside(&self) -> Self {
        Self { circuits: self.circuits.beside(), ..self.clone() }
    }

    pub(crate) fn attempt(&self, what: &str, name: &ModelName) -> Arc<Attempt> {
        attempt(what, name, &self.endpoint)
    }

    /// A wait drawn evenly from zero to `most`.
    fn draw(&self, most: Duration) -> Duration {
        // SplitMix64: a step of the golden ratio, then mixed.
        let step = 0x9e37_79b9_7f4a_7c15;
        let mut mixed = self.dice.fetch_add(step, Ordering::Relaxed).wrapping_add(step);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        most.mul_f64((mixed >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Sends one request and waits until `limit` for the head of the answer; a failure status is an error.
    pub(crate) async fn send(
        &self,
        attempt: &Arc<Attempt>,
        path: &str,
        body: Option<&Value>,
        limit: &Limit,
    ) -> Result<Response, ChatError> {
        let url = format!("{}{path}", self.endpoint.base_url());
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let mut request = self.http.request(method, url).headers(self.headers()?);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = match limit.within(request.send()).await {
            None => return Err(limit.passed(attempt, 0)),
            Some(Ok(response)) => response,
            Some(Err(error)) => return Err(self.failed(attempt, error, limit)),
        };
        let code = response.status();
        if code.is_success() {
            return Ok(response);
        }
        let headers = response.headers().clone();
        // The body only explains: when it does not come soon, the status has to do.
        let soon = limit.sooner(Duration::from_secs(5));
        let body = self.body(attempt, response, 64 << 10, &soon).await.unwrap_or_default();
        let body = String::from_utf8_lossy(&body);
        Err(status::failure(attempt, &self.endpoint, path, code.as_u16(), &headers, &body))
    }

    fn headers(&self) -> Result<HeaderMap, ChatError> {
        let provider = self.endpoint.provider();
        let sensitive = |text: String| {
            let mut value = HeaderValue::from_str(&text)
                .map_err(|_| ChatError::Endpoint(EndpointError::BadKey { provider }))?;
            value.set_sensitive(true);
            Ok::<_, ChatError>(value)
        };
        let mut headers = HeaderMap::new();
        if let Some((user, word)) = self.endpoint.login() {
            let word = word.as_ref().map_or("", |word| word.expose());
            let pair = BASE64_STANDARD.encode(format!("{}:{word}", user.expose()));
            headers.insert(AUTHORIZATION, sensitive(format!("Basic {pair}"))?);
        }
        if let Some(key) = self.endpoint.key() {
            match provider {
                Provider::Anthropic => {
                    headers.insert("x-api-key", sensitive(key.expose().to_owned())?)
                }
                _ => headers.insert(AUTHORIZATION, sensitive(format!("Bearer {}", key.expose()))?),
            };
        }
        if provider == Provider::Anthropic {
            let version = HeaderValue::from_static(super::wire::anthropic::VERSION);
            headers.insert("anthropic-version", version);
        }
        Ok(headers)
    }

    /// The whole body, at most `most_bytes` of it.
    pub(crate) async fn body(
        &self,
        attempt: &Arc<Attempt>,
        mut response: Response,
        most_bytes: usize,
        limit: &Limit,
    ) -> Result<Vec<u8>, ChatError> {
        let mut body = Vec::new();
        loop {
            match limit.within(response.chunk()).await {
                None => return Err(limit.passed(attempt, body.len())),
                Some(Err(_)) => {
                    return Err(ChatError::Cut {
                        attempt: Arc::clone(attempt),
                        received: body.len(),
                    });
                }
                Some(Ok(None)) => return Ok(body),
                Some(Ok(Some(chunk))) if body.len() + chunk.len() > most_bytes => {
                    return Err(ChatError::TooLarge { attempt: Arc::clone(attempt), most_bytes });
                }
                Some(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
            }
        }
    }

    /// One request that is answered with one JSON document.
    pub(crate) async fn json(
        &self,
        attempt: &Arc<Attempt>,
        path: &str,
        body: Option<&Value>,
        limit: &Limit,
    ) -> Result<(Value, HeaderMap), ChatError> {
        let response = self.send(attempt, path, body, limit).await?;
        let headers = response.headers().clone();
        let status = response.status().as_u16();
        let bytes = self.body(attempt, response, self.settings.most_bytes, limit).await?;
        let attempt = Arc::clone(attempt);
        let start = || {
            said::quote(
                &String::from_utf8_lossy(bytes.get(..600).unwrap_or(&bytes)),
                &self.endpoint,
            )
        };
        match serde_json::from_slice(&bytes) {
            Ok(value) => Ok((value, headers)),
            Err(_) if bytes.trim_ascii().is_empty() => Err(ChatError::Empty { attempt }),
            Err(_) if said::is_page(&bytes) => {
                Err(ChatError::Page { attempt, status, start: said::tidy(&start(), 120) })
            }
            // Only a cut document ends too early.
            Err(error) if error.is_eof() => Err(ChatError::Cut { attempt, received: bytes.len() }),
            Err(_) => Err(ChatError::Foreign {
                attempt,
                cause: "it is not JSON".to_owned(),
                start: said::tidy(&start(), 120),
            }),
        }
    }

    /// Begins a call: up to two requests under one deadline.
    pub(crate) fn call(&self, attempt: &Arc<Attempt>) -> Call<'_> {
        Call {
            transport: self,
            attempt: Arc::clone(attempt),
            started: Instant::now(),
            tries: 0,
            last: None,
        }
    }

    /// A failure to send, or to read the head of the answer.
    fn failed(&self, attempt: &Arc<Attempt>, error: reqwest::Error, limit: &Limit) -> ChatError {
        let error = error.without_url();
        let attempt = Arc::clone(attempt);
        let cause = cause(&error, &self.endpoint);
        if is_tls(&error) {
            return ChatError::Tls { attempt, cause };
        }
        if error.is_connect() && error.is_timeout() {
            let waited = self.settings.deadlines.connect;
            return ChatError::TimedOut { attempt, phase: Phase::Connect, waited, received: 0 };
        }
        if error.is_timeout() {
            return limit.passed(&attempt, 0);
        }
        if error.is_connect() {
            return ChatError::Unreachable { attempt, cause };
        }
        // The server took the connection and hung up before it answered.
        ChatError::Cut { attempt, received: 0 }
    }
}

fn attempt(what: &str, name: &ModelName, endpoint: &Endpoint) -> Arc<Attempt> {
    Arc::new(Attempt {
        what: what.to_owned(),
        model: name.clone(),
        address: endpoint.base_url().to_owned(),
        official: endpoint.is_official(),
    })
}

/// The innermost cause of an error, which is what a person can act on.
fn cause(error: &reqwest::Error, endpoint: &Endpoint) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    said::quote(&innermost.to_string(), endpoint)
}

/// Whether the handshake failed, which trying again does not mend.
///
/// An I/O error hides what it wraps from `source`, and TLS errors come wrapped more than once.
fn is_tls(error: &(dyn std::error::Error + 'static)) -> bool {
    if error.is::<rustls::Error>() {
        return true;
    }
    let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    wrapped.is_some_and(|inner| is_tls(inner)) || error.source().is_some_and(is_tls)
}

/// A point in time and what it means to pass it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    since: Instant,
    length: Duration,
    phase: Phase,
}

impl Limit {
    /// From now on.
    pub(crate) fn from_now(length: Duration, phase: Phase) -> Self {
        Self { since: Instant::now(), length, phase }
    }

    fn left(&self) -> Duration {
        self.length.saturating_sub(self.since.elapsed())
    }

    /// The one that is passed first.
    pub(crate) fn first(self, other: Self) -> Self {
        if other.left() < self.left() { other } else { self }
    }

    fn sooner(self, length: Duration) -> Self {
        self.first(Self::from_now(length, self.phase))
    }

    /// `None` when the time was up first.
    pub(crate) async fn within<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(self.left(), future).await.ok()
    }

    pub(crate) fn passed(&self, attempt: &Arc<Attempt>, received: usize) -> ChatError {
        ChatError::TimedOut {
            attempt: Arc::clone(attempt),
            phase: self.phase,
            waited: self.length,
            received,
        }
    }
}

/// One call: its deadline, its requests so far, its last failure.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    transport: &'a Transport,
    attempt: Arc<Attempt>,
    started: Instant,
    tries: u32,
    last: Option<ChatError>,
}

/// More would multiply the load on a server that is already in trouble.
const MOST_TRIES: u32 = 2;

impl Call<'_> {
    /// Requests sent so far.
    pub(crate) fn tries(&self) -> u32 {
        self.tries
    }

    /// The deadline of the whole call.
    pub(crate) fn whole(&self) -> Limit {
        let length = self.transport.settings.deadlines.whole;
        Limit { since: self.started, length, phase: Phase::Whole }
    }

    /// The deadline of an answer's beginning, from now on.
    pub(crate) fn first_byte(&self) -> Limit {
        let length = self.transport.settings.deadlines.first_byte;
        Limit::from_now(length, Phase::FirstByte).first(self.whole())
    }

    /// The deadline of the next piece, from now on.
    pub(crate) fn stall(&self) -> Limit {
        let length = self.transport.settings.deadlines.stall;
        Limit::from_now(length, Phase::Stall).first(self.whole())
    }

    /// Leave to send a request. Counts it.
    pub(crate) fn permit(&mut self) -> Result<Permits, ChatError> {
        let permit = self.transport.circuits.permit().map_err(|open| {
            // What this call has met itself tells more than that a circuit is open now.
            self.last.take().unwrap_or_else(|| ChatError::CircuitOpen {
                attempt: Arc::clone(&self.attempt),
                failures: open.failures,
                again_in: open.again_in,
                last: open.last,
            })
        })?;
        self.tries += 1;
        Ok(permit)
    }

    /// Whether one more request may be sent at all.
    pub(crate) fn has_try_left(&self) -> bool {
        self.tries < self.transport.settings.retry.tries.clamp(1, MOST_TRIES)
    }

    /// Waits before the next request, or gives the failure back when there is to be none.
    pub(crate) async fn again(&mut self, failure: ChatError) -> Result<(), ChatError> {
        let retry = self.transport.settings.retry;
        if !self.has_try_left() {
            return Err(failure);
        }
        let wait = match failure.again() {
            Again::No => return Err(failure),
            Again::Soon => self.transport.draw(retry.backoff),
            Again::After(asked) if asked > retry.longest_wait => return Err(failure),
            // A little later than asked, so that callers told the same time do not come all at once.
            Again::After(asked) => asked + self.transport.draw(retry.backoff.min(asked / 4)),
        };
        if wait >= self.whole().left() {
            return Err(failure);
        }
        tokio::time::sleep(wait).await;
        self.last = Some(failure);
        Ok(())
    }
}

/// One JSON document with the retries of a call.
pub(crate) async fn persistent_json(
    transport: &Transport,
    attempt: &Arc<Attempt>,
    path: &str,
    body: &Value,
) -> Result<Value, ChatError> {
    let mut call = transport.call(attempt);
    loop {
        let permit = call.permit()?;
        let limit = call.first_byte();
        let outcome = transport.json(attempt, path, Some(body), &limit).await;
        permit.settle(&outcome);
        match outcome {
            Ok((value, _)) => return Ok(value),
            Err(failure) => call.again(failure).await?,
        }
    }
}
