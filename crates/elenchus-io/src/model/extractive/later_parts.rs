//! Later parts: an amendment, a notice or the minutes of a later meeting say a sentence of an earlier part again, with another value.
//!
//! "The board will meet every month from October on" takes the place of "The board will meet every two months" though both stand in one
//! file, and "Clause 3 is changed" of what clause 3 said, in whatever words. The order is that of the days over the parts.

use super::asked_past::asks_for_the_old;
use super::bind::Candidate;
use super::changes::beside;
use super::lexicon::is_denial;
use super::parts::{below_day, part_of};
use super::question::{Expects, Question};
use super::select::{AS_CLOSE, same_kind, same_words};
use super::supplanted::says_it_replaces;
use super::unit::{EvidenceUnit, Place, Word, called};
use super::values::ValueKind;
use elenchus_core::evidence::{WEEKDAYS, month_number};
use elenchus_core::prompt::{Polarity, QuestionKind};
use elenchus_core::text::{is_stop_word, words};
use std::ops::Range;

/// Words of what changes another document or a part above it.
const AMENDS: [&str; 9] = [
    "amendment",
    "amendments",
    "addendum",
    "addenda",
    "supplement",
    "supplementary",
    "rider",
    "correction",
    "corrections",
];
/// What a numbered part of an agreement is called.
const CLAUSES: [&str; 9] =
    ["clause", "section", "article", "paragraph", "point", "rule", "item", "number", "term"];
/// What is done to one that then says something else.
const CHANGED: [&str; 11] = [
    "changed",
    "amended",
    "replaced",
    "revised",
    "altered",
    "reworded",
    "modified",
    "substituted",
    "read",
    "reads",
    "restated",
];
/// What may stand between the number and that.
const AUXILIARIES: [&str; 10] =
    ["is", "has", "been", "be", "shall", "will", "hereby", "now", "was", "therefore"];
/// What may follow it: "changed as follows", "replaced by", "read".
const FOLLOWS: [&str; 7] = ["to", "as", "by", "and", "with", "from", "follows"];
/// Words that do not tell two statements apart.
const DROPPED: [&str; 6] = ["will", "shall", "now", "again", "hereby", "henceforth"];
/// Words that begin what tells since when or until when a statement holds.
const SINCE: [&str; 6] = ["since", "until", "starting", "instead", "effective", "onwards"];
/// What "from" leads to, beside days and months, where it tells a time.
const TIMES: [&str; 11] = [
    "now", "then", "today", "tomorrow", "next", "this", "spring", "summer", "autumn", "winter",
    "first",
];
/// Words by which nothing is settled.
pub(super) const UNSURE: [&str; 22] = [
    "if",
    "unless",
    "whether",
    "would",
    "could",
    "might",
    "should",
    "proposed",
    "proposes",
    "proposal",
    "suggested",
    "suggests",
    "asked",
    "asks",
    "wants",
    "wished",
    "considered",
    "discussed",
    "perhaps",
    "possibly",
    "draft",
    "rejected",
];
/// Units behind "Clause 3 is changed" among which its new words are looked for.
const REACH: usize = 2;
/// Most words that a statement which is no longer denied, or no longer holds, may say more.
const MORE: usize = 3;
/// Fewest words before a value that two statements have in common.
const FEWEST: usize = 2;
/// Words that the names of two documents have in common, where one of them amends the other.
const NAMED: usize = 2;

/// What a later part says in the place of the chosen statement.
pub(super) fn said_later(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    if !is_of_now(question) || units[chosen.unit].is_note {
        return None;
    }
    match (by_words(chosen, all, units), by_number(chosen, all, units)) {
        (Some(one), Some(other)) if place(&units[other.unit]) > place(&units[one.unit]) => {
            Some(other)
        }
        (one, other) => one.or(other),
    }
}

