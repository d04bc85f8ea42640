//! The real binary, in an environment of its own.

mod ask;
mod ask_page;
mod bad_input;
mod demo;
mod deploy;
#[cfg(test)]
mod deploy_yaml;
mod dialogue;
mod documents;
mod help;
mod index;
mod interrupts;
#[cfg(feature = "crash-points")]
#[cfg(test)]
mod kill;
mod learning;
mod lenses;
mod mcp;
mod memory;
mod memos;
mod ollama;
mod output;
mod passage;
mod patterns;
#[cfg(feature = "postgres")]
#[cfg(test)]
mod postgres;
mod readme;
#[cfg(feature = "restate")]
#[cfg(test)]
mod restate;
mod runs;
mod secrets;
mod serve;
mod serve_members;
mod settings;
mod sinks;
mod speaking;
mod surfaces;
#[cfg(feature = "otel")]
#[cfg(test)]
mod telemetry;
mod terminal;
mod tui;
mod unbuilt;
mod upkeep;
mod verify;
mod web;
#[cfg(feature = "postgres")]
#[cfg(test)]
mod worker;
mod world;
