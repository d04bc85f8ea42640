//! The contract of the [`Memos`] port, as checks that every adapter passes.

use crate::bank::Caller;
use crate::graph::{Direction, Memo, Relation, Walls};
use crate::id::{MemoId, Timestamp};
use crate::port::{MemoFailure, MemoFilter, Memos, Reach};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Two tenants that must not see each other.
const OURS: &str = "ours";
const THEIRS: &str = "theirs";

/// Checks everything that [`Memos`] promises. `make` gives an empty graph each time; where the tenant is not the
/// caller's to say, the adapter under test maps `ours` and `theirs` to two of its own.
#[expect(clippy::print_stdout, reason = "a conformance suite says what it checked")]
pub async fn memos_suite<M: Memos>(name: &str, make: impl Fn() -> M) {
    let mut checks = Checks { name: name.to_owned(), done: 0 };
    keeps_memos(&mut checks, &make()).await;
    searches(&mut checks, &make()).await;
    namespaces(&mut checks, &make()).await;
    walls(&mut checks, &make()).await;
    relates(&mut checks, &make()).await;
    walks(&mut checks, &make()).await;
    refuses(&mut checks, &make()).await;
    tenants(&mut checks, &make()).await;
    holds_anything(&mut checks, &make()).await;
    println!("memos_suite[{name}]: ok ({} checks)", checks.done);
}

struct Checks {
    name: String,
    done: u32,
}

impl Checks {
    fn that(&mut self, holds: bool, what: &str) {
        assert!(holds, "memos_suite[{}]: broken promise: {what}", self.name);
        self.done += 1;
    }

    fn ok<T>(&mut self, result: Result<T, MemoFailure>, what: &str) -> T {
        match result {
            Ok(value) => {
                self.done += 1;
                value
            }
            Err(error) => {
                unreachable!("memos_suite[{}]: broken promise: {what}: {error}", self.name)
            }
        }
    }

    fn refused<T: Debug>(&mut self, result: Result<T, MemoFailure>, what: &str) {
        match result {
            Err(MemoFailure::Refused { attempted, cause, way_out }) => self.that(
                !attempted.is_empty() && !cause.is_empty() && !way_out.is_empty(),
                &format!("{what}: a refusal says what, why and the way out"),
            ),
            other => {
                unreachable!("memos_suite[{}]: {what} is refused, not: {other:?}", self.name)
            }
        }
    }

    fn unknown<T: Debug>(&mut self, result: Result<T, MemoFailure>, id: &str, what: &str) {
        let known = MemoFailure::Unknown(id.into());
        match result {
            Err(error) if error == known => self.done += 1,
            other => unreachable!("memos_suite[{}]: {what} is Unknown, not: {other:?}", self.name),
        }
    }
}

fn memo(id: &str, namespace: &str, content: &str, at: i64) -> Memo {
    Memo {
        id: id.into(),
        namespace: namespace.to_owned(),
        title: format!("Note {id}"),
        content: content.to_owned(),
        metadata: BTreeMap::from([("n".to_owned(), serde_json::json!({"x": [1, null, "ä"]}))]),
        tags: vec!["all".to_owned(), id.to_owned()],
        created_at: Timestamp(at),
        updated_at: Timestamp(at),
    }
}

fn relation(source: &str, target: &str, tag: &str, weight: f64) -> Relation {
    Relation {
        namespace: "n".to_owned(),
        source: source.into(),
        target: target.into(),
        tag: tag.to_owned(),
        weight,
        reason: Some("because".to_owned()),
        created_at: Timestamp(5),
        times: 1,
    }
}

fn filter(namespace: &str, tag: Option<&str>, limit: usize) -> MemoFilter {
    MemoFilter { namespace: namespace.to_owned(), tag: tag.map(str::to_owned), limit, walls: None }
}

fn ids(memos: &[Memo]) -> Vec<&str> {
    memos.iter().map(|memo| memo.id.as_str()).collect()
}

