//! What people say of runs, what they take out of them, and the pages that show both.

use super::{QUESTION, STRANGER, Served};
use elenchus_core::graph::{NOTE, keep, project_namespace};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::MemoFilter;
use elenchus_io::memos::{RemoteMemos, RemoteSettings};
use serde_json::{Value, json};
use std::sync::Arc;

async fn finished(served: &Served) -> String {
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    run
}

/// Sends a form as a page does.
pub(super) async fn sent(served: &Served, path: &str, form: &str) -> super::Got {
    let length = form.len();
    served
        .raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\
             Authorization: Bearer {}\r\nContent-Length: {length}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}",
            served.port,
            super::TOKEN
        ))
        .await
}

#[tokio::test]
async fn a_statement_is_judged_and_the_word_taken_back() {
    let served = Served::new().await;
    let run = finished(&served).await;
    let at = format!("/v1/research/{run}/claims/c1/feedback");
    let told = served.post(&at, &json!({"feedback": "wrong", "note": "the gauge says 5"})).await;
    assert_eq!((told.status, &told.json()["feedback"]), (200, &json!("wrong")), "{told:?}");
    let listed = async |served: &Served| {
        let page = served.get(&format!("/v1/research/{run}/claims")).await.json();
        page["items"][0]["feedback"].clone()
    };
    assert_eq!(listed(&served).await, "wrong");
    let kept = served.api.runs.store().remarks(Some(&RunId(run.clone()))).await.unwrap();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(kept[0].note.as_deref(), Some("the gauge says 5"));
    let basis: Value = serde_json::from_str(kept[0].basis.as_deref().unwrap()).unwrap();
    assert!(!basis["calibration"].as_str().unwrap().is_empty(), "{basis}");
    // It is the store's and no process's.
    let served = served.again().await;
    assert_eq!(listed(&served).await, "wrong");
    let page = served.get(&format!("/research/{run}")).await.body;
    assert!(page.contains(&format!("/research/{run}/claims/c1/feedback")), "{page}");
    assert!(page.contains("value=\"wrong\" aria-pressed=\"true\""), "{page}");
    // The pages say the same by a form.
    let form =
        sent(&served, &format!("/research/{run}/claims/c1/feedback"), "feedback=forget").await;
    assert_eq!(form.status, 303, "{form:?}");
    assert_eq!(listed(&served).await, Value::Null);
    for (path, body, status) in [
        (format!("/v1/research/{run}/claims/c99/feedback"), json!({"feedback": "right"}), 404),
        ("/v1/research/run_none/claims/c1/feedback".to_owned(), json!({"feedback": "right"}), 404),
        (at.clone(), json!({"feedback": "perhaps"}), 400),
        (at, json!({"feedback": "right", "colour": 1}), 400),
    ] {
        let refused = served.post(&path, &body).await;
        assert_eq!(refused.status, status, "{path}: {refused:?}");
    }
}

#[tokio::test]
async fn what_was_said_stands_among_the_notes() {
    let served = Served::new().await;
    let empty = served.get("/notes").await;
    assert!(empty.status == 200 && empty.body.contains("Nothing was noted yet"), "{empty:?}");
    let run = finished(&served).await;
    let at = format!("/v1/research/{run}/claims/c1/feedback");
    let word = json!({"feedback": "wrong", "note": "the <b>gauge</b> says 5"});
    assert_eq!(served.post(&at, &word).await.status, 200);
    // Reports that were taken out are no notes.
    served.get(&format!("/v1/research/{run}/export?format=md")).await;
    let page = served.get("/notes").await.body;
    assert!(page.contains(&format!("/research/{run}?view=answer#card-c1")), "{page}");
    assert!(page.contains("the &lt;b&gt;gauge&lt;/b&gt; says 5"), "{page}");
    assert!(page.contains("1 note<"), "{page}");
    assert!(served.get("/notes?only=wrong&page=9").await.body.contains("#card-c1"));
    assert!(!served.get("/notes?only=right").await.body.contains("#card-c1"));
    // The page of the run says it by a form, with a note as well.
    let form = "feedback=right&note=read+it+again";
    let path = format!("/research/{run}/claims/c1/feedback");
    assert_eq!(sent(&served, &path, form).await.status, 303);
    assert!(served.get("/notes?only=right").await.body.contains("read it again"));
    assert_eq!(served.post(&at, &json!({"feedback": "forget"})).await.status, 200);
    assert!(served.get("/notes").await.body.contains("Nothing was noted yet"));
}

