//! Search providers: words to addresses, or to documents.
//!
//! [`provider`] builds one by its name from [`ProviderSettings`]; [`PROVIDERS`] tells which there are. Each sends one
//! request a search as a rule, never follows a redirect, keeps a pause between requests to one host, waits when it is
//! told to, and gives up at its deadline. What comes back is data of strangers: it is bounded before it is parsed, its
//! titles and snippets are made plain text, and whatever has no `http` or `https` address is left out.

mod arxiv;
mod brave;
#[cfg(any(test, feature = "testkit"))]
mod check;
mod clean;
mod crossref;
mod found;
mod mediawiki;
mod openalex;
mod opensearch;
mod pace;
mod peer;
mod searxng;
mod settings;
mod setup;
mod tavily;

#[cfg(test)]
mod tests;

#[cfg(any(test, feature = "testkit"))]
pub(crate) use check::check;
pub use settings::{ProviderSettings, Secret, key_variables};
pub use setup::{PROVIDERS, ProviderInfo, ProviderSetupError, provider};

use super::Vouched;
use elenchus_core::evidence::PartialDate;
use elenchus_core::port::PortFuture;

/// What is asked of a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebQuery {
    /// Free text, already scrubbed of secrets.
    pub text: String,
    /// At most this many results, from 1.
    pub limit: u16,
    /// Nothing older, where the provider can tell.
    pub since: Option<PartialDate>,
    /// Only these registrable domains or hosts, when not empty.
    pub domains: Vec<String>,
    /// None of these.
    pub exclude: Vec<String>,
}

/// A document that a provider gave whole (an abstract, an indexed document), which need not be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its text as Markdown.
    pub text: String,
    /// Its licence, where stated.
    pub licence: Option<String>,
    /// Where the whole of it can be read, when this is a part such as an abstract: an open PDF as a rule.
    pub whole: Option<Vouched>,
}

/// One result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebResult {
    /// Where it is, vouched for by the provider.
    pub url: Vouched,
    /// Its title, as plain text.
    pub title: String,
    /// What the provider shows of it, as plain text; empty when nothing. Never evidence.
    pub snippet: String,
    /// Its author, where known.
    pub author: Option<String>,
    /// When it was published, where known.
    pub published: Option<PartialDate>,
    /// The document itself, where the provider gave it.
    pub given: Option<Given>,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The key or login is missing, wrong or not allowed to do this.
    Key,
    /// The plan or the day's allowance is used up.
    Quota,
    /// It asks to be asked less often, or we hold ourselves back.
    Busy,
    /// No connection.
    Unreachable,
    /// The deadline passed.
    Slow,
    /// It failed itself, its reply was cut, or none of its own sources answered.
    Broken,
    /// What answered does not speak this interface: a web page, a redirect, something else.
    Foreign,
    /// It understood the request and refused it.
    Refused,
    /// The reply is larger than is read.
    TooLarge,
}

/// Why a provider gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not search {provider}: {cause}")]
pub struct ProviderFailure {
    /// The provider's name.
    pub provider: String,
    /// The kind, for programs.
    pub kind: FailureKind,
    /// The cause and the way out.
    pub cause: String,
    /// Whether asking again later may help.
    pub passing: bool,
}

/// Finds documents on the web by words.
///
/// Idempotent. No result is an empty list, not an error. Results come best first, each address once, none that the query's
/// filters exclude.
pub trait Provider: Send + Sync {
    /// The name by which users choose it and sources tell it: "searxng".
    fn name(&self) -> &str;
    /// Asks.
    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>>;
}
