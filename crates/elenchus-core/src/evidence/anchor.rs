//! Quotes that can be found again: the W3C's `TextQuoteSelector`, and links that open a page at a quote.
//!
//! A selector is made from a document's text and a span of it. It holds the words themselves and a little of what stands
//! around them, so that it still finds them when the document has grown elsewhere.

use super::Span;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Most characters of context on each side.
pub const CONTEXT: usize = 32;
/// Characters of context that are taken even where the words stand once.
const SOME: usize = 16;
/// Occurrences that are compared.
const MOST_FOUND: usize = 4_096;
/// A longer quote is named by its first and last words, in characters.
const LONG: usize = 120;
/// Words of each end of a long quote.
const END_WORDS: usize = 6;
/// A shorter quote needs its context to be found, in words.
const FEW_WORDS: usize = 5;

/// Words of a text with what stands around them (W3C Web Annotation Data Model, section 4.2.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextQuoteSelector {
    /// The words, letter for letter.
    pub exact: String,
    /// What stands right before them, at most [`CONTEXT`] characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// What stands right after them, at most [`CONTEXT`] characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub suffix: String,
}

/// Where a selector's words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Characters of the text.
    pub span: Span,
    /// Whether they stand there letter for letter; otherwise white space differs.
    pub exact: bool,
}

impl TextQuoteSelector {
    /// Selects the characters `span` of `text`. As much context is taken as tells them from other occurrences, between 16
    /// and [`CONTEXT`] characters a side where the text has them. `None` when the span is empty or leaves the text.
    pub fn of(text: &str, span: Span) -> Option<Self> {
        let chars: Vec<char> = text.chars().collect();
        if span.start >= span.end || span.end > chars.len() {
            return None;
        }
        let slice = |start: usize, end: usize| chars[start..end].iter().collect::<String>();
        let exact = slice(span.start, span.end);
        let mut selector = Self { exact, prefix: String::new(), suffix: String::new() };
        for context in [SOME, SOME + 8, CONTEXT] {
            let start = span.start.saturating_sub(context);
            let end = (span.end + context).min(chars.len());
            selector.prefix = slice(start, span.start);
            selector.suffix = slice(span.end, end);
            let whole = slice(start, end);
            if occurrences(text, &whole).take(2).count() == 1 {
                break;
            }
        }
        Some(selector)
    }

    /// The address with a fragment that makes a browser scroll to the words and mark them (Scroll-to-Text-Fragment). Long
    /// quotes, and quotes over several lines or cells, are named by their first and last words. An address without words
    /// to name is given back as it is.
    pub fn text_fragment(&self, url: &str) -> String {
        let blocks = self.blocks();
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
            return url.to_owned();
        };
        let words: Vec<&str> = first.split_whitespace().collect();
        let ending: Vec<&str> = last.split_whitespace().collect();
        let few = blocks.len() == 1 && words.len() < FEW_WORDS;
        let mut directive = String::new();
        let before = self.neighbours(true);
        if few && !before.is_empty() {
            let _ = write!(directive, "{}-,", encoded(&before));
        }
        let long = blocks.len() > 1 || first.chars().count() > LONG;
        let enough = blocks.len() > 1 || words.len() >= 2 * END_WORDS;
        if long && enough {
            let start = words[..words.len().min(END_WORDS)].join(" ");
            let end = ending[ending.len().saturating_sub(END_WORDS)..].join(" ");
            let _ = write!(directive, "{},{}", encoded(&start), encoded(&end));
        } else {
            directive.push_str(&encoded(&words.join(" ")));
        }
        let after = self.neighbours(false);
        if few && !after.is_empty() {
            let _ = write!(directive, ",-{}", encoded(&after));
        }
        let bare = url.split(":~:").next().unwrap_or(url);
        let hash = if bare.contains('#') { "" } else { "#" };
        format!("{bare}{hash}:~:text={directive}")
    }

    /// The words as a page shows them: block by block, without the marks of Markdown, and with the words at their ends
    /// made whole, since browsers find whole words only.
    fn blocks(&self) -> Vec<String> {
        let whole = |c: &char| c.is_alphanumeric();
        let begins_within = self.exact.chars().next().is_some_and(char::is_alphanumeric);
        let ends_within = self.exact.chars().next_back().is_some_and(char::is_alphanumeric);
        let head: String = if begins_within {
            let reversed: Vec<char> = self.prefix.chars().rev().take_while(whole).collect();
            reversed.into_iter().rev().collect()
        } else {
            String::new()
        };
        let tail: String = if ends_within {
            self.suffix.chars().take_while(whole).collect()
        } else {
            String::new()
        };
        let text = format!("{head}{}{tail}", self.exact);
        text.lines()
            .filter(|line| !is_rule(line))
            .flat_map(|line| {
                let line = unmarked(line);
                if line.starts_with('|') || line.ends_with('|') {
                    line.split('|').map(str::to_owned).collect()
                } else {
                    vec![line.to_owned()]
                }
            })
            .map(|block| block.replace("\\|", "|").split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|block| block.chars().any(char::is_alphanumeric))
            .collect()
    }

    /// The whole words of the same line that stand before or after.
    fn neighbours(&self, before: bool) -> String {
        let line = if before {
            self.prefix.rsplit('\n').next().unwrap_or_default()
        } else {
            self.suffix.split('\n').next().unwrap_or_default()
        };
        if line.contains('|') {
            return String::new();
        }
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let glued = if before {
            !line.ends_with(char::is_whitespace)
        } else {
            !line.starts_with(char::is_whitespace)
        };
        // The word next to the quote belongs to it when nothing parts them; the one at the far end may be cut.
        if before {
            if glued {
                words.pop();
            }
            if self.prefix.chars().count() >= SOME
                && line.len() == self.prefix.len()
                && !words.is_empty()
            {
                words.remove(0);
            }
        } else {
            if glued && !words.is_empty() {
                words.remove(0);
            }
            if self.suffix.chars().count() >= SOME && line.len() == self.suffix.len() {
                words.pop();
            }
        }
        unmarked(&words.join(" ")).to_owned()
    }
}

