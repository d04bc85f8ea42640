//! Runs from their start to their deletion.

use super::{Got, QUESTION, Served, TOKEN};
use crate::runs::Ask;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::Claim;
use serde_json::{Value, json};

#[tokio::test]
async fn a_run_is_started_followed_and_read() {
    let served = Served::new().await;
    let started = served.post("/v1/research", &json!({"question": QUESTION})).await;
    assert_eq!(started.status, 202, "{started:?}");
    let run = started.json()["run_id"].as_str().unwrap().to_owned();
    assert_eq!(started.header("location"), Some(format!("/v1/research/{run}").as_str()));
    // The stream ends with the run.
    let events = served.get(&format!("/v1/research/{run}/events")).await;
    assert_eq!(events.status, 200);
    assert_eq!(events.header("content-type"), Some("text/event-stream"));
    assert_eq!(events.header("x-accel-buffering"), Some("no"));
    assert!(events.body.contains("event: session_started"), "{}", events.body);
    assert!(events.body.contains("event: session_completed"), "{}", events.body);
    assert_eq!(served.until(&run, &["finished"]).await, "finished");
    let look = served.get(&format!("/v1/research/{run}")).await;
    let view = look.json();
    assert_eq!(view["question"], QUESTION);
    assert_eq!(view["options"]["autonomous"], false, "over HTTP it is off without a word");
    assert!(view["conclusion"].is_string(), "{view}");
    // What is read has a tag, and is not sent twice.
    let tag = look.header("etag").unwrap();
    let again = served
        .send("GET", &format!("/v1/research/{run}"), &format!("If-None-Match: {tag}\r\n"), "")
        .await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let head = served.send("HEAD", &format!("/v1/research/{run}"), "", "").await;
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    for part in ["claims", "gaps", "hypotheses", "insights", "sources", "contradictions", "steps"] {
        let page = served.get(&format!("/v1/research/{run}/{part}?limit=2")).await;
        assert_eq!(page.status, 200, "{part}: {page:?}");
        assert!(page.json()["items"].is_array(), "{part}");
    }
    let answer = served.get(&format!("/v1/research/{run}/answer")).await.json();
    assert_eq!(answer["run_id"], run.as_str());
    assert!(answer["response"]["conclusion"].is_string());
    for format in [
        "md",
        "html",
        "json",
        "jsonl",
        "csl-json",
        "bibtex",
        "ris",
        "csv",
        "web-annotation",
        "prov",
        "ro-crate",
    ] {
        let export = served.get(&format!("/v1/research/{run}/export?format={format}")).await;
        assert_eq!(export.status, 200, "{format}: {export:?}");
        assert!(
            export.header("content-disposition").unwrap().starts_with("attachment"),
            "{format}"
        );
    }
    assert_eq!(served.get(&format!("/v1/research/{run}/export?format=exe")).await.status, 400);
    let trace = served.get(&format!("/v1/research/{run}/trace?kind=session_started")).await.json();
    assert_eq!(trace["total"], 1, "{trace}");
    // A type that no event has is not taken for one that this run lacks.
    let wrong = served.get(&format!("/v1/research/{run}/trace?kind=foo")).await;
    assert_eq!((wrong.status, wrong.json()["code"].as_str()), (400, Some("malformed")));
    assert!(wrong.json()["way_out"].as_str().unwrap().contains("session_started"), "{wrong:?}");
    let found =
        served.get(&format!("/v1/research/{run}/trace?q=HARBOUR+tide&limit=1")).await.json();
    assert_eq!(found["items"].as_array().unwrap().len(), 1);
    assert!(found["total"].as_u64().unwrap() > 1, "{found}");
    let next = found["next_after"].as_u64().unwrap();
    let more = served.get(&format!("/v1/research/{run}/trace?q=harbour&after={next}")).await.json();
    assert!(more["items"][0]["seq"].as_u64().unwrap() > next);
    let listed = served.get("/v1/research?q=tide+HARBOUR&status=finished").await.json();
    assert_eq!(listed["items"][0]["run_id"], run.as_str());
    assert_eq!(served.get("/v1/research?q=unheard").await.json()["total"], 0);
    assert_eq!(served.send("DELETE", &format!("/v1/research/{run}"), "", "").await.status, 200);
    assert_eq!(served.get(&format!("/v1/research/{run}")).await.status, 404);
}

#[tokio::test]
async fn one_request_sent_twice_starts_one_run() {
    let served = Served::new().await;
    let body = json!({"question": QUESTION}).to_string();
    let key = "Idempotency-Key: abc\r\n";
    let first = served.send("POST", "/v1/research", key, &body).await.json();
    let second = served.send("POST", "/v1/research", key, &body).await.json();
    assert_eq!(first["run_id"], second["run_id"]);
    let other = json!({"question": "Who keeps the lighthouse?"}).to_string();
    let reused = served.send("POST", "/v1/research", key, &other).await;
    assert_eq!((reused.status, reused.json()["code"].as_str()), (409, Some("key_reused")));
    let new = served.send("POST", "/v1/research", "Idempotency-Key: abd\r\n", &body).await.json();
    assert_ne!(first["run_id"], new["run_id"]);
    assert_eq!(served.get("/v1/research").await.json()["total"], 2);
}

