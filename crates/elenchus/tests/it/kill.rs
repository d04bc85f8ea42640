//! Death at fail points.

use crate::world::{CAPACITY, World, harbor, timeless};
use serde_json::Value;

/// Lets a run die at the `n`-th passage of a site, and where there is one more, at the next when it is gone on with; it is then
/// resumed to the answer `whole`. Gives the number of deaths; nothing when there is no such passage.
fn deaths(whole: &Value, site: &str, n: usize) -> Option<usize> {
    let world = World::new();
    let mut command = world.command();
    command.env("ELENCHUS_CRASH_AT", format!("{site}:{n}"));
    command.args(["ask", CAPACITY, "-q", "--corpus"]).arg(harbor());
    let ended = command.output().unwrap().status;
    if ended.code().is_some() {
        assert!(ended.success(), "{site}:{n}: {ended}");
        return None;
    }
    let id = world.newest();
    let mut again = world.command();
    again.env("ELENCHUS_CRASH_AT", format!("{site}:1"));
    let died = again.args(["runs", "resume", &id, "-q"]).output().unwrap().status;
    assert!(died.success() || died.code().is_none(), "{site}:{n}: {died}");
    let resumed = world.run(&["runs", "resume", &id, "--json"]);
    assert_eq!(timeless(resumed.succeeds().json()), *whole, "{site}:{n}");
    world.run(&["audit", &id]).succeeds();
    Some(1 + usize::from(died.code().is_none()))
}

/// Every passage of every fail point with `ELENCHUS_NIGHTLY=1`, one otherwise.
#[test]
fn a_run_that_dies_anywhere_is_resumed_to_the_same_answer() {
    let whole = timeless(World::new().ask(CAPACITY, &["-q", "--json"]).json());
    if std::env::var_os("ELENCHUS_NIGHTLY").is_none() {
        assert_eq!(deaths(&whole, "after_append", 4), Some(2));
        return;
    }
    let mut all = 0;
    for site in ["before_intent", "after_intent", "after_effect", "after_append", "before_release"]
    {
        all += (1..).map_while(|n| deaths(&whole, site, n)).sum::<usize>();
    }
    assert!(all > 40, "only {all} deaths");
}
