//! The plan of a run, seen and changed.

use super::{control, driven, driven_events, events, letters, over, press, reviewed, screen};
use crate::tui::app::{App, Command, Message, Overlay, Purpose, Tab};
use crate::tui::plan::{Draft, Mark, most};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Input, Opened, Options, Recollection, Run, Step};
use elenchus_core::port::CorpusOverview;
use elenchus_core::trace::{Envelope, RunStatus, TraceEvent};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

const SIZE: (u16, u16) = (80, 24);
const CAPACITY: &str = "What is the installed capacity of the Skerry Tidal Array?";
const OPERATOR: &str = "Who operates Skerry Tidal Array?";
const COST: &str = "What will the second phase at Corbie Head cost?";

fn under_way() -> App {
    driven(&driven_events(), SIZE)
}

fn draft(app: &App) -> &Draft {
    app.plan.as_ref().expect("the plan is shown")
}

fn edited(questions: &[&str]) -> Command {
    let questions = questions.iter().map(|&text| text.to_owned()).collect();
    Command::Control(Control::EditPlan { questions })
}

/// Says something to the run, as the run tells of it.
fn told(app: &mut App, control: Control) {
    let run = app.run.as_ref().expect("it is shown");
    let event = Envelope {
        seq: run.seq + 1,
        event: TraceEvent::ControlReceived(control),
        ..events().remove(0)
    };
    app.update(Message::Event(Box::new(event)));
}

fn answer(app: &mut App, question: usize) {
    app.run.as_mut().expect("it is shown").questions[question].answered = true;
}

#[test]
fn questions_are_moved_added_worded_anew_and_taken_out() {
    let mut app = under_way();
    letters(&mut app, "E");
    let shown = screen(&app);
    for text in [CAPACITY, OPERATOR, COST, "The plan of this run", "Esc back"] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
    letters(&mut app, "J");
    assert_eq!(draft(&app).asked(), [OPERATOR, CAPACITY, COST]);
    app.update(Message::Key(KeyEvent::new(KeyCode::Up, KeyModifiers::SHIFT)));
    assert_eq!(draft(&app).asked(), [CAPACITY, OPERATOR, COST]);
    assert!(!draft(&app).is_changed());

    letters(&mut app, "jaHow deep is it?");
    press(&mut app, KeyCode::Enter);
    assert_eq!(draft(&app).asked(), [CAPACITY, OPERATOR, "How deep is it?", COST]);
    assert!(screen(&app).contains("+ 3. How deep is it? (new)"), "{}", screen(&app));
    letters(&mut app, "k");
    press(&mut app, KeyCode::Enter);
    assert!(
        screen(&app).contains(&format!("question> {OPERATOR}")),
        "it is worded anew from what it is"
    );
    control(&mut app, 'u');
    letters(&mut app, "Who runs it?");
    press(&mut app, KeyCode::Enter);
    letters(&mut app, "Gx");
    assert_eq!(draft(&app).asked(), [CAPACITY, "Who runs it?", "How deep is it?"]);
    let shown = screen(&app);
    assert!(shown.contains(&format!("left out: {COST}")), "{shown}");
    let sent = letters(&mut app, "s");
    assert_eq!(sent, Some(edited(&[CAPACITY, "Who runs it?", "How deep is it?"])));
    assert!(app.plan.is_none() && app.note.text.contains("from the next round on"));

    // What was dropped is as it was.
    letters(&mut app, "Exxu");
    assert!(!draft(&app).is_changed());
    assert_eq!(letters(&mut app, "s"), None);
    assert!(app.note.text.contains("nothing was changed"), "{}", app.note.text);
}

