//! What the mouse does, and that it meets what is drawn.

use super::{
    click, driven, driven_events, events, letters, over, place_of, point, press, reviewed, screen,
};
use crate::tui::app::{App, Command, Message, Overlay, Purpose, Tab};
use crate::tui::view::{self, Target};
use elenchus_core::inquiry::Control;
use elenchus_core::prompt::ClarifyingQuestion;
use elenchus_core::trace::TraceEvent;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ratatui::layout::Position;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 12)];
const DOWN: MouseEventKind = MouseEventKind::ScrollDown;
const UP: MouseEventKind = MouseEventKind::ScrollUp;

fn target(app: &App, (x, y): (u16, u16)) -> Target {
    view::at(app, Position::new(x, y))
}

/// The first place of the screen where something stands.
fn first_place(app: &App, is: impl Fn(Target) -> bool) -> Option<(u16, u16)> {
    let (width, height) = app.size();
    (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).find(|place| is(target(app, *place)))
}

/// Whether a line of the screen begins as that of something selected.
fn marked(app: &App, y: u16) -> bool {
    let (width, height) = app.size();
    let area = ratatui::layout::Rect::new(0, 0, width, height);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    view::draw(app, &mut buffer);
    buffer[(0, y)].modifier.contains(ratatui::style::Modifier::REVERSED)
}

#[test]
fn every_name_of_a_page_is_met_where_it_stands() {
    for size in SIZES {
        let over = over(size);
        for from in Tab::ALL {
            let mut there = over.clone();
            there.tab = from;
            assert!(there.pages().contains(&from), "the page that is shown is named");
            for tab in there.pages() {
                let mut app = there.clone();
                let name = format!("{} {}", tab.key(), tab.name());
                let number = tab.key().to_string();
                let shown = screen(&app);
                let here = format!("{} {}", from.key(), from.name());
                let line = shown.lines().find(|line| line.contains(&here));
                let line = line.expect("the pages are named");
                let written = if line.contains(&name) { &name } else { &number };
                let (_, y) = place_of(&app, line);
                let x = u16::try_from(line.find(written.as_str()).expect("it is named")).unwrap();
                assert_eq!(
                    target(&app, (x, y)),
                    Target::Tab(tab),
                    "{size:?} {written} in {line:?}"
                );
                click(&mut app, (x, y));
                assert_eq!(app.tab, tab);
            }
        }
    }
}

/// Each row answers at the line on which it is drawn: the selected one is the one that is drawn as selected.
#[test]
fn every_row_is_met_where_it_is_drawn() {
    for size in SIZES {
        for digit in "12345789".chars() {
            let mut app = over(size);
            letters(&mut app, &digit.to_string());
            press(&mut app, KeyCode::Char('g'));
            let mut met = 0;
            for y in 0..size.1 {
                let Target::Row(row) = target(&app, (0, y)) else { continue };
                met += 1;
                let mut app = app.clone();
                if row != app.selected() {
                    let before = view::seen(&app).expect("there are rows").from;
                    assert_eq!(click(&mut app, (0, y)), None);
                    assert_eq!(app.selected(), row, "{size:?} {digit} {y}");
                    assert_eq!(
                        view::seen(&app).expect("there are rows").from,
                        before,
                        "it stays in its place"
                    );
                }
                assert!(marked(&app, y), "{size:?} {digit} {y}\n{}", screen(&app));
                assert_eq!(target(&app, (0, y)), Target::Row(row));
            }
            assert!(met > 0, "{size:?} {digit}\n{}", screen(&app));
        }
    }
}

#[test]
fn a_second_click_does_what_enter_does() {
    let mut app = over((80, 24));
    letters(&mut app, "2g");
    let place = place_of(&app, "g2 abandoned");
    assert_eq!(click(&mut app, place), None);
    assert_eq!((app.selected(), app.place().full), (1, false));
    click(&mut app, place);
    assert!(app.place().full, "it is read in full");
    // The name of the page that is shown leads back.
    let name = place_of(&app, "2 Gaps");
    click(&mut app, name);
    assert_eq!((app.tab, app.place().full), (Tab::Gaps, false));

    letters(&mut app, "9g");
    let place = place_of(&app, "Who repairs the turbines");
    assert_eq!(click(&mut app, place), None);
    let id = super::runs()[1].run_id.clone();
    assert_eq!(click(&mut app, place), Some(Command::Open(id)));

    letters(&mut app, "1g");
    let whole = app.rows().len();
    let place = place_of(&app, "- starting");
    click(&mut app, place);
    assert!(app.rows().len() < whole, "a stage is folded");
    let place = place_of(&app, "+ starting");
    click(&mut app, place);
    assert_eq!(app.rows().len(), whole);
}

#[test]
fn what_is_asked_back_is_answered_by_a_click_too() {
    let all = events();
    let mut asked = all[1].clone();
    asked.seq = 3;
    asked.event = TraceEvent::ClarificationRequested {
        questions: vec![ClarifyingQuestion {
            text: "A?".to_owned(),
            why: String::new(),
            choices: Vec::new(),
        }],
    };
    let mut app = driven(&all[..2], (80, 24));
    app.update(Message::Event(Box::new(asked)));
    letters(&mut app, "half");
    let last = place_of(&app, "asked back: A?");
    click(&mut app, last);
    assert!(screen(&app).contains("> half"), "what is typed stays: {}", screen(&app));
    press(&mut app, KeyCode::Esc);
    app.place_mut().full = false;
    let last = place_of(&app, "asked back: A?");
    click(&mut app, last);
    assert!(matches!(app.typing, Some((Purpose::Answer, _))));
}

