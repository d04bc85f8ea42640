//! Succession: what a later paper says of the same thing, in whatever words, is what is so now. The days of documents and of their
//! parts order two statements; that both tell of the same is the succession reader's word.

use super::asked_past::asks_for_the_old;
use super::bind::Candidate;
use super::changes::instead;
use super::in_place::is_same_number;
use super::later_figures::{effective, replace, written_since};
use super::later_parts::amends;
use super::meaning::FAIR;
use super::parts::{below_day, part_of};
use super::question::{Expects, Question};
use super::reader::{AnswerReader, Told};
use super::roles::attendance;
use super::scene::{place_of, read_as};
use super::select::Selection;
use super::succession_reader::{Statement, SuccessionReader};
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use crate::embed::dot;
use crate::ingest::UnitKind;
use crate::ingest::dates::dates;
use crate::ingest::mails::subject;
use elenchus_core::evidence::PartialDate;
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{squeeze, words};

/// Most later statements that are read beside an older one: those that come nearest to it and to the question.
const READ: usize = 32;
/// Of these, the ones that are read behind the sentence before them, whatever it says.
const READ_ON: usize = 12;
/// What the answer reader says of the later statement alone counts by this much beside the succession reader's log-odds. With this and the
/// bounds below, over eight folders that were looked at, 27 outdated answers give way to what is so now and 1 right one to something else (those for named values left aside).
const READS: f64 = 0.5;
/// Log-odds of either reader below which a later statement is not taken, whatever the other one says.
const PAIR: f64 = 3.0;
const ALONE: f64 = -1.5;
/// The same, and how much less the sum may be, where the later statement names the older value: it speaks of the same then.
const NAMED_PAIR: f64 = 1.5;
const NAMED_ALONE: f64 = -5.0;
const NAMED_LESS: f64 = 1.6;
/// Fewest letters of a name by which a value is known.
const NAME: usize = 4;
/// Sum from which a later statement may tell of the same: what it may take the place of is no firm answer.
const IN_DOUBT: f64 = 0.0;
/// Sum from which a later statement is taken to tell of the same.
const SAME: f64 = 2.4;
/// The same where the question asks for a time, or what happened, or yes or no: what is told later may be of another time.
const SAME_THEN: f64 = 4.4;
/// The same where neither yes nor no can be read from it, or no value of the kind that was told before.
const SAME_UNREAD: f64 = 4.4;
/// How far below the likeliest a still later one may lie.
const AS_LIKELY: f64 = 1.5;
/// Log-odds of the succession reader from which it is worth to read on: the other reader, or the sentence before, adds no more.
const MAY_BE: f64 = -4.0;
const LIKELY: f64 = -1.0;
/// Fewest bytes of a value by which it is known in another sentence.
const SPOKEN_OF: usize = 4;
/// A later statement that tells of the same.
struct Later {
    at: usize,
    day: PartialDate,
    told: Told,
    /// Its text as it was read.
    read: String,
}

