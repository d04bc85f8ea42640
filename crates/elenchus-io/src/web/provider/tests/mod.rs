//! Every provider against peers on the loopback interface.
//!
//! The replies are written by hand after the services' public documentation (`origin: documented`), not recorded from
//! them: the services cannot be reached from where these tests are run.

mod documented;
mod explained;
mod fuzz;
mod setting_up;
mod shape;
mod suite;
mod wiki;

use super::{Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult, provider};
use crate::model::language::Secret;
use crate::model::language::tests::server::{Scene, Server};
use std::time::Duration;

/// A key that must show nowhere, with characters that an address writes in another way.
const KEY: &str = "sekret/key+words=42";

/// Settings that lead every provider to this peer, with short waits.
fn settings(base: &str) -> ProviderSettings {
    let mut settings = ProviderSettings::default();
    for name in ["searxng", "tavily", "brave", "openalex", "crossref", "arxiv"] {
        settings.addresses.insert(name.to_owned(), base.to_owned());
    }
    settings.addresses.insert("wikipedia".to_owned(), format!("{base}/w/api.php"));
    settings.addresses.insert("opensearch".to_owned(), format!("{base}/reports"));
    for name in ["tavily", "brave", "openalex", "opensearch"] {
        settings.keys.insert(name.to_owned(), Secret::new(KEY).unwrap());
    }
    for info in super::PROVIDERS {
        settings.pauses.insert(info.name.to_owned(), Duration::ZERO);
    }
    settings.contact = Some("someone@example.org".to_owned());
    settings.deadline = Duration::from_secs(5);
    settings
}

fn query() -> WebQuery {
    WebQuery { text: "otters on the river".to_owned(), limit: 10, ..WebQuery::default() }
}

/// A provider and its peer.
struct Pair {
    provider: Box<dyn Provider>,
    server: Server,
}

impl Pair {
    async fn new(name: &str, scenes: Vec<Scene>) -> Self {
        Self::with(name, scenes, |_| ()).await
    }

    async fn with(name: &str, scenes: Vec<Scene>, change: impl Fn(&mut ProviderSettings)) -> Self {
        let server = Server::start(scenes).await;
        let mut settings = settings(&server.base);
        change(&mut settings);
        let name = name.replace("{base}", &server.base);
        Self { provider: provider(&name, &settings).unwrap(), server }
    }

    async fn find(&self, query: &WebQuery) -> Result<Vec<WebResult>, ProviderFailure> {
        self.provider.find(query).await
    }
}

fn urls(results: &[WebResult]) -> Vec<String> {
    results.iter().map(|result| result.url.url().to_string()).collect()
}

fn json(body: &str) -> Scene {
    Scene::answer(200, &[("content-type", "application/json")], body)
}
