//! One request: sent by a client that can reach only what the guard lets it reach, under a deadline.

use super::body::{Body, BodyFault, Limits};
use super::failure::{FetchFailure, SetupError};
use super::guard::{Guard, Route, shown};
use super::resolve::{GuardedResolver, Lookup, NameRefused};
use super::settings::FetchSettings;
use crate::tls;
use elenchus_core::id::Timestamp;
use elenchus_core::port::Clock;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue};
use reqwest::{Client, Method, Response, Url};
use std::error::Error;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most headers of one answer.
const MOST_HEADERS: usize = 200;

/// The ways to the web, one for each kind of route: a connection that was made for one is never used for another.
#[derive(Clone, Debug)]
pub(crate) struct Web {
    pub(crate) guard: Arc<Guard>,
    public: Client,
    named: Client,
    named_private: Client,
    connect: Duration,
    most_header_bytes: usize,
    /// Why `https` cannot be spoken, when this machine has no certificates.
    no_certificates: Option<String>,
}

/// What is asked, but for the address.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    /// GET where nothing else is said.
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    /// What is sent along.
    pub(crate) body: Option<Vec<u8>>,
}

impl Web {
    pub(crate) fn new(
        settings: &FetchSettings,
        guard: Guard,
        lookup: &Arc<dyn Lookup>,
    ) -> Result<Self, SetupError> {
        // Someone else may have installed a provider before; any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let guard = Arc::new(guard);
        let no_certificates = tls::trust().err().map(ToOwned::to_owned);
        let build = |route| {
            let (lookup, guard) = (Arc::clone(lookup), Arc::clone(&guard));
            client(settings, GuardedResolver { lookup, guard, route })
                .map_err(|error| SetupError { cause: deepest(&error) })
        };
        Ok(Self {
            public: build(Route::Public)?,
            named: build(Route::Named)?,
            named_private: build(Route::NamedPrivate)?,
            guard: Arc::clone(&guard),
            connect: settings.connect,
            most_header_bytes: settings.most_header_bytes,
            no_certificates,
        })
    }

    /// Sends one request and waits for the head of the answer, of whatever status. No redirect is followed.
    pub(crate) async fn send(
        &self,
        url: &Url,
        route: Route,
        asking: Asking,
    ) -> Result<Response, FetchFailure> {
        if let (Some(cause), "https") = (&self.no_certificates, url.scheme()) {
            return Err(FetchFailure::Unreachable {
                url: shown(url),
                cause: format!(
                    "this machine has no certificates to check a server by ({cause}): install ca-certificates"
                ),
            });
        }
        let client = match route {
            Route::Public => &self.public,
            Route::Named => &self.named,
            Route::NamedPrivate => &self.named_private,
        };
        let mut request = client
            .request(asking.method, url.clone())
            .headers(asking.headers)
            .header(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        if let Some(body) = asking.body {
            request = request.body(body);
        }
        let response = request.send().await.map_err(|error| self.failed(url, &error))?;
        // The resolver let only checked addresses through; that the connection is at one of them is seen here once more.
        if let Some(peer) = response.remote_addr()
            && let Err(reason) = self.guard.check(peer.ip(), route)
        {
            let cause = format!("it was answered by {peer}, which is {reason}");
            return Err(FetchFailure::Refused { url: shown(url), cause });
        }
        let bytes: usize = response
            .headers()
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + 4)
            .sum();
        if bytes > self.most_header_bytes {
            let cause = format!("its headers are larger than {} bytes", self.most_header_bytes);
            return Err(FetchFailure::TooLarge { url: shown(url), cause });
        }
        Ok(response)
    }

