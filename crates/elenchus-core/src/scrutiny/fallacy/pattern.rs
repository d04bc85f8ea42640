//! The patterns of the catalog, compiled once, and what speaks against a match.

use super::Point;
use super::catalog::{CATALOG, Form};
use super::form::{self, Hit};
use super::reading::Paragraph;
use regex::bytes::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A match of a pattern or of a check of form.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// Index in [`CATALOG`].
    pub(super) fallacy: usize,
    /// The lowest point at which it counts.
    pub(super) point: Point,
    /// Bytes of the paragraph's plain text.
    pub(super) range: Range<usize>,
    /// The words for the question, if the pattern names some.
    pub(super) words: Option<Range<usize>>,
    /// Whether form, and not wording, gave it away.
    pub(super) form: bool,
    /// Whether agreement with the model can raise it to the strict point.
    pub(super) raises: bool,
}

struct Compiled {
    fallacy: usize,
    point: Point,
    raises: bool,
    regex: Regex,
}

static RULES: LazyLock<Vec<Compiled>> = LazyLock::new(|| {
    let mut compiled = Vec::new();
    for (fallacy, entry) in CATALOG.iter().enumerate() {
        for rule in entry.rules {
            // Plain texts are ASCII: without Unicode classes a bounded gap is one state a character.
            let pattern = format!("(?-u){}", rule.pattern.replace('~', "[^.!?\\n]"));
            let regex = Regex::new(&pattern).expect("a fixed pattern, compiled by every test");
            compiled.push(Compiled { fallacy, point: rule.point, raises: rule.raises, regex });
        }
    }
    compiled
});

/// Somebody speaks about such arguments, or draws back from the conclusion.
static GUARD: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?-u)\bfallac(?:y|ies|ious)\b|\b(?:does not|doesn't|do not|don't|would not|wouldn't|need not) (?:by itself |alone |necessarily |automatically |thereby )?(?:follow|mean that|imply|entail|make (?:it|them|him|her) (?:right|true|wrong|safe|good|bad))\b|\b(?:does not|doesn't) (?:\w+ )?(?:mean|prove|show|establish)\b|\b(?:that|this|it|which|popularity|age|nature) (?:is|was|'s) (?:no|not|hardly|never) (?:an? |in itself |by itself |yet )*(?:argument|proof|evidence|reason|sign|guarantee)\b|\bproves? nothing\b|\b(?:wrong|mistaken|a mistake|rash|unfair|too early|absurd|hasty|invalid) to (?:say|conclude|infer|argue|think|assume|claim)\b|\bnon sequitur\b|\bad hominem\b|\bstraw ?man\b|\b(?:cannot|can't|should not|shouldn't|must not|may not|do not|don't|nobody should) (?:simply |therefore |thereby )?(?:conclude|infer|generali[sz]e)\b|\b(?:not|never) (?:simply |merely |just )?because\b|\bno (?:reason|grounds) to (?:conclude|think|believe|infer)\b|\bbad argument\b|\bunsound\b|\bmyth that\b";
    Regex::new(pattern).expect("a fixed pattern, compiled by every test")
});

static REPORTS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?-u)\b(?:said|says|wrote|writes|asked|asks|replied|replies|shouted|reads|read|argued|argues|claimed|claims|quoted|quotes|called|calls|titled|entitled|slogan|poster|headline|example|for instance|such as|phrase|sentence)\b";
    Regex::new(pattern).expect("a fixed pattern, compiled by every test")
});

/// Matches of every pattern and check up to `point`.
pub(super) fn matches(paragraph: &Paragraph, point: Point) -> Vec<Match> {
    let plain = paragraph.plain.as_bytes();
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.point <= point) {
        for capture in rule.regex.captures_iter(plain) {
            let Some(whole) = capture.get(0) else { continue };
            let range = trimmed(plain, whole.range());
            let words =
                capture.name("x").map(|x| trimmed(plain, x.range())).filter(|x| !x.is_empty());
            found.push(Match {
                fallacy: rule.fallacy,
                point: rule.point,
                range,
                words,
                form: false,
                raises: rule.raises,
            });
        }
    }
    found.extend(form::check(paragraph).into_iter().filter_map(named));
    found.retain_mut(|found| {
        if found.range.is_empty() {
            return false;
        }
        let around = paragraph.around(&found.range);
        // "So that" names a purpose and draws no conclusion.
        let purpose = found.range.clone().any(|at| {
            plain[at..].starts_with(b" so that ") && !plain[at..].starts_with(b" so that is ")
        });
        if purpose || GUARD.is_match(&plain[around.clone()]) {
            return false;
        }
        if quoted(&paragraph.plain[..found.range.start], &plain[around]) {
            found.point = Point::Sensitive;
            found.raises = false;
        }
        found.point <= point
    });
    found
}

/// The catalog entry of a check's hit.
fn named(hit: Hit) -> Option<Match> {
    let has = |form: Form| CATALOG.iter().position(|fallacy| fallacy.forms.contains(&form));
    Some(Match {
        fallacy: has(hit.form)?,
        point: Point::Strict,
        range: hit.range,
        words: Some(hit.words),
        form: true,
        raises: false,
    })
}

/// Whether a match stands inside quotation marks in a sentence that reports or mentions.
fn quoted(before: &str, around: &[u8]) -> bool {
    before.matches('"').count() % 2 == 1 && REPORTS.is_match(around)
}

fn trimmed(plain: &[u8], mut range: Range<usize>) -> Range<usize> {
    let idle = |b: u8| !b.is_ascii_alphanumeric() && !matches!(b, b'"' | b'%' | b'$' | b'(' | b')');
    while range.start < range.end && idle(plain[range.start]) {
        range.start += 1;
    }
    while range.start < range.end
        && idle(plain[range.end - 1])
        && !matches!(plain[range.end - 1], b'?' | b'!')
    {
        range.end -= 1;
    }
    range
}
