//! Where sources meet, counted over an index.

use elenchus_core::port::Retriever;
use elenchus_core::synthesis::insight::Subject;
use elenchus_core::testkit::block_on;
use elenchus_io::retrieve::Corpus;

#[test]
fn documents_touch_what_they_are_and_what_they_name() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    write(
        "gauge.md",
        "---\ntitle: The Gauge\nauthor: Ada Mark\n---\n\nThe tide rose over the quay.\n",
    );
    write(
        "diary.md",
        "---\ntitle: A Baker's Diary\nauthor: Bo Krag\n---\n\nBread was baked at dawn.\n",
    );
    write("both.md", "# Tea\n\nAda Mark drank tea with Bo Krag; see Luke 2:7.\n");
    write("marks.md", "# Marks\n\nHe marks the water line.\n");
    let mut corpus = Corpus::in_memory(folder.path(), None).unwrap();
    corpus.sync(&mut |_| {}).unwrap();
    let by = |author: &str, names: &[&str]| Subject {
        key: author.to_owned(),
        name: author.to_owned(),
        author: Some(author.to_owned()),
        clusters: vec![],
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    };
    let named = |name: &str| Subject { names: vec![name.to_owned()], ..Subject::default() };
    let subjects = [
        by("Ada Mark", &["Ada Mark", "Mark"]),
        by("Bo Krag", &["Bo Krag"]),
        named("Luke.2.7"),
        named("\" OR body : *"),
        named("..."),
        named("nobody"),
    ];
    let counted = block_on(corpus.meetings(&subjects)).unwrap();
    assert_eq!(counted.pool, 4);
    // "marks" and the heading "Marks" do not name Ada Mark.
    assert_eq!(counted.single, [2, 2, 1, 0, 0, 0]);
    assert_eq!(counted.together(0, 1), 1);
    assert_eq!((counted.together(1, 2), counted.together(0, 5)), (1, 0));
}