async fn keeps_memos<M: Memos>(checks: &mut Checks, memos: &M) {
    let all = [
        memo("a", "n", "The pump in hall two was replaced in March.", 1),
        memo("b", "n", "Hall two has a new roof.", 2),
        memo("c", "n", "Nothing else changed.", 3),
    ];
    for one in &all {
        checks.ok(memos.save(OURS, one).await, "a memo can be saved");
    }
    let asked: Vec<MemoId> = ["c", "gone", "a"].map(MemoId::from).to_vec();
    let got = checks.ok(memos.get(OURS, "n", &asked).await, "memos can be read");
    checks.that(
        got == [all[2].clone(), all[0].clone()],
        "memos come back as they were, in the order asked, those that there are",
    );
    let listed = checks.ok(memos.list(OURS, &filter("n", None, 0)).await, "memos can be listed");
    checks.that(ids(&listed) == ["c", "b", "a"], "the newest first");
    let listed = checks.ok(memos.list(OURS, &filter("n", None, 2)).await, "a limit can be set");
    checks.that(ids(&listed) == ["c", "b"], "a limit bounds a listing");
    let listed = checks.ok(memos.list(OURS, &filter("n", Some("b"), 0)).await, "a tag can be set");
    checks.that(ids(&listed) == ["b"], "only those with the tag");
    let mut changed = memo("a", "n", "The pump was sold.", 9);
    changed.tags.clear();
    checks.ok(memos.save(OURS, &changed).await, "a memo can be saved again");
    let got = checks.ok(memos.get(OURS, "n", &["a".into()]).await, "it can be read again");
    changed.created_at = Timestamp(1);
    checks.that(got == [changed], "the last save holds, the time of the first one stays");
    let found = checks.ok(
        memos.search(OURS, "replaced in March", &filter("n", None, 0)).await,
        "it can be searched again",
    );
    checks.that(
        found.iter().all(|hit| hit.memo.content != all[0].content),
        "what a memo said before is not found any more",
    );
    checks.ok(memos.delete(OURS, "n", &"a".into()).await, "a memo can be deleted");
    let got = checks.ok(memos.get(OURS, "n", &["a".into()]).await, "what is gone can be asked for");
    checks.that(got.is_empty(), "a deleted memo is gone");
    checks.unknown(memos.delete(OURS, "n", &"a".into()).await, "a", "deleting it twice");
}

async fn searches<M: Memos>(checks: &mut Checks, memos: &M) {
    let texts = [
        ("a", "The ferry to the island leaves at seven."),
        ("b", "The ferry was cancelled because of the storm."),
        ("c", "Tomatoes need water twice a week."),
    ];
    for (id, text) in texts {
        checks.ok(memos.save(OURS, &memo(id, "n", text, 1)).await, "a memo can be saved");
    }
    let hits = checks.ok(
        memos.search(OURS, "Why was the ferry cancelled?", &filter("n", None, 2)).await,
        "memos can be searched",
    );
    checks.that(hits[0].memo.id.as_str() == "b", "the best fit comes first");
    checks.that(hits.len() <= 2, "a limit bounds a search");
    checks.that(hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score)), "scores are from 0 to 1");
    checks.that(hits.windows(2).all(|two| two[0].score >= two[1].score), "scores fall");
    let own = checks.ok(
        memos.search(OURS, texts[2].1, &filter("n", Some("c"), 0)).await,
        "a memo's own words can be searched",
    );
    checks.that(own.len() == 1 && own[0].score > 0.7, "a memo's own words score high");
    let again = checks.ok(
        memos.search(OURS, "Why was the ferry cancelled?", &filter("n", None, 2)).await,
        "a search can be made again",
    );
    checks.that(again == hits, "the same search gives the same");
    for odd in ["AND OR NOT", "\"", "title:ferry*", "?!", "NEAR(ferry, 2)", "' OR 1=1; --", "\u{0}"]
    {
        checks
            .ok(memos.search(OURS, odd, &filter("n", None, 0)).await, "any words can be searched");
    }
    let none =
        checks.ok(memos.search(OURS, "?!", &filter("n", None, 0)).await, "marks are a query");
    checks.that(none.is_empty(), "a query without a word finds nothing");
    checks.refused(memos.search(OURS, "  ", &filter("n", None, 0)).await, "an empty query");
}

