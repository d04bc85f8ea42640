//! The older loop beside the one with a ledger, on ten small worlds: `docs/single_step.md`.
//!
//! `ELENCHUS_BLESS=1 cargo test -p elenchus-engine --test it comparison` writes the page anew.

use elenchus_core::inquiry::gap::{GapReason, GapStatus};
use elenchus_core::inquiry::query::is_repeat;
use elenchus_core::inquiry::{Effect, Input, Options, Reflecting, Step};
use elenchus_core::port::ModelFailure;
use elenchus_core::prompt::{
    GapFinding, GapFindings, ModelCall, ModelReply, ProposedGap, Reflection, Severity,
};
use elenchus_core::testkit::{Drive, World};
use elenchus_core::trace::TraceEvent;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Milliseconds that an effect is taken to last. Assumed, not measured: what counts is which of them wait for which.
fn lasts(effect: &Effect) -> u64 {
    match effect {
        Effect::Model { call, .. } => match call.as_ref() {
            ModelCall::AnalyzeGaps(_) => 900,
            ModelCall::FollowUp(_) => 700,
            ModelCall::Reflect(_) => 1_200,
            ModelCall::ExtractFacts(_) => 1_500,
            _ => 2_000,
        },
        Effect::Search(_) => 40,
        Effect::Embed { .. } => 20,
        Effect::Read { .. } => 5,
        Effect::Verify { .. } | Effect::Contradict { .. } | Effect::Meetings { .. } => 30,
    }
}

fn is_gap_analysis(effect: &Effect) -> bool {
    matches!(effect, Effect::Model { call, .. } if matches!(**call, ModelCall::AnalyzeGaps(_)))
}

fn is_extraction(effect: &Effect) -> bool {
    matches!(effect, Effect::Model { call, .. } if matches!(**call, ModelCall::ExtractFacts(_)))
}

/// What a run came to.
#[derive(Debug, Default)]
struct Figures {
    rounds: u8,
    calls: u32,
    queries: usize,
    repeated: usize,
    answered: usize,
    questions: usize,
    outcome: String,
    /// Rounds after which the first gap was given up, where one was.
    given_up_after: Option<u8>,
    /// Bytes of the ledger, as JSON.
    ledger: usize,
    /// Milliseconds when the effects of a batch run together, as the engine has them.
    together: u64,
    /// Milliseconds that running gap analysis and fact extraction together saves.
    saved: u64,
    /// Milliseconds that gap analysis adds beyond what it runs beside.
    added: u64,
    /// Milliseconds of writing follow-up queries.
    follow_up: u64,
}

fn measured(world: &World, question: &str, reflection: Reflecting) -> Figures {
    let options = Options { autonomous: true, reflection, ..Options::default() };
    let mut drive = Drive::begin(world, question, options);
    let mut figures = Figures::default();
    loop {
        let batch = drive.wanted();
        if batch.is_empty() {
            break;
        }
        let longest = |of: &dyn Fn(&Effect) -> bool| {
            batch.iter().filter(|(_, e)| of(e)).map(|(_, e)| lasts(e)).max().unwrap_or(0)
        };
        let whole = longest(&|_| true);
        figures.together += whole;
        figures.added += whole - longest(&|effect| !is_gap_analysis(effect));
        figures.saved += longest(&is_gap_analysis).min(longest(&is_extraction));
        let follows = |effect: &Effect| matches!(effect, Effect::Model { call, .. } if matches!(**call, ModelCall::FollowUp(_)));
        figures.follow_up += longest(&follows);
        for (id, effect) in batch {
            let result = drive.perform(&effect);
            drive.tell(Input::Outcome { id, result });
        }
    }
    let view = drive.run().view();
    assert_eq!((drive.run().step(), view.audit()), (Step::Done, &[][..]), "{question}");
    figures.rounds = view.spent().rounds;
    figures.calls = view.spent().model_calls;
    figures.ledger = serde_json::to_vec(view.gaps()).unwrap().len();
    let answered: BTreeSet<u32> = view
        .gaps()
        .gaps()
        .iter()
        .filter(|gap| gap.status == GapStatus::Resolved)
        .flat_map(|gap| gap.related_question_ids.clone())
        .collect();
    figures.answered = answered.len();
    figures.questions = view.plan().questions.len();
    figures.given_up_after = view
        .gaps()
        .abandoned()
        .filter(|gap| gap.reason != Some(GapReason::Budget))
        .map(|gap| gap.last_attempted_round)
        .min();
    let mut queries: Vec<String> = Vec::new();
    for event in drive.trace() {
        if let TraceEvent::RoundStarted { queries: asked, .. } = &event.event {
            for query in asked {
                figures.repeated += usize::from(queries.iter().any(|q| is_repeat(q, query)));
                queries.push(query.clone());
            }
        }
    }
    figures.queries = queries.len();
    let mut reasons: Vec<&str> =
        view.gaps().abandoned().filter_map(|gap| gap.reason).map(GapReason::name).collect();
    reasons.dedup();
    let stop = view.stop_reason().unwrap().name();
    figures.outcome = if reasons.is_empty() {
        stop.to_owned()
    } else {
        format!("{stop} ({})", reasons.join(", "))
    };
    figures
}

