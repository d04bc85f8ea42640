//! The same evidence through several lenses: what to take from it, then each lens with its points.

use super::super::paint::{Page, Tone, bar, span};
use crate::ui::progress::counted;
use elenchus_core::id::PointId;
use elenchus_core::synthesis::perspectives::{Agreement, Perspectives, Point, View};
use elenchus_core::trace::{LensShown, Projection};
use ratatui::text::Line;

/// A row of the page.
pub(super) enum Entry<'a> {
    /// What the lenses have in common, and where they part.
    Synthesis(&'a Perspectives),
    View(&'a View),
    Point(&'a Perspectives, &'a View, &'a Point),
    /// A lens that was looked through while they are not compared yet.
    Lens(&'a LensShown),
}

pub(super) fn entries(run: &Projection) -> Vec<Entry<'_>> {
    let Some(seen) = run.answer.as_ref().and_then(|answer| answer.perspectives.as_ref()) else {
        return run.lenses.iter().map(Entry::Lens).collect();
    };
    let mut all = vec![Entry::Synthesis(seen)];
    for view in &seen.views {
        all.push(Entry::View(view));
        all.extend(view.points.iter().map(|point| Entry::Point(seen, view, point)));
    }
    all
}

/// Whether another lens pulls away from a point.
fn diverges(seen: &Perspectives, point: &Point) -> bool {
    seen.tensions.iter().any(|tension| tension.points.contains(&point.id))
}

fn counts(points: usize, share: f64) -> String {
    format!("{}, {:.0} in 100 of the quotes", counted(points, "point"), share * 100.0)
}

pub(super) fn row(entry: &Entry<'_>, width: usize) -> Line<'static> {
    let (left, said) = match entry {
        Entry::Synthesis(seen) => {
            let said = format!(
                "{}, {}, {} of one lens only",
                counted(seen.consensus.len(), "agreement"),
                counted(seen.tensions.len(), "tension"),
                seen.unique.len()
            );
            (vec![span(Tone::Title, "Synthesis ")], said)
        }
        Entry::View(view) => {
            let (tone, said) = match &view.failed {
                Some(error) => (Tone::Bad, format!("\u{2717} failed: {error}")),
                None => (Tone::Strong, counts(view.points.len(), view.evidence_share)),
            };
            (vec![span(tone, format!("{} ", view.name))], said)
        }
        Entry::Point(seen, _, point) => {
            let sign = if diverges(seen, point) { '\u{2260}' } else { ' ' };
            let mut left = vec![
                span(Tone::Warn, format!("  {sign} ")),
                span(Tone::Strong, format!("{:<3} ", point.id.as_str())),
            ];
            if width >= 60 {
                left.push(span(Tone::Dim, format!("{:<9} ", point.stance.name())));
            }
            (left, point.statement.clone())
        }
        Entry::Lens(lens) => {
            let (tone, said) = match &lens.failed {
                Some(error) => (Tone::Bad, format!("\u{2717} failed: {error}")),
                None => (Tone::Strong, counts(lens.points as usize, lens.evidence_share)),
            };
            (vec![span(tone, format!("{} ", lens.lens))], said)
        }
    };
    super::between(left, (Tone::Plain, &said), "", width)
}

pub(super) fn details(entry: &Entry<'_>, page: &mut Page) {
    match entry {
        Entry::Synthesis(seen) => synthesis(seen, page),
        Entry::View(view) => lens(view, page),
        Entry::Point(seen, view, point) => self::point(seen, view, point, page),
        Entry::Lens(lens) => {
            page.text(Tone::Title, &lens.lens);
            if let Some(error) = &lens.failed {
                page.text(Tone::Bad, &format!("It failed: {error}"));
            }
            page.field("points", &format!("{} kept, {} dropped", lens.points, lens.dropped));
            page.text(
                Tone::Dim,
                "What it sees stands here with the answer, once the lenses are compared.",
            );
        }
    }
}

/// A point with the lens that sees it.
fn refer(seen: &Perspectives, id: &PointId, page: &mut Page) {
    match seen.point(id) {
        Some((view, point)) => page.item(&format!("{id} {}: {}", view.name, point.statement)),
        None => page.item(id.as_str()),
    }
}

fn synthesis(seen: &Perspectives, page: &mut Page) {
    page.text(Tone::Title, "What to take from it");
    if seen.meta_analysis.is_empty() {
        page.text(Tone::Dim, "No sentence could be tied to the points it rests on.");
    }
    for sentence in &seen.meta_analysis {
        let ids: Vec<&str> = sentence.points.iter().map(PointId::as_str).collect();
        page.text(Tone::Plain, &format!("{} ({})", sentence.text, ids.join(", ")));
    }
    page.head("they agree");
    if seen.consensus.is_empty() {
        page.text(Tone::Dim, "In nothing.");
    }
    for group in &seen.consensus {
        let by = match group.by {
            Agreement::SameEvidence => "by the same quotes",
            Agreement::SameStatement => "by their words",
            Agreement::Both => "by quotes and words",
        };
        page.text(Tone::Good, &format!("{}, {by}", group.lenses.join(", ")));
        for id in &group.points {
            refer(seen, id, page);
        }
    }
    page.head("\u{2260} they pull apart");
    if seen.tensions.is_empty() {
        page.text(Tone::Dim, "In nothing.");
    }
    for tension in &seen.tensions {
        let why = tension.why.clone().unwrap_or_else(|| tension.lenses.join(", "));
        page.text(Tone::Warn, &why);
        for id in &tension.points {
            refer(seen, id, page);
        }
    }
    if !seen.unique.is_empty() {
        page.head("one lens alone sees");
        for id in &seen.unique {
            refer(seen, id, page);
        }
    }
    for undone in &seen.not_done {
        page.text(Tone::Dim, undone);
    }
}

fn lens(view: &View, page: &mut Page) {
    page.text(Tone::Title, &view.name);
    page.text(Tone::Dim, &view.stance);
    if let Some(error) = &view.failed {
        page.text(Tone::Bad, &format!("It failed: {error}"));
    }
    page.line(vec![
        span(Tone::Plain, bar(view.evidence_share, 20)),
        span(Tone::Plain, format!(" {:.0} in 100", view.evidence_share * 100.0)),
    ]);
    page.field(
        "rests on",
        &format!("{} of those that it was shown", counted(view.facts.len(), "quote")),
    );
    for point in &view.points {
        page.item(&format!("{} ({}) {}", point.id, point.stance.name(), point.statement));
    }
    if let Some(would) = &view.would_change {
        page.head("what would change its mind");
        page.text(Tone::Plain, would);
    }
}

fn point(seen: &Perspectives, view: &View, point: &Point, page: &mut Page) {
    page.text(Tone::Title, &format!("{}: {}", point.id, point.statement));
    page.field("seen through", &format!("{}, {} the answer", view.name, point.stance.name()));
    page.field("checked", point.mark().unwrap_or("neither borne out nor contradicted"));
    page.field("because", &point.reasoning);
    for quote in &point.quotes {
        page.head(&quote.location);
        page.text(Tone::Plain, &format!("\u{201C}{}\u{201D}", quote.quote));
    }
    let others = |points: &[PointId]| {
        let mut others = Vec::new();
        if points.contains(&point.id) {
            others.extend(points.iter().filter(|id| **id != point.id).cloned());
        }
        others
    };
    let agree: Vec<PointId> = seen.consensus.iter().flat_map(|one| others(&one.points)).collect();
    let part: Vec<PointId> = seen.tensions.iter().flat_map(|one| others(&one.points)).collect();
    for (name, found) in [("agrees with", agree), ("\u{2260} pulls apart from", part)] {
        if !found.is_empty() {
            page.head(name);
        }
        for id in &found {
            refer(seen, id, page);
        }
    }
}
