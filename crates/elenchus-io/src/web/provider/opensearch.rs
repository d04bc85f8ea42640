//! OpenSearch and Elasticsearch: the documents that an organisation has indexed already.

use super::clean::{date, day_of, head, list, paragraphs, plain, words};
use super::found::{Found, settle, sites};
use super::peer::{Ask, Peer, Place, Refusal, Spec};
use super::setup::ProviderSetupError;
use super::{FailureKind, Provider, ProviderFailure, ProviderSettings, WebQuery, WebResult};
use crate::ingest::format::{Format, extract};
use elenchus_core::evidence::PartialDate;
use elenchus_core::port::PortFuture;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;
use serde_json::{Value, json};
use std::time::Duration;

const EXAMPLE: &str = "opensearch:https://search.example:9200/reports";
/// The most that is asked for at once.
const MOST: u16 = 100;
/// Bytes of a web page in an index.
const PAGE: usize = 2 << 20;
/// Characters of one document.
const LONGEST: usize = 200_000;

const TITLES: &[&str] =
    &["title", "name", "heading", "headline", "subject", "file_name", "filename"];
const BODIES: &[&str] = &[
    "body",
    "content",
    "text",
    "markdown",
    "article",
    "page_content",
    "full_text",
    "abstract",
    "description",
    "summary",
];
const ADDRESSES: &[&str] =
    &["url", "link", "uri", "source_url", "permalink", "canonical_url", "href"];
const DATES: &[&str] = &[
    "published",
    "published_at",
    "publication_date",
    "date",
    "created",
    "created_at",
    "timestamp",
    "@timestamp",
];
const AUTHORS: &[&str] = &["author", "authors", "creator", "byline"];
const LICENCES: &[&str] = &["licence", "license", "rights"];

pub(super) struct OpenSearch {
    peer: Peer,
    index: String,
}

impl OpenSearch {
    pub(super) fn new(
        address: Option<&str>,
        settings: &ProviderSettings,
    ) -> Result<Self, ProviderSetupError> {
        let given = settings.addresses.get("opensearch").map(String::as_str);
        let address = address
            .or(given)
            .ok_or_else(|| ProviderSetupError::NoAddress {
                provider: "opensearch".to_owned(),
                way_out: format!("name it, for example {EXAMPLE}, or set OPENSEARCH_URL"),
            })?
            .trim()
            .trim_end_matches('/');
        let bad = |cause: &str| ProviderSetupError::BadAddress {
            provider: "opensearch".to_owned(),
            cause: cause.to_owned(),
            example: EXAMPLE,
        };
        let address = address.strip_suffix("/_search").unwrap_or(address);
        let url = Url::parse(address).map_err(|error| bad(&error.to_string()))?;
        let index = url.path().rsplit('/').next().unwrap_or_default();
        let index = percent_encoding::percent_decode_str(index).decode_utf8_lossy().into_owned();
        if index.is_empty() {
            return Err(bad("it names no index"));
        }
        if index.starts_with('_') {
            return Err(bad("an index cannot begin with an underscore"));
        }
        let base = address.rsplit_once('/').map_or(address, |(base, _)| base);
        let bare = url.username().is_empty() && url.password().is_none();
        let name = if bare { format!("opensearch:{address}") } else { "opensearch".to_owned() };
        let pause = Duration::from_millis(50);
        let spec =
            Spec { name, plain: "opensearch", place: Place::Given(base), example: EXAMPLE, pause };
        let mut peer = Peer::new(spec, settings)?;
        if let Some(key) = settings.keys.get("opensearch") {
            peer = peer.with_key("authorization", "ApiKey ", key)?;
        } else if let Some((user, word)) = &settings.opensearch_login {
            peer.log_in(user.clone(), Some(word.clone()));
        }
        Ok(Self { peer, index })
    }

    async fn hits(&self, size: u16, query: &Value) -> Result<Value, ProviderFailure> {
        let body = json!({
            "size": size,
            "query": query,
            "highlight": {
                "fields": { "*": { "fragment_size": 200, "number_of_fragments": 1 } },
            },
        });
        let path = format!("{}/_search", utf8_percent_encode(&self.index, INDEX));
        let ask =
            Ask { url: self.peer.url(&path, &[]), body: Some(body), accept: "application/json" };
        self.peer.json(ask, self.peer.until(), explain).await
    }

