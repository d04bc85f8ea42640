//! One provider's server over HTTP: pauses, deadline, limits, and what its refusals mean.

use super::pace::Pace;
use super::settings::{ProviderSettings, Secret, address_variables, key_variables};
use super::setup::ProviderSetupError;
use super::{FailureKind, ProviderFailure};
use crate::model::language::{is_page, sentence, tidy};
use crate::web::{ApiClient, ApiReply, Chosen, FetchFailure, FetchSettings};
use base64::prelude::{BASE64_STANDARD, Engine};
use encoding_rs::Encoding;
use reqwest::Url;
use reqwest::header::HeaderValue;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Commas, brackets and braces in one JSON reply: a bound for what its tree can take, about 32 bytes each.
const MOST_PARTS: usize = 500_000;
/// Bytes of a refusal that are looked at for its reason.
const REFUSAL: usize = 16 << 10;
/// The wait before the second request when a server is busy and names none.
const SECOND: Duration = Duration::from_secs(1);

/// What a provider is, for [`Peer::new`].
pub(super) struct Spec<'a> {
    /// As users choose it: "wikipedia:de".
    pub(super) name: String,
    /// The plain name, under which settings are kept.
    pub(super) plain: &'static str,
    /// Where it is.
    pub(super) place: Place<'a>,
    /// An address that would do, for messages.
    pub(super) example: &'static str,
    /// Between two requests.
    pub(super) pause: Duration,
}

/// Where a provider is.
pub(super) enum Place<'a> {
    /// At its public address: https only.
    Public(&'a str),
    /// Where the user says, which may be a private network.
    Given(&'a str),
}

/// The way to one provider's server.
pub(super) struct Peer {
    pub(super) name: String,
    plain: &'static str,
    http: ApiClient,
    pub(super) base: Url,
    given: bool,
    /// The key or login, as the header that carries it.
    key: Option<(&'static str, String)>,
    /// What must never show in a message.
    hidden: Vec<String>,
    pace: Pace,
    pause: Duration,
    deadline: Duration,
}

/// One request.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) url: Url,
    /// Sent as JSON; without one it is a GET.
    pub(super) body: Option<Value>,
    pub(super) accept: &'static str,
}

impl Ask {
    pub(super) fn get(url: Url) -> Self {
        Self { url, body: None, accept: "application/json" }
    }
}

/// A reply of another status than success, for a provider that has a better explanation.
pub(super) struct Refusal<'a> {
    pub(super) status: u16,
    /// The server's own words, without secrets, perhaps empty.
    pub(super) said: &'a str,
    /// Whether it was a web page.
    pub(super) page: bool,
}

