//! The tree of a page as its parser makes it, piece by piece, so that its size is known while it grows: a page of a few megabytes can
//! become one of gigabytes, since every paragraph repeats what formats it.

use dom_query::Document;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};

/// Most bytes that are parsed at once.
const PIECE: usize = 16 << 10;
/// Most attributes of one tag: each is compared with all before it.
const MOST_ATTRIBUTES: usize = 1_000;
/// How often, on the average, a byte may be looked at to count attributes.
const LOOKS: usize = 16;
/// Elements that the parser opens again in every block that follows, until they are closed.
const REPEATED: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// The tree, and how many bytes of `html` it is made of: fewer than there are when it would weigh more than `most`. A node weighs one, an
/// attribute half of that.
pub(super) fn build(html: &str, most: usize) -> (Document, usize) {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let opts = ParseOpts { tree_builder, ..ParseOpts::default() };
    let mut parser = parse_document(Document::default(), opts);
    let mut looks = html.len().saturating_mul(LOOKS).saturating_add(PIECE);
    let (mut left, mut nodes, mut widest, mut done) = (most, 0, 0, 0);
    while done < html.len() {
        let rest = &html[done..];
        let tag = start(rest).unwrap_or_default();
        let Some(more_looks) = looks.checked_sub(tag.bytes) else { break };
        looks = more_looks;
        if tag.attributes > MOST_ATTRIBUTES {
            break;
        }
        let piece = &rest[..piece(rest)];
        parser.process(StrTendril::from_slice(piece));
        let document = &parser.tokenizer.sink.sink;
        // What is wrong with a page is told once for each letter, and nobody asks.
        document.errors.borrow_mut().clear();
        let added = document.tree.len().saturating_sub(nodes);
        nodes += added;
        if tag.is_repeated {
            widest = tag.attributes.max(widest);
        }
        // A tag and its text are two nodes; any others repeat what was open.
        let repeated = if added > 2 { added.saturating_mul(widest) } else { 0 };
        let weight = added.saturating_add(usize::midpoint(tag.attributes, repeated));
        done += piece.len();
        match left.checked_sub(weight) {
            Some(lighter) => left = lighter,
            None => break,
        }
    }
    (parser.finish(), done)
}

/// How long the next piece is: up to the next tag, and not too long.
fn piece(rest: &str) -> usize {
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let tag = rest[first..].find('<').map_or(rest.len(), |at| first + at);
    tag.min(rest.floor_char_boundary(PIECE))
}

/// What a start tag takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Start {
    attributes: usize,
    /// Bytes that were looked at.
    bytes: usize,
    is_repeated: bool,
}

/// The start tag at the beginning of `rest`, if one is there.
fn start(rest: &str) -> Option<Start> {
    let bytes = rest.as_bytes();
    if bytes.first() != Some(&b'<') || !bytes.get(1)?.is_ascii_alphabetic() {
        return None;
    }
    let until = |from: usize, ends: fn(u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().position(|byte| ends(*byte)).unwrap_or(rest.len())
    };
    let mut at = until(1, |byte| byte.is_ascii_whitespace() || b"/>".contains(&byte));
    let name = &rest[1..at];
    let is_repeated = REPEATED.iter().any(|repeated| name.eq_ignore_ascii_case(repeated));
    let mut attributes = 0;
    loop {
        at = until(at, |byte| !byte.is_ascii_whitespace() && byte != b'/');
        if matches!(bytes.get(at), None | Some(b'>')) || attributes > MOST_ATTRIBUTES {
            break;
        }
        attributes += 1;
        // The first letter of a name may be anything.
        at = until(at + 1, |byte| byte.is_ascii_whitespace() || b"/>=".contains(&byte));
        let value = until(at, |byte| !byte.is_ascii_whitespace());
        if bytes.get(value) == Some(&b'=') {
            at = until(value + 1, |byte| !byte.is_ascii_whitespace());
            at = match bytes.get(at) {
                Some(b'"') => until(at + 1, |byte| byte == b'"') + 1,
                Some(b'\'') => until(at + 1, |byte| byte == b'\'') + 1,
                _ => until(at, |byte| byte.is_ascii_whitespace() || byte == b'>'),
            };
        }
    }
    Some(Start { attributes, bytes: at.min(bytes.len()), is_repeated })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_counted_as_they_are_parsed() {
        for (tag, attributes, is_repeated) in [
            ("<p>", 0, false),
            ("<FONT size=1 color = '> red' face=\"a b\" x/y/>z", 5, true),
            ("<a href=/x?a=b&c title>", 2, true),
            ("<div =a =\"b\">", 1, false),
            ("<p a=\"never closed>", 1, false),
        ] {
            let start = start(tag).unwrap();
            assert_eq!((start.attributes, start.is_repeated), (attributes, is_repeated), "{tag}");
        }
        assert_eq!((start("</p>"), start("< p"), start("<"), start("p")), (None, None, None, None));
    }

    #[test]
    fn a_page_in_pieces_is_the_page() {
        let page = "<!doctype html><title>A &amp; b</title><p class=x>One<b>two<p>three</b> \u{e9}t\u{e9}\
            <table><tr>four<td>five</table><script>if (a < b) {}</script><pre>\n six</pre>";
        let (built, done) = build(page, 1_000);
        assert_eq!(done, page.len());
        assert_eq!(built.html(), Document::from(page).html());
        let long = "x".repeat(3 * PIECE);
        assert_eq!(build(&long, 100).0.html(), Document::from(long.as_str()).html());
    }

    #[test]
    fn a_tree_ends_where_it_weighs_too_much() {
        let most = 1_000;
        // Each of these is open again in every paragraph that follows.
        let fonts =
            (0..50).fold("<p>".to_owned(), |all, n| all + "<font b a=" + &n.to_string() + ">");
        for page in
            ["<p>x".repeat(most), fonts + &"<p>x".repeat(100), "<p a b c d e f g h>".repeat(300)]
        {
            let (built, done) = build(&page, most);
            assert!(done < page.len(), "{}", &page[..20]);
            assert!(built.tree.len() <= 2 * most, "{}", built.tree.len());
        }
        let wide = (0..2_000).fold("<p>seen<p".to_owned(), |all, n| all + " a" + &n.to_string());
        assert_eq!(build(&wide, 100_000).1, "<p>seen".len());
    }
}
