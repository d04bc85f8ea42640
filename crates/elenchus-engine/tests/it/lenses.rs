//! The calls of three lenses are in flight at once.

use crate::support::{memory, options, ports, settings};
use elenchus_core::inquiry::Options;
use elenchus_core::port::{Answered, Model, ModelFailure, ModelRole, PortFuture};
use elenchus_core::prompt::{ModelCall, ModelReply, Perspective, PointStance, ProposedPoint};
use elenchus_core::testkit::World;
use elenchus_engine::{Engine, Finished};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Barrier;

/// A model that counts how many lenses look at once. With a barrier, none comes back before all three have begun.
struct Watched {
    inner: Arc<World>,
    together: Option<Barrier>,
    in_flight: AtomicUsize,
    most: AtomicUsize,
}

impl Model for Watched {
    fn name(&self) -> &'static str {
        "watched"
    }

    fn call<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            if matches!(call, ModelCall::Perspective(_)) {
                let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
                self.most.fetch_max(now, Ordering::SeqCst);
                match &self.together {
                    Some(barrier) => {
                        barrier.wait().await;
                    }
                    None => tokio::time::sleep(Duration::from_millis(20)).await,
                }
                self.in_flight.fetch_sub(1, Ordering::SeqCst);
            }
            self.inner.call(role, call).await
        })
    }
}

fn world() -> World {
    World::new("tides")
        .document("tides.md", "# Tides\n\nThe harbour tide can rise 4 metres far into spring.")
        .script(|call| {
            let ModelCall::Perspective(input) = call else { return None };
            let points = vec![ProposedPoint {
                statement: "The harbour tide can rise 4 metres.".to_owned(),
                stance: PointStance::Supports,
                facts: input.facts.iter().map(|fact| fact.id.clone()).collect(),
            }];
            Some(Ok(ModelReply::Perspective(Perspective { points, ..Perspective::default() })))
        })
}

/// The most lenses in flight at once, and the run.
async fn watched(concurrency: usize, together: bool) -> (usize, Finished) {
    let world = Arc::new(world());
    let mut ports = ports(&world, &memory());
    let model = Arc::new(Watched {
        inner: world,
        together: together.then(|| Barrier::new(3)),
        in_flight: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
    });
    ports.model = Arc::clone(&model) as Arc<dyn Model>;
    let engine = Engine::new(ports, settings(concurrency));
    let lenses = ["skeptical", "charitable", "neutral"].map(str::to_owned).to_vec();
    let options = Options { lenses, ..options() };
    let handle =
        engine.start("How far does the harbour tide rise in spring?", options, 3).await.unwrap();
    let finished = tokio::time::timeout(Duration::from_secs(30), handle.join())
        .await
        .expect("each lens waits for the others, which are not asked before it came back")
        .unwrap();
    (model.most.load(Ordering::SeqCst), finished)
}

#[tokio::test(flavor = "multi_thread")]
async fn three_lenses_are_in_flight_at_once() {
    let (most, finished) = watched(8, true).await;
    assert_eq!(most, 3);
    let perspectives = finished.answer.perspectives.unwrap();
    assert_eq!(perspectives.consensus[0].lenses.len(), 3, "{perspectives:#?}");
    // One after the other when the engine is told so: the answer is the same.
    let (most, alone) = watched(1, false).await;
    assert_eq!(most, 1);
    assert_eq!(alone.answer.perspectives.unwrap(), perspectives);
}
