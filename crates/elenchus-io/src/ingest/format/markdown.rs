//! Markdown: front matter, then the text as it stands.

use super::ExtractedDoc;

/// Splits a front-matter block off; everything else is left to the block parser.
pub(super) fn extract(text: String) -> ExtractedDoc {
    let (front, body) = front_matter(&text);
    let mut doc = ExtractedDoc::of_text(match body {
        Some(body) => body.to_owned(),
        None => text.clone(),
    });
    for (key, value) in front {
        match key.as_str() {
            "title" => doc.title = Some(value),
            "author" | "authors" | "by" | "prepared_by" => doc.author = Some(value),
            "date" | "updated" | "last_updated" | "last-updated" | "lastmod" | "modified"
            | "published" | "effective" | "as_of" => doc.dates.push((key, value)),
            _ => doc.front.push((key, value)),
        }
    }
    // The word that says when the text was current wins over when it first appeared.
    doc.dates.sort_by_key(|(key, _)| match key.as_str() {
        "last_updated" | "last-updated" | "updated" | "lastmod" | "modified" => 0,
        "as_of" | "effective" => 1,
        _ => 2,
    });
    doc
}

/// `key: value` lines between two `---` (or `+++`) lines at the very top; the body only if there are any.
fn front_matter(text: &str) -> (Vec<(String, String)>, Option<&str>) {
    let none = (Vec::new(), None);
    let Some(fence) = ["---", "+++"].into_iter().find(|fence| {
        text.strip_prefix(fence).is_some_and(|rest| rest.trim_start_matches(' ').starts_with('\n'))
    }) else {
        return none;
    };
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut at = text.find('\n').map_or(text.len(), |end| end + 1);
    for line in text[at..].split_inclusive('\n').take(100) {
        at += line.len();
        let line = line.trim_end();
        if line == fence || fence == "---" && line == "..." {
            return if pairs.is_empty() { none } else { (pairs, Some(&text[at..])) };
        }
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            // A list below "authors:".
            if let Some(last) = pairs.last_mut() {
                if !last.1.is_empty() {
                    last.1.push_str(", ");
                }
                last.1.push_str(unquote(item));
            }
        } else if let Some((key, value)) = line.split_once([':', '='])
            && key.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
        {
            pairs.push((key.trim().to_lowercase().replace(' ', "_"), unquote(value).to_owned()));
        } else if !line.trim().is_empty() && !line.starts_with([' ', '#', '\t']) {
            return none; // a thematic break and prose, not front matter
        }
    }
    none
}

fn unquote(value: &str) -> &str {
    let value = value.trim();
    let value = value.strip_prefix('[').and_then(|v| v.strip_suffix(']')).unwrap_or(value);
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|v| v.strip_suffix(quote)) {
            return inner;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_taken_off() {
        let doc = extract("---\ntitle: \"A: b\"\nauthors:\n  - X\n  - Y\ndate: 2026-05-01\nupdated: 2026-06-01\ntags: [a]\n---\n# H\n".to_owned());
        assert_eq!(doc.title.as_deref(), Some("A: b"));
        assert_eq!(doc.author.as_deref(), Some("X, Y"));
        assert_eq!(doc.dates[0], ("updated".to_owned(), "2026-06-01".to_owned()));
        assert_eq!(doc.text, "# H\n");
    }

    #[test]
    fn a_rule_at_the_top_is_not_front_matter() {
        for text in ["---\n\nProse here\n\n---\nmore", "---\nkey: v\nno end", "no fence\n---\n"] {
            assert_eq!(extract(text.to_owned()).text, text);
        }
    }
}
