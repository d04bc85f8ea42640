//! Whether what the sources say of a question is a tie: two sides, and nothing that tells which of them holds.

use super::single_step;
use crate::evidence::{PartialDate, ReadPassage, Vintage, replaced};
use crate::id::{PassageId, SourceId};
use crate::inquiry::Derivations;
use crate::inquiry::state::State;
use crate::pack::theology;
use crate::prompt::{Bearing, Fact, FactRole};
use std::collections::BTreeSet;

/// One side of a disagreement.
struct Side<'a> {
    facts: Vec<&'a Fact>,
    reads: Vec<&'a ReadPassage>,
}

impl<'a> Side<'a> {
    fn of(state: &'a State, question: u32, role: FactRole) -> Self {
        let is_of =
            |fact: &&Fact| fact.proposed.question_id == question && fact.proposed.role == role;
        let facts: Vec<&Fact> = state.facts.iter().filter(is_of).collect();
        let reads =
            facts.iter().filter_map(|fact| state.passages.get(&fact.proposed.passage_id)).collect();
        Self { facts, reads }
    }

    /// The documents that it stands in.
    fn documents(&self) -> BTreeSet<&SourceId> {
        self.reads.iter().map(|read| &read.source.id).collect()
    }

    /// How many sources that are no copies of each other are on it.
    fn independent(&self) -> usize {
        let clusters: BTreeSet<&SourceId> =
            self.reads.iter().map(|read| &read.source.cluster).collect();
        clusters.len()
    }

    /// How firmly it answers at best.
    fn bearing(&self) -> Option<Bearing> {
        self.facts.iter().filter_map(|fact| fact.proposed.bearing).max()
    }

    /// Whether all of it stands in documents that are out of date.
    fn is_outdated(&self, replaced: &BTreeSet<&SourceId>) -> bool {
        self.reads.iter().all(|read| {
            read.source.vintage == Vintage::Superseded || replaced.contains(&read.source.id)
        })
    }

    /// The dates of its documents, `None` for one that has none of its own. Pages of the web are statements of strangers: one that
    /// was written later need not know better.
    fn dates(&self) -> Vec<Option<PartialDate>> {
        let own = |read: &&ReadPassage| {
            let date = read.source.date.as_ref().filter(|_| read.source.web.is_none())?;
            (!date.stated.starts_with("author")).then_some(date.value)
        };
        self.reads.iter().map(own).collect()
    }

    /// Whether a document of it is later than all of another side's, of which each has a date: the latest word is on this side,
    /// however old or undated what agrees with it is.
    fn is_later(&self, other: &Self) -> bool {
        let others = other.dates();
        self.dates()
            .into_iter()
            .flatten()
            .any(|date| others.iter().all(|other| other.is_some_and(|other| date.is_after(other))))
    }
}

/// A passage of the side that was found second, where the sources of a question that has one answer disagree, as many independent
/// ones on either side, equally to the point, none out of date and none the later. `None` where something breaks the tie, where
/// there is no disagreement but within the same documents, and for both sides of a known tension, which are what was asked for.
pub(super) fn tie(state: &State, question: u32) -> Option<PassageId> {
    if !state.follows(Derivations::FIFTH) || single_step::chosen(state) {
        return None;
    }
    let planned = state.plan.questions.iter().find(|one| one.id == question)?;
    let is_tension = state.options().both_sides
        && state.pack().verses
        && !theology::settled_by(&planned.text).is_empty();
    if planned.kind.wants_several() || is_tension {
        return None;
    }
    let one = Side::of(state, question, FactRole::Answer);
    let other = Side::of(state, question, FactRole::Conflict);
    let passage = other.facts.first()?.proposed.passage_id.clone();
    if one.facts.is_empty()
        || one.documents() == other.documents()
        || one.independent() != other.independent()
        || one.bearing() != other.bearing()
    {
        return None;
    }
    let old = replaced(one.reads.iter().chain(&other.reads).copied());
    let old: BTreeSet<&SourceId> = old.keys().collect();
    let breaks = one.is_outdated(&old) != other.is_outdated(&old)
        || one.is_later(&other)
        || other.is_later(&one);
    (!breaks).then_some(passage)
}
