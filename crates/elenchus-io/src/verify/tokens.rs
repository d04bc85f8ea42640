//! A sentence as tagged tokens: what extraction, binding checks and features all look at.

use crate::wordnet::{Part, WordNet};
use elenchus_core::evidence::Span;
use elenchus_core::text::stem;
use harper_brill::{Tagger, UPOS};
use std::ops::Range;

/// Part of speech, as coarse as the rules need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pos {
    /// A common noun.
    Noun,
    /// A name.
    ProperNoun,
    /// A main verb.
    Verb,
    /// "is", "has", "will", "may".
    Aux,
    /// An adjective.
    Adjective,
    /// An adverb.
    Adverb,
    /// A number in figures or words.
    Numeral,
    /// "it", "who".
    Pronoun,
    /// "the", "some".
    Determiner,
    /// "of", "in".
    Preposition,
    /// "and", "because".
    Conjunction,
    /// "not", "to".
    Particle,
    /// A mark.
    Punctuation,
    /// Anything else.
    Other,
}

/// A word, number or mark of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// As it stands.
    pub text: String,
    /// Lower case.
    pub lower: String,
    /// Stem of the lower-case form (Porter 2, irregular forms made regular).
    pub stem: String,
    /// Part of speech.
    pub pos: Pos,
    /// Bytes of the text.
    pub bytes: Range<usize>,
    /// Characters of the text.
    pub chars: Span,
}

impl Token {
    /// Whether it is a mark.
    pub fn is_mark(&self) -> bool {
        self.pos == Pos::Punctuation
    }

    /// Whether it begins with a capital.
    pub fn is_capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    /// Whether it has a digit.
    pub fn has_digit(&self) -> bool {
        self.text.chars().any(|c| c.is_ascii_digit())
    }
}

/// Longer rows of tokens are no single sentence.
const LONG_SENTENCE: usize = 80;

/// Words, numbers ("21.4", "1,200", "VLX-500", "3.5") and single marks of a text, tagged. Currency signs and the
/// percent sign are tokens of their own; "n't" and possessive "'s" are split off.
pub fn tokens(text: &str) -> Vec<Token> {
    let pieces = pieces(text);
    let words: Vec<String> = pieces.iter().map(|range| text[range.clone()].to_owned()).collect();
    let tags = harper_brill::brill_tagger().tag_sentence(&words);
    let mut out: Vec<Token> = Vec::with_capacity(words.len());
    let (mut at_byte, mut at_char) = (0, 0);
    for ((range, word), tag) in pieces.into_iter().zip(words).zip(tags) {
        at_char += text[at_byte..range.start].chars().count();
        at_byte = range.start;
        let length = word.chars().count();
        let lower = word.to_lowercase();
        let pos = pos(&word, &lower, tag, out.last());
        out.push(Token {
            stem: stem(&lower),
            pos,
            chars: Span { start: at_char, end: at_char + length },
            bytes: range,
            text: word,
            lower,
        });
    }
    // ", painting the harbour": with an object it is a verb.
    for at in 1..out.len().saturating_sub(1) {
        let object = matches!(
            out[at + 1].lower.as_str(),
            "the" | "a" | "an" | "his" | "her" | "its" | "their"
        );
        if out[at].pos == Pos::Noun
            && out[at].lower.ends_with("ing")
            && out[at - 1].text == ","
            && object
        {
            out[at].pos = Pos::Verb;
        }
    }
    find_verb(&mut out);
    out
}

/// "Ada works for the museum": if no verb was found at all, the first word behind a name that can be one is it.
fn find_verb(tokens: &mut [Token]) {
    if tokens.len() > LONG_SENTENCE || tokens.iter().any(|t| matches!(t.pos, Pos::Verb | Pos::Aux))
    {
        return;
    }
    let wordnet = WordNet::builtin();
    let verb = (1..tokens.len().saturating_sub(1)).find(|at| {
        let token = &tokens[*at];
        token.pos == Pos::Noun
            && token.lower.ends_with('s')
            && tokens[at - 1].pos == Pos::ProperNoun
            && matches!(
                tokens[at + 1].pos,
                Pos::Preposition
                    | Pos::Adjective
                    | Pos::ProperNoun
                    | Pos::Determiner
                    | Pos::Numeral
                    | Pos::Pronoun
                    | Pos::Adverb
            )
            && tokens[at + 1].lower != "of"
            && wordnet.lemmas(&wordnet.lookup(&token.lower)).any(|(_, part)| part == Part::Verb)
    });
    if let Some(at) = verb {
        tokens[at].pos = Pos::Verb;
    }
}

