//! Extremes: the row of a table that has the most or the least of something: "What is the cheapest membership?", "Which glider
//! has the most hours?"
//!
//! No row says that it is the one, so all that were read are compared. Nothing is said where a row is known to be missing, where a
//! cell cannot be read as a figure, where two rows are alike, or where a word of the question is left over that might be a
//! condition. That a table ends where reading did is not known: the answer tells how many rows were compared.

use super::bind::Candidate;
use super::cells::{Field, NAMING, is_not_known};
use super::expects::AUXILIARIES;
use super::lexicon::is_role;
use super::periods::periods;
use super::question::{Question, Term};
use super::rows::{BEARS, Row, over_words, tables};
use super::unit::{EvidenceUnit, Place};
use super::values::{ValueKind, values};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Most rows that are compared: each is read again by whoever takes the answer over.
const MOST_ROWS: usize = 60;
/// Fewest rows of which one is the most.
const FEWEST: usize = 2;
/// Characters between two passages of which the one follows the other.
const NEXT: usize = 8;

/// What rows are compared by, where the question does not call it by name: stems of names of columns.
const PRICES: &[&str] = &["price", "cost", "fee", "charg", "rent", "tariff", "fare"];
const YEARS: &[&str] = &["year", "built", "found", "made"];
const LENGTHS: &[&str] = &["length", "durat", "distanc"];
const WEIGHTS: &[&str] = &["weight", "mass"];
const HEIGHTS: &[&str] = &["height"];
const SPEEDS: &[&str] = &["speed"];

/// Superlatives, whether the highest figure is meant, and the columns that they measure; none where the question has to name it.
static SUPERLATIVES: [(&str, bool, &[&str]); 27] = [
    ("most", true, &[]),
    ("highest", true, &[]),
    ("largest", true, &[]),
    ("biggest", true, &[]),
    ("greatest", true, &[]),
    ("least", false, &[]),
    ("fewest", false, &[]),
    ("lowest", false, &[]),
    ("smallest", false, &[]),
    ("cheapest", false, PRICES),
    ("dearest", true, PRICES),
    ("costliest", true, PRICES),
    ("priciest", true, PRICES),
    ("oldest", false, YEARS),
    ("youngest", true, YEARS),
    ("newest", true, YEARS),
    ("longest", true, LENGTHS),
    ("farthest", true, LENGTHS),
    ("furthest", true, LENGTHS),
    ("shortest", false, LENGTHS),
    ("nearest", false, LENGTHS),
    ("heaviest", true, WEIGHTS),
    ("lightest", false, WEIGHTS),
    ("tallest", true, HEIGHTS),
    ("fastest", true, SPEEDS),
    ("slowest", false, SPEEDS),
    ("deepest", true, &["depth"]),
];
/// Words that only end like a superlative, and those that ask for a time.
const ENDS_SO: [&str; 25] = [
    "latest", "newest", "earliest", "interest", "harvest", "request", "forest", "invest",
    "suggest", "honest", "contest", "protest", "bequest", "conquest", "inquest", "priest",
    "arrest", "digest", "ingest", "manifest", "tempest", "attest", "detest", "unrest", "behest",
];
/// Words that turn a comparison or bound it otherwise: what they ask for is read off no column.
const TURNED: [&str; 18] = [
    "not",
    "no",
    "never",
    "without",
    "except",
    "than",
    "second",
    "third",
    "other",
    "after",
    "before",
    "since",
    "between",
    "until",
    "excluding",
    "apart",
    "besides",
    "and",
];

/// Whether the highest figure is meant by a superlative, and what it measures.
fn superlative(word: &str) -> Option<(bool, &'static [&'static str])> {
    let known = SUPERLATIVES.iter().find(|(known, _, _)| *known == word)?;
    Some((known.1, known.2))
}

/// "Largest", "most": asks for a comparison.
pub(super) fn is_superlative(word: &str) -> bool {
    matches!(word, "most" | "least" | "best" | "worst" | "biggest")
        || (word.len() > 5 && word.ends_with("est") && !ENDS_SO.contains(&word))
}

