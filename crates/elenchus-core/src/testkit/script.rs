//! What the scripted model says when nothing else is scripted: a little real behaviour by shared words.

use super::world::coverage;
use crate::evidence::{ReadPassage, Span};
use crate::inquiry::gap::GapReason;
use crate::prompt::{
    Clarification, Complexity, Criticism, Distilled, Draft, DraftInput, DraftSection, FactRole,
    Facts, FactsInput, FallacyFindings, FollowUp, FollowUpInput, GapFinding, GapFindings, GapInput,
    Hypotheses, MetaAnalysis, ModelCall, ModelReply, Patches, Perspective, PerspectiveSynthesis,
    Plan, PlanInput, PlannedQuestion, ProposedFact, ProposedQuery, QueryStrategy, QuestionKind,
    QuestionNote, ReflectInput, Reflection, Severity,
};
use crate::text::{content_stems, is_stop_word, words};

/// The share of a question's words from which a sentence answers it.
const ANSWERS: f64 = 0.75;
/// The share from which it bears on it.
const BEARS: f64 = 0.34;

/// The question that a call is about, by which replies are scripted.
pub fn question_of(call: &ModelCall) -> &str {
    match call {
        ModelCall::Clarify(input) => &input.question,
        ModelCall::Plan(input) => &input.question,
        ModelCall::Reflect(input) => &input.question,
        ModelCall::ExtractFacts(input) => {
            input.questions.first().map_or("", |question| &question.text)
        }
        ModelCall::AnalyzeGaps(input) => input.gaps.first().map_or("", |gap| &gap.description),
        ModelCall::FollowUp(input) => &input.gap.description,
        ModelCall::Draft(input) => &input.question,
        ModelCall::Hypothesize(input) => &input.question,
        ModelCall::Critique(input) => &input.question,
        ModelCall::Revise(input) => &input.question,
        // Of one lens, so that each can be scripted.
        ModelCall::Perspective(input) => &input.lens.id,
        ModelCall::SynthesizePerspectives(input) => &input.question,
        ModelCall::MetaAnalysis(input) => &input.question,
        // A session has no question; it is scripted by its first line.
        ModelCall::Distill(input) => input.trace.lines().next().unwrap_or_default(),
        // Nor has a batch of texts.
        ModelCall::Fallacies(input) => input.sentences.first().map_or("", String::as_str),
    }
}

/// The default reply.
pub(super) fn default(call: &ModelCall) -> ModelReply {
    match call {
        // What is vague to a person is not told by words in common: questions are scripted or there are none.
        ModelCall::Clarify(_) => ModelReply::Clarify(Clarification::default()),
        ModelCall::Plan(input) => ModelReply::Plan(plan(input)),
        ModelCall::Reflect(input) => ModelReply::Reflect(reflect(input)),
        ModelCall::ExtractFacts(input) => ModelReply::ExtractFacts(facts(input)),
        ModelCall::AnalyzeGaps(input) => ModelReply::AnalyzeGaps(gaps(input)),
        ModelCall::FollowUp(input) => ModelReply::FollowUp(follow_up(input)),
        ModelCall::Draft(input) => ModelReply::Draft(draft(input)),
        // Words shared with the question explain nothing: explanations are scripted or there are none.
        ModelCall::Hypothesize(_) => ModelReply::Hypothesize(Hypotheses::default()),
        ModelCall::Critique(_) => ModelReply::Critique(Criticism::default()),
        ModelCall::Revise(_) => ModelReply::Revise(Patches::default()),
        // Nor do they see anything: what a lens sees is scripted or there is nothing.
        ModelCall::Perspective(_) => ModelReply::Perspective(Perspective::default()),
        ModelCall::SynthesizePerspectives(_) => {
            ModelReply::SynthesizePerspectives(PerspectiveSynthesis::default())
        }
        ModelCall::MetaAnalysis(_) => ModelReply::MetaAnalysis(MetaAnalysis::default()),
        ModelCall::Distill(_) => ModelReply::Distill(Distilled::default()),
        ModelCall::Fallacies(_) => ModelReply::Fallacies(FallacyFindings::default()),
    }
}

fn topic_words(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !is_stop_word(word)).collect()
}

/// One planned question for each part joined by "and" that says enough on its own.
fn plan(input: &PlanInput) -> Plan {
    let parts: Vec<&str> = input.question.split(" and ").collect();
    let stands_alone = parts.iter().all(|part| content_stems(part).len() >= 2);
    let texts = if stands_alone { parts } else { vec![input.question.as_str()] };
    let questions: Vec<PlannedQuestion> = texts
        .iter()
        .take(usize::from(input.max_questions))
        .zip(1..)
        .map(|(text, id)| {
            let text = text.trim().trim_end_matches('?').trim();
            PlannedQuestion {
                id,
                text: format!("{text}?"),
                rationale: format!("part {id} of \"{}\"", input.question),
                severity: Severity::Critical,
                depends_on: vec![],
                kind: QuestionKind::Lookup,
                expects: None,
                queries: vec![topic_words(text).join(" ")],
            }
        })
        .collect();
    let complexity = if questions.len() > 1 { Complexity::Moderate } else { Complexity::Simple };
    Plan { estimated_sources: questions.len() as u16, questions, complexity }
}

/// A sentence with its place.
struct Sentence<'a> {
    read: &'a ReadPassage,
    span: Span,
    text: String,
}