/// Whether a question asks for what is so now.
pub(super) fn is_of_now(question: &Question) -> bool {
    question.kind == QuestionKind::Lookup
        && question.period.is_none()
        && question.day.is_none()
        && question.then.is_none()
        && !question.past
        && !question.happened
        && !question.forerunner
        && question.expects != Expects::List
        && !asks_for_the_old(question)
}

/// What another part of the same document says in the same words with another value, where nothing tells which of them is the later
/// one. It answers the question as well as the chosen one does.
pub(super) fn said_beside(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let old = &units[chosen.unit];
    let value = chosen.value.as_ref().filter(|_| is_of_now(question))?;
    let own = said(old)?;
    all.iter().find_map(|other| {
        let unit = &units[other.unit];
        let apart = unit.read.passage.id != old.read.passage.id || part_of(unit) != part_of(old);
        let as_well = unit.read.source.id == old.read.source.id
            && other.unit != chosen.unit
            && other.accepted
            && same_kind(other, chosen)
            && same_words(other, chosen)
            && (other.score - chosen.score).abs() <= AS_CLOSE
            && apart
            && below_day(unit) == below_day(old)
            && !unit.is_superseded()
            && !unit.is_replaced
            && !is_unsure(unit.text)
            && !is_later(old, unit);
        if !as_well {
            return None;
        }
        let its = said(unit)?;
        let value = in_its_place((old, &own), (value, chosen.kind), (unit, &its))?;
        instead(chosen, other.unit, Some(value), all, units)
    })
}

/// What stands there instead of the chosen value, as the candidate of its unit.
fn instead(
    chosen: &Candidate,
    at: usize,
    value: Option<Range<usize>>,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let own = all.iter().find(|one| one.unit == at)?;
    let held = value.as_ref().and_then(|value| {
        let held = |one: &&super::values::Value| {
            value.start <= one.range.start && one.range.end <= value.end
        };
        units[at].values.iter().find(held)
    });
    let turned = is_denied(units[at].text) != is_denied(units[chosen.unit].text);
    let polarity = match chosen.polarity {
        Some(Polarity::Yes) if turned => Some(Polarity::No),
        Some(Polarity::No) if turned => Some(Polarity::Yes),
        same => same,
    };
    Some(Candidate {
        kind: chosen.kind.filter(|_| value.is_some()),
        number: held.and_then(|one| one.number),
        value,
        polarity,
        ..beside(chosen, own)
    })
}

fn is_denied(text: &str) -> bool {
    words(text).iter().any(|word| is_denial(word))
}

fn is_unsure(text: &str) -> bool {
    words(text).iter().any(|word| UNSURE.contains(&word.as_str()))
}

/// How late a statement is among those of its document: the day over its part, and its place.
fn place(unit: &EvidenceUnit<'_>) -> (i64, usize) {
    let day = part_of(unit).map_or(i64::MIN, |part| part.day.order_key());
    (day, unit.read.passage.span.start + unit.span.start)
}

/// Whether the words of a title say that what stands below it changes another text.
pub(super) fn amends(all: &[String]) -> bool {
    all.iter().any(|word| AMENDS.contains(&word.as_str()))
}

/// Whether a heading says that what stands below it changes a text.
fn is_amending_part(unit: &EvidenceUnit<'_>) -> bool {
    let heading = unit.read.passage.heading_path.last().map(|heading| words(heading));
    heading.is_some_and(|all| amends(&all)) || part_of(unit).is_some_and(|part| amends(&part.title))
}

/// Whether a heading or the name of the document says that it changes another text.
fn is_amending(unit: &EvidenceUnit<'_>) -> bool {
    is_amending_part(unit) || amends(&called(&unit.read.source))
}

