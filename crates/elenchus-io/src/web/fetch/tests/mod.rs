//! The fetcher against peers on the loopback interface.

use super::*;
use crate::web::Nature;
use crate::web::testing::{Names, Peer, Play, alone, fetch, fetcher, found, settings, user};

mod bombs;
mod canaries;
mod polite;
mod reading;
mod rebinding;
mod redirects;

/// A fetcher that may reach these peers.
fn reaching(peers: &[&Peer]) -> Fetcher {
    let hosts: Vec<String> = peers.iter().map(|peer| peer.at.to_string()).collect();
    let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
    fetcher(settings(&hosts), &Names::of(&[]))
}

#[tokio::test]
async fn a_page_comes_with_what_is_worth_keeping() {
    let peer = Peer::start(|_| {
        Play::answer(
            200,
            &[
                ("Content-Type", "text/html; charset=utf-8"),
                ("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT"),
                ("ETag", "\"7\""),
                ("Link", "<https://a.example/>; rel=canonical"),
                ("Link", "<https://b.example/>; rel=license"),
                ("Set-Cookie", "taste=sweet"),
            ],
            "<p>Bread</p>",
        )
    })
    .await;
    let fetcher = reaching(&[&peer]);
    let page = fetch(&fetcher, &peer.url("/bread?x=1#top")).await.unwrap();
    assert_eq!((page.status, page.body.as_slice()), (200, b"<p>Bread</p>".as_slice()));
    assert_eq!(page.url.as_str(), peer.url("/bread?x=1"));
    assert_eq!(page.content_type.as_deref(), Some("text/html; charset=utf-8"));
    let kept: Vec<(&str, &str)> =
        page.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let link = "<https://a.example/>; rel=canonical, <https://b.example/>; rel=license";
    let date = "Sat, 21 Nov 2026 10:00:00 GMT";
    assert_eq!(kept, [("etag", "\"7\""), ("last-modified", date), ("link", link)]);
    assert!(page.redirects.is_empty() && page.retrieved_at.0 > 1_700_000_000_000);
    // A second request tells the server nothing of the first.
    fetch(&fetcher, &peer.url("/second")).await.unwrap();
    for seen in peer.seen() {
        let head = seen.head.to_lowercase();
        assert!(head.contains("user-agent: elenchus/"), "{head}");
        assert!(head.contains("accept-encoding: gzip\r\n"), "{head}");
        for word in ["cookie", "referer", "authorization", "br,", "zstd"] {
            assert!(!head.contains(word), "{word}: {head}");
        }
    }
}

#[tokio::test]
async fn failures_say_what_they_are() {
    let peer = Peer::start(|path| Play::answer(path[1..].parse().unwrap(), &[], "no")).await;
    let fetcher = reaching(&[&peer]);
    for (status, nature) in [
        (204, None),
        (300, Some(Nature::Permanent)),
        (304, Some(Nature::Permanent)),
        (401, Some(Nature::Permanent)),
        (404, Some(Nature::Permanent)),
        (408, Some(Nature::Passing)),
        (451, Some(Nature::Permanent)),
        (500, Some(Nature::Passing)),
        (503, Some(Nature::Passing)),
        (429, Some(Nature::Passing)),
    ] {
        let outcome = fetch(&fetcher, &peer.url(&format!("/{status}"))).await;
        assert_eq!(
            outcome.as_ref().err().map(FetchFailure::nature),
            nature,
            "{status}: {outcome:?}"
        );
    }
    let gone = peer.url("/200");
    drop(peer);
    tokio::time::sleep(Duration::from_millis(20)).await;
    let other = Fetcher::new(settings(&[gone.split('/').nth(2).unwrap()])).unwrap();
    let error = fetch(&other, &gone).await.unwrap_err();
    assert!(error.is_passing() && error.to_string().contains("refused"), "{error}");
}

#[tokio::test]
async fn offline_means_that_nothing_is_sent() {
    let peer = Peer::start(|_| Play::page("")).await;
    for egress in [crate::web::Egress::Offline, crate::web::Egress::PrivateOnly] {
        let allow = if egress == crate::web::Egress::Offline {
            peer.at.to_string()
        } else {
            "10.9.8.7".to_owned()
        };
        let settings = FetchSettings { egress, ..settings(&[&allow]) };
        let fetcher = fetcher(settings, &Names::all_at(&["127.0.0.1"]));
        for url in [peer.url("/"), "https://example.org/".to_owned()] {
            assert!(fetch(&fetcher, &url).await.unwrap_err().is_refusal());
            assert!(fetcher.check(&user(&url)).unwrap_err().is_refusal());
        }
    }
    assert_eq!(peer.connections(), 0);
}

#[test]
fn fetches_may_run_on_any_thread() {
    fn sendable<T: Send>(_: T) {}
    let (fetcher, wanted) = (reaching(&[]), user("http://example.org/"));
    sendable(fetcher.fetch(&wanted));
    let of = crate::web::Chosen::BuiltIn;
    let api = crate::web::ApiClient::new("https://example.org", of, fetcher.settings()).unwrap();
    sendable(api.get(wanted.url(), &[]));
}

/// Runs in a process of its own, whose environment names a proxy.
#[tokio::test]
#[ignore = "is run by the test below, with proxies in its environment"]
async fn under_proxies() {
    let Ok(url) = std::env::var("ELENCHUS_TEST_PEER") else { return };
    let peer = url.split('/').nth(2).unwrap();
    let fetcher = Fetcher::new(settings(&[peer, "named.example.org:80"])).unwrap();
    assert_eq!(fetch(&fetcher, &url).await.unwrap().body, b"straight");
    let names = Names::of(&[("named.example.org", &[&["127.0.0.1"]])]);
    let other = crate::web::testing::fetcher(settings(&["named.example.org:80"]), &names);
    // Nobody listens at port 80 of a test machine, or somebody who is not the proxy.
    if let Ok(page) = fetch(&other, "http://named.example.org/").await {
        assert_ne!(page.body, b"by proxy");
    }
}

#[tokio::test]
async fn proxies_of_the_environment_are_ignored() {
    let proxy = Peer::start(|_| Play::page("by proxy")).await;
    let peer = Peer::start(|_| Play::page("straight")).await;
    let address = [("ELENCHUS_TEST_PEER", peer.url("/"))];
    let names =
        ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let proxies = names.map(|name| (name, proxy.url("")));
    let variables: Vec<(&str, String)> = address.into_iter().chain(proxies).collect();
    alone(concat!(module_path!(), "::under_proxies"), &variables).await;
    assert_eq!((peer.connections(), proxy.connections()), (1, 0));
}
