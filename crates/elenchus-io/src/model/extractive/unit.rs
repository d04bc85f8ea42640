//! Units of evidence: a sentence, item or row with everything that tells what it is about.

use super::about::name_heads;
use super::acronyms::spell_out;
use super::context::{goes_on, goes_on_from, held_by, takes_up, trail};
use super::editions;
use super::effects;
use super::items;
use super::labelled::{field_subject, fields, labelled};
use super::marks::{is_mark, is_note_line, note_marks};
use super::nearby;
use super::own_subject;
use super::periods::{Period, bare_months, bare_quarters, days, periods};
use super::sender::{mark_replies, name_answerers, name_senders};
use super::short_names::name_in_full;
use super::supplanted;
use super::values::{Value, ValueKind, values};
use super::verses::is_links;
use crate::embed::StaticEmbedder;
use crate::ingest::{UnitKind, units};
use elenchus_core::evidence::{
    DatePrecision, PartialDate, ReadPassage, Source, Span, Vintage, char_slice,
};
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Where a word stands, seen from a unit. Nearer places bind more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Unit,
    /// Column names of a row, the sentence that introduces a list, the innermost heading.
    Near,
    /// The sentence before.
    Before,
    /// Title, outer headings, path, author.
    Far,
}

/// A word of a unit or of its surroundings.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) word: String,
    pub(crate) stem: String,
    pub(crate) place: Place,
    /// Bytes of the unit's text; empty for words of the surroundings.
    pub(crate) at: Range<usize>,
    /// Column, for a table's header words and cells.
    pub(crate) column: Option<usize>,
}

impl Word {
    /// A word of a title, apart from any unit.
    pub(crate) fn of_title(word: String) -> Self {
        Self { stem: stem(&word), word, place: Place::Far, at: 0..0, column: None }
    }
}

/// A sentence, item or row.
pub(crate) struct EvidenceUnit<'a> {
    pub(crate) read: &'a ReadPassage,
    /// Characters of the passage.
    pub(crate) span: Span,
    pub(crate) text: &'a str,
    pub(crate) kind: UnitKind,
    /// Bytes of the unit's text, for rows.
    pub(crate) cells: Vec<Range<usize>>,
    pub(crate) words: Vec<Word>,
    pub(crate) values: Vec<Value>,
    pub(crate) periods: Vec<Period>,
    /// Segments of the text: clauses, parentheses, cells. In order, without overlap.
    pub(crate) segments: Vec<Segment>,
    /// Position among the units of its passage.
    pub(crate) ordinal: usize,
    /// A line of printed notes, or of a table of references: no statement of the document.
    pub(crate) is_note: bool,
    /// The first line after a question in the text.
    pub(crate) follows_question: bool,
    /// What introduces the unit: the sentence before a list or table, the question above it, the record's name.
    pub(crate) near_text: String,
    /// What the unit goes on from, its last words: the sentence or question that introduces it, or the sentence before one
    /// that begins with a pronoun. Empty where it stands for itself.
    pub(crate) goes_on_from: String,
    /// Whether its subject is a thing that the sentence before has brought up.
    pub(crate) takes_up: bool,
    /// Titles and headings over the unit, by their words, that it speaks of another thing than (`own_subject`).
    pub(crate) not_about: Vec<Vec<String>>,
    /// Which version of it the document says that it is.
    pub(crate) edition: Option<u32>,
    /// Whether another document that was read replaces its own.
    pub(crate) is_replaced: bool,
    /// Whether it is the head of a mail that answers another one that was read.
    pub(crate) answers_mail: bool,
    /// The unit's text with its innermost heading, embedded.
    pub(crate) vector: Vec<f32>,
}

/// A clause, a parenthesis or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) range: Range<usize>,
    /// Inside brackets.
    pub(crate) bracketed: bool,
}

