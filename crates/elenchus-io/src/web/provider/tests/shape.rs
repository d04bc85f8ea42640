//! The shape of each service's replies, filled with documents. origin: documented.

use serde_json::{Value, json};

/// A document that a peer knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doc {
    pub(super) url: &'static str,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
    /// An ISO day.
    pub(super) date: Option<&'static str>,
}

/// One service.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    /// The provider's name; `{base}` stands for the peer's address.
    pub(super) name: &'static str,
    /// A reply that holds these documents, best first.
    pub(super) reply: fn(&[Doc]) -> String,
    /// Whether it states dates.
    pub(super) dated: bool,
    /// Whether its addresses are all of one site.
    pub(super) one_site: bool,
    /// Whether it reads JSON.
    pub(super) json: bool,
}

pub(super) const SUBJECTS: &[Subject] = &[
    Subject { name: "searxng", reply: searxng, dated: true, one_site: false, json: true },
    Subject { name: "tavily", reply: tavily, dated: true, one_site: false, json: true },
    Subject { name: "brave", reply: brave, dated: true, one_site: false, json: true },
    Subject { name: "wikipedia", reply: mediawiki, dated: false, one_site: true, json: true },
    Subject { name: "wikipedia:de", reply: mediawiki, dated: false, one_site: true, json: true },
    Subject {
        name: "mediawiki:{base}/w/api.php",
        reply: mediawiki,
        dated: false,
        one_site: true,
        json: true,
    },
    Subject { name: "openalex", reply: openalex, dated: true, one_site: false, json: true },
    Subject { name: "crossref", reply: crossref, dated: true, one_site: false, json: true },
    Subject { name: "arxiv", reply: arxiv, dated: true, one_site: false, json: false },
    Subject { name: "opensearch", reply: opensearch, dated: true, one_site: false, json: true },
    Subject {
        name: "opensearch:{base}/notes",
        reply: opensearch,
        dated: true,
        one_site: false,
        json: true,
    },
];

fn each(docs: &[Doc], one: impl Fn(usize, &Doc) -> Value) -> Vec<Value> {
    docs.iter().enumerate().map(|(at, doc)| one(at, doc)).collect()
}

fn searxng(docs: &[Doc]) -> String {
    let results = each(docs, |at, doc| {
        json!({
            "url": doc.url, "title": doc.title, "content": doc.text, "engine": "e", "engines": ["e"], "category": "general",
            "publishedDate": doc.date.map(|day| format!("{day}T00:00:00")), "score": 1.0, "positions": [at + 1],
            "parsed_url": ["https", "h", "/", "", "", ""], "template": "default.html", "thumbnail": null,
        })
    });
    json!({
        "query": "q", "number_of_results": 0, "results": results, "answers": [], "corrections": [], "infoboxes": [],
        "suggestions": [], "unresponsive_engines": [],
    })
    .to_string()
}

fn tavily(docs: &[Doc]) -> String {
    let results = each(docs, |_, doc| {
        json!({
            "title": doc.title, "url": doc.url, "content": doc.text, "score": 0.9, "raw_content": null,
            "published_date": doc.date.map(|day| format!("{day}T08:00:00Z")),
        })
    });
    json!({
        "query": "q", "follow_up_questions": null, "answer": null, "images": [], "results": results,
        "response_time": 1.2, "request_id": "r",
    })
    .to_string()
}

fn brave(docs: &[Doc]) -> String {
    let results = each(docs, |_, doc| {
        json!({
            "type": "search_result", "subtype": "generic", "title": doc.title, "url": doc.url, "description": doc.text,
            "page_age": doc.date.map(|day| format!("{day}T08:00:00")), "language": "en", "family_friendly": true,
            "profile": {"name": "n", "url": doc.url}, "meta_url": {"scheme": "https"},
        })
    });
    if results.is_empty() {
        return json!({"type": "search", "query": {"original": "q"}, "mixed": {"type": "mixed"}})
            .to_string();
    }
    json!({
        "type": "search", "query": {"original": "q", "more_results_available": false},
        "web": {"type": "search", "results": results, "family_friendly": true},
    })
    .to_string()
}

/// Pages come by id and not by rank.
fn mediawiki(docs: &[Doc]) -> String {
    let mut pages = each(docs, |at, doc| {
        json!({
            "pageid": 900 - at, "ns": 0, "title": doc.title, "index": at + 1, "extract": doc.text, "contentmodel": "wikitext",
            "fullurl": doc.url, "canonicalurl": doc.url, "editurl": "https://w.example/edit", "length": 10,
        })
    });
    pages.reverse();
    if pages.is_empty() {
        return json!({"batchcomplete": true}).to_string();
    }
    json!({"batchcomplete": true, "query": {"pages": pages}}).to_string()
}

fn openalex(docs: &[Doc]) -> String {
    let results = each(docs, |at, doc| {
        let words: serde_json::Map<String, Value> = doc
            .text
            .split(' ')
            .enumerate()
            .map(|(place, word)| (word.to_owned(), json!([place])))
            .collect();
        json!({
            "id": format!("https://openalex.org/W{at}"), "doi": null, "display_name": doc.title,
            "publication_date": doc.date, "authorships": [], "abstract_inverted_index": words,
            "primary_location": {"landing_page_url": doc.url, "pdf_url": null, "license": null, "source": null},
            "best_oa_location": null, "open_access": {"is_oa": false, "oa_url": null},
        })
    });
    json!({"meta": {"count": docs.len(), "page": 1}, "results": results, "group_by": []})
        .to_string()
}

fn crossref(docs: &[Doc]) -> String {
    let items = each(docs, |_, doc| {
        let parts: Vec<u16> = doc
            .date
            .iter()
            .flat_map(|day| day.split('-'))
            .filter_map(|part| part.parse().ok())
            .collect();
        let mut item = json!({
            "URL": doc.url, "title": [doc.title], "abstract": format!("<jats:p>{}</jats:p>", doc.text),
        });
        if !parts.is_empty() {
            item["issued"] = json!({"date-parts": [parts]});
        }
        item
    });
    json!({
        "status": "ok", "message-type": "work-list", "message-version": "1.0.0",
        "message": {"total-results": docs.len(), "items": items, "items-per-page": 20, "query": {"start-index": 0}},
    })
    .to_string()
}

fn arxiv(docs: &[Doc]) -> String {
    let text = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let entries: Vec<String> = docs
        .iter()
        .map(|doc| {
            let date = doc.date.map_or(String::new(), |day| format!("<published>{day}T17:00:00Z</published>"));
            format!(
                "<entry><id>{}</id><title>{}</title>{date}<summary>  {}\n</summary><author><name>A. One</name></author>\
                 <link href=\"{}\" rel=\"alternate\" type=\"text/html\"/></entry>",
                text(doc.url),
                text(doc.title),
                text(doc.text),
                text(doc.url),
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" \
         xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\"><title type=\"html\">ArXiv Query</title>\
         <id>http://arxiv.org/api/x</id><opensearch:totalResults>{}</opensearch:totalResults>{}</feed>",
        docs.len(),
        entries.concat()
    )
}

fn opensearch(docs: &[Doc]) -> String {
    let hits = each(docs, |at, doc| {
        json!({
            "_index": "reports", "_id": at.to_string(), "_score": 1.5,
            "_source": {"title": doc.title, "body": doc.text, "url": doc.url, "published": doc.date},
        })
    });
    json!({
        "took": 2, "timed_out": false, "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
        "hits": {"total": {"value": docs.len(), "relation": "eq"}, "max_score": 1.5, "hits": hits},
    })
    .to_string()
}
