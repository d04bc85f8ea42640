//! Rendered prompts, replies read back, and what holds for every passage and every reply.

mod corpora;
mod critics;
mod fixture;
mod framing;
mod lenses;
mod overrides;
mod properties;
mod replies;
mod snapshots;
mod thinking;