fn pos(word: &str, lower: &str, tag: Option<UPOS>, before: Option<&Token>) -> Pos {
    let first = word.chars().next().unwrap_or(' ');
    if !first.is_alphanumeric() && !word.chars().any(char::is_alphanumeric) {
        return Pos::Punctuation;
    }
    if first.is_ascii_digit() {
        return Pos::Numeral;
    }
    if matches!(lower, "not" | "n't" | "n’t") {
        return Pos::Particle;
    }
    let inside = before.is_some_and(|token| {
        !matches!(token.text.as_str(), "." | "!" | "?" | ":" | "\u{201C}" | "\"")
    });
    // A capital inside a sentence is a name whatever the tagger's table says.
    if first.is_uppercase() && inside && !matches!(lower, "i") {
        return Pos::ProperNoun;
    }
    // "Queen's": the tagger takes some for a form of "be" or a preposition.
    if matches!(lower, "'s" | "’s") {
        return Pos::Particle;
    }
    if matches!(lower, "including") {
        return Pos::Preposition;
    }
    // "Karl III was succeeded": no noun is written so, whatever the tagger takes the words behind a number for.
    let is_helper =
        matches!(word, "is" | "are" | "was" | "were" | "has" | "have" | "had" | "does" | "did");
    if is_helper && !matches!(tag, Some(UPOS::AUX | UPOS::VERB)) {
        return Pos::Aux;
    }
    let wordnet = WordNet::builtin();
    // "she lives": what follows a pronoun in the nominative is its verb if it can be one.
    let nominative = before.is_some_and(|token| {
        matches!(token.lower.as_str(), "he" | "she" | "it" | "they" | "we" | "i" | "who")
    });
    if nominative
        && tag == Some(UPOS::NOUN)
        && wordnet.lemmas(&wordnet.lookup(lower)).any(|(_, part)| part == Part::Verb)
    {
        return Pos::Verb;
    }
    match tag {
        Some(UPOS::PROPN) if first.is_uppercase() => Pos::ProperNoun,
        Some(UPOS::NOUN | UPOS::PROPN) => Pos::Noun,
        Some(UPOS::VERB) => Pos::Verb,
        Some(UPOS::AUX) => Pos::Aux,
        Some(UPOS::ADJ) => Pos::Adjective,
        Some(UPOS::ADV) => Pos::Adverb,
        Some(UPOS::NUM) => Pos::Numeral,
        Some(UPOS::PRON) => Pos::Pronoun,
        Some(UPOS::DET) => Pos::Determiner,
        Some(UPOS::ADP) => Pos::Preposition,
        Some(UPOS::CCONJ | UPOS::SCONJ) => Pos::Conjunction,
        Some(UPOS::PART) => Pos::Particle,
        Some(UPOS::INTJ | UPOS::PUNCT | UPOS::SYM) => Pos::Other,
        // Unknown to the tagger: a name if it has a capital, else what the dictionary knows.
        None if first.is_uppercase() => Pos::ProperNoun,
        None => {
            let known = wordnet.lookup(lower);
            match wordnet.lemmas(&known).next() {
                Some((_, Part::Verb)) => Pos::Verb,
                Some((_, Part::Adjective)) => Pos::Adjective,
                Some((_, Part::Adverb)) => Pos::Adverb,
                _ => Pos::Noun,
            }
        }
    }
}

