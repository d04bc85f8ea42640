//! Worlds: a golden one, made-up ones, and models that misbehave. And what must hold at the end of any run.

use elenchus_core::evidence::Span;
use elenchus_core::id::{FactId, GapId, PassageId, PointId, short_hash};
use elenchus_core::inquiry::gap::{GapReason, GapStatus};
use elenchus_core::inquiry::query::is_repeat;
use elenchus_core::inquiry::{Options, Reflecting, Run, Step};
use elenchus_core::port::{ModelFailure, Usage};
use elenchus_core::prompt::{
    Clarification, ClarifyingQuestion, Criticism, Distilled, Draft, FactRole, Facts,
    FallacyFindings, FollowUp, GapFinding, GapFindings, Hypotheses, InsightKind, MetaAnalysis,
    MetaSentence, ModelCall, ModelReply, Patches, Perspective, PerspectiveSynthesis, Plan,
    PlannedQuestion, PointStance, Prior, ProposedFact, ProposedGap, ProposedHypothesis,
    ProposedInsight, ProposedPoint, ProposedQuery, ProposedTension, QueryStrategy, QuestionKind,
    Reflection, Severity, ThoughtStage, ThoughtStep,
};
use elenchus_core::testkit::World;
use elenchus_core::trace::{Envelope, TraceEvent};
use proptest::prelude::*;

/// So many cases, or as many as `PROPTEST_CASES` says when that is more (the nightly campaign).
pub(crate) fn at_least(cases: u32) -> ProptestConfig {
    /// What the library takes where nobody says anything.
    const UNSAID: u32 = 256;
    let default = ProptestConfig::default();
    let asked = if default.cases == UNSAID { 0 } else { default.cases };
    ProptestConfig { cases: asked.max(cases), failure_persistence: None, ..default }
}

pub(crate) const QUESTION: &str = "How far does the harbour tide rise in spring and which salary does the lighthouse keeper draw?";

pub(crate) fn harbour() -> World {
    World::new("harbour")
        .document(
            "tides.md",
            "# Tides\n\nThe harbour tide can rise 4 metres far into spring.\n\nBoats wait outside.",
        )
        .document("gauge.md", "# Gauge\n\nIn spring the harbour tide will rise far, by 5 metres.")
        .document(
            "light.md",
            "# Light\n\nThe lighthouse has a keeper.\n\nA keeper repairs the lamp.",
        )
        .document(
            "town.md",
            "# Town\n\nThe lighthouse announcement was an overview.\n\nThe latest year was dry.",
        )
}

/// Every search finds something unread, and none of it ever answers.
pub(crate) fn endless_noise() -> World {
    (0..40).fold(World::new("noise"), |world, n| {
        world.document(
            &format!("n{n}.md"),
            &format!("Lighthouse rumour {n} without substance.\n\nKeeper gossip {n} overview background figure record."),
        )
    })
}

pub(crate) fn autonomous() -> Options {
    Options { autonomous: true, ..Options::default() }
}

const WORDS: [&str; 28] = [
    "harbour",
    "tide",
    "lighthouse",
    "keeper",
    "salary",
    "lamp",
    "ferry",
    "captain",
    "island",
    "bridge",
    "toll",
    "mayor",
    "budget",
    "school",
    "garden",
    "statue",
    "engine",
    "copper",
    "mill",
    "1912",
    "340",
    "Halden",
    "Osterby",
    "storm",
    "winter",
    "contract",
    "museum",
    "orchard",
];

fn phrase(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), words).prop_map(|words| words.join(" "))
}

/// A question of one to three parts.
pub(crate) fn question() -> impl Strategy<Value = String> {
    prop::collection::vec(phrase(2..5), 1..4)
        .prop_map(|parts| format!("What of {}?", parts.join(" and ")))
}

/// Documents as texts; `None` as a whole stands for a world that finds nothing.
pub(crate) fn documents() -> impl Strategy<Value = Option<Vec<String>>> {
    let paragraph = (phrase(3..9), prop::bool::weighted(0.1)).prop_map(|(text, secret)| {
        if secret { format!("The {text} is not public.") } else { format!("The {text}.") }
    });
    let document =
        prop::collection::vec(paragraph, 1..6).prop_map(|paragraphs| paragraphs.join("\n\n"));
    prop::option::weighted(0.9, prop::collection::vec(document, 1..9))
}

