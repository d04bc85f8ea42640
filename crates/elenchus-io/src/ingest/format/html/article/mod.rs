//! Which part of a page is its text: the element whose blocks of running words outweigh the lists of links around them,
//! without what its names and links give away as the site's own.

mod lead;
mod phrases;
mod words;

use super::hide::Sight;
use super::tree::{Kind, Name, Tag, Tree};
use std::collections::HashMap;
use words::Names;

/// A text with fewer characters than this is doubted.
const SHORT: usize = 250;

/// What is to be written: the parts, in order, without what is left out.
pub(super) struct Article {
    pub(super) parts: Vec<usize>,
    pub(super) left_out: Vec<bool>,
}

/// Characters of text below each node.
struct Weights {
    text: Vec<u32>,
    linked: Vec<u32>,
}

/// Finds the text of a page.
pub(super) fn find(tree: &Tree, sight: &Sight) -> Article {
    let count = tree.nodes.len();
    let gone: Vec<bool> = (0..count).map(|at| sight.is_gone(at)).collect();
    if count == 0 {
        return Article { parts: Vec::new(), left_out: gone };
    }
    let body = tree.all(Tag::Body).map(|(at, _)| at).next().unwrap_or(0);
    let names = all_names(tree);
    let all = weigh(tree, &gone);
    let whole = all.text[body];
    let (mut left_out, mut root) = attempt(tree, body, &names, &all, &gone, true);
    let running = running(tree, body, &names, &all, &gone);
    let found = |left_out: &[bool], root: usize| weigh(tree, left_out).text[root];
    if running > 600 && u64::from(found(&left_out, root)) * 10 < u64::from(running) * 3 {
        // Names that misled: what they call chrome holds the text.
        let (again, other) = attempt(tree, body, &names, &all, &gone, false);
        if found(&again, other) > 2 * found(&left_out, root) {
            (left_out, root) = (again, other);
        }
    }
    let left = weigh(tree, &left_out).text[root] as usize;
    let named = names[root].body || matches!(tree.tag(root), Some(Tag::Article | Tag::Main));
    let short = if named { SHORT / 3 } else { SHORT };
    if left < short && (whole as usize > 2 * left || !named) {
        // A short page, or one that is built unlike all others: everything but what is certainly not text.
        let mut plain = gone;
        strike_certain(tree, body, &mut plain);
        let certain = weigh(tree, &plain).text[body] as usize;
        if certain < 4 * SHORT || left < SHORT / 4 {
            return Article { parts: vec![body], left_out: plain };
        }
    }
    let mut parts = lead::before(tree, sight, root, &names, &all, &mut left_out);
    parts.push(root);
    Article { parts, left_out }
}

/// Leaves out what is not text and finds the element that holds the text. `by_name` says whether names of chrome count.
fn attempt(
    tree: &Tree,
    body: usize,
    names: &[Names],
    all: &Weights,
    gone: &[bool],
    by_name: bool,
) -> (Vec<bool>, usize) {
    let mut left_out = gone.to_vec();
    strike(tree, body, names, all, by_name, &mut left_out);
    let kept = weigh(tree, &left_out);
    let root = root(tree, body, names, &kept, &left_out);
    trim(tree, root, names, &kept, &mut left_out);
    trim_ends(tree, root, &kept, &mut left_out);
    (left_out, root)
}

