//! The web behind core's `Retriever` port.

use super::independence::{Tie, Witness, independence};
use super::obtain::{Obtained, Source};
use super::page::{Link, Page};
use super::provider::{Provider, WebQuery, WebResult};
use super::wanted::{Bounds, Wanted, in_turn, key, leading_on};
use super::{Fetcher, Snapshots, Vouched, Voucher, secrets};
use crate::retrieve::{Corpus, CorpusError, Group, TextVectors};
use elenchus_core::bank::scrub;
use elenchus_core::evidence::{PartialDate, ReadPassage, Source as Document};
use elenchus_core::id::{PassageId, SourceId, short_hash};
use elenchus_core::port::{
    Clock, CorpusOverview, PageOutcome, PageReport, PortFuture, ProviderReport, RetrieveFailure,
    Retriever, SearchFilter, SearchReply, SearchRequest, WebReport,
};
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream;
use reqwest::Url;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How a run uses the web.
#[derive(Clone)]
pub struct WebSettings {
    /// Who is asked, in this order.
    pub providers: Vec<Arc<dyn Provider>>,
    /// Pages that the user named; they are read at the first search.
    pub named: Vec<Vouched>,
    /// Results asked of each provider a search.
    pub results: u16,
    /// The most pages that one search reads anew.
    pub pages: usize,
    /// The most links that one search follows from the pages it read.
    pub follow: usize,
    /// The most pages of a run.
    pub most_pages: usize,
    /// How old a snapshot may be that is read instead of the page.
    pub fresh: Duration,
    /// Only these sites, when not empty; a domain stands for its subdomains too.
    pub domains: Vec<String>,
    /// None of these: domains, or parts of addresses.
    pub exclude: Vec<String>,
    /// Nothing older, as far as dates are known.
    pub since: Option<PartialDate>,
}

impl Default for WebSettings {
    fn default() -> Self {
        Self {
            providers: Vec::new(),
            named: Vec::new(),
            results: 10,
            pages: 6,
            follow: 2,
            most_pages: 60,
            fresh: Duration::from_hours(24),
            domains: Vec::new(),
            exclude: Vec::new(),
            since: None,
        }
    }
}

/// Pages fetched at the same time for one search. The fetcher has limits of its own besides.
const AT_ONCE: usize = 6;

/// The web as one run sees it: what its searches found and read so far is a corpus that grows.
///
/// One value serves one run. Clones are not needed: all methods take `&self`.
pub struct WebRetriever {
    settings: WebSettings,
    source: Source,
    corpus: Corpus,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Names of pages that were wanted, so that none is fetched twice.
    known: BTreeSet<String>,
    /// How many pages were wanted: one page may have several names.
    claimed: usize,
    /// Whether the pages that the user named were taken up.
    begun: bool,
    /// What was read: for telling who is independent of whom.
    read: BTreeMap<SourceId, Read>,
    /// Pages of other processes of the run, each of which counts as wanted once.
    restored: BTreeSet<SourceId>,
}

impl State {
    /// Counts a page of another process among those that were wanted, once.
    fn count(&mut self, id: &SourceId) {
        if !self.read.contains_key(id) && self.restored.insert(id.clone()) {
            self.claimed += 1;
        }
    }
}

struct Read {
    source: Document,
    text: String,
    /// Addresses and words.
    links: Vec<(String, String)>,
}

/// Which source each page counts as, with the reasons.
fn groups(read: &BTreeMap<SourceId, Read>) -> BTreeMap<SourceId, Group> {
    let witnesses: Vec<Witness<'_>> = read
        .values()
        .map(|one| Witness { source: &one.source, text: &one.text, links: &one.links })
        .collect();
    let found = independence(&witnesses);
    let mut groups: BTreeMap<SourceId, Group> = read
        .keys()
        .zip(found.leaders)
        .map(|(id, leader)| (id.clone(), Group { leader, why: Vec::new() }))
        .collect();
    for union in found.unions {
        let why = union.tie.to_string();
        // Who cites is told so; what holds of both is told of both.
        let both = !matches!(union.tie, Tie::Cites(_));
        for id in std::iter::once(&union.one).chain(both.then_some(&union.other)) {
            if let Some(group) = groups.get_mut(id)
                && !group.why.contains(&why)
            {
                group.why.push(why.clone());
            }
        }
    }
    groups
}

