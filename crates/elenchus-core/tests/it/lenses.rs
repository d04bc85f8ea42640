//! The same evidence through several lenses: asked at once, checked, compared by code; whatever fails, the rest stands.

use crate::hypotheses::explained;
use crate::worlds::{QUESTION, at_least, documents, harbour, question, sound_end, world};
use elenchus_core::answer::{Answer, to_markdown};
use elenchus_core::id::{FactId, PointId};
use elenchus_core::inquiry::{
    Budget, Control, Effect, FailureKind, Input, Options, Outcome, Phase, Run, StopReason,
};
use elenchus_core::port::Usage;
use elenchus_core::prompt::{
    Hypotheses, MetaAnalysis, MetaSentence, ModelCall, ModelReply, Perspective, PerspectiveInput,
    PerspectiveSynthesis, PointStance, Prior, ProposedHypothesis, ProposedPoint, ProposedTension,
};
use elenchus_core::synthesis::perspectives::{Agreement, Perspectives};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;
use proptest::prelude::*;

use PointStance::{Opposes, Qualifies, Supports};

pub(crate) fn seeing() -> Options {
    let lenses = ["skeptical", "charitable", "neutral"].map(str::to_owned).to_vec();
    Options { autonomous: true, lenses, ..Options::default() }
}

/// A point on the facts whose quotes hold these words.
fn point(
    input: &PerspectiveInput,
    statement: &str,
    stance: PointStance,
    words: &str,
) -> ProposedPoint {
    let facts = input
        .facts
        .iter()
        .filter(|fact| fact.quote.contains(words))
        .map(|fact| fact.id.clone())
        .collect();
    ProposedPoint { statement: statement.to_owned(), stance, facts }
}

fn ids(names: &[&str]) -> Vec<PointId> {
    names.iter().map(|name| PointId::from(*name)).collect()
}

fn sees(input: &PerspectiveInput) -> Perspective {
    let points = match input.lens.id.as_str() {
        "skeptical" => vec![
            point(input, "In spring the tide will rise far, by 5 metres.", Opposes, "5 metres"),
            point(input, "The harbour tide can rise 4 metres.", Qualifies, "4 metres"),
        ],
        "charitable" => vec![
            point(input, "The tide can rise 4 metres far into spring.", Supports, "4 metres"),
            point(input, "The harbour tide can not rise far into spring.", Supports, "4 metres"),
        ],
        _ => vec![
            point(input, "The harbour tide can rise far into spring.", Supports, "4 metres"),
            point(input, "Gulls sleep upon wooden ledges.", Qualifies, "5 metres"),
        ],
    };
    Perspective { points, would_change: format!("A second gauge, says the {}.", input.lens.id) }
}

fn compares() -> PerspectiveSynthesis {
    PerspectiveSynthesis {
        groups: vec![ids(&["v3", "v5"])],
        tensions: vec![ProposedTension {
            points: ids(&["v2", "v3"]),
            why: "Whether one gauge is enough.".to_owned(),
        }],
        unique: ids(&["v6"]),
    }
}

fn takes() -> MetaAnalysis {
    let sentence =
        |text: &str, points: &[&str]| MetaSentence { text: text.to_owned(), points: ids(points) };
    MetaAnalysis {
        sentences: vec![
            sentence("The height is where the lenses part.", &["v1", "v3"]),
            sentence("Nothing of it rests on more than two documents.", &["v5"]),
        ],
    }
}

/// Three lenses over the harbour: two agree, one reads the other gauge, one point is denied by its own quote and one
/// has nothing to do with it.
fn looked_at(world: World) -> World {
    world.script(|call| {
        Some(Ok(match call {
            ModelCall::Perspective(input) => ModelReply::Perspective(sees(input)),
            ModelCall::SynthesizePerspectives(_) => ModelReply::SynthesizePerspectives(compares()),
            ModelCall::MetaAnalysis(_) => ModelReply::MetaAnalysis(takes()),
            _ => return None,
        }))
    })
}