async fn namespaces<M: Memos>(checks: &mut Checks, memos: &M) {
    for namespace in ["n", "n/below", "n/below/it", "nx", "m"] {
        let one = memo("same", namespace, "The same id in many places.", 1);
        checks.ok(memos.save(OURS, &one).await, "an id may be in many namespaces");
    }
    let count = |memos: Vec<Memo>| memos.len();
    for (namespace, wanted) in [("n", 3), ("n/below", 2), ("nx", 1), ("", 5), ("n/b", 0)] {
        let listed = memos.list(OURS, &filter(namespace, None, 0)).await;
        let listed = checks.ok(listed, "a namespace can be listed");
        checks.that(count(listed) == wanted, &format!("{namespace:?} holds {wanted} with below"));
        let found = memos.search(OURS, "same id", &filter(namespace, None, 0)).await;
        let found = checks.ok(found, "a namespace can be searched");
        checks.that(found.len() == wanted, &format!("{wanted} are found in {namespace:?}"));
    }
    checks.ok(memos.delete(OURS, "n", &"same".into()).await, "one can be deleted");
    let left = checks.ok(memos.list(OURS, &filter("", None, 0)).await, "all can be listed");
    checks.that(left.len() == 4, "the others stay");
}

/// Several projects share a tenant, and each finds its own.
async fn walls<M: Memos>(checks: &mut Checks, memos: &M) {
    let all = ["default", "project/quay", "project/quay/x", "project/quays", "project/harbour"];
    for namespace in all.into_iter().chain(["team/docks", "team/cranes", "org/port"]) {
        for id in ["a", "b"] {
            let one = memo(id, namespace, "The same words in many places.", 1);
            checks.ok(memos.save(OURS, &one).await, "a memo may be in any namespace");
        }
        let related = Relation { namespace: namespace.to_owned(), ..relation("a", "b", "t", 0.5) };
        checks.ok(memos.relate(OURS, &related).await, "so may a relation");
    }
    let home = Caller { team: Some("docks".to_owned()), ..Caller::local("harbour") };
    let quay = Caller { org: Some("port".to_owned()), ..Caller::local("quay") };
    let both: [(&Caller, &[&str]); 2] = [
        (&home, &["default", "project/harbour", "team/docks"]),
        (&quay, &["org/port", "project/quay", "project/quay/x"]),
    ];
    for (caller, own) in both {
        let within = |namespace: &str, limit: usize| MemoFilter {
            namespace: namespace.to_owned(),
            tag: None,
            limit,
            walls: Some(Walls::of(caller, &home)),
        };
        let whose = |mut found: Vec<String>| {
            found.sort();
            found.dedup();
            found
        };
        let listed = checks.ok(memos.list(OURS, &within("", 0)).await, "walls may be set");
        checks.that(listed.len() == 2 * own.len(), "nothing else is listed");
        let listed = whose(listed.into_iter().map(|memo| memo.namespace).collect());
        checks.that(listed == own, "what lies within walls is listed");
        let found = checks.ok(memos.search(OURS, "words", &within("", 0)).await, "and found");
        let found = whose(found.into_iter().map(|hit| hit.memo.namespace).collect());
        checks.that(found == own, "nothing else is found");
        let edges = checks.ok(memos.relations(OURS, &within("", 0)).await, "and related");
        let edges = whose(edges.into_iter().map(|edge| edge.namespace).collect());
        checks.that(edges == own, "nothing else is related");
        let few = checks.ok(memos.list(OURS, &within("", 3)).await, "a bound may be set too");
        checks.that(few.len() == 3, "what is beyond walls is not counted");
        let below = checks.ok(memos.list(OURS, &within("project", 0)).await, "so may a place");
        let below = whose(below.into_iter().map(|memo| memo.namespace).collect());
        let wanted: Vec<&str> =
            own.iter().copied().filter(|own| own.starts_with("project/")).collect();
        checks.that(below == wanted, "a place reaches no further than the walls");
    }
}

