//! Searching memos: words and meaning, weighed as the corpus weighs them.
//!
//! Nothing in a score comes from another tenant, from outside the namespace or from beyond walls: the database gives the memos of a word, and
//! how rare the word is, is counted among the memos that are searched. (FTS5's own `bm25` counts over the whole table.)

use super::rows::{MEMO, SCOPE, Vector, Within, memo, within};
use super::words::holding;
use crate::retrieve::{DENSE, LEXICAL, Term, TextVectors, content_terms, dot, quantise};
use crate::sql::{self, Db};
use elenchus_core::graph::{Memo, clamp_01};
use elenchus_core::port::{EmbedFailure, MemoFilter, MemoHit};
use rusqlite::params;
use std::collections::HashMap;

/// Most words of a query that are looked for, the first ones.
const TERMS: usize = 64;
/// BM25's saturation and length norm. Memos are short, so a word counts once, however often it stands there.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// What a word in the title or among the tags counts beside its share.
const NAMED: f64 = 0.25;
/// A memo that shares no word is found from this cosine on.
const NEAR: f32 = 0.35;
/// Memos embedded at once.
const BATCH: i64 = 256;

/// A memo of the scope, without its text.
struct Candidate {
    n: i64,
    id: String,
    words: f64,
    cosine: f32,
    lexical: f64,
}

pub(super) fn embed<'v>(
    vectors: &'v dyn TextVectors,
    memo: &Memo,
) -> Result<Vector<'v>, EmbedFailure> {
    let text = embedded(&memo.title, &memo.content);
    let made = vectors.embed(&[&text], &|_| 1.0)?;
    Ok(stored(vectors, made.first().map(Vec::as_slice).unwrap_or_default()))
}

/// What of a memo is embedded. A long one is found by its words.
fn embedded(title: &str, content: &str) -> String {
    let beginning: String = content.chars().take(2_000).collect();
    format!("{title}\n{beginning}")
}

fn stored<'v>(vectors: &'v dyn TextVectors, vector: &[f32]) -> Vector<'v> {
    let (bytes, step) = quantise(vector);
    Vector {
        embedder: vectors.id(),
        step,
        bytes: bytes.into_iter().map(i8::cast_unsigned).collect(),
    }
}

/// Memos of the scope and within walls that another embedder had embedded: number, time of the last change and what is embedded;
/// a batch.
pub(super) fn stale(
    db: &Db<'_>,
    vectors: &dyn TextVectors,
    tenant: &str,
    filter: &MemoFilter,
) -> sql::Result<Vec<(i64, i64, String)>> {
    let Within { roots: [first, second, third], who } = Within::of(filter);
    db.prepare_cached(&format!(
        "SELECT n, updated_at, title, content FROM memos
         WHERE {SCOPE} AND embedder <> ?3 AND {} LIMIT ?4",
        within(5)
    ))?
    .query_map(
        params![tenant, filter.namespace, vectors.id(), BATCH, first, second, third, who],
        |row| Ok((row.get(0)?, row.get(1)?, embedded(row.text(2)?, row.text(3)?))),
    )?
    .collect()
}

/// What is kept of [`stale`] memos, a vector each.
pub(super) fn embed_again<'v>(
    vectors: &'v dyn TextVectors,
    stale: &[(i64, i64, String)],
) -> Result<Vec<Vector<'v>>, EmbedFailure> {
    let texts: Vec<&str> = stale.iter().map(|(.., text)| text.as_str()).collect();
    let made = vectors.embed(&texts, &|_| 1.0)?;
    Ok(made.iter().map(|vector| stored(vectors, vector)).collect())
}

