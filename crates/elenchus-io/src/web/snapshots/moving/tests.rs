use super::super::tests::{keep, url};
use super::super::{Kept, Snapshots};
use crate::store::{Copied, House, copy};
use elenchus_core::evidence::Source;
use elenchus_core::id::Timestamp;
use rusqlite::Connection;
use std::path::{Path, PathBuf};

const NOW: Timestamp = Timestamp(1_000_000);

fn pages_of(store: &Path) -> PathBuf {
    store.with_extension("web.db")
}

fn house(store: &Path) -> House {
    House::File { store: store.to_owned(), pages: pages_of(store) }
}

async fn copied(from: &Path, to: &Path) -> Vec<Copied> {
    copy(house(from), house(to), NOW).await.expect("it is copied")
}

async fn refused(from: &Path, to: &Path) -> String {
    copy(house(from), house(to), NOW).await.expect_err("it is not copied").to_string()
}

fn open(store: &Path) -> Snapshots {
    Snapshots::open(&pages_of(store)).expect("it opens")
}

fn rows(copied: &[Copied], name: &str) -> usize {
    copied.iter().find(|one| one.relation == name).expect("a relation").rows
}

fn opened(snapshots: &Snapshots, source: &Source) -> Option<Kept> {
    snapshots.by_source(&source.id, &source.content_hash).expect("it is read")
}

/// Says something to a file of pages behind everybody's back.
fn told(store: &Path, sql: &str) {
    let connection = Connection::open(pages_of(store)).expect("it opens");
    connection.execute_batch(sql).expect("it is done");
}

#[tokio::test]
async fn pages_go_along_and_their_citations_open_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two, three] = ["one.db", "two.db", "three.db"].map(|name| folder.path().join(name));
    let (river, lake) = (url("https://a.example/river"), url("https://a.example/lake"));
    let from = open(&one);
    let old = keep(&from, &river, "The river is 412 km long.", 1_000);
    keep(&from, &river, "The river is 412 km long.", 5_000);
    let new = keep(&from, &river, "The river is 415 km long.", 6_000);
    let deep = keep(&from, &lake, "The lake is deep.", 2_000);
    // More than are held at a time.
    for at in 0..25 {
        let page = url(&format!("https://a.example/{at}"));
        keep(&from, &page, &format!("Page {at} of a long list."), 3_000);
    }
    let there = copied(&one, &two).await;
    assert_eq!(rows(&there, "snapshots"), 28);
    // What was asked for, and where that led, which is the address that the page has.
    assert_eq!(rows(&there, "visits"), 58);
    let to = open(&two);
    for page in [&old, &new, &deep] {
        let source = &page.document.source;
        assert_eq!(opened(&to, source), opened(&from, source));
        let body = |pages: &Snapshots| pages.body(&source.id, &source.content_hash);
        assert_eq!(body(&to), body(&from));
        assert!(body(&to).expect("it is read").is_some_and(|body| !body.is_empty()));
    }
    for asked in ["https://a.example/river#part", "http://short.example/1"] {
        for after in [0, 5_500, 7_000] {
            let (asked, after) = (url(asked), Timestamp(after));
            let latest = |pages: &Snapshots| pages.latest(&asked, after).expect("it is read");
            assert_eq!(latest(&to), latest(&from), "{asked} {after:?}");
        }
    }
    // And back again; a copy of the copy has the same hashes.
    assert_eq!(copied(&two, &three).await, there);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(pages_of(&two)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "for its owner alone");
    }
}

#[tokio::test]
async fn where_no_page_was_read_no_file_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two, three] = ["one.db", "two.db", "three.db"].map(|name| folder.path().join(name));
    let none = copied(&one, &two).await;
    assert_eq!((rows(&none, "snapshots"), rows(&none, "visits")), (0, 0));
    assert!(!pages_of(&one).exists() && !pages_of(&two).exists());
    // Nor of a file that holds none any more.
    drop(open(&one));
    copied(&one, &three).await;
    assert!(!pages_of(&three).exists());
}

#[tokio::test]
async fn what_is_there_stays_and_is_not_copied_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two, three] = ["one.db", "two.db", "three.db"].map(|name| folder.path().join(name));
    let river = url("https://a.example/river");
    let from = open(&one);
    let page = keep(&from, &river, "The river is 412 km long.", 5_000);
    keep(&from, &url("https://a.example/lake"), "The lake is deep.", 5_000);
    let to = open(&two);
    keep(&to, &river, "The river is 412 km long.", 1_000);
    let own = keep(&to, &url("https://a.example/sea"), "The sea is wide.", 9_000);
    let first = copied(&one, &two).await;
    assert_eq!(to.volume().expect("counted").pages, 3, "the same page is one");
    let source = &page.document.source;
    let kept = opened(&to, source).expect("it is there");
    assert_eq!(kept.retrieved_at, Timestamp(5_000), "the latest visit counts");
    assert!(opened(&to, &own.document.source).is_some(), "what only it had stays");
    // Its own visit of then is still one.
    let connection = Connection::open(pages_of(&two)).expect("it opens");
    let visits = |at: i64| -> i64 {
        let sql =
            "SELECT count(*) FROM visits WHERE address = 'https://a.example/river' AND at = ?1";
        connection.query_row(sql, [at], |row| row.get(0)).expect("counted")
    };
    assert_eq!((visits(1_000), visits(5_000)), (1, 1));
    // Another store beside the same pages brings nothing new, and the hashes are the same.
    let again = House::File { store: three, pages: pages_of(&two) };
    assert_eq!(copy(house(&one), again, NOW).await.expect("it is copied"), first);
    assert_eq!(to.volume().expect("counted").pages, 3);
    assert_eq!((visits(1_000), visits(5_000)), (1, 1));
}

