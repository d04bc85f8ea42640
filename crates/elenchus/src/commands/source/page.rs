//! Cited documents as one page that needs nothing else: no scripts, no styles, nothing remote.

use super::Opened;
use crate::time;
use elenchus_core::evidence::{Source, Span};
use std::fmt::Write;

/// Loads nothing and runs nothing, whatever a document may have smuggled into its text.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'";

/// The page, with every quote in `mark`.
pub(super) fn written(run: &str, question: &str, opened: &[Opened]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Sources of run {}</title>\n</head>\n<body>\n<h1>{}</h1>\n",
        escaped(run),
        escaped(question),
    );
    for one in opened {
        section(&mut out, one);
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn section(out: &mut String, one: &Opened) {
    let source = &one.source;
    let _ =
        writeln!(out, "<section>\n<h2>[{}] {}</h2>\n<dl>", one.citation, escaped(&source.title));
    for (name, value) in facts(source) {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
    }
    let _ = writeln!(out, "</dl>");
    let mut marks: Vec<Span> = Vec::new();
    for found in &one.quotes {
        let _ = write!(out, "<p>{}", escaped(found.state.words()));
        match (&found.link, found.span) {
            (Some(link), Some(_)) => {
                let _ = write!(
                    out,
                    ": <a rel=\"noreferrer noopener\" href=\"{}\">open the page at the quote</a>",
                    escaped(link)
                );
            }
            (None, Some(_)) => {}
            (_, None) => {
                let _ = write!(out, ": <q>{}</q>", escaped(&found.quote));
            }
        }
        let _ = writeln!(out, "</p>");
        marks.extend(found.span);
    }
    marks.sort_unstable();
    out.push_str("<article>\n");
    text(out, &one.text, &marks);
    out.push_str("</article>\n</section>\n");
}

fn facts(source: &Source) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Address", source.path.clone())];
    facts.extend(source.author.clone().map(|author| ("Author", author)));
    facts.extend(
        source.date.as_ref().map(|date| ("Date", format!("{} ({})", date.value, date.stated))),
    );
    if let Some(web) = &source.web {
        facts.push(("Site", web.site.clone()));
        facts.push(("Retrieved", time::shown(web.retrieved_at.0)));
        facts.push(("By way of", web.via.clone()));
        facts.extend(web.licence.clone().map(|licence| ("Licence", licence)));
        if web.hidden > 0 {
            facts.push(("Hidden from readers", format!("{} characters, left out", web.hidden)));
        }
    }
    facts.push(("SHA-256", source.content_hash.clone()));
    facts
}

/// The text line by line, so that no mark stretches over the end of a paragraph.
fn text(out: &mut String, text: &str, marks: &[Span]) {
    let mut start = 0;
    for line in text.split('\n') {
        let chars: Vec<char> = line.chars().collect();
        let end = start + chars.len();
        if !line.trim().is_empty() {
            out.push_str("<p>");
            let mut at = start;
            for mark in marks.iter().filter(|mark| mark.start < end && mark.end > start) {
                let (from, to) = (mark.start.max(at), mark.end.min(end));
                if from >= to {
                    continue;
                }
                let piece = |from: usize, to: usize| {
                    chars[from - start..to - start].iter().collect::<String>()
                };
                let _ = write!(
                    out,
                    "{}<mark>{}</mark>",
                    escaped(&piece(at, from)),
                    escaped(&piece(from, to))
                );
                at = to;
            }
            let rest: String = chars[at - start..].iter().collect();
            let _ = writeln!(out, "{}</p>", escaped(&rest));
        }
        start = end + 1;
    }
}