/// A world of such documents. A `chaos` above 0 makes the model misbehave in that share (of 100) of its replies.
pub(crate) fn world(documents: Option<Vec<String>>, chaos: u8, seed: u64) -> World {
    let world = match documents {
        None => World::nothing_ever(),
        Some(texts) => texts.iter().enumerate().fold(World::new("made up"), |world, (n, text)| {
            world.document(&format!("d{n}.md"), text)
        }),
    };
    world.script(move |call| misbehave(call, chaos, seed))
}

/// Some number below `below` that depends on everything it is given.
fn draw(call: &ModelCall, seed: u64, salt: &str, below: u64) -> u64 {
    let text = format!("{seed} {salt} {}", serde_json::to_string(call).unwrap());
    u64::from_str_radix(&short_hash(text.as_bytes(), 12), 16).unwrap() % below
}

fn misbehave(call: &ModelCall, chaos: u8, seed: u64) -> Option<Result<ModelReply, ModelFailure>> {
    if draw(call, seed, "whether", 100) >= u64::from(chaos) {
        return None;
    }
    let gap = |description: &str, question_ids: Vec<u32>| ProposedGap {
        description: description.to_owned(),
        question_ids,
        severity: Severity::Critical,
        suggested_action: None,
    };
    let fact = |passage: &str, start: usize, end: usize| ProposedFact {
        bearing: None,
        question_id: 1,
        passage_id: PassageId::from(passage),
        span: Span { start, end },
        value: Some(Span { start: 5, end: 2 }),
        role: FactRole::Answer,
        polarity: None,
        likeness: None,
        unbound: vec![],
        warrant: "none".to_owned(),
    };
    Some(Ok(match draw(call, seed, "how", 5) {
        0 => {
            return Some(Err(ModelFailure {
                model: "chaos".to_owned(),
                attempted: format!("answer {}", call.prompt()),
                cause: "it would not".to_owned(),
                permanent: false,
                usage: Usage { input_tokens: 90, output_tokens: 0, cost_micro_usd: 5 },
                reply: None,
            }));
        }
        // A reply to something else.
        1 => match call {
            ModelCall::Plan(_) => ModelReply::Draft(Draft::default()),
            _ => ModelReply::Plan(Plan::default()),
        },
        // Nothing.
        2 => match call {
            ModelCall::Plan(_) => ModelReply::Plan(Plan::default()),
            ModelCall::Reflect(_) => ModelReply::Reflect(Reflection::default()),
            ModelCall::ExtractFacts(_) => ModelReply::ExtractFacts(Facts::default()),
            ModelCall::AnalyzeGaps(_) => ModelReply::AnalyzeGaps(GapFindings::default()),
            ModelCall::FollowUp(_) => ModelReply::FollowUp(FollowUp::default()),
            ModelCall::Draft(_) => ModelReply::Draft(Draft::default()),
            ModelCall::Hypothesize(_) => ModelReply::Hypothesize(Hypotheses::default()),
            ModelCall::Critique(_) => ModelReply::Critique(Criticism::default()),
            ModelCall::Revise(_) => ModelReply::Revise(Patches::default()),
            ModelCall::Perspective(_) => ModelReply::Perspective(Perspective::default()),
            ModelCall::SynthesizePerspectives(_) => {
                ModelReply::SynthesizePerspectives(PerspectiveSynthesis::default())
            }
            ModelCall::MetaAnalysis(_) => ModelReply::MetaAnalysis(MetaAnalysis::default()),
            ModelCall::Distill(_) => ModelReply::Distill(Distilled::default()),
            ModelCall::Fallacies(_) => ModelReply::Fallacies(FallacyFindings::default()),
            ModelCall::Clarify(_) => ModelReply::Clarify(Clarification::default()),
        },
        // Claims about what does not exist.
        _ => match call {
            ModelCall::Plan(input) => ModelReply::Plan(Plan {
                questions: (0..20)
                    .map(|n| PlannedQuestion {
                        id: n % 3,
                        text: format!("{} {}", input.question, WORDS[(n as usize) % WORDS.len()]),
                        rationale: format!("because of {}", input.question),
                        severity: Severity::Minor,
                        depends_on: vec![n, 7, 0],
                        kind: QuestionKind::Survey,
                        expects: Some("money".to_owned()),
                        queries: vec![String::new(), " ".to_owned(), "of the".to_owned()],
                    })
                    .collect(),
                ..Plan::default()
            }),
            ModelCall::Reflect(_) => ModelReply::Reflect(Reflection {
                is_sufficient: true,
                answered_questions: vec![1, 1, 99],
                relevant_passage_ids: vec![PassageId::from("src_none#0")],
                new_gaps_identified: vec![
                    gap("", vec![]),
                    gap("the ferry captain's contract", vec![1, 99]),
                    gap("what the ferry captain's contract says", vec![]),
                ],
                ..Reflection::default()
            }),
            ModelCall::ExtractFacts(input) => {
                let id = input.passages[0].passage.id.as_str();
                let facts = vec![
                    fact("src_none#0", 0, 3),
                    fact(id, 9, 2),
                    fact(id, 0, 100_000),
                    fact(id, 0, 3),
                ];
                ModelReply::ExtractFacts(Facts { facts })
            }
            ModelCall::AnalyzeGaps(_) => ModelReply::AnalyzeGaps(GapFindings {
                findings: ["g1", "g99"]
                    .iter()
                    .map(|id| GapFinding {
                        gap_id: GapId::from(*id),
                        give_up: Some(GapReason::Unavailable),
                        passage_id: Some(PassageId::from("src_none#0")),
                        reasoning: "so it is said".to_owned(),
                    })
                    .collect(),
            }),
            ModelCall::FollowUp(input) => ModelReply::FollowUp(FollowUp {
                queries: input
                    .gap
                    .previous_queries
                    .iter()
                    .cloned()
                    .chain([String::new(), "\u{0}".to_owned(), "storm winter".to_owned()])
                    .map(|query| ProposedQuery { query, strategy: QueryStrategy::Angle })
                    .collect(),
                rationale: String::new(),
            }),
            ModelCall::Draft(_) => ModelReply::Draft(Draft {
                conclusion: vec![FactId::from("f99"), FactId::from("f1"), FactId::from("f1")],
                sections: vec![],
                thinking: vec![ThoughtStep {
                    step: ThoughtStage::Tensions,
                    text: "storm".to_owned(),
                    facts: vec![FactId::from("f99"), FactId::from("f1")],
                }],
                insights: InsightKind::ALL
                    .iter()
                    .map(|kind| ProposedInsight {
                        kind: *kind,
                        text: "storm winter".to_owned(),
                        facts: ["f99", "f1", "f2", "f3"].map(FactId::from).to_vec(),
                    })
                    .collect(),
            }),
            ModelCall::Critique(_) => ModelReply::Critique(crate::critique::wild_criticism()),
            ModelCall::Revise(_) => ModelReply::Revise(crate::critique::wild_patches()),
            ModelCall::Clarify(_) => ModelReply::Clarify(Clarification {
                vague: true,
                questions: ["", "which?", "which?", "\u{0}"]
                    .iter()
                    .map(|text| ClarifyingQuestion {
                        text: (*text).to_owned(),
                        why: String::new(),
                        choices: vec![String::new(), "storm".to_owned()],
                    })
                    .collect(),
            }),
            ModelCall::Hypothesize(input) => ModelReply::Hypothesize(Hypotheses {
                hypotheses: [
                    "",
                    " ",
                    "storm",
                    "Storm",
                    "not storm",
                    &input.question,
                    "a",
                    "b",
                    "c",
                ]
                .iter()
                .map(|claim| ProposedHypothesis {
                    claim: (*claim).to_owned(),
                    prior: Prior::Likely,
                    queries_for: vec![String::new(), "of the".to_owned(), input.question.clone()],
                    queries_against: vec!["\u{0}".to_owned(), "storm winter".to_owned()],
                })
                .collect(),
            }),
            ModelCall::Perspective(_) => ModelReply::Perspective(Perspective {
                points: [
                    ("", "f1"),
                    ("They say \u{202E}so.", "f99"),
                    ("Perhaps.", "f1"),
                    ("perhaps", "f1"),
                ]
                .iter()
                .map(|(statement, fact)| ProposedPoint {
                    statement: (*statement).to_owned(),
                    stance: PointStance::Opposes,
                    facts: vec![FactId::from("f99"), FactId::from(*fact), FactId::from(*fact)],
                })
                .collect(),
                would_change: "\u{0}".to_owned(),
            }),
            ModelCall::SynthesizePerspectives(_) => {
                let points = || ["v1", "v1", "v99", "v2"].map(PointId::from).to_vec();
                ModelReply::SynthesizePerspectives(PerspectiveSynthesis {
                    groups: vec![vec![], points()],
                    tensions: vec![ProposedTension { points: points(), why: String::new() }],
                    unique: points(),
                })
            }
            ModelCall::MetaAnalysis(_) => ModelReply::MetaAnalysis(MetaAnalysis {
                sentences: [("", "v1"), ("It is so.", "v99"), ("It is so.", "v1")]
                    .iter()
                    .map(|(text, point)| MetaSentence {
                        text: (*text).to_owned(),
                        points: vec![PointId::from(*point), PointId::from("v1")],
                    })
                    .collect(),
            }),
            // No run asks for it.
            ModelCall::Distill(_) => ModelReply::Distill(Distilled::default()),
            ModelCall::Fallacies(_) => ModelReply::Fallacies(FallacyFindings::default()),
        },
    }))
}

