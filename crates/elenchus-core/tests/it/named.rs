//! Sources that a person names for a run under way: read in its next round, under the rules of the run.

use crate::limits::replays_from_every_prefix;
use crate::worlds::{autonomous, harbour, sound_end};
use elenchus_core::inquiry::gap::GapStatus;
use elenchus_core::inquiry::{
    Control, Effect, EgressMode, NewSources, Options, Sources, Step, WebOptions,
};
use elenchus_core::port::SearchRequest;
use elenchus_core::testkit::{Drive, Driven, World};
use elenchus_core::trace::TraceEvent;

/// What is asked.
const ASKED: &str = "Which salary does the lighthouse keeper draw?";

/// Gossip, and a ledger that answers.
fn coast() -> World {
    let gossip = (0..30).fold(World::new("coast"), |world, n| {
        world.document(
            &format!("gossip{n}.md"),
            &format!("# Gossip {n}\n\nThe lighthouse keeper may be respected, says villager {n}."),
        )
    });
    gossip.document(
        "finance/ledger.md",
        "# Ledger\n\nWhich salary the lighthouse keeper may draw: 900 crowns.",
    )
}

fn document(path: &str) -> Control {
    Control::AddSources(NewSources { documents: vec![path.to_owned()], ..NewSources::default() })
}

fn page(address: &str) -> Control {
    Control::AddSources(NewSources { pages: vec![address.to_owned()], ..NewSources::default() })
}

/// A run that gives nothing up before its rounds are over, and leaves the ledger out until it is named.
fn begun(world: &World) -> Drive<'_> {
    let mut options = autonomous();
    (options.gaps.max_attempts, options.gaps.dry_rounds) = (9, 9);
    Drive::begin(world, ASKED, options)
}

fn ended(mut drive: Drive<'_>) -> Driven {
    drive.to_end();
    drive.into_driven()
}

/// The searches that are asked for now which were made for a source.
fn looking(drive: &Drive<'_>, is: impl Fn(&SearchRequest) -> bool) -> Vec<SearchRequest> {
    let searches = drive.wanted().into_iter().filter_map(|(_, effect)| match effect {
        Effect::Search(request) if is(&request) => Some(request),
        _ => None,
    });
    searches.collect()
}

fn thoughts(driven: &Driven) -> Vec<String> {
    let thoughts = driven.trace.iter().filter_map(|event| match &event.event {
        TraceEvent::ReasoningThought(thought) => Some(thought.content.clone()),
        _ => None,
    });
    thoughts.collect()
}

#[test]
fn a_document_that_is_named_is_read_in_the_next_round_and_answers() {
    let world = coast();
    let mut drive = begun(&world);
    // It is not among what the run may find by itself.
    let apart = Control::Redirect { focus: None, exclude: vec![], only: vec!["gossip".to_owned()] };
    drive.control(apart);
    while !matches!(
        drive.wanted().first(),
        Some((_, Effect::Model { call, .. })) if call.prompt() == "reflect"
    ) {
        assert!(drive.advance());
    }
    let round = drive.run().view().spent().rounds;
    drive.control(document("finance/ledger.md"));
    let of_it = |request: &SearchRequest| request.filter.only == ["finance/ledger.md"];
    while looking(&drive, of_it).is_empty() {
        assert!(drive.advance(), "it is never looked into");
    }
    assert_eq!(drive.run().view().spent().rounds, round + 1, "in the round after");
    let asked = looking(&drive, of_it);
    assert_eq!(asked.len(), 1);
    assert!(!asked[0].outward && asked[0].named.is_empty());
    let driven = ended(drive);
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    let answer = view.answer().unwrap();
    let cites = answer.sources.iter().any(|source| source.path == "finance/ledger.md");
    assert!(cites, "{:?}", answer.sources);
    assert_eq!(view.gaps().for_question(1).unwrap().status, GapStatus::Resolved);
    replays_from_every_prefix(&driven);
}

