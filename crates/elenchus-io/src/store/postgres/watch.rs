//! News of runs that other processes drive: the server says which run was written to, as soon as it was.

use crate::pg::{Connections, listen};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::broadcast;

/// Runs that can be told of before a slow reader has looked; it is told then that it may have missed some.
const BACKLOG: usize = 1_024;
/// The wait before a lost connection is made again.
const PAUSE: Duration = Duration::from_secs(1);

/// One connection that listens, made when somebody first waits and kept while anybody may.
pub(super) struct News {
    connections: Arc<Connections>,
    /// Run ids, and calls to whoever drives one; an empty one says that news may have been missed.
    told: Mutex<Option<broadcast::Sender<String>>>,
}

impl News {
    pub(super) fn new(connections: Arc<Connections>) -> Self {
        Self { connections, told: Mutex::default() }
    }

    /// Waits until the server said this since it was called (the id of a run that was written to, or a call to whoever drives
    /// one), or may have.
    pub(super) fn of(self: &Arc<Self>, said: &str) -> impl Future<Output = ()> + Send + use<> {
        let (mut heard, said) = (self.listen(), said.to_owned());
        async move {
            loop {
                match heard.recv().await {
                    Ok(id) if id.is_empty() || id == said => return,
                    Ok(_) => {}
                    // Lagged behind, or the listening ended: the store knows.
                    Err(_) => return,
                }
            }
        }
    }

    fn listen(self: &Arc<Self>) -> broadcast::Receiver<String> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = told.as_ref() {
            return told.subscribe();
        }
        let (tell, heard) = broadcast::channel(BACKLOG);
        *told = Some(tell.clone());
        tokio::spawn(keep_listening(Arc::downgrade(self), Arc::clone(&self.connections), tell));
        heard
    }
}

/// Listens until nobody keeps the store any more.
async fn keep_listening(
    owner: Weak<News>,
    connections: Arc<Connections>,
    tell: broadcast::Sender<String>,
) {
    while owner.strong_count() > 0 {
        let gone = || owner.strong_count() == 0;
        // Nobody hears it where nobody waits.
        let say = |id: String| drop(tell.send(id));
        listen(&connections, "elenchus_runs", say, gone).await;
        // What was written meanwhile was not told.
        let _ = tell.send(String::new());
        tokio::time::sleep(PAUSE).await;
    }
}
