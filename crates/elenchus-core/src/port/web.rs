//! What a search of the web came to, as the run's record of it.

use crate::id::{SourceId, Timestamp};
use serde::{Deserialize, Serialize};

/// What a search did outside of this machine. Part of the reply, so that the trace shows every provider that failed
/// and every page that was read or refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebReport {
    /// The providers asked, in the order of the settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<ProviderReport>,
    /// The pages that were wanted, in the order of the results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<PageReport>,
}

impl WebReport {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What one provider came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProviderReport {
    /// "searxng", "wikipedia", ...
    pub provider: String,
    /// Results that passed the filters.
    pub results: u32,
    /// Why it gave nothing: what was attempted, the cause, and the way out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What became of one page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageReport {
    /// Its address, as it was found.
    pub url: String,
    /// How it came to be wanted: "searxng", "named in the question", "link on https://...".
    pub via: String,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: PageOutcome,
}

/// What became of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "page", rename_all = "snake_case")]
pub enum PageOutcome {
    /// Fetched and read.
    Read {
        /// Its id as a document.
        source_id: SourceId,
        /// Passages cut from it.
        passages: u32,
        /// Characters that a reader of the page would not have seen; they were left out.
        #[serde(default)]
        hidden: u32,
    },
    /// A snapshot that is fresh enough was read instead.
    Kept {
        /// Its id as a document.
        source_id: SourceId,
        /// When it was fetched.
        retrieved_at: Timestamp,
    },
    /// Not read.
    Refused {
        /// What was attempted, the cause, and the way out.
        reason: String,
    },
}
