//! Whether every line of an answer is one that its parts give: a claim with what code puts around it, or words of code alone.

use super::{AuditNote, AuditNoteKind, Grounds, Severity};
use crate::answer::compose::{WEAK, file_lines, under_title, voice};
use crate::answer::display::{self, display_quote};
use crate::answer::scale;
use crate::answer::sureness::unsaid;
use crate::answer::types::{Answer, Claim, Unestablished};
use crate::evidence::{ReadPassage, Span, char_slice};
use crate::inquiry::Derivations;
use crate::prompt::Polarity;
use crate::text::squeeze;
use std::collections::BTreeSet;

/// Lines that code writes whatever the answer is.
const FIXED: [&str; 10] = [
    "",
    "The documents do not establish this; see below.",
    "The sources do not establish this; see below.",
    "The sources disagree:",
    "Nearest found, none of which was taken for an answer:",
    "## Conflicting evidence",
    "## Older values",
    "## What could not be established",
    "## Files that could not be read",
    "## What came too late to be looked for",
];

/// Finds lines that nothing accounts for, citation numbers that are none of the answer's, and values that their quotes lack.
pub(super) fn read(answer: &Answer, grounds: &Grounds<'_>) -> Vec<AuditNote> {
    let lines = Lines::of(answer, grounds);
    let mut notes = numbers_without_entry(answer);
    let mut start = 0;
    for line in answer.text.split('\n') {
        lines.look_at(line, start, &mut notes);
        start += line.chars().count() + 1;
    }
    notes
}

fn error(kind: AuditNoteKind, at: &str, text: String) -> AuditNote {
    AuditNote { severity: Severity::Error, kind, at: at.to_owned(), text }
}

fn stranger(line: &str) -> AuditNote {
    let text = format!("no part of the answer says {:?}", squeeze(line));
    error(AuditNoteKind::StatementWithoutClaim, "text", text)
}

/// `[n]` that no document is cited by. A bracket of a quote has a backslash before it.
fn numbers_without_entry(answer: &Answer) -> Vec<AuditNote> {
    let mut notes = Vec::new();
    for (at, _) in answer.text.match_indices('[') {
        let inside = &answer.text[at + 1..];
        let digits = inside.chars().take_while(char::is_ascii_digit).count();
        let number = &inside[..digits];
        let is_number =
            digits > 0 && inside[digits..].starts_with(']') && !answer.text[..at].ends_with('\\');
        if is_number && !answer.sources.iter().any(|source| source.number.to_string() == number) {
            let text = format!("[{number}] stands in the text and has no entry");
            notes.push(error(AuditNoteKind::CitationNumber, "text", text));
        }
    }
    notes
}

/// What may stand in the lines of an answer.
struct Lines<'a> {
    answer: &'a Answer,
    grounds: Grounds<'a>,
    /// Whole lines without a claim, without what sets them in.
    alone: BTreeSet<String>,
    /// Questions as they are shown, the longest first: one may be how another begins.
    asked: Vec<String>,
}

impl<'a> Lines<'a> {
    fn of(answer: &'a Answer, grounds: &Grounds<'a>) -> Self {
        let planned = grounds.questions.iter().map(|question| &question.text);
        // A question that was taken off the plan since stands in the ledger.
        let missed = grounds
            .ledger
            .gaps()
            .iter()
            .flat_map(|gap| std::iter::once(&gap.description).chain(&gap.also_worded));
        let mut asked: Vec<String> =
            planned.chain(missed).map(|text| display_quote(text, &[])).collect();
        asked.retain(|text| !text.is_empty());
        asked.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        asked.dedup();
        Self { answer, grounds: *grounds, alone: alone(answer, grounds), asked }
    }

    fn look_at(&self, line: &str, start: usize, notes: &mut Vec<AuditNote>) {
        let length = line.chars().count();
        let mut claims = self.answer.claims.iter().filter(|claim| {
            start <= claim.source_span.start && claim.source_span.end <= start + length
        });
        let Some(claim) = claims.next() else {
            if !self.is_alone(line) {
                notes.push(stranger(line));
            }
            return;
        };
        let Span { start: from, end: to } = claim.source_span;
        let around = around(line, from - start, to.saturating_sub(start));
        let (Some((before, number, after)), None) = (around, claims.next()) else {
            notes.push(stranger(line));
            return;
        };
        let cites = |at: &usize| {
            self.answer.evidence.get(*at).is_some_and(|one| one.citation.to_string() == number)
        };
        if !claim.evidence.iter().any(cites) {
            let text = format!("[{number}] stands behind it and is not what it rests on");
            notes.push(error(AuditNoteKind::CitationNumber, claim.id.as_str(), text));
        }
        match self.before(claim, before) {
            Some(Before::Value(value)) if !self.stands(claim, value) => {
                let text = format!("its quote does not say {value:?}");
                notes.push(error(AuditNoteKind::ValueNotInQuote, claim.id.as_str(), text));
            }
            Some(_) => {}
            None => notes.push(stranger(before)),
        }
        if !self.is_after(claim, after) {
            notes.push(stranger(after));
        }
    }

