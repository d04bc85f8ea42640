//! The texts.

use super::blend::Blend;
use super::terms::{asked, counted, number, pieces};
use crate::retrieve::{TextVectors, dot, quantise};
use elenchus_core::port::EmbedFailure;
use std::collections::HashMap;
use std::sync::Arc;

/// What a text is called by who put it in.
pub type Key = i64;

/// A text as it is kept: its counted terms and the vectors of its pieces. It can be written to a file and needs neither
/// the text nor the embedder when it is put in again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// Number of each stem, and how often it stands there (weighted by field).
    pub terms: Vec<(u64, f32)>,
    /// Quantised vectors of the pieces, each with the worth of a step.
    pub vectors: Vec<(Vec<i8>, f32)>,
}

/// A text that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Its key.
    pub key: Key,
    /// Its place, for [`Texts::cosine`].
    pub place: usize,
    /// Fused, in `[0, 1]`.
    pub score: f32,
    /// BM25 over the best of the search, with its share of the texts beside it, in `[0, 1]`.
    pub lexical: f32,
    /// Cosine of the query and the nearest piece, with its share of the texts beside it, in `[0, 1]`.
    pub dense: f32,
    /// Whether it fits by itself, not only by what stands beside it: it holds a word of the query, or comes near enough
    /// in sense.
    pub itself: bool,
    /// Cosine of the query and its own nearest piece, without what stands beside it.
    pub cosine: f32,
    /// Words of the query that it holds itself.
    pub shared: usize,
    /// Words that the query asks for.
    pub asked: usize,
}

/// Texts with what a search needs of them.
pub struct Texts {
    vectors: Option<Arc<dyn TextVectors>>,
    dimensions: usize,
    postings: HashMap<u64, Vec<(u32, f32)>>,
    entries: Vec<Entry>,
    places: HashMap<Key, u32>,
    matrix: Vec<i8>,
    steps: Vec<f32>,
    owners: Vec<u32>,
    dead: usize,
    /// Whether vectors are held; otherwise somebody else compares them.
    holds_vectors: bool,
}

struct Entry {
    key: Key,
    length: f32,
    /// The first of its pieces, and how many there are.
    first: u32,
    count: u32,
    /// What texts that stand side by side have in common; 0 for none.
    thread: u64,
    alive: bool,
    /// Whether it has a vector that points anywhere.
    embedded: bool,
}

impl Texts {
    /// No texts yet. Without `vectors` the search is lexical.
    pub fn new(vectors: Option<Arc<dyn TextVectors>>) -> Self {
        let dimensions = vectors.as_ref().map_or(0, |vectors| vectors.dimensions());
        Self {
            vectors,
            dimensions,
            postings: HashMap::new(),
            entries: Vec::new(),
            places: HashMap::new(),
            matrix: Vec::new(),
            steps: Vec::new(),
            owners: Vec::new(),
            dead: 0,
            holds_vectors: true,
        }
    }

    /// The same, without holding the vectors of what is put in: cosines have to be given.
    #[must_use]
    pub fn without_vectors(mut self) -> Self {
        self.holds_vectors = false;
        self
    }

    /// Whether vectors are held.
    pub fn holds_vectors(&self) -> bool {
        self.holds_vectors
    }

    /// What is kept of a text. Fields have weights for their words; `embedded` is what is embedded, in pieces.
    ///
    /// # Errors
    /// When the embedder fails.
    pub fn write(&self, fields: &[(&str, f32)], embedded: &str) -> Result<Written, EmbedFailure> {
        let vectors = match &self.vectors {
            None => Vec::new(),
            Some(vectors) => {
                let pieces = pieces(embedded);
                let texts: Vec<&str> = pieces.iter().map(String::as_str).collect();
                vectors
                    .embed(&texts, &usual_weight)?
                    .iter()
                    .map(|vector| quantise(vector))
                    .collect()
            }
        };
        Ok(Written { terms: counted(fields), vectors })
    }

    /// Puts a text in, in the place of one with the same key. Texts of one thread (not 0) that are put in one after the
    /// other stand side by side. Vectors of another length than the embedder's are left out.
    pub fn put(&mut self, key: Key, written: &Written, thread: u64) {
        self.remove(key);
        let place = self.entries.len() as u32;
        for (term, count) in &written.terms {
            self.postings.entry(*term).or_default().push((place, *count));
        }
        let first = self.steps.len() as u32;
        let mut embedded = false;
        for (bytes, step) in &written.vectors {
            if bytes.len() != self.dimensions || self.dimensions == 0 {
                continue;
            }
            embedded |= *step > 0.0;
            if self.holds_vectors {
                self.matrix.extend_from_slice(bytes);
                self.steps.push(*step);
                self.owners.push(place);
            }
        }
        self.entries.push(Entry {
            key,
            length: written.terms.iter().map(|(_, count)| count).sum(),
            first,
            count: self.steps.len() as u32 - first,
            thread,
            alive: true,
            embedded,
        });
        self.places.insert(key, place);
    }

