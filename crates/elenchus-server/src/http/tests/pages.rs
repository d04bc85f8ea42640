//! Pages of the list of runs, as a browser asks for them.

use super::feedback::sent;
use super::{QUESTION, Served, TOKEN};
use crate::listen::Limits;
use crate::web::View;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Input, Opened, Options, Recollection};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, JournalRecord};
use elenchus_core::port::CorpusOverview;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Keeps a run that this server does not drive.
async fn kept(served: &Served, name: &str, at: i64) {
    let run_id = RunId::from(name);
    let question = format!("What of {name}?");
    let opened = Opened {
        run_id: run_id.clone(),
        question: question.clone(),
        options: Options::default(),
        corpus: CorpusOverview::default(),
        model: "scripted".to_owned(),
        judging: None,
        contest: None,
        forked: None,
        recalled: Recollection::default(),
    };
    let entry = Entry::Input(Box::new(Input::Opened(opened)));
    let first = JournalRecord { v: FORMAT, seq: 1, at: Timestamp(at), entry }.seal(GENESIS);
    let store = served.api.runs.store();
    store.create(&run_id, &question, &first, &[], "another", 1_000).await.unwrap();
}

/// The runs that a page leads to, in its order.
fn listed(page: &str) -> Vec<String> {
    let links = page.split("<h2><a href=\"/research/").skip(1);
    links.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

#[tokio::test]
async fn each_page_of_the_list_has_its_own_runs() {
    let served = Served::new().await;
    let mut wanted = Vec::new();
    for n in 0..52 {
        let newer = format!("run_newer{n:02}");
        kept(&served, &newer, 1_800_000_000_000 - n).await;
        wanted.push(newer);
    }
    // One that this process drives stands among those of the store.
    wanted.push(served.start(&json!({"question": QUESTION, "review_plan": true})).await);
    for n in 0..52 {
        let older = format!("run_older{n:02}");
        kept(&served, &older, 1_000_000 - n).await;
        wanted.push(older);
    }
    let mut seen = Vec::new();
    for at in 1..=3 {
        let page = served.get(&format!("/research?page={at}")).await.body;
        assert!(page.contains(&format!("page {at} of 3")) && page.contains("105 runs"), "{page}");
        assert_eq!(page.contains("rel=\"prev\""), at > 1, "{at}");
        assert_eq!(page.contains("rel=\"next\""), at < 3, "{at}");
        seen.extend(listed(&page));
    }
    assert_eq!(seen, wanted);
    for (page, first) in [("0", 0), ("-1", 0), ("x", 0), ("2", 50), ("4", 100), ("4294967295", 100)]
    {
        let found = listed(&served.get(&format!("/research?page={page}")).await.body);
        assert_eq!(found.first(), wanted.get(first), "{page}");
    }
    let found = served.get("/research?q=OLDER1+what&page=2").await.body;
    assert_eq!(listed(&found), wanted[63..73], "{found}");
    // Those whose lease ran out are driven by nobody; a filter stays when pages are turned.
    let stopped = served.get("/research?status=stopped&page=2").await.body;
    assert_eq!(listed(&stopped), wanted[103..], "{stopped}");
    assert!(stopped.contains("52 runs, stopped") && stopped.contains("&amp;status=stopped&amp;"));
    assert!(stopped.contains("value=\"stopped\" selected"), "{stopped}");
    let running = served.get("/research?status=running&q=newer0").await.body;
    assert_eq!(listed(&running), wanted[..10], "{running}");
    let none = served.get("/research?status=nonsense").await.body;
    assert!(none.contains("105 runs"), "{none}");
    // What is compared is chosen from the newest, and from older ones by words and pages.
    let choice = served.get("/compare").await.body;
    assert!(choice.contains("value=\"run_newer00\"") && choice.contains("value=\"run_older51\""));
    assert!(choice.contains("105 runs can be chosen"), "{choice}");
    let narrowed = served.get("/compare?a=run_newer00&q=older1").await.body;
    assert!(narrowed.contains("value=\"run_older10\"") && !narrowed.contains("run_older20"));
    assert!(narrowed.contains("value=\"run_newer00\" selected"), "what is chosen stays chosen");
}

#[tokio::test]
async fn runs_that_are_compared_need_not_be_among_the_newest() {
    let served = Served::new().await;
    for n in 0..=crate::web::compare::OFFERED {
        kept(&served, &format!("run_n{n:03}"), 1_000_000 - i64::try_from(n).unwrap()).await;
    }
    let oldest = "value=\"run_n200\"";
    let page = served.get("/compare?a=run_n000").await.body;
    assert!(page.contains("201 runs can be chosen, 200 of them on this page"), "{page}");
    assert!(!page.contains(oldest), "{page}");
    let next = page.split("rel=\"next\"").next().and_then(|head| head.rsplit("href=\"").next());
    let next = next.and_then(|rest| rest.split('"').next()).unwrap().replace("&amp;", "&");
    let older = served.get(&next).await.body;
    assert!(older.contains(oldest) && older.contains("rel=\"prev\""), "{older}");
    assert!(older.contains("value=\"run_n000\" selected"), "{older}");
    // The last page offers one run, and there are two all the same.
    assert!(older.contains("Choose two runs.") && !older.contains("not two runs yet"), "{older}");
}

#[tokio::test]
async fn a_list_tells_how_sure_answers_are_as_their_pages_do() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    let waits = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    served.until(&waits, &["paused"]).await;
    let own = served.get(&format!("/research/{run}")).await.body;
    let figure =
        own.split("<span>confidence ").nth(1).and_then(|rest| rest.split("</span>").next());
    let figure = format!("<span>confidence {}</span>", figure.expect("the answer was checked"));
    // The second look is at what is remembered, and another server has to read it.
    let beside = served.beside().await;
    for server in [&served, &served, &beside] {
        let list = server.get("/research").await.body;
        assert_eq!(list.matches(&figure).count(), 1, "{figure}: {list}");
        assert_eq!(list.matches("confidence").count(), 1, "a run under way has none: {list}");
    }
}

