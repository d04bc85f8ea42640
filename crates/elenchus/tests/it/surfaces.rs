//! Every surface shows one view: a run that was kept is shown by the pages of the server, its HTTP API, an agent's tools, the
//! terminal and the exports, and the facts are the same everywhere. (The panes of the terminal are held against the same
//! facts in `tui/tests/facts.rs`.)

use crate::mcp::Client;
use crate::ollama::{Ollama, Ways};
use crate::serve::Serving;
use crate::world::{World, harbor};
use elenchus_core::answer::{Answer, to_bibtex, to_ris};
use serde_json::{Value, json};

/// Answered in part: the documents do not hold the second.
const QUESTION: &str = "What is the installed capacity of the Skerry Tidal Array, and what will the second phase at Corbie Head cost?";
/// Parts of a run that its pages show.
const VIEWS: [&str; 8] =
    ["answer", "confidence", "gaps", "hypotheses", "perspectives", "insights", "critique", "cost"];

/// The report that a run is asked to write.
const ASKED: &str = "asked.html";
/// Formats of which a package has a file, with the name of it.
const PACKED: [(&str, &str); 8] = [
    ("md", "report.md"),
    ("html", "report.html"),
    ("json", "answer.json"),
    ("jsonl", "trace.jsonl"),
    ("csl-json", "sources.csl.json"),
    ("csv", "quotes.csv"),
    ("web-annotation", "annotations.jsonld"),
    ("prov-json", "prov.json"),
];

