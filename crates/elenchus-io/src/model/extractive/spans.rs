//! Spans of time that are told in parts: "4 hours and 26 minutes" is one span, and so is "2 years, 3 months and 4 days".

use elenchus_core::text::words;
use std::ops::Range;

/// Seconds of a unit of time, by the beginning of its names. Months and years are means: they are only set against each other.
const UNITS: [(&str, f64); 7] = [
    ("second", 1.0),
    ("minute", 60.0),
    ("hour", 3_600.0),
    ("day", 86_400.0),
    ("week", 604_800.0),
    ("month", 2_629_800.0),
    ("year", 31_557_600.0),
];
/// Short names of units.
const SHORT: [(&str, f64); 8] = [
    ("s", 1.0),
    ("sec", 1.0),
    ("secs", 1.0),
    ("min", 60.0),
    ("mins", 60.0),
    ("h", 3_600.0),
    ("hr", 3_600.0),
    ("hrs", 3_600.0),
];
/// Words before two spans that make them two: "between 2 hours and 30 minutes before", "every 2 weeks and 3 days before".
const OF_TWO: [&str; 4] = ["between", "every", "each", "both"];

/// What stands before a figure that holds no more.
const OF_BEFORE: [&str; 5] = ["from", "than", "previously", "formerly", "originally"];

/// Whether words tell what held before, by the word `lead` before them or by their own first ones: "up from 168".
pub(super) fn is_of_before(lead: &str, marked: &str) -> bool {
    let own = words(marked);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    OF_BEFORE.contains(&lead)
        || matches!(
            own.as_slice(),
            ["up" | "down", "from", ..] | ["previously" | "formerly" | "originally", ..]
        )
}

/// "9,450 euros instead of the 8,900": whether what is marked is told as what something else came in the place of.
pub(super) fn is_replaced(text: &str, marked: &Range<usize>) -> bool {
    let mut before = words(&text[..marked.start]);
    while before.last().is_some_and(|last| matches!(last.as_str(), "the" | "a" | "an" | "its")) {
        before.pop();
    }
    matches!(before.as_slice(), [.., first, of] if first == "instead" && of == "of")
}

/// A span of time, and its number in its own (for one of several parts, its first) unit.
pub(super) type Span = (Range<usize>, Option<f64>);

/// Spans in order of place, with those that are the parts of one put together.
pub(super) fn put_together(text: &str, spans: Vec<Span>) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    // The units of the first and of the last part of the last one, where another part may follow.
    let mut open: Option<(f64, f64)> = None;
    for (at, (range, number)) in spans.iter().enumerate() {
        let own = part(text, range, *number);
        let next = spans.get(at + 1).map(|(next, _)| next);
        if let (Some((first, last)), Some((seconds, count)), Some((whole, Some(sum)))) =
            (open, own, out.last_mut())
            && seconds < last
            && seconds * count < last
            && is_joint(text, whole, range, next)
        {
            whole.end = range.end;
            *sum += count * seconds / first;
            open = Some((first, seconds));
        } else {
            open = own.map(|(seconds, _)| (seconds, seconds));
            out.push((range.clone(), *number));
        }
    }
    out
}

/// The first part of a span in words, up to its unit: "4 hours" of "4 hours and 26 minutes". Another text is given whole.
pub(super) fn first_part(text: &str) -> &str {
    let units: Vec<Range<usize>> =
        tokens(text).filter(|at| unit(&text[at.clone()]).is_some()).collect();
    match units.as_slice() {
        [first, _, ..] => &text[..first.end],
        _ => text,
    }
}

/// Seconds of the unit of a span and how many there are of it; nothing for what is no whole number of a plain unit.
fn part(text: &str, range: &Range<usize>, number: Option<f64>) -> Option<(f64, f64)> {
    let own = text.get(range.clone())?;
    let range_of_figures = own.contains('-') || own.contains('\u{2013}') || own.contains(" to ");
    let last = tokens(own).next_back()?;
    let seconds = unit(own.get(last)?)?;
    let count = number.filter(|count| count.fract() == 0.0 && !range_of_figures)?;
    Some((seconds, count))
}

