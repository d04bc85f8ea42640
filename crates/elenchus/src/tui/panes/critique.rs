//! What speaks against the answer, and what was done about it.

use super::super::paint::{Page, Tone, bar, span};
use super::claims;
use crate::ui::progress::counted;
use elenchus_core::id::ClaimId;
use elenchus_core::prompt::Severity;
use elenchus_core::scrutiny::challenge::Answered;
use elenchus_core::scrutiny::critique::{Critique, Finding, FindingKind, FoundBy};
use elenchus_core::scrutiny::revision::{Fate, Revision, Version};
use elenchus_core::trace::{Projection, RevisionShown};
use ratatui::text::Line;

/// A row of the page.
pub(super) enum Entry<'a> {
    Whole(&'a Critique),
    Finding(&'a Finding),
    /// A step that the user challenged.
    Challenge(&'a Answered),
    /// What was done about it.
    Revision(&'a Revision),
    /// The same while the answer is not there yet.
    Weighed(&'a RevisionShown),
}

/// Warnings of fallacies stand before other findings, as on the web pages.
pub(super) fn entries(run: &Projection) -> Vec<Entry<'_>> {
    let mut all = Vec::new();
    if let Some(critique) = run.critique.as_deref() {
        all.push(Entry::Whole(critique));
        let is_fallacy = |one: &&Finding| one.kind == FindingKind::Fallacy;
        all.extend(critique.findings.iter().filter(is_fallacy).map(Entry::Finding));
        all.extend(critique.findings.iter().filter(|one| !is_fallacy(one)).map(Entry::Finding));
        all.extend(critique.challenges.iter().map(Entry::Challenge));
    }
    match run.answer.as_ref().and_then(|answer| answer.revision.as_deref()) {
        Some(revision) => all.push(Entry::Revision(revision)),
        None => all.extend(run.revision.as_ref().map(Entry::Weighed)),
    }
    all
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Critical => Tone::Bad,
        Severity::Important => Tone::Warn,
        Severity::Minor => Tone::Plain,
    }
}

/// Which answer is given.
fn outcome(kept: bool) -> &'static str {
    if kept { "the revised answer is given" } else { "the original answer stands" }
}

pub(super) fn row(entry: &Entry<'_>, width: usize) -> Line<'static> {
    let (left, said) = match entry {
        Entry::Whole(critique) => {
            let mut left = vec![span(Tone::Title, "Critique ")];
            if let (Some(quality), Some(grade)) = (critique.quality, critique.grade) {
                let share = f64::from(quality) / 100.0;
                left.push(span(Tone::of(share), format!("{} ", bar(share, 5))));
                left.push(span(Tone::Strong, format!("{} ", grade.name())));
                left.push(span(Tone::Plain, format!("{quality} of 100 ")));
            } else if let Some(quality) = critique.quality.filter(|_| critique.is_measured()) {
                left.push(span(Tone::Plain, format!("{quality} of 100 ")));
            }
            (left, counted(critique.findings.len(), "finding"))
        }
        Entry::Finding(one) => {
            let sign = if one.kind == FindingKind::Fallacy { '\u{26A0}' } else { '\u{2022}' };
            let mut left = vec![
                span(tone(one.severity), format!("{sign} ")),
                span(Tone::Strong, format!("{:<3} ", one.id)),
            ];
            if width >= 60 {
                left.push(span(Tone::Dim, format!("{} ", one.kind.name())));
                left.push(span(tone(one.severity), format!("{} ", one.severity.name())));
            }
            (left, one.text.clone())
        }
        Entry::Challenge(answered) => {
            let left = vec![
                span(Tone::Warn, "? "),
                span(Tone::Strong, format!("step {} ", answered.challenge.event_id)),
                span(Tone::Dim, format!("{} ", answered.ruling.name())),
            ];
            (left, answered.challenge.text.clone())
        }
        Entry::Revision(revision) => {
            (vec![span(Tone::Title, "Revision ")], outcome(revision.kept).to_owned())
        }
        Entry::Weighed(revision) => {
            (vec![span(Tone::Title, "Revision ")], outcome(revision.kept).to_owned())
        }
    };
    super::between(left, (Tone::Plain, &said), "", width)
}

pub(super) fn details(run: &Projection, entry: &Entry<'_>, page: &mut Page) {
    match entry {
        Entry::Whole(critique) => whole(critique, page),
        Entry::Finding(one) => finding(run, one, page),
        Entry::Challenge(answered) => {
            let step = answered.challenge.event_id;
            page.text(Tone::Title, &format!("step {step}: {}", answered.challenge.text));
            page.field("it is", answered.ruling.name());
            page.field("the step", answered.challenge.step.as_deref().unwrap_or_default());
            page.field("reply", answered.reply.as_deref().unwrap_or_default());
        }
        Entry::Revision(revision) => revised(revision, page),
        Entry::Weighed(one) => {
            page.text(Tone::Title, outcome(one.kept));
            page.text(Tone::Plain, &one.explanation);
            page.field("patches", &format!("{} applied, {} not", one.applied, one.dropped));
        }
    }
}

fn whole(critique: &Critique, page: &mut Page) {
    if let (Some(quality), Some(grade)) = (critique.quality, critique.grade) {
        let share = f64::from(quality) / 100.0;
        page.line(vec![
            span(Tone::of(share), bar(share, 20)),
            span(Tone::Strong, format!(" {}, {quality} of 100", grade.name())),
        ]);
        page.text(Tone::Dim, "how much was found against it, not how true it is");
    } else if let Some(quality) = critique.quality.filter(|_| critique.is_measured()) {
        let share = f64::from(quality) / 100.0;
        page.line(vec![
            span(Tone::of(share), bar(share, 20)),
            span(Tone::Strong, format!(" {quality} of 100")),
        ]);
        page.text(Tone::Dim, "how much was measured against it, not how true it is");
    }
    if critique.is_only_of_challenges() {
        page.text(
            Tone::Plain,
            "Nobody was asked what speaks against this answer. Steps of it were challenged, and the program answered that; nothing is graded.",
        );
    } else {
        match &critique.critic {
            Some(model) => page.field("asked", &format!("{model}, and the program itself")),
            None => page.field("asked", "no model; the program itself looked"),
        }
        if critique.findings.is_empty() {
            page.text(Tone::Plain, "Nothing was found against it.");
        }
    }
    if !critique.bias.is_empty() {
        page.head("which side the cited evidence is on");
        for (side, share) in &critique.bias {
            page.item(&format!("{side}: {share:.2}"));
        }
    }
    page.field("it leans", critique.leans.as_deref().unwrap_or_default());
    if !critique.alternatives.is_empty() {
        page.head("other readings");
        for one in &critique.alternatives {
            page.item(one);
        }
    }
    if let Some(tree) = &critique.explained {
        page.head("why this number");
        claims::why(tree, 0, page);
    }
}

fn finding(run: &Projection, one: &Finding, page: &mut Page) {
    page.text(Tone::Title, &format!("{}: {}", one.id, one.kind.name()));
    page.field("it is", one.severity.name());
    page.field(
        "found by",
        match one.by {
            FoundBy::Code => "the program",
            FoundBy::Model => "a model, in its words",
        },
    );
    page.text(tone(one.severity), &one.text);
    if let Some(words) = &one.words {
        page.field("words", &format!("\u{201C}{words}\u{201D}"));
    }
    if let Some(claim) = &one.claim_id {
        let now = run.answer.as_ref().map(|answer| answer.pointed_at(one));
        let about = match now {
            None => claim.to_string(),
            Some(None) => format!("{claim} of the original, which the revision left out"),
            Some(Some(now)) if now == claim => now.to_string(),
            Some(Some(now)) => format!("{now} ({claim} of the original)"),
        };
        page.field("about", &about);
        let text = now.flatten().and_then(|now| {
            let answer = run.answer.as_ref()?;
            answer.claims.iter().find(|claim| claim.id == *now)
        });
        if let Some(claim) = text {
            page.text(Tone::Dim, &claim.text);
        }
    }
    if let Some(measured) = &one.measured {
        let more: Vec<&str> = measured.claims.iter().map(ClaimId::as_str).collect();
        page.field("and about", &more.join(", "));
        page.field("measured", &measured.datum);
        page.field("you can", &measured.next_step);
    }
    page.field("would be searched", &one.queries.join(" | "));
}

fn revised(revision: &Revision, page: &mut Page) {
    page.text(Tone::Title, outcome(revision.kept));
    page.text(Tone::Plain, &revision.explanation);
    page.head("what became of each statement");
    for change in &revision.changes {
        let (sign, tone) = match change.fate {
            Fate::Kept => ("= ", Tone::Plain),
            Fate::Moved => ("\u{21C5} ", Tone::Plain),
            Fate::Dropped => ("\u{2212} ", Tone::Bad),
            Fate::Added => ("+ ", Tone::Good),
        };
        let ids: Vec<&str> =
            [&change.before, &change.after].into_iter().flatten().map(ClaimId::as_str).collect();
        let named = ids.join(" \u{2192} ");
        page.hung(
            tone,
            sign,
            Tone::Plain,
            &format!("{} {named}: {}", change.fate.name(), change.text),
        );
    }
    let tried = revision.patches.len();
    if tried > 0 {
        let applied = revision.patches.iter().filter(|one| one.dropped.is_none()).count();
        page.field("patches", &format!("{applied} applied, {} not", tried - applied));
        for one in &revision.patches {
            if let Some(why) = &one.dropped {
                page.item(&format!("for finding {}, not applied: {why}", one.patch.finding));
            }
        }
    }
    for (name, version) in [("original", &revision.original), ("revised", &revision.revised)] {
        self::version(name, version, page);
    }
}

fn version(name: &str, version: &Version, page: &mut Page) {
    page.head(name);
    let mut figures = Vec::new();
    figures.extend(version.quality.map(|quality| format!("quality {quality} of 100")));
    figures.extend(version.confidence.map(|confidence| format!("confidence {confidence:.2}")));
    if !figures.is_empty() {
        page.text(Tone::Dim, &figures.join(", "));
    }
    page.text(Tone::Plain, &version.conclusion);
}
