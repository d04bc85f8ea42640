//! Tables of cross-references: a line a verse, "John.3.16: Rom.5.8 1John.4.9".

use super::OsisRef;
use crate::evidence::ReadPassage;

/// The verses that a text joins with `verse`, in the order of its line; empty when it has no line for it.
pub fn linked(text: &str, verse: OsisRef) -> Vec<OsisRef> {
    let id = verse.to_string();
    let lines = text.lines().filter_map(|line| line.strip_prefix(&id)?.strip_prefix(": "));
    lines.flat_map(str::split_whitespace).filter_map(|word| word.parse().ok()).collect()
}

/// Whether a text is lines of cross-references and nothing else.
pub fn is_links(text: &str) -> bool {
    let mut lines = text.lines().peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            line.split_once(": ").is_some_and(|(verse, rest)| {
                verse.parse::<OsisRef>().is_ok()
                    && rest.split_whitespace().all(|word| word.parse::<OsisRef>().is_ok())
            })
        })
}

/// The verse that a passage is, by its record's name; a line of cross-references bears the name of a verse and is none.
pub(crate) fn verse_of(read: &ReadPassage) -> Option<OsisRef> {
    if is_links(&read.passage.text) {
        return None;
    }
    read.passage.record.as_deref()?.parse().ok().filter(|verse: &OsisRef| verse.is_verse())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_by_their_verse() {
        let text = "John.3.16: Rom.5.8 1John.4.9 n.b.\nJohn.3.17: Luke.9.56";
        let of = |verse: &str| -> Vec<String> {
            linked(text, verse.parse().unwrap()).iter().map(ToString::to_string).collect()
        };
        assert_eq!(of("John.3.16"), ["Rom.5.8", "1John.4.9"]);
        assert_eq!(of("John.3.17"), ["Luke.9.56"]);
        assert!(of("John.3.1").is_empty());
        assert!(!is_links(text) && is_links("John.3.17: Luke.9.56") && !is_links(""));
        assert!(!is_links("John.3.16: For so it is told"));
    }
}
