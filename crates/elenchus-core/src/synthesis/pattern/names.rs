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
    /// What a sentence begins with where a name follows at once, and that name: "Mary" and "Quill". The first has its capital from its
    /// place and may be part of the name or not, which other texts tell.
    pub(super) led: BTreeSet<(String, String)>,
    /// Adjectives of places by their form, as a noun in lower case follows them: "a Veldic coin".
    pub(super) adjectives: BTreeSet<String>,
    /// References to numbered places of a text: "John 1:1".
    pub(super) references: BTreeSet<String>,
    /// Addresses of pages, without what names a place within the page.
    pub(super) links: BTreeSet<String>,
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
        // "AI-driven" describes, and "APIs" are several of a kind.
        && word.rsplit('-').next().is_some_and(|last| last.starts_with(char::is_uppercase))
        && !word.strip_suffix('s').is_some_and(|one| one.chars().all(char::is_uppercase))
}

/// Endings of adjectives of places and peoples.
const OF_PLACES: [&str; 4] = ["ian", "ean", "ish", "ese"];

/// Words after which a name in lower company describes what follows.
const DETERMINERS: [&str; 8] = ["a", "an", "the", "its", "his", "her", "their", "our"];

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

/// Addresses of pages in running text and in the links of Markdown.
fn links(text: &str) -> BTreeSet<String> {
    let ends = |c: char| c.is_whitespace() || "()<>[]{}|\"'`\u{201C}\u{201D}".contains(c);
    text.split(ends)
        .filter_map(|piece| {
            let page = piece.split('#').next().unwrap_or(piece);
            let page = page.trim_end_matches(|c: char| !c.is_alphanumeric());
            let rest = page.strip_prefix("https://").or_else(|| page.strip_prefix("http://"))?;
            // A name with a full stop, so that the mere mention of the scheme is none.
            let host = rest.split('/').next()?;
            host.contains('.').then(|| page.to_owned())
        })
        .collect()
}

/// Reads a text once.
pub(super) fn mentions(text: &str) -> Mentions {
    let mut found = Mentions { links: links(text), ..Mentions::default() };
    let mut run: Vec<&str> = Vec::new();
    let mut starts = true;
    // The word that a sentence began with, while a name that goes on from it is read.
    let mut lead: Option<&str> = None;
    let tokens: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '|' | '/' | '*' | '_' | '#' | '`'))
        .filter(|token| !token.is_empty())
        .collect();
    let flush = |run: &mut Vec<&str>, lead: &mut Option<&str>, found: &mut Mentions| {
        let words = run.iter().filter(|word| **word != "&").count();
        if (1..=3).contains(&words) {
            match lead.filter(|_| words < 3) {
                Some(lead) => found.led.insert((lead.to_owned(), run.join(" "))),
                None => found.names.insert(run.join(" ")),
            };
        }
        run.clear();
        *lead = None;
    };
    for (at, token) in tokens.iter().enumerate() {
        let word = bare(token);
        if let Some(reference) = reference(&tokens, at) {
            found.references.insert(reference);
        }
        // "Matt.", "Cor." and "Inc." are short for something.
        let short = word.chars().count() <= 4 && token.ends_with('.');
        let name = is_name(word) && !is_common(word) && !short;
        let next = tokens.get(at + 1).map(|next| bare(next));
        if name && !starts {
            let before = at.checked_sub(1).map(|at| tokens[at]);
            if run.is_empty()
                && OF_PLACES.iter().any(|end| word.ends_with(end))
                && before.is_some_and(|before| DETERMINERS.contains(&before))
                && *token == word
                && next.is_some_and(|next| next.starts_with(char::is_lowercase))
            {
                found.adjectives.insert(word.to_owned());
            }
            run.push(word);
        } else if *token == "&" && (!run.is_empty() || lead.is_some()) && next.is_some_and(is_name)
        {
            // "Quill & Marsh" is one firm.
            run.push("&");
        } else {
            flush(&mut run, &mut lead, &mut found);
            if name && *token == word {
                lead = Some(word);
            }
            if word.chars().next().is_some_and(char::is_lowercase) {
                found.lower.insert(word.to_owned());
            }
        }
        starts = token.ends_with(['.', '!', '?', ':', ')', ']', '"', '\u{201D}'])
            || token.starts_with(['"', '\u{201C}', '(', '[']);
        if starts || token.ends_with([',', ';']) {
            flush(&mut run, &mut lead, &mut found);
        }
    }
    flush(&mut run, &mut lead, &mut found);
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

    /// A firm is one name, the first word of a sentence may belong to one, and what describes or is several names nothing.
    #[test]
    fn names_end_where_they_end() {
        let found = mentions(
            "We asked Tern & Gull about the APIs and a Norlandian coin. Harbour master: Ada Lind; he likes rule-based and \
             Rust-based tools. Jean-Luc came with Anne-Marie.",
        );
        let names: Vec<&str> = found.names.iter().map(String::as_str).collect();
        assert_eq!(names, ["Anne-Marie", "Norlandian", "Tern & Gull"]);
        let led: Vec<(&str, &str)> =
            found.led.iter().map(|(lead, rest)| (lead.as_str(), rest.as_str())).collect();
        assert_eq!(led, [("Ada", "Lind")]);
        assert!(found.adjectives.contains("Norlandian"));
        // A man of that name is no adjective, and neither is a place after "the".
        assert!(mentions("Then Brian said so to the Osterby mill.").adjectives.is_empty());
        let firm = mentions("Tern & Gull asked.");
        assert_eq!(firm.led.first().unwrap(), &("Tern".to_owned(), "& Gull".to_owned()));
    }

    #[test]
    fn addresses_end_where_they_end() {
        let found = links(
            "See https://tides.example.org/a/b/, [the log](https://log.example.org/2024#may) and <http://x.example.org>. \
             Names begin with https:// here, ftp://y.example.org is none, nor is https://localhost.",
        );
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        let wanted = [
            "http://x.example.org",
            "https://log.example.org/2024",
            "https://tides.example.org/a/b",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn names_and_references_by_their_form() {
        let found = mentions(
            "Then Nils Holm wrote to Osterby, as in Matt. v. 17 and 1 Cor. 13:4-7. The mill stood. Rain fell (see John 1:1).",
        );
        let names: Vec<&str> = found.names.iter().map(String::as_str).collect();
        assert!(found.led.is_empty(), "{:?}", found.led);
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
