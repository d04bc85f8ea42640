//! Forks: a run goes back to a step of another one, and goes on from there by itself.

use super::step::{is_drafted, limit};
use super::{Control, Input, LimitsRefused, NewLimits, NotARun, Opened, Phase, Run, StopReason};
use crate::id::{EffectId, RunId, Timestamp};
use crate::journal::{Entry, Intent, JournalRecord};
use crate::trace::Envelope;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Where a run comes from that began with what another one had been told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forked {
    /// The other run.
    pub parent: RunId,
    /// The last event of that run's trace that is in this run's trace too, from 1.
    pub event_id: u64,
}

/// Why a run cannot be forked at an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForkFailure {
    /// The journal is that of no run.
    #[error(transparent)]
    NotARun(#[from] NotARun),
    /// Its trace has no such event.
    #[error("its trace has the events 1 to {last}; name one of them")]
    UnknownEvent {
        /// The last event there is.
        last: u64,
    },
    /// It was over with its first input, so that nothing is left to be done otherwise.
    #[error("it was over with its first step; ask again")]
    OverAtOnce,
}

/// Why no other run goes on from the end of a run under other limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMore {
    /// The journal is that of no run.
    #[error(transparent)]
    NotARun(#[from] NotARun),
    /// The limits are none that may be set.
    #[error(transparent)]
    Refused(#[from] LimitsRefused),
    /// It has not ended.
    #[error("it is not over")]
    UnderWay,
    /// It ended for another reason than a limit.
    #[error("no limit ended it: {}", .0.sentence())]
    Ended(StopReason),
    /// It was over with its first input.
    #[error("it was over with its first step")]
    OverAtOnce,
    /// Under the new limits it would end there as well.
    #[error("the new limits leave room for nothing more: {}", .0.sentence())]
    NoRoom(StopReason),
}

impl NoMore {
    /// What to do instead.
    pub fn way_out(&self) -> String {
        match self {
            Self::NotARun(_) => "name another run".to_owned(),
            Self::Refused(refused) => refused.way_out(),
            Self::UnderWay => "set the limits of the run itself".to_owned(),
            Self::Ended(_) => {
                "fork it at a step with something else to look for, or ask again".to_owned()
            }
            Self::OverAtOnce => "ask again".to_owned(),
            Self::NoRoom(_) => {
                "raise the limit that was reached as well; what the run has used counts".to_owned()
            }
        }
    }
}

/// The beginning of a run, as far as another one takes it over.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    opened: Opened,
    /// What came after the first input, each with the milliseconds since then.
    rest: Vec<(Entry, i64)>,
    run: Run,
    trace: Vec<Envelope>,
}

impl Cut {
    /// The beginning of a run up to and with an event of its trace, by its number from 1.
    ///
    /// What one input told belongs together: its events come with each other, so that the last may have a number above
    /// `event_id`. Where the run is over with them, the input that ended it is left out, because nothing would be left to be
    /// done. Intents are taken over as far as their outcomes are; what was in flight is done anew.
    ///
    /// # Errors
    /// When the journal is that of no run, the trace has no such event, or the run was over with its first input.
    pub fn at(records: &[JournalRecord], event_id: u64) -> Result<Self, ForkFailure> {
        let mut inputs =
            records.iter().zip(1..).filter_map(|(record, count)| match &record.entry {
                Entry::Input(input) => Some((input.as_ref(), record.at, count)),
                Entry::Intent(_) => None,
            });
        let Some((Input::Opened(opened), began, mut kept)) = inputs.next() else {
            return Err(NotARun.into());
        };
        let (mut run, mut trace) = Run::new(opened.clone(), began);
        // The events that there were before the last input that told any.
        let mut before = 0;
        for (input, at, count) in inputs {
            // For an event 0 the last one is still to be found out.
            if event_id > 0 && trace.len() as u64 >= event_id {
                break;
            }
            let told = run.feed(input.clone(), at);
            if !told.is_empty() {
                (before, kept) = (trace.len() as u64, count);
                trace.extend(told);
            }
        }
        let last = trace.len() as u64;
        if event_id == 0 || event_id > last {
            return Err(ForkFailure::UnknownEvent { last });
        }
        if run.view().progress().phase == Phase::Done {
            return match before {
                0 => Err(ForkFailure::OverAtOnce),
                open => Self::at(records, open),
            };
        }
        let (records, _) = records.split_at(kept);
        let rest = entries(records, began);
        Ok(Self { opened: opened.clone(), rest, run, trace })
    }

