//! Posting a batch to a collector.

use super::settings::OtlpSettings;
use super::wire::{body, rejected};
use elenchus_core::trace::spans::Span;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a batch is sent at most.
const TRIES: u32 = 3;
/// The first wait between two tries; the next is twice as long.
const WAIT: Duration = Duration::from_millis(500);
/// The longest wait that a collector may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The most bytes of a reply.
const MOST: usize = 64 << 10;

/// What became of a batch.
pub(super) struct Sent {
    /// Spans that did not arrive, or were not wanted.
    pub(super) lost: usize,
    /// Why.
    pub(super) cause: Option<String>,
}

/// Sends batches one after the other.
pub(super) struct Poster {
    http: reqwest::Client,
    settings: Arc<OtlpSettings>,
    /// Set when the program is about to end: nothing is waited for then.
    hurry: Arc<AtomicBool>,
}

/// Why a try failed, and whether another one may succeed.
struct Fault {
    cause: String,
    passing: bool,
    wait: Option<Duration>,
}

impl Poster {
    /// A client; nothing is sent yet.
    pub(super) fn new(settings: Arc<OtlpSettings>, hurry: Arc<AtomicBool>) -> Result<Self, String> {
        // Someone else may have installed a provider before; any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("elenchus/", env!("CARGO_PKG_VERSION")))
            .timeout(settings.timeout)
            // A redirect could carry the headers to another host.
            .redirect(reqwest::redirect::Policy::none())
            // Tries are counted here and nowhere else.
            .retry(reqwest::retry::never())
            .default_headers(settings.headers.clone());
        if settings.is_loopback() {
            builder = builder.no_proxy();
        }
        if settings.endpoint.scheme() != "https" {
            // Without TLS no certificates are needed, and a machine without any can still use a local collector.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|error| error.without_url().to_string())?;
        Ok(Self { http, settings, hurry })
    }

    /// Sends a batch, again where that may help.
    pub(super) async fn send(&self, spans: Vec<Span>) -> Sent {
        let mut tries = 1;
        loop {
            let fault = match self.once(&spans).await {
                Ok(sent) => return sent,
                Err(fault) => fault,
            };
            if !fault.passing || tries == TRIES || self.hurry.load(Ordering::Relaxed) {
                return Sent { lost: spans.len(), cause: Some(fault.cause) };
            }
            tokio::time::sleep(fault.wait.unwrap_or(WAIT * 2_u32.pow(tries - 1))).await;
            tries += 1;
        }
    }

    async fn once(&self, spans: &[Span]) -> Result<Sent, Fault> {
        let protocol = self.settings.protocol;
        let (body, kind) = body(spans, &self.settings.resource, protocol);
        let request =
            self.http.post(self.settings.endpoint.clone()).header(CONTENT_TYPE, kind).body(body);
        let mut response = request.send().await.map_err(|error| self.broken(error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(refused(status, &response));
        }
        let mut said = Vec::new();
        while let Ok(Some(piece)) = response.chunk().await {
            if said.len() + piece.len() > MOST {
                break;
            }
            said.extend_from_slice(&piece);
        }
        Ok(match rejected(&said, protocol) {
            None => Sent { lost: 0, cause: None },
            Some((rejected, why)) => {
                let why: String = why.chars().filter(|c| !c.is_control()).take(200).collect();
                let lost = usize::try_from(rejected).unwrap_or(usize::MAX).min(spans.len());
                Sent { lost, cause: Some(format!("it rejected them ({why})")) }
            }
        })
    }

    fn broken(&self, error: reqwest::Error) -> Fault {
        let cause = if error.is_timeout() {
            format!("there was no answer within {} ms", self.settings.timeout.as_millis())
        } else if error.is_connect() {
            "nobody answers there".to_owned()
        } else {
            error.without_url().to_string()
        };
        Fault { cause, passing: true, wait: None }
    }
}

fn refused(status: StatusCode, response: &Response) -> Fault {
    let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let asked = asked.and_then(|seconds| seconds.trim().parse().ok()).map(Duration::from_secs);
    Fault {
        cause: match status.as_u16() {
            401 | 403 => format!("it does not accept the headers (status {})", status.as_u16()),
            404 => "there is no collector at that path (status 404)".to_owned(),
            number => format!("it answered with status {number}"),
        },
        passing: matches!(status.as_u16(), 429 | 502 | 503 | 504),
        wait: asked.map(|wait| wait.min(LONGEST_WAIT)),
    }
}
