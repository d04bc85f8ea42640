//! Every page at the sizes that count.

use super::{
    before, control, discussed, driven, events, letters, over, point, press, reviewed, screen,
};
use crate::tui::app::{App, Message, Tab};
use elenchus_core::belief::Assessment;
use elenchus_core::port::{Matter, Remark};
use elenchus_core::prompt::ClarifyingQuestion;
use elenchus_core::trace::TraceEvent;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::style::Color;

const USUAL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (40, 12);

/// Compares the screen with the one that was approved under this name.
fn shows(name: &str, app: &App) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, screen(app), "the screen"));
}

#[test]
fn the_first_screen() {
    for (name, size) in [("home_80x24", USUAL), ("home_40x12", SMALL)] {
        let mut app = App::new(size, true, super::GROUND.to_owned(), 0);
        letters(&mut app, "What is q?");
        shows(name, &app);
    }
}

#[test]
fn a_run_under_way() {
    let all = events();
    let middle = before(&all, |event| matches!(event, TraceEvent::SourceAdded(_))) - 6;
    for (name, size) in
        [("under_way_80x24", USUAL), ("under_way_120x40", LARGE), ("under_way_40x12", SMALL)]
    {
        shows(name, &driven(&all[..middle], size));
    }
    let analysed =
        before(&all, |event| matches!(event, TraceEvent::FollowupQueryGeneration { .. })) + 2;
    let mut app = driven(&all[..analysed], USUAL);
    press(&mut app, KeyCode::Char('2'));
    shows("gaps_under_way_80x24", &app);
    press(&mut app, KeyCode::Char('4'));
    shows("claims_under_way_80x24", &app);
}

#[test]
fn every_page_of_a_run_that_is_over() {
    for (size, at) in [(USUAL, "80x24"), (LARGE, "120x40"), (SMALL, "40x12")] {
        let mut app = over(size);
        for tab in app.pages() {
            press(&mut app, KeyCode::Char(tab.key()));
            press(&mut app, KeyCode::Char('g'));
            if tab == Tab::Trace {
                // The reflection of the first round.
                letters(&mut app, "/held");
                press(&mut app, KeyCode::Enter);
            }
            let name = format!("{}_{at}", tab.name().to_lowercase());
            shows(&name, &app);
        }
    }
}

#[test]
fn rows_read_in_full() {
    let mut app = over(USUAL);
    press(&mut app, KeyCode::Char('2'));
    press(&mut app, KeyCode::Enter);
    shows("gap_in_full_80x24", &app);
    let mut app = over(SMALL);
    press(&mut app, KeyCode::Char('4'));
    press(&mut app, KeyCode::Enter);
    shows("claim_in_full_40x12", &app);
}

#[test]
fn what_lies_over_the_page() {
    let all = events();
    for (size, at) in [(USUAL, "80x24"), (SMALL, "40x12")] {
        let mut app = driven(&all[..40], size);
        press(&mut app, KeyCode::Char('?'));
        shows(&format!("help_{at}"), &app);
        press(&mut app, KeyCode::Esc);
        press(&mut app, KeyCode::Char('q'));
        shows(&format!("leave_{at}"), &app);
    }
}

#[test]
fn a_plan_that_is_changed() {
    for (size, at) in [(USUAL, "80x24"), (LARGE, "120x40"), (SMALL, "40x12")] {
        let mut app = driven(&reviewed(), size);
        shows(&format!("plan_waited_with_{at}"), &app);
        letters(&mut app, "aHow many turbines are out of service?");
        press(&mut app, KeyCode::Enter);
        letters(&mut app, "Gx");
        shows(&format!("plan_changed_{at}"), &app);
    }
    let mut app = driven(&events()[..40], USUAL);
    app.run.as_mut().expect("it is shown").questions[0].answered = true;
    letters(&mut app, "E");
    press(&mut app, KeyCode::Enter);
    shows("plan_under_way_80x24", &app);
}

#[test]
fn what_is_asked_back() {
    let all = events();
    for (size, at) in [(USUAL, "80x24"), (SMALL, "40x12")] {
        let mut app = driven(&all[..2], size);
        let mut asked = all[1].clone();
        asked.seq = 3;
        asked.event = TraceEvent::ClarificationRequested {
            questions: vec![ClarifyingQuestion {
                text: "Which years matter?".to_owned(),
                why: "The surveys differ.".to_owned(),
                choices: vec!["2010 to 2020".to_owned(), "2021 to 2025".to_owned()],
            }],
        };
        app.update(Message::Event(Box::new(asked)));
        letters(&mut app, "2");
        shows(&format!("asked_back_{at}"), &app);
    }
}

