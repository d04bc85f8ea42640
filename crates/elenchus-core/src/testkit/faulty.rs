//! A store that fails when told to.

use crate::id::{RunId, Timestamp};
use crate::journal::{JournalRecord, SealedRecord};
use crate::port::{
    CitedSource, Claim, JournalTip, Lease, LeftControl, PortFuture, Remark, RunPage, RunQuery,
    RunSummary, Store, StoreFailure,
};
use crate::trace::Envelope;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call fails and does nothing.
    Refuses,
    /// The call does its work, and its success is not heard.
    Unheard,
    /// The call fails and does nothing, and nobody knows whether it would be of use to wait.
    Breaks,
    /// The call does nothing and does not come back.
    Hangs,
}

/// Fails at some calls, counted from 1 over all methods but those of controls that were left: a driver looks for these by the clock,
/// beside its other calls.
pub struct FaultyStore {
    inner: Arc<dyn Store>,
    fault: Fault,
    from: u32,
    times: u32,
    calls: AtomicU32,
}

impl FaultyStore {
    /// Fails at `times` calls from the `from`-th on.
    pub fn new(inner: Arc<dyn Store>, fault: Fault, from: u32, times: u32) -> Self {
        Self { inner, fault, from, times, calls: AtomicU32::new(0) }
    }

    /// Calls so far.
    pub fn calls(&self) -> u32 {
        self.calls.load(Ordering::SeqCst)
    }

    async fn pass<T>(
        &self,
        call: PortFuture<'_, Result<T, StoreFailure>>,
    ) -> Result<T, StoreFailure> {
        let n = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if n < self.from || n - self.from >= self.times {
            return call.await;
        }
        match self.fault {
            Fault::Unheard => drop(call.await?),
            Fault::Hangs => std::future::pending().await,
            Fault::Refuses | Fault::Breaks => {}
        }
        let (attempted, cause) = (format!("do call {n}"), "a test made it fail".to_owned());
        Err(match self.fault {
            Fault::Breaks => StoreFailure::Io { attempted, cause },
            _ => StoreFailure::Away { attempted, cause },
        })
    }
}

impl Store for FaultyStore {
    fn create<'a>(
        &'a self,
        run_id: &'a RunId,
        question: &'a str,
        first: &'a SealedRecord,
        events: &'a [Envelope],
        holder: &'a str,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(self.pass(self.inner.create(run_id, question, first, events, holder, lease_ms)))
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        record: &'a SealedRecord,
        events: &'a [Envelope],
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.pass(self.inner.append(lease, record, events)))
    }

    fn journal<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<JournalRecord>, StoreFailure>> {
        Box::pin(self.pass(self.inner.journal(run_id)))
    }

    fn tip<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<JournalTip, StoreFailure>> {
        Box::pin(self.pass(self.inner.tip(run_id)))
    }

    fn events<'a>(
        &'a self,
        run_id: &'a RunId,
        after: u64,
    ) -> PortFuture<'a, Result<Vec<Envelope>, StoreFailure>> {
        Box::pin(self.pass(self.inner.events(run_id, after)))
    }

    fn lease<'a>(
        &'a self,
        run_id: &'a RunId,
        holder: &'a str,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(self.pass(self.inner.lease(run_id, holder, now, lease_ms)))
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(self.pass(self.inner.renew(lease, now, lease_ms)))
    }

    fn leave_control<'a>(
        &'a self,
        run_id: &'a RunId,
        json: &'a str,
        by: &'a str,
        now: Timestamp,
    ) -> PortFuture<'a, Result<u64, StoreFailure>> {
        self.inner.leave_control(run_id, json, by, now)
    }

    fn left_controls<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<LeftControl>, StoreFailure>> {
        self.inner.left_controls(run_id)
    }

    fn called<'a>(&'a self, run_id: &'a RunId) -> Option<PortFuture<'a, ()>> {
        self.inner.called(run_id)
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.pass(self.inner.release(lease)))
    }

    fn leave_to_others<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.pass(self.inner.leave_to_others(lease)))
    }

    fn runs(&self) -> PortFuture<'_, Result<Vec<RunSummary>, StoreFailure>> {
        Box::pin(self.pass(self.inner.runs()))
    }

    fn page<'a>(&'a self, query: &'a RunQuery) -> PortFuture<'a, Result<RunPage, StoreFailure>> {
        Box::pin(self.pass(self.inner.page(query)))
    }

    fn cited(&self, runs: usize) -> PortFuture<'_, Result<Vec<CitedSource>, StoreFailure>> {
        Box::pin(self.pass(self.inner.cited(runs)))
    }

    fn run<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<RunSummary, StoreFailure>> {
        Box::pin(self.pass(self.inner.run(run_id)))
    }

    fn claim_key<'a>(
        &'a self,
        key: &'a str,
        claim: &'a Claim,
        instead_of: Option<&'a RunId>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Claim, StoreFailure>> {
        Box::pin(self.pass(self.inner.claim_key(key, claim, instead_of, now)))
    }

    fn free_key<'a>(
        &'a self,
        key: &'a str,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.pass(self.inner.free_key(key, run_id)))
    }

    fn remark<'a>(&'a self, remark: &'a Remark) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.pass(self.inner.remark(remark)))
    }

    fn remarks<'a>(
        &'a self,
        run_id: Option<&'a RunId>,
    ) -> PortFuture<'a, Result<Vec<Remark>, StoreFailure>> {
        Box::pin(self.pass(self.inner.remarks(run_id)))
    }

    fn delete<'a>(
        &'a self,
        run_id: &'a RunId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.pass(self.inner.delete(run_id, now)))
    }
}
