//! What a line that was typed means.

use super::app::{App, Command, Note, Purpose, Tab};
use super::input::Input;
use super::limits;
use crate::ui::dialogue::Taken;
use elenchus_core::inquiry::{Control, NewSources};

/// A source as a line names it: the address of a page, or the path of a document.
pub(super) fn source(line: &str) -> NewSources {
    let named = vec![line.to_owned()];
    let lower = line.to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        NewSources { pages: named, ..NewSources::default() }
    } else {
        NewSources { documents: named, ..NewSources::default() }
    }
}

impl App {
    /// Takes what was typed to an end.
    pub(super) fn entered_line(&mut self, purpose: Purpose, text: &str) -> Option<Command> {
        let text = text.trim().to_owned();
        match purpose {
            Purpose::Answer => {
                let taken = self.asked.as_mut().map(|asked| asked.take(Some(&text)));
                match taken {
                    Some(Taken::Done(control)) => {
                        self.asked = None;
                        return Some(Command::Control(control));
                    }
                    Some(Taken::Again(why)) => self.complain(why),
                    Some(Taken::Next) | None => self.note = Note::default(),
                }
                if self.asked.is_some() {
                    self.typing = Some((Purpose::Answer, Input::default()));
                }
                None
            }
            Purpose::Ask => {
                if !text.chars().any(char::is_alphanumeric) {
                    self.complain("the question is empty: ask something in words");
                    self.typing = Some((Purpose::Ask, Input::default()));
                    return None;
                }
                self.history.push(text.clone());
                self.recalled = self.history.len();
                self.note = Note::default();
                self.busy = Some("starting".to_owned());
                self.tab = Tab::Trace;
                Some(Command::Ask { question: text, review: self.review })
            }
            Purpose::Search => {
                self.search = text.split_whitespace().map(str::to_lowercase).collect();
                if !self.search.is_empty() {
                    self.find(true, true);
                }
                None
            }
            Purpose::Redirect => {
                if let Some(named) = text.trim().strip_prefix('!') {
                    let (id, reason) = named.split_once(' ').unwrap_or((named, ""));
                    if id.is_empty() {
                        self.complain("say which explanation is to be dropped, as in !h2");
                        return None;
                    }
                    self.say(format!("{id} is searched for and tested no more"));
                    let reason = reason.trim().to_owned();
                    return Some(Command::Control(Control::DropHypothesis {
                        id: id.into(),
                        reason,
                    }));
                }
                let (mut focus, mut exclude, mut only) = (Vec::new(), Vec::new(), Vec::new());
                for word in text.split_whitespace() {
                    match (word.strip_prefix('-'), word.strip_prefix('+')) {
                        (Some(path), _) if !path.is_empty() => exclude.push(path.to_owned()),
                        (_, Some(path)) if !path.is_empty() => only.push(path.to_owned()),
                        _ => focus.push(word),
                    }
                }
                let focus = Some(focus.join(" ")).filter(|focus| !focus.is_empty());
                if focus.is_none() && exclude.is_empty() && only.is_empty() {
                    return None;
                }
                self.say("it changes direction with the next search");
                Some(Command::Control(Control::Redirect { focus, exclude, only }))
            }
            Purpose::Source => {
                let run = self.run.as_ref().filter(|_| !text.is_empty())?;
                let sources = source(&text);
                if let Some(why) = run.refuses_sources(&sources) {
                    self.complain(format!("{why}: {}", why.way_out()));
                    return None;
                }
                self.say(format!("the next round looks into {}", sources.told()));
                Some(Command::Control(Control::AddSources(sources)))
            }
            Purpose::Limits => {
                let run = self.run.as_ref().filter(|_| !text.is_empty())?;
                let (id, limits) = (run.run_id.clone(), limits::meant(&text, run));
                match limits {
                    Err(why) => {
                        self.complain(why);
                        self.typing = Some((Purpose::Limits, Input::new(&text)));
                        None
                    }
                    Ok(limits) if self.driven => {
                        self.say(format!("from now on: {}", limits.told()));
                        Some(Command::Control(Control::SetBudget(limits)))
                    }
                    Ok(limits) => {
                        self.busy = Some(format!("going on with {id} in another run"));
                        self.tab = Tab::Trace;
                        Some(Command::More { run: id, limits })
                    }
                }
            }
            Purpose::Challenge(event_id) => {
                if !text.chars().any(char::is_alphanumeric) {
                    self.complain("the challenge is empty: say what you doubt");
                    return None;
                }
                if self.driven {
                    self.say(format!(
                        "step {event_id} is challenged; the end of the run answers it"
                    ));
                    return Some(Command::Control(Control::Challenge { event_id, text }));
                }
                let run = self.run.as_ref()?.run_id.clone();
                self.busy = Some(format!("looking into step {event_id}"));
                Some(Command::Doubt { run, event: event_id, text })
            }
            Purpose::Note { about, target } => self.noted(about, target, text),
            Purpose::Plan | Purpose::Reword(_) => {
                self.worded(purpose, &text);
                None
            }
        }
    }
}
