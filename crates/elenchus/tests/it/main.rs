//! The real binary, in an environment of its own.

mod ask;
mod bad_input;
mod documents;
mod help;
mod interrupts;
#[cfg(feature = "crash-points")]
mod kill;
mod output;
mod readme;
mod runs;
mod settings;
mod verify;
mod world;
