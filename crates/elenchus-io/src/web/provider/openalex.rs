//! OpenAlex, an open index of scholarship: abstracts, and where open copies are.

use super::clean::{Work, any_of, date, first_day, head, list, paragraphs, plain, text, words};
use super::found::{Found, settle};
use super::peer::{Ask, Peer, Place, Refusal, Spec};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use elenchus_core::port::PortFuture;
use serde_json::Value;
use std::time::{Duration, Instant};

const BASE: &str = "https://api.openalex.org";
/// The most of one page.
const MOST: u16 = 100;
/// Words of an abstract; a longer index is no abstract.
const LONGEST: u64 = 20_000;
/// Bytes of an abstract that are put together. One long word that stands at each of its places would fill the memory.
const MOST_BYTES: usize = 64 << 10;

pub(super) struct OpenAlex {
    peer: Peer,
    contact: Option<String>,
    key: Option<super::Secret>,
}

impl OpenAlex {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, ProviderSetupError> {
        let place =
            settings.addresses.get("openalex").map_or(Place::Public(BASE), |a| Place::Given(a));
        let pause = Duration::from_millis(200);
        let name = "openalex".to_owned();
        let spec = Spec { name, plain: "openalex", place, example: BASE, pause };
        let mut peer = Peer::new(spec, settings)?;
        let key = settings.keys.get("openalex").cloned();
        if let Some(key) = &key {
            peer.hide(key.expose());
        }
        Ok(Self { peer, contact: settings.contact().map(str::to_owned), key })
    }

    async fn ask(
        &self,
        query: &WebQuery,
        words: &str,
        until: Instant,
    ) -> Result<Vec<WebResult>, ProviderFailure> {
        let filtered = !query.domains.is_empty() || !query.exclude.is_empty();
        let count =
            query.limit.saturating_mul(if filtered { 4 } else { 1 }).clamp(1, MOST).to_string();
        let mut pairs = vec![
            ("search", words),
            ("per-page", &count),
            (
                "select",
                "id,doi,display_name,publication_date,authorships,abstract_inverted_index,primary_location,\
                 best_oa_location,open_access",
            ),
        ];
        let since = query.since.map(|since| format!("from_publication_date:{}", first_day(since)));
        if let Some(since) = &since {
            pairs.push(("filter", since));
        }
        if let Some(contact) = &self.contact {
            pairs.push(("mailto", contact));
        }
        if let Some(key) = &self.key {
            pairs.push(("api_key", key.expose()));
        }
        let url = self.peer.url("works", &pairs);
        let reply = self.peer.json(Ask::get(url), until, explain).await?;
        if !reply.get("results").is_some_and(Value::is_array) {
            let cause = "its reply has no list of works; check OPENALEX_BASE_URL, if it is set";
            return Err(self.peer.failure(FailureKind::Foreign, cause));
        }
        Ok(settle(&self.peer.name, query, list(&reply, "results").iter().map(found)))
    }
}

/// The text whose words stand at these places; `None` when it is no such index.
fn from_inverted(index: &Value) -> Option<String> {
    let mut placed: Vec<(u64, &str)> = Vec::new();
    for (word, places) in index.as_object()? {
        for place in places.as_array()?.iter().filter_map(Value::as_u64) {
            placed.push((place, word));
        }
    }
    placed.sort_unstable();
    placed.retain(|(place, _)| *place < LONGEST);
    let mut text = String::new();
    for (_, word) in placed {
        if text.len() >= MOST_BYTES {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(head(word, MOST_BYTES));
    }
    (!text.is_empty()).then_some(text)
}

pub(super) fn found(work: &Value) -> Found {
    let null = Value::Null;
    let member = |name: &str| work.get(name).unwrap_or(&null);
    let (primary, best) = (member("primary_location"), member("best_oa_location"));
    let title = plain(text(work, &["display_name", "title"]).unwrap_or_default(), 300);
    let doi = text(work, &["doi"]);
    let landing = text(primary, &["landing_page_url"]);
    let published = text(work, &["publication_date"]).and_then(date);
    let authors: Vec<String> = list(work, "authorships")
        .iter()
        .take(200)
        .filter_map(|authorship| text(authorship.get("author")?, &["display_name"]))
        .map(|name| plain(name, 100))
        .collect();
    let venue = primary.get("source").and_then(|source| text(source, &["display_name"]));
    let licence =
        text(best, &["license"]).or(text(primary, &["license"])).map(|words| plain(words, 100));
    let summary = from_inverted(member("abstract_inverted_index"))
        .map(|words| paragraphs(&plain(&words, 16_000)))
        .filter(|words| !words.is_empty());
    let given = summary.as_ref().map(|words| {
        let work = Work { title: &title, authors: &authors, venue, published, doi, text: words };
        (work.markdown(), licence)
    });
    let open = text(best, &["pdf_url"]).or(text(member("open_access"), &["oa_url"]));
    Found {
        url: doi.or(landing).or(text(work, &["id"])).unwrap_or_default().to_owned(),
        snippet: summary.unwrap_or_default(),
        author: super::clean::by_line(&authors),
        published,
        given,
        whole: open.map(str::to_owned),
        also: landing.map(str::to_owned).into_iter().collect(),
        title,
    }
}

fn explain(refusal: &Refusal<'_>) -> Option<(FailureKind, String)> {
    match refusal.status {
        429 if !refusal.said.is_empty() => Some((
            FailureKind::Quota,
            format!(
                "the day's allowance is used up, or requests come too fast (status 429: {}); a free key allows more: get \
                 one at https://openalex.org/settings/api and set OPENALEX_API_KEY",
                refusal.said
            ),
        )),
        401 => Some((
            FailureKind::Key,
            format!(
                "it wants a key or refused it (status 401: {}); check OPENALEX_API_KEY",
                refusal.said
            ),
        )),
        _ => None,
    }
}

impl Provider for OpenAlex {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            let until = self.peer.until();
            // Commas and bars mean something in its filters, quotes and capitals in its search.
            let plain = words(&query.text, 500).replace(['"', '|', ','], " ");
            let results = self.ask(query, &plain, until).await?;
            match any_of(&query.text) {
                // No work holds all the words of the question; the ranking sorts those that hold some.
                Some(some) if results.is_empty() => self.ask(query, &some, until).await,
                _ => Ok(results),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_abstract_is_put_together_from_its_index() {
        let index = json!({"Rivers": [0], "rise": [1, 3], "and": [2], "fall.": [4], "far": [u64::MAX], "odd": "x"});
        assert_eq!(from_inverted(&index), None, "places that are no list are no index");
        let index =
            json!({"Rivers": [0], "rise": [1, 3], "and": [2], "fall.": [4], "far": [u64::MAX]});
        assert_eq!(from_inverted(&index).as_deref(), Some("Rivers rise and rise fall."));
        assert_eq!(from_inverted(&json!(null)), None);
        assert_eq!(from_inverted(&json!({"a": [-1, 0.5, "x"]})), None);
        let places: Vec<u64> = (0..LONGEST).collect();
        let mut swelling = serde_json::Map::new();
        swelling.insert("x".repeat(100_000), json!(places));
        let text = from_inverted(&Value::Object(swelling)).unwrap();
        assert_eq!(text.len(), MOST_BYTES);
    }
}
