//! What is known of one run: its events as they go over the wire, and the fold of them.

use axum::body::Bytes;
use elenchus_core::id::RunId;
use elenchus_core::text::visible_json;
use elenchus_core::trace::{Envelope, Projection, said};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// One event, written once for all who read it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The type of the event.
    pub(crate) kind: Arc<str>,
    /// The event as a frame of a stream.
    pub(crate) frame: Bytes,
    /// Where in the frame the envelope stands, as JSON.
    json: Range<usize>,
}

impl Line {
    fn new(event: &Envelope) -> Self {
        // An envelope is made of maps with string keys: writing it cannot fail.
        let json = serde_json::to_string(event).map(|line| visible_json(&line)).unwrap_or_default();
        let kind = kind_of(event);
        let head = format!("id: {}\nevent: {kind}\ndata: ", event.seq);
        let at = head.len()..head.len() + json.len();
        Self { kind: kind.into(), frame: Bytes::from(format!("{head}{json}\n\n")), json: at }
    }

    /// The envelope as JSON.
    pub(crate) fn json(&self) -> Bytes {
        self.frame.slice(self.json.clone())
    }
}

/// The type of an event.
fn kind_of(event: &Envelope) -> String {
    let written = serde_json::to_value(&event.event).unwrap_or_default();
    written["type"].as_str().unwrap_or("event").to_owned()
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// Events so far.
    pub(crate) events: u64,
    /// Whether no more will come.
    pub(crate) ended: bool,
}

struct Kept {
    lines: Vec<Line>,
    shown: Projection,
    /// The last event.
    last: Option<Envelope>,
}

/// What is known of one run.
pub(crate) struct Record {
    kept: Mutex<Kept>,
    told: watch::Sender<Told>,
    /// How it stands at this moment, as a frame without an id; and what it waits for, in words.
    live: watch::Sender<(Bytes, String)>,
    polled: AtomicBool,
}

impl Record {
    pub(crate) fn new(run: RunId) -> Self {
        Self {
            kept: Mutex::new(Kept { lines: Vec::new(), shown: Projection::new(run), last: None }),
            told: watch::Sender::new(Told::default()),
            live: watch::Sender::new((Bytes::new(), "events".to_owned())),
            polled: AtomicBool::new(false),
        }
    }

    /// A poisoned lock holds what it held: only whole events are ever pushed.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next events. Those that are known change nothing.
    pub(crate) fn take(&self, events: &[Envelope]) {
        let count = {
            let mut kept = self.kept();
            for event in events {
                if event.seq == kept.lines.len() as u64 + 1 {
                    kept.lines.push(Line::new(event));
                    kept.shown.apply(event);
                }
            }
            if let Some(last) = events.last() {
                kept.last = Some(last.clone());
            }
            kept.lines.len() as u64
        };
        self.told.send_if_modified(|told| {
            let moved = told.events != count;
            told.events = count;
            moved
        });
    }

    /// Says whether more events will come.
    pub(crate) fn set_ended(&self, ended: bool) {
        self.told.send_if_modified(|told| {
            let moved = told.ended != ended;
            told.ended = ended;
            moved
        });
    }

    pub(crate) fn told(&self) -> Told {
        *self.told.borrow()
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Told> {
        self.told.subscribe()
    }

    pub(crate) fn watch_live(&self) -> watch::Receiver<(Bytes, String)> {
        self.live.subscribe()
    }

    pub(crate) fn set_live(&self, frame: Bytes, waits: String) {
        self.live.send_replace((frame, waits));
    }

    /// What the last event says.
    pub(crate) fn said(&self) -> String {
        let kept = self.kept();
        kept.last.as_ref().map(|event| said(&event.event, &kept.shown)).unwrap_or_default()
    }

    /// What the events of these kinds after `after` say, and the number of the last event.
    pub(crate) fn spoken(&self, after: u64, kinds: &[&str]) -> (Vec<String>, u64) {
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        let kept = self.kept();
        let lines = kept.lines.get(start..).unwrap_or_default();
        let told = lines.iter().filter(|line| kinds.contains(&&*line.kind));
        let events = told.filter_map(|line| serde_json::from_slice::<Envelope>(&line.json()).ok());
        let said =
            events.map(|event| said(&event.event, &kept.shown)).filter(|said| !said.is_empty());
        (said.collect(), after.max(kept.lines.len() as u64))
    }

    /// What it waits for, in words.
    pub(crate) fn waits(&self) -> String {
        self.live.borrow().1.clone()
    }

    /// Whether somebody reads along.
    pub(crate) fn has_readers(&self) -> bool {
        self.told.receiver_count() > 0
    }

    /// Claims the task of asking the store for news; `false` when another has it.
    pub(crate) fn claim_polling(&self) -> bool {
        !self.polled.swap(true, Ordering::SeqCst)
    }

    pub(crate) fn end_polling(&self) {
        self.polled.store(false, Ordering::SeqCst);
    }

    /// Frames after event `after`, together not much longer than `most` bytes; and the number of the last.
    pub(crate) fn frames(&self, after: u64, most: usize) -> (Vec<Bytes>, u64) {
        let kept = self.kept();
        let mut at = after;
        let mut size = 0;
        let mut frames = Vec::new();
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        for line in kept.lines.get(start..).unwrap_or_default() {
            if !frames.is_empty() && size + line.frame.len() > most {
                break;
            }
            size += line.frame.len();
            frames.push(line.frame.clone());
            at += 1;
        }
        (frames, at)
    }

    /// Looks at the events after `after`, in order.
    pub(crate) fn lines(&self, after: u64) -> Vec<Line> {
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        self.kept().lines.get(start..).unwrap_or_default().to_vec()
    }

    /// Looks at the fold.
    pub(crate) fn shown<T>(&self, look: impl FnOnce(&Projection) -> T) -> T {
        look(&self.kept().shown)
    }
}