/// A provider's own explanation of a refusal: kind and cause.
pub(super) type Explain = fn(&Refusal<'_>) -> Option<(FailureKind, String)>;

/// For providers without refusals of their own.
pub(super) fn nothing_special(_: &Refusal<'_>) -> Option<(FailureKind, String)> {
    None
}

impl Peer {
    pub(super) fn new(
        spec: Spec<'_>,
        settings: &ProviderSettings,
    ) -> Result<Self, ProviderSetupError> {
        let bad = |cause: String| ProviderSetupError::BadAddress {
            provider: spec.name.clone(),
            cause,
            example: spec.example,
        };
        let (text, given) = match spec.place {
            Place::Public(text) => (text, false),
            Place::Given(text) => (text.trim(), true),
        };
        let mut base = Url::parse(text).map_err(|error| bad(error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(bad("its scheme is neither http nor https".to_owned()));
        }
        if base.query().is_some() || base.fragment().is_some() {
            return Err(bad("it has a query or a fragment".to_owned()));
        }
        let decoded = |part: &str| {
            percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned()
        };
        let login = Secret::new(&decoded(base.username()))
            .map(|user| (user, base.password().and_then(|word| Secret::new(&decoded(word)))));
        // Neither can fail: the scheme is http or https, so there is a host.
        let _ = base.set_username("");
        let _ = base.set_password(None);
        let contact = settings.contact().map(|contact| format!("mailto:{contact}"));
        let fetch =
            FetchSettings { contact, deadline: settings.deadline, ..settings.fetch.clone() };
        let chosen = if given { Chosen::ByUser } else { Chosen::BuiltIn };
        let http = ApiClient::new(base.as_str(), chosen, &fetch).map_err(|error| {
            ProviderSetupError::Client { provider: spec.name.clone(), cause: error.cause }
        })?;
        let host = format!(
            "{}:{}",
            base.host_str().unwrap_or_default(),
            base.port_or_known_default().unwrap_or(0)
        );
        let mut peer = Self {
            plain: spec.plain,
            http,
            given,
            key: None,
            hidden: Vec::new(),
            pace: settings.paces.of(&host),
            pause: settings.pauses.get(spec.plain).copied().unwrap_or(spec.pause),
            deadline: settings.deadline,
            base,
            name: spec.name,
        };
        if let Some((user, word)) = login {
            peer.log_in(user, word);
        }
        Ok(peer)
    }

    /// Sends this header with every request and hides its value.
    pub(super) fn with_key(
        mut self,
        header: &'static str,
        before: &str,
        key: &Secret,
    ) -> Result<Self, ProviderSetupError> {
        let value = format!("{before}{}", key.expose());
        if HeaderValue::from_str(&value).is_err() {
            return Err(ProviderSetupError::BadKey {
                provider: self.name.clone(),
                variable: key_variables(self.plain).first().copied().unwrap_or_default(),
            });
        }
        self.key = Some((header, value));
        self.hide(key.expose());
        Ok(self)
    }

    /// Logs in with every request.
    pub(super) fn log_in(&mut self, user: Secret, word: Option<Secret>) {
        let password = word.as_ref().map_or("", Secret::expose);
        let pair = BASE64_STANDARD.encode(format!("{}:{password}", user.expose()));
        self.hide(&pair);
        if let Some(word) = &word {
            self.hide(word.expose());
        }
        self.key = Some(("authorization", format!("Basic {pair}")));
    }

    /// Never shows this text in a message, nor its form in an address.
    pub(super) fn hide(&mut self, secret: &str) {
        // A password "a" would blank every letter a.
        if secret.len() > 3 {
            let encoded: String = Url::parse_with_params("http://a/", [("k", secret)])
                .ok()
                .and_then(|url| url.query().map(|query| query[2..].to_owned()))
                .unwrap_or_default();
            self.hidden.push(secret.to_owned());
            self.hidden.push(encoded);
        }
    }

    /// An address below the base.
    pub(super) fn url(&self, path: &str, pairs: &[(&str, &str)]) -> Url {
        let mut url = self.base.clone();
        let whole = format!("{}/{path}", url.path().trim_end_matches('/'));
        url.set_path(whole.trim_end_matches('/'));
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        url
    }

    /// The deadline of a search that begins now.
    pub(super) fn until(&self) -> Instant {
        Instant::now() + self.deadline.min(Duration::from_hours(1))
    }

    /// A JSON reply.
    pub(super) async fn json(
        &self,
        ask: Ask,
        until: Instant,
        explain: Explain,
    ) -> Result<Value, ProviderFailure> {
        let text = self.text(ask, until, explain).await?;
        let body = text.trim_start_matches('\u{feff}').trim();
        if body.is_empty() {
            return Err(self.failure(FailureKind::Broken, "it answered with nothing"));
        }
        if body.bytes().filter(|b| matches!(b, b',' | b'[' | b'{')).count() > MOST_PARTS {
            return Err(self.failure(
                FailureKind::TooLarge,
                &format!("its reply has more than {MOST_PARTS} parts and was not read"),
            ));
        }
        serde_json::from_str(body).map_err(|error| {
            if is_page(body.as_bytes()) {
                self.page()
            } else if error.is_eof() {
                let cause = format!("its reply was cut after {} bytes; try again", text.len());
                self.failure(FailureKind::Broken, &cause)
            } else {
                let start = self.quote(body.get(..400).unwrap_or(""), 80);
                let cause = format!(
                    "its reply cannot be read as JSON ({error}): {start}{}",
                    self.check_address()
                );
                self.failure(FailureKind::Foreign, &cause)
            }
        })
    }

    /// A reply as text, in the encoding that it states.
    pub(super) async fn text(
        &self,
        ask: Ask,
        until: Instant,
        explain: Explain,
    ) -> Result<String, ProviderFailure> {
        for last in [false, true] {
            let reply = self.send(&ask, until).await?;
            if (200..300).contains(&reply.status) {
                return Ok(decoded(&reply));
            }
            let again = matches!(reply.status, 429 | 502..=504);
            let wait = reply.retry_after.unwrap_or(SECOND);
            if again {
                self.pace.rest(wait);
            }
            let left = until.saturating_duration_since(Instant::now());
            if !again || last || wait >= left {
                return Err(self.refused(&reply, explain));
            }
        }
        // The second turn of the loop always returns.
        Err(self.failure(FailureKind::Broken, "it gave no answer"))
    }

    async fn send(&self, ask: &Ask, until: Instant) -> Result<ApiReply, ProviderFailure> {
        let left = until.saturating_duration_since(Instant::now());
        let wait = self.pace.turn(self.pause, left).map_err(|refused| {
            let wait = seconds(refused.wait);
            let cause = if refused.asked {
                format!("it asked to be left alone for another {wait}; try again then")
            } else {
                format!("the pause between requests to it would take {wait}; try again then")
            };
            self.failure(FailureKind::Busy, &cause)
        })?;
        tokio::time::sleep(wait).await;
        let mut headers = vec![("accept", ask.accept)];
        headers.extend(self.key.as_ref().map(|(name, value)| (*name, value.as_str())));
        let sending = async {
            match &ask.body {
                Some(body) => {
                    self.http.post_json(&ask.url, &headers, body.to_string().into_bytes()).await
                }
                None => self.http.get(&ask.url, &headers).await,
            }
        };
        match tokio::time::timeout_at(until.into(), sending).await {
            Err(_) => Err(self.late()),
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(failure)) => Err(self.unsent(failure)),
        }
    }

    /// What a status other than success means.
    fn refused(&self, reply: &ApiReply, explain: Explain) -> ProviderFailure {
        let status = reply.status;
        let body = reply.body.get(..REFUSAL).unwrap_or(&reply.body);
        let page = is_page(body);
        let words = if page { String::new() } else { sentence(&String::from_utf8_lossy(body)) };
        let said = self.quote(&words, 200);
        let refusal = Refusal { status, said: &said, page };
        if let Some((kind, cause)) = explain(&refusal) {
            return self.failure(kind, &cause);
        }
        let with = |text: &str| match said.as_str() {
            "" => format!("{text} (status {status})"),
            said => format!("{text} (status {status}: {said})"),
        };
        let key = key_variables(self.plain).first();
        match status {
            401 | 403 => {
                let cause = match (key, self.key.is_none()) {
                    (Some(variable), false) => {
                        format!("{}; check {variable}", with("it refused the key"))
                    }
                    (Some(variable), true) => format!("{}; set {variable}", with("it wants a key")),
                    (None, _) => with("it refused to answer"),
                };
                self.failure(FailureKind::Key, &cause)
            }
            402 => self.failure(FailureKind::Quota, &with("the allowance is used up")),
            429 => {
                let when = reply
                    .retry_after
                    .map_or("later".to_owned(), |wait| format!("in {}", seconds(wait)));
                let cause = format!("{}; try again {when}", with("it asks to be asked less often"));
                self.failure(FailureKind::Busy, &cause)
            }
            300..=399 => {
                let cause = format!("it redirects (status {status}){}", self.check_address());
                self.failure(FailureKind::Foreign, &cause)
            }
            404 | 405 => {
                let cause =
                    format!("{}{}", with("there is no such interface"), self.check_address());
                self.failure(FailureKind::Foreign, &cause)
            }
            500.. => self.failure(
                FailureKind::Broken,
                &format!("{}; try again later", with("it failed itself")),
            ),
            _ if page => self.page(),
            _ => self.failure(FailureKind::Refused, &with("it refused the request")),
        }
    }

    fn page(&self) -> ProviderFailure {
        let cause = format!("a web page came back where data was expected{}", self.check_address());
        self.failure(FailureKind::Foreign, &cause)
    }

    fn late(&self) -> ProviderFailure {
        let cause = format!("it did not answer within {}; try again later", seconds(self.deadline));
        self.failure(FailureKind::Slow, &cause)
    }

    /// Why no answer came at all.
    fn unsent(&self, failure: FetchFailure) -> ProviderFailure {
        let check = self.check_address();
        let host = self.base.host_str().unwrap_or_default();
        let said = |cause: &str| self.quote(cause, 300);
        let (kind, cause) = match failure {
            FetchFailure::TimedOut { .. } => return self.late(),
            FetchFailure::Unreachable { cause, .. } => (
                FailureKind::Unreachable,
                format!("no connection to {host} ({}); check the network{check}", said(&cause)),
            ),
            FetchFailure::Cut { received, .. } => (
                FailureKind::Broken,
                format!("its reply was cut after {received} bytes; try again"),
            ),
            FetchFailure::TooLarge { cause, .. } => {
                (FailureKind::TooLarge, format!("its reply was not read: {}", said(&cause)))
            }
            FetchFailure::Encoding { cause, .. } => {
                (FailureKind::Broken, format!("its reply cannot be unpacked: {}", said(&cause)))
            }
            FetchFailure::Redirect { cause, .. } => {
                (FailureKind::Foreign, format!("it redirects: {}{check}", said(&cause)))
            }
            FetchFailure::Redirects { cause, .. } => {
                (FailureKind::Foreign, format!("it redirects {}{check}", said(&cause)))
            }
            FetchFailure::Offline { .. } => (
                FailureKind::Refused,
                "nothing is asked in offline mode; choose another egress mode".to_owned(),
            ),
            FetchFailure::Refused { cause, .. } => {
                (FailureKind::Refused, format!("it may not be asked: {}", said(&cause)))
            }
            other => (FailureKind::Refused, said(&other.to_string())),
        };
        self.failure(kind, &cause)
    }

    /// "; check SEARXNG_URL, now http://...", for an address that the user gave.
    fn check_address(&self) -> String {
        let address = self.base.as_str();
        match (self.given, address_variables(self.plain).first()) {
            (true, Some(variable)) => format!("; check {variable} (now {address})"),
            (true, None) => format!("; check the address {address}"),
            (false, _) => String::new(),
        }
    }

    /// A stranger's words, short, on one line, without our secrets.
    pub(super) fn quote(&self, text: &str, longest: usize) -> String {
        // White space is made one before secrets are looked for, and the cut comes after it.
        let mut text = tidy(text, 4_000);
        for secret in self.hidden.iter().filter(|secret| !secret.is_empty()) {
            text = text.replace(secret.as_str(), "(hidden)");
        }
        tidy(&text, longest)
    }

    /// A failure of this provider.
    pub(super) fn failure(&self, kind: FailureKind, cause: &str) -> ProviderFailure {
        use FailureKind::{Broken, Busy, Slow, Unreachable};
        let passing = matches!(kind, Busy | Slow | Broken | Unreachable);
        ProviderFailure { provider: self.name.clone(), kind, cause: cause.to_owned(), passing }
    }
}

/// The text of a reply in the encoding that it states; a byte order mark goes before what the header says.
fn decoded(reply: &ApiReply) -> String {
    let stated = reply.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    let label = stated.split_once("charset=").map_or("", |(_, label)| label);
    let label = label.split(';').next().unwrap_or_default().trim_matches(['"', ' ']);
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8);
    encoding.decode(&reply.body).0.into_owned()
}

fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        short if short < 10.0 => format!("{short:.1} s"),
        long => format!("{long:.0} s"),
    }
}
