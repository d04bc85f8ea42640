//! arXiv: preprints, by its Atom interface.

use super::clean::{Work, by_line, date, first_day, head, paragraphs, plain, terms};
use super::found::{Found, settle};
use super::peer::{Ask, Peer, Place, Spec, nothing_special};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use elenchus_core::port::PortFuture;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::time::{Duration, Instant};

const BASE: &str = "https://export.arxiv.org/api";
/// The most that is asked for at once.
const MOST: u16 = 100;
/// Words of a query.
const WORDS: usize = 12;
pub(super) struct Arxiv {
    peer: Peer,
}

impl Arxiv {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Self, ProviderSetupError> {
        let place =
            settings.addresses.get("arxiv").map_or(Place::Public(BASE), |a| Place::Given(a));
        // It asks for three seconds between requests.
        let pause = Duration::from_secs(3);
        let name = "arxiv".to_owned();
        Ok(Self {
            peer: Peer::new(Spec { name, plain: "arxiv", place, example: BASE, pause }, settings)?,
        })
    }

    async fn ask(
        &self,
        query: &WebQuery,
        words: &str,
        until: Instant,
    ) -> Result<Vec<WebResult>, ProviderFailure> {
        let dated = query.since.map_or(String::new(), |since| {
            format!(
                " AND submittedDate:[{}0000 TO 999912312359]",
                first_day(since).replace('-', "")
            )
        });
        let words = if dated.is_empty() { words.to_owned() } else { format!("({words}){dated}") };
        let count = query.limit.clamp(1, MOST).to_string();
        let url = self.peer.url(
            "query",
            &[
                ("search_query", &words),
                ("start", "0"),
                ("max_results", &count),
                ("sortBy", "relevance"),
                ("sortOrder", "descending"),
            ],
        );
        let ask = Ask { url, body: None, accept: "application/atom+xml" };
        let reply = self.peer.text(ask, until, nothing_special).await?;
        let feed = read(&reply).map_err(|fault| {
            let cause = match fault {
                Fault::NotAtom => {
                    "its reply is not an Atom feed; check ARXIV_BASE_URL, if it is set".to_owned()
                }
                Fault::Cut => "its reply was cut or is not well-formed; try again".to_owned(),
            };
            let kind = if fault == Fault::Cut { FailureKind::Broken } else { FailureKind::Foreign };
            self.peer.failure(kind, &cause)
        })?;
        // An error comes as an entry of its own.
        if let Some(error) = feed.iter().find(|entry| entry.id.contains("/api/errors")) {
            let said = self.peer.quote(&error.summary, 200);
            let cause = format!("it refused the request ({said})");
            return Err(self.peer.failure(FailureKind::Refused, &cause));
        }
        Ok(settle(&self.peer.name, query, feed.iter().map(found)))
    }
}

#[derive(Debug, Default)]
pub(super) struct Entry {
    id: String,
    title: String,
    summary: String,
    published: String,
    doi: String,
    authors: Vec<String>,
    pdf: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NotAtom,
    Cut,
}

pub(super) fn found(entry: &Entry) -> Found {
    let title = plain(&entry.title, 300);
    let published = date(&entry.published);
    let doi = entry.doi.trim();
    let doi = (!doi.is_empty()).then(|| format!("https://doi.org/{}", plain(doi, 200)));
    let summary = paragraphs(&plain(&entry.summary, 16_000));
    let given = (!summary.is_empty()).then(|| {
        let work = Work {
            title: &title,
            authors: &entry.authors,
            venue: Some("arXiv"),
            published,
            doi: doi.as_deref(),
            text: &summary,
        };
        (work.markdown(), None)
    });
    let secure = |url: &str| match url.trim().strip_prefix("http://arxiv.org/") {
        Some(rest) => format!("https://arxiv.org/{rest}"),
        None => url.trim().to_owned(),
    };
    Found {
        url: secure(&entry.id),
        snippet: summary,
        author: by_line(&entry.authors),
        published,
        given,
        whole: entry.pdf.as_deref().map(secure),
        also: doi.into_iter().collect(),
        title,
    }
}

