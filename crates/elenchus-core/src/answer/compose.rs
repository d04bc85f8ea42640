//! Composition: every sentence that states something about the world is the display form of a checked quote.

mod missing;

pub(super) use missing::file_lines;

use super::display::{self, display_quote, strip_markup};
use super::scale;
use super::sureness::unsaid;
use super::types::{
    Answer, Citation, Claim, ConflictNote, Evidence, Receipt, Section, Superseded, Verdict,
};
use crate::evidence::anchor::TextQuoteSelector;
use crate::evidence::{ReadPassage, Source, Span};
use crate::id::{ClaimId, FactId};
use crate::inquiry::{Derivations, State, StopReason};
use crate::pack::GENERAL;
use crate::pack::theology::verse_of;
use crate::prompt::{Bearing, Draft, Fact, FactRole, PlannedQuestion, Polarity};
use crate::synthesis::mode::{DETECTIVE, Mode};
use crate::text::{content_set, squeeze};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Behind an answer of weak bearing.
pub(super) const WEAK: &str = " *(a weak match: check that it answers the question)*";

/// The answer under construction.
struct Composer<'a> {
    state: &'a State,
    text: String,
    /// Characters in `text`, kept so that spans need no counting.
    length: usize,
    claims: Vec<Claim>,
    evidence: Vec<Evidence>,
    sources: Vec<Citation>,
    used: BTreeSet<FactId>,
}

/// Composes the answer of a finished run.
pub(crate) fn compose(state: &State, draft: &Draft, stop_reason: StopReason) -> Answer {
    let mut composer = Composer {
        state,
        text: String::new(),
        length: 0,
        claims: Vec::new(),
        evidence: Vec::new(),
        sources: Vec::new(),
        used: BTreeSet::new(),
    };
    composer.short_answer(draft);
    let conclusion = composer.text.trim().to_owned();
    let sections = composer.sections(draft);
    let conflicts = composer.conflicts();
    let superseded = composer.superseded();
    let could_not_establish = composer.missing();
    composer.skipped();
    let next_steps = could_not_establish
        .iter()
        .map(|missing| format!("Add a document that states this: {}", missing.description))
        .collect();
    let is_framed = state.follows(Derivations::THIRD);
    let unusual = |name: &str, usual: &str| {
        if is_framed && name != usual { name.to_owned() } else { String::new() }
    };
    Answer {
        run_id: state.opened.run_id.clone(),
        question: state.opened.question.clone(),
        clarified: state.clarity.said.clone(),
        started_at: state.started_at,
        model: minds(&state.opened.model, &state.replies),
        own_order: is_framed && state.own_order,
        mode: unusual(Mode::named(&state.options().mode).map_or("", |mode| mode.id), DETECTIVE.id),
        pack: unusual(state.pack().id, GENERAL.id),
        corpus: state.opened.corpus.name.clone(),
        conclusion,
        text: composer.text,
        sections,
        claims: composer.claims,
        evidence: composer.evidence,
        conflicts,
        disagreements: vec![],
        tensions: vec![],
        superseded,
        could_not_establish,
        entailments: Vec::new(),
        confidence: None,
        methodology: None,
        perspectives: None,
        hypotheses: Vec::new(),
        fallacy_warnings: Vec::new(),
        critique: None,
        revision: None,
        insights: Vec::new(),
        sources: composer.sources,
        web: state.web_use.clone(),
        skipped_files: state.opened.corpus.skipped.clone(),
        reasoning_trace: state.reasoning.clone(),
        exploration_steps: state.next_effect - 1,
        next_steps,
        stop_reason,
        receipt: receipt(state),
    }
}

/// The model that a run was to think with, and who answered in its place where somebody did. Without that a report would
/// name a model as its author that never said a word.
pub(crate) fn minds(named: &str, replies: &BTreeMap<String, u32>) -> String {
    let is_named = |name: &str| name == named || named.split(" and ").any(|one| one == name);
    let instead: Vec<String> = replies
        .iter()
        .filter(|(name, _)| !is_named(name))
        .map(|(name, count)| format!("{name} in its place for {count}"))
        .collect();
    if instead.is_empty() {
        return named.to_owned();
    }
    let all: u32 = replies.values().sum();
    format!("{named} ({} of {all} replies)", instead.join(", "))
}

