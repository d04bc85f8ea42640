//! Where another mail begins that is quoted without marks: at the line that says who wrote it, at its head, or at the line that mail
//! programs draw over it.

use super::quoted::Speaker;
use super::wrote::{opens, wrote};
use crate::ingest::mails::{Head, head};
use elenchus_core::evidence::month_number;

/// Most lines over which the line is wrapped that says who wrote what follows.
const LINES: usize = 3;
/// Most lines of a head that are looked at.
const HEAD_LINES: usize = 16;
/// What programs write over a mail that they quote or pass on, between dashes.
const RULED: [&str; 9] = [
    "original message",
    "forwarded message",
    "original-nachricht",
    "ursprüngliche nachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "mensaje original",
    "messaggio originale",
    "oorspronkelijk bericht",
];

/// Who speaks from the first of these lines on, and how many of them tell that, where another mail begins there.
///
/// `is_first` says that a paragraph begins there, `next` is the first line of the paragraph that follows, and `is_reply` that
/// somebody spoke before.
pub(super) fn turn(
    lines: &[&str],
    next: Option<&str>,
    is_first: bool,
    is_reply: bool,
) -> Option<(Speaker, usize)> {
    let first = lines.first()?;
    if is_first || is_label(first, "from") || is_drawn(first) {
        let top = &lines[..lines.len().min(HEAD_LINES)];
        if let Some(found) = head(&top.join("\n"))
            // Within a paragraph "From: Leith, To: Oban, Date: 3 May" may be of a ticket.
            && (is_first || is_drawn(first) || found.subject.is_some() && found.date.is_some())
        {
            let drawn = top.iter().take_while(|line| is_drawn(line)).count();
            let fields = top[drawn..]
                .iter()
                .take_while(|line| line.contains(':') || line.starts_with([' ', '\t']))
                .count();
            return Some((Speaker::Quoted(found), (drawn + fields).max(1)));
        }
    }
    let after = |taken: usize| lines.get(taken).copied().or(next);
    if is_ruled(first) {
        // The head may stand below an empty line.
        let is_headed = after(1).is_none_or(|line| is_label(line, "from"));
        return (!is_headed).then_some((Speaker::Unnamed, 1));
    }
    for taken in 1..=lines.len().min(LINES) {
        if !bare(lines[taken - 1]).ends_with(':') || taken > 1 && !begins(first) {
            continue;
        }
        let line = lines[..taken].join(" ");
        if let Some(found) = introduced(&line) {
            return Some((Speaker::Quoted(found), taken));
        }
        if is_reply
            && after(taken).is_some_and(|line| !is_quotation(line))
            && let Some(found) = on_a_day(&line)
        {
            return Some((Speaker::Quoted(found), taken));
        }
    }
    None
}

/// A line that introduces a mail whose lines bear no marks. A sentence may look alike, so the day and an address or a time are wanted.
pub(super) fn introduced(line: &str) -> Option<Head> {
    let has_time = line
        .as_bytes()
        .windows(3)
        .any(|three| three[0].is_ascii_digit() && three[1] == b':' && three[2].is_ascii_digit());
    wrote(line).filter(|head| head.date.is_some() && (has_time || line.contains('@')))
}

/// "On 3 May Ann Reed wrote:", in the words of a person: a day, a name and nothing else.
fn on_a_day(line: &str) -> Option<Head> {
    const WORDS: usize = 9;
    let line = bare(line);
    let mut words = line.split_whitespace().map(|word| word.trim_matches([',', '.', ':']));
    let is_short = words.clone().count() <= WORDS && opens(line);
    let has_day = words.clone().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let has_month = words.any(|word| month_number(&word.to_lowercase()).is_some());
    let ends = line.strip_suffix(':').is_some_and(|line| line.trim_end().ends_with(" wrote"));
    if !(is_short && has_day && has_month && ends) {
        return None;
    }
    let mut found = wrote(line)?;
    // Without a year the month stands before the name: "3 May Ann Reed".
    let before = line.split(found.from.as_str()).next().unwrap_or_default();
    let is_behind_day = before
        .split_whitespace()
        .next_back()
        .is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()) && !word.ends_with(','));
    if let Some((month, name)) = found.from.split_once(' ')
        && is_behind_day
        && month_number(&month.to_lowercase()).is_some()
    {
        let name = name.to_owned();
        found.from = name;
    }
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase) && month_number(&word.to_lowercase()).is_none()
    };
    // "On 3 May wrote:" names nobody.
    found.from.split_whitespace().all(is_name).then_some(found)
}

/// Whether a line may be the first one of those over which the line is wrapped that says who wrote what follows.
fn begins(line: &str) -> bool {
    let line = bare(line);
    opens(line) || line.starts_with(|c: char| c.is_ascii_digit())
}

fn bare(line: &str) -> &str {
    line.trim().trim_matches(['*', '_'])
}

fn is_label(line: &str, label: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(said, _)| said.trim_matches(['*', '_', ' ']).eq_ignore_ascii_case(label))
}

fn is_drawn(line: &str) -> bool {
    line.trim_start().starts_with("--")
}

/// "-----Original Message-----"
fn is_ruled(line: &str) -> bool {
    let line = line.trim();
    let said = line.trim_matches(['-', ' ']).to_lowercase();
    line.starts_with("--") && line.ends_with("--") && RULED.contains(&said.as_str())
}

/// Whether a line is put in the marks of what a sentence quotes.
fn is_quotation(line: &str) -> bool {
    line.trim_start().starts_with(['"', '\'', '\u{201c}', '\u{201e}', '\u{2018}', '«', '»'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Option<String> {
        on_a_day(line).map(|head| head.heading())
    }

    #[test]
    fn a_person_says_on_which_day_somebody_wrote() {
        assert_eq!(said("On 3 May Ann Reed wrote:").as_deref(), Some("Mail from Ann Reed"));
        assert_eq!(said("On May 3, Ann Reed wrote:").as_deref(), Some("Mail from Ann Reed"));
        assert_eq!(
            said("On 3 May 2025 Ann Reed wrote:").as_deref(),
            Some("Mail from Ann Reed, 3 May 2025")
        );
        for none in [
            "On 3 May Ann Reed wrote",
            "On 3 May the board wrote:",
            "On 3 May she wrote:",
            "On 3 May wrote:",
            "On Monday Ann Reed wrote:",
            "I was away when on 3 May Ann Reed wrote:",
        ] {
            assert_eq!(said(none), None, "{none}");
        }
    }

    #[test]
    fn a_line_of_dashes_is_known_by_its_words() {
        assert!(
            is_ruled("-----Original Message-----")
                && is_ruled("---------- Forwarded message ---------")
        );
        assert!(!is_ruled("-- ") && !is_ruled("-----") && !is_ruled("Original Message"));
    }
}
