//! robots.txt and manners, as the servers see them.

use super::*;
use std::time::Instant;

fn of(settings: FetchSettings) -> Fetcher {
    fetcher(settings, &Names::of(&[]))
}

/// What a peer with this robots.txt answers.
fn with_robots(status: u16, rules: &'static str) -> impl Fn(&str) -> Play + Send + Sync + 'static {
    move |path| match path {
        "/robots.txt" => Play::answer(status, &[], rules),
        _ => Play::page("page"),
    }
}

#[tokio::test]
async fn a_site_is_asked_once_and_its_word_holds() {
    let rules = "User-agent: *\nDisallow: /\n\nUser-agent: Elenchus\nDisallow: /private/\nAllow: /private/open$\n";
    let peer = Peer::start(with_robots(200, rules)).await;
    let fetcher = reaching(&[&peer]);
    for (path, good) in
        [("/a", true), ("/private/x", false), ("/b?q=1", true), ("/private/open", true)]
    {
        let outcome = fetcher.fetch(&found(&peer.url(path))).await;
        assert_eq!(outcome.is_ok(), good, "{path}: {outcome:?}");
        if let Err(error) = outcome {
            assert!(error.is_refusal() && error.to_string().contains("robots.txt"), "{error}");
        }
    }
    assert_eq!(peer.paths(), ["/robots.txt", "/a", "/b?q=1", "/private/open"]);
    // Who names a page wants it as a browser would.
    assert!(fetch(&fetcher, &peer.url("/private/x")).await.is_ok());
    assert_eq!(peer.connections(), 5);
}

#[tokio::test]
async fn many_at_once_ask_a_site_for_its_word_once() {
    let peer = Peer::start(with_robots(404, "")).await;
    let fetcher = reaching(&[&peer]);
    let urls: Vec<Vouched> = (0..12).map(|page| found(&peer.url(&format!("/{page}")))).collect();
    let all = futures_util::future::join_all(urls.iter().map(|url| fetcher.fetch(url))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(peer.paths().iter().filter(|path| *path == "/robots.txt").count(), 1);
    assert_eq!((peer.connections(), peer.most_under_way().min(2)), (13, peer.most_under_way()));
}

#[tokio::test]
async fn what_no_word_means() {
    // Status of robots.txt, whether pages may be read, whether asking again later may help.
    for (status, good, passing) in [
        (200, true, false),
        (204, true, false),
        (401, true, false),
        (403, true, false),
        (404, true, false),
        (410, true, false),
        (429, false, true),
        (500, false, true),
        (503, false, true),
        (300, false, true),
    ] {
        let peer = Peer::start(with_robots(status, "")).await;
        let fetcher = reaching(&[&peer]);
        for _ in 0..2 {
            let outcome = fetcher.fetch(&found(&peer.url("/a"))).await;
            assert_eq!(outcome.is_ok(), good, "{status}: {outcome:?}");
            assert_eq!(outcome.is_err_and(|error| error.is_passing()), passing, "{status}");
        }
        assert_eq!(
            peer.paths().iter().filter(|path| *path == "/robots.txt").count(),
            1,
            "{status}"
        );
    }
}

#[tokio::test]
async fn robots_txt_goes_through_the_same_guard() {
    let canary = Peer::start(|_| Play::raw("User-agent: *\nDisallow:\n")).await;
    let home = canary.url("/robots.txt");
    let peer = Peer::start(move |path| match path {
        "/robots.txt" => Play::to(&home),
        _ => Play::page("page"),
    })
    .await;
    let fetcher = reaching(&[&peer]);
    let error = fetcher.fetch(&found(&peer.url("/a"))).await.unwrap_err();
    assert!(error.is_passing() && error.to_string().contains("robots.txt"), "{error}");
    assert_eq!((canary.connections(), peer.connections()), (0, 1));
    // Moved within the site it is found.
    let peer = Peer::start(|path| match path {
        "/robots.txt" => Play::to("/moved.txt"),
        "/moved.txt" => Play::answer(200, &[], "User-agent: *\nDisallow: /a"),
        _ => Play::page("page"),
    })
    .await;
    let fetcher = reaching(&[&peer]);
    assert!(fetcher.fetch(&found(&peer.url("/a"))).await.unwrap_err().is_refusal());
    assert!(fetcher.fetch(&found(&peer.url("/b"))).await.is_ok());
}

#[tokio::test]
async fn a_robots_txt_without_end_is_cut_and_one_that_drips_is_trouble() {
    let peer =
        Peer::start(|path| match path {
            "/robots.txt" => Play::raw("HTTP/1.1 200 Play\r\n\r\nUser-agent: *\nDisallow: /a\n")
                .then("# more\n".repeat(1_000), usize::MAX, Duration::ZERO),
            _ => Play::page("page"),
        })
        .await;
    let fetcher = reaching(&[&peer]);
    assert!(fetcher.fetch(&found(&peer.url("/a"))).await.unwrap_err().is_refusal());
    assert!(fetcher.fetch(&found(&peer.url("/b"))).await.is_ok());
    let slow = Peer::start(|_| {
        Play::raw("HTTP/1.1 200 Play\r\n\r\n").then("#", usize::MAX, Duration::from_millis(10))
    })
    .await;
    let settings =
        FetchSettings { deadline: Duration::from_millis(200), ..settings(&[&slow.at.to_string()]) };
    let error = of(settings).fetch(&found(&slow.url("/a"))).await.unwrap_err();
    assert!(error.is_passing(), "{error}");
}

#[tokio::test]
async fn a_redirect_asks_the_word_of_where_it_leads() {
    let strict = Peer::start(with_robots(200, "User-agent: *\nDisallow: /\n")).await;
    let target = strict.url("/page");
    let peer = Peer::start(move |path| match path {
        "/robots.txt" => Play::answer(404, &[], ""),
        _ => Play::to(&target),
    })
    .await;
    let fetcher = reaching(&[&peer, &strict]);
    let error = fetcher.fetch(&found(&peer.url("/a"))).await.unwrap_err();
    assert!(matches!(error, FetchFailure::Robots { passing: false, .. }), "{error}");
    assert_eq!(strict.paths(), ["/robots.txt"]);
    assert!(fetch(&fetcher, &peer.url("/a")).await.is_ok());
}

#[tokio::test]
async fn a_crawl_delay_is_kept_up_to_its_limit() {
    let peer =
        Peer::start(with_robots(200, "User-agent: *\nCrawl-delay: 3600\nDisallow: /x\n")).await;
    let settings = FetchSettings {
        longest_crawl_delay: Duration::from_millis(150),
        ..settings(&[&peer.at.to_string()])
    };
    let fetcher = of(settings);
    let begun = Instant::now();
    for path in ["/a", "/b", "/c"] {
        fetcher.fetch(&found(&peer.url(path))).await.unwrap();
    }
    assert!(begun.elapsed() >= Duration::from_millis(300), "{:?}", begun.elapsed());
    assert_eq!(peer.connections(), 4);
}

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs all of 127.0.0.0/8")]
async fn a_pause_stands_between_requests_but_not_at_ones_own_machine() {
    let pause = Duration::from_millis(120);
    let (public, _) = Peer::pair(|_| Play::page("public")).await;
    let own = Peer::start(|_| Play::page("own")).await;
    let names = Names::of(&[("site.example.org", &[&["127.0.0.9"]])]);
    let settings = FetchSettings { pause, ..settings(&[&own.at.to_string()]) };
    let fetcher = crate::web::testing::fetcher_of_the_little_world(settings, &names);
    let url = format!("http://site.example.org:{}/", public.at.port());
    let (urls, begun) = (vec![user(&url); 4], Instant::now());
    let all = futures_util::future::join_all(urls.iter().map(|url| fetcher.fetch(url))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    assert!(begun.elapsed() >= 3 * pause, "{:?}", begun.elapsed());
    let begun = Instant::now();
    for _ in 0..40 {
        fetch(&fetcher, &own.url("/")).await.unwrap();
    }
    assert!(begun.elapsed() < 39 * pause, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_host_that_asks_for_a_rest_gets_it() {
    let peer = Peer::start(|path| match path {
        "/429" => Play::answer(429, &[("retry-after", "3600")], ""),
        "/503" => Play::answer(503, &[("retry-after", "1")], ""),
        _ => Play::page("page"),
    })
    .await;
    let longest_rest = Duration::from_mins(1);
    let settings = FetchSettings { longest_rest, ..settings(&[&peer.at.to_string()]) };
    let fetcher = of(settings.clone());
    assert!(fetch(&fetcher, &peer.url("/429")).await.unwrap_err().is_passing());
    let before = peer.connections();
    let error = fetch(&fetcher, &peer.url("/a")).await.unwrap_err();
    let FetchFailure::Resting { again_in, .. } = &error else { panic!("{error}") };
    assert!(*again_in <= longest_rest && *again_in > Duration::from_secs(50), "{error}");
    assert_eq!((peer.connections(), error.is_passing()), (before, true));
    // A short rest is waited out.
    let (fetcher, begun) = (of(settings), Instant::now());
    fetch(&fetcher, &peer.url("/503")).await.unwrap_err();
    fetch(&fetcher, &peer.url("/a")).await.unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());
}