#[test]
fn what_may_not_be_changed_is_said() {
    let mut app = under_way();
    answer(&mut app, 1);
    letters(&mut app, "Ej");
    assert!(
        screen(&app).contains("\u{2713} 2. Who operates Skerry Tidal Array? (answered, stays)")
    );
    for key in [KeyCode::Enter, KeyCode::Char('x')] {
        press(&mut app, key);
        assert!(app.note.is_bad && app.note.text.contains("question 2 is answered"), "{key:?}");
        assert!(app.typing.is_none() && !draft(&app).is_changed());
    }
    // It may be moved.
    letters(&mut app, "K");
    assert_eq!(draft(&app).asked(), [OPERATOR, CAPACITY, COST]);

    // A question that cannot be taken stays in the line, to be mended.
    for (typed, why) in
        [("?!", "is empty"), (" who OPERATES skerry tidal  array?", "question 1 asks that")]
    {
        letters(&mut app, "a");
        letters(&mut app, typed);
        press(&mut app, KeyCode::Enter);
        assert!(app.note.is_bad && app.note.text.contains(why), "{}", app.note.text);
        assert!(matches!(app.typing, Some((Purpose::Plan, _))));
        press(&mut app, KeyCode::Esc);
        assert!(app.typing.is_none() && app.editing().is_some());
    }
    for number in 3..most() {
        letters(&mut app, &format!("aWhat of {number}?"));
        press(&mut app, KeyCode::Enter);
    }
    letters(&mut app, "a");
    assert!(app.note.is_bad && app.note.text.contains("at most 8"), "{}", app.note.text);
    // One that stands already, in whatever letters, is told apart from a new one.
    for (row, why) in [("gj", "question 7 asks that"), ("Gk", "the same question")] {
        letters(&mut app, row);
        press(&mut app, KeyCode::Enter);
        control(&mut app, 'u');
        letters(&mut app, &CAPACITY.to_uppercase());
        press(&mut app, KeyCode::Enter);
        assert!(app.note.is_bad && app.note.text.contains(why), "{}", app.note.text);
        press(&mut app, KeyCode::Esc);
    }
}

#[test]
fn a_plan_without_questions_is_not_sent() {
    let mut app = under_way();
    letters(&mut app, "Exxx");
    assert!(draft(&app).asked().is_empty());
    assert!(screen(&app).contains("It asks nothing"), "{}", screen(&app));
    letters(&mut app, "x");
    assert!(app.note.is_bad);
    assert_eq!(letters(&mut app, "s"), None);
    assert!(app.note.is_bad && app.editing().is_some());
    letters(&mut app, "aHow deep is it?");
    press(&mut app, KeyCode::Enter);
    assert_eq!(letters(&mut app, "s"), Some(edited(&["How deep is it?"])));
}

#[test]
fn a_plan_that_is_waited_with_shows_itself() {
    let mut app = driven(&reviewed(), SIZE);
    let shown = screen(&app);
    assert!(shown.contains("waits for you to look at its plan; nothing was searched"), "{shown}");
    assert!(shown.contains("s go on") && shown.contains("paused"), "{shown}");
    assert_eq!(letters(&mut app, "s"), Some(Command::Control(Control::Resume)));
    assert!(app.plan.is_none());

    // Left for later, it is still waited with, and that is said.
    let mut app = driven(&reviewed(), SIZE);
    press(&mut app, KeyCode::Esc);
    assert!(app.plan.is_none() && app.note.text.contains("still waits"));
    assert!(screen(&app).contains("E see the plan"), "{}", screen(&app));
    assert!(screen(&app).contains("p go on"));
    letters(&mut app, "Ex");
    assert_eq!(letters(&mut app, "s"), Some(edited(&[OPERATOR, COST])));
    assert!(app.note.text.contains("goes on with your plan"));

    // From the plan a run is let go on, interrupted and left as from anywhere.
    let mut app = driven(&reviewed(), SIZE);
    assert_eq!(letters(&mut app, "p"), Some(Command::Control(Control::Resume)));
    assert_eq!(letters(&mut app, "i"), Some(Command::Control(Control::Interrupt)));
    letters(&mut app, "q");
    assert_eq!(app.overlay, Some(Overlay::Leave));
    press(&mut app, KeyCode::Esc);
    assert_eq!(control(&mut app, 'c'), Some(Command::Leave));
    // What is typed when it comes is not lost.
    let all = reviewed();
    let mut app = driven(&all[..all.len() - 1], SIZE);
    letters(&mut app, "/tid");
    app.update(Message::Event(Box::new(all[all.len() - 1].clone())));
    letters(&mut app, "es");
    assert!(screen(&app).contains("search> tides") && app.editing().is_some(), "{}", screen(&app));
}

#[test]
fn a_run_that_goes_on_elsewhere_takes_its_plan_away_unless_it_was_changed() {
    let mut app = driven(&reviewed(), SIZE);
    told(&mut app, Control::Resume);
    assert!(app.plan.is_none(), "nothing is lost with it");
    let mut app = driven(&reviewed(), SIZE);
    letters(&mut app, "x");
    told(&mut app, Control::Resume);
    assert_eq!(letters(&mut app, "s"), Some(edited(&[OPERATOR, COST])));
}

