use super::*;
use crate::web::page::{Hints, RawPage, read};

pub(super) fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

fn page(address: &Url, words: &str, at: i64) -> (Page, Vec<u8>) {
    let body =
        format!("<html><body><p>{words}</p><p><a href='/next'>next</a> after it</p></body></html>")
            .into_bytes();
    let page = read(RawPage {
        url: address,
        requested: address,
        content_type: Some("text/html"),
        last_modified: None,
        link: None,
        body: &body,
        retrieved_at: Timestamp(at),
        via: &Voucher::User,
        hints: Hints::default(),
    })
    .expect("it is read");
    (page, body)
}

pub(super) fn keep(snapshots: &Snapshots, address: &Url, words: &str, at: i64) -> Page {
    let (page, body) = page(address, words, at);
    let headers = [("etag".to_owned(), "x".to_owned())];
    let requested = url("http://short.example/1");
    snapshots
        .put(&Snapshot {
            requested: &requested,
            url: address,
            content_type: Some("text/html"),
            headers: &headers,
            body: &body,
            only_if_allowed: false,
            page: &page,
        })
        .expect("it is kept");
    page
}

#[test]
fn a_secret_of_an_address_is_not_kept_and_tells_pages_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("web.db");
    let snapshots = Snapshots::open(&path).expect("it opens");
    // In pieces, so that no scanner takes them for secrets.
    let tokens = ["xY1zA5aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW7", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"]
        .map(|end| ["ghp_", end].concat());
    let address = |token: &str| url(&format!("https://a.example/river?token={token}"));
    let [one, other] = &tokens;
    let kept = keep(&snapshots, &address(one), "The river is 412 km long.", 1_000);
    let latest = |token: &str| {
        let kept = snapshots.latest(&address(token), Timestamp(0)).expect("it is read");
        kept.map(|kept| kept.page.document)
    };
    assert_eq!((latest(one), latest(other)), (Some(kept.document.clone()), None));
    let second = keep(&snapshots, &address(other), "The river is 415 km long.", 2_000);
    assert_ne!(second.document.source.id, kept.document.source.id);
    assert_eq!(latest(one), Some(kept.document));
    drop(snapshots);
    for name in ["web.db", "web.db-wal"] {
        let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
        for token in &tokens {
            let there = bytes.windows(token.len()).any(|window| window == token.as_bytes());
            assert!(!there, "{name} holds a secret");
        }
    }
}

#[test]
fn a_page_is_rebuilt_without_the_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("web.db");
    let address = url("https://a.example/river");
    let first = keep(
        &Snapshots::open(&path).expect("it opens"),
        &address,
        "The river is 412 km long.",
        1_000,
    );
    let snapshots = Snapshots::open(&path).expect("it opens again");
    let source = &first.document.source;
    assert_eq!(snapshots.document(&source.id).expect("it is read").as_ref(), Some(&first.document));
    let kept = snapshots
        .by_source(&source.id, &source.content_hash)
        .expect("it is read")
        .expect("it is there");
    assert_eq!(kept.page, first);
    assert_eq!(kept.headers, [("etag".to_owned(), "x".to_owned())]);
    let body =
        snapshots.body(&source.id, &source.content_hash).expect("it is read").expect("it is there");
    assert!(String::from_utf8_lossy(&body).contains("412"));
    assert_eq!(snapshots.by_source(&source.id, "other").expect("it is read"), None);
}

#[test]
fn fresh_enough_is_asked_by_any_of_its_addresses() {
    let snapshots = Snapshots::in_memory().expect("it opens");
    let address = url("https://a.example/river");
    keep(&snapshots, &address, "The river is 412 km long.", 1_000);
    keep(&snapshots, &address, "The river is 412 km long.", 5_000);
    assert_eq!(snapshots.volume().expect("counted").pages, 1);
    for asked in ["https://a.example/river#part", "http://short.example/1"] {
        let kept = snapshots
            .latest(&url(asked), Timestamp(4_000))
            .expect("it is read")
            .expect("it is fresh");
        assert_eq!(kept.retrieved_at, Timestamp(5_000));
        assert_eq!(
            kept.page.document.source.web.map(|web| web.retrieved_at),
            Some(Timestamp(5_000))
        );
    }
    assert_eq!(snapshots.latest(&address, Timestamp(6_000)).expect("it is read"), None);
    // A page that changed is a second snapshot; the first stays for those who cited it.
    let old = keep(&snapshots, &address, "The river is 412 km long.", 1_000);
    let new = keep(&snapshots, &address, "The river is 415 km long.", 7_000);
    let source = &old.document.source.id;
    assert_eq!(snapshots.readings(source, None).expect("they are read").len(), 2);
    assert_eq!(
        snapshots.document(source).expect("it is read").map(|document| document.text),
        Some(new.document.text)
    );
    let cited = snapshots
        .by_source(source, &old.document.source.content_hash)
        .expect("it is read")
        .expect("it is there");
    assert!(cited.page.document.text.contains("412"));
}

