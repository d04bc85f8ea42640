//! Names that change what they lead to. 127.0.0.9 plays the public internet, 127.0.0.1 the machine behind it.

use super::*;
use crate::web::resolve::Looking;
use crate::web::testing::fetcher_of_the_little_world;
use std::sync::atomic::Ordering;

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs all of 127.0.0.0/8")]
async fn a_name_that_flips_never_leads_home() {
    let (public, private) = Peer::pair(|_| Play::page("public")).await;
    let names = Names::of(&[("rebind.example.net", &[&["127.0.0.9"], &["127.0.0.1"]])]);
    let fetcher = fetcher_of_the_little_world(settings(&[]), &names);
    let url = format!("http://rebind.example.net:{}/", public.at.port());
    let (mut read, mut refused) = (0, 0);
    for _ in 0..1_000 {
        match fetch(&fetcher, &url).await {
            Ok(page) => {
                assert_eq!(page.body, b"public");
                read += 1;
            }
            Err(FetchFailure::Refused { cause, .. }) => {
                assert!(cause.contains("leads to 127.0.0.1"), "{cause}");
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((read, refused, private.connections()), (500, 500, 0));
    // Looked up once for each, and what was looked up is what was connected to.
    assert_eq!(names.asked.load(Ordering::SeqCst), 1_000);
    assert_eq!(public.connections(), 500);
}

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs all of 127.0.0.0/8")]
async fn one_bad_address_spoils_the_name() {
    let (public, private) = Peer::pair(|_| Play::page("public")).await;
    let sets: &[(&str, &[&str])] = &[
        ("mixed.example.net", &["127.0.0.9", "127.0.0.1"]),
        ("mixed2.example.net", &["127.0.0.1", "127.0.0.9"]),
        ("six.example.net", &["127.0.0.9", "::1"]),
        ("alias-of-localhost.example.net", &["127.0.0.1", "::1"]),
        ("mapped.example.net", &["::ffff:127.0.0.1"]),
        ("translated.example.net", &["::ffff:0:127.0.0.1"]),
        ("nothing.example.net", &["0.0.0.0"]),
        ("metadata.example.net", &["169.254.169.254"]),
        ("many.example.net", &["127.0.0.9"; 300]),
    ];
    let known: Vec<(&str, &[&[&str]])> =
        sets.iter().map(|(name, set)| (*name, std::slice::from_ref(set))).collect();
    let fetcher = fetcher_of_the_little_world(settings(&[]), &Names::of(&known));
    for (name, set) in sets {
        for name in [(*name).to_owned(), format!("{name}.")] {
            let url = format!("http://{name}:{}/", public.at.port());
            let outcome = fetch(&fetcher, &url).await;
            let good = set.iter().all(|address| *address == "127.0.0.9");
            assert_eq!(outcome.is_ok(), good, "{name}: {outcome:?}");
            assert!(good || outcome.unwrap_err().is_refusal(), "{name}");
        }
    }
    assert_eq!((public.connections(), private.connections()), (2, 0));
}

/// A look-up that never ends.
struct Silent;

impl Lookup for Silent {
    fn addresses(&self, _: &str) -> Looking {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_name_without_an_answer_is_a_passing_failure() {
    let error = fetch(&fetcher(settings(&[]), &Names::of(&[])), "http://none.example.org/").await;
    let error = error.unwrap_err();
    assert!(error.is_passing() && error.to_string().contains("no such name"), "{error}");
    let fetcher = Fetcher::with_lookup(settings(&[]), Arc::new(Silent)).unwrap();
    let error = fetch(&fetcher, "http://silent.example.org/").await.unwrap_err();
    assert!(matches!(error, FetchFailure::TimedOut { .. }) && error.is_passing(), "{error}");
}

#[tokio::test]
async fn an_allowed_name_may_be_private_and_never_metadata() {
    let peer = Peer::start(|_| Play::page("wiki")).await;
    let port = peer.at.port();
    let names = Names::of(&[
        ("wiki.corp", &[&["127.0.0.1"], &["169.254.169.254"], &["127.0.0.1", "fd00:ec2::254"]]),
        ("other.corp", &[&["127.0.0.1"]]),
    ]);
    let fetcher = fetcher(settings(&[&format!("wiki.corp:{port}")]), &names);
    let url = format!("http://wiki.corp:{port}/");
    assert_eq!(fetch(&fetcher, &url).await.unwrap().body, b"wiki");
    for _ in 0..2 {
        let error = fetch(&fetcher, &url).await.unwrap_err();
        assert!(error.is_refusal() && error.to_string().contains("metadata"), "{error}");
    }
    // Another name at that address, and that name at another port, were not allowed.
    for other in [format!("http://other.corp:{port}/"), "http://wiki.corp/".to_owned()] {
        assert!(fetch(&fetcher, &other).await.unwrap_err().is_refusal());
    }
    assert_eq!(peer.connections(), 1);
}

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs all of 127.0.0.0/8")]
async fn an_allowed_host_lends_no_right_to_its_other_ports() {
    // A public name whose owner lets it lead home, while the user allowed it at another port.
    let (_, private) = Peer::pair(|_| Play::page("public")).await;
    let names = Names::of(&[("shared.example.net", &[&["127.0.0.1"]])]);
    let fetcher = fetcher_of_the_little_world(settings(&["shared.example.net:1"]), &names);
    let url = format!("http://shared.example.net:{}/", private.at.port());
    assert!(fetch(&fetcher, &url).await.unwrap_err().is_refusal());
    assert_eq!(private.connections(), 0);
}
