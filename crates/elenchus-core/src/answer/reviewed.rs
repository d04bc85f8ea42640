//! The sections of a report about its critique and its revision.

use super::display::display_quote;
use super::types::Answer;
use crate::id::ClaimId;
use crate::prompt::{FactRole, Severity};
use crate::scrutiny::challenge::Answered;
use crate::scrutiny::critique::{Critique, Finding, FoundBy};
use crate::scrutiny::revision::{Fate, Revision};
use std::fmt::Write;

/// Findings shown.
const FINDINGS: usize = 8;
/// Changes and patches shown.
const CHANGES: usize = 12;

impl Answer {
    /// The claim of this answer that a finding points at. Findings name claims of the answer that was criticised: in a revised
    /// one such a claim may have another id, or be gone.
    pub fn pointed_at<'a>(&'a self, finding: &'a Finding) -> Option<&'a ClaimId> {
        let named = finding.claim_id.as_ref()?;
        match self.revision.as_deref().filter(|revision| revision.kept) {
            None => Some(named),
            Some(revision) => {
                let mut changes = revision.changes.iter();
                changes.find(|change| change.before.as_ref() == Some(named))?.after.as_ref()
            }
        }
    }

    /// What was found against a claim of this answer.
    pub fn findings_about<'a>(&'a self, claim: &'a ClaimId) -> impl Iterator<Item = &'a Finding> {
        let findings = self.critique.iter().flat_map(|critique| &critique.findings);
        findings.filter(move |finding| {
            let named = finding.measured.as_ref().map_or(&[][..], |measured| &measured.claims);
            self.pointed_at(finding) == Some(claim) || named.contains(claim)
        })
    }
}

/// Both sections, from the first heading on; empty where nobody looked.
pub(super) fn sections(answer: &Answer) -> String {
    let mut out = String::new();
    if let Some(critique) = &answer.critique {
        let written = if critique.is_measured() {
            measured(&mut out, answer, critique)
        } else {
            criticised(&mut out, answer, critique)
        };
        written.expect("writing to a String cannot fail");
    }
    if let Some(revision) = &answer.revision {
        revised(&mut out, revision).expect("writing to a String cannot fail");
    }
    out
}

/// Whether a model's words stand in these sections.
pub(super) fn has_models_words(answer: &Answer) -> bool {
    answer.critique.as_ref().is_some_and(|critique| {
        critique.leans.is_some()
            || !critique.alternatives.is_empty()
            || critique.findings.iter().any(|finding| finding.by == FoundBy::Model)
            || critique.challenges.iter().any(|one| one.reply.is_some())
    })
}

/// Whether the program's own words stand in these sections: what it measured against an answer that no model criticised.
pub(super) fn tells_measured(answer: &Answer) -> bool {
    let critique = answer.critique.as_ref().filter(|critique| critique.is_measured());
    critique.is_some_and(|critique| critique.findings.iter().any(Finding::matters))
}

fn plain(text: &str) -> String {
    display_quote(text, &[])
}

/// Whether any claim answers something; what is only told beside a gap is none.
fn states_something(answer: &Answer) -> bool {
    answer.claims.iter().any(|one| matches!(one.role, FactRole::Answer | FactRole::Conflict))
}

fn criticised(out: &mut String, answer: &Answer, critique: &Critique) -> std::fmt::Result {
    // Challenges are answered also where no critique was asked for.
    let only_challenged = critique.is_only_of_challenges();
    let heading = if only_challenged { "What you challenged" } else { "What a critic found" };
    writeln!(out, "## {heading}\n")?;
    let who = match &critique.critic {
        Some(model) => format!(
            "Looked at by the program and by {}, whose words are marked as the critic's.",
            plain(model)
        ),
        None => "Looked at by the program alone: no model was asked, or none answered.".to_owned(),
    };
    match (critique.quality, critique.grade) {
        (Some(quality), Some(grade)) => writeln!(
            out,
            "Grade {} ({quality} of 100){}, computed from the findings. {who}",
            grade.name(),
            if answer.revision.as_ref().is_some_and(|revision| revision.kept) {
                " for the answer before its revision"
            } else {
                ""
            }
        )?,
        (Some(_), None) => writeln!(out, "No grade: that nobody objected is no merit. {who}")?,
        _ if only_challenged && states_something(answer) => {
            writeln!(out, "No grade: nobody was asked what speaks against the answer. {who}")?;
        }
        _ => writeln!(out, "No grade: the answer states nothing. {who}")?,
    }
    writeln!(out)?;
    if critique.findings.is_empty() && !only_challenged {
        writeln!(out, "- Nothing was found against it.")?;
    }
    // The worst first; of equals those of code, which come first already.
    let mut findings: Vec<&Finding> = critique.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in findings.iter().take(FINDINGS) {
        writeln!(out, "- {}", told(finding, answer))?;
    }
    if findings.len() > FINDINGS {
        writeln!(out, "- {} more in the JSON form", findings.len() - FINDINGS)?;
    }
    if !critique.alternatives.is_empty() {
        let all: Vec<String> = critique.alternatives.iter().map(|text| plain(text)).collect();
        writeln!(out, "- Left open, says the critic: {}", all.join(" "))?;
    }
    if !critique.bias.is_empty() {
        let sides: Vec<String> =
            critique.bias.iter().map(|(side, share)| format!("{side} {share:.2}")).collect();
        writeln!(
            out,
            "- Share of the cited evidence that speaks for each side, by independent source: {}.",
            sides.join(", ")
        )?;
    }
    if let Some(leans) = &critique.leans {
        writeln!(out, "- Which way it leans, says the critic: {}", plain(leans))?;
    }
    for one in &critique.challenges {
        challenged(out, one)?;
    }
    Ok(())
}