/// What the run has cost so far.
pub(crate) fn receipt(state: &State) -> Receipt {
    let spent = state.spent;
    Receipt {
        rounds: spent.rounds,
        searches: spent.searches,
        passages: spent.passages,
        sources: state.sources.len() as u32,
        model_calls: spent.model_calls,
        usage: spent.usage,
        wall_ms: u64::try_from(state.now.0 - state.started_at.0).unwrap_or(0),
    }
}

impl Composer<'_> {
    fn write(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.length += piece.chars().count();
    }

    fn fact(&self, id: &FactId) -> Option<Fact> {
        self.state.facts.iter().find(|fact| fact.id == *id).cloned()
    }

    fn question(&self, id: u32) -> Option<&PlannedQuestion> {
        self.state.plan.questions.iter().find(|question| question.id == id)
    }

    fn facts_of(&self, question_id: u32, role: FactRole) -> Vec<Fact> {
        self.state
            .facts
            .iter()
            .filter(|fact| fact.proposed.question_id == question_id && fact.proposed.role == role)
            .cloned()
            .collect()
    }

    /// The number of a document, given on first use.
    fn cite(&mut self, read: &ReadPassage) -> usize {
        let source = &read.source;
        if let Some(known) = self.sources.iter().find(|known| known.source_id == source.id) {
            return known.number;
        }
        let number = self.sources.len() + 1;
        self.sources.push(Citation {
            number,
            source_id: source.id.clone(),
            path: source.path.clone(),
            title: source.title.clone(),
            author: source.author.clone(),
            date: source.date.clone(),
            cluster: source.cluster.clone(),
            content_hash: source.content_hash.clone(),
            web: source.web.clone(),
        });
        number
    }

    /// Writes a fact as a claim with its citation: `“quote” [1]`. Returns `None` when it cannot be cited.
    fn claim(&mut self, fact: &Fact) -> Option<ClaimId> {
        let read = self.state.passages.get(&fact.proposed.passage_id)?.clone();
        let citation = self.cite(&read);
        let shown = display_quote(&fact.quote, &read.passage.table_header);
        self.write("\u{201C}");
        let start = self.length;
        self.write(&shown);
        let span = Span { start, end: self.length };
        self.write(&format!("\u{201D} [{citation}]"));
        let id = ClaimId(format!("c{}", self.claims.len() + 1));
        let web = read.source.web.as_deref();
        let selector =
            web.and_then(|_| TextQuoteSelector::of(&read.passage.text, fact.proposed.span));
        let link = selector.as_ref().zip(web).map(|(words, page)| words.text_fragment(&page.url));
        self.evidence.push(Evidence {
            fact_id: fact.id.clone(),
            citation,
            source_id: read.source.id.clone(),
            path: read.source.path.clone(),
            location: read.location(),
            page: read.passage.page,
            osis: verse_of(&read),
            passage_id: read.passage.id.clone(),
            quote: fact.quote.clone(),
            span: fact.proposed.span,
            document_span: read.passage.in_document(fact.proposed.span),
            table_header: read.passage.table_header.clone(),
            selector,
            link,
        });
        self.claims.push(Claim {
            id: id.clone(),
            text: shown,
            source_span: span,
            question_id: fact.proposed.question_id,
            role: fact.proposed.role,
            value: fact.value_text.as_deref().map(|value| strip_markup(&squeeze(value))),
            polarity: fact.proposed.polarity,
            bearing: fact.proposed.bearing,
            unbound: fact.proposed.unbound.clone(),
            verdict: Verdict::Quoted,
            evidence: vec![self.evidence.len() - 1],
            warrant: fact.proposed.warrant.clone(),
        });
        self.used.insert(fact.id.clone());
        Some(id)
    }

    /// "**value** — “quote” [1] (as of May 2026)".
    fn answer_line(&mut self, fact: &Fact) -> Option<ClaimId> {
        let lead = match fact.proposed.polarity {
            Some(Polarity::Yes) => Some("Yes".to_owned()),
            Some(Polarity::No) => Some("No".to_owned()),
            Some(Polarity::Conditional) => Some("Only under a condition".to_owned()),
            None => fact.value_text.as_deref().map(|value| display_quote(value, &[])),
        };
        if let Some(lead) = lead {
            self.write(&format!("**{lead}** \u{2014} "));
        }
        let claim = self.claim(fact);
        let told: Vec<String> =
            self.under(fact).into_iter().chain(self.scale(fact)).chain(self.as_of(fact)).collect();
        if !told.is_empty() {
            self.write(&format!(" ({})", told.join("; ")));
        }
        // Answers of weak bearing are wrong so often that nobody may miss it.
        // Those of fair bearing are right more often than not: a reader is told there where it can be said what to look at,
        // and below, beside the figure, in any case.
        match fact.proposed.bearing.filter(|_| fact.proposed.role == FactRole::Answer) {
            Some(Bearing::Weak) => self.write(WEAK),
            Some(Bearing::Fair) => {
                if let Some(told) = unsaid(&fact.proposed.unbound) {
                    self.write(&format!(" *(a fair match: {told})*"));
                }
            }
            Some(Bearing::Strong) | None => {}
        }
        claim
    }

    /// The heading over a quote, where the quote does not say all by itself: "Added: the watch command" answers which release
    /// added it only under "2.4.0". Such a heading has a figure, or a word of the question, that the quote lacks.
    fn under(&self, fact: &Fact) -> Option<String> {
        let read = self.state.passages.get(&fact.proposed.passage_id)?;
        let heading =
            read.passage.heading_path.last().filter(|text| **text != read.source.title)?;
        let mut quoted = content_set(&display_quote(&fact.quote, &read.passage.table_header));
        quoted.extend(content_set(&read.source.title));
        let asked = content_set(&self.question(fact.proposed.question_id)?.text);
        content_set(heading)
            .difference(&quoted)
            .any(|word| asked.contains(word) || word.contains(|c: char| c.is_ascii_digit()))
            .then(|| format!("under \u{201C}{}\u{201D}", display_quote(heading, &[])))
    }

    /// In what the figure of a table is that is told, where only its column or what stands over the table says so.
    fn scale(&self, fact: &Fact) -> Option<String> {
        if !self.state.follows(Derivations::SIXTH) {
            return None;
        }
        let passage = &self.state.passages.get(&fact.proposed.passage_id)?.passage;
        let ahead = fact.proposed.value?.start.checked_sub(fact.proposed.span.start)?;
        let label = label_of(&fact.quote, ahead, &passage.table_header)?;
        scale::told(passage, &fact.quote, &label, fact.value_text.as_deref()?)
    }

    /// The document's own date, for a reader who must know how old a value is. Where the quote names the time that it
    /// speaks of, the date is that of the document and no more.
    fn as_of(&self, fact: &Fact) -> Option<String> {
        let ReadPassage { source, passage } = self.state.passages.get(&fact.proposed.passage_id)?;
        let date = source.date.as_ref()?;
        let is_column_of_another = || {
            let ahead = fact.proposed.value?.start.checked_sub(fact.proposed.span.start)?;
            let label = label_of(&fact.quote, ahead, &passage.table_header)?;
            Some(names_another_year(&label, date.value.year))
        };
        match (&source.author, date.is_of_author()) {
            (Some(author), true) => {
                Some(format!("{}, c. {}", display_quote(author, &[]), date.value))
            }
            _ if self.state.follows(Derivations::SECOND) && says_as_of(&fact.quote) => {
                Some(format!("in a document of {}", date.value))
            }
            _ if self.state.follows(Derivations::FOURTH)
                && is_column_of_another() == Some(true) =>
            {
                Some(format!("in a document of {}", date.value))
            }
            _ => Some(format!("as of {}", date.value)),
        }
    }

    fn short_answer(&mut self, draft: &Draft) {
        let mut lines: Vec<(u32, Vec<Fact>)> = Vec::new();
        for fact in draft.conclusion.iter().filter_map(|id| self.fact(id)) {
            // Only an answer, or a side of a disagreement, can stand here.
            if !matches!(fact.proposed.role, FactRole::Answer | FactRole::Conflict) {
                continue;
            }
            match lines.iter_mut().find(|(question, _)| *question == fact.proposed.question_id) {
                Some((_, facts)) => facts.push(fact),
                None => lines.push((fact.proposed.question_id, vec![fact])),
            }
        }
        let questions: Vec<PlannedQuestion> = self.state.plan.questions.clone();
        let several = questions.len() > 1;
        for question in &questions {
            let facts = lines
                .iter()
                .find(|(id, _)| *id == question.id)
                .map(|(_, facts)| facts.clone())
                .unwrap_or_default();
            if several {
                self.write(&format!("- {} ", display_quote(&question.text, &[])));
            }
            if facts.is_empty() {
                let told = self.told_in(draft, question.id);
                self.write(&told);
                continue;
            }
            let mut all = facts.clone();
            for conflict in self.facts_of(question.id, FactRole::Conflict) {
                if all.iter().all(|fact| fact.id != conflict.id) {
                    all.push(conflict);
                }
            }
            if all.iter().any(|fact| fact.proposed.role == FactRole::Conflict) {
                self.write("The sources disagree:\n");
                for fact in &all {
                    self.write(if several { "  - " } else { "- " });
                    self.answer_line(fact);
                    self.write("\n");
                }
            } else if question.kind.wants_several() {
                self.survey(&facts, several);
            } else {
                let rows = self.rows_of_one(&facts);
                if let Some(lead) = &rows {
                    self.write(lead);
                }
                for (at, fact) in facts.iter().enumerate() {
                    if facts.len() > 1 {
                        self.write(if several {
                            if at == 0 && rows.is_none() { "\n  - " } else { "  - " }
                        } else {
                            "- "
                        });
                    }
                    self.answer_line(fact);
                    self.write("\n");
                }
            }
        }
        if questions.is_empty() {
            let told = self.not_established();
            self.write(&told);
        }
    }

    fn not_established(&self) -> String {
        let what = if self.state.web_use.is_some() { "sources" } else { "documents" };
        format!("The {what} do not establish this; see below.\n")
    }

    /// What stands in the short answer for a question that has no quote there: where it is answered, if it is.
    fn told_in(&self, draft: &Draft, question: u32) -> String {
        let answers = |id: &FactId| {
            self.fact(id).is_some_and(|fact| {
                fact.proposed.question_id == question && fact.proposed.role == FactRole::Answer
            })
        };
        let heading = draft
            .sections
            .iter()
            .find(|section| section.facts.iter().any(answers))
            .map(|section| display_quote(&section.heading, &[]))
            .filter(|heading| !heading.is_empty());
        match heading {
            Some(heading) => format!("See \u{201C}{heading}\u{201D} below.\n"),
            None => self.not_established(),
        }
    }

    /// How many rows of one table answer, where several do: what is asked for with "how many" stands in no row.
    fn rows_of_one(&self, facts: &[Fact]) -> Option<String> {
        let source = |fact: &Fact| {
            let read = self.state.passages.get(&fact.proposed.passage_id)?;
            is_row(&fact.quote, read.passage.record.as_deref()).then_some(&read.source)
        };
        let first = source(facts.first()?)?;
        let of_one = |fact: &Fact| source(fact).is_some_and(|other| other.id == first.id);
        let path = display_quote(&first.path, &[]);
        (facts.len() > 1 && facts.iter().all(of_one))
            .then(|| format!("{} rows of {path} fit this, of those that were read:\n", facts.len()))
    }

    /// Voices of several sources: a counted lead, then one line a voice, oldest first.
    fn survey(&mut self, facts: &[Fact], nested: bool) {
        let reads: Vec<&ReadPassage> = facts
            .iter()
            .filter_map(|fact| self.state.passages.get(&fact.proposed.passage_id))
            .collect();
        let clusters: BTreeSet<&str> =
            reads.iter().map(|read| read.source.cluster.as_str()).collect();
        let authors: BTreeSet<&str> =
            reads.iter().filter_map(|read| read.source.author.as_deref()).collect();
        let years: Vec<i32> = reads
            .iter()
            .filter_map(|read| read.source.date.as_ref())
            .map(|date| date.value.year)
            .collect();
        let mut lead = format!(
            "{} passage{} from {} document{}",
            facts.len(),
            if facts.len() == 1 { "" } else { "s" },
            clusters.len(),
            if clusters.len() == 1 { "" } else { "s" }
        );
        if authors.len() > 1 {
            write!(lead, " by {} authors", authors.len()).expect("writing to a String cannot fail");
        }
        if let (Some(first), Some(last)) = (years.iter().min(), years.iter().max())
            && first != last
        {
            write!(lead, ", from {first} to {last},").expect("writing to a String cannot fail");
        }
        let (bear, them) = if facts.len() == 1 { ("bears", "it") } else { ("bear", "them") };
        self.write(&format!("{lead} {bear} on this; read {them} before you conclude:\n\n"));
        let indent = if nested { "  " } else { "" };
        let source = |fact: &Fact| {
            self.state.passages.get(&fact.proposed.passage_id).map(|read| read.source.clone())
        };
        let sources: Vec<Option<Source>> = facts.iter().map(source).collect();
        let mut at = 0;
        while at < facts.len() {
            let of = &sources[at];
            let same = |other: &&Option<Source>| {
                other.as_ref().map(|o| &o.id) == of.as_ref().map(|o| &o.id)
            };
            let several = sources[at..].iter().take_while(same).count();
            match of {
                // What one document says at a stretch stands under its name.
                Some(source) if several > 1 => {
                    let by = display_quote(&under_title(source), &[]);
                    self.write(&format!("{indent}- {by}:\n"));
                    for fact in &facts[at..at + several] {
                        self.write(&format!("{indent}  - "));
                        self.claim(fact);
                        self.write("\n");
                    }
                }
                _ => {
                    self.write(&format!("{indent}- "));
                    if let Some(source) = of {
                        self.write(&format!("{}: ", display_quote(&voice(source), &[])));
                    }
                    self.claim(&facts[at]);
                    self.write("\n");
                }
            }
            at += several.max(1);
        }
    }

    fn sections(&mut self, draft: &Draft) -> Vec<Section> {
        let mut sections = Vec::new();
        for section in &draft.sections {
            let facts: Vec<Fact> = section
                .facts
                .iter()
                .filter_map(|id| self.fact(id))
                .filter(|fact| !self.used.contains(&fact.id))
                .filter(|fact| fact.proposed.role == FactRole::Answer)
                .collect();
            if facts.is_empty() {
                continue;
            }
            let heading = if section.heading.trim().is_empty() {
                self.question(facts[0].proposed.question_id)
                    .map_or_else(|| "More".to_owned(), |question| question.text.clone())
            } else {
                section.heading.clone()
            };
            self.write(&format!("\n## {}\n\n", display::heading(&heading)));
            let mut claims = Vec::new();
            for fact in facts {
                self.write("- ");
                claims.extend(self.claim(&fact));
                if let Some(stated) = self.as_of(&fact) {
                    self.write(&format!(" ({stated})"));
                }
                self.write("\n");
            }
            sections.push(Section { heading, claims });
        }
        sections
    }

    fn conflicts(&mut self) -> Vec<ConflictNote> {
        let mut notes: Vec<ConflictNote> = Vec::new();
        for question in self.state.plan.questions.clone() {
            let sides: Vec<ClaimId> = self
                .claims
                .iter()
                .filter(|claim| {
                    claim.question_id == question.id
                        && matches!(claim.role, FactRole::Answer | FactRole::Conflict)
                })
                .map(|claim| claim.id.clone())
                .collect();
            let unshown: Vec<Fact> = self
                .facts_of(question.id, FactRole::Conflict)
                .into_iter()
                .filter(|fact| !self.used.contains(&fact.id))
                .collect();
            let disagrees =
                self.claims.iter().any(|claim| {
                    claim.question_id == question.id && claim.role == FactRole::Conflict
                }) || !unshown.is_empty();
            if !disagrees {
                continue;
            }
            let mut claims = sides;
            if !unshown.is_empty() {
                self.write("\n## Conflicting evidence\n\n");
                for fact in unshown {
                    self.write("- ");
                    claims.extend(self.answer_line(&fact));
                    self.write("\n");
                }
            }
            notes.push(ConflictNote { question_id: question.id, claims });
        }
        notes
    }

    fn superseded(&mut self) -> Vec<Superseded> {
        let older: Vec<Fact> = self
            .state
            .plan
            .questions
            .iter()
            .flat_map(|question| self.facts_of(question.id, FactRole::Superseded))
            .filter(|fact| !self.used.contains(&fact.id))
            .collect();
        if older.is_empty() {
            return Vec::new();
        }
        self.write("\n## Older values\n\n");
        let mut notes = Vec::new();
        for fact in older {
            let by = self
                .claims
                .iter()
                .find(|claim| {
                    claim.question_id == fact.proposed.question_id && claim.role == FactRole::Answer
                })
                .map(|claim| (claim.id.clone(), claim.value.clone()));
            self.write("- ");
            if let Some(value) = &fact.value_text {
                self.write(&format!("**{}** (older) \u{2014} ", display_quote(value, &[])));
            }
            let claim = self.claim(&fact);
            let told: Vec<String> =
                self.scale(&fact).into_iter().chain(self.as_of(&fact)).collect();
            if !told.is_empty() {
                self.write(&format!(" ({})", told.join("; ")));
            }
            if let Some((_, Some(value))) = &by {
                self.write(&format!("; superseded by {}", display_quote(value, &[])));
            }
            self.write("\n");
            if let Some(claim) = claim {
                notes.push(Superseded { claim, by: by.map(|(id, _)| id) });
            }
        }
        notes
    }
}

