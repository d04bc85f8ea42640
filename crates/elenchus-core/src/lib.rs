//! Elenchus decides here.
//!
//! A **run** (one question, end to end) is a value: [`inquiry::Run`] asks for effects as plain data, is fed
//! their outcomes, and yields trace events. Nothing in this crate reads a clock, the environment, a file, a
//! socket or a random source; time and ids enter with the inputs. See `ARCHITECTURE.md` for the whole house.

#![warn(missing_docs)]

pub mod answer;
pub mod bank;
pub mod belief;
pub mod chart;
pub mod evidence;
pub mod graph;
pub mod id;
pub mod inquiry;
pub mod journal;
pub mod measure;
pub mod pack;
pub mod port;
pub mod prompt;
pub mod scrutiny;
pub mod synthesis;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod text;
pub mod trace;
