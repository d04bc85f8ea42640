//! One page: from the snapshots while it is fresh, else from its site.

use super::page::{self, Hints, Link, Page, RawPage, Received};
use super::provider::{Given, WebResult};
use super::snapshots::{Kept, Snapshot};
use super::wanted::Wanted;
use super::{Fetcher, Snapshots, Vouched, secrets};
use crate::ingest::format::ExtractError;
use elenchus_core::id::Timestamp;
use elenchus_core::port::{PageOutcome, PageReport};
use reqwest::Url;
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
        let url = secrets::of_address(wanted.url.url());
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
            Err(reason) => {
                let reason = secrets::of_text(&reason);
                Obtained { report: report(PageOutcome::Refused { reason }), page: None }
            }
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
        if let Some(kept) = kept.filter(|kept| self.may_stand(&wanted.url, kept)) {
            return Ok((kept.page, Some(kept.retrieved_at)));
        }
        let mut fetched =
            self.fetcher.fetch(&wanted.url).await.map_err(|failure| failure.to_string())?;
        let snapshots = Arc::clone(&self.snapshots);
        let only_if_allowed = self.fetcher.settings().allows(fetched.url.as_str());
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
            .map_err(|error| unread(&error))?;
            let headers: Vec<(String, String)> =
                fetched.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            let snapshot = Snapshot {
                requested: &fetched.requested,
                url: &fetched.url,
                content_type: fetched.content_type.as_deref(),
                headers: &headers,
                // What was taken out of the text stands in the bytes still.
                body: if page.is_scrubbed { &[] } else { &fetched.body },
                only_if_allowed,
                page: &page,
            };
            // What cannot be opened again cannot be cited.
            snapshots.put(&snapshot).map_err(|error| error.to_string())?;
            Ok::<Page, String>(page)
        })
        .await??;
        Ok((page, None))
    }

    fn may_stand(&self, wanted: &Vouched, kept: &Kept) -> bool {
        Url::parse(&kept.url)
            .is_ok_and(|url| self.fetcher.may_stand(wanted, &url, kept.only_if_allowed))
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
            only_if_allowed: true,
            page: &page,
        };
        self.snapshots.put(&snapshot).map_err(|error| error.to_string())?;
        Ok(page)
    }
}

