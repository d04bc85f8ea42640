//! Limits hold for every budget, and running out is an ending with a reason.

use crate::critique::attacked;
use crate::hypotheses::explained;
use crate::worlds::{
    QUESTION, at_least, documents, endless_noise, harbour, question, sound_end, world,
};
use elenchus_core::belief::Verdict;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::gap::{GapPolicy, GapStatus};
use elenchus_core::inquiry::{
    Asking, Budget, Control, Effect, Effort, Elsewhere, FailureKind, Input, Opened, Options,
    Outcome, Recollection, Reflecting, Run, Spent, Step, StopReason, Unsettled,
};
use elenchus_core::journal::JournalRecord;
use elenchus_core::port::{ModelFailure, Retriever, Usage};
use elenchus_core::prompt::{
    Clarification, ClarifyingQuestion, ModelCall, ModelReply, Perspective, PointStance,
    ProposedGap, ProposedPoint, Reflection, Severity,
};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::{Projection, TraceEvent};
use proptest::prelude::*;

fn budget() -> impl Strategy<Value = Budget> {
    (
        0u8..=14,
        prop_oneof![0u32..4, 0u32..60],
        prop::option::of(0u32..16),
        prop::option::weighted(0.3, 0u64..1_500),
        prop::option::weighted(0.3, 0u64..90),
        prop::option::weighted(0.3, 0u64..60),
    )
        .prop_map(|(rounds, passages, model_calls, tokens, cost_micro_usd, wall_ms)| Budget {
            rounds,
            passages,
            model_calls,
            tokens,
            cost_micro_usd,
            wall_ms,
        })
}

fn options() -> impl Strategy<Value = Options> {
    let effort = prop::sample::select(&[Effort::Quick, Effort::Standard, Effort::Deep][..]);
    let asking = prop::sample::select(&[Asking::Never, Asking::Auto, Asking::Always][..]);
    let reflecting = prop_oneof![3 => Just(Reflecting::Ledger), 1 => Just(Reflecting::SingleStep)];
    let lenses = prop::sample::select(vec![vec![], vec!["skeptical", "neutral"]]);
    let modes = (any::<bool>(), any::<bool>(), asking, reflecting, any::<bool>(), lenses);
    (budget(), effort, 1u8..5, 1u8..4, modes).prop_map(
        |(budget, effort, max_attempts, dry_rounds, modes)| Options {
            budget,
            effort,
            gaps: GapPolicy { max_attempts, dry_rounds, ..GapPolicy::default() },
            autonomous: modes.0,
            exclude: vec![],
            hypotheses: modes.1,
            insights: modes.1,
            clarify: modes.2,
            reflection: modes.3,
            critique: modes.4,
            lenses: modes.5.iter().map(|lens| (*lens).to_owned()).collect(),
            ..Options::default()
        },
    )
}

/// Drives to the end and watches every limit on the way.
fn keeps_within(world: &World, question: &str, options: &Options) {
    let budget = options.budget;
    let mut drive = Drive::begin(world, question, options.clone());
    let mut known = 0;
    loop {
        let spent = drive.run().view().spent();
        assert!(spent.rounds <= budget.rounds.clamp(1, Budget::HARD_ROUNDS), "{spent:?}");
        assert!(options.autonomous || spent.rounds <= 1);
        assert!(spent.passages <= budget.passages, "{spent:?} {budget:?}");
        assert!(
            budget.model_calls.is_none_or(|limit| spent.model_calls <= limit),
            "{spent:?} {budget:?}"
        );
        if matches!(drive.run().step(), Step::Clarify(_)) {
            drive.control(Control::SkipClarification);
        }
        let wanted = drive.wanted();
        let Some((id, effect)) = wanted.first() else { break };
        // Tokens and money may be overshot by the calls in flight, not by a call that begins after that.
        let begins = id.0 > known;
        known = known.max(wanted.last().unwrap().0.0);
        if begins && matches!(effect, Effect::Model { .. }) {
            let tokens = spent.usage.input_tokens + spent.usage.output_tokens;
            assert!(
                budget.tokens.is_none_or(|limit| tokens < limit),
                "{effect:?} begins after {tokens} tokens"
            );
            let cost = spent.usage.cost_micro_usd;
            assert!(
                budget.cost_micro_usd.is_none_or(|limit| cost < limit),
                "{effect:?} begins after {cost}"
            );
        }
        let result = drive.perform(effect);
        drive.tell(Input::Outcome { id: *id, result });
    }
    let performed = drive.world_calls();
    let spent = drive.run().view().spent();
    assert_eq!(performed.0, spent.model_calls);
    assert_eq!(performed.1, spent.passages);
    sound_end(drive.run(), drive.trace());
}