#[tokio::test]
async fn the_key_of_a_request_outlives_the_server() {
    let served = Served::new().await;
    let body = json!({"question": QUESTION}).to_string();
    let key = "Idempotency-Key: abc\r\n";
    let first = served.send("POST", "/v1/research", key, &body).await.json();
    let run = first["run_id"].as_str().unwrap().to_owned();
    served.until(&run, &["finished"]).await;
    let served = served.again().await;
    let second = served.send("POST", "/v1/research", key, &body).await.json();
    assert_eq!(
        (&second["run_id"], second["status"].as_str()),
        (&first["run_id"], Some("finished"))
    );
    let other = json!({"question": "Who keeps the lighthouse?"}).to_string();
    assert_eq!(served.send("POST", "/v1/research", key, &other).await.status, 409);
    assert_eq!(served.get("/v1/research").await.json()["total"], 1);
    // Its run is gone, and the key with it.
    assert_eq!(served.send("DELETE", &format!("/v1/research/{run}"), "", "").await.status, 200);
    let third = served.send("POST", "/v1/research", key, &other).await;
    assert_eq!(third.status, 202, "{third:?}");
}

#[tokio::test]
async fn a_request_whose_run_never_began_begins_one() {
    let served = Served::new().await;
    let runs = &served.api.runs;
    let claim = Claim { request: "r".to_owned(), run_id: "run_never".into() };
    runs.store().claim_key("k", &claim, None, Timestamp(1_700_000_000_000)).await.unwrap();
    let ask = Ask { question: QUESTION.to_owned(), ..Ask::default() };
    let (run, is_new) = runs.start_once(&ask, "k", "r").await.unwrap();
    assert!(is_new && run.as_str() != "run_never");
    assert_eq!(runs.start_once(&ask, "k", "r").await.unwrap(), (run, false));
}

#[tokio::test]
async fn a_package_is_zipped_and_always_the_same() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    let path = format!("/v1/research/{run}/export?format=ro-crate");
    let package = served.get(&path).await;
    assert_eq!(package.header("content-type"), Some("application/zip"));
    assert!(package.body.starts_with("PK"), "{:?}", package.head);
    for file in ["ro-crate-metadata.json", "report.md", "answer.json", "trace.jsonl", "prov.json"] {
        assert!(package.body.contains(file), "{file}");
    }
    assert_eq!(served.get(&path).await.header("etag"), package.header("etag"));
    // By the name that the page has for it too.
    let prov = served.get(&format!("/v1/research/{run}/export?format=prov-json")).await;
    assert_eq!(prov.status, 200);
}

#[tokio::test]
async fn a_run_is_steered_and_ended() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    let control = format!("/v1/research/{run}/control");
    // It waits with its plan; the plan is edited, and it goes on.
    for _ in 0..500 {
        let plan = served.get(&format!("/v1/research/{run}/plan")).await.json();
        if plan["questions"].as_array().is_some_and(|questions| !questions.is_empty()) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let wrong = served.post(&control, &json!({"control": "explode"})).await;
    assert_eq!((wrong.status, wrong.json()["code"].as_str()), (400, Some("malformed")));
    // What it is to look for too is in its plan at once; what core refuses does not reach it.
    let focus = "Where do the boats wait?";
    let redirect = json!({"control": "redirect", "focus": focus});
    assert_eq!(served.post(&control, &redirect).await.status, 200);
    let mut planned = String::new();
    for _ in 0..500 {
        planned = served.get(&format!("/v1/research/{run}/plan")).await.body;
        if planned.contains(focus) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert!(planned.contains(focus), "{planned}");
    let page = served.get(&format!("/research/{run}")).await.body;
    let form = page.split("name=\"questions\"").nth(1).unwrap_or_default();
    assert!(form.split("</textarea>").next().unwrap_or_default().contains(focus), "{form}");
    let many: Vec<String> = (0..9).map(|n| format!("What of {n}?")).collect();
    let full = served.post(&control, &json!({"control": "edit_plan", "questions": many})).await;
    assert_eq!((full.status, full.json()["code"].as_str()), (409, Some("plan_refused")));
    let edited = json!({"control": "edit_plan", "questions": ["How far does the tide rise?"]});
    assert_eq!(served.post(&control, &edited).await.status, 200);
    let plan = served.get(&format!("/v1/research/{run}/plan")).await.json();
    assert_eq!(plan["questions"][0]["text"], "How far does the tide rise?", "{plan}");
    let ended = served.post(&control, &json!({"control": "interrupt"})).await;
    assert!(matches!(ended.status, 200 | 409), "{ended:?}");
    let status = served.until(&run, &["interrupted", "finished"]).await;
    let over = served.post(&control, &json!({"control": "pause"})).await;
    assert_eq!((over.status, over.json()["code"].as_str()), (409, Some("run_over")), "{status}");
    let unknown = served.post("/v1/research/run_none/control", &json!({"control": "pause"})).await;
    assert_eq!((unknown.status, unknown.json()["code"].as_str()), (404, Some("unknown_run")));
}

#[tokio::test]
async fn a_run_is_told_to_finish_in_the_shorter_word_too() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    served.until(&run, &["paused"]).await;
    let control = format!("/v1/research/{run}/control");
    let told = served.post(&control, &json!({"control": "finish"})).await;
    assert_eq!(told.status, 200, "{told:?}");
    served.until(&run, &["finished"]).await;
    let view = served.get(&format!("/v1/research/{run}")).await.json();
    assert_eq!(view["stop_reason"], "finish_now", "{view}");
}