/// The usual reflection, and what it notices as missing while a question is open: `words` gives the wording by the
/// number of passages read.
fn noticing(world: World, words: fn(usize) -> Option<&'static str>) -> World {
    world.script(move |call| {
        let ModelCall::Reflect(input) = call else { return None };
        let Ok(ModelReply::Reflect(usual)) = World::new("usual").answer(call) else { return None };
        let open = usual.unanswered_questions.first().copied();
        let noticed = open.and_then(|id| {
            Some(ProposedGap {
                description: words(input.passages.len())?.to_owned(),
                question_ids: vec![id],
                severity: Severity::Critical,
                suggested_action: None,
            })
        });
        let reflection = Reflection { new_gaps_identified: noticed.into_iter().collect(), ..usual };
        Some(Ok::<_, ModelFailure>(ModelReply::Reflect(reflection)))
    })
}

/// Documents of one sentence each: path and sentence.
fn holding(documents: &[(&str, &str)]) -> World {
    documents.iter().fold(World::new("small"), |world, (path, text)| {
        world.document(path, &format!("# {path}\n\n{text}"))
    })
}

const TIDE: (&str, &str) = ("tides.md", "The harbour tide can rise 4 metres far into spring.");
/// Found by nobody who does not search for the guardian's payment record.
const WAGE: (&str, &str) = (
    "ledger.md",
    "Payment figure record: which wage did the guardian, called warden, get: nine crowns.",
);

/// Documents that share words with the queries of one round each, so that every round reads something new.
const DRIBBLE: [(&str, &str); 7] = [
    ("mill.md", "A windmill stood in the parish."),
    ("record.md", "The parish keeps a figure in a record."),
    ("background.md", "The background of the parish, an announcement."),
    ("overview.md", "An overview of the parish."),
    ("detail.md", "A statement in exact detail."),
    ("year.md", "The latest year was dry."),
    ("worth.md", "The worth of a share in dollars, and its price."),
];

/// A plan of one question whose first search finds little.
fn planned(world: World, queries: &'static [&'static str]) -> World {
    world.script(move |call| {
        let ModelCall::Plan(_) = call else { return None };
        let Ok(ModelReply::Plan(mut plan)) = World::new("usual").answer(call) else { return None };
        let last = plan.questions.last_mut()?;
        last.queries = queries.iter().map(|query| (*query).to_owned()).collect();
        Some(Ok::<_, ModelFailure>(ModelReply::Plan(plan)))
    })
}