/// Whether one statement is of a later part than another of the same document, or of a document that amends that of the other.
fn is_later(new: &EvidenceUnit<'_>, old: &EvidenceUnit<'_>) -> bool {
    if new.is_superseded() || new.is_replaced || new.is_note {
        return false;
    }
    if new.read.source.id != old.read.source.id {
        let name = called(&old.read.source);
        let shared = called(&new.read.source).into_iter().filter(|word| {
            let says = word.len() > 2 && word.chars().all(char::is_alphabetic);
            says && !is_stop_word(word) && !AMENDS.contains(&word.as_str()) && name.contains(word)
        });
        let mut shared: Vec<String> = shared.collect();
        shared.sort();
        shared.dedup();
        let dated = |unit: &EvidenceUnit<'_>| {
            unit.read.source.date.as_ref().map(|date| date.value.order_key())
        };
        let in_order = dated(new).zip(dated(old)).is_none_or(|(new, old)| new >= old);
        // "This notice replaces the notice of 3 March": its own words say which one.
        let replaces = old.is_replaced && says_it_replaces(&new.read.passage.text);
        let amends = is_amending(new) && !is_amending(old) && shared.len() >= NAMED;
        return (amends || replaces) && in_order;
    }
    let behind = place(new).1 > place(old).1;
    match (part_of(old), part_of(new)) {
        (Some(old), Some(new)) => new.day.order_key() > old.day.order_key(),
        // Parts without a day stand in the order in which they were added.
        (_, None) | (None, Some(_)) => {
            let apart = new.read.passage.heading_path != old.read.passage.heading_path
                || part_of(new).is_some();
            // The name of a file says nothing of one part of it above another.
            is_amending_part(new) && behind && apart
        }
    }
}

/// The number of the clause that a statement is: "3. The contract ends", "Clause 3: The contract ends".
fn own_number(text: &str) -> Option<u32> {
    let all = words(text);
    let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
    // "3. The lease ends", and no "3.5 metres".
    let behind = text.trim_start().get(digits.len()..).unwrap_or_default();
    let marked = behind.strip_prefix(['.', ')', ':']);
    if !digits.is_empty() && marked.is_some_and(|rest| rest.starts_with(' ')) {
        return digits.parse().ok();
    }
    match all.as_slice() {
        [clause, number, ..] if CLAUSES.contains(&clause.as_str()) => {
            let number: u32 = number.parse().ok()?;
            let behind = text.get(text.find(&number.to_string())?..)?;
            let told = behind.trim_start_matches(|c: char| c.is_ascii_digit());
            told.starts_with(['.', ')', ':', ',', '\u{2013}']).then_some(number)
        }
        _ => None,
    }
}

/// The number of the clause that a sentence says is changed.
fn changed(text: &str) -> Option<u32> {
    let all = words(text);
    let from = all.iter().position(|word| CLAUSES.contains(&word.as_str())).filter(|at| *at < 2)?;
    let number = all.get(from + 1)?.parse().ok()?;
    let mut rest = all[from + 2..].iter().skip_while(|word| AUXILIARIES.contains(&word.as_str()));
    let verb = rest.next()?;
    let follows = rest.next().is_none_or(|next| {
        FOLLOWS.contains(&next.as_str()) || text.contains(':') || verb.starts_with("read")
    });
    let says = CHANGED.contains(&verb.as_str()) && all.len() > from + 3;
    (says && follows && !is_unsure(text)).then_some(number)
}

