//! The index of vectors outside this process, by the settings.

use crate::config::Config;
#[cfg(feature = "postgres")]
use crate::error::CliError;
use crate::error::Result;
#[cfg(feature = "postgres")]
use crate::store_place::StorePlace;
use crate::ui::terminal::Terminal;
use elenchus_io::bank::Told;
use elenchus_io::retrieve::TextVectors;
#[cfg(feature = "postgres")]
use elenchus_io::vector_index::PgIndex;
use elenchus_io::vector_index::VectorIndex;
use std::sync::Arc;

/// The address of the server that is to be used: `qdrant.url`, else QDRANT_URL.
pub(crate) fn address(config: &Config) -> Option<String> {
    let set = config.text("qdrant.url").map(str::to_owned);
    let usual = || std::env::var("QDRANT_URL").ok();
    set.or_else(usual).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Tells the user what is not as it was set up to be.
pub(crate) fn told(terminal: &Terminal) -> Told {
    let terminal = terminal.clone();
    Arc::new(move |line: &str| terminal.warn(line))
}

/// The index in the store's own server; `None` where the store is a file. Nothing is asked of the server yet.
#[cfg(feature = "postgres")]
pub(crate) fn own(
    place: &StorePlace,
    vectors: &dyn TextVectors,
    terminal: &Terminal,
) -> Result<Option<PgIndex>> {
    let Some(url) = place.database() else { return Ok(None) };
    let index = PgIndex::new(url, vectors.id(), vectors.dimensions()).map_err(|failure| {
        CliError::usage(format!("could not {}", failure.attempted), failure.cause, failure.way_out)
    })?;
    Ok(Some(index.saying(told(terminal))))
}

/// The index for vectors of this embedder on a Qdrant server; `None` where none is set.
#[cfg(feature = "qdrant")]
pub(crate) fn index(
    config: &Config,
    vectors: &dyn TextVectors,
) -> Result<Option<Arc<dyn VectorIndex>>> {
    use crate::error::CliError;
    use elenchus_io::model::language::Secret;
    use elenchus_io::vector_index::{QdrantIndex, QdrantSettings};
    let Some(url) = address(config) else { return Ok(None) };
    let mut settings = QdrantSettings::new(url, vectors.id(), vectors.dimensions());
    settings.key = std::env::var("QDRANT_API_KEY").ok().and_then(|key| Secret::new(&key));
    if let Some(prefix) = config.text("qdrant.prefix") {
        prefix.clone_into(&mut settings.prefix);
    }
    settings.fetch = crate::web::fetching(config);
    let index = QdrantIndex::new(&settings).map_err(|failure| {
        CliError::usage(format!("could not {}", failure.attempted), failure.cause, failure.way_out)
    })?;
    Ok(Some(Arc::new(index)))
}

/// This build has none.
#[cfg(not(feature = "qdrant"))]
#[expect(clippy::unnecessary_wraps, reason = "a build with the feature can fail here")]
pub(crate) fn index(_: &Config, _: &dyn TextVectors) -> Result<Option<Arc<dyn VectorIndex>>> {
    Ok(None)
}