/// What holds at the end of every run, whatever happened in it.
pub(crate) fn sound_end(run: &Run, trace: &[Envelope]) {
    let view = run.view();
    assert_eq!(run.step(), Step::Done);
    let answer = view.answer().expect("every run ends with an answer");
    assert_eq!(view.stop_reason(), Some(answer.stop_reason));
    assert!(
        view.audit().iter().all(|note| note.severity < elenchus_core::answer::AuditSeverity::Error),
        "{:?}",
        view.audit()
    );
    for gap in view.gaps().gaps() {
        match gap.status {
            GapStatus::Active => {
                panic!("{} \"{}\" is still open at the end", gap.id, gap.description)
            }
            GapStatus::Resolved => {}
            GapStatus::Abandoned => {
                assert!(gap.reason.is_some(), "{} was given up without a reason", gap.id);
                assert!(
                    answer.could_not_establish.iter().any(|missing| missing.gap_id == gap.id),
                    "{} is not disclosed",
                    gap.id
                );
            }
        }
    }
    for question in &view.plan().questions {
        let gap = view.gaps().for_question(question.id);
        assert!(gap.is_some(), "nothing stands for question {} \"{}\"", question.id, question.text);
    }
    assert!(!view.gaps().gaps().is_empty(), "a run that looked for nothing");
    assert!(
        trace.iter().map(|event| event.seq).eq(1..=trace.len() as u64),
        "events are dense from 1"
    );
    let ends = trace
        .iter()
        .filter(|event| matches!(event.event, TraceEvent::SessionCompleted { .. }))
        .count();
    assert_eq!(ends, 1);
    assert!(matches!(trace.last().unwrap().event, TraceEvent::SessionCompleted { .. }));
    let queries: Vec<&String> = trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::RoundStarted { queries, .. } => Some(queries),
            _ => None,
        })
        .flatten()
        .collect();
    let remembers = !trace.iter().any(|event| {
        matches!(&event.event, TraceEvent::SessionStarted { options, .. }
            if options.reflection == Reflecting::SingleStep)
    });
    for (at, query) in queries.iter().enumerate().filter(|_| remembers) {
        for earlier in &queries[..at] {
            assert!(!is_repeat(earlier, query), "\"{query}\" was tried as \"{earlier}\"");
        }
    }
    // Every action is followed by what came of it, unless a control took it back.
    let controlled =
        trace.iter().any(|event| matches!(event.event, TraceEvent::ControlReceived(_)));
    let observed: Vec<_> = trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::ReasoningObservation(observation) => Some(observation.action_id),
            _ => None,
        })
        .collect();
    for event in trace {
        if let TraceEvent::ReasoningAction(action) = &event.event
            && !controlled
        {
            assert!(
                observed.contains(&action.id),
                "nothing is said about what came of {} ({})",
                action.id,
                action.action
            );
        }
    }
}
