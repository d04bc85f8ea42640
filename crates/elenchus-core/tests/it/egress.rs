//! Which words leave this machine: the Rule of Two, run by run.

use crate::worlds::autonomous;
use elenchus_core::bank::{Lesson, Outcome};
use elenchus_core::evidence::PartialDate;
use elenchus_core::id::{RunId, StrategyId, Timestamp};
use elenchus_core::inquiry::{
    Asking, Derivations, Effect, EgressMode, FailureKind, Input, Opened, Options, Outcome as Told,
    Outward, RuleOfTwo, Run, Sources, Step, WebOptions,
};
use elenchus_core::port::{CorpusOverview, ProviderReport, Retriever, Usage};
use elenchus_core::prompt::{ModelCall, PromptBook};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;
use std::collections::BTreeSet;

const ASKED: &str = "What does the lighthouse keeper earn?";

fn coast() -> World {
    (0..6).fold(World::new("coast"), |world, n| {
        world.document(
            &format!("gossip{n}.md"),
            &format!("# Gossip {n}\n\nThe lighthouse keeper may be respected, says villager {n}."),
        )
    })
}

fn options(sources: Sources, change: impl FnOnce(&mut WebOptions)) -> Options {
    let mut web =
        WebOptions { sources, providers: vec!["searxng".to_owned()], ..WebOptions::default() };
    change(&mut web);
    Options { web: Some(web), ..autonomous() }
}

/// Queries by round, and those that stayed here.
fn queries(driven: &Driven) -> (Vec<BTreeSet<String>>, BTreeSet<String>) {
    let (mut rounds, mut withheld) = (Vec::new(), BTreeSet::new());
    for event in &driven.trace {
        match &event.event {
            TraceEvent::RoundStarted { queries, .. } => {
                rounds.push(queries.iter().cloned().collect());
            }
            TraceEvent::QueryWithheld(one) => {
                assert!(!one.reason.is_empty());
                withheld.insert(one.query.clone());
            }
            _ => {}
        }
    }
    (rounds, withheld)
}

fn rule(driven: &Driven) -> Option<RuleOfTwo> {
    driven.trace.iter().find_map(|event| match &event.event {
        TraceEvent::RuleOfTwo(rule) => Some(rule.clone()),
        _ => None,
    })
}

#[test]
fn with_private_documents_only_what_was_worded_before_reading_leaves() {
    let driven = drive(&coast(), ASKED, options(Sources::Hybrid, |_| ()));
    let rule = rule(&driven).unwrap();
    assert_eq!((rule.untrusted, rule.outward), (true, Outward::BeforeReading));
    assert_eq!(rule.private, ["6 documents of your own"]);
    let (rounds, withheld) = queries(&driven);
    assert!(rounds.len() > 1, "the world must make the run search again: {rounds:?}");
    assert!(rounds[0].is_disjoint(&withheld), "{withheld:?}");
    let plan: BTreeSet<String> = driven
        .run
        .view()
        .plan()
        .questions
        .iter()
        .flat_map(|question| question.queries.iter().cloned().chain([question.text.clone()]))
        .collect();
    let later: BTreeSet<String> = rounds[1..].iter().flatten().cloned().collect();
    let worded_after: BTreeSet<String> = later.difference(&plan).cloned().collect();
    assert!(!worded_after.is_empty());
    assert_eq!(withheld, worded_after);
    let used = driven.run.view().answer().unwrap().web.clone().unwrap();
    assert_eq!(used.withheld.len(), withheld.len());
}

#[test]
fn the_users_word_lifts_it_and_without_documents_nothing_is_private() {
    let allowed =
        drive(&coast(), ASKED, options(Sources::Hybrid, |web| web.private_queries = true));
    assert_eq!(rule(&allowed).unwrap().outward, Outward::ByTheUsersWord);
    let alone = drive(&coast(), ASKED, options(Sources::Web, |_| ()));
    assert_eq!(rule(&alone).unwrap().outward, Outward::AfterReading);
    for driven in [&allowed, &alone] {
        let (rounds, withheld) = queries(driven);
        assert!(rounds.len() > 1 && withheld.is_empty(), "{withheld:?}");
    }
}

#[test]
fn pages_of_an_intranet_are_private_like_documents() {
    let wiki = "pages of hosts that you allowed (wiki.lan)";
    let beside = |change: fn(&mut WebOptions)| {
        let with = |web: &mut WebOptions| {
            web.private = vec![wiki.to_owned()];
            change(web);
        };
        drive(&coast(), ASKED, options(Sources::Web, with))
    };
    let strangers = beside(|_| ());
    let told = rule(&strangers).unwrap();
    assert_eq!((told.outward, told.private), (Outward::BeforeReading, vec![wiki.to_owned()]));
    let (rounds, withheld) = queries(&strangers);
    assert!(rounds.len() > 1 && rounds[0].is_disjoint(&withheld), "{withheld:?}");
    assert!(!withheld.is_empty());
    let used = strangers.run.view().answer().unwrap().web.clone().unwrap();
    assert!(used.withheld.iter().all(|one| one.reason.contains("wiki.lan")), "{used:?}");
    let allowed = beside(|web| web.private_queries = true);
    assert_eq!(rule(&allowed).unwrap().outward, Outward::ByTheUsersWord);
    // The wiki itself may see what it says; documents are not told to it.
    let own = beside(|web| web.own_servers = true);
    assert_eq!(rule(&own).unwrap().outward, Outward::ToOwnServers);
    for driven in [&allowed, &own] {
        assert!(queries(driven).1.is_empty());
    }
    let documents = drive(&coast(), ASKED, options(Sources::Hybrid, |web| web.own_servers = true));
    assert_eq!(rule(&documents).unwrap().outward, Outward::BeforeReading);
}

