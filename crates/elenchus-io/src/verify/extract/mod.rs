//! Claims out of any text.
//!
//! The text is read as Markdown (plain text is Markdown without marks): headings become context, lists of sources and
//! code are left out, items are read with the words that lead to them, table cells with their row and column. Each
//! sentence is then taken apart into statements that each say one thing and can be read alone. Rules only; the same
//! text always gives the same claims.
//!
//! Citations belong to the sentence that they stand in or directly behind. Where all citations of a paragraph stand
//! behind its last sentence, they are taken to be for the whole paragraph.

mod beings;
mod clean;
mod document;
mod kind;
mod references;
mod render;
mod reread;
mod resolve;
mod screen;
mod split;
#[cfg(test)]
mod tests;

pub(in crate::verify) use beings::is_person;
pub use references::{Reference, references};

use crate::ingest::sentence::sentences;
use crate::verify::tokens::{Token, tokens};
use document::{Place, Shape, label_of, places};
use elenchus_core::belief::{Claim, ClaimDefect, Extraction};
use elenchus_core::evidence::Span;
use elenchus_core::id::ClaimId;
use render::{Sentence, Statement};
use reread::reread;
use resolve::Memory;
use screen::{Worth, worth};
use std::ops::Range;

/// Longer sentences (bytes) are not taken apart: they are lists, tables or noise that only look like one.
const LONG: usize = 2_000;

/// Longer ones are not tagged at all.
const TOO_LONG: usize = 20_000;

/// Citations of one claim that are kept.
const MOST_CITED: usize = 64;

/// Sentences of the longest paragraph that the citations behind its last one are taken to be for.
const WHOLE: usize = 100;

/// Takes the claims out of a text (Markdown or plain).
///
/// Spans are characters of `text` and always exact. Claims are in the order of the text; those of one sentence in the
/// order in which they end. What reads like a statement and cannot be taken as a claim is a defect with a reason.
pub fn extract(text: &str) -> Extraction {
    let chars: Option<Vec<usize>> = (!text.is_ascii())
        .then(|| text.char_indices().map(|(at, _)| at).chain([text.len()]).collect());
    let mut out = Collector { text, chars, stand: (0, 0), found: Extraction::default() };
    let mut memory = Memory::default();
    let places = places(text);
    for (nth, place) in places.iter().enumerate() {
        out.stand = (0, 0);
        if place.fresh {
            memory.forget();
        } else if place.shape == Shape::Prose {
            memory.turn();
        }
        let is_led_from = places.get(nth + 1).is_some_and(|next| next.shape != Shape::Prose);
        out.place(place, is_led_from, &mut memory);
    }
    out.found
}

struct Collector<'a> {
    text: &'a str,
    /// Byte of every character, unless all are ASCII.
    chars: Option<Vec<usize>>,
    /// Where counting stands in the words of the place that is read: byte and character. Counted from the beginning for each
    /// sentence, a long paragraph would take its square.
    stand: (usize, usize),
    found: Extraction,
}

