//! What was read on the web, kept as it was read, so that every citation can be opened again without a network.

mod lately;
pub(crate) mod moving;
mod rows;
mod schema;
#[cfg(feature = "postgres")]
mod schema_pg;
#[cfg(test)]
mod tests;

#[cfg(feature = "postgres")]
pub(crate) use schema_pg::PAGES;

use super::page::{Link, Page};
use super::{Vouched, Voucher};
use crate::ingest::format::html::Hidden;
use crate::ingest::{EXTRACTION_VERSION, Ingested};
use crate::migrate::Unusable;
#[cfg(feature = "postgres")]
use crate::sql::Server;
use crate::sql::{self, Database, Db, File, Halted};
use crate::sqlite::write_ahead;
use crate::store::make_private;
use elenchus_core::id::{SourceId, Timestamp};
use reqwest::Url;
use rows::inflated;
use rusqlite::Connection;
use schema::{SCHEMA, advice};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a write waits for that of another process.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes that are kept where nothing else is said: 1 GiB.
pub const DEFAULT_CAP: u64 = 1 << 30;

/// Why a snapshot could not be kept or opened: what was attempted, the cause and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("could not {attempt} in {}: {cause}", place.display())]
pub struct SnapshotError {
    /// "keep the page https://..."
    pub attempt: String,
    /// The file, `:memory:`, or the server without its password.
    pub place: PathBuf,
    /// The cause and the way out.
    pub cause: String,
}

/// A page as it was received and read.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    /// What was asked for.
    pub requested: &'a Url,
    /// Where the last redirect led.
    pub url: &'a Url,
    /// The `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// Headers worth keeping, by name. Cookies are not.
    pub headers: &'a [(String, String)],
    /// The body, decompressed; empty for a document that a provider gave.
    pub body: &'a [u8],
    /// Whether it may stand for its address only where the user allows the host: it came from a host that had to be
    /// allowed, or from a provider and not from its address.
    pub only_if_allowed: bool,
    /// What became of it. Its source's `web` says when it was received.
    pub page: &'a Page,
}

/// A snapshot as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What was asked for when it was received first.
    pub requested: String,
    /// Where the last redirect led.
    pub url: String,
    /// When these bytes were received last.
    pub retrieved_at: Timestamp,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// Headers, by name.
    pub headers: Vec<(String, String)>,
    /// The version of the reader; an older one may have read less.
    pub extraction: u32,
    /// Whether it may stand for its address only where the user allows the host.
    pub only_if_allowed: bool,
    /// The page as it was read then.
    pub page: Page,
}

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Volume {
    /// Distinct pages: an address with its bytes.
    pub pages: u64,
    /// Bytes of the file, or of the pages on a server.
    pub bytes: u64,
}

/// The snapshots of a store: in a file of their own (`web.db`) beside it, or on the server that the store lies on, where every
/// process over it finds them.
///
/// Append-only: an address that is fetched again adds a row when its bytes have changed, and a visit when they have not.
/// Rows go only by [`prune`](Self::prune). Safe to share between threads; calls block on the disk or the server. On a server they
/// may be made anywhere but on a runtime of a single thread.
pub struct Snapshots {
    home: Home,
    place: PathBuf,
    cap: u64,
}

enum Home {
    File(File),
    #[cfg(feature = "postgres")]
    Server(Box<Server>),
}

/// Why work was given up.
type Fault = Halted<String>;

/// The file of snapshots, made where there is none and of this version.
fn opened(path: &Path) -> Result<Connection, SnapshotError> {
    let fail = |cause: String| SnapshotError {
        attempt: "open the snapshots".to_owned(),
        place: path.to_owned(),
        cause,
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| {
            fail(format!("its folder cannot be made ({error}); choose another place"))
        })?;
    }
    make_private(path).map_err(|error| {
        fail(format!("the file cannot be written ({error}); check its permissions"))
    })?;
    let opened = Connection::open(path).map_err(Unusable::Sqlite).and_then(|mut db| {
        db.busy_timeout(PATIENCE)?;
        write_ahead(&db, PATIENCE)?;
        // A snapshot that a power cut takes is fetched again.
        db.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;")?;
        SCHEMA.migrate(&mut db)?;
        Ok(db)
    });
    opened.map_err(|unusable| fail(advice(&unusable)))
}

fn plain(database: &impl Database, fault: Fault) -> String {
    match fault {
        Halted::By(cause) => cause,
        Halted::Sql(error) => database.plain_cause(&error),
    }
}

/// Waits for a server without keeping what else the runtime does.
#[cfg(feature = "postgres")]
fn aside<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    let shares = Handle::try_current()
        .is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread);
    if shares { tokio::task::block_in_place(work) } else { work() }
}

