//! Parts: a document of several meetings, notices or amendments has a line with a day over each, which orders them as the dates of
//! documents order documents.

use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use super::values::ValueKind;
use crate::ingest::dates::dates;
use elenchus_core::evidence::{DatePrecision, PartialDate, Span, WEEKDAYS, char_slice};
use elenchus_core::text::words;

/// Most words of a line that stands over a part.
const LONGEST: usize = 10;
/// What a part with a day of its own is called. "Fair of 3 May 2024" tells of the fair's day, and not of when it was written.
const KINDS: [&str; 33] = [
    "meeting",
    "minutes",
    "session",
    "sitting",
    "assembly",
    "mail",
    "email",
    "letter",
    "message",
    "notice",
    "memo",
    "note",
    "amendment",
    "addendum",
    "supplement",
    "rider",
    "revision",
    "update",
    "bulletin",
    "announcement",
    "circular",
    "decision",
    "resolution",
    "entry",
    "valid",
    "force",
    "effective",
    "version",
    "edition",
    "status",
    "correction",
    "newsletter",
    "report",
];
/// Longest title of a part, in bytes.
const LONGEST_TITLE: usize = 120;
/// First words of the line below a title without a day that tells it: "Signed on 11 June 2024".
const SIGNED: [&str; 10] = [
    "signed",
    "dated",
    "date",
    "agreed",
    "adopted",
    "approved",
    "issued",
    "concluded",
    "effective",
    "valid",
];
/// Most words of such a line before its day.
const BEFORE_DAY: usize = 4;
/// First words of a line that is the beginning of a sentence.
const OPENERS: [&str; 19] = [
    "the", "a", "an", "this", "that", "these", "at", "in", "on", "since", "after", "before",
    "until", "by", "from", "our", "we", "it", "as",
];

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The words of the line over it, in lower case.
    pub(super) title: Vec<String>,
    pub(super) day: PartialDate,
    /// Whether the line has the day and nothing else, as over an entry of a log or a diary.
    is_entry: bool,
}

/// When a part of a document, or the document, says what it says.
pub(super) fn written(unit: &EvidenceUnit<'_>) -> Option<PartialDate> {
    let date = || unit.read.source.date.as_ref().map(|date| date.value);
    part_of(unit).map(|part| part.day).or_else(date)
}

/// The part that a unit stands in: that of the nearest line above it in its passage, or of a heading.
pub(super) fn part_of(unit: &EvidenceUnit<'_>) -> Option<Part> {
    let passage = &unit.read.passage;
    // The line over a part may be read as the beginning of its first sentence.
    let own = unit.text.split_once('\n').map(|(first, _)| first.trim());
    let before = Span { start: 0, end: unit.span.start };
    let before = char_slice(&passage.text, before).unwrap_or(&passage.text);
    let mut above = None;
    let mut opens = true;
    let mut untold = passage.heading_path.last().and_then(|heading| undated(heading));
    for line in before.lines().map(str::trim) {
        if opens && let Some(part) = dated(line) {
            above = Some(part);
        } else if let Some(title) = untold.take_if(|_| !line.is_empty()) {
            above = signed(line).map(|day| Part { title, day, is_entry: false }).or(above);
        }
        if opens && untold.is_none() {
            untold = undated(line);
        }
        opens = line.is_empty();
    }
    let opens_here = before.trim().is_empty() || before.trim_end_matches(' ').ends_with("\n\n");
    own.filter(|_| opens_here)
        .and_then(dated)
        .or(above)
        .or_else(|| passage.heading_path.iter().rev().find_map(|heading| dated(heading)))
}

/// Whether the heading over a unit says when what it tells happened: that of an entry of a log or a diary is its day and nothing
/// more. What the unit itself dates has its own day.
pub(super) fn is_of_its_entry(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let times = [ValueKind::Date, ValueKind::Duration];
    let is_entry = |heading: &String| dated(heading).is_some_and(|part| part.is_entry);
    question.expects == Expects::Date
        && question.happened
        && !unit.values.iter().any(|value| times.contains(&value.kind))
        && unit.read.passage.heading_path.last().is_some_and(is_entry)
}

/// The headings over a unit below the one that tells its day.
pub(super) fn below_day<'a>(unit: &EvidenceUnit<'a>) -> &'a [String] {
    let path: &'a [String] = &unit.read.passage.heading_path;
    let day = path.iter().rposition(|heading| dated(heading).is_some());
    &path[day.map_or(path.len(), |at| at + 1)..]
}

/// "Meeting of 9 November 2023", "Second amendment, 2 December 2024", "12 May 2024": what a line over a part says of its day.
fn dated(line: &str) -> Option<Part> {
    let line = line.trim_matches(['#', '*', '_', '-', '=', ':', ' ']);
    if !line.contains(|c: char| c.is_ascii_digit()) || line.ends_with(['.', ';', ',', '?', '!']) {
        return None;
    }
    let title = words(line);
    let opener = title.first().is_none_or(|first| OPENERS.contains(&first.as_str()));
    // "Next meeting: 12 November" is still to come.
    let to_come = title.iter().any(|word| matches!(word.as_str(), "next" | "upcoming" | "agenda"));
    if opener || to_come || title.len() > LONGEST {
        return None;
    }
    let (at, day) = dates(line).into_iter().next()?;
    let mut rest = words(line.get(..at.start)?);
    rest.extend(words(line.get(at.end..)?));
    let bare = rest.iter().all(|word| WEEKDAYS.contains(&word.as_str()));
    let named = rest.iter().any(|word| KINDS.contains(&word.as_str()));
    let exact = match day.precision {
        DatePrecision::Day => bare || named,
        DatePrecision::Month => named,
        _ => false,
    };
    exact.then_some(Part { title, day, is_entry: bare })
}

