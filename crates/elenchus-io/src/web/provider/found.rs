//! From what a provider says to results: the query's filters, each address once, plain words.

use super::clean::plain;
use super::{Given, WebQuery, WebResult};
use crate::web::{Vouched, Voucher};
use elenchus_core::evidence::PartialDate;
use reqwest::Url;
use std::collections::BTreeSet;

/// Characters of a title.
const TITLE: usize = 300;
/// Characters of a snippet.
const SNIPPET: usize = 2_000;
/// Characters of a name.
const AUTHOR: usize = 300;

/// A result as a provider states it.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) snippet: String,
    pub(super) author: Option<String>,
    pub(super) published: Option<PartialDate>,
    /// The text of the document as Markdown, and its licence.
    pub(super) given: Option<(String, Option<String>)>,
    /// Where the whole of it can be read.
    pub(super) whole: Option<String>,
    /// Other addresses of the same document, by which the user's domains may mean it.
    pub(super) also: Vec<String>,
}

/// The results that may be shown, best first.
pub(super) fn settle(
    provider: &str,
    query: &WebQuery,
    found: impl IntoIterator<Item = Found>,
) -> Vec<WebResult> {
    let most = usize::from(query.limit.max(1));
    let filter = Filter::new(query);
    let mut seen = BTreeSet::new();
    let mut results = Vec::new();
    for found in found {
        if results.len() == most {
            break;
        }
        let vouched =
            |text: &str| Vouched::new(text.trim(), Voucher::Provider(provider.to_owned()));
        let Ok(url) = vouched(&found.url) else { continue };
        if !filter.admits(url.url(), &found) || !seen.insert(key(url.url())) {
            continue;
        }
        let whole = found.whole.as_deref().and_then(|text| vouched(text).ok());
        results.push(WebResult {
            title: plain(&found.title, TITLE),
            snippet: plain(&found.snippet, SNIPPET),
            author: found.author.map(|name| plain(&name, AUTHOR)).filter(|name| !name.is_empty()),
            published: found.published,
            given: found.given.map(|(text, licence)| Given { text, licence, whole }),
            url,
        });
    }
    results
}

/// Addresses that differ in this only are one: scheme, "www.", a last slash.
fn key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    let query = url.query().map_or(String::new(), |query| format!("?{query}"));
    let path = url.path().trim_end_matches('/');
    format!("{}{port}{path}{query}", host.strip_prefix("www.").unwrap_or(host))
}

struct Filter {
    domains: Vec<String>,
    exclude: Vec<String>,
    since: Option<i64>,
}

impl Filter {
    fn new(query: &WebQuery) -> Self {
        Self {
            domains: query.domains.iter().filter_map(|domain| site(domain)).collect(),
            exclude: query.exclude.iter().filter_map(|domain| site(domain)).collect(),
            since: query.since.map(first_day),
        }
    }

    fn admits(&self, url: &Url, found: &Found) -> bool {
        let others = found.also.iter().chain(&found.whole).filter_map(|text| Url::parse(text).ok());
        let hosts: Vec<String> = others.chain([url.clone()]).filter_map(|url| host(&url)).collect();
        let on = |domains: &[String]| {
            hosts.iter().any(|host| domains.iter().any(|domain| within(host, domain)))
        };
        let new_enough = match (self.since, found.published) {
            (Some(since), Some(published)) => published.order_key() >= since,
            _ => true,
        };
        new_enough && (self.domains.is_empty() || on(&self.domains)) && !on(&self.exclude)
    }
}

/// Whether a query's domains leave anything of the site at this address.
pub(super) fn site_is_wanted(query: &WebQuery, address: &Url) -> bool {
    let found = Found::default();
    Filter { since: None, ..Filter::new(query) }.admits(address, &found)
}

/// The domains that the user asked for, as hosts.
pub(super) fn sites(domains: &[String]) -> Vec<String> {
    domains.iter().filter_map(|domain| site(domain)).collect()
}

/// A number that compares with [`PartialDate::order_key`]: the first day of the period.
fn first_day(date: PartialDate) -> i64 {
    (i64::from(date.year) * 12 + i64::from(date.month)) * 32 + i64::from(date.day)
}

/// "example.org:8080" of an address: the port only where it is not the usual one.
fn host(url: &Url) -> Option<String> {
    let host = url.host_str()?.trim_end_matches('.');
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

/// What a user means by a domain: "example.org", "*.example.org", "https://www.example.org/path".
fn site(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches("*.").trim_start_matches('.');
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let found = host(&Url::parse(&whole).ok()?)?;
    let found = found.strip_prefix("www.").unwrap_or(&found);
    (!found.is_empty()).then(|| found.to_owned())
}

/// Whether a host is the domain or below it. A domain without a port means every port.
fn within(host: &str, domain: &str) -> bool {
    let bare = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|b| b.is_ascii_digit()) => bare,
        _ => host,
    };
    let below = |host: &str| {
        host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
    };
    below(host) || below(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(url: &str) -> Found {
        Found { url: url.to_owned(), title: url.to_owned(), ..Found::default() }
    }

    fn shown(query: &WebQuery, urls: &[&str]) -> Vec<String> {
        let results = settle("p", query, urls.iter().map(|url| found(url)));
        results.iter().map(|result| result.url.url().to_string()).collect()
    }

    fn query() -> WebQuery {
        WebQuery { text: "x".to_owned(), limit: 10, ..WebQuery::default() }
    }

    #[test]
    fn other_schemes_and_second_spellings_are_left_out() {
        let urls = [
            "https://example.org/a",
            "http://www.example.org/a/",
            "https://example.org/a#part",
            "ftp://example.org/a",
            "javascript:alert(1)",
            "",
            "https://user:word@example.org/b",
            "https://example.org/a?b=1",
        ];
        assert_eq!(shown(&query(), &urls), ["https://example.org/a", "https://example.org/a?b=1"]);
    }

    #[test]
    fn domains_mean_themselves_and_what_is_below_them() {
        let urls = [
            "https://example.org/1",
            "https://news.example.org/2",
            "https://notexample.org/3",
            "https://example.org.evil.test/4",
            "http://127.0.0.1:8898/5",
        ];
        let mut only = query();
        only.domains = vec!["https://www.Example.org/x".to_owned(), "127.0.0.1:8898".to_owned()];
        assert_eq!(shown(&only, &urls).len(), 3);
        let mut without = query();
        without.exclude = vec!["*.example.org".to_owned(), "127.0.0.1".to_owned()];
        assert_eq!(
            shown(&without, &urls),
            ["https://notexample.org/3", "https://example.org.evil.test/4"]
        );
        let mut strange = query();
        strange.domains = vec![String::new(), " ".to_owned()];
        assert_eq!(shown(&strange, &urls).len(), 5, "a blank is no domain");
    }

    #[test]
    fn what_ended_before_the_day_is_older() {
        let mut recent = query();
        recent.since = Some(PartialDate::month(2025, 6));
        let dated = |url: &str, published| Found { published, ..found(url) };
        let results = settle(
            "p",
            &recent,
            [
                dated("https://a.example/", Some(PartialDate::day(2025, 5, 31))),
                dated("https://b.example/", Some(PartialDate::day(2025, 6, 1))),
                dated("https://c.example/", Some(PartialDate::year(2025))),
                dated("https://d.example/", Some(PartialDate::year(2024))),
                dated("https://e.example/", None),
            ],
        );
        let hosts: Vec<_> = results.iter().filter_map(|r| r.url.url().host_str()).collect();
        assert_eq!(hosts, ["b.example", "c.example", "e.example"]);
    }
}