#[test]
fn one_that_is_gone_on_with_is_waited_for_again() {
    let all = reviewed();
    let mut app = App::new(SIZE, true, String::new(), 0);
    app.typing = None;
    let mut summary = super::runs().remove(1);
    summary.run_id = all[0].run_id.clone();
    app.update(Message::Opened { summary: Box::new(summary), events: all.clone() });
    letters(&mut app, "E");
    assert!(app.note.is_bad && app.plan.is_none(), "nobody drives it");
    app.update(Message::Began(all[0].run_id.clone()));
    assert!(app.editing().is_some());
    // One whose plan was looked at long ago is not.
    let mut app = App::new(SIZE, true, String::new(), 0);
    app.update(Message::Began(all[0].run_id.clone()));
    for event in &all {
        app.update(Message::Event(Box::new(event.clone())));
    }
    told(&mut app, Control::Resume);
    assert!(app.plan.is_none());
}

#[test]
fn changes_are_dropped_only_when_that_is_meant() {
    let mut app = under_way();
    letters(&mut app, "Ex");
    press(&mut app, KeyCode::Esc);
    assert!(app.note.is_bad && app.note.text.contains("Esc once more"));
    letters(&mut app, "j");
    press(&mut app, KeyCode::Esc);
    assert!(app.editing().is_some(), "something was done between");
    press(&mut app, KeyCode::Esc);
    assert!(app.plan.is_none() && app.note.text.contains("dropped"));
    // Untouched, there is nothing to drop.
    letters(&mut app, "E");
    press(&mut app, KeyCode::Esc);
    assert!(app.plan.is_none() && app.note.text.is_empty());
}

#[test]
fn other_pages_are_looked_at_meanwhile() {
    let mut app = under_way();
    letters(&mut app, "Ex2");
    assert_eq!(app.tab, Tab::Gaps);
    assert!(app.editing().is_none() && app.note.text.contains("are kept"));
    assert!(screen(&app).contains("E back to the plan"), "{}", screen(&app));
    letters(&mut app, "E");
    assert_eq!(letters(&mut app, "s"), Some(edited(&[OPERATOR, COST])));
    letters(&mut app, "E");
    press(&mut app, KeyCode::Tab);
    assert!(app.plan.is_none(), "nothing was changed");
    assert_eq!(app.tab, Tab::Beliefs);
    letters(&mut app, "E?");
    assert!(screen(&app).contains("keys: Esc closes"));
    press(&mut app, KeyCode::Esc);
    assert!(app.editing().is_some());
}

#[test]
fn what_becomes_of_the_run_meanwhile_is_taken_in() {
    let all = events();
    // Before there is a plan, one is written; that of the run is said when it comes.
    let mut app = driven(&all[..3], SIZE);
    letters(&mut app, "E");
    assert!(screen(&app).contains("There is no plan yet"), "{}", screen(&app));
    letters(&mut app, "aHow deep is it?");
    press(&mut app, KeyCode::Enter);
    for event in &all[3..6] {
        app.update(Message::Event(Box::new(event.clone())));
    }
    assert!(app.note.text.contains("another plan meanwhile"), "{}", app.note.text);
    assert!(screen(&app).contains(&format!("left out: {COST}")));
    // What is answered meanwhile is not lost.
    answer(&mut app, 0);
    app.update(Message::Event(Box::new(all[6].clone())));
    assert_eq!(draft(&app).asked(), ["How deep is it?", CAPACITY]);
    assert!(app.note.text.contains("answered meanwhile"), "{}", app.note.text);
    // An untouched one follows the run.
    let mut app = driven(&all[..3], SIZE);
    letters(&mut app, "E");
    for event in &all[3..6] {
        app.update(Message::Event(Box::new(event.clone())));
    }
    assert_eq!(draft(&app).asked(), [CAPACITY, OPERATOR, COST]);
    // The end of the run is the end of its plan.
    letters(&mut app, "xaHow");
    app.update(Message::Ended(Ok("run over".to_owned())));
    assert!(app.plan.is_none() && app.typing.is_none());
    assert!(app.note.text.contains("came too late") && app.note.text.contains("run over"));
    letters(&mut app, "E");
    assert!(app.note.is_bad && app.plan.is_none());
    let mut app = over(SIZE);
    letters(&mut app, "E");
    assert!(app.note.is_bad && app.plan.is_none());
}

