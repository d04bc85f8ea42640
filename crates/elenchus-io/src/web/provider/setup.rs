//! Providers by name.

use super::settings::{ProviderSettings, address_variables, key_variables};
use super::{Provider, arxiv, brave, crossref, mediawiki, openalex, opensearch, searxng, tavily};

/// What a user can know of a provider before choosing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderInfo {
    /// The plain name.
    pub name: &'static str,
    /// How it is written where it takes an argument: `wikipedia[:LANGUAGE]`.
    pub form: &'static str,
    /// What it searches, as the end of a sentence "searches ...".
    pub what: &'static str,
    /// Whether nothing works without a key.
    pub needs_key: bool,
    /// The environment variables that it is set up with, the usual ones first.
    pub variables: &'static [&'static str],
}

/// Every provider, those that need nothing but a network first.
pub const PROVIDERS: &[ProviderInfo] = &[
    ProviderInfo {
        name: "wikipedia",
        form: "wikipedia[:LANGUAGE]",
        what: "the encyclopaedia, in English or the language named",
        needs_key: false,
        variables: &["ELENCHUS_CONTACT", "WIKIPEDIA_BASE_URL"],
    },
    ProviderInfo {
        name: "mediawiki",
        form: "mediawiki:API_ADDRESS",
        what: "any other wiki by the address of its api.php",
        needs_key: false,
        variables: &["ELENCHUS_CONTACT"],
    },
    ProviderInfo {
        name: "searxng",
        form: "searxng",
        what: "the web through a SearXNG instance of your own",
        needs_key: false,
        variables: &["SEARXNG_URL", "SEARXNG_API_URL", "SEARXNG_BASE_URL", "SEARX_URL"],
    },
    ProviderInfo {
        name: "crossref",
        form: "crossref",
        what: "published research by DOI, with abstracts where publishers give them",
        needs_key: false,
        variables: &["ELENCHUS_CONTACT", "CROSSREF_EMAIL", "CROSSREF_BASE_URL"],
    },
    ProviderInfo {
        name: "arxiv",
        form: "arxiv",
        what: "preprints with their abstracts",
        needs_key: false,
        variables: &["ELENCHUS_CONTACT", "ARXIV_BASE_URL"],
    },
    ProviderInfo {
        name: "openalex",
        form: "openalex",
        what: "works of scholarship with abstracts and open copies; a free key lifts the limit of a few searches a day",
        needs_key: false,
        variables: &["OPENALEX_API_KEY", "ELENCHUS_CONTACT", "OPENALEX_EMAIL", "OPENALEX_BASE_URL"],
    },
    ProviderInfo {
        name: "tavily",
        form: "tavily",
        what: "the web through Tavily",
        needs_key: true,
        variables: &["TAVILY_API_KEY", "TAVILY_BASE_URL"],
    },
    ProviderInfo {
        name: "brave",
        form: "brave",
        what: "the web through Brave Search",
        needs_key: true,
        variables: &["BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY", "BRAVE_BASE_URL"],
    },
    ProviderInfo {
        name: "opensearch",
        form: "opensearch[:INDEX_ADDRESS]",
        what: "the documents of an OpenSearch or Elasticsearch index",
        needs_key: false,
        variables: &[
            "OPENSEARCH_URL",
            "OPENSEARCH_USERNAME",
            "OPENSEARCH_PASSWORD",
            "OPENSEARCH_API_KEY",
            "ELASTICSEARCH_URL",
            "ELASTICSEARCH_USERNAME",
            "ELASTICSEARCH_PASSWORD",
            "ELASTICSEARCH_API_KEY",
        ],
    },
];

