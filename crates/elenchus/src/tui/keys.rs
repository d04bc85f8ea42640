//! What each key does.

use super::app::{App, Command, Note, Overlay, Place, Purpose, Tab};
use super::input::Input;
use super::tree::{self, Key, Row};
use super::view;
use elenchus_core::bank::Standing;
use elenchus_core::inquiry::{Control, StopReason};
use elenchus_core::trace::{Projection, RunStatus};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

impl App {
    pub(super) fn key(&mut self, key: KeyEvent) -> Option<Command> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        // Whatever stands there, this leaves.
        if key.modifiers.contains(KeyModifiers::CONTROL)
            && matches!(key.code, KeyCode::Char('c' | 'q'))
        {
            return Some(Command::Leave);
        }
        match self.overlay {
            Some(Overlay::Leave) => return self.leaving(key),
            Some(Overlay::Help { scroll }) => {
                self.overlay = match key.code {
                    KeyCode::Down | KeyCode::Char('j' | ' ') | KeyCode::PageDown => {
                        let most = view::help_lines(self.size.0).saturating_sub(1);
                        let step = if key.code == KeyCode::PageDown { 10 } else { 1 };
                        Some(Overlay::Help { scroll: (scroll + step).min(most) })
                    }
                    KeyCode::Up | KeyCode::Char('k') => {
                        Some(Overlay::Help { scroll: scroll.saturating_sub(1) })
                    }
                    KeyCode::PageUp => Some(Overlay::Help { scroll: scroll.saturating_sub(10) }),
                    _ => None,
                };
                return None;
            }
            None => {}
        }
        if let Some((purpose, input)) = self.typing.take() {
            return self.typed(purpose, input, key);
        }
        if self.editing().is_some() {
            return self.plan_key(key);
        }
        self.pressed(key)
    }

    fn leaving(&mut self, key: KeyEvent) -> Option<Command> {
        self.overlay = None;
        matches!(key.code, KeyCode::Enter | KeyCode::Char('q' | 'y')).then_some(Command::Leave)
    }

    /// A key while a line is typed.
    fn typed(&mut self, purpose: Purpose, mut input: Input, key: KeyEvent) -> Option<Command> {
        match key.code {
            KeyCode::Enter => return self.entered_line(purpose, &input.text()),
            KeyCode::Esc => {
                if purpose == Purpose::Search {
                    self.search.clear();
                }
                if purpose == Purpose::Answer {
                    self.say(
                        "the run waits for your answer: Enter answers it, s skips what it asks",
                    );
                }
                return None;
            }
            KeyCode::Tab if purpose == Purpose::Ask => self.review = !self.review,
            KeyCode::Up if purpose == Purpose::Ask && self.recalled > 0 => {
                self.recalled -= 1;
                input = Input::new(self.history.get(self.recalled).map_or("", String::as_str));
            }
            KeyCode::Down if purpose == Purpose::Ask && self.recalled < self.history.len() => {
                self.recalled += 1;
                input = Input::new(self.history.get(self.recalled).map_or("", String::as_str));
            }
            _ => {
                input.key(key);
            }
        }
        self.typing = Some((purpose, input));
        None
    }

    pub(super) fn type_for(&mut self, purpose: Purpose) -> Option<Command> {
        self.recalled = self.history.len();
        self.typing = Some((purpose, Input::default()));
        None
    }

    pub(super) fn enter(&mut self, tab: Tab) -> Option<Command> {
        self.tab = tab;
        self.note = Note::default();
        self.entered()
    }

    /// The page that a key goes to.
    pub(super) fn tab_of(&self, code: KeyCode) -> Option<Tab> {
        match code {
            KeyCode::Char(key) => Tab::ALL.into_iter().find(|tab| tab.key() == key),
            KeyCode::Right | KeyCode::Tab => self.page_beside(1),
            KeyCode::Left | KeyCode::BackTab => self.page_beside(-1),
            _ => None,
        }
    }

    pub(super) fn pressed(&mut self, key: KeyEvent) -> Option<Command> {
        if let Some(tab) = self.tab_of(key.code) {
            return self.enter(tab);
        }
        match key.code {
            KeyCode::Char('q') => {
                if !self.is_at_work() {
                    return Some(Command::Leave);
                }
                self.overlay = Some(Overlay::Leave);
            }
            KeyCode::Char('?') => self.overlay = Some(Overlay::Help { scroll: 0 }),
            KeyCode::Char('a') => {
                if self.is_at_work() {
                    self.complain(
                        "a run is under way: f ends its search, i ends it, then ask again",
                    );
                } else {
                    return self.type_for(Purpose::Ask);
                }
            }
            KeyCode::Char('/') if self.run.is_some() => {
                self.tab = Tab::Trace;
                return self.type_for(Purpose::Search);
            }
            KeyCode::Char(c @ ('n' | 'N')) if !self.search.is_empty() => self.find(c == 'n', false),
            KeyCode::Char('i') => {
                return self.control(Control::Interrupt, "it stops and answers with what it has");
            }
            KeyCode::Char('f') => {
                return self
                    .control(Control::FinishNow, "it stops searching and writes the answer");
            }
            KeyCode::Char('p') => {
                let paused = self.run.as_ref().is_some_and(|run| run.status == RunStatus::Paused);
                return if paused {
                    self.control(Control::Resume, "it goes on")
                } else {
                    self.control(Control::Pause, "it pauses: p goes on")
                };
            }
            KeyCode::Char('r') if self.driven => return self.type_for(Purpose::Redirect),
            KeyCode::Char('r') => self.complain("there is no run under way to redirect"),
            KeyCode::Char('d') if self.driven => return self.type_for(Purpose::Source),
            KeyCode::Char('d') => self.complain("there is no run under way to add a source to"),
            KeyCode::Char('b') => return self.limits(),
            KeyCode::Char('c') => return self.challenge(),
            KeyCode::Char('E') => self.edit_plan(),
            KeyCode::Char('R') => return self.resume(),
            _ => return self.on_page(key),
        }
        None
    }

    fn control(&mut self, control: Control, what: &str) -> Option<Command> {
        if !self.driven {
            self.complain("no run is under way here");
            return None;
        }
        self.say(what);
        Some(Command::Control(control))
    }

    /// Limits are set of the run that is driven, and past the end that one made of the run that is shown.
    fn limits(&mut self) -> Option<Command> {
        let stopped_by_one = self
            .run
            .as_ref()
            .is_some_and(|run| run.stop_reason.is_some_and(StopReason::is_of_a_limit));
        if self.driven || (stopped_by_one && !self.is_at_work()) {
            return self.type_for(Purpose::Limits);
        }
        self.complain(match &self.run {
            Some(run) if run.is_over() => "no limit ended this run: a asks again",
            Some(_) if !self.is_at_work() => "nobody drives this run: R goes on with it, then b",
            _ => "there is no run under way to set limits of",
        });
        None
    }

    fn challenge(&mut self) -> Option<Command> {
        if self.busy.is_some() {
            return None;
        }
        let step = if self.tab == Tab::Trace { self.selected_step() } else { None };
        match step.map(|step| (step.can_be_challenged, step.seq)) {
            Some((true, seq)) => return self.type_for(Purpose::Challenge(seq)),
            Some((false, _)) => {
                self.complain("this step only counts or announces something: choose another one");
            }
            None => self.complain("choose the step that you doubt in the trace (1), then c"),
        }
        None
    }

    /// Whether the explanations that are shown can be tested again: none is, while anything is under way.
    pub(super) fn may_test(&self) -> bool {
        !self.is_at_work() && self.run.as_ref().is_some_and(Projection::is_over)
    }

    fn test(&mut self, row: usize) -> Option<Command> {
        let run = self.run.as_ref()?;
        let one = run.hypotheses.get(row)?;
        let (hypothesis, claim, run) = (one.id.clone(), one.claim.clone(), run.run_id.clone());
        if !self.may_test() {
            self.complain("t tests an explanation again once the run is over");
            return None;
        }
        self.busy = Some(format!("testing {hypothesis} again"));
        self.tab = Tab::Trace;
        Some(Command::Test { run, hypothesis, claim })
    }

    fn resume(&mut self) -> Option<Command> {
        if self.is_at_work() {
            self.complain("a run is under way");
            return None;
        }
        let chosen = if self.tab == Tab::Runs {
            let row = self.selected();
            self.runs
                .as_ref()
                .and_then(|runs| runs.get(row))
                .map(|run| (run.run_id.clone(), run.status.clone()))
        } else {
            self.run.as_ref().map(|run| (run.run_id.clone(), self.status().to_owned()))
        };
        let (id, status) = chosen?;
        if matches!(status.as_str(), "finished" | "interrupted" | "failed") {
            self.complain("that run is over: Enter on the page Runs opens it");
            return None;
        }
        self.busy = Some(format!("going on with {id}"));
        self.tab = Tab::Trace;
        Some(Command::Resume(id))
    }

    /// Keys that move on a page or belong to one.
    fn on_page(&mut self, key: KeyEvent) -> Option<Command> {
        let page = usize::from(view::list_height(self)).max(1);
        let reading = self.place().full || self.tab == Tab::Answer;
        let row = self.selected();
        // What the mouse has moved away comes back into sight.
        self.place_mut().top = None;
        match key.code {
            KeyCode::Esc => {
                if self.place().full {
                    let place = self.place();
                    *self.place_mut() = Place { full: false, scroll: 0, ..place };
                } else {
                    self.search.clear();
                    self.note = Note::default();
                }
            }
            KeyCode::Down | KeyCode::Char('j') if reading => self.scroll(1),
            KeyCode::Up | KeyCode::Char('k') if reading => self.scroll(-1),
            KeyCode::PageDown | KeyCode::Char(' ') if reading => self.scroll(page.cast_signed()),
            KeyCode::PageUp if reading => self.scroll(-page.cast_signed()),
            KeyCode::Home | KeyCode::Char('g') if reading => self.scroll(isize::MIN),
            KeyCode::End | KeyCode::Char('G') if reading => self.scroll(isize::MAX),
            KeyCode::Char('J') => self.scroll(1),
            KeyCode::Char('K') => self.scroll(-1),
            KeyCode::Down | KeyCode::Char('j') => self.select(row.saturating_add(1)),
            KeyCode::Up | KeyCode::Char('k') => self.select(row.saturating_sub(1)),
            KeyCode::PageDown => self.select(row.saturating_add(page)),
            KeyCode::PageUp => self.select(row.saturating_sub(page)),
            KeyCode::Home | KeyCode::Char('g') => self.select(0),
            KeyCode::End | KeyCode::Char('G') => self.select(usize::MAX),
            KeyCode::Char('s') if self.asked.is_some() => {
                self.asked = None;
                return Some(Command::Control(Control::SkipClarification));
            }
            KeyCode::Enter if self.asked.is_some() => return self.type_for(Purpose::Answer),
            KeyCode::Enter => return self.opened(row),
            KeyCode::Char(' ') if self.tab == Tab::Trace => self.fold(row),
            KeyCode::Char('-') if self.tab == Tab::Trace => {
                let here = self.rows().get(..=row).and_then(|rows| {
                    rows.iter().rev().find(|row| matches!(row, Row::Stage { .. })).map(Row::key)
                });
                self.folded =
                    self.run.as_ref().map(tree::stages).unwrap_or_default().into_iter().collect();
                self.follows = false;
                self.step = here;
            }
            KeyCode::Char('+' | '=') if self.tab == Tab::Trace => self.folded.clear(),
            KeyCode::Char('t') if self.tab == Tab::Beliefs => return self.test(row),
            KeyCode::Char(c @ ('x' | 'w')) if self.tab == Tab::Memory => {
                let (held, _) = self.memories.as_ref()?;
                let strategy = &held.get(row)?.strategy;
                return Some(match (c, &strategy.standing) {
                    ('w', _) => Command::Why(strategy.id.clone()),
                    (_, Standing::Active) => Command::Archive(strategy.id.clone()),
                    _ => Command::Restore(strategy.id.clone()),
                });
            }
            KeyCode::Char(c @ ('+' | '=' | '-' | 's' | 'u' | 'm'))
                if matches!(self.tab, Tab::Claims | Tab::Insights) =>
            {
                return self.judge(c);
            }
            _ => {}
        }
        None
    }

    pub(super) fn opened(&mut self, row: usize) -> Option<Command> {
        match self.tab {
            Tab::Runs => {
                let id = self.runs.as_ref()?.get(row)?.run_id.clone();
                if self.is_at_work() {
                    self.complain("a run is under way: it is shown until it ends");
                    return None;
                }
                return Some(Command::Open(id));
            }
            Tab::Trace if matches!(self.rows().get(row), Some(Row::Stage { .. })) => self.fold(row),
            Tab::Answer => {}
            _ if self.count() > 0 => {
                if self.tab == Tab::Trace {
                    self.select(row);
                    self.follows = false;
                }
                let place = self.place_mut();
                place.full = !place.full;
                place.scroll = 0;
            }
            _ => {}
        }
        None
    }

    fn fold(&mut self, row: usize) {
        let Some(found) = self.rows().get(row).copied() else { return };
        // Below an action, the action is folded.
        let key = match (found, self.run.as_ref()) {
            (Row::Step { at, depth: 2, .. }, Some(run)) => {
                run.steps.get(at).and_then(|step| step.action).map_or(found.key(), Key::Step)
            }
            _ => found.key(),
        };
        if !self.folded.remove(&key) {
            self.folded.insert(key);
        }
        self.follows = false;
        self.step = Some(key);
    }

    /// Moves the text that is read, no further than its last line.
    pub(super) fn scroll(&mut self, by: isize) {
        let most = view::most_scroll(self);
        let place = self.place_mut();
        let from = place.scroll.min(most);
        place.scroll = from.saturating_add_signed(by).min(most);
    }
}
