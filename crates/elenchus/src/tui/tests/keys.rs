//! What keys do.

use super::{before, control, driven, events, letters, over, press, screen};
use crate::tui::app::{App, Command, Judgement, Message, Overlay, Tab};
use elenchus_core::id::{HypothesisId, Timestamp};
use elenchus_core::inquiry::{Control, Forked, NewLimits, NewSources, StopReason, Tested};
use elenchus_core::port::{LOCAL, Matter, Remark};
use elenchus_core::prompt::ClarifyingQuestion;
use elenchus_core::scrutiny::challenge::Contest;
use elenchus_core::trace::{Projection, RunStatus, StepKind, TraceEvent};
use ratatui::crossterm::event::KeyCode;

const SIZE: (u16, u16) = (80, 24);

fn asked(question: &str, review: bool) -> Command {
    Command::Ask { question: question.to_owned(), review }
}

fn fresh() -> App {
    App::new(SIZE, true, String::new(), 0)
}

#[test]
fn a_question_is_typed_and_asked() {
    let mut app = fresh();
    assert_eq!(letters(&mut app, "why is q a ?"), None, "letters are text while a line is typed");
    press(&mut app, KeyCode::Backspace);
    press(&mut app, KeyCode::Home);
    letters(&mut app, "And ");
    assert_eq!(press(&mut app, KeyCode::Enter), Some(asked("And why is q a", false)));
    assert!(app.is_at_work(), "a second one is not begun meanwhile");
    press(&mut app, KeyCode::Char('a'));
    assert!(app.typing.is_none() && app.note.is_bad);
    let mut app = fresh();
    assert_eq!(press(&mut app, KeyCode::Enter), None, "an empty question is none");
    assert!(app.note.text.contains("empty") && app.typing.is_some());
}

#[test]
fn earlier_questions_come_back() {
    let mut app = fresh();
    letters(&mut app, "one?");
    press(&mut app, KeyCode::Enter);
    app.update(Message::Ended(Ok(String::new())));
    press(&mut app, KeyCode::Char('a'));
    press(&mut app, KeyCode::Up);
    assert_eq!(press(&mut app, KeyCode::Enter), Some(asked("one?", false)));
}

#[test]
fn a_question_is_asked_with_its_plan_shown_first() {
    let mut app = fresh();
    letters(&mut app, "one");
    assert!(!screen(&app).contains("plan first"));
    press(&mut app, KeyCode::Tab);
    assert!(screen(&app).contains("ask, plan first> one"), "{}", screen(&app));
    press(&mut app, KeyCode::Char('?'));
    assert_eq!(press(&mut app, KeyCode::Enter), Some(asked("one?", true)));
    // It stays so, and what the command line says is where it begins.
    app.update(Message::Ended(Ok(String::new())));
    letters(&mut app, "atwo?");
    press(&mut app, KeyCode::Tab);
    assert_eq!(press(&mut app, KeyCode::Enter), Some(asked("two?", false)));
    let mut app = fresh().with(false, true);
    letters(&mut app, "three?");
    assert_eq!(press(&mut app, KeyCode::Enter), Some(asked("three?", true)));
}

#[test]
fn control_c_leaves_from_everywhere() {
    for prepare in ["", "?", "/word", "q", "2", "r"] {
        let mut app = driven(&events()[..40], SIZE);
        letters(&mut app, prepare);
        assert_eq!(control(&mut app, 'c'), Some(Command::Leave), "{prepare:?}");
    }
    assert_eq!(control(&mut fresh(), 'c'), Some(Command::Leave));
    assert_eq!(fresh().update(Message::Stop), Some(Command::Leave));
}

#[test]
fn leaving_a_run_under_way_is_said_before() {
    let mut app = driven(&events()[..40], SIZE);
    assert_eq!(press(&mut app, KeyCode::Char('q')), None);
    assert_eq!(app.overlay, Some(Overlay::Leave));
    assert!(screen(&app).contains("elenchus runs resume run_f448c370bb9b"));
    assert_eq!(press(&mut app, KeyCode::Char('n')), None);
    assert_eq!(app.overlay, None);
    letters(&mut app, "q");
    assert_eq!(press(&mut app, KeyCode::Char('q')), Some(Command::Leave));
    assert_eq!(press(&mut over(SIZE), KeyCode::Char('q')), Some(Command::Leave));
}

