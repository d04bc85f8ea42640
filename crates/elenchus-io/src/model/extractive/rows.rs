//! Rows: what is asked of a table or a log as a whole: "Which incidents happened on Ward 3?", "List the deliveries that were late".
//!
//! The head of the question names what the rows are, by the title, the heading or a column; every other word of it is a
//! condition that a cell of the row fulfils. Where one word is left over, nothing is said: half a condition would list the
//! wrong rows.

use super::asked_past::asks_for_the_old;
use super::bind::Candidate;
use super::cells::{Field, NAMING, fields};
use super::expects::AUXILIARIES;
use super::matching::Matcher;
use super::overview::{Overview, head as head_of_topic, is_many, overview};
use super::periods::{month, periods};
use super::question::{Class, Question, Term};
use super::unit::{EvidenceUnit, Place, called};
use crate::ingest::UnitKind;
use elenchus_core::evidence::PartialDate;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::{BTreeMap, BTreeSet};

/// Most rows that are listed.
const MOST: usize = 15;
/// Likeness from which a word of a cell fulfils a condition.
const FULFILS: f64 = 0.85;
/// What rows that fulfil all that is asked are worth: of fair bearing, since rows that were not read may fulfil it too.
pub(super) const BEARS: f64 = 0.8;
/// Most words of a cell that is asked for whole.
const CELL: usize = 4;
/// Stems that only say that a row is one.
const SAYS_NOTHING: [&str; 22] = [
    "happen", "occur", "take", "took", "place", "record", "list", "log", "regist", "involv",
    "enter", "entri", "there", "use", "contain", "exist", "all", "row", "line", "item", "concern",
    "affect",
];

/// Words of the frame of a question that asks for a list.
const FRAME: [&str; 26] = [
    "list",
    "enumerate",
    "name",
    "names",
    "give",
    "show",
    "please",
    "each",
    "every",
    "mentioned",
    "named",
    "listed",
    "covered",
    "discussed",
    "described",
    "documented",
    "recorded",
    "referred",
    "included",
    "present",
    "documents",
    "files",
    "folder",
    "different",
    "could",
    "can",
];

/// What the rows are that a question asks for, as a stem; `None` for a question that asks for one thing.
pub(super) fn asked_rows(question: &Question) -> Option<String> {
    let text = question.text.to_lowercase();
    if question.overview == Some(Overview::Listing) {
        let (_, topic) = overview(&question.text)?;
        // What the frame of the question leaves out may be a condition: "which incidents are listed at Leith".
        let told = words(&topic.to_lowercase());
        let when = periods(&question.text).into_iter().map(|period| period.range);
        let when: Vec<String> =
            when.flat_map(|at| words(&question.text[at].to_lowercase())).collect();
        let left_out = words(&text).into_iter().any(|word| {
            !told.contains(&word)
                && !when.contains(&word)
                && !is_stop_word(&word)
                && !FRAME.contains(&word.as_str())
        });
        return head_of_topic(&topic).filter(|_| !left_out).map(|head| stem(&head));
    }
    if question.overview.is_some() {
        return None;
    }
    let all = words(&text);
    let from = match all.as_slice() {
        [which, ..] if which == "which" || which == "what" => 1,
        [how, many, ..] if how == "how" && many == "many" => 2,
        _ => return None,
    };
    let is_noun = |word: &&String| {
        !is_stop_word(word)
            && !AUXILIARIES.contains(&word.as_str())
            && question.terms.iter().all(|term| term.word != **word || term.class == Class::Noun)
    };
    let head = all[from..].iter().take_while(is_noun).take(3).last()?;
    is_many(head).then(|| stem(head))
}