impl WebRetriever {
    /// A retriever that has read nothing yet.
    ///
    /// # Errors
    /// When an index in memory cannot be made.
    pub fn new(
        settings: WebSettings,
        fetcher: Fetcher,
        snapshots: Arc<Snapshots>,
        vectors: Option<Arc<dyn TextVectors>>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, CorpusError> {
        let source = Source { fetcher, snapshots, fresh: settings.fresh };
        let corpus = Corpus::in_memory(Path::new("the web"), vectors)?;
        Ok(Self { settings, source, corpus, clock, state: Mutex::default() })
    }

    /// Takes up what other processes of the same run have read, from its snapshots; what was taken up before is left as it is.
    /// Gives how many of the pages are not kept here, or no longer.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn restore(&self, sources: &[SourceId]) -> Result<usize, CorpusError> {
        {
            let mut state = self.state();
            // A run that had read something had begun with the pages that the user named.
            state.begun |= !sources.is_empty();
            for id in sources {
                state.count(id);
            }
        }
        self.take_up(sources)
    }

    /// The same where it is not known whether these are pages that the run has read.
    fn take_up(&self, sources: &[SourceId]) -> Result<usize, CorpusError> {
        let new: Vec<&SourceId> = {
            let state = self.state();
            sources.iter().filter(|id| !state.read.contains_key(*id)).collect()
        };
        let mut pages = Vec::new();
        let mut missing = 0;
        for id in new {
            match self.source.snapshots.readings(id, None).map(|kept| kept.into_iter().next()) {
                Ok(Some(kept)) => {
                    self.state().count(id);
                    pages.push(kept.page);
                }
                Ok(None) | Err(_) => missing += 1,
            }
        }
        self.take_in(pages)?;
        Ok(missing)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            domains: self.settings.domains.clone(),
            exclude: self.settings.exclude.clone(),
            since: self.settings.since,
        }
    }

    /// Asks the providers, reads what they name, and follows what leads on. Gives whether a provider failed of what may
    /// pass.
    async fn look(&self, query: &str, report: &mut WebReport) -> Result<bool, RetrieveFailure> {
        let bounds = self.bounds();
        let named = {
            let mut state = self.state();
            if std::mem::replace(&mut state.begun, true) {
                Vec::new()
            } else {
                self.settings.named.clone()
            }
        };
        let (named, outside): (Vec<Vouched>, Vec<Vouched>) =
            named.into_iter().partition(|page| bounds.admit(page.url()));
        report.pages.extend(outside.iter().map(|page| {
            let url = secrets::of_address(page.url());
            let outcome = PageOutcome::Refused { reason: out_of_bounds(&url) };
            PageReport { url, via: page.by().to_string(), outcome }
        }));
        let mut wanted: Vec<Wanted> =
            named.into_iter().map(|url| Wanted { url, result: None }).collect();
        let (found, passing) = self.ask(query, &bounds, report).await;
        wanted.extend(found);
        let read = self.obtain(wanted, report).await?;
        let links: Vec<Link> = read.into_iter().flatten().collect();
        let onward = {
            let state = self.state();
            leading_on(query, &links, &bounds, &state.known, self.settings.follow)
        };
        self.obtain(onward, report).await?;
        Ok(passing)
    }

    /// What the providers name, and whether one of them failed of what may pass.
    async fn ask(
        &self,
        query: &str,
        bounds: &Bounds,
        report: &mut WebReport,
    ) -> (Vec<Wanted>, bool) {
        let query = WebQuery {
            text: scrub(query).text,
            limit: self.settings.results.max(1),
            since: bounds.since,
            domains: bounds.domains.clone(),
            exclude: bounds.exclude.clone(),
        };
        let asked = self.settings.providers.iter().map(|provider| provider.find(&query));
        let mut lists: Vec<Vec<WebResult>> = Vec::new();
        let mut passing = false;
        for (provider, found) in self.settings.providers.iter().zip(join_all(asked).await) {
            let (results, error) = match found {
                Ok(results) => (results, None),
                Err(failure) => {
                    passing |= failure.passing;
                    (Vec::new(), Some(failure.to_string()))
                }
            };
            report.asked.push(ProviderReport {
                provider: provider.name().to_owned(),
                results: u32::try_from(results.len()).unwrap_or(u32::MAX),
                error,
            });
            lists.push(results);
        }
        let state = self.state();
        (in_turn(lists, bounds, &state.known, self.settings.pages), passing)
    }

    /// Reads pages and puts them into the corpus; gives the links of each.
    async fn obtain(
        &self,
        wanted: Vec<Wanted>,
        report: &mut WebReport,
    ) -> Result<Vec<Vec<Link>>, RetrieveFailure> {
        let wanted = self.claim(wanted);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.clock.now();
        let source = &self.source;
        let obtained: Vec<Obtained> =
            stream::iter(wanted.into_iter().map(|one| source.obtain(one, now)))
                .buffered(AT_ONCE)
                .collect()
                .await;
        let bounds = self.bounds();
        let mut pages: Vec<Page> = Vec::new();
        for Obtained { report: mut told, page } in obtained {
            if let Some(page) = page {
                match refused(&page, &bounds) {
                    Some(reason) => told.outcome = PageOutcome::Refused { reason },
                    None => pages.push(page),
                }
            }
            report.pages.push(told);
        }
        let links = pages.iter().map(|page| page.links.clone()).collect();
        self.take_in(pages)?;
        Ok(links)
    }

    /// Of the pages wanted those that nobody of this run has wanted before, as far as the run may read more.
    fn claim(&self, wanted: Vec<Wanted>) -> Vec<Wanted> {
        let mut state = self.state();
        let mut claimed = Vec::new();
        for one in wanted {
            if state.claimed >= self.settings.most_pages {
                break;
            }
            if state.known.insert(key(one.url.url())) {
                state.claimed += 1;
                claimed.push(one);
            }
        }
        claimed
    }

    fn take_in(&self, pages: Vec<Page>) -> Result<(), CorpusError> {
        if pages.is_empty() {
            return Ok(());
        }
        // Held throughout, so that two searches do not group past each other.
        let mut state = self.state();
        let mut documents = Vec::new();
        for page in pages {
            let source = &page.document.source;
            if let Some(url) = source.web.as_ref().and_then(|web| Url::parse(&web.url).ok()) {
                state.known.insert(key(&url));
            }
            let links =
                page.links.iter().map(|link| (link.url.url().to_string(), link.text.clone()));
            let read = Read {
                source: source.clone(),
                text: page.document.text.clone(),
                links: links.collect(),
            };
            state.read.insert(source.id.clone(), read);
            documents.push(page.document);
        }
        self.corpus.add(documents)?;
        self.corpus.regroup(&groups(&state.read))
    }

    /// Reads pages that the user named while the run was under way, and searches in these alone. Nothing of the query leaves: a page is
    /// asked for by the address that was typed, under the rules for any that the user names.
    async fn look_into(&self, request: &SearchRequest) -> Result<SearchReply, RetrieveFailure> {
        let bounds = self.bounds();
        let mut report = WebReport::default();
        let mut wanted: Vec<Wanted> = Vec::new();
        for address in &request.named {
            let refused = match Vouched::new(address, Voucher::User) {
                Ok(page) if bounds.admit(page.url()) => {
                    wanted.push(Wanted { url: page, result: None });
                    continue;
                }
                Ok(page) => (page.shown(), out_of_bounds(&page.shown())),
                Err(error) => (scrub(address).text, scrub(&error.to_string()).text),
            };
            let (url, reason) = refused;
            let via = Voucher::User.to_string();
            report.pages.push(PageReport { url, via, outcome: PageOutcome::Refused { reason } });
        }
        let mut within: BTreeSet<String> = wanted.iter().map(|one| one.url.shown()).collect();
        let keys: Vec<(String, String)> =
            wanted.iter().map(|one| (key(one.url.url()), one.url.shown())).collect();
        self.obtain(wanted, &mut report).await?;
        {
            let state = self.state();
            for (_, url) in keys.into_iter().filter(|(key, _)| !state.known.contains(key)) {
                let reason = format!(
                    "did not take {url}: the run has read the {} pages that it may; raise web.most_pages",
                    self.settings.most_pages
                );
                let via = Voucher::User.to_string();
                report.pages.push(PageReport {
                    url,
                    via,
                    outcome: PageOutcome::Refused { reason },
                });
            }
            // A page stands under the address that it came from in the end.
            let sources = report.pages.iter().filter_map(|page| match &page.outcome {
                PageOutcome::Read { source_id, .. } | PageOutcome::Kept { source_id, .. } => {
                    state.read.get(source_id)
                }
                PageOutcome::Refused { .. } => None,
            });
            within.extend(sources.map(|read| read.source.path.clone()));
        }
        let mut reply = SearchReply::default();
        if !within.is_empty() {
            let only = within.iter().cloned().collect();
            let exclude = request.filter.exclude.clone();
            let filter = SearchFilter { exclude, only };
            reply = self.corpus.search(&SearchRequest { filter, ..request.clone() }).await?;
            // The filter takes parts of addresses.
            reply.hits.retain(|hit| within.contains(&hit.path));
        }
        reply.web = report;
        reply.searchable = Some(self.corpus.overview().passages);
        Ok(reply)
    }

    async fn search_now(&self, request: &SearchRequest) -> Result<SearchReply, RetrieveFailure> {
        if !request.named.is_empty() {
            return self.look_into(request).await;
        }
        let mut report = WebReport::default();
        let mut passing = true;
        if request.outward {
            passing = self.look(&for_services(&request.query), &mut report).await?;
        }
        let known = self.corpus.overview().passages;
        let failed: Vec<&ProviderReport> =
            report.asked.iter().filter(|asked| asked.error.is_some()).collect();
        if known == 0 && !failed.is_empty() && failed.len() == report.asked.len() {
            let causes: Vec<String> =
                failed.iter().filter_map(|asked| asked.error.clone()).collect();
            let attempted = format!("search the web for {:?}", request.query);
            let cause = causes.join("; ");
            // A wrong key is not put right by asking again, and whoever is asked has to count it.
            return Err(if passing {
                RetrieveFailure::Index { attempted, cause }
            } else {
                RetrieveFailure::Refused { attempted, cause }
            });
        }
        let mut reply = self.corpus.search(request).await?;
        reply.web = report;
        reply.searchable = Some(self.corpus.overview().passages);
        Ok(reply)
    }

    async fn read_now(&self, ids: &[PassageId]) -> Result<Vec<ReadPassage>, RetrieveFailure> {
        match self.corpus.read(ids).await {
            // Another process of this run fetched it: the snapshot has it.
            Err(RetrieveFailure::UnknownPassage(_)) => {
                let sources: BTreeSet<SourceId> = ids
                    .iter()
                    .filter_map(|id| Some(SourceId(id.as_str().rsplit_once('#')?.0.to_owned())))
                    .collect();
                let sources: Vec<SourceId> = sources.into_iter().collect();
                // Before the run has read a page, there is none of its own to be missed.
                let begun = self.state().begun;
                let missing = self.take_up(&sources)?;
                match self.corpus.read(ids).await {
                    // It may come to be kept here yet, so that this is worth another try.
                    Err(RetrieveFailure::UnknownPassage(id)) if begun && missing > 0 => {
                        let place = self.source.snapshots.place().display();
                        Err(RetrieveFailure::Index {
                            attempted: format!("read passage {id}"),
                            cause: format!(
                                "its page is not among those that are kept in {place}: it was pruned, or another machine has \
                                 fetched it and keeps it to itself; machines that share runs need one store on a PostgreSQL server, \
                                 where pages are kept for all of them"
                            ),
                        })
                    }
                    read => read,
                }
            }
            read => read,
        }
    }

    /// Whether a document is one that was read here.
    pub(super) fn holds(&self, source: &str) -> bool {
        self.corpus.sources().iter().any(|known| known.id.as_str() == source)
    }
}

