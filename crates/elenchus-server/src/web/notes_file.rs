//! Notes to take along, as Markdown or as JSON. What people and documents wrote is escaped as it is in reports.

use super::notes::Note;
use super::words::{counted, plain};
use crate::instant::iso;
use elenchus_core::answer::display_quote;
use elenchus_core::text::visible_json;
use serde::Serialize;
use std::fmt::Write;

/// A note for other programs.
#[derive(Serialize)]
struct Line<'a> {
    run_id: &'a str,
    question: &'a str,
    about: &'static str,
    target: &'a str,
    text: &'a str,
    said: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    actor: &'a str,
    at: String,
}

/// All of them.
#[derive(Serialize)]
struct Whole<'a> {
    notes: Vec<Line<'a>>,
    /// Older notes that were not looked at.
    not_looked_at: usize,
}

fn line(one: &Note) -> Line<'_> {
    Line {
        run_id: one.run.as_str(),
        question: &one.question,
        about: one.about(),
        target: &one.target,
        text: &one.text,
        said: &one.said,
        note: one.note.as_deref(),
        actor: &one.actor,
        at: iso(one.at),
    }
}

/// As JSON, the newest first. Characters that are not seen are escaped.
pub(super) fn json(notes: &[Note], beyond: usize) -> serde_json::Result<String> {
    let whole = Whole { notes: notes.iter().map(line).collect(), not_looked_at: beyond };
    Ok(format!("{}\n", visible_json(&serde_json::to_string_pretty(&whole)?)))
}

/// As Markdown, the newest first.
pub(super) fn markdown(notes: &[Note], beyond: usize) -> String {
    let mut out = String::new();
    write(&mut out, notes, beyond).expect("writing to a String cannot fail");
    out
}

fn write(out: &mut String, notes: &[Note], beyond: usize) -> std::fmt::Result {
    let shown = |text: &str| display_quote(text, &[]);
    writeln!(out, "# Notes\n\n{}, the newest first.", counted(notes.len(), "note"))?;
    if beyond > 0 {
        writeln!(out, "\n{} not looked at.", older(beyond))?;
    }
    if !notes.is_empty() {
        writeln!(out)?;
    }
    for one in notes {
        let what = if one.is_insight { "Insight" } else { "Statement" };
        let at = iso(one.at);
        let minute = at.get(..16).unwrap_or_default().replace('T', " ");
        let (target, said) = (shown(&one.target), shown(&plain(&one.said)));
        writeln!(out, "- {what} {target}: {said}, by {}, {minute}", shown(&one.actor))?;
        if !one.text.is_empty() {
            writeln!(out, "    - \u{201C}{}\u{201D}", shown(&one.text))?;
        }
        if let Some(note) = &one.note {
            writeln!(out, "    - Note: {}", shown(note))?;
        }
        let run = shown(one.run.as_str());
        if one.question.is_empty() {
            writeln!(out, "    - In {run}")?;
        } else {
            writeln!(out, "    - Asked: {} ({run})", shown(&one.question))?;
        }
    }
    Ok(())
}

/// "3 older notes were", "1 older note was".
pub(super) fn older(count: usize) -> String {
    format!("{} {}", counted(count, "older note"), if count == 1 { "was" } else { "were" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::id::Timestamp;

    fn note() -> Note {
        Note {
            run: "run_a".into(),
            question: "What of\n# <b>it</b>?".to_owned(),
            is_insight: false,
            target: "c1".to_owned(),
            text: "See [this](https://example.org) \u{202E}now.".to_owned(),
            said: "wrong".to_owned(),
            note: Some("![x](https://example.org/x.png)\n- no".to_owned()),
            actor: "local".to_owned(),
            at: Timestamp(0),
        }
    }

    #[test]
    fn what_was_written_along_is_no_markup() {
        let text = markdown(&[note()], 2);
        assert!(text.starts_with("# Notes\n\n1 note, the newest first.\n"), "{text}");
        assert!(text.contains("2 older notes were not looked at."), "{text}");
        assert!(text.contains("- Statement c1: wrong, by local, 1970-01-01 00:00\n"), "{text}");
        assert!(text.contains("    - Note: !\\[x\\](https://example.org/x.png) - no\n"), "{text}");
        assert!(text.contains("Asked: What of # \\<b>it\\</b>? (run_a)"), "{text}");
        assert!(!text.contains('\u{202E}') && !text.contains("\n# <b>"), "{text}");
        assert_eq!(text.matches("\n- ").count(), 1, "one note, one point: {text}");
    }

    #[test]
    fn programs_read_every_letter() {
        let text = json(&[note()], 0).unwrap();
        assert!(!text.contains('\u{202E}'), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        let one = &read["notes"][0];
        assert_eq!(one["text"], note().text);
        assert_eq!(one["note"], note().note.unwrap());
        assert_eq!(one["about"], "claim");
        assert_eq!(one["at"], "1970-01-01T00:00:00.000Z");
        assert_eq!(read["not_looked_at"], 0);
    }
}
