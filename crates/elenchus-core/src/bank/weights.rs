//! How much each kind of signal is believed, learned a project.

use super::signal::{Signal, SignalKind};
use crate::id::Timestamp;
use serde::{Deserialize, Serialize};

/// Feedbacks after which the measured skill of a kind counts as much as its plain share of right predictions.
const EVEN_AFTER: f64 = 10.0;
/// Days before an explicit vote in which signals of another session still count as predictions of it.
const WINDOW_DAYS: f64 = 7.0;
/// The most that agreement with outcomes may add to the prior of explicit feedback, in observations.
const EXPLICIT_LEARNS: f64 = 20.0;
/// What a use weighs of a showing. A use is counted every time and a showing hardly after the first, so that use tells
/// more in the long run; but that something is used says nothing of how it ended, which outcomes do.
const USED_SHARE: f64 = 0.25;
/// No kind weighs less than this before it is compared with explicit feedback: what seems useless now may be heard again.
const LEAST_RAW: f64 = 0.05;
/// Parts of the way from weights in force to those that were learned, each tried where the one before goes too far.
const STEPS: [f64; 5] = [1.0, 0.5, 0.25, 0.125, 0.0];

/// Weights of one signal of each kind. Explicit is 1 where they are relative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Of a vote.
    pub explicit: f64,
    /// Of being shown.
    pub usage: f64,
    /// Of being put to use.
    pub used: f64,
    /// Of a task's outcome.
    pub outcome: f64,
}

impl Weights {
    /// A part of the way to other weights: 0 stays here, 1 is there.
    fn towards(self, to: Self, share: f64) -> Self {
        let between = |from: f64, to: f64| from + (to - from) * share;
        Self {
            explicit: between(self.explicit, to.explicit),
            usage: between(self.usage, to.usage),
            used: between(self.used, to.used),
            outcome: between(self.outcome, to.outcome),
        }
    }
}

/// How often a kind of signal said what an explicit vote then said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Predictions {
    /// Said helpful, and it was.
    pub true_pos: u32,
    /// Said helpful, and it was not.
    pub false_pos: u32,
    /// Said unhelpful, and it was helpful.
    pub false_neg: u32,
    /// Said unhelpful, and it was.
    pub true_neg: u32,
}

impl Predictions {
    fn total(self) -> f64 {
        f64::from(self.true_pos)
            + f64::from(self.false_pos)
            + f64::from(self.false_neg)
            + f64::from(self.true_neg)
    }

    fn add(&mut self, said: bool, was: bool) {
        let cell = match (said, was) {
            (true, true) => &mut self.true_pos,
            (true, false) => &mut self.false_pos,
            (false, true) => &mut self.false_neg,
            (false, false) => &mut self.true_neg,
        };
        *cell = cell.saturating_add(1);
    }

    /// Youden's J: how much more often it said helpful of what was helpful than of what was not, in `[-1, 1]`, from counts
    /// with half an observation added to each. `None` before votes of both kinds were seen. What always says the same
    /// has none of it.
    pub fn skill(self) -> Option<f64> {
        let helpful = f64::from(self.true_pos) + f64::from(self.false_neg);
        let unhelpful = f64::from(self.false_pos) + f64::from(self.true_neg);
        if helpful == 0.0 || unhelpful == 0.0 {
            return None;
        }
        let rate = |hits: u32, of: f64| (f64::from(hits) + 0.5) / (of + 1.0);
        Some(rate(self.true_pos, helpful) - rate(self.false_pos, unhelpful))
    }
}

