//! JSON Lines: one record a line.

use super::encoding::tidy;
use super::{ExtractedDoc, RecordSpan};
use serde_json::{Map, Value};

/// Fields that name a record.
const IDS: &[&str] = &["_id", "id", "doc_id", "docid", "key", "uid"];
/// Fields that title a record.
const TITLES: &[&str] = &["title", "headline", "name", "subject"];
/// Fields that hold running text, in reading order.
const TEXTS: &[&str] = &[
    "abstract",
    "summary",
    "question",
    "answer",
    "text",
    "sentences",
    "paragraphs",
    "content",
    "contents",
    "body",
    "passage",
    "description",
    "message",
    "claim",
];
/// Longest value of any other field that is worth a "name: value".
const SHORT: usize = 200;

pub(super) fn extract(text: &str) -> ExtractedDoc {
    let mut doc = ExtractedDoc::of_text(String::with_capacity(text.len()));
    let mut bad = Vec::new();
    for (line, number) in text.lines().zip(1_usize..) {
        if line.trim().is_empty() {
            continue;
        }
        let record = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(fields)) => read(&fields),
            Ok(Value::String(words)) => Record { text: words, ..Record::default() },
            Ok(Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_)) | Err(_) => {
                bad.push(number);
                continue;
            }
        };
        let words = one_line(&record.text);
        if words.is_empty() {
            continue;
        }
        let start = doc.text.len();
        doc.text.push_str(&words);
        doc.records.push(RecordSpan {
            range: start..doc.text.len(),
            name: record.id.unwrap_or_else(|| format!("line {number}")),
            title: record.title,
            links: false,
        });
        doc.text.push('\n');
    }
    if !bad.is_empty() {
        let shown: Vec<String> = bad.iter().take(5).map(usize::to_string).collect();
        let more = if bad.len() > shown.len() { ", ..." } else { "" };
        doc.notes.push(format!(
            "{} lines hold no JSON object and are missing (line {}{more}); mend or remove them",
            bad.len(),
            shown.join(", "),
        ));
    }
    doc
}

#[derive(Default)]
struct Record {
    id: Option<String>,
    title: Option<String>,
    text: String,
}

fn read(fields: &Map<String, Value>) -> Record {
    let first = |names: &[&'static str]| {
        names.iter().find(|name| scalar(fields.get(**name)).is_some()).copied()
    };
    let (id_field, title_field) = (first(IDS), first(TITLES));
    let mut parts: Vec<String> =
        TEXTS.iter().filter_map(|name| running(fields.get(*name)?)).collect();
    let others: Vec<String> = fields
        .iter()
        .filter(|(name, _)| {
            let name = Some(name.as_str());
            name != id_field && name != title_field && !TEXTS.iter().any(|text| Some(*text) == name)
        })
        .filter_map(|(name, value)| Some(format!("{name}: {}", scalar(Some(value))?)))
        .collect();
    if !others.is_empty() {
        parts.push(others.join("; "));
    }
    let title = title_field.and_then(|name| scalar(fields.get(name)));
    if parts.is_empty() {
        parts.extend(title.clone());
    }
    Record { id: id_field.and_then(|name| scalar(fields.get(name))), title, text: parts.join(" ") }
}

/// JSON spells control characters out, past the reading of the file that removes them.
fn one_line(text: &str) -> String {
    tidy(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn scalar(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if !text.trim().is_empty() && text.len() <= SHORT * 4 => {
            Some(one_line(text)).filter(|line| !line.is_empty())
        }
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A text field: a string, or a list of strings.
fn running(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Array(items) => {
            let sentences: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            (!sentences.is_empty()).then(|| sentences.join(" "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_names_titles_and_text() {
        let doc = extract(
            "{\"_id\": 7, \"title\": \"T\", \"sentences\": [\"One.\", \"Two.\"]}\nbroken\n\n{\"city\": \"Rome\", \"people\": 3}\n[1]\n",
        );
        assert_eq!(doc.text, "One. Two.\ncity: Rome; people: 3\n");
        assert_eq!(doc.records[0].name, "7");
        assert_eq!(doc.records[0].title.as_deref(), Some("T"));
        assert_eq!(doc.records[1].name, "line 4");
        assert!(doc.notes[0].contains("2 lines") && doc.notes[0].contains("2, 5"));
    }
    #[test]
    fn escaped_control_characters_vanish() {
        let doc = extract(
            "{\"id\": \"a\\u0007b\", \"title\": \"\\u001b[1mT\", \"text\": \"soft\\u00adhyphen\\u0000\\u001b[31m\"}\n\"\\u0008\"\n",
        );
        assert_eq!(doc.text, "softhyphen [31m\n");
        assert_eq!(doc.records.len(), 1);
        assert_eq!(doc.records[0].name, "a b");
        assert_eq!(doc.records[0].title.as_deref(), Some("[1mT"));
    }
}
