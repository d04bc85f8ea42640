//! The relations that a person may query hold what a run found, under the same names in a file and on a server.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::answer::{Answer, Unestablished};
use elenchus_core::id::{ClaimId, EffectId, GapId, RunId, Timestamp};
use elenchus_core::inquiry::gap::GapReason;
use elenchus_core::inquiry::{Control, Input, Opened, Options, Outcome, Recollection};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, JournalRecord};
use elenchus_core::port::{CorpusOverview, Matter, Remark, Store};
use elenchus_core::prompt::FactRole;
use elenchus_core::testkit::{World, block_on, drive};
use elenchus_core::trace::{Envelope, TraceEvent};
use elenchus_io::store::{SqliteOptions, SqliteStore};
use serde_json::{Value, json};

const RUN: &str = "run_views";

/// Keeps a run that named explanations, tested one, was criticised, and found a contradiction and an insight.
async fn keep(store: &dyn Store) {
    let run_id = RunId::from(RUN);
    let record = |seq, input| JournalRecord {
        v: FORMAT,
        seq,
        at: Timestamp(100),
        entry: Entry::Input(Box::new(input)),
    };
    let opened = Opened {
        run_id: run_id.clone(),
        question: "why?".to_owned(),
        options: Options::default(),
        corpus: CorpusOverview::default(),
        model: "m".to_owned(),
        judging: None,
        contest: None,
        forked: None,
        recalled: Recollection::default(),
    };
    let first = record(1, Input::Opened(opened)).seal(GENESIS);
    let lease = store.create(&run_id, "why?", &first, &[], "a", 1_000).await.unwrap();
    let read: Outcome = serde_json::from_value(json!({"outcome": "passages", "passages": [{
        "source": {"id": "s1", "path": "tides.md", "title": "Tides", "content_hash": "h", "family": "f", "cluster": "s1"},
        "passage": {"id": "p1", "source_id": "s1", "text": "It rises 4 metres.", "span": {"start": 3, "end": 21},
                    "heading_path": ["Tides", "Spring"]},
    }]}))
    .unwrap();
    let second = record(2, Input::Outcome { id: EffectId(1), result: read });
    let second = second.seal(&first.hash);
    let events: Vec<Envelope> = found()
        .into_iter()
        // Through the types, so that the views are held to what is written and not to what a test makes up.
        .map(|event| serde_json::from_value::<TraceEvent>(event).unwrap())
        .chain([TraceEvent::AnswerCompleted { answer: Box::new(answer()), audit: Vec::new() }])
        .zip(1..)
        .map(|(event, seq)| Envelope {
            schema: 1,
            run_id: run_id.clone(),
            seq,
            at: Timestamp(100),
            event,
        })
        .collect();
    store.append(&lease, &second, &events).await.unwrap();
    let third = record(3, Input::Control(Control::Pause)).seal(&second.hash);
    store.append(&lease, &third, &[]).await.unwrap();
    for (about, target, actor, word, at) in [
        (Matter::Insight, "i1", "ann", Some("saved"), 200),
        (Matter::Insight, "i1", "ben", Some("useful"), 300),
        (Matter::Insight, "i1", "eve", Some("not-useful"), 400),
        (Matter::Insight, "i1", "eve", None, 500),
        (Matter::Export, "md", "ann", Some("exported"), 600),
    ] {
        let remark = Remark::new(&run_id, about, target, actor, word, Timestamp(at));
        store.remark(&remark).await.unwrap();
    }
}

/// An answer of a real run, its statements checked, with two of them once more: `near1` came nearest to an open question and so
/// did `near2`, which is an older value as well. `bare` was not checked.
fn answer() -> Answer {
    let world = World::new("harbor").judged().document(
        "tides.md",
        "# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was put out in 1950.",
    );
    let driven = drive(&world, "When was the lamp lit?", Options::default());
    let mut answer = driven.run.view().answer().unwrap().clone();
    answer.claims.truncate(1);
    let first = answer.claims[0].clone();
    let figures = answer.figures_of(&first).unwrap().clone();
    assert!(figures.confidence.is_some(), "it was checked");
    for (id, role) in
        [("near1", FactRole::Context), ("near2", FactRole::Superseded), ("bare", FactRole::Context)]
    {
        let mut claim = first.clone();
        claim.id = ClaimId::from(id);
        claim.role = role;
        answer.claims.push(claim);
        let mut own = figures.clone();
        own.claim_id = ClaimId::from(id);
        if id == "bare" {
            own.confidence = None;
        }
        answer.confidence.as_mut().unwrap().claim_confidences.push(own);
    }
    answer.could_not_establish = vec![Unestablished {
        gap_id: GapId::from("g9"),
        description: "When was it dimmed?".to_owned(),
        reason: GapReason::Attempts,
        cause: None,
        attempts: 3,
        queries: Vec::new(),
        nearest: vec![ClaimId::from("near1"), ClaimId::from("near2")],
    }];
    let shown: Vec<bool> = answer
        .claims
        .iter()
        .map(|claim| answer.shown_figures(claim).is_some_and(|one| one.confidence.is_some()))
        .collect();
    assert_eq!(shown, [true, false, false, false], "what the views are to say");
    answer
}

