//! The plan of the run under way, changed on the screen.

use super::app::{App, Command, Note, Purpose, Tab};
use super::input::Input;
use super::plan::Draft;
use super::view;
use elenchus_core::trace::Projection;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

impl App {
    /// The plan that is changed, where it is what is shown.
    pub(super) fn editing(&self) -> Option<&Draft> {
        self.plan.as_ref().filter(|draft| !draft.aside)
    }

    /// Whether the run that is driven waits until its plan was looked at.
    pub(super) fn awaits_review(&self) -> bool {
        self.driven && self.run.as_ref().is_some_and(Projection::awaits_review)
    }

    /// Whether the run shown is under way here, so that its plan may be changed.
    pub(super) fn may_edit(&self) -> bool {
        self.driven && self.run.as_ref().is_some_and(|run| !run.is_over())
    }

    /// Shows the plan for changing, with what was changed before.
    pub(super) fn edit_plan(&mut self) {
        if !self.may_edit() {
            self.complain("no run is under way here whose plan could be changed");
            return;
        }
        let Some(run) = &self.run else { return };
        let mut draft = self.plan.take().unwrap_or_else(|| Draft::of(run));
        draft.aside = false;
        self.plan = Some(draft);
        self.note = Note::default();
    }

    /// A key while the plan is shown.
    pub(super) fn plan_key(&mut self, key: KeyEvent) -> Option<Command> {
        if let Some(tab) = self.tab_of(key.code) {
            return self.look_aside(tab);
        }
        let command = self.plan_pressed(key);
        self.keep_in_sight();
        command
    }

    fn plan_pressed(&mut self, key: KeyEvent) -> Option<Command> {
        let draft = self.plan.as_mut()?;
        let warned = std::mem::take(&mut draft.warned);
        let (row, last) = (draft.row, draft.asked().len().saturating_sub(1));
        let held = key
            .modifiers
            .intersects(KeyModifiers::SHIFT | KeyModifiers::ALT | KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('J') => self.shift_question(row + 1),
            KeyCode::Char('K') => self.shift_question(row.saturating_sub(1)),
            KeyCode::Down if held => self.shift_question(row + 1),
            KeyCode::Up if held => self.shift_question(row.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => draft.row = (row + 1).min(last),
            KeyCode::Up | KeyCode::Char('k') => draft.row = row.saturating_sub(1),
            KeyCode::Home | KeyCode::Char('g') => draft.row = 0,
            KeyCode::End | KeyCode::Char('G') => draft.row = last,
            KeyCode::Enter | KeyCode::Char('e') => self.reword_question(),
            KeyCode::Char('a') => match draft.room() {
                Ok(()) => return self.type_for(Purpose::Plan),
                Err(why) => self.complain(why),
            },
            KeyCode::Char('x') | KeyCode::Delete => match draft.remove(row) {
                Ok(gone) => self.say(format!("taken out: {gone}")),
                Err(why) => self.complain(why),
            },
            KeyCode::Char('u') => {
                draft.undo();
                self.say("the plan as the run has it");
            }
            KeyCode::Char('s') => return self.send_plan(),
            KeyCode::Esc => self.drop_plan(warned),
            // What steers the run, explains the keys or leaves does so from here too.
            KeyCode::Char('i' | 'f' | 'p' | 'q' | '?') => return self.pressed(key),
            _ => {}
        }
        None
    }

    fn shift_question(&mut self, to: usize) {
        let Some(draft) = &mut self.plan else { return };
        match draft.shift(draft.row, to) {
            Ok(row) => draft.row = row,
            Err(why) => self.complain(why),
        }
    }

    /// Lets the selected question be typed anew, or says why it stays.
    pub(super) fn reword_question(&mut self) {
        let Some(draft) = &self.plan else { return };
        match draft.free(draft.row).map(str::to_owned) {
            Ok(text) => self.typing = Some((Purpose::Reword(text.clone()), Input::new(&text))),
            Err(why) => self.complain(why),
        }
    }

    /// Takes a question that was typed; one that cannot be taken stays in the line.
    pub(super) fn worded(&mut self, purpose: Purpose, text: &str) {
        let Some(draft) = &mut self.plan else {
            self.complain("the plan is not changed any more: E shows it");
            return;
        };
        let done = match &purpose {
            Purpose::Reword(old) => match draft.place(old) {
                Some(at) => draft.reword(at, text),
                None => {
                    Err("that question is not in the plan any more: Esc leaves the line".to_owned())
                }
            },
            _ if draft.asked().is_empty() => draft.add(0, text),
            _ => draft.add(draft.row + 1, text),
        };
        match done {
            Ok(row) => {
                draft.row = row;
                self.note = Note::default();
            }
            Err(why) => {
                self.complain(why);
                self.typing = Some((purpose, Input::new(text)));
            }
        }
        self.keep_in_sight();
    }

    fn send_plan(&mut self) -> Option<Command> {
        if !self.may_edit() {
            self.plan = None;
            self.complain("the run is over: its plan can no longer be changed");
            return None;
        }
        let (draft, run) = (self.plan.as_ref()?, self.run.as_ref()?);
        match draft.sent(run) {
            Ok((control, said)) => {
                self.plan = None;
                self.say(said);
                control.map(Command::Control)
            }
            Err(why) => {
                self.complain(why);
                None
            }
        }
    }

    /// Leaves the plan as it is. What was changed is dropped only when that is asked for twice.
    fn drop_plan(&mut self, warned: bool) {
        let Some(draft) = &mut self.plan else { return };
        let changed = draft.is_changed();
        if changed && !warned {
            draft.warned = true;
            self.complain("Esc once more drops your changes, s sends them");
            return;
        }
        self.plan = None;
        if self.awaits_review() {
            self.say("the run still waits with its plan: E shows it, p goes on");
        } else if changed {
            self.say("your changes are dropped: the plan stays as it is");
        } else {
            self.note = Note::default();
        }
    }

    /// Goes to another page. What was changed is kept until it is sent or dropped.
    pub(super) fn look_aside(&mut self, tab: Tab) -> Option<Command> {
        self.plan = self.plan.take().filter(Draft::is_changed);
        if let Some(draft) = &mut self.plan {
            draft.aside = true;
        }
        let command = self.enter(tab);
        if self.plan.is_some() {
            self.say("your changes of the plan are kept: E shows them again");
        } else if self.awaits_review() {
            self.say("the run still waits with its plan: E shows it, p goes on");
        }
        command
    }

    /// What an event means for the plan: one that is waited with is shown, one that is changed takes in what is new.
    pub(super) fn replanned(&mut self, waited: bool) {
        let Some(run) = &self.run else { return };
        let said = self.plan.as_mut().and_then(|draft| draft.renew(run));
        let waits = self.awaits_review();
        if waits && !waited {
            self.edit_plan();
        }
        if waited && !waits && !self.words_question() {
            // It goes on, and nothing was changed here that could be lost.
            self.plan = self.plan.take().filter(Draft::is_changed);
        }
        if let Some(said) = said {
            self.say(said);
        }
    }

    /// Whether a question of the plan is typed.
    pub(super) fn words_question(&self) -> bool {
        matches!(self.typing, Some((Purpose::Plan | Purpose::Reword(_), _)))
    }

    /// Moves what is shown no further than the selected question asks for.
    pub(super) fn keep_in_sight(&mut self) {
        let top = view::plan_top(self);
        if let Some(draft) = &mut self.plan {
            draft.top = top;
        }
    }
}