#[tokio::test]
async fn a_run_is_deleted_from_its_page_once_that_is_confirmed() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    let at = format!("/research/{run}/delete");
    assert!(served.get("/research").await.body.contains(&at), "the list leads there");
    assert!(served.get(&format!("/research/{run}")).await.body.contains(&at), "so does the run");
    let page = served.get(&at).await.body;
    assert!(page.contains(&format!("action=\"{at}\"")) && page.contains(QUESTION), "{page}");
    assert!(page.contains("name=\"sure\" value=\"yes\" required"), "{page}");
    // Not by accident, and not by a page of somebody else's.
    assert_eq!(sent(&served, &at, "").await.status, 400);
    let sign_in = format!(
        "GET /?token={TOKEN} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n",
        served.port
    );
    let signed = served.raw(&sign_in).await;
    let cookie = signed.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let browser = |origin: &str| {
        format!(
            "POST {at} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\nCookie: {cookie}\r\n{origin}\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nsure=yes",
            served.port
        )
    };
    assert_eq!(served.raw(&browser("")).await.status, 403, "nobody says where it comes from");
    assert_eq!(served.raw(&browser("Origin: http://evil.test\r\n")).await.status, 403);
    assert_eq!(served.get(&format!("/research/{run}")).await.status, 200);
    let ours = format!("Origin: http://localhost:{}\r\n", served.port);
    let gone = served.raw(&browser(&ours)).await;
    assert_eq!((gone.status, gone.header("location")), (303, Some("/research?deleted=yes")));
    assert!(served.get("/research?deleted=yes").await.body.contains("The run is deleted."));
    for path in [format!("/research/{run}"), at.clone()] {
        assert_eq!(served.get(&path).await.status, 404, "{path}");
    }
    assert_eq!(sent(&served, &at, "sure=yes").await.status, 404);
    // One that is under way says why it is not deleted.
    let waits = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    served.until(&waits, &["paused"]).await;
    let at = format!("/research/{waits}/delete");
    let page = served.get(&at).await.body;
    assert!(page.contains("It is under way") && !page.contains("name=\"sure\""), "{page}");
    let refused = sent(&served, &at, "sure=yes").await;
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(
        refused.body.contains("it is under way") && refused.body.contains("interrupt it first")
    );
    assert_eq!(served.get(&format!("/research/{waits}")).await.status, 200);
}

/// Sends the form of the question.
async fn put(served: &Served, body: &str) -> super::Got {
    sent(served, "/research", body).await
}

