//! The line over a quoted mail that says whose it is: "On Tue, 3 Jun 2025 at 08:05, Cy Roe <cy@mill.example> wrote:".

use crate::ingest::dates::dates;
use crate::ingest::mails::{Head, name};

/// Most lines over which it is wrapped.
const LINES: usize = 3;
/// Longest one, in bytes.
const LONGEST: usize = 300;
/// Most words of a name.
const NAME_WORDS: usize = 5;
/// What programs of several languages write before the time.
const OPENINGS: [&str; 9] = ["on", "am", "le", "el", "il", "op", "den", "em", "w"];
/// And what they write for "wrote".
const VERBS: [&str; 10] = [
    "wrote",
    "schrieb",
    "a écrit",
    "escribió",
    "ha scritto",
    "schreef",
    "skrev",
    "napisał",
    "escreveu",
    "kirjoitti",
];
/// Words that stand before a name and are no part of it.
const BEFORE: [&str; 14] =
    ["on", "at", "am", "pm", "um", "à", "om", "le", "kl", "kl.", "gmt", "utc", "cest", "uhr"];
/// Words in the place of a name that name nobody.
const NOBODY: [&str; 9] = ["i", "you", "he", "she", "it", "we", "they", "who", "and"];

/// The head that the last lines give to what is quoted below them, and the line at which they begin.
pub(super) fn introduced(lines: &[&str]) -> Option<(Head, usize)> {
    let end = lines.iter().rposition(|line| !line.trim().is_empty())? + 1;
    let blank = lines[..end].iter().rposition(|line| line.trim().is_empty());
    let first = blank.map_or(0, |blank| blank + 1).max(end.saturating_sub(LINES));
    let mut found: Option<(Head, usize)> = None;
    for at in (first..end).rev() {
        let joined = lines[at..end].join(" ");
        let Some(head) = wrote(&joined) else { continue };
        // One line more is taken where the line begins there; it may as well be the end of what was said before.
        if opens(&joined) {
            return Some((head, at));
        }
        if found.is_none() {
            found = Some((head, at));
        }
    }
    found
}

/// Who wrote what follows, and when, for a line that says so.
pub(super) fn wrote(line: &str) -> Option<Head> {
    let line = line.trim().trim_matches(['*', '_']);
    let line = line.strip_suffix(':')?.trim_end();
    let lower = line.to_lowercase();
    // Lower-casing may move letters; then nothing can be told.
    if line.len() > LONGEST || lower.len() != line.len() {
        return None;
    }
    let date = dates(line).first().map(|found| found.1);
    let address = line.split_once('<').filter(|(_, rest)| rest.contains('@'));
    let verb = VERBS.iter().find_map(|verb| {
        lower.match_indices(*verb).map(|(at, _)| at..at + verb.len()).find(|at| {
            lower[..at.start].ends_with(' ')
                && (at.end == lower.len() || lower[at.end..].starts_with(' '))
        })
    });
    // "Ask Cy <cy@mill.example>:" quotes nobody.
    if verb.is_none() && (date.is_none() || address.is_none()) {
        return None;
    }
    let from = match verb {
        Some(at) => {
            let (before, behind) = (line.get(..at.start)?, line.get(at.end..)?.trim());
            // "Am 3. Juni schrieb Cy Roe", and "Cy Roe wrote on 3 June".
            if opens(line) && !behind.is_empty() { first_name(behind) } else { last_name(before) }
        }
        None => address.and_then(|(before, _)| last_name(before)),
    };
    let from = from.or_else(|| name(address?.1.split('>').next()?))?;
    let words = || from.split_whitespace();
    let is_name = words().all(|word| word.starts_with(|c: char| c.is_uppercase() || c == '"'));
    let says_when = line.contains(|c: char| c.is_ascii_digit()) || line.contains('@');
    let is_nobody = words().any(|word| NOBODY.contains(&word.to_lowercase().as_str()));
    ((is_name || says_when) && !is_nobody).then_some(Head { from, subject: None, date })
}

/// Whether a line begins like one that says when something was written.
pub(super) fn opens(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default().to_lowercase();
    OPENINGS.contains(&first.as_str())
}

/// The name at the beginning: "Cy Roe <cy@mill.example>".
fn first_name(text: &str) -> Option<String> {
    name(text.split(['<', '(', '[']).next()?)
        .filter(|name| !name.contains(|c: char| c.is_ascii_digit()))
}

/// The name at the end: "On Tue, 3 Jun 2025 at 08:05, Cy Roe <cy@mill.example>".
fn last_name(text: &str) -> Option<String> {
    let bare = text.split(['<', '(', '[']).next()?.trim();
    if let Some((_, quoted)) = bare.strip_suffix('"').and_then(|bare| bare.rsplit_once('"')) {
        return name(quoted);
    }
    let words: Vec<&str> = bare.split_whitespace().collect();
    let is_part = |word: &&&str| {
        !word.contains(|c: char| c.is_ascii_digit())
            && !word.ends_with([',', ':', ';'])
            && word.contains(char::is_alphabetic)
            && !BEFORE.contains(&word.to_lowercase().as_str())
    };
    let taken = words.iter().rev().take(NAME_WORDS).take_while(is_part).count();
    name(&words[words.len() - taken..].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_over_a_quote_says_who_and_when() {
        let said = |line: &str| wrote(line).map(|head| head.heading());
        let roe = Some("Mail from Cy Roe, 3 June 2025".to_owned());
        for line in [
            "On Tue, 3 Jun 2025 at 08:05, Cy Roe <cy@mill.example> wrote:",
            "On 3 June 2025 08:05, Cy Roe wrote:",
            "On Jun 3, 2025, at 8:05 AM, Cy Roe <cy@mill.example> wrote:",
            "Am 03.06.2025 um 08:05 schrieb Cy Roe <cy@mill.example>:",
            "2025-06-03 8:05 GMT+02:00 Cy Roe <cy@mill.example>:",
            "*Cy Roe wrote on 3 June 2025:*",
        ] {
            assert_eq!(said(line), roe, "{line}");
        }
        assert_eq!(said("Cy Roe wrote:").as_deref(), Some("Mail from Cy Roe"));
        let quoted = "On 3 June 2025, \"Roe, Cy\" <cy@mill.example> wrote:";
        assert_eq!(said(quoted).as_deref(), Some("Mail from Roe, Cy, 3 June 2025"));
        assert_eq!(
            said("On 3 June 2025, <cy@mill.example> wrote:").as_deref(),
            Some("Mail from cy@mill.example, 3 June 2025")
        );
        for none in [
            "As you wrote:",
            "Please ask Cy Roe <cy@mill.example>:",
            "The wheel:",
            "On 3 June 2025 it broke:",
            "Cy Roe wrote",
            "He wrote on 3 June 2025:",
        ] {
            assert_eq!(said(none), None, "{none}");
        }
    }

    #[test]
    fn a_wrapped_line_is_taken_whole_and_no_more() {
        let lines =
            ["It is.", "On Tue, 3 Jun 2025 at 08:05, Cy", "Roe <cy@mill.example> wrote:", ""];
        let (head, at) = introduced(&lines).unwrap();
        assert_eq!((head.from.as_str(), at), ("Cy Roe", 1));
        assert_eq!(introduced(&["It is broken.", "See:"]), None);
    }
}
