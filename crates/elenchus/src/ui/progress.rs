//! What the program is doing, while it does it.

use super::terminal::Terminal;
use elenchus_core::belief::HypothesisStatus;
use elenchus_core::port::{PageOutcome, SkippedFile, WebReport};
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Envelope, TraceEvent};
use elenchus_engine::Live;
use elenchus_io::model::language::FROM_CACHE;
use elenchus_io::retrieve::{IngestReport, Progress};
use std::collections::BTreeMap;
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
}

fn files(terminal: &Terminal, what: &str, files: &[SkippedFile]) {
    for file in files.iter().take(NAMED) {
        terminal.say(&format!("{what}: {}: {}", squeeze(&file.path), squeeze(&file.reason)));
    }
    if files.len() > NAMED {
        let rest = files.len() - NAMED;
        terminal.say(&format!("{what}: {rest} more; `elenchus ingest` lists all of them"));
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
    gaps: BTreeMap<String, String>,
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
            gaps: BTreeMap::new(),
        }
    }

    /// An event that happened before, of which only the names matter.
    pub(crate) fn recall(&mut self, event: &Envelope) {
        if let TraceEvent::GapOpened { gap_id, description, .. } = &event.event {
            self.gaps.insert(gap_id.to_string(), squeeze(description));
        }
    }

    /// An event happened.
    pub(crate) fn event(&mut self, event: &Envelope) {
        self.recall(event);
        if let Some(line) = line(&event.event, &self.gaps) {
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
        self.live = Some(live);
        self.draw();
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
                self.doing
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
        }
        let seconds = self.started.elapsed().as_secs();
        if seconds > 1 {
            parts.push(format!("{seconds} s"));
        }
        let state =
            if parts.is_empty() { String::new() } else { format!("[{}] ", parts.join(", ")) };
        self.terminal.status(&format!("{state}{}", self.doing));
    }
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

/// What a search did on the web: what failed stays on the screen.
fn web_searched(query: &str, report: &WebReport) -> Line {
    let mut read = 0;
    let mut troubles: Vec<String> =
        report.asked.iter().filter_map(|asked| Some(squeeze(asked.error.as_deref()?))).collect();
    for page in &report.pages {
        match &page.outcome {
            PageOutcome::Refused { reason } => troubles.push(squeeze(reason)),
            PageOutcome::Read { hidden, .. } if *hidden > 0 => {
                read += 1;
                troubles.push(format!("{} hides text from its readers", squeeze(&page.url)));
            }
            PageOutcome::Read { .. } | PageOutcome::Kept { .. } => read += 1,
        }
    }
    let results: u32 = report.asked.iter().map(|asked| asked.results).sum();
    let told = format!(
        "web: {}: {}, {} read",
        squeeze(query),
        counted(results as usize, "result"),
        counted(read, "page")
    );
    if troubles.is_empty() {
        return Line::Passes(told);
    }
    let more = troubles.len().saturating_sub(2);
    troubles.truncate(2);
    let more = if more > 0 { format!("; {more} more") } else { String::new() };
    Line::Stays(format!("{told}; {}{more}", troubles.join("; ")))
}