/// Whether a quote is a row of a table: one with its pipes, or a line of a file of rows. A verse is a record and no row.
fn is_row(quote: &str, record: Option<&str>) -> bool {
    quote.trim_start().starts_with('|') || record.is_some_and(|record| record.starts_with("row "))
}

/// Whose voice a quote is: the author, or else the document, with its time.
pub(super) fn voice(source: &Source) -> String {
    let mut by = source.author.clone().unwrap_or_else(|| source.title.clone());
    if let Some(time) = time_beside(source, &by) {
        write!(by, " ({time})").expect("writing to a String cannot fail");
    }
    by
}

/// The document over several of its quotes, with its author and its time.
pub(super) fn under_title(source: &Source) -> String {
    let mut by = source.title.clone();
    let more: Vec<String> = source
        .author
        .clone()
        .filter(|author| !by.contains(author.as_str()))
        .into_iter()
        .chain(time_beside(source, &by))
        .collect();
    if !more.is_empty() {
        write!(by, " ({})", more.join(", ")).expect("writing to a String cannot fail");
    }
    by
}

/// A document's date as it stands behind `by`; nothing where that says it already.
fn time_beside(source: &Source, by: &str) -> Option<String> {
    let date = source.date.as_ref()?;
    let circa = if date.is_of_author() { "c. " } else { "" };
    let time = format!("{circa}{}", date.value);
    (!by.contains(&time)).then_some(time)
}

