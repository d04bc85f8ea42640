//! Which token of the evidence bears out which token of the claim.

use super::lexicon;
use super::names;
use super::prepare::{Kind, Prepared};
use super::quantity::{Fit, Quantity, fits};
use super::when::{Stand, stand};
use super::{GroundedBy, Grounding};
use crate::embed::{StaticEmbedder, dot};
use crate::verify::tokens::Pos;
use crate::wordnet::{Relation, Word, WordNet};
use elenchus_core::text::is_stop_word;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Sentences that are looked at word by word; the others only for words that are the same.
const HOMES: usize = 6;

/// A home has at least this share of the best sentence's overlap.
const HOME_SHARE: f64 = 0.5;

/// Claim tokens and tokens of a home sentence that are compared word by word.
const LONGEST: usize = 160;

/// A "sentence" of more tokens is a text that nobody cut: its words ground a claim, but it is no place to compare.
const LONGEST_SENTENCE: usize = 1000;

/// Relations that are weaker than this do not align two words.
const ALIGNED: f32 = 0.4;

/// Cosines of word vectors from here on ground a word a little.
pub(super) const NEAR_COSINE: f32 = 0.45;

/// Remembered relations are forgotten all at once when there are this many.
const REMEMBERED: usize = 1 << 17;

/// A token of the evidence that stands for one of the claim, or for its opposite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) sentence: usize,
    pub(super) token: usize,
    /// 0 to 1.
    pub(super) strength: f32,
    pub(super) by: GroundedBy,
    /// Whether it is the opposite word.
    pub(super) opposite: bool,
}

/// A claim laid over its evidence.
pub(super) struct View<'a> {
    pub(super) claim: &'a Prepared,
    /// In an order that does not depend on the order given.
    pub(super) evidence: Vec<&'a Prepared>,
    /// Where each stood in the order given.
    pub(super) given: Vec<usize>,
    /// Share of the claim's content, by weight, that each sentence holds in the same words.
    pub(super) overlap: Vec<f64>,
    /// The sentences that say most of the claim, best first.
    pub(super) homes: Vec<usize>,
    /// Aligned tokens by claim token.
    pub(super) hits: Vec<Vec<Hit>>,
    /// Matched claim tokens by home (position in `homes`) and clause.
    clause_hits: Vec<Vec<u16>>,
}

/// How much a claim token counts.
pub(super) fn weight(p: &Prepared, at: usize) -> f64 {
    match (p.items[at].kind, p.tokens[at].pos) {
        (Kind::Empty, _) => 0.0,
        (Kind::Name, _) => 1.0,
        (Kind::Number | Kind::Date, _) => 0.95,
        (Kind::Plain, Pos::Noun | Pos::ProperNoun) => 0.8,
        (Kind::Plain, Pos::Verb) => 0.7,
        (Kind::Plain, Pos::Adjective) => 0.6,
        (Kind::Plain, _) => 0.4,
    }
}

