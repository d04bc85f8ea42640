//! Patterns over a whole corpus: what many voices cite, what is disputed again and again, who stands against the
//! others, and what has come up lately.
//!
//! Everything is counted in independent voices: an author with all of his documents is one, a document without an
//! author is one with all of its copies. Each pattern carries its counts and the places behind it, so that a reader can
//! check it. Nothing here judges whether a pattern matters.

mod anchor;
mod debate;
mod names;
#[cfg(test)]
mod tests;
mod trend;

pub use anchor::{Anchor, AnchorKind, anchors};
pub use debate::{Clash, Contrarian, Debate, contrarians, debates};
pub use trend::{Trend, Trends, trends};

use crate::evidence::{ReadPassage, Source};
use crate::text::squeeze;
use serde::Serialize;

/// Where a pattern shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// Who speaks: the author, or the path of a document without one.
    pub voice: String,
    /// The document's path.
    pub path: String,
    /// Path, page and headings, for people.
    pub location: String,
    /// The words there, cut to 240 characters.
    pub quote: String,
}

/// Longest quote of a place, in characters.
const QUOTE: usize = 240;

impl Place {
    fn of(read: &ReadPassage, quote: &str) -> Self {
        let clean = squeeze(quote);
        let mut cut: String = clean.chars().take(QUOTE).collect();
        if cut.len() < clean.len() {
            cut.push('\u{2026}');
        }
        Self {
            voice: voice_name(&read.source),
            path: read.source.path.clone(),
            location: read.location(),
            quote: cut,
        }
    }
}

/// What tells voices apart.
fn voice(source: &Source) -> String {
    match &source.author {
        Some(author) => format!("author:{}", squeeze(author).to_lowercase()),
        None => format!("document:{}", source.cluster),
    }
}

fn voice_name(source: &Source) -> String {
    source.author.as_deref().map_or_else(|| source.path.clone(), squeeze)
}
