//! Scoring and choosing passages.

use super::corpus::Corpus;
use super::expand::neighbours;
use super::index::from_json;
use super::query::{any_of, content_terms, expression};
use super::resident::Resident;
use super::vectors::{dot, quantise};
use super::verses::look_up;
use elenchus_core::evidence::Passage;
use elenchus_core::id::PassageId;
use elenchus_core::port::{Hit, RetrieveFailure, SearchFilter, SearchReply, SearchRequest};
use rusqlite::Connection;
use std::collections::HashMap;

/// Weight of BM25 (divided by the best of the search) in the fused score. With 0.3 for the cosine it was the
/// best mixture on SciFact, and far better there than reciprocal ranks.
pub(crate) const LEXICAL: f32 = 0.7;
/// Weight of the cosine of query and passage.
pub(crate) const DENSE: f32 = 0.3;
/// How much expansion terms count against the query's own.
const EXPANSION: f32 = 0.3;
/// Weights of title, headings and body in BM25.
const COLUMNS: [f64; 3] = [0.5, 1.0, 1.0];
/// Relevance against novelty when hits are chosen, 1 is relevance only.
const LAMBDA: f32 = 0.8;
/// Candidates per hit asked for.
const POOL: usize = 4;
/// Fewest candidates.
const POOL_LEAST: usize = 40;
/// Cosine from which two passages are compared word by word.
const ALIKE: f32 = 0.9;
/// Share of word triples from which two passages with the same numbers say the same.
const SAME_WORDS: f64 = 0.8;
/// Share of the second and third best passage in the score of a record.
const RUNNERS_UP: [f32; 2] = [0.3, 0.1];

/// A record (or a document without records) with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedRecord {
    /// The document's path.
    pub path: String,
    /// The record's name, for formats that have records.
    pub record: Option<String>,
    /// Fused score of its best passages.
    pub score: f32,
}

/// Scores of all passages for one query.
struct Scores {
    lexical: Vec<f32>,
    dense: Vec<f32>,
}

impl Scores {
    fn fused(&self, place: usize) -> f32 {
        LEXICAL * self.lexical[place] + DENSE * self.dense[place].max(0.0)
    }
}

pub(super) fn search(
    corpus: &Corpus,
    db: &Connection,
    resident: &Resident,
    request: &SearchRequest,
) -> Result<SearchReply, RetrieveFailure> {
    let terms = content_terms(&request.query);
    if terms.is_empty() {
        return Err(RetrieveFailure::EmptyQuery { query: request.query.clone() });
    }
    let fault = |error: rusqlite::Error| -> RetrieveFailure {
        corpus.fault("search the index", &error).into()
    };
    let counts = terms
        .iter()
        .map(|term| corpus.count(db, resident, term))
        .collect::<rusqlite::Result<Vec<_>>>()
        .map_err(fault)?;
    let mut reply = SearchReply { terms: counts, ..SearchReply::default() };
    if request.limit == 0 || resident.rows.is_empty() {
        return Ok(reply);
    }
    let scores = score(corpus, db, resident, &request.query, request.expand).map_err(fault)?;
    let allowed = allowed(resident, &request.filter);
    let limit = usize::from(request.limit);
    let pool = pool(resident, &scores, allowed.as_deref(), (limit * POOL).max(POOL_LEAST));
    let mut chooser = Chooser {
        db,
        resident,
        scores: &scores,
        request,
        chosen: Vec::new(),
        texts: HashMap::new(),
    };
    chooser.choose(pool, limit).map_err(fault)?;
    let mut chosen = chooser.chosen;
    sort_best_first(&mut chosen, resident, &scores);
    // What the query names comes before what its words find.
    let named: Vec<usize> = look_up(db, resident, &request.query, limit)
        .map_err(fault)?
        .into_iter()
        .filter(|place| {
            allowed.as_ref().is_none_or(|allowed| allowed[resident.owner[*place] as usize])
        })
        .collect();
    chosen.retain(|place| !named.contains(place));
    reply.hits = named
        .iter()
        .copied()
        .chain(chosen)
        .take(limit)
        .map(|place| {
            let source = &resident.sources[resident.owner[place] as usize];
            Hit {
                passage_id: PassageId::new(&source.id, resident.ordinal[place]),
                source_id: source.id.clone(),
                path: source.path.clone(),
                title: source.title.clone(),
                score: if named.contains(&place) { 1.0 } else { scores.fused(place) },
                lexical: scores.lexical[place],
                dense: scores.dense[place],
            }
        })
        .collect();
    Ok(reply)
}