#[tokio::test]
async fn a_page_that_is_damaged_there_is_put_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one.db", "two.db"].map(|name| folder.path().join(name));
    let river = url("https://a.example/river");
    let from = open(&one);
    let page = keep(&from, &river, "The river is 412 km long.", 5_000);
    keep(&open(&two), &river, "The river is 412 km long.", 1_000);
    told(&two, "UPDATE snapshots SET reading = x'00'");
    let source = &page.document.source;
    assert!(open(&two).by_source(&source.id, &source.content_hash).is_err());
    copied(&one, &two).await;
    assert_eq!(opened(&open(&two), source), opened(&from, source));
}

#[tokio::test]
async fn a_page_that_arrives_otherwise_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one.db", "two.db"].map(|name| folder.path().join(name));
    let from = open(&one);
    for at in 0..3 {
        keep(&from, &url(&format!("https://a.example/{at}")), "It is so.", 1_000);
    }
    let to = open(&two);
    told(
        &two,
        "CREATE TRIGGER worm AFTER INSERT ON snapshots WHEN NEW.url LIKE '%/1' BEGIN
             UPDATE snapshots SET body = x'00' WHERE id = NEW.id;
         END;",
    );
    let said = refused(&one, &two).await;
    assert!(said.contains("of 3 rows of snapshots 2 arrived"), "{said}");
    assert_eq!(to.volume().expect("counted").pages, 0);
    told(
        &two,
        "DROP TRIGGER worm;
         CREATE TRIGGER moth AFTER INSERT ON visits WHEN NEW.address LIKE '%/2' BEGIN
             DELETE FROM visits WHERE address = NEW.address;
         END;",
    );
    let said = refused(&one, &two).await;
    assert!(said.contains("rows of visits"), "{said}");
    assert_eq!(to.volume().expect("counted").pages, 0);
    // Nothing of the store is there either: once it can, all of it goes.
    told(&two, "DROP TRIGGER moth");
    assert_eq!(rows(&copied(&one, &two).await, "snapshots"), 3);
}

#[tokio::test]
async fn a_store_that_is_refused_gets_no_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one.db", "two.db"].map(|name| folder.path().join(name));
    copied(&one, &two).await;
    keep(&open(&one), &url("https://a.example/river"), "The river is long.", 1_000);
    let connection = Connection::open(&two).expect("it opens");
    connection.execute("INSERT INTO bank_changes VALUES ('north', 1, 0)", ()).expect("written");
    let said = refused(&one, &two).await;
    assert!(said.contains("holds 1 rows of bank_changes already"), "{said}");
    assert!(!pages_of(&two).exists());
    // A file that is no file of pages is told by its name, and nothing is copied.
    let three = folder.path().join("three.db");
    std::fs::write(pages_of(&one), "not a database, and longer than the head of one".repeat(40))
        .expect("it is written");
    for tail in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(folder.path().join(format!("one.web.db{tail}")));
    }
    let said = refused(&one, &three).await;
    assert!(said.contains("one.web.db") && said.contains("move it away"), "{said}");
    assert!(!pages_of(&three).exists());
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn pages_move_to_a_server_and_back() {
    use crate::pg::testkit::{schema, servers};
    for server in servers("pages_move_to_a_server_and_back") {
        let at = schema(&server).await.expect("a schema");
        let folder = tempfile::tempdir().expect("a folder");
        let [one, two] = ["one.db", "two.db"].map(|name| folder.path().join(name));
        let river = url("https://a.example/river");
        let from = open(&one);
        let page = keep(&from, &river, "The river is 412 km long.", 1_000);
        let newer = keep(&from, &river, "The river is 415 km long.", 6_000);
        // Longer than an entry of an index.
        let long = url(&format!("https://a.example/{}", "way-to-the-sea/".repeat(250)));
        keep(&from, &long, "It is a long way.", 2_000);
        let on_server = Snapshots::on_server(&at).await.expect("it opens");
        // The server holds one of them already, and one of its own.
        keep(&on_server, &river, "The river is 412 km long.", 4_000);
        let own = keep(&on_server, &url("https://a.example/sea"), "The sea is wide.", 9_000);
        let there = copy(house(&one), House::Server(at.clone()), NOW).await.expect("it moves");
        assert_eq!(rows(&there, "snapshots"), 3);
        assert_eq!(on_server.volume().expect("counted").pages, 4);
        let source = &page.document.source;
        let kept = opened(&on_server, source).expect("it is there");
        assert_eq!(
            (kept.page.document.text, kept.retrieved_at),
            (page.document.text.clone(), Timestamp(4_000))
        );
        let source = &newer.document.source;
        assert_eq!(opened(&on_server, source), opened(&from, source));
        assert!(on_server.latest(&long, Timestamp(0)).expect("read").is_some());
        let back = copy(House::Server(at.clone()), house(&two), NOW).await.expect("it moves back");
        assert_eq!(rows(&back, "snapshots"), 4);
        let again = open(&two);
        for source in [&page.document.source, source, &own.document.source] {
            let kept = opened(&again, source).expect("it is there");
            assert_eq!(Some(kept), opened(&on_server, source));
            let body = |pages: &Snapshots| pages.body(&source.id, &source.content_hash);
            assert_eq!(body(&again), body(&on_server));
        }
        // Another server gets the same, by the same hashes.
        let other = schema(&server).await.expect("a schema");
        let far = copy(House::Server(at), House::Server(other.clone()), NOW).await;
        assert_eq!(far.expect("it moves on"), back);
        let far = Snapshots::on_server(&other).await.expect("it opens");
        assert_eq!(far.volume().expect("counted").pages, 4);
        assert_eq!(opened(&far, source), opened(&again, source));
    }
}
