//! Runs that a Restate server drives: handed over, followed, and worked on.

#[cfg(feature = "restate")]
mod door;
#[cfg(feature = "restate")]
mod grounds;
#[cfg(feature = "restate")]
mod with;
#[cfg(not(feature = "restate"))]
mod without;

#[cfg(feature = "restate")]
pub(crate) use with::{attach, steer, submit, work};
#[cfg(not(feature = "restate"))]
pub(crate) use without::{attach, steer, submit, work};

use crate::kept::RunSettings;
use elenchus_core::bank::Caller;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::Options;
use elenchus_core::port::Store;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a worker needs to open the ground of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// Where its documents are, and what thinks.
    pub(crate) settings: RunSettings,
    /// In which addresses of pages may be named.
    pub(crate) question: String,
    /// On whose behalf it recalls and learns; nobody's when it does neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) caller: Option<Caller>,
}

/// A run to be handed over.
#[cfg_attr(
    not(feature = "restate"),
    expect(dead_code, reason = "a build without the engine hands nothing over")
)]
pub(crate) struct HandOver {
    pub(crate) question: String,
    pub(crate) options: Options,
    pub(crate) seed: u64,
    pub(crate) at: Timestamp,
    pub(crate) note: Note,
}

/// A run that is followed.
#[cfg_attr(
    not(feature = "restate"),
    expect(dead_code, reason = "a build without the engine hands nothing over")
)]
pub(crate) struct Following {
    pub(crate) id: RunId,
    pub(crate) store: Arc<dyn Store>,
    /// Whether what it has done so far counts as told.
    pub(crate) seen: bool,
}
