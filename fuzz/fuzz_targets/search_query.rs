//! Any query of a small index: nothing in it is an operator, and only one without a word is refused.
#![no_main]

use elenchus_core::port::{PortFuture, RetrieveFailure, Retriever, SearchReply, SearchRequest};
use elenchus_io::ingest::{Format, ingest};
use elenchus_io::retrieve::Corpus;
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let corpus = Corpus::in_memory(Path::new("."), None).expect("an index in memory");
        let read = |path: &str, text: &str| {
            ingest(Format::Markdown, path, text.as_bytes().to_vec(), &[]).expect("it is Markdown")
        };
        let documents = vec![
            read(
                "pier.md",
                "# North pier\n\nThe winch of the north pier lifts 40 boats, or NEAR enough.",
            ),
            read("ice.md", "# Ice\n\nAn ice-breaker came AND went in 1962 (not \"late\")."),
        ];
        corpus.add(documents).expect("they fit");
        corpus
    })
}

/// Searching here is ready at once.
fn now(
    mut future: PortFuture<'_, Result<SearchReply, RetrieveFailure>>,
) -> Result<SearchReply, RetrieveFailure> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(found) => found,
        Poll::Pending => panic!("it waits for something"),
    }
}

fuzz_target!(|input: (&str, u8, bool)| {
    let (query, limit, expand) = input;
    let request = SearchRequest {
        query: query.to_owned(),
        limit: u16::from(limit),
        per_source: 0,
        per_author: 0,
        expand,
        filter: Default::default(),
        outward: false,
    };
    match now(corpus().search(&request)) {
        Ok(found) => {
            assert!(found.hits.len() <= usize::from(limit));
            assert!(found.hits.iter().all(|hit| hit.score.is_finite()));
        }
        Err(RetrieveFailure::EmptyQuery { .. }) => {}
        Err(error) => panic!("{query:?}: {error}"),
    }
});
