//! The pages that runs of this store have read, beside what an agent records.

use crate::store_place::StorePlace;
use crate::web;
use elenchus_core::bank::Echo;
use elenchus_server::mcp::ports::{Pages, Refusal, Told};

/// The most pages that a text is compared with: those that were read last, so that it takes a second at most.
const LATEST: usize = 400;

/// The snapshots of a store: beside its file, or on its server.
pub(crate) struct PagesRead {
    store: StorePlace,
}

impl PagesRead {
    /// Those of this store. There need be none yet.
    pub(crate) fn of(store: &StorePlace) -> Self {
        Self { store: store.clone() }
    }
}

impl Pages for PagesRead {
    fn repeated<'a>(&'a self, text: &'a str) -> Told<'a, Option<String>> {
        let store = self.store.clone();
        Box::pin(async move {
            let text = text.to_owned();
            let looked = tokio::task::spawn_blocking(move || {
                web::pages(&store).and_then(|pages| match pages {
                    Some(pages) => {
                        let echo = Echo::of(&text);
                        pages.find_lately(LATEST, |page| echo.repeats(page))
                    }
                    None => Ok(None),
                })
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