async fn relates<M: Memos>(checks: &mut Checks, memos: &M) {
    for id in ["a", "b", "c"] {
        checks.ok(memos.save(OURS, &memo(id, "n", "Something.", 1)).await, "a memo can be saved");
    }
    let first = relation("a", "b", "supports", 0.5);
    checks.ok(memos.relate(OURS, &first).await, "memos can be related");
    let mut later = relation("a", "b", "supports", 0.75);
    later.created_at = Timestamp(99);
    later.reason = Some("another".to_owned());
    checks.ok(memos.relate(OURS, &later).await, "they can be related again");
    checks.ok(memos.relate(OURS, &relation("a", "b", "conflicts", 0.1)).await, "and otherwise");
    checks.ok(memos.relate(OURS, &relation("b", "a", "supports", 1.0)).await, "and back");
    let all = checks
        .ok(memos.relations(OURS, &filter("n", None, 0)).await, "the relations can be listed");
    checks.that(all.len() == 3, "ends and tag tell relations apart");
    let held = all.iter().find(|one| one.key() == first.key());
    let wanted = Relation { created_at: Timestamp(5), times: 2, ..later };
    checks.that(held == Some(&wanted), "the last saying holds, the first time stays, both count");
    let tagged = memos.relations(OURS, &filter("n", Some("conflicts"), 0)).await;
    checks.that(checks_len(tagged) == Some(1), "only those with the tag");
    let bounded = memos.relations(OURS, &filter("n", None, 2)).await;
    checks.that(checks_len(bounded) == Some(2), "a limit bounds a listing");
    checks.unknown(memos.relate(OURS, &relation("a", "x", "t", 0.1)).await, "x", "no target");
    checks.unknown(memos.relate(OURS, &relation("x", "a", "t", 0.1)).await, "x", "no source");
    checks.ok(
        memos.unrelate(OURS, &relation("b", "a", "supports", 0.0)).await,
        "one can be taken back",
    );
    checks.ok(
        memos.unrelate(OURS, &relation("b", "a", "supports", 0.0)).await,
        "taking it back twice is no error",
    );
    checks.ok(memos.delete(OURS, "n", &"b".into()).await, "an end can be deleted");
    let none = memos.relations(OURS, &filter("n", None, 0)).await;
    checks.that(checks_len(none) == Some(0), "relations go with their memos");
}

fn checks_len(relations: Result<Vec<Relation>, MemoFailure>) -> Option<usize> {
    relations.ok().map(|all| all.len())
}

