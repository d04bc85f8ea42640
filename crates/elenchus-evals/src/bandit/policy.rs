//! Policies: what is recalled, what is believed of it, and what is learned of what came of it.

use super::Reports;
use super::figures::Run;
use super::first_design::{EXPLICIT, Literal, LiteralWeights, OUTCOME, USAGE};
use super::world::{EACH, TOPICS, Task, World};
use elenchus_core::bank::{
    BankSettings, Candidate, Decay, Draft, Evidence, Fusion, Origin, Outcome, Posterior, Prior,
    ProjectWeights, Scope, Signal, SignalKind, Standing, Strategy, calibrated, labelled,
    learned_prior, occasion, rank, signal_id,
};
use elenchus_core::id::{SearchId, StrategyId, Timestamp};
use elenchus_core::port::Recall;

/// Milliseconds between two tasks: six thousand of them take about half a year.
const APART: i64 = 43 * 60 * 1000;
/// Tasks after which a class's prior is learned anew: about the daily work.
const TENDED: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Confidence stays what it was at first.
    NoLearning,
    /// The literal formulas of the first design.
    FirstDesign,
    /// The posterior alone.
    Posterior,
    /// And one search in ten tries something out.
    Exploring,
    /// And the class's learned prior: what ships.
    Shipped,
}

impl Policy {
    pub(super) const ALL: [Self; 5] =
        [Self::NoLearning, Self::FirstDesign, Self::Posterior, Self::Exploring, Self::Shipped];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NoLearning => "no learning",
            Self::FirstDesign => "first design, literal formulas",
            Self::Posterior => "posterior, plain confidence",
            Self::Exploring => "the same + 10 % exploration",
            Self::Shipped => "what ships (calibrated confidence shown)",
        }
    }

    fn learns(self) -> bool {
        !matches!(self, Self::NoLearning | Self::FirstDesign)
    }

    /// Plays a world through.
    pub(super) fn run(self, world: &mut World, reports: Reports, seed: u64) -> Run {
        let mut bank = Bank::new(self, world.memories.len());
        let mut run = Run::default();
        let mut shown = vec![false; world.memories.len()];
        for now in 0..world.tasks {
            let task = world.task();
            let [succeeds, reported, voted, wrong] = world.luck();
            let (returned, memory) = bank.choose(world, &task, now, seed);
            let confidence = bank.shown_confidence(memory, now);
            for one in &returned {
                shown[*one] = true;
            }
            let good = succeeds < world.helps(memory, now);
            run.used.push((confidence, good));
            let vote = (voted < reports.vote).then_some(good != (wrong < 0.1));
            bank.learn(&returned, memory, now, (reported < reports.outcome).then_some(good), vote);
        }
        let last = world.tasks.saturating_sub(1);
        run.at_end = (0..world.memories.len())
            .map(|memory| (bank.shown_confidence(memory, last), world.helps(memory, last)))
            .collect();
        run.never_shown = shown.iter().filter(|had| !**had).count() as f64 / shown.len() as f64;
        run
    }
}

struct Bank {
    policy: Policy,
    settings: BankSettings,
    strategies: Vec<Strategy>,
    signals: Vec<Vec<Signal>>,
    /// Evidence of each as of a time, read later by its decay.
    evidence: Vec<(Timestamp, Evidence)>,
    weights: ProjectWeights,
    prior: Option<Prior>,
    literal: Vec<Literal>,
    literal_weights: LiteralWeights,
}

fn time(task: usize) -> Timestamp {
    Timestamp(i64::try_from(task).unwrap_or(i64::MAX).saturating_mul(APART))
}

impl Bank {
    fn new(policy: Policy, count: usize) -> Self {
        let exploration =
            if matches!(policy, Policy::Exploring | Policy::Shipped) { 0.1 } else { 0.0 };
        let settings = BankSettings { exploration, ..BankSettings::default() };
        let strategy = |at: usize| Strategy {
            id: StrategyId(format!("mem_{at:012}")),
            draft: Draft {
                title: format!("strategy{at}"),
                description: String::new(),
                content: format!("content{at}"),
                outcome: Outcome::Success,
                tags: Vec::new(),
                scope: Scope::Project,
                origin: Origin::Distilled,
                source_session: None,
                lineage: Vec::new(),
                from_web: false,
            },
            standing: Standing::Active,
            actor: "local".to_owned(),
            created_at: Timestamp(0),
            edited_at: Timestamp(0),
        };
        Self {
            policy,
            strategies: (0..count).map(strategy).collect(),
            signals: vec![Vec::new(); count],
            evidence: vec![(Timestamp(0), Evidence::default()); count],
            weights: ProjectWeights::new("p"),
            prior: None,
            literal: vec![Literal::new(settings.initial_success); count],
            literal_weights: LiteralWeights::default(),
            settings,
        }
    }

    fn decay(&self) -> Decay {
        Decay::of(Outcome::Success, &self.settings)
    }

    fn evidence_at(&self, memory: usize, now: Timestamp) -> Evidence {
        let (then, evidence) = &self.evidence[memory];
        evidence.faded(self.decay(), *then, now)
    }

