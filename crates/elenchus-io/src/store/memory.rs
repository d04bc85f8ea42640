//! A store that lives as long as the process.

use super::{status, whole};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::journal::{GENESIS, JournalRecord, SealedRecord, verify_chain};
use elenchus_core::port::{
    CitedSource, Claim, DURABLE, JournalTip, KEYS_KEPT_MS, Lease, LeftControl, Matter, PortFuture,
    Remark, RunPage, RunQuery, RunSummary, Store, StoreFailure,
};
use elenchus_core::trace::{Envelope, TraceEvent};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps runs in memory. For tests, for `--store memory`, and as the plainest reading of the contract.
#[derive(Debug, Default)]
pub struct MemoryStore {
    runs: Mutex<BTreeMap<RunId, Kept>>,
    /// Claims by the key of a request, each with its time.
    keys: Mutex<BTreeMap<String, (Claim, Timestamp)>>,
    /// Remarks by run, matter, target and actor.
    remarks: Mutex<BTreeMap<Remarked, Remark>>,
}

/// What tells remarks apart.
type Remarked = (RunId, Matter, String, String);

#[derive(Debug)]
struct Kept {
    question: String,
    started_at: Timestamp,
    updated_at: Timestamp,
    ended: Option<String>,
    /// JSON and hash; the number is the position.
    journal: Vec<(String, String)>,
    events: Vec<Envelope>,
    lease: Holding,
    /// Controls that were left and that no record has taken.
    left: Vec<LeftControl>,
    /// How many were left altogether.
    numbered: u64,
}

/// The lease of a run. The token outlives the holder, so that a late writer is told apart.
#[derive(Debug)]
struct Holding {
    holder: Option<String>,
    token: u64,
    expires_at: Timestamp,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<RunId, Kept>> {
        // Every change is made whole before the guard is dropped, so a poisoned map is still a sound one.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn create_now(
        &self,
        run_id: &RunId,
        question: &str,
        first: &SealedRecord,
        events: &[Envelope],
        holder: &str,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        let mut runs = self.runs();
        if runs.contains_key(run_id) {
            return Err(StoreFailure::RunExists(run_id.clone()));
        }
        whole::begins(run_id, first)?;
        let expires_at = Timestamp(first.at.0.saturating_add(lease_ms));
        let kept = Kept {
            question: question.to_owned(),
            started_at: first.at,
            updated_at: first.at,
            ended: first.ended.clone(),
            journal: vec![(first.json.clone(), first.hash.clone())],
            events: events.to_vec(),
            lease: Holding { holder: Some(holder.to_owned()), token: 1, expires_at },
            left: Vec::new(),
            numbered: 0,
        };
        runs.insert(run_id.clone(), kept);
        Ok(Lease { run_id: run_id.clone(), holder: holder.to_owned(), token: 1, expires_at })
    }

    fn append_now(
        &self,
        lease: &Lease,
        record: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), StoreFailure> {
        let mut runs = self.runs();
        let kept = runs
            .get_mut(&lease.run_id)
            .ok_or_else(|| StoreFailure::UnknownRun(lease.run_id.clone()))?;
        if kept.lease.token != lease.token || kept.lease.holder.as_deref() != Some(&lease.holder) {
            return Err(StoreFailure::LeaseLost(lease.run_id.clone()));
        }
        let tip = kept.tip();
        if record.seq != tip.seq + 1 || record.previous != tip.hash {
            return Err(StoreFailure::NotNext {
                run_id: lease.run_id.clone(),
                seq: record.seq,
                tip: tip.seq,
            });
        }
        kept.journal.push((record.json.clone(), record.hash.clone()));
        kept.events.extend_from_slice(events);
        kept.updated_at = record.at;
        if record.ended.is_some() {
            kept.ended.clone_from(&record.ended);
            kept.left.clear();
        }
        kept.left.retain(|left| record.takes != Some(left.number));
        Ok(())
    }

