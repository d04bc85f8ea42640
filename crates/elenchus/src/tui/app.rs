//! What is on the screen and what may be done there: a state, changed by messages only.

use super::input::Input;
use super::plan::Draft;
use super::tree::Key;
use crate::error::CliError;
use crate::ui::dialogue::Asked;
use crate::ui::terminal::Told;
use elenchus_core::id::{HypothesisId, RunId, StrategyId};
use elenchus_core::inquiry::{Control, NewLimits};
use elenchus_core::port::{Held, Matter, Remark, RunSummary, Stats};
use elenchus_core::trace::{Envelope, Projection};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use std::collections::BTreeSet;

/// A page of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    Trace,
    Gaps,
    Beliefs,
    Claims,
    Sources,
    Answer,
    Insights,
    Lenses,
    Critique,
    Memory,
    Runs,
}

impl Tab {
    pub(super) const ALL: [Self; 11] = [
        Self::Trace,
        Self::Gaps,
        Self::Beliefs,
        Self::Claims,
        Self::Sources,
        Self::Answer,
        Self::Insights,
        Self::Lenses,
        Self::Critique,
        Self::Memory,
        Self::Runs,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Trace => "Trace",
            Self::Gaps => "Gaps",
            Self::Beliefs => "Beliefs",
            Self::Claims => "Claims",
            Self::Sources => "Sources",
            Self::Answer => "Answer",
            Self::Insights => "Insights",
            Self::Lenses => "Lenses",
            Self::Critique => "Critique",
            Self::Memory => "Memory",
            Self::Runs => "Runs",
        }
    }

    /// The key that goes there.
    pub(super) fn key(self) -> char {
        match self {
            Self::Trace => '1',
            Self::Gaps => '2',
            Self::Beliefs => '3',
            Self::Claims => '4',
            Self::Sources => '5',
            Self::Answer => '6',
            Self::Insights => '7',
            Self::Lenses => 'L',
            Self::Critique => 'C',
            Self::Memory => '8',
            Self::Runs => '9',
        }
    }

    pub(super) fn position(self) -> usize {
        Self::ALL.iter().position(|tab| *tab == self).unwrap_or(0)
    }

    /// Whether it shows a run; the others show what the store keeps.
    pub(super) fn is_of_run(self) -> bool {
        !matches!(self, Self::Memory | Self::Runs)
    }
}

/// What the line that is typed is for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Purpose {
    Ask,
    Search,
    Redirect,
    /// Other limits for the run.
    Limits,
    /// A source that it is to look into first.
    Source,
    /// Doubt the step of this event.
    Challenge(u64),
    /// Answer what the run asks back.
    Answer,
    /// Write something along with what is said of a statement or an insight.
    Note {
        about: Matter,
        target: String,
    },
    /// Put a question into the plan.
    Plan,
    /// Word a question of the plan anew, which stands in it so.
    Reword(String),
}

/// What lies over everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlay {
    Help { scroll: usize },
    Leave,
}

/// Where one is on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The selected row.
    pub(super) row: usize,
    /// The first line of the details that is shown.
    pub(super) scroll: usize,
    /// Whether the details have the whole page.
    pub(super) full: bool,
    /// The row that is shown first, where the mouse has put it; otherwise the selected one decides.
    pub(super) top: Option<usize>,
}

/// What happens.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Paste(String),
    Resize(u16, u16),
    /// Milliseconds since the Unix epoch.
    Tick(i64),
    Told(Told),
    /// The workers of a Restate server have a run, which is followed from here once one of them has begun it.
    HandedOver(RunId),
    /// A run is driven or followed here from now on.
    Began(RunId),
    Event(Box<Envelope>),
    /// What was driven is not any more: with what to say, or why.
    Ended(Result<String, CliError>),
    /// A run of the store.
    Opened {
        summary: Box<RunSummary>,
        events: Vec<Envelope>,
    },
    Runs(Vec<RunSummary>),
    Memories(Vec<Held>, Stats),
    /// All that holds of what people say of a run.
    Remarks(RunId, Vec<Remark>),
    /// How the confidence of a memory came about.
    Why(StrategyId, String),
    /// Something else than a run could not be done.
    Failed(CliError),
    /// The system asks the program to end.
    Stop,
}

/// A word on a statement or an insight of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) run: RunId,
    pub(crate) about: Matter,
    /// Its id.
    pub(crate) target: String,
    /// The word; `None` takes back what was said.
    pub(crate) said: Option<String>,
    /// What is said along with it; may be empty.
    pub(crate) note: String,
}

/// What the state wants done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    Ask {
        question: String,
        /// Whether its plan is shown before anything is searched.
        review: bool,
    },
    Control(Control),
    Open(RunId),
    Resume(RunId),
    /// Go on past the limit that ended a run, in another one.
    More {
        run: RunId,
        limits: NewLimits,
    },
    /// Look into a doubt about a step of a run that is over.
    Doubt {
        run: RunId,
        event: u64,
        text: String,
    },
    /// Hold an explanation of a run that is over against the evidence again, in another run.
    Test {
        run: RunId,
        hypothesis: HypothesisId,
        claim: String,
    },
    ListRuns,
    ListMemories,
    /// What people say of a run.
    ListRemarks(RunId),
    Judge(Judgement),
    Archive(StrategyId),
    Restore(StrategyId),
    Why(StrategyId),
    Leave,
}

