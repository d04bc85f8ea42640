//! What keeps two statements apart: a word before one noun ("the first boiler", "the second boiler"), a name beside it, a subject
//! that need not be the same one ("some boats"), and a time that comes again ("at night", "by day").

use super::slot::ORDINALS;
use crate::verify::sentence::Sentence;
use crate::verify::tokens::{Pos, Token};
use crate::wordnet::{Part, WordNet};
use elenchus_core::evidence::WEEKDAYS;
use std::collections::BTreeSet;
use std::ops::Range;

/// Two words of a lower strength are no two words for one thing.
const ONE_WORD: f32 = 0.8;

/// Words before a noun that pick none out of several.
const PICKS_NONE: [&str; 7] = ["own", "same", "whole", "entire", "said", "total", "overall"];

/// Words that tie a name to the noun before it.
const TIES: [&str; 8] = ["of", "at", "in", "on", "near", "from", "for", "outside"];

/// Words that open a subject which leaves open who is meant, so that two of them may be two.
const SOME: [&str; 7] = ["some", "several", "certain", "various", "many", "other", "others"];

/// Words that lead a time.
const LEADS: [&str; 7] = ["at", "by", "in", "on", "during", "every", "each"];

/// Times that come again.
const AGAIN: [&str; 9] =
    ["night", "morning", "afternoon", "evening", "summer", "winter", "spring", "autumn", "daytime"];

fn lower(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.lower.as_str())
}

fn is_noun(token: &Token) -> bool {
    matches!(token.pos, Pos::Noun | Pos::ProperNoun)
}

/// "First", "2nd".
fn is_ordinal(token: &Token) -> bool {
    let number = ["st", "nd", "rd", "th"].iter().find_map(|end| token.lower.strip_suffix(end));
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    ORDINALS.contains(&token.lower.as_str()) || number.is_some_and(is_number)
}

/// Whether a word is one for a kind of thing ("lake", "ward"), and so tells less than a name.
pub(super) fn is_kind(word: &str) -> bool {
    let wordnet = WordNet::builtin();
    wordnet.lemmas(&wordnet.lookup(word)).any(|(_, part)| part == Part::Noun)
}

/// "The new operating theatre": a participle before its noun.
fn is_inside(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let is_led = at
        .checked_sub(1)
        .is_some_and(|before| matches!(tokens[before].pos, Pos::Determiner | Pos::Adjective));
    token.pos == Pos::Verb
        && (token.lower.ends_with("ing") || token.lower.ends_with("ed"))
        && is_led
        && tokens.get(at + 1).is_some_and(is_noun)
}

/// Where the verb of the first clause stands; what comes before tells what is spoken of.
fn verb(tokens: &[Token]) -> Option<usize> {
    (0..tokens.len())
        .find(|at| matches!(tokens[*at].pos, Pos::Verb | Pos::Aux) && !is_inside(tokens, *at))
}

/// The noun phrases before the verb; the last token of each is its head.
fn phrases(tokens: &[Token]) -> Vec<Range<usize>> {
    // "The new stage cost £900": some verbs are taken for nouns, and a figure ends the subject as well.
    let is_figure = |at: &usize| {
        let token = &tokens[*at];
        token.is_mark() || token.pos == Pos::Numeral && !is_ordinal(token)
    };
    let end = verb(tokens).or_else(|| (0..tokens.len()).find(is_figure)).unwrap_or(0);
    let is_part = |at: usize| {
        let token = &tokens[at];
        is_noun(token)
            || matches!(token.pos, Pos::Adjective | Pos::Numeral)
            || is_ordinal(token)
            || is_inside(tokens, at)
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < end {
        let stop = (at..end).find(|i| !is_part(*i)).unwrap_or(end);
        if let Some(head) = (at..stop).rev().find(|i| is_noun(&tokens[*i])) {
            found.push(at..head + 1);
        }
        at = stop + 1;
    }
    found
}

/// The words of a phrase that pick one out of several; names and counts aside.
fn picks<'t>(tokens: &'t [Token], phrase: &Range<usize>) -> Vec<&'t Token> {
    tokens[phrase.start..phrase.end - 1]
        .iter()
        .filter(|token| {
            is_ordinal(token)
                || !matches!(token.pos, Pos::Numeral | Pos::ProperNoun)
                    && !PICKS_NONE.contains(&token.lower.as_str())
        })
        .collect()
}

