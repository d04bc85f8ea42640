//! A text analysed once, so that it can be checked against many others.

use super::lexicon::{self, Negator, Side};
use super::names::{self, Name};
use super::quantity::{Quantity, quantities};
use super::when::{When, dates};
use crate::verify::tokens::{Pos, Token, tokens};
use crate::wordnet::{Part, Word, WordNet};
use elenchus_core::text::is_stop_word;

/// Tokens after a negating word that it can reach.
const NEGATION_REACH: usize = 10;

/// Tokens after a hedging word that it can reach.
const HEDGE_REACH: usize = 12;

/// What a token is to the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word of no weight: "the", "of", a mark.
    Empty,
    /// A word with content.
    Plain,
    /// Part of a name.
    Name,
    /// Part of a number.
    Number,
    /// Part of a date.
    Date,
}

/// What the checks keep of a token.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Hash of the stem.
    pub(super) key: u64,
    /// Hash of the lower-case form.
    pub(super) form: u64,
    pub(super) kind: Kind,
    /// Which clause of the text it stands in, from 0.
    pub(super) clause: u16,
    /// Whether an odd number of negations reaches it.
    pub(super) negated: bool,
    /// Whether a negation turns this very word: the first predicate or noun phrase after it.
    pub(super) turned: bool,
    /// Whether a "may" or "suggests" reaches it.
    pub(super) hedged: bool,
    pub(super) sides: &'static [Side],
    pub(super) word: Option<Word>,
}

/// A text as the checks need it: make it once, use it in any number of checks.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    pub(super) items: Vec<Item>,
    pub(super) quantities: Vec<Quantity>,
    pub(super) dates: Vec<When>,
    pub(super) names: Vec<Name>,
    /// Stem hashes of content tokens with their places, in order of the hashes.
    pub(super) keys: Vec<(u64, u32)>,
    /// Places of the negating words.
    pub(super) negators: Vec<usize>,
    pub(super) hedges: bool,
    pub(super) boosters: Vec<usize>,
    pub(super) exclusive: bool,
}

