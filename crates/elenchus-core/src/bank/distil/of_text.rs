//! Strategies of a foreign session, by rule: what its own words say was learned.
//!
//! Nothing is concluded: a line counts only if it says itself that something is to be done, or left alone, another time.

use crate::bank::Outcome;
use crate::bank::scrub::scrub;
use crate::prompt::{ProposedStrategy, STRATEGY_DESCRIPTION, STRATEGY_TITLE};
use crate::text::squeeze;

/// What a line that says what to do begins with or holds.
const FOLLOW: [&str; 10] = [
    "lesson:",
    "lesson learned:",
    "learned:",
    "takeaway:",
    "next time,",
    "next time:",
    "what worked:",
    "the fix was",
    "solution:",
    "fixed by",
];
/// What a line that says what to leave alone begins with or holds.
const AVOID: [&str; 8] = [
    "anti-pattern:",
    "pitfall:",
    "what failed:",
    "mistake:",
    "should not have",
    "do not use",
    "never again",
    "avoid:",
];
/// Shortest line that says enough, in words.
const ENOUGH: usize = 5;
/// Longest line that is one, in characters.
const LONGEST: usize = 600;

/// What a text says was learned, in its order, at most `most`: the line, with the one before it. Often nothing.
pub fn distil_text(trace: &str, outcome: Option<Outcome>, most: usize) -> Vec<ProposedStrategy> {
    let lines: Vec<String> = trace.lines().map(squeeze).filter(|line| !line.is_empty()).collect();
    let ended = match outcome {
        Some(Outcome::Success) => "that succeeded",
        Some(Outcome::Failure) => "that failed",
        None => "of unknown outcome",
    };
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.to_lowercase().starts_with(super::RECALLED))
        .filter_map(|(at, line)| {
            let (kind, said) = cued(line)?;
            let clean = scrub(said).text;
            let before = at.checked_sub(1).and_then(|before| lines.get(before));
            let mut content = clean.clone();
            // What was itself learned stands for itself.
            let plain =
                |before: &&String| before.chars().count() <= LONGEST && cued(before).is_none();
            if let Some(before) = before.filter(plain) {
                content.push_str("\nSaid after: ");
                content.push_str(&scrub(before).text);
            }
            // What is to be left alone is named by itself: under "avoid", a prohibition says its opposite.
            let named: &str = match kind {
                Outcome::Failure => forbidden(&clean).unwrap_or(&clean),
                Outcome::Success => &clean,
            };
            Some(ProposedStrategy {
                title: cut(named, STRATEGY_TITLE),
                description: cut(
                    &format!("Noted in a session {ended}: {clean}"),
                    STRATEGY_DESCRIPTION,
                ),
                content,
                tags: vec!["session".to_owned()],
                outcome: kind,
            })
        })
        .take(most)
        .collect()
}

/// What a line says is to be done or left alone, without the cue where it is a heading of the line.
fn cued(line: &str) -> Option<(Outcome, &str)> {
    let length = line.chars().count();
    if length > LONGEST || line.split(' ').count() < ENOUGH {
        return None;
    }
    let plain = line.trim_start_matches(['-', '*', '#', '>', ' ']);
    let lower = plain.to_lowercase();
    let found = |cues: &[&str]| {
        cues.iter().find_map(|cue| {
            let heads = cue.ends_with(':');
            let at = if heads { lower.starts_with(cue).then_some(0) } else { lower.find(cue) }?;
            // Lower case may be longer than the text itself: then the whole line stands.
            let rest = heads.then(|| plain.get(at + cue.len()..)).flatten();
            Some(rest.map_or(plain, str::trim))
        })
    };
    // Where a line says both, what to leave alone is what it warns of.
    let (outcome, said) = found(&AVOID)
        .map(|said| (Outcome::Failure, unheaded(said)))
        .or_else(|| found(&FOLLOW).map(|said| (Outcome::Success, said)))?;
    (said.split(' ').count() + 1 >= ENOUGH).then_some((outcome, said))
}

/// A line without the heading of what to do, which says nothing where the line warns.
fn unheaded(line: &str) -> &str {
    let lower = line.to_lowercase();
    let heading = FOLLOW.iter().find(|cue| cue.ends_with(':') && lower.starts_with(*cue));
    heading.and_then(|cue| line.get(cue.len()..)).map_or(line, str::trim)
}

