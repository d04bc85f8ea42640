//! A store of which each write is told.

use super::Exporter;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::journal::{JournalRecord, SealedRecord};
use elenchus_core::port::{
    CitedSource, Claim, JournalTip, Lease, LeftControl, PortFuture, Remark, RunPage, RunQuery,
    RunSummary, Store, StoreFailure,
};
use elenchus_core::trace::Envelope;
use std::sync::Arc;

/// A store that tells an exporter what was written to it. Nothing is told before it is kept, and nothing waits for the telling.
pub struct WatchedStore {
    store: Arc<dyn Store>,
    exporter: Exporter,
}

impl WatchedStore {
    /// Stands before a store.
    pub fn new(store: Arc<dyn Store>, exporter: Exporter) -> Self {
        Self { store, exporter }
    }
}

impl Store for WatchedStore {
    fn create<'a>(
        &'a self,
        run_id: &'a RunId,
        question: &'a str,
        first: &'a SealedRecord,
        events: &'a [Envelope],
        holder: &'a str,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(async move {
            let lease =
                self.store.create(run_id, question, first, events, holder, lease_ms).await?;
            self.exporter.heard(&self.store, run_id, first);
            Ok(lease)
        })
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        record: &'a SealedRecord,
        events: &'a [Envelope],
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move {
            self.store.append(lease, record, events).await?;
            self.exporter.heard(&self.store, &lease.run_id, record);
            Ok(())
        })
    }

    fn journal<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<JournalRecord>, StoreFailure>> {
        self.store.journal(run_id)
    }

    fn tip<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<JournalTip, StoreFailure>> {
        self.store.tip(run_id)
    }

    fn events<'a>(
        &'a self,
        run_id: &'a RunId,
        after: u64,
    ) -> PortFuture<'a, Result<Vec<Envelope>, StoreFailure>> {
        self.store.events(run_id, after)
    }

    fn news<'a>(&'a self, run_id: &'a RunId) -> Option<PortFuture<'a, ()>> {
        self.store.news(run_id)
    }

    fn lease<'a>(
        &'a self,
        run_id: &'a RunId,
        holder: &'a str,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        self.store.lease(run_id, holder, now, lease_ms)
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        self.store.renew(lease, now, lease_ms)
    }

    fn leave_control<'a>(
        &'a self,
        run_id: &'a RunId,
        json: &'a str,
        by: &'a str,
        now: Timestamp,
    ) -> PortFuture<'a, Result<u64, StoreFailure>> {
        self.store.leave_control(run_id, json, by, now)
    }

    fn left_controls<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<LeftControl>, StoreFailure>> {
        self.store.left_controls(run_id)
    }

    fn called<'a>(&'a self, run_id: &'a RunId) -> Option<PortFuture<'a, ()>> {
        self.store.called(run_id)
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        self.store.release(lease)
    }

    fn leave_to_others<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        self.store.leave_to_others(lease)
    }

    fn runs(&self) -> PortFuture<'_, Result<Vec<RunSummary>, StoreFailure>> {
        self.store.runs()
    }

    fn page<'a>(&'a self, query: &'a RunQuery) -> PortFuture<'a, Result<RunPage, StoreFailure>> {
        self.store.page(query)
    }

    fn cited(&self, runs: usize) -> PortFuture<'_, Result<Vec<CitedSource>, StoreFailure>> {
        self.store.cited(runs)
    }

    fn run<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<RunSummary, StoreFailure>> {
        self.store.run(run_id)
    }

    fn claim_key<'a>(
        &'a self,
        key: &'a str,
        claim: &'a Claim,
        instead_of: Option<&'a RunId>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Claim, StoreFailure>> {
        self.store.claim_key(key, claim, instead_of, now)
    }

    fn free_key<'a>(
        &'a self,
        key: &'a str,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        self.store.free_key(key, run_id)
    }

    fn remark<'a>(&'a self, remark: &'a Remark) -> PortFuture<'a, Result<(), StoreFailure>> {
        self.store.remark(remark)
    }

    fn remarks<'a>(
        &'a self,
        run_id: Option<&'a RunId>,
    ) -> PortFuture<'a, Result<Vec<Remark>, StoreFailure>> {
        self.store.remarks(run_id)
    }

    fn delete<'a>(
        &'a self,
        run_id: &'a RunId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        self.store.delete(run_id, now)
    }
}
