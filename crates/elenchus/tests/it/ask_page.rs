//! The page that asks, as a browser sends its form to a server that may use the web: what an empty box keeps here, what a server
//! without documents looks at, and whose addresses are read.

use crate::serve::Serving;
use crate::web::{ASKED, Site, lanterns};
use crate::world::{CAPACITY, World, harbor};
use serde_json::{Value, json};
use std::fmt::Write;

/// A page that searches find, one that a question names, and one that the form names.
fn site() -> Site {
    Site::new(&[
        ("/wiki/Varn_Tunnel", &lanterns(412)),
        ("/asked.html", &lanterns(97)),
        ("/named.html", &lanterns(98)),
    ])
}

/// A server that is set to use the wiki, beside the sample corpus or alone.
fn serving(world: &World, site: &Site, has_documents: bool) -> Serving {
    let (corpus, provider) = (harbor(), site.provider());
    let mut flags = vec!["--web", provider.as_str(), "--private-host", site.address.as_str()];
    if has_documents {
        flags.extend(["--corpus", corpus.to_str().expect("a plain path")]);
    }
    Serving::told(world, &flags, &[])
}

/// A question that names a page of the site.
fn question(site: &Site) -> String {
    format!(
        "According to http://{}/asked.html, how many lanterns hang in the Varn Tunnel?",
        site.address
    )
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        write!(out, "%{byte:02X}").expect("writing to a String cannot fail");
    }
    out
}

/// Waits for the end of a run; gives it.
fn ended(serving: &Serving, run: &str) -> Value {
    // The stream ends with the run.
    let events = serving.get(&format!("/v1/research/{run}/events"));
    assert!(events.contains("event: session_completed"), "{events}");
    serving.json(&format!("/v1/research/{run}"))
}

/// Sends the form and waits for the end of the run; the page that refuses it is an error.
fn asked(serving: &Serving, fields: &[(&str, &str)]) -> Result<Value, String> {
    let fields = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    let reply = serving.form("/research", &fields.collect::<Vec<_>>().join("&"));
    let run = reply.split("location: /research/").nth(1).and_then(|rest| rest.split("\r\n").next());
    match run {
        Some(run) => Ok(ended(serving, run)),
        None => Err(reply),
    }
}

#[test]
fn an_empty_box_keeps_a_run_off_the_web() {
    let (world, site) = (World::new(), site());
    let serving = serving(&world, &site, true);
    let question = question(&site);
    // The server would search the web where nobody says otherwise; the form says otherwise.
    let fields = [("question", question.as_str()), ("effort", "quick")];
    let kept = asked(&serving, &fields).expect("it begins");
    assert!(kept["options"]["web"].is_null(), "{kept}");
    assert_eq!(site.requests(), Vec::<String>::new());
    // Pages are read without a search.
    let page = format!("http://{}/named.html", site.address);
    let fields = [("question", ASKED), ("effort", "quick"), ("urls", page.as_str())];
    let named = asked(&serving, &fields).expect("it begins");
    assert_eq!(named["options"]["web"]["providers"], json!([]), "{named}");
    assert_eq!(site.requests(), ["/named.html"]);
    // A ticked box has the services of the server asked, and the address in the question read.
    let fields = [
        ("question", question.as_str()),
        ("effort", "quick"),
        ("web", "yes"),
        ("domains", "127.0.0.1"),
        ("since", "2020"),
        ("exclude", "drafts/"),
        ("rounds", "2"),
    ];
    let both = asked(&serving, &fields).expect("it begins");
    let web = &both["options"]["web"];
    assert_eq!((&web["sources"], &web["providers"]), (&json!("hybrid"), &json!([site.provider()])));
    let requests = site.requests();
    assert!(requests.iter().any(|path| path == "/asked.html"), "{requests:?}");
    assert!(requests.iter().any(|path| path.starts_with("/w/api.php")), "{requests:?}");
    // Asked again it is bounded as it was.
    let run = both["run_id"].as_str().expect("an id");
    let again = serving.get(&format!("/?again={run}"));
    for kept in [
        "name=\"web\" value=\"yes\" checked",
        ">127.0.0.1</textarea>",
        "value=\"2020\"",
        ">drafts/</textarea>",
        "name=\"rounds\" min=\"1\" max=\"10\" step=\"1\" inputmode=\"decimal\" value=\"2\"",
    ] {
        assert!(again.contains(kept), "{kept}: {again}");
    }
}

#[test]
fn a_server_without_documents_asks_the_web() {
    let (world, site) = (World::new(), site());
    let serving = serving(&world, &site, false);
    let page = serving.get("/");
    assert!(page.contains("name=\"web\" value=\"yes\" checked"), "{page}");
    assert!(page.contains("No folder of documents is set up"), "{page}");
    // Whoever empties the box and names no page leaves nothing to look at, and hears so.
    let refused = asked(&serving, &[("question", ASKED)]).expect_err("there is nothing to ask");
    assert!(refused.starts_with("HTTP/1.1 400") && refused.contains("--corpus DIR"), "{refused}");
    assert_eq!(site.requests(), Vec::<String>::new());
    let named = format!("http://{}/named.html", site.address);
    let read = asked(&serving, &[("question", ASKED), ("urls", &named)]).expect("it begins");
    assert_eq!(read["options"]["web"]["sources"], "web", "{read}");
    assert_eq!(site.requests(), ["/named.html"]);
    let searched = asked(&serving, &[("question", ASKED), ("web", "yes")]).expect("it begins");
    let web = &searched["options"]["web"];
    assert_eq!((&web["sources"], &web["providers"]), (&json!("web"), &json!([site.provider()])));
    let answer = serving
        .get(&format!("/v1/research/{}/answer", searched["run_id"].as_str().expect("an id")));
    assert!(answer.contains("412"), "{answer}");
}

#[test]
fn addresses_in_a_question_of_a_program_are_not_read() {
    let (world, site) = (World::new(), site());
    let serving = serving(&world, &site, true);
    // Without a word of the web the settings of the server hold, as ever.
    let ask = json!({"question": question(&site), "effort": "quick"});
    let (status, started) = serving.post("/v1/research", &ask);
    assert_eq!(status, 202, "{started}");
    let started: Value = serde_json::from_str(&started).expect("it is JSON");
    let run = ended(&serving, started["run_id"].as_str().expect("an id"));
    assert_eq!(run["options"]["web"]["sources"], "hybrid", "{run}");
    let requests = site.requests();
    assert!(requests.iter().any(|path| path.starts_with("/w/api.php")), "{requests:?}");
    assert!(!requests.iter().any(|path| path == "/asked.html"), "{requests:?}");
    // Nobody says over the interfaces that a person wrote it.
    let by_hand = json!({"question": question(&site), "by_hand": true});
    let (status, refused) = serving.post("/v1/research", &by_hand);
    assert!(status == 400 && refused.contains("by_hand"), "{refused}");
}

#[test]
fn a_folder_that_is_only_allowed_is_asked_by_the_form() {
    let world = World::new();
    let corpus = harbor();
    let corpus = corpus.to_str().expect("a plain path");
    let serving = Serving::told(&world, &["--allow-corpus", corpus], &[]);
    let page = serving.get("/");
    let chosen = format!("type=\"hidden\" name=\"corpus\" value=\"{corpus}\"");
    assert!(page.contains(&chosen), "{page}");
    let fields = [("question", CAPACITY), ("effort", "quick"), ("corpus", corpus)];
    let run = asked(&serving, &fields).expect("it begins");
    assert_eq!(run["corpus"]["name"], "harbor", "{run}");
}
