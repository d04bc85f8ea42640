//! Where sources meet: which documents of the index are one of them or name it.

use super::index::from_json;
use super::query::Term;
use super::resident::Resident;
use elenchus_core::evidence::Passage;
use elenchus_core::synthesis::insight::{Meetings, Subject};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// Counts over the whole index. Copies of a document count once. A name of one word must stand in a passage letter for
/// letter: the index knows neither capitals nor endings, and "Mark" is no "marks".
pub(super) fn meetings(
    db: &Connection,
    resident: &Resident,
    subjects: &[Subject],
) -> rusqlite::Result<Meetings> {
    let mut find = db.prepare_cached(
        "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?1 ORDER BY rowid",
    )?;
    let mut text = db.prepare_cached("SELECT passage FROM passages WHERE n = ?1")?;
    let mut touched: BTreeMap<&str, BTreeSet<usize>> =
        resident.sources.iter().map(|source| (source.cluster.as_str(), BTreeSet::new())).collect();
    for (at, subject) in subjects.iter().enumerate() {
        let author = subject.author.as_deref().map(str::to_lowercase);
        let mut holders: BTreeSet<&str> = resident
            .sources
            .iter()
            .filter(|source| {
                subject.clusters.contains(&source.cluster)
                    || (author.is_some()
                        && author == source.author.as_deref().map(str::to_lowercase))
            })
            .map(|source| source.cluster.as_str())
            .collect();
        for name in &subject.names {
            let words = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
            let one_word = match words.count() {
                0 => continue,
                1 => true,
                _ => false,
            };
            let phrase = format!("body : {}", Term { text: name.clone() }.quoted());
            let mut rows = find.query([phrase])?;
            while let Some(row) = rows.next()? {
                let n: i64 = row.get(0)?;
                let Ok(place) = resident.rows.binary_search(&n) else { continue };
                let Some(source) = resident
                    .owner
                    .get(place)
                    .and_then(|owner| resident.sources.get(*owner as usize))
                else {
                    continue;
                };
                let cluster = source.cluster.as_str();
                if holders.contains(cluster) {
                    continue;
                }
                if one_word {
                    let passage: Passage =
                        text.query_row([n], |row| from_json(row.get_ref(0)?.as_str()?))?;
                    if !stands(&passage.text, name) {
                        continue;
                    }
                }
                holders.insert(cluster);
            }
        }
        for cluster in holders {
            touched.entry(cluster).or_default().insert(at);
        }
    }
    Ok(Meetings::of(subjects.len(), touched.values()))
}

/// Whether a word stands in a text as it is written, and not inside another.
fn stands(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