/// Text that is nothing but text, in elements and in quoted attributes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' => out.push(c),
            c if c.is_control()
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                out.push(' ');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Found, State};
    use super::*;
    use elenchus_core::evidence::{DocDate, PartialDate, Vintage, WebPage};
    use elenchus_core::id::{SourceId, Timestamp};
    use std::path::{Path, PathBuf};

    /// The scripts of the attack corpora; none, with a line, where there are none.
    fn scripts() -> Vec<String> {
        let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
            PathBuf::from,
        );
        let read = |name: &str| std::fs::read_to_string(root.join("attacks").join(name));
        let mut all: Vec<String> = Vec::new();
        for name in [
            "xss/payloadbox_xss_all.txt",
            "xss/dompurify_expect.jsonl",
            "xss/patt_xss_blocks.jsonl",
            "xss/own_markdown_vectors.jsonl",
        ] {
            match read(name) {
                Ok(text) => all.extend(text.lines().map(|line| {
                    let row = serde_json::from_str::<serde_json::Value>(line).unwrap_or_default();
                    row["payload"].as_str().unwrap_or(line).to_owned()
                })),
                Err(_) => println!("skip: attacks/{name} is not there; set ELENCHUS_DATA"),
            }
        }
        if let Ok(text) = read("naughty/blns.json") {
            all.extend(serde_json::from_str::<Vec<String>>(&text).expect("a list of strings"));
        }
        all
    }

    /// A cited page that says these words wherever a page may say something.
    fn cited(words: &str) -> Opened {
        let url = format!("https://a.example/{words}");
        let found = |span, link| Found {
            quote: words.to_owned(),
            location: words.to_owned(),
            span,
            state: State::InPlace,
            selector: None,
            link,
        };
        let span = Span { start: 4, end: 4 + words.chars().count() };
        let web = WebPage {
            url: url.clone(),
            site: words.to_owned(),
            retrieved_at: Timestamp(0),
            via: words.to_owned(),
            published: None,
            modified: None,
            licence: Some(words.to_owned()),
            hidden: 3,
            one_with: Vec::new(),
            self_published: false,
        };
        let date = DocDate { value: PartialDate::year(2026), stated: words.to_owned() };
        Opened {
            citation: 1,
            source: Source {
                id: SourceId("src_1".to_owned()),
                path: url.clone(),
                title: words.to_owned(),
                author: Some(words.to_owned()),
                date: Some(date),
                vintage: Vintage::default(),
                content_hash: words.to_owned(),
                family: String::new(),
                cluster: SourceId("src_1".to_owned()),
                web: Some(Box::new(web)),
            },
            from: String::new(),
            quotes: vec![found(Some(span), Some(url)), found(None, None)],
            text: format!("See {words} here."),
        }
    }

    /// The tags of a page without the addresses that they lead to, which are those of the cited page.
    fn tags(html: &str) -> Vec<String> {
        let tags = html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default());
        let bare = tags.map(|tag| match tag.split_once("href=\"") {
            Some((before, rest)) => {
                let (address, after) = rest.split_once('"').expect("an attribute ends");
                assert!(address.starts_with("https://a.example/"), "{address}");
                format!("{before}{after}")
            }
            None => tag.to_owned(),
        });
        bare.collect()
    }

    #[test]
    fn no_payload_adds_a_tag_or_an_attribute() {
        let page = |words: &str| written("run_1", words, &[cited(words)]);
        let expected = tags(&page("harmless words"));
        assert!(expected.iter().any(|tag| tag == "mark") && expected.len() > 40, "{expected:?}");
        for payload in scripts() {
            let payload = payload.replace(['\n', '\r'], " ");
            if !payload.trim().is_empty() {
                assert_eq!(tags(&page(&payload)), expected, "{payload:?}");
            }
        }
    }

    #[test]
    fn marks_stay_within_lines_and_all_is_escaped() {
        let mut out = String::new();
        let words = "a <b>\nc & d\n\n\"e\" f";
        text(
            &mut out,
            words,
            &[Span { start: 2, end: 9 }, Span { start: 4, end: 7 }, Span { start: 13, end: 16 }],
        );
        assert_eq!(
            out,
            "<p>a <mark>&lt;b&gt;</mark></p>\n<p><mark>c &amp;</mark> d</p>\n<p><mark>&quot;e&quot;</mark> f</p>\n"
        );
    }

    #[test]
    fn nothing_gets_out_of_an_attribute() {
        assert_eq!(escaped("\"' onload=x <\u{1b}\u{202e}>"), "&quot;&#39; onload=x &lt;  &gt;");
    }
}
