//! Contrast: units that speak of another thing in words so like the question's that all of them bind.
//!
//! "The deputy treasurer" is not the treasurer, a two-bedroom flat has not three, the new lift is not the old one, and
//! what was opened was not therefore reopened. One word keeps them apart, and by sums of words it weighs too little.

use super::bind::Bound;
use super::clause::is_fields;
use super::editions::VERSIONS;
use super::pronouns::one_of_those;
use super::question::{Expects, Question, Term};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use super::variants::number;
use crate::verify::{gives_up, is_removed};
use crate::wordnet::WordNet;
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Words before an office that make it another office.
pub(super) const RANKS: [&str; 8] =
    ["deputy", "vice", "assistant", "associate", "junior", "honorary", "acting", "interim"];
/// Those whose bearer holds the office for the time being.
const FOR_NOW: [&str; 2] = ["acting", "interim"];
/// Those that are said for one another.
const SECOND: [&str; 3] = ["deputy", "vice", "assistant"];
/// Offices: who holds one of a row is not for that the holder of another row, however near a dictionary puts the two (a chair
/// is a head there). Words of one row are said for one another, what their holders do among them.
pub(super) const OFFICES: [&str; 21] = [
    "chair chairman chairwoman chairperson chaired chairs presides presided",
    "head director manager leader lead supervisor executive ceo headed leads led manages managed runs directs superintendent",
    "treasurer",
    "secretary",
    "president",
    "engineer",
    "auditor examiner",
    "clerk",
    "warden",
    "editor edits edited",
    "captain skipper",
    "mayor",
    "bursar",
    "registrar",
    "curator",
    "librarian",
    "architect",
    "accountant bookkeeper",
    "headteacher headmaster headmistress principal",
    "founder founded founders",
    "owner owns owned proprietor",
];
/// Words before a noun of which one keeps out the other.
const OPPOSITES: [(&str, &str); 40] = [
    ("old", "new"),
    ("upper", "lower"),
    ("inner", "outer"),
    ("left", "right"),
    ("north", "south"),
    ("northern", "southern"),
    ("east", "west"),
    ("eastern", "western"),
    ("minimum", "maximum"),
    ("opening", "closing"),
    ("summer", "winter"),
    ("morning", "afternoon"),
    ("morning", "evening"),
    ("daily", "weekly"),
    ("daily", "monthly"),
    ("weekly", "monthly"),
    ("monthly", "annual"),
    ("monthly", "yearly"),
    ("quarterly", "annual"),
    ("monthly", "quarterly"),
    ("gross", "net"),
    ("adult", "child"),
    ("single", "return"),
    ("single", "double"),
    ("weekday", "weekend"),
    ("inbound", "outbound"),
    ("domestic", "international"),
    ("domestic", "commercial"),
    ("internal", "external"),
    ("indoor", "outdoor"),
    ("primary", "secondary"),
    ("import", "export"),
    ("male", "female"),
    ("small", "large"),
    ("front", "rear"),
    ("short", "long"),
    ("first", "second"),
    ("original", "second"),
    ("first", "third"),
    ("second", "third"),
];
/// Deeds that are done again with "re" before them.
const AGAIN: [&str; 19] = [
    "open", "elect", "appoint", "build", "built", "introduc", "launch", "start", "instal", "paint",
    "wire", "hous", "locat", "hire", "train", "test", "negoti", "design", "certifi",
];
/// Deeds of which one undoes the other, by their stems.
const OPPOSITE_DEEDS: [(&str, &str); 11] = [
    ("open", "close"),
    ("reopen", "close"),
    ("open", "shut"),
    ("begin", "end"),
    ("start", "end"),
    ("start", "finish"),
    ("bought", "sold"),
    ("buy", "sell"),
    ("arriv", "depart"),
    ("win", "lose"),
    ("won", "lost"),
];
/// Verbs that put a question, which they do not answer.
const ASKING: [&str; 14] = [
    "discuss",
    "ask",
    "wonder",
    "debat",
    "question",
    "unclear",
    "unknown",
    "examin",
    "investig",
    "consid",
    "establish",
    "determin",
    "decid",
    "know",
];
/// Counts of people: their years are an age.
const PEOPLE: [&str; 9] =
    ["patient", "man", "woman", "boy", "girl", "child", "person", "lady", "resident"];

