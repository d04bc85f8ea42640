//! The guard: which address may be asked at all, and which addresses its name may lead to.

use super::address::{host_key, never, why_name_not_public, why_not_public};
use super::failure::{FetchFailure, SetupError};
use super::settings::{Egress, FetchSettings};
use reqwest::Url;
use std::net::IpAddr;

/// Ports that pages are served at.
const USUAL_PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Says why an address is not public; a test can have another idea of it.
type Judge = fn(IpAddr) -> Option<&'static str>;

/// Which of the machine's neighbours a request may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Route {
    /// Public addresses only.
    Public,
    /// The user named the host: any address but those that are never reached.
    Named,
    /// The user named the host, in a mode in which only private addresses are reached.
    NamedPrivate,
}

/// An entry of [`FetchSettings::allow`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct Allowed {
    host: String,
    port: Option<u16>,
}

/// Judges addresses.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    egress: Egress,
    allow: Vec<Allowed>,
    judge: Judge,
}

/// What a request may claim for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The user named this address: its host and port may be an unusual pair.
    pub(crate) port: Option<(String, u16)>,
    /// A page of the public web led here: the hosts that the user allowed stay out of its reach.
    pub(crate) from_public: bool,
}

impl Guard {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Self, SetupError> {
        let allow = settings.allow.iter().map(|text| allowed(text)).collect::<Result<_, _>>()?;
        Ok(Self { egress: settings.egress, allow, judge: why_not_public })
    }

    /// A guard with another idea of what is public.
    #[cfg(test)]
    pub(crate) fn judging(mut self, judge: Judge) -> Self {
        self.judge = judge;
        self
    }

    /// Whether the user allowed this host and port.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        let (host, port) = (host_key(url), url.port_or_known_default().unwrap_or(0));
        self.allow.iter().any(|entry| {
            entry.host == host
                && entry.port.map_or_else(|| USUAL_PORTS.contains(&port), |own| own == port)
        })
    }

    /// How an address may be reached, before its name is looked up.
    pub(crate) fn route(&self, url: &Url, claim: &Claim) -> Result<Route, FetchFailure> {
        let refuse = |cause: String| FetchFailure::Refused { url: shown(url), cause };
        let port = Self::plain(url)?;
        if self.egress == Egress::Offline {
            return Err(FetchFailure::Offline { url: shown(url) });
        }
        if !claim.from_public && self.allows(url) {
            self.check_literal(url, Route::Named)?;
            return Ok(Route::Named);
        }
        let host = host_key(url);
        if self.egress == Egress::PrivateOnly {
            let way = match host.parse::<IpAddr>() {
                Ok(address) if never(address) => way_out(&host, Some(address)),
                _ => {
                    format!("name {host}:{port} in `web.private_hosts`, or choose the public mode")
                }
            };
            return Err(refuse(format!(
                "only hosts that you allowed are reached in private-only mode, and {host} at port {port} is not among \
                 them; {way}"
            )));
        }
        self.check_literal(url, Route::Public)?;
        if url.domain().is_some()
            && let Some(reason) = why_name_not_public(&host)
        {
            return Err(refuse(format!("{reason}; {}", way_out(&host, None))));
        }
        let claimed = claim.port.as_ref().is_some_and(|(own, at)| *own == host && *at == port);
        if !claimed && !USUAL_PORTS.contains(&port) {
            return Err(refuse(format!(
                "pages at port {port} are read only when you name them yourself; ask with the address in your question"
            )));
        }
        Ok(Route::Public)
    }

    /// How the interface that a user configured, or that is built in, may be reached.
    pub(crate) fn route_api(&self, url: &Url, by_user: bool) -> Result<Route, FetchFailure> {
        Self::plain(url)?;
        let route = match self.egress {
            Egress::Offline => return Err(FetchFailure::Offline { url: shown(url) }),
            _ if self.allows(url) => Route::Named,
            Egress::Public if by_user => Route::Named,
            Egress::PrivateOnly if by_user => Route::NamedPrivate,
            _ => return self.route(url, &Claim::default()),
        };
        self.check_literal(url, route)?;
        Ok(route)
    }

    /// Whether an address that a name led to, or that stands in a URL, may be connected to.
    pub(crate) fn check(&self, address: IpAddr, route: Route) -> Result<(), &'static str> {
        let private = (self.judge)(address);
        match (route, private) {
            (Route::Public, Some(reason)) => Err(reason),
            (Route::NamedPrivate, None) => {
                Err("a public address, and only private ones are reached in private-only mode")
            }
            (Route::Named | Route::NamedPrivate, _) if never(address) => {
                Err("an address of cloud metadata or of no single host, which is never reached")
            }
            _ => Ok(()),
        }
    }

    /// Checks scheme, host and login; returns the port.
    fn plain(url: &Url) -> Result<u16, FetchFailure> {
        let refuse =
            |cause: &str| FetchFailure::Refused { url: shown(url), cause: cause.to_owned() };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("only http and https are fetched"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it carries a name or password; leave them out"));
        }
        match url.port_or_known_default() {
            Some(port) if port != 0 && !host_key(url).is_empty() => Ok(port),
            _ => Err(refuse("it names no host and port that can be reached")),
        }
    }

    /// Names are judged by what they lead to; an address in the URL is judged here, since nothing is looked up for it.
    fn check_literal(&self, url: &Url, route: Route) -> Result<(), FetchFailure> {
        let host = host_key(url);
        // Every form of an address has been brought into its usual one when the URL was read.
        let Ok(address) = host.parse::<IpAddr>() else { return Ok(()) };
        self.check(address, route).map_err(|reason| FetchFailure::Refused {
            url: shown(url),
            cause: format!("{address} is {reason}; {}", way_out(&host, Some(address))),
        })
    }
}

