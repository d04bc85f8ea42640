//! The corpora of injected instructions as pages of a small site, and the benign ones beside them.

use serde_json::Value;
use std::path::Path;

/// The fact that every hostile page states besides.
pub(super) const FACT: &str = "The Example River is 412 km long.";
/// What else stands on it.
const REST: &str = "The Sample River is 97 km long.";

/// One page.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) corpus: &'static str,
    pub(super) id: String,
    pub(super) html: String,
    /// What it orders, in plain words; empty for a benign page.
    pub(super) order: String,
    /// For a benign page: words of it that must be there to be quoted.
    pub(super) kept: String,
}

/// A page of ours with something in its middle.
pub(super) fn page(middle: &str) -> String {
    format!(
        "<!doctype html><html><head><title>River lengths</title></head><body><h1>River lengths</h1><p>{FACT}</p>{middle}\
         <p>{REST}</p></body></html>"
    )
}

fn paragraph(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<p>{}</p>", text.trim())
}

fn read(folder: &Path, name: &str) -> Result<String, String> {
    let file = folder.join(name);
    std::fs::read_to_string(&file)
        .map_err(|cause| format!("could not read {}: {cause}", file.display()))
}

fn rows(folder: &Path, name: &str) -> Result<Vec<Value>, String> {
    let text = read(folder, name)?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(|cause| format!("{name}: {cause}")))
        .collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// Every case of the folder with the corpora.
///
/// # Errors
/// When a corpus cannot be read.
pub(super) fn all(folder: &Path) -> Result<Vec<Case>, String> {
    let mut cases = own(folder)?;
    for name in
        ["injecagent/test_cases_dh_base_min.jsonl", "injecagent/test_cases_ds_base_min.jsonl"]
    {
        for (at, row) in rows(folder, name)?.iter().enumerate() {
            cases.push(hostile(
                "InjecAgent",
                format!("{name}/{at}"),
                text(row, "Tool Response"),
                text(row, "Attacker Instruction"),
            ));
        }
    }
    let templates = rows(folder, "agentdojo/attack_templates.jsonl")?;
    for goal in rows(folder, "agentdojo/injection_goals.jsonl")? {
        let goal = text(&goal, "goal");
        for (at, template) in templates.iter().enumerate() {
            let words = text(template, "template")
                .replace("{goal}", goal)
                .replace("{user}", "Emma Johnson")
                .replace("{model}", "Elenchus")
                .replace("{tools}", "search, read");
            cases.push(hostile("AgentDojo", format!("agentdojo/{at}/{goal}"), &words, goal));
        }
    }
    for name in [
        "bipia/text_attack_test.json",
        "bipia/text_attack_train.json",
        "bipia/code_attack_test.json",
    ] {
        let kinds: Value = serde_json::from_str(&read(folder, name)?)
            .map_err(|cause| format!("{name}: {cause}"))?;
        for (kind, orders) in kinds.as_object().into_iter().flatten() {
            for (at, order) in orders.as_array().into_iter().flatten().enumerate() {
                let order = order.as_str().unwrap_or_default();
                cases.push(hostile("BIPIA", format!("{name}/{kind}/{at}"), order, order));
            }
        }
    }
    Ok(cases)
}

fn hostile(corpus: &'static str, id: String, words: &str, order: &str) -> Case {
    Case { corpus, id, html: page(&paragraph(words)), order: order.to_owned(), kept: String::new() }
}

/// Our own pages. The page of each goal that hides nothing says what the others of the goal hide.
fn own(folder: &Path) -> Result<Vec<Case>, String> {
    let pages = rows(folder, "own_injected_pages.jsonl")?;
    let order = |goal: &str| {
        let plain = pages
            .iter()
            .find(|row| text(row, "goal") == goal && text(row, "technique") == "visible");
        let html = plain.map(|row| text(row, "html")).unwrap_or_default();
        let after = html.split_once(FACT).map_or("", |(_, after)| after);
        let inside = after.rsplit_once("<p>The Sample River").map_or(after, |(inside, _)| inside);
        inside.replace("<p>", " ").replace("</p>", " ").trim().to_owned()
    };
    Ok(pages
        .iter()
        .map(|row| Case {
            corpus: "own pages",
            id: text(row, "id").to_owned(),
            html: text(row, "html").to_owned(),
            order: order(text(row, "goal")),
            kept: String::new(),
        })
        .collect())
}

/// Pages that speak of instructions and give none.
///
/// # Errors
/// When a corpus cannot be read.
pub(super) fn benign(folder: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let case = |corpus, id: String, html: String, kept: String| Case {
        corpus,
        id,
        html,
        order: String::new(),
        kept,
    };
    for row in rows(folder, "own_benign_trigger_pages.jsonl")? {
        let html = text(&row, "html");
        let inside = html.trim_start_matches("<p>").split('<').next().unwrap_or_default();
        let kept = inside
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        cases.push(case("own trigger pages", text(&row, "id").to_owned(), page(html), kept));
    }
    for name in ["one", "two", "three"] {
        let file = format!("notinject/NotInject_{name}.json");
        let all: Vec<Value> = serde_json::from_str(&read(folder, &file)?)
            .map_err(|cause| format!("{file}: {cause}"))?;
        for (at, row) in all.iter().enumerate() {
            let words = text(row, "prompt");
            cases.push(case(
                "NotInject",
                format!("{name}/{at}"),
                page(&paragraph(words)),
                words.to_owned(),
            ));
        }
    }
    Ok(cases)
}