/// Whether the unit, in the sentence of the value if there is one, speaks of another thing.
pub(super) fn is_another(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
) -> bool {
    let text = value.map_or(unit.text, |value| sentence_of(unit.text, &value.range));
    let (asked, said) = (Said::of(&question.text), Said::of(text));
    if !question.past && is_of_before(text, &asked) {
        return true;
    }
    let whole = Said::of(unit.text);
    other_rank(&asked, &whole)
        || other_office(&asked, unit)
        // What a row is for stands in another field than its figure.
        || other_numbered_word(&asked, if is_fields(unit) { &whole } else { &said })
        || opposite(&asked, &said)
        || is_other_one(question, unit)
        || done_again(&asked, &said)
        || opposite_deed(question, &asked, &said)
        || poses_a_question(&asked, &said)
        || part_of_total(question, &asked, &said, unit)
        || (is_of_years_ago(question, &asked, &said)
            && !value.is_some_and(|value| another_was_then(unit, value)))
}

/// The sentence that a range stands in.
fn sentence_of<'t>(text: &'t str, at: &Range<usize>) -> &'t str {
    let start = text[..at.start].rfind([';', '\n']).map_or(0, |end| end + 1);
    let start = text[start..at.start].rfind(". ").map_or(start, |end| start + end + 2);
    let end = text[at.end..].find(". ").map_or(text.len(), |end| at.end + end + 1);
    &text[start..end]
}

/// "The reserve stood at 296,000 two years ago", where it is asked what it is.
fn is_of_years_ago(question: &Question, asked: &Said, said: &Said) -> bool {
    let figure = matches!(
        question.expects,
        Expects::Money | Expects::Count | Expects::Quantity | Expects::Percent | Expects::Person
    );
    let span = |word: &str| matches!(word, "year" | "years" | "month" | "months" | "decade");
    figure
        && !question.past
        && !question.happened
        && question.period.is_none()
        && !asked.has("ago")
        && said.pairs().any(|(before, word, _)| word == "ago" && span(before))
}

/// "64 members, up from 41 a year ago": it is the other figure that was so then.
fn another_was_then(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let Some(ago) = unit.text.rfind(" ago") else { return false };
    unit.values.iter().any(|other| {
        other.kind == value.kind && value.range.end <= other.range.start && other.range.end <= ago
    })
}

/// "Version 3 used 64 degrees", "under the previous contract": told of what was before, where what is now is asked for.
fn is_of_before(text: &str, asked: &Said) -> bool {
    let said = Said::of(text);
    let earlier = ["previous", "earlier", "old", "former", "superseded"];
    let named = |word: &str| asked.has(word);
    let at = |from: usize| said.words.get(from).map(String::as_str).unwrap_or_default();
    (0..said.words.len()).any(|place| {
        let (word, next, third) = (at(place), at(place + 1), at(place + 2));
        let number = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
        let edition = VERSIONS.contains(&word) && number(next) && !named(word);
        let used =
            matches!(third, "used" | "had" | "said" | "gave" | "allowed" | "required" | "set");
        let under = place > 0 && matches!(at(place - 1), "under" | "in") && place == 1;
        let of_earlier = matches!(word, "under" | "in")
            && (earlier.contains(&next) || (next == "the" && earlier.contains(&third)))
            && !earlier.iter().any(|word| named(word));
        (edition && (used || under)) || (of_earlier && place == 0)
    })
}

/// Whether the clause of a value tells what will be, where what was done is asked for.
pub(super) fn is_yet_to_come(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let figure = matches!(
        question.expects,
        Expects::Money | Expects::Count | Expects::Quantity | Expects::Percent
    );
    if !figure || !question.happened || !Said::of(&question.text).words.iter().any(|w| w == "did") {
        return false;
    }
    let clause = &unit.segments[unit.segment_of(value.range.start)].range;
    let clause = clause.start.min(value.range.start)..clause.end.max(value.range.end);
    Said::of(&unit.text[clause]).words.iter().any(|word| matches!(word.as_str(), "will" | "shall"))
}

/// Whether a span of years is somebody's age: "a patient of 78 years", "aged 78 years".
pub(super) fn is_age(text: &str, value: &Value) -> bool {
    let years = value.kind == ValueKind::Duration && text[value.range.clone()].contains("year");
    let before = Said::of(&text[..value.range.start]).words;
    let after = Said::of(&text[value.range.end..]).words;
    years
        && (before.last().is_some_and(|word| word == "aged")
            || after.first().is_some_and(|word| word == "old")
            || matches!(before.as_slice(), [.., who, of] if of == "of" && PEOPLE.contains(&who.as_str())))
}

