//! Pages from the web, behind the guard.

mod word;

use super::address::host_key;
use super::body::Limits;
use super::failure::{FetchFailure, SetupError};
use super::guard::{Claim, Guard, Route, shown};
use super::hop::{Asking, Deadline, Web, now};
use super::manners::{Custom, Manners, NoTurn, Turn};
use super::redirect;
use super::resolve::{Lookup, SystemLookup};
use super::robots::Robots;
use super::settings::FetchSettings;
use super::vouched::{Vouched, Voucher};
use crate::model::language::date::asked_wait;
use elenchus_core::id::Timestamp;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Response, Url};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// The headers that are kept of an answer, beside its type.
const KEPT: [&str; 5] = ["last-modified", "etag", "link", "x-robots-tag", "content-language"];

/// What we can read, best first.
const ACCEPTED: &str = "text/html, application/xhtml+xml, application/pdf;q=0.9, text/plain;q=0.9, text/markdown;q=0.9, \
                        application/atom+xml;q=0.8, application/rss+xml;q=0.8, */*;q=0.5";

/// How long a host rests that is busy and does not say for how long.
const REST: Duration = Duration::from_secs(30);

/// A page as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// What was asked for.
    pub requested: Url,
    /// Where it was in the end, after redirects.
    pub url: Url,
    /// The HTTP status, 200 to 299.
    pub status: u16,
    /// The `Content-Type` header, as it was sent.
    pub content_type: Option<String>,
    /// Those of `last-modified`, `etag`, `link`, `x-robots-tag` and `content-language` that were sent, by lower-case name;
    /// several of one name are joined by ", ".
    pub headers: BTreeMap<String, String>,
    /// The body, unpacked.
    pub body: Vec<u8>,
    /// When the last byte came.
    pub retrieved_at: Timestamp,
    /// The addresses that redirected, in order, beginning with the one asked for; empty when none did.
    pub redirects: Vec<Url>,
}

/// Fetches pages: guarded, limited, and polite. Clones share connections, the robots.txt files that were read, and what is
/// known of the hosts.
#[derive(Clone, Debug)]
pub struct Fetcher {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    settings: FetchSettings,
    web: Web,
    robots: Robots,
    manners: Manners,
}

impl Fetcher {
    /// A fetcher. Nothing is sent.
    ///
    /// # Errors
    /// When an entry of `allow` is no host, or the HTTP client cannot be set up.
    pub fn new(settings: FetchSettings) -> Result<Self, SetupError> {
        Self::with_lookup(settings, Arc::new(SystemLookup))
    }

    /// A fetcher that looks names up in another way than the operating system's. The answers are checked all the same.
    ///
    /// # Errors
    /// Like [`new`](Self::new).
    pub fn with_lookup(
        settings: FetchSettings,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, SetupError> {
        let guard = Guard::new(&settings)?;
        Self::guarded(settings, guard, &lookup)
    }

    pub(crate) fn guarded(
        settings: FetchSettings,
        guard: Guard,
        lookup: &Arc<dyn Lookup>,
    ) -> Result<Self, SetupError> {
        let web = Web::new(&settings, guard, lookup)?;
        let manners = Manners::new(Custom {
            at_a_host: settings.most_at_a_host,
            at_once: settings.most_at_once,
            longest_wait: settings.longest_wait,
            longest_rest: settings.longest_rest,
        });
        Ok(Self { inner: Arc::new(Inner { settings, web, robots: Robots::default(), manners }) })
    }

    /// The settings.
    pub fn settings(&self) -> &FetchSettings {
        &self.inner.settings
    }

    /// Whether an address could be asked for at all, as far as this can be told without looking its name up. Nothing is
    /// sent.
    ///
    /// # Errors
    /// When [`fetch`](Self::fetch) would refuse it at once.
    pub fn check(&self, wanted: &Vouched) -> Result<(), FetchFailure> {
        self.inner.web.guard.route(wanted.url(), &self.inner.claim(wanted)).map(|_| ())
    }

    /// Whether a page that was kept may stand for one that is wanted: it has to be as near as if it were fetched now. One
    /// that was read by the user's leave is not for a run that has no such leave, and not for a page of the public web
    /// that leads there.
    pub(super) fn may_stand(&self, wanted: &Vouched, kept: &Url, only_if_allowed: bool) -> bool {
        let (guard, claim) = (&self.inner.web.guard, self.inner.claim(wanted));
        let route = guard.route(wanted.url(), &claim).and_then(|_| guard.route(kept, &claim));
        match route {
            // Nothing is sent for it.
            Err(FetchFailure::Offline { .. }) => true,
            Err(_) => false,
            Ok(route) => route == Route::Named || !only_if_allowed,
        }
    }

    /// Fetches one page: waits for its turn at the host, asks robots.txt unless the user named the page, follows up to
    /// five redirects, each of them checked like the first address, and takes the body in under all limits.
    ///
    /// # Errors
    /// See [`FetchFailure`]; its [`nature`](FetchFailure::nature) says whether trying again may help.
    pub async fn fetch(&self, wanted: &Vouched) -> Result<Fetched, FetchFailure> {
        let inner = &self.inner;
        let mut deadline = Deadline::new(inner.settings.deadline);
        let mut claim = inner.claim(wanted);
        let exempt = *wanted.by() == Voucher::User;
        let mut url = wanted.url().clone();
        url.set_fragment(None);
        let mut redirects = Vec::new();
        loop {
            let told = |failure: FetchFailure| match redirects.last() {
                Some(from) => redirect::refused(from, failure),
                None => failure,
            };
            let route = inner.web.guard.route(&url, &claim).map_err(told)?;
            let delay = if exempt {
                None
            } else {
                inner.leave(&url, route, &claim, &mut deadline).await.map_err(told)?
            };
            let turn = inner.turn(&url, route, delay).await?;
            let response = inner.head(&url, route, &mut deadline).await.map_err(told)?;
            if redirect::is_one(response.status()) {
                let next = redirect::next(&url, response.headers())?;
                drop((response, turn));
                claim.from_public |= route == Route::Public;
                redirect::count(&mut redirects, &url, &next, inner.settings.most_redirects)?;
                url = next;
                continue;
            }
            return inner.page(wanted.url(), url, response, redirects, &mut deadline).await;
        }
    }
}

impl Inner {
    fn claim(&self, wanted: &Vouched) -> Claim {
        let url = wanted.url();
        match wanted.by() {
            Voucher::User => {
                let port = url.port_or_known_default().map(|port| (host_key(url), port));
                Claim { port, from_public: false }
            }
            Voucher::Provider(_) => Claim::default(),
            Voucher::Page(page) => {
                let inside = Url::parse(page).is_ok_and(|page| self.web.guard.allows(&page));
                Claim { port: None, from_public: !inside }
            }
        }
    }

