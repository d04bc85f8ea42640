//! Replies of language models, kept in a SQLite file, so that the same request is not paid for twice.
//!
//! A reply is kept under everything that it depends on: provider, address and model, the prompt's id, version and
//! file, and the whole of what is sent and read. Kept is the text as the model wrote it, so that it is read anew by
//! whatever reads replies then. It is derived data: what is damaged is thrown away, and nothing fails for its sake.

use super::{ChatClient, ChatRequest};
use crate::sqlite::write_ahead;
use crate::store::make_private;
use elenchus_core::prompt::{ModelCall, Rendered};
use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior, params};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the trace is told of a reply that was kept.
pub const FROM_CACHE: &str = "the reply was kept from an earlier run: nothing was asked";

/// Most bytes of replies kept, unless told otherwise.
pub const MOST_BYTES: u64 = 64 << 20;

/// Changes when what is kept or how a key is made changes.
const FORMAT: u32 = 1;

/// How long another process may hold the file before a call goes on without it.
const PATIENCE: Duration = Duration::from_millis(500);

const TABLE: &str = "CREATE TABLE IF NOT EXISTS replies (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    version INTEGER NOT NULL,
    reply TEXT NOT NULL,
    digest TEXT NOT NULL,
    bytes INTEGER NOT NULL
) STRICT";

/// Why there is no cache.
#[derive(Debug, thiserror::Error)]
#[error("could not use the cache of replies {}: {cause}; every reply is asked for, or use `--no-cache`", path.display())]
pub struct CacheError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub cause: String,
}

/// Replies that were paid for. Shared by any number of processes.
#[derive(Debug)]
pub struct ReplyCache {
    path: PathBuf,
    most_bytes: u64,
    /// `None` once the file could not be used any more.
    connection: Mutex<Option<Connection>>,
}

/// Everything that a reply depends on.
#[derive(Clone, Debug)]
pub(super) struct Key {
    hash: String,
    model: String,
    prompt: String,
    version: u32,
}

impl Key {
    /// `request` is the first one of a call, before anything is asked again.
    pub(super) fn new(
        client: &ChatClient,
        rendered: &Rendered,
        request: &ChatRequest,
        call: &ModelCall,
    ) -> Self {
        let (name, endpoint) = (client.name(), client.endpoint());
        let temperature = request.temperature.map(f32::to_bits);
        let parts = serde_json::json!([
            FORMAT,
            name.provider.to_string(),
            endpoint.base_url(),
            name.model,
            rendered.prompt,
            rendered.version,
            rendered.fingerprint,
            request.system,
            request.user,
            rendered.schema_name,
            rendered.schema,
            request.max_output_tokens,
            temperature,
            call,
        ]);
        Self {
            hash: digest(&parts.to_string()),
            model: name.to_string(),
            prompt: rendered.prompt.clone(),
            version: rendered.version,
        }
    }
}

fn digest(text: &str) -> String {
    elenchus_core::id::hex(&Sha256::digest(text.as_bytes()))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure)
    )
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    write_ahead(&connection, PATIENCE)?;
    // What is lost with the power is asked for again.
    connection.execute_batch("PRAGMA synchronous = NORMAL;")?;
    let format: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if format != FORMAT {
        connection.execute_batch("DROP TABLE IF EXISTS replies;")?;
        connection.pragma_update(None, "user_version", FORMAT)?;
    }
    connection.execute_batch(TABLE)?;
    // A table of another shape under the same name shows here.
    connection
        .prepare("SELECT number, key, model, prompt, version, reply, digest, bytes FROM replies")?;
    Ok(connection)
}

/// Removes the file and those beside it. What cannot be removed is found out when it is opened again.
fn discard(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let _ = std::fs::remove_file(name);
    }
}

