//! The three prompts about lenses: as they are sent, and their replies read back.

use super::fixture::{lens_calls as calls, meta_input, perspective_input, points};
use super::properties::{hostile, within_cap};
use super::snapshots::told;
use crate::id::{FactId, PointId};
use crate::port::ModelRole;
use crate::prompt::{
    Defect, DefectKind, MetaAnalysis, ModelCall, ModelReply, Perspective, PerspectiveSynthesis,
    PointStance, PromptBook, SynthesizeInput, parse,
};
use proptest::prelude::*;

/// A well-formed reply to each of [`calls`].
const REPLIES: [&str; 3] = [
    r#"{"points": [{"facts": ["f2", "f1"], "stance": "qualifies", "statement": "The fare of 62 kroner is the owners' own statement."}, {"facts": ["f3"], "stance": "opposes", "statement": "As f3 says, half of c1 cannot be known."}], "would_change": "Audited accounts that state the revenue."}"#,
    r#"{"groups": [{"points": ["v1", "v4"]}], "tensions": [{"points": ["v1", "v3"], "why": "They differ about how far the owners can be believed."}], "unique": ["v2"]}"#,
    r#"{"sentences": [{"points": ["v1", "v4"], "text": "Under every lens the fare is known from the owners alone."}, {"points": ["v1", "v3"], "text": "Where v1 and v3 part is whether that is enough."}]}"#,
];

fn kinds(defects: &[Defect]) -> Vec<DefectKind> {
    defects.iter().map(|defect| defect.kind).collect()
}

fn view(text: &str) -> (Option<Perspective>, Vec<DefectKind>) {
    let parsed = parse(&calls()[0], text);
    let kinds = kinds(&parsed.defects);
    match parsed.reply {
        Some(ModelReply::Perspective(found)) => (Some(found), kinds),
        None => (None, kinds),
        other => panic!("{other:?}"),
    }
}

fn compared(text: &str) -> (Option<PerspectiveSynthesis>, Vec<DefectKind>) {
    let parsed = parse(&calls()[1], text);
    let kinds = kinds(&parsed.defects);
    match parsed.reply {
        Some(ModelReply::SynthesizePerspectives(found)) => (Some(found), kinds),
        None => (None, kinds),
        other => panic!("{other:?}"),
    }
}

fn weighed(text: &str) -> (Option<MetaAnalysis>, Vec<DefectKind>) {
    let parsed = parse(&calls()[2], text);
    let kinds = kinds(&parsed.defects);
    match parsed.reply {
        Some(ModelReply::MetaAnalysis(found)) => (Some(found), kinds),
        None => (None, kinds),
        other => panic!("{other:?}"),
    }
}

#[test]
fn prompts_read_like_this() {
    let book = PromptBook::builtin();
    for call in calls() {
        let rendered = book.render(&call);
        assert_eq!(rendered.role, ModelRole::Strong);
        assert!(!rendered.user.contains("{{") && !rendered.system.contains("{{"));
        assert_eq!(rendered.user.matches("</claim>").count(), usize::from(call == calls()[0]));
        insta::assert_snapshot!(rendered.prompt.clone(), told(&rendered));
    }
}

#[test]
fn good_replies_are_read_whole() {
    for (call, text) in calls().iter().zip(REPLIES) {
        let plain = parse(call, text);
        for text in [
            text.to_owned(),
            format!("Here you are:\n```json\n{text}\n```\nI hope it helps."),
            text.replace("]}", "],}"),
        ] {
            let parsed = parse(call, &text);
            assert!(parsed.reply.is_some(), "{text}: {:?}", parsed.defects);
            assert_eq!(parsed.reply, plain.reply, "{text}");
        }
        assert_eq!(plain.defects, vec![], "{text}");
        let reply = plain.reply.unwrap();
        // What was read can be journaled and read again.
        let json = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<ModelReply>(&json).unwrap(), reply);
    }
    let (found, _) = view(REPLIES[0]);
    let found = found.unwrap();
    assert_eq!(found.points.len(), 2);
    assert_eq!(found.points[0].stance, PointStance::Qualifies);
    assert_eq!(found.points[0].facts, [FactId::from("f2"), FactId::from("f1")]);
    // What a fact and a statement are called in the prompt means nothing outside it.
    assert_eq!(
        found.points[1].statement,
        "As \"The town\" says, half of the answer cannot be known."
    );
    assert_eq!(found.would_change, "Audited accounts that state the revenue.");
    let (found, _) = compared(REPLIES[1]);
    let found = found.unwrap();
    assert_eq!(found.groups, [["v1", "v4"].map(PointId::from).to_vec()]);
    assert_eq!(found.tensions[0].why, "They differ about how far the owners can be believed.");
    assert_eq!(found.unique, [PointId::from("v2")]);
    assert_eq!(weighed(REPLIES[2]).0.unwrap().sentences.len(), 2);
}