/// The words of the names beside a noun: "the Oldhaven pier", "Oldhaven's pier", "the pier of Oldhaven".
fn beside<'t>(tokens: &'t [Token], phrase: &Range<usize>) -> BTreeSet<&'t str> {
    let is_name = |token: &&Token| token.pos == Pos::ProperNoun;
    let inside = tokens[phrase.start..phrase.end - 1].iter().filter(is_name);
    let is_owned = phrase
        .start
        .checked_sub(1)
        .is_some_and(|at| matches!(lower(tokens, at), "'s" | "\u{2019}s"));
    let owner = if is_owned { &tokens[..phrase.start - 1] } else { &[] };
    let owner = owner.iter().rev().take_while(is_name);
    let is_tied = TIES.contains(&lower(tokens, phrase.end));
    let from = phrase.end + if lower(tokens, phrase.end + 1) == "the" { 2 } else { 1 };
    let tied = if is_tied { tokens.get(from..).unwrap_or_default() } else { &[] };
    let tied = tied.iter().take_while(is_name);
    inside.chain(owner).chain(tied).map(|token| token.lower.as_str()).collect()
}

/// Whether each has a word that the other lacks, and none of these are two words for one thing.
fn are_at_odds(ours: &[&Token], theirs: &[&Token]) -> bool {
    let lacking = |of: &[&Token], other: &[&Token]| -> Vec<String> {
        of.iter()
            .filter(|token| !other.iter().any(|known| known.stem == token.stem))
            .map(|token| token.lower.clone())
            .collect()
    };
    let (own, other) = (lacking(ours, theirs), lacking(theirs, ours));
    let is_one = |a: &String| other.iter().any(|b| WordNet::builtin().strength(a, b) >= ONE_WORD);
    !own.is_empty() && !other.is_empty() && !own.iter().any(is_one)
}

/// Whether two phrases with one head stand for two things.
fn are_two(a: &[Token], one: &Range<usize>, b: &[Token], other: &Range<usize>) -> bool {
    let (head, same) = (&a[one.end - 1], &b[other.end - 1]);
    // "Ilse Brandt" and "General Brandt" are words of names, which are compared as names.
    if head.stem != same.stem || head.pos == Pos::ProperNoun || same.pos == Pos::ProperNoun {
        return false;
    }
    let (ours, theirs) = (beside(a, one), beside(b, other));
    let of_others = !ours.is_empty() && !theirs.is_empty() && ours.is_disjoint(&theirs);
    of_others || are_at_odds(&picks(a, one), &picks(b, other))
}

/// Times that come again, by day of the week where they are such.
fn again(tokens: &[Token]) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |i| lower(tokens, i));
        let leading = at.checked_sub(2).map_or("", |i| lower(tokens, i));
        let is_led = LEADS.contains(&before) || before == "the" && LEADS.contains(&leading);
        if !is_led {
            continue;
        }
        let word = token.lower.strip_suffix('s').unwrap_or(&token.lower);
        match word {
            "day" if before == "by" || leading == "during" => found.extend(["daytime"]),
            "weekday" => found.extend(&WEEKDAYS[..5]),
            "weekend" => found.extend(&WEEKDAYS[5..]),
            _ => {
                let mut known = AGAIN.iter().chain(&WEEKDAYS);
                found.extend(known.find(|time| **time == word).copied());
            }
        }
    }
    found
}

/// Whether the verb says what is so, or is done again and again.
fn is_present(tokens: &[Token]) -> bool {
    let verb = verb(tokens).map_or("", |at| lower(tokens, at));
    matches!(verb, "are" | "have" | "may" | "can" | "must" | "shall" | "will" | "do")
        || verb.ends_with('s') && verb != "was"
}

/// Whether two statements speak of two things or two times of one kind: "the morning ferry" against "the evening ferry", "the pier of
/// Oldhaven" against "the pier of Ness", "some boats" against "some boats", "closed at night" against "open by day".
pub(super) fn are_apart(a: &Sentence, b: &Sentence) -> bool {
    let (ours, theirs) = (a.bound.tokens(), b.bound.tokens());
    if SOME.contains(&lower(ours, 0)) && SOME.contains(&lower(theirs, 0)) {
        return true;
    }
    let (own, other) = (again(ours), again(theirs));
    let at_other_times = !own.is_empty() && !other.is_empty() && own.is_disjoint(&other);
    if at_other_times && is_present(ours) && is_present(theirs) {
        return true;
    }
    let other = phrases(theirs);
    phrases(ours).iter().any(|one| other.iter().any(|two| are_two(ours, one, theirs, two)))
}