#[test]
fn leaving_a_run_of_the_workers_lets_it_go_on() {
    let mut app = driven(&events()[..40], SIZE);
    app.update(Message::HandedOver("run_f448c370bb9b".into()));
    assert_eq!(press(&mut app, KeyCode::Char('q')), None);
    assert!(screen(&app).contains("elenchus runs attach run_f448c370bb9b"));
    assert!(!screen(&app).contains("runs resume"));
}

#[test]
fn a_run_is_steered() {
    let mut app = driven(&events()[..40], SIZE);
    let told = |app: &mut App, c: char| press(app, KeyCode::Char(c));
    assert_eq!(told(&mut app, 'i'), Some(Command::Control(Control::Interrupt)));
    assert_eq!(told(&mut app, 'f'), Some(Command::Control(Control::FinishNow)));
    assert_eq!(told(&mut app, 'p'), Some(Command::Control(Control::Pause)));
    app.run.as_mut().unwrap().status = RunStatus::Paused;
    assert_eq!(told(&mut app, 'p'), Some(Command::Control(Control::Resume)));
    letters(&mut app, "rtidal range -surveys +reports");
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        Some(Command::Control(Control::Redirect {
            focus: Some("tidal range".to_owned()),
            exclude: vec!["surveys".to_owned()],
            only: vec!["reports".to_owned()],
        }))
    );
    let mut app = over(SIZE);
    for c in ['i', 'f', 'p', 'r'] {
        assert_eq!(told(&mut app, c), None);
        assert!(app.note.is_bad && app.typing.is_none(), "{c}");
    }
}

#[test]
fn a_step_is_doubted_while_the_run_goes_on_and_after() {
    let all = events();
    let thought = before(&all, |event| matches!(event, TraceEvent::ReasoningThought(_)));
    let number = all[thought].seq;
    for is_over in [false, true] {
        let mut app = if is_over { over(SIZE) } else { driven(&all[..40], SIZE) };
        letters(&mut app, "1/asks for a number");
        press(&mut app, KeyCode::Enter);
        assert_eq!(app.selected_step().map(|step| step.seq), Some(number));
        letters(&mut app, "cis that so?");
        let text = "is that so?".to_owned();
        let wanted = if is_over {
            Command::Doubt { run: all[0].run_id.clone(), event: number, text }
        } else {
            Command::Control(Control::Challenge { event_id: number, text })
        };
        assert_eq!(press(&mut app, KeyCode::Enter), Some(wanted));
    }
    let mut app = over(SIZE);
    letters(&mut app, "1g");
    press(&mut app, KeyCode::Down);
    assert!(app.selected_step().is_some_and(|step| !step.can_be_challenged));
    letters(&mut app, "c");
    assert!(app.note.is_bad && app.typing.is_none());
}

#[test]
fn the_trace_is_searched_and_folded() {
    let mut app = over(SIZE);
    letters(&mut app, "1-");
    let folded = app.rows().len();
    letters(&mut app, "/PORPOISE");
    press(&mut app, KeyCode::Enter);
    let first = app.selected_step().expect("a step says it").seq;
    assert!(app.note.text.starts_with("1 of "), "{}", app.note.text);
    assert!(app.rows().len() > folded, "what hid it is unfolded");
    letters(&mut app, "n");
    assert_ne!(app.selected_step().unwrap().seq, first);
    letters(&mut app, "N");
    assert_eq!(app.selected_step().unwrap().seq, first);
    letters(&mut app, "/zzz");
    press(&mut app, KeyCode::Enter);
    assert!(app.note.is_bad);
    letters(&mut app, "+");
    let whole = app.rows().len();
    assert_eq!(
        whole
            - app
                .rows()
                .iter()
                .filter(|row| matches!(row.key(), crate::tui::tree::Key::Stage(_)))
                .count(),
        app.run.as_ref().unwrap().steps.len(),
        "every step is a row"
    );
    // An observation is folded with its action.
    let row = app
        .rows()
        .iter()
        .position(|row| matches!(row, crate::tui::tree::Row::Step { depth: 2, .. }))
        .unwrap();
    app.select(row);
    letters(&mut app, " ");
    assert_eq!(app.rows().len(), whole - 1);
    assert!(app.selected_step().is_some_and(|step| step.kind == StepKind::Action));
}

