//! Crossref, where publishers register what they publish.

use super::clean::{Work, by_line, first_day, from_parts, jats, list, plain, text, words};
use super::found::{Found, settle};
use super::peer::{Ask, Peer, Place, Spec, nothing_special};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use elenchus_core::evidence::PartialDate;
use elenchus_core::port::PortFuture;
use serde_json::Value;
use std::time::Duration;

const BASE: &str = "https://api.crossref.org";
/// The most that is asked for at once.
const MOST: u16 = 100;

pub(super) struct Crossref {
    peer: Peer,
    contact: Option<String>,
}

impl Crossref {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, ProviderSetupError> {
        let place =
            settings.addresses.get("crossref").map_or(Place::Public(BASE), |a| Place::Given(a));
        // One search at a time and one a second for callers that do not say who they are, three for those that do.
        let pause = Duration::from_millis(if settings.contact().is_some() { 350 } else { 1_000 });
        let name = "crossref".to_owned();
        let spec = Spec { name, plain: "crossref", place, example: BASE, pause };
        let peer = Peer::new(spec, settings)?;
        Ok(Self { peer, contact: settings.contact().map(str::to_owned) })
    }
}

/// The first text of a list of texts.
fn first<'a>(item: &'a Value, name: &str) -> Option<&'a str> {
    list(item, name).iter().filter_map(Value::as_str).find(|text| !text.trim().is_empty())
}

/// `{"date-parts": [[2024, 6, 1]]}`, with or without month and day.
fn date_parts(item: &Value, name: &str) -> Option<PartialDate> {
    let parts = item.get(name)?.get("date-parts")?.get(0)?.as_array()?;
    let year = i32::try_from(parts.first()?.as_i64()?).ok()?;
    let rest: Vec<u16> =
        parts.iter().skip(1).take(2).map_while(|part| u16::try_from(part.as_u64()?).ok()).collect();
    from_parts(year, &rest).or_else(|| from_parts(year, &[]))
}

fn authors(item: &Value) -> Vec<String> {
    let one = |author: &Value| {
        let parts = [text(author, &["given"]), text(author, &["family"])];
        let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() {
            text(author, &["name"]).unwrap_or_default().to_owned()
        } else {
            name
        };
        Some(plain(&name, 100)).filter(|name| !name.is_empty())
    };
    list(item, "author").iter().take(200).filter_map(one).collect()
}

pub(super) fn found(item: &Value) -> Found {
    let title = plain(first(item, "title").unwrap_or_default(), 300);
    let doi = text(item, &["DOI"]).map(|doi| format!("https://doi.org/{doi}"));
    let published = ["published", "issued", "published-online", "published-print", "posted"]
        .iter()
        .find_map(|name| date_parts(item, name));
    let authors = authors(item);
    let licences = list(item, "license").iter().filter_map(|licence| text(licence, &["URL"]));
    let licence = licences
        .clone()
        .find(|url| is_open(url))
        .or(licences.clone().next())
        .map(|url| plain(url, 200));
    let summary = text(item, &["abstract"]).map(jats).filter(|words| !words.is_empty());
    let given = summary.as_ref().map(|words| {
        let work = Work {
            title: &title,
            authors: &authors,
            venue: first(item, "container-title"),
            published,
            doi: doi.as_deref(),
            text: words,
        };
        (work.markdown(), licence.clone())
    });
    // A copy that its licence does not open would be a closed door.
    let open = licence.as_deref().is_some_and(is_open);
    let pdf = list(item, "link")
        .iter()
        .filter(|link| open && text(link, &["content-type"]) == Some("application/pdf"))
        .find_map(|link| text(link, &["URL"]));
    let landing =
        item.get("resource").and_then(|r| r.get("primary")).and_then(|p| text(p, &["URL"]));
    Found {
        url: doi.or(text(item, &["URL"]).map(str::to_owned)).unwrap_or_default(),
        snippet: summary.unwrap_or_default(),
        author: by_line(&authors),
        published,
        given,
        whole: pdf.map(str::to_owned),
        also: landing.map(str::to_owned).into_iter().collect(),
        title,
    }
}

fn is_open(licence: &str) -> bool {
    licence.contains("creativecommons.org")
}

impl Provider for Crossref {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            let words = words(&query.text, 500);
            let filtered = !query.domains.is_empty() || !query.exclude.is_empty();
            let count =
                query.limit.saturating_mul(if filtered { 4 } else { 1 }).clamp(1, MOST).to_string();
            let mut pairs = vec![
                ("query.bibliographic", words.as_str()),
                ("rows", &count),
                (
                    "select",
                    "DOI,URL,title,abstract,author,published,issued,published-online,published-print,posted,license,\
                     link,container-title,resource",
                ),
            ];
            let since = query.since.map(|since| format!("from-pub-date:{}", first_day(since)));
            if let Some(since) = &since {
                pairs.push(("filter", since));
            }
            if let Some(contact) = &self.contact {
                pairs.push(("mailto", contact));
            }
            let url = self.peer.url("works", &pairs);
            let reply = self.peer.json(Ask::get(url), self.peer.until(), nothing_special).await?;
            let message = reply.get("message").unwrap_or(&Value::Null);
            if !message.get("items").is_some_and(Value::is_array) {
                let cause = "its reply has no list of works; check CROSSREF_BASE_URL, if it is set";
                return Err(self.peer.failure(FailureKind::Foreign, cause));
            }
            Ok(settle(&self.peer.name, query, list(message, "items").iter().map(found)))
        })
    }
}