trait Counted {
    /// Model calls and passages that the trace tells of.
    fn world_calls(&self) -> (u32, u32);
}

impl Counted for Drive<'_> {
    fn world_calls(&self) -> (u32, u32) {
        let actions = self.trace().iter().filter_map(|event| match &event.event {
            TraceEvent::ReasoningAction(action) => Some(action),
            _ => None,
        });
        actions.fold((0, 0), |(calls, passages), action| match action.tool.as_str() {
            "model" => (calls + 1, passages),
            "read" => {
                let read = action.parameters["passages"].as_array().map_or(0, Vec::len);
                (calls, passages + read as u32)
            }
            _ => (calls, passages),
        })
    }
}

/// Two questions stood behind one gap, and the older loop forgot it with the open one though the other was answered.
#[test]
fn every_question_of_a_plan_keeps_its_gap() {
    let documents = [
        "The tide ferry ferry.\n\nThe lighthouse contract harbour.",
        "The harbour mayor winter.\n\nThe storm Halden lamp.\n\nThe harbour copper garden.",
        "The captain copper island.\n\nThe island Halden harbour.\n\nThe keeper tide salary.",
        "The school island salary tide.",
        "The budget lighthouse ferry.\n\nThe bridge ferry lamp.",
        "The garden school harbour.\n\nThe island school ferry lamp tide.\n\nThe engine bridge harbour harbour keeper.\n\nThe toll school engine.",
    ];
    let options = Options {
        budget: Budget {
            rounds: 2,
            passages: 4,
            model_calls: None,
            tokens: None,
            cost_micro_usd: None,
            wall_ms: None,
        },
        effort: Effort::Quick,
        autonomous: true,
        gaps: GapPolicy { max_attempts: 1, dry_rounds: 1, ..GapPolicy::default() },
        reflection: Reflecting::SingleStep,
        ..Options::default()
    };
    let world = world(Some(documents.map(str::to_owned).to_vec()), 0, 0);
    keeps_within(&world, "What of winter mayor and salary garden winter mayor?", &options);
}

/// A verifier that asks a language model costs something: it is counted, told beside the check, and not asked once the
/// budget is spent.
#[test]
fn what_checks_cost_is_counted_and_kept_within_the_budget() {
    let world = World::new("harbor").judged().document(
        "tides.md",
        "# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was put out in 1950.",
    );
    let asked = "When was the lamp lit?";
    let cost = Usage { input_tokens: 500, output_tokens: 50, cost_micro_usd: 90 };
    let driven = |tokens: Option<u64>| {
        let options =
            Options { budget: Budget { tokens, ..Budget::default() }, ..Options::default() };
        let mut judging = world.judging().expect("it is judged");
        judging.asks_model = true;
        let at = Timestamp(1_000_000);
        let opened = Opened {
            run_id: RunId::derive(asked, at, 3),
            question: asked.to_owned(),
            options: options.clone(),
            corpus: world.overview(),
            model: "scripted".to_owned(),
            judging: Some(judging),
            contest: None,
            forked: None,
            recalled: Recollection::default(),
        };
        let (mut run, mut trace) = Run::new(opened, at);
        let drive = Drive::begin(&world, asked, options);
        let mut checks = 0;
        while let Step::Perform(effects) = run.step() {
            let (id, effect) = effects.into_iter().next().unwrap();
            let mut result = drive.perform(&effect);
            if let Outcome::Verified { usage, .. } = &mut result {
                *usage = cost;
                checks += 1;
            }
            trace.extend(run.feed(Input::Outcome { id, result }, at));
        }
        sound_end(&run, &trace);
        (run, trace, checks)
    };
    let (run, trace, checks) = driven(None);
    let spent = run.view().spent();
    assert_eq!(checks, 1);
    let calls = u64::from(spent.model_calls);
    assert_eq!(spent.usage.input_tokens, 100 * calls + 500);
    assert_eq!(spent.usage.cost_micro_usd, 7 * calls + 90);
    assert_eq!(run.view().answer().unwrap().receipt.usage, spent.usage);
    let of = |tool: &str| -> Vec<Option<Usage>> {
        let actions: Vec<_> = trace
            .iter()
            .filter_map(|event| match &event.event {
                TraceEvent::ReasoningAction(action) if action.tool == tool => Some(action.id),
                _ => None,
            })
            .collect();
        let seen = trace.iter().filter_map(|event| match &event.event {
            TraceEvent::ReasoningObservation(seen) if actions.contains(&seen.action_id) => {
                Some(seen.usage)
            }
            _ => None,
        });
        seen.collect()
    };
    assert_eq!(of("verify"), [Some(cost)]);
    assert_eq!(of("search").iter().flatten().count(), 0);
    let replied = of("model");
    assert_eq!(replied.iter().flatten().count() as u64, calls, "{replied:?}");

    // All that the model took, and nothing for the verifier.
    let (run, _, checks) = driven(Some(120 * calls));
    assert_eq!(checks, 0);
    let answer = run.view().answer().unwrap().clone();
    assert!(!answer.claims.is_empty() && answer.confidence.is_some());
    for found in &answer.entailments {
        let Verdict::Unchecked { reason } = &found.verdict else { panic!("{found:?}") };
        assert!(reason.contains("token budget"), "{reason}");
    }
    assert_eq!(run.view().spent().usage.input_tokens, 100 * calls);
}