/// Whether somebody is named as one who left an office: "X resigned as treasurer", "Y succeeded X".
pub(super) fn has_left(text: &str, name: &Range<usize>) -> bool {
    let clause_end = text[name.end..].find(['.', ';']).map_or(text.len(), |at| name.end + at);
    let after = Said::of(&text[name.end..clause_end]).words;
    let next: Vec<&str> = after.iter().map(String::as_str).filter(|w| *w != "has").collect();
    let word = |at: usize| next.get(at).copied().unwrap_or_default();
    let left = gives_up(word(0), word(1))
        || matches!(word(0), "is" | "was") && is_removed(word(1))
        || matches!(
            next.as_slice(),
            ["died" | "left", ..]
                | [
                    "is" | "was",
                    "leaving" | "resigning" | "retiring" | "replaced" | "succeeded",
                    ..
                ]
                | ["will" | "is", "leave" | "resign" | "retire", ..]
        );
    let until =
        after.iter().any(|word| word == "until") && !after.iter().any(|word| word == "will");
    let before = Said::of(&text[..name.start]).words;
    let succeeded = before.last().is_some_and(|word| {
        matches!(word.as_str(), "succeeded" | "succeeds" | "replaced" | "replaces")
    });
    left || until || succeeded
}

/// Whether a unit, or what stands over it, tells of somebody who held an office before.
pub(super) fn tells_of_before(unit: &EvidenceUnit<'_>) -> bool {
    const BEFORE: [&str; 26] = [
        "was",
        "were",
        "had",
        "served",
        "former",
        "formerly",
        "previous",
        "previously",
        "predecessor",
        "until",
        "retired",
        "resigned",
        "left",
        "stood",
        "stepped",
        "succeeded",
        "succeeds",
        "replaced",
        "replaces",
        "replacing",
        "handed",
        "gave",
        "ex",
        "past",
        "outgoing",
        "from",
    ];
    let over = unit.read.passage.heading_path.last().map(String::as_str).unwrap_or_default();
    [unit.text, over]
        .iter()
        .any(|text| Said::of(text).words.iter().any(|word| BEFORE.contains(&word.as_str())))
}

/// Words of a text, hyphens as white space, and where a hyphen stood.
struct Said {
    words: Vec<String>,
    /// Positions of words that a hyphen joins to the next.
    joined: Vec<bool>,
}

impl Said {
    fn of(text: &str) -> Self {
        let mut said = Self { words: Vec::new(), joined: Vec::new() };
        for token in text.to_lowercase().split(|c: char| !(c.is_alphanumeric() || c == '-')) {
            let parts: Vec<&str> = token.split('-').filter(|part| !part.is_empty()).collect();
            for (at, part) in parts.iter().enumerate() {
                said.words.push((*part).to_owned());
                said.joined.push(at + 1 < parts.len());
            }
        }
        said
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }

    /// Pairs of words that stand side by side, and whether a hyphen joins them.
    fn pairs(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        self.words
            .windows(2)
            .zip(&self.joined)
            .map(|(pair, joined)| (pair[0].as_str(), pair[1].as_str(), *joined))
    }

    /// The word before each place of a word with this stem; `None` where it comes first.
    fn before(&self, wanted: &str) -> Vec<Option<&str>> {
        let own = self.words.iter().enumerate().filter(|(_, word)| stem(word) == wanted);
        own.map(|(at, _)| at.checked_sub(1).map(|at| self.words[at].as_str())).collect()
    }
}

fn other_rank(asked: &Said, said: &Said) -> bool {
    let same = |a: &str, b: &str| a == b || (SECOND.contains(&a) && SECOND.contains(&b));
    let missing = asked.pairs().any(|(rank, office, _)| {
        let found = said.before(&stem(office));
        RANKS.contains(&rank)
            && !found.is_empty()
            && !found.iter().flatten().any(|before| same(rank, before))
    });
    let added = said.pairs().any(|(rank, office, _)| {
        let office = stem(office);
        let (wanted, found) = (asked.before(&office), said.before(&office));
        let ranked = |before: Option<&str>| before.is_some_and(|word| RANKS.contains(&word));
        RANKS.contains(&rank)
            && !FOR_NOW.contains(&rank)
            && !wanted.is_empty()
            && !wanted.iter().copied().any(ranked)
            && found.iter().copied().all(ranked)
    });
    missing || added
}