/// What no document answers: one look ends a run, and leaves it open.
const UNKNOWN: &str = "Which ferry serves Osterby island?";

#[tokio::test]
async fn a_run_that_a_limit_ended_goes_on_in_another_one() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": UNKNOWN})).await;
    served.until(&run, &["finished"]).await;
    let view = served.get(&format!("/v1/research/{run}")).await.json();
    assert_eq!(view["stop_reason"], "budget_rounds", "{view}");
    let more = format!("/v1/research/{run}/more");
    let idle = json!({"control": "set_budget", "rounds": 3});
    let idle = served.post(&format!("/v1/research/{run}/control"), &idle).await;
    assert_eq!((idle.status, idle.json()["code"].as_str()), (409, Some("run_over")), "{idle:?}");
    assert!(idle.json()["way_out"].as_str().unwrap().contains("/more"), "{idle:?}");
    for (body, status, code) in [
        (json!({}), 400, "limits_refused"),
        (json!({"rounds": 11}), 400, "limits_refused"),
        (json!({"rounds": 0}), 400, "limits_refused"),
        (json!({"rounds": "many"}), 400, "malformed"),
        (json!({"passages": 90}), 409, "no_room"),
    ] {
        let refused = served.post(&more, &body).await;
        let got = (refused.status, refused.json()["code"].as_str().map(str::to_owned));
        assert_eq!(got, (status, Some(code.to_owned())), "{body}: {refused:?}");
    }
    let unknown = served.post("/v1/research/run_none/more", &json!({"rounds": 3})).await;
    assert_eq!((unknown.status, unknown.json()["code"].as_str()), (404, Some("unknown_run")));
    // The page offers it as well.
    let page = served.get(&format!("/research/{run}")).await.body;
    assert!(page.contains("Go on with other limits") && page.contains("set_budget"), "{page}");

    let made = served.post(&more, &json!({"rounds": 3, "by": "somebody else"})).await;
    assert_eq!((made.status, made.json()["of"].as_str()), (202, Some(run.as_str())), "{made:?}");
    let child = made.json()["run_id"].as_str().unwrap().to_owned();
    served.until(&child, &["finished"]).await;
    let view = served.get(&format!("/v1/research/{child}")).await.json();
    assert_eq!((&view["forked"]["parent"], &view["max_rounds"]), (&json!(run), &json!(3)));
    let lines = served.get(&format!("/v1/research/{child}/export?format=jsonl")).await.body;
    let events: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let changed = events.iter().find(|event| event["type"] == "budget_changed").unwrap();
    let expected = json!([{"limit": "rounds", "from": 1, "to": 3}]);
    assert_eq!(changed["data"]["changes"], expected);
    assert_ne!(changed["data"]["by"], "somebody else", "who it was is for the server to say");
    // It ends for what it found, and no more for the limit.
    let end = events.iter().find(|event| event["type"] == "session_completed").unwrap();
    assert_eq!(end["data"]["stop_reason"], "no_new_passages", "{lines}");
    let linked = served.get(&format!("/v1/research/{run}")).await.json()["linked"].take();
    assert_eq!(linked[0]["run_id"], child.as_str(), "{linked}");
}

#[tokio::test]
async fn limits_are_set_of_a_run_however_it_stands() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": UNKNOWN, "review_plan": true})).await;
    served.until(&run, &["paused"]).await;
    let (control, more) =
        (format!("/v1/research/{run}/control"), format!("/v1/research/{run}/more"));
    let set = served.post(&control, &json!({"control": "set_budget", "passages": 60})).await;
    assert_eq!(set.status, 200, "{set:?}");
    let refused = served.post(&control, &json!({"control": "set_budget", "rounds": 99})).await;
    assert_eq!(
        (refused.status, refused.json()["code"].as_str()),
        (400, Some("limits_refused")),
        "{refused:?}"
    );
    assert!(refused.json()["way_out"].as_str().unwrap().contains("at most 10"), "{refused:?}");
    let set = served.post(&more, &json!({"rounds": 2})).await;
    assert_eq!(set.status, 200, "{set:?}");
    let page = served.get(&format!("/research/{run}")).await.body;
    assert!(page.contains("Set the limits") && page.contains("placeholder=\"60\""), "{page}");
    // It stops; then it is gone on with under other limits.
    served.api.runs.suspend().await;
    served.until(&run, &["stopped"]).await;
    let idle = served.post(&control, &json!({"control": "set_budget", "rounds": 3})).await;
    assert_eq!((idle.status, idle.json()["code"].as_str()), (409, Some("run_stopped")));
    assert!(idle.json()["way_out"].as_str().unwrap().contains("/more"), "{idle:?}");
    let resumed = served.post(&more, &json!({"rounds": 3})).await;
    assert_eq!(resumed.status, 200, "{resumed:?}");
    for _ in 0..500 {
        if served.get(&format!("/v1/research/{run}")).await.json()["max_rounds"] == 3 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let view = served.get(&format!("/v1/research/{run}")).await.json();
    assert_eq!(
        (&view["max_rounds"], &view["options"]["budget"]["passages"]),
        (&json!(3), &json!(60))
    );
    // Of one that ended for another reason nothing goes on.
    assert_eq!(served.post(&control, &json!({"control": "interrupt"})).await.status, 200);
    served.until(&run, &["interrupted"]).await;
    let over = served.post(&more, &json!({"rounds": 4})).await;
    assert_eq!((over.status, over.json()["code"].as_str()), (409, Some("run_over")), "{over:?}");
    assert!(over.json()["cause"].as_str().unwrap().contains("no limit ended it"), "{over:?}");
}

