//! Follows a run to its end: shows what happens, obeys the user who wants to stop.

use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::dialogue::{Dialogue, Presence};
use crate::ui::progress::Running;
use crate::ui::terminal::{Terminal, unsayable};
use elenchus_core::inquiry::Control;
use elenchus_core::prompt::ClarifyingQuestion;
use elenchus_core::trace::TraceEvent;
use elenchus_engine::{Controller, EngineError, Finished, RunHandle};
use elenchus_server::wire::event_line;
use std::time::Duration;
use tokio::task::JoinSet;

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
    /// Who answers what the run asks back.
    pub(crate) presence: Presence,
}

impl Follow<'_> {
    /// Follows the run until it ends or is stopped.
    pub(crate) async fn end_of(self, handle: RunHandle) -> Result<Finished> {
        let controller = handle.controller();
        let mut events = handle.events_after(handle.resumed_after());
        let mut live = handle.live();
        let mut running = Running::new(self.terminal.clone(), self.max_rounds);
        let mut before = handle.events();
        let mut dialogue = Dialogue::new(self.terminal.clone(), self.presence);
        // What a resumed run waits for is asked again.
        let mut waiting = None;
        for _ in 0..handle.resumed_after() {
            if let Some(event) = before.next().await {
                running.recall(&event);
                asked(&mut waiting, &event.event);
            }
        }
        // What the user says is given beside the rest: with a store that is away it takes its time to be kept.
        let mut given = JoinSet::new();
        if let Some(instead) = waiting.take().and_then(|questions| dialogue.begin(questions)) {
            given.spawn(give(controller.clone(), instead));
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
                    // What is under way may take its time, and nothing else would show that the key was heard.
                    if self.kept {
                        self.terminal.say(
                            "stopping here: what was found is kept; Ctrl-C once more ends this at once",
                        );
                        controller.suspend();
                    } else {
                        self.terminal.say(
                            "stopping: the answer is made of what was found; Ctrl-C once more ends it at once, without one",
                        );
                        given.spawn(give(controller.clone(), Control::Interrupt));
                    }
                }
                line = dialogue.line() => {
                    if let Some(said) = dialogue.take(line.as_deref()) {
                        given.spawn(give(controller.clone(), said));
                    }
                }
                event = events.next() => {
                    let Some(event) = event else { break };
                    running.event(&event);
                    if asked(&mut waiting, &event.event) {
                        dialogue.close();
                    }
                    if self.jsonl && unread.is_none() {
                        let line = event_line(&event).map_err(|error| unsayable(&error))?;
                        if let Err(error) = self.terminal.print_line(&line) {
                            // The run is kept as it is: whoever read it may want the rest later.
                            controller.suspend();
                            unread = Some(error);
                        }
                    }
                    if let Some(instead) =
                        waiting.take().and_then(|questions| dialogue.begin(questions))
                    {
                        given.spawn(give(controller.clone(), instead));
                    }
                }
                changed = live.changed(), if watching => match changed {
                    // A status line would stand where the answer is typed.
                    Ok(()) if dialogue.is_open() => drop(live.borrow_and_update()),
                    Ok(()) => running.live(live.borrow_and_update().clone()),
                    Err(_) => watching = false,
                },
                _ = tick.tick() => if !dialogue.is_open() { running.tick() },
            }
        }
        drop(controller);
        let ended = handle.join().await;
        self.terminal.clear();
        match (ended, unread) {
            (Err(EngineError::Suspended(_) | EngineError::Detached(_)), Some(error)) => Err(error),
            (ended, _) => ended.map_err(CliError::from),
        }
    }
}

/// Gives a control. The run is over already, or stopped, when this fails.
async fn give(controller: Controller, control: Control) {
    let _ = controller.control(control).await;
}

/// Notes what the run asks back; `true` when an event ends the asking.
fn asked(waiting: &mut Option<Vec<ClarifyingQuestion>>, event: &TraceEvent) -> bool {
    match event {
        TraceEvent::ClarificationRequested { questions } => *waiting = Some(questions.clone()),
        TraceEvent::ControlReceived(
            Control::Clarified { .. }
            | Control::SkipClarification
            | Control::Interrupt
            | Control::FinishNow,
        ) => {
            *waiting = None;
            return true;
        }
        _ => {}
    }
    false
}
