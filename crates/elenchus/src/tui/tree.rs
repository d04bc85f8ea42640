//! The trace as a tree: stage and round, the steps in them, an action with what came of it.

use elenchus_core::trace::{Projection, Step, StepKind};
use std::collections::{BTreeMap, BTreeSet};

/// A row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Steps of one stage in one round.
    Stage {
        /// The number of its first event.
        seq: u64,
        round: u8,
        stage: &'static str,
        steps: usize,
        /// Steps in it that are under way.
        open: usize,
        folded: bool,
    },
    /// A step.
    Step {
        seq: u64,
        /// Position among the steps of the run.
        at: usize,
        /// 1 in a stage, 2 below an action.
        depth: u8,
        /// Whether something below it is folded away.
        folded: bool,
    },
}

/// What a row is, through folding and new events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Stage(u64),
    Step(u64),
}

impl Row {
    pub(super) fn key(&self) -> Key {
        match self {
            Self::Stage { seq, .. } => Key::Stage(*seq),
            Self::Step { seq, .. } => Key::Step(*seq),
        }
    }
}

/// The rows that are not folded away.
pub(super) fn rows(run: &Projection, folded: &BTreeSet<Key>) -> Vec<Row> {
    let mut below: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, step) in run.steps.iter().enumerate() {
        if let Some(action) = step.action {
            below.entry(action).or_default().push(at);
        }
    }
    let mut rows: Vec<Row> = Vec::with_capacity(run.steps.len());
    let mut stage: Option<usize> = None;
    for (at, step) in run.steps.iter().enumerate().filter(|(_, step)| step.action.is_none()) {
        let same = stage.and_then(|stage| rows.get(stage)).is_some_and(|row| {
            matches!(row, Row::Stage { round, stage, .. } if *round == step.round && *stage == step.stage)
        });
        if !same {
            stage = Some(rows.len());
            rows.push(Row::Stage {
                seq: step.seq,
                round: step.round,
                stage: step.stage,
                steps: 0,
                open: 0,
                folded: folded.contains(&Key::Stage(step.seq)),
            });
        }
        let children = below.get(&step.seq).map(Vec::as_slice).unwrap_or_default();
        let Some(Row::Stage { steps, open, folded: hidden, .. }) =
            stage.and_then(|stage| rows.get_mut(stage))
        else {
            continue;
        };
        *steps += 1 + children.len();
        *open += usize::from(is_under_way(step));
        if *hidden {
            continue;
        }
        let is_folded = folded.contains(&Key::Step(step.seq)) && !children.is_empty();
        rows.push(Row::Step { seq: step.seq, at, depth: 1, folded: is_folded });
        if !is_folded {
            rows.extend(children.iter().filter_map(|at| {
                let seq = run.steps.get(*at)?.seq;
                Some(Row::Step { seq, at: *at, depth: 2, folded: false })
            }));
        }
    }
    rows
}

/// Whether an action waits for what comes of it.
pub(super) fn is_under_way(step: &Step) -> bool {
    step.kind == StepKind::Action && step.ended.is_none()
}

/// The keys under which a step may be folded away: its action's and its stage's.
pub(super) fn over(run: &Projection, step: &Step) -> Vec<Key> {
    let top = step.action.unwrap_or(step.seq);
    let mut keys = vec![Key::Step(top)];
    let mut stage = None;
    for row in rows(run, &BTreeSet::new()) {
        match row {
            Row::Stage { seq, .. } => stage = Some(Key::Stage(seq)),
            Row::Step { seq, .. } if seq == top => {
                keys.extend(stage);
                break;
            }
            Row::Step { .. } => {}
        }
    }
    keys
}

/// Every stage, for folding all of them.
pub(super) fn stages(run: &Projection) -> Vec<Key> {
    let all = rows(run, &BTreeSet::new());
    all.iter().filter(|row| matches!(row, Row::Stage { .. })).map(Row::key).collect()
}

/// Actions that were under way together with a step's own action, that one included, by lane. Empty for other steps.
pub(super) fn beside<'a>(run: &'a Projection, step: &Step) -> Vec<&'a Step> {
    let own = match (step.kind, step.action) {
        (StepKind::Action, _) => step.seq,
        (_, Some(action)) => action,
        _ => return Vec::new(),
    };
    let Some(own) = run.step(own) else { return Vec::new() };
    let end = |step: &Step| step.ended.map_or(u64::MAX, |end| end.seq);
    let mut all: Vec<&Step> = run
        .steps
        .iter()
        .filter(|other| {
            other.kind == StepKind::Action && other.seq < end(own) && end(other) > own.seq
        })
        .collect();
    all.sort_by_key(|step| (step.lane, step.seq));
    all
}