/// The name of the column, or of the field, that a value stands in, which begins so many characters into its quote.
fn label_of(quote: &str, ahead: usize, header: &[String]) -> Option<String> {
    let before: String = quote.chars().take(ahead).collect();
    if quote.trim_start().starts_with('|') {
        let bars = before.matches('|').count();
        return header.get(bars.checked_sub(1)?).cloned();
    }
    let field = before.rsplit("; ").next()?;
    field.split_once(": ").map(|(label, _)| label.to_owned())
}

/// Whether a text names years, and not this one: "Budget 2026" of a table of 2025.
fn names_another_year(label: &str, year: i32) -> bool {
    let words = label.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() == 4);
    let years: Vec<i32> = words
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1000..3000).contains(year))
        .collect();
    !years.is_empty() && !years.contains(&year)
}

/// Whether a quote says itself of which time it holds: "As of 31 March 2019 there were 300."
fn says_as_of(quote: &str) -> bool {
    let words: Vec<String> = quote
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_year = |word: &String| {
        word.len() == 4 && word.starts_with(['1', '2']) && word.bytes().all(|b| b.is_ascii_digit())
    };
    words.windows(2).enumerate().any(|(at, pair)| {
        matches!(pair, [first, second] if first == "as" && second == "of")
            && words.iter().skip(at + 2).take(4).any(is_year)
    })
}

