//! Thinking aloud: in the JSON, in tags, and in everything between.

use super::fixture::{REPLIES, draft_call};
use crate::id::FactId;
use crate::prompt::{
    DefectKind, Draft, InsightKind, ModelReply, ProposedInsight, ThoughtStage, parse,
};
use proptest::prelude::*;

fn draft(text: &str) -> (Draft, Vec<DefectKind>) {
    let parsed = parse(&draft_call(), text);
    let kinds = parsed.defects.iter().map(|defect| defect.kind).collect();
    match parsed.reply {
        Some(ModelReply::Draft(draft)) => (draft, kinds),
        other => panic!("{other:?} from {text}: {:?}", parsed.defects),
    }
}

fn stages(draft: &Draft) -> Vec<ThoughtStage> {
    draft.thinking.iter().map(|step| step.step).collect()
}

fn ids(insight: &ProposedInsight) -> Vec<&str> {
    insight.facts.iter().map(FactId::as_str).collect()
}

const WHOLE: &str = r#"{"chain": [{"facts": [], "step": "restate", "text": "What an adult pays."}, {"facts": ["f1", "f2"], "step": "tensions", "text": "The old page and the table differ."}], "conclusion": ["f2"], "insights": [{"facts": ["f1", "f2"], "text": "The fare rose while the owners fell silent.", "type": "cross_ref"}], "sections": [{"facts": ["f3"], "heading": "The owners"}]}"#;

#[test]
fn the_whole_form_is_read_without_a_word() {
    let (draft, kinds) = draft(WHOLE);
    assert_eq!(kinds, []);
    assert_eq!(stages(&draft), [ThoughtStage::Restate, ThoughtStage::Tensions]);
    assert_eq!(draft.thinking[1].facts.len(), 2);
    assert_eq!(draft.insights.len(), 1);
    assert_eq!(draft.insights[0].kind, InsightKind::CrossRef);
    assert_eq!(draft.conclusion[0].as_str(), "f2");
}

#[test]
fn the_old_form_and_the_name_thinking_are_fine() {
    let (plain, kinds) = draft(REPLIES[5]);
    assert!(kinds.is_empty() && plain.thinking.is_empty() && plain.insights.is_empty());
    let (renamed, kinds) = draft(&WHOLE.replace("\"chain\"", "\"thinking\""));
    assert_eq!(kinds, []);
    assert_eq!(renamed.thinking.len(), 2);
}

#[test]
fn tags_around_the_json_are_parsed_out() {
    let text = format!(
        "<thinking>\n1. Restate: what a crossing costs [f2].\n2. The table is newer\n   than the page (f1, f2).\n\
         3. **Fallacy check:** none.\n<insight type=\"tension_resolution\">The page (f1) is an older state of the \
         table (f2).</insight>\n</thinking>\n```json\n{}\n```",
        REPLIES[5]
    );
    let (draft, _) = draft(&text);
    assert_eq!(
        stages(&draft),
        [ThoughtStage::Restate, ThoughtStage::Unnamed, ThoughtStage::FallacyCheck]
    );
    assert_eq!(draft.thinking[1].text, "The table is newer than the page (f1, f2).");
    assert_eq!(draft.thinking[1].facts.len(), 2);
    assert_eq!(draft.insights.len(), 1);
    assert_eq!(ids(&draft.insights[0]), ["f1", "f2"]);
    assert_eq!(draft.insights[0].kind, InsightKind::TensionResolution);
    assert!(!draft.thinking.iter().any(|step| step.text.contains("insight")));
    assert_eq!(draft.conclusion.len(), 1);
}

#[test]
fn nothing_about_tags_fails() {
    let json = REPLIES[5];
    let forms = [
        format!("<thinking>never closed {json}"),
        format!("<THINKING>shouted</Thinking>{json}"),
        format!("<thinking><thinking>in one another</thinking></thinking>{json}"),
        format!("</thinking>{json}</thinking>"),
        format!("```\n<thinking>split by a fence\n```\n```json\n{json}\n```\n</thinking>"),
        format!(
            "<thinking>braces {{\"conclusion\"}} and {{x}} {{\"facts\": [1]}}</thinking>\n{json}"
        ),
        format!("{json}\n<insight type=pattern>Afterwards, f2.</insight>"),
        format!("<insight type='synthesis'>open (f2) {json}"),
        format!("<thinking attribute=\"<\">odd</thinking>{json}"),
        format!("<think>a</think><reasoning>b</reasoning>{json}"),
        format!("<thinking>{{{{{{{{ [[[[ <insight <thinking <insight></thinking>{json}"),
    ];
    for form in &forms {
        let (found, _) = draft(form);
        assert_eq!(found.conclusion.len(), 1, "{form}");
        assert_eq!(found.sections.len(), 1, "{form}");
    }
    // The reply is inside what is closed after it.
    assert_eq!(draft(&forms[4]).0.thinking[0].text, "split by a fence");
    assert_eq!(draft(&forms[6]).0.insights[0].kind, InsightKind::Pattern);
    assert_eq!(draft(&forms[7]).0.insights[0].text, "open (f2)");
    assert_eq!(draft(&forms[9]).0.thinking.len(), 2);
}

