//! What was done on the web, for a reader of the report.

use super::display::display_quote;
use super::types::Answer;
use crate::inquiry::count;
use crate::port::PageOutcome;
use crate::text::is_invisible;
use std::fmt::Write;

/// Pages and searches named one by one.
const NAMED: usize = 5;

/// The section; empty when the run did not reach the web.
pub(super) fn section(answer: &Answer) -> String {
    let Some(used) = &answer.web else { return String::new() };
    let mut out = String::from("## What was done on the web\n\n");
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(out, "{text}").expect("writing to a String cannot fail");
    };
    let private = if used.rule.private.is_empty() {
        String::new()
    } else {
        let private = used.rule.private.join(" and ");
        format!("; private data in context: {}", display_quote(&private, &[]))
    };
    line(format_args!("- What left this machine: {}{private}.", used.rule.outward.sentence()));
    for provider in &used.providers {
        let name = display_quote(&provider.provider, &[]);
        if provider.searches > 0 {
            let searches =
                count(provider.searches as usize, "search").replace("searchs", "searches");
            let results = count(provider.results as usize, "result");
            line(format_args!("- {name}: {searches}, {results}."));
        }
        for failure in &provider.failures {
            line(format_args!("- {name} failed: {}.", display_quote(failure, &[])));
        }
    }
    let pages = |n: u32| count(n as usize, "page");
    let kept = match used.kept {
        0 => String::new(),
        n => format!("; {} as they were kept from an earlier run", pages(n)),
    };
    line(format_args!(
        "- {} fetched and read{kept}; {} not read.",
        pages(used.read),
        pages(used.refused.len() as u32)
    ));
    for page in used.refused.iter().take(NAMED) {
        let PageOutcome::Refused { reason } = &page.outcome else { continue };
        line(format_args!("    - {}: {}", display_address(&page.url), display_quote(reason, &[])));
    }
    if used.refused.len() > NAMED {
        line(format_args!("    - {} more", used.refused.len() - NAMED));
    }
    if !used.withheld.is_empty() {
        let kept = count(used.withheld.len(), "search").replace("searchs", "searches");
        line(format_args!("- {kept} stayed here:"));
        for withheld in used.withheld.iter().take(NAMED) {
            line(format_args!(
                "    - \u{201C}{}\u{201D}: {}",
                display_quote(&withheld.query, &[]),
                display_quote(&withheld.reason, &[])
            ));
        }
        if used.withheld.len() > NAMED {
            line(format_args!("    - {} more", used.withheld.len() - NAMED));
        }
    }
    for source in &answer.sources {
        let why = source.web.as_ref().map_or(&[] as &[String], |page| page.one_with.as_slice());
        let others: Vec<String> = answer
            .sources
            .iter()
            .filter(|other| other.cluster == source.cluster && other.number > source.number)
            .map(|other| format!("[{}]", other.number))
            .collect();
        if !others.is_empty() {
            let why = if why.is_empty() {
                String::new()
            } else {
                format!(" ({})", display_quote(&why.join("; "), &[]))
            };
            line(format_args!(
                "- [{}] and {} count as one source{why}.",
                source.number,
                others.join(" and ")
            ));
        }
    }
    for source in &answer.sources {
        let hidden = source.web.as_ref().map_or(0, |page| page.hidden);
        if hidden > 0 {
            line(format_args!(
                "- [{}] holds {} that a reader of the page does not see. They were left out; text that hides speaks \
                 against a page.",
                source.number,
                count(hidden as usize, "character")
            ));
        }
    }
    out
}

/// An address in running Markdown: nothing of it can begin markup, and it still leads to the same place.
pub(super) fn display_address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '[' | ']' | '<' | '>' | '\\' | '`' | '|' | '*' | '"' | '\'' | '!' | '(' | ')' | '{'
            | '}' => {
                write!(out, "%{:02X}", u32::from(c)).expect("writing to a String cannot fail");
            }
            c if is_invisible(c) || c.is_whitespace() => out.push('+'),
            c => out.push(c),
        }
    }
    out
}