/// What the run measured against its answer: what matters, and nothing at all where that is nothing.
fn measured(out: &mut String, answer: &Answer, critique: &Critique) -> std::fmt::Result {
    let mut weighty: Vec<&Finding> = critique.findings.iter().filter(|one| one.matters()).collect();
    weighty.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    if weighty.is_empty() && critique.challenges.is_empty() {
        return Ok(());
    }
    if weighty.is_empty() {
        writeln!(out, "## What you challenged\n")?;
    } else {
        writeln!(out, "## What speaks against this answer\n")?;
        let score =
            critique.quality.map(|quality| format!("Score {quality} of 100, computed from"));
        writeln!(
            out,
            "{} what the run measured. No language model was asked, and no confidence rests on it.\n",
            score.as_deref().unwrap_or("By")
        )?;
    }
    for finding in weighty.iter().take(FINDINGS) {
        write!(out, "- {}", told(finding, answer))?;
        if let Some(measured) = &finding.measured {
            write!(out, " ({}). {}", plain(&measured.datum), plain(&measured.next_step))?;
        }
        writeln!(out)?;
    }
    let others = critique.findings.len() - weighty.len().min(FINDINGS);
    if others > 0 && !weighty.is_empty() {
        writeln!(out, "- {others} more in the JSON form")?;
    }
    for one in &critique.challenges {
        challenged(out, one)?;
    }
    Ok(())
}

/// One finding in a line.
fn told(finding: &Finding, answer: &Answer) -> String {
    let severity = match finding.severity {
        Severity::Critical => "critical",
        Severity::Important => "important",
        Severity::Minor => "minor",
    };
    let mut line = format!("{} ({severity}, {})", finding.id, finding.kind.name());
    // Claim ids of the answer that is given; after a revision they are those of the original.
    let words = finding.words.clone().or_else(|| {
        let id = finding.claim_id.as_ref()?;
        let claims = match &answer.revision {
            Some(revision) => &revision.original.claims,
            None => &answer.claims,
        };
        claims.iter().find(|claim| claim.id == *id).map(|claim| claim.text.clone())
    });
    if let Some(words) = words {
        let short: String = words.chars().take(120).collect();
        let more = if short.len() < words.len() { "\u{2026}" } else { "" };
        let _ = write!(line, " on \u{201C}{}{more}\u{201D}", plain(&short));
    }
    let said = match finding.by {
        FoundBy::Code => "",
        FoundBy::Model => " the critic says:",
    };
    let _ = write!(line, ":{said} {}", plain(&finding.text));
    line
}

fn challenged(out: &mut String, one: &Answered) -> std::fmt::Result {
    let challenge = &one.challenge;
    let run = challenge.parent.as_ref().map(|id| format!(" of run {id}")).unwrap_or_default();
    let step = match &challenge.step {
        Some(step) => format!(" (\u{201C}{}\u{201D})", plain(step)),
        None => ", which is no step that can be challenged".to_owned(),
    };
    writeln!(
        out,
        "- You challenged step {}{run}{step}: \u{201C}{}\u{201D}",
        challenge.event_id,
        plain(&challenge.text)
    )?;
    match &one.reply {
        Some(reply) => writeln!(
            out,
            "    - The challenge is {}; the critic says: {}",
            one.ruling.name(),
            plain(reply)
        )?,
        None => writeln!(out, "    - Nobody judged it; read what the step was based on.")?,
    }
    for basis in &challenge.basis {
        writeln!(out, "    - Based on: {}", plain(basis))?;
    }
    Ok(())
}

fn revised(out: &mut String, revision: &Revision) -> std::fmt::Result {
    writeln!(out, "\n## What was revised\n\n{}\n", plain(&revision.explanation))?;
    let place = |place: &Option<String>| plain(place.as_deref().unwrap_or("nowhere"));
    let changed = revision.changes.iter().filter(|change| change.fate != Fate::Kept);
    for change in changed.take(CHANGES) {
        let what = match change.fate {
            Fate::Dropped => format!("dropped from {}", place(&change.from)),
            Fate::Moved => format!("moved from {} to {}", place(&change.from), place(&change.to)),
            Fate::Added => format!("added to {}", place(&change.to)),
            Fate::Kept => continue,
        };
        let verb = if revision.kept { "" } else { "would have been " };
        writeln!(out, "- {verb}{what}: \u{201C}{}\u{201D}", change.text)?;
    }
    for tried in &revision.patches {
        if let Some(why) = &tried.dropped {
            writeln!(
                out,
                "- not done: {} for {}: {}",
                plain(&tried.patch.op.told()),
                plain(&tried.patch.finding),
                plain(why)
            )?;
        }
    }
    Ok(())
}