    fn leave_now(
        &self,
        run_id: &RunId,
        json: &str,
        by: &str,
        now: Timestamp,
    ) -> Result<u64, StoreFailure> {
        let mut runs = self.runs();
        let kept = runs.get_mut(run_id).ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))?;
        let is_heard = kept.ended.is_none()
            && kept.lease.expires_at > now
            && kept.lease.holder.as_ref().is_some_and(|holder| !holder.starts_with(DURABLE));
        if !is_heard {
            return Err(StoreFailure::NotDriven(run_id.clone()));
        }
        kept.numbered += 1;
        let (json, by) = (json.to_owned(), by.to_owned());
        kept.left.push(LeftControl { number: kept.numbered, json, by, at: now });
        Ok(kept.numbered)
    }

    fn read<T>(&self, run_id: &RunId, look: impl FnOnce(&Kept) -> T) -> Result<T, StoreFailure> {
        self.runs().get(run_id).map(look).ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))
    }

    fn journal_now(&self, run_id: &RunId) -> Result<Vec<JournalRecord>, StoreFailure> {
        let rows = self.read(run_id, |kept| kept.journal.clone())?;
        verify_chain(
            rows.iter().zip(1..).map(|((json, hash), seq)| (seq, json.as_str(), hash.as_str())),
        )
        .map_err(|broken| StoreFailure::Corrupt {
            run_id: run_id.clone(),
            seq: broken.seq,
            cause: broken.cause,
        })
    }

    fn lease_now(
        &self,
        run_id: &RunId,
        holder: &str,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        let mut runs = self.runs();
        let kept = runs.get_mut(run_id).ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))?;
        let lease = &mut kept.lease;
        match &lease.holder {
            Some(current) if current == holder => {}
            Some(current) if lease.expires_at > now => {
                return Err(StoreFailure::Leased {
                    run_id: run_id.clone(),
                    holder: current.clone(),
                    expires_at_ms: lease.expires_at.0,
                });
            }
            _ => lease.token += 1,
        }
        lease.holder = Some(holder.to_owned());
        lease.expires_at = Timestamp(now.0.saturating_add(lease_ms));
        Ok(Lease {
            run_id: run_id.clone(),
            holder: holder.to_owned(),
            token: lease.token,
            expires_at: lease.expires_at,
        })
    }

    fn renew_now(
        &self,
        lease: &Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        let mut runs = self.runs();
        let held = runs.get_mut(&lease.run_id).map(|kept| &mut kept.lease).filter(|held| {
            held.token == lease.token && held.holder.as_deref() == Some(&lease.holder)
        });
        let held = held.ok_or_else(|| StoreFailure::LeaseLost(lease.run_id.clone()))?;
        held.expires_at = held.expires_at.max(Timestamp(now.0.saturating_add(lease_ms)));
        Ok(Lease { expires_at: held.expires_at, ..lease.clone() })
    }

    fn release_now(&self, lease: &Lease) {
        if let Some(kept) = self.runs().get_mut(&lease.run_id)
            && kept.lease.token == lease.token
            && kept.lease.holder.as_deref() == Some(&lease.holder)
        {
            kept.lease.holder = None;
        }
    }

    fn delete_now(&self, run_id: &RunId, now: Timestamp) -> Result<(), StoreFailure> {
        let mut runs = self.runs();
        let kept = runs.get(run_id).ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))?;
        if let Some(holder) = &kept.lease.holder
            && kept.lease.expires_at > now
        {
            return Err(StoreFailure::Leased {
                run_id: run_id.clone(),
                holder: holder.clone(),
                expires_at_ms: kept.lease.expires_at.0,
            });
        }
        runs.remove(run_id);
        self.keys().retain(|_, (claim, _)| claim.run_id != *run_id);
        self.remarks_kept().retain(|(run, ..), _| run != run_id);
        Ok(())
    }

    fn keys(&self) -> MutexGuard<'_, BTreeMap<String, (Claim, Timestamp)>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remarks_kept(&self) -> MutexGuard<'_, BTreeMap<Remarked, Remark>> {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remark_now(&self, remark: &Remark) -> Result<(), StoreFailure> {
        // Held until the remark is kept, so that no run goes in between.
        let runs = self.runs();
        if !runs.contains_key(&remark.run_id) {
            return Err(StoreFailure::UnknownRun(remark.run_id.clone()));
        }
        let Remark { run_id, about, target, actor, .. } = remark.clone();
        self.remarks_kept().insert((run_id, about, target, actor), remark.clone());
        drop(runs);
        Ok(())
    }

    fn remarks_now(&self, run_id: Option<&RunId>) -> Vec<Remark> {
        let kept = self.remarks_kept();
        let mut found: Vec<Remark> = kept
            .values()
            .filter(|one| run_id.is_none_or(|run_id| one.run_id == *run_id))
            .cloned()
            .collect();
        found.sort_by_key(|one| one.at);
        found
    }

    fn claim_now(
        &self,
        key: &str,
        claim: &Claim,
        instead_of: Option<&RunId>,
        now: Timestamp,
    ) -> Claim {
        let mut keys = self.keys();
        keys.retain(|_, (_, at)| at.0 > now.0.saturating_sub(KEYS_KEPT_MS));
        match keys.get(key) {
            Some((noted, _)) if instead_of != Some(&noted.run_id) => noted.clone(),
            _ => {
                keys.insert(key.to_owned(), (claim.clone(), now));
                claim.clone()
            }
        }
    }
}

impl Kept {
    fn tip(&self) -> JournalTip {
        JournalTip {
            seq: self.journal.len() as u64,
            hash: self.journal.last().map_or_else(|| GENESIS.to_owned(), |(_, hash)| hash.clone()),
        }
    }

    fn summary(&self, run_id: &RunId) -> RunSummary {
        RunSummary {
            run_id: run_id.clone(),
            question: self.question.clone(),
            started_at: self.started_at,
            updated_at: self.updated_at,
            status: status(self.ended.as_deref(), self.lease.holder.is_some()).to_owned(),
            stop_reason: self.ended.clone(),
            records: self.journal.len() as u64,
            events: self.events.len() as u64,
            held_until: self.lease.holder.as_ref().map(|_| self.lease.expires_at),
            put_back: None,
        }
    }
}

