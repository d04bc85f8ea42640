//! JSON-LD: what a page says about itself for search engines.

use super::super::tree::{Name, Tag, Tree};
use super::line;
use serde_json::Value;

/// Scripts larger than this are not looked at, in bytes.
const MOST: usize = 1 << 20;
/// Objects looked at.
const MOST_OBJECTS: usize = 500;

/// What the object that describes the page says.
#[derive(Debug, Default)]
pub(super) struct Linked {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) licence: Option<String>,
}

pub(super) fn read(tree: &Tree) -> Linked {
    let mut objects = Vec::new();
    for (at, element) in tree.all(Tag::Script) {
        let is_linked = element.get(Name::Type).is_some_and(|kind| {
            kind.trim().to_ascii_lowercase().starts_with("application/ld+json")
        });
        if !is_linked {
            continue;
        }
        let text = tree.text(at);
        let text = text.trim().trim_start_matches("<!--").trim_end_matches("-->");
        if text.len() <= MOST
            && let Ok(value) = serde_json::from_str::<Value>(text)
        {
            flatten(value, &mut objects);
        }
    }
    let best = objects
        .iter()
        .filter_map(|object| Some((rank(object)?, object)))
        .min_by_key(|(rank, _)| *rank);
    let Some((rank, object)) = best else { return Linked::default() };
    let text = |names: &[&str]| names.iter().find_map(|name| object.get(*name).and_then(scalar));
    Linked {
        title: if rank < 2 { text(&["headline", "name"]) } else { None },
        author: text(&["author", "creator"]).filter(|name| !name.is_empty()),
        published: text(&["datePublished", "dateCreated", "uploadDate"]),
        modified: text(&["dateModified"]),
        licence: text(&["license"]),
    }
}

/// Objects of lists and graphs, each for itself.
fn flatten(value: Value, objects: &mut Vec<Value>) {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        if objects.len() >= MOST_OBJECTS {
            return;
        }
        match value {
            Value::Array(items) => todo.extend(items.into_iter().rev()),
            Value::Object(mut fields) => {
                for inner in ["@graph", "mainEntity", "mainEntityOfPage"] {
                    if let Some(graph @ (Value::Array(_) | Value::Object(_))) = fields.remove(inner)
                    {
                        todo.push(graph);
                    }
                }
                objects.push(Value::Object(fields));
            }
            _ => {}
        }
    }
}

/// How well an object's type fits a page's main text: 0 is best; `None` for people, crumbs and firms.
fn rank(object: &Value) -> Option<u8> {
    let kinds: Vec<&str> = match object.get("@type")? {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    kinds
        .iter()
        .filter_map(|kind| {
            let kind = kind.rsplit(['/', ':']).next().unwrap_or(kind);
            if kind.ends_with("Article")
                || kind.ends_with("Posting") && kind != "JobPosting"
                || kind == "Report"
            {
                Some(0)
            } else if matches!(
                kind,
                "Recipe"
                    | "Dataset"
                    | "Book"
                    | "HowTo"
                    | "Review"
                    | "CreativeWork"
                    | "Event"
                    | "JobPosting"
                    | "Thesis"
                    | "Legislation"
                    | "VideoObject"
                    | "QAPage"
                    | "DiscussionForumPosting"
                    | "TechArticle"
            ) {
                Some(1)
            } else if kind.ends_with("Page") {
                Some(2)
            } else {
                None
            }
        })
        .min()
}

/// Text of a value: itself, the names of what it lists, or its own name or address.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => line(&unescaped(text)),
        Value::Array(items) => {
            let mut names: Vec<String> = Vec::new();
            for name in items.iter().take(12).filter_map(scalar) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            (!names.is_empty()).then(|| names.join(", "))
        }
        Value::Object(fields) => ["name", "url", "@id"]
            .iter()
            .find_map(|name| fields.get(*name)?.as_str().and_then(line)),
        _ => None,
    }
}

/// Sites write HTML's escapes into JSON.
fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    [
        ("&amp;", "&"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&#8217;", "’"),
        ("&lt;", "<"),
        ("&gt;", ">"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}