impl EvidenceUnit<'_> {
    /// The segment that holds a byte.
    pub(crate) fn segment_of(&self, at: usize) -> usize {
        self.segments.iter().rposition(|segment| segment.range.start <= at).unwrap_or(0)
    }

    /// The value that stands there; what is no value is somebody.
    pub(crate) fn value_at(&self, range: &Range<usize>) -> Value {
        let own = self.values.iter().find(|value| value.range == *range).cloned();
        own.unwrap_or(Value { range: range.clone(), kind: ValueKind::Person, number: None })
    }

    /// Characters of the passage for bytes of the unit's text.
    pub(crate) fn span_of(&self, range: &Range<usize>) -> Span {
        let start = self.span.start + self.text[..range.start].chars().count();
        Span { start, end: start + self.text[range.clone()].chars().count() }
    }

    /// Whether the document is out of date by its own word.
    pub(crate) fn is_superseded(&self) -> bool {
        self.read.source.vintage == Vintage::Superseded
    }
}

/// Cuts passages into units, headings and table headers left out.
pub(crate) fn evidence_units(passages: &[ReadPassage]) -> Vec<EvidenceUnit<'_>> {
    let mut out = Vec::new();
    for read in passages {
        let text = read.passage.text.as_str();
        // The sentence before, and the same with those that it goes on from.
        let mut before: Option<(&str, &str)> = None;
        let mut opening: Vec<Word> = Vec::new();
        let mut header: Vec<String> = read.passage.table_header.clone();
        let mut lead: Option<&str> = read.passage.lead_in.as_deref();
        let mut asked: Option<&str> = None;
        // The words in bold that a paragraph begins with, and where the last unit ended.
        let mut run_in: Option<&str> = None;
        let mut read_to = 0;
        let mut ordinal = 0;
        let marks = note_marks(text);
        for unit in units(text) {
            let Some(slice) = char_slice(text, unit.span) else { continue };
            let offset = slice.as_ptr() as usize - text.as_ptr() as usize;
            if text.get(read_to..offset).is_none_or(|gap| gap.matches('\n').count() > 1) {
                run_in = None;
            }
            read_to = offset + slice.len();
            let cells: Vec<Range<usize>> = unit
                .cells
                .iter()
                .filter_map(|cell| char_slice(text, *cell))
                .map(|cell| {
                    let start =
                        (cell.as_ptr() as usize - text.as_ptr() as usize).saturating_sub(offset);
                    start..start + cell.len()
                })
                .collect();
            match unit.kind {
                UnitKind::Heading => {
                    before = None;
                    continue;
                }
                UnitKind::TableHeader => {
                    header = cells.iter().map(|cell| slice[cell.clone()].to_owned()).collect();
                    continue;
                }
                UnitKind::Sentence | UnitKind::Item | UnitKind::Row | UnitKind::Code => {}
            }
            // A question is never an answer; it tells what the lines after it are about.
            if slice.trim_end().trim_end_matches(['*', '_', '"']).ends_with('?') {
                asked = Some(slice);
                before = None;
                ordinal += 1;
                continue;
            }
            if unit.kind == UnitKind::Sentence
                && run_in.is_none()
                && is_run_in(slice)
                && goes_on_in_line(text, read_to)
            {
                run_in = Some(slice.trim_matches(['*', '_', ' ']));
                before = None;
                ordinal += 1;
                continue;
            }
            let section = (unit.kind == UnitKind::Item).then(|| labelled(slice)).flatten();
            if let Some(section) = section {
                let mut said: Option<&str> = None;
                for at in section.sentences {
                    let sentence = &slice[at.clone()];
                    let start = unit.span.start + slice[..at.start].chars().count();
                    let span = Span { start, end: start + sentence.chars().count() };
                    // The first one may begin with the label itself.
                    let label = if at.start == 0 { asked } else { asked.or(Some(section.label)) };
                    out.push(build(
                        read,
                        span,
                        sentence,
                        UnitKind::Sentence,
                        Vec::new(),
                        &header,
                        label,
                        said,
                        ordinal,
                    ));
                    ordinal += 1;
                    said = Some(sentence);
                }
                before = None;
                continue;
            }
            let lines = if unit.kind == UnitKind::Sentence { fields(slice) } else { Vec::new() };
            if let Some(first) = lines.first().cloned() {
                let subject = field_subject(&slice[first.clone()]);
                for at in lines {
                    let field = &slice[at.clone()];
                    let start = unit.span.start + slice[..at.start].chars().count();
                    let span = Span { start, end: start + field.chars().count() };
                    let about = asked.or(subject.filter(|_| at.start > first.start));
                    out.push(build(
                        read,
                        span,
                        field,
                        UnitKind::Sentence,
                        Vec::new(),
                        &header,
                        about,
                        None,
                        ordinal,
                    ));
                    ordinal += 1;
                }
                lead = slice.trim_end().ends_with(':').then_some(slice);
                before = None;
                continue;
            }
            let introduced = match unit.kind {
                UnitKind::Item => asked.or(lead),
                UnitKind::Sentence => asked.or(run_in),
                _ => asked,
            };
            let told = before.map(|(last, all)| if goes_on_from(slice, last) { all } else { last });
            out.push(build(
                read, unit.span, slice, unit.kind, cells, &header, introduced, told, ordinal,
            ));
            if let Some(made) = out.last_mut() {
                made.words.extend(opening.iter().cloned());
            }
            if ordinal == 0
                && unit.kind == UnitKind::Sentence
                && let Some(heading) = read.passage.heading_path.last()
            {
                opening = held_by(heading, slice).unwrap_or_default();
            }
            if unit.kind == UnitKind::Sentence
                && let Some(made) = out.last_mut()
            {
                made.values.retain(|value| !is_mark(slice, &value.range, &marks));
            }
            ordinal += 1;
            if unit.kind == UnitKind::Sentence {
                lead = slice.trim_end().ends_with(':').then_some(slice);
            }
            if unit.kind != UnitKind::Row {
                let trail = trail(text, before, slice);
                before = (unit.kind == UnitKind::Sentence).then_some((slice, trail));
            }
        }
    }
    name_parties(passages, &mut out);
    name_heads(passages, &mut out);
    name_senders(passages, &mut out);
    name_answerers(&mut out);
    mark_replies(&mut out);
    nearby::name(&mut out);
    name_in_full(&mut out);
    spell_out(passages, &mut out);
    editions::name(passages, &mut out);
    effects::tell(&mut out);
    supplanted::tell(&mut out);
    own_subject::tell(&mut out);
    items::tell(&mut out);
    out
}

