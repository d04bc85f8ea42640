//! Reading the replies to the calls.

use super::defect::{DefectKind, Defects, Parsed};
use super::file::PromptFile;
use super::fragment::Shown;
use super::perspectives::read as lens;
use super::safe::is_address;
use super::shape::{Field, Shape};
use super::{
    Complexity, DistillInput, DraftInput, FallacyFindings, FollowUp, FollowUpInput, GapFinding,
    GapFindings, GapInput, ModelCall, ModelReply, Plan, PlanInput, PlannedQuestion, ProposedGap,
    ProposedQuery, QueryStrategy, QuestionNote, ReflectInput, Reflection, Severity, clarify,
    critique, distill, fallacies, json, locate, marks, read_draft, read_facts, read_hypotheses,
    revise,
};
use serde_json::Value;
use std::collections::BTreeSet;

const SEVERITIES: &[&str] = &["critical", "important", "minor"];
const STRATEGIES: &[&str] = &["keywords", "angle", "broader", "narrower", "time_focus"];

/// Longest sentence of a model that is kept.
pub(super) const SENTENCE: usize = 400;

/// What the reply to a call must look like.
pub(super) fn shape(call: &ModelCall) -> Shape {
    match call {
        ModelCall::Clarify(_) => clarify::shape(),
        ModelCall::Plan(input) => plan_shape(input),
        ModelCall::Reflect(input) => reflect_shape(input),
        ModelCall::ExtractFacts(input) => read_facts::shape(input),
        ModelCall::AnalyzeGaps(input) => gaps_shape(input),
        ModelCall::FollowUp(_) => follow_up_shape(),
        ModelCall::Draft(input) => read_draft::shape(input),
        ModelCall::Hypothesize(input) => read_hypotheses::shape(input),
        ModelCall::Critique(input) => critique::shape(input),
        ModelCall::Revise(input) => revise::shape(input),
        ModelCall::Perspective(input) => lens::perspective_shape(input),
        ModelCall::SynthesizePerspectives(input) => lens::synthesize_shape(input),
        ModelCall::MetaAnalysis(input) => lens::meta_shape(input),
        // Its reply is no JSON: `schema` and `read` look at the call before they look here.
        ModelCall::Distill(_) => Shape::Object(Vec::new()),
        ModelCall::Fallacies(input) => fallacies::shape(input),
    }
}

/// The schema that is sent with a call; null where the reply is no JSON.
pub(super) fn schema(call: &ModelCall) -> Value {
    match call {
        ModelCall::Distill(_) => Value::Null,
        other => shape(other).schema(),
    }
}

/// Reads the reply to a call that showed these passages.
pub(super) fn read(call: &ModelCall, shown: &Shown, file: &PromptFile, text: &str) -> Parsed {
    if let ModelCall::Distill(input) = call {
        return strategies(input, file, text);
    }
    if let ModelCall::Fallacies(input) = call {
        let found = fallacies::read(input, file.room(), text);
        let reply = found.findings.map(|findings| FallacyFindings { findings });
        return Parsed { reply: reply.map(ModelReply::Fallacies), defects: found.defects };
    }
    let shape = shape(call);
    // Only a draft is asked to think aloud.
    let (plain, marks) = match call {
        ModelCall::Draft(_) => marks::split(text, &shape),
        _ => (text.to_owned(), marks::Marks::default()),
    };
    let mut reading = json::read(&plain, &shape);
    if reading.value.is_none() && !marks.is_empty() {
        // The reply may stand inside what looked like a thought.
        reading = json::read(text, &shape);
    }
    let mut defects = reading.defects;
    let value = reading.value.filter(|value| {
        let echo = repeats_example(value, file);
        if echo {
            let what = "it repeats the example of the prompt, which is about something else";
            defects.add(DefectKind::PromptEcho, "reply", what);
        }
        !echo
    });
    let reply = value.and_then(|value| match call {
        ModelCall::Clarify(_) => clarify::read(&value, &mut defects).map(ModelReply::Clarify),
        ModelCall::Plan(input) => plan(input, &value, &mut defects).map(ModelReply::Plan),
        ModelCall::Reflect(input) => {
            Some(ModelReply::Reflect(reflect(input, shown, &value, &mut defects)))
        }
        ModelCall::ExtractFacts(input) => {
            read_facts::read(input, shown, &value, &mut defects).map(ModelReply::ExtractFacts)
        }
        ModelCall::AnalyzeGaps(input) => {
            gaps(input, shown, &value, &mut defects).map(ModelReply::AnalyzeGaps)
        }
        ModelCall::FollowUp(input) => {
            follow_up(input, file, &value, &mut defects).map(ModelReply::FollowUp)
        }
        ModelCall::Draft(input) => {
            read_draft::read(input, &value, &marks, &mut defects).map(ModelReply::Draft)
        }
        ModelCall::Hypothesize(input) => {
            read_hypotheses::read(input, shown, &value, &mut defects).map(ModelReply::Hypothesize)
        }
        ModelCall::Critique(input) => {
            critique::read(input, shown, &value, &mut defects).map(ModelReply::Critique)
        }
        ModelCall::Revise(input) => {
            revise::read(input, &value, &mut defects).map(ModelReply::Revise)
        }
        ModelCall::Perspective(input) => {
            lens::perspective(input, &value, &mut defects).map(ModelReply::Perspective)
        }
        ModelCall::SynthesizePerspectives(input) => {
            lens::synthesize(input, &value, &mut defects).map(ModelReply::SynthesizePerspectives)
        }
        ModelCall::MetaAnalysis(input) => {
            lens::meta(input, &value, &mut defects).map(ModelReply::MetaAnalysis)
        }
        // Read above.
        ModelCall::Distill(_) | ModelCall::Fallacies(_) => None,
    });
    Parsed { reply, defects: defects.into_list() }
}

