//! `elenchus fallacies`: warns of fallacies in a text, with the words, a probability and a question to ask.

use crate::cli::{FallaciesArgs, PackArg};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::mind;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::scrutiny::fallacy::{
    Finding, Language, Model, Options, Point, Reader, add_said, detect, language,
};
use elenchus_core::text::squeeze;
use elenchus_io::model::language::read_for_fallacies;
use serde_json::json;
use std::fmt::Write;
use std::io::Read;
use std::path::Path;

/// The longest text that is read, in bytes.
const LONGEST: u64 = 64 << 20;
/// Characters shown before and after the words of a warning.
const CONTEXT: usize = 60;
/// Most characters of the words themselves that are shown.
const SHOWN: usize = 400;
/// Up to so many warnings at the strict point are few: the reader is told that there is another one.
const FEW: usize = 2;

pub(super) fn run(args: &FallaciesArgs, config: Result<Config>, terminal: &Terminal) -> Result<()> {
    let text = text(&args.file)?;
    let model = args.model.as_deref().map(model).transpose()?;
    if language(&text) == Language::Other {
        return Err(CliError::usage(
            attempted(&args.file),
            "it has too few English function words to be English, and other languages are not read",
            "give an English text; nothing is guessed about others",
        ));
    }
    let options = Options {
        point: if args.sensitive { Point::Sensitive } else { Point::Strict },
        theology: args.pack == Some(PackArg::Theology),
        reader: model.as_ref().map_or(Reader::Asked, Reader::Given),
    };
    let mut findings = detect(&text, &options);
    if let Some(name) = &args.llm {
        let config = config?;
        let rules =
            |error| mind::named_elsewhere(error, "leave --llm out: rules read the text then");
        let (client, book) = (mind::client(name, &config).map_err(rules)?, mind::book(&config)?);
        let read = read_for_fallacies(&client, &book, &text, options.theology);
        let read = super::runtime()?.block_on(read).map_err(|error| rules(error.into()))?;
        if read.unread > 0 {
            terminal.warn(&format!(
                "{} not read by the model: its reply had not the form that was asked for",
                counted(read.unread, "sentence")
            ));
        }
        add_said(&text, &read.said, &mut findings);
    }
    if args.json {
        return terminal.print_json(&json!({
            "point": options.point,
            "packs": if options.theology { &["general", "theology"][..] } else { &["general"] },
            "note": NOTE,
            "findings": findings,
        }));
    }
    terminal.print(&told(&text, &findings, options.point, terminal))
}

const NOTE: &str = "warnings, not verdicts: each names words that may commit a fallacy and a question that would tell";

fn attempted(file: &str) -> String {
    let name = if file == "-" { "standard input" } else { file };
    format!("could not look for fallacies in {name}")
}