/// A line without what makes it a heading, an item or a quotation.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let bare = line.trim_start_matches(['#', '>']).trim_start();
    let bare = bare.strip_prefix("- ").or_else(|| bare.strip_prefix("* ")).unwrap_or(bare);
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    match bare[digits..].strip_prefix(". ") {
        Some(rest) if (1..=3).contains(&digits) => rest,
        _ => bare,
    }
}

/// What parts a table's columns from its rows, or fences code.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("```")
        || line.starts_with("~~~")
        || line.contains('-') && line.chars().all(|c| "|-: ".contains(c))
}

/// What stays as it is: letters, digits and three signs. `-`, `,` and `&` part the terms of a text directive.
const BARE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'~');

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, BARE).to_string()
}

/// Finds a selector's words in a text: where they stand letter for letter, else where only white space differs. Among
/// several places the one whose surroundings fit best, the first of equals.
pub fn find(text: &str, selector: &TextQuoteSelector) -> Option<Anchor> {
    if selector.exact.trim().is_empty() {
        return None;
    }
    let prefix: Vec<char> = selector.prefix.chars().rev().collect();
    let suffix: Vec<char> = selector.suffix.chars().collect();
    let fit = |text: &str, start: usize, end: usize| {
        let common = |one: &[char], other: &mut dyn Iterator<Item = char>| {
            one.iter().zip(other).take_while(|(a, b)| **a == *b).count()
        };
        common(&prefix, &mut text[..start].chars().rev())
            + common(&suffix, &mut text[end..].chars())
    };
    let mut best: Option<(usize, usize)> = None;
    for start in occurrences(text, &selector.exact).take(MOST_FOUND) {
        let fits = fit(text, start, start + selector.exact.len());
        if best.is_none_or(|(_, most)| fits > most) {
            best = Some((start, fits));
        }
    }
    if let Some((start, _)) = best {
        let first = text[..start].chars().count();
        let length = selector.exact.chars().count();
        return Some(Anchor { span: Span { start: first, end: first + length }, exact: true });
    }
    loosely(text, selector)
}

/// Where the words stand when runs of white space count as one space.
fn loosely(text: &str, selector: &TextQuoteSelector) -> Option<Anchor> {
    let squeezed = Squeezed::of(text);
    let bare = TextQuoteSelector {
        exact: Squeezed::of(&selector.exact).text.trim().to_owned(),
        prefix: Squeezed::of(&selector.prefix).text,
        suffix: Squeezed::of(&selector.suffix).text,
    };
    if !squeezed.text.contains(&bare.exact) {
        return None;
    }
    let found = find(&squeezed.text, &bare)?.span;
    let start = *squeezed.places.get(found.start)?;
    let end = *squeezed.places.get(found.end.checked_sub(1)?)? + 1;
    Some(Anchor { span: Span { start, end }, exact: false })
}

/// A text with single spaces, and where each of its characters stands in the original.
struct Squeezed {
    text: String,
    places: Vec<usize>,
}

impl Squeezed {
    fn of(text: &str) -> Self {
        let mut squeezed = Self { text: String::with_capacity(text.len()), places: Vec::new() };
        for (place, c) in text.chars().enumerate() {
            if c == '\u{ad}' {
                continue;
            }
            let space = c.is_whitespace();
            if space && squeezed.text.ends_with(' ') {
                continue;
            }
            squeezed.text.push(if space { ' ' } else { c });
            squeezed.places.push(place);
        }
        squeezed
    }
}

/// The bytes at which `words` begin, overlapping ones too.
fn occurrences<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        if words.is_empty() {
            return None;
        }
        let at = from + text.get(from..)?.find(words)?;
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
        Some(at)
    })
}

#[cfg(test)]
#[path = "anchor_tests.rs"]
mod tests;
