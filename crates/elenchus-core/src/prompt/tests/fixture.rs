//! The harbour town of the testkit, and what a good model replies about it.

pub(super) use crate::testkit::prompts::{
    calls, clarify_call, critique_call, draft_call, entail_input, fact, facts_call,
    facts_call_over, fallacy_input, follow_up_call, gaps_call, hypothesize_call, lens_calls,
    memory, meta_input, passage, passages, perspective_call, perspective_input, plan_call, points,
    questions, reflect_call, revise_call,
};

/// A well-formed reply to each of [`calls`], in their order.
pub(super) const REPLIES: [&str; 10] = [
    r#"{"complexity": "moderate", "estimated_sources": 2, "questions": [{"depends_on": [], "expects": "money", "id": 1, "kind": "lookup", "queries": ["Ørland ferry fares adult"], "rationale": "The first half.", "severity": "critical", "text": "What does a crossing with the Ørland ferry cost an adult?"}, {"depends_on": [1], "expects": null, "id": 2, "kind": "survey", "queries": ["Ørland ferry revenue", "Ørland ferry annual accounts"], "rationale": "The second half.", "severity": "important", "text": "What is the revenue of the Ørland ferry?"}]}"#,
    r#"{"answered_questions": [1], "is_sufficient": false, "new_gaps_identified": [{"description": "whether the fares changed after May 2024", "question_ids": [1], "severity": "minor", "suggested_action": null}], "notes": [{"note": "P2 gives the fare of an adult.", "question_id": 1}, {"note": "P3 says that the revenue is not disclosed.", "question_id": 2}], "relevant_passage_ids": ["P2", "P1", "P3"], "unanswered_questions": [2]}"#,
    r#"{"facts": [{"bearing": "strong", "polarity": null, "question_id": 1, "role": "answer", "unit": "P2.2", "value": "62 kroner", "warrant": "It names the price of an adult's ticket."}, {"bearing": null, "polarity": null, "question_id": 1, "role": "superseded", "unit": "P1.1", "value": "45 kroner", "warrant": "An older price, from a superseded page."}, {"bearing": null, "polarity": "no", "question_id": 2, "role": "context", "unit": "P3.2", "value": null, "warrant": "It says that the owners keep it to themselves."}]}"#,
    r#"{"findings": [{"gap_id": "g2", "give_up": "unavailable", "passage_id": "P3", "reasoning": "The owners do not disclose the revenue."}]}"#,
    r#"{"queries": [{"query": "Ørland ferry annual accounts turnover", "strategy": "angle"}, {"query": "Ørland ferry owners income history", "strategy": "time_focus"}], "rationale": "Accounts would name the turnover."}"#,
    r#"{"conclusion": ["f2"], "sections": [{"facts": ["f3"], "heading": "The owners"}]}"#,
    r#"{"hypotheses": [{"claim": "Few people take the ferry because the fares in P2 are high.", "prior": "likely", "queries_against": ["Ørland ferry cheap fares passengers"], "queries_for": ["Ørland ferry fares too high", "passengers deterred by fares Ørland"]}, {"claim": "Few people take the ferry because a bridge was opened.", "prior": "unlikely", "queries_against": ["Ørland no bridge across the fjord"], "queries_for": ["Ørland bridge opening traffic"]}]}"#,
    r#"{"alternatives": ["The price in P1 may still hold on weekdays."], "findings": [{"claim_id": "c2", "kind": "overstatement", "queries": [], "severity": "important", "text": "The page gives prices and does not say who can afford them.", "words": "Everyone"}, {"claim_id": null, "kind": "missing_counter_evidence", "queries": ["Ørland ferry discount season", "Ørland ferry fares raised"], "severity": "minor", "text": "No later price list was looked for.", "words": null}], "leans": "It favours the newer price.", "replies": [{"number": 1, "text": "P2 states from when it holds and not until when.", "verdict": "open"}]}"#,
    r#"{"patches": [{"claim_id": "c2", "fact_id": null, "finding": "x1", "heading": null, "op": "drop_claim", "to": null}, {"claim_id": null, "fact_id": "f4", "finding": "x2", "heading": null, "op": "add_fact", "to": "s1"}, {"claim_id": null, "fact_id": null, "finding": "x2", "heading": "Adult price", "op": "replace_heading", "to": "s1"}]}"#,
    r#"{"questions": [{"choices": ["passengers", "the owners", "the press"], "text": "Whose words do you mean?", "why": "Each speaks in other documents."}, {"choices": ["before 2020", "since 2020", "all years"], "text": "Which years matter?", "why": "The fares changed in 2020."}], "vague": true}"#,
];
