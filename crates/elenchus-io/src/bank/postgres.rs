//! The bank on a PostgreSQL server.

use super::nearest::{Aside, Told};
use super::{Vault, VaultBank};
use crate::retrieve::TextVectors;
use crate::sql::Server;
use crate::texts::Blend;
use crate::vector_index::VectorIndex;
use elenchus_core::bank::BankSettings;
use elenchus_core::port::BankFailure;
use std::sync::Arc;

/// A bank on a PostgreSQL server, for any number of processes on any number of machines.
///
/// Calls wait on threads of their own, on the runtime that the bank was opened on. A connection that is lost is made again;
/// where it is lost while a change is being committed, the call fails and says that the change may have been made.
pub type PgBank = VaultBank<Server>;

impl PgBank {
    /// Connects, and brings the schema to this version. Texts get their vectors by `vectors`; without, the search goes by
    /// words alone. Scores are mixed by `blend`, or as usual.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses, or was used by a newer version.
    pub async fn open(
        url: &str,
        settings: BankSettings,
        vectors: Option<Arc<dyn TextVectors>>,
        blend: Option<Blend>,
    ) -> Result<Self, BankFailure> {
        let server = Server::open(url, "the memory")
            .await
            .map_err(|(attempted, cause)| BankFailure::Io { attempted, cause })?;
        let mut vault = Vault::on(server, settings, vectors);
        vault.blend = blend.unwrap_or_default();
        Ok(Self { vault: Arc::new(vault) })
    }

    /// Searches for near strategies in an index that stands in the same server: the vectors are not held in memory, and what
    /// little it lacks is brought to it without being asked. It must have the dimensions of the bank's embedder; `told` hears
    /// when it is not used, and why. The first index stays.
    #[must_use]
    pub fn with_own_index(self, index: Arc<dyn VectorIndex>, told: Told) -> Self {
        self.vault.use_index(index, told, true);
        self
    }
}

/// On a thread that may wait for the server.
impl Aside for Server {
    async fn aside<T: Send + 'static>(
        vault: &Arc<Vault<Self>>,
        work: impl FnOnce(&Vault<Self>) -> Result<T, BankFailure> + Send + 'static,
    ) -> Result<T, BankFailure> {
        Self::aside(vault.db.handle(), vault, work).await.unwrap_or_else(|cause| {
            Err(BankFailure::Io { attempted: "use the memory".to_owned(), cause })
        })
    }
}
