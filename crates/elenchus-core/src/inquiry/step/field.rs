//! The pack's turn in a run: it says that it is used, looks up what the question names and both sides of known tensions,
//! and sees that a tension on which both sides were read is told.

use crate::answer::{Answer, Side, TensionNote};
use crate::evidence::{ReadPassage, Span};
use crate::inquiry::state::State;
use crate::pack::Pack;
use crate::pack::theology::{self, OsisRef, Tension, references_by, verse_of};
use crate::prompt::{Bearing, FactRole, Facts, ProposedFact};
use crate::text::squeeze;

/// Most tensions that a run goes after.
const MOST_TENSIONS: usize = 4;
/// Most verses that one query looks up.
const MOST_VERSES: usize = 24;
/// Verses joined by cross-references that one later round looks up.
const NEIGHBOURS: usize = 4;

/// The run begins: which pack is used and why, and what of it bears on the question.
pub(super) fn open(state: &mut State) {
    let chosen = Pack::choose(&state.options().pack, &state.opened.corpus);
    let about = squeeze(&state.opened.question);
    if let Some(because) = chosen.because {
        state.think(
            format!("\"{about}\" is read with the {} pack: {because}", chosen.pack.name),
            vec![],
        );
    }
    if !chosen.pack.verses {
        return;
    }
    let asked = references_by(&state.opened.question, state.options().rules());
    state.field.asked = asked.iter().map(|found| found.reference).collect();
    let mut bearing = theology::tensions_for(&state.field.asked);
    bearing.extend(theology::about(&state.opened.question));
    take(state, &bearing);
}

