//! Why a gap was given up, beyond the rule that gave it up: a word of it that stands nowhere, or that there was nothing to read.

use super::forms::forms_of;
use super::gap::{Gap, GapReason};
use super::state::State;
use super::{Derivations, StopReason, count};
use crate::port::PageOutcome;
use crate::scrutiny::fallacy::{Language, question_language};
use crate::text::{content_set, is_irregular, is_stop_word, squeeze, stem, words};
use std::collections::BTreeSet;

/// Most words named: a question of which nothing stands anywhere is told by a few.
const MOST_WORDS: usize = 4;

/// The cause as a clause; nothing where a document or a contradiction is the reason, or none is known.
pub(super) fn of(state: &State, gap: &Gap) -> Option<String> {
    if matches!(gap.reason, None | Some(GapReason::Unavailable | GapReason::Contradictory)) {
        return None;
    }
    nothing_to_read(state).or_else(|| unread_language(state, gap)).or_else(|| absent(state, gap))
}

/// Why nothing could be read, where that is so.
fn nothing_to_read(state: &State) -> Option<String> {
    let corpus = &state.opened.corpus;
    if state.stop == Some(StopReason::EmptyCorpus) {
        let name = squeeze(&corpus.name);
        return Some(match corpus.skipped.first() {
            None => format!("\u{201C}{name}\u{201D} holds no document"),
            Some(first) => format!(
                "of {} in \u{201C}{name}\u{201D} none could be read ({}: {})",
                count(corpus.skipped.len(), "file"),
                squeeze(&first.path),
                squeeze(&first.reason)
            ),
        });
    }
    let used = state.web_use.as_ref().filter(|used| used.read == 0 && used.kept == 0)?;
    if corpus.documents > 0 || !state.reading_order.is_empty() {
        return None;
    }
    let refused = used.refused.iter().find_map(|page| match &page.outcome {
        PageOutcome::Refused { reason } => Some(squeeze(reason)),
        PageOutcome::Read { .. } | PageOutcome::Kept { .. } => None,
    });
    if let Some(reason) = refused {
        let pages = count(used.refused.len(), "page");
        return Some(format!("of {pages} of the web none could be read ({reason})"));
    }
    let failure = used.providers.iter().find_map(|provider| {
        let failure = provider.failures.first()?;
        Some(format!("no page of the web was found ({}: {})", provider.provider, squeeze(failure)))
    });
    failure.or_else(|| {
        let asked = used.providers.iter().any(|provider| provider.searches > 0);
        asked.then(|| "the searches of the web found no page".to_owned())
    })
}

/// That the built-in model does not read the language of the question.
fn unread_language(state: &State, gap: &Gap) -> Option<String> {
    /// Words of which fewer may be a name and an abbreviation.
    const TOLD: usize = 4;
    let asked = &state.opened.question;
    let is_built_in = state.opened.model.starts_with("builtin:");
    let is_sentence = words(asked).len() >= TOLD && gap.description.contains('?');
    (is_built_in && is_sentence && question_language(asked) == Language::Other).then(|| {
        "the built-in model reads questions in English only, and this one does not look like it (ask in English, or name a \
         language model)"
            .to_owned()
    })
}

/// Which of its words stand in nothing that could be found.
fn absent(state: &State, gap: &Gap) -> Option<String> {
    // Nobody has counted the words of documents that came later.
    if state.documents_added {
        return None;
    }
    // Of the web only what was read is known, and a page that came later was not counted for an earlier search.
    let on_the_web = state.web_use.is_some();
    // A search counts the forms that end alike. "Fought" stands for "fight", too, and only what was read shows it.
    let of_form = state.follows(Derivations::FOURTH);
    let passages = state.passages.values().filter(|_| of_form);
    let read: BTreeSet<String> = passages.flat_map(|one| content_set(&one.passage.text)).collect();
    let nowhere = |word: &str| {
        let stem_of = stem(word);
        let counts = state.terms.iter().filter(|(term, _)| stem(term) == stem_of);
        counts.map(|(_, passages)| *passages).max() == Some(0)
            && !read.contains(&stem_of)
            && !forms_of(word).any(|form| read.contains(&stem(form)))
    };
    let mut named: Vec<String> = Vec::new();
    let asked = words(&gap.description);
    for (at, word) in asked.iter().enumerate() {
        // "Sold" stands nowhere where "sells" does, and that says nothing.
        let says_nothing = is_stop_word(word) || is_irregular(word);
        if says_nothing || of_form && is_of_form(&asked, at) || !nowhere(word) {
            continue;
        }
        let shown = format!("\u{201C}{}\u{201D}", as_written(&gap.description, word));
        if !named.contains(&shown) {
            named.push(shown);
        }
    }
    named.truncate(MOST_WORDS);
    let (last, first) = named.split_last()?;
    let (all, verb) = if first.is_empty() {
        (last.clone(), "stands")
    } else {
        (format!("{} and {last}", first.join(", ")), "stand")
    };
    let looked_at = if on_the_web { state.passages.len() as u32 } else { state.searchable() };
    if looked_at == 0 {
        return None;
    }
    let (passages, read) =
        (count(looked_at as usize, "passage"), if on_the_web { " read" } else { "" });
    Some(format!("{all} {verb} in none of {passages}{read}"))
}

/// Whether a word belongs to the form of a question ("how long", "list the boats", "less than") or is a number that a document
/// writes in one of several ways ("300,000", "300000"): that it stands nowhere says nothing of what is missing.
fn is_of_form(asked: &[String], at: usize) -> bool {
    /// What a request begins with.
    const REQUESTS: [&str; 14] = [
        "list",
        "name",
        "give",
        "show",
        "tell",
        "describe",
        "compare",
        "summarise",
        "summarize",
        "explain",
        "state",
        "find",
        "count",
        "please",
    ];
    /// Digits of a number that is as often written without a mark for thousands: a year.
    const PLAIN: usize = 4;
    let word = asked.get(at).map_or("", String::as_str);
    let before = at.checked_sub(1).and_then(|at| asked.get(at)).map_or("", String::as_str);
    let next = asked.get(at + 1).map_or("", String::as_str);
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let is_number =
        digits > 0 && word.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'));
    before == "how"
        || next == "than"
        || (at == 0 && !next.is_empty() && REQUESTS.contains(&word))
        || (is_number && digits > PLAIN)
}

/// A lower-case word as the description writes it.
fn as_written<'a>(description: &'a str, word: &'a str) -> &'a str {
    description
        .split_whitespace()
        .map(|raw| raw.trim_matches(|c: char| !c.is_alphanumeric()))
        .map(|raw| raw.trim_end_matches("'s").trim_end_matches("\u{2019}s"))
        .find(|raw| raw.to_lowercase() == word)
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_form_of_a_question_are_no_cause() {
        let form = |text: &str| -> Vec<String> {
            let asked = words(text);
            let places = (0..asked.len()).filter(|at| is_of_form(&asked, *at));
            places.filter_map(|at| asked.get(at).cloned()).collect()
        };
        assert_eq!(form("How long did the storm last?"), ["long"]);
        assert_eq!(form("List the boats of more than 300000 euros"), ["list", "more", "300000"]);
        assert_eq!(form("Which boats cost less than 300,000 euros?"), ["less", "300,000"]);
        // What is asked about stays, whatever it is called, and so does a year.
        assert!(form("What is the long list of 1962?").is_empty());
        assert!(form("Which name had the state barge?").is_empty());
    }
}
