//! What a person may say to a run under way. Each control is journaled.

use serde::{Deserialize, Serialize};

/// A control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "control", rename_all = "snake_case")]
pub enum Control {
    /// Stop now and answer with what there is. Calls in flight are dropped.
    Interrupt,
    /// Stop searching and write the answer.
    FinishNow,
    /// Do nothing until `resume`.
    Pause,
    /// Go on.
    Resume,
    /// Change direction from the next search on.
    Redirect {
        /// Look for this too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        focus: Option<String>,
        /// Path parts of documents to leave out from now on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exclude: Vec<String>,
        /// When not empty, search only documents whose path holds one of these.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        only: Vec<String>,
    },
    /// The corpus has changed: gaps that new documents match are opened again.
    DocumentsAdded {
        /// Title and first words of each new document.
        documents: Vec<String>,
    },
}