/// Most words of a heading that runs into its paragraph.
const RUN_IN: usize = 10;

/// "**2.2 Primary endpoint.** It becomes ...": a heading that runs into its paragraph, cut off as a sentence of its own.
fn is_run_in(text: &str) -> bool {
    let inner = text.trim().strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    inner.is_some_and(|inner| {
        let words = inner.split_whitespace().count();
        // The number of a section may lead; a figure behind it tells something.
        let behind = inner.trim_start_matches(|c: char| c.is_ascii_digit() || ". )".contains(c));
        !inner.contains("**")
            && inner.ends_with(['.', ':'])
            && (1..=RUN_IN).contains(&words)
            && (!behind.contains(|c: char| c.is_ascii_digit()) || behind.starts_with("Section"))
    })
}

/// Whether a paragraph goes on behind a place of its text.
fn goes_on_in_line(text: &str, at: usize) -> bool {
    let behind = text.get(at..).unwrap_or_default();
    let line = behind.split('\n').next().unwrap_or_default();
    let next = behind.split('\n').nth(1).unwrap_or_default();
    !line.trim().is_empty() || (!next.trim().is_empty() && !next.trim_start().starts_with("**"))
}

/// What a document is called: the words of its title and its path, in lower case.
pub(super) fn called(source: &Source) -> Vec<String> {
    let path = source.path.replace(['/', '\\', '_', '.', '-'], " ");
    words(&format!("{} {path}", source.title).to_lowercase())
}

/// Words of titles and paths of documents whose parties are named once, at the head.
const AGREEMENTS: [&str; 12] = [
    "contract",
    "agreement",
    "lease",
    "licence",
    "license",
    "tenancy",
    "deed",
    "terms",
    "tender",
    "quotation",
    "mandate",
    "memorandum",
];
/// Characters of a document that are its head.
pub(super) const HEAD: usize = 400;

