//! Controls that one process leaves for the process that drives a run.

use super::{Checks, LEASE_MS, begun, control, record, run};
use crate::id::{RunId, Timestamp};
use crate::port::{DURABLE, LeftControl, Store, StoreFailure};

/// What was left for a run and is not taken.
async fn left<S: Store>(checks: &mut Checks, store: &S, run_id: &RunId) -> Vec<LeftControl> {
    checks.ok(store.left_controls(run_id).await, "what was left can be read")
}

pub(super) async fn controls_are_left<S: Store>(checks: &mut Checks, store: &S) {
    let (lease, first) = begun(checks, store, "run_told").await;
    let (other, _) = begun(checks, store, "run_beside").await;
    let run_id = lease.run_id.clone();
    let found = left(checks, store, &run_id).await;
    checks.that(found.is_empty(), "nothing is left at first");
    let nobody = run("run_nobody");
    checks.refused(
        store.leave_control(&nobody, "{}", "b", Timestamp(150)).await,
        |error| matches!(error, StoreFailure::UnknownRun(_)),
        "nothing is left for an unknown run",
    );
    let found = left(checks, store, &nobody).await;
    checks.that(found.is_empty(), "nor anything to be read of it");
    let odd = "{\"a\":\"\u{e4} ' \u{1F600} \u{FDD0}0\u{FDD0}1 \\\\ \\n\"}";
    let mut numbers = Vec::new();
    for (json, by, at) in [("1", "b", 150), (odd, "c ' \u{1F600}", 149), ("3", "b", 151)] {
        let number = store.leave_control(&run_id, json, by, Timestamp(at)).await;
        numbers.push(checks.ok(number, "a control can be left"));
    }
    checks.ok(
        store.leave_control(&other.run_id, "9", "b", Timestamp(150)).await,
        "a control can be left for another run",
    );
    checks.that(numbers[0] < numbers[1] && numbers[1] < numbers[2], "the numbers grow");
    let all = left(checks, store, &run_id).await;
    let wanted = [("1", "b", 150), (odd, "c ' \u{1F600}", 149), ("3", "b", 151)];
    checks.that(
        all.iter().zip(&numbers).all(|(one, number)| one.number == *number)
            && all.iter().map(|one| (one.json.as_str(), one.by.as_str(), one.at.0)).eq(wanted),
        "what is left comes back as it was, in its order, and of the run alone",
    );
    // A record takes one, and another process sees the same.
    let mut second = record(2, 160, control("one")).seal(&first.hash);
    second.takes = Some(numbers[0]);
    checks.ok(store.append(&lease, &second, &[]).await, "a record may take a control");
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[1..], "it is taken with the record");
    checks.refused(
        store.append(&lease, &second, &[]).await,
        |error| matches!(error, StoreFailure::NotNext { .. }),
        "a record that took a control is written once",
    );
    let mut wrong = record(3, 161, control("two")).seal(&first.hash);
    wrong.takes = Some(numbers[1]);
    checks.refused(
        store.append(&lease, &wrong, &[]).await,
        |error| matches!(error, StoreFailure::NotNext { .. }),
        "a record that does not continue is refused",
    );
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[1..], "what is refused takes nothing");
    // Whoever drives the run next hears the rest.
    let expired = Timestamp(100 + LEASE_MS);
    let not_driven = |error: &StoreFailure| matches!(error, StoreFailure::NotDriven(_));
    checks.refused(
        store.leave_control(&run_id, "4", "b", expired).await,
        not_driven,
        "nothing is left where the lease has run out",
    );
    let next = store.lease(&run_id, "d", expired, LEASE_MS).await;
    let next = checks.ok(next, "an expired lease is free");
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[1..], "a new holder finds what was left");
    let mut third = record(3, 1_200, control("two")).seal(&second.hash);
    third.takes = Some(numbers[1]);
    checks.refused(
        store.append(&lease, &third, &[]).await,
        |error| matches!(error, StoreFailure::LeaseLost(_)),
        "who lost the lease takes nothing",
    );
    checks.ok(store.append(&next, &third, &[]).await, "the new holder takes it");
    let found = left(checks, store, &run_id).await;
    checks.that(found == all[2..], "each is taken once");
    checks.ok(store.release(&next).await, "a lease can be given back");
    checks.refused(
        store.leave_control(&run_id, "4", "b", Timestamp(1_201)).await,
        not_driven,
        "nothing is left where the lease was given back",
    );
    let durable = format!("{DURABLE}{run_id}");
    let theirs = store.lease(&run_id, &durable, Timestamp(1_202), LEASE_MS).await;
    let theirs = checks.ok(theirs, "a lease that was given back is free");
    checks.refused(
        store.leave_control(&run_id, "4", "b", Timestamp(1_203)).await,
        not_driven,
        "nothing is left for what a durable engine drives",
    );
    checks.ok(store.release(&theirs).await, "a lease can be given back");
    // The end of a run, and its deletion, leave nothing.
    let last = store.lease(&run_id, "e", Timestamp(1_204), LEASE_MS).await;
    let last = checks.ok(last, "a lease that was given back is free");
    let later = store.leave_control(&run_id, "5", "b", Timestamp(1_205)).await;
    let later = checks.ok(later, "a control can be left again");
    checks.that(later > numbers[2], "the numbers go on growing");
    let mut end = record(4, 1_206, control("end")).seal(&third.hash);
    end.takes = Some(numbers[2]);
    end.ended = Some("interrupted".to_owned());
    checks.ok(store.append(&last, &end, &[]).await, "a control may end a run");
    let found = left(checks, store, &run_id).await;
    checks.that(found.is_empty(), "the end leaves nothing");
    checks.refused(
        store.leave_control(&run_id, "6", "b", Timestamp(1_207)).await,
        not_driven,
        "nothing is left for a run that is over",
    );
    let found = left(checks, store, &other.run_id).await;
    checks.that(found.len() == 1, "other runs keep theirs");
    checks.ok(store.release(&other).await, "a lease can be given back");
    checks.ok(store.delete(&other.run_id, Timestamp(1_208)).await, "a run can be deleted");
    let (again, _) = begun(checks, store, "run_beside").await;
    let found = left(checks, store, &again.run_id).await;
    checks.that(found.is_empty(), "a deletion leaves nothing");
}