#[test]
fn a_point_that_rests_on_nothing_is_dropped() {
    let point = |statement: &str, stance: &str, facts: &str| {
        format!("{{\"statement\": \"{statement}\", \"stance\": \"{stance}\", \"facts\": {facts}}}")
    };
    let reply = |points: &[String]| format!("{{\"points\": [{}]}}", points.join(", "));
    let good = point("Nobody else says it.", "opposes", "[\"F2\"]");
    for (bad, kind) in [
        (point("So it is.", "opposes", "[\"f9\"]"), DefectKind::Ungrounded),
        (point("So it is.", "opposes", "[]"), DefectKind::Ungrounded),
        (point("It costs 99 kroner.", "opposes", "[\"f2\"]"), DefectKind::ForeignFigure),
        // A figure of another fact than the ones it names.
        (point("It costs 45 kroner.", "opposes", "[\"f2\"]"), DefectKind::ForeignFigure),
        (point("As f9 shows, it is dear.", "opposes", "[\"f2\"]"), DefectKind::ForeignFigure),
        (point("So it is.", "doubts", "[\"f2\"]"), DefectKind::UnknownWord),
        (point("...", "opposes", "[\"f2\"]"), DefectKind::Empty),
        (point("Nobody ELSE says it", "supports", "[\"f1\"]"), DefectKind::DuplicateId),
    ] {
        let (found, said) = view(&reply(&[good.clone(), bad.clone()]));
        assert_eq!(found.unwrap().points.len(), 1, "{bad}");
        assert!(said.contains(&kind), "{bad}: {said:?}");
        if kind != DefectKind::DuplicateId {
            assert_eq!(view(&reply(std::slice::from_ref(&bad))).0, None, "{bad}: asked again");
        }
    }
    // One id of several that does not exist costs only itself.
    let (found, said) =
        view(&reply(&[point("It is dear.", "supports", "[\"f2\", \"f77\", \"[f2]\"]")]));
    assert_eq!(found.unwrap().points[0].facts, [FactId::from("f2")]);
    assert!(said.contains(&DefectKind::UnknownId));
    // Six at most, and none is an honest reply.
    let many: Vec<String> =
        ('a'..='i').map(|c| point(&format!("Point {c}."), "supports", "[\"f2\"]")).collect();
    assert_eq!(view(&reply(&many)).0.unwrap().points.len(), 6);
    let (found, said) =
        view("{\"points\": [], \"would_change\": \"See www.x.org for 12 % more.\"}");
    let found = found.unwrap();
    assert!(found.points.is_empty() && found.would_change.is_empty());
    assert_eq!(said.iter().filter(|kind| **kind == DefectKind::ForeignFigure).count(), 2);
    // Cut in the middle: what is whole is kept.
    let cut = &REPLIES[0][..REPLIES[0].find("As f3").unwrap()];
    let (found, said) = view(cut);
    assert_eq!(found.unwrap().points.len(), 1);
    assert!(said.contains(&DefectKind::Truncated));
    for nothing in ["", "I see nothing.", "[]", "null", "{\"points\": \"none\"}"] {
        assert_eq!(view(nothing).0, None, "{nothing}");
    }
}

#[test]
fn groups_and_tensions_are_of_two_lenses() {
    let odd = r#"{"groups": [{"points": ["V1", "v2"]}, {"points": ["v9", "v3"]}, {"points": ["v1", "v3", "v9"]}, {"points": ["v1", "v3"]}],
        "tensions": [{"points": ["v1"], "why": "."}, {"points": ["v1", "v2"], "why": "One lens."}, {"points": ["v1", "v3", "v4"], "why": "Three."},
            {"points": ["v2", "v3"], "why": "It is 80 % hidden."}], "unique": ["v4", "v8"]}"#;
    let (found, said) = compared(odd);
    let found = found.unwrap();
    assert_eq!(found.groups, [["v1", "v3"].map(PointId::from).to_vec()]);
    assert_eq!(found.tensions.len(), 1);
    assert_eq!(found.tensions[0].why, "", "a figure that no point holds");
    for kind in [
        DefectKind::UnknownId,
        DefectKind::Ungrounded,
        DefectKind::DuplicateId,
        DefectKind::ForeignFigure,
    ] {
        assert!(said.contains(&kind), "{kind:?}: {said:?}");
    }
    let nothing = "{\"groups\": [], \"tensions\": [], \"unique\": []}";
    assert_eq!(compared(nothing), (Some(PerspectiveSynthesis::default()), vec![]));
    assert_eq!(compared("{\"groups\": [{\"points\": [\"v8\", \"v9\"]}]}").0, None, "asked again");
    assert_eq!(compared("They all agree.").0, None);
}

