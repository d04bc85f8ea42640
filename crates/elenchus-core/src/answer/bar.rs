//! An answer as it is shown to somebody who asked for a least confidence: what does not reach it is no part of the answer, and
//! stands in a part of its own.

use super::types::{Answer, Section};
use crate::evidence::Span;
use crate::id::ClaimId;
use std::collections::BTreeSet;

/// The heading of that part.
const HEADING: &str = "Below your bar";

/// An answer that was held to a least confidence.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldTo {
    /// The answer as it is shown. Its claims are the same, and stand elsewhere in its text.
    pub answer: Answer,
    /// What does not reach the bar, in the order of the claims.
    pub below: Vec<ClaimId>,
    /// Whether anything that answers does.
    pub is_reached: bool,
}

/// A line of the text.
struct Line<'a> {
    text: &'a str,
    /// Characters before it.
    start: usize,
    /// How far it is set in; what is set in further, up to the next line that is not, belongs to it.
    depth: usize,
    /// Positions of the claims that stand in it.
    claims: Vec<usize>,
}

impl Line<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_heading(&self) -> bool {
        self.text.starts_with('#')
    }
}

/// A text that is put together anew out of lines, and where claims stand in it.
struct Writing {
    text: String,
    length: usize,
    spans: Vec<Option<Span>>,
}

impl Writing {
    fn write(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.length += piece.chars().count();
    }

    fn line(&mut self, line: &Line<'_>, answer: &Answer) {
        // What stood around a line that went leaves no gap.
        if line.is_blank() && (self.text.is_empty() || self.text.ends_with("\n\n")) {
            return;
        }
        for at in &line.claims {
            if let (Some(claim), Some(span)) = (answer.claims.get(*at), self.spans.get_mut(*at)) {
                let start = self.length + claim.source_span.start - line.start;
                let length = claim.source_span.end - claim.source_span.start;
                *span = Some(Span { start, end: start + length });
            }
        }
        self.write(line.text);
        self.write("\n");
    }
}

impl Answer {
    /// The answer held to a least confidence. Only what counts for the overall figure is judged; what has no figure, because it
    /// was not checked, reaches none.
    pub fn held_to(&self, bar: f64) -> HeldTo {
        let counted = self.counted_claims();
        let mut low: BTreeSet<usize> =
            counted.iter().copied().filter(|at| self.is_below(*at, bar)).collect();
        let is_reached = low.len() < counted.len();
        // "Superseded by 900" states what is below the bar: it goes along.
        let place = |id: &ClaimId| self.claims.iter().position(|claim| claim.id == *id);
        let along: Vec<usize> = self
            .superseded
            .iter()
            .filter(|one| one.by.as_ref().and_then(place).is_some_and(|at| low.contains(&at)))
            .filter_map(|one| place(&one.claim))
            .collect();
        low.extend(along);
        let lines = self.lines();
        let goes = going(&lines, &low);
        let below: Vec<usize> = lines
            .iter()
            .zip(&goes)
            .filter(|(_, goes)| **goes)
            .flat_map(|(line, _)| line.claims.iter().copied())
            .collect();
        let below: BTreeSet<usize> = below.into_iter().collect();
        let ids = |at: &usize| self.claims.get(*at).map(|claim| claim.id.clone());
        let below: Vec<ClaimId> = below.iter().filter_map(ids).collect();
        let answer = if below.is_empty() { None } else { self.parted(bar, &lines, &goes, &below) };
        match answer {
            Some(answer) => HeldTo { answer, below, is_reached },
            None => HeldTo { answer: self.clone(), below: Vec::new(), is_reached },
        }
    }

    fn is_below(&self, at: usize, bar: f64) -> bool {
        let Some(claim) = self.claims.get(at) else { return false };
        let figure = self.figures_of(claim).and_then(|one| one.confidence);
        figure.is_none_or(|figure| figure < bar)
    }

    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = Vec::new();
        let mut start = 0;
        for text in self.text.split('\n') {
            let end = start + text.chars().count();
            let claims = self.claims.iter().enumerate().filter(|(_, claim)| {
                start <= claim.source_span.start && claim.source_span.end <= end
            });
            let claims = claims.map(|(at, _)| at).collect();
            lines.push(Line { text, start, depth: depth(text), claims });
            start = end + 1;
        }
        lines
    }

    /// The same answer with the lines that go in their own part; `None` where a claim would be lost, which stands in one line each.
    fn parted(
        &self,
        bar: f64,
        lines: &[Line<'_>],
        goes: &[bool],
        below: &[ClaimId],
    ) -> Option<Answer> {
        let short = self.conclusion.chars().count();
        let mut out =
            Writing { text: String::new(), length: 0, spans: vec![None; self.claims.len()] };
        let stays = || lines.iter().zip(goes).filter(|(_, goes)| !**goes).map(|(line, _)| line);
        for line in stays().filter(|line| line.start < short) {
            out.line(line, self);
        }
        let mut conclusion = out.text.trim().to_owned();
        if conclusion.is_empty() {
            conclusion = format!(
                "Nothing that was found reaches the confidence of {bar:.2} that was asked for; see \u{201C}{HEADING}\u{201D}."
            );
            out.write(&format!("{conclusion}\n"));
        }
        for line in stays().filter(|line| line.start >= short) {
            out.line(line, self);
        }
        if !out.text.ends_with("\n\n") {
            out.write("\n");
        }
        out.write(&format!(
            "## {HEADING}\n\nThis was found, and its figure does not reach {bar:.2}: it is not the answer.\n\n"
        ));
        let moved = lines.iter().zip(goes).filter(|(line, goes)| **goes && !line.is_heading());
        for (line, _) in moved {
            if !line.text.trim_start().starts_with("- ") {
                out.write("- ");
            }
            out.line(line, self);
        }
        let mut answer = self.clone();
        for (claim, span) in answer.claims.iter_mut().zip(&out.spans) {
            claim.source_span = (*span)?;
        }
        for section in &mut answer.sections {
            section.claims.retain(|claim| !below.contains(claim));
        }
        answer.sections.retain(|section| !section.claims.is_empty());
        answer.sections.push(Section { heading: HEADING.to_owned(), claims: below.to_vec() });
        answer.conclusion = conclusion;
        answer.text = out.text;
        Some(answer)
    }
}

