//! In place: what one statement sets in the place of a value of another one, and when two statements are of the same thing.

use super::question::{Class, classes};
use super::reading::refers_back;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use crate::ingest::UnitKind;
use elenchus_core::text::{content_set, is_stop_word, stem, words};
use std::collections::BTreeSet;
use std::ops::Range;

/// A value with the unit that tells it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Instead {
    /// Position among the units.
    pub(super) unit: usize,
    /// The value in the unit's text.
    pub(super) value: Value,
}

/// Most words of a value that is told by its place in a sentence alone.
const PHRASE: usize = 5;
/// Words between a verb and a figure that change nothing.
const HEDGES: [&str; 16] = [
    "about",
    "around",
    "roughly",
    "nearly",
    "almost",
    "just",
    "some",
    "approximately",
    "the",
    "a",
    "an",
    "only",
    "exactly",
    "again",
    "now",
    "actually",
];
/// Words before a value that is no figure: "of steel", "by Ann Lee".
const LEADS: [&str; 10] = ["of", "by", "at", "in", "on", "from", "with", "to", "for", "as"];
/// Words at which a subject ends.
const VERBS: [&str; 24] = [
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "will", "shall", "can", "must",
    "may", "should", "does", "do", "did", "now", "not", "instead", "would", "could", "might",
];
/// What is called new without its thing.
const NEW: [&str; 9] =
    ["date", "day", "deadline", "plan", "figure", "time", "estimate", "target", "price"];
/// Words by which something is only feared or supposed.
const DOUBTS: [&str; 9] =
    ["if", "unless", "whether", "perhaps", "maybe", "might", "could", "provided", "possibly"];
/// Words at the head of a clause before its subject.
const OPENERS: [&str; 11] =
    ["but", "and", "yet", "now", "instead", "however", "so", "then", "today", "since", "meanwhile"];
/// What may follow a value that is set against another one without making it one of something else.
const GOES_ON: [&str; 10] =
    ["now", "and", "but", "not", "as", "since", "instead", "because", "which", "however"];