/// Whether the most or the least of several is asked for, and a unit does not say of anything that it is.
pub(super) fn is_comparison_unsaid(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    const SAYS_SO: [&str; 8] =
        ["only", "first", "top", "record", "maximum", "minimum", "max", "min"];
    let asked = words(&question.text);
    let compares = asked.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| asked.get(at)).map_or("", String::as_str);
        let after = asked.get(at + 1).map_or("", String::as_str);
        is_superlative(word)
            // "At most five", "most of the members", "the most recent".
            && before != "at"
            && !matches!(after, "of" | "recent" | "recently" | "likely")
    });
    question.kind == QuestionKind::Lookup
        && question.overview.is_none()
        && question.verse.is_none()
        && compares
        && !unit.words.iter().any(|word| {
            matches!(word.place, Place::Unit | Place::Near)
                && (is_superlative(&word.word) || SAYS_SO.contains(&word.word.as_str()))
        })
}

/// The row that answers, and the units of all rows that it was compared with.
pub(super) struct Extreme {
    pub(super) answer: Candidate,
    pub(super) compared: Vec<usize>,
}

/// The row of the most or the least; `None` where none is asked for or it cannot be told.
pub(super) fn extreme(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Extreme> {
    let asked = Asked::of(question)?;
    let tables = tables(all, units, false);
    let mut found: Vec<Found> = tables.iter().filter_map(|table| told_by(table, &asked)).collect();
    // A table of what is asked for goes before any other; the newest of them tells what is now.
    let named = found.iter().any(|one| one.is_named);
    found.retain(|one| one.is_named == named);
    let newest = found.iter().map(|one| one.written).max()?;
    found.retain(|one| one.written == newest);
    // Two tables may tell of two things.
    if found.len() > 1 {
        return None;
    }
    found.pop().map(|one| one.extreme)
}

/// What is compared, and which end of it is asked for.
struct Asked<'q> {
    /// What the rows are, as it was written.
    head: String,
    highest: bool,
    columns: &'static [&'static str],
    /// Words of the question beside these.
    others: Vec<&'q Term>,
    /// "What is the highest price?": the head may be what is measured.
    may_be_figure: bool,
}

impl<'q> Asked<'q> {
    fn of(question: &'q Question) -> Option<Self> {
        let plain = question.kind == QuestionKind::Lookup
            && question.overview.is_none()
            && question.period.is_none()
            && question.day.is_none()
            && question.counted.is_none()
            && !question.past;
        let all = words(&question.text);
        let [which, rest @ ..] = all.as_slice() else { return None };
        if !plain
            || !matches!(which.as_str(), "which" | "what")
            || all.iter().any(|word| TURNED.contains(&word.as_str()))
        {
            return None;
        }
        let mut superlatives =
            rest.iter().enumerate().filter(|(_, word)| superlative(word).is_some());
        let (Some((at, word)), None) = (superlatives.next(), superlatives.next()) else {
            return None;
        };
        let (highest, mut columns) = superlative(word)?;
        let next = rest.get(at + 1).map_or("", String::as_str);
        let expensive = matches!(next, "expensive" | "costly");
        if matches!(next, "of" | "recent" | "recently" | "likely") {
            return None;
        }
        if expensive || (columns.is_empty() && question.terms.iter().any(|t| t.stem == "cost")) {
            columns = PRICES;
        }
        let noun = |word: &&String| {
            !is_stop_word(word)
                && !AUXILIARIES.contains(&word.as_str())
                && superlative(word).is_none()
                && !matches!(word.as_str(), "expensive" | "costly")
        };
        let before = rest.iter().take_while(noun).last();
        let behind = rest.get(at + 1 + usize::from(expensive)..)?;
        let head = before.or_else(|| behind.iter().take_while(noun).last())?.clone();
        let others = question.terms.iter().filter(|term| {
            term.word != head
                && superlative(&term.word).is_none()
                && !matches!(term.word.as_str(), "expensive" | "costly")
                && term.stem != "cost"
        });
        let others = others.collect();
        let may_be_figure = which == "what" && before.is_none();
        Some(Self { head, highest, columns, others, may_be_figure })
    }

