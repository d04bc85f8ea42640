//! Cells: which field of a row answers.

use super::matching::Matcher;
use super::periods::periods;
use super::question::{Class, Expects, Question};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Names of columns that say which row it is, as stems.
pub(super) const NAMING: [&str; 10] =
    ["id", "ref", "refer", "number", "no", "code", "name", "titl", "item", "key"];

/// A field: its name, and bytes of the unit's text.
pub(super) struct Field {
    /// Stems of the words of its name.
    pub(super) name: Vec<String>,
    /// The words themselves, in lower case: "hours" and "hourly" have one stem.
    pub(super) title: Vec<String>,
    pub(super) at: Range<usize>,
}

/// The field that is asked for by the name of its column ("the harm in INC-131"), or, where one of the rows is asked for
/// ("which incident"), the field that names the row. `None` where the unit is no row or the question names no column.
pub(super) fn asked_cell(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    if !matches!(question.expects, Expects::Any | Expects::Name | Expects::Reason) {
        return None;
    }
    let fields = fields(unit);
    if fields.len() < 3 {
        return None;
    }
    if question.expects == Expects::Reason
        && let Some(remark) = remark(&fields, unit)
    {
        return Some(remark);
    }
    let nouns = || question.terms.iter().filter(|term| !term.hard && term.class == Class::Noun);
    let stands_in = |stem_of: &str, at: &Range<usize>| {
        unit.words.iter().any(|word| {
            word.place == Place::Unit
                && at.start <= word.at.start
                && word.at.end <= at.end
                && word.stem == stem_of
        })
    };
    // A column whose cell holds another word of the question is a condition ("severe harm"), not what is asked for.
    let is_condition = |field: &Field| {
        question
            .terms
            .iter()
            .any(|term| !field.name.contains(&term.stem) && stands_in(&term.stem, &field.at))
    };
    let which = words(&question.text)
        .windows(2)
        .find_map(|pair| (pair[0] == "which" || pair[0] == "what").then(|| stem(&pair[1])));
    let of_head = |field: &&Field| which.as_ref().is_some_and(|head| field.name.contains(head));
    if let Some(field) = fields.iter().find(|field| of_head(field) && !is_condition(field)) {
        return Some(field.at.clone());
    }
    let one_of_rows = words(&question.text).first().is_some_and(|word| word == "which");
    if one_of_rows {
        let naming =
            fields.iter().find(|field| field.name.iter().any(|w| NAMING.contains(&w.as_str())));
        return naming.filter(|field| !is_condition(field)).map(|field| field.at.clone());
    }
    let named = fields
        .iter()
        .find(|field| nouns().any(|term| field.name.contains(&term.stem)) && !is_condition(field));
    named.map(|field| field.at.clone())
}

/// Names of columns in which a log says why: "note: Moisture 5.1% - sent back".
pub(super) const REMARKS: [&str; 8] =
    ["note", "reason", "caus", "comment", "remark", "explan", "why", "justif"];

/// The field of a row that is there for reasons, if something stands in it.
pub(super) fn reason_cell(unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let fields = fields(unit);
    if fields.len() < 3 { None } else { remark(&fields, unit) }
}

/// Names of columns that say who it is.
pub(super) const PEOPLE: [&str; 6] = ["name", "person", "who", "holder", "member", "employe"];

/// The field of a row that says who it is, where the question asks who; see [`people_cell`].
pub(super) fn who_cell(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    if !matches!(question.expects, Expects::Person | Expects::Agent) {
        return None;
    }
    people_cell(question, unit)
}

