//! The pages that runs of this store have read, beside what an agent records.

use crate::paths;
use elenchus_core::bank::Echo;
use elenchus_io::web::Snapshots;
use elenchus_server::mcp::ports::{Pages, Refusal, Told};
use std::path::{Path, PathBuf};

/// The most pages that a text is compared with: those that were read last, so that it takes a second at most.
const LATEST: usize = 400;

/// The snapshots beside a store.
pub(crate) struct PagesRead {
    file: PathBuf,
}

impl PagesRead {
    /// Those of this store. There need be none yet.
    pub(crate) fn of(store: &Path) -> Self {
        Self { file: paths::snapshots(store) }
    }
}

impl Pages for PagesRead {
    fn repeated<'a>(&'a self, text: &'a str) -> Told<'a, Option<String>> {
        let (file, echo) = (self.file.clone(), Echo::of(text));
        Box::pin(async move {
            let looked = tokio::task::spawn_blocking(move || {
                if !file.is_file() {
                    return Ok(None);
                }
                let pages = Snapshots::open_existing(&file);
                pages.and_then(|pages| pages.find_lately(LATEST, |page| echo.repeats(page)))
            });
            let unread = |cause: String| {
                Refusal::new(
                    "could not compare it with the pages that were read",
                    cause,
                    "try again; if it stays so, `elenchus doctor` looks for the cause",
                )
            };
            match looked.await {
                Ok(found) => found.map_err(|error| unread(error.to_string())),
                Err(error) => Err(unread(error.to_string())),
            }
        })
    }
}
