//! Web pages: the article without its surroundings, as Markdown.

mod about;
mod article;
mod build;
mod css;
mod hide;
mod links;
mod markdown;
mod scan;
mod tree;
mod unseen;

use super::ExtractedDoc;
use super::encoding::tidy;
use super::isolate::isolated;
use reqwest::Url;
use std::time::Duration;
use tree::Tree;

/// Longest time for one page, in seconds.
const LIMIT_S: u64 = 20;
/// Tags open at once beyond which a page is not parsed as a tree: real pages stay below 100.
const DEEPEST: usize = 2_000;
/// What the tree of a page of the web may weigh: a node one, an attribute half of that. It keeps a page below 64 MiB; the longest articles
/// of encyclopedias weigh less.
const MOST_OF_WEB: usize = 130_000;
/// The same for a file of a folder, which somebody put there.
const MOST_OF_FOLDER: usize = 2_000_000;
/// Most quotes within each other that are told apart in a mail.
const MOST_QUOTES: usize = 16;

/// What a page says about itself besides its text, as it says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    /// The address under which it wants to be known; may be relative.
    pub(crate) canonical: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) modified: Option<String>,
    /// An address or words.
    pub(crate) licence: Option<String>,
    /// A language tag.
    pub(crate) language: Option<String>,
}

/// Words of a page that its reader would not have seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// How many characters, where they are words and not the usual menus and notes for screen readers.
    pub characters: usize,
    /// How they were hidden, each way once: "display: none".
    pub ways: Vec<String>,
}

impl Hidden {
    /// Adds what was hidden elsewhere in the same document.
    pub(crate) fn merge(&mut self, other: Self) {
        self.characters += other.characters;
        for way in other.ways {
            if !self.ways.contains(&way) {
                self.ways.push(way);
            }
        }
    }

    /// What to tell the user; `None` when nothing was hidden.
    pub(crate) fn note(&self) -> Option<String> {
        (self.characters > 0).then(|| {
            format!(
                "{} characters that a reader of the page would not see were left out ({})",
                self.characters,
                self.ways.join(", ")
            )
        })
    }
}

/// A page that was read.
pub(crate) struct HtmlPage {
    pub(crate) doc: ExtractedDoc,
    pub(crate) about: About,
    /// Absolute, http or https, in reading order.
    pub(crate) links: Vec<(Url, String)>,
    pub(crate) hidden: Hidden,
}

/// Reads a page that was found at `base`, if it was. Links are taken only of pages that have an address.
pub(crate) fn read(html: &str, base: Option<&Url>) -> HtmlPage {
    let read = if depth(html) > DEEPEST {
        None
    } else {
        let (own, base) = (html.to_owned(), base.cloned());
        isolated(Duration::from_secs(LIMIT_S), move || parsed(&own, base.as_ref())).ok()
    };
    read.unwrap_or_else(|| {
        let (text, hidden) = scan::seen(html);
        let mut doc = ExtractedDoc::of_text(tidy(&text));
        doc.notes.push(
            "the page's structure could not be read; its text is taken without it".to_owned(),
        );
        HtmlPage { doc, about: About::default(), links: Vec::new(), hidden }
    })
}

fn parsed(html: &str, base: Option<&Url>) -> HtmlPage {
    let most = if base.is_some() { MOST_OF_WEB } else { MOST_OF_FOLDER };
    let (mut tree, done) = Tree::parse(html, most);
    let sight = hide::look(&mut tree);
    let said = about::said(&tree, &sight);
    let links = base.map(|base| links::found(&tree, &sight, base)).unwrap_or_default();
    let article = article::find(&tree, &sight);
    let text = markdown::write(&tree, &article.parts, &article.left_out);
    let mut doc = ExtractedDoc::of_text(tidy(&text));
    doc.notes.extend(cut(html, done));
    doc.title = said.title;
    doc.author = said.author;
    for (key, value) in [("modified", &said.about.modified), ("published", &said.about.published)] {
        if let Some(value) = value {
            doc.dates.push((key.to_owned(), value.clone()));
        }
    }
    HtmlPage { doc, about: said.about, links, hidden: sight.hidden }
}

/// That only a part of a page was read, if so.
fn cut(html: &str, done: usize) -> Option<String> {
    (done < html.len()).then(|| {
        format!(
            "only the first {} of {} KB were read: the page has more elements than are taken of one",
            done >> 10,
            html.len() >> 10
        )
    })
}

/// A piece of a page, such as a feed's entry: all of it is its text.
pub(crate) fn fragment(html: &str) -> HtmlPage {
    whole(html, 0, MOST_OF_WEB)
}

/// The page of a mail: all of it is its text, and what it quotes has ">" before its lines, as in a mail of plain text.
pub(super) fn mail(html: &str) -> HtmlPage {
    whole(html, MOST_QUOTES, MOST_OF_FOLDER)
}

fn whole(html: &str, quotes: usize, most: usize) -> HtmlPage {
    let read = (depth(html) <= DEEPEST)
        .then(|| {
            let own = html.to_owned();
            isolated(Duration::from_secs(LIMIT_S), move || {
                let (mut tree, done) = Tree::parse(&own, most);
                let sight = hide::look(&mut tree);
                let left_out: Vec<bool> =
                    (0..tree.nodes.len()).map(|at| sight.is_gone(at)).collect();
                let text = markdown::write_quoted(&tree, &[0], &left_out, quotes);
                (text, sight.hidden, done)
            })
            .ok()
        })
        .flatten();
    let (text, hidden, done) = read.unwrap_or_else(|| {
        let (text, hidden) = scan::seen(html);
        (text, hidden, html.len())
    });
    let mut doc = ExtractedDoc::of_text(tidy(&text));
    doc.notes.extend(cut(html, done));
    HtmlPage { doc, about: About::default(), links: Vec::new(), hidden }
}

/// Text without the characters that no reader sees.
pub(crate) fn without_hidden_characters(text: &str) -> (String, Hidden) {
    let mut hidden = Hidden::default();
    let seen = unseen::without(text, &mut hidden);
    (seen, hidden)
}

/// A local page: what was hidden is a note.
pub(super) fn extract(html: &str) -> ExtractedDoc {
    let HtmlPage { mut doc, hidden, .. } = read(html, None);
    doc.notes.extend(hidden.note());
    doc
}

/// Most tags open at once, roughly: tags that are never closed count as open.
fn depth(html: &str) -> usize {
    const VOID: &[&str] = &[
        "br", "hr", "img", "input", "meta", "link", "p", "li", "td", "tr", "th", "dd", "dt",
        "option", "source", "wbr", "col", "area", "base",
    ];
    let (mut open, mut most) = (0_usize, 0);
    for tag in html.split('<').skip(1) {
        if tag.starts_with('/') {
            open = open.saturating_sub(1);
        } else if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name: String = tag
                .chars()
                .take_while(char::is_ascii_alphanumeric)
                .collect::<String>()
                .to_ascii_lowercase();
            if !VOID.contains(&name.as_str()) {
                open += 1;
                most = most.max(open);
            }
        }
    }
    most
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
