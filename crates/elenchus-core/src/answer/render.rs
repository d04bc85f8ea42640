//! The report: front matter, question, answer and sources as Markdown.

use super::display::{display_quote, heading};
use super::insights;
use super::types::{Answer, Citation};
use super::{explanations, perspectives, reviewed, sure, warnings, web};
use crate::belief::{Assessment, ConfidenceResult};
use crate::evidence::PartialDate;
use std::fmt::Write;

/// The whole report. The same answer renders the same bytes.
pub fn to_markdown(answer: &Answer) -> String {
    let mut out = String::new();
    front_matter(&mut out, answer).expect("writing to a String cannot fail");
    writeln!(out, "\n# {}\n", heading(&answer.question)).expect("writing to a String cannot fail");
    out.push_str(&body(answer));
    sources(&mut out, answer).expect("writing to a String cannot fail");
    writeln!(out, "\n*{}*", closing(answer)).expect("writing to a String cannot fail");
    out
}

fn front_matter(out: &mut String, answer: &Answer) -> std::fmt::Result {
    writeln!(out, "---")?;
    writeln!(out, "question: {}", quoted(&answer.question))?;
    writeln!(out, "run: {}", answer.run_id)?;
    writeln!(out, "corpus: {}", quoted(&answer.corpus))?;
    writeln!(out, "model: {}", quoted(&answer.model))?;
    if !answer.mode.is_empty() {
        writeln!(out, "mode: {}", quoted(&answer.mode))?;
    }
    if !answer.pack.is_empty() {
        writeln!(out, "pack: {}", quoted(&answer.pack))?;
    }
    if let Some(perspectives) = answer.perspectives.as_ref().filter(|all| !all.views.is_empty()) {
        let lenses: Vec<&str> = perspectives.views.iter().map(|view| view.lens.as_str()).collect();
        writeln!(out, "lenses: {}", quoted(&lenses.join(", ")))?;
    }
    writeln!(out, "stop_reason: {}", answer.stop_reason.name())?;
    writeln!(out, "rounds: {}", answer.receipt.rounds)?;
    writeln!(out, "passages_read: {}", answer.receipt.passages)?;
    writeln!(out, "claims: {}", answer.claims.len())?;
    if let Some(confidence) = answer.confidence.as_ref().filter(|c| assessed(c)) {
        writeln!(out, "confidence: {:.2}", confidence.overall_confidence)?;
        writeln!(out, "level: {}", confidence.level.word())?;
    }
    writeln!(out, "---")
}

/// The report between its title and its list of sources, as Markdown.
pub(super) fn body(answer: &Answer) -> String {
    let mut out = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(out, "{text}").expect("writing to a String cannot fail");
    };
    for said in &answer.clarified {
        line(format_args!(
            "- You said: {} (asked by the model: {})",
            display_quote(&said.answer, &[]),
            display_quote(&said.question, &[])
        ));
    }
    if !answer.clarified.is_empty() {
        line(format_args!(""));
    }
    line(format_args!("{}", answer.text.trim_end()));
    for section in [sure::section(answer), warnings::section(answer)] {
        if !section.is_empty() {
            line(format_args!(""));
            line(format_args!("{}", section.trim_end()));
        }
    }
    let explanations = explanations::section(answer);
    if !explanations.is_empty() {
        line(format_args!(""));
        line(format_args!("{}", explanations.trim_end()));
    }
    let reviewed = reviewed::sections(answer);
    if !reviewed.is_empty() {
        line(format_args!(""));
        line(format_args!("{}", reviewed.trim_end()));
    }
    if !answer.disagreements.is_empty() {
        line(format_args!(""));
        line(format_args!("## Sources that contradict this"));
        line(format_args!(""));
        for disagreement in &answer.disagreements {
            line(format_args!("- {}", display_quote(&disagreement.summary, &[])));
            for side in &disagreement.sides {
                line(format_args!(
                    "    - {}: \u{201C}{}\u{201D}",
                    display_quote(&side.location, &[]),
                    display_quote(&side.quote, &[])
                ));
            }
        }
    }
    let lenses = perspectives::section(answer.perspectives.as_ref());
    if !lenses.is_empty() {
        line(format_args!(""));
        line(format_args!("{}", lenses.trim_end()));
    }
    let tensions = tensions(answer);
    if !tensions.is_empty() {
        line(format_args!(""));
        line(format_args!("{}", tensions.trim_end()));
    }
    let insights = insights::section(&answer.insights);
    if !insights.is_empty() {
        line(format_args!(""));
        line(format_args!("{}", insights.trim_end()));
    }
    let on_the_web = web::section(answer);
    if !on_the_web.is_empty() {
        line(format_args!(""));
        line(format_args!("{}", on_the_web.trim_end()));
    }
    out
}

/// Where a cited document is, as the list of sources shows it: the address of a page, else its path.
pub fn citation_place(source: &Citation) -> String {
    match &source.web {
        Some(page) => web::display_address(&page.url),
        None => display_quote(&source.path, &[]),
    }
}

