//! Thinking that a model wrote into its text.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Splits `<think>...</think>` off the start of a streamed text, whatever way the pieces are cut.
#[derive(Debug, Default)]
pub(crate) struct ThinkSplit {
    state: State,
    /// Text that may yet turn out to be part of a tag, or white space around one.
    held: String,
    /// Bytes of white space at the beginning of `held`, which are looked at once.
    blank: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Only white space or the beginning of the opening tag was seen.
    #[default]
    Start,
    Inside,
    /// Between the closing tag and the first letter of the text.
    Gap,
    Text,
}

impl ThinkSplit {
    /// Adds a piece: what is thinking goes to `thinking`, what is text is returned.
    pub(crate) fn push(&mut self, piece: &str, thinking: &mut String) -> String {
        if self.state == State::Text {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if self.state == State::Start {
            let start = self.held[self.blank..].trim_start();
            self.blank = self.held.len() - start.len();
            if let Some(rest) = start.strip_prefix(OPEN) {
                self.held = rest.to_owned();
                self.state = State::Inside;
            } else if OPEN.starts_with(start) {
                return String::new();
            } else {
                self.state = State::Text;
                return std::mem::take(&mut self.held);
            }
        }
        if self.state == State::Inside {
            if let Some(at) = self.held.find(CLOSE) {
                thinking.push_str(&self.held[..at]);
                self.held.drain(..at + CLOSE.len());
                self.state = State::Gap;
            } else {
                // The end may be the beginning of the closing tag.
                let tail = (1..CLOSE.len()).rev().find(|n| self.held.ends_with(&CLOSE[..*n]));
                let sure = self.held.len() - tail.unwrap_or(0);
                thinking.extend(self.held.drain(..sure));
                return String::new();
            }
        }
        let text = self.held.trim_start().to_owned();
        self.held.clear();
        if !text.is_empty() {
            self.state = State::Text;
        }
        text
    }

    /// What was held back when the stream ended.
    pub(crate) fn finish(&mut self, thinking: &mut String) -> String {
        let held = std::mem::take(&mut self.held);
        if self.state == State::Inside {
            thinking.push_str(&held);
            return String::new();
        }
        held
    }
}
