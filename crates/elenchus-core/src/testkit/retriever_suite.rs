//! The contract of the [`Retriever`] port, as checks that every adapter passes.

use crate::id::PassageId;
use crate::port::{Hit, RetrieveFailure, Retriever, SearchFilter, SearchReply, SearchRequest};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What the retriever under test can find, and nothing else: a word of each path, and Markdown.
pub const RETRIEVED: [(&str, &str); 3] = [
    (
        "tides",
        "# Tides of Korsund\n\nThe spring tide at Korsund rises four metres.\n\nThe neap tide rises two metres.",
    ),
    ("pilots", "# Pilots\n\nA pilot of Korsund is paid by the tide."),
    ("lamps", "# Lamps\n\nThe lamp of the mole burns all night."),
];

/// Checks everything that [`Retriever`] promises, of one that finds the documents of [`RETRIEVED`]. Searches may go out, for an adapter
/// that has to.
#[expect(clippy::print_stdout, reason = "a conformance suite says what it checked")]
pub async fn retriever_suite<R: Retriever + ?Sized>(name: &str, retriever: &R) {
    let mut checks = Checks { name: name.to_owned(), done: 0 };
    finds(&mut checks, retriever).await;
    keeps_to_limits(&mut checks, retriever).await;
    filters(&mut checks, retriever).await;
    takes_any_text(&mut checks, retriever).await;
    reads(&mut checks, retriever).await;
    let (one, other) = (retriever.overview(), retriever.overview());
    checks.that(!one.name.is_empty() && one == other, "what there is has a name and stays");
    println!("retriever_suite[{name}]: ok ({} checks)", checks.done);
}

struct Checks {
    name: String,
    done: u32,
}

impl Checks {
    fn that(&mut self, holds: bool, what: &str) {
        assert!(holds, "retriever_suite[{}]: broken promise: {what}", self.name);
        self.done += 1;
    }

    fn ok<T>(&mut self, result: Result<T, RetrieveFailure>, what: &str) -> T {
        match result {
            Ok(value) => {
                self.done += 1;
                value
            }
            Err(error) => {
                unreachable!("retriever_suite[{}]: broken promise: {what}: {error}", self.name)
            }
        }
    }

    fn fails<T: Debug>(
        &mut self,
        result: Result<T, RetrieveFailure>,
        with: &RetrieveFailure,
        what: &str,
    ) {
        // A page may come to be kept where it is looked for yet, so that it may be said to be missed for now.
        let is_missed = |error: &RetrieveFailure| match (error, with) {
            (RetrieveFailure::Index { attempted, .. }, RetrieveFailure::UnknownPassage(id)) => {
                attempted.contains(&id.0)
            }
            _ => error == with,
        };
        match result {
            Err(error) if is_missed(&error) => self.done += 1,
            other => unreachable!("retriever_suite[{}]: {what}, not: {other:?}", self.name),
        }
    }
}

fn request(query: &str) -> SearchRequest {
    SearchRequest { query: query.to_owned(), limit: 10, outward: true, ..SearchRequest::default() }
}

fn is_of(hit: &Hit, document: &str) -> bool {
    hit.path.contains(document)
}

/// Best first, ties by passage id.
fn is_in_order(hits: &[Hit]) -> bool {
    hits.windows(2).all(|pair| {
        pair[0].score > pair[1].score
            || (pair[0].score >= pair[1].score && pair[0].passage_id < pair[1].passage_id)
    })
}

async fn finds<R: Retriever + ?Sized>(checks: &mut Checks, retriever: &R) {
    let asked = request("How high does the spring tide rise?");
    let reply: SearchReply =
        checks.ok(retriever.search(&asked).await, "a question can be searched");
    checks.that(
        reply.hits.iter().take(2).any(|hit| is_of(hit, "tides")),
        "what the question is about comes early",
    );
    checks.that(is_in_order(&reply.hits), "the best come first, ties by passage id");
    for hit in &reply.hits {
        checks.that(
            (0.0..=1.0).contains(&hit.score)
                && (0.0..=1.0).contains(&hit.lexical)
                && (-1.0..=1.0).contains(&hit.dense),
            "scores stay within their ranges",
        );
        checks.that(
            RETRIEVED.iter().any(|(document, _)| is_of(hit, document)) && !hit.title.is_empty(),
            "a hit names a document that there is",
        );
    }
    let spring = reply.terms.iter().find(|term| term.term == "spring");
    checks.that(spring.is_some_and(|term| term.passages == 1), "words are counted");
    let again = checks.ok(retriever.search(&asked).await, "a search may be repeated");
    checks.that(again.hits == reply.hits, "the same search finds the same");
    let strange = checks.ok(
        retriever.search(&request("qwertz xylophonic")).await,
        "words that stand nowhere are no error",
    );
    checks.that(
        strange.terms.iter().all(|term| term.passages == 0),
        "words that stand nowhere are counted so",
    );
}

