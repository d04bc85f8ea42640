//! Runs as trees of spans.

use crate::worlds::autonomous;
use elenchus_core::inquiry::{Control, Effect, FailureKind, Input, Outcome, Step};
use elenchus_core::journal::{Entry, Intent, JournalRecord};
use elenchus_core::port::Usage;
use elenchus_core::testkit::{Drive, World, drive};
use elenchus_core::trace::spans::{Content, Span, SpanFold, SpanId, TraceId, Value, spans_of};
use std::collections::BTreeMap;

const ASKED: &str = "What does the lighthouse keeper earn?";

fn coast() -> World {
    (0..6).fold(World::new("coast"), |world, n| {
        world.document(
            &format!("gossip{n}.md"),
            &format!("# Gossip {n}\n\nThe lighthouse keeper may be respected, says villager {n}."),
        )
    })
}

fn attribute<'a>(span: &'a Span, name: &str) -> Option<&'a Value> {
    let mut found = span.attributes.iter().filter(|(known, _)| *known == name);
    let value = found.next().map(|(_, value)| value);
    assert!(found.next().is_none(), "{name} stands twice in {span:#?}");
    value
}

fn text(span: &Span, name: &str) -> String {
    match attribute(span, name) {
        Some(Value::Text(text)) => text.clone(),
        other => unreachable!("{name} is {other:?} in {span:#?}"),
    }
}

/// The spans by their ids, after a look at the tree: one root, which is the last, and each other span within its parent.
fn tree(spans: &[Span]) -> BTreeMap<SpanId, &Span> {
    let by_id: BTreeMap<SpanId, &Span> = spans.iter().map(|span| (span.span_id, span)).collect();
    assert_eq!(by_id.len(), spans.len(), "no id stands for two");
    let root = spans.last().unwrap();
    assert_eq!(root.parent, None);
    for span in &spans[..spans.len() - 1] {
        let parent = by_id[&span.parent.unwrap()];
        assert!(parent.start <= span.start && span.start <= span.end && span.end <= parent.end);
        assert_eq!(span.trace_id, root.trace_id);
    }
    by_id
}

#[test]
fn a_run_is_one_tree_that_the_same_journal_always_gives() {
    let driven = drive(&coast(), ASKED, autonomous());
    let spans = spans_of(&driven.journal, Content::LeftOut);
    assert_eq!(spans, spans_of(&driven.journal, Content::LeftOut));
    let by_id = tree(&spans);
    let run = driven.run.id();
    let root = by_id[&SpanId::of_run(run)];
    assert_eq!(root.trace_id, TraceId::of(run));
    assert_eq!(attribute(root, "elenchus.run.over"), Some(&Value::Truth(true)));
    let rounds = driven.run.view().spent().rounds;
    assert!(rounds > 1, "the question has no answer, so more than one round is made");
    for round in 1..=rounds {
        assert_eq!(by_id[&SpanId::of_round(run, round)].name, format!("round {round}"));
    }
    // Every effect of the journal is a span, and nothing else is.
    let effects = driven.journal.iter().filter_map(|record| match &record.entry {
        Entry::Input(input) => match input.as_ref() {
            Input::Outcome { id, .. } => Some(SpanId::of_effect(run, *id)),
            _ => None,
        },
        Entry::Intent(_) => None,
    });
    let effects: Vec<SpanId> = effects.collect();
    assert_eq!(spans.len(), 1 + usize::from(rounds) + effects.len());
    assert!(effects.iter().all(|id| by_id.contains_key(id)));
    let searches = spans.iter().filter(|span| span.name == "execute_tool search");
    let gaps: Vec<String> = searches.map(|search| text(search, "elenchus.gap.id")).collect();
    assert!(gaps.len() > 1 && gaps.iter().all(|gap| gap.starts_with('g')), "{gaps:?}");
    let abandoned = root.events.iter().filter(|event| event.name == "elenchus.gap.abandoned");
    assert_eq!(abandoned.count(), driven.run.view().gaps().abandoned().count());
}

#[test]
fn spans_come_as_they_end_and_a_record_counts_once() {
    let driven = drive(&coast(), ASKED, autonomous());
    let mut fold = SpanFold::new(Content::LeftOut);
    let mut live = Vec::new();
    for record in &driven.journal {
        live.extend(fold.feed(record));
        assert!(fold.feed(record).is_empty(), "again changes nothing");
        assert_eq!(fold.seq(), record.seq);
    }
    assert!(fold.is_over() && fold.cut().is_empty());
    assert_eq!(live, spans_of(&driven.journal, Content::LeftOut));
    // In the middle of a run nothing can be told.
    assert!(SpanFold::new(Content::LeftOut).feed(&driven.journal[3]).is_empty());
}