#[tokio::test]
async fn a_source_is_added_to_a_run_under_way() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": UNKNOWN, "review_plan": true})).await;
    served.until(&run, &["paused"]).await;
    let control = format!("/v1/research/{run}/control");
    // The run looks at its documents alone: it reads no page, and names none by a secret.
    for (sources, told) in [
        (json!({"pages": ["https://a.example/ferry"]}), "documents alone"),
        (json!({"documents": [" "]}), "no path"),
        (json!({}), "no source"),
    ] {
        let mut body = sources.clone();
        body["control"] = json!("add_sources");
        let refused = served.post(&control, &body).await;
        let code = refused.json()["code"].as_str().map(str::to_owned);
        assert_eq!((refused.status, code.as_deref()), (409, Some("sources_refused")), "{sources}");
        assert!(refused.json()["cause"].as_str().unwrap().contains(told), "{refused:?}");
        assert!(!refused.json()["way_out"].as_str().unwrap().is_empty());
    }
    let page = served.get(&format!("/research/{run}")).await.body;
    assert!(page.contains("Add a source") && page.contains("name=\"documents\""), "{page}");
    assert!(!page.contains("name=\"pages\""), "no page of the web is read for it");
    let added = json!({"control": "add_sources", "documents": ["tides.md"]});
    assert_eq!(served.post(&control, &added).await.status, 200);
    assert_eq!(served.post(&control, &json!({"control": "resume"})).await.status, 200);
    served.until(&run, &["finished"]).await;
    let trace = served.get(&format!("/v1/research/{run}/export?format=jsonl")).await.body;
    assert!(trace.contains("look into tides.md"), "{trace}");
    let idle = served.post(&control, &added).await;
    assert_eq!((idle.status, idle.json()["code"].as_str()), (409, Some("run_over")), "{idle:?}");
    assert!(idle.json()["way_out"].as_str().unwrap().contains("/fork"), "{idle:?}");
}

#[tokio::test]
async fn a_challenge_after_the_end_opens_a_linked_run() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    let trace =
        served.get(&format!("/v1/research/{run}/trace?kind=reasoning_thought")).await.json();
    let event = trace["items"][0]["seq"].as_u64().unwrap();
    let doubt = json!({"event_id": event, "text": "Is that so in winter?"});
    let child = served.post(&format!("/v1/research/{run}/challenge"), &doubt).await;
    assert_eq!(child.status, 202, "{child:?}");
    assert_eq!(child.json()["of"], run.as_str());
    let child = child.json()["run_id"].as_str().unwrap().to_owned();
    served.until(&child, &["finished"]).await;
    let view = served.get(&format!("/v1/research/{child}")).await.json();
    assert_eq!(view["contest"]["parent"], run.as_str(), "{view}");
    let linked = served.get(&format!("/v1/research/{run}")).await.json()["linked"].take();
    let came = json!([
        {"run_id": child, "because": "challenge", "event_id": event, "status": "finished"}
    ]);
    assert_eq!(linked, came);
    for (event, text, status) in [(9_999, "Really?", 404), (event, "...", 400)] {
        let doubt = json!({"event_id": event, "text": text});
        let refused = served.post(&format!("/v1/research/{run}/challenge"), &doubt).await;
        assert_eq!(refused.status, status, "{refused:?}");
    }
}

#[tokio::test]
async fn a_hypothesis_is_tested_by_another_run() {
    let served = Served::new().await;
    let claim = "The harbour tide rises 4 metres in spring.";
    let run = served.start(&json!({"question": QUESTION, "test": [claim]})).await;
    served.until(&run, &["finished"]).await;
    let held = served.get(&format!("/v1/research/{run}/hypotheses")).await.json();
    let id = held["items"][0]["id"].as_str().unwrap_or_else(|| panic!("{held}")).to_owned();
    let tested = served.post(&format!("/v1/hypotheses/{run}:{id}/test"), &json!({})).await;
    assert_eq!((tested.status, tested.json()["of"].as_str()), (202, Some(run.as_str())));
    let child = tested.json()["run_id"].as_str().unwrap().to_owned();
    served.until(&child, &["finished"]).await;
    let again = served.get(&format!("/v1/research/{child}/hypotheses")).await.json();
    assert_eq!(again["items"][0]["claim"], held["items"][0]["claim"], "{again}");
    // Either leads to the other, over the API and on the pages.
    let view = served.get(&format!("/v1/research/{child}")).await.json();
    let came_of = json!({"parent": run, "hypothesis": id});
    assert_eq!(view["options"]["tested"], came_of, "{view}");
    assert_eq!(view["linked"], json!([]), "{view}");
    let linked = served.get(&format!("/v1/research/{run}")).await.json()["linked"].take();
    let came =
        json!([{"run_id": child, "because": "test", "hypothesis": id, "status": "finished"}]);
    assert_eq!(linked, came);
    let page = served.get(&format!("/research/{run}")).await.body;
    assert!(page.contains(&format!("href=\"/research/{child}\"")), "{page}");
    let page = served.get(&format!("/research/{child}")).await.body;
    assert!(page.contains(&format!("/research/{run}?view=hypotheses#{id}")), "{page}");
    let first = served.get(&format!("/v1/research/{child}/steps?limit=1")).await.json();
    assert!(first.to_string().contains(&format!("to test {id} of run {run}")), "{first}");
    let none = served.post("/v1/hypotheses/h9/test", &json!({"run_id": run})).await;
    assert_eq!((none.status, none.json()["code"].as_str()), (404, Some("unknown_hypothesis")));
    assert_eq!(served.post("/v1/hypotheses/h1/test", &json!({})).await.status, 400);
}

