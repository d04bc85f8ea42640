//! Whoever finds passages keeps one contract: a folder, the web, and both together.

use super::provider::{Provider, ProviderFailure, WebQuery, WebResult};
use super::testing::{Names, Peer, Play, fetcher, found, settings};
use super::{HybridRetriever, Snapshots, WebRetriever, WebSettings};
use crate::clock::SystemClock;
use crate::retrieve::{Corpus, builtin_vectors};
use elenchus_core::port::{PageOutcome, PageReport, PortFuture, Retriever, SearchRequest};
use elenchus_core::testkit::{RETRIEVED, retriever_suite};
use std::fmt::Write as _;
use std::sync::Arc;
use tempfile::TempDir;

/// Names the same pages whatever it is asked.
struct Listing(Vec<String>);

impl Provider for Listing {
    fn name(&self) -> &'static str {
        "listing"
    }

    fn find<'a>(
        &'a self,
        _query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        let results = self.0.iter().map(|url| WebResult {
            url: found(url),
            title: String::new(),
            snippet: String::new(),
            author: None,
            published: None,
            given: None,
        });
        let results: Vec<WebResult> = results.collect();
        Box::pin(async move { Ok(results) })
    }
}

/// Markdown of headings and paragraphs as a page.
fn page(markdown: &str) -> String {
    let mut html = "<!doctype html><html><body>".to_owned();
    for block in markdown.split("\n\n") {
        match block.strip_prefix("# ") {
            Some(heading) => write!(html, "<h1>{heading}</h1>").unwrap(),
            None => write!(html, "<p>{block}</p>").unwrap(),
        }
    }
    html + "</body></html>"
}

fn folder(documents: &[(&str, &str)]) -> (TempDir, Corpus) {
    let folder = TempDir::new().unwrap();
    for (name, text) in documents {
        std::fs::write(folder.path().join(format!("{name}.md")), text).unwrap();
    }
    let mut corpus = Corpus::in_memory(folder.path(), Some(builtin_vectors())).unwrap();
    corpus.sync(&mut |_| {}).unwrap();
    (folder, corpus)
}

async fn web(documents: &[(&'static str, &'static str)]) -> (Peer, WebRetriever) {
    let pages: Vec<(String, String)> =
        documents.iter().map(|(name, text)| (format!("/{name}"), page(text))).collect();
    let served = pages.clone();
    let peer = Peer::start(move |path| {
        let found = served.iter().find(|(known, _)| known == path);
        found.map_or_else(|| Play::answer(404, &[], "no"), |(_, html)| Play::page(html))
    })
    .await;
    let urls = pages.iter().map(|(path, _)| peer.url(path)).collect();
    let settings = settings(&[&peer.at.to_string()]);
    let retriever = WebRetriever::new(
        WebSettings { providers: vec![Arc::new(Listing(urls))], ..WebSettings::default() },
        fetcher(settings, &Names::of(&[])),
        Arc::new(Snapshots::in_memory().unwrap()),
        Some(builtin_vectors()),
        Arc::new(SystemClock),
    );
    (peer, retriever.unwrap())
}

#[tokio::test]
async fn a_folder_passes_the_suite_of_its_port() {
    let (_folder, corpus) = folder(&RETRIEVED);
    retriever_suite("Corpus", &corpus).await;
}

#[tokio::test]
async fn the_web_passes_the_suite_of_its_port() {
    let (_peer, retriever) = web(&RETRIEVED).await;
    retriever_suite("WebRetriever", &retriever).await;
}

#[tokio::test]
async fn pages_named_under_way_are_read_and_searched_alone() {
    let (peer, retriever) = web(&[
        ("tide.html", "The tide rises 4 metres in spring."),
        ("gauge.html", "The gauge shows a tide of 5 metres."),
    ])
    .await;
    let named = |address: &str| SearchRequest {
        query: "tide metres".to_owned(),
        limit: 10,
        named: vec![address.to_owned()],
        ..SearchRequest::default()
    };
    let (tide, gauge) = (peer.url("/tide.html"), peer.url("/gauge.html"));
    for address in [&tide, &gauge, &tide] {
        let reply = retriever.search(&named(address)).await.unwrap();
        assert!(!reply.hits.is_empty(), "{address}: {reply:?}");
        assert!(reply.hits.iter().all(|hit| hit.path == *address), "{address}: {reply:?}");
        assert!(reply.web.asked.is_empty(), "no word of the search is anybody's: {reply:?}");
    }
    // What may not be fetched is not, and nothing else is given in its place.
    for address in ["file:///etc/hosts", "http://10.1.2.3/", "https://ann:river@a.example/"] {
        let reply = retriever.search(&named(address)).await.unwrap();
        assert!(reply.hits.is_empty(), "{address}: {reply:?}");
        let refused = matches!(
            reply.web.pages.as_slice(),
            [PageReport { outcome: PageOutcome::Refused { .. }, .. }]
        );
        assert!(refused, "{address}: {reply:?}");
    }
    let (_folder, corpus) = folder(&RETRIEVED);
    let both = HybridRetriever::new(Arc::new(corpus), Arc::new(retriever));
    let reply = both.search(&named(&tide)).await.unwrap();
    assert!(!reply.hits.is_empty() && reply.hits.iter().all(|hit| hit.path == tide), "{reply:?}");
}

#[tokio::test]
async fn both_together_pass_the_suite_of_their_port() {
    let (_folder, corpus) = folder(&RETRIEVED[..2]);
    let (_peer, retriever) = web(&RETRIEVED[2..]).await;
    retriever_suite(
        "HybridRetriever",
        &HybridRetriever::new(Arc::new(corpus), Arc::new(retriever)),
    )
    .await;
}
