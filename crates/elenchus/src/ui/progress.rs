//! What the program is doing, while it does it.

use super::terminal::Terminal;
use elenchus_core::belief::HypothesisStatus;
use elenchus_core::evidence::Source;
use elenchus_core::inquiry::Limit;
use elenchus_core::port::{PageOutcome, SkippedFile, WebReport};
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Envelope, Projection, TraceEvent, said};
use elenchus_engine::{Away, Live};
use elenchus_io::ingest::LeftOut;
use elenchus_io::model::language::FROM_CACHE;
use elenchus_io::retrieve::{FileSecrets, IngestReport, Progress};
use std::path::Path;
use std::time::{Duration, Instant};

/// Between two rewritings of the status line.
const REDRAW: Duration = Duration::from_millis(80);
/// Without a status line, the longest silence.
const SILENCE: Duration = Duration::from_secs(5);
/// Skipped files that are named; the rest are counted.
const NAMED: usize = 5;

/// Reading the documents.
pub(crate) struct Reading {
    terminal: Terminal,
    drawn: Instant,
}

impl Reading {
    pub(crate) fn new(terminal: Terminal) -> Self {
        let now = Instant::now();
        // The first rewriting comes at once, the first plain line only when it takes long.
        let drawn = if terminal.lively { now.checked_sub(REDRAW).unwrap_or(now) } else { now };
        Self { terminal, drawn }
    }

    pub(crate) fn step(&mut self, step: Progress<'_>) {
        let line = match step {
            Progress::Reading { path, done, total } => {
                format!("reading documents {}/{total}: {path}", done + 1)
            }
            Progress::Embedding { done, total } => format!("embedding passages {done}/{total}"),
        };
        let pause = if self.terminal.lively { REDRAW } else { SILENCE };
        if self.drawn.elapsed() < pause {
            return;
        }
        self.drawn = Instant::now();
        if self.terminal.lively {
            self.terminal.status(&line);
        } else {
            self.terminal.say(&squeeze(&line));
        }
    }
}

/// What reading the documents brought, in short.
pub(crate) fn read(terminal: &Terminal, report: &IngestReport) {
    let changes = [(report.added, "new"), (report.changed, "changed"), (report.removed, "removed")];
    let changed: Vec<String> = changes
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !changed.is_empty() {
        terminal.say(&format!(
            "documents: {} ({})",
            changed.join(", "),
            crate::time::lasted(report.millis)
        ));
    }
    files(terminal, "skipped", &report.skipped);
    files(terminal, "read with losses", &report.notes);
    for line in told_of_secrets(&report.secrets, NAMED) {
        terminal.say(&line);
    }
}

/// What is told of secrets that were left out: how many in all, and how many of which kinds in each of the first files.
pub(crate) fn told_of_secrets(files: &[FileSecrets], most: usize) -> Vec<String> {
    if files.is_empty() {
        return Vec::new();
    }
    let all: usize = files.iter().map(|file| file.left_out.count).sum();
    let mut told = vec![format!(
        "left out: {} in {}, which no search, answer or prompt has; --keep-secrets keeps them",
        counted(all, "secret"),
        counted(files.len(), "file")
    )];
    told.extend(files.iter().take(most).map(|file| {
        let LeftOut { count, kinds } = &file.left_out;
        format!(
            "left out: {}: {} ({})",
            squeeze(&file.path),
            counted(*count, "secret"),
            kinds.join(", ")
        )
    }));
    if files.len() > most {
        let rest = counted(files.len() - most, "more file");
        told.push(format!("left out: secrets of {rest}; `elenchus ingest DIR` lists all of them"));
    }
    told
}

fn files(terminal: &Terminal, what: &str, files: &[SkippedFile]) {
    for file in files.iter().take(NAMED) {
        for line in told_of(what, file) {
            terminal.say(&line);
        }
    }
    if files.len() > NAMED {
        let rest = files.len() - NAMED;
        terminal.say(&format!("{what}: {rest} more; `elenchus ingest DIR` lists all of them"));
    }
}

/// What is told of a file, each thing in a line of its own.
pub(crate) fn told_of(what: &str, file: &SkippedFile) -> Vec<String> {
    let path = squeeze(&file.path);
    file.reason.lines().map(|reason| format!("{what}: {path}: {}", squeeze(reason))).collect()
}

/// Warns of a folder in which nothing can be read: whatever is asked of it stays open.
pub(crate) fn warn_of_nothing(terminal: &Terminal, documents: u32, root: &Path) {
    if documents == 0 {
        terminal.warn(&format!(
            "{} holds no document that can be read; Markdown, text, HTML, PDF, DOCX, CSV, TSV, JSONL, EML and MBOX files are",
            root.display()
        ));
    }
}