/// What an event means to somebody who watches. `gaps` are the descriptions of those opened so far.
pub(crate) fn line(event: &TraceEvent, gaps: &BTreeMap<String, String>) -> Option<Line> {
    let gap = |id: &str| {
        gaps.get(id).map_or_else(|| id.to_owned(), |about| format!("{id} \u{201C}{about}\u{201D}"))
    };
    let text = match event {
        TraceEvent::PlanningCompleted { questions, .. } => {
            return Some(Line::Passes(format!(
                "plan: {} to answer",
                counted(questions.len(), "question")
            )));
        }
        TraceEvent::HypothesesGenerated { hypotheses } => {
            let claims: Vec<String> = hypotheses
                .iter()
                .map(|one| format!("{} \u{201C}{}\u{201D}", one.id, squeeze(&one.claim)))
                .collect();
            format!("explanations to test: {}", claims.join("; "))
        }
        TraceEvent::HypothesisUpdated { test, status } => {
            let line = format!(
                "explanation {}: {:.2} to {:.2}, {}",
                test.hypothesis_id,
                test.before,
                test.after,
                status.name()
            );
            // What settles one is worth keeping.
            if *status == HypothesisStatus::Active {
                return Some(Line::Passes(line));
            }
            line
        }
        TraceEvent::RoundStarted { round, queries, .. } => {
            let queries: Vec<String> = queries.iter().map(|query| squeeze(query)).collect();
            return Some(Line::Passes(format!(
                "round {round}: searching for {}",
                queries.join(" | ")
            )));
        }
        TraceEvent::RuleOfTwo(rule) => {
            let private = if rule.private.is_empty() {
                "nothing private in context".to_owned()
            } else {
                format!("private in context: {}", squeeze(&rule.private.join(" and ")))
            };
            format!(
                "pages of strangers are read; {private}; what leaves: {}",
                rule.outward.sentence()
            )
        }
        TraceEvent::QueryWithheld(withheld) => {
            format!("not sent: {}: {}", squeeze(&withheld.query), squeeze(&withheld.reason))
        }
        TraceEvent::WebSearched { query, report } => return Some(web_searched(query, report)),
        TraceEvent::SourceAdded(source) => {
            return Some(Line::Passes(format!("reading {}", squeeze(&source.path))));
        }
        TraceEvent::GapOpened { gap_id, .. } => format!("gap opened: {}", gap(gap_id.as_str())),
        TraceEvent::GapResolved { gap_id, because } => {
            format!("gap closed: {}: {}", gap(gap_id.as_str()), squeeze(because))
        }
        TraceEvent::GapAbandoned { gap_id, because, attempts, .. } => format!(
            "gap given up after {}: {}: {}",
            counted(usize::from(*attempts), "round"),
            gap(gap_id.as_str()),
            squeeze(because)
        ),
        TraceEvent::GapReopened { gap_id, because } => {
            format!("gap opened again: {}: {}", gap(gap_id.as_str()), squeeze(because))
        }
        TraceEvent::ContradictionFound { summary, .. } => {
            format!("the sources disagree: {}", squeeze(summary))
        }
        TraceEvent::CritiqueCompleted { critique } => {
            let grade = critique
                .grade
                .map_or_else(String::new, |grade| format!(" (grade {})", grade.name()));
            format!("criticised: {}{grade}", counted(critique.findings.len(), "finding"))
        }
        TraceEvent::RevisionCompleted { explanation, .. } => {
            format!("revised: {}", squeeze(explanation))
        }
        TraceEvent::ReplyRepaired { repairs, .. } if repairs.as_slice() == [FROM_CACHE] => {
            return Some(Line::Passes(FROM_CACHE.to_owned()));
        }
        TraceEvent::InsightDetected { insight } => format!(
            "{} stands out, novelty {:.2}: {}",
            insight.id,
            insight.novelty,
            squeeze(&insight.description)
        ),
        TraceEvent::ReplyRepaired { repairs, .. } => {
            format!("the model's reply was mended: {}", squeeze(&repairs.join("; ")))
        }
        TraceEvent::PerspectiveCompleted { lens, points, failed, .. } => match failed {
            Some(error) => format!("the {lens} lens failed: {}", squeeze(error)),
            None => {
                return Some(Line::Passes(format!(
                    "through the {lens} lens: {}",
                    counted(*points as usize, "point")
                )));
            }
        },
        TraceEvent::PerspectivesCompared { lenses, consensus, tensions, unique, .. } => format!(
            "{lenses} lenses compared: {}, {}, {}",
            counted(*consensus as usize, "agreement"),
            counted(*tensions as usize, "tension"),
            counted(*unique as usize, "point") + " of one lens only"
        ),
        TraceEvent::SessionFailed { error } => format!("failed: {}", squeeze(error)),
        _ => return None,
    };
    Some(Line::Stays(text))
}
