//! A line that is being typed.

use elenchus_core::text::is_invisible;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The longest line, in characters: that of a question.
const LONGEST: usize = elenchus_engine::MAX_QUESTION_CHARS;

/// A line with a place in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Input {
    text: Vec<char>,
    at: usize,
}

impl Input {
    pub(super) fn new(text: &str) -> Self {
        let mut input = Self::default();
        input.put(text);
        input
    }

    pub(super) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// The text before the place where the next letter goes.
    pub(super) fn before(&self) -> String {
        self.text.iter().take(self.at).collect()
    }

    /// Puts text in, on one line; what nobody sees is left out.
    pub(super) fn put(&mut self, text: &str) {
        for c in text.chars() {
            let c = if c.is_whitespace() { ' ' } else { c };
            if !is_invisible(c) && self.text.len() < LONGEST {
                self.text.insert(self.at, c);
                self.at += 1;
            }
        }
    }

    /// Takes a key that edits; `false` for one that does not.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => {
                self.text.drain(..self.at);
                self.at = 0;
            }
            KeyCode::Char('w') if control => {
                let before = &self.text[..self.at];
                let word = before.iter().rposition(|c| *c != ' ').unwrap_or(0);
                let from = before[..word].iter().rposition(|c| *c == ' ').map_or(0, |at| at + 1);
                self.text.drain(from..self.at);
                self.at = from;
            }
            KeyCode::Char('a') if control => self.at = 0,
            KeyCode::Char('e') if control => self.at = self.text.len(),
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {
                return false;
            }
            KeyCode::Char(c) => self.put(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace if self.at > 0 => {
                self.at -= 1;
                self.text.remove(self.at);
            }
            KeyCode::Delete if self.at < self.text.len() => {
                self.text.remove(self.at);
            }
            KeyCode::Backspace | KeyCode::Delete => {}
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Right => self.at = (self.at + 1).min(self.text.len()),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            _ => return false,
        }
        true
    }
}
