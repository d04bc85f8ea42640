//! Any text as the reply to each prompt function: read or refused with a reason, bounded, and every place that it names
//! stands in what was shown.
#![no_main]

use elenchus_core::evidence::char_slice;
use elenchus_core::prompt::entail::{EntailInput, EntailItem};
use elenchus_core::prompt::fallacies::FallacyInput;
use elenchus_core::prompt::{ModelCall, ModelReply, PromptBook, complaint, parse, read_strategies};
use elenchus_fuzz::calls;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CALLS: LazyLock<Vec<ModelCall>> = LazyLock::new(calls);
static BOOK: LazyLock<PromptBook> = LazyLock::new(PromptBook::builtin);

const SENTENCE: &str = "Everyone knows that the ferry is dear.";

fn check(call: &ModelCall, text: &str) {
    let parsed = parse(call, text);
    assert!(parsed.reply.is_some() || !parsed.defects.is_empty(), "refused without a reason");
    assert!(parsed.defects.len() <= 61, "{} defects", parsed.defects.len());
    assert!(complaint(&parsed.defects).chars().count() < 1_600);
    // White space between its parts says nothing, whatever ends its lines.
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
        let spread = serde_json::to_string_pretty(&value).expect("what was JSON can be written");
        assert_eq!(parse(call, &spread.replace('\n', "\r\n")).reply, parsed.reply);
    }
    let (ModelCall::ExtractFacts(input), Some(ModelReply::ExtractFacts(facts))) =
        (call, parsed.reply)
    else {
        return;
    };
    for fact in facts.facts {
        let read = input.passages.iter().find(|read| read.passage.id == fact.passage_id);
        let passage = &read.expect("the passage was shown").passage.text;
        let unit = char_slice(passage, fact.span).expect("a unit lies in its passage");
        assert!(!unit.trim().is_empty());
        if let Some(value) = fact.value {
            assert!(fact.span.start <= value.start && value.end <= fact.span.end, "{fact:?}");
            assert!(char_slice(passage, value).is_some_and(|words| !words.trim().is_empty()));
        }
    }
}

fuzz_target!(|text: &str| {
    for call in CALLS.iter() {
        check(call, text);
    }

    let evidence = vec!["An adult pays 62 kroner.".to_owned(), "A child pays 31.".to_owned()];
    let item = EntailItem { claim: "An adult pays 62 kroner.".to_owned(), evidence };
    let entailed = BOOK.parse_entail(&EntailInput { items: vec![item.clone(), item] }, text);
    assert_eq!(entailed.verdicts.len(), 2, "one for each claim");
    for verdict in entailed.verdicts.into_iter().flatten() {
        assert!(verdict.units.iter().all(|unit| *unit < 2), "{verdict:?}");
    }

    let input = FallacyInput { sentences: vec![SENTENCE.to_owned()], theology: true };
    for finding in BOOK.parse_fallacies(&input, text).findings.into_iter().flatten() {
        assert_eq!(finding.sentence, 0);
        assert_eq!(char_slice(SENTENCE, finding.span), Some(finding.words.as_str()));
    }

    let (found, defects) = read_strategies(text, 3);
    assert!(found.is_some() || !defects.is_empty(), "refused without a reason");
    assert!(found.is_none_or(|found| found.strategies.len() <= 3));
});
