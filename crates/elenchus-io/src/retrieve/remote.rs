//! An embedding server behind the index, which waits for its vectors.

use super::vectors::TextVectors;
use crate::embed::HttpEmbedder;
use elenchus_core::port::{EmbedFailure, Embedder};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

type Reply = Result<Vec<Vec<f32>>, EmbedFailure>;

struct Job {
    texts: Vec<String>,
    reply: Sender<Reply>,
}

/// An embedder over HTTP for an index: requests are made on a thread with a runtime of its own, so that the index may
/// wait for them wherever it is used. The thread ends with the value.
pub struct RemoteVectors {
    embedder: HttpEmbedder,
    jobs: Mutex<Sender<Job>>,
}

impl RemoteVectors {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives no thread or no runtime; in words.
    pub fn new(embedder: HttpEmbedder) -> Result<Self, String> {
        let (jobs, waiting): (Sender<Job>, Receiver<Job>) = channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let asked = embedder.clone();
        thread::Builder::new()
            .name("embedding".to_owned())
            .spawn(move || {
                for Job { texts, reply } in waiting {
                    // Whoever asked may have gone; that is no reason to stop.
                    let _ = reply.send(runtime.block_on(asked.embed(&texts)));
                }
            })
            .map_err(|error| error.to_string())?;
        Ok(Self { embedder, jobs: Mutex::new(jobs) })
    }

    fn failure(&self, texts: usize, cause: &str) -> EmbedFailure {
        let embedder = self.embedder.id().to_owned();
        EmbedFailure { embedder, texts, cause: cause.to_owned(), permanent: true }
    }
}

impl TextVectors for RemoteVectors {
    fn id(&self) -> &str {
        self.embedder.id()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    fn pieces<'a>(&'a self, _: &str) -> Vec<&'a str> {
        Vec::new()
    }

    fn embed(&self, texts: &[&str], _: &(dyn Fn(&str) -> f32 + Sync)) -> Reply {
        let (reply, answer) = channel();
        let job = Job { texts: texts.iter().map(|text| (*text).to_owned()).collect(), reply };
        let gone = || self.failure(texts.len(), "the thread that asks the server has ended");
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).send(job).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }

    fn word_vector(&self, _: &str) -> Option<Vec<f32>> {
        None
    }
}