/// No event announces what a run is told to look for; it is planned all the same, and an edit that left it out would end it.
#[test]
fn what_the_run_was_told_to_look_for_is_in_its_plan() {
    let mut app = under_way();
    let focus = Some("  tidal range ".to_owned());
    told(&mut app, Control::Redirect { focus, exclude: vec![], only: vec![] });
    letters(&mut app, "E");
    assert_eq!(draft(&app).asked(), [CAPACITY, OPERATOR, COST, "tidal range"]);
    assert_eq!(draft(&app).mark("tidal range"), Mark::Planned);
    assert_eq!(letters(&mut app, "xs"), Some(edited(&[OPERATOR, COST, "tidal range"])));
    // Before there is a plan it waits for it.
    let mut app = driven(&events()[..3], SIZE);
    let focus = Some("tidal range".to_owned());
    told(&mut app, Control::Redirect { focus, exclude: vec![], only: vec![] });
    letters(&mut app, "E");
    assert!(screen(&app).contains("There is no plan yet"), "{}", screen(&app));
    assert_eq!(draft(&app).asked(), ["tidal range"]);
}

/// An answer may have come that the draft has not heard of.
#[test]
fn what_the_core_refuses_is_not_sent() {
    let mut app = under_way();
    letters(&mut app, "Ex");
    answer(&mut app, 0);
    assert_eq!(letters(&mut app, "s"), None);
    assert!(app.note.is_bad && app.note.text.contains("is answered"), "{}", app.note.text);
    assert!(app.editing().is_some());
}

#[test]
fn a_paused_run_stays_so() {
    let mut app = under_way();
    app.run.as_mut().expect("it is shown").status = RunStatus::Paused;
    letters(&mut app, "Exs");
    assert!(app.note.text.contains("still paused"), "{}", app.note.text);
}

/// A run of the core that waits with the plan that it was given.
fn waiting(plan: &[String]) -> (Run, App) {
    let at = Timestamp(1_000);
    let opened = Opened {
        run_id: RunId::derive("What?", at, 1),
        question: "What?".to_owned(),
        options: Options { plan: plan.to_vec(), review_plan: true, ..Options::default() },
        corpus: CorpusOverview {
            name: "harbor".to_owned(),
            documents: 3,
            passages: 9,
            ..CorpusOverview::default()
        },
        model: "none".to_owned(),
        judging: None,
        contest: None,
        forked: None,
        recalled: Recollection::default(),
    };
    let (run, trace) = Run::new(opened, at);
    assert_eq!(run.step(), Step::Paused);
    (run, driven(&trace, SIZE))
}

/// What the core plans, after what was sent.
fn planned(run: &mut Run, sent: Option<Command>) -> Vec<String> {
    let Some(Command::Control(control)) = sent else { panic!("{sent:?}") };
    let trace = run.feed(Input::Control(control), Timestamp(2_000));
    assert_ne!(run.step(), Step::Paused, "it goes on");
    let plan = trace.iter().find_map(|event| match &event.event {
        TraceEvent::PlanningCompleted { questions, .. } => Some(questions),
        _ => None,
    });
    plan.expect("it is announced").iter().map(|question| question.text.clone()).collect()
}

#[test]
fn the_core_plans_what_was_shown() {
    let plan = ["How deep is it?".to_owned(), "Who keeps it?".to_owned()];
    let (mut run, mut app) = waiting(&plan);
    letters(&mut app, "JaWhen was it  built?");
    press(&mut app, KeyCode::Enter);
    let shown = draft(&app).asked().to_vec();
    assert_eq!(shown, ["Who keeps it?", "How deep is it?", "When was it built?"]);
    assert_eq!(planned(&mut run, letters(&mut app, "s")), shown);
}

#[test]
fn the_core_plans_no_more_than_fit() {
    let many: Vec<String> = (0..most() + 3).map(|number| format!("What of {number}?")).collect();
    let (mut run, mut app) = waiting(&many);
    assert_eq!(draft(&app).asked(), &many[..most()]);
    letters(&mut app, "J");
    let shown = draft(&app).asked().to_vec();
    assert_eq!(planned(&mut run, letters(&mut app, "s")), shown);
}