fn found() -> Vec<Value> {
    let explanation = |id: &str, claim: &str| {
        json!({"id": id, "claim": claim, "prior": "possible", "confidence": 0.35,
               "queries_for": [], "queries_against": []})
    };
    let test = |round: u8, supporting: &[&str], against: &[&str], after: f64, status: &str| {
        json!({"type": "hypothesis_updated", "data": {"status": status, "test": {
            "hypothesis_id": "h1", "round": round, "queries": ["moon"], "passages": 2,
            "evidence_for": supporting, "evidence_against": against, "before": 0.35, "after": after}}})
    };
    vec![
        json!({"type": "hypotheses_generated", "data": {"hypotheses": [
            explanation("h1", "It is the moon's doing."), explanation("h2", "It is the wind's doing.")]}}),
        test(1, &["p1"], &["p2"], 0.5, "active"),
        test(2, &["p3"], &[], 0.9, "confirmed"),
        json!({"type": "contradiction_found", "data": {
            "question_id": 1, "passages": ["p1", "p3"], "summary": "4 against 5 metres"}}),
        json!({"type": "critique_completed", "data": {"critique": {
            "quality": 80, "grade": "B", "critic": "m", "findings": [
                {"id": "x1", "kind": "fallacy", "severity": "minor", "by": "code", "claim_id": "c1",
                 "words": "everyone knows", "text": "an appeal to the many"},
                {"id": "x2", "kind": "overstatement", "severity": "minor", "by": "model", "text": "too sure"}]}}}),
        json!({"type": "fallacy_detected", "data": {"warning": {
            "id": "w1", "fallacy": "appeal_to_popularity", "name": "appeal to popularity", "place": "quote",
            "claim_id": "c2", "evidence": 0, "citation": 1, "source_id": "s1", "passage_id": "p1",
            "passage_span": {"start": 9, "end": 30}, "span": {"start": 4, "end": 25}, "words": "everybody says so",
            "question": "Who does?", "probability": 0.85, "calibrated": false, "because": "a pattern"}}}),
        json!({"type": "insight_detected", "data": {"insight": {
            "id": "i1", "type": "cross_ref", "description": "Two meet.", "worded_by": "program",
            "rule": "r", "novelty": 0.7, "explained": {"what": "novelty", "value": 0.7, "rule": "r"},
            "supporting": [{"passage_id": "p1", "source_id": "s1", "cluster": "s1", "path": "tides.md",
                "title": "Tides", "location": "tides.md", "quote": "It", "span": {"start": 0, "end": 2}}]}}}),
    ]
}

/// What each relation is asked, and how many rows it has for that.
const ASKED: &[(&str, i64)] = &[
    (
        "passages WHERE id = 'p1' AND path = 'tides.md' AND span_start = 3 AND text LIKE '%4 met%'",
        1,
    ),
    ("passages WHERE page IS NULL AND record_seq = 2", 1),
    ("passages", 1),
    ("hypothesis_tests WHERE hypothesis_id = 'h1' AND round = 2 AND status = 'confirmed'", 1),
    ("hypotheses WHERE id = 'h1' AND status = 'confirmed' AND confidence > 0.89", 1),
    (
        "hypotheses WHERE id = 'h2' AND status = 'active' AND confidence < 0.36 AND prior = 'possible'",
        1,
    ),
    ("hypotheses", 2),
    ("contradictions WHERE question_id = 1 AND summary LIKE '4 against%'", 1),
    ("critiques WHERE quality = 80 AND grade = 'B' AND critic = 'm'", 1),
    ("fallacies WHERE claim_id = 'c1' AND words = 'everyone knows'", 1),
    (
        "fallacies WHERE claim_id = 'c2' AND fallacy = 'appeal_to_popularity' AND question = 'Who does?' AND span_start = 4",
        1,
    ),
    ("fallacies", 2),
    (
        "insights WHERE insight_type = 'cross_ref' AND novelty_score > 0.69 AND user_feedback = 'useful'",
        1,
    ),
    ("insights WHERE trail_id = run_id", 1),
    ("hypotheses WHERE trail_id = run_id", 2),
    ("exports WHERE format = 'md' AND actor = 'ann' AND trail_id = 'run_views'", 1),
    ("claims WHERE user_feedback IS NULL", 4),
    ("claims WHERE confidence IS NULL AND id IN ('near1', 'near2', 'bare')", 3),
    ("claims WHERE confidence > 0 AND confidence <= 1", 1),
    ("claims WHERE id = 'near2' AND role = 'superseded' AND confidence IS NULL", 1),
];