/// Puts what the latest paper says in the place of an older statement, or beside it where it is to hold from a day that no paper has
/// reached. Gives the units that it was judged by.
pub(super) fn succeed(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<usize> {
    let [chosen] = selection.answers.as_slice() else { return Vec::new() };
    if !may_change(question) || chosen.compared.is_some() || !is_told(&units[chosen.unit]) {
        return Vec::new();
    }
    let Found { later: found, in_doubt } = later(question, chosen, all, units);
    let mut judged_by: Vec<usize> = found.iter().map(|one| all[one.at].unit).collect();
    let placed = found.iter().find_map(|one| placed(question, chosen, one, all, units));
    let Some(told) = placed.filter(|told| !says_the_same(question, chosen, told, units)) else {
        if let Some(doubted) = in_doubt {
            judged_by.push(doubted);
            let chosen = &mut selection.answers[0];
            chosen.weighed = chosen.weighed.map(|weighed| weighed.min(FAIR));
        }
        return judged_by;
    };
    match effective(&units[told.unit]) {
        Some(from) => match written_since(from, units) {
            Some(witness) => {
                judged_by.push(witness);
                replace(selection, told);
            }
            None => selection.answers.push(told),
        },
        None => replace(selection, told),
    }
    judged_by
}

/// Whether a question asks for what a later paper may tell otherwise.
fn may_change(question: &Question) -> bool {
    question.kind == QuestionKind::Lookup
        && question.day.is_none()
        && question.then.is_none()
        && !question.past
        && !question.forerunner
        && question.verse.is_none()
        && !matches!(question.expects, Expects::List | Expects::Reason)
        && !asks_for_the_old(question)
}

/// What later papers tell.
#[derive(Default)]
struct Found {
    later: Vec<Later>,
    /// A unit that may tell of the same, and is not sure enough to be taken.
    in_doubt: Option<usize>,
}

/// Later statements of the same thing: of those that are about as likely as the likeliest the latest first.
fn later(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Found {
    let old = &units[chosen.unit];
    let said = day(old);
    let (Ok(reader), Ok(answers)) = (SuccessionReader::builtin(), AnswerReader::builtin()) else {
        return Found::default();
    };
    let mut near: Vec<(f64, usize, PartialDate)> = all
        .iter()
        .enumerate()
        .filter(|(_, one)| one.unit != chosen.unit && holds(one, chosen, units))
        .filter_map(|(at, one)| {
            let unit = &units[one.unit];
            let day = day(unit)?;
            let is_later =
                said.map_or_else(|| is_in_amendment(unit, old), |said| day.is_after(said));
            if !is_later {
                return None;
            }
            if question.period.is_some_and(|asked| !is_of_that_time(asked, unit)) {
                return None;
            }
            Some((f64::from(dot(&old.vector, &unit.vector)) + one.features.cosine, at, day))
        })
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    near.truncate(READ);
    let older = statement(old);
    let was = chosen.value.as_ref().and_then(|at| old.text.get(at.clone())).unwrap_or_default();
    let then = question.period.is_some() || question.happened || question.expects == Expects::YesNo;
    let same = if then { SAME_THEN } else { SAME };
    // "What did the overhaul cost?": the bill of another repair is told likewise, and only what stands before it says of which.
    let of_one_event = question.happened && question.period.is_none();
    let mut doubted: Option<(f64, usize)> = None;
    let mut found: Vec<Later> = near
        .into_iter()
        .enumerate()
        .filter_map(|(order, (_, at, day))| {
            let unit = all[at].unit;
            let spoken_of = (of_one_event || order >= READ_ON).then_some(was);
            let mut read = statement(&units[unit]);
            let mut told = reader.read(&question.text, &older, &read).ok()?;
            if (MAY_BE..same).contains(&told.answers)
                && let Some(behind) = behind(spoken_of, unit, units)
                && let Ok(with_it) = reader.read(&question.text, &older, &behind)
                && with_it.answers > told.answers
            {
                (told, read) = (with_it, behind);
            }
            if told.answers < LIKELY {
                return None;
            }
            let alone = answers.read(&question.text, &read.under, &read.text).ok()?;
            let pair = told.answers;
            told.answers += READS * alone.answers;
            let (least, least_alone, least_sum) = if names(was, &read.text) {
                (NAMED_PAIR, NAMED_ALONE, same - NAMED_LESS)
            } else {
                (PAIR, ALONE, same)
            };
            let by_both = pair >= least && alone.answers >= least_alone;
            if by_both && told.answers >= least_sum {
                return Some(Later { at, day, told, read: read.text });
            }
            // Who tells the old value again speaks for it.
            let again = !was.is_empty() && read.text.contains(was);
            let likelier = doubted.is_none_or(|(most, _)| told.answers > most);
            if told.answers >= IN_DOUBT && likelier && !again {
                doubted = Some((told.answers, unit));
            }
            None
        })
        .collect();
    let likeliest = found.iter().map(|one| one.told.answers).fold(f64::MIN, f64::max);
    found.retain(|one| one.told.answers >= likeliest - AS_LIKELY);
    found.sort_by(|a, b| {
        let newer = b.day.order_key().cmp(&a.day.order_key());
        newer.then(b.told.answers.total_cmp(&a.told.answers)).then(a.at.cmp(&b.at))
    });
    Found { later: found, in_doubt: doubted.map(|(_, unit)| unit) }
}

/// Whether a text names a value: one of its names, or its figure.
fn names(was: &str, text: &str) -> bool {
    let told = words(text);
    let tokens =
        was.split_whitespace().map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut known = tokens.filter(|token| {
        let figure =
            token.len() > 1 && token.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
        let name = token.chars().count() >= NAME && token.starts_with(char::is_uppercase);
        figure || name
    });
    known.any(|token| told.contains(&token.to_lowercase()))
}

/// Whether a statement may be the later one: it is in force, and what the question names stands in it, or it is of the same papers.
fn holds(one: &Candidate, chosen: &Candidate, units: &[EvidenceUnit<'_>]) -> bool {
    let (unit, old) = (&units[one.unit], &units[chosen.unit]);
    is_told(unit)
        && !unit.is_superseded()
        && !unit.is_replaced
        && (one.names_bound || unit.read.source.id == old.read.source.id)
        && attendance(unit.text).is_none()
}

/// A statement with the sentence before it, which may say what it takes the place of: "Tomasz Berwick is leaving us. Imani Osei will lead the
/// nurses", "Two digits were swapped. Donations were really 445,300 euros". Of all but the nearest statements that one has to speak of the
/// older value.
fn behind(was: Option<&str>, unit: usize, units: &[EvidenceUnit<'_>]) -> Option<Statement> {
    let before = &units[unit.checked_sub(1)?];
    let this = &units[unit];
    let goes_on = before.read.passage.id == this.read.passage.id
        && before.ordinal + 1 == this.ordinal
        && this.goes_on_from.is_empty()
        && was.is_none_or(|was| was.len() >= SPOKEN_OF && before.text.contains(was));
    goes_on.then(|| {
        let alone = statement(this);
        Statement { text: squeeze(&format!("{} {}", before.text, alone.text)), ..alone }
    })
}

/// The later statement as an answer, of fair bearing at most. Its value is what the reader marks, and of that a figure of the kind that the
/// older one has. Nothing where its words cannot be told.
fn placed(
    question: &Question,
    chosen: &Candidate,
    later: &Later,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let other = &all[later.at];
    let unit = &units[other.unit];
    let fair = |told: Candidate| Candidate {
        weighed: told.weighed.map(|weighed| weighed.min(FAIR)),
        ..told
    };
    if question.expects == Expects::YesNo {
        let sure = other.polarity.is_some() || later.told.answers >= SAME_UNREAD;
        let told = Candidate { polarity: other.polarity, ..instead(chosen, other, None) };
        return sure.then(|| fair(told));
    }
    let marked = place_of(unit.text, &later.read, later.told.words.clone()?)?;
    let overlaps =
        |value: &&Value| value.range.start < marked.end && marked.start < value.range.end;
    let figures = || {
        let overlapping = unit.values.iter().filter(overlaps);
        overlapping.filter(|value| Some(value.kind) == chosen.kind)
    };
    let whole = |value: &&Value| value.number.is_some() || value.range.len() >= marked.len();
    let figure = figures().find(whole);
    // "At any hour" takes the place of hours, but seldom does a name take that of a sum.
    let counts = question.expects.is_figure() || question.expects == Expects::Date;
    if counts && figures().next().is_none() && later.told.answers < SAME_UNREAD {
        return None;
    }
    let kind = chosen.kind.unwrap_or(ValueKind::Name);
    let value = figure.cloned().unwrap_or(Value { range: marked, kind, number: None });
    Some(fair(instead(chosen, other, Some(&value))))
}

/// Whether the later statement says what the older one says.
fn says_the_same(
    question: &Question,
    chosen: &Candidate,
    told: &Candidate,
    units: &[EvidenceUnit<'_>],
) -> bool {
    if question.expects == Expects::YesNo {
        return told.polarity.is_some() && told.polarity == chosen.polarity;
    }
    let text = |one: &Candidate| {
        let value = one.value.clone().and_then(|at| units[one.unit].text.get(at));
        words(value.unwrap_or(units[one.unit].text))
    };
    let (was, is) = (text(chosen), text(told));
    let holds = |long: &[String], short: &[String]| {
        !short.is_empty() && long.windows(short.len()).any(|some| some == short)
    };
    match chosen.number.zip(told.number) {
        // "2 weeks" are no "2 months".
        Some((was_number, is_number)) => {
            let unit = |of: &[String]| of.last().cloned();
            is_same_number(is_number, was_number) && unit(&was) == unit(&is)
        }
        None => holds(&was, &is) || holds(&is, &was),
    }
}

/// When a statement was written.
fn day(unit: &EvidenceUnit<'_>) -> Option<PartialDate> {
    let own = || unit.read.source.date.as_ref()?.of_document();
    part_of(unit).map(|part| part.day).or_else(own)
}

/// Whether a unit stands in a dated amendment of the document that another one stands in, which has no day of its own.
fn is_in_amendment(unit: &EvidenceUnit<'_>, old: &EvidenceUnit<'_>) -> bool {
    unit.read.source.id == old.read.source.id
        && part_of(unit).is_some_and(|part| amends(&part.title))
}

/// Whether a unit tells of the time that is asked for: by itself, or else by its subject or headings, or else by its title.
fn is_of_that_time(asked: PartialDate, unit: &EvidenceUnit<'_>) -> bool {
    let own: Vec<PartialDate> = unit.periods.iter().map(|period| period.value).collect();
    let headings = below_day(unit).join("; ");
    let subject = subject(&unit.read.passage.text).unwrap_or_default();
    let texts = [subject.as_str(), &headings, &unit.read.source.title];
    let found = texts.map(|text| dates(text).into_iter().map(|(_, date)| date).collect());
    let nearest = std::iter::once(own).chain(found).find(|told: &Vec<_>| !told.is_empty());
    nearest
        .is_some_and(|told| told.iter().any(|date| date.contains(asked) || asked.contains(*date)))
}

/// A statement of a document of the folder.
fn is_told(unit: &EvidenceUnit<'_>) -> bool {
    let of_years = || unit.read.passage.table_header.iter().any(|name| !dates(name).is_empty());
    !unit.is_note
        && unit.read.source.web.is_none()
        && match unit.kind {
            UnitKind::Sentence | UnitKind::Item => true,
            UnitKind::Row => !of_years(),
            _ => false,
        }
}

fn statement(unit: &EvidenceUnit<'_>) -> Statement {
    let [title, heading, text] = read_as(unit);
    let under = AnswerReader::under(&title, &heading);
    let under = match subject(&unit.read.passage.text) {
        Some(subject) => format!("{under}, {subject}"),
        None => under,
    };
    Statement { under, text }
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, ReadPassage};

    fn dated(name: &str, date: Option<PartialDate>, text: &str) -> ReadPassage {
        let mut read = document(name, name, text);
        read.source.date = date.map(|value| DocDate { value, stated: value.to_string() });
        read
    }

    /// What answers, and what is told as older.
    fn told(question: &str, passages: &[ReadPassage]) -> (Vec<String>, Vec<String>) {
        let units = evidence_units(passages);
        let question = Question::parse(question, &[]);
        let selection = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 9));
        let values = |list: &[Candidate]| {
            let value = |one: &Candidate| Some(units[one.unit].text[one.value.clone()?].to_owned());
            list.iter().filter_map(value).collect()
        };
        (values(&selection.answers), values(&selection.superseded))
    }

    const FEE: &str = "How much is the subscription of the choir?";
    const OLD: &str = "The subscription of the choir is 24 euros a year.";
    const NEW: &str = "Paper has become dear: every singer pays 36 euros a year from now on.";

    #[test]
    fn a_later_paper_tells_in_other_words_what_is_so_now() {
        let (old, new) = (PartialDate::year(2022), PartialDate::day(2024, 5, 3));
        let papers = |older, newer| [dated("Rules", older, OLD), dated("Choir", newer, NEW)];
        let (answers, older) = told(FEE, &papers(Some(old), Some(new)));
        assert!(answers.len() == 1 && answers[0].contains("36"), "{answers:?}");
        assert!(older.len() == 1 && older[0].contains("24"), "{older:?}");
        // Where the order is not known, and where it is the other way round, it stays.
        let within = PartialDate::year(2024);
        for (older, newer) in [
            (None, Some(new)),
            (Some(old), None),
            (Some(new), Some(old)),
            (Some(new), Some(within)),
        ] {
            let (answers, _) = told(FEE, &papers(older, newer));
            assert!(answers.iter().any(|one| one.contains("24")), "{answers:?}");
        }
    }

    #[test]
    fn a_later_paper_about_something_else_changes_nothing() {
        let asked = "Who is the treasurer of the club?";
        let old = dated(
            "Rules",
            Some(PartialDate::year(2022)),
            "The treasurer of the club is Colin Abbot.",
        );
        let holder = |new: &str| {
            let new = dated("Minutes", Some(PartialDate::year(2024)), new);
            told(asked, &[old.clone(), new]).0
        };
        for turned in [
            "Mr Abbot laid down the purse after eleven years; Priya Nair looks after the finances \
             from today.",
            "Mr Abbot stepped down after eleven years. Priya Nair is now in charge of the finances \
             of the club.",
        ] {
            let told = holder(turned);
            assert!(told.iter().any(|one| one.contains("Priya Nair")), "{turned} {told:?}");
        }
        for other in [
            "Priya Nair looks after the boats from today.",
            "Priya Nair was thanked for the cakes.",
            "Present: Priya Nair, Ada Lund.",
            "Priya Nair asked Mr Abbot for the accounts of 2021.",
        ] {
            let answers = holder(other);
            assert!(answers.len() == 1 && answers[0].contains("Abbot"), "{other} {answers:?}");
        }
    }

    #[test]
    fn a_figure_of_a_year_is_put_right_by_what_tells_of_that_year() {
        let asked = "How much did the museum take in entrance fees in 2023?";
        let old = dated(
            "Annual report 2023",
            Some(PartialDate::month(2024, 2)),
            "Entrance fees in 2023 came to 81,300 euros.",
        );
        let right = dated(
            "Letter about the annual report for 2023",
            Some(PartialDate::day(2024, 5, 2)),
            "Two figures were swapped. Entrance fees in that year were really 83,100 euros.",
        );
        let (answers, _) = told(asked, &[old.clone(), right]);
        assert!(answers[0].contains("83,100"), "{answers:?}");
        let next = dated(
            "Annual report 2024",
            Some(PartialDate::month(2025, 2)),
            "Entrance fees came to 95,700 euros.",
        );
        let (answers, _) = told(asked, &[old, next]);
        assert!(answers[0].contains("81,300"), "{answers:?}");
    }

    #[test]
    fn a_value_is_named_by_its_name_and_by_its_figure() {
        assert!(names("Colin Abbot", "Mr Abbot laid down the purse."));
        assert!(names("24 euros", "Instead of 24 it is 36 euros."));
        for (was, text) in [
            ("Colin Abbot", "Priya Nair keeps the purse."),
            ("24 euros", "It is 36 euros."),
            ("on Mondays at 8", "We sing on Fridays at 8."),
            ("", "It is 36 euros."),
        ] {
            assert!(!names(was, text), "{was} {text}");
        }
    }

    #[test]
    fn months_of_one_year_are_told_apart() {
        let passages = [
            document("june", "Report", "In May 2024 we had 1,610 visitors."),
            document("april", "Report", "In March 2024 we had 1,240 visitors."),
        ];
        let march = PartialDate::month(2024, 3);
        let of_it: Vec<bool> =
            evidence_units(&passages).iter().map(|unit| is_of_that_time(march, unit)).collect();
        assert_eq!(of_it, [false, true]);
    }

    #[test]
    fn the_sentence_before_tells_whose_place_is_taken() {
        let passages = [document(
            "Mail",
            "Nursing",
            "Tomas Berg is leaving us at the end of May. Imani Osei will lead the nurses.",
        )];
        let units = evidence_units(&passages);
        let at = units.iter().position(|unit| unit.text.starts_with("Imani")).expect("a unit");
        let both = behind(Some("Tomas Berg"), at, &units).expect("it goes on");
        assert!(both.text.starts_with("Tomas Berg is leaving"), "{both:?}");
        assert_eq!(behind(Some("Ada Lund"), at, &units), None);
        assert_eq!(behind(Some("Tom"), at, &units), None, "too short to be known");
        assert_eq!(behind(None, at, &units), Some(both));
        assert_eq!(behind(None, 0, &units), None, "nothing stands before it");
    }
}
