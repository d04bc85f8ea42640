//! Scripted worlds and the conformance suites of the ports. Compiled with the feature `testkit` only.

mod bank_suite;
mod drive;
mod faulty;
mod judge;
mod memos_suite;
pub(crate) mod prompts;
mod retriever_suite;
mod script;
mod store_suite;
mod world;

pub use bank_suite::bank_suite;
pub use drive::{Drive, Driven, block_on, drive};
pub use faulty::{Fault, FaultyStore};
pub use judge::{OverlapVerifier, judging};
pub use memos_suite::memos_suite;
pub use prompts::rendered_prompts;
pub use retriever_suite::{RETRIEVED, retriever_suite};
pub use script::question_of;
pub use store_suite::store_suite;
pub use world::{ManualClock, World};