/// What a prohibition forbids: "restart it" of "do not restart it". Nothing where a text begins otherwise, or where too little
/// is left to name anything.
fn forbidden(text: &str) -> Option<&str> {
    const BEGINNINGS: [&[&str]; 4] = [&["do", "not"], &["don't"], &["don\u{2019}t"], &["never"]];
    let words: Vec<&str> = text.split(' ').collect();
    let begins = |beginning: &&&[&str]| {
        beginning.iter().zip(&words).filter(|(one, word)| word.eq_ignore_ascii_case(one)).count()
            == beginning.len()
    };
    let count = BEGINNINGS.iter().find(begins)?.len();
    let rest = text.splitn(count + 1, ' ').last()?;
    let first = rest.split(' ').next()?;
    // "Never again without a backup" forbids nothing that it names, and "do not, however, wait" is no such beginning.
    let is_verb = first.chars().all(char::is_alphabetic) && !first.eq_ignore_ascii_case("again");
    (is_verb && words.len() >= count + 2).then_some(rest)
}

/// At most `most` characters, cut between words.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let short: String = text.chars().take(most.saturating_sub(1)).collect();
    let end = short.rfind(' ').filter(|end| *end > most / 2).unwrap_or(short.len());
    format!("{}…", short[..end].trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_teaches_what_it_says_it_taught() {
        let trace = "tried to start the server on port 80\nit was refused\nLesson: start it on a port above 1024 as a plain user\n\
                     - Pitfall: the old container keeps the port for a minute after it stops\nall done, next please";
        let found = distil_text(trace, Some(Outcome::Success), 3);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].title, "start it on a port above 1024 as a plain user");
        assert_eq!(found[0].outcome, Outcome::Success);
        assert!(found[0].content.ends_with("Said after: it was refused"));
        assert!(found[0].description.starts_with("Noted in a session that succeeded: start it"));
        assert_eq!(found[1].outcome, Outcome::Failure);
        assert!(found[1].title.chars().count() <= STRATEGY_TITLE);
    }

    #[test]
    fn a_warning_is_named_by_what_it_warns_of() {
        let titled = |line: &str| {
            let found = distil_text(line, None, 1);
            let one = found.first().map(|found| (found.title.clone(), found.outcome));
            one.unwrap_or_else(|| unreachable!("{line} teaches nothing"))
        };
        for (line, title) in [
            ("Pitfall: do not merge while the queue is paused", "merge while the queue is paused"),
            ("Avoid: Don't cache the token in the session", "cache the token in the session"),
            ("Mistake: never drop the index before the copy", "drop the index before the copy"),
            (
                "Do not use the old mirror for the nightly job",
                "use the old mirror for the nightly job",
            ),
            (
                "Lesson: do not use the mirror for the nightly job",
                "use the mirror for the nightly job",
            ),
            ("Pitfall: the mirror lags an hour behind", "the mirror lags an hour behind"),
            ("Never again without a copy of the table", "Never again without a copy of the table"),
            ("What failed: to do not a thing for an hour", "to do not a thing for an hour"),
        ] {
            assert_eq!(titled(line), (title.to_owned(), Outcome::Failure), "{line}");
        }
        // What is to be followed may be a prohibition.
        let told = titled("Lesson: do not merge while the queue is paused");
        assert_eq!(told, ("do not merge while the queue is paused".to_owned(), Outcome::Success));
        let found = distil_text("Pitfall: do not merge while the queue is paused", None, 1);
        assert!(found[0].content.starts_with("do not merge"), "its words stay: {found:?}");
    }

    #[test]
    fn what_says_nothing_teaches_nothing() {
        for trace in [
            "",
            "Lesson: no",
            "we went on and on\nand it was fine",
            "recalled: lesson: always read the log first",
        ] {
            assert!(distil_text(trace, None, 3).is_empty(), "{trace}");
        }
        let long = format!("Lesson: {}", "very ".repeat(400));
        assert!(distil_text(&long, None, 3).is_empty());
        // Lower case that is longer than the text is no reason to fall over.
        assert_eq!(distil_text("Lesson: İ İ İ İ İ İ next time, İ", None, 3).len(), 1);
    }

    #[test]
    fn secrets_do_not_come_along() {
        let secret = format!("{}{}", "ghp_", "Zq8vN4tYw2Rk7Lm1Xc5Bd9Fh3Gj6Ps0TaUeV");
        let trace = format!("Lesson: pass the token {secret} in the header and not in the url");
        let found = distil_text(&trace, None, 3);
        assert!(!found.is_empty() && !format!("{found:?}").contains(&secret));
    }
}
