//! What single lines and marks mean.

use super::sentence::is_roman;

/// A line longer than this many bytes is prose, whatever it begins with.
pub(super) const LONG_HEADING: usize = 700;

/// A heading or cell without its markup.
pub(crate) fn strip_markup(text: &str) -> String {
    let text = text.trim();
    let text = text.trim_start_matches('#').trim_end_matches('#').trim();
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(link) = link_text(rest) {
            plain.push_str(link.0);
            rest = &rest[link.1..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '*' | '`' => {}
            '\\' => {
                if let Some(next) = rest.chars().next().filter(char::is_ascii_punctuation) {
                    plain.push(next);
                    rest = &rest[1..];
                } else {
                    plain.push(c);
                }
            }
            // Underscores inside words are names: report_2026.
            '_' if plain.chars().next_back().is_none_or(|last| !last.is_alphanumeric())
                || !rest.starts_with(char::is_alphanumeric) => {}
            _ => plain.push(c),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[words](target)` at the start of `text`: the words, and the length of the whole.
fn link_text(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('[')?;
    let close = inner.find("](")?;
    if inner[..close].contains(['[', '\n']) {
        return None;
    }
    let end = inner[close..].find(')')?;
    Some((&inner[..close], 1 + close + end + 1))
}

/// What begins a list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemMark {
    Bullet,
    Number(u32),
}

/// The mark of a list item at the start of `text`.
pub(crate) fn item_mark(text: &str) -> Option<ItemMark> {
    let first = text.chars().next()?;
    if matches!(first, '-' | '*' | '+' | '•' | '‣' | '◦' | '▪' | '–' | '●') {
        let rest = &text[first.len_utf8()..];
        return (rest.starts_with([' ', '\t', '\u{a0}']) && !rest.trim().is_empty())
            .then_some(ItemMark::Bullet);
    }
    let body = text.strip_prefix('(').unwrap_or(text);
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 || digits > 3 {
        return None;
    }
    let rest = &body[digits..];
    let set_off = rest.starts_with(['.', ')']) && rest[1..].starts_with([' ', '\t']);
    set_off.then(|| body[..digits].parse().ok().map(ItemMark::Number)).flatten()
}

/// "Book I", "Chapter VII.-Beware of False Teachers.", "IV.-Epistle to Aeglon", "Preface."
pub(super) fn chapter_level(text: &str) -> Option<u8> {
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let bare = first.trim_end_matches(['.', ':']);
    let level = match bare.to_ascii_lowercase().as_str() {
        "part" | "book" | "volume" | "discourse" | "vision" | "mandate" | "similitude"
        | "parable" => 1,
        "chapter" | "letter" | "homily" | "canon" | "section" | "epistle" | "article"
        | "appendix" => 2,
        "preface" | "introduction" | "prologue" | "conclusion" | "epilogue" | "argument"
        | "contents" | "elucidations" | "elucidation" | "opening" => {
            return words.next().is_none().then_some(2);
        }
        _ => {
            // "I.-To Alexander": a numeral set off by a dash.
            let numeral = first.split_once(".-").or_else(|| first.split_once(".—"))?.0;
            return is_roman(numeral).then_some(2);
        }
    };
    let second = words.next()?;
    let numeral: &str = second.split(['.', ':', '-', '—', ')']).next().unwrap_or(second);
    let numbered =
        is_roman(numeral) || numeral.chars().all(|c| c.is_ascii_digit()) && !numeral.is_empty();
    // "Chapter 3 of the law says" is a sentence; "Chapter 3", "Vision 1 [1]" and "Chapter 3. Law" are not.
    let set_off = second.len() > numeral.len()
        || words.next().is_none_or(|third| {
            third.starts_with(['-', '–', '—', ':', '[', '('])
                || third.chars().all(|c| c.is_ascii_digit())
        });
    (numbered && set_off).then_some(level)
}

pub(super) fn atx_level(text: &str) -> Option<u8> {
    let level = text.bytes().take_while(|b| *b == b'#').count();
    let rest = &text[level..];
    // A heading stands above every passage of its section, so an endless one is prose.
    let heading = text.len() <= LONG_HEADING && rest.starts_with([' ', '\t']);
    ((1..=6).contains(&level) && heading && !rest.trim().is_empty()).then_some(level as u8)
}

pub(super) fn is_pipe_row(text: &str) -> bool {
    text.len() > 2 && text.starts_with('|') && text[1..].contains('|')
}

/// `|---|:---:|`
pub(super) fn is_table_rule(text: &str) -> bool {
    text.contains('-')
        && text.contains('|')
        && text.bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'\t'))
}

pub(super) fn is_thematic_break(text: &str) -> bool {
    let marks = text.bytes().filter(|b| !b.is_ascii_whitespace()).count();
    marks >= 3
        && ['-', '*', '_', '='].iter().any(|mark| text.chars().all(|c| c == *mark || c == ' '))
}

/// "2.1 Naming . . . . . . 3": a line of a table of contents says nothing by itself. After the dots stands a page
/// at most; "The king . . . . was crowned." leaves something out and says the rest.
pub(super) fn is_contents_line(text: &str) -> bool {
    let after = |leader: &str| text.rfind(leader).map(|at| at + leader.len());
    let Some(end) = after(". . . .").max(after(".....")) else { return false };
    let page = text[end..].trim_matches(['.', ' ', '\t']);
    page.chars().all(|c| "ivxlc".contains(c))
        || (!page.contains(char::is_whitespace) && page.ends_with(|c: char| c.is_ascii_digit()))
}

/// "1.3. Language used", "2.4.1 Valves" alone on a line: the number of parts is the level.
pub(super) fn numbered_heading(text: &str) -> Option<u8> {
    let (number, words) = text.split_once(' ')?;
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let numeric = parts
        .iter()
        .all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()));
    let titled = words.trim_start().starts_with(char::is_uppercase)
        && text.chars().count() <= 90
        && !text.ends_with(['.', ',', ';', ':']);
    (numeric && (2..=5).contains(&parts.len()) && titled).then_some(parts.len() as u8)
}
