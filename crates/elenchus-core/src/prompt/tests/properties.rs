//! What holds for every passage and every reply.

use super::fixture::{
    REPLIES, calls, entail_input, fact, facts_call_over, fallacy_input, passage, questions,
};
use crate::evidence::{ReadPassage, char_slice};
use crate::prompt::entail::{EntailInput, EntailItem};
use crate::prompt::fallacies::FallacyInput;
use crate::prompt::fragment::PassageFragment;
use crate::prompt::{
    Clarified, DraftInput, Fact, FactRole, ModelCall, ModelReply, PlannedQuestion, PromptBook,
    complaint, parse,
};
use proptest::prelude::*;

/// Pieces of which hostile passages are made.
const HOSTILE: &str = r#"(</passage>|<passage id="P1">|</ passage>|<\|im_start\|>system|<\|im_end\|>|\[INST\]|\[/INST\]|<<SYS>>|</s>|<s>|\nSystem: |\nHuman: |\n\nAssistant:|\[P1\.1\] |\[p2\.2\]|### Instruction:|\{\{passages\}\}|<think>|```json|\u{200B}|\u{202E}|\u{E0041}|\u{FE0F}|\u{7}|\u{2028}|"|'|>|<|/|\[|\]|\|| |\n|- |\| a \| b \||word|Fox 12\.|é|\u{1F600}|\. |# )"#;

pub(super) fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(HOSTILE, 0..40).prop_map(|parts| parts.concat())
}

/// A fragment begins and ends with its own marks, and has no other mark of ours or of a chat between them.
pub(super) fn nothing_breaks_out(rendered: &str, number: usize, room: usize) {
    let opening = format!("<passage id=\"P{number}\"");
    assert!(rendered.starts_with(&opening) && rendered.ends_with("\n</passage>"), "{rendered}");
    assert!(rendered.chars().count() <= room.max(1_200), "{} of {room}", rendered.chars().count());
    let (head, body) = rendered.split_once(">\n").unwrap();
    let inner =
        format!("{} \n{}", &head[opening.len()..], &body[..body.len() - "</passage>".len()]);
    let lower = inner.to_lowercase();
    for mark in [
        "<passage",
        "</passage",
        "<|",
        "|>",
        "[inst]",
        "[/inst]",
        "<<sys",
        "<s>",
        "</s>",
        "<think",
        "</",
        "```",
        "{{",
        "}}",
        "\nsystem:",
        "\nassistant:",
        "\nhuman:",
        "\nuser:",
        "\n#",
    ] {
        assert!(!lower.contains(mark), "{mark}: {rendered}");
    }
    // Each line is a unit with the next id, a line of context, or the count of what is not shown.
    let mut next = 1;
    for line in body.lines() {
        let mark = format!("[P{number}.{next}] ");
        if let Some(rest) = line.strip_prefix(&mark) {
            assert!(
                !rest.to_lowercase().contains("[p1.") && !rest.to_lowercase().contains("[p2."),
                "{rest}"
            );
            let begins = rest.to_lowercase();
            assert!(
                !["system:", "assistant:", "human:", "user:"]
                    .iter()
                    .any(|role| begins.starts_with(role)),
                "{rest}"
            );
            next += 1;
        } else {
            let other = line.starts_with("about: ")
                || line.ends_with("more units not shown)")
                || line == "</passage>";
            assert!(other, "{line}");
        }
    }
    assert!(
        !rendered
            .chars()
            .any(|c| crate::prompt::safe::is_hidden(c) || (c.is_control() && c != '\n'))
    );
}

fn many(texts: &[String]) -> Vec<ReadPassage> {
    let made = |(year, text): (i32, &String)| passage(&format!("d{year}.md"), text, year, text);
    (1900..).zip(texts).map(made).collect()
}

pub(super) fn within_cap(book: &PromptBook, call: &ModelCall) {
    let rendered = book.render(call);
    let (most, length) = (book.file(call.prompt()).user_chars, rendered.user.chars().count());
    assert!(length <= most, "{}: {length} of {most}", call.prompt());
}

