//! What a run keeps for its critic: the steps that can be challenged, the challenges, and a revision under way.

use super::query::is_repeat;
use crate::answer::Answer;
use crate::scrutiny::challenge::{Challenge, Contest, TracedStep};
use crate::scrutiny::revision::TriedPatch;
use crate::scrutiny::warning::Said;
use serde::{Deserialize, Serialize};

/// Most challenges of one run.
const CHALLENGES: usize = 20;

/// An answer that is being verified in the place of one that was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UnderWay {
    pub(crate) original: Answer,
    pub(crate) patches: Vec<TriedPatch>,
    /// Whether it is the same answer, held against what was read since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) held_anew: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Critic {
    /// What of the trace can be challenged, in its order.
    pub(crate) steps: Vec<TracedStep>,
    /// Challenges that wait for their answer.
    pub(crate) challenges: Vec<Challenge>,
    /// How many of them the call under way asks about.
    pub(crate) asked: usize,
    /// Whether this answer was criticised.
    pub(crate) criticised: bool,
    /// Whether a revision was asked for; once a run.
    pub(crate) revised: bool,
    pub(crate) under_way: Option<Box<UnderWay>>,
    /// Whether counter-evidence was looked for; once a run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) doubted: bool,
    /// By which searches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) searched: Vec<String>,
    /// Whether a language model was asked for fallacies in this answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) read_for_fallacies: bool,
    /// Those that it named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) said: Vec<Said>,
}

impl Critic {
    pub(crate) fn new(contest: Option<&Contest>) -> Self {
        let challenges = contest.map(Challenge::from_contest).into_iter().collect();
        Self { challenges, ..Self::default() }
    }

    /// Notes a challenge to a step of this run.
    pub(crate) fn challenge(&mut self, event_id: u64, text: &str) {
        if self.challenges.len() < CHALLENGES && text.chars().any(char::is_alphanumeric) {
            self.challenges.push(Challenge::here(&self.steps, event_id, text));
        }
    }

    /// Whether a search for counter-evidence was, in other order or nearly, this one.
    pub(crate) fn was_searched(&self, query: &str) -> bool {
        self.searched.iter().any(|earlier| is_repeat(earlier, query))
    }

    /// The search goes on: there will be another answer to criticise.
    pub(crate) fn begin_again(&mut self) {
        (self.criticised, self.under_way, self.asked) = (false, None, 0);
        self.read_for_fallacies = false;
    }
}