/// Byte ranges of the tokens.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let at = |i: usize| chars.get(i).map_or(text.len(), |(byte, _)| *byte);
    let is = |i: usize, test: fn(char) -> bool| chars.get(i).is_some_and(|(_, c)| test(*c));
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i].1;
        if c.is_whitespace() || elenchus_core::text::is_invisible(c) {
            i += 1;
            continue;
        }
        if !c.is_alphanumeric() {
            out.push(at(i)..at(i + 1));
            i += 1;
            continue;
        }
        let start = i;
        while i < chars.len() {
            let c = chars[i].1;
            if c.is_alphanumeric() || is_combining(c) {
                i += 1;
                continue;
            }
            let next_word = is(i + 1, char::is_alphanumeric);
            let digits = is(i - 1, |c| c.is_ascii_digit()) && is(i + 1, |c| c.is_ascii_digit());
            let joins = match c {
                '.' => digits || (next_word && is_initials(&text[at(start)..at(i)])),
                ',' => digits && groups_of_three(&chars, i),
                ':' => digits && i - start <= 2,
                '-' | '\u{2010}' | '\u{2011}' => next_word && !digits,
                '\'' | '\u{2019}' => next_word,
                '_' | '&' => next_word,
                _ => false,
            };
            if !joins {
                break;
            }
            i += 1;
        }
        let (from, to) = (at(start), at(i));
        let word = &text[from..to];
        let lower = word.to_lowercase();
        let split = ["n't", "n’t", "'s", "’s"]
            .iter()
            .find(|tail| {
                lower.ends_with(**tail) && lower.len() > tail.len() && lower.len() == word.len()
            })
            .map(|tail| to - tail.len());
        match split {
            Some(cut) => out.extend([from..cut, cut..to]),
            None => out.push(from..to),
        }
    }
    out
}

fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36F}').contains(&c)
}

/// "U.S", "e.g": single letters between dots.
fn is_initials(text: &str) -> bool {
    !text.is_empty()
        && text
            .split('.')
            .all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

/// Whether the comma at `i` is followed by exactly three digits.
fn groups_of_three(chars: &[(usize, char)], i: usize) -> bool {
    let digit = |k: usize| chars.get(k).is_some_and(|(_, c)| c.is_ascii_digit());
    digit(i + 1) && digit(i + 2) && digit(i + 3) && !digit(i + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn numbers_and_names_are_whole() {
        assert_eq!(
            texts("Veltrix's VLX-500 cost $1,200.50 (up 3.5%) in the U.S., didn't it?"),
            [
                "Veltrix", "'s", "VLX-500", "cost", "$", "1,200.50", "(", "up", "3.5", "%", ")",
                "in", "the", "U.S", ".", ",", "did", "n't", "it", "?"
            ]
        );
        assert_eq!(texts("2019-2021, 1-3"), ["2019", "-", "2021", ",", "1", "-", "3"]);
    }

    #[test]
    fn spans_give_the_text_back() {
        let text = "Ünïcode “quoted” 12:30 naïve café’s 5°C — done.";
        for token in tokens(text) {
            assert_eq!(&text[token.bytes.clone()], token.text);
            assert_eq!(
                elenchus_core::evidence::char_slice(text, token.chars),
                Some(token.text.as_str())
            );
        }
    }

    #[test]
    fn verbs_behind_pronouns_and_owners() {
        let tags = tokens("She lives in Lund near Queen's Park.");
        let of = |word: &str| tags.iter().find(|t| t.text == word).map(|t| t.pos);
        assert_eq!(of("lives"), Some(Pos::Verb));
        assert_eq!(of("'s"), Some(Pos::Particle));
    }

    #[test]
    fn helpers_are_no_nouns() {
        for text in ["Karl III was followed by Ivo.", "Karl II did not sell it."] {
            let tags = tokens(text);
            assert!(matches!(tags[2].pos, Pos::Aux | Pos::Verb), "{:?}", tags[2]);
        }
    }

    #[test]
    fn tags_what_it_can() {
        let tags = tokens("The company sold 40 robots to Naptha in May.");
        let of = |word: &str| tags.iter().find(|t| t.text == word).map(|t| t.pos);
        assert_eq!(of("sold"), Some(Pos::Verb));
        assert_eq!(of("40"), Some(Pos::Numeral));
        assert_eq!(of("robots"), Some(Pos::Noun));
        assert_eq!(of("Naptha"), Some(Pos::ProperNoun));
    }
}
