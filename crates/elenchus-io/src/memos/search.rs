//! Searching memos: words and meaning, weighed as the corpus weighs them.
//!
//! Nothing in a score comes from another tenant or from outside the namespace: FTS5 gives the memos of a word, and how
//! rare the word is, is counted among the memos that are searched. (FTS5's own `bm25` counts over the whole table.)

use super::rows::{MEMO, SCOPE, Vector, memo};
use crate::retrieve::{DENSE, LEXICAL, Term, TextVectors, content_terms, dot, quantise};
use elenchus_core::graph::{Memo, clamp_01};
use elenchus_core::port::{EmbedFailure, MemoFilter, MemoHit};
use rusqlite::{Connection, params};
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

/// Embeds memos of the scope that another embedder had embedded.
pub(super) fn refresh(
    db: &mut Connection,
    vectors: &dyn TextVectors,
    tenant: &str,
    namespace: &str,
) -> rusqlite::Result<()> {
    loop {
        let change = db.transaction_with_behavior(rusqlite::TransactionBehavior::Deferred)?;
        let stale: Vec<(i64, String)> = change
            .prepare_cached(&format!(
                "SELECT n, title, content FROM memos WHERE {SCOPE} AND embedder <> ?3 LIMIT ?4"
            ))?
            .query_map(params![tenant, namespace, vectors.id(), BATCH], |row| {
                Ok((row.get(0)?, embedded(row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?)))
            })?
            .collect::<Result<_, _>>()?;
        if stale.is_empty() {
            return Ok(());
        }
        let texts: Vec<&str> = stale.iter().map(|(_, text)| text.as_str()).collect();
        let made = vectors
            .embed(&texts, &|_| 1.0)
            .map_err(|failure| rusqlite::Error::ToSqlConversionFailure(Box::new(failure)))?;
        for ((n, _), vector) in stale.iter().zip(made) {
            let vector = stored(vectors, &vector);
            change
                .prepare_cached(
                    "UPDATE memos SET embedder = ?2, step = ?3, vector = ?4 WHERE n = ?1",
                )?
                .execute(params![n, vector.embedder, f64::from(vector.step), vector.bytes])?;
        }
        change.commit()?;
    }
}

pub(super) fn search(
    db: &Connection,
    vectors: &dyn TextVectors,
    tenant: &str,
    query: &str,
    filter: &MemoFilter,
) -> rusqlite::Result<Vec<MemoHit>> {
    let mut terms = content_terms(query);
    terms.truncate(TERMS);
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let short: String = query.chars().take(2_000).collect();
    let made = vectors
        .embed(&[&short], &|_| 1.0)
        .map_err(|failure| rusqlite::Error::ToSqlConversionFailure(Box::new(failure)))?;
    let (asked, step) = quantise(made.first().map(Vec::as_slice).unwrap_or_default());
    let mut all = candidates(db, vectors.id(), tenant, filter, &asked, step)?;
    let words: Vec<String> = terms.iter().map(Term::quoted).collect();
    weigh(db, &mut all, &words)?;
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
    db: &Connection,
    embedder: &str,
    tenant: &str,
    filter: &MemoFilter,
    asked: &[i8],
    asked_step: f32,
) -> rusqlite::Result<Vec<Candidate>> {
    let mut statement = db.prepare_cached(&format!(
        "SELECT n, id, words, embedder, step, vector FROM memos
         WHERE {SCOPE} AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?3))
         ORDER BY n"
    ))?;
    let mut rows = statement.query(params![tenant, filter.namespace, filter.tag])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(5)?.as_blob()?;
        let cosine = if row.get_ref(3)?.as_str()? == embedder && bytes.len() == asked.len() {
            let own: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
            let step: f64 = row.get(4)?;
            (dot(&own, asked) as f32 * step as f32 * asked_step).clamp(-1.0, 1.0)
        } else {
            0.0
        };
        all.push(Candidate {
            n: row.get(0)?,
            id: row.get(1)?,
            words: row.get::<_, i64>(2)? as f64,
            cosine,
            lexical: 0.0,
        });
    }
    Ok(all)
}

/// The share of the query's words, each by its rarity, that a memo holds: 1 for a memo of usual length that holds all.
fn weigh(db: &Connection, all: &mut [Candidate], words: &[String]) -> rusqlite::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let count = all.len() as f64;
    let usual = (all.iter().map(|one| one.words).sum::<f64>() / count).max(1.0);
    let places: HashMap<i64, usize> =
        all.iter().enumerate().map(|(place, one)| (one.n, place)).collect();
    let mut statement =
        db.prepare_cached("SELECT rowid FROM memos_fts WHERE memos_fts MATCH ?1")?;
    let mut holding = |expression: &str| -> rusqlite::Result<Vec<usize>> {
        let rows = statement.query_map([expression], |row| row.get::<_, i64>(0))?;
        let mut found = Vec::new();
        for n in rows {
            found.extend(places.get(&n?).copied());
        }
        Ok(found)
    };
    let mut whole = 0.0;
    for word in words {
        let found = holding(word)?;
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
        for place in holding(&format!("{{title tags}} : {word}"))? {
            all[place].lexical += NAMED * idf;
        }
    }
    for one in all {
        one.lexical = (one.lexical / whole).min(1.0);
    }
    Ok(())
}
