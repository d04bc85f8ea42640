//! By label: what a unit is called at its head tells that it answers. "SEV-1: the whole fleet stands still" defines SEV-1, "Corrective
//! action: more signs" says which corrective action followed, and "Escalate any request ..." what must be escalated.
//!
//! The label has to be what is asked for, word for word; whatever else the question names binds as ever.

use super::bind::{BOUND, Bound};
use super::question::{Class, Expects, Question, Term};
use super::unit::EvidenceUnit;
use super::values::ValueKind;
use elenchus_core::text::{is_stop_word, stem, words};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Frames of a question for what a thing is called so for; the thing is `t`.
static DEFINES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let article = r"(?:an? |the )?(?:term )?";
    [
        format!(r"^what (?:counts|count|qualifies|classifies) as {article}(?P<t>.+)$"),
        format!(r"^what (?:is|are) (?:meant by|classed as|classified as|considered|defined as|understood by) {article}(?P<t>.+)$"),
        format!(r"^what (?:does|do) {article}(?P<t>.+?) (?:mean|stand for|cover|denote)$"),
        format!(r"^(?:what (?:is|are) (?:the |our )?)?(?:definition|meaning|criteria) (?:of|for) {article}(?P<t>.+)$"),
        format!(r"^how (?:is|are) {article}(?P<t>.+?) defined$"),
        format!(r"^how do (?:we|you|they) define {article}(?P<t>.+)$"),
        format!(r"^define {article}(?P<t>.+)$"),
    ]
    .iter()
    .map(|frame| {
        Regex::new(&format!("(?i){frame}")).expect("the pattern is a constant that a test compiles")
    })
    .collect()
});

/// "What must be escalated?": the deed, as it is written in the question.
static DUTY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:what|which)\b.*? (?:must|should|shall|has to|have to|needs? to|(?:is|are) to) (?:always |never |first |also )?be (?P<v>\w+(?:ed|en|nt|pt|ght))\b")
        .expect("the pattern is a constant that a test compiles")
});

/// How firmly a name has to be said of a field.
const FIRMLY: f64 = 0.7;
/// Most words beside the value of a field: "Next review: in May 2026".
const WORDS_BESIDE: usize = 3;
/// Most words of a label.
const LABEL_WORDS: usize = 5;

/// Whether the head of a unit says that it answers; what it says by that counts as bound.
pub(super) fn told(question: &Question, unit: &EvidenceUnit<'_>, bounds: &mut [Bound]) -> bool {
    if question.expects != Expects::Person && field(question, unit, bounds).is_some() {
        return true;
    }
    if !matches!(question.expects, Expects::Any | Expects::Name | Expects::List) {
        return false;
    }
    let by_head = is_defined(question, unit) || is_done(question, unit);
    let by_label = !by_head && is_called_so(question, unit);
    if !(by_head || by_label) {
        return false;
    }
    // What is asked of the thing is said by the form: the words of the frame, and of the deed that led to it.
    let says = |term: &Term| {
        !term.hard && (term.class == Class::Verb || is_frame(&term.word) || is_kind(&term.word))
    };
    let all = question.terms.iter().zip(bounds.iter());
    let bound =
        all.into_iter().all(|(term, bound)| term.light || says(term) || bound.strength >= BOUND);
    if bound {
        for (term, bound) in question.terms.iter().zip(bounds.iter_mut()) {
            if says(term) {
                bound.strength = 1.0;
            }
        }
    }
    bound
}

/// The person of such a field: "Author: Dr Petra Lyle."
pub(super) fn who(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    bounds: &[Bound],
) -> Option<Range<usize>> {
    field(question, unit, bounds).filter(|_| question.expects == Expects::Person)
}

/// "Next review: May 2026.", of a paper on access: the value of a field whose name the question holds, word for word, where all else
/// that the question says is said as well, and whose value is of the kind that is asked for and stands alone.
fn field(question: &Question, unit: &EvidenceUnit<'_>, bounds: &[Bound]) -> Option<Range<usize>> {
    let (own, end) = label(unit.text)?;
    let meant: Vec<&String> = own.iter().filter(|word| !is_stop_word(word)).collect();
    let asked = |word: &&String| {
        let stem = stem(word);
        question.terms.iter().any(|term| term.stem == stem)
    };
    let bound = question.terms.iter().zip(bounds).all(|(term, bound)| {
        bound.strength >= if term.hard { FIRMLY } else { BOUND } || term.light
    });
    if meant.is_empty() || !meant.iter().all(asked) || !bound {
        return None;
    }
    let kind = match question.expects {
        Expects::Date => ValueKind::Date,
        Expects::Money => ValueKind::Money,
        Expects::Percent => ValueKind::Percent,
        Expects::Duration => ValueKind::Duration,
        Expects::Person => ValueKind::Person,
        _ => return None,
    };
    let value = unit.values.iter().find(|value| value.kind == kind && value.range.start >= end)?;
    let count = |at: Range<usize>| words(unit.text.get(at).unwrap_or_default()).len();
    let beside = count(end..value.range.start) + count(value.range.end..unit.text.len());
    (beside <= WORDS_BESIDE).then(|| value.range.clone())
}

/// Words by which a definition is asked for.
fn is_frame(word: &str) -> bool {
    matches!(
        word,
        "counts"
            | "count"
            | "classed"
            | "classified"
            | "considered"
            | "defined"
            | "definition"
            | "meaning"
            | "criteria"
            | "term"
            | "mean"
            | "qualifies"
    )
}

/// Words behind a label that say of what kind it is.
fn is_kind(word: &str) -> bool {
    matches!(word, "incident" | "case" | "event" | "status" | "level" | "item")
}

