//! Spans and quotes. Offsets count characters (Unicode scalar values), not bytes.

use super::Passage;
use crate::id::PassageId;
use serde::{Deserialize, Serialize};

/// A half-open range of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// First character.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
}

impl Span {
    /// Whether the two ranges share a character.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// The characters `span` of `text`; `None` when the span leaves the text or is reversed.
pub fn char_slice(text: &str, span: Span) -> Option<&str> {
    if span.start > span.end {
        return None;
    }
    let mut bounds = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let start = bounds.nth(span.start)?;
    let end = if span.end == span.start { start } else { bounds.nth(span.end - span.start - 1)? };
    text.get(start..end)
}

/// An exact piece of a passage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quote {
    /// Where it stands.
    pub passage_id: PassageId,
    /// Characters of the passage's text.
    pub span: Span,
    /// The text at `span`, letter for letter.
    pub text: String,
}

impl Quote {
    /// Cuts a quote out of `passage`; `None` when the span is not inside it or holds only white space.
    pub fn cut(passage: &Passage, span: Span) -> Option<Self> {
        let text = char_slice(&passage.text, span)?;
        if text.trim().is_empty() {
            return None;
        }
        Some(Self { passage_id: passage.id.clone(), span, text: text.to_owned() })
    }

    /// Whether the quote still is what the passage says there.
    pub fn holds_in(&self, passage: &Passage) -> bool {
        passage.id == self.passage_id
            && char_slice(&passage.text, self.span) == Some(self.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_by_characters() {
        let text = "a°b\u{1F600}c";
        assert_eq!(char_slice(text, Span { start: 1, end: 4 }), Some("°b\u{1F600}"));
        assert_eq!(char_slice(text, Span { start: 0, end: 5 }), Some(text));
        assert_eq!(char_slice(text, Span { start: 5, end: 5 }), Some(""));
        assert_eq!(char_slice(text, Span { start: 3, end: 2 }), None);
        assert_eq!(char_slice(text, Span { start: 0, end: 6 }), None);
        assert_eq!(char_slice("", Span { start: 0, end: 0 }), Some(""));
    }
}