/// Warns of parts of paths that leave nothing out: they are probably misspelt.
pub(crate) fn warn_of_exclusions(terminal: &Terminal, exclude: &[String], sources: &[Source]) {
    for part in exclude {
        let wanted = part.to_lowercase();
        if !sources.iter().any(|source| source.path.to_lowercase().contains(&wanted)) {
            terminal.warn(&format!("no document has {part:?} in its path: it leaves nothing out"));
        }
    }
}

/// A run under way.
pub(crate) struct Running {
    terminal: Terminal,
    started: Instant,
    drawn: Instant,
    /// The latest of what is being done.
    doing: String,
    live: Option<Live>,
    max_rounds: u8,
    shown: Option<Projection>,
}

impl Running {
    pub(crate) fn new(terminal: Terminal, max_rounds: u8) -> Self {
        let now = Instant::now();
        Self {
            terminal,
            started: now,
            drawn: now,
            doing: "starting".to_owned(),
            live: None,
            max_rounds,
            shown: None,
        }
    }

    /// An event that happened before: the names matter, and what was being done last.
    pub(crate) fn recall(&mut self, event: &Envelope) {
        if let TraceEvent::ReasoningAction(action) = &event.event {
            self.doing = squeeze(&action.action);
        }
        self.apply(event);
    }

    fn apply(&mut self, event: &Envelope) {
        if let TraceEvent::BudgetChanged { changes, budget, .. } = &event.event
            && changes.iter().any(|one| one.limit == Limit::Rounds)
        {
            self.max_rounds = budget.rounds;
        }
        self.shown.get_or_insert_with(|| Projection::new(event.run_id.clone())).apply(event);
    }

    /// An event happened.
    pub(crate) fn event(&mut self, event: &Envelope) {
        self.apply(event);
        let shown = self.shown.as_ref();
        if let Some(line) = shown.and_then(|shown| line(&event.event, shown)) {
            let stays = !self.terminal.lively || matches!(line, Line::Stays(_));
            let (Line::Stays(text) | Line::Passes(text)) = line;
            if stays {
                self.drawn = Instant::now();
                self.terminal.say(&text);
            }
            if self.terminal.lively {
                self.doing = text;
                self.draw();
            }
        } else if let TraceEvent::ReasoningAction(action) = &event.event {
            self.doing = squeeze(&action.action);
            self.draw();
        }
    }

    /// How the run stands has changed.
    pub(crate) fn live(&mut self, live: Live) {
        let was_away = self.live.as_ref().is_some_and(|before| before.away.is_some());
        match &live.away {
            Some(away) if !was_away => {
                self.drawn = Instant::now();
                self.terminal.say(&said_away(away));
            }
            None if was_away => {
                self.drawn = Instant::now();
                self.terminal.say("the store is back, and nothing is lost");
            }
            _ => {}
        }
        self.live = Some(live);
        self.draw();
    }

    /// What is being done, or what keeps it from being done.
    fn doing(&self) -> String {
        match self.live.as_ref().and_then(|live| live.away.as_ref()) {
            Some(away) => {
                format!("the store is away since {}", crate::time::shown(away.since.0))
            }
            None => self.doing.clone(),
        }
    }

    /// Time has passed.
    pub(crate) fn tick(&mut self) {
        if self.terminal.lively {
            self.draw();
        } else if self.drawn.elapsed() >= SILENCE {
            self.drawn = Instant::now();
            self.terminal.say(&format!(
                "still at it after {} s: {}",
                self.started.elapsed().as_secs(),
                self.doing()
            ));
        }
    }

    fn draw(&self) {
        let mut parts = Vec::new();
        if let Some(live) = &self.live {
            let progress = &live.progress;
            if progress.round > 0 {
                parts.push(format!("round {}/{}", progress.round, self.max_rounds));
            }
            if progress.questions > 0 {
                parts.push(format!("{}/{} answered", progress.answered, progress.questions));
            }
            if progress.open_gaps > 0 {
                parts.push(counted(progress.open_gaps, "open gap"));
            }
            if progress.passages > 0 {
                parts.push(counted(progress.passages, "passage"));
            }
            // A model that streams is seen to be at it.
            let written: usize = live.in_flight.iter().map(|one| one.writing.characters).sum();
            if written > 0 {
                parts.push(format!("{} written", counted(written, "character")));
            }
        }
        let seconds = self.started.elapsed().as_secs();
        if seconds > 1 {
            parts.push(format!("{seconds} s"));
        }
        let state =
            if parts.is_empty() { String::new() } else { format!("[{}] ", parts.join(", ")) };
        self.terminal.status(&format!("{state}{}", self.doing()));
    }
}

/// A store that is away, told once.
fn said_away(away: &Away) -> String {
    let cause = away.cause.split("; ").next().unwrap_or_default();
    squeeze(&format!(
        "the store is away since {} ({cause}); it is tried again, and the run goes on when it is back",
        crate::time::shown(away.since.0)
    ))
}

