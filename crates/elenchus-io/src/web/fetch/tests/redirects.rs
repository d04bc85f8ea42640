//! Redirects: each hop is checked like a first address.

use super::*;
use crate::web::guard::Guard;
use crate::web::testing::{attacks, fetcher_of_the_little_world};

/// A peer that sends on, with the status and to the place that its path names, percent-decoded.
async fn sender() -> Peer {
    Peer::start(|path| {
        // Some places to be sent to are the peer's own.
        let Some((status, target)) = path[1..].split_once("?to=") else { return Play::page("end") };
        let target: Vec<u8> = percent_encoding::percent_decode_str(target).collect();
        let line = format!("HTTP/1.1 {status} Play\r\nconnection: close\r\nlocation: ");
        Play::raw([line.as_bytes(), &target, b"\r\ncontent-length: 0\r\n\r\n"].concat())
    })
    .await
}

fn sending(peer: &Peer, status: u16, target: &[u8]) -> String {
    let target = percent_encoding::percent_encode(target, percent_encoding::NON_ALPHANUMERIC);
    peer.url(&format!("/{status}?to={target}"))
}

#[tokio::test]
async fn five_are_followed_and_not_six() {
    let peer = Peer::start(|path| match path[1..].parse::<u32>() {
        Ok(0) => Play::page("end"),
        Ok(left) => Play::to(&format!("/{}", left - 1)),
        Err(_) => Play::to(path),
    })
    .await;
    let fetcher = reaching(&[&peer]);
    let page = fetch(&fetcher, &peer.url("/5")).await.unwrap();
    assert_eq!(page.body, b"end");
    assert_eq!(page.requested.as_str(), peer.url("/5"));
    assert_eq!(page.url.as_str(), peer.url("/0"));
    let passed: Vec<&str> = page.redirects.iter().map(Url::path).collect();
    assert_eq!(passed, ["/5", "/4", "/3", "/2", "/1"]);
    let error = fetch(&fetcher, &peer.url("/6")).await.unwrap_err();
    assert!(error.to_string().contains("more than 5 times"), "{error}");
    let before = peer.connections();
    let error = fetch(&fetcher, &peer.url("/round")).await.unwrap_err();
    assert!(error.to_string().contains("in a circle"), "{error}");
    assert_eq!((peer.connections() - before, error.nature()), (1, Nature::Permanent));
}

