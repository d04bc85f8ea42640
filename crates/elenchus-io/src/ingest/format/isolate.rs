//! Runs a parser of untrusted files where it can neither take the process down nor hold it up.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Once, mpsc};
use std::time::Duration;

/// Stack of the parser's thread, in bytes. Only touched pages cost memory.
const STACK: usize = 256 << 20;
/// Threads of this name panic silently: their panic is a reason in a report, not a crash.
const THREAD: &str = "elenchus-parser";

/// Why there is no result.
pub(super) enum Isolated {
    /// The parser panicked.
    Panicked,
    /// The parser had not finished in time; its thread is abandoned.
    TimedOut,
}

/// Runs `work` on a thread of its own with a large stack.
pub(super) fn isolated<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Isolated> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |info| {
            if std::thread::current().name() != Some(THREAD) {
                loud(info);
            }
        }));
    });
    let (send, receive) = mpsc::sync_channel(1);
    let spawned =
        std::thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK).spawn(move || {
            // The receiver may have given up waiting; then nobody wants the result.
            let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
        });
    if spawned.is_err() {
        return Err(Isolated::Panicked);
    }
    match receive.recv_timeout(limit) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => Err(Isolated::Panicked),
        Err(mpsc::RecvTimeoutError::Timeout) => Err(Isolated::TimedOut),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_and_endless_work_are_reported() {
        let second = Duration::from_secs(1);
        assert!(isolated(second, || 7).is_ok_and(|seven| seven == 7));
        assert!(matches!(isolated(second, || panic!("odd file")), Err(Isolated::Panicked)));
        let slow = || std::thread::sleep(Duration::from_secs(3));
        assert!(matches!(isolated(Duration::from_millis(20), slow), Err(Isolated::TimedOut)));
    }
}