#[test]
fn the_last_row_is_followed_until_one_looks_elsewhere() {
    let all = events();
    let mut app = driven(&all[..20], SIZE);
    app.update(Message::Event(Box::new(all[20].clone())));
    assert_eq!(app.selected(), app.rows().len() - 1);
    press(&mut app, KeyCode::Up);
    let key = app.rows()[app.selected()].key();
    for event in &all[21..60] {
        app.update(Message::Event(Box::new(event.clone())));
    }
    assert_eq!(app.rows()[app.selected()].key(), key);
    letters(&mut app, "G");
    app.update(Message::Event(Box::new(all[60].clone())));
    assert_eq!(app.selected(), app.rows().len() - 1);
}

#[test]
fn what_is_asked_back_is_answered() {
    let all = events();
    let question = |text: &str| ClarifyingQuestion {
        text: text.to_owned(),
        why: String::new(),
        choices: vec!["x".to_owned(), "y".to_owned()],
    };
    let mut asked = all[1].clone();
    asked.seq = 3;
    asked.event =
        TraceEvent::ClarificationRequested { questions: vec![question("A?"), question("B?")] };
    let mut app = driven(&all[..2], SIZE);
    app.update(Message::Event(Box::new(asked.clone())));
    letters(&mut app, "7");
    assert_eq!(press(&mut app, KeyCode::Enter), None);
    assert!(app.note.text.contains("no choice 7"));
    letters(&mut app, "2");
    assert_eq!(press(&mut app, KeyCode::Enter), None);
    letters(&mut app, "in words");
    let told = press(&mut app, KeyCode::Enter);
    let Some(Command::Control(Control::Clarified { answers })) = told else {
        panic!("{told:?}");
    };
    assert_eq!(answers.len(), 2);
    assert_eq!((answers[0].choice, answers[1].text.as_deref()), (Some(2), Some("in words")));

    // Not answered at once: the keys work, s skips, Enter answers.
    let mut app = driven(&all[..2], SIZE);
    app.update(Message::Event(Box::new(asked)));
    press(&mut app, KeyCode::Esc);
    letters(&mut app, "2");
    assert_eq!(app.tab, Tab::Gaps);
    press(&mut app, KeyCode::Enter);
    assert!(app.typing.is_some());
    press(&mut app, KeyCode::Esc);
    assert_eq!(
        press(&mut app, KeyCode::Char('s')),
        Some(Command::Control(Control::SkipClarification))
    );
}

#[test]
fn pages_ask_for_what_they_show() {
    let mut app = fresh();
    press(&mut app, KeyCode::Esc);
    assert_eq!(press(&mut app, KeyCode::Char('9')), Some(Command::ListRuns));
    app.update(Message::Runs(super::runs()));
    press(&mut app, KeyCode::Down);
    let id = super::runs()[1].run_id.clone();
    assert_eq!(press(&mut app, KeyCode::Enter), Some(Command::Open(id.clone())));
    assert_eq!(press(&mut app, KeyCode::Char('R')), Some(Command::Resume(id)));
    app.update(Message::Ended(Ok(String::new())));
    assert_eq!(press(&mut app, KeyCode::Char('8')), Some(Command::ListMemories));
    app.update(Message::Memories(super::memories(), super::stats()));
    assert_eq!(press(&mut app, KeyCode::Char('x')), Some(Command::Archive("s1".into())));
    assert_eq!(press(&mut app, KeyCode::Char('w')), Some(Command::Why("s1".into())));
    press(&mut app, KeyCode::End);
    assert_eq!(press(&mut app, KeyCode::Char('x')), Some(Command::Restore("s3".into())));
}

#[test]
fn a_run_that_is_opened_is_shown_and_one_that_stopped_is_gone_on_with() {
    let all = events();
    let mut app = fresh();
    app.typing = None;
    let mut summary = super::runs().remove(1);
    summary.run_id = all[0].run_id.clone();
    app.update(Message::Opened { summary: Box::new(summary), events: all[..50].to_vec() });
    assert_eq!(app.status(), "stopped");
    assert!(screen(&app).contains("R go on"), "{}", screen(&app));
    let id = all[0].run_id.clone();
    assert_eq!(press(&mut app, KeyCode::Char('R')), Some(Command::Resume(id.clone())));
    app.update(Message::Began(id));
    for event in &all {
        app.update(Message::Event(Box::new(event.clone())));
    }
    assert_eq!(app.run.as_ref().unwrap().steps.len(), all.len(), "no event counts twice");
    assert_eq!(app.status(), "finished");
}

