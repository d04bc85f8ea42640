//! Which word of the evidence stands for which word of the claim.

use crate::embed::dot;
use crate::verify::sentence::{ContentWord, Sentence};
use crate::verify::tokens::Pos;
use crate::wordnet::{Relation, WordNet};

/// A claim's words laid on the evidence.
pub(super) struct Alignment {
    /// 1 where the same stem or number stands in the evidence.
    pub(super) exact: Vec<f64>,
    /// How near the nearest word is in meaning, 0 to 1.
    pub(super) soft: Vec<f64>,
    /// Position of the nearest word among the words of all sentences in a row.
    at: Vec<Option<usize>>,
    weights: Vec<f64>,
    /// Words of the claim that meet only their opposite.
    pub(super) opposites: usize,
    /// Words of the claim that meet a word of the same kind which is another thing ("red" for "blue").
    pub(super) siblings: usize,
}

/// Whether two words are forms of one word, or the same number.
pub(super) fn same(a: &ContentWord, b: &ContentWord) -> bool {
    if a.token.has_digit() || b.token.has_digit() {
        return number(&a.token.lower) == number(&b.token.lower);
    }
    a.token.stem == b.token.stem
}

fn number(text: &str) -> String {
    let plain: String = text.chars().filter(|c| *c != ',').collect();
    match plain.split_once('.') {
        Some((whole, part)) if part.chars().all(|c| c == '0') => whole.to_owned(),
        _ => plain,
    }
}

/// From 0 (nothing to do with each other) to 1 (the same); below 0 for opposites.
fn nearness(a: &ContentWord, b: &ContentWord) -> f64 {
    if same(a, b) {
        return 1.0;
    }
    if a.token.pos == Pos::Numeral || b.token.pos == Pos::Numeral {
        return 0.0;
    }
    let relation = WordNet::builtin().relate(&a.entry, &b.entry);
    let known = match relation {
        Relation::Antonym(_) => return -1.0,
        // A claim may say less than its evidence ("a dog" borne out by "a poodle"), not more.
        Relation::Kind { first_is_kind: true, .. } => f64::from(relation.strength()) * 0.6,
        _ => f64::from(relation.strength()),
    };
    // Two names are the same or they are not.
    if a.token.pos == Pos::ProperNoun && b.token.pos == Pos::ProperNoun {
        return known;
    }
    let near = match (&a.vector, &b.vector) {
        (Some(a), Some(b)) => (f64::from(dot(a, b)) - 0.25).max(0.0) / 0.75 * 0.85,
        _ => 0.0,
    };
    known.max(near)
}

/// The share of the claim's weight that stands letter for letter in any of the sentences.
pub(super) fn exact_share(claim: &Sentence, evidence: &[&Sentence]) -> f64 {
    let total: f64 = claim.words.iter().map(|word| f64::from(word.weight)).sum();
    let found: f64 = claim
        .words
        .iter()
        .filter(|word| evidence.iter().any(|s| s.words.iter().any(|other| same(word, other))))
        .map(|word| f64::from(word.weight))
        .sum();
    if total == 0.0 { 0.0 } else { found / total }
}

/// Lays the claim on the sentences taken together.
pub(super) fn align(claim: &Sentence, evidence: &[&Sentence]) -> Alignment {
    let words: Vec<&ContentWord> = evidence.iter().flat_map(|sentence| &sentence.words).collect();
    let n = claim.words.len();
    let mut alignment = Alignment {
        exact: vec![0.0; n],
        soft: vec![0.0; n],
        at: vec![None; n],
        weights: claim.words.iter().map(|word| f64::from(word.weight)).collect(),
        opposites: 0,
        siblings: 0,
    };
    for (i, word) in claim.words.iter().enumerate() {
        let mut opposite = false;
        for (j, other) in words.iter().enumerate() {
            let near = nearness(word, other);
            if near < 0.0 {
                opposite = true;
            }
            if near > alignment.soft[i] {
                alignment.soft[i] = near;
                alignment.at[i] = Some(j);
            }
            if near >= 1.0 {
                alignment.exact[i] = 1.0;
                break;
            }
        }
        if opposite && alignment.soft[i] < 0.9 {
            alignment.opposites += 1;
            alignment.soft[i] = 0.0;
        }
        // Near in direction and known to be no synonym: of one kind, and yet something else.
        if (0.2..0.75).contains(&alignment.soft[i])
            && matches!(word.token.pos, Pos::Noun | Pos::Adjective)
        {
            alignment.siblings += 1;
        }
    }
    alignment
}