#[test]
fn tags_in_json_texts_are_words() {
    let within = WHOLE
        .replace("What an adult pays.", "<thinking>What an adult pays.</thinking>")
        .replace("\"The owners\"", "\"The owners <insight type=x>\"");
    let (whole, _) = draft(&within);
    assert_eq!(whole.thinking[0].text, "What an adult pays.");
    assert_eq!(whole.sections.len(), 1);
    let (behind, _) = draft(&format!("<thinking>short</thinking>{within}"));
    assert_eq!(behind.thinking.len(), 3);
    assert_eq!(behind.sections.len(), 1);
}

#[test]
fn an_insight_needs_a_type_facts_and_no_figure_of_its_own() {
    let with = |kind: &str, text: &str, facts: &str| {
        let json = format!(
            r#"{{"chain": [], "conclusion": ["f2"], "insights": [{{"facts": [{facts}], "text": "{text}", "type": "{kind}"}}], "sections": []}}"#
        );
        let (draft, kinds) = draft(&json);
        (draft.insights.len(), kinds)
    };
    assert_eq!(with("pattern", "It recurs.", "\"f2\"").0, 1);
    assert_eq!(with("Cross-Ref", "It recurs.", "\"f2\"").0, 1);
    for (kind, text, facts, defect) in [
        ("epiphany", "It recurs.", "\"f2\"", DefectKind::UnknownWord),
        ("pattern", "It recurs.", "\"f9\"", DefectKind::UnknownId),
        ("pattern", "It recurs.", "", DefectKind::Ungrounded),
        ("pattern", "It recurs 17 times.", "\"f2\"", DefectKind::ForeignFigure),
        ("pattern", "", "\"f2\"", DefectKind::Empty),
    ] {
        let (kept, kinds) = with(kind, text, facts);
        assert_eq!(kept, 0, "{kind} {text}");
        assert!(kinds.contains(&defect), "{defect:?} not in {kinds:?}");
    }
    // Addresses and marks of a chat never pass.
    let odd = r#"{"chain": [{"step": "concepts", "facts": [], "text": "see https://x.example <|im_start|>"}], "conclusion": ["f2"], "sections": []}"#;
    let (found, kinds) = draft(odd);
    assert_eq!(found.thinking[0].text, "see ‹|im_start|›");
    assert!(kinds.contains(&DefectKind::ForeignFigure));
}

proptest! {
    /// Whatever stands before a good reply, the reply is read, and what is kept is bounded.
    #[test]
    fn pieces_of_tags_never_hide_a_reply(pieces in prop::collection::vec(prop::sample::select(vec![
        "<thinking>", "</thinking>", "<insight type=\"pattern\">", "</insight>", "<insight", "</", "<think", ">",
        "f2 ", "1. Restate: ", "\n", "```\n", "\u{200B}", "[f1] ", "words ", "} ",
    ]), 0..40)) {
        let before: String = pieces.concat();
        let (draft, _) = draft(&format!("{before}\n{WHOLE}\n"));
        prop_assert_eq!(draft.conclusion.len(), 1);
        prop_assert!(draft.thinking.len() <= 16 && draft.insights.len() <= 8);
        prop_assert!(draft.thinking.iter().all(|step| step.text.chars().count() <= 400));
        prop_assert!(draft.insights.iter().any(|one| one.kind == InsightKind::CrossRef) || draft.insights.len() == 8);
    }

    #[test]
    fn no_text_makes_it_panic(text in "(<thinking>|</thinking>|<insight type=\"|\">|\\{|\\}|\"|f1|\\[|\\]|.){0,60}") {
        let _ = parse(&draft_call(), &text);
    }
}