#[test]
fn a_file_shows_what_runs_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let store = SqliteStore::open(&path, &SqliteOptions::default()).unwrap();
    block_on(keep(&store));
    let raw = rusqlite::Connection::open(&path).unwrap();
    let value = |sql: &str| raw.query_row(sql, [], |row| row.get::<_, rusqlite::types::Value>(0));
    for (asked, rows) in ASKED {
        let counted = value(&format!("SELECT count(*) FROM {asked}")).unwrap();
        assert_eq!(counted, rusqlite::types::Value::Integer(*rows), "{asked}");
    }
    for (sql, told) in [
        ("SELECT supporting_passage_ids FROM hypotheses WHERE id = 'h1'", r#"["p1","p3"]"#),
        ("SELECT contradicting_passage_ids FROM hypotheses WHERE id = 'h1'", r#"["p2"]"#),
        ("SELECT supporting_passage_ids FROM hypotheses WHERE id = 'h2'", "[]"),
        ("SELECT passage_ids FROM insights", r#"["p1"]"#),
        ("SELECT passage_ids FROM contradictions", r#"["p1","p3"]"#),
        ("SELECT heading_path FROM passages", r#"["Tides","Spring"]"#),
    ] {
        assert_eq!(value(sql).unwrap(), rusqlite::types::Value::Text(told.to_owned()), "{sql}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_server_shows_what_runs_found() {
    use elenchus_io::pg::testkit::{schema, servers, told};
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for url in servers("a_server_shows_what_runs_found") {
        runtime.block_on(async {
            let url = schema(&url).await.unwrap();
            keep(&elenchus_io::store::PgStore::open(&url).await.unwrap()).await;
            for (asked, rows) in ASKED {
                let counted = told(&url, &format!("SELECT count(*) FROM {asked}")).await;
                assert_eq!(counted.unwrap(), rows.to_string(), "{asked}");
            }
            for (sql, expected) in [
                ("SELECT supporting_passage_ids FROM hypotheses WHERE id = 'h1'", "{p1,p3}"),
                ("SELECT contradicting_passage_ids FROM hypotheses WHERE id = 'h1'", "{p2}"),
                ("SELECT supporting_passage_ids FROM hypotheses WHERE id = 'h2'", "{}"),
                ("SELECT passage_ids FROM insights", "{p1}"),
                ("SELECT passage_ids FROM contradictions", "{p1,p3}"),
                ("SELECT heading_path FROM passages", "{Tides,Spring}"),
                (
                    "SELECT string_agg(table_name, ' ' ORDER BY table_name COLLATE \"C\") FROM information_schema.columns
                     WHERE table_schema = current_schema() AND column_name = 'key' AND data_type = 'uuid'",
                    "claims contradictions critiques fallacies gaps hypotheses insights memos passages \
                     reasoning_traces runs sources strategies",
                ),
                (
                    "SELECT data_type FROM information_schema.columns WHERE table_schema = current_schema()
                     AND table_name = 'reasoning_traces' AND column_name = 'content_json'",
                    "jsonb",
                ),
                // By UUIDs alone: which of the passages that were read each of them names.
                ("SELECT count(*) FROM insights JOIN passages ON passages.key = ANY (passage_keys)", "1"),
                (
                    "SELECT count(*) FROM hypotheses JOIN passages ON passages.key = ANY (supporting_passage_keys)
                     JOIN runs ON runs.key = trail_key WHERE hypotheses.id = 'h1'",
                    "1",
                ),
                (
                    "SELECT cardinality(contradicting_passage_keys) FROM hypotheses WHERE id = 'h1'",
                    "1",
                ),
                ("SELECT cardinality(passage_keys) FROM contradictions", "2"),
                ("SELECT count(DISTINCT key) FROM fallacies", "2"),
            ] {
                assert_eq!(told(&url, sql).await.unwrap(), expected, "{sql}");
            }
        });
    }
}
