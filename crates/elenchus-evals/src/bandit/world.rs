//! Topics, strategies that help or not, and tasks.

use crate::metrics::Random;
use elenchus_core::bank::Posterior;

pub(super) const TOPICS: usize = 40;
pub(super) const EACH: usize = 10;
/// How far strategies of a topic differ in how well they fit its tasks, and tasks among each other.
const FITS: f64 = 0.03;
const TASK_NOISE: f64 = 0.005;
/// Share of strategies that turn into their opposite half-way, and of those that arrive late.
const TURNS: f64 = 0.2;
const LATE: f64 = 0.3;

/// One strategy of the world.
pub(super) struct Memory {
    /// How often it helps, before and after the half.
    helps: (f64, f64),
    /// From which task on it is there.
    pub(super) from: usize,
    /// How well it fits its topic, about 1.
    fit: f64,
}

pub(super) struct World {
    pub(super) memories: Vec<Memory>,
    pub(super) tasks: usize,
    random: Random,
}

/// What a task is about and how well each strategy of its topic fits it.
pub(super) struct Task {
    pub(super) topic: usize,
    pub(super) fits: [f64; EACH],
}

impl World {
    pub(super) fn new(seed: u64, tasks: usize) -> Self {
        let mut random = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let latent = Posterior::new(1.5, 1.5);
        let memories = (0..TOPICS * EACH)
            .map(|_| {
                let helps = latent.quantile(unit(&mut random));
                let turns = unit(&mut random) < TURNS;
                let late = unit(&mut random) < LATE;
                let from = if late { (unit(&mut random) * tasks as f64) as usize } else { 0 };
                let fit = 1.0 + FITS * (2.0 * unit(&mut random) - 1.0);
                Memory { helps: (helps, if turns { 1.0 - helps } else { helps }), from, fit }
            })
            .collect();
        Self { memories, tasks, random }
    }

    pub(super) fn helps(&self, memory: usize, task: usize) -> f64 {
        let (early, late) = self.memories[memory].helps;
        if task * 2 < self.tasks { early } else { late }
    }

    pub(super) fn task(&mut self) -> Task {
        let topic = self.random.below(TOPICS);
        let mut fits = [0.0; EACH];
        for (at, fit) in fits.iter_mut().enumerate() {
            let noise = TASK_NOISE * (2.0 * unit(&mut self.random) - 1.0);
            *fit = self.memories[topic * EACH + at].fit + noise;
        }
        Task { topic, fits }
    }

    /// Four numbers in `[0, 1)` for what happens at a task: whether it succeeds, whether that is reported, whether it is voted on,
    /// whether the vote is wrong. They are drawn whatever the policy does, so that all policies meet the same luck.
    pub(super) fn luck(&mut self) -> [f64; 4] {
        std::array::from_fn(|_| unit(&mut self.random))
    }
}

fn unit(random: &mut Random) -> f64 {
    (random.next() >> 11) as f64 / (1u64 << 53) as f64
}

/// Success of who knows how often each strategy that is there helps.
pub(super) fn best_possible(seeds: u64, tasks: usize) -> f64 {
    let mut sum = 0.0;
    for seed in 1..=seeds {
        let mut world = World::new(seed, tasks);
        for now in 0..tasks {
            let topic = world.task().topic;
            world.luck();
            let there =
                (topic * EACH..(topic + 1) * EACH).filter(|m| world.memories[*m].from <= now);
            sum += there.map(|memory| world.helps(memory, now)).fold(0.0, f64::max);
        }
    }
    sum / (seeds.max(1) * tasks.max(1) as u64) as f64
}
