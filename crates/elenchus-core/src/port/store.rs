//! Where runs are kept.

use super::{PortFuture, Remark};
use crate::answer::Citation;
use crate::id::{RunId, Timestamp};
use crate::journal::{JournalRecord, SealedRecord};
use crate::trace::Envelope;
use serde::{Deserialize, Serialize};

/// The end of a run's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalTip {
    /// Sequence number of the last record; 0 when there is none.
    pub seq: u64,
    /// Its hash; [`crate::journal::GENESIS`] when there is none.
    pub hash: String,
}

/// The right to drive one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lease {
    /// The run.
    pub run_id: RunId,
    /// Who holds it; unique to a process and a start.
    pub holder: String,
    /// Grows by one with each change of holder. Writes with an older token are refused.
    pub token: u64,
    /// When it may be taken by another.
    pub expires_at: Timestamp,
}

/// A run in a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunSummary {
    /// The run.
    pub run_id: RunId,
    /// The question.
    pub question: String,
    /// When it started.
    pub started_at: Timestamp,
    /// When the last record was written.
    pub updated_at: Timestamp,
    /// `running` (a process holds its lease, see [`RunSummary::at`]), `stopped` (none does: it can be resumed), `finished`, `interrupted` or
    /// `failed`.
    pub status: String,
    /// Why it stopped, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// Journal records.
    pub records: u64,
    /// Trace events.
    pub events: u64,
    /// When the lease of whoever drives it ends. It is renewed while that process lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Timestamp>,
    /// Why a worker that took it up could not go on with it, while it is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub put_back: Option<String>,
}

impl RunSummary {
    /// The same as it stands at a time: a store has no clock, and takes a run for running until its lease is given back.
    /// One whose lease ran out is driven by nobody, because the process that held it is gone.
    #[must_use]
    pub fn at(mut self, now: Timestamp) -> Self {
        if self.status == RUNNING && self.held_until.is_some_and(|until| until <= now) {
            STOPPED.clone_into(&mut self.status);
            self.held_until = None;
        }
        self
    }
}

/// The status of a run that a process drives.
const RUNNING: &str = "running";
/// The status of a run that is not over and that nobody drives.
const STOPPED: &str = "stopped";

/// Which runs a listing gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunQuery {
    /// When it is asked, for what [`RunSummary::at`] tells.
    pub now: Timestamp,
    /// Only runs of this status.
    pub status: Option<String>,
    /// Words that the question must have: in any order, as parts of words too, whatever their case.
    pub words: Vec<String>,
    /// Runs that are left out.
    pub except: Vec<RunId>,
    /// Only runs that come after this place in the order of listings.
    pub after: Option<(Timestamp, RunId)>,
    /// Runs that are passed over first, of those that come.
    pub skip: usize,
    /// Runs at most.
    pub limit: usize,
}

impl RunQuery {
    /// All runs, as they stand now.
    pub fn all(now: Timestamp) -> Self {
        Self {
            now,
            status: None,
            words: Vec::new(),
            except: Vec::new(),
            after: None,
            skip: 0,
            limit: usize::MAX,
        }
    }

    /// Whether a question has all the words.
    pub fn names(&self, question: &str) -> bool {
        let question = question.to_lowercase();
        self.words.iter().all(|word| question.contains(&word.to_lowercase()))
    }

    /// Whether a run stands behind the place from which the page begins.
    pub fn is_after(&self, started_at: Timestamp, run_id: &RunId) -> bool {
        self.after.as_ref().is_none_or(|(at, id)| {
            started_at < *at || (started_at == *at && run_id.as_str() > id.as_str())
        })
    }

    /// The page of runs that a store without a query language holds, in the order of listings.
    pub fn page(&self, runs: impl IntoIterator<Item = RunSummary>) -> RunPage {
        let mut page = RunPage::default();
        let mut to_skip = self.skip;
        for run in runs {
            let run = run.at(self.now);
            let is_meant = self.status.as_ref().is_none_or(|status| *status == run.status)
                && !self.except.contains(&run.run_id)
                && self.names(&run.question);
            if !is_meant {
                continue;
            }
            page.total += 1;
            if !self.is_after(run.started_at, &run.run_id) {
                continue;
            }
            if to_skip > 0 {
                to_skip -= 1;
            } else if page.runs.len() < self.limit {
                page.runs.push(run);
            }
        }
        page
    }
}

/// A part of a listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPage {
    /// Its runs, in the order of listings.
    pub runs: Vec<RunSummary>,
    /// How many runs the listing has on all its pages.
    pub total: u64,
}

