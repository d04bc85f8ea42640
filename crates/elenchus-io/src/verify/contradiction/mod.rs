//! Statements that contradict each other: found by the rare words that they share, decided by the binding checks and
//! the cross-encoder both ways, and told in the words that do not fit together.
//!
//! Two statements are held against each other only where both speak of the same thing and of the same time. A figure
//! of another quarter, a length in other units or a copy is no contradiction, and neither is what is said of the first
//! and the second of a kind, of two names, of some and of some, of a town and its country, or of two years in which
//! the same may happen. Much is missed by design: what is reported should be worth reading.

mod among;
mod apart;
mod candidates;
mod harm;
mod period;
mod places;
mod sides;
mod slot;
#[cfg(test)]
mod tests;
mod weigh;

pub use among::among;

use super::CrossEncoder;
use super::sentence::Sentence;
use elenchus_core::port::{Mismatch, MismatchKind};
use places::Places;
use weigh::{Form, Verdict, Weighed};

/// A sentence or claim that may contradict another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Statement {
    /// The caller's name for it. Two statements with one text and different ids are still two.
    pub id: String,
    /// What it says; one sentence, readable alone.
    pub text: String,
    /// The words that it stands under (title, headings, date of the document), or nothing. Only the times in them
    /// count: "Quarterly report, Q3 2025".
    pub context: String,
    /// Statements of one cluster are copies, or claims out of one sentence, and are not held against each other.
    pub cluster: Option<u32>,
}

impl Statement {
    /// A statement without context or cluster.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into(), ..Self::default() }
    }

    /// The same under these words.
    #[must_use]
    pub fn under(mut self, context: impl Into<String>) -> Self {
        self.context = context.into();
        self
    }

    /// The same as a copy among others.
    #[must_use]
    pub fn in_cluster(mut self, cluster: u32) -> Self {
        self.cluster = Some(cluster);
        self
    }
}

/// How much may be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nearest statements that each one is held against.
    pub neighbours: usize,
    /// Pairs that are judged closely, some milliseconds each; those that share less are left out.
    pub read: usize,
    /// Contradictions that are given, strongest first.
    pub found: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { neighbours: 12, read: 200, found: 100 }
    }
}

/// Two statements that cannot both hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Position of the one among the statements given.
    pub a: usize,
    /// Position of the other, always greater.
    pub b: usize,
    /// The words of `a` (spans are characters of its text) that those of `b` deny; never empty.
    pub why: Vec<Mismatch>,
    /// How sure it is, 0 to 1: shared words by how far the checks and the cross-encoder agree. Not a probability.
    pub strength: f64,
    /// In words: "on installed capacity: one says 5.6 MW, the other 4.2 MW".
    pub summary: String,
}

/// Longer texts (bytes) are no single statement and are left out.
const LONGEST: usize = 1_000;

/// Finds the statements that contradict each other, strongest first.
///
/// The order of the statements changes nothing but the positions and which of two is `a`. Never fails; without a
/// cross-encoder only what the checks are sure of is found. Some 0.2 milliseconds a statement, and some milliseconds for each pair that is read
/// closely.
pub fn contradictions(statements: &[Statement], limits: &Limits) -> Vec<Contradiction> {
    let mut order: Vec<usize> =
        (0..statements.len()).filter(|at| statements[*at].text.len() <= LONGEST).collect();
    order.sort_by(|a, b| statements[*a].cmp(&statements[*b]));
    let prepared: Vec<Sentence> =
        order.iter().map(|at| Sentence::prepare(&statements[*at].text)).collect();
    let places = Places::told(&prepared);
    let mut weighed: Vec<(usize, usize, Weighed)> = Vec::new();
    for (one, other) in candidates::pairs(&prepared, limits.neighbours) {
        let (a, b) = (&statements[order[one]], &statements[order[other]]);
        let copies = a.cluster.is_some() && a.cluster == b.cluster;
        if copies || a.text == b.text || weigh::other_time(a, b) {
            continue;
        }
        if let Some(found) = weigh::weigh(&prepared[one], &prepared[other], &places) {
            weighed.push((one, other, found));
        }
    }
    // The likeliest are read, whatever the order was.
    weighed.sort_by(|a, b| b.2.shared.total_cmp(&a.2.shared).then((a.0, a.1).cmp(&(b.0, b.1))));
    weighed.truncate(limits.read);
    let verdicts = read(&prepared, &weighed);
    let mut found: Vec<Contradiction> = weighed
        .into_iter()
        .zip(verdicts)
        .filter_map(|((one, other, weighed), verdict)| {
            let strength = weigh::strength(&weighed, verdict)?;
            let (a, b) = (order[one], order[other]);
            let turned = a > b;
            let why = if turned { weighed.back } else { weighed.forth };
            let (first, second) = if turned { (other, one) } else { (one, other) };
            let summary = summary(&prepared[first], &prepared[second], &why);
            Some(Contradiction { a: a.min(b), b: a.max(b), why, strength, summary })
        })
        .collect();
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength).then((a.a, a.b).cmp(&(b.a, b.b))));
    found.truncate(limits.found);
    found
}

/// What the cross-encoder says of each pair, both ways. Each pair is read alone, so that no pair depends on another;
/// what a rule of its own has decided is not read.
fn read(prepared: &[Sentence], pairs: &[(usize, usize, Weighed)]) -> Vec<Option<Verdict>> {
    pairs
        .iter()
        .map(|(one, other, weighed)| {
            if weighed.form == Form::Slot {
                return None;
            }
            let encoder = CrossEncoder::builtin().ok()?;
            let (a, b) = (prepared[*one].text.as_str(), prepared[*other].text.as_str());
            let said = encoder.classify(&[(a, vec![(0, b)]), (b, vec![(0, a)])]).ok()?;
            Some(Verdict { forth: *said.first()?, back: *said.get(1)? })
        })
        .collect()
}

/// Words of the subject that are named in a summary.
const NAMED: usize = 4;

fn summary(a: &Sentence, b: &Sentence, why: &[Mismatch]) -> String {
    let named: Vec<&str> = a
        .words
        .iter()
        .filter(|word| {
            let span = word.token.chars;
            b.words.iter().any(|other| other.token.stem == word.token.stem)
                && !why
                    .iter()
                    .any(|m| m.claim_span.start < span.end && span.start < m.claim_span.end)
        })
        .map(|word| word.token.text.as_str())
        .take(NAMED)
        .collect();
    let said: Vec<String> = why
        .iter()
        .take(2)
        .map(|m| match (&m.evidence_text, m.kind) {
            (Some(other), kind) if kind != MismatchKind::Negation => {
                format!("one says “{}”, the other “{other}”", m.claim_text)
            }
            (Some(other), _) => format!("“{}” against “{other}”", m.claim_text),
            (None, _) => m.reason.clone(),
        })
        .collect();
    let said = said.join("; ");
    if named.is_empty() { said } else { format!("on {}: {said}", named.join(" ")) }
}
