//! The events of a run under way, for any number of readers.

use elenchus_core::trace::Envelope;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

type Shared = Arc<Mutex<Vec<Envelope>>>;

/// The writing end. Events are put here only after the store has them.
pub(crate) struct Log {
    events: Shared,
    length: watch::Sender<usize>,
}

/// What new readers are made from.
#[derive(Clone)]
pub(crate) struct Reading {
    events: Shared,
    length: watch::Receiver<usize>,
}

/// The durable events of a run, in order, none twice and none left out, however slowly they are read.
pub struct Events {
    reading: Reading,
    at: usize,
}

fn lock(events: &Shared) -> MutexGuard<'_, Vec<Envelope>> {
    // Only whole events are ever pushed.
    events.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    pub(crate) fn new(events: Vec<Envelope>) -> (Self, Reading) {
        let (length, watched) = watch::channel(events.len());
        let events = Arc::new(Mutex::new(events));
        (Self { events: Arc::clone(&events), length }, Reading { events, length: watched })
    }

    pub(crate) fn publish(&self, events: Vec<Envelope>) {
        let length = {
            let mut all = lock(&self.events);
            all.extend(events);
            all.len()
        };
        self.length.send_replace(length);
    }
}

impl Reading {
    /// A reader that begins after event `after`.
    pub(crate) fn after(&self, after: u64) -> Events {
        Events { reading: self.clone(), at: usize::try_from(after).unwrap_or(usize::MAX) }
    }
}

impl Events {
    /// The next event; `None` when the driver has ended and all were read.
    pub async fn next(&mut self) -> Option<Envelope> {
        loop {
            let ended = self.reading.length.has_changed().is_err();
            if let Some(event) = lock(&self.reading.events).get(self.at) {
                self.at += 1;
                return Some(event.clone());
            }
            if ended || self.reading.length.changed().await.is_err() {
                // The driver may have written between the look and the end.
                let event = lock(&self.reading.events).get(self.at).cloned();
                self.at += usize::from(event.is_some());
                return event;
            }
        }
    }
}