impl Alignment {
    /// The weight of a claim word.
    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights[i]
    }

    /// The share of neighbouring claim words that are neighbours (at most two apart) in the evidence.
    pub(super) fn neighbours_kept(&self, claim: &Sentence) -> f64 {
        let pairs = claim.words.len().saturating_sub(1);
        if pairs == 0 {
            return self.soft.first().copied().unwrap_or(0.0);
        }
        let kept = self
            .at
            .windows(2)
            .filter(|pair| match (pair[0], pair[1]) {
                (Some(a), Some(b)) => b > a && b - a <= 2,
                _ => false,
            })
            .count();
        kept as f64 / pairs as f64
    }

    /// The longest rising run of positions (not necessarily without gaps), as a share of the claim's words.
    pub(super) fn order_kept(&self) -> f64 {
        let mut tails: Vec<usize> = Vec::new();
        for at in self.at.iter().flatten() {
            let place = tails.partition_point(|tail| tail < at);
            if place == tails.len() { tails.push(*at) } else { tails[place] = *at }
        }
        if self.at.is_empty() { 0.0 } else { tails.len() as f64 / self.at.len() as f64 }
    }

    /// The share of a sentence's weight that the claim speaks of.
    pub(super) fn covered(&self, sentence: &Sentence) -> f64 {
        let total: f64 = sentence.words.iter().map(|word| f64::from(word.weight)).sum();
        let mut seen: Vec<usize> = self
            .at
            .iter()
            .zip(&self.soft)
            .filter(|(_, soft)| **soft > 0.5)
            .filter_map(|(at, _)| *at)
            .collect();
        seen.sort_unstable();
        seen.dedup();
        let said: f64 = seen
            .iter()
            .filter_map(|at| sentence.words.get(*at))
            .map(|word| f64::from(word.weight))
            .sum();
        if total == 0.0 { 0.0 } else { said / total }
    }

    /// The weight of claim words that are not found although both neighbours are, around a word of the evidence that
    /// the claim does not have: as a share of the claim's weight.
    pub(super) fn replaced(&self, claim: &Sentence, sentence: &Sentence) -> f64 {
        let total: f64 = self.weights.iter().sum();
        if total == 0.0 {
            return 0.0;
        }
        let taken = |j: usize| {
            self.at.iter().zip(&self.exact).any(|(at, exact)| *at == Some(j) && *exact > 0.0)
        };
        let found = |i: usize| (self.exact[i] > 0.0).then_some(self.at[i]).flatten();
        let mut replaced = 0.0;
        for i in 0..claim.words.len() {
            if self.exact[i] > 0.0 || self.soft[i] > 0.8 {
                continue;
            }
            let before = i.checked_sub(1).and_then(found);
            let after = if i + 1 < claim.words.len() { found(i + 1) } else { None };
            let place = match (before, after) {
                (Some(a), Some(b)) if b > a && (2..=3).contains(&(b - a)) => Some(a + 1),
                (Some(a), None) if i + 1 == claim.words.len() => Some(a + 1),
                (None, Some(b)) if i == 0 => b.checked_sub(1),
                _ => None,
            };
            let Some(place) = place else { continue };
            if sentence.words.get(place).is_some_and(|other| {
                !taken(place) && alike(claim.words[i].token.pos, other.token.pos)
            }) {
                replaced += self.weights[i];
            }
        }
        replaced / total
    }
}

/// Whether words of these parts of speech can stand in the same place.
fn alike(a: Pos, b: Pos) -> bool {
    let class = |pos| match pos {
        Pos::Noun | Pos::ProperNoun => 0,
        Pos::Verb | Pos::Aux => 1,
        Pos::Numeral => 2,
        _ => 3,
    };
    class(a) == class(b)
}