/// Which lines go: those all of whose claims are below the bar, and those that only lead up to such lines.
fn going(lines: &[Line<'_>], low: &BTreeSet<usize>) -> Vec<bool> {
    let own = |line: &Line<'_>| {
        !line.claims.is_empty() && line.claims.iter().all(|claim| low.contains(claim))
    };
    let leads = |at: usize, line: &Line<'_>| {
        let under = lines.iter().skip(at + 1);
        let mut under = under
            .take_while(|other| other.is_blank() || other.depth > line.depth)
            .filter(|other| !other.claims.is_empty())
            .peekable();
        under.peek().is_some() && under.all(own)
    };
    lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            own(line) || (line.claims.is_empty() && !line.is_blank() && leads(at, line))
        })
        .collect()
}

/// A heading stands over everything, a plain line over the list behind it, an item over what is set in further.
fn depth(text: &str) -> usize {
    if text.starts_with('#') {
        return 0;
    }
    let bare = text.trim_start_matches(' ');
    1 + (text.len() - bare.len()) / 2 + usize::from(bare.starts_with("- "))
}

#[cfg(test)]
mod tests {
    use super::super::to_markdown;
    use super::*;
    use crate::evidence::char_slice;
    use crate::inquiry::Options;
    use crate::testkit::{World, drive};

    fn answer(text: &str) -> Answer {
        let world = World::new("harbor").judged().document("tides.md", text);
        let driven = drive(&world, "When was the lamp lit?", Options::default());
        driven.run.view().answer().expect("a run ends with an answer").clone()
    }

    fn figure(answer: &Answer, at: usize) -> f64 {
        answer
            .figures_of(&answer.claims[at])
            .and_then(|one| one.confidence)
            .expect("it was checked")
    }

    fn claims_stand(answer: &Answer) {
        for claim in &answer.claims {
            assert_eq!(char_slice(&answer.text, claim.source_span), Some(claim.text.as_str()));
        }
    }

    #[test]
    fn what_reaches_the_bar_stays_as_it_is() {
        let answer = answer("# Tides\n\nThe lamp was lit in 1931.");
        let held = answer.held_to(figure(&answer, 0));
        assert_eq!(held, HeldTo { answer, below: Vec::new(), is_reached: true });
    }

    #[test]
    fn what_does_not_is_no_part_of_the_answer() {
        let answer = answer("# Tides\n\nThe lamp was lit in 1931.");
        assert_eq!(answer.claims.len(), 1, "{:?}", answer.claims);
        let held = answer.held_to(figure(&answer, 0) + 0.001);
        assert!(!held.is_reached);
        assert_eq!(held.below, [answer.claims[0].id.clone()]);
        let shown = &held.answer;
        assert!(shown.conclusion.starts_with("Nothing that was found reaches"), "{shown:?}");
        assert!(shown.text.starts_with(&shown.conclusion));
        assert!(!shown.is_in_short_answer(&shown.claims[0]));
        claims_stand(shown);
        let report = to_markdown(shown);
        let (above, part) = report.split_once("\n## Below your bar\n").expect("it has the part");
        assert!(!above.contains("lit in 1931") && part.contains("lit in 1931"), "{report}");
        let section = shown.sections.last().expect("it has a section");
        assert_eq!((section.heading.as_str(), &section.claims), (HEADING, &held.below));
    }

    #[test]
    fn of_two_sides_the_weaker_one_goes() {
        let mut answer =
            answer("# Tides\n\nThe lamp was lit in 1931.\n\nThe lamp was lit in 1950.");
        let counted = answer.counted_claims();
        assert!(counted.len() > 1, "{:?}", answer.claims);
        let last = counted[counted.len() - 1];
        let id = answer.claims[last].id.clone();
        let result = answer.confidence.as_mut().expect("it was checked");
        for one in &mut result.claim_confidences {
            one.confidence = Some(if one.claim_id == id { 0.2 } else { 0.8 });
        }
        let held = answer.held_to(0.5);
        assert_eq!((held.is_reached, &held.below), (true, &vec![id.clone()]));
        claims_stand(&held.answer);
        let claim = &held.answer.claims[last];
        assert!(!held.answer.is_in_short_answer(claim), "{}", held.answer.text);
        assert!(held.answer.is_in_short_answer(&held.answer.claims[counted[0]]));
        // Nothing that was said is lost, and what led up to both sides goes with the last of them.
        let none = answer.held_to(0.9).answer;
        claims_stand(&none);
        let (above, _) = none.text.split_once("## Below your bar").expect("it has the part");
        assert!(!above.contains("The sources disagree"), "{above}");
    }

    #[test]
    fn what_was_not_checked_reaches_no_bar() {
        let mut answer = answer("# Tides\n\nThe lamp was lit in 1931.");
        answer.confidence = None;
        let held = answer.held_to(0.0);
        assert!(!held.is_reached && held.below.len() == 1, "{held:?}");
    }
}
