//! One page: from the snapshots while it is fresh, else from its site.

use super::page::{self, Hints, Link, Page, RawPage, Received};
use super::provider::{Given, WebResult};
use super::snapshots::Snapshot;
use super::wanted::Wanted;
use super::{Fetcher, Snapshots, secrets};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{PageOutcome, PageReport};
use std::sync::Arc;
use std::time::Duration;

/// What it takes to get a page.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) fetcher: Fetcher,
    pub(super) snapshots: Arc<Snapshots>,
    /// How old a snapshot may be that is read instead of the page.
    pub(super) fresh: Duration,
}

/// What became of a page.
pub(super) struct Obtained {
    pub(super) report: PageReport,
    /// The page, when it was read.
    pub(super) page: Option<Page>,
}

impl Source {
    /// Gets a page. Never fails: what could not be had is a report.
    pub(super) async fn obtain(&self, wanted: Wanted, now: Timestamp) -> Obtained {
        let url = wanted.url.url().to_string();
        let via = wanted.url.by().to_string();
        let report = |outcome| PageReport { url: url.clone(), via: via.clone(), outcome };
        match self.get(wanted, now).await {
            Ok((page, kept)) => {
                let source_id = page.document.source.id.clone();
                let hidden = page.document.source.web.as_ref().map_or(0, |web| web.hidden);
                let outcome = match kept {
                    Some(retrieved_at) => PageOutcome::Kept { source_id, retrieved_at },
                    None => PageOutcome::Read {
                        source_id,
                        passages: u32::try_from(page.document.passages.len()).unwrap_or(u32::MAX),
                        hidden,
                    },
                };
                Obtained { report: report(outcome), page: Some(page) }
            }
            Err(reason) => Obtained { report: report(PageOutcome::Refused { reason }), page: None },
        }
    }

    /// The page, and when it was fetched if it comes from the snapshots.
    async fn get(
        &self,
        wanted: Wanted,
        now: Timestamp,
    ) -> Result<(Page, Option<Timestamp>), String> {
        if let Some((result, given)) =
            wanted.result.as_ref().and_then(|result| Some((result, result.given.as_ref()?)))
        {
            let page = self.given(result, given, now)?;
            return Ok((page, None));
        }
        let age = i64::try_from(self.fresh.as_millis()).unwrap_or(i64::MAX);
        let not_before = Timestamp(now.0.saturating_sub(age));
        let (snapshots, url) = (Arc::clone(&self.snapshots), wanted.url.url().clone());
        // A snapshot that cannot be read is no reason not to fetch the page.
        let kept = blocking(move || snapshots.latest(&url, not_before).ok().flatten()).await?;
        if let Some(kept) = kept {
            return Ok((kept.page, Some(kept.retrieved_at)));
        }
        let mut fetched =
            self.fetcher.fetch(&wanted.url).await.map_err(|failure| failure.to_string())?;
        let snapshots = Arc::clone(&self.snapshots);
        let page = blocking(move || {
            fetched.body = secrets::of_body(std::mem::take(&mut fetched.body));
            let header = |name: &str| fetched.headers.get(name).map(String::as_str);
            let page = page::read(RawPage {
                url: &fetched.url,
                requested: &fetched.requested,
                content_type: fetched.content_type.as_deref(),
                last_modified: header("last-modified"),
                link: header("link"),
                body: &fetched.body,
                retrieved_at: fetched.retrieved_at,
                via: wanted.url.by(),
                hints: wanted.result.as_ref().map_or_else(Hints::default, hints),
            })
            .map_err(|error| error.to_string())?;
            let headers: Vec<(String, String)> =
                fetched.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            let snapshot = Snapshot {
                requested: &fetched.requested,
                url: &fetched.url,
                content_type: fetched.content_type.as_deref(),
                headers: &headers,
                body: &fetched.body,
                page: &page,
            };
            // What cannot be opened again cannot be cited.
            snapshots.put(&snapshot).map_err(|error| error.to_string())?;
            Ok::<Page, String>(page)
        })
        .await??;
        Ok((page, None))
    }

    fn given(&self, result: &WebResult, given: &Given, now: Timestamp) -> Result<Page, String> {
        let text = secrets::of_text(&given.text);
        let mut page = page::given(Received {
            url: result.url.url(),
            markdown: &text,
            licence: given.licence.as_deref(),
            retrieved_at: now,
            via: result.url.by(),
            hints: hints(result),
        })
        .map_err(|error| error.to_string())?;
        // The work that an abstract is of may be followed like a link that bears its title.
        if let Some(whole) = &given.whole {
            page.links.push(Link { url: whole.clone(), text: result.title.clone() });
        }
        let snapshot = Snapshot {
            requested: result.url.url(),
            url: result.url.url(),
            content_type: Some("text/markdown; charset=utf-8"),
            headers: &[],
            body: text.as_bytes(),
            page: &page,
        };
        self.snapshots.put(&snapshot).map_err(|error| error.to_string())?;
        Ok(page)
    }
}

fn hints(result: &WebResult) -> Hints<'_> {
    Hints {
        title: Some(result.title.as_str()).filter(|title| !title.is_empty()),
        author: result.author.as_deref(),
        published: result.published,
    }
}

/// Work that computes or waits for the disk, off the threads that wait for the network.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        format!("the reader of pages fell over ({error}); report it with the address")
    })
}