/// What to do about a host that is refused: nothing, where its address is one of those that no leave opens.
pub(crate) fn way_out(host: &str, address: Option<IpAddr>) -> String {
    if address.is_some_and(never) {
        return "no setting opens it; ask for another address".to_owned();
    }
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    format!(
        "if it is your own and you want it read, name {host} with its port in `web.private_hosts`"
    )
}

/// An address for messages: without a login, and cut to a readable length.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Fails only for addresses that cannot have a login.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let text = url.as_str();
    if text.len() <= 300 {
        return text.to_owned();
    }
    let cut: String = text.chars().take(300).collect();
    format!("{cut}...")
}

fn allowed(text: &str) -> Result<Allowed, SetupError> {
    let fault = |cause: &str| SetupError {
        cause: format!(
            "{text:?} cannot be allowed: {cause}; write host or host:port, like wiki.example.org or 127.0.0.1:8888"
        ),
    };
    let trimmed = text.trim();
    let bare = trimmed.split_once("://").map_or(trimmed, |(_, rest)| rest);
    let bare = bare.strip_suffix('/').unwrap_or(bare);
    if bare.is_empty() || bare.contains(['/', '@', '?', '#', '\\', '*', ' ']) {
        return Err(fault("it is not a single host"));
    }
    let bare = match bare.parse::<std::net::Ipv6Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => bare.to_owned(),
    };
    // With ftp no port of the web is the usual one, so that each that is written stays visible.
    let url = Url::parse(&format!("ftp://{bare}/")).map_err(|error| fault(&error.to_string()))?;
    let host = host_key(&url);
    if host.is_empty() {
        return Err(fault("it names no host"));
    }
    if host.parse::<IpAddr>().is_ok_and(never) {
        return Err(fault(
            "it is an address of cloud metadata or of no single host, which is never reached",
        ));
    }
    let port = match (url.port(), trimmed.split_once("://")) {
        (None, _) if bare.ends_with(":21") => Some(21),
        (None, Some(("https", _))) => Some(443),
        (None, Some(("http", _))) => Some(80),
        (port, _) => port,
    };
    Ok(Allowed { host, port })
}

#[cfg(test)]
mod tests;
