//! Documents and the web together.

use super::WebRetriever;
use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::{PassageId, short_hash};
use elenchus_core::port::{
    CorpusOverview, Hit, PortFuture, ProviderReport, RetrieveFailure, Retriever, SearchReply,
    SearchRequest, TermCount,
};
use elenchus_core::synthesis::insight::{Meetings, Subject};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Searches a folder and the web at the same time, and reads from where a passage stands.
///
/// Hits are mixed by their score, which is relative to the best of each side: the best of the documents and the best of
/// the web both come early, whichever side has more to say.
pub struct HybridRetriever {
    local: Arc<dyn Retriever>,
    web: Arc<WebRetriever>,
}

impl HybridRetriever {
    /// Both as one.
    pub fn new(local: Arc<dyn Retriever>, web: Arc<WebRetriever>) -> Self {
        Self { local, web }
    }

    async fn search_both(&self, request: &SearchRequest) -> Result<SearchReply, RetrieveFailure> {
        if !request.named.is_empty() {
            // It is for these pages alone, of which the documents know nothing.
            let mut reply = self.web.search(request).await?;
            let passages = self.local.overview().passages;
            reply.searchable = reply.searchable.map(|known| known.saturating_add(passages));
            return Ok(reply);
        }
        let (local, web) =
            futures_util::future::join(self.local.search(request), self.web.search(request)).await;
        match (local, web) {
            (Ok(local), Ok(web)) => {
                let passages = self.local.overview().passages;
                Ok(merged(local, web, passages, usize::from(request.limit)))
            }
            // Half an answer is one, and the trace shows what the other half failed of.
            (Ok(mut local), Err(failure))
                if !matches!(failure, RetrieveFailure::EmptyQuery { .. }) =>
            {
                local.web.asked.push(missing("the web", &failure));
                Ok(local)
            }
            (Err(failure), Ok(mut web))
                if !matches!(failure, RetrieveFailure::EmptyQuery { .. }) =>
            {
                web.web.asked.push(missing("the documents", &failure));
                Ok(web)
            }
            (Err(failure), _) | (_, Err(failure)) => Err(failure),
        }
    }

    async fn read_both(&self, ids: &[PassageId]) -> Result<Vec<ReadPassage>, RetrieveFailure> {
        let is_web = |id: &&PassageId| {
            id.as_str().rsplit_once('#').is_some_and(|(source, _)| self.web.holds(source))
        };
        let (web, local): (Vec<&PassageId>, Vec<&PassageId>) = ids.iter().partition(is_web);
        let own = |ids: Vec<&PassageId>| ids.into_iter().cloned().collect::<Vec<_>>();
        let (web, local) = (own(web), own(local));
        let mut read = if web.is_empty() { Vec::new() } else { self.web.read(&web).await? };
        if !local.is_empty() {
            match self.local.read(&local).await {
                Ok(passages) => read.extend(passages),
                // A page that an earlier process of the run had read.
                Err(RetrieveFailure::UnknownPassage(_)) => {
                    for id in &local {
                        let one = std::slice::from_ref(id);
                        read.extend(match self.local.read(one).await {
                            Err(RetrieveFailure::UnknownPassage(_)) => self.web.read(one).await?,
                            passages => passages?,
                        });
                    }
                }
                Err(failure) => return Err(failure),
            }
        }
        let by_id: BTreeMap<PassageId, ReadPassage> =
            read.into_iter().map(|read| (read.passage.id.clone(), read)).collect();
        let unknown = |id: &PassageId| RetrieveFailure::UnknownPassage(id.clone());
        ids.iter().map(|id| by_id.get(id).cloned().ok_or_else(|| unknown(id))).collect()
    }
}

fn missing(side: &str, failure: &RetrieveFailure) -> ProviderReport {
    ProviderReport { provider: side.to_owned(), results: 0, error: Some(failure.to_string()) }
}

fn merged(local: SearchReply, web: SearchReply, passages: u32, limit: usize) -> SearchReply {
    let mut hits: Vec<Hit> = local.hits.into_iter().chain(web.hits).collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.passage_id.cmp(&b.passage_id)));
    hits.truncate(limit);
    let mut terms: Vec<TermCount> = local.terms;
    for count in web.terms {
        match terms.iter_mut().find(|known| known.term == count.term) {
            Some(known) => known.passages = known.passages.saturating_add(count.passages),
            None => terms.push(count),
        }
    }
    SearchReply {
        hits,
        terms,
        web: web.web,
        searchable: Some(passages.saturating_add(web.searchable.unwrap_or(0))),
    }
}

impl Retriever for HybridRetriever {
    fn search<'a>(
        &'a self,
        request: &'a SearchRequest,
    ) -> PortFuture<'a, Result<SearchReply, RetrieveFailure>> {
        Box::pin(self.search_both(request))
    }

    fn read<'a>(
        &'a self,
        ids: &'a [PassageId],
    ) -> PortFuture<'a, Result<Vec<ReadPassage>, RetrieveFailure>> {
        Box::pin(self.read_both(ids))
    }

    /// The documents, as the web has none to count.
    fn overview(&self) -> CorpusOverview {
        let (local, web) = (self.local.overview(), self.web.overview());
        let state = format!("{} {}", local.fingerprint, web.fingerprint);
        CorpusOverview {
            name: format!("{} and {}", local.name, web.name),
            fingerprint: short_hash(state.as_bytes(), 16),
            ..local
        }
    }

    fn meetings<'a>(
        &'a self,
        subjects: &'a [Subject],
    ) -> PortFuture<'a, Result<Meetings, RetrieveFailure>> {
        self.local.meetings(subjects)
    }
}
