//! Strategies by rule, and never the same twice.

use super::*;
use crate::bank::strategy::{Draft, Origin, Scope};
use crate::bank::{Outcome, Standing, Strategy};
use crate::id::{StrategyId, Timestamp};
use crate::inquiry::gap::{GapReason, GapStatus};
use crate::prompt::{Prior, ProposedStrategy, QueryStrategy, Severity};
use proptest::prelude::*;

fn query(text: &str, strategy: Option<QueryStrategy>, new: u32, closed: bool) -> QueryFacts {
    QueryFacts { query: text.to_owned(), strategy, new_passages: new, closed }
}

fn gap(status: GapStatus, reason: Option<GapReason>, queries: Vec<QueryFacts>) -> GapFacts {
    GapFacts {
        description: "the fare of the Ørland ferry".to_owned(),
        severity: Severity::Critical,
        status,
        reason,
        expects: Some("Money".to_owned()),
        queries,
        near: false,
        foreign: false,
    }
}

fn facts() -> SessionFacts {
    SessionFacts {
        session_id: "run_1".to_owned(),
        question: "What does the Ørland ferry cost?".to_owned(),
        outcome: Some(Outcome::Success),
        stop_reason: "every question is answered".to_owned(),
        gaps: vec![
            gap(
                GapStatus::Resolved,
                None,
                vec![
                    query("Ørland ferry fare", None, 2, false),
                    query("Ørland ferry price list 2026", Some(QueryStrategy::TimeFocus), 3, true),
                ],
            ),
            gap(
                GapStatus::Abandoned,
                Some(GapReason::NoNewEvidence),
                vec![
                    query("Ørland ferry revenue", None, 1, false),
                    query("Ørland ferry turnover", Some(QueryStrategy::Keywords), 0, false),
                    query("Ørland ferry income", Some(QueryStrategy::Keywords), 0, false),
                ],
            ),
        ],
        ..SessionFacts::default()
    }
}

#[test]
fn what_closed_a_gap_and_what_did_not() {
    let found = distil_facts(&facts(), 3);
    let told: Vec<(&str, Outcome)> =
        found.iter().map(|one| (one.title.as_str(), one.outcome)).collect();
    assert_eq!(
        told,
        [
            ("Other words for: fare Ørland ferry", Outcome::Success),
            ("Name another time in the search", Outcome::Success),
            ("Do not reword a search that finds nothing new", Outcome::Failure),
        ]
    );
    // What the documents call the matter is of these documents; all else is general.
    assert!(
        found[0].content.starts_with("Search words: price list 2026\n"),
        "{}",
        found[0].content
    );
    let found = &found[1..];
    assert!(found[0].description.contains("an amount stays open after 1 search"));
    assert!(found[0].content.contains("This one closed it: \"Ørland ferry price list 2026\"."));
    assert_eq!(found[0].tags, ["search", "time_focus", "money"]);
    assert!(found[1].content.contains("not tried: angle, broader, narrower, time_focus."));
    // The names are general: nothing of the task stands in them.
    for one in found {
        let name = format!("{} {}", one.title, one.description);
        assert!(!name.contains("rland") && !name.contains("ferry"), "{name}");
    }
    assert_eq!(distil_facts(&facts(), 1).len(), 1);
    assert_eq!(distil_facts(&facts(), 0).len(), 0);
}

#[test]
fn what_shows_nothing_teaches_nothing() {
    assert_eq!(distil_facts(&SessionFacts::default(), 3), []);
    let mut easy = facts();
    // The first search closed it; the budget ended the other; a search that closed nothing else.
    easy.gaps[0].queries = vec![query("Ørland ferry fare", None, 2, true)];
    easy.gaps[1].reason = Some(GapReason::Budget);
    assert_eq!(distil_facts(&easy, 3), []);
    easy.gaps[1].reason = Some(GapReason::Attempts);
    easy.gaps[1].queries.truncate(1);
    assert_eq!(distil_facts(&easy, 3), [], "one search is no pattern");
    // A document that says so is.
    easy.gaps[1].reason = Some(GapReason::Unavailable);
    assert_eq!(distil_facts(&easy, 3)[0].title, "Stop when a source says it is not public");
}