    /// The address of a document that names none of its own: where the index itself gives it.
    fn address(&self, hit: &Value) -> Option<String> {
        let part =
            |name: &str| hit.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let index = encoded(part("_index").unwrap_or(&self.index));
        let url = self.peer.url("", &[]);
        let base = url.as_str().trim_end_matches('/');
        Some(format!("{base}/{index}/_doc/{}", encoded(part("_id")?)))
    }

    fn found(&self, hit: &Value) -> Found {
        let null = Value::Null;
        let document = hit.get("_source").unwrap_or(&null);
        let own = words_of(document, ADDRESSES)
            .filter(|text| text.starts_with("http://") || text.starts_with("https://"));
        let title = words_of(document, TITLES).map_or(String::new(), |text| plain(&text, 300));
        let body = words_of(document, BODIES).unwrap_or_else(|| as_lines(document));
        let body: String = paragraphs(&markdown(body)).chars().take(LONGEST).collect();
        let shown = hit.get("highlight").and_then(Value::as_object).and_then(|all| {
            all.values()
                .flat_map(|parts| parts.as_array().into_iter().flatten())
                .find_map(Value::as_str)
        });
        let snippet = shown.map_or_else(|| body.chars().take(300).collect(), str::to_owned);
        let heading = if title.is_empty() || body.starts_with("# ") {
            String::new()
        } else {
            format!("# {title}\n\n")
        };
        Found {
            url: own.or_else(|| self.address(hit)).unwrap_or_default(),
            snippet,
            author: words_of(document, AUTHORS),
            published: DATES.iter().filter_map(|name| document.get(name)).find_map(moment),
            given: (!body.is_empty()).then(|| {
                (
                    format!("{heading}{body}\n"),
                    words_of(document, LICENCES).map(|text| plain(&text, 200)),
                )
            }),
            title: if title.is_empty() {
                plain(hit.get("_id").and_then(Value::as_str).unwrap_or_default(), 100)
            } else {
                title
            },
            ..Found::default()
        }
    }
}

/// What the user asked for besides words, each as a condition that lifts whatever fulfils it above all that does not: only the first
/// hundred are seen. How an index keeps addresses and dates is not known, so nothing is left out by it; that is done of what comes.
fn preferred(query: &WebQuery) -> Vec<Value> {
    /// Above any score of words.
    const FIRST: u32 = 1_000;
    let on = |domains: &[String]| -> Vec<Value> {
        let pairs = sites(domains).into_iter().flat_map(|site| {
            ADDRESSES
                .iter()
                .map(move |field| json!({ "wildcard": { (*field): format!("*{site}*") } }))
        });
        pairs.collect()
    };
    let mut conditions = Vec::new();
    if !query.domains.is_empty() {
        conditions.push(json!({ "bool": { "should": on(&query.domains) } }));
    }
    if !query.exclude.is_empty() {
        conditions.push(json!({ "bool": { "must_not": on(&query.exclude) } }));
    }
    if let Some(since) = query.since {
        // A document of a year may be of any day of it, and one without a date of any.
        let dated = DATES.iter().map(|field| format!("{field}:[{:04}-01-01 TO *]", since.year));
        let undated =
            DATES.iter().map(|field| format!(" NOT _exists_:{field}")).collect::<Vec<_>>().concat();
        let any = dated.chain([format!("(*:*{undated})")]).collect::<Vec<_>>().join(" OR ");
        conditions.push(json!({ "query_string": { "query": any, "lenient": true } }));
    }
    conditions
        .into_iter()
        .map(|filter| json!({ "constant_score": { "filter": filter, "boost": FIRST } }))
        .collect()
}

/// The text of the first of these fields that has one: a text, or a list of texts joined.
fn words_of(document: &Value, names: &[&str]) -> Option<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).map(str::trim).collect();
            let apart = if parts.iter().any(|part| part.len() > 80) { "\n\n" } else { ", " };
            Some(parts.join(apart))
        }
        _ => None,
    };
    names.iter().filter_map(|name| text(document.get(name)?)).find(|text| !text.is_empty())
}