/// Records by falling score: the best passage, and a little for the next two, so that a record that keeps to
/// the point wins over one that touches it. Without caps and without thinning.
pub(super) fn rank_records(
    corpus: &Corpus,
    db: &Connection,
    resident: &Resident,
    query: &str,
    limit: usize,
    lexical_only: bool,
) -> rusqlite::Result<Vec<RankedRecord>> {
    let scores = score(corpus, db, resident, query, false)?;
    let value =
        |place: usize| if lexical_only { scores.lexical[place] } else { scores.fused(place) };
    let mut best: HashMap<u32, ([f32; 3], usize)> = HashMap::new();
    for place in 0..resident.rows.len() {
        let score = value(place);
        if score <= 0.0 {
            continue;
        }
        let entry = best.entry(resident.record[place]).or_insert(([0.0; 3], place));
        let mut score = score;
        for slot in &mut entry.0 {
            if score > *slot {
                std::mem::swap(slot, &mut score);
            }
        }
    }
    let mut ranked: Vec<(f32, usize)> = best
        .into_values()
        .map(|(top, place)| (top[0] + RUNNERS_UP[0] * top[1] + RUNNERS_UP[1] * top[2], place))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.truncate(limit);
    let mut statement = db.prepare_cached("SELECT record FROM passages WHERE n = ?1")?;
    ranked
        .into_iter()
        .map(|(score, place)| {
            let record = statement.query_row([resident.rows[place]], |row| row.get(0))?;
            let path = resident.sources[resident.owner[place] as usize].path.clone();
            Ok(RankedRecord { path, record, score })
        })
        .collect()
}

fn score(
    corpus: &Corpus,
    db: &Connection,
    resident: &Resident,
    query: &str,
    expand: bool,
) -> rusqlite::Result<Scores> {
    // Words and vectors at once: neither needs the other, and only this thread has the connection.
    let mut dense = Ok(Vec::new());
    let lexical = rayon::in_place_scope(|scope| {
        scope.spawn(|_| dense = cosines(corpus, resident, query));
        lexical(corpus, db, resident, query, expand)
    })?;
    Ok(Scores { lexical, dense: dense? })
}

/// Each passage's BM25 over the best.
fn lexical(
    corpus: &Corpus,
    db: &Connection,
    resident: &Resident,
    query: &str,
    expand: bool,
) -> rusqlite::Result<Vec<f32>> {
    let terms = content_terms(query);
    let mut lexical = vec![0.0; resident.rows.len()];
    let best = bm25(db, resident, &expression(&terms, query), &mut lexical)?;
    if expand {
        let neighbours = match corpus.vectors() {
            Some(vectors) => neighbours(vectors.as_ref(), db, resident, &terms)?,
            None => Vec::new(),
        };
        if !neighbours.is_empty() {
            let mut extra = vec![0.0; resident.rows.len()];
            let most = bm25(db, resident, &any_of(&neighbours), &mut extra)?;
            let share = EXPANSION * if best > 0.0 { best / most.max(best) } else { 1.0 };
            for (own, extra) in lexical.iter_mut().zip(extra) {
                *own += share * extra;
            }
        }
    }
    let most = lexical.iter().fold(0.0_f32, |most, score| most.max(*score));
    if most > 0.0 {
        // A passage that holds none of the words asked for is never a full match.
        let scale = if best > 0.0 { 1.0 } else { EXPANSION } / most;
        for score in &mut lexical {
            *score *= scale;
        }
    }
    Ok(lexical)
}

