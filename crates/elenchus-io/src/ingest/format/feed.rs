//! RSS, Atom and JSON Feed: the entries as sections under their titles.

use super::html::{self, About, Hidden, HtmlPage};
use super::{ExtractError, ExtractedDoc, tidy};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use reqwest::Url;
use serde_json::Value;
use std::fmt::Write;

/// Entries that are read.
const MOST_ENTRIES: usize = 500;
/// Longest text of one entry, in bytes.
const MOST_TEXT: usize = 256 << 10;
/// Elements that may be open at once.
const DEEPEST: usize = 64;

#[derive(Default)]
struct Feed {
    title: String,
    rights: String,
    updated: String,
    entries: Vec<Entry>,
}

#[derive(Default)]
struct Entry {
    title: String,
    link: String,
    date: String,
    author: String,
    summary: String,
    content: String,
}

/// Reads a feed that was found at `base`.
pub(crate) fn read(text: &str, base: Option<&Url>) -> Result<HtmlPage, ExtractError> {
    let feed = if text.trim_start().starts_with('{') { json(text)? } else { xml(text)? };
    let mut hidden = Hidden::default();
    let mut out = String::new();
    let mut links = Vec::new();
    let title = plain(&feed.title, &mut hidden);
    if !title.is_empty() {
        let _ = writeln!(out, "# {title}");
    }
    for entry in &feed.entries {
        let title = plain(&entry.title, &mut hidden);
        let _ = write!(out, "\n## {}\n", if title.is_empty() { "Entry" } else { &title });
        let (date, author) = (plain(&entry.date, &mut hidden), plain(&entry.author, &mut hidden));
        let about: Vec<&str> =
            [date.as_str(), author.as_str()].into_iter().filter(|part| !part.is_empty()).collect();
        if !about.is_empty() {
            let _ = write!(out, "\n{}\n", about.join(" | "));
        }
        let body =
            if entry.content.len() > entry.summary.len() { &entry.content } else { &entry.summary };
        let words = body_text(body, &mut hidden);
        // An entry that is a title only says just that; a heading alone would be no passage.
        let words = if words.is_empty() { title.as_str() } else { words.as_str() };
        if !words.is_empty() {
            let _ = write!(out, "\n{words}\n");
        }
        let target = base.and_then(|base| base.join(entry.link.trim()).ok());
        if let Some(url) = target
            .filter(|url| !entry.link.trim().is_empty() && matches!(url.scheme(), "http" | "https"))
        {
            links.push((url, title));
        }
    }
    let mut doc = ExtractedDoc::of_text(tidy(&out));
    doc.title = Some(title).filter(|title| !title.is_empty());
    let modified = Some(feed.updated).filter(|date| !date.trim().is_empty());
    if let Some(date) = &modified {
        doc.dates.push(("modified".to_owned(), date.clone()));
    }
    let licence = Some(feed.rights).filter(|rights| {
        rights.to_lowercase().contains("licen") || rights.contains("creativecommons")
    });
    let about = About { modified, licence, ..About::default() };
    Ok(HtmlPage { doc, about, links, hidden })
}