/// The field of a row that names somebody, where another one tells what they do; `None` where the question names that
/// somebody itself, or another column ("Ann Lee's line manager").
fn people_cell(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let fields = fields(unit);
    let is_role = |field: &Field| {
        field.name.iter().any(|word| {
            matches!(word.as_str(), "role" | "post" | "job" | "offic" | "posit" | "duti" | "titl")
        })
    };
    let people =
        fields.iter().find(|field| field.name.iter().any(|w| PEOPLE.contains(&w.as_str())))?;
    let stands = |stem_of: &str, at: &Range<usize>| {
        unit.words.iter().any(|word| {
            word.place == Place::Unit
                && at.start <= word.at.start
                && word.at.end <= at.end
                && word.stem == stem_of
        })
    };
    let is_known = question.terms.iter().any(|term| term.hard && stands(&term.stem, &people.at));
    let asks_another = fields.iter().any(|field| {
        field.at != people.at
            && !is_role(field)
            && question.terms.iter().any(|term| {
                !term.light
                    && field.name.contains(&term.stem)
                    && !fields.iter().any(|role| is_role(role) && stands(&term.stem, &role.at))
            })
    });
    (fields.iter().any(is_role) && !is_known && !asks_another).then(|| people.at.clone())
}

fn remark(fields: &[Field], unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let said = |field: &&Field| {
        field.name.iter().any(|word| REMARKS.contains(&word.as_str()))
            && unit.text[field.at.clone()].chars().filter(|c| c.is_alphabetic()).count() >= 3
    };
    fields.iter().find(said).map(|field| field.at.clone())
}

/// The fields of a row of a table, or of a record that is written out ("name: Tern; depth: 34").
pub(super) fn fields(unit: &EvidenceUnit<'_>) -> Vec<Field> {
    let field = |title: &str, at: Range<usize>| {
        let title = words(title);
        Field { name: title.iter().map(|word| stem(word)).collect(), title, at }
    };
    let header = &unit.read.passage.table_header;
    if !unit.cells.is_empty() {
        if header.len() != unit.cells.len() {
            return Vec::new();
        }
        let both = header.iter().zip(&unit.cells);
        return both.map(|(title, at)| field(title, trimmed(unit.text, at.clone()))).collect();
    }
    let mut fields: Vec<Field> = Vec::new();
    let mut from = 0;
    for part in unit.text.split("; ") {
        let at = from..from + part.len();
        from = at.end + 2;
        match part.split_once(": ") {
            Some((title, value)) if title.split_whitespace().count() <= 4 => {
                let start = at.end - value.len();
                fields.push(field(title, trimmed(unit.text, start..at.end)));
            }
            // "caught late; patient bled": a semicolon inside of a value.
            _ => match fields.last_mut() {
                Some(last) => last.at.end = at.end,
                None => return Vec::new(),
            },
        }
    }
    fields
}

/// A row: its position among the units, and its fields.
type RowOf = (usize, Vec<Field>);

/// Rows that say nothing in the column which the question asks for, each with a row of its table that does: positions among the
/// units. A row that is written out leaves empty cells away, so that only its neighbours tell that there is such a
/// column; what stands in another column is no answer.
pub(super) fn unstated(question: &Question, units: &[EvidenceUnit<'_>]) -> Vec<(usize, usize)> {
    if question.kind != QuestionKind::Lookup
        || matches!(question.expects, Expects::YesNo | Expects::Reason | Expects::List)
    {
        return Vec::new();
    }
    // Rows of one document whose first columns have one name are of one table.
    let mut tables: BTreeMap<(&str, Vec<String>), Vec<RowOf>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let fields = fields(unit);
        if fields.len() >= 2 {
            let key = (unit.read.source.id.0.as_str(), fields[0].name.clone());
            tables.entry(key).or_default().push((at, fields));
        }
    }
    let mut out = Vec::new();
    for rows in tables.values() {
        let names: BTreeSet<&[String]> =
            rows.iter().flat_map(|(_, fields)| fields).map(|field| field.name.as_slice()).collect();
        let Some(asked) = asked_name(question, &names) else { continue };
        let states = |at: usize, fields: &[Field]| {
            fields.iter().any(|field| {
                field.name == asked
                    && units[at].text[field.at.clone()].contains(char::is_alphanumeric)
                    && !is_not_known(&units[at].text[field.at.clone()])
            })
        };
        let Some((stated, _)) = rows.iter().find(|(at, fields)| states(*at, fields)) else {
            continue;
        };
        out.extend(
            rows.iter().filter(|(at, fields)| !states(*at, fields)).map(|(at, _)| (*at, *stated)),
        );
    }
    out
}