/// What is asked, of what, and what it is an example of.
fn worlds() -> Vec<(&'static str, &'static str, World)> {
    let parted = |second: &'static str| match second {
        "salary" => {
            "How far does the harbour tide rise in spring and which salary does the lighthouse keeper draw?"
        }
        _ => "How far does the harbour tide rise in spring and which wage did the warden get?",
    };
    let warden = |world| {
        let noticed = noticing(world, |_| Some("payment figure record of the guardian"));
        planned(noticed, &["town offices"])
    };
    let offices = ("roll.md", "The offices of the town were many.");
    let contradicting = |call: &ModelCall| {
        let ModelCall::AnalyzeGaps(input) = call else { return None };
        let passage = input.passages.first()?.passage.id.clone();
        let finding = |gap_id| GapFinding {
            gap_id,
            give_up: Some(GapReason::Contradictory),
            passage_id: Some(passage.clone()),
            reasoning: "1871 and 1902 exclude each other".to_owned(),
        };
        let findings = input.gaps.iter().map(|gap| finding(gap.id.clone())).collect();
        Some(Ok::<_, ModelFailure>(ModelReply::AnalyzeGaps(GapFindings { findings })))
    };
    vec![
        (
            "answerable at once",
            "How far does the harbour tide rise in spring?",
            holding(&[TIDE, offices]),
        ),
        (
            "answerable after a follow-up",
            "Which wage did the warden get?",
            warden(holding(&[offices, WAGE])),
        ),
        ("nowhere in the documents", "Who invented the paper umbrella?", holding(&[TIDE, offices])),
        (
            "a private valuation (seed 001)",
            "Which valuation did Naptha reach in its round?",
            noticing(
                holding(&[
                    ("news.md", "Naptha closed a round."),
                    ("profile.md", "An overview of the company: three rooms."),
                    ("blog.md", "A background piece on the founders, with an announcement."),
                    ("filing.md", "A record of the company without a figure."),
                    ("year.md", "The latest year of the company."),
                ]),
                |_| Some("the valuation that Naptha reached"),
            ),
        ),
        (
            "said not to be public",
            "Which salary does the lighthouse keeper of Skerry draw in winter?",
            holding(&[
                ("pay.md", "The salary of the lighthouse keeper is not public."),
                ("lamp.md", "A keeper repairs the lamp."),
            ]),
        ),
        (
            "sources contradict each other",
            "When was the old pier opened?",
            holding(&[
                ("almanac.md", "The pier: opened 1871 or later."),
                ("plaque.md", "The pier, old: 1902."),
            ])
            .script(contradicting),
        ),
        (
            "one gap in five wordings",
            "Which valuation did the windmill of Lindholm reach?",
            noticing(holding(&DRIBBLE), |read| {
                let wordings = [
                    "valuation of the windmill of Lindholm",
                    "the valuation that the Lindholm windmill reached",
                    "worth of the Lindholm windmill in dollars",
                    "price of a share of the Lindholm windmill",
                    "what the windmill at Lindholm was valued at",
                ];
                Some(wordings[read % wordings.len()])
            }),
        ),
        (
            "two parts, one of them nowhere",
            parted("salary"),
            holding(&[TIDE, ("lamp.md", "A keeper repairs the lamp.")]),
        ),
        (
            "two parts, one after a follow-up",
            parted("wage"),
            warden(holding(&[TIDE, offices, WAGE])),
        ),
        (
            "something new in every round",
            "Which fate did the windmill of Lindholm meet?",
            holding(&DRIBBLE),
        ),
    ]
}