/// Adds each passage's BM25 to `scores`; gives the highest.
fn bm25(
    db: &Connection,
    resident: &Resident,
    expression: &str,
    scores: &mut [f32],
) -> rusqlite::Result<f32> {
    let mut statement = db.prepare_cached(
        "SELECT rowid, bm25(passages_fts, ?2, ?3, ?4) FROM passages_fts WHERE passages_fts MATCH ?1",
    )?;
    let mut rows =
        statement.query(rusqlite::params![expression, COLUMNS[0], COLUMNS[1], COLUMNS[2]])?;
    let mut most = 0.0_f32;
    // Rows come in ascending order, so the next place is close to the last.
    let mut next = 0;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        while resident.rows.get(next).is_some_and(|row| *row < number) {
            next += 1;
        }
        if resident.rows.get(next) != Some(&number) {
            match resident.place(number) {
                Some(place) => next = place,
                None => continue,
            }
        }
        // SQLite's BM25 is negative, the best the lowest.
        let score = (-row.get::<_, f64>(1)?) as f32;
        scores[next] += score;
        most = most.max(scores[next]);
    }
    Ok(most)
}

fn cosines(corpus: &Corpus, resident: &Resident, query: &str) -> rusqlite::Result<Vec<f32>> {
    let none = || vec![0.0; resident.rows.len()];
    if resident.dimensions == 0 {
        return Ok(none());
    }
    let weight = |piece: &str| resident.weight(piece);
    let Some(vector) = corpus.embed_query(query, &weight)? else { return Ok(none()) };
    let (bytes, step) = quantise(&vector);
    if bytes.len() != resident.dimensions {
        return Ok(none());
    }
    Ok(resident
        .matrix
        .chunks_exact(resident.dimensions)
        .zip(&resident.steps)
        .map(|(row, own)| dot(row, &bytes) as f32 * step * own)
        .collect())
}

/// Which sources may be returned; `None` for all.
fn allowed(resident: &Resident, filter: &SearchFilter) -> Option<Vec<bool>> {
    if filter.only.is_empty() && filter.exclude.is_empty() {
        return None;
    }
    let lower = |parts: &[String]| -> Vec<String> {
        parts.iter().map(|part| part.to_lowercase()).filter(|part| !part.is_empty()).collect()
    };
    let (only, exclude) = (lower(&filter.only), lower(&filter.exclude));
    let holds =
        |path: &String, parts: &[String]| parts.iter().any(|part| path.contains(part.as_str()));
    Some(
        resident
            .paths
            .iter()
            .map(|path| (only.is_empty() || holds(path, &only)) && !holds(path, &exclude))
            .collect(),
    )
}

/// The places of the `size` best passages, best first.
fn pool(resident: &Resident, scores: &Scores, allowed: Option<&[bool]>, size: usize) -> Vec<usize> {
    let mut places: Vec<(f32, u32)> = (0..resident.rows.len())
        .filter(|place| allowed.is_none_or(|allowed| allowed[resident.owner[*place] as usize]))
        .map(|place| (scores.fused(place), place as u32))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    // Caps and copies can use up many candidates of one document, so keep some more in reserve.
    let reserve = size * 4;
    if places.len() > reserve {
        places.select_nth_unstable_by(reserve, order);
        places.truncate(reserve);
    }
    places.sort_unstable_by(order);
    places.into_iter().map(|(_, place)| place as usize).collect()
}

fn sort_best_first(places: &mut [usize], resident: &Resident, scores: &Scores) {
    places.sort_by(|a, b| {
        scores.fused(*b).total_cmp(&scores.fused(*a)).then_with(|| {
            let id = |place: usize| {
                (&resident.sources[resident.owner[place] as usize].id, resident.ordinal[place])
            };
            id(*a).cmp(&id(*b))
        })
    });
}

/// Chooses hits one by one: relevant, and not like those chosen before (maximal marginal relevance).
struct Chooser<'a> {
    db: &'a Connection,
    resident: &'a Resident,
    scores: &'a Scores,
    request: &'a SearchRequest,
    chosen: Vec<usize>,
    texts: HashMap<usize, String>,
}