/// "Head of operations: A" does not tell who is the chair.
fn other_office(asked: &Said, unit: &EvidenceUnit<'_>) -> bool {
    if !asked.words.first().is_some_and(|word| matches!(word.as_str(), "who" | "whom")) {
        return false;
    }
    let rows = |said: &Said| -> Vec<usize> {
        let has = |row: &str| row.split(' ').any(|word| said.has(word));
        (0..OFFICES.len()).filter(|row| has(OFFICES[*row])).collect()
    };
    let wanted = rows(asked);
    let found = rows(&Said::of(unit.text));
    !wanted.is_empty() && !found.is_empty() && !found.iter().any(|row| wanted.contains(row))
}

/// A number that makes up one word with a noun: "three-bedroom", "12-month". A number that the thing is for stands in `variants`.
fn other_numbered_word(asked: &Said, said: &Said) -> bool {
    let is_number = |word: &str| number(word).is_some();
    asked.pairs().any(|(number, noun, _)| {
        let noun = stem(noun);
        let found: Vec<(&str, bool)> = said
            .pairs()
            .filter(|(own, next, _)| is_number(own) && stem(next) == noun)
            .map(|(own, _, joined)| (own, joined))
            .collect();
        let hyphen = found.iter().any(|(_, joined)| *joined);
        is_number(number) && hyphen && !found.iter().any(|(own, _)| *own == number)
    })
}

/// "The old lift" is asked for, and the unit has a new lift and nothing old.
fn opposite(asked: &Said, said: &Said) -> bool {
    let sides = OPPOSITES.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    sides.filter(|(wanted, other)| asked.has(wanted) && !asked.has(other)).any(|(wanted, other)| {
        if said.has(wanted) || !said.has(other) {
            return false;
        }
        let noun = asked.words.iter().skip_while(|word| *word != wanted).skip(1);
        let noun: Vec<String> =
            noun.take(2).filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect();
        let at = said.words.iter().position(|word| word == other).unwrap_or(0);
        said.words[at + 1..].iter().take(2).any(|word| noun.contains(&stem(word)))
    })
}

/// "The old one was sold for 240 pounds", where it is asked what the new van cost: of several of a kind it is the one that is
/// called so.
fn is_other_one(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    /// Strength from which two words call a thing alike: "the bigger one" is the larger dog.
    const ALIKE: f32 = 0.5;
    if one_of_those(unit.text).is_none_or(|called| called.is_empty()) {
        return false;
    }
    let says = |term: &Term| {
        let mut own = unit.words.iter().filter(|word| word.place == Place::Unit);
        own.any(|word| {
            word.stem == term.stem || WordNet::builtin().strength(&term.word, &word.word) >= ALIKE
        })
    };
    question.terms.iter().any(|term| term.narrows && !says(term))
}

fn done_again(asked: &Said, said: &Said) -> bool {
    asked.words.iter().any(|word| {
        let Some(once) = word.strip_prefix("re").map(stem) else { return false };
        AGAIN.contains(&once.as_str())
            && !said.words.iter().any(|own| stem(own) == stem(word) || own == "again")
            && said.words.iter().any(|own| stem(own) == once)
    })
}

/// "Closed in April" does not tell when it opened.
fn opposite_deed(question: &Question, asked: &Said, said: &Said) -> bool {
    let figure = !matches!(
        question.expects,
        Expects::YesNo | Expects::Any | Expects::List | Expects::Reason
    );
    let has = |text: &Said, wanted: &str| text.words.iter().any(|word| stem(word) == wanted);
    let sides = OPPOSITE_DEEDS.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    figure
        && sides.into_iter().any(|(wanted, other)| {
            has(asked, wanted) && !has(asked, other) && has(said, other) && !has(said, wanted)
        })
}

/// "The committee discussed what had caused the flood" says what is asked, and not the answer.
fn poses_a_question(asked: &Said, said: &Said) -> bool {
    let wh = ["what", "why", "whether", "how", "who", "when", "which", "where"];
    said.pairs().any(|(verb, next, _)| {
        let verb = stem(verb);
        ASKING.contains(&verb.as_str())
            && wh.contains(&next)
            && !asked.words.iter().any(|word| stem(word) == verb)
    })
}

