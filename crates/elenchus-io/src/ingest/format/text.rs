//! Plain text.

use super::ExtractedDoc;
use crate::ingest::blocks::Style;

/// Plain text, which may well be Markdown in a `.txt` file.
pub(super) fn extract(text: String) -> ExtractedDoc {
    let marked = looks_marked(&text);
    let mut doc = if marked { super::markdown::extract(text) } else { ExtractedDoc::of_text(text) };
    doc.style = if marked { Style::Marked } else { Style::Typed };
    doc
}

/// Whether text out of a format without markup is Markdown source.
pub(super) fn looks_marked(text: &str) -> bool {
    text.lines().take(400).any(|line| {
        let hashes = line.bytes().take_while(|b| *b == b'#').count();
        (1..=6).contains(&hashes) && line[hashes..].starts_with(' ')
            || line.starts_with("|--")
            || line.starts_with("| --")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_in_a_text_file_is_noticed() {
        assert_eq!(extract("# T\n\nBody".to_owned()).style, Style::Marked);
        assert_eq!(extract("T\n\nBody".to_owned()).style, Style::Typed);
    }
}