/// The units right behind one in its passage, at most so many: sentences and items.
pub(super) fn behind(
    units: &[EvidenceUnit<'_>],
    at: usize,
    most: usize,
) -> impl Iterator<Item = usize> {
    let home = &units[at].read.passage.id;
    let rest = units.iter().enumerate().skip(at + 1).take(most);
    rest.take_while(move |(_, unit)| unit.read.passage.id == *home && is_prose(unit))
        .map(|(next, _)| next)
}

/// Whether a unit is a sentence or an item of a document.
pub(super) fn is_prose(unit: &EvidenceUnit<'_>) -> bool {
    matches!(unit.kind, UnitKind::Sentence | UnitKind::Item) && !unit.is_note
}

/// Whether a text only supposes what it says.
pub(super) fn is_doubted(text: &str) -> bool {
    let open = text.contains(" may ") || text.trim_end().ends_with('?');
    open || words(text).iter().any(|word| DOUBTS.contains(&word.as_str()))
}

/// Whether two values, each with the text that it stands in, are of one kind: a figure that nothing counts or measures is of the kind
/// of one that has a unit.
pub(super) fn is_alike(one: (&Value, &str), other: (&Value, &str)) -> bool {
    let bare = |(value, text): (&Value, &str)| {
        let next = after(text, &value.range).into_iter().next();
        value.kind == ValueKind::Count && next.is_none_or(|word| is_stop_word(&word))
    };
    let figures = one.0.number.is_some() && other.0.number.is_some();
    one.0.kind == other.0.kind || figures && (bare(one) || bare(other))
}

/// Whether two figures are one, but for how they are kept.
pub(super) fn is_same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Whether two values say the same, given their texts.
pub(super) fn is_same(one: (&Value, &str), other: (&Value, &str)) -> bool {
    match (one.0.number, other.0.number) {
        (Some(a), Some(b)) => is_same_number(a, b),
        _ => {
            let (a, b) = (one.1.to_lowercase(), other.1.to_lowercase());
            // A day with its year and the same without.
            !a.is_empty() && !b.is_empty() && (a.starts_with(&b) || b.starts_with(&a))
        }
    }
}

/// The bytes of a text that hold the sentence of a place.
pub(super) fn sentence_at(text: &str, at: usize) -> Range<usize> {
    // A line that is wrapped goes on.
    let ends = [". ", ".\n", "\n\n"];
    let before = text.get(..at).unwrap_or_default();
    let start = ends.iter().filter_map(|end| before.rfind(*end)).max();
    let behind = text.get(at..).unwrap_or_default();
    let end = ends.iter().filter_map(|end| behind.find(*end)).min();
    start.map_or(0, |cut| cut + 2)..end.map_or(text.len(), |cut| at + cut)
}

/// The words that follow a value up to the end of its clause.
pub(super) fn after(text: &str, value: &Range<usize>) -> Vec<String> {
    let behind = text.get(value.end..).unwrap_or_default();
    let mark = behind.find([',', ';', ':', '(', ')', '\n', '\u{2014}', '\u{2013}']);
    let cut = mark.into_iter().chain(behind.find(". ")).min().unwrap_or(behind.len());
    words(&behind[..cut])
}

/// Words up to the last one that is no hedge.
pub(super) fn unhedged(mut all: Vec<String>) -> Vec<String> {
    while all.last().is_some_and(|word| HEDGES.contains(&word.as_str())) {
        all.pop();
    }
    all
}

/// Whether two values stand in the same place of what is said: behind the same word, and before the same one or at an end.
pub(super) fn same_frame(one: (&str, &Range<usize>), other: (&str, &Range<usize>)) -> bool {
    let lead = |(text, at): (&str, &Range<usize>)| {
        let last = unhedged(words(text.get(..at.start).unwrap_or_default())).pop()?;
        Some(match last.as_str() {
            "is" | "are" | "was" | "were" | "be" => "be".to_owned(),
            _ => stem(&last),
        })
    };
    let next = |(text, at): (&str, &Range<usize>)| after(text, at).into_iter().next();
    let goes_on = match (next(one), next(other)) {
        (a, Some(b)) => a.as_ref() == Some(&b) || GOES_ON.contains(&b.as_str()),
        (_, None) => true,
    };
    goes_on && lead(one).is_some_and(|word| lead(other).as_ref() == Some(&word))
}

/// Whether what stands before and behind a value says no content word that a first statement did not say, hedges apart.
pub(super) fn says_no_more(first: &str, before: &str, behind: &[String]) -> bool {
    let known = content_set(first);
    words(before).iter().chain(behind).all(|word| {
        let is_light = is_stop_word(word)
            || HEDGES.contains(&word.as_str())
            || OPENERS.contains(&word.as_str());
        is_light || known.contains(&stem(word))
    })
}

/// A clause without what only joins it to the one before.
pub(super) fn without_opener(clause: &str) -> &str {
    let mut rest = clause.trim_start_matches(|c: char| !c.is_alphanumeric());
    while let Some((first, after)) = rest.split_once(' ') {
        let word = first.trim_end_matches(',').to_lowercase();
        if !OPENERS.contains(&word.as_str()) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// Whether a clause is about what another one is about: it begins with a pronoun for it, or all words of its subject are there.
pub(super) fn goes_on_about(first: &str, clause: &str) -> bool {
    predicate(first, clause).is_some()
}

/// The words that a clause says of what another one is about; nothing where it is about something else.
pub(super) fn predicate(first: &str, clause: &str) -> Option<Vec<String>> {
    let clause = without_opener(clause);
    let mut all = words(clause);
    // "The new date is": that of what was spoken of.
    let is_new = all.starts_with(&["the".to_owned(), "new".to_owned()])
        && all.get(2).is_some_and(|word| NEW.contains(&word.as_str()))
        && all.get(3).is_some_and(|word| VERBS.contains(&word.as_str()));
    if is_new || refers_back(clause) {
        return Some(all);
    }
    let known = content_set(first);
    let end = all.iter().position(|word| VERBS.contains(&word.as_str()));
    let verb = classes(&clause.to_lowercase())
        .into_iter()
        .find(|(word, class)| *class == Class::Verb && known.contains(&stem(word)))
        .and_then(|(verb, _)| all.iter().position(|word| *word == verb));
    let end = end.into_iter().chain(verb).min()?;
    let said = all.split_off(end);
    let mut subject = all.iter().filter(|word| !is_stop_word(word)).peekable();
    let is_same = subject.peek().is_some() && subject.all(|word| known.contains(&stem(word)));
    is_same.then_some(said)
}

/// The words of a text that tell what it is about: without figures, and without those of a value.
pub(super) fn about(text: &str, value: &Range<usize>) -> BTreeSet<String> {
    let (before, behind) = (text.get(..value.start), text.get(value.end..));
    let said = format!("{} {}", before.unwrap_or_default(), behind.unwrap_or_default());
    let mut all = content_set(&said);
    all.retain(|word| !word.contains(|c: char| c.is_ascii_digit()));
    all
}

/// What stands in another clause where a value stands in its own that is no figure: "was to be built of steel" and "will be built of
/// larch". The bytes of the clause.
pub(super) fn phrase(text: &str, value: &Range<usize>, clause: &str) -> Option<Range<usize>> {
    let mut before = words(text.get(..value.start)?);
    let lead = before.pop().filter(|word| LEADS.contains(&word.as_str()))?;
    let verb = before.pop().filter(|word| !is_stop_word(word)).map(|word| stem(&word))?;
    let form = format!(" {lead} ");
    clause.match_indices(form.as_str()).find_map(|(at, _)| {
        let last = words(&clause[..at]).pop()?;
        let start = at + form.len();
        let rest = &clause[start..];
        let end = rest.find([',', ';', ':', '.', '(', '\n']).unwrap_or(rest.len());
        let told = rest[..end].trim_end();
        let count = words(told).len();
        let is_other = text
            .get(value.clone())
            .is_some_and(|old| !told.to_lowercase().contains(&old.to_lowercase()));
        let fits = stem(&last) == verb && (1..=PHRASE).contains(&count) && is_other;
        fits.then(|| start..start + told.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_goes_on_about_the_same_thing_or_not() {
        let first = "The first stage of the pier was to begin in March.";
        for same in [
            "It will now begin in May.",
            "but it begins in May",
            "The pier will begin in May.",
            "The first stage begins in May.",
            "the new date is 3 May",
        ] {
            assert!(goes_on_about(first, same), "{same}");
        }
        for other in ["The second stage will begin in May.", "The quay begins in May."] {
            assert!(!goes_on_about(first, other), "{other}");
        }
    }

    #[test]
    fn a_clause_says_no_more_than_the_one_before() {
        let first = "We wrote that the mast is 31 metres high.";
        assert!(says_no_more(first, "But it is about ", &["high".to_owned()]));
        assert!(!says_no_more(first, "It is ", &["wide".to_owned()]));
    }

    #[test]
    fn values_stand_in_one_frame() {
        let frame = |one: &str, a: &str, other: &str, b: &str| {
            let at = |text: &str, part: &str| {
                let start = text.find(part).expect("it stands there");
                start..start + part.len()
            };
            same_frame((one, &at(one, a)), (other, &at(other, b)))
        };
        let first = "We wrote that the mast is 31 metres high.";
        assert!(frame(first, "31 metres", "It is about 27 metres high.", "27 metres"));
        assert!(frame(first, "31 metres", "It is 27 metres.", "27 metres"));
        assert!(!frame(first, "31 metres", "It is 27 metres wide.", "27 metres"));
        assert!(!frame(first, "31 metres", "It stands 27 metres high.", "27 metres"));
    }

    #[test]
    fn what_stands_in_a_place_is_read_from_there() {
        let first = "The roof was to be covered with slate.";
        let at = first.find("slate").expect("it stands there");
        let told = |clause: &str| {
            phrase(first, &(at..at + "slate".len()), clause).map(|at| clause[at].to_owned())
        };
        assert_eq!(told("It will be covered with red tiles.").as_deref(), Some("red tiles"));
        assert_eq!(told("It will be paid with the loan."), None);
        assert_eq!(told("It will be covered with slate."), None);
    }
}
