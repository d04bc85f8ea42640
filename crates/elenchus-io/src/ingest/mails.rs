//! Mails: of a file that holds several, who sent each and when.
//!
//! Each mail is a document of its own in such a file: what it says is said by its sender on its day, and not by the first sender
//! on the first day. Its passages stand under a heading that the head of the mail gives, and are read with that sender and day.

use super::dates::dates;
use elenchus_core::evidence::{DocDate, PartialDate, ReadPassage};

/// Longest subject or name of a sender that is kept, in characters.
const CHARS: usize = 80;
/// Lines of a paragraph among which the fields of a head stand.
const LINES: usize = 12;
/// Words that a mail begins with below its head.
const GREETINGS: [&str; 5] = ["dear", "hello", "hi", "good", "ladies"];
/// What the heading over the passages of a mail begins with.
const FROM: &str = "Mail from ";
/// The heading over what is quoted of a mail when nothing says whose it is.
pub(super) const UNNAMED: &str = "Mail of an unnamed sender";

/// The head of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// Who sent it, without an address.
    pub(super) from: String,
    pub(super) subject: Option<String>,
    pub(super) date: Option<PartialDate>,
}

impl Head {
    /// The heading over the passages of the mail: [`said_by`] reads it.
    pub(super) fn heading(&self) -> String {
        match self.date {
            Some(date) => format!("{FROM}{}, {date}", self.from),
            None => format!("{FROM}{}", self.from),
        }
    }
}

/// The head that a paragraph begins with: its sender, and two more of to whom, when and about what.
pub(super) fn head(paragraph: &str) -> Option<Head> {
    read(paragraph).map(|(head, _)| head)
}

/// Where the head of a mail ends that a paragraph begins with, a line with a greeting included: what is said stands below it.
pub(super) fn end_of_head(paragraph: &str) -> Option<usize> {
    let (_, end) = read(paragraph)?;
    let next = paragraph[end..].split_inclusive('\n').next().unwrap_or_default();
    let line = next.trim();
    let first = line.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let greets = line.ends_with([',', '!']) && GREETINGS.contains(&first.to_lowercase().as_str());
    let end = if greets { end + next.len() } else { end };
    (end < paragraph.len()).then_some(end)
}

/// The head that a paragraph begins with, and where it ends.
fn read(paragraph: &str) -> Option<(Head, usize)> {
    let (mut from, mut subject, mut date, mut to) = (None, None, None, false);
    let (mut end, mut begun) = (0, false);
    for (at, whole) in paragraph.split_inclusive('\n').enumerate().take(LINES) {
        let line = whole.trim_end_matches(['\n', '\r']);
        // "-----Original Message-----" stands over the head of a mail that is passed on, and a long field goes on in a line that is set in.
        let over = !begun && line.trim_start().starts_with("--");
        if !(over || at > 0 && line.starts_with([' ', '\t'])) {
            let Some((label, value)) = line.split_once(':') else { break };
            begun = true;
            let label = label.trim_matches(['*', '_', ' ']).to_lowercase();
            let value = value.trim_matches(['*', '_', ' ', '\t']);
            match label.as_str() {
                "from" => from = from.or_else(|| name(value)),
                "subject" => subject = short(value),
                "date" | "sent" => date = dates(value).first().map(|found| found.1),
                "to" => to = true,
                // "Copy: Cy Roe" tells nothing that is kept; a sentence with a colon is no field.
                other if other.contains(' ') => break,
                _ => {}
            }
        }
        end += whole.len();
    }
    let beside = u8::from(subject.is_some()) + u8::from(date.is_some()) + u8::from(to);
    (beside > 1).then_some((Head { from: from?, subject, date }, end))
}

/// The subject of the mail that a passage begins with.
pub(crate) fn subject(passage: &str) -> Option<String> {
    head(passage)?.subject
}

/// A sender without the address: "Ines Falk <ines@falk.example>".
pub(super) fn name(value: &str) -> Option<String> {
    let before = value.split('<').next().unwrap_or_default();
    let named = short(before.trim_matches(['"', '\'', ' ']));
    named.or_else(|| short(value.trim_matches(['<', '>', ' '])))
}

