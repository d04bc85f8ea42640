//! Death at every fail point.

use crate::world::{CAPACITY, World, harbor, timeless};

#[test]
fn a_run_that_dies_anywhere_is_resumed_to_the_same_answer() {
    let whole = timeless(World::new().ask(CAPACITY, &["-q", "--json"]).json());
    let mut deaths = 0;
    for site in ["before_intent", "after_intent", "after_effect", "after_append", "before_release"]
    {
        for n in 1.. {
            let world = World::new();
            let mut command = world.command();
            command.env("ELENCHUS_CRASH_AT", format!("{site}:{n}"));
            command.args(["ask", CAPACITY, "-q", "--corpus"]).arg(harbor());
            if command.output().unwrap().status.code().is_some() {
                // It came to its end: there is no such passage.
                break;
            }
            deaths += 1;
            let id = world.newest();
            let mut again = world.command();
            // And once more on the way.
            again.env("ELENCHUS_CRASH_AT", format!("{site}:1"));
            again.args(["runs", "resume", &id, "-q"]).output().unwrap();
            let resumed = world.run(&["runs", "resume", &id, "--json"]);
            assert_eq!(timeless(resumed.succeeds().json()), whole, "{site}:{n}");
            world.run(&["audit", &id]).succeeds();
            world.run(&["doctor"]).succeeds();
        }
    }
    assert!(deaths > 20, "only {deaths} places to die at");
}
