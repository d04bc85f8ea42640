//! What goes wrong with a server, and what is said of it.

use super::world::{DIMENSIONS, caller, index, lot, nearest, points, settings, towards};
use crate::model::language::Secret;
use crate::vector_index::drift::{check, mend};
use crate::vector_index::testkit::{Fault, LoopbackQdrant};
use crate::vector_index::{Found, IndexFailure, Kind, Point, QdrantIndex, Trouble, VectorIndex};
use elenchus_core::bank::Caller;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn ann() -> Caller {
    caller("a", "ferry", None, None)
}

async fn search(index: &QdrantIndex) -> Result<Vec<Found>, IndexFailure> {
    index.nearest(&ann(), &Kind::Bank, &nearest(towards(0, 1.0), 5)).await
}

/// A peer with some points, and an index that knows it.
async fn filled() -> (LoopbackQdrant, QdrantIndex) {
    let peer = LoopbackQdrant::start().unwrap();
    let index = index(&peer);
    index.upsert(&lot("a"), &points(20)).await.unwrap();
    (peer, index)
}

/// The failure, which names the server and says what can be done, and no more than fits on a screen.
fn failed<T: std::fmt::Debug>(result: Result<T, IndexFailure>, trouble: Trouble, holds: &str) {
    let failure = result.unwrap_err();
    let text = failure.to_string();
    assert_eq!(failure.trouble, trouble, "{text}");
    assert!(text.contains(holds) && text.contains("; ") && text.len() < 700, "{text}");
}

#[tokio::test]
async fn what_passes_is_tried_again() {
    let (peer, index) = filled().await;
    let whole = search(&index).await.unwrap();
    for fault in [
        Fault::Status(429, None),
        Fault::Status(500, None),
        Fault::Status(503, Some(0)),
        Fault::Cut,
        Fault::Hangup,
    ] {
        peer.fail([fault.clone(), fault.clone()]);
        let asked = peer.asked().len();
        assert_eq!(search(&index).await, Ok(whole.clone()), "{fault:?}");
        assert_eq!(peer.asked().len() - asked, 3, "{fault:?}");
    }
    // A write whose answer was lost was done, and is done once more to no harm.
    peer.fail([Fault::Cut, Fault::Status(500, None)]);
    index.upsert(&lot("a"), &points(30)).await.unwrap();
    assert_eq!(index.size(&lot("a")).await, Ok(30));
    peer.fail([Fault::Cut, Fault::Hangup]);
    index.remove(&lot("a"), &["p001".to_owned()]).await.unwrap();
    assert_eq!(index.size(&lot("a")).await, Ok(29));
}

#[tokio::test]
async fn what_lasts_is_told_and_nothing_is_asked_for_ever() {
    let (peer, index) = filled().await;
    for (fault, holds) in [
        (Fault::Status(429, None), "it answered 429"),
        (Fault::Status(500, None), "the test wants it so"),
        (Fault::Cut, "it broke off"),
        (Fault::Hangup, "QDRANT_URL"),
    ] {
        peer.always(Some(fault.clone()));
        let asked = peer.asked().len();
        failed(search(&index).await, Trouble::Gone, holds);
        assert_eq!(peer.asked().len() - asked, 4, "{fault:?}");
        failed(index.count(&ann(), &Kind::Bank).await, Trouble::Gone, &peer.url());
        failed(index.upsert(&lot("a"), &points(2)).await, Trouble::Gone, "write vectors");
        failed(index.page(&lot("a"), None, 5).await, Trouble::Gone, "list the vectors");
    }
    // Longer than a caller waits is not waited for.
    peer.always(Some(Fault::Status(429, Some(3_600))));
    let (asked, begun) = (peer.asked().len(), Instant::now());
    failed(search(&index).await, Trouble::Gone, "429");
    assert!(peer.asked().len() - asked == 1 && begun.elapsed() < Duration::from_secs(2));
    peer.always(None);
    assert_eq!(search(&index).await.map(|found| found.len()), Ok(5), "and it is well again");
}