async fn walks<M: Memos>(checks: &mut Checks, memos: &M) {
    for id in ["p", "a", "b", "c", "x"] {
        checks.ok(memos.save(OURS, &memo(id, "n", "Something.", 1)).await, "a memo can be saved");
    }
    let edges = [
        relation("p", "a", "supports", 0.5),
        relation("a", "b", "supports", 0.9),
        relation("b", "c", "explains", 0.9),
        relation("x", "p", "conflicts", 0.4),
    ];
    for edge in &edges {
        checks.ok(memos.relate(OURS, edge).await, "memos can be related");
    }
    let reach = |depth, direction, tag: Option<&str>, limit| Reach {
        namespace: "n".to_owned(),
        start: "p".into(),
        depth,
        direction,
        tag: tag.map(str::to_owned),
        limit,
    };
    for (reach, wanted) in [
        (reach(1, Direction::Both, None, 80), vec![3, 0]),
        (reach(2, Direction::Forward, None, 80), vec![0, 1]),
        (reach(10, Direction::Both, None, 80), vec![3, 0, 1, 2]),
        (reach(10, Direction::Backward, None, 80), vec![3]),
        (reach(10, Direction::Both, Some("supports"), 80), vec![0, 1]),
        (reach(10, Direction::Both, None, 3), vec![3, 0, 1]),
    ] {
        let found = checks.ok(memos.around(OURS, &reach).await, "the graph can be walked");
        let wanted: Vec<Relation> = wanted.into_iter().map(|at: usize| edges[at].clone()).collect();
        checks.that(found == wanted, &format!("{reach:?} gives the nearest first"));
    }
    let mut nobody = reach(2, Direction::Both, None, 80);
    nobody.start = "gone".into();
    checks.unknown(memos.around(OURS, &nobody).await, "gone", "a walk from nowhere");
    for bad in [
        reach(0, Direction::Both, None, 80),
        reach(11, Direction::Both, None, 80),
        reach(2, Direction::Both, None, 0),
        reach(2, Direction::Both, None, 1_001),
    ] {
        checks.refused(memos.around(OURS, &bad).await, "an endless walk");
    }
}

async fn refuses<M: Memos>(checks: &mut Checks, memos: &M) {
    for id in ["a", "b"] {
        checks.ok(memos.save(OURS, &memo(id, "n", "Something.", 1)).await, "a memo can be saved");
    }
    let big = memo("big", "n", &"x".repeat(10 << 20), 1);
    checks.refused(memos.save(OURS, &big).await, "a memo of 10 MB");
    checks.refused(memos.save(OURS, &memo("e", "n", " ", 1)).await, "an empty memo");
    checks.refused(memos.save(OURS, &memo("e", "", "x", 1)).await, "a memo without a namespace");
    checks.refused(
        memos.save(OURS, &memo("e", "n/", "x", 1)).await,
        "a namespace with an empty name",
    );
    for weight in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        checks.refused(memos.relate(OURS, &relation("a", "b", "t", weight)).await, "a bad weight");
    }
    checks.refused(memos.relate(OURS, &relation("a", "a", "t", 0.1)).await, "a circle of one");
    checks.refused(memos.relate(OURS, &relation("a", "b", "", 0.1)).await, "an empty tag");
    let long = "t".repeat(65);
    checks.refused(memos.relate(OURS, &relation("a", "b", &long, 0.1)).await, "a long tag");
    let left = checks.ok(memos.list(OURS, &filter("", None, 0)).await, "all can be listed");
    checks.that(left.len() == 2, "nothing refused leaves a memo");
    let none = memos.relations(OURS, &filter("", None, 0)).await;
    checks.that(checks_len(none) == Some(0), "nothing refused leaves a relation");
}