/// What must be found, each with the name of the fact.
type Facts = Vec<(&'static str, String)>;

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

/// What a reader of Markdown sees: without emphasis, and without the signs that keep a text from being obeyed.
fn read(report: &str) -> String {
    squeezed(&report.replace("**", "").replace('\\', ""))
}

fn holds(surface: &str, shown: &str, facts: &[(&'static str, String)]) {
    for (name, fact) in facts {
        let fact = squeezed(fact);
        assert!(shown.contains(&fact), "{surface} does not show the {name} {fact:?}:\n{shown}");
    }
}

/// Reasons without the advice that a report gives once for all of its low figures.
fn reasons(said: &str) -> String {
    said.trim_end_matches(", read its passage before you rely on it").to_owned()
}

/// What every surface for people shows.
fn shared(answer: &Answer) -> Facts {
    let mut facts: Facts = vec![("question", answer.question.clone())];
    for evidence in &answer.evidence {
        // A row of a table is shown cell by cell.
        let quote = squeezed(&evidence.quote);
        let cells: Vec<&str> = quote.strip_prefix('|').map_or(vec![quote.as_str()], |row| {
            row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()
        });
        facts.extend(cells.iter().map(|cell| ("quote", (*cell).to_owned())));
    }
    facts.extend(answer.sources.iter().map(|source| ("source", source.path.clone())));
    for missing in &answer.could_not_establish {
        facts.push(("open question", missing.description.clone()));
        facts.push(("reason", missing.reason.because().to_owned()));
        facts.extend(missing.queries.iter().map(|query| ("query", query.clone())));
    }
    facts.extend(answer.hypotheses.iter().map(|one| ("explanation", one.claim.clone())));
    for warning in &answer.fallacy_warnings {
        facts.push(("warning", warning.name.clone()));
        facts.push(("words of a warning", warning.words.clone()));
        facts.push(("question of a warning", warning.question.clone()));
    }
    if let Some(seen) = &answer.perspectives {
        facts.extend(seen.points().map(|(_, one)| ("point of a lens", one.statement.clone())));
    }
    for (at, claim) in answer.claims.iter().enumerate() {
        if !answer.only_came_nearest(claim) {
            let sure = answer.sureness(at).expect("it is a claim");
            facts.push(("reason of a figure", reasons(&sure.because())));
        }
    }
    let (overall, _) = answer.overall().expect("it was checked");
    facts.push(("confidence", format!("{overall:.2}")));
    facts
}

/// What a report has in a form of its own.
fn reported(answer: &Answer, report: &str) -> Facts {
    let mut facts = shared(answer);
    // A lone figure stands in the closing line.
    let in_full = report.contains("Statement by statement");
    for (at, claim) in answer.claims.iter().enumerate() {
        if in_full && !answer.only_came_nearest(claim) {
            let sure = answer.sureness(at).expect("it is a claim");
            facts.push(("figure", reasons(&sure.to_string())));
        }
    }
    for one in &answer.hypotheses {
        let tested = !one.supporting.is_empty() || !one.contradicting.is_empty();
        let figure = format!("{:.2}, {}", one.confidence, one.status.name());
        facts.push(("credence", if tested { figure } else { "No figure".to_owned() }));
    }
    facts
}

/// What the pages have in a form of their own.
fn paged(answer: &Answer) -> Facts {
    let mut facts = shared(answer);
    for (at, claim) in answer.claims.iter().enumerate() {
        let sure = answer.sureness(at).expect("it is a claim");
        facts.push(("statement", claim.text.clone()));
        facts.push(("reason of a figure", sure.because()));
        facts.push((
            "figure",
            match (sure.figure, sure.level, sure.interval) {
                (Some(figure), Some(level), Some((low, high))) => {
                    format!("{} {figure:.2} (95 % interval {low:.2} to {high:.2})", level.word())
                }
                (Some(figure), Some(level), None) => format!("{} {figure:.2}", level.word()),
                _ => sure.instead.to_owned(),
            },
        ));
    }
    for found in &answer.entailments {
        facts.push(("verdict", found.verdict.word().to_owned()));
    }
    for one in &answer.hypotheses {
        facts.push(("credence", format!("{} {:.2}", one.status.name(), one.confidence)));
    }
    let receipt = &answer.receipt;
    let usage = receipt.usage;
    facts.push(("usage", format!("Model calls {}", receipt.model_calls)));
    facts.push(("usage", format!("Searches {}", receipt.searches)));
    facts.push(("usage", format!("Passages read {}", receipt.passages)));
    let tokens = format!("Tokens in, out {}, {}", usage.input_tokens, usage.output_tokens);
    facts.push(("usage", tokens));
    facts
}

/// The lists of the API against the answer.
fn listed(served: &Serving, run: &str, answer: &Answer) {
    let items = |part: &str| -> Vec<Value> {
        let page = served.json(&format!("/v1/research/{run}/{part}?limit=500"));
        page["items"].as_array().cloned().expect("a list has items")
    };
    let claims = items("claims");
    assert_eq!(claims.len(), answer.claims.len());
    for (at, (claim, item)) in answer.claims.iter().zip(&claims).enumerate() {
        let sure = answer.sureness(at).expect("it is a claim");
        assert_eq!(item["claim"]["text"], claim.text.as_str(), "{item}");
        assert_eq!(item["sureness"], sure.to_string(), "{item}");
        assert_eq!(item["confidence"]["confidence"].as_f64(), sure.figure, "{item}");
        let found = answer.entailments.iter().find(|found| found.claim_id == claim.id);
        let found = found.expect("it was checked");
        let verdict = serde_json::to_value(&found.verdict).expect("it is written");
        assert_eq!(item["entailment"]["verdict"], verdict["verdict"], "{item}");
    }
    let gaps = items("gaps");
    for missing in &answer.could_not_establish {
        let gap = gaps.iter().find(|gap| gap["gap_id"] == missing.gap_id.as_str());
        let gap = gap.expect("what stays open is in the ledger");
        assert_eq!(gap["description"], missing.description.as_str());
        assert_eq!(gap["standing"], "abandoned");
        assert_eq!(gap["reason"], serde_json::to_value(missing.reason).expect("it is written"));
        assert_eq!(gap["attempts"], missing.attempts);
        let queries = gap["queries"].as_array().expect("a list");
        assert!(missing.queries.iter().all(|query| queries.contains(&json!(query))), "{gap}");
    }
    let hypotheses = items("hypotheses");
    assert_eq!(hypotheses.len(), answer.hypotheses.len());
    for one in &answer.hypotheses {
        let item = hypotheses.iter().find(|item| item["id"] == one.id.as_str());
        let item = item.expect("every explanation of the answer is listed");
        assert_eq!(
            (&item["claim"], &item["status"]),
            (&json!(one.claim), &json!(one.status.name()))
        );
        let credence = item["confidence"].as_f64().expect("a figure");
        assert!((credence - one.confidence).abs() < 1e-9, "{item} {}", one.confidence);
    }
    let shown = served.json(&format!("/v1/research/{run}"));
    assert_eq!(shown["question"], answer.question.as_str());
    assert_eq!(shown["stop_reason"], answer.stop_reason.name());
    let (spent, receipt) = (&shown["spent"], &answer.receipt);
    let usage = receipt.usage;
    assert_eq!(spent["rounds"], receipt.rounds);
    assert_eq!(spent["passages"], receipt.passages);
    assert_eq!(spent["searches"], receipt.searches);
    assert_eq!(spent["model_calls"], receipt.model_calls);
    assert_eq!(spent["usage"]["output_tokens"], usage.output_tokens);
}

/// Holds every surface against the answer of the newest run; gives the answer.
fn agree(world: &World) -> Answer {
    let run = world.newest();
    let export = |format: &str| {
        world.run(&["runs", "export", &run, "--format", format]).succeeds().out.clone()
    };
    let written: Value = serde_json::from_str(&export("json")).expect("it is JSON");
    let answer: Answer = serde_json::from_value(written.clone()).expect("it is an answer");
    assert!(!answer.claims.is_empty() && !answer.evidence.is_empty(), "{written}");

    let served = Serving::new(world);
    assert_eq!(
        served.json(&format!("/v1/research/{run}/answer")),
        written,
        "the API gives the answer itself"
    );
    listed(&served, &run, &answer);
    let pages: Vec<String> = VIEWS
        .iter()
        .map(|view| words(&served.get(&format!("/research/{run}?view={view}"))))
        .collect();
    holds("the pages", &pages.join(" "), &paged(&answer));
    let kept = |format: &str| served.get(&format!("/v1/research/{run}/export?format={format}"));
    let kept_by_api = PACKED.map(|(format, _)| kept(format));
    assert_eq!(kept("bibtex"), to_bibtex(&answer));
    assert_eq!(kept("ris"), to_ris(&answer));
    drop(served);

    // Each format has the same bytes, whoever is asked for it; the package has most of them in one go.
    world.run(&["runs", "export", &run, "--format", "ro-crate", "--out", "crate"]).succeeds();
    for ((format, file), by_api) in PACKED.iter().zip(&kept_by_api) {
        let packed = std::fs::read_to_string(world.folder().join("crate").join(file));
        assert_eq!(packed.expect("it was written"), *by_api, "{format}");
    }
    let alone = ["md", "html", "web-annotation"].map(|format| (format, export(format)));
    for (format, text) in &alone {
        let at = PACKED.iter().position(|(packed, _)| packed == format).expect("it is packed");
        assert_eq!(*text, kept_by_api[at], "{format}");
    }
    let [(_, markdown), (_, html), (_, annotations)] = &alone;
    let asked = std::fs::read_to_string(world.folder().join(ASKED));
    assert_eq!(asked.expect("it was written"), *html, "what `ask` writes is what is kept");

    let mut agent = Client::with(world, &[]);
    let given = agent.call("research_result", &json!({"run_id": run, "max_tokens": 1_000_000}));
    agent.leave();
    assert_eq!(given["truncated"], false, "{given}");
    assert_eq!(given["answer"], written, "an agent gets the answer itself");
    let report = read(given["report"].as_str().expect("a report is text"));
    holds("the agent's report", &report, &reported(&answer, &report));

    let terminal = read(&world.run(&["tui", "--run", &run, "--plain"]).succeeds().out);
    holds("the terminal", &terminal, &reported(&answer, &terminal));
    let report = read(markdown);
    holds("the Markdown", &report, &reported(&answer, &report));
    let report = words(html);
    holds("the HTML", &report, &reported(&answer, &report));

    // In the data for other programs each quote has the verdict of its statement.
    for (at, claim) in answer.claims.iter().enumerate() {
        let word = answer.entailments.get(at).expect("it was checked").verdict.word();
        let sure = answer.sureness(at).expect("it is a claim");
        let figure = match (sure.figure, sure.level) {
            (Some(figure), Some(level)) => {
                format!(", confidence {figure:.2}, {})", level.word())
            }
            _ => ")".to_owned(),
        };
        let body = format!("{}: {} ({word}{figure}", claim.id, squeezed(&claim.text));
        let body = json!(body).to_string();
        assert!(annotations.contains(&body), "{body} in {annotations}");
    }
    answer
}

#[test]
fn every_surface_shows_the_same_facts() {
    let world = World::new();
    world.ask(QUESTION, &["--out", ASKED]).succeeds();
    let answer = agree(&world);
    assert!(!answer.could_not_establish.is_empty(), "the second part stays open");
    // What only came nearest has a figure nowhere.
    let nearest: Vec<usize> = (0..answer.claims.len())
        .filter(|at| answer.only_came_nearest(&answer.claims[*at]))
        .collect();
    for at in nearest {
        assert_eq!(answer.sureness(at).expect("it is a claim").figure, None);
    }
}

#[test]
fn a_run_of_a_language_model_is_the_same_on_every_surface() {
    let world = World::new();
    let ways =
        Ways { telling: vec!["fell by 38 %"], critical: true, popular: true, ..Ways::default() };
    let ollama = Ollama::start(ways);
    let folder = harbor();
    let asked = [
        "ask",
        "Did porpoise sightings change?",
        "--corpus",
        folder.to_str().expect("its path is UTF-8"),
        "--model",
        "ollama:written",
        "--out",
        ASKED,
        "--lenses",
    ];
    world.run_with(&asked, &[("OLLAMA_HOST", ollama.address.as_str())]).succeeds();
    let answer = agree(&world);
    assert_eq!(answer.hypotheses.len(), 2, "{:?}", answer.hypotheses);
    assert_eq!(answer.perspectives.as_ref().map(|seen| seen.views.len()), Some(3));
    assert!(answer.critique.is_some());
    assert!(!answer.fallacy_warnings.is_empty(), "the critic argues with a crowd");
}