/// What stands before the first colon or dash of a unit, with something behind it: its words, and the byte at which it ends.
fn label(text: &str) -> Option<(Vec<String>, usize)> {
    let bare = text.trim_start_matches(['-', '*', '_', '\u{2022}', ' ']);
    let start = text.len() - bare.len();
    let ends = |(at, c): &(usize, char)| {
        let dash = matches!(c, '-' | '\u{2013}' | '\u{2014}') && bare[..*at].ends_with(' ');
        *c == ':' || dash
    };
    let (end, mark) = bare.char_indices().find(ends)?;
    let own = words(&bare[..end].to_lowercase());
    let told = bare[end + mark.len_utf8()..].chars().any(char::is_alphanumeric);
    (told && (1..=LABEL_WORDS).contains(&own.len())).then_some((own, start + end))
}

fn is_defined(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let text = question.text.trim().trim_end_matches(['?', '.', '!', ' ']);
    let thing = DEFINES.iter().find_map(|frame| Some(frame.captures(text)?.name("t")?.as_str()));
    let Some(thing) = thing.map(|thing| words(&thing.to_lowercase())) else { return false };
    // "SEV-1 incident" is called SEV-1.
    let bare = |all: &[String]| -> Vec<String> {
        all.iter().filter(|word| !is_kind(word)).map(|word| stem(word)).collect()
    };
    label(unit.text).is_some_and(|(own, _)| !bare(&thing).is_empty() && bare(&own) == bare(&thing))
}

fn is_done(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let text = question.text.trim();
    let Some(deed) = DUTY.captures(text).and_then(|found| found.name("v")) else { return false };
    let bare = unit.text.trim_start_matches(['-', '*', '\u{2022}', ' ']);
    let Some(first) = bare.split(|c: char| !c.is_alphanumeric()).next() else { return false };
    first.starts_with(char::is_uppercase)
        && !first.ends_with("ed")
        && !first.ends_with("ing")
        && !first.ends_with('s')
        && stem(&first.to_lowercase()) == stem(&deed.as_str().to_lowercase())
}

/// "What corrective action followed the reports?": the label is the whole of what is asked for.
fn is_called_so(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let all = words(&question.text.to_lowercase());
    let [which, rest @ ..] = all.as_slice() else { return false };
    if !matches!(which.as_str(), "what" | "which") {
        return false;
    }
    label(unit.text).is_some_and(|(own, _)| {
        own.len() >= 2 && own.len() < rest.len() && rest.starts_with(&own) && {
            // "What board fee changes": the phrase ends where the label does.
            let next = &rest[own.len()];
            question
                .terms
                .iter()
                .find(|term| term.word == *next)
                .is_none_or(|term| term.class == Class::Verb)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    /// Whether the form of a unit alone answers.
    fn by_form(question: &str, text: &str) -> bool {
        let passages = [document("review", "Quarterly berth review", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        chosen.first().is_some_and(|best| best.sure)
    }

    fn answer(question: &str, text: &str) -> Option<String> {
        let passages = [document("rules", "House rules", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        Some(units[chosen.first()?.unit].text.to_owned())
    }

    const GRADES: &str = "- P-1: the pontoon is shut to everybody.\n- P-2: boats may leave and not come in.\n\nReports of P-1 and P-2 go to the harbour master.\n";

    #[test]
    fn a_label_defines_what_it_names() {
        for asked in ["What counts as a P-1?", "Definition of P-1", "What does P-1 mean?"] {
            let said = answer(asked, GRADES);
            assert!(said.as_deref().is_some_and(|text| text.contains("shut")), "{asked}: {said:?}");
        }
        let second = answer("What is classed as a P-2 incident?", GRADES);
        assert!(second.as_deref().is_some_and(|text| text.contains("may leave")), "{second:?}");
        assert_eq!(answer("What counts as a P-3?", GRADES), None);
    }

    #[test]
    fn a_field_of_the_paper_answers_alone() {
        let of = |question: &str| {
            let text = "412 berths were looked at.\n\nNext review: May 2026.\n";
            let passages = [document("review", "Quarterly berth review", text)];
            let units = evidence_units(&passages);
            let question = Question::parse(question, &[]);
            let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
            let best = chosen.answers.first()?;
            Some(units[best.unit].text[best.value.clone()?].to_owned())
        };
        let next = of("When is the next quarterly berth review due?");
        assert_eq!(next.as_deref(), Some("May 2026"));
        let (berths, cranes) = ("quarterly berth review", "quarterly crane review");
        let asked = |what: &str| {
            by_form(&format!("When is the next {what} due?"), "Next review: May 2026.\n")
        };
        assert!(asked(berths) && !asked(cranes));
    }

    #[test]
    fn an_order_says_what_must_be_done() {
        let text =
            "Report any oil on the water to the harbour master.\n\nThe boats are painted in May.\n";
        let said = answer("What must be reported?", text);
        assert!(said.as_deref().is_some_and(|text| text.starts_with("Report any")), "{said:?}");
        assert!(by_form("What must be reported?", text));
        assert!(!by_form("What must be reported to the mayor?", text));
        assert!(!by_form("What must be painted?", "The boats are painted in May.\n"));
    }

    #[test]
    fn a_label_is_all_of_what_is_asked_for() {
        let text = "Three collisions were reported in May.\n\nRemedial measure: new fenders on the east pier.\n\nOwner: the dock office.\n";
        let said = answer("What remedial measure followed the collisions?", text);
        assert!(said.as_deref().is_some_and(|text| text.contains("fenders")), "{said:?}");
        assert_eq!(answer("What remedial measure budget was set?", text), None);
    }
}