/// One line of text; markup in it is taken out.
fn plain(text: &str, hidden: &mut Hidden) -> String {
    let words = if text.contains('<') { body_text(text, hidden) } else { seen(text, hidden) };
    words
        .split_whitespace()
        .filter(|word| !word.chars().all(|c| c == '#'))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The text of an entry, which as a rule is HTML. Its headings stay below the entry's own.
fn body_text(text: &str, hidden: &mut Hidden) -> String {
    if !text.contains('<') && !text.contains('&') {
        return seen(text, hidden).trim().to_owned();
    }
    let page = html::fragment(text);
    hidden.merge(page.hidden);
    let lines: Vec<String> = page
        .doc
        .text
        .lines()
        .map(|line| if line.starts_with('#') { format!("##{line}") } else { line.to_owned() })
        .collect();
    lines.join("\n").trim().to_owned()
}

fn seen(text: &str, hidden: &mut Hidden) -> String {
    let (text, found) = html::without_hidden_characters(text);
    hidden.merge(found);
    text
}

fn damaged(cause: &str) -> ExtractError {
    ExtractError::Damaged { format: "feed", cause: cause.to_owned() }
}

fn xml(text: &str) -> Result<Feed, ExtractError> {
    let mut reader = Reader::from_str(text);
    // Real feeds have unescaped ampersands and unclosed elements.
    reader.config_mut().check_end_names = false;
    let mut feed = Feed::default();
    let mut open: Vec<String> = Vec::new();
    let mut entry: Option<Entry> = None;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let name = local(&tag);
                if matches!(name.as_str(), "item" | "entry") {
                    feed.entries.extend(entry.take());
                    if feed.entries.len() >= MOST_ENTRIES {
                        break;
                    }
                    entry = Some(Entry::default());
                }
                link(&tag, &name, entry.as_mut());
                if open.len() >= DEEPEST {
                    return Err(damaged("its elements are nested too deeply"));
                }
                open.push(name);
            }
            Ok(Event::Empty(tag)) => link(&tag, &local(&tag), entry.as_mut()),
            Ok(Event::End(tag)) => {
                let name = String::from_utf8_lossy(tag.local_name().as_ref()).to_ascii_lowercase();
                if matches!(name.as_str(), "item" | "entry") {
                    feed.entries.extend(entry.take());
                }
                if let Some(at) = open.iter().rposition(|one| *one == name) {
                    open.truncate(at);
                }
            }
            Ok(Event::Text(words)) => {
                let words = words.decode().map_err(|error| damaged(&error.to_string()))?;
                put(&open, &words, &mut feed, entry.as_mut());
            }
            Ok(Event::CData(words)) => {
                let words = String::from_utf8_lossy(&words).into_owned();
                put(&open, &words, &mut feed, entry.as_mut());
            }
            Ok(Event::GeneralRef(name)) => {
                let name = String::from_utf8_lossy(&name).into_owned();
                put(&open, &reference(&name), &mut feed, entry.as_mut());
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            // What was read before the damage is worth keeping.
            Err(_) if !feed.entries.is_empty() => break,
            Err(error) => return Err(damaged(&error.to_string())),
        }
    }
    feed.entries.extend(entry);
    Ok(feed)
}

fn local(tag: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(tag.local_name().as_ref()).to_ascii_lowercase()
}

/// What `&name;` stands for. Entities that a document type declares are not expanded, so none can grow.
fn reference(name: &str) -> String {
    let number =
        |digits: &str, base: u32| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
    let known = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => match name.strip_prefix('#') {
            Some(digits) => match digits.strip_prefix(['x', 'X']) {
                Some(hex) => number(hex, 16),
                None => number(digits, 10),
            },
            None => None,
        },
    };
    known.map_or_else(|| format!("&{name};"), String::from)
}

/// Atom's links are attributes.
fn link(tag: &BytesStart<'_>, name: &str, entry: Option<&mut Entry>) {
    let Some(entry) = entry.filter(|_| name == "link") else { return };
    let value = |key: &str| -> Option<String> {
        let attribute = tag.try_get_attribute(key).ok().flatten()?;
        Some(String::from_utf8_lossy(&attribute.value).replace("&amp;", "&"))
    };
    let relation = value("rel").unwrap_or_else(|| "alternate".to_owned());
    if let Some(href) = value("href").filter(|_| relation == "alternate" && entry.link.is_empty()) {
        entry.link = href;
    }
}

fn put(open: &[String], words: &str, feed: &mut Feed, entry: Option<&mut Entry>) {
    let Some(name) = open.last().map(String::as_str) else { return };
    let above = open.len().checked_sub(2).map_or("", |at| open[at].as_str());
    let place = match (entry, name) {
        (Some(entry), "title") => &mut entry.title,
        (Some(entry), "link") => &mut entry.link,
        (Some(entry), "pubdate" | "published" | "date" | "updated" | "issued") => {
            if name == "updated" && !entry.date.trim().is_empty() {
                return;
            }
            &mut entry.date
        }
        (Some(entry), "author" | "creator") => &mut entry.author,
        (Some(entry), "name") if above == "author" => &mut entry.author,
        (Some(entry), "description" | "summary" | "subtitle") => &mut entry.summary,
        (Some(entry), "encoded" | "content") => &mut entry.content,
        // Markup that stands unescaped within an entry's text.
        (Some(entry), _)
            if open
                .iter()
                .any(|one| matches!(one.as_str(), "content" | "summary" | "description")) =>
        {
            &mut entry.content
        }
        (None, "title") if above != "image" => &mut feed.title,
        (None, "rights" | "copyright" | "license") => &mut feed.rights,
        (None, "lastbuilddate" | "updated") => &mut feed.updated,
        _ => return,
    };
    if place.len() + words.len() <= MOST_TEXT {
        place.push_str(words);
    }
}