/// "Between Ann's Mill (the Supplier) and Ben's Bakery": every clause is about the parties that the head of an agreement names.
fn name_parties(passages: &[ReadPassage], units: &mut [EvidenceUnit<'_>]) {
    for read in passages.iter().filter(|read| read.passage.span.start < HEAD) {
        let source = &read.source;
        if !called(source).iter().any(|word| AGREEMENTS.contains(&word.as_str())) {
            continue;
        }
        let head: String = read.passage.text.chars().take(HEAD).collect();
        let named: Vec<Word> = head
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
            .filter(|word| {
                word.chars().count() > 2 && word.chars().next().is_some_and(char::is_uppercase)
            })
            .flat_map(|word| words(&word.to_lowercase()))
            .filter(|word| !is_stop_word(word))
            .map(Word::of_title)
            .collect();
        for unit in units.iter_mut().filter(|unit| unit.read.source.id == source.id) {
            unit.words.extend(named.iter().cloned());
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the pieces of one unit, assembled in one place")]
fn build<'a>(
    read: &'a ReadPassage,
    span: Span,
    text: &'a str,
    kind: UnitKind,
    cells: Vec<Range<usize>>,
    header: &[String],
    lead: Option<&str>,
    before: Option<&str>,
    ordinal: usize,
) -> EvidenceUnit<'a> {
    let mut all = located_words(text);
    for word in &mut all {
        word.column =
            cells.iter().position(|cell| cell.start <= word.at.start && word.at.end <= cell.end);
    }
    let mut add = |text: &str, place: Place, column: Option<usize>| {
        for word in words(text) {
            let stem = stem(&word);
            all.push(Word { word, stem, place, at: 0..0, column });
        }
    };
    if kind == UnitKind::Row && header.len() == cells.len() {
        for (column, name) in header.iter().enumerate() {
            add(name, Place::Near, Some(column));
        }
    }
    if let Some(lead) = lead {
        add(lead, Place::Near, None);
    }
    let headings = &read.passage.heading_path;
    if let Some(innermost) = headings.last() {
        add(innermost, Place::Near, None);
    }
    if let Some(record) = &read.passage.record {
        add(record, Place::Near, None);
    }
    if let Some(before) = before {
        add(before, Place::Before, None);
    }
    for heading in headings.iter().rev().skip(1) {
        add(heading, Place::Far, None);
    }
    add(&read.source.title, Place::Far, None);
    add(&read.source.path.replace(['/', '_', '.'], " "), Place::Far, None);
    let segments = segments(text, &cells);
    let takes_up =
        kind == UnitKind::Sentence && before.is_some_and(|before| takes_up(text, before));
    let goes_on = takes_up || goes_on(text);
    EvidenceUnit {
        read,
        span,
        text,
        kind,
        cells,
        words: all,
        values: values(text),
        periods: periods_with_bare_months(text, read),
        segments,
        ordinal,
        is_note: is_note_line(text) || is_links(text),
        follows_question: lead.is_some_and(|lead| lead.trim_end().ends_with('?')),
        near_text: [
            lead,
            before.filter(|_| kind == UnitKind::Row),
            read.passage.lead_in.as_deref(),
            read.passage.record.as_deref(),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" "),
        goes_on_from: match (lead, before.filter(|_| goes_on)) {
            (Some(label), Some(other)) if kind == UnitKind::Sentence => {
                last_words(&format!("{label}: {other}"))
            }
            (Some(other), _) | (None, Some(other)) => last_words(other),
            (None, None) => String::new(),
        },
        takes_up,
        not_about: Vec::new(),
        edition: None,
        is_replaced: false,
        answers_mail: false,
        vector: StaticEmbedder::builtin().embed_text(&match headings.last() {
            Some(heading) => format!("{heading} {text}"),
            None => text.to_owned(),
        }),
    }
}

/// Most words of what a unit goes on from: models read little more than a hundred pieces.
const LAST_WORDS: usize = 24;

fn last_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words[words.len().saturating_sub(LAST_WORDS)..].join(" ")
}

/// Periods of a text; a month without a year takes the year of the document's date, or the one before.
fn periods_with_bare_months(text: &str, read: &ReadPassage) -> Vec<Period> {
    let mut found = periods(text);
    let Some(date) = read.source.date.as_ref().map(|date| date.value) else { return found };
    let days = days(text);
    for (range, month) in bare_months(text) {
        if found
            .iter()
            .all(|period| range.end <= period.range.start || period.range.end <= range.start)
        {
            // "From June" in a note of May is yet to come.
            let lead = text[..range.start].trim_end().rsplit(' ').next().unwrap_or_default();
            let ahead = lead.eq_ignore_ascii_case("from") || lead.eq_ignore_ascii_case("by");
            let year =
                if !ahead && month > date.last_month() && date.precision > DatePrecision::Year {
                    date.year - 1
                } else {
                    date.year
                };
            // The whole of "20 June" says when: it is the value that such a period belongs to.
            let day = days.iter().find(|day| day.start <= range.start && range.end <= day.end);
            let range = day.cloned().unwrap_or(range);
            found.push(Period { range, value: PartialDate::month(year, month) });
        }
    }
    for (range, quarter) in bare_quarters(text) {
        let apart =
            |period: &Period| range.end <= period.range.start || period.range.end <= range.start;
        if found.iter().all(apart) {
            // A quarter that had not begun when it was written is that of the year before.
            let begun =
                date.precision == DatePrecision::Year || 3 * (quarter - 1) < date.last_month();
            let year = if begun { date.year } else { date.year - 1 };
            found.push(Period { range, value: PartialDate::quarter(year, quarter) });
        }
    }
    found.sort_by_key(|period| period.range.start);
    found
}

/// Words of a text with their bytes. Positions are found by walking forward, so repeats keep their places.
fn located_words(text: &str) -> Vec<Word> {
    let lower = text.to_lowercase();
    // Lower-casing can change byte lengths for a few letters: then places are approximate and clamped.
    let same = lower.len() == text.len();
    let mut from = 0;
    words(text)
        .into_iter()
        .map(|word| {
            let at = lower[from..]
                .find(&word)
                .map_or(from..from, |start| from + start..from + start + word.len());
            if !at.is_empty() {
                from = at.end;
            }
            let stem = stem(&word);
            let at = if same { at } else { 0..0 };
            Word { word, stem, place: Place::Unit, at, column: None }
        })
        .collect()
}

/// Cuts at brackets, semicolons, cell borders, commas outside numbers, and sentence-like ends.
fn segments(text: &str, cells: &[Range<usize>]) -> Vec<Segment> {
    if !cells.is_empty() {
        return cells
            .iter()
            .map(|cell| Segment { range: cell.clone(), bracketed: false })
            .collect();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut start, mut depth) = (0usize, 0usize);
    for (at, c) in text.char_indices() {
        let next_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let cut = match c {
            '(' | ')' | ';' | '[' | ']' => true,
            ',' | '.' => !next_digit,
            '\u{2014}' => true,
            _ => false,
        };
        if cut {
            if at > start {
                out.push(Segment { range: start..at, bracketed: depth > 0 });
            }
            start = at + c.len_utf8();
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    if start < text.len() {
        out.push(Segment { range: start..text.len(), bracketed: depth > 0 });
    }
    if out.is_empty() {
        out.push(Segment { range: 0..text.len(), bracketed: false });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::*;

    #[test]
    fn a_heading_that_runs_into_its_paragraph_tells_what_that_is_about() {
        let alone = [document("note", "Note", "**The mast is high.**\n\nIt is so.")];
        assert_eq!(evidence_units(&alone).len(), 2, "a statement in bold");
        let text = "**2.2 Main measure.** It becomes the change in height. The old one is kept.\n\nThe rest stays.";
        let passages = [document("amendment", "Amendment", text)];
        let units = evidence_units(&passages);
        let texts: Vec<&str> = units.iter().map(|unit| unit.text).collect();
        assert_eq!(
            texts,
            ["It becomes the change in height.", "The old one is kept.", "The rest stays."]
        );
        let about: Vec<bool> = units
            .iter()
            .map(|unit| {
                unit.words.iter().any(|word| word.word == "measure" && word.place == Place::Near)
            })
            .collect();
        assert_eq!(about, [true, true, false]);
        for own in [
            "**Not at all**",
            "The **mast** is high.",
            "**It is so.** And **so.**",
            "**Total raised: $142M.**",
        ] {
            assert!(!is_run_in(own), "{own}");
        }
    }
}