#[test]
fn the_oldest_go_when_the_cap_is_reached() {
    let folder = tempfile::tempdir().expect("a folder");
    let snapshots =
        Snapshots::open(&folder.path().join("web.db")).expect("it opens").capped(600_000);
    let mut seed = 7_u64;
    for n in 0..80_i64 {
        // Words that do not compress well.
        let words = (0..2_000).fold(String::new(), |mut words, _| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            words.push_str(&(seed >> 33).to_string());
            words.push(' ');
            words
        });
        keep(&snapshots, &url(&format!("https://a.example/{n}")), &words, n);
        assert!(snapshots.volume().expect("counted").bytes <= 700_000);
    }
    let there = |n: i64| {
        snapshots
            .latest(&url(&format!("https://a.example/{n}")), Timestamp(0))
            .expect("it is read")
            .is_some()
    };
    assert!(there(79) && !there(0));
    assert!(snapshots.prune(0).expect("pruned") > 0);
    assert_eq!(snapshots.volume().expect("counted").pages, 0);
}

#[test]
fn pages_before_a_time_go_and_their_bytes_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("web.db");
    let snapshots = Snapshots::open(&path).expect("it opens");
    for (n, at) in [(1, 10), (2, 20), (3, 30)] {
        let address = url(&format!("https://a.example/page-{n}"));
        keep(&snapshots, &address, "The river is long.", at);
    }
    assert_eq!(snapshots.count_before(Some(Timestamp(20))).expect("counted"), 1);
    assert_eq!(snapshots.count_before(None).expect("counted"), 3);
    assert_eq!(snapshots.forget_before(Some(Timestamp(20))).expect("removed"), 1);
    assert_eq!(snapshots.volume().expect("counted").pages, 2);
    assert_eq!(snapshots.forget_before(None).expect("removed"), 2);
    drop(snapshots);
    for name in ["web.db", "web.db-wal"] {
        let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
        let left = bytes.windows(6).any(|window| window == b"page-3");
        assert!(!left, "{name} still holds an address");
    }
}

#[test]
fn damaged_rows_are_told_and_never_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("web.db");
    let address = url("https://a.example/river");
    let kept = keep(
        &Snapshots::open(&path).expect("it opens"),
        &address,
        "The river is 412 km long.",
        1_000,
    );
    let source = kept.document.source.id;
    for damage in [
        "UPDATE snapshots SET reading = x'789c'",
        "UPDATE snapshots SET reading = zeroblob(40)",
        "UPDATE snapshots SET source = '{}'",
        "UPDATE snapshots SET content_hash = 'other'",
    ] {
        let raw = Connection::open(&path).expect("it opens");
        raw.execute_batch(&format!("SAVEPOINT s; {damage};")).expect("it is damaged");
        raw.execute_batch("RELEASE s").expect("it is kept");
        let snapshots = Snapshots::open(&path).expect("it opens");
        let error = snapshots.readings(&source, None).expect_err("it is damaged");
        assert!(error.to_string().contains("ask again with the network"), "{error}");
        assert_eq!(snapshots.latest(&address, Timestamp(0)).expect("the file is whole"), None);
        drop(snapshots);
        std::fs::remove_file(&path).expect("it goes");
        let _ = std::fs::remove_file(path.with_extension("db-wal"));
        let _ = std::fs::remove_file(path.with_extension("db-shm"));
        drop(raw);
        keep(
            &Snapshots::open(&path).expect("it opens"),
            &address,
            "The river is 412 km long.",
            1_000,
        );
    }
}

