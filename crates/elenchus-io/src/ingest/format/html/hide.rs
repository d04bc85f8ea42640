//! What a reader of the page does not see is no part of its text.

use super::Hidden;
use super::css::{Effect, Rules, effect};
use super::tree::{Element, Kind, Name, Tag, Tree};
use super::unseen;

/// Fewer letters than this are an icon's name or a stray word.
const WORDS: usize = 20;
/// Notes for screen readers are shorter.
const SPOKEN: usize = 160;
/// `aria-hidden` text between these lengths is left out: shorter is decoration beside what it decorates, longer is the
/// page itself behind a dialogue.
const ARIA: std::ops::Range<usize> = 60..4_000;

/// Nodes looked at below one element, so that towers of elements end.
const MOST_BELOW: usize = 2_000;

/// Class names that hide by long custom.
const CUSTOM: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader",
    "assistive-text",
    "element-invisible",
    "offscreen",
    "off-screen",
    "show-for-sr",
    "u-hidden-visually",
    "u-visually-hidden",
    "a11y-hidden",
    "screenreader",
    "hidden",
    "hide",
    "d-none",
    "is-hidden",
    "invisible",
    "noprint-hidden",
];

/// Which nodes are left out.
pub(super) struct Sight {
    gone: Vec<bool>,
    pub(super) hidden: Hidden,
}

impl Sight {
    pub(super) fn is_gone(&self, at: usize) -> bool {
        self.gone[at]
    }
}

/// Finds what is hidden, and cleans the text that stays of characters without a shape.
pub(super) fn look(tree: &mut Tree) -> Sight {
    let mut rules = Rules::default();
    let sheets: Vec<usize> = tree.all(Tag::Style).map(|(at, _)| at).collect();
    for at in sheets {
        rules.add(&tree.text(at));
    }
    let mut hidden = Hidden::default();
    let mut gone = vec![false; tree.nodes.len()];
    let mut at = 0;
    while at < tree.nodes.len() {
        let end = tree.nodes[at].end;
        let how = match &tree.nodes[at].kind {
            Kind::Text(_) => None,
            Kind::Element(element) if element.tag.is_silent() => {
                gone[at..end].fill(true);
                at = end;
                continue;
            }
            Kind::Element(element) => concealed(tree, at, element, &rules),
        };
        if let Some(how) = how {
            count(tree, at, how, &mut hidden);
            gone[at..end].fill(true);
            at = end;
            continue;
        }
        if let Kind::Text(words) = &mut tree.nodes[at].kind
            && !words.is_ascii()
        {
            *words = unseen::without(words, &mut hidden).into();
        }
        at += 1;
    }
    Sight { gone, hidden }
}

/// How an element is hidden, if it is.
fn concealed(tree: &Tree, at: usize, element: &Element, rules: &Rules) -> Option<&'static str> {
    if matches!(element.tag, Tag::Html | Tag::Body) {
        return None;
    }
    if element.get(Name::Hidden).is_some_and(|value| !value.eq_ignore_ascii_case("until-found")) {
        return Some("the hidden attribute");
    }
    let class = element.get(Name::Class);
    if let Some(style) = element.get(Name::Style) {
        let Effect { hides, tiny, .. } = effect(style);
        if hides.is_some() {
            return hides;
        }
        if tiny && !resized(tree, at) {
            return Some("letters without size");
        }
    }
    if element.tag == Tag::Font
        && let (Some(ink), Some(paper)) = (element.get(Name::Color), ground(tree, at))
        && let (Some(ink), Some(paper)) = (super::css::colour(ink), super::css::colour(paper))
        && super::css::near(ink, paper)
    {
        return Some("the colour of its background");
    }
    if !rules.is_empty() && (class.is_some() || element.has(Name::Id)) {
        let how = rules.hide(name(element.tag), element.get(Name::Id), class);
        if how.is_some() && !matches!(element.tag, Tag::Main | Tag::Article) {
            return how;
        }
    }
    if class.is_some_and(hides_by_custom) {
        return Some("a class that hides");
    }
    if element.get(Name::AriaHidden).is_some_and(|value| value.eq_ignore_ascii_case("true"))
        && ARIA.contains(&letters(tree, at))
    {
        return Some("aria-hidden");
    }
    None
}

/// The colour behind an element, where the page states one in its attributes.
fn ground(tree: &Tree, at: usize) -> Option<&str> {
    let mut at = at;
    for _ in 0..64 {
        let above = tree.nodes[at].parent;
        if above == at {
            return None;
        }
        if let Some(colour) = tree.element(above).and_then(|element| element.get(Name::Bgcolor)) {
            return Some(colour);
        }
        at = above;
    }
    None
}

/// Whether letters below have a size of their own again, as in layouts that close the gaps between columns.
fn resized(tree: &Tree, at: usize) -> bool {
    (at + 1..tree.nodes[at].end).take(MOST_BELOW).any(|below| {
        tree.element(below).is_some_and(|element| {
            element.get(Name::Style).is_some_and(|style| effect(style).sized)
        })
    })
}