impl<'a> View<'a> {
    pub(super) fn new(claim: &'a Prepared, evidence: &[&'a Prepared]) -> Self {
        let mut given: Vec<usize> = (0..evidence.len()).collect();
        given.sort_by(|a, b| evidence[*a].text.cmp(&evidence[*b].text));
        let sorted: Vec<&Prepared> = given.iter().map(|i| evidence[*i]).collect();
        let mut view = Self {
            claim,
            evidence: sorted,
            given,
            overlap: Vec::new(),
            homes: Vec::new(),
            hits: vec![Vec::new(); claim.tokens.len()],
            clause_hits: Vec::new(),
        };
        view.same_words();
        view.choose_homes();
        view.related_words();
        view.count_clauses();
        view
    }

    /// Exact and stem matches in all sentences, by one look-up an evidence token.
    fn same_words(&mut self) {
        let claim = self.claim;
        let total: f64 = (0..claim.tokens.len())
            .filter(|at| matches!(claim.items[*at].kind, Kind::Plain | Kind::Name))
            .map(|at| weight(claim, at))
            .sum();
        for (sentence, p) in self.evidence.iter().enumerate() {
            let mut held = 0.0;
            for (token, item) in p.items.iter().enumerate() {
                if item.kind == Kind::Empty {
                    continue;
                }
                let from = claim.keys.partition_point(|(key, _)| *key < item.key);
                for (_, at) in
                    claim.keys[from..].iter().take_while(|(key, _)| *key == item.key).take(4)
                {
                    let at = *at as usize;
                    let hits = &mut self.hits[at];
                    if hits.last().is_none_or(|hit| hit.sentence != sentence) {
                        held += weight(claim, at);
                    }
                    if hits.len() < 64 {
                        let exact = claim.items[at].form == item.form;
                        hits.push(Hit {
                            sentence,
                            token,
                            strength: if exact { 1.0 } else { 0.97 },
                            by: if exact { GroundedBy::Exact } else { GroundedBy::Stem },
                            opposite: false,
                        });
                    }
                }
            }
            self.overlap.push(if total > 0.0 { held / total } else { 0.0 });
        }
    }

    fn choose_homes(&mut self) {
        let mut order: Vec<usize> = (0..self.evidence.len()).collect();
        order.sort_by(|a, b| self.overlap[*b].total_cmp(&self.overlap[*a]).then(a.cmp(b)));
        let best = order.first().map_or(0.0, |i| self.overlap[*i]);
        order.retain(|i| {
            self.overlap[*i] >= HOME_SHARE * best
                && self.evidence[*i].tokens.len() <= LONGEST_SENTENCE
        });
        order.truncate(HOMES);
        self.homes = order;
    }

    /// Synonyms, kinds, opposites and other forms of names in the homes.
    fn related_words(&mut self) {
        let claim = self.claim;
        for at in 0..claim.tokens.len().min(LONGEST) {
            let item = &claim.items[at];
            if !matches!(item.kind, Kind::Plain | Kind::Name) {
                continue;
            }
            for h in 0..self.homes.len() {
                let sentence = self.homes[h];
                let p = self.evidence[sentence];
                let met = self.hits[at].iter().any(|hit| hit.sentence == sentence);
                for (token, other) in p.items.iter().enumerate().take(LONGEST) {
                    let hit = match (item.kind, other.kind) {
                        (_, Kind::Empty | Kind::Number | Kind::Date) => None,
                        (Kind::Name, _) | (_, Kind::Name) if met => None,
                        (Kind::Name, _) | (_, Kind::Name) => {
                            names::same_word(&claim.tokens[at].lower, &p.tokens[token].lower)
                                .then_some((0.9, GroundedBy::Name, false))
                        }
                        _ if item.key == other.key => None,
                        _ => related(claim, at, p, token, met),
                    };
                    if let Some((strength, by, opposite)) = hit
                        && self.hits[at].len() < 96
                    {
                        self.hits[at].push(Hit { sentence, token, strength, by, opposite });
                    }
                }
            }
        }
        self.acronyms();
    }

    /// "WHO" for "World Health Organization" and the other way round, anywhere.
    fn acronyms(&mut self) {
        for name in self.claim.names.iter().take(LONGEST) {
            let unmet = |view: &Self, at: usize| view.hits[at].iter().all(|hit| hit.opposite);
            if name.words.iter().all(|at| !unmet(self, *at)) {
                continue;
            }
            for (sentence, p) in self.evidence.iter().enumerate() {
                for other in &p.names {
                    let short = name.words.len() == 1
                        && names::is_acronym(&self.claim.tokens[name.words[0]].lower, other);
                    let long = other.words.len() == 1
                        && names::is_acronym(&p.tokens[other.words[0]].lower, name);
                    if short || long {
                        for at in &name.words {
                            if self.hits[*at].len() < 96 {
                                self.hits[*at].push(Hit {
                                    sentence,
                                    token: other.words[0],
                                    strength: 0.9,
                                    by: GroundedBy::Abbreviation,
                                    opposite: false,
                                });
                            }
                        }
                    }
                }
            }
        }
    }

    fn count_clauses(&mut self) {
        self.clause_hits = self
            .homes
            .iter()
            .map(|s| {
                vec![0; self.evidence[*s].items.last().map_or(0, |i| usize::from(i.clause) + 1)]
            })
            .collect();
        for hits in &self.hits {
            for (h, sentence) in self.homes.iter().enumerate() {
                let mut seen: [u16; 4] = [u16::MAX; 4];
                let mut n = 0;
                for hit in hits.iter().filter(|hit| hit.sentence == *sentence && !hit.opposite) {
                    let clause = self.evidence[*sentence].items[hit.token].clause;
                    if n < seen.len() && !seen[..n].contains(&clause) {
                        seen[n] = clause;
                        n += 1;
                        self.clause_hits[h][usize::from(clause)] += 1;
                    }
                }
            }
        }
        for (h, sentence) in self.homes.iter().enumerate() {
            let p = self.evidence[*sentence];
            let mut count = |token: usize| {
                self.clause_hits[h][usize::from(p.items[token].clause)] += 1;
            };
            for own in self.claim.quantities.iter().take(LONGEST) {
                let same = |e: &&Quantity| {
                    e.ordinal == own.ordinal
                        && own.unit.is_some() == e.unit.is_some()
                        && own.unit.zip(e.unit).is_none_or(|(a, b)| a.comparable(b))
                        && fits(own, e) == Fit::Holds
                };
                if let Some(e) = p.quantities.iter().take(LONGEST).find(same) {
                    count(e.at);
                }
            }
            for own in self.claim.dates.iter().take(LONGEST) {
                if let Some(e) =
                    p.dates.iter().take(LONGEST).find(|e| stand(own, e) == Stand::Within)
                {
                    count(e.tokens.start);
                }
            }
        }
    }

    /// How many words of the claim stand in the same clause as a token of the evidence; 0 outside the homes.
    pub(super) fn near(&self, sentence: usize, token: usize) -> u16 {
        let Some(h) = self.homes.iter().position(|s| *s == sentence) else { return 0 };
        let clause = usize::from(self.evidence[sentence].items[token].clause);
        self.clause_hits[h].get(clause).copied().unwrap_or(0)
    }

    /// Where the noun that a number of the claim counts stands in the evidence.
    pub(super) fn hits_of_head(&self, q: &Quantity) -> &[Hit] {
        q.head.map_or(&[], |head| &self.hits[head])
    }

    pub(super) fn is_home(&self, sentence: usize) -> bool {
        self.homes.contains(&sentence)
    }

    /// Whether a claim token is aligned with a token of the evidence.
    pub(super) fn aligned(&self, at: usize, sentence: usize, token: usize) -> bool {
        self.hits[at]
            .iter()
            .any(|hit| !hit.opposite && hit.sentence == sentence && hit.token == token)
    }

    /// Whether a content word of some tokens of the claim is aligned with one of a part of a sentence.
    pub(super) fn meets(&self, own: &Range<usize>, sentence: usize, part: &Range<usize>) -> bool {
        let mut content = own.clone().filter(|at| !is_stop_word(&self.claim.tokens[*at].lower));
        content.any(|at| part.clone().any(|token| self.aligned(at, sentence, token)))
    }

    /// Whether a token of the evidence stands for any claim token.
    pub(super) fn is_used(&self, sentence: usize, token: usize) -> bool {
        (0..self.hits.len()).any(|at| self.aligned(at, sentence, token))
    }

    /// The best bearing of every content token of the claim that is a word or name.
    pub(super) fn grounding(&self) -> Vec<Grounding> {
        let claim = self.claim;
        (0..claim.tokens.len())
            .filter(|at| matches!(claim.items[*at].kind, Kind::Plain | Kind::Name))
            .map(|at| {
                let best_overlap = self.homes.first().map_or(0.0, |s| self.overlap[*s]);
                let value = |hit: &Hit| {
                    let far = best_overlap > 0.0
                        && self.overlap[hit.sentence] < HOME_SHARE * best_overlap;
                    f64::from(hit.strength) * if far { 0.8 } else { 1.0 }
                };
                let best = self.hits[at]
                    .iter()
                    .filter(|hit| !hit.opposite)
                    .map(|hit| (value(hit), hit))
                    .max_by(|a, b| {
                        a.0.total_cmp(&b.0)
                            .then(self.overlap[a.1.sentence].total_cmp(&self.overlap[b.1.sentence]))
                            .then((b.1.sentence, b.1.token).cmp(&(a.1.sentence, a.1.token)))
                    });
                match best {
                    Some((score, hit)) => Grounding {
                        token: at,
                        score,
                        by: hit.by,
                        evidence: Some((self.given[hit.sentence], hit.token)),
                    },
                    None => self.nearest(at),
                }
            })
            .collect()
    }

    /// A word without an aligned one: its opposite, else the word nearest to it by its vector.
    fn nearest(&self, at: usize) -> Grounding {
        if let Some(hit) = self.hits[at].first() {
            return Grounding {
                token: at,
                score: 0.0,
                by: GroundedBy::Opposite,
                evidence: Some((self.given[hit.sentence], hit.token)),
            };
        }
        let none = Grounding { token: at, score: 0.0, by: GroundedBy::None, evidence: None };
        if self.claim.items[at].kind != Kind::Plain {
            return none;
        }
        let mut best: Option<(f32, usize, usize)> = None;
        for sentence in self.homes.iter().take(3) {
            let p = self.evidence[*sentence];
            for (token, item) in p.items.iter().enumerate().take(LONGEST) {
                if item.kind != Kind::Plain {
                    continue;
                }
                let cosine = near_cosine(self.claim, at, p, token);
                if cosine >= NEAR_COSINE && best.is_none_or(|(c, _, _)| cosine > c) {
                    best = Some((cosine, *sentence, token));
                }
            }
        }
        best.map_or(none, |(cosine, sentence, token)| Grounding {
            token: at,
            score: f64::from(cosine) * 0.6,
            by: GroundedBy::Embedding,
            evidence: Some((self.given[sentence], token)),
        })
    }
}