    /// Whether somebody is asked for: of a table of things none is.
    fn is_of_people(&self) -> bool {
        is_role(&self.head) || matches!(self.head.as_str(), "person" | "member" | "man" | "woman")
    }
}

/// What one table tells.
struct Found {
    /// The table is said to be of what is asked for.
    is_named: bool,
    written: Option<i64>,
    extreme: Extreme,
}

fn told_by(table: &[Row<'_>], asked: &Asked<'_>) -> Option<Found> {
    if !(FEWEST..=MOST_ROWS).contains(&table.len()) || lacks_rows(table) {
        return None;
    }
    let widest = table.iter().rev().max_by_key(|row| row.fields.len())?;
    let over = over_words(widest.unit);
    let head = stem(&asked.head);
    let kind = widest.fields.iter().position(|field| field.name.contains(&head));
    let is_named = kind.is_some() || over.contains(&head);
    if !is_named && asked.is_of_people() {
        return None;
    }
    let columns = asked.columns_of(widest, kind, is_named);
    // A word that is neither of a column nor over the table may be a condition.
    let left_over = asked.others.iter().filter(|term| term.hard || !term.light).any(|term| {
        let in_column = |at: &usize| widest.fields[*at].name.contains(&term.stem);
        !over.contains(&term.stem) && !columns.iter().any(in_column)
    });
    if left_over {
        return None;
    }
    let mut best: Option<usize> = None;
    let mut compared = usize::MAX;
    for at in &columns {
        let (row, rows) = most(table, &widest.fields[*at].name, asked.highest)?;
        // "The cheapest", where there are prices of several sizes: only what is the cheapest in each.
        if best.is_some_and(|other| other != row) {
            return None;
        }
        best = Some(row);
        compared = compared.min(rows);
    }
    let row = table.get(best?)?;
    let is_key = |field: &&Field| field.name.iter().any(|word| NAMING.contains(&word.as_str()));
    // Where no column is said to name the rows, the whole row is shown.
    let naming = kind
        .and_then(|at| widest.fields.get(at))
        .or_else(|| widest.fields.iter().find(is_key))
        .map(|field| &field.name);
    let named = row.fields.iter().find(|field| Some(&field.name) == naming);
    let value = named.map(|field| field.at.clone()).filter(|at| !at.is_empty());
    let answer = Candidate {
        accepted: true,
        value,
        number: None,
        polarity: None,
        by_meaning: None,
        weighed: Some(BEARS),
        // That the rows are of what is asked for is said by nothing but the column.
        doubtful: !is_named,
        compared: Some(compared),
        ..row.candidate.clone()
    };
    let compared = table.iter().map(|row| row.candidate.unit).collect();
    let written = row.unit.read.source.date.as_ref().map(|date| date.value.order_key());
    Some(Found { is_named, written, extreme: Extreme { answer, compared } })
}

impl Asked<'_> {
    /// The columns that rows are compared by: those that the question names best, and otherwise those that its superlative
    /// measures, where the table is said to be of what is asked for.
    fn columns_of(&self, widest: &Row<'_>, kind: Option<usize>, is_named: bool) -> Vec<usize> {
        let own: Vec<(usize, &Field)> =
            widest.fields.iter().enumerate().filter(|(at, _)| Some(*at) != kind).collect();
        let shared = |field: &Field| -> usize {
            let of = |term: &&Term| {
                usize::from(field.title.contains(&term.word))
                    + usize::from(field.name.contains(&term.stem))
            };
            self.others.iter().map(of).sum()
        };
        let chosen = |holds: &dyn Fn(&Field) -> bool| -> Vec<usize> {
            own.iter().copied().filter_map(|(at, field)| holds(field).then_some(at)).collect()
        };
        let most = own.iter().copied().map(|(_, field)| shared(field)).max().unwrap_or(0);
        if most > 0 {
            return chosen(&|field| shared(field) == most);
        }
        if !is_named {
            return Vec::new();
        }
        let measured =
            chosen(&|field| field.name.iter().any(|word| self.columns.contains(&word.as_str())));
        if !measured.is_empty() {
            return measured;
        }
        if self.columns == PRICES {
            // "30-litre keg: £89.00" is a price, whatever its column is called.
            return chosen(&|field| {
                let cell = widest.unit.text.get(field.at.clone()).unwrap_or_default();
                values(cell).iter().any(|value| value.kind == ValueKind::Money)
            });
        }
        kind.filter(|_| self.may_be_figure && self.columns.is_empty()).into_iter().collect()
    }
}

