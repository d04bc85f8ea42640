//! Texts of a run as attributes: scrubbed, and cut to a length.

use super::{Content, Value};
use crate::bank::scrub;
use serde::Serialize;
use serde_json::json;

/// The most characters of one text.
const MOST_CHARS: usize = 8_000;

impl Content {
    /// A text, where texts are wanted.
    pub(super) fn text(self, text: impl FnOnce() -> String) -> Option<String> {
        match self {
            Self::LeftOut => None,
            // Scrubbed before it is cut: a half secret is not recognised.
            Self::Scrubbed => Some(clipped(&scrub(&text()).text)),
        }
    }

    /// A message of a conversation, in the form of the conventions.
    pub(super) fn message(self, role: &str, text: impl FnOnce() -> String) -> Option<Value> {
        let content = self.text(text)?;
        let part = json!([{ "role": role, "parts": [{ "type": "text", "content": content }] }]);
        Some(Value::Text(part.to_string()))
    }

    /// What is kept of something as JSON.
    pub(super) fn json(self, of: &impl Serialize) -> Option<String> {
        self.text(|| serde_json::to_string(of).unwrap_or_default())
    }
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_left_out_or_scrubbed_and_cut() {
        assert_eq!(Content::LeftOut.text(|| "anything".to_owned()), None);
        let key = format!("{}{}", "ghp_", "Zq8vN4tYw2Rk7Lm1Xc5Bd9Fh3Gj6Ps0TaUeV");
        let shown = Content::Scrubbed.message("user", || format!("my key is {key}")).unwrap();
        let Value::Text(shown) = shown else { unreachable!("a message is a text") };
        assert!(!shown.contains(&key) && shown.contains("my key is"), "{shown}");
        let long = Content::Scrubbed.text(|| "é".repeat(MOST_CHARS + 5)).unwrap();
        assert_eq!(long.chars().count(), MOST_CHARS + 1);
    }
}
