//! Folders of real files: what is read and what is not, changes between two syncs, searching.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use elenchus_core::id::{PassageId, SourceId};
use elenchus_core::port::{
    EmbedFailure, RetrieveFailure, Retriever, SearchFilter, SearchReply, SearchRequest,
};
use elenchus_io::retrieve::{
    Corpus, CorpusError, IngestReport, Progress, TextVectors, builtin_vectors,
};
use std::fmt::Write as _;
use std::fs;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tempfile::TempDir;

/// The corpus answers without waiting, so one poll is enough.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    let mut future = Box::pin(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the corpus must not wait"),
    }
}

pub(crate) fn request(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.to_owned(),
        limit: 10,
        per_source: 0,
        per_author: 0,
        expand: false,
        filter: SearchFilter::default(),
        outward: false,
        named: Vec::new(),
    }
}

pub(crate) fn search(corpus: &Corpus, query: &str) -> SearchReply {
    now(corpus.search(&request(query))).unwrap()
}

pub(crate) fn put(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

pub(crate) fn corpus(root: &Path) -> (Corpus, IngestReport) {
    let mut corpus = Corpus::in_memory(root, Some(builtin_vectors())).unwrap();
    let report = corpus.sync(&mut |_| {}).unwrap();
    (corpus, report)
}

pub(crate) fn reason<'a>(report: &'a IngestReport, path: &str) -> &'a str {
    let found = report.skipped.iter().find(|file| file.path == path);
    &found.unwrap_or_else(|| panic!("{path} is not among {:?}", report.skipped)).reason
}

#[test]
fn large_hidden_ignored_and_unknown_files_are_left_out() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let large = fs::File::create(root.join("large.txt")).unwrap();
    large.set_len(65 << 20).unwrap();
    put(root, ".hidden/secret.md", "hidden words");
    put(root, ".gitignore", "skipme/\n");
    put(root, "skipme/a.md", "ignored words");
    put(root, "LICENSE", "words");
    put(root, "photo.png", [137, 80]);
    put(root, "kept.md", "kept words");
    put(root, "empty.md", "  \n");
    let (corpus, report) = corpus(root);
    let found: Vec<String> =
        search(&corpus, "words").hits.into_iter().map(|hit| hit.path).collect();
    assert_eq!(found, ["kept.md"]);
    assert!(reason(&report, "large.txt").contains("65.0 MB is above the limit of 64 MB"));
    assert!(reason(&report, "LICENSE").starts_with("unknown format"));
    assert!(reason(&report, "empty.md").contains("no text"));
    assert_eq!(report.skipped.len(), 4, "{:?}", report.skipped);
    assert_eq!(corpus.overview().skipped, report.skipped);
}

#[cfg(unix)]
#[test]
fn links_may_not_leave_the_folder_or_go_in_circles() {
    let outside = TempDir::new().unwrap();
    put(outside.path(), "secret.md", "outside words");
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    put(root, "sub/a.md", "inside words");
    std::os::unix::fs::symlink(outside.path(), root.join("away")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.md"), root.join("away.md")).unwrap();
    std::os::unix::fs::symlink(root, root.join("sub/up")).unwrap();
    std::os::unix::fs::symlink("nowhere.md", root.join("lost.md")).unwrap();
    let (corpus, report) = corpus(root);
    assert_eq!(corpus.overview().documents, 1);
    assert!(reason(&report, "away").contains("leaves the corpus folder"));
    assert!(reason(&report, "away.md").contains("leaves the corpus folder"));
    assert!(reason(&report, "sub/up").contains("leads back"), "{:?}", report.skipped);
    let lost = reason(&report, "lost.md");
    assert!(lost.contains("what it leads to is not there"), "{lost}");
}

#[test]
fn a_sync_takes_up_changes_only() {
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    put(&root, "a.md", "# A\n\nApples are red.");
    put(&root, "b.md", "# B\n\nBananas are yellow.");
    put(&root, "c.md", "# C\n\nCherries are dark.");
    let open = || Corpus::open(&index, &root, Some(builtin_vectors())).unwrap();
    let mut first = open();
    assert_eq!(first.sync(&mut |_| {}).unwrap().added, 3);
    let before = first.overview();
    assert_eq!(first.behind().unwrap(), 0);
    let reader = open();
    put(&root, "b.md", "# B\n\nBlueberries are blue now.");
    fs::remove_file(root.join("c.md")).unwrap();
    put(&root, "d.md", "# D\n\nDates are brown.");
    // Looking how far it is behind changes nothing.
    assert_eq!((reader.behind().unwrap(), reader.behind().unwrap()), (3, 3));
    assert_eq!(search(&reader, "cherries").hits[0].path, "c.md");
    let report = open().sync(&mut |_| {}).unwrap();
    assert_eq!((report.added, report.changed, report.removed, report.unchanged), (1, 1, 1, 1));
    assert_eq!(report.heads.len(), 1, "of the new file alone: {:?}", report.heads);
    assert!(search(&first, "bananas").terms[0].passages == 0, "the other process sees the change");
    assert_eq!(search(&reader, "blueberries").hits[0].path, "b.md");
    assert!(search(&first, "cherries").hits.iter().all(|hit| hit.path != "c.md"));
    let gone = PassageId::new(&SourceId::from_path("c.md"), 0);
    assert_eq!(
        now(first.read(std::slice::from_ref(&gone))),
        Err(RetrieveFailure::UnknownPassage(gone))
    );
    assert_ne!(first.overview().fingerprint, before.fingerprint);
    assert_eq!(first.behind().unwrap(), 0);
    let again = open().sync(&mut |_| {}).unwrap();
    assert_eq!((again.unchanged, again.bytes), (3, 0));
}

/// Stands in for any embedder: words are hashed into a few dimensions.
struct Hashing(&'static str);

impl TextVectors for Hashing {
    fn id(&self) -> &str {
        self.0
    }
    fn dimensions(&self) -> usize {
        16
    }
    fn pieces<'a>(&'a self, _: &str) -> Vec<&'a str> {
        Vec::new()
    }
    fn embed(
        &self,
        texts: &[&str],
        _: &(dyn Fn(&str) -> f32 + Sync),
    ) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        if self.0 == "broken" {
            return Err(EmbedFailure {
                embedder: self.0.into(),
                texts: texts.len(),
                cause: "no model".into(),
                permanent: true,
            });
        }
        let vectors = texts
            .iter()
            .map(|text| {
                let mut vector = [0.0_f32; 16];
                for word in text.split_whitespace() {
                    vector[word.bytes().map(usize::from).sum::<usize>() % 16] += 1.0;
                }
                let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9);
                vector.iter().map(|x| x / length).collect()
            })
            .collect();
        Ok(vectors)
    }
    fn word_vector(&self, _: &str) -> Option<Vec<f32>> {
        None
    }
}

