//! What an answer says of what it lacks: gaps that were given up, and files that could not be read.

use super::Composer;
use crate::answer::display::display_quote;
use crate::answer::types::Unestablished;
use crate::inquiry::gap::{Gap, GapReason};
use crate::port::SkippedFile;
use crate::prompt::{Fact, FactRole, PlannedQuestion};

/// Quotes shown under a gap that stayed open.
const NEAREST_SHOWN: usize = 3;
/// Most files that could not be read that an answer names: whoever reads a folder is told all of them.
const FILES_SHOWN: usize = 5;

impl Composer<'_> {
    pub(super) fn missing(&mut self) -> Vec<Unestablished> {
        let gaps: Vec<_> = self.state.ledger.abandoned().cloned().collect();
        if gaps.is_empty() {
            return Vec::new();
        }
        self.write("\n## What could not be established\n\n");
        let mut missing = Vec::new();
        for gap in gaps {
            let reason = gap.reason.unwrap_or(GapReason::Budget);
            let mut queries: Vec<String> = Vec::new();
            for tried in &gap.previous_queries {
                if !queries.contains(&tried.query) {
                    queries.push(tried.query.clone());
                }
            }
            let (description, with_it) = self.asked_by(&gap);
            self.write(&format!(
                "- **{}** Given up because {} ({} round{}).\n",
                display_quote(&description, &[]),
                display_quote(&reason.with(gap.cause.as_deref()), &[]),
                gap.attempt_count,
                if gap.attempt_count == 1 { "" } else { "s" },
            ));
            if !with_it.is_empty() {
                let shown: Vec<String> =
                    with_it.iter().map(|text| display_quote(text, &[])).collect();
                self.write(&format!(
                    "  Asked with it, and not established either: {}\n",
                    shown.join(" ")
                ));
            }
            if let Some(read) =
                gap.reason_passage.as_ref().and_then(|id| self.state.passages.get(id))
            {
                self.write(&format!("  The document: {}.\n", display_quote(&read.location(), &[])));
            }
            if !queries.is_empty() {
                let shown: Vec<String> =
                    queries.iter().map(|query| display_quote(query, &[])).collect();
                self.write(&format!("  Searched for: {}.\n", shown.join("; ")));
            }
            let near = self.nearest_to(&gap);
            let mut nearest = Vec::new();
            if let [only] = near.as_slice() {
                self.write("  Nearest found, which was not taken for an answer: ");
                nearest.extend(self.claim(only));
                self.write("\n");
            } else if !near.is_empty() {
                self.write("  Nearest found, none of which was taken for an answer:\n");
                for fact in &near {
                    self.write("  - ");
                    nearest.extend(self.claim(fact));
                    self.write("\n");
                }
            }
            missing.push(Unestablished {
                gap_id: gap.id.clone(),
                description,
                reason,
                cause: gap.cause.clone(),
                attempts: gap.attempt_count,
                queries,
                nearest,
            });
        }
        missing
    }

    /// What a gap that was given up leaves open: the question that it is named by, and others that it stands for. Named by one
    /// that was answered it would deny the answer: then the first open one names it.
    fn asked_by(&self, gap: &Gap) -> (String, Vec<String>) {
        if !self.state.options().gaps.apart {
            return (gap.description.clone(), Vec::new());
        }
        let asked: Vec<&PlannedQuestion> =
            gap.related_question_ids.iter().filter_map(|id| self.question(*id)).collect();
        let is_open = |question: &PlannedQuestion| !self.state.answered.contains(&question.id);
        let named_by_answered =
            asked.iter().any(|question| question.text == gap.description && !is_open(question));
        let mut open = asked
            .iter()
            .filter(|question| is_open(question) && question.text != gap.description)
            .map(|question| question.text.clone());
        let instead = if named_by_answered { open.next() } else { None };
        (instead.unwrap_or_else(|| gap.description.clone()), open.collect())
    }

    /// The quotes that come nearest to a gap without closing it, nearest first, each said once.
    fn nearest_to(&self, gap: &Gap) -> Vec<Fact> {
        let mut near: Vec<Fact> = Vec::new();
        let all = gap
            .related_question_ids
            .iter()
            .flat_map(|id| self.facts_of(*id, FactRole::Context))
            .filter(|fact| !self.used.contains(&fact.id));
        for fact in all {
            if !near.iter().any(|known| known.quote == fact.quote) {
                near.push(fact);
            }
        }
        let likeness = |fact: &Fact| fact.proposed.likeness.unwrap_or(0.0);
        near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
        near.truncate(NEAREST_SHOWN);
        near
    }

    /// Files that could not be read may hold what is missing: the reader is told.
    pub(super) fn skipped(&mut self) {
        let lines = file_lines(&self.state.opened.corpus.skipped);
        if lines.is_empty() {
            return;
        }
        self.write("\n## Files that could not be read\n\n");
        for line in lines {
            self.write(&format!("- {line}\n"));
        }
    }
}

/// What an answer says of files that could not be read, a line each: the first few with their reasons, and of those of a format
/// that nobody reads the names of some.
pub(in crate::answer) fn file_lines(skipped: &[SkippedFile]) -> Vec<String> {
    let (unknown, failed): (Vec<_>, Vec<_>) =
        skipped.iter().partition(|file| file.reason.starts_with("unknown format"));
    let mut lines: Vec<String> = failed
        .iter()
        .take(FILES_SHOWN)
        .map(|file| {
            format!("{}: {}", display_quote(&file.path, &[]), display_quote(&file.reason, &[]))
        })
        .collect();
    if failed.len() > FILES_SHOWN {
        lines.push(format!("and {} more", failed.len() - FILES_SHOWN));
    }
    if !unknown.is_empty() {
        let names: Vec<String> =
            unknown.iter().take(5).map(|file| display_quote(&file.path, &[])).collect();
        let more = if unknown.len() > 5 {
            format!(" and {} more", unknown.len() - 5)
        } else {
            String::new()
        };
        lines.push(format!("of a format that is not read: {}{more}", names.join(", ")));
    }
    lines
}