#[tokio::test]
async fn a_slow_server_is_waited_for_until_the_deadline() {
    let (peer, _) = filled().await;
    let mut patient = settings(&peer.url());
    patient.reading = Duration::from_millis(400);
    patient.tries = 8;
    let index = QdrantIndex::new(&patient).unwrap();
    index.prepare().await.unwrap();
    peer.fail([Fault::Slow(Duration::from_millis(60))]);
    assert!(search(&index).await.is_ok());
    peer.always(Some(Fault::Slow(Duration::from_secs(5))));
    let begun = Instant::now();
    failed(search(&index).await, Trouble::Gone, "no answer within 0.4 s");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_and_found_when_it_is_back() {
    let peer = LoopbackQdrant::start().unwrap();
    let url = peer.url();
    drop(peer);
    let index = QdrantIndex::new(&settings(&url)).unwrap();
    failed(search(&index).await, Trouble::Gone, &url);
    failed(index.upsert(&lot("a"), &points(1)).await, Trouble::Gone, "look at the collection");
}

#[tokio::test]
async fn keys_are_sent_and_never_shown() {
    let peer = LoopbackQdrant::start().unwrap();
    peer.lock("right-key-1", "reading-key-2");
    let with = |key: &str| {
        let mut settings = settings(&peer.url());
        settings.key = Secret::new(key);
        assert!(!format!("{settings:?}").contains("key-"), "{settings:?}");
        QdrantIndex::new(&settings).unwrap()
    };
    failed(search(&with("")).await, Trouble::Denied, "set QDRANT_API_KEY");
    let wrong = search(&with("wrong-key-3")).await;
    assert!(!format!("{wrong:?}").contains("key-3"));
    failed(wrong, Trouble::Denied, "Invalid API key");
    failed(search(&with("reading-key-2")).await, Trouble::Denied, "give a key that may");
    let index = with("right-key-1");
    index.upsert(&lot("a"), &points(3)).await.unwrap();
    assert!(!format!("{index:?} {}", index.name()).contains("key-1"));
    assert_eq!(peer.keys().last().unwrap().as_deref(), Some("right-key-1"));
    // Who may only read can search what others wrote.
    let reading = with("reading-key-2");
    assert_eq!(search(&reading).await.map(|found| found.len()), Ok(3));
    failed(reading.clear(&lot("a")).await, Trouble::Denied, "403");
    let asked = peer.asked().len();
    failed(search(&with("line\nbreak")).await, Trouble::Refused, "QDRANT_API_KEY");
    assert_eq!(peer.asked().len(), asked);
}

#[tokio::test]
async fn a_collection_of_another_shape_is_left_alone() {
    let peer = LoopbackQdrant::start().unwrap();
    let name = index(&peer).collection().to_owned();
    for (size, distance, several, holds) in [
        (DIMENSIONS + 1, "Cosine", true, "its vectors have 9 numbers and those of the embedder 8"),
        (DIMENSIONS, "Euclid", true, "it compares by Euclid"),
        (DIMENSIONS, "Cosine", false, "one vector each"),
    ] {
        peer.foreign_collection(&name, size, distance, several);
        failed(search(&index(&peer)).await, Trouble::Unfit, holds);
        failed(index(&peer).upsert(&lot("a"), &points(1)).await, Trouble::Unfit, "qdrant.prefix");
    }
    assert!(peer.tenants().is_empty());
    // One that changed its shape under an index that knew it.
    peer.wipe();
    let index = index(&peer);
    index.upsert(&lot("a"), &points(1)).await.unwrap();
    peer.foreign_collection(&name, DIMENSIONS + 2, "Cosine", true);
    failed(index.upsert(&lot("a"), &points(1)).await, Trouble::Unfit, "another length");
    peer.wipe();
    failed(search(&index).await, Trouble::Unfit, "elenchus index rebuild");
}

#[tokio::test]
async fn what_is_no_answer_of_qdrant_is_not_believed() {
    let (peer, index) = filled().await;
    for text in [
        "",
        "<html>hello</html>",
        "{\"result\":",
        "null",
        "{\"result\": null, \"status\": \"ok\"}",
        "{\"result\": {\"points\": [{\"id\": 1}]}}",
        "{\"result\": {\"points\": [{\"id\": \"x\", \"score\": 0.5, \"version\": 1, \"payload\": null}]}}",
        "{\"result\": {\"points\": [{\"id\": \"x\", \"score\": \"high\", \"version\": 1, \"payload\": {}}]}}",
        "{\"result\": {\"count\": -1}}",
    ] {
        peer.always(Some(Fault::Says(text.to_owned())));
        failed(search(&index).await, Trouble::Garbled, "not what Qdrant answers");
        failed(index.count(&ann(), &Kind::Bank).await, Trouble::Garbled, "Qdrant");
        failed(index.page(&lot("a"), None, 5).await, Trouble::Garbled, "Qdrant");
        failed(index.clear(&lot("a")).await, Trouble::Garbled, "Qdrant");
        let fresh = QdrantIndex::new(&settings(&peer.url())).unwrap();
        failed(fresh.prepare().await, Trouble::Garbled, "Qdrant");
    }
    // A write that is not done yet is not done.
    let later =
        "{\"result\": {\"operation_id\": 4, \"status\": \"acknowledged\"}, \"status\": \"ok\"}";
    peer.always(Some(Fault::Says(later.to_owned())));
    failed(index.upsert(&lot("a"), &points(1)).await, Trouble::Gone, "acknowledged");
    // Pages that never end.
    let round = "{\"result\": {\"points\": [], \"next_page_offset\": \"00000000-0000-8000-8000-000000000000\"}}";
    peer.always(Some(Fault::Says(round.to_owned())));
    failed(check(&index, &lot("a"), &BTreeMap::new()).await, Trouble::Garbled, "again and again");
}

#[tokio::test]
async fn what_was_not_asked_for_is_not_believed() {
    let (peer, index) = filled().await;
    peer.fail([Fault::Foreign]);
    failed(search(&index).await, Trouble::Garbled, "not asked for");
    peer.fail([Fault::Foreign]);
    failed(index.page(&lot("a"), None, 5).await, Trouble::Garbled, "not asked for");
    assert!(search(&index).await.is_ok());
}

#[tokio::test]
async fn a_redirect_is_followed_by_nobody() {
    let (peer, index) = filled().await;
    let other = LoopbackQdrant::start().unwrap();
    for to in [format!("{}/collections/x", other.url()), format!("{}/elsewhere", peer.url())] {
        peer.always(Some(Fault::Redirect(to)));
        assert!(search(&index).await.is_err_and(|failure| !failure.is_passing()));
        let fresh = QdrantIndex::new(&settings(&peer.url())).unwrap();
        failed(fresh.prepare().await, Trouble::Unfit, "redirect");
    }
    assert!(other.asked().is_empty());
}

#[test]
fn addresses_that_are_none_are_refused() {
    for url in [
        "",
        "qdrant",
        "ftp://a.example",
        "http://",
        "http://user:p4ss@a.example:6333",
        "http://a.example:6333/?x=1",
    ] {
        let failure = QdrantIndex::new(&settings(url)).unwrap_err();
        assert_eq!(failure.trouble, Trouble::Refused, "{failure}");
        assert!(failure.to_string().contains("QDRANT_URL"), "{failure}");
        assert!(!failure.to_string().contains("p4ss"), "{failure}");
    }
    let mut wrong = settings("http://127.0.0.1:6333");
    wrong.prefix = "a/../b".to_owned();
    assert!(QdrantIndex::new(&wrong).is_err());
    wrong.prefix = "a".to_owned();
    wrong.dimensions = 0;
    assert!(QdrantIndex::new(&wrong).is_err());
}

#[tokio::test]
async fn a_path_before_the_interface_is_kept_and_offline_is_offline() {
    let peer = LoopbackQdrant::start().unwrap();
    let index = QdrantIndex::new(&settings(&format!("{}/behind/", peer.url()))).unwrap();
    failed(search(&index).await, Trouble::Garbled, "6333");
    assert!(peer.asked()[0].starts_with("GET /behind/collections/elenchus_"));
    let mut offline = settings(&peer.url());
    offline.fetch.egress = crate::web::Egress::Offline;
    let asked = peer.asked().len();
    failed(search(&QdrantIndex::new(&offline).unwrap()).await, Trouble::Refused, "offline");
    assert_eq!(peer.asked().len(), asked);
}

#[tokio::test]
async fn what_a_server_lost_is_found_and_written_again() {
    let (peer, index) = filled().await;
    let store: BTreeMap<String, Point> =
        points(20).into_iter().map(|point| (point.id.clone(), point)).collect();
    let wanted = store.iter().map(|(id, point)| (id.clone(), point.print())).collect();
    assert!(check(&index, &lot("a"), &wanted).await.unwrap().is_none());
    assert!(peer.lose("a", "p003") && !peer.lose("b", "p004"));
    let drift = check(&index, &lot("a"), &wanted).await.unwrap();
    assert_eq!((drift.missing.as_slice(), drift.sound), (["p003".to_owned()].as_slice(), 19));
    let again = |ids: &[String]| {
        Ok::<_, IndexFailure>(ids.iter().filter_map(|id| store.get(id).cloned()).collect())
    };
    assert_eq!(
        mend(&index, &lot("a"), &drift, async |ids: &[String]| again(ids)).await,
        Ok((1, 0))
    );
    assert!(check(&index, &lot("a"), &wanted).await.unwrap().is_none());
}