pub(super) fn hash(text: &str) -> u64 {
    // FNV-1a, finished with a multiplication so that the low bits are mixed.
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, b| {
        (sum ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    });
    (sum ^ (sum >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Prepared {
    /// Analyses a text, best a sentence. Never fails; linear in the length of the text.
    pub fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let dates = dates(&tokens);
        let mut kinds = vec![Kind::Empty; tokens.len()];
        for date in &dates {
            kinds[date.tokens.clone()].fill(Kind::Date);
        }
        let quantities = quantities(&tokens, &|at| kinds.get(at) == Some(&Kind::Date));
        for quantity in &quantities {
            // A year, which a date already holds, stays a date.
            for at in quantity.tokens.clone() {
                if kinds[at] == Kind::Empty && !bound_word(&tokens[at].lower) {
                    kinds[at] = Kind::Number;
                }
            }
        }
        let names = names::names(&tokens, &kinds);
        for name in &names {
            for at in &name.words {
                kinds[*at] = Kind::Name;
            }
        }
        for (token, kind) in tokens.iter().zip(&mut kinds) {
            if *kind == Kind::Empty && is_content(token) {
                *kind = Kind::Plain;
            }
        }
        let clauses = clauses(&tokens);
        let mut items: Vec<Item> = tokens
            .iter()
            .zip(&kinds)
            .zip(&clauses)
            .map(|((token, kind), clause)| item(token, *kind, *clause))
            .collect();
        let negators = negate(&tokens, &mut items);
        let hedges = hedge(&tokens, &mut items);
        let boosters = (0..tokens.len())
            .filter(|i| {
                let token = &tokens[*i];
                let doubtless = token.lower == "doubt"
                    && tokens[i.saturating_sub(3)..*i]
                        .iter()
                        .any(|t| matches!(t.lower.as_str(), "no" | "without" | "beyond"));
                doubtless || lexicon::is_booster(&token.lower, &token.stem) && !items[*i].negated
            })
            .collect();
        let mut keys: Vec<(u64, u32)> = items
            .iter()
            .enumerate()
            .filter(|(_, item)| matches!(item.kind, Kind::Plain | Kind::Name))
            .map(|(at, item)| (item.key, u32::try_from(at).unwrap_or(u32::MAX)))
            .collect();
        keys.sort_unstable();
        let exclusive = tokens.iter().any(|t| lexicon::is_exclusive(&t.lower));
        Self {
            text: text.to_owned(),
            tokens,
            items,
            quantities,
            dates,
            names,
            keys,
            negators,
            hedges,
            boosters,
            exclusive,
        }
    }

    /// The text that was analysed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its tokens; [`super::Grounding::token`] counts in them.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Whether a token carries content: a name, number, date, or a word that is no function word.
    pub fn is_content(&self, token: usize) -> bool {
        self.items.get(token).is_some_and(|item| item.kind != Kind::Empty)
    }

    /// Whether both are the same words in the same order, marks and case aside.
    pub(super) fn same_words(&self, other: &Self) -> bool {
        let words = |p: &'_ Self| -> Vec<u64> {
            p.tokens
                .iter()
                .zip(&p.items)
                .filter(|(t, _)| !t.is_mark())
                .map(|(_, i)| i.form)
                .collect()
        };
        self.text == other.text || words(self) == words(other) && marks(self) == marks(other)
    }
}

/// The marks that carry meaning: signs of money and shares.
fn marks(p: &Prepared) -> Vec<&str> {
    p.tokens
        .iter()
        .filter(|t| {
            t.is_mark() && matches!(t.text.as_str(), "$" | "€" | "£" | "¥" | "%" | "°" | "-" | "+")
        })
        .map(|t| t.text.as_str())
        .collect()
}

fn bound_word(lower: &str) -> bool {
    matches!(
        lower,
        "about"
            | "around"
            | "over"
            | "under"
            | "than"
            | "more"
            | "less"
            | "fewer"
            | "least"
            | "most"
            | "at"
            | "nearly"
            | "almost"
            | "approximately"
            | "roughly"
            | "up"
            | "to"
            | "some"
    )
}

fn is_content(token: &Token) -> bool {
    // Function words with a direction; "cause", which taggers take for "because".
    if matches!(
        token.lower.as_str(),
        "before"
            | "after"
            | "above"
            | "below"
            | "inside"
            | "outside"
            | "more"
            | "less"
            | "fewer"
            | "most"
            | "least"
            | "fewest"
            | "under"
            | "beneath"
            | "cause"
    ) {
        return true;
    }
    match token.pos {
        Pos::Noun | Pos::ProperNoun | Pos::Verb | Pos::Adjective | Pos::Numeral => {
            !is_light(&token.lower)
        }
        Pos::Adverb => !is_stop_word(&token.lower) && !is_light(&token.lower),
        Pos::Other => token.text.chars().any(char::is_alphanumeric),
        _ => false,
    }
}

/// Verbs and fillers that carry nothing of their own.
fn is_light(lower: &str) -> bool {
    matches!(
        lower,
        "be" | "is"
            | "are"
            | "was"
            | "were"
            | "been"
            | "being"
            | "am"
            | "has"
            | "have"
            | "had"
            | "having"
            | "do"
            | "does"
            | "did"
            | "done"
            | "will"
            | "would"
            | "can"
            | "could"
            | "may"
            | "might"
            | "must"
            | "shall"
            | "should"
            | "there"
            | "s"
            | "'s"
            | "’s"
            | "also"
            | "i"
            | "own"
            | "such"
            | "etc"
            | "ca"
    )
}

fn item(token: &Token, kind: Kind, clause: u16) -> Item {
    let plain = kind == Kind::Plain;
    let word = plain.then(|| {
        let word = WordNet::builtin().lookup(&token.lower);
        match token.pos {
            Pos::Noun => word.only(Part::Noun),
            Pos::Verb => word.only(Part::Verb),
            Pos::Adjective => word.only(Part::Adjective),
            Pos::Adverb => word.only(Part::Adverb),
            _ => word,
        }
    });
    let named = kind == Kind::Name;
    Item {
        key: if named { hash(&names::folded(&token.lower)) } else { hash(&token.stem) },
        form: hash(&token.lower),
        kind,
        clause,
        negated: false,
        turned: false,
        hedged: false,
        sides: if named { &[] } else { lexicon::sides_of(&token.lower, &token.stem) },
        word: word.filter(Word::is_known),
    }
}

/// Numbers the clauses: parts between marks and conjunctions; one without a verb belongs to the one before it.
fn clauses(tokens: &[Token]) -> Vec<u16> {
    let parts = parts(tokens);
    let mut verbs = vec![false; parts.last().map_or(0, |last| usize::from(*last) + 1)];
    for (token, part) in tokens.iter().zip(&parts) {
        verbs[usize::from(*part)] |= matches!(token.pos, Pos::Verb | Pos::Aux);
    }
    let mut clause = 0_u16;
    let mut verb_met = false;
    let numbers: Vec<u16> = verbs
        .iter()
        .map(|verb| {
            if *verb && verb_met {
                clause += 1;
            }
            verb_met |= *verb;
            clause
        })
        .collect();
    parts.iter().map(|part| numbers[usize::from(*part)]).collect()
}

fn parts(tokens: &[Token]) -> Vec<u16> {
    let mut clause = 0_u16;
    let mut verb_seen = false;
    tokens
        .iter()
        .enumerate()
        .map(|(at, token)| {
            let opens = match token.lower.as_str() {
                ";" | ":" | "," | "(" | ")" | "—" | "–" | "." | "?" | "!" => true,
                "while" | "whereas" | "but" | "although" | "though" | "because" | "which"
                | "who" | "where" | "when" | "however" => true,
                "and" | "or" => {
                    verb_seen
                        && tokens[at + 1..]
                            .iter()
                            .take(5)
                            .skip_while(|t| {
                                !matches!(t.pos, Pos::Noun | Pos::ProperNoun | Pos::Pronoun)
                            })
                            .any(|t| matches!(t.pos, Pos::Verb | Pos::Aux))
                }
                _ => false,
            };
            if opens {
                clause = clause.saturating_add(1);
                verb_seen = false;
            }
            verb_seen |= matches!(token.pos, Pos::Verb | Pos::Aux);
            clause
        })
        .collect()
}

/// Whether a token ends what an operator before it can reach.
fn ends_scope(token: &Token) -> bool {
    matches!(
        token.lower.as_str(),
        ";" | ":"
            | ","
            | "("
            | ")"
            | "—"
            | "–"
            | "."
            | "?"
            | "!"
            | "but"
            | "whereas"
            | "while"
            | "although"
            | "because"
            | "however"
            | "though"
            | "until"
    )
}

/// Marks what negations reach; gives their places.
fn negate(tokens: &[Token], items: &mut [Item]) -> Vec<usize> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let lower = tokens[at].lower.as_str();
        let next = tokens.get(at + 1).map_or("", |t| t.lower.as_str());
        let after = tokens.get(at + 2).map_or("", |t| t.lower.as_str());
        // "stopped sinking" and "no longer sinks" both turn what follows.
        let cue = match (lower, next) {
            ("rule" | "ruled" | "rules" | "ruling", "out") => Some(Negator::Implicit),
            _ => lexicon::negator(lower, &tokens[at].stem),
        };
        let Some(cue) = cue else { continue };
        if items[at].kind == Kind::Name
            || matches!(lower, "not" | "no") && lexicon::cancels_negation(next)
            || lower == "without" && (next == "doubt" || after == "doubt")
            || matches!(lower, "no" | "not")
                && matches!(next, "more" | "fewer" | "less")
                && after == "than"
            || lower == "no" && next == "."
            || items[at].kind == Kind::Number
        {
            continue;
        }
        found.push(at);
        reach(tokens, items, at, cue);
    }
    found
}