    /// Whether a line without a claim is one of the answer's.
    fn is_alone(&self, line: &str) -> bool {
        self.readings(line).any(|rest| {
            self.alone.contains(rest) || is_survey(rest) || self.is_rows(rest) || self.is_with(rest)
        })
    }

    /// A line without what sets it in, and without the question that it may begin with.
    fn readings<'t>(&self, line: &'t str) -> impl Iterator<Item = &'t str> {
        let line = line.trim();
        let line = line.strip_prefix('-').map_or(line, str::trim_start);
        let after = |question: &String| line.strip_prefix(question.as_str()).map(str::trim_start);
        let behind: Vec<&'t str> = self.asked.iter().filter_map(after).collect();
        std::iter::once(line).chain(behind)
    }

    /// "3 rows of prices.csv fit this, of those that were read:"
    fn is_rows(&self, line: &str) -> bool {
        line.split_once(' ').is_some_and(|(count, rest)| {
            count.parse::<usize>().is_ok()
                && rest.starts_with("rows of ")
                && self.alone.contains(rest)
        })
    }

    /// "Asked with it, and not established either: ...", with nothing but questions.
    fn is_with(&self, line: &str) -> bool {
        let Some(mut rest) = line.strip_prefix("Asked with it, and not established either: ")
        else {
            return false;
        };
        while !rest.is_empty() {
            let next = self.asked.iter().find_map(|question| rest.strip_prefix(question.as_str()));
            match next {
                Some(next) => rest = next.trim_start(),
                None => return false,
            }
        }
        true
    }

    fn passage_of(&self, claim: &Claim) -> Option<&'a ReadPassage> {
        let evidence = self.answer.evidence.get(*claim.evidence.first()?)?;
        self.grounds.passages.get(&evidence.passage_id)
    }

    /// What stands before a claim's quote.
    fn before<'t>(&self, claim: &Claim, before: &'t str) -> Option<Before<'t>> {
        let by = self.passage_of(claim).map(|read| display_quote(&voice(&read.source), &[]));
        let is_plain = |rest: &str| {
            rest.is_empty()
                || rest == "Nearest found, which was not taken for an answer:"
                || by.as_ref().is_some_and(|by| rest.strip_suffix(':') == Some(by.as_str()))
        };
        self.readings(before).find_map(|rest| match value(rest) {
            Some(value) => Some(Before::Value(value)),
            None => is_plain(rest).then_some(Before::Plain),
        })
    }

    /// Whether a claim's quote says what stands in bold before it; "Yes" and "No" are how it is read.
    fn stands(&self, claim: &Claim, value: &str) -> bool {
        let reading = match claim.polarity {
            Some(Polarity::Yes) => "Yes",
            Some(Polarity::No) => "No",
            Some(Polarity::Conditional) => "Only under a condition",
            None => "",
        };
        let wanted = bare(value);
        let mut quotes = claim.evidence.iter().filter_map(|at| self.answer.evidence.get(*at));
        value == reading || quotes.any(|one| bare(&one.quote).contains(&wanted))
    }

    /// Whether what stands behind a claim's citation is what code writes there: the heading over it, its date, how well it fits,
    /// and what took its place.
    fn is_after(&self, claim: &Claim, after: &str) -> bool {
        let Some(read) = self.passage_of(claim) else {
            // That it was not read is told anyway.
            return true;
        };
        let heading = read
            .passage
            .heading_path
            .last()
            .map(|heading| format!("under \u{201C}{}\u{201D}", display_quote(heading, &[])));
        let under = [None, heading];
        let mut dated = vec![None];
        if let Some(date) = &read.source.date {
            dated.push(Some(format!("as of {}", date.value)));
            dated.push(Some(format!("in a document of {}", date.value)));
            if let Some(author) = &read.source.author {
                dated.push(Some(format!("{}, c. {}", display_quote(author, &[]), date.value)));
            }
        }
        let quote = claim.evidence.first().and_then(|at| self.answer.evidence.get(*at));
        let mut scales = vec![None];
        if let Some(one) = quote.filter(|_| self.grounds.rules >= Derivations::SIXTH) {
            scales.extend(scale::notes(&read.passage, &one.quote).into_iter().map(Some));
        }
        let mut told = vec![String::new()];
        for under in &under {
            for (scale, date) in scales.iter().flat_map(|one| dated.iter().map(move |d| (one, d))) {
                let parts = under.iter().chain(scale).chain(date).map(String::as_str);
                let parts: Vec<&str> = parts.collect();
                if !parts.is_empty() {
                    told.push(format!(" ({})", parts.join("; ")));
                }
            }
        }
        let mut fits = vec![String::new(), WEAK.to_owned()];
        fits.extend(unsaid(&claim.unbound).map(|told| format!(" *(a fair match: {told})*")));
        let values = self.answer.claims.iter().filter_map(|claim| claim.value.as_ref());
        let mut newer = vec![String::new()];
        newer.extend(values.map(|value| format!("; superseded by {}", display_quote(value, &[]))));
        let is_newer = |rest: &str| newer.iter().any(|one| one == rest);
        let fits_then = |rest: &str| {
            fits.iter().any(|one| rest.strip_prefix(one.as_str()).is_some_and(is_newer))
        };
        told.iter().any(|one| after.strip_prefix(one.as_str()).is_some_and(fits_then))
    }
}