#[tokio::test]
async fn a_question_that_is_refused_stands_in_the_form_as_it_was_written() {
    let served = Served::new().await;
    // The server was not started with this folder.
    let body = "question=Which+cable%3F&effort=deep&corpus=elsewhere&web=yes&urls=https%3A%2F%2Fa.example%2F\
                &plan=One%3F%0D%0ATwo%3F&test=It+is+so.&lens=skeptical&mode=critic&pack=general&review_plan=yes\
                &seconds=90.5&usd=0.25&tokens=9000&rounds=3&sources=web&domains=a.example%0D%0Ab.example&since=2025-06\
                &exclude=drafts%2F&no_critique=yes";
    let refused = put(&served, body).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    for kept in [
        "role=\"alert\">Could not ask the documents",
        ">Which cable?</textarea>",
        "value=\"deep\" checked",
        "name=\"web\" value=\"yes\" checked",
        ">https://a.example/</textarea>",
        ">One?\nTwo?</textarea>",
        ">It is so.</textarea>",
        "value=\"skeptical\" checked",
        "value=\"critic\" selected",
        "value=\"general\" selected",
        "name=\"review_plan\" value=\"yes\" checked",
        "data-key=\"budget\" open",
        "name=\"seconds\" min=\"1\" max=\"604800\" step=\"any\" inputmode=\"decimal\" value=\"90.5\"",
        "name=\"usd\" min=\"0.000001\" max=\"100000\" step=\"any\" inputmode=\"decimal\" value=\"0.25\"",
        "name=\"tokens\" min=\"1\" max=\"1000000000\" step=\"1\" inputmode=\"decimal\" value=\"9000\"",
        "name=\"rounds\" min=\"1\" max=\"10\" step=\"1\" inputmode=\"decimal\" value=\"3\"",
        "data-key=\"bounds\" open",
        "value=\"web\" selected",
        ">a.example\nb.example</textarea>",
        "value=\"2025-06\"",
        ">drafts/</textarea>",
        "name=\"no_critique\" value=\"yes\" checked",
    ] {
        assert!(refused.body.contains(kept), "{kept}: {}", refused.body);
    }
    assert!(!refused.body.contains("name=\"insights\" value=\"yes\" checked"));
    // More explanations than are tested are refused, and none is left out in silence.
    let five = put(&served, "question=Which+cable%3F&test=A%0AB%0AC%0AD%0AE").await;
    assert_eq!(five.status, 400, "{five:?}");
    assert!(five.body.contains("at most 4") && five.body.contains("A\nB\nC\nD\nE"), "{five:?}");
    // Limits that are none are told by their names, and the rest of the form stays.
    for (limit, told) in [
        ("usd=much", "no number"),
        ("tokens=1.5", "no whole number"),
        ("tokens=-3", "no whole number"),
        ("seconds=inf", "no number"),
        ("usd=0", "`budget.usd` is wrong"),
        ("seconds=0.5", "`budget.seconds` is wrong"),
        ("tokens=1e12", "`budget.tokens` is wrong"),
    ] {
        let refused = put(&served, &format!("question=Which+cable%3F&effort=quick&{limit}")).await;
        assert_eq!(refused.status, 400, "{limit}: {refused:?}");
        assert!(refused.body.contains(told), "{limit}: {}", refused.body);
        assert!(refused.body.contains("value=\"quick\" checked"), "{limit}");
        assert!(refused.body.contains("data-key=\"budget\" open"), "{limit}");
    }
    // They stay as they were written, in fields that show what is no number.
    let written = "question=Which+cable%3F&usd=1%2C5&seconds=NaN&tokens=1e999";
    let refused = put(&served, written).await.body;
    for (name, value) in [("usd", "1,5"), ("seconds", "NaN"), ("tokens", "1e999")] {
        let kept = format!("type=\"text\" name=\"{name}\" inputmode=\"decimal\" value=\"{value}\"");
        assert!(refused.contains(&kept), "{kept}: {refused}");
    }
    assert_eq!(served.get("/v1/research").await.json()["total"], 0);
}

#[tokio::test]
async fn the_question_page_tells_what_an_effort_took() {
    let served = Served::new().await;
    assert!(served.get("/").await.body.contains("measured as you use it"));
    let run = served.start(&json!({"question": QUESTION, "effort": "quick"})).await;
    served.until(&run, &["finished"]).await;
    let page = served.get("/").await.body;
    let quick = page.split("value=\"quick\"").nth(1).and_then(|rest| rest.split("</label>").next());
    assert!(quick.is_some_and(|quick| quick.contains("the last one took")), "{page}");
    assert_eq!(page.matches("the last one took").count(), 1, "{page}");
    // Asked again it is what it was.
    let again = served.get(&format!("/?again={run}")).await.body;
    assert!(again.contains("value=\"quick\" checked"), "{again}");
    assert!(again.contains(&format!(">{QUESTION}</textarea>")), "{again}");
}