fn page() -> String {
    let mut out = String::from(
        "# The older loop, for comparison\n\n\
         `--reflection single-step` (also `--strategy single-step`) brings back the loop that the gap ledger replaced: one reflection a\n\
         round judges what was read and words the next query. It keeps no history of gaps, so it may repeat a query; it\n\
         gives nothing up before its rounds are spent. Planning, reading, facts, the composing of the answer and its verification are the\n\
         same code in both.\n\n\
         This page is written by a test (`ELENCHUS_BLESS=1 cargo test -p elenchus-engine --test it comparison`), which fails\n\
         when a figure changes. The ten worlds are small and scripted, with at most five rounds; each cell is\n\
         *with the ledger* / *single-step*. A repeated query has the words of an earlier one of the same run, or nearly\n\
         (token Jaccard of 0.85).\n\n\
         | world | rounds | model calls | queries | repeated | answered | how it ended |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut costs = String::from(
        "| world | given up after | ledger, bytes | a round, s | saved by the joint batch, s | added by gap analysis, s | follow-up queries, s |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let (mut rounds, mut calls, mut repeated, mut saved, mut added, mut took) =
        ([0; 2], [0; 2], [0; 2], 0, 0, 0);
    let seconds = |ms: u64| format!("{}.{:02}", ms / 1_000, ms % 1_000 / 10);
    for (name, question, world) in worlds() {
        let new = measured(&world, question, Reflecting::Ledger);
        let old = measured(&world, question, Reflecting::SingleStep);
        assert_eq!(new.repeated, 0, "{name}: the ledger never repeats a query");
        assert!(new.answered >= old.answered, "{name}: the ledger finds what the older loop finds");
        assert_eq!(old.given_up_after, None, "{name}: the older loop gives nothing up");
        for (at, figures) in [&new, &old].into_iter().enumerate() {
            rounds[at] += u32::from(figures.rounds);
            calls[at] += figures.calls;
            repeated[at] += figures.repeated;
        }
        saved += new.saved;
        added += new.added;
        took += new.together;
        writeln!(
            out,
            "| {name} | {} / {} | {} / {} | {} / {} | {} / {} | {} / {} of {} | {} / {} |",
            new.rounds,
            old.rounds,
            new.calls,
            old.calls,
            new.queries,
            old.queries,
            new.repeated,
            old.repeated,
            new.answered,
            old.answered,
            new.questions,
            new.outcome,
            old.outcome
        )
        .unwrap();
        let after =
            new.given_up_after.map_or_else(|| "-".to_owned(), |round| format!("round {round}"));
        writeln!(
            costs,
            "| {name} | {after} | {} / {} | {} / {} | {} | {} | {} |",
            new.ledger,
            old.ledger,
            seconds(new.together / u64::from(new.rounds)),
            seconds(old.together / u64::from(old.rounds)),
            seconds(new.saved),
            seconds(new.added),
            seconds(new.follow_up),
        )
        .unwrap();
    }
    assert!(rounds[0] * 3 < rounds[1] * 2 && repeated[1] > 0, "{rounds:?} {repeated:?}");
    writeln!(
        out,
        "| together | {} / {} | {} / {} | | {} / {} | | |",
        rounds[0], rounds[1], calls[0], calls[1], repeated[0], repeated[1]
    )
    .unwrap();
    write!(
        out,
        "\nWhere a question can be answered here, both loops answer it. Where it cannot, the ledger ends earlier and says why; the older\n\
         loop only says that its rounds were spent. The ledger pays for that with calls for gap analysis and follow-up queries, so it may make\n\
         more calls in fewer rounds. A round that reads nothing new costs no reflection in either loop: that flatters the older one, whose\n\
         repeated searches mostly read nothing new; the loop that it stands for reflected on them all the same.\n\n\
         ## What the ledger costs\n\n\
         Times are computed, not measured: every effect is given a fixed length (a plan or a draft 2.0 s, a reflection 1.2 s,\n\
         fact extraction 1.5 s, gap analysis 0.9 s, follow-up queries 0.7 s, a search 0.04 s), and the effects of a batch run together, as\n\
         the engine runs them. *Saved* is what the run would take longer if gap analysis and fact extraction ran one after\n\
         the other; *added* is what it would take less without gap analysis. The ledger's size is that of its JSON at the end; the\n\
         single-step ledger holds only the last round's gaps.\n\n{costs}\n\
         Together: {} s of {} s saved by the joint batch; gap analysis adds {} s, in rounds in which nothing relevant was read, so that there was no\n\
         fact extraction to run beside.\n",
        seconds(saved),
        seconds(took + saved),
        seconds(added),
    )
    .unwrap();
    out
}

#[test]
fn the_page_tells_what_the_code_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/single_step.md");
    let page = page();
    if std::env::var_os("ELENCHUS_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/single_step.md is another; ELENCHUS_BLESS=1 writes it anew; now:\n{page}"
    );
}
