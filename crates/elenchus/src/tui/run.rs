//! The loop: what happens changes the state, what the state wants is done, and the screen is drawn.

use super::app::{App, Command, Message};
use super::screen::{Mouse, Screen};
use elenchus_core::port::Clock;
use elenchus_io::clock::SystemClock;
use ratatui::crossterm::event::{self, Event, MouseButton, MouseEventKind};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// How often something moves although nothing happened.
const TICK: Duration = Duration::from_millis(250);
/// The longest that messages are taken in without drawing.
const FRAME: Duration = Duration::from_millis(40);
/// How long the thread that hears the keys may go on listening after the end.
const LISTEN: Duration = Duration::from_millis(100);

/// Hears the keys, on a thread of its own.
struct Keys {
    over: Arc<AtomicBool>,
    listens: Option<JoinHandle<()>>,
}

impl Keys {
    fn listen(to: UnboundedSender<Message>) -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&over);
        let listens = std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
            while !ended.load(Ordering::SeqCst) {
                let message = match event::poll(LISTEN)
                    .and_then(|is_there| if is_there { event::read().map(Some) } else { Ok(None) })
                {
                    Ok(Some(Event::Key(key))) => Message::Key(key),
                    Ok(Some(Event::Paste(text))) => Message::Paste(text),
                    Ok(Some(Event::Mouse(mouse))) if counts(mouse.kind) => Message::Mouse(mouse),
                    Ok(Some(Event::Resize(width, height))) => Message::Resize(width, height),
                    Ok(_) => continue,
                    // The terminal is gone.
                    Err(_) => {
                        let _ = to.send(Message::Stop);
                        break;
                    }
                };
                if to.send(message).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { over, listens: Some(listens) })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // What is typed after the end belongs to the shell.
        let Some(listens) = self.listens.take() else { return };
        let until = Instant::now() + 5 * LISTEN;
        while !listens.is_finished() && Instant::now() < until {
            std::thread::sleep(LISTEN / 10);
        }
        // Listening to a terminal that is gone never comes to an end: it ends with the process.
        if listens.is_finished() {
            let _ = listens.join();
        }
    }
}

/// Whether what the mouse did means anything here. Terminals tell of every move, which nothing is drawn for.
fn counts(kind: MouseEventKind) -> bool {
    matches!(
        kind,
        MouseEventKind::Down(MouseButton::Left)
            | MouseEventKind::ScrollUp
            | MouseEventKind::ScrollDown
    )
}

/// Shows the state and obeys until somebody leaves; the terminal is given back then.
pub(crate) async fn run(
    mut app: App,
    mut perform: impl FnMut(Command),
    mut heard: UnboundedReceiver<Message>,
    to: UnboundedSender<Message>,
) -> io::Result<()> {
    let mut screen = Screen::open()?;
    let _keys = Keys::listen(to)?;
    // Given back first, while the keys are still heard: what it says last is not typed into the shell. Where it cannot be had, the
    // keys do everything.
    let _mouse = if app.hears_mouse() { Mouse::capture().ok() } else { None };
    let mut tick = tokio::time::interval(TICK);
    loop {
        if let Some(size) = screen.size()
            && size != app.size()
        {
            app.update(Message::Resize(size.0, size.1));
        }
        screen.draw(&app)?;
        let mut next = tokio::select! {
            message = heard.recv() => message,
            _ = tick.tick() => Some(Message::Tick(SystemClock.now().0)),
        };
        // What came meanwhile is taken in at once, so that many events cost few drawings.
        let since = Instant::now();
        while let Some(message) = next.take() {
            match app.update(message) {
                Some(Command::Leave) => return Ok(()),
                Some(command) => perform(command),
                None => {}
            }
            if since.elapsed() < FRAME {
                next = heard.try_recv().ok();
            }
        }
    }
}
