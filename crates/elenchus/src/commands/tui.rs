//! `elenchus tui`.

mod work;

use super::{set_corpus, set_dialogue, set_engine, set_model, set_web, store_path, text};
use crate::cli::{EffortArg, TuiArgs};
use crate::config::{Config, Value};
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::tui::{App, Command, Message, plain, run as drawing, screen};
use crate::ui::terminal::{Color, Terminal};
use crate::web::WebPlan;
use crate::wire;
use elenchus_core::port::Clock;
use elenchus_core::text::squeeze;
use elenchus_io::clock::SystemClock;
use tokio::sync::mpsc;
use work::{Parts, Work};

pub(super) async fn run(args: TuiArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    set_corpus(&mut config, args.corpus)?;
    if let Some(named) = config.path("corpus") {
        wire::folder(&named)?;
    }
    set_model(&mut config, args.model)?;
    set_web(&mut config, args.web);
    set_dialogue(&mut config, &args.dialogue);
    set_engine(&mut config, &args.engine)?;
    config.flag("store", "--store", text(args.store.store)?);
    let effort = args.effort.map(|effort| match effort {
        EffortArg::Quick => "quick",
        EffortArg::Standard => "standard",
        EffortArg::Deep => "deep",
    });
    config.flag("effort", "--effort", effort.map(|word| Value::Text(word.to_owned())));

    let because = plain::because(args.plain, terminal.choice);
    let path = store_path(None, &config)?;
    let store = wire::store(&path)?;
    let first = match (args.run, args.question) {
        (Some(named), _) => {
            let runs = store.runs().await?;
            Some(Command::Open(super::runs::pick(&named, &runs)?.run_id))
        }
        (None, Some(question)) if !question.chars().any(char::is_alphanumeric) => {
            return Err(CliError::usage(
                "could not start a run",
                "the question is empty",
                "ask something in words, or give no question and type one",
            ));
        }
        (None, question) => {
            question.map(|question| Command::Ask { question, review: args.review_plan })
        }
    };
    let (to, heard) = mpsc::unbounded_channel::<Message>();
    let (told, mut hears) = mpsc::unbounded_channel();
    let forward = to.clone();
    tokio::spawn(async move {
        while let Some(told) = hears.recv().await {
            if forward.send(Message::Told(told)).is_err() {
                break;
            }
        }
    });
    let mut interrupts = Interrupts::listen_then(screen::restore);
    let work = Work::new(Parts {
        config: config.clone(),
        path,
        store,
        messages: to.clone(),
        terminal: terminal.shown_by(told),
        interrupts: interrupts.clone(),
    });
    let perform = |command| work.perform(command);
    if let Some(why) = because {
        if !args.plain {
            terminal.say(&format!("{why}: one line an event"));
        }
        let said =
            plain::run(first, args.review_plan, terminal, perform, heard, &mut interrupts).await;
        return match work.leave().await {
            Some(left) => Err(left),
            None => said,
        };
    }
    let colour = terminal.choice != Color::Never;
    let mut app = App::new((80, 24), colour, ground(&config), SystemClock.now().0)
        .with(!args.no_mouse, args.review_plan);
    if let Some(command) = first {
        app.begin(&command);
        work.perform(command);
    }
    let mut asked = interrupts.clone();
    let stop = to.clone();
    tokio::spawn(async move {
        asked.wait().await;
        let _ = stop.send(Message::Stop);
    });
    let shown = drawing::run(app, perform, heard, to).await;
    // What happens to the run is said where it can be read again.
    match work.leave().await {
        Some(left) => terminal.say(&format!("{}; {}", left.message(), left.hint)),
        None => {
            if let Some(last) = work.last() {
                terminal.say(&format!("`elenchus runs show {last}` shows the run again"));
            }
        }
    }
    shown.map_err(|error| plain::unusable(&error))
}

/// Where questions are asked, in words.
fn ground(config: &Config) -> String {
    let model = config.text("model").unwrap_or(crate::mind::EXTRACTIVE);
    let searches_web = matches!(WebPlan::of(config, ""), Ok(Some(_)));
    let helpers = crate::mind::helpers(config);
    let mut thinks = if model != crate::mind::EXTRACTIVE {
        format!("{} thinks", squeeze(model))
    } else if searches_web || !helpers.is_empty() {
        "the built-in model thinks".to_owned()
    } else {
        "the built-in model thinks, and nothing leaves this machine".to_owned()
    };
    for helper in helpers {
        thinks.push_str("; ");
        thinks.push_str(&helper.told());
    }
    match config.path("corpus") {
        Some(folder) => format!("Searched is {}; {thinks}.", squeeze(&folder.display().to_string())),
        None if searches_web => format!("Searched is the web; {thinks}."),
        None => "No documents were named: start with --corpus DIR to ask. Earlier runs and the memory can be read.".to_owned(),
    }
}