/// Takes tensions up, and tells of each new one.
fn take(state: &mut State, bearing: &[&'static Tension]) {
    for tension in bearing {
        if state.field.tensions.len() < MOST_TENSIONS && !state.field.tensions.contains(&tension.id)
        {
            state.field.tensions.push(tension.id.clone());
            state.think(
                format!(
                    "a known tension bears on this: {} and {}, {}",
                    tension.a, tension.b, tension.summary
                ),
                vec![tension.id.clone()],
            );
        }
    }
}

/// What was quoted may touch a tension that the question did not name.
pub(super) fn quoted(state: &mut State) {
    if !state.pack().verses {
        return;
    }
    let verses: Vec<OsisRef> = state
        .facts
        .iter()
        .filter_map(|fact| state.passages.get(&fact.proposed.passage_id))
        .filter_map(verse_of)
        .collect();
    take(state, &theology::tensions_for(&verses));
}

/// Both sides of a known tension answer a question that is about it, by its words, once both were read; what quotes neither
/// and does not bind the whole question only bears on it then.
pub(super) fn with_both_sides(state: &mut State, mut facts: Facts) -> Facts {
    if !state.options().both_sides || !state.pack().verses {
        return facts;
    }
    for question in state.plan.questions.clone() {
        let mut sides: Vec<(ProposedFact, OsisRef)> = Vec::new();
        for tension in theology::settled_by(&question.text) {
            let (Some(a), Some(b)) = (first_read(state, tension.a), first_read(state, tension.b))
            else {
                continue;
            };
            // The one account and the other stand side by side in the short answer; which is right is not said.
            for (read, reference, role) in
                [(a, tension.a, FactRole::Answer), (b, tension.b, FactRole::Conflict)]
            {
                sides.push((side_fact(question.id, read, role, tension), reference));
            }
        }
        if sides.is_empty() {
            continue;
        }
        for fact in facts.facts.iter_mut().filter(|fact| fact.question_id == question.id) {
            let verse = state.passages.get(&fact.passage_id).and_then(verse_of);
            let of_a_side = verse
                .is_some_and(|verse| sides.iter().any(|(_, reference)| verse.overlaps(*reference)));
            let binds = fact.bearing == Some(Bearing::Strong);
            if !of_a_side && !binds && fact.role == FactRole::Answer {
                fact.role = FactRole::Context;
                fact.bearing = None;
            }
        }
        // What a model quoted of a verse stands as it quoted it.
        sides.retain(|(side, _)| {
            !facts.facts.iter().any(|fact| {
                fact.question_id == side.question_id
                    && fact.passage_id == side.passage_id
                    && fact.role == FactRole::Answer
            })
        });
        facts.facts.retain(|fact| {
            !sides.iter().any(|(side, _)| {
                fact.question_id == side.question_id && fact.passage_id == side.passage_id
            })
        });
        facts.facts.splice(0..0, sides.into_iter().map(|(side, _)| side));
        if !state.reflection.answered_questions.contains(&question.id) {
            state.reflection.answered_questions.push(question.id);
            state.reflection.unanswered_questions.retain(|id| *id != question.id);
        }
    }
    facts
}

/// The first passage read that is this verse.
fn first_read(state: &State, side: OsisRef) -> Option<&ReadPassage> {
    state
        .reading_order
        .iter()
        .filter_map(|id| state.passages.get(id))
        .find(|read| verse_of(read).is_some_and(|verse| verse.overlaps(side)))
}

fn side_fact(
    question_id: u32,
    read: &ReadPassage,
    role: FactRole,
    tension: &Tension,
) -> ProposedFact {
    ProposedFact {
        question_id,
        passage_id: read.passage.id.clone(),
        span: Span { start: 0, end: read.passage.text.chars().count() },
        value: None,
        role,
        polarity: None,
        bearing: Some(Bearing::Fair),
        likeness: None,
        unbound: vec![],
        warrant: format!(
            "the question is about a known tension ({}), of which this verse is one side",
            tension.id
        ),
    }
}

/// Whether a query looks verses up: then what it finds is read before what words find.
pub(super) fn is_lookup(state: &State, query: &str) -> bool {
    state.pack().verses && !references_by(query, state.options().rules()).is_empty()
}

/// Hits wanted of a look-up: each verse in a few translations.
pub(super) fn hits_wanted(state: &State, query: &str) -> u16 {
    let found = references_by(query, state.options().rules());
    let verses: usize = found.iter().map(|one| one.reference.verses(MOST_VERSES).len()).sum();
    u16::try_from((verses * 2 + 2).clamp(6, 2 * MOST_VERSES + 2)).unwrap_or(6)
}

/// The look-ups of this round: what the question names, once; both sides of each tension, once; and from the second
/// round on verses that the cross-references join with what was asked for. What repeats a search is dropped.
pub(super) fn round_queries(state: &mut State, others: &[String]) -> Vec<(String, String)> {
    let mut wanted: Vec<(String, String)> = Vec::new();
    if !state.field.asked.is_empty() && state.field.searched.is_empty() {
        let ids: Vec<String> = state.field.asked.iter().map(ToString::to_string).collect();
        wanted.push((ids.join(" "), "the question names it".to_owned()));
    }
    for tension in state.tensions() {
        if !state.field.looked_up.contains(&tension.id) {
            state.field.looked_up.push(tension.id.clone());
            let reason = format!("both sides of a known tension: {}", tension.id);
            wanted.push((format!("{} {}", tension.a, tension.b), reason));
        }
    }
    if state.round > 1 {
        let next: Vec<String> = neighbours(state)
            .into_iter()
            .map(|verse| verse.to_string())
            .filter(|verse| {
                !state.field.searched.iter().any(|query| query.contains(verse.as_str()))
            })
            .take(NEIGHBOURS)
            .collect();
        if !next.is_empty() {
            let reason = format!("cross-references join it with {}", spoken(&state.field.asked));
            wanted.push((next.join(" "), reason));
        }
    }
    let mut kept = Vec::new();
    for (query, reason) in wanted {
        let repeats = state.was_tried(&query) || others.contains(&query);
        if !repeats {
            state.field.searched.push(query.clone());
            kept.push((query, reason));
        }
    }
    kept
}

fn spoken(references: &[OsisRef]) -> String {
    references.iter().map(|one| one.spoken()).collect::<Vec<_>>().join(", ")
}

/// Verses joined by cross-references with what was asked for, that were not read, in the order of the tables.
fn neighbours(state: &State) -> Vec<OsisRef> {
    let mut all: Vec<OsisRef> = Vec::new();
    let read: Vec<OsisRef> = state.passages.values().filter_map(verse_of).collect();
    for verse in state.field.asked.iter().flat_map(|asked| asked.verses(MOST_VERSES)) {
        for id in &state.reading_order {
            let Some(passage) = state.passages.get(id) else { continue };
            for joined in theology::linked(&passage.passage.text, verse) {
                let known = all.contains(&joined)
                    || read.contains(&joined)
                    || state.field.asked.iter().any(|asked| asked.overlaps(joined));
                if !known {
                    all.push(joined);
                }
            }
        }
    }
    all
}

/// The tensions that bear on the finished answer, and what a reader could look at next.
pub(super) fn conclude(state: &State, answer: &mut Answer) {
    if !state.pack().verses {
        return;
    }
    let quoted: Vec<OsisRef> = answer
        .evidence
        .iter()
        .filter_map(|evidence| state.passages.get(&evidence.passage_id))
        .filter_map(verse_of)
        .collect();
    for tension in state.pack().tensions() {
        let touches = |side: OsisRef| quoted.iter().any(|verse| verse.overlaps(side));
        // The question itself may be about it, by reference or by its words, although nothing of it was quoted.
        let taken_up = state.field.tensions.contains(&tension.id);
        if !taken_up && !touches(tension.a) && !touches(tension.b) {
            continue;
        }
        match (side(state, answer, tension.a), side(state, answer, tension.b)) {
            (Some(a), Some(b)) => answer.tensions.push(TensionNote {
                id: tension.id.clone(),
                references: vec![tension.a, tension.b],
                summary: tension.summary.clone(),
                perspective: tension.perspective.clone(),
                sides: vec![a, b],
            }),
            (a, _) => {
                let other = if a.is_some() { tension.b } else { tension.a };
                answer.next_steps.push(format!(
                    "Look at {} as well: a known tension bears on this ({})",
                    other.spoken(),
                    tension.id
                ));
            }
        }
    }
    let joined = neighbours(state);
    if !joined.is_empty() {
        let shown: Vec<String> = joined.iter().take(6).map(|verse| verse.spoken()).collect();
        answer.next_steps.push(format!(
            "Look at verses that the cross-references join with {}: {}",
            spoken(&state.field.asked),
            shown.join("; ")
        ));
    }
}

/// A side as it was read: where the answer quotes it, that passage, and otherwise the first that was read.
fn side(state: &State, answer: &Answer, side: OsisRef) -> Option<Side> {
    let named = |read: &&ReadPassage| verse_of(read).is_some_and(|verse| verse.overlaps(side));
    let cited =
        answer.evidence.iter().filter_map(|evidence| state.passages.get(&evidence.passage_id));
    let all = state.reading_order.iter().filter_map(|id| state.passages.get(id));
    let read = cited.chain(all).find(named)?;
    let span = Span { start: 0, end: read.passage.text.chars().count() };
    Some(Side {
        source_id: read.source.id.clone(),
        path: read.source.path.clone(),
        location: read.location(),
        passage_id: read.passage.id.clone(),
        quote: read.passage.text.clone(),
        span,
        document_span: read.passage.in_document(span),
    })
}