#[test]
fn the_wheel_moves_what_is_under_it() {
    for size in SIZES {
        let mut app = over(size);
        letters(&mut app, "1g");
        let place = first_place(&app, |target| matches!(target, Target::Row(_))).expect("rows");
        let selected = app.selected();
        for notch in 1..4 {
            point(&mut app, DOWN, place);
            assert_eq!(view::seen(&app).unwrap().from, notch * 3, "{size:?}");
            assert_eq!(app.selected(), selected, "what is selected stays so");
        }
        for _ in 0..400 {
            point(&mut app, DOWN, place);
        }
        let seen = view::seen(&app).unwrap();
        assert_eq!(seen.from, seen.most, "no further than the last row");
        point(&mut app, UP, place);
        assert_eq!(view::seen(&app).unwrap().from, seen.most - 3);
        // Keys bring what is selected back into sight.
        letters(&mut app, "k");
        assert_eq!(view::seen(&app).unwrap().from, 0);
    }
    let mut app = over((80, 24));
    letters(&mut app, "4g");
    let beside = first_place(&app, |target| target == Target::Details).expect("details");
    point(&mut app, DOWN, beside);
    assert_eq!((app.place().scroll, app.selected()), (3, 0));
    point(&mut app, UP, beside);
    point(&mut app, UP, beside);
    assert_eq!(app.place().scroll, 0);
    letters(&mut app, "6");
    point(&mut app, DOWN, (5, 10));
    assert_eq!(app.place().scroll, 3);
    // The head, the names and the foot are no panes.
    for place in [(5, 0), (5, 2), (5, 23)] {
        point(&mut app, DOWN, place);
        assert_eq!(app.place().scroll, 3, "{place:?}");
    }
    letters(&mut app, "?");
    point(&mut app, DOWN, (5, 10));
    assert_eq!(app.overlay, Some(Overlay::Help { scroll: 3 }));
    assert_eq!(click(&mut app, (5, 10)), None);
    assert_eq!(app.overlay, None);
}

#[test]
fn the_wheel_is_not_undone_by_rows_that_come() {
    let all = events();
    let mut app = driven(&all[..60], (80, 24));
    let place = first_place(&app, |target| matches!(target, Target::Row(_))).expect("rows");
    for _ in 0..4 {
        point(&mut app, UP, place);
    }
    let before = view::seen(&app).unwrap().from;
    for event in &all[60..80] {
        app.update(Message::Event(Box::new(event.clone())));
    }
    assert_eq!(view::seen(&app).unwrap().from, before);
    // At the end it follows again.
    for _ in 0..40 {
        point(&mut app, DOWN, place);
    }
    for event in &all[80..90] {
        app.update(Message::Event(Box::new(event.clone())));
    }
    let seen = view::seen(&app).unwrap();
    assert_eq!((seen.from, app.selected()), (seen.most, app.rows().len() - 1));
}

#[test]
fn the_plan_is_changed_by_clicks() {
    for size in SIZES {
        let mut app = driven(&reviewed(), size);
        let last = first_place(&app, |target| target == Target::Question(1)).expect("a question");
        click(&mut app, last);
        assert_eq!(app.plan.as_ref().map(|draft| draft.row), Some(1), "{size:?}");
        assert!(marked(&app, last.1), "{}", screen(&app));
        click(&mut app, last);
        assert!(matches!(&app.typing, Some((Purpose::Reword(text), _)) if text.starts_with("Who")));
        // What is typed is not lost by a click.
        let name = place_of(&app, "1 Trace");
        click(&mut app, name);
        assert!(app.typing.is_some() && app.editing().is_some());
        press(&mut app, KeyCode::Esc);
        point(&mut app, DOWN, last);
        assert_eq!(app.plan.as_ref().map(|draft| draft.row), Some(2));
        letters(&mut app, "x");
        click(&mut app, name);
        assert!(app.editing().is_none() && app.plan.is_some(), "the changes are kept");
        letters(&mut app, "E");
        let sent = letters(&mut app, "s");
        let Some(Command::Control(Control::EditPlan { questions })) = sent else {
            panic!("{sent:?}");
        };
        assert_eq!(questions.len(), 2);
    }
}

#[test]
fn other_buttons_and_moves_mean_nothing() {
    let mut app = driven(&driven_events(), (80, 24));
    let before = screen(&app);
    for kind in [
        MouseEventKind::Moved,
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::Down(MouseButton::Middle),
        MouseEventKind::ScrollLeft,
    ] {
        for place in [(9, 2), (3, 5), (3, 18), (500, 500)] {
            assert_eq!(point(&mut app, kind, place), None);
        }
    }
    assert_eq!(screen(&app), before);
    assert_eq!(click(&mut app, (500, 500)), None);
    letters(&mut app, "q");
    assert_eq!(click(&mut app, (3, 5)), None);
    assert_eq!(app.overlay, None, "it stays, as with any other key");
}
