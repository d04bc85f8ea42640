//! Rendered prompts, replies read back, and what holds for every passage and every reply.

mod corpora;
mod fixture;
mod overrides;
mod properties;
mod replies;
mod snapshots;