/// Whether what stands between two spans makes one of them.
fn is_joint(
    text: &str,
    whole: &Range<usize>,
    more: &Range<usize>,
    next: Option<&Range<usize>>,
) -> bool {
    let between = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let ends = |joint: &str| matches!(joint, " and " | ", and ");
    let joint = between(whole.end, more.start);
    // A comma alone lists, unless the "and" of the last part follows.
    let listed = joint == ", " && next.is_some_and(|next| ends(between(more.end, next.start)));
    let before = between(0, whole.start).split_whitespace().next_back().unwrap_or_default();
    let each = text.get(more.end..).unwrap_or_default().trim_start_matches([',', ' ']);
    (ends(joint) || joint == " " || listed)
        && !OF_TWO.contains(&before.to_lowercase().as_str())
        && !each.starts_with("respectively")
}

fn unit(word: &str) -> Option<f64> {
    let word = word.to_lowercase();
    let long = word.strip_suffix('s').unwrap_or(&word);
    let long = UNITS.iter().find(|(name, _)| *name == long);
    long.or_else(|| SHORT.iter().find(|(name, _)| *name == word)).map(|(_, seconds)| *seconds)
}

/// Words of letters, by their bytes.
fn tokens(text: &str) -> impl DoubleEndedIterator<Item = Range<usize>> {
    let start = text.as_ptr() as usize;
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(move |word| {
        let at = word.as_ptr() as usize - start;
        at..at + word.len()
    })
}

#[cfg(test)]
mod tests {
    use super::super::values::{ValueKind, values};
    use super::*;

    fn spans(text: &str) -> Vec<(String, f64)> {
        let found = values(text).into_iter().filter(|value| value.kind == ValueKind::Duration);
        found
            .map(|value| (text[value.range.clone()].to_owned(), value.number.unwrap_or(-1.0)))
            .collect()
    }

    #[test]
    fn what_held_before_is_known_by_the_words_at_its_side_and_its_own() {
        assert!(is_of_before("from", "168") && is_of_before("", "up from 168"));
        assert!(is_of_before("", "(down from 12)") && is_of_before("was", "originally 9"));
        assert!(!is_of_before("", "from 9 to 5") && !is_of_before("to", "241"));
        let text = "The bell cost 9,450 euros instead of the 8,900 of the offer.";
        let at = |figure: &str| text.find(figure).map(|from| from..from + figure.len()).unwrap();
        assert!(is_replaced(text, &at("8,900")) && !is_replaced(text, &at("9,450")));
    }

    #[test]
    fn the_parts_of_a_span_are_one_span() {
        for (text, whole, number) in [
            ("The crossing took 3 hours and 15 minutes.", "3 hours and 15 minutes", 3.25),
            ("The crossing took 3 hours 15 minutes.", "3 hours 15 minutes", 3.25),
            ("It ran for two days and twelve hours.", "two days and twelve hours", 2.5),
            ("He served 2 days, 6 hours and 36 minutes.", "2 days, 6 hours and 36 minutes", 2.275),
        ] {
            let found = spans(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].0, whole);
            assert!((found[0].1 - number).abs() < 1e-9, "{text}: {found:?}");
        }
    }

    #[test]
    fn two_spans_stay_two() {
        for text in [
            "It leaves between 2 hours and 30 minutes before high water.",
            "Adults wait 2 hours and 90 minutes is too long.",
            "Boats and canoes may stay 3 days and 12 hours respectively.",
            "The notice is 3 months, 2 weeks for members.",
            "It takes 20 minutes and 3 hours by road.",
            "It takes 2-3 hours and 20 minutes by road.",
            "Tea lasts 2 hours; 15 minutes are for cakes.",
        ] {
            let found = spans(text);
            assert_eq!(found.len(), 2, "{text}: {found:?}");
        }
    }

    #[test]
    fn the_unit_of_a_span_is_that_of_its_first_part() {
        assert_eq!(first_part("4 hours and 26 minutes"), "4 hours");
        assert_eq!(
            first_part("nine hundred and sixty-nine years"),
            "nine hundred and sixty-nine years"
        );
        assert_eq!(first_part("12 boats"), "12 boats");
    }
}
