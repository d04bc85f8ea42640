//! Statements as words: pieces put together, pronouns replaced, the words that carry them noted.

use super::kind::kind;
use super::resolve::{Meaning, Meanings};
use super::split::{Draft, Piece, is_possessive};
use crate::verify::tokens::{Pos, Token, tokens};
use elenchus_core::belief::{ClaimType, SubstantiveWord, WordType};
use elenchus_core::evidence::Span;
use std::ops::Range;

/// A statement ready to be a claim.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) kind: ClaimType,
    pub(super) substantive: Vec<SubstantiveWord>,
}

impl Statement {
    /// A text as it stands.
    pub(super) fn whole(text: &str) -> Self {
        let text = text.trim();
        let tagged = tokens(text);
        let substantive =
            tagged.iter().filter_map(|token| substantive(token, token.chars.start)).collect();
        Self { text: text.to_owned(), kind: kind(tagged.iter()), substantive }
    }

    /// "Row: column is value".
    pub(super) fn cell(label: &str, column: Option<&str>, value: &str) -> Self {
        let value = value.trim_end_matches('.');
        match (label.is_empty(), column) {
            (true, None) => Self::whole(value),
            (true, Some(column)) => Self::whole(&format!("{column} is {value}")),
            (false, None) => Self::whole(&format!("{label}: {value}")),
            (false, Some(column)) => Self::whole(&format!("{label}: {column} is {value}")),
        }
    }

    /// An item with the words that lead to it: "The robot has" and "40 kg payload".
    pub(super) fn led(lead: &str, item: &str, headless: bool) -> Option<Self> {
        let trimmed = lead.trim_end();
        let mut stem = trimmed;
        for tail in ["the following", "as follows", "these", "following"] {
            let shorter =
                stem.len().checked_sub(tail.len()).filter(|at| stem.is_char_boundary(*at));
            if let Some(at) = shorter
                && stem[at..].eq_ignore_ascii_case(tail)
                && stem[..at].ends_with(' ')
            {
                stem = stem[..at].trim_end();
            }
        }
        let last = tokens(stem).pop()?;
        let runs_on = stem.len() < trimmed.len()
            || matches!(last.pos, Pos::Verb | Pos::Aux | Pos::Preposition)
            || matches!(
                last.lower.as_str(),
                "include" | "includes" | "including" | "are" | "is" | "has" | "have" | "to"
            );
        if headless && last.pos != Pos::ProperNoun {
            return None;
        }
        let said = if headless {
            let mut chars = item.chars();
            let first: String = chars.next()?.to_lowercase().collect();
            format!("{stem} {first}{}", chars.as_str())
        } else if runs_on {
            format!("{stem} {item}")
        } else {
            format!("{stem}: {item}")
        };
        Some(Self::whole(&said))
    }

    /// Whether two statements have the same words.
    pub(super) fn says(&self, other: &Self) -> bool {
        self.text.trim_end_matches('.').eq_ignore_ascii_case(other.text.trim_end_matches('.'))
    }
}

fn substantive(token: &Token, start: usize) -> Option<SubstantiveWord> {
    let kind = match token.pos {
        Pos::Noun => WordType::Noun,
        Pos::Verb => WordType::Verb,
        Pos::Numeral => WordType::Numeral,
        Pos::ProperNoun => WordType::ProperNoun,
        _ => return None,
    };
    Some(carrying(token.text.clone(), kind, start))
}

fn carrying(word: String, kind: WordType, start: usize) -> SubstantiveWord {
    let position = Span { start, end: start + word.chars().count() };
    SubstantiveWord { importance: kind.importance(), word, kind, position }
}

/// A sentence whose drafts become statements.
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) meanings: &'a Meanings,
}

/// A statement being written.
#[derive(Default)]
struct Line {
    text: String,
    chars: usize,
    words: Vec<SubstantiveWord>,
}

impl Line {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.chars += text.chars().count();
    }

    /// The space before the next piece.
    fn gap(&mut self, next: &str) {
        let glued = next.starts_with(['\'', '’', ',', '.', ';', ')', '%']);
        if !self.text.is_empty() && !glued && !self.text.ends_with(' ') {
            self.push(" ");
        }
    }
}

/// Characters of what no statement holds, as it is told.
const SHOWN: usize = 120;