#[tokio::test]
async fn what_is_said_with_a_note_is_kept_for_later_runs() {
    let served = Served::new().await;
    let run = finished(&served).await;
    let at = format!("/v1/research/{run}/claims/c1/feedback");
    let namespace = project_namespace("here");
    let notes = async |tenant: &str| {
        let tag = Some(NOTE.to_owned());
        let filter = MemoFilter { namespace: namespace.clone(), tag, ..MemoFilter::default() };
        served.api.memos.list(tenant, &filter).await.unwrap()
    };
    let word = json!({"feedback": "wrong", "note": "the gauge says 5"});
    assert_eq!(served.post(&at, &word).await.status, 200);
    assert!(notes("local").await.is_empty(), "the run itself is not remembered");
    let record = served.api.runs.record(&RunId(run.clone())).await.unwrap();
    let answer = record.shown(|shown| shown.answer.clone()).expect("it is over");
    let kept = keep(&answer, None, &namespace, Timestamp(1)).memos.remove(0);
    served.api.memos.save("local", &kept).await.unwrap();
    // To who is of another tenant there is no such run.
    let told = served.sent_by(STRANGER, "POST", &at, "", &word.to_string()).await;
    assert_eq!(told.status, 404, "{told:?}");
    assert!(notes("local").await.is_empty() && notes("other").await.is_empty());
    assert_eq!(served.post(&at, &word).await.status, 200);
    let found = notes("local").await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].content.contains("the gauge says 5"), "{found:?}");
    // The page takes it back, and with it what later runs would be told.
    let path = format!("/research/{run}/claims/c1/feedback");
    assert_eq!(sent(&served, &path, "feedback=forget").await.status, 303);
    assert!(notes("local").await.is_empty());
}

#[tokio::test]
async fn a_lead_that_can_neither_be_kept_nor_taken_out_is_told() {
    let served = Served::new().await;
    let run = finished(&served).await;
    // Where nobody listens.
    let gone = "127.0.0.1:9";
    let settings = RemoteSettings::from_variables(|name| {
        (name == "MEMORY_HTTP_URL").then(|| format!("http://{gone}/memory"))
    });
    let notes = RemoteMemos::new(settings.unwrap().expect("an address is set")).unwrap();
    let served = served.leading(Arc::new(notes)).await;
    let at = format!("/v1/research/{run}/claims/c1/feedback");
    for (word, said) in [
        (json!({"feedback": "wrong", "note": "the gauge says 5"}), "later runs are not told of it"),
        (json!({"feedback": "forget"}), "may still lead later runs"),
    ] {
        let told = served.post(&at, &word).await;
        assert_eq!(told.status, 200, "{told:?}");
        let told = told.json();
        let warning = told["warning"].as_str().unwrap_or_default();
        assert!(warning.contains(said) && warning.contains("nobody answers"), "{told}");
        let kept = if word["feedback"] == "forget" { Value::Null } else { json!("wrong") };
        assert_eq!(told["feedback"], kept, "the word itself is kept");
    }
    let path = format!("/research/{run}/claims/c1/feedback");
    let page = sent(&served, &path, "feedback=right&note=read+it").await;
    assert!(page.status == 500 && page.body.contains("later runs are not told of it"), "{page:?}");
    assert!(served.get("/notes?only=right").await.body.contains("read it"), "it is kept");
    // Where all is done nothing is told.
    let served = served.again().await;
    let told = served.post(&at, &json!({"feedback": "forget"})).await.json();
    assert_eq!(told.get("warning"), None, "{told}");
}

