//! A build without a feature says which one is missing.

use crate::world::{CAPACITY, World};

#[test]
fn a_build_without_the_restate_engine_names_the_feature() {
    let world = World::new();
    let ran = world.ask(CAPACITY, &["--engine", "restate"]);
    ran.fails(2, "cannot speak to a Restate server", "--features restate");
    // Nothing is left of a run that was not begun.
    assert_eq!(world.run(&["runs", "list", "--json"]).json().as_array().unwrap().len(), 0);
    world.run(&["worker"]).fails(2, "could not start a worker", "--features restate");
}