/// What a project learned of its signals. Shapes start at 7:3, 5:5 and 5:5.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProjectWeights {
    /// The project.
    pub project_id: String,
    /// Explicit votes that outcomes bore out, and the prior's 7.
    pub explicit_alpha: f64,
    /// Explicit votes that outcomes denied, and the prior's 3.
    pub explicit_beta: f64,
    /// Times that usage said what a vote then said, and the prior's 5.
    pub usage_alpha: f64,
    /// Times that it said the opposite, and the prior's 5.
    pub usage_beta: f64,
    /// Times that outcomes said what a vote then said, and the prior's 5.
    pub outcome_alpha: f64,
    /// Times that they said the opposite, and the prior's 5.
    pub outcome_beta: f64,
    /// Predictions of usage, by right and wrong.
    #[serde(default)]
    pub usage_predictions: Predictions,
    /// Predictions of outcomes, by right and wrong.
    #[serde(default)]
    pub outcome_predictions: Predictions,
    /// The weights by which evidence is judged, where they are still on their way to what was learned: see
    /// [`ProjectWeights::come_into_force`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_force: Option<Weights>,
    /// Counts every change, so that a view of confidences knows when it is old.
    #[serde(default)]
    pub version: u64,
}

impl ProjectWeights {
    /// What a new project believes.
    pub fn new(project_id: impl Into<String>) -> Self {
        Self {
            project_id: project_id.into(),
            explicit_alpha: 7.0,
            explicit_beta: 3.0,
            usage_alpha: 5.0,
            usage_beta: 5.0,
            outcome_alpha: 5.0,
            outcome_beta: 5.0,
            usage_predictions: Predictions::default(),
            outcome_predictions: Predictions::default(),
            in_force: None,
            version: 0,
        }
    }

    /// Learns from an explicit vote on a strategy. `signals` are those of the same strategy and project; what counts as
    /// the prediction of a kind is the majority of its signals in the vote's session or search, else of the last
    /// seven days before the vote. A kind that said nothing, or as much on both sides, abstains.
    pub fn learn_from_vote(&mut self, vote: &Signal, signals: &[Signal]) {
        if vote.kind != SignalKind::Explicit {
            return;
        }
        if let Some(said) = prediction(vote, signals, SignalKind::Usage) {
            count(said == vote.positive, &mut self.usage_alpha, &mut self.usage_beta);
            self.usage_predictions.add(said, vote.positive);
            self.version += 1;
        }
        if let Some(said) = prediction(vote, signals, SignalKind::Outcome) {
            count(said == vote.positive, &mut self.outcome_alpha, &mut self.outcome_beta);
            self.outcome_predictions.add(said, vote.positive);
            self.version += 1;
        }
    }

    /// Learns from an outcome signal how far explicit votes can be trusted: the last vote before it on the same strategy
    /// either agrees or not. `signals` are those of the strategy and project. What is learned is at most
    /// worth twice the prior; then old agreement makes room for new.
    pub fn learn_from_outcome(&mut self, outcome: &Signal, signals: &[Signal]) {
        if outcome.kind != SignalKind::Outcome {
            return;
        }
        let votes = signals.iter().filter(|signal| {
            signal.kind == SignalKind::Explicit && signal.timestamp < outcome.timestamp
        });
        let Some(vote) = votes.max_by_key(|vote| (vote.timestamp, vote.id.clone())) else { return };
        let (mut agreed, mut differed) = (self.explicit_alpha - 7.0, self.explicit_beta - 3.0);
        count(vote.positive == outcome.positive, &mut agreed, &mut differed);
        let learned = agreed + differed;
        if learned > EXPLICIT_LEARNS {
            agreed *= EXPLICIT_LEARNS / learned;
            differed *= EXPLICIT_LEARNS / learned;
        }
        self.explicit_alpha = 7.0 + agreed;
        self.explicit_beta = 3.0 + differed;
        self.version += 1;
    }

    /// Trust in explicit, usage and outcome before they are compared, each in `(0, 1]`: the mean of its shapes, blended
    /// with its skill by `n / (n + 10)` once votes of both kinds were seen.
    pub fn raw(&self) -> [f64; 3] {
        let mean = |alpha: f64, beta: f64| {
            let mean = alpha / (alpha + beta);
            if mean.is_finite() { mean.clamp(LEAST_RAW, 1.0) } else { 0.5 }
        };
        let blended = |mean: f64, predictions: Predictions| match predictions.skill() {
            None => mean,
            Some(skill) => {
                let n = predictions.total();
                let lambda = n / (n + EVEN_AFTER);
                ((1.0 - lambda) * mean + lambda * skill.max(0.0)).max(LEAST_RAW)
            }
        };
        [
            mean(self.explicit_alpha, self.explicit_beta),
            blended(mean(self.usage_alpha, self.usage_beta), self.usage_predictions),
            blended(mean(self.outcome_alpha, self.outcome_beta), self.outcome_predictions),
        ]
    }