/// `3 passages`, `1 passage`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// A line about an event.
pub(crate) enum Line {
    /// Worth keeping on the screen.
    Stays(String),
    /// Of interest while it happens.
    Passes(String),
}

/// Whether anything failed in a search of the web, or a page hid something.
fn is_troubled(report: &WebReport) -> bool {
    report.asked.iter().any(|asked| asked.error.is_some())
        || report.pages.iter().any(|page| match &page.outcome {
            PageOutcome::Refused { .. } => true,
            PageOutcome::Read { hidden, .. } => *hidden > 0,
            PageOutcome::Kept { .. } => false,
        })
}

/// What an event means to somebody who watches, in the words of every surface. `shown` is the run up to and with the event.
pub(crate) fn line(event: &TraceEvent, shown: &Projection) -> Option<Line> {
    let stays = match event {
        TraceEvent::HypothesesGenerated { .. }
        | TraceEvent::RuleOfTwo(_)
        | TraceEvent::QueryWithheld(_)
        | TraceEvent::GapOpened { .. }
        | TraceEvent::GapResolved { .. }
        | TraceEvent::GapAbandoned { .. }
        | TraceEvent::GapReopened { .. }
        | TraceEvent::ContradictionFound { .. }
        | TraceEvent::CritiqueCompleted { .. }
        | TraceEvent::RevisionCompleted { .. }
        | TraceEvent::InsightDetected { .. }
        | TraceEvent::FallacyDetected { .. }
        | TraceEvent::PerspectivesCompared { .. }
        | TraceEvent::SessionFailed { .. } => true,
        // What settles one is worth keeping.
        TraceEvent::HypothesisUpdated { status, .. } => *status != HypothesisStatus::Active,
        TraceEvent::WebSearched { report, .. } => is_troubled(report),
        TraceEvent::ReplyRepaired { repairs, .. } if repairs.as_slice() == [FROM_CACHE] => {
            return Some(Line::Passes(FROM_CACHE.to_owned()));
        }
        TraceEvent::ReplyRepaired { .. } => true,
        // What could not be had, and what is done instead: a run that ends well hides it otherwise.
        TraceEvent::ReasoningObservation(seen) if seen.result.starts_with("failed: ") => {
            let told = format!("{}; {}", seen.result, seen.analysis);
            return Some(Line::Stays(squeeze(&told)));
        }
        TraceEvent::PerspectiveCompleted { failed, .. } => failed.is_some(),
        // Of what was spent only this is news: where things are sent from here on.
        TraceEvent::BudgetChanged { .. } => true,
        TraceEvent::BudgetUpdated { elsewhere, .. } if !elsewhere.is_empty() => true,
        TraceEvent::PlanningCompleted { .. }
        | TraceEvent::RoundStarted { .. }
        | TraceEvent::SourceAdded(_) => false,
        _ => return None,
    };
    let text = said(event, shown);
    Some(if stays { Line::Stays(text) } else { Line::Passes(text) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::id::Timestamp;

    #[test]
    fn whoever_goes_on_with_a_run_is_told_what_was_being_done() {
        let event = serde_json::json!({
            "schema": 1, "run_id": "run_1", "seq": 1, "at": 0, "type": "reasoning_action",
            "data": {
                "id": 8, "action": "reflect on what was read", "tool": "model",
                "parameters": {}, "reasoning": "24 passages were read",
            },
        });
        let event: Envelope = serde_json::from_value(event).expect("an event as it is kept");
        let mut running = Running::new(Terminal::silent(), 5);
        assert_eq!(running.doing, "starting");
        running.recall(&event);
        assert_eq!(running.doing, "reflect on what was read");
    }

    #[test]
    fn a_store_that_is_away_stands_in_the_place_of_what_is_done() {
        let mut running = Running::new(Terminal::silent(), 5);
        let away = Away {
            since: Timestamp(1_777_900_181_999),
            cause: "connection refused; check that the server runs".to_owned(),
        };
        let told = said_away(&away);
        assert!(told.contains("since 2026-05-04 13:09:41 UTC (connection refused);"), "{told}");
        let progress = elenchus_core::trace::Progress {
            phase: elenchus_core::inquiry::Phase::Plan,
            round: 0,
            questions: 0,
            answered: 0,
            open_gaps: 0,
            passages: 0,
            sources: 0,
        };
        let mut live = Live { progress, in_flight: Vec::new(), paused: false, away: Some(away) };
        running.live(live.clone());
        assert_eq!(running.doing(), "the store is away since 2026-05-04 13:09:41 UTC");
        live.away = None;
        running.live(live);
        assert_eq!(running.doing(), "starting");
    }
}