#[test]
fn limits_are_set_under_way_and_past_the_end_that_one_made() {
    let mut app = driven(&events()[..40], SIZE);
    letters(&mut app, "bmany rounds");
    assert_eq!(press(&mut app, KeyCode::Enter), None);
    assert!(app.note.is_bad && app.typing.is_some(), "it says how, and keeps what was typed");
    press(&mut app, KeyCode::Esc);
    letters(&mut app, "brounds 8, 200 passages");
    let limits = NewLimits { rounds: Some(8), passages: Some(200), ..NewLimits::default() };
    let set = Some(Command::Control(Control::SetBudget(limits.clone())));
    assert_eq!(press(&mut app, KeyCode::Enter), set);
    assert!(app.note.text.contains("8 rounds, 200 passages"), "{}", app.note.text);
    // Once it is over, it depends on what ended it.
    let mut app = over(SIZE);
    press(&mut app, KeyCode::Char('b'));
    assert!(app.note.is_bad && app.typing.is_none());
    let run = app.run.as_mut().unwrap();
    run.stop_reason = Some(StopReason::BudgetRounds);
    let id = run.run_id.clone();
    letters(&mut app, "b8 rounds passages 200");
    let more = Some(Command::More { run: id, limits });
    assert_eq!(press(&mut app, KeyCode::Enter), more);
    assert!(app.is_at_work());
}

#[test]
fn a_source_is_named_for_a_run_under_way() {
    let mut app = driven(&events()[..40], SIZE);
    letters(&mut app, "dfinance/erp notes.md");
    let documents = vec!["finance/erp notes.md".to_owned()];
    let named = NewSources { documents, ..NewSources::default() };
    let added = Some(Command::Control(Control::AddSources(named)));
    assert_eq!(press(&mut app, KeyCode::Enter), added);
    assert!(app.note.text.contains("finance/erp notes.md"), "{}", app.note.text);
    letters(&mut app, "dhttps://a.example/");
    assert_eq!(press(&mut app, KeyCode::Enter), None);
    assert!(app.note.is_bad && app.note.text.contains("documents alone"), "{}", app.note.text);
    let mut app = over(SIZE);
    press(&mut app, KeyCode::Char('d'));
    assert!(app.note.is_bad && app.typing.is_none());
}

#[test]
fn statements_and_insights_are_judged() {
    let mut app = over(SIZE);
    let run = app.run.as_ref().unwrap().run_id.clone();
    let listed = Command::ListRemarks(run.clone());
    let judged = |about, target: &str, said: Option<&str>, note: &str| {
        Some(Command::Judge(Judgement {
            run: run.clone(),
            about,
            target: target.to_owned(),
            said: said.map(str::to_owned),
            note: note.to_owned(),
        }))
    };
    assert_eq!(press(&mut app, KeyCode::Char('4')), Some(listed.clone()));
    app.update(Message::Remarks(run.clone(), vec![]));
    for key in ['m', 'u'] {
        assert_eq!(press(&mut app, KeyCode::Char(key)), None, "nothing was said of it yet");
        assert!(app.note.is_bad && app.typing.is_none(), "{key}");
    }
    let claim = Matter::Claim;
    assert_eq!(press(&mut app, KeyCode::Char('-')), judged(claim, "c1", Some("wrong"), ""));
    let said = Remark::new(&run, claim, "c1", LOCAL, Some("wrong"), Timestamp(5));
    app.update(Message::Remarks(run.clone(), vec![said.clone()]));
    let shown = screen(&app);
    assert!(shown.contains("said: wrong") && shown.contains("you said: wrong"), "{shown}");
    letters(&mut app, "mthe gauge says 5");
    let noted = judged(claim, "c1", Some("wrong"), "the gauge says 5");
    assert_eq!(press(&mut app, KeyCode::Enter), noted);
    // Another word keeps the note, which can be written anew.
    let said = said.noting("the gauge says 5");
    let other = Remark::new(&run, claim, "c2", "ann", Some("right"), Timestamp(6));
    app.update(Message::Remarks(run.clone(), vec![said, other]));
    let noted = judged(claim, "c1", Some("right"), "the gauge says 5");
    assert_eq!(press(&mut app, KeyCode::Char('+')), noted);
    letters(&mut app, "m");
    assert!(screen(&app).contains("note on c1> the gauge says 5"), "{}", screen(&app));
    press(&mut app, KeyCode::Esc);
    assert_eq!(press(&mut app, KeyCode::Char('u')), judged(claim, "c1", None, ""));
    // What is said of another run is none of this one's.
    app.update(Message::Remarks("run_other".into(), vec![]));
    assert!(screen(&app).contains("you said: wrong: the gauge says 5"), "{}", screen(&app));
    press(&mut app, KeyCode::Down);
    assert!(screen(&app).contains("ann said: right"), "{}", screen(&app));

    assert_eq!(press(&mut app, KeyCode::Char('7')), Some(listed));
    for (key, word) in [('+', "useful"), ('-', "not-useful"), ('s', "saved")] {
        let told = press(&mut app, KeyCode::Char(key));
        assert_eq!(told, judged(Matter::Insight, "i1", Some(word), ""));
    }
    letters(&mut app, "mask the fishers");
    let noted = judged(Matter::Insight, "i1", Some("saved"), "ask the fishers");
    assert_eq!(press(&mut app, KeyCode::Enter), noted);
    // Elsewhere these keys mean what they meant.
    letters(&mut app, "1");
    let whole = app.rows().len();
    assert_eq!(press(&mut app, KeyCode::Char('-')), None);
    assert!(app.rows().len() < whole);
}