    /// Takes the body in.
    pub(crate) async fn read(
        &self,
        url: &Url,
        mut response: Response,
        limits: Limits,
    ) -> Result<Vec<u8>, FetchFailure> {
        let fault = |fault: BodyFault| match fault {
            BodyFault::TooLarge(cause) => FetchFailure::TooLarge { url: shown(url), cause },
            BodyFault::Encoding(cause) => FetchFailure::Encoding { url: shown(url), cause },
            BodyFault::Cut(received) => FetchFailure::Cut { url: shown(url), received },
        };
        let encodings = response.headers().get_all(CONTENT_ENCODING).into_iter();
        let mut body = Body::new(encodings.map(HeaderValue::as_bytes), limits).map_err(fault)?;
        body.announced(response.content_length()).map_err(fault)?;
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    if !body.take(&chunk).map_err(fault)? {
                        break;
                    }
                }
                Ok(None) => break,
                Err(_) => return Err(fault(BodyFault::Cut(body.received()))),
            }
        }
        body.finish().map_err(fault)
    }

    fn failed(&self, url: &Url, error: &reqwest::Error) -> FetchFailure {
        let url_text = shown(url);
        let mut cause: Option<&dyn Error> = Some(error);
        while let Some(error) = cause {
            if let Some(refused) = error.downcast_ref::<NameRefused>() {
                return FetchFailure::Refused { url: url_text, cause: refused.cause.clone() };
            }
            cause = error.source();
        }
        if error.is_timeout() {
            let cause = "there was no connection".to_owned();
            return FetchFailure::TimedOut { url: url_text, cause, after: self.connect };
        }
        let said = deepest(error);
        if said.contains("head is too large") || said.contains("too many headers") {
            let cause = format!("its headers are more than {MOST_HEADERS} or too large");
            return FetchFailure::TooLarge { url: url_text, cause };
        }
        if said.contains("certificate") {
            return FetchFailure::Untrusted { url: url_text, cause: said };
        }
        FetchFailure::Unreachable { url: url_text, cause: said }
    }
}

fn client(settings: &FetchSettings, resolver: GuardedResolver) -> reqwest::Result<Client> {
    let builder = Client::builder()
        .user_agent(settings.user_agent())
        .connect_timeout(settings.connect)
        .dns_resolver(Arc::new(resolver))
        // Every hop is checked by us, and nothing is sent twice behind our back.
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // A proxy of the environment would connect where the guard cannot see.
        .no_proxy()
        // Bodies are unpacked under limits of our own.
        .gzip(false)
        // One protocol, whose limits are known, is enough for reading pages.
        .http1_only()
        .http1_max_headers(MOST_HEADERS)
        .pool_idle_timeout(Duration::from_secs(15))
        .pool_max_idle_per_host(settings.most_at_a_host);
    // A machine without certificates can still read what is served without TLS.
    match tls::http1() {
        Ok(trusted) => builder.tls_backend_preconfigured(trusted),
        Err(_) => builder.tls_certs_only([]),
    }
    .build()
}

/// The innermost cause of an error, which is the one that tells.
fn deepest(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    let text: String =
        error.to_string().chars().filter(|char| !char.is_control()).take(300).collect();
    text
}

/// The time that a fetch has, without the time that it waits for its turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    whole: Duration,
    left: Duration,
}

impl Deadline {
    pub(crate) fn new(whole: Duration) -> Self {
        Self { whole, left: whole }
    }

    /// Does a piece of work in the time that is left.
    pub(crate) async fn within<T>(
        &mut self,
        url: &Url,
        missing: &str,
        work: impl Future<Output = Result<T, FetchFailure>>,
    ) -> Result<T, FetchFailure> {
        let begun = Instant::now();
        let outcome = tokio::time::timeout(self.left, work).await;
        self.left = self.left.saturating_sub(begun.elapsed());
        outcome.unwrap_or_else(|_| {
            let (url, cause) = (shown(url), missing.to_owned());
            Err(FetchFailure::TimedOut { url, cause, after: self.whole })
        })
    }
}

/// The time now, for the record.
pub(crate) fn now() -> Timestamp {
    crate::clock::SystemClock.now()
}