pub(crate) fn lit() -> World {
    looked_at(harbour().judged())
}

fn answer(run: &Run) -> &Answer {
    run.view().answer().unwrap()
}

fn seen(driven: &Driven) -> &Perspectives {
    answer(&driven.run).perspectives.as_ref().unwrap()
}

fn names(points: &[PointId]) -> String {
    points.iter().map(PointId::as_str).collect::<Vec<_>>().join(", ")
}

#[test]
fn agreement_tension_and_the_rest_are_told_apart() {
    let driven = drive(&lit(), QUESTION, seeing());
    sound_end(&driven.run, &driven.trace);
    let p = seen(&driven);
    assert!(p.not_done.is_empty(), "{:?}", p.not_done);
    assert_eq!(p.points().map(|(view, _)| view.points.len()).sum::<usize>(), 12);
    let marks: Vec<Option<&str>> = p.points().map(|(_, point)| point.mark()).collect();
    let (denied, held) = ("contradicted by what it cites", "borne out by what it cites");
    let wanted = [Some(held), Some(held), Some(held), Some(denied), Some(held), None];
    assert_eq!(marks, wanted, "{p:#?}");
    assert_eq!(p.consensus.len(), 1);
    assert_eq!(
        (names(&p.consensus[0].points).as_str(), p.consensus[0].by),
        ("v3, v5", Agreement::Both)
    );
    assert_eq!(p.consensus[0].lenses, ["charitable", "neutral"]);
    // The gauges conflict about one matter, so what rests on one pulls against what rests on the other.
    let tensions: Vec<String> = p.tensions.iter().map(|one| names(&one.points)).collect();
    assert_eq!(tensions, ["v1, v3", "v1, v4", "v1, v5", "v2, v3"], "{:#?}", p.tensions);
    assert!(p.tensions[0].facts.is_empty() && p.tensions[0].claims.len() == 2);
    assert_eq!(p.tensions[3].why.as_deref(), Some("Whether one gauge is enough."));
    assert_eq!(names(&p.unique), "v6");
    let facts = driven.run.view().facts().len() as f64;
    let shares: Vec<f64> = p.views.iter().map(|view| view.evidence_share * facts).collect();
    assert_eq!(shares.iter().map(|share| share.round() as u32).collect::<Vec<_>>(), [2, 1, 2]);
    let overlap: Vec<f64> = p.overlap.iter().map(|one| one.jaccard).collect();
    assert_eq!(overlap, [0.5, 1.0, 0.5]);
    assert_eq!(p.meta_analysis.len(), 2);
    let told: Vec<String> = driven
        .trace
        .iter()
        .filter_map(|envelope| match &envelope.event {
            TraceEvent::PerspectiveCompleted { lens, points, facts, failed, .. } => {
                Some(format!("{lens} {points} {} {failed:?}", facts.len()))
            }
            TraceEvent::PerspectivesCompared {
                lenses,
                consensus,
                tensions,
                unique,
                not_borne_out,
            } => Some(format!("{lenses} {consensus} {tensions} {unique} {not_borne_out}")),
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        ["skeptical 2 2 None", "charitable 2 1 None", "neutral 2 2 None", "3 1 4 1 2"]
    );
    let report = to_markdown(answer(&driven.run));
    for part in [
        "## Seen through different lenses",
        "- **Skeptical**: 2 points on ",
        "what would change its mind: A second gauge, says the skeptical.",
        "### Where lenses agree (1)\n\n- **v3** (Charitable, supports) The tide can rise 4 metres far into spring. *(borne out by what it cites)*\n    - **v5**",
        "### Where they pull apart (4)",
        "in the model's words: Whether one gauge is enough.",
        "**v4** (Charitable, supports) The harbour tide can not rise far into spring. *(contradicted by what it cites)*",
        "### What only one lens says (1)\n\n- **v6** (Neutral, qualifies) Gulls sleep upon wooden ledges.\n    - gauge.md",
        "- The height is where the lenses part. (v1, v3)",
        "what the lenses see aside",
    ] {
        assert!(report.contains(part), "{part:?} is missing in:\n{report}");
    }
    let places: Vec<usize> = ["lenses agree (", "pull apart (", "one lens says (", "take from it"]
        .iter()
        .map(|heading| report.find(heading).unwrap())
        .collect();
    assert!(places.is_sorted());
}

/// Drives until the lenses are asked.
fn until_asked(world: &World, options: Options) -> Drive<'_> {
    let mut drive = Drive::begin(world, QUESTION, options);
    while drive.run().view().progress().phase != Phase::Lenses {
        assert!(drive.advance(), "the lenses are never asked");
    }
    drive
}