/// Facts that a page shows are those of the projection: the ids of all gaps, statements, sources and explanations.
#[test]
fn nothing_is_left_out() {
    let mut app = over((160, 50));
    let run = app.run.clone().expect("it is shown");
    let answer = run.answer.as_ref().expect("it has one");
    let mut page = |digit: char| {
        press(&mut app, KeyCode::Char(digit));
        screen(&app)
    };
    let (gaps, beliefs, claims, sources) = (page('2'), page('3'), page('4'), page('5'));
    for gap in &run.gaps {
        assert!(gaps.contains(gap.gap_id.as_str()), "{gaps}");
        assert!(gaps.contains(gap.standing.name()), "{gaps}");
    }
    for one in &run.hypotheses {
        assert!(
            beliefs.contains(&format!("{:.2}", one.confidence)) && beliefs.contains(one.status)
        );
    }
    for claim in &answer.claims {
        assert!(claims.contains(claim.id.as_str()), "{claims}");
    }
    for source in &run.sources {
        assert!(sources.contains(&source.path), "{sources}");
    }
    let confidence = answer.confidence.as_ref().expect("it was checked");
    assert!(claims.contains(&format!("{:.2}", confidence.overall_confidence)), "{claims}");
}

#[test]
fn what_only_came_nearest_counts_for_nothing() {
    let mut app = over((120, 60));
    press(&mut app, KeyCode::Char('4'));
    assert!(screen(&app).contains("of 1 statement that answers"), "{}", screen(&app));
    assert!(!screen(&app).contains("behind it: it came nearest"), "{}", screen(&app));
    letters(&mut app, "jj");
    assert!(screen(&app).contains("behind it: it came nearest"), "{}", screen(&app));
    let answer = app.run.as_mut().and_then(|run| run.answer.as_mut()).expect("it is over");
    answer.claims.remove(0);
    answer.confidence.as_mut().expect("it was checked").assessment = Assessment::NotAssessable;
    for digit in ['4', '6'] {
        press(&mut app, KeyCode::Char(digit));
        assert!(screen(&app).contains("no figure, nothing answers"), "{}", screen(&app));
    }
}

#[test]
fn without_colours_there_are_none() {
    let mut app = discussed(USUAL);
    app.colour = false;
    for tab in Tab::ALL {
        press(&mut app, KeyCode::Char(tab.key()));
        let mut buffer = ratatui::buffer::Buffer::empty(ratatui::layout::Rect::new(0, 0, 80, 24));
        crate::tui::view::draw(&app, &mut buffer);
        assert!(
            buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
        );
    }
}

#[test]
fn no_text_of_a_run_reaches_the_terminal_as_an_order() {
    let mut all = events();
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2Jred\u{9b}31m\u{202e}txt\u{200b}\r\nnext";
    for event in &mut all {
        match &mut event.event {
            TraceEvent::SessionStarted { question, .. } => *question = hostile.to_owned(),
            TraceEvent::GapOpened { description, .. } => *description = hostile.to_owned(),
            TraceEvent::SourceAdded(source) => {
                source.path = hostile.to_owned();
                source.title = hostile.to_owned();
            }
            TraceEvent::ReasoningAction(action) => action.action = hostile.to_owned(),
            TraceEvent::HypothesesGenerated { hypotheses } => {
                hypotheses[0].claim = hostile.to_owned();
            }
            TraceEvent::InsightDetected { insight } => insight.description = hostile.to_owned(),
            TraceEvent::AnswerCompleted { answer, .. } => {
                answer.text = hostile.to_owned();
                answer.claims[0].text = hostile.to_owned();
                answer.evidence[0].quote = hostile.to_owned();
            }
            _ => {}
        }
    }
    let mut app = driven(&all, USUAL);
    for digit in '1'..='9' {
        press(&mut app, KeyCode::Char(digit));
        for full in [false, true] {
            // Asserts that no invisible character stands in any cell.
            let text = screen(&app);
            assert!(
                full || digit > '7' || text.contains("2Jred") || text.contains("]0;owned"),
                "{digit}: {text}"
            );
            press(&mut app, KeyCode::Enter);
        }
        press(&mut app, KeyCode::Esc);
    }
    let mut app = App::new(USUAL, true, hostile.to_owned(), 0);
    app.update(Message::Paste(hostile.to_owned()));
    app.update(Message::Told(crate::ui::terminal::Told::Line(hostile.to_owned())));
    screen(&app);
}