fn short(text: &str) -> Option<String> {
    let text: String = text.chars().take(CHARS).collect();
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// Who sent the mail that a passage under these headings is part of, and when.
pub(crate) fn said_by(headings: &[String]) -> Option<(&str, Option<PartialDate>)> {
    let said = headings.iter().rev().find_map(|heading| heading.strip_prefix(FROM))?;
    match said.rsplit_once(", ") {
        // "Ines Falk, Lock Cottage" sent it on no day that is known.
        Some((from, day)) => match dates(day).first() {
            Some((at, date)) if *at == (0..day.len()) => Some((from, Some(*date))),
            _ => Some((said, None)),
        },
        None => Some((said, None)),
    }
}

/// A passage of a mail in a file of several, as one of its sender and its day.
pub(crate) fn as_of_its_mail(mut read: ReadPassage) -> ReadPassage {
    let Some((from, date)) = said_by(&read.passage.heading_path) else {
        // Whoever quotes it has not said it, and not on the day of the quote.
        if read.passage.heading_path.iter().any(|heading| heading == UNNAMED) {
            read.source.author = None;
            read.source.date = None;
        }
        return read;
    };
    read.source.author = Some(from.to_owned());
    read.source.date = date.map(|value| DocDate { value, stated: format!("Date: {value}") });
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_of_a_mail_is_told_from_other_fields() {
        let full = "From: Ines Falk <ines@falk.example>\nTo: Ben Poe,\n  Cy Roe\nCopy: Di Ash\nDate: Sun, 4 May \
                    2025 10:14\nSubject: The geese\nI live here.";
        let read = head(full).expect("it is a head");
        assert_eq!(read.heading(), "Mail from Ines Falk, 4 May 2025");
        assert_eq!(read.subject.as_deref(), Some("The geese"));
        assert_eq!(subject(full).as_deref(), Some("The geese"));
        let passed_on =
            "-----Original Message-----\n**From:** Ben Poe\n**Subject:** Keys\n**To:** all";
        assert_eq!(
            head(passed_on).map(|head| head.heading()).as_deref(),
            Some("Mail from Ben Poe")
        );
        for none in [
            "From: Leith\nTo: Oban",
            "Date: 4 May 2025\nPresent: Ann Lee",
            "From the yard we went on: it rained.\nTo: Oban\nDate: 4 May 2025",
            "> From: Ben Poe\n> To: all\n> Subject: Keys",
        ] {
            assert_eq!(head(none), None, "{none}");
        }
    }

    #[test]
    fn what_a_mail_says_begins_below_its_head() {
        let mail = "From: Ines Falk\nTo: Ben Poe\nDate: 4 May 2025\nDear Mr Poe,\nThe geese are back. See you.";
        let end = end_of_head(mail).expect("it has a head");
        assert_eq!(&mail[end..], "The geese are back. See you.");
        assert_eq!(
            end_of_head("From: Ines Falk\nTo: Ben Poe\nDate: 4 May 2025"),
            None,
            "nothing is said"
        );
        assert_eq!(end_of_head("Dear Mr Poe,\nThe geese are back."), None);
    }

    #[test]
    fn the_heading_gives_back_who_sent_it_and_when() {
        let said = |heading: &str| {
            let headings = ["The geese".to_owned(), heading.to_owned()];
            said_by(&headings).map(|(from, date)| (from.to_owned(), date))
        };
        let day = Some(PartialDate::day(2025, 5, 4));
        assert_eq!(said("Mail from Ines Falk, 4 May 2025"), Some(("Ines Falk".to_owned(), day)));
        let cottage = "Ines Falk, Lock Cottage";
        let without = said(&format!("Mail from {cottage}"));
        assert_eq!(without, Some((cottage.to_owned(), None)));
        let with = said(&format!("Mail from {cottage}, 4 May 2025"));
        assert_eq!(with, Some((cottage.to_owned(), day)));
        assert_eq!(said("Mailing lists"), None);
    }
}