#[test]
fn another_embedder_embeds_anew_and_none_is_lexical() {
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    put(&root, "a.md", "alpha beta gamma");
    put(&root, "b.md", "delta epsilon zeta");
    let dense = |vectors: Option<Arc<dyn TextVectors>>| {
        let mut corpus = Corpus::open(&index, &root, vectors).unwrap();
        corpus.sync(&mut |_| {}).unwrap();
        search(&corpus, "alpha beta gamma").hits[0].dense
    };
    assert!(dense(Some(Arc::new(Hashing("one")))) > 0.98);
    assert!(dense(Some(builtin_vectors())) > 0.9);
    // One that may cost something does not do it unasked.
    let open = || Corpus::open(&index, &root, Some(Arc::new(Hashing("two")))).unwrap();
    put(&root, "c.md", "eta theta iota");
    let refused = open().sync(&mut |_| {}).unwrap_err();
    assert!(matches!(refused, CorpusError::OtherVectors { passages: 2, .. }), "{refused}");
    let told = refused.to_string();
    assert!(told.contains("1 two") && told.contains("--re-embed"), "{told}");
    assert_eq!(open().behind().unwrap(), 1, "nothing was written");
    let mut embedded = 0;
    let mut asked = open().re_embedding();
    asked
        .sync(&mut |step| {
            if let Progress::Embedding { total, .. } = step {
                embedded = total;
            }
        })
        .unwrap();
    assert_eq!(embedded, 3);
    // From then on they are its own.
    assert!(dense(Some(Arc::new(Hashing("two")))) > 0.98);
    assert!(dense(None).abs() < f32::EPSILON);
    let mut broken = Corpus::open(&index, &root, Some(Arc::new(Hashing("broken")))).unwrap();
    let error = broken.sync(&mut |_| {}).unwrap_err();
    assert!(
        matches!(error, CorpusError::Embedder { .. }) && error.to_string().contains("no model"),
        "{error}"
    );
    assert_eq!(search(&broken, "alpha").hits.len(), 1, "the index stays usable, lexically");
}

#[test]
fn damaged_and_newer_indexes_say_how_to_go_on() {
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    put(&root, "a.md", "alpha");
    fs::write(&index, "not a database, but long enough to be taken for one".repeat(100)).unwrap();
    let error = Corpus::open(&index, &root, None).err().unwrap();
    assert!(
        matches!(error, CorpusError::Damaged { .. })
            && error.to_string().contains("elenchus ingest DIR --rebuild")
    );
    Corpus::discard(&index).unwrap();
    let mut corpus = Corpus::open(&index, &root, None).unwrap();
    assert_eq!(corpus.sync(&mut |_| {}).unwrap().added, 1);
    drop(corpus);
    rusqlite::Connection::open(&index).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Corpus::open(&index, &root, None), Err(CorpusError::Newer { found: 99, .. })));
    let mut nowhere = Corpus::in_memory(&root.join("missing"), None).unwrap();
    assert!(matches!(nowhere.sync(&mut |_| {}), Err(CorpusError::Folder { .. })));
}