    /// The beginning of a run that a limit ended, up to where it stopped searching for it: another run goes on from there under
    /// other limits. What came after, the making of the answer, is left out.
    ///
    /// # Errors
    /// When the journal is that of no run, no limit ended it, or the new limits are none or leave no room.
    pub fn for_more(records: &[JournalRecord], limits: &NewLimits) -> Result<Self, NoMore> {
        if let Some(refused) = limits.refusal() {
            return Err(refused.into());
        }
        let mut inputs = records.iter().filter_map(|record| match &record.entry {
            Entry::Input(input) => Some((input.as_ref(), record.at)),
            Entry::Intent(_) => None,
        });
        let Some((Input::Opened(opened), began)) = inputs.next() else {
            return Err(NotARun.into());
        };
        let (mut run, trace) = Run::new(opened.clone(), began);
        // The number of the last event with which it stopped searching.
        let (mut stopped, mut events) = (0, trace.len() as u64);
        let searches = |run: &Run| {
            let phase = run.view().progress().phase;
            phase != Phase::Done && !is_drafted(phase)
        };
        for (input, at) in inputs {
            let before = searches(&run);
            events += run.feed(input.clone(), at).len() as u64;
            if before && !searches(&run) {
                stopped = events;
            }
        }
        let view = run.view();
        match view.stop_reason() {
            _ if view.progress().phase != Phase::Done => return Err(NoMore::UnderWay),
            Some(reason) if !reason.is_of_a_limit() => return Err(NoMore::Ended(reason)),
            _ => {}
        }
        let cut = Self::at(records, stopped).map_err(|failure| match failure {
            ForkFailure::NotARun(cause) => NoMore::NotARun(cause),
            // A run that never searched was over with what opened it.
            ForkFailure::OverAtOnce | ForkFailure::UnknownEvent { .. } => NoMore::OverAtOnce,
        })?;
        let mut under_them = cut.run.clone();
        let at = under_them.state().now;
        under_them.feed(Input::Control(Control::SetBudget(limits.clone())), at);
        match limit::run_out(under_them.state()) {
            Some(reason) => Err(NoMore::NoRoom(reason)),
            None => Ok(cut),
        }
    }

    /// How the run began.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The run as it stood there.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Its trace up to there.
    pub fn trace(&self) -> &[Envelope] {
        &self.trace
    }

    /// The number of the last event of that; at least 1.
    pub fn events(&self) -> u64 {
        self.trace.len() as u64
    }

    /// How the run begins that takes it over.
    pub fn opening(&self, run_id: RunId) -> Opened {
        let parent = self.opened.run_id.clone();
        let forked = Some(Forked { parent, event_id: self.events() });
        Opened { run_id, forked, ..self.opened.clone() }
    }

    /// What was written after the first input, in order, each with the milliseconds since that.
    pub fn rest(&self) -> &[(Entry, i64)] {
        &self.rest
    }

    /// The milliseconds from the first input to the last. Negative where a clock was set back.
    pub fn took_ms(&self) -> i64 {
        self.rest.last().map_or(0, |(_, ms)| *ms)
    }
}

/// What stands in records after the input that opened the run: inputs, and the intents of what came back, with the keys under
/// which that was performed.
fn entries(records: &[JournalRecord], began: Timestamp) -> Vec<(Entry, i64)> {
    let outcomes = records.iter().filter_map(|record| match &record.entry {
        Entry::Input(input) => match input.as_ref() {
            Input::Outcome { id, .. } => Some(*id),
            Input::Opened(_) | Input::Control(_) | Input::GivenUp { .. } => None,
        },
        Entry::Intent(_) => None,
    });
    let came_back: BTreeSet<EffectId> = outcomes.collect();
    let entry = |record: &JournalRecord| match &record.entry {
        Entry::Input(input) => match input.as_ref() {
            Input::Opened(_) => None,
            Input::Outcome { .. } | Input::Control(_) | Input::GivenUp { .. } => {
                Some(record.entry.clone())
            }
        },
        Entry::Intent(intents) => {
            let settled = intents.iter().filter(|intent| came_back.contains(&intent.effect_id));
            let settled: Vec<Intent> = settled.cloned().collect();
            (!settled.is_empty()).then_some(Entry::Intent(settled))
        }
    };
    let timed = |record: &JournalRecord| {
        entry(record).map(|entry| (entry, record.at.0.saturating_sub(began.0)))
    };
    records.iter().filter_map(timed).collect()
}
