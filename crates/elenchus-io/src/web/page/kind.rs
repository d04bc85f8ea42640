//! What a body is: by its content type, else by its first bytes, else by its address.

use crate::ingest::format::{ExtractError, Format};
use reqwest::Url;

/// Bytes that are looked at to tell a format.
const PROBE: usize = 1_024;

/// How a body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Like a file of this format.
    File(Format),
    /// RSS, Atom or JSON Feed.
    Feed,
}

impl Kind {
    /// # Errors
    /// When it is of no format that is read.
    pub(super) fn of(
        content_type: Option<&str>,
        body: &[u8],
        url: &Url,
    ) -> Result<Self, ExtractError> {
        let start = body.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(body.len());
        let start = body[start..].strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body[start..]);
        let probe = String::from_utf8_lossy(&start[..start.len().min(PROBE)]).to_ascii_lowercase();
        // Servers send PDF files under any name; nothing else begins like one.
        if probe.starts_with("%pdf-") {
            return Ok(Self::File(Format::Pdf));
        }
        let stated = content_type.map(essence).unwrap_or_default();
        // What somebody says in a mail is told apart in folders only; on the web it is text as before.
        let by_name = || Format::of(url.path()).filter(|format| *format != Format::Mail);
        Ok(match stated.as_str() {
            "text/html" | "application/xhtml+xml" => match sniffed(&probe) {
                // A feed or text under the name of a page keeps what it is.
                Some(Self::Feed) => Self::Feed,
                _ => Self::File(Format::Html),
            },
            "application/pdf" | "application/x-pdf" => Self::File(Format::Pdf),
            "text/markdown" | "text/x-markdown" => Self::File(Format::Markdown),
            "text/csv" | "text/tab-separated-values" | "application/csv" => {
                Self::File(Format::Table)
            }
            "application/jsonl"
            | "application/x-ndjson"
            | "application/ndjson"
            | "application/jsonlines"
            | "application/x-jsonlines" => Self::File(Format::JsonLines),
            "application/rss+xml"
            | "application/atom+xml"
            | "application/rdf+xml"
            | "application/feed+json" => Self::Feed,
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => {
                Self::File(Format::Docx)
            }
            "text/plain" => match by_name() {
                Some(format) if format.is_text() && format != Format::Html => Self::File(format),
                _ => Self::File(Format::Text),
            },
            ""
            | "application/octet-stream"
            | "binary/octet-stream"
            | "application/unknown"
            | "text/xml"
            | "application/xml"
            | "application/json"
            | "text/json"
            | "unknown/unknown" => {
                let xml_or_json = stated.ends_with("xml") || stated.ends_with("json");
                match (sniffed(&probe), by_name()) {
                    (Some(kind), _) => kind,
                    (None, Some(format)) if !xml_or_json => Self::File(format),
                    (None, None) if stated.is_empty() && is_words(start) => {
                        Self::File(Format::Text)
                    }
                    _ => return Err(refused(&stated)),
                }
            }
            other if other.ends_with("+xml") => sniffed(&probe).ok_or_else(|| refused(other))?,
            other => return Err(refused(other)),
        })
    }
}

fn refused(stated: &str) -> ExtractError {
    let what = if stated.is_empty() { "data of an unknown kind" } else { stated };
    ExtractError::Unsupported { what: what.chars().take(100).collect() }
}

/// "text/html" of "Text/HTML; charset=utf-8".
fn essence(content_type: &str) -> String {
    let first = content_type.split([';', ',']).next().unwrap_or_default();
    first.trim().to_ascii_lowercase()
}

/// The `charset` of a content type.
pub(super) fn charset(content_type: Option<&str>) -> Option<&str> {
    content_type?.split(';').skip(1).find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    })
}

/// By the first characters, in lower case.
fn sniffed(probe: &str) -> Option<Kind> {
    if probe.starts_with('{') {
        return probe.contains("jsonfeed.org/version").then_some(Kind::Feed);
    }
    let mut rest = probe;
    // XML declarations, comments and document types may stand before the first element.
    loop {
        rest = rest.trim_start();
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<?") {
            rest.find("?>").map(|at| at + 2)
        } else if let Some(named) = rest.strip_prefix("<!doctype") {
            if named.trim_start().starts_with("html") {
                return Some(Kind::File(Format::Html));
            }
            rest.find('>').map(|at| at + 1)
        } else {
            break;
        };
        rest = &rest[end?..];
    }
    let name: String = rest
        .strip_prefix('<')?
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == ':')
        .collect();
    match name.as_str() {
        "rss" | "feed" | "rdf:rdf" | "atom:feed" => Some(Kind::Feed),
        "html" | "head" | "body" | "title" | "div" | "p" | "h1" | "h2" | "table" | "article"
        | "section" | "main" | "script" | "meta" | "style" | "span" | "a" | "b" | "br" | "ul"
        | "ol" | "center" | "font" | "header" | "nav" => Some(Kind::File(Format::Html)),
        _ => None,
    }
}

fn is_words(bytes: &[u8]) -> bool {
    let probe = &bytes[..bytes.len().min(PROBE)];
    !probe.contains(&0) && probe.iter().filter(|b| b.is_ascii_control()).count() * 10 < probe.len()
}