fn reach(tokens: &[Token], items: &mut [Item], at: usize, cue: Negator) {
    // "He came not", "he knew him not", "they know nothing".
    let plain = |i: usize| {
        let named = i
            .checked_sub(1)
            .is_some_and(|j| matches!(tokens[j].pos, Pos::Determiner | Pos::Adjective));
        items[i].kind == Kind::Plain
            && (tokens[i].pos == Pos::Verb || tokens[i].pos == Pos::Noun && !named)
    };
    let skip = if at > 1 && tokens[at - 1].pos == Pos::Pronoun { 2 } else { 1 };
    let verb = at.checked_sub(skip).filter(|i| plain(*i));
    if let Some(verb) = verb
        && cue != Negator::Implicit
        && !matches!(tokens[at].lower.as_str(), "never" | "without" | "neither" | "nor")
    {
        items[verb].negated = !items[verb].negated;
        items[verb].turned = true;
    }
    // "A man with no shirt is running": behind a preposition only the noun phrase is meant.
    let lower = tokens[at].lower.as_str();
    let phrase = lower == "without"
        || lower == "no"
            && at > 0
            && matches!(
                tokens[at - 1].lower.as_str(),
                "with" | "of" | "in" | "at" | "by" | "to" | "from" | "under" | "on"
            )
        || tokens[at].pos == Pos::Noun;
    let mut turning = true;
    let mut noun_seen = false;
    for i in (at + 1..tokens.len()).take(NEGATION_REACH) {
        let noun = matches!(tokens[i].pos, Pos::Noun | Pos::ProperNoun);
        if ends_scope(&tokens[i]) || phrase && noun_seen && !noun {
            break;
        }
        items[i].negated = !items[i].negated;
        // The first predicate is over where its noun phrase is.
        let link = matches!(tokens[i].pos, Pos::Preposition | Pos::Conjunction | Pos::Pronoun);
        turning &= !((link || phrase_over(&tokens[i])) && noun_seen);
        noun_seen |= noun;
        if !turning || !matches!(items[i].kind, Kind::Plain | Kind::Name) {
            continue;
        }
        let implicit = lexicon::negator(&tokens[i].lower, &tokens[i].stem).is_some();
        items[i].turned = true;
        match cue {
            // "no man is playing": the phrase and its verb.
            Negator::Nominal => turning = noun || !noun_seen,
            Negator::Verbal | Negator::Implicit => {
                turning = implicit || tokens[i].pos != Pos::Verb;
            }
        }
    }
}

/// Whether a token begins something new after a noun phrase.
fn phrase_over(token: &Token) -> bool {
    matches!(token.pos, Pos::Determiner | Pos::Particle)
}

/// Marks what hedges reach; says whether there is one.
fn hedge(tokens: &[Token], items: &mut [Item]) -> bool {
    let mut any = false;
    for at in 0..tokens.len() {
        // "May 2019" is no hedge.
        if items[at].kind == Kind::Date
            || items[at].kind == Kind::Name
            || !lexicon::is_hedge(&tokens[at].lower, &tokens[at].stem)
        {
            continue;
        }
        any = true;
        for i in (at + 1..tokens.len()).take(HEDGE_REACH) {
            if matches!(tokens[i].lower.as_str(), ";" | "." | "but" | "whereas" | "while") {
                break;
            }
            items[i].hedged = true;
        }
    }
    any
}