fn hides_by_custom(class: &str) -> bool {
    let mut found = false;
    for name in class.split_ascii_whitespace() {
        if CUSTOM.iter().any(|custom| name.eq_ignore_ascii_case(custom)) {
            found = true;
        }
        // "hidden md:block", "d-none d-md-block": shown on wide screens.
        let lasts = name.rsplit([':', '-']).next().unwrap_or_default();
        if (name.contains(':') || name.starts_with("d-") && name.matches('-').count() > 1)
            && matches!(
                lasts,
                "block" | "flex" | "grid" | "inline" | "table" | "contents" | "visible"
            )
        {
            return false;
        }
    }
    found
}

fn name(tag: Tag) -> &'static str {
    match tag {
        Tag::Div => "div",
        Tag::Span => "span",
        Tag::P => "p",
        Tag::A => "a",
        Tag::Li => "li",
        Tag::Ul => "ul",
        Tag::Section => "section",
        Tag::Aside => "aside",
        Tag::Td => "td",
        Tag::Table => "table",
        Tag::Nav => "nav",
        Tag::Form => "form",
        _ => "",
    }
}

/// Letters below an element, as far as it matters.
fn letters(tree: &Tree, at: usize) -> usize {
    let mut count = 0;
    for node in tree.nodes[at..tree.nodes[at].end].iter().take(MOST_BELOW) {
        if let Kind::Text(words) = &node.kind {
            count += words.chars().filter(|c| c.is_alphanumeric()).count();
        }
        if count >= ARIA.end {
            break;
        }
    }
    count
}

/// Counts hidden words, but not what honest pages hide: menus, forms, dialogues, and short notes for screen readers.
fn count(tree: &Tree, at: usize, how: &'static str, hidden: &mut Hidden) {
    let end = tree.nodes[at].end;
    let machinery = |element: &Element| {
        use Tag::{Button, Dialog, Footer, Form, Header, Input, Label, Menu, Nav, Select};
        matches!(
            element.tag,
            Nav | Form | Dialog | Menu | Button | Select | Input | Label | Footer | Header
        ) || element.get(Name::Role).is_some_and(|role| {
            [
                "navigation",
                "dialog",
                "menu",
                "alert",
                "status",
                "search",
                "tooltip",
                "alertdialog",
                "tabpanel",
            ]
            .iter()
            .any(|one| role.eq_ignore_ascii_case(one))
        })
    };
    let above = std::iter::successors(Some(at), |at| {
        let parent = tree.nodes[*at].parent;
        (parent != *at).then_some(parent)
    });
    let serves = |element: &Element| {
        [Name::Class, Name::Id]
            .iter()
            .filter_map(|name| element.get(*name))
            .any(super::article::names_chrome)
    };
    if above.take(64).filter_map(|at| tree.element(at)).any(machinery)
        || tree.element(at).is_some_and(serves)
        || tree.element(tree.nodes[at].parent).is_some_and(serves)
    {
        return;
    }
    let (mut linked, mut plain, mut skip) = (0, 0, at);
    let (mut link_end, mut links, mut words) = (0, 0, 0);
    while skip < end {
        let node = &tree.nodes[skip];
        match &node.kind {
            // What has controls is a part that opens when it is wanted.
            Kind::Element(element) if machinery(element) || element.tag == Tag::Input => return,
            Kind::Element(element) if element.tag.is_silent() => {
                skip = node.end;
                continue;
            }
            Kind::Element(element) if element.tag == Tag::A => {
                links += 1;
                link_end = link_end.max(node.end);
            }
            Kind::Element(_) => {}
            Kind::Text(text) => {
                let letters = text.chars().filter(|c| !c.is_whitespace()).count();
                if skip < link_end {
                    linked += letters;
                } else {
                    plain += letters;
                    words += text.split_whitespace().count();
                }
            }
        }
        skip += 1;
    }
    // Notes for listeners are short, hidden by the site's style sheets, and read out.
    let element = tree.element(at);
    let inline = element
        .and_then(|element| element.get(Name::Style))
        .is_some_and(|style| effect(style).hides.is_some());
    let unheard = element.is_some_and(|element| element.get(Name::AriaHidden) == Some("true"));
    let by_custom =
        element.and_then(|element| element.get(Name::Class)).is_some_and(hides_by_custom);
    let spoken = by_custom && plain < SPOKEN && !inline && !unheard;
    if plain >= WORDS && words >= 4 && plain > linked && links < 2 && !spoken {
        hidden.add(plain, how);
    }
}

impl Hidden {
    pub(super) fn add(&mut self, characters: usize, how: &str) {
        self.characters += characters;
        if !self.ways.iter().any(|way| way == how) {
            self.ways.push(how.to_owned());
        }
    }
}
