//! Transactions on a PostgreSQL server, for code that waits for them on a thread of its own.

use super::postgres::{self, Session};
use super::{Database, Db, Error, Halted};
use crate::pg::{Connections, migrate, plain_cause};
use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, IsolationLevel, Statement};

/// Transactions that are under way at once, each on a connection of its own.
const CONNECTIONS: usize = 6;
/// How long work is tried again while others write.
const PATIENCE: Duration = Duration::from_mins(1);
/// Times that work is begun again because its connection was lost or two wrote the same key first.
const AGAIN: u32 = 5;

/// A server, and the runtime on which its connections live. Its calls block, so they are made from threads that may.
pub struct Server {
    connections: Connections,
    free: Semaphore,
    idle: Mutex<Vec<Open>>,
    handle: Handle,
}

/// A connection with the statements that were prepared on it.
struct Open {
    client: Client,
    statements: RefCell<HashMap<String, Statement>>,
}

impl Server {
    /// Connects, and brings the schema to this version. To be called on the runtime that is to drive the connections.
    ///
    /// # Errors
    /// What was attempted, and the cause with its way out.
    pub(crate) async fn open(url: &str, what: &str) -> Result<Self, (String, String)> {
        let connections = Connections::new(url, 1)
            .map_err(|cause| (format!("use a database for {what}"), cause))?;
        let failed = |cause| (format!("open {what} in {}", connections.place()), cause);
        let mut client = connections.own().await.map_err(failed)?;
        migrate(&mut client).await.map_err(failed)?;
        let first = Open { client, statements: RefCell::default() };
        Ok(Self {
            connections,
            free: Semaphore::new(CONNECTIONS),
            idle: Mutex::new(vec![first]),
            handle: Handle::current(),
        })
    }

    /// Does on a thread that may block what asks the server, so that the runtime goes on.
    ///
    /// # Errors
    /// The defect that ended the thread, in words.
    pub(crate) async fn aside<K: Send + Sync + 'static, T: Send + 'static>(
        handle: &Handle,
        keeper: &Arc<K>,
        work: impl FnOnce(&K) -> T + Send + 'static,
    ) -> Result<T, String> {
        let keeper = Arc::clone(keeper);
        handle.spawn_blocking(move || work(&keeper)).await.map_err(|error| {
            format!("the work was broken off ({error}); this is a defect of elenchus, report it")
        })
    }

    /// The runtime of the connections.
    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Open>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection that nobody else uses.
    fn taken(&self) -> Result<Open, Error> {
        let known = {
            let mut idle = self.idle();
            idle.retain(|open| !open.client.is_closed());
            idle.pop()
        };
        if let Some(open) = known {
            return Ok(open);
        }
        let client = self.handle.block_on(self.connections.own()).map_err(Error::Unreachable)?;
        Ok(Open { client, statements: RefCell::default() })
    }

    fn run<T, F>(
        &self,
        writes: bool,
        mut work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>> {
        let until = Instant::now() + PATIENCE;
        let mut pause = Duration::from_millis(2);
        let mut begun_again = 0;
        loop {
            let permit = self.handle.block_on(self.free.acquire());
            let mut open = self.taken()?;
            let done = self.once(&mut open, writes, &mut work);
            let broken = matches!(&done, Err(Halted::Sql(error)) if is_of_connection(error));
            let lost = broken || open.client.is_closed();
            if lost {
                // Whatever broke this one has broken the others.
                self.idle().clear();
            } else {
                self.idle().push(open);
            }
            drop(permit);
            let Err(Halted::Sql(error)) = &done else { return done };
            let again = if error.is_passing() {
                Instant::now() < until
            } else {
                // Nothing of it was committed: a commit that may have been done is another error.
                begun_again += 1;
                begun_again <= AGAIN && (is_twin(error) || broken)
            };
            if !again {
                return done;
            }
            std::thread::sleep(jittered(pause));
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }

    /// One try.
    fn once<T, F>(
        &self,
        open: &mut Open,
        writes: bool,
        work: &mut impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>> {
        let Open { client, statements } = open;
        let level =
            if writes { IsolationLevel::Serializable } else { IsolationLevel::RepeatableRead };
        let begin = client.build_transaction().isolation_level(level).read_only(!writes).start();
        let transaction = self.handle.block_on(begin).map_err(Error::Postgres)?;
        let value = {
            let session = Session { transaction: &transaction, statements, handle: &self.handle };
            work(&Db::Postgres(&session))?
        };
        match self.handle.block_on(transaction.commit()) {
            Ok(()) => Ok(value),
            // A server that stops may have committed before it said so. With any other word of it nothing was done.
            Err(error) if writes && error.code().is_none_or(is_of_stopping) => {
                Err(Error::Unsure(postgres::cause(&error)).into())
            }
            Err(error) => Err(Error::Postgres(error).into()),
        }
    }
}

/// Two transactions wrote the same key, each after it had looked and found nothing; the second look finds it.
fn is_twin(error: &Error) -> bool {
    matches!(error, Error::Postgres(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION))
}

/// The way to the server broke, or the server said that it stops.
fn is_of_connection(error: &Error) -> bool {
    let Error::Postgres(error) = error else { return false };
    match error.code() {
        Some(code) => is_of_stopping(code),
        None => {
            error.is_closed()
                || error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
        }
    }
}

fn is_of_stopping(code: &SqlState) -> bool {
    [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW]
        .contains(code)
}

/// Between half of a pause and all of it, so that those who met once do not meet again.
fn jittered(pause: Duration) -> Duration {
    use std::hash::{BuildHasher, RandomState};
    let draw = RandomState::new().hash_one(0_u8) % 1_000;
    pause / 2 + pause * u32::try_from(draw).unwrap_or(0) / 2_000
}

impl Database for Server {
    fn write<T, F>(
        &self,
        work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>> {
        self.run(true, work)
    }

    fn read<T, F>(
        &self,
        work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>> {
        self.run(false, work)
    }

    fn plain_cause(&self, error: &Error) -> String {
        let place = self.connections.place();
        match error {
            error if error.is_passing() => {
                format!("others have kept {place} busy for a minute; try again")
            }
            Error::Postgres(error) => format!("{place}: {}", plain_cause(error)),
            error => format!("{place}: {error}"),
        }
    }
}
