//! Overruled: an answer that a document takes back, whose plan it tells is overtaken or dropped gives way to what the document says
//! instead.
//!
//! What was told wrongly is no answer of now however well its sentence fits the question, and wherever it stands.

use super::asked_past::asks_for_the_old;
use super::bind::Candidate;
use super::changes::beside;
use super::dropped::{drops, is_plan, says_dropped};
use super::in_place::{Instead, about, after, is_alike, is_prose, is_same};
use super::overtaken;
use super::parts;
use super::question::{Expects, Question};
use super::retracted::{Fate, fate, right_one};
use super::select::Selection;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::evidence::PartialDate;
use elenchus_core::prompt::{Polarity, QuestionKind};
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Share of the nouns of a question that a correction binds, where it names the wrong value, and where it does not.
const OF_IT: f64 = 0.6;
const FIRMLY: f64 = 0.8;
/// The highest probability that a correction in another document is of the very thing.
const LIKELY: f64 = 0.8;
/// Words by which a question asks for what was told or planned, or for the error itself.
const ASKS_BACK: [&str; 22] = [
    "wrote",
    "written",
    "said",
    "told",
    "claimed",
    "stated",
    "wrong",
    "wrongly",
    "incorrect",
    "incorrectly",
    "mistake",
    "error",
    "erratum",
    "misprint",
    "correction",
    "corrected",
    "corrects",
    "retracted",
    "withdrawn",
    "misstated",
    "quoted",
    "announced",
];
/// Verbs that ask for what was told, behind "did".
const TELLS: [&str; 11] = [
    "say", "write", "tell", "claim", "state", "report", "print", "announce", "plan", "intend",
    "give",
];
/// What was planned, behind "was".
const PLANNED: [&str; 8] =
    ["planned", "meant", "supposed", "intended", "expected", "scheduled", "due", "proposed"];

/// What a document makes of an answer.
enum Verdict {
    /// Another value holds; whether the document of the answer itself says so.
    Value(Instead, bool),
    /// None holds any more, as this unit says.
    Nothing(usize),
}