#[tokio::test]
async fn an_explanation_of_ones_own_is_tested_beside_those_of_a_run() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    let form = |body: &str| {
        format!(
            "POST /research/{run}/hypotheses HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\
             Authorization: Bearer {TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\n\r\n{body}",
            served.port,
            body.len()
        )
    };
    let made = served.raw(&form("claim=The+harbour+tide+rises+4+metres+in+spring.")).await;
    assert_eq!(made.status, 303, "{made:?}");
    let place = made.header("location").unwrap().strip_prefix("/research/").unwrap();
    let child = place.split('?').next().unwrap().to_owned();
    served.until(&child, &["finished"]).await;
    let view = served.get(&format!("/v1/research/{child}")).await.json();
    assert_eq!(view["options"]["tested"], json!({"parent": run}), "{view}");
    let linked = served.get(&format!("/v1/research/{run}")).await.json()["linked"].take();
    let came = json!([{"run_id": child, "because": "test", "status": "finished"}]);
    assert_eq!(linked, came);
    // What has no words starts nothing.
    assert_eq!(served.raw(&form("claim=%3F%21")).await.status, 400);
    assert_eq!(served.get("/v1/research").await.json()["total"], 2);
}

#[tokio::test]
async fn a_run_is_forked_from_a_step() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "autonomous": true})).await;
    served.until(&run, &["finished"]).await;
    let lines = served.get(&format!("/v1/research/{run}/export?format=jsonl")).await.body;
    let before: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let at = before.iter().find(|event| event["type"] == "reasoning_observation").unwrap();
    let at = at["seq"].as_u64().unwrap();
    let fork = format!("/v1/research/{run}/fork");
    let focus = "Which ferry serves Osterby island?";
    let made = served.post(&fork, &json!({"at": at, "focus": focus})).await;
    assert_eq!((made.status, made.json()["of"].as_str()), (201, Some(run.as_str())), "{made:?}");
    let child = made.json()["run_id"].as_str().unwrap().to_owned();
    assert_eq!(made.header("location"), Some(format!("/v1/research/{child}").as_str()));
    assert_eq!(made.json()["links"]["self"], format!("/v1/research/{child}"));
    served.until(&child, &["finished"]).await;
    let view = served.get(&format!("/v1/research/{child}")).await.json();
    assert_eq!(view["forked"]["parent"], run.as_str(), "{view}");
    let taken_over = view["forked"]["event_id"].as_u64().unwrap();
    assert!(taken_over >= at && view["controls"][0]["focus"] == focus, "{view}");
    assert!(view["questions"].to_string().contains("Osterby"), "{view}");
    let lines = served.get(&format!("/v1/research/{child}/export?format=jsonl")).await.body;
    let after: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shared = usize::try_from(taken_over).unwrap();
    for (old, new) in before.iter().zip(&after).take(shared).skip(1) {
        assert_eq!((&old["type"], &old["data"]), (&new["type"], &new["data"]));
    }
    assert_eq!(after[shared]["type"], "control_received");
    // The page says where it comes from, and the run itself is as it was.
    let page = served.get(&format!("/research/{child}")).await.body;
    assert!(page.contains("This run was forked") && page.contains(&run), "{page}");
    let kept = served.get(&format!("/v1/research/{run}/export?format=jsonl")).await.body;
    assert_eq!(kept.lines().count(), before.len());
    let linked = served.get(&format!("/v1/research/{run}")).await.json()["linked"].take();
    assert_eq!(linked[0]["run_id"], child.as_str(), "{linked}");
    assert_eq!(
        (&linked[0]["because"], &linked[0]["event_id"]),
        (&json!("fork"), &json!(taken_over))
    );
    // From its last step one goes back to before its end; beyond that there is nothing.
    let end = served.post(&fork, &json!({"at": before.len()})).await;
    assert_eq!(end.status, 201, "{end:?}");
    served.until(end.json()["run_id"].as_str().unwrap(), &["finished"]).await;
    for (address, body, status, code) in [
        (&fork, json!({"at": before.len() + 1}), 404, "unknown_event"),
        (&fork, json!({"at": 0}), 404, "unknown_event"),
        (&fork, json!({"at": at, "focus": "?!"}), 400, "bad_focus"),
        (&fork, json!({"focus": focus}), 400, "malformed"),
        (&"/v1/research/run_none/fork".to_owned(), json!({"at": 1}), 404, "unknown_run"),
    ] {
        let refused = served.post(address, &body).await;
        let got = (refused.status, refused.json()["code"].as_str().map(str::to_owned));
        assert_eq!(got, (status, Some(code.to_owned())), "{refused:?}");
        assert_eq!(refused.header("content-type"), Some("application/problem+json"));
    }
}

