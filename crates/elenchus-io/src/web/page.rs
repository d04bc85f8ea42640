//! A fetched page as a document: text, passages, who published it and when, and the links it names.

mod kind;
mod place;

pub use place::site_of;

use super::independence::is_self_published;
use super::{Vouched, Voucher, secrets};
pub use crate::ingest::format::html::Hidden;
use crate::ingest::format::html::HtmlPage;
use crate::ingest::format::{self, ExtractError, ExtractedDoc, Format, html};
use crate::ingest::metadata::{self, Metadata};
use crate::ingest::{Ingested, LeftOut, content_hash, dates, passages};
use elenchus_core::evidence::{DocDate, PartialDate, Source, WebPage};
use elenchus_core::id::{SourceId, Timestamp};
use kind::Kind;
use place::{canonical, dated_address, file_name};
use reqwest::Url;
use std::collections::HashSet;

/// Most links that are kept of one page.
pub const MOST_LINKS: usize = 2_000;
/// Longest words of a link, in characters.
const LINK_CHARS: usize = 200;

/// What was received for an address.
#[derive(Clone, Debug)]
pub struct RawPage<'a> {
    /// Where the last redirect led.
    pub url: &'a Url,
    /// What was asked for.
    pub requested: &'a Url,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// The `Last-Modified` header.
    pub last_modified: Option<&'a str>,
    /// The `Link` headers, joined by commas: a licence or a canonical address may stand there.
    pub link: Option<&'a str>,
    /// The body, decompressed.
    pub body: &'a [u8],
    /// When it was received.
    pub retrieved_at: Timestamp,
    /// Who named the address.
    pub via: &'a Voucher,
    /// What the provider's result says, for what the page itself does not.
    pub hints: Hints<'a>,
}

/// What a provider says about a page. Weaker than the page's own word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// Its title.
    pub title: Option<&'a str>,
    /// Its author.
    pub author: Option<&'a str>,
    /// When it was published.
    pub published: Option<PartialDate>,
}

/// A link that our parser found on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, vouched for by the page.
    pub url: Vouched,
    /// Its words, on one line; empty for a picture.
    pub text: String,
}

/// A page that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The page as a document. Its source's `path` is its address and `web` is filled.
    pub document: Ingested,
    /// Each address once, in reading order, at most [`MOST_LINKS`].
    pub links: Vec<Link>,
    /// Words that a reader of the page would not have seen; they are not in the document.
    pub hidden: Hidden,
    /// Whether a secret was taken out of what the document says. Its bytes hold it still: as a PDF packs it, or as markup parts it.
    pub is_scrubbed: bool,
}

/// Reads a page.
///
/// The format is told by the content type, else by the first bytes, else by the address; see `docs/web.md`. Secrets are taken out of what
/// the page says, whatever its bytes show.
/// The text's encoding is told by a byte-order mark, the header, a `meta` element, else guessed.
///
/// # Errors
/// When it is of no format that is read, damaged, or holds no text.
pub fn read(page: RawPage<'_>) -> Result<Page, ExtractError> {
    let kind = Kind::of(page.content_type, page.body, page.url)?;
    let mut found = Found::default();
    let charset = kind::charset(page.content_type);
    let (format, mut doc) = match kind {
        Kind::File(Format::Html) => {
            let (text, note) = format::decode_as(page.body, charset, true)?;
            let HtmlPage { mut doc, about, links, hidden } = html::read(&text, Some(page.url));
            doc.notes.extend(note);
            found = Found { about, links, hidden };
            (Format::Html, doc)
        }
        Kind::File(format) if format.is_text() => {
            let (text, note) = format::decode_as(page.body, charset, false)?;
            let mut doc = format::extract_text(format, page.url.path(), text);
            doc.notes.extend(note);
            (format, doc)
        }
        Kind::File(format) => {
            (format, format::extract(format, page.url.path(), page.body.to_vec())?)
        }
        Kind::Feed => {
            let (text, note) = format::decode_as(page.body, charset, true)?;
            let HtmlPage { mut doc, about, links, hidden } =
                format::feed::read(&text, Some(page.url))?;
            doc.notes.extend(note);
            found = Found { about, links, hidden };
            (Format::Markdown, doc)
        }
    };
    if doc.text.trim().is_empty() {
        return Err(ExtractError::Empty);
    }
    if doc.title.is_none() {
        doc.title = page.hints.title.map(str::to_owned).filter(|title| !title.trim().is_empty());
    }
    let is_scrubbed = secrets::of_document(&mut doc);
    let address = canonical(found.about.canonical.as_deref(), page.link, page.url);
    let mut about = metadata::metadata(&doc, format, &file_name(&address), &[]);
    about.author = about.author.or_else(|| page.hints.author.map(secrets::of_text));
    let published = found.about.published.as_deref().and_then(first_date).or(page.hints.published);
    let modified = found.about.modified.as_deref().and_then(first_date);
    about.date = about.date.or_else(|| weak_date(&page, &address, published));
    let licence = found.about.licence.or_else(|| place::linked(page.link, "license"));
    let web = WebPage {
        url: secrets::of_address(&address),
        site: site_of(&address),
        retrieved_at: page.retrieved_at,
        via: page.via.to_string(),
        published,
        modified,
        licence,
        hidden: u32::try_from(found.hidden.characters).unwrap_or(u32::MAX),
        one_with: Vec::new(),
        self_published: is_self_published(&site_of(&address)),
    };
    let links = vouched(found.links, &address, is_scrubbed);
    if let Some(note) = found.hidden.note() {
        doc.notes.push(note);
    }
    let document = document(&address, doc, about, web, content_hash(page.body))?;
    Ok(Page { document, links, hidden: found.hidden, is_scrubbed })
}