    /// Waits for a turn at the address's host.
    async fn turn(
        &self,
        url: &Url,
        route: Route,
        delay: Option<Duration>,
    ) -> Result<Turn, FetchFailure> {
        let pause = if route != Route::Public && is_loopback(url) {
            Duration::ZERO
        } else {
            self.settings.pause
        };
        let host = place(url);
        let turn = self.manners.turn(&host, pause.max(delay.unwrap_or_default())).await;
        turn.map_err(|none| {
            let url = shown(url);
            match none {
                NoTurn::Resting(again_in) => FetchFailure::Resting { url, host, again_in },
                NoTurn::Busy => FetchFailure::Busy { url, host },
            }
        })
    }

    /// Sends a request and waits for the head of the answer; hosts that are overloaded are left alone from then on.
    async fn head(
        &self,
        url: &Url,
        route: Route,
        deadline: &mut Deadline,
    ) -> Result<Response, FetchFailure> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
        let sending = self.web.send(url, route, Asking { headers, ..Asking::default() });
        let response = deadline.within(url, "no answer began", sending).await?;
        let (status, asked) = (response.status().as_u16(), asked_wait(response.headers()));
        match (status, asked) {
            (429 | 503, Some(asked)) => self.manners.rest(&place(url), asked),
            (429, None) => self.manners.rest(&place(url), REST),
            _ => {}
        }
        Ok(response)
    }

    /// The page that an answer holds.
    async fn page(
        &self,
        requested: &Url,
        url: Url,
        response: Response,
        redirects: Vec<Url>,
        deadline: &mut Deadline,
    ) -> Result<Fetched, FetchFailure> {
        let status = response.status().as_u16();
        if !response.status().is_success() {
            return Err(FetchFailure::Status { url: shown(&url), status });
        }
        let sent = response.headers().clone();
        let content_type = text(&sent, CONTENT_TYPE.as_str());
        let headers = KEPT.iter().filter_map(|name| Some(((*name).to_owned(), text(&sent, name)?)));
        let headers = headers.collect();
        let reading = self.web.read(&url, response, Limits::of(&self.settings));
        let body = deadline.within(&url, "its body had not ended", reading).await?;
        let requested = requested.clone();
        let retrieved_at = now();
        Ok(Fetched { requested, url, status, content_type, headers, body, retrieved_at, redirects })
    }
}

/// The place whose manners count: a host, and its port where it is not a usual one.
fn place(url: &Url) -> String {
    let host = host_key(url);
    url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
}

fn is_loopback(url: &Url) -> bool {
    let host = host_key(url);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The values of a header as one text without control characters; `None` when it was not sent.
fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    let values: Vec<String> = headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect();
    let joined: String = values.join(", ").chars().filter(|char| !char.is_control()).collect();
    (!values.is_empty()).then_some(joined)
}

#[cfg(test)]
mod tests;