#[test]
fn a_sentence_about_the_whole_names_its_points() {
    let odd = r#"{"sentences": [{"text": "It stands.", "points": ["v9"]}, {"text": "It is 70 % sure.", "points": ["v1"]},
        {"text": "The fare is known; see https://x.org", "points": ["v1", "v9", "V4"]}, {"text": " ", "points": ["v1"]}]}"#;
    let (found, said) = weighed(odd);
    let sentences = found.unwrap().sentences;
    assert_eq!(sentences.len(), 1);
    assert_eq!(sentences[0].text, "The fare is known; see");
    assert_eq!(sentences[0].points, ["v1", "v4"].map(PointId::from).to_vec());
    for kind in [
        DefectKind::UnknownId,
        DefectKind::Ungrounded,
        DefectKind::ForeignFigure,
        DefectKind::Empty,
    ] {
        assert!(said.contains(&kind), "{kind:?}: {said:?}");
    }
    assert_eq!(weighed("{\"sentences\": []}"), (Some(MetaAnalysis::default()), vec![]));
    assert_eq!(weighed(&REPLIES[2].replace("\"v", "\"w")).0, None);
}

/// The examples in the prompts are about other things; a model that hands one back has answered nothing.
#[test]
fn an_example_handed_back_is_no_reply() {
    for call in calls() {
        let system = PromptBook::builtin().render(&call).system;
        let (_, example) = system.rsplit_once("An example").unwrap();
        let parsed = parse(&call, example);
        assert_eq!(parsed.reply, None, "{}", call.prompt());
        assert!(kinds(&parsed.defects).contains(&DefectKind::PromptEcho), "{}", call.prompt());
    }
}

/// Nothing that was not listed comes out of any reply.
fn names_hold(call: &ModelCall, reply: Option<&ModelReply>) {
    let known = points();
    let stands = |id: &PointId| known.iter().any(|point| point.id == *id);
    match (call, reply) {
        (ModelCall::Perspective(input), Some(ModelReply::Perspective(found))) => {
            for point in &found.points {
                assert!(!point.facts.is_empty() && !point.statement.trim().is_empty());
                assert!(point.facts.iter().all(|id| input.facts.iter().any(|f| f.id == *id)));
            }
        }
        (_, Some(ModelReply::SynthesizePerspectives(found))) => {
            assert!(found.groups.iter().flatten().all(stands));
            assert!(found.tensions.iter().flat_map(|tension| &tension.points).all(stands));
            assert!(found.unique.iter().all(stands));
        }
        (_, Some(ModelReply::MetaAnalysis(found))) => {
            assert!(
                found
                    .sentences
                    .iter()
                    .all(|one| { !one.points.is_empty() && one.points.iter().all(stands) })
            );
        }
        (_, other) => assert_eq!(other, None),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_reply_is_read(text in "[ -~\n\u{E0}-\u{FF}]{0,160}", at in 0usize..3) {
        let parsed = parse(&calls()[at], &text);
        names_hold(&calls()[at], parsed.reply.as_ref());
        prop_assert!(parsed.reply.is_some() || !parsed.defects.is_empty());
    }

    #[test]
    fn chance_breaks_no_reply(
        at in 0usize..3, cut in 0.0f64..1.0, skip in 0usize..30, put in "[{}\\[\\]\",:vf0-9a-z .\n\\\\]{0,8}", end in 0.3f64..1.3,
    ) {
        let chars: Vec<char> = REPLIES[at].chars().collect();
        let from = (cut * chars.len() as f64) as usize;
        let to = (from + skip).min(chars.len());
        let end = ((end * chars.len() as f64) as usize).clamp(to, chars.len());
        let text: String = chars[..from].iter().copied().chain(put.chars()).chain(chars[to..end].iter().copied()).collect();
        names_hold(&calls()[at], parse(&calls()[at], &text).reply.as_ref());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn prompts_stay_within_their_caps(text in hostile(), long in 0usize..600, count in 1usize..60) {
        let book = PromptBook::builtin();
        let stretched = format!("{text} {}", "Long words here. ".repeat(long));
        let mut input = perspective_input();
        input.question.clone_from(&stretched);
        input.facts[1].quote.clone_from(&stretched);
        input.facts = vec![input.facts[1].clone(); count];
        input.claims[0].text.clone_from(&stretched);
        input.claims = vec![input.claims[0].clone(); count];
        within_cap(&book, &ModelCall::Perspective(input));
        let mut point = points()[0].clone();
        point.statement.clone_from(&stretched);
        point.lens.clone_from(&stretched);
        point.mark.clone_from(&stretched);
        point.facts = vec![FactId(stretched.clone()); count];
        let all = vec![point; count];
        let question = stretched.clone();
        within_cap(&book, &ModelCall::SynthesizePerspectives(SynthesizeInput { question, points: all.clone() }));
        let mut meta = meta_input();
        meta.question.clone_from(&stretched);
        meta.points = all;
        meta.tensions[0].why.clone_from(&stretched);
        meta.tensions = vec![meta.tensions[0].clone(); count];
        meta.consensus = vec![vec![PointId(stretched.clone()); count]; count];
        within_cap(&book, &ModelCall::MetaAnalysis(meta));
    }
}
