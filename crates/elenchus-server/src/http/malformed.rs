//! What is wrong with JSON that was sent, with the name of the field where that can be told: the place that the reader of the
//! text stopped at is followed from the beginning, and what is open there is the path.

use serde_json::Error;
use std::fmt::Write;

/// The longest name that is told of a field, in characters: it is of the client's making.
const LONGEST_NAME: usize = 40;

/// `what` is wrong ("the body cannot be read"), where, and why.
pub(crate) fn cause(what: &str, text: &[u8], error: &Error) -> String {
    if !error.is_data() {
        return format!("{what}: {error}");
    }
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let words = whole.strip_suffix(&place).unwrap_or(&whole);
    match field(text, error) {
        Some(field) => format!("{what} at `{field}`: {words}"),
        None => format!("{what}: {words}"),
    }
}

/// What is open at some place of a text.
enum Open {
    /// An object, with the key that was read last, and whether a key comes next.
    Object { key: String, at_key: bool },
    /// An array, with the number of items before.
    Array { before: usize },
}

/// The path of the field at which reading stopped; none where it is the whole.
fn field(text: &[u8], error: &Error) -> Option<String> {
    let lines_before = error.line().checked_sub(1)?;
    let start: usize =
        text.split_inclusive(|byte| *byte == b'\n').take(lines_before).map(<[u8]>::len).sum();
    let end = start.saturating_add(error.column());
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at).filter(|_| at < end) {
        match byte {
            b'"' => {
                let past = past_string(text, at);
                if let Some(Open::Object { key, at_key }) = open.last_mut()
                    && *at_key
                {
                    let written = text.get(at..past).unwrap_or_default();
                    *key = serde_json::from_slice(written).unwrap_or_default();
                    *at_key = false;
                }
                at = past;
                continue;
            }
            b'{' => open.push(Open::Object { key: String::new(), at_key: true }),
            b'[' => open.push(Open::Array { before: 0 }),
            b'}' | b']' => {
                open.pop();
            }
            b',' => match open.last_mut() {
                Some(Open::Object { key, at_key }) => {
                    key.clear();
                    *at_key = true;
                }
                Some(Open::Array { before }) => *before += 1,
                None => {}
            },
            _ => {}
        }
        at += 1;
    }
    let mut path = String::new();
    for one in &open {
        match one {
            Open::Object { key, .. } if key.is_empty() => {}
            Open::Object { key, .. } => {
                let dot = if path.is_empty() { "" } else { "." };
                path.push_str(dot);
                path.extend(key.chars().take(LONGEST_NAME));
            }
            Open::Array { before } => {
                write!(path, "[{before}]").expect("writing to a String cannot fail");
            }
        }
    }
    Some(path).filter(|path| !path.is_empty())
}

/// The place behind a string that begins at a quotation mark.
fn past_string(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it can be read is asked")]
    struct Outer {
        name: String,
        #[serde(default)]
        is_big: bool,
        #[serde(default)]
        inner: Option<Inner>,
        #[serde(default)]
        list: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it can be read is asked")]
    struct Inner {
        size: u32,
        #[serde(default)]
        words: Vec<String>,
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        for (text, told) in [
            (r#"{"name": "a", "is_big": 2}"#, "at `is_big`: invalid type: integer `2`"),
            (r#"{"name": ["a"]}"#, "at `name`: invalid type: sequence"),
            (
                "{\n  \"name\": \"a, \\\"b\\\": {\",\n  \"inner\": {\"size\": -1}\n}",
                "at `inner.size`: ",
            ),
            (r#"{"name": "a", "inner": {"size": "9"}}"#, "at `inner.size`: invalid type: string"),
            (r#"{"name": "a", "inner": {"words": []}}"#, "at `inner`: missing field `size`"),
            (
                r#"{"name": "a", "list": [{"size": 1}, {"size": 2, "words": ["x", 7]}]}"#,
                "at `list[1].words[1]`: invalid type: integer `7`",
            ),
            (
                r#"{"name": "a", "list": [{"size": 1, "colour": 3}]}"#,
                "at `list[0].colour`: unknown",
            ),
            (r#"{"is_big": true}"#, "cannot be read: missing field `name`"),
            ("[]", "cannot be read: invalid"),
        ] {
            let error = serde_json::from_str::<Outer>(text).unwrap_err();
            let said = cause("it cannot be read", text.as_bytes(), &error);
            assert!(said.contains(told), "{text}: {said}");
            assert!(!said.contains(" column "), "{said}");
        }
        // What is no JSON is told by its place.
        let text = r#"{"name": "a" "is_big": true}"#;
        let error = serde_json::from_str::<Outer>(text).unwrap_err();
        let said = cause("it cannot be read", text.as_bytes(), &error);
        assert!(said.contains("at line 1 column 14"), "{said}");
    }

    #[test]
    fn whatever_is_sent_is_told_without_a_panic() {
        let text = r#"{"name": "a\\\"", "list": [{"size": 1}, {"size": "\u00e4", "words": [2]}], "inner": {}}"#;
        for cut in 0..text.len() {
            for patch in ["", "\"", "}", "]", ",", "\\", "{", "[", "\n"] {
                let Some(head) = text.get(..cut) else { continue };
                let text = format!("{head}{patch}{}", text.get(cut + 1..).unwrap_or_default());
                if let Err(error) = serde_json::from_str::<Outer>(&text) {
                    assert!(!cause("it", text.as_bytes(), &error).is_empty());
                }
            }
        }
    }
}
