//! What frames a call beside its task: the run's mode and the known tensions of its field.
//!
//! Both stand after the words of a prompt's file, or where it says `{{mode}}` and `{{tensions}}`, so that no file of a
//! user's can lose them. A call without them renders as if there were neither.

use super::safe::{Safe, line};
use crate::pack::theology::Tension;
use crate::synthesis::mode::Mode;
use serde::{Deserialize, Serialize};

/// Most tensions that a prompt is told.
const MOST: usize = 6;

/// The mode and the tensions of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Framing {
    /// The id of a mode; empty for the default one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mode: String,
    /// Tensions that bear on the question or on what was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensions: Vec<KnownTension>,
}

/// A tension of a pack, as a prompt is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownTension {
    /// "judas-death".
    pub id: String,
    /// One side, by its OSIS id.
    pub a: String,
    /// The other.
    pub b: String,
    /// In the pack's words.
    pub summary: String,
    /// The lens from which it is mostly raised.
    pub perspective: String,
}

impl From<&Tension> for KnownTension {
    fn from(tension: &Tension) -> Self {
        Self {
            id: tension.id.clone(),
            a: tension.a.to_string(),
            b: tension.b.to_string(),
            summary: tension.summary.clone(),
            perspective: tension.perspective.clone(),
        }
    }
}

impl Framing {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.mode.is_empty() && self.tensions.is_empty()
    }

    /// What fills `{{mode}}` in the system part.
    pub(super) fn mode(&self) -> Safe {
        Safe::assembled(Mode::named(&self.mode).map(Mode::told).unwrap_or_default())
    }

    /// What fills `{{tensions}}` in the user part, in at most `room` characters.
    pub(super) fn tensions(&self, room: usize) -> Safe {
        if self.tensions.is_empty() {
            return Safe::default();
        }
        let lead = "Known tensions of the field, in the words of a list that the program keeps. Where one bears on the \
                    task, both of its sides count:\n";
        let lines: Vec<String> = self
            .tensions
            .iter()
            .take(MOST)
            .map(|one| {
                format!(
                    "- {} and {}: {} (mostly raised from a {} point of view)",
                    line(&one.a, 40),
                    line(&one.b, 40),
                    line(&one.summary, 300),
                    line(&one.perspective, 40)
                )
            })
            .collect();
        // Two characters part it from what stands before.
        let room = room.saturating_sub(lead.chars().count() + 2);
        let lines = Safe::lines(&lines, room, "tensions", "");
        Safe::assembled(format!("{lead}{}", lines.as_str()))
    }
}