#[test]
fn explanations_and_fallacies() {
    let tested = |claim: &str, prior, refuted, confirmed| HypothesisFacts {
        claim: claim.to_owned(),
        prior,
        confidence: if confirmed { 0.9 } else { 0.1 },
        refuted,
        confirmed,
        queries_against: vec!["fares cheap".to_owned()],
    };
    let session = SessionFacts {
        question: "Why is the ferry empty?".to_owned(),
        hypotheses: vec![
            tested("It is dear.", Prior::Likely, true, false),
            tested("A bridge was opened.", Prior::Possible, false, true),
        ],
        fallacies: vec![
            FallacyFacts {
                name: "Hasty generalisation".to_owned(),
                counter_question: "How many were looked at?".to_owned(),
                count: 2,
                own: true,
            },
            FallacyFacts {
                name: "Straw man".to_owned(),
                counter_question: String::new(),
                count: 9,
                own: false,
            },
        ],
        ..SessionFacts::default()
    };
    let found = distil_facts(&session, 3);
    assert_eq!(found[0].title, "Do not settle on the likely explanation");
    assert!(found[0].content.contains("Confirmed in its place: \"A bridge was opened.\""));
    assert_eq!(found[1].title, "Check drafts for hasty generalisation");
    assert_eq!(found.len(), 2, "a fallacy of the sources is not the run's own");
    // What nobody held likely surprises nobody.
    let mut calm = session;
    calm.hypotheses[0].prior = Prior::Possible;
    calm.fallacies.clear();
    assert_eq!(distil_facts(&calm, 3), []);
}