/// The rows that fulfil what is asked, in the order of their table; `None` where the question asks for no rows, no table is of
/// them, or a word of it is fulfilled by none.
pub(super) fn rows(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Option<Vec<Candidate>> {
    let head = asked_rows(question)?;
    // Without, except, the most, the first: what is compared or turned round is not read off cells.
    let turned = words(&question.text.to_lowercase()).iter().any(|word| {
        matches!(
            word.as_str(),
            "not"
                | "no"
                | "never"
                | "without"
                | "except"
                | "most"
                | "least"
                | "first"
                | "last"
                | "more"
                | "less"
                | "than"
                | "between"
                | "other"
                | "before"
                | "after"
                | "since"
                | "besides"
                | "apart"
                | "excluding"
                | "only"
        ) || (word.len() > 5 && word.ends_with("est"))
    });
    if turned {
        return None;
    }
    let asked = periods(&question.text).first().map(|period| period.value);
    let old = question.past || asked.is_some() || asks_for_the_old(question);
    let found = tables(all, units, old).into_iter().filter_map(|table| {
        let listed = listed(question, asked, &head, &table, matcher)?;
        let date = table[0].unit.read.source.date.as_ref().map(|date| date.value.order_key());
        Some((listed.0, date, listed.1))
    });
    let (_, _, best) = found.max_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)))?;
    Some(best)
}

/// The rows that have a cell of just the words which a question for one thing ends with: "Which boat is out of service?". Where
/// there are several, none of them is the one.
pub(super) fn rows_with_cell(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<Candidate> {
    let asked = words(&question.text);
    let [which, rest @ ..] = asked.as_slice() else { return Vec::new() };
    let verb = rest.iter().position(|word| AUXILIARIES.contains(&word.as_str()));
    let Some(verb) = verb.filter(|verb| (1..=3).contains(verb) && which == "which") else {
        return Vec::new();
    };
    let Some((head, wanted)) = rest[..verb].last().zip(rest.get(verb + 1..)) else {
        return Vec::new();
    };
    let skipped = |word: &&String| matches!(word.as_str(), "the" | "a" | "an" | "currently");
    let wanted: Vec<&String> = wanted.iter().skip_while(skipped).collect();
    let is_one = matches!(rest[verb].as_str(), "is" | "was") && !wanted.is_empty();
    if !is_one || question.period.is_some() {
        return Vec::new();
    }
    let head = stem(head);
    let old = question.past || asks_for_the_old(question);
    let found = all.iter().filter_map(|candidate| {
        let unit = &units[candidate.unit];
        let fields = fields(unit);
        if fields.len() < 3 || unit.is_note || (unit.is_superseded() && !old) {
            return None;
        }
        let has =
            |field: &Field| words(&unit.text[field.at.clone()]).iter().eq(wanted.iter().copied());
        let hit = fields.iter().position(has)?;
        let names = |field: &&Field| field.name.contains(&head);
        let names_row =
            |field: &&Field| field.name.iter().any(|word| NAMING.contains(&word.as_str()));
        let naming = fields.iter().find(names).or_else(|| fields.iter().find(names_row));
        let naming = naming.filter(|field| field.at != fields[hit].at && !field.at.is_empty());
        Some(Candidate {
            accepted: true,
            value: naming.map(|field| field.at.clone()),
            polarity: None,
            weighed: Some(BEARS),
            ..candidate.clone()
        })
    });
    found.collect()
}

/// The items of the list that is there for what is to be done: its heading, or what introduces it, names all of it.
pub(super) fn steps(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Option<Vec<Candidate>> {
    let frame = ["step", "procedur", "instruct", "checklist", "list"];
    let wanted: Vec<&Term> =
        question.terms.iter().filter(|term| !frame.contains(&term.stem.as_str())).collect();
    if !question.steps || wanted.is_empty() {
        return None;
    }
    let mut lists: BTreeMap<(&str, &[String]), Vec<&Candidate>> = BTreeMap::new();
    for candidate in all {
        let unit = &units[candidate.unit];
        let over = |term: &&Term| {
            unit.words
                .iter()
                .any(|word| word.place == Place::Near && matcher.likeness(term, word) >= FULFILS)
        };
        if unit.kind == UnitKind::Item && !unit.is_superseded() && wanted.iter().all(over) {
            let path = unit.read.passage.heading_path.as_slice();
            lists.entry((unit.read.source.id.0.as_str(), path)).or_default().push(candidate);
        }
    }
    let mut best = lists.into_values().max_by_key(Vec::len)?;
    best.sort_by_key(|one| (units[one.unit].read.passage.span.start, units[one.unit].ordinal));
    let told = |one: &Candidate| Candidate {
        accepted: true,
        polarity: None,
        weighed: Some(BEARS),
        ..one.clone()
    };
    Some(best.into_iter().take(MOST).map(told).collect())
}

/// The rows that were read, table by table, in the order of each; those of documents that are out of date only where `old`.
pub(super) fn tables<'a>(
    all: &'a [Candidate],
    units: &'a [EvidenceUnit<'a>],
    old: bool,
) -> Vec<Vec<Row<'a>>> {
    let mut tables: BTreeMap<Table<'a>, Vec<Row<'a>>> = BTreeMap::new();
    for candidate in all {
        let unit = &units[candidate.unit];
        let fields = fields(unit);
        let is_old = unit.is_superseded() || unit.is_replaced;
        if fields.len() < 2 || unit.is_note || (is_old && !old) {
            continue;
        }
        // A row that is written out leaves its empty cells away: the first column tells the table.
        let told = if unit.cells.is_empty() { 1 } else { fields.len() };
        let names = fields.iter().take(told).map(|field| field.name.clone()).collect();
        let key =
            (unit.read.source.id.0.as_str(), unit.read.passage.heading_path.as_slice(), names);
        tables.entry(key).or_default().push(Row { candidate, unit, fields });
    }
    let mut tables: Vec<Vec<Row<'a>>> = tables.into_values().collect();
    for table in &mut tables {
        table.sort_by_key(|row| (row.unit.read.passage.span.start, row.unit.ordinal));
    }
    tables
}