/// What each failing call uses in the tests below.
const LOST: Usage = Usage { input_tokens: 400, output_tokens: 30, cost_micro_usd: 60 };

/// One round over noise, in which no analysis of gaps comes back, at a cost or without.
fn failing(lost: Usage, change: impl Fn(&mut Budget)) -> Driven {
    let world = endless_noise().script(move |call| {
        matches!(call, ModelCall::AnalyzeGaps(_)).then(|| {
            Err(ModelFailure {
                model: "scripted".to_owned(),
                attempted: "analyse gaps".to_owned(),
                cause: "none of 3 replies had the form that was asked for".to_owned(),
                permanent: true,
                usage: lost,
                reply: None,
            })
        })
    });
    let mut options = Options { autonomous: true, ..Options::default() };
    (options.gaps.max_attempts, options.gaps.dry_rounds) = (9, 9);
    options.budget.rounds = 1;
    change(&mut options.budget);
    drive(&world, QUESTION, options)
}

/// What observations tell of costs.
fn observed(driven: &Driven) -> Vec<Usage> {
    let seen = driven.trace.iter().filter_map(|event| match &event.event {
        TraceEvent::ReasoningObservation(seen) => seen.usage,
        _ => None,
    });
    seen.collect()
}

/// A reply that nobody could use was paid for: enough of them end a run by its budget, and the trace tells of each.
#[test]
fn failures_that_cost_something_spend_the_budget() {
    type Change = fn(&mut Budget);
    let cases: [(Change, StopReason); 2] = [
        (|budget| budget.tokens = Some(600), StopReason::BudgetTokens),
        (|budget| budget.cost_micro_usd = Some(70), StopReason::BudgetCost),
    ];
    for (change, reason) in cases {
        let free = failing(Usage::default(), change);
        assert_eq!(free.run.view().stop_reason(), Some(StopReason::BudgetRounds));
        let costly = failing(LOST, change);
        let view = costly.run.view();
        assert_eq!(view.stop_reason(), Some(reason));
        let told = observed(&costly);
        assert_eq!(told.iter().filter(|usage| **usage == LOST).count(), 1);
        let mut sum = Usage::default();
        for usage in told {
            sum.count(usage);
        }
        assert_eq!(sum, view.spent().usage);
        assert_eq!(view.answer().unwrap().receipt.usage, sum);
        sound_end(&costly.run, &costly.trace);
    }
}

/// Journals of earlier versions say nothing of what a failing call has used.
#[test]
fn a_journal_without_the_costs_of_failures_replays() {
    let old = r#"{"outcome":"failed","kind":"exhausted","error":"could not: scripted"}"#;
    let outcome: Outcome = serde_json::from_str(old).unwrap();
    assert_eq!(outcome.usage(), Usage::default());
    assert_eq!(serde_json::to_string(&outcome).unwrap(), old, "and it is written as it was");

    let now = failing(LOST, |_| ());
    let mut failures = 0;
    let before: Vec<JournalRecord> = now
        .journal
        .iter()
        .map(|record| {
            let mut json = serde_json::to_value(record).unwrap();
            if let Some(result) = json.pointer_mut("/entry/body/result")
                && result["outcome"] == "failed"
            {
                failures += 1;
                assert!(result.as_object_mut().unwrap().remove("usage").is_some());
            }
            serde_json::from_value(json).unwrap()
        })
        .collect();
    assert_eq!(failures, 1);
    let (run, trace) = Run::replay(&before).unwrap();
    sound_end(&run, &trace);
    assert_eq!(run.view().stop_reason(), now.run.view().stop_reason());
    let mut spent = run.view().spent().usage;
    spent.count(LOST);
    assert_eq!(spent, now.run.view().spent().usage);
}

