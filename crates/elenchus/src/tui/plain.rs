//! The same without drawing: a line an event, questions and controls as lines. For screen readers, logs and dumb terminals.

use super::app::{Command, Message};
use super::limits;
use super::plan::Draft;
use super::typed;
use super::worded::{self, Edit};
use crate::error::{CliError, Kind, Result};
use crate::signals::Interrupts;
use crate::ui::dialogue::{Asked, Taken, Typed, show};
use crate::ui::report::step_line;
use crate::ui::terminal::{Color, Terminal, Told};
use elenchus_core::answer::to_markdown;
use elenchus_core::inquiry::Control;
use elenchus_core::trace::{Envelope, Projection, TraceEvent};
use std::io::IsTerminal;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

#[cfg(test)]
mod tests;

/// The longest silence.
const SILENCE: Duration = Duration::from_secs(5);

const HELP: &str = "while a run is under way: interrupt, finish, pause, resume, redirect WORDS, limits AS IN rounds 8 passages 200, look PATH OR ADDRESS, drop EXPLANATION WORDS, challenge EVENT WORDS, plan; \
                    Ctrl-C stops it and leaves";

/// Turns the looking at plans on and off. A question never begins so.
const REVIEW: &str = ":review";

/// What is going on.
struct Plain<'a> {
    terminal: &'a Terminal,
    shown: Option<Projection>,
    asked: Option<Asked>,
    /// The plan while it is changed.
    draft: Option<Draft>,
    at_work: bool,
    /// Whether the run that is shown is driven here.
    driven: bool,
    /// Whether anybody can be asked anything.
    somebody: bool,
    /// Whether the plan of the next question is shown before anything is searched.
    review: bool,
    /// The latest of what is being done.
    doing: String,
    failed: Option<CliError>,
}

/// Says what happens until nothing more is asked. `first` is done at once; with `review`, plans are shown before anything is
/// searched.
pub(crate) async fn run(
    first: Option<Command>,
    review: bool,
    terminal: &Terminal,
    mut perform: impl FnMut(Command),
    mut heard: UnboundedReceiver<Message>,
    interrupts: &mut Interrupts,
) -> Result<()> {
    let somebody = std::io::stdin().is_terminal();
    let once = first.is_some() && !somebody;
    let mut plain = Plain::new(terminal, somebody, review);
    let mut typed = None;
    if let Some(command) = first {
        plain.at_work = true;
        perform(command);
    }
    loop {
        if !plain.at_work {
            if once {
                break;
            }
            if somebody {
                terminal.say(&plain.prompt());
            }
        }
        let listens = !once && (somebody || !plain.at_work);
        let command = tokio::select! {
            biased;
            () = interrupts.wait() => break,
            message = heard.recv() => match message {
                Some(message) => plain.hear(message)?,
                None => break,
            },
            () = tokio::time::sleep(SILENCE), if plain.at_work => {
                plain.still();
                continue;
            }
            line = async { typed.get_or_insert_with(Typed::read).next().await }, if listens => match line {
                Some(line) if plain.at_work => plain.told(&line),
                Some(line) if line.trim() == REVIEW => {
                    plain.review = !plain.review;
                    None
                }
                Some(line) if !line.trim().is_empty() => {
                    plain.at_work = true;
                    plain.failed = None;
                    Some(Command::Ask { question: line.trim().to_owned(), review: plain.review })
                }
                // Whoever steers is gone; the run is not.
                None if plain.at_work => {
                    if let Some(command) = plain.alone() {
                        perform(command);
                    }
                    plain.wait(&mut heard, interrupts, &mut perform).await?;
                    break;
                }
                _ => break,
            },
        };
        if let Some(command) = command {
            perform(command);
        }
    }
    plain.failed.map_or(Ok(()), Err)
}

impl<'a> Plain<'a> {
    fn new(terminal: &'a Terminal, somebody: bool, review: bool) -> Self {
        Self {
            terminal,
            shown: None,
            asked: None,
            draft: None,
            at_work: false,
            driven: false,
            somebody,
            review,
            doing: "starting".to_owned(),
            failed: None,
        }
    }

    /// What is said when a question may be asked.
    fn prompt(&self) -> String {
        let plans = if self.review {
            "its plan is shown before anything is searched, :review ends that"
        } else {
            ":review has its plan shown before anything is searched"
        };
        format!("ask a question (an empty line leaves; {plans}):")
    }