/// What stands before a quote.
enum Before<'t> {
    /// Words of code, or nothing.
    Plain,
    /// A value in bold.
    Value(&'t str),
}

/// The value in bold of "**value** — " and "**value** (older) — ", without the last space.
fn value(before: &str) -> Option<&str> {
    let rest = before.strip_prefix("**")?;
    rest.strip_suffix("** \u{2014}").or_else(|| rest.strip_suffix("** (older) \u{2014}"))
}

/// What stands before a claim's opening mark, the number that follows its closing one, and what follows that.
fn around(line: &str, from: usize, to: usize) -> Option<(&str, &str, &str)> {
    let before = char_slice(line, Span { start: 0, end: from })?.strip_suffix('\u{201C}')?;
    let behind = char_slice(line, Span { start: to, end: line.chars().count() })?;
    let (number, after) = behind.strip_prefix("\u{201D} [")?.split_once(']')?;
    Some((before, number, after))
}

/// The letters, figures and signs of a text that no markup or cell is made of.
fn bare(text: &str) -> String {
    let is_of_form = |c: char| {
        c.is_whitespace() || matches!(c, '*' | '_' | '`' | '\\' | '|' | ';' | '#' | '>' | '~')
    };
    squeeze(text).chars().filter(|c| !is_of_form(*c)).collect()
}

/// "2 passages from 2 documents by 2 authors, from 1850 to 1911, bear on this; ...", whatever the figures.
fn is_survey(line: &str) -> bool {
    let is_figure = |word: &str| word.parse::<i64>().is_ok();
    let figures = line.split(' ').map(|word| match word.strip_suffix(',') {
        Some(bare) if is_figure(bare) => "#,",
        None if is_figure(word) => "#",
        _ => word,
    });
    let shape = figures.collect::<Vec<_>>().join(" ");
    let ends = [
        " bears on this; read it before you conclude:",
        " bear on this; read them before you conclude:",
    ];
    behind_counts(&shape).is_some_and(|rest| ends.contains(&rest))
}

/// What follows the counts at the head of a survey, with a `#` for each figure.
fn behind_counts(shape: &str) -> Option<&str> {
    let rest = shape.strip_prefix("# passages").or_else(|| shape.strip_prefix("# passage"))?;
    let rest = rest.strip_prefix(" from # document")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let rest = rest.strip_prefix(" by # authors").unwrap_or(rest);
    Some(rest.strip_prefix(", from # to #,").unwrap_or(rest))
}

/// The lines that an answer's parts give beside its claims.
fn alone(answer: &Answer, grounds: &Grounds<'_>) -> BTreeSet<String> {
    let mut lines: BTreeSet<String> = FIXED.map(str::to_owned).into();
    let mut put = |line: String| {
        lines.insert(line.trim_end().to_owned());
    };
    for section in &answer.sections {
        put(format!("## {}", display::heading(&section.heading)));
        let shown = display_quote(&section.heading, &[]);
        put(format!("See \u{201C}{shown}\u{201D} below."));
    }
    for read in grounds.passages.values() {
        put(format!("{}:", display_quote(&under_title(&read.source), &[])));
        let path = display_quote(&read.source.path, &[]);
        put(format!("rows of {path} fit this, of those that were read:"));
        put(format!("The document: {}.", display_quote(&read.location(), &[])));
    }
    for missing in &answer.could_not_establish {
        for line in of_missing(missing) {
            put(line);
        }
    }
    for line in file_lines(&answer.skipped_files) {
        put(line);
    }
    lines
}

/// What is said of something that could not be established.
fn of_missing(missing: &Unestablished) -> Vec<String> {
    let head = format!(
        "**{}** Given up because {}",
        display_quote(&missing.description, &[]),
        display_quote(&missing.reason.with(missing.cause.as_deref()), &[])
    );
    let rounds =
        format!("({} round{})", missing.attempts, if missing.attempts == 1 { "" } else { "s" });
    let queries: Vec<String> =
        missing.queries.iter().map(|query| display_quote(query, &[])).collect();
    vec![
        format!("{head} {rounds}."),
        // Of what came too late to be looked for no round is told.
        format!("{head}."),
        format!("Searched for: {}.", queries.join("; ")),
    ]
}