/// Rows that cannot answer because of another row of their table, each with why: positions among the units. What a row leaves
/// empty it does not tell, and "Adoption for pensioners" is not what adoption costs where a row says that of everybody.
pub(super) fn shut(
    question: &Question,
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Vec<(usize, &'static str)> {
    let empty = unstated(question, units).into_iter().map(|(row, _)| (row, "an empty cell"));
    let narrower = narrower(question, units, matcher).into_iter();
    empty.chain(narrower.map(|row| (row, "a narrower row"))).collect()
}

/// Rows whose first cell says what the first cell of another row of their table says and adds something that the question does not
/// say.
fn narrower(question: &Question, units: &[EvidenceUnit<'_>], matcher: &Matcher) -> Vec<usize> {
    /// Likeness from which a word of the question says what a cell adds.
    const SAYS: f64 = 0.4;
    if question.kind != QuestionKind::Lookup || question.expects == Expects::List {
        return Vec::new();
    }
    /// A row and where its first cell stands in it.
    type First = (usize, Range<usize>);
    // Rows of one document whose first columns have one name are of one table.
    let mut tables: BTreeMap<(&str, Vec<String>), Vec<First>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let own = fields(unit);
        if let [first, _, ..] = own.as_slice() {
            let key = (unit.read.source.id.0.as_str(), first.name.clone());
            tables.entry(key).or_default().push((at, first.at.clone()));
        }
    }
    let said = |(at, label): &First| words(&units[*at].text[label.clone()]);
    let is_asked =
        |word: &Word| question.terms.iter().any(|term| matcher.likeness(term, word) >= SAYS);
    // A word that the row does not say may say otherwise what it adds: "for the retired".
    let says_all = |row: usize| {
        let mut meant = question.terms.iter().filter(|term| !term.light);
        meant.all(|term| units[row].words.iter().any(|own| matcher.likeness(term, own) >= SAYS))
    };
    let mut out = Vec::new();
    for rows in tables.values() {
        let labels: Vec<Vec<String>> = rows.iter().map(said).collect();
        for ((at, label), own) in rows.iter().zip(&labels) {
            let plainer = labels.iter().filter(|other| {
                !other.is_empty() && other.len() < own.len() && own.starts_with(other)
            });
            let inside = |word: &&Word| {
                word.place == Place::Unit
                    && label.start <= word.at.start
                    && word.at.end <= label.end
            };
            let adds = |from: usize| {
                let cell = units[*at].words.iter().filter(inside).skip(from);
                let added: Vec<&Word> = cell.filter(|word| !is_stop_word(&word.word)).collect();
                !added.is_empty() && !added.into_iter().any(is_asked)
            };
            if plainer.map(Vec::len).any(adds) && says_all(*at) {
                out.push(*at);
            }
        }
    }
    out
}

/// Whether a row is one of those that are counted ("how many dogs", over a row whose dog is "Rex"): it says how many of nothing.
pub(super) fn is_one_counted(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    question.counted.as_ref().is_some_and(|noun| {
        let fields = fields(unit);
        fields.len() > 2
            && fields.iter().any(|field| {
                field.name.contains(noun)
                    && !unit.text[field.at.clone()].contains(|c: char| c.is_ascii_digit())
                    // "Dogs: three".
                    && !unit.values.iter().any(|value| {
                        value.kind == ValueKind::Count && field.at.contains(&value.range.start)
                    })
            })
    })
}

/// Of fields whose names share a word of the question ("Trips by bus", "Trips by rail"), the one that holds more of them than
/// any other: bytes of its value. `None` where no two share one, or none of `values` stands in it.
pub(super) fn named_sibling(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    values: &[&Value],
) -> Option<Range<usize>> {
    if !question.expects.is_figure() {
        return None;
    }
    let all = fields(unit);
    let shared = |field: &Field| -> BTreeSet<&str> {
        let stems = question.terms.iter().map(|term| term.stem.as_str());
        stems.filter(|stem| field.name.iter().any(|word| word == stem)).collect()
    };
    let holds = |field: &Field| {
        values
            .iter()
            .any(|value| field.at.start <= value.range.start && value.range.end <= field.at.end)
    };
    let named: Vec<(&Field, BTreeSet<&str>)> = all
        .iter()
        .filter(|field| holds(field))
        .map(|field| (field, shared(field)))
        .filter(|(_, shared)| !shared.is_empty())
        .collect();
    let most = named.iter().map(|(_, shared)| shared.len()).max()?;
    let mut best = named.iter().filter(|(_, shared)| shared.len() == most);
    let (Some((field, own)), None) = (best.next(), best.next()) else { return None };
    let has_sibling =
        named.iter().any(|(_, other)| other.len() < own.len() && other.is_subset(own));
    has_sibling.then(|| field.at.clone())
}

/// The name of a column that more words of the question stand in than in any other.
fn asked_name<'n>(question: &Question, names: &BTreeSet<&'n [String]>) -> Option<&'n [String]> {
    let shared = |name: &[String]| {
        let nouns = question.terms.iter().filter(|term| !term.hard && term.class == Class::Noun);
        nouns.filter(|term| name.contains(&term.stem)).count()
    };
    let most = names.iter().map(|name| shared(name)).max().filter(|most| *most > 0)?;
    let mut best = names.iter().copied().filter(|name| shared(name) == most);
    match (best.next(), best.next()) {
        (Some(name), None) => Some(name),
        _ => None,
    }
}