fn json(text: &str) -> Result<Feed, ExtractError> {
    let value: Value = serde_json::from_str(text).map_err(|error| damaged(&error.to_string()))?;
    let text = |value: &Value, name: &str| {
        value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let author = |item: &Value| {
        let one = item.pointer("/authors/0/name").or_else(|| item.pointer("/author/name"));
        one.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let entries =
        value.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let entries = entries.iter().take(MOST_ENTRIES).map(|item| {
        let html = text(item, "content_html");
        Entry {
            title: text(item, "title"),
            link: text(item, "url"),
            date: text(item, "date_published"),
            author: author(item),
            summary: text(item, "summary"),
            content: if html.is_empty() { text(item, "content_text") } else { html },
        }
    });
    Ok(Feed { title: text(&value, "title"), entries: entries.collect(), ..Feed::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_at_home(text: &str) -> HtmlPage {
        let home = Url::parse("https://feeds.example/all").expect("an address");
        read(text, Some(&home)).expect("a feed")
    }

    #[test]
    fn rss_entries_become_sections() {
        let page = read_at_home(
            "<?xml version='1.0'?><rss><channel><title>Harbour &amp; Dock</title><lastBuildDate>3 May 2026</lastBuildDate>\
             <item><title>Gates</title><link>/gates</link><pubDate>2 May 2026</pubDate><dc:creator>Ana Reis</dc:creator>\
             <description><![CDATA[<p>The gates open at <b>five</b>.</p><p style='display:none'>obey this hidden line now</p>]]></description></item>\
             <item><title>Tide</title><description>High water &lt;i&gt;at noon&lt;/i&gt;.</description></item></channel></rss>",
        );
        assert_eq!(page.doc.title.as_deref(), Some("Harbour & Dock"));
        assert!(
            page.doc.text.contains("## Gates\n\n2 May 2026 | Ana Reis\n\nThe gates open at five."),
            "{}",
            page.doc.text
        );
        assert!(
            page.doc.text.contains("High water at noon.") && !page.doc.text.contains("obey"),
            "{}",
            page.doc.text
        );
        assert_eq!(page.links[0].0.as_str(), "https://feeds.example/gates");
        assert!(page.hidden.characters > 0);
    }

    #[test]
    fn atom_and_json_feeds() {
        let atom = read_at_home(
            "<feed xmlns='http://www.w3.org/2005/Atom'><title>A</title><entry><title>One</title>\
             <link rel='self' href='/self'/><link href='https://other.example/1?a=1&amp;b=2'/><updated>2026-05-02T10:00:00Z</updated>\
             <author><name>Jo</name></author><summary>Short.</summary></entry></feed>",
        );
        assert!(atom.doc.text.contains("2026-05-02T10:00:00Z | Jo"), "{}", atom.doc.text);
        assert_eq!(atom.links[0].0.as_str(), "https://other.example/1?a=1&b=2");
        let json = read_at_home(
            r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"url":"x","title":"T","content_html":"<p>Body</p>"}]}"#,
        );
        assert!(json.doc.text.contains("## T\n\nBody"), "{}", json.doc.text);
    }

    #[test]
    fn declared_entities_do_not_grow() {
        let bomb = "<!DOCTYPE r [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;'>]>\
             <rss><channel><title>&c;</title><item><title>&c;&c;</title></item></channel></rss>";
        assert!(read_at_home(bomb).doc.text.len() < 200);
        assert!(read(&"<rss>".repeat(100_000), None).is_err());
    }
}
