//! Every surface shows one view: a run that was kept is shown by the page of the server, its HTTP API, the terminal and the
//! exports, and the facts are the same everywhere.

use crate::serve::Serving;
use crate::world::World;
use serde_json::Value;

/// Answered in part: the documents do not hold the second.
const QUESTION: &str = "What is the installed capacity of the Skerry Tidal Array, and what will the second phase at Corbie Head cost?";

/// The words of a page without its tags, one blank between any two.
fn words(page: &str) -> String {
    let mut text = String::new();
    let mut in_tag = false;
    for char in page.chars() {
        match char {
            '<' => {
                in_tag = true;
                text.push(' ');
            }
            '>' if in_tag => in_tag = false,
            _ if !in_tag => text.push(char),
            _ => {}
        }
    }
    let text = text
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#x27;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    squeezed(&text)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What must be found, each with the name of the fact.
fn facts(answer: &Value) -> Vec<(&'static str, String)> {
    let text = |value: &Value| squeezed(value.as_str().expect("a text"));
    let mut facts = vec![("question", text(&answer["question"]))];
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    for evidence in list("evidence") {
        // A row of a table is shown cell by cell.
        let quote = text(&evidence["quote"]);
        let cells = quote.strip_prefix('|').map_or(vec![quote.as_str()], |row| {
            row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()
        });
        facts.extend(cells.iter().map(|cell| ("quote", (*cell).to_owned())));
    }
    for source in list("sources") {
        facts.push(("source", text(&source["path"])));
    }
    for missing in list("could_not_establish") {
        facts.push(("gap", text(&missing["description"])));
        for query in missing["queries"].as_array().expect("queries") {
            facts.push(("query", text(query)));
        }
    }
    let overall = answer["confidence"]["overall_confidence"].as_f64().expect("it was checked");
    facts.push(("confidence", format!("{overall:.2}")));
    assert!(facts.iter().filter(|(name, _)| *name == "quote").count() >= 1, "{answer}");
    assert!(facts.iter().filter(|(name, _)| *name == "gap").count() >= 1, "{answer}");
    facts
}

fn holds(surface: &str, shown: &str, facts: &[(&'static str, String)]) {
    let shown = squeezed(shown);
    for (name, fact) in facts {
        assert!(shown.contains(fact), "{surface} does not show the {name} {fact:?}:\n{shown}");
    }
}

#[test]
fn every_surface_shows_the_same_facts() {
    let world = World::new();
    world.ask(QUESTION, &[]).succeeds();
    let run = world.newest();
    let export = |format: &str| {
        world.run(&["runs", "export", &run, "--format", format]).succeeds().out.clone()
    };
    let answer: Value = serde_json::from_str(&export("json")).expect("it is JSON");
    let facts = facts(&answer);

    let served = Serving::new(&world);
    assert_eq!(
        served.json(&format!("/v1/research/{run}/answer")),
        answer,
        "the API gives the answer itself"
    );
    let shown = served.json(&format!("/v1/research/{run}"));
    assert_eq!(shown["question"], answer["question"]);
    assert_eq!(shown["stop_reason"], answer["stop_reason"]);
    holds("the page", &words(&served.get(&format!("/research/{run}"))), &facts);
    holds("the terminal", &world.run(&["tui", "--run", &run, "--plain"]).succeeds().out, &facts);
    // A report is for reading: its searches, quotes, sources and figures are those of the run.
    holds("the Markdown", &export("md").replace("**", ""), &facts);
    holds("the HTML", &words(&export("html")), &facts);
}