/// Leaves out what surrounds the running words within their element: labels before the first long block and headings
/// and labels behind the last one. Paragraphs, items and cells stay.
fn trim_ends(tree: &Tree, root: usize, kept: &Weights, left_out: &mut [bool]) {
    let long = |at: usize| {
        !left_out[at]
            && matches!(
                tree.tag(at),
                Some(
                    Tag::P
                        | Tag::Li
                        | Tag::Td
                        | Tag::Dd
                        | Tag::Blockquote
                        | Tag::Pre
                        | Tag::Div
                        | Tag::Section
                        | Tag::Article
                        | Tag::Span
                )
            )
            && own_text(tree, at, kept, left_out) >= 100
    };
    let Some(last) = (root..tree.nodes[root].end).rev().find(|at| long(*at)) else { return };
    let end = tree.nodes[root].end;
    let mut at = tree.nodes[last].end;
    while at < end {
        let next = tree.nodes[at].end;
        let loose = tree.tag(at).is_some_and(|tag| {
            matches!(tag, Tag::Div | Tag::Section | Tag::Span)
                && own_text(tree, at, kept, left_out) > 0
        });
        if loose && !left_out[at] && tree.nodes[at].parent != last {
            left_out[at..next].fill(true);
            at = next;
        } else {
            at += 1;
        }
    }
}

/// Characters that stand right in a block and are not links.
fn own_text(tree: &Tree, at: usize, kept: &Weights, left_out: &[bool]) -> u32 {
    tree.children(at)
        .filter(|child| !left_out[*child])
        .filter(|child| match &tree.nodes[*child].kind {
            Kind::Text(_) => true,
            Kind::Element(element) => element.tag.is_inline(),
        })
        .map(|child| kept.text[child] - kept.linked[child])
        .sum()
}

/// Characters of the page's long paragraphs, but for comments and notices.
fn running(tree: &Tree, body: usize, names: &[Names], all: &Weights, gone: &[bool]) -> u32 {
    let mut at = body;
    let mut sum = 0;
    while at < tree.nodes[body].end {
        let end = tree.nodes[at].end;
        if gone[at]
            || names[at].comments
            || names[at].notice
            || matches!(tree.tag(at), Some(Tag::Footer | Tag::Nav | Tag::Aside | Tag::Form))
        {
            at = end;
        } else if tree.tag(at) == Some(Tag::P) {
            let (text, linked) = (all.text[at], all.linked[at]);
            if text >= 80 && linked * 4 < text {
                sum += text;
            }
            at = end;
        } else {
            at += 1;
        }
    }
    sum
}

/// Whether the names in a class or id are those of parts that serve the site.
pub(super) fn names_chrome(value: &str) -> bool {
    let mut names = Names::default();
    words::read(value, &mut names);
    names.chrome || names.notice || names.perhaps || names.comments || names.caption || names.margin
}

/// What the class and id of each element say. Pages repeat a few classes thousands of times.
fn all_names(tree: &Tree) -> Vec<Names> {
    fn read<'a>(known: &mut HashMap<&'a str, Names>, value: Option<&'a str>) -> Names {
        let Some(value) = value else { return Names::default() };
        *known.entry(value).or_insert_with(|| {
            let mut names = Names::default();
            words::read(value, &mut names);
            names
        })
    }
    let mut known: HashMap<&str, Names> = HashMap::new();
    (0..tree.nodes.len())
        .map(|at| {
            let Some(element) = tree.element(at) else { return Names::default() };
            let class = read(&mut known, element.get(Name::Class));
            // The ids of headings are made of their words.
            let id = element.get(Name::Id).filter(|_| element.tag.heading().is_none());
            class.and(read(&mut known, id))
        })
        .collect()
}

fn weigh(tree: &Tree, left_out: &[bool]) -> Weights {
    let count = tree.nodes.len();
    let mut weights = Weights { text: vec![0; count], linked: vec![0; count] };
    for at in (0..count).rev() {
        let node = &tree.nodes[at];
        if left_out[at] {
            weights.text[at] = 0;
            weights.linked[at] = 0;
            continue;
        }
        match &node.kind {
            Kind::Text(words) => weights.text[at] = length(words),
            // Links within the page are part of the text: marks of notes, headings that name themselves.
            Kind::Element(element)
                if element.tag == Tag::A
                    && element
                        .get(Name::Href)
                        .is_some_and(|href| !href.trim_start().starts_with('#')) =>
            {
                weights.linked[at] = weights.text[at];
            }
            Kind::Element(_) => {}
        }
        if node.parent != at {
            weights.text[node.parent] += weights.text[at];
            weights.linked[node.parent] += weights.linked[at];
        }
    }
    weights
}