/// Where things are sent by whoever goes on with a run stands in its trace, once, and nothing else is changed.
#[test]
fn where_somebody_who_goes_on_sends_things_is_put_down_once() {
    let place = |to: &str| Elsewhere { sent: "texts".to_owned(), to: to.to_owned() };
    let world = harbour();
    let elsewhere = Some(vec![place("https://a.example")]);
    let mut drive = Drive::begin(&world, QUESTION, Options { elsewhere, ..Options::default() });
    let (wanted, before) = (drive.wanted(), drive.run().view().spent());
    let sent = vec![place("https://a.example"), place("https://b.example")];
    assert_eq!(drive.run().view().unnoted(&sent), [place("https://b.example")]);
    for _ in 0..2 {
        drive.tell(Input::GivenUp { calls: Vec::new(), elsewhere: sent.clone() });
    }
    assert_eq!(drive.run().view().unnoted(&sent), []);
    assert_eq!((drive.wanted(), drive.run().view().spent()), (wanted, before));
    drive.control(Control::Interrupt);
    let driven = drive.into_driven();
    let told: Vec<Elsewhere> = driven
        .trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::BudgetUpdated { elsewhere, .. } => Some(elsewhere.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(told, [place("https://b.example")]);
    let mut shown = Projection::new(driven.run.id().clone());
    for event in driven.trace.iter().chain(&driven.trace) {
        shown.apply(event);
    }
    assert_eq!(shown.options.elsewhere, Some(sent));
    assert_eq!(Run::replay(&driven.journal).unwrap(), (driven.run, driven.trace));
}

/// A call that is given up has used something: it is in the sums, and nothing else is changed.
#[test]
fn what_a_call_had_used_that_was_given_up_is_counted() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, Options::default());
    while !matches!(drive.wanted().first(), Some((_, Effect::Model { call, .. })) if call.prompt() == "reflect")
    {
        assert!(drive.advance());
    }
    let (wanted, before) = (drive.wanted(), drive.run().view().spent());
    let calls = vec![Unsettled { id: wanted[0].0, usage: LOST }];
    drive.tell(Input::GivenUp { calls, elsewhere: Vec::new() });
    assert_eq!(drive.wanted(), wanted);
    let mut usage = before.usage;
    usage.count(LOST);
    assert_eq!(drive.run().view().spent(), Spent { usage, ..before });
    drive.control(Control::Interrupt);
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().answer().unwrap().receipt.usage, usage);
    assert_eq!(Run::replay(&driven.journal).unwrap(), (driven.run, driven.trace));
}

/// What came back before the rest of its batch is counted where a control takes the batch out, and only there.
#[test]
fn what_came_back_of_a_batch_that_is_dropped_is_told() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, Options::default());
    while drive.wanted().len() < 2 {
        assert!(drive.advance(), "some batch has two effects");
    }
    let (id, _) = drive.wanted()[0];
    assert_eq!(drive.run().dropped_by(&Control::Interrupt), []);
    let error = "could not: scripted".to_owned();
    let result = Outcome::Failed { kind: FailureKind::Permanent, error, usage: LOST };
    drive.tell(Input::Outcome { id, result });
    assert_eq!(drive.run().dropped_by(&Control::Pause), []);
    assert_eq!(drive.run().dropped_by(&Control::Resume), []);
    assert_eq!(drive.run().dropped_by(&Control::Interrupt), [Unsettled { id, usage: LOST }]);
    // Elsewhere than in a batch nothing waits to be counted.
    while drive.advance() {}
    assert_eq!(drive.run().dropped_by(&Control::Interrupt), []);
}

proptest! {
    #![proptest_config(at_least(1_000))]

    #[test]
    fn a_thousand_budgets_are_kept(
        documents in documents(), question in question(), options in options(), chaos in 0u8..30, seed: u64,
    ) {
        let world = world(documents, chaos, seed);
        let world = if options.hypotheses { explained(world) } else { world };
        let world = if options.critique { attacked(world) } else { world };
        keeps_within(&world, &question, &options);
    }
}

proptest! {
    // Each of these runs to the end of its budget.
    #![proptest_config(at_least(128))]

    #[test]
    fn where_nothing_is_ever_found_every_gap_is_given_up(options in options()) {
        let world = World::nothing_ever();
        keeps_within(&world, QUESTION, &options);
        let driven = drive(&world, QUESTION, options);
        let view = driven.run.view();
        prop_assert!(view.gaps().gaps().iter().all(|gap| gap.status == GapStatus::Abandoned));
        let answer = view.answer().unwrap();
        prop_assert!(answer.claims.is_empty());
        prop_assert_eq!(answer.could_not_establish.len(), view.gaps().gaps().len());
        prop_assert!(!matches!(answer.stop_reason, StopReason::Answered | StopReason::Failed));
        prop_assert!(answer.text.contains("What could not be established"));
    }

    #[test]
    fn where_all_is_noise_every_gap_is_given_up(options in options()) {
        let world = endless_noise();
        keeps_within(&world, QUESTION, &options);
        let driven = drive(&world, QUESTION, options.clone());
        for gap in driven.run.view().gaps().gaps() {
            prop_assert_eq!(gap.status, GapStatus::Abandoned);
            prop_assert!(gap.attempt_count <= options.gaps.max_attempts);
        }
    }
}

