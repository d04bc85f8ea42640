//! What is asked of each service, and everything that is read of its replies. origin: documented.

use super::*;
use elenchus_core::evidence::PartialDate;
use serde_json::json as value;

fn narrow() -> WebQuery {
    WebQuery {
        text: "otters on the river".to_owned(),
        limit: 3,
        since: Some(PartialDate::month(2022, 6)),
        domains: vec!["https://www.trust.example/".to_owned()],
        exclude: vec!["spam.example".to_owned()],
    }
}

/// The request line of the only request, decoded, in lower case.
fn asked(pair: &Pair, at: usize) -> String {
    let head = pair.server.seen().swap_remove(at).head;
    let line = head.lines().next().unwrap().replace('+', " ");
    percent_encoding::percent_decode_str(&line).decode_utf8_lossy().into_owned()
}

async fn one(name: &str, reply: &serde_json::Value) -> WebResult {
    let pair = Pair::new(name, vec![json(&reply.to_string())]).await;
    let mut results = pair.find(&query()).await.unwrap();
    assert_eq!(results.len(), 1);
    results.remove(0)
}

#[tokio::test]
async fn searxng_is_asked_for_a_site_first_and_then_without() {
    let empty = json(&value!({"results": [], "unresponsive_engines": []}).to_string());
    let pair = Pair::with("searxng", vec![empty], |settings| {
        settings.language = Some("de".to_owned());
        let base = settings.addresses["searxng"].clone();
        settings.addresses.insert("searxng".to_owned(), format!("{base}/searx/search/"));
    })
    .await;
    assert_eq!(pair.find(&narrow()).await.unwrap(), []);
    assert_eq!(
        asked(&pair, 0),
        "get /searx/search?q=otters on the river site:trust.example&format=json&language=de http/1.1"
    );
    assert!(asked(&pair, 1).contains("?q=otters on the river&format=json"));
    assert_eq!(pair.server.count(), 2);
    let two = WebQuery { domains: vec!["a.example".to_owned(), "b.example".to_owned()], ..query() };
    pair.find(&two).await.unwrap();
    assert!(asked(&pair, 2).contains("otters on the river (site:a.example or site:b.example)"));
}

#[tokio::test]
async fn a_login_in_the_address_of_searxng_is_sent_as_a_header() {
    let empty = json(&value!({"results": []}).to_string());
    let pair = Pair::with("searxng", vec![empty], |settings| {
        let base = settings.addresses["searxng"].replace("http://", "http://reader:pass%20word@");
        settings.addresses.insert("searxng".to_owned(), base);
    })
    .await;
    pair.find(&query()).await.unwrap();
    // "reader:pass word"
    assert!(
        pair.server.seen()[0]
            .head
            .contains(&"authorization: Basic cmVhZGVyOnBhc3Mgd29yZA==".to_lowercase())
    );
}

#[tokio::test]
async fn tavily_filters_by_itself() {
    let pair = Pair::new("tavily", vec![json(&value!({"results": []}).to_string())]).await;
    pair.find(&narrow()).await.unwrap();
    let seen = pair.server.seen().remove(0);
    assert!(seen.head.starts_with("post /search "));
    assert!(seen.head.contains(&format!("authorization: bearer {KEY}")));
    let body = &seen.body;
    assert_eq!(body["query"], "otters on the river");
    assert_eq!(body["max_results"], 6);
    assert_eq!(body["include_domains"], value!(["trust.example"]));
    assert_eq!(body["exclude_domains"], value!(["spam.example"]));
    assert_eq!(body["start_date"], "2022-06-01");
}

#[tokio::test]
async fn brave_filters_by_operators() {
    let pair = Pair::new("brave", vec![json("{}")]).await;
    pair.find(&narrow()).await.unwrap();
    let line = asked(&pair, 0);
    assert!(
        line.contains(
            "/web/search?q=otters on the river site:trust.example -site:spam.example&count=6"
        ),
        "{line}"
    );
    assert!(line.contains("freshness=2022-06-01to20"), "{line}");
    assert!(pair.server.seen()[0].head.contains(&format!("x-subscription-token: {KEY}")));
    let long = WebQuery {
        text: "word ".repeat(300),
        domains: vec!["a.example".to_owned(); 40],
        ..narrow()
    };
    pair.find(&long).await.unwrap();
    let line = asked(&pair, 1);
    let words = line.split("q=").nth(1).unwrap().split('&').next().unwrap();
    assert!(words.len() <= 400 && words.split(' ').count() <= 50, "{words}");
}