/// A document that a provider gave whole.
#[derive(Clone, Debug)]
pub struct Received<'a> {
    /// Where a reader finds it.
    pub url: &'a Url,
    /// Its text as Markdown.
    pub markdown: &'a str,
    /// Its licence, where stated.
    pub licence: Option<&'a str>,
    /// When it was received.
    pub retrieved_at: Timestamp,
    /// Who gave it.
    pub via: &'a Voucher,
    /// What the provider says about it.
    pub hints: Hints<'a>,
}

/// Turns a document that a provider gave whole, such as an abstract, into one that is searched like a page.
///
/// # Errors
/// When it holds no text.
pub fn given(received: Received<'_>) -> Result<Page, ExtractError> {
    let (markdown, hidden) = html::without_hidden_characters(received.markdown);
    let mut doc = format::extract_text(Format::Markdown, "", format::tidy(&markdown));
    let hints = received.hints;
    doc.title =
        hints.title.map(str::to_owned).filter(|title| !title.trim().is_empty()).or(doc.title);
    doc.author = hints.author.map(str::to_owned).or(doc.author);
    secrets::of_document(&mut doc);
    let mut about = metadata::metadata(&doc, Format::Markdown, &file_name(received.url), &[]);
    if let Some(value) = hints.published {
        about.date = Some(DocDate { value, stated: format!("published: {value}") });
    }
    let web = WebPage {
        url: secrets::of_address(received.url),
        site: site_of(received.url),
        retrieved_at: received.retrieved_at,
        via: received.via.to_string(),
        published: hints.published,
        modified: None,
        licence: received.licence.map(str::to_owned),
        hidden: u32::try_from(hidden.characters).unwrap_or(u32::MAX),
        one_with: Vec::new(),
        self_published: is_self_published(&site_of(received.url)),
    };
    let hash = content_hash(received.markdown.as_bytes());
    let document = document(received.url, doc, about, web, hash)?;
    Ok(Page { document, links: Vec::new(), hidden, is_scrubbed: false })
}

/// What a page says besides its text.
#[derive(Default)]
struct Found {
    about: html::About,
    links: Vec<(Url, String)>,
    hidden: Hidden,
}

/// The document of an address. Its id is that of the whole address, so that two which differ by a secret alone stay two.
fn document(
    address: &Url,
    mut doc: ExtractedDoc,
    about: Metadata,
    web: WebPage,
    content_hash: String,
) -> Result<Ingested, ExtractError> {
    let id = SourceId::from_path(address.as_str());
    doc.title = Some(about.title.clone());
    let passages = passages::passages(&id, &doc);
    if passages.is_empty() {
        return Err(ExtractError::Empty);
    }
    let source = Source {
        cluster: id.clone(),
        id,
        path: web.url.clone(),
        title: about.title,
        author: about.author,
        date: about.date,
        vintage: about.vintage,
        content_hash,
        family: about.family,
        web: Some(Box::new(web)),
    };
    let secrets = LeftOut::default();
    Ok(Ingested { source, text: doc.text, passages, notes: doc.notes, secrets })
}

fn first_date(text: &str) -> Option<PartialDate> {
    dates::dates(text).first().map(|found| found.1)
}

/// For a page that states no date in its text or metadata: its address, the provider's word, the header, in this order.
fn weak_date(page: &RawPage<'_>, address: &Url, published: Option<PartialDate>) -> Option<DocDate> {
    if let Some(value) = published {
        return Some(DocDate { value, stated: format!("published: {value}") });
    }
    if let Some((value, stated)) = dated_address(address) {
        return Some(DocDate { value, stated: format!("address: {stated}") });
    }
    let header = page.last_modified?;
    first_date(header)
        .map(|value| DocDate { value, stated: format!("Last-Modified header: {header}") })
}

/// The links of a page; without secrets in their words where the page has any.
fn vouched(links: Vec<(Url, String)>, page: &Url, has_secrets: bool) -> Vec<Link> {
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for (url, text) in links {
        let Ok(url) = Vouched::new(url.as_str(), Voucher::Page(page.to_string())) else { continue };
        if url.url() == page || !seen.insert(url.url().to_string()) {
            continue;
        }
        let text = if has_secrets { secrets::of_text(&text) } else { text };
        kept.push(Link { url, text: text.chars().take(LINK_CHARS).collect() });
        if kept.len() == MOST_LINKS {
            break;
        }
    }
    kept
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
