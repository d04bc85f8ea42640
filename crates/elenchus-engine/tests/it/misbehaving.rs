//! Ports that fail, panic, hang, compute without end, or give numbers that are none.

use crate::support::{Everything, QUESTION, engine, harbour, memory, options, settings};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::PassageId;
use elenchus_core::inquiry::{Control, FailureKind, Input, Outcome, StopReason};
use elenchus_core::journal::Entry;
use elenchus_core::port::{
    Answered, Checked, Contradiction, CorpusOverview, EmbedFailure, Embedder, Model, ModelFailure,
    ModelRole, Pair, PortFuture, RetrieveFailure, Retriever, Said, SearchReply, SearchRequest,
    Usage, Verifier, VerifyFailure,
};
use elenchus_core::prompt::ModelCall;
use elenchus_core::testkit::{World, block_on};
use elenchus_engine::{Finished, Settings};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mischief {
    /// Fails each time.
    Errs,
    /// Fails twice, then works.
    ErrsTwice,
    /// Panics.
    Panics,
    /// Never comes back.
    Hangs,
    /// Computes on and on without ever awaiting.
    Spins,
    /// Gives NaN where a number belongs.
    NotANumber,
}

/// A world one of whose tools misbehaves.
struct Wicked {
    inner: World,
    tool: &'static str,
    mischief: Mischief,
    tries: AtomicU32,
}

impl Wicked {
    fn new(tool: &'static str, mischief: Mischief) -> Self {
        Self { inner: harbour(), tool, mischief, tries: AtomicU32::new(0) }
    }

    /// Misbehaves; `Err` when the port is to say that it failed.
    async fn act(&self, tool: &str) -> Result<(), String> {
        if tool != self.tool {
            return Ok(());
        }
        let n = self.tries.fetch_add(1, Ordering::SeqCst) + 1;
        match self.mischief {
            Mischief::Errs => Err("out of order".to_owned()),
            Mischief::ErrsTwice if n <= 2 => Err("not yet".to_owned()),
            Mischief::Panics => panic!("a port fell over"),
            Mischief::Hangs => std::future::pending().await,
            Mischief::Spins => {
                let until = Instant::now() + Duration::from_millis(1_500);
                while Instant::now() < until {
                    std::hint::spin_loop();
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Model for Wicked {
    fn name(&self) -> &str {
        Model::name(&self.inner)
    }

    fn call<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            let failure = |cause| ModelFailure {
                model: "wicked".to_owned(),
                attempted: call.prompt().to_owned(),
                cause,
                permanent: false,
                usage: Usage::default(),
                reply: None,
            };
            self.act("model").await.map_err(failure)?;
            self.act(call.prompt()).await.map_err(failure)?;
            self.inner.call(role, call).await
        })
    }
}

impl Retriever for Wicked {
    fn search<'a>(
        &'a self,
        request: &'a SearchRequest,
    ) -> PortFuture<'a, Result<SearchReply, RetrieveFailure>> {
        Box::pin(async move {
            let failure = |cause| RetrieveFailure::Index { attempted: "search".to_owned(), cause };
            self.act("search").await.map_err(failure)?;
            let mut reply = self.inner.search(request).await?;
            if self.tool == "search" && self.mischief == Mischief::NotANumber {
                for hit in &mut reply.hits {
                    hit.score = f32::NAN;
                }
            }
            Ok(reply)
        })
    }

    fn read<'a>(
        &'a self,
        ids: &'a [PassageId],
    ) -> PortFuture<'a, Result<Vec<ReadPassage>, RetrieveFailure>> {
        Box::pin(async move {
            let failure = |cause| RetrieveFailure::Index { attempted: "read".to_owned(), cause };
            self.act("read").await.map_err(failure)?;
            self.inner.read(ids).await
        })
    }

    fn overview(&self) -> CorpusOverview {
        self.inner.overview()
    }
}

impl Verifier for Wicked {
    fn id(&self) -> &str {
        Verifier::id(&self.inner)
    }

    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
        Box::pin(async move {
            let failure =
                |cause| VerifyFailure { verifier: "wicked".to_owned(), pairs: pairs.len(), cause };
            self.act("verify").await.map_err(failure)?;
            let mut results = self.inner.verify(pairs).await?;
            if self.tool == "verify" && self.mischief == Mischief::NotANumber {
                results.pop();
            }
            Ok(results)
        })
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        Box::pin(async move {
            let failure =
                |cause| VerifyFailure { verifier: "wicked".to_owned(), pairs: texts.len(), cause };
            self.act("contradict").await.map_err(failure)?;
            let mut found = self.inner.contradictions(texts).await?;
            if self.tool == "contradict" && self.mischief == Mischief::NotANumber {
                for one in &mut found {
                    one.a.item = usize::MAX;
                    one.strength = f64::NAN;
                }
            }
            Ok(found)
        })
    }
}

impl Embedder for Wicked {
    fn id(&self) -> &str {
        Embedder::id(&self.inner)
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> PortFuture<'a, Result<Vec<Vec<f32>>, EmbedFailure>> {
        Box::pin(async move {
            let failure = |cause| EmbedFailure {
                embedder: "wicked".to_owned(),
                texts: texts.len(),
                cause,
                permanent: false,
            };
            self.act("embed").await.map_err(failure)?;
            let mut vectors = self.inner.embed(texts).await?;
            if self.tool == "embed" && self.mischief == Mischief::NotANumber {
                for vector in &mut vectors {
                    vector[0] = f32::INFINITY;
                }
            }
            Ok(vectors)
        })
    }
}

fn impatient() -> Settings {
    let mut settings = settings(4);
    let soon = Duration::from_millis(600);
    settings.deadlines = elenchus_engine::Deadlines {
        model: soon,
        embed: soon,
        search: soon,
        read: soon,
        verify: soon,
    };
    settings
}

