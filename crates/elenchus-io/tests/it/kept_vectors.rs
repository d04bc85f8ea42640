//! An embedder that takes long or is paid for embeds each text once.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::ingest::{put, search};
use elenchus_core::port::EmbedFailure;
use elenchus_io::retrieve::{Corpus, CorpusError, TextVectors};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// Gives every text the same vector, notes what it is asked for, and can break after its first answer.
#[derive(Default)]
struct Paid {
    asked: Mutex<Vec<String>>,
    breaks: AtomicBool,
}

impl Paid {
    /// How many texts it was asked for since this was asked.
    fn texts(&self) -> usize {
        std::mem::take(&mut *self.asked.lock().unwrap()).len()
    }
}

impl TextVectors for Paid {
    fn id(&self) -> &'static str {
        "paid"
    }
    fn dimensions(&self) -> usize {
        2
    }
    fn pieces<'a>(&'a self, _: &str) -> Vec<&'a str> {
        Vec::new()
    }
    fn embed(
        &self,
        texts: &[&str],
        _: &(dyn Fn(&str) -> f32 + Sync),
    ) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        let mut asked = self.asked.lock().unwrap();
        if self.breaks.load(Ordering::SeqCst) && !asked.is_empty() {
            return Err(EmbedFailure {
                embedder: "paid".to_owned(),
                texts: texts.len(),
                cause: "the server is gone".to_owned(),
                permanent: true,
            });
        }
        asked.extend(texts.iter().map(|text| (*text).to_owned()));
        Ok(vec![vec![0.6, 0.8]; texts.len()])
    }
    fn word_vector(&self, _: &str) -> Option<Vec<f32>> {
        None
    }
}

#[test]
fn what_came_before_a_server_failed_is_kept() {
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    for number in 0..70 {
        put(&root, &format!("{number}.md"), format!("# Note {number}\n\nOnly word{number} here."));
    }
    let paid = Arc::new(Paid::default());
    paid.breaks.store(true, Ordering::SeqCst);
    let sync = || {
        let vectors: Arc<dyn TextVectors> = paid.clone();
        Corpus::open(&index, &root, Some(vectors)).unwrap().sync(&mut |_| {})
    };
    assert!(matches!(sync(), Err(CorpusError::Embedder { permanent: true, .. })));
    let before = paid.texts();
    paid.breaks.store(false, Ordering::SeqCst);
    let passages = sync().unwrap().passages as usize;
    assert!(before > 0 && before < passages, "{before} of {passages}");
    assert_eq!(before + paid.texts(), passages, "none twice");
}

#[test]
fn a_text_that_was_embedded_costs_nothing_elsewhere_or_later() {
    let folder = TempDir::new().unwrap();
    let (root, index) = (folder.path().join("docs"), folder.path().join("index.db"));
    put(&root, "a.md", "# Note\n\nThe old mill grinds barley.");
    put(&root, "b.md", "# Note\n\nThe old mill grinds barley.");
    let paid = Arc::new(Paid::default());
    let sync = || {
        let vectors: Arc<dyn TextVectors> = paid.clone();
        let mut corpus = Corpus::open(&index, &root, Some(vectors)).unwrap();
        corpus.sync(&mut |_| {}).unwrap();
        corpus
    };
    sync();
    assert_eq!(paid.texts(), 1, "a copy");
    put(&root, "b.md", "# Note\n\nThe new mill grinds rye and wheat.");
    sync();
    assert_eq!(paid.texts(), 1, "what changed");
    put(&root, "b.md", "# Note\n\nThe old mill grinds barley.");
    let corpus = sync();
    assert_eq!(paid.texts(), 0, "what was there before");
    assert!(search(&corpus, "old mill").hits.iter().all(|hit| hit.dense > 0.98));
    assert_eq!(paid.texts(), 1, "the query");
    drop(corpus);
    // An index of before vectors were kept: it opens, and only what is new is embedded.
    rusqlite::Connection::open(&index).unwrap().execute_batch("DROP TABLE embedded").unwrap();
    put(&root, "c.md", "# Note\n\nThe inn has nine rooms.");
    sync();
    assert_eq!(paid.texts(), 1, "what is new");
}