/// Why there is no such provider to ask.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderSetupError {
    /// No provider has that name.
    #[error(
        "could not set up the search provider {name:?}: there is none of that name; choose among {}",
        forms()
    )]
    Unknown {
        /// As given, cut to a readable length.
        name: String,
    },
    /// It has no public address.
    #[error("could not set up {provider}: its address is not set; {way_out}")]
    NoAddress {
        /// The provider.
        provider: String,
        /// What to set, with an example.
        way_out: String,
    },
    /// It cannot be asked without a key.
    #[error("could not set up {provider}: no key is set; get one from {from} and set {variable}")]
    NoKey {
        /// The provider.
        provider: String,
        /// Where keys are to be had.
        from: &'static str,
        /// The variable to set.
        variable: &'static str,
    },
    /// The address is none. It is not shown, because it may hold a password.
    #[error(
        "could not set up {provider}: its address cannot be used: {cause}; give it like {example}"
    )]
    BadAddress {
        /// The provider.
        provider: String,
        /// What is wrong.
        cause: String,
        /// An address that would do.
        example: &'static str,
    },
    /// The key cannot be sent.
    #[error(
        "could not set up {provider}: its key holds characters that no HTTP header can carry, perhaps a line break from \
         copying; check {variable}"
    )]
    BadKey {
        /// The provider.
        provider: String,
        /// The variable to check.
        variable: &'static str,
    },
    /// The HTTP client could not be set up.
    #[error("could not set up {provider}: {cause}")]
    Client {
        /// The provider.
        provider: String,
        /// What the library said.
        cause: String,
    },
}

fn forms() -> String {
    PROVIDERS.iter().map(|provider| provider.form).collect::<Vec<_>>().join(", ")
}

impl ProviderSetupError {
    pub(super) fn no_key(plain: &str, from: &'static str) -> Self {
        let variable = key_variables(plain).first().copied().unwrap_or_default();
        Self::NoKey { provider: plain.to_owned(), from, variable }
    }

    pub(super) fn no_address(provider: &str, plain: &str, example: &str) -> Self {
        let variable = address_variables(plain).first().copied().unwrap_or_default();
        let way_out = format!("set {variable}, for example {variable}={example}");
        Self::NoAddress { provider: provider.to_owned(), way_out }
    }
}

/// Builds the provider of that name: "searxng", "wikipedia:de", `mediawiki:https://wiki.example/w/api.php`,
/// `opensearch:https://search.example:9200/reports`. Nothing is sent.
///
/// # Errors
/// When there is none of that name, or an address or a key that it needs is missing or cannot be used.
pub fn provider(
    name: &str,
    settings: &ProviderSettings,
) -> Result<Box<dyn Provider>, ProviderSetupError> {
    let name = name.trim();
    let (plain, argument) = match name.split_once(':') {
        Some((plain, argument)) => (plain.trim(), Some(argument.trim()).filter(|a| !a.is_empty())),
        None => (name, None),
    };
    let unknown = || ProviderSetupError::Unknown { name: name.chars().take(80).collect() };
    let lower = plain.to_ascii_lowercase();
    // Only these three take an argument; "tavily:x" is a mistake and not Tavily.
    let takes =
        matches!(lower.as_str(), "wikipedia" | "mediawiki" | "opensearch" | "elasticsearch");
    if name.contains(':') && (!takes || argument.is_none()) {
        return Err(unknown());
    }
    Ok(match lower.as_str() {
        "searxng" | "searx" => Box::new(searxng::Searxng::new(settings)?),
        "tavily" => Box::new(tavily::Tavily::new(settings)?),
        "brave" => Box::new(brave::Brave::new(settings)?),
        "wikipedia" => Box::new(mediawiki::MediaWiki::wikipedia(argument, settings)?),
        "mediawiki" => Box::new(mediawiki::MediaWiki::at(argument, settings)?),
        "openalex" => Box::new(openalex::OpenAlex::new(settings)?),
        "crossref" => Box::new(crossref::Crossref::new(settings)?),
        "arxiv" => Box::new(arxiv::Arxiv::new(settings)?),
        "opensearch" | "elasticsearch" => {
            Box::new(opensearch::OpenSearch::new(argument, settings)?)
        }
        _ => return Err(unknown()),
    })
}