#[test]
fn an_interrupted_sync_leaves_whole_documents() {
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    for number in 0..1_200 {
        put(
            &root,
            &format!("{number:04}.md"),
            format!("# Note {number}\n\nOnly number{number} here."),
        );
    }
    let result = std::panic::catch_unwind(|| {
        let mut corpus = Corpus::open(&index, &root, Some(builtin_vectors())).unwrap();
        corpus.sync(&mut |progress| {
            if let Progress::Reading { done: 900, .. } = progress {
                panic!("power cut");
            }
        })
    });
    assert!(result.is_err());
    let mut corpus = Corpus::open(&index, &root, Some(builtin_vectors())).unwrap();
    assert_eq!(corpus.overview().documents, 500);
    assert_eq!(search(&corpus, "number7").hits[0].path, "0007.md");
    let report = corpus.sync(&mut |_| {}).unwrap();
    assert_eq!((report.unchanged, report.added), (500, 700));
    assert_eq!(search(&corpus, "number1100").hits[0].path, "1100.md");
}

#[test]
fn copies_share_a_cluster_and_are_returned_once() {
    let folder = TempDir::new().unwrap();
    let story: String = (0..60).fold(String::new(), |mut all, number| {
        write!(all, "Gate {number} opens towards yard {} at dawn. ", number * 7 % 31).unwrap();
        all
    });
    put(folder.path(), "one.md", format!("# Gates\n\n{story}"));
    put(folder.path(), "two.md", format!("# Gates, as sent\n\n{story}\n\nSent by wire."));
    put(folder.path(), "three.md", "# Other\n\nThe gate of the yard is shut.");
    let (corpus, _) = corpus(folder.path());
    let sources = corpus.sources();
    assert_eq!(sources[0].cluster, sources[2].cluster, "one.md and two.md");
    assert_ne!(sources[1].cluster, sources[0].cluster);
    let hits = search(&corpus, "gate yard dawn").hits;
    let texts: Vec<String> = hits
        .iter()
        .map(|hit| {
            now(corpus.read(std::slice::from_ref(&hit.passage_id))).unwrap().remove(0).passage.text
        })
        .collect();
    let distinct: std::collections::BTreeSet<&String> = texts.iter().collect();
    assert_eq!(distinct.len(), texts.len());
}

#[test]
fn caps_filters_and_order_hold() {
    let folder = TempDir::new().unwrap();
    for number in 0..6 {
        let text: String = (0..12).fold(String::new(), |mut all, line| {
            write!(
                all,
                "## Part {line}\n\nThe pump of hall {number} line {line} runs at {} bar.\n\n",
                line * number
            )
            .unwrap();
            all
        });
        let author = if number < 4 { "Ana Reis" } else { "Bo Lund" };
        let place = if number % 2 == 0 { "north" } else { "South" };
        put(
            folder.path(),
            &format!("{place}/{number}.md"),
            format!("---\nauthor: {author}\n---\n# Hall {number}\n\n{text}"),
        );
    }
    let (corpus, _) = corpus(folder.path());
    let ask = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = SearchRequest { limit: 20, ..request("pump bar hall") };
        change(&mut request);
        now(corpus.search(&request)).unwrap().hits
    };
    let all = ask(&|_| {});
    assert_eq!(all.len(), 20);
    assert!(all.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(all, ask(&|_| {}), "the same twice");
    let per_source = ask(&|request| request.per_source = 2);
    assert_eq!(per_source.len(), 12);
    assert_eq!(ask(&|request| request.per_author = 3).len(), 6);
    let only = ask(&|request| request.filter.only = vec!["SOUTH/".to_owned()]);
    assert!(!only.is_empty() && only.iter().all(|hit| hit.path.starts_with("South/")));
    let without = ask(&|request| request.filter.exclude = vec!["south".to_owned()]);
    assert!(!without.is_empty() && without.iter().all(|hit| hit.path.starts_with("north/")));
}

#[test]
fn queries_without_words_and_with_operators() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), "a.md", "NEAR the gate AND the yard.");
    let (corpus, _) = corpus(folder.path());
    for empty in ["", " ?! \u{0}"] {
        assert!(matches!(
            now(corpus.search(&request(empty))),
            Err(RetrieveFailure::EmptyQuery { .. })
        ));
    }
    for odd in [
        "\"gate",
        "gate*",
        "NEAR(gate yard)",
        "gate AND NOT",
        "body:gate",
        "^gate",
        "g\u{0}ate gate",
        "-gate",
    ] {
        assert_eq!(search(&corpus, odd).hits.len(), 1, "{odd}");
    }
    let counts = search(&corpus, "the yards of zebras").terms;
    let shown: Vec<(&str, u32)> =
        counts.iter().map(|count| (count.term.as_str(), count.passages)).collect();
    assert_eq!(shown, [("yards", 1), ("zebras", 0)]);
}
