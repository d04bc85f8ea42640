//! Folding what was heard into spans, and sending them, beside the runs.

use super::OtlpSettings;
use super::poster::{Poster, Sent};
use elenchus_core::id::RunId;
use elenchus_core::journal::{JournalRecord, SealedRecord};
use elenchus_core::port::Store;
use elenchus_core::trace::spans::{Content, Span, SpanFold};
use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc as blocking};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

/// Records that wait to be folded at most. One that finds no room is read from the store when there is.
const MOST_HEARD: usize = 4_096;
/// Bytes of such records at most.
const MOST_BYTES: usize = 64 << 20;
/// Runs of which the state is kept between records; of others it is folded anew from the store.
const MOST_RUNS: usize = 64;
/// How long the store may take to give a journal.
const READING: Duration = Duration::from_secs(20);

/// Hears, in a sentence for the user, what is not as it was set up to be.
pub type Told = Arc<dyn Fn(&str) + Send + Sync>;

/// Hands on what is written to the thread that folds and sends. Cheap to clone.
#[derive(Clone)]
pub struct Exporter {
    heard: mpsc::Sender<Heard>,
    shared: Arc<Shared>,
}

/// A record that was written.
struct Heard {
    run: RunId,
    store: Arc<dyn Store>,
    json: String,
}

struct Shared {
    settings: Arc<OtlpSettings>,
    /// Bytes of records that wait.
    bytes: AtomicUsize,
    /// Spans that were made and neither arrived nor were given up.
    waiting: AtomicUsize,
    lost: AtomicUsize,
    /// Why the first of them did not arrive.
    cause: Mutex<Option<String>>,
    told: Option<Told>,
    hurry: Arc<AtomicBool>,
    finish: Notify,
    ended: Mutex<Option<blocking::Receiver<()>>>,
}

impl Exporter {
    /// Starts the thread. Nothing is sent before something is heard. `told` hears of the first span that did not arrive.
    ///
    /// # Errors
    /// In words, when no client or thread can be made on this machine.
    pub fn start(settings: OtlpSettings, told: Option<Told>) -> Result<Self, String> {
        let settings = Arc::new(settings);
        let hurry = Arc::new(AtomicBool::new(false));
        let poster = Poster::new(Arc::clone(&settings), Arc::clone(&hurry))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let (heard, hearing) = mpsc::channel(MOST_HEARD);
        let (done, ended) = blocking::channel();
        let shared = Arc::new(Shared {
            settings,
            bytes: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            lost: AtomicUsize::new(0),
            cause: Mutex::new(None),
            told,
            hurry,
            finish: Notify::new(),
            ended: Mutex::new(Some(ended)),
        });
        let work = Work::new(Arc::clone(&shared), Arc::new(poster), hearing);
        std::thread::Builder::new()
            .name("telemetry".to_owned())
            .spawn(move || {
                runtime.block_on(work.go_on());
                // Nobody may be waiting.
                let _ = done.send(());
            })
            .map_err(|error| error.to_string())?;
        Ok(Self { heard, shared })
    }

    /// Where spans go, without what may be secret in it.
    pub fn address(&self) -> String {
        self.shared.settings.address()
    }

