//! Runs to show, made by driving core's scripted worlds.

use elenchus_core::id::{ClaimId, PointId, RunId};
use elenchus_core::inquiry::Options;
use elenchus_core::journal::{GENESIS, SealedRecord};
use elenchus_core::measure::Explained;
use elenchus_core::port::Store;
use elenchus_core::prompt::{
    Criticism, Draft, DraftSection, FactRole, Hypotheses, InsightKind, MetaAnalysis, MetaSentence,
    ModelCall, ModelReply, Patches, Perspective, PerspectiveSynthesis, PointStance, Prior,
    ProposedFinding, ProposedHypothesis, ProposedInsight, ProposedPoint, ProposedTension, Severity,
};
use elenchus_core::scrutiny::critique::FindingKind;
use elenchus_core::scrutiny::revision::{Patch, PatchOp};
use elenchus_core::synthesis::insight::{Insight, WordedBy};
use elenchus_core::testkit::{Driven, World, drive};
use elenchus_core::trace::{Envelope, TraceEvent};

pub(crate) const QUESTION: &str = "How far does the harbour tide rise in spring and which salary does the lighthouse keeper draw?";

fn documents() -> World {
    World::new("harbour")
        .document(
            "almanac/tides.md",
            "# Tides of the harbour\n\nby: R. Maddock\n\nThe harbour tide can rise 4 metres far into spring.\n\nBoats wait outside until it turns.",
        )
        .document("gauge.md", "# Gauge book\n\nIn spring the harbour tide will rise far, by 5 metres.")
        .document("light.md", "# The light\n\nThe lighthouse has a keeper.\n\nA keeper repairs the lamp.")
        .document("town.md", "# Town\n\nThe lighthouse announcement was an overview.\n\nThe latest year was dry.")
}

fn options() -> Options {
    Options {
        autonomous: true,
        hypotheses: true,
        critique: true,
        insights: true,
        lenses: ["skeptical", "charitable", "neutral"].map(str::to_owned).to_vec(),
        ..Options::default()
    }
}

fn hypotheses() -> Hypotheses {
    let one = |claim: &str, prior, searches: [&str; 2]| ProposedHypothesis {
        claim: claim.to_owned(),
        prior,
        queries_for: vec![searches[0].to_owned()],
        queries_against: vec![searches[1].to_owned()],
    };
    Hypotheses {
        hypotheses: vec![
            one(
                "The harbour tide can rise 4 metres in spring.",
                Prior::Likely,
                ["harbour tide rise 4 metres", "gauge tide 5 metres"],
            ),
            one(
                "The harbour tide will rise by 5 metres in spring.",
                Prior::Possible,
                ["gauge spring 5 metres", "tide almanac 4 metres"],
            ),
            one(
                "The harbour tide does not rise far in spring.",
                Prior::Unlikely,
                ["tide low spring dry", "tide rise far spring"],
            ),
        ],
    }
}

fn point(
    call: &elenchus_core::prompt::PerspectiveInput,
    statement: &str,
    stance: PointStance,
    words: &str,
) -> ProposedPoint {
    let facts = call
        .facts
        .iter()
        .filter(|fact| fact.quote.contains(words))
        .map(|fact| fact.id.clone())
        .collect();
    ProposedPoint { statement: statement.to_owned(), stance, facts }
}

fn says(call: &ModelCall) -> Option<ModelReply> {
    let points = |names: &[&str]| -> Vec<PointId> {
        names.iter().map(|name| PointId::from(*name)).collect()
    };
    Some(match call {
        ModelCall::Hypothesize(_) => ModelReply::Hypothesize(hypotheses()),
        ModelCall::Perspective(input) => ModelReply::Perspective(Perspective {
            points: match input.lens.id.as_str() {
                "skeptical" => vec![
                    point(
                        input,
                        "In spring the tide will rise far, by 5 metres.",
                        PointStance::Opposes,
                        "5 metres",
                    ),
                    point(
                        input,
                        "The harbour tide can rise 4 metres.",
                        PointStance::Qualifies,
                        "4 metres",
                    ),
                ],
                "charitable" => vec![point(
                    input,
                    "The tide can rise 4 metres far into spring.",
                    PointStance::Supports,
                    "4 metres",
                )],
                _ => vec![
                    point(
                        input,
                        "The harbour tide can rise far into spring.",
                        PointStance::Supports,
                        "4 metres",
                    ),
                    point(
                        input,
                        "Gulls sleep upon wooden ledges.",
                        PointStance::Qualifies,
                        "5 metres",
                    ),
                ],
            },
            would_change: "A second gauge, read over a whole spring.".to_owned(),
        }),
        ModelCall::SynthesizePerspectives(_) => {
            ModelReply::SynthesizePerspectives(PerspectiveSynthesis {
                groups: vec![points(&["v3", "v4"])],
                tensions: vec![ProposedTension {
                    points: points(&["v1", "v3"]),
                    why: "Whether one gauge is enough.".to_owned(),
                }],
                unique: points(&["v5"]),
            })
        }
        ModelCall::MetaAnalysis(_) => ModelReply::MetaAnalysis(MetaAnalysis {
            sentences: vec![MetaSentence {
                text: "The height is where the lenses part.".to_owned(),
                points: points(&["v1", "v3"]),
            }],
        }),
        ModelCall::Critique(_) => ModelReply::Critique(Criticism {
            findings: vec![
                ProposedFinding {
                    kind: FindingKind::Fallacy,
                    severity: Severity::Important,
                    claim_id: Some(ClaimId::from("c1")),
                    span: None,
                    text: "From one spring it concludes to every spring: a hasty generalisation."
                        .to_owned(),
                    queries: vec![],
                },
                ProposedFinding {
                    kind: FindingKind::Overstatement,
                    severity: Severity::Minor,
                    claim_id: Some(ClaimId::from("c2")),
                    span: None,
                    text: "The gauge book speaks of one spring only.".to_owned(),
                    queries: vec![],
                },
            ],
            alternatives: vec![
                "The two figures may stand for two places of the harbour.".to_owned(),
            ],
            leans: Some("towards the almanac".to_owned()),
            replies: vec![],
        }),
        ModelCall::Revise(_) => ModelReply::Revise(Patches {
            patches: vec![Patch {
                finding: "x1".to_owned(),
                op: PatchOp::DropClaim { claim_id: ClaimId::from("c2") },
            }],
        }),
        ModelCall::Draft(input) => {
            let of = |role| {
                input
                    .facts
                    .iter()
                    .filter(|fact| fact.proposed.role == role)
                    .map(|fact| fact.id.clone())
                    .collect::<Vec<_>>()
            };
            let all: Vec<_> = input.facts.iter().map(|fact| fact.id.clone()).collect();
            ModelReply::Draft(Draft {
                conclusion: of(FactRole::Answer),
                sections: vec![DraftSection {
                    heading: "What the books say".to_owned(),
                    facts: all.clone(),
                }],
                thinking: vec![],
                insights: vec![ProposedInsight {
                    kind: InsightKind::CrossRef,
                    text: "The almanac and the gauge book measure one tide by two marks."
                        .to_owned(),
                    facts: all,
                }],
            })
        }
        _ => return None,
    })
}

