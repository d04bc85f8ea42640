//! Interfaces of search providers: one endpoint that the user configured, or that is built in, and no other.

use super::address::host_key;
use super::body::Limits;
use super::failure::{FetchFailure, SetupError};
use super::guard::{Guard, shown};
use super::hop::{Asking, Deadline, Web, now};
use super::redirect;
use super::resolve::{Lookup, SystemLookup};
use super::settings::FetchSettings;
use crate::model::language::date::asked_wait;
use elenchus_core::id::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use std::sync::Arc;
use std::time::Duration;

/// Who chose the address of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The user wrote it into the settings or the environment: it may be at a private address.
    ByUser,
    /// It is built in: it has to be at a public address.
    BuiltIn,
}

/// What a provider's interface answered, whatever the status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiReply {
    /// The HTTP status; 200 to 599.
    pub status: u16,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// How long the server asks to wait (`Retry-After`), not capped.
    pub retry_after: Option<Duration>,
    /// The body, unpacked.
    pub body: Vec<u8>,
    /// When the last byte came.
    pub retrieved_at: Timestamp,
}

/// Speaks to one endpoint with the guard and the limits of a [`Fetcher`](super::Fetcher), but without its manners, which
/// are the provider's to keep, and without robots.txt: an interface is there for programs. Redirects are followed only
/// within the same host, and only for reading. Clones share connections.
#[derive(Clone, Debug)]
pub struct ApiClient {
    base: Url,
    by_user: bool,
    web: Web,
    deadline: Duration,
    limits: Limits,
    most_redirects: usize,
}

impl ApiClient {
    /// A client of the interface at `base`. Nothing is sent.
    ///
    /// # Errors
    /// When `base` is no address of an interface, an entry of `allow` is no host, or the HTTP client cannot be set up.
    pub fn new(base: &str, chosen: Chosen, settings: &FetchSettings) -> Result<Self, SetupError> {
        Self::with_lookup(base, chosen, settings, &(Arc::new(SystemLookup) as Arc<dyn Lookup>))
    }

    /// A client that looks names up in another way than the operating system's. The answers are checked all the same.
    ///
    /// # Errors
    /// Like [`new`](Self::new).
    pub fn with_lookup(
        base: &str,
        chosen: Chosen,
        settings: &FetchSettings,
        lookup: &Arc<dyn Lookup>,
    ) -> Result<Self, SetupError> {
        let fault = |cause: &str| SetupError {
            cause: format!(
                "the address of the interface cannot be used: {cause}; it looks like https://search.example.org or \
                 http://127.0.0.1:8888"
            ),
        };
        let base = Url::parse(base.trim()).map_err(|error| fault(&error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none_or(str::is_empty) {
            return Err(fault("it is no http or https address with a host"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(fault(
                "it carries a name or password; give a key in the provider's settings instead",
            ));
        }
        let web = Web::new(settings, Guard::new(settings)?, lookup)?;
        Ok(Self {
            base,
            by_user: chosen == Chosen::ByUser,
            web,
            deadline: settings.deadline,
            limits: Limits::of(settings),
            most_redirects: settings.most_redirects,
        })
    }

    /// The address of the interface.
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// Reads `url`, which must have the scheme, host and port of the base. Headers may hold a key: they are never shown,
    /// and never sent to another host.
    ///
    /// # Errors
    /// When no answer came. An answer of any status is a reply.
    pub async fn get(&self, url: &Url, headers: &[(&str, &str)]) -> Result<ApiReply, FetchFailure> {
        self.ask(Method::GET, url, headers, None).await
    }

    /// Sends `body` (JSON) to `url` with POST; otherwise like [`get`](Self::get), but no redirect is followed.
    ///
    /// # Errors
    /// When no answer came. An answer of any status is a reply.
    pub async fn post_json(
        &self,
        url: &Url,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<ApiReply, FetchFailure> {
        self.ask(Method::POST, url, headers, Some(body)).await
    }

    /// Sends `body` (JSON) to `url` with PUT; otherwise like [`post_json`](Self::post_json).
    ///
    /// # Errors
    /// When no answer came. An answer of any status is a reply.
    pub async fn put_json(
        &self,
        url: &Url,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<ApiReply, FetchFailure> {
        self.ask(Method::PUT, url, headers, Some(body)).await
    }

    async fn ask(
        &self,
        method: Method,
        url: &Url,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<ApiReply, FetchFailure> {
        let sending = self.send(method, url, headers, body);
        sending.await.map_err(|failure| failure.told_of(unasked(url)))
    }

    async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<ApiReply, FetchFailure> {
        let place =
            |url: &Url| (url.scheme().to_owned(), host_key(url), url.port_or_known_default());
        if place(url) != place(&self.base) {
            let cause = format!("this client speaks only to {}", self.base);
            return Err(FetchFailure::Refused { url: shown(url), cause });
        }
        let mut sent = headers_of(url, headers)?;
        if body.is_some() {
            sent.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let mut deadline = Deadline::new(self.deadline);
        let (mut url, mut redirects) = (url.clone(), Vec::new());
        loop {
            let route = self.web.guard.route_api(&url, self.by_user)?;
            let asking =
                Asking { method: method.clone(), headers: sent.clone(), body: body.clone() };
            let sending = self.web.send(&url, route, asking);
            let response = deadline.within(&url, "no answer began", sending).await?;
            if body.is_none() && redirect::is_one(response.status()) {
                let next = redirect::next(&url, response.headers())?;
                if !stays(&url, &next) {
                    let cause = "it leads to another host, and an interface is asked only where it was configured; \
                                 configure that address if it is right"
                        .to_owned();
                    return Err(FetchFailure::Redirect { url: shown(&url), cause });
                }
                redirect::count(&mut redirects, &url, &next, self.most_redirects)?;
                url = next;
                continue;
            }
            let status = response.status().as_u16();
            let retry_after = asked_wait(response.headers());
            let content_type = response.headers().get(CONTENT_TYPE);
            let content_type =
                content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
            let reading = self.web.read(&url, response, self.limits);
            let body = deadline.within(&url, "the answer had not ended", reading).await?;
            return Ok(ApiReply { status, content_type, retry_after, body, retrieved_at: now() });
        }
    }
}

/// An address without its query, which may hold a key.
fn unasked(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    shown(&url)
}

/// Whether a redirect stays with the host and port, or goes over to its https.
fn stays(from: &Url, next: &Url) -> bool {
    let port = |url: &Url| url.port_or_known_default();
    let upgrade = from.scheme() == "http" && port(from) == Some(80) && port(next) == Some(443);
    host_key(from) == host_key(next)
        && next.username().is_empty()
        && next.password().is_none()
        && ((from.scheme() == next.scheme() && port(from) == port(next))
            || (upgrade && next.scheme() == "https"))
}

fn headers_of(url: &Url, headers: &[(&str, &str)]) -> Result<HeaderMap, FetchFailure> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        // The value may be a key, so that only the name is told.
        let fault = || FetchFailure::Refused {
            url: shown(url),
            cause: format!(
                "the value of the header {name:?} holds characters that no header can hold; check the key"
            ),
        };
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| fault())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| fault())?;
        value.set_sensitive(true);
        map.insert(name, value);
    }
    Ok(map)
}

#[cfg(test)]
mod tests;