    /// What is believed of a strategy, and the figure over its class's prior.
    fn believed(&self, memory: usize, now: Timestamp) -> (Posterior, Option<f64>) {
        let first = Prior::of(&self.strategies[memory].draft, &self.settings);
        match self.policy {
            Policy::NoLearning => (first.posterior(), None),
            Policy::FirstDesign => {
                let confidence = self.literal[memory].confidence(&self.literal_weights);
                (Posterior::new(confidence, 1.0 - confidence), None)
            }
            Policy::Posterior | Policy::Exploring | Policy::Shipped => {
                let evidence = self.evidence_at(memory, now);
                let weights = self.weights.relative();
                let own = evidence.posterior(first, &weights, &self.settings);
                let over_class = self
                    .prior
                    .map(|prior| calibrated(&evidence, prior, &weights, &self.settings).mean());
                (own, over_class)
            }
        }
    }

    /// The figure that a user would go by.
    fn shown_confidence(&self, memory: usize, task: usize) -> f64 {
        let (posterior, calibrated) = self.believed(memory, time(task));
        calibrated.unwrap_or_else(|| posterior.mean())
    }

    /// What the bank's own ranking returns for a task, and the strategy that the task uses: the first, or the one that stands there
    /// to be tried out. No floor: the task is done with some strategy.
    fn choose(&self, world: &World, task: &Task, now: usize, seed: u64) -> (Vec<usize>, usize) {
        let at = time(now);
        let range = task.topic * EACH..(task.topic + 1) * EACH;
        let there: Vec<usize> =
            range.filter(|memory| world.memories[*memory].from <= now).collect();
        let candidates: Vec<Candidate<'_>> = there
            .iter()
            .map(|memory| {
                let (posterior, calibrated) = self.believed(*memory, at);
                Candidate {
                    strategy: &self.strategies[*memory],
                    posterior,
                    calibrated,
                    usage_count: 0,
                    lexical: task.fits[memory % EACH],
                    dense: None,
                    vector: None,
                    fit: None,
                }
            })
            .collect();
        let recall = Recall {
            query: format!("topic {} of {TOPICS}", task.topic),
            scope: None,
            outcome: None,
            limit: self.settings.default_limit,
            min_confidence: 0.0,
            session_id: String::new(),
            for_prompt: false,
        };
        let search = SearchId(format!("sea_{seed}_{now}"));
        let found = rank(&candidates, &recall, &search, &self.settings, &Fusion::default());
        let place = |id: &StrategyId| there.iter().copied().find(|m| self.strategies[*m].id == *id);
        let returned: Vec<usize> =
            found.memories.iter().filter_map(|held| place(&held.strategy.id)).collect();
        let tried = found.memories.iter().position(|held| held.exploration).unwrap_or(0);
        // A topic all of whose strategies arrive late has none yet: its first stands in.
        let used = returned.get(tried).copied().unwrap_or(task.topic * EACH);
        (returned, used)
    }

    fn learn(
        &mut self,
        returned: &[usize],
        used: usize,
        now: usize,
        outcome: Option<bool>,
        vote: Option<bool>,
    ) {
        if self.policy == Policy::FirstDesign {
            for memory in returned {
                self.literal[*memory].add(USAGE, true);
            }
            if let Some(good) = outcome {
                self.literal[used].add(OUTCOME, good);
            }
            if let Some(helpful) = vote {
                self.literal_weights.learn(&self.literal[used], helpful);
                self.literal[used].add(EXPLICIT, helpful);
            }
        }
        if !self.policy.learns() {
            return;
        }
        // What the product reports by itself: shown and used. What agents report: outcome and vote.
        for memory in returned {
            let shown = self.signal(*memory, now, SignalKind::Usage, true);
            self.signals[*memory].push(shown);
        }
        let mut given = vec![(SignalKind::Used, true)];
        given.extend(outcome.map(|good| (SignalKind::Outcome, good)));
        given.extend(vote.map(|helpful| (SignalKind::Explicit, helpful)));
        for (kind, positive) in given {
            let signal = self.signal(used, now, kind, positive);
            match kind {
                SignalKind::Explicit => self.weights.learn_from_vote(&signal, &self.signals[used]),
                SignalKind::Outcome => {
                    self.weights.learn_from_outcome(&signal, &self.signals[used]);
                }
                SignalKind::Usage | SignalKind::Used => {}
            }
            self.signals[used].push(signal);
        }
        for memory in returned.iter().copied().chain([used]) {
            let decay = self.decay();
            let evidence = Evidence::gather(None, &self.signals[memory], decay, time(now));
            self.evidence[memory] = (time(now), evidence);
        }
        if self.policy == Policy::Shipped && now.is_multiple_of(TENDED) {
            let first = Prior::of(&self.strategies[used].draft, &self.settings);
            let outcomes: Vec<(f64, f64)> = (0..self.strategies.len())
                .map(|memory| labelled(&self.evidence_at(memory, time(now))))
                .collect();
            self.prior = learned_prior(&outcomes, first);
        }
    }

    fn signal(&self, memory: usize, now: usize, kind: SignalKind, positive: bool) -> Signal {
        let session = format!("run_{now}");
        let memory_id = self.strategies[memory].id.clone();
        // A vote on a strategy is of whoever did the task: agents come and go.
        let actor =
            if kind == SignalKind::Explicit { format!("agent {now}") } else { "local".to_owned() };
        let id = signal_id(&memory_id, kind, "p", &actor, &occasion(&session, None, time(now)));
        Signal {
            id,
            memory_id,
            project_id: "p".to_owned(),
            kind,
            positive,
            session_id: session,
            timestamp: time(now),
            search_id: None,
            comment: None,
            actor,
            share: 1.0,
        }
    }
}
