//! What the mouse does: the wheel moves what is under it, a click chooses it, a click on what is chosen does what Enter does.

use super::app::{App, Command, Overlay, Place, Purpose};
use super::view::{self, Target};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// How many lines a notch of the wheel moves.
const NOTCH: isize = 3;

impl App {
    pub(super) fn pointed(&mut self, mouse: MouseEvent) -> Option<Command> {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.wheel(at, NOTCH),
            MouseEventKind::ScrollUp => self.wheel(at, -NOTCH),
            MouseEventKind::Down(MouseButton::Left) => return self.clicked(at),
            _ => {}
        }
        None
    }

    fn wheel(&mut self, at: Position, by: isize) {
        match self.overlay {
            Some(Overlay::Help { scroll }) => {
                let most = view::help_lines(self.size.0).saturating_sub(1);
                let scroll = scroll.saturating_add_signed(by).min(most);
                self.overlay = Some(Overlay::Help { scroll });
                return;
            }
            Some(Overlay::Leave) => return,
            None => {}
        }
        match view::at(self, at) {
            Target::Row(_) | Target::Rows => self.shift_rows(by),
            Target::Details => self.scroll(by),
            Target::Question(_) | Target::Questions => self.wheel_plan(by),
            Target::Tab(_) | Target::Nothing => {}
        }
    }

    /// Moves the rows under what is selected, which stays so.
    fn shift_rows(&mut self, by: isize) {
        let Some(seen) = view::seen(self) else { return };
        self.hold(seen.from.saturating_add_signed(by).min(seen.most));
    }

    /// Has a row be the first that is shown, for as long as it would not be so by itself.
    fn hold(&mut self, top: usize) {
        let Some(seen) = view::seen(self) else { return };
        self.place_mut().top = (top != seen.usual).then_some(top);
    }

    /// The plan is short: the wheel goes from question to question.
    fn wheel_plan(&mut self, by: isize) {
        let Some(draft) = &mut self.plan else { return };
        let last = draft.asked().len().saturating_sub(1);
        draft.row = draft.row.saturating_add_signed(by.signum()).min(last);
        self.keep_in_sight();
    }

    fn clicked(&mut self, at: Position) -> Option<Command> {
        if self.overlay.take().is_some() {
            // As any other key does, it goes back to the page.
            return None;
        }
        if self.words_question() {
            self.complain("Enter takes the question that you type, Esc leaves it");
            return None;
        }
        match view::at(self, at) {
            Target::Tab(tab) if self.editing().is_some() => return self.look_aside(tab),
            Target::Tab(tab) => {
                if tab == self.tab && self.place().full {
                    let place = self.place();
                    *self.place_mut() = Place { full: false, scroll: 0, ..place };
                }
                return self.enter(tab);
            }
            Target::Row(row) => {
                // The row stays under the pointer, so that the next click means it as well.
                let from = view::seen(self).map_or(0, |seen| seen.from);
                let command = self.click_row(row);
                self.hold(from);
                return command;
            }
            Target::Question(row) => self.click_question(row),
            Target::Rows | Target::Details | Target::Questions | Target::Nothing => {}
        }
        None
    }

    /// Selects a row; does with one that is selected what Enter does.
    fn click_row(&mut self, row: usize) -> Option<Command> {
        if row != self.selected() {
            self.select(row);
            return None;
        }
        if self.asked.is_some() && self.typing.is_none() {
            return self.type_for(Purpose::Answer);
        }
        self.opened(row)
    }

    fn click_question(&mut self, row: usize) {
        let top = view::plan_top(self);
        let Some(draft) = &mut self.plan else { return };
        draft.top = top;
        draft.warned = false;
        if draft.row == row {
            self.reword_question();
        } else {
            draft.row = row;
        }
        self.keep_in_sight();
    }
}
