//! What providers are told by their user: addresses, keys, who asks, how often and how long.

use super::pace::Paces;
pub use crate::model::language::Secret;
use crate::web::FetchSettings;
use std::collections::BTreeMap;
use std::time::Duration;

/// Addresses and keys of providers, and how to behave towards them.
///
/// `Debug` shows which keys are set and never what they are. Clones share the providers' clocks: whoever builds
/// providers from the same settings, or from a clone, is held to one pace towards each of them.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// Base addresses given by the user, by the provider's plain name ("searxng", "tavily", "opensearch"). Such an
    /// address may be private; a provider without one is asked at its public address over https only.
    pub addresses: BTreeMap<String, String>,
    /// Keys, by the provider's plain name.
    pub keys: BTreeMap<String, Secret>,
    /// User and password for OpenSearch or Elasticsearch.
    pub opensearch_login: Option<(Secret, Secret)>,
    /// An e-mail address for services that serve callers they can reach more readily (OpenAlex, Crossref, Wikimedia).
    pub contact: Option<String>,
    /// A language for results, as a BCP 47 tag ("en", "de"); `None` leaves it to the provider.
    pub language: Option<String>,
    /// The least time between two requests to a provider, by its plain name, where it should not be the usual one.
    pub pauses: BTreeMap<String, Duration>,
    /// For one search of one provider, with its waits and its retry.
    pub deadline: Duration,
    /// How the web is reached: egress mode and size limits. Its contact and deadline are not looked at.
    pub fetch: FetchSettings,
    /// When each provider may be asked again.
    pub(super) paces: Paces,
}

impl Default for ProviderSettings {
    fn default() -> Self {
        Self {
            addresses: BTreeMap::new(),
            keys: BTreeMap::new(),
            opensearch_login: None,
            contact: None,
            language: None,
            pauses: BTreeMap::new(),
            deadline: Duration::from_secs(20),
            fetch: FetchSettings::default(),
            paces: Paces::default(),
        }
    }
}

/// The variables that name an address, first to last; the first that is set and not blank counts.
const ADDRESSES: &[(&str, &[&str])] = &[
    ("searxng", &["SEARXNG_URL", "SEARXNG_API_URL", "SEARXNG_BASE_URL", "SEARX_URL"]),
    ("tavily", &["TAVILY_BASE_URL"]),
    ("brave", &["BRAVE_BASE_URL"]),
    ("wikipedia", &["WIKIPEDIA_BASE_URL"]),
    ("openalex", &["OPENALEX_BASE_URL"]),
    ("crossref", &["CROSSREF_BASE_URL"]),
    ("arxiv", &["ARXIV_BASE_URL"]),
    ("opensearch", &["OPENSEARCH_URL", "ELASTICSEARCH_URL"]),
];

/// The variables that hold a key.
const KEYS: &[(&str, &[&str])] = &[
    ("tavily", &["TAVILY_API_KEY"]),
    ("brave", &["BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"]),
    ("openalex", &["OPENALEX_API_KEY"]),
    ("opensearch", &["OPENSEARCH_API_KEY", "ELASTICSEARCH_API_KEY", "ELASTIC_API_KEY"]),
];

const USERS: &[&str] = &["OPENSEARCH_USERNAME", "OPENSEARCH_USER", "ELASTICSEARCH_USERNAME"];
const PASSWORDS: &[&str] = &["OPENSEARCH_PASSWORD", "ELASTICSEARCH_PASSWORD"];
const CONTACTS: &[&str] = &["ELENCHUS_CONTACT", "OPENALEX_EMAIL", "CROSSREF_EMAIL"];
const LANGUAGES: &[&str] = &["ELENCHUS_WEB_LANGUAGE"];

impl ProviderSettings {
    /// Settings from environment variables, which the caller looks up: this crate reads no environment. A variable that
    /// is blank counts as not set.
    pub fn from_variables(look_up: impl Fn(&str) -> Option<String>) -> Self {
        let first = |names: &[&str]| {
            names.iter().find_map(|name| {
                look_up(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
            })
        };
        let secret = |names: &[&str]| first(names).and_then(|text| Secret::new(&text));
        let mut settings = Self::default();
        for (name, variables) in ADDRESSES {
            if let Some(address) = first(variables) {
                settings.addresses.insert((*name).to_owned(), address);
            }
        }
        for (name, variables) in KEYS {
            if let Some(key) = secret(variables) {
                settings.keys.insert((*name).to_owned(), key);
            }
        }
        settings.opensearch_login = secret(USERS).zip(secret(PASSWORDS));
        settings.contact = first(CONTACTS);
        settings.language = first(LANGUAGES);
        settings
    }

    /// Every variable that [`from_variables`](Self::from_variables) looks up.
    pub fn variables() -> Vec<&'static str> {
        let groups = ADDRESSES.iter().chain(KEYS).map(|(_, names)| *names);
        groups.chain([USERS, PASSWORDS, CONTACTS, LANGUAGES]).flatten().copied().collect()
    }

    /// The contact, where it looks like an e-mail address that a header can carry.
    pub(super) fn contact(&self) -> Option<&str> {
        let contact = self.contact.as_deref()?.trim();
        let contact = contact.strip_prefix("mailto:").unwrap_or(contact);
        let fits = contact.contains('@') && contact.bytes().all(|b| b.is_ascii_graphic());
        (fits && !contact.contains(['(', ')'])).then_some(contact)
    }
}

/// The variables of a provider's address.
pub(super) fn address_variables(plain: &str) -> &'static [&'static str] {
    of(ADDRESSES, plain)
}

/// The variables of a provider's key, the usual one first; none where it takes none.
pub fn key_variables(plain: &str) -> &'static [&'static str] {
    of(KEYS, plain)
}

fn of(
    table: &'static [(&'static str, &'static [&'static str])],
    plain: &str,
) -> &'static [&'static str] {
    table.iter().find(|(name, _)| *name == plain).map_or(&[], |(_, variables)| variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_not_blank_counts() {
        let set = BTreeMap::from([
            ("SEARXNG_URL", " "),
            ("SEARXNG_BASE_URL", "http://127.0.0.1:8080"),
            ("SEARX_URL", "http://other"),
            ("BRAVE_SEARCH_API_KEY", "brave-key-words"),
            ("TAVILY_API_KEY", ""),
            ("OPENSEARCH_USERNAME", "reader"),
        ]);
        let settings =
            ProviderSettings::from_variables(|name| set.get(name).map(|text| (*text).to_owned()));
        assert_eq!(settings.addresses["searxng"], "http://127.0.0.1:8080");
        assert!(settings.keys.contains_key("brave"));
        assert!(!settings.keys.contains_key("tavily"));
        assert_eq!(settings.opensearch_login, None, "a user without a password is no login");
        assert!(!format!("{settings:?}").contains("brave-key-words"));
    }

    #[test]
    fn a_contact_is_named_when_a_header_can_carry_it() {
        let mut settings = ProviderSettings {
            contact: Some("mailto:a@b.example".to_owned()),
            ..ProviderSettings::default()
        };
        assert_eq!(settings.contact(), Some("a@b.example"));
        settings.contact = Some("a@b\r\nx-evil: 1".to_owned());
        assert_eq!(settings.contact(), None);
    }
}