#[tokio::test]
async fn a_step_of_a_page_is_forked_without_a_script() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    // It need not be over: it waits with its plan, and stays where it is.
    served.until(&run, &["paused"]).await;
    for layout in ["log", "tree"] {
        let page = served.get(&format!("/research/{run}?view=trace&as={layout}")).await.body;
        assert!(page.contains(&format!("action=\"/research/{run}/fork\"")), "{page}");
        assert!(page.contains("Fork from here"), "{page}");
    }
    let form = |body: &str| {
        format!(
            "POST /research/{run}/fork HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\
             Authorization: Bearer {TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\n\r\n{body}",
            served.port,
            body.len()
        )
    };
    let made = served.raw(&form("at=1&focus=")).await;
    assert_eq!(made.status, 303, "{made:?}");
    let child = made.header("location").unwrap().strip_prefix("/research/").unwrap().to_owned();
    assert_ne!(child, run);
    // It was forked before its plan was made, and waits with its own.
    served.until(&child, &["paused"]).await;
    assert_eq!(served.until(&run, &["paused"]).await, "paused");
    assert_eq!(served.raw(&form("at=x")).await.status, 400);
}

#[tokio::test]
async fn an_agent_hears_who_drives_a_run_and_goes_on_with_a_stopped_one() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    served.until(&run, &["paused"]).await;
    served.api.runs.suspend().await;
    served.until(&run, &["stopped"]).await;
    let call = async |tool: &str| {
        let asked = json!({"tool": tool, "params": {"run_id": run}});
        served.post("/v1/tools", &asked).await
    };
    let way_on = format!("research_start with run_id {run}");
    let stopped = call("research_status").await.json()["result"].clone();
    assert_eq!(stopped["status"], "stopped");
    assert!(stopped["message"].as_str().unwrap().contains(&way_on), "{stopped}");
    let later = call("research_status").await.json()["result"].clone();
    assert_eq!(later["elapsed_ms"], stopped["elapsed_ms"], "nothing goes on");
    for tool in ["research_cancel", "research_result"] {
        let refused = call(tool).await;
        assert_eq!(refused.status, 400, "{tool}: {refused:?}");
        assert!(refused.body.contains(&way_on), "{tool}: {refused:?}");
    }
    // Another process drives it, or was killed and holds its lease still.
    let store = served.api.runs.store();
    let id = RunId(run.clone());
    let held = store.lease(&id, "another", Timestamp(0), i64::MAX / 4).await.expect("it is free");
    let driven = call("research_status").await.json()["result"].clone();
    assert_eq!(driven["status"], "running");
    let told = driven["message"].as_str().unwrap();
    assert!(told.contains("counts as stopped in ") && told.contains("research_start"), "{told}");
    let early = call("research_start").await;
    assert_eq!(early.status, 400, "{early:?}");
    assert!(early.body.contains("another process drives it"), "{early:?}");
    store.release(&held).await.expect("it was held");
    let on = call("research_start").await;
    assert_eq!((on.status, on.json()["result"]["run_id"].as_str()), (200, Some(&*run)), "{on:?}");
    served.until(&run, &["paused"]).await;
    let ended = call("research_cancel").await;
    assert_eq!(ended.status, 200, "{ended:?}");
    served.until(&run, &["interrupted"]).await;
}

/// Sends a method of the tasks extension over `/mcp`, as a client that can put forms to its user, with this task named in the header.
async fn of_task(served: &Served, method: &str, named: &str, params: &Value) -> Got {
    let mut meta = crate::mcp::meta_of_tests();
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let mut params = params.clone();
    params["_meta"] = meta;
    let asked = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let more = format!(
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: {method}\r\nMcp-Name: {named}\r\n"
    );
    served.send("POST", "/mcp", &more, &asked.to_string()).await
}

