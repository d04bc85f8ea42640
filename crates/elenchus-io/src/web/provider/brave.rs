//! Brave Search, a web index of its own.

use super::clean::{date, day_of, first_day, list, text, words};
use super::found::{Found, settle, sites};
use super::peer::{Ask, Peer, Place, Refusal, Spec};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use elenchus_core::port::{Clock, PortFuture};
use serde_json::Value;
use std::time::Duration;

const BASE: &str = "https://api.search.brave.com/res/v1";
/// The most of one page.
const MOST: u16 = 20;
/// Its bound for a query, in characters and words.
const CHARACTERS: usize = 400;
const WORDS: usize = 50;

pub(super) struct Brave {
    peer: Peer,
    language: Option<String>,
}

impl Brave {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, ProviderSetupError> {
        let key = settings.keys.get("brave").ok_or_else(|| {
            ProviderSetupError::no_key("brave", "https://api-dashboard.search.brave.com")
        })?;
        let spec = Spec {
            name: "brave".to_owned(),
            plain: "brave",
            place: settings.addresses.get("brave").map_or(Place::Public(BASE), |a| Place::Given(a)),
            example: BASE,
            // The free plan allows one request a second.
            pause: Duration::from_millis(1_100),
        };
        let peer = Peer::new(spec, settings)?.with_key("x-subscription-token", "", key)?;
        Ok(Self { peer, language: settings.language.clone() })
    }

    /// The words with `site:` operators for the user's domains, within its bounds.
    fn words(query: &WebQuery) -> String {
        let only = sites(&query.domains);
        let mut operators = match only.as_slice() {
            [] => Vec::new(),
            [one] => vec![format!("site:{one}")],
            more => {
                let more: Vec<String> =
                    more.iter().take(6).map(|site| format!("site:{site}")).collect();
                vec![format!("({})", more.join(" OR "))]
            }
        };
        operators.extend(sites(&query.exclude).iter().take(6).map(|site| format!("-site:{site}")));
        // A host cannot be so long that the operators leave no room, except many of them together.
        let mut operators = operators.join(" ");
        if operators.len() > CHARACTERS / 2 {
            operators.clear();
        }
        let taken = operators.split_whitespace().count();
        let plain = words(&query.text, CHARACTERS - 1 - operators.len());
        let plain: Vec<&str> = plain.split(' ').take(WORDS - taken).collect();
        format!("{} {operators}", plain.join(" ")).trim().to_owned()
    }
}

pub(super) fn found(result: &Value) -> Found {
    Found {
        url: text(result, &["url"]).unwrap_or_default().to_owned(),
        title: text(result, &["title"]).unwrap_or_default().to_owned(),
        snippet: text(result, &["description"]).unwrap_or_default().to_owned(),
        author: list(result.get("article").unwrap_or(&Value::Null), "author")
            .iter()
            .find_map(|author| text(author, &["name"]))
            .map(str::to_owned),
        published: text(result, &["page_age"]).and_then(date),
        ..Found::default()
    }
}

fn explain(refusal: &Refusal<'_>) -> Option<(FailureKind, String)> {
    let key = refusal.status == 401
        || refusal.status == 422 && refusal.said.to_lowercase().contains("token");
    key.then(|| {
        let cause = format!(
            "it refused the key (status {}: {}); check BRAVE_API_KEY",
            refusal.status, refusal.said
        );
        (FailureKind::Key, cause)
    })
}

impl Provider for Brave {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            let words = Self::words(query);
            let filtered = !query.domains.is_empty() || !query.exclude.is_empty();
            let count =
                query.limit.saturating_mul(1 + u16::from(filtered)).clamp(1, MOST).to_string();
            let mut pairs =
                vec![("q", words.as_str()), ("count", &count), ("text_decorations", "false")];
            let today = day_of(crate::clock::SystemClock.now().0.div_euclid(1_000));
            let range = query
                .since
                .zip(today)
                .map(|(since, today)| format!("{}to{}", first_day(since), first_day(today)));
            if let Some(range) = &range {
                pairs.push(("freshness", range));
            }
            let language = self.language.as_deref().map(|tag| tag.split('-').next().unwrap_or(tag));
            if let Some(language) = language {
                pairs.push(("search_lang", language));
            }
            let url = self.peer.url("web/search", &pairs);
            let reply = self.peer.json(Ask::get(url), self.peer.until(), explain).await?;
            if !reply.is_object() {
                let cause = "its reply is not an object; check BRAVE_BASE_URL, if it is set";
                return Err(self.peer.failure(FailureKind::Foreign, cause));
            }
            // No "web" member is how it says that nothing was found.
            let web = reply.get("web").unwrap_or(&Value::Null);
            Ok(settle(&self.peer.name, query, list(web, "results").iter().map(found)))
        })
    }
}