/// Document, headings and columns of a table, or the first column where empty cells are left away.
type Table<'a> = (&'a str, &'a [String], Vec<Vec<String>>);

/// A row of a table.
pub(super) struct Row<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) unit: &'a EvidenceUnit<'a>,
    pub(super) fields: Vec<Field>,
}

impl Row<'_> {
    pub(super) fn cell(&self, at: usize) -> &str {
        &self.unit.text[self.fields[at].at.clone()]
    }

    /// Whether a cell fulfils a condition.
    fn fulfils(&self, condition: &Condition<'_>, matcher: &Matcher) -> bool {
        match condition {
            Condition::Phrase(phrase) => (0..self.fields.len()).any(|at| {
                let own = words(&self.cell(at).to_lowercase());
                let asked: Vec<&str> = phrase.iter().map(String::as_str).collect();
                own.windows(asked.len()).any(|part| part.iter().eq(asked.iter()))
            }),
            Condition::Month(month) => {
                self.unit.periods.iter().any(|period| period.value.month == *month)
            }
            Condition::Word(term) => self.unit.words.iter().any(|word| {
                word.place == Place::Unit
                    && matcher.likeness(term, word) >= FULFILS
                    && self
                        .fields
                        .iter()
                        .any(|field| field.at.start <= word.at.start && word.at.end <= field.at.end)
            }),
        }
    }
}

/// What a row must have in one of its cells.
enum Condition<'q> {
    Word(&'q Term),
    /// "Ward 3": a number with the word that it stands beside.
    Phrase(Vec<String>),
    Month(u8),
}

impl Condition<'_> {
    fn is_word(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own.word == word)
    }
}

/// A condition, and whether it is one side of an "or".
struct Wanted<'q> {
    condition: Condition<'q>,
    one_of: bool,
}

