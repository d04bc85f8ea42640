//! How a client behaves: deadlines, retries, caps and proxies.

use std::time::Duration;

use super::breaker::BreakerLimits;
use super::endpoint::Endpoint;
use super::price::Price;

/// How long each part of a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// To connect, TLS included.
    pub connect: Duration,
    /// From sending a request to the first message of the reply; loading a model counts. Keep-alive comments do not
    /// count as a message.
    pub first_byte: Duration,
    /// Between two messages that bring the reply on.
    pub stall: Duration,
    /// For the call, with its retry and the wait before it.
    pub whole: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_mins(3),
            stall: Duration::from_secs(90),
            whole: Duration::from_mins(10),
        }
    }
}

/// When a request is sent a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Requests for one call in all. More than 2 counts as 2, 0 as 1.
    pub tries: u32,
    /// Without word from the server the wait is drawn evenly from 0 to this.
    pub backoff: Duration,
    /// A server that asks for a longer wait is not waited for.
    pub longest_wait: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { tries: 2, backoff: Duration::from_secs(1), longest_wait: Duration::from_mins(1) }
    }
}

/// The usual proxy variables, read by the caller.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProxyVariables {
    /// `HTTP_PROXY` or `http_proxy`.
    pub http: Option<String>,
    /// `HTTPS_PROXY` or `https_proxy`.
    pub https: Option<String>,
    /// `ALL_PROXY` or `all_proxy`.
    pub all: Option<String>,
    /// `NO_PROXY` or `no_proxy`.
    pub no_proxy: Option<String>,
}

impl std::fmt::Debug for ProxyVariables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A proxy's URL may hold a password.
        f.debug_struct("ProxyVariables")
            .field("http", &self.http.is_some())
            .field("https", &self.https.is_some())
            .field("all", &self.all.is_some())
            .field("no_proxy", &self.no_proxy)
            .finish()
    }
}

impl ProxyVariables {
    /// The proxy that requests to this endpoint go through, and the variable that says so.
    ///
    /// `None` for this machine, which is never asked through a proxy, and for hosts that `NO_PROXY` lists.
    pub(crate) fn applying(&self, endpoint: &Endpoint) -> Option<(&'static str, &str)> {
        let (scheme, rest) = endpoint.base_url().split_once("://")?;
        let authority = rest.split('/').next().unwrap_or_default();
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
            _ => authority,
        };
        if endpoint.is_loopback() || self.excepts(host) {
            return None;
        }
        let own = match scheme {
            "https" => ("HTTPS_PROXY", self.https.as_deref()),
            _ => ("HTTP_PROXY", self.http.as_deref()),
        };
        [own, ("ALL_PROXY", self.all.as_deref())].into_iter().find_map(|(variable, url)| {
            url.map(str::trim).filter(|url| !url.is_empty()).map(|url| (variable, url))
        })
    }

    /// Whether `NO_PROXY` lists the host: `*`, the host itself, or a domain that it is in.
    fn excepts(&self, host: &str) -> bool {
        self.no_proxy.as_deref().unwrap_or_default().split(',').map(str::trim).any(|entry| {
            let entry = entry.trim_start_matches("*.").trim_start_matches('.');
            let entry = entry.split(':').next().filter(|_| !entry.contains("::")).unwrap_or(entry);
            let inside = || host.strip_suffix(entry).is_some_and(|rest| rest.ends_with('.'));
            entry == "*" || (!entry.is_empty() && (host.eq_ignore_ascii_case(entry) || inside()))
        })
    }
}

/// How a client behaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How long each part of a call may take.
    pub deadlines: Deadlines,
    /// When a request is sent a second time.
    pub retry: Retry,
    /// When a server, or a model there, is left alone.
    pub breaker: BreakerLimits,
    /// The most bytes of one answer, unpacked and with everything the wire adds.
    pub most_bytes: usize,
    /// The most tokens of context that Ollama is asked to make room for.
    pub most_context: u64,
    /// Proxies, for addresses other than this machine.
    pub proxies: ProxyVariables,
    /// The price that the user gives for the model, which goes before the built-in table. Other models of the same
    /// server have their own.
    pub price: Option<Price>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            deadlines: Deadlines::default(),
            retry: Retry::default(),
            breaker: BreakerLimits::default(),
            most_bytes: 32 << 20,
            most_context: 32_768,
            proxies: ProxyVariables::default(),
            price: None,
        }
    }
}