fn prompts(drive: &Drive<'_>) -> Vec<&'static str> {
    drive
        .wanted()
        .iter()
        .map(|(_, effect)| match effect {
            Effect::Model { call, .. } => call.prompt(),
            other => other.tool(),
        })
        .collect()
}

#[test]
fn lenses_stand_in_one_batch_and_so_do_check_and_comparison() {
    let world = lit();
    let mut drive = until_asked(&world, seeing());
    assert_eq!(prompts(&drive), ["perspective"; 3]);
    while prompts(&drive).first() == Some(&"perspective") {
        drive.advance();
    }
    assert_eq!(prompts(&drive), ["verify", "synthesize_perspectives"]);
    drive.advance();
    drive.advance();
    assert_eq!(prompts(&drive), ["meta_analysis"]);
}

#[test]
fn the_order_of_completion_does_not_show() {
    let plain = drive(&lit(), QUESTION, seeing());
    let world = lit();
    let mut drive = Drive::begin(&world, QUESTION, seeing());
    while let Some((id, effect)) = drive.wanted().pop() {
        let result = drive.perform(&effect);
        drive.tell(Input::Outcome { id, result });
    }
    let turned = drive.into_driven();
    assert_eq!(answer(&turned.run).perspectives, answer(&plain.run).perspectives);
}

#[test]
fn without_the_option_nothing_is_asked() {
    let plain = drive(&harbour().judged(), QUESTION, Options { lenses: vec![], ..seeing() });
    let scripted = drive(&lit(), QUESTION, Options { lenses: vec![], ..seeing() });
    assert_eq!(scripted.trace, plain.trace);
    assert_eq!(answer(&plain.run).perspectives, None);
    // Journals of earlier versions say nothing of lenses, in options and in answers.
    let old = serde_json::to_value(Options::default()).unwrap();
    assert!(old.get("lenses").is_none());
    assert!(serde_json::to_value(answer(&plain.run)).unwrap().get("perspectives").is_none());
}

#[test]
fn lenses_that_do_not_exist_are_told_and_doubles_count_once() {
    let lenses = ["sceptical", "mirror"].map(str::to_owned).to_vec();
    let driven = drive(&lit(), QUESTION, Options { lenses, ..seeing() });
    assert_eq!(answer(&driven.run).perspectives, None);
    let told = |driven: &Driven, words: &str| {
        driven.trace.iter().any(|envelope| {
            matches!(&envelope.event, TraceEvent::ReasoningThought(t) if t.content.contains(words))
        })
    };
    assert!(told(&driven, "no lens called sceptical or mirror"));
    let lenses = ["neutral", "Neutral", "mirror"].map(str::to_owned).to_vec();
    let driven = drive(&lit(), QUESTION, Options { lenses, ..seeing() });
    let p = seen(&driven);
    assert_eq!(p.views.len(), 1);
    assert_eq!((p.consensus.len(), p.tensions.len(), p.unique.len()), (0, 0, 2));
    assert!(told(&driven, "1 of 1 lenses gave points"));
}

fn resumes_from_every_prefix(world: &World, question: &str, options: &Options) {
    let whole = drive(world, question, options.clone());
    sound_end(&whole.run, &whole.trace);
    for length in 1..=whole.journal.len() {
        let mut resumed = Drive::resume(world, whole.journal[..length].to_vec());
        resumed.to_end();
        let resumed = resumed.into_driven();
        assert_eq!(resumed.run, whole.run, "from {length} of {}", whole.journal.len());
        assert_eq!(resumed.trace, whole.trace);
    }
    let back: Run = serde_json::from_str(&serde_json::to_string(&whole.run).unwrap()).unwrap();
    assert_eq!(back, whole.run);
}

#[test]
fn a_run_with_lenses_resumes_from_every_prefix() {
    resumes_from_every_prefix(&lit(), QUESTION, &seeing());
    resumes_from_every_prefix(&looked_at(harbour()), QUESTION, &seeing());
    resumes_from_every_prefix(&harbour().judged(), QUESTION, &seeing());
    let tried = Options { hypotheses: true, ..seeing() };
    resumes_from_every_prefix(&looked_at(explained(harbour())), QUESTION, &tried);
    // On its way as well.
    let world = lit();
    let mut drive = until_asked(&world, seeing());
    loop {
        let text = serde_json::to_string(drive.run()).unwrap();
        assert_eq!(&serde_json::from_str::<Run>(&text).unwrap(), drive.run());
        if !drive.advance() {
            break;
        }
    }
}

/// Fails the effects of the lens phase for which `fails` says so.
fn failing(fails: impl Fn(&Effect) -> bool) -> Driven {
    let world = lit();
    let mut drive = Drive::begin(&world, QUESTION, seeing());
    while let Some((id, effect)) = drive.wanted().into_iter().next() {
        let in_lenses = drive.run().view().progress().phase == Phase::Lenses;
        let result = if in_lenses && fails(&effect) {
            Outcome::Failed {
                kind: FailureKind::Exhausted,
                error: "scripted failure".to_owned(),
                usage: Usage::default(),
            }
        } else {
            drive.perform(&effect)
        };
        drive.tell(Input::Outcome { id, result });
    }
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    driven
}

fn is(effect: &Effect, prompt: &str) -> bool {
    matches!(effect, Effect::Model { call, .. } if call.prompt() == prompt)
}

#[test]
fn what_fails_leaves_the_rest_standing() {
    let one = failing(
        |effect| matches!(effect, Effect::Model { call, .. } if matches!(call.as_ref(), ModelCall::Perspective(input) if input.lens.id == "charitable")),
    );
    let p = seen(&one);
    assert_eq!(p.views[1].failed.as_deref(), Some("scripted failure"));
    assert!(p.views[1].points.is_empty() && p.overlap.len() == 1);
    assert_eq!(p.points().count(), 4);
    assert!(to_markdown(answer(&one.run)).contains("- **Charitable**: failed: scripted failure"));

    let all = failing(|effect| is(effect, "perspective"));
    let p = seen(&all);
    assert!(p.views.iter().all(|view| view.failed.is_some()) && p.points().count() == 0);
    assert_eq!(p.not_done, ["no lens gave a point that rests on a quote"]);

    let alone = failing(|effect| is(effect, "synthesize_perspectives"));
    let p = seen(&alone);
    assert_eq!(p.consensus[0].by, Agreement::SameEvidence);
    assert_eq!(p.tensions.len(), 3, "the pair that only the model named is gone");
    assert!(p.not_done[0].contains("could not be asked: scripted failure"));
    assert!(!p.meta_analysis.is_empty());

    let mute = failing(|effect| is(effect, "meta_analysis"));
    let p = seen(&mute);
    assert!(p.meta_analysis.is_empty() && p.consensus.len() == 1 && p.not_done.len() == 1);

    let unchecked = failing(|effect| matches!(effect, Effect::Verify { .. }));
    let p = seen(&unchecked);
    assert!(p.points().all(|(_, point)| point.mark() == Some("not checked")));
    assert!(p.not_done[0].starts_with("the points could not be checked"));

    // The answer is what it was.
    let plain = drive(&lit(), QUESTION, Options { lenses: vec![], ..seeing() });
    for driven in [&one, &all, &alone, &mute, &unchecked] {
        assert_eq!(answer(&driven.run).text, answer(&plain.run).text);
        assert_eq!(answer(&driven.run).confidence, answer(&plain.run).confidence);
    }
    // Without a verifier the points are shown as not checked.
    let bare = drive(&looked_at(harbour()), QUESTION, seeing());
    assert!(seen(&bare).points().all(|(_, point)| point.mark() == Some("not checked")));
}

#[test]
fn a_model_that_invents_ids_changes_nothing() {
    let plain = drive(&lit(), QUESTION, seeing());
    let inventive = harbour().judged().script(|call| {
        let invented = || vec![FactId::from("f77"), FactId::from("f0")];
        Some(Ok(match call {
            ModelCall::Perspective(input) => {
                let mut found = sees(input);
                for point in &mut found.points {
                    point.facts.splice(0..0, invented());
                }
                let statement = "It is known elsewhere.".to_owned();
                found
                    .points
                    .insert(0, ProposedPoint { statement, stance: Opposes, facts: invented() });
                ModelReply::Perspective(found)
            }
            ModelCall::SynthesizePerspectives(_) => {
                let mut found = compares();
                found.groups[0].push(PointId::from("v70"));
                found.groups.push(ids(&["v70", "v71"]));
                found.tensions.push(ProposedTension {
                    points: ids(&["v1", "v70"]),
                    why: "So it is.".to_owned(),
                });
                ModelReply::SynthesizePerspectives(found)
            }
            ModelCall::MetaAnalysis(_) => {
                let mut found = takes();
                found.sentences[0].points.push(PointId::from("v70"));
                let text = "Trust me.".to_owned();
                found.sentences.push(MetaSentence { text, points: ids(&["v70"]) });
                ModelReply::MetaAnalysis(found)
            }
            _ => return None,
        }))
    });
    let driven = drive(&inventive, QUESTION, seeing());
    assert_eq!(seen(&driven), seen(&plain));
    let dropped: u32 = driven
        .trace
        .iter()
        .map(|envelope| match &envelope.event {
            TraceEvent::PerspectiveCompleted { dropped, .. } => *dropped,
            _ => 0,
        })
        .sum();
    assert_eq!(dropped, 3, "and it is told");
}

#[test]
fn budgets_hold_and_too_small_a_rest_skips_the_step() {
    let whole = drive(&lit(), QUESTION, seeing());
    let all = whole.run.view().spent().model_calls;
    for limit in 0..=all + 1 {
        let budget = Budget { model_calls: Some(limit), ..Budget::default() };
        let driven = drive(&lit(), QUESTION, Options { budget, ..seeing() });
        sound_end(&driven.run, &driven.trace);
        assert!(driven.run.view().spent().model_calls <= limit);
        let looked = answer(&driven.run).perspectives.is_some();
        let skipped = driven.trace.iter().any(|envelope| {
            matches!(&envelope.event, TraceEvent::ReasoningThought(thought)
                if thought.content.contains("is not looked at through lenses"))
        });
        assert!(looked != skipped, "{limit} of {all}");
        assert!(limit < all || looked, "{limit} of {all}");
    }
    // One call too few, although everything before it fits.
    let budget = Budget { model_calls: Some(all - 1), ..Budget::default() };
    let driven = drive(&lit(), QUESTION, Options { budget, ..seeing() });
    let thought = driven.trace.iter().find_map(|envelope| match &envelope.event {
        TraceEvent::ReasoningThought(t) if t.content.contains("lenses") => Some(&t.content),
        _ => None,
    });
    if let Some(thought) = thought {
        assert!(thought.contains("3 lenses would need 5 model calls"), "{thought}");
    }
    // Money that runs out on the way ends the step where it stands.
    let spent = whole.run.view().spent().usage.cost_micro_usd;
    for left in 1..=6 {
        let cost_micro_usd = Some(spent - 7 * left + 1);
        let budget = Budget { cost_micro_usd, ..Budget::default() };
        let driven = drive(&lit(), QUESTION, Options { budget, ..seeing() });
        sound_end(&driven.run, &driven.trace);
    }
}

#[test]
fn a_control_in_the_lens_phase_gives_what_is_there() {
    let steps = {
        let world = lit();
        let mut drive = until_asked(&world, seeing());
        std::iter::from_fn(|| drive.advance().then_some(())).count()
    };
    assert!(steps >= 6, "{steps}");
    for at in 0..steps {
        for control in [Control::Interrupt, Control::FinishNow] {
            let world = lit();
            let mut drive = until_asked(&world, seeing());
            for _ in 0..at {
                drive.advance();
            }
            drive.control(control.clone());
            drive.to_end();
            sound_end(drive.run(), drive.trace());
            let answer = answer(drive.run());
            assert_eq!(answer.perspectives.is_some(), at >= 3, "at {at}");
            let interrupted = control == Control::Interrupt;
            assert_eq!(answer.stop_reason == StopReason::Interrupted, interrupted);
        }
        // A new focus is searched for, and the new answer is looked at anew.
        let world = lit();
        let mut drive = until_asked(&world, seeing());
        for _ in 0..at {
            drive.advance();
        }
        drive.control(Control::Redirect {
            focus: Some("Which ferry serves Osterby island".to_owned()),
            exclude: vec![],
            only: vec![],
        });
        drive.to_end();
        sound_end(drive.run(), drive.trace());
        let answer = answer(drive.run());
        assert!(answer.could_not_establish.iter().any(|gap| gap.description.contains("Osterby")));
        assert_eq!(answer.perspectives.as_ref().unwrap().points().count(), 6, "at {at}");
    }
}

/// Also when nothing more may be searched, in the check of the answer as in the lenses.
#[test]
fn what_comes_too_late_is_told() {
    let budget = Budget { rounds: 1, ..Budget::default() };
    let options = Options { budget, ..seeing() };
    for phase in [Phase::Verify, Phase::Lenses] {
        let world = lit();
        let mut drive = Drive::begin(&world, QUESTION, options.clone());
        while drive.run().view().progress().phase != phase {
            assert!(drive.advance());
        }
        drive.control(Control::Redirect {
            focus: Some("Which ferry serves Osterby island".to_owned()),
            exclude: vec![],
            only: vec![],
        });
        drive.to_end();
        sound_end(drive.run(), drive.trace());
        let answer = answer(drive.run());
        let (_, late) = answer.text.split_once("## What came too late to be looked for").unwrap();
        assert!(late.contains("- **Which ferry serves Osterby island"), "{late}");
        assert_eq!(answer.perspectives.as_ref().unwrap().points().count(), 6);
    }
}

#[test]
fn explanations_are_scored_by_the_passages_of_the_points() {
    const WHY: &str = "What weakened the bridge cables?";
    let one = |claim: &str, query: &str| ProposedHypothesis {
        claim: claim.to_owned(),
        prior: Prior::Possible,
        queries_for: vec![query.to_owned()],
        queries_against: vec![format!("{query} denied")],
    };
    let hypotheses = vec![
        one("Salt corrosion weakened the bridge cables.", "salt corrosion cables"),
        one("Overloaded lorries broke an axle on the steel deck.", "overloaded lorries axle"),
        one("Ice floes undercut the eastern pier.", "ice floes pier"),
    ];
    let world = World::new("bridge")
        .judged()
        .document("survey.md", "# Survey\n\nSalt corrosion weakened the bridge cables.")
        .document("toll.md", "# Toll\n\nOverloaded lorries have not broke an axle on the steel deck of bridge cables.")
        .script(move |call| {
            Some(Ok(match call {
                ModelCall::Hypothesize(_) => {
                    ModelReply::Hypothesize(Hypotheses { hypotheses: hypotheses.clone() })
                }
                ModelCall::Perspective(input) => {
                    let points = match input.lens.id.as_str() {
                        "skeptical" => vec![
                            point(input, "Salt weakened them.", Supports, "Salt"),
                            point(input, "Lorries did not.", Qualifies, "lorries"),
                        ],
                        "charitable" => vec![point(input, "It was the salt.", Supports, "Salt")],
                        _ => vec![],
                    };
                    ModelReply::Perspective(Perspective { points, would_change: String::new() })
                }
                _ => return None,
            }))
        });
    let driven = drive(&world, WHY, Options { hypotheses: true, ..seeing() });
    sound_end(&driven.run, &driven.trace);
    let scores = |id: &str| {
        let found = answer(&driven.run).hypotheses.iter().find(|one| one.id.as_str() == id);
        found.unwrap().perspective_scores.clone()
    };
    let salt = scores("h1");
    assert_eq!(salt.keys().collect::<Vec<_>>(), ["charitable", "skeptical"], "{salt:?}");
    assert!((salt["charitable"] - 1.0).abs() < 1e-9 && (salt["skeptical"] - 0.5).abs() < 1e-9);
    let lorries = scores("h2");
    assert!(lorries.len() == 1 && lorries["skeptical"].abs() < 1e-9, "{lorries:?}");
    assert!(scores("h3").is_empty(), "nothing is known");
}

/// What a lens sees, made of whatever facts there are.
fn busy(world: World) -> World {
    world.script(|call| {
        let ModelCall::Perspective(input) = call else { return None };
        let stances = [Supports, Opposes, Qualifies];
        let points = input
            .facts
            .iter()
            .enumerate()
            .map(|(at, fact)| ProposedPoint {
                statement: format!("{} so says {}.", fact.quote, input.lens.name),
                stance: stances[(at + input.lens.id.len()) % 3],
                facts: vec![fact.id.clone()],
            })
            .collect();
        Some(Ok(ModelReply::Perspective(Perspective { points, would_change: String::new() })))
    })
}

proptest! {
    #![proptest_config(at_least(100))]

    #[test]
    fn lenses_are_sound_in_any_world(
        documents in documents(), question in question(), chaos in 0u8..60, seed: u64, cut: prop::sample::Index,
        tried: bool, judged: bool, calls in prop::option::weighted(0.4, 4u32..30),
    ) {
        let made = busy(world(documents.clone(), 0, seed));
        // What misbehaves comes last, so that it is asked first.
        let chaotic = world(documents, chaos, seed);
        let made = made.script(move |call| match call {
            ModelCall::Perspective(_) | ModelCall::SynthesizePerspectives(_) | ModelCall::MetaAnalysis(_)
                if seed % 2 == 0 => Some(chaotic.answer(call)),
            _ => None,
        });
        let made = if judged { made.judged() } else { made };
        let made = if tried { explained(made) } else { made };
        let budget = Budget { model_calls: calls, ..Budget::default() };
        let whole = drive(&made, &question, Options { hypotheses: tried, budget, ..seeing() });
        sound_end(&whole.run, &whole.trace);
        prop_assert!(calls.is_none_or(|limit| whole.run.view().spent().model_calls <= limit));
        if let Some(p) = &answer(&whole.run).perspectives {
            prop_assert_eq!(p.views.len(), 3);
            for (_, point) in p.points() {
                prop_assert!(!point.quotes.is_empty() && !point.statement.trim().is_empty());
            }
            prop_assert!(p.meta_analysis.iter().all(|one| one.points.iter().all(|id| p.point(id).is_some())));
            let scores = answer(&whole.run).hypotheses.iter().flat_map(|one| one.perspective_scores.values());
            prop_assert!(scores.copied().all(|score| (0.0..=1.0).contains(&score)));
        }
        let length = cut.index(whole.journal.len()) + 1;
        let mut resumed = Drive::resume(&made, whole.journal[..length].to_vec());
        resumed.to_end();
        prop_assert_eq!(resumed.run(), &whole.run);
        prop_assert_eq!(resumed.trace(), &whole.trace[..]);
    }
}
