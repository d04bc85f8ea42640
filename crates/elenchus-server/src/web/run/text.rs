//! The text of an answer as elements: the Markdown that our composer writes, with its statements marked where they stand.

use super::cards::Support;
use elenchus_core::answer::Answer;
use elenchus_core::evidence::Span;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// A statement in the text.
struct Marked {
    span: Span,
    id: String,
    support: Support,
}

/// A line of the text, with the place of its first character.
struct Line<'a> {
    text: &'a str,
    at: usize,
}

/// Text as elements.
pub(super) fn blocks(answer: &Answer, text: &str, from: usize) -> Markup {
    let marks: Vec<Marked> = answer
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| Marked {
            span: claim.source_span,
            id: claim.id.to_string(),
            support: Support::of(answer, at),
        })
        .collect();
    let mut at = from;
    let lines = text.split('\n').map(|line| {
        let line = Line { text: line, at };
        at += line.text.chars().count() + 1;
        line
    });
    let mut out = Out {
        html: String::new(),
        list: 0,
        paragraph: false,
        sources: answer.sources.len(),
        marks: &marks,
    };
    lines.for_each(|line| out.line(&line));
    out.end_paragraph();
    out.end_lists(0);
    PreEscaped(out.html)
}

struct Out<'a> {
    html: String,
    list: usize,
    paragraph: bool,
    sources: usize,
    marks: &'a [Marked],
}

impl Out<'_> {
    fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.paragraph) {
            self.html.push_str("</p>");
        }
    }

    fn end_lists(&mut self, keep: usize) {
        while self.list > keep {
            self.html.push_str("</li></ul>");
            self.list -= 1;
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        let trimmed = line.text.trim_start();
        let indent = line.text.len() - trimmed.len();
        let hashes = trimmed.len() - trimmed.trim_start_matches('#').len();
        if trimmed.trim().is_empty() {
            self.end_paragraph();
        } else if (1..=4).contains(&hashes) && trimmed[hashes..].starts_with(' ') {
            self.end_paragraph();
            self.end_lists(0);
            let level = hashes.max(2) + 1;
            write!(self.html, "<h{level}>").expect("writing to a String cannot fail");
            let words = trimmed[hashes + 1..].trim_end().trim_end_matches(" #");
            self.inline(words, line.at + indent + hashes + 1);
            write!(self.html, "</h{level}>").expect("writing to a String cannot fail");
        } else if let Some(words) = trimmed.strip_prefix("- ") {
            self.end_paragraph();
            let wanted = if indent >= 2 { 2 } else { 1 }.min(self.list + 1);
            self.end_lists(wanted);
            if self.list == wanted {
                self.html.push_str("</li><li>");
            } else {
                self.html.push_str("<ul><li>");
                self.list += 1;
            }
            self.inline(words, line.at + indent + 2);
        } else if indent >= 2 && self.list > 0 {
            self.html.push_str("<br>");
            self.inline(trimmed, line.at + indent);
        } else {
            self.end_lists(0);
            self.html.push_str(if self.paragraph { "<br>" } else { "<p>" });
            self.paragraph = true;
            self.inline(trimmed, line.at + indent);
        }
    }

    /// The pieces of a line; `at` is the place of its first character in the answer. What is opened in a statement ends with it.
    fn inline(&mut self, line: &str, at: usize) {
        let letters: Vec<char> = line.chars().collect();
        let mut strong = false;
        let mut open: Option<&Marked> = None;
        let mut i = 0;
        while i < letters.len() {
            let place = at + i;
            if let Some(mark) = open
                && place >= mark.span.end
            {
                self.close(mark, &mut strong);
                open = None;
            }
            if open.is_none()
                && let Some(mark) =
                    self.marks.iter().find(|mark| mark.span.start == place && mark.span.end > place)
            {
                if strong {
                    self.html.push_str("</strong>");
                    strong = false;
                }
                write!(
                    self.html,
                    "<a class=\"claim {}\" href=\"#card-{}\" id=\"{}\">",
                    mark.support.class(),
                    html! { (mark.id) }.0,
                    html! { (mark.id) }.0
                )
                .expect("writing to a String cannot fail");
                open = Some(mark);
            }
            match letters[i] {
                '\\' if letters.get(i + 1).is_some_and(char::is_ascii_punctuation) => {
                    i += 1;
                    self.letter(letters[i]);
                }
                '*' if letters.get(i + 1) == Some(&'*') => {
                    self.html.push_str(if strong { "</strong>" } else { "<strong>" });
                    strong = !strong;
                    i += 1;
                }
                // Emphasis is used for asides only, and those stand in brackets of their own.
                '*' if letters.get(i + 1) == Some(&'(') || (i > 0 && letters[i - 1] == ')') => {}
                '[' if open.is_none() => {
                    let digits: String =
                        letters[i + 1..].iter().take_while(|c| c.is_ascii_digit()).collect();
                    let number =
                        digits.parse::<usize>().ok().filter(|n| (1..=self.sources).contains(n));
                    match number {
                        Some(number) if letters.get(i + 1 + digits.len()) == Some(&']') => {
                            write!(self.html, "<a class=\"cite\" href=\"#source-{number}\" aria-label=\"source {number}\">[{number}]</a>").expect("writing to a String cannot fail");
                            i += digits.len() + 1;
                        }
                        _ => self.letter('['),
                    }
                }
                c => self.letter(c),
            }
            i += 1;
        }
        if let Some(mark) = open {
            self.close(mark, &mut strong);
        }
        if strong {
            self.html.push_str("</strong>");
        }
    }

    fn close(&mut self, mark: &Marked, strong: &mut bool) {
        if std::mem::take(strong) {
            self.html.push_str("</strong>");
        }
        write!(self.html, "</a><span class=\"mark {}\" title=\"{word}\"><span aria-hidden=\"true\">{}</span><span class=\"sr\"> ({word})</span></span>",
            mark.support.class(),
            mark.support.glyph(),
            word = mark.support.word()).expect("writing to a String cannot fail");
    }

    fn letter(&mut self, c: char) {
        let mut buffer = [0; 4];
        let text: &str = c.encode_utf8(&mut buffer);
        self.html.push_str(&html! { (text) }.0);
    }
}