#[test]
fn a_source_named_while_the_answer_is_made_opens_what_was_given_up() {
    let world = harbour().document(
        "finance/pay.md",
        "# Pay\n\nWhich salary the lighthouse keeper may draw is 900 crowns.",
    );
    let mut drive = Drive::begin(&world, crate::worlds::QUESTION, autonomous());
    let apart = Control::Redirect {
        focus: None,
        exclude: vec![],
        only: ["tides", "gauge", "light", "town"].map(str::to_owned).to_vec(),
    };
    drive.control(apart);
    while !matches!(
        drive.wanted().first(),
        Some((_, Effect::Model { call, .. })) if call.prompt() == "draft"
    ) {
        assert!(drive.advance(), "the answer is ordered");
    }
    let given_up = drive.run().view().gaps().abandoned().count();
    assert!(given_up > 0);
    drive.control(document("finance/pay.md"));
    assert!(drive.run().view().gaps().active().count() > 0, "it is open again");
    let driven = ended(drive);
    sound_end(&driven.run, &driven.trace);
    let read = driven.run.view().passages();
    assert!(read.iter().any(|read| read.source.path == "finance/pay.md"));
    replays_from_every_prefix(&driven);
}

#[test]
fn sources_named_at_any_step_end_with_an_answer() {
    let world = harbour();
    for steps in 0.. {
        let mut drive = Drive::begin(&world, crate::worlds::QUESTION, autonomous());
        for _ in 0..steps {
            drive.advance();
        }
        if drive.run().step() == Step::Done {
            assert!(steps > 5);
            break;
        }
        drive.control(document("town.md"));
        drive.control(document("no such document"));
        let driven = ended(drive);
        sound_end(&driven.run, &driven.trace);
    }
}

#[test]
fn a_page_is_asked_for_by_its_address_alone() {
    let world = coast();
    let address = "https://a.example/pay";
    let web = |egress| {
        let web = WebOptions { sources: Sources::Hybrid, egress, ..WebOptions::default() };
        Options { web: Some(web), ..autonomous() }
    };
    let named = |request: &SearchRequest| request.named == [address];
    let mut drive = Drive::begin(&world, ASKED, web(EgressMode::Public));
    drive.control(page(address));
    while looking(&drive, named).is_empty() {
        assert!(drive.advance(), "it is never looked into");
    }
    let asked = looking(&drive, named);
    assert!(asked.iter().all(|request| !request.outward), "its words leave for nobody");
    assert!(asked.iter().all(|request| request.filter.only.is_empty()));
    // No search that the run makes by itself has a place for an address.
    let others = looking(&drive, |request| !named(request));
    assert!(others.iter().all(|request| request.named.is_empty()) && !others.is_empty());
    drive.to_end();

    // What is not to be fetched is not, whatever a journal holds.
    let secret = "https://ann:river@a.example/pay";
    for (options, address) in [
        (autonomous(), address),
        (web(EgressMode::Offline), address),
        (web(EgressMode::Public), secret),
        (web(EgressMode::Public), "file:///etc/hosts"),
    ] {
        let mut drive = Drive::begin(&world, ASKED, options);
        drive.control(page(address));
        while drive.run().step() != Step::Done {
            assert!(looking(&drive, |request| !request.named.is_empty()).is_empty(), "{address}");
            drive.advance();
        }
        let driven = drive.into_driven();
        sound_end(&driven.run, &driven.trace);
        let told = thoughts(&driven);
        assert!(told.iter().any(|thought| thought.contains("may not read it")), "{told:?}");
        assert!(told.iter().all(|thought| !thought.contains("river@")), "{told:?}");
    }
}

#[test]
fn what_no_round_came_to_is_told() {
    let world = harbour();
    let mut drive = Drive::begin(&world, crate::worlds::QUESTION, autonomous());
    while drive.run().view().spent().passages == 0 {
        assert!(drive.advance());
    }
    drive.control(document("town.md"));
    drive.control(Control::FinishNow);
    let driven = ended(drive);
    sound_end(&driven.run, &driven.trace);
    let told = thoughts(&driven);
    let expected = "you named town.md, and no round came to it";
    assert!(told.iter().any(|thought| thought == expected), "{told:?}");
}