/// Puts what a document says instead in the place of the one answer that it takes back. Gives the units that this rests on, nothing
/// where the answer stands.
pub(super) fn overrule(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Vec<usize>> {
    let [chosen] = selection.answers.as_slice() else { return None };
    if !asks_of_now(question) || chosen.compared.is_some() {
        return None;
    }
    let old = chosen.clone();
    let rests = if let Some(verdict) = verdict(question, &old, all, units) {
        match verdict {
            Verdict::Value(new, here) => {
                let told = in_its_stead(question, &old, &new, here, all)?;
                selection.conflicts.retain(|other| other.unit != new.unit);
                selection.superseded.retain(|other| other.unit != new.unit);
                selection.answers = vec![told];
                if old.unit != new.unit {
                    selection.superseded.push(old);
                }
                vec![new.unit]
            }
            Verdict::Nothing(by) => {
                let near = all.iter().find(|one| one.unit == by).cloned();
                *selection = Selection {
                    superseded: vec![old],
                    nearest: near.into_iter().collect(),
                    ..Selection::default()
                };
                vec![by]
            }
        }
    } else if let Some(by) = dropped(question, &old, all, units) {
        drop_it(selection, old, by, all)?
    } else {
        Vec::new()
    };
    let told = hold_conflicts(question, selection, all, units);
    let rests: Vec<usize> = rests.into_iter().chain(told).collect();
    (!rests.is_empty()).then_some(rests)
}

/// Whether a question asks for one thing as it is now.
fn asks_of_now(question: &Question) -> bool {
    let all = words(&question.text);
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    let was = has(&["was", "were", "had"]);
    question.kind == QuestionKind::Lookup
        && question.verse.is_none()
        && question.then.is_none()
        && !question.past
        && !matches!(question.expects, Expects::List | Expects::Reason)
        && !asks_for_the_old(question)
        && !has(&ASKS_BACK)
        && !(has(&["did"]) && has(&TELLS))
        && !(was && has(&PLANNED))
}

/// Whether what a candidate answers is taken back by a unit that is none of these.
pub(super) fn is_taken_back(
    question: &Question,
    chosen: &Candidate,
    own: &[usize],
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> bool {
    asks_of_now(question)
        && match verdict(question, chosen, all, units) {
            Some(Verdict::Value(new, _)) => !own.contains(&new.unit),
            Some(Verdict::Nothing(_)) => true,
            None => dropped(question, chosen, all, units).is_some(),
        }
}

/// The value that a candidate answers with; of a yes, the one of its unit that the question names.
fn told_value(question: &Question, chosen: &Candidate, unit: &EvidenceUnit<'_>) -> Option<Value> {
    if let Some(range) = &chosen.value {
        let kind = chosen.kind.unwrap_or(ValueKind::Name);
        return Some(Value { range: range.clone(), kind, number: chosen.number });
    }
    if question.expects != Expects::YesNo || chosen.polarity != Some(Polarity::Yes) {
        return None;
    }
    let asked = question.text.to_lowercase();
    let is_asked = |value: &&Value| {
        let figure = value.number.is_some() || value.kind == ValueKind::Date;
        let text = unit.text.get(value.range.clone()).unwrap_or_default();
        figure && asked.contains(text.to_lowercase().as_str())
    };
    unit.values.iter().find(is_asked).cloned()
}

/// What the documents make of the value of an answer.
fn verdict(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Verdict> {
    let home = &units[chosen.unit];
    let value = told_value(question, chosen, home)?;
    if let Some(found) = of_itself(chosen.unit, &value, units) {
        return Some(found);
    }
    let old = home.text.get(value.range.clone())?;
    let since = written(home);
    units.iter().enumerate().find_map(|(at, unit)| {
        let is_home = unit.read.passage.id == home.read.passage.id && unit.ordinal == home.ordinal;
        if is_home || !may_overrule(unit, since) {
            return None;
        }
        let repeated = unit.values.iter().find(|other| {
            let text = unit.text.get(other.range.clone()).unwrap_or_default();
            is_alike((&value, home.text), (other, unit.text))
                && is_same((&value, old), (other, text))
                && is_of_one_noun((&value, home.text), (other, unit.text))
        });
        let found = match repeated {
            Some(wrong) => match of_itself(at, wrong, units)? {
                Verdict::Value(new, _) => Verdict::Value(new, false),
                Verdict::Nothing(by) => Verdict::Nothing(by),
            },
            None if is_of_its_time(question, unit, home) => {
                Verdict::Value(right_one(at, (&value, home.text), units)?, false)
            }
            None => return None,
        };
        let (new, share) = match &found {
            Verdict::Value(new, _) => (Some(new), if repeated.is_some() { OF_IT } else { FIRMLY }),
            Verdict::Nothing(_) => (None, FIRMLY),
        };
        let is_told_already = new.is_some_and(|new| {
            let text = units[new.unit].text.get(new.value.range.clone()).unwrap_or_default();
            new.unit == chosen.unit || is_same((&value, old), (&new.value, text))
        });
        let last = new.map_or(at, |new| new.unit);
        let same = is_of_it((chosen, &value.range), at..last.max(at) + 1, share, all, units);
        (!is_told_already && same).then_some(found)
    })
}

/// What a unit and those right behind it make of a value of its own.
fn of_itself(at: usize, value: &Value, units: &[EvidenceUnit<'_>]) -> Option<Verdict> {
    let times = |unit: &EvidenceUnit<'_>, value: &Value| -> Vec<i64> {
        let own = unit.periods.iter().filter(|period| period.range != value.range);
        own.map(|period| period.value.order_key()).collect()
    };
    match fate(at, value, units) {
        Some(Fate::Replaced(new)) => {
            // "The actual number of June" says nothing of May.
            let (before, behind) = (times(&units[at], value), times(&units[new.unit], &new.value));
            let is_of_then = value.kind != ValueKind::Date
                && new.unit != at
                && !before.is_empty()
                && !behind.is_empty()
                && !behind.iter().any(|time| before.contains(time));
            (!is_of_then).then_some(Verdict::Value(new, true))
        }
        Some(Fate::Withdrawn) => Some(Verdict::Nothing(at)),
        None => overtaken::now(at, value, units).map(|new| Verdict::Value(new, true)),
    }
}

/// Whether a unit may say what became of a statement of another one, whose day is given: it holds, and is not known to be older.
fn may_overrule(unit: &EvidenceUnit<'_>, old: Option<i64>) -> bool {
    let is_older = || written(unit).zip(old).is_some_and(|(own, its)| own < its);
    is_prose(unit) && !unit.is_replaced && !unit.is_superseded() && !is_older()
}

/// Whether two figures, each with the text that it stands in, have one unit or count one noun, or one of them has none.
fn is_of_one_noun(one: (&Value, &str), other: (&Value, &str)) -> bool {
    let noun = |(value, text): (&Value, &str)| {
        let own = words(text.get(value.range.clone()).unwrap_or_default());
        let is_figure = |word: &String| word.contains(|c: char| c.is_ascii_digit());
        // "40 metres" has its unit, and "40" and "forty" have it behind them.
        let unit = own.last().filter(|word| own.len() > 1 && !is_figure(word)).cloned();
        let next = || after(text, &value.range).into_iter().next();
        unit.or_else(next).filter(|word| !is_stop_word(word)).map(|word| stem(&word))
    };
    let is_figure = one.0.number.is_some() && other.0.number.is_some();
    !is_figure || noun(one).zip(noun(other)).is_none_or(|(own, its)| own == its)
}

/// Whether a unit stands above another one of its file, and is not known to be written later.
fn stands_above(unit: &EvidenceUnit<'_>, other: &EvidenceUnit<'_>) -> bool {
    let start = |one: &EvidenceUnit<'_>| one.read.passage.span.start + one.span.start;
    unit.read.source.id == other.read.source.id
        && start(unit) < start(other)
        && written(unit).zip(written(other)).is_none_or(|(own, its)| own <= its)
}

/// Whether a unit that names times names one that a question asks about or that a statement tells of.
fn is_of_its_time(question: &Question, unit: &EvidenceUnit<'_>, old: &EvidenceUnit<'_>) -> bool {
    let times = || unit.periods.iter().map(|period| period.value);
    unit.periods.is_empty()
        || question.period.is_some_and(|asked| times().any(|time| time == asked))
        || old.periods.iter().any(|period| times().any(|time| time == period.value))
}

/// When a unit was written, as a number that grows with time.
fn written(unit: &EvidenceUnit<'_>) -> Option<i64> {
    parts::written(unit).map(PartialDate::order_key)
}

/// Whether what some units say in a row is of the thing that is asked about and that an answer, given with its value, tells of.
fn is_of_it(
    (chosen, value): (&Candidate, &Range<usize>),
    row: Range<usize>,
    share: f64,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> bool {
    let Some(first) = units.get(row.start) else { return false };
    // What stands before it in its passage tells what "it" is.
    let before = row.start.checked_sub(1).filter(|before| {
        units[*before].read.passage.id == first.read.passage.id && is_prose(&units[*before])
    });
    let row = before.unwrap_or(row.start)..row.end;
    let of = |at: usize| all.iter().find(move |one| one.unit == at);
    let binds = row.clone().filter_map(of).any(|one| one.names_bound && one.features.noun >= share);
    let home = about(units[chosen.unit].text, value);
    let speaks = row.clone().any(|at| {
        let own = about(units[at].text, &(0..0));
        own.intersection(&home).next().is_some()
    });
    binds && speaks
}

/// The answer that takes the place of another one.
fn in_its_stead(
    question: &Question,
    old: &Candidate,
    new: &Instead,
    here: bool,
    all: &[Candidate],
) -> Option<Candidate> {
    let base = all.iter().find(|one| one.unit == new.unit)?;
    let yes = question.expects == Expects::YesNo && old.value.is_none();
    let held = |probability: f64| if here { probability } else { probability.min(LIKELY) };
    Some(Candidate {
        value: (!yes).then(|| new.value.range.clone()),
        kind: (!yes).then_some(new.value.kind),
        number: new.value.number.filter(|_| !yes),
        accepted: true,
        by_meaning: old.by_meaning.map(held),
        weighed: old.weighed.map(held),
        polarity: yes.then_some(Polarity::No),
        planned: false,
        ..base.clone()
    })
}

/// The unit that says that the plan is dropped that an answer tells.
fn dropped(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<usize> {
    let plan = &units[chosen.unit];
    let is_yes = matches!(chosen.polarity, Some(Polarity::Yes | Polarity::Conditional));
    if question.expects == Expects::YesNo && !is_yes {
        return None;
    }
    if is_yes && says_dropped(plan.text, &question.text) {
        return Some(chosen.unit);
    }
    if !is_plan(plan.text) {
        return None;
    }
    let since = written(plan);
    let other = all.iter().find(|one| {
        let unit = &units[one.unit];
        one.unit != chosen.unit
            && one.names_bound
            && may_overrule(unit, since)
            && !stands_above(unit, plan)
            && drops(unit, plan)
    });
    other.map(|one| one.unit)
}

/// Answers a question for a plan that is dropped: no, or nothing.
fn drop_it(
    selection: &mut Selection,
    old: Candidate,
    by: usize,
    all: &[Candidate],
) -> Option<Vec<usize>> {
    let base = all.iter().find(|one| one.unit == by)?.clone();
    if old.polarity.is_some() {
        let told = Candidate { polarity: Some(Polarity::No), ..beside(&old, &base) };
        selection.conflicts.retain(|other| other.unit != by);
        selection.superseded.retain(|other| other.unit != by);
        selection.answers = vec![told];
        if old.unit != by {
            selection.superseded.push(old);
        }
    } else {
        *selection =
            Selection { superseded: vec![old], nearest: vec![base], ..Selection::default() };
    }
    Some(vec![by])
}

/// What is set against an answer and was told wrongly is an older value, where the answer is what was right. Gives the units that say so.
fn hold_conflicts(
    question: &Question,
    selection: &mut Selection,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Vec<usize> {
    let [answer] = selection.answers.as_slice() else { return Vec::new() };
    let (Some(kind), Some(range)) = (answer.kind, answer.value.clone()) else { return Vec::new() };
    let own = Value { range: range.clone(), kind, number: answer.number };
    let text = units[answer.unit].text.get(range).unwrap_or_default();
    let mut rests = Vec::new();
    let mut gone = Vec::new();
    selection.conflicts.retain(|other| {
        let Some(Verdict::Value(new, _)) = verdict(question, other, all, units) else {
            return true;
        };
        let told = units[new.unit].text.get(new.value.range.clone()).unwrap_or_default();
        if !is_same((&own, text), (&new.value, told)) {
            return true;
        }
        rests.push(new.unit);
        gone.push(other.clone());
        false
    });
    selection.superseded.append(&mut gone);
    rests
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, PartialDate, ReadPassage};

    fn written_in(name: &str, year: i32, text: &str) -> ReadPassage {
        let mut read = document(name, "News", text);
        let value = PartialDate::year(year);
        read.source.date = Some(DocDate { value, stated: value.to_string() });
        read
    }

    /// The value that is answered, the values that are told as older, and the yes or no.
    fn told(question: &str, passages: &[ReadPassage]) -> (Option<String>, usize, Option<Polarity>) {
        let units = evidence_units(passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3));
        let best = chosen.answers.first();
        let value = best.and_then(|one| Some(units[one.unit].text[one.value.clone()?].to_owned()));
        (value, chosen.superseded.len(), best.and_then(|one| one.polarity))
    }

    #[test]
    fn what_was_told_wrongly_is_no_answer() {
        let letter =
            "In the last letter we wrote that the mast is 31 metres high. It is 27 metres high.";
        let (value, older, _) =
            told("How high is the mast?", &[document("letter", "News", letter)]);
        assert_eq!((value.as_deref(), older), (Some("27 metres"), 1));
    }

    #[test]
    fn a_figure_is_put_right_by_another_document() {
        let asked = "How many visitors were counted in May 2023?";
        let report = written_in("report", 2023, "In May 2023 the museum counted 1,340 visitors.");
        let right = "The figure for the visitors in May 2023 was wrong. The right number is 1,240.";
        let both = [report.clone(), written_in("mail", 2024, right)];
        let (value, older, _) = told(asked, &both);
        assert_eq!((value.as_deref(), older), (Some("1,240"), 1));
        // Another month, and a note that is older than the report.
        let june = "The figure for the visitors in June 2023 was wrong. The right number is 1,240.";
        let (value, ..) = told(asked, &[report.clone(), written_in("mail", 2024, june)]);
        assert_eq!(value.as_deref(), Some("1,340"));
        let (value, ..) = told(asked, &[report, written_in("mail", 2022, right)]);
        assert_eq!(value.as_deref(), Some("1,340"));
    }

    #[test]
    fn a_plan_that_is_dropped_is_no_plan_of_now() {
        let report = written_in("report", 2023, "A timber slipway at Oban is planned.");
        let minutes = "The plan of a timber slipway at Oban is dropped.";
        let asked = "Is a timber slipway at Oban planned?";
        let (_, _, yes) = told(asked, &[report.clone(), written_in("minutes", 2024, minutes)]);
        assert_eq!(yes, Some(Polarity::No));
        let (_, _, yes) = told(asked, &[report]);
        assert_ne!(yes, Some(Polarity::No));
        let text = format!("{minutes} A timber slipway at Oban is planned.");
        let anew = [document("minutes", "News", &text)];
        let units = evidence_units(&anew);
        assert!(stands_above(&units[0], &units[1]) && !stands_above(&units[1], &units[0]));
    }

    #[test]
    fn equal_numbers_of_other_things_are_other_figures() {
        let same = |one: &str, other: &str| {
            let passages = [document("one", "News", one), document("two", "News", other)];
            let units = evidence_units(&passages);
            let figure = |text: &str| {
                let unit = units.iter().find(|unit| unit.text == text);
                let unit = unit.expect("it is a unit");
                let value = unit.values.iter().find(|value| value.number.is_some());
                (value.expect("it tells a figure").clone(), unit.text)
            };
            let (one, other) = (figure(one), figure(other));
            is_of_one_noun((&one.0, one.1), (&other.0, other.1))
        };
        assert!(same("We counted 40 boats.", "They built 40 boats."));
        assert!(same("We counted 40 boats.", "The number of boats is 40."));
        assert!(!same("We counted 40 boats.", "They built 40 chairs."));
    }

    #[test]
    fn a_question_for_what_was_told_or_planned_is_another_one() {
        for (text, now) in [
            ("How high is the mast?", true),
            ("When will the works begin?", true),
            ("How high did the last letter say the mast is?", false),
            ("When was the work to be finished?", false),
            ("When was the fair planned for?", false),
            ("What was the error in the last letter?", false),
            ("What did the fair cost originally?", false),
        ] {
            assert_eq!(asks_of_now(&Question::parse(text, &[])), now, "{text}");
        }
    }
}
