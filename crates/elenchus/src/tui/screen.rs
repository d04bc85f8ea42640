//! The terminal: taken for drawing, and given back whatever happens.

use super::app::App;
use super::view;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use std::io::{self, Stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the terminal is taken.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the mouse is.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// The terminal while it is drawn on. Gives it back when it goes out of scope.
pub(super) struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    pub(super) fn open() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            let draws = std::thread::current().id();
            std::panic::set_hook(Box::new(move |panic| {
                // Elsewhere a panic ends a task, which is said on the screen; what it writes would only spoil that.
                if std::thread::current().id() == draws {
                    restore();
                }
                if !TAKEN.load(Ordering::SeqCst) {
                    before(panic);
                }
            }));
        });
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let opened = execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        opened.map(Self).inspect_err(|_| restore())
    }

    pub(super) fn size(&self) -> Option<(u16, u16)> {
        self.0.size().ok().map(|size| (size.width, size.height))
    }

    pub(super) fn draw(&mut self, app: &App) -> io::Result<()> {
        self.0.draw(|frame| {
            if let Some(cursor) = view::draw(app, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// The mouse while it is listened to. Leaves it to the terminal when it goes out of scope.
pub(super) struct Mouse;

impl Mouse {
    pub(super) fn capture() -> io::Result<Self> {
        // Noted before, so that half of it is taken back as well.
        MOUSE.store(true, Ordering::SeqCst);
        let captured = execute!(io::stdout(), EnableMouseCapture);
        captured.map(|()| Self).inspect_err(|_| release())
    }
}

impl Drop for Mouse {
    fn drop(&mut self) {
        release();
    }
}

/// Leaves the mouse to the terminal, if it was taken from it.
fn release() {
    if MOUSE.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableMouseCapture);
    }
}

/// Gives the terminal back, if it is taken. May be called from anywhere, any number of times.
pub(crate) fn restore() {
    // By itself: whether that succeeds or not, the rest is given back.
    release();
    if TAKEN.swap(false, Ordering::SeqCst) {
        // A terminal that is gone needs nothing.
        let _ = execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
    }
}