    /// Lets what was learned since `before` count, as far as `fits` allows: all of it, else half of the way to it, a quarter, an
    /// eighth, or nothing yet; the rest follows with later signals. `fits` is given these weights with each in force.
    ///
    /// A signal teaches the weights by which it is judged itself. Without this bound an unhelpful vote could raise the
    /// confidence of its own strategy, because it takes weight from the failures that spoke against it as well.
    pub fn come_into_force(&mut self, before: &Self, fits: impl Fn(&Self) -> bool) {
        let (from, to) = (before.relative(), self.learned());
        for share in STEPS {
            self.in_force = (share < 1.0).then(|| from.towards(to, share));
            if fits(self) {
                break;
            }
        }
        if *self != *before && self.version == before.version {
            self.version += 1;
        }
    }

    /// The weights of evidence: an explicit vote is one observation, the others relative to it.
    pub fn relative(&self) -> Weights {
        self.in_force.unwrap_or_else(|| self.learned())
    }

    /// The same as all that was learned has them.
    fn learned(&self) -> Weights {
        let [explicit, usage, outcome] = self.raw();
        Weights {
            explicit: 1.0,
            usage: usage / explicit,
            used: USED_SHARE * usage / explicit,
            outcome: outcome / explicit,
        }
    }

    /// Explicit, usage and outcome as shares that sum to 1: for display.
    pub fn normalised(&self) -> [f64; 3] {
        let raw = self.raw();
        let total: f64 = raw.iter().sum();
        raw.map(|part| part / total)
    }

    /// [`ProjectWeights::normalised`] as weights: the profile of the first design, for comparison.
    pub fn as_first_designed(&self) -> Weights {
        let [explicit, usage, outcome] = self.normalised();
        Weights { explicit, usage, used: USED_SHARE * usage, outcome }
    }
}

fn count(right: bool, alpha: &mut f64, beta: &mut f64) {
    if right {
        *alpha += 1.0;
    } else {
        *beta += 1.0;
    }
}

/// What a kind said before a vote. Use speaks for usage where there is any: that a strategy was shown says little.
fn prediction(vote: &Signal, signals: &[Signal], kind: SignalKind) -> Option<bool> {
    let earlier = |signal: &&Signal| signal.timestamp <= vote.timestamp && signal.id != vote.id;
    let same_session = |signal: &Signal| {
        let session = !vote.session_id.is_empty() && signal.session_id == vote.session_id;
        let search = vote.search_id.is_some() && signal.search_id == vote.search_id;
        session || search
    };
    let window_ms = (WINDOW_DAYS * super::aggregate::DAY_MS) as i64;
    let since = Timestamp(vote.timestamp.0.saturating_sub(window_ms));
    let kinds: &[SignalKind] = match kind {
        SignalKind::Usage => &[SignalKind::Used, SignalKind::Usage],
        SignalKind::Outcome => &[SignalKind::Outcome],
        SignalKind::Explicit | SignalKind::Used => return None,
    };
    kinds.iter().find_map(|kind| {
        let of_kind: Vec<&Signal> =
            signals.iter().filter(|s| s.kind == *kind).filter(earlier).collect();
        let near: Vec<&Signal> = of_kind.iter().copied().filter(|s| same_session(s)).collect();
        let heard = if near.is_empty() {
            of_kind.into_iter().filter(|signal| signal.timestamp >= since).collect()
        } else {
            near
        };
        let for_it = heard.iter().filter(|signal| signal.positive).count();
        let against = heard.len() - for_it;
        (for_it != against).then_some(for_it > against)
    })
}
