//! The report: front matter, question, answer and sources as Markdown.

use super::display::display_quote;
use super::types::Answer;
use std::fmt::Write;

/// The whole report. The same answer renders the same bytes.
pub fn to_markdown(answer: &Answer) -> String {
    let mut out = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(out, "{text}").expect("writing to a String cannot fail");
    };
    line(format_args!("---"));
    line(format_args!("question: {}", quoted(&answer.question)));
    line(format_args!("run: {}", answer.run_id));
    line(format_args!("corpus: {}", quoted(&answer.corpus)));
    line(format_args!("model: {}", quoted(&answer.model)));
    line(format_args!("stop_reason: {}", answer.stop_reason.name()));
    line(format_args!("rounds: {}", answer.receipt.rounds));
    line(format_args!("passages_read: {}", answer.receipt.passages));
    line(format_args!("claims: {}", answer.claims.len()));
    line(format_args!("---"));
    line(format_args!(""));
    line(format_args!("# {}", display_quote(&answer.question, &[])));
    line(format_args!(""));
    line(format_args!("{}", answer.text.trim_end()));
    if !answer.sources.is_empty() {
        line(format_args!(""));
        line(format_args!("## Sources"));
        line(format_args!(""));
        for source in &answer.sources {
            let mut about = Vec::new();
            about.extend(source.author.clone());
            about.extend(source.date.as_ref().map(|date| {
                if date.stated.starts_with("author") {
                    format!("c. {}", date.value)
                } else {
                    date.value.to_string()
                }
            }));
            let about = if about.is_empty() {
                String::new()
            } else {
                format!(" ({})", display_quote(&about.join(", "), &[]))
            };
            line(format_args!(
                "[{}] {}: {}{about}",
                source.number,
                display_quote(&source.title, &[]),
                display_quote(&source.path, &[]),
            ));
            let mut shown: Vec<String> = Vec::new();
            for evidence in answer.evidence.iter().filter(|e| e.citation == source.number) {
                let place =
                    evidence.location.strip_prefix(&evidence.path).unwrap_or(&evidence.location);
                let place = place.trim_start_matches(", ");
                let quote = display_quote(&evidence.quote, &evidence.table_header);
                let entry = if place.is_empty() {
                    format!("    - \u{201C}{quote}\u{201D}")
                } else {
                    format!("    - {}: \u{201C}{quote}\u{201D}", display_quote(place, &[]))
                };
                if !shown.contains(&entry) {
                    line(format_args!("{entry}"));
                    shown.push(entry);
                }
            }
        }
    }
    line(format_args!(""));
    line(format_args!(
        "*{} Every statement above is a quote that was found again in its passage; no confidence is given because \
         none has been measured for this answer.*",
        answer.stop_reason.sentence()
    ));
    out
}

/// A YAML double-quoted scalar.
fn quoted(text: &str) -> String {
    serde_json::to_string(&crate::text::squeeze(text)).expect("a string is always JSON")
}
