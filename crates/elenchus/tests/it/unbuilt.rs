//! A build without a feature says which one is missing.

#[cfg(not(all(feature = "restate", feature = "otel")))]
use crate::world::{CAPACITY, World};

#[cfg(not(feature = "otel"))]
#[test]
fn a_build_without_telemetry_names_the_feature() {
    let world = World::new();
    let collector = [("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")];
    let mut asking = world.command();
    asking.args(["ask", CAPACITY, "--corpus"]).arg(crate::world::harbor());
    let asked = crate::world::ran(asking.envs(collector));
    assert!(asked.succeeds().err.contains("--features otel"), "{}", asked.err);
    let export = world.run(&["runs", "export", &world.newest(), "--format", "otlp"]);
    export.fails(2, "does not know OpenTelemetry", "--features otel");
}

#[cfg(not(feature = "restate"))]
#[test]
fn a_build_without_the_restate_engine_names_the_feature() {
    let world = World::new();
    let ran = world.ask(CAPACITY, &["--engine", "restate"]);
    ran.fails(2, "cannot speak to a Restate server", "--features restate");
    // Nothing is left of a run that was not begun.
    assert_eq!(world.run(&["runs", "list", "--json"]).json().as_array().unwrap().len(), 0);
    for words in [&["serve"][..], &["mcp"], &["tui", CAPACITY, "--plain"]] {
        let ran = world.run(&[words, &["--engine", "restate"]].concat());
        ran.fails(2, "cannot speak to a Restate server", "--features restate");
        let ran = world.run_with(words, &[("ELENCHUS_ENGINE", "restate")]);
        ran.fails(2, "could not hand runs over", "--features restate");
    }
    world.run(&["worker"]).fails(2, "could not start a worker", "--features restate");
}