/// Whether both bring up something that need not be the same one: "a boat sank in 1931", "two boats have 40 seats". What "a ticket
/// costs" is said of every one.
pub(super) fn are_brought_up(a: &Sentence, b: &Sentence) -> bool {
    let (ours, theirs) = (a.bound.tokens(), b.bound.tokens());
    let is_any = |tokens: &[Token]| matches!(lower(tokens, 0), "a" | "an" | "another");
    let is_past = |tokens: &[Token]| {
        let verb = verb(tokens).map_or("", |at| lower(tokens, at));
        matches!(verb, "was" | "were" | "had" | "did") || verb.ends_with("ed")
    };
    if is_any(ours) && is_any(theirs) {
        return is_past(ours) && is_past(theirs);
    }
    let is_counted = |tokens: &[Token]| match tokens {
        [count, of, ..] => count.pos == Pos::Numeral && (is_noun(of) || of.pos == Pos::Adjective),
        _ => false,
    };
    is_counted(ours) && is_counted(theirs) && lower(ours, 0) == lower(theirs, 0)
}

/// Whether the subjects are two names of one kind: "Lake Ness" and "Lake Orrin", "Cedar Ward" and "Gorse Ward". "General Holt" and
/// "Ada Holt" may be one.
pub(super) fn are_two_names(a: &Sentence, b: &Sentence) -> bool {
    let name = |s: &Sentence| -> Option<Vec<String>> {
        let tokens = s.bound.tokens();
        let phrase = phrases(tokens).into_iter().next()?;
        let words = &tokens[phrase];
        let is_name = words.len() > 1 && words.iter().all(Token::is_capital);
        is_name.then(|| words.iter().map(|token| token.lower.clone()).collect())
    };
    let (Some(ours), Some(theirs)) = (name(a), name(b)) else { return false };
    let kind = |one: Option<&String>, other: Option<&String>| {
        one.zip(other).is_some_and(|(one, other)| one == other && is_kind(one))
    };
    let rest = |from: &[String], other: &[String]| from.iter().any(|word| !other.contains(word));
    let differ = rest(&ours, &theirs) && rest(&theirs, &ours);
    let in_front = kind(ours.first(), theirs.first()) && ours.last() != theirs.last();
    let behind = kind(ours.last(), theirs.last()) && ours.first() != theirs.first();
    differ && (in_front || behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(a: &str, b: &str) -> bool {
        are_apart(&Sentence::prepare(a), &Sentence::prepare(b))
    }

    #[test]
    fn a_word_before_one_noun_keeps_two_things_apart() {
        for (a, b) in [
            ("The first crane was bought in 1962.", "The second crane was bought in 1971."),
            ("Boats at the third jetty may stay.", "Boats at the fourth jetty may not stay."),
            ("The summer regatta raised £210.", "The winter regatta raised £390."),
            (
                "The new landing stage is 40 metres long.",
                "The old landing stage is 30 metres long.",
            ),
            ("The archive of Oldhaven is closed.", "The archive of Ness Point is open."),
            ("Now Oldhaven's archive is closed.", "The Ness archive is open."),
            ("Some boats were painted in 2020.", "Some boats were painted in 2023."),
            ("The kiosk is closed at night.", "The kiosk is open by day."),
            ("The kiosk is open on weekdays.", "The kiosk is closed on Sundays."),
        ] {
            assert!(apart(a, b), "{a} | {b}");
        }
    }

    #[test]
    fn one_thing_in_other_words_is_not_kept_apart() {
        for (a, b) in [
            ("The crane was bought in 1962.", "The old crane was bought in 1971."),
            ("The archive of Oldhaven is closed.", "The archive of Oldhaven is open."),
            ("The archive of Oldhaven is closed.", "The archive is open."),
            ("The kiosk is closed at weekends.", "The kiosk is open on Sundays."),
            ("The kiosk is closed at night.", "The kiosk is open at night."),
            ("Ada Holt signed the lease.", "General Holt did not sign the lease."),
            ("Some boats leak.", "No boats leak."),
            ("Berg was the first mayor of Ness.", "Berg was the second mayor of Ness."),
        ] {
            assert!(!apart(a, b), "{a} | {b}");
        }
    }

    #[test]
    fn two_names_of_one_kind_are_two() {
        let two = |a: &str, b: &str| are_two_names(&Sentence::prepare(a), &Sentence::prepare(b));
        assert!(two("Lake Ness is 90 metres deep.", "Lake Orrin is 40 metres deep."));
        assert!(!two("Lake Ness is 90 metres deep.", "Lake Ness is 40 metres deep."));
        assert!(!two("General Torvik left in 1931.", "Ada Torvik left in 1938."));
    }

    #[test]
    fn what_is_said_of_every_one_is_said_of_one() {
        let any = |a: &str, b: &str| are_brought_up(&Sentence::prepare(a), &Sentence::prepare(b));
        assert!(any("A boat was lost in 1931.", "A boat was lost in 1938."));
        assert!(!any("A ticket costs £4.", "A ticket costs £5."));
        assert!(!any("Two people were hurt.", "Three people were hurt."));
    }
}