async fn keeps_to_limits<R: Retriever + ?Sized>(checks: &mut Checks, retriever: &R) {
    let asked = request("tide of Korsund");
    let all = checks.ok(retriever.search(&asked).await, "a search without caps").hits;
    checks.that(all.len() >= 2, "two documents speak of it");
    let one = SearchRequest { limit: 1, ..asked.clone() };
    let one = checks.ok(retriever.search(&one).await, "a limit can be set").hits;
    checks.that(one == all[..1], "a limit leaves the best");
    let none = SearchRequest { limit: 0, ..asked.clone() };
    let none = checks.ok(retriever.search(&none).await, "a limit may be nought").hits;
    checks.that(none.is_empty(), "a limit of nought leaves nothing");
    let capped = SearchRequest { per_source: 1, ..asked };
    let capped = checks.ok(retriever.search(&capped).await, "a cap can be set").hits;
    let mut by_source: BTreeMap<&str, usize> = BTreeMap::new();
    for hit in &capped {
        *by_source.entry(hit.source_id.as_str()).or_default() += 1;
    }
    checks.that(by_source.len() >= 2, "a cap keeps the other documents");
    checks.that(by_source.values().all(|hits| *hits == 1), "a cap counts by document");
}

async fn filters<R: Retriever + ?Sized>(checks: &mut Checks, retriever: &R) {
    let asked = request("tide of Korsund");
    let filter = SearchFilter { exclude: vec!["TIDES".to_owned()], only: Vec::new() };
    let without = SearchRequest { filter, ..asked.clone() };
    let hits = checks.ok(retriever.search(&without).await, "documents can be left out").hits;
    checks.that(
        !hits.is_empty() && hits.iter().all(|hit| !is_of(hit, "tides")),
        "what is left out is not found, and the rest is",
    );
    let filter = SearchFilter { exclude: Vec::new(), only: vec!["pilots".to_owned()] };
    let only = SearchRequest { filter, ..asked };
    let hits = checks.ok(retriever.search(&only).await, "documents can be named").hits;
    checks.that(
        !hits.is_empty() && hits.iter().all(|hit| is_of(hit, "pilots")),
        "only what is named is found",
    );
}

async fn takes_any_text<R: Retriever + ?Sized>(checks: &mut Checks, retriever: &R) {
    for operators in
        ["\"tide\" AND NOT (Korsund OR", "tide* NEAR/3 title:tide", "tide'; --", "ti\u{0}de"]
    {
        checks.ok(retriever.search(&request(operators)).await, "operators have no meaning");
    }
    for empty in ["", "  ", "?! ..."] {
        let query = empty.to_owned();
        checks.fails(
            retriever.search(&request(empty)).await,
            &RetrieveFailure::EmptyQuery { query },
            "a query without a word is told as that",
        );
    }
}

async fn reads<R: Retriever + ?Sized>(checks: &mut Checks, retriever: &R) {
    let found = checks.ok(retriever.search(&request("tide of Korsund")).await, "a search").hits;
    let mut ids: Vec<PassageId> = found.iter().map(|hit| hit.passage_id.clone()).collect();
    ids.reverse();
    let read = checks.ok(retriever.read(&ids).await, "what was found can be read");
    checks.that(
        read.iter().map(|read| &read.passage.id).eq(&ids),
        "passages come in the order asked for",
    );
    for (read, hit) in read.iter().zip(found.iter().rev()) {
        checks.that(
            read.source.id == hit.source_id && read.source.path == hit.path,
            "a passage comes with the document of its hit",
        );
        checks.that(
            read.passage.source_id == hit.source_id && !read.passage.text.trim().is_empty(),
            "a passage has its words",
        );
    }
    let twice = [ids[0].clone(), ids[0].clone()];
    let both = checks.ok(retriever.read(&twice).await, "a passage can be asked for twice");
    checks.that(both.len() == 2 && both[0] == both[1], "asked for twice it comes twice");
    let none = checks.ok(retriever.read(&[]).await, "nothing can be read");
    checks.that(none.is_empty(), "nothing is read of nothing");
    for gone in ["gone.md#0", "no passage at all"] {
        let gone = PassageId(gone.to_owned());
        let mixed = [ids[0].clone(), gone.clone()];
        checks.fails(
            retriever.read(&mixed).await,
            &RetrieveFailure::UnknownPassage(gone),
            "a read with an unknown passage fails as a whole and names it",
        );
    }
}
