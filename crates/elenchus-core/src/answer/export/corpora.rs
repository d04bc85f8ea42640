//! The attack corpora through every sink of an answer. They lie outside the repository; without them each test says so.

use super::fixture::{addressed, hostile, with_claims};
use super::{bibtex, csv, reference};
use crate::answer::{Answer, to_bibtex, to_csl_json, to_csv, to_html, to_markdown, to_ris};
use crate::inquiry::Options;
use crate::prompt::{DraftSection, ModelCall, ModelReply};
use crate::testkit::{World, drive};
use crate::text::is_invisible;
use dom_query::{Document, NodeRef};
use serde_json::Value;
use std::path::PathBuf;

/// A folder of the attack corpora; `None`, with a line, when there is none.
#[expect(
    clippy::disallowed_methods,
    reason = "these tests read hostile samples that must not lie in the repository"
)]
fn file(name: &str) -> Option<String> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    if let Ok(bytes) = std::fs::read(root.join("attacks").join(name)) {
        return Some(String::from_utf8_lossy(&bytes).into_owned());
    }
    println!("skip: no data: attacks/{name}; set ELENCHUS_DATA to the folder that holds it");
    None
}

/// The field of every line of a file of JSON lines, or the lines of a text.
fn texts(name: &str, field: &str) -> Vec<String> {
    let Some(all) = file(name) else { return vec![] };
    let ending = name.rsplit('.').next();
    if ending == Some("txt") {
        return all.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    }
    if ending == Some("json") {
        return serde_json::from_str(&all).expect("a list of strings");
    }
    all.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|row| row[field].as_str().map(str::to_owned))
        .collect()
}

fn scripts() -> Vec<String> {
    let mut all = texts("xss/payloadbox_xss_all.txt", "");
    all.extend(texts("xss/dompurify_expect.jsonl", "payload"));
    all.extend(texts("xss/patt_xss_blocks.jsonl", "payload"));
    all.extend(texts("naughty/blns.json", ""));
    all.extend(texts("xss/own_markdown_vectors.jsonl", "payload"));
    all
}

/// Classes of charts.
const CHART_CLASSES: &[&str] = &[
    "chart", "scroll", "plot", "track", "ink", "axis", "grid", "s1", "s2", "s3", "s4", "s5", "s6",
    "f1", "f2", "f3", "f4", "f5", "f6",
];

/// What a page does by itself or at a click that is more than showing text; `links` says whether links to the web are
/// expected.
fn live(html: &str, links: bool) -> Vec<String> {
    let document = Document::from(html);
    let mut found = Vec::new();
    for node in document.root().descendants_it().filter(NodeRef::is_element) {
        let name = node.node_name().map(|name| name.to_string().to_lowercase()).unwrap_or_default();
        let plain = [
            "html",
            "head",
            "body",
            "main",
            "title",
            "meta",
            "p",
            "br",
            "ul",
            "ol",
            "li",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "strong",
            "em",
            "q",
            "span",
            "code",
            "pre",
            "blockquote",
            "hr",
            "del",
            "table",
            "thead",
            "tbody",
            "tr",
            "td",
            "th",
            "dl",
            "dt",
            "dd",
            "sup",
            "sub",
            "a",
            "div",
            "style",
            "h3",
        ];
        // What charts are made of, which only the page has.
        let drawn = [
            "figure",
            "figcaption",
            "details",
            "summary",
            "svg",
            "desc",
            "rect",
            "path",
            "circle",
            "text",
        ];
        let plain = |name: &str| plain.contains(&name) || (links && drawn.contains(&name));
        if !plain(&name) {
            found.push(format!("<{name}>"));
        }
        if name == "style" && !links {
            found.push("<style>".to_owned());
        }
        for attribute in node.attrs() {
            let key = attribute.name.local.to_string().to_lowercase();
            let value = attribute.value.to_string();
            let fits = match (name.as_str(), key.as_str()) {
                ("a", "href") => {
                    value.starts_with('#')
                        || (links && reference::web_address(&value).as_ref() == Some(&value))
                }
                ("a", "rel") => value.contains("noreferrer"),
                ("html", "lang") | ("li", "value" | "id") | ("q", "dir") | ("ol", "start") => true,
                ("meta", "charset" | "name" | "content" | "http-equiv") => {
                    links && !value.contains("refresh")
                }
                ("th", "scope") => true,
                ("svg" | "title" | "desc", "id") => value.starts_with("figure-"),
                (
                    "svg",
                    "role" | "aria-labelledby" | "viewbox" | "font-size" | "fill" | "xmlns",
                ) => links,
                ("a" | "div", "aria-label") => links,
                ("div", "tabindex") => links && value == "0",
                ("div", "role") => links && value == "group",
                ("rect" | "path" | "circle" | "text", key) if key != "class" => {
                    links
                        && [
                            "x",
                            "y",
                            "width",
                            "height",
                            "cx",
                            "cy",
                            "r",
                            "d",
                            "fill",
                            "stroke",
                            "stroke-width",
                            "stroke-dasharray",
                            "fill-opacity",
                            "text-anchor",
                        ]
                        .contains(&key)
                }
                (_, "class") => {
                    ["about", "foot", "sources", "math math-inline", "math math-display"]
                        .contains(&value.as_str())
                        || (links && CHART_CLASSES.contains(&value.as_str()))
                }
                _ => false,
            };
            if !fits {
                found.push(format!("<{name} {key}={value:?}>"));
            }
        }
    }
    found
}

