//! Addresses that may be fetched, with who vouches for them.

use super::secrets;
use reqwest::Url;
use std::fmt;

/// Longest address that is looked at, in bytes.
const LONGEST: usize = 4_096;

/// Who named an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Voucher {
    /// It stands in the user's own words.
    User,
    /// A search provider returned it.
    Provider(String),
    /// Our parser found it as a link on this page.
    Page(String),
}

impl fmt::Display for Voucher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.write_str("named in the question"),
            Self::Provider(name) => f.write_str(name),
            Self::Page(url) => write!(f, "link on {}", secrets::of_text(url)),
        }
    }
}

/// Why a text is no address to fetch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not use the address {text:?}: {cause}")]
pub struct AddressError {
    /// As given, cut to a readable length.
    pub text: String,
    /// The cause and the way out.
    pub cause: String,
}

/// An address that did not come from a model: there is no way to make one without naming who vouches for it, and no
/// type that a model fills holds one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    url: Url,
    by: Voucher,
}

impl Vouched {
    /// Reads an address. Only `http` and `https` with a host and without a name or password in it are taken; the fragment
    /// is dropped. Says nothing about whether the host may be reached: that is the fetcher's to decide.
    ///
    /// # Errors
    /// When it is no such address.
    pub fn new(text: &str, by: Voucher) -> Result<Self, AddressError> {
        let refuse = |cause: &str| AddressError {
            text: text.chars().take(200).collect(),
            cause: cause.to_owned(),
        };
        if text.len() > LONGEST {
            return Err(refuse("it is longer than 4,096 bytes"));
        }
        let mut url = Url::parse(text).map_err(|error| refuse(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("only http and https are fetched"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(refuse("it names no host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it carries a name or password; leave them out"));
        }
        url.set_fragment(None);
        Ok(Self { url, by })
    }

    /// The address.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The address as it is shown and kept: without the secret that it carries.
    pub fn shown(&self) -> String {
        secrets::of_address(&self.url)
    }

    /// Who vouches for it.
    pub fn by(&self) -> &Voucher {
        &self.by
    }
}
