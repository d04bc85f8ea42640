//! The section of a report about what several lenses see: agreement first, then tensions, then the rest.

use super::display::display_quote;
use crate::id::PointId;
use crate::inquiry::count;
use crate::synthesis::perspectives::{Agreement, Perspectives, Point, PointQuote, View};
use std::fmt::Write;

/// Entries shown a list; the JSON form has all.
const SHOWN: usize = 6;
/// Quotes shown a point.
const QUOTES: usize = 2;
/// Characters shown of a quote.
const BEGINNING: usize = 110;

/// The section, from its heading on; empty where no lens was asked for.
pub(super) fn section(perspectives: Option<&Perspectives>) -> String {
    let mut out = String::new();
    if let Some(perspectives) = perspectives {
        write(&mut out, perspectives).expect("writing to a String cannot fail");
    }
    out
}

fn plain(text: &str) -> String {
    display_quote(text, &[])
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn write(out: &mut String, perspectives: &Perspectives) -> std::fmt::Result {
    writeln!(
        out,
        "## Seen through different lenses\n\nThe points are worded by the model and rest on the quotes below them: a point \
         without a mark is its reading of them, and the check neither bears it out nor contradicts it. What agrees, what \
         pulls apart and every figure is computed from those quotes.\n"
    )?;
    for view in &perspectives.views {
        view_line(out, view)?;
    }
    consensus(out, perspectives)?;
    tensions(out, perspectives)?;
    unique(out, perspectives)?;
    if !perspectives.meta_analysis.is_empty() {
        writeln!(out, "\n### What to take from it, in the model's words\n")?;
        for sentence in &perspectives.meta_analysis {
            writeln!(out, "- {} ({})", plain(&sentence.text), ids(&sentence.points))?;
        }
    }
    if !perspectives.not_done.is_empty() {
        writeln!(out, "\nNot done:\n")?;
        for what in &perspectives.not_done {
            writeln!(out, "- {}", plain(what))?;
        }
    }
    Ok(())
}

fn ids(points: &[PointId]) -> String {
    points.iter().map(PointId::as_str).collect::<Vec<_>>().join(", ")
}

fn view_line(out: &mut String, view: &View) -> std::fmt::Result {
    if let Some(error) = &view.failed {
        return writeln!(out, "- **{}**: failed: {}", plain(&view.name), plain(error));
    }
    let mut line = format!(
        "- **{}**: {} on {} of the quotes",
        plain(&view.name),
        count(view.points.len(), "point"),
        percent(view.evidence_share)
    );
    if let Some(would_change) = &view.would_change {
        write!(line, "; what would change its mind: {}", plain(would_change))?;
    }
    writeln!(out, "{line}")
}

/// "**v1** (Skeptical, opposes) The words. *not borne out by what it cites*"
fn point_line(view: &View, point: &Point) -> String {
    let mut line = format!(
        "**{}** ({}, {}) {}",
        point.id,
        plain(&view.name),
        point.stance.name(),
        plain(&point.statement)
    );
    if let Some(mark) = point.mark() {
        write!(line, " *({mark})*").expect("writing to a String cannot fail");
    }
    line
}

/// Place and beginning of a quote: most stand whole among the sources, and the JSON form has all.
fn quote_line(quote: &PointQuote) -> String {
    let whole = display_quote(&quote.quote, &quote.table_header);
    let mut shown: String = whole.chars().take(BEGINNING).collect();
    if shown.len() < whole.len() {
        let end = shown.rfind(' ').unwrap_or(shown.len());
        shown.truncate(end);
        shown.push('\u{2026}');
    }
    let place = plain(&quote.location);
    // The path, and of the headings the innermost: the others repeat the document's build.
    let place = match (place.split_once(", "), place.rsplit_once(" > ")) {
        (Some((path, _)), Some((_, inner))) => format!("{path}, {inner}"),
        _ => place,
    };
    format!("{place}: \u{201C}{shown}\u{201D}")
}

/// The quotes of these points, each once.
fn quotes(out: &mut String, points: &[&Point]) -> std::fmt::Result {
    let mut shown: Vec<String> = Vec::new();
    for quote in points.iter().flat_map(|point| &point.quotes) {
        let line = quote_line(quote);
        if !shown.contains(&line) {
            shown.push(line);
        }
    }
    let most = QUOTES * points.len().max(1);
    for line in shown.iter().take(most) {
        writeln!(out, "    - {line}")?;
    }
    if shown.len() > most {
        writeln!(out, "    - {} more in the JSON form", count(shown.len() - most, "quote"))?;
    }
    Ok(())
}

fn more(out: &mut String, all: usize) -> std::fmt::Result {
    if all > SHOWN { writeln!(out, "- {} more in the JSON form", all - SHOWN) } else { Ok(()) }
}

/// The points of an entry: the first behind the dash, the others below it.
fn entry(out: &mut String, found: &[(&View, &Point)]) -> std::fmt::Result {
    for (at, (view, point)) in found.iter().enumerate() {
        let indent = if at == 0 { "- " } else { "    - " };
        writeln!(out, "{indent}{}", point_line(view, point))?;
    }
    Ok(())
}

fn consensus(out: &mut String, perspectives: &Perspectives) -> std::fmt::Result {
    if perspectives.consensus.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### Where lenses agree ({})\n", perspectives.consensus.len())?;
    for one in perspectives.consensus.iter().take(SHOWN) {
        let found: Vec<(&View, &Point)> =
            one.points.iter().filter_map(|id| perspectives.point(id)).collect();
        entry(out, &found)?;
        let by = match one.by {
            Agreement::SameEvidence => "they take the same quote the same way",
            Agreement::SameStatement => {
                "the model reads them as one statement; they share no quote"
            }
            Agreement::Both => "the model reads them as one statement, and they share a quote",
        };
        writeln!(out, "    - {} of {} lenses: {by}", one.lenses.len(), perspectives.views.len())?;
        quotes(out, &found.iter().map(|(_, point)| *point).collect::<Vec<_>>())?;
    }
    more(out, perspectives.consensus.len())
}

fn tensions(out: &mut String, perspectives: &Perspectives) -> std::fmt::Result {
    if perspectives.tensions.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### Where they pull apart ({})\n", perspectives.tensions.len())?;
    for one in perspectives.tensions.iter().take(SHOWN) {
        let found: Vec<(&View, &Point)> =
            one.points.iter().filter_map(|id| perspectives.point(id)).collect();
        entry(out, &found)?;
        let about = if one.facts.is_empty() {
            "they rest on different quotes about one matter of the answer"
        } else {
            "they rest on the same quote and stand to the answer in different ways"
        };
        match &one.why {
            Some(why) => writeln!(out, "    - {about}; in the model's words: {}", plain(why))?,
            None => writeln!(out, "    - {about}")?,
        }
        quotes(out, &found.iter().map(|(_, point)| *point).collect::<Vec<_>>())?;
    }
    more(out, perspectives.tensions.len())
}

fn unique(out: &mut String, perspectives: &Perspectives) -> std::fmt::Result {
    if perspectives.unique.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### What only one lens says ({})\n", perspectives.unique.len())?;
    for (view, point) in
        perspectives.unique.iter().take(SHOWN).filter_map(|id| perspectives.point(id))
    {
        writeln!(out, "- {}", point_line(view, point))?;
        quotes(out, &[point])?;
    }
    more(out, perspectives.unique.len())
}
