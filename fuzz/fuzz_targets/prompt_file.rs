//! Any text as a prompt file of a user's: taken or refused with the line, and what ends lines makes no difference.
#![no_main]

use elenchus_core::prompt::{PromptBook, PromptError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let taken = PromptBook::builtin().with_override(text);
    let other =
        PromptBook::builtin().with_override(&text.replace("\r\n", "\n").replace('\n', "\r\n"));
    assert_eq!(taken.is_ok(), other.is_ok(), "the ends of lines decide");
    let Err(error) = taken else { return };
    assert!(!error.to_string().trim().is_empty());
    let line = match &error {
        PromptError::FrontMatter { line, .. }
        | PromptError::Part { line, .. }
        | PromptError::Placeholder { line, .. } => *line,
        PromptError::UnknownPrompt { .. } | PromptError::MissingPlaceholder { .. } => 1,
    };
    assert!(line >= 1, "{error} names no line");
});
