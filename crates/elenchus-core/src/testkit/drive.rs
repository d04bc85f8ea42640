//! Driving a run over a world without a runtime.

use super::World;
use crate::id::EffectId;
use crate::id::{RunId, Timestamp};
use crate::inquiry::{Control, Effect, FailureKind, Input, Opened, Options, Outcome, Run, Step};
use crate::journal::{Entry, FORMAT, JournalRecord};
use crate::port::{Answered, Embedder, Model, Retriever, Usage, Verified, Verifier};
use crate::trace::Envelope;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The output of a future that is always ready when polled.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..10_000 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
    unreachable!("the future waits for something that nobody does: drive it with a runtime")
}

/// A run driven to its end.
pub struct Driven {
    /// The run.
    pub run: Run,
    /// Its journal; without intents, which say nothing to a run.
    pub journal: Vec<JournalRecord>,
    /// Its trace.
    pub trace: Vec<Envelope>,
}

/// Asks a world a question and drives the run to its end.
pub fn drive(world: &World, question: &str, options: Options) -> Driven {
    let mut drive = Drive::begin(world, question, options);
    drive.to_end();
    drive.into_driven()
}

/// A run being driven by hand. Each input comes a millisecond after the one before.
pub struct Drive<'w> {
    world: &'w World,
    run: Run,
    journal: Vec<JournalRecord>,
    trace: Vec<Envelope>,
}

impl<'w> Drive<'w> {
    /// Opens a run.
    pub fn begin(world: &'w World, question: &str, options: Options) -> Self {
        let at = Timestamp(1_000_000);
        let opened = Opened {
            run_id: RunId::derive(question, at, 1),
            question: question.to_owned(),
            options,
            corpus: world.overview(),
            model: Model::name(world).to_owned(),
            judging: world.judging(),
            contest: None,
            forked: None,
            recalled: world.recalled(),
        };
        let (run, trace) = Run::new(opened.clone(), at);
        let first = JournalRecord {
            v: FORMAT,
            seq: 1,
            at,
            entry: Entry::Input(Box::new(Input::Opened(opened))),
        };
        Self { world, run, journal: vec![first], trace }
    }

    /// Goes on where a journal ends.
    pub fn resume(world: &'w World, journal: Vec<JournalRecord>) -> Self {
        let (run, trace) = Run::replay(&journal).expect("a journal that a drive wrote opens a run");
        Self { world, run, journal, trace }
    }

    /// The run as it stands.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The journal so far.
    pub fn journal(&self) -> &[JournalRecord] {
        &self.journal
    }

    /// The trace so far.
    pub fn trace(&self) -> &[Envelope] {
        &self.trace
    }

    /// What the run asks for now; empty when it is over or paused.
    pub fn wanted(&self) -> Vec<(EffectId, Effect)> {
        match self.run.step() {
            Step::Perform(effects) => effects,
            Step::Clarify(_) | Step::Paused | Step::Done => Vec::new(),
        }
    }

    /// Performs an effect in the world.
    pub fn perform(&self, effect: &Effect) -> Outcome {
        perform(self.world, effect)
    }

    /// Tells the run something.
    pub fn tell(&mut self, input: Input) {
        let seq = self.journal.len() as u64 + 1;
        let at = Timestamp(
            1_000_000 + i64::try_from(self.journal.len()).expect("a journal fits in memory"),
        );
        self.journal.push(JournalRecord {
            v: FORMAT,
            seq,
            at,
            entry: Entry::Input(Box::new(input.clone())),
        });
        self.trace.extend(self.run.feed(input, at));
    }

    /// Gives a control.
    pub fn control(&mut self, control: Control) {
        self.tell(Input::Control(control));
    }

    /// Performs the first effect that is asked for and tells its outcome. `false` when nothing is.
    pub fn advance(&mut self) -> bool {
        let Some((id, effect)) = self.wanted().into_iter().next() else { return false };
        let result = self.perform(&effect);
        self.tell(Input::Outcome { id, result });
        true
    }

    /// Drives to the end; a paused run is resumed, and nobody answers what it asks back.
    pub fn to_end(&mut self) {
        let mut left = 5_000;
        while self.run.step() != Step::Done {
            match self.run.step() {
                Step::Paused => self.control(Control::Resume),
                Step::Clarify(_) => self.control(Control::SkipClarification),
                Step::Perform(_) | Step::Done => {}
            }
            self.advance();
            left -= 1;
            assert!(
                left > 0,
                "the run does not end: it stands at {:?}",
                self.run.view().progress()
            );
        }
    }

    /// What came of it.
    pub fn into_driven(self) -> Driven {
        Driven { run: self.run, journal: self.journal, trace: self.trace }
    }
}

fn perform(world: &World, effect: &Effect) -> Outcome {
    let lost =
        |error: String, usage| Outcome::Failed { kind: FailureKind::Permanent, error, usage };
    let failed = |error: String| lost(error, Usage::default());
    match effect {
        Effect::Model { role, call } => match block_on(world.call(*role, call)) {
            Ok(Answered { reply, usage, repairs, model }) => {
                Outcome::Replied { reply: Box::new(reply), usage, repairs, model }
            }
            Err(failure) => lost(failure.to_string(), failure.usage),
        },
        Effect::Embed { texts } => match block_on(world.embed(texts)) {
            Ok(vectors) => Outcome::Embedded { vectors },
            Err(failure) => failed(failure.to_string()),
        },
        Effect::Search(request) => match block_on(world.search(request)) {
            Ok(reply) => Outcome::Found(reply),
            Err(failure) => failed(failure.to_string()),
        },
        Effect::Verify { pairs } => match block_on(world.verify_counted(pairs)) {
            Ok(Verified { results, usage }) => Outcome::Verified { results, usage },
            Err(failure) => failed(failure.to_string()),
        },
        Effect::Contradict { texts } => match block_on(world.contradictions(texts)) {
            Ok(found) => Outcome::Contradicting { found },
            Err(failure) => failed(failure.to_string()),
        },
        Effect::Meetings { subjects, .. } => match block_on(world.meetings(subjects)) {
            Ok(corpus) => Outcome::Met {
                corpus,
                runs: crate::synthesis::insight::past_meetings(subjects, &[]),
            },
            Err(failure) => failed(failure.to_string()),
        },
        Effect::Read { passages } => match block_on(world.read(passages)) {
            Ok(passages) => Outcome::Passages { passages },
            Err(failure) => failed(failure.to_string()),
        },
    }
}
