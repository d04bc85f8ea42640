//! The terminal interface in a real terminal, played by tmux: keys are sent, screens are read. Skipped, visibly, where there is
//! no tmux.

#![cfg(unix)]

use crate::world::{CAPACITY, UNANSWERABLE, World, harbor};
use rusqlite::Connection;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long anything may take on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(90);

/// A terminal with a shell in it.
struct Tmux {
    world: World,
    socket: String,
}

impl Tmux {
    /// `None` without tmux.
    fn start(width: u16, height: u16) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        if Command::new("tmux").arg("-V").output().is_err() {
            #[expect(clippy::print_stderr, reason = "a test that is left out says so")]
            {
                eprintln!("skip: tmux is not installed, so the terminal interface is not played");
            }
            return None;
        }
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let socket = format!("elenchus-{}-{number}", std::process::id());
        let terminal = Self { world: World::new(), socket };
        // What the binary would be given, given to the shell.
        let inner = terminal.world.command();
        let mut shell = terminal.tmux();
        shell.env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.env_remove("NO_COLOR").env_remove("COLUMNS");
        shell.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        shell.env("LANG", "C.UTF-8").env("PS1", "$ ").env("TERM", "xterm-256color");
        shell.current_dir(terminal.world.folder());
        let (width, height) = (width.to_string(), height.to_string());
        shell.args([
            "-u",
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "t",
            "-x",
            &width,
            "-y",
            &height,
        ]);
        let started = shell.arg("env PS1='$ ' sh").output().expect("tmux starts");
        assert!(started.status.success(), "{started:?}");
        terminal.until("the prompt", |screen| screen.contains('$'));
        Some(terminal)
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]);
        command
    }

    fn keys(&self, keys: &[&str]) {
        let sent = self.tmux().args(["send-keys", "-t", "t"]).args(keys).status();
        assert!(sent.expect("tmux is there").success());
    }

    /// Letters as they are.
    fn text(&self, text: &str) {
        self.keys(&["-l", text]);
    }

    fn resize(&self, width: u16, height: u16) {
        let (width, height) = (width.to_string(), height.to_string());
        let sent =
            self.tmux().args(["resize-window", "-t", "t", "-x", &width, "-y", &height]).status();
        assert!(sent.expect("tmux is there").success());
    }

    fn screen(&self) -> String {
        let seen =
            self.tmux().args(["capture-pane", "-p", "-t", "t"]).output().expect("tmux is there");
        String::from_utf8(seen.stdout).expect("a screen is text")
    }

    /// Waits for a screen, and gives it: one that stays, as a screen may be taken while it is half drawn.
    fn until(&self, what: &str, is: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        let mut before = String::new();
        loop {
            let screen = self.screen();
            if is(&screen) && screen == before {
                return screen;
            }
            before.clone_from(&screen);
            assert!(Instant::now() < until, "{what} did not come:\n{screen}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Starts the interface over the sample corpus, and waits for its ask line.
    fn tui(&self, more: &str) {
        self.started(more, "ask>");
    }

    /// Starts the interface over the sample corpus, and waits for what it says first.
    fn started(&self, more: &str, first: &str) {
        let folder = harbor();
        self.text(&format!(
            "{} tui --corpus {} {more}",
            env!("CARGO_BIN_EXE_elenchus"),
            folder.display()
        ));
        self.keys(&["Enter"]);
        self.shows(first);
    }

    /// A button of the mouse, or a notch of its wheel, over a text; as terminals report it.
    fn mouse(&self, button: u8, over: &str) {
        let screen = self.shows(over);
        let found = screen.lines().zip(1..).find_map(|(line, y): (&str, usize)| {
            Some((line[..line.find(over)?].chars().count() + 1, y))
        });
        let (x, y) = found.expect("it is shown");
        self.text(&format!("\u{1b}[<{button};{x};{y}M"));
    }

    /// What tmux knows of the terminal that the program has.
    fn knows(&self, what: &str) -> String {
        let told = self.tmux().args(["display-message", "-p", "-t", "t", what]).output();
        let told = told.expect("tmux is there").stdout;
        String::from_utf8(told).expect("it is text").trim().to_owned()
    }

    /// Waits for the shell; nothing of what the program took is kept from it.
    fn given_back(&self) {
        self.until("the shell", |screen| !screen.contains("1 Trace") && screen.contains('$'));
        assert_eq!(self.knows("#{mouse_any_flag} #{alternate_on}"), "0 0", "{}", self.screen());
    }

    /// Asks, and keeps the store from being written once the run is in its middle. `None` when the run was quicker.
    fn frozen(&self, question: &str, runs: i64) -> Option<Connection> {
        self.text(question);
        self.keys(&["Enter"]);
        let until = Instant::now() + PATIENCE;
        loop {
            assert!(Instant::now() < until, "the run does not get anywhere:\n{}", self.screen());
            let store = Connection::open(self.world.store()).ok()?;
            let newest: Option<(i64, i64)> = store
                .query_row(
                    "SELECT count(*), (SELECT records FROM runs ORDER BY started_at DESC LIMIT 1) FROM runs",
                    [],
                    |row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?.unwrap_or(0))),
                )
                .ok();
            if newest.is_some_and(|(count, records)| count == runs && records >= 4) {
                return store.execute_batch("BEGIN IMMEDIATE").is_ok().then_some(store);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.tmux().arg("kill-server").output();
    }
}

#[test]
fn an_explanation_is_tested_again_in_a_run_that_says_where_it_comes_from() {
    let Some(terminal) = Tmux::start(100, 24) else { return };
    let folder = harbor();
    let corpus = folder.to_str().expect("a plain path");
    let claim = "The grid connection limits the Skerry Tidal Array.";
    let asked = ["ask", CAPACITY, "--corpus", corpus, "--hypothesis", claim, "-q"];
    terminal.world.run(&asked).succeeds();
    let parent = terminal.world.newest();
    terminal.started(&format!("--run {parent}"), "\u{2713} finished");
    terminal.keys(&["3"]);
    terminal.shows("t test again");
    terminal.text("t");
    let comes = format!("tests h1 of {parent}");
    terminal.until("the other run", |screen| {
        screen.contains(&comes) && screen.contains("\u{2713} finished")
    });
    let child = terminal.world.newest();
    assert_ne!(child, parent);
    let trace = terminal.world.run(&["runs", "trace", &child, "--jsonl"]);
    let first = trace.out.lines().next().expect("it has begun");
    let first: serde_json::Value = serde_json::from_str(first).expect("it is JSON");
    let options = &first["data"]["options"];
    assert_eq!(options["tested"]["parent"], parent.as_str(), "{first}");
    assert_eq!(options["tested"]["hypothesis"], "h1", "{first}");
    assert_eq!(options["to_test"][0], claim, "{first}");
    terminal.text("q");
    terminal.given_back();
}

#[test]
fn a_question_is_asked_followed_and_looked_into() {
    let Some(terminal) = Tmux::start(80, 24) else { return };
    terminal.tui("");
    terminal.text(UNANSWERABLE);
    terminal.keys(&["Enter"]);
    let trace = terminal.until("the end", |screen| screen.contains("\u{2713} finished"));
    assert!(trace.contains(UNANSWERABLE) && trace.contains("1 Trace"), "{trace}");
    assert!(trace.lines().all(|line| line.chars().count() <= 80), "{trace}");

    terminal.keys(&["2"]);
    let gaps = terminal.shows("1 given up, 0 open");
    assert!(
        gaps.contains("g1") && gaps.contains("abandoned") && gaps.contains("reason:"),
        "{gaps}"
    );
    terminal.keys(&["4"]);
    let claims = terminal.shows("the answer:");
    // What came nearest to an open question has no figure.
    assert!(claims.contains("c1") && claims.contains("does not answer"), "{claims}");
    assert!(!claims.contains("\u{2588}"), "{claims}");
    // What is said of a statement is in the store at once, and is told from there.
    terminal.keys(&["Enter"]);
    terminal.shows("Esc back");
    terminal.text("-");
    terminal.shows("you said: wrong");
    terminal.text("mread it again");
    terminal.keys(&["Enter"]);
    terminal.shows("you said: wrong: read it again");
    let store = Connection::open(terminal.world.store()).expect("the store is there");
    let kept: String = store
        .query_row(
            "SELECT said || ', ' || note || ', ' || actor FROM feedback WHERE about = 'claim' AND target = 'c1'",
            [],
            |row| row.get(0),
        )
        .expect("it is kept");
    assert_eq!(kept, "wrong, read it again, local");
    drop(store);
    terminal.keys(&["C"]);
    terminal.shows("Nobody criticised this answer.");
    terminal.keys(&["5"]);
    terminal.shows("community/annual-meeting-2026.md");
    terminal.keys(&["6"]);
    terminal.shows("What could not be established");
    terminal.keys(&["9"]);
    terminal.shows("Enter opens it");
    terminal.keys(&["?"]);
    terminal.shows("While a run is under way");
    terminal.keys(&["Escape"]);
    terminal.until("the help to go", |screen| !screen.contains("While a run is under way"));

    // The trace is searched; what is found is selected.
    terminal.text("/corbie");
    terminal.keys(&["Enter"]);
    terminal.shows("n and N go on");

    // Narrow, low, and back.
    for (width, height) in [(40, 12), (20, 5), (1, 1), (120, 40), (80, 24)] {
        terminal.resize(width, height);
        let fits =
            |screen: &str| screen.lines().all(|line| line.chars().count() <= usize::from(width));
        terminal.until("the new size", |screen| {
            fits(screen) && (height < 12 || screen.contains("1 Trace"))
        });
    }

    terminal.keys(&["q"]);
    let left = terminal.until("the shell", |screen| !screen.contains("1 Trace"));
    assert!(
        left.contains('$') && left.contains("tui --corpus"),
        "the screen is given back: {left}"
    );
    terminal.shows("runs show run_");
    // What is typed is seen again.
    terminal.text("echo $((6*7))");
    terminal.keys(&["Enter"]);
    terminal.shows("42");
    let kept = terminal.world.run(&["runs", "list"]);
    assert!(kept.out.contains("finished"), "{kept:?}");
}

#[test]
fn a_run_is_interrupted_and_answers_with_what_it_has() {
    let Some(terminal) = Tmux::start(80, 24) else { return };
    terminal.tui("");
    for runs in 1..20 {
        let held = terminal.frozen(CAPACITY, runs);
        terminal.keys(&["i"]);
        std::thread::sleep(Duration::from_millis(200));
        if let Some(store) = held {
            store.execute_batch("ROLLBACK").expect("nothing was changed");
        }
        let end = terminal.until("an end", |screen| {
            screen.contains("\u{25A0} interrupted") || screen.contains("\u{2713} finished")
        });
        if end.contains("interrupted") {
            terminal.keys(&["6"]);
            terminal.shows("You interrupted it");
            return;
        }
        // The run was quicker than this test: once more.
        terminal.until("quiet", |screen| screen.contains("a ask"));
        terminal.keys(&["a"]);
        terminal.shows("ask>");
    }
    panic!("no run was slow enough to be interrupted");
}

#[test]
fn a_run_that_is_left_is_kept_and_gone_on_with() {
    let Some(terminal) = Tmux::start(80, 24) else { return };
    terminal.tui("");
    for runs in 1..20 {
        let held = terminal.frozen(CAPACITY, runs);
        terminal.keys(&["q"]);
        if held.is_some() {
            let asked = terminal.until("the question", |screen| {
                screen.contains("leave?") || screen.ends_with("$ \n")
            });
            if asked.contains("leave?") {
                assert!(asked.contains("elenchus runs resume run_"), "{asked}");
                terminal.keys(&["Enter"]);
            }
        }
        std::thread::sleep(Duration::from_millis(200));
        if let Some(store) = held {
            store.execute_batch("ROLLBACK").expect("nothing was changed");
        }
        let left = terminal
            .until("the shell", |screen| !screen.contains("1 Trace") && screen.contains("runs "));
        if left.contains("stopped run run_") {
            let id = terminal.world.newest();
            let shown = terminal.world.run(&["runs", "show", &id, "--json"]).json();
            assert_eq!(shown["status"], "stopped");
            // Opened again and gone on with.
            terminal.text("clear");
            terminal.keys(&["Enter"]);
            let folder = harbor();
            terminal.text(&format!(
                "{} tui --corpus {} --run {id}",
                env!("CARGO_BIN_EXE_elenchus"),
                folder.display()
            ));
            terminal.keys(&["Enter"]);
            terminal.shows("\u{2016} stopped");
            terminal.keys(&["R"]);
            terminal.shows("\u{2713} finished");
            terminal.keys(&["C-c"]);
            terminal.until("the shell", |screen| !screen.contains("1 Trace"));
            return;
        }
        terminal.text("clear");
        terminal.keys(&["Enter"]);
        terminal.tui("");
    }
    panic!("no run was slow enough to be left");
}

const CLICK: u8 = 0;
const WHEEL_UP: u8 = 64;

#[test]
fn the_mouse_chooses_scrolls_and_is_given_back() {
    let Some(terminal) = Tmux::start(80, 24) else { return };
    terminal.tui("");
    assert_eq!(terminal.knows("#{mouse_any_flag}#{mouse_sgr_flag}"), "11");
    terminal.text(UNANSWERABLE);
    terminal.keys(&["Enter"]);
    let end = terminal.until("the end", |screen| screen.contains("\u{2713} finished"));

    // The wheel moves the rows, of which the last ones are shown.
    let row = |screen: &str| screen.lines().nth(4).unwrap_or_default().to_owned();
    terminal.mouse(WHEEL_UP, row(&end).trim());
    terminal.until("earlier rows", |screen| row(screen) != row(&end));

    terminal.mouse(CLICK, "2 Gaps");
    terminal.shows("1 given up, 0 open");
    // The only row is the selected one: a click reads it in full, the name of the page leads back.
    terminal.mouse(CLICK, "g1 abandoned");
    terminal.shows("Esc back");
    terminal.mouse(CLICK, "2 Gaps");
    terminal.until("the rows", |screen| !screen.contains("Esc back"));
    terminal.mouse(CLICK, "9 Runs");
    terminal.shows("Enter opens it");
    terminal.keys(&["q"]);
    terminal.given_back();

    terminal.text("clear");
    terminal.keys(&["Enter"]);
    terminal.tui("--no-mouse");
    assert_eq!(terminal.knows("#{mouse_any_flag}"), "0", "it is left to the terminal");
    terminal.keys(&["C-c"]);
    terminal.given_back();
}

/// That the plan of a run was changed before anything was searched, and that both questions were looked into.
fn edited_first(world: &World) {
    let id = world.newest();
    let trace = world.run(&["runs", "trace", &id]).out;
    let edited = trace.find("answer this instead").expect("the plan was changed");
    let searched = trace.find("round 1: searching").expect("something was searched");
    assert!(edited < searched, "{trace}");
    assert!(trace[searched..].contains(UNANSWERABLE.trim_end_matches('?')), "{trace}");
    let shown = world.run(&["runs", "show", &id, "--json"]).json();
    assert_eq!(shown["status"], "finished");
}

#[test]
fn a_plan_is_looked_at_and_changed_before_anything_is_searched() {
    let Some(terminal) = Tmux::start(80, 24) else { return };
    terminal.started("--review-plan", "ask, plan first>");
    terminal.text(CAPACITY);
    terminal.keys(&["Enter"]);
    let plan = terminal.shows("waits for you to look at its plan; nothing was searched");
    assert!(plan.contains("1. What is the installed capacity"), "{plan}");
    assert!(plan.contains("s go on") && !plan.contains("round 1/"), "{plan}");
    terminal.keys(&["a"]);
    terminal.shows("add to the plan>");
    terminal.text(UNANSWERABLE);
    terminal.keys(&["Enter"]);
    terminal.shows("cost? (new)");
    terminal.mouse(CLICK, "1. What is");
    terminal.keys(&["J"]);
    terminal.until("another order", |screen| screen.contains("1. What will the second phase"));
    terminal.keys(&["s"]);
    terminal.until("the end", |screen| screen.contains("\u{2713} finished"));
    terminal.keys(&["q"]);
    terminal.given_back();
    edited_first(&terminal.world);
}

#[test]
fn a_plan_is_changed_by_lines() {
    let Some(terminal) = Tmux::start(120, 40) else { return };
    terminal.started("--plain", ":review has its plan shown");
    let say = |line: &str| {
        terminal.text(line);
        terminal.keys(&["Enter"]);
    };
    say(":review");
    terminal.shows("its plan is shown before anything is searched");
    say(CAPACITY);
    terminal.shows("waits for you to look at its plan; nothing was searched");
    say("change 9 Why?");
    terminal.until("why not", |screen| {
        screen.contains("there is only question") || screen.contains("there are questions")
    });
    say(&format!("add {UNANSWERABLE}"));
    terminal.shows("cost? (new)");
    say("send");
    terminal.until("the end", |screen| {
        screen.trim_end().lines().last().is_some_and(|line| line.starts_with("ask a question"))
    });
    terminal.keys(&["Enter"]);
    terminal.until("the shell", |screen| screen.trim_end().ends_with('$'));
    edited_first(&terminal.world);
}

/// The process of this home that shows the interface, by its id.
#[cfg(target_os = "linux")]
fn process(home: &std::path::Path) -> Option<String> {
    let folders = std::fs::read_dir("/proc").expect("Linux tells of its processes");
    let shows = folders.flatten().find(|folder| {
        let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap_or_default();
        let says =
            |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|w| w == text.as_bytes());
        says(&read("environ"), &home.display().to_string()) && says(&read("cmdline"), "\0tui\0")
    })?;
    shows.file_name().into_string().ok()
}

#[cfg(target_os = "linux")]
fn is_alive(home: &std::path::Path) -> bool {
    process(home).is_some()
}

#[cfg(target_os = "linux")]
#[test]
fn it_gives_the_terminal_back_when_it_is_told_to_end() {
    let Some(terminal) = Tmux::start(80, 24) else { return };
    terminal.tui("");
    assert_eq!(terminal.knows("#{mouse_any_flag} #{alternate_on}"), "1 1");
    let home = terminal.world.store();
    let home = home.ancestors().nth(3).expect("the store lies in the home").to_path_buf();
    let id = process(&home).expect("it runs");
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("it is told").success());
    terminal.given_back();
}

