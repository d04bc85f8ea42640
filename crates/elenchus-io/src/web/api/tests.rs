use super::*;
use crate::web::testing::{Names, Peer, Play, settings};
use crate::web::{Egress, Nature};

fn client(base: &str, chosen: Chosen, settings: &FetchSettings) -> ApiClient {
    let names = Names::all_at(&["127.0.0.1"]) as Arc<dyn Lookup>;
    ApiClient::with_lookup(base, chosen, settings, &names).unwrap()
}

fn at(client: &ApiClient, path: &str) -> Url {
    client.base().join(path).unwrap()
}

#[tokio::test]
async fn the_users_own_interface_is_asked_and_every_status_is_a_reply() {
    let peer = Peer::start(|path| match path.split('?').next().unwrap() {
        "/search" => Play::answer(200, &[("content-type", "application/json")], "{\"results\":[]}"),
        "/busy" => Play::answer(429, &[("retry-after", "7")], "slow down"),
        _ => Play::answer(500, &[], "oops"),
    })
    .await;
    let client = client(&peer.url("/"), Chosen::ByUser, &settings(&[]));
    let reply = client.get(&at(&client, "/search?q=bread"), &[("X-Key", "k-1")]).await.unwrap();
    assert_eq!((reply.status, reply.body.as_slice()), (200, b"{\"results\":[]}".as_slice()));
    assert_eq!(reply.content_type.as_deref(), Some("application/json"));
    let reply = client.get(&at(&client, "/busy"), &[]).await.unwrap();
    assert_eq!((reply.status, reply.retry_after), (429, Some(Duration::from_secs(7))));
    let reply = client
        .post_json(&at(&client, "/x"), &[("X-Key", "k-1")], b"{\"q\":1}".to_vec())
        .await
        .unwrap();
    assert_eq!((reply.status, reply.body.as_slice()), (500, b"oops".as_slice()));
    let seen = peer.seen();
    assert!(
        seen[0].head.starts_with("GET /search?q=bread ") && seen[0].head.contains("x-key: k-1")
    );
    assert!(seen[2].head.starts_with("POST /x ") && seen[2].head.contains("application/json"));
    assert_eq!(seen[2].body, b"{\"q\":1}");
    // An interface is not asked for its robots.txt.
    assert_eq!(peer.connections(), 3);
}

#[tokio::test]
async fn what_is_built_in_has_to_be_public_and_modes_are_kept() {
    let peer = Peer::start(|_| Play::page("x")).await;
    let of = |egress| FetchSettings { egress, ..settings(&[]) };
    for (chosen, egress, good) in [
        (Chosen::ByUser, Egress::Public, true),
        (Chosen::ByUser, Egress::PrivateOnly, true),
        (Chosen::ByUser, Egress::Offline, false),
        (Chosen::BuiltIn, Egress::Public, false),
        (Chosen::BuiltIn, Egress::PrivateOnly, false),
    ] {
        for base in [peer.url("/"), format!("http://api.example.org:{}/", peer.at.port())] {
            let client = client(&base, chosen, &of(egress));
            let outcome = client.get(&at(&client, "/"), &[]).await;
            assert_eq!(outcome.is_ok(), good, "{chosen:?} {egress:?} {base}");
            assert!(good || outcome.unwrap_err().nature() == Nature::Refused);
        }
    }
    assert_eq!(peer.connections(), 4);
    // In the private mode a name of the user's that leads to a public address is refused.
    let names = Names::all_at(&["93.184.216.34"]) as Arc<dyn Lookup>;
    let settings = of(Egress::PrivateOnly);
    let client =
        ApiClient::with_lookup("http://searx.example.org", Chosen::ByUser, &settings, &names)
            .unwrap();
    assert!(client.get(&at(&client, "/"), &[]).await.unwrap_err().is_refusal());
}

#[tokio::test]
async fn a_key_goes_nowhere_else_and_into_no_message() {
    let other = Peer::start(|_| Play::page("x")).await;
    let elsewhere = other.url("/");
    let peer = Peer::start(move |path| match path.split('?').next().unwrap() {
        "/away" => Play::to(&elsewhere),
        "/within" => Play::to("/end"),
        "/large" => Play::answer(200, &[], vec![b'x'; 9 << 20]),
        _ => Play::page("end"),
    })
    .await;
    let client = client(&peer.url("/"), Chosen::ByUser, &settings(&[&other.at.to_string()]));
    let key = [("Authorization", "Bearer s3cret")];
    let away = client.get(&at(&client, "/away?api_key=s3cret"), &key).await.unwrap_err();
    let large = client.get(&at(&client, "/large?api_key=s3cret"), &key).await.unwrap_err();
    let foreign =
        client.get(&Url::parse(&other.url("/?k=s3cret")).unwrap(), &key).await.unwrap_err();
    let broken = client.get(&at(&client, "/"), &[("x-key", "s3cret\n")]).await.unwrap_err();
    for error in [&away, &large, &foreign, &broken] {
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
    }
    assert!(!format!("{client:?}").contains("s3cret"));
    assert_eq!(client.get(&at(&client, "/within"), &key).await.unwrap().body, b"end");
    // A sending is not repeated elsewhere: the redirect itself is the reply.
    let reply = client.post_json(&at(&client, "/away"), &key, b"{}".to_vec()).await.unwrap();
    assert_eq!((reply.status, other.connections()), (302, 0));
}

#[test]
fn redirects_that_stay() {
    let stays =
        |from: &str, next: &str| stays(&Url::parse(from).unwrap(), &Url::parse(next).unwrap());
    assert!(stays("https://a.example/x", "https://a.example/y"));
    assert!(stays("http://a.example/x", "https://a.example/x"));
    for next in [
        "https://b.example/",
        "https://a.example:8443/",
        "http://a.example/",
        "https://u@a.example/",
        "https://x.a.example/",
    ] {
        assert!(!stays("https://a.example/x", next), "{next}");
    }
    assert!(!stays("http://a.example:8080/", "https://a.example/"));
}

#[test]
fn bases_that_cannot_be_used() {
    for base in ["", "x", "ftp://a.example", "https://u:p@a.example", "http://", "data:x"] {
        let error = ApiClient::new(base, Chosen::ByUser, &settings(&[])).map(|_| ()).unwrap_err();
        assert!(error.cause.contains("it looks like"), "{base}: {error}");
    }
}