#[tokio::test]
async fn no_redirect_leads_where_nothing_may_be_reached() {
    let (peer, canary) = (sender().await, Peer::start(|_| Play::page("private")).await);
    let (at, port) = (canary.at, canary.at.port());
    let fetcher = fetcher(settings(&[&peer.at.to_string()]), &Names::all_at(&["127.0.0.1"]));
    let targets = [
        format!("http://{at}/"),
        format!("//{at}/"),
        format!("\\\\{at}\\"),
        format!("/\\{at}/"),
        format!("http:\\\\{at}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://anything.example.org:{port}/"),
        format!("http://u:p@{}/", peer.at),
        format!("\thttp://{at}/"),
        format!("http://１２７.0.0.1:{port}/"),
        format!("http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/"),
        "http://169.254.169.254/latest".to_owned(),
        "http://10.0.0.1/".to_owned(),
        "http://[::1]/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "gopher://127.0.0.1/".to_owned(),
        "javascript:alert(1)".to_owned(),
        "data:text/html,x".to_owned(),
        String::new(),
        " ".to_owned(),
        "http://".to_owned(),
        "http://[".to_owned(),
        "http://1.1.1.1:22/".to_owned(),
    ];
    for target in &targets {
        for status in [301, 302, 303, 307, 308] {
            let url = sending(&peer, status, target.as_bytes());
            let outcome = fetch(&fetcher, &url).await.unwrap_err();
            assert!(
                matches!(outcome, FetchFailure::Redirect { .. }),
                "{status} {target}: {outcome}"
            );
            assert!(outcome.is_refusal(), "{outcome}");
        }
    }
    // Not text at all.
    assert!(
        fetch(&fetcher, &sending(&peer, 302, b"http://\xff\xfe/")).await.unwrap_err().is_refusal()
    );
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn honest_hops_do_not_vouch_for_the_last() {
    let canary = Peer::start(|_| Play::page("private")).await;
    let home = canary.url("/");
    let peer = Peer::start(move |path| match path[1..].parse::<u32>().unwrap() {
        0 => Play::to(&home),
        left => Play::to(&format!("/{}", left - 1)),
    })
    .await;
    let fetcher = reaching(&[&peer]);
    for hops in 0..=4 {
        let error = fetch(&fetcher, &peer.url(&format!("/{hops}"))).await.unwrap_err();
        assert!(matches!(error, FetchFailure::Redirect { .. }), "{hops}: {error}");
    }
    assert_eq!((canary.connections(), peer.connections()), (0, 1 + 2 + 3 + 4 + 5));
}

#[tokio::test]
async fn what_only_a_browser_follows_is_not_followed() {
    let canary = Peer::start(|_| Play::page("private")).await;
    let home = canary.url("/");
    let peer = Peer::start(move |path| match path {
        "/refresh" => Play::answer(200, &[("refresh", &format!("0; url={home}"))], "a"),
        "/meta" => Play::page(&format!("<meta http-equiv=refresh content='0;url={home}'>")),
        "/script" => Play::page(&format!("<script>location='{home}'</script>")),
        "/canonical" => Play::answer(200, &[("link", &format!("<{home}>; rel=canonical"))], "a"),
        "/alt" => Play::answer(200, &[("alt-svc", "h2=\"127.0.0.1:80\"; ma=86400")], "a"),
        "/300" => Play::answer(300, &[("location", &home)], "a"),
        _ => Play::answer(305, &[("location", &home)], "a"),
    })
    .await;
    let fetcher = reaching(&[&peer]);
    for path in ["/refresh", "/meta", "/script", "/canonical", "/alt", "/alt"] {
        assert!(fetch(&fetcher, &peer.url(path)).await.is_ok(), "{path}");
    }
    for path in ["/300", "/305"] {
        let error = fetch(&fetcher, &peer.url(path)).await.unwrap_err();
        assert!(matches!(error, FetchFailure::Status { .. }), "{error}");
    }
    assert_eq!(canary.connections(), 0);
}

#[test]
fn https_does_not_step_down_to_http() {
    let mut headers = HeaderMap::new();
    headers.insert("location", HeaderValue::from_static("http://example.org/"));
    let from = |text: &str| Url::parse(text).unwrap();
    let error = redirect::next(&from("https://example.org/"), &headers).unwrap_err();
    assert!(error.to_string().contains("from https to http"), "{error}");
    assert!(redirect::next(&from("http://example.org/"), &headers).is_ok());
    let long = format!("http://example.org/{}", "a".repeat(5_000));
    headers.insert("location", long.parse().unwrap());
    let error = redirect::next(&from("http://example.org/"), &headers).unwrap_err();
    assert!(error.to_string().contains("4,096 bytes") && error.to_string().len() < 500, "{error}");
    headers.insert("location", HeaderValue::from_static("//example.net/x#y"));
    let next = redirect::next(&from("https://example.org/"), &headers).unwrap();
    assert_eq!(next.as_str(), "https://example.net/x");
}

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs all of 127.0.0.0/8")]
async fn the_public_web_does_not_send_us_into_an_allowed_host() {
    let wiki =
        Peer::start(|path| if path == "/in" { Play::to("/page") } else { Play::page("wiki") })
            .await;
    let inside = wiki.url("/delete");
    let (public, _) = Peer::pair(move |_| Play::to(&inside)).await;
    let names = Names::of(&[("site.example.org", &[&["127.0.0.9"]])]);
    let fetcher = fetcher_of_the_little_world(settings(&[&wiki.at.to_string()]), &names);
    let url = format!("http://site.example.org:{}/", public.at.port());
    let error = fetch(&fetcher, &url).await.unwrap_err();
    assert!(matches!(error, FetchFailure::Redirect { .. }), "{error}");
    // Nor does a link of a public page.
    let link = Vouched::new(&wiki.url("/x"), Voucher::Page("https://site.example.org/".to_owned()));
    assert!(fetcher.fetch(&link.unwrap()).await.unwrap_err().is_refusal());
    assert_eq!((public.connections(), wiki.connections()), (1, 0));
    // Among its own pages it may, and the user and a provider may name it.
    let link = Vouched::new(&wiki.url("/in"), Voucher::Page(wiki.url("/")));
    assert_eq!(fetcher.fetch(&link.unwrap()).await.unwrap().url.path(), "/page");
    assert!(fetcher.fetch(&found(&wiki.url("/y"))).await.is_ok());
}

#[tokio::test]
async fn strange_places_to_be_sent_to_do_no_harm() {
    let peer = sender().await;
    let settings = settings(&[&peer.at.to_string()]);
    // Nothing but the peer may be reached: no test leaves this machine.
    let guard = Guard::new(&settings).unwrap().judging(|_| Some("not for tests"));
    let lookup = Names::of(&[]) as Arc<dyn Lookup>;
    let fetcher = Fetcher::guarded(settings, guard, &lookup).unwrap();
    let mut asked = 0;
    for (file, count) in [("open_redirect/patt_open_redirect.txt", 240), ("crlf/patt_crlf.txt", 17)]
    {
        let Some(text) = attacks(file) else { return };
        assert_eq!(text.lines().count(), count);
        for line in text.lines() {
            let decoded: Vec<u8> = percent_encoding::percent_decode_str(line).collect();
            for target in [line.as_bytes(), &decoded] {
                let _ = fetch(&fetcher, &sending(&peer, 302, target)).await;
                asked += 1;
            }
        }
    }
    println!("{asked} strange places to be sent to");
    for seen in peer.seen() {
        let names: Vec<String> = seen
            .head
            .lines()
            .skip(1)
            .filter_map(|line| Some(line.split_once(':')?.0.to_lowercase()))
            .collect();
        assert!(
            names
                .iter()
                .all(|name| ["accept", "accept-encoding", "host", "user-agent"]
                    .contains(&name.as_str())),
            "{}",
            seen.head
        );
    }
}