/// "3,120 robots at 47 sites (EU: 29 sites, Japan: 4)": a name with a figure of its own in brackets has no other one of the sentence.
pub(super) fn has_own_figure(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    bounds: &[Bound],
    value: Option<&Value>,
) -> bool {
    let Some(value) = value.filter(|_| question.expects.is_figure()) else { return false };
    let in_brackets = |at: usize| {
        let before = &unit.text[..at];
        before.rfind('(').is_some_and(|open| !before[open..].contains(')'))
    };
    question.terms.iter().zip(bounds).any(|(term, bound)| {
        let own = term.hard && !bound.at.is_empty() && in_brackets(bound.at.start);
        let behind = unit.text.get(bound.at.end..).filter(|_| own).unwrap_or_default();
        let told = behind.strip_prefix(':').map(str::trim_start);
        let is_told = told.is_some_and(|told| told.starts_with(|c: char| c.is_ascii_digit()));
        is_told && (!in_brackets(value.range.start) || counts_others(question, unit, value))
    })
}

/// Whether what stands in the brackets of a figure counts something else than is asked for: "(Fife: 29 yards, Bute: 4)" counts no boats.
fn counts_others(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let Some(counted) = &question.counted else { return false };
    let Some(open) = unit.text[..value.range.start].rfind('(') else { return false };
    let inside = &unit.text[open + 1..];
    let inside = words(&inside[..inside.find(')').unwrap_or(inside.len())]);
    let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
    let named = inside.windows(2).find(|pair| is_number(&pair[0]) && !is_number(&pair[1]));
    named.is_some_and(|pair| stem(&pair[1]) != *counted)
}

/// "How long to charge it to 80 %?", of a row "8 hours | 11 hours (80 % in 18 minutes)": a number that stands in another cell than the
/// value is of another column's thing. Numbers of the first column name the row.
pub(super) fn is_in_other_column(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    bounds: &[Bound],
    value: Option<&Value>,
) -> bool {
    let Some(value) = value.filter(|_| question.expects.is_figure() && !unit.cells.is_empty())
    else {
        return false;
    };
    let column = unit.words.iter().find_map(|word| {
        let inside = !word.at.is_empty()
            && word.at.start < value.range.end
            && value.range.start < word.at.end;
        word.column.filter(|_| inside)
    });
    let Some(column) = column.filter(|column| *column > 0) else { return false };
    question.terms.iter().zip(bounds).any(|(term, bound)| {
        let number = term.hard && term.word.chars().all(|c| c.is_ascii_digit());
        // Where the number stands in the value's own cell as well, it is said of it.
        let elsewhere = bound.column.is_some_and(|other| other > 0 && other != column);
        number && elsewhere && !bound.at.is_empty() && {
            let own = |word: &&Word| {
                word.place == Place::Unit && word.column == Some(column) && word.word == term.word
            };
            !unit.words.iter().any(|word| own(&word))
        }
    })
}

