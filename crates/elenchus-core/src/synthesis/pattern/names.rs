//! Names and references in running text, by their form alone.

use crate::evidence::MONTHS;
use std::collections::BTreeSet;

/// Words that begin with a capital and name nothing in particular.
const COMMON: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "although", "an", "and", "any", "are", "as",
    "at", "because", "before", "being", "book", "but", "by", "chap", "chapter", "did", "do",
    "does", "each", "every", "figure", "first", "for", "friday", "from", "have", "he", "hence",
    "her", "here", "his", "how", "however", "i", "if", "in", "is", "it", "its", "let", "monday",
    "moreover", "mr", "mrs", "my", "no", "nor", "not", "note", "nothing", "now", "of", "on", "one",
    "only", "or", "our", "part", "rather", "saturday", "section", "she", "since", "so", "some",
    "such", "sunday", "table", "than", "that", "the", "their", "then", "there", "these", "they",
    "this", "those", "thou", "though", "thursday", "thus", "thy", "to", "total", "tuesday", "upon",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom", "why", "will",
    "with", "yes", "yet", "you", "your",
];

/// The longer ones.
const LONG: &[&str] = &["therefore", "wednesday", "wherefore"];

pub(super) fn is_common(word: &str) -> bool {
    let lower = word.to_lowercase();
    let lower = lower.as_str();
    COMMON.binary_search(&lower).is_ok() || LONG.contains(&lower) || MONTHS.contains(&lower)
}

/// What a text mentions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    /// Names as the text has them, inside sentences only: "Osterby", "Nils Holm".
    pub(super) names: BTreeSet<String>,
    /// References to numbered places of a text: "John 1:1".
    pub(super) references: BTreeSet<String>,
    /// Words in lower case: what also occurs so is no name.
    pub(super) lower: BTreeSet<String>,
}

fn bare(token: &str) -> &str {
    let word = token.trim_matches(|c: char| !c.is_alphanumeric());
    ["'s", "\u{2019}s"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word)
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
        && word.chars().count() > 2
        && word.chars().all(|c| c.is_alphabetic() || c == '-')
        && word.chars().any(char::is_lowercase)
}

/// A Roman numeral below 200 in lower case, as older editions number chapters.
fn roman(word: &str) -> Option<u32> {
    if word.is_empty() || word.len() > 8 {
        return None;
    }
    let value = |c: char| match c {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        _ => None,
    };
    let values: Vec<u32> = word.chars().map(value).collect::<Option<_>>()?;
    let mut sum = 0;
    for (at, one) in values.iter().enumerate() {
        if values.get(at + 1).is_some_and(|next| next > one) {
            sum -= i64::from(*one);
        } else {
            sum += i64::from(*one);
        }
    }
    u32::try_from(sum).ok().filter(|sum| (1..200).contains(sum))
}

/// "5:17" and "5:17-20" name chapter 5, verse 17.
fn chapter_and_verse(token: &str) -> Option<(u32, u32)> {
    let token = token.trim_matches(|c: char| !c.is_ascii_digit());
    let (chapter, rest) = token.split_once(':')?;
    let verse: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let (chapter, verse) = (chapter.parse().ok()?, verse.parse().ok()?);
    // "10:30" after a name is a time only where nothing else says so; hours end at 24.
    ((1..=150).contains(&chapter) && (1..=176).contains(&verse)).then_some((chapter, verse))
}

/// Reads a text once.
pub(super) fn mentions(text: &str) -> Mentions {
    let mut found = Mentions::default();
    let mut run: Vec<&str> = Vec::new();
    let mut starts = true;
    let tokens: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '|' | '/' | '*' | '_' | '#' | '`'))
        .filter(|token| !token.is_empty())
        .collect();
    let flush = |run: &mut Vec<&str>, names: &mut BTreeSet<String>| {
        if (1..=3).contains(&run.len()) {
            names.insert(run.join(" "));
        }
        run.clear();
    };
    for (at, token) in tokens.iter().enumerate() {
        let word = bare(token);
        if let Some(reference) = reference(&tokens, at) {
            found.references.insert(reference);
        }
        // "Matt.", "Cor." and "Inc." are short for something.
        let short = word.chars().count() <= 4 && token.ends_with('.');
        let name = is_name(word) && !is_common(word) && !short;
        if name && !starts {
            run.push(word);
        } else {
            flush(&mut run, &mut found.names);
            if word.chars().next().is_some_and(char::is_lowercase) {
                found.lower.insert(word.to_owned());
            }
        }
        starts = token.ends_with(['.', '!', '?', ':', ')', ']', '"', '\u{201D}'])
            || token.starts_with(['"', '\u{201C}', '(', '[']);
        if starts || token.ends_with([',', ';']) {
            flush(&mut run, &mut found.names);
        }
    }
    flush(&mut run, &mut found.names);
    found
}

/// A reference that ends at this token: "John 1:1", "1 Cor. 13:4", "Matt. v. 17".
fn reference(tokens: &[&str], at: usize) -> Option<String> {
    let back = |n: usize| at.checked_sub(n).map(|at| tokens[at]);
    let book = |n: usize| {
        let word = bare(back(n)?);
        if !is_name(word) || is_common(word) {
            return None;
        }
        let number = back(n + 1).map(bare).filter(|word| matches!(*word, "1" | "2" | "3"));
        Some(number.map_or_else(|| word.to_owned(), |number| format!("{number} {word}")))
    };
    if let Some((chapter, verse)) = chapter_and_verse(tokens[at]) {
        return Some(format!("{} {chapter}:{verse}", book(1)?));
    }
    let verse: u32 = bare(tokens[at]).parse().ok().filter(|verse| (1..=176).contains(verse))?;
    let numeral = back(1)?;
    let chapter = roman(numeral.strip_suffix('.')?)?;
    Some(format!("{} {chapter}:{verse}", book(2)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(COMMON.is_sorted(), "binary search needs it");
    }

    #[test]
    fn names_and_references_by_their_form() {
        let found = mentions(
            "Then Nils Holm wrote to Osterby, as in Matt. v. 17 and 1 Cor. 13:4-7. The mill stood. Rain fell (see John 1:1).",
        );
        let names: Vec<&str> = found.names.iter().map(String::as_str).collect();
        assert!(names.contains(&"Nils Holm") && names.contains(&"Osterby"), "{names:?}");
        assert!(!names.contains(&"Rain") && !names.contains(&"The"));
        let references: Vec<&str> = found.references.iter().map(String::as_str).collect();
        assert_eq!(references, ["1 Cor 13:4", "John 1:1", "Matt 5:17"]);
        assert!(mentions("at 10:30 on 5:99999 v. 3 x.").references.is_empty());
        assert_eq!(
            (roman("xlix"), roman("i"), roman("dog"), roman("")),
            (Some(49), Some(1), None, None)
        );
    }
}