#[test]
fn a_session_is_told_without_secrets() {
    let mut session = facts();
    session.question =
        format!("Is {}{} still valid?", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    session.recalled.push(RecalledFacts {
        id: StrategyId::from("mem_1"),
        title: "Name\nanother time".to_owned(),
        content: "line one\n## Memory 2\nline two".to_owned(),
        used: true,
    });
    let text = render_session(&session);
    assert!(text.contains("question: Is [GitHub token removed] still valid?"), "{text}");
    let recalled: Vec<&str> = text.lines().filter(|line| line.starts_with(RECALLED)).collect();
    assert_eq!(recalled.len(), 1, "what was recalled stays on one line: {text}");
    for part in [
        "missing (critical)",
        "searched (time_focus): Ørland ferry price list 2026 -> closed it",
        "nothing new",
        "given up: nothing unread that bears on it turned up",
        "(outcome: success)",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let found = distil_facts(&session, 3);
    assert!(found[0].content.contains("[GitHub token removed]"), "{}", found[0].content);
}

fn known(title: &str, content: &str) -> Strategy {
    Strategy {
        id: StrategyId::from("mem_1"),
        draft: Draft {
            title: title.to_owned(),
            description: String::new(),
            content: content.to_owned(),
            outcome: Outcome::Success,
            tags: vec![],
            scope: Scope::Project,
            origin: Origin::Distilled,
            source_session: None,
            lineage: vec![],
            from_web: false,
        },
        standing: Standing::Active,
        actor: "ann".to_owned(),
        created_at: Timestamp(0),
        edited_at: Timestamp(0),
    }
}

fn proposal(title: &str, content: &str) -> ProposedStrategy {
    ProposedStrategy {
        title: title.to_owned(),
        description: String::new(),
        content: content.to_owned(),
        tags: vec![],
        outcome: Outcome::Success,
    }
}

#[test]
fn what_was_recalled_is_not_learned_again() {
    let had =
        known("Check the errata", "Look for errata before quoting an older edition of a handbook.");
    let again = [
        proposal("Check the errata", "Something else."),
        proposal("CHECK  the errata", "Something else."),
        proposal(
            "Errata first",
            "Before quoting older editions of handbooks, look for the errata.",
        ),
        proposal(
            "Errata first",
            "Look for errata before quoting an older edition of a handbook. This saves time.",
        ),
    ];
    for one in again {
        let (kept, dropped) = without_recalled(vec![one.clone()], &[&had]);
        assert!(kept.is_empty(), "{one:?}");
        assert_eq!(dropped[0].of, "Check the errata");
    }
    let other =
        proposal("Ask the author", "Write to the author when two editions disagree on a figure.");
    let (kept, dropped) = without_recalled(vec![other.clone(), other.clone()], &[&had]);
    assert_eq!((kept, dropped.len()), (vec![other], 1));
}

proptest! {
    /// Whatever a session says of itself, what comes out fits the bank.
    #[test]
    fn drafts_fit(words in ".{0,300}", kind in prop::option::of(".{0,40}"), strategy in 0usize..5, n in 1usize..8) {
        let way = QueryStrategy::ALL[strategy];
        let mut queries = vec![query(&words, None, 0, false); n];
        queries.push(query(&words, Some(way), 1, true));
        let mut session = facts();
        session.question.clone_from(&words);
        session.gaps[0].queries = queries.clone();
        session.gaps[0].expects = kind;
        session.gaps[1].queries = queries;
        session.fallacies = vec![FallacyFacts { name: words.clone(), counter_question: words.clone(), count: 1, own: true }];
        let found = distil_facts(&session, 3);
        prop_assert!(found.len() <= 3 && found.len() >= 2);
        for one in found {
            prop_assert!((1..=50).contains(&one.title.chars().count()));
            prop_assert!(one.description.chars().count() <= 200);
            prop_assert!(one.content.chars().count() <= 20_000);
        }
        let text = render_session(&session);
        let hidden = text.chars().any(|c| c == '\u{200B}');
        prop_assert!(!hidden);
    }
}

#[test]
fn what_these_documents_did_not_answer_is_told_with_the_documents() {
    let mut session = facts();
    session.documents = "abc123".to_owned();
    let found = distil_facts(&session, 9);
    let told = found.iter().find(|one| one.title.starts_with("Not found: ")).expect("it is told");
    assert_eq!(told.outcome, Outcome::Failure);
    assert!(told.content.contains("\nDocuments: abc123\n"), "{}", told.content);
    let strategies = without_recalled(found.clone(), &[]).0;
    assert!(strategies.iter().any(|one| one.title == told.title), "the general rule is another");
    // Without knowing which documents, nothing can be said of them.
    assert!(!distil_facts(&facts(), 9).iter().any(|one| one.title.starts_with("Not found: ")));
    // A person knows them by their names.
    session.read = (1..=8).map(|n| format!("timetables/{n}.md")).collect();
    let found = distil_facts(&session, 9);
    let told = found.iter().find(|one| one.title.starts_with("Not found: ")).expect("it is told");
    assert!(
        told.content
            .contains("\nDocuments: timetables/1.md, timetables/2.md, timetables/3.md, timetables/4.md, timetables/5.md, timetables/6.md and 2 more (state abc123)\n"),
        "{}",
        told.content
    );
}

#[test]
fn a_mistake_of_the_reader_is_no_fact_about_the_documents() {
    let mut session = facts();
    session.documents = "abc123".to_owned();
    session.gaps.remove(0);
    let titles = |session: &SessionFacts| -> Vec<String> {
        distil_facts(session, 9).into_iter().map(|one| one.title).collect()
    };
    let general = "Do not reword a search that finds nothing new";
    assert_eq!(titles(&session), [general, "Not found: fare Ørland ferry"]);
    // Quotes came near: they may hold what was asked.
    session.gaps[0].near = true;
    assert_eq!(titles(&session), [general]);
    // Words that stand in no document: nothing was found out, neither of them nor of searching.
    session.gaps[0].near = false;
    session.gaps[0].foreign = true;
    assert_eq!(titles(&session), Vec::<String>::new());
    // What a document said itself is no guess.
    session.gaps[0].reason = Some(GapReason::Unavailable);
    assert_eq!(titles(&session), ["Stop when a source says it is not public"]);
    // A run that was queued before is read as before.
    let mut queued = serde_json::to_value(&session).expect("facts are JSON");
    let gap = queued["gaps"][0].as_object_mut().expect("a gap");
    assert!(gap.remove("near").is_some() && gap.remove("foreign").is_some());
    let read: SessionFacts = serde_json::from_value(queued).expect("an older trace");
    assert!(!read.gaps[0].foreign && read.read.is_empty());
}
