//! What people said of runs, and that it goes with them.

use super::{Checks, begun, run};
use crate::id::{RunId, Timestamp};
use crate::port::{Matter, Remark, Store, StoreFailure, holding, word};

pub(super) async fn keeps_remarks<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, _) = begun(checks, store, "run_a").await;
    begun(checks, store, "run_b").await;
    let (a, b) = (run("run_a"), run("run_b"));
    let said = |run: &RunId, about, target: &str, actor: &str, word, at| {
        Remark::new(run, about, target, actor, word, Timestamp(at))
    };
    let first = said(&a, Matter::Insight, "i1", "ann", Some("useful"), 200).noting("it's \u{e4} %");
    let other = said(&a, Matter::Insight, "i1", "ben", Some("saved"), 150);
    let basis = Remark {
        basis: Some("{\"claim\":\"x\"}".to_owned()),
        ..said(&b, Matter::Claim, "c1", "ann", Some("wrong"), 250)
    };
    let out = Remark::export(&a, "md", "ann", Timestamp(300));
    for remark in [&first, &other, &basis, &out] {
        checks.ok(store.remark(remark).await, "a remark is kept");
    }
    let all = checks.ok(store.remarks(None).await, "all remarks can be read");
    let expected = [other.clone(), first.clone(), basis.clone(), out.clone()];
    checks.that(all == expected, "remarks come back as they were, in the order of time");
    let of_b = checks.ok(store.remarks(Some(&b)).await, "remarks of a run can be read");
    checks.that(of_b == [basis], "remarks of a run are its own");
    let last = said(&a, Matter::Insight, "i1", "ann", Some("not-useful"), 400);
    checks.ok(store.remark(&last).await, "an actor may say something else");
    let held = holding(checks.ok(store.remarks(Some(&a)).await, "remarks can be read again"));
    checks.that(
        word(&held, &a, Matter::Insight, "i1") == Some("not-useful") && held.len() == 3,
        "the last word of an actor stands in the place of the one before",
    );
    let back = said(&a, Matter::Insight, "i1", "ann", None, 500);
    checks.ok(store.remark(&back).await, "a word can be taken back");
    let kept = checks.ok(store.remarks(Some(&a)).await, "remarks can be read then");
    checks.that(kept.contains(&back) && !kept.contains(&last), "that it was taken back is kept");
    checks.that(
        word(&holding(kept), &a, Matter::Insight, "i1") == Some("saved"),
        "the word of another stands",
    );
    let nobody = run("run_nobody");
    checks.refused(
        store.remark(&said(&nobody, Matter::Answer, "", "ann", Some("useful"), 1)).await,
        |error| *error == StoreFailure::UnknownRun(nobody.clone()),
        "nothing is kept of a run that is not there",
    );
    let none = checks.ok(store.remarks(Some(&nobody)).await, "an unknown run can be asked for");
    checks.that(none.is_empty(), "a run that is not there has no remarks");
    checks.ok(store.release(&lease).await, "a lease can be given back");
    checks.ok(store.delete(&a, Timestamp(600)).await, "a run with remarks can be deleted");
    let left = checks.ok(store.remarks(None).await, "remarks can be read after that");
    checks.that(left.iter().all(|one| one.run_id == b), "remarks go with their run");
}
