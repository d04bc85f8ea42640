//! Strategies and signals to judge.

use crate::bank::{
    BankSettings, Decay, Draft, Evidence, Origin, Outcome, Posterior, Prior, ProjectWeights, Scope,
    Signal, SignalKind, Standing, Strategy, occasion, signal_id,
};
use crate::id::{StrategyId, Timestamp};
use proptest::prelude::*;
use proptest::strategy::Strategy as Generator;

pub(super) const DAY: i64 = 86_400_000;

pub(super) fn day(days: f64) -> Timestamp {
    Timestamp((days * DAY as f64) as i64)
}

pub(super) fn signal(
    kind: SignalKind,
    positive: bool,
    actor: &str,
    session: &str,
    at: Timestamp,
) -> Signal {
    let memory = StrategyId::from("mem_000000000001");
    let when = occasion(session, None, at);
    Signal {
        id: signal_id(&memory, kind, "p", actor, &format!("{when} {}", at.0)),
        memory_id: memory,
        project_id: "p".to_owned(),
        kind,
        positive,
        session_id: session.to_owned(),
        timestamp: at,
        search_id: None,
        comment: None,
        actor: actor.to_owned(),
        share: 1.0,
    }
}

pub(super) fn draft(origin: Origin, outcome: Outcome) -> Draft {
    Draft {
        title: "Search with other words".to_owned(),
        description: "When a search finds nothing new.".to_owned(),
        content: "Use the words of the document.".to_owned(),
        outcome,
        tags: vec![],
        scope: Scope::Project,
        origin,
        source_session: Some("run_own".to_owned()),
        lineage: vec![],
        from_web: false,
    }
}

pub(super) fn strategy(draft: Draft) -> Strategy {
    Strategy {
        id: StrategyId::from("mem_000000000001"),
        draft,
        standing: Standing::Active,
        actor: "ann".to_owned(),
        created_at: Timestamp(0),
        edited_at: Timestamp(0),
    }
}

/// The posterior of a distilled success after these signals, with the weights of a new project.
pub(super) fn believed(signals: &[Signal], now: Timestamp) -> Posterior {
    let settings = BankSettings::default();
    let draft = draft(Origin::Distilled, Outcome::Success);
    let decay = Decay::of(Outcome::Success, &settings);
    let weights = ProjectWeights::new("p").relative();
    Evidence::gather(None, signals, decay, now).posterior(
        Prior::of(&draft, &settings),
        &weights,
        &settings,
    )
}

pub(super) fn kinds() -> impl Generator<Value = SignalKind> {
    prop::sample::select(vec![
        SignalKind::Explicit,
        SignalKind::Usage,
        SignalKind::Used,
        SignalKind::Outcome,
    ])
}

/// Signals of up to four actors in up to six sessions (or none) over four hundred days.
pub(super) fn signals() -> impl Generator<Value = Vec<Signal>> {
    let one = (kinds(), any::<bool>(), 0..4u8, 0..7u8, 0..400i64 * 24, 0.05f64..1.0).prop_map(
        |(kind, positive, actor, session, hour, share)| {
            let session = if session == 0 { String::new() } else { format!("run_{session}") };
            let at = Timestamp(hour * DAY / 24);
            let made = signal(kind, positive, &format!("actor {actor}"), &session, at);
            Signal { share, ..made }
        },
    );
    // A store holds one signal an id.
    prop::collection::vec(one, 0..40).prop_map(|mut all: Vec<Signal>| {
        all.sort_by(|a, b| a.id.cmp(&b.id));
        all.dedup_by(|a, b| a.id == b.id);
        all
    })
}
