//! CSL-JSON, as Zotero, pandoc and citeproc read it.

use super::reference::Reference;
use crate::answer::Answer;
use crate::evidence::{DatePrecision, PartialDate};
use serde_json::{Value, json};

/// The cited documents as a CSL-JSON array, indented.
pub fn to_csl_json(answer: &Answer) -> String {
    let items: Vec<Value> = Reference::all(answer).iter().map(item).collect();
    let mut text =
        serde_json::to_string_pretty(&items).expect("strings and numbers are always JSON");
    text.push('\n');
    text
}

fn item(one: &Reference) -> Value {
    let mut item = json!({
        "id": one.key,
        "type": if one.url.is_some() { "webpage" } else { "document" },
        "title": plain(&one.title),
        "accessed": { "date-parts": [parts(one.accessed)] },
        "note": plain(&one.note()),
    });
    if let Some(author) = one.writer() {
        item["author"] = json!([{ "literal": plain(author) }]);
    }
    if let Some(date) = &one.date {
        item["issued"] = json!({ "date-parts": [parts(date.value)] });
    }
    if let Some(url) = &one.url {
        item["URL"] = json!(url);
    }
    if let Some(path) = &one.path {
        item["archive_location"] = json!(plain(path));
    }
    item
}

fn parts(date: PartialDate) -> Vec<i32> {
    match date.precision {
        DatePrecision::Day => vec![date.year, i32::from(date.month), i32::from(date.day)],
        DatePrecision::Month => vec![date.year, i32::from(date.month)],
        DatePrecision::Year | DatePrecision::Half | DatePrecision::Quarter => vec![date.year],
    }
}

/// Processors read some tags in a text as markup, and `{:name: value}` in a note as a further field: neither is meant
/// by whoever is quoted, so that the first sign of each gives way to one that looks like it.
fn plain(text: &str) -> String {
    text.replace('<', "\u{2039}").replace("{:", "{ :")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, hostile};
    use super::*;

    #[test]
    fn an_item_is_complete() {
        insta::assert_snapshot!(to_csl_json(&answer()));
    }

    #[test]
    fn nothing_is_markup_or_a_field() {
        let shown =
            to_csl_json(&hostile("\"},{\"id\":\"x\" <span class=\"x\"> {:URL: http://a.example}"));
        let read: Vec<Value> = serde_json::from_str(&shown).unwrap();
        assert_eq!(read.len(), 1);
        assert!(!shown.contains('<') && !shown.contains("{:"), "{shown}");
        assert_eq!(read[0].get("URL"), None);
    }
}