/// "In total" is asked for, and the unit lists parts.
fn part_of_total(question: &Question, asked: &Said, said: &Said, unit: &EvidenceUnit<'_>) -> bool {
    let whole = |said: &Said| {
        ["total", "altogether", "combined", "overall", "sum", "all"]
            .iter()
            .any(|word| said.has(word))
    };
    let kind = match question.expects {
        Expects::Count => ValueKind::Count,
        Expects::Money => ValueKind::Money,
        _ => return false,
    };
    let parts = unit.values.iter().filter(|value| value.kind == kind).count();
    unit.cells.is_empty()
        && ["total", "altogether", "combined"].iter().any(|word| asked.has(word))
        && !whole(said)
        && parts >= 2
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::values::values;
    use super::*;

    fn another(question: &str, text: &str) -> bool {
        let passages = [document("a", "Facts", text)];
        let units = evidence_units(&passages);
        is_another(&Question::parse(question, &[]), &units[0], None)
    }

    #[test]
    fn a_name_in_brackets_has_the_figure_behind_it() {
        let said = |question: &str| {
            let text = "The fleet has 3,120 boats at 47 yards (Fife: 29 yards, Bute: 4).";
            let passages = [document("a", "Facts", text)];
            let units = evidence_units(&passages);
            let question = Question::parse(question, &[]);
            let best = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
            best.first()
                .and_then(|best| Some(units[best.unit].text[best.value.clone()?].to_owned()))
        };
        assert_eq!(said("How many yards are there in Bute?").as_deref(), Some("4"));
        assert_eq!(said("How many boats are there in Bute?"), None);
        assert_eq!(said("How many boats has the fleet?").as_deref(), Some("3,120"));
    }

    #[test]
    fn one_word_keeps_things_apart() {
        for (question, text) in [
            ("Who is the deputy treasurer?", "Ann Reed was elected treasurer."),
            ("Who is the treasurer?", "The deputy treasurer is Ann Reed."),
            ("Who is the vice-chair?", "Present: Ann Reed (chair)."),
            ("Who is the chair of the cooperative?", "Head of operations: Ann Reed."),
            ("Who is the secretary?", "Ann Reed, treasurer, took the minutes."),
            ("What does a three-bedroom flat cost?", "The charge for a two-bedroom flat is 438."),
            ("How much did the old lift cost?", "The new lift cost 83,400 pounds."),
            ("How much did the new van cost?", "The old one was sold for 240 pounds."),
            ("How heavy is the brown dog?", "The bigger one weighs 24 kilos."),
            ("When is the opening time?", "The closing time is 18:00."),
            ("Who is the original supplier of the pump?", "A second supplier of the pump is Orm."),
            ("When was the pharmacy reopened?", "The pharmacy was opened in 2016."),
            ("When was the pharmacy reopened?", "The pharmacy was closed in 2016."),
            ("What caused the flood?", "The board discussed what had caused the flood."),
            ("How many staff are there in total?", "It employs 27 nurses and 34 porters."),
            ("How hot is the mash?", "Version 3 used a mash temperature of 64 degrees."),
            ("How long is it soaked?", "Under Issue 4 it was soaked for 20 minutes."),
            ("How much is the reserve?", "The reserve stood at \u{a3}296,000 two years ago."),
        ] {
            assert!(another(question, text), "{question} / {text}");
        }
    }

    #[test]
    fn what_is_the_same_stays() {
        for (question, text) in [
            ("Who is the deputy treasurer?", "Ann Reed is vice treasurer."),
            ("Who is the chair?", "The acting chair is Ann Reed."),
            ("Who is the chair?", "Ann Reed presides; Tom Wren is treasurer."),
            ("Who is the operations director?", "Head of operations: Ann Reed."),
            ("Who is the chair?", "Ann Reed has been elected to it."),
            ("What did the chair say?", "The treasurer quoted him: it is done."),
            ("What does a two-bedroom flat cost?", "The charge for a two-bedroom flat is 438."),
            ("How much did the new lift cost?", "The lift cost 83,400 pounds, the old one less."),
            ("How much did the old van fetch?", "The old one was sold for 240 pounds."),
            ("How heavy is the bigger dog?", "The bigger one weighs 24 kilos."),
            ("How heavy is the dog?", "The bigger one weighs 24 kilos."),
            ("When was the pharmacy reopened?", "It was opened again in 2018."),
            (
                "How many staff are there in total?",
                "It employs 27 nurses and 34 porters, 61 in all.",
            ),
            ("How hot was version 3?", "Version 3 used a mash temperature of 64 degrees."),
            ("How long is the old slip?", "The old slip is 40 metres long, the new slip 52."),
        ] {
            assert!(!another(question, text), "{question} / {text}");
        }
    }

    #[test]
    fn what_was_years_ago_is_said_of_one_figure() {
        let of_first = |text: &str| {
            let passages = [document("a", "Facts", text)];
            let units = evidence_units(&passages);
            let question = Question::parse("How many singers does the choir have?", &[]);
            let count = units[0].values.iter().find(|value| value.kind == ValueKind::Count);
            is_another(&question, &units[0], count)
        };
        assert!(!of_first("The choir has 52 singers, up from 38 a year ago."));
        assert!(of_first("The choir had 38 singers a year ago."));
    }

    #[test]
    fn who_left_holds_nothing() {
        let left = |text: &str, name: &str| {
            let at = text.find(name).expect("it stands there");
            has_left(text, &(at..at + name.len()))
        };
        let text = "Tom Wren resigned as treasurer. Ann Reed was elected in his place.";
        assert!(left(text, "Tom Wren") && !left(text, "Ann Reed"));
        assert!(left("Tom Wren stood down as chair after six years.", "Tom Wren"));
        assert!(left("Ann Reed succeeded Tom Wren as chair.", "Tom Wren"));
        assert!(!left("Ann Reed succeeded Tom Wren as chair.", "Ann Reed"));
    }

    #[test]
    fn years_of_a_person_are_an_age() {
        let age = |text: &str| values(text).iter().any(|value| is_age(text, value));
        assert!(age("A patient of 78 years was given the gel."));
        assert!(age("She is 34 years old."));
        assert!(!age("The lease runs for 12 years."));
    }
}