/// Characters without the white space that only lays the source out.
fn length(words: &str) -> u32 {
    let mut count = 0_u32;
    let mut space = true;
    for c in words.chars() {
        if c.is_whitespace() {
            space = true;
        } else {
            count += 1 + u32::from(space && count > 0);
            space = false;
        }
    }
    count
}

/// Leaves out what is never text on any page.
fn strike_certain(tree: &Tree, body: usize, left_out: &mut [bool]) {
    for at in body..tree.nodes[body].end {
        let certain = tree.element(at).is_some_and(|element| {
            matches!(element.tag, Tag::Nav | Tag::Button | Tag::Menu | Tag::Dialog | Tag::Search)
                || matches!(
                    element.get(Name::Role),
                    Some("navigation" | "search" | "dialog" | "menu" | "menubar")
                )
        });
        if certain {
            let end = tree.nodes[at].end;
            left_out[at..end].fill(true);
        }
    }
}

/// Leaves out what serves the site.
fn strike(
    tree: &Tree,
    body: usize,
    names: &[Names],
    all: &Weights,
    by_name: bool,
    left_out: &mut [bool],
) {
    let core = core(tree, body, names, all, left_out);
    let mut at = body + 1;
    while at < tree.nodes[body].end {
        let end = tree.nodes[at].end;
        let mut named = names[at];
        if !by_name {
            (named.chrome, named.perhaps, named.caption) = (false, false, false);
        }
        let plain = f64::from(all.text[at] - all.linked[at])
            / f64::from((all.text[body] - all.linked[body]).max(1));
        let part = Part { at, named, core: core[at], share: share(all, at, body), plain, all };
        if left_out[at] || serves(tree, &part) {
            left_out[at..end].fill(true);
            at = end;
        } else {
            at += 1;
        }
    }
}

fn share(all: &Weights, at: usize, body: usize) -> f64 {
    f64::from(all.text[at]) / f64::from(all.text[body].max(1))
}

/// Whether what names a page's text is below: its main heading, or an element that is named so.
fn core(tree: &Tree, body: usize, names: &[Names], all: &Weights, left_out: &[bool]) -> Vec<bool> {
    let mut core = vec![false; tree.nodes.len()];
    let only_one = |tag: Tag| tree.all(tag).filter(|(at, _)| !left_out[*at]).count() == 1;
    let (one_article, one_heading) = (only_one(Tag::Article), only_one(Tag::H1));
    for at in (body..tree.nodes[body].end).rev() {
        if left_out[at] {
            continue;
        }
        core[at] |= names[at].body && share(all, at, body) > 0.25
            || match tree.tag(at) {
                Some(Tag::Main) => true,
                Some(Tag::Article) => one_article,
                Some(Tag::H1) => one_heading,
                _ => false,
            };
        let parent = tree.nodes[at].parent;
        core[parent] |= core[at];
    }
    core
}

/// An element that may serve the site.
struct Part<'a> {
    at: usize,
    named: Names,
    /// Whether it holds what names the page's text.
    core: bool,
    /// Of the page's characters.
    share: f64,
    /// Of those that are not links.
    plain: f64,
    all: &'a Weights,
}

impl Part<'_> {
    /// The share of its characters that are links.
    fn density(&self) -> f64 {
        f64::from(self.all.linked[self.at]) / f64::from(self.all.text[self.at].max(1))
    }
}