/// A relation of two words that may align them: strength, how, and whether they are opposites.
fn related(
    claim: &Prepared,
    at: usize,
    p: &Prepared,
    token: usize,
    met: bool,
) -> Option<(f32, GroundedBy, bool)> {
    let (a, b) = (&claim.items[at], &p.items[token]);
    if !a.sides.is_empty() && !b.sides.is_empty() {
        if lexicon::opposed(a.sides, b.sides) {
            return Some((0.9, GroundedBy::Opposite, true));
        }
        if !met && lexicon::agree(a.sides, b.sides) {
            return Some((0.75, GroundedBy::Synonym, false));
        }
    }
    if met {
        return None;
    }
    let (lower, other) = (claim.tokens[at].lower.as_str(), p.tokens[token].lower.as_str());
    let describes = |p: &Prepared, at: usize| {
        matches!(p.tokens[at].pos, Pos::Adjective | Pos::Adverb | Pos::Verb)
    };
    if describes(claim, at)
        && describes(p, token)
        && (prefixed(lower, other) || prefixed(other, lower))
    {
        return Some((0.9, GroundedBy::Opposite, true));
    }
    let (Some(one), Some(two)) = (&a.word, &b.word) else { return None };
    let sense = |form: u64, pos: Pos| form.wrapping_add(pos as u64);
    let relation = remembered(
        sense(a.form, claim.tokens[at].pos),
        one,
        sense(b.form, p.tokens[token].pos),
        two,
    );
    let strength = relation.strength();
    match relation {
        Relation::Antonym(_) => Some((0.9, GroundedBy::Opposite, true)),
        Relation::Same => Some((0.97, GroundedBy::Stem, false)),
        Relation::Synonym(_) | Relation::Derived { .. } | Relation::Near(_)
            if strength >= ALIGNED =>
        {
            Some((strength, GroundedBy::Synonym, false))
        }
        // The evidence's "dog" bears out the claim's "animal"; the other way round only in part.
        Relation::Kind { first_is_kind: false, .. } if strength >= 0.2 => {
            Some((0.85, GroundedBy::Hypernym, false))
        }
        Relation::Kind { .. } if strength >= ALIGNED => Some((0.4, GroundedBy::Hyponym, false)),
        _ => None,
    }
}