#[tokio::test]
async fn a_task_goes_on_after_a_stop_and_ends_when_it_is_cancelled() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    let standing = async || {
        let got = of_task(&served, "tasks/get", &run, &json!({"taskId": run})).await;
        assert_eq!(got.status, 200, "{got:?}");
        got.json()["result"].clone()
    };
    served.until(&run, &["paused"]).await;
    let task = standing().await;
    assert_eq!((&task["taskId"], &task["status"]), (&json!(run), &json!("working")), "{task}");
    assert_eq!((&task["ttlMs"], &task["pollIntervalMs"]), (&Value::Null, &json!(2_000)), "{task}");
    let mut names = Vec::new();
    for wanted in ["working", "cancelled"] {
        served.api.runs.suspend().await;
        served.until(&run, &["stopped"]).await;
        let task = standing().await;
        assert_eq!(task["status"], "input_required", "{task}");
        let name = task["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
        let done = if wanted == "working" {
            let mut answers = serde_json::Map::new();
            let yes = json!({"action": "accept", "content": {"go_on": true}});
            answers.insert(name.clone(), yes);
            let params = json!({"taskId": run, "inputResponses": answers});
            of_task(&served, "tasks/update", &run, &params).await
        } else {
            of_task(&served, "tasks/cancel", &run, &json!({"taskId": run})).await
        };
        assert_eq!(done.json()["result"], json!({"resultType": "complete"}), "{done:?}");
        served.until(&run, &["paused", "interrupted"]).await;
        let task = standing().await;
        let ended = if task["status"] == "working" && wanted == "cancelled" {
            served.until(&run, &["interrupted"]).await;
            standing().await
        } else {
            task
        };
        assert_eq!(ended["status"], wanted, "{ended}");
        names.push(name);
    }
    assert_ne!(names[0], names[1], "each stop is asked about anew");
    // What the header names is what the body names.
    let other = of_task(&served, "tasks/get", "another", &json!({"taskId": run})).await;
    assert_eq!((other.status, &other.json()["error"]["code"]), (400, &json!(-32_020)), "{other:?}");
}

#[tokio::test]
async fn a_run_that_begins_as_the_server_stops_can_be_gone_on_with() {
    let served = Served::new().await;
    let asked = json!({"question": QUESTION, "review_plan": true});
    let ask: Ask = serde_json::from_value(asked).unwrap();
    // It is entered when the server is told to stop, and has not begun.
    let (started, ()) = tokio::join!(served.api.runs.start(&ask), served.api.runs.suspend());
    let run = started.unwrap().0;
    assert_eq!(served.until(&run, &["stopped", "interrupted"]).await, "stopped");
}

#[tokio::test]
async fn a_stopped_run_goes_on_and_readers_see_all_of_it() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    for _ in 0..500 {
        if served.get(&format!("/v1/research/{run}/plan")).await.json()["max_rounds"] != 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    served.api.runs.suspend().await;
    assert_eq!(served.until(&run, &["stopped"]).await, "stopped");
    let refused =
        served.post(&format!("/v1/research/{run}/control"), &json!({"control": "resume"})).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("run_stopped")));
    // Another process drives it; then that one is killed, and its lease runs out.
    let store = served.api.runs.store();
    let id = RunId(run.clone());
    let held = store.lease(&id, "another", Timestamp(0), i64::MAX / 4).await.expect("it is free");
    let elsewhere = served.send("POST", &format!("/v1/research/{run}/resume"), "", "").await;
    assert_eq!(elsewhere.json()["code"].as_str(), Some("driven_elsewhere"), "{elsewhere:?}");
    store.release(&held).await.expect("it was held");
    store.lease(&id, "another", Timestamp(0), 1).await.expect("it is free");
    let resumed = served.send("POST", &format!("/v1/research/{run}/resume"), "", "").await;
    assert_eq!(resumed.status, 202, "{resumed:?}");
    let twice = served.send("POST", &format!("/v1/research/{run}/resume"), "", "").await;
    assert_eq!((twice.status, twice.json()["code"].as_str()), (409, Some("run_under_way")));
    for _ in 0..500 {
        let went = served
            .post(&format!("/v1/research/{run}/control"), &json!({"control": "resume"}))
            .await;
        if went.status == 200 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    served.until(&run, &["finished"]).await;
    let lines = served.get(&format!("/v1/research/{run}/export?format=jsonl")).await.body;
    let seqs: Vec<u64> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn chat_clients_get_the_report() {
    let served = Served::new().await;
    let models = served.get("/v1/models").await.json();
    assert_eq!(models["data"][0]["id"], "elenchus");
    let ask = json!({"model": "elenchus", "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": QUESTION}]}], "temperature": 0.1});
    let whole = served.post("/v1/chat/completions", &ask).await;
    assert_eq!(whole.status, 200, "{whole:?}");
    let text = whole.json()["choices"][0]["message"]["content"].as_str().unwrap().to_owned();
    assert!(text.contains("[1]") && text.contains("## Sources"), "{text}");
    let mut streamed = ask.clone();
    streamed["stream"] = json!(true);
    let pieces = served.post("/v1/chat/completions", &streamed).await;
    assert_eq!(pieces.header("content-type"), Some("text/event-stream"));
    assert!(pieces.body.trim_end().ends_with("data: [DONE]"), "{}", pieces.body);
    let joined: String = pieces
        .body
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
        .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
        .collect();
    assert!(joined.contains("## Sources"), "{joined}");
    // What the run thinks comes before the report, and while it goes on.
    let thought = pieces.body.find("reasoning_content").unwrap();
    assert!(thought < pieces.body.find("## Sources").unwrap(), "{}", pieces.body);
    assert!(pieces.body.contains("round 1: searching for"), "{}", pieces.body);
    assert!(!pieces.body.contains("\"usage\""), "{}", pieces.body);
    // Clients that count tokens ask for them; they come last, in a piece without a choice.
    streamed["stream_options"] = json!({"include_usage": true});
    let counted = served.post("/v1/chat/completions", &streamed).await.body;
    let chunks: Vec<Value> = counted
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .collect();
    let (last, before) = chunks.split_last().unwrap();
    assert_eq!(last["choices"], json!([]), "{last}");
    let total = last["usage"]["total_tokens"].as_u64().unwrap();
    let parts = ["prompt_tokens", "completion_tokens"].map(|part| last["usage"][part].as_u64());
    assert_eq!(parts.iter().flatten().sum::<u64>(), total, "{last}");
    assert!(before.iter().all(|chunk| chunk["usage"].is_null()), "{counted}");
    assert_eq!(before.last().unwrap()["choices"][0]["finish_reason"], "stop", "{counted}");
    let one = served.get("/v1/models/elenchus-quick").await.json();
    assert_eq!((&one["id"], &one["object"]), (&json!("elenchus-quick"), &json!("model")));
    assert_eq!(served.get("/v1/models/gpt").await.status, 404);
    let other = json!({"model": "gpt", "messages": [{"role": "user", "content": "x"}]});
    assert_eq!(served.post("/v1/chat/completions", &other).await.status, 404);
}

