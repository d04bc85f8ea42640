//! The Markdown of our own reports as HTML: headings, two levels of lists, paragraphs, strong words and citations. There is
//! no way here to a link, an image or an element that the text names.

use crate::text::push_markup as push;
use std::fmt::Write;

/// The pieces of a line: escapes undone, `**` and `*(...)*` as emphasis, `[n]` as a link to source `n` of `sources`.
pub(super) fn inline(line: &str, sources: usize) -> String {
    let mut out = String::with_capacity(line.len() + 32);
    let (mut strong, mut aside) = (false, false);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = after;
        match c {
            '\\' if after.starts_with(|next: char| next.is_ascii_punctuation()) => {
                let next = after.chars().next().unwrap_or_default();
                push(&mut out, next);
                rest = &after[next.len_utf8()..];
            }
            '*' if after.starts_with('*') => {
                out.push_str(if strong { "</strong>" } else { "<strong>" });
                strong = !strong;
                rest = &after[1..];
            }
            // Only in this order, so that elements are nested as they should.
            '*' if !aside && !strong && after.starts_with('(') => {
                out.push_str("<em>");
                aside = true;
            }
            '*' if aside && !strong && out.ends_with(')') => {
                out.push_str("</em>");
                aside = false;
            }
            '[' => match cited(after, sources) {
                Some((number, behind)) => {
                    write!(out, "<a href=\"#source-{number}\">[{number}]</a>")
                        .expect("writing to a String cannot fail");
                    rest = behind;
                }
                None => out.push('['),
            },
            c => push(&mut out, c),
        }
    }
    if strong {
        out.push_str("</strong>");
    }
    if aside {
        out.push_str("</em>");
    }
    out
}

/// The number of a citation, and what follows it.
fn cited(after: &str, sources: usize) -> Option<(usize, &str)> {
    let (digits, behind) = after.split_once(']')?;
    let number: usize = digits.parse().ok()?;
    ((1..=sources).contains(&number) && digits.len() <= 6).then_some((number, behind))
}

/// Blocks under construction.
#[derive(Default)]
struct Blocks {
    out: String,
    /// Lists that are open: 0, 1 or 2.
    depth: usize,
    paragraph: bool,
}

impl Blocks {
    fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.paragraph) {
            self.out.push_str("</p>\n");
        }
    }

    fn end_lists(&mut self, keep: usize) {
        while self.depth > keep {
            self.out.push_str("</li>\n</ul>\n");
            self.depth -= 1;
        }
    }

    fn item(&mut self, wanted: usize, html: &str) {
        self.end_paragraph();
        // A list within a list needs an item to stand in.
        let wanted = wanted.min(self.depth + 1);
        self.end_lists(wanted);
        if self.depth == wanted {
            self.out.push_str("</li>\n<li>");
        } else {
            self.out.push_str("\n<ul>\n<li>");
            self.depth += 1;
        }
        self.out.push_str(html);
    }
}

/// Markdown as our reports are written in, as HTML. Headings go down one level where `down`.
pub(super) fn blocks(markdown: &str, sources: usize) -> String {
    let mut blocks = Blocks::default();
    for line in markdown.lines() {
        let text = line.trim();
        let indented = line.starts_with("  ");
        if text.is_empty() {
            blocks.end_paragraph();
        } else if let Some((level, words)) = heading(line) {
            blocks.end_paragraph();
            blocks.end_lists(0);
            writeln!(blocks.out, "<h{level}>{}</h{level}>", inline(words, sources))
                .expect("writing to a String cannot fail");
        } else if let Some(words) = text.strip_prefix("- ") {
            let html = inline(words, sources);
            blocks.item(if indented { 2 } else { 1 }, &html);
        } else if indented && blocks.depth > 0 {
            blocks.out.push_str("<br>");
            blocks.out.push_str(&inline(text, sources));
        } else {
            blocks.end_lists(0);
            blocks.out.push_str(if blocks.paragraph { "<br>" } else { "<p>" });
            blocks.paragraph = true;
            blocks.out.push_str(&inline(text, sources));
        }
    }
    blocks.end_paragraph();
    blocks.end_lists(0);
    blocks.out
}

/// "## Words": level 2 and the words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    ((1..=4).contains(&level))
        .then(|| words.strip_prefix(' '))
        .flatten()
        .map(|words| (level, words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_report_becomes_html() {
        let markdown = "**Yes** \u{2014} \u{201C}a \\<b> \\[1\\] & c\u{201D} [1] *(weak)*\n\n## More\n\n- one [2]\n    - two\n  and on\n- three [9]\n\nend";
        assert_eq!(
            blocks(markdown, 2),
            "<p><strong>Yes</strong> \u{2014} \u{201C}a &lt;b&gt; [1] &amp; c\u{201D} <a href=\"#source-1\">[1]</a> <em>(weak)</em></p>\n\
             <h2>More</h2>\n\n<ul>\n<li>one <a href=\"#source-2\">[2]</a>\n<ul>\n<li>two<br>and on</li>\n</ul>\n</li>\n<li>three [9]</li>\n</ul>\n\
             <p>end</p>\n"
        );
    }

    proptest! {
        #[test]
        fn only_our_own_elements_come_out(text in "([-#*\\[\\]1<>\\\\\"'& a\n]|.){0,80}") {
            let html = blocks(&text, 3);
            for tag in html.split('<').skip(1) {
                let name = tag.split(['>', ' ']).next().unwrap_or_default().trim_start_matches('/');
                prop_assert!(["p", "br", "ul", "li", "strong", "em", "a", "h1", "h2", "h3", "h4"].contains(&name), "{}", html);
            }
            // Elements are nested: what is opened last is closed first.
            let mut open: Vec<String> = Vec::new();
            for tag in html.split('<').skip(1) {
                let name = tag.split(['>', ' ']).next().unwrap_or_default();
                match name.strip_prefix('/') {
                    Some(name) => {
                        let last = open.pop();
                        prop_assert_eq!(last.as_deref(), Some(name), "{}", &html);
                    }
                    None if name == "br" => {}
                    None => open.push(name.to_owned()),
                }
            }
            prop_assert!(open.is_empty(), "{}", html);
        }
    }
}