/// How many conditions the rows of a table fulfil, and those that fulfil all.
fn listed(
    question: &Question,
    asked: Option<PartialDate>,
    head: &str,
    table: &[Row<'_>],
    matcher: &Matcher,
) -> Option<(usize, Vec<Candidate>)> {
    let first = table.iter().rev().max_by_key(|row| row.fields.len())?;
    let over: BTreeSet<String> = over_words(first.unit);
    let column = first.fields.iter().position(|field| field.name.iter().any(|word| word == head));
    if column.is_none() && !over.contains(head) {
        return None;
    }
    let all = words(&question.text.to_lowercase());
    let either = either(&all);
    let mut conditions: Vec<Wanted<'_>> = Vec::new();
    for term in &question.terms {
        if term.stem == head
            || (term.light && !term.hard)
            || SAYS_NOTHING.contains(&term.stem.as_str())
        {
            continue;
        }
        let number = term.hard && term.word.chars().all(|c| c.is_ascii_digit());
        // The word that a number stands beside: "Ward 3".
        let at = all.iter().position(|word| *word == term.word);
        let beside = at.and_then(|at| all.get(at.checked_sub(1)?));
        let beside = beside.filter(|word| number && !is_stop_word(word));
        let condition = match (beside, month(&term.word)) {
            (Some(before), _) => {
                // The word alone fulfils nothing where its number is asked for too.
                conditions.retain(|one| !one.condition.is_word(before));
                Condition::Phrase(vec![before.clone(), term.word.clone()])
            }
            (None, Some(month)) if !term.hard => Condition::Month(month),
            (None, _) => Condition::Word(term),
        };
        let in_cells = table.iter().any(|row| row.fulfils(&condition, matcher));
        // "Keeper" is the column of whoever keeps.
        let names = |word: &String| {
            *word == term.stem
                || term.stem.len() > 3
                    && word.strip_prefix(&term.stem).is_some_and(|end| matches!(end, "er" | "or"))
        };
        let in_name = first.fields.iter().any(|field| field.name.iter().any(names));
        if !in_cells && (in_name || over.contains(&term.stem)) {
            continue;
        }
        if !in_cells {
            return None;
        }
        let one_of =
            either.contains(&term.word) || beside.is_some_and(|word| either.contains(word));
        conditions.push(Wanted { condition, one_of });
    }
    // "On the main stage": where that is all of a cell, neither of its words alone fulfils it.
    let cells = table.iter().flat_map(|row| (0..row.fields.len()).map(move |at| row.cell(at)));
    let phrases: BTreeSet<Vec<String>> = cells
        .map(|cell| words(&cell.to_lowercase()))
        .filter(|cell| {
            (2..=CELL).contains(&cell.len())
                && all.windows(cell.len()).any(|part| part == cell.as_slice())
                && !cell.iter().all(|word| is_stop_word(word))
                && !cell.iter().any(|word| either.contains(word))
        })
        .collect();
    for phrase in phrases {
        let condition = Condition::Phrase(phrase);
        conditions.push(Wanted { condition, one_of: false });
    }
    // A single side of an "or" is a condition like any other.
    let sides = conditions.iter().filter(|one| one.one_of).count();
    let fits = |row: &&Row<'_>| {
        let (either, all): (Vec<_>, Vec<_>) =
            conditions.iter().partition(|one| one.one_of && sides > 1);
        let has = |one: &&Wanted<'_>| row.fulfils(&one.condition, matcher);
        let one_of = either.is_empty() || either.iter().any(has);
        let all_others = all.iter().all(has);
        let then = asked.is_none_or(|asked| {
            row.unit.periods.iter().any(|period| asked.contains(period.value))
                || (row.unit.periods.is_empty() && row.candidate.names_bound)
        });
        one_of && all_others && then
    };
    let chosen: Vec<&Row<'_>> = table.iter().filter(fits).collect();
    if chosen.is_empty() || chosen.len() > MOST {
        return None;
    }
    let naming = column.or_else(|| {
        first
            .fields
            .iter()
            .position(|field| field.name.iter().any(|word| NAMING.contains(&word.as_str())))
    });
    let naming = naming.map(|at| &first.fields[at].name);
    let named = |row: &Row<'_>| {
        let cell = row.fields.iter().find(|field| Some(&field.name) == naming)?;
        Some(cell.at.clone()).filter(|at| !at.is_empty())
    };
    // "Which partners did Ann Reed bring in?" is not answered with Ann Reed.
    let says_nothing = |row: &Row<'_>| {
        named(row).is_some_and(|at| {
            words(&row.unit.text[at].to_lowercase()).iter().all(|word| all.contains(word))
        })
    };
    if chosen.iter().any(|row| says_nothing(row)) {
        return None;
    }
    let answers = chosen.iter().map(|row| Candidate {
        accepted: true,
        value: named(row),
        polarity: None,
        weighed: Some(BEARS),
        ..row.candidate.clone()
    });
    let answers = answers.collect();
    Some((conditions.len(), answers))
}

