//! SearXNG, the metasearch engine that anyone can run: its JSON interface.

use super::clean::{date, list, text, words};
use super::found::{Found, settle, sites};
use super::peer::{Ask, Peer, Place, Refusal, Spec};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use elenchus_core::port::PortFuture;
use serde_json::Value;
use std::time::{Duration, Instant};

const EXAMPLE: &str = "http://127.0.0.1:8080";
/// Sites that are asked for in the words of the query; more would crowd out the words.
const SITES: usize = 5;

pub(super) struct Searxng {
    peer: Peer,
    language: Option<String>,
}

impl Searxng {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, ProviderSetupError> {
        let address = settings
            .addresses
            .get("searxng")
            .ok_or_else(|| ProviderSetupError::no_address("searxng", "searxng", EXAMPLE))?;
        // People paste the address of the search page.
        let address = address.trim().trim_end_matches('/');
        let address = address.strip_suffix("/search").unwrap_or(address);
        let spec = Spec {
            name: "searxng".to_owned(),
            plain: "searxng",
            place: Place::Given(address),
            example: EXAMPLE,
            pause: Duration::from_millis(200),
        };
        Ok(Self { peer: Peer::new(spec, settings)?, language: settings.language.clone() })
    }

    async fn ask(
        &self,
        query: &WebQuery,
        words: &str,
        until: Instant,
    ) -> Result<Vec<WebResult>, ProviderFailure> {
        let mut pairs = vec![("q", words), ("format", "json")];
        if let Some(language) = &self.language {
            pairs.push(("language", language));
        }
        let url = self.peer.url("search", &pairs);
        let reply = self.peer.json(Ask::get(url), until, explain).await?;
        if !reply.get("results").is_some_and(Value::is_array) {
            let cause =
                "its reply has no list of results; check that SEARXNG_URL is a SearXNG instance";
            return Err(self.peer.failure(FailureKind::Foreign, cause));
        }
        let results = settle(&self.peer.name, query, list(&reply, "results").iter().map(found));
        let silent = silent_engines(&reply);
        if list(&reply, "results").is_empty() && !silent.is_empty() {
            // Nothing was found because nothing was searched: that is no evidence of absence.
            let silent = self.peer.quote(&silent.join(", "), 200);
            let cause = format!(
                "none of its engines answered ({silent}); try again later or set up others"
            );
            return Err(self.peer.failure(FailureKind::Broken, &cause));
        }
        Ok(results)
    }
}

/// "google (CAPTCHA)" for each engine that did not answer.
fn silent_engines(reply: &Value) -> Vec<String> {
    let engines = list(reply, "unresponsive_engines").iter().take(10);
    let part =
        |pair: &Value, at: usize| pair.get(at).and_then(Value::as_str).unwrap_or("?").to_owned();
    engines.map(|pair| format!("{}: {}", part(pair, 0), part(pair, 1))).collect()
}

pub(super) fn found(result: &Value) -> Found {
    Found {
        url: text(result, &["url"]).unwrap_or_default().to_owned(),
        title: text(result, &["title"]).unwrap_or_default().to_owned(),
        snippet: text(result, &["content"]).unwrap_or_default().to_owned(),
        author: text(result, &["author"]).map(str::to_owned),
        published: text(result, &["publishedDate", "pubdate"]).and_then(date),
        ..Found::default()
    }
}

fn explain(refusal: &Refusal<'_>) -> Option<(FailureKind, String)> {
    match refusal.status {
        403 => Some((
            FailureKind::Refused,
            "the instance does not give JSON (status 403); add json to its settings.yml, as in `search: {formats: [html, \
             json]}`, and start it again; most public instances do not allow it, so run one of your own"
                .to_owned(),
        )),
        429 if refusal.page || refusal.said.is_empty() || refusal.said.contains("Too Many Requests") => Some((
            FailureKind::Busy,
            "its limiter turned us away (status 429); on an instance of your own, set `server: {limiter: false}` or let \
             this machine pass in limiter.toml, else try again later"
                .to_owned(),
        )),
        _ => None,
    }
}

impl Provider for Searxng {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            let until = self.peer.until();
            let plain = words(&query.text, 1_000);
            let sites: Vec<String> =
                sites(&query.domains).iter().map(|site| format!("site:{site}")).collect();
            if !sites.is_empty() && sites.len() <= SITES {
                let narrow = format!("{plain} ({})", sites.join(" OR "));
                let narrow = if sites.len() == 1 { narrow.replace(['(', ')'], "") } else { narrow };
                let results = self.ask(query, &narrow, until).await?;
                if !results.is_empty() {
                    return Ok(results);
                }
                // Some engines take the operator for a word. What comes without it is filtered here.
            }
            self.ask(query, &plain, until).await
        })
    }
}