fn serves(tree: &Tree, part: &Part<'_>) -> bool {
    let Some(element) = tree.element(part.at) else { return false };
    let (named, share) = (part.named, part.share);
    let text = part.all.text[part.at];
    match element.tag {
        Tag::Nav | Tag::Button | Tag::Menu | Tag::Dialog | Tag::Search | Tag::Rp | Tag::Label => {
            return true;
        }
        Tag::Figcaption if text < 400 => return true,
        Tag::Footer | Tag::Aside if share < 0.5 => return true,
        Tag::Form if share < 0.3 => return true,
        Tag::Header => return share < 0.5 && !in_article(tree, part.at),
        Tag::Html | Tag::Body | Tag::Main => return false,
        Tag::Article => {
            return named.comments && share < 0.3 || named.chrome && !part.core && share < 0.1;
        }
        _ => {}
    }
    if let Some(role) = element.get(Name::Role)
        && matches!(
            role,
            "navigation"
                | "banner"
                | "contentinfo"
                | "complementary"
                | "search"
                | "dialog"
                | "menu"
                | "menubar"
                | "alert"
                | "alertdialog"
                | "tooltip"
                | "toolbar"
                | "tablist"
                | "button"
        )
        && share < 0.5
    {
        return true;
    }
    if element.tag.is_inline() && element.tag != Tag::Span && element.tag != Tag::A || named.body {
        return false;
    }
    // Running words stand even in parts that are named like chrome.
    let runs = text >= 800 && part.plain > 0.3 && part.density() < 0.2;
    named.notice && share < 0.5
        || named.caption && text < 400 && share < 0.3
        || named.comments && share < 0.8 && !part.core
        || named.chrome && share < 0.4 && !part.core && !runs
        || named.perhaps
            && share < 0.3
            && !part.core
            && (part.density() > 0.3 || text < 80 && !named.lead)
}

fn in_article(tree: &Tree, at: usize) -> bool {
    above(tree, at).any(|at| matches!(tree.tag(at), Some(Tag::Article | Tag::Main)))
}

fn above(tree: &Tree, at: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(at), |at| {
        let parent = tree.nodes[*at].parent;
        (parent != *at).then_some(parent)
    })
    .skip(1)
    .take(256)
}

/// The element that holds the text.
fn root(tree: &Tree, body: usize, names: &[Names], kept: &Weights, left_out: &[bool]) -> usize {
    let count = tree.nodes.len();
    // What speaks for each element's being the text, and what of it is for alone.
    let (mut value, mut good) = (vec![0_i64; count], vec![0_i64; count]);
    for at in (body..tree.nodes[body].end).rev() {
        if left_out[at] {
            continue;
        }
        if let Some(tag) = tree.tag(at)
            && !tag.is_inline()
        {
            let own = block(tree, at, tag, kept, left_out);
            value[at] += own;
            good[at] += own.max(0);
        }
        let parent = tree.nodes[at].parent;
        if parent != at {
            value[parent] += value[at];
            good[parent] += good[at];
        }
    }
    let blocks = || {
        (body..tree.nodes[body].end)
            .filter(|at| !left_out[*at] && tree.tag(*at).is_some_and(|tag| !tag.is_inline()))
    };
    // The last of equals is the innermost.
    let best = blocks().max_by_key(|at| value[*at]).unwrap_or(body);
    let most = good[best];
    let is_text = |at: usize| {
        names[at].body
            || tree.element(at).is_some_and(|element| {
                element
                    .get(Name::Itemprop)
                    .is_some_and(|item| item.to_ascii_lowercase().contains("articlebody"))
            })
    };
    let named = blocks()
        .filter(|at| is_text(*at) && good[*at] * 10 >= most * 5 && good[*at] > 0)
        .max_by_key(|at| value[*at]);
    let marked = named.or_else(|| {
        blocks()
            .filter(|at| matches!(tree.tag(*at), Some(Tag::Article | Tag::Main)))
            .filter(|at| good[*at] * 10 >= most * 5 && good[*at] > 0)
            .max_by_key(|at| value[*at])
    });
    let mut root = marked.unwrap_or(best);
    // Several texts under headings of their own, as on pages that load the next one: the weightiest is meant.
    let inner = || {
        blocks().filter(|at| {
            *at > root && *at < tree.nodes[root].end && tree.tag(*at) == Some(Tag::Article)
        })
    };
    let titled = inner()
        .filter(|at| (*at..tree.nodes[*at].end).any(|below| tree.tag(below) == Some(Tag::H1)))
        .count();
    if titled > 1
        && let Some(one) = inner().max_by_key(|at| good[*at])
        && good[one] * 10 >= good[root] * 3
    {
        root = one;
    }
    // Down to where nearly all of it is.
    loop {
        let deeper = tree
            .children(root)
            .filter(|at| {
                !left_out[*at]
                    && matches!(
                        tree.tag(*at),
                        Some(
                            Tag::Div
                                | Tag::Section
                                | Tag::Article
                                | Tag::Main
                                | Tag::Form
                                | Tag::Center
                                | Tag::Table
                                | Tag::Tbody
                                | Tag::Tr
                                | Tag::Td
                                | Tag::Span
                        )
                    )
            })
            .max_by_key(|at| good[*at]);
        match deeper {
            Some(next) if good[next] * 100 >= good[root] * 90 && good[next] > 0 => root = next,
            _ => return root,
        }
    }
}