/// What another program makes of Markdown.
fn by_reader(markdown: &str, options: pulldown_cmark::Options) -> String {
    let mut html = String::new();
    let parser = pulldown_cmark::Parser::new_ext(markdown, options);
    pulldown_cmark::html::push_html(&mut html, parser);
    html
}

/// An answer that a whole run composed: the payload is asked, planned, quoted, cited and put over a section.
fn composed(payload: &str) -> Answer {
    let words = format!("The lamp {payload} was lit in 1931.");
    let heading = payload.to_owned();
    let world = World::new(payload)
        .document(
            payload,
            &format!("# {payload}\nby: {payload}\n\n{words}\n\nThe lamp {payload} was lit twice."),
        )
        .script(move |call| {
            let ModelCall::Draft(input) = call else { return None };
            Some(Ok(ModelReply::Draft(crate::prompt::Draft {
                conclusion: input.facts.iter().take(1).map(|fact| fact.id.clone()).collect(),
                sections: vec![DraftSection {
                    heading: heading.clone(),
                    facts: input.facts.iter().skip(1).map(|fact| fact.id.clone()).collect(),
                }],
                ..crate::prompt::Draft::default()
            })))
        });
    let question = format!("When was the lamp {payload} lit and who is {payload}?");
    let driven = drive(&world, &question, Options { critique: false, ..Options::default() });
    driven.run.view().answer().expect("a run ends with an answer").clone()
}

fn every(payload: &str) -> [Answer; 3] {
    [
        with_claims(hostile(payload)),
        composed(payload),
        addressed(&format!("https://a.example/{payload}")),
    ]
}

