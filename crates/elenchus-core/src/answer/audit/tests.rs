//! An answer that is sound, and one of each kind that is not.

use super::{AuditNote, AuditNoteKind, Grounds, audit};
use crate::answer::types::{Answer, Verdict};
use crate::evidence::Span;
use crate::id::PassageId;
use crate::inquiry::{Derivations, Options};
use crate::prompt::{FactRole, Facts, FactsInput, ModelCall, ModelReply, ProposedFact};
use crate::testkit::{Driven, World, drive};

/// Every kind that there is; `broken` names them all.
const KINDS: [AuditNoteKind; 11] = [
    AuditNoteKind::ClaimWithoutEvidence,
    AuditNoteKind::QuoteNotInPassage,
    AuditNoteKind::ClaimDiffersFromQuote,
    AuditNoteKind::SpanMismatch,
    AuditNoteKind::AbandonedGapNotDisclosed,
    AuditNoteKind::CitationToUnreadSource,
    AuditNoteKind::CitationNumber,
    AuditNoteKind::StatementWithoutClaim,
    AuditNoteKind::ValueNotInQuote,
    AuditNoteKind::ConflictNotMentioned,
    AuditNoteKind::Unchecked,
];

/// Breaks an answer so that a note of this kind is due.
fn broken(answer: &mut Answer, kind: AuditNoteKind) {
    let in_text = |answer: &mut Answer, from: &str, to: &str| {
        assert!(answer.text.contains(from), "{}", answer.text);
        assert_eq!(from.chars().count(), to.chars().count(), "spans stay as they are");
        answer.text = answer.text.replacen(from, to, 1);
    };
    match kind {
        AuditNoteKind::ClaimWithoutEvidence => answer.claims[0].evidence.clear(),
        AuditNoteKind::QuoteNotInPassage => answer.evidence[0].span.end -= 1,
        AuditNoteKind::ClaimDiffersFromQuote => answer.claims[0].text.push('!'),
        AuditNoteKind::SpanMismatch => answer.claims[0].source_span.start += 1,
        AuditNoteKind::AbandonedGapNotDisclosed => answer.could_not_establish.clear(),
        AuditNoteKind::CitationToUnreadSource => {
            answer.evidence[0].passage_id = PassageId::from("src_none#0");
        }
        AuditNoteKind::CitationNumber => in_text(answer, "[1]", "[9]"),
        AuditNoteKind::StatementWithoutClaim => {
            answer.text.push_str("\nThe pier belongs to the crown.\n");
        }
        AuditNoteKind::ValueNotInQuote => in_text(answer, "**40 boats**", "**49 boats**"),
        AuditNoteKind::ConflictNotMentioned => answer.conflicts.clear(),
        AuditNoteKind::Unchecked => {
            answer.claims[0].verdict = Verdict::Unchecked { reason: "no time".to_owned() };
        }
    }
}

/// Two documents that disagree about one question and say nothing about the other.
fn finished() -> Driven {
    let world = World::new("pier")
        .document("pier.md", "# Pier\n\nThe pier is old. 40 boats moor at the pier.")
        .document("gauge.md", "# Gauge\n\n52 boats moor at the pier.")
        .script(|call| match call {
            ModelCall::ExtractFacts(input) => Some(Ok(ModelReply::ExtractFacts(facts(input)))),
            _ => None,
        });
    let question = "Which boats moor at the pier and who has the lighthouse bell?";
    drive(&world, question, Options::default())
}

fn facts(input: &FactsInput) -> Facts {
    let of = |words: &str, role: FactRole| {
        let read = input.passages.iter().find(|read| read.passage.text.contains(words))?;
        let start = read.passage.text.find(words)?;
        Some(ProposedFact {
            question_id: 1,
            passage_id: read.passage.id.clone(),
            span: Span { start, end: read.passage.text.len() },
            value: Some(Span { start, end: start + words.len() }),
            role,
            polarity: None,
            bearing: None,
            likeness: None,
            unbound: vec![],
            warrant: "it says how many".to_owned(),
        })
    };
    let all = [of("40 boats", FactRole::Answer), of("52 boats", FactRole::Conflict)];
    Facts { facts: all.into_iter().flatten().collect() }
}

fn answer_of(driven: &Driven) -> Answer {
    driven.run.view().answer().expect("a run ends with an answer").clone()
}

fn notes(driven: &Driven, answer: &Answer) -> Vec<AuditNote> {
    audit(answer, &driven.run.view().grounds())
}

#[test]
fn every_kind_is_found_where_it_is_due() {
    let driven = finished();
    let sound = answer_of(&driven);
    assert_eq!(sound.claims.len(), 2, "{}", sound.text);
    let found = notes(&driven, &sound);
    assert!(found.is_empty(), "{found:?}\n{}", sound.text);
    for kind in KINDS {
        let mut answer = sound.clone();
        broken(&mut answer, kind);
        let found = notes(&driven, &answer);
        assert!(found.iter().any(|note| note.kind == kind), "{kind:?}: {found:?}");
    }
}

#[test]
fn a_document_that_nothing_cites_has_no_place_among_the_sources() {
    let driven = finished();
    let mut answer = answer_of(&driven);
    let mut unused = answer.sources[0].clone();
    unused.number = 7;
    answer.sources.push(unused);
    assert_eq!(notes(&driven, &answer)[0].kind, AuditNoteKind::CitationNumber);
    // A quote whose document has no entry is one of its own.
    answer.sources.clear();
    let quoted = answer.evidence[0].passage_id.as_str();
    let found = notes(&driven, &answer);
    assert!(found.iter().any(|note| note.at == quoted), "{found:?}");
}

#[test]
fn words_beside_a_claim_are_read_too() {
    let driven = finished();
    let sound = answer_of(&driven);
    let changed = |from: &str, to: &str| {
        let mut answer = sound.clone();
        assert!(answer.text.contains(from), "{}", answer.text);
        answer.text = answer.text.replacen(from, to, 1);
        notes(&driven, &answer).into_iter().map(|note| note.kind).collect::<Vec<_>>()
    };
    // As long as what stood there, so that nothing else is wrong.
    let before = changed("**40 boats** \u{2014} ", "There are 9 or ");
    assert_eq!(before, [AuditNoteKind::StatementWithoutClaim]);
    let other = changed("[1]", "[2]");
    assert_eq!(other, [AuditNoteKind::CitationNumber], "it is the other document's");
    let line = changed("The sources disagree:", "The sources are fine:");
    assert_eq!(line, [AuditNoteKind::StatementWithoutClaim]);
}

#[test]
fn a_run_of_earlier_rules_is_linted_by_those() {
    let driven = finished();
    let mut answer = answer_of(&driven);
    broken(&mut answer, AuditNoteKind::StatementWithoutClaim);
    let of_now = driven.run.view().grounds();
    let earlier = Grounds { rules: Derivations::FOURTH, ..of_now };
    assert_eq!((audit(&answer, &of_now).len(), audit(&answer, &earlier).len()), (1, 0));
}
