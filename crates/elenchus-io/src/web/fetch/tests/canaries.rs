//! The corpora of addresses that lead home, against listeners that must hear nothing.

use super::*;
use crate::web::testing::attacks;
use serde_json::Value;

/// Listeners on both loopback addresses; where the machine has no IPv6, on one.
async fn canaries() -> Vec<Peer> {
    let mut all = vec![Peer::start(|_| Play::page("private")).await];
    if tokio::net::TcpListener::bind("[::1]:0").await.is_ok() {
        all.push(Peer::at("[::1]:0", |_| Play::page("private")).await);
    }
    all
}

/// Asks for each address as it stands, and with its port set to each canary's, by the user's word and by a provider's.
async fn ask(texts: &[String]) -> (usize, usize) {
    let canaries = canaries().await;
    // Every name leads home.
    let fetcher = fetcher(settings(&[]), &Names::all_at(&["127.0.0.1", "::1"]));
    let (mut no_address, mut refused) = (0, 0);
    for text in texts {
        let Ok(wanted) = Vouched::new(text, Voucher::User) else {
            no_address += 1;
            continue;
        };
        let ports = canaries.iter().map(|canary| Some(canary.at.port())).chain([None]);
        for port in ports {
            let mut url = wanted.url().clone();
            if port.is_some() {
                url.set_port(port).unwrap();
            }
            for wanted in [user(url.as_str()), found(url.as_str())] {
                let outcome = fetcher.fetch(&wanted).await;
                assert!(matches!(outcome, Err(FetchFailure::Refused { .. })), "{url}: {outcome:?}");
                refused += 1;
            }
        }
    }
    let heard: usize = canaries.iter().map(Peer::connections).sum();
    assert_eq!(heard, 0);
    // The canaries do hear: else the test could not fail.
    for canary in &canaries {
        let allowed = reaching(&[canary]);
        fetch(&allowed, &canary.url("/")).await.unwrap();
        assert_eq!(canary.connections(), 1);
    }
    (no_address, refused)
}

#[tokio::test]
async fn nothing_of_our_own_list_reaches_a_canary() {
    let Some(text) = attacks("ssrf/own_ssrf_urls.jsonl") else { return };
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let hostile = rows.filter(|row| row["expect"] == "block");
    let texts: Vec<String> = hostile.map(|row| row["url"].as_str().unwrap().to_owned()).collect();
    assert_eq!(texts.len(), 312);
    let (no_address, refused) = ask(&texts).await;
    println!(
        "own list: {} addresses, {no_address} are none to begin with, {refused} requests refused, 0 connections",
        texts.len()
    );
    assert!(no_address > 30 && refused > 1_000, "{no_address} {refused}");
}

#[tokio::test]
async fn nothing_of_a_published_list_reaches_a_canary() {
    let Some(text) = attacks("ssrf/patt_ssrf_urls.txt") else { return };
    let texts: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(texts.len(), 162);
    let (no_address, refused) = ask(&texts).await;
    println!(
        "published list: {} addresses, {no_address} are none to begin with, {refused} requests refused, 0 connections",
        texts.len()
    );
    assert!(no_address > 20 && refused > 500, "{no_address} {refused}");
}
