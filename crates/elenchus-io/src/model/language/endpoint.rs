//! Where a model is served and with which key.

use std::fmt;

use reqwest::Url;

use super::name::Provider;

/// A key or password. It shows in no message and no `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret without surrounding white space; `None` for an empty text, which means "not set".
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The text itself, for the request header only.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// Why there is no usable address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The text is not a base URL. It is not shown, because it may hold a password.
    #[error(
        "reading the base URL for {provider} failed: {cause}; give it like {example} (option or {variable})",
        example = default_base(*.provider),
        variable = .provider.address_variable()
    )]
    BadAddress {
        /// The provider it was meant for.
        provider: Provider,
        /// What is wrong.
        cause: String,
    },
    /// The provider's own host needs a key.
    #[error(
        "asking {provider} at {address} is not possible: no key is set; set {variable}, or give the base URL of a \
         server of your own ({base_variable}), or use --model extractive, which needs neither",
        variable = .provider.key_variable().unwrap_or("the key"),
        base_variable = .provider.address_variable()
    )]
    MissingKey {
        /// The provider.
        provider: Provider,
        /// Its address.
        address: String,
    },
    /// The key cannot be sent.
    #[error(
        "asking {provider} is not possible: the key holds characters that no HTTP header can carry, perhaps a line \
         break from copying; check {variable}",
        variable = .provider.key_variable().unwrap_or("the key")
    )]
    BadKey {
        /// The provider.
        provider: Provider,
    },
}

fn default_base(provider: Provider) -> &'static str {
    match provider {
        Provider::Ollama => "http://127.0.0.1:11434",
        Provider::OpenAi => "https://api.openai.com/v1",
        Provider::Anthropic => "https://api.anthropic.com",
    }
}

/// An address to ask, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    provider: Provider,
    base_url: String,
    key: Option<Secret>,
    /// User and password that stood in the base URL.
    login: Option<(Secret, Option<Secret>)>,
    official: bool,
    loopback: bool,
}

impl Endpoint {
    /// An endpoint from values that the caller has read; this crate reads no environment.
    ///
    /// `base_url` is the usual address of the provider when `None` or blank. For Ollama it may have any form of
    /// `OLLAMA_HOST`: `host`, `host:port`, `:port`, `0.0.0.0` (which becomes this machine), with or without scheme.
    /// A blank key is no key.
    pub fn new(
        provider: Provider,
        base_url: Option<&str>,
        key: Option<&str>,
    ) -> Result<Self, EndpointError> {
        let given = base_url.map(str::trim).filter(|text| !text.is_empty());
        let text = given.unwrap_or_else(|| default_base(provider));
        let bad = |cause: &str| EndpointError::BadAddress { provider, cause: cause.to_owned() };
        let whole = match provider {
            Provider::Ollama => whole_ollama(text),
            Provider::OpenAi | Provider::Anthropic if text.contains("://") => text.to_owned(),
            Provider::OpenAi | Provider::Anthropic => {
                return Err(bad("it has no scheme (http:// or https://)"));
            }
        };
        let mut url = Url::parse(&whole).map_err(|error| bad(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("its scheme is neither http nor https"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad("it has a query or a fragment, which a base URL cannot have"));
        }
        let login = Secret::new(&decoded(url.username()))
            .map(|user| (user, url.password().and_then(|word| Secret::new(&decoded(word)))));
        // Neither call can fail: the scheme is http or https, so the URL has a host.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        if provider == Provider::Ollama {
            on_this_machine(&mut url);
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let official = match provider {
            Provider::Ollama => false,
            Provider::OpenAi => host == "api.openai.com",
            Provider::Anthropic => host == "api.anthropic.com",
        };
        let endpoint = Self {
            provider,
            base_url: without_tail(url.as_str(), provider),
            key: key.and_then(Secret::new),
            login,
            official,
            loopback: is_loopback(&host),
        };
        if let Some(key) = &endpoint.key
            && !key.expose().bytes().all(|byte| (0x21..0x7f).contains(&byte))
        {
            return Err(EndpointError::BadKey { provider });
        }
        if official && endpoint.key.is_none() {
            return Err(EndpointError::MissingKey { provider, address: endpoint.base_url });
        }
        Ok(endpoint)
    }

    /// Whose way of talking the server follows.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// The address without user, password and trailing slash. Safe to show.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Whether a key is set.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Whether this is the provider's own host, whose price list and habits are known.
    pub fn is_official(&self) -> bool {
        self.official
    }

    /// Whether the server runs on this machine.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }

    pub(crate) fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }

    pub(crate) fn login(&self) -> Option<&(Secret, Option<Secret>)> {
        self.login.as_ref()
    }

    /// What must never show, longest first is not needed: each is replaced wherever it stands.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        let login = self.login.iter().flat_map(|(user, word)| word.iter().chain([user]));
        // A user called "a" would blank every letter a.
        self.key.iter().chain(login).map(Secret::expose).filter(|text| text.len() > 3)
    }
}

/// Without the percent escapes of a login, e.g. %40 for an at sign.
fn decoded(part: &str) -> String {
    percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned()
}

/// A form of `OLLAMA_HOST` as a URL: Ollama's port when neither scheme nor port is given.
fn whole_ollama(text: &str) -> String {
    let text = text.trim_matches(['"', '\'']);
    if text.contains("://") {
        return text.to_owned();
    }
    let (authority, path) = text.split_once('/').unwrap_or((text, ""));
    let bare_v6 = authority.matches(':').count() > 1 && !authority.starts_with('[');
    let authority = if bare_v6 { format!("[{authority}]") } else { authority.to_owned() };
    let authority =
        if authority.starts_with(':') { format!("127.0.0.1{authority}") } else { authority };
    let after_host = authority.rsplit(']').next().unwrap_or_default();
    let port = if after_host.contains(':') { "" } else { ":11434" };
    format!("http://{authority}{port}/{path}")
}

/// A server listens on 0.0.0.0 or [::]; a client asks this machine.
fn on_this_machine(url: &mut Url) {
    let host = match url.host_str() {
        Some("0.0.0.0") => "127.0.0.1",
        Some("[::]") => "[::1]",
        _ => return,
    };
    // Cannot fail: both hosts are valid and the scheme takes a host.
    let _ = url.set_host(Some(host));
}

/// The base without what this crate adds itself.
fn without_tail(url: &str, provider: Provider) -> String {
    let base = url.trim_end_matches('/');
    let tails: &[&str] = match provider {
        Provider::Ollama => &["/api", "/v1"],
        Provider::OpenAi => &["/chat/completions"],
        Provider::Anthropic => &["/v1/messages", "/v1"],
    };
    tails.iter().find_map(|tail| base.strip_suffix(tail)).unwrap_or(base).to_owned()
}

fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
}
