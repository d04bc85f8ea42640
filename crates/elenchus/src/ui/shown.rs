//! How a run stands, for `runs show`.

use super::orders::at_store;
use super::progress::counted;
use super::terminal::Terminal;
use crate::time;
use elenchus_core::answer::AuditNote;
use elenchus_core::inquiry::gap::{Gap, GapStatus};
use elenchus_core::inquiry::{Run, Spent};
use elenchus_core::port::RunSummary;
use elenchus_core::prompt::FactRole;
use elenchus_core::synthesis::insight::Insight;
use elenchus_core::text::squeeze;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// A planned question.
#[derive(Debug, Serialize)]
struct Asked {
    id: u32,
    text: String,
    answered: bool,
}

/// A run as `runs show` gives it out.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    #[serde(flatten)]
    summary: RunSummary,
    phase: &'static str,
    round: u8,
    corpus_name: String,
    /// The folder, where it is noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    corpus: Option<PathBuf>,
    documents: u32,
    questions: Vec<Asked>,
    gaps: Vec<Gap>,
    /// Paths of what was read.
    sources: Vec<String>,
    spent: Spent,
    #[serde(skip_serializing_if = "Option::is_none")]
    conclusion: Option<String>,
    /// What stood out, with what the user said of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) insights: Vec<Insight>,
    audit: Vec<AuditNote>,
    /// What it has in mind, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    /// What it was told of earlier runs, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recalled: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Tokens of working memory that are shown: all of it, but for a long run's many finds.
const MEMORY_TOKENS: usize = 4_000;

impl Shown {
    pub(crate) fn new(summary: &RunSummary, run: &Run, corpus: Option<PathBuf>) -> Self {
        let view = run.view();
        let progress = view.progress();
        let mut sources: Vec<String> =
            view.passages().into_iter().map(|read| read.source.path).collect();
        sources.sort();
        sources.dedup();
        let answered = |id: u32| match (view.answer(), view.gaps().for_question(id)) {
            (Some(answer), _) => answer.claims.iter().any(|claim| {
                claim.question_id == id
                    && matches!(claim.role, FactRole::Answer | FactRole::Conflict)
            }),
            (None, gap) => gap.is_some_and(|gap| gap.status == GapStatus::Resolved),
        };
        let questions = view
            .plan()
            .questions
            .iter()
            .map(|question| Asked {
                id: question.id,
                text: question.text.clone(),
                answered: answered(question.id),
            })
            .collect();
        Self {
            summary: summary.clone(),
            phase: progress.phase.name(),
            round: progress.round,
            corpus_name: view.corpus().name.clone(),
            corpus,
            documents: view.corpus().documents,
            questions,
            gaps: view.gaps().gaps().iter().map(Gap::without_vector).collect(),
            sources,
            spent: view.spent(),
            conclusion: view.answer().map(|answer| answer.conclusion.clone()),
            insights: Vec::new(),
            audit: view.audit().to_vec(),
            memory: None,
            recalled: Vec::new(),
            error: view.error().map(str::to_owned),
        }
    }

    /// Has what the run has in mind shown too, and what it was told of earlier runs.
    pub(crate) fn remembers(&mut self, run: &Run) {
        let view = run.view();
        let lessons = view.recalled().lessons.iter();
        let lessons = lessons.map(|lesson| format!("{}: {}", lesson.id, lesson.title));
        let memos = view.recalled().memos.iter().map(|memo| {
            let led = view.led().filter(|(id, _)| **id == memo.id);
            let led: Vec<String> = led.map(|(_, query)| format!("; led to \"{query}\"")).collect();
            format!("{}: {}{}", memo.id, memo.sentence(), led.concat())
        });
        self.recalled = lessons.chain(memos).collect();
        let memory = view.memory();
        let kept = memory.run_id.is_some();
        self.memory = Some(if kept { memory.render_context(MEMORY_TOKENS) } else { String::new() });
    }

