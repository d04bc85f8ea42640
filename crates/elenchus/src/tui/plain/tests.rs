//! Runs followed and steered by lines.

use super::*;
use crate::tui::tests::{driven_events, reviewed};
use tokio::sync::mpsc;

/// What was said since it was last looked.
fn said(heard: &mut UnboundedReceiver<Told>) -> String {
    let mut all = String::new();
    while let Ok(Told::Line(line) | Told::Warning(line)) = heard.try_recv() {
        all.push_str(&line);
        all.push('\n');
    }
    all
}

/// A terminal that keeps what is said.
fn terminal() -> (Terminal, UnboundedReceiver<Told>) {
    let (to, heard) = mpsc::unbounded_channel();
    (Terminal::silent().shown_by(to), heard)
}

/// Hears that a run began and what it has come to; gives what is to be done last.
fn follow(plain: &mut Plain<'_>, events: &[Envelope]) -> Option<Command> {
    plain.at_work = true;
    let began = Message::Began(events[0].run_id.clone());
    let mut last = plain.hear(began).expect("nothing is written");
    for event in events {
        last = plain.hear(Message::Event(Box::new(event.clone()))).expect("it can be written");
    }
    last
}

#[test]
fn a_plan_is_shown_and_changed_by_lines() {
    let (terminal, mut heard) = terminal();
    let mut plain = Plain::new(&terminal, true, true);
    assert_eq!(follow(&mut plain, &reviewed()), None);
    let shown = said(&mut heard);
    assert!(shown.contains("waits for you to look at its plan"), "{shown}");
    assert!(shown.contains("2 Who operates Skerry Tidal Array?"), "{shown}");
    assert!(shown.contains("change NUMBER WORDS"), "{shown}");
    for line in ["add How deep is it?", "move 4 1", "remove 4", "change 3 Who runs it?"] {
        assert_eq!(plain.told(line), None, "{line}");
    }
    let shown = said(&mut heard);
    assert!(shown.contains("1 How deep is it? (new)"), "{shown}");
    assert!(
        shown.contains("taken out: What will the second phase at Corbie Head cost?"),
        "{shown}"
    );
    for (line, why) in [
        ("remove 9", "questions 1 to 3 only"),
        ("add how DEEP is it?", "question 1 asks that already"),
        ("add ?!", "the question is empty"),
        ("change 2", "change NUMBER WORDS"),
    ] {
        assert_eq!(plain.told(line), None, "{line}");
        let shown = said(&mut heard);
        assert!(shown.contains(why), "{line}: {shown}");
    }
    let questions = [
        "How deep is it?",
        "What is the installed capacity of the Skerry Tidal Array?",
        "Who runs it?",
    ];
    let questions = questions.map(str::to_owned).to_vec();
    assert_eq!(plain.told("send"), Some(Command::Control(Control::EditPlan { questions })));
    assert!(said(&mut heard).contains("goes on with your plan"));
}

#[test]
fn a_plan_that_is_left_alone_is_let_go_on() {
    let (terminal, mut heard) = terminal();
    let mut plain = Plain::new(&terminal, true, true);
    follow(&mut plain, &reviewed());
    assert_eq!(plain.told("discard"), None);
    assert!(said(&mut heard).contains("still waits"));
    assert_eq!(plain.told("send"), Some(Command::Control(Control::Resume)));
    // Nobody is asked who is not there, or has gone.
    let mut alone = Plain::new(&terminal, false, true);
    assert_eq!(follow(&mut alone, &reviewed()), Some(Command::Control(Control::Resume)));
    let mut left = Plain::new(&terminal, true, true);
    follow(&mut left, &reviewed());
    assert_eq!(left.alone(), Some(Command::Control(Control::Resume)));
    assert_eq!(left.alone(), Some(Command::Control(Control::Resume)), "it has not gone on yet");
}

#[test]
fn a_plan_is_changed_while_a_run_goes_on_and_no_longer() {
    let (terminal, mut heard) = terminal();
    let mut plain = Plain::new(&terminal, true, false);
    assert_eq!(plain.told("plan"), None);
    assert!(said(&mut heard).contains("no run is under way"));
    follow(&mut plain, &driven_events());
    assert_eq!(plain.told("plan"), None);
    assert!(said(&mut heard).contains("1 What is the installed capacity"));
    assert_eq!(plain.told("send"), None);
    assert!(said(&mut heard).contains("nothing was changed"));
    plain.told("remove 1");
    plain.hear(Message::Ended(Ok("it is over".to_owned()))).expect("nothing is written");
    let shown = said(&mut heard);
    assert!(shown.contains("came too late") && shown.contains("it is over"), "{shown}");
    assert!(plain.prompt().contains(":review has its plan shown"));
}