/// Why a page that was read is not taken after all.
fn refused(page: &Page, bounds: &Bounds) -> Option<String> {
    let source = &page.document.source;
    let web = source.web.as_ref()?;
    let url = Url::parse(&web.url).ok()?;
    if !bounds.admit(&url) {
        return Some(out_of_bounds(&web.url));
    }
    let date =
        web.modified.or(web.published).or_else(|| source.date.as_ref().map(|date| date.value));
    if bounds.too_old(date) {
        let date = date.map_or_else(String::new, |date| date.to_string());
        return Some(format!("did not take {url}: it is of {date}, which is before --since"));
    }
    None
}

fn out_of_bounds(url: &str) -> String {
    format!(
        "did not take {url}: it is outside of the sites that may be used; widen --domains or drop --exclude"
    )
}

impl Retriever for WebRetriever {
    fn search<'a>(
        &'a self,
        request: &'a SearchRequest,
    ) -> PortFuture<'a, Result<SearchReply, RetrieveFailure>> {
        Box::pin(self.search_now(request))
    }

    fn read<'a>(
        &'a self,
        ids: &'a [PassageId],
    ) -> PortFuture<'a, Result<Vec<ReadPassage>, RetrieveFailure>> {
        Box::pin(self.read_now(ids))
    }

    /// The web is not counted: it has no documents but those that a run has read.
    fn overview(&self) -> CorpusOverview {
        let mut names: Vec<String> =
            self.settings.providers.iter().map(|one| one.name().to_owned()).collect();
        if !self.settings.named.is_empty() {
            names.push("pages named in the question".to_owned());
        }
        let name = format!("the web ({})", names.join(", "));
        CorpusOverview {
            fingerprint: short_hash(name.as_bytes(), 16),
            name,
            ..CorpusOverview::default()
        }
    }
}

/// A query as search services take it. Phrases with how far words may stand apart are of this program's own making, and to its index
/// they are alternatives, while to a service each has to be there: they are left out. What a user has put in quotation marks stays.
fn for_services(query: &str) -> Cow<'_, str> {
    if !query.contains("\"~") {
        return Cow::Borrowed(query);
    }
    let parts: Vec<&str> = query.split('"').collect();
    let mut told: Vec<&str> = parts
        .iter()
        .step_by(2)
        .flat_map(|part| part.split_whitespace())
        .filter(|word| !word.starts_with('~'))
        .collect();
    // Hardly anything but phrases: the words of the first.
    if told.len() < 2 {
        told.extend(parts.get(1).into_iter().flat_map(|phrase| phrase.split_whitespace()));
    }
    Cow::Owned(told.join(" "))
}

#[cfg(test)]
mod tests;