/// What the newest change of the clause that the chosen statement is says instead.
fn by_number(
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let old = &units[chosen.unit];
    let number = own_number(old.text)?;
    let mut found: Vec<(usize, &EvidenceUnit<'_>)> = units
        .iter()
        .enumerate()
        .filter(|(at, unit)| {
            *at != chosen.unit && changed(unit.text) == Some(number) && is_later(unit, old)
        })
        .collect();
    found.sort_by_key(|(_, unit)| place(unit));
    let (at, _) = *found.last()?;
    let mut told = (at..units.len()).take(REACH + 1).take_while(|next| {
        let unit = &units[*next];
        unit.read.passage.id == units[at].read.passage.id
            && (*next == at || changed(unit.text).is_none())
    });
    let Some(was) = &chosen.value else {
        let next = told.find(|next| *next != at && !is_unsure(units[*next].text))?;
        return instead(chosen, next, None, all, units);
    };
    let was = old.text.get(was.clone())?;
    told.find_map(|next| {
        let unit = &units[next];
        // The number of the clause is no value of it.
        let own_words = || unit.text.find(':').or_else(|| unit.text.find(". "));
        let from = if next == at { own_words()? } else { 0 };
        let own = all.iter().find(|one| one.unit == next && one.kind == chosen.kind);
        let own = own.and_then(|one| one.value.clone());
        let listed = || {
            let of_kind = unit
                .values
                .iter()
                .find(|one| Some(one.kind) == chosen.kind && one.range.start >= from);
            of_kind.map(|one| one.range.clone())
        };
        let value = own.filter(|value| value.start >= from).or_else(listed)?;
        let is_other = !unit.text.get(value.clone())?.eq_ignore_ascii_case(was);
        (is_other && !is_unsure(unit.text)).then_some((next, value))
    })
    .and_then(|(next, value)| instead(chosen, next, Some(value), all, units))
}

/// A word that counts, as a stem, with its bytes.
struct Said {
    word: String,
    stem: String,
    at: Range<usize>,
}

/// The words of a unit without the number of a clause, and without those that say nothing apart.
fn said(unit: &EvidenceUnit<'_>) -> Option<Vec<Said>> {
    let own: Vec<_> = unit.words.iter().filter(|word| word.place == Place::Unit).collect();
    if own.iter().any(|word| word.at.is_empty()) {
        return None;
    }
    let labelled = own_number(unit.text).is_some();
    let label = if !labelled {
        0
    } else if own.first().is_some_and(|first| CLAUSES.contains(&first.word.as_str())) {
        2
    } else {
        1
    };
    let kept = own.into_iter().skip(label).filter(|word| !DROPPED.contains(&word.word.as_str()));
    let said = |word: &Word| Said {
        word: word.word.clone(),
        stem: word.stem.clone(),
        at: word.at.clone(),
    };
    Some(kept.map(said).collect())
}

/// The newest later statement in the same words.
fn by_words(
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let old = &units[chosen.unit];
    let own = said(old)?;
    let whole = chosen
        .value
        .as_ref()
        .is_none_or(|value| own.first().is_none_or(|first| value.start <= first.at.start));
    // When it was said, which unit says it, and the words of its value.
    type Later = ((i64, usize), usize, Option<Range<usize>>);
    let mut newest: Option<Later> = None;
    for (at, unit) in units.iter().enumerate() {
        if at == chosen.unit || unit.text == old.text || is_unsure(unit.text) {
            continue;
        }
        let Some(its) = said(unit) else { continue };
        let told = match chosen.value.as_ref().filter(|_| !whole) {
            Some(value) => in_its_place((old, &own), (value, chosen.kind), (unit, &its)).map(Some),
            None => is_turned(old, &own, unit, &its).then_some(None),
        };
        let is_of_it = || {
            let its = all.iter().find(|one| one.unit == at && one.names_bound);
            let binds =
                its.is_some_and(|its| chosen.matched.iter().all(|word| its.matched.contains(word)));
            let is_apart = unit.read.source.id != old.read.source.id;
            binds && (is_apart || below_day(unit) == below_day(old))
        };
        let told = told.filter(|_| is_later(unit, old) && is_of_it());
        let Some(value) = told else { continue };
        let when = place(unit);
        if newest.as_ref().is_none_or(|(before, ..)| *before < when) {
            newest = Some((when, at, value));
        }
    }
    let (_, at, value) = newest?;
    instead(chosen, at, value, all, units)
}

/// The value of a statement that has the words of an older one around it, whose value and kind are given.
fn in_its_place(
    (old, own): (&EvidenceUnit<'_>, &[Said]),
    (value, asked): (&Range<usize>, Option<ValueKind>),
    (unit, its): (&EvidenceUnit<'_>, &[Said]),
) -> Option<Range<usize>> {
    let before: Vec<&Said> = own.iter().take_while(|word| word.at.end <= value.start).collect();
    let behind = |all: &[Said], from: usize| -> Vec<String> {
        let rest = (0..all.len()).filter(|at| all[*at].at.start >= from);
        rest.take_while(|at| !is_since(all, *at)).map(|at| all[at].stem.clone()).collect()
    };
    let alike = before.len() >= FEWEST
        && before.len() < its.len()
        && before.iter().any(|word| !is_stop_word(&word.stem))
        && before.iter().zip(its).all(|(one, other)| one.stem == other.stem);
    if !alike {
        return None;
    }
    let after = behind(own, value.end);
    let start = its[before.len()].at.start;
    let was = old.text.get(value.clone())?;
    let kind = old.value_at(value).kind;
    let is_free = !old.values.iter().any(|one| one.range == *value)
        && !matches!(asked, Some(ValueKind::Person | ValueKind::Money));
    let listed = unit.values.iter().find(|one| {
        // The sign of a currency is no word.
        one.kind == kind && one.range.start <= start && start < one.range.end
    });
    let found = match listed {
        Some(one) => (behind(its, one.range.end) == after).then(|| one.range.clone())?,
        // Other words may tell something else: "the treasurer is ill".
        None if after.is_empty() && is_free => {
            let rest = unit.text.get(start..)?;
            let ends = rest.find([',', ';', '(', '\n']).unwrap_or(rest.len());
            let since = (before.len()..its.len()).find(|at| is_since(its, *at));
            let ends = since.map_or(ends, |at| ends.min(its[at].at.start - start));
            let told = rest.get(..ends)?.trim_end_matches(['.', '!', ' ', '*']);
            (!told.is_empty()).then(|| start..start + told.len())?
        }
        None => return None,
    };
    let is = unit.text.get(found.clone())?;
    (is.to_lowercase() != was.to_lowercase()).then_some(found)
}

/// Whether the word at a place begins what tells since when or until when: "from October", "as of", "with effect".
fn is_since(all: &[Said], at: usize) -> bool {
    let word = |at: usize| all.get(at).map_or("", |said| said.word.as_str());
    match word(at) {
        "as" | "with" => matches!(word(at + 1), "effect" | "of" | "from"),
        "from" => is_time(word(if word(at + 1) == "the" { at + 2 } else { at + 1 })),
        other => SINCE.contains(&other),
    }
}

fn is_time(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        || month_number(word).is_some()
        || WEEKDAYS.contains(&word)
        || TIMES.contains(&word)
}

/// Whether a statement denies what an older one in the same words affirms, or the other way round.
fn is_turned(old: &EvidenceUnit<'_>, own: &[Said], unit: &EvidenceUnit<'_>, its: &[Said]) -> bool {
    let plain = |all: &[Said]| -> Vec<usize> {
        (0..all.len()).filter(|at| !is_denial(&all[*at].stem)).collect()
    };
    let (old_words, new_words) = (plain(own), plain(its));
    let denies = is_denied(unit.text);
    is_denied(old.text) != denies
        && old_words.len() >= FEWEST
        && old_words.iter().any(|at| !is_stop_word(&own[*at].stem))
        && (old_words.len()..=old_words.len() + MORE).contains(&new_words.len())
        && old_words.iter().zip(&new_words).all(|(one, other)| own[*one].stem == its[*other].stem)
        // "Dogs are not allowed in the café" denies that alone.
        && new_words.get(old_words.len()).is_none_or(|more| !denies || is_since(its, *more))
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::ReadPassage;

    /// A passage of one file, the second one with a heading of its own.
    fn part(place: usize, heading: &str, text: &str) -> ReadPassage {
        let mut read = document("lease", heading, text);
        read.passage.id.0 = format!("lease-{place}");
        read.passage.span.start += place * 1000;
        read.passage.span.end += place * 1000;
        read
    }

    fn answer(question: &str, passages: &[ReadPassage]) -> Option<String> {
        let units = evidence_units(passages);
        let question = Question::parse(question, &[]);
        let told = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        let best = told.first()?;
        Some(units[best.unit].text[best.value.clone()?].to_owned())
    }

    #[test]
    fn a_later_part_says_the_sentence_again() {
        let asked = "When does the lease end?";
        let old = part(0, "Lease of the mill", "2. The lease ends on 30 June 2024.");
        let new = part(1, "Second amendment, 4 May 2024", "The lease ends on 30 June 2029.");
        let both = [old, new];
        assert_eq!(answer(asked, &both).as_deref(), Some("30 June 2029"));
        // What somebody asks about is no change.
        assert!(is_unsure("The miller asks whether the lease ends on 30 June 2029."));
    }

    #[test]
    fn parts_without_an_order_are_both_told() {
        let told = |first: &str, second: &str| {
            let passages = [
                part(0, first, "The lease ends on 30 June 2024."),
                part(1, second, "The lease ends on 30 June 2029."),
            ];
            let units = evidence_units(&passages);
            let question = Question::parse("When does the lease end?", &[]);
            let found = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
            let best = found.answers.first().and_then(|one| Some((one.unit, one.value.clone()?)));
            let value = best.map(|(unit, at)| units[unit].text[at].to_owned());
            (value.unwrap_or_default(), found.conflicts.len())
        };
        assert_eq!(told("Sheet A", "Sheet B").1, 1);
        let of_2029 = ("30 June 2029".to_owned(), 0);
        assert_eq!(told("Notice of 3 May 2023", "Notice of 4 May 2024"), of_2029);
        let of_2024 = ("30 June 2024".to_owned(), 0);
        assert_eq!(told("Notice of 4 May 2024", "Notice of 3 May 2023"), of_2024);
    }

    #[test]
    fn a_changed_clause_may_be_worded_otherwise() {
        assert_eq!(changed("Clause 3 is changed."), Some(3));
        assert_eq!(changed("Section 12 has been amended as follows:"), Some(12));
        assert_eq!(changed("Article 4 shall now read: The hall holds 90."), Some(4));
        assert_eq!(changed("Clause 3 is hereby replaced."), Some(3));
        assert_eq!(changed("Rule 7 was revised."), Some(7));
        assert_eq!(changed("Paragraph 2 now reads as follows."), Some(2));
        for none in [
            "Clause 3 is not changed.",
            "Clause 3 is changed in part.",
            "The tenant asks whether clause 3 is changed.",
            "Clause 3 ends on 4 May.",
        ] {
            assert_eq!(changed(none), None, "{none}");
        }
        assert_eq!(own_number("3. The lease ends."), Some(3));
        assert_eq!(own_number("Clause 3: The lease ends."), Some(3));
        assert_eq!(own_number("3 boats lie here."), None);
    }

    /// The value that is told in the place of another, read off the words alone.
    fn replaced(old: &str, value: &str, new: &str) -> Option<String> {
        let passages = [part(0, "May", old), part(1, "June", new)];
        let units = evidence_units(&passages);
        let (old, new) = (&units[0], &units[1]);
        let at = old.text.find(value)?;
        let value = at..at + value.len();
        let kind = old.values.iter().find(|one| one.range == value).map(|one| one.kind);
        let (own, its) = (said(old)?, said(new)?);
        let found = in_its_place((old, &own), (&value, kind), (new, &its))?;
        Some(new.text[found].to_owned())
    }

    #[test]
    fn the_words_around_a_value_are_the_same() {
        let old = "- The choir will meet every two weeks.";
        let new = "- The choir will meet every week from October on.";
        assert_eq!(replaced(old, "every two weeks", new).as_deref(), Some("every week"));
        let old = "6. The contact at the quarry is Ann Lee.";
        let new = "The contact at the quarry is Ben Poe.";
        assert_eq!(replaced(old, "Ann Lee", new).as_deref(), Some("Ben Poe"));
        let new = "The contact at the kiln is Ben Poe.";
        assert_eq!(replaced(old, "Ann Lee", new), None);
        let old = "The fee is 30 euros a year for adults.";
        assert_eq!(replaced(old, "30 euros", "The fee is 20 euros a year for children."), None);
        assert_eq!(replaced("The fee is 30 euros.", "30 euros", "The fee is too high."), None);
        let old = "The treasurer is Ann Lee.";
        assert_eq!(replaced(old, "Ann Lee", "The treasurer is ill."), None);
    }

    #[test]
    fn a_denial_is_turned_by_the_same_words_only() {
        let turned = |old: &str, new: &str| {
            let passages = [part(0, "May", old), part(1, "June", new)];
            let units = evidence_units(&passages);
            let (one, other) = (&units[0], &units[1]);
            said(one).zip(said(other)).is_some_and(|(own, its)| is_turned(one, &own, other, &its))
        };
        assert!(turned("Bikes are not allowed.", "Bikes are allowed on the quay."));
        assert!(turned("Bikes are allowed.", "Bikes are not allowed."));
        assert!(!turned("Bikes are not allowed.", "Prams are allowed."));
        assert!(!turned("Bikes are allowed.", "Bikes are allowed on the quay."));
        assert!(!turned("Dogs are allowed.", "Dogs are not allowed in the café."));
        assert!(!turned("Dogs are allowed.", "Dogs are not allowed with cats."));
        assert!(!turned("Dogs are allowed.", "Dogs are not allowed from the quay."));
        assert!(turned("Dogs are allowed.", "Dogs are not allowed from May on."));
        assert!(turned("Dogs are allowed.", "Dogs are not allowed as of May."));
    }

    #[test]
    fn parts_of_one_file_stand_in_the_order_of_their_days() {
        let text = "Keys cost 4 euros.";
        let later = |old: &str, new: &str| {
            let passages = [part(0, old, text), part(1, new, text)];
            let units = evidence_units(&passages);
            is_later(&units[1], &units[0])
        };
        assert!(later("Meeting of 3 May 2023", "Meeting of 7 June 2024"));
        assert!(!later("Meeting of 7 June 2024", "Meeting of 3 May 2023"));
        assert!(later("Lease", "First amendment"));
        assert!(!later("Keys", "Doors"));
        assert!(!later("Keys", "Meeting of 3 May 2023"));
        let mut passages = [part(0, "Keys", text), part(1, "Doors", text)];
        for read in &mut passages {
            read.source.title = "Rider to the lease".to_owned();
        }
        let units = evidence_units(&passages);
        assert!(!is_later(&units[1], &units[0]));
        let pump = document("pump", "Works", "The new pump replaces the old one.");
        let passages = [document("lease", "Keys", text), pump];
        let mut units = evidence_units(&passages);
        units[0].is_replaced = true;
        assert!(!is_later(&units[1], &units[0]));
    }

    #[test]
    fn a_later_part_says_it_under_the_same_heading() {
        let told = |below: &str| {
            let mut passages = [
                part(0, "Meeting of 3 May 2023", "The lease ends on 30 June 2024."),
                part(1, "Meeting of 4 May 2024", "The lease ends on 30 June 2029."),
            ];
            passages[0].passage.heading_path.push("Hall".to_owned());
            passages[1].passage.heading_path.push(below.to_owned());
            let units = evidence_units(&passages);
            below_day(&units[0]) == below_day(&units[1])
        };
        assert!(told("Hall") && !told("Boat house"));
    }
}