fn sources(out: &mut String, answer: &Answer) -> std::fmt::Result {
    if answer.sources.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Sources\n")?;
    for source in &answer.sources {
        let mut about = Vec::new();
        about.extend(source.author.clone());
        about.extend(source.date.as_ref().map(|date| {
            if date.is_of_author() { format!("c. {}", date.value) } else { date.value.to_string() }
        }));
        about.extend(
            source
                .web
                .as_ref()
                .map(|page| format!("read on {}", PartialDate::of_timestamp(page.retrieved_at))),
        );
        let about = if about.is_empty() {
            String::new()
        } else {
            format!(" ({})", display_quote(&about.join(", "), &[]))
        };
        writeln!(
            out,
            "[{}] {}: {}{about}",
            source.number,
            display_quote(&source.title, &[]),
            citation_place(source),
        )?;
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
                writeln!(out, "{entry}")?;
                shown.push(entry);
            }
        }
    }
    Ok(())
}

/// What the reader has before them, and how sure it is.
pub(super) fn closing(answer: &Answer) -> String {
    let aside = aside(answer);
    let quotes = if answer.claims.is_empty() && aside.is_empty() {
        String::new()
    } else {
        format!(
            " Every statement above{aside} is a quote that was found again in its passage; whether it answers is what the \
             confidence is about."
        )
    };
    let order = if answer.own_order {
        " No model put them in order: the order is the program's."
    } else {
        ""
    };
    format!("{}{quotes}{order} {}", answer.stop_reason.sentence(), confidence_said(answer))
}

/// What of the report is not a quote, as the closing line says it.
fn aside(answer: &Answer) -> String {
    let parts: Vec<&str> = [
        (warnings::are_told(answer), "the warnings"),
        (!answer.hypotheses.is_empty(), "the explanations"),
        (reviewed::has_models_words(answer), "the critic's words"),
        (reviewed::tells_measured(answer), "what speaks against it"),
        (answer.perspectives.is_some(), "what the lenses see"),
        (!answer.insights.is_empty(), "what stands out"),
    ]
    .into_iter()
    .filter_map(|(is_there, name)| is_there.then_some(name))
    .collect();
    match parts.as_slice() {
        [] => String::new(),
        [one] => format!(", {one} aside,"),
        [first @ .., last] => format!(", {} and {last} aside,", first.join(", ")),
    }
}

/// Known tensions with both of their sides.
fn tensions(answer: &Answer) -> String {
    if answer.tensions.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "## A known tension bears on this\n\nBoth sides are quoted as they were read; what is said of them is in the words of \
         the theology pack.\n\n",
    );
    for note in &answer.tensions {
        writeln!(
            out,
            "- {} Mostly raised from a {} point of view.",
            display_quote(&note.summary, &[]),
            display_quote(&note.perspective, &[])
        )
        .expect("writing to a String cannot fail");
        for side in &note.sides {
            writeln!(
                out,
                "    - {}: \u{201C}{}\u{201D}",
                display_quote(&side.location, &[]),
                display_quote(&side.quote, &[])
            )
            .expect("writing to a String cannot fail");
        }
    }
    out
}

fn assessed(confidence: &ConfidenceResult) -> bool {
    confidence.assessment != Assessment::NotAssessable
}

/// The confidence with what it means, in a sentence or two.
fn confidence_said(answer: &Answer) -> String {
    let Some(confidence) = answer.confidence.as_ref() else {
        let said = if answer.hypotheses.is_empty() {
            "No confidence is given: nothing was verified."
        } else {
            "No confidence in an answer is given: there is none that was verified."
        };
        return said.to_owned();
    };
    if !assessed(confidence) {
        return "No confidence is given: there is no statement that answers.".to_owned();
    }
    let interval = match confidence.claim_confidences.as_slice() {
        [one] => {
            one.interval.map_or_else(String::new, |(low, high)| format!(" [{low:.2}, {high:.2}]"))
        }
        _ => String::new(),
    };
    let mut said = format!(
        "Confidence {:.2}{interval} ({}): that the sources bear the answer out, times the share of answers binding \
         their question so firmly that were right on labelled questions{}.",
        confidence.overall_confidence,
        confidence.level.word(),
        if answer.web.is_some() {
            ", times how far independent publishers of the web agree, which is a prior and was not measured"
        } else {
            ""
        },
    );
    if let Some(behind) = sure::lone(answer) {
        write!(said, " Behind it: {behind}.").expect("writing to a String cannot fail");
    }
    let open = answer.could_not_establish.len();
    if open > 0 {
        write!(
            said,
            " It says nothing of what stays open ({}).",
            crate::inquiry::count(open, "gap")
        )
        .expect("writing to a String cannot fail");
    }
    if confidence.coverage.unchecked > 0 {
        write!(
            said,
            " {} could not be checked.",
            crate::inquiry::count(confidence.coverage.unchecked, "statement")
        )
        .expect("writing to a String cannot fail");
    }
    said
}

/// A YAML double-quoted scalar. What knows no front matter reads it as Markdown, so that the signs by which Markdown and HTML
/// begin anything are written as YAML's escapes.
fn quoted(text: &str) -> String {
    let json = serde_json::to_string(&crate::text::squeeze(text)).expect("a string is always JSON");
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '[' | '&' | '{' | '`' => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a String cannot fail");
            }
            c => out.push(c),
        }
    }
    out
}