/// Reads a reply in Markdown. What repeats the form of the prompt is no strategy.
fn strategies(input: &DistillInput, file: &PromptFile, text: &str) -> Parsed {
    let mut defects = Defects::default();
    let most = usize::from(input.most.clamp(1, 3));
    let found = distill::read(text, most, &mut defects).and_then(|mut found| {
        let said_there_are_none = found.strategies.is_empty();
        found.strategies.retain(|strategy| {
            let echo = [&strategy.title, &strategy.description, &strategy.content]
                .into_iter()
                .any(|part| part.len() >= 24 && file.says(part));
            if echo {
                defects.add(DefectKind::PromptEcho, "reply", "it repeats the form of the prompt");
            }
            !echo
        });
        (said_there_are_none || !found.strategies.is_empty()).then_some(found)
    });
    Parsed { reply: found.map(ModelReply::Distill), defects: defects.into_list() }
}

/// Whether a sentence of the reply stands in the prompt's own words. Small models hand back the example.
fn repeats_example(value: &Value, file: &PromptFile) -> bool {
    match value {
        Value::String(text) => text.len() >= 24 && text.contains(' ') && file.says(text),
        Value::Array(items) => items.iter().any(|item| repeats_example(item, file)),
        Value::Object(map) => map.values().any(|item| repeats_example(item, file)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Items of a list that fits, with their paths. Null is an empty list.
pub(super) fn items<'v>(value: &'v Value, key: &str) -> Vec<(String, &'v Value)> {
    let list = value[key].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().enumerate().map(|(at, item)| (format!("{key}[{at}]"), item)).collect()
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(super) fn id(value: &Value) -> u32 {
    value.as_u64().unwrap_or_default() as u32
}

pub(super) fn id_shape() -> Shape {
    Shape::Integer(0, i64::from(u32::MAX))
}

fn ids(value: &Value, key: &str) -> Vec<u32> {
    items(value, key).iter().map(|(_, item)| id(item)).collect()
}

/// A sentence of the model for people, without addresses: where something stands is said by code.
pub(super) fn sentence(value: &Value, at: &str, defects: &mut Defects) -> String {
    let text = text(value);
    if !text.split_whitespace().any(is_address) {
        return text;
    }
    defects.add(DefectKind::ForeignFigure, at, "an address was taken out");
    text.split_whitespace().filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ")
}

fn severity(value: &Value, at: &str, defects: &mut Defects) -> Severity {
    match value.as_str() {
        Some("critical") => Severity::Critical,
        Some("important") => Severity::Important,
        Some("minor") => Severity::Minor,
        _ => {
            defects.add(DefectKind::MissingKey, at, "no severity; it counts as important");
            Severity::Important
        }
    }
}

fn plan_shape(input: &PlanInput) -> Shape {
    let question = Shape::Object(vec![
        Field::optional("id", id_shape(), "1, 2, 3 in the order of asking"),
        Field::essential("text", Shape::Text(600), "a question that stands alone"),
        Field::optional(
            "rationale",
            Shape::Text(SENTENCE),
            "which part of the user's question it serves",
        ),
        Field::optional("severity", Shape::Word(SEVERITIES), "how much it matters"),
        Field::optional(
            "depends_on",
            Shape::list(id_shape(), 20),
            "earlier questions whose answers it needs",
        ),
        Field::optional(
            "kind",
            Shape::Word(&["lookup", "survey", "overview"]),
            "one fact, several voices, or what is said of a topic",
        ),
        Field::optional(
            "expects",
            Shape::nullable(Shape::Text(60)),
            "the kind of value that answers, or null",
        ),
        Field::optional("queries", Shape::list(Shape::Text(200), 6), "one to three searches"),
    ]);
    let most = usize::from(input.max_questions.max(1));
    Shape::Object(vec![
        Field::optional(
            "complexity",
            Shape::Word(&["simple", "moderate", "complex"]),
            "size of the task",
        ),
        Field::optional(
            "estimated_sources",
            Shape::Integer(0, 10_000),
            "documents probably needed",
        ),
        Field::essential("questions", Shape::list(question, most), "the planned questions"),
    ])
}

fn plan(input: &PlanInput, value: &Value, defects: &mut Defects) -> Option<Plan> {
    let mut questions: Vec<PlannedQuestion> = Vec::new();
    let mut used: BTreeSet<u32> = BTreeSet::new();
    for (at, item) in items(value, "questions") {
        let wording = sentence(&item["text"], &at, defects);
        if wording.is_empty() {
            defects.add(DefectKind::Empty, &at, "a question without words");
            continue;
        }
        let given = id(&item["id"]);
        // The smallest free number stands in for one that is missing or taken.
        let free = (1..=u32::MAX).find(|id| !used.contains(id)).unwrap_or(u32::MAX);
        let own = if given > 0 && used.insert(given) {
            given
        } else {
            if given > 0 {
                let what = format!("question {given} stands twice; this one becomes {free}");
                defects.add(DefectKind::DuplicateId, &at, what);
            }
            used.insert(free);
            free
        };
        let (depends_on, other): (Vec<u32>, Vec<u32>) = ids(item, "depends_on")
            .into_iter()
            .partition(|id| questions.iter().any(|question| question.id == *id));
        if !other.is_empty() {
            defects.add(
                DefectKind::UnknownId,
                &at,
                format!("depends on {other:?}, no earlier question"),
            );
        }
        questions.push(PlannedQuestion {
            id: own,
            rationale: sentence(&item["rationale"], &at, defects),
            severity: severity(&item["severity"], &at, defects),
            depends_on,
            kind: match item["kind"].as_str() {
                Some("survey") => super::QuestionKind::Survey,
                Some("overview") => super::QuestionKind::Overview,
                _ => super::QuestionKind::Lookup,
            },
            expects: Some(sentence(&item["expects"], &at, defects))
                .filter(|expects| !expects.is_empty()),
            queries: queries(item, &wording, input, defects),
            text: wording,
        });
    }
    if questions.is_empty() {
        return None;
    }
    let count = questions.len() as u16;
    Some(Plan {
        complexity: match value["complexity"].as_str() {
            Some("complex") => Complexity::Complex,
            Some("moderate") => Complexity::Moderate,
            _ => Complexity::Simple,
        },
        estimated_sources: value["estimated_sources"].as_u64().map_or(count, |n| n as u16),
        questions,
    })
}

/// The searches of a question; the question itself when it has none.
fn queries(item: &Value, wording: &str, input: &PlanInput, defects: &mut Defects) -> Vec<String> {
    let mut queries: Vec<String> = Vec::new();
    for (at, query) in items(item, "queries") {
        // What was searched for is told in the report, so a search is a sentence for people as well.
        let query = sentence(query, &at, defects);
        if !query.is_empty() && !queries.contains(&query) && queries.len() < 3 {
            queries.push(query);
        }
    }
    if queries.is_empty() {
        let whole = if wording.is_empty() { &input.question } else { wording };
        queries.push(whole.to_owned());
    }
    queries
}

fn reflect_shape(input: &ReflectInput) -> Shape {
    let most = input.open.len().max(1) + 4;
    let note = Shape::Object(vec![
        Field::essential("question_id", id_shape(), "an open question"),
        Field::essential("note", Shape::Text(SENTENCE), "what answers it, or what is missing"),
    ]);
    let gap = Shape::Object(vec![
        Field::essential("description", Shape::Text(SENTENCE), "what is missing"),
        Field::optional(
            "question_ids",
            Shape::list(id_shape(), 20),
            "planned questions that it stands behind",
        ),
        Field::optional("severity", Shape::Word(SEVERITIES), "how much it matters"),
        Field::optional(
            "suggested_action",
            Shape::nullable(Shape::Text(SENTENCE)),
            "what to try, or null",
        ),
    ]);
    Shape::Object(vec![
        Field::optional("notes", Shape::list(note, most * 2), "one for each open question"),
        Field::essential(
            "answered_questions",
            Shape::list(id_shape(), most * 2),
            "open questions that the passages answer",
        ),
        Field::optional(
            "unanswered_questions",
            Shape::list(id_shape(), most * 2),
            "open questions that they do not",
        ),
        Field::optional(
            "relevant_passage_ids",
            Shape::list(Shape::Text(20), 200),
            "passages that bear on a question, best first",
        ),
        Field::optional(
            "new_gaps_identified",
            Shape::list(gap, 6),
            "what is missing that no question asks for",
        ),
        Field::optional("is_sufficient", Shape::Flag, "whether every open question is answered"),
    ])
}

fn reflect(
    input: &ReflectInput,
    shown: &Shown,
    value: &Value,
    defects: &mut Defects,
) -> Reflection {
    let open: Vec<u32> = input.open.iter().map(|question| question.id).collect();
    let unanswered = ids(value, "unanswered_questions");
    let mut reflection = Reflection::default();
    for (at, item) in items(value, "answered_questions") {
        let question = id(item);
        if !open.contains(&question) {
            defects.add(DefectKind::UnknownId, &at, format!("{question} is no open question"));
        } else if unanswered.contains(&question) {
            let what =
                format!("question {question} is called answered and unanswered; it stays open");
            defects.add(DefectKind::Contradiction, &at, what);
        } else if reflection.answered_questions.contains(&question) {
            defects.add(DefectKind::DuplicateId, &at, format!("question {question} stands twice"));
        } else {
            reflection.answered_questions.push(question);
        }
    }
    let answered = &reflection.answered_questions;
    reflection.unanswered_questions =
        open.iter().copied().filter(|id| !answered.contains(id)).collect();
    reflection.is_sufficient = reflection.unanswered_questions.is_empty();
    if value["is_sufficient"].as_bool().is_some_and(|said| said != reflection.is_sufficient) {
        let what = "it does not fit the questions called answered, which count";
        defects.add(DefectKind::Contradiction, "is_sufficient", what);
    }
    for (at, item) in items(value, "relevant_passage_ids") {
        let Some(fragment) = locate::passage(&text(item), shown, &at, defects) else { continue };
        if !reflection.relevant_passage_ids.contains(fragment.passage_id()) {
            reflection.relevant_passage_ids.push(fragment.passage_id().clone());
        }
    }
    for (at, item) in items(value, "notes") {
        let question_id = id(&item["question_id"]);
        let note = locate::with_titles(&sentence(&item["note"], &at, defects), shown);
        if !open.contains(&question_id) {
            defects.add(DefectKind::UnknownId, &at, format!("{question_id} is no open question"));
        } else if !note.is_empty() {
            reflection.notes.push(QuestionNote { question_id, note });
        }
    }
    for (at, item) in items(value, "new_gaps_identified") {
        let description = sentence(&item["description"], &at, defects);
        if description.is_empty() {
            defects.add(DefectKind::Empty, &at, "a gap without words");
            continue;
        }
        let (question_ids, other): (Vec<u32>, Vec<u32>) =
            ids(item, "question_ids").into_iter().partition(|id| open.contains(id));
        if !other.is_empty() {
            defects.add(DefectKind::UnknownId, &at, format!("{other:?}: no open questions"));
        }
        reflection.new_gaps_identified.push(ProposedGap {
            description,
            question_ids,
            severity: severity(&item["severity"], &at, defects),
            suggested_action: Some(sentence(&item["suggested_action"], &at, defects))
                .filter(|action| !action.is_empty()),
        });
    }
    reflection
}

/// The reasons that a model may give. The others are counted by code.
const REASONS: &[&str] = &["unavailable", "contradictory", "no_new_evidence"];

fn gaps_shape(input: &GapInput) -> Shape {
    let finding = Shape::Object(vec![
        Field::essential("gap_id", Shape::Text(20), "a gap's id as it stands"),
        Field::optional(
            "give_up",
            Shape::nullable(Shape::Word(REASONS)),
            "a reason that the passages give, or null",
        ),
        Field::optional(
            "passage_id",
            Shape::nullable(Shape::Text(20)),
            "the passage that says so, or null",
        ),
        Field::optional(
            "reasoning",
            Shape::Text(SENTENCE),
            "what is missing and what the passages say instead",
        ),
    ]);
    let most = input.gaps.len().max(1) + 4;
    Shape::Object(vec![Field::essential(
        "findings",
        Shape::list(finding, most),
        "one for each gap",
    )])
}

fn gaps(
    input: &GapInput,
    shown: &Shown,
    value: &Value,
    defects: &mut Defects,
) -> Option<GapFindings> {
    use crate::inquiry::gap::GapReason;
    let mut findings: Vec<GapFinding> = Vec::new();
    let given = items(value, "findings");
    for (at, item) in &given {
        let name = text(&item["gap_id"]);
        let Some(gap) = input.gaps.iter().find(|gap| gap.id.as_str().eq_ignore_ascii_case(&name))
        else {
            defects.add(DefectKind::UnknownId, at, format!("{name:?} is no gap listed above"));
            continue;
        };
        if findings.iter().any(|finding| finding.gap_id == gap.id) {
            defects.add(
                DefectKind::DuplicateId,
                at,
                format!("{name} stands twice; the first counts"),
            );
            continue;
        }
        let passage_id = item["passage_id"]
            .as_str()
            .and_then(|name| locate::passage(name, shown, at, defects))
            .map(|fragment| fragment.passage_id().clone());
        let mut give_up = match item["give_up"].as_str() {
            Some("unavailable") => Some(GapReason::Unavailable),
            Some("contradictory") => Some(GapReason::Contradictory),
            Some("no_new_evidence") => Some(GapReason::NoNewEvidence),
            _ => None,
        };
        let needs_passage =
            matches!(give_up, Some(GapReason::Unavailable | GapReason::Contradictory));
        if needs_passage && passage_id.is_none() {
            let what =
                "a reason that only a passage can give, and none is named; the gap stays open";
            defects.add(DefectKind::Ungrounded, at, what);
            give_up = None;
        }
        findings.push(GapFinding {
            gap_id: gap.id.clone(),
            give_up,
            passage_id: passage_id.filter(|_| give_up.is_some()),
            reasoning: locate::with_titles(&sentence(&item["reasoning"], at, defects), shown),
        });
    }
    (given.is_empty() || !findings.is_empty()).then_some(GapFindings { findings })
}

fn follow_up_shape() -> Shape {
    let query = Shape::Object(vec![
        Field::essential("query", Shape::Text(200), "two to seven words to search for"),
        Field::essential("strategy", Shape::Word(STRATEGIES), "how it differs from those tried"),
    ]);
    Shape::Object(vec![
        Field::essential("queries", Shape::list(query, 12), "two or three searches, best first"),
        Field::optional("rationale", Shape::Text(SENTENCE), "why they may find what is missing"),
    ])
}

/// A search may leave this machine, so it holds no address, and no words of the prompt that a page asked for.
fn follow_up(
    input: &FollowUpInput,
    file: &PromptFile,
    value: &Value,
    defects: &mut Defects,
) -> Option<FollowUp> {
    let given = items(value, "queries");
    let mut queries: Vec<ProposedQuery> = Vec::new();
    for (at, item) in &given {
        let query = sentence(&item["query"], at, defects);
        let strategy = item["strategy"].as_str().and_then(|name| {
            QueryStrategy::ALL.into_iter().find(|strategy| strategy.name() == name)
        });
        let Some(strategy) = strategy else { continue };
        if crate::text::words(&query).is_empty() {
            defects.add(
                DefectKind::Empty,
                at,
                format!("a search without words for {}", input.gap.id),
            );
        } else if file.lends(&query) {
            defects.add(DefectKind::PromptEcho, at, "a search in the words of the prompt");
        } else if queries.iter().any(|known| known.query == query) {
            defects.add(DefectKind::DuplicateId, at, format!("{query:?} stands twice"));
        } else {
            queries.push(ProposedQuery { query, strategy });
        }
    }
    (given.is_empty() || !queries.is_empty()).then(|| FollowUp {
        queries,
        rationale: sentence(&value["rationale"], "rationale", defects),
    })
}

/// Nothing that a model may order is missing from the call.
pub(super) fn fact_ids(input: &DraftInput) -> BTreeSet<&str> {
    input.facts.iter().map(|fact| fact.id.as_str()).collect()
}
