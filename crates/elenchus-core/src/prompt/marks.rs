//! `<thinking>` and `<insight type="...">` marks around the JSON of a reply.
//!
//! A model that may write freely thinks in tags before (or after, or inside a code fence with) its JSON. The tags are
//! taken out before the JSON is read, so that a brace in a thought is no reply; a tag inside a JSON text belongs to
//! that text. Nothing here fails: what is not closed ends where the JSON begins or the reply ends.

use super::json;
use super::shape::Shape;

/// Longest reply (bytes) that is searched for marks; beyond it the rest is left alone.
const LONGEST: usize = 400_000;
/// Marks taken from one reply.
const MOST: usize = 60;
/// Attempts to read a value where a brace stands.
const ATTEMPTS: usize = 60;

/// What stood between marks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Thoughts, in the order of the reply, without insights and tags in them.
    pub(super) thoughts: Vec<String>,
    /// Insights: the word of the type (empty without one) and the text.
    pub(super) insights: Vec<(String, String)>,
    /// Marks without an end.
    pub(super) unclosed: usize,
}

impl Marks {
    pub(super) fn is_empty(&self) -> bool {
        self.thoughts.is_empty() && self.insights.is_empty()
    }
}

/// The names of a block of thoughts.
const THOUGHTS: [&str; 4] = ["thinking", "think", "thought", "reasoning"];
const INSIGHT: &str = "insight";

/// A tag that begins at the start of a text.
struct Tag<'t> {
    name: &'static str,
    closes: bool,
    /// What stands between the name and the bracket.
    attributes: &'t str,
    /// Bytes.
    length: usize,
}

fn tag(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?;
    let (inner, closes) = match inner.strip_prefix('/') {
        Some(rest) => (rest, true),
        None => (inner, false),
    };
    let length = inner.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(inner.len());
    let word = &inner[..length];
    let name = THOUGHTS.iter().chain([&INSIGHT]).find(|name| name.eq_ignore_ascii_case(word))?;
    let rest = &inner[length..];
    let end = rest.find(['>', '<', '\n'])?;
    let whole = rest[end..].starts_with('>');
    (whole && end <= 120).then(|| Tag {
        name,
        closes,
        attributes: &rest[..end],
        length: text.len() - inner.len() + length + end + 1,
    })
}

/// `type="pattern"`, `type = 'pattern'`, `type=pattern` and a bare `pattern` all name the type.
fn type_of(attributes: &str) -> String {
    let named = attributes.split_once("type").map_or(attributes, |(_, rest)| rest);
    named
        .trim_matches(|c: char| !c.is_alphanumeric())
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
        .collect()
}

/// The reply without what stands between marks, and that. `shape` tells which JSON is the reply.
pub(super) fn split(text: &str, shape: &Shape) -> (String, Marks) {
    let mut marks = Marks::default();
    let whole = serde_json::from_str::<serde_json::Value>(text).is_ok();
    if whole || text.len() > LONGEST || !text.contains('<') {
        return (text.to_owned(), marks);
    }
    let mut plain = String::with_capacity(text.len());
    let mut attempts = ATTEMPTS;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let next = rest.find(['<', '{']).unwrap_or(rest.len());
        plain.push_str(&rest[..next]);
        at += next;
        let rest = &text[at..];
        if rest.starts_with('{')
            && let Some(length) = reply_at(rest, shape, &mut attempts)
        {
            plain.push_str(&rest[..length]);
            at += length;
        } else if let Some(found) = tag(rest) {
            at += found.length;
            let taken = marks.thoughts.len() + marks.insights.len();
            if !found.closes && taken < MOST {
                at += block(&text[at..], &found, shape, &mut attempts, &mut marks);
            }
        } else {
            let step = rest.chars().next().map_or(0, char::len_utf8);
            plain.push_str(&rest[..step]);
            at += step;
        }
    }
    (plain, marks)
}

/// How many bytes of the reply's JSON begin here; `None` when it is other JSON, or no JSON.
fn reply_at(text: &str, shape: &Shape, attempts: &mut usize) -> Option<usize> {
    *attempts = attempts.checked_sub(1)?;
    let (value, length) = json::value_at(text)?;
    value.as_object().is_some_and(|map| shape.claims(map)).then_some(length)
}

/// Takes the block after an opening tag; how many bytes it has with its closing tag.
fn block(
    text: &str,
    open: &Tag<'_>,
    shape: &Shape,
    attempts: &mut usize,
    marks: &mut Marks,
) -> usize {
    let mut depth = 1;
    let mut at = 0;
    let mut inner = String::new();
    let mut insights: Vec<(String, String)> = Vec::new();
    let mut closed = false;
    while at < text.len() {
        let rest = &text[at..];
        let next = rest.find(['<', '{']).unwrap_or(rest.len());
        inner.push_str(&rest[..next]);
        at += next;
        let rest = &text[at..];
        // The reply itself is never swallowed, whatever was left open before it.
        if rest.starts_with('{') && reply_at(rest, shape, attempts).is_some() {
            break;
        }
        if let Some(found) = tag(rest) {
            at += found.length;
            let same = (found.name == INSIGHT) == (open.name == INSIGHT);
            if found.closes && same {
                depth -= 1;
                if depth == 0 {
                    closed = true;
                    break;
                }
            } else if !found.closes && same {
                depth += 1;
            } else if !found.closes && open.name != INSIGHT && insights.len() < MOST {
                let mut within = Marks::default();
                at += block(&text[at..], &found, shape, attempts, &mut within);
                marks.unclosed += within.unclosed;
                insights.append(&mut within.insights);
            }
        } else if let Some(c) = rest.chars().next() {
            inner.push(c);
            at += c.len_utf8();
        }
    }
    if !closed {
        marks.unclosed += 1;
    }
    if open.name == INSIGHT {
        marks.insights.push((type_of(open.attributes), inner));
    } else {
        marks.thoughts.push(inner);
        marks.insights.append(&mut insights);
    }
    at
}

/// Text without the tags of this module: what a model put into a JSON text.
pub(super) fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let next = rest.find('<').unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        at += next;
        let rest = &text[at..];
        if let Some(found) = tag(rest) {
            at += found.length;
        } else if let Some(c) = rest.chars().next() {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}