    /// Takes a text out; what is not there stays so.
    pub fn remove(&mut self, key: Key) {
        if let Some(place) = self.places.remove(&key)
            && let Some(entry) = self.entries.get_mut(place as usize)
        {
            entry.alive = false;
            self.dead += 1;
        }
    }

    /// Whether more than half of what is held was taken out or replaced, so that it should be loaded anew.
    pub fn worn(&self) -> bool {
        self.dead > 1_000 && self.dead * 2 > self.entries.len()
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The vector of a query, quantised; `None` without an embedder or without a known word.
    ///
    /// # Errors
    /// When the embedder fails.
    pub fn embed(&self, query: &str) -> Result<Option<(Vec<i8>, f32)>, EmbedFailure> {
        let Some(vectors) = &self.vectors else { return Ok(None) };
        let vector = vectors.embed(&[query], &usual_weight)?.pop();
        Ok(vector
            .map(|vector| quantise(&vector))
            .filter(|(bytes, step)| bytes.len() == self.dimensions && *step > 0.0))
    }

    /// The texts among those `visible` that have to do with the query, the best first, ties in order of their keys. What
    /// is not visible has no part in any figure.
    pub fn search(
        &self,
        query: &str,
        vector: Option<&(Vec<i8>, f32)>,
        blend: &Blend,
        visible: &dyn Fn(Key) -> bool,
    ) -> Vec<Found> {
        let mut found = self.matching(query, vector, None, blend, visible);
        found.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        found
    }

    /// [`Texts::search`] in the order in which the texts were put in. With cosines `given` by an index of vectors, those
    /// texts are the near ones, and of the others only those that share a word with the query are compared with it here.
    pub fn matching(
        &self,
        query: &str,
        vector: Option<&(Vec<i8>, f32)>,
        given: Option<&HashMap<Key, f32>>,
        blend: &Blend,
        visible: &dyn Fn(Key) -> bool,
    ) -> Vec<Found> {
        let seen: Vec<bool> =
            self.entries.iter().map(|entry| entry.alive && visible(entry.key)).collect();
        let (lexical, shared) = self.bm25(query, blend, &seen);
        let asked = asked(query).len();
        let most = lexical.iter().fold(0.0_f32, |most, score| most.max(*score));
        let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
        let dense = match given {
            None => self.cosines(vector, &seen),
            Some(given) => self.completed(given, vector, &lexical, &seen),
        };
        let total = (blend.lexical + blend.dense).max(f32::MIN_POSITIVE);
        let (of_words, of_sense) = (blend.lexical / total, blend.dense / total);
        (0..self.entries.len())
            .filter(|place| seen[*place])
            .map(|place| {
                let with_beside = |scores: &[f32]| {
                    let beside = self.beside(place, scores, &seen);
                    (scores[place].max(0.0) + blend.beside * beside) / (1.0 + blend.beside)
                };
                let (words, sense) = (with_beside(&lexical) * scale, with_beside(&dense));
                Found {
                    key: self.entries[place].key,
                    place,
                    score: (of_words * words + of_sense * sense).clamp(0.0, 1.0),
                    lexical: words.clamp(0.0, 1.0),
                    dense: sense.clamp(0.0, 1.0),
                    itself: lexical[place] > 0.0 || dense[place] >= blend.least_cosine,
                    cosine: dense[place],
                    shared: usize::from(shared[place]),
                    asked,
                }
            })
            .filter(|found| found.score > 0.0)
            .collect()
    }

    /// The better score of the two texts beside one in its thread; 0 for none.
    fn beside(&self, place: usize, scores: &[f32], seen: &[bool]) -> f32 {
        let thread = self.entries[place].thread;
        if thread == 0 {
            return 0.0;
        }
        [place.checked_sub(1), place.checked_add(1)]
            .into_iter()
            .flatten()
            .filter(|other| {
                self.entries.get(*other).is_some_and(|entry| entry.thread == thread) && seen[*other]
            })
            .map(|other| scores[other])
            .fold(0.0, f32::max)
    }

    /// BM25 of every text, 0 for what is not seen or holds no word of the query; and how many of its words each holds.
    fn bm25(&self, query: &str, blend: &Blend, seen: &[bool]) -> (Vec<f32>, Vec<u16>) {
        let mut scores = vec![0.0_f32; self.entries.len()];
        let mut shared = vec![0_u16; self.entries.len()];
        let (mut texts, mut length) = (0.0_f32, 0.0_f64);
        for (entry, _) in self.entries.iter().zip(seen).filter(|(_, seen)| **seen) {
            texts += 1.0;
            length += f64::from(entry.length);
        }
        let mean = (length / f64::from(texts.max(1.0))) as f32;
        for stem in asked(query) {
            let Some(postings) = self.postings.get(&number(&stem)) else { continue };
            let holding = postings.iter().filter(|(place, _)| seen[*place as usize]).count() as f32;
            if holding == 0.0 {
                continue;
            }
            let rarity = (1.0 + (texts - holding + 0.5) / (holding + 0.5)).ln();
            for (place, count) in postings.iter().filter(|(place, _)| seen[*place as usize]) {
                let place = *place as usize;
                let share = self.entries[place].length / mean.max(f32::MIN_POSITIVE);
                let norm = blend.k1 * (1.0 - blend.b + blend.b * share);
                scores[place] += rarity * count * (blend.k1 + 1.0) / (count + norm);
                shared[place] = shared[place].saturating_add(1);
            }
        }
        (scores, shared)
    }

    /// For every text the highest cosine of its pieces and the query.
    fn cosines(&self, vector: Option<&(Vec<i8>, f32)>, seen: &[bool]) -> Vec<f32> {
        let mut best = vec![0.0_f32; self.entries.len()];
        let Some((bytes, step)) = vector else { return best };
        if self.dimensions == 0 || bytes.len() != self.dimensions {
            return best;
        }
        for ((row, own), owner) in
            self.matrix.chunks_exact(self.dimensions).zip(&self.steps).zip(&self.owners)
        {
            let owner = *owner as usize;
            if seen[owner] {
                best[owner] = best[owner].max(dot(row, bytes) as f32 * step * own);
            }
        }
        best
    }

    /// Cosines that were given, and those of the texts that hold a word of the query.
    fn completed(
        &self,
        given: &HashMap<Key, f32>,
        vector: Option<&(Vec<i8>, f32)>,
        lexical: &[f32],
        seen: &[bool],
    ) -> Vec<f32> {
        let own = |entry: &Entry| -> f32 {
            let Some((bytes, step)) = vector.filter(|(bytes, _)| bytes.len() == self.dimensions)
            else {
                return 0.0;
            };
            let pieces = entry.first as usize..(entry.first + entry.count) as usize;
            pieces
                .map(|row| {
                    let piece = &self.matrix[row * self.dimensions..(row + 1) * self.dimensions];
                    dot(piece, bytes) as f32 * step * self.steps[row]
                })
                .fold(0.0, f32::max)
        };
        let places = self.entries.iter().zip(seen).zip(lexical);
        places
            .map(|((entry, seen), words)| match given.get(&entry.key) {
                _ if !*seen => 0.0,
                Some(cosine) => cosine.max(0.0),
                None if *words > 0.0 => own(entry),
                None => 0.0,
            })
            .collect()
    }

    /// How many texts have a vector that points anywhere.
    pub fn embedded(&self) -> usize {
        self.entries.iter().filter(|entry| entry.alive && entry.embedded).count()
    }

    /// The texts among those `visible` that fit best by their words alone, at most so many, in no order.
    pub fn worded(
        &self,
        query: &str,
        blend: &Blend,
        visible: &dyn Fn(Key) -> bool,
        most: usize,
    ) -> Vec<Key> {
        let seen: Vec<bool> =
            self.entries.iter().map(|entry| entry.alive && visible(entry.key)).collect();
        let (scores, _) = self.bm25(query, blend, &seen);
        let mut places: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
        if places.len() > most {
            let better = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
            places.select_nth_unstable_by(most, better);
            places.truncate(most);
        }
        places.into_iter().map(|at| self.entries[at].key).collect()
    }

    /// The highest cosine of the pieces of two texts, in -1..=1; 0 where one has none.
    pub fn cosine(&self, a: usize, b: usize) -> f32 {
        let rows = |place: usize| {
            let (first, count) = self
                .entries
                .get(place)
                .map_or((0, 0), |entry| (entry.first as usize, entry.count as usize));
            (first..first + count).map(|row| {
                (&self.matrix[row * self.dimensions..(row + 1) * self.dimensions], self.steps[row])
            })
        };
        let mut best: Option<f32> = None;
        for (row, step) in rows(a) {
            for (other, own) in rows(b) {
                let cosine = dot(row, other) as f32 * step * own;
                best = Some(best.map_or(cosine, |best| best.max(cosine)));
            }
        }
        best.unwrap_or(0.0)
    }
}

/// Rarity is counted nowhere, so that no text shifts the vector of another.
fn usual_weight(piece: &str) -> f32 {
    crate::embed::StaticEmbedder::builtin().rarity(piece)
}
