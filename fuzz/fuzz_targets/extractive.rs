//! The built-in model: any question over passages of any text. Whatever it proposes stands there.
#![no_main]

use elenchus_core::evidence::{Quote, Span, char_slice};
use elenchus_core::port::{CorpusOverview, TermCount};
use elenchus_core::prompt::{
    FactsInput, Framing, ModelCall, ModelReply, PlanInput, PlannedQuestion, ReflectInput,
};
use elenchus_fuzz::read_passage;
use elenchus_io::model::{ExtractiveModel, unit_spans};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static MODEL: LazyLock<ExtractiveModel> = LazyLock::new(ExtractiveModel::new);

const MOST_QUESTIONS: u8 = 4;

fuzz_target!(|text: &str| {
    // The first line asks, the second names a subject, the rest is what is read: two documents.
    let (question, rest) = text.split_once('\n').unwrap_or((text, text));
    let (subject, rest) = rest.split_once('\n').unwrap_or(("", rest));
    let subjects: Vec<String> =
        Some(subject.to_owned()).filter(|name| !name.is_empty()).into_iter().collect();
    let half = rest.char_indices().map(|(at, _)| at).nth(rest.chars().count() / 2).unwrap_or(0);
    let header: Vec<String> = subject.split(' ').map(str::to_owned).collect();
    let passages =
        vec![read_passage("a.md", &rest[half..], header), read_passage("b.md", rest, Vec::new())];
    for passage in &passages {
        for span in unit_spans(passage) {
            assert!(char_slice(&passage.passage.text, span).is_some(), "a unit leaves its passage");
        }
    }

    let corpus = CorpusOverview {
        name: "corpus".to_owned(),
        documents: 2,
        passages: 2,
        fingerprint: String::new(),
        newest: None,
        subjects: subjects.clone(),
        verses: 0,
        skipped: Vec::new(),
    };
    let plan = PlanInput {
        question: question.to_owned(),
        corpus,
        guarded: false,
        max_questions: MOST_QUESTIONS,
        framing: Framing::default(),
        said: Vec::new(),
    };
    let ModelReply::Plan(plan) = MODEL.answer(&ModelCall::Plan(plan)) else {
        panic!("a plan is answered with a plan")
    };
    assert!(plan.questions.len() <= usize::from(MOST_QUESTIONS));
    let questions: Vec<PlannedQuestion> = plan.questions;
    let terms: Vec<TermCount> = elenchus_core::text::words(question)
        .into_iter()
        .map(|term| TermCount { term, passages: 1 })
        .collect();

    let reflect = ReflectInput {
        question: question.to_owned(),
        open: questions.clone(),
        passages: passages.clone(),
        new_passages: passages.len(),
        terms: terms.clone(),
        corpus_passages: 2,
        subjects: subjects.clone(),
        memory: String::new(),
    };
    let ModelReply::Reflect(reflection) = MODEL.answer(&ModelCall::Reflect(reflect)) else {
        panic!("a reflection is answered with a reflection")
    };
    assert_eq!(
        reflection.answered_questions.len() + reflection.unanswered_questions.len(),
        questions.len(),
        "every question is either answered or not"
    );
    for id in &reflection.relevant_passage_ids {
        assert!(passages.iter().any(|read| read.passage.id == *id), "{id} was never read");
    }

    let ids: Vec<u32> = questions.iter().map(|question| question.id).collect();
    let facts =
        FactsInput { questions, passages: passages.clone(), terms, corpus_passages: 2, subjects };
    let ModelReply::ExtractFacts(facts) = MODEL.answer(&ModelCall::ExtractFacts(facts)) else {
        panic!("facts are answered with facts")
    };
    for fact in facts.facts {
        assert!(ids.contains(&fact.question_id));
        let read = passages.iter().find(|read| read.passage.id == fact.passage_id);
        let passage = &read.expect("the passage was given").passage;
        let quote = Quote::cut(passage, fact.span).expect("a quote stands in its passage");
        assert!(quote.holds_in(passage));
        if let Some(Span { start, end }) = fact.value {
            assert!(fact.span.start <= start && start < end && end <= fact.span.end, "{fact:?}");
        }
    }
});