/// Stems of what stands over a row: title, path, headings and what introduces the table.
pub(super) fn over_words(unit: &EvidenceUnit<'_>) -> BTreeSet<String> {
    let headings = unit.read.passage.heading_path.join(" ");
    let lead = unit.read.passage.lead_in.as_deref().unwrap_or_default();
    let over = words(&format!("{headings} {lead}").to_lowercase());
    called(&unit.read.source).iter().chain(&over).map(|word| stem(word)).collect()
}

/// "Moderate or severe": the words at both sides of an "or".
fn either(all: &[String]) -> BTreeSet<&String> {
    let places = all.iter().enumerate().filter(|(_, word)| *word == "or");
    places
        .flat_map(|(at, _)| [at.checked_sub(1), Some(at + 1)])
        .flatten()
        .filter_map(|at| all.get(at))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const LOG: &str = "| Date | Ref | Ward | Event | Harm | Reported by |\n|---|---|---|---|---|---|\n\
        | 2025-02-03 | INC-104 | Ward 6 | Level taken late | low | Samir Haddad |\n\
        | 2025-03-19 | INC-113 | Ward 3 | Tenfold overdose | moderate | Nuala Brophy |\n\
        | 2025-05-08 | INC-121 | Ward 9 | Bleeding | severe | Nuala Brophy |\n\
        | 2025-05-17 | INC-131 | Ward 3 | Dose not reduced | low | Samir Haddad |\n";

    fn listed(question: &str) -> Option<Vec<String>> {
        let mut passages = [document("incidents", "Incidents of 2025", LOG)];
        let header = ["Date", "Ref", "Ward", "Event", "Harm", "Reported by"];
        passages[0].passage.table_header = header.map(str::to_owned).to_vec();
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let question = Question::parse(question, &[]);
        let (all, _) = by_words(&question, &units, &matcher, &Commonness::new(&[], 9));
        let found = rows(&question, &all, &units, &matcher)?;
        let value = |one: &Candidate| Some(units[one.unit].text[one.value.clone()?].to_owned());
        Some(found.iter().filter_map(value).collect())
    }

    #[test]
    fn rows_fulfil_every_word_of_the_question() {
        let told = |question: &str| listed(question).unwrap_or_default();
        assert_eq!(told("Which incidents happened on Ward 3?"), ["INC-113", "INC-131"]);
        assert_eq!(told("Which incidents did Nuala Brophy report?"), ["INC-113", "INC-121"]);
        assert_eq!(told("List all incidents with moderate or severe harm"), ["INC-113", "INC-121"]);
        assert_eq!(told("Which incidents were there in May 2025?"), ["INC-121", "INC-131"]);
        assert_eq!(told("How many incidents were of low harm?"), ["INC-104", "INC-131"]);
        assert_eq!(told("Which incidents happened on Ward 6 or Ward 9?"), ["INC-104", "INC-121"]);
        assert_eq!(told("Which incidents on Ward 3 did Nuala Brophy report?"), ["INC-113"]);
    }

    #[test]
    fn what_is_to_be_done_is_the_list_under_its_name() {
        let text = "1. Write to the secretary.\n2. Clear the cellar.\n3. Hand over the keys.\n";
        let other = "1. Ring the bell.\n2. Leave by the stairs.\n";
        let passages = [document("a", "Ending a membership", text), document("b", "Fire", other)];
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let told = |question: &str| {
            let question = Question::parse(question, &[]);
            let (all, _) = by_words(&question, &units, &matcher, &Commonness::new(&[], 9));
            steps(&question, &all, &units, &matcher).map(|found| found.len())
        };
        assert_eq!(told("List the steps to end a membership"), Some(3));
        assert_eq!(told("List the steps to end a lease"), None);
    }

    #[test]
    fn a_column_of_doers_is_what_they_do() {
        let log = LOG.replace("Reported by", "Painter").replace("Ref", "Boat");
        let mut passages = [document("boats", "Boats", &log)];
        let header = ["Date", "Boat", "Ward", "Event", "Harm", "Painter"];
        passages[0].passage.table_header = header.map(str::to_owned).to_vec();
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let told = |question: &str| {
            let question = Question::parse(question, &[]);
            let (all, _) = by_words(&question, &units, &matcher, &Commonness::new(&[], 9));
            rows(&question, &all, &units, &matcher).map(|found| found.len())
        };
        assert_eq!(told("How many boats did Samir Haddad paint?"), Some(2));
        assert_eq!(told("How many boats did Samir Haddad sell?"), None);
    }

    #[test]
    fn rows_with_empty_cells_are_of_their_table() {
        let rows_of = [
            "Boat: Tern; Berths: 4; Hire: 95; Skipper: Mabel",
            "Boat: Gull; Berths: 6; Skipper: Mabel",
            "Boat: Skua; Berths: 2; Hire: 60; Skipper: Ivo",
        ];
        let passages = rows_of.map(|row| document("fleet", "Fleet", row));
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let question = Question::parse("Which boats does Mabel skipper?", &[]);
        let (all, _) = by_words(&question, &units, &matcher, &Commonness::new(&[], 9));
        let found = rows(&question, &all, &units, &matcher).unwrap_or_default();
        let mut told: Vec<&str> = found
            .iter()
            .filter_map(|one| Some(&units[one.unit].text[one.value.clone()?]))
            .collect();
        told.sort_unstable();
        assert_eq!(told, ["Gull", "Tern"]);
    }

    #[test]
    fn a_cell_that_is_asked_for_whole_is_had_whole() {
        let rows_of = [
            "Boat: Tern; Berth: Main quay; Skipper: Mabel",
            "Boat: Gull; Berth: Stone quay; Skipper: Mabel",
            "Boat: Skua; Berth: Main quay; Skipper: Ivo",
        ];
        let passages = rows_of.map(|row| document("fleet", "Fleet", row));
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let told = |question: &str| -> Vec<String> {
            let question = Question::parse(question, &[]);
            let (all, _) = by_words(&question, &units, &matcher, &Commonness::new(&[], 9));
            let found = rows(&question, &all, &units, &matcher).unwrap_or_default();
            let value = |one: &Candidate| Some(units[one.unit].text[one.value.clone()?].to_owned());
            let mut told: Vec<String> = found.iter().filter_map(value).collect();
            told.sort_unstable();
            told
        };
        assert_eq!(told("Which boats are at the main quay?"), ["Skua", "Tern"]);
        assert_eq!(told("Which boats are at the stone quay?"), ["Gull"]);
    }

    #[test]
    fn one_row_is_found_by_what_stands_in_a_cell() {
        let rows = [
            "Boat: Tern; Berths: 4; Port: Oban; Status: afloat",
            "Boat: Gull; Berths: 6; Port: Leith; Status: out of service",
            "Boat: Skua; Berths: 2; Port: Oban; Status: afloat",
        ];
        let passages = rows.map(|row| document("fleet", "Fleet", row));
        let units = evidence_units(&passages);
        let matcher = Matcher::new();
        let told = |question: &str| -> Vec<String> {
            let question = Question::parse(question, &[]);
            let (all, _) = by_words(&question, &units, &matcher, &Commonness::new(&[], 9));
            let found = rows_with_cell(&question, &all, &units);
            let value = |one: &Candidate| Some(units[one.unit].text[one.value.clone()?].to_owned());
            found.iter().filter_map(value).collect()
        };
        assert_eq!(told("Which boat is out of service?"), ["Gull"]);
        assert_eq!(told("Which boat is afloat?").len(), 2);
        assert!(told("Which boat is in service?").is_empty(), "half a cell is none");
        assert!(told("Which boat was afloat in 2024?").is_empty());
        assert!(told("When is the boat out of service?").is_empty());
    }

    #[test]
    fn half_a_condition_lists_nothing() {
        for question in [
            "Which incidents happened on Ward 4?",
            "Which incidents were settled in court?",
            "Which incident caused severe harm?",
            "Which incidents caused the most harm?",
            "Which incidents caused no harm?",
            "Which \u{130}ncidents were there in May 2025?",
            "Which nurses work on Ward 3?",
            "How many beds are on Ward 3?",
        ] {
            assert_eq!(listed(question), None, "{question}");
        }
    }
}
