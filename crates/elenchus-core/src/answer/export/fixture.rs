//! Answers for the tests of this room.

use crate::answer::Answer;
use crate::evidence::ReadPassage;
use serde_json::{Value, json};

/// An answer from a page and a file.
pub(in crate::answer) fn answer() -> Answer {
    of(&Texts {
        question: "How much does the Skerry array give?",
        title: "Tidal notes & {figures}",
        author: "O'Hara, \"Ada\"",
        path: "https://tides.example/skerry?year=2026&part=1",
        quote: "The array gives 6 MW <since> May [2026].",
        other: "notes/tides.md",
    })
}

/// An answer in which everything that a stranger can write is this text.
pub(in crate::answer) fn hostile(text: &str) -> Answer {
    of(&Texts { question: text, title: text, author: text, path: text, quote: text, other: "" })
}

/// An answer in which a page has this address.
pub(in crate::answer) fn addressed(url: &str) -> Answer {
    of(&Texts { question: "q", title: "t", author: "a", path: url, quote: "w", other: "" })
}

/// The same with a statement a quote, the first of which a source contradicts.
pub(in crate::answer) fn with_claims(mut answer: Answer) -> Answer {
    let quotes: Vec<String> = answer.evidence.iter().map(|one| one.quote.clone()).collect();
    let claim = |nth: usize, text: &str| {
        json!({
            "id": format!("c{}", nth + 1), "text": text, "source_span": {"start": 0, "end": 1}, "question_id": 1,
            "role": "answer", "verdict": "quoted", "evidence": [nth], "warrant": "it names the power",
        })
    };
    let evidence = |nth: usize| &answer.evidence[nth];
    let against = |nth: usize| {
        let one = evidence(nth);
        json!({
            "source_id": one.source_id, "source_url": one.path, "location": one.location, "relevant_text": one.quote,
            "span": one.document_span, "similarity": 0.9, "cluster": one.source_id, "supports": 0.1, "refutes": 0.8,
        })
    };
    let entailment = |nth: usize, word: &str, against: Vec<Value>| {
        json!({
            "claim_id": format!("c{}", nth + 1), "verdict": word, "supports": 0.9, "refutes": 0.1, "score": 0.9,
            "supporting_sources": [], "contradicting_sources": against, "reasoning": "it says so",
        })
    };
    let claims: Vec<Value> =
        quotes.iter().enumerate().map(|(nth, quote)| claim(nth, quote)).collect();
    let entailments: Vec<Value> = (0..claims.len())
        .map(|nth| match nth {
            0 => entailment(0, "contradicted", vec![against(quotes.len() - 1)]),
            _ => entailment(nth, "entailed", vec![]),
        })
        .collect();
    answer.claims =
        claims.into_iter().map(|one| serde_json::from_value(one).expect("it is a claim")).collect();
    answer.entailments = entailments
        .into_iter()
        .map(|one| serde_json::from_value(one).expect("it is a verdict"))
        .collect();
    answer
}

/// What was read for an answer: a passage a quote, with a word on each side of it. The quotes' places are moved accordingly.
pub(in crate::answer) fn passages(answer: &Answer) -> Vec<ReadPassage> {
    answer
        .evidence
        .iter()
        .zip(&answer.sources)
        .map(|(one, source)| {
            let text = format!("{} After.", one.quote);
            serde_json::from_value(json!({
                "source": {"id": one.source_id, "path": one.path, "title": source.title, "cluster": one.source_id,
                    "family": "", "content_hash": source.content_hash},
                "passage": {"id": one.passage_id, "source_id": one.source_id, "text": text,
                    "span": {"start": 0, "end": text.chars().count()}},
            }))
            .expect("it is a passage")
        })
        .collect()
}

struct Texts<'a> {
    question: &'a str,
    title: &'a str,
    author: &'a str,
    path: &'a str,
    quote: &'a str,
    /// The path of a second source; empty for none.
    other: &'a str,
}

fn of(texts: &Texts<'_>) -> Answer {
    let shown = crate::answer::display_quote(texts.quote, &[]);
    let span = json!({ "start": 0, "end": texts.quote.chars().count() });
    let evidence = |citation: usize, path: &str| {
        json!({
            "fact_id": format!("f{citation}"), "citation": citation, "source_id": format!("src_{citation}"),
            "path": path, "location": format!("{path}, {}", texts.title), "passage_id": format!("src_{citation}#0"),
            "quote": texts.quote, "span": span, "document_span": span,
        })
    };
    let source = |number: usize, path: &str, author: Value| {
        json!({
            "number": number, "source_id": format!("src_{number}"), "path": path, "title": texts.title, "author": author,
            "date": {"value": {"year": 2026, "month": 5, "day": 4, "precision": "day"}, "stated": texts.title},
            "cluster": format!("src_{number}"),
            "web": path.starts_with("http").then(|| json!({
                "url": path, "site": "tides.example", "retrieved_at": 1_777_900_181_999_i64, "via": texts.title,
                "licence": texts.title, "hidden": 3,
            })),
        })
    };
    let mut all = vec![evidence(1, texts.path)];
    let mut sources = vec![source(1, texts.path, json!(texts.author))];
    if !texts.other.is_empty() {
        all.push(evidence(2, texts.other));
        sources.push(source(2, texts.other, Value::Null));
    }
    let side = json!({
        "source_id": "src_1", "path": texts.path, "location": texts.path, "passage_id": "src_1#0", "quote": texts.quote,
        "span": span, "document_span": span,
    });
    serde_json::from_value(json!({
        "run_id": "run_1", "question": texts.question, "started_at": 1_777_900_181_999_i64, "model": texts.title,
        "clarified": [{"question": texts.question, "answer": texts.quote}],
        "corpus": texts.path, "conclusion": "", "text": format!("**6 MW** \u{2014} \u{201C}{shown}\u{201D} [1]\n"),
        "sections": [], "claims": [], "evidence": all, "conflicts": [],
        "disagreements": [{"question_id": 1, "sides": [side, side], "why": [], "strength": 0.5, "summary": texts.quote}],
        "tensions": [{"id": "t", "references": [], "summary": texts.quote, "perspective": texts.quote, "sides": [side]}],
        "superseded": [], "could_not_establish": [],
        "sources": sources, "reasoning_trace": [], "exploration_steps": 0, "next_steps": [texts.quote],
        "stop_reason": "answered",
        "receipt": {"rounds": 1, "searches": 1, "passages": 2, "sources": 2, "model_calls": 1,
            "usage": {"input_tokens": 0, "output_tokens": 0}, "wall_ms": 1},
    }))
    .expect("the fixture is an answer")
}