/// Whether two units are rows of lists of one kind for different things ("Mooring, winter" and "Mooring, summer"): none is an
/// older value of the other. Rows that a time names are vintages as ever.
pub(super) fn are_other_rows(one: &EvidenceUnit<'_>, other: &EvidenceUnit<'_>) -> bool {
    let (first, second) = (fields(one), fields(other));
    let (Some(a), Some(b)) = (first.first(), second.first()) else { return false };
    if first.len() < 2 || second.len() < 2 || a.name != b.name {
        return false;
    }
    let (left, right) = (&one.text[a.at.clone()], &other.text[b.at.clone()]);
    if !periods(left).is_empty() || !periods(right).is_empty() {
        return false;
    }
    let said = |label: &str| -> BTreeSet<String> {
        let own = words(label);
        own.iter().filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect()
    };
    let (left, right) = (said(left), said(right));
    !left.is_subset(&right) && !right.is_subset(&left)
}

pub(super) fn is_not_known(cell: &str) -> bool {
    matches!(cell.trim().to_lowercase().as_str(), "n/a" | "na" | "none" | "unknown" | "tbd" | "tbc")
}

fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let piece = &text[at.clone()];
    let start = at.start + piece.len() - piece.trim_start().len();
    start..start + piece.trim().len()
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn an_empty_cell_is_answered_by_no_other() {
        let rows = [
            "Boat: Tern; Berths: 4; Hours run: 812; Daily hire: 95; Port: Oban",
            "Boat: Gull; Berths: 6; Hours run: 1440; Port: Leith",
            "Boat: Skua; Berths: 2; Hours run: 77; Daily hire: n/a; Port: Oban",
        ];
        let mut passages: Vec<_> = rows.map(|row| document("fleet", "Fleet", row)).into();
        passages.push(document("notes", "Notes", "The Gull was painted; cost: 30; by: Ann"));
        let units = evidence_units(&passages);
        let gaps = |question: &str| unstated(&Question::parse(question, &[]), &units);
        assert_eq!(gaps("What is the daily hire of the Gull?"), [(1, 0), (2, 0)]);
        assert!(gaps("How many berths has the Gull?").is_empty());
        assert!(gaps("What is the length of the Gull?").is_empty());
        // Words of two columns ask for neither more than for the other.
        assert!(gaps("What is the hire by the port?").is_empty());
    }

    #[test]
    fn a_row_with_a_condition_that_nobody_asked_for_does_not_answer() {
        let rows = [
            "Service: Adoption fee; Dogs: £180; Cats: £95",
            "Service: Adoption fee for pensioners; Dogs: £90; Cats: £50",
            "Service: -; Dogs: £2; Cats: £1",
        ];
        let passages = rows.map(|row| document("prices", "Prices", row));
        let units = evidence_units(&passages);
        let closed = |question: &str| -> Vec<usize> {
            let found = shut(&Question::parse(question, &[]), &units, &Matcher::new());
            found
                .into_iter()
                .filter(|(_, why)| *why == "a narrower row")
                .map(|(at, _)| at)
                .collect()
        };
        assert_eq!(closed("What is the adoption fee for cats?"), [1]);
        assert!(closed("What is the adoption fee for cats of pensioners?").is_empty());
        assert!(closed("What does a pensioner pay for a dog?").is_empty());
        assert!(closed("What is the adoption fee for cats of the retired?").is_empty());
    }

    #[test]
    fn a_column_of_another_kind_is_not_counted() {
        let row =
            "Quarter: Q2 2025; Trips by bus: 140; Trips by boat: 90; Trips by rail: 37; Late: 4";
        let passages = [document("trips", "Trips", row)];
        let units = evidence_units(&passages);
        let told = |question: &str| {
            let question = Question::parse(question, &[]);
            let common = Commonness::new(&[], 1);
            let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
            all[0].value.clone().map(|at| &row[at])
        };
        assert_eq!(told("How many trips by rail were there in Q2 2025?"), Some("37"));
        assert_eq!(told("How many trips by boat were there in Q2 2025?"), Some("90"));
        assert_eq!(told("How many trips by bus were there in Q2 2025?"), Some("140"));
    }

    #[test]
    fn rows_for_different_things_are_no_vintages() {
        let passages = [
            document("old", "Berths", "Berth: Mooring, winter; Fee: £40; Note: a week"),
            document("new", "Berths", "Berth: Mooring, summer; Fee: £65"),
            document("new", "Berths", "Berth: Mooring, winter (heated); Fee: £44"),
            document("may", "Berths", "Month: May 2024; Fee: £44"),
            document("june", "Berths", "Month: June 2024; Fee: £46"),
            document("hill", "Hill", "The fee was £46."),
        ];
        let units = evidence_units(&passages);
        let other = |one: usize, two: usize| are_other_rows(&units[one], &units[two]);
        assert!(other(0, 1) && other(1, 2));
        assert!(!other(0, 2), "the same row, told more closely");
        assert!(!other(3, 4), "a time names them");
        assert!(!other(0, 3) && !other(0, 5));
    }

    #[test]
    fn a_field_is_asked_for_by_its_column() {
        let row = "date: 2025-07-17; ref: INC-131; ward: Ward 3; what_happened: Dose kept; bleeding; harm: low";
        let passages = [document("log", "Log", row)];
        let units = evidence_units(&passages);
        let cell = |question: &str| {
            asked_cell(&Question::parse(question, &[]), &units[0]).map(|at| row[at].to_owned())
        };
        assert_eq!(cell("What was the harm in INC-131?").as_deref(), Some("low"));
        let told = cell("What happened in INC-131?");
        assert_eq!(told.as_deref(), Some("Dose kept; bleeding"));
        assert_eq!(cell("Which incident caused low harm?").as_deref(), Some("INC-131"));
        assert_eq!(cell("Which ward was INC-131 on?").as_deref(), Some("Ward 3"));
        assert_eq!(cell("How long did it take?"), None);
        let staff = "name: Nerys Colbeck; role: Bar manager; line_manager: Tom Wren";
        let passages = [document("staff", "Staff", staff)];
        let units = evidence_units(&passages);
        let who = |question: &str| {
            people_cell(&Question::parse(question, &[]), &units[0]).map(|at| staff[at].to_owned())
        };
        assert_eq!(who("Who runs the bar?").as_deref(), Some("Nerys Colbeck"));
        assert_eq!(who("Who is Nerys Colbeck's line manager?"), None);
        let load =
            "date: 2025-05-12; item: Malt; condition: refused; note: Moisture 5.1% - sent back";
        let passages = [document("deliveries", "Deliveries", load)];
        let units = evidence_units(&passages);
        let told = asked_cell(&Question::parse("Why was the malt refused?", &[]), &units[0]);
        assert_eq!(told.map(|at| &load[at]), Some("Moisture 5.1% - sent back"));
    }
}