#[tokio::test]
async fn a_source_without_a_number_is_a_page_that_says_so() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    for number in ["x", "0", "99"] {
        let none = served.get(&format!("/research/{run}/source/{number}")).await;
        assert_eq!(
            (none.status, none.header("content-type")),
            (404, Some("text/html; charset=utf-8"))
        );
        assert!(none.body.contains("Could not find source"), "{}", none.body);
    }
}

#[tokio::test]
async fn every_link_of_the_pages_leads_somewhere() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION, "autonomous": true})).await;
    served.until(&run, &["finished"]).await;
    let mut pages = ["/", "/research", "/sources", "/notes", "/memory", "/settings", "/about"]
        .map(str::to_owned)
        .to_vec();
    pages.extend(View::ALL.map(|view| format!("/research/{run}?view={}", view.name())));
    pages.push(format!("/research/{run}?view=trace&as=tree"));
    pages.push(format!("/research/{run}?view=trace&as=timeline"));
    pages.push(format!("/compare?run={run}&run={run}"));
    pages.push(format!("/research/{run}/delete"));
    pages.push("/research?status=finished".to_owned());
    let mut links = BTreeSet::new();
    for page in &pages {
        let page = served.get(page).await;
        assert_eq!(page.status, 200, "{page:?}");
        for rest in page.body.split("href=\"").skip(1) {
            let link = rest.split(['"', '#']).next().unwrap_or_default().replace("&amp;", "&");
            if link.starts_with('/') {
                links.insert(link);
            }
        }
    }
    // The figures behind a statement, its source, an export and a step are among them.
    for part in ["/claims?claim=", "/source/1?from=", "/export?format=", "view=trace&at="] {
        assert!(links.iter().any(|link| link.contains(part)), "{part}: {links:?}");
    }
    for link in links {
        let got = served.get(&link).await;
        assert!(matches!(got.status, 200 | 303), "{link}: {got:?}");
    }
    // What leads to one statement gives that one.
    let all = served.get(&format!("/v1/research/{run}/claims")).await.json();
    let first = all["items"][0]["claim"]["id"].as_str().unwrap().to_owned();
    let one = served.get(&format!("/v1/research/{run}/claims?claim={first}")).await.json();
    assert_eq!(one["items"], json!([all["items"][0]]), "{one}");
    let none = served.get(&format!("/v1/research/{run}/claims?claim=c999")).await.json();
    assert_eq!((&none["items"], &none["total"]), (&json!([]), &json!(0)));
}

/// Asks for a page as often as is said, by four readers; gives pages a second and the bytes of one.
async fn asked_for(port: u16, path: &str, times: usize) -> (f64, usize) {
    const READERS: usize = 4;
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    );
    let reader = async || {
        let mut bytes = 0;
        for _ in 0..times {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut reply = Vec::new();
            stream.read_to_end(&mut reply).await.unwrap();
            assert!(reply.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&reply));
            bytes = reply.len();
        }
        bytes
    };
    let began = Instant::now();
    let (one, two, three, four) = tokio::join!(reader(), reader(), reader(), reader());
    let took = began.elapsed().as_secs_f64();
    ((READERS * times) as f64 / took, one.max(two).max(three).max(four))
}

/// `cargo nextest run --release -p elenchus-server --run-ignored only -E 'test(pages_a_second)' --no-capture`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn pages_a_second_next_to_plain_bytes() {
    let limits = Limits { per_second: 1_000_000, burst: 1_000_000, ..Limits::default() };
    let served = Served::with(limits).await;
    let run = served.start(&json!({"question": QUESTION})).await;
    assert_eq!(served.until(&run, &["finished"]).await, "finished");
    for path in ["/".to_owned(), "/research".to_owned(), format!("/research/{run}")] {
        let body = served.get(&path).await.body;
        let (ours, bytes) = asked_for(served.port, &path, 250).await;
        // The same body, without a door, limits, a store or a template.
        let plain = axum::Router::new()
            .fallback(move || std::future::ready(axum::response::Html(body.clone())));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let serving = tokio::spawn(async move { axum::serve(listener, plain).await });
        let (theirs, _) = asked_for(port, &path, 250).await;
        serving.abort();
        println!(
            "{path}: {bytes} bytes; ours {ours:.0} pages/s, the same bytes by plain axum {theirs:.0} pages/s"
        );
        assert!(ours > 1.0, "{path}: {ours}");
    }
}