impl Store for MemoryStore {
    fn create<'a>(
        &'a self,
        run_id: &'a RunId,
        question: &'a str,
        first: &'a SealedRecord,
        events: &'a [Envelope],
        holder: &'a str,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(async move { self.create_now(run_id, question, first, events, holder, lease_ms) })
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        record: &'a SealedRecord,
        events: &'a [Envelope],
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move { self.append_now(lease, record, events) })
    }

    fn journal<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<JournalRecord>, StoreFailure>> {
        Box::pin(async move { self.journal_now(run_id) })
    }

    fn tip<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<JournalTip, StoreFailure>> {
        Box::pin(async move { self.read(run_id, Kept::tip) })
    }

    fn events<'a>(
        &'a self,
        run_id: &'a RunId,
        after: u64,
    ) -> PortFuture<'a, Result<Vec<Envelope>, StoreFailure>> {
        Box::pin(async move {
            self.read(run_id, |kept| {
                kept.events.iter().filter(|event| event.seq > after).cloned().collect()
            })
        })
    }

    fn lease<'a>(
        &'a self,
        run_id: &'a RunId,
        holder: &'a str,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(async move { self.lease_now(run_id, holder, now, lease_ms) })
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(async move { self.renew_now(lease, now, lease_ms) })
    }

    fn leave_control<'a>(
        &'a self,
        run_id: &'a RunId,
        json: &'a str,
        by: &'a str,
        now: Timestamp,
    ) -> PortFuture<'a, Result<u64, StoreFailure>> {
        Box::pin(async move { self.leave_now(run_id, json, by, now) })
    }

    fn left_controls<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<LeftControl>, StoreFailure>> {
        Box::pin(async move {
            Ok(self.runs().get(run_id).map(|kept| kept.left.clone()).unwrap_or_default())
        })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move {
            self.release_now(lease);
            Ok(())
        })
    }

    fn runs(&self) -> PortFuture<'_, Result<Vec<RunSummary>, StoreFailure>> {
        Box::pin(async move {
            let runs = self.runs();
            let mut list: Vec<RunSummary> =
                runs.iter().map(|(run_id, kept)| kept.summary(run_id)).collect();
            list.sort_by(|a, b| {
                b.started_at.cmp(&a.started_at).then_with(|| a.run_id.cmp(&b.run_id))
            });
            Ok(list)
        })
    }

    fn page<'a>(&'a self, query: &'a RunQuery) -> PortFuture<'a, Result<RunPage, StoreFailure>> {
        Box::pin(async move {
            let list = Store::runs(self).await?;
            Ok(query.page(list))
        })
    }

    fn cited(&self, runs: usize) -> PortFuture<'_, Result<Vec<CitedSource>, StoreFailure>> {
        Box::pin(async move {
            let newest = Store::runs(self).await?;
            let kept = self.runs();
            let mut found = Vec::new();
            for run in newest.into_iter().take(runs) {
                let events = kept.get(&run.run_id).map(|kept| kept.events.as_slice());
                let answer =
                    events.unwrap_or_default().iter().rev().find_map(|one| match &one.event {
                        TraceEvent::AnswerCompleted { answer, .. } => Some(answer),
                        _ => None,
                    });
                let Some(answer) = answer else { continue };
                found.extend(answer.sources.iter().map(|citation| CitedSource {
                    run_id: run.run_id.clone(),
                    question: run.question.clone(),
                    started_at: run.started_at,
                    citation: citation.clone(),
                }));
            }
            Ok(found)
        })
    }

    fn run<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<RunSummary, StoreFailure>> {
        Box::pin(async move { self.read(run_id, |kept| kept.summary(run_id)) })
    }

    fn claim_key<'a>(
        &'a self,
        key: &'a str,
        claim: &'a Claim,
        instead_of: Option<&'a RunId>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Claim, StoreFailure>> {
        Box::pin(async move { Ok(self.claim_now(key, claim, instead_of, now)) })
    }

    fn free_key<'a>(
        &'a self,
        key: &'a str,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move {
            let mut keys = self.keys();
            if keys.get(key).is_some_and(|(claim, _)| claim.run_id == *run_id) {
                keys.remove(key);
            }
            Ok(())
        })
    }

    fn remark<'a>(&'a self, remark: &'a Remark) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move { self.remark_now(remark) })
    }

    fn remarks<'a>(
        &'a self,
        run_id: Option<&'a RunId>,
    ) -> PortFuture<'a, Result<Vec<Remark>, StoreFailure>> {
        Box::pin(async move { Ok(self.remarks_now(run_id)) })
    }

    fn delete<'a>(
        &'a self,
        run_id: &'a RunId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move { self.delete_now(run_id, now) })
    }
}
