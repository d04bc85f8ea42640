//! Typed identifiers. Every id is derived from content or from run and sequence, never drawn at random.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

text_id!(
    /// One question, end to end: `run_` and 12 hex digits.
    RunId
);
text_id!(
    /// One document of a corpus: `src_` and 12 hex digits of the SHA-256 of its relative path.
    SourceId
);
text_id!(
    /// One passage: the source id, `#` and the passage's ordinal in the document.
    PassageId
);
text_id!(
    /// One claim of an answer: `c1`, `c2`, ...
    ClaimId
);
text_id!(
    /// One gap of a run: `g1`, `g2`, ...
    GapId
);
text_id!(
    /// One extracted fact of a run: `f1`, `f2`, ...
    FactId
);
text_id!(
    /// One of the competing explanations of a run: `h1`, `h2`, ...
    HypothesisId
);
text_id!(
    /// One insight of a run: `i1`, `i2`, ...
    InsightId
);

text_id!(
    /// One point of what a lens sees: `v1`, `v2`, ... over all lenses of a run.
    PointId
);

text_id!(
    /// One strategy of the bank: `mem_` and 12 hex digits of what it says and whose it is.
    StrategyId
);
text_id!(
    /// One memo of the evidence graph: `memo_` and 12 hex digits, or the id that it was saved under.
    MemoId
);
text_id!(
    /// One search of the bank, which later signals may name: `sea_` and 12 hex digits.
    SearchId
);

/// One effect of a run, dense from 1.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct EffectId(pub u32);

impl fmt::Display for EffectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// Milliseconds since the Unix epoch. Time enters a run only with its inputs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// The first `digits` hex digits of the SHA-256 of `bytes`.
pub fn short_hash(bytes: &[u8], digits: usize) -> String {
    let mut text = hex(&Sha256::digest(bytes));
    text.truncate(digits);
    text
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        text
    })
}

impl RunId {
    /// The id of a run, from everything that tells it apart: question, start time and a seed that the caller draws.
    pub fn derive(question: &str, at: Timestamp, seed: u64) -> Self {
        Self(format!(
            "run_{}",
            short_hash(format!("{question}\u{0}{}\u{0}{seed}", at.0).as_bytes(), 12)
        ))
    }
}

impl SourceId {
    /// The id of a document, from its path relative to the corpus.
    pub fn from_path(path: &str) -> Self {
        Self(format!("src_{}", short_hash(path.as_bytes(), 12)))
    }
}

impl PassageId {
    /// The id of the `ordinal`-th passage (from 0) of `source`.
    pub fn new(source: &SourceId, ordinal: u32) -> Self {
        Self(format!("{source}#{ordinal}"))
    }
}
