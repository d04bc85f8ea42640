//! Secrets in the documents of a folder: none reaches the index, what only looks like one stays as it is, and who wants them kept has
//! them kept. The planted ones lie beside the repository; without them the tests say that they were skipped.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise, and says what it skips"
)]

use crate::ingest::{now, put, reason, search};
use elenchus_core::id::{PassageId, SourceId};
use elenchus_core::port::Retriever;
use elenchus_io::ingest::{Format, Secrets, ingest, ingest_with, walk};
use elenchus_io::retrieve::{Corpus, IngestReport};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn data() -> PathBuf {
    std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    )
}

/// The rows of a file of secrets, if it is there.
fn rows(name: &str) -> Option<Vec<Value>> {
    let file = data().join("attacks/secrets").join(name);
    let Ok(text) = fs::read_to_string(&file) else {
        println!(
            "skip: no data: attacks/secrets/{name}; set ELENCHUS_DATA to the folder that holds it"
        );
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The planted secrets, each put together of its pieces.
fn planted() -> Option<Vec<String>> {
    let of = |row: &Value| -> String {
        row["parts"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
    };
    let all: Vec<String> = rows("own_secrets_positive_split.jsonl")?.iter().map(of).collect();
    assert!(all.len() > 70);
    Some(all)
}

/// The longest piece of a secret without white space or quotation marks: what must not be left.
fn core_of(secret: &str) -> &str {
    let parts = secret.split(|c: char| c.is_whitespace() || "\"'=;&:".contains(c));
    parts.max_by_key(|part| part.len()).unwrap()
}

/// Its longest word, as a full-text index has it.
fn word_of(secret: &str) -> String {
    let words = core_of(secret).split(|c: char| !c.is_ascii_alphanumeric());
    words.max_by_key(|word| word.len()).unwrap().to_lowercase()
}

/// A folder in which each secret stands in a sentence, in a record, in a row, on a page and in a mail.
fn documents(root: &Path, secrets: &[String]) {
    let (mut records, mut rows) = (String::new(), "step,what,then\n".to_owned());
    let (mut page, mut log) = ("<title>Keys</title>".to_owned(), String::new());
    let mut mails = String::new();
    for (n, secret) in secrets.iter().enumerate() {
        put(
            root,
            &format!("runbooks/{n:02}.md"),
            format!(
                "# Pump {n}\n\nPump {n} is opened with {secret} and runs until nine.\n\n    {secret}\n"
            ),
        );
        let record = serde_json::json!({ "id": n, "note": format!("sent {secret}"), "ok": true });
        writeln!(records, "{record}").unwrap();
        writeln!(rows, "{n},\"{}\",it ran", secret.replace('"', "\"\"")).unwrap();
        let escaped = secret.replace('&', "&amp;").replace('<', "&lt;");
        write!(page, "<h2>Pump {n}</h2><p>Opened with {escaped} at nine.</p>").unwrap();
        write!(log, "2026-11-20T10:00:00Z INFO sent {secret}\n\n").unwrap();
        write!(
            mails,
            "From ana@pier.example Tue May  6 09:30:00 2025\nFrom: Ana <ana@pier.example>\nTo: Bo <bo@pier.example>\n\
             Date: Tue, 6 May 2025 09:30:00 +0200\nSubject: Pump {n}\n\nIt opens with {secret} now.\n\n"
        )
        .unwrap();
    }
    put(root, "keys.jsonl", records);
    put(root, "steps.csv", rows);
    put(root, "keys.html", page);
    put(root, "sent.txt", log);
    put(root, "keys.mbox", mails);
}

/// Everything that an index has on disk.
fn raw(index: &Path) -> String {
    let mut all = String::new();
    for suffix in ["", "-wal", "-shm"] {
        let mut name = index.as_os_str().to_owned();
        name.push(suffix);
        if let Ok(bytes) = fs::read(name) {
            all.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    assert!(!all.is_empty());
    all
}

/// The secrets of which something is in these bytes.
fn left<'s>(raw: &str, secrets: &'s [String]) -> Vec<&'s str> {
    let lower = raw.to_lowercase();
    let is_there =
        |secret: &&String| raw.contains(core_of(secret)) || lower.contains(&word_of(secret));
    secrets.iter().filter(is_there).map(|secret| core_of(secret)).collect()
}

fn made(index: &Path, root: &Path, secrets: Secrets) -> (Corpus, IngestReport) {
    let mut corpus = Corpus::with_secrets(Some(index), root, None, secrets).unwrap();
    let report = corpus.sync(&mut |_| {}).unwrap();
    (corpus, report)
}

/// What the first passage about a pump says.
fn first_passage(corpus: &Corpus, pump: usize) -> String {
    let id = PassageId::new(&SourceId::from_path(&format!("runbooks/{pump:02}.md")), 0);
    now(corpus.read(&[id])).unwrap().remove(0).passage.text
}

#[test]
fn no_planted_secret_is_in_an_index_and_the_report_says_what_was_left_out() {
    let Some(secrets) = planted() else { return };
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    documents(&root, &secrets);
    let (corpus, report) = made(&index, &root, Secrets::LeftOut);
    assert_eq!(report.added as usize, secrets.len() + 5, "{:?}", report.skipped);
    assert!(report.notes.is_empty(), "no record is lost: {:?}", report.notes);
    assert_eq!(left(&raw(&index), &secrets), [""; 0]);
    assert_eq!(left(&format!("{report:?}"), &secrets), [""; 0]);
    assert_eq!(left(&format!("{:?}", corpus.overview()), &secrets), [""; 0]);
    // Each file is named with how many and which.
    assert_eq!(report.secrets.len(), secrets.len() + 5);
    assert!(
        report.secrets.iter().all(|file| !file.left_out.kinds.is_empty()),
        "{:?}",
        report.secrets
    );
    let of_log = report.secrets.iter().find(|file| file.path == "sent.txt").unwrap();
    assert_eq!(of_log.left_out.count, secrets.len());
    // The sentence around one reads on, and is found by what was left out.
    let of_github = secrets.iter().position(|secret| secret.starts_with("ghp_")).unwrap();
    let text = first_passage(&corpus, of_github);
    let sentence =
        format!("Pump {of_github} is opened with [GitHub token removed] and runs until nine.");
    assert!(text.starts_with(&sentence), "{text}");
    assert!(!search(&corpus, "opened with GitHub token removed").hits.is_empty());
    // A second look at what has not changed tells the same.
    drop(corpus);
    let (_, again) = made(&index, &root, Secrets::LeftOut);
    assert_eq!((again.unchanged, &again.secrets), (report.added, &report.secrets));
}

#[test]
fn an_index_that_was_made_with_secrets_has_none_of_them_once_they_are_not_wanted() {
    let Some(secrets) = planted() else { return };
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    documents(&root, &secrets);
    let (kept, report) = made(&index, &root, Secrets::Kept);
    assert!(report.secrets.is_empty(), "{:?}", report.secrets);
    assert_eq!(
        left(&raw(&index), &secrets).len(),
        secrets.len(),
        "all of them are there to be found"
    );
    assert_eq!(Corpus::made_with(&index), Some(Secrets::Kept));
    // Asked for in the same way it is as it was.
    drop(kept);
    let (kept, report) = made(&index, &root, Secrets::Kept);
    assert_eq!((report.added, report.changed), (0, 0));
    assert!(first_passage(&kept, 7).contains(core_of(&secrets[7])));
    let documents = kept.overview().documents;
    // In the other it is read anew, also for whoever has it open.
    let emptied = Corpus::with_secrets(Some(&index), &root, None, Secrets::LeftOut).unwrap();
    assert_eq!(emptied.overview().documents, 0);
    assert_eq!(emptied.behind().unwrap(), documents as usize);
    drop(emptied);
    let (_, report) = made(&index, &root, Secrets::LeftOut);
    assert_eq!(report.added, documents);
    let text = first_passage(&kept, 7);
    assert!(text.contains("removed]") && !text.contains(core_of(&secrets[7])), "{text}");
    drop(kept);
    assert_eq!(Corpus::made_with(&index), Some(Secrets::LeftOut));
    drop(made(&index, &root, Secrets::LeftOut));
    assert_eq!(left(&raw(&index), &secrets), [""; 0], "nothing is left on freed pages");
}

#[test]
fn an_index_of_an_earlier_version_is_read_anew_without_them() {
    let Some(secrets) = planted() else { return };
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    documents(&root, &secrets);
    drop(made(&index, &root, Secrets::Kept));
    let db = rusqlite::Connection::open(&index).unwrap();
    db.execute("UPDATE meta SET value = '10' WHERE key = 'extraction'", []).unwrap();
    db.execute("DELETE FROM meta WHERE key IN ('secrets', 'wiped')", []).unwrap();
    drop(db);
    assert_eq!(Corpus::made_with(&index), None);
    let (corpus, report) = made(&index, &root, Secrets::LeftOut);
    assert_eq!(report.added as usize, secrets.len() + 5);
    drop(corpus);
    assert_eq!(left(&raw(&index), &secrets), [""; 0]);
}

#[test]
fn what_only_looks_like_a_secret_is_read_as_it_stands() {
    let Some(rows) = rows("own_secrets_negative.jsonl") else { return };
    assert_eq!(rows.len(), 40);
    for row in rows {
        let text = row["text"].as_str().unwrap();
        for (path, text) in [
            ("a.md", format!("Then we used {text} and it worked.\n")),
            ("a.txt", format!("INFO sent {text}\nINFO received 200\n")),
            ("a.jsonl", format!("{}\n", serde_json::json!({ "note": text, "step": 3 }))),
            ("a.csv", format!("step,what\n3,\"{}\"\n", text.replace('"', "\"\""))),
        ] {
            let read = |secrets| {
                let format = Format::of(path).unwrap();
                ingest_with(format, path, text.clone().into_bytes(), &[], secrets).unwrap()
            };
            assert_eq!(read(Secrets::LeftOut), read(Secrets::Kept), "{path}: {text}");
        }
    }
}

/// That every file of a folder is read the same with and without secrets, since there are none.
fn is_read_as_it_stands(root: &Path) {
    let found = walk(root, 64 << 20);
    assert!(!found.files.is_empty(), "{}", root.display());
    for file in &found.files {
        let bytes = fs::read(&file.location).unwrap();
        let kept = ingest_with(file.format, &file.path, bytes.clone(), &[], Secrets::Kept);
        assert_eq!(ingest(file.format, &file.path, bytes, &[]), kept, "{}", file.path);
    }
}

#[test]
fn ordinary_documents_are_read_as_they_stand() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    is_read_as_it_stands(&here.join("../../examples/harbor"));
    for name in ["veltrix", "theology"] {
        let root = data().join(name);
        if root.is_dir() {
            is_read_as_it_stands(&root);
        } else {
            println!("skip: no data: {name}; set ELENCHUS_DATA to the folder that holds it");
        }
    }
}

#[test]
fn a_file_whose_name_holds_a_secret_is_left_out_and_named_without_it() {
    // In pieces, so that no scanner takes it for one.
    let token = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    put(&root, &format!("keys/{token}.md"), "The key of the pump.");
    put(&root, &format!("{token}/photo.png"), [137, 80]);
    put(&root, "a.md", "The pump of pier 4.");
    let (corpus, report) = made(&index, &root, Secrets::LeftOut);
    assert_eq!((report.added, report.skipped.len()), (1, 2), "{report:?}");
    let why = reason(&report, "keys/[GitHub token removed].md");
    assert!(why.contains("rename it") && why.contains("--keep-secrets"), "{why}");
    assert!(reason(&report, "[GitHub token removed]/photo.png").starts_with("unknown format"));
    assert_eq!(corpus.behind().unwrap(), 0);
    drop(corpus);
    assert!(!raw(&index).contains(&token));
    let (_, report) = made(&index, &root, Secrets::Kept);
    assert_eq!(report.added, 2);
}
