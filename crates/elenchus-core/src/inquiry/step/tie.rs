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

    /// Whether a document of it is later than all of another side's, of which each has a date: the latest word is on this side,
    /// however old or undated what agrees with it is.
    fn is_later(&self, other: &Self) -> bool {
        let is_after = |late: &ReadPassage| {
            written(late).is_some_and(|day| {
                other.reads.iter().all(|early| {
                    is_comparable(late, early)
                        && written(early).is_some_and(|before| day.is_after(before))
                })
            })
        };
        self.reads.iter().copied().any(is_after)
    }
}

/// The date that a document states for itself.
fn written(read: &ReadPassage) -> Option<PartialDate> {
    read.source.date.as_ref()?.of_document()
}

/// Whether the later of two documents knows better. Pages of the web are statements of strangers, of which one that was written later
/// need not; what one publisher says later, it says in the place of what it said before. On a site where many publish, the pages of
/// one are those of one cluster.
fn is_comparable(one: &ReadPassage, other: &ReadPassage) -> bool {
    match (&one.source.web, &other.source.web) {
        (None, None) => true,
        (Some(page), Some(before)) => {
            page.site == before.site
                && !page.self_published
                && one.source.cluster == other.source.cluster
        }
        _ => false,
    }
}

/// The day of the latest of these documents, and that of another one, where each states one for itself and the other is the later and
/// knows better.
pub(super) fn later(
    other: &ReadPassage,
    these: &[&ReadPassage],
) -> Option<(PartialDate, PartialDate)> {
    let day = written(other)?;
    let mut latest: Option<PartialDate> = None;
    for read in these {
        let of = written(read).filter(|of| is_comparable(other, read) && day.is_after(*of))?;
        latest = Some(latest.map_or(of, |known| if of.is_after(known) { of } else { known }));
    }
    latest.map(|of| (of, day))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{DocDate, Passage, Source, Span, WebPage};
    use crate::id::Timestamp;

    fn read(site: Option<&str>, stated: &str, year: i32) -> ReadPassage {
        let id = SourceId::from_path(&format!("{site:?}{year}"));
        let page = |site: &str| {
            Box::new(WebPage {
                url: format!("https://{site}/{year}"),
                site: site.to_owned(),
                retrieved_at: Timestamp(0),
                via: "a search".to_owned(),
                published: None,
                modified: None,
                licence: None,
                hidden: 0,
                one_with: Vec::new(),
                self_published: site == "anybody.example",
            })
        };
        let source = Source {
            id: id.clone(),
            path: id.to_string(),
            title: "Tides".to_owned(),
            author: None,
            date: Some(DocDate { value: PartialDate::year(year), stated: stated.to_owned() }),
            vintage: Vintage::Current,
            content_hash: String::new(),
            family: String::new(),
            cluster: site.map_or_else(|| id.clone(), SourceId::from_path),
            web: site.map(page),
        };
        let passage = Passage {
            id: PassageId::new(&id, 0),
            source_id: id,
            text: String::new(),
            span: Span { start: 0, end: 0 },
            heading_path: Vec::new(),
            page: None,
            table_header: Vec::new(),
            lead_in: None,
            record: None,
        };
        ReadPassage { source, passage }
    }

    #[test]
    fn a_later_document_is_later_than_all_that_have_a_day() {
        let paper = |stated, year| read(None, stated, year);
        let (old, new) = (paper("as of", 2020), paper("as of", 2023));
        let (of, day) = (PartialDate::year(2023), PartialDate::year(2024));
        assert_eq!(later(&paper("as of", 2024), &[&new, &old]), Some((of, day)));
        assert_eq!(later(&old, &[&new]), None);
        assert_eq!(later(&new, &[&new]), None, "no document is later than itself");
        assert_eq!(later(&paper("as of", 2024), &[&old, &paper("author: c. 2020", 2021)]), None);
        assert_eq!(later(&read(Some("port.example"), "published", 2024), &[&old]), None);
        assert_eq!(later(&new, &[]), None);
    }

    #[test]
    fn the_later_page_breaks_a_tie_only_among_those_of_one_publisher() {
        let is_later = |late: &ReadPassage, early: &ReadPassage| {
            let other = Side { facts: Vec::new(), reads: vec![early] };
            Side { facts: Vec::new(), reads: vec![late] }.is_later(&other)
        };
        let page = |site, year| read(Some(site), "published", year);
        let old = page("port.example", 2020);
        assert!(is_later(&page("port.example", 2024), &old));
        assert!(!is_later(&old, &page("port.example", 2024)));
        assert!(!is_later(&page("other.example", 2024), &old), "strangers");
        assert!(!is_later(&page("anybody.example", 2024), &page("anybody.example", 2020)));
        let mut of_another = page("port.example", 2024);
        of_another.source.cluster = SourceId::from_path("another author");
        assert!(!is_later(&of_another, &old), "who shares the site");
        let served = read(Some("port.example"), "Last-Modified header: 2024", 2024);
        assert!(!is_later(&served, &old), "when a server kept a file");
        let own = read(None, "Date: 2024", 2024);
        assert!(is_later(&own, &read(None, "Date: 2020", 2020)));
        assert!(!is_later(&own, &old) && !is_later(&page("port.example", 2025), &own));
    }
}