#[tokio::test]
async fn notes_are_searched_and_taken_along() {
    let served = Served::new().await;
    // Also where there is none.
    let none = served.get("/notes/export").await;
    assert!(none.status == 200 && none.body.starts_with("# Notes\n\n0 notes"), "{none:?}");
    let run = finished(&served).await;
    let at = format!("/v1/research/{run}/claims/c1/feedback");
    let word = json!({"feedback": "wrong", "note": "the <b>gauge</b> [says](x) 5"});
    assert_eq!(served.post(&at, &word).await.status, 200);
    let page = async |query: &str| served.get(&format!("/notes?{query}")).await.body;
    for query in ["q=GAUGE", "q=wrong+says", "q=gauge&only=wrong", "q=tide", "q=", "q=gauge&page=7"]
    {
        let shown = page(query).await;
        assert!(shown.contains("#card-c1") && shown.contains("1 note"), "{query}: {shown}");
    }
    for query in ["q=lighthouse", "q=gauge+lighthouse", "q=gauge&only=right"] {
        let shown = page(query).await;
        assert!(!shown.contains("#card-c1") && shown.contains("0 notes"), "{query}: {shown}");
        assert!(shown.contains("name=\"q\""), "one may look for something else: {shown}");
    }
    let shown = page("q=%22%3E%3Cimg%3E").await;
    assert!(!shown.contains("<img"), "{shown}");
    assert!(page("q=gauge").await.contains("/notes/export?only=&amp;q=gauge&amp;format=json"));

    let md = served.get("/notes/export?format=md").await;
    assert_eq!(md.header("content-type"), Some("text/markdown; charset=utf-8"));
    let name = "attachment; filename=\"elenchus-notes.md\"";
    assert_eq!(md.header("content-disposition"), Some(name));
    assert!(md.body.contains("- Statement c1: wrong, by "), "{md:?}");
    assert!(md.body.contains("Note: the \\<b>gauge\\</b> \\[says\\](x) 5"), "{md:?}");
    let json = served.get("/notes/export?format=json&q=gauge").await;
    assert_eq!(json.header("content-type"), Some("application/json"));
    let read = json.json();
    assert_eq!(read["notes"].as_array().map(Vec::len), Some(1), "{read}");
    let one = &read["notes"][0];
    assert_eq!(one["run_id"], run.as_str());
    assert_eq!(one["note"], "the <b>gauge</b> [says](x) 5");
    assert_eq!(one["question"], QUESTION);
    assert!(!one["text"].as_str().unwrap().is_empty(), "{one}");
    let other = served.get("/notes/export?format=json&q=lighthouse").await.json();
    assert_eq!(other["notes"], json!([]));
    assert_eq!(served.get("/notes/export?format=exe").await.status, 400);
}

#[tokio::test]
async fn what_was_taken_out_outlives_the_server() {
    let served = Served::new().await;
    let run = finished(&served).await;
    for format in ["md", "prov", "md"] {
        let got = served.get(&format!("/v1/research/{run}/export?format={format}")).await;
        assert_eq!(got.status, 200, "{got:?}");
    }
    let served = served.again().await;
    let kept = served.api.runs.store().remarks(Some(&RunId(run))).await.unwrap();
    let formats: Vec<&str> = kept.iter().map(|one| one.target.as_str()).collect();
    assert_eq!(formats.len(), 2, "{kept:?}");
    assert!(formats.contains(&"md") && formats.contains(&"prov"));
}

#[tokio::test]
async fn the_page_of_sources_tells_which_runs_cite_each() {
    let served = Served::new().await;
    let empty = served.get("/sources").await;
    assert!(empty.status == 200 && empty.body.contains("Nothing has been cited yet"), "{empty:?}");
    let first = finished(&served).await;
    let second = finished(&served).await;
    let page = served.get("/sources").await.body;
    assert!(page.contains("tides.md") && page.contains("cited by 2 runs"), "{page}");
    for run in [&first, &second] {
        assert!(page.contains(&format!("/research/{run}/source/")), "{page}");
    }
    let found = served.get("/sources?q=TIDES").await.body;
    assert!(found.contains("tides.md") && !found.contains("gauge.md"), "{found}");
    let none = served.get("/sources?q=lighthouse").await.body;
    assert!(none.contains("0 sources") && !none.contains("tides.md"), "{none}");
    let far = served.get("/sources?page=99").await;
    assert!(far.status == 200 && far.body.contains("tides.md"), "{far:?}");
}

#[tokio::test]
async fn a_strategy_is_changed_voted_on_and_deleted_by_forms() {
    let served = Served::new().await;
    let draft = json!({"title": "Lock order", "description": "When two locks are held",
        "content": "Always take the ledger lock first.", "outcome": "success"});
    let recorded = served.post("/v1/memory/record", &draft).await.json();
    let at = format!("/memory/{}", recorded["id"].as_str().unwrap());
    let page = served.get(&at).await;
    assert!(page.status == 200 && page.body.contains("this project"), "{page:?}");
    let edit = "do=edit&title=Order+of+locks&description=When+two+are+held&content=Take+the+ledger%27s.&tags=locks%2C+order&scope=project";
    assert_eq!(sent(&served, &at, edit).await.status, 303);
    let page = served.get(&at).await.body;
    assert!(page.contains("Order of locks") && page.contains("Take the ledger's."), "{page}");
    assert_eq!(sent(&served, &at, "do=helpful").await.status, 303);
    let signals = |page: &str| page.matches("class=\"signal\"").count();
    assert_eq!(signals(&served.get(&at).await.body), 1);
    assert_eq!(sent(&served, &at, "do=unvote").await.status, 303);
    assert_eq!(signals(&served.get(&at).await.body), 0);
    // It goes only when that was confirmed.
    assert_eq!(sent(&served, &at, "do=delete").await.status, 400);
    assert_eq!(served.get(&at).await.status, 200);
    assert_eq!(sent(&served, &at, "do=delete&sure=yes").await.status, 303);
    assert_eq!(served.get(&at).await.status, 404);
}
