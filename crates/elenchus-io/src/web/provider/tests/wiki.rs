//! The wiki of the test support, and real servers where the tester names some.

use super::*;
use crate::web::provider::FailureKind;
use crate::web::testkit::{Article, LoopbackWiki};

#[tokio::test]
async fn a_wiki_is_searched_and_its_pages_are_where_it_says() {
    let wiki = LoopbackWiki::start(vec![
        Article::new(
            "River Ledden",
            "The Ledden is a river.\n== Wildlife ==\nOtters returned in 1994.",
        ),
        Article::new(
            "Otter count",
            "Volunteers count otters & kingfishers.\n* 2021: 312 otters\n* 2024: 268 otters",
        ),
        Article::new("Oxmarsh", "Oxmarsh is a town."),
    ])
    .unwrap();
    let provider = provider(&wiki.provider(), &settings(&wiki.base())).unwrap();
    let asked =
        WebQuery { text: "How many otters does the count of 2024 give?".to_owned(), ..query() };
    let results = provider.find(&asked).await.unwrap();
    let base = wiki.base();
    assert_eq!(
        urls(&results),
        [format!("{base}/wiki/Otter_count"), format!("{base}/wiki/River_Ledden")]
    );
    assert_eq!(results[0].snippet, "Volunteers count otters & kingfishers.");
    let nothing = WebQuery { text: "xylophone".to_owned(), ..query() };
    assert_eq!(provider.find(&nothing).await.unwrap(), []);

    let page = reqwest_page(results[0].url.url().as_str()).await;
    assert!(page.contains("<li>2024: 268 otters</li>\n</ul>"), "{page}");
    assert!(page.contains("otters &amp; kingfishers"));
    assert!(reqwest_page(&format!("{base}/robots.txt")).await.contains("Disallow: /wiki/Special:"));
    assert!(wiki.asked().iter().any(|line| line.starts_with("/w/api.php?action=query")));

    let offline =
        |settings: &mut ProviderSettings| settings.fetch.egress = crate::web::Egress::Offline;
    let mut closed = settings(&base);
    offline(&mut closed);
    let failure =
        super::provider(&wiki.provider(), &closed).unwrap().find(&query()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused, "{failure}");
    assert!(failure.cause.contains("offline"));
}

/// A page, read the short way.
async fn reqwest_page(url: &str) -> String {
    let base = reqwest::Url::parse(url).unwrap();
    let fetch = crate::web::FetchSettings::default();
    let client =
        crate::web::ApiClient::new(base.as_str(), crate::web::Chosen::ByUser, &fetch).unwrap();
    String::from_utf8(client.get(&base, &[]).await.unwrap().body).unwrap()
}

#[tokio::test]
#[ignore = "needs a SearXNG instance: ELENCHUS_REAL_SEARXNG=http://127.0.0.1:8899"]
async fn a_real_searxng_answers() {
    let mut settings = ProviderSettings::default();
    let address = std::env::var("ELENCHUS_REAL_SEARXNG").expect("the address of an instance");
    settings.addresses.insert("searxng".to_owned(), address);
    show("searxng", &settings).await;
}

#[tokio::test]
#[ignore = "needs a wiki: ELENCHUS_REAL_WIKI=mediawiki:http://127.0.0.1:8898/w/api.php, or wikipedia"]
async fn a_real_wiki_answers() {
    let name = std::env::var("ELENCHUS_REAL_WIKI").expect("the name of a provider");
    show(&name, &ProviderSettings::default()).await;
}

async fn show(name: &str, settings: &ProviderSettings) {
    let text = std::env::var("ELENCHUS_REAL_QUERY")
        .unwrap_or_else(|_| "how many otters on the river".to_owned());
    let asked = WebQuery { text, limit: 10, ..WebQuery::default() };
    let results = provider(name, settings).unwrap().find(&asked).await.unwrap();
    for result in &results {
        println!(
            "{} | {} | {:?} | {}",
            result.url.url(),
            result.title,
            result.published,
            result.snippet
        );
    }
    assert!(!results.is_empty());
}