#[tokio::test]
async fn a_word_that_a_query_does_not_know_is_refused_with_those_it_knows() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    let document = served.get("/openapi.json").await.json();
    let parameters = document["paths"]["/v1/research/{id}/trace"]["get"]["parameters"].clone();
    let kind = parameters.as_array().unwrap().iter().find(|one| one["name"] == "kind").unwrap();
    let kinds: Vec<&str> = kind["schema"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap())
        .collect();
    assert!(kinds.len() > 30 && kinds.contains(&"reasoning_thought"), "{kinds:?}");
    // Every type that the run has is one of them.
    let lines = served.get(&format!("/v1/research/{run}/export?format=jsonl")).await.body;
    for line in lines.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        assert!(kinds.contains(&event["type"].as_str().unwrap()), "{event}");
    }
    for (path, known) in [
        (format!("/v1/research/{run}/trace?kind="), "gap_opened"),
        (format!("/v1/research/{run}/trace?kind=Gap_Opened"), "gap_opened"),
        (format!("/v1/research/{run}/export?format=exe"), "ro-crate"),
        ("/v1/research?status=done".to_owned(), "finished"),
        ("/v1/memory?scope=world".to_owned(), "team"),
        ("/v1/memory?outcome=both".to_owned(), "failure"),
        ("/v1/memory?archived=yes".to_owned(), "boolean"),
    ] {
        let refused = served.get(&path).await;
        assert_eq!(
            (refused.status, refused.json()["code"].as_str()),
            (400, Some("malformed")),
            "{path}"
        );
        assert!(refused.body.contains(known), "{path}: {}", refused.body);
    }
}

#[tokio::test]
async fn agents_are_told_of_tools_and_not_of_addresses() {
    let served = Served::new().await;
    let researcher = std::sync::Arc::clone(&served.api.parts.researcher);
    let caller = &served.api.caller;
    let unknown = RunId::from("run_none");
    let told = [
        researcher.cancel(caller, &unknown).await.unwrap_err(),
        researcher.status(caller, &unknown).await.unwrap_err(),
        researcher.answer(caller, &unknown).await.unwrap_err(),
        researcher.trace(caller, &unknown).await.unwrap_err(),
    ];
    for refusal in told {
        assert!(refusal.way_out.contains("research_start"), "{refusal}");
        assert!(!refusal.to_string().contains("/v1/"), "{refusal}");
    }
    // To end what is over is no error.
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    let over = researcher.cancel(caller, &RunId(run)).await.unwrap();
    assert_eq!((over.status.as_str(), over.progress), ("finished", 1.0));
}

#[tokio::test]
async fn what_cannot_be_asked_is_told_apart() {
    let served = Served::new().await;
    for (body, code) in [
        (json!({"question": "?!"}), "bad_question"),
        (json!({"question": "x".repeat(9_000)}), "bad_question"),
        (json!({"question": QUESTION, "corpus": "/etc"}), "refused"),
        (json!({"question": QUESTION, "budget": {"rounds": 99}}), "refused"),
        (json!({"question": QUESTION, "colour": 1}), "malformed"),
        (json!({"effort": "quick"}), "malformed"),
    ] {
        let refused = served.post("/v1/research", &body).await;
        assert_eq!((refused.status, refused.json()["code"].as_str()), (400, Some(code)), "{body}");
        assert_eq!(refused.header("content-type"), Some("application/problem+json"));
        assert!(!refused.json()["way_out"].as_str().unwrap().is_empty());
    }
    let form = format!(
        "POST /v1/research HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}",
        served.port
    );
    assert_eq!(served.raw(&form).await.status, 415);
    let xml = served.send("GET", "/v1/research", "Accept: application/xml\r\n", "").await;
    assert_eq!(xml.status, 406);
    let put = served.send("PUT", "/v1/research", "", "").await;
    assert_eq!(put.status, 405);
    assert_eq!(put.header("allow"), Some("POST, GET, HEAD"));
    assert_eq!(served.get("/v1/nothing").await.json()["code"], "unknown_address");
    assert_eq!(served.get("/v1/research?cursor=zzz").await.status, 400);
    assert_eq!(served.get("/v1/research?unheard=1").await.status, 400);
}