/// Everything that takes turns of its own is on, with both packs, and nothing that is found is ever enough.
fn insatiable(theology: bool) -> World {
    let world = if theology {
        (0..12).fold(endless_noise(), |world, n| {
            world.records(
                &format!("verses{n}.tsv"),
                "John.3.16\tKeeper gossip of love.\nMatt.27.5\tLighthouse rumour.",
            )
        })
    } else {
        endless_noise()
    };
    attacked(explained(world.judged())).script(|call| match call {
        ModelCall::Clarify(_) => Some(Ok(ModelReply::Clarify(Clarification {
            vague: true,
            questions: vec![ClarifyingQuestion {
                text: "Which harbour?".to_owned(),
                why: "There are two.".to_owned(),
                choices: vec!["old".to_owned(), "new".to_owned()],
            }],
        }))),
        // Always something else that is missing.
        ModelCall::Reflect(input) => Some(Ok(ModelReply::Reflect(Reflection {
            unanswered_questions: input.open.iter().map(|question| question.id).collect(),
            relevant_passage_ids: input
                .passages
                .iter()
                .map(|read| read.passage.id.clone())
                .collect(),
            new_gaps_identified: vec![ProposedGap {
                description: format!("lighthouse rumour {} figure record", input.passages.len()),
                question_ids: vec![1],
                severity: Severity::Critical,
                suggested_action: None,
            }],
            ..Reflection::default()
        }))),
        ModelCall::Perspective(input) => Some(Ok(ModelReply::Perspective(Perspective {
            points: vec![ProposedPoint {
                statement: "Gossip is little.".to_owned(),
                stance: PointStance::Qualifies,
                facts: input.facts.iter().map(|fact| fact.id.clone()).collect(),
            }],
            would_change: "A record.".to_owned(),
        }))),
        _ => None,
    })
}

proptest! {
    #![proptest_config(at_least(100))]

    /// With critique, lenses, insights, explanations, clarification and a pack all on.
    #[test]
    fn budgets_are_kept_with_everything_on(options in options(), theology: bool) {
        let options = Options {
            autonomous: true,
            hypotheses: true,
            critique: true,
            insights: true,
            clarify: Asking::Always,
            lenses: vec!["skeptical".to_owned(), "neutral".to_owned()],
            pack: if theology { "theology" } else { "general" }.to_owned(),
            ..options
        };
        let question = if theology { "What of John 3:16 and which salary does the lighthouse keeper draw?" } else { QUESTION };
        keeps_within(&insatiable(theology), question, &options);
    }
}

#[test]
fn each_limit_gives_its_own_reason() {
    let with = |change: &dyn Fn(&mut Budget)| {
        let mut options = Options { autonomous: true, ..Options::default() };
        (options.gaps.max_attempts, options.gaps.dry_rounds) = (9, 9);
        change(&mut options.budget);
        drive(&endless_noise(), QUESTION, options).run.view().stop_reason().unwrap()
    };
    assert_eq!(with(&|budget| budget.rounds = 1), StopReason::BudgetRounds);
    assert_eq!(with(&|budget| budget.passages = 3), StopReason::BudgetPassages);
    assert_eq!(with(&|budget| budget.model_calls = Some(4)), StopReason::BudgetModelCalls);
    assert_eq!(with(&|budget| budget.tokens = Some(300)), StopReason::BudgetTokens);
    assert_eq!(with(&|budget| budget.cost_micro_usd = Some(20)), StopReason::BudgetCost);
    assert_eq!(with(&|budget| budget.wall_ms = Some(4)), StopReason::BudgetTime);
}

#[test]
fn the_numbers_of_the_contract() {
    let budget = Budget::default();
    assert_eq!((budget.rounds, budget.passages, Budget::HARD_ROUNDS), (5, 50, 10));
    assert_eq!(GapPolicy::default().max_attempts, 3);
    let driven = drive(&harbour(), QUESTION, Options { autonomous: false, ..Options::default() });
    assert_eq!(driven.run.view().spent().rounds, 1, "one round without being asked for more");
}