/// A run with something in every view.
pub(crate) fn rich() -> Driven {
    drive(&documents().judged().script(|call| says(call).map(Ok)), QUESTION, options())
}

/// A connection that stands out, as code finds them in larger folders than a fixture's.
pub(crate) fn insight() -> Insight {
    Insight {
        id: "i1".into(),
        kind: InsightKind::CrossRef,
        description: "The almanac and the gauge book measure one tide by two marks.".to_owned(),
        worded_by: WordedBy::Model,
        rule: "two documents that were never cited together".to_owned(),
        supporting: vec![],
        novelty: 0.8,
        explained: Explained::new("novelty", 0.8, "how rarely its sources meet"),
        feedback: None,
    }
}

/// A run whose every text tries to be markup.
pub(crate) fn hostile() -> Driven {
    let payload = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'><svg/onload=alert(3)> javascript:alert(4)";
    let world = World::new(&format!("folder {payload}"))
        .document(
            "<b onmouseover=alert(5)>.md",
            &format!(
                "# {payload}\n\nThe harbour tide can rise 4 metres far into spring {payload}."
            ),
        )
        .judged();
    drive(
        &world,
        &format!("How far does the harbour tide rise in spring {payload}?"),
        Options { autonomous: true, ..Options::default() },
    )
}

/// The trace of a run with so many events at least: thoughts, actions and what came of them, over and over.
pub(crate) fn long(events: usize) -> Vec<Envelope> {
    let trace = rich().trace;
    let telling = |event: &TraceEvent| {
        matches!(
            event,
            TraceEvent::ReasoningThought(_)
                | TraceEvent::ReasoningAction(_)
                | TraceEvent::ReasoningObservation(_)
        )
    };
    let (end, begin): (Vec<_>, Vec<_>) = trace.into_iter().partition(|one| {
        matches!(
            one.event,
            TraceEvent::AnswerCompleted { .. } | TraceEvent::SessionCompleted { .. }
        )
    });
    let again: Vec<Envelope> = begin.iter().filter(|one| telling(&one.event)).cloned().collect();
    let more = events.saturating_sub(begin.len() + end.len());
    let mut out: Vec<Envelope> =
        begin.into_iter().chain(again.into_iter().cycle().take(more)).chain(end).collect();
    for (seq, one) in (1..).zip(&mut out) {
        one.seq = seq;
    }
    out
}

/// Keeps a run that is over, with so many events at least, and gives its id. All of them come with the last record of its journal.
pub(crate) async fn keep_long(store: &dyn Store, events: usize) -> RunId {
    let (driven, trace) = (rich(), long(events));
    let run = trace[0].run_id.clone();
    let mut previous = GENESIS.to_owned();
    let mut records: Vec<SealedRecord> = Vec::new();
    for record in &driven.journal {
        let sealed = record.seal(&previous);
        previous.clone_from(&sealed.hash);
        records.push(sealed);
    }
    let last = records.len() - 1;
    records[last].ended = trace.iter().rev().find_map(|one| match &one.event {
        TraceEvent::SessionCompleted { stop_reason, .. } => Some(stop_reason.name().to_owned()),
        _ => None,
    });
    let lease = store.create(&run, QUESTION, &records[0], &[], "a test", 60_000).await.unwrap();
    for (at, record) in records.iter().enumerate().skip(1) {
        let events: &[Envelope] = if at == last { &trace } else { &[] };
        store.append(&lease, record, events).await.unwrap();
    }
    store.release(&lease).await.unwrap();
    run
}