/// A source that the answer of a run cites.
#[derive(Clone, Debug, PartialEq)]
pub struct CitedSource {
    /// The run.
    pub run_id: RunId,
    /// What was asked.
    pub question: String,
    /// When the run started.
    pub started_at: Timestamp,
    /// The source, under its number in the answer.
    pub citation: Citation,
}

/// What a request that came with a key began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A hash of the request, by which another one under the same key is told.
    pub request: String,
    /// The run that it began, or is about to begin.
    pub run_id: RunId,
}

/// A control that was left in the store for whoever drives a run, because another process was asked to give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftControl {
    /// Grows with every control that is left for the run.
    pub number: u64,
    /// The [`crate::inquiry::Control`] as JSON. A text, since a newer version may have left one that this one cannot read.
    pub json: String,
    /// Who left it, in words for people.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// How the names of holders begin whose runs a durable engine drives: controls reach it by a door of its own, and what was left in
/// the store would never be heard.
pub const DURABLE: &str = "restate:";

/// How long the key of a request is kept: a week, in milliseconds.
pub const KEYS_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Why a store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFailure {
    /// No such run.
    #[error("could not find run {0}: `elenchus runs list` shows the runs there are")]
    UnknownRun(RunId),
    /// The run exists already.
    #[error("could not create run {0}: it exists already")]
    RunExists(RunId),
    /// Someone else drives it.
    #[error(
        "could not take run {run_id}: {holder} is driving it until {expires_at_ms} (Unix ms); wait for it, or stop that process"
    )]
    Leased {
        /// The run.
        run_id: RunId,
        /// Who holds it.
        holder: String,
        /// When the lease ends.
        expires_at_ms: i64,
    },
    /// The lease was lost to another process.
    #[error(
        "could not write to run {0}: the lease was lost, another process has taken the run over"
    )]
    LeaseLost(RunId),
    /// A record does not continue the journal.
    #[error(
        "could not append record {seq} to run {run_id}: the journal ends at {tip}; another writer was here"
    )]
    NotNext {
        /// The run.
        run_id: RunId,
        /// The record's number.
        seq: u64,
        /// The journal's last number.
        tip: u64,
    },
    /// The chain of hashes is broken.
    #[error(
        "could not read the journal of run {run_id}: record {seq} does not continue the chain ({cause}); the file was changed or damaged, restore a backup or delete the run"
    )]
    Corrupt {
        /// The run.
        run_id: RunId,
        /// The first bad record.
        seq: u64,
        /// What does not fit.
        cause: String,
    },
    /// Nobody drives it who would hear a control that is left for it.
    #[error(
        "could not leave a control for run {0}: nobody drives it who looks for one; `elenchus runs resume {0}` goes on with it"
    )]
    NotDriven(RunId),
    /// The storage itself failed, and the same call will fail again until somebody does something about it.
    #[error("could not {attempted}: {cause}")]
    Io {
        /// What was attempted.
        attempted: String,
        /// The cause and the way out.
        cause: String,
    },
    /// The storage cannot be reached or used at this moment: it is gone, on its way, or others are in the way. What was attempted
    /// may have been done.
    #[error("could not {attempted}: {cause}")]
    Away {
        /// What was attempted.
        attempted: String,
        /// The cause and the way out.
        cause: String,
    },
}

/// Keeps journals, traces and leases.
///
/// `append` is atomic: the record and its trace events are durable together when it returns, or nothing is.
/// A control that the record takes ([`SealedRecord::takes`]) is taken by the same step, and with the record that ends a run what was
/// left for it goes. `append` refuses a record that does not continue the chain (`NotNext`) or whose lease token is stale
/// (`LeaseLost`), so a write can be retried after a failure without doubling. Reads see every completed
/// append. Listing order: newest start first, ties by id. Several processes may use one store.
pub trait Store: Send + Sync {
    /// Creates a run with its first record (number 1, an `Opened` input) and takes its lease in one step.
    fn create<'a>(
        &'a self,
        run_id: &'a RunId,
        question: &'a str,
        first: &'a SealedRecord,
        events: &'a [Envelope],
        holder: &'a str,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>>;

