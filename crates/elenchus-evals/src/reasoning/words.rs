//! Comparing texts by the words that they hold.

use elenchus_core::evidence::Span;

/// In lower case, with single spaces.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a text holds these words in this order, whatever the case and the line breaks.
pub(crate) fn holds(text: &str, words: &str) -> bool {
    !words.trim().is_empty() && plain(text).contains(&plain(words))
}

/// Where these words stand letter for letter, in characters of the text.
pub(crate) fn place(text: &str, words: &str) -> Option<Span> {
    let start = text.find(words)?;
    let before = text[..start].chars().count();
    Some(Span { start: before, end: before + words.chars().count() })
}

/// What stands between `{KIND:` and `}`, each replaced by what `id` says of it.
pub(crate) fn fill(text: &str, kind: &str, id: impl Fn(&str) -> Option<String>) -> String {
    let mark = format!("{{{kind}:");
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(&mark) {
        let after = &rest[start + mark.len()..];
        let Some(end) = after.find('}') else { break };
        out.push_str(&rest[..start]);
        // An id that does not exist is what a model would make up, too: it is dropped with a defect.
        out.push_str(&id(&after[..end]).unwrap_or_else(|| format!("{kind}-that-is-not-there")));
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_the_case_and_the_breaks() {
        assert!(holds("The Mill\nburned down.", "mill burned"));
        assert!(!holds("The mill burned.", "burned mill") && !holds("anything", " "));
    }

    #[test]
    fn places_count_characters() {
        let span = place("Öl fließt hier", "hier").expect("it stands there");
        assert_eq!((span.start, span.end), (10, 14));
        assert!(place("a", "b").is_none());
    }

    #[test]
    fn marks_become_ids() {
        let id = |words: &str| (words == "red").then(|| "c2".to_owned());
        assert_eq!(
            fill("[{claim:red}, {claim:blue}]", "claim", id),
            "[c2, claim-that-is-not-there]"
        );
        assert_eq!(fill("{claim:open", "claim", |_| None), "{claim:open");
    }
}
