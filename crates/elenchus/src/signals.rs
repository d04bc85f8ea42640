//! Ctrl-C and the request to terminate: the first one asks, the second one ends.

use crate::ui::terminal::Terminal;
use tokio::sync::watch;

/// Hears when the user wants to stop.
#[derive(Clone)]
pub(crate) struct Interrupts(watch::Receiver<bool>);

impl Interrupts {
    /// Listens from now on.
    pub(crate) fn listen(terminal: Terminal) -> Self {
        Self::listen_then(move || terminal.clear())
    }

    /// Listens from now on; `last` is done before the process ends at once, because the user asked twice.
    pub(crate) fn listen_then(last: impl FnOnce() + Send + 'static) -> Self {
        let (asked, heard) = watch::channel(false);
        tokio::spawn(async move {
            let Ok(mut signals) = Signals::new() else { return };
            signals.next().await;
            asked.send_replace(true);
            signals.next().await;
            last();
            end_at_once();
        });
        Self(heard)
    }

    /// Waits until the user asks; forever when signals cannot be heard.
    pub(crate) async fn wait(&mut self) {
        if self.0.wait_for(|asked| *asked).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Does something while Ctrl-C ends nothing here: it is for the program in front, which hears it as well.
#[cfg(unix)]
pub(crate) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Builder, Handle, Runtime};
    use tokio::signal::unix::{SignalKind, signal};
    // Where nothing is waited for there is no runtime, and one is made to hear signals by.
    let own = match Handle::try_current() {
        Ok(_) => None,
        Err(_) => Builder::new_current_thread().enable_all().build().ok(),
    };
    let _inside = own.as_ref().map(Runtime::enter);
    let _heard = Handle::try_current().is_ok().then(|| signal(SignalKind::interrupt()));
    work()
}

#[cfg(not(unix))]
pub(crate) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[expect(clippy::exit, reason = "the user asked twice: nothing may hold the process up any longer")]
fn end_at_once() -> ! {
    std::process::exit(130)
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
