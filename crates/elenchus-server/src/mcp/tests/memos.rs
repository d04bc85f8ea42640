//! Memos that agents keep: what is written is the caller's, and no way out names a tool that is not there.

use super::super::Calls;
use super::super::testing::parts;
use elenchus_core::bank::Caller;
use elenchus_core::port::MemoFilter;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

fn object(value: Value) -> JsonObject {
    value.as_object().cloned().unwrap()
}

#[tokio::test]
async fn a_relation_without_a_direction_goes_both_ways() {
    let parts = parts(true);
    let here = Caller::local("here");
    let calls = Calls::new(&parts, here.clone());
    let mut ids = Vec::new();
    for text in ["The pump failed.", "The log shows no flow."] {
        let saved = calls.tool("memo_save", object(json!({"text": text}))).await.unwrap().unwrap();
        assert_eq!(saved["namespace"], "default");
        ids.push(saved["memo_id"].clone());
    }
    let relate = |tag: &str, directed: bool| {
        object(json!({"from": ids[1], "to": ids[0], "tag": tag, "directed": directed}))
    };
    let told = calls.tool("memo_relate", relate("supports", true)).await.unwrap().unwrap();
    assert_eq!((&told["from"], &told["weight"]), (&ids[1], &json!(1.0)), "{told}");
    calls.tool("memo_relate", relate("same_event", false)).await.unwrap().unwrap();
    let memos = parts.memos.as_deref().unwrap();
    let kept = memos.relations(&here.tenant, &MemoFilter::default()).await.unwrap();
    let ways: Vec<_> =
        kept.iter().map(|one| (json!(one.source), json!(one.target), one.tag.as_str())).collect();
    assert_eq!(
        ways,
        [
            (ids[1].clone(), ids[0].clone(), "supports"),
            (ids[1].clone(), ids[0].clone(), "same_event"),
            (ids[0].clone(), ids[1].clone(), "same_event"),
        ]
    );
    // Another tenant knows none of them, and is told what it can do.
    let other = Caller { tenant: "other".to_owned(), ..Caller::local("there") };
    let foreign = Calls::new(&parts, other.clone());
    let refusal = foreign.tool("memo_relate", relate("supports", true)).await.unwrap().unwrap_err();
    assert!(refusal.attempted.starts_with("could not find"), "{refusal}");
    assert!(refusal.way_out.contains("memo_save"), "{refusal}");
    assert!(!refusal.to_string().contains("memory.list"), "{refusal}");
    assert!(memos.relations(&other.tenant, &MemoFilter::default()).await.unwrap().is_empty());
}