mod never {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Op {
        Key(KeyCode),
        Control(char),
        Mouse(MouseEventKind, u16, u16),
        Size(u16, u16),
        Events(usize),
        Runs,
        Memories,
        Remarks,
        Ended,
        Opened,
        Status(String),
    }

    fn op() -> impl Strategy<Value = Op> {
        let key = prop_oneof![
            "[1-9?/nNaifprcRxwqgGjkJK +=sEeumLC-]"
                .prop_map(|c| KeyCode::Char(c.chars().next().unwrap_or('x'))),
            any::<char>().prop_map(KeyCode::Char),
            prop::sample::select(vec![
                KeyCode::Enter,
                KeyCode::Esc,
                KeyCode::Up,
                KeyCode::Down,
                KeyCode::Left,
                KeyCode::Right,
                KeyCode::PageUp,
                KeyCode::PageDown,
                KeyCode::Home,
                KeyCode::End,
                KeyCode::Tab,
                KeyCode::BackTab,
                KeyCode::Backspace,
                KeyCode::Delete,
            ]),
        ];
        let mouse = prop::sample::select(vec![
            MouseEventKind::Down(MouseButton::Left),
            MouseEventKind::Down(MouseButton::Right),
            MouseEventKind::Up(MouseButton::Left),
            MouseEventKind::Moved,
            MouseEventKind::ScrollDown,
            MouseEventKind::ScrollUp,
        ]);
        prop_oneof![
            8 => key.prop_map(Op::Key),
            1 => prop::sample::select(vec!['u', 'w', 'a', 'e', 'z']).prop_map(Op::Control),
            4 => (mouse, 0u16..140, 0u16..50).prop_map(|(kind, x, y)| Op::Mouse(kind, x, y)),
            2 => (0u16..140, 0u16..50).prop_map(|(width, height)| Op::Size(width, height)),
            4 => (1usize..30).prop_map(Op::Events),
            1 => Just(Op::Runs),
            1 => Just(Op::Memories),
            1 => Just(Op::Remarks),
            1 => Just(Op::Ended),
            1 => Just(Op::Opened),
            1 => any::<String>().prop_map(Op::Status),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn anything_that_is_done_panics(review: bool, ops in prop::collection::vec(op(), 1..60)) {
            let mut all = events();
            if let TraceEvent::SessionStarted { options, .. } = &mut all[0].event {
                options.review_plan = review;
            }
            let mut app = App::new(USUAL, true, super::super::GROUND.to_owned(), all[0].at.0);
            let mut fed = 0;
            app.update(Message::Began(all[0].run_id.clone()));
            for op in ops {
                match op {
                    Op::Key(code) => {
                        app.update(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)));
                    }
                    Op::Control(c) => drop(control(&mut app, c)),
                    Op::Mouse(kind, x, y) => drop(point(&mut app, kind, (x, y))),
                    Op::Size(width, height) => drop(app.update(Message::Resize(width, height))),
                    Op::Events(many) => {
                        for event in all.iter().skip(fed).take(many) {
                            app.update(Message::Event(Box::new(event.clone())));
                        }
                        fed += many;
                    }
                    Op::Runs => drop(app.update(Message::Runs(super::super::runs()))),
                    Op::Memories => {
                        app.update(Message::Memories(super::super::memories(), super::super::stats()));
                    }
                    Op::Remarks => {
                        let (run, at) = (all[0].run_id.clone(), all[0].at);
                        let said = |about, target| {
                            let word = Some("wr\u{1b}ng");
                            Remark::new(&run, about, target, "an\u{9b}n", word, at).noting("why")
                        };
                        let said = vec![said(Matter::Claim, "c1"), said(Matter::Insight, "i1")];
                        app.update(Message::Remarks(run, said));
                    }
                    Op::Ended => drop(app.update(Message::Ended(Ok("over".to_owned())))),
                    Op::Opened => {
                        let summary = Box::new(super::super::runs().remove(1));
                        app.update(Message::Opened { summary, events: all.clone() });
                    }
                    Op::Status(text) => {
                        app.update(Message::Told(crate::ui::terminal::Told::Warning(text)));
                    }
                }
                screen(&app);
            }
        }
    }
}
