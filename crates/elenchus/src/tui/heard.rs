//! What messages change.

use super::app::{App, Command, Message, Place, Purpose, Tab};
use super::input::Input;
use crate::ui::dialogue::Asked;
use crate::ui::terminal::Told;
use elenchus_core::prompt::ClarifyingQuestion;
use elenchus_core::trace::{Envelope, Projection, RunStatus, TraceEvent};

impl App {
    /// Changes the state. What is to be done outside of it is given back.
    pub(crate) fn update(&mut self, message: Message) -> Option<Command> {
        match message {
            Message::Key(key) => return self.key(key),
            Message::Mouse(mouse) => return self.pointed(mouse),
            Message::Paste(text) => {
                if let Some((_, input)) = &mut self.typing {
                    input.put(&text);
                }
            }
            Message::Resize(width, height) => self.size = (width, height),
            Message::Tick(now) => self.now = now,
            Message::Told(Told::Status(text)) => {
                if self.busy.is_some() {
                    self.busy = Some(text);
                }
            }
            Message::Told(Told::Line(text)) => self.told(&text),
            Message::Told(Told::Warning(text)) => self.complain(format!("warning: {text}")),
            Message::HandedOver(run) => self.theirs = Some(run),
            Message::Began(run) => {
                if self.run.as_ref().is_none_or(|shown| shown.run_id != run) {
                    self.show(Projection::new(run));
                }
                self.stored = None;
                self.busy = None;
                self.driven = true;
                self.follows = true;
                // One that is gone on with may wait for an answer that was not given.
                let waits = self.run.as_ref().filter(|run| run.status == RunStatus::Waiting);
                if let Some(questions) = waits.map(|run| run.asked_back.clone()) {
                    self.ask_back(questions);
                }
                if self.awaits_review() {
                    self.edit_plan();
                }
            }
            Message::Event(event) => self.event(&event),
            Message::Ended(ended) => {
                self.busy = None;
                self.driven = false;
                self.theirs = None;
                self.asked = None;
                if matches!(self.typing, Some((Purpose::Answer, _))) || self.words_question() {
                    self.typing = None;
                }
                let too_late = self.plan.take().is_some_and(|draft| draft.is_changed());
                match ended {
                    Ok(text) if too_late => {
                        self.told(&format!("your changes of the plan came too late. {text}"));
                    }
                    Ok(text) => self.told(&text),
                    Err(error) => self.fail(&error),
                }
                // The history and the memory have changed.
                self.runs = None;
                self.memories = None;
                return self.entered();
            }
            Message::Opened { summary, events } => {
                self.busy = None;
                let mut run = Projection::new(summary.run_id.clone());
                for event in &events {
                    run.apply(event);
                }
                self.show(run);
                self.stored = Some(*summary);
                self.follows = false;
                self.select_first();
                self.say(match self.status() {
                    "stopped" => "it stopped before its end: R goes on with it",
                    "running" => "another process drives it: what it has written so far is shown",
                    _ => "",
                });
                self.tab = if self.run.as_ref().is_some_and(|run| run.answer.is_some()) {
                    Tab::Answer
                } else {
                    Tab::Trace
                };
            }
            Message::Runs(runs) => self.runs = Some(runs),
            Message::Memories(memories, stats) => self.memories = Some((memories, stats)),
            Message::Remarks(run, remarks) => {
                if self.run.as_ref().is_some_and(|shown| shown.run_id == run) {
                    self.remarks = Some(remarks);
                }
            }
            Message::Why(id, text) => self.why = Some((id, text)),
            Message::Failed(error) => {
                self.busy = None;
                self.fail(&error);
            }
            Message::Stop => return Some(Command::Leave),
        }
        self.settle();
        None
    }

    /// A line for the foot. After the end it stands behind what to do next.
    fn told(&mut self, text: &str) {
        let has_answer = self.run.as_ref().is_some_and(|run| run.answer.is_some());
        if has_answer && !self.is_at_work() {
            self.say(format!("6 shows the answer, 4 its statements. {text}"));
        } else {
            self.say(text);
        }
    }

    /// Puts a run in place of the one that is shown.
    fn show(&mut self, run: Projection) {
        self.run = Some(run);
        self.step = None;
        self.follows = true;
        self.folded.clear();
        self.search.clear();
        self.asked = None;
        self.plan = None;
        self.remarks = None;
        for (place, tab) in self.places.iter_mut().zip(Tab::ALL) {
            if tab.is_of_run() {
                *place = Place::default();
            }
        }
    }

    fn ask_back(&mut self, questions: Vec<ClarifyingQuestion>) {
        self.asked = Some(Asked::new(questions));
        self.typing = Some((Purpose::Answer, Input::default()));
    }

    fn event(&mut self, event: &Envelope) {
        let Some(run) = self.run.as_mut().filter(|run| run.run_id == event.run_id) else { return };
        let known = event.seq <= run.seq;
        let waited = run.awaits_review();
        run.apply(event);
        if known {
            return;
        }
        match &event.event {
            TraceEvent::ClarificationRequested { questions } => self.ask_back(questions.clone()),
            TraceEvent::AnswerCompleted { .. } if self.follows && self.tab == Tab::Trace => {
                self.say("the answer is there: 6 shows it, 4 its statements");
            }
            _ => {}
        }
        self.replanned(waited);
        let waits = self.run.as_ref().is_some_and(|run| run.status == RunStatus::Waiting);
        if self.asked.is_some() && !waits {
            self.asked = None;
            if matches!(self.typing, Some((Purpose::Answer, _))) {
                self.typing = None;
            }
        }
    }

    /// What a page needs when it is entered.
    pub(super) fn entered(&mut self) -> Option<Command> {
        self.settle();
        match self.tab {
            Tab::Runs if self.runs.is_none() => Some(Command::ListRuns),
            Tab::Memory if self.memories.is_none() => Some(Command::ListMemories),
            // Asked anew each time: people say things on other surfaces meanwhile.
            Tab::Claims | Tab::Insights => {
                self.run.as_ref().map(|run| Command::ListRemarks(run.run_id.clone()))
            }
            _ => None,
        }
    }

    /// Rows that have come or gone leave nothing selected that is not there.
    fn settle(&mut self) {
        if self.tab != Tab::Trace {
            let most = self.count().saturating_sub(1);
            let place = self.place_mut();
            place.row = place.row.min(most);
        }
    }
}
