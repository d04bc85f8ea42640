//! Tavily, a search service for programs.

use super::clean::{date, first_day, list, text, words};
use super::found::{Found, settle, sites};
use super::peer::{Ask, Peer, Place, Refusal, Spec};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use elenchus_core::port::PortFuture;
use serde_json::{Value, json};
use std::time::Duration;

const BASE: &str = "https://api.tavily.com";
/// The most that it gives.
const MOST: u16 = 20;

pub(super) struct Tavily {
    peer: Peer,
}

impl Tavily {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, ProviderSetupError> {
        let key = settings
            .keys
            .get("tavily")
            .ok_or_else(|| ProviderSetupError::no_key("tavily", "https://app.tavily.com"))?;
        let spec = Spec {
            name: "tavily".to_owned(),
            plain: "tavily",
            place: settings
                .addresses
                .get("tavily")
                .map_or(Place::Public(BASE), |a| Place::Given(a)),
            example: BASE,
            pause: Duration::from_millis(600),
        };
        let peer = Peer::new(spec, settings)?.with_key("authorization", "Bearer ", key)?;
        Ok(Self { peer })
    }
}

pub(super) fn found(result: &Value) -> Found {
    Found {
        url: text(result, &["url"]).unwrap_or_default().to_owned(),
        title: text(result, &["title"]).unwrap_or_default().to_owned(),
        snippet: text(result, &["content"]).unwrap_or_default().to_owned(),
        published: text(result, &["published_date"]).and_then(date),
        ..Found::default()
    }
}

fn explain(refusal: &Refusal<'_>) -> Option<(FailureKind, String)> {
    matches!(refusal.status, 432 | 433).then(|| {
        let limit = if refusal.status == 432 { "plan" } else { "pay-as-you-go limit" };
        let cause = format!(
            "the {limit} is used up (status {}: {}); raise it at https://app.tavily.com or choose another provider",
            refusal.status, refusal.said
        );
        (FailureKind::Quota, cause)
    })
}

impl Provider for Tavily {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            let filtered = !query.domains.is_empty() || !query.exclude.is_empty();
            let mut body = json!({
                "query": words(&query.text, 400),
                // Results that our own filter drops leave room for others.
                "max_results": query.limit.saturating_mul(1 + u16::from(filtered)).clamp(1, MOST),
                "search_depth": "basic",
                "include_answer": false,
                "include_raw_content": false,
                "include_images": false,
            });
            if !query.domains.is_empty() {
                body["include_domains"] = json!(sites(&query.domains));
            }
            if !query.exclude.is_empty() {
                body["exclude_domains"] = json!(sites(&query.exclude));
            }
            if let Some(since) = query.since {
                body["start_date"] = json!(first_day(since));
            }
            let ask = Ask {
                url: self.peer.url("search", &[]),
                body: Some(body),
                accept: "application/json",
            };
            let reply = self.peer.json(ask, self.peer.until(), explain).await?;
            if !reply.get("results").is_some_and(Value::is_array) {
                let cause = "its reply has no list of results; check TAVILY_BASE_URL, if it is set";
                return Err(self.peer.failure(FailureKind::Foreign, cause));
            }
            Ok(settle(&self.peer.name, query, list(&reply, "results").iter().map(found)))
        })
    }
}
