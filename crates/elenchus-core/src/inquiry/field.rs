//! What the domain pack brings to a run: the references that were asked for, known tensions, and what was looked up.

use super::query::is_repeat;
use super::state::State;
use crate::pack::Pack;
use crate::pack::theology::{OsisRef, Tension};
use crate::prompt::{Framing, KnownTension};
use serde::{Deserialize, Serialize};

/// What a run has of its field. Empty in a run without a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Field {
    /// What the question names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) asked: Vec<OsisRef>,
    /// Ids of the tensions that bear on the question or on what was quoted, in the order in which they came up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tensions: Vec<String>,
    /// Ids of the tensions whose sides were looked up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) looked_up: Vec<String>,
    /// Queries made for the field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) searched: Vec<String>,
    /// Whether the finished answer had its tensions looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) contrasted: bool,
}

impl Field {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn was_searched(&self, query: &str) -> bool {
        self.searched.iter().any(|earlier| is_repeat(earlier, query))
    }
}

impl State {
    /// The pack of the run: a function of its first input.
    pub(crate) fn pack(&self) -> &'static Pack {
        Pack::choose(&self.options().pack, &self.opened.corpus).pack
    }

    /// Whether the pack has fallacies of its own that are looked for.
    pub(crate) fn has_own_fallacies(&self) -> bool {
        !self.pack().fallacies.is_empty()
    }

    /// Whether the answer is read for fallacies. Journals of earlier versions have none of that, and replay as they were.
    pub(crate) fn warns(&self) -> bool {
        self.opened.judging.as_ref().is_some_and(|judging| judging.fallacies)
    }

    /// The tensions that bear on the run so far.
    pub(crate) fn tensions(&self) -> Vec<&'static Tension> {
        let all = self.pack().tensions();
        self.field
            .tensions
            .iter()
            .filter_map(|id| all.iter().find(|tension| tension.id == *id))
            .collect()
    }

    /// What frames a call of this run.
    pub(crate) fn framing(&self) -> Framing {
        Framing {
            mode: self.options().mode.clone(),
            tensions: self.tensions().into_iter().map(KnownTension::from).collect(),
            lessons: Vec::new(),
        }
    }
}