/// What the words that stand right in a block say for it being text.
fn block(tree: &Tree, at: usize, tag: Tag, kept: &Weights, left_out: &[bool]) -> i64 {
    let (mut text, mut linked) = (0_i64, 0_i64);
    for child in tree.children(at) {
        if left_out[child] {
            continue;
        }
        let own = match &tree.nodes[child].kind {
            Kind::Text(_) => true,
            Kind::Element(element) => element.tag.is_inline(),
        };
        if own {
            text += i64::from(kept.text[child]);
            linked += i64::from(kept.linked[child]);
        }
    }
    if text == 0 {
        return 0;
    }
    let plain = text - linked;
    match tag {
        Tag::P | Tag::Blockquote | Tag::Pre | Tag::Dd => plain - linked / 3,
        Tag::Li | Tag::Td | Tag::Div | Tag::Section => plain - linked - 15,
        _ => plain - linked - 20,
    }
    .max(-50)
}

/// Leaves out of the text what is not: lists of links, notes at its margins.
fn trim(tree: &Tree, root: usize, names: &[Names], kept: &Weights, left_out: &mut [bool]) {
    let mut at = root + 1;
    while at < tree.nodes[root].end {
        let end = tree.nodes[at].end;
        if left_out[at] {
            at = end;
            continue;
        }
        let out = tree.tag(at).is_some_and(|tag| is_margin(tree, at, tag, names[at], kept));
        if out {
            left_out[at..end].fill(true);
            at = end;
        } else {
            at += 1;
        }
    }
}

/// The first words below an element. Bounded: little text may stand among much else.
fn opening(tree: &Tree, at: usize) -> String {
    let mut text = String::new();
    for node in tree.nodes[at..tree.nodes[at].end].iter().take(64) {
        if let Kind::Text(words) = &node.kind {
            text.extend(words.chars().take(160));
        }
        if text.len() > 160 {
            break;
        }
    }
    text
}

fn is_margin(tree: &Tree, at: usize, tag: Tag, named: Names, kept: &Weights) -> bool {
    let (text, linked) = (kept.text[at], kept.linked[at]);
    if text == 0 {
        return false;
    }
    let density = f64::from(linked) / f64::from(text);
    if tag.heading().is_some() {
        return density > 0.9 || text < 60 && phrases::is_notice(&opening(tree, at));
    }
    match tag {
        Tag::P if density > 0.9 && text > 20 => true,
        Tag::Ul
        | Tag::Ol
        | Tag::Div
        | Tag::Section
        | Tag::Table
        | Tag::Dl
        | Tag::Tbody
        | Tag::P
        | Tag::Li
        | Tag::Td => {
            if density > 0.75 && text > 20 && !matches!(tag, Tag::P | Tag::Li | Tag::Td) {
                return true;
            }
            named.margin && !named.lead && text < 100 && tag != Tag::Td
                || text < 160 && phrases::is_notice(&opening(tree, at))
        }
        Tag::Span | Tag::Small | Tag::Time => named.margin && text < 80,
        _ => false,
    }
}