/// Runs to the end, checks that it replays, and gives the failures that were journaled.
async fn driven<W: Everything>(
    world: &Arc<W>,
    settings: Settings,
) -> (Finished, Vec<(FailureKind, String)>) {
    let store = memory();
    let engine = engine(world, &store, settings);
    let handle = engine.start(QUESTION, options(), 7).await.unwrap();
    let run_id = handle.run_id().clone();
    let finished = handle.join().await.unwrap();
    let (run, trace) = engine.replay(&run_id).await.unwrap();
    assert_eq!(run, finished.run, "what was lived is what is replayed");
    assert_eq!(trace, block_on(store.events(&run_id, 0)).unwrap());
    assert!(finished.run.view().audit().is_empty());
    let failures = block_on(store.journal(&run_id))
        .unwrap()
        .into_iter()
        .filter_map(|record| match record.entry {
            Entry::Input(input) => match *input {
                Input::Outcome { result: Outcome::Failed { kind, error, .. }, .. } => {
                    Some((kind, error))
                }
                _ => None,
            },
            Entry::Intent(_) => None,
        })
        .collect();
    (finished, failures)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_mischief_of_every_tool_ends_with_an_answer() {
    let tools = [
        "model",
        "search",
        "read",
        "embed",
        "plan",
        "reflect",
        "extract_facts",
        "analyze_gaps",
        "follow_up",
        "draft",
    ];
    for tool in tools {
        for mischief in [Mischief::Errs, Mischief::Panics, Mischief::Hangs] {
            let world = Arc::new(Wicked::new(tool, mischief));
            let (finished, failures) = driven(&world, impatient()).await;
            assert!(!failures.is_empty(), "{tool} {mischief:?}");
            let (kind, error) = &failures[0];
            match mischief {
                Mischief::Errs => {
                    assert_eq!(*kind, FailureKind::Exhausted);
                    assert!(
                        error.contains("out of order") && error.contains("tried 3 times"),
                        "{error}"
                    );
                }
                Mischief::Panics => {
                    assert_eq!(*kind, FailureKind::Permanent);
                    assert!(
                        error.contains("a port fell over") && error.contains("report it"),
                        "{error}"
                    );
                }
                _ => {
                    assert_eq!(*kind, FailureKind::Deadline);
                    assert!(error.contains("600 ms"), "{error}");
                }
            }
            if tool == "search" || tool == "read" {
                assert_eq!(finished.answer.stop_reason, StopReason::Failed, "{tool} {mischief:?}");
                assert!(finished.run.view().error().is_some());
            }
            if tool == "draft" || tool == "embed" {
                assert!(finished.answer.text.contains("4 metres"), "{tool} {mischief:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passing_failure_does_not_show() {
    let golden = crate::support::golden(1).await;
    for tool in ["model", "search", "read", "embed"] {
        let world = Arc::new(Wicked::new(tool, Mischief::ErrsTwice));
        let (finished, failures) = driven(&world, settings(1)).await;
        assert_eq!(failures, vec![], "{tool}");
        assert_eq!(serde_json::to_string(&finished.answer).unwrap(), golden.left.answer, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_that_are_none_are_failures_and_not_a_broken_journal() {
    for tool in ["search", "embed"] {
        let (_, failures) =
            driven(&Arc::new(Wicked::new(tool, Mischief::NotANumber)), settings(4)).await;
        assert!(
            failures.iter().all(|(_, error)| error.contains("a number that is none")),
            "{failures:?}"
        );
        assert!(!failures.is_empty());
    }
}

/// Even on one thread, a port that computes without awaiting cannot keep a deadline or an interrupt waiting.
#[tokio::test(flavor = "current_thread")]
async fn a_port_that_computes_holds_nothing_up() {
    let started = Instant::now();
    let mut settings = impatient();
    settings.concurrency = 1;
    let world = Arc::new(Wicked::new("plan", Mischief::Spins));
    let (_, failures) = driven(&world, settings).await;
    assert_eq!(failures[0].0, FailureKind::Deadline);
    assert!(started.elapsed() < Duration::from_millis(1_500), "{:?}", started.elapsed());
    let started = Instant::now();
    let world = Arc::new(Wicked::new("plan", Mischief::Spins));
    let handle = engine(&world, &memory(), crate::support::settings(1))
        .start(QUESTION, options(), 7)
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    handle.control(Control::Interrupt).await.unwrap();
    let finished = handle.join().await.unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::Interrupted);
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

/// What is asked for again is asked under the same key.
#[tokio::test]
async fn intents_stand_before_outcomes_and_have_one_key_an_effect() {
    let store = memory();
    let world = Arc::new(harbour());
    let handle = engine(&world, &store, settings(4)).start(QUESTION, options(), 7).await.unwrap();
    let run_id = handle.run_id().clone();
    handle.join().await.unwrap();
    let mut intended = std::collections::BTreeMap::new();
    let mut settled = std::collections::BTreeSet::new();
    for record in block_on(store.journal(&run_id)).unwrap() {
        match record.entry {
            Entry::Intent(intents) => {
                for intent in intents {
                    assert_eq!(intent.key, format!("{run_id}/{}", intent.effect_id));
                    assert!(
                        intended.insert(intent.effect_id, intent.key).is_none(),
                        "intended twice"
                    );
                }
            }
            Entry::Input(input) => {
                if let Input::Outcome { id, .. } = *input {
                    assert!(intended.contains_key(&id), "{id} was performed without an intent");
                    assert!(settled.insert(id), "{id} was journaled twice");
                }
            }
        }
    }
    assert_eq!(intended.len(), settled.len());
}
