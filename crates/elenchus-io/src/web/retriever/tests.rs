use super::*;
use crate::clock::SystemClock;
use crate::web::page::{Hints, RawPage, read};
use crate::web::snapshots::Snapshot;
use crate::web::{FetchSettings, Voucher};
use elenchus_core::id::Timestamp;
use elenchus_core::testkit::block_on;

/// The web as a process of a run sees it that has asked nobody yet.
fn retriever(snapshots: &Arc<Snapshots>) -> WebRetriever {
    let fetcher = Fetcher::new(FetchSettings::default()).expect("it is made");
    let snapshots = Arc::clone(snapshots);
    WebRetriever::new(WebSettings::default(), fetcher, snapshots, None, Arc::new(SystemClock))
        .expect("it is made")
}

fn pages_of_nobody() -> Arc<Snapshots> {
    Arc::new(Snapshots::in_memory().expect("it opens"))
}

/// Keeps a page; gives its source and its first passage.
fn kept(snapshots: &Snapshots, number: usize) -> (SourceId, PassageId) {
    let url = Url::parse(&format!("https://a.example/river/{number}")).expect("an address");
    let body = format!("<html><body><p>The river {number} is 412 km long.</p></body></html>");
    let page = read(RawPage {
        url: &url,
        requested: &url,
        content_type: Some("text/html"),
        last_modified: None,
        link: None,
        body: body.as_bytes(),
        retrieved_at: Timestamp(1_000),
        via: &Voucher::User,
        hints: Hints::default(),
    })
    .expect("it is read");
    let snapshot = Snapshot {
        requested: &url,
        url: &url,
        content_type: Some("text/html"),
        headers: &[],
        body: body.as_bytes(),
        only_if_allowed: false,
        page: &page,
    };
    snapshots.put(&snapshot).expect("it is kept");
    (page.document.source.id, page.document.passages[0].id.clone())
}

#[test]
fn a_page_that_another_machine_keeps_is_worth_another_try() {
    let (here, there) = (pages_of_nobody(), pages_of_nobody());
    let (source, passage) = kept(&there, 1);
    let (_, other) = kept(&here, 2);
    let web = retriever(&here);
    assert_eq!(web.restore(std::slice::from_ref(&source)).expect("it is looked for"), 1);
    let read = || block_on(web.read(std::slice::from_ref(&passage)));
    let Err(RetrieveFailure::Index { cause, .. }) = read() else { unreachable!("{:?}", read()) };
    assert!(cause.contains("another machine has fetched it"), "{cause}");
    // What another process of this machine has read meanwhile is there.
    assert_eq!(block_on(web.read(std::slice::from_ref(&other))).expect("it is kept").len(), 1);
    kept(&here, 1);
    assert_eq!(read().expect("it is kept by now").len(), 1);
    // However often it was looked for, it is one page of those that the run may read.
    assert_eq!(web.restore(&[source]).expect("it is there"), 0);
    assert_eq!(web.state().claimed, 2);
}

/// Before a run begins, documents that earlier runs have read are looked for among its pages too.
#[test]
fn what_no_page_of_the_run_holds_is_unknown_and_begins_nothing() {
    let web = retriever(&pages_of_nobody());
    let (_, passage) = kept(&pages_of_nobody(), 1);
    let read = block_on(web.read(std::slice::from_ref(&passage)));
    assert_eq!(read, Err(RetrieveFailure::UnknownPassage(passage)));
    assert!(!web.state().begun, "the pages that the user named are still to be read");
    assert_eq!(web.state().claimed, 0);
}

#[test]
fn only_phrases_of_the_program_are_kept_from_a_service() {
    for of_the_user in [
        "\"iron gate\" bridge",
        "Did \"Iron Gate\" inspire the band \"Orlanda\"?",
        "12\" vs 15\" vs 17\" monitor",
    ] {
        assert_eq!(for_services(of_the_user), of_the_user);
    }
    let sought = "gate iron \"gate is iron\" \"our iron gate\" \"gate iron\"~4";
    assert_eq!(for_services(sought), "gate iron");
    assert_eq!(for_services("\"iron gate\"~4"), "iron gate");
    assert_eq!(for_services("bridge \"iron gate\"~4 \"the gate\""), "bridge iron gate");
}
