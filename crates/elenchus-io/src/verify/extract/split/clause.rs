//! Clauses: subjects, verbs, and what is said of whom.

use super::chunk::{Chunk, Form, Kind};
use super::words;
use super::{Draft, Piece};
use crate::verify::tokens::{Pos, Token};
use std::ops::Range;

/// More statements than this are not taken out of one sentence.
const MOST: usize = 40;

/// Clauses within clauses are read to this depth.
const DEPTH: u8 = 4;

/// Who or what a clause is about.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// Each of a row ("A", "B"), or just one.
    pub(super) each: Vec<Vec<Piece>>,
    /// All as they stand.
    pub(super) whole: Vec<Piece>,
}

impl Subject {
    pub(super) fn one(pieces: Vec<Piece>) -> Self {
        Self { each: vec![pieces.clone()], whole: pieces }
    }
}

/// The verb of a clause.
#[derive(Clone, Debug)]
pub(super) struct Verb {
    /// Each of a row ("written", "directed") with its helpers.
    pub(super) each: Vec<Vec<Piece>>,
    /// A form of "be" without another verb.
    pub(super) copula: bool,
    /// Past or perfect.
    pub(super) past: bool,
    /// Leaving a phrase out would say something else.
    pub(super) tight: bool,
    /// Stem of the main verb.
    pub(super) stem: String,
    /// Helpers to be shared with a participle that follows "and".
    pub(super) helpers: Vec<Piece>,
    /// Whether it is present tense and plain ("play"), so that a singular subject changes it.
    pub(super) plain: Option<usize>,
}

pub(super) struct Splitter<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) chunks: &'a [Chunk],
    pub(super) out: Vec<Draft>,
    pub(super) depth: u8,
}

/// The statements of a sentence; none if it has no verb.
pub(super) fn statements(tokens: &[Token], chunks: &[Chunk]) -> Vec<Draft> {
    let mut splitter = Splitter { tokens, chunks, out: Vec::new(), depth: 0 };
    let mut hi = chunks.len();
    // "In all", "in total" end in a word that no noun follows.
    let is_mark = |chunk: &Chunk| match chunk.kind {
        Kind::Comma | Kind::Break => true,
        Kind::Other => tokens[chunk.tokens.clone()].iter().all(Token::is_mark),
        _ => false,
    };
    while hi > 0 && is_mark(&chunks[hi - 1]) {
        hi -= 1;
    }
    splitter.sentence(0, hi);
    let mut drafts = splitter.out;
    if drafts.len() > MOST {
        drafts.clear();
        drafts.push(vec![Piece::Tokens(0..tokens.len())]);
    }
    drafts
}

/// What a sentence is about.
pub(super) fn outline(tokens: &[Token], chunks: &[Chunk]) -> super::Outline {
    let splitter = Splitter { tokens, chunks, out: Vec::new(), depth: 0 };
    let hi = chunks.len();
    let mut lo = splitter.after_connective(0, hi);
    if let Some(comma) = splitter.front_comma(lo, hi) {
        lo = comma + 1;
    }
    while lo < hi && matches!(splitter.kind(lo), Some(Kind::Adverb)) {
        lo += 1;
    }
    // Names are meant without what stands in brackets behind them.
    let bare = |range: Range<usize>| {
        let bracket = range.clone().skip(1).find(|at| tokens[*at].text == "(");
        range.start..bracket.unwrap_or(range.end)
    };
    let mut nouns: Vec<Range<usize>> =
        chunks.iter().filter(|c| c.kind == Kind::Noun).map(|c| bare(c.tokens.clone())).collect();
    let mut outline = super::Outline::default();
    if lo < hi
        && splitter.kind(lo) == Some(Kind::Noun)
        && let Some(verb) = splitter.main_verb(lo, hi)
    {
        let (_, next) = splitter.noun_list(lo, verb);
        outline.plain_subject = next == lo + 1;
        outline.subject = Some(bare(chunks[lo].tokens.start..chunks[next - 1].tokens.end));
        let main = &tokens[chunks[verb].head];
        if words::is_be(&main.lower) && splitter.kind(verb + 1) == Some(Kind::Noun) {
            outline.is_a = Some(tokens[chunks[verb + 1].head].lower.clone());
            // What the subject is is nobody else.
            let same = chunks[verb + 1].tokens.start;
            nouns.retain(|noun| noun.start != same);
        }
    }
    outline.nouns = nouns;
    outline
}