#[test]
fn other_files_are_refused_with_a_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("web.db");
    std::fs::write(&path, "no database at all, but words").expect("written");
    assert!(Snapshots::open(&path).expect_err("no database").to_string().contains("move it away"));
    let other = folder.path().join("other.db");
    Connection::open(&other).and_then(|db| db.execute_batch("CREATE TABLE t (a)")).expect("made");
    assert!(Snapshots::open(&other).expect_err("foreign").to_string().contains("another program"));
    let newer = folder.path().join("newer.db");
    drop(Snapshots::open(&newer).expect("it opens"));
    Connection::open(&newer)
        .and_then(|db| db.execute_batch("INSERT INTO schema_version VALUES (99, 'later')"))
        .expect("made");
    assert!(Snapshots::open(&newer).expect_err("newer").to_string().contains("update elenchus"));
    assert!(Snapshots::open_existing(&folder.path().join("none.db")).is_err());
}

#[test]
fn what_was_read_lately_is_looked_through() {
    let snapshots = Snapshots::in_memory().expect("it opens");
    for (at, words) in
        [(1, "The river is long."), (2, "The lake is deep."), (3, "The sea is wide.")]
    {
        keep(&snapshots, &url(&format!("https://a.example/{at}")), words, at);
    }
    let find = |most, word: &str| {
        snapshots.find_lately(most, |text| text.contains(word)).expect("it is read")
    };
    assert_eq!(find(9, "deep").as_deref(), Some("https://a.example/2"));
    assert_eq!(find(9, "is").as_deref(), Some("https://a.example/3"), "the newest first");
    assert_eq!((find(9, "cold"), find(2, "long")), (None, None));
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn pages_on_a_server_are_there_for_every_process() {
    use crate::pg::testkit::{schema, servers, told};
    for server in servers("pages_on_a_server_are_there_for_every_process") {
        let at = schema(&server).await.expect("a schema");
        let one = Snapshots::on_server(&at).await.expect("it opens");
        let two = Snapshots::on_server(&at).await.expect("it opens");
        let address = url("https://a.example/river");
        let first = keep(&one, &address, "The river is 412 km long.", 1_000);
        keep(&two, &address, "The river is 412 km long.", 5_000);
        // Longer than an entry of an index.
        let long = url(&format!("https://a.example/{}", "way-to-the-sea/".repeat(250)));
        keep(&one, &long, "It is a long way.", 2_000);
        assert_eq!(two.volume().expect("counted").pages, 2, "the same page is one");
        let source = &first.document.source;
        let kept = two.by_source(&source.id, &source.content_hash).expect("read").expect("there");
        assert_eq!(
            (&kept.page.document.text, kept.retrieved_at),
            (&first.document.text, Timestamp(5_000))
        );
        assert_eq!(kept.page.links, first.links);
        let body = two.body(&source.id, &source.content_hash).expect("read").expect("there");
        assert!(String::from_utf8_lossy(&body).contains("412"));
        for asked in ["https://a.example/river#part", "http://short.example/1"] {
            let fresh = two.latest(&url(asked), Timestamp(4_000)).expect("read").expect("fresh");
            assert_eq!(fresh.retrieved_at, Timestamp(5_000), "{asked}");
        }
        assert_eq!(two.latest(&address, Timestamp(6_000)).expect("read"), None);
        assert!(two.latest(&long, Timestamp(0)).expect("read").is_some());
        assert_eq!(one.count_before(Some(Timestamp(3_000))).expect("counted"), 1);
        assert_eq!(one.forget_before(Some(Timestamp(3_000))).expect("removed"), 1);
        let visits = told(&at, "SELECT count(*) FROM visits WHERE address LIKE '%sea%'").await;
        assert_eq!(visits.as_deref(), Ok("0"), "they go with their page");
        // The cap counts for what all of them keep.
        let narrow = two.capped(1);
        keep(&narrow, &url("https://a.example/lake"), "The lake is deep.", 6_000);
        assert_eq!(one.volume().expect("counted"), Volume::default());
        assert!(one.place().display().to_string().contains("127.0.0.1"), "{:?}", one.place());
    }
}