async fn tenants<M: Memos>(checks: &mut Checks, memos: &M) {
    for id in ["a", "b"] {
        let secret = memo(id, "n", "The harbour is closed on Sunday.", 1);
        checks.ok(memos.save(THEIRS, &secret).await, "the other tenant can save");
    }
    checks.ok(memos.relate(THEIRS, &relation("a", "b", "supports", 1.0)).await, "and relate");
    let all = filter("", None, 0);
    let listed = checks.ok(memos.list(OURS, &all).await, "a tenant can list");
    checks.that(listed.is_empty(), "no memo crosses");
    let found = checks.ok(memos.search(OURS, "harbour", &all).await, "a tenant can search");
    checks.that(found.is_empty(), "no hit crosses");
    checks.that(checks_len(memos.relations(OURS, &all).await) == Some(0), "no relation crosses");
    let got = checks.ok(memos.get(OURS, "n", &["a".into()]).await, "a tenant can ask");
    checks.that(got.is_empty(), "no id crosses");
    checks.unknown(memos.delete(OURS, "n", &"a".into()).await, "a", "deleting another's memo");
    checks.unknown(
        memos.relate(OURS, &relation("a", "b", "t", 0.1)).await,
        "a",
        "relating another's",
    );
    let own = memo("a", "n", "The harbour is open.", 1);
    checks.ok(memos.save(OURS, &own).await, "the same id may be had by both");
    checks.unknown(
        memos.relate(OURS, &relation("a", "b", "t", 0.1)).await,
        "b",
        "a relation across",
    );
    let reach = Reach {
        namespace: "n".to_owned(),
        start: "a".into(),
        depth: 5,
        direction: Direction::Both,
        tag: None,
        limit: 80,
    };
    checks.that(checks_len(memos.around(OURS, &reach).await) == Some(0), "no walk crosses");
    let alone = checks.ok(memos.search(OURS, "harbour", &all).await, "it can be searched");
    for n in 0..20 {
        let more = memo(&format!("m{n}"), "n", "harbour harbour", 1);
        checks.ok(memos.save(THEIRS, &more).await, "the other tenant can save more");
    }
    let still = checks.ok(memos.search(OURS, "harbour", &all).await, "it can be searched again");
    checks.that(still == alone, "no score crosses: what others keep changes nothing");
    checks.ok(memos.delete(OURS, "n", &"a".into()).await, "a tenant can delete its own");
    let theirs = checks.ok(memos.get(THEIRS, "n", &["a".into()]).await, "the other can ask");
    checks.that(theirs.len() == 1, "the other's memo stays");
    checks.that(checks_len(memos.relations(THEIRS, &all).await) == Some(1), "and its relations");
}

async fn holds_anything<M: Memos>(checks: &mut Checks, memos: &M) {
    let odd = "Ἔλεγχος 反駁 \u{1F600} \u{202E}\u{0}' OR 1=1; --\n\t\"quoted\" \\ %_*^";
    let mut one = memo("x ' \" OR 1", "a b/ç'--/%", odd, 1);
    odd.clone_into(&mut one.title);
    one.tags = vec!["'; DROP TABLE memos; --".to_owned(), "%".to_owned()];
    one.metadata.insert(odd.to_owned(), serde_json::json!(odd));
    let mut two = one.clone();
    two.id = "%".into();
    checks.ok(memos.save(OURS, &one).await, "any text can be kept");
    checks.ok(memos.save(OURS, &two).await, "any id can be kept");
    let got = checks.ok(memos.get(OURS, &one.namespace, &[one.id.clone()]).await, "it can be read");
    checks.that(got == [one.clone()], "odd memos come back as they were");
    let edge = Relation {
        namespace: one.namespace.clone(),
        reason: Some(odd.to_owned()),
        ..relation(one.id.as_str(), "%", "' OR ''='", 0.25)
    };
    checks.ok(memos.relate(OURS, &edge).await, "odd memos can be related");
    let all = filter(&one.namespace, None, 0);
    let held = checks.ok(memos.relations(OURS, &all).await, "odd relations can be listed");
    checks.that(held == [edge], "odd relations come back as they were");
    let none = memos.list(OURS, &filter("a b", Some("_"), 0)).await;
    checks.that(none.is_ok_and(|found| found.is_empty()), "a tag is no pattern");
    let found = checks.ok(memos.search(OURS, odd, &all).await, "odd words can be searched");
    checks.that(found.len() == 2, "odd words are found");
    let big = memo("big", "n", &"ä€\u{1F600}\"\\ ".repeat(86_000), 1);
    checks.that(big.content.len() > 1_000_000, "the big memo is big");
    checks.ok(memos.save(OURS, &big).await, "a memo of 1 MB can be kept");
    let got = checks.ok(memos.get(OURS, "n", &["big".into()]).await, "it can be read");
    checks.that(got == [big], "a big memo comes back as it was");
}