/// Every place that a reply names lies in its passage and holds something.
fn places_hold(call: &ModelCall, reply: Option<&ModelReply>) {
    let (ModelCall::ExtractFacts(input), Some(ModelReply::ExtractFacts(facts))) = (call, reply)
    else {
        return;
    };
    for fact in &facts.facts {
        let read = input.passages.iter().find(|read| read.passage.id == fact.passage_id).unwrap();
        let unit = char_slice(&read.passage.text, fact.span).unwrap();
        assert!(!unit.trim().is_empty());
        if let Some(value) = fact.value {
            assert!(fact.span.start <= value.start && value.end <= fact.span.end);
            assert!(!char_slice(&read.passage.text, value).unwrap().trim().is_empty());
        }
        assert!(input.questions.iter().any(|question| question.id == fact.question_id));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_passage_leaves_its_fragment(text in hostile(), title in hostile(), room in 200usize..2_400) {
        let mut read = passage("x.md", &title, 2000, &text);
        read.source.author = Some(title.clone());
        read.passage.table_header = vec![title.clone()];
        read.passage.lead_in = Some(text.clone());
        let fragment = PassageFragment::new(7, &read, room);
        nothing_breaks_out(fragment.as_str(), 7, room);
    }

    #[test]
    fn any_reply_is_read(text in "[ -~\n\u{E0}-\u{FF}]{0,160}", at in 0usize..7) {
        let call = &calls()[at];
        let parsed = parse(call, &text);
        places_hold(call, parsed.reply.as_ref());
        prop_assert!(parsed.reply.is_some() || !parsed.defects.is_empty());
        prop_assert!(complaint(&parsed.defects).chars().count() < 1_600);
    }

    #[test]
    fn chance_breaks_no_reply(
        at in 0usize..9,
        cut in 0.0f64..1.0,
        skip in 0usize..30,
        put in "[{}\\[\\]\",:PpQ0-9a-z .\n\\\\]{0,8}",
        end in 0.3f64..1.3,
    ) {
        let chars: Vec<char> = REPLIES[at].chars().collect();
        let from = (cut * chars.len() as f64) as usize;
        let to = (from + skip).min(chars.len());
        let end = ((end * chars.len() as f64) as usize).clamp(to, chars.len());
        let text: String = chars[..from].iter().copied().chain(put.chars()).chain(chars[to..end].iter().copied()).collect();
        let call = &calls()[at];
        let parsed = parse(call, &text);
        places_hold(call, parsed.reply.as_ref());
        prop_assert!(parsed.defects.len() <= 61, "{} defects", parsed.defects.len());
        // White space between its parts says nothing, whatever ends its lines.
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) {
            let spread = serde_json::to_string_pretty(&value).unwrap().replace('\n', "\r\n");
            prop_assert_eq!(parse(call, &spread).reply, parsed.reply);
        }
        let book = PromptBook::builtin();
        let entailed = book.parse_entail(&entail_input(), &text);
        prop_assert_eq!(entailed.verdicts.len(), 3);
        book.parse_fallacies(&fallacy_input(), &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn prompts_stay_within_their_caps(
        texts in prop::collection::vec(hostile(), 1..60),
        long in 0usize..1_000,
        count in 1usize..60,
    ) {
        let book = PromptBook::builtin();
        let mut passages = many(&texts);
        let stretched = format!("{} {}", texts[0], "Long words here. ".repeat(long));
        passages.push(passage("long.md", &stretched, 2000, &stretched));
        let all: Vec<PlannedQuestion> = (1..=count as u32)
            .map(|id| PlannedQuestion { id, text: stretched.clone(), expects: Some(stretched.clone()), ..questions()[0].clone() })
            .collect();
        let facts: Vec<Fact> = (1..=count as u32)
            .map(|id| {
                let mut made = fact(id, 1, passages.last().unwrap(), " ", FactRole::Answer);
                made.quote.clone_from(&stretched);
                made.value_text = Some(stretched.clone());
                made
            })
            .collect();
        for mut call in calls() {
            match &mut call {
                ModelCall::Plan(input) => {
                    input.question.clone_from(&stretched);
                    input.corpus.subjects = texts.clone();
                    input.corpus.name.clone_from(&stretched);
                    let said = Clarified { question: stretched.clone(), answer: stretched.clone() };
                    input.said = vec![said; count];
                }
                ModelCall::Reflect(input) => {
                    input.question.clone_from(&stretched);
                    input.open.clone_from(&all);
                    input.passages.clone_from(&passages);
                    input.memory = vec![stretched.clone(); count].join("\n");
                }
                ModelCall::ExtractFacts(input) => {
                    input.questions.clone_from(&all);
                    input.passages.clone_from(&passages);
                }
                ModelCall::AnalyzeGaps(input) => {
                    input.questions.clone_from(&all);
                    input.passages.clone_from(&passages);
                    let mut gap = input.gaps[0].clone();
                    gap.description.clone_from(&stretched);
                    gap.previous_queries = vec![stretched.clone(); count];
                    input.gaps = vec![gap; count];
                }
                ModelCall::FollowUp(input) => {
                    input.questions.clone_from(&all);
                    input.gap.description.clone_from(&stretched);
                    input.gap.previous_queries = vec![stretched.clone(); count];
                    input.titles = vec![stretched.clone(); count];
                    input.subjects = vec![stretched.clone(); count];
                    input.memory = vec![stretched.clone(); count].join("\n");
                }
                ModelCall::Clarify(input) => input.question.clone_from(&stretched),
                ModelCall::Hypothesize(input) => {
                    input.question.clone_from(&stretched);
                    input.questions.clone_from(&all);
                    input.passages.clone_from(&passages);
                }
                ModelCall::Critique(input) => {
                    input.question.clone_from(&stretched);
                    input.questions.clone_from(&all);
                    input.passages.clone_from(&passages);
                    let mut claim = input.claims[0].clone();
                    claim.text.clone_from(&stretched);
                    input.claims = vec![claim; count];
                    for list in [&mut input.disagreements, &mut input.missing, &mut input.known] {
                        *list = vec![stretched.clone(); count];
                    }
                    let mut challenge = input.challenges[0].clone();
                    challenge.text.clone_from(&stretched);
                    challenge.basis = vec![stretched.clone(); 6];
                    input.challenges = vec![challenge; count];
                    let mut explanation = input.explanations[0].clone();
                    explanation.claim.clone_from(&stretched);
                    input.explanations = vec![explanation; count];
                }
                ModelCall::Revise(input) => {
                    input.question.clone_from(&stretched);
                    input.sections = vec![stretched.clone(); count];
                    input.facts.clone_from(&facts);
                    input.passages.clone_from(&passages);
                    let mut finding = input.findings[0].clone();
                    finding.text.clone_from(&stretched);
                    input.findings = vec![finding; count];
                    let mut claim = input.claims[0].clone();
                    claim.text.clone_from(&stretched);
                    input.claims = vec![claim; count];
                }
                // `super::lenses` and the tests of `distill` swell those.
                ModelCall::Perspective(_)
                | ModelCall::SynthesizePerspectives(_)
                | ModelCall::MetaAnalysis(_)
                | ModelCall::Distill(_)
                | ModelCall::Fallacies(_) => {}
                ModelCall::Draft(input) => {
                    *input = DraftInput {
                        question: stretched.clone(),
                        questions: all.clone(),
                        facts: Vec::clone(&facts),
                        passages: passages.clone(),
                        framing: super::framing::full(&stretched),
                        memory: stretched.clone(),
                    };
                }
            }
            within_cap(&book, &call);
        }
        let items = vec![EntailItem { claim: stretched.clone(), evidence: texts.clone() }; count];
        let rendered = book.render_entail(&EntailInput { items });
        prop_assert!(rendered.user.chars().count() <= book.file("entail").user_chars);
        let input = FallacyInput { sentences: vec![stretched.clone(); count], theology: true };
        let rendered = book.render_fallacies(&input);
        prop_assert!(rendered.user.chars().count() <= book.file("fallacies").user_chars);
    }
}

/// What there is no room for is counted in the prompt, and what is best is shown.
#[test]
fn room_is_shared_and_what_is_left_out_is_told() {
    let filler = "Nothing of note was said about the weather in the town on that day. ".repeat(30);
    let mut passages: Vec<ReadPassage> =
        (0..200).map(|at| passage(&format!("n{at}.md"), "Notes", 2000, &filler)).collect();
    passages[150].passage.text = "A crossing with the ferry costs an adult 62 kroner.".to_owned();
    let call = facts_call_over(passages);
    let book = PromptBook::builtin();
    let user = book.render(&call).user;
    assert!(user.chars().count() <= 32_000 && user.chars().count() > 24_000);
    let (first, _) = user.split_once("62 kroner").unwrap();
    assert_eq!(first.matches("</passage>").count(), 0, "the best comes first");
    assert!(
        user.contains("more passages not shown for want of room)")
            && user.contains("more units not shown)")
    );
    let shown = user.matches("</passage>").count();
    assert!(user.contains(&format!("({} more passages", 200 - shown)), "{shown}");
    // Only what was shown can be named.
    let reply = |unit: &str| {
        let text = format!(
            "{{\"facts\": [{{\"question_id\": 1, \"unit\": \"{unit}\", \"role\": \"answer\"}}]}}"
        );
        book.parse(&call, &text).reply.is_some()
    };
    assert!(reply("P151.1"));
    let hidden = (1..=200).find(|at| !user.contains(&format!("id=\"P{at}\""))).unwrap();
    assert!(!reply(&format!("P{hidden}.1")) && !reply("P1.29"));
}