impl std::fmt::Debug for Snapshots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshots")
            .field("place", &self.place)
            .field("cap", &self.cap)
            .finish_non_exhaustive()
    }
}

impl Snapshots {
    /// Opens the file, makes it (readable by its owner only) when there is none, and migrates an older one. When it
    /// grows beyond [`DEFAULT_CAP`] the pages that were received longest ago go first; see [`capped`](Self::capped).
    ///
    /// # Errors
    /// When the file cannot be used; the message says what to do.
    pub fn open(path: &Path) -> Result<Self, SnapshotError> {
        opened(path).map(|db| Self::in_file(db, path.to_owned()))
    }

    /// Opens a file that is there, for a command that must not make one.
    ///
    /// # Errors
    /// When there is none or it cannot be used.
    pub fn open_existing(path: &Path) -> Result<Self, SnapshotError> {
        if path.is_file() {
            return Self::open(path);
        }
        Err(SnapshotError {
            attempt: "open the snapshots".to_owned(),
            place: path.to_owned(),
            cause: "there is no such file; name the store that the run was kept in with --store"
                .to_owned(),
        })
    }

    /// Snapshots that live as long as the value.
    ///
    /// # Errors
    /// When SQLite cannot be used at all.
    pub fn in_memory() -> Result<Self, SnapshotError> {
        let place = PathBuf::from(":memory:");
        let opened = Connection::open_in_memory().map_err(Unusable::Sqlite).and_then(|mut db| {
            db.execute_batch("PRAGMA foreign_keys = ON;")?;
            SCHEMA.migrate(&mut db)?;
            Ok(db)
        });
        match opened {
            Ok(db) => Ok(Self::in_file(db, place)),
            Err(unusable) => Err(SnapshotError {
                attempt: "open the snapshots".to_owned(),
                place,
                cause: advice(&unusable),
            }),
        }
    }

    fn in_file(db: Connection, place: PathBuf) -> Self {
        // Each statement waits for other processes by itself.
        let file = File::new(db, place.clone(), Duration::ZERO);
        Self { home: Home::File(file), place, cap: DEFAULT_CAP }
    }

    /// Connects to a server, and brings its schema to this version. The cap counts for all that is kept there, whoever keeps it.
    ///
    /// # Errors
    /// When the server cannot be reached or used; the message says what to do.
    #[cfg(feature = "postgres")]
    pub async fn on_server(url: &str) -> Result<Self, SnapshotError> {
        let shown = crate::pg::Connections::new(url, 1).map(|connections| connections.place());
        let place = PathBuf::from(shown.unwrap_or_else(|_| "a database".to_owned()));
        match Server::open(url, "the snapshots").await {
            Ok(server) => {
                Ok(Self { home: Home::Server(Box::new(server)), place, cap: DEFAULT_CAP })
            }
            Err((_, cause)) => {
                Err(SnapshotError { attempt: "open the snapshots".to_owned(), place, cause })
            }
        }
    }

    /// With another cap, in bytes.
    #[must_use]
    pub fn capped(mut self, bytes: u64) -> Self {
        self.cap = bytes;
        self
    }

