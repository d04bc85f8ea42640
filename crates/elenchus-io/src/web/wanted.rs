//! Which pages a search wants: results of several providers in turn, and links that lead on.

use super::page::Link;
use super::provider::WebResult;
use super::{Vouched, Voucher};
use elenchus_core::evidence::PartialDate;
use elenchus_core::text::content_set;
use reqwest::Url;
use std::collections::BTreeSet;

/// A page that is wanted, with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) url: Vouched,
    /// The provider's result, when one named it.
    pub(super) result: Option<WebResult>,
}

/// Sites that may be searched and dates that count.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    /// Only these sites, when not empty: a domain stands for its subdomains.
    pub(super) domains: Vec<String>,
    /// None of these: domains, or parts of addresses.
    pub(super) exclude: Vec<String>,
    pub(super) since: Option<PartialDate>,
}

impl Bounds {
    /// Whether an address may be read at all.
    pub(super) fn admit(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_lowercase();
        let of = |domain: &String| {
            let domain = domain.trim().trim_start_matches("*.").trim_matches('.').to_lowercase();
            host == domain || host.ends_with(&format!(".{domain}"))
        };
        let address = url.as_str().to_lowercase();
        let holds = |part: &String| {
            let part = part.trim().to_lowercase();
            !part.is_empty() && address.contains(&part)
        };
        (self.domains.is_empty() || self.domains.iter().any(of))
            && !self.exclude.iter().any(|part| of(part) || holds(part))
    }

    /// Whether a date is known and too old. What bears no date may be new.
    pub(super) fn too_old(&self, date: Option<PartialDate>) -> bool {
        matches!((self.since, date), (Some(since), Some(date)) if date.order_key() < since.order_key())
    }
}

/// One name for addresses that lead to the same page: no fragment, no marks of campaigns, no slash at the end, no
/// `www.`, whichever scheme.
pub(super) fn key(url: &Url) -> String {
    const MARKS: &[&str] = &["fbclid", "gclid", "mc_cid", "mc_eid", "ref_src", "igshid"];
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let host = host.strip_prefix("www.").unwrap_or(host);
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let query: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !name.starts_with("utm_") && !MARKS.contains(&name.as_ref()))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{host}{port}{}?{}", url.path().trim_end_matches('/'), query.join("&"))
}

/// The results of all providers, the first of each before the second of any, each page once, none that is known or
/// out of bounds; at most `most`.
pub(super) fn in_turn(
    lists: Vec<Vec<WebResult>>,
    bounds: &Bounds,
    known: &BTreeSet<String>,
    most: usize,
) -> Vec<Wanted> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut wanted = Vec::new();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    for _ in 0..longest {
        for result in lists.iter_mut().filter_map(Iterator::next) {
            let name = key(result.url.url());
            let fits = bounds.admit(result.url.url()) && !bounds.too_old(result.published);
            if wanted.len() < most && fits && !known.contains(&name) && seen.insert(name) {
                wanted.push(Wanted { url: result.url.clone(), result: Some(result) });
            }
        }
    }
    wanted
}

/// Links whose words promise what the query asks for: most words of the query first, in reading order. A link must share
/// two content words with the query, or all of a query that has fewer.
pub(super) fn leading_on(
    query: &str,
    links: &[Link],
    bounds: &Bounds,
    known: &BTreeSet<String>,
    most: usize,
) -> Vec<Wanted> {
    let asked = content_set(query);
    let least = asked.len().clamp(1, 2);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut fitting: Vec<(usize, &Link)> = links
        .iter()
        .filter(|link| bounds.admit(link.url.url()))
        .map(|link| (content_set(&link.text).intersection(&asked).count(), link))
        .filter(|(shared, link)| {
            let name = key(link.url.url());
            *shared >= least && !known.contains(&name) && seen.insert(name)
        })
        .collect();
    fitting.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    fitting
        .into_iter()
        .take(most)
        .map(|(_, link)| Wanted { url: link.url.clone(), result: None })
        .collect()
}

/// Addresses that stand in a text of the user's.
pub fn named_in(text: &str) -> Vec<Vouched> {
    let mut found: Vec<Vouched> = Vec::new();
    for piece in text.split(|c: char| {
        c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\u{201C}' | '\u{201D}')
    }) {
        let Some(at) = piece.find("http://").into_iter().chain(piece.find("https://")).min() else {
            continue;
        };
        let mut address =
            piece[at..].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '\u{2019}']);
        // A closing bracket belongs to the sentence unless the address opened it: ".../Mercury_(planet)".
        while address.ends_with([')', ']'])
            && address.matches(['(', '[']).count() < address.matches([')', ']']).count()
        {
            address = address[..address.len() - 1].trim_end_matches(['.', ',', ';']);
        }
        if let Ok(vouched) = Vouched::new(address, Voucher::User)
            && !found.iter().any(|known| known.url() == vouched.url())
        {
            found.push(vouched);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn addresses_of_one_page_have_one_name() {
        let name = key(&url("https://www.example.org/a/?utm_source=x&q=1#part"));
        assert_eq!(name, key(&url("http://example.org/a?q=1")));
        assert_ne!(name, key(&url("http://example.org/a?q=2")));
        assert_ne!(key(&url("http://127.0.0.1:1/a")), key(&url("http://127.0.0.1:2/a")));
    }

    #[test]
    fn bounds_are_domains_and_parts() {
        let bounds = Bounds {
            domains: vec!["example.org".to_owned()],
            exclude: vec!["old.example.org".to_owned(), "/drafts/".to_owned()],
            since: Some(PartialDate::year(2025)),
        };
        assert!(bounds.admit(&url("https://news.example.org/x")));
        assert!(!bounds.admit(&url("https://notexample.org/x")));
        assert!(!bounds.admit(&url("https://old.example.org/x")));
        assert!(!bounds.admit(&url("https://example.org/drafts/1")));
        assert!(bounds.too_old(Some(PartialDate::day(2024, 12, 31))));
        assert!(!bounds.too_old(Some(PartialDate::month(2025, 12))) && !bounds.too_old(None));
    }

    #[test]
    fn the_users_words_hold_addresses() {
        let found = named_in(
            "What does https://a.example/x. say, and (see https://en.wiki.example/Mercury_(planet)), \u{201C}http://b.example/y?z=1,2\u{201D}? \
             Not ftp://c.example nor https:// alone; https://a.example/x again.",
        );
        let shown: Vec<&str> = found.iter().map(|one| one.url().as_str()).collect();
        assert_eq!(
            shown,
            [
                "https://a.example/x",
                "https://en.wiki.example/Mercury_(planet)",
                "http://b.example/y?z=1,2"
            ]
        );
    }

    #[test]
    fn links_must_promise_what_is_asked_for() {
        let link = |to: &str, text: &str| Link {
            url: Vouched::new(to, Voucher::Page("https://a.example/".to_owned())).unwrap(),
            text: text.to_owned(),
        };
        let links = [
            link("https://a.example/1", "About us"),
            link("https://a.example/2", "Survey of the river Wend"),
            link("https://a.example/3", "The river Wend: depth survey 2024"),
            link("https://a.example/3#again", "Depth survey of the Wend"),
        ];
        let found =
            leading_on("depth survey Wend", &links, &Bounds::default(), &BTreeSet::new(), 5);
        let shown: Vec<&str> = found.iter().map(|one| one.url.url().path()).collect();
        assert_eq!(shown, ["/3", "/2"]);
    }
}