    /// Appends the next record and the trace events it caused.
    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        record: &'a SealedRecord,
        events: &'a [Envelope],
    ) -> PortFuture<'a, Result<(), StoreFailure>>;

    /// The whole journal in order, with the chain verified.
    fn journal<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<JournalRecord>, StoreFailure>>;

    /// The end of the journal.
    fn tip<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<JournalTip, StoreFailure>>;

    /// Trace events with a number above `after`, in order.
    fn events<'a>(
        &'a self,
        run_id: &'a RunId,
        after: u64,
    ) -> PortFuture<'a, Result<Vec<Envelope>, StoreFailure>>;

    /// Waits until a run was written to, by this process or another, or may have been; `None` when this store is not told
    /// and has to be asked again. A run that is never written to again keeps it waiting for ever, so bound it.
    fn news<'a>(&'a self, run_id: &'a RunId) -> Option<PortFuture<'a, ()>> {
        let _ = run_id;
        None
    }

    /// Takes the lease of a run: free, expired, or held by `holder` already. The token grows when the holder changes.
    fn lease<'a>(
        &'a self,
        run_id: &'a RunId,
        holder: &'a str,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>>;

    /// Renews a lease that is held still, and gives it as it is then: one that comes late, after another, takes nothing from it.
    /// One that was given back or taken over is refused
    /// ([`StoreFailure::LeaseLost`]): a renewal that comes late must not hold a run that its driver has left.
    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>>;

    /// Leaves a control, as JSON, for whoever drives a run, and gives its number. Refused ([`StoreFailure::NotDriven`]) where nobody
    /// holds the lease at `now`, a durable engine does ([`DURABLE`]), or the run is over. What is left stays when the holder
    /// changes, until a record takes it or the run is over or deleted. Not to be repeated blindly: after [`StoreFailure::Away`] it
    /// may have been left, and a second call leaves a second one.
    fn leave_control<'a>(
        &'a self,
        run_id: &'a RunId,
        json: &'a str,
        by: &'a str,
        now: Timestamp,
    ) -> PortFuture<'a, Result<u64, StoreFailure>>;

    /// The controls that were left for a run and that no record has taken, in the order of their numbers. Of a run that there is
    /// not, none.
    fn left_controls<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<LeftControl>, StoreFailure>>;

    /// Waits until a control was left for a run, by this process or another, or may have been; `None` when this store is not told
    /// and has to be asked again. Bound it, as [`Store::news`].
    fn called<'a>(&'a self, run_id: &'a RunId) -> Option<PortFuture<'a, ()>> {
        let _ = run_id;
        None
    }

    /// Gives the lease back: nobody goes on with the run but who is asked to. Giving back a lost lease is no error.
    fn release<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>>;

    /// Gives the lease back and leaves the run to whoever takes up runs that nobody drives, as if the process of its holder were
    /// gone. A store that nobody looks through for such runs only takes the lease back.
    fn leave_to_others<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        self.release(lease)
    }

    /// All runs.
    fn runs(&self) -> PortFuture<'_, Result<Vec<RunSummary>, StoreFailure>>;

    /// The runs that are asked for, and how many there are on all pages.
    fn page<'a>(&'a self, query: &'a RunQuery) -> PortFuture<'a, Result<RunPage, StoreFailure>>;

    /// What the answers of the newest `runs` runs cite: runs in the order of listings, citations as their answers have them,
    /// the last answer of a run alone.
    fn cited(&self, runs: usize) -> PortFuture<'_, Result<Vec<CitedSource>, StoreFailure>>;

    /// How one run stands.
    fn run<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<RunSummary, StoreFailure>>;

    /// Notes under the key of a request which run it begins, unless something is noted there already and neither is older
    /// than [`KEYS_KEPT_MS`] nor names the run `instead_of`; gives what is noted then. Of several claims at once one counts.
    fn claim_key<'a>(
        &'a self,
        key: &'a str,
        claim: &'a Claim,
        instead_of: Option<&'a RunId>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Claim, StoreFailure>>;

    /// Forgets a key if it is noted for this run: the run could not begin.
    fn free_key<'a>(
        &'a self,
        key: &'a str,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<(), StoreFailure>>;

    /// Keeps a remark on a run, in the place of an earlier one of the same actor on the same target. One that takes back
    /// what was said is kept too: it stands against words from before there was a store for them.
    fn remark<'a>(&'a self, remark: &'a Remark) -> PortFuture<'a, Result<(), StoreFailure>>;

    /// The remarks on a run, or on all runs; in the order of time, ties by run, matter, target and actor. None for a run
    /// that is not there.
    fn remarks<'a>(
        &'a self,
        run_id: Option<&'a RunId>,
    ) -> PortFuture<'a, Result<Vec<Remark>, StoreFailure>>;

    /// Removes a run and everything kept of it, keys of requests and remarks included. Refused while another holder has the lease.
    fn delete<'a>(
        &'a self,
        run_id: &'a RunId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(), StoreFailure>>;
}
