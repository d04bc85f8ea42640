//! Which sentences say something that can be true or false.

use super::split::{can_be_verb, has_verb};
use crate::verify::tokens::{Pos, Token};

/// What a sentence is to a reader who looks for claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// It states something.
    Statement,
    /// A question, a request, or talk about the text itself, and which of them. It is told: what looks like one may be none.
    Aside(&'static str),
    /// No word.
    Nothing,
    /// A phrase without a verb.
    Fragment,
    /// A verb without its subject ("Announced a new plant").
    Headless,
}

/// Beginnings of talk about the text itself, in lower case.
const META: &[&str] = &[
    "in this report",
    "in this article",
    "in this section",
    "in this answer",
    "in this document",
    "in this paper",
    "in this guide",
    "in this post",
    "this report ",
    "this section ",
    "this article ",
    "this document ",
    "this overview ",
    "this summary ",
    "this answer ",
    "this guide ",
    "the following section",
    "the following table",
    "the following report",
    "the following list",
    "the table below",
    "the sections below",
    "the rest of this",
    "let me ",
    "let us ",
    "let's ",
    "i hope",
    "feel free",
    "here is ",
    "here are ",
    "here's ",
    "below is ",
    "below are ",
    "as an ai",
    "i'm sorry",
    "i am sorry",
    "i apologize",
    "i cannot",
    "i can't",
    "i don't have",
    "i do not have",
    "i could not find",
    "i couldn't find",
    "sure, ",
    "sure!",
    "certainly,",
    "certainly!",
    "of course!",
    "we will ",
    "we'll ",
    "i will ",
    "i'll ",
    "i can ",
    "we now turn",
    "if you would",
    "if you want",
    "if you need",
    "if you have any",
    "if you'd",
    "would you like",
    "thank you",
    "thanks",
    "hope this helps",
    "see also",
    "see the ",
    "for more information",
    "for more details",
    "for details",
    "for further",
    "click ",
    "read more",
    "sources:",
    "source:",
    "references:",
    "note:",
    "disclaimer",
    "last updated",
    "table of contents",
];

/// What a sentence is that tells the reader to do something.
const REQUEST: &str = "reads as a request";

/// Judges a sentence by its words and tokens.
pub(super) fn worth(sentence: &str, tokens: &[Token]) -> Worth {
    let trimmed = sentence.trim();
    if !trimmed.chars().any(char::is_alphabetic) {
        return Worth::Nothing;
    }
    if trimmed.ends_with('?') || trimmed.ends_with("?\"") {
        return Worth::Aside("a question");
    }
    let start: String =
        trimmed.chars().take(48).collect::<String>().to_lowercase().replace('’', "'");
    if META.iter().any(|meta| start.starts_with(meta)) {
        return Worth::Aside("talk about the text itself");
    }
    let first = tokens.iter().find(|t| !t.is_mark());
    let Some(first) = first else { return Worth::Nothing };
    if matches!(first.lower.as_str(), "please" | "don't" | "do")
        && tokens.len() > 1
        && tokens[1].pos != Pos::ProperNoun
    {
        return Worth::Aside(REQUEST);
    }
    if !has_verb(tokens) {
        return Worth::Fragment;
    }
    if first.pos == Pos::Verb && !first.lower.ends_with("ing") {
        let finite = first.lower.ends_with("ed")
            || first.lower.ends_with('s') && !first.lower.ends_with("ss");
        let goes_on = tokens.iter().skip(1).any(|t| t.text == ",");
        return match (finite, goes_on) {
            (true, true) => Worth::Statement,
            // "Marked gains are seen": a noun phrase.
            (true, false) if tokens.iter().any(|t| t.pos == Pos::Aux) => Worth::Statement,
            (true, false) if describes_subject(tokens) => Worth::Statement,
            (true, false) => Worth::Headless,
            (false, _) if is_participle(&first.lower) => Worth::Statement,
            // "Use the left lane."
            (false, _) => Worth::Aside(REQUEST),
        };
    }
    Worth::Statement
}

/// "Registered charities pay a third": the first word tells which charities, and they have a verb of their own.
fn describes_subject(tokens: &[Token]) -> bool {
    let words: Vec<&Token> = tokens.iter().filter(|t| !t.is_mark()).skip(1).collect();
    let nouns = words.iter().take_while(|t| matches!(t.pos, Pos::Noun | Pos::ProperNoun)).count();
    let (subject, said) = words.split_at(nouns);
    let verb = said.first().is_some_and(|t| {
        t.pos == Pos::Verb && !t.lower.ends_with("ing") && !t.lower.ends_with("ed")
    });
    // "charities pay a third": a verb to the reader, a noun to the tagger.
    let taken_for_noun =
        matches!(
            subject,
            [.., noun, last] if noun.lower.ends_with('s') && can_be_verb(&last.lower)
        ) && said.first().is_some_and(|t| matches!(t.pos, Pos::Determiner | Pos::Numeral));
    !subject.is_empty() && verb || taken_for_noun
}

fn is_participle(lower: &str) -> bool {
    matches!(
        lower,
        "born"
            | "known"
            | "built"
            | "made"
            | "written"
            | "led"
            | "held"
            | "set"
            | "given"
            | "founded"
            | "seen"
            | "won"
    )
}