fn sentences(read: &ReadPassage) -> Vec<Sentence<'_>> {
    let mut all = Vec::new();
    let (mut start, mut text) = (0, String::new());
    for (at, c) in read.passage.text.chars().enumerate() {
        if text.is_empty() && c.is_whitespace() {
            start = at + 1;
            continue;
        }
        text.push(c);
        if matches!(c, '.' | '!' | '?') {
            all.push(Sentence {
                read,
                span: Span { start, end: at + 1 },
                text: std::mem::take(&mut text),
            });
            start = at + 1;
        }
    }
    if !text.trim().is_empty() {
        let end = start + text.chars().count();
        all.push(Sentence { read, span: Span { start, end }, text });
    }
    all
}

/// The sentences that bear on a question, best first.
fn bearing<'a>(question: &str, passages: &'a [ReadPassage]) -> Vec<(f64, Sentence<'a>)> {
    let mut found: Vec<(f64, Sentence<'a>)> = passages
        .iter()
        .flat_map(sentences)
        .map(|sentence| (coverage(question, &sentence.text), sentence))
        .filter(|(share, _)| *share >= BEARS)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

fn reflect(input: &ReflectInput) -> Reflection {
    let mut reflection = Reflection::default();
    for question in &input.open {
        let found = bearing(&question.text, &input.passages);
        let note = match found.first() {
            Some((share, best)) => format!(
                "{} holds {:.0} % of the words of \"{}\"",
                best.read.source.path,
                share * 100.0,
                question.text
            ),
            None => format!("no sentence read so far bears on \"{}\"", question.text),
        };
        reflection.notes.push(QuestionNote { question_id: question.id, note });
        if found.first().is_some_and(|(share, _)| *share >= ANSWERS) {
            reflection.answered_questions.push(question.id);
        } else {
            reflection.unanswered_questions.push(question.id);
        }
        for (_, sentence) in &found {
            let id = &sentence.read.passage.id;
            if !reflection.relevant_passage_ids.contains(id) {
                reflection.relevant_passage_ids.push(id.clone());
            }
        }
    }
    reflection.is_sufficient = reflection.unanswered_questions.is_empty();
    reflection
}

/// Words with a digit: what two sources may disagree about.
fn numbers(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| word.chars().any(|c| c.is_ascii_digit())).collect()
}

fn facts(input: &FactsInput) -> Facts {
    let mut facts = Vec::new();
    for question in &input.questions {
        let mut first: Option<Vec<String>> = None;
        for (share, sentence) in bearing(&question.text, &input.passages).into_iter().take(6) {
            let said = numbers(&sentence.text);
            let role = if share < ANSWERS {
                FactRole::Context
            } else {
                match &first {
                    Some(known) if *known != said => FactRole::Conflict,
                    _ => FactRole::Answer,
                }
            };
            if role == FactRole::Answer {
                first = Some(said);
            }
            facts.push(ProposedFact {
                bearing: None,
                question_id: question.id,
                passage_id: sentence.read.passage.id.clone(),
                span: sentence.span,
                value: None,
                role,
                polarity: None,
                likeness: None,
                unbound: vec![],
                warrant: format!("it holds the words of \"{}\"", question.text),
            });
        }
    }
    Facts { facts }
}

/// A gap is unavailable when a passage about it says "not public".
fn gaps(input: &GapInput) -> GapFindings {
    let findings = input
        .gaps
        .iter()
        .map(|gap| {
            let refusal = input.passages.iter().find(|read| {
                read.passage.text.contains("not public")
                    && coverage(&gap.description, &read.passage.text) >= BEARS
            });
            GapFinding {
                gap_id: gap.id.clone(),
                give_up: refusal.map(|_| GapReason::Unavailable),
                passage_id: refusal.map(|read| read.passage.id.clone()),
                reasoning: format!("\"{}\" is open after {} rounds", gap.description, input.round),
            }
        })
        .collect();
    GapFindings { findings }
}

/// One candidate a strategy, and one that was tried before, which code has to notice.
fn follow_up(input: &FollowUpInput) -> FollowUp {
    let topic = topic_words(&input.gap.description);
    let first = topic.first().cloned().unwrap_or_default();
    let last = topic.last().cloned().unwrap_or_default();
    let whole = topic.join(" ");
    let texts = [
        (QueryStrategy::Keywords, format!("{last} figure record")),
        (QueryStrategy::Angle, format!("{first} background announcement")),
        (QueryStrategy::Broader, format!("{first} overview")),
        (QueryStrategy::Narrower, format!("{whole} exact detail statement")),
        (QueryStrategy::TimeFocus, format!("{first} {last} latest year")),
    ];
    let repeat =
        input.gap.previous_queries.first().map(|query| (QueryStrategy::Keywords, query.clone()));
    let queries = repeat
        .into_iter()
        .chain(texts)
        .filter(|(strategy, _)| {
            input.unused_strategies.is_empty() || input.unused_strategies.contains(strategy)
        })
        .map(|(strategy, query)| ProposedQuery { query, strategy })
        .collect();
    FollowUp { queries, rationale: format!("other words for \"{}\"", input.gap.description) }
}

fn draft(input: &DraftInput) -> Draft {
    let answers = |id: u32| {
        input
            .facts
            .iter()
            .filter(move |fact| {
                fact.proposed.question_id == id && fact.proposed.role == FactRole::Answer
            })
            .map(|fact| fact.id.clone())
    };
    Draft {
        conclusion: input
            .questions
            .iter()
            .filter_map(|question| answers(question.id).next())
            .collect(),
        sections: input
            .questions
            .iter()
            .map(|question| DraftSection {
                heading: question.text.clone(),
                facts: answers(question.id).skip(1).collect(),
            })
            .filter(|section| !section.facts.is_empty())
            .collect(),
        ..Draft::default()
    }
}