#[test]
fn every_prefix_of_a_journal_is_a_tree() {
    let driven = drive(&coast(), ASKED, autonomous());
    for length in 1..=driven.journal.len() {
        tree(&spans_of(&driven.journal[..length], Content::LeftOut));
    }
    assert!(spans_of(&[], Content::LeftOut).is_empty());
}

#[test]
fn an_intent_says_when_an_effect_is_begun() {
    let world = coast();
    let drive = Drive::begin(&world, ASKED, autonomous());
    let mut journal = drive.journal().to_vec();
    let (id, effect) = drive.wanted().remove(0);
    let result = drive.perform(&effect);
    let later = |seq: u64, ms: i64, entry: Entry| JournalRecord {
        seq,
        at: elenchus_core::id::Timestamp(journal[0].at.0 + ms),
        entry,
        ..journal[0].clone()
    };
    let intent = later(2, 70, Entry::Intent(vec![Intent::new(drive.run().id(), id)]));
    let outcome = later(3, 100, Entry::Input(Box::new(Input::Outcome { id, result })));
    journal.extend([intent, outcome]);
    let spans = spans_of(&journal, Content::LeftOut);
    let span = tree(&spans)[&SpanId::of_effect(drive.run().id(), id)];
    assert_eq!(span.end.0 - span.start.0, 30);
}

#[test]
fn what_failed_says_how_and_not_in_which_words() {
    let world = coast();
    let mut drive = Drive::begin(&world, ASKED, autonomous());
    let is_search = |drive: &Drive<'_>| {
        drive.wanted().into_iter().find(|(_, effect)| matches!(effect, Effect::Search(_)))
    };
    while is_search(&drive).is_none() {
        assert!(drive.advance());
    }
    let (id, _) = is_search(&drive).unwrap();
    let error = "could not search for \"keeper\": the index is gone".to_owned();
    let usage = Usage::default();
    drive.tell(Input::Outcome {
        id,
        result: Outcome::Failed { kind: FailureKind::Deadline, error, usage },
    });
    drive.to_end();
    let driven = drive.into_driven();
    let find = |content| {
        let spans = spans_of(&driven.journal, content);
        let id = SpanId::of_effect(driven.run.id(), id);
        spans.into_iter().find(|span| span.span_id == id).unwrap()
    };
    let span = find(Content::LeftOut);
    assert_eq!((span.error, text(&span, "error.type").as_str()), (Some("timeout"), "timeout"));
    assert_eq!(span.message, None);
    assert!(find(Content::Scrubbed).message.unwrap().contains("the index is gone"));
}

#[test]
fn what_a_control_takes_out_is_dropped_and_what_waits_in_a_pause_is_begun_after_it() {
    let world = coast();
    let mut drive = Drive::begin(&world, ASKED, autonomous());
    drive.control(Control::Pause);
    let (id, effect) = {
        let mut other = Drive::begin(&world, ASKED, autonomous());
        let wanted = other.wanted().remove(0);
        other.advance();
        wanted
    };
    // It comes back in the pause, and what follows is asked for then.
    let result = drive.perform(&effect);
    drive.tell(Input::Outcome { id, result });
    assert_eq!(drive.run().step(), Step::Paused);
    drive.control(Control::Resume);
    let next = drive.wanted();
    assert!(!next.is_empty());
    drive.control(Control::Interrupt);
    assert_eq!(drive.run().step(), Step::Done);
    let driven = drive.into_driven();
    let spans = spans_of(&driven.journal, Content::LeftOut);
    let by_id = tree(&spans);
    for (id, _) in next {
        let span = by_id[&SpanId::of_effect(driven.run.id(), id)];
        assert_eq!(attribute(span, "elenchus.effect.dropped"), Some(&Value::Truth(true)));
    }
    let root = spans.last().unwrap();
    let controls = root.events.iter().filter(|event| event.name == "elenchus.control");
    assert_eq!(controls.count(), 3);
    assert_eq!(text(root, "elenchus.stop_reason"), "interrupted");
}

#[test]
fn no_text_of_a_run_stands_in_its_spans_unless_it_is_asked_for() {
    let driven = drive(&coast(), ASKED, autonomous());
    let told = |content| format!("{:?}", spans_of(&driven.journal, content)).to_lowercase();
    let without = told(Content::LeftOut);
    for word in ["lighthouse", "keeper", "gossip", "villager", "coast"] {
        assert!(!without.contains(word), "{word}");
    }
    let with = told(Content::Scrubbed);
    assert!(with.contains("lighthouse keeper earn") && with.contains("villager"));
}
