//! Patterns of a folder, insights of runs, and what a user says of them.

use crate::world::World;

/// Twelve letters that name one mill, five of which contradict a sixth about its height.
fn letters(world: &World) {
    for n in 0..12 {
        let height = match n {
            0 => "The church spire of Halden was built 90 metres high in 1880.",
            1..=5 => "The church spire of Halden was built 48 metres high in 1880.",
            _ => "The weather was mild.",
        };
        let text = format!(
            "# Letter {n}\n\nAuthor: Writer Number{}\n\nOn day {n} we walked past Osterby Mill again. {height} Nothing else happened on day {n}.\n",
            ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh", "Ii", "Jj", "Kk", "Ll"][n]
        );
        world.write(&format!("letters/l{n}.md"), text);
    }
}

#[test]
fn patterns_show_their_counts_and_places() {
    let world = World::new();
    letters(&world);
    let found = world.run(&["patterns", "--corpus", "letters", "--json"]).succeeds().json();
    let names: Vec<&str> = found["anchors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"Osterby Mill"), "{names:?}");
    let anchor = &found["anchors"][names.iter().position(|name| *name == "Osterby Mill").unwrap()];
    assert_eq!(anchor["voices"], 12);
    assert_eq!(anchor["places"].as_array().unwrap().len(), 12);
    let debate = &found["hotly_debated"][0];
    assert_eq!(debate["pairs"], 5, "{found:#}");
    assert!(debate["clashes"][0]["sides"][0]["quote"].as_str().unwrap().contains("spire"));
    assert!(found["trending"]["untested"].as_str().unwrap().contains("too few"));
    let text = world.run(&["patterns", "--corpus", "letters"]);
    text.succeeds();
    for part in ["anchors", "Osterby Mill: 12 voices", "hotly debated", "contrarian", "not tested"]
    {
        assert!(text.out.contains(part), "{part} not in {}", text.out);
    }
    // Thirteen voices are asked for, and there are twelve.
    let none = world.run(&["patterns", "--corpus", "letters", "--least", "13", "--json"]);
    none.succeeds();
    assert!(none.json()["anchors"].as_array().unwrap().is_empty());
    world.run(&["patterns", "--corpus", "nowhere"]).fails(2, "nowhere", "");
}

/// Two voices on one tide that nobody else names beside each other.
fn coast(world: &World) {
    world.write(
        "coast/gauge.md",
        "# Gauge\n\nThe Halden tide climbed over the granite quay, as the copper gauge shows.\n",
    );
    world.write(
        "coast/diary.md",
        "# Diary of a baker\n\nWhen the Halden tide came, the granite quay and the copper gauge stood under water.\n",
    );
    for n in 0..8 {
        world.write(
            &format!("coast/f{n}.md"),
            format!("# Filler {n}\n\nBread number {n} was baked at dawn.\n"),
        );
    }
}

const TIDE: &str = "What do the documents say about the Halden tide?";

#[test]
fn an_insight_can_be_listed_and_judged() {
    let world = World::new();
    coast(&world);
    let answer =
        world.run(&["ask", TIDE, "--corpus", "coast", "--insights", "--json"]).succeeds().json();
    let insights = answer["insights"].as_array().unwrap_or_else(|| panic!("{answer:#}"));
    assert_eq!(insights[0]["id"], "i1");
    assert_eq!(insights[0]["worded_by"], "program");
    let run = world.newest();
    world.run(&["feedback", "--insight", "i1", "saved", "--run", &run]).succeeds();
    world.run(&["feedback", "--insight", "i1", "useful", "--run", &run]).succeeds();
    // What is taken out is noted, and changes nothing of what was said.
    world.run(&["runs", "export", &run, "--format", "html"]).succeeds();
    let shown = world.run(&["runs", "show", &run]);
    shown.succeeds();
    assert!(
        shown.out.contains("what stands out:") && shown.out.contains(", useful:"),
        "{}",
        shown.out
    );
    let listed = world.run(&["insights", "list", "--json"]).succeeds().json();
    assert_eq!(listed["insights"][0]["feedback"], "useful");
    assert_eq!(listed["insights"][0]["run_id"], run.as_str());
    let months = listed["months"].as_object().unwrap();
    assert_eq!(months.values().next().unwrap()["useful"], 1);
    let text = world.run(&["insights", "list"]);
    text.succeeds();
    assert!(text.out.contains("over time:"), "{}", text.out);
    assert!(world.run(&["insights", "list", "--type", "pattern", "--json"]).succeeds().json()["insights"].as_array().unwrap().is_empty());
    world.run(&["insights", "list", "--type", "epiphany"]).fails(2, "epiphany", "cross_ref");
    world.run(&["feedback", "--insight", "i9", "useful", "--run", &run]).fails(2, "i9", "i1");
    world.run(&["feedback", "--insight", "i1", "great", "--run", &run]).fails(
        2,
        "great",
        "not-useful",
    );
    let noted = ["feedback", "--insight", "i1", "useful", "--run", &run, "--note", "ask the baker"];
    world.run(&noted).succeeds();
    let said = world.run(&["feedback", "--run", &run]);
    said.succeeds();
    assert!(
        said.out.contains(&format!("useful  run {run} i1")) && said.out.contains("ask the baker"),
        "{}",
        said.out
    );
    world.run(&["feedback", "--insight", "i1", "forget", "--run", &run]).succeeds();
    let said = world.run(&["feedback", "--json"]).succeeds().json();
    assert_eq!(said["others"], serde_json::json!([]));
    let words = ["feedback", "--insight", "i1", "forget", "--run", &run, "--note", "why"];
    world.run(&words).fails(2, "has no note", "after a word");
    world.run(&["feedback", "--note", "why"]).fails(2, "what it is about", "after a word");
    world.run(&["feedback", "--insight", "i1", "useful", "--run", &run]).succeeds();
    // A second run finds that a past one has brought them together.
    let first = insights[0]["novelty"].as_f64().unwrap();
    let again =
        world.run(&["ask", TIDE, "--corpus", "coast", "--insights", "--json"]).succeeds().json();
    let second = again["insights"][0]["novelty"].as_f64();
    assert!(second.is_none_or(|second| second < first), "{first} then {second:?}");
    world.run(&["feedback", "--forget", "--yes"]).succeeds();
    assert!(!world.run(&["runs", "show", &run]).succeeds().out.contains("useful"));
}

/// Two issues of one series say related things by their nature; the same words in two documents of different kinds are news.
#[test]
fn issues_of_one_series_are_no_cross_reference() {
    let world = World::new();
    for (folder, second) in [("series", "Log of the harbour board"), ("apart", "Diary of a baker")]
    {
        world.write(
            &format!("{folder}/march.md"),
            "# Log of the harbour board, 3 March 2025\n\nThe Halden tide climbed over the granite quay, as the copper gauge shows.\n",
        );
        world.write(
            &format!("{folder}/june.md"),
            format!(
                "# {second}, 9 June 2025\n\nWhen the Halden tide came, the granite quay and the copper gauge stood under water.\n"
            ),
        );
        for n in 0..8 {
            let text = format!("# Filler {n}\n\nBread number {n} was baked at dawn.\n");
            world.write(&format!("{folder}/f{n}.md"), text);
        }
    }
    let told = |folder: &str| {
        let ran = world.run(&["ask", TIDE, "--corpus", folder, "--insights", "--json"]);
        let answer = ran.succeeds().json();
        let insights = answer["insights"].as_array().cloned().unwrap_or_default();
        insights.iter().filter(|insight| insight["type"] == "cross_ref").count()
    };
    assert_eq!((told("series"), told("apart")), (0, 1));
}

#[test]
fn without_asking_nothing_stands_out() {
    let world = World::new();
    coast(&world);
    let answer = world.run(&["ask", TIDE, "--corpus", "coast", "--json"]).succeeds().json();
    assert!(answer.get("insights").is_none());
    assert!(world.run(&["insights", "list"]).succeeds().err.contains("--insights"));
}