    /// Whoever could answer is gone: what waits for an answer goes on without one.
    fn alone(&mut self) -> Option<Command> {
        self.somebody = false;
        if self.asked.take().is_some() {
            return Some(Command::Control(Control::SkipClarification));
        }
        self.awaits_review().then_some(Command::Control(Control::Resume))
    }

    /// Whether the run that is driven waits until its plan was looked at.
    fn awaits_review(&self) -> bool {
        self.driven && self.shown.as_ref().is_some_and(Projection::awaits_review)
    }

    /// Follows to the end without listening any more.
    async fn wait(
        &mut self,
        heard: &mut UnboundedReceiver<Message>,
        interrupts: &mut Interrupts,
        perform: &mut impl FnMut(Command),
    ) -> Result<()> {
        while self.at_work {
            tokio::select! {
                biased;
                () = interrupts.wait() => break,
                message = heard.recv() => match message {
                    Some(message) => self.hear(message)?.into_iter().for_each(&mut *perform),
                    None => break,
                },
                () = tokio::time::sleep(SILENCE) => self.still(),
            }
        }
        Ok(())
    }

    /// What is waited for, after a silence.
    fn still(&self) {
        if self.asked.is_none() && !self.awaits_review() {
            self.terminal.say(&format!("still at it: {}", self.doing));
        }
    }

    fn hear(&mut self, message: Message) -> Result<Option<Command>> {
        match message {
            Message::Told(Told::Status(text)) => self.doing = text,
            Message::Told(Told::Line(text)) => self.terminal.say(&text),
            Message::Told(Told::Warning(text)) => self.terminal.warn(&text),
            Message::Began(run) => {
                self.terminal.say(&format!("run {run}. {HELP}"));
                self.shown = Some(Projection::new(run));
                self.driven = true;
                self.draft = None;
            }
            Message::Event(event) => return self.event(&event),
            Message::Opened { summary, events } => {
                self.driven = false;
                self.shown = Some(Projection::new(summary.run_id.clone()));
                for event in &events {
                    self.event(event)?;
                }
                self.asked = None;
                self.answer()?;
                self.terminal.say(&format!("run {} is {}", summary.run_id, summary.status));
                self.at_work = false;
            }
            Message::Ended(ended) => {
                self.at_work = false;
                self.driven = false;
                self.asked = None;
                if self.draft.take().is_some() {
                    self.terminal.say("your changes of the plan came too late");
                }
                match ended {
                    Ok(text) => {
                        self.answer()?;
                        self.terminal.say(&text);
                    }
                    Err(error) => self.fail(error),
                }
            }
            Message::Failed(error) => {
                self.at_work = false;
                self.fail(error);
            }
            _ => {}
        }
        Ok(None)
    }

    fn fail(&mut self, error: CliError) {
        self.terminal.warn(&format!("{}; {}", error.message(), error.hint));
        self.failed = Some(error);
    }

    fn answer(&self) -> Result<()> {
        match self.shown.as_ref().and_then(|shown| shown.answer.as_ref()) {
            Some(answer) => self.terminal.print(&format!("\n{}", to_markdown(answer))),
            None => Ok(()),
        }
    }

    fn event(&mut self, event: &Envelope) -> Result<Option<Command>> {
        let waited = self.awaits_review();
        let Some(shown) = &mut self.shown else { return Ok(None) };
        shown.apply(event);
        if let Some(said) = self.draft.as_mut().and_then(|draft| draft.renew(shown)) {
            self.terminal.say(&said);
        }
        if let Some(step) = shown.step(event.seq) {
            self.doing.clone_from(&step.text);
            self.terminal.print_line(&step_line(step))?;
        }
        match &event.event {
            TraceEvent::ClarificationRequested { questions } => {
                if !self.somebody {
                    return Ok(Some(Command::Control(Control::SkipClarification)));
                }
                let asked = Asked::new(questions.clone());
                self.terminal.say(
                    "it asks back (a number or words of your own; Enter skips one, s the rest):",
                );
                show(self.terminal, &asked);
                self.asked = Some(asked);
            }
            TraceEvent::ControlReceived(
                Control::Clarified { .. }
                | Control::SkipClarification
                | Control::Interrupt
                | Control::FinishNow,
            ) => self.asked = None,
            _ => {}
        }
        Ok(if self.awaits_review() && !waited { self.reviewed() } else { None })
    }

