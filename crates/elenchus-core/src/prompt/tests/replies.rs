//! Replies read back: the good one exactly, and what is wrong dropped with a word.

use super::fixture::{
    REPLIES, calls, clarify_call, draft_call, entail_input, facts_call, fallacy_input,
    follow_up_call, gaps_call, hypothesize_call, passages, plan_call, reflect_call,
};
use crate::evidence::char_slice;
use crate::inquiry::gap::GapReason;
use crate::prompt::entail::{EntailVerdict, Entailed, parse_minicheck};
use crate::prompt::{
    Bearing, Clarification, DefectKind, Draft, FactRole, Facts, Hypotheses, ModelCall, ModelReply,
    Parsed, Plan, Polarity, Prior, PromptBook, QuestionKind, Reflection, Severity, parse,
};

fn good(at: usize) -> ModelReply {
    let parsed = parse(&calls()[at], REPLIES[at]);
    assert_eq!(parsed.defects, vec![], "{}", REPLIES[at]);
    parsed.reply.unwrap()
}

fn kinds(parsed: &Parsed) -> Vec<DefectKind> {
    parsed.defects.iter().map(|defect| defect.kind).collect()
}

fn facts(text: &str) -> (Facts, Vec<DefectKind>) {
    let parsed = parse(&facts_call(), text);
    let kinds = kinds(&parsed);
    match parsed.reply {
        Some(ModelReply::ExtractFacts(facts)) => (facts, kinds),
        None => (Facts::default(), kinds),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plan() {
    let ModelReply::Plan(plan) = good(0) else { panic!() };
    assert_eq!(plan.questions.len(), 2);
    assert_eq!(plan.questions[0].severity, Severity::Critical);
    assert_eq!(plan.questions[0].expects.as_deref(), Some("money"));
    assert_eq!(plan.questions[1].depends_on, [1]);
    assert_eq!(plan.questions[1].kind, QuestionKind::Survey);
    assert_eq!(plan.questions[1].queries.len(), 2);
    assert_eq!(plan.estimated_sources, 2);
    let doubled =
        REPLIES[0].replace("\"id\": 2", "\"id\": 1").replace("\"important\"", "\"urgent\"");
    let parsed = parse(&plan_call(), &doubled);
    assert!(
        kinds(&parsed).contains(&DefectKind::DuplicateId)
            && kinds(&parsed).contains(&DefectKind::UnknownWord)
    );
    let Some(ModelReply::Plan(Plan { questions, .. })) = parsed.reply else { panic!() };
    assert_eq!((questions[1].id, questions[1].severity), (2, Severity::Important));
    assert_eq!(parse(&plan_call(), "{\"questions\": []}").reply, None);
    assert_eq!(parse(&plan_call(), "{\"questions\": [{\"text\": \"\"}]}").reply, None);
}

#[test]
fn a_reflection() {
    let ModelReply::Reflect(reflection) = good(1) else { panic!() };
    let all = passages();
    assert_eq!(reflection.answered_questions, [1]);
    assert_eq!(reflection.unanswered_questions, [2]);
    assert!(!reflection.is_sufficient);
    assert_eq!(
        reflection.relevant_passage_ids,
        [1, 0, 2].map(|at: usize| all[at].passage.id.clone())
    );
    assert_eq!(
        reflection.notes[0].note,
        "\"Fares of the Ørland ferry\" gives the fare of an adult."
    );
    assert_eq!(reflection.notes.len(), 2);
    assert_eq!(reflection.new_gaps_identified[0].severity, Severity::Minor);
    let odd = r#"{"answered_questions": [1, 2, 7], "unanswered_questions": [2], "is_sufficient": true, "relevant_passage_ids": ["P2.1", "P2", "P17", "fares.md"], "notes": [{"question_id": 1, "note": "see https://a.test/x now"}]}"#;
    let parsed = parse(&reflect_call(), odd);
    let said = kinds(&parsed);
    for kind in [
        DefectKind::UnknownId,
        DefectKind::Contradiction,
        DefectKind::UnknownUnit,
        DefectKind::ForeignFigure,
    ] {
        assert!(said.contains(&kind), "{kind:?}: {said:?}");
    }
    let Some(ModelReply::Reflect(Reflection {
        answered_questions,
        relevant_passage_ids,
        notes,
        is_sufficient,
        ..
    })) = parsed.reply
    else {
        panic!()
    };
    assert_eq!((answered_questions, is_sufficient), (vec![1], false));
    assert_eq!(relevant_passage_ids, [all[1].passage.id.clone()]);
    assert_eq!(notes[0].note, "see now");
}

#[test]
fn facts_are_places() {
    let ModelReply::ExtractFacts(Facts { facts }) = good(2) else { panic!() };
    let all = passages();
    let of = |at: usize| {
        let read = all.iter().find(|read| read.passage.id == facts[at].passage_id).unwrap();
        let value = facts[at].value.map(|span| char_slice(&read.passage.text, span).unwrap());
        (char_slice(&read.passage.text, facts[at].span).unwrap(), value)
    };
    assert_eq!(of(0), ("| Adult | 62 kroner |", Some("62 kroner")));
    assert_eq!(of(1), ("A crossing costs 45 kroner.", Some("45 kroner")));
    assert_eq!(of(2), ("- The owners do not disclose their revenue.", None));
    assert_eq!((facts[0].role, facts[0].bearing), (FactRole::Answer, Some(Bearing::Strong)));
    assert_eq!((facts[1].role, facts[1].bearing), (FactRole::Superseded, None));
    assert_eq!(facts[2].polarity, Some(Polarity::No));
    assert_eq!(
        parse(&facts_call(), "{\"facts\": []}").reply,
        Some(ModelReply::ExtractFacts(Facts::default()))
    );
}

#[test]
fn what_does_not_stand_there_is_dropped() {
    let fact = |unit: &str, value: &str, rest: &str| {
        format!(
            "{{\"facts\": [{{\"question_id\": 1, \"unit\": \"{unit}\", \"value\": {value}, \"role\": \"answer\", \"polarity\": null, \"bearing\": \"fair\", \"warrant\": \"{rest}\"}}]}}"
        )
    };
    // A value in other case, spaces and quotation marks is found; one that is not there is left out.
    let (found, said) = facts(&fact("p1.2", "\"\\\"Half the fare\\\"\"", "fits"));
    let old = &passages()[0].passage;
    assert_eq!(char_slice(&old.text, found.facts[0].value.unwrap()), Some("“half  the fare”"));
    assert_eq!(said, []);
    let (found, said) = facts(&fact("P2.2", "\"6 kroner\"", "fits"));
    assert_eq!((found.facts[0].value, said), (None, vec![DefectKind::ValueNotThere]));
    // A unit or question that is not there takes the fact with it.
    for unit in ["P2.9", "P9.1", "P2", "", "P2.2-P2.3", "fares.md"] {
        let (found, said) = facts(&fact(unit, "null", "fits"));
        assert_eq!((found.facts.len(), said), (0, vec![DefectKind::UnknownUnit]), "{unit}");
        assert_eq!(parse(&facts_call(), &fact(unit, "null", "fits")).reply, None);
    }
    let (_, said) =
        facts(&fact("P2.2", "null", "fits").replace("\"question_id\": 1", "\"question_id\": 5"));
    assert_eq!(said, [DefectKind::UnknownId]);
    // No role, no fact; no other bearing in the place of one that does not exist.
    let (found, said) =
        facts(&fact("P2.2", "null", "fits").replace("\"answer\"", "\"answered by\""));
    assert_eq!((found.facts.len(), said), (0, vec![DefectKind::UnknownWord]));
    let (found, _) = facts(&fact("P2.2", "null", "fits").replace("\"fair\"", "\"certain\""));
    assert_eq!(found.facts[0].bearing, None);
    // A figure of the model's own is shown to nobody; one of the passage may be repeated.
    let (found, said) = facts(&fact("P2.2", "null", "in P2.2 it is 99 kroner"));
    assert_eq!((found.facts[0].warrant.as_str(), said), ("", vec![DefectKind::ForeignFigure]));
    let (found, said) = facts(&fact("P2.2", "null", "P2.2 says 62 kroner"));
    assert_eq!((found.facts[0].warrant.as_str(), said), ("the passage says 62 kroner", vec![]));
    // The same again counts once.
    let twice = REPLIES[2].replace("P1.1", "P2.2");
    let (found, said) = facts(&twice);
    assert_eq!((found.facts.len(), said.contains(&DefectKind::DuplicateId)), (2, true));
}

#[test]
fn gap_findings() {
    let ModelReply::AnalyzeGaps(found) = good(3) else { panic!() };
    assert_eq!(found.findings[0].give_up, Some(GapReason::Unavailable));
    assert_eq!(found.findings[0].passage_id, Some(passages()[2].passage.id.clone()));
    let of = |text: &str| match parse(&gaps_call(), text) {
        Parsed { reply: Some(ModelReply::AnalyzeGaps(found)), .. } => found.findings,
        Parsed { reply: None, .. } => vec![],
        other => panic!("{other:?}"),
    };
    // A reason without its passage, or one that only code may give, gives nothing up.
    for other in [
        REPLIES[3].replace("\"P3\"", "null"),
        REPLIES[3].replace("\"P3\"", "\"P33\""),
        REPLIES[3].replace("unavailable", "attempts"),
        REPLIES[3].replace("unavailable", "budget"),
        REPLIES[3].replace("unavailable", "not available"),
    ] {
        let findings = of(&other);
        assert_eq!((findings.len(), findings[0].give_up), (1, None), "{other}");
    }
    assert_eq!(of(&REPLIES[3].replace("g2", "g7")), vec![]);
    assert_eq!(parse(&gaps_call(), &REPLIES[3].replace("g2", "g7")).reply, None);
}

#[test]
fn no_search_carries_the_prompt_away() {
    let call = follow_up_call();
    let told = PromptBook::builtin().render(&call).system;
    let begin = told.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
    let reply = serde_json::json!({
        "queries": [
            {"query": format!("ferry {begin} fares"), "strategy": "keywords"},
            {"query": "ferry ticket of a child", "strategy": "angle"},
        ],
        "rationale": "",
    });
    let parsed = parse(&call, &reply.to_string());
    assert!(kinds(&parsed).contains(&DefectKind::PromptEcho), "{:?}", parsed.defects);
    let Some(ModelReply::FollowUp(found)) = parsed.reply else { panic!() };
    let queries: Vec<&str> = found.queries.iter().map(|one| one.query.as_str()).collect();
    assert_eq!(queries, ["ferry ticket of a child"]);
}

#[test]
fn follow_ups() {
    let ModelReply::FollowUp(found) = good(4) else { panic!() };
    assert_eq!(found.queries.len(), 2);
    let parsed = parse(&follow_up_call(), &REPLIES[4].replace("\"angle\"", "\"sideways\""));
    assert_eq!(kinds(&parsed), [DefectKind::UnknownWord]);
    let Some(ModelReply::FollowUp(found)) = parsed.reply else { panic!() };
    assert_eq!(found.queries.len(), 1);
    let spelt = REPLIES[4].replace("time_focus", "Time focus");
    let Some(ModelReply::FollowUp(found)) = parse(&follow_up_call(), &spelt).reply else {
        panic!()
    };
    assert_eq!(found.queries.len(), 2);
}

#[test]
fn drafts() {
    let ModelReply::Draft(found) = good(5) else { panic!() };
    assert_eq!(found.conclusion[0].as_str(), "f2");
    assert_eq!(found.sections[0].heading, "The owners");
    let odd = r#"{"conclusion": ["F2", "f2", "f9"], "sections": [{"heading": "About 900 kroner", "facts": ["f3"]}, {"heading": "Nothing", "facts": ["f2"]}]}"#;
    let parsed = parse(&draft_call(), odd);
    for kind in [DefectKind::UnknownId, DefectKind::DuplicateId, DefectKind::ForeignFigure] {
        assert!(kinds(&parsed).contains(&kind), "{kind:?}");
    }
    let Some(ModelReply::Draft(Draft { conclusion, sections, .. })) = parsed.reply else {
        panic!()
    };
    assert_eq!((conclusion.len(), sections.len(), sections[0].heading.as_str()), (1, 1, ""));
    assert_eq!(parse(&draft_call(), "{\"conclusion\": [\"f9\"], \"sections\": []}").reply, None);
    assert_eq!(
        parse(&draft_call(), "{\"conclusion\": [], \"sections\": []}").reply,
        Some(ModelReply::Draft(Draft::default()))
    );
}

#[test]
fn verdicts_are_the_models_or_none() {
    let book = PromptBook::builtin();
    let input = entail_input();
    let of = |text: &str| book.parse_entail(&input, text);
    let good = of(
        r#"{"verdicts": [{"number": 1, "units": ["P1.2"], "verdict": "supported"}, {"number": 2, "units": [], "verdict": "not_enough"}, {"number": 3, "units": ["P3.1"], "verdict": "contradicted"}]}"#,
    );
    let entailed = |verdict, units: &[usize]| Some(Entailed { verdict, units: units.to_vec() });
    assert_eq!(good.defects, vec![]);
    assert_eq!(
        good.verdicts,
        [
            entailed(EntailVerdict::Supported, &[1]),
            entailed(EntailVerdict::NotEnough, &[]),
            entailed(EntailVerdict::Contradicted, &[0]),
        ]
    );
    // Missing, doubled, contradictory, unknown and ungrounded ones are no verdicts.
    let odd = of(
        r#"{"verdicts": [{"number": 1, "units": ["P1.2"], "verdict": "supported"}, {"number": 1, "units": ["P1.2"], "verdict": "not enough"}, {"number": 3, "units": ["P1.1"], "verdict": "supported"}, {"number": 4, "units": [], "verdict": "supported"}]}"#,
    );
    assert_eq!(odd.verdicts, [None, None, None]);
    let kinds: Vec<DefectKind> = odd.defects.iter().map(|defect| defect.kind).collect();
    for kind in [
        DefectKind::Contradiction,
        DefectKind::UnknownUnit,
        DefectKind::Ungrounded,
        DefectKind::UnknownId,
        DefectKind::MissingKey,
    ] {
        assert!(kinds.contains(&kind), "{kind:?}: {kinds:?}");
    }
    for nothing in [
        "",
        "{\"verdicts\": []}",
        "{\"verdicts\": [{\"number\": 1, \"verdict\": \"entailed\"}]}",
        "yes",
    ] {
        let parsed = of(nothing);
        assert!(parsed.is_empty() && !parsed.defects.is_empty(), "{nothing}");
    }
    // The only unit there is need not be named.
    let lone = of(r#"{"verdicts": [{"number": 2, "units": [], "verdict": "contradicted"}]}"#);
    assert_eq!(lone.verdicts[1], entailed(EntailVerdict::Contradicted, &[0]));
}

#[test]
fn yes_or_no() {
    for (text, verdict) in [
        ("Yes", Some(true)),
        ("no.\n", Some(false)),
        ("**Yes**, it does", Some(true)),
        ("No, the document says otherwise", Some(false)),
        ("", None),
        ("Maybe", None),
        ("yes and no", None),
        ("The answer is yes", None),
    ] {
        let (found, defects) = parse_minicheck(text);
        assert_eq!(found, verdict, "{text}");
        assert!(verdict.is_some() || !defects.is_empty());
    }
}

#[test]
fn fallacy_findings_are_places() {
    let book = PromptBook::builtin();
    let input = fallacy_input();
    let good = book.parse_fallacies(&input, r#"{"findings": [{"fallacy": "appeal_to_popularity", "number": 2, "words": "\"everyone takes it\""}]}"#);
    assert_eq!(good.defects, vec![]);
    let found = &good.findings.unwrap()[0];
    assert_eq!((found.sentence, found.words.as_str()), (1, "“everyone  takes it”"));
    assert_eq!(char_slice(&input.sentences[1], found.span), Some(found.words.as_str()));
    for (text, kind) in [
        (r#"{"fallacy": "rudeness", "number": 2, "words": "takes it"}"#, DefectKind::UnknownWord),
        (
            r#"{"fallacy": "proof_texting", "number": 2, "words": "takes it"}"#,
            DefectKind::UnknownWord,
        ),
        (
            r#"{"fallacy": "ad_hominem", "number": 2, "words": "everyone hates it"}"#,
            DefectKind::ValueNotThere,
        ),
        (r#"{"fallacy": "ad_hominem", "number": 7, "words": "takes it"}"#, DefectKind::UnknownId),
    ] {
        let parsed = book.parse_fallacies(&input, &format!("{{\"findings\": [{text}]}}"));
        assert_eq!(parsed.findings, None, "{text}");
        assert!(
            parsed.defects.iter().any(|defect| defect.kind == kind),
            "{text}: {:?}",
            parsed.defects
        );
    }
    assert_eq!(book.parse_fallacies(&input, "{\"findings\": []}").findings, Some(vec![]));
    assert_eq!(book.parse_fallacies(&input, "none").findings, None);
}

/// The examples in the prompts are about other things; a model that hands one back has answered nothing.
#[test]
fn an_example_handed_back_is_no_reply() {
    let book = PromptBook::builtin();
    let mut checked = 0;
    for call in calls() {
        let system = book.render(&call).system;
        let (_, example) = system.rsplit_once("An example").unwrap();
        let parsed = parse(&call, example);
        assert_eq!(parsed.reply, None, "{}", call.prompt());
        let echo = kinds(&parsed).contains(&DefectKind::PromptEcho);
        assert!(echo, "{}: {:?}", call.prompt(), parsed.defects);
        checked += 1;
    }
    assert_eq!(checked, REPLIES.len());
}

#[test]
fn a_call_is_answered_by_its_own_kind() {
    for (at, call) in calls().iter().enumerate() {
        let reply = good(at);
        let same = matches!(
            (call, &reply),
            (ModelCall::Plan(_), ModelReply::Plan(_))
                | (ModelCall::Reflect(_), ModelReply::Reflect(_))
                | (ModelCall::ExtractFacts(_), ModelReply::ExtractFacts(_))
                | (ModelCall::AnalyzeGaps(_), ModelReply::AnalyzeGaps(_))
                | (ModelCall::FollowUp(_), ModelReply::FollowUp(_))
                | (ModelCall::Draft(_), ModelReply::Draft(_))
                | (ModelCall::Hypothesize(_), ModelReply::Hypothesize(_))
                | (ModelCall::Critique(_), ModelReply::Critique(_))
                | (ModelCall::Revise(_), ModelReply::Revise(_))
                | (ModelCall::Clarify(_), ModelReply::Clarify(_))
        );
        assert!(same);
        // What was read can be journaled and read again.
        let text = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<ModelReply>(&text).unwrap(), reply);
    }
}

fn hypotheses(text: &str) -> (Option<Hypotheses>, Vec<DefectKind>) {
    let parsed = parse(&hypothesize_call(), text);
    let kinds = kinds(&parsed);
    match parsed.reply {
        Some(ModelReply::Hypothesize(found)) => (Some(found), kinds),
        None => (None, kinds),
        other => panic!("{other:?}"),
    }
}

#[test]
fn competing_explanations() {
    let ModelReply::Hypothesize(Hypotheses { hypotheses: good }) = good(6) else { panic!() };
    assert_eq!(good.len(), 2);
    assert_eq!((good[0].prior, good[1].prior), (Prior::Likely, Prior::Unlikely));
    assert_eq!((good[0].queries_for.len(), good[0].queries_against.len()), (2, 1));
    // What a passage is called in the prompt means nothing outside it.
    assert!(good[0].claim.contains("\"Fares of the Ørland ferry\""), "{}", good[0].claim);
    let one = |claim: &str| {
        format!(
            "{{\"claim\": \"{claim}\", \"prior\": \"possible\", \"queries_for\": [\"a\"], \"queries_against\": [\"b\"]}}"
        )
    };
    let reply = |claims: &[&str]| {
        let items: Vec<String> = claims.iter().map(|claim| one(claim)).collect();
        format!("{{\"hypotheses\": [{}]}}", items.join(", "))
    };
    let count = |claims: &[&str]| hypotheses(&reply(claims)).0.map(|found| found.hypotheses.len());
    assert_eq!(count(&["It is dear.", "it is DEAR", "It is not dear."]), Some(2), "doubles go");
    assert_eq!(count(&["A.", "B.", "C.", "D.", "E.", "F."]), Some(4), "four at most");
    assert_eq!(count(&["It is dear."]), Some(0), "one competes with nothing");
    assert_eq!(count(&["It is dear.", "It is dear."]), Some(0));
    assert_eq!(count(&["", "..."]), None, "asked again");
    assert_eq!(hypotheses("{\"hypotheses\": []}"), (Some(Hypotheses::default()), vec![]));
    assert_eq!(hypotheses("I would rather not.").0, None);
    // A word that is none of the three is not guessed, and figures are no priors.
    let odd = REPLIES[6].replace("\"likely\"", "\"0.9\"").replace("\"unlikely\"", "0.1");
    let (found, said) = hypotheses(&odd);
    assert!(said.contains(&DefectKind::UnknownWord) && said.contains(&DefectKind::WrongType));
    assert!(found.unwrap().hypotheses.iter().all(|one| one.prior == Prior::Possible));
}

fn clarification(text: &str) -> (Option<Clarification>, Vec<DefectKind>) {
    let parsed = parse(&clarify_call(), text);
    let kinds = kinds(&parsed);
    match parsed.reply {
        Some(ModelReply::Clarify(found)) => (Some(found), kinds),
        None => (None, kinds),
        other => panic!("{other:?}"),
    }
}

#[test]
fn questions_asked_back() {
    let at = calls().iter().position(|call| call.prompt() == "clarify").unwrap();
    let ModelReply::Clarify(found) = good(at) else { panic!() };
    assert!(found.vague);
    assert_eq!(found.questions.len(), 2);
    assert_eq!(found.questions[0].choices, ["passengers", "the owners", "the press"]);
    assert_eq!(found.questions[1].why, "The fares changed in 2020.");
    let clear = "{\"vague\": false, \"questions\": []}";
    assert_eq!(clarification(clear), (Some(Clarification::default()), vec![]));
    let one = |text: &str, choices: &str| {
        format!("{{\"text\": \"{text}\", \"why\": \"w\", \"choices\": [{choices}]}}")
    };
    let reply = |vague: &str, questions: &[String]| {
        format!("{{\"vague\": {vague}, \"questions\": [{}]}}", questions.join(", "))
    };
    let count = |questions: &[String]| {
        clarification(&reply("true", questions)).0.map(|found| found.questions.len())
    };
    let ab = "\"a\", \"b\"";
    let asked =
        |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| one(text, ab)).collect() };
    assert_eq!(count(&asked(&["Who?", "who", "When?"])), Some(2), "doubles go");
    assert_eq!(count(&asked(&["A?", "B?", "C?", "D?", "E?"])), Some(4), "four at most");
    assert_eq!(count(&asked(&["", "?"])), None, "asked again");
    // The word that spares the user the questions counts, whatever follows it; other words are not guessed.
    let (found, said) = clarification(&reply("false", &asked(&["Who?"])));
    assert_eq!((found.unwrap(), said), (Clarification::default(), vec![DefectKind::Contradiction]));
    let (found, said) = clarification(&reply("true", &[]));
    assert_eq!((found.unwrap(), said), (Clarification::default(), vec![DefectKind::Contradiction]));
    let (found, said) = clarification(&reply("\"probably\"", &asked(&["Who?"])));
    assert!(found.unwrap().vague && said.contains(&DefectKind::WrongType));
    // One choice is none, a doubled one counts once, and at most four stand.
    for (choices, left) in [
        ("\"a\"", 0),
        ("\"a\", \"A\"", 0),
        ("\"a\", \"\"", 0),
        (ab, 2),
        ("\"a\", \"b\", \"c\", \"d\", \"e\"", 4),
    ] {
        let (found, _) = clarification(&reply("true", &[one("Who?", choices)]));
        assert_eq!(found.unwrap().questions[0].choices.len(), left, "{choices}");
    }
    // Prose and a fence around it, a reply cut short, an address in a question, the example of the prompt.
    let fenced = format!("Sure!\n```json\n{}\n```\nAsk away.", reply("true", &asked(&["Who?"])));
    assert_eq!(clarification(&fenced).0.unwrap().questions.len(), 1);
    let cut = REPLIES[at].split_at(REPLIES[at].len() / 2).0;
    assert!(clarification(cut).0.is_none_or(|found| found.questions.len() <= 1));
    let (found, said) = clarification(&reply("true", &asked(&["See https://a.test now?"])));
    assert_eq!(found.unwrap().questions[0].text, "See now?");
    assert!(said.contains(&DefectKind::ForeignFigure));
    let echo = "{\"vague\": true, \"questions\": [{\"text\": \"Which part of the harbour do you mean?\", \"why\": \"\", \"choices\": []}]}";
    assert_eq!(clarification(echo), (None, vec![DefectKind::PromptEcho]));
    assert_eq!(clarification("I would rather not.").0, None);
}