impl ReplyCache {
    /// Opens the file, makes it (readable by its owner only) when there is none, and keeps at most so many bytes of
    /// replies in it. A damaged file is thrown away and begun anew; then the second value says so.
    pub fn open(path: &Path, most_bytes: u64) -> Result<(Self, Option<String>), CacheError> {
        let unusable = |cause: String| CacheError { path: path.to_owned(), cause };
        let make = || -> Result<(), CacheError> {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder).map_err(|error| unusable(error.to_string()))?;
            }
            make_private(path).map_err(|error| unusable(error.to_string()))
        };
        make()?;
        let mut warning = None;
        let connection = match connect(path) {
            Err(error) if !is_busy(&error) => {
                discard(path);
                make()?;
                warning = Some(format!(
                    "the cache of replies {} was damaged ({error}); it is begun anew",
                    path.display()
                ));
                connect(path)
            }
            opened => opened,
        };
        let connection = connection.map_err(|error| unusable(error.to_string()))?;
        let connection = Mutex::new(Some(connection));
        Ok((Self { path: path.to_owned(), most_bytes, connection }, warning))
    }

    fn connection(&self) -> MutexGuard<'_, Option<Connection>> {
        // A panic inside a transaction has rolled it back, so the connection is sound.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the file while it can be used. The first trouble is told, ends its use, and if it is damage, the file;
    /// a file that another process holds too long is only left alone this once.
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, String> {
        let mut held = self.connection();
        let Some(connection) = held.as_mut() else { return Ok(None) };
        match work(connection) {
            Ok(done) => Ok(Some(done)),
            Err(error) if is_busy(&error) => Ok(None),
            Err(error) => {
                *held = None;
                if is_damage(&error) {
                    discard(&self.path);
                }
                Err(format!(
                    "the cache of replies {} cannot be used any more ({error}); replies are asked for",
                    self.path.display()
                ))
            }
        }
    }

    /// The text kept under a key. `Err` tells, once, that the file cannot be used.
    pub(super) fn get(&self, key: &Key) -> Result<Option<String>, String> {
        let found = self.with(|connection| {
            connection
                .query_row("SELECT reply, digest FROM replies WHERE key = ?1", [&key.hash], |row| {
                    Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
                })
                .optional()
        })?;
        // A text that is not what was kept is none.
        Ok(found.flatten().and_then(|(text, kept)| (digest(&text) == kept).then_some(text)))
    }

    /// Keeps a text under a key, in the place of what stood there, and lets the oldest go where room is short.
    pub(super) fn put(&self, key: &Key, text: &str) -> Result<(), String> {
        let most = i64::try_from(self.most_bytes).unwrap_or(i64::MAX);
        self.with(|connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute("DELETE FROM replies WHERE key = ?1", [&key.hash])?;
            let bytes = i64::try_from(text.len()).unwrap_or(i64::MAX);
            transaction.execute(
                "INSERT INTO replies (key, model, prompt, version, reply, digest, bytes)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![key.hash, key.model, key.prompt, key.version, text, digest(text), bytes],
            )?;
            transaction.execute(
                "DELETE FROM replies WHERE number <= (
                    SELECT max(number) FROM (
                        SELECT number, sum(bytes) OVER (ORDER BY number DESC) AS held FROM replies
                    ) WHERE held > ?1)",
                [most],
            )?;
            transaction.commit()
        })
        .map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        Key { hash: digest(name), model: "m".to_owned(), prompt: "plan".to_owned(), version: 1 }
    }

    fn held(cache: &ReplyCache, names: &[&str]) -> Vec<bool> {
        names.iter().map(|name| cache.get(&key(name)).unwrap().is_some()).collect()
    }

    #[test]
    fn what_is_kept_is_found_again_by_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/replies.db");
        let (cache, warning) = ReplyCache::open(&path, 1_000).unwrap();
        assert_eq!(warning, None);
        cache.put(&key("a"), "ä 🌧").unwrap();
        cache.put(&key("a"), "newer").unwrap();
        let (other, warning) = ReplyCache::open(&path, 1_000).unwrap();
        assert_eq!((other.get(&key("a")).unwrap().as_deref(), warning), (Some("newer"), None));
        assert_eq!(other.get(&key("b")).unwrap(), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn the_oldest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, _) = ReplyCache::open(&folder.path().join("r.db"), 25).unwrap();
        for name in ["a", "b"] {
            cache.put(&key(name), "ten bytes.").unwrap();
        }
        // Reading makes nothing younger.
        assert_eq!(held(&cache, &["a", "b"]), [true, true]);
        cache.put(&key("c"), "ten bytes.").unwrap();
        assert_eq!(held(&cache, &["a", "b", "c"]), [false, true, true]);
        cache.put(&key("b"), "ten bytes.").unwrap();
        cache.put(&key("d"), "ten bytes.").unwrap();
        assert_eq!(held(&cache, &["b", "c", "d"]), [true, false, true]);
        cache.put(&key("e"), &"x".repeat(26)).unwrap();
        assert_eq!(held(&cache, &["b", "d", "e"]), [false, false, false], "larger than all room");
    }

    #[test]
    fn damage_is_survived() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.db");
        // No database, one of something else, and one whose table is another.
        std::fs::write(&path, "no database at all, but long enough to be looked at".repeat(40))
            .unwrap();
        let (cache, warning) = ReplyCache::open(&path, 1_000).unwrap();
        assert!(warning.unwrap().contains("damaged"));
        cache.put(&key("a"), "text").unwrap();
        drop(cache);
        let (cache, warning) = ReplyCache::open(&path, 1_000).unwrap();
        assert_eq!((held(&cache, &["a"]), warning), (vec![true], None));
        drop(cache);
        let other = Connection::open(&path).unwrap();
        other.execute_batch("DROP TABLE replies; CREATE TABLE replies (x)").unwrap();
        drop(other);
        let (cache, warning) = ReplyCache::open(&path, 1_000).unwrap();
        assert!(warning.is_some());
        // A row that was changed is not believed.
        cache.put(&key("a"), "text").unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute("UPDATE replies SET reply = 'texts'", []).unwrap();
        assert_eq!(held(&cache, &["a"]), [false]);
        // Trouble in the middle is told once, and then there is simply nothing kept.
        other.execute_batch("DROP TABLE replies").unwrap();
        assert!(cache.get(&key("a")).unwrap_err().contains("replies are asked for"));
        assert_eq!(held(&cache, &["a"]), [false]);
        cache.put(&key("a"), "text").unwrap();
    }

    #[test]
    fn every_byte_cut_off_is_survived() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.db");
        let (cache, _) = ReplyCache::open(&path, 1 << 20).unwrap();
        for name in 0..40 {
            cache.put(&key(&name.to_string()), &"some reply ".repeat(60)).unwrap();
        }
        if let Some(connection) = cache.connection().as_ref() {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        }
        drop(cache);
        let whole = std::fs::read(&path).unwrap();
        for length in (0..whole.len()).step_by(whole.len() / 60) {
            discard(&path);
            std::fs::write(&path, &whole[..length]).unwrap();
            let (cache, _) = ReplyCache::open(&path, 1 << 20).unwrap();
            for name in 0..40 {
                if let Ok(Some(text)) = cache.get(&key(&name.to_string())) {
                    assert_eq!(text, "some reply ".repeat(60));
                }
            }
            let _ = cache.put(&key("new"), "text");
        }
    }

    #[test]
    fn a_place_that_cannot_be_written_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let error = ReplyCache::open(&file.join("r.db"), 1_000).unwrap_err();
        assert!(error.to_string().contains("--no-cache"), "{error}");
    }
}