    pub(crate) fn text(&self, terminal: &Terminal) -> String {
        let store = terminal.store.as_deref();
        let mut out = String::new();
        let run = &self.summary;
        let mut line = |text: String| {
            let _ = writeln!(out, "{text}");
        };
        line(format!("run:       {}", run.run_id));
        line(format!("question:  {}", squeeze(&run.question)));
        let end = run.stop_reason.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
        line(format!("status:    {}{end}, phase {}, round {}", run.status, self.phase, self.round));
        if let Some(reason) = &run.put_back {
            line(format!("put back:  {}", squeeze(reason)));
        }
        line(format!("started:   {}", time::shown(run.started_at.0)));
        line(format!("updated:   {}", time::shown(run.updated_at.0)));
        let folder = self.corpus.as_ref().map_or_else(
            || "folder not noted".to_owned(),
            |corpus| squeeze(&corpus.display().to_string()),
        );
        line(format!(
            "corpus:    {} ({folder}), {}",
            squeeze(&self.corpus_name),
            counted(self.documents as usize, "document")
        ));
        line(format!(
            "spent:     {}, {}, {}",
            counted(usize::from(self.spent.rounds), "round"),
            counted(self.spent.passages as usize, "passage"),
            counted(self.spent.model_calls as usize, "model call")
        ));
        line(format!("journal:   {} records, {} events", run.records, run.events));
        if !self.questions.is_empty() {
            line("\nquestions:".to_owned());
        }
        // Nothing is open once the run is over.
        let unanswered = if self.conclusion.is_some() { "not established" } else { "open" };
        for question in &self.questions {
            let mark = if question.answered { "answered" } else { unanswered };
            line(format!("  {}. {} ({mark})", question.id, squeeze(&question.text)));
        }
        if !self.gaps.is_empty() {
            line("\ngaps:".to_owned());
        }
        for gap in &self.gaps {
            let why = gap
                .reason
                .map(|why| format!(": {}", squeeze(&why.with(gap.cause.as_deref()))))
                .unwrap_or_default();
            line(format!(
                "  {} {}, {}{why}: {}",
                gap.id,
                gap.status.name(),
                counted(usize::from(gap.attempt_count), "attempt"),
                squeeze(&gap.description)
            ));
        }
        if !self.sources.is_empty() {
            line("\nread:".to_owned());
        }
        for source in &self.sources {
            let shown = squeeze(source);
            line(format!("  {}", terminal.link_place(&shown, source, self.corpus.as_deref())));
        }
        if !self.insights.is_empty() {
            line("\nwhat stands out:".to_owned());
        }
        for insight in &self.insights {
            line(crate::commands::insights::line(insight));
        }
        match self.memory.as_deref() {
            None => {}
            Some("") => {
                line("\nin mind:\n  nothing: that is dropped when a run is over".to_owned());
            }
            Some(memory) => {
                line("\nin mind:".to_owned());
                for remembered in memory.lines() {
                    line(format!("  {}", squeeze(remembered)));
                }
            }
        }
        if !self.recalled.is_empty() {
            line("\ntold of earlier runs:".to_owned());
        }
        for told in &self.recalled {
            line(format!("  {}", squeeze(told)));
        }
        for note in &self.audit {
            line(format!("\naudit: {}: {}", squeeze(&note.at), squeeze(&note.text)));
        }
        if let Some(error) = &self.error {
            line(format!("\nerror: {}", squeeze(error)));
        }
        if let Some(conclusion) = &self.conclusion {
            line(format!("\nanswer:\n{}", conclusion.trim_end()));
            let order = format!("\n`elenchus runs replay {}` gives the whole report", run.run_id);
            line(at_store(&order, store));
        } else {
            let order = format!("\n`elenchus runs resume {}` goes on with it", run.run_id);
            line(at_store(&order, store));
        }
        out
    }
}