impl Chooser<'_> {
    fn choose(&mut self, pool: Vec<usize>, limit: usize) -> rusqlite::Result<()> {
        let width = (limit * POOL).max(POOL_LEAST);
        let mut waiting = pool.into_iter();
        // Each candidate with its highest cosine to a chosen hit.
        let mut open: Vec<(usize, f32)> = Vec::with_capacity(width);
        while self.chosen.len() < limit {
            while open.len() < width
                && let Some(place) = waiting.next()
            {
                if self.within_caps(place) {
                    let nearest = self
                        .chosen
                        .iter()
                        .map(|other| self.cosine(place, *other))
                        .fold(0.0, f32::max);
                    open.push((place, nearest));
                }
            }
            let value = |(place, nearest): &(usize, f32)| {
                LAMBDA * self.scores.fused(*place) - (1.0 - LAMBDA) * nearest
            };
            let Some(best) = (0..open.len()).max_by(|a, b| {
                value(&open[*a]).total_cmp(&value(&open[*b])).then(open[*b].0.cmp(&open[*a].0))
            }) else {
                return Ok(());
            };
            let (place, nearest) = open.remove(best);
            if self.repeats(place, nearest)? {
                continue;
            }
            self.chosen.push(place);
            open.retain(|(other, _)| self.within_caps(*other));
            for (other, nearest) in &mut open {
                *nearest = nearest.max(cosine(self.resident, place, *other));
            }
        }
        Ok(())
    }

    fn within_caps(&self, place: usize) -> bool {
        let owner = |place: usize| self.resident.owner[place];
        let author = |place: usize| self.resident.authors[owner(place) as usize];
        let count =
            |same: &dyn Fn(usize) -> bool| self.chosen.iter().filter(|other| same(**other)).count();
        let (per_source, per_author) = (self.request.per_source, self.request.per_author);
        (per_source == 0 || count(&|other| owner(other) == owner(place)) < usize::from(per_source))
            && (per_author == 0
                || count(&|other| author(other) == author(place)) < usize::from(per_author))
    }

    fn cosine(&self, a: usize, b: usize) -> f32 {
        cosine(self.resident, a, b)
    }

    /// Whether a chosen hit says the same in the same words and numbers.
    fn repeats(&mut self, place: usize, nearest: f32) -> rusqlite::Result<bool> {
        let print = self.resident.print[place];
        if self.chosen.iter().any(|other| self.resident.print[*other] == print) {
            return Ok(true);
        }
        if nearest < ALIKE {
            return Ok(false);
        }
        let alike: Vec<usize> = self
            .chosen
            .iter()
            .copied()
            .filter(|other| self.cosine(place, *other) >= ALIKE)
            .collect();
        for other in alike {
            self.load(place)?;
            self.load(other)?;
            if same_words(&self.texts[&place], &self.texts[&other]) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn load(&mut self, place: usize) -> rusqlite::Result<()> {
        if !self.texts.contains_key(&place) {
            let text = passage_at(self.db, self.resident.rows[place])?.text;
            self.texts.insert(place, text);
        }
        Ok(())
    }
}

fn cosine(resident: &Resident, a: usize, b: usize) -> f32 {
    dot(resident.vector(a), resident.vector(b)) as f32 * resident.steps[a] * resident.steps[b]
}

pub(super) fn passage_at(db: &Connection, row: i64) -> rusqlite::Result<Passage> {
    db.prepare_cached("SELECT passage FROM passages WHERE n = ?1")?
        .query_row([row], |row| from_json(row.get_ref(0)?.as_str()?))
}

/// Two vintages of a report differ in little but their numbers, so those must agree exactly.
fn same_words(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (a, b) = (words(a), words(b));
    let numbers = |words: &[String]| -> Vec<String> {
        let mut numbers: Vec<String> = words
            .iter()
            .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
            .cloned()
            .collect();
        numbers.sort();
        numbers
    };
    if numbers(&a) != numbers(&b) {
        return false;
    }
    let triples = |words: &[String]| -> std::collections::BTreeSet<Vec<String>> {
        words.windows(3.min(words.len().max(1))).map(<[String]>::to_vec).collect()
    };
    let (a, b) = (triples(&a), triples(&b));
    let common = a.intersection(&b).count();
    let all = a.len() + b.len() - common;
    all > 0 && common as f64 / all as f64 >= SAME_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vintages_are_not_repeats_and_copies_are() {
        let old =
            "The fleet of the northern region counts 1,960 robots across 33 customer sites in all.";
        let new = old.replace("1,960", "3,120").replace("33", "47");
        assert!(!same_words(old, &new));
        assert!(
            same_words(old, &old.to_uppercase().replace("IN ALL", "in total"))
                || same_words(old, &old.to_uppercase())
        );
    }
}