/// The fields of a document that has no body of a known name: "status: closed", one a line.
fn as_lines(document: &Value) -> String {
    let plain_value = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    };
    let known = |name: &str| TITLES.contains(&name) || ADDRESSES.contains(&name);
    let fields = document.as_object().into_iter().flatten().filter(|(name, _)| !known(name));
    let lines = fields.filter_map(|(name, value)| Some(format!("{name}: {}", plain_value(value)?)));
    lines.take(500).collect::<Vec<_>>().join("\n\n")
}

/// A body that is a web page, as the Markdown of what a reader of it would see.
fn markdown(body: String) -> String {
    let lower = head(&body, 4_000).to_lowercase();
    if !["</p>", "<p>", "<div", "<br", "</h1>", "</h2>", "<html", "<table"]
        .iter()
        .any(|tag| lower.contains(tag))
    {
        return body;
    }
    match extract(Format::Html, "document.html", head(&body, PAGE).as_bytes().to_vec()) {
        Ok(page) => page.text,
        Err(_) => plain(&body, LONGEST),
    }
}

/// A date as a text, or as milliseconds since 1970.
fn moment(value: &Value) -> Option<PartialDate> {
    match value {
        Value::String(text) => date(text),
        Value::Number(number) => day_of(number.as_i64()?.div_euclid(1_000)),
        _ => None,
    }
}

fn explain(refusal: &Refusal<'_>) -> Option<(FailureKind, String)> {
    let said = refusal.said;
    match refusal.status {
        401 | 403 => Some((
            FailureKind::Key,
            format!(
                "it refused the login (status {}: {said}); set OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD, or \
                 OPENSEARCH_API_KEY",
                refusal.status
            ),
        )),
        404 if said.contains("index_not_found") || said.contains("no such index") => Some((
            FailureKind::Refused,
            format!("there is no such index ({said}); check its name in the address"),
        )),
        _ => None,
    }
}

impl Provider for OpenSearch {
    fn name(&self) -> &str {
        &self.peer.name
    }

    fn find<'a>(
        &'a self,
        query: &'a WebQuery,
    ) -> PortFuture<'a, Result<Vec<WebResult>, ProviderFailure>> {
        Box::pin(async move {
            let filtered =
                !query.domains.is_empty() || !query.exclude.is_empty() || query.since.is_some();
            let size = query.limit.saturating_mul(if filtered { 4 } else { 1 }).clamp(1, MOST);
            let strong = TITLES.iter().map(|name| format!("{name}^2"));
            let fields: Vec<String> =
                strong.chain(BODIES.iter().map(|name| (*name).to_owned())).collect();
            let said = json!({
                "multi_match": {
                    "query": words(&query.text, 1_000),
                    "fields": fields,
                    // Fields of numbers are no reason to refuse a search for words.
                    "lenient": true,
                }
            });
            let preferred = preferred(query);
            let reply = if preferred.is_empty() {
                self.hits(size, &said).await?
            } else {
                let narrowed = json!({ "bool": { "must": [said], "should": preferred } });
                match self.hits(size, &narrowed).await {
                    // Its fields may be of kinds that such conditions are not made for.
                    Err(failure) if failure.kind == FailureKind::Refused => {
                        self.hits(size, &said).await?
                    }
                    found => found?,
                }
            };
            let hits = reply.get("hits").unwrap_or(&Value::Null);
            if !hits.get("hits").is_some_and(Value::is_array) {
                let cause = format!(
                    "its reply is not one of OpenSearch's; check that {} is its address",
                    self.peer.base
                );
                return Err(self.peer.failure(FailureKind::Foreign, &cause));
            }
            Ok(settle(&self.peer.name, query, list(hits, "hits").iter().map(|hit| self.found(hit))))
        })
    }
}

/// What is escaped in the name of an index in an address: names may be lists and patterns ("notes,reports-*").
const INDEX: &percent_encoding::AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b',').remove(b'*').remove(b'+');
