//! Where transactions are done: a SQLite file, and by [`super::server`] a PostgreSQL server.

use super::{Db, Error};
use rusqlite::{Connection, TransactionBehavior};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Why a transaction was given up: by the rules of what is kept, or by the database.
pub(crate) enum Halted<F> {
    By(F),
    Sql(Error),
}

impl<F> From<Error> for Halted<F> {
    fn from(error: Error) -> Self {
        Self::Sql(error)
    }
}

impl<F> Halted<F> {
    /// Whether the same work may succeed if it is done again.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Sql(error) if error.is_passing())
    }
}

/// Does transactions. `work` may be done several times, and only what the last time did stays; so it changes nothing but the
/// database and what it is then done to again.
pub(crate) trait Database: Send + Sync {
    /// Runs `work` in one transaction that nothing comes between, again while others write. Nothing of it stays when it
    /// fails.
    fn write<T, F>(
        &self,
        work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>>;

    /// Runs `work` on one snapshot.
    fn read<T, F>(&self, work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>)
    -> Result<T, Halted<F>>;

    /// What a failure means to a user, and the way out.
    fn plain_cause(&self, error: &Error) -> String;
}

/// One SQLite file, for any number of processes on one machine.
pub struct File {
    connection: Mutex<Connection>,
    path: PathBuf,
    /// How long work is tried again while other processes write, beyond what each statement waits.
    patience: Duration,
}

impl File {
    pub(crate) fn new(connection: Connection, path: PathBuf, patience: Duration) -> Self {
        connection.set_prepared_statement_cache_capacity(64);
        Self { connection: Mutex::new(connection), path, patience }
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic inside a transaction has rolled it back, so the connection is sound.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a transaction cannot do.
    pub(crate) fn outside<T>(&self, work: impl FnOnce(&Connection) -> T) -> T {
        work(&self.connection())
    }

    fn run<T, F>(
        &self,
        behaviour: TransactionBehavior,
        mut work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>> {
        let until = Instant::now() + self.patience;
        loop {
            let done: Result<T, Halted<F>> = {
                let mut connection = self.connection();
                let mut run = || {
                    let transaction =
                        connection.transaction_with_behavior(behaviour).map_err(Error::Sqlite)?;
                    let value = work(&Db::Sqlite(&transaction))?;
                    transaction.commit().map_err(Error::Sqlite)?;
                    Ok(value)
                };
                run()
            };
            match done {
                Err(halted) if halted.is_passing() && Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                done => return done,
            }
        }
    }
}

impl Database for File {
    fn write<T, F>(
        &self,
        work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>> {
        self.run(TransactionBehavior::Immediate, work)
    }

    fn read<T, F>(
        &self,
        work: impl FnMut(&Db<'_>) -> Result<T, Halted<F>>,
    ) -> Result<T, Halted<F>> {
        self.run(TransactionBehavior::Deferred, work)
    }

    fn plain_cause(&self, error: &Error) -> String {
        match error {
            error if error.is_passing() && !self.patience.is_zero() => format!(
                "other processes have kept {} busy for a minute; try again, or stop them",
                self.path.display()
            ),
            Error::Sqlite(error) => crate::store::plain_cause(&self.path, error),
            error => format!("{error}; `elenchus doctor` checks the store"),
        }
    }
}
