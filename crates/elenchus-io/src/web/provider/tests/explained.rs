//! Refusals that only one service has, each with the way out.

use super::*;
use crate::web::provider::FailureKind;

async fn refused(name: &str, status: u16, body: &str) -> ProviderFailure {
    let pair = Pair::with(name, vec![Scene::answer(status, &[], body)], |settings| {
        settings.deadline = Duration::from_millis(700);
    })
    .await;
    pair.find(&query()).await.unwrap_err()
}

fn says(failure: &ProviderFailure, kind: FailureKind, words: &[&str]) {
    assert_eq!(failure.kind, kind, "{failure}");
    for word in words {
        assert!(failure.cause.contains(word), "{word}: {failure}");
    }
}

#[tokio::test]
async fn searxng_without_json_is_told_how_to_give_it() {
    let page = "<!doctype html><title>403 Forbidden</title>";
    let failure = refused("searxng", 403, page).await;
    says(&failure, FailureKind::Refused, &["formats: [html, json]", "settings.yml"]);
    let failure = refused("searxng", 429, "<title>Too Many Requests</title>").await;
    says(&failure, FailureKind::Busy, &["limiter"]);
    let failure = refused("searxng", 200, "<!doctype html><form id=search>").await;
    says(&failure, FailureKind::Foreign, &["web page", "SEARXNG_URL"]);
}

#[tokio::test]
async fn engines_that_did_not_answer_are_no_empty_result() {
    let body = r#"{"results": [], "unresponsive_engines": [["google", "CAPTCHA"], ["bing", "timeout"], 7]}"#;
    let failure = refused("searxng", 200, body).await;
    says(&failure, FailureKind::Broken, &["google: CAPTCHA", "bing: timeout"]);
    assert!(failure.passing);
}

#[tokio::test]
async fn plans_and_keys() {
    let failure = refused(
        "tavily",
        432,
        r#"{"detail": {"error": "This request exceeds your plan's set usage limit."}}"#,
    )
    .await;
    says(&failure, FailureKind::Quota, &["plan", "exceeds"]);
    assert!(!failure.passing);
    let failure = refused(
        "tavily",
        401,
        r#"{"detail": {"error": "Unauthorized: missing or invalid API key."}}"#,
    )
    .await;
    says(&failure, FailureKind::Key, &["TAVILY_API_KEY", "invalid API key"]);
    let body = r#"{"type": "ErrorResponse", "error": {"id": "x", "status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The provided subscription token is invalid."}}"#;
    let failure = refused("brave", 422, body).await;
    says(&failure, FailureKind::Key, &["BRAVE_API_KEY", "token is invalid"]);
    let failure = refused(
        "openalex",
        429,
        r#"{"error": "Rate limit exceeded", "message": "Insufficient budget."}"#,
    )
    .await;
    says(&failure, FailureKind::Quota, &["OPENALEX_API_KEY", "openalex.org/settings/api"]);
}

#[tokio::test]
async fn wikis_that_lag_or_are_closed() {
    let failure = refused(
        "wikipedia",
        200,
        r#"{"error": {"code": "maxlag", "info": "Waiting for db1: 7 seconds lagged", "lag": 7}}"#,
    )
    .await;
    says(&failure, FailureKind::Busy, &["7 seconds"]);
    assert!(failure.passing);
    let failure = refused(
        "mediawiki:{base}/api.php",
        200,
        r#"{"error": {"code": "readapidenied", "info": "You need read permission."}}"#,
    )
    .await;
    says(&failure, FailureKind::Key, &["members"]);
    let failure = refused("mediawiki:{base}/wiki/", 200, "<html>Main page</html>").await;
    says(&failure, FailureKind::Foreign, &["/wiki/"]);
}

#[tokio::test]
async fn an_error_entry_of_arxiv_is_no_result() {
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>http://arxiv.org/api/errors#incorrect_id_format</id>\
                <title>Error</title><summary>malformed query</summary></entry></feed>";
    says(&refused("arxiv", 200, feed).await, FailureKind::Refused, &["malformed query"]);
}

#[tokio::test]
async fn an_index_that_is_not_there_and_a_login_that_fails() {
    let body = r#"{"error": {"type": "index_not_found_exception", "reason": "no such index [notes]"}, "status": 404}"#;
    let failure = refused("opensearch:{base}/notes", 404, body).await;
    says(&failure, FailureKind::Refused, &["no such index [notes]"]);
    let pair = Pair::with(
        "opensearch",
        vec![Scene::answer(401, &[], r#"{"error": "no: cmVhZGVyOnNlc2FtZTQy sesame42"}"#)],
        |settings| {
            settings.keys.clear();
            settings.opensearch_login = Secret::new("reader").zip(Secret::new("sesame42"));
        },
    )
    .await;
    let failure = pair.find(&query()).await.unwrap_err();
    says(&failure, FailureKind::Key, &["OPENSEARCH_PASSWORD", "no: (hidden) (hidden)"]);
    assert!(
        pair.server.seen()[0]
            .head
            .contains(&"authorization: Basic cmVhZGVyOnNlc2FtZTQy".to_lowercase())
    );
}

#[tokio::test]
async fn nobody_there() {
    let settings = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        settings(&format!("http://{}", listener.local_addr().unwrap()))
    };
    let failure = provider("searxng", &settings).unwrap().find(&query()).await.unwrap_err();
    says(&failure, FailureKind::Unreachable, &["127.0.0.1", "SEARXNG_URL"]);
    assert!(failure.passing);
}