/// A line at the foot of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) text: String,
    pub(super) is_bad: bool,
}

/// The whole state.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(super) size: (u16, u16),
    pub(super) colour: bool,
    /// Whether the mouse is listened to.
    mouse: bool,
    /// Whether the plan of the next question is shown before anything is searched.
    pub(super) review: bool,
    /// Where questions are asked, for people.
    pub(super) ground: String,
    pub(super) tab: Tab,
    pub(super) run: Option<Projection>,
    /// How the store calls it, where it came from there.
    pub(super) stored: Option<RunSummary>,
    /// Whether this process drives the run.
    pub(super) driven: bool,
    /// The run that workers drive and that is followed here, or waited for.
    pub(super) theirs: Option<RunId>,
    /// Something is being got ready, in words.
    pub(super) busy: Option<String>,
    pub(super) typing: Option<(Purpose, Input)>,
    /// The plan of the run while it is changed.
    pub(super) plan: Option<Draft>,
    pub(super) asked: Option<Asked>,
    pub(super) overlay: Option<Overlay>,
    pub(super) note: Note,
    pub(super) now: i64,
    pub(super) places: [Place; Tab::ALL.len()],
    /// The selected row of the trace, which others move.
    pub(super) step: Option<Key>,
    /// Whether the last row of the trace is the selected one, whatever comes.
    pub(super) follows: bool,
    pub(super) folded: BTreeSet<Key>,
    /// Words that are looked for in the trace.
    pub(super) search: Vec<String>,
    pub(super) runs: Option<Vec<RunSummary>>,
    pub(super) memories: Option<(Vec<Held>, Stats)>,
    /// What people say of the run that is shown; `None` where nobody has looked yet.
    pub(super) remarks: Option<Vec<Remark>>,
    pub(super) why: Option<(StrategyId, String)>,
    /// Questions that were asked here, the latest last.
    pub(super) history: Vec<String>,
    /// Where in them one is while a question is typed.
    pub(super) recalled: usize,
}

impl App {
    pub(crate) fn new(size: (u16, u16), colour: bool, ground: String, now: i64) -> Self {
        Self {
            size,
            colour,
            mouse: false,
            review: false,
            ground,
            tab: Tab::Trace,
            run: None,
            stored: None,
            driven: false,
            theirs: None,
            busy: None,
            typing: Some((Purpose::Ask, Input::default())),
            plan: None,
            asked: None,
            overlay: None,
            note: Note::default(),
            now,
            places: [Place::default(); Tab::ALL.len()],
            step: None,
            follows: true,
            folded: BTreeSet::new(),
            search: Vec::new(),
            runs: None,
            memories: None,
            remarks: None,
            why: None,
            history: Vec::new(),
            recalled: 0,
        }
    }

    /// With the mouse listened to or not, and with plans shown before anything is searched or not.
    pub(crate) fn with(self, mouse: bool, review: bool) -> Self {
        Self { mouse, review, ..self }
    }

    /// Whether the mouse is listened to.
    pub(super) fn hears_mouse(&self) -> bool {
        self.mouse
    }

    pub(super) fn place(&self) -> Place {
        self.places[self.tab.position()]
    }

    pub(super) fn place_mut(&mut self) -> &mut Place {
        &mut self.places[self.tab.position()]
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.note = Note { text: text.into(), is_bad: false };
    }

    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.note = Note { text: text.into(), is_bad: true };
    }

    pub(super) fn fail(&mut self, error: &CliError) {
        let hint = if error.hint.is_empty() { String::new() } else { format!("; {}", error.hint) };
        self.complain(format!("{}{hint}", error.message()));
    }

    /// Columns and lines of the screen.
    pub(crate) fn size(&self) -> (u16, u16) {
        self.size
    }

    /// A question that is asked, or a run that is opened, from the command line.
    pub(crate) fn begin(&mut self, command: &Command) {
        self.typing = None;
        self.busy = Some(match command {
            Command::Open(run) => format!("opening {run}"),
            _ => "starting".to_owned(),
        });
        if let Command::Ask { question, .. } = command {
            self.history.push(question.clone());
            self.recalled = 1;
        }
    }

    /// Whether a run is driven here that is not over.
    pub(super) fn is_at_work(&self) -> bool {
        self.driven || self.busy.is_some()
    }

    /// How the run stands, for people: of one that is not driven here the store knows better.
    pub(super) fn status(&self) -> &str {
        match (&self.run, &self.stored) {
            (Some(run), Some(stored)) if !self.driven && !run.is_over() => stored.status.as_str(),
            (Some(run), _) => run.status.name(),
            _ => "",
        }
    }
}