    /// Hands on a record that a store has. Never waits.
    pub(super) fn heard(&self, store: &Arc<dyn Store>, run: &RunId, record: &SealedRecord) {
        let bytes = record.json.len();
        if self.shared.bytes.load(Ordering::Relaxed) + bytes > MOST_BYTES {
            return;
        }
        let heard = Heard { run: run.clone(), store: Arc::clone(store), json: record.json.clone() };
        self.shared.bytes.fetch_add(bytes, Ordering::Relaxed);
        if self.heard.try_send(heard).is_err() {
            self.shared.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    /// Spans that did not arrive so far, and why the first of them did not.
    pub fn lost(&self) -> (usize, Option<String>) {
        let cause = self.shared.cause.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (self.shared.lost.load(Ordering::Relaxed), cause)
    }

    /// Sends what is left, for at most `patience`, and says in a sentence what did not arrive; `None` when all did.
    pub fn finish(&self, patience: Duration) -> Option<String> {
        self.shared.hurry.store(true, Ordering::Relaxed);
        self.shared.finish.notify_one();
        let ended = self.shared.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        let in_time = ended.is_none_or(|ended| ended.recv_timeout(patience).is_ok());
        let (mut lost, mut cause) = self.lost();
        if !in_time {
            lost += self.shared.waiting.load(Ordering::Relaxed);
            let slow = || format!("there was no answer within {} ms", patience.as_millis());
            cause = cause.or_else(|| Some(slow()));
        }
        (lost > 0).then(|| {
            format!(
                "{lost} {} of telemetry did not reach {}: {}; runs and answers are not touched by it, and `elenchus runs \
                 export RUN --format otlp` gives them again",
                if lost == 1 { "span" } else { "spans" },
                self.address(),
                cause.as_deref().unwrap_or("it is not known why"),
            )
        })
    }
}

/// What the thread does.
struct Work {
    shared: Arc<Shared>,
    poster: Arc<Poster>,
    hearing: mpsc::Receiver<Heard>,
    runs: Folds,
    queue: VecDeque<Span>,
    /// When what waits is sent although the batch is not full.
    due: Option<Instant>,
    finishing: bool,
}

type Sending = Pin<Box<dyn Future<Output = (usize, Sent)> + Send>>;

impl Work {
    fn new(shared: Arc<Shared>, poster: Arc<Poster>, hearing: mpsc::Receiver<Heard>) -> Self {
        let runs = Folds { content: shared.settings.content, folds: BTreeMap::new(), turn: 0 };
        Self { shared, poster, hearing, runs, queue: VecDeque::new(), due: None, finishing: false }
    }

    async fn go_on(mut self) {
        let mut sending: Option<Sending> = None;
        let shared = Arc::clone(&self.shared);
        loop {
            if sending.is_none() {
                sending = self.next_batch();
            }
            if self.finishing && sending.is_none() && self.queue.is_empty() {
                return;
            }
            let due = self.due.filter(|_| sending.is_none());
            tokio::select! {
                biased;
                (spans, sent) = pending(&mut sending) => {
                    sending = None;
                    self.note(spans, sent);
                }
                heard = self.hearing.recv(), if !self.finishing => match heard {
                    Some(heard) => self.fold(heard).await,
                    None => self.finishing = true,
                },
                () = shared.finish.notified(), if !self.finishing => {
                    while let Ok(heard) = self.hearing.try_recv() {
                        self.fold(heard).await;
                    }
                    self.finishing = true;
                }
                () = until(due) => {}
            }
        }
    }

    /// The next batch on its way, when it is full, has waited long enough, or is among the last.
    fn next_batch(&mut self) -> Option<Sending> {
        let batch = self.shared.settings.batch;
        let is_due = self.due.is_some_and(|due| due <= Instant::now());
        let goes = self.queue.len() >= batch || is_due || self.finishing;
        if self.queue.is_empty() || !goes {
            return None;
        }
        let spans: Vec<Span> = self.queue.drain(..batch.min(self.queue.len())).collect();
        self.due = (!self.queue.is_empty()).then(|| Instant::now() + self.shared.settings.delay);
        let poster = Arc::clone(&self.poster);
        Some(Box::pin(async move { (spans.len(), poster.send(spans).await) }))
    }

    async fn fold(&mut self, heard: Heard) {
        self.shared.bytes.fetch_sub(heard.json.len(), Ordering::Relaxed);
        for span in self.runs.take(&heard).await {
            if self.queue.len() >= self.shared.settings.queue {
                self.lose(1, || "more spans came than could be sent".to_owned());
                continue;
            }
            self.shared.waiting.fetch_add(1, Ordering::Relaxed);
            self.queue.push_back(span);
        }
        if !self.queue.is_empty() && self.due.is_none() {
            self.due = Some(Instant::now() + self.shared.settings.delay);
        }
    }

    fn note(&self, spans: usize, sent: Sent) {
        self.shared.waiting.fetch_sub(spans, Ordering::Relaxed);
        if sent.lost > 0 {
            self.lose(sent.lost, || sent.cause.unwrap_or_default());
        }
    }

    fn lose(&self, spans: usize, cause: impl FnOnce() -> String) {
        self.shared.lost.fetch_add(spans, Ordering::Relaxed);
        let mut known = self.shared.cause.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_some() {
            return;
        }
        let cause = cause();
        if let Some(told) = &self.shared.told {
            told(&format!(
                "telemetry does not reach {}: {cause}; runs go on, and what does not arrive is counted",
                self.shared.settings.address()
            ));
        }
        *known = Some(cause);
    }
}

async fn pending(sending: &mut Option<Sending>) -> (usize, Sent) {
    match sending {
        Some(sending) => sending.await,
        None => std::future::pending().await,
    }
}

async fn until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

/// The runs that are being folded.
struct Folds {
    content: Content,
    /// Each with the turn in which it was last used.
    folds: BTreeMap<RunId, (u64, SpanFold)>,
    turn: u64,
}

impl Folds {
    /// The spans that end with a record.
    async fn take(&mut self, heard: &Heard) -> Vec<Span> {
        // A record that cannot be read is told by whoever replays the run.
        let Ok(record) = serde_json::from_str::<JournalRecord>(&heard.json) else {
            return Vec::new();
        };
        self.turn += 1;
        let held = self.folds.remove(&heard.run).map(|(_, fold)| fold);
        let mut fold = match held {
            Some(fold) if fold.seq() + 1 == record.seq => fold,
            // What was heard before belongs to the past; what was missed since is taken from the store.
            Some(mut fold) => {
                let mut spans = self.missed(heard, &mut fold, record.seq).await;
                spans.extend(fold.feed(&record));
                self.keep(heard, fold);
                return spans;
            }
            None => {
                let mut fold = SpanFold::new(self.content);
                if record.seq > 1 {
                    // Whoever drove the run before has sent those spans.
                    self.missed(heard, &mut fold, record.seq).await;
                }
                fold
            }
        };
        let spans = fold.feed(&record);
        self.keep(heard, fold);
        spans
    }

    fn keep(&mut self, heard: &Heard, fold: SpanFold) {
        if fold.is_over() {
            return;
        }
        if self.folds.len() >= MOST_RUNS {
            let oldest = self.folds.iter().min_by_key(|(_, (turn, _))| *turn);
            let oldest = oldest.map(|(run, _)| run.clone());
            oldest.map(|run| self.folds.remove(&run));
        }
        self.folds.insert(heard.run.clone(), (self.turn, fold));
    }

    /// The spans that end with the records before `seq` that were not heard.
    async fn missed(&self, heard: &Heard, fold: &mut SpanFold, seq: u64) -> Vec<Span> {
        let reading = heard.store.journal(&heard.run);
        let Ok(Ok(journal)) = tokio::time::timeout(READING, reading).await else {
            return Vec::new();
        };
        journal
            .iter()
            .filter(|record| record.seq < seq)
            .flat_map(|record| fold.feed(record))
            .collect()
    }
}
