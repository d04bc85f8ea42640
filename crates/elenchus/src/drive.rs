//! Follows a run to its end: shows what happens, obeys the user who wants to stop.

use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::progress::Running;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_core::inquiry::Control;
use elenchus_engine::{EngineError, Finished, RunHandle};
use elenchus_server::wire::event_line;
use std::time::Duration;

/// How often something may move although nothing happened.
const TICK: Duration = Duration::from_millis(250);

/// How a run is followed.
pub(crate) struct Follow<'a> {
    pub(crate) terminal: &'a Terminal,
    pub(crate) interrupts: &'a mut Interrupts,
    /// Events as lines of JSON on standard output.
    pub(crate) jsonl: bool,
    /// Whether the run can be resumed; otherwise an interrupted one answers with what it has.
    pub(crate) kept: bool,
    pub(crate) max_rounds: u8,
}

impl Follow<'_> {
    /// Follows the run until it ends or is stopped.
    pub(crate) async fn end_of(self, handle: RunHandle) -> Result<Finished> {
        let controller = handle.controller();
        let mut events = handle.events_after(handle.resumed_after());
        let mut live = handle.live();
        let mut running = Running::new(self.terminal.clone(), self.max_rounds);
        let mut before = handle.events();
        for _ in 0..handle.resumed_after() {
            if let Some(event) = before.next().await {
                running.recall(&event);
            }
        }
        let mut tick = tokio::time::interval(TICK);
        let mut stopping = false;
        // Nobody reads the events any more.
        let mut unread = None;
        let mut watching = true;
        loop {
            tokio::select! {
                biased;
                () = self.interrupts.wait(), if !stopping => {
                    stopping = true;
                    if self.kept {
                        controller.suspend();
                    } else {
                        self.terminal.say("stopping: the answer is made of what was found");
                        // It is over already when this fails.
                        let _ = controller.control(Control::Interrupt).await;
                    }
                }
                event = events.next() => {
                    let Some(event) = event else { break };
                    running.event(&event);
                    if self.jsonl && unread.is_none() {
                        let line = event_line(&event).map_err(|error| unsayable(&error))?;
                        if let Err(error) = self.terminal.print_line(&line) {
                            // The run is kept as it is: whoever read it may want the rest later.
                            controller.suspend();
                            unread = Some(error);
                        }
                    }
                }
                changed = live.changed(), if watching => match changed {
                    Ok(()) => running.live(live.borrow_and_update().clone()),
                    Err(_) => watching = false,
                },
                _ = tick.tick() => running.tick(),
            }
        }
        drop(controller);
        let ended = handle.join().await;
        self.terminal.clear();
        match (ended, unread) {
            (Err(EngineError::Suspended(_)), Some(error)) => Err(error),
            (ended, _) => ended.map_err(CliError::from),
        }
    }
}