impl Sentence<'_> {
    /// The first words with content that are in none of the drafts. What stands before all of them only leads to them: "In
    /// addition", "As a result".
    pub(super) fn left_out(&self, drafts: &[Draft]) -> Option<String> {
        let mut is_held = vec![false; self.tokens.len()];
        for piece in drafts.iter().flatten() {
            let range = match piece {
                Piece::Tokens(range) => range.clone(),
                Piece::Word(_, Some(token)) => *token..*token + 1,
                Piece::Word(_, None) => continue,
            };
            if let Some(held) = is_held.get_mut(range) {
                held.fill(true);
            }
        }
        let first = is_held.iter().position(|held| *held)?;
        let has_content = |at: &usize| {
            matches!(self.tokens[*at].pos, Pos::Noun | Pos::ProperNoun | Pos::Numeral | Pos::Verb)
        };
        let from = (first..is_held.len()).find(|at| !is_held[*at] && has_content(at))?;
        let end = (from..is_held.len()).find(|at| is_held[*at]).unwrap_or(is_held.len());
        let last = (from..end).rev().find(|at| !self.tokens[*at].is_mark())?;
        let words = self.text.get(self.tokens[from].bytes.start..self.tokens[last].bytes.end)?;
        Some(words.chars().take(SHOWN).collect())
    }

    /// The statement of a draft and the characters of the sentence that it covers.
    ///
    /// # Errors
    /// The reason, if a pronoun in it is not certain.
    pub(super) fn render(&self, draft: &Draft) -> Result<(Statement, Range<usize>), String> {
        let mut line = Line::default();
        let mut cover: Option<Range<usize>> = None;
        let mut named: Vec<&Meaning> = Vec::new();
        let held: Vec<Range<usize>> = draft
            .iter()
            .filter_map(|piece| match piece {
                Piece::Tokens(range) => Some(range.clone()),
                Piece::Word(..) => None,
            })
            .collect();
        let mut used: Vec<&Token> = Vec::new();
        for piece in draft {
            let origin = match piece {
                Piece::Tokens(range) => Some(range.clone()).filter(|range| !range.is_empty()),
                Piece::Word(_, Some(token)) => Some(*token..*token + 1),
                Piece::Word(_, None) => None,
            };
            if let Some(range) = origin {
                let (start, end) =
                    (self.tokens[range.start].chars.start, self.tokens[range.end - 1].chars.end);
                cover = Some(cover.map_or(start..end, |c| c.start.min(start)..c.end.max(end)));
            }
            match piece {
                Piece::Word(word, token) => {
                    line.gap(word);
                    if let Some(token) = token.and_then(|at| self.tokens.get(at)) {
                        let kind =
                            if token.pos == Pos::Noun { WordType::Noun } else { WordType::Verb };
                        line.words.push(carrying(word.clone(), kind, line.chars));
                    }
                    line.push(word);
                }
                Piece::Tokens(range) => {
                    used.extend(&self.tokens[range.clone()]);
                    self.write(range.clone(), &mut line, &held, &mut named)?;
                }
            }
        }
        let Some(cover) = cover else { return Err("nothing of the sentence is in it".to_owned()) };
        let mut text = line.text;
        while text.ends_with([',', ';', ' ', ':']) {
            text.pop();
        }
        let inside = [".\"", "!\"", "?\"", ".”", "!”", "?”"].iter().any(|end| text.ends_with(end));
        if !inside && !text.ends_with(['.', '!', '?', '…']) {
            text.push('.');
        }
        let first = text.chars().next().unwrap_or(' ');
        let mut upper = first.to_uppercase();
        if first.is_lowercase() && upper.len() == 1 {
            let capital: String = upper.by_ref().collect();
            text.replace_range(..first.len_utf8(), &capital);
            if let Some(word) = line.words.first_mut().filter(|word| word.position.start == 0) {
                word.word.replace_range(..first.len_utf8(), &capital);
            }
        }
        let kind = kind(used.into_iter());
        Ok((Statement { text, kind, substantive: line.words }, cover))
    }

    /// Writes tokens of the sentence with their own spaces, pronouns replaced.
    fn write<'m>(
        &'m self,
        range: Range<usize>,
        line: &mut Line,
        held: &[Range<usize>],
        named: &mut Vec<&'m Meaning>,
    ) -> Result<(), String> {
        let mut before: Option<usize> = None;
        for at in range.clone() {
            let token = &self.tokens[at];
            let meaning = self.meanings.get(&at).filter(|meaning| !named.contains(meaning));
            match before {
                Some(end) => line.push(&self.text[end..token.bytes.start]),
                None => line.gap(&token.text),
            }
            before = Some(token.bytes.end);
            let replaced = match meaning {
                Some(Meaning::Unclear(reason)) => return Err(reason.clone()),
                Some(Meaning::Earlier(name)) => Some(name.clone()),
                Some(Meaning::Here(tokens)) => {
                    let present =
                        held.iter().any(|h| h.start <= tokens.start && tokens.end <= h.end);
                    let last = tokens.end.checked_sub(1);
                    (!present)
                        .then(|| {
                            last.and_then(|last| {
                                self.text.get(
                                    self.tokens[tokens.start].bytes.start
                                        ..self.tokens[last].bytes.end,
                                )
                            })
                        })
                        .flatten()
                        .map(str::to_owned)
                }
                None => None,
            };
            // "Her death ... it ...": the owner is named as well.
            let owned = match meaning {
                Some(Meaning::Here(tokens)) if is_possessive(&self.tokens[tokens.start].lower) => {
                    let length = self.tokens[tokens.start].text.len();
                    match self.meanings.get(&tokens.start) {
                        Some(Meaning::Earlier(owner)) => Some((owner, length)),
                        _ => None,
                    }
                }
                _ => None,
            };
            let replaced = replaced.map(|name| match owned {
                Some((owner, length)) => {
                    format!("{owner}'s{}", name.get(length..).unwrap_or_default())
                }
                None => name,
            });
            if let (Some(name), Some(meaning)) = (replaced, meaning) {
                named.push(meaning);
                let next = self.tokens.get(at + 1);
                let owner = is_possessive(&token.lower)
                    && (token.lower != "her"
                        || next.is_some_and(|t| {
                            matches!(
                                t.pos,
                                Pos::Noun
                                    | Pos::ProperNoun
                                    | Pos::Adjective
                                    | Pos::Numeral
                                    | Pos::Verb
                            )
                        }));
                for part in tokens_of(&name) {
                    line.words.push(carrying(part.0.clone(), part.1, line.chars + part.2));
                }
                line.push(&name);
                if owner {
                    line.push(if name.ends_with('s') { "'" } else { "'s" });
                }
                continue;
            }
            if let Some(mut word) = substantive(token, line.chars) {
                if at == 0 && line.chars > 0 && token.pos != Pos::ProperNoun {
                    word.word.clone_from(&token.lower);
                }
                line.words.push(word);
            }
            // An American comma before the closing mark of quotation belongs to the sentence around it.
            let stray = matches!(token.text.as_str(), "," | ";")
                && self.tokens.get(at + 1).is_some_and(|t| matches!(t.text.as_str(), "\"" | "”"))
                && at + 2 == range.end;
            // "Born in Lund" comes behind the name now.
            let moved =
                at == 0 && line.chars > 0 && token.pos != Pos::ProperNoun && token.lower != "i";
            if !stray {
                line.push(if moved { &token.lower } else { &token.text });
            }
        }
        // The closing mark of `"The Abyss,"` stands behind the comma.
        let opened = self.tokens[range.start].text.as_str();
        let closes = matches!(opened, "\"" | "“")
            && range.clone().skip(1).all(|at| !matches!(self.tokens[at].text.as_str(), "\"" | "”"));
        let open_inside = range
            .clone()
            .filter(|at| matches!(self.tokens[*at].text.as_str(), "\"" | "“" | "”"))
            .count()
            % 2
            == 1;
        if (closes || open_inside)
            && let Some(mark) =
                self.tokens.get(range.end + 1).filter(|t| matches!(t.text.as_str(), "\"" | "”"))
        {
            line.push(&mark.text);
        }
        Ok(())
    }
}

/// The carrying words of a name: word, type, characters before it.
fn tokens_of(name: &str) -> Vec<(String, WordType, usize)> {
    let mut found = Vec::new();
    let mut chars = 0;
    for part in name.split(' ') {
        let kind = if part.starts_with(char::is_uppercase) {
            WordType::ProperNoun
        } else {
            WordType::Noun
        };
        let trimmed = part.trim_matches(|c: char| !c.is_alphanumeric());
        let lead = part.chars().take_while(|c| !c.is_alphanumeric()).count();
        if trimmed.chars().any(char::is_alphanumeric)
            && !matches!(trimmed, "the" | "The" | "a" | "of" | "and" | "A")
        {
            found.push((trimmed.to_owned(), kind, chars + lead));
        }
        chars += part.chars().count() + 1;
    }
    found
}