/// Why a page was not read. What is there to do about a file of a folder is no way out for a page.
fn unread(error: &ExtractError) -> String {
    match error {
        ExtractError::Empty => "found no text in it, as where a script draws the page or all of it is a picture; save what your \
                                browser shows and give Elenchus the file"
            .to_owned(),
        error => error.to_string(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::hop;
    use crate::web::testing::pdf::{PAGE as PDF_PAGE, packed, pdf, stream};
    use crate::web::testing::{Names, Peer, Play, fetcher, settings, user};
    use crate::web::{FetchSettings, Voucher};

    const PAGE: &str = "<html><body><p>The river is 412 km long.</p></body></html>";

    fn source(settings: FetchSettings, snapshots: &Arc<Snapshots>) -> Source {
        let names = Names::of(&[("wiki.example.org", &[&["127.0.0.1"]])]);
        Source {
            fetcher: fetcher(settings, &names),
            snapshots: Arc::clone(snapshots),
            fresh: Duration::from_mins(10),
        }
    }

    async fn got(source: &Source, url: Vouched) -> Obtained {
        source.obtain(Wanted { url, result: None }, hop::now()).await
    }

    fn is_kept(obtained: &Obtained) -> bool {
        matches!(obtained.report.outcome, PageOutcome::Kept { .. })
    }

    #[tokio::test]
    async fn what_was_read_by_the_users_leave_is_not_read_without_it() {
        let peer = Peer::start(|_| Play::page(PAGE)).await;
        let host = format!("wiki.example.org:{}", peer.at.port());
        let address = format!("http://{host}/river");
        let snapshots = Arc::new(Snapshots::in_memory().unwrap());
        let allowed = source(settings(&[&host]), &snapshots);
        let linked = |on: &str| Vouched::new(&address, Voucher::Page(on.to_owned())).unwrap();
        let first = got(&allowed, user(&address)).await;
        assert!(matches!(first.report.outcome, PageOutcome::Read { .. }), "{:?}", first.report);
        assert!(is_kept(&got(&allowed, user(&address)).await));
        assert!(is_kept(&got(&allowed, linked(&format!("http://{host}/"))).await));
        // Neither without leave, where the name leads to a private address, nor by way of the public web.
        let stranger = source(settings(&[]), &snapshots);
        for refused in [
            got(&stranger, user(&address)).await,
            got(&allowed, linked("https://example.com/")).await,
        ] {
            let outcome = &refused.report.outcome;
            assert!(matches!(outcome, PageOutcome::Refused { .. }), "{outcome:?}");
            assert!(refused.page.is_none());
        }
        assert_eq!(peer.connections(), 1);
    }

    #[tokio::test]
    async fn a_pdf_over_http_is_a_document_of_pages() {
        let font = "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>>>";
        let operators = packed(b"BT /F 11 Tf 50 700 Td (The lamp was lit at nine.) Tj ET");
        let body = pdf(&[PDF_PAGE.into(), stream("/Filter/FlateDecode", &operators), font.into()]);
        let peer = Peer::start(move |_| {
            Play::answer(200, &[("content-type", "application/pdf")], body.clone())
        })
        .await;
        let snapshots = Arc::new(Snapshots::in_memory().unwrap());
        let source = source(settings(&[&peer.at.to_string()]), &snapshots);
        let read = got(&source, user(&peer.url("/lamp"))).await;
        let document = &read.page.as_ref().unwrap().document;
        let passage = &document.passages[0];
        assert_eq!((passage.page, passage.text.as_str()), (Some(1), "The lamp was lit at nine."));
        assert!(is_kept(&got(&source, user(&peer.url("/lamp"))).await));
    }

    #[tokio::test]
    async fn a_secret_that_only_reading_shows_is_kept_nowhere() {
        // In pieces, so that no scanner takes it for one.
        let token = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
        let parted = token.replace("kL1m", "k<i>L1</i>m");
        let html =
            format!("<html><body><p>The keeper signs in with {parted} at nine.</p></body></html>");
        let font = "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>>>";
        let operators =
            format!("BT /F 11 Tf 9 9 Td (The keeper signs in with {token} at nine.) Tj ET");
        let operators = packed(operators.as_bytes());
        let body = pdf(&[PDF_PAGE.into(), stream("/Filter/FlateDecode", &operators), font.into()]);
        let peer = Peer::start(move |path| match path {
            "/pdf" => Play::answer(200, &[("content-type", "application/pdf")], body.clone()),
            _ => Play::page(&html),
        })
        .await;
        let snapshots = Arc::new(Snapshots::in_memory().unwrap());
        let source = source(settings(&[&peer.at.to_string()]), &snapshots);
        for path in ["/html", "/pdf"] {
            let read = got(&source, user(&peer.url(path))).await;
            let document = &read.page.as_ref().unwrap().document;
            let said = format!("{document:?}");
            assert!(said.contains("removed]") && !said.contains(&token), "{path}: {said}");
            let of = &document.source;
            let kept = snapshots.body(&of.id, &of.content_hash).unwrap();
            assert_eq!(kept.as_deref(), Some(&b""[..]), "{path}");
        }
    }

    #[tokio::test]
    async fn a_secret_in_an_address_goes_to_its_site_and_stays_nowhere() {
        let peer = Peer::start(|path| match path {
            path if path.starts_with("/gone") => Play::answer(404, &[], "no"),
            path if path.starts_with("/empty") => Play::page("<html><body></body></html>"),
            _ => Play::page(PAGE),
        })
        .await;
        let snapshots = Arc::new(Snapshots::in_memory().unwrap());
        let source = source(settings(&[&peer.at.to_string()]), &snapshots);
        // In pieces, so that no scanner takes it for one.
        let token = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
        let at = |path: &str| user(&peer.url(&format!("{path}?token={token}")));
        let read = got(&source, at("/river")).await;
        assert_eq!(peer.paths(), [format!("/river?token={token}")]);
        let document = &read.page.as_ref().unwrap().document;
        let told = format!("{:?} {document:?}", read.report);
        assert!(!told.contains(&token) && told.contains("removed]"), "{told}");
        assert!(is_kept(&got(&source, at("/river")).await));
        let gone = format!("{:?}", got(&source, at("/gone")).await.report);
        assert!(gone.contains("404") && !gone.contains(&token), "{gone}");
        // What is drawn by a script is no file to remove from a folder.
        let empty = format!("{:?}", got(&source, at("/empty")).await.report);
        assert!(empty.contains("browser") && !empty.contains("corpus"), "{empty}");
    }
}
