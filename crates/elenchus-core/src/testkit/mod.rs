//! Scripted worlds and the conformance suites of the ports. Compiled with the feature `testkit` only.

mod drive;
mod faulty;
mod judge;
mod script;
mod store_suite;
mod world;

pub use drive::{Drive, Driven, block_on, drive};
pub use faulty::{Fault, FaultyStore};
pub use judge::{OverlapVerifier, judging};
pub use script::question_of;
pub use store_suite::store_suite;
pub use world::{ManualClock, World};
