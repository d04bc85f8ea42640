//! A run under way, seen from outside.

use crate::EngineError;
use crate::log::{Events, Reading};
use elenchus_core::answer::Answer;
use elenchus_core::id::{EffectId, RunId, Timestamp};
use elenchus_core::inquiry::{Control, Run};
use elenchus_core::port::Writing;
use elenchus_core::trace::Progress;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

/// What a driver is told.
pub(crate) enum Order {
    /// Journal and obey; then say so, or why it was not taken.
    Control(Control, oneshot::Sender<Result<(), EngineError>>),
    /// Stop driving, leave the run as it is.
    Suspend,
}

/// How driving is to end before the run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// It is not to end.
    Not,
    /// The run waits until somebody is asked to go on with it.
    Suspended,
    /// Whoever takes up runs that nobody drives may have it.
    ToOthers,
}

/// Takes no more orders, and tells whoever gave a control that is still waiting why it was not taken.
pub(crate) fn unheard(orders: &mut mpsc::UnboundedReceiver<Order>, error: &EngineError) {
    orders.close();
    while let Ok(order) = orders.try_recv() {
        if let Order::Control(_, done) = order {
            // Whoever asked may have stopped listening.
            let _ = done.send(Err(error.clone()));
        }
    }
}

/// A run that has come to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// The run, for its view.
    pub run: Run,
    /// Its answer.
    pub answer: Answer,
    /// Why the bank was not told of it, when it should have been.
    pub unremembered: Option<String>,
}

/// An effect being performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Which.
    pub id: EffectId,
    /// `model`, `search`, `read` or `embed`.
    pub tool: &'static str,
    /// What a model writes for it at the moment, where it streams.
    pub writing: Writing,
}

/// How a run stands at this moment. Never recorded; readers see the latest and may miss those between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// How far it is.
    pub progress: Progress,
    /// What is being performed.
    pub in_flight: Vec<InFlight>,
    /// Whether it waits for a control, answers to what it asked back included.
    pub paused: bool,
    /// Whether it waits for the store.
    pub away: Option<Away>,
}

/// A store that could not be written to, and is tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Away {
    /// Since when.
    pub since: Timestamp,
    /// Why, as the last try said.
    pub cause: String,
}

/// A run under way. Dropping the handle does not stop the run.
pub struct RunHandle {
    pub(crate) controller: Controller,
    pub(crate) reading: Reading,
    pub(crate) live: watch::Receiver<Live>,
    pub(crate) driver: JoinHandle<Result<Finished, EngineError>>,
    pub(crate) resumed_after: u64,
}

/// Steers a run; may be kept and cloned apart from its handle.
#[derive(Clone)]
pub struct Controller {
    pub(crate) run_id: RunId,
    pub(crate) orders: mpsc::UnboundedSender<Order>,
    /// Heard also while the store is waited for and no order is taken.
    pub(crate) leave: watch::Sender<Leaving>,
}

impl Controller {
    /// Gives a control. Returns when it is durable; what it takes out of the run is no longer performed then.
    pub async fn control(&self, control: Control) -> Result<(), EngineError> {
        let over = || EngineError::Over(self.run_id.clone());
        let (done, heard) = oneshot::channel();
        self.orders.send(Order::Control(control, done)).map_err(|_| over())?;
        heard.await.unwrap_or_else(|_| Err(over()))
    }

    /// Stops driving at once and gives the lease back. The run can be resumed. No error when it is over already.
    pub fn suspend(&self) {
        self.part(Leaving::Suspended);
    }

    /// The same, and leaves the run to whoever takes up runs that nobody drives, where the store has somebody for that: workers
    /// over one server go on with it. One that is paused stays with whoever paused it.
    pub fn leave_to_others(&self) {
        self.part(Leaving::ToOthers);
    }

    fn part(&self, how: Leaving) {
        self.leave.send_replace(how);
        // A closed channel means that nobody drives.
        let _ = self.orders.send(Order::Suspend);
    }
}

impl RunHandle {
    /// The run's id.
    pub fn run_id(&self) -> &RunId {
        &self.controller.run_id
    }

    /// All events of the run, those before a resume included.
    pub fn events(&self) -> Events {
        self.reading.after(0)
    }

    /// Events with a number above `after`.
    pub fn events_after(&self, after: u64) -> Events {
        self.reading.after(after)
    }

    /// The last event that was there when driving began; 0 for a new run.
    pub fn resumed_after(&self) -> u64 {
        self.resumed_after
    }

    /// How the run stands, as it changes.
    pub fn live(&self) -> watch::Receiver<Live> {
        self.live.clone()
    }

    /// Something to steer the run with.
    pub fn controller(&self) -> Controller {
        self.controller.clone()
    }

    /// Gives a control, see [`Controller::control`].
    pub async fn control(&self, control: Control) -> Result<(), EngineError> {
        self.controller.control(control).await
    }

    /// Waits for the end. The lease has been given back then, unless it was lost. A paused run that no
    /// [`Controller`] is left for is suspended.
    pub async fn join(self) -> Result<Finished, EngineError> {
        let Controller { run_id, orders, .. } = self.controller;
        drop(orders);
        self.driver
            .await
            .unwrap_or_else(|error| Err(EngineError::Driver { run_id, cause: error.to_string() }))
    }
}