/// "unhappy" and "happy", "non-toxic" and "toxic".
fn prefixed(long: &str, short: &str) -> bool {
    long.len() > short.len()
        && short.len() > 3
        && long.strip_suffix(short).is_some_and(|prefix| {
            matches!(prefix, "un" | "non" | "non-" | "in" | "im" | "ir" | "il" | "anti-")
        })
}

#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value;
    }
}

type Memory<T> = RefCell<HashMap<(u64, u64), T, BuildHasherDefault<Mixed>>>;

thread_local! {
    // What two words have to do with each other never changes: remembering it is not state.
    static RELATIONS: Memory<Relation> = RefCell::new(HashMap::default());
    static COSINES: Memory<f32> = RefCell::new(HashMap::default());
}

fn remembered(one: u64, a: &Word, other: u64, b: &Word) -> Relation {
    RELATIONS.with_borrow_mut(|known| {
        if let Some(relation) = known.get(&(one, other)) {
            return *relation;
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        let relation = WordNet::builtin().relate(a, b);
        known.insert((one, other), relation);
        relation
    })
}

pub(super) fn near_cosine(claim: &Prepared, at: usize, p: &Prepared, token: usize) -> f32 {
    let key = (claim.items[at].form, p.items[token].form);
    COSINES.with_borrow_mut(|known| {
        if let Some(cosine) = known.get(&key) {
            return *cosine;
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        let table = StaticEmbedder::builtin();
        let vector = |word: &str| (word.len() < 40).then(|| table.word_vector(word)).flatten();
        let cosine = match (vector(&claim.tokens[at].lower), vector(&p.tokens[token].lower)) {
            (Some(a), Some(b)) => dot(&a, &b),
            _ => 0.0,
        };
        known.insert(key, cosine);
        cosine
    })
}
