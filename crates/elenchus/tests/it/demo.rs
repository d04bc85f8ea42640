//! The sample documents that are in the program.

use crate::world::{World, harbor};

#[test]
fn the_demo_needs_no_documents_and_heeds_no_settings() {
    let world = World::new();
    world.write(
        "elenchus.toml",
        "corpus = \"nowhere\"\nindex = \"mine.db\"\nmodel = \"ollama:none\"\nexclude = [\"reports\"]\n",
    );
    let ran = world.run(&["demo"]);
    let out = &ran.succeeds().out;
    assert!(out.contains("**5.6 MW**"), "{out}");
    assert!(out.contains("## Older values") && out.contains("could not be established"), "{out}");
    assert!(ran.err.contains("14 sample documents (15 KB) are in "), "{}", ran.err);
    assert!(!world.folder().join("mine.db").exists(), "the index of the settings is another's");
    let folder = world.store().with_file_name("demo").join("harbor");
    let people = std::fs::read(folder.join("people.md")).unwrap();
    assert_eq!(people, std::fs::read(harbor().join("people.md")).unwrap());

    // What it says to try next works as it stands there.
    std::fs::remove_file(world.folder().join("elenchus.toml")).unwrap();
    let (_, next) = ran.err.split_once("to try next:\n").expect("it says what is next");
    let line = next.lines().find(|line| line.contains(" contradictions ")).expect("one of them");
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    world.run(&words).succeeds();
    // The run is kept, and nothing was learned from it.
    let run = world.newest();
    world.run(&["runs", "show", &run]).succeeds();
    let memories = world.run(&["memory", "list", "--json"]);
    assert!(!memories.succeeds().out.contains("\"mem_"), "{}", memories.out);

    // A second time the same documents are asked, with a question of one's own.
    let again = world.run(&["demo", "--json", "Who is the managing director?"]);
    let answer = again.succeeds().json();
    assert!(answer["conclusion"].as_str().unwrap().contains("Morag Tennant"), "{answer:#}");
    assert_eq!(std::fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn the_demo_writes_over_nothing() {
    let world = World::new();
    world.run(&["demo", "-q", "--into", "sample"]).succeeds();
    assert!(world.folder().join("sample/reports/quarterly-report-q1-2026.md").is_file());
    assert!(!world.store().with_file_name("demo").exists());
    world.write("taken/x.txt", "mine");
    world.run(&["demo", "--into", "taken"]).fails(2, "x.txt is there", "--into");
    world.write("sample/people.md", "mine");
    world.run(&["demo", "--into", "sample"]).fails(2, "people.md is there", "--into");
    assert_eq!(std::fs::read(world.folder().join("sample/people.md")).unwrap(), b"mine");

    // Where somebody has worked in the folder of its own, another one is made.
    world.run(&["demo", "-q"]).succeeds();
    let home = world.store().with_file_name("demo");
    std::fs::write(home.join("harbor/mine.md"), "mine").unwrap();
    let ran = world.run(&["demo"]);
    assert!(ran.succeeds().err.contains("harbor-2"), "{}", ran.err);
    assert!(home.join("harbor-2/people.md").is_file() && home.join("harbor/mine.md").is_file());
}