/// Holes in the reports of answers with a payload in them.
fn holes(payload: &str, answers: &[Answer], wrong: &mut Vec<String>) {
    for answer in answers {
        let markdown = to_markdown(answer);
        let html = to_html(answer);
        let mut found = live(&by_reader(&markdown, pulldown_cmark::Options::all()), false);
        // Many programs know neither front matter nor anything else that is not in CommonMark.
        found.extend(live(&by_reader(&markdown, pulldown_cmark::Options::empty()), false));
        found.extend(live(&html, true));
        if (markdown + &html).chars().any(|c| c != '\n' && is_invisible(c)) {
            found.push("an invisible character".to_owned());
        }
        if !found.is_empty() {
            wrong.push(format!("{payload:?}: {found:?}"));
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the campaign of the night is told from a change so")]
fn no_payload_lives_in_a_report() {
    // Every twelfth for a change, and a fifth of these in an answer that a run composed; all of them in both at night.
    let (apart, composed_apart) =
        if std::env::var_os("ELENCHUS_NIGHTLY").is_some() { (1, 1) } else { (12, 5) };
    let all: Vec<String> = scripts().into_iter().step_by(apart).collect();
    let mut wrong = Vec::new();
    for (at, payload) in all.iter().enumerate() {
        // A run for each of them takes most of the time.
        let mut answers =
            vec![with_claims(hostile(payload)), addressed(&format!("https://a.example/{payload}"))];
        if at % composed_apart == 0 {
            answers.push(composed(payload));
        }
        holes(payload, &answers, &mut wrong);
    }
    println!(
        "{} payloads as question, title, author, path, quote and heading through Markdown and HTML",
        all.len()
    );
    assert!(
        wrong.is_empty(),
        "{} of {}: {:#?}",
        wrong.len(),
        all.len(),
        &wrong[..wrong.len().min(12)]
    );
}

#[test]
fn no_payload_leaves_its_field() {
    let mut all = scripts();
    all.extend(texts("csv/patt_csv_injection.jsonl", "payload"));
    all.extend(texts("crlf/patt_crlf.txt", ""));
    all.extend(texts("terminal/own_escape_sequences.jsonl", "text"));
    all.extend(texts("sql/payloadbox_sqli.jsonl", "payload"));
    for payload in &all {
        let answer = hostile(payload);
        assert_eq!(bibtex::entries(&to_bibtex(&answer)), 1, "{payload:?}");
        let ris = to_ris(&answer);
        let lines: Vec<&str> = ris.split('\n').filter(|line| !line.is_empty()).collect();
        assert!(lines.iter().all(|line| line.get(2..6) == Some("  - ")), "{payload:?}: {lines:?}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("TY")).count(), 1, "{payload:?}");
        let csl: Vec<Value> = serde_json::from_str(&to_csl_json(&answer)).expect("it is JSON");
        assert_eq!(csl.len(), 1, "{payload:?}");
        let table = to_csv(&answer);
        let cells = csv::cells(&table);
        assert_eq!(cells.len(), 18, "{payload:?}: {cells:?}");
        for cell in &cells[9..] {
            let begins = cell.trim_start_matches([' ', '"']).chars().next();
            assert!(!begins.is_some_and(|c| "=+-@\t\r".contains(c)), "{payload:?}: {cell:?}");
        }
        for text in [to_bibtex(&answer), ris, to_csl_json(&answer), table] {
            assert!(!text.chars().any(|c| c != '\n' && is_invisible(c)), "{payload:?}: {text:?}");
        }
    }
    println!("{} payloads through BibTeX, RIS, CSL-JSON and CSV", all.len());
}

#[test]
fn no_sign_that_a_terminal_obeys_leaves_a_report() {
    let mut all = texts("terminal/own_escape_sequences.jsonl", "text");
    all.extend((0..=0x9F_u32).filter_map(char::from_u32).map(|c| format!("a{c}b{c}[31m")));
    // Reproducible noise: every byte is as likely as any other.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            })
            .collect();
        all.push(String::from_utf8_lossy(&bytes).into_owned());
        all.push(bytes.iter().map(|byte| char::from(*byte)).collect());
    }
    for payload in &all {
        for answer in every(payload) {
            for text in [to_markdown(&answer), to_html(&answer)] {
                let found: Vec<char> =
                    text.chars().filter(|c| *c != '\n' && is_invisible(*c)).collect();
                assert!(found.is_empty(), "{payload:?}: {found:?}");
            }
        }
    }
}

/// For `scripts/browse_reports.py`, which opens them in a browser: many hostile answers a file.
#[test]
#[ignore = "writes files for a browser; cargo xtask nightly runs it where there is one"]
#[expect(clippy::disallowed_methods, reason = "the folder is named by whoever wants the reports")]
fn every_hostile_report_is_written() {
    let Some(folder) = std::env::var_os("ELENCHUS_REPORTS").map(PathBuf::from) else { return };
    for (at, payload) in scripts().iter().enumerate() {
        let file = folder.join(format!("{at:05}.html"));
        std::fs::write(&file, to_html(&with_claims(hostile(payload))))
            .expect("the folder can be written to");
        if at % 10 == 0 {
            let answer = addressed(&format!("https://a.example/{payload}"));
            std::fs::write(folder.join(format!("{at:05}u.html")), to_html(&answer))
                .expect("the folder can be written to");
        }
    }
}