#[test]
fn offline_nothing_leaves_and_without_the_web_nothing_is_said_of_it() {
    let offline =
        drive(&coast(), ASKED, options(Sources::Hybrid, |web| web.egress = EgressMode::Offline));
    let (rounds, withheld) = queries(&offline);
    assert_eq!(withheld, rounds.into_iter().flatten().collect());
    let local = drive(&coast(), ASKED, autonomous());
    assert!(rule(&local).is_none() && queries(&local).1.is_empty());
    assert!(local.run.view().answer().unwrap().web.is_none());
}

fn lesson() -> Lesson {
    Lesson {
        id: StrategyId::from("mem_words"),
        title: "Pay of the lighthouse keeper".to_owned(),
        description: "When a question asks what somebody at the lighthouse earns".to_owned(),
        content: "Search words: wages attendant draws".to_owned(),
        outcome: Outcome::Success,
        confidence: 0.7,
    }
}

#[test]
fn a_provider_that_fails_is_told_where_the_search_is() {
    let report = |provider: &str, error: Option<&str>| ProviderReport {
        provider: provider.to_owned(),
        results: 0,
        error: error.map(str::to_owned),
    };
    let observed = |rules: Derivations| {
        let world = coast();
        let options = Options { derivations: rules, ..options(Sources::Web, |_| ()) };
        let mut drive = Drive::begin(&world, ASKED, options);
        while let Some((id, effect)) = drive.wanted().into_iter().next() {
            let mut result = drive.perform(&effect);
            if let Told::Found(reply) = &mut result {
                reply.web.asked =
                    vec![report("searxng", None), report("brave", Some("the key is refused"))];
            }
            drive.tell(Input::Outcome { id, result });
        }
        drive.into_driven().trace.into_iter().any(|event| match event.event {
            TraceEvent::ReasoningObservation(one) => {
                assert!(!one.analysis.contains("searxng"), "{one:?}");
                one.analysis.contains("; brave gave nothing: the key is refused")
            }
            _ => false,
        })
    };
    assert!(observed(Derivations::LATEST) && !observed(Derivations::FOURTH));
}

#[test]
fn what_memory_proposes_stays_here() {
    let world = coast().taught(lesson());
    let (rounds, withheld) = queries(&drive(&world, ASKED, options(Sources::Web, |_| ())));
    let proposed: Vec<&String> =
        rounds.iter().flatten().filter(|query| query.contains("attendant")).collect();
    assert!(!proposed.is_empty(), "the lesson must add a search: {rounds:?}");
    assert!(proposed.iter().all(|query| withheld.contains(*query)), "{withheld:?}");
}

/// What the models are told that ask back and plan, in this order.
fn told_before_reading(options: Options) -> [String; 2] {
    let (world, at) = (coast().taught(lesson()), Timestamp(1));
    let opened = Opened {
        run_id: RunId::derive(ASKED, at, 1),
        question: ASKED.to_owned(),
        options: Options { clarify: Asking::Always, ..options },
        corpus: CorpusOverview {
            name: "severance talks".to_owned(),
            subjects: vec!["Tamsin Isles Trust".to_owned()],
            newest: Some(PartialDate::day(2026, 5, 7)),
            ..world.overview()
        },
        model: "of the test".to_owned(),
        judging: None,
        contest: None,
        forked: None,
        recalled: world.recalled(),
    };
    let (mut run, _) = Run::new(opened, at);
    [(); 2].map(|()| {
        let Step::Perform(effects) = run.step() else { unreachable!("a model is asked first") };
        let Some((id, Effect::Model { call, .. })) = effects.into_iter().next() else {
            unreachable!("a model is asked first")
        };
        assert!(matches!(*call, ModelCall::Clarify(_) | ModelCall::Plan(_)), "{call:?}");
        let rendered = PromptBook::builtin().render(&call);
        let (kind, error) = (FailureKind::Permanent, "not now".to_owned());
        let result = Told::Failed { kind, error, usage: Usage::default() };
        run.feed(Input::Outcome { id, result }, at);
        rendered.system + &rendered.user
    })
}

#[test]
fn whoever_words_what_leaves_is_told_nothing_private() {
    const PRIVATE: [&str; 3] = ["severance", "Tamsin", "2026"];
    const LEARNED: &str = "attendant";
    let knows = |text: &str| PRIVATE.iter().filter(|word| text.contains(**word)).count();
    let hybrid = |change: fn(&mut WebOptions)| options(Sources::Hybrid, change);
    let [asked_back, planned] = told_before_reading(hybrid(|_| ()));
    assert_eq!((knows(&asked_back), knows(&planned)), (0, 0), "{planned}");
    assert!(planned.contains("6, which are private") && !planned.contains(LEARNED), "{planned}");
    // On the web alone there are no documents, but what was learned may come of some.
    let [_, planned] = told_before_reading(options(Sources::Web, |_| ()));
    assert!(!planned.contains(LEARNED), "{planned}");
    let earlier = Options { derivations: Derivations::FOURTH, ..hybrid(|_| ()) };
    let at_the_users_word = hybrid(|web| web.private_queries = true);
    let offline = hybrid(|web| web.egress = EgressMode::Offline);
    for options in [autonomous(), at_the_users_word, offline, earlier] {
        let [asked_back, planned] = told_before_reading(options);
        assert_eq!((knows(&asked_back), knows(&planned)), (3, 3), "{planned}");
        assert!(planned.contains(LEARNED), "{planned}");
    }
}