impl Splitter<'_> {
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.chunks.get(at).map(|chunk| chunk.kind)
    }

    pub(super) fn lower(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| token.lower.as_str())
    }

    /// First word of a phrase.
    pub(super) fn opens(&self, at: usize) -> &str {
        self.chunks.get(at).map_or("", |chunk| self.lower(chunk.tokens.start))
    }

    /// The tokens of phrases.
    pub(super) fn span(&self, from: usize, to: usize) -> Piece {
        Piece::Tokens(self.chunks[from].tokens.start..self.chunks[to - 1].tokens.end)
    }

    pub(super) fn is_verb(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Verb(_)))
    }

    /// Whether words that bind tightly stand in these phrases.
    pub(super) fn tight(&self, from: usize, to: usize) -> bool {
        if from >= to {
            return false;
        }
        let tokens = self.chunks[from].tokens.start..self.chunks[to - 1].tokens.end;
        self.tokens[tokens].iter().any(|token| words::binds_tightly(&token.lower))
    }

    pub(super) fn sentence(&mut self, lo: usize, hi: usize) {
        let lo = self.after_connective(lo, hi);
        let Some(last) = hi.checked_sub(1).filter(|last| *last >= lo) else { return };
        let conditional = self.tokens[self.chunks[lo].tokens.start..self.chunks[last].tokens.end]
            .iter()
            .any(|t| matches!(t.lower.as_str(), "if" | "unless" | "whether" | "than"))
            || self.likens(lo, hi);
        // Dashes and colons hold what only the whole says.
        let held = (lo..hi).any(|at| self.kind(at) == Some(Kind::Break) && self.opens(at) != ";")
            || self.kind(lo) == Some(Kind::Subordinator)
                && (lo..hi).any(|at| self.kind(at) == Some(Kind::Break));
        if conditional || held {
            if self.main_verb(lo, hi).is_some() {
                self.out.push(vec![self.span(lo, hi)]);
            }
            return;
        }
        let mut start = lo;
        let mut seen_verb = false;
        let mut at = lo;
        while at < hi {
            seen_verb |=
                matches!(self.kind(at), Some(Kind::Verb(Form::Finite | Form::Past | Form::Base)));
            let comma = at > lo && self.kind(at - 1) == Some(Kind::Comma);
            let joint = matches!(self.kind(at), Some(Kind::And | Kind::But | Kind::Break));
            if joint
                && seen_verb
                && self.clause_begins(at + 1, hi, comma || self.opens(at) == ";")
                && !self.holds_clause(start, at)
            {
                let end = if comma { at - 1 } else { at };
                self.clause(start, end, None);
                start = self.after_connective(at + 1, hi);
                at = start;
                seen_verb = false;
                continue;
            }
            at += 1;
        }
        self.clause(start, hi, None);
    }

    /// Whether a "that" clause or somebody's words have begun: what follows may be part of them.
    pub(super) fn holds_clause(&self, lo: usize, hi: usize) -> bool {
        (lo..hi).any(|at| {
            self.kind(at) == Some(Kind::Subordinator) && self.opens(at) == "that"
                || self.is_verb(at)
                    && words::is_reporting(self.lower(self.chunks[at].head))
                    && self.clause_begins(at + 1, hi, false)
        })
    }

    /// Whether a subject with its finite verb begins at `at`.
    pub(super) fn clause_begins(&self, at: usize, hi: usize, set_off: bool) -> bool {
        let mut next = at;
        while next < hi && matches!(self.kind(next), Some(Kind::Adverb)) {
            next += 1;
        }
        if next >= hi || self.kind(next) != Some(Kind::Noun) {
            return false;
        }
        let pronoun = self.chunks[next].tokens.len() == 1
            && self.tokens[self.chunks[next].head].pos == Pos::Pronoun;
        next += 1;
        while next < hi && next < at + 9 {
            match self.kind(next) {
                Some(Kind::Verb(Form::Finite)) => return true,
                Some(Kind::Verb(Form::Past | Form::Base)) => return pronoun || set_off,
                Some(Kind::And) if self.kind(next + 1) != Some(Kind::Noun) => return false,
                Some(Kind::Noun | Kind::Preposition | Kind::Adverb | Kind::And | Kind::Bracket) => {
                    next += 1;
                }
                _ => return false,
            }
        }
        false
    }

    /// The phrase with the finite verb of the clause that begins at `lo`.
    pub(super) fn main_verb(&self, lo: usize, hi: usize) -> Option<usize> {
        let mut relative = false;
        for at in lo..hi {
            match self.kind(at) {
                Some(Kind::Relative) => relative = true,
                Some(Kind::Subordinator) if at > lo => return None,
                Some(Kind::Break) => return None,
                Some(Kind::Verb(form)) => {
                    let finite = match form {
                        Form::Finite | Form::Base => at > lo,
                        Form::Past => {
                            at > lo
                                && (matches!(
                                    self.kind(at - 1),
                                    Some(
                                        Kind::Noun | Kind::Adverb | Kind::Bracket | Kind::Relative
                                    )
                                ) || self.kind(at - 1) == Some(Kind::Comma)
                                    && self.closed_comma(lo, at - 1))
                                && !self.later_finite(at + 1, hi)
                        }
                        Form::Participle | Form::Ing => false,
                    };
                    if finite {
                        if relative {
                            relative = false;
                            continue;
                        }
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the comma at `at` closes something that another comma opened.
    pub(super) fn closed_comma(&self, lo: usize, at: usize) -> bool {
        (lo..at).any(|k| self.kind(k) == Some(Kind::Comma))
    }

    /// Whether a clear finite verb follows directly after the phrases of a reduced relative clause
    /// ("the film directed by A won").
    pub(super) fn later_finite(&self, from: usize, hi: usize) -> bool {
        for at in from..hi {
            match self.kind(at) {
                Some(Kind::Noun | Kind::Preposition | Kind::Adverb) => {}
                Some(Kind::Verb(Form::Finite | Form::Past)) => {
                    return self.kind(at - 1) == Some(Kind::Noun)
                        && self.kind(from) == Some(Kind::Preposition)
                        && self.kind(at) == Some(Kind::Verb(Form::Finite));
                }
                _ => return false,
            }
        }
        false
    }

    /// Reads the clause in the phrases `lo..hi`; `front` phrases stand before its subject.
    pub(super) fn clause(&mut self, lo: usize, hi: usize, front: Option<Range<usize>>) {
        if lo >= hi || self.depth >= DEPTH {
            return;
        }
        if front.is_none() && self.has_absolute(lo, hi) {
            self.out.push(vec![self.span(lo, hi)]);
            return;
        }
        if front.is_none()
            && let Some(comma) = self.front_comma(lo, hi)
        {
            self.fronted(lo, comma, hi);
            return;
        }
        let mut lo = lo;
        let mut front = front;
        // "In 2000 Salazar joined ..."
        if front.is_none()
            && self.kind(lo) == Some(Kind::Preposition)
            && self.kind(lo + 1) == Some(Kind::Noun)
            && self.kind(lo + 2) == Some(Kind::Noun)
        {
            front = Some(lo..lo + 2);
            lo += 2;
        }
        let mut past = lo;
        while past < hi && matches!(self.kind(past), Some(Kind::Adverb)) {
            past += 1;
        }
        // "Too few", "only two", "together the two": without the word it is another number.
        let counts = |at: usize| words::measures(self.opens(at)) || words::gathers(self.opens(at));
        if !(lo..past).any(counts) {
            lo = past;
        }
        let Some(verb) = self.main_verb(lo, hi).filter(|verb| *verb > lo) else {
            let wanted = self.out.is_empty() || self.depth == 0;
            if wanted && lo < hi && (lo..hi).any(|at| self.is_verb(at)) {
                self.out.push(vec![self.span(lo, hi)]);
            }
            return;
        };
        if self.kind(lo) != Some(Kind::Noun) {
            self.out.push(vec![self.span(lo, hi)]);
            return;
        }
        let reported = self.lower(self.chunks[verb].head).to_owned();
        let quotes = words::is_reporting(&reported)
            && (self.kind(verb + 1) == Some(Kind::Subordinator)
                || self.clause_begins(verb + 1, hi, false)
                || self.tokens[self.chunks[verb].tokens.end.min(self.tokens.len() - 1)..]
                    .iter()
                    .take(3)
                    .any(|t| matches!(t.text.as_str(), "\"" | "“" | "«")));
        // "It was the first time that ...": what is said of "it" is not said of anything.
        let cleft = self.opens(lo) == "it"
            && words::is_be(&reported)
            && (verb + 1..hi).any(|at| {
                matches!(self.kind(at), Some(Kind::Relative | Kind::Subordinator))
                    && matches!(self.opens(at), "that" | "who" | "when")
            });
        let existential = self.opens(lo) == "there" || cleft;
        if quotes || existential {
            let from = front.as_ref().map_or(lo, |f| f.start);
            self.out.push(vec![self.span(from, hi)]);
            return;
        }
        let subject = self.subject(lo, verb);
        let before = self.out.len();
        self.predicates(verb, hi, &subject);
        if let Some(front) = front {
            self.put_front(&front, before);
        }
    }

    /// The subject in `lo..verb`, after saying what its appositions and relative clauses say.
    pub(super) fn subject(&mut self, lo: usize, verb: usize) -> Subject {
        if let Some(subject) = self.lived(lo, verb) {
            return subject;
        }
        let (items, next) = self.noun_list(lo, verb);
        let plain = |s: &Self, to: usize| Subject::one(vec![s.span(lo, to)]);
        if next == verb {
            let whole = vec![self.span(lo, verb)];
            return Subject { each: items, whole };
        }
        if self.kind(next) == Some(Kind::Comma)
            && self.kind(verb - 1) == Some(Kind::Comma)
            && next + 1 < verb
        {
            let subject = Subject::one(vec![self.span(lo, next)]);
            let past = self.verb(verb, None).past;
            self.depth += 1;
            self.aside(next + 1, verb - 1, &subject, past);
            self.depth -= 1;
            return subject;
        }
        if self.kind(next) == Some(Kind::Bracket) && next + 1 == verb {
            return plain(self, next);
        }
        let end = if self.kind(verb - 1) == Some(Kind::Comma) { verb - 1 } else { verb };
        plain(self, end)
    }

    /// What stands between commas after a noun: an apposition, a relative clause, a participle.
    pub(super) fn aside(&mut self, lo: usize, hi: usize, subject: &Subject, past: bool) {
        if lo >= hi || self.depth >= DEPTH {
            return;
        }
        match self.kind(lo) {
            Some(Kind::Relative) => self.relative(lo, hi, subject),
            Some(Kind::Verb(Form::Ing | Form::Past | Form::Participle)) => {
                self.participle(lo, hi, subject, past);
            }
            Some(Kind::Noun) if self.is_described(lo) => self.apposition(lo, hi, subject, past),
            _ => {}
        }
    }

    /// "a Y", "the Y of Z", "one of the Ys".
    pub(super) fn is_described(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Noun)
            && (matches!(self.opens(at), "a" | "an" | "the" | "one")
                || words::is_possessive(self.opens(at)))
    }

    /// "X, a Y who Z": X is a Y; X Z.
    pub(super) fn apposition(&mut self, lo: usize, hi: usize, subject: &Subject, past: bool) {
        let be = if past { "was" } else { "is" };
        let verb = Verb {
            each: vec![vec![Piece::Word(be.to_owned(), None)]],
            copula: true,
            past,
            tight: self.tight(lo, hi),
            stem: "be".to_owned(),
            helpers: Vec::new(),
            plain: None,
        };
        self.depth += 1;
        self.facts(&verb, lo, hi, subject);
        self.depth -= 1;
    }

    /// "who/which/whose/where ..." about `subject`.
    pub(super) fn relative(&mut self, lo: usize, hi: usize, subject: &Subject) {
        if self.depth >= DEPTH {
            return;
        }
        self.depth += 1;
        let word = self.opens(lo).to_owned();
        let next = lo + 1;
        if self.is_verb(next) && matches!(word.as_str(), "who" | "which" | "that") {
            // "X, which made him rich": what made him rich is not X alone.
            let stem = self.verb(next, None).stem;
            let pronoun =
                self.chunks.get(next + 1).is_some_and(|c| self.tokens[c.head].pos == Pos::Pronoun);
            let caused = matches!(
                stem.as_str(),
                "caus" | "led" | "lead" | "allow" | "enabl" | "result" | "mean" | "meant"
            ) || pronoun && matches!(stem.as_str(), "made" | "make" | "help");
            if !caused || word == "who" {
                self.predicates(next, hi, subject);
            }
        } else if word == "where" && self.main_verb(next, hi).is_some() {
            self.clause(next, hi, Some(next..next));
        } else if word == "whose"
            && let Some(verb) = self.main_verb(next, hi)
            && verb == next + 1
        {
            let mut owner = subject.whole.clone();
            owner.push(Piece::Word("'s".to_owned(), None));
            owner.push(self.span(next, verb));
            self.predicates(verb, hi, &Subject::one(owner));
        } else if matches!(word.as_str(), "which" | "whom" | "that")
            && self.kind(next) == Some(Kind::Noun)
            && self.is_verb(next + 1)
        {
            let mut draft = vec![self.span(next, next + 2)];
            draft.extend(subject.whole.clone());
            if next + 2 < hi {
                draft.push(self.span(next + 2, hi));
            }
            self.out.push(draft);
        }
        self.depth -= 1;
    }

    /// "appearing in ...", "born on ..." about `subject`.
    pub(super) fn participle(&mut self, lo: usize, hi: usize, subject: &Subject, past: bool) {
        if self.depth >= DEPTH {
            return;
        }
        self.depth += 1;
        self.rows(lo, hi, subject, Some(past));
        self.depth -= 1;
    }

    pub(super) fn predicates(&mut self, verb: usize, hi: usize, subject: &Subject) {
        self.rows(verb, hi, subject, None);
    }
}