/// The entries of an Atom feed. Entities of its own making are not expanded.
pub(super) fn read(feed: &str) -> Result<Vec<Entry>, Fault> {
    let mut reader = Reader::from_str(feed.trim_start_matches('\u{feff}'));
    let mut entries: Vec<Entry> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut is_feed = false;
    loop {
        match reader.read_event().map_err(|_| if is_feed { Fault::Cut } else { Fault::NotAtom })? {
            Event::Start(start) => {
                let name = local(&start);
                is_feed |= path.is_empty() && name == "feed";
                if !is_feed || path.len() > 32 {
                    return Err(Fault::NotAtom);
                }
                if path.len() == 1 && name == "entry" {
                    entries.push(Entry::default());
                }
                if path.len() == 3
                    && path[1] == "entry"
                    && path[2] == "author"
                    && name == "name"
                    && let Some(entry) = entries.last_mut()
                    && entry.authors.len() < 200
                {
                    entry.authors.push(String::new());
                }
                link(&start, &name, &path, &mut entries);
                path.push(name);
            }
            Event::Empty(start) => link(&start, &local(&start), &path, &mut entries),
            Event::End(_) => {
                path.pop();
            }
            Event::Text(text) => add(&text.decode().unwrap_or_default(), &path, &mut entries),
            Event::CData(text) => add(&text.decode().unwrap_or_default(), &path, &mut entries),
            Event::GeneralRef(name) => {
                let name = name.decode().unwrap_or_default();
                let letter = name.strip_prefix('#').and_then(|number| {
                    let number = number.strip_prefix('x').map_or_else(
                        || number.parse().ok(),
                        |hex| u32::from_str_radix(hex, 16).ok(),
                    );
                    char::from_u32(number?)
                });
                let letter = letter.map(String::from).or_else(|| {
                    quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned)
                });
                add(letter.as_deref().unwrap_or(" "), &path, &mut entries);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if !is_feed {
        return Err(Fault::NotAtom);
    }
    if !path.is_empty() {
        return Err(Fault::Cut);
    }
    for entry in &mut entries {
        entry.authors = entry
            .authors
            .iter()
            .map(|name| plain(name, 100))
            .filter(|name| !name.is_empty())
            .collect();
    }
    Ok(entries)
}

fn local(start: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(start.local_name().as_ref()).into_owned()
}

/// `<link title="pdf" href="..."/>` of an entry.
fn link(start: &BytesStart<'_>, name: &str, path: &[String], entries: &mut [Entry]) {
    if name != "link" || path.len() != 2 || path[1] != "entry" {
        return;
    }
    let value = |name: &str| {
        let attribute = start.try_get_attribute(name).ok().flatten()?;
        Some(attribute.unescape_value().ok()?.into_owned())
    };
    let is_pdf = value("title").as_deref() == Some("pdf")
        || value("type").as_deref() == Some("application/pdf");
    if is_pdf && let Some(entry) = entries.last_mut() {
        entry.pdf = value("href");
    }
}

/// Text inside an element of an entry.
fn add(text: &str, path: &[String], entries: &mut [Entry]) {
    let Some(entry) = entries.last_mut() else { return };
    let place: Vec<&str> = path.iter().map(String::as_str).collect();
    let field = match place.as_slice() {
        ["feed", "entry", "id"] => &mut entry.id,
        ["feed", "entry", "title"] => &mut entry.title,
        ["feed", "entry", "summary"] => &mut entry.summary,
        ["feed", "entry", "published"] => &mut entry.published,
        ["feed", "entry", "doi"] => &mut entry.doi,
        ["feed", "entry", "author", "name"] => match entry.authors.last_mut() {
            Some(name) => name,
            None => return,
        },
        _ => return,
    };
    field.push_str(head(text, (32_usize << 10).saturating_sub(field.len())));
}

impl Provider for Arxiv {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            let until = self.peer.until();
            let terms: Vec<String> =
                terms(&query.text, WORDS).iter().map(|term| format!("all:{term}")).collect();
            if terms.is_empty() {
                return Ok(Vec::new());
            }
            let results = self.ask(query, &terms.join(" AND "), until).await?;
            if !results.is_empty() || terms.len() < 3 {
                return Ok(results);
            }
            // No record holds all the words; the ranking sorts those that hold some.
            self.ask(query, &terms.join(" OR "), until).await
        })
    }
}