#[tokio::test]
async fn mediawiki_is_asked_with_patience() {
    let pair =
        Pair::new("wikipedia", vec![json(&value!({"batchcomplete": true}).to_string())]).await;
    pair.find(&query()).await.unwrap();
    let line = asked(&pair, 0);
    for part in [
        "/w/api.php?action=query",
        "generator=search",
        "gsrsearch=otters on the river",
        "gsrlimit=10",
        "inprop=url",
        "maxlag=5",
        "formatversion=2",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
}

#[tokio::test]
async fn a_question_that_nothing_answers_whole_is_asked_by_its_words() {
    let question = WebQuery {
        text: "How many otters were counted on the River Ledden?".to_owned(),
        ..query()
    };
    for (name, empty) in
        [("wikipedia", "{\"batchcomplete\": true}"), ("openalex", "{\"results\": []}")]
    {
        let pair = Pair::new(name, vec![json(empty)]).await;
        assert_eq!(pair.find(&question).await.unwrap(), []);
        assert!(
            asked(&pair, 0).contains("search=how many otters were counted on the river ledden?&"),
            "{name}"
        );
        assert!(asked(&pair, 1).contains("search=otters or counted or river or ledden&"), "{name}");
        assert_eq!(pair.server.count(), 2, "{name}");
    }
}

#[tokio::test]
async fn a_web_page_in_an_index_is_read_as_one() {
    let body = format!(
        "<h2>Count</h2><p>In 2024 there were 268 otters.</p><script>track()</script><p>{}</p>",
        "More words. ".repeat(40)
    );
    let hits = value!({"hits": {"hits": [{"_index": "i", "_id": "1", "_source": {"title": "Otters", "body": body}}]}});
    let text = one("opensearch", &hits).await.given.unwrap().text;
    assert!(text.contains("In 2024 there were 268 otters.\n"), "{text}");
    assert!(!text.contains("track()") && !text.contains("<p>"), "{text}");
}

#[tokio::test]
async fn a_work_of_openalex_is_a_document() {
    let work = value!({
        "id": "https://openalex.org/W1", "doi": "https://doi.org/10.5555/otter.1", "display_name": "Otters of the <i>Ledden</i>",
        "publication_date": "2023-02-03",
        "authorships": [{"author": {"display_name": "A. Fehr"}}, {"author": {"display_name": "B. Reil"}}],
        "abstract_inverted_index": {"Otters": [0], "are": [1], "few.": [2]},
        "primary_location": {"landing_page_url": "https://journal.example/otter", "license": null, "source": {"display_name": "Rivers"}},
        "best_oa_location": {"pdf_url": "https://open.example/otter.pdf", "license": "cc-by"},
        "open_access": {"oa_url": "https://open.example/other"},
    });
    let found = one("openalex", &value!({"results": [work]})).await;
    assert_eq!(found.url.url().as_str(), "https://doi.org/10.5555/otter.1");
    assert_eq!(found.author.as_deref(), Some("A. Fehr and B. Reil"));
    assert_eq!(found.published, Some(PartialDate::day(2023, 2, 3)));
    let given = found.given.unwrap();
    assert_eq!(given.licence.as_deref(), Some("cc-by"));
    assert_eq!(given.whole.unwrap().url().as_str(), "https://open.example/otter.pdf");
    assert_eq!(
        given.text,
        "# Otters of the Ledden\n\nBy A. Fehr and B. Reil.  \nIn Rivers.  \nPublished 3 February 2023.  \nDOI \
         https://doi.org/10.5555/otter.1.  \n\nOtters are few.\n"
    );

    // The user's domains mean the publisher, not the resolver of DOIs.
    let pair = Pair::new("openalex", vec![json(&value!({"results": [work]}).to_string())]).await;
    let journal = WebQuery { domains: vec!["journal.example".to_owned()], ..narrow() };
    assert_eq!(pair.find(&journal).await.unwrap().len(), 1);
    let line = asked(&pair, 0);
    for part in [
        "/works?search=otters on the river",
        "filter=from_publication_date:2022-06-01",
        "mailto=someone@example.org",
        "api_key=sekret",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let without = WebQuery { exclude: vec!["open.example".to_owned()], ..query() };
    assert_eq!(pair.find(&without).await.unwrap(), []);
}

#[tokio::test]
async fn a_work_of_crossref_is_a_document() {
    let item = value!({
        "DOI": "10.5555/bridge.2", "URL": "https://doi.org/10.5555/bridge.2", "title": ["Hangers of arch bridges"],
        "abstract": "<jats:title>Abstract</jats:title><jats:sec><jats:title>Background</jats:title><jats:p>Cracks at p &lt; 0.05 in \
                     H<jats:sub>2</jats:sub>O.</jats:p></jats:sec><jats:p>Two <mml:math><mml:mi>x</mml:mi></mml:math>.</jats:p>",
        "author": [{"given": "Ilse", "family": "Karrow"}, {"name": "The Hanger Group"}],
        "issued": {"date-parts": [[2020, 9]]}, "published": {"date-parts": [[null]]},
        "license": [{"URL": "https://publisher.example/terms"}, {"URL": "https://creativecommons.org/licenses/by/4.0/"}],
        "link": [{"URL": "https://publisher.example/x.xml", "content-type": "text/xml"},
                 {"URL": "https://publisher.example/x.pdf", "content-type": "application/pdf"}],
        "container-title": ["Journal of Bridges"],
    });
    let found = one("crossref", &value!({"message": {"items": [item]}})).await;
    assert_eq!(found.author.as_deref(), Some("Ilse Karrow and The Hanger Group"));
    assert_eq!(found.published, Some(PartialDate::month(2020, 9)));
    let given = found.given.unwrap();
    assert!(
        given.text.ends_with("\n\n**Background**\n\nCracks at p < 0.05 in H2O.\n\nTwo x.\n"),
        "{}",
        given.text
    );
    assert!(given.text.contains("In Journal of Bridges.  \nPublished September 2020.  \nDOI https://doi.org/10.5555/bridge.2."));
    assert_eq!(given.licence.as_deref(), Some("https://creativecommons.org/licenses/by/4.0/"));
    assert_eq!(given.whole.unwrap().url().as_str(), "https://publisher.example/x.pdf");

    // A PDF that no licence opens is not named.
    let mut closed = item.clone();
    closed["license"] = value!([{"URL": "https://publisher.example/terms"}]);
    assert_eq!(
        one("crossref", &value!({"message": {"items": [closed]}})).await.given.unwrap().whole,
        None
    );
    let mut bare = item;
    bare["abstract"] = value!(null);
    assert_eq!(one("crossref", &value!({"message": {"items": [bare]}})).await.given, None);
}

#[tokio::test]
async fn an_entry_of_arxiv_is_a_document() {
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:arxiv='http://arxiv.org/schemas/atom'><title>q</title>\
        <entry><id>http://arxiv.org/abs/2401.00001v2</id><updated>2024-03-01T00:00:00Z</updated>\
        <published>2024-01-02T18:00:00Z</published><title>Counting\n  otters &amp; $x &lt; y$</title>\
        <summary>  We count\n  them twice. &#8212; Done. </summary>\
        <author><name>N. Fehr</name><arxiv:affiliation>Somewhere</arxiv:affiliation></author><author><name>T. Reil</name></author>\
        <arxiv:doi>10.5555/otter.3</arxiv:doi>\
        <link href='http://arxiv.org/abs/2401.00001v2' rel='alternate' type='text/html'/>\
        <link title='pdf' href='http://arxiv.org/pdf/2401.00001v2' rel='related' type='application/pdf'/></entry></feed>";
    let empty = "<feed xmlns='http://www.w3.org/2005/Atom'></feed>";
    let scenes = [empty, feed].map(|body| Scene::answer(200, &[], body)).to_vec();
    let pair = Pair::new("arxiv", scenes).await;
    let question =
        WebQuery { text: "How many otters are there in the river Ledden?".to_owned(), ..narrow() };
    let question = WebQuery { domains: vec!["arxiv.org".to_owned()], ..question };
    let found = pair.find(&question).await.unwrap().remove(0);
    assert_eq!(found.url.url().as_str(), "https://arxiv.org/abs/2401.00001v2");
    assert_eq!(found.title, "Counting otters & $x < y$");
    assert_eq!(found.published, Some(PartialDate::day(2024, 1, 2)));
    assert_eq!(found.author.as_deref(), Some("N. Fehr and T. Reil"));
    assert_eq!(found.snippet, "We count them twice. — Done.");
    let given = found.given.unwrap();
    assert_eq!(given.whole.unwrap().url().as_str(), "https://arxiv.org/pdf/2401.00001v2");
    assert!(
        given.text.contains("DOI https://doi.org/10.5555/otter.3.  \n\nWe count them twice."),
        "{}",
        given.text
    );

    let since = "and submitteddate:[202206010000 to 999912312359]";
    let lines = [asked(&pair, 0), asked(&pair, 1)];
    assert!(
        lines[0]
            .contains(&format!("search_query=(all:otters and all:river and all:ledden) {since}")),
        "{lines:?}"
    );
    assert!(lines[1].contains("(all:otters or all:river or all:ledden)"), "{lines:?}");
    let nothing = WebQuery { text: "what is it?".to_owned(), ..query() };
    assert_eq!(pair.find(&nothing).await.unwrap(), []);
    assert_eq!(pair.server.count(), 2, "nothing is asked without a word to ask for");
}

#[tokio::test]
async fn an_index_is_asked_for_what_the_user_wants_first() {
    let hits = value!({"hits": {"hits": [{"_index": "reports", "_id": "1", "_source": {
        "body": "There were 268 otters.", "url": "https://trust.example/1", "date": "2024-11-11"}}]}});
    // An index whose fields take no such conditions is asked once more without.
    let refused = Scene::answer(400, &[("content-type", "application/json")], "{}");
    let pair = Pair::new("opensearch", vec![refused, json(&hits.to_string())]).await;
    assert_eq!(pair.find(&narrow()).await.unwrap().len(), 1);
    let seen = pair.server.seen();
    let (first, second) = (&seen[0].body, &seen[1].body);
    assert_eq!(first["query"]["bool"]["must"][0], second["query"]);
    assert_eq!((&first["size"], &second["size"]), (&value!(12), &value!(12)));
    let preferred = &first["query"]["bool"]["should"];
    let filter = |at: usize| &preferred[at]["constant_score"]["filter"];
    assert_eq!(filter(0)["bool"]["should"][0]["wildcard"]["url"], "*trust.example*");
    assert_eq!(filter(1)["bool"]["must_not"][0]["wildcard"]["url"], "*spam.example*");
    let dates = filter(2)["query_string"]["query"].as_str().unwrap();
    assert!(dates.contains("published:[2022-01-01 TO *] OR"), "{dates}");
    assert!(dates.contains("(*:* NOT _exists_:published"), "{dates}");
    let plain = Pair::new("opensearch", vec![json(&hits.to_string())]).await;
    assert_eq!(plain.find(&query()).await.unwrap().len(), 1);
    assert!(plain.server.seen()[0].body["query"]["bool"].is_null());
}

#[tokio::test]
async fn a_document_of_an_index_is_given_whole() {
    let long = "x".repeat(90);
    let hits = value!({"hits": {"hits": [
        {"_index": "reports-2024", "_id": "a/b c", "_source": {
            "name": "Survey", "content": ["First part. ".to_owned() + &long, "Second part."], "@timestamp": 1_731_283_200_000_i64,
            "author": ["A. Fehr", "B. Reil"], "license": "internal", "url": "smb://server/share"},
         "highlight": {"content": ["a <em>survey</em> of otters"]}},
        {"_index": "reports-2024", "_id": "2", "_source": {"status": "closed", "count": 268, "open": false, "parts": {"x": 1}}},
        {"_index": "reports-2024", "_source": {"body": "without an id"}},
    ]}});
    let pair = Pair::new("opensearch:{base}/search/reports-*", vec![json(&hits.to_string())]).await;
    let results = pair.find(&query()).await.unwrap();
    let base = &pair.server.base;
    assert_eq!(
        urls(&results),
        [
            format!("{base}/search/reports%2D2024/_doc/a%2Fb%20c"),
            format!("{base}/search/reports%2D2024/_doc/2"),
        ]
    );
    assert_eq!(results[0].title, "Survey");
    assert_eq!(results[0].snippet, "a survey of otters");
    assert_eq!(results[0].published, Some(PartialDate::day(2024, 11, 11)));
    assert_eq!(results[0].author.as_deref(), Some("A. Fehr, B. Reil"));
    let given = results[0].given.as_ref().unwrap();
    assert_eq!(given.text, format!("# Survey\n\nFirst part. {long}\n\nSecond part.\n"));
    assert_eq!(given.licence.as_deref(), Some("internal"));
    assert_eq!(
        results[1].given.as_ref().unwrap().text,
        "count: 268\n\nopen: false\n\nstatus: closed\n"
    );

    let seen = pair.server.seen().remove(0);
    assert!(seen.head.starts_with("post /search/reports-*/_search "), "{}", seen.head);
    assert!(seen.head.contains(&format!("authorization: apikey {KEY}")));
    assert_eq!(seen.body["query"]["multi_match"]["query"], "otters on the river");
    assert_eq!(seen.body["size"], 10);
}