#[cfg(target_os = "linux")]
#[test]
fn it_ends_when_the_terminal_goes() {
    let Some(terminal) = Tmux::start(80, 24) else { return };
    terminal.tui("");
    let home = terminal.world.store();
    let home = home.ancestors().nth(3).expect("the store lies in the home").to_path_buf();
    assert!(is_alive(&home));
    assert!(terminal.tmux().arg("kill-server").status().expect("tmux is there").success());
    let until = Instant::now() + PATIENCE;
    while is_alive(&home) {
        assert!(Instant::now() < until, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn without_a_terminal_it_is_a_log() {
    let world = World::new();
    let folder = harbor();
    let ran = world.run(&["tui", UNANSWERABLE, "--corpus", folder.to_str().unwrap()]);
    ran.succeeds();
    assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{ran:?}");
    assert!(ran.err.contains("no terminal: one line an event"), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().take_while(|line| !line.is_empty()).collect();
    let id = world.newest();
    let trace = world.run(&["runs", "trace", &id]);
    assert_eq!(lines, trace.out.lines().collect::<Vec<_>>(), "the same words in the same order");
    assert!(ran.out.contains("What could not be established"), "{}", ran.out);
    let again = world.run(&["tui", "--plain", "--run", &id]);
    assert!(again.succeeds().out.contains("What could not be established"), "{again:?}");
    world.run(&["tui", "--plain", "--run", "run_nothing"]).fails(
        2,
        "no run is called so",
        "runs list",
    );
    world.run(&["tui", "why?"]).fails(2, "no corpus was named", "--corpus");
}