#[cfg(test)]
mod tests {
    use super::{is_row, label_of, minds, names_another_year, says_as_of};

    #[test]
    fn a_quote_that_names_its_time_is_known() {
        for quote in ["As of 2019, there were 300.", "There were 300 (as of the end of 2019)."] {
            assert!(says_as_of(quote), "{quote}");
        }
        for quote in ["It was of 1998 make.", "As of now there are 300.", "300, as in 2019."] {
            assert!(!says_as_of(quote), "{quote}");
        }
    }

    #[test]
    fn a_column_of_another_year_is_known() {
        let header = ["Yard".to_owned(), "Berths 2025".to_owned(), "Berths 2026".to_owned()];
        let label = |quote: &str, value: &str, header: &[String]| {
            let at = quote.find(value).map_or(0, |at| quote[..at].chars().count());
            label_of(quote, at, header)
        };
        let piped = label("| L\u{e4}nd | 41 | 57 |", "57", &header);
        assert_eq!(piped.as_deref(), Some("Berths 2026"));
        let written = label("Yard: Leith; Berths 2026: 57", "57", &[]);
        assert_eq!(written.as_deref(), Some("Berths 2026"));
        assert_eq!(label("There are 57 berths.", "57", &[]), None);
        assert!(names_another_year("Berths 2026", 2025));
        assert!(!names_another_year("Berths 2026", 2026));
        assert!(!names_another_year("Berths 2025 and 2026", 2025));
        assert!(!names_another_year("Berths", 2025));
    }

    #[test]
    fn a_verse_is_no_row() {
        assert!(is_row("| Ward 3 | low |", None));
        assert!(is_row("ward: Ward 3; harm: low", Some("row 6")));
        assert!(!is_row("In the beginning", Some("Gen.1.1")));
        assert!(!is_row("3. Hand over the keys.", None));
    }

    #[test]
    fn whoever_stood_in_is_named() {
        let heard = |replies: &[(&str, u32)]| -> String {
            let replies = replies.iter().map(|(name, count)| ((*name).to_owned(), *count));
            minds("openai:a and ollama:b", &replies.collect())
        };
        for own in [&[][..], &[("openai:a", 2), ("ollama:b", 3)], &[("openai:a and ollama:b", 1)]] {
            assert_eq!(heard(own), "openai:a and ollama:b");
        }
        assert_eq!(
            heard(&[("openai:a", 2), ("builtin:extractive", 1), ("ollama:c", 4)]),
            "openai:a and ollama:b (builtin:extractive in its place for 1, ollama:c in its place for \
             4 of 7 replies)"
        );
    }
}