/// Writes them, unless somebody has saved the memo meanwhile.
pub(super) fn put_vectors(
    change: &Db<'_>,
    stale: &[(i64, i64, String)],
    made: &[Vector<'_>],
) -> sql::Result<()> {
    let mut update = change.prepare_cached(
        "UPDATE memos SET embedder = ?3, step = ?4, vector = ?5
         WHERE n = ?1 AND updated_at = ?2 AND embedder <> ?3",
    )?;
    for ((n, updated_at, _), vector) in stale.iter().zip(made) {
        let Vector { embedder, step, bytes } = vector;
        update.execute(params![n, updated_at, embedder, f64::from(*step), bytes])?;
    }
    Ok(())
}

/// A question as memos are searched by it.
pub(super) struct Asked {
    terms: Vec<Term>,
    vector: Vec<i8>,
    step: f32,
}

/// Reads a question; `None` where it holds no word.
pub(super) fn asked(vectors: &dyn TextVectors, query: &str) -> Result<Option<Asked>, EmbedFailure> {
    let mut terms = content_terms(query);
    terms.truncate(TERMS);
    if terms.is_empty() {
        return Ok(None);
    }
    let short: String = query.chars().take(2_000).collect();
    let made = vectors.embed(&[&short], &|_| 1.0)?;
    let (vector, step) = quantise(made.first().map(Vec::as_slice).unwrap_or_default());
    Ok(Some(Asked { terms, vector, step }))
}

pub(super) fn search(
    db: &Db<'_>,
    vectors: &dyn TextVectors,
    tenant: &str,
    asked: &Asked,
    filter: &MemoFilter,
) -> sql::Result<Vec<MemoHit>> {
    let mut all = candidates(db, vectors.id(), tenant, filter, &asked.vector, asked.step)?;
    weigh(db, tenant, &mut all, &asked.terms)?;
    let mut ranked: Vec<(f64, &Candidate)> = all
        .iter()
        .filter(|one| one.lexical > 0.0 || one.cosine >= NEAR)
        .map(|one| {
            let score = f64::from(LEXICAL) * one.lexical
                + f64::from(DENSE) * f64::from(one.cosine.max(0.0));
            (clamp_01(score), one)
        })
        .collect();
    ranked.sort_by(|a, b| {
        b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)).then_with(|| a.1.n.cmp(&b.1.n))
    });
    if filter.limit > 0 {
        ranked.truncate(filter.limit);
    }
    let mut statement = db.prepare_cached(&format!("SELECT {MEMO} FROM memos WHERE n = ?1"))?;
    ranked
        .into_iter()
        .map(|(score, one)| Ok(MemoHit { memo: statement.query_row([one.n], memo)?, score }))
        .collect()
}

/// The memos that may be found, in the order of their numbers, with their cosines.
fn candidates(
    db: &Db<'_>,
    embedder: &str,
    tenant: &str,
    filter: &MemoFilter,
    asked: &[i8],
    asked_step: f32,
) -> sql::Result<Vec<Candidate>> {
    let Within { roots: [first, second, third], who } = Within::of(filter);
    db.prepare_cached(&format!(
        "SELECT n, id, words, embedder, step, vector FROM memos
         WHERE {SCOPE} AND ({} OR ?3 IS NULL) AND {}
         ORDER BY n",
        db.holds("tags", "?3"),
        within(4)
    ))?
    .query_map(params![tenant, filter.namespace, filter.tag, first, second, third, who], |row| {
        let bytes = row.blob(5)?;
        let cosine = if row.text(3)? == embedder && bytes.len() == asked.len() {
            let own: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
            let step: f64 = row.get(4)?;
            (dot(&own, asked) as f32 * step as f32 * asked_step).clamp(-1.0, 1.0)
        } else {
            0.0
        };
        Ok(Candidate {
            n: row.get(0)?,
            id: row.get(1)?,
            words: row.get::<_, i64>(2)? as f64,
            cosine,
            lexical: 0.0,
        })
    })?
    .collect()
}

/// The share of the query's words, each by its rarity, that a memo holds: 1 for a memo of usual length that holds all.
fn weigh(db: &Db<'_>, tenant: &str, all: &mut [Candidate], terms: &[Term]) -> sql::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let count = all.len() as f64;
    let usual = (all.iter().map(|one| one.words).sum::<f64>() / count).max(1.0);
    let places: HashMap<i64, usize> =
        all.iter().enumerate().map(|(place, one)| (one.n, place)).collect();
    let holding = |term: &Term, named: bool| -> sql::Result<Vec<usize>> {
        let found = holding(db, tenant, term, named)?;
        Ok(found.iter().filter_map(|n| places.get(n).copied()).collect())
    };
    let mut whole = 0.0;
    for term in terms {
        let found = holding(term, false)?;
        let df = found.len() as f64;
        let idf = (1.0 + (count - df + 0.5) / (df + 0.5)).ln();
        whole += idf;
        if found.is_empty() {
            continue;
        }
        for place in found {
            let norm = 1.0 - B + B * all[place].words / usual;
            all[place].lexical += idf * ((K1 + 1.0) / (1.0 + K1 * norm)).min(1.0);
        }
        for place in holding(term, true)? {
            all[place].lexical += NAMED * idf;
        }
    }
    for one in all {
        one.lexical = (one.lexical / whole).min(1.0);
    }
    Ok(())
}