#[test]
fn an_explanation_is_tested_again_once_the_run_is_over() {
    let mut app = driven(&events()[..40], SIZE);
    assert_eq!(letters(&mut app, "3t"), None);
    assert!(app.note.is_bad && app.note.text.contains("once the run is over"), "{:?}", app.note);
    assert!(!screen(&app).contains("t test again"), "{}", screen(&app));
    let mut app = over(SIZE);
    press(&mut app, KeyCode::Char('3'));
    assert!(screen(&app).contains("t test again"), "{}", screen(&app));
    let wanted = Command::Test {
        run: app.run.as_ref().unwrap().run_id.clone(),
        hypothesis: "h2".into(),
        claim: "The figure counts turbines that are not installed yet.".to_owned(),
    };
    assert_eq!(letters(&mut app, "jt"), Some(wanted));
    assert!(app.is_at_work() && screen(&app).contains("testing h2 again"), "{}", screen(&app));
    // Not twice at once, and elsewhere the letter means nothing.
    assert_eq!(letters(&mut app, "3t"), None);
    assert!(app.note.is_bad);
    assert_eq!(letters(&mut over(SIZE), "4t"), None);
}

#[test]
fn the_head_says_where_a_run_comes_from() {
    let tested = |hypothesis: Option<&str>| {
        let hypothesis = hypothesis.map(HypothesisId::from);
        Some(Tested { parent: "run_parent".into(), hypothesis })
    };
    let shown = |change: &dyn Fn(&mut Projection)| {
        let mut app = over(SIZE);
        change(app.run.as_mut().unwrap());
        screen(&app)
    };
    let head = shown(&|_| {});
    assert!(!head.contains("run_parent") && head.contains("\nround 3/5"), "{head}");
    let head = shown(&|run| run.options.tested = tested(Some("h2")));
    assert!(head.contains("\ntests h2 of run_parent \u{00B7} round 3/5"), "{head}");
    let head = shown(&|run| run.options.tested = tested(None));
    assert!(head.contains("\ntests an explanation of yours on run_parent"), "{head}");
    let forked = || Forked { parent: "run_parent".into(), event_id: 17 };
    let head = shown(&|run| run.forked = Some(Box::new(forked())));
    assert!(head.contains("\nforked from step 17 of run_parent"), "{head}");
    let contest = || Contest {
        parent: "run_parent".into(),
        event_id: 12,
        step: "It says so.".to_owned(),
        basis: vec![],
        text: "Does it?".to_owned(),
    };
    let head = shown(&|run| run.contest = Some(Box::new(contest())));
    assert!(head.contains("\nlooks into step 12 of run_parent"), "{head}");
}

#[test]
fn a_failure_is_said_with_the_way_out() {
    let mut app = fresh();
    letters(&mut app, "why?");
    press(&mut app, KeyCode::Enter);
    let error = crate::error::CliError::usage(
        "could not ask",
        "no corpus was named",
        "name a folder with --corpus",
    );
    app.update(Message::Ended(Err(error)));
    let shown = screen(&app);
    assert!(shown.contains("no corpus was named") && shown.contains("--corpus"), "{shown}");
    assert!(!app.is_at_work());
}