/// The row with the highest or the lowest figure in a column, and how many rows have one there; `None` where two are alike, or a
/// cell is no figure or one of another unit.
fn most(table: &[Row<'_>], name: &[String], highest: bool) -> Option<(usize, usize)> {
    let mut figures: Vec<(usize, f64)> = Vec::new();
    let mut unit: Option<String> = None;
    for (at, row) in table.iter().enumerate().filter(|(_, row)| !adds_up(row)) {
        let Some(place) = row.fields.iter().position(|field| field.name == name) else { continue };
        let cell = row.cell(place);
        if !cell.contains(char::is_alphanumeric) || is_not_known(cell) {
            continue;
        }
        let (figure, of) = figure(cell)?;
        if let Some(of) = of {
            if unit.as_ref().is_some_and(|known| *known != of) {
                return None;
            }
            unit = Some(of);
        }
        figures.push((at, if highest { figure } else { -figure }));
    }
    let (row, best) = figures.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let alike = figures.iter().filter(|(_, figure)| figure.total_cmp(&best).is_eq()).count();
    (figures.len() >= FEWEST && alike == 1).then_some((row, figures.len()))
}

/// Whether a row is made of the others: "Total | £130".
fn adds_up(row: &Row<'_>) -> bool {
    const SUMS: [&str; 8] =
        ["total", "totals", "subtotal", "sum", "overall", "average", "mean", "median"];
    row.fields.iter().any(|field| {
        let cell = row.unit.text.get(field.at.clone()).unwrap_or_default();
        let own = words(cell);
        !cell.contains(|c: char| c.is_ascii_digit())
            && own.len() <= 3
            && own.iter().any(|word| SUMS.contains(&word.as_str()))
    })
}

/// The figure that a cell is, and its unit; what is free costs nothing, in any unit.
fn figure(cell: &str) -> Option<(f64, Option<String>)> {
    let cell = cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    if matches!(cell.to_lowercase().as_str(), "free" | "nil" | "free of charge") {
        return Some((0.0, None));
    }
    // "Pounds" and "pound" are one unit.
    let unit = |text: &str| -> String {
        let kept = |c: &char| !c.is_ascii_digit() && !matches!(c, ' ' | ',' | '.');
        let unit: String = text.to_lowercase().chars().filter(kept).collect();
        unit.trim_end_matches('s').to_owned()
    };
    let digits: String =
        cell.chars().filter(|c| !matches!(c, ',' | ' ' | '\u{a3}' | '$' | '\u{20ac}')).collect();
    let is_plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if let Some(number) = digits.parse::<f64>().ok().filter(|_| is_plain) {
        return Some((number, Some(unit(cell))));
    }
    let whole = |at: &Range<usize>| {
        let outside = [cell.get(..at.start), cell.get(at.end..)];
        outside.iter().flatten().all(|rest| !rest.contains(char::is_alphanumeric))
    };
    if let [day] = periods(cell).as_slice()
        && whole(&day.range)
    {
        return Some((day.value.order_key() as f64, Some("day".to_owned())));
    }
    // A sign, a bound or a range: the one value that is found there does not say it.
    let is_bare = |c: char| {
        !matches!(
            c,
            '-' | '\u{2212}' | '\u{2013}' | '(' | '<' | '>' | '~' | '\u{2264}' | '\u{2265}' | '+'
        )
    };
    if !cell.chars().all(is_bare) {
        return None;
    }
    let found = values(cell);
    let [value] = found.as_slice() else { return None };
    let number = value.number.filter(|_| whole(&value.range))?;
    Some((number, Some(unit(cell.get(value.range.clone())?))))
}

/// Whether rows of a table are known not to have been read: their numbers leave some out, or a passage between two is missing.
fn lacks_rows(table: &[Row<'_>]) -> bool {
    let number = |row: &Row<'_>| -> Option<usize> {
        row.unit.read.passage.record.as_deref()?.strip_prefix("row ")?.parse().ok()
    };
    let numbers: Vec<usize> = table.iter().filter_map(number).collect();
    // The first row has the names of the columns.
    let begins_late = numbers.first().is_some_and(|first| *first > 2);
    let leaves_out = numbers.windows(2).any(|pair| pair[1] > pair[0] + 1);
    let apart = table.windows(2).any(|pair| {
        let (before, next) = (&pair[0].unit.read.passage, &pair[1].unit.read.passage);
        !pair[0].unit.cells.is_empty()
            && before.id != next.id
            && next.span.start > before.span.end + NEXT
    });
    begins_late || leaves_out || apart
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::meaning::bearing;
    use super::super::select::{by_words, select};
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::ReadPassage;
    use elenchus_core::prompt::Bearing;

    /// The words that answer, and how many rows were compared.
    fn told(question: &str, passages: &[ReadPassage]) -> Option<(String, usize)> {
        let units = evidence_units(passages);
        let question = Question::parse(question, &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 9));
        let answer = extreme(&question, &all, &units)?.answer;
        Some((units[answer.unit].text[answer.value?].to_owned(), answer.compared?))
    }

    fn fees(rows: &str) -> [ReadPassage; 1] {
        let text = format!("| Membership | Price |\n|---|---|\n{rows}");
        let mut passages = [document("fees", "Subscriptions", &text)];
        passages[0].passage.table_header = ["Membership", "Price"].map(str::to_owned).to_vec();
        passages
    }

    /// Rows of a table that is one record a row, by their numbers.
    fn fleet(rows: &[(usize, &str)]) -> Vec<ReadPassage> {
        let read = |(number, text): &(usize, &str)| {
            let mut passage = document("fleet", "Fleet", text);
            passage.passage.record = Some(format!("row {number}"));
            passage.passage.span.start = number * 100;
            passage
        };
        rows.iter().map(read).collect()
    }

    const TERN: &str = "Boat: Tern; Year built: 1979; Hours run: 812; Hourly hire: 95";
    const GULL: &str = "Boat: Gull; Year built: 1994; Hours run: 1,440; Hourly hire: 60";
    const SKUA: &str = "Boat: Skua; Year built: 1988; Hours run: n/a; Hourly hire: 70";

    #[test]
    fn rows_are_compared_by_the_column_that_is_asked_for() {
        let passages =
            fees("| Full | £450 |\n| Junior | £180 |\n| Social | £60 |\n| Visitor | free |\n");
        let is = |question: &str, words: &str, rows: usize| {
            assert_eq!(told(question, &passages), Some((words.to_owned(), rows)), "{question}");
        };
        is("What is the cheapest membership?", "Visitor", 4);
        is("Which membership is the most expensive?", "Full", 4);
        is("Which membership has the highest price?", "Full", 4);
        let passages = fees("| Full | £450 |\n| Junior | £180 |\n| Total | £630 |\n");
        let most = told("Which membership is the most expensive?", &passages);
        assert_eq!(most, Some(("Full".to_owned(), 2)), "a sum is no membership");
        let passages = fees("| Full | £40\u{2013}£90 |\n| Junior | £60 |\n");
        assert_eq!(told("Which membership is the most expensive?", &passages), None, "a range");
        let passages = fleet(&[(2, TERN), (3, GULL), (4, SKUA)]);
        let is = |question: &str, words: &str, rows: usize| {
            assert_eq!(told(question, &passages), Some((words.to_owned(), rows)), "{question}");
        };
        is("Which boat has the most hours?", "Gull", 2);
        is("Which boat is the oldest?", "Tern", 3);
        is("Which boat has the lowest hourly hire?", "Gull", 3);
    }

    #[test]
    fn what_cannot_be_compared_is_not_told() {
        let none = |question: &str, passages: &[ReadPassage]| {
            assert_eq!(told(question, passages), None, "{question}");
        };
        let whole = fleet(&[(2, TERN), (3, GULL), (4, SKUA)]);
        none("Which boat has the most hours in Leith?", &whole);
        none("Which boat has the second most hours?", &whole);
        none("Which boat has the most berths?", &whole);
        none("Which boat had the most hours in 2024?", &whole);
        let missing = fleet(&[(2, TERN), (4, GULL), (5, SKUA)]);
        none("Which boat is the oldest?", &missing);
        none("Which boat is the oldest?", &fleet(&[(3, TERN), (4, GULL)]));
        let alike = fees("| Full | £450 |\n| Junior | £450 |\n| Social | £60 |\n");
        none("Which membership is the most expensive?", &alike);
        let mixed = fees("| Full | £450 |\n| Junior | on request |\n| Social | £60 |\n");
        none("Which membership is the most expensive?", &mixed);
        let units = fees("| Full | 90 minutes |\n| Social | 2 hours |\n");
        none("Which membership has the highest price?", &units);
    }

    #[test]
    fn the_row_is_told_with_fair_bearing_and_a_near_one_with_weak() {
        let asked = |question: &str, passages: &[ReadPassage]| {
            let units = evidence_units(passages);
            let parsed = Question::parse(question, &[]);
            let common = Commonness::new(&[], 9);
            let selection = select(&parsed, &units, &Matcher::new(), &common);
            let relevant = selection.relevant.len();
            selection
                .answers
                .first()
                .map(|one| (bearing(one), units[one.unit].text.to_owned(), relevant))
        };
        let whole = fleet(&[(2, TERN), (3, GULL), (4, SKUA)]);
        let told = asked("Which boat is the oldest?", &whole);
        assert_eq!(
            told,
            Some((Bearing::Fair, TERN.to_owned(), 3)),
            "a later look compares the same rows"
        );
        // Nothing says that these are gliders.
        let told = asked("Which glider has the most hours?", &whole);
        assert_eq!(told, Some((Bearing::Weak, GULL.to_owned(), 3)));
        let missing = fleet(&[(2, TERN), (4, GULL), (5, SKUA)]);
        let told = asked("Which boat is the oldest?", &missing);
        let firm = told.as_ref().is_some_and(|(bearing, _, _)| *bearing > Bearing::Weak);
        assert!(!firm, "{told:?}");
    }

    #[test]
    fn a_statement_that_says_it_is_needs_no_comparison() {
        let unsaid = |question: &str, text: &str| {
            let passages = [document("trams", "The fleet", text)];
            let units = evidence_units(&passages);
            is_comparison_unsaid(&Question::parse(question, &[]), &units[0])
        };
        let ask = "What is the cheapest ticket?";
        assert!(unsaid(ask, "The annual ticket is £42."));
        assert!(!unsaid(ask, "The cheapest ticket is £7."));
        assert!(!unsaid("What is the price of a ticket?", "The annual ticket is £42."));
        assert!(!unsaid("Who left the bequest?", "Edwin Salter left it."));
        assert!(!unsaid("How many launches must at least be made?", "It takes 50 launches."));
    }
}