    /// Shows the plan that the run waits with; where nobody can look at it, lets the run go on.
    fn reviewed(&mut self) -> Option<Command> {
        if !self.somebody {
            self.terminal.say("nobody can look at the plan: the run goes on with it");
            return Some(Command::Control(Control::Resume));
        }
        self.terminal.say("the run waits for you to look at its plan; nothing was searched yet:");
        let draft = self.draft.take().or_else(|| self.shown.as_ref().map(Draft::of))?;
        self.say_plan(&draft);
        self.terminal.say(&format!("send lets it go on; {}", worded::HELP));
        self.draft = Some(draft).filter(Draft::is_changed);
        None
    }

    fn say_plan(&self, draft: &Draft) {
        for line in draft.said() {
            self.terminal.say(&line);
        }
    }

    /// What a line about the plan means.
    fn planned(&mut self, edit: std::result::Result<Edit<'_>, &'static str>) -> Option<Command> {
        let Some(run) = self.shown.as_ref().filter(|_| self.driven) else {
            self.terminal.say("no run is under way here whose plan could be changed");
            return None;
        };
        let mut draft = self.draft.take().unwrap_or_else(|| Draft::of(run));
        match edit {
            Ok(Edit::Discard) => {
                let waits = run.awaits_review();
                self.terminal.say(if waits {
                    "the run still waits with its plan as it is: send lets it go on"
                } else {
                    "the plan stays as it is"
                });
                return None;
            }
            Ok(Edit::Send) => match draft.sent(run) {
                Ok((control, said)) => {
                    self.terminal.say(said);
                    return control.map(Command::Control);
                }
                Err(why) => self.terminal.say(&why),
            },
            Ok(edit) => match draft.obey(edit) {
                Ok(said) => {
                    for line in &said {
                        self.terminal.say(line);
                    }
                }
                Err(why) => self.terminal.say(&why),
            },
            Err(how) => self.terminal.say(how),
        }
        self.draft = Some(draft).filter(Draft::is_changed);
        None
    }

    /// What a line means while a run is under way.
    fn told(&mut self, line: &str) -> Option<Command> {
        if let Some(asked) = &mut self.asked {
            match asked.take(Some(line)) {
                Taken::Again(why) => self.terminal.say(&why),
                Taken::Next => show(self.terminal, asked),
                Taken::Done(control) => {
                    self.asked = None;
                    return Some(Command::Control(control));
                }
            }
            return None;
        }
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        if let Some(edit) = worded::meant(word, rest.trim()) {
            return self.planned(edit);
        }
        let rest = rest.trim().to_owned();
        let control = match word {
            "interrupt" | "i" => Control::Interrupt,
            "finish" | "f" => Control::FinishNow,
            "pause" | "p" => Control::Pause,
            "resume" => Control::Resume,
            "redirect" | "r" if !rest.is_empty() => {
                Control::Redirect { focus: Some(rest), exclude: Vec::new(), only: Vec::new() }
            }
            "limits" | "b" => match self.shown.as_ref().map(|shown| limits::meant(&rest, shown))? {
                Ok(limits) => Control::SetBudget(limits),
                Err(why) => {
                    self.terminal.say(&why);
                    return None;
                }
            },
            "look" | "d" if !rest.is_empty() => {
                let sources = typed::source(&rest);
                if let Some(why) = self.shown.as_ref()?.refuses_sources(&sources) {
                    self.terminal.say(&format!("{why}: {}", why.way_out()));
                    return None;
                }
                Control::AddSources(sources)
            }
            "drop" if !rest.is_empty() => {
                let (id, reason) = rest.split_once(' ').unwrap_or((rest.as_str(), ""));
                Control::DropHypothesis { id: id.into(), reason: reason.trim().to_owned() }
            }
            "challenge" | "c" => {
                let (number, text) = rest.split_once(' ')?;
                Control::Challenge { event_id: number.parse().ok()?, text: text.trim().to_owned() }
            }
            _ => {
                self.terminal.say(HELP);
                return None;
            }
        };
        Some(Command::Control(control))
    }
}

/// Why nothing is drawn, where somebody might expect it.
pub(crate) fn because(asked: bool, color: Color) -> Option<&'static str> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    if asked {
        Some("--plain")
    } else if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        Some("standard input or output is no terminal")
    } else if dumb {
        Some("the terminal cannot be drawn on (TERM)")
    } else if set("NO_COLOR") && color == Color::Auto {
        Some("NO_COLOR is set; `--color never` draws without colours")
    } else {
        None
    }
}

/// An error of the terminal itself.
pub(crate) fn unusable(error: &std::io::Error) -> CliError {
    CliError::new(
        Kind::Failure,
        "could not draw on the terminal",
        error.to_string(),
        "`elenchus tui --plain` works without drawing",
    )
}
