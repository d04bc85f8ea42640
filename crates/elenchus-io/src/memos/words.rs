//! The words of memos, as each database finds them: an FTS5 table beside a file's memos, a `tsvector` in a server's.

use crate::retrieve::Term;
use crate::sql::{self, Db};
use elenchus_core::graph::Memo;
use rusqlite::params;

/// Has the words of a memo found. A server does that by itself.
pub(super) fn put(change: &Db<'_>, n: i64, memo: &Memo) -> sql::Result<()> {
    if matches!(change, Db::Sqlite(_)) {
        remove(change, n)?;
        change
            .prepare_cached(
                "INSERT INTO memos_fts (rowid, title, content, tags) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![n, memo.title, memo.content, memo.tags.join(" ")])?;
    }
    Ok(())
}

/// Forgets them.
pub(super) fn remove(change: &Db<'_>, n: i64) -> sql::Result<()> {
    if matches!(change, Db::Sqlite(_)) {
        change.prepare_cached("DELETE FROM memos_fts WHERE rowid = ?1")?.execute([n])?;
    }
    Ok(())
}

/// The numbers of memos that hold a word, or, where it is `named`, hold it in the title or among the tags. A file's are of
/// all tenants.
pub(super) fn holding(
    db: &Db<'_>,
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "only a server's index knows tenants")
    )]
    tenant: &str,
    term: &Term,
    named: bool,
) -> sql::Result<Vec<i64>> {
    match db {
        Db::Sqlite(_) => {
            let word = term.quoted();
            let expression = if named { format!("{{title tags}} : {word}") } else { word };
            db.prepare_cached("SELECT rowid FROM memos_fts WHERE memos_fts MATCH ?1")?
                .query_map([expression], |row| row.get(0))?
                .collect()
        }
        #[cfg(feature = "postgres")]
        Db::Postgres(_) => {
            // What the server's parser splits becomes a phrase; nothing in it is an operator.
            let sql = if named {
                "SELECT n FROM memos WHERE tenant = ?1 AND search @@ phraseto_tsquery('english', ?2)
                   AND ts_filter(search, '{a}') @@ phraseto_tsquery('english', ?2)"
            } else {
                "SELECT n FROM memos WHERE tenant = ?1 AND search @@ phraseto_tsquery('english', ?2)"
            };
            db.prepare_cached(sql)?
                .query_map([tenant, term.text.as_str()], |row| row.get(0))?
                .collect()
        }
    }
}