impl Collector<'_> {
    fn place(&mut self, place: &Place, is_led_from: bool, memory: &mut Memory) {
        let words = &place.clean.text;
        match &place.shape {
            Shape::Cell { from, .. } if words.len() > TOO_LONG => {
                let to = place.clean.at.last().map_or(*from, |last| last + 1);
                self.defect(Span { start: *from, end: to }, "too long to be read as one cell");
            }
            Shape::Cell { label, column, from } => {
                let statement = Statement::cell(label, column.as_deref(), words);
                let to = place.clean.at.last().map_or(*from, |last| last + 1);
                let citations = place.clean.cited.iter().map(|(_, mark)| mark.clone()).collect();
                self.claim(statement, Span { start: *from, end: to }, citations, &place.headings);
            }
            Shape::Quotation { lead } => self.quotation(place, lead.as_deref()),
            Shape::Prose | Shape::Item { .. } => {
                let ranges = sentences(words);
                let cited = citations(place, &ranges);
                let count = ranges.len();
                let mut headings = place.headings.clone();
                for (nth, (range, cited)) in ranges.into_iter().zip(cited).enumerate() {
                    // The sentence that leads to a list is said with its items.
                    let leads = nth + 1 == count && words.ends_with([':', '：']);
                    if !leads {
                        self.sentence(place, range, cited, nth == 0, &mut headings, memory);
                    } else if !is_led_from
                        && words[range.clone()].split_whitespace().nth(1).is_some()
                        && let Some(span) = self.span_of(place, range)
                    {
                        self.defect(span, "leads to what is no statement");
                    }
                }
            }
        }
    }

    fn quotation(&mut self, place: &Place, lead: Option<&str>) {
        let words = &place.clean.text;
        let end = words.len();
        if !words.chars().any(char::is_alphabetic) {
            return;
        }
        if words.len() > LONG {
            if let Some(span) = self.span_of(place, 0..end) {
                self.defect(span, "too long to be read as one quotation");
            }
            return;
        }
        // Lines that only name the speaker belong to the words before them: the quotation stays whole.
        let said = match lead {
            Some(lead) => format!("{lead}: {words}"),
            None => words.clone(),
        };
        let Some(span) = self.span_of(place, 0..end) else { return };
        let cited = place.clean.cited.iter().map(|(_, mark)| mark.clone()).collect();
        self.claim(Statement::whole(&said), span, cited, &place.headings);
    }

    fn sentence(
        &mut self,
        place: &Place,
        range: Range<usize>,
        cited: Vec<String>,
        first: bool,
        headings: &mut Vec<String>,
        memory: &mut Memory,
    ) {
        let words = &place.clean.text;
        let sentence = &words[range.clone()];
        let Some(span) = self.span_of(place, range.clone()) else { return };
        if sentence.len() > TOO_LONG {
            return self.defect(span, "too long to be read as one sentence");
        }
        let lead = match &place.shape {
            Shape::Item { lead } => lead.as_deref(),
            _ => None,
        };
        // "Payload: the robot carries 40 kg": the label is context, the rest the sentence.
        let label = label_of(sentence).filter(|_| first);
        let body = label.map_or(range.start, |colon| {
            let after = &sentence[colon + 1..];
            range.start + colon + 1 + (after.len() - after.trim_start().len())
        });
        let body_text = &words[body..range.end];
        let mut tagged = tokens(body_text);
        reread(&mut tagged, lead.is_none());
        let judged = worth(body_text, &tagged);
        let notable = !cited.is_empty() || tagged.iter().any(Token::has_digit);
        match judged {
            Worth::Nothing => {}
            Worth::Aside(reason) => self.defect(span, reason),
            Worth::Statement if sentence.len() <= LONG => {
                if let Some(colon) = label
                    && body > range.start
                {
                    headings.truncate(place.headings.len());
                    headings.push(sentence[..colon].to_owned());
                }
                let headings = headings.clone();
                self.statements(place, body..range.end, &tagged, &cited, &headings, memory);
            }
            Worth::Statement => {
                self.claim(Statement::whole(sentence), span, cited, &place.headings);
            }
            Worth::Fragment | Worth::Headless => {
                let lead = lead.filter(|_| judged == Worth::Fragment).or_else(|| {
                    let item =
                        matches!(place.shape, Shape::Item { .. }) && judged == Worth::Headless;
                    place
                        .headings
                        .last()
                        .map(String::as_str)
                        .filter(|heading| item && label.is_none() && is_name(heading))
                });
                if let Some(statement) =
                    lead.and_then(|lead| Statement::led(lead, sentence, judged == Worth::Headless))
                {
                    return self.claim(statement, span, cited, &place.headings);
                }
                let count = tagged.iter().filter(|t| !t.is_mark()).count();
                let long_enough = count >= 4;
                let is_closed = count >= 2 && sentence.ends_with(['.', '!', '…']);
                if label.is_some() || judged == Worth::Fragment && notable && long_enough {
                    self.claim(Statement::whole(sentence), span, cited, &place.headings);
                } else if long_enough || is_closed {
                    let reason = if judged == Worth::Headless {
                        "says what was done and not by whom"
                    } else {
                        "a phrase without a verb"
                    };
                    self.defect(span, reason);
                }
            }
        }
    }

    fn statements(
        &mut self,
        place: &Place,
        range: Range<usize>,
        tagged: &[Token],
        cited: &[String],
        headings: &[String],
        memory: &mut Memory,
    ) {
        let text = &place.clean.text[range.clone()];
        let (drafts, outline) = split::read(tagged);
        let meanings = memory.meanings(tagged, &outline);
        memory.remember(tagged, &outline, &meanings, text);
        let sentence = Sentence { text, tokens: tagged, meanings: &meanings };
        let mut reasons: Vec<String> = Vec::new();
        let mut made: Vec<(Span, Statement)> = Vec::new();
        let offset = self.chars_to(&place.clean.text, range.start);
        let drafts = if drafts.is_empty() {
            vec![vec![split::Piece::Tokens(0..tagged.len())]]
        } else {
            drafts
        };
        if let Some(words) = sentence.left_out(&drafts) {
            reasons.push(format!("left out: “{words}”"));
        }
        for draft in drafts {
            match sentence.render(&draft) {
                Ok((statement, chars)) => {
                    let at = &place.clean.at;
                    let (Some(start), Some(end)) = (
                        at.get(offset + chars.start),
                        at.get((offset + chars.end).saturating_sub(1)),
                    ) else {
                        continue;
                    };
                    let span = Span { start: *start, end: end + 1 };
                    if !made.iter().any(|(_, known)| known.says(&statement)) {
                        made.push((span, statement));
                    }
                }
                Err(reason) => {
                    if !reasons.contains(&reason) {
                        reasons.push(reason);
                    }
                }
            }
        }
        made.sort_by_key(|(span, _)| (span.start, span.end));
        let whole = self.span_of(place, range);
        let first = self.found.claims.len();
        for (span, statement) in made {
            self.claim(statement, span, cited.to_vec(), headings);
        }
        for claim in self.found.claims.iter_mut().skip(first) {
            claim.sentence = whole;
        }
        if let Some(span) = whole {
            for reason in reasons {
                self.defect(span, &reason);
            }
        }
    }

    fn claim(
        &mut self,
        statement: Statement,
        span: Span,
        citations: Vec<String>,
        headings: &[String],
    ) {
        // A span that does not hold is never handed out.
        let Some(source) = self.slice(span) else { return };
        let source_text = source.to_owned();
        let mut kept: Vec<String> = Vec::new();
        for citation in citations {
            if kept.len() < MOST_CITED && !kept.contains(&citation) {
                kept.push(citation);
            }
        }
        self.found.claims.push(Claim {
            id: ClaimId(format!("c{}", self.found.claims.len() + 1)),
            text: statement.text,
            kind: statement.kind,
            source_span: span,
            source_text,
            sentence: None,
            substantive_words: statement.substantive,
            citations: kept,
            heading_path: headings.to_vec(),
        });
    }

    /// Characters before a byte of the words of the place that is read, counted on from the last byte that was asked for.
    fn chars_to(&mut self, words: &str, byte: usize) -> usize {
        let (from, chars) = self.stand;
        let count = if byte < from {
            chars - words[byte..from].chars().count()
        } else {
            chars + words[from..byte].chars().count()
        };
        self.stand = (byte, count);
        count
    }

    /// Characters of the source for bytes of the clean words.
    fn span_of(&mut self, place: &Place, range: Range<usize>) -> Option<Span> {
        let start = self.chars_to(&place.clean.text, range.start);
        let end = self.chars_to(&place.clean.text, range.end);
        Some(Span {
            start: *place.clean.at.get(start)?,
            end: place.clean.at.get(end.checked_sub(1)?)? + 1,
        })
    }

    fn slice(&self, span: Span) -> Option<&str> {
        let byte = |at: usize| match &self.chars {
            Some(chars) => chars.get(at).copied(),
            None => Some(at),
        };
        self.text.get(byte(span.start)?..byte(span.end)?).filter(|text| !text.is_empty())
    }

    fn defect(&mut self, span: Span, reason: &str) {
        self.found.defects.push(ClaimDefect { span, reason: reason.to_owned() });
    }
}

/// Whether a heading is a name that a statement may begin with: "Orla Robotics", not "4. Access and roads".
fn is_name(heading: &str) -> bool {
    let mut words = heading.split_whitespace();
    heading.split_whitespace().count() <= 4
        && words.all(|word| {
            word.chars().all(char::is_alphanumeric) && word.starts_with(char::is_uppercase)
        })
}

/// The citations of each sentence: those that stand in it or directly behind it. If all of them stand behind the last
/// sentence of a paragraph, every sentence of it has them.
fn citations(place: &Place, ranges: &[Range<usize>]) -> Vec<Vec<String>> {
    let mut found = vec![Vec::new(); ranges.len()];
    for (at, mark) in &place.clean.cited {
        let nth = ranges.partition_point(|range| range.start < *at).saturating_sub(1);
        if let Some(marks) = found.get_mut(nth)
            && marks.len() < MOST_CITED
            && !marks.contains(mark)
        {
            marks.push(mark.clone());
        }
    }
    let alone = (2..=WHOLE).contains(&found.len())
        && place.shape == Shape::Prose
        && found[..found.len() - 1].iter().all(Vec::is_empty);
    if alone && let Some(last) = found.last().cloned() {
        found.fill(last);
    }
    found
}