fn text(file: &str) -> Result<String> {
    let failed = |error: std::io::Error| {
        CliError::usage(
            attempted(file),
            error.to_string(),
            "name a readable text file, or `-` for standard input",
        )
    };
    let mut bytes = Vec::new();
    if file == "-" {
        std::io::stdin().take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let opened = std::fs::File::open(file).map_err(failed)?;
        opened.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    let wrong = |cause: &str, hint: &str| Err(CliError::usage(attempted(file), cause, hint));
    if bytes.len() as u64 > LONGEST {
        return wrong("it is longer than 64 MB", "split it");
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return wrong(
            "it is not text in UTF-8",
            "give plain text or Markdown; convert other files first",
        );
    };
    if text.contains('\0') {
        return wrong("it holds zero bytes, so it is no text", "give plain text or Markdown");
    }
    if text.trim().is_empty() {
        return wrong("it is empty", "give a text with at least one sentence");
    }
    Ok(text)
}

fn model(file: &Path) -> Result<Model> {
    let attempted = || format!("could not use the fallacy model {}", file.display());
    let hint = "write one with `elenchus-evals fallacies --fit-on FILE.csv --model-out MODEL`";
    let bytes = std::fs::read(file)
        .map_err(|error| CliError::usage(attempted(), error.to_string(), hint))?;
    Model::parse(&bytes).map_err(|error| CliError::usage(attempted(), error.to_string(), hint))
}

fn told(text: &str, findings: &[Finding], point: Point, terminal: &Terminal) -> String {
    let mut out = String::new();
    for finding in findings {
        let sure = if finding.calibrated { "probability" } else { "probability, by grade" };
        let name = terminal.paint("1", finding.name);
        let _ = writeln!(out, "{name} may be in play ({sure} {:.2})", finding.probability);
        let _ = writeln!(out, "  {}", context(text, finding));
        let _ = writeln!(out, "  why: {}", squeeze(&finding.because));
        let _ = writeln!(out, "  ask: {}\n", squeeze(&finding.question));
    }
    let mode = if point == Point::Strict { "strict" } else { "sensitive" };
    let _ = match findings.len() {
        0 => writeln!(
            out,
            "no warnings at the {mode} point, which does not mean that there are no fallacies"
        ),
        n => writeln!(
            out,
            "{} at the {mode} point; a warning is a question to ask, not a verdict",
            counted(n, "warning")
        ),
    };
    if point == Point::Strict && findings.len() <= FEW {
        out.push_str("--sensitive warns of more, at a higher rate of false alarms\n");
    }
    out
}

/// The words of a warning between brackets, with what stands around them.
fn context(text: &str, finding: &Finding) -> String {
    let from = finding.span.start.saturating_sub(CONTEXT);
    let before: String = text.chars().skip(from).take(finding.span.start - from).collect();
    let after: String = text.chars().skip(finding.span.end).take(CONTEXT).collect();
    let mut words: String = squeeze(&finding.text);
    if words.chars().count() > SHOWN {
        words = words.chars().take(SHOWN).collect::<String>() + "\u{2026}";
    }
    let lead = if from > 0 { "\u{2026}" } else { "" };
    let trail =
        if text.chars().nth(finding.span.end + CONTEXT).is_some() { "\u{2026}" } else { "" };
    let gap = |side: &str, at_end: bool| {
        let touches = if at_end {
            side.ends_with(char::is_whitespace)
        } else {
            side.starts_with(char::is_whitespace)
        };
        if touches { " " } else { "" }
    };
    let (left, right) = (gap(&before, true), gap(&after, false));
    format!("{lead}{}{left}[{words}]{right}{}{trail}", squeeze(&before), squeeze(&after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_in_their_context() {
        let text = "He spoke for long.\nTen million customers can\u{2019}t be wrong, he said.";
        let findings = detect(text, &Options::default());
        assert_eq!(
            context(text, &findings[0]),
            "He spoke for long. [Ten million customers can\u{2019}t be wrong], he said."
        );
        let told = told(text, &findings, Point::Strict, &Terminal::silent());
        assert!(told.contains("may be in play") && told.contains("not a verdict"), "{told}");
    }

    #[test]
    fn few_warnings_name_the_point_that_gives_more() {
        let text = "He spoke for long.\nTen million customers can\u{2019}t be wrong, he said.";
        let one: Vec<Finding> = detect(text, &Options::default()).into_iter().take(1).collect();
        let many = vec![one[0].clone(); FEW + 1];
        let names_it = |findings: &[Finding], point| {
            told(text, findings, point, &Terminal::silent()).contains("--sensitive")
        };
        assert!(names_it(&[], Point::Strict) && names_it(&one, Point::Strict));
        assert!(!names_it(&many, Point::Strict));
        assert!(!names_it(&[], Point::Sensitive));
    }

    #[test]
    fn files_that_are_no_text_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let file = folder.path().join(name);
            std::fs::write(&file, bytes).unwrap();
            text(&file.to_string_lossy()).unwrap_err().cause
        };
        assert!(write("binary", &[0xff, 0xfe, 0x00, 0x80]).contains("UTF-8"));
        assert!(write("zero", b"a\0b").contains("zero"));
        assert!(write("empty", b" \n").contains("empty"));
        assert!(text("no/such/file").is_err());
        let file = folder.path().join("model");
        std::fs::write(&file, b"nothing").unwrap();
        assert!(model(&file).unwrap_err().cause.contains("does not begin"));
    }
}