    /// Where they are kept.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Keeps a page. The same address with the same bytes and text adds a visit only.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, snapshot: &Snapshot<'_>) -> Result<(), SnapshotError> {
        let attempt = || format!("keep the page {}", snapshot.url);
        let row = rows::Written::of(snapshot).map_err(|cause| self.error(attempt(), cause))?;
        self.write(attempt, |db| rows::put(db, snapshot, &row))?;
        if self.read(attempt, |db| rows::is_beyond(db, self.cap))? {
            self.prune_as(attempt, self.cap / 10 * 9)?;
        }
        Ok(())
    }

    /// The newest snapshot of an address that was received no earlier than `not_before`, read by this version. The
    /// address may be the one asked for, the one that redirects led to, or the canonical one.
    ///
    /// # Errors
    /// When the file cannot be read. A damaged row counts as none.
    pub fn latest(&self, url: &Url, not_before: Timestamp) -> Result<Option<Kept>, SnapshotError> {
        let address = rows::kept_as(url);
        let found = self.read(
            || format!("look {url} up"),
            |db| rows::latest(db, &address, not_before, EXTRACTION_VERSION),
        )?;
        Ok(found.into_iter().find_map(|row| row.kept().ok()))
    }

    /// The snapshot of a document with these bytes; the newest reading where several versions read them.
    ///
    /// # Errors
    /// When the file cannot be read or the row is damaged.
    pub fn by_source(
        &self,
        source: &SourceId,
        content_hash: &str,
    ) -> Result<Option<Kept>, SnapshotError> {
        Ok(self.readings(source, Some(content_hash))?.into_iter().next())
    }

    /// All snapshots of a document, the newest first: with these bytes, or with any.
    ///
    /// # Errors
    /// When the file cannot be read, or holds rows of it of which none can be read.
    pub fn readings(
        &self,
        source: &SourceId,
        content_hash: Option<&str>,
    ) -> Result<Vec<Kept>, SnapshotError> {
        let attempt = || format!("open the snapshot of {source}");
        let found = self.read(attempt, |db| rows::of_source(db, source, content_hash))?;
        let mut kept = Vec::new();
        let mut damage = None;
        for row in found {
            match row.kept() {
                Ok(one) => kept.push(one),
                Err(cause) => damage = Some(cause),
            }
        }
        match damage {
            Some(cause) if kept.is_empty() => Err(self.error(attempt(), cause)),
            _ => Ok(kept),
        }
    }

    /// The newest reading of a document, to search and quote without a network.
    ///
    /// # Errors
    /// As of [`readings`](Self::readings).
    pub fn document(&self, source: &SourceId) -> Result<Option<Ingested>, SnapshotError> {
        Ok(self.readings(source, None)?.into_iter().next().map(|kept| kept.page.document))
    }

    /// The bytes as they were received.
    ///
    /// # Errors
    /// When the file cannot be read or the row is damaged.
    pub fn body(
        &self,
        source: &SourceId,
        content_hash: &str,
    ) -> Result<Option<Vec<u8>>, SnapshotError> {
        let attempt = || format!("open the bytes of {source}");
        let body = self.read(attempt, |db| rows::body(db, source, content_hash))?;
        body.map(|body| inflated(&body).map_err(|cause| self.error(attempt(), cause))).transpose()
    }

    /// How much is kept.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn volume(&self) -> Result<Volume, SnapshotError> {
        self.read(|| "count the snapshots".to_owned(), rows::volume)
    }

    /// Removes the pages that were received longest ago until at most `bytes` are kept; how many went. The
    /// citations of their runs can then no longer be opened offline.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn prune(&self, bytes: u64) -> Result<u64, SnapshotError> {
        self.prune_as(|| "remove old snapshots".to_owned(), bytes)
    }

    fn prune_as(&self, attempt: impl Fn() -> String, bytes: u64) -> Result<u64, SnapshotError> {
        let mut gone = 0;
        loop {
            let some = self.write(&attempt, |db| rows::prune_some(db, bytes))?;
            if some == 0 {
                return Ok(gone);
            }
            gone += some;
        }
    }

    /// How many pages nobody has received since a time; all of them without one.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn count_before(&self, before: Option<Timestamp>) -> Result<u64, SnapshotError> {
        self.read(|| "count the snapshots".to_owned(), |db| rows::count_before(db, before))
    }

    /// Removes the pages that nobody has received since a time, or all of them; how many went. The room in a file is given back to
    /// the disk, so that nothing of them can be read out of it any more; what a server keeps of rows that went is its own work.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn forget_before(&self, before: Option<Timestamp>) -> Result<u64, SnapshotError> {
        let attempt = || "remove snapshots".to_owned();
        let gone = self.write(attempt, |db| rows::forget_before(db, before))?;
        match &self.home {
            Home::File(file) => file.outside(rows::shrink).map_err(|error| {
                self.error(attempt(), file.plain_cause(&sql::Error::Sqlite(error)))
            })?,
            #[cfg(feature = "postgres")]
            Home::Server(_) => {}
        }
        Ok(gone)
    }

    /// Runs `work` in one transaction, again while others write.
    fn write<T>(
        &self,
        attempt: impl Fn() -> String,
        work: impl Fn(&Db<'_>) -> sql::Result<T>,
    ) -> Result<T, SnapshotError> {
        let done = match &self.home {
            Home::File(file) => {
                file.write(|db| work(db).map_err(Fault::from)).map_err(|fault| plain(file, fault))
            }
            #[cfg(feature = "postgres")]
            Home::Server(server) => aside(|| server.write(|db| work(db).map_err(Fault::from)))
                .map_err(|fault| plain(&**server, fault)),
        };
        done.map_err(|cause| self.error(attempt(), cause))
    }

    /// Runs `work` on one state.
    fn read<T>(
        &self,
        attempt: impl Fn() -> String,
        work: impl Fn(&Db<'_>) -> sql::Result<T>,
    ) -> Result<T, SnapshotError> {
        let done = match &self.home {
            Home::File(file) => {
                file.read(|db| work(db).map_err(Fault::from)).map_err(|fault| plain(file, fault))
            }
            #[cfg(feature = "postgres")]
            Home::Server(server) => aside(|| server.read(|db| work(db).map_err(Fault::from)))
                .map_err(|fault| plain(&**server, fault)),
        };
        done.map_err(|cause| self.error(attempt(), cause))
    }

    fn error(&self, attempt: String, cause: String) -> SnapshotError {
        SnapshotError { attempt, place: self.place.clone(), cause }
    }
}
