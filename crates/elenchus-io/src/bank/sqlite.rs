//! The bank in one SQLite file.

use super::nearest::Aside;
use super::{Vault, VaultBank};
use crate::retrieve::{TextVectors, builtin_vectors};
use crate::sql::File;
use crate::store::{SqliteOptions, open_file, open_file_in_memory};
use crate::texts::Blend;
use elenchus_core::bank::BankSettings;
use elenchus_core::port::BankFailure;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a write is tried again while other processes write.
const PATIENCE: Duration = Duration::from_mins(1);

/// A bank in one SQLite file, for any number of processes on one machine.
pub type SqliteBank = VaultBank<File>;

impl SqliteBank {
    /// Opens the bank in a store file, which is made or brought up to date first. Texts get their vectors by `vectors`;
    /// without, the search goes by words alone.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(
        path: &Path,
        options: &SqliteOptions,
        settings: BankSettings,
        vectors: Option<Arc<dyn TextVectors>>,
    ) -> Result<Self, BankFailure> {
        let attempted = format!("open the memory in {}", path.display());
        let db = open_file(path, options, "NORMAL")
            .map_err(|cause| BankFailure::Io { attempted, cause })?;
        Self::on(db, path.to_owned(), settings, vectors)
    }

    /// A bank that lives as long as the value, with the built-in embedder.
    ///
    /// # Errors
    /// When SQLite cannot be used at all.
    pub fn in_memory(settings: BankSettings) -> Result<Self, BankFailure> {
        let attempted = "open a memory that is not kept".to_owned();
        let db = open_file_in_memory().map_err(|cause| BankFailure::Io { attempted, cause })?;
        Self::on(db, PathBuf::from(":memory:"), settings, Some(builtin_vectors()))
    }

    fn on(
        db: Connection,
        path: PathBuf,
        settings: BankSettings,
        vectors: Option<Arc<dyn TextVectors>>,
    ) -> Result<Self, BankFailure> {
        // What is deleted is overwritten, not only forgotten.
        db.execute_batch("PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;").map_err(
            |error| BankFailure::Io {
                attempted: "open the memory".to_owned(),
                cause: error.to_string(),
            },
        )?;
        Ok(Self { vault: Arc::new(Vault::on(File::new(db, path, PATIENCE), settings, vectors)) })
    }

    /// Mixes scores in another way.
    #[must_use]
    pub fn with_blend(mut self, blend: Blend) -> Self {
        // Nobody else has it yet.
        if let Some(vault) = Arc::get_mut(&mut self.vault) {
            vault.blend = blend;
        }
        self
    }
}

/// The disk is not waited for long.
impl Aside for File {
    async fn aside<T: Send + 'static>(
        vault: &Arc<Vault<Self>>,
        work: impl FnOnce(&Vault<Self>) -> Result<T, BankFailure> + Send + 'static,
    ) -> Result<T, BankFailure> {
        work(vault)
    }
}