/// "Amendment No. 1": the words of the title of a part that tells no day of its own.
fn undated(line: &str) -> Option<Vec<String>> {
    if line.len() > LONGEST_TITLE || line.ends_with(['.', ';', ',', '?', '!']) {
        return None;
    }
    let title = words(line);
    let named = title.iter().any(|word| KINDS.contains(&word.as_str()));
    (named && title.len() <= LONGEST && dates(line).is_empty()).then_some(title)
}

/// The day in a line that says when the part below the title above it was signed or made.
fn signed(line: &str) -> Option<PartialDate> {
    let told = words(line);
    let leads = match told.as_slice() {
        [first, next, ..] if first == "in" => matches!(next.as_str(), "force" | "effect"),
        [first, ..] => SIGNED.contains(&first.as_str()),
        [] => false,
    };
    let (at, day) = dates(line).into_iter().next().filter(|_| leads)?;
    let near = words(line.get(..at.start)?).len() <= BEFORE_DAY;
    (near && told.len() <= 2 * LONGEST && day.precision == DatePrecision::Day).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn a_line_over_a_part_tells_its_day() {
        let day = |line: &str| dated(line).map(|part| part.day);
        let fifth = Some(PartialDate::day(2024, 6, 5));
        for line in [
            "Meeting of 5 June 2024",
            "Amendment of 5 June 2024",
            "Third amendment, 5 June 2024",
            "Mail from Ben Poe, 5 June 2024",
            "Valid from 5 June 2024",
            "5 June 2024",
            "Notice of 5 June 2024:",
        ] {
            assert_eq!(day(line), fifth, "{line}");
        }
        assert_eq!(day("Update, June 2024"), Some(PartialDate::month(2024, 6)));
        for none in [
            "Harvest fair of 5 June 2024",
            "The meeting of 5 June 2024",
            "Report on 2023",
            "June 2024",
            "Notice of 5 June 2024.",
            "Notice to all keepers",
            "Next meeting: 5 June 2024",
        ] {
            assert_eq!(day(none), None, "{none}");
        }
    }

    #[test]
    fn an_entry_happened_on_its_day() {
        let is_of_entry = |question: &str, heading: &str, text: &str| {
            let mut passages = [document("log", "Log of the Tern", text)];
            passages[0].passage.heading_path.push(heading.to_owned());
            let units = evidence_units(&passages);
            is_of_its_entry(&Question::parse(question, &[]), &units[0])
        };
        let asked = "When was the winch overhauled?";
        let told = "Winch overhauled by own crew, 85 metres of wire renewed.";
        assert!(is_of_entry(asked, "14 January 2025", told));
        assert!(is_of_entry(asked, "Tuesday, 14 January 2025", told));
        assert!(!is_of_entry("Who overhauled the winch?", "14 January 2025", told));
        assert!(!is_of_entry("When is the winch overhauled?", "14 January 2025", told));
        assert!(!is_of_entry(asked, "Survey of 14 January 2025", told), "it tells of others' work");
        let dated = "Winch overhauled on 9 January by own crew.";
        assert!(!is_of_entry(asked, "14 January 2025", dated));
    }

    #[test]
    fn the_line_below_a_title_tells_its_day() {
        let text = "Signed on 11 June 2024, in effect from 1 July 2024\n\na) The term runs until \
                    2026.\n\nRider B\nagreed 3 May 2025\n\nThe fee is 9 euros.";
        let passages = [document("contract", "Amendment No. 1", text)];
        let units = evidence_units(&passages);
        let day = |said: &str| {
            let found = units.iter().find(|unit| unit.text.contains(said));
            found.and_then(part_of).map(|part| part.day)
        };
        assert_eq!(day("The term"), Some(PartialDate::day(2024, 6, 11)));
        assert_eq!(day("The fee"), Some(PartialDate::day(2025, 5, 3)));
        for none in [
            "In the night of 3 May 2019 the mill burned down.",
            "Signed by all five members of the board of this year, and by Ada Lund on 3 May 2019",
            "The term runs on.",
        ] {
            let text = format!("{none}\n\nThe rent is 900 euros.");
            let passages = [document("report", "Report of the board", &text)];
            let units = evidence_units(&passages);
            assert!(units.iter().all(|unit| part_of(unit).is_none()), "{none}");
        }
    }

    #[test]
    fn what_stands_below_a_line_is_of_its_day() {
        let text = "Notice of 1 May 2023\nThe bath opens at 8.\nIt has two pools.\n\nNotice of 2 July \
                    2024\nThe bath opens at 9.\nIt has three pools.";
        let passages = [document("bath", "Notices", text)];
        let units = evidence_units(&passages);
        let days = |said: &str| {
            let found = units.iter().find(|unit| unit.text.contains(said));
            found.and_then(part_of).map(|part| part.day)
        };
        assert_eq!(days("at 8"), Some(PartialDate::day(2023, 5, 1)));
        assert_eq!(days("two pools"), Some(PartialDate::day(2023, 5, 1)));
        assert_eq!(days("at 9"), Some(PartialDate::day(2024, 7, 2)));
        assert_eq!(days("three pools"), Some(PartialDate::day(2024, 7, 2)));
        let under = [document("board", "Meeting of 3 March 2025", "The bath opens at 7.")];
        let part = part_of(&evidence_units(&under)[0]).map(|part| part.day);
        assert_eq!(part, Some(PartialDate::day(2025, 3, 3)));
    }
}
